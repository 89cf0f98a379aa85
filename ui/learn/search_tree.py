"""The tree of a search with zoom, pan and folding; beside it the node that is looked at, with its board and the reason
of its value, and the steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import pygame

from ai.explain.explorer import SPEEDS, Explorer
from ai.explain.prediction import Quiz
from ai.explain.tracing import Traced
from ai.search.comparison import CHOICES_OF_C, PROOF, SAMPLED
from ui.board.looks import board_view
from ui.board.pictures import Thumbnails
from ui.board.view import BoardView, Marks
from ui.learn.search_words import c_text, cut_sentence, node_sentences, node_title
from ui.learn.tree_painter import BOARD, COLUMN, LEVEL, ROW, NodeBoards, TreePainter
from ui.learn.tree_plan import Plan, plan
from ui.parts.board_part import board_frame
from ui.parts.header import open_menu
from ui.toolkit.art import clipped, rounded
from ui.toolkit.camera import Camera
from ui.toolkit.canvas import SurfaceCanvas
from ui.toolkit.controls import Slider
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.typesetting import LINE, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import MenuEntry, Part
from ui.words.numbers import whole_text

_NOTCH = 1.15  # zoom of a notch of the wheel
_TWICE = 350  # milliseconds between the clicks of a double click
_CLICK = 5  # design pixels that a pointer may move in a click
_FIT, _STRETCH = 1.1, 2.2  # the zoom of a small tree, and how far it is stretched downwards
_READABLE = 30  # design pixels of a board
_BADGE = 16  # design pixels: room for the number of nodes that are folded
_TOOL = 30  # design pixels


class SearchTree(Part):
    """The tree as far as `explorer` has unfolded it, with zoom and pan."""

    def __init__(self, host: Host, widgets: Widgets, explorer: Explorer) -> None:
        self._host, self._widgets, self.explorer = host, widgets, explorer
        self.thumbnails = Thumbnails(host)
        self.camera = Camera(0.06, 3.0)
        self.painter, self._boards = TreePainter(explorer, self.camera), NodeBoards(explorer, self.thumbnails)
        self._plan = Plan()
        self._planned: int | None = None  # the revision that it shows
        self._fitted: Traced | None = None  # the search that was seen whole
        self._whole = True  # whether nobody has moved or zoomed since the whole tree was seen
        self._held: tuple[int, int] | None = None  # where the pointer was pressed
        self._moved: bool  # whether it has moved since
        self._clicked = (-1, 0)  # the node, and when
        self._now = 0.0
        self.bindings = (
            Binding(("=",), partial(self._magnify, 2), "search.zoom_in"),
            Binding(("-",), partial(self._magnify, -2), "search.zoom_out"),
            Binding(("0",), self.see_all, "search.fit", menu="search.fit"),
        )

    # Layout.

    def build(self, space: Space) -> None:
        """Take all the space, zoom to the whole tree, and put the three buttons of the zoom at the top right."""
        px = self._host.theme.px
        self.rect = space.rest.copy()
        self.camera.view = self.rect.inflate(-px(4), -px(4))
        self._planned = None
        self._lay_out()
        self._fit()
        tools = Space(self.rect.inflate(-2 * px(6), -2 * px(6)))
        tools = Space(tools.right(px(_TOOL)), px(4))
        self._tools = pygame.Rect(tools.rest.topleft, (px(_TOOL), 3 * px(_TOOL) + 2 * px(4)))
        names = (("zoom_in", "plus"), ("zoom_out", "minus"), ("fit", "square"))
        for (name, icon), binding in zip(names, self.bindings, strict=True):
            place, tip = tools.top(px(_TOOL)), t(f"search.{name}")
            self._widgets.button(name, place, "", binding, style="@icon", icon=icon, tip=tip)

    def _lay_out(self) -> None:
        """Lay out the nodes anew if the search has changed, and move the camera to what is new."""
        if self._planned != self.explorer.revision:
            self._planned, before = self.explorer.revision, (self._plan.width, self._plan.height)
            self._plan = plan(self.explorer)
            self.painter.set_plan(self._host.theme, self._plan)
            grown = self.explorer.at is not None and before != (self._plan.width, self._plan.height)
            if grown and self._whole:  # the tree grows with the steps
                self._fit()
            if self._fitted is not self.explorer.tracing or (self._whole and self.explorer.node == self.explorer.root):
                self._fit()
            elif self.explorer.node in self._plan.places:
                if self.camera.zoom * BOARD < self._host.theme.px(_READABLE) and self.explorer.node != self._clicked[0]:
                    self._zoom_to(self.explorer.node)
                around = self.painter.node_rect(self.explorer.node).inflate(*(2 * [self._host.theme.px(48)]))
                self.camera.reveal(around, self._now, self._host.motion)

    def _fit(self) -> None:
        """Zoom so that the whole tree is visible, with room for the names of its levels and the counts of folded nodes.
        """
        scale, view = self._host.theme.scale, self.camera.view
        left, below = self._host.theme.px(LEVEL), self._host.theme.px(_BADGE)
        self.camera.view = pygame.Rect(view.left + left, view.top, view.width - 2 * left, view.height - below)
        self.camera.fit(self._plan.width * COLUMN, self._plan.height * ROW, _FIT * scale, _STRETCH)
        self.camera.x += left
        self.camera.view = view
        self._fitted, self._whole = self.explorer.tracing, True

    def _zoom_to(self, node: int) -> None:
        """Zoom around a node so far that boards can just be read."""
        middle = self.painter.node_rect(node).center
        self._zoom(self._host.theme.px(_READABLE) / (self.camera.zoom * BOARD), middle)

    # Time.

    def open(self) -> None:
        """Start the search again if it was stopped before it had a result, and lay out its tree."""
        self.explorer.resume()
        self._lay_out()

    def update(self, now: float) -> None:
        """Take over what the search has sent or the replay has come to, lay it out, move the camera, and make pictures
        of positions for a moment."""
        self._now = now
        self.explorer.update(now)
        self._lay_out()
        self.camera.update(now)
        self.thumbnails.work()

    def wake(self, now: float) -> float | None:
        """Return 0 while the camera moves or pictures are to be made, else the seconds until the replay's next step;
        None if it is paused."""
        return 0.0 if self.camera.gliding or self.thumbnails.busy else self.explorer.wake(now)

    def close(self) -> None:
        """Stop the search and the replay; the tree stays."""
        self.explorer.close()

    # The picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the nodes in view and the names of the levels, clipped to the part, and a background for the buttons."""
        theme, palette = self._host.theme, self._host.theme.palette
        rounded(surface, self.rect, palette.background, theme.px(8), palette.line)
        with clipped(surface, self.camera.view):
            canvas = SurfaceCanvas(surface, theme)
            self.painter.draw(canvas, partial(self._boards.draw, surface, theme))
            self.painter.draw_levels(canvas, self.rect.left + theme.px(6))
            self._draw_tools(surface)

    def _draw_tools(self, surface: pygame.Surface) -> None:
        """Draw a background below the buttons where the tree reaches them."""
        theme = self._host.theme
        if any(self.painter.node_rect(node).colliderect(self._tools) for node in self._plan.places):
            rounded(surface, self._tools, theme.palette.panel, theme.px(8), theme.palette.line)

    def hint(self) -> str:
        """What there is to say of the node under the pointer, or of the moves that are not shown there."""
        pointed = self.explorer.pointed
        if pointed is not None:
            return " ".join(node_sentences(self.explorer, pointed)[-1:])
        stub = None if self._widgets.hovered else self.painter.stub_at(pygame.mouse.get_pos())
        if stub is None:
            return ""
        return t("search.more", count=stub.count) if stub.hidden else cut_sentence(self.explorer, stub.node)

    def status(self) -> str:
        """Say how the mouse drags, zooms, chooses and folds."""
        return t("search.tree_help")

    def places(self) -> dict[str, tuple[int, int]]:
        """The middle of each node in view, as ``node.0`` and so on."""
        seen = {f"node.{node}": self.painter.node_rect(node).center for node in self._plan.places}
        return {name: place for name, place in seen.items() if self.camera.view.collidepoint(place)}

    # The mouse.

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle the mouse only: drag with the left button to pan, click a node to look at it, and turn the wheel to
        zoom."""
        if event.type == pygame.MOUSEMOTION:
            return self._point(event)
        if event.type == pygame.MOUSEBUTTONUP and self._held is not None:
            self._held, moved = None, self._moved
            if not moved:
                self._click(event.pos)
            return True
        if event.type == pygame.MOUSEWHEEL and self.rect.collidepoint(pygame.mouse.get_pos()):
            self._zoom(_NOTCH**event.y, pygame.mouse.get_pos())
            return True
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT
        if pressed and self.rect.collidepoint(event.pos):
            self._widgets.leave_focus()
            self._held, self._moved = event.pos, False
            return True
        return False

    def _point(self, event: pygame.event.Event) -> bool:
        """Note the node under the pointer or, with the button held, drag the tree. Return whether the button is held.
        """
        if self._held is None:
            inside = self.rect.collidepoint(event.pos)
            self.explorer.pointed = self.painter.node_at(event.pos) if inside else None
            return False
        far = pygame.Vector2(event.pos).distance_to(self._held) > self._host.theme.px(_CLICK)
        self._moved = self._moved or far
        if self._moved:
            self._whole = False
            self.camera.move(*event.rel)
            self.camera.keep_in_view(self._plan.width * COLUMN, self._plan.height * ROW)
        return True

    def _zoom(self, factor: float, pixel: tuple[int, int]) -> None:
        """Zoom by `factor` around `pixel`."""
        self._whole = False
        self.camera.zoom_by(factor, pixel)

    def _click(self, pixel: tuple[int, int]) -> None:
        """Look at the node at `pixel`, or fold it at a double click; show all children at a sign for hidden ones."""
        node, stub = self.painter.node_at(pixel), self.painter.stub_at(pixel)
        if node is None:
            if stub is not None and stub.hidden:
                self.explorer.widen(stub.node)
            return
        now, (before, since) = pygame.time.get_ticks(), self._clicked
        self._clicked = (node, now)
        if before == node and now - since < _TWICE:
            self.explorer.fold(node)
        else:
            self.explorer.look_at(node)

    # Actions.

    def _magnify(self, notches: int) -> None:
        """Zoom in by so many notches of the wheel, around the middle; out if negative."""
        self._zoom(_NOTCH**notches, self.camera.view.center)

    def see_all(self) -> None:
        """Zoom so that all unfolded nodes are visible."""
        self._lay_out()
        self._fit()


# The keys that go through a search tree and fold it.


class TreeKeys(Part):
    """The keys that move through the tree of `explorer`, and fold it."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self.bindings = (
            Binding(("up",), partial(explorer.go_near, 0, -1), "keys.search_parent"),
            Binding(("down",), partial(explorer.go_near, 0, 1), "keys.search_child"),
            Binding(("shift+left",), partial(explorer.go_near, -1, 0), "keys.search_left"),
            Binding(("shift+right",), partial(explorer.go_near, 1, 0), "keys.search_right"),
            Binding(("return",), self._fold, "keys.search_fold"),
            Binding(("v",), explorer.follow_line, "search.line", menu="search.line"),
            Binding(("backspace",), explorer.reset_folds, "search.fold_all", menu="search.fold_all"),
        )

    def _fold(self) -> None:
        """Fold the node that is looked at, or unfold it."""
        self._explorer.fold(self._explorer.node)


# The node that is looked at.


_TITLE, _LEAST_BOARD = 24, 96  # design pixels
_LINES = 7  # lines that the sentences take at most


class SearchNode(Part):
    """The node under the pointer, or else the one that is looked at: its board, and what there is to say of it."""

    def __init__(self, host: Host, explorer: Explorer) -> None:
        self._host, self._explorer = host, explorer
        self._view: BoardView | None = None
        self._title: pygame.Rect
        self._texts: pygame.Rect

    @property
    def _node(self) -> int:
        """The node under the pointer, or else the one that is looked at."""
        pointed, explorer = self._explorer.pointed, self._explorer
        return explorer.node if pointed is None or pointed >= len(explorer.trace) else pointed

    def shape(self) -> object:
        """What the layout depends on: the set-up of the game, which decides on the board; None for a tree of
        numbers."""
        return self._explorer.subject.setup

    def build(self, space: Space) -> None:
        """Give the board the room that the texts leave; no board if that is too small."""
        px, setup = self._host.theme.px, self._explorer.subject.setup
        rest = Space(space.rest, px(8))
        side = min(rest.rest.width, rest.rest.height - px(_TITLE + _LINES * LINE))
        self._view = board_view(setup.game) if setup is not None and side >= px(_LEAST_BOARD) else None
        if self._view is not None:
            self._view.place(board_frame(self._host, rest.top(side)))
        self._title, self._texts = rest.top(px(_TITLE)), rest.rest

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the position of the node, its title, and as many sentences on it as fit as a whole."""
        explorer, theme, node = self._explorer, self._host.theme, self._node
        if self._view is not None:
            self._view.show(explorer.position(node), explorer.moves(node), now)
            self._view.draw(surface, Marks(veil=False, coordinates=self._host.settings.coordinates), now)
        space = Space(self._texts)
        for number, sentence in enumerate(node_sentences(explorer, node)):
            lines = wrapped(theme, sentence, self._texts.width, 14)
            if space.rest.height < len(lines) * theme.px(LINE):
                return  # half a sentence may say the opposite
            if not number:
                write(surface, theme, node_title(explorer, node), self._title, 16, bold=True)
            for line in lines:
                write(surface, theme, line, space.top(theme.px(LINE)), 14)


# The steps of a search: the slider and the buttons that go through them.


_BUTTON, _SLIDER, _LINE, _C = 36, 24, 24, 88  # design pixels
_MANY = 10  # steps


class SearchSteps(Part):
    """The slider and the buttons that go through the steps of a search, at the bottom of the space; nothing for a
    search without steps."""

    def __init__(self, host: Host, widgets: Widgets, quiz: Quiz) -> None:
        self._host, self._widgets, self._quiz, self._explorer = host, widgets, quiz, quiz.explorer
        self._slider: Slider | None = None
        self.bindings = (
            Binding(("left",), partial(self._move, self._explorer.step, -1), "search.back"),
            Binding(("right",), partial(self._move, quiz.forward), "search.forward"),
            Binding(("ctrl+left",), partial(self._move, self._explorer.step, -_MANY), "search.back_many"),
            Binding(("ctrl+right",), partial(self._move, self._explorer.step, _MANY), "search.forward_many"),
            Binding(("home",), partial(self._move, self._explorer.go, 0), "search.first"),
            Binding(("end",), partial(self._move, self._explorer.go, None), "search.last"),
            Binding(("space",), self._play, "search.play"),
        )

    def shape(self) -> object:
        """What the layout depends on: whether steps are being played, whether the search has steps, and its
        settings."""
        return self._explorer.playing, self._explorer.by_steps, self._explorer.choice

    def build(self, space: Space) -> None:
        """Take from the bottom a row of buttons (first, back, play or pause, forward, last), the slider, and a line
        with the step shown, for a sampled search with the button of its constant c."""
        self._slider = None
        if not self._explorer.by_steps:
            return
        px, playing = self._host.theme.px, self._explorer.playing
        rects = columns(space.bottom(px(_BUTTON)), 5, px(8))
        back, forward, _, _, first, last, play = self.bindings
        for place, (name, icon, binding) in zip(rects, (
            ("first", "first", first), ("step_back", "back", back), ("play", "pause" if playing else "play", play),
            ("forward", "forward", forward), ("last", "last", last),
        ), strict=True):  # fmt: skip
            tip = t("search.pause" if name == "play" and playing else f"search.{name.removeprefix('step_')}")
            self._widgets.button(name, place, "", binding, icon=icon, tip=tip)
        slider = Slider(self._host.theme, space.bottom(px(_SLIDER)), 0, 0, self._go)
        slider.label = t("reader.step")
        self._slider = self._widgets.add("step", slider)
        self.update(0.0)
        choice = self._explorer.choice
        row = Space(space.bottom(px(_BUTTON if choice.key in SAMPLED else _LINE)), px(8))
        if choice.key in SAMPLED:
            place = row.right(px(_C))
            text, tip = f"c = {choice.c:g}", t("search.c_choice")
            self._widgets.button("c", place, text, self._choose_c, style="@quiet", tip=tip)
        self._widgets.label(row.rest, self._step_text, 14, self._host.theme.palette.quiet)

    def _go(self, step: int) -> None:
        """Pause and go to `step`; the last one shows the whole search."""
        self._explorer.playing = False
        self._explorer.go(step if step < self._explorer.steps.last else None)

    def update(self, now: float) -> None:
        """Move the slider to the step shown, unless the mouse holds it. `now` is unused."""
        if self._slider is not None and not self._slider.held:
            self._slider.most = self._quiz.last
            self._slider.value = min(self._explorer.shown, self._slider.most)

    def _step_text(self) -> str:
        """Return which step is shown, as text."""
        explorer, last = self._explorer, self._explorer.steps.last + 1
        if explorer.at is None:
            return t("search.last")
        if self._quiz.on and explorer.asks:  # how many steps there are would tell how much is cut
            return t("search.step_alone", step=whole_text(explorer.at + 1))
        if explorer.choice.key == PROOF:  # round 0 is the root alone
            return t("search.round", step=whole_text(explorer.at), last=whole_text(last - 1))
        key = "search.visit" if explorer.choice.grows else "search.step"
        return t(key, step=whole_text(explorer.at + 1), last=whole_text(last))

    def _move(self, move: Callable[..., object], *where: int | None) -> bool:
        """Pause and call `move` with `where`. Return False, and do nothing, for a search without steps."""
        if self._explorer.by_steps:
            self._explorer.playing = False
            move(*where)
        return self._explorer.by_steps

    def entries(self) -> Sequence[MenuEntry]:
        """Offer the speed of the replay and, for a sampled search, its constant c; nothing for a search without
        steps."""
        if not self._explorer.by_steps:
            return ()
        speed = MenuEntry("speed", t("search.speed_choice", speed=self._explorer.speed), self._choose_speed)
        choice = self._explorer.choice
        return (speed, MenuEntry("c", c_text(choice.c), self._choose_c)) if choice.key in SAMPLED else (speed,)

    def _choose_c(self) -> None:
        """Open the menu of how much a Monte Carlo tree search explores."""
        choice, choose = self._explorer.choice, self._explorer.choose
        entries = [MenuEntry(f"{c:g}", c_text(c), partial(choose, replace(choice, c=c))) for c in CHOICES_OF_C]
        open_menu(self._host, self._widgets.elements["c"].rect, entries, f"{choice.c:g}")

    def _choose_speed(self) -> None:
        """Open the menu of the speed at which steps are played."""
        entries = [MenuEntry(str(each), t("search.speed", speed=each), partial(setattr, self._explorer, "speed", each))
                   for each in SPEEDS]  # fmt: skip
        open_menu(self._host, self._widgets.elements["menu"].rect, entries, str(self._explorer.speed))

    def _play(self) -> bool:
        """Play the steps from the one shown, or pause; from the end, begin again. Return False for a search without
        steps."""
        if self._explorer.by_steps:
            self._explorer.play(time.monotonic())
        return self._explorer.by_steps
