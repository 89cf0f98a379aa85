"""The tab of the analysis: its lines are shown on the board and played, and it shows as many as are wanted. A proof is
found on a thread, goes into the tree as one change, and is kept; it can be stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pygame
import pytest

from ai.core.player import Info, Limit, Line, Player, Stop
from ai.gomoku.handle import EngineState
from ai.gomoku.threat_solver import Proof, ThreatSolver
from ai.players.opponents import opponents
from ai.players.table import Context, make
from games.formats import load, save
from games.formats.text import parse
from games.position import Position
from games.record import GameRecord, path
from games.registry import setup
from tests.games.strategies import Ticking
from tests.players import Slow
from tests.ui.scenes import SCENES
from tests.ui.stage import Make, Stage, act, part, thinks
from tests.waiting import wait
from ui.parts.analyst import Analyst
from ui.parts.move_line import ROW, MoveLine
from ui.replay.analysis import AnalysisTab, ProofJob, ProveThis, branch
from ui.replay.screen import Replay
from ui.toolkit.i18n import joined, t
from ui.toolkit.space import Space
from ui.toolkit.typesetting import width_of


def analysed(made: Stage, moves: str = "a1b1") -> Any:
    """A game of tic-tac-toe at its end, which is searched to the end at once."""
    scene: Any = made.show(Replay(made.app, parse(moves, setup("tictactoe")), at_cursor=True, tab="analysis"))
    await_it(made, scene)
    return scene


def await_it(made: Stage, scene: Any) -> None:
    made.frame()
    made.until(lambda: scene.state.analyst.complete)


def lines(scene: Any) -> list[MoveLine]:
    return [element for name, element in scene.widgets.elements.items() if name.startswith("line.")]


def test_a_line_is_shown_on_the_board_and_played(made: Stage) -> None:
    scene = analysed(made)
    node, line = scene.state.record.cursor, lines(scene)[1]
    assert scene.all_marks().candidates
    made.hover(line.centre(3))
    assert (scene.all_marks().line, scene.all_marks().candidates) == (line.moves[:3], ())
    made.click(line.centre(2))
    played = scene.state.record.cursor
    assert (played.parent.move, played.move) == line.moves[:2]
    assert played.parent.parent is node


def test_a_line_has_two_rows_at_most(stage: Make) -> None:
    made = stage((960, 640))
    scene: Any = made.show(Replay(made.app, parse("", setup("bones", 60)), at_cursor=True, tab="analysis"))
    scene.widgets.press("lines.1")
    await_it(made, scene)
    (line,) = lines(scene)
    assert (len(line.cells) < len(line.moves), line.rect.height) == (True, 2 * made.app.theme.px(ROW))


def test_a_line_stays_on_the_board_while_more_is_found(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time that the lines were made anew the board showed the candidates again."""
    scene = analysed(made)
    node, line = scene.state.record.cursor, lines(scene)[0]
    made.hover(line.centre(1))
    drawn: list[tuple[int, ...]] = []
    monkeypatch.setattr(scene.board, "draw", lambda _surface, marks, _now: drawn.append(marks.line))
    for depth in range(20, 25):
        node.evaluation = replace(node.evaluation, depth=depth)
        made.frame()
    assert drawn == 5 * [line.moves[:1]]
    assert lines(scene)[0] is not line, "there is more"


def test_a_value_that_is_not_shown_is_explained(made: Stage) -> None:
    scene = analysed(made, "b2a1")
    node = scene.state.record.cursor
    known = node.evaluation
    node.evaluation = replace(known, score=-30, mate=None, exact=False, others=(replace(known.others[0], score=40),))
    made.frame(2)
    assert [bool(line.tip) for line in lines(scene)] == [False, True]


def test_the_keyboard_plays_a_line_too(made: Stage) -> None:
    scene = analysed(made)
    line = lines(scene)[0]
    scene.widgets.focus = "line.0"
    made.keys(pygame.K_RIGHT, pygame.K_RIGHT)
    assert scene.all_marks().line == line.moves[:2]
    made.press(pygame.K_RETURN)
    assert scene.state.record.cursor.parent.move == line.moves[0]


def test_the_keyboard_keeps_its_place_in_a_line_while_more_is_found(made: Stage) -> None:
    """Each time that the lines were made anew the chosen move was forgotten, and Enter left the replay."""
    scene = analysed(made)
    node, line = scene.state.record.cursor, lines(scene)[0]
    scene.widgets.focus = "line.0"
    made.keys(pygame.K_RIGHT, pygame.K_RIGHT)
    for depth, rebuilt in ((20, False), (21, True)):
        node.evaluation = replace(node.evaluation, depth=depth)
        if rebuilt:
            made.app.rebuild()
        made.frame()
        assert scene.all_marks().line == line.moves[:2]
    made.press(pygame.K_RETURN)
    assert made.app.scene is scene
    assert [each.move for each in path(scene.state.record.cursor)[-2:]] == list(line.moves[:2])


def test_a_candidate_under_the_pointer_shows_what_follows(made: Stage) -> None:
    scene = analysed(made)
    best = scene.state.analyst.lines()[0]
    made.hover(scene.board.pixel_of(best.moves[0]))
    assert scene.all_marks().line == best.moves[:9]


def test_the_tab_is_chosen_again(made: Stage) -> None:
    """It looked for its buttons before they were made again, and the window closed."""
    scene = analysed(made)
    for tab in ("moves", "analysis", "review", "analysis"):
        scene.state.choose_tab(tab)
        made.frame()
    assert lines(scene)


@pytest.mark.parametrize("number", [1, 5])
def test_as_many_moves_are_shown_as_wanted_also_in_the_next_game(made: Stage, number: int) -> None:
    scene = analysed(made)
    assert len(lines(scene)) == 3
    scene.widgets.press(f"lines.{number}")
    await_it(made, scene)
    assert len(lines(scene)) == number
    assert len(scene.all_marks().candidates) == 7, "the board shows all moves of a small game"
    again = analysed(made, "a1c3")
    assert len(lines(again)) == number


def test_looking_deeper_is_offered_when_the_search_is_over_unless_the_result_is_proven(made: Stage) -> None:
    scene = analysed(made)
    assert not scene.widgets.buttons["deepen"].enabled
    node = scene.state.record.cursor
    node.evaluation = replace(node.evaluation, mate=None, exact=False)
    made.frame(2)
    assert scene.widgets.buttons["deepen"].enabled
    made.push("deepen")
    await_it(made, scene)
    scene.state.go(scene.state.record.root)
    act(scene, "a")
    assert "deepen" not in scene.widgets.elements


def test_looking_deeper_is_not_offered_while_the_position_is_searched(made: Stage) -> None:
    thinks(made.app, lambda _: Slow())
    scene = made.show(Replay(made.app, parse("a1b1", setup("tictactoe")), at_cursor=True, tab="analysis"))
    made.frame(2)
    assert not scene.widgets.buttons["deepen"].enabled


class Odd(Player):
    """Finds one line, to a depth of its own."""

    nodes = 5
    line = Line(-3, (2, 4))

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield Info(2, -3, 7, self.nodes, lines=(self.line,))


def test_another_player_analyses(made: Stage) -> None:
    """Its view is shown, and not kept for that of the strongest player."""
    thinks(made.app, lambda name: Odd() if name == "trickster" else make(name, Context("tictactoe")))
    scene = analysed(made)
    analyst, evaluation = scene.state.analyst, scene.state.record.cursor.evaluation
    assert (analyst.known, evaluation.by) == (evaluation, "alphabeta")
    made.choose("player", "trickster")
    await_it(made, scene)
    assert [found.moves for found in analyst.lines()] == [Odd.line.moves]
    assert (analyst.known.depth, analyst.known.by) == (7, "trickster")
    assert scene.state.record.cursor.evaluation is evaluation
    made.push("deepen")
    assert not analyst.complete, "it searches for longer"
    await_it(made, scene)
    made.choose("player", "alphabeta")
    await_it(made, scene)
    assert analyst.known.by == "alphabeta"


def test_a_player_that_is_not_ready_is_not_quoted(made: Stage) -> None:
    class Unready(Odd):
        def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
            for info in super().think(position, limit, stop):
                yield replace(info, stand_in=True)

    thinks(made.app, lambda _: Unready())
    made.app.engine.state = EngineState("loading")
    scene = made.show(Replay(made.app, parse("a1b1", setup("tictactoe")), at_cursor=True, tab="analysis"))
    made.choose("player", "trickster")
    made.until(lambda: scene.state.analyst.info)
    assert scene.state.analyst.known is None
    assert [found.text for found in scene.state.analyst.lines()] == [""]


# Where lines, tables and the state of the search stand.


def laid_out(scene: Any, wanted: int, wide: int, high: int) -> list[tuple[int, int]]:
    """Lay the tab out in so much room, and return top and height of each line."""
    scene.state.analyst.wanted = wanted
    part(scene, AnalysisTab).build(Space(pygame.Rect(0, 0, wide, high), 0))
    return [(line.rect.top, line.rect.height) for line in lines(scene)]


def written(scene: Any, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What tab and tables write, and the top of each text."""
    found: list[tuple[str, int]] = []
    for module in ("ui.parts.search_tables", "ui.replay.analysis"):
        monkeypatch.setattr(f"{module}.write", lambda _s, _t, text, rect, *_, **__: found.append((text, rect.top)))
    part(scene, AnalysisTab).draw(scene.host.surface, 0.0)
    return found


@pytest.mark.parametrize(
    ("name", "cases"),
    [
        ("replay depths", [(1, 200, 0, 0), (1, 260, 134, 4), (1, 300, 154, 5), (3, 300, 174, 4), (3, 340, 174, 6),
                           (3, 400, 254, 5), (3, 500, 254, 10), (5, 340, 0, 0), (5, 400, 234, 6)]),
        ("replay cluster", [(1, 200, 0, 0), (1, 300, 176, 4), (3, 300, 216, 2), (3, 400, 236, 6), (5, 300, 0, 0),
                            (5, 400, 276, 4)]),
    ],
)  # fmt: skip
def test_tables_leave_room_for_the_lines(
    made: Stage, monkeypatch: pytest.MonkeyPatch, name: str, cases: list[tuple[int, int, int, int]]
) -> None:
    """Of wanted lines and height: the top of the table, and how many rows it has, its head among them."""
    scene: Any = made.show(SCENES[name](made))
    found = scene.state.analyst
    made.until(lambda: found.info is not None and (found.info.depths or len(found.workers) == 8))
    for wanted, high, top, rows in cases:
        laid_out(scene, wanted, 320, high)
        tops = {below for _, below in written(scene, monkeypatch)[1:]}
        assert (min(tops, default=0), len(tops)) == (top, rows)


def test_lines_have_a_second_row_where_there_is_room(made: Stage) -> None:
    scene = analysed(made)
    for high, heights in (
        (151, []), (152, [24]), (175, [24]), (176, [24, 24]), (200, [24, 24, 24]), (223, [24, 24, 24]),
        (224, [48, 24, 24]), (248, [48, 48, 24]), (272, [48, 48, 48]), (400, [48, 48, 48]),
    ):  # fmt: skip
        tops = [84 + sum(heights[:number]) for number in range(len(heights))]
        assert laid_out(scene, 3, 170, high) == list(zip(tops, heights, strict=True))


def test_the_state_of_the_search_is_told_as_far_as_there_is_room(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene: Any = made.show(SCENES["replay depths"](made))
    made.until(lambda: scene.state.analyst.complete)
    node, seen = scene.state.record.cursor, []
    proven, open_yet = node.evaluation, replace(node.evaluation, mate=None, exact=False, score=120)
    for node.evaluation, wide in ((proven, 700), (open_yet, 700), (open_yet, 400), (open_yet, 300), (open_yet, 200)):
        laid_out(scene, 1, wide, 200)
        seen.append(written(scene, monkeypatch)[0][0])
    score = "Depth 21 · Black +1.2"
    assert seen == ["Depth 21 · Nodes 123M", f"{score} · Nodes 123M", score, "Depth 21", ""]
    monkeypatch.setattr(Analyst, "busy", True)
    laid_out(scene, 1, 700, 200)
    assert written(scene, monkeypatch)[0][0] == f"{score} · Nodes 123M · 4.1M/s"
    for info in (None, replace(scene.state.analyst.info, nodes=0)):
        monkeypatch.setattr(Analyst, "info", info)
        assert written(scene, monkeypatch)[0][0] == score


def test_the_proofs_are_beside_the_player_where_there_is_room(made: Stage) -> None:
    scene: Any = made.show(Replay(made.app, parse("h8i9"), tab="analysis"))
    made.frame()
    prove, player = (scene.widgets.buttons[name] for name in ("prove", "player"))
    need = prove.rect.width + 8 + width_of(made.app.theme, player.text, 16) + 56
    for wide, beside in ((need, True), (need - 1, False)):
        laid_out(scene, 1, wide, 400)
        prove, player = (scene.widgets.buttons[name] for name in ("prove", "player"))
        assert prove.rect.top - player.rect.top == (0 if beside else 40)
        assert player.rect.width == (wide - prove.rect.width - 8 if beside else wide)


# Prove this.


CROSSED_TWOS = "e5e6f5a3g4a5g3a9"
"""On a small board: black's twos cross at g5, where one stone makes two open threes."""


def replayed(made: Stage, record: GameRecord, file: Any = None) -> tuple[Any, ProveThis]:
    screen = made.show(Replay(made.app, record, file, at_cursor=True))
    return screen, part(screen, ProveThis)


def entry(proofs: ProveThis, name: str) -> Any:
    return next(each for each in proofs.entries() if each.name == name)


def test_a_win_by_threats_becomes_a_tree_that_is_kept(made: Stage) -> None:
    file = made.home / "twos.tengen.json"
    save(parse("e5a1f5a3g4a5g3a9", setup("gomoku", 9, "freestyle")), file)  # white can make fours in between
    screen, proofs = replayed(made, load(file), file)
    screen.state.record.go_to(screen.state.record.line()[-1])
    here = screen.state.record.cursor
    entry(proofs, "prove_threats").run()
    made.until(lambda: not proofs.busy)
    (first,) = here.children
    assert here.position.move_text(first.move) == "g5"
    assert first.comment == t("prove.won.threats", side=t("side.gomoku.0"), count=5)
    assert made.app.message[0] == f"{first.comment} {t('prove.added')}"
    assert len(first.children) > 1
    assert screen.state.record.cursor is here
    made.app.files.settle()
    assert load(file) == screen.state.record
    screen.state.undo()
    assert here.children == []


def test_what_has_no_win_by_fours_is_said_to_have_none(made: Stage) -> None:
    screen, proofs = replayed(made, parse(CROSSED_TWOS, setup("gomoku", 9, "freestyle")))
    entry(proofs, "prove_fours").run()
    made.until(lambda: not proofs.busy)
    assert made.app.message[0] == t("prove.none.fours")
    assert screen.state.record.cursor.children == []


def test_a_proof_may_have_to_begin_with_the_next_move(made: Stage) -> None:
    record = parse(CROSSED_TWOS + "a1", setup("gomoku", 9, "freestyle"))
    record.undo()
    screen, proofs = replayed(made, record)
    assert "a1" in entry(proofs, "prove_move").text
    entry(proofs, "prove_move").run()
    made.until(lambda: not proofs.busy)
    assert [node.move for node in screen.state.record.cursor.children] == [72]


def test_one_of_the_moves_in_the_tree_is_proven_and_that_none_is_is_said_of_them(made: Stage) -> None:
    record = parse(CROSSED_TWOS + "a1", setup("gomoku", 9, "freestyle"))
    record.undo()
    here, (a1, g5) = record.cursor, (record.position.parse_move(text) for text in ("a1", "g5"))
    record.play(g5)
    record.undo()
    _, proofs = replayed(made, record)
    entry(proofs, "prove_moves").run()
    made.until(lambda: not proofs.busy)
    assert here.children[1].comment == t("prove.won.threats", side=t("side.gomoku.0"), count=3)
    proofs.prove(False, (a1, g5))
    made.until(lambda: not proofs.busy)
    assert made.app.message[0] == t("prove.none.moves", moves="a1, g5")


def test_a_proof_is_offered_of_the_next_move_and_of_several_with_at_most_four_names(made: Stage) -> None:
    record = parse(CROSSED_TWOS, setup("gomoku", 9, "freestyle"))
    _, proofs = replayed(made, record)
    offered = ["prove_fours", "prove_threats", "prove_move", "prove_moves"]
    for number, names in enumerate(("", "a8", "a8, b8", "a8, b8, c8", "a8, b8, c8, d8", "a8, b8, c8, d8, …")):
        if number:
            record.play(8 + number)
            record.undo()
        assert [each.name for each in proofs.entries()] == offered[: 2 + min(number, 2)]
        if number > 1:
            assert entry(proofs, "prove_moves").text == t("prove.moves", moves=names)


def test_the_tab_has_a_button_with_the_proofs_and_to_stop_them(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ai.gomoku.threat_solver.ThreatSolver", Endless)
    record = parse(CROSSED_TWOS, setup("gomoku", 9, "freestyle"))
    screen = made.show(Replay(made.app, record, None, True, tab="analysis"))
    screen.state.record.play(screen.state.record.position.parse_move("a1"))
    screen.state.record.undo()
    made.frame()
    made.click(screen.widgets.elements["prove"].rect.center)
    assert "prove_move" in made.app.overlay.places(), "the menu has what is there now"
    made.keys(pygame.K_RETURN)
    made.frame()
    proofs = part(screen, ProveThis)
    assert proofs.busy
    made.click(screen.widgets.elements["prove"].rect.center)
    assert not proofs.busy


class Endless(ThreatSolver):
    def prove(self, *arguments: Any, **_: Any) -> Proof | None:
        stop = next(each for each in arguments if isinstance(each, Stop))
        wait(stop.is_set)
        return None


@pytest.mark.parametrize("leave", [True, False])
def test_a_proof_is_stopped_from_the_menu_and_by_leaving(
    made: Stage, monkeypatch: pytest.MonkeyPatch, leave: bool
) -> None:
    monkeypatch.setattr("ai.gomoku.threat_solver.ThreatSolver", Endless)
    screen, proofs = replayed(made, parse(CROSSED_TWOS, setup("gomoku", 9, "freestyle")))
    entry(proofs, "prove_threats").run()
    made.frame()
    assert screen.status()
    assert proofs.wake(0.0) == 0.2
    assert [each.name for each in proofs.entries()] == ["prove_stop"]
    if leave:
        screen.close()
    else:
        entry(proofs, "prove_stop").run()
        assert made.app.message[0] == t("prove.stopped")
    assert (proofs.busy, proofs.wake(0.0), proofs.status()) == (False, None, "")


class Trying:
    """Refutes a move when it is asked of it the third time, or never; or finds `proof` at once."""

    proof: Proof | None = None
    tries = 3

    def __init__(self) -> None:
        self.nodes, self.complete, self.asked = 0, False, list[tuple[bool, int | None, int | None]]()

    def prove(
        self, _position: Position, by_threats: bool, nodes: int | None, move: int | None, _stop: Stop, _most: int
    ) -> Proof | None:
        self.asked.append((by_threats, nodes, move))
        self.nodes, self.complete = 7, [asked for *_, asked in self.asked].count(move) == self.tries
        return self.proof


@pytest.mark.parametrize("by_threats", [False, True])
def test_what_is_not_decided_is_tried_again_with_more_nodes(
    made: Stage, monkeypatch: pytest.MonkeyPatch, by_threats: bool
) -> None:
    solver: Any = Trying()
    monkeypatch.setattr("ui.replay.analysis.time", Ticking(4.6))
    job = ProofJob(made.app, lambda: solver, GameRecord(setup("gomoku")).root, by_threats, (3, 4), print)
    assert (job.nodes, job.known) == (0, False)
    assert job.work(print) is None
    assert (job.nodes, job.known) == (42, True)
    assert job.sentence == t("prove.progress", nodes="42", seconds=5)
    assert [(threats, move) for threats, _, move in solver.asked] == [(by_threats, 3), (by_threats, 4)] * 3
    assert len({nodes for _, nodes, _ in solver.asked}) == 3


@pytest.mark.parametrize(("plies", "whole"), [(4, True), (5, False), (0, True)])
def test_a_proof_that_is_not_whole_and_a_search_without_an_answer_are_told(
    made: Stage, monkeypatch: pytest.MonkeyPatch, plies: int, whole: bool
) -> None:
    monkeypatch.setattr("ai.gomoku.threat_solver.ThreatSolver", Trying)
    monkeypatch.setattr(Trying, "tries", 0)
    monkeypatch.setattr(Trying, "proof", Proof(3, plies, whole=whole) if plies else None)
    screen, proofs = replayed(made, GameRecord(setup("gomoku")))
    proofs.prove(False, (3, 4))
    made.until(lambda: not proofs.busy)
    won = t("prove.won.fours", side=t("side.gomoku.0"), count={4: 2, 5: 3}.get(plies, 1))
    comments = [node.comment for node in screen.state.record.root.children]
    assert comments == ([joined((won, "" if whole else t("prove.outline")))] if plies else [])
    assert plies or made.app.message[0] == t("prove.unknown")


def test_other_games_and_finished_ones_have_no_proofs(made: Stage) -> None:
    assert opponents("tictactoe").threat_solver is None
    for record in (parse("a1", setup("tictactoe")), parse("e5a1f5a2g5a3h5a4i5", setup("gomoku", 9, "freestyle"))):
        _, proofs = replayed(made, record)
        assert proofs.entries() == ()
        proofs.prove(True)
        assert not proofs.busy


def test_the_longest_defence_comes_first() -> None:
    proof = Proof(1, 7, ((2, Proof(3, 1)), (4, Proof(5, 5, ((6, Proof(7, 3)),)))))
    assert [reply.move for reply in branch(proof).replies] == [4, 2]
