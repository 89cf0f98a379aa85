"""What Tengen is: its version, its licences, and where it keeps what is yours."""

from __future__ import annotations

import webbrowser
from functools import partial
from pathlib import Path

from ai.version import VERSION
from games.storage import config_home, log_home, saves_home
from ui.frame import MARGIN
from ui.host import Host
from ui.part import Part
from ui.parts.header import HEAD, INSET, PADDING
from ui.toolkit.i18n import t
from ui.toolkit.icons import app_icon
from ui.toolkit.layout import Space
from ui.toolkit.text import wrapped
from ui.toolkit.widgets import Widgets

WIDTH = 720
"""Design pixels."""

_TOP, _ROW, _LINE, _HEADING, _ICON = 62, 36, 22, 28, 96
"""Design pixels: name and version, a folder, a line of text, a heading, and the icon."""


class AboutProgram(Part):
    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets

    def _texts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What it is and its licences, in lines."""
        theme, px = self._host.theme, self._host.theme.px
        inside = min(px(WIDTH), self._host.size[0] - 2 * px(MARGIN)) - 2 * px(INSET)
        what = wrapped(theme, t("about.what"), inside - px(_ICON + 20), 14)
        return what, wrapped(theme, t("about.licence"), inside, 14)

    def _heights(self) -> tuple[int, int]:
        """Of the icon with what stands beside it, and of the licences, in design pixels."""
        what, licence = self._texts()
        return max(_ICON, _TOP + len(what) * _LINE), _HEADING + len(licence) * _LINE

    def high(self) -> int:
        """How high the page has to be, in design pixels."""
        what, licence = self._heights()
        return 2 * PADDING + HEAD + what + licence + _HEADING + 3 * _ROW + 3 * 16 + 3 * 8

    def build(self, space: Space) -> None:
        px, quiet, label = self._host.theme.px, self._host.theme.palette.quiet, self._widgets.label
        (what, licence), (high, low) = self._texts(), self._heights()
        top = Space(space.top(px(high)), px(20))
        icon = top.left(px(_ICON))
        self._widgets.paint(lambda surface: surface.blit(app_icon(icon.width), icon))
        about = Space(top.rest, 0)
        label(about.top(px(34)), t("app.title"), 20, bold=True)
        label(about.top(px(_TOP - 34)), t("about.version", version=VERSION), 14, quiet)
        self._widgets.lines(about, what, px(_LINE), 14)
        licences = Space(space.top(px(low)), 0)
        label(licences.top(px(_HEADING)), t("about.licences"), bold=True)
        self._widgets.lines(licences, licence, px(_LINE), 14)
        space.gap = px(8)
        label(space.top(px(_HEADING)), t("about.folders"), bold=True)
        for name, folder in (("saves", saves_home()), ("settings", config_home()), ("log", log_home())):
            row = Space(space.top(px(_ROW)), px(12))
            place, action = row.right(px(96)), partial(self._open, folder)
            self._widgets.button(name, place, t("about.open"), action, tip=str(folder))
            label(row.left(px(80)), t(f"about.{name}"), 14)
            label(row.rest, str(folder), 14, quiet)

    def _open(self, folder: Path) -> None:
        """Show `folder` in the system's own window of files."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            shown = webbrowser.open(folder.as_uri())
        except (OSError, webbrowser.Error):
            shown = False
        if not shown:
            self._host.say(t("about.no_folder", path=folder), "bad")
