"""The database of RenjuNet, by the description of its elements that readers of it give."""

from __future__ import annotations

import pytest

from games.formats import FormatError, renjunet, sgf, sgf_writer
from games.formats.tengen import LONGEST_NAME
from games.formats.text import moves_text
from games.position import Outcome
from games.record import LONGEST_LINE, LONGEST_NOTE, About
from games.registry import setup
from tests.games.formats_samples import RIF_EXAMPLE

DATA = RIF_EXAMPLE.encode()


def test_games_are_read_with_players_event_place_rule_result_and_opening() -> None:
    first, second, third = renjunet.loads_all(DATA)
    assert (moves_text(first.line()), first.date) == ("h8h9h7", "2005-08-01")
    assert first.setup == setup("gomoku", 15, "renju")
    assert first.names == ("Ada L", "黒")
    note = "B=1245\nalt: i8 g7\nswap: R--"
    assert first.about == About(event="Cup & more", place="Pärnu, Estonia", round="F2", note=note)
    assert first.cursor.ending == Outcome(0, "other")
    assert first.root.extra == {"ON": ("One [of 26\\]",)}
    assert sgf.loads(sgf_writer.dumps(first)).root.extra == first.root.extra
    assert (second.setup.rule, second.date, second.names) == ("standard", "2019-03", ("黒", "Ada L"))
    assert second.cursor.ending == Outcome(None, "agreed")
    assert (third.setup.rule, third.date, third.names, third.cursor.ending) == ("renju", "", ("", ""), None)
    assert (moves_text(third.line()), [found.kind for found in third.notices]) == ("h8", ["cut"])


@pytest.mark.parametrize(
    ("start", "end", "year", "month", "date"),
    [
        ("2005-08-00", "2005-08-07", "2005", "8", "2005-08"), ("2005-00-07", "", "", "", "2005"),
        ("2005-00-00", "2005-08-07", "2005", "8", "2005"),
        ("0000-00-00", "2006-08-07", "2005", "8", "2006-08-07"), ("", "", "2005", "12", "2005-12"),
        ("", "", "2005", "08", "2005-08"), ("", "", "2005", "13", "2005"), ("", "", "2005", "0", "2005"),
        ("", "", "0000", "8", ""), ("", "", "x", "8", ""),
    ],
)  # fmt: skip
def test_as_much_of_a_day_as_is_known_is_kept(start: str, end: str, year: str, month: str, date: str) -> None:
    head, _, tail = RIF_EXAMPLE.partition('year="2005" month="8" start="2005-08-01"\nend="2005-08-07"')
    text = f'{head}year="{year}" month="{month}" start="{start}" end="{end}"{tail}'
    assert (renjunet.loads(text.encode()).date, bool(tail)) == (date, True)


def test_long_texts_are_cut() -> None:
    line, note = "x" * (LONGEST_LINE + 1), "y" * (LONGEST_NOTE + 1)
    changes = {"Ada": line, "Cup &amp; more": line, "P\u00e4rnu": line, "F2": line, "One [of 26]": line, "B=1245": note}
    text = RIF_EXAMPLE
    for old, new in changes.items():
        text = text.replace(old, new)
    record = renjunet.loads(text.encode())
    assert record.about == About(event=line[:-1], place=line[:-1], round=line[:-1], note=note[:-1])
    assert (record.names[0], record.root.extra) == (line[:LONGEST_NAME], {"ON": (line[:-1],)})


def test_bug_a_move_of_any_length_was_quoted_whole() -> None:
    games = f"<database><game id='1' black='1' white='2' bresult='1'><move>h8 {'z' * 50_000}</move></game></database>"
    (said,) = renjunet.loads(games.encode()).notices
    assert said.kind == "cut"
    assert len(said.sentence) < 200


def test_the_first_game_is_opened_and_the_others_are_counted() -> None:
    record = renjunet.loads(DATA)
    assert moves_text(record.line()) == "h8h9h7"
    assert [(found.kind, dict(found.facts)) for found in record.notices] == [("more_games", {"count": 2})]
    illegal = renjunet.loads(DATA.replace(b"h8 h9 h7", b"h8 h8"))
    assert [found.kind for found in illegal.notices] == ["more_games", "cut"]


def test_reading_goes_on_after_any_game() -> None:
    every = list(renjunet.read_each(DATA))
    places = [place for place, _ in every]
    assert [DATA[:place].count(b"</move>") for place in places] == [1, 2, 3], "an import shows them as its progress"
    assert list(renjunet.read_each(DATA, begin=places[1])) == every[2:]
    assert list(renjunet.read_each(DATA, begin=places[2])) == []


def test_only_so_many_games_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renjunet, "MOST_GAMES", 1)
    (record,) = renjunet.loads_all(DATA)
    assert ("other_games", {"count": 2}) in [(found.kind, dict(found.facts)) for found in record.notices]


def test_a_file_that_is_damaged_is_read_so_far() -> None:
    broken = DATA[: DATA.index(b'<game id="3"')]
    assert len(renjunet.loads_all(broken)) == 2
    *_, (place, last) = renjunet.read_each(broken)
    assert (place, str(last)) == (len(broken) + 1, "The file is damaged after 2 games.")
    assert [found.kind for found in renjunet.loads_all(broken)[0].notices] == ["broken_off"]


def test_a_file_is_known_by_its_beginning_and_its_encoding_by_the_first_megabyte() -> None:
    assert [renjunet.recognises(b"<" + b" " * blanks + b"<database>") for blanks in (4086, 4087)] == [True, False]
    head, end = DATA.replace(b"</database>", b"<!--"), b"--><x a='\xc8\xc2'/>"
    for blanks, guessed in ((0, True), (1, False)):
        data = head + b" " * ((1 << 20) - len(head) - len(end) + blanks) + end + b"</database>"
        assert ("encoding" in [found.kind for found in renjunet.loads(data).notices]) == guessed


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "euc_jp"])
def test_a_file_is_read_in_pieces_in_any_encoding(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = RIF_EXAMPLE.replace("ä", "a")
    expected = renjunet.loads_all(text.encode())
    monkeypatch.setattr(renjunet, "CHUNK", 7)
    chosen = encoding if encoding == "euc_jp" else None
    assert renjunet.loads_all(text.encode(encoding), encoding=chosen) == expected


def test_the_last_piece_ends_the_file_also_if_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = DATA[: DATA.index(b'<game id="3"')]
    monkeypatch.setattr(renjunet, "CHUNK", len(broken))
    *_, (_place, last) = renjunet.read_each(broken)
    assert str(last) == "The file is damaged after 2 games."


def test_bytes_that_are_no_utf_8_do_not_end_the_reading() -> None:
    first, *_ = renjunet.loads_all(DATA.replace(b'surname="L"', b'surname="\xff"') + "<!-- 黒白黒白黒白 -->".encode())
    assert first.names == ("Ada \ufffd", "黒")


def test_elements_that_are_not_known_or_have_no_number_are_left_out() -> None:
    data = DATA.replace(b"<games>", b'<extra id="1"><move>a1</move></extra><city/><games>')
    assert (data != DATA, renjunet.loads_all(data)) == (True, renjunet.loads_all(DATA))


LAUGHS = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    "head",
    [
        f'<!DOCTYPE database [<!ENTITY e0 "ha">{LAUGHS}]>',
        '<!DOCTYPE database [<!ENTITY e11 SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_entities_are_not_expanded(head: str) -> None:
    games = "<games><game><move>h8</move><info>&e11;</info></game></games>"
    text = f'<?xml version="1.0"?>{head}<database>{games}</database>'
    with pytest.raises(FormatError, match="entities"):
        renjunet.loads(text.encode())


def test_deep_and_empty_files_are_refused() -> None:
    for text in ("<database></database>", "<database>" + "<a>" * 100_000, "<database/>", "<x><database/></x>"):
        with pytest.raises(FormatError, match="no games"):
            renjunet.loads(text.encode())


def test_another_rule_may_be_chosen() -> None:
    assert renjunet.loads(DATA, setup("gomoku", 15, "freestyle")).setup.rule == "freestyle"
