"""The tab of the review: the course of the game, its mistakes with better lines, and another try at each."""

from __future__ import annotations

from dataclasses import replace

import pygame

from ai.registry import opponents
from ai.review.judgement import Judged
from ai.review.kinds import MISTAKES
from games.record import PERSON, Node, Seat, path
from ui.board.registry import look
from ui.board.view import Marks
from ui.game.reviewer import Reviewer
from ui.parts.graph import WinGraph
from ui.parts.move_line import ROW as LINE_ROW
from ui.parts.move_line import MoveLine
from ui.parts.review_table import HEIGHT as TABLE
from ui.parts.review_table import ReviewTable
from ui.parts.tab import Study, Tab
from ui.toolkit.controls import Widget
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.progress_bar import draw_progress
from ui.toolkit.text import width_of, wrapped, write
from ui.words import review as words

_BUTTON, _LINE, _BADGE, _GAP = 36, 22, 18, 8  # design pixels
_LOWEST, _HIGHEST = 48, 180  # of the graph
_GHOSTS = 7  # moves of a better line that the board shows at once


class ReviewTab(Tab):
    """At a mistake the board shows the position before it, with the mistake struck out and the better line."""

    name = "review"
    bindings = (
        Binding(("pagedown",), "do_next_mistake", "keys.next_mistake"),
        Binding(("pageup",), "do_previous_mistake", "keys.previous_mistake"),
        Binding(("r",), "do_try_again", "keys.try_again"),
    )

    def __init__(self, study: Study) -> None:
        self.study = study
        self.reviewer = Reviewer(study.host, study.record)
        self._roomy = True
        self._unseen = True  # until the first update, when what the file knows is shown
        self._interrupted = False  # by another scene, and to go on when this one is shown again
        self._graph: WinGraph | None = None
        self._line: MoveLine | None = None
        self._table: ReviewTable | None = None
        self._progress = self._about = pygame.Rect(0, 0, 0, 0)
        self._line_height = 0
        self._state = self.reviewer.state  # when it was last looked at
        self._built: tuple[object, ...] = ()  # what the layout depends on
        self._shown: tuple[object, ...] = ()  # what the widgets of the move depend on

    def start(self) -> None:
        self.reviewer.start()
        self.study.host.rebuild()

    # Layout.

    def build(self, space: Space) -> None:
        space.gap = self.study.host.theme.px(_GAP)
        self._graph = self._line = self._table = None
        self._built, self._shown = self._shape(), ()
        if self.reviewer.found is None and not self.reviewer.busy:
            self._build_offer(space)
            return
        if self.reviewer.state != "over":
            self._build_progress(space)
        self._build_buttons(space.bottom(self.study.host.theme.px(_BUTTON)))
        self._build_contents(space)
        self._refresh()

    def _shape(self) -> tuple[object, ...]:
        return self.reviewer.state, self.reviewer.found is None

    def _build_offer(self, space: Space) -> None:
        px = self.study.host.theme.px
        lines = wrapped(self.study.host.theme, t("review.about"), space.rest.width, 14)
        self._about = space.top(len(lines) * px(_LINE))
        self.study.widgets.button("review", space.top(px(_BUTTON)), t("review.start"), self.start, style="@primary")

    def _build_progress(self, space: Space) -> None:
        px = self.study.host.theme.px
        row = Space(space.top(px(_BUTTON)), px(_GAP))
        busy = self.reviewer.busy
        name, action = ("cancel", self.cancel) if busy else ("continue", self.start)
        text = t(f"review.{name}")
        wide = width_of(self.study.host.theme, text, 16) + px(28)
        self.study.widgets.button(f"review.{name}", row.right(wide), text, action)
        self._progress = row.rest

    def _build_buttons(self, rect: pygame.Rect) -> None:
        px, button = self.study.host.theme.px, self.study.widgets.button
        row = Space(rect, px(_GAP))
        tip, back = t("keys.previous_mistake"), row.left(px(_BUTTON))
        button("previous_mistake", back, "", self.do_previous_mistake, icon="back", tip=tip, key="pageup")
        following, again = columns(row.rest, 2, px(_GAP))
        button("next_mistake", following, t("keys.next_mistake"), self.do_next_mistake, key="pagedown")
        button("try_again", again, t("review.try_again"), self.do_try_again, tip=t("keys.try_again"), key="r")

    def _build_contents(self, space: Space) -> None:
        """The graph takes the room that the others leave. Where there is little, the table is shown at the beginning of
        the game, where there is no move to tell of."""
        theme, found = self.study.host.theme, self.reviewer.found
        px, move = theme.px, theme.px(2 * _LINE + 2 * LINE_ROW)
        self._roomy = space.rest.height >= move + px(TABLE + _LOWEST) + 2 * space.gap
        others = move + space.gap + (px(TABLE) + space.gap if self._roomy else 0)
        graph = space.top(max(px(_LOWEST), min(px(_HIGHEST), space.rest.height - others)))
        wins = found.wins if found else ()
        self._graph = self.study.widgets.add("graph", WinGraph(theme, graph, wins, (), self._go_to))
        table = space.top(px(TABLE)) if self._roomy else pygame.Rect(space.rest.topleft, (space.rest.width, px(TABLE)))
        self._table = ReviewTable(theme, table)
        for kind in words.GRAVEST_FIRST:
            self.study.widgets.add(f"kind.{kind}", Widget(theme, self._table.column(kind), words.kind_name(kind)))
        about = Space(space.rest, 0)
        self._about, self._line_height = about.top(px(2 * _LINE)), about.rest.height

    # Time.

    def update(self, now: float) -> None:
        if self._interrupted or (self._unseen and self.reviewer.known):
            self.reviewer.start()
        self._interrupted = self._unseen = False
        self.reviewer.update(now)
        if self.reviewer.state != self._state:
            self._state = self.reviewer.state
            self.study.revision += 1  # there may be signs beside the moves
            if self._state == "over":
                self._show_loss()
        self._save()
        if self.study.tab is self:
            if self._built != self._shape():
                self.study.host.rebuild()
            elif self._graph is not None:
                self._refresh()

    def _save(self) -> None:
        if self.reviewer.learned:
            self.reviewer.learned = False
            self.study.learned()

    def wake(self, now: float) -> float | None:
        return self.reviewer.wake()

    def _refresh(self) -> None:
        """Bring the widgets up to what is known of the move at the cursor."""
        found, node = self.reviewer.found, self.study.record.cursor
        if self._graph is not None and found is not None:
            self._graph.show(found.wins, words.dots(found))
            self._graph.at = self._number()
        judged = self._judged()
        if self._shown != (node, judged, len(self.reviewer.judged)):
            self._shown = node, judged, len(self.reviewer.judged)
            self._build_line(judged)
            for name, step in (("next_mistake", 1), ("previous_mistake", -1)):
                self.study.widgets.enable(name, self.reviewer.mistake(node, step) is not None)
            self.study.widgets.enable("try_again", judged is not None)
            for kind in words.GRAVEST_FIRST:
                self.study.widgets.enable(f"kind.{kind}", False)  # no more than a tooltip
                self.study.widgets.show(f"kind.{kind}", self._tabled())

    def _build_line(self, judged: Judged | None) -> None:
        self._line = None
        self.study.widgets.remove("line")
        if judged is not None and judged.line:
            better = judged.best != judged.move and judged.kind not in ("best", "only_move")
            label = t("review.better", line="").strip() if better else t("review.follow_up")
            rect = pygame.Rect(self._about.left, self._about.bottom, self._about.width, self._line_height)
            position, theme = judged.before.position, self.study.host.theme
            line = MoveLine(theme, rect, position, judged.line, self._play_line, label)
            self._line = self.study.widgets.add("line", line)

    def _number(self) -> int:
        """Where the cursor is in the line that was reviewed, or where it left it."""
        places = {node: number for number, node in enumerate(self.reviewer.nodes)}
        node: Node | None = self.study.record.cursor
        while node is not None and node not in places:
            node = node.parent
        return places[node] if node is not None else 0

    # The board.

    def _judged(self) -> Judged | None:
        """What is known of the move that led to the cursor."""
        return self.reviewer.judged.get(self.study.record.cursor)

    def shown(self, node: Node) -> Node:
        judged = self.reviewer.judged.get(node)
        if judged is None or node.parent is None:
            return node
        return node.parent if judged.kind in MISTAKES or (self._line is not None and self._line.pointed) else node

    def marks(self, marks: Marks) -> Marks:
        node, judged = self.study.record.cursor, self._judged()
        if self.study.tab is not self or judged is None or self.shown(node) is node:
            return marks
        pointed = self._line.pointed if self._line is not None else 0
        line = judged.line[: pointed or _GHOSTS] if judged.best != judged.move or pointed else ()
        wrong = judged.move if judged.kind in MISTAKES else None
        return replace(marks, candidates=(), line=line, wrong=wrong)

    def pointed_text(self) -> str:
        """What is known of the move under the pointer in the graph."""
        number = self._graph.pointed if self._graph is not None else None
        if number is None or number >= len(self.reviewer.nodes):
            return ""
        judged = self.reviewer.judged.get(self.reviewer.nodes[number])
        return "" if judged is None else words.judgement(judged)

    # The picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self._graph is None:
            self._draw_text(surface, self._about, t("review.about"))
            return
        if self.reviewer.state != "over":
            self._draw_progress(surface)
        judged, told = self._judged(), self._tabled()
        if judged is not None:
            self._draw_judged(surface, judged)
        elif self._roomy or not told:
            self._draw_text(surface, self._about, self._summary())
        if told and self._table is not None and self.reviewer.found is not None:
            self._table.draw(surface, self.reviewer.found)

    def _tabled(self) -> bool:
        """Whether there is room for the table."""
        return self._roomy or self.study.record.cursor.parent is None

    def _draw_text(self, surface: pygame.Surface, rect: pygame.Rect, text: str) -> None:
        theme = self.study.host.theme
        space = Space(rect, 0)
        for line in wrapped(theme, text, rect.width, 14):
            write(surface, theme, line, space.top(theme.px(_LINE)), 14, theme.palette.quiet)

    def _summary(self) -> str:
        if self.study.record.cursor.parent is not None:
            return t("review.not_reviewed") if not self.reviewer.busy else ""
        count = sum(kind in MISTAKES for kind in self.reviewer.kinds.values())
        if self.reviewer.state != "over":
            return ""
        return t("review.found", count=count) if count else t("review.no_mistakes")

    def _draw_progress(self, surface: pygame.Surface) -> None:
        theme, reviewer = self.study.host.theme, self.reviewer
        palette, px = theme.palette, theme.px
        text = t(f"review.state.{reviewer.state}", percent=round(100 * reviewer.share))
        upper = pygame.Rect(self._progress.left, self._progress.top, self._progress.width, px(_LINE))
        write(surface, theme, text, upper, 14, palette.bad if reviewer.state == "failed" else palette.quiet)
        bar = pygame.Rect(self._progress.left, upper.bottom + px(4), self._progress.width, px(6))
        draw_progress(surface, palette, bar, reviewer.share)

    def _draw_judged(self, surface: pygame.Surface, judged: Judged) -> None:
        theme, game = self.study.host.theme, self.study.record.setup.game
        px, colour = theme.px, words.kind_colour(judged.kind, theme.palette.key)
        space = Space(self._about, 0)
        head = Space(space.top(px(_LINE)), px(8))
        kind = words.signed_name(judged.kind)
        write(surface, theme, kind, head.right(width_of(theme, kind, 16, True)), 16, colour, bold=True, align="right")
        look(game).badge(surface, theme, head.left(px(_BADGE)), judged.side)
        write(surface, theme, words.numbered_move(judged), head.rest, 16)
        write(surface, theme, words.figures(judged), space.top(px(_LINE)), 14, theme.palette.quiet)

    # Actions.

    def cancel(self) -> None:
        self.reviewer.cancel()

    def _show_loss(self) -> None:
        """Go to the move that lost the game from its end, where the ending card leads; elsewhere somebody reads."""
        losing = self.reviewer.losing
        if losing is not None and self.study.tab is self and self.study.record.cursor is self.reviewer.nodes[-1]:
            self._go(losing.node)

    def _go_to(self, number: int) -> None:
        if number < len(self.reviewer.nodes):
            self._go(self.reviewer.nodes[number])

    def _go(self, node: Node) -> None:
        """To a move that was reviewed, unless it was removed since."""
        if path(node)[0] is self.study.record.root:
            self.study.go(node)

    def do_next_mistake(self) -> None:
        self._step_mistake(1)

    def do_previous_mistake(self) -> None:
        self._step_mistake(-1)

    def _step_mistake(self, step: int) -> None:
        found = self.reviewer.mistake(self.study.record.cursor, step)
        if found is not None:
            self._go(found.node)

    def _play_line(self, count: int) -> None:
        judged = self._judged()
        if judged is not None:
            self.study.play_line(judged.before, judged.line[:count])

    def do_try_again(self) -> None:
        """Play on from before the move, in place of the side that made it."""
        judged = self._judged()
        if judged is not None:
            self.study.play_from(judged.before, self._seats(judged.side))

    def _seats(self, side: int) -> tuple[Seat, Seat]:
        """A person at `side`, against the computer that played in the game, or the strongest one."""
        record = self.study.record
        own, other = record.seats[side], record.seats[1 - side]
        person = own if own.player == PERSON else Seat()
        computers = (seat for seat in (other, own) if seat.player != PERSON)
        rival = next(computers, Seat(opponents(record.setup.game).strongest))
        return (person, rival) if side == 0 else (rival, person)

    def close(self) -> None:
        self._interrupted = self._interrupted or self.reviewer.busy
        self.reviewer.cancel()
        self._save()
