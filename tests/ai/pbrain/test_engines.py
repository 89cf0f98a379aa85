"""The engines of the settings: kept through damage, named by games, found by the table of players."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from ai.core.player import Info, Limit, Stop, answer
from ai.pbrain import engines
from ai.pbrain.engines import (
    EngineCheck,
    ExternalEngine,
    command_of,
    configured,
    dumps,
    engines_path,
    examine,
    folder_of,
    load,
    loads,
    unused_name,
)
from ai.pbrain.external import EngineError, PbrainPlayer
from ai.players.table import Context, check, for_seat, is_program, make, offered_players, threads, unable
from games.formats.text import parse
from games.position import Position
from games.registry import setup
from games.storage import new_damage, write_atomic
from tests.ai.pbrain.test_misbehaving import SCRIPT
from tests.games.strategies import Ticking


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    new_damage()
    return tmp_path


RAPFI = ExternalEngine("Rapfi", "/opt/rapfi --mode gomocup", "star", ("freestyle", "renju"), 4, 350, 60, 2)
YIXIN = ExternalEngine("弈心", "yixin")


def keep(*kept: ExternalEngine) -> None:
    write_atomic(engines_path(), dumps(kept))


def test_engines_come_back_as_they_were() -> None:
    assert configured() == load() == ()
    keep(RAPFI, YIXIN)
    assert configured() == load() == (RAPFI, YIXIN)
    keep(YIXIN)
    assert configured() == (YIXIN,), "a change is seen at once"


def test_a_damaged_entry_loses_no_other_and_is_itself_kept(home: Path) -> None:
    document = json.loads(dumps((RAPFI, YIXIN)))
    document["engines"].insert(1, {"name": "Broken", "command": 7})
    data = json.dumps(document).encode()
    engines_path().write_bytes(data)
    assert configured() == (RAPFI, YIXIN)
    assert load() == (RAPFI, YIXIN)
    assert [damage.kind for damage in new_damage()] == ["set_aside"]
    assert (home / "engines.damaged.json").read_bytes() == data
    assert load() == (RAPFI, YIXIN)
    assert new_damage() == []


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"engines": 3}', b"\xff\xfe"])
def test_a_file_that_is_none_is_set_aside(home: Path, data: bytes) -> None:
    engines_path().write_bytes(data)
    assert configured() == ()
    assert load() == ()
    assert (home / "engines.damaged.json").read_bytes() == data


@pytest.mark.parametrize(
    "change",
    [{"name": ""}, {"name": " \n"}, {"name": 41 * "x"}, {"command": None}, {"icon": "../icon"}, {"rules": []},
     {"rules": ["caro"]}, {"threads": 0}, {"threads": True}, {"memory_mb": -1}, {"start_seconds": 1e9},
     {"threads": 129}, {"command": 1001 * "x"}, {"memory_mb": 1}, {"grace_seconds": 0}],
)  # fmt: skip
def test_what_is_no_engine(change: dict[str, object]) -> None:
    document = json.loads(dumps((RAPFI,)))
    document["engines"][0] |= change
    assert loads(json.dumps(document).encode()) == ()


VALUES = {"rules": (("renju",), ("freestyle", "standard", "renju")), "start_seconds": (5, 10, 20, 30, 60, 120),
          "memory_mb": (0, 64, 128, 256, 350, 512, 1024, 2048, 4096, 8192),
          "grace_seconds": (1, 2, 3, 5, 10), "threads": (1, 128)}  # fmt: skip


def test_files_of_earlier_versions_are_read_also_by_persons() -> None:
    for engine in (replace(RAPFI, **{name: value}) for name, values in VALUES.items() for value in values):
        assert loads(dumps((engine,))) == (engine,)
    assert dumps((YIXIN,)).decode().startswith('{\n "version": 1,\n "engines": [\n  {\n   "name": "弈心",\n')


def test_what_can_be_run(tmp_path: Path) -> None:
    program, other = tmp_path / "program.exe", tmp_path / "other"
    for file in (program, other):
        file.write_text("")
    program.chmod(0o755)
    files = (program, other, tmp_path, tmp_path / "missing", tmp_path / "\0")
    assert [engines.is_program(file) for file in files] == [True, False, False, False, False]
    assert folder_of(command_of(tmp_path / 'a "program"')) == str(tmp_path)


def test_what_can_be_run_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "os", SimpleNamespace(name="nt", path=os.path))
    files = [tmp_path / name for name in ("a program.EXE", "b.bat", "c.cmd", "d.txt")]
    for file in files:
        file.touch()
    assert [engines.is_program(file) for file in (*files, tmp_path / "none.exe")] == [True, True, True, False, False]
    assert command_of(files[0]) == f'"{files[0]}"'
    assert [folder_of(command) for command in (f'"{files[0]}" --x', "it's", f"{tmp_path}\\x.exe")] == [
        str(tmp_path), None, str(tmp_path.parent),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("about", "names"),
    [('name="Rapfi", version="0.43", author="x"', ("Rapfi", "0.43")), ('NAME = "a  b"', ("a b", "")),
     ("Yixin 2018", ("", "")), (f'name="{"x" * 101}",version="{"y" * 100}"', ("", "y" * 100))],
)  # fmt: skip
def test_what_an_engine_says_that_it_is(about: str, names: tuple[str, str]) -> None:
    assert engines.about_names(about) == names


class Quick(PbrainPlayer):
    """An engine that answers at once, or fails at one step with a problem."""

    def __init__(self, fails: tuple[int, str] = (9, "")) -> None:
        super().__init__("x")
        self.fails, self.steps, self.closed = fails, list[object](), False

    def _step(self, asked: object) -> None:
        self.steps.append(asked)
        if len(self.steps) - 1 == self.fails[0]:
            raise EngineError("It fails.", self.fails[1])

    def about(self, stop: Stop) -> str:
        self._step("about")
        return 'name="x"'

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self._step((limit.seconds, len(position.legal_moves()), stop.is_set()))
        yield Info(0)

    def close(self, kill: bool = False) -> None:
        self.closed = True


def test_the_steps_of_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last search takes half a second before it is to stop."""
    monkeypatch.setattr(engines, "time", Ticking(0.75))
    player, stopped, stop = Quick(), Quick(), Stop()
    assert list(examine(player, ("freestyle", "standard"), stop)) == [
        EngineCheck("about", "", 'name="x"', 0.75), EngineCheck("move", "freestyle", "a15", 0.75),
        EngineCheck("move", "standard", "a15", 0.75), EngineCheck("stop", "freestyle", "a15", 0.25),
    ]  # fmt: skip
    assert (player.steps, player.closed) == (["about", *[(0.5, 222, False)] * 2, (60.0, 222, False)], True)
    stop.set()
    assert (list(examine(stopped, ("renju",), stop)), stopped.steps, stopped.closed) == ([], [], True)
    for problem, steps in (("slow", 3), ("ended", 2)):
        found = list(examine(Quick((1, problem)), ("renju",), Stop()))
        assert [check.error is None for check in found] == [True, False, True][:steps]


def test_two_with_one_name_are_told_apart() -> None:
    """A game names an engine by its name alone."""
    assert [engine.name for engine in loads(dumps((YIXIN, RAPFI, YIXIN)))] == ["弈心", "Rapfi", "弈心 2"]
    assert len(unused_name(40 * "x", [ExternalEngine(40 * "x", "a")])) == 40
    assert [engine.name for engine in loads(dumps((YIXIN, YIXIN, YIXIN)))] == ["弈心", "弈心 2", "弈心 3"]
    most = ExternalEngine(40 * "x", 1000 * "y", threads=128, memory_mb=8192)
    assert loads(dumps((most,))) == (most,)


def test_an_engine_is_an_entry_of_the_table_of_players() -> None:
    keep(RAPFI)
    assert offered_players("gomoku")[-1] == "external:Rapfi"
    assert "external:Rapfi" not in offered_players("connect4")
    assert threads("external:Rapfi", "gomoku", 2) == 4
    assert is_program("external:Rapfi")
    assert not is_program("engine")
    check("external:Rapfi", "gomoku")
    with pytest.raises(ValueError, match="gomoku only"):
        check("external:Rapfi", "bones")
    assert unable("external:Rapfi", "renju") == ""
    assert unable("external:Rapfi", "standard") == "“Rapfi” does not play by the rule standard."


def test_a_file_names_an_engine_that_is_not_here_and_nothing_is_run(tmp_path: Path) -> None:
    """Nobody else takes its seat unasked."""
    name = f"external:touch {tmp_path / 'started'}"
    assert for_seat(name, "gomoku") == name
    with pytest.raises(ValueError, match=r"^There is no engine “touch .*” in the settings\.$"):
        check(name, "gomoku")
    with pytest.raises(EngineError) as error:
        make(name, Context("gomoku"))
    assert error.value.problem == "missing"
    assert not (tmp_path / "started").exists()
    assert for_seat("external:", "gomoku") == "engine"


def test_a_rule_that_it_does_not_play_is_refused_before_it_is_started() -> None:
    player = RAPFI.player()
    with pytest.raises(EngineError) as error:
        answer(player, setup("gomoku", 15, "standard").start(), Limit(seconds=1.0))
    assert (error.value.problem, error.value.detail) == ("rule", "standard")


@pytest.mark.slow
def test_it_starts_in_its_own_folder_where_its_files_are(tmp_path: Path) -> None:
    """Rapfi did not find its network."""
    program = tmp_path / "an engine"
    program.write_text(f'#!{sys.executable}\nprint("MESSAGE a\\nok\\n" + open("file").read(), flush=True)\ninput()\n')
    program.chmod(0o755)
    (tmp_path / "file").write_text('name="here"')
    engine = ExternalEngine("x", command_of(program))
    assert folder_of(engine.command) == str(tmp_path)
    assert [folder_of(command) for command in ("brain", "'", "", "/no/such/folder/brain")] == [None] * 4
    player = engine.player()
    try:
        assert player.about(Stop()) == 'name="here"'
    finally:
        player.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("threads", "memory", "told"), [(3, 64, ["INFO thread_num 3", "INFO max_memory 67108864"]), (1, 0, [])]
)
def test_what_an_engine_is_told_to_use(threads: int, memory: int, told: list[str]) -> None:
    engine = ExternalEngine("x", f'"{sys.executable}" "{SCRIPT}" well mark', threads=threads, memory_mb=memory)
    player = engine.player()
    assert isinstance(player, PbrainPlayer)
    try:
        assert answer(player, parse("h8", setup("gomoku")).position, Limit(seconds=20.0)).move == 0
    finally:
        player.close()
    sent = [said.text for said in player.transcript.last() if said.kind == "sent"]
    assert sent[: 2 + len(told)] == ["INFO rule 0", *told, "START 15"]
