"""The terms by which files name a rule and a result, and the properties of SGF that judge a move or a position.

Programs and people write what they like there, so a value is looked up whole, or else all of its words are; never a
part of a word, since “not renju, free” is no renju.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from sgfmill import sgf_grammar

from games.fields import checked, pair, text
from games.formats.common import notice, shortened
from games.position import FIRST, SECOND, Outcome
from games.record import LONGEST_LINE, LONGEST_NOTE, About, GameRecord, Node, Notice

RULES = {
    "renju": (
        "4", "renju", "rif", "free renju", "standard renju", "renju standard", "soosyrv", "soosorv", "soosõrv",
        "sosyrv", "taraguchi", "yamaguchi", "yamasyrv", "sakata", "tarannikov", "linhuan",
        "连珠", "連珠", "国际连珠", "有禁手", "有禁", "禁手", "索索夫", "塔拉山口", "山口", "坂田",
        "禁手あり", "禁手有り", "禁手有", "렌주", "рендзю", "рэндзю",
    ),
    "freestyle": (
        "0", "freestyle", "free", "free style", "five or more", "five or more stones wins", "swap after 1st move",
        "一手交换", "无禁手", "無禁手", "无禁", "無禁", "禁手なし", "禁手無し", "禁手無", "自由", "자유",
    ),
    "standard": (
        "1", "standard", "standrad", "exact", "exact five", "exact 5", "exactly five", "exactly five stones wins",
        "标准", "標準", "无禁手(六不赢)", "無禁手(六不贏)",
    ),
}  # fmt: skip
"""The names of each rule: those of renju's ways to open too, and the numbers of Gomocup. Yixin has “standrad”, and
renju without a way to open is its “free renju”."""

VAGUE = {
    "Gomoku": "freestyle", "五子棋": "freestyle", "五目並べ": "freestyle", "五目ならべ": "freestyle",
    "오목": "freestyle",
    "swap2": "standard", "swap": None, "swap1": None, "swap3": None, "pro": None, "long": None,
}  # fmt: skip
"""Games, and ways to open, that are played by any rule: the usual one, if any, where none is named beside them."""

_NOISE = {"rule", "rules", "opening", "openings", "with", "规则", "規則", "ルール", "룰"}
_ENDINGS = re.compile("(?:规则|規則|ルール|룰)$")
_APART = re.compile(r"[,;:/|+()\[\]、。]+")
_BETWEEN = re.compile(r"[\W_]+")
_NUMBER = re.compile("[0-9]+$")


def _key(text: str) -> str:
    """Return `text` without case, width, spaces and punctuation."""
    return _BETWEEN.sub("", unicodedata.normalize("NFKC", text).casefold())


_RULES = {_key(name): rule for rule, names in RULES.items() for name in names}
_VAGUE = {_key(name): rule for name, rule in VAGUE.items()}
_LONGEST = 200  # characters of a rule or a result; longer text is neither


def rule_named(text: str) -> str | None:
    """Return the rule of gomoku that the whole of `text` names; None if it names none, or several."""
    if len(text) > _LONGEST:
        return None
    if (whole := _look_up_rule(_key(text))) is not None:
        return whole
    terms = [term for term in _terms(unicodedata.normalize("NFKC", text)) if term and term not in _NOISE]
    rules = {None if term.isdecimal() else _look_up_rule(term) for term in terms if term not in _VAGUE}
    chosen = rules or {_VAGUE[term] for term in terms if term in _VAGUE} - {None}
    return chosen.pop() if len(chosen) == 1 else None


def unknown_rule(written: str, rule: str) -> Notice:
    """Return the notice of a rule that `rule_named` does not know, as it is `written` in the file, and of the `rule` by
    which the game was read."""
    return notice("rule", written=shortened(written.strip()), rule=rule)


def _terms(text: str) -> Iterator[str]:
    """Yield the keys of the parts of `text` between punctuation; of a part that names no rule, the keys of its
    words."""
    for part in _APART.split(text):
        key = _key(part)
        yield from (key,) if key in _VAGUE or _look_up_rule(key) else map(_key, part.split())


def _look_up_rule(key: str) -> str | None:
    """Return the rule that `key` names, perhaps with the word “rule” or the number of an opening or division after it;
    None if it names none."""
    bare = _ENDINGS.sub("", key)
    found = _RULES.get(bare)
    return _RULES.get(_NUMBER.sub("", bare) or bare) if found is None and bare not in _VAGUE else found


# Results.

REASONS = {"R": "resigned", "T": "time", "F": "forfeit"}
"""The letters of SGF for how a game was won, with the reason of the `Outcome`."""

_DRAWS = {
    "0", "=", "=-=", "d", "draw", "drawn", "drawbyagreement", "agreeddraw", "drawagreed", "draw(agreed)", "tie", "jigo",
    "1/2", "1/2-1/2", "0.5", "0.5-0.5", "remis", "unentschieden", "nul", "nulle", "partienulle", "empate", "tablas",
    "patta", "remiza", "remíza", "döntetlen", "viik", "tasapeli", "uafgjort", "uavgjort", "oavgjort", "gelijkspel",
    "ничья", "нічия", "和", "和了", "和棋", "和局", "平", "平局", "平棋", "平手", "满局", "満局", "滿局", "引分",
    "引分け", "引き分け", "引き分", "무", "무승부",
}  # fmt: skip
_WINS = {"1-0": FIRST, "0-1": SECOND, "победачерных": FIRST, "победабелых": SECOND}
_WEST = {
    FIRST: ("b", "black", "schwarz", "noir", "noirs", "negro", "negras", "preto", "pretas", "nero", "černý", "czarny",
            "czarne", "must", "musta", "svart", "sort", "sötét", "ч", "черный", "черные", "чорні"),
    SECOND: ("w", "white", "weiss", "blanc", "blancs", "blanco", "blancas", "branco", "brancas", "bianco", "bílý",
             "biały", "białe", "valge", "valkea", "vit", "hvid", "hvit", "világos", "б", "белый", "белые", "білі"),
}  # fmt: skip
_SIDES = {word: side for side, words in _WEST.items() for word in words} | {
    "黑": FIRST, "黒": FIRST, "흑": FIRST, "先手": FIRST, "白": SECOND, "백": SECOND, "后手": SECOND, "後手": SECOND,
}  # fmt: skip
"""What people call the sides, without ё, which Russians often write as е."""
_HOW = {
    "resigned": ("r", "res", "resign", "resigned", "resigns", "resignation", "中盘", "中盤", "中押し", "中押", "投了",
                 "投子", "投降", "认输", "認輸", "불계"),
    "time": ("t", "time", "timeout", "time out", "超时", "超時", "时间", "時間", "時間切れ", "时间到", "시간"),
    "forfeit": ("f", "forfeit", "forfeited", "forfeits", "弃权", "棄権", "棄權", "不戦", "기권"),
}  # fmt: skip
_HOW_WON = frozenset({"中盘", "中盤", "中押し", "中押", "불계"})
"""How the side wins that is named before; the other words of the East say how it loses."""
_REASONS = {word: reason for reason, words in _HOW.items() for word in words}
_WESTERN = "|".join(word for words in _WEST.values() for word in words)
_WINNING = (
    "wins?|won|gewinnt|gewann|gagnent|gagne|ganan|gana|vencem|vence|vince|wygrywają|wygrywa|vyhrává|vyhrál|võitis|voitti"
    "|vann|vinder|nyert|выиграли|победили|виграли"
)
_REMARK = re.compile(r"\(.*\)\s*$", re.DOTALL)
_WON = re.compile(
    rf"(?P<side>{_WESTERN})(?: ?\+(?P<how>.*)| (?:{_WINNING})(?: (?:by|on) (?P<by>.*))?)?", re.DOTALL
)
_LOST = re.compile(r"(?P<side>black|white) (?P<how>resigns|resigned|forfeits|forfeited|loses|lost)")
_EAST = re.compile(
    rf"(?P<side>[黑黒흑白백]|[先后後]手)[先棋方子番]?[のが]?"
    rf"(?P<how>{'|'.join(word for word in _REASONS if not word.isascii())})?で?"
    "(?:(?P<won>[获獲]?[胜勝][利ち]?|赢|贏|승리?)|(?P<lost>负|負け?|败|敗|输|輸|패))?"
)
_WRITTEN = str.maketrans("‐‑‒–—−⁄_ёЁ", "------/ ее")


def result_named(text: str) -> Outcome | None:
    """Return the result that the whole of `text` names: ``B+R``, ``0``, ``White wins``, ``1-0``, ``黑胜``. None if it
    names none."""
    if len(text) > _LONGEST:
        return None
    plain = unicodedata.normalize("NFKC", text).translate(_WRITTEN).casefold()
    said = " ".join(plain.strip(" .!。").split())
    close = said.replace(" ", "")
    if close.replace(":", "-").replace(",", ".") in _DRAWS:
        return Outcome(None, "agreed")
    score, _, how = close.replace(":", "-").rstrip(")").partition("(")
    if (winner := _WINS.get(score)) is not None and (not how or how in _REASONS):
        return Outcome(winner, _reason(how))
    if found := _WON.fullmatch(said):
        return Outcome(_SIDES[found["side"]], _reason(found["how"] or found["by"]))
    if found := _LOST.fullmatch(said):
        return Outcome(1 - _SIDES[found["side"]], _reason(found["how"]))
    found = _EAST.fullmatch(close)
    if found is None or not (found["how"] or found["won"] or found["lost"]):
        return None
    side = _SIDES[found["side"]]
    won = found["won"] or (found["how"] in _HOW_WON and not found["lost"])
    return Outcome(side if won else 1 - side, _reason(found["how"]))


def _reason(how: str | None) -> str:
    """Return the reason of an `Outcome` for a text that says how a game was won; ``other`` if that is unknown."""
    return _REASONS.get(_REMARK.sub("", how or "").strip(), "other")


# `About` in files: as the game-info properties of SGF, and as an object of JSON.


_LINES = {
    "GN": "title", "EV": "event", "PC": "place", "RO": "round", "AN": "annotator", "SO": "source", "US": "author",
    "CP": "copyright",
}  # fmt: skip
_SIDE_FIELDS = {"BR": ("ranks", 0), "WR": ("ranks", 1), "BT": ("teams", 0), "WT": ("teams", 1)}
_NOTE = "GC"

PROPERTIES = frozenset((*_LINES, *_SIDE_FIELDS, _NOTE))
"""The names of the properties."""


def about_of(properties: Mapping[str, Iterable[str]]) -> tuple[About, bool]:
    """Decode the SGF `properties` named in `PROPERTIES`, whose values have their escapes. Return them, and whether some
    were too long and were shortened."""
    given = {name: list(properties[name]) for name in PROPERTIES & properties.keys()}
    texts = {name: _join_values(name, values) for name, values in given.items()}
    kept = {name: text[: _longest(name)] for name, text in texts.items()}
    lines = {field: kept.get(name, "") for name, field in _LINES.items()}
    about = About(
        ranks=(kept.get("BR", ""), kept.get("WR", "")), teams=(kept.get("BT", ""), kept.get("WT", "")),
        note=kept.get(_NOTE, ""), **lines,
    )  # fmt: skip
    return about, kept != texts


def properties_of(about: About) -> dict[str, str]:
    """Return what is known in `about` as SGF properties, without escapes."""
    found = {name: getattr(about, field) for name, field in _LINES.items()}
    found |= {name: getattr(about, kind)[side] for name, (kind, side) in _SIDE_FIELDS.items()}
    return {name: text for name, text in {**found, _NOTE: about.note}.items() if text}


def _longest(name: str) -> int:
    """Return the greatest length of the field for an SGF property."""
    return LONGEST_NOTE if name == _NOTE else LONGEST_LINE


def _join_values(name: str, values: list[str]) -> str:
    """Return the values of an SGF property as one text, with their escapes resolved."""
    decode = sgf_grammar.text_value if name == _NOTE else sgf_grammar.simpletext_value
    return ("\n" if name == _NOTE else " ").join(decode(value.encode()).decode() for value in values).strip()


_line = text(LONGEST_LINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutEntry:
    """`About` in a native file."""

    title: str = checked(_line, "")
    event: str = checked(_line, "")
    place: str = checked(_line, "")
    round: str = checked(_line, "")
    ranks: tuple[str, str] = checked(pair(_line), ("", ""))
    teams: tuple[str, str] = checked(pair(_line), ("", ""))
    annotator: str = checked(_line, "")
    source: str = checked(_line, "")
    author: str = checked(_line, "")
    copyright: str = checked(_line, "")
    note: str = checked(text(LONGEST_NOTE), "")


def decode_about(entry: AboutEntry | None) -> About:
    """Decode the optional field ``about`` of our own format."""
    return About() if entry is None else About(**asdict(entry))


def about_entry(about: About) -> dict[str, Any]:
    """Return `about` as JSON that `AboutEntry` decodes, without empty fields."""
    pairs = {"ranks": list(about.ranks) * any(about.ranks), "teams": list(about.teams) * any(about.teams)}
    return {name: value for name, value in (asdict(about) | pairs).items() if value}


def take_about(record: GameRecord) -> None:
    """Move SGF properties of the root that belong to `GameRecord.about` there, as files from before 0.9.0 need."""
    extra = record.root.extra
    if old := {name: extra[name] for name in PROPERTIES & extra.keys()}:
        record.about = about_of(old)[0] if record.about == About() else record.about
        record.root.extra = {name: values for name, values in extra.items() if name not in old}


MOVES = {"TE": "good", "BM": "bad", "DO": "doubtful", "IT": "interesting"}
POSITIONS = {"GB": "better", "GW": "better", "DM": "even", "UC": "unclear"}
_BETTER = {"GB": FIRST, "GW": SECOND}


class Sign(NamedTuple):
    """What an annotator says of a move or a position. `kind` is one of the values of `MOVES` or `POSITIONS`; `strong`
    means more of it. `side` is who is ``better``."""

    kind: str
    strong: bool = False
    side: int | None = None


def move_sign(node: Node) -> Sign | None:
    """Return how an annotator judges the move that led to `node`; None without a judgement."""
    return _sign(node, MOVES) if node.move is not None else None


def position_sign(node: Node) -> Sign | None:
    """Return how an annotator judges the position of `node`; None without a judgement."""
    return _sign(node, POSITIONS)


def _sign(node: Node, kinds: dict[str, str]) -> Sign | None:
    """Return the judgement by the first SGF property of a node that is in `kinds`; None without one."""
    if not node.extra:
        return None
    name = next((name for name in kinds if name in node.extra), None)
    if name is None:
        return None
    strong = any(value.strip() == "2" for value in node.extra[name]) and kinds[name] not in ("doubtful", "interesting")
    return Sign(kinds[name], strong, _BETTER.get(name))


def is_annotated(record: GameRecord) -> bool:
    """Return whether any position of `record` has a comment or a judgement by an annotator."""
    return any(node.comment or move_sign(node) or position_sign(node) for node in record.nodes())
