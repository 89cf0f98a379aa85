"""The contract between the replay scene and its tabs: a `Tab` fills the panel, and may ask of the scene what `Study`
declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import pygame

from games.edits import Edits
from games.record import GameRecord, Node, Seat
from ui.board.view import BoardView, Marks
from ui.host import Host
from ui.toolkit.keys import Binding, run_binding
from ui.toolkit.layout import Space
from ui.toolkit.widgets import Widgets


class Study(Protocol):
    """What a tab may ask of the scene."""

    host: Host
    widgets: Widgets
    record: GameRecord
    edits: Edits
    board: BoardView
    hover: int | None
    """The move under the pointer."""
    revision: int
    """Increases whenever the tree, or what is stored in its nodes, has changed."""

    @property
    def tab(self) -> Tab:
        """The chosen tab."""

    @property
    def kinds(self) -> Mapping[Node, str]:
        """What a review calls the moves that it has judged: kinds of `ai.review.kinds`."""

    @property
    def reviewing(self) -> bool:
        """Whether a review is under way, which needs all processors."""

    def go(self, node: Node) -> None:
        """Move the cursor to `node`; stop autoplay."""

    def prefer(self, node: Node) -> None:
        """Let `redo` lead to `node`, a child of the cursor."""

    def promote(self, node: Node) -> None:
        """Make the path to `node` the main line."""

    def remove(self, node: Node) -> None:
        """Remove `node` with what follows it."""

    def copy(self, node: Node) -> None:
        """Put the moves that led to `node` on the clipboard."""

    def play_line(self, node: Node, moves: Sequence[int]) -> None:
        """Play `moves` from `node` on, as a variation where they are new, and go to the last of them."""

    def play_from(self, node: Node, seats: tuple[Seat, Seat]) -> None:
        """Show a new game between `seats` that begins at `node` and leads back here."""

    def changed(self, sentence: str = "") -> None:
        """The tree was changed through `edits`: save it, say the sentence, rebuild."""

    def keep(self) -> None:
        """What is stored in nodes was changed otherwise: save it."""

    def learned(self) -> None:
        """Evaluations were stored in nodes: save them if the file can hold them."""


class Tab:
    """One tab. Its button is the widget ``tab.NAME``, labelled by the text ``tab.NAME``.

    Every method may be left out. `update`, `wake`, `marks` and `close` are called whichever tab is chosen
    (`study.tab`), the others for the chosen tab only.
    """

    name = ""
    bindings: tuple[Binding, ...] = ()
    """Keys that work while the tab is chosen. Their actions are methods of the tab."""

    def build(self, space: Space) -> None:
        """Make the widgets, in the space of the panel. Called again on every rebuild."""

    def start(self) -> None:
        """The scene was opened with this tab by name: begin its work."""

    def draw(self, surface: pygame.Surface, now: float) -> None: ...

    def key(self, event: pygame.event.Event) -> bool:
        """Act on a pressed key before the scene does. True when it was consumed."""
        return run_binding(self, event)

    def handle(self, event: pygame.event.Event) -> bool:
        """Act on an event before the board does. True when it was consumed."""
        return False

    def update(self, now: float) -> None: ...

    def wake(self, now: float) -> float | None:
        """Seconds until the next frame is due without any event; None when nothing moves."""
        return None

    def shown(self, node: Node) -> Node:
        """What the board shows while the cursor is at `node` and the tab is chosen."""
        return node

    def marks(self, marks: Marks) -> Marks:
        """Add the marks of the tab to those of the board."""
        return marks

    def pointed_node(self) -> Node | None:
        """The move under the pointer in what the tab draws; the status line tells why it was played."""
        return None

    def pointed_text(self) -> str:
        """What else the status line tells of what is under the pointer."""
        return ""

    def places(self) -> dict[str, tuple[int, int]]:
        """Where to click what is no widget, by name: for tests in a real window."""
        return {}

    def close(self) -> None:
        """The scene is left. It may be shown again."""
