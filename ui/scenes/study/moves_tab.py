"""The tab of the moves: the list, a button for each variation, and the comment."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from games.record import Node
from ui.game.words import move_name
from ui.panels.moves import MoveList
from ui.scenes.study.tab import Study, Tab
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import wrapped, write

_MOST_VARIATIONS = 4
_BUTTON, _LINE = 36, 22  # design pixels of a button and of a line of a comment


class MovesTab(Tab):
    name = "moves"

    def __init__(self, study: Study) -> None:
        self.study = study
        self.moves: MoveList | None = None
        self.comment_rect: pygame.Rect | None = None
        self._variations: list[Node] = []

    def build(self, space: Space) -> None:
        px, record = self.study.host.theme.px, self.study.record
        self._variations = list(record.cursor.children)
        self._build_variations(space)
        commented = any(node.comment for node in record.nodes())
        self.comment_rect = space.bottom(px(_LINE)) if commented else None
        self.moves = MoveList(self.study.host.theme, space.rest, record)
        self.moves.follow(record.cursor)

    def _build_variations(self, space: Space) -> None:
        """A button for each way to go on, where there is more than one."""
        if len(self._variations) < 2:
            return
        px, study = self.study.host.theme.px, self.study
        shown = self._variations[:_MOST_VARIATIONS]
        line = Space(space.bottom(px(_BUTTON)), px(8))
        for name, icon, action, key in (
            ("remove", "trash", study.remove, "delete"), ("promote", "star", study.promote, "p"),
        ):  # fmt: skip
            place, tip = line.right(px(_BUTTON)), t(f"keys.{name}")
            press = partial(self._change_following, action)
            study.widgets.button(name, place, "", press, style="@icon", icon=icon, tip=tip, key=key)
        row = columns(line.rest, len(shown), px(8))
        for number, (rect, node) in enumerate(zip(row, shown, strict=True)):
            if node.move is not None:
                text = move_name(study.record.position, node.move)
                chosen = node is study.record.cursor.next
                study.widgets.button(f"variation.{number}", rect, text, partial(study.prefer, node), chosen=chosen)

    def _change_following(self, change: Callable[[Node], None]) -> None:
        following = self.study.record.cursor.next
        if following is not None:
            change(following)

    def update(self, now: float) -> None:
        cursor = self.study.record.cursor
        if self.moves is not None:
            self.moves.follow(cursor)
        if self.study.tab is self and self._variations != cursor.children:
            if max(len(self._variations), len(cursor.children)) > 1:
                self.study.host.rebuild()
            self._variations = list(cursor.children)

    def handle(self, event: pygame.event.Event) -> bool:
        if self.moves is None:
            return False
        if event.type == pygame.MOUSEWHEEL and self.moves.rect.collidepoint(pygame.mouse.get_pos()):
            self.moves.scroll(-event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            node = self.moves.node_at(event.pos)
            if node is not None:
                self.study.go(node)
            return node is not None
        return False

    def pointed_node(self) -> Node | None:
        return None if self.moves is None else self.moves.node_at(pygame.mouse.get_pos())

    def places(self) -> dict[str, tuple[int, int]]:
        return {} if self.moves is None else self.moves.places()

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self.moves is not None:
            self.moves.draw(surface, pygame.mouse.get_pos())
        comment = self.study.record.cursor.comment
        if self.comment_rect is not None and comment:
            first, *more = wrapped(self.study.host.theme, comment, self.comment_rect.width, 14)
            write(surface, self.study.host.theme, first + "…" * bool(more), self.comment_rect, 14)
