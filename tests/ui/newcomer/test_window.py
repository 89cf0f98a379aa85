"""A game that captures, passes and counts, in the window: boards, play, replay and review."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from ai.core.player import Info, Limit, Stop, answer
from ai.core.score import margin_of
from ai.review.judgement import judge
from ai.review.report import run_review
from ai.search.alphabeta import AlphaBeta
from games.formats.svg import Shown, diagram
from games.position import PASS, Position, score_of
from games.record import GameRecord
from games.registry import setup
from tests.ui.newcomer.games import SHORTEST, finished, game, to_a_pass
from tests.ui.stage import SPOKEN, Make, Stage, act, part
from ui.board.looks import board_view
from ui.board.view import Frame, Marks
from ui.parts.players import Players
from ui.play.screen import Play
from ui.replay.screen import Replay
from ui.setup.screen import SetupScreen
from ui.toolkit.theme import PALETTES
from ui.words.games import turn_sentence
from ui.words.verdicts import figures, kind_name
from ui.words.views import move_outlook, view_sentence


def drawn(record: GameRecord, marks: Marks, made: Stage) -> pygame.Surface:
    surface, view = pygame.Surface((400, 400)), board_view("othello")
    view.place(Frame(surface.get_rect(), 1.0, PALETTES["ink"], made.app.theme.font))
    view.show(record.position, (), 0.0)
    view.draw(surface, marks, 0.0)
    return surface


def at(record: GameRecord, surface: pygame.Surface, cell: str, made: Stage) -> pygame.Color:
    """The colour near the edge of the stone on `cell`, where no number is."""
    view = board_view("othello")
    view.place(Frame(surface.get_rect(), 1.0, PALETTES["ink"], made.app.theme.font))
    view.show(record.position, (), 0.0)
    x, y = view.pixel_of(record.position.parse_move(cell))
    return surface.get_at((x, y + 12))


def test_a_line_turns_discs_over_on_the_board(made: Stage) -> None:
    """It added stones, and those that were captured stayed as they were."""
    record = game()
    line = tuple(map(record.position.parse_move, ("d3", "c5")))
    plain, shown = drawn(record, Marks(), made), drawn(record, Marks(line=line), made)
    assert sum(at(record, plain, "d4", made)[:3]) > 300 > sum(at(record, shown, "d4", made)[:3]), "white, then black"
    assert at(record, plain, "e4", made) == at(record, shown, "e4", made), "untouched"
    after = game("d3")
    assert drawn(after, Marks(line=line[1:]), made).get_size() == (400, 400)


def test_a_move_under_the_pointer_shows_what_it_turns_over(made: Stage) -> None:
    record = game()
    hover = record.position.parse_move("d3")
    plain, shown = (drawn(record, marks, made) for marks in (Marks(), Marks(hover=hover)))
    for cell in ("d3", "d4"):
        assert at(record, plain, cell, made) != at(record, shown, cell, made)
    assert at(record, plain, "e4", made) == at(record, shown, "e4", made)


def test_a_line_turns_discs_over_in_a_diagram() -> None:
    record = game()
    line = tuple(map(record.position.parse_move, ("d3", "e3")))
    svg = diagram(record.setup, record.position, Shown(line=line))
    assert svg.count('opacity="0.62"') == 4, "d3, e3, and what they turned over: d4 and e4"
    assert svg.count("<circle") == 6


def test_the_cells_of_a_diagram_have_a_line_around_them() -> None:
    """The lines between them ended at nothing."""
    assert re.search(r'<rect [^>]*x="24" y="24" width="256" height="256"', diagram(game().setup, game().position))


def test_rows_are_numbered_as_moves_are_written() -> None:
    """From the bottom, whatever the game called its moves."""
    svg = diagram(game().setup, game().position)
    rows = [svg.index(f'>{number}</text>') for number in range(1, 9)]
    assert rows == sorted(rows), "1 is at the top"


def test_who_must_pass_is_told_so_and_has_a_button(made: Stage) -> None:
    """A hint said nothing at first, and a replay had neither sentence nor button."""
    record = to_a_pass()
    scene = made.show(Play(made.app, record, autosave=False))
    assert turn_sentence(record, thinking=False, waiting=False) == "White must pass"
    assert scene.state.next_step == "pass"
    assert "pass" not in scene.widgets.elements, "no second one"
    act(scene, "h")
    assert scene.state.hints.search is None
    assert made.app.message[0] == "White must pass"
    made.push("primary")
    assert record.cursor.move == PASS
    assert scene.state.next_step == "hint"


def test_a_pass_is_made_in_a_replay_by_its_button(made: Stage) -> None:
    record = to_a_pass()
    scene = made.show(Replay(made.app, record, at_cursor=True, autosave=False))
    assert scene.widgets.elements["pass"].enabled
    made.push("pass")
    assert record.cursor.move == PASS
    assert not scene.widgets.elements["pass"].enabled


@pytest.mark.parametrize("language", SPOKEN)
def test_its_screens_fit_in_the_smallest_window(stage: Make, language: str) -> None:
    made = stage((960, 640), 100, "ink", language)
    made.show(SetupScreen(made.app, "othello"))
    made.show(Play(made.app, to_a_pass(), autosave=False))
    made.show(Replay(made.app, to_a_pass(), at_cursor=True, autosave=False))
    assert made.cuts == []


def test_a_forced_pass_is_not_judged() -> None:
    """It was a good move, and raised the accuracy."""
    record = finished()
    node = next(node for node in record.line() if node.move == PASS)
    info = answer(AlphaBeta(), node.position, Limit())
    judged = judge(record.setup, 0, node, None, info.evaluation(node.position.turn))
    assert judged is not None
    assert (judged.kind, kind_name(judged.kind)) == ("forced", "Forced")


class _OnePly(AlphaBeta):
    """Looks one move ahead, and says that it took all of its time."""

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        for info in super().think(position, Limit(depth=1), stop):
            yield replace(info, seconds=limit.seconds or 0.0)


def test_a_game_with_a_forced_pass_is_reviewed() -> None:
    """The review failed where the pass was judged before the position in which it was made had been searched."""
    report = run_review(finished(), 1.0, 0, make=_OnePly)
    assert len(report.moves) == len(finished().line()) - 1
    assert [judged.kind == "forced" for judged in report.moves] == [judged.move == PASS for judged in report.moves]


def endgame(plies: int = 7) -> GameRecord:
    record = finished()
    record.go_to(record.line()[-1 - plies])
    return record


def test_the_search_wins_by_as_much_as_can_be() -> None:
    """Of won positions with seven empty cells it gave away four discs on average."""

    def best(position: Position) -> int:
        """The lead of the first side with best play, by plain minimax."""
        if position.outcome is not None:
            first, second = score_of(position) or (0, 0)
            return first - second
        values = [best(position.play(move)) for move in position.legal_moves()]
        return min(values) if position.turn else max(values)

    record = endgame()
    info = answer(AlphaBeta(), record.position, Limit())
    known = info.evaluation(record.position.turn)
    lead = best(record.position)
    assert margin_of(known) == abs(lead)
    assert best(record.position.play(info.move)) == lead
    side = "Black" if lead > 0 else "White"
    assert view_sentence(record.setup, record.position, known) == f"{side} wins by {abs(lead)}"
    assert move_outlook(record.setup, record.position, known, int(lead < 0)) == f"wins by {abs(lead)}"


def test_a_review_says_how_many_discs_a_move_gives_away() -> None:
    record = endgame()
    before = record.cursor
    before.evaluation = answer(AlphaBeta(), before.position, Limit()).evaluation(before.position.turn)
    found = []
    for move in before.position.legal_moves():
        record.go_to(before)
        node = record.play(move)
        known = None if node.outcome else answer(AlphaBeta(), node.position, Limit()).evaluation(node.position.turn)
        node.evaluation = known
        judged = judge(record.setup, 0, node, before.evaluation, known)
        assert judged is not None
        found.append((judged.kind, figures(judged)))
    kind, text = found[[*before.position.legal_moves()].index(before.evaluation.line[0])]
    assert kind in ("best", "good")
    assert "Gave away" not in text
    assert [kind for kind, text in found if "Gave away" in text] == ["inaccuracy", "good"], found


def test_the_counts_of_both_sides_are_shown_in_play(made: Stage) -> None:
    record = game(SHORTEST[:-2])
    players = part(made.show(Play(made.app, record, autosave=False)), Players)
    assert players.counts() == ["7", "5"]
    record.play(record.position.parse_move("e3"))
    assert players.counts() == ["13", "0"]
    record = GameRecord(setup("gomoku"))
    assert part(made.show(Play(made.app, record, autosave=False)), Players).counts() == ["", ""]
