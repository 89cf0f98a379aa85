"""No number stands in a lesson, in figures or in words, that no computation backs."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.sampling import sampled
from tests.ui.learn.lesson_numbers import QUESTIONS, STEPS, iterations, nodes, question_texts, step_texts
from ui.toolkit.i18n import LANGUAGES

_FIGURES = re.compile(r"\d{1,3}(?:[,\xa0]\d{3})+|\d+(?:\.\d+)?|[½¼¾³]")
_POINT = re.compile(r"(?<![A-Za-z])[a-o]\d{1,2}(?!\d)")
"""A move, such as b2."""

_WORDS = {
    "en": {
        "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    },
    "ru": {
        word: number
        for number, words in enumerate((
            "два две двух двум двумя", "три трёх трём тремя", "четыре четырёх четырём четырьмя", "пять пяти пятью",
            "шесть шести шестью", "семь семи семью", "восемь восьми восемью", "девять девяти девятью",
            "десять десяти десятью",
        ), 2)
        for word in words.split()
    },
    "zh": dict(zip("两三四五六七八九十", range(2, 11), strict=True)) | {"二": 2},
    "ja": {f"{digit}つ": number for number, digit in enumerate("二三四五六七八九", 2)},
}
_SIGNS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "³": 3}

IDIOMS = {
    "en": r"Connect Four|six tenths|a fifth|a third|two thirds|a tenth|Half|half",
    "ru": r"Четыре в ряд|шесть десятых|двух третей",
    "zh": r"[四五]子棋|两者|十分之[一六]|五分之一|三分之[一二]|两倍",
    "ja": r"(?<![\d,.])1(?=[つ手回本度段巡局ノ])|10分の1|5分の1|3分の[12]|6割",
}
"""Names, and parts of a whole: `PARTS` has those."""

PARTS: dict[tuple[str, int], tuple[float, dict[str, str]]] = {
    ("05-ordering", 4): (2, {
        "en": "twice the depth", "zh": "两倍深", "ja": "約2倍の深さ", "ru": "глубина почти вдвое больше",
    }),
    ("06-deepening", 3): (1 / 2, {
        "en": "more than half of the work", "zh": "一半以上", "ja": "半分以上", "ru": "больше половины",
    }),
    ("06-deepening", 4): (1 / 5, {
        "en": "a fifth more", "zh": "多五分之一左右", "ja": "5分の1ほど多い", "ru": "на пятую часть больше",
    }),
    ("06-deepening", 5): (6 / 10, {"en": "six tenths", "zh": "十分之六", "ja": "6割", "ru": "шесть десятых"}),
    ("08-parallel", 10): (1 / 10, {"en": "a tenth", "zh": "十分之一", "ja": "10分の1", "ru": "десятую часть"}),
}
"""By step: what part it is, and how each language says it."""


def stated(text: str, code: str) -> list[str]:
    """The numbers of a text, as it has them."""
    text = re.sub(IDIOMS[code], " ", _POINT.sub(" ", text))
    words = "|".join(_WORDS[code])
    pattern = rf"(?i)\b(?:{words})\b" if code in ("en", "ru") else words
    return [*_FIGURES.findall(text), *re.findall(pattern, text)]


def backs(number: float, text: str, code: str) -> bool:
    """Whether a computed number is what the text states, as exactly as the text has it."""
    if text.lower() in _WORDS[code]:
        return abs(number) == _WORDS[code][text.lower()]
    if text in _SIGNS:
        return number == _SIGNS[text]
    plain = re.sub("[,\xa0]", "", text)
    return abs(round(abs(number), len(plain.partition(".")[2])) - float(plain)) < 1e-9


TEXTS = [
    (code, kind, about)
    for code in LANGUAGES
    for kind, texts in (("step", step_texts(code)), ("question", question_texts(code)))
    for about in texts
]  # fmt: skip


@pytest.mark.parametrize(("code", "kind", "about"), sampled(TEXTS, len(TEXTS) // 3), ids=str)
def test_every_number_is_backed_by_a_computation(code: str, kind: str, about: tuple[str, int]) -> None:
    text = (step_texts if kind == "step" else question_texts)(code)[about]
    found = stated(text, code)
    backing = (STEPS if kind == "step" else QUESTIONS).get(about)
    numbers = [] if backing is None or not found else [float(number) for number in backing()]
    unbacked = [each for each in found if not any(backs(number, each, code) for number in numbers)]
    assert not unbacked, (unbacked, text)


def test_a_number_that_nothing_backs_is_found() -> None:
    """The test above would be worth nothing if it found none."""
    text = step_texts("en")["05-ordering", 5]
    assert "3,691" in text
    for changed in (text.replace("3,691", "3,692"), f"{text} It has seven moves.", f"{text} ½"):
        found = stated(changed, "en")
        assert any(not any(backs(number, each, "en") for number in STEPS["05-ordering", 5]()) for each in found)
    assert stated("用了三个结点。", "zh") == ["三"]


def test_parts_of_a_whole_are_as_large_as_the_lessons_say() -> None:
    each = iterations("connect4", 8)
    assert sum(each) / nodes("connect4", "table", 8) - 1 == pytest.approx(1 / 5, abs=0.05)
    assert all(2 <= later / earlier <= 4 for earlier, later in pairwise(each))
    assert each[-1] / sum(each) > 1 / 2
    assert 27 / sum((1, 3, 9, 27)) == pytest.approx(2 / 3, abs=0.05)
    for about, (_, said) in PARTS.items():
        for code in LANGUAGES:
            assert said[code] in step_texts(code)[about]


def test_each_backing_belongs_to_a_text() -> None:
    assert STEPS.keys() <= step_texts("en").keys()
    assert QUESTIONS.keys() <= question_texts("en").keys()
