"""The tab of the moves: their tree, and the notes on the move that is shown."""

from __future__ import annotations

from functools import partial

import pygame

from games.record import Node
from ui.board.view import BoardView, Marks
from ui.parts.game_file import copy_moves
from ui.parts.header import open_menu
from ui.parts.study import Study
from ui.replay.notes import Notes
from ui.replay.tab import Tab
from ui.replay.tree_layout import variations_of
from ui.replay.variation_tree import VariationTree
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Group, MenuEntry
from ui.words.move_words import node_reason, signs_text
from ui.words.verdicts import judgement


class MovesTab(Tab, Group):
    name = "moves"

    def __init__(self, host: Host, widgets: Widgets, state: Study, board: BoardView) -> None:
        self._host, self._state = host, state
        self.tree = VariationTree(state.record)
        self._notes = Notes(host, widgets, state, board)
        super().__init__((self._notes,))
        self.bindings = (
            Binding(("f2",), self._comment, "keys.comment"),
            Binding(("m",), self._mark, "keys.marks"),
            Binding(("escape",), self._end_marks, ""),
        )

    def build(self, space: Space) -> None:
        self._notes.build(space)
        self._place(space.rest)
        self.tree.follow(self._state.record.cursor, again=True)

    def _place(self, rect: pygame.Rect) -> None:
        self.tree.place(self._host.theme, rect, self._state.revision, self._state.reviewer.kinds)

    def update(self, now: float) -> None:
        super().update(now)
        if self.chosen:
            self._place(self.tree.rect)
            self.tree.follow(self._state.record.cursor)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        self.tree.draw(surface, None if self._host.overlay else pygame.mouse.get_pos())

    def marks(self, marks: Marks) -> Marks:
        return super().marks(marks) if self.chosen else marks

    def hint(self) -> str:
        """What is known of the move under the pointer, what the file's annotator says of it, and why it was played."""
        node = self.tree.node_at(pygame.mouse.get_pos())
        judged = None if node is None else self._state.reviewer.judged.get(node)
        known = "" if judged is None else judgement(judged)
        said = "" if node is None else signs_text(node)
        return " · ".join(filter(None, (known, said, "" if node is None else node_reason(node))))

    # Input.

    def _comment(self) -> None:
        """Show the tab, and write a comment."""
        self._state.choose_tab(self.name)
        self._notes.write_comment()

    def _mark(self) -> None:
        """Show the tab, and open or close the tools for marks."""
        if self.chosen or self._notes.tool is None:
            self._notes.toggle_tools()
        self._state.choose_tab(self.name)

    def _end_marks(self) -> bool:
        """Put the tools away, if they are out."""
        out = self.chosen and self._notes.tool is not None
        if out:
            self._notes.toggle_tools()
        return out

    def places(self) -> dict[str, tuple[int, int]]:
        return self.tree.places()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and self.tree.rect.collidepoint(pygame.mouse.get_pos()):
            self.tree.scroll(-event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (pygame.BUTTON_LEFT, pygame.BUTTON_RIGHT):
            return self._pressed(event.pos, event.button)
        if event.type == pygame.MOUSEMOTION:
            return self.tree.drag(event.pos)
        if event.type == pygame.MOUSEBUTTONUP:
            self.tree.release()
        return False

    def _pressed(self, pixel: tuple[int, int], button: int) -> bool:
        """Go to the move at `pixel`, with the right button open its menu. Return whether anything was hit."""
        node = self.tree.node_at(pixel)
        if node is None and button == pygame.BUTTON_LEFT and self._notes.press(pixel):
            return True
        if node is None:
            return button == pygame.BUTTON_LEFT and self.tree.press(pixel)
        self._state.go(node)
        if button == pygame.BUTTON_RIGHT:
            self._open_menu(node, pixel)
        return True

    def _open_menu(self, node: Node, pixel: tuple[int, int]) -> None:
        """What can be done with the move `node`."""
        promote = MenuEntry("promote", t("keys.promote"), partial(self._state.promote, node))
        entries = [
            MenuEntry("copy", t("keys.copy"), partial(copy_moves, self._host, self._state.record, node)),
            *([promote] if any(variations_of(node)) else []),
            MenuEntry("remove", t("replay.remove_from"), partial(self._state.remove, node)),
        ]
        open_menu(self._host, pygame.Rect(pixel, (1, 1)), entries)
