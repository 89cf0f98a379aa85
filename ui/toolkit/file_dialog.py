"""The choice of a file or a folder: to open, or to save under a name and in a format.

It is our own: SDL 2 and pygame-ce have no system dialog, tkinter's needs Tcl and an event loop of its own, and the
wrappers of zenity or kdialog need programs that may not be there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import platformdirs
import pygame

from games.storage import name_problem, saves_home
from ui.toolkit.controls import ListRow, ListView
from ui.toolkit.dialogs import CONTROL, GAP, Dialog, Menu, Question
from ui.toolkit.i18n import t, time_text
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
    """A file or folder in a folder; `time` is when it was changed, 0 if unknown."""

    name: str
    is_folder: bool
    time: float


class FileDialog(Dialog):
    """Picks a file to open; with `saving`, a name to save under; with `folder`, a folder. `then` gets the path.

    It lists the files with one of the endings `suffixes`, or of the kind that is chosen. When a file is to be opened,
    what is typed after the folder filters the list. A name to save under that has no ending gets that of the chosen
    kind; a name with the ending of another kind of file is refused. Before a file is replaced, the person is asked.
    `said` is a sentence about a name that no file can have, empty if there is none. `recent` are folders used before.
    `kind_name` returns what files with an ending are called.
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
        start = _usable_start(start, saving)
        self.here = start.parent if saving else start
        self.order = "name"
        self.kind = (self._known_ending(start.name) or suffixes[0]) if saving else ""
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
        """Return the ending of a name: one of `suffixes`, else its last suffix, which may be empty."""
        return self._known_ending(name) or Path(name).suffix

    def _known_ending(self, name: str) -> str:
        """Return which of `suffixes` a name ends with; empty if none."""
        return next((suffix for suffix in self.suffixes if name.lower().endswith(suffix)), "")

    def build(self, space: Space) -> None:
        """Create the path with the button of the parent folder, the places at the left, the order, the list of files
        and, at the bottom, the kind of file and the buttons. Then read the folder, as it may have changed."""
        theme, button = self.display.theme, self.widgets.button
        px = theme.px
        head = Space(space.top(px(CONTROL)), px(GAP))
        up = head.left(px(CONTROL))
        self.line = TextLine(theme, head.rest, self._text, _LONGEST, self._handle_text, lambda _: self.pick())
        self.widgets.add("path", self.line)
        button("up", up, "", self._enter_parent, style="@icon", icon="up", tip=t("dialog.up"), key="alt+up")
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
        self.buttons(Space(foot.rest), ok, ("cancel", t("common.cancel"), self.close, "@quiet"))
        if isinstance(self.question, Menu):
            self.question = None  # it was placed for another window
        self._list_folder()

    def _build_places(self, side: Space) -> None:
        """Add a button for each place: the common folders, and below them the recent ones."""
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
                self._add_place(side.top(height), f"place.{name}", text, icons.get(name, "folder"), place)
        side.top(px(8))
        others = [place for place in self._recent if place not in known.values() and _is_folder(place)]
        for number, place in enumerate(others[:_MOST_RECENT]):
            self._add_place(side.top(height), f"place.recent{number}", place.name or str(place), "folder", place)

    def _add_place(self, rect: pygame.Rect, name: str, text: str, icon: str, place: Path) -> None:
        """Add a button that enters the folder `place`, and note the folder under the button's name."""
        shown = fitted(self.display.theme, text, rect.width - self.display.theme.px(52), 14)
        self._places[name] = place
        self.widgets.button(name, rect, shown, partial(self._enter, place), style="@row", icon=icon, tip=str(place))

    # The kind of file.

    def _kind_text(self) -> str:
        """The name of the chosen kind of file."""
        return self._kind_name(self.kind) if self.kind else t("dialog.all_kinds")

    def _ask_kind(self) -> None:
        """Open the menu of the kinds of files."""
        options = [] if self.saving else [("", t("dialog.all_kinds"))]
        options += [(suffix, self._kind_name(suffix)) for suffix in self.suffixes]
        self.question = Menu(self.display, self._kind_button.rect, options, self.kind, self._choose_kind)

    def _choose_kind(self, kind: str) -> None:
        """List the files of this kind, and give a name to save under its ending."""
        named = Path(self._text)
        if self.saving and named.name and self._has_known_ending(named.name):
            stem = named.name[: -len(self._ending(named.name))]
            self._show_path(named.with_name(stem + kind))
        self._set_kind(kind)
        self._list_folder()

    def _set_kind(self, kind: str) -> None:
        """Set the kind of file, without reading the folder again."""
        self.kind = kind
        self._kind_button.text = self._kind_text()

    # The folder.

    def _list_folder(self) -> None:
        """Read the folder and list what is in it, without hidden files; or say why nothing is listed."""
        self.files.empty = t(f"dialog.no_{'files' if self.saving else 'folders' if self.folder else 'games'}")
        try:
            with os.scandir(self.here) as entries:
                found = [_folder_item(entry) for entry in entries if not entry.name.startswith(".")]
        except OSError:
            found = []
            self.files.empty = t("dialog.closed")
        kinds = self.kind or self.suffixes
        shown = (one for one in found if one.is_folder or (not self.folder and one.name.lower().endswith(kinds)))
        dated = self.order == "date"
        self._there = sorted(shown, key=lambda one: (not one.is_folder, -dated * one.time, _sort_key(one.name)))
        for name, place in self._places.items():
            self.widgets.choose(name, place == self.here)
        self._filter()

    def _filter(self) -> None:
        """List only what has the typed part in its name, and choose the first row if a part was typed."""
        part = self._part.lower()
        self.found = [one for one in self._there if part in one.name.lower()]
        rows = [ListRow(one.name, _date_text(one.time), "folder" if one.is_folder else "board") for one in self.found]
        self.files.show(rows)
        self.files.at = 0 if part and rows else None
        self._update_ok()

    def _has_known_ending(self, name: str) -> bool:
        """Whether a name ends with one of `suffixes`."""
        return name.lower().endswith(self.suffixes)

    def _sort(self, order: str) -> None:
        """Sort the list by ``name`` or ``date``."""
        self.order = order
        for other in ("name", "date"):
            self.widgets.choose(f"sort.{other}", other == order)
        self._list_folder()

    def _enter(self, folder: Path) -> None:
        """List what is in `folder`. A name to save under is kept."""
        name = Path(self._text).name if self.saving else ""
        self.here, self._part = folder, ""
        self._show_path(folder / name)
        self._list_folder()

    def _enter_parent(self) -> None:
        """Enter the parent folder."""
        self._enter(self.here.parent)

    def _path_text(self, path: Path) -> str:
        """Return `path` as a text; when a file is to be opened, a folder ends with a separator, for its name to be
        typed after it."""
        return os.path.join(path, "") if self._opening and _is_folder(path) else str(path)  # noqa: PTH118

    def _show_path(self, path: Path) -> None:
        """Show `path` in the text field."""
        self._text, self.said = self._path_text(path), ""
        self.line.set_text(self._text)

    def _propose_row(self, row: int) -> None:
        """Show the path of the chosen row in the text field; that of a folder only if a folder is picked."""
        if not self.found[row].is_folder or self.folder:
            self._show_path(self.here / self.found[row].name)
        self._update_ok()

    def _open_row(self, row: int) -> None:
        """Enter the folder of a row, or answer with its file."""
        path = self.here / self.found[row].name
        if _is_folder(path):
            self._enter(path)
        else:
            self._show_path(path)
            self.pick()

    def _handle_text(self, text: str) -> None:
        """Handle a change of the typed path: its ending chooses the kind of a file to save; for a file to open, its
        folder is entered, and the rest filters the list."""
        self._text, self.said = text, ""
        if self.saving and self._known_ending(text) not in ("", self.kind):
            self._set_kind(self._known_ending(text))
        if not self._opening:
            self._update_ok()
            return
        folder, self._part = os.path.split(os.path.expanduser(text))  # noqa: PTH111  (`Path.expanduser` raises)
        if folder != str(self.here) and _is_folder(Path(folder)):
            self.here = Path(folder)
            self._list_folder()
        else:
            self._filter()

    # The keyboard.

    def handle(self, event: pygame.event.Event) -> bool:
        """Pass events to a question or menu in front if there is one. Else Alt+Up enters the parent folder, a window
        that gets the focus reads the folder anew, and keys of the list work while the path has the focus."""
        if (over := self.question) is not None:
            if not over.handle(event) and self.question is over:
                self.question = None
            return self.alive
        if event.type == pygame.KEYDOWN and event.key == pygame.K_UP and event.mod & pygame.KMOD_ALT:
            self._enter_parent()
        elif event.type == pygame.WINDOWFOCUSGAINED:
            self._list_folder()  # something may have been done to the files meanwhile
        elif event.type == pygame.KEYDOWN and event.key in _LIST_KEYS and self.line.focused:
            self.files.key(event)
        else:
            return super().handle(event)
        return True

    def key(self, event: pygame.event.Event) -> None:
        """Pass keys to the list, wherever the focus is; Enter answers as `pick` does."""
        if not self.files.key(event) and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self.pick()

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the dialog, and in front of it the question or menu that it asks, if any."""
        super().draw(surface)
        if self.question is not None:
            self.question.draw(surface)

    # The answer.

    def _path(self) -> Path:
        """Return the typed path as an absolute one."""
        return Path(self._text).expanduser().absolute()

    def _update_ok(self) -> None:
        """Enable the confirm button if `pick` can do something: answer, open the chosen row, or say what is wrong with
        the name."""
        fits = bool(self._problem()) or self.folder or self._can_answer()
        self.widgets.enable("ok", fits or self._marked_row is not None)

    @property
    def _marked_row(self) -> int | None:
        """The chosen row that `pick` opens, since the text is not the path of its file; None if there is none."""
        row = self.files.at if self._opening else None
        if row is None or self.found[row].is_folder:
            return row
        return None if self._text == str(self.here / self.found[row].name) else row

    def _problem(self) -> str:
        """Return why no file can have the typed name, as `name_problem` does; empty if one can."""
        parts = Path(self._text).parts
        ending = self.kind if self.saving and not (parts and self._has_known_ending(parts[-1])) else ""
        named = [*parts[:-1], *(part + ending for part in parts[-1:])]
        return next(filter(None, map(name_problem, named)), "")

    def _can_answer(self) -> bool:
        """Whether the typed path can be the answer: a file that exists; a name to save under, or a new folder, in a
        folder that exists."""
        try:
            path = self._path()
            if self.folder:
                return path.is_dir() or (path.parent.is_dir() and not path.exists())
            return (path.parent.is_dir() and not path.is_dir()) if self.saving else path.is_file()
        except (OSError, RuntimeError, ValueError):  # too long a name, a place that is closed to us, nobody's home
            return False

    def pick(self) -> None:
        """Answer with the typed path if it can be the answer; else open the chosen row, or enter a typed folder. Say
        what is wrong with a name that no file can have."""
        if problem := self._problem():
            self.said = t(f"library.name.{problem}")
        elif self._can_answer():
            self._answer(self._path())
        elif self._marked_row is not None:
            self._open_row(self._marked_row)
        elif not self.folder and self._text and _is_folder(Path(self._text)):
            self._enter(Path(self._text))
        if self.alive and self._opening:
            self.widgets.focus = "path"  # which Enter has left

    def _answer(self, path: Path) -> None:
        """Answer with `path`; but before saving, refuse an unknown ending, and ask whether to replace a file."""
        if not self.saving:
            self._finish(path)
            return
        ending = "" if self._has_known_ending(path.name) else _ENDING.search(path.name)
        if ending:
            text = t("dialog.format", ending=ending[0], kinds=", ".join(self.suffixes))
            self._show_question(Question(self.display, t("dialog.format_title"), text))
            return
        if not self._has_known_ending(path.name):
            path = path.with_name(path.name + self.kind)
        if not os.path.exists(path):  # noqa: PTH110  (`Path.exists` raises for a name that is too long)
            self._finish(path)
            return
        text, finish = t("dialog.replace", name=path.name), partial(self._finish, path)
        title, action = t("dialog.replace_title"), t("dialog.replace_action")
        self._show_question(Question(self.display, title, text, action, finish, danger=True))

    def _show_question(self, question: Question) -> None:
        """Show a question over the dialog."""
        self.widgets.leave_focus()  # what is typed now is not for the name below
        self.question = question

    def _finish(self, path: Path) -> None:
        """Close the dialog, and pass on the path."""
        self.close()
        self.then(path)


def _sort_key(name: str) -> list[str]:
    """Return a key that sorts numbers in names by their value, and letters of either case alike."""
    return [part.rjust(12, "0") if part.isdecimal() else part for part in re.split(r"(\d+)", name.lower())]


def _folder_item(entry: os.DirEntry[str]) -> FolderItem:
    """Return the item for an entry of a folder; a broken link counts as a file of unknown time."""
    try:
        return FolderItem(entry.name, entry.is_dir(), entry.stat().st_mtime)
    except OSError:  # a link to nowhere
        return FolderItem(entry.name, False, 0.0)


def _usable_start(start: Path, saving: bool) -> Path:
    """Return `start`, and create its folder if it is missing; if that folder cannot be used, return the home folder,
    with the name to save under."""
    try:
        (start.parent if saving else start).mkdir(parents=True, exist_ok=True)
        start.exists()  # raises where the folder is closed to us, as it would in the dialog
    except OSError:
        return Path.home() / start.name if saving else Path.home()
    return start


def _is_folder(path: Path) -> bool:
    """Whether `path` is a folder; False if that cannot be found out."""
    return os.path.isdir(path)  # noqa: PTH112  (`Path.is_dir` raises for what is closed to us)


def _date_text(changed: float) -> str:
    """Format the time of a file's change, in seconds; empty for 0, and where no calendar has it."""
    return time_text(changed, "%Y-%m-%d %H:%M") if changed else ""
