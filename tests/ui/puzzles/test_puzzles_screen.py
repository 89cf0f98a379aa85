"""Puzzles in the window: by mouse and by keyboard, judged by proofs, noted, and brought back."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from ai.gomoku.handle import EngineState
from ai.puzzles.collection import Collection, PuzzleProgress, Wish, key, load_progress, newcomer
from ai.puzzles.puzzle import Puzzle, PuzzleAnswer, read, write
from ai.review.exercises import Deck
from games.formats import FormatError, save
from games.formats.text import parse
from games.record import path
from games.registry import setup
from games.storage import new_damage, saves_home
from tests.ui.stage import Stage, choose_file, part
from tests.waiting import wait
from ui.puzzles.own import MiningJob
from ui.puzzles.screen import PuzzlePanel, PuzzleScreen, PuzzlesScreen
from ui.puzzles.state import (
    STORM,
    PuzzleRun,
    deck,
    deck_path,
    due_puzzles,
    kind_sentence,
    over_sentences,
    own_path,
    playable,
    puzzles_of,
    title_sentence,
    verdict_sentences,
)
from ui.toolkit.i18n import t
from ui.toolkit.typesetting import width_of
from ui.words.file_words import file_sentence
from ui.words.move_words import line_names

WIN = Puzzle(game="tictactoe", size=3, rule="standard", moves="c2a3c1", theme="win", plies=5, best="c3", rating=1400)
DEFENCE = replace(WIN, moves="a1", theme="defence", best="b2", rating=1500)
THREATS = Puzzle(
    game="gomoku", size=9, rule="freestyle", moves="e5f5e4f4e6e3e7e8f6h6d2g7c6i7", theme="threats", plies=5, best="g5"
)
BOTH = Collection([WIN, DEFENCE])


def opened(made: Stage, *puzzles: Puzzle, mode: Any = "own", collection: Collection = BOTH) -> Any:
    run = PuzzleRun(made.app, collection, mode, puzzles=puzzles, seed=1)
    return made.show(PuzzleScreen(made.app, run, back=PuzzlesScreen(made.app)))


def play(made: Stage, move: str) -> Any:
    """Click a move, and wait until it is judged and answered."""
    screen: Any = made.app.scene
    made.click(screen.board.pixel_of(screen.state.shown.position.parse_move(move)))
    made.until(lambda: not screen.state.busy and not screen.state.moving)
    return made.app.scene


def progress(made: Stage) -> PuzzleProgress:
    """What is on the disk once everything is written."""
    made.app.files.settle()
    return load_progress()


def test_a_win_is_played_out_against_the_best_defence(made: Stage) -> None:
    state = opened(made, WIN).state
    play(made, "c3")
    assert (state.state, state.shown.position.ply) == ("asked", 5)
    while state.state == "asked":
        play(made, state.shown.position.move_text(state.best))
    assert (state.state, state.shown.outcome.winner) == ("solved", 1)
    assert progress(made).solved == 1
    assert due_puzzles(deck()) == []


def test_a_win_by_threats_is_solved_once_nothing_stops_five(made: Stage) -> None:
    state = opened(made, THREATS).state
    play(made, "g5")
    assert state.state == "asked"
    while state.state == "asked":
        play(made, state.shown.position.move_text(state.best))
    assert (state.state, state.answer.line) == ("solved", ())


def test_a_wrong_move_is_refuted_noted_and_comes_back(made: Stage) -> None:
    screen = opened(made, DEFENCE)
    play(made, "c1")
    state = screen.state
    assert state.state == "wrong"
    assert state.shown.position.ply > state.tried.position.ply
    assert t("mistakes.wrong", move="c1") == verdict_sentences(state)[0]
    assert len(verdict_sentences(state)) == 3
    made.press(pygame.K_RETURN)
    assert (state.state, state.shown) == ("asked", state.start)
    play(made, "b2")
    assert state.state == "solved"
    assert progress(made).solved == 0, "the first answer counts"
    assert due_puzzles(deck()) == []
    later = Deck(deck_path(), lambda: datetime.now(UTC) + timedelta(days=3))
    assert due_puzzles(later) == [DEFENCE]
    made.press(pygame.K_ESCAPE)
    made.frame()
    told = " ".join(made.app.scene.widgets.texts)
    assert t("puzzle.done", count=1, solved=0) in told, "the choice has read it again"


def test_a_wrong_move_that_only_lets_the_win_go_is_told_so(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    state = opened(made, THREATS).state
    monkeypatch.setattr(state.run.provers, "judge", lambda *_: PuzzleAnswer("wrong"))
    play(made, "a1")
    assert verdict_sentences(state) == [t("mistakes.wrong", move="a1"), t("puzzle.escapes", side="White")]
    state.retry()
    assert (state.state, state.busy, state.wake()) == ("asked", False, None)


def test_hints_go_from_the_kind_to_the_move_by_keyboard(made: Stage) -> None:
    screen = opened(made, DEFENCE)
    seen = []
    for _ in range(4):
        made.press(pygame.K_h)
        seen.append((screen.state.hints, screen.state.hinted()))
    (first, none), (second, some), third, last = seen
    assert (first, none, second) == (1, (), 2)
    assert DEFENCE.move in some
    assert len(some) > 1
    assert third == last == (3, (DEFENCE.move,))


def test_the_solution_is_shown_as_a_line_that_can_be_played(made: Stage) -> None:
    screen = opened(made, WIN)
    made.press(pygame.K_a)
    made.until(lambda: len(screen.state.solution) > 1)
    assert screen.state.solution[0] == WIN.move
    screen.state.play_line(2)
    assert screen.state.shown.position.ply == 5
    made.press(pygame.K_RETURN)
    made.frame()
    assert made.app.scene.state is None
    assert over_sentences(made.app.scene.run) == [t("puzzle.all_done")]


def test_practice_moves_the_rating_by_the_first_answer_without_help(made: Stage) -> None:
    opened(made, mode="practice")
    before = newcomer("tictactoe").rating
    screen: Any = made.app.scene
    play(made, screen.state.puzzle.best)
    while screen.state.state == "asked":
        play(made, screen.state.shown.position.move_text(screen.state.best))
    after = progress(made).rating("tictactoe").rating
    assert after > before
    made.press(pygame.K_PAGEDOWN)
    made.press(pygame.K_a)
    assert progress(made).rating("tictactoe").rating < after


def test_a_streak_ends_with_the_first_mistake(made: Stage) -> None:
    opened(made, mode="streak", collection=Collection([DEFENCE]))
    play(made, "b2")
    made.press(pygame.K_RETURN)
    made.frame()
    play(made, "c1")
    made.press(pygame.K_PAGEDOWN)
    made.frame()
    assert made.app.scene.state is None
    assert over_sentences(made.app.scene.run)[0] == t("puzzle.streak_over", count=1)
    assert progress(made).streak == 1


def test_a_storm_goes_on_by_itself_until_its_time_is_over(made: Stage) -> None:
    run = opened(made, mode="storm", collection=Collection([DEFENCE])).run
    assert run.time_left == STORM
    first = made.app.scene
    play(made, "b2")
    made.until(lambda: made.app.scene is not first)
    assert (run.solved, run.number) == (1, 1)
    second = made.app.scene
    made.press(pygame.K_PAGEDOWN)
    made.until(lambda: made.app.scene is not second)
    assert (run.solved, run.number) == (1, 2)
    run.began -= STORM
    made.until(lambda: made.app.scene.state is None)
    assert over_sentences(run)[0] == t("puzzle.storm_over", count=1)
    assert progress(made).storm == 1


def test_a_storm_lasts_three_minutes_from_its_first_move(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    run, seen = PuzzleRun(made.app, Collection([DEFENCE]), "storm"), []
    for now in (10.0, 70.0, 189.0, 190.0, 200.0):
        monkeypatch.setattr("ui.puzzles.state.time", SimpleNamespace(monotonic=lambda now=now: now))
        run.start_clock()
        run.go_on()
        seen.append((run.time_left, run.over))
    assert seen == [(180.0, False), (120.0, False), (1.0, False), (0.0, True), (0.0, True)]


def test_the_puzzle_of_a_day_is_the_same_for_all_and_counts_days_in_a_row(made: Stage) -> None:
    days = [date(2026, 11, 26), date(2026, 11, 27)]
    assert BOTH.daily(days[0]) != BOTH.daily(days[1])
    for day in days:
        run = PuzzleRun(made.app, Collection([DEFENCE]), "daily", today=day)
        made.show(PuzzleScreen(made.app, run))
        play(made, "b2")
    assert (progress(made).daily, progress(made).days) == ("2026-11-27", 2)


def test_moves_wait_until_the_engine_is_ready(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    state = opened(made, DEFENCE).state
    monkeypatch.setattr(made.app.engine, "state", EngineState("loading"))
    made.click(made.app.scene.board.pixel_of(DEFENCE.move))  # type: ignore[attr-defined]
    made.frame(3)
    assert (state.state, verdict_sentences(state)) == ("judging", [t("puzzle.preparing")])
    monkeypatch.setattr(made.app.engine, "state", EngineState("ready"))
    made.until(lambda: state.state == "solved")


def test_a_proof_that_fails_gives_the_move_back(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    state = opened(made, DEFENCE).state

    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(state.run.provers, "judge", fail)
    play(made, "b2")
    assert (state.state, state.shown) == ("asked", state.start)
    assert t("mistakes.unchecked", move="b2") in made.app.message[0]


def test_puzzles_are_chosen_by_game_and_theme(made: Stage) -> None:
    of = [WIN, DEFENCE, THREATS, replace(THREATS, rule="standard")]
    scene: Any = made.show(PuzzlesScreen(made.app, collection=Collection(of)))
    offered = {"": "All games", "gomoku freestyle": "Gomoku · Freestyle", "gomoku standard": "Gomoku · Standard",
               "tictactoe standard": "Tic-tac-toe"}  # fmt: skip
    for chosen, game, themes in ((0, "tictactoe standard", 3), (3, "gomoku freestyle", 2), (1, "", 4)):
        made.push("game")
        assert (dict(made.app.overlay.options), made.app.overlay.chosen) == (offered, chosen)
        made.click(made.app.overlay.places()[game])
        assert scene.widgets.buttons["game"].text == offered[game]
        made.push("theme")
        assert len(made.app.overlay.options) == themes
        made.press(pygame.K_ESCAPE)
    made.choose("game", "gomoku freestyle")
    made.choose("theme", "threats")
    for mode in ("start", "streak", "storm", "daily"):
        made.push(mode)
        run = made.app.scene.run  # type: ignore[attr-defined]
        assert run.wish == (Wish() if mode == "daily" else Wish("gomoku", "freestyle", "threats"))
        made.press(pygame.K_ESCAPE)
        made.frame()
        assert made.app.scene is scene
    made.choose("game", "tictactoe standard")
    assert scene.widgets.buttons["theme"].text == t("puzzle.mixed"), "it has none of those chosen before"


@pytest.mark.parametrize(
    ("mode", "at", "gone"),
    [("own", "asked", True), ("practice", "asked", False), ("practice", "wrong", True), ("practice", "solved", True)],
)
def test_a_puzzle_that_is_left_is_given_up_first_unless_it_is_ones_own(
    made: Stage, mode: Any, at: Any, gone: bool
) -> None:
    screen = opened(made, DEFENCE, mode=mode)
    screen.state.state, screen.state.answer, screen.state.tried = at, PuzzleAnswer("wrong"), screen.state.start
    made.press(pygame.K_PAGEDOWN)
    made.frame()
    assert (made.app.scene is not screen, screen.state.state) == (gone, at if gone else "shown")


def test_a_choice_with_a_long_name_is_filled_with_it(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.puzzles.screen.game_name", lambda _game: "i" * 200)
    scene = made.show(PuzzlesScreen(made.app, collection=BOTH))
    made.choose("game", "tictactoe standard")
    button, each = scene.widgets.buttons["game"], width_of(made.app.theme, "i", 16)
    assert button.text.endswith("…")
    assert button.rect.width - 52 - width_of(made.app.theme, button.text, 16) in range(each)


def test_what_there_is_no_puzzle_for_can_not_be_pressed_and_the_daily_one_that_is_done_has_a_tick(made: Stage) -> None:
    ways = ("start", "daily", "streak", "storm", "due", "own")
    for collection, due, usable in ((Collection([]), False, ()), (BOTH, True, ways[:5])):
        if due:
            PuzzleRun(made.app, BOTH, "due").note(DEFENCE, solved=False, helped=False)
            PuzzleRun(made.app, BOTH, "daily").note(DEFENCE, solved=True, helped=False)
        later = Deck(deck_path(), lambda: datetime.now(UTC) + timedelta(days=3))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ui.puzzles.screen.deck", lambda later=later: later)
            buttons = made.show(PuzzlesScreen(made.app, collection=collection)).widgets.buttons
        assert [name for name in ways if buttons[name].enabled] == list(usable)
        assert buttons["daily"].icon == ("check" if due else "")


def test_puzzles_are_found_in_the_games_of_the_library(made: Stage) -> None:
    save(parse("a1a3c1b1c3c2b2", setup("tictactoe")), saves_home() / "lost.tengen.json")
    made.show(PuzzlesScreen(made.app))
    made.push("library")
    made.until(lambda: own_path().exists() and made.app.overlay is None)
    made.app.files.settle()
    assert key(DEFENCE) in [key(puzzle) for puzzle in read(own_path())[0].values()]
    made.until(lambda: made.app.scene.widgets.buttons["own"].enabled)
    made.push("own")
    assert made.app.scene.state.puzzle.game == "tictactoe"  # type: ignore[attr-defined]


def test_a_file_of_puzzles_is_solved_and_another_one_refused(made: Stage) -> None:
    good, bad = made.home / "good.jsonl", made.home / "bad.jsonl"
    write(good, [THREATS])
    good.write_bytes(good.read_bytes() + b"{}\n{}\n")
    bad.write_text("{}\n", encoding="utf-8")
    made.show(PuzzlesScreen(made.app))
    made.push("file")
    choose_file(made.app, bad)
    refused, colour = FormatError("This is not a file of puzzles."), made.app.theme.palette.bad
    assert made.app.message == (file_sentence(refused, "bad.jsonl"), colour)
    assert made.app.scene.name == "puzzles"
    made.push("file")
    choose_file(made.app, good)
    assert made.app.scene.state.puzzle == THREATS  # type: ignore[attr-defined]
    assert made.app.message == (t("puzzle.left_out", count=2), colour), "also on the next screen"


@pytest.mark.parametrize(("kind", "damaged"), [("", False), ("text", True), ("folder", True)])
def test_puzzles_that_can_not_be_read_are_reported_unless_there_are_none(
    tmp_path: Path, kind: str, damaged: bool
) -> None:
    file = tmp_path / "puzzles.jsonl"
    if kind:
        file.mkdir() if kind == "folder" else file.write_text("{}")
    assert puzzles_of(file) == ()
    told = [(each.kind, each.file, isinstance(each.fact, OSError)) for each in new_damage()]
    assert told == [("unreadable", file, kind == "folder")] * damaged


def test_a_puzzle_is_playable_if_its_moves_and_its_answer_are_legal() -> None:
    puzzles = WIN, replace(WIN, best="c2"), replace(WIN, moves="c2c2c1"), DEFENCE
    assert [playable(puzzle) for puzzle in puzzles] == [True, False, False, True]


def test_puzzles_are_found_in_a_folder_with_what_is_known_counted_once(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = made.home / "games"
    save(parse("a1", setup("tictactoe")), games / "1.tengen.json")
    (games / "2.sgf").write_text("(;GM[4]SZ[9];B[ee])(;GM[4]SZ[9];B[dd])")
    monkeypatch.setattr("ui.puzzles.own.prover", lambda game: game)
    monkeypatch.setattr("ui.puzzles.own.missed", lambda _record, by: [DEFENCE] if by == "tictactoe" else [])
    monkeypatch.setattr("ui.puzzles.own.mine", lambda _record, by: [THREATS] if by == "gomoku" else [])
    made.show(PuzzlesScreen(made.app))
    for count, colour in ((2, made.app.theme.palette.good), (0, made.app.theme.palette.info)):
        made.push("folder")
        choose_file(made.app, games)
        made.until(lambda: made.app.overlay is None)
        assert made.app.message == (t("puzzle.mined", count=count), colour)
    own_path().unlink()
    job, told = MiningJob(made.app, games, print), list[float]()
    assert job.work(told.append) == 2
    assert told == [0, 0, 1 / 2, 1 / 2, 3 / 4, 3 / 4], "before each game and after each find"
    job.stop()
    made.app.files.settle()
    assert list(puzzles_of(own_path())) == [THREATS, DEFENCE], "what was found until then is kept"


def test_puzzles_near_the_rating_that_were_not_seen_come_first(made: Stage) -> None:
    run = PuzzleRun(made.app, Collection([WIN, DEFENCE]), wish=Wish(theme="defence"))
    assert run.current == DEFENCE
    run = PuzzleRun(made.app, Collection([WIN, DEFENCE]), seed=3)
    assert run.current is not None
    run.note(run.current, True, False)
    seen = run.current
    run.go_on()
    assert run.current != seen


class Near(Collection):
    """Tells how much harder each puzzle was wished than the person's rating."""

    def __init__(self) -> None:
        super().__init__([DEFENCE])
        self.harder: list[float] = []

    def near(self, wish: Wish, progress: PuzzleProgress, chance: Random, harder: float = 0) -> Puzzle | None:
        self.harder.append(harder)
        return super().near(wish, progress, chance, harder)


@pytest.mark.parametrize(
    ("mode", "harder"), [("practice", [0, 0, 0]), ("storm", [-300, -275, -275]), ("streak", [-250, -220])]
)
def test_puzzles_of_a_series_become_harder_with_each_that_is_solved(made: Stage, mode: Any, harder: list[int]) -> None:
    near = Near()
    run = PuzzleRun(made.app, near, mode)
    for solved in (True, False):
        run.note(DEFENCE, solved, helped=False)
        run.go_on()
    assert near.harder == harder
    assert (run.solved, run.number, run.failed, run.over) == (1, 2, True, mode == "streak")
    assert {"streak": run.progress.streak, "storm": run.progress.storm}.get(mode, 1) == 1
    assert (run.progress.streak, run.progress.storm).count(0) == (2 if mode == "practice" else 1)


@pytest.mark.parametrize(
    ("mode", "solved", "helped", "rated", "kept"),
    [
        ("practice", True, False, True, None), ("practice", True, True, False, None),
        ("practice", False, True, True, 1), ("daily", True, False, True, None), ("daily", False, False, True, 1),
        ("streak", True, False, False, None), ("storm", False, False, False, 1), ("own", True, False, False, None),
        ("due", True, False, False, 2), ("due", True, True, False, 1),
    ],
)  # fmt: skip
def test_an_answer_moves_the_rating_counts_for_the_day_and_comes_back(
    made: Stage, mode: Any, solved: bool, helped: bool, rated: bool, kept: int | None
) -> None:
    """`kept` is the number of days until the puzzle comes back; None for never."""
    run = PuzzleRun(made.app, Collection([DEFENCE]), mode, today=date(2026, 11, 27))
    run.note(DEFENCE, solved, helped)
    after, cards = progress(made), deck().counts()
    assert (after.rating("tictactoe").rating != newcomer("tictactoe").rating) is rated
    assert after.daily == ("2026-11-27" if mode == "daily" and solved else "")
    assert cards.total == (kept is not None)
    if cards.next_due is not None:
        assert round((cards.next_due - datetime.now(UTC)) / timedelta(days=1)) == kept


@pytest.mark.parametrize(
    ("mode", "number", "title"),
    [
        ("practice", 0, "Puzzles · Your rating: 1400"), ("streak", 0, "Streak · Solved: 0"),
        ("storm", 0, "Storm · Solved: 0 · 3:00"), ("daily", 0, "Puzzle of the day · 2026-11-27"),
        ("own", 0, "My puzzles · Puzzle 1 of 2"), ("own", 1, "My puzzles · Puzzle 2 of 2"),
        ("own", 2, "My puzzles · Puzzle 2 of 2"),
    ],
)  # fmt: skip
def test_the_title_tells_how_far_one_is(
    made: Stage, monkeypatch: pytest.MonkeyPatch, mode: Any, number: int, title: str
) -> None:
    own = [WIN, DEFENCE] if mode == "own" else ()
    run = PuzzleRun(made.app, Collection([DEFENCE]), mode, puzzles=own, today=date(2026, 11, 27))
    monkeypatch.setattr(PuzzleRun, "rating", 1400.0)
    for _ in range(number):
        run.go_on()
    assert title_sentence(run) == title


@pytest.mark.parametrize(
    ("mode", "number", "told"),
    [
        ("streak", 1, ["The streak is over. Solved in a row: 2.", "Your best: 5"]),
        ("storm", 1, ["The time is over. Solved: 2.", "Your best: 6"]),
        ("daily", 1, ["That was the puzzle of today. Another one comes tomorrow.", "Days in a row: 7"]),
        ("daily", 0, ["There is no such puzzle."]),
        ("due", 1, ["These are done. The others come back in time."]), ("due", 0, ["No puzzle is due now."]),
        ("own", 1, [t("puzzle.all_done")]), ("own", 0, ["There is no such puzzle."]),
    ],
)  # fmt: skip
def test_what_is_said_at_the_end_depends_on_the_mode(made: Stage, mode: Any, number: int, told: list[str]) -> None:
    run = PuzzleRun(made.app, Collection([]), mode)
    run.number, run.solved = number, 2
    run.progress.streak, run.progress.storm, run.progress.days = 5, 6, 7
    assert over_sentences(run) == told
    assert run.rating == 0.0


@pytest.mark.parametrize(("known", "hints"), [(1, 1), (2, 3)])
def test_where_the_next_move_is_not_known_only_the_kind_of_win_is_a_hint(
    made: Stage, monkeypatch: pytest.MonkeyPatch, known: int, hints: int
) -> None:
    state = opened(made, WIN).state
    line = WIN.position.play(WIN.move).legal_moves()[:known]
    monkeypatch.setattr(state.run.provers, "judge", lambda *_: PuzzleAnswer("right", line))
    state.hint()
    state.choose(WIN.move)
    wait(lambda: state.shown.move == line[0], lambda: state.update(0.0))
    assert (state.state, state.hints, state.best) == ("asked", 0, line[1] if known > 1 else None)
    for _ in range(3):
        state.hint()
    assert (state.hints, state.hintable) == (hints, False)
    assert state.hinted() == tuple(line[1:])


def test_help_of_the_board_counts_as_one_hint(made: Stage) -> None:
    state, seen = opened(made, DEFENCE).state, []
    for _ in range(2):
        state.helped("threats")
        seen.append(state.hints)
        state.hint()
    assert seen == [1, 2]


def test_where_no_solution_is_found_the_move_of_the_puzzle_is_shown(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, asked = opened(made, WIN).state, []
    monkeypatch.setattr(state.run.provers, "solution", lambda *given: asked.append(given[:2]) or ())
    for _ in range(2):
        state.show()
        wait(lambda: not state.busy, lambda: state.update(0.0))
    assert (state.solution, asked) == ((WIN.move,), [(WIN, state.start.position)])


@pytest.mark.parametrize("late", ["left", "loading"])
def test_a_solution_that_could_not_be_found_yet_is_searched_for_again(
    made: Stage, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    screen, found = opened(made, WIN), threading.Event()
    state, solution = screen.state, screen.state.run.provers.solution
    monkeypatch.setattr(state.run.provers, "solution", lambda *given: found.wait(60) and solution(*given))
    play(made, "c3")
    if late == "loading":
        monkeypatch.setattr(made.app.engine, "state", EngineState("loading"))
    state.show()
    made.frame(2)
    if late == "left":
        made.show(PuzzlesScreen(made.app))
        made.show(screen)
    found.set()
    monkeypatch.setattr(made.app.engine, "state", EngineState("ready"))
    made.until(lambda: not state.busy)
    assert verdict_sentences(state) == [t("mistakes.shown", move=state.before.position.move_text(state.solution[0]))]


def test_the_solution_of_a_defence_is_its_move(made: Stage) -> None:
    told: list[float] = []
    by = opened(made, WIN).run.provers
    assert by.solution(DEFENCE, DEFENCE.position, told.append) == (DEFENCE.move,)
    assert len(by.solution(WIN, WIN.position, told.append)) == WIN.plies
    assert by.judge(DEFENCE, DEFENCE.position, DEFENCE.move, told.append).verdict == "solved"
    assert told == [0, 0, 0]


@pytest.mark.parametrize(("length", "seen", "plies"), [(1, 1, 9), (7, 7, 10), (8, 7, 9)])
def test_seven_moves_of_a_refutation_are_made_on_the_board(
    made: Stage, monkeypatch: pytest.MonkeyPatch, length: int, seen: int, plies: int
) -> None:
    state = opened(made, THREATS).state
    line = tuple(state.shown.position.legal_moves()[-length:])
    monkeypatch.setattr(state.run.provers, "judge", lambda *_: PuzzleAnswer("wrong", line, plies))
    state.choose(0)
    wait(lambda: state.state == "wrong", lambda: state.update(0.0))
    tried = state.shown.position.ply
    for step in range(2 * seen + 4):
        assert (state.wake() is not None) is (state.shown.position.ply < tried + seen)
        state.update(float(step))
    assert [node.move for node in path(state.shown)][-seen:] == list(line[:seen])
    assert verdict_sentences(state)[1:] == [
        t("puzzle.loses", side="White", count=5),
        t("mistakes.refuted", line=" ".join(line_names(state.tried.position, line[:7]))),
    ]


def test_a_move_of_the_other_side_comes_after_a_pause(made: Stage) -> None:
    made.app.settings.motion = "on"
    state = opened(made, WIN).state
    state.choose(WIN.move)
    wait(lambda: state.state == "replying", lambda: state.update(10.0))
    assert verdict_sentences(state) == [t("mistakes.right", move="c3")]
    for now, ply in ((10.0, 4), (10.59, 4), (10.61, 5)):
        state.update(now)
        assert state.shown.position.ply == ply
    assert state.before is state.shown


def test_three_other_plausible_moves_are_hinted_at(made: Stage) -> None:
    state = opened(made, DEFENCE).state
    others = [move for move in state.shown.position.candidates() if move != DEFENCE.move][:3]
    seen = []
    for _ in range(4):
        state.hint()
        seen.append((state.hints, set(state.hinted()), verdict_sentences(state)[1:], state.hintable))
    assert seen == [
        (1, set(), [], True), (2, {DEFENCE.move, *others}, [t("puzzle.hint_some")], True),
        *[(3, {DEFENCE.move}, [t("puzzle.hint_move")], False)] * 2,
    ]  # fmt: skip
    assert len(others) == 3
    alone = opened(made, THREATS).state
    for hints in (1, 3):
        alone.hint()
        assert alone.hints == hints, "where no other move is plausible, the move follows the kind"


@pytest.mark.parametrize(("plies", "count"), [(1, 1), (5, 3), (6, 3)])
def test_the_kind_of_a_win_is_told_with_its_moves(plies: int, count: int) -> None:
    assert kind_sentence(replace(WIN, plies=plies)) == t("puzzle.kind.win", count=count)


@pytest.mark.parametrize(("verdict", "pause"), [("solved", 0.3), ("wrong", 0.9)])
def test_a_storm_goes_on_sooner_after_a_puzzle_that_is_solved(made: Stage, verdict: Any, pause: float) -> None:
    screen = opened(made, mode="storm", collection=Collection([DEFENCE]))
    panel = part(screen, PuzzlePanel)
    assert panel.wake(0.0) is None
    screen.run.start_clock()
    assert panel.wake(0.0) == 0.1
    screen.state.state, screen.state.answer, screen.state.tried = verdict, PuzzleAnswer(verdict), screen.state.start
    if verdict == "wrong":
        assert screen.key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="", scancode=0))
        assert screen.state.state == "wrong", "there is no second try"
    for now, gone in ((50.0, False), (50.0 + pause - 0.01, False), (50.0 + pause + 0.01, True)):
        panel.update(now)
        assert screen.run.number == gone
