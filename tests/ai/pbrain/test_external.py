"""External engines as players: our own process, and small scripts that misbehave."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from ai.core.player import Info, Limit, Line, Stop, Transcript, answer
from ai.core.score import FARTHEST, PROVEN, WIN
from ai.pbrain import external
from ai.pbrain.external import EngineError, Findings, IllegalAnswer, PbrainPlayer, SlowEngine
from ai.pbrain.messages import Message, MessageReader, parse_message, write
from ai.players.table import Context, make
from games.formats.text import parse
from games.opening_rules import handicap_stones
from games.position import Position
from games.registry import setup
from tests.games.strategies import Time
from tests.waiting import PATIENCE, wait

ROOT = Path(__file__).parents[3]


def after(moves: str, rule: str = "freestyle", size: int = 15) -> Position:
    return parse(moves, setup("gomoku", size, rule)).position


SECOND = Limit(seconds=1.0)

Lines = tuple[str | None, ...]


class Scripted:
    """An engine in memory, in place of an `EngineProcess`: it `says` lines to a word, and a quarter of a second passes
    whenever it says nothing, as at each None."""

    def __init__(self, clock: Time) -> None:
        self.clock, self.says = clock, dict[str, Lines]()
        self.sent, self.killed, self.name, self.alive = list[str](), list[bool](), "", True
        self.waits, self.on_wait = 0, lambda: None
        self._said: deque[str | None] = deque()

    def start(self, _command: str, name: str, *_rest: object) -> Scripted:
        self.name, self.alive = name, True
        self._said.clear()
        return self

    def send(self, *texts: str) -> None:
        self.sent.extend(texts)
        for text in texts:
            self._said.extend(self.says.get(text.split()[0], ()))

    def line(self, _seconds: float) -> str | None:
        if (said := self._said.popleft() if self._said else None) is None:
            self.waits += 1
            self.clock.passes(0.25)
            self.on_wait()
        return said

    def close(self, kill: bool) -> None:
        self.killed.append(kill)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    made = Scripted(Time())
    made.says = {"START": ("OK",)}
    monkeypatch.setattr(external, "EngineProcess", made.start)
    monkeypatch.setattr(external, "time", SimpleNamespace(monotonic=made.clock))
    return made


def player_that_says(engine: Scripted, *lines: str | None, **words: Lines) -> PbrainPlayer:
    """An engine that says these lines when it is to move."""
    engine.says |= {"DONE": lines, "BEGIN": lines, **words}
    return PbrainPlayer("an engine", patience=2.0)


LIMITS = "INFO timeout_turn 1000", "INFO time_left 2147483647"


def test_what_the_engine_is_told(engine: Scripted) -> None:
    """The colours in turn, as they were played; from the side to move; with the rule's mask and the time."""
    answer(player_that_says(engine, "0,0"), after("h8i9g7j10k11", "renju"), SECOND)
    begun = ["INFO rule 4", "START 15", "INFO timeout_match 0", "INFO game_type 0", "INFO rule 4"]
    assert engine.sent == [*begun, *LIMITS, "BOARD", "7,7,2", "9,5,1", "6,8,2", "8,6,1", "10,4,2", "DONE"]


YIXIN = {"YXSHOWFORBID": ("MESSAGE x", None, "FORBID ."), "YXNBEST": ("0,0",)}


@pytest.mark.parametrize(
    ("moves", "limit", "words", "told"),
    [
        ("h8", Limit(), {}, ["INFO timeout_turn 86400000", LIMITS[1], "BOARD", "7,7,2", "DONE"]),
        ("h8", Limit(seconds=0.0), {}, ["INFO timeout_turn 1", LIMITS[1], "BOARD", "7,7,2", "DONE"]),
        ("h8", Limit(1.0, depth=7), {}, [*LIMITS, "INFO max_depth 7", "BOARD", "7,7,2", "DONE"]),
        ("", SECOND, {}, [*LIMITS, "START 15", "BEGIN"]),
        ("h8", Limit(1.0, lines=2), YIXIN, [*LIMITS, "YXSHOWFORBID", "YXBOARD", "7,7,2", "DONE", "YXNBEST 2"]),
        ("", Limit(1.0, lines=2), YIXIN, [*LIMITS, "YXSHOWFORBID", "START 15", "YXNBEST 2"]),
        ("", Limit(lines=2), {}, ["INFO timeout_turn 86400000", LIMITS[1], "YXSHOWFORBID", "START 15", "BEGIN"]),
        ("h8", Limit(3.0, lines=2), {"YXSHOWFORBID": ("error unknown command",)},
         ["INFO timeout_turn 3000", LIMITS[1], "YXSHOWFORBID", "BOARD", "7,7,2", "DONE"]),
    ],
)  # fmt: skip
def test_what_a_search_is_told(
    moves: str, limit: Limit, words: dict[str, Lines], told: list[str], engine: Scripted
) -> None:
    """Whether it knows Yixin's commands is asked once only, for a second."""
    player = player_that_says(engine, "0,0")
    if words is YIXIN:
        engine.says["DONE"] = ()
    engine.says |= words
    for number in range(2):
        assert answer(player, after(moves), limit).move == 0
        if number == 0:
            assert engine.waits == (0 if limit.lines == 1 or "error" in str(words) else 1 if words else 4)
        assert engine.sent[5:] == [line for line in told if number == 0 or line != "YXSHOWFORBID"]
        engine.sent[5:] = []


def test_an_engine_that_plays_is_told_facts_and_the_time_that_is_left(
    engine: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    def monotonic() -> float:
        engine.clock.passes(0.125)
        return engine.clock()

    engine.says["DONE"] = ("0,0",)
    monkeypatch.setattr(external, "time", SimpleNamespace(monotonic=monotonic))
    answer(PbrainPlayer("x", facts=("thread_num 2",)), after("h8"), SECOND)
    assert engine.sent[:3] == ["INFO rule 0", "INFO thread_num 2", "START 15"]
    assert engine.sent[6] == "INFO timeout_turn 875"


@pytest.mark.parametrize(
    ("says", "limit", "stopped", "waits", "problem"),
    [
        ((), SECOND, False, 9, "silent"), ((), SECOND, True, 7, "silent"), (("OK",), Limit(0.5), False, 7, "slow"),
        (("OK",), Limit(), True, 7, "slow"), (("OK",), Limit(10.0), True, 7, "slow"),
        (("OK",), Limit(0.25), True, 6, "slow"),
    ],
)  # fmt: skip
def test_how_long_an_engine_is_waited_for(
    says: Lines, limit: Limit, stopped: bool, waits: int, problem: str, engine: Scripted
) -> None:
    """Two seconds for START, one more than it has for a move, and at most one and a half after a stop."""
    engine.says["START"] = says
    stop = Stop()
    if stopped:
        stop.set()
    with pytest.raises(SlowEngine) as error:
        answer(player_that_says(engine), after("h8"), limit, stop)
    assert (engine.waits, error.value.problem, engine.killed) == (waits, problem, [True])


def test_an_empty_board_is_waited_for_as_a_game_or_as_long_as_a_search(engine: Scripted) -> None:
    for limit, waits in ((Limit(), 9), (Limit(0.5), 7)):
        player = player_that_says(engine, "0,0", START=("OK",))
        answer(player, after("h8"), SECOND)
        engine.says["START"], engine.waits = (), 0
        with pytest.raises(SlowEngine, match="START"):
            answer(player, after(""), limit)
        assert engine.waits == waits


def test_an_engine_that_does_not_stop_is_told_once_and_ended(engine: Scripted) -> None:
    player, stop = player_that_says(engine), Stop()
    engine.on_wait = lambda: stop.set() if engine.waits == 3 else None
    with pytest.raises(SlowEngine):
        list(player.think(after("h8"), Limit(), stop))
    assert (engine.waits, engine.sent.count("YXSTOP")) == (10, 1)


@pytest.mark.parametrize("reply", ["UNKNOWN", "ERROR Unknown command", "ERROR BEGIN"])
def test_an_error_for_an_unknown_stop_ended_the_engine(reply: str, engine: Scripted) -> None:
    """Rapfi says ERROR where others say UNKNOWN."""
    player, stop = player_that_says(engine, None, YXSTOP=(reply, "8,7")), Stop()
    stop.set()
    *_, last = player.think(after("h8"), Limit(), stop)
    assert (last.move, last.seconds, engine.killed) == (113, 0.25, [])


def test_what_an_engine_is(engine: Scripted) -> None:
    player = player_that_says(engine, ABOUT=("MESSAGE a", None, "ok", 'name="x"'))
    assert (player.about(Stop()), engine.sent, engine.killed) == ('name="x"', ["ABOUT"], [])
    engine.says["ABOUT"] = ("debug x",)
    with pytest.raises(SlowEngine) as error:
        player.about(Stop())
    assert (error.value.problem, error.value.detail, engine.waits, engine.killed) == ("silent", "ABOUT", 10, [True])
    assert player.transcript.last()[-1].text == "“an engine” does not answer ABOUT."


def test_a_search_that_is_left_early_ends_the_engine_without_a_word(engine: Scripted) -> None:
    player = player_that_says(engine, "MESSAGE pv i9", "8,7")
    search = player.think(after("h8"), SECOND, Stop())
    next(search)
    search.close()  # type: ignore[attr-defined]  # a generator
    assert (engine.killed, player.transcript.last()) == ([True], [])
    player.close()
    assert engine.killed == [True], "it runs no more"
    player.warm_up(after("h8"))
    player.close()
    assert engine.killed == [True, False]


def test_in_renju_the_stones_are_listed_in_an_order_that_the_rules_allow(engine: Scripted) -> None:
    """Black's h8, played first, would be a double three after the four stones that lie before it."""
    position = after("h8a1g8a15f8o1h9o15h10a8", "renju")
    answer(player_that_says(engine, "0,1"), position, SECOND)
    stones = engine.sent[engine.sent.index("BOARD") + 1 : engine.sent.index("DONE")]
    replayed = after("", "renju")
    for stone in stones:
        x, y, _ = map(int, stone.split(","))
        replayed = replayed.play(y * 15 + x)
    assert replayed.key == position.key


def test_stones_that_were_set_up_are_told_with_their_colours(engine: Scripted) -> None:
    """Such a position has no moves: only BEGIN was sent. After a move its colours were told in turn."""
    handicap = setup("gomoku").start(handicap_stones(15, 1))
    player = player_that_says(engine, "0,0")
    answer(player, handicap, SECOND)
    assert listed(engine) == {"7,7,2", "9,6,2"}
    answer(player, handicap.play(handicap.parse_move("a1")), SECOND)
    assert listed(engine) == {"7,7,1", "9,6,1", "0,14,2"}


def listed(engine: Scripted) -> set[str]:
    """The stones of the last BOARD that `engine` was sent."""
    last = len(engine.sent) - engine.sent[::-1].index("BOARD")
    return set(engine.sent[last : engine.sent.index("DONE", last)])


@pytest.mark.parametrize("moves", ["d8a1e8c1f8e1h8g1i8i1g8k1a15m1", "a1d8c1e8e1f8g1h8i1i8k1g8m1a15o1"])
def test_six_stones_of_a_standard_game_are_listed_as_no_five(moves: str, engine: Scripted) -> None:
    """Listed by cells, five of them would have won."""
    position = after(moves, "standard")
    answer(player_that_says(engine, "14,0"), position, SECOND)
    replayed = after("", "standard")
    first = engine.sent.index("BOARD") + 1
    for stone in engine.sent[first : engine.sent.index("DONE")]:
        x, y, _ = map(int, stone.split(","))
        replayed = replayed.play(y * 15 + x)
    assert replayed.key == position.key


def test_a_game_is_started_once_and_anew_when_it_changes(engine: Scripted) -> None:
    player = player_that_says(engine, "0,0")
    for position in (after("h8"), after("h8i9g7"), after("h8", "standard"), after("c3", size=9), after("")):
        answer(player, position, SECOND)
    starts = [line for line in engine.sent if line.startswith(("START", "BEGIN"))]
    assert starts == ["START 15", "START 15", "START 9", "START 15", "START 15", "BEGIN"]
    assert engine.sent.count("INFO rule 1") == 2
    engine.alive = False
    answer(player, after(""), SECOND)
    assert (engine.killed, engine.sent[-9:-4]) == ([True], ["INFO rule 0", "START 15", *engine.sent[2:5]])


def test_messages_become_infos_at_intervals(engine: Scripted) -> None:
    text = "depth 5-9 ev 31 n 12K tm 30 pv i9 g7"
    player = player_that_says(engine, f"message {text}", "MESSAGE depth 6 pv i9", "MESSAGE noise", "DEBUG depth 99",
                              None, "MESSAGE depth 7 pv i9", "8,6")  # fmt: skip
    infos = list(player.think(after("h8"), SECOND, Stop()))
    assert [(info.move, info.depth, info.score, info.nodes, info.pv, info.seconds) for info in infos] == [
        (98, 5, 31, 12_000, (98, 126), 0.0), (98, 7, 31, 12_000, (98,), 0.25), (98, 7, 31, 12_000, (98,), 0.25),
    ]  # fmt: skip
    assert player.nodes == 12_000
    engine.says["DONE"] = ("8,6",)
    found = answer(player, after("h8"), SECOND)
    assert (found, player.nodes) == (Info(98, lines=(Line(0, (98,)),)), 0), "of the newest search"


def test_garbage_is_passed_over(engine: Scripted) -> None:
    lines = "", "what", "7,", "7 7", "OK", "UNKNOWN x", "SUGGEST 1,1", "8,7"
    assert answer(player_that_says(engine, *lines), after("h8"), SECOND).move == 113


def test_an_unknown_command_that_is_not_needed_loses_no_game(engine: Scripted) -> None:
    """Rapfi reads the first word after its move as if it still thought, and then does not know TIMEOUT_TURN."""
    lines = "ERROR Unknown command: TIMEOUT_TURN", "ERROR Unknown command: 1000", "8,7"
    assert answer(player_that_says(engine, *lines), after("h8"), SECOND).move == 113
    with pytest.raises(EngineError, match="refuses"):
        answer(player_that_says(engine, "ERROR Unknown command: BOARD"), after("h8"), SECOND)


def test_an_error_is_told(engine: Scripted) -> None:
    for said, told in (("ERROR no such thing", "no such thing"), ("error", "an error"),
                       ("Error: " + 300 * "x", f": {'x' * 198}…")):  # fmt: skip
        with pytest.raises(EngineError) as error:
            answer(player_that_says(engine, said), after("h8"), SECOND)
        assert (error.value.problem, error.value.detail) == ("refused", told)
        assert str(error.value) == f"“an engine” refuses: {told}."
    assert [PbrainPlayer("x" * length).name for length in (60, 61)] == ["x" * 60, "x" * 60 + "…"]
    with pytest.raises(EngineError, match="bad size"):
        player_that_says(engine, START=("MESSAGE hi", "ERROR bad size", "OK")).warm_up(after("h8"))


@pytest.mark.parametrize(
    ("point", "says"),
    [("15,0", "on the board"), ("0,99", "on the board"), ("99,99", "on the board"), ("-1,-1", "on the board"),
     ("7,-1", "on the board"), ("7,7", "already a stone on h8")],
)
def test_an_illegal_answer_ended_an_analysis_with_a_traceback(engine: Scripted, point: str, says: str) -> None:
    player = player_that_says(engine, point)
    with pytest.raises(IllegalAnswer, match=rf"^“an engine” has answered {point}: .*{says}\.$"):
        answer(player, after("h8"), SECOND)


@pytest.mark.parametrize("position", [setup("tictactoe").start(), setup("bones").start()])
def test_other_games_are_not_theirs(position: Position) -> None:
    with pytest.raises(ValueError, match="gomoku only"):
        answer(PbrainPlayer("x"), position, SECOND)


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PbrainPlayer]:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    player = make(f'cmd:"{sys.executable}" "{ROOT / "main.py"}" engine', Context("gomoku"))
    assert isinstance(player, PbrainPlayer)
    yield player
    player.close()


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_our_own_engine_as_another_program(ours: PbrainPlayer, rule: str) -> None:
    for moves in ("", "h8", "h8i9g7", "h8i9"):
        position = after(moves, rule)
        assert answer(ours, position, Limit(seconds=0.05)).move in position.legal_moves()
    wins = after("h8a1i8a2j8b5k8c7", rule)
    assert wins.play(answer(ours, wins, Limit(seconds=0.2)).move).outcome is not None


ROWS = ("(1) -37 | 2-3 | I9 G7", "(2) -42 | 2-3 | J9", "(3) +M5 | 2-9 | K9 G9", "Depth 2-9 | Node 3K | K9")


def test_several_lines_are_asked_for_and_read(engine: Scripted) -> None:
    """Only the newest line was known, whatever was wanted; best first, with what an engine chooses before all."""
    said = {"YXNBEST": (*(f"MESSAGE {row}" for row in ROWS), "8,6")}
    player = player_that_says(engine, **YIXIN | said | {"DONE": ()})
    *_, last = player.think(after("h8i8g8"), Limit(seconds=1.0, lines=3), Stop())
    i9, j9, k9 = 98, 99, 100
    assert [line.moves[0] for line in last.lines] == [i9, k9, j9]
    assert [line.score for line in last.lines] == [-37, WIN - 5, -42]
    assert (last.score, last.depth, last.nodes) == (-37, 2, 3000)
    assert "YXNBEST 3" in engine.sent


def test_of_several_lines_the_newest_of_each_place_is_known() -> None:
    found, lines = Findings(3), list[object]()
    assert not found.take(Message(1, 5, 7)), "without a line"
    for message in (
        Message(pv=(98,)), Message(2, pv=(99, 1)), Message(3, 9, 8, (98,), 1), Message(3, 4, pv=(97,), place=2),
        Message(4, 11, pv=(97,)), Message(5, pv=(98, 2)), Message(6, 1, pv=(97,), place=1),
    ):
        assert found.take(message)
        lines.append([(line.score, *line.moves) for line in found.info(0.0).lines])
    assert lines == [
        [(5, 98)], [(5, 99, 1)], [(9, 98)], [(9, 98), (4, 97)], [(11, 97), (9, 98)], [(11, 97), (9, 98, 2)], [(1, 97)],
    ]  # fmt: skip
    info = found.info(0.0, 50)
    assert (info.score, info.depth, info.nodes, info.lines) == (11, 6, 8, (Line(11, (50,)), Line(1, (97,))))


def test_the_lines_of_an_engine_that_numbers_rows_from_the_top_were_mirrored() -> None:
    """Rapfi's H7 is our h9, as it is set up for Piskvork. Its lines tell so soon, and its answer for certain."""
    reader, position = MessageReader(), after("h8i9g7")
    h9, h7 = 97, 127
    assert reader.read("MESSAGE Depth 2-3 | Eval 3 | H7 J7", position).pv == (h7, 129), "nothing tells"
    reader.answered(h9)
    assert reader.read("MESSAGE Depth 2-3 | Eval 3 | H7 J7", position).pv == (h9, 99)
    legal = MessageReader()
    for point, moves in (("A1", (h9, 99)), ("A15", (h7, 129))):
        legal.read(f"MESSAGE Depth 2-3 | Eval 3 | {point}", after("h8a1"))
        assert legal.read("MESSAGE Depth 2-3 | Eval 3 | H7 J7", position).pv == moves, "a1 is taken"
    for _ in range(25):
        reader.read("MESSAGE Depth 2-3 | Eval 3 | I7 F6", after("h8i9g7"))
    assert reader.read("MESSAGE Depth 2-3 | Eval 3 | H7 J7", position).pv == (h9, 99), "the answer has told it"
    for size, point in ((15, "C4"), (20, "K11")):
        nowhere = MessageReader()
        nowhere.read(f"MESSAGE Depth 2-3 | Eval 3 | {point}", after("", size=size))
        assert nowhere.read("MESSAGE Depth 2-3 | Eval 3 | H7 J7", position).pv == (h7, 129), "any point may be meant"
    near = MessageReader()
    near.read("MESSAGE Depth 2-3 | Eval 3 | C4", after("c13d13"))
    assert near.read("MESSAGE Depth 2-3 | Eval 3 | H7 J7", position).pv == (h9, 99), "c4 is far away"


def test_a_program_that_reads_nothing_is_deaf_after_twenty_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Time()
    monkeypatch.setattr(external, "time", SimpleNamespace(monotonic=clock))
    process = external.EngineProcess(f'"{sys.executable}" -c "import time; time.sleep(60)"', "x", Transcript())
    process.send("x" * 1_000_000)
    process.line(0.1)
    with pytest.raises(SlowEngine, match="does not read what it is sent"):
        wait(lambda: process.line(0.01), lambda: clock.passes(1.0))
    process.close(kill=True)
    assert clock.now >= 1021.0


def test_what_is_said_is_kept_and_the_next_search_starts_an_engine_anew(tmp_path: Path) -> None:
    script = tmp_path / "an engine.py"
    script.write_text("import sys\nfor line in sys.stdin:\n if 'START' in line: print('MESSAGE hi\\rOK', flush=True)\n"
                      " if 'DONE' in line: sys.exit(3)\n if 'END' in line: open('end', 'w')")  # fmt: skip
    player = PbrainPlayer(f'"{sys.executable}" "{script}"', folder=str(tmp_path))
    with pytest.raises(EngineError) as error:
        answer(player, after("h8"), Limit(seconds=PATIENCE))
    said = [(line.kind, line.text) for line in player.transcript.last()]
    assert said[0] == ("note", player.command)
    assert said[1:5] == [("sent", "INFO rule 0"), ("sent", "START 15"), ("heard", "MESSAGE hi"), ("heard", "OK")]
    assert said[-1] == ("note", str(error.value))
    assert (error.value.problem, error.value.detail) == ("ended", "exit status 3")
    assert player.transcript.last(1)[0].number == player.transcript.count == len(said)
    script.write_text(script.read_text().replace("sys.exit(3)", "print('8,7', flush=True)"))
    assert answer(player, after("h8"), Limit(seconds=PATIENCE)).move == 113
    player.close()
    assert (tmp_path / "end").exists(), "it is asked to end before it is killed"


# What engines say.


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("MESSAGE depth 12-20 ev 35 n 123456 tm 500 pv i9 g7", Message(12, 35, 123_456, (98, 126))),
        ("MESSAGE Depth 12-25 | Eval +M9 | Time 500ms | I9 G7", Message(12, WIN - 9, None, (98, 126))),
        ("MESSAGE Depth: 3 Score: -M4", Message(3, 4 - WIN)),
        ("MESSAGE eval -250 nodes 3M", Message(None, -250, 3_000_000)),
        ("MESSAGE score +20 nodes 2g", Message(None, 20, 2_000_000_000)),
        (f"MESSAGE ev M{FARTHEST + 9} depth 4", Message(4, WIN - FARTHEST)),
        ("MESSAGE ev 999999999", Message(None, PROVEN - 1)),
        ("MESSAGE pv h8 h8", Message()),
        ("MESSAGE pv i9 z99 g7", Message(None, None, None, (98,))),
        ("MESSAGE hello", Message()),
        ("MESSAGE (2) -42 | 3-4 | I9 G7", Message(3, -42, None, (98, 126), 2)),
        ("MESSAGE (1) +M9 | 12-25 | I9", Message(12, WIN - 9, None, (98,), 1)),
        ("MESSAGE (3) depth 4 ev -8 n 5 tm 1 pv i9", Message(4, -8, 5, (98,), 3)),
    ],
)
def test_reading_messages(text: str, told: Message) -> None:
    assert parse_message(text, after("h8")) == told


@pytest.mark.parametrize(("score", "written"), [(0, "0"), (-7, "-7"), (WIN - 5, "+M5"), (4 - WIN, "-M4")])
def test_our_messages_are_read_as_they_were_meant(score: int, written: str) -> None:
    info = Info(98, score, 9, 1234, 0.5, (Line(score, (98, 126)),))
    (text,) = write(info, after("h8"))
    assert text == f"depth 9 ev {written} n 1234 tm 500 pv i9 g7"
    assert parse_message(text, after("h8")) == Message(9, score, 1234, (98, 126))
    two = Info(98, score, 9, 1234, 0.5, (Line(score, (98,)), Line(3, (0,))))
    assert [line.split(" depth")[0] for line in write(two, after("h8"))] == ["(1)", "(2)"]


def test_a_long_line_of_moves_is_cut() -> None:
    position = after("")
    info = Info(0, 0, 1, 1, 0.1, (Line(0, tuple(range(0, 50, 2))),))
    (text,) = write(info, position)
    assert text.count("15") + text.count("14") + text.count("13") == 20
    longer = "MESSAGE pv " + " ".join(position.move_text(move) for move in range(0, 50, 2))
    assert parse_message(longer, position).pv == tuple(range(0, 40, 2))
