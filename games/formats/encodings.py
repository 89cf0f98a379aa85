"""The encoding of a text file that does not say which it is in: Unicode if the bytes are valid in it, else a guess.

The guess is an encoding with the fewest flaws in the structure of the file, then the most probable by chardet and by
how plausible all texts are. A structured format passes a `Judge`. To add an encoding, add it to `ENCODINGS` and a word
``encoding.NAME``. Names of rules and results are tables in `games.formats.terms`.
"""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, lookup
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, repeat
from unicodedata import category, name

from games.formats.common import FormatError, notice, quoted
from games.record import Notice

UTF_8 = "utf-8"

_MODELS = {
    "cp1252": "cp1252", "cp1250": "cp1250", "cp1251": "cp1251", "gb18030": "gb18030", "cp950": "big5hkscs",
    "cp932": "cp932", "euc_jp": "euc_jis_2004", "cp949": "cp949",
}  # fmt: skip
"""The encodings that are guessed, each with the name of chardet for it."""

ENCODINGS = (UTF_8, *_MODELS)
"""The names of the encodings that are guessed, and that a person may choose."""

_CALIBRATION = {"euc_jp": 2.5, "cp1252": 1.3}
"""What chardet's confidence is multiplied by: it finds short names in EUC-JP more probable in GB 18030, and Latin-1 is
the default of SGF."""
_UNLIKELY = 0.001
_SIDE = re.compile("[黑黒흑白백][方棋番石子돌번]?|[先后後]手|玩家|电脑|電腦|컴퓨터")
_TERM = 10.0
"""By how much more probable a text is in which programs call a player so, if they know no name."""
_CAPITAL, _CAPITALS = 2.0, 4
"""By how much each of the Cyrillic capitals makes a text more probable, and how many may be by chance."""
_LEVELS = {
    "gb18030": ("gb2312", 0xB0, 0xD7, 0.5), "cp950": ("big5", 0xA4, 0xC6, 0.5), "cp949": ("euc_kr", 0xB0, 0xC8, 1.0),
    "euc_jp": ("euc_jp", 0xB0, 0xCF, 0.5), "cp932": ("euc_jp", 0xB0, 0xCF, 0.5),
}  # fmt: skip
"""The first bytes of what is in daily use, level 1 of GB 2312, Big5 and JIS X 0208, and the syllables of KS X 1001; and
by how much another ideograph or letter counts as odd. A name has one now and then, but hardly in Korean."""
_LEVELLED = {"CJK", "HANGUL"}
_PLAIN = bytes(set(range(32, 127)) - {92}) + rb"\u0041"
"""Bytes that every encoding of a text file decodes as ASCII does."""
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "cp950",
    "iso8859-1": "cp1252",
}  # fmt: skip
"""Supersets of encodings that files name but do not keep to."""
_ASCII = bytes(range(128))
_BEFORE, _SAMPLE = 1 << 11, 1 << 13  # bytes that are judged before and after the first beyond ASCII
_ENOUGH = 1024  # characters that are judged
_UNREADABLE = "\ufffd"
_ODD = {"Cc", "Cf", "Cn", "Co", "So", "Sk"}
_JAPANESE = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC"}


@dataclass(frozen=True, slots=True)
class Decoded:
    """A `text`, the `encoding` that it was in, and whether that was `guessed`. `named` is an encoding that the file
    names wrongly; empty if there is none."""

    text: str
    encoding: str
    guessed: bool = False
    named: str = ""


@dataclass(frozen=True, slots=True)
class TextEvidence:
    """What a `Judge` finds in a text: the `texts` that people wrote, and the number of `flaws` in the structure around
    them."""

    texts: Iterable[str]
    flaws: int = 0


Judge = Callable[[str], TextEvidence]


def judge_lines(text: str) -> TextEvidence:
    """Judge a text without structure: each line is one that people wrote."""
    return TextEvidence(text.splitlines())


def decode(data: bytes, encoding: str | None = None, judge: Judge = judge_lines) -> Decoded:
    """Decode `data` by `encoding`, a name of Python's; without one as Unicode, or by the best guess of `ENCODINGS`. A
    byte that cannot be decoded becomes U+FFFD. Raise `FormatError` if there is no such text encoding."""
    if encoding is not None:
        return Decoded(_decode_leniently(data, codec_of(encoding)), encoding)
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return Decoded(data.decode("utf-16", "replace"), "utf-16")
    try:
        return Decoded(data.decode("utf-8-sig"), UTF_8)
    except UnicodeDecodeError:
        guess = _guess(data, judge)
        return Decoded(_decode_leniently(data, guess), guess, guessed=True)


def guess_notices(decoded: Decoded) -> list[Notice]:
    """Return the notices for a person that the encoding was guessed, and that the file named a wrong one; none if it
    was not guessed."""
    if not decoded.guessed:
        return []
    wrong = [notice("charset", charset=decoded.named)] if decoded.named else []
    return [*wrong, notice("encoding", encoding=decoded.encoding)]


def codec_for(encoding: str) -> str | None:
    """Return Python's codec for a file that says that it is in `encoding`: often that of a superset. None if there is
    none, or if it does not decode ASCII as ASCII."""
    try:
        codec = lookup(encoding).name
        as_ascii = _PLAIN.decode(codec, "replace") == _PLAIN.decode("ascii")
    except (LookupError, UnicodeError, ValueError):
        return None
    return _WIDER.get(codec, codec) if as_ascii else None


def codec_of(encoding: str) -> str:
    """Return the codec for `encoding`, see `codec_for`. Raise `FormatError` if there is none."""
    codec = codec_for(encoding)
    if codec is None:
        raise FormatError(f"There is no encoding of the name {quoted(encoding)}.", "unknown_encoding")
    return codec


def _decode_leniently(data: bytes, encoding: str) -> str:
    """Decode by a codec, with U+FFFD for invalid bytes; leave out a byte order mark of UTF-8."""
    return data.decode("utf-8-sig" if encoding == UTF_8 else encoding, "replace")


def _guess(data: bytes, judge: Judge) -> str:
    """Return the likeliest of `ENCODINGS`: one with the fewest flaws, in which the texts are the most probable. UTF-8
    if most of the data is that."""
    first = len(data) - len(data.lstrip(_ASCII))
    sample = data[max(0, first - _BEFORE) : first + _SAMPLE]
    if mostly_in(sample, UTF_8):
        return UTF_8
    judged = {name: judge(_decode_leniently(sample, name)) for name in _MODELS}
    least = min(each.flaws for each in judged.values())
    texts = {name: _non_ascii(each.texts) for name, each in judged.items() if each.flaws == least}
    likeliest = max(texts, key=lambda name: _confidence(texts[name], name, tuple(texts)))
    return next(name for name in texts if texts[name] == texts[likeliest])  # the commoner of two that do not differ


def mostly_in(data: bytes, encoding: str) -> bool:
    """Return whether most characters beyond ASCII in `data` can be read in `encoding`."""
    beyond = [character for character in _decode_leniently(data, encoding) if character > "\x7f"]
    return beyond.count(_UNREADABLE) * 4 <= len(beyond)


def _non_ascii(texts: Iterable[str]) -> str:
    """Return those of `texts` that are not ASCII, joined, up to `_ENOUGH` characters. ASCII is the same in every
    encoding."""
    return "\n".join(text for text in texts if not text.isascii())[:_ENOUGH]


def _confidence(text: str, encoding: str, others: Sequence[str]) -> float:
    """Return a score of how probable it is that `text` was in `encoding` and not in one of the `others`, not bounded by
    1."""
    data = text.encode(encoding, "ignore")
    if not data:
        return 0.0
    found = _confidences(data, tuple(_MODELS[other] for other in others))
    confidence = found.get(_MODELS[encoding], 0.0)
    confidence = max(confidence, _UNLIKELY)  # chardet leaves out what it thinks too uniform, such as Kana alone
    confidence *= _CALIBRATION.get(encoding, 1.0) * (1.0 - _oddity(text, encoding)) ** 2
    if any(map(_SIDE.fullmatch, text.splitlines())):
        confidence *= _TERM
    return confidence * _capitals_factor(text)


def _capitals_factor(text: str) -> float:
    """Return by what factor `text` is more probable if all its letters are Cyrillic capitals; else 1. East Asian bytes,
    which come in pairs, rarely give only these."""
    letters = [character for character in text if character > "\x7f"]
    if not all(character.isupper() and _script(character) == "CYRILLIC" for character in letters):
        return 1.0
    return max(1.0, math.pow(_CAPITAL, len(letters) - _CAPITALS))


@lru_cache(maxsize=16)
def _confidences(data: bytes, models: tuple[str, ...]) -> dict[str, float]:
    """Return chardet's confidence that `data` is in each of `models`, its names of encodings; it may leave some out."""
    from chardet import detect_all  # takes 50 ms, which most files do not need

    found = detect_all(data, include_encodings=models, no_match_encoding=models[0], empty_input_encoding=models[0],
                       compat_names=False, ignore_threshold=True)  # fmt: skip
    return {str(each["encoding"]): each["confidence"] for each in reversed(found)}


def _oddity(text: str, encoding: str) -> float:
    """Return the share of characters beyond ASCII, from 0 to 1, that are implausible in a text in `encoding`."""
    beyond = [character for character in text if character > "\x7f"]
    odd = sum(map(_rarity, beyond, repeat(encoding)))
    odd += sum(_mixes_scripts(one, other) for one, other in pairwise(text) if one > "\x7f" or other > "\x7f")
    return min(1.0, odd / len(beyond)) if beyond else 0.0


def _mixes_scripts(one: str, other: str) -> bool:
    """Return whether two characters, neighbours in a text, are letters of scripts that no word mixes."""
    scripts = {_script(one), _script(other)}
    return len(scripts) > 1 and "" not in scripts and not scripts <= _JAPANESE


@lru_cache(maxsize=1 << 14)
def _rarity(character: str, encoding: str) -> float:
    """Return by how much, from 0 to 1, a character counts as implausible: 1 for one that no text has, less for one
    outside the common level of its national standard."""
    if category(character) in _ODD:
        return 1.0
    if encoding not in _LEVELS or _script(character) not in _LEVELLED:
        return 0.0
    standard, first, last, rarity = _LEVELS[encoding]
    try:
        return 0.0 if first <= character.encode(standard)[0] <= last else rarity
    except UnicodeEncodeError:
        return rarity


@lru_cache(maxsize=1 << 14)
def _script(letter: str) -> str:
    """Return the script of a letter as Unicode names it, such as ``CYRILLIC``; empty for other characters."""
    return name(letter, "").partition(" ")[0] if letter.isalpha() else ""
