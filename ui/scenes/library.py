"""The saved games: found by words and filters, looked at, opened, renamed, thrown away and exported."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

import pygame
import pygame_gui

from games.formats import FORMATS
from games.library import Library, Query
from games.library_index import SORTS, Entry, file_title
from games.registry import GAMES
from games.shelf import BadName, Removal, discard, empty_old, ending_of, export, rename, restore
from games.storage import saves_home, unused
from ui import trace
from ui.app import App
from ui.controls import Entry as TextLine
from ui.i18n import t
from ui.icons import icon, put_icon
from ui.layout import Space, columns
from ui.menu import Menu
from ui.panels.cards import Cards, day_text, result_colour
from ui.scene import MARGIN, Binding, Scene
from ui.scenes.game import BUTTON
from ui.selection import Selection
from ui.text import fitted, width_of, wrapped, write
from ui.thumbnails import Thumbnails
from ui.words import (
    entry_ending,
    file_sentence,
    game_name,
    opponent_label,
    player_name,
    search_words,
    setup_name,
    side_name,
)

FILTERS = ("game", "rule", "opponent", "result", "date")
RESULTS = ("won", "lost", "draw", "unfinished", "first", "second", "damaged")
DAYS = {"today": 0, "week": 7, "month": 30, "year": 365}

_WHEEL = 96  # design pixels a notch of the wheel scrolls
_LINE = 22
_DETAILS = 6 * _LINE + 6
_NARROWEST_FILTER = 150
_LONGEST_SEARCH = 200  # characters
_SLOW = 0.5  # seconds of reading after which the status line says so
"""Design pixels, except where another unit is named."""


class LibraryScene(Scene):
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

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.library: Library | None = None
        self.selection = Selection()
        self.text = ""
        self.filters = dict.fromkeys(FILTERS, "")
        self.sort = "newest"
        self.total = 0
        self.entries: dict[int, Entry] = {}
        self.search: TextLine | None = None
        self.title: TextLine | None = None  # the new name that is being typed
        self.hover: tuple[int, int] | None = None
        self._undo: list[tuple[str, Callable[[], object]]] = []
        self._version = -1
        self._built = self._searching = self._left_name = False
        self._renaming: Entry | None = None
        self._new_name = ""
        self._followed: Path | None = None
        self._extend = False
        self._clicked_at = (0.0, -1)
        self._reading_since: float | None = None
        self._thumbnails: Thumbnails | None = None
        self._undo_link = pygame.Rect(0, 0, 0, 0)

    def enter(self) -> None:
        self._opened().refresh()
        empty_old()

    def leave(self) -> None:
        if self.library is not None:
            self.library.close()
            self.library = None

    def _opened(self) -> Library:
        if self.library is None:
            others = [Path(file) for file in self.app.settings.recent]
            inside = saves_home()
            others = [file for file in others if not file.is_relative_to(inside)]
            self.library = Library(others=others, words=search_words, changed=self.app.wake)
        return self.library

    # Layout.

    def build(self) -> None:
        if isinstance(self.app.help, Menu):
            self.app.help = None  # it was placed for another window
        theme, px = self.app.theme, self.app.theme.px
        board, space, self.status = self.split()
        page = Space(board, px(12))
        self._build_search(Space(page.top(px(40)), px(8)))
        self._build_filters(page)
        if self._thumbnails is None or self._thumbnails.theme is not theme:
            self._thumbnails = Thumbnails(theme)
        top = self.cards.top / self.cards.theme.scale if self._built else 0.0
        self._built = True
        self.cards: Cards = Cards(theme, page.rest, self.selection, self._thumbnails)
        self.cards.entries = self.entries
        self._build_panel(space)
        self._find()
        self.cards.scroll(top * theme.scale, motion=False)
        self._fit()

    def _build_search(self, line: Space) -> None:
        px = self.app.theme.px
        button = self.widgets.button
        button("back", line.left(px(40)), "", self.do_back, style="@icon", icon="back", tip=t("tip.back"), key="escape")
        self._menu_button("sort", line.right(px(168)), t(f"library.sort.{self.sort}"))
        self.search_rect = line.rest
        room = line.rest.inflate(-px(34), 0)
        room.right = line.rest.right
        self.search = self.widgets.entry("search", room, self.text, _LONGEST_SEARCH, self._search_for)
        if self._searching:
            self._type_in(self.search)

    def _build_filters(self, page: Space) -> None:
        """The filters in one row, or in two where they would be too narrow; the last one clears them."""
        px = self.app.theme.px
        wide = page.rest.width - px(BUTTON + 8)
        if wide // len(FILTERS) >= px(_NARROWEST_FILTER):
            row = page.top(px(BUTTON))
            cells = columns(pygame.Rect(row.left, row.top, wide, row.height), len(FILTERS), px(8))
            last = pygame.Rect(row.right - px(BUTTON), row.top, px(BUTTON), px(BUTTON))
        else:
            page.gap, gap = px(8), page.gap
            cells = [cell for _ in range(2) for cell in columns(page.top(px(BUTTON)), 3, px(8))]
            page.gap = gap
            last = cells.pop()
        for name, cell in zip(FILTERS, cells, strict=True):
            chosen = self.filters[name]
            self._menu_button(name, cell, dict(self._options(name)).get(chosen, chosen), bool(chosen))
        wide_enough = last.width > px(BUTTON)
        text = t("library.clear") if wide_enough else ""
        self.widgets.button("clear", last, text, self.do_clear, style="@quiet", icon="close", tip=t("library.clear"))

    def _menu_button(self, name: str, rect: pygame.Rect, text: str, chosen: bool = False) -> None:
        theme = self.app.theme
        shown = fitted(theme, text, rect.width - theme.px(52), 16)
        press = partial(self._open_menu, name, rect)
        made = self.widgets.button(name, rect, shown, press, style="@menu", chosen=chosen)
        put_icon(made, "down", theme.px(14), (1 - theme.px(14) / rect.width, 0.5))

    def _build_panel(self, space: Space) -> None:
        px = self.app.theme.px
        head = Space(space.top(px(36)), px(4))
        button = self.widgets.button
        for name, action, key in (
            ("home", self.app.go_home, ""), ("settings", self.do_settings, ""), ("keys", self.app.show_keys, "f1"),
        ):  # fmt: skip
            place, tip = head.right(px(36)), t(f"tip.{name}")
            button(name, place, "", action, style="@icon", icon=name, tip=tip, key=key)
        self.title_rect = head.rest
        if self.total == 0:
            self.preview_rect = self.details_rect = None
            new = pygame.Rect(0, 0, px(200), px(BUTTON + 4))
            new.midtop = self.cards.rect.centerx, self._empty_space().bottom
            button("new", new, t("home.new_game"), self.do_new, style="@primary", key="ctrl+n")
            return
        row = columns(space.bottom(px(BUTTON + 4)), 2, px(8))
        button("open", row[0], t("library.open"), self.do_open_game, style="@primary", key="return")
        button("continue", row[1], t("home.continue"), self.do_continue, key="ctrl+return")
        space.gap = px(10)
        row = columns(space.bottom(px(BUTTON)), 3, px(8))
        for place, name, action, key in (
            (row[0], "rename", self.do_rename, "f2"),
            (row[1], "export", self.do_export, "ctrl+e"),
            (row[2], "delete", self.do_delete, "delete"),
        ):
            button(name, place, t(f"library.{name}"), action, key=key, style="@danger" if name == "delete" else "")
        self.details_rect = space.bottom(px(_DETAILS))
        side = min(space.rest.size)
        self.preview_rect = pygame.Rect(0, 0, side, side)
        self.preview_rect.midtop = space.rest.midtop
        self._build_title()

    def _build_title(self) -> None:
        """The line in which a new name is typed, in place of the name."""
        self.title, self._left_name = None, False
        if self._renaming is None or self.details_rect is None:
            return
        px = self.app.theme.px
        rect = pygame.Rect(self.details_rect.left, self.details_rect.top - px(8), self.details_rect.width, px(36))
        self.title = self.widgets.entry("name", rect, self._new_name, _LONGEST_SEARCH, self._name_typed)
        self._type_in(self.title)
        self.title.select_range = [0, len(self._new_name)]

    def _name_typed(self, text: str) -> None:
        self._new_name = text

    def _type_in(self, line: TextLine) -> None:
        self.app.manager.set_focus_set(line)
        line.edit_position = len(line.get_text())

    def places(self) -> dict[str, tuple[int, int]]:
        found = {f"game.{self.entries[self.selection.ids[index]].name}": self.cards.card(index).center
                 for index in self.cards.visible() if self.selection.ids[index] in self.entries}  # fmt: skip
        if self._undo:
            found["undo"] = self._undo_link.center
        return found

    # What is found.

    def _query(self) -> Query:
        chosen = self.filters
        days = DAYS.get(chosen["date"])
        midnight = datetime.now().replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
        return Query(
            text=self.text, game=chosen["game"], rule=chosen["rule"], result=chosen["result"], sort=self.sort,
            opponents=self._opponents().get(chosen["opponent"], (("", chosen["opponent"]),))
            if chosen["opponent"] else (),
            since=0.0 if days is None else midnight - days * 86_400,
        )  # fmt: skip

    def _opponents(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """Who was played against, by the name on the screen: one may stand for several kinds of player."""
        found: dict[str, tuple[tuple[str, str], ...]] = {}
        for pair in self._opened().opponents():
            label = opponent_label(*pair)
            found[label] = (*found.get(label, ()), pair)
        return found

    def _find(self) -> None:
        """Searches anew, after the query or the library has changed."""
        library = self._opened()
        self._version = library.version
        self.selection.show(library.search(self._query()))
        self._follow_file()
        total = library.count()
        if (total == 0) != (self.total == 0):
            self.app.rebuild()
        self.total = total
        self.entries.clear()
        self._look()
        trace.scene(self)

    def _follow_file(self) -> None:
        """Puts the cursor on the game that was renamed or brought back, once the library knows its new name."""
        found = self._opened().find(self._followed) if self._followed is not None else None
        if found is not None and found in self.selection.ids:
            self._followed = None
            self.selection.move(self.selection.ids.index(found))
            self.cards.reveal(self.selection.at, self.app.settings.motion)

    def _look(self) -> None:
        """Gets what is known of the games in sight, and of the one at the cursor."""
        ids = self.selection.ids
        wanted = {ids[index] for index in self.cards.visible()} | {self.selection.current} - {None}
        missing = [number for number in wanted if number is not None and number not in self.entries]
        if missing:
            self.entries.update(self._opened().entries(missing))

    def current(self) -> Entry | None:
        return self.entries.get(self.selection.current or 0)

    def chosen(self) -> list[Entry]:
        """The selected games, in the order they are shown in."""
        ids = self.selection.in_order()
        known = self._opened().entries(ids)
        return [known[number] for number in ids if number in known]

    def _fit(self) -> None:
        """Enables what can be done now."""
        enable = self.widgets.enable
        enable("clear", bool(self.text or any(self.filters.values())))
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
            self._end_rename()  # by Esc, or by a click elsewhere
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
        if self.cards.moving or (self._thumbnails is not None and self._thumbnails.busy):
            return 0.0
        return 0.2 if self.library is not None and self.library.busy else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette, px = self.app.theme, self.app.theme.palette, self.app.theme.px
        self.draw_frame(surface, self.status, self._status_text(now), t("status.keys"))
        self._draw_undo(surface, self._status_text(now))
        self.cards.draw(surface, self.hover)
        glass = icon("search", px(20), palette.quiet)
        surface.blit(glass, glass.get_rect(left=self.search_rect.left + px(4), centery=self.search_rect.centery))
        write(surface, theme, t("library.title"), self.title_rect, 20, bold=True)
        if not self.selection.ids:
            self._draw_empty(surface)
        entry = self.current()
        if entry is not None and self.preview_rect is not None and self.details_rect is not None:
            self._draw_preview(surface, self.preview_rect, entry)
            self._draw_details(surface, self.details_rect, entry)

    def draw_over(self, surface: pygame.Surface, now: float) -> None:
        if self.search is not None and not self.text and not self.search.is_focused:
            theme, place = self.app.theme, self.search.rect.inflate(-2 * self.app.theme.px(10), 0)
            write(surface, theme, t("library.search_hint"), place, 16, theme.palette.quiet)

    def _status_text(self, now: float) -> str:
        library = self.library
        if library is not None and self._reading_since is not None and now - self._reading_since > _SLOW:
            done, total = library.progress
            return t("library.reading", done=f"{done:,}", total=f"{total:,}")
        if len(self.selection.ids) == self.total:
            return t("library.count", count=self.total)
        return t("library.found", found=f"{len(self.selection.ids):,}", total=f"{self.total:,}")

    def _draw_undo(self, surface: pygame.Surface, left: str) -> None:
        if not self._undo:
            return
        theme, px = self.app.theme, self.app.theme.px
        shown, text = self.app.message[0] or left, t("library.undo_link")
        wide = width_of(theme, text, 14, bold=True)
        room = self.status.width - px(300 + 3 * MARGIN) - wide
        start = self.status.left + px(MARGIN) + min(width_of(theme, shown, 14) + px(MARGIN), room)
        self._undo_link = pygame.Rect(start, self.status.top + 1, wide, self.status.height - 1)
        pygame.draw.rect(surface, theme.palette.panel, self._undo_link.inflate(px(12), 0))
        write(surface, theme, text, self._undo_link, 14, theme.palette.accent, bold=True)

    def _draw_empty(self, surface: pygame.Surface) -> None:
        """What to do where there is nothing to see."""
        theme, px = self.app.theme, self.app.theme.px
        if self.library is not None and self.library.busy and not self.total:
            kind = "reading_first"
        else:
            kind = "none_found" if self.total else "empty"
        box = self._empty_space()
        space = Space(box, px(8))
        write(surface, theme, t(f"library.{kind}"), space.top(px(30)), 20, bold=True, align="centre")
        for line in wrapped(theme, t(f"library.{kind}.hint"), min(box.width, px(520)), 16):
            write(surface, theme, line, space.top(px(20)), 16, theme.palette.quiet, align="centre")

    def _empty_space(self) -> pygame.Rect:
        """Where the sentences are that stand in place of games."""
        px, box = self.app.theme.px, self.cards.rect.inflate(-2 * self.app.theme.px(24), 0)
        return pygame.Rect(box.left, box.top + box.height // 3, box.width, px(120))

    def _draw_preview(self, surface: pygame.Surface, rect: pygame.Rect, entry: Entry) -> None:
        picture = self._thumbnails.picture(entry, rect.width) if self._thumbnails else None
        if picture is not None:
            surface.blit(picture, rect)

    def _draw_details(self, surface: pygame.Surface, rect: pygame.Rect, entry: Entry) -> None:
        theme, palette, px = self.app.theme, self.app.theme.palette, self.app.theme.px
        space = Space(rect, 0)
        title = space.top(px(_LINE + 4))
        count = len(self.selection.chosen)
        if self._renaming is None:
            text = t("library.selected", count=count) if count > 1 else entry.name
            write(surface, theme, text, title, 16, bold=True)
        if entry.problem is not None:
            for line in wrapped(theme, file_sentence(entry.problem, entry.path.name), rect.width, 14)[:4]:
                write(surface, theme, line, space.top(px(_LINE)), 14, palette.bad)
            return
        if entry.setup is None:
            return
        game = entry.setup.game
        sides = [f"{side_name(game, side)}: {player_name(game, entry.seats, side)}" for side in (0, 1)]
        when = f"{day_text(entry.at)} {datetime.fromtimestamp(entry.at):%H:%M}"
        for text, colour in (
            (setup_name(entry.setup), palette.quiet),
            *((side, palette.text) for side in sides),
            (entry_ending(entry), result_colour(theme, entry)),
            (f"{when} · {t('library.moves', count=entry.plies)}", palette.quiet),
        ):
            write(surface, theme, text, space.top(px(_LINE)), 14, colour)

    # Input.

    def key(self, event: pygame.event.Event) -> bool:
        """Shift with a key that moves the cursor selects what lies between."""
        moves = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN, pygame.K_HOME, pygame.K_END,
                 pygame.K_PAGEUP, pygame.K_PAGEDOWN)  # fmt: skip
        self._extend = bool(event.mod & pygame.KMOD_SHIFT) and event.key in moves
        if self._extend:
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
            self.cards.scroll(-event.y * self.app.theme.px(_WHEEL), self.app.settings.motion)
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
        if self._undo and self._undo_link.collidepoint(pixel):
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
        held = pygame.key.get_mods()
        now, (before, same) = time.monotonic(), self._clicked_at
        self._clicked_at = now, index
        self._end_rename()
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
        if text != self.text:
            self.text = text
            self._find()
            self.cards.scroll(-self.cards.top, motion=False)

    def _options(self, name: str) -> list[tuple[str, str]]:
        """What the menu of that name offers: values, and texts."""
        if name == "sort":
            return [(sort, t(f"library.sort.{sort}")) for sort in SORTS]
        found = [("", t(f"library.any.{name}"))]
        if name == "game":
            found += [(game, game_name(game)) for game in GAMES]
        elif name == "rule":
            rules = dict.fromkeys(rule for game in GAMES.values() if len(game.rules) > 1 for rule in game.rules)
            found += [(rule, t(f"rule.{rule}")) for rule in rules]
        elif name == "opponent":
            found += [(label, label) for label in self._opponents()]
        elif name == "result":
            found += [(result, t(f"library.result.{result}")) for result in RESULTS]
        else:
            found += [(date, t(f"library.date.{date}")) for date in DAYS]
        return found

    def _open_menu(self, name: str, under: pygame.Rect) -> None:
        chosen = self.sort if name == "sort" else self.filters[name]
        self.app.help = Menu(self.app, under, self._options(name), chosen, partial(self._filter, name))

    def _filter(self, name: str, value: str) -> None:
        if name == "sort":
            self.sort = value
        else:
            self.filters[name] = value
        self.cards.scroll(-self.cards.top, motion=False)
        self.app.rebuild()

    def do_clear(self) -> None:
        self.filters = dict.fromkeys(FILTERS, "")
        self.text = ""
        self.app.rebuild()

    def do_search(self) -> None:
        if self.search is not None:
            self._type_in(self.search)

    # The cursor.

    def _move(self, by: int) -> None:
        self._move_to(self.selection.at + by)

    def _move_to(self, row: int) -> None:
        self._end_rename()
        self.selection.move(row, self._extend)
        self.cards.reveal(self.selection.at, self.app.settings.motion)

    def do_left(self) -> None:
        self._move(-1)

    def do_right(self) -> None:
        self._move(1)

    def do_up(self) -> None:
        if self.selection.at >= self.cards.columns:
            self._move(-self.cards.columns)

    def do_down(self) -> None:
        self._move(self.cards.columns)

    def do_page_up(self) -> None:
        self._move(-self.cards.page)

    def do_page_down(self) -> None:
        self._move(self.cards.page)

    def do_first(self) -> None:
        self._move_to(0)

    def do_last(self) -> None:
        self._move_to(len(self.selection.ids) - 1)

    def do_toggle(self) -> None:
        self.selection.toggle()

    def do_all(self) -> None:
        self.selection.all()

    # What is done to games.

    def do_open_game(self) -> None:
        from ui.scenes.replay import Replay

        entry = self.current()
        record = self.app.read(entry.path) if entry is not None else None
        if entry is not None and record is not None:
            scene = Replay(self.app, record, entry.path)
            scene.back = self
            self.app.show(scene)

    def do_continue(self) -> None:
        from ui.scenes.play import Play

        entry = self.current()
        if entry is None or entry.result != "unfinished":
            return
        record = self.app.read(entry.path)
        if record is not None:
            scene = Play(self.app, record, entry.path)
            scene.back = self
            self.app.show(scene)

    def do_rename(self) -> None:
        entry = self.current()
        if entry is not None:
            self.selection.move(self.selection.at)
            self._renaming, self._new_name = entry, entry.name
            self.app.rebuild()

    def _end_rename(self) -> None:
        if self._renaming is not None:
            self._renaming = None
            self.app.rebuild()

    def _renamed(self, title: str) -> None:
        entry, self._left_name = self._renaming, False
        if entry is None:
            return
        try:
            file = rename(entry.path, title)
        except BadName as error:
            self.app.say(t(f"library.name.{error.reason}", name=title.strip()), "bad")
            self.app.rebuild()  # for another try
            return
        except OSError as error:
            self.app.say(t("library.failed", name=entry.name, reason=error.strerror or error), "bad")
            return
        self._end_rename()
        if file != entry.path:
            self._moved(entry.path, file)
            self._undo.append((t("library.renamed_back"), partial(self._rename_back, file, entry.path)))
            self.app.say(t("library.renamed", name=title.strip()), "good")

    def _rename_back(self, file: Path, before: Path) -> None:
        target = before if not before.exists() else unused(before.parent, file_title(before), ending_of(before))
        file.rename(target)
        self._moved(file, target)

    def _moved(self, old: Path, new: Path) -> None:
        """A file has another name: what remembers it learns so."""
        self._followed = new
        settings = self.app.settings
        settings.recent = [str(new) if Path(file) == old else file for file in settings.recent]
        if settings.unfinished and Path(settings.unfinished) == old:
            settings.unfinished = str(new)
        self.app.save_settings()
        self._opened().refresh()

    def do_delete(self) -> None:
        entries = self.chosen()
        if not entries:
            return
        removal = discard(entry.path for entry in entries)
        if removal.moved:
            count = len(removal.moved)
            self._undo.append((t("library.restored", count=count), partial(self._bring_back, removal)))
            self.app.say(t("library.deleted", count=count))
        if removal.failed:
            file, reason = removal.failed[0]
            self.app.say(t("library.failed", name=file.name, reason=reason), "bad")
        self.selection.chosen.clear()
        self._opened().refresh()

    def _bring_back(self, removal: Removal) -> None:
        self._followed = restore(removal)[-1]
        self._opened().refresh()

    def do_undo(self) -> None:
        """Takes back the last deletion or renaming."""
        if not self._undo:
            return
        done, act = self._undo.pop()
        try:
            act()
        except OSError as error:
            self.app.say(t("library.undo_failed", reason=error.strerror or error), "bad")
        else:
            self.app.say(done, "good")

    def do_export(self) -> None:
        """Asks for a format, then for a folder."""
        if not self.chosen() or "export" not in self.widgets.buttons:
            return
        options = [(kind.extension, t(f"library.format{kind.extension}")) for kind in FORMATS if kind.dumps]
        self.app.help = Menu(self.app, self.widgets.buttons["export"].rect, options, "", self._choose_folder)

    def _choose_folder(self, ending: str) -> None:
        self.app.choose_file(Path.home(), partial(self._export, ending), folder=True)

    def _export(self, ending: str, folder: Path) -> None:
        written, problems = export((entry.path for entry in self.chosen()), folder, ending)
        if problems:
            file, error = problems[0]
            done = t("library.exported", count=len(written), folder=folder.name)
            self.app.say(f"{done} {file_sentence(error, file.name)}", "bad")
        else:
            self.app.say(t("library.exported", count=len(written), folder=folder.name or str(folder)), "good")

    # Elsewhere.

    def do_new(self) -> None:
        from ui.scenes.setup import SetupScene

        self.app.show(SetupScene(self.app, next(iter(self.app.settings.new_game), "gomoku")))

    def do_open(self) -> None:
        self.app.choose_file(saves_home(), self.app.open_file)

    def do_settings(self) -> None:
        from ui.scenes.settings import SettingsScene

        self.app.show(SettingsScene(self.app, self))


