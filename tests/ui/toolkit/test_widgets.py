"""Widgets together: which of them gets the events, the order of Tab, and when tooltips appear."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pygame
import pytest

from ui.toolkit.controls import Widget
from ui.toolkit.keys import Binding
from ui.toolkit.text_line import TextLine
from ui.toolkit.theme import PALETTES, Theme
from ui.toolkit.widgets import Widgets

TAB, SHIFT, CTRL = pygame.K_TAB, pygame.KMOD_LSHIFT, pygame.KMOD_LCTRL


@pytest.fixture
def widgets() -> Widgets:
    """Buttons that lie over each other, beside each other, disabled and hidden, and a text field."""
    pygame.display.init()
    pygame.font.init()
    made = Widgets(SimpleNamespace(theme=Theme(PALETTES["ink"], 1.0, "en"), size=(400, 200)))
    for number, name in enumerate(("a", "b", "off", "hidden")):
        made.button(name, pygame.Rect(10 + 60 * number, 10, 50, 30), name, lambda: None, tip=f"Tip {name}")
    made.button("under", pygame.Rect(10, 10, 390, 60), "", lambda: None)
    made.enable("off", enabled=False)
    made.show("hidden", shown=False)
    made.add("line", TextLine(made.display.theme, pygame.Rect(10, 100, 100, 30), "", 20, lambda _: None))
    return made


def event(kind: int, **facts: object) -> pygame.event.Event:
    return pygame.event.Event(kind, **{"mod": 0, "unicode": "", "button": 1, **facts})


def test_tab_goes_round_what_is_enabled_and_visible(widgets: Widgets) -> None:
    order = []
    for mod in (0, 0, 0, 0, 0, SHIFT, SHIFT, SHIFT):
        assert widgets.handle(event(pygame.KEYDOWN, key=TAB, mod=mod))
        order.append(widgets.focus)
    assert order == ["a", "b", "under", "line", "a", "line", "under", "b"]
    assert [name for name, each in widgets.elements.items() if each.focused] == ["b"]
    widgets.leave_focus()
    assert not widgets.handle(event(pygame.KEYDOWN, key=TAB, mod=CTRL))
    widgets.move_focus(-1)
    assert widgets.focus == "line"
    for name in widgets.elements:
        widgets.enable(name, enabled=False)
    widgets.move_focus(1)
    assert widgets.focus is None


def test_what_is_cleared_away_is_typed_into_no_more(widgets: Widgets) -> None:
    line = widgets.elements["line"]
    widgets.focus = "line"
    assert line.focused
    widgets.clear()
    assert (line.focused, widgets.elements, widgets.focus) == (False, {}, "line")


@pytest.mark.parametrize(("focus", "key", "used", "after"), [
    ("a", pygame.K_LEFT, False, None), ("a", pygame.K_ESCAPE, True, None), ("a", pygame.K_x, False, "a"),
    ("a", pygame.K_SPACE, True, "a"), ("off", pygame.K_SPACE, False, "off"), (None, pygame.K_ESCAPE, False, None),
    ("line", pygame.K_x, True, "line"), ("line", pygame.K_ESCAPE, True, None), ("line", pygame.K_UP, True, None),
    ("gone", pygame.K_DOWN, False, None), ("gone", pygame.K_x, False, "gone"),
])  # fmt: skip
def test_a_key_is_for_the_widget_that_has_the_focus_or_leaves_it(
    widgets: Widgets, focus: str | None, key: int, used: bool, after: str | None
) -> None:
    widgets.focus = focus
    assert (widgets.handle(event(pygame.KEYDOWN, key=key)), widgets.focus) == (used, after)


def test_a_press_is_for_the_first_widget_there_and_moves_the_focus_only_where_one_types(widgets: Widgets) -> None:
    for point, used, held in (((20, 20), True, "a"), ((140, 20), True, None), ((200, 20), True, "under"),
                              ((5, 5), False, None), ((395, 69), True, "under")):  # fmt: skip
        assert widgets.handle(event(pygame.MOUSEBUTTONDOWN, pos=point)) == used
        assert [name for name, each in widgets.elements.items() if each.held] == ([held] if held else [])
        assert widgets.handle(event(pygame.MOUSEBUTTONUP, pos=point)) == bool(held)
    assert not widgets.handle(event(pygame.MOUSEBUTTONDOWN, pos=(20, 20), button=3))
    assert not widgets.handle(event(pygame.MOUSEMOTION, pos=(20, 20)))
    widgets.focus = "b"
    seen = []
    for point in ((20, 20), (20, 110), (20, 20)):
        widgets.handle(event(pygame.MOUSEBUTTONDOWN, pos=point))
        seen.append((widgets.focus, widgets.typing, widgets.handle(event(pygame.TEXTINPUT, text="x"))))
    assert seen == [("b", False, False), ("line", True, True), (None, False, False)]


def test_the_wheel_turns_what_is_under_the_pointer(widgets: Widgets, monkeypatch: pytest.MonkeyPatch) -> None:
    widgets.update(0.0, (20, 20))
    assert not widgets.handle(event(pygame.MOUSEWHEEL, y=1)), "a button does not turn"
    assert not Widget(widgets.display.theme, pygame.Rect()).key(event(pygame.KEYDOWN, key=pygame.K_UP))
    widgets.update(0.0, None)
    turned: list[int] = []
    monkeypatch.setattr(Widget, "wheel", lambda _self, notches: turned.append(notches) or notches > 0)
    wheel = event(pygame.MOUSEWHEEL, y=1)
    assert not widgets.handle(wheel)
    widgets.update(0.0, (20, 20))
    assert widgets.handle(wheel)
    assert not widgets.handle(event(pygame.MOUSEWHEEL, y=-1))
    widgets.update(0.0, None)
    assert not widgets.hovered
    assert not widgets.handle(wheel)
    assert turned == [1, -1]


def test_a_tooltip_waits_for_the_pointer_and_for_tab(widgets: Widgets, monkeypatch: pytest.MonkeyPatch) -> None:
    surface, shown = pygame.Surface((400, 200)), list[str]()
    monkeypatch.setattr("ui.toolkit.widgets.draw_tip", lambda _surface, _theme, text, *_: shown.append(text))

    def tips(now: float, pointer: tuple[int, int] | None) -> list[str]:
        shown.clear()
        widgets.update(now, pointer)
        widgets.draw_over(surface)
        return list(shown)

    seen = [tips(now, at) for now, at in ((1.0, (20, 20)), (1.5, (30, 20)), (1.625, (30, 20)), (1.75, (80, 20)),
                                          (2.25, (80, 20)), (2.5, (80, 20)), (2.5, None))]  # fmt: skip
    assert seen == [[], [], ["Tip a"], [], [], ["Tip b"], []]
    assert tips(3.0, (20, 20)) == []
    widgets.handle(event(pygame.MOUSEBUTTONDOWN, pos=(20, 20)))
    assert tips(5.0, (20, 20)) == []
    tips(6.0, None)
    assert not widgets.expects_tip
    widgets.move_focus(1)
    assert (tips(6.5, None), widgets.expects_tip) == ([], True)
    assert (tips(6.625, None), widgets.expects_tip) == (["Tip a"], False)
    widgets.handle(event(pygame.KEYDOWN, key=pygame.K_x))
    assert tips(7.0, None) == []


def test_another_widget_of_the_name_takes_over_focus_pointer_and_mouse_button(widgets: Widgets) -> None:
    widgets.focus = "a"
    widgets.update(0.0, (20, 20))
    widgets.handle(event(pygame.MOUSEBUTTONDOWN, pos=(20, 20)))
    widgets.clear()
    assert (widgets.elements, widgets.focus) == ({}, "a")
    a, b = (widgets.button(name, pygame.Rect(10, 10, 50, 30), "", lambda: None) for name in "ab")
    assert (a.focused, a.pointer, a.held) == (True, (20, 20), True)
    assert (b.focused, b.pointer, b.held) == (False, None, False)
    widgets.remove("a")
    widgets.remove("gone")
    assert list(widgets.buttons) == ["b"]


def test_widgets_are_told_when_they_get_and_lose_the_focus(widgets: Widgets, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    for name, element in widgets.elements.items():
        monkeypatch.setattr(element, "focus", partial(told.append, f"+{name}"))
        monkeypatch.setattr(element, "blur", partial(told.append, f"-{name}"))
    for widgets.focus in ("a", "a", "b", None, "gone", "line"):
        pass
    assert told == ["+a", "+a", "-a", "+b", "-b", "+line"]


@pytest.mark.parametrize(
    ("tip", "key", "expected"), [("", "", ""), ("Tip", "", "Tip"), ("", "a", "Text (A)"), ("Tip", "f2", "Tip (F2)")]
)
def test_a_tooltip_says_the_key(widgets: Widgets, tip: str, key: str, expected: str) -> None:
    rect, done = pygame.Rect(0, 0, 9, 9), list[str]()
    acts: list[Callable[[], object] | Binding] = [lambda: done.append("a")]
    if key:
        acts.append(Binding((key, "f1"), lambda: done.append("b"), ""))
    for act in acts:
        made = widgets.button("b", rect, "Text", act, tip=tip, key="" if isinstance(act, Binding) else key)
        assert made.tip == expected
        widgets.press("b")
        widgets.enable("b", enabled=False)
        widgets.press("b")
    widgets.press("gone")
    assert done == ["a", "b"][: len(acts)]


def test_choices_divide_their_place_or_have_one_each(widgets: Widgets) -> None:
    chosen: list[str] = []
    options = [("x", "One"), ("y", "Two")]
    widgets.choice("c", pygame.Rect(10, 10, 206, 30), options, "y", chosen.append)
    widgets.choice("d", [pygame.Rect(0, 0, 9, 9), pygame.Rect(9, 9, 9, 9)], options, "", chosen.append, tip="Tip")
    made = widgets.buttons
    one, two = made["c.x"].rect, made["c.y"].rect
    assert (one.left, two.left - one.right, two.right) == (10, 6, 216)
    assert [(made[name].chosen, made[name].tip) for name in ("c.x", "c.y", "d.y")] == [
        (False, ""), (True, ""), (False, "Tip"),
    ]  # fmt: skip
    assert (made["d.y"].rect, made["d.y"].style) == ((9, 9, 9, 9), "@choice")
    widgets.press("c.x")
    widgets.press("d.y")
    assert chosen == ["x", "y"]
