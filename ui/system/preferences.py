"""The user's preferences in the operating system: less motion, more contrast, dark or light windows.

The system is asked on a thread and with a time limit. What cannot be read stays unknown, and is not reported.
"""

from __future__ import annotations

import ctypes
import importlib
import logging
import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

from ai.system.programs import output_of

_log = logging.getLogger(__name__)
AGAIN = 2.0
"""Seconds between two questions."""

_PATIENCE = 2  # seconds, for each program that is asked


@dataclass(frozen=True, slots=True)
class Preferences:
    """The user's preferences that the system reports; None for what it does not report."""

    reduced_motion: bool | None = None
    high_contrast: bool | None = None
    dark: bool | None = None


def is_on(setting: str, system: bool | None, default: bool) -> bool:
    """Return whether something is on: as `setting` says, ``on`` or ``off``; if that is empty, as `system` says; if that
    is None, `default`."""
    return setting == "on" if setting else default if system is None else system


class SystemPreferences:
    """The last preferences read, in `known`; all are None before. `read` reads them, on a thread; without it nothing is
    read. `wake` is called on that thread when they have changed."""

    def __init__(self, read: Callable[[], Preferences] | None = None) -> None:
        self.known = Preferences()
        self.wake: Callable[[], object] = lambda: None
        self._read, self._seen, self._asked_at, self._thread = read, self.known, -AGAIN, Thread()

    def ask(self) -> None:
        """Read the preferences on a thread, unless that is under way or began less than `AGAIN` seconds ago."""
        now = time.monotonic()
        if self._read is not None and now >= self._asked_at + AGAIN and not self._thread.is_alive():
            self._asked_at = now
            self._thread = Thread(target=self._update, args=(self._read,), name="preferences", daemon=True)
            self._thread.start()

    def _update(self, read: Callable[[], Preferences]) -> None:
        """Call `read`, and wake the window if the result is new. Log any error. Runs on a thread."""
        try:
            found = read()
        except Exception:  # of a system that nobody has tried
            _log.info("the system does not tell its preferences", exc_info=True)
            return
        if found != self.known:
            self.known = found
            self.wake()

    def changed(self) -> bool:
        """Return whether `known` has changed since the last call."""
        before, self._seen = self._seen, self.known
        return before != self._seen


def read_preferences() -> Preferences:
    """Ask the operating system. This may take some seconds: call it on a thread."""
    return {"win32": _read_windows, "darwin": _read_mac}.get(sys.platform, _read_desktop)()


# Linux and BSD: the portal of the desktop, which also tells the settings of GNOME and KDE.


_PLACE = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
_READ = ("org.freedesktop.portal.Settings", "ReadAll")
_SPACES = (
    "org.freedesktop.appearance", "org.gnome.desktop.interface", "org.gnome.desktop.a11y.interface",
    "org.kde.kdeglobals.KDE",
)  # fmt: skip
_FACTOR = "AnimationDurationFactor"
_VALUE = r"""["']{name}["']\s*:\s*(?:<+(?:uint32 )?|{{"type":"\w+","data":)['"]?([\w.-]+)"""
"""As gdbus writes it, ``'contrast': <uint32 1>``, or busctl, ``"contrast":{"type":"u","data":1}``."""


def _read_desktop() -> Preferences:
    """Read the preferences of a Linux or BSD desktop from its portal; without one, only motion, from GNOME."""
    if not _has_session_bus():
        return Preferences()  # gdbus would start a bus
    told = _portal_output()
    still, moving, factor = (_portal_value(told, name) for name in ("reduced-motion", "enable-animations", _FACTOR))
    if not (still or moving or factor):
        moving = _gnome_setting("enable-animations")
    strong = _portal_value(told, "contrast"), _portal_value(told, "high-contrast")
    return Preferences(
        still == "1" or moving == "false" or _is_zero(factor) if still or moving or factor else None,
        "1" in strong or "true" in strong if any(strong) else None,
        {"1": True, "2": False}.get(_portal_value(told, "color-scheme")),
    )


def _has_session_bus() -> bool:
    """Whether a D-Bus session bus is running."""
    here = os.environ.get("XDG_RUNTIME_DIR")
    return bool(os.environ.get("DBUS_SESSION_BUS_ADDRESS")) or (here is not None and Path(here, "bus").exists())


def _portal_output() -> str:
    """Return the settings in the groups `_SPACES` as gdbus or busctl prints them; empty without a portal."""
    spaces = f"[{', '.join(map(repr, _SPACES))}]"
    gdbus = ("gdbus", "call", "--session", "--timeout", str(_PATIENCE), "--dest", _PLACE[0], "--object-path", _PLACE[1])
    busctl = ("busctl", "--user", "--json=short", f"--timeout={_PATIENCE}", "call", *_PLACE, *_READ)
    return output_of((*gdbus, "--method", ".".join(_READ), spaces), _PATIENCE + 1) or output_of(
        (*busctl, "as", str(len(_SPACES)), *_SPACES), _PATIENCE + 1
    )


def _gnome_setting(name: str) -> str:
    """Return a setting of GNOME's interface as `gsettings` prints it; empty if that fails."""
    return output_of(("gsettings", "get", "org.gnome.desktop.interface", name), _PATIENCE).strip()


def _portal_value(told: str, name: str) -> str:
    """Return the value of the setting `name` in `told`, the portal's output: the first that is a number, true or false.
    Empty if there is none. (GNOME has a ``color-scheme`` of its own, which is a word.)"""
    found = re.findall(_VALUE.format(name=re.escape(name)), told)
    return next((value for value in found if value[0] in "0123456789tf"), "")


def _is_zero(text: str) -> bool:
    """Whether `text` is a number that equals 0."""
    with suppress(ValueError):
        return float(text) == 0
    return False


# macOS, whose settings are files that `defaults` prints, and Windows.


def _read_mac() -> Preferences:
    """Read the preferences of macOS."""
    told = output_of(("defaults", "read", "com.apple.universalaccess"), _PATIENCE)
    values = dict(re.findall(r"(\w+)\s*=\s*(\d+);", told))
    still, strong = (values[name] == "1" if name in values else None for name in ("reduceMotion", "increaseContrast"))
    # Light windows are no value: the key is missing.
    style = output_of(("defaults", "read", "-g"), _PATIENCE)
    return Preferences(still, strong, "AppleInterfaceStyle = Dark" in style if style else None)


_GET_ANIMATION, _GET_HIGH_CONTRAST, _CONTRAST_ON = 0x1042, 0x0042, 1
"""SPI_GETCLIENTAREAANIMATION, SPI_GETHIGHCONTRAST and HCF_HIGHCONTRASTON of winuser.h."""
_PERSONALIZE = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"


class _HighContrast(ctypes.Structure):
    """HIGHCONTRASTW of winuser.h."""

    _fields_ = (("size", ctypes.c_uint), ("flags", ctypes.c_uint32), ("scheme", ctypes.c_void_p))


def _read_windows() -> Preferences:
    """Read the preferences of Windows."""
    user32: Any = getattr(ctypes, "windll").user32  # noqa: B009  (there is none elsewhere)
    moves, strong = ctypes.c_int(), _HighContrast(size=ctypes.sizeof(_HighContrast))
    asked = user32.SystemParametersInfoW
    still = not moves.value if asked(_GET_ANIMATION, 0, ctypes.pointer(moves), 0) else None
    known = asked(_GET_HIGH_CONTRAST, strong.size, ctypes.pointer(strong), 0)
    return Preferences(still, bool(strong.flags & _CONTRAST_ON) if known else None, _windows_is_dark())


def _windows_is_dark() -> bool | None:
    """Whether programs have dark windows by the registry of Windows; None if it has no such value."""
    registry: Any = importlib.import_module("winreg")
    try:
        with registry.OpenKey(registry.HKEY_CURRENT_USER, _PERSONALIZE) as key:
            return not registry.QueryValueEx(key, "AppsUseLightTheme")[0]
    except OSError:
        return None
