"""The guide: its pages in every language, and the screen that shows them."""

from __future__ import annotations

import re
import shlex

import pygame
import pytest
from fontTools.ttLib import TTFont

import main
from tests.sampling import sampled
from tests.ui.scenes import SCENES
from tests.ui.stage import SIZES, SPOKEN, Make, Stage
from ui.guide.screen import GuideScreen, GuideTopics, page_of, pages
from ui.parts.reading import ReadingEntry
from ui.screens import SCREENS
from ui.toolkit.i18n import LANGUAGES, t, texts
from ui.toolkit.resources import resource
from ui.toolkit.space import Space
from ui.toolkit.typesetting import width_of
from ui.toolkit.widgets import Widgets

TRANSLATED = [code for code in LANGUAGES if resource("guide", code).is_dir()]
"""The languages with a guide of their own."""


def source(code: str) -> str:
    """All pages of a language as they are written."""
    return "".join(file.read_text(encoding="utf-8") for file in sorted(resource("guide", code).glob("*.md")))


def test_a_page_is_read_as_it_is_written() -> None:
    text = "# One\n\nA **B** and\n`C`.\n\n<!-- picture x: y -->\n\n## Two\n\n- d\n  e\n- f\n\n```\ng  h\n\ni\n```\nj\n"
    page = page_of(text, "“”")
    assert page.title == "One"
    assert list(page.entries) == [
        ReadingEntry("One", "A “B” and C."), ReadingEntry("Two", "d e", "•"), ReadingEntry("", "f", "•"),
        ReadingEntry("", "g  h\n\ni"), ReadingEntry("", "j"),
    ]  # fmt: skip


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_language_has_the_same_pages_pictures_and_commands(code: str) -> None:
    english, translated = pages("en"), pages(code)
    assert list(english) == list(translated)
    for pattern in (r"^<!-- picture (\w+):", r"^tengen .*", r"^(#+) "):
        assert re.findall(pattern, source("en"), re.MULTILINE) == re.findall(pattern, source(code), re.MULTILINE)
    for name, page in english.items():
        signs = [entry.sign for entry in page.entries]
        assert signs == [entry.sign for entry in translated[name].entries], name


@pytest.mark.parametrize("code", TRANSLATED)
def test_what_is_bold_is_what_the_window_says(code: str) -> None:
    bold = set(re.findall(r"\*\*(.+?)\*\*", source(code)))
    assert len(bold) > 20
    assert bold <= set(texts(code).values())


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_fonts_have_all_characters_of_the_guide(code: str) -> None:
    known = set(TTFont(resource("fonts", "Tengen-Regular.otf")).getBestCmap())
    assert {character for character in source(code) if ord(character) not in known} == {"\n"}


def test_a_language_without_a_guide_has_the_english_one_which_says_so(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pages("eo") == pages("en")
    monkeypatch.setattr("ui.guide.screen.is_translated", lambda _: False)
    shown = made.show(GuideScreen(made.app)).reading.pages
    assert shown[0][0][:2] == [ReadingEntry("", t("guide.in_english")), pages("en")["play"].entries[0]]


def test_every_command_of_the_guide_is_one_that_is_understood() -> None:
    commands = [shlex.split(line) for line in re.findall(r"^tengen (.*)", source("en"), re.MULTILINE)]
    assert len(commands) > 5
    for name, *arguments in commands:
        if name in main.COMMANDS:
            main.command_parser(name).parse_args(arguments)
        else:
            main.window_parser().parse_args([name, *arguments])


def test_the_list_of_pages_gets_lower_where_room_is_short(made: Stage) -> None:
    count, heights = len(pages("en")), []
    for room in (40 * count - 4, 40 * count - 5, 20 * count):
        widgets = Widgets(made.app)
        GuideTopics(made.app, widgets, lambda: "play", print).build(Space(pygame.Rect(0, 0, 300, room), 0))
        first, second, *_ = (each.rect for each in widgets.elements.values())
        heights.append((first.height, second.top))
    assert heights == [(36, 40), (35, 39), (16, 20)]


def test_every_screen_has_a_page() -> None:
    assert {screen.load().guide for screen in SCREENS.values()} <= pages("en").keys()


def test_the_page_of_keys_leads_to_the_guide_and_escape_back(made: Stage) -> None:
    scene = made.show(SCENES["replay"](made))
    made.press(pygame.K_F1)
    made.press(pygame.K_RETURN)
    guide = made.app.scene
    assert isinstance(guide, GuideScreen)
    assert (guide.topic, made.app.overlay) == ("library", None)
    made.press(pygame.K_F1)
    made.click(made.app.overlay.widgets.elements["guide"].rect.center)  # type: ignore[union-attr]
    assert isinstance(made.app.scene, GuideScreen)
    assert made.app.scene is not guide
    made.press(pygame.K_ESCAPE)
    assert made.app.scene is scene, "not the guide that was left"


def test_names_of_buttons_stood_in_english_quotation_marks_in_every_language() -> None:
    quoted = {"en": "“Start”", "zh": "“开始”", "ja": "「開始」", "ru": "«Начать»"}
    for code, words in quoted.items():
        assert words in pages(code)["play"].entries[0].text, code


def test_another_topic_begins_with_its_first_page_and_the_wheel_turns(stage: Make) -> None:
    made = stage((960, 640))
    guide = made.show(GuideScreen(made.app, "settings"))
    assert len(guide.reading.pages) > 1
    made.app.dispatch(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1))
    made.frame()
    assert guide.reading.page == 1
    made.push("topic.profile")
    assert (guide.topic, guide.reading.page) == ("profile", 0)
    made.push("topic.settings")
    assert guide.reading.page == 0


@pytest.mark.parametrize("size", sampled([(each,) for each in SIZES], 1), ids=str)
@pytest.mark.parametrize("code", SPOKEN)
def test_no_page_of_the_guide_is_cut_off(
    stage: Make, size: tuple[tuple[int, int], int], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[str, pygame.Rect]] = []
    monkeypatch.setattr(
        "ui.parts.reading.write", lambda _surface, _theme, text, rect, *_, **__: written.append((text, rect.copy()))
    )
    made = stage(*size, "ink", code)
    guide = made.show(GuideScreen(made.app))
    theme, card = made.app.theme, guide.frame.main.rest
    for name, page in pages(code).items():
        made.push(f"topic.{name}")
        room = guide.widgets.buttons[f"topic.{name}"].rect.width - theme.px(16)
        assert width_of(theme, page.title, 16) <= room
        assert [e for shown in guide.reading.pages for column in shown for e in column] == list(page.entries)
        for _ in guide.reading.pages:
            written.clear()
            made.frame()
            assert written
            assert [text for text, rect in written if not card.contains(rect)] == [], name
            assert [text for text, rect in written if width_of(theme, text, 16) > rect.width] == [], name
            made.press(pygame.K_PAGEDOWN)
