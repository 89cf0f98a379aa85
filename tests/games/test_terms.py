"""The terms by which files name rules and results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.formats import load, psq, sgf, sgf_writer, yixin
from games.formats.common import Cuts, read_by_fitting_rule
from games.formats.terms import RULES, VAGUE, result_named, rule_named
from games.position import FIRST, SECOND, IllegalMove, Outcome
from games.record import GameRecord
from games.registry import GAMES, setup
from tests.games.test_sgf import moves_of

FILES = Path(__file__).parents[1] / "data" / "files"


@pytest.mark.parametrize(("rule", "name"), [(rule, name) for rule, names in RULES.items() for name in names])
def test_every_name_of_a_rule_names_it_whole(rule: str, name: str) -> None:
    for written in (name, f" {name.upper()} ", name.replace(" ", "")):
        assert rule_named(written) == rule
    assert sgf.loads(f"(;GM[4]SZ[15]RU[{name}];B[hh])".encode()).setup.rule == rule


@pytest.mark.parametrize(("name", "rule"), VAGUE.items())
def test_a_game_or_a_way_to_open_gives_way_to_a_rule_beside_it(name: str, rule: str | None) -> None:
    assert rule_named(name) == rule
    assert rule_named(f"{name} (renju)") == rule_named(f"renju, {name}") == "renju"
    assert rule_named(f"Freestyle/{name}") == rule_named(f"Freestyle {name}") == "freestyle"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Soosyrv-8", "renju"), ("Taraguchi-10", "renju"), ("RIF rule", "renju"), ("RIF opening rule", "renju"),
        ("Rule: Renju", "renju"), ("Swap (with Renju)", "renju"), ("RIF规则", "renju"), ("連珠ルール", "renju"),
        ("五子棋（有禁手）", "renju"), ("ＲＥＮＪＵ", "renju"), ("Renju, Taraguchi-10", "renju"),
        ("FREE_RENJU", "renju"), ("Five or more (swap)", "freestyle"),
        ("Renju_1", "renju"), ("Standard2", "standard"), ("Freestyle15_1", "freestyle"), ("Exact-Five", "standard"),
        ("Standard Gomoku", "standard"), ("Freestyle gomoku", "freestyle"), ("Swap2, exactly five", "standard"),
    ],
)  # fmt: skip
def test_a_rule_may_have_other_words_around_it(text: str, rule: str) -> None:
    assert rule_named(text) == rule


@pytest.mark.parametrize(
    "text",
    ["", "not renju, free", "renju, free", "no renju", "prefreestyle", "Caro", "Japanese", "2", "44", "renju 4 free",
     "Gomoku, Swap2", "rule", "renju" * 1000, "-", "\0"],
)  # fmt: skip
def test_a_part_of_a_value_was_taken_for_the_rule(text: str) -> None:
    assert rule_named(text) is None


RESIGNED, TIME, FORFEIT, OTHER = "resigned", "time", "forfeit", "other"


@pytest.mark.parametrize(
    ("texts", "winner", "reason"),
    [
        ("B+R|b+resign|B + Resign|Black+Resignation|黑中盘胜|黒中押し勝ち|黑棋中盤勝|흑 불계승|白认输|白投了|"
         "White resigns|Black wins by resignation|黑中盘|黒中押し|黒の中押し|黑棋中盤|흑불계|白中押し負け|백 불계패",
         FIRST, RESIGNED),
        ("W+R|W+Resign|w+res|White+R|白中盘胜|黑认输|Black resigned|白中押し|백불계|黒投了|黑投子|흑불계패",
         SECOND, RESIGNED),
        ("B+T|B+Time|白超时|白方超時负|黒時間切れ勝ち|Black won on time", FIRST, TIME),
        ("W+T|w+time|黑超时|黑方超时负|白时间胜", SECOND, TIME),
        ("B+F|B+Forfeit|白弃权|黒不戦勝|White forfeits", FIRST, FORFEIT),
        ("W+F|W+forfeit|黑棄權", SECOND, FORFEIT),
        ("B|b|B+|Black|B+5|B+0.5|1-0|1 - 0|1:0|1–0|Black wins|黑胜|黑勝|黒勝ち|黑 胜|黑方胜|黒の勝ち|黑方获胜|黑棋赢|"
         "흑승|白负|白负。|Black won|White loses|Ｂ＋", FIRST, OTHER),
        ("Чёрные выиграли|черные победили|Победа чёрных", FIRST, OTHER),
        ("W|w|W+|White|W+12|0-1|0:1|0—1|White won.|白胜|白勝ち|白方勝|백승|黑负|黒負け|Белые выиграли", SECOND, OTHER),
        ("0|Draw|draw|1/2|½|1/2-1/2|½-½|½–½|0.5-0.5|=|和棋|和|平局|引き分け|引分け|満局|무승부", None, "agreed"),
        ("D|Remis|REMIS|jigo|½:½|1/2 : 1/2|0,5-0,5|0.5:0.5|Unentschieden|Empate|Tablas|Patta|Nulle|remíza|Döntetlen|"
         "Viik|Tasapeli|Uavgjort|Нічия|Draw by agreement|Draw (agreed)|Agreed draw|和了|平棋|무", None, "agreed"),
        ("Schwarz gewinnt|Noir|Negras ganan|Černý|Czarne wygrywają|Must|Musta voitti|Ч|Чёрные|Чёрные+|black_win|先手胜|"
         "先手の勝ち|黑先胜|흑 승리", FIRST, OTHER),
        ("Weiß gewinnt|Weiss|Blanc gagne|Blancas|Bílý|Białe|Valge|Valkea|б|белые|WHITE_WIN|后手胜|"
         "後手勝ち", SECOND, OTHER),
        ("1-0 (resign)|1:0 (Resigned)|Schwarz+R", FIRST, RESIGNED),
        ("0-1 (time)|Bílý+T", SECOND, TIME),
    ],
)  # fmt: skip
def test_a_result_in_the_words_of_people(texts: str, winner: int | None, reason: str) -> None:
    for text in texts.split("|"):
        assert result_named(text) == Outcome(winner, reason), text


@pytest.mark.parametrize("text", ["", "?", "Void", "Unknown", "1", "黑", "2-1", "Bob", "B-R", "+", "BW", "W" * 1000])
def test_anything_else_is_no_result(text: str) -> None:
    record = sgf.loads(f"(;GM[4]SZ[15]RE[{text}];B[hh])".encode())
    if text:
        assert (record.outcome, record.root.extra) == (None, {"RE": (text,)})
    assert result_named(text) is None


def test_a_name_has_no_more_than_so_many_letters() -> None:
    for length, known in ((200, ("renju", Outcome(None, "agreed"))), (201, (None, None))):
        assert (rule_named("renju".ljust(length)), result_named("draw".ljust(length))) == known


@pytest.mark.parametrize("result", ["B", "1-0", "白胜", "W+F", "黑中盘胜", "W+T", "和棋", "1/2"])
def test_who_has_won_is_kept_by_sgf_and_psq(result: str) -> None:
    record = sgf.loads(f"(;GM[4]SZ[15]RE[{result}];B[hh];W[ii])".encode())
    assert record.outcome == result_named(result)
    assert sgf.loads(sgf_writer.dumps(record)).outcome == record.outcome
    again = psq.loads(psq.dumps(record)).outcome
    assert again is not None
    assert again.winner == record.outcome.winner


def test_a_result_against_the_moves_on_the_board_is_said() -> None:
    five = ";B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea]"
    for result, kinds in (("B+R", []), ("W+R", ["result"]), ("Draw", ["result"]), ("?", [])):
        record = sgf.loads(f"(;GM[4]SZ[15]RE[{result}]{five})".encode())
        assert (record.outcome.winner, record.outcome.reason) == (FIRST, "line")
        assert [found.kind for found in record.notices] == kinds


# By which rule a silent file is read.

OVERLINE = ";B[ha];W[aa];B[hb];W[ba];B[hc];W[ca];B[he];W[ea];B[hf];W[fa];B[hd];W[ga]"


def read(moves: str) -> GameRecord:
    return sgf.loads(f"(;GM[4]SZ[15]{moves})".encode())


@pytest.mark.parametrize("end", [";B[tt]", ";B[]", ";B[tt];W[tt]", ";B[hh];W[tt]"])
def test_a_pass_decided_by_which_rule_a_file_is_read(end: str) -> None:
    record = read(OVERLINE + end)
    assert record.setup.rule == "standard"
    assert record.position.ply == 12 + end.count("hh")
    assert [dict(found.facts)["why"] for found in record.notices] == ["pass"]


def test_the_rule_that_loses_fewest_moves_is_chosen_where_none_fits() -> None:
    """Freestyle loses the rest; renju the row of six itself; by standard there are only moves after a five."""
    five = ";B[oa];W[ab];B[ob];W[bb];B[oc];W[cb];B[od];W[db];B[oe]"
    points = re.findall(r"\[(.)(.)\]", f"{OVERLINE}{five};W[eb]")
    cells = [(ord(column) - ord("a"), ord(row) - ord("a")) for column, row in points]
    psq_moves = "".join(f"{x + 1},{y + 1}\n" for x, y in cells)
    sav = f"15 15 {len(cells)} " + " ".join(f"{y} {x}" for x, y in cells)
    for record in (
        read(f"{OVERLINE}{five};W[eb]"),
        psq.loads(f"Piskvorky 15x15\n{psq_moves}".encode()),
        yixin.load_sav(sav.encode()),
    ):
        assert (record.setup.rule, record.position.ply) == ("standard", 21)
        assert [dict(found.facts)["why"] for found in record.notices] == ["over"]


@pytest.mark.parametrize(
    ("reason", "lost", "rules", "chosen"),
    [
        ("occupied", (9, 9, 9), ["freestyle"], "freestyle"),
        ("pass", (0, 0, 0), ["freestyle"], "freestyle"),
        ("over", (9, 9, 9), ["freestyle", "standard", "renju"], "freestyle"),
        ("over", (9, 8, 9), ["freestyle", "standard", "renju"], "standard"),
        ("over", (9, 8, 2), ["freestyle", "standard", "renju"], "renju"),
    ],
)
def test_a_file_that_fits_no_rule_is_not_read_three_times_to_its_end(
    reason: str, lost: tuple[int, int, int], rules: list[str], chosen: str
) -> None:
    """A move that no rule has, such as one on a stone, is no reason to try another one; and a reading ends once it has
    lost as much as the best."""
    begun, ended = [], []

    def read(rule: str, cuts: Cuts) -> GameRecord:
        begun.append(rule)
        record = GameRecord(setup("gomoku", 15, rule))
        for _ in range(lost[GAMES["gomoku"].rules.index(rule)]):
            cuts.add(record, IllegalMove(reason, "It cannot be played."), 1)
        ended.append(rule)
        return record

    record = read_by_fitting_rule(read, "gomoku", None)
    assert (begun, record.setup.rule) == (rules, chosen)
    assert ended == [rule for rule in rules if rule in ("freestyle", chosen) or (rule, chosen) == ("standard", "renju")]


def test_moves_on_stones_are_left_out_at_once() -> None:
    record = read(";B[hh]" + "(;W[hh])" * 1000)
    assert (record.setup.rule, record.position.ply, len(record.notices)) == ("freestyle", 1, 1000)
    five = ";B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea]"
    record = read(five + ";W[hh]" * 1000)
    assert (record.setup.rule, record.position.ply, len(record.notices)) == ("freestyle", 9, 1)


# Files that were misread.


@pytest.mark.parametrize(
    ("name", "rule", "plies", "winner", "reason", "kinds"),
    [
        ("03_re_without_plus.sgf", "freestyle", 2, FIRST, OTHER, []),
        ("04_ru_soosyrv.sgf", "renju", 8, -1, "", []),
        ("05_rule_fit_lost_by_pass.sgf", "standard", 12, -1, "", ["cut"]),
        ("06_psq_winner_ignored.psq", "renju", 2, SECOND, OTHER, []),
    ],
)
def test_files_of_other_programs(
    name: str, rule: str, plies: int, winner: int, reason: str, kinds: list[str]
) -> None:
    record = load(FILES / name)
    assert (record.setup, record.position.ply) == (setup("gomoku", 15, rule), plies)
    assert record.outcome == (None if winner == -1 else Outcome(winner, reason))
    assert [found.kind for found in record.notices] == kinds


def test_the_winner_in_a_file_of_piskvork_is_the_player_who_is_named_so() -> None:
    def outcome(begins: int, code: int, last: str) -> Outcome | None:
        return psq.loads(f"Piskvorky 15x15, 1:1, {begins}\n8,8,0\n9,9,0\nA\nB\n{code}\n{last}\n".encode()).outcome

    assert outcome(0, 0, "1,Freestyle") == Outcome(FIRST, "other")
    assert outcome(1, 0, "1,Freestyle") == Outcome(SECOND, "other"), "player 1 has the second move"
    assert outcome(0, 15, "2,Renju_1") == Outcome(SECOND, "time")
    assert outcome(0, 0, "0,Standard2") == Outcome(None, "agreed")
    assert outcome(0, 0, "3,Renju") is None
    assert psq.loads(b"Piskvorky 15x15, 1:1, 0\n8,8,0\nA\nB\n0\n").outcome is None


def test_orc_game_center_names_the_rule_in_the_name_of_the_game() -> None:
    for name, rule in (("A-B(B) : RIF rule", "renju"), ("Renju club: a game", "freestyle"), ("Renju", "freestyle")):
        assert sgf.loads(f"(;GM[4]SZ[15]GN[{name}];B[hh])".encode()).setup.rule == rule
    named = sgf.loads(b"(;GM[4]SZ[15]RU[Exact five]GN[a: RIF rule];B[hh])")
    assert (named.setup.rule, moves_of(named)) == ("standard", "h8")
