"""What a screen reader is told of each screen, and what it does there, without a screen reader."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.sampling import sampled
from tests.ui.scenes import SCENES
from tests.ui.stage import Stage, act
from ui.app import App
from ui.guide.screen import GuideScreen
from ui.home.screen import Home
from ui.play.screen import Play
from ui.settings.screen import SettingsScreen
from ui.system import screen_reader
from ui.system.screen_reader import ScreenReader
from ui.toolkit.accessible import Accessible, Texts
from ui.toolkit.widgets import Widgets
from ui.window.accessible_tree import accessible_window, events_of


class Node:
    """A node of a fake AccessKit: what was set."""

    def __init__(self, role: str) -> None:
        self.role, self.actions = role, []
        self.facts: dict[str, Any] = {}

    def add_action(self, action: str) -> None:
        self.actions.append(action)

    def __getattr__(self, name: str) -> Any:
        assert name.startswith("set_"), name
        return lambda *values: self.facts.__setitem__(name[4:], values[0] if values else True)

    @property
    def name(self) -> str:
        return str(self.facts["value" if self.role == "LABEL" else "label"])


class Names:
    """Any name of an enumeration."""

    def __getattr__(self, name: str) -> str:
        return name


class Adapter:
    """What a screen reader would know."""

    def __init__(self, activate: Any, ask: Any, deactivate: Any) -> None:
        self.activate, self.ask, self.deactivate = activate, ask, deactivate
        self.updates: list[Any] = []
        self.told: list[Any] = []

    def update_if_active(self, make: Any) -> None:
        self.updates.append(make())

    def update_window_focus_state(self, focused: bool) -> None:
        self.told.append(("window", focused))

    def update_view_focus_state(self, focused: bool) -> None:
        self.told.append(("view", focused))

    def set_root_window_bounds(self, outer: Any, inner: Any) -> None:
        self.told.append((outer, inner))

    @property
    def tree(self) -> dict[int, Node]:
        return dict(self.updates[-1].nodes)

    def find(self, name: str) -> tuple[int, Node]:
        return next((number, node) for number, node in self.tree.items() if node.name == name)

    @property
    def live(self) -> dict[int, str]:
        return {number: node.name for number, node in self.tree.items() if "live" in node.facts}


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    def update(focus: int) -> SimpleNamespace:
        return SimpleNamespace(focus=focus, nodes=[], tree=None)

    def adapter(*handlers: Any) -> Adapter:
        kit.made.append(Adapter(*handlers))
        return kit.made[-1]

    pygame.display.init()
    kit = SimpleNamespace(
        made=[], unix=SimpleNamespace(Adapter=adapter), Node=Node, Role=Names(), Action=Names(), Live=Names(),
        Toggled=Names(), Rect=lambda *edges: edges, Tree=lambda root: root, TreeUpdate=update,
    )  # fmt: skip
    monkeypatch.setitem(importlib.sys.modules, "accesskit", kit)  # type: ignore[attr-defined]
    monkeypatch.setattr(screen_reader, "PAUSE", 0.0)
    monkeypatch.setattr(screen_reader.sys, "platform", "linux")
    return kit


@pytest.fixture
def read(made: Stage, kit: SimpleNamespace) -> Adapter:
    """The adapter of a window that a screen reader reads."""
    made.app.reader.attach()
    adapter: Adapter = kit.made[-1]
    adapter.activate()
    return adapter


def all_of(tree: Accessible) -> Iterator[Accessible]:
    yield tree
    for child in tree.children:
        yield from all_of(child)


def tree_of(app: App) -> Accessible:
    texts = Texts()
    app.view.draw(app.surface, 0.0, texts)
    texts.end()
    return accessible_window(app, app.scene, texts)


@pytest.mark.parametrize("name", sampled(list(SCENES), 10))
def test_whatever_can_be_used_has_a_name_of_its_own(made: Stage, name: str) -> None:
    scene = made.show(SCENES[name](made))
    scene.close()
    made.frame()
    things = list(all_of(tree_of(made.app)))
    nameless = [thing.key for thing in things if not thing.name.strip() and (thing.click or thing.focus)]
    assert nameless == []
    keys = [thing.key for thing in things]
    assert len(keys) == len(set(keys))
    window = pygame.Rect((0, 0), made.app.size).inflate(8, 8)
    used = [thing for thing in things if thing.role in ("button", "radio", "field")]
    assert [thing.key for thing in used if not window.contains(thing.rect)] == []


def test_nothing_is_noted_while_nobody_reads(
    made: Stage, kit: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.app.reader.attach()
    monkeypatch.setattr(Widgets, "accessible", lambda _: pytest.fail("nobody listens"))
    made.show(Home(made.app))
    made.frame(3)
    assert kit.made[0].updates == []
    assert made.app.reader.due() is None


def test_the_tree_has_the_window_its_texts_and_its_buttons(made: Stage, read: Adapter) -> None:
    made.show(SettingsScreen(made.app))
    made.frame()
    tree = read.tree
    root = tree[read.updates[-1].tree]
    assert (root.role, root.name, root.facts["bounds"]) == ("WINDOW", "Tengen", (0, 0, *made.app.size))
    assert set(root.facts["children"]) == set(tree) - {read.updates[-1].tree}
    found = {node.name: node for node in tree.values() if node.role != "LABEL"}
    assert found["Sounds: On"].facts["toggled"] == "TRUE"
    assert found["Sounds: Off"].facts["toggled"] == "FALSE"
    assert found["Your name"].role == "TEXT_INPUT"
    assert (found["Volume"].role, found["Volume"].facts["numeric_value"]) == ("SLIDER", 70)
    assert {"INCREMENT", "DECREMENT"} <= set(found["Volume"].actions)
    assert found["Reset to defaults"].facts["disabled"]
    assert found["Reset to defaults"].actions == []
    assert "Appearance" in [node.name for node in tree.values() if node.role == "LABEL"]
    assert "Changes are saved automatically." in read.live.values()


def test_the_focus_follows_and_unchanged_trees_are_not_sent(made: Stage, read: Adapter) -> None:
    scene = made.show(Home(made.app))
    made.frame(3)
    sent = len(read.updates)
    made.frame(3)
    assert len(read.updates) == sent
    made.press(pygame.K_TAB)
    update = read.updates[-1]
    assert len(read.updates) > sent
    assert dict(update.nodes)[update.focus].name == scene.widgets.buttons[scene.widgets.focus].text or "Gomoku"


def ask(made: Stage, read: Adapter, action: str, name: str) -> None:
    """As a screen reader asks, on whatever thread."""
    read.ask(SimpleNamespace(action=f"Action.{action.title()}", target=read.find(name)[0]))
    made.frame(2)


def test_a_screen_reader_sets_plays_and_hears_moves(made: Stage, read: Adapter) -> None:
    record = GameRecord(setup("gomoku"), (Seat(PERSON), Seat(PERSON)))
    scene = made.show(Play(made.app, record, autosave=False))
    made.frame()
    assert read.find("Board")[1].role == "GRID"
    assert len(read.find("Board")[1].facts["children"]) == 225
    ask(made, read, "focus", "h8, empty")
    assert scene.state.pointer.cursor == record.root.position.rules.width**2 // 2
    assert dict(read.updates[-1].nodes)[read.updates[-1].focus].name == "h8, empty"
    ask(made, read, "click", "h8, empty")
    assert record.position.ply == 1
    assert read.find("h8, Black")[1].actions == ["FOCUS"]
    assert "Black: h8" in read.live.values()
    ask(made, read, "click", "Undo (Ctrl+Z)")
    assert record.position.ply == 0


def test_a_dialog_is_read_alone_and_a_menu_by_its_rows(made: Stage, read: Adapter) -> None:
    scene: Any = made.show(SCENES["play small"](made))
    act(scene, "ctrl+shift+s")
    made.frame()
    dialogs = [node for node in read.tree.values() if node.role == "DIALOG"]
    assert [dialog.facts.get("modal") for dialog in dialogs] == [True]
    assert "Board" not in [node.name for node in read.tree.values()]
    made.app.overlay = None
    made.push("menu")
    made.frame()
    options = [node for node in read.tree.values() if node.role == "LIST_BOX_OPTION"]
    assert len(options) == len(made.app.overlay.options)
    assert dict(read.updates[-1].nodes)[read.updates[-1].focus] is options[0]


def test_the_page_of_keys_is_read_with_its_button_which_opens_the_guide(made: Stage, read: Adapter) -> None:
    made.show(SettingsScreen(made.app))
    made.app.show_keys()
    made.frame()
    tree = read.tree
    (page,) = (node for node in tree.values() if node.role == "DIALOG")
    assert page.facts["bounds"] == (0, 0, *made.app.size)
    number, button = read.find("Guide")
    assert (button.role, button.actions) == ("BUTTON", ["CLICK", "FOCUS"])
    assert number in page.facts["children"]
    assert read.updates[-1].focus == number
    assert "Guide" not in [node.name for node in tree.values() if node.role == "LABEL"]
    assert len(page.facts["children"]) > 12, "the keys are read as texts"
    ask(made, read, "click", "Guide")
    assert isinstance(made.app.scene, GuideScreen)


def test_a_slider_goes_up_and_down(made: Stage, read: Adapter) -> None:
    made.show(SettingsScreen(made.app))
    made.frame()
    ask(made, read, "increment", "Volume")
    assert made.app.settings.volume == 75
    ask(made, read, "decrement", "Volume")
    assert made.app.settings.volume == 70


def test_it_ends_when_the_reader_goes_and_begins_anew(made: Stage, read: Adapter) -> None:
    made.show(Home(made.app))
    made.frame(2)
    sent = len(read.updates)
    assert sent
    read.deactivate()
    made.press(pygame.K_TAB)
    assert len(read.updates) == sent
    read.activate()
    made.frame()
    assert len(read.updates) == sent + 1


def test_without_accesskit_or_with_a_broken_one_the_window_is_as_ever(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Panic(BaseException):
        """As PyO3 raises."""

    def panic(*_: Any) -> None:
        raise Panic

    monkeypatch.setattr(screen_reader.sys, "platform", "linux")
    monkeypatch.setattr(pygame.display, "get_wm_info", lambda: {"window": 1})
    for kit in (None, SimpleNamespace(), SimpleNamespace(unix=SimpleNamespace(Adapter=panic))):
        monkeypatch.setitem(importlib.sys.modules, "accesskit", kit)  # type: ignore[attr-defined]
        reader = ScreenReader(lambda: None)
        reader.attach()
        assert not reader.wants(0.0)
    errors = [record.exc_info[0] for record in caplog.records if record.exc_info]
    assert errors == [AttributeError, Panic], "the log has the trace of a broken one"


RECT = pygame.Rect(1, 2, 30, 40)
THINGS = (
    Accessible("a", "button", "A", RECT, "About", chosen=True, click=True, focus=print),
    Accessible("a", "label", "B", RECT),
    Accessible("c", "field", "C", RECT, value="text", enabled=False, click=True, focus=print),
    Accessible("d", "slider", "D", RECT, number=(3, 9)),
    Accessible("e", "cell", "E", RECT, chosen=False, focused=True),
    Accessible("f", "status", "F", RECT),
    Accessible("g", "dialog", "G", RECT, chosen=False),
)


def test_a_thing_is_told_with_all_that_is_known_of_it(kit: SimpleNamespace) -> None:
    reader = ScreenReader(lambda: None)
    reader.attach()
    kit.made[0].activate()
    reader.show(Accessible("window", "window", "W", RECT, children=THINGS), focused=False)
    (update,) = kit.made[0].updates
    assert (update.focus, update.tree) == (6, 1)
    assert {node.facts.pop("bounds") for _, node in update.nodes} == {(1, 2, 31, 42)}
    assert [(number, node.role, node.facts, node.actions) for number, node in update.nodes] == [
        (2, "BUTTON", {"label": "A", "description": "About", "toggled": "TRUE", "children": []}, ["CLICK", "FOCUS"]),
        (3, "LABEL", {"value": "B", "children": []}, []),
        (4, "TEXT_INPUT", {"label": "C", "value": "text", "disabled": True, "children": []}, []),
        (5, "SLIDER", {"label": "D", "numeric_value": 3, "min_numeric_value": 0, "max_numeric_value": 9,
                       "children": []}, ["INCREMENT", "DECREMENT"]),
        (6, "CELL", {"label": "E", "selected": False, "children": []}, []),
        (7, "LABEL", {"value": "F", "live": "POLITE", "children": []}, []),
        (8, "DIALOG", {"label": "G", "modal": True, "toggled": "FALSE", "children": []}, []),
        (1, "WINDOW", {"label": "W", "children": [2, 3, 4, 5, 6, 7, 8]}, []),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("platform", "told"), [("linux", [("window", True)]), ("darwin", [("view", True)]), ("win32", [])]
)
def test_a_tree_is_sent_after_a_pause_and_with_place_and_focus(
    kit: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, platform: str, told: list[object]
) -> None:
    monkeypatch.setattr(screen_reader, "PAUSE", 0.5)
    monkeypatch.setattr(screen_reader, "time", SimpleNamespace(monotonic=lambda: 10.25))
    reader, tree = ScreenReader(lambda: None), Accessible("window", "window", "W", RECT)
    reader.attach()
    adapter = kit.made[0]
    monkeypatch.setattr(screen_reader.sys, "platform", platform)
    reader.place((5, 6), (30, 40))
    assert (adapter.told, reader.wants(9.0)) == ([], False)
    adapter.activate()
    assert [reader.wants(now) for now in (10.0, 10.25, 10.5)] == [True, False, True]
    assert reader.due() is None
    for number, focused in enumerate((True, True, True)):
        reader.show(replace(tree, name="V") if number else tree, focused)
        assert reader.due() == (None if number > 1 else 0.75)
    assert (adapter.told, len(adapter.updates)) == (told, 2)
    reader.place((5, 6), (30, 40))
    assert adapter.told[len(told) :] == [((5, 6, 35, 46), (5, 6, 35, 46))]
    adapter.deactivate()
    assert (reader.wants(99.0), reader.due()) == (False, None)


def test_a_failing_update_ends_it_and_nothing_else(made: Stage, read: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("of the other side")

    monkeypatch.setattr(read, "update_if_active", fail)
    made.show(Home(made.app))
    made.frame(2)
    assert not made.app.reader.wants(1e9)


def test_what_is_asked_of_something_that_is_gone_is_not_done(made: Stage, read: Adapter) -> None:
    made.show(Home(made.app))
    made.frame()
    read.ask(SimpleNamespace(action="Action.Click", target=10_000))
    made.frame()
    assert isinstance(made.app.scene, Home)
    assert list(events_of("SCROLL_DOWN", THINGS[0])) == list(events_of("CLICK", THINGS[1])) == []
    facts = [each.dict for each in events_of("DECREMENT", THINGS[3])]
    assert facts == [{"key": pygame.K_LEFT, "mod": 0, "unicode": ""}] * 2
    assert [each.dict for each in events_of("CLICK", THINGS[0])] == [{"pos": (16, 22), "button": 1}] * 2
