"""The screen of the settings, and that about the program: version, licences and folders."""

from __future__ import annotations

import time
import webbrowser
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pygame

from ai.arena.executors import NoExecutor, installed
from ai.distributed.cluster_player import open_crew
from ai.search.crews import CrewLost
from ai.system.threads import processors
from ai.system.version import VERSION
from games.storage import config_home, log_home, saves_home
from ui import screens
from ui.board.materials import STONES, WOODS
from ui.parts.header import HEAD, INSET, PADDING, Page, open_menu
from ui.system.settings import LONGEST_ADDRESS, LONGEST_NAME, LONGEST_NAMES, MEMORY_MB, clean_name, split_names
from ui.toolkit.art import app_icon
from ui.toolkit.controls import Slider
from ui.toolkit.i18n import LANGUAGES, first_text, t
from ui.toolkit.space import Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.theme import PALETTES, Colour
from ui.toolkit.typesetting import width_of, wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host, Job
from ui.window.part import MARGIN, Group, MenuEntry, Part
from ui.window.screen import Screen

# All settings. Each change takes effect, and is saved, at once.


SCALES = (0, 80, 100, 125, 150, 175, 200)
"""Per cent; 0 follows the display."""

GAP = 4
WIDEST = 1080
"""Design pixels: between two rows, and of the page."""

_ROW, _HEADING, _LABEL = 36, 28, 142  # design pixels
_PAUSE = 0.4  # seconds without a change after which a text or a slider is saved


def height() -> int:
    """Return the height that the page of the settings needs, in design pixels."""
    column = 3 * (_HEADING + GAP) + 10 * (_ROW + GAP)  # the right one, which has a heading more
    return 2 * PADDING + HEAD + GAP + column + 2 + GAP + 12


def _on_off() -> list[tuple[str, str]]:
    """Return the values of a switch, each with its text."""
    return [("on", t("common.on")), ("off", t("common.off"))]


def _underline(surface: pygame.Surface, colour: Colour, rect: pygame.Rect) -> None:
    """Draw a line at the bottom of `rect`."""
    pygame.draw.line(surface, colour, rect.bottomleft, rect.bottomright)


class SettingsForm(Group):
    """All settings, in groups in two columns."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets
        self._changes = SettingsChanges(host)
        super().__init__((self._changes,))

    def build(self, space: Space) -> None:
        """Build two columns of groups, each under a heading with a line: look and board at the left, sound, games and
        engine at the right."""
        px = self._host.theme.px
        both = Space(space.rest, px(40))
        left = Space(both.left((both.rest.width - px(40)) * 58 // 100), px(GAP))
        right = Space(both.rest, px(GAP))
        groups = {
            "look": (self._build_look, left), "board": (self._build_board, left),
            "sound": (self._build_sound, right), "games": (self._build_person, right),
            "engine": (self._build_engine, right),
        }  # fmt: skip
        for name, (group, column) in groups.items():
            palette, rect = self._host.theme.palette, column.top(px(_HEADING))
            self._widgets.label(rect, t(f"settings.group.{name}"), 14, palette.quiet, bold=True)
            self._widgets.paint(partial(_underline, colour=palette.line, rect=rect))
            group(column)
            column.top(px(2))

    def _build_look(self, space: Space) -> None:
        """Add theme, contrast, language, scale, motion and full screen."""
        settings = self._host.settings
        system = ("", t("settings.system"))
        self._add_choice(
            space, "theme", [system, *((key, t(f"settings.theme.{key}")) for key in PALETTES)], settings.theme
        )  # fmt: skip
        self._add_choice(space, "contrast", [system, *_on_off()], settings.contrast)
        languages = {"": t("settings.system")} | {code: each.name for code, each in LANGUAGES.items()}
        choose = partial(self._changes.set, "language")
        entries = [MenuEntry(code, name, partial(choose, code)) for code, name in languages.items()]
        first, second, _ = columns(self._add_row(space, "language").rest, 3, self._host.theme.px(4))
        menu = partial(open_menu, self._host, rect := first.union(second), entries, settings.language)
        self._widgets.button("language", rect, languages[settings.language], menu, style="@menu")
        scales = [(str(scale), str(scale) if scale else t("settings.scale.auto")) for scale in SCALES]
        self._add_choice(space, "scale", scales, str(settings.scale))
        self._add_choice(space, "motion", [system, *_on_off()], settings.motion)
        self._add_switch(space, "full_screen")

    def _build_board(self, space: Space) -> None:
        """Add the materials of the board, and switches about it."""
        row = self._add_row(space, "materials")
        for name, kinds, place in zip(("wood", "stones"), (WOODS, STONES), columns(row.rest, 2, row.gap), strict=True):
            texts = {kind: t(f"settings.{name}.{kind}") for kind in kinds}
            choose, chosen = partial(self._changes.set, name), getattr(self._host.settings, name)
            entries = [MenuEntry(kind, text, partial(choose, kind)) for kind, text in texts.items()]
            menu = partial(open_menu, self._host, place, entries, chosen)
            self._widgets.button(name, place, texts[chosen], menu, style="@menu")
        for name in ("coordinates", "numbers", "thinking"):
            self._add_switch(space, name)

    def _build_sound(self, space: Space) -> None:
        """Add sounds and their volume."""
        self._add_switch(space, "sound")
        px, row = self._host.theme.px, self._add_row(space, "volume")
        settings = self._host.settings
        self._widgets.label(row.right(px(56)), lambda: t("percent", number=settings.volume), align="right")
        place = row.rest.inflate(0, -px(12))
        slider = Slider(self._host.theme, place, settings.volume, 100, self._changes.set_volume, stride=5)
        self._widgets.add("volume", slider)

    def _build_person(self, space: Space) -> None:
        """Add the person's name, other names in files, and a button that resets the last choices."""
        theme, name, typed = self._host.theme, self._host.settings.player_name, self._changes.set_name
        rect = self._add_row(space, "name").rest
        self._widgets.add("name", TextLine(theme, rect, name, LONGEST_NAME, typed, hint=t("seat.you")))
        names = ", ".join(self._host.settings.names)
        field = TextLine(
            theme, self._add_row(space, "names").rest, names, LONGEST_NAMES, self._changes.set_names,
            hint=t("settings.names.hint"),
        )  # fmt: skip
        field.tip = t("settings.names.about")
        self._widgets.add("names", field)
        changed = bool(self._host.settings.new_game) or any(self._host.settings.board_names)
        row, text, tip = self._add_row(space, "new_game"), t("settings.new_game.reset"), t("tip.new_game_reset")
        self._widgets.button("new_game", row.rest, text, self._changes.forget_new_game, tip=tip, enabled=changed)

    def _build_engine(self, space: Space) -> None:
        """Add threads, book, memory and cluster of the engine, and whether its figures are shown."""
        settings = self._host.settings
        threads = range(1, processors() + 1)
        text = t("settings.threads.of", count=settings.threads, most=threads[-1])
        self._add_stepper(space, "threads", text, threads.index(settings.threads), threads)
        self._add_switch(space, "book")
        memory = settings.memory_mb
        self._add_stepper(space, "memory_mb", f"{memory} MB", MEMORY_MB.index(memory), MEMORY_MB)
        self._build_cluster(space)
        self._add_switch(space, "expert")

    def _build_cluster(self, space: Space) -> None:
        """Add the address of the cluster, and the button that tests it."""
        theme, address, row = self._host.theme, self._host.settings.cluster, self._add_row(space, "cluster")
        text, tip = t("settings.cluster.test"), t("settings.cluster.test_tip")
        wide = width_of(theme, text, 16) + theme.px(28)
        self._widgets.button("cluster.test", row.right(wide), text, self._test, tip=tip, enabled=bool(address))
        field = TextLine(theme, row.rest, address, LONGEST_ADDRESS, self._set_cluster, hint=t("settings.cluster.none"))
        field.tip = t("settings.cluster.about")
        self._widgets.add("cluster", field)

    def _set_cluster(self, address: str) -> None:
        """Set the address of the cluster; enable its test if there is one."""
        self._changes.set_cluster(address)
        self._widgets.enable("cluster.test", bool(self._host.settings.cluster))

    def _test(self) -> None:
        """Start the test of the cluster."""
        self._host.start_job(ClusterTest(self._host, self._host.settings.cluster))

    def _add_row(self, space: Space, name: str) -> Space:
        """Add a row with the label of the setting `name`. Return the space right of it."""
        px = self._host.theme.px
        row = Space(space.top(px(_ROW)), px(8))
        self._widgets.label(row.left(px(_LABEL)), t(f"settings.{name}"))
        return row

    def _add_choice(self, space: Space, name: str, options: list[tuple[str, str]], chosen: str) -> None:
        """Add a row of buttons for the values of the setting `name`; `options` are the values with their texts."""
        px, row = self._host.theme.px, self._add_row(space, name)
        cells = columns(row.rest, max(3, len(options)), px(4))[: len(options)]
        tip = first_text(f"settings.{name}.about")
        self._widgets.choice(name, cells, options, chosen, partial(self._changes.set, name), tip=tip)

    def _add_switch(self, space: Space, name: str) -> None:
        """Add a row with on and off for the setting `name`."""
        self._add_choice(space, name, _on_off(), "on" if getattr(self._host.settings, name) else "off")

    def _add_stepper(self, space: Space, name: str, text: str, at: int, values: range | tuple[int, ...]) -> None:
        """Add a row for the setting `name`: `text` between buttons for the values before and after `values[at]`."""
        px, row = self._host.theme.px, self._add_row(space, name)
        for side, icon, to in ((row.left, "minus", at - 1), (row.right, "plus", at + 1)):
            known = 0 <= to < len(values)
            action = partial(self._changes.set, name, str(values[to]) if known else "")
            word = "less" if icon == "minus" else "more"
            rect, tip = side(px(40)), t(f"tip.{word}")
            self._widgets.button(f"{name}.{word}", rect, "", action, icon=icon, tip=tip, enabled=known)
        self._widgets.box(row.rest, self._host.theme.palette.raised)
        self._widgets.label(row.rest, text, align="centre")

    def status(self) -> str:
        """Return that the window is too small for the chosen scale, if so; else that settings are kept."""
        shown = int(100 * self._host.theme.scale)
        if self._host.settings.scale > shown:
            return t("settings.limited", percent=shown)
        return t("settings.kept")


class SettingsChanges(Part):
    """Changes of settings by a person. Each takes effect at once; it is saved at once, or after a pause in typing."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._save_at: float | None = None

    def set(self, name: str, value: str) -> None:
        """Set the setting `name` to `value`, as text: a number, a key, or ``on`` or ``off``. It takes effect and is
        saved at once."""
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
        """Set the volume in percent, and play a sound."""
        self._host.settings.volume = volume
        self._host.sounds.play("stone")
        self._save_soon()

    def set_name(self, name: str) -> None:
        """Set the person's name."""
        self._host.settings.player_name = clean_name(name)
        self._save_soon()

    def set_names(self, names: str) -> None:
        """Set the other names by which the person is known in files, separated by commas."""
        self._host.settings.names = split_names(names)
        self._save_soon()

    def set_cluster(self, address: str) -> None:
        """Set the address of the cluster's Dask scheduler; empty for none."""
        self._host.settings.cluster = address.strip()
        self._save_soon()

    def forget_new_game(self) -> None:
        """Forget the last choices for a new game, so that it is set up with the defaults."""
        self._host.settings.new_game, self._host.settings.board_names = {}, ("", "")
        self._host.say(t("settings.new_game.done"))
        self._host.restyle()

    def _save_soon(self) -> None:
        """Save the settings after a pause, so that a slider does not write at each step."""
        self._save_at = time.monotonic() + _PAUSE

    def update(self, now: float) -> None:
        """Save when the pause is over."""
        if self._save_at is not None and now >= self._save_at:
            self.close()

    def wake(self, now: float) -> float | None:
        """Return the seconds until `update` saves something; None if nothing is to be saved."""
        return None if self._save_at is None else max(0.0, self._save_at - now)

    def close(self) -> None:
        """Save what has not been saved."""
        if self._save_at is not None:
            self._save_at = None
            self._host.save_settings()


class ClusterTest(Job[Mapping[str, int] | None]):
    """A job that connects to the cluster at `address`, and says how many workers and threads it has."""

    def __init__(self, host: Host, address: str) -> None:
        stopped = t("cluster.stopped")
        super().__init__(host, t("cluster.testing"), address, stopped, lambda _: workers_of(address), self._report)

    def _report(self, members: Mapping[str, int] | None) -> None:
        """Say how many workers the cluster has and how many threads in all, or that it has none. None means that it
        cannot be used."""
        if members is None:
            self._host.say(t("cluster.failed" if installed() else "cluster.extra", address=self.name), "bad")
        elif members:
            workers = t("cluster.workers", count=len(members))
            self._host.say(f"{workers} · {t('cluster.threads', count=sum(members.values()))}", "good")
        else:
            self._host.say(t("cluster.empty"), "bad")


def workers_of(address: str) -> Mapping[str, int] | None:
    """Return the number of threads of each worker of the cluster; None if it cannot be used."""
    try:
        with open_crew(address) as crew:
            return dict(crew.members())
    except (CrewLost, NoExecutor):
        return None


# What Tengen is: its version, its licences, and where it keeps what is yours.


WIDTH = 720
"""Design pixels."""

_TOP, _FACT_ROW, _LINE, _FACT_HEADING, _ICON = 62, 36, 22, 28, 96
"""Design pixels: name and version, a folder, a line of text, a heading, and the icon."""


class AboutProgram(Part):
    """Version, licences and folders of the program."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets

    def _wrapped_texts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the text on what the program is, and that on its licences, each wrapped to its width on the page."""
        theme, px = self._host.theme, self._host.theme.px
        inside = min(px(WIDTH), self._host.size[0] - 2 * px(MARGIN)) - 2 * px(INSET)
        what = wrapped(theme, t("about.what"), inside - px(_ICON + 20), 14)
        return what, wrapped(theme, t("about.licence"), inside, 14)

    def _heights(self) -> tuple[int, int]:
        """Return the height of the description with the icon, and that of the licences, in design pixels."""
        what, licence = self._wrapped_texts()
        return max(_ICON, _TOP + len(what) * _LINE), _FACT_HEADING + len(licence) * _LINE

    def height(self) -> int:
        """Return the height that the page needs, in design pixels."""
        what, licence = self._heights()
        return 2 * PADDING + HEAD + what + licence + _FACT_HEADING + 3 * _FACT_ROW + 3 * 16 + 3 * 8

    def build(self, space: Space) -> None:
        """Build the icon with name, version and description, the licences, and a row for each folder with a button that
        opens it."""
        px, quiet, label = self._host.theme.px, self._host.theme.palette.quiet, self._widgets.label
        (what, licence), (high, low) = self._wrapped_texts(), self._heights()
        top = Space(space.top(px(high)), px(20))
        icon = top.left(px(_ICON))
        self._widgets.paint(lambda surface: surface.blit(app_icon(icon.width), icon))
        about = Space(top.rest)
        label(about.top(px(34)), t("app.title"), 20, bold=True)
        label(about.top(px(_TOP - 34)), t("about.version", version=VERSION), 14, quiet)
        self._widgets.lines(about, what, px(_LINE), 14)
        licences = Space(space.top(px(low)))
        label(licences.top(px(_FACT_HEADING)), t("about.licences"), bold=True)
        self._widgets.lines(licences, licence, px(_LINE), 14)
        space.gap = px(8)
        label(space.top(px(_FACT_HEADING)), t("about.folders"), bold=True)
        for name, folder in (("saves", saves_home()), ("settings", config_home()), ("log", log_home())):
            row = Space(space.top(px(_FACT_ROW)), px(12))
            place, action = row.right(px(96)), partial(self._open, folder)
            self._widgets.button(name, place, t("about.open"), action, tip=str(folder))
            label(row.left(px(80)), t(f"about.{name}"), 14)
            label(row.rest, str(folder), 14, quiet)

    def _open(self, folder: Path) -> None:
        """Show `folder` in the system's file manager; create it if it is missing."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            shown = webbrowser.open(folder.as_uri())
        except (OSError, webbrowser.Error):
            shown = False
        if not shown:
            self._host.say(t("about.no_folder", path=folder), "bad")


# The screens.


class SettingsScreen(Screen):
    """The screen of the settings."""

    name = "settings"
    guide = "settings"
    panel = False

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__(host, back)
        self._page = Page(host, self.widgets, "settings.title", WIDEST, height, GAP, self.go_back)
        self._form = SettingsForm(host, self.widgets)
        self.parts = [self._page, self._form]

    def build(self, space: Space) -> None:
        """Lay out the page and the form in it. Put buttons to the pages on the program and on engines into its head."""
        self._page.build(space)
        about = self._page.head.right(self.host.theme.px(104))
        show = partial(self.host.open, screens.about, back=self)
        self.widgets.button("about", about, t("settings.about"), show, tip=t("tip.about"))
        engines, add = self._page.head.right(about.width), partial(self.host.open, screens.engines, back=self)
        self.widgets.button("engines", engines, t("settings.engines"), add, tip=t("tip.engines"))
        self._form.build(self._page.inside)


class AboutTengen(Screen):
    """The screen about the program: version, licences, and the folders of a person's data."""

    name = "about"
    guide = "settings"
    panel = False

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__(host, back)
        self._about = AboutProgram(host, self.widgets)
        self._page = Page(host, self.widgets, "about.title", WIDTH, self._about.height, 16, self.go_back)
        self.parts = [self._page, self._about]

    def build(self, space: Space) -> None:
        """Lay out the page and in it what is said about the program."""
        self._page.build(space)
        self._about.build(self._page.inside)
