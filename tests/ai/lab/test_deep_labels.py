"""Labels of positions from balanced openings: what is labelled, and that a killed run goes on."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path

import pytest

from ai.arena.journal import BadJournal
from ai.core.player import Limit, answer
from ai.core.score import Score
from ai.gomoku.book import SIZE, SYMMETRIES, canonical, transform
from ai.gomoku.engine import RULES, GomokuEngine
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels.evaluate import evaluate
from ai.gomoku.tables import build, cell_of
from ai.lab.deep_labels import LabelledGame, Search, extend, pack, packed, samples
from ai.lab.gomoku_labels import Game, Label, games_of
from ai.lab.selfplay import Searcher
from games.line import LinePosition
from games.registry import setup

SEARCH = Search("renju", nodes=600, game_nodes=60, signature=1)
SEED = 3  # of games that all have labels


def labelled(folder: Path, count: int, seed: int = SEED) -> list[LabelledGame]:
    return list(extend(folder, SEARCH, seed, count))


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[LabelledGame]]:
    folder = tmp_path_factory.mktemp("labels")
    return folder / f"renju-{SEED}.jsonl", labelled(folder, 3)


@pytest.mark.slow
def test_each_label_is_what_a_search_of_the_position_finds(games: tuple[Path, list[LabelledGame]]) -> None:
    engine = GomokuEngine(memory_mb=16)
    for game in games[1]:
        assert 3 <= game.opening <= game.alone <= 18
        positions = list(game.positions("renju"))
        assert game.labels, "a seed whose games have labels"
        for ply, move, score in game.labels:
            assert game.alone <= ply <= 18
            engine.forget()
            info = answer(engine, positions[ply], Limit(nodes=600))
            assert (move, score) == (info.move, int(info.score))


def test_the_result_is_that_of_the_engine_alone_from_the_position_on(games: tuple[Path, list[LabelledGame]]) -> None:
    for game in games[1]:
        engine, positions = GomokuEngine(memory_mb=16), list(game.positions("renju"))
        for position, move in zip(positions[game.alone :], game.moves[game.alone :], strict=False):
            info = answer(engine, position, Limit(nodes=60))
            assert (info.mate, info.move) == (None, move)
        last = positions[-1]
        if last.outcome is None:
            mate = Score(answer(engine, last, Limit(nodes=60)).score).mate
            assert mate is not None
            assert game.result == (1 if (mate > 0) == (last.turn == 0) else -1)


def test_samples_are_the_positions_with_labels_or_those_after_them(
    games: tuple[Path, list[LabelledGame]],
) -> None:
    """A position in which a five is possible, or an open four can be made, is none of them."""
    board = Board(build(RULES["renju"], SIZE), 1023)
    found = {late: list(samples("renju", games_of(games[0]), late)) for late in (False, True)}
    assert sum(len(rows) for rows, _ in found[True]) > 0
    for number, game in enumerate(games[1]):
        positions = list(game.positions("renju"))
        labels = {ply: (move, score) for ply, move, score in game.labels}
        for late, games_found in found.items():
            rows, result = games_found[number]
            assert result == (game.result + 1) / 2
            for row in rows:
                board.set(positions[row.stones])
                move, score = game.moves[row.stones], int(evaluate(board.state, board.tables))
                wanted = (move, score) if late else labels[row.stones]
                assert (row.stones > 18) == late
                assert (row.cells[row.best], row.score, row.side) == (
                    cell_of(wanted[0], SIZE),
                    wanted[1],
                    row.stones % 2,
                )
        assert len(found[False][number][0]) <= len(labels)
    assert sum(len(rows) for rows, _ in found[False]) >= sum(len(game.labels) for game in games[1]) / 2


def test_positions_are_labelled_anew_under_another_rule_until_it_forbids_a_move(tmp_path: Path) -> None:
    """The games are labelled for freestyle, where black may make two threes at once, its last move of the second."""
    names = ["g8", "a1", "i8", "a4", "h7", "c15", "h9", "o1", "h8"]
    moves = [(15 - int(name[1:])) * 15 + ord(name[0]) - ord("a") for name in names]
    file = tmp_path / "games.jsonl"
    labels: list[Label] = [(4, moves[4], 7), (5, moves[5], None)]
    more: list[Label] = [(4, moves[4], -7), (9, 17, 9)]
    file.write_text(Game(moves[:5], labels).line() + Game([*moves, 17], more).line(), encoding="ascii")
    kept = [rows for rows, result in samples("freestyle", games_of(file)) if isnan(result)]
    assert [[(row.stones, row.score) for row in rows] for rows in kept] == [[(4, 7)], [(4, -7), (9, 9)]]
    searcher, anew = Searcher(RULES["renju"], SIZE, 300), list(samples("renju", games_of(file), nodes=300))
    position = setup("gomoku", SIZE, "renju").start()
    for move in moves[:4]:
        position = position.play(move)
    assert isinstance(position, LinePosition)
    searcher.board.set(position)
    score, best = searcher.search()
    expected = [(4, score, best)]
    assert [[(row.stones, row.score, row.cells[row.best]) for row in rows] for rows, _ in anew] == [expected] * 2


def test_a_killed_run_goes_on_to_what_it_would_have_found(
    games: tuple[Path, list[LabelledGame]], tmp_path: Path
) -> None:
    file, found = games
    whole = file.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / file.name).write_text("".join(whole[:2]) + whole[2][:20], encoding="utf-8")
    assert labelled(tmp_path, 3) == found[1:]
    assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_labels_of_another_search_are_not_added_or_joined(
    games: tuple[Path, list[LabelledGame]], tmp_path: Path
) -> None:
    file, _ = games
    other = Search("renju", nodes=600, game_nodes=60, signature=2)
    (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(BadJournal, match="other options"):
        list(extend(tmp_path, other, SEED, 4))
    head, *rows = file.read_text(encoding="utf-8").splitlines(keepends=True)
    changed = tmp_path / "renju-2.jsonl"
    changed.write_text(head.replace('"signature": 1', '"signature": 2') + "".join(rows), encoding="utf-8")
    with pytest.raises(BadJournal, match=r"renju-2\.jsonl"):
        pack([file, changed], tmp_path / "labels" / "renju.jsonl.xz")


def test_no_position_is_packed_twice_turned_or_not(games: tuple[Path, list[LabelledGame]], tmp_path: Path) -> None:
    file, found = games
    lines = file.read_text(encoding="utf-8").splitlines()
    image = json.loads(lines[1])
    image["moves"] = [transform(move, SYMMETRIES[5]) for move in image["moves"]]
    image["labels"] = [[ply, transform(move, SYMMETRIES[5]), score] for ply, move, score in image["labels"]]
    other = tmp_path / "renju-2.jsonl"
    other.write_text("\n".join([lines[0].replace(f'"seed": {SEED}', '"seed": 2'), json.dumps(image), lines[2][:9]]))
    out = tmp_path / "labels" / "renju.jsonl.xz"
    count = sum(len(game.labels) for game in found)
    assert pack([file, other], out) == count
    head, games_packed = packed(out)
    assert head == {"rule": "renju", "nodes": 600, "game_nodes": 60, "version": SEARCH.version, "signature": 1}
    labelled = [list(map(tuple, game.labels)) for game in found if game.labels]
    assert [list(map(tuple, game.labels)) for game in games_packed] == labelled
    shapes = [canonical(list(game.positions("renju"))[label[0]].cells)[0] for game in found for label in game.labels]
    assert len(set(shapes)) == count
