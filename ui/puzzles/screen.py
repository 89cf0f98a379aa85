"""The screens of puzzles: which ones a person wants, and one that is being solved on the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

import pygame

from ai.puzzles.collection import Collection, Wish, load_progress, progress_path
from ai.puzzles.puzzle import THEMES, Puzzle
from ui import screens
from ui.board.looks import board_view
from ui.board.view import Marks
from ui.parts.board_part import BoardPart, MoveSounds
from ui.parts.form import Form
from ui.parts.header import Header, Page
from ui.parts.move_line import TASK_LINE, MoveLine, build_task, build_verdict
from ui.puzzles.own import OwnPuzzles
from ui.puzzles.state import (
    Mode,
    PuzzleRun,
    PuzzleState,
    asked_sentence,
    deck,
    due_puzzles,
    over_sentences,
    shipped_puzzles,
    title_sentence,
    verdict_sentences,
)
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, centred, columns
from ui.toolkit.typesetting import fitted, wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part, lay
from ui.window.screen import Screen
from ui.words.games import game_name, rule_name
from ui.words.numbers import whole_text

_STORM_PAUSE = 0.9  # seconds for which a storm shows that a move was wrong

# One puzzle.


class PuzzlePanel(Part):
    """The task, what is said of the move that was tried, and the buttons, in all the space. `go_on` opens the next
    puzzle."""

    def __init__(self, host: Host, widgets: Widgets, state: PuzzleState, go_on: Callable[[], object]) -> None:
        self._host, self._widgets, self._state, self._run, self._go_on = host, widgets, state, state.run, go_on
        self._line: MoveLine | None = None
        self._since: float | None = None  # when a storm's puzzle was over
        self._storm = state.run.mode == "storm"
        self.bindings = (
            Binding(("return",), self._enter, ""),
            Binding(("pagedown",), self._next, "keys.next_puzzle"),
            Binding(("r",), state.retry, "keys.retry"),
            Binding(("h",), state.hint, "keys.puzzle_hint"),
            Binding(("a",), state.show, "keys.show_answer"),
        )

    def shape(self) -> object:
        """What the layout depends on: the state of the puzzle, the hints given, the position asked about, the solution,
        and whether the engine is still loading."""
        state = self._state
        return state.state, state.hints, state.before, state.solution, state.preparing

    def build(self, space: Space) -> None:
        """Build the buttons, the rating of the puzzle once it is over, the task, and the verdict with the line of the
        solution."""
        state, theme, px = self._state, self._host.theme, self._host.theme.px
        quiet, label = theme.palette.quiet, self._widgets.label
        self._build_buttons(space)
        rating = t("puzzle.rating", rating=f"{self._run.rating_of(state.puzzle):.0f}")
        label(space.bottom(px(TASK_LINE)), rating if state.explains else "", 16, quiet)
        turn, asked = state.start.position.turn, asked_sentence(state)
        build_task(self._host, self._widgets, space, state.record.setup, turn, asked)
        palette = theme.palette
        tones = {"replying": palette.good, "solved": palette.good, "wrong": palette.bad}
        self._line = build_verdict(
            self._host, self._widgets, space, verdict_sentences(state), tones.get(state.state, palette.info),
            t("puzzle.solution"), state.before.position, state.solution if state.state == "shown" else (),
            state.play_line, rows=3,
        )  # fmt: skip

    def _build_buttons(self, space: Space) -> None:
        """Build the buttons for a hint, another try, the solution and the next puzzle; the expected one stands out."""
        px, state = self._host.theme.px, self._state
        row = Space(space.bottom(px(BUTTON)), px(8))
        primary = "next" if state.explains or (state.state == "wrong" and self._storm) else (
            "retry" if state.state == "wrong" else "")  # fmt: skip
        for (name, text, run, key), place in zip((
            ("retry", "mistakes.retry", state.retry, "r"), ("next", "mistakes.next", self._next, "pagedown"),
        ), columns(row.rest, 2, row.gap), strict=True):  # fmt: skip
            style = "@primary" if name == primary else ""
            self._widgets.button(name, place, t(text), run, style=style, key=key)
        row = Space(space.bottom(px(BUTTON)), px(8))
        for (name, text, run, key), place in zip((
            ("hint", "puzzle.hint", state.hint, "h"), ("show", "mistakes.show", state.show, "a"),
        ), columns(row.rest, 2, row.gap), strict=True):  # fmt: skip
            self._widgets.button(name, place, t(text), run, key=key)
        self._widgets.enable("retry", state.state == "wrong" and not self._storm)
        self._widgets.enable("hint", state.hintable)
        self._widgets.enable("show", not state.explains)

    # Steps.

    def update(self, now: float) -> None:
        """Advance the puzzle. In a storm, also go on when the time is up, or a moment after a puzzle is over: shorter
        if it was solved."""
        state = self._state
        state.update(now)
        if not self._storm:
            return
        if self._run.time_left == 0:
            self._go_on()
        elif state.state in ("solved", "wrong", "shown"):
            self._since = now if self._since is None else self._since
            if now >= self._since + (_STORM_PAUSE / 3 if state.state == "solved" else _STORM_PAUSE):
                self._go_on()

    def wake(self, now: float) -> float | None:
        """Return the seconds until the puzzle or, in a storm, its clock is to be updated; None if nothing is
        awaited."""
        clock = 0.1 if self._storm and self._run.began is not None else None
        return self._state.wake() or clock

    def close(self) -> None:
        """Stop the jobs, and take back a move that is being judged: the screen may be shown again."""
        self._state.close()

    def _next(self) -> None:
        """Go to the next puzzle. If this one has no answer yet, give it up and show its solution instead, except among
        one's own puzzles."""
        if not self._state.explains and self._state.state != "wrong" and self._run.mode != "own":
            self._state.show()
        else:
            self._go_on()

    def _enter(self) -> bool:
        """Let Enter try again after a wrong move, or go to the next puzzle once this one is solved or shown. Return
        False, to pass the key on, while a move is asked for."""
        asked = self._state.open_to_moves
        if self._state.explains:
            self._go_on()
        elif self._state.state == "wrong" and not self._storm:
            self._state.retry()
        return not asked

    # The board.

    def marks(self, marks: Marks) -> Marks:
        """Mark the points of the hints, the wrong move that was tried, and at the position asked about the solution as
        far as the pointer is on it."""
        state = self._state
        if hinted := state.hinted():
            marks = replace(marks, hints=hinted)
        if state.state == "wrong" and state.tried is not None:
            marks = replace(marks, wrong=state.tried.move)
        if self._line is not None and state.shown is state.before:
            return replace(marks, line=state.solution[: self._line.pointed or 1])
        return marks


class PuzzlesOver(Part):
    """What the screen shows when no puzzle is left, in the middle of the space. `leave` is called by its button."""

    def __init__(self, host: Host, widgets: Widgets, run: PuzzleRun, leave: Callable[[], object]) -> None:
        self._host, self._widgets, self._run, self._leave = host, widgets, run, leave
        self.bindings = (Binding(("return",), self._go, ""),)

    def _go(self) -> None:
        """Leave the screen."""
        self._leave()

    def build(self, space: Space) -> None:
        """Build, in the middle of the space, the sentences on the run, the first of them bold, and a button that calls
        `leave`."""
        theme, px = self._host.theme, self._host.theme.px
        width = min(px(480), space.rest.width)
        told = over_sentences(self._run)
        first, *more = (wrapped(theme, each, width, 20, bold=number == 0) for number, each in enumerate(told))
        lines = [*first, *(line for each in more for line in each)]
        inside = Space(centred(width, len(lines) * px(30) + px(BUTTON) + px(24), space.rest.center))
        for number, line in enumerate(lines):
            self._widgets.label(inside.top(px(30)), line, 20, align="centre", bold=number < len(first))
        button = centred(px(220), px(BUTTON), inside.bottom(px(BUTTON)).center)
        self._widgets.button("puzzles", button, t("puzzle.title"), self._go, style="@primary", key="return")


class PuzzleScreen(Screen):
    """The current puzzle of `run`, by default the daily puzzle. The next puzzle opens a new screen."""

    name = "puzzle"
    guide = "puzzles"

    def __init__(self, host: Host, run: PuzzleRun | None = None, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.run = run = run or PuzzleRun(host, shipped_puzzles(), "daily")
        self.state = None if run.current is None else PuzzleState(host, run, run.current)
        self._header = Header(host, self.widgets, lambda: title_sentence(run), self.go_back, back, owner=self)
        self._board, self._panel = self._parts(self.state)
        self.parts = [self._board, self._panel, self._header]
        if self.state is not None:
            self.parts.append(MoveSounds(host, self.state.record))

    def _parts(self, state: PuzzleState | None) -> tuple[Part, Part]:
        """Return the part of the main area and that of the panel; `state` is None if no puzzle is left."""
        host, widgets = self.host, self.widgets
        if state is None:
            return PuzzlesOver(host, widgets, self.run, self.go_back), Part()
        self.setup = state.record.setup
        self.board, self.first_position = board_view(self.setup.game), state.record.root.position
        board = BoardPart(host, widgets, self.board, state, self.setup, self.all_marks)
        return board, PuzzlePanel(host, widgets, state, self._go_on)

    def shape(self) -> object:
        """What the layout depends on: the parts, and the title, in which the count of the run or its clock change."""
        return super().shape(), title_sentence(self.run)

    def _go_on(self) -> None:
        """Open the next puzzle."""
        self.run.go_on()
        self.host.open(screens.puzzle, self.run, back=self.back)

    def go_back(self) -> None:
        """Go back; if that leads to the choice of puzzles, let it read the person's progress again."""
        if isinstance(self.back, PuzzlesScreen):
            self.back.read()
        super().go_back()

    def build(self, space: Space) -> None:
        """Lay out the header and the puzzle in the panel, and the board, or what is said at the end, in the main
        area."""
        lay(self.frame.side, self._header, self._panel)
        self._board.build(space)


# The choice.


_WIDTH, _HEIGHT, _GAP = 620, 520, 10


class PuzzleChoice(Form):
    """The person's ratings and records, and buttons that open puzzles of a `collection`. `owner` is the screen to come
    back to."""

    def __init__(self, host: Host, widgets: Widgets, collection: Collection, owner: Content) -> None:
        super().__init__(host, widgets)
        self._collection, self._owner = collection, owner
        self._game, self._rule, self._theme = "", "", ""
        self.read()
        self.bindings = (
            Binding(("return",), partial(self._open, "practice"), "puzzle.start"),
            Binding(("d",), partial(self._open, "daily"), "puzzle.mode.daily"),
            Binding(("k",), partial(self._open, "streak"), "puzzle.mode.streak"),
            Binding(("m",), partial(self._open, "storm"), "puzzle.mode.storm"),
            Binding(("r",), partial(self._open, "due"), "puzzle.mode.due"),
        )

    def read(self) -> None:
        """Read the person's progress again, and the number of puzzles that are due."""
        self._progress = load_progress(self.host.files.waiting(progress_path()))
        self._due = len(due_puzzles(deck()))

    def shape(self) -> object:
        """What the layout depends on: the game, rule and theme chosen, and the number of puzzles due."""
        return self._game, self._rule, self._theme, self._due

    def build(self, space: Space) -> None:
        """Build the person's ratings and records, the choices of game and theme, and a button for each way to solve
        puzzles: practice, daily, streak, storm and those due."""
        px, button = self.host.theme.px, self.widgets.button
        games = sorted({puzzle.game for puzzle in self._collection.puzzles}, key=game_name)
        ratings = [f"{game_name(game)} {self._progress.rating(game).rating:.0f}" for game in games]
        self.label(space.top(px(TASK_LINE)), t("puzzle.ratings", ratings=" · ".join(ratings)))
        self.label(space.top(px(TASK_LINE)), self._records())
        left, right = columns(space.top(px(BUTTON)), 2, px(8))
        for name, place, text, choose in (
            ("game", left, self._setup_text(self._game, self._rule), self._choose_game),
            ("theme", right, self._theme_text(self._theme), self._choose_theme),
        ):
            shown = fitted(self.host.theme, text, place.width - px(52), 16)
            button(name, place, shown, partial(choose, place), style="@menu", chosen=bool(getattr(self, f"_{name}")))
        found = len(self._collection.among(Wish(self._game, self._rule, self._theme)))
        start, *modes, due = self.bindings
        button("start", space.top(px(BUTTON)), t("puzzle.start"), start, style="@primary", icon="play")
        self.widgets.enable("start", found > 0)
        self.label(space.top(px(TASK_LINE)), t("puzzle.count", count=found, shown=whole_text(found)))
        places = columns(space.top(px(BUTTON)), len(modes), px(8))
        for mode, binding, place in zip(("daily", "streak", "storm"), modes, places, strict=True):
            text, tip = t(f"puzzle.mode.{mode}"), t(f"puzzle.about.{mode}")
            done = mode == "daily" and self._progress.daily == date.today().isoformat()
            button(mode, place, text, binding, tip=tip, icon="check" if done else "")
            self.widgets.enable(mode, bool(self._collection.puzzles))
        text, tip = f"{t('puzzle.mode.due')} · {self._due}", t("puzzle.about.due")
        button("due", space.top(px(BUTTON)), text, due, tip=tip)
        self.widgets.enable("due", self._due > 0)

    def _records(self) -> str:
        """Return the person's records as text."""
        done = self._progress
        texts = (t("puzzle.done", count=done.tried, solved=done.solved), t("puzzle.best_streak", count=done.streak),
                 t("puzzle.best_storm", count=done.storm))  # fmt: skip
        return " · ".join(texts)

    # Which.

    def _setup_text(self, game: str, rule: str) -> str:
        """Return the name of a game, and of its rule unless that is empty; without a game, that of all games."""
        if not game:
            return t("puzzle.all_games")
        return f"{game_name(game)} · {rule_name(rule)}" if rule else game_name(game)

    def _theme_text(self, theme: str) -> str:
        """Return the name of a theme; of all themes if it is empty."""
        return t(f"puzzle.theme.{theme}") if theme else t("puzzle.mixed")

    def _choose_game(self, under: pygame.Rect) -> None:
        """Open the menu of the games and rules that have puzzles, below `under`."""
        found = sorted({(puzzle.game, puzzle.rule) for puzzle in self._collection.puzzles})
        rules = [game for game, _ in found]
        options = {"": ("", "")} | {f"{game} {rule}": (game, rule if rules.count(game) > 1 else "")
                                    for game, rule in found}  # fmt: skip
        texts = [(name, self._setup_text(*which)) for name, which in options.items()]

        def choose(name: str) -> None:
            """Choose a game and rule; forget the chosen theme if it has no such puzzles."""
            self._game, self._rule = options[name]
            self._theme = self._theme if self._theme in self._themes() else ""

        chosen = next((name for name, which in options.items() if which == (self._game, self._rule)), "")
        self.host.overlay = Menu(self.host, under, texts, chosen, choose)

    def _themes(self) -> list[str]:
        """Return the themes of the puzzles of the chosen game and rule."""
        found = self._collection.among(Wish(self._game, self._rule))
        return sorted({puzzle.theme for puzzle in found}, key=THEMES.index)

    def _choose_theme(self, under: pygame.Rect) -> None:
        """Open the menu of the themes, below `under`."""
        texts = [(theme, self._theme_text(theme)) for theme in ("", *self._themes())]
        self.host.overlay = Menu(self.host, under, texts, self._theme, partial(setattr, self, "_theme"))

    # Where to.

    def _open(self, mode: Mode) -> None:
        """Open a run of puzzles in a mode that draws them itself."""
        self.solve(mode, ())

    def solve(self, mode: Mode, puzzles: Sequence[Puzzle]) -> None:
        """Open a run of puzzles in this mode; `puzzles` are those of the mode ``own``."""
        wish = Wish(self._game, self._rule, self._theme) if mode in ("practice", "streak", "storm") else Wish()
        run = PuzzleRun(self.host, self._collection, mode, wish, puzzles)
        self.host.open(screens.puzzle, run, back=self._owner)


class PuzzlesScreen(Screen):
    """The choice of puzzles, by default of those that come with the program."""

    name = "puzzles"
    guide = "puzzles"
    panel = False

    def __init__(self, host: Host, back: Content | None = None, collection: Collection | None = None) -> None:
        super().__init__(host, back)
        self._choice = PuzzleChoice(host, self.widgets, collection or shipped_puzzles(), self)
        self._own = OwnPuzzles(host, self.widgets, self._choice.solve)
        self._page = Page(host, self.widgets, "puzzle.title", _WIDTH, lambda: _HEIGHT, _GAP, self.go_back)
        self.parts = [self._page, self._choice, self._own]

    def read(self) -> None:
        """Read the person's progress and own puzzles again."""
        self._choice.read()
        self._own.read()

    def build(self, space: Space) -> None:
        """Lay out the page with the choice of puzzles, and below it the person's own."""
        self._page.build(space)
        lay(self._page.inside, self._choice, self._own)
