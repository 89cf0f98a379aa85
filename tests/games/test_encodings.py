"""Encodings that files do not name: a guess keeps the structure, and finds the names of nearly all short files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from games.formats import ENCODINGS, FormatError, load, load_all, psq, sgf
from games.formats.encodings import TextEvidence, decode, mostly_in
from games.record import GameRecord
from tests.games.encoding_samples import HELD_OUT, SHORT
from tests.games.test_sgf import moves_of

FILES = Path(__file__).parents[1] / "data" / "files"
MOVES = "h8i7h9h7"
CERTAIN = {"cp1252": 39, "cp1250": 39, "cp1251": 40, "cp932": 39, "euc_jp": 34, "cp949": 38, "gb18030": 37, "cp950": 39}
"""How many of the 40 short files of each encoding are read right; letters of two encodings may be alike."""
CERTAIN_HELD_OUT = {
    "cp1252": 19, "cp1250": 17, "cp1251": 20, "cp932": 19, "euc_jp": 15, "cp949": 18, "gb18030": 17, "cp950": 19,
}  # fmt: skip
"""How many of 20 others."""


def sgf_of(texts: Sequence[str], head: str = "") -> str:
    names = zip(("PB", "PW", "EV"), texts, strict=False)
    properties = "".join(f"{name}[{text.replace(']', chr(92) + ']')}]" for name, text in names)
    return f"(;FF[4]GM[4]SZ[15]{head}{properties};B[hh];W[ii];B[hg];W[hi])"


def encoded(texts: Sequence[str], encoding: str, head: str = "") -> bytes:
    """A file as a program writes it that knows nothing of the encoding: a second byte that is a bracket is escaped."""
    data = b"(;FF[4]GM[4]SZ[15]" + head.encode()
    for name, text in zip((b"PB", b"PW", b"EV"), texts, strict=False):
        data += name + b"[" + text.encode(encoding) + b"]"
    return data + b";B[hh];W[ii];B[hg];W[hi])"


def texts_of(record: GameRecord) -> list[str]:
    return [*(seat.name for seat in record.seats), *filter(None, [record.about.event])]


@pytest.mark.parametrize(
    ("encoding", "samples", "certain"),
    [
        *((name, samples, CERTAIN[name]) for name, samples in SHORT.items()),
        *((name, samples, CERTAIN_HELD_OUT[name]) for name, samples in HELD_OUT.items()),
    ],
)
def test_names_of_short_files_were_wrong_in_most_encodings(encoding: str, samples: Sequence[str], certain: int) -> None:
    wrong = []
    for sample in samples:
        texts = sample.split("|")
        record = sgf.loads(encoded(texts, encoding))
        assert moves_of(record) == MOVES, sample
        if texts_of(record)[: len(texts)] != texts:
            wrong.append((sample, texts_of(record)))
    assert len(samples) - len(wrong) == certain, wrong


@pytest.mark.parametrize(
    ("encoding", "texts"),
    [
        ("cp1251", "ИВАНОВ|ПЕТРОВ"), ("cp1251", "СССР|ЦСКА"), ("cp1251", "ВАСЯ|ПЕТЯ"), ("cp949", "흑|백"),
        ("cp950", "黑棋|白棋"), ("gb18030", "黑棋|白棋"), ("cp932", "黒|白"), ("euc_jp", "黒番|白番"),
    ],
)  # fmt: skip
def test_capitals_and_the_names_of_the_sides_were_read_in_another_encoding(encoding: str, texts: str) -> None:
    assert texts_of(sgf.loads(encoded(texts.split("|"), encoding))) == texts.split("|")


@pytest.mark.parametrize(("encoding", "wrong"), list(product(SHORT, ENCODINGS[1:])))
def test_a_person_may_choose_any_encoding(encoding: str, wrong: str, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    for sample in SHORT[encoding][:5]:
        texts = sample.split("|")
        file.write_bytes(encoded(texts, encoding))
        chosen = load(file, encoding=encoding)
        assert (texts_of(chosen)[: len(texts)], moves_of(chosen), chosen.notices) == (texts, MOVES, [])
        assert "encoding" not in [found.kind for found in load_all(file, encoding=wrong)[0].notices]


@pytest.mark.parametrize("text", ["Jos\xe9", "Ren\xe9e", "\xc5sa \xc5", "na\xefve \xe0", "\xe9\xe9", "\xfc"])
@pytest.mark.parametrize("name", ["PB", "C", "EV", "GN"])
def test_the_last_letter_of_a_text_ate_its_bracket(text: str, name: str) -> None:
    data = f"(;FF[4]GM[4]SZ[15]{name}[{text}]PW[Ren\xe9];B[hh]C[{text}];W[ii];B[hg]N[{text}];W[hi])".encode("latin-1")
    record = sgf.loads(data)
    assert (moves_of(record), record.seats[1].name) == (MOVES, "René")
    assert [dict(found.facts) for found in record.notices] == [{"encoding": "cp1252"}]


@pytest.mark.parametrize(
    ("encoding", "charset", "texts"),
    [
        ("cp1250", "windows-1250", ["Řeř", "Őz"]),
        ("cp949", "EUC-KR", ["흑", "백"]),
        ("latin-1", "ISO-8859-1", ["é", "è"]),
        ("utf-8", "UTF-8", ["é", "黑"]),
    ],
)
def test_what_names_its_encoding_is_not_guessed(encoding: str, charset: str, texts: list[str]) -> None:
    record = sgf.loads(sgf_of(texts, f"CA[{charset}]").encode(encoding))
    assert (record.notices, texts_of(record)) == ([], texts)


def test_a_wrong_charset_is_said_and_gives_way_to_a_guess() -> None:
    record = sgf.loads(sgf_of(["José", "René"], "CA[UTF-8]").encode("latin-1"))
    assert (texts_of(record), moves_of(record)) == (["José", "René"], MOVES)
    assert [(found.kind, dict(found.facts)) for found in record.notices] == [
        ("charset", {"charset": "UTF-8"}), ("encoding", {"encoding": "cp1252"}),
    ]  # fmt: skip


def test_a_damaged_byte_does_not_make_a_file_one_of_another_encoding() -> None:
    data = sgf_of(["Ондřej", "五子棋"], "CA[UTF-8]").encode().replace("子".encode(), b"\xff")
    record = sgf.loads(data)
    assert (texts_of(record), record.notices) == (["Ондřej", "五\ufffd棋"], [])
    assert sgf.loads(data.replace(b"CA[UTF-8]", b"")).seats[0].name == "Ондřej"


def test_names_in_a_file_of_piskvork_were_latin() -> None:
    record = load(FILES / "08_psq_gbk_names.psq")
    assert [seat.name for seat in record.seats] == ["玩家", "电脑"]
    assert [dict(found.facts) for found in record.notices] == [{"encoding": "gb18030"}]
    latin = psq.loads("Piskvorky 15x15, 0:0, 0\n8,8,0\nJosé\nRené\n-1\n".encode("latin-1"))
    assert [seat.name for seat in latin.seats] == ["José", "René"]


@pytest.mark.parametrize(("before", "after", "judged"), [(0, 3, 4), (2048, 0, 2049), (3000, 9000, 2048 + 8192)])
def test_so_much_is_judged_around_the_first_letter_beyond_ascii(before: int, after: int, judged: int) -> None:
    lengths: list[int] = []

    def judge(text: str) -> TextEvidence:
        lengths.append(len(text))
        return TextEvidence([text])

    decode(b"a" * before + b"\xe9" + b"a" * after, judge=judge)
    assert max(lengths) == judged


def test_an_encoding_that_is_none_is_refused() -> None:
    for name in ("nonsense", "rot13", "zlib", "utf-7", "idna", "\0", "x" * 1000):
        with pytest.raises(FormatError, match="no encoding of the name") as caught:
            decode(b"a", name)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("data", [b"", b"h8", "ж".encode(), b"\xef\xbb\xbfa", "a".encode("utf-16")])
def test_unicode_is_no_guess(data: bytes) -> None:
    assert not decode(data).guessed


@pytest.mark.parametrize(
    ("data", "mostly"),
    [("", True), ("é?", False), ("éé?", False), ("ééé?", True), ("éééééé??", True), ("é" + "\x7f" * 9 + "?", False)],
)
def test_most_characters_can_be_read_if_three_of_four_can(data: str, mostly: bool) -> None:
    assert mostly_in(data.encode().replace(b"?", b"\xff"), "utf-8") == mostly
