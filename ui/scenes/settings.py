"""The settings of the window. Each takes effect, and is saved, as it is chosen."""

from __future__ import annotations

import pygame

from ui.app import App
from ui.i18n import LANGUAGES, t
from ui.layout import Space, columns
from ui.palette import PALETTES
from ui.scene import MARGIN, Binding, Scene
from ui.shapes import rounded
from ui.text import write

SCALES = (0, 80, 100, 125, 150, 175, 200)
"""Per cent; 0 follows the display."""

SWITCHES = ("motion", "coordinates", "numbers", "thinking", "full_screen")


class SettingsScene(Scene):
    """`back` is the scene to return to; None for home."""

    name = "settings"
    bindings = (Binding(("escape",), "do_back", "keys.back"),)

    def __init__(self, app: App, back: Scene | None = None) -> None:
        super().__init__(app)
        self.back = back

    def do_back(self) -> None:
        if self.back is None:
            self.app.go_home()
        else:
            self.app.show(self.back)

    def build(self) -> None:
        px = self.app.theme.px
        settings = self.app.settings
        self._rows: list[tuple[pygame.Rect, str]] = []
        window = Space(pygame.Rect((0, 0), self.app.size), 0)
        self.status = window.bottom(px(28))
        width = min(px(760), window.rest.width - 2 * px(MARGIN))
        page = pygame.Rect(0, 0, width, window.rest.height - 2 * px(MARGIN))
        page.center = window.rest.center
        self.page = page
        space = Space(page.inflate(-2 * px(24), -2 * px(20)), px(12))
        head = Space(space.top(px(40)), px(8))
        back, tip = head.left(px(40)), t("tip.back")
        self.widgets.button("back", back, "", self.do_back, style="@icon", icon="back", tip=tip, key="escape")
        self.title_rect = head.rest
        space.top(px(4))
        themes = [(key, t(f"settings.theme.{key}")) for key in PALETTES]
        self._choice(space, "theme", themes, settings.theme)
        languages = [("", t("settings.language.system")), *LANGUAGES.items()]
        self._choice(space, "language", languages, settings.language)
        scales = [(str(scale), f"{scale} %" if scale else t("settings.scale.auto")) for scale in SCALES]
        self._choice(space, "scale", scales, str(settings.scale))
        for name in SWITCHES:
            options = [("on", t("common.on")), ("off", t("common.off"))]
            self._choice(space, name, options, "on" if getattr(settings, name) else "off")

    def _choice(self, space: Space, name: str, options: list[tuple[str, str]], chosen: str) -> None:
        px = self.app.theme.px
        row = Space(space.top(px(38)), px(16))
        self._rows.append((row.left(px(190)), t(f"settings.{name}")))
        cells = columns(row.rest, max(3, len(options)), px(6))[: len(options)]
        self.widgets.choice(name, cells, options, chosen, lambda value: self._set(name, value))

    def _set(self, name: str, value: str) -> None:
        settings = self.app.settings
        if name == "full_screen":
            if settings.full_screen != (value == "on"):
                self.app.toggle_full_screen()
            return
        if name in SWITCHES:
            setattr(settings, name, value == "on")
        else:
            setattr(settings, name, int(value) if name == "scale" else value)
        self.app.restyle()

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme = self.app.theme
        palette = theme.palette
        rounded(surface, self.page, palette.panel, theme.px(12), palette.line)
        write(surface, theme, t("settings.title"), self.title_rect, 20, bold=True)
        for rect, text in self._rows:
            write(surface, theme, text, rect, 16)
        self.draw_status(surface, self.status, t("settings.kept"), t("status.keys"))
