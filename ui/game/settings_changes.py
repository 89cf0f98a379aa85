"""Changes of the settings by a person, without pixels: each takes effect, and is saved, at once or soon."""

from __future__ import annotations

import time

from ui.host import Host
from ui.system.settings import clean_name
from ui.toolkit.i18n import t

_PAUSE = 0.4  # seconds without a change after which a text or a slider is saved


class SettingsChanges:
    """Call `update` each frame, and `close` at the end."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._save_at: float | None = None

    def set(self, name: str, value: str) -> None:
        """Give the setting `name` the `value` of a button; that of a switch is ``on`` or ``off``."""
        settings = self._host.settings
        if name == "full_screen":
            if settings.full_screen != (value == "on"):
                self._host.toggle_full_screen()
            return
        kind = type(getattr(settings, name))
        setattr(settings, name, value == "on" if kind is bool else kind(value))
        if name == "sound":
            self._host.sounds.play("stone")
        self._host.restyle()

    def set_volume(self, volume: int) -> None:
        self._host.settings.volume = volume
        self._host.sounds.play("stone")
        self._save_soon()

    def set_name(self, name: str) -> None:
        self._host.settings.player_name = clean_name(name)
        self._save_soon()

    def forget_new_game(self) -> None:
        """Let new games be set up as at first."""
        self._host.settings.new_game = {}
        self._host.say(t("settings.new_game.done"))
        self._host.restyle()

    def _save_soon(self) -> None:
        self._save_at = time.monotonic() + _PAUSE

    def update(self, now: float) -> None:
        if self._save_at is not None and now >= self._save_at:
            self.close()

    def wake(self, now: float) -> float | None:
        """The seconds until `update` has something to save."""
        return None if self._save_at is None else max(0.0, self._save_at - now)

    def close(self) -> None:
        """Save what has not been saved."""
        if self._save_at is not None:
            self._save_at = None
            self._host.save_settings()
