"""What Tengen keeps on disk besides games, settings and profile: rows and files, and what uses them."""

from __future__ import annotations

import functools
import io
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from fsrs import Card, Rating, Scheduler

from ai.arena.journal import BadJournal, Journal, run_kept
from ai.arena.match import Played, played_of
from ai.core import elo
from ai.core import score as win_probability
from ai.gomoku import tables as weights
from ai.gomoku.openings import BadOpenings, openings_of
from ai.network import network
from ai.pbrain.messages import parse_message
from ai.players import levels
from ai.players.opponent import model as store
from ai.players.opponent.model import Tally
from ai.puzzles import collection as puzzles
from ai.puzzles.puzzle import read, write
from ai.review.exercises import Deck, Exercise, exercises, solution
from ai.review.report import check_facts, run_review
from ai.solvers import connect4
from ai.system.compiler import cache, compilation
from games.fields import DecodeError, items, parsed
from games.formats import FormatError, load
from games.formats.text import parse
from games.line import LinePosition
from games.registry import GAMES, setup
from tests.fuzz.mutation import in_bytes, in_json, in_lines
from tests.fuzz.target import Target
from ui.board import demos
from ui.commands.review_games import review_lines
from ui.learn import lesson_state as lesson
from ui.parts.practice import Practice, counts_sentence, over_sentence
from ui.system import instance
from ui.toolkit.resources import resource

_NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
_DUE = _NOW + timedelta(days=1)


@functools.cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    memory = Path("/dev/shm")
    return tempfile.TemporaryDirectory(prefix="tengen-fuzz-", dir=memory if memory.is_dir() else None)


def _folder() -> Path:
    return Path(_kept().name)


def _written(name: str, data: bytes) -> Path:
    file = _folder() / name
    file.write_bytes(data)
    return file


def _clear() -> None:
    """Remove what was set aside."""
    for file in _folder().iterdir():
        if file.is_file():
            file.unlink()


@contextmanager
def _home(path: Callable[[], Path]) -> Iterator[Path]:
    """The file at `path` in an empty home."""
    with tempfile.TemporaryDirectory(dir=_folder()) as home, mock.patch.dict(os.environ, TENGEN_HOME=home):
        path().parent.mkdir(parents=True, exist_ok=True)
        yield path()


# The deck.


@functools.cache
def _exercises() -> tuple[Exercise, ...]:
    found = run_review(parse("b2a1c3c1b1a2a3", setup("tictactoe")), seconds=0.05)
    return tuple(exercises(found.record, found.moves, (0, 1)))


def deck_rows() -> list[bytes]:
    """Rows of a deck; the game is text here."""
    card, _ = Scheduler(learning_steps=(), enable_fuzzing=False).review_card(Card(1, due=_NOW), Rating.Good, _NOW)
    texts = ("", card.to_json())
    return [
        json.dumps([each.key, each.game.decode(), text, _NOW.timestamp(), number % 2]).encode()
        for number, (each, text) in enumerate((each, text) for each in _exercises() for text in texts)
    ]


def use_deck_row(data: bytes) -> None:
    """A deck of one good row and the one that is fuzzed: the good one is always there."""
    try:
        values = items(5, 5)(parsed(data))
    except DecodeError:
        return
    row = [each if isinstance(each, int | float | str | None) else json.dumps(each) for each in values]
    row = [each if not isinstance(each, int) or abs(each) < 2**63 else float(each) for each in row]
    row = [each.encode("utf-8", "replace").decode() if isinstance(each, str) else each for each in row]
    if isinstance(row[1], str):
        row[1] = row[1].encode()
    file = _folder() / "deck.sqlite"
    with closing(sqlite3.connect(file)) as database, database:
        columns = "key TEXT PRIMARY KEY, game BLOB, card TEXT, due REAL, solved INTEGER"
        database.execute(f"CREATE TABLE exercises ({columns})")
        database.execute("INSERT INTO exercises VALUES (?, ?, ?, ?, ?)", row)
        good = "the good one", _exercises()[0].game, "", _NOW.timestamp(), 0
        database.execute("INSERT INTO exercises VALUES (?, ?, ?, ?, ?)", good)
    try:
        _use_deck(Deck(file, lambda: _DUE))
        with closing(sqlite3.connect(file)) as database:
            found = database.execute("SELECT COUNT(*) FROM exercises WHERE key = 'the good one'").fetchone()
        assert found == (1,)
    finally:
        _clear()


def _use_deck(deck: Deck) -> None:
    practice = Practice(deck)
    assert counts_sentence(practice)
    while (exercise := practice.current) is not None:
        record = exercise.record()
        solution(record.cursor)
        deck.record_answer(exercise, "good")
        practice = practice.following()
    assert over_sentence(practice)
    deck.counts()


@functools.cache
def _deck() -> bytes:
    deck = Deck(_folder() / "whole.sqlite", lambda: _NOW)
    deck.add(_exercises())
    return deck.file.read_bytes()


def deck_files() -> list[bytes]:
    return [_deck()]


def use_deck_file(data: bytes) -> None:
    """A damaged database; at the second try, nothing is refused any more."""
    deck = Deck(_written("deck.sqlite", data), lambda: _DUE)
    try:
        for last in (False, False, True):
            try:
                _use_deck(deck)
                break
            except OSError:
                assert not last
    finally:
        _clear()


# Journals.


@functools.cache
def _facts() -> dict[str, Any]:
    found = run_review(parse("b2a1c3c1b1a2a3", setup("tictactoe")), seconds=0.05)
    return {"file": "a.tengen.json"} | found.facts()


def review_rows() -> list[bytes]:
    return [json.dumps({"call": "a 1", "result": _facts()}).encode()]


def use_review_row(data: bytes) -> None:
    line = data.replace(b"\n", b" ")
    head = json.dumps({"seconds": 1.0}).encode()
    file = _written("review.jsonl", b"\n".join((head, line, *review_rows(), b"")))
    try:
        found = dict(run_kept(_never, [()], 0, None, kept=file, head={"seconds": 1.0}, keys=["a 1"], check=check_facts))
        for facts in found.values():
            assert list(review_lines(facts))
        assert found[0] == _facts(), "the last row of a key counts"
    finally:
        _clear()


def _never() -> None:
    raise AssertionError("the row that is good was lost")


def journals() -> list[bytes]:
    played = Played(0, "h8", 0, 1.0, "line", 9, (0.5, 0.25), "")
    rows = ({"of": 1}, played.document(), Played(1, "h8", 1, 0.5, "full", 225, (0.5, 1), "x").document())
    return [b"".join(json.dumps(row).encode() + b"\n" for row in rows)]


def use_journal(data: bytes) -> None:
    file = _written("match.jsonl", data)
    try:
        rows = Journal(file, "match", {"of": 1}, played_of).rows
        for each in rows:
            played_of(json.loads(json.dumps(each.document())))
        assert Journal(file, "match", {"of": 1}, played_of).rows == rows
        assert len(list(_folder().glob("match*.jsonl"))) <= 2, "it is set aside once"
    finally:
        _clear()


# Other files of a person.


def progresses() -> list[bytes]:
    done = lesson.Done(2, 3, [0, 1], [lesson.Worked(1, 42, 3, 61.5, False)])
    return [lesson.encoded({"01-game": done, "02-minimax": lesson.Done()})]


def use_progress(data: bytes) -> None:
    with _home(lesson.progress_path) as file:
        file.write_bytes(data)
        known = lesson.progress()
        file.write_bytes(lesson.encoded(known))
        assert lesson.progress() == known


def solvers() -> list[bytes]:
    ratings = {"gomoku": elo.Rating(1500.5, 80.0, 0.06)}
    return [puzzles.encoded_progress(puzzles.PuzzleProgress(ratings, 9, 7, 5, 3, "2026-11-26", 2, ["tictactoe 3"]))]


def use_solver(data: bytes) -> None:
    with _home(puzzles.progress_path) as file:
        file.write_bytes(data)
        known = puzzles.load_progress()
        file.write_bytes(puzzles.encoded_progress(known))
        assert puzzles.load_progress() == known


def puzzle_files() -> list[bytes]:
    lines = resource("puzzles", "puzzles.jsonl").read_bytes().splitlines()
    return [b"\n".join([lines[0], *lines[1::100]])]


def use_puzzles(data: bytes) -> None:
    file = _written("puzzles.jsonl", data)
    known, _ = read(file)
    write(file, known.values())
    assert list(read(file)[0].values()) == list(known.values())


def habits() -> list[bytes]:
    known = {
        name: store.StudiedGame(game=game, stamp=[1, 2], tally=Tally())
        for name, game in (("a", "gomoku"), ("b", "connect4"))
    }
    return [store.encoded(known)]


def use_habits(data: bytes) -> None:
    with _home(store.path) as file:
        file.write_bytes(data)
        known = store.read_games()
        file.write_bytes(store.encoded(known))
        os.utime(file, (0, 0))  # what was read is kept until the file changes
        assert store.read_games() == known


def letters() -> list[bytes]:
    return [b"", b"/games/a.tengen.json", "/games/漢.sgf".encode()]


def use_letter(data: bytes) -> None:
    if (file := instance.decode_letter(data)) is not None:
        with suppress(FormatError):
            load(file)


# Files of the program.


def states() -> list[bytes]:
    state = {"process": 1, "done": 0.3, "step": 0.1, "at": 1e9, "seconds": 3.0}
    return [json.dumps(state).encode(), json.dumps({"error": "no room"}).encode()]


def use_state(data: bytes) -> None:
    _written(compilation.PROGRESS, data)
    assert 0 <= compilation.progress(_folder()) < 1
    _written(cache.ABOUT, data)
    assert cache.condition(_folder()) is not cache.Condition.COMPLETE
    _clear()


def shipped_files() -> list[bytes]:
    files = win_probability.CURVES, levels.LADDER, store.LEVELS, resource("demos.json")
    return [file.read_bytes() for file in files]


def use_shipped(data: bytes) -> None:
    """Each file of the program with these contents, which may be those of another one."""
    file = _written("shipped.json", data)
    cached: tuple[Any, ...] = (win_probability.curves, levels.read_ladder, store.fitted_levels, demos.attacks)
    with ExitStack() as stack:
        for module, name in ((win_probability, "CURVES"), (levels, "LADDER"), (store, "LEVELS")):
            stack.enter_context(mock.patch.object(module, name, file))
        stack.enter_context(mock.patch.object(demos, "resource", return_value=file))
        for each in cached:
            each.cache_clear()
            stack.callback(each.cache_clear)
        for game in GAMES:
            curve = win_probability.curve_of(setup(game).start())
            assert 0 <= curve.probability(300, 9) <= 1
            if levels.level_elos(game):
                levels.level_elo(game, 3.4)
            levels.level_for(game, 1500.0)
            levels.elo_by_matches(game, "mcts")
            assert demos.attacks(game)[0]
        store.fitted_levels()
    _clear()


def arrays() -> list[bytes]:
    """Small files of weights, and a book."""
    out = io.BytesIO()
    np.savez_compressed(out, steps=np.array([5, 7, 9]), values=np.array([1, 0, -1]))
    kept = np.load(network.weights_file("tictactoe"))
    small = {name: kept[name] for name in kept.files}
    other = io.BytesIO()
    np.savez(other, **small)
    return [out.getvalue(), other.getvalue()]


def use_arrays(data: bytes) -> None:
    file = _written("arrays.npz", data)
    try:
        connect4.book.__wrapped__(file)
        for load in (network.load_weights.__wrapped__, lambda path: weights.load_weights.__wrapped__(str(path))):
            with suppress(ValueError):
                load(file)
    finally:
        _clear()


def opening_files() -> list[bytes]:
    return [b"# ours\nh8i9\n[renju]\nh8h9i10\n[freestyle]\nh8 g7\n\nj9k10 # far\n"]


def use_openings(data: bytes) -> None:
    openings_of(_written("openings.txt", data), setup("gomoku", 15, "freestyle"))


def messages() -> list[bytes]:
    return [
        b"MESSAGE depth 7-12 ev 34 n 1234 tm 200 pv Hh8 Ii9",
        b"MESSAGE (1) 7,7 (0.5) | 123 nodes | pv h8 h9 j10 | +M5",
        b"MESSAGE Depth 12-18 Eval -M4 Time 1.2s Node 123K PV H8 I9",
    ]


def use_message(data: bytes) -> None:
    board = setup("gomoku").start()
    assert isinstance(board, LinePosition)
    for line in data.decode(errors="replace").splitlines():
        parse_message(line[:5000], board)


_JSON, _LINES = (in_json, in_json, in_bytes), (in_lines, in_bytes)

STORED = (
    Target("deck-row", deck_rows, (in_json,), use_deck_row, (), 14),
    Target("deck-file", deck_files, (in_bytes,), use_deck_file, (), 2),
    Target("review-row", review_rows, _JSON, use_review_row, (), 14),
    Target("journal", journals, _LINES, use_journal, (BadJournal,), 14),
    Target("lessons", progresses, _JSON, use_progress, (), 8),
    Target("puzzle-progress", solvers, _JSON, use_solver, (), 4),
    Target("puzzles", puzzle_files, _LINES, use_puzzles, (FormatError,), 4),
    Target("habits", habits, _JSON, use_habits, (), 6),
    Target("letter", letters, _LINES, use_letter, (DecodeError,), 4),
    Target("state", states, _JSON, use_state, (), 6),
    Target("shipped", shipped_files, _JSON, use_shipped, (), 3),
    Target("arrays", arrays, (in_bytes,), use_arrays, (), 3),
    Target("openings", opening_files, _LINES, use_openings, (BadOpenings,), 4),
    Target("message", messages, _LINES, use_message, (), 6),
)
