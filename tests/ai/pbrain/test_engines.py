"""The engines of the settings: kept through damage, named by games, found by the table of players."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ai.core.player import Limit, Stop, answer
from ai.pbrain.engines import (
    ExternalEngine,
    command_of,
    configured,
    dumps,
    engines_path,
    folder_of,
    load,
    loads,
    unused_name,
)
from ai.pbrain.external import EngineError, PbrainPlayer
from ai.players.table import Context, check, for_seat, is_program, make, offered_players, threads, unable
from games.formats.text import parse
from games.registry import setup
from games.storage import new_damage, write_atomic
from tests.ai.pbrain.test_misbehaving import SCRIPT


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    new_damage()
    return tmp_path


RAPFI = ExternalEngine("Rapfi", "/opt/rapfi --mode gomocup", "star", ("freestyle", "renju"), 4, 350, 60, 2)
YIXIN = ExternalEngine("弈心", "yixin")


def keep(*engines: ExternalEngine) -> None:
    write_atomic(engines_path(), dumps(engines))


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
    program.write_text(f'#!{sys.executable}\nprint(open("file").read(), flush=True)\ninput()\n')
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
def test_what_an_engine_is_told_to_use(tmp_path: Path) -> None:
    engine = ExternalEngine("x", f'"{sys.executable}" "{SCRIPT}" well mark', threads=3, memory_mb=64)
    player = engine.player()
    assert isinstance(player, PbrainPlayer)
    try:
        assert answer(player, parse("h8", setup("gomoku")).position, Limit(seconds=20.0)).move == 0
    finally:
        player.close()
    sent = [said.text for said in player.transcript.last() if said.kind == "sent"]
    assert sent[:4] == ["INFO rule 0", "INFO thread_num 3", "INFO max_memory 67108864", "START 15"]
