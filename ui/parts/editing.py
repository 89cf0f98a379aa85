"""Changing the tree of moves of a game that is studied."""

from __future__ import annotations

from ui.game.study import Study
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding


class Editing(Part):
    bindings = (
        Binding(("up",), "do_variation_up", "keys.variation_up"),
        Binding(("down",), "do_variation_down", "keys.variation_down"),
        Binding(("p",), "do_promote", "keys.promote", "keys.promote"),
        Binding(("delete",), "do_remove", "keys.remove", "keys.remove"),
        Binding(("ctrl+z",), "do_undo", "library.undo", "library.undo"),
    )

    def __init__(self, state: Study) -> None:
        self._state = state

    def status(self) -> str:
        state = self._state
        if state.edits and state.file.own is not None:
            return t("replay.kept", name=state.file.own.name)
        return state.file.path.name if state.file.path else ""

    def close(self) -> None:
        if self._state.file.unsaved:  # there may be room now
            self._state.file.keep()

    def do_variation_up(self) -> None:
        self._step_variation(-1)

    def do_variation_down(self) -> None:
        self._step_variation(1)

    def _step_variation(self, step: int) -> None:
        """Let the line of play go on with another move."""
        record, here = self._state.record, self._state.record.cursor
        if here.next is not None:
            record.go_to(here.children[(here.preferred + step) % len(here.children)])
            record.go_to(here)

    def do_promote(self) -> None:
        """Make the line that is shown the main line."""
        self._state.promote(self._state.record.cursor.next or self._state.record.cursor)

    def do_remove(self) -> None:
        """Remove the moves that follow."""
        if self._state.record.cursor.next is not None:
            self._state.remove(self._state.record.cursor.next)

    def do_undo(self) -> None:
        self._state.undo()
