"""The choice of a file or a folder: to open, or to save under a name and in a format.

It is our own: SDL 2 and pygame-ce have no system dialog, tkinter's needs Tcl and an event loop of its own, and the
wrappers of zenity or kdialog need programs that may not be there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import platformdirs
import pygame

from games.storage import name_problem, saves_home
from ui.toolkit.controls import ListRow, ListView
from ui.toolkit.dialogs import CONTROL, GAP, Dialog, Menu, Question
from ui.toolkit.i18n import t
from ui.toolkit.space import Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.theme import Display
from ui.toolkit.typesetting import fitted

_LONGEST = 4096  # characters of a path
_MOST_RECENT = 4  # folders
_LIST_KEYS = (pygame.K_UP, pygame.K_DOWN, pygame.K_PAGEUP, pygame.K_PAGEDOWN)

_ENDING = re.compile(r"\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)
"""An ending that stands for a kind of file: ``.sgf``, not the ``.11`` of a date."""


class FolderItem(NamedTuple):
    """What lies in a folder; `time` is when it was changed."""

    name: str
    is_folder: bool
    time: float


class FileDialog(Dialog):
    """Picks a file to open or, with `saving`, a name to save under, or else a `folder`; `then` gets the path.

    Files with one of the `suffixes` are shown, or of the one that is chosen. In the choice of a file to open, what is
    typed after the folder narrows the list. A name without an ending gets that of the
    chosen kind; a name with the ending of another kind of file is refused. A file that would be replaced is asked
    about. `said` is shown: a sentence about a name that no file can have. `recent` are folders used before. `kind_name`
    tells what files with an ending are called.
    """

    line: TextLine
    files: ListView

    def __init__(
        self, display: Display, start: Path, suffixes: tuple[str, ...], then: Callable[[Path], object], *,
        saving: bool = False, folder: bool = False, title: str = "", recent: Sequence[Path] = (),
        kind_name: Callable[[str], str] = str,
    ) -> None:  # fmt: skip
        self.suffixes, self.then, self.said, self._kind_name = suffixes, then, "", kind_name
        self.saving, self.folder, self._opening = saving, folder, not (saving or folder)
        start = _reachable(start, saving)
        self.here = start if not saving and _is_folder(start) else start.parent
        self.order = "name"
        self.kind = (self._ending_of(start.name) or suffixes[0]) if saving else ""
        """The suffix of the chosen kind of file; empty for all."""
        self._recent = recent
        self.found: list[FolderItem] = []
        self._there: list[FolderItem] = []  # all of the folder; `found` are those with `_part` in the name
        self._part = ""
        self.question: Question | Menu | None = None  # over this one; it takes the events
        self._text = self._path_text(start)
        kind = "save" if saving else "folder" if folder else "open"
        super().__init__(display, title or t(f"dialog.{kind}_title"), 760, 568)
        if not folder:
            self.widgets.focus = "path"
        if saving:
            self.line.select(len(self._text) - len(start.name), len(self._text) - len(self._ending(start.name)))

    def _ending(self, name: str) -> str:
        """The ending of a name: that of a format, or else its last suffix."""
        return self._ending_of(name) or Path(name).suffix

    def _ending_of(self, name: str) -> str:
        """The ending of a name, if it is one of the dialog's; else empty."""
        return next((suffix for suffix in self.suffixes if name.lower().endswith(suffix)), "")

    def build(self, space: Space) -> None:
        theme, button = self.display.theme, self.widgets.button
        px = theme.px
        head = Space(space.top(px(CONTROL)), px(GAP))
        up = head.left(px(CONTROL))
        self.line = TextLine(theme, head.rest, self._text, _LONGEST, self._take_text, lambda _: self.pick())
        self.widgets.add("path", self.line)
        button("up", up, "", self._up, style="@icon", icon="up", tip=t("dialog.up"), key="alt+up")
        below = space.bottom(px(CONTROL))
        self.widgets.label(space.bottom(px(20)), lambda: self.said, 14, theme.palette.bad)
        side = Space(space.left(px(172)), px(4))
        self._build_places(side)
        orders = [(order, t(f"dialog.sort.{order}")) for order in ("name", "date")]
        row = space.top(px(32))
        row = pygame.Rect(row.right - px(260), row.top, px(260), row.height)
        self.widgets.choice("sort", columns(row, 2, px(GAP)), orders, self.order, self._sort)
        self.files = self.widgets.add("files", ListView(theme, space.rest, (), self._propose_row, self._open_row))
        confirm = t("common.save" if self.saving else "dialog.folder_action" if self.folder else "common.open")
        ok = ("ok", confirm, self.pick, "@primary")
        foot = Space(below, px(GAP))
        if not self.folder:
            self._kind_button = button("kind", foot.left(px(340)), self._kind_text(), self._ask_kind, style="@menu")
        self.buttons(Space(foot.rest, 0), ok, ("cancel", t("common.cancel"), self.close, "@quiet"))
        if isinstance(self.question, Menu):
            self.question = None  # it was placed for another window
        self._list()

    def _build_places(self, side: Space) -> None:
        """A button for each place: folders that everybody has, and below them those used last."""
        px, height = self.display.theme.px, self.display.theme.px(32)
        self._places: dict[str, Path] = {}
        known = {
            "home": Path.home(), "desktop": platformdirs.user_desktop_path(),
            "documents": platformdirs.user_documents_path(), "saves": saves_home(),
        }  # fmt: skip
        icons = {"home": "home", "saves": "library"}
        for name, place in known.items():
            if _is_folder(place):
                text = t(f"dialog.place.{name}")
                self._place(side.top(height), f"place.{name}", text, icons.get(name, "folder"), place)
        side.top(px(8))
        others = [place for place in self._recent if place not in known.values() and _is_folder(place)]
        for number, place in enumerate(others[:_MOST_RECENT]):
            self._place(side.top(height), f"place.recent{number}", place.name or str(place), "folder", place)

    def _place(self, rect: pygame.Rect, name: str, text: str, icon: str, place: Path) -> None:
        """A button that goes to a folder, and the folder of its name."""
        shown = fitted(self.display.theme, text, rect.width - self.display.theme.px(52), 14)
        self._places[name] = place
        self.widgets.button(name, rect, shown, partial(self._enter, place), style="@row", icon=icon, tip=str(place))

    # The kind of file.

    def _kind_text(self) -> str:
        return self._kind_name(self.kind) if self.kind else t("dialog.all_kinds")

    def _ask_kind(self) -> None:
        """Open the menu of the kinds of files."""
        options = [] if self.saving else [("", t("dialog.all_kinds"))]
        options += [(suffix, self._kind_name(suffix)) for suffix in self.suffixes]
        self.question = Menu(self.display, self._kind_button.rect, options, self.kind, self._choose_kind)

    def _choose_kind(self, kind: str) -> None:
        """Show files of this kind, and give the name its ending."""
        named = Path(self._text)
        if self.saving and named.name and self._has_known_ending(named.name):
            stem = named.name[: -len(self._ending(named.name))]
            self._show_path(named.with_name(stem + kind))
        self._set_kind(kind)
        self._list()

    def _set_kind(self, kind: str) -> None:
        """Show only files of a kind."""
        self.kind = kind
        self._kind_button.text = self._kind_text()

    # The folder.

    def _list(self) -> None:
        """Read the folder, and show what lies there, or say why nothing is listed."""
        self.files.empty = t(f"dialog.no_{'files' if self.saving else 'folders' if self.folder else 'games'}")
        try:
            with os.scandir(self.here) as entries:
                found = [_item_of(entry) for entry in entries if not entry.name.startswith(".")]
        except OSError:
            found = []
            self.files.empty = t("dialog.closed")
        kinds = self.kind or self.suffixes
        shown = (one for one in found if one.is_folder or (not self.folder and one.name.lower().endswith(kinds)))
        dated = 1 if self.order == "date" else 0
        self._there = sorted(shown, key=lambda one: (not one.is_folder, -dated * one.time, _sort_key(one.name)))
        for name, place in self._places.items():
            self.widgets.choose(name, place == self.here)
        self._narrow()

    def _narrow(self) -> None:
        """Show what has the typed part in its name, and mark the first of them."""
        part = self._part.lower()
        self.found = [one for one in self._there if part in one.name.lower()]
        rows = [ListRow(one.name, _day(one.time), "folder" if one.is_folder else "board") for one in self.found]
        self.files.show(rows)
        self.files.at = 0 if part and rows else None
        self._fit_ok()

    def _has_known_ending(self, name: str) -> bool:
        return name.lower().endswith(self.suffixes)

    def _sort(self, order: str) -> None:
        """Sort the list by name or date."""
        self.order = order
        for other in ("name", "date"):
            self.widgets.choose(f"sort.{other}", other == order)
        self._list()

    def _enter(self, folder: Path) -> None:
        """Show what is in `folder`. A name to save under is kept."""
        name = Path(self._text).name if self.saving else ""
        self.here, self._part = folder, ""
        self._show_path(folder / name)
        self._list()

    def _up(self) -> None:
        """Enter the folder above."""
        self._enter(self.here.parent)

    def _path_text(self, path: Path) -> str:
        """`path` as a text, after which the name of a file to open can be typed."""
        return os.path.join(path, "") if self._opening and _is_folder(path) else str(path)  # noqa: PTH118

    def _show_path(self, path: Path) -> None:
        """Show `path` in the text field."""
        self._text, self.said = self._path_text(path), ""
        self.line.set_text(self._text)

    def _propose_row(self, row: int) -> None:
        """A file in the list is proposed; a folder where it is a folder that is looked for."""
        if not self.found[row].is_folder or self.folder:
            self._show_path(self.here / self.found[row].name)
        self._fit_ok()

    def _open_row(self, row: int) -> None:
        """Enter a folder, or finish with a file."""
        path = self.here / self.found[row].name
        if _is_folder(path):
            self._enter(path)
        else:
            self._show_path(path)
            self.pick()

    def _take_text(self, text: str) -> None:
        """Take the typed name: the ending chooses the format, a folder in it is entered, the rest filters."""
        self._text, self.said = text, ""
        if self.saving and self._ending_of(text) not in ("", self.kind):
            self._set_kind(self._ending_of(text))
        if not self._opening:
            self._fit_ok()
            return
        folder, self._part = os.path.split(os.path.expanduser(text))  # noqa: PTH111  (`Path.expanduser` raises)
        if folder != str(self.here) and _is_folder(Path(folder)):
            self.here = Path(folder)
            self._list()
        else:
            self._narrow()

    # The keyboard.

    def handle(self, event: pygame.event.Event) -> bool:
        if (over := self.question) is not None:
            if not over.handle(event) and self.question is over:
                self.question = None
            return self.alive
        if event.type == pygame.KEYDOWN and event.key == pygame.K_UP and event.mod & pygame.KMOD_ALT:
            self._up()
        elif event.type == pygame.WINDOWFOCUSGAINED:
            self._list()  # something may have been done to the files meanwhile
        elif event.type == pygame.KEYDOWN and event.key in _LIST_KEYS and self.line.focused:
            self.files.key(event)
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
        """The typed path, absolute."""
        return Path(self._text).expanduser().absolute()

    def _fit_ok(self) -> None:
        """The button can be pressed where it has an answer, or something to say about the name."""
        fits = bool(self._problem()) or self.folder or self._fits()
        self.widgets.enable("ok", fits or self._marked_row is not None)

    @property
    def _marked_row(self) -> int | None:
        """The row that is taken where what is typed is not the name of a file."""
        row = self.files.at if self._opening else None
        return None if row is None or self._text == str(self.here / self.found[row].name) else row

    def _problem(self) -> str:
        """What is wrong with what is typed, as in `name_problem`."""
        parts = Path(self._text).parts
        ending = self.kind if self.saving and not (parts and self._has_known_ending(parts[-1])) else ""
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
        """Answer with what is chosen or named, if it can be the answer; say what is wrong with a name that no file
        can have, and enter a folder that is not looked for."""
        if problem := self._problem():
            self.said = t(f"library.name.{problem}")
        elif self._fits():
            self._answer(self._path())
        elif self._marked_row is not None:
            self._open_row(self._marked_row)
        elif not self.folder and self._text and _is_folder(Path(self._text)):
            self._enter(Path(self._text))
        if self.alive and self._opening:
            self.widgets.focus = "path"  # which Enter has left

    def _answer(self, path: Path) -> None:
        """Finish with `path`; before saving, ask about an unknown ending or an existing file."""
        if not self.saving:
            self._finish(path)
            return
        ending = "" if self._has_known_ending(path.name) else _ENDING.search(path.name)
        if ending:
            text = t("dialog.format", ending=ending[0], kinds=", ".join(self.suffixes))
            self._ask(Question(self.display, t("dialog.format_title"), text))
            return
        if not self._has_known_ending(path.name):
            path = path.with_name(path.name + self.kind)
        if not os.path.exists(path):  # noqa: PTH110  (`Path.exists` raises for a name that is too long)
            self._finish(path)
            return
        text, finish = t("dialog.replace", name=path.name), partial(self._finish, path)
        title, action = t("dialog.replace_title"), t("dialog.replace_action")
        self._ask(Question(self.display, title, text, action, finish, danger=True))

    def _ask(self, question: Question) -> None:
        """Show a question or a menu over the dialog."""
        self.widgets.leave_focus()  # what is typed now is not for the name below
        self.question = question

    def _finish(self, path: Path) -> None:
        self.close()
        self.then(path)


def _sort_key(name: str) -> list[str]:
    """Numbers in a name count by their value, and letters of either case alike."""
    return [part.rjust(12, "0") if part.isdecimal() else part for part in re.split(r"(\d+)", name.lower())]


def _item_of(entry: os.DirEntry[str]) -> FolderItem:
    """The name, kind and date of an entry of a folder; of a broken one the name only."""
    try:
        return FolderItem(entry.name, entry.is_dir(), entry.stat().st_mtime)
    except OSError:  # a link to nowhere
        return FolderItem(entry.name, False, 0.0)


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
