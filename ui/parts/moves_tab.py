"""The tab of the moves: their tree, and the notes on the move that is shown."""

from __future__ import annotations

from functools import partial

import pygame

from games.record import Node
from ui.board.view import Marks
from ui.parts.menu_actions import Action, open_menu
from ui.parts.notes import Notes
from ui.parts.tab import Study, Tab
from ui.parts.tree import Tree
from ui.parts.tree_layout import variations_of
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space


class MovesTab(Tab):
    name = "moves"
    bindings = (
        Binding(("f2",), "do_comment", "keys.comment"),
        Binding(("m",), "do_marks", "keys.marks"),
    )

    def __init__(self, study: Study) -> None:
        self.study = study
        self.moves = Tree(study.record)
        self.notes = Notes(study)

    def build(self, space: Space) -> None:
        self.notes.build(space)
        self._place(space.rest)
        self.moves.follow(self.study.record.cursor, again=True)

    def _place(self, rect: pygame.Rect) -> None:
        self.moves.place(self.study.host.theme, rect, self.study.revision, self.study.kinds)

    def update(self, now: float) -> None:
        self.notes.update(now)
        if self.study.tab is self:
            self._place(self.moves.rect)
            self.moves.follow(self.study.record.cursor)

    def wake(self, now: float) -> float | None:
        return self.notes.wake(now)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        self.moves.draw(surface, None if self.study.host.covered else pygame.mouse.get_pos())
        self.notes.draw(surface)

    def marks(self, marks: Marks) -> Marks:
        return self.notes.marks(marks) if self.study.tab is self else marks

    def close(self) -> None:
        self.notes.store()

    # Input.

    def do_comment(self) -> None:
        self.notes.do_comment()

    def do_marks(self) -> None:
        self.notes.do_marks()

    def key(self, event: pygame.event.Event) -> bool:
        if event.key == pygame.K_ESCAPE and self.notes.tool is not None:
            self.notes.do_marks()
            return True
        return super().key(event)

    def pointed_node(self) -> Node | None:
        return self.moves.node_at(pygame.mouse.get_pos())

    def places(self) -> dict[str, tuple[int, int]]:
        return self.moves.places()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and self.moves.rect.collidepoint(pygame.mouse.get_pos()):
            self.moves.scroll(-event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (pygame.BUTTON_LEFT, pygame.BUTTON_RIGHT):
            return self._pressed(event.pos, event.button)
        if event.type == pygame.MOUSEMOTION:
            return self.moves.drag(event.pos)
        if event.type == pygame.MOUSEBUTTONUP:
            self.moves.release()
        return False

    def _pressed(self, pixel: tuple[int, int], button: int) -> bool:
        node = self.moves.node_at(pixel)
        if node is None and button == pygame.BUTTON_LEFT and self.notes.press(pixel):
            return True
        if node is None:
            return button == pygame.BUTTON_LEFT and self.moves.press(pixel)
        self.study.go(node)
        if button == pygame.BUTTON_RIGHT:
            self._open_menu(node, pixel)
        return True

    def _open_menu(self, node: Node, pixel: tuple[int, int]) -> None:
        """What can be done with the move `node`."""
        promote = Action("promote", t("keys.promote"), partial(self.study.promote, node))
        actions = [
            Action("copy", t("keys.copy"), partial(self.study.copy, node)),
            *([promote] if any(variations_of(node)) else []),
            Action("remove", t("replay.remove_from"), partial(self.study.remove, node)),
        ]
        open_menu(self.study.host, pygame.Rect(pixel, (1, 1)), actions)
