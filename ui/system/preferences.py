"""What a person has set in the system: less motion, more contrast, dark or light windows.

The system is asked on a thread and with a time limit. Whatever goes wrong, nothing is known, and nobody is told.
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
    """What the system says of a person; None for what it does not say."""

    reduced_motion: bool | None = None
    high_contrast: bool | None = None
    dark: bool | None = None


def follows(setting: str, system: bool | None, default: bool) -> bool:
    """Return what a setting is that is ``on``, ``off``, or empty: as the system has it, or else the `default`."""
    return setting == "on" if setting else default if system is None else system


class SystemPreferences:
    """What the system has said so far, in `known`; `read` asks it, None to ask nothing. Any answer calls `wake`."""

    def __init__(self, read: Callable[[], Preferences] | None = None) -> None:
        self.known = Preferences()
        self.wake: Callable[[], object] = lambda: None
        self._read, self._seen, self._asked_at, self._thread = read, self.known, -AGAIN, Thread()

    def ask(self) -> None:
        """Ask on a thread, unless that was done a moment ago."""
        now = time.monotonic()
        if self._read is not None and now >= self._asked_at + AGAIN and not self._thread.is_alive():
            self._asked_at = now
            self._thread = Thread(target=self._ask, args=(self._read,), name="preferences", daemon=True)
            self._thread.start()

    def _ask(self, read: Callable[[], Preferences]) -> None:
        """Read the preferences of the system with `read`, and wake the window if they have changed."""
        try:
            found = read()
        except Exception:  # of a system that nobody has tried
            _log.info("the system does not tell its preferences", exc_info=True)
            return
        if found != self.known:
            self.known = found
            self.wake()

    def changed(self) -> bool:
        """Return whether the answer differs from that of the last call."""
        before, self._seen = self._seen, self.known
        return before != self._seen


def read_preferences() -> Preferences:
    """Ask the system. It may take some seconds: call it on a thread."""
    return {"win32": _on_windows, "darwin": _on_mac}.get(sys.platform, _on_desktop)()


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


def _on_desktop() -> Preferences:
    """What the portal of the desktop says, or else the settings of GNOME."""
    if not _session_bus():
        return Preferences()  # gdbus would start a bus
    told = _from_portal()
    still, moving, factor = (_told(told, name) for name in ("reduced-motion", "enable-animations", _FACTOR))
    if not (still or moving or factor):
        moving = _gnome("enable-animations")
    strong = _told(told, "contrast"), _told(told, "high-contrast")
    return Preferences(
        still == "1" or moving == "false" or _is_zero(factor) if still or moving or factor else None,
        "1" in strong or "true" in strong if any(strong) else None,
        {"1": True, "2": False}.get(_told(told, "color-scheme")),
    )


def _session_bus() -> bool:
    """Whether there is a session bus."""
    here = os.environ.get("XDG_RUNTIME_DIR")
    return bool(os.environ.get("DBUS_SESSION_BUS_ADDRESS")) or (here is not None and Path(here, "bus").exists())


def _from_portal() -> str:
    """What the portal tells of `_SPACES`, as gdbus or busctl prints it; empty without a portal."""
    spaces = f"[{', '.join(map(repr, _SPACES))}]"
    gdbus = ("gdbus", "call", "--session", "--timeout", str(_PATIENCE), "--dest", _PLACE[0], "--object-path", _PLACE[1])
    busctl = ("busctl", "--user", "--json=short", f"--timeout={_PATIENCE}", "call", *_PLACE, *_READ)
    return output_of((*gdbus, "--method", ".".join(_READ), spaces), _PATIENCE + 1) or output_of(
        (*busctl, "as", str(len(_SPACES)), *_SPACES), _PATIENCE + 1
    )


def _gnome(name: str) -> str:
    """A setting of GNOME's interface, where no portal tells it; empty without one."""
    return output_of(("gsettings", "get", "org.gnome.desktop.interface", name), _PATIENCE).strip()


def _told(told: str, name: str) -> str:
    """The value of a setting in the text of the portal; empty if it is missing. GNOME has a ``color-scheme``, too."""
    found = re.findall(_VALUE.format(name=re.escape(name)), told)
    return next((value for value in found if value[0] in "0123456789tf"), "")


def _is_zero(text: str) -> bool:
    """Whether `text` is the number 0."""
    with suppress(ValueError):
        return float(text) == 0
    return False


# macOS, whose settings are files that `defaults` prints, and Windows.


def _on_mac() -> Preferences:
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


def _on_windows() -> Preferences:
    user32: Any = getattr(ctypes, "windll").user32  # noqa: B009  (there is none elsewhere)
    moves, strong = ctypes.c_int(), _HighContrast(size=ctypes.sizeof(_HighContrast))
    asked = user32.SystemParametersInfoW
    still = not moves.value if asked(_GET_ANIMATION, 0, ctypes.pointer(moves), 0) else None
    known = asked(_GET_HIGH_CONTRAST, strong.size, ctypes.pointer(strong), 0)
    return Preferences(still, bool(strong.flags & _CONTRAST_ON) if known else None, _dark_windows())


def _dark_windows() -> bool | None:
    """Whether programs are dark, as the registry says; None if it does not."""
    registry: Any = importlib.import_module("winreg")
    try:
        with registry.OpenKey(registry.HKEY_CURRENT_USER, _PERSONALIZE) as key:
            return not registry.QueryValueEx(key, "AppsUseLightTheme")[0]
    except OSError:
        return None
