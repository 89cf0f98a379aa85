"""Our engine as a Gomocup brain: conversations in memory with a quick player."""

from __future__ import annotations

import io
import os
import re
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from unittest import mock

import pytest

from ai.core.player import Info, Limit, Line, Player, Stop
from ai.gomoku import handle as engine_handle
from ai.gomoku.handle import EngineConfiguration, EngineHandle, EnginePlayer
from ai.pbrain import messages as inbox
from ai.pbrain import server
from ai.pbrain.messages import MOST_COMMANDS, UNLIMITED, Clock, Inbox, ManagerInfo, lines
from ai.pbrain.server import serve
from games.position import Position
from games.registry import setup
from tests.games.strategies import Ticking
from tests.waiting import wait


class Ready(Player):
    """A player that answers at once: with the first candidate, or as configured."""

    nodes = 1

    def __init__(self, score: int = 7) -> None:
        self.score = score
        self.limits: list[Limit] = []

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.limits.append(limit)
        moves = position.candidates()[: limit.lines]
        yield Info(moves[0], self.score, 0, 1, 0.0, tuple(Line(self.score, (move,)) for move in moves))


class Stubborn(Ready):
    """Thinks until it is stopped."""

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield Info(position.candidates()[0])
        while not stop.is_set():
            time.sleep(0.005)


def handle(player: Ready) -> EngineHandle:
    return EngineHandle(lambda _report: lambda _kind: player)


def talk(text: str | bytes, player: Ready | None = None, patience: float = 30.0) -> list[str]:
    """Return the replies to a complete input; `patience` is how long the brain may run after its end."""
    made = player or Ready()
    out = io.BytesIO()
    data = text.encode() if isinstance(text, str) else text
    with mock.patch.object(inbox, "LEAVE_SECONDS", patience):
        serve(io.BytesIO(data), out, "1.2", handle(made))
    return out.getvalue().decode().splitlines()


def moves(replies: list[str]) -> list[str]:
    return [reply for reply in replies if re.fullmatch(r"\d+,\d+", reply)]


def board(*stones: str) -> str:
    return "\n".join(("BOARD", *stones, "DONE", ""))


ABOUT = 'name="Tengen", version="1.2", author="The authors of Tengen", country="-"'
CROSS = ("6,7", "0,0", "8,7", "14,0", "7,6", "0,14", "7,8", "14,14")
"""Stones in the order of play after which 7,7 is a double three for black."""


def cross(own: int) -> tuple[str, ...]:
    """The lines of a BOARD for `CROSS`: black's field is `own`."""
    return tuple(f"{point},{own if ply % 2 == 0 else 3 - own}" for ply, point in enumerate(CROSS))


CONVERSATIONS: dict[str, tuple[str, list[str]]] = {
    "nothing": ("", []),
    "end": ("END\nSTART 15\n", []),
    "start": ("START 15\n", ["OK"]),
    "small": ("START 5\nBEGIN\n", ["OK", "2,2"]),
    "large": ("START 20\nBEGIN\n", ["OK", "10,10"]),
    "too small": ("START 4\n", ["ERROR boards of 5 to 20 points a side are supported"]),
    "too large": ("START 21\n", ["ERROR boards of 5 to 20 points a side are supported"]),
    "no size": ("START\n", ["ERROR boards of 5 to 20 points a side are supported"]),
    "square": ("RECTSTART 15,15\nBEGIN\n", ["OK", "7,7"]),
    "oblong": ("RECTSTART 30,20\n", ["ERROR only square boards are supported"]),
    "rectangle of words": ("RECTSTART a\n", ["ERROR RECTSTART needs a width and a height, as in RECTSTART 15,15"]),
    "begin": ("START 15\nBEGIN\n", ["OK", "7,7"]),
    "lower case": ("start 15\nbegin\n", ["OK", "7,7"]),
    "begin twice": ("START 15\nBEGIN\nBEGIN\n", ["OK", "7,7", "ERROR the board is not empty; send RESTART first"]),
    "restart": ("START 15\nBEGIN\nRESTART\nBEGIN\n", ["OK", "7,7", "OK", "7,7"]),
    "about": ("ABOUT\n", [ABOUT]),
    "unknown": ("FROBNICATE 1 2\n", ["UNKNOWN FROBNICATE 1 2"]),
    "unknown and long": (f"FROBNICATE {'x' * 200}\n", [f"UNKNOWN FROBNICATE {'x' * 89}"]),
    "done alone": ("DONE\n", ["UNKNOWN DONE"]),
    "stop alone": ("YXSTOP\nSTOP\nABOUT\nEND\n", [ABOUT]),
    "info has no reply": ("INFO\nINFO x\nINFO timeout_turn\nINFO timeout_turn x\nINFO rule -1\nINFO folder /tmp\n", []),
    "occupied": ("START 15\nBEGIN\nTURN 7,7\n", ["OK", "7,7", "ERROR 7,7 cannot be played: *"]),
    "off the board": ("START 15\nTURN 15,0\n", ["OK", "ERROR 15,0 is not on the board"]),
    "below the board": ("START 15\nTURN 0,15\n", ["OK", "ERROR 0,15 is not on the board"]),
    "two moves of the opponent": (
        "START 15\n" + board("7,7,2", "8,8,2"),
        ["OK", "ERROR the numbers of stones do not fit: it is not our move"],
    ),
    "two moves more without an answer": (
        "START 15\nYX" + board("7,7,1", "8,8,1"),
        ["OK", "ERROR the numbers of stones do not fit: it is not our move"],
    ),
    "very many lines": ("START 15\nYXNBEST 10000\nYXNBEST 10001\n", ["OK", "*", "ERROR a number from 1 *"]),
    "a stone for a point": ("START 15\nTURN 1,1,1\n", ["OK", "ERROR a point such as 7,7 is needed"]),
    "stop in a board": ("START 15\nBOARD\n7,7,2\nYXSTOP\nDONE\n", ["OK", "#,#"]),
    "no point": ("START 15\nTURN -1,0\n", ["OK", "ERROR a point such as 7,7 is needed"]),
    "take back": ("START 15\nBEGIN\nTAKEBACK 7,7\nBEGIN\n", ["OK", "7,7", "OK", "7,7"]),
    "take back another": (
        "START 15\nBEGIN\nTAKEBACK 7,8\nTAKEBACK x\n",
        ["OK", "7,7", "ERROR only the last move can be taken back", "ERROR a point such as 7,7 is needed"],
    ),
    "empty board": ("START 15\n" + board(), ["OK", "7,7"]),
    "board without end": ("START 15\nBOARD\n7,7,2\nEND\n", ["OK", "ERROR BOARD was not ended by DONE"]),
    "command in a board": (
        "START 15\nBOARD\n7,7,2\nRESTART\nBEGIN\n",
        ["OK", "ERROR BOARD was not ended by DONE", "OK", "7,7"],
    ),
    "stones on one point": ("START 15\n" + board("7,7,1", "7,7,2"), ["OK", "ERROR two stones lie on one point"]),
    "taken twice": ("START 15\n" + board("0,0,3", "0,0,3"), ["OK", "7,7"]),
    "not our move": (
        "START 15\n" + board("7,7,1"),
        ["OK", "ERROR the numbers of stones do not fit: it is not our move"],
    ),
    "bad stone": ("START 15\n" + board("7,7", "1,1,2"), ["OK", "ERROR a stone such as 7,7,1 is needed"]),
    "strange field": ("START 15\n" + board("7,7,4"), ["OK", "ERROR a stone such as 7,7,1 is needed"]),
    "finished game": (
        "START 15\n" + board(*(f"{x},0,2\n{x},9,1" for x in range(4)), "4,0,2"),
        ["OK", "ERROR the game is over"],
    ),
    "yxboard is silent": ("START 15\nYXBOARD\n7,7,1\n8,8,2\nDONE\nTAKEBACK 8,8\n", ["OK", "OK"]),
    "yxboard with the opponent to move": ("START 15\nYXBOARD\n7,7,1\nDONE\nTAKEBACK 7,7\n", ["OK", "OK"]),
    "yxboard with us to move": ("START 15\nYXBOARD\n7,7,2\nDONE\nTAKEBACK 7,7\n", ["OK", "OK"]),
    "no forbidden points": ("START 15\nYXSHOWFORBID\n", ["OK", "FORBID ."]),
    "double three": (
        "START 15\nINFO rule 4\nYX" + board(*cross(1)) + "YXSHOWFORBID\n",
        ["OK", "FORBID 0707."],
    ),
    "a game that is over has no forbidden points": (
        "INFO rule 4\nSTART 15\nYX" + board(*(f"{x},9,1\n{x},0,2" for x in (0, 1, 2, 3)), "9,9,1", "4,0,2")
        + "YXSHOWFORBID\n",
        ["OK", "FORBID ."],
    ),
    "rule 2 is renju to one who speaks like Yixin": (
        "START 15\nINFO rule 2\nYX" + board(*cross(1)) + "YXSHOWFORBID\n",
        ["OK", "FORBID 0707."],
    ),
    "rule 6 was renju to one who speaks like Yixin": (
        "START 15\nINFO rule 6\nYX" + board(*cross(1)) + "YXSHOWFORBID\n",
        ["OK", "FORBID ."],
    ),
    "forbidden as listed, but not in another order": (
        "INFO rule 4\nSTART 15\n" + board(*cross(2), "7,7,2"),
        ["OK", "#,#"],
    ),
    "forbidden in any order": (
        "INFO rule 4\nSTART 15\n" + board(*(f"{x},7,2\n{x},{2 * (x % 3)},1" for x in range(5)), "5,7,2"),
        ["OK", "ERROR *"],
    ),
    "a turn on a forbidden point": (
        "INFO rule 4\nSTART 15\n" + "YX" + board(*cross(1)) + "TURN 7,7\n", ["OK", "ERROR *"],
    ),
    "swap2, five stones, even: black is kept": (
        "START 15\nSWAP2BOARD\n7,7\n8,7\n9,9\n1,1\n2,2\nDONE\n", ["OK", "SWAP"],
    ),
    "swap2, stones with their fields": (
        "START 15\nSWAP2BOARD\n7,7,1\n8,7,2\n9,9,1\n1,1,2\n2,2,1\nDONE\n", ["OK", "SWAP"],
    ),
    "swap2 with four stones": (
        "START 15\nSWAP2BOARD\n7,7\n8,7\n9,9\n1,1\nDONE\n", ["OK", "ERROR SWAP2BOARD takes no, three or five stones"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_conversations(name: str) -> None:
    text, expected = CONVERSATIONS[name]
    replies = talk(text)
    assert len(replies) == len(expected), replies
    for reply, pattern in zip(replies, expected, strict=True):
        form = re.escape(pattern).replace(r"\*", ".*").replace(r"\#", r"\d+")
        assert re.fullmatch(form, reply), (reply, pattern)


@pytest.mark.parametrize("command", ["RESTART", "BEGIN", "TURN 1,1", "TAKEBACK 1,1", "YXSHOWFORBID", "YXNBEST 1"])
def test_before_start_there_is_no_board(command: str) -> None:
    assert talk(f"{command}\n") == ["ERROR there is no board yet; send START first"]
    for block in ("BOARD", "YXBOARD", "SWAP2BOARD"):
        assert talk(f"{block}\n1,1,2\nDONE\nSTART 15\n") == ["ERROR there is no board yet; send START first", "OK"]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\n"])
def test_every_line_end(end: str) -> None:
    assert talk(end.join(("START 15", "BEGIN", "TURN 0,0", "END", "")))[:2] == ["OK", "7,7"]


def test_commands_have_numbers_and_those_that_stop_stop_the_search_before_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timer = mock.Mock()
    monkeypatch.setattr(inbox, "time", Ticking(0.0))
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source, os.fdopen(writing, "wb", 0) as manager:
        commands = Inbox(source)
        manager.write(b"start\t15\nTURN  1,1\n")
        asked = [commands.next() for _ in range(2)]
        assert [(each.word, each.rest, each.number, each.text) for each in asked] == [
            ("START", "15", 0, "START 15"), ("TURN", "1,1", 1, "TURN 1,1"),
        ]  # fmt: skip
        search = commands.stop(1)
        manager.write(b"INFO x\nYXSTOP\nTURN 2,2\n")
        wait(search.is_set)
        assert [commands.next().number for _ in range(3)] == [2, 3, 4]
        assert [commands.stop(number).is_set() for number in (2, 4)] == [True, False]
        search = commands.stop(4)
        assert (search.is_set(), commands.ended.is_set()) == (False, False)
        manager.close()
        wait(search.is_set)
        end = commands.next()
    assert (end.word, end.number, commands.ended.is_set()) == ("END", 5, True)
    monkeypatch.setattr(threading, "Timer", timer)
    late = commands.stop(5)
    assert timer.call_args.args == (pytest.approx(inbox.LEAVE_SECONDS / 2), late.set)
    assert timer.return_value.daemon is True


def test_too_many_commands_end_a_search() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source, os.fdopen(writing, "wb", 0) as manager:
        commands = Inbox(source)
        search = commands.stop(0)
        manager.write(b"INFO\n" * (MOST_COMMANDS + 1))
        wait(search.is_set)
        assert commands.stop(0).is_set()
        assert [commands.next().number for _ in range(2)] == [0, 1]
        assert not commands.stop(0).is_set()


def test_lines_come_as_soon_as_they_are_ended() -> None:
    """A lone CR must not be kept back to see whether LF follows."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source:
        found = lines(source)
        os.write(writing, b"ABOUT\r")
        assert next(found) == "ABOUT"
        os.write(writing, b"\nSTART 15\r\nE")
        assert next(found) == "START 15"
        os.write(writing, b"ND")
        os.close(writing)
        assert list(found) == ["END"]


@pytest.mark.parametrize(
    "bad",
    ["TURN 7,7", "TURN x", "TAKEBACK 0,0", "START 99", "RECTSTART 3,4", "BOARD\n1,1,1\nDONE", "YXBOARD\n7\nDONE",
     "FOO", "SWAP2BOARD\n1,1\nDONE", "YXNBEST x", "YXNBEST 0"],
)  # fmt: skip
def test_a_bad_command_leaves_the_state_as_it_was(bad: str) -> None:
    """After it the engine's last move can still be taken back, and the same move be made."""
    replies = talk(f"START 15\nBEGIN\n{bad}\nTAKEBACK 7,7\nBEGIN\n")
    assert replies[2].split()[0] in ("ERROR", "UNKNOWN")
    assert replies[:2] + replies[3:] == ["OK", "7,7", "OK", "7,7"]


def test_the_stones_of_a_board_may_come_in_any_order() -> None:
    in_turn = talk("START 15\n" + board("7,7,2", "6,6,1", "8,7,2", "6,7,1", "9,7,2"))
    mixed = talk("START 15\n" + board("6,7,1", "6,6,1", "9,7,2", "7,7,2", "8,7,2"))
    assert in_turn == mixed
    assert moves(in_turn)


def test_six_stones_of_a_board_may_come_in_any_order_and_five_have_won() -> None:
    """By the standard rule exactly five win, so the last of six was not the sixth."""
    white = [f"{x},14,1" for x in (0, 2, 4, 6, 8, 10)]
    six = [f"{x},7,2" for x in range(3, 9)]
    begun = "START 15\nINFO rule 1\n"
    assert len(moves(talk(begun + board(*white, *six)))) == 1
    five = [*six[:5], "9,9,2"]
    assert talk(begun + board(*white, *five))[1:] == ["ERROR 10,14 cannot be played: The game is over."]


def test_a_point_marked_3_is_not_played_on() -> None:
    """In a continuous game the rows that were finished are marked so; they are occupied."""
    stones = [f"{x},{y},3" for x in range(5) for y in range(5) if (x, y) != (4, 4)]
    assert talk("START 5\nINFO rule 2\n" + board(*stones)) == ["OK", "4,4"]
    assert talk("START 5\n" + board(*stones) + "TURN 0,0\n")[2:] == ["ERROR that point is occupied"]
    assert talk("START 5\n" + board(*stones, "4,4,3"))[1:] == ["ERROR there is no point left to play on"]


@pytest.mark.parametrize(
    ("answer", "text", "played"),
    [
        ("a1", board("7,7,2"), "0,14"), ("h8", board("7,7,2"), "6,6"),
        ("a1", board("7,7,2", "0,14,3"), "6,6"), ("a1", board("7,7,2", "0,14,3", "6,6,3"), "7,6"),
    ],
)  # fmt: skip
def test_the_move_of_the_engine_is_played_or_another_where_that_cannot_be(answer: str, text: str, played: str) -> None:
    class Sure(Ready):
        def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
            yield Info(setup("gomoku").start().parse_move(answer))

    assert talk("START 15\n" + text, Sure()) == ["OK", played]


def test_a_search_is_told_of_four_times_a_second_and_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Chatty(Ready):
        def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
            for depth in (0, 0, 0, 1, 2, 3, 4, 5):
                yield Info(0, 0, depth)

    monkeypatch.setattr(server, "time", Ticking(0.0625))
    *told, _ = talk("START 15\nINFO timeout_turn 100000\nTURN 7,7\n", Chatty())
    assert [line.split()[2] for line in told[1:]] == ["4", "5"]


def out_to(write: Callable[[object], object] | Exception, closed: bool = False) -> mock.Mock:
    """A pipe to a manager, where writing does something else."""
    return mock.Mock(closed=closed, **{"write.side_effect": write})


def test_a_manager_that_has_gone_is_no_error_and_others_are() -> None:
    for error, closed in ((BrokenPipeError(), False), (BrokenPipeError(), True), (ValueError("closed"), True)):
        serve(io.BytesIO(b"START 15\n"), out_to(error, closed), engine=handle(Ready()))
    with pytest.raises(ValueError, match="a bug"):
        serve(io.BytesIO(b"START 15\n"), out_to(ValueError("a bug")), engine=handle(Ready()))


def test_a_manager_that_reads_no_answer_after_its_end_is_left_after_five_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, left, times = Ticking(0.0), threading.Event(), list[float]()
    monkeypatch.setattr(server, "time", clock)
    out = out_to(lambda _data: times.append(clock.now) or left.wait(60))
    serve(io.BytesIO(b"START 15\nEND\n"), out, "", handle(Ready()), lambda: times.append(clock.now) or left.set())
    assert times[1] - times[0] == 5.0


@pytest.mark.parametrize("missing", ["stdin", "stdout"])
def test_a_program_without_a_console_cannot_be_an_engine(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, missing, None)
    assert server.run("1.2") == 1


def test_n_best_tells_a_line_for_each() -> None:
    class Deep(Ready):
        def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
            for info in super().think(position, limit, stop):
                yield Info(info.move, 9, 3, 50, 0.5, info.lines)

    replies = talk("START 15\nYXBOARD\n7,7,1\nDONE\nYXNBEST 3\n", Deep())
    told = [reply for reply in replies if reply.startswith("MESSAGE")]
    assert [line.split()[1] for line in told] == ["(1)", "(2)", "(3)"]
    assert re.fullmatch(r"MESSAGE \(1\) depth 3 ev 7 n 50 tm 500 pv [a-o]\d+", told[0])
    assert len(moves(replies)) == 1


def test_swap2() -> None:
    start, reply = talk("START 15\nSWAP2BOARD\nDONE\n")
    assert start == "OK"
    assert len(set(reply.split())) == 3
    assert all(re.fullmatch(r"\d+,\d+", point) for point in reply.split())
    three = "START 15\nSWAP2BOARD\n7,7\n8,7\n9,9\nDONE\n"
    assert talk(three, Ready(-500))[1] == "SWAP"
    assert re.fullmatch(r"\d+,\d+", talk(three, Ready(500))[1]), "white is better"
    assert re.fullmatch(r"\d+,\d+ \d+,\d+", talk(three, Ready(0))[1]), "neither is: two more stones"
    five = "START 15\nSWAP2BOARD\n7,7\n8,7\n9,9\n1,1\n2,2\nDONE\n"
    assert talk(five, Ready(-500))[1] == "SWAP"
    assert re.fullmatch(r"\d+,\d+", talk(five, Ready(500))[1])
    assert moves(talk(three + "TURN 0,0\n", Ready(-500))), "after SWAP white moves, and then we do"


@pytest.mark.slow
def test_a_player_that_fails_does_not_lose_the_game() -> None:
    class Broken(Ready):
        def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
            yield Info(0)
            raise RuntimeError("broken")

    assert len(moves(talk("START 15\nBEGIN\nTURN 0,0\n", Broken()))) == 2


# Time and memory.


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        (Clock(), 1.95),
        (Clock(timeout_turn=1000), 0.96),
        (Clock(timeout_turn=0), 0.0294),
        (Clock(timeout_turn=-1), 0.0294),
        (Clock(timeout_turn=30_000, timeout_match=0, time_left=UNLIMITED), 29.67),
        (Clock(timeout_turn=30_000, timeout_match=0, time_left=1000), 29.67),
        (Clock(timeout_turn=30_000, timeout_match=180_000, time_left=UNLIMITED), 29.67),
        (Clock(timeout_turn=30_000, timeout_match=180_000, time_left=180_000), 8.88),
        (Clock(timeout_turn=30_000, timeout_match=180_000), 8.88),
        (Clock(timeout_turn=30_000, timeout_match=180_000, time_left=1000), 0.0195),
        (Clock(timeout_turn=30_000, timeout_match=180_000, time_left=-5), 0.01),
        (Clock(timeout_turn=10), 0.01),
        (Clock(timeout_turn=200_000_000, time_left=UNLIMITED), 197_999.97),
    ],
)
def test_time_for_a_move(clock: Clock, seconds: float) -> None:
    """A hundredth and a moment less than there is, of which the least is a moment, too."""
    assert clock.seconds() == pytest.approx(seconds)


def test_the_clock_runs_by_itself_where_the_manager_names_no_time_left() -> None:
    clock = Clock(timeout_turn=5000, timeout_match=10_000)
    clock.subtract(6.0)
    assert clock.time_left == 4000
    clock.subtract(6.0)
    assert clock.time_left == 0
    clock.new_game()
    assert clock.time_left is None
    for unlimited in (Clock(timeout_match=0), Clock(time_left=UNLIMITED)):
        before = unlimited.time_left
        unlimited.subtract(6.0)
        assert unlimited.time_left == before


@pytest.mark.parametrize(
    ("max_memory", "table"), [(None, 64), (0, 256), (350 << 20, 130), (83_886_080, 1), (4 << 30, 256), (1, 1)]
)
def test_memory_for_the_table(max_memory: int | None, table: int) -> None:
    assert Clock(max_memory=max_memory).table_mb() == table


@pytest.mark.parametrize(
    ("said", "rule", "limits"),
    [
        ("", "freestyle", (None, None)), ("rule 0", "freestyle", (None, None)), ("rule 1", "standard", (None, None)),
        ("rule 2", "freestyle", (None, None)), ("rule 3", "standard", (None, None)), ("rule 4", "renju", (None, None)),
        ("rule 5", "renju", (None, None)), ("rule 8", "standard", (None, None)), ("rule 16", "freestyle", (None, None)),
        ("rule 1|rule x|rule", "standard", (None, None)), ("RULE  1 ", "standard", (None, None)),
        ("rule 1|max_depth 7", "standard", (7, None)),
        ("rule 2|max_depth 7|max_node 1", "renju", (7, 1)), ("max_depth 1|rule 2", "renju", (1, None)),
        ("max_depth 7|max_depth 0|max_node 9|max_node -1", "freestyle", (None, None)),
    ],
)  # fmt: skip
def test_what_a_manager_sets(said: str, rule: str, limits: tuple[int | None, int | None]) -> None:
    manager = ManagerInfo()
    for line in said.split("|"):
        manager.note(line)
    assert (manager.rule, (manager.depth, manager.nodes)) == (rule, limits)


def test_as_many_threads_are_used_as_a_manager_says_and_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "processors", lambda: 4)
    manager, found = ManagerInfo(), []
    for number in (0, 1, 3, 4, 5):
        manager.note(f"thread_num {number}")
        found.append(manager.configuration(20).arguments["threads"])
    assert found == [1, 1, 3, 4, 4]
    assert (manager.configuration(20).size, manager.configuration(20).rule) == (20, "freestyle")


def test_a_line_is_cut_and_the_last_needs_no_end() -> None:
    assert list(lines(io.BytesIO(b"a" * 5000 + b"\n\0b\t\n" + b"\xff" + b"c" * 100_000))) == [
        "a" * 4096, "b", "\ufffd" + "c" * 4095,
    ]  # fmt: skip


def test_the_engine_is_told_of_limits() -> None:
    made: list[Mapping[str, Any]] = []
    player = Ready()

    def make(kind: EngineConfiguration) -> Ready:
        made.append(kind.arguments)
        return player

    text = "START 15\nINFO max_memory 83886080\nINFO timeout_turn 500\nINFO max_depth 4\nBEGIN\nTURN 0,0\n"
    serve(io.BytesIO(text.encode()), io.BytesIO(), engine=EngineHandle(lambda _report: make))
    assert made[-1] == {"threads": 1, "memory_mb": 1, "book": True}
    seconds = player.limits[-1].seconds
    assert 0.3 < seconds < 0.47
    assert player.limits[-1].depth == 4


def test_searches_have_their_share_of_the_time_and_at_most_50_lines() -> None:
    """Of a match a twentieth of what is left; all searches of a swap2 opening share the time for one move."""

    def limits(text: str) -> list[Limit]:
        player = Ready()
        talk(f"START 15\nINFO timeout_turn 60000\n{text}\n", player)
        return [limit for limit in player.limits if limit.depth is None]

    first, second = limits("INFO timeout_match 100000\nBEGIN\nTURN 0,0")
    assert 4 < min(first.seconds or 0, second.seconds or 0) <= max(first.seconds or 0, second.seconds or 0) < 4.92
    assert [limit.lines for limit in limits("YXNBEST 50\nYXNBEST 51\nYXNBEST 1")] == [50, 50, 1]
    stones = "SWAP2BOARD", "7,7", "8,7", "9,9", "1,1", "2,2"
    for end in (4, 6):
        assert 58 < sum(limit.seconds or 0 for limit in limits("\n".join((*stones[:end], "DONE")))) < 59.37


def test_until_the_engine_is_loaded_another_one_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_handle, "time", Ticking(0.1))
    answered = threading.Event()
    waited: list[bool] = []

    def load(_report: object) -> Any:
        waited.append(answered.wait(60))
        return lambda _kind: Ready()

    out = io.BytesIO()
    serve(io.BytesIO(b"INFO timeout_turn 300\nSTART 15\nTURN 7,7\n"), out, engine=EngineHandle(load))
    assert waited == [], "the engine is still being loaded"
    answered.set()
    *_, told, answer = out.getvalue().decode().splitlines()
    assert told == "MESSAGE The engine is still being loaded: a weaker player has answered."
    assert moves([answer])


def test_what_stands_in_has_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time in which the engine was waited for is gone."""
    clock, answered = Ticking(0.01), threading.Event()
    monkeypatch.setattr(engine_handle, "time", clock)

    def load(_report: object) -> Any:
        answered.wait(60)
        raise ImportError

    stand_in = Ready()
    monkeypatch.setattr(engine_handle, "AlphaBeta", lambda: stand_in)
    thinker = EnginePlayer(EngineHandle(load), EngineConfiguration(15, "freestyle"))
    began = clock()
    list(thinker.think(setup("gomoku").start(), Limit(seconds=0.5), Stop()))
    answered.set()
    seconds = stand_in.limits[-1].seconds
    assert clock() - began >= 0.25, "half of it"
    assert 0 < seconds < 0.5 - (clock() - began) + 0.001


def test_a_player_that_nobody_wants_any_more_takes_its_engine_along() -> None:
    """It stayed, with the 64 MB of its table, after every game against the engine and every analysis."""
    made: list[weakref.ref[Ready]] = []

    def make(_kind: EngineConfiguration) -> Ready:
        player = Ready()
        made.append(weakref.ref(player))
        return player

    thinker = EngineHandle(lambda _report: make).player()
    for size in (15, 20):  # another kind of game is a reason to make another engine
        thinker.prepare(EngineConfiguration(size, "freestyle"))
        thinker.wait_until_ready(Stop())
    assert [engine() is not None for engine in made] == [False, True]
    del thinker
    wait(lambda: made[-1]() is None)


def test_what_is_asked_for_before_end_is_answered_soon() -> None:
    """A script piped in as a whole has its END there at once, and still wants its answers."""
    text = "START 15\nINFO timeout_turn 60000\nBEGIN\nTURN 0,0\nTURN 14,0\nEND\n"
    replies = talk(text, Stubborn(), inbox.LEAVE_SECONDS)
    assert len(moves(replies)) == 3, "of a player that thinks until it is stopped"


# A manager that misbehaves.


def test_a_board_without_end_filled_memory() -> None:
    said = "ERROR two stones lie on one point"
    assert talk("START 15\n" + board(*["1,1,1"] * 400)) == ["OK", said]
    lines_ = "1,1,1\n" * 401
    assert talk(f"START 15\nBOARD\n{lines_}DONE\nBEGIN\n") == ["OK", "ERROR a board has at most 400 points", "7,7"]
