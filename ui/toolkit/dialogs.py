"""pygame_gui's menus, entries and dialogs, with the room and the habits that it does not give them.

Its dialogs have sizes in fixed pixels, so at 200 % their buttons would be slivers; here everything is in
design pixels. What is asked, or done with the answer, is for the scenes.
"""

from __future__ import annotations

import locale
import os
import re
from collections.abc import Callable
from pathlib import Path

import pygame
import pygame_gui
from pygame_gui.core import ObjectID
from pygame_gui.core.interfaces import IUIElementInterface
from pygame_gui.elements import (
    UIButton,
    UIDropDownMenu,
    UIProgressBar,
    UITextBox,
    UIWindow,
)
from pygame_gui.windows import UIFileDialog

from games.storage import name_problem
from ui.toolkit.controls import Choices, Entry
from ui.toolkit.i18n import t
from ui.toolkit.icons import put_icon
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import draw_ring

PADDING, CONTROL, GAP, TITLE_BAR = 20, 40, 8, 48
"""Design pixels: room inside a dialog, height of its buttons, room between them, height of its title."""

_ENDING = re.compile(r"\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)
"""An ending that stands for a kind of file: ``.sgf``, not the ``.11`` of a date."""

Anchors = dict[str, str | IUIElementInterface]
BOTTOM_RIGHT: Anchors = {"left": "right", "right": "right", "top": "bottom", "bottom": "bottom"}
ACROSS: Anchors = {"left": "left", "right": "right", "top": "top", "bottom": "top"}
ALL_SIDES: Anchors = {"left": "left", "right": "right", "top": "top", "bottom": "bottom"}


def centred(manager: pygame_gui.UIManager, width: int, height: int, margin: int) -> pygame.Rect:
    """A rectangle in the middle of the window that leaves at least `margin` around it."""
    across, down = manager.window_resolution
    rect = pygame.Rect(0, 0, min(width, across - 2 * margin), min(height, down - 2 * margin))
    rect.center = across // 2, down // 2
    return rect


class ProgressBar(UIProgressBar):
    """A progress bar without figures, so that it can be slim. `set_current_progress(percent)`."""

    def status_text(self) -> None:
        return None


class DropDown(UIDropDownMenu):
    """A drop-down menu with an arrow of ours: with that of pygame_gui, the open list is narrower than the menu.

    Its options are texts, or pairs of text and id; `selected_option` is the pair chosen.
    """

    marked: UIButton | None = None

    def update(self, time_delta: float) -> None:
        super().update(time_delta)
        button = self.current_state.selected_option_button if self.current_state else None
        if button is not None and button is not self.marked:
            self.marked = button
            size = round(button.rect.height * 0.45)
            put_icon(button, "down", size, (1 - size / button.rect.width / 2, 0.5))


class Dialog(UIWindow):
    """A message with one button, or a question with two, in front of everything else.

    With `action`, the text of a button, it is a question, and `command` is called when that button is
    pressed. It closes itself; Esc closes it too, and Enter presses the button.
    """

    def __init__(
        self,
        theme: Theme,
        manager: pygame_gui.UIManager,
        title: str,
        message: str,
        action: str = "",
        command: Callable[[], object] | None = None,
        *,
        danger: bool = False,
        width: int = 440,
    ) -> None:
        self.theme, self.command = theme, command
        px = theme.px
        inside = min(px(width), manager.window_resolution[0] - px(32)) - 2 * px(PADDING)
        measured = UITextBox(message, pygame.Rect(0, 0, inside, -1), manager)
        tall = measured.rect.height + px(4)
        measured.kill()
        rect = centred(manager, px(width), tall + px(TITLE_BAR + CONTROL + 2 * PADDING), px(16))
        super().__init__(rect, manager, title, element_id="message_window", object_id=ObjectID("#dialog"))
        _mark_close_button(self, theme)
        room = self.get_container().get_size()[1] - px(CONTROL + 2 * PADDING)
        self.words = UITextBox(message, pygame.Rect(px(PADDING), px(2), inside, room), manager, container=self)
        self.accept = self._button(action or t("common.close"), "@danger" if danger else "@primary", 0)
        self.cancel: UIButton | None = None
        if action:
            self.cancel = self._button(t("common.cancel"), "@quiet", self.accept.rect.width + px(GAP))
        self.reached = self.accept  # the button that has the focus
        self.set_blocking(True)

    def _button(self, text: str, style: str, from_right: int) -> UIButton:
        """A button at the bottom, `from_right` pixels left of the first place."""
        px = self.theme.px
        wide = max(px(104), self.theme.font(px(16), True).size(text)[0] + px(36))
        rect = pygame.Rect(0, 0, wide, px(CONTROL))
        rect.bottomright = -px(PADDING) - from_right, -px(PADDING)
        return UIButton(rect, text, self.ui_manager, self, object_id=ObjectID(None, style), anchors=BOTTOM_RIGHT)

    def process_event(self, event: pygame.event.Event) -> bool:
        consumed = bool(super().process_event(event))
        element = getattr(event, "ui_element", None) if event.type == pygame_gui.UI_BUTTON_PRESSED else None
        key = event.key if event.type == pygame.KEYDOWN else None
        if key == pygame.K_TAB:
            self.reached = self.cancel if self.cancel is not None and self.reached is self.accept else self.accept
            return True
        if key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            element = self.reached
        if element is self.accept:
            _close(self)
            if self.command is not None:
                self.command()
            return True
        if (element is not None and element is self.cancel) or key == pygame.K_ESCAPE:
            _close(self)
            return True
        return consumed


class FileDialog(UIFileDialog):
    """Picks a file to open or, with `saving`, a name to save under, or else a `folder`; `command` gets the path.

    `suffixes` are shown, and the first is added to a name without an ending; a name with the ending of another kind of
    file is refused. A file that would be replaced is asked about. Enter and a double click pick, Esc closes;
    pygame_gui's own does none of this.
    """

    def __init__(
        self,
        theme: Theme,
        manager: pygame_gui.UIManager,
        start: Path,
        suffixes: tuple[str, ...],
        command: Callable[[Path], object],
        *,
        say: Callable[[str], object],
        saving: bool = False,
        folder: bool = False,
    ) -> None:
        self.theme, self.saving, self.suffixes, self.command, self._say = theme, saving, suffixes, command, say
        self.folder = folder
        self.reached: UIButton | None = None  # the button that has the focus
        self.question: Dialog | None = None  # over this one, about the name; it takes the keys
        _make_locale_valid()
        super().__init__(
            centred(manager, theme.px(720), theme.px(560), theme.px(16)),
            manager,
            window_title=t(f"dialog.{'save' if saving else 'folder' if folder else 'open'}_title"),
            allowed_suffixes=set() if folder else set(suffixes),
            initial_file_path=str(start),
            allow_existing_files_only=not saving,
            allow_picking_directories=folder,
        )
        _mark_close_button(self, theme)
        self.set_blocking(True)

    def _setup_ui_elements(self) -> None:
        """Called by pygame_gui; it looks for these very attributes."""
        px = self.theme.px
        width, height = self.get_container().get_size()
        self._make_tools()
        left = px(PADDING + 3 * (CONTROL + 4) + 4)
        line = pygame.Rect(left, px(4), width - left - px(PADDING), px(CONTROL))
        self.file_path_text_line = Entry(line, self.ui_manager, self, object_id="#file_path_text_line", anchors=ACROSS)
        shown = self.current_file_path or Path(self.current_directory_path)
        self.file_path_text_line.set_text(str(shown))
        top = px(4 + CONTROL + 12)
        below = px(CONTROL + 2 * PADDING - 4)
        rows = pygame.Rect(px(PADDING), top, width - 2 * px(PADDING), height - top - below)
        self.files = self.file_selection_list = Choices(
            rows, self.current_file_list, self.ui_manager, container=self, object_id="#file_display_list",
            anchors=ALL_SIDES,
        )  # fmt: skip
        self._make_buttons()
        if self.current_file_path is not None:
            self._highlight_file_name_for_editing()

    def _highlight_file_name_for_editing(self) -> None:
        """Called by pygame_gui, which would leave a part of our ending to be typed over: `.json`."""
        UIFileDialog._highlight_file_name_for_editing(self)
        path, line = self.current_file_path, self.file_path_text_line
        if path is None or not self.saving:
            return
        ending = next((suffix for suffix in self.suffixes if path.name.lower().endswith(suffix)), path.suffix)
        text = line.get_text()
        line.edit_position = len(text) - len(ending)
        line.select_range = [len(text) - len(path.name), line.edit_position]

    def _make_tools(self) -> None:
        px = self.theme.px

        def tool(place: int, name: str, picture: str, tip: str) -> UIButton:
            rect = pygame.Rect(px(PADDING + place * (CONTROL + 4)), px(4), px(CONTROL), px(CONTROL))
            made = UIButton(
                rect, "", self.ui_manager, self, tool_tip_text=f"pygame-gui.{tip}", object_id=f"#{name}_icon_button"
            )
            put_icon(made, picture, px(20))
            return made

        self.home_button = tool(0, "home", "home", "Home_directory")
        self.parent_directory_button = tool(1, "parent", "up", "Parent_directory")
        self.refresh_button = tool(2, "refresh", "refresh", "Refresh_directory")
        # Files are not for a game to delete; the button stays, out of sight, because pygame_gui switches it.
        self.delete_button = tool(2, "delete", "trash", "Delete")
        self.delete_button.hide()

    def _make_buttons(self) -> None:
        px = self.theme.px
        confirm = t("common.save" if self.saving else "dialog.folder_action" if self.folder else "common.open")
        rect = pygame.Rect(0, 0, px(112), px(CONTROL))
        rect.bottomright = -px(PADDING), -px(PADDING - 4)
        self.ok_button = UIButton(
            rect, confirm, self.ui_manager, self, object_id="#ok_button", anchors=BOTTOM_RIGHT
        )  # fmt: skip
        rect.right -= px(112 + GAP)
        self.cancel_button = UIButton(
            rect, t("common.cancel"), self.ui_manager, self,
            object_id=ObjectID("#cancel_button", "@quiet"), anchors=BOTTOM_RIGHT,
        )  # fmt: skip
        if self.current_file_path is None or not self._validate_file_path(self.current_file_path):
            self.ok_button.disable()

    def process_event(self, event: pygame.event.Event) -> bool:
        element = getattr(event, "ui_element", None)
        if event.type == pygame_gui.UI_BUTTON_PRESSED and element is self.ok_button:
            self.pick()
            return True
        if event.type == pygame.KEYDOWN and self._key(event):
            return True
        if event.type == pygame.MOUSEBUTTONDOWN:
            self.reached = None
        consumed = bool(super().process_event(event))
        typed = event.type == pygame_gui.UI_TEXT_ENTRY_FINISHED and element is self.file_path_text_line
        twice = event.type == pygame_gui.UI_SELECTION_LIST_DOUBLE_CLICKED_SELECTION
        if typed or (twice and element is self.file_selection_list):
            self.pick()
        return consumed

    def _key(self, event: pygame.event.Event) -> bool:
        """Up and Down choose in the list, Enter takes what is chosen, with Alt Up leaves the folder, Tab goes from
        the list to the name, to each button and back, Enter and Space press a button that has it, Esc closes."""
        files, line = self.files, self.file_path_text_line
        if event.key == pygame.K_ESCAPE:
            _close(self)
        elif event.key == pygame.K_TAB:
            self._move_focus(-1 if event.mod & pygame.KMOD_SHIFT else 1)
        elif self.reached is not None and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            pressed = pygame.event.Event(pygame_gui.UI_BUTTON_PRESSED, ui_element=self.reached, mouse_button=1)
            self.process_event(pressed)
        elif event.key == pygame.K_UP and event.mod & pygame.KMOD_ALT:
            self._change_directory_path(Path(self.current_directory_path).parent)
        elif event.key in (pygame.K_UP, pygame.K_DOWN):
            self._manager().set_focus_set(None)
            self.reached = None
            files.step(-1 if event.key == pygame.K_UP else 1)
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and files.at is not None and not line.is_focused:
            chosen = Path(self.current_directory_path) / files.item_list[files.at]["text"]
            (self._change_directory_path(chosen) if _is_folder(chosen) else self.pick())
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.saving and not line.is_focused:
            self.pick()
        else:
            return False
        return True

    def _move_focus(self, step: int) -> None:
        """To the next or the previous of what can be used."""
        buttons = (
            self.home_button, self.parent_directory_button, self.refresh_button, self.cancel_button, self.ok_button,
        )  # fmt: skip
        rows, line = self.files, self.file_path_text_line
        stops = [rows, line, *(button for button in buttons if button is not None and button.is_enabled)]
        here = line if line.is_focused else self.reached
        to = stops[((stops.index(here) if here in stops else 0) + step) % len(stops)]
        self._manager().set_focus_set(line if to is line else None)
        self.reached = to if isinstance(to, UIButton) else None

    def draw_focus(self, surface: pygame.Surface) -> None:
        """The ring around the button or the line that has the focus."""
        if self.question is not None and self.question.alive():  # type: ignore[no-untyped-call]
            draw_ring(surface, self.theme, self.question.reached.rect)
        elif self.reached is not None and self.reached.is_enabled:
            draw_ring(surface, self.theme, self.reached.rect)
        elif self.file_path_text_line.is_focused:
            draw_ring(surface, self.theme, self.file_path_text_line.rect)

    def pick(self) -> None:
        """Answers with the file that is chosen or named, if there is one; says what is wrong with a name that no file
        can have."""
        if problem := self._problem():
            self._say(t(f"library.name.{problem}"))
            return
        if self.folder:
            self._pick_folder()
            return
        path = self.current_file_path
        if path is None or _is_folder(path) or not self._validate_file_path(path):
            return
        if not self.saving:
            self._answer(path)
            return
        if foreign := self._foreign_ending(path.name):
            known = t("dialog.format", ending=foreign, kinds=", ".join(self.suffixes))
            self._ask(t("dialog.format_title"), known)
            return
        if not path.name.lower().endswith(self.suffixes):
            path = path.with_name(path.name + self.suffixes[0])
        if os.path.exists(path):  # noqa: PTH110  (`Path.exists` raises for a name that is too long)
            question = t("dialog.replace", name=path.name)
            replace = t("dialog.replace_action")
            self._ask(t("dialog.replace_title"), question, replace, lambda: self._answer(path))
        else:
            self._answer(path)

    def _foreign_ending(self, name: str) -> str:
        """The ending of `name` if it is that of a kind of file in which no game can be saved."""
        if name.lower().endswith(self.suffixes):
            return ""
        found = _ENDING.search(name)
        return "" if found is None else found[0]

    def _ask(
        self, title: str, message: str, action: str = "", command: Callable[[], object] | None = None
    ) -> None:
        """Opens a message or a question over this dialog."""
        self._manager().set_focus_set(None)
        self.file_path_text_line.unfocus()  # what is typed now is not for the name below
        self.question = Dialog(
            self.theme, self._manager(), title, message, action, command, danger=bool(action)
        )  # fmt: skip

    def _problem(self) -> str:
        """What is wrong with what is typed, as in `name_problem`."""
        parts = Path(self.file_path_text_line.get_text()).parts
        ending = "" if not self.saving or self.folder or self._ends_as_known(parts) else self.suffixes[0]
        named = [*parts[:-1], *(part + ending for part in parts[-1:])]
        return next(filter(None, map(name_problem, named)), "")

    def _ends_as_known(self, parts: tuple[str, ...]) -> bool:
        return bool(parts) and parts[-1].lower().endswith(self.suffixes)

    def _pick_folder(self) -> None:
        """The folder that is named; one that is not there yet will be made."""
        try:
            path = Path(self.file_path_text_line.get_text()).expanduser().absolute()
            fits = path.is_dir() or (path.parent.is_dir() and not path.exists())
        except (OSError, RuntimeError):  # a name that is too long, a place that is not open to us, nobody's home
            return
        if fits:
            self._answer(path)

    def _create_list_of_directories_and_files_on_current_path(self) -> None:
        """Called by pygame_gui, which knows of two errors only; a socket, say, is listed and is no folder."""
        try:
            UIFileDialog._create_list_of_directories_and_files_on_current_path(self)
        except OSError as error:
            raise PermissionError from error

    def _process_file_path_entry_events(self, event: pygame.event.Event) -> None:
        """Called by pygame_gui, which looks for what is typed, however long it is and wherever it would be."""
        if getattr(event, "ui_element", None) is self.file_path_text_line and self._problem():
            self._set_no_file_selected_state()
            self.ok_button.enable()  # it says what is wrong
            return
        try:
            UIFileDialog._process_file_path_entry_events(self, event)
        except OSError:
            self._set_no_file_selected_state()

    def _set_no_file_selected_state(self) -> None:
        """Called by pygame_gui, which takes a folder that is typed for no choice."""
        UIFileDialog._set_no_file_selected_state(self)
        if self.folder:
            self.ok_button.enable()

    def _manager(self) -> pygame_gui.UIManager:
        assert isinstance(self.ui_manager, pygame_gui.UIManager)
        return self.ui_manager

    def _answer(self, path: Path) -> None:
        _close(self)
        self.command(path)


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112  (`Path.is_dir` raises for what is closed to us)


def _close(window: UIWindow) -> None:
    window.kill()


def _mark_close_button(window: UIWindow, theme: Theme) -> None:
    """An icon in place of a character that few fonts have."""
    if window.close_window_button is not None:
        window.close_window_button.set_text("")
        put_icon(window.close_window_button, "close", theme.px(18))


def _make_locale_valid() -> None:
    """pygame_gui's dialog sets the locale of the environment, and would fail where that one is not installed."""
    try:
        locale.setlocale(locale.LC_ALL, "")
    except locale.Error:
        os.environ["LC_ALL"] = "C"
