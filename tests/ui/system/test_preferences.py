"""What is set in the system is found, whatever answers, and whatever goes wrong."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from ai.system.programs import output_of
from tests.ui.stage import frame
from tests.waiting import wait
from ui.app import App
from ui.system import preferences
from ui.system.preferences import Preferences, SystemPreferences, is_on, read_preferences
from ui.system.settings import Settings, loads
from ui.toolkit.theme import PALETTES, STRONG

GDBUS = (
    "({'org.freedesktop.appearance': {'color-scheme': <uint32 1>, 'contrast': <uint32 1>, 'reduced-motion': <uint32 0>}"
    ", 'org.gnome.desktop.interface': {'color-scheme': <'prefer-dark'>, 'enable-animations': <false>}},)"
)
OLD_GNOME = (
    "({'org.freedesktop.appearance': {'color-scheme': <uint32 2>},"
    " 'org.gnome.desktop.interface': {'color-scheme': <'default'>, 'enable-animations': <true>},"
    " 'org.gnome.desktop.a11y.interface': {'high-contrast': <true>}},)"
)
KDE = (
    "({'org.kde.kdeglobals.KDE': {'AnimationDurationFactor': <'0'>},"
    " 'org.freedesktop.appearance': {'color-scheme': <uint32 0>, 'contrast': <uint32 0>}},)"
)
BUSCTL = (
    '{"type":"a{sa{sv}}","data":[{"org.freedesktop.appearance":{"contrast":{"type":"u","data":0},'
    '"reduced-motion":{"type":"u","data":1},"color-scheme":{"type":"u","data":2}}}]}'
)


def answering(monkeypatch: pytest.MonkeyPatch, platform: str, answers: dict[str, str]) -> list[str]:
    """Let programs print `answers`, by a part of their command; return what was asked."""
    asked: list[str] = []

    def output(arguments: Sequence[str], seconds: float) -> str:
        asked.append(f"{' '.join(arguments)} in {seconds} s")
        return next((told for part, told in answers.items() if part in asked[-1]), "")

    monkeypatch.setattr(preferences, "output_of", output)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    return asked


@pytest.mark.parametrize(("answers", "found"), [
    ({"gdbus": GDBUS}, Preferences(True, True, True)), ({"gdbus": OLD_GNOME}, Preferences(False, True, False)),
    ({"gdbus": KDE}, Preferences(True, False, None)), ({"busctl": BUSCTL}, Preferences(True, False, False)),
    ({"gsettings": "false\n"}, Preferences(True, None, None)),
    ({"gsettings": "true\n"}, Preferences(False, None, None)), ({"gdbus": "({},)"}, Preferences()),
    ({"gdbus": "nonsense 'contrast': <", "busctl": "{"}, Preferences()), ({}, Preferences()),
])  # fmt: skip
def test_the_portal_of_the_desktop_is_understood(
    monkeypatch: pytest.MonkeyPatch, answers: dict[str, str], found: Preferences
) -> None:
    answering(monkeypatch, "linux", answers)
    assert read_preferences() == found


def test_programs_are_asked_one_after_the_other_with_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answering(monkeypatch, "linux", {})
    read_preferences()
    place = "org.freedesktop.portal.Desktop --object-path /org/freedesktop/portal/desktop"
    assert f" --timeout 2 --dest {place} --method org.freedesktop.portal.Settings.ReadAll [" in asked[0]
    assert [(line.split()[0], line.rpartition(" in ")[2]) for line in asked] == [
        ("gdbus", "3 s"), ("busctl", "3 s"), ("gsettings", "2 s"),
    ]  # fmt: skip


def test_without_a_session_no_bus_is_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = answering(monkeypatch, "linux", {"gdbus": GDBUS})
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert (read_preferences(), asked) == (Preferences(), [])
    (tmp_path / "bus").touch()
    assert read_preferences() == Preferences(True, True, True)


def test_a_mac_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "darwin", {"universalaccess": "{\n    increaseContrast = 0;\n    reduceMotion = 1;\n}",
                                      "-g": "{\n    AppleInterfaceStyle = Dark;\n}"})  # fmt: skip
    assert read_preferences() == Preferences(True, False, True)
    answering(monkeypatch, "darwin", {"-g": "{\n    AppleLocale = de;\n}"})
    assert read_preferences() == Preferences(None, None, False)
    answering(monkeypatch, "darwin", {})
    assert read_preferences() == Preferences()


class Registry(SimpleNamespace):
    """The module winreg, with one value or none."""

    HKEY_CURRENT_USER = 1

    def OpenKey(self, *_: Any) -> Any:  # noqa: N802
        return pytest.MonkeyPatch.context()

    def QueryValueEx(self, *_: Any) -> tuple[int, int]:  # noqa: N802
        if self.light is None:
            raise FileNotFoundError
        return self.light, 4


@pytest.mark.parametrize(
    ("told", "moves", "contrast", "light"), [(1, 0, 1, 0), (1, 1, 126, 1), (1, 1, 0, None), (0, 0, 1, 1)]
)
def test_windows_is_understood(
    monkeypatch: pytest.MonkeyPatch, told: int, moves: int, contrast: int, light: int | None
) -> None:
    def ask(action: int, size: int, pointer: Any, flags: int) -> int:
        if action == 0x1042:
            pointer.contents.value = moves
            assert (size, flags) == (0, 0)
        else:
            assert (action, pointer.contents.size, flags) == (0x42, size, 0)
            pointer.contents.flags = contrast
        return told

    answering(monkeypatch, "win32", {})
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(user32=SimpleNamespace(SystemParametersInfoW=ask)), False)
    monkeypatch.setitem(sys.modules, "winreg", Registry(light=light))
    dark = None if light is None else not light
    still, strong = (not moves, bool(contrast & 1)) if told else (None, None)
    assert read_preferences() == Preferences(still, strong, dark)


def test_a_program_that_hangs_fails_or_is_missing_says_nothing() -> None:
    sleep, fail = "import time; print(1, flush=True); time.sleep(60)", "print(1); raise SystemExit(1)"
    assert output_of((sys.executable, "-c", sleep), 0.5) == ""
    assert output_of((sys.executable, "-c", fail), 20) == ""
    assert output_of(("a-program-that-nobody-has",), 20) == ""
    assert output_of((sys.executable, "-c", "print('told')"), 20).strip() == "told"


@pytest.mark.skipif(os.name == "nt", reason="the program is a shell")
def test_a_program_of_the_system_has_the_libraries_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/bundled")
    for before, told in ((None, "none"), ("/own", "/own")):
        if before is not None:
            monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
        assert output_of(("sh", "-c", "echo ${LD_LIBRARY_PATH-none}"), 20).strip() == told


def test_the_system_is_asked_at_most_every_two_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked, woken = [0.0], list[tuple[float, bool]](), list[float]()
    monkeypatch.setattr(preferences, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def read() -> Preferences:
        asked.append((now[0], threading.current_thread().daemon))
        return Preferences(dark=len(asked) > 2)

    asking = SystemPreferences(read)
    asking.wake = lambda: woken.append(now[0])
    for now[0] in (0.0, 1.9, 2.0, 3.9, 4.0):
        asking.ask()
        wait(lambda: not any(thread.name == "preferences" for thread in threading.enumerate()))
    assert asked == [(0.0, True), (2.0, True), (4.0, True)]
    assert (woken, asking.changed(), asking.changed()) == ([0.0, 4.0], True, False)


def test_a_system_that_nobody_has_tried_does_not_matter(caplog: pytest.LogCaptureFixture) -> None:
    def fails() -> Preferences:
        raise RuntimeError("no such system")

    caplog.set_level("INFO")
    asking = SystemPreferences(fails)
    asking.ask()
    wait(lambda: not any(thread.name == "preferences" for thread in threading.enumerate()))
    assert (asking.known, asking.changed()) == (Preferences(), False)
    assert "RuntimeError: no such system" in caplog.text


@pytest.mark.parametrize(("setting", "system", "default", "result"), [
    ("", None, True, True), ("", None, False, False), ("", False, True, False), ("", True, False, True),
    ("on", False, False, True), ("off", True, True, False),
])  # fmt: skip
def test_a_setting_of_ours_comes_first_then_that_of_the_system(
    setting: str, system: bool | None, default: bool, result: bool
) -> None:
    assert is_on(setting, system, default) is result


@pytest.mark.parametrize(("stored", "motion"), [("true", ""), ("false", "off"), ('"on"', "on"), ("7", "")])
def test_animations_that_were_switched_off_before_stay_off(stored: str, motion: str) -> None:
    assert loads(f'{{"motion": {stored}}}'.encode()).motion == motion


def answered(app: App, answer: Preferences) -> None:
    """Let the system say this, as a thread of its own does."""
    app.system.known = answer
    frame(app, 2)


def test_the_window_follows_the_system(app: App) -> None:
    app.settings.motion = app.settings.theme = ""
    assert (app.motion, app.theme.palette) == (True, PALETTES["ink"])
    answered(app, Preferences(True, True, False))
    assert (app.motion, app.theme.palette) == (False, STRONG["paper"])
    answered(app, Preferences(False, False, True))
    assert (app.motion, app.theme.palette) == (True, PALETTES["ink"])
    app.settings.theme, app.settings.contrast, app.settings.motion = "paper", "off", "off"
    answered(app, Preferences(False, True, True))
    assert (app.motion, app.theme.palette) == (False, PALETTES["paper"])


def test_the_system_is_asked_again_when_the_window_comes_to_the_front(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """After the frames before have been drawn without waiting for it."""
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    answers, goes = [Preferences(dark=False)], threading.Event()

    def read() -> Preferences:
        assert goes.wait(20)
        return answers[0]

    app = App(Settings(width=960, height=640), system=SystemPreferences(read))
    focus: Callable[[], None] = lambda: app.dispatch(pygame.event.Event(pygame.WINDOWFOCUSGAINED))  # noqa: E731
    focus()
    frame(app, 2)
    assert app.theme.palette == PALETTES["ink"]
    goes.set()
    wait(lambda: app.theme.palette == PALETTES["paper"], lambda: frame(app))
    answers[0] = Preferences(dark=True)
    focus()
    frame(app)
    monkeypatch.setattr(preferences, "AGAIN", 0.0)
    focus()
    wait(lambda: app.theme.palette == PALETTES["ink"], lambda: frame(app))
    app.scene.close()
    app.close()
