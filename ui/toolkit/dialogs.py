"""Dialogs in front of everything else: a question, and the choice of a file. They are laid out again for a window of
another size. What is asked, and what is done with the answer, is for the scenes."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import platformdirs
import pygame

from games.storage import name_problem, saves_home
from ui.toolkit.box_art import rounded, shadow
from ui.toolkit.controls import ListView, Row
from ui.toolkit.display import Display
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import width_of, wrapped, write
from ui.toolkit.text_line import TextLine
from ui.toolkit.widgets import Widgets

_PADDING, _CONTROL, _GAP, _TITLE, _LINE = 20, 40, 8, 48, 23
"""Design pixels: room inside a dialog, height of its buttons, room between them, height of its title and of a line."""
_LONGEST = 4096  # characters of a path

_ENDING = re.compile(r"\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)
"""An ending that stands for a kind of file: ``.sgf``, not the ``.11`` of a date."""


class Panel:
    """A box with a title in the middle of the window; it takes all events, and Esc closes it."""

    def __init__(self, display: Display, title: str, width: int, height: int) -> None:
        self.display, self.title, self._wanted = display, title, (width, height)
        self.alive = True
        self.widgets = Widgets(display)
        self._fit()

    def _fit(self) -> None:
        """Lays everything out, if the window is another than it was."""
        built = self.display.theme, self.display.size
        if getattr(self, "_built", None) == built:
            return
        self._built = built
        px, (across, down) = self.display.theme.px, self.display.size
        wide, high = (px(length) for length in self._wanted)
        self.rect = pygame.Rect(0, 0, min(wide, across - px(32)), min(high, down - px(32)))
        self.rect.center = across // 2, down // 2
        space = Space(self.rect.inflate(-2 * px(_PADDING), 0), px(_GAP))
        self._title_rect = space.top(px(_TITLE))
        space.bottom(px(_PADDING) - space.gap)
        self.widgets.clear()
        self.build(space)

    def build(self, space: Space) -> None:
        """Makes the widgets in `space`, the box without its title."""

    def _buttons(self, space: Space, *buttons: tuple[str, str, Callable[[], object], str]) -> None:
        """Buttons at the bottom right, from the right: name, text, action and style. Tab reaches the last one first."""
        theme, px = self.display.theme, self.display.theme.px
        row = Space(space.bottom(px(_CONTROL)), px(_GAP))
        places = [row.right(max(px(104), width_of(theme, text, 16, True) + px(36))) for _, text, _, _ in buttons]
        for rect, (name, text, action, style) in reversed(list(zip(places, buttons, strict=True))):
            self.widgets.button(name, rect, text, action, style=style)

    def close(self) -> None:
        self.alive = False
        self.widgets.clear()

    @property
    def typing(self) -> bool:
        return self.widgets.typing

    def handle(self, event: pygame.event.Event) -> bool:
        """False when the dialog is to be closed."""
        self._fit()
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.close()
        elif not self.widgets.handle(event) and event.type == pygame.KEYDOWN:
            self.key(event)
        return self.alive

    def key(self, event: pygame.event.Event) -> None:
        """Acts on a key that no widget takes."""

    def draw(self, surface: pygame.Surface) -> None:
        self._fit()
        theme, px = self.display.theme, self.display.theme.px
        shadow(surface, self.rect, px(16))
        rounded(surface, self.rect, theme.palette.raised, px(10), theme.palette.line, max(1, px(1)))
        write(surface, theme, self.title, self._title_rect, 20, bold=True)
        self.widgets.update(time.monotonic(), pygame.mouse.get_pos())
        self.widgets.draw(surface)
        self.widgets.draw_over(surface)


class Question(Panel):
    """A message with one button, or, with `action`, a question with two. It closes itself, and then `command` is called
    if that is the answer. Enter presses the button that has the focus."""

    def __init__(
        self, display: Display, title: str, message: str, action: str = "",
        command: Callable[[], object] = lambda: None, *, danger: bool = False, width: int = 440,
    ) -> None:  # fmt: skip
        self.message, self.action, self.command, self.danger = message, action, command, danger
        theme = display.theme
        room = min(theme.px(width), display.size[0] - theme.px(32)) - 2 * theme.px(_PADDING)
        self._lines = wrapped(theme, message, room, 16)
        super().__init__(display, title, width, _TITLE + len(self._lines) * _LINE + _CONTROL + 2 * _PADDING)

    def build(self, space: Space) -> None:
        accept = ("accept", self.action or t("common.close"), self._accept, "@danger" if self.danger else "@primary")
        cancel = ("cancel", t("common.cancel"), self.close, "@quiet")
        self._buttons(space, accept, *([cancel] if self.action else []))
        self.widgets.focus = self.widgets.focus or "accept"
        self._words = space.rest
        self._lines = wrapped(self.display.theme, self.message, space.rest.width, 16)

    def _accept(self) -> None:
        self.close()
        self.command()

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        space = Space(self._words, 0)
        for line in self._lines:
            write(surface, self.display.theme, line, space.top(self.display.theme.px(_LINE)), 16)


class Found(NamedTuple):
    """What lies in a folder; `time` is when it was changed."""

    name: str
    is_folder: bool
    time: float


class FileDialog(Panel):
    """Picks a file to open or, with `saving`, a name to save under, or else a `folder`; `then` gets the path.

    Files with one of the `suffixes` are shown, and the first is added to a name without an ending; a name with the
    ending of another kind of file is refused. A file that would be replaced is asked about. `say` gets
    a sentence about a name that no file can have.
    """

    line: TextLine
    files: ListView

    def __init__(
        self, display: Display, start: Path, suffixes: tuple[str, ...], then: Callable[[Path], object], *,
        say: Callable[[str], object], saving: bool = False, folder: bool = False, title: str = "",
    ) -> None:  # fmt: skip
        self.suffixes, self.then, self.say = suffixes, then, say
        self.saving, self.folder = saving, folder
        start = _reachable(start, saving)
        self.here = start if not saving and _is_folder(start) else start.parent
        self.order = "name"
        self.found: list[Found] = []
        self.question: Question | None = None  # over this one, about the name; it takes the events
        self._text = str(start)
        kind = "save" if saving else "folder" if folder else "open"
        super().__init__(display, title or t(f"dialog.{kind}_title"), 760, 560)
        if saving:
            self.widgets.focus = "path"
            self.line.select(len(self._text) - len(start.name), len(self._text) - len(self._ending(start.name)))

    def _ending(self, name: str) -> str:
        known = (suffix for suffix in self.suffixes if name.lower().endswith(suffix))
        return next(known, Path(name).suffix)

    def build(self, space: Space) -> None:
        px, button = self.display.theme.px, self.widgets.button
        head = Space(space.top(px(_CONTROL)), px(_GAP))
        up = head.left(px(_CONTROL))
        self.line = self.widgets.entry("path", head.rest, self._text, _LONGEST, self._typed, done=lambda _: self.pick())
        button("up", up, "", self._up, style="@icon", icon="up", tip=t("dialog.up"), key="alt+up")
        below = space.bottom(px(_CONTROL))
        space.bottom(px(4) - space.gap)
        side = Space(space.left(px(150)), px(4))
        places = {"home": Path.home(), "documents": platformdirs.user_documents_path(), "saves": saves_home()}
        for name, folder in places.items():
            if _is_folder(folder):
                press = partial(self._enter, folder)
                button(f"place.{name}", side.top(px(32)), t(f"dialog.place.{name}"), press, style="@row")
        orders = [(order, t(f"dialog.sort.{order}")) for order in ("name", "date")]
        row = space.top(px(32))
        row = pygame.Rect(row.right - px(260), row.top, px(260), row.height)
        self.widgets.choice("sort", columns(row, 2, px(_GAP)), orders, self.order, self._sort)
        self.files = self.widgets.list_view("files", space.rest, (), self._chosen, self._open_row)
        confirm = t("common.save" if self.saving else "dialog.folder_action" if self.folder else "common.open")
        ok = ("ok", confirm, self.pick, "@primary")
        self._buttons(Space(below, 0), ok, ("cancel", t("common.cancel"), self.close, "@quiet"))
        self._list()

    # The folder.

    def _list(self) -> None:
        """Reads the folder; one that is closed to us looks empty."""
        try:
            with os.scandir(self.here) as entries:
                found = [_found(entry) for entry in entries if not entry.name.startswith(".")]
        except OSError:
            found = []
        shown = (one for one in found if one.is_folder or (not self.folder and self._known(one.name)))
        by_date = self.order == "date"
        self.found = sorted(shown, key=lambda one: (not one.is_folder, -one.time if by_date else 0, one.name.lower()))
        self.files.show([Row(one.name, _day(one.time), one.is_folder) for one in self.found])
        self._fit_ok()

    def _known(self, name: str) -> bool:
        return name.lower().endswith(self.suffixes)

    def _sort(self, order: str) -> None:
        self.order = order
        for other in ("name", "date"):
            self.widgets.choose(f"sort.{other}", other == order)
        self._list()

    def _enter(self, folder: Path) -> None:
        """Shows what is in `folder`. A name that was to be saved goes along."""
        name = Path(self._text).name if self.saving else ""
        self.here = folder
        self._show_path(folder / name)
        self._list()

    def _up(self) -> None:
        self._enter(self.here.parent)

    def _show_path(self, path: Path) -> None:
        self._text = str(path)
        self.line.set_text(self._text)

    def _chosen(self, row: int) -> None:
        """A file in the list is proposed; a folder where it is a folder that is looked for."""
        if not self.found[row].is_folder or self.folder:
            self._show_path(self.here / self.found[row].name)
        self._fit_ok()

    def _open_row(self, row: int) -> None:
        path = self.here / self.found[row].name
        if _is_folder(path):
            self._enter(path)
        else:
            self.pick()

    def _typed(self, text: str) -> None:
        self._text = text
        self._fit_ok()

    # The keyboard.

    def handle(self, event: pygame.event.Event) -> bool:
        if self.question is not None:
            self.question = self.question if self.question.handle(event) else None
            return self.alive
        if event.type == pygame.KEYDOWN and event.key == pygame.K_UP and event.mod & pygame.KMOD_ALT:
            self._up()
        elif event.type == pygame.WINDOWFOCUSGAINED:
            self._list()  # something may have been done to the files meanwhile
        else:
            return super().handle(event)
        return True

    def key(self, event: pygame.event.Event) -> None:
        """Keys that move in a list do so wherever the focus is, and Enter takes what is chosen."""
        if not self.files.key(event) and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self.pick()

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        if self.question is not None:
            self.question.draw(surface)

    # The answer.

    def _path(self) -> Path:
        return Path(self._text).expanduser().absolute()

    def _fit_ok(self) -> None:
        """The button can be pressed where it has an answer, or something to say about the name."""
        self.widgets.enable("ok", bool(self._problem()) or self.folder or self._fits())

    def _problem(self) -> str:
        """What is wrong with what is typed, as in `name_problem`."""
        parts = Path(self._text).parts
        ending = self.suffixes[0] if self.saving and not (parts and self._known(parts[-1])) else ""
        named = [*parts[:-1], *(part + ending for part in parts[-1:])]
        return next(filter(None, map(name_problem, named)), "")

    def _fits(self) -> bool:
        """Whether what is typed can be the answer: a file that is there; a new name in a folder that is there."""
        try:
            path = self._path()
            if self.folder:
                return path.is_dir() or (path.parent.is_dir() and not path.exists())
            return (path.parent.is_dir() and not path.is_dir()) if self.saving else path.is_file()
        except (OSError, RuntimeError, ValueError):  # too long a name, a place that is closed to us, nobody's home
            return False

    def pick(self) -> None:
        """Answers with what is chosen or named, if it can be the answer; says what is wrong with a name that no file
        can have, and enters a folder that is not looked for."""
        if problem := self._problem():
            self.say(t(f"library.name.{problem}"))
        elif self._fits():
            self._answer(self._path())
        elif not self.folder and self._text and _is_folder(Path(self._text)):
            self._enter(Path(self._text))

    def _answer(self, path: Path) -> None:
        if not self.saving:
            self._finish(path)
            return
        ending = "" if self._known(path.name) else _ENDING.search(path.name)
        if ending:
            text = t("dialog.format", ending=ending[0], kinds=", ".join(self.suffixes))
            self._ask(Question(self.display, t("dialog.format_title"), text))
            return
        if not self._known(path.name):
            path = path.with_name(path.name + self.suffixes[0])
        if not os.path.exists(path):  # noqa: PTH110  (`Path.exists` raises for a name that is too long)
            self._finish(path)
            return
        text, finish = t("dialog.replace", name=path.name), partial(self._finish, path)
        title, action = t("dialog.replace_title"), t("dialog.replace_action")
        self._ask(Question(self.display, title, text, action, finish, danger=True))

    def _ask(self, question: Question) -> None:
        self.widgets.leave_focus()  # what is typed now is not for the name below
        self.question = question

    def _finish(self, path: Path) -> None:
        self.close()
        self.then(path)


def _found(entry: os.DirEntry[str]) -> Found:
    try:
        return Found(entry.name, entry.is_dir(), entry.stat().st_mtime)
    except OSError:  # a link to nowhere
        return Found(entry.name, False, 0.0)


def _reachable(start: Path, saving: bool) -> Path:
    """`start`, or the same name in the home folder where the folder of `start` cannot be used."""
    try:
        (start.parent if saving else start).mkdir(parents=True, exist_ok=True)
        start.exists()  # raises where the folder is closed to us, as it would in the dialog
    except OSError:
        return Path.home() / start.name if saving else Path.home()
    return start


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112  (`Path.is_dir` raises for what is closed to us)


def _day(changed: float) -> str:
    return datetime.fromtimestamp(changed).strftime("%Y-%m-%d %H:%M") if changed else ""
