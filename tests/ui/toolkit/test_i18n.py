"""The texts: all languages complete, all keys of the code known, and all characters in the fonts."""

from __future__ import annotations

import ast
import json
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pygame
import pytest
from fontTools.ttLib import TTFont

from ui.toolkit import i18n
from ui.toolkit.i18n import DEFAULT, LANGUAGES
from ui.toolkit.resources import resource

ROOT = Path(__file__).resolve().parents[3]
SOURCES = [ROOT / "main.py", *sorted((ROOT / "ui").rglob("*.py"))]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def literal_keys() -> Iterator[tuple[str, bool]]:
    """Every key in a call `t("literal", …)`, and whether a count goes with it."""
    for path in SOURCES:
        if not path.exists():
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "t" and node.args:
                arguments = [node.args[0]]
                if isinstance(arguments[0], ast.IfExp):
                    arguments = [arguments[0].body, arguments[0].orelse]
                counted = any(keyword.arg == "count" for keyword in node.keywords)
                for argument in arguments:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value, counted


@pytest.mark.parametrize("code", LANGUAGES)
def test_locale_files_are_flat_and_every_key_is_written_once(code: str) -> None:
    pairs: list[tuple[str, object]] = json.loads(
        resource("locales", f"{code}.json").read_text(encoding="utf-8"), object_pairs_hook=list
    )
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys))
    assert all(isinstance(text, str) and text.strip() for _, text in pairs)


def called(name: str, at: int) -> Iterator[tuple[str, set[str]]]:
    """The literal `at` that place of every call `name(…)` of the program, with the names of its keywords."""
    for node in all_calls():
        if not (isinstance(node.func, ast.Name) and node.func.id == name):
            continue
        argument = node.args[at] if len(node.args) > at else None
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value, {keyword.arg for keyword in node.keywords if keyword.arg}


@cache
def all_calls() -> list[ast.Call]:
    """Every call in the program."""
    sources = (path for folder in ("ai", "games", "ui") for path in (ROOT / folder).rglob("*.py"))
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in sources)
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]


@pytest.mark.parametrize(("prefix", "name", "at", "given"), [
    ("notice", "notice", 0, set()), ("format", "FormatError", 1, {"name"}), ("damage", "report", 0, {"name", "fact"}),
])  # fmt: skip
def test_a_file_that_broke_off_ended_the_program_since_the_window_had_no_words_for_it(
    prefix: str, name: str, at: int, given: set[str]
) -> None:
    """`notices_sentence`, `file_sentence` and `damage_sentence` make keys of what the readers of files report."""
    texts, found = i18n.texts("en"), list(called(name, at))
    assert len(found) > 3
    for kind, facts in found:
        forms = [key for key in (f"{prefix}.{kind}", f"{prefix}.{kind}.one", f"{prefix}.{kind}.other") if key in texts]
        assert forms, f"no words for {prefix}.{kind}"
        assert all(placeholders(texts[key]) <= facts | given for key in forms), kind


def forms(code: str) -> dict[str, dict[str, str]]:
    """The texts of a language by form of number, by key; ``""`` is the form of a text that has no other."""
    texts, found = i18n.texts(code), dict[str, dict[str, str]]()
    plural = {key.removesuffix(".one") for key in texts if key.endswith(".one")}
    for key, text in texts.items():
        if key.endswith(".cases"):
            continue
        base, _, form = key.rpartition(".")
        base, form = (base, form) if base in plural and form in (*LANGUAGES[code].forms, "1") else (key, "")
        found.setdefault(base, {})[form] = text
    return found


OTHERS = sorted(LANGUAGES.keys() - {DEFAULT})


@pytest.mark.parametrize("code", OTHERS)
def test_all_languages_have_the_same_keys(code: str) -> None:
    assert forms(code).keys() == forms(DEFAULT).keys()


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_plural_has_the_forms_of_its_language(code: str) -> None:
    """A language may count where English does not; where English counts, it must."""
    counted = {key for key, texts in forms(DEFAULT).items() if len(texts) > 1}
    for key, texts in forms(code).items():
        expected = {*LANGUAGES[code].forms} if key in counted or len(texts) > 1 else {""}
        assert texts.keys() - {"1"} == expected, key


@pytest.mark.parametrize("code", OTHERS)
def test_all_languages_have_the_same_placeholders(code: str) -> None:
    """Where one form is for 1 and 21, it has the number as that for 2 has; a form for just 1 need not."""
    english = forms(DEFAULT)
    one = "1" if LANGUAGES[code].plural(21) == "one" else "one"
    for key, texts in forms(code).items():
        for form, text in texts.items():
            like = english[key].get("", english[key].get("one" if form == one else "other", ""))
            assert placeholders(text) == placeholders(like), (key, form)


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_have_all_the_cases_that_texts_ask_for(code: str) -> None:
    """Russian sentences began with “Чёрные” in the middle, and said “ход Чёрные”."""
    texts, cases = i18n.texts(code), LANGUAGES[code].cases
    for key, text in texts.items():
        if key.endswith(".cases"):
            assert len(text.split("|")) == len(cases) + 1, key
            assert text[-2:] in ("|1", "|2"), key
            assert key.removesuffix(".cases") in texts
        elif cases and re.fullmatch(r"side\.\w+\.[01]", key):
            assert f"{key}.cases" in texts, "sentences about a new game had the names of its sides in the wrong case"
        else:
            asked = {spec for _, _, spec, _ in string.Formatter().parse(text) if spec and spec != ","}
            assert all(spec in cases or (cases and spec.count("|") == 1) for spec in asked), key


def test_a_word_takes_the_case_and_the_number_of_its_place() -> None:
    with i18n.speaking("ru"):
        black, first = i18n.t("side.gomoku.0"), i18n.t("side.bones.0")
        assert [i18n.t("play.turn", side=side) for side in (black, first, "MAX")] == [
            "Ход чёрных", "Ход первого", "Ход MAX"]  # fmt: skip
        assert [i18n.t("play.thinking", side=side) for side in (black, first, "MAX")] == [
            "Чёрные думают", "Первый думает", "MAX думает"]  # fmt: skip
        assert i18n.t("outcome.resigned", loser=i18n.t("result.you")) == "вы сдались"


def test_every_key_used_in_the_code_exists() -> None:
    known = set(i18n.texts("en"))
    used = set(literal_keys())
    assert used
    missing = {key for key, counted in used if key not in known and not (counted and f"{key}.other" in known)}
    assert missing == set()


@pytest.mark.parametrize("style", ["Regular", "Bold"])
def test_every_character_of_all_languages_is_in_the_fonts(style: str) -> None:
    drawable = set(TTFont(resource("fonts", f"Tengen-{style}.otf")).getBestCmap())
    names = "".join(each.name for each in LANGUAGES.values())
    written = {ord(character) for code in LANGUAGES for character in "".join(i18n.texts(code).values()) + names}
    assert {chr(code) for code in written - drawable} == set()


@pytest.mark.parametrize("style", ["Regular", "Bold"])
def test_names_of_people_are_in_the_fonts(style: str) -> None:
    """They had boxes for 昊 and 鑫, for all that is traditional, for kana and for Č."""
    drawable = set(TTFont(resource("fonts", f"Tengen-{style}.otf")).getBestCmap())
    names = "李昊王鑫张璐陈睿闫晗赟珺喆 王國華陳勝園 河村典彦 メイジン さくら Müller Čapek Łukasz Петров Γιώργος"
    assert {character for character in names if ord(character) not in drawable} == set()


def test_values_are_filled_in_and_plurals_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"bones.one": "{count} bone", "bones.other": "{count} bones", "hello": "Hello {name}"}
    monkeypatch.setattr(i18n, "texts", lambda _code: table)
    assert i18n.t("hello", name="Ada") == "Hello Ada"
    assert [i18n.t("bones", count=count) for count in (0, 1, 2)] == ["0 bones", "1 bone", "2 bones"]
    with pytest.raises(KeyError):
        i18n.t("hello")


@pytest.mark.parametrize(("code", "expected"), [
    ("en", {"one": (1,), "other": (0, 2, 5, 11, 21, 101)}), ("ja", {"one": (1,), "other": (0, 2, 5, 11, 21, 101)}),
    ("ru", {"one": (1, 21, 101, 1001), "few": (2, 3, 4, 22, 104), "other": (0, 5, 11, 12, 14, 19, 20, 111, 112)}),
])  # fmt: skip
def test_a_number_takes_the_form_of_its_language(code: str, expected: dict[str, tuple[int, ...]]) -> None:
    language = LANGUAGES[code]
    assert {form: tuple(filter(lambda count: language.plural(count) == form, numbers))
            for form, numbers in expected.items()} == expected  # fmt: skip
    assert expected.keys() == set(language.forms)


def test_a_missing_text_is_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {
        "en": {"hello": "Hello", "move.one": "{count} move", "move.other": "{count} moves", "of.gomoku": "five"},
        "ru": {"try.one": "{count} ход", "try.few": "{count} хода", "try.other": "{count} ходов", "of": "игра",
               "win.1": "сразу", "win.one": "в {count} ход", "win.few": "в {count} хода", "win.other": "{count} ходов"},
    }  # fmt: skip
    monkeypatch.setattr(i18n, "texts", tables.__getitem__)
    with i18n.speaking("ru"):
        assert i18n.t("hello") == "Hello"
        assert [i18n.t("move", count=count) for count in (1, 21)] == ["1 move", "21 moves"]
        assert [i18n.t("try", count=count) for count in (1, 3, 5, 21)] == ["1 ход", "3 хода", "5 ходов", "21 ход"]
        assert [i18n.t("win", count=count) for count in (1, 21, 22)] == ["сразу", "в 21 ход", "в 22 хода"]
        assert i18n.first_text("of.gomoku", "of") == "игра", "rather than a closer one in English"
        with pytest.raises(KeyError):
            i18n.t("bye")


def test_a_latin_name_stood_against_chinese_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    """It said “MIN选最好的”, and “MAX在别处”."""
    table = {"best": "{side}选最好的 {move}。", "why": "而{side}在这里", "name": "文件{name}已保存"}
    monkeypatch.setattr(i18n, "texts", lambda _code: table)
    i18n.set_language("zh")
    assert i18n.t("best", side="MIN", move="c") == "MIN 选最好的 c。"
    assert i18n.t("why", side="MAX") == "而 MAX 在这里"
    assert i18n.t("best", side="叉方", move="c") == "叉方选最好的 c。"
    assert i18n.t("why", side="圈方") == "而圈方在这里"
    assert i18n.t("name", name="对局a.json") == "文件对局a.json 已保存", "a name stays as it is"
    assert i18n.t("why", side="") == "而在这里"


def test_there_was_a_space_after_a_chinese_full_stop() -> None:
    for code, expected in (("en", "One. Two. Three."), ("zh", "One.Two.Three."), ("ja", "One.Two.Three.")):
        with i18n.speaking(code):
            assert i18n.joined(("One.", "", "Two.", "Three.")) == expected
    assert i18n.joined(()) == ""


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no language"):
        i18n.set_language("tlh")


def test_the_first_language_of_the_system_that_we_have_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def prefer(*codes: str) -> None:
        locales = [{"language": code, "country": None} for code in codes]
        monkeypatch.setattr(pygame.system, "get_pref_locales", lambda: locales)

    prefer("fr", "zh", "en")
    assert i18n.system_language() == "zh"
    prefer("ja")
    assert i18n.system_language() == "ja"
    prefer("uk", "ru")
    assert i18n.system_language() == "ru"
    prefer("fr")
    assert i18n.system_language() == "en"
    prefer()
    assert i18n.system_language() == "en"


def test_the_name_of_a_file_made_a_sentence_of_many_lines() -> None:
    said = i18n.t("error.saved", name="a\n\n\u202eb\x1b.sgf")
    assert said == i18n.t("error.saved", name="a  b.sgf")
    assert len(said.splitlines()) == 1


def test_the_digits_of_a_number_are_grouped_as_the_language_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "texts", lambda _code: {"read": "{count:,} of {all}"})
    spaced = "1\u00a0234\u00a0567 of 9000"
    for code, expected in (("en", "1,234,567 of 9000"), ("ja", "1,234,567 of 9000"), ("ru", spaced)):
        with i18n.speaking(code):
            assert i18n.t("read", count=1_234_567, all=9000) == expected
            with i18n.speaking("en"):
                assert i18n.grouped("1,0") == "1,0"
            assert i18n.language() == code
