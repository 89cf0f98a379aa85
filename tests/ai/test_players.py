import pytest

from ai.options import processors, read_options
from ai.player import Budget, Info, Limit, Line, Stop, answer
from ai.players import PLAYERS, make_player
from ai.score import PROVEN, WIN, Score
from games.registry import GAMES, setup


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_player_answers_every_game_with_a_legal_move(name: str, game: str) -> None:
    position = setup(game).start()
    info = answer(make_player(name, 1), position, Limit(seconds=0.2))
    assert info.move in position.legal_moves()


def test_random_player_repeats_itself_for_a_seed_only() -> None:
    position = setup("gomoku").start()

    def moves(seed: int) -> list[int]:
        player = make_player("random", seed)
        return [answer(player, position, Limit()).move for _ in range(10)]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


def test_unknown_player_is_a_sentence() -> None:
    with pytest.raises(ValueError, match="no player “deep thought”"):
        make_player("deep thought")


def test_options_have_types_and_bounds() -> None:
    assert read_options("threads=1, memory_mb=16,weights=none,RFP=-3") == {
        "threads": 1, "memory_mb": 16, "weights": "none", "RFP": -3,
    }  # fmt: skip
    for text in ("threads", "threads=", "threads=1.5", f"threads={processors() + 1}", "memory_mb=0", "book=2", "RFP=x"):
        with pytest.raises(ValueError, match=r"\.$"):
            read_options(text)


def test_mate_distances() -> None:
    assert Score(WIN - 5).mate == 5
    assert Score(4 - WIN).mate == -4
    assert Score(PROVEN - 1).mate is None
    assert Info(1, WIN - 1).mate == 1
    assert Info(1, lines=(Line(0, (1, 2)),)).pv == (1, 2)
    assert Info(7).pv == (7,)
    assert Info(7).nodes_per_second == 0.0


def test_budget_bounds() -> None:
    assert Budget(Limit(seconds=0.0), Stop()).spent(0)
    assert Budget(Limit(nodes=5), Stop()).spent(5)
    assert not Budget(Limit(nodes=5), Stop()).spent(4)
    assert not Budget(Limit(), Stop()).spent(10**9)


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
