"""The side panel of the library: the game at the cursor, the actions for the selected games, and renaming in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pygame

from games.library.rows import Entry
from ui.board.thumbnails import Thumbnails
from ui.game.library_games import LibraryGames
from ui.host import Host
from ui.parts.cards import draw_damaged
from ui.parts.game_details import HEIGHT as DETAILS_HEIGHT
from ui.parts.game_details import draw_details
from ui.screens.library.actions import LibraryActions
from ui.toolkit.i18n import t
from ui.toolkit.layout import BUTTON, Space, columns
from ui.toolkit.text import width_of, write
from ui.toolkit.text_line import TextLine
from ui.toolkit.widgets import Widgets
from ui.words.games import setup_name
from ui.words.library import given_name

_LONGEST_TITLE = 200  # characters


class LibraryPanel:
    """`title` is the text line for a new name, while a game is renamed. `reviewing`: whether a review is under way."""

    def __init__(self, host: Host, widgets: Widgets, games: LibraryGames, actions: LibraryActions) -> None:
        self.host, self.widgets, self.games, self.actions = host, widgets, games, actions
        self.reviewing = False
        self.renaming: Entry | None = None
        self.new_name = ""
        self.title: TextLine | None = None

    def build(self, space: Space, commands: Mapping[str, Callable[[], object]], empty: pygame.Rect) -> None:
        """`commands` are the actions of the buttons by name; `empty` is the place of the hint in an empty library."""
        theme, px = self.host.theme, self.host.theme.px
        head = Space(space.top(px(36)), px(4))
        button = self.widgets.button
        for name, key in (("settings", ""), ("keys", "f1")):
            place, tip = head.right(px(36)), t(f"tip.{name}")
            button(name, place, "", commands[name], style="@icon", icon=name, tip=tip, key=key)
        if self.games.total:
            text = t("library.import")
            place = head.right(width_of(theme, text, 16) + px(54))
            button("import", place, text, commands["import"], icon="import", key="ctrl+i")
        self.title_rect = head.rest
        if not self.games.total:
            self.preview_rect = self.details_rect = None
            place = pygame.Rect(0, 0, min(px(360), empty.width), px(BUTTON + 4))
            place.midtop = empty.midbottom
            new, other = columns(place, 2, px(8))
            button("new", new, t("home.new_game"), commands["new"], style="@primary", key="ctrl+n")
            button("import", other, t("library.import"), commands["import"], icon="import", key="ctrl+i")
            return
        row = columns(space.bottom(px(BUTTON + 4)), 3, px(8))
        button("open", row[0], t("library.open"), commands["open"], style="@primary", key="return")
        button("continue", row[1], t("home.continue"), commands["continue"], key="ctrl+return")
        stop = self.reviewing
        text, tip = t("library.review.stop" if stop else "library.review"), t("tip.library.review")
        button("review", row[2], text, commands["review"], tip="" if stop else tip, key="ctrl+r")
        space.gap = px(10)
        row = columns(space.bottom(px(BUTTON)), 3, px(8))
        for place, name, action, key in (
            (row[0], "rename", commands["rename"], "f2"),
            (row[1], "export", commands["export"], "ctrl+e"),
            (row[2], "delete", commands["delete"], "delete"),
        ):
            button(name, place, t(f"library.{name}"), action, key=key, style="@danger" if name == "delete" else "")
        side = min(space.rest.width, space.rest.height - px(DETAILS_HEIGHT) - space.gap)
        self.preview_rect = pygame.Rect(0, 0, side, side)
        self.preview_rect.midtop = space.top(side).midtop
        self.details_rect = space.top(px(DETAILS_HEIGHT))
        self._build_title()

    def _build_title(self) -> None:
        """Make the text line for a new name, in place of the name."""
        self.title = None
        if self.renaming is None or self.details_rect is None:
            return
        px = self.host.theme.px
        rect = pygame.Rect(self.details_rect.left, self.details_rect.top - px(8), self.details_rect.width, px(32))
        hint, name = t("library.name_hint"), self.new_name
        title = TextLine(self.host.theme, rect, name, _LONGEST_TITLE, self._name_typed, self.rename, hint=hint)
        self.title = self.widgets.add("name", title)
        self.widgets.focus = "name"
        self.title.select(0, len(self.new_name))

    def _name_typed(self, text: str) -> None:
        self.new_name = text

    def begin_rename(self) -> None:
        entry = self.games.current()
        if entry is not None:
            self.games.selection.move(self.games.selection.at)
            self.renaming, self.new_name = entry, given_name(entry)
            self.host.rebuild()

    def end_rename(self) -> None:
        if self.renaming is not None:
            self.renaming = None
            self.host.rebuild()

    def rename(self, title: str) -> None:
        entry = self.renaming
        if entry is None:
            return
        if self.actions.rename(entry, title):
            self.end_rename()
        else:
            self.widgets.focus = "name"  # for another try

    def update(self) -> None:
        if self.title is not None and not self.title.focused:
            self.end_rename()  # by Esc, or by a click elsewhere

    def draw(self, surface: pygame.Surface, thumbnails: Thumbnails | None) -> None:
        theme, entry = self.host.theme, self.games.current()
        write(surface, theme, t("library.title"), self.title_rect, 20, bold=True)
        if entry is None or self.preview_rect is None or self.details_rect is None:
            return
        picture = thumbnails.picture(entry, self.preview_rect.width) if thumbnails else None
        if entry.problem is not None:
            draw_damaged(surface, theme, self.preview_rect, theme.palette.panel)
        elif picture is not None:
            surface.blit(picture, self.preview_rect)
        draw_details(surface, theme, self.details_rect, entry, self._heading(entry))

    def _heading(self, entry: Entry) -> str:
        count = len(self.games.selection.chosen)
        if self.renaming:
            return ""
        if count > 1:
            return t("library.selected", count=count)
        return given_name(entry) or (setup_name(entry.setup) if entry.setup else "")
