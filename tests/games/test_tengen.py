"""Tengen's own files: what is written is read back equal, and every damage is named in a sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clock import TimeControl
from games.evaluation import Evaluation, ScoredLine
from games.formats import FormatError, tengen, text
from games.position import Stones
from games.record import GameRecord, Mark, Seat
from games.registry import Setup, setup
from tests.games.strategies import EXAMPLES, drawn_game, gomoku, records


def document(**changes: object) -> dict[str, Any]:
    """A valid native file of four nodes, with some fields changed; None removes one."""
    valid = {
        "format": "tengen", "version": 1, "game": "gomoku", "size": 15, "rule": "freestyle", "date": "2026-11-21",
        "seats": [{"player": "person"}, {"player": "engine", "name": "天元", "seconds": 3}], "cursor": 2,
        "nodes": [{}, {"move": "h8"}, {"move": "i9", "seconds": 1.5}, {"move": "g7", "parent": 1}],
    }  # fmt: skip
    return {key: value for key, value in {**valid, **changes}.items() if value is not None}


def native_loads(value: object) -> GameRecord:
    return tengen.loads(json.dumps(value).encode())


def with_node(**fields: object) -> dict[str, Any]:
    """A valid file whose third node has other fields."""
    return document(nodes=[{}, {"move": "h8"}, {"move": "i9", **fields}])


def heap_of_one(**fields: object) -> dict[str, Any]:
    """A valid file of a game of bones of one move, whose node has other fields."""
    return document(game="bones", size=1, rule="standard", cursor=0, nodes=[{}, {"move": "1", **fields}])


@EXAMPLES
@given(records())
def test_native_files_keep_everything(record: GameRecord) -> None:
    data = tengen.dumps(record)
    assert tengen.loads(data) == record
    assert tengen.dumps(tengen.loads(data)) == data


def test_discs_of_connect_four_are_written_as_cells_and_its_marks_as_columns() -> None:
    record = GameRecord(setup("connect4"), stones=Stones(((38, 31), (36,)), 1))
    record.cursor.marks = (Mark("circle", 3),)
    data = tengen.dumps(record)
    assert b'"stones": {"first": ["d1", "d2"], "second": ["b1"], "turn": 1}' in data
    assert b'"marks": [{"kind": "circle", "point": "d", "text": ""}]' in data
    assert tengen.loads(data) == record


@pytest.mark.parametrize(
    ("game", "first", "sentence"),
    [
        ("connect4", ["d"], "“d” is not a point"),
        ("connect4", ["d7"], "“d7” is not on a board of 7×6 points"),
        ("connect4", ["d2"], "nothing below it"),
        ("connect4", ["a1", "b1", "c1", "d1"], "already won"),
        ("bones", ["a1"], "not on a board"),
    ],
)
def test_what_cannot_have_been_set_up_is_refused(game: str, first: list[str], sentence: str) -> None:
    with pytest.raises(FormatError, match=sentence):
        native_loads(document(
            version=2, game=game, size=7, rule="standard", cursor=0, nodes=[{}],
            stones={"first": first, "second": [], "turn": 0},
        ))  # fmt: skip


def test_less_time_for_a_side_is_kept_and_a_file_without_it_is_as_before() -> None:
    record = GameRecord(setup("gomoku"), (Seat(divisor=4), Seat("engine")), control=TimeControl(300, 3))
    data = tengen.dumps(record)
    assert data.count(b'"divisor": 4') == data.count(b"divisor") == 1
    assert tengen.loads(data) == record
    assert tengen.loads(data).controls == (TimeControl(75, 1), TimeControl(300, 3))
    assert native_loads(document(clock="5+3")).controls == (TimeControl(300, 3), TimeControl(300, 3))


def test_all_lines_of_an_evaluation_are_kept() -> None:
    record = gomoku("h8i9")
    record.cursor.evaluation = Evaluation(30, None, 12, (0, 16, 224), 0.5)
    assert b'"line": ["a15", "b14", "o1"], "seconds": 0.5' in tengen.dumps(record)
    others = ScoredLine(20, None, 12, (16, 0)), ScoredLine(-9990, -9, 11, (224,))
    record.cursor.evaluation = Evaluation(30, None, 12, (0, 16), 20.0, others=others, wanted=5)
    data = tengen.dumps(record)
    assert b'"others": [{"score": 20, "mate": null, "depth": 12, "line": ["b14", "a15"]}' in data
    assert tengen.loads(data).cursor.evaluation == record.cursor.evaluation
    for wanted in (1, 2):  # the least that is written
        record.cursor.evaluation = Evaluation(30, None, 12, wanted=wanted)
        assert tengen.loads(tengen.dumps(record)).cursor.evaluation == record.cursor.evaluation
        assert tengen.dumps(record).count(b'"wanted": 2') == tengen.dumps(record).count(b"wanted") == wanted - 1


@pytest.mark.parametrize("player", ["level:3", "random", "minimax", "engine"])
def test_what_may_be_the_evaluation_of_a_weak_player_is_left_out(player: str) -> None:
    """Files did not say until 0.4.0 by whom it is."""
    for facts in ({}, {"seconds": 1.5}, {"by": "engine"}):
        document = with_node(evaluation={"score": 3, "depth": 1, **facts})
        document["seats"][0]["player"] = player
        assert (native_loads(document).cursor.evaluation is None) == (not facts and player != "engine")


def test_what_a_native_file_says() -> None:
    record = native_loads(document())
    assert (record.control, record.clocks(), record.cursor.spent) == (None, None, 0)
    assert record.setup == setup("gomoku", 15, "freestyle")
    assert record.seats == (Seat("person"), Seat("engine", "天元", 3.0))
    assert record.date == "2026-11-21"
    assert record.cursor.move == record.position.parse_move("i9")
    assert record.cursor.seconds == 1.5
    assert text.moves_text(record.line()) == "h8i9"
    assert [child.position.move_text(child.move or 0) for child in record.root.children[0].children] == ["i9", "g7"]


def test_a_native_file_has_one_line_for_each_node() -> None:
    record = gomoku("h8i9")
    record.cursor.comment = "two\nlines \u2028 天元"
    record.undo()
    record.play(0)
    lines = tengen.dumps(record).decode().split("\n")
    assert lines == [
        "{", ' "format": "tengen",', ' "version": 1,', ' "game": "gomoku",', ' "size": 15,', ' "rule": "freestyle",',
        f' "date": "{record.date}",',
        ' "seats": [{"player": "person", "name": "", "seconds": null}, '
        '{"player": "person", "name": "", "seconds": null}],',
        ' "cursor": 3,',
        ' "nodes": [',
        "  {},",
        '  {"move": "h8", "preferred": 1},',
        '  {"move": "i9", "comment": "two\\nlines \u2028 天元"},',
        '  {"move": "a15", "parent": 1}',
        " ]",
        "}",
        "",
    ]  # fmt: skip
    begun = GameRecord(setup("gomoku"), stones=Stones(((0,), ())))
    assert b'"version": 2' in tengen.dumps(begun), "an older Tengen cannot understand it"


def test_reading_tells_its_progress() -> None:
    start, shares = setup("gomoku", 20).start(), list[float]()
    nodes = [{"move": start.move_text(cell), "parent": parent} for parent in (0, 1) for cell in range(parent, 400)]
    tengen.loads(json.dumps(document(size=20, nodes=[{}, *nodes[:512]])).encode(), shares.append)
    assert shares == pytest.approx([0.3 * 256 / 513, 0.3 * 512 / 513, 0.65, 1.0])


def test_the_longest_game_with_variations_is_no_matter_of_recursion() -> None:
    record = GameRecord(setup("gomoku", 20))
    for move in drawn_game(20):
        record.play(move)
    for node in record.line()[:-1]:
        record.go_to(node)
        record.play(node.position.legal_moves()[-1])
    assert len(list(record.nodes())) > 700
    assert tengen.loads(tengen.dumps(record)) == record


@settings(deadline=None)
@given(st.text(max_size=30))
def test_single_surrogates_are_replaced(comment: str) -> None:
    """They come from broken file names and can be neither encoded nor drawn."""
    record = gomoku()
    record.cursor.comment = comment + "\ud800"
    once = tengen.loads(tengen.dumps(record))
    assert once.cursor.comment == comment + "\ufffd"
    assert tengen.loads(tengen.dumps(once)) == once


def test_surrogates_in_a_file_are_joined_or_replaced() -> None:
    assert native_loads(with_node(comment="\ud83d\ude00 \ude00")).root.children[0].children[0].comment == "😀 \ufffd"


def test_a_byte_order_mark_is_fine() -> None:
    data = json.dumps(document()).encode("utf-8-sig")
    assert tengen.loads(data) == native_loads(document())


def test_unknown_fields_are_ignored() -> None:
    assert native_loads(document(extra=[1])) == native_loads(document())
    assert native_loads(with_node(extra={})) == native_loads(with_node())


REFUSED: list[tuple[object, str]] = [
    ([], "not a JSON object"),
    (float("nan"), "not a JSON object"),
    ({}, "not a game that Tengen saved"),
    (document(format="sgf"), "not a game that Tengen saved"),
    (document(version=None), "“version” of the file is missing"),
    (document(version=tengen.VERSION + 1), "made by a newer Tengen; please update"),
    (document(version=True), "“version” of the file must be a whole number"),
    (document(version=0), "“version” of the file must be a whole number"),
    (document(game=None), "“game” of the file is missing"),
    (document(game="chess"), "There is no game “chess”"),
    (document(size=4), "size of gomoku is 5 to 20, not 4"),
    (document(size=15.0), "“size” of the file must be a whole number"),
    (document(size=10**4000), "“size” of the file must be a whole number"),
    (document(rule="swap2"), "no rule “swap2”"),
    (document(date=None), "“date” of the file is missing"),
    (document(seats=None), "“seats” of the file is missing"),
    (document(seats=[{"player": "person"}]), "“seats” of the file must be a list of 2 to 2"),
    (document(seats=["person", "person"]), "seat 1 is not a JSON object"),
    (document(seats=[{"player": "person"}, {}]), "“player” of seat 2 is missing"),
    (document(seats=[{"player": "person"}, {"player": "x" * 201}]), "“player” of seat 2 must be text of at most 200"),
    (document(seats=[{"player": "p", "seconds": -1}, {"player": "p"}]), "“seconds” of seat 1 must be a number"),
    (document(clock="5"), "The file is damaged: its clock is not valid. “5” is not a clock"),
    (document(clock="0+0"), "The file is damaged: its clock is not valid. A clock needs a main time"),
    (document(cursor=None), "“cursor” of the file is missing"),
    (document(cursor=4), "“cursor” of the file must be a whole number from 0 to 3"),
    (document(nodes=[]), "“nodes” of the file must be a list"),
    (document(nodes=[{"move": "h8"}]), "first node must be the start"),
    (document(nodes=[{}, 7]), "node 1 is not a JSON object"),
    (document(nodes=[{}, {}]), "“move” of node 1 is missing"),
    (document(nodes=[{}, {"move": 112}]), "“move” of node 1 must be text"),
    (document(nodes=[{}, {"move": "h8"}, {"move": "h8"}]), "Move 2, “h8”, cannot be played: There is already a stone"),
    (document(nodes=[{}, {"move": "p8"}]), "Move 1, “p8”, cannot be played: “p8” is not on a board of 15×15"),
    (document(nodes=[{}, {"move": "pass"}]), "Move 1, “pass”, cannot be played"),
    (document(nodes=[{}, {"move": "h8"}, {"move": "h8", "parent": 0}]), "node 2 repeats a move"),
    (with_node(parent=2), "“parent” of node 2 must be a whole number from 0 to 1"),
    (document(nodes=[{}, {"move": "h8", "preferred": 1}, {"move": "i9"}]), "“preferred” of node 1 must be"),
    (with_node(seconds="1"), "“seconds” of node 2 must be a number"),
    (with_node(seconds=True), "“seconds” of node 2 must be a number"),
    (with_node(seconds=10**400), "“seconds” of node 2 must be a number"),
    (with_node(seconds=float("nan")), "“seconds” of node 2 must be a number"),
    (with_node(seconds=float("inf")), "“seconds” of node 2 must be a number"),
    (with_node(spent=-1), "“spent” of node 2 must be a number"),
    (with_node(comment=3), "“comment” of node 2 must be text of at most 100,000"),
    (with_node(comment="x" * 100_001), "“comment” of node 2 must be text of at most 100,000"),
    (with_node(evaluation=3), "“evaluation” of node 2 is not a JSON object"),
    (with_node(evaluation={"score": 3}), "“depth” of “evaluation” of node 2 is missing"),
    (with_node(evaluation={"score": 3.5, "depth": 1}), "“score” of “evaluation” of node 2 must be a whole number"),
    (with_node(evaluation={"score": 3, "depth": -1}), "“depth” of “evaluation” of node 2 must be a whole number"),
    (with_node(evaluation={"score": 3, "depth": 1, "mate": "3"}), "“mate” of “evaluation” of node 2 must be"),
    (with_node(evaluation={"score": 3, "depth": 1, "wanted": 0}), "“wanted” of “evaluation” of node 2 must be"),
    (with_node(evaluation={"score": 3, "depth": 1, "wanted": 101}), "“wanted” of “evaluation” of node 2 must be"),
    (with_node(evaluation={"score": 3, "depth": 1, "line": "h8"}), "“line” of “evaluation” of node 2 must be a list"),
    (with_node(evaluation={"score": 3, "depth": 1, "line": [5]}), "“line” of “evaluation” of node 2 must be text"),
    (with_node(evaluation={"score": 3, "depth": 1, "line": ["x"] * 1001}), "must be a list of 0 to 1,000 items"),
    (with_node(evaluation={"score": 3, "depth": 1, "line": ["h99"]}), "“h99” is not on a board"),
    (with_node(evaluation={"score": 3, "depth": 1, "others": ["h8"]}), "“others” of “evaluation” of node 2 is not a"),
    (with_node(evaluation={"score": 3, "depth": 1, "others": [{"score": 1}]}), "“depth” of “others” of “evaluation”"),
    (with_node(evaluation={"score": 3, "depth": 1, "others": [{"score": 1, "depth": 1, "line": ["h99"]}]}), "“h99”"),
    (with_node(evaluation={"score": 3, "depth": 1, "others": [{"score": 1, "depth": 1}] * 101}), "0 to 100 items"),
    (with_node(ending={"winner": 0}), "“reason” of “ending” of node 2 is missing"),
    (with_node(ending={"winner": 2, "reason": "time"}), "“winner” of “ending” of node 2 must be a whole number"),
    (heap_of_one(ending={"reason": "time"}), "over at move 1 and ends again"),
    (document(size=0), "“size” of the file must be"), (document(size=1001), "“size” of the file must be"),
    (document(nodes=[{}, {"move": "h" * 21}]), "“move” of node 1 must be text of at most 20"),
    (document(stones={"first": ["h8"] * 1001, "second": [], "turn": 0}), "“first” of “stones” of the file must be"),
    (document(stones={"first": [], "second": [], "turn": 2}), "“turn” of “stones” of the file must be"),
    (document(opening={"rule": "swap2", "steps": [{"kind": "place"}] * 101}), "“steps” of “opening” of the file must"),
    (document(opening={"rule": "swap2", "steps": [{"kind": "declare", "number": 101}]}), "“number” of “steps” of"),
    (with_node(seconds=10**9 + 1), "“seconds” of node 2 must be"),
    (with_node(evaluation={"score": 10**9 + 1, "depth": 1}), "“score” of “evaluation” of node 2 must be"),
    (with_node(evaluation={"score": 1, "depth": 10**6 + 1}), "“depth” of “evaluation” of node 2 must be"),
    (with_node(marks=[{"kind": "circle", "point": "h8"}] * 1001), "“marks” of node 2 must be a list of 0 to 1,000"),
    (with_node(sgf={"XY": ["1"] * 1001}), "“XY” of “sgf” of node 2 must be"),
    (with_node(sgf={f"X{each}": [] for each in range(1001)}), "“sgf” of node 2 must have at most 1,000 values"),
    *((document(seats=[{"player": "person", "divisor": divisor}, {"player": "person"}]), "“divisor” of seat 1 must be")
      for divisor in (0, 3, 16, True, "2")),
]  # fmt: skip


@pytest.mark.parametrize(("value", "sentence"), REFUSED)
def test_a_damaged_native_file_is_refused_with_a_sentence(value: object, sentence: str) -> None:
    with pytest.raises(FormatError, match=r"[.]$|update") as caught:
        native_loads(value)
    assert sentence in str(caught.value)
    assert str(caught.value).count("damaged") <= 1
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"\xff\xfe", "天元".encode("utf-16"), b"[" * 100_000, b'{"a":' * 100_000,
        json.dumps(document()).encode()[:-1], b"\0" * 10,
    ],
)  # fmt: skip
def test_what_is_not_json_is_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"not JSON\.$|not text in UTF-8\.$"):
        tengen.loads(data)


def test_too_many_nodes_are_neither_read_nor_written(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FormatError, match="list of 1 to 200,000 items"):
        native_loads(document(nodes=[{}] * 200_001))
    monkeypatch.setattr(tengen, "MOST_NODES", 2)
    with pytest.raises(FormatError, match="more than 2 positions"):
        tengen.dumps(gomoku("h8i9"))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("comment", "x" * 100_001),
        ("seconds", float("nan")),
        ("seconds", float("inf")),
        ("evaluation", Evaluation(10**10, None, 1)),
        ("evaluation", Evaluation(1.5, None, 1)),  # type: ignore[arg-type]
    ],
)
def test_what_could_not_be_read_again_is_not_written(field: str, value: object) -> None:
    record = gomoku()
    setattr(record.cursor, field, value)
    with pytest.raises(FormatError, match=f"“(score|{field})” of .*move 3 must be"):
        tengen.dumps(record)


def test_a_record_with_impossible_seats_or_setup_is_not_written() -> None:
    for record in (GameRecord(setup("bones"), (Seat("x" * 201), Seat())), GameRecord(setup("bones"), date="x" * 201)):
        with pytest.raises(FormatError, match="must be text of at most 200"):
            tengen.dumps(record)
    record = gomoku("")
    record.setup = Setup("gomoku", 99, "freestyle")
    with pytest.raises(FormatError, match="size of gomoku"):
        tengen.dumps(record)
