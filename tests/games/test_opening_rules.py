"""The opening rules, step by step as their descriptions say, and at random; handicaps, and the openings of renju."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, permutations

import pytest

from games.clock import TimeControl
from games.coords import images_of
from games.database.schema import record_of, row_of
from games.formats import tengen
from games.formats.sgf import loads as read_sgf
from games.formats.sgf_writer import dumps as write_sgf
from games.opening_rules import (
    CHOOSE,
    DECLARE,
    MORE,
    MOST_STONES,
    OFFER,
    OPENING_RULES,
    PLACE,
    POINTS,
    RENJU_OPENINGS,
    STAY,
    SWAP,
    TEN,
    OpeningPhase,
    OpeningStep,
    handicap_stones,
    opening_moves,
    opening_rules,
    renju_opening,
)
from games.position import SECOND, IllegalMove, Stones, cells_of
from games.record import GameRecord, Seat, moves_to
from games.registry import GAMES, setup

ANNA, BEN = Seat(name="Anna"), Seat(name="Ben")


def game_with(rule: str, played_by: str = "", control: TimeControl | None = None) -> GameRecord:
    by = played_by or next(by for by, openings in GAMES["gomoku"].openings.items() if rule in openings)
    record = GameRecord(setup("gomoku", 15, by), (ANNA, BEN), control=control)
    record.opening = OpeningPhase(rule, 15)
    return record


def take(record: GameRecord, *steps: str, seconds: float = 0.0) -> None:
    """Take steps such as ``h8``, which is placed, offered or chosen as is demanded, ``swap`` and ``declare 5``."""
    for text in steps:
        kind, _, number = text.partition(" ")
        demand = record.demand
        assert demand is not None, f"{text} after the end of the opening"
        if kind in (STAY, SWAP, MORE, TEN, DECLARE):
            record.take(OpeningStep(kind, int(number or 0), seconds))
        else:
            record.take(OpeningStep(demand.point, record.position.parse_move(text), seconds))


def asked(record: GameRecord) -> tuple[str, Sequence[str]]:
    """Who is asked, and for what."""
    demand = record.demand
    return ("", ()) if demand is None else (record.seats[record.turn].name, demand.kinds)


def allowed(record: GameRecord) -> int:
    assert record.opening is not None
    return len(record.opening.points(record.position))


def names(record: GameRecord) -> tuple[str, ...]:
    return tuple(seat.name for seat in record.seats)


def test_swap() -> None:
    record = game_with("swap")
    for text in ("a1", "o15", "h8"):
        assert asked(record) == ("Anna", (PLACE,))
        take(record, text)
    assert asked(record) == ("Ben", (STAY, SWAP))
    take(record, "swap")
    assert (names(record), asked(record)) == (("Ben", "Anna"), ("", ()))
    assert record.seats[record.turn].name == "Anna", "white, whoever it is, plays the fourth move"


def test_swap2_lets_the_first_player_choose_after_two_stones_more() -> None:
    record = game_with("swap2")
    take(record, "h8", "i9", "g7")
    assert asked(record) == ("Ben", (STAY, SWAP, MORE))
    take(record, "more")
    for text in ("h9", "j10"):
        assert asked(record) == ("Ben", (PLACE,))
        take(record, text)
    assert (asked(record), allowed(record)) == (("Anna", (STAY, SWAP)), 0)
    take(record, "swap")
    assert (names(record), record.demand, record.position.turn) == (("Ben", "Anna"), None, 1)
    assert allowed(record) == 0


@pytest.mark.parametrize(("rule", "near", "far"), [("pro", "j10", "k8"), ("long_pro", "k8", "l8")])
def test_pro_and_long_pro_keep_the_second_black_stone_away_from_the_centre(rule: str, near: str, far: str) -> None:
    record = game_with(rule)
    with pytest.raises(IllegalMove):
        take(record, "h9")
    take(record, "h8", "i9")
    with pytest.raises(IllegalMove) as refused:
        take(record, near)
    assert refused.value.reason == "opening_area"
    take(record, far)
    assert (record.demand, names(record)) == (None, ("Anna", "Ben"))


def test_rif_offers_two_fifth_moves() -> None:
    record = game_with("rif")
    for text, count in (("h8", 1), ("h9", 8), ("i10", 23)):
        assert (asked(record)[0], allowed(record)) == ("Anna", count), "the centre, 3 × 3 and 5 × 5 points"
        take(record, text)
    take(record, "swap")
    assert names(record) == ("Ben", "Anna")
    assert asked(record) == ("Anna", (PLACE,)), "white plays the fourth move anywhere"
    take(record, "a1")
    assert asked(record) == ("Ben", (OFFER,))
    take(record, "g8", "i8")
    assert asked(record) == ("Anna", (CHOOSE,))
    assert record.position.ply == 4, "offers are not on the board"
    with pytest.raises(IllegalMove) as refused:
        take(record, "h10")
    assert refused.value.reason == "opening_choice"
    take(record, "i8")
    assert (record.demand, record.position.ply, record.position.turn) == (None, 5, 1)


def test_soosyrv_lets_white_declare_up_to_eight_fifth_moves_and_black_swap_again() -> None:
    record = game_with("soosyrv8")
    for text, count in (("h8", 1), ("i9", 8), ("g7", 23)):
        assert (asked(record)[0], allowed(record)) == ("Anna", count)
        take(record, text)
    assert asked(record) == ("Ben", (STAY, SWAP))
    take(record, "stay", "h10")
    assert asked(record) == ("Ben", (DECLARE,))
    for wrong in (0, 9):
        with pytest.raises(IllegalMove):
            take(record, f"declare {wrong}")
    take(record, "declare 3")
    assert asked(record) == ("Anna", (STAY, SWAP))
    take(record, "swap")
    assert asked(record) == ("Ben", (OFFER,)), "who has black now offers"
    take(record, "a1", "a2", "a3")
    assert asked(record) == ("Anna", (CHOOSE,))


def test_a_demand_tells_how_many_steps_are_still_to_come() -> None:
    record, found = game_with("soosyrv8"), []
    for text in ("h8", "i9", "g7", "stay", "h10", "declare 2", "stay", "a1", "a2", "a1"):
        demand = record.demand
        assert demand is not None
        found.append((demand.point, demand.left, demand.count, demand.most))
        take(record, text)
    assert found == [
        (PLACE, 3, 3, 0), (PLACE, 2, 3, 0), (PLACE, 1, 3, 0), ("", 1, 1, 0), (PLACE, 1, 1, 0), ("", 1, 1, 8),
        ("", 1, 1, 0), (OFFER, 2, 2, 0), (OFFER, 1, 2, 0), (CHOOSE, 1, 2, 0),
    ]  # fmt: skip


def test_a_single_fifth_move_is_played_at_once() -> None:
    record = game_with("soosyrv8")
    take(record, "h8", "i9", "g7", "stay", "h10", "declare 1", "stay")
    assert asked(record) == ("Anna", (PLACE,))
    take(record, "a1")
    assert (record.demand, record.position.ply) == (None, 5)


def test_taraguchi_allows_a_swap_after_each_stone() -> None:
    record = game_with("taraguchi10")
    for text, player, count in (("h8", "Anna", 1), ("h9", "Ben", 8), ("h10", "Anna", 23), ("h11", "Ben", 46)):
        assert (record.seats[record.turn].name, allowed(record)) == (player, count)
        take(record, text)
        if text != "h11":
            take(record, "stay")
    assert asked(record) == ("Anna", (STAY, SWAP, TEN))
    take(record, "swap")
    assert (asked(record), allowed(record)) == (("Ben", (PLACE,)), 77), "9 × 9 points"
    take(record, "d4")
    assert asked(record) == ("Anna", (STAY, SWAP))
    take(record, "swap")
    assert (names(record), record.demand) == (("Anna", "Ben"), None)


def test_taraguchi_has_ten_fifth_moves_instead() -> None:
    record = game_with("taraguchi10")
    take(record, "h8", "swap", "g9", "stay", "j6", "stay", "k9")
    assert asked(record) == ("Ben", (STAY, SWAP, TEN)), "who has black by the swap"
    take(record, "ten")
    take(record, *(f"{letter}1" for letter in "abcdefghij"))
    assert asked(record) == ("Anna", (CHOOSE,))
    take(record, "j1")
    assert (record.demand, record.position.ply) == (None, 5)


@pytest.mark.parametrize(
    ("stones", "offer", "twin", "other"),
    [
        (("h8", "h9", "h10", "h11"), "g8", "i8", "g9"),  # mirrored
        (("h8", "i9", "g7", "j10"), "h9", "i8", "h7"),  # along the diagonal
        (("h8", "h9", "h6", "h7"), "h10", "", "g10"),
        (("h8", "g9", "f8", "g7"), "d8", "", "h6"),
        (("h8", "h9", "f8", "h7"), "j8", "", "h10"),  # turned by half, both are the same single point
    ],
)
def test_symmetric_fifth_moves_count_as_one(stones: tuple[str, ...], offer: str, twin: str, other: str) -> None:
    record = game_with("rif")
    take(record, *stones[:3], "stay", stones[3], offer)
    if twin:
        with pytest.raises(IllegalMove) as refused:
            take(record, twin)
        assert refused.value.reason == "symmetric"
    with pytest.raises(IllegalMove):
        take(record, offer)
    take(record, other)


def test_a_fifth_move_that_exchanges_roles_with_a_stone_is_the_same_position() -> None:
    """Black on f8 and then h6 is black on h6 and then f8, mirrored: the stone that lies there moves, too."""
    record = game_with("rif")
    take(record, "h8", "g7", "h6", "stay", "e5", "f8")
    assert not _twins_by_force(record)


def _twins_by_force(record: GameRecord) -> set[int]:
    """The points that may still be offered although they lead to a position equal to that after an offer."""
    assert record.opening is not None
    position = record.position
    taken = {form for offer in record.opening.offers for form in _forms(cells_of(position.play(offer)))}
    return {move for move in record.opening.points(position) if cells_of(position.play(move)) in taken}


def _forms(cells: bytes) -> set[bytes]:
    """A board turned and mirrored, row by row, without a table of images."""
    rows = [cells[start : start + 15] for start in range(0, 225, 15)]
    found = set()
    for _ in range(4):
        rows = [bytes(column) for column in zip(*rows[::-1], strict=True)]
        found |= {b"".join(rows), b"".join(row[::-1] for row in rows)}
    return found


def random_step(record: GameRecord, draw: random.Random) -> OpeningStep:
    demand, opening = record.demand, record.opening
    assert demand is not None
    assert opening is not None
    kind = draw.choice(demand.kinds)
    if kind in POINTS:
        return OpeningStep(kind, draw.choice(sorted(opening.points(record.position))), draw.random())
    return OpeningStep(kind, draw.randint(1, demand.most) if kind == DECLARE else 0, draw.random())


def with_random_opening(rule: str, played_by: str, size: int, draw: random.Random, most: int = 99) -> GameRecord:
    record = GameRecord(setup("gomoku", size, played_by), (ANNA, BEN))
    record.opening = OpeningPhase(rule, size)
    while record.demand is not None and most > 0:
        record.take(random_step(record, draw))
        most -= 1
    return record


WAYS = [(rule, by) for by, openings in GAMES["gomoku"].openings.items() for rule in openings]


@pytest.mark.parametrize(("rule", "by"), WAYS)
@pytest.mark.parametrize("seed", range(4))
def test_random_openings_end_and_keep_who_is_who(rule: str, by: str, seed: int) -> None:
    draw = random.Random(f"{rule} {by} {seed}")
    record = with_random_opening(rule, by, 15, draw)
    opening = record.opening
    assert opening is not None
    assert opening.demand is None
    assert 3 <= record.position.ply <= 5
    assert moves_to(record.cursor) == opening.stones
    assert names(record)[opening.side_of(0)] == "Anna"
    assert len(set(names(record))) == 2
    offered = [step.value for step in opening.steps if step.kind == OFFER]
    assert len(offered) == len(set(offered))


@pytest.mark.parametrize(("rule", "by"), WAYS)
def test_every_step_can_be_taken_back_saved_and_read(rule: str, by: str) -> None:
    draw = random.Random(rule)
    record = with_random_opening(rule, by, 15, draw)
    while record.may_untake:
        again = tengen.loads(tengen.dumps(record))
        assert again == record
        assert again.notices == []
        assert (again.demand, again.turn, names(again)) == (record.demand, record.turn, names(record))
        before = names(record), record.opening
        step = record.untake()
        asked_again = record.demand
        assert asked_again is not None
        assert step.kind in asked_again.kinds
        record.take(step)
        assert (names(record), record.opening) == before
        record.untake()
    assert (names(record), record.position.ply) == (("Anna", "Ben"), 0)


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "by"), WAYS)
def test_no_walk_through_an_opening_gets_stuck(rule: str, by: str) -> None:
    draw = random.Random(1)
    for size in (11, 15, 19):
        for _ in range(60):
            record = with_random_opening(rule, by, size, draw)
            assert record.opening is not None
            assert record.opening.demand is None
            if size == 15 and len(record.opening.stones) == 4:
                assert not _twins_by_force(record)


@pytest.mark.slow
def test_no_offer_equals_another_turned_or_mirrored() -> None:
    draw = random.Random(2)
    for _ in range(200):
        record = with_random_opening("soosyrv8", "renju", 15, draw, most=draw.randint(8, 14))
        if record.demand is not None and record.demand.point == OFFER:
            assert not _twins_by_force(record)


def test_which_openings_a_game_can_begin_with() -> None:
    assert opening_rules(setup("gomoku", 15, "renju")) == ["swap2", "rif", "soosyrv8", "taraguchi10"]
    assert opening_rules(setup("gomoku", 15, "standard")) == ["swap", "swap2", "pro", "long_pro"]
    assert opening_rules(setup("gomoku", 14, "renju")) == ["swap2"], "no central point"
    for size, count in ((9, 1), (11, 4), (12, 1), (13, 4)):
        assert len(opening_rules(setup("gomoku", size, "renju"))) == count
    assert opening_rules(setup("tictactoe")) == []
    assert {key: rule.fifths for key, rule in OPENING_RULES.items() if rule.fifths} == {"rif": 2}


def test_the_time_of_an_opening_is_charged_to_the_player_also_after_a_swap() -> None:
    record = game_with("swap", control=TimeControl(main=60, increment=5))
    take(record, "h8", "h9", "h10", seconds=10)
    faces = record.clocks(spent=4.0)
    assert faces is not None
    assert [face.seconds for face in faces] == [35.0, 56.0], "one turn of three stones"
    take(record, "swap", seconds=4)
    faces = record.clocks(spent=1.0)
    assert faces is not None
    assert [face.seconds for face in faces] == [61.0, 34.0], "Ben has black now, and Anna is to move"


def test_a_turn_that_goes_on_in_an_opening_has_one_increment() -> None:
    record = game_with("swap", control=TimeControl(main=60, increment=5))
    take(record, "h8", "h9", seconds=10)
    faces = record.clocks(spent=3.0)
    assert faces is not None
    assert [face.seconds for face in faces] == [37.0, 60.0]


def test_a_swap_exchanges_what_is_said_of_the_players() -> None:
    from games.record import About

    record = game_with("swap")
    record.about = About(ranks=("5 dan", ""), teams=("", "Riga"))
    take(record, "h8", "h9", "h10", "swap")
    assert (record.about.ranks, record.about.teams) == (("", "5 dan"), ("Riga", ""))


def test_an_opening_whose_stones_are_not_the_game_is_left_out_with_a_notice() -> None:
    record = game_with("swap2")
    take(record, "h8", "i9", "g7", "more")
    data = tengen.dumps(record).replace(b'"move": "g7"', b'"move": "g6"')
    read = tengen.loads(data)
    assert (read.opening, [each.kind for each in read.notices]) == (None, ["opening"])
    assert read.position.ply == 3


@pytest.mark.parametrize("change", [(b'"swap2"', b'"swap9"'), (b'"more"', b'"ten"')])
def test_an_unknown_opening_and_a_step_that_is_not_demanded_lose_only_the_opening(change: tuple[bytes, bytes]) -> None:
    record = game_with("swap2")
    take(record, "h8", "i9", "g7", "more")
    read = tengen.loads(tengen.dumps(record).replace(*change))
    assert (read.opening, moves_to(read.cursor)) == (None, moves_to(record.cursor))


def test_other_formats_keep_the_stones_and_the_seats() -> None:
    record = game_with("swap")
    take(record, "h8", "i9", "g7", "swap")
    read = read_sgf(write_sgf(record))
    assert (read.opening, moves_to(read.main_end()), names(read)) == (None, record.opening.stones, ("Ben", "Anna"))


def test_a_database_keeps_the_opening_of_a_game() -> None:
    """A game that is rebuilt from its moves had lost who swapped."""
    record = game_with("swap")
    record.date = "2026-11-26"
    take(record, "h8", "i9", "g7", "swap")
    again = record_of(row_of(record)[0])
    assert again == record


def test_a_variation_is_no_step_of_the_opening() -> None:
    record = game_with("rif")
    take(record, "h8", "h9")
    record.undo()
    assert record.demand is None, "the opening goes on from its last step only"
    with pytest.raises(IllegalMove):
        record.take(OpeningStep(PLACE, 0))
    assert (record.may_untake, record.opening_here) == (False, None)
    record.play(record.position.parse_move("a1"))
    assert (record.demand, record.may_untake, record.opening_here) == (None, False, None)
    record.go_to(record.root.children[0].children[0])
    assert record.demand is not None
    assert (record.may_untake, record.opening_here) == (True, record.opening)
    record.play(record.position.parse_move("a1"))
    assert (record.demand, record.may_untake, record.opening_here) == (None, False, record.opening)


def test_no_opening_is_read_for_a_position_that_was_set_up() -> None:
    record = GameRecord(setup("gomoku", 15, "freestyle"), stones=Stones(((112,), ()), 1))
    record.opening = OpeningPhase("swap", 15)
    assert tengen.loads(tengen.dumps(record)).opening is None


@pytest.mark.parametrize("more", range(1, MOST_STONES + 1))
def test_black_has_more_stones_on_every_board_and_white_moves(more: int) -> None:
    for size in GAMES["gomoku"].sizes:
        for rule in GAMES["gomoku"].rules:
            stones = handicap_stones(size, more)
            position = setup("gomoku", size, rule).start(stones)
            assert (len(stones.of[0]), len(stones.of[1]), position.turn) == (more + 1, 0, SECOND)


def test_no_two_of_the_stones_lie_in_one_line() -> None:
    position = setup("gomoku").start()
    assert [position.move_text(cell) for cell in handicap_stones(15, MOST_STONES).of[0]] == ["h8", "j9", "g10", "f7"]
    cells = [divmod(cell, 15) for cell in handicap_stones(15, MOST_STONES).of[0]]
    for (row, column), (other_row, other_column) in combinations(cells, 2):
        down, right = other_row - row, other_column - column
        assert 0 not in (down, right)
        assert abs(down) != abs(right)


DIRECT = """
. . 1 2 3
. . o 4 5
. . x 6 7
. . 8 9 10
. . 11 12 13
"""
"""The third stone of each direct opening: x is the first, o the second."""

INDIRECT = """
. . . . 1
. . . o 2
. . x 6 3
. 11 9 7 4
13 12 10 8 5
"""


def _numbers(diagram: str) -> dict[str, tuple[int, int]]:
    rows = [line.split() for line in diagram.split("\n") if line]
    return {sign: (column - 2, 2 - row) for row, signs in enumerate(rows) for column, sign in enumerate(signs)}


@pytest.mark.parametrize(("letter", "diagram", "second"), [("D", DIRECT, (0, 1)), ("I", INDIRECT, (1, 1))])
def test_the_openings_are_those_of_the_diagrams(letter: str, diagram: str, second: tuple[int, int]) -> None:
    third = _numbers(diagram)
    openings = [each for each in RENJU_OPENINGS.values() if each.number.startswith(letter)]
    assert [each.number for each in openings] == [f"{letter}{number}" for number in range(1, 14)]
    assert all(each.second == second == third["o"] for each in openings)
    assert all(each.third == third[each.number[1:]] for each in openings)
    assert all(each.direct == (letter == "D") for each in openings)


def test_every_opening_within_five_points_is_one_of_them_and_only_one() -> None:
    """Of all first moves that the rules allow, none lacks a name, and no two names are the same turned or mirrored."""
    centre = 112
    near = [centre + 15 * row + column for row in (-1, 0, 1) for column in (-1, 0, 1) if row or column]
    area = [centre + 15 * row + column for row in range(-2, 3) for column in range(-2, 3)]
    found = {}
    for second, third in ((second, third) for second in near for third in area if third not in (centre, second)):
        moves = (centre, second, third)
        forms = {tuple(image[move] for move in moves) for image in images_of(15, 15, 8)}
        found.setdefault(renju_opening(moves, 15), set()).add(min(forms))
    assert set(found) == set(RENJU_OPENINGS)
    assert all(len(forms) == 1 for forms in found.values())


@pytest.mark.parametrize("size", [11, 15, 19])
def test_names_hold_on_other_boards_and_whichever_black_stone_was_first(size: int) -> None:
    for key in RENJU_OPENINGS:
        for image in range(8):
            first, second, third = opening_moves(key, size, image)
            assert renju_opening((first, second, third, 0), size) == key
            assert renju_opening((third, second, first), size) == key


def test_other_moves_have_no_name() -> None:
    first, second, third = opening_moves("kagetsu", 15)
    assert (first, second, third) == (112, 97, 98), "up from the centre, and to the right"
    named = [moves for moves in permutations((first, second, third)) if renju_opening(moves, 15) == "kagetsu"]
    assert named == [(first, second, third), (third, second, first)], "white has the second stone"
    assert not renju_opening((first, second), 15)
    assert not renju_opening((0, 1, 2), 15)
    assert not renju_opening(opening_moves("kagetsu", 14), 14)
