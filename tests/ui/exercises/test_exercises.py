"""Exercises in the window: from a review and from the first screen, by mouse and by keyboard, with nothing spoilt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pygame
import pytest

from ai.core.player import Player
from ai.review.exercises import Deck, DeckCounts, Exercise, exercises, solution
from ai.review.judgement import MISTAKES
from ai.review.report import run_review
from games.formats import save
from games.formats.text import parse
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home
from tests.players import Faulty, Slow
from tests.sampling import sampled
from tests.ui.stage import Stage, part, thinks
from ui import screens
from ui.exercises.screen import ExercisePanel, MistakesScreen
from ui.library.screen import LibraryScreen
from ui.parts.practice import (
    Practice,
    Solving,
    counts_sentence,
    over_sentence,
    title_sentence,
    verdict_sentences,
)
from ui.replay.screen import Replay
from ui.toolkit.i18n import t
from ui.words.verdicts import SIGNS

GOMOKU = "h8a1i9a15j10o1k11"  # the last move wins
MOVES = "b2a1c3c1b1a2a3"  # O lets X win with b3, X plays a3


def lost(game: str = "tictactoe", moves: str = MOVES) -> GameRecord:
    record = parse(moves, setup(game))
    record.seats, record.date = (Seat(PERSON), Seat("level:2")), "2026-11-23T12:00:00"
    return record


def of_x() -> Exercise:
    found = run_review(lost())
    (exercise,) = exercises(found.record, found.moves, [0])
    return exercise


def opened(made: Stage, *found: Exercise) -> tuple[Any, Solving]:
    """The screen of the exercises `found`, or of those that are due."""
    screen = made.show(MistakesScreen(made.app, Practice(Deck(), found) if found else None))
    return screen, screen.state


def at(made: Stage, move: str) -> tuple[int, int]:
    screen: Any = made.app.scene
    return screen.board.pixel_of(screen.state.start.position.parse_move(move))


def until_judged(made: Stage) -> None:
    screen: Any = made.app.scene
    made.until(lambda: screen.state.state != "judging" and not screen.state.moving)


def reviewed_in(made: Stage, record: GameRecord) -> Any:
    screen = made.show(Replay(made.app, record, tab="review"))
    made.until(lambda: not screen.state.reviewer.busy)
    return screen


def test_a_review_collects_the_mistakes_of_the_person(made: Stage) -> None:
    reviewed_in(made, lost())
    assert Deck().due() == [of_x()]
    reviewed_in(made, lost())
    assert Deck().counts().total == 1


def test_a_review_in_the_library_collects_them_too(made: Stage) -> None:
    save(lost(), saves_home() / "lost.tengen.json")
    state = made.show(LibraryScreen(made.app)).state
    made.until(lambda: len(state.games.selection.ids) == 1 and not state.games.busy)
    made.press(pygame.K_a, pygame.KMOD_CTRL)
    made.push("review")
    made.until(lambda: not state.review.busy)
    assert Deck().due() == [of_x()]


def test_the_first_screen_tells_how_many_are_due(made: Stage) -> None:
    made.app.open(screens.home)
    made.frame()
    before = made.app.scene.widgets.buttons["mistakes"].text
    Deck().add([of_x()])
    made.app.open(screens.home)
    made.frame()
    assert "1" in made.app.scene.widgets.buttons["mistakes"].text
    assert "1" not in before
    made.push("mistakes")
    assert made.app.scene.state.exercise == of_x()


def test_without_exercises_the_screen_says_how_to_get_some(made: Stage) -> None:
    screen = made.show(MistakesScreen(made.app))
    assert screen.state is None
    made.push("library")
    assert made.app.scene.name == "library"


def test_a_deck_that_cannot_be_read_is_told_in_a_sentence(made: Stage) -> None:
    Deck().file.mkdir()
    practice = Practice(Deck())
    assert practice.current is None
    assert "cannot be read" in over_sentence(practice)
    made.show(MistakesScreen(made.app, practice))
    reviewed_in(made, lost())  # goes on nevertheless


def test_damaged_exercises_anywhere_in_a_practice_are_skipped_and_moved_out_of_the_deck() -> None:
    good = of_x()
    found = [Exercise("first", b"{"), good, Exercise("second", b""), replace(good, key="last"), Exercise("third", b"1")]
    deck = Deck()
    deck.add(found)
    practice, read = Practice(deck), []
    while (exercise := practice.current) is not None:
        exercise.record()
        read.append(exercise.key)
        practice = practice.following()
    assert read == [good.key, "last"]
    assert deck.counts().total == 2


def spoilt(screen: Any) -> bool:
    """Whether anything on the screen tells the move to find."""
    marks = screen.all_marks()
    shown = bool(marks.line or marks.candidates or marks.hints or marks.threats or verdict_sentences(screen.state))
    return shown or "line" in screen.widgets.elements


def test_an_exercise_is_walked_with_the_mouse(made: Stage) -> None:
    replay = reviewed_in(made, lost())
    mistake = next(each for each in replay.state.reviewer.judged.values() if each.kind in MISTAKES and each.side == 0)
    replay.state.go(mistake.node)
    made.frame()
    made.push("try_again")
    screen, state = made.app.scene, made.app.scene.state
    assert screen.name == "mistakes"
    assert state.shown.position == mistake.before.position
    assert screen.all_marks().wrong == mistake.move
    assert not spoilt(screen)
    made.click(at(made, "c2"))
    made.until(lambda: state.state != "judging")
    assert state.state == "wrong"
    assert "c2" in verdict_sentences(state)[0]
    panel = part(screen, ExercisePanel)
    assert (panel.wake(0.0) is not None) is state.moving
    assert not any("b3 was" in sentence or "needed" in sentence for sentence in verdict_sentences(state))
    made.until(lambda: not state.moving)
    assert panel.wake(0.0) is None
    assert state.refutation
    assert state.shown.position.ply == mistake.node.position.ply + len(state.refutation)
    made.push("retry")
    assert not spoilt(screen)
    assert state.shown.position == mistake.before.position
    made.click(at(made, "b3"))
    made.until(lambda: state.state != "judging")
    assert state.state == "right"
    assert Deck().counts().solved == 0, "the first answer counts"
    made.push("next")
    assert made.app.scene.state is None
    made.app.scene.go_back()
    made.frame()
    assert made.app.scene is replay
    assert len(list(saves_home().glob("*"))) == 1, "the game that was reviewed, and no exercise"


def test_a_refutation_is_played_move_by_move(made: Stage) -> None:
    exercise = of_x()
    state = Solving(made.app, Practice(Deck(), [exercise]), exercise)
    state.choose(parse("c2", setup("tictactoe")).cursor.move)
    made.until(lambda: (state.update(0.0), state.state == "wrong")[1])
    (won,) = state.refutation
    state.refutation = *(set(state.shown.position.legal_moves()) - {won}), won
    for now, left in ((10.0, 2), (10.6, 2), (10.7, 1), (11.3, 1), (11.4, 0), (20.0, 0)):
        state.update(now)
        assert (len(state.shown.position.legal_moves()), state.moving) == (left, left > 0)


def test_an_exercise_is_walked_with_the_keyboard(made: Stage) -> None:
    Deck().add([of_x()])
    made.app.open(screens.home)
    made.frame()
    made.press(pygame.K_m)
    screen, state = made.app.scene, made.app.scene.state
    state.pointer.cursor = state.start.position.parse_move("c3")
    made.keys(pygame.K_DOWN, pygame.K_RETURN)  # c2
    until_judged(made)
    assert state.state == "wrong"
    made.press(pygame.K_RETURN)
    assert state.state == "asked"
    made.press(pygame.K_a)
    assert state.state == "shown"
    assert screen.all_marks().line == solution(state.start)[:1]
    assert "b3" in verdict_sentences(state)[0]
    made.press(pygame.K_r)
    assert not spoilt(screen)
    made.keys(pygame.K_UP, pygame.K_LEFT, pygame.K_RETURN)  # from c2 to b3
    until_judged(made)
    assert state.state == "right"
    made.press(pygame.K_RETURN)
    assert made.app.scene.state is None


def test_a_right_first_answer_is_solved_until_it_is_due_again(made: Stage) -> None:
    _, state = opened(made, of_x())
    made.click(at(made, "b3"))
    assert state.state == "right", "the game is over: nothing needs a search"
    counts = Deck().counts()
    assert (counts.total, counts.due, counts.solved) == (1, 0, 1)


def test_a_missed_win_had_the_sign_of_a_mistake(made: Stage) -> None:
    screen, state = opened(made, of_x())
    assert screen.all_marks().sign == SIGNS["missed_win"]
    assert screen.all_marks().wrong == state.mistake.move


@pytest.mark.parametrize("player", [Faulty, Slow])
def test_a_check_of_a_move_that_fails_or_is_left_lets_one_try_again(made: Stage, player: type[Player]) -> None:
    thinks(made.app, lambda _name: player())
    screen, state = opened(made, of_x())
    state.start.children[0].evaluation = None
    made.click(at(made, "c2"))
    if player is Slow:
        assert state.state == "judging"
        made.app.open(screens.home)
        made.frame()
    made.until(lambda: state.state != "judging")
    assert state.state == "asked"
    assert ("c2" in made.app.message[0]) == (player is Faulty)
    assert Deck().counts() == DeckCounts()
    made.show(screen)


def test_a_deck_that_cannot_be_saved_is_told(made: Stage) -> None:
    _, state = opened(made, of_x())
    Deck().file.unlink(missing_ok=True)
    Deck().file.mkdir()
    made.click(at(made, "b3"))
    assert state.state == "right"
    assert "cannot be" in made.app.message[0]


def others(*names: str) -> GameRecord:
    """A game of two people from elsewhere, with a mistake of each side in it."""
    record = lost()
    record.seats = Seat(PERSON, names[0]), Seat(PERSON, names[1])
    return record


def sides_in_deck() -> list[int]:
    return [each.record().position.turn for each in Deck().due()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "settings", "expected"),
    [
        (("", ""), {}, []),
        (("Ada", "Wu"), {"player_name": "Wu"}, [1]),
        (("Ada", "Wu"), {"names": ["ada ", "Bo"]}, [0]),
        (("Ada", "Wu"), {"names": ["Bo"]}, []),
    ],
)
@pytest.mark.parametrize("where", sampled(["replay", "library"], 1))
def test_the_mistakes_of_strangers_were_collected_as_ones_own(
    made: Stage, where: str, names: tuple[str, str], settings: dict[str, Any], expected: list[int]
) -> None:
    for name, value in settings.items():
        setattr(made.app.settings, name, value)
    if where == "replay":
        reviewed_in(made, others(*names))
    else:
        save(others(*names), saves_home() / "lost.tengen.json")
        state = made.show(LibraryScreen(made.app)).state
        made.until(lambda: len(state.games.selection.ids) == 1 and not state.games.busy)
        made.press(pygame.K_a, pygame.KMOD_CTRL)
        made.push("review")
        made.until(lambda: not state.review.busy)
    assert sorted(set(sides_in_deck())) == expected
    made.app.open(screens.home)
    made.frame()
    assert ("·" in made.app.scene.widgets.buttons["mistakes"].text) == bool(expected)


def at_mistake(made: Stage, replay: Any, side: int) -> None:
    judged = replay.state.reviewer.judged.values()
    replay.state.go(next(each.node for each in judged if each.kind in MISTAKES and each.side == side))
    made.frame()


@pytest.mark.parametrize("side", [0, 1])
def test_another_try_at_the_mistakes_of_the_other_side_were_ones_own_and_counted_in_the_deck(
    made: Stage, side: int
) -> None:
    """The title was “Your mistakes”, the answer came back some day, and the counts were those of the deck."""
    Deck().add([Exercise("another", of_x().game)])
    replay = reviewed_in(made, lost())
    before = Deck().counts()
    at_mistake(made, replay, side)
    made.push("try_again")
    screen, practice = made.app.scene, made.app.scene.practice
    title = t("mistakes.title") if side == 0 else t("mistakes.title_of", name="O")
    assert title_sentence(practice).startswith(title)
    assert counts_sentence(practice) == t("mistakes.counts_game", solved=0, count=len(practice.exercises))
    made.click(at(made, made_move(screen)))
    until_judged(made)
    assert screen.state.state == "right"
    assert counts_sentence(practice) == t("mistakes.counts_game", solved=1, count=len(practice.exercises))
    after = Deck().counts()
    assert (after.total, after.solved) == (before.total, 1 - side)
    for _ in practice.exercises:
        made.push("next")
    assert over_sentence(made.app.scene.practice) == t("mistakes.over_game")


def made_move(screen: Any) -> str:
    """The answer of the exercise."""
    start = screen.state.start
    return str(start.position.move_text(solution(start)[0]))


@pytest.mark.parametrize(("chosen", "expected"), [("side.0", [0]), ("side.1", [1]), ("sides", [0, 1])])
def test_the_mistakes_of_others_are_collected_when_chosen(made: Stage, chosen: str, expected: list[int]) -> None:
    replay = reviewed_in(made, others("Ada", "Wu"))
    assert sides_in_deck() == []
    made.choose("menu", "collect")
    assert [text for _, text in made.app.overlay.options] == [
        t("mistakes.title_of", name="Ada"), t("mistakes.title_of", name="Wu"), t("review.collect_both")
    ]  # fmt: skip
    made.click(made.app.overlay.places()[chosen])
    assert sorted(set(sides_in_deck())) == expected
    assert made.app.message[0] == t("review.collected", count=len(sides_in_deck()))
    assert made.app.scene is replay
