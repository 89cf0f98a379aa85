import threading
from collections.abc import Callable
from typing import Any

import pytest

from ai.core.player import Limit, Stop, answer
from ai.gomoku.handle import CompiledPlayer, EngineHandle, Make
from ai.gomoku.moves import GomokuMoves
from ai.players.table import (
    KINDS,
    Context,
    check,
    ends,
    for_seat,
    is_crewed,
    is_program,
    is_seeded,
    is_strongest,
    is_timed,
    keeps_depths,
    kind_of,
    kinds_text,
    label,
    learns,
    make,
    needs_engine,
    offered_players,
    player_icon,
    share,
    shareable,
    strongest,
    walkable,
)
from ai.players.table import threads as threads_of
from ai.search.mcts import Mcts
from ai.search.minimax import RandomPlayer
from ai.search.trace import Traceable
from ai.search.workers import TreeMoves
from ai.system.compiler.compilation import Report
from ai.system.threads import processors
from games.registry import GAMES, setup


def plays(name: str, game: str) -> bool:
    """Whether a player that is no other program plays `game`."""
    if is_program(name):
        return False
    try:
        check(name, game)
    except ValueError:
        return False
    return True


NAMES = ("mcts:playouts=2,c=1.2", *("level:1" if key == "level" else key for key in KINDS))
PLAYERS = [(name, game) for name in NAMES for game in GAMES if plays(name, game)]


def test_each_kind_but_other_programs_is_among_those_that_answer() -> None:
    assert {kind_of(name) for name, _ in PLAYERS} == {key for key, kind in KINDS.items() if not kind.program}


@pytest.mark.parametrize(("name", "game"), PLAYERS)
def test_every_player_answers_every_game_with_a_legal_move(name: str, game: str) -> None:
    position = setup(game).start()
    info = answer(make(name, Context(game, seed=1)), position, Limit(seconds=0.2))
    assert info.move in position.legal_moves()


def test_random_player_repeats_itself_for_a_seed_only() -> None:
    position = setup("gomoku").start()

    def moves(seed: int) -> list[int]:
        player = make("random", Context("gomoku", seed=seed))
        return [answer(player, position, Limit()).move for _ in range(10)]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("engine", f"threads=1 threads={processors()} memory_mb=1 memory_mb=16384 root_vcf=0 root_vcf=1 book=0 book=1 "
         "weights=none RFP=-2147483648", f"threads threads= threads=1.5 threads=0 threads={processors() + 1} "
         "memory_mb=0 memory_mb=16385 root_vcf=2 root_vcf=-1 book=2 book=-1 RFP=x RFP=-2147483649 RFP=2147483648"),
        ("alphabeta", "table=0 table=1 pvs=1 quiescence=1 extension=0", "table=2 table=-1"),
        ("parallel", "workers=1 grain=1 grain=99 simulated=0 simulated=1 table=0 split=lazy",
         "workers=0 grain=0 grain=100 simulated=2 extension=1 pvs=1 quiescence=1 split=x"),
        ("minimax", "distance=0 distance=1 expect=0 expect=1", "distance=2 expect=1.1 expect=-0.1"),
        ("mcts", "c=0 c=10 nodes=1000 nodes=2000000 playouts=1 playouts=100",
         "c=10.1 nodes=999 nodes=2000001 playouts=101"),
    ],
)  # fmt: skip
def test_the_bounds_of_options(kind: str, good: str, bad: str) -> None:
    assert KINDS["engine"].read("threads=1, memory_mb=16,RFP=-3") == {"threads": 1, "memory_mb": 16, "RFP": -3}
    read = KINDS[kind].read
    for text in good.split():
        name, _, value = text.partition("=")
        assert str(read(text)[name]).removesuffix(".0") == value
    for text in bad.split():
        with pytest.raises(ValueError, match=r"\.$"):
            read(text)


@pytest.mark.parametrize(
    ("holds", "names"),
    [
        (is_seeded, "level:1 mcts random"),
        (lambda name: not is_timed(name), "level:1"),
        (is_program, "cmd:x external:x"),
        (lambda name: is_crewed(name, "gomoku"), "parallel"),
        (lambda name: ends(name, "tictactoe"), "minimax alphabeta:deepening=0"),
        (lambda name: shareable(name, "gomoku"), "engine alphabeta alphabeta:deepening=0"),
        (lambda name: walkable(name, "gomoku"), "engine"),
        (lambda name: walkable(name, "tictactoe"), ""),
        (learns, "trickster"),
        (lambda name: for_seat(name, "gomoku") != name, "cmd:x solver"),
    ],
)
def test_what_is_true_of_which_players(holds: Callable[[str], bool], names: str) -> None:
    plain = {"level": "level:1", "cmd": "cmd:x", "external": "external:x"}
    every = [*(plain.get(key, key) for key in KINDS), "alphabeta:deepening=0", "trickster:3"]
    assert {name for name in every if holds(name)} == set(names.split())


def test_a_player_that_nobody_knows_has_a_plain_icon_and_no_label() -> None:
    for name in ("deep thought", "engine", "level:1"):
        assert (label(name), player_icon(name)) == ("", "computer")
    assert player_icon("external:nobody") == "computer"
    assert threads_of("external:nobody", "gomoku", 4) == 1
    assert not is_program("deep thought")
    assert not is_seeded("deep thought")
    assert is_timed("deep thought")


NO_PLAYERS = (
    *("deep thought", "random:3", "alphabeta:x=1", "cmd:", "engine:speed=2", "engine:threads"),
    *("level", "level:", "level:0", "level:11", "level:x", "level:nan", "level:1e1", "level:even=", "level:even=11"),
    *("mcts:c=x", "mcts:c=-1", "mcts:c=nan", "mcts:nodes=9", "mcts:playouts=0", "mcts:network,"),
)


@pytest.mark.parametrize("name", NO_PLAYERS)
def test_what_is_no_player_is_a_sentence(name: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        check(name, "gomoku")


def test_the_solver_says_which_game_it_does_not_play() -> None:
    with pytest.raises(ValueError, match=r"^The solver does not play gomoku\.$"):
        check("solver", "gomoku")


def test_no_file_starts_a_program_or_keeps_an_unknown_player() -> None:
    for name in ("cmd:touch /tmp/started", "deep thought", "engine:weights=x", "engine:speed=2", "level:11"):
        assert for_seat(name, "gomoku") == "engine"
    assert for_seat("level:4", "gomoku") == "level:4"
    assert for_seat("engine:threads=1", "gomoku") == "engine:threads=1"
    assert for_seat("engine:book=0", "gomoku") == "engine:book=0"
    assert for_seat("engine:threads=1,book=0", "gomoku") == "engine:threads=1,book=0"
    assert for_seat("engine:memory_mb=9", "gomoku") == "engine"
    assert for_seat("level:3", "tictactoe") == "level:3"
    assert for_seat("level:4", "tictactoe") == "alphabeta", "there are three"


def test_what_players_need() -> None:
    assert [needs_engine(name, "gomoku") for name in ("level:3", "level:3.1", "level:even", "engine")] == [
        False, True, True, True,
    ]  # fmt: skip
    assert [needs_engine(name, "connect4") for name in ("level:6", "engine", "alphabeta")] == [False, True, False]
    assert needs_engine("mcts", "gomoku")
    assert needs_engine("mcts:network", "gomoku")
    assert not needs_engine("mcts:network", "connect4")
    assert not needs_engine("mcts:playouts=1", "gomoku")
    assert not needs_engine("mcts", "connect4")


@pytest.mark.parametrize(
    ("name", "game", "threads"),
    [
        ("engine", "gomoku", 4), ("engine:threads=1,memory_mb=8", "gomoku", 1), ("trickster", "gomoku", 4),
        ("level:9", "gomoku", 1), ("mcts", "gomoku", 1), ("engine", "connect4", 1), ("parallel:workers=3", "bones", 3),
    ],
)  # fmt: skip
def test_how_many_threads_a_player_uses_where_the_settings_say_four(name: str, game: str, threads: int) -> None:
    """Players on one thread were counted with those of the engine, and processes as one thread."""
    assert threads_of(name, game, 4) == threads
    assert threads_of(name, game) == (threads if name.startswith("parallel") else 1)


def test_the_players_that_write_down_their_search_are_told() -> None:
    able = {key for key, kind in KINDS.items() if kind.traced}
    plain = {"level": "level:1", "cmd": "cmd:x", "external": "cmd:x"}
    made = {key: make(plain.get(key, key), Context("connect4" if key == "solver" else "gomoku")) for key in KINDS}
    assert {key for key, player in made.items() if isinstance(player, Traceable)} == able
    assert kinds_text(lambda kind: kind.share, "or") == "engine or alphabeta"


def test_the_strongest_player_is_known_under_any_name() -> None:
    """“engine” was a stranger at Connect Four."""
    strong = (("engine:threads=1", "gomoku"), ("engine", "connect4"), ("solver", "connect4"), ("engine", "bones"),
              ("engine:threads=1,memory_mb=9,book=0", "gomoku"))  # fmt: skip
    weaker = (("engine:root_vcf=0", "gomoku"), ("level:10", "gomoku"), ("alphabeta:table=0", "tictactoe"))
    assert all(is_strongest(*each) for each in strong)
    assert not any(is_strongest(*each) for each in weaker)


def test_who_tells_what_it_does_at_each_depth() -> None:
    """An empty table stood beside a game against Monte Carlo, which uses compiled kernels too."""
    assert all(keeps_depths(name, "gomoku") for name in ("engine", "level:9", "trickster"))
    assert not any(keeps_depths(name, "gomoku") for name in ("level:2", "mcts", "alphabeta"))
    assert not keeps_depths("engine", "connect4")


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("gomoku", "level:2 engine mcts mcts:network trickster"),
        ("tictactoe", "level:1 alphabeta parallel trickster"),
        ("bones", "level:1 alphabeta parallel trickster"),
        ("connect4", "level:2 solver parallel mcts mcts:network trickster"),
    ],
)
def test_set_up_offers_levels_and_the_strongest_player(game: str, names: str) -> None:
    assert offered_players(game) == tuple(names.split())


def test_every_game_offers_its_strongest_player() -> None:
    assert all(strongest(game) in offered_players(game) for game in GAMES)
    assert "mcts:network" not in offered_players("another game"), "which has no network"


@pytest.mark.parametrize("name", ["engine:memory_mb=1,RFP=3", "mcts:c=1"])
def test_the_engine_in_a_window_never_waits_for_a_compilation(name: str) -> None:
    """Also with options, as a file may name it."""

    def load(_report: Report) -> Make:
        compiling.wait(60.0)
        raise OSError

    compiling = threading.Event()
    player = make(name, Context("gomoku", engine=EngineHandle(load)))
    info = answer(player, setup("gomoku").start(), Limit(seconds=0.1))
    assert info.stand_in
    player.close()
    compiling.set()


@pytest.mark.parametrize(
    ("name", "context", "arguments"),
    [
        ("engine", {}, {"threads": 1, "memory_mb": 64, "book": False, "parameters": {}}),
        ("engine:RFP=3,root_vcf=0", {"threads": 2, "memory_mb": 9, "book": True},
         {"threads": 2, "memory_mb": 9, "book": True, "root_vcf": 0, "parameters": {"RFP": 3}}),
        ("engine:threads=1,book=0", {"threads": 2, "book": True},
         {"threads": 1, "memory_mb": 64, "book": 0, "parameters": {}}),
    ],
)  # fmt: skip
def test_an_engine_has_the_options_of_its_name_and_else_those_of_the_context(
    name: str, context: dict[str, Any], arguments: dict[str, Any]
) -> None:
    made: list[dict[str, Any]] = []
    handle = EngineHandle(lambda _report: lambda kind: made.append(dict(kind.arguments)) or RandomPlayer())
    answer(make(name, Context("gomoku", engine=handle, **context)), setup("gomoku").start(), Limit())
    assert made == [arguments]


@pytest.mark.parametrize(
    ("name", "game", "waits"),
    [
        ("solver", "connect4", False), ("mcts", "gomoku", False), ("mcts:network", "gomoku", False),
        ("mcts", "connect4", True), ("mcts:network", "connect4", True), ("mcts:playouts=2", "gomoku", True),
    ],
)  # fmt: skip
def test_only_players_on_compiled_kernels_are_stood_in_for(name: str, game: str, waits: bool) -> None:
    player = make(name, Context(game, engine=EngineHandle(lambda _report: lambda _kind: RandomPlayer())))
    assert isinstance(player, Mcts if waits else CompiledPlayer)


def test_the_search_of_single_moves_is_that_of_the_player() -> None:
    assert isinstance(share("engine", Context("gomoku")), GomokuMoves)
    assert isinstance(share("engine", Context("bones")), TreeMoves)
    with pytest.raises(ValueError, match="“mcts” cannot share out its search; engine and alphabeta can"):
        share("mcts", Context("gomoku"))


def test_a_stop_calls_who_waits_for_it() -> None:
    stop, told = Stop(), list[str]()
    with stop.calling(lambda: told.append("too early")):
        pass
    with stop.calling(lambda: told.append("inside")):
        assert not stop.is_set()
        stop.set()
        assert told == ["inside"]
    with stop.calling(lambda: told.append("set before")):
        assert told == ["inside", "set before"]
    assert stop.is_set()
