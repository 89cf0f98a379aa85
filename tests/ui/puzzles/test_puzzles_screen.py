"""Puzzles in the window: by mouse and by keyboard, judged by proofs, noted, and brought back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pygame
import pytest

from ai.gomoku.handle import EngineState
from ai.puzzles.collection import Collection, PuzzleProgress, Wish, key, load_progress, newcomer
from ai.puzzles.puzzle import Puzzle, read, write
from ai.review.exercises import Deck
from games.formats import save
from games.formats.text import parse
from games.registry import setup
from games.storage import saves_home
from tests.ui.stage import Stage, choose_file
from ui.puzzles.screen import PuzzleScreen, PuzzlesScreen
from ui.puzzles.state import STORM, PuzzleRun, deck, deck_path, due_puzzles, over_sentences, own_path, verdict_sentences
from ui.toolkit.i18n import t

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


def test_a_wrong_move_that_only_lets_the_win_go_is_told_so(made: Stage) -> None:
    state = opened(made, THREATS).state
    play(made, "a1")
    assert state.state == "wrong"
    assert verdict_sentences(state)[0] == t("mistakes.wrong", move="a1")


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
    made.show(PuzzlesScreen(made.app, collection=Collection([WIN, DEFENCE, THREATS])))
    made.choose("game", "gomoku freestyle")
    made.choose("theme", "threats")
    made.push("start")
    assert made.app.scene.state.puzzle == THREATS  # type: ignore[attr-defined]
    made.press(pygame.K_ESCAPE)
    made.frame()
    assert made.app.scene.name == "puzzles"


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
    bad.write_text("{}\n", encoding="utf-8")
    made.show(PuzzlesScreen(made.app))
    made.push("file")
    choose_file(made.app, bad)
    assert made.app.message[0]
    assert made.app.scene.name == "puzzles"
    made.push("file")
    choose_file(made.app, good)
    assert made.app.scene.state.puzzle == THREATS  # type: ignore[attr-defined]


def test_puzzles_near_the_rating_that_were_not_seen_come_first(made: Stage) -> None:
    run = PuzzleRun(made.app, Collection([WIN, DEFENCE]), wish=Wish(theme="defence"))
    assert run.current == DEFENCE
    run = PuzzleRun(made.app, Collection([WIN, DEFENCE]), seed=3)
    assert run.current is not None
    run.note(run.current, True, False)
    seen = run.current
    run.go_on()
    assert run.current != seen
