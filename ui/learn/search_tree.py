"""The tree of a search, drawn: zoom and pan, fold, and look at its nodes."""

from __future__ import annotations

from functools import partial

import pygame

from ai.explain.explorer import Explorer
from ai.explain.prediction import Prediction, Quiz
from ai.explain.tracing import Traced
from ui.board.pictures import Thumbnails
from ui.learn.search_words import cut_sentence, node_sentences, node_title, side_text, value_text
from ui.learn.tree_painter import BOARD, COLUMN, LEVEL, ROW, NodeBoards, TreePainter
from ui.learn.tree_plan import Plan, plan
from ui.toolkit.art import clipped, rounded
from ui.toolkit.camera import Camera
from ui.toolkit.canvas import SurfaceCanvas
from ui.toolkit.i18n import joined, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.theme import Colour
from ui.toolkit.typesetting import LINE, wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part
from ui.words.move_words import move_name

# Predict, then reveal: the reader is asked for a value, a best move or a cut before the search shows it.


_KEY_BUTTON = 34  # design pixels


class Predict(Part):
    """The questions of `quiz`, at the bottom of the space while it is on."""

    def __init__(self, host: Host, widgets: Widgets, quiz: Quiz) -> None:
        self._host, self._widgets, self._quiz, self._explorer = host, widgets, quiz, quiz.explorer
        self.bindings = (
            Binding(("g",), self._predict, "keys.search_predict", menu="search.predict"),
            *(Binding((str(option + 1),), partial(self._answer, option), "lesson.answer") for option in range(4)),
        )

    def shape(self) -> object:
        return self._shown, self._quiz.asked, self._quiz.count

    @property
    def _shown(self) -> bool:
        return self._quiz.on and self._explorer.asks

    def build(self, space: Space) -> None:
        if not self._shown:
            return
        theme, px, asked = self._host.theme, self._host.theme.px, self._quiz.asked
        if asked is not None:
            rects = columns(space.bottom(px(_KEY_BUTTON)), len(asked.options), px(6))
            for number, (rect, option) in enumerate(zip(rects, asked.options, strict=True), 1):
                answer = partial(self._quiz.answer, option)
                self._widgets.button(f"guess.{number}", rect, self._option(asked, option), answer)
        text = Space(space.bottom(2 * px(LINE)), 0)
        lines = wrapped(theme, self._sentence(), text.rest.width, 14)[:2]
        self._widgets.lines(text, lines, px(LINE), 14, self._colour, bold=True)

    @property
    def _colour(self) -> Colour:
        palette, quiz = self._host.theme.palette, self._quiz
        if quiz.asked is not None or quiz.verdict is None:
            return palette.info
        return palette.good if quiz.verdict else palette.bad

    def update(self, now: float) -> None:
        self._quiz.update()

    def _sentence(self) -> str:
        """The question, or whether the answer was right, with the score of the quiz."""
        quiz, asked = self._quiz, self._quiz.asked
        if asked is not None:
            side = side_text(self._explorer, asked.node)
            return t(f"search.ask.{asked.kind}", node=node_title(self._explorer, asked.node), side=side)
        if quiz.verdict is None:
            return t("search.ask.begin")
        score = t("search.guessed", right=quiz.right, count=quiz.count)
        return joined((t("lesson.right" if quiz.verdict else "lesson.not_right"), score))

    def _option(self, asked: Prediction, option: int) -> str:
        if asked.kind == "cut":
            return t("search.ask.yes" if option else "search.ask.no")
        if asked.kind == "best":
            return move_name(self._explorer.subject.position, self._explorer.trace.move[option])
        return value_text(self._explorer, option)

    def _predict(self) -> bool:
        """Begin or stop asking. False where there is nothing to ask."""
        if self._explorer.asks:
            self._quiz.switch()
        return self._explorer.asks

    def _answer(self, option: int) -> bool:
        """Choose an option. False where there is none of this number."""
        asked = self._quiz.asked
        if asked is None or option >= len(asked.options):
            return False
        self._quiz.answer(asked.options[option])
        return True


_NOTCH = 1.15  # zoom of a notch of the wheel
_TWICE = 350  # milliseconds between the clicks of a double click
_CLICK = 5  # design pixels that a pointer may move in a click
_FIT, _STRETCH = 1.1, 2.2  # the zoom of a small tree, and how far it is stretched downwards
_READABLE = 30  # design pixels of a board
_BADGE = 16  # design pixels: room for the number of nodes that are folded
_BUTTON = 30


class SearchTree(Part):
    """Shows what `explorer` has unfolded."""

    def __init__(self, host: Host, widgets: Widgets, explorer: Explorer) -> None:
        self._host, self._widgets, self.explorer = host, widgets, explorer
        self.thumbnails = Thumbnails(host)
        self.camera = Camera(0.06, 3.0)
        self.painter, self._boards = TreePainter(explorer, self.camera), NodeBoards(explorer, self.thumbnails)
        self._plan, self._planned = Plan(), -1
        self._fitted: Traced | None = None  # the search that was seen whole
        self._whole = True  # whether nobody has moved or zoomed since the whole tree was seen
        self._held: tuple[int, int] | None = None  # where the pointer was pressed
        self._moved = False
        self._clicked = (-1, 0)  # the node, and when
        self._now = 0.0
        self.bindings = (
            Binding(("=",), partial(self._magnify, 2), "search.zoom_in"),
            Binding(("-",), partial(self._magnify, -2), "search.zoom_out"),
            Binding(("0",), self.see_all, "search.fit", menu="search.fit"),
        )

    # Layout.

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        self.rect = space.rest.copy()
        self.camera.view = self.rect.inflate(-px(4), -px(4))
        self._planned = -1
        self._lay_out()
        self._fit()
        tools = Space(self.rect.inflate(-2 * px(6), -2 * px(6)), 0)
        tools = Space(tools.right(px(_BUTTON)), px(4))
        self._tools = pygame.Rect(tools.rest.topleft, (px(_BUTTON), 3 * px(_BUTTON) + 2 * px(4)))
        names = (("zoom_in", "plus"), ("zoom_out", "minus"), ("fit", "square"))
        for (name, icon), binding in zip(names, self.bindings, strict=True):
            place, tip = tools.top(px(_BUTTON)), t(f"search.{name}")
            self._widgets.button(name, place, "", binding, style="@icon", icon=icon, tip=tip)

    def _lay_out(self) -> None:
        """Compute the places of the nodes anew if the search has changed, and move the camera to what is new."""
        if self._planned != self.explorer.revision:
            self._planned, before = self.explorer.revision, (self._plan.width, self._plan.height)
            self._plan = plan(self.explorer)
            self.painter.place(self._host.theme, self._plan)
            grown = self.explorer.at is not None and before != (self._plan.width, self._plan.height)
            if grown and self._whole:  # the tree grows with the steps
                self._fit()
            if self._fitted is not self.explorer.tracing or (self._whole and self.explorer.node == self.explorer.root):
                self._fit()
            elif self.explorer.node in self._plan.places:
                if self.camera.zoom * BOARD < self._host.theme.px(_READABLE) and self.explorer.node != self._clicked[0]:
                    self._see(self.explorer.node)
                around = self.painter.node_rect(self.explorer.node).inflate(*(2 * [self._host.theme.px(48)]))
                self.camera.reveal(around, self._now, self._host.motion)

    def _fit(self) -> None:
        """See the whole tree, beside the names of its levels and above what is folded in its last row."""
        scale, view = self._host.theme.scale, self.camera.view
        left, below = self._host.theme.px(LEVEL), self._host.theme.px(_BADGE)
        self.camera.view = pygame.Rect(view.left + left, view.top, view.width - 2 * left, view.height - below)
        self.camera.fit(self._plan.width * COLUMN, self._plan.height * ROW, _FIT * scale, _STRETCH)
        self.camera.x += left
        self.camera.view = view
        self._fitted, self._whole = self.explorer.tracing, True

    def _see(self, node: int) -> None:
        """Zoom in to a node, if boards are too small to be read."""
        middle = self.painter.node_rect(node).center
        self._zoom(self._host.theme.px(_READABLE) / (self.camera.zoom * BOARD), middle)

    # Time.

    def open(self) -> None:
        self.explorer.resume()
        self._lay_out()

    def update(self, now: float) -> None:
        self._now = now
        self.explorer.update(now)
        self._lay_out()
        self.camera.update(now)
        self.thumbnails.work()

    def wake(self, now: float) -> float | None:
        return 0.0 if self.camera.gliding or self.thumbnails.busy else self.explorer.wake(now)

    def close(self) -> None:
        self.explorer.close()

    # The picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette = self._host.theme, self._host.theme.palette
        rounded(surface, self.rect, palette.background, theme.px(8), palette.line)
        with clipped(surface, self.camera.view):
            if self._plan.places:
                canvas = SurfaceCanvas(surface, theme)
                self.painter.draw(canvas, partial(self._boards.draw, surface, theme))
                self.painter.draw_levels(canvas, self.rect.left + theme.px(6))
                self._draw_tools(surface)

    def _draw_tools(self, surface: pygame.Surface) -> None:
        """A ground below the buttons where the tree reaches them."""
        theme = self._host.theme
        if any(self.painter.node_rect(node).colliderect(self._tools) for node in self._plan.places):
            rounded(surface, self._tools, theme.palette.panel, theme.px(8), theme.palette.line)

    def hint(self) -> str:
        """What there is to say of the node under the pointer."""
        pointed = self.explorer.pointed
        if pointed is not None:
            return " ".join(node_sentences(self.explorer, pointed)[-1:])
        stub = None if self._widgets.hovered else self.painter.stub_at(pygame.mouse.get_pos())
        if stub is None:
            return ""
        return t("search.more", count=stub.count) if stub.hidden else cut_sentence(self.explorer, stub.node)

    def status(self) -> str:
        return t("search.tree_help")

    def places(self) -> dict[str, tuple[int, int]]:
        seen = {f"node.{node}": self.painter.node_rect(node).center for node in self._plan.places}
        return {name: place for name, place in seen.items() if self.camera.view.collidepoint(place)}

    # The mouse.

    def handle(self, event: pygame.event.Event) -> bool:
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
        """Note the node under the pointer, or drag the tree. Return whether it is dragged."""
        if self._held is None:
            inside = self.rect.collidepoint(event.pos)
            self.explorer.pointed = self.painter.node_at(event.pos) if inside and self._plan.places else None
            return False
        far = pygame.Vector2(event.pos).distance_to(self._held) > self._host.theme.px(_CLICK)
        self._moved = self._moved or far
        if self._moved:
            self._whole = False
            self.camera.move(*event.rel)
            self.camera.keep(self._plan.width * COLUMN, self._plan.height * ROW)
        return True

    def _zoom(self, factor: float, pixel: tuple[int, int]) -> None:
        self._whole = False
        self.camera.zoom_by(factor, pixel)

    def _click(self, pixel: tuple[int, int]) -> None:
        """Choose the node at `pixel`; fold it at a double click; widen a stub that hides nodes."""
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
        self._zoom(_NOTCH**notches, self.camera.view.center)

    def see_all(self) -> None:
        """See all that is unfolded."""
        self._lay_out()
        self._fit()
