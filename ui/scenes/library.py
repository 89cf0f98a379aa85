"""The saved games: found by words and filters, looked at, opened, renamed, thrown away and exported."""

from __future__ import annotations

import time

import pygame
import pygame_gui

from games.library.rows import Entry
from ui.board.thumbnails import Thumbnails
from ui.host import Host
from ui.panels.cards import Cards
from ui.panels.game_details import draw_details
from ui.scene import MARGIN
from ui.scenes.library_layout import LibraryLayout
from ui.system import trace
from ui.toolkit.i18n import t
from ui.toolkit.icons import icon
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.menu import Menu
from ui.toolkit.text import width_of, wrapped, write

_WHEEL = 96  # design pixels a notch of the wheel scrolls
_SLOW = 0.5  # seconds of reading after which the status line says so


class LibraryScene(LibraryLayout):
    name = "library"
    bindings = (
        Binding(("left",), "do_left", "library.key.left"),
        Binding(("right",), "do_right", "library.key.right"),
        Binding(("up",), "do_up", "library.key.up"),
        Binding(("down",), "do_down", "library.key.down"),
        Binding(("pageup",), "do_page_up", "library.key.page_up"),
        Binding(("pagedown",), "do_page_down", "library.key.page_down"),
        Binding(("home",), "do_first", "library.key.first"),
        Binding(("end",), "do_last", "library.key.last"),
        Binding(("return",), "do_open_game", "library.open"),
        Binding(("ctrl+return",), "do_continue", "keys.continue"),
        Binding(("space",), "do_toggle", "library.key.toggle"),
        Binding(("ctrl+a",), "do_all", "library.key.all"),
        Binding(("ctrl+f",), "do_search", "library.search"),
        Binding(("f2",), "do_rename", "library.rename"),
        Binding(("delete",), "do_delete", "library.delete"),
        Binding(("ctrl+z",), "do_undo", "library.undo"),
        Binding(("ctrl+e",), "do_export", "library.export"),
        Binding(("ctrl+n",), "do_new", "keys.new"),
        Binding(("ctrl+o",), "do_open", "keys.open"),
        Binding(("escape",), "do_back", "keys.back"),
    )

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.hover: tuple[int, int] | None = None
        self._version = -1
        self._built = False
        self._clicked_at = (0.0, -1)
        self._reading_since: float | None = None
        self._thumbnails: Thumbnails | None = None
        self._undo_link = pygame.Rect(0, 0, 0, 0)

    # Layout.

    def build(self) -> None:
        if isinstance(self.host.overlay, Menu):
            self.host.overlay = None  # it was placed for another window
        theme, px = self.host.theme, self.host.theme.px
        board, space, self.status = self.split()
        page = Space(board, px(12))
        self._build_search(page.top(px(40)))
        self._build_filters(page)
        if self._thumbnails is None or self._thumbnails.theme is not theme:
            self._thumbnails = Thumbnails(theme)
        top = self.cards.top / self.cards.theme.scale if self._built else 0.0
        self._built = True
        self.cards: Cards = Cards(theme, page.rest, self.selection, self._thumbnails)
        self.cards.entries = self.entries
        self.total = self.opened().count()
        self._build_panel(space)
        self._find()
        self.cards.scroll(top * theme.scale, motion=False)
        self._fit()

    def places(self) -> dict[str, tuple[int, int]]:
        found = {f"game.{self.entries[self.selection.ids[index]].name}": self.cards.card(index).center
                 for index in self.cards.visible() if self.selection.ids[index] in self.entries}  # fmt: skip
        if self.undoable:
            found["undo"] = self._undo_link.center
        return found

    # What is found.

    def _find(self) -> None:
        """Searches anew, after the query or the library has changed."""
        library = self.opened()
        self._version = library.version
        pairs = library.opponents() if self.filter.chosen["opponent"] else ()
        self.selection.show(library.search(self.filter.query(pairs)))
        self._follow_file()
        total = library.count()
        if (total == 0) != (self.total == 0):
            self.host.rebuild()
        self.total = total
        self.entries.clear()
        self._look()
        trace.scene(self)

    def _follow_file(self) -> None:
        """Puts the cursor on the game that was renamed or brought back, once the library knows its new name."""
        found = self.opened().find(self.followed) if self.followed is not None else None
        if found is not None and found in self.selection.ids:
            self.followed = None
            self.selection.move(self.selection.ids.index(found))
            self.cards.reveal(self.selection.at, self.host.settings.motion)

    def _look(self) -> None:
        """Gets what is known of the games in sight, and of the one at the cursor."""
        ids = self.selection.ids
        wanted = {ids[index] for index in self.cards.visible()} | {self.selection.current} - {None}
        missing = [number for number in wanted if number is not None and number not in self.entries]
        if missing:
            self.entries.update(self.opened().entries(missing))

    def _fit(self) -> None:
        """Enables what can be done now."""
        enable = self.widgets.enable
        enable("clear", self.filter.active)
        if "open" in self.widgets.buttons:
            entry, count = self.current(), len(self.selection.in_order())
            readable = entry is not None and not entry.problem
            enable("open", readable)
            enable("continue", entry is not None and entry.result == "unfinished" and count == 1)
            enable("rename", entry is not None and count == 1)
            enable("export", count > 1 or readable)
            enable("delete", count > 0)

    # Time and picture.

    def update(self, now: float) -> None:
        if self.library is None or self._thumbnails is None:
            return
        if self.library.version != self._version:
            self._find()
        self._searching = self.search is not None and self.search.is_focused
        if self._left_name:
            self.end_rename()  # by Esc, or by a click elsewhere
        self._left_name = self.title is not None and not self.title.is_focused
        if not self.library.busy:
            self._reading_since = None
        elif self._reading_since is None:
            self._reading_since = now
        self.cards.update(now)
        self._look()
        self._thumbnails.work()
        self._fit()

    def wake(self, now: float) -> float | None:
        library = self.library
        if self.cards.moving or self.cards.waiting or (self._thumbnails is not None and self._thumbnails.busy):
            return 0.0
        if library is None:
            return None
        return 0.0 if library.version != self._version else 0.2 if library.busy else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette, px = self.host.theme, self.host.theme.palette, self.host.theme.px
        self.draw_frame(surface, self.status, self._status_text(now), t("status.keys"))
        self._draw_undo(surface, self._status_text(now))
        self.cards.draw(surface, self.hover)
        glass = icon("search", px(20), palette.quiet)
        surface.blit(glass, glass.get_rect(left=self._glass.left + px(4), centery=self._glass.centery))
        write(surface, theme, t("library.title"), self.title_rect, 20, bold=True)
        if not self.selection.ids:
            self._draw_empty(surface)
        entry = self.current()
        if entry is not None and self.preview_rect is not None and self.details_rect is not None:
            self._draw_preview(surface, self.preview_rect, entry)
            count = len(self.selection.chosen)
            title = "" if self.renaming else t("library.selected", count=count) if count > 1 else entry.name
            draw_details(surface, theme, self.details_rect, entry, title)

    def _status_text(self, now: float) -> str:
        library = self.library
        if library is not None and self._reading_since is not None and now - self._reading_since > _SLOW:
            done, total = library.progress
            return t("library.reading", done=f"{done:,}", total=f"{total:,}")
        if len(self.selection.ids) == self.total:
            return t("library.count", count=self.total)
        return t("library.found", found=f"{len(self.selection.ids):,}", total=f"{self.total:,}")

    def _draw_undo(self, surface: pygame.Surface, left: str) -> None:
        if not self.undoable:
            return
        theme, px = self.host.theme, self.host.theme.px
        shown, text = self.host.message[0] or left, t("library.undo_link")
        wide = width_of(theme, text, 14, bold=True)
        room = self.status.width - px(300 + 3 * MARGIN) - wide
        start = self.status.left + px(MARGIN) + min(width_of(theme, shown, 14) + px(MARGIN), room)
        self._undo_link = pygame.Rect(start, self.status.top + 1, wide, self.status.height - 1)
        pygame.draw.rect(surface, theme.palette.panel, self._undo_link.inflate(px(12), 0))
        write(surface, theme, text, self._undo_link, 14, theme.palette.accent, bold=True)

    def _draw_empty(self, surface: pygame.Surface) -> None:
        """What to do where there is nothing to see."""
        theme, px = self.host.theme, self.host.theme.px
        if self.library is not None and self.library.busy and not self.total:
            kind = "reading_first"
        else:
            kind = "none_found" if self.total else "empty"
        box = self._empty_space()
        space = Space(box, px(8))
        write(surface, theme, t(f"library.{kind}"), space.top(px(30)), 20, bold=True, align="centre")
        for line in wrapped(theme, t(f"library.{kind}.hint"), min(box.width, px(520)), 16):
            write(surface, theme, line, space.top(px(20)), 16, theme.palette.quiet, align="centre")

    def _draw_preview(self, surface: pygame.Surface, rect: pygame.Rect, entry: Entry) -> None:
        picture = self._thumbnails.picture(entry, rect.width) if self._thumbnails else None
        if picture is not None:
            surface.blit(picture, rect)

    # Input.

    def key(self, event: pygame.event.Event) -> bool:
        """Shift with a key that moves the cursor selects what lies between."""
        moves = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN, pygame.K_HOME, pygame.K_END,
                 pygame.K_PAGEUP, pygame.K_PAGEDOWN)  # fmt: skip
        self.extend = bool(event.mod & pygame.KMOD_SHIFT) and event.key in moves
        if self.extend:
            mod = event.mod & ~pygame.KMOD_SHIFT
            event = pygame.event.Event(event.type, key=event.key, mod=mod, unicode=event.unicode)
        return super().key(event)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame_gui.UI_TEXT_ENTRY_FINISHED and event.ui_element is self.title:
            self._renamed(event.text)
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_DOWN and self._searching:
            self.widgets.leave_focus()
        elif event.type == pygame.MOUSEMOTION:
            self.hover = event.pos
            return self.cards.drag(event.pos)
        elif event.type == pygame.MOUSEWHEEL:
            self.cards.scroll(-event.y * self.host.theme.px(_WHEEL), self.host.settings.motion)
            return True
        elif event.type == pygame.MOUSEBUTTONUP:
            self.cards.release()
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            return self._pressed(event.pos)
        elif event.type == pygame.WINDOWFOCUSGAINED and self.library is not None:
            self.library.refresh()  # something may have been done to the files meanwhile
        return False

    def _pressed(self, pixel: tuple[int, int]) -> bool:
        self.widgets.focus = None
        if self.undoable and self._undo_link.collidepoint(pixel):
            self.do_undo()
            return True
        if self.cards.press(pixel):
            return True
        index = self.cards.index_at(pixel)
        if index is not None:
            self._choose(index)
        return index is not None

    def _choose(self, index: int) -> None:
        """A card was clicked: alone, with Ctrl in addition, with Shift all between; twice, it opens."""
        held = self.host.modifiers
        now, (before, same) = time.monotonic(), self._clicked_at
        self._clicked_at = now, index
        self.end_rename()
        if held & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self.selection.toggle(index)
        else:
            self.selection.move(index, extend=bool(held & pygame.KMOD_SHIFT))
            if same == index and now - before < 0.4:
                self._clicked_at = 0.0, -1
                self._look()
                self.do_open_game()

    # Search and filters.

    def _search_for(self, text: str) -> None:
        if text != self.filter.text:
            self.filter.text = text
            self._find()
            self.cards.scroll(-self.cards.top, motion=False)

    def _filter(self, name: str, value: str) -> None:
        self.filter.set(name, value)
        self.cards.scroll(-self.cards.top, motion=False)
        self.host.rebuild()

    def do_clear(self) -> None:
        self.filter.clear()
        self.host.rebuild()

    def do_search(self) -> None:
        if self.search is not None:
            self._type_in(self.search)
