"""The tab of the moves: their tree, and below it the comment on the move at the cursor, or tools to mark the board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from string import ascii_lowercase, ascii_uppercase

import pygame

from games.formats.tengen import LONGEST_COMMENT
from games.record import Mark, Node
from ui.board.view import BoardView, Marks
from ui.parts.game_file import copy_moves
from ui.parts.header import open_menu
from ui.parts.study import Study
from ui.replay.tab import Tab
from ui.replay.variation_tree import VariationTree, variations_of
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.text_area import LINE, PADDING, SIZE, TextArea, spans
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Group, MenuEntry, Part
from ui.words.move_words import node_reason, signs_text
from ui.words.verdicts import judgement

# The strip under the tree of moves: the comment on the move that is shown, and the tools that mark its board.


TOOLS = ("circle", "square", "triangle", "cross", "label")
"""Kinds of marks. The button of each has its icon, and that of labels an “A”."""

_AREA = "comment"
_BUTTON = 36  # design pixels
_FEWEST, _TYPING = 2, 5  # lines of a comment, and while one types
_SHARE = 0.5  # of the tab, at most
_PAUSE = 1.0  # seconds without a key, after which what was typed is saved


@dataclass
class _Draft:
    """What is being written as the comment of `node`, which was `before`. It is saved at the time `due` unless more is
    typed by then; None means that the next frame has to set that time."""

    node: Node
    before: str
    text: str
    due: float | None = None

    @property
    def saved(self) -> bool:
        """Whether the text is already the comment of its node."""
        return self.node.comment == self.text


class Notes(Part):
    """The comment on the move at the cursor, or the tools that mark its board. The comment is saved after each pause in
    typing; it is one change for undo, made when the text field or the move is left. While there is a `tool`, a click on
    the board puts or removes a mark."""

    def __init__(self, host: Host, widgets: Widgets, state: Study, board: BoardView) -> None:
        self._host, self._widgets, self._state, self._board = host, widgets, state, board
        self.tool: str | None = None
        self._area: TextArea | None = None
        self._draft: _Draft | None = None
        self._shown: Node | None = None  # whose comment is shown
        self._room = pygame.Rect()  # of the whole tab

    # Layout.

    @property
    def _typing(self) -> bool:
        """Whether the keyboard writes into the comment."""
        return self.tool is None and self._widgets.focus == _AREA

    def shape(self) -> object:
        """What the layout depends on: the tool, whether the comment is being typed, its height in lines, and the
        judgement of the annotator."""
        return self.tool, self._typing, self._lines(), self._annotation

    @property
    def _annotation(self) -> str:
        """How the file's annotator judges the move at the cursor, in signs and words; empty without a judgement."""
        return signs_text(self._state.record.cursor)

    def _lines(self) -> int:
        """Return the height of the comment in lines: as many as its text needs, within the room."""
        node, draft, px = self._state.record.cursor, self._draft, self._host.theme.px
        text = draft.text if draft is not None and draft.node is node else node.comment
        wide = self._room.width - px(_BUTTON) - px(8) - 2 * px(PADDING)
        most = (int(_SHARE * self._room.height) - 2 * px(PADDING)) // px(LINE)
        return max(_FEWEST, min(most, len(spans(self._host.theme, text, max(1, wide), SIZE))))

    def build(self, space: Space) -> None:
        """Make the widgets at the bottom of `space`: a quarter of it, more while one types, and up to a half for a long
        comment."""
        px, self._room = self._host.theme.px, space.rest.copy()
        usual = min(_TYPING, (space.rest.height // 4 - 2 * px(PADDING)) // px(LINE))
        lines = _TYPING if self._typing else max(_FEWEST, usual)
        strip = Space(space.bottom(max(lines, self._lines()) * px(LINE) + 2 * px(PADDING)), px(8))
        if self._annotation:
            space.gap = 0
            colour = self._host.theme.palette.info
            self._widgets.label(space.bottom(px(LINE + 4)), self._annotation, 14, colour, bold=True)
            space.gap = px(8)
        side = Space(strip.right(px(_BUTTON))).top(px(_BUTTON))
        tip, chosen = t("notes.marks"), self.tool is not None
        self._widgets.button("marks", side, "", self.toggle_tools, icon="marks", tip=tip, key="m", chosen=chosen)
        if self.tool is None:
            self._build_area(strip.rest)
        else:
            self._build_tools(strip.rest)

    def _build_area(self, rect: pygame.Rect) -> None:
        """Make the text field of the comment; keep cursor and draft of the one before."""
        before, node = self._area, self._state.record.cursor
        self._shown = node
        theme, hint = self._host.theme, t("notes.hint")
        area = TextArea(theme, rect, node.comment, LONGEST_COMMENT, self._update_draft, hint)
        self._area = self._widgets.add("comment", area)
        if before is not None and self._draft is not None and self._draft.node is node:
            self._area.resume(before)

    def _build_tools(self, rect: pygame.Rect) -> None:
        """Make the buttons of the marks that can be put on the board."""
        px = self._host.theme.px
        self._area = None
        space = Space(rect, px(4))
        for place, kind in zip(columns(space.top(px(_BUTTON)), len(TOOLS), px(4)), TOOLS, strict=True):
            text, icon = ("A", "") if kind == "label" else ("", kind)
            tip, press = t(f"notes.{kind}"), partial(self._choose_tool, kind)
            self._widgets.button(
                f"mark.{kind}", place, text, press, icon=icon, tip=tip, style="@choice", chosen=kind == self.tool
            )
        if space.rest.height >= px(LINE):
            self._widgets.label(space.top(px(LINE)), t("notes.click"), 14, self._host.theme.palette.quiet)

    # The comment.

    def write_comment(self) -> None:
        """Put the tools away, and give the keyboard to the comment."""
        if self.tool is not None:
            self._choose_tool(None)
        self._widgets.focus = _AREA

    def _update_draft(self, text: str) -> None:
        """Keep the typed text as a draft of the comment, and stop autoplay."""
        node = self._state.record.cursor
        self._state.go(node)  # autoplay would take the move away
        self._draft = self._draft or _Draft(node, node.comment, "")
        self._draft.text, self._draft.due = text.rstrip(), None

    def update(self, now: float) -> None:
        """Store the comment if it was left, save it after a pause, and show that of the move at the cursor."""
        cursor, widgets = self._state.record.cursor, self._widgets
        left = self._draft is not None and self._draft.node is not cursor
        if left or not (_AREA in widgets.elements and widgets.focus == _AREA):
            self.store()
        elif self._draft is not None:
            self._save_draft(self._draft, now)
        if self._area is not None and self._shown is not cursor:
            self._shown = cursor
            self._area.set_text(cursor.comment)
            if left:
                widgets.leave_focus()

    def _save_draft(self, draft: _Draft, now: float) -> None:
        """Save the draft after a pause without a key, without a change for undo."""
        if draft.due is None:
            draft.due = now + _PAUSE
        elif now >= draft.due and not draft.saved:
            draft.node.comment = draft.text
            self._state.keep()

    def wake(self, now: float) -> float | None:
        """Seconds until something is to be saved."""
        draft = self._draft
        return None if draft is None or draft.due is None or draft.saved else max(0.0, draft.due - now)

    def close(self) -> None:
        """Store the draft."""
        self.store()

    def store(self) -> None:
        """Make the draft the comment of its node, as one change for undo. Do nothing without a draft."""
        if self._draft is not None:
            draft, self._draft = self._draft, None
            saved, draft.node.comment = draft.node.comment, draft.before  # to which undo leads
            if self._state.edits.comment(draft.node, draft.text) or draft.text != saved:
                self._state.changed()

    # Marks.

    def toggle_tools(self) -> None:
        """Show the tools, or put them away."""
        self._choose_tool("circle" if self.tool is None else None)

    def _choose_tool(self, tool: str | None) -> None:
        """Choose the kind of mark that clicks put on the board; None puts the tools away."""
        self.store()
        self.tool = tool

    def marks(self, marks: Marks) -> Marks:
        """Remove the stone under the pointer while there is a tool."""
        return marks if self.tool is None else replace(marks, hover=None)

    def press(self, pixel: tuple[int, int]) -> bool:
        """Put a mark of the tool's kind on the point under `pixel`, or remove it if it is there. Return False if there
        is no point or no tool."""
        move = self._board.move_at(pixel)
        return move is not None and self.put_mark(move)

    def put_mark(self, move: int) -> bool:
        """Put a mark of the tool's kind on the point of `move`, or remove it if it is there. Return False without a
        tool."""
        node = self._state.record.cursor
        if self.tool is not None and self._state.edits.mark(node, toggled(node.marks, self.tool, move)):
            self._state.changed()
        return self.tool is not None


def toggled(marks: tuple[Mark, ...], kind: str, move: int) -> tuple[Mark, ...]:
    """Return `marks` with a mark of `kind` on the point of `move`, in place of any other there; without it, if there
    was one of this kind. A label is the first letter that no other mark has."""
    others = tuple(mark for mark in marks if mark.move != move)
    if any(mark.kind == kind for mark in marks if mark.move == move):
        return others
    used = {mark.text for mark in others}
    letters = [letter for letter in ascii_uppercase if letter not in used]
    number = next(str(number) for number in count(1) if str(number) not in used)
    return (*others, Mark(kind, move, (letters or [number])[0] if kind == "label" else ""))


class NextMoves(Part):
    """The moves that follow in the tree, lettered on the board: the main line is “a”. A key switches them on and
    off."""

    def __init__(self, host: Host, state: Study) -> None:
        self._host, self._state = host, state
        self.bindings = (Binding(("v",), self._toggle, "replay.next_moves", menu="replay.next_moves"),)

    def _toggle(self) -> None:
        """Switch the letters on or off, in the settings."""
        settings = self._host.settings
        settings.next_moves = not settings.next_moves
        self._host.save_settings()
        self._host.say(t("replay.next_moves.on" if settings.next_moves else "replay.next_moves.off"))

    def marks(self, marks: Marks) -> Marks:
        """Add a letter to each move that follows, unless a line of play is shown."""
        if not self._host.settings.next_moves or marks.line:
            return marks
        own = {mark.move for mark in marks.drawn}
        following = [child.move for child in self._state.shown.children if child.move is not None]
        letters = (Mark("label", move, letter) for move, letter in zip(following, ascii_lowercase, strict=False))
        return replace(marks, drawn=(*marks.drawn, *(each for each in letters if each.move not in own)))


class MovesTab(Tab, Group):
    """The tab of the moves: their tree, and `Notes` below it."""

    name = "moves"

    def __init__(self, host: Host, widgets: Widgets, state: Study, board: BoardView) -> None:
        self._host, self._state = host, state
        self.tree = VariationTree(state.record)
        self._notes = Notes(host, widgets, state, board)
        super().__init__((self._notes,))
        self.bindings = (
            Binding(("f2",), self._write_comment, "keys.comment"),
            Binding(("m",), self._toggle_tools, "keys.marks"),
            Binding(("return",), self._mark_at_cursor, ""),
            Binding(("escape",), self._close_tools, ""),
        )

    def build(self, space: Space) -> None:
        """Lay out the notes at the bottom of the space and the tree in the rest, scrolled to the cursor."""
        self._notes.build(space)
        self._place_tree(space.rest)
        self.tree.follow(self._state.record.cursor, again=True)

    def _place_tree(self, rect: pygame.Rect) -> None:
        """Show the tree in `rect`."""
        self.tree.place(self._host.theme, rect, self._state.revision, self._state.reviewer.kinds)

    def update(self, now: float) -> None:
        """Advance the notes, also of a hidden tab, whose text may have to be saved. While the tab is chosen, let the
        tree follow the cursor."""
        super().update(now)
        if self.chosen:
            self._place_tree(self.tree.rect)
            self.tree.follow(self._state.record.cursor)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the tree, with the move under the mouse highlighted unless an overlay is open. The notes are widgets."""
        self.tree.draw(surface, None if self._host.overlay else pygame.mouse.get_pos())

    def marks(self, marks: Marks) -> Marks:
        """Add the marks of the notes while the tab is chosen."""
        return super().marks(marks) if self.chosen else marks

    def hint(self) -> str:
        """What is known of the move under the pointer, what the file's annotator says of it, and why it was played."""
        node = self.tree.node_at(pygame.mouse.get_pos())
        judged = None if node is None else self._state.reviewer.judged.get(node)
        known = "" if judged is None else judgement(judged)
        said = "" if node is None else signs_text(node)
        return " · ".join(filter(None, (known, said, "" if node is None else node_reason(node))))

    # Input.

    def _write_comment(self) -> None:
        """Show the tab, and give the keyboard to the comment."""
        self._state.choose_tab(self.name)
        self._notes.write_comment()

    def _toggle_tools(self) -> None:
        """Show the tab, and open or close the tools for marks; open ones of a hidden tab stay."""
        if self.chosen or self._notes.tool is None:
            self._notes.toggle_tools()
        self._state.choose_tab(self.name)

    def _mark_at_cursor(self) -> bool:
        """Mark the point at the keyboard's cursor on the board. Return False if there is no cursor, or without a
        tool."""
        cursor = self._state.pointer.cursor
        return self.chosen and cursor is not None and self._notes.put_mark(cursor)

    def _close_tools(self) -> bool:
        """Put the tools away. Return False if there were none."""
        out = self.chosen and self._notes.tool is not None
        if out:
            self._notes.toggle_tools()
        return out

    def places(self) -> dict[str, tuple[int, int]]:
        """Return the places of the tree: moves and triangles in sight."""
        return self.tree.places()

    def handle(self, event: pygame.event.Event) -> bool:
        """Scroll the tree by the wheel, press and drag in it, or mark the board."""
        if event.type == pygame.MOUSEWHEEL and self.tree.rect.collidepoint(pygame.mouse.get_pos()):
            self.tree.scroll(-event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (pygame.BUTTON_LEFT, pygame.BUTTON_RIGHT):
            return self._press(event.pos, event.button)
        if event.type == pygame.MOUSEMOTION:
            return self.tree.drag(event.pos)
        if event.type == pygame.MOUSEBUTTONUP:
            self.tree.release()
        return False

    def _press(self, pixel: tuple[int, int], button: int) -> bool:
        """Go to the move at `pixel`, with the right button open its menu. Or use what else is there: mark the board,
        fold a variation, drag the scroll bar. Return whether anything was hit."""
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
        """Open a menu of what can be done with the move of `node`."""
        promote = MenuEntry("promote", t("keys.promote"), partial(self._state.promote, node))
        entries = [
            MenuEntry("copy", t("keys.copy"), partial(copy_moves, self._host, self._state.record, node)),
            *([promote] if any(variations_of(node)) else []),
            MenuEntry("remove", t("replay.remove_from"), partial(self._state.remove, node)),
        ]
        open_menu(self._host, pygame.Rect(pixel, (1, 1)), entries)
