"""Databases: what is imported is found again, exactly as a plain scan of the games finds it."""

from __future__ import annotations

import errno
import os
import random
import sqlite3
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from games import formats
from games.database import importer
from games.database.importer import Progress, Writer, import_games
from games.database.position_keys import END, keys_of
from games.database.reader import Explored, GameQuery, Reader, Summary
from games.database.schema import DatabaseError, connect, is_database
from games.evaluation import Evaluation
from games.formats import FormatError, encoded, load_all, save
from games.formats.text import parse
from games.library.file_actions import final_node
from games.library.index import path_of, path_text
from games.position import IllegalMove, Outcome, Position, cells_of
from games.record import About, GameRecord, Node, Seat, path
from games.registry import GAMES, Setup, setup
from tests.games.formats_samples import LIB_EXAMPLE, RIF_EXAMPLE, SAMPLES


def random_game(chance: random.Random, of: Setup, most: int = 30) -> GameRecord:
    """A game near the centre, so that games meet, also in other symmetries."""
    seats = Seat(name=chance.choice("ABC")), Seat("engine", chance.choice("DEF"))
    record = GameRecord(of, seats)
    record.date = chance.choice(("2019", "2020-05-01", "2021-03", ""))
    while record.outcome is None and record.position.ply < most:
        legal = list(record.position.legal_moves())
        few = record.position.candidates()[:5] if record.position.ply > 4 else _central(of, legal)
        record.play(chance.choice(few))
    if record.outcome is None and chance.random() < 0.5:
        record.end(Outcome(chance.choice((0, 1, None)), "other"))
    return record


def _central(of: Setup, legal: Sequence[int]) -> Sequence[int]:
    width, height = of.board
    if of.board == (0, 0) or width != height:
        return legal
    half = of.size // 2
    return [move for move in legal if abs(move % width - half) < 2 and abs(move // width - half) < 2] or legal


# A plain scan: no keys, only boards that are turned and mirrored.


def plain(position: Position, of: Setup) -> object:
    """The position as it is."""
    return position.key if of.board == (0, 0) else (cells_of(position), position.turn)


def turned(position: Position, of: Setup) -> set[object]:
    """The position as each symmetry makes it."""
    if of.board == (0, 0):
        return {plain(position, of)}
    width, height = of.board
    rows = [list(cells_of(position)[row * width : (row + 1) * width]) for row in range(height)]
    found = []
    for _ in range(4 if GAMES[of.game].symmetries == 8 else 1):
        found += [rows, [row[::-1] for row in rows]]
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
    if GAMES[of.game].symmetries == 1:
        found = found[:1]
    return {(bytes(cell for row in board for cell in row), position.turn) for board in found}


Boards = list[list[object]]


def boards(games: Sequence[GameRecord]) -> Boards:
    """The positions of each game."""
    return [[plain(node.position, record.setup) for node in path(final_node(record))] for record in games]


def scanned(games: Sequence[GameRecord], lines: Boards, position: Position, of: Setup) -> dict[int, int]:
    """The games in which a position occurs, with its ply."""
    wanted, found = turned(position, of), {}
    for number, (record, line) in enumerate(zip(games, lines, strict=True)):
        if (record.setup.game, record.setup.size) == (of.game, of.size):
            ply = next((ply for ply, board in enumerate(line) if board in wanted), None)
            if ply is not None:
                found[number] = ply
    return found


def scanned_results(games: Sequence[GameRecord], found: Collection[int]) -> tuple[int, ...]:
    """How many games there are, won by either side, and drawn."""
    outcomes = [final_node(games[number]).outcome for number in found]
    counts = Counter("unknown" if outcome is None else outcome.winner for outcome in outcomes)
    return len(found), counts[0], counts[1], counts[None]


def filled(games: Sequence[GameRecord]) -> Reader:
    writer = Writer(None)
    for record in games:
        assert writer.put(record, unique=False)
    writer.commit()
    return Reader(None, writer.connection)


def compared(games: Sequence[GameRecord], reader: Reader, nodes: Sequence[tuple[Setup, Node]]) -> None:
    lines = boards(games)
    for of, node in nodes:
        position, expected = node.position, scanned(games, lines, node.position, of)
        search = GameQuery(position=position, setup=of)
        found = {game.id - 1: (game.ply, game.seats) for game in reader.search(search, most=len(games))}
        assert found == {number: (ply, games[number].seats) for number, ply in expected.items()}
        assert reader.count(search) == len(expected)
        explored = reader.explore(of, position)
        assert explored.results == scanned_results(games, expected)
        ended = [number for number, ply in expected.items() if final_node(games[number]).position.ply == ply]
        assert explored.ended == scanned_results(games, ended)
        counts = [each.results.games for each in explored.continuations]
        assert counts == sorted(counts, reverse=True)
        for each in explored.continuations:
            try:
                after = position.play(each.move)
            except IllegalMove:  # by this rule, but not by that of another game
                continue
            there = []
            classes = turned(after, of)
            days = []
            for number, ply in expected.items():
                line = lines[number]
                if ply + 1 < len(line) and line[ply + 1] in classes:
                    there.append(number)
                    days.append(games[number].date)
            assert each.results == scanned_results(games, there)
            assert each.last == max(days)
            legal = position.legal_moves()
            assert {*each.equal} & {*legal} == {move for move in legal if turned(position.play(move), of) == classes}


SETUPS = [setup("gomoku", 15), setup("gomoku", 15, "renju"), setup("tictactoe"), setup("connect4"), setup("bones", 12)]


def sampled(games: Sequence[GameRecord], chance: random.Random, count: int) -> list[tuple[Setup, Node]]:
    chosen = [chance.choice(games) for _ in range(count)]
    return [(record.setup, chance.choice(path(final_node(record)))) for record in chosen]


def test_a_database_answers_as_a_plain_scan_does() -> None:
    chance = random.Random(1)
    games = [random_game(chance, of, 14) for of in SETUPS for _ in range(8)]
    compared(games, filled(games), sampled(games, chance, 20))


@pytest.mark.slow
def test_a_database_answers_as_a_plain_scan_does_for_200_positions() -> None:
    chance = random.Random(2)
    games = [random_game(chance, of, 30) for of in SETUPS for _ in range(300)]
    compared(games, filled(games), sampled(games, chance, 200))


def test_a_position_is_found_by_other_moves_and_on_another_side_of_the_board() -> None:
    games = [parse(text) for text in ("h8i9g7j10", "g7i9h8j10", "h8g7i9f6", "h8i9a1")]
    reader = filled(games)
    found = reader.search(GameQuery(position=games[0].position, setup=games[0].setup))
    assert sorted(game.id for game in found) == [1, 2, 3]


def test_moves_that_a_mirror_makes_equal_are_one_continuation() -> None:
    games = [parse(text) for text in ("h8i9g9", "h8i9i7", "h8g9i9")]
    (found,) = filled(games).explore(games[0].setup, parse("h8i9").position).continuations
    assert (found.results.games, found.equal) == (3, (96, 128)), "g9 and i7"
    corners = [parse(text) for text in ("h8i9a15", "h8i9o1", "h8g9o15", "h8g9a1", "h8g7a15", "h8g7o1", "h8i7a1")]
    (found,) = filled(corners).explore(corners[0].setup, parse("h8i9").position).continuations
    assert (found.results.games, found.equal) == (7, (0, 224))
    (found,) = filled([parse("o1")]).explore(games[0].setup, parse("").position).continuations
    assert found.equal == (0, 14, 210, 224)


def test_games_of_another_rule_count_unless_one_is_chosen() -> None:
    games = [parse("h8i9", setup("gomoku", 15, rule)) for rule in ("freestyle", "renju", "renju")]
    reader = filled(games)
    position, of = games[0].position, games[0].setup
    assert reader.explore(of, position).results.games == 3
    assert reader.explore(of, position, rule="renju").results.games == 2
    assert reader.count(GameQuery(position=position, setup=of, rule="renju")) == 2


@pytest.mark.parametrize("game", GAMES)
def test_keys_tell_positions_apart_as_their_games_do(game: str) -> None:
    chance, keys = random.Random(3), keys_of(setup(game))
    positions: dict[object, Position] = {}
    for _ in range(20):
        position = keys.setup.start()
        while position.outcome is None and position.ply < 12:
            positions[position.key] = position
            position = position.play(chance.choice(position.legal_moves()))
    found = {keys.place(position).key for position in positions.values()}
    classes = {frozenset(turned(position, keys.setup)) for position in positions.values()}
    assert len(found) == len(classes)
    assert all(-(2**63) <= key < 2**63 for key in found)


def test_keys_do_not_change_since_files_have_them() -> None:
    record, last = parse("h8i9g7"), parse("cdd", setup("connect4")).position
    keys = keys_of(record.setup)
    assert [place.key for place in keys.places([node.position for node in record.line()])] == KEYS
    assert keys_of(setup("connect4")).place(last).key == CONNECT4
    assert keys_of(setup("bones")).place(setup("bones").start()).key == BONES
    assert keys.canonical(keys.place(record.position), END) == END


KEYS = [-8042563070087026037, 9164440599448551572, 8713521177558316748, -6798565312941618445]
CONNECT4, BONES = 7512057436310306816, -3129539889163115680


# Games.


@pytest.mark.parametrize("extension", SAMPLES)
def test_no_game_loses_anything_in_a_database(extension: str, tmp_path: Path) -> None:
    for number, data in enumerate(SAMPLES[extension]):
        file = tmp_path / f"{number}{extension}"
        file.write_bytes(data)
        games = load_all(file)
        reader = filled(games)
        for index, record in enumerate(games, 1):
            record.notices, record.origin = [], ""
            assert reader.record(index) == record


def _searchable() -> list[GameRecord]:
    games = []
    for names, event, date, winner in (
        (("Ada Lovelace", "Bob"), "World Cup", "2019-05-01", 0),
        (("Bob", "Čapek"), "Cup of Tea", "2020", 1),
        (("Carl", "Ada"), "", "2020-02-02", None),
        (("Carl", "Dora"), "", "", "unknown"),
    ):
        record = parse("h8i9")
        record.names, record.about, record.date = names, About(event=event), date
        if winner != "unknown":
            record.end(Outcome(winner, "resigned"))  # type: ignore[arg-type]
        games.append(record)
    return games


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        (GameQuery(), [3, 2, 1, 4]),
        (GameQuery(player="ada"), [3, 1]),
        (GameQuery(player="čAP"), [2]),
        (GameQuery(event="cup"), [2, 1]),
        (GameQuery(text="Cup"), [2, 1]),
        (GameQuery(text="ada"), [3, 1]),
        (GameQuery(result="first"), [1]),
        (GameQuery(result="draw"), [3]),
        (GameQuery(result="unknown"), [4]),
        (GameQuery(since="2020"), [3, 2]),
        (GameQuery(until="2019"), [1]),
        (GameQuery(since="2019", until="2020-01"), [2, 1]),
        (GameQuery(rule="renju"), []),
        (GameQuery(game="gomoku", player="bob", result="second"), [2]),
    ],
)
def test_games_are_found_by_what_is_said_of_them(search: GameQuery, expected: list[int]) -> None:
    reader = filled(_searchable())
    assert [game.id for game in reader.search(search)] == expected
    at = replace(search, position=parse("h8").position, setup=setup("gomoku", 15))
    assert [game.id for game in reader.search(at)] == expected


def test_a_position_that_most_games_have_is_found_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is no use to begin with the position, the answer is the same."""
    monkeypatch.setattr("games.database.reader.RARE", 1)
    reader = filled(_searchable())
    found = reader.search(GameQuery(position=parse("h8").position, setup=setup("gomoku", 15), player="ada"))
    assert [(game.id, game.ply) for game in found] == [(3, 1), (1, 1)]


@pytest.mark.parametrize(
    ("kept", "worse"),
    [
        (Evaluation(40, None, 7), Evaluation(-90, None, 5)), (Evaluation(99, 5, 3), Evaluation(40, None, 30)),
        (Evaluation(99, 5, 3), Evaluation(99, 7, 9)), (Evaluation(0, None, 3, exact=True), Evaluation(40, None, 30)),
    ],
)  # fmt: skip
def test_the_better_evaluation_of_a_position_is_kept(kept: Evaluation, worse: Evaluation) -> None:
    for order in ((kept, worse), (worse, kept)):
        games = []
        for number, evaluation in enumerate(order):
            games.append(parse("h8i9"))
            games[-1].names, games[-1].cursor.evaluation = (f"{number}", ""), replace(evaluation, by=f"{number}")
        (found,) = filled(games).explore(games[0].setup, parse("h8").position).continuations
        assert found.evaluation == replace(kept, by=f"{order.index(kept)}")


def test_the_games_of_an_answer_are_read_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.database.reader.AT_ONCE", 2)
    games = []
    for day in range(1, 8):
        games.append(parse("h8i9"))
        games[-1].date = f"2020-01-0{day}"
    reader = filled(games)
    assert [game.id for game in reader.search(GameQuery())] == [7, 6, 5, 4, 3, 2, 1]
    assert [game.id for game in reader.search(GameQuery(), most=3, begin=1)] == [6, 5, 4]
    assert [game.id for game in reader.search(GameQuery(), begin=5)] == [2, 1]
    assert [(game.plies, game.ply, game.file, game.number) for game in reader.search(GameQuery(), 1)] == [(2, 0, "", 0)]


def test_the_explorer_tells_what_an_engine_thinks() -> None:
    record = parse("h8i9")
    record.cursor.evaluation = Evaluation(40, None, 7, by="engine")
    reader = filled([record, parse("h8i8")])
    found = reader.explore(record.setup, parse("h8").position)
    assert {each.equal: each.evaluation and each.evaluation.score for each in found.continuations} == {
        tuple(sorted(parse(f"h8{point}").line()[-1].move or 0 for point in ("i9", "g7", "g9", "i7"))): 40,
        tuple(sorted(parse(f"h8{point}").line()[-1].move or 0 for point in ("h7", "h9", "g8", "i8"))): None,
    }
    turned_ = reader.explore(record.setup, parse("h8").position).continuations
    assert all(each.move == each.equal[0] for each in turned_)


def test_of_many_continuations_the_first_sixty_have_an_evaluation() -> None:
    start, games = parse("h8i9"), list[GameRecord]()
    for move in range(96):
        games.append(parse("h8i9"))
        games[-1].play(move).evaluation = Evaluation(40, None, 7)
    found = filled(games).explore(start.setup, start.position).continuations
    assert [each.evaluation is not None for each in found] == [True] * 60 + [False] * (len(found) - 60)
    assert len(found) > 80


# Files.


def last(progress: Iterator[Progress]) -> Progress:
    """The counts of an import, with all failures."""
    reports = list(progress)
    return replace(reports[-1], failures=tuple(each for report in reports for each in report.failures))


def a_folder(folder: Path, games: int = 6, seed: int = 5) -> list[GameRecord]:
    chance = random.Random(seed)
    records = [random_game(chance, SETUPS[0], 12) for _ in range(games)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "many.sgf").write_bytes(b"\n".join(encoded(record, Path("a.sgf")) for record in records[2:]))
    (folder / "one.sgf").write_bytes(encoded(records[0], Path("a.sgf")))
    (folder / "two.psq").write_bytes(encoded(records[1], Path("a.psq")))
    return records


def everything(database: Path) -> dict[str, list[object]]:
    with sqlite3.connect(database) as connection:
        return {
            table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for table in ("games", "positions", "continuations", "players", "evaluations")
        }


def test_an_import_finds_duplicates_and_goes_on_where_it_was(tmp_path: Path) -> None:
    a_folder(tmp_path / "games")
    database = tmp_path / "a.tengendb"
    done = last(import_games(database, [tmp_path / "games"]))
    assert (done.games, done.duplicates, done.failures, done.share) == (6, 0, (), 1.0)
    assert is_database(database)
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["a.tengendb"]
    reader = Reader(database)
    plies = sum(found.plies for found in reader.search(GameQuery()))
    assert reader.summary() == Summary(6, 6 + plies, 3, database.stat().st_size)
    places = sorted((Path(found.file).name, found.number) for found in reader.search(GameQuery()))
    assert places == [*(("many.sgf", number) for number in range(1, 5)), ("one.sgf", 1), ("two.psq", 1)]
    reader.close()
    again = last(import_games(database, [tmp_path / "games"]))
    assert (again.games, again.duplicates) == (0, 0)  # the files are known
    (tmp_path / "games" / "copy.sgf").write_bytes((tmp_path / "games" / "many.sgf").read_bytes())
    third = last(import_games(database, [tmp_path / "games"]))
    assert (third.games, third.duplicates) == (0, 4)
    with (tmp_path / "games" / "one.sgf").open("ab") as file:
        file.write(b"(;GM[4]SZ[15];B[aa];W[bb])")
    fourth = last(import_games(database, [tmp_path / "games"]))
    assert (fourth.games, fourth.duplicates) == (1, 1), "of the file that has changed"


def test_bug_a_file_that_could_not_be_opened_once_was_never_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, database = tmp_path / "a.sgf", tmp_path / "a.tengendb"
    file.write_bytes(b"(;GM[4]SZ[15];B[hh])")

    def refuse(_file: Path, _most: int) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as refusing:
        refusing.setattr(formats, "read_regular", refuse)
        done = last(import_games(database, [file]))
        assert [(done.games, failure.error.kind) for failure in done.failures] == [(0, "unreadable")]
    assert last(import_games(database, [file])).games == 1
    again = last(import_games(database, [file]))
    assert (again.games, again.duplicates) == (0, 0), "now it is known"


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="a file system that keeps any time of a file")
def test_bug_a_file_of_a_time_that_sqlite_cannot_hold_ended_an_import(tmp_path: Path) -> None:
    with TemporaryDirectory(dir="/dev/shm") as folder:
        odd = Path(folder, "a.sgf")
        odd.write_bytes(b"(;GM[4]SZ[15];B[hh])")
        os.utime(odd, ns=(10**21, 10**21))
        assert last(import_games(tmp_path / "a.tengendb", [odd])).games == 1
        again = last(import_games(tmp_path / "a.tengendb", [odd]))
        assert (again.games, again.duplicates) == (0, 0), "it is known"


def test_an_import_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importer, "PERIOD", 0.0)
    folder = tmp_path / "games"
    folder.mkdir()
    data = b"(;GM[4]SZ[15];B[hh])", b"(;GM[4]SZ[99];B[aa])", b"(;GM[4]SZ[15];B[hh])"
    (folder / "a.sgf").write_bytes(b"".join(data))
    (folder / "b.sgf").write_bytes(data[0].replace(b"hh", b"ij"))
    reports = list(import_games(tmp_path / "a.tengendb", [folder]))
    assert [(Path(each.file).name, each.done, each.total, each.games, each.duplicates, len(each.failures))
            for each in reports] == [
        ("a.sgf", 20, 80, 1, 0, 0), ("a.sgf", 40, 80, 1, 0, 1), ("a.sgf", 60, 80, 1, 1, 0), ("a.sgf", 60, 80, 1, 1, 0),
        ("b.sgf", 80, 80, 2, 1, 0), ("b.sgf", 80, 80, 2, 1, 0), ("", 80, 80, 2, 1, 0),
    ]  # fmt: skip
    assert str(reports[1].failures[0]).startswith("Game 2: ")
    assert [each.share for each in (Progress(1, 4), Progress(5, 4), Progress())] == [0.25, 1.0, 1.0]


def test_a_broken_game_is_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.sgf").write_bytes(b"(;GM[4]SZ[15];B[hh])(;GM[4]SZ[99];B[aa])(;GM[4]SZ[15];B[ii])")
    (folder / "b.psq").write_bytes(b"nonsense")
    (folder / "c.txt").write_text("h8i9\nh8h8i9j10\nh8j9\n")
    done = last(import_games(tmp_path / "a.tengendb", [folder, tmp_path / "missing.sgf"]))
    assert done.games == 4
    assert [(Path(each.file).name, each.number) for each in done.failures] == [
        ("a.sgf", 2), ("b.psq", 0), ("c.txt", 2), ("missing.sgf", 0),
    ]  # fmt: skip
    assert all(str(each).endswith(".") for each in done.failures)
    assert [str(each).startswith(f"Game {each.number}: ") for each in done.failures] == [True, False, True, False]


@pytest.mark.parametrize("stop_after", range(1, 7))
def test_an_import_that_was_killed_goes_on_there(
    stop_after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "GAMES_AT_ONCE", 2)
    a_folder(tmp_path / "games")
    _kill_and_resume(tmp_path, stop_after)


@pytest.mark.parametrize("stop_after", range(1, 6))
def test_libraries_are_imported_as_their_lines_and_renjunet_whole_also_after_a_kill(
    stop_after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "GAMES_AT_ONCE", 1)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.lib").write_bytes(LIB_EXAMPLE)
    (tmp_path / "games" / "b.rif").write_text(RIF_EXAMPLE, encoding="utf-8")
    _kill_and_resume(tmp_path, stop_after)
    reader = Reader(tmp_path / "whole.tengendb")
    assert [(game.event, game.day, game.plies, game.number) for game in reader.search(GameQuery())] == [
        ("Friendly", "2019-03", 2, 2), ("Cup & more", "2005-08-01", 3, 1), ("", "", 1, 3),
        ("", "", 3, 2), ("", "", 3, 1),
    ]  # fmt: skip
    found = reader.explore(setup("gomoku", 15, "renju"), setup("gomoku", 15, "renju").start())  # by any rule
    assert [(each.move, each.results.games) for each in found.continuations] == [(112, 5)]


def _kill_and_resume(tmp_path: Path, stop_after: int) -> None:
    """Import the folder ``games`` as a whole, and killed after so many games and resumed; compare the databases."""
    whole, killed = tmp_path / "whole.tengendb", tmp_path / "killed.tengendb"
    last(import_games(whole, [tmp_path / "games"]))
    done = 0

    def pace() -> None:
        nonlocal done
        done += 1
        if done == stop_after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        last(import_games(killed, [tmp_path / "games"], pace=pace))
    resumed = last(import_games(killed, [tmp_path / "games"]))
    assert resumed.duplicates == 0
    assert everything(killed) == everything(whole)


def test_continuations_are_the_sums_of_the_positions(tmp_path: Path) -> None:
    database = tmp_path / "a.tengendb"
    a_folder(tmp_path / "games")
    last(import_games(database, [tmp_path / "games"]))
    with sqlite3.connect(database) as connection:
        sums = connection.execute(f"{importer.SUMS} GROUP BY positions.key, move").fetchall()
        kept = connection.execute("SELECT * FROM continuations").fetchall()
    assert set(kept) <= set(sums)
    assert kept


def test_a_mirror_has_what_the_files_have_now(tmp_path: Path) -> None:
    folder, mirror, fresh = tmp_path / "games", tmp_path / "a.tengendb", tmp_path / "b.tengendb"
    a_folder(folder)
    last(import_games(mirror, [folder], mirror=True))
    (folder / "one.sgf").write_bytes(b"(;GM[4]SZ[15];B[hh];W[ij])")
    (folder / "two.psq").unlink()
    (folder / "copy.sgf").write_bytes((folder / "many.sgf").read_bytes())
    last(import_games(mirror, [folder], mirror=True))
    last(import_games(fresh, [folder], mirror=True))
    ours, theirs = Reader(mirror), Reader(fresh)
    assert ours.summary().games == theirs.summary().games == 9, "copies, too"
    for text in ("", "h8", "h8i9"):
        position, of = parse(text).position, setup("gomoku", 15)
        assert ours.explore(of, position) == theirs.explore(of, position)
    ours.close()
    theirs.close()


def test_an_annotated_copy_of_a_game_keeps_its_comments(tmp_path: Path) -> None:
    writer, bare, annotated = Writer(None), parse("h8i9"), parse("h8i9")
    annotated.cursor.comment = "why"
    assert writer.put(bare)
    assert not writer.put(annotated)
    writer.commit()
    assert Reader(None, writer.connection).record(1).cursor.comment == "why"
    assert not writer.put(bare)
    writer.commit()
    assert Reader(None, writer.connection).record(1).cursor.comment == "why"


def test_games_of_different_days_are_no_duplicates() -> None:
    writer = Writer(None)
    for date, new in (("2020-01-01", True), ("2020-01-02", True), ("2020", False), ("", False)):
        record = parse("h8i9")
        record.date = date
        assert writer.put(record) == new


def test_a_file_of_moves_is_not_of_today(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("h8i9\n")
    assert [record.date for record in load_all(file)] == [""]


# Other files.


def _error(act: object) -> str:
    with pytest.raises(DatabaseError) as caught:
        act()  # type: ignore[operator]
    assert str(caught.value).endswith(".")
    return caught.value.kind


def test_what_is_no_database_is_refused_and_kept(tmp_path: Path) -> None:
    text, other = tmp_path / "text.tengendb", tmp_path / "other.tengendb"
    text.write_bytes(b"no database at all" * 100)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (a)")
    for file in (text, other):
        before = file.read_bytes()
        assert not is_database(file)
        assert _error(lambda file=file: Reader(file)) == "foreign"
        assert _error(lambda file=file: last(import_games(file, []))) == "foreign"
        assert file.read_bytes() == before
    assert _error(lambda: Reader(tmp_path / "none.tengendb")) == "missing"
    assert _error(lambda: last(import_games(tmp_path, []))) == "unwritable"


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.tengendb"
    last(import_games(file, []))
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert _error(lambda: Reader(file)) == "newer"


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (f"continuations SET games = {2**62}", ""), (f"continuations SET games = {2**62 + 1}", "start explore"),
        ("continuations SET games = -1", "start explore"), ("continuations SET games = 'many'", "start explore"),
        *((f"continuations SET move = {move}", "start explore") for move in (99_999, -7, 15 * 15)),
        *((f"continuations SET last = '2020-05-0{day}'", kind) for day, kind in ((1, ""), (11, "start explore"))),
        (f"evaluations SET score = {-(2**62)}, mate = {2**62}", ""), ("evaluations SET depth = 'x'", "explore"),
        (f"evaluations SET score = {-(2**62) - 1}", "explore"), (f"evaluations SET mate = {2**62 + 1}", "explore"),
        ("games SET day = '2020-05-01', winner = 2", ""), ("games SET day = 7, winner = 'x'", "search record"),
        *((f"games SET {each}", "search record") for each in ("day = '2020-05-011'", "winner = 3", "winner = -1")),
        *((f"games SET {each}", "record") for each in ("moves = 'x'", "ending = x'00'")),
        ("setups SET size = 4", "search record"),
        *((f"games SET {each} = -1", "search") for each in ("plies", "number")),
    ],
)  # fmt: skip
def test_a_value_that_no_database_of_ours_has_is_one_sentence(change: str, kind: str) -> None:
    """A file may come from anybody: a move beside the board raised an IndexError, or was shown as i16."""
    writer, game, of = Writer(None), parse("h8i9"), setup("gomoku", 15)
    game.cursor.evaluation = Evaluation(40, 3, 7)
    assert writer.put(game)
    writer.commit()
    assert writer.connection.execute(f"UPDATE {change}").rowcount > 0
    reader, failed = Reader(None, writer.connection), {}
    for name, ask in {
        "start": lambda: reader.explore(of, of.start()), "explore": lambda: reader.explore(of, parse("h8").position),
        "search": lambda: reader.search(GameQuery()), "record": lambda: reader.record(1),
    }.items():  # fmt: skip
        try:
            ask()
        except DatabaseError as error:
            failed[name] = error.kind, str(error)[-1]
    assert failed == dict.fromkeys(kind.split(), ("damaged", "."))


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")
def test_a_removed_file_whose_name_is_no_text_stayed_in_the_mirror(tmp_path: Path) -> None:
    folder, mirror = tmp_path / "games", tmp_path / "a.tengendb"
    folder.mkdir()
    odd = folder / os.fsdecode(b"\xff.tengen.json")
    for move, file in ((4, folder / "a.tengen.json"), (0, odd)):
        record = GameRecord(setup("tictactoe"))
        record.play(move)
        save(record, file)
    assert last(import_games(mirror, [folder], mirror=True)).games == 2
    odd.unlink()
    last(import_games(mirror, [folder], mirror=True))
    reader = Reader(mirror)
    assert reader.summary().games == 1
    reader.close()


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")
def test_bug_a_database_in_a_folder_whose_name_is_no_text_was_filled_and_could_not_be_read(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"a%20b? \xff")
    a_folder(folder)
    last(import_games(folder / "a.tengendb", [folder]))
    reader = Reader(folder / "a.tengendb")
    assert reader.summary().games == 6
    reader.close()


def test_games_that_cannot_be_read_kept_a_mirror_from_being_made_anew(tmp_path: Path) -> None:
    """To remove a game its moves are needed: an error that nobody expected ended each later import."""
    folder, file = tmp_path / "games", tmp_path / "a.tengendb"
    a_folder(folder)
    last(importer.mirror_library(file, folder))
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE games SET moves = x'0100ff7f', whole = NULL")
    for game in folder.iterdir():
        game.unlink()
    (folder / "own.sgf").write_bytes(encoded(parse("h8i9"), Path("own.sgf")))
    assert last(importer.mirror_library(file, folder)).games == 1
    reader = Reader(file)
    assert reader.summary().games == 1
    reader.close()


def test_a_database_is_read_where_nothing_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / "a.tengendb"
    last(import_games(file, []))
    writer = connect(file, writing=True)  # as after a kill: the file says that there is a log
    writer.close()
    reader = Reader(file)
    assert reader.summary().games == 0
    assert isinstance(reader.explore(setup("gomoku", 15), setup("gomoku", 15).start()), Explored)
    reader.close()


def _damaged(file: Path, copy: Path, seed: int) -> None:
    """Read all of a copy of a database with some bytes changed: it may fail with a sentence only."""
    chance, data = random.Random(seed), bytearray(file.read_bytes())
    for _ in range(chance.choice((1, 3, 30))):
        data[chance.randrange(len(data))] = chance.randrange(256)
    copy.write_bytes(data[: chance.randrange(1, len(data))] if chance.random() < 0.2 else data)
    of = setup("gomoku", 15)
    acts = (
        lambda reader: reader.summary(), lambda reader: reader.search(GameQuery()), lambda reader: reader.record(1),
        lambda reader: reader.explore(of, parse("h8").position),
        lambda reader: reader.search(GameQuery(position=parse("h8").position, setup=of, text="a")),
    )  # fmt: skip
    for act in acts:
        with suppress(DatabaseError, FormatError):
            reader = Reader(copy)
            try:
                act(reader)
            finally:
                reader.close()
    with suppress(DatabaseError):
        last(import_games(copy, [file.parent / "games"], mirror=True))


@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 300), marks=pytest.mark.slow)], ids=len)
def test_a_damaged_database_is_a_sentence(seeds: range, tmp_path: Path) -> None:
    games = a_folder(tmp_path / "games", 3)
    (tmp_path / "games" / "own.tengen.json").write_bytes(encoded(games[0], Path("a.tengen.json")))
    last(import_games(tmp_path / "a.tengendb", [tmp_path / "games"]))
    for seed in seeds:
        _damaged(tmp_path / "a.tengendb", tmp_path / "b.tengendb", seed)


@pytest.mark.parametrize("column", ["done", "count"])
def test_how_far_a_file_was_read_may_be_damaged(column: str, tmp_path: Path) -> None:
    a_folder(tmp_path / "games", 3)
    file = tmp_path / "a.tengendb"
    last(import_games(file, [tmp_path / "games"]))
    with sqlite3.connect(file) as connection:
        connection.execute(f"UPDATE sources SET {column} = 'x', complete = 0, mtime = 0")
    connection.close()
    with pytest.raises(DatabaseError) as caught:
        last(import_games(file, [tmp_path / "games"], mirror=True))
    assert caught.value.kind == "damaged"


def test_a_path_that_is_no_text_is_refused() -> None:
    """A damaged database held a number in its place."""
    with pytest.raises(TypeError, match="not text"):
        path_of(106)
    odd = "%41.txt", "a%41.txt", "caf\udce9.txt"
    assert tuple(path_of(path_text(each)) for each in odd) == odd


def test_a_database_of_an_older_version_gets_the_index_that_searches_read(tmp_path: Path) -> None:
    file = tmp_path / "old.tengendb"
    old = connect(file, writing=True)
    old.execute("DROP INDEX games_listed")
    old.execute("CREATE INDEX games_day ON games (day, id)")
    old.execute("CREATE INDEX games_event ON games (event)")
    old.close()
    connect(file, writing=True).close()
    names = {name for (name,) in sqlite3.connect(file).execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
    assert "games_listed" in names
    assert not names & {"games_day", "games_event"}


def test_a_search_for_a_name_reads_no_game_and_sorts_nothing(tmp_path: Path) -> None:
    """All games of a frequent name were collected and sorted for the last fifty: half a second of 100,000."""
    file = tmp_path / "plan.tengendb"
    connect(file, writing=True).close()
    reader, connection = Reader(file), sqlite3.connect(file)
    for search in (GameQuery(player="a"), GameQuery(event="b", result="draw"), GameQuery(text="c", rule="renju")):
        where, values, source = reader.question(search)
        question = f"SELECT games.id FROM {source} WHERE {where} ORDER BY day DESC, games.id DESC LIMIT 50"
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {question}", values)]
        assert "SCAN games USING COVERING INDEX games_listed" in plan
        assert not any("TEMP B-TREE" in step for step in plan)
