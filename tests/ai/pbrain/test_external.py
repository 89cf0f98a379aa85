"""External engines as players: our own process, and small scripts that misbehave."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.core.player import Info, Limit, Line, Stop, answer
from ai.core.score import FARTHEST, PROVEN, WIN
from ai.pbrain.external import EngineError, Findings, IllegalAnswer, PbrainPlayer, SlowEngine
from ai.pbrain.messages import Message, MessageReader, parse_message, write
from ai.players.table import Context, make
from games.formats.text import parse
from games.position import Position
from games.registry import setup

ROOT = Path(__file__).parents[3]

FAKE = '''
import sys, time
LOG = open({log!r}, "a")
def say(text): sys.stdout.write(text + "{end}"); sys.stdout.flush()
for line in sys.stdin:
    line = line.strip()
    LOG.write(line + "\\n"); LOG.flush()
    word = line.split(" ")[0]
    if word == "END": break
    if word == "START": {start}
    if word == "YXSTOP": {stop}
    if word == "YXSHOWFORBID": {extended}
    if word in ("DONE", "BEGIN", "YXNBEST"): {move}
'''


class Fake:
    """A scripted engine: what it does at START, at YXSTOP and when it has to move."""

    def __init__(self, folder: Path) -> None:
        self._script, self._log = folder / "fake engine.py", folder / "log.txt"
        self.made: list[PbrainPlayer] = []

    def make(
        self, move: str, start: str = "say('OK')", stop: str = "pass", end: str = "\\r\\n",
        extended: str = "say('UNKNOWN')",
    ) -> PbrainPlayer:  # fmt: skip
        text = FAKE.format(log=str(self._log), move=move, start=start, stop=stop, end=end, extended=extended)
        self._script.write_text(text, encoding="utf-8")
        self.made.append(PbrainPlayer(f'"{sys.executable}" "{self._script}"', grace=0.3))
        return self.made[-1]

    @property
    def heard(self) -> list[str]:
        return self._log.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Fake]:
    made = Fake(tmp_path)
    yield made
    for player in made.made:
        player.close()


def after(moves: str, rule: str = "freestyle", size: int = 15) -> Position:
    return parse(moves, setup("gomoku", size, rule)).position


SECOND = Limit(seconds=1.0)


@pytest.mark.parametrize("end", ["\\n", "\\r", "\\r\\n"])
def test_an_answer_with_every_line_end(fake: Fake, end: str) -> None:
    player = fake.make("say('MESSAGE hello'); say('8,7')", end=end)
    info = answer(player, after("h8"), SECOND)
    assert info.pv == (info.move,) == (7 * 15 + 8,)


def test_what_the_engine_is_told(fake: Fake) -> None:
    """The colours in turn, as they were played; from the side to move; with the rule's mask and the time."""
    player = fake.make("say('0,0')")
    answer(player, after("h8i9g7j10k11", "renju"), SECOND)
    player.close()
    *begun, told, left = fake.heard[:7]
    assert begun == ["INFO rule 4", "START 15", "INFO timeout_match 0", "INFO game_type 0", "INFO rule 4"]
    assert told.startswith("INFO timeout_turn ")
    assert 900 < int(told.split()[2]) <= 1000
    board, *stones, done, end = fake.heard[7:]
    assert (left, board, done, end) == ("INFO time_left 2147483647", "BOARD", "DONE", "END")
    assert [stone[-1] for stone in stones] == ["2", "1", "2", "1", "2"]
    assert sorted(stones) == sorted(["7,7,2", "8,6,1", "6,8,2", "9,5,1", "10,4,2"])
    assert stones[-1] == "10,4,2"


def test_in_renju_the_stones_are_listed_in_an_order_that_the_rules_allow(fake: Fake) -> None:
    """Black's h8, played first, would be a double three after the four stones around it."""
    player = fake.make("say('0,1')")
    position = after("h8a1g8a15i8o1h9o15h7", "renju")
    answer(player, position, SECOND)
    player.close()
    heard = fake.heard
    stones = heard[heard.index("BOARD") + 1 : heard.index("DONE")]
    replayed = after("", "renju")
    for stone in stones:
        x, y, _ = map(int, stone.split(","))
        replayed = replayed.play(y * 15 + x)
    assert replayed.key == position.key


def test_a_game_is_started_once_and_anew_when_it_changes(fake: Fake) -> None:
    player = fake.make("say('0,0')")
    for position in (after("h8"), after("h8i9g7"), after("h8", "standard"), after("c3", size=9), after("")):
        answer(player, position, SECOND)
    player.close()
    heard = [line for line in fake.heard if line.startswith(("START", "INFO rule", "BEGIN"))]
    starts = [line for line in heard if not line.startswith("INFO")]
    assert starts == ["START 15", "START 15", "START 9", "START 15", "START 15", "BEGIN"]
    assert "INFO rule 1" in heard


def test_messages_become_infos(fake: Fake) -> None:
    text = "MESSAGE depth 5-9 ev 31 n 12K tm 30 pv i9 g7"
    player = fake.make(f"say({text!r}); say('MESSAGE noise'); say('DEBUG depth 99'); say('8,6')")
    infos = list(player.think(after("h8"), SECOND, Stop()))
    assert [info.move for info in infos] == [6 * 15 + 8] * 2
    assert (infos[-1].depth, infos[-1].score, infos[-1].nodes) == (5, 31, 12_000)
    assert infos[-1].pv == (98, 126)
    assert player.nodes == 12_000
    fake.make("say('8,6')")
    player.close()
    assert (answer(player, after("h8"), SECOND).nodes, player.nodes) == (0, 0), "of the newest search"


def test_death_is_told_and_the_next_search_starts_it_anew(fake: Fake) -> None:
    player = fake.make("sys.exit(3)")
    for _ in range(2):
        with pytest.raises(EngineError, match="ended without an answer"):
            answer(player, after("h8"), SECOND)
    fake.make("say('8,7')")
    assert answer(player, after("h8"), SECOND).move == 113


ENDLESS = "[say('garbage \\x00 \\xff 7;7') for _ in iter(int, 1)]"


@pytest.mark.parametrize("move", ["time.sleep(60)", ENDLESS])
def test_an_engine_that_hangs_or_prints_without_end_is_ended(fake: Fake, move: str) -> None:
    player = fake.make(move)
    with pytest.raises(SlowEngine, match="in time"):
        answer(player, after("h8"), Limit(seconds=0.2))


def test_garbage_is_passed_over(fake: Fake) -> None:
    player = fake.make("[say(x) for x in ('', 'what', '7,', '7 7', 'OK', 'UNKNOWN x', 'SUGGEST 1,1', '8,7')]")
    assert answer(player, after("h8"), SECOND).move == 113


def test_an_unknown_command_that_is_not_needed_loses_no_game(fake: Fake) -> None:
    """Rapfi reads the first word after its move as if it still thought, and then does not know TIMEOUT_TURN."""
    player = fake.make("say('ERROR Unknown command: TIMEOUT_TURN'); say('ERROR Unknown command: 1000'); say('8,7')")
    assert answer(player, after("h8"), Limit(seconds=5)).move == 113
    player = fake.make("say('ERROR Unknown command: BOARD')")
    with pytest.raises(EngineError, match="refuses"):
        answer(player, after("h8"), Limit(seconds=5))


def test_an_error_is_told(fake: Fake) -> None:
    player = fake.make("say('ERROR no such thing')", start="say('MESSAGE hi'); say('OK')")
    with pytest.raises(EngineError, match=r"refuses: no such thing\.$"):
        answer(player, after("h8"), SECOND)
    player = fake.make("say('ERROR ' + 300 * 'x')")
    with pytest.raises(EngineError) as error:
        answer(player, after("h8"), SECOND)
    assert error.value.detail == "x" * 200 + "…"
    assert [PbrainPlayer("x" * length).name for length in (60, 61)] == ["x" * 60, "x" * 60 + "…"]
    player = fake.make("pass", start="say('ERROR bad size')")
    with pytest.raises(EngineError, match="bad size"):
        player.warm_up(after("h8"))


@pytest.mark.parametrize("command", ["no-such-program-anywhere", "'unbalanced"])
def test_a_program_that_cannot_be_started(command: str) -> None:
    with pytest.raises(EngineError, match="cannot be started"):
        answer(PbrainPlayer(command), after("h8"), SECOND)


@pytest.mark.parametrize(
    ("point", "says"),
    [("15,0", "on the board"), ("0,99", "on the board"), ("99,99", "on the board"), ("7,7", "already a stone on h8")],
)
def test_an_illegal_answer_ended_an_analysis_with_a_traceback(fake: Fake, point: str, says: str) -> None:
    player = fake.make(f"say('{point}')")
    with pytest.raises(IllegalAnswer, match=rf"^“.*” has answered {point}: .*{says}\.$"):
        answer(player, after("h8"), SECOND)


def test_stop_is_passed_on(fake: Fake) -> None:
    player, stop = fake.make("pass", stop="say('8,7')"), Stop()
    threading.Timer(0.3, stop.set).start()
    *_, last = player.think(after("h8"), Limit(), stop)
    assert last.move == 113


@pytest.mark.slow
def test_an_engine_that_does_not_stop_is_ended(fake: Fake) -> None:
    player, stop = fake.make("time.sleep(60)"), Stop()
    stop.set()
    with pytest.raises(SlowEngine):
        list(player.think(after("h8"), Limit(), stop))


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


def test_several_lines_are_asked_for_and_read(fake: Fake) -> None:
    """Only the newest line was known, whatever was wanted; best first, with what an engine chooses before all."""
    move = f"[say(text) for text in {[*(f'MESSAGE {row}' for row in ROWS), '8,6']} if word == 'YXNBEST']"
    player = fake.make(move, extended="say('FORBID .')")
    *_, last = player.think(after("h8i8g8"), Limit(seconds=1.0, lines=3), Stop())
    i9, j9, k9 = 98, 99, 100
    assert [line.moves[0] for line in last.lines] == [i9, k9, j9]
    assert [line.score for line in last.lines] == [-37, WIN - 5, -42]
    assert (last.score, last.depth, last.nodes) == (-37, 2, 3000)
    player.close()
    assert "YXNBEST 3" in fake.heard
    assert "BOARD" not in fake.heard


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


@pytest.mark.slow
def test_an_engine_without_extensions_is_asked_for_one_line(fake: Fake) -> None:
    player = fake.make("say('8,6')")
    for _ in range(2):
        assert answer(player, after("h8"), Limit(seconds=1.0, lines=3)).move == 98
    player.close()
    assert [line for line in fake.heard if line.startswith("YX")] == ["YXSHOWFORBID"]


def test_the_lines_of_an_engine_that_numbers_rows_from_the_top_were_mirrored() -> None:
    """Rapfi's H7 is our h9, as it is set up for Piskvork. Its lines tell so soon, and its answer for certain."""
    reader, position = MessageReader(), after("h8i9g7")
    h9, h7 = 97, 127
    assert reader.read("MESSAGE Depth 2-3 | Eval 3 | H7 J7", position).pv == (h7, 129), "nothing tells"
    reader.answered(h9)
    assert reader.read("MESSAGE Depth 2-3 | Eval 3 | H7 J7", position).pv == (h9, 99)
    legal = MessageReader()
    legal.read("MESSAGE Depth 2-3 | Eval 3 | I9 F6", after("h8i9g7"))
    assert legal.read("MESSAGE Depth 2-3 | Eval 3 | H7 J7", position).pv == (h9, 99), "i9 is taken"
    near = MessageReader()
    near.read("MESSAGE Depth 2-3 | Eval 3 | C4", after("c13d13"))
    assert near.read("MESSAGE Depth 2-3 | Eval 3 | H7 J7", position).pv == (h9, 99), "c4 is far away"


@pytest.mark.slow
def test_an_error_for_an_unknown_stop_ended_the_engine(fake: Fake) -> None:
    """Rapfi says ERROR where others say UNKNOWN."""
    player, stop = fake.make("pass", stop="say('ERROR Unknown command'); say('8,7')"), Stop()
    stop.set()
    assert answer(player, after("h8"), Limit(), stop).move == 113


def test_what_is_said_is_kept(fake: Fake) -> None:
    player = fake.make("sys.exit(3)", start="say('MESSAGE hi'); say('OK')")
    with pytest.raises(EngineError) as error:
        answer(player, after("h8"), SECOND)
    said = [(line.kind, line.text) for line in player.transcript.last()]
    assert said[0] == ("note", player.command)
    assert said[1:5] == [("sent", "INFO rule 0"), ("sent", "START 15"), ("heard", "MESSAGE hi"), ("heard", "OK")]
    assert said[-1] == ("note", str(error.value))
    assert (error.value.problem, error.value.detail) == ("ended", "exit status 3")
    assert player.transcript.last(1)[0].number == player.transcript.count == len(said)


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
