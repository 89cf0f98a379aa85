"""What a review says of the move that led to the cursor, with the better line."""

from __future__ import annotations

from dataclasses import replace

import pygame

from ai.review.judgement import Judged
from ai.review.kinds import MISTAKES
from games.record import Node
from ui.board.registry import look
from ui.board.view import Marks
from ui.game.study import Study
from ui.host import Host
from ui.part import Part
from ui.parts.move_line import ROW, MoveLine
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import LINE, width_of, wrapped, write, write_paragraph
from ui.toolkit.widgets import Widgets
from ui.words import review as words

ABOUT = 4
"""Lines about a move, as a rule: its judgement, its figures, and why it is a mistake."""

_BADGE = 18
_GHOSTS = 7  # moves of a better line that the board shows at once, unless it wins


class JudgedMove(Part):
    """Fills the space."""

    def __init__(self, host: Host, widgets: Widgets, state: Study) -> None:
        self._host, self._widgets, self._state, self._reviewer = host, widgets, state, state.reviewer
        self.summed_up = True
        """Whether there is room to sum up the game at its beginning."""
        self._room = self._about = self._rest = pygame.Rect(0, 0, 0, 0)
        self._line: MoveLine | None = None
        self._refutation: MoveLine | None = None
        self._why = ""
        self._shown: tuple[object, ...] = ()  # what the line was made of

    def build(self, space: Space) -> None:
        self._room = space.rest
        self._shown, self._line, self._refutation = (), None, None
        self.update(0.0)

    def update(self, now: float) -> None:
        judged = self._judged
        if self._shown != (judged,):
            self._shown = (judged,)
            self._why = "" if judged is None else words.why_text(judged)
            self._divide()
            self._build_line(judged)

    def _divide(self) -> None:
        """Give the text the room that it needs, the lines of moves the rest; the board shows them, too."""
        theme, space = self._host.theme, Space(self._room, 0)
        px, high = theme.px, self._room.height
        needed = 1 + len(wrapped(theme, self._why, self._room.width, 14))
        lines = max(min(ABOUT, (high - px(ROW)) // px(LINE)), min(needed, high // px(LINE)))
        self._about, self._rest = space.top(px(lines * LINE)), space.rest

    def _build_line(self, judged: Judged | None) -> None:
        self._line = self._refutation = None
        self._widgets.remove("line")
        self._widgets.remove("refutation")
        if judged is not None and judged.line and self._rest.height >= self._host.theme.px(ROW):
            better = judged.best != judged.move and judged.kind not in ("best", "only_move")
            label = t("review.better", line="").strip() if better else t("review.follow_up")
            refutation, theme, space = words.refutation(judged), self._host.theme, Space(self._rest, 0)
            room = space.rest.height // theme.px(ROW)
            known = judged.node.evaluation
            shorter = 1 if known is not None and known.mate is not None else 2  # a winning line is shown to its end
            rows = max(1, min(shorter, room - 1)) if refutation and room > 1 else room
            place = space.top(theme.px(rows * ROW))
            line = MoveLine(theme, place, judged.before.position, judged.line, self._play_line, label)
            self._line = self._widgets.add("line", line)
            if refutation and room > 1:
                below = pygame.Rect(place.left, line.rect.bottom, place.width, self._rest.bottom - line.rect.bottom)
                label, after = t("review.refuted", line="").strip(), judged.node.position
                self._refutation = self._widgets.add(
                    "refutation", MoveLine(theme, below, after, refutation, self._play_refutation, label)
                )

    def _play_line(self, count: int) -> None:
        judged = self._judged
        if judged is not None:
            self._state.play_line(judged.before, judged.line[:count])

    def _play_refutation(self, count: int) -> None:
        if self._judged is not None and self._refutation is not None:
            self._state.play_line(self._judged.node, self._refutation.moves[:count])

    @property
    def _judged(self) -> Judged | None:
        return self._reviewer.judged.get(self._state.record.cursor)

    @property
    def _pointed(self) -> int:
        """How many moves of the line are pointed at."""
        return self._line.pointed if self._line is not None else 0

    @property
    def _refuted(self) -> tuple[int, ...]:
        """The moves of the refutation up to the one that is pointed at."""
        return self._refutation.moves[: self._refutation.pointed] if self._refutation is not None else ()

    # The board.

    def view_of(self, node: Node) -> Node:
        """The position before a mistake, and before a move whose line is pointed at."""
        judged = self._reviewer.judged.get(node)
        if judged is None or node.parent is None or self._refuted:
            return node
        return node.parent if judged.kind in MISTAKES or self._pointed else node

    def marks(self, marks: Marks) -> Marks:
        node, judged = self._state.record.cursor, self._judged
        if judged is None:
            return marks
        decided = words.decided_at(judged)
        if self._refuted:
            return replace(marks, candidates=(), line=self._refuted, decided=decided)
        if self.view_of(node) is node:
            doubtful = judged.kind == "inaccuracy"
            return replace(marks, wrong=judged.move, sign=words.SIGNS[judged.kind]) if doubtful else marks
        line = judged.line[: self._pointed]
        if judged.kind not in MISTAKES:
            return replace(marks, candidates=(), line=line)
        line = line or words.better_line(judged, _GHOSTS)
        wrong, sign = None if judged.move in line else judged.move, words.SIGNS[judged.kind]
        return replace(marks, candidates=(), line=line, wrong=wrong, sign=sign, decided=decided)

    # The picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        judged = self._judged
        if judged is not None:
            self._draw_judged(surface, judged)
            return
        write_paragraph(surface, self._host.theme, self._summary(), self._about)

    def _summary(self) -> str:
        if self._state.record.cursor.parent is not None:
            return t("review.not_reviewed") if not self._reviewer.busy else ""
        if self._reviewer.state != "over" or not self.summed_up:
            return ""
        count = sum(kind in MISTAKES for kind in self._reviewer.kinds.values())
        return t("review.found", count=count) if count else t("review.no_mistakes")

    def _draw_judged(self, surface: pygame.Surface, judged: Judged) -> None:
        theme, game = self._host.theme, self._state.record.setup.game
        px, colour = theme.px, words.kind_colour(judged.kind, theme.palette.key)
        space = Space(self._about, 0)
        head = Space(space.top(px(LINE)), px(8))
        kind = words.signed_name(judged.kind)
        write(surface, theme, kind, head.right(width_of(theme, kind, 16, True)), 16, colour, bold=True, align="right")
        look(game).badge(surface, theme, head.left(px(_BADGE)), judged.side)
        write(surface, theme, words.numbered_move(judged), head.rest, 16)
        why = wrapped(theme, self._why, self._about.width, 14)
        if (len(why) + 1) * px(LINE) <= space.rest.height:
            write(surface, theme, words.figures(judged), space.top(px(LINE)), 14, theme.palette.quiet)
        write_paragraph(surface, theme, self._why, space.rest, theme.palette.text, space.rest.height // px(LINE))
