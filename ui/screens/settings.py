"""The settings, and what Tengen is."""

from __future__ import annotations

from functools import partial

from ui.host import Content, Host
from ui.parts.about_program import WIDTH, AboutProgram
from ui.parts.header import Page
from ui.parts.settings_form import GAP, WIDEST, SettingsForm, height
from ui.screen import Screen
from ui.screens import registry as screens
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space


class SettingsScreen(Screen):
    name = "settings"
    panel = False

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__(host, back)
        self._page = Page(host, self.widgets, "settings.title", WIDEST, height, GAP, self.go_back)
        self._form = SettingsForm(host, self.widgets)
        self.parts = [self._page, self._form]

    def build(self, space: Space) -> None:
        self._page.build(space)
        about = self._page.head.right(self.host.theme.px(104))
        show = partial(self.host.open, screens.about, back=self)
        self.widgets.button("about", about, t("settings.about"), show, tip=t("tip.about"))
        self._form.build(self._page.inside)


class About(Screen):
    """What Tengen is: its version, its licences, and where it keeps what is yours."""

    name = "about"
    panel = False

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__(host, back)
        self._about = AboutProgram(host, self.widgets)
        self._page = Page(host, self.widgets, "about.title", WIDTH, self._about.high, 16, self.go_back)
        self.parts = [self._page, self._about]

    def build(self, space: Space) -> None:
        self._page.build(space)
        self._about.build(self._page.inside)
