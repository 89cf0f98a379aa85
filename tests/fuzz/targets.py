"""What is fuzzed: for each format its well-formed inputs, how it is read and used, and what it may raise.

A new format is fuzzed with its `SAMPLES`; anything else that is read is one more `Target` in `TARGETS`.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from ai.core.player import Info, Limit, Line, Player, Stop
from ai.gomoku.handle import EngineHandle
from ai.pbrain.server import serve
from ai.service import profile
from ai.service.profile import Profile
from games.evaluation import Evaluation, ScoredLine
from games.fields import DecodeError
from games.formats import FORMATS, Format, FormatError, copied, load, pasted, tengen, writable
from games.formats.common import silent
from games.library.file_actions import import_games
from games.library.index import COLUMNS, Index, Query, entry_of, open_index
from games.library.library import opponent_tokens, read_entry
from games.position import Outcome, Position
from games.record import PERSON, GameRecord, Seat
from games.registry import GAMES, setup
from tests.fuzz.mutation import in_bytes, in_json, in_lines, in_repeats
from tests.fuzz.stored import STORED
from tests.fuzz.target import Target
from tests.games.formats_samples import PSQ_EXAMPLE, PSQ_GOMOCUP, SAMPLES, SGF_EXAMPLE, TXT_LISTS, TXT_NUMBERED
from ui.system import settings
from ui.system.settings import NewGame, Settings
from ui.words.file_words import entry_ending, entry_players, entry_result, entry_title, file_sentence, notices_sentence

_MOST_WRITTEN = 20
_BINARY = {".lib", ".pos"}
_SMALL = 50_000  # bytes

# Games.


def _games() -> list[GameRecord]:
    gomoku = GameRecord(setup("gomoku"), (Seat(PERSON, "Ada"), Seat("level:3", "", 2.0)), "2026-11-22T12:00:00")
    for ply in range(9):
        gomoku.play(112 + ply * (-1) ** ply, 1.5)
    others = (ScoredLine(-40, None, 9, (1, 2)), ScoredLine(-9990, -9, 9, (3,)))
    gomoku.cursor.comment = "a comment"
    gomoku.cursor.evaluation = Evaluation(-30, None, 9, (0, 1), 20.0, (0,), others=others, wanted=3)
    gomoku.go_to(gomoku.line()[4])
    gomoku.play(0)
    gomoku.cursor.ending = Outcome(0, "resigned")
    bones = GameRecord(setup("bones"), (Seat(PERSON), Seat("alphabeta")), "2026-11-22")
    for move in (3, 2, 1):
        bones.play(move)
    renju = GameRecord(setup("gomoku", 15, "renju"))
    for move in (112, 113, 128, 96):
        renju.play(move)
    return [gomoku, bones, renju]


def _use_native(data: bytes) -> None:
    record = tengen.loads(data)
    assert tengen.loads(tengen.dumps(record)) == record


def _use_format(kind: Format, data: bytes) -> None:
    """Read every game, and write it if that is possible; of very many only the first."""
    with contextlib.suppress(FormatError):
        kind.loads(data, setup("bones"), silent)
    first = kind.loads(data, None, silent)
    for record in (kind.loads_all(data, None) if kind.loads_all else [first])[:_MOST_WRITTEN]:
        tengen.loads(tengen.dumps(record))
        if kind.dumps is not None and kind.extension in writable(record):
            assert kind.loads(kind.dumps(record), record.setup, silent).position == record.position
    if kind.read_each is not None and len(data) < _SMALL:
        numbers = [number for number, _ in islice(kind.read_each(data, 0), _MOST_WRITTEN)]
        rest = [number for number, _ in islice(kind.read_each(data, numbers[0]), _MOST_WRITTEN - 1)]
        assert rest == numbers[1:]


def _use_pasted(data: bytes) -> None:
    record = pasted(data.decode(errors="surrogateescape"))
    assert pasted(copied(record, record.cursor), record.setup).position == record.position
    if record.notices:
        assert notices_sentence(record.notices)


# Settings and profile.


def _settings() -> list[bytes]:
    new = NewGame(19, "renju", (PERSON, "level:3"), (2.0, 5.0), "5+3")
    full = Settings(player_name="Ada", unfinished="/games/a.json", recent=["/games/a.json", "b.txt"])
    full.new_game = {"gomoku": new, "bones": settings.default_new_game("bones")}
    return [settings.dumps(full), settings.dumps(Settings())]


def _use_settings(data: bytes) -> None:
    known = settings.loads(data)
    assert settings.loads(settings.dumps(known)) == known
    for file in (known.unfinished, *known.recent):
        os.fsencode(file)
    for game, new in known.new_game.items():
        seats = Seat(new.players[0]), Seat(new.players[1], "", new.seconds[1])
        tengen.dumps(GameRecord(setup(game, new.size, new.rule), seats, control=new.control))


def _finished(opponent: str = "level:2") -> GameRecord:
    record = GameRecord(setup("gomoku"), (Seat(PERSON), Seat(opponent)), "2026-11-22T12:00:00")
    for _ in range(4):
        record.play(record.position.candidates()[0])
    record.resign(1)
    return record


def _profiles() -> list[bytes]:
    known = Profile(helped={"a.tengen.json": "hint"})
    for number, opponent in enumerate(("level:2", "engine", "level:even=3.4")):
        known.add(_finished(opponent), Path(f"{number}.tengen.json"))
    return [profile.encoded(known)]


def _use_profile(data: bytes) -> None:
    known, _ = profile.decoded(data)
    assert profile.decoded(profile.encoded(known)) == (known, [])
    for game in GAMES:
        known.rating(game)
        known.tally(game)
    known.add(_finished(), Path("new.tengen.json"))
    assert profile.decoded(profile.encoded(known)) == (known, [])


# The index.


@functools.cache
def _folder() -> Path:
    """A folder of this process for games and indices."""
    made = Path(_kept().name)
    for number, record in enumerate(_games()):
        (made / f"{number}.tengen.json").write_bytes(tengen.dumps(record))
    (made / "odd.tengen.json").write_bytes(b"no game")
    return made


@functools.cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="tengen-fuzz-")


@functools.cache
def _index() -> bytes:
    """An index of the games in `_folder`."""
    path = _folder() / "library.sqlite"
    index = Index(path)
    for file in sorted(_folder().glob("*.json")):
        entry, record = read_entry(file, (10**18, 1000))
        index.put([(entry, opponent_tokens(record) if record else (), "words")])
    index.close()
    return path.read_bytes()


def _rows() -> list[bytes]:
    _index()
    connection = sqlite3.connect(_folder() / "library.sqlite")
    rows = connection.execute(f"SELECT {COLUMNS}, id FROM games").fetchall()
    connection.close()
    return [json.dumps(row).encode() for row in rows]


def _use_row(data: bytes) -> None:
    entry = entry_of(json.loads(data))
    assert all((entry_title(entry), entry_players(entry), entry_result(entry), entry_ending(entry)))
    if entry.problem is not None:
        assert file_sentence(entry.problem, entry.name)
    os.fsencode(entry.path)


def _use_index(data: bytes) -> None:
    """What `GameLibrary` asks; it makes a new index whatever this raises."""
    path = _folder() / "damaged.sqlite"
    path.write_bytes(data)
    index = open_index(path)
    try:
        index.stamps()
        index.entries(index.search(Query(text="words")))
        index.opponents()
        index.tally()
    finally:
        index.close()
        for left in _folder().glob("damaged.*"):
            left.unlink()


def _use_import(data: bytes) -> None:
    """Nothing that a file contains ends an import, and what is imported can be read."""
    with tempfile.TemporaryDirectory(prefix="import-", dir=_kept().name) as place:
        file = Path(place, "games.sgf")
        file.write_bytes(data)
        done = import_games([file], Path(place), {})
        assert len(done.failed) <= 1
        for written in done.written:
            load(written)
        again = import_games([file], Path(place), {})
        assert len(again.written) == len(done.written)


# The protocol.

_TALKS = (
    "START 15\nINFO timeout_turn 50\nINFO timeout_match 1000\nINFO rule 0\nBEGIN\nTURN 0,0\nTURN 1,1\nEND\n",
    "START 20\nBOARD\n10,10,1\n10,11,2\n9,9,1\nDONE\nTAKEBACK 9,9\nTURN 3,3\nRESTART\nBEGIN\nEND\n",
    "RECTSTART 15,15\nINFO rule 4\nYXBOARD\n7,7,1\n7,8,2\nDONE\nYXNBEST 3\nYXSHOWFORBID\nABOUT\nEND\n",
    "START 15\nINFO max_memory 83886080\nSWAP2BOARD\nDONE\nSWAP2BOARD\n7,7\n8,8\n9,9\nDONE\nYXSTOP\nSTOP\nEND\n",
)
_REPLY = re.compile(r"OK|\d+,\d+( \d+,\d+)*|SWAP|(ERROR|UNKNOWN|MESSAGE|DEBUG|FORBID) ?.*|FORBID.*|name=.*")


class _Quick(Player):
    """Plays the first candidate."""

    nodes = 1

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        moves = position.candidates()[: limit.lines]
        yield Info(moves[0], 0, 0, 1, 0.0, tuple(Line(0, (move,)) for move in moves))


def _use_protocol(data: bytes) -> None:
    out = io.BytesIO()
    serve(io.BytesIO(data), out, "1", EngineHandle(lambda _report: lambda _kind: _Quick()))
    for line in out.getvalue().decode().splitlines():
        assert _REPLY.fullmatch(line), line


def _of(*texts: str) -> Callable[[], Sequence[bytes]]:
    return lambda: [each.encode() for each in texts]


def _format(kind: Format) -> Target:
    name, use = kind.extension[1:], functools.partial(_use_format, kind)
    mutations = (*[in_bytes] * 9, in_repeats) if kind.extension in _BINARY else (in_lines, in_bytes, in_repeats)
    return Target(name, lambda: SAMPLES[kind.extension], mutations, use, (FormatError,), 10)


TARGETS = (
    *(_format(kind) for kind in FORMATS if not kind.whole),
    Target("native", lambda: [tengen.dumps(game) for game in _games()], (in_json, in_json, in_bytes, in_repeats),
           _use_native, (FormatError,), 34),
    Target("pasted", _of("h8i9g7", "ababab", "3 2 1", "s19a1", SGF_EXAMPLE, PSQ_EXAMPLE, TXT_NUMBERED, *TXT_LISTS),
           (in_lines, in_bytes, in_repeats), _use_pasted, (FormatError,), 5),
    Target("settings", _settings, (in_json, in_json, in_bytes), _use_settings, (DecodeError,), 20),
    Target("profile", _profiles, (in_json, in_json, in_bytes), _use_profile, (DecodeError,), 20),
    Target("row", _rows, (in_json,), _use_row, (ValueError, LookupError, RecursionError), 9),
    Target("import", lambda: [*SAMPLES[".sgf"], PSQ_GOMOCUP.encode()], (in_lines, in_bytes), _use_import, (), 2, 6.0),
    Target("index", lambda: [_index()], (in_bytes,), _use_index, (Exception,), 1),
    Target("protocol", _of(*_TALKS), (in_lines, in_lines, in_bytes), _use_protocol, (), 6, 15.0),
    *STORED,
)  # fmt: skip
