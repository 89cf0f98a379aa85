"""The tab of the review: the course of the game, its mistakes with better lines, and another try at each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pygame

from ai.players.table import is_program, offered_players, strongest, unable
from ai.review.exercises import Deck, exercises
from ai.review.judgement import FAULTLESS, MISTAKES, Judged
from games.record import Node
from ui import screens
from ui.board.looks import look
from ui.board.view import Marks
from ui.parts.header import open_menu
from ui.parts.move_line import ROW, MoveLine
from ui.parts.move_line import ROW as LINE_ROW
from ui.parts.practice import practice_of
from ui.parts.study import Study
from ui.replay.review_course import LOWEST, TABLE, ReviewCourse
from ui.replay.tab import Tab
from ui.toolkit.art import draw_progress
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.typesetting import LINE, width_of, wrapped, write, write_paragraph
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Group, MenuEntry, Part
from ui.words import verdicts as words
from ui.words.games import seat_label, side_label
from ui.words.verdicts import legend

_BUTTON, _GAP = 36, 8  # design pixels
_LINE_ROWS = 4  # of the better line and of the refutation together


class ReviewProgress(Part):
    """The offer to begin a review, or the progress of one under way with a button to cancel or continue it, at the top
    of the space. Nothing if the review is over."""

    def __init__(self, host: Host, widgets: Widgets, state: Study) -> None:
        self._host, self._widgets, self._reviewer = host, widgets, state.reviewer
        self._progress: pygame.Rect | None = None

    def build(self, space: Space) -> None:
        """Build the offer to begin a review, or the button that cancels or continues it and the room for the progress,
        which `draw` fills; nothing once the review is over."""
        self._progress = None
        if self._reviewer.found is None and not self._reviewer.busy:
            self._build_offer(space)
        elif self._reviewer.state != "over":
            self._build_progress(space)

    def _build_offer(self, space: Space) -> None:
        """Make the text about reviews and the button that begins one."""
        px = self._host.theme.px
        about = t("review.about")
        lines = len(wrapped(self._host.theme, about, space.rest.width, 14))
        self._widgets.paragraph(space.top(lines * px(LINE)), about)
        place, start = space.top(px(_BUTTON)), self._reviewer.start
        self._widgets.button("review", place, t("review.start"), start, style="@primary")

    def _build_progress(self, space: Space) -> None:
        """Make the button that cancels or continues the review, and leave room for the progress."""
        px, reviewer = self._host.theme.px, self._reviewer
        row = Space(space.top(px(_BUTTON)), px(_GAP))
        name, action = ("cancel", reviewer.cancel) if reviewer.busy else ("continue", reviewer.start)
        text = t(f"review.{name}")
        wide = width_of(self._host.theme, text, 16) + px(28)
        self._widgets.button(f"review.{name}", row.right(wide), text, action)
        self._progress = row.rest

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Write how far the review is, in the colour of errors if it has failed, and draw its progress bar; nothing
        without a review under way."""
        theme, reviewer = self._host.theme, self._reviewer
        palette, px = theme.palette, theme.px
        if self._progress is not None:
            text = t(f"review.state.{reviewer.state}", percent=round(100 * reviewer.share))
            upper = pygame.Rect(self._progress.left, self._progress.top, self._progress.width, px(LINE))
            write(surface, theme, text, upper, 14, palette.bad if reviewer.state == "failed" else palette.quiet)
            bar = pygame.Rect(self._progress.left, upper.bottom + px(4), self._progress.width, px(6))
            draw_progress(surface, palette, bar, reviewer.share)


class Mistakes(Part):
    """Buttons at the bottom of the space that go from mistake to mistake and open exercises, which lead back to
    `owner`. The menu offers the choice of the reviewer, and to collect a side's mistakes as exercises."""

    def __init__(self, host: Host, widgets: Widgets, state: Study, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self._reviewer = state.reviewer
        self._shown: tuple[object, ...] = ()  # what the buttons were enabled for
        self.bindings = (
            Binding(("pagedown",), partial(self._go_to_mistake, 1), "keys.next_mistake"),
            Binding(("pageup",), partial(self._go_to_mistake, -1), "keys.previous_mistake"),
            Binding(("r",), self._try_again, "review.try_again"),
        )

    def build(self, space: Space) -> None:
        """Build the buttons for the previous and the next mistake, and for another try, in a row at the bottom of the
        space."""
        px, button = self._host.theme.px, self._widgets.button
        row = Space(space.bottom(px(_BUTTON)), px(_GAP))
        following, previous, again = self.bindings
        button("previous_mistake", row.left(px(_BUTTON)), "", previous, icon="back", tip=t("keys.previous_mistake"))
        left, right = columns(row.rest, 2, px(_GAP))
        button("next_mistake", left, t("keys.next_mistake"), following)
        button("try_again", right, t("review.try_again"), again, tip=t("keys.try_again"))
        self._shown = ()
        self.update(0.0)

    def update(self, now: float) -> None:
        """Enable the buttons for which there is a mistake, whenever the cursor or the number of judged moves has
        changed."""
        node, judged = self._state.record.cursor, self._reviewer.judged
        if self._shown != (node, len(judged)):
            self._shown = node, len(judged)
            for name, step in (("next_mistake", 1), ("previous_mistake", -1)):
                self._widgets.enable(name, self._reviewer.mistake(node, step) is not None)
            self._widgets.enable("try_again", node in judged)

    def _go_to_mistake(self, step: int) -> None:
        """Go to the next mistake (`step` 1) or the previous one (-1). Without a review, say that one is needed
        first."""
        found = self._reviewer.mistake(self._state.record.cursor, step)
        if found is not None:
            self._state.go(found.node)
        elif self._reviewer.found is None:
            self._host.say(t("review.first"))

    def _try_again(self) -> None:
        """Open exercises: the position before the move at the cursor, and those before the same side's other
        mistakes."""
        judged = self._reviewer.judged.get(self._state.record.cursor)
        if judged is not None:
            record, names = self._state.record, self._host.settings.own_names
            practice = practice_of(record, self._reviewer.judged.values(), [judged.side], names, judged)
            if not practice.whose:  # the answers are kept, so the game is, too
                self._state.learned(worth_a_copy=True)
            self._host.open(screens.mistakes, practice, back=self._owner)

    def entries(self) -> Sequence[MenuEntry]:
        """Offer the choice of the reviewer, where there are several, and after a review the collection of mistakes as
        exercises."""
        found = [MenuEntry("reviewer", t("review.by"), self._choose_reviewer)] if len(self._players) > 1 else []
        if self._reviewer.state == "over":
            found.append(MenuEntry("collect", t("review.collect"), self._choose_sides))
        return found

    @property
    def _players(self) -> tuple[str, ...]:
        """The players that can review: the strongest one, and the external programs that play by the rule."""
        of = self._state.record.setup
        programs = (name for name in offered_players(of.game) if is_program(name) and not unable(name, of.rule))
        return strongest(of.game), *programs

    def _choose_reviewer(self) -> None:
        """Open a menu of the players that can review."""
        game = self._state.record.setup.game
        entries = [
            MenuEntry(name, seat_label(game, name), partial(self._reviewer.review_by, name)) for name in self._players
        ]
        open_menu(self._host, self._widgets.elements["menu"].rect, entries, self._reviewer.player)

    def _choose_sides(self) -> None:
        """Open a menu to choose whose mistakes are added to the exercises."""
        record = self._state.record
        texts = [t("mistakes.title_of", name=side_label(record, side)) for side in (0, 1)]
        entries = [
            *(
                MenuEntry(f"side.{side}", text, partial(self._add_exercises, (side,)))
                for side, text in enumerate(texts)
            ),
            MenuEntry("sides", t("review.collect_both"), partial(self._add_exercises, (0, 1))),
        ]
        open_menu(self._host, self._widgets.elements["menu"].rect, entries)

    def _add_exercises(self, sides: tuple[int, ...]) -> None:
        """Add the mistakes of `sides` to the exercises, and say how many there are."""
        found = exercises(self._state.record, self._reviewer.judged.values(), sides)
        try:
            Deck().add(found)
        except OSError as error:
            self._host.say(str(error.strerror), "bad")
            return
        if found:
            self._state.learned(worth_a_copy=True)
        self._host.say(t("review.collected", count=len(found)) if found else t("review.no_mistakes"))


class ReviewTab(Tab):
    """The tab of the review. At a mistake the board shows the position before it, with the mistake struck out and the
    better line. Exercises lead back to `owner`."""

    name = "review"

    def __init__(self, host: Host, widgets: Widgets, state: Study, owner: Content) -> None:
        self._host, self._state, self._reviewer = host, state, state.reviewer
        self._progress = ReviewProgress(host, widgets, state)
        self._course = ReviewCourse(host, widgets, state)
        self._move = JudgedMove(host, widgets, state)
        self._mistakes = Mistakes(host, widgets, state, owner)
        self._contents = Group((self._course, self._move, self._mistakes))
        self._unseen = True  # until the first update, when what the file knows is shown
        self._interrupted = False  # by another screen, and to go on when this one is shown again
        self._known_state, self._known_found = self._reviewer.state, self._reviewer.found
        self._laid_out = False  # whether the contents are

    def all_bindings(self) -> tuple[Binding, ...]:
        """Return the key bindings of the mistakes, also while nothing is laid out."""
        return self._mistakes.all_bindings()

    def key(self, event: pygame.event.Event) -> bool:
        """Let the mistakes handle the key, also while another tab is chosen."""
        return self._mistakes.key(event)

    def entries(self) -> Sequence[MenuEntry]:
        """Return the menu entries of the mistakes."""
        return self._mistakes.entries()

    def start(self) -> None:
        """Begin or continue the review."""
        self._reviewer.start()

    @property
    def _has_begun(self) -> bool:
        """Whether there are findings of a review, or one is under way."""
        return self._reviewer.found is not None or self._reviewer.busy

    def shape(self) -> object:
        """What the layout depends on: the state of the review, and whether it has begun. Findings that come later
        change no layout."""
        return self._reviewer.state, self._has_begun

    def build(self, space: Space) -> None:
        """Lay out the progress; once the review has begun, also the mistakes at the bottom, and graph, table and judged
        move above. Without enough room the table gives way."""
        px = self._host.theme.px
        space.gap = px(_GAP)
        self._progress.build(space)
        self._laid_out = self._has_begun
        if not self._laid_out:
            return
        self._mistakes.build(space)
        move = px(ABOUT * LINE + _LINE_ROWS * LINE_ROW)
        self._course.roomy = self._move.summed_up = space.rest.height >= move + px(TABLE + LOWEST) + 2 * space.gap
        others = move + space.gap + (px(TABLE) + space.gap if self._course.roomy else 0)
        self._course.highest = space.rest.height - others
        self._course.build(space)
        self._move.build(space)

    def update(self, now: float) -> None:
        """Start the review at the first frame if the file has one, continue one that another screen interrupted, and
        show and save its findings."""
        reviewer = self._reviewer
        if self._interrupted or (self._unseen and reviewer.known):
            reviewer.start()
        self._interrupted = self._unseen = False
        reviewer.update(now)
        if reviewer.state != self._known_state:
            self._known_state = reviewer.state
            self._state.revision += 1  # there may be signs beside the moves
            if reviewer.state == "over":
                self._show_loss()
        elif reviewer.state == "over" and reviewer.found is not self._known_found:
            self._state.revision += 1
        self._known_found = reviewer.found
        self._save_findings()
        if self.chosen and self._laid_out:
            self._contents.update(now)

    def _save_findings(self) -> None:
        """Save what the review has found out since the last time."""
        if self._reviewer.learned:
            self._reviewer.learned = False
            self._state.learned(worth_a_copy=self._reviewer.state == "over")

    def _show_loss(self) -> None:
        """Go from the end of the game to the move that lost it. Do nothing if the person is reading another
        position."""
        losing = self._reviewer.losing_mistake
        if losing is not None and self.chosen and self._state.record.cursor is self._reviewer.nodes[-1]:
            self._state.go(losing.node)

    def wake(self, now: float) -> float | None:
        """Return the seconds until the review has something to show; None while no review is under way."""
        return self._reviewer.wake()

    def view_of(self, node: Node) -> Node:
        """Return the node whose position the judged move wants on the board, such as the one before a mistake."""
        return self._move.view_of(node)

    def marks(self, marks: Marks) -> Marks:
        """Add the marks of the judged move, its better line or its sign, while the tab is chosen."""
        return self._move.marks(marks) if self.chosen else marks

    def hint(self) -> str:
        """Return what the graph says of the move under the pointer."""
        return self._course.hint()

    def status(self) -> str:
        """Return the legend of the signs while the tab is chosen and findings are laid out."""
        return legend() if self.chosen and self._laid_out else ""

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the progress of the review, the table of mistakes and what is said of the move; the graph and the
        buttons are widgets."""
        self._progress.draw(surface, now)
        if self._laid_out:
            self._contents.draw(surface, now)

    def close(self) -> None:
        """Cancel a review under way, to be continued when the screen is shown again, and save its findings."""
        self._interrupted = self._interrupted or self._reviewer.busy
        self._reviewer.cancel()
        self._save_findings()


# What a review says of the move that led to the cursor, with the better line.


ABOUT = 4
"""Lines about a move, as a rule: its judgement, its figures, and why it is a mistake."""

_BADGE = 18
_GHOSTS = 7  # moves of a better line that the board shows at once, unless it wins


class JudgedMove(Part):
    """What a review says of the move at the cursor, with the better line and the refutation. It fills the space."""

    def __init__(self, host: Host, widgets: Widgets, state: Study) -> None:
        self._host, self._widgets, self._state, self._reviewer = host, widgets, state, state.reviewer
        self.summed_up = True
        """Whether there is room to sum up the game at its beginning."""
        self._room = self._about = self._rest = pygame.Rect()
        self._line: MoveLine | None = None
        self._refutation: MoveLine | None = None
        self._why = ""
        self._shown: tuple[object, ...] = ()  # what the line was made of

    def build(self, space: Space) -> None:
        """Take all the space; its texts and lines are made by `update`."""
        self._room = space.rest
        self._shown, self._line, self._refutation = (), None, None
        self.update(0.0)

    def update(self, now: float) -> None:
        """Show the judgement of another move, when the cursor or the review has moved on."""
        judged = self._judged
        if self._shown != (judged,):
            self._shown = (judged,)
            self._why = "" if judged is None else words.why_text(judged)
            self._divide_room()
            self._build_line(judged)

    def _divide_room(self) -> None:
        """Give the text the room that it needs, and the lines of moves the rest."""
        theme, space = self._host.theme, Space(self._room)
        px, high = theme.px, self._room.height
        needed = 1 + len(wrapped(theme, self._why, self._room.width, 14))
        lines = max(min(ABOUT, (high - px(ROW)) // px(LINE)), min(needed, high // px(LINE)))
        self._about, self._rest = space.top(px(lines * LINE)), space.rest

    def _build_line(self, judged: Judged | None) -> None:
        """Make the widgets of the better line and the refutation of the judged move; None is a move without a
        judgement."""
        self._line = self._refutation = None
        self._widgets.remove("line")
        self._widgets.remove("refutation")
        if judged is not None and judged.line and self._rest.height >= self._host.theme.px(ROW):
            better = judged.best != judged.move and judged.kind not in FAULTLESS
            label = t("review.better", line="").strip() if better else t("review.follow_up")
            refutation, theme, space = words.refutation(judged), self._host.theme, Space(self._rest)
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
        """Play the first `count` moves of the better line."""
        judged = self._judged
        if judged is not None:
            self._state.play_line(judged.before, judged.line[:count])

    def _play_refutation(self, count: int) -> None:
        """Play the first `count` moves of the refutation."""
        if self._judged is not None and self._refutation is not None:
            self._state.play_line(self._judged.node, self._refutation.moves[:count])

    @property
    def _judged(self) -> Judged | None:
        """What the review says of the move at the cursor; None if it was not reviewed."""
        return self._reviewer.judged.get(self._state.record.cursor)

    @property
    def _pointed_count(self) -> int:
        """How many moves of the better line are before or under the pointer; 0 if it is not there."""
        return self._line.pointed if self._line is not None else 0

    @property
    def _pointed_refutation(self) -> tuple[int, ...]:
        """The moves of the refutation up to the one under the pointer; empty if the pointer is not there."""
        return self._refutation.moves[: self._refutation.pointed] if self._refutation is not None else ()

    # The board.

    def view_of(self, node: Node) -> Node:
        """Return the node before a mistake, or before a move whose better line is under the pointer; else `node`."""
        judged = self._reviewer.judged.get(node)
        if judged is None or node.parent is None or self._pointed_refutation:
            return node
        return node.parent if judged.kind in MISTAKES or self._pointed_count else node

    def marks(self, marks: Marks) -> Marks:
        """Add the line under the pointer; else at a mistake the better line with the mistake struck out, at an
        inaccuracy its sign."""
        node, judged = self._state.record.cursor, self._judged
        if judged is None:
            return marks
        decided = words.refuting_cell(judged)
        if self._pointed_refutation:
            return replace(marks, candidates=(), line=self._pointed_refutation, decided=decided)
        if self.view_of(node) is node:
            doubtful = judged.kind == "inaccuracy"
            return replace(marks, wrong=judged.move, sign=words.SIGNS[judged.kind]) if doubtful else marks
        line = judged.line[: self._pointed_count]
        if judged.kind not in MISTAKES:
            return replace(marks, candidates=(), line=line)
        line = line or words.better_line(judged, _GHOSTS)
        wrong, sign = None if judged.move in line else judged.move, words.SIGNS[judged.kind]
        return replace(marks, candidates=(), line=line, wrong=wrong, sign=sign, decided=decided)

    # The picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw what is said of the judged move; at a position without a judgement a sentence on the review, which may
        be empty."""
        judged = self._judged
        if judged is not None:
            self._draw_judged(surface, judged)
            return
        write_paragraph(surface, self._host.theme, self._summary(), self._about)

    def _summary(self) -> str:
        """Return what to say at a position without a judgement; may be empty."""
        if self._state.record.cursor.parent is not None:
            return t("review.not_reviewed") if not self._reviewer.busy else ""
        if self._reviewer.state != "over" or not self.summed_up:
            return ""
        count = sum(kind in MISTAKES for kind in self._reviewer.kinds.values())
        return t("review.found", count=count) if count else t("review.no_mistakes")

    def _draw_judged(self, surface: pygame.Surface, judged: Judged) -> None:
        """Draw the move, its kind and figures, and why it is of that kind."""
        theme, game = self._host.theme, self._state.record.setup.game
        px, colour = theme.px, words.kind_colour(judged.kind, theme.palette.key)
        space = Space(self._about)
        head = Space(space.top(px(LINE)), px(8))
        kind = words.signed_name(judged.kind)
        write(surface, theme, kind, head.right(width_of(theme, kind, 16, True)), 16, colour, bold=True, align="right")
        look(game).badge(surface, theme, head.left(px(_BADGE)), judged.side)
        write(surface, theme, words.numbered_move(judged), head.rest, 16)
        why = wrapped(theme, self._why, self._about.width, 14)
        if (len(why) + 1) * px(LINE) <= space.rest.height:
            write(surface, theme, words.figures(judged), space.top(px(LINE)), 14, theme.palette.quiet)
        write_paragraph(surface, theme, self._why, space.rest, theme.palette.text)
