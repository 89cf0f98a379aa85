"""The tree of moves in the replay: where moves stand, what is folded, and what mouse and keys do."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

import ui.replay.variation_tree
from games.formats.text import parse
from games.record import GameRecord, Mark, Node, path
from tests.ui.scenes import long_game
from tests.ui.stage import Make, Stage, act, part
from ui.replay.moves_tab import MovesTab
from ui.replay.screen import Replay
from ui.replay.variation_tree import TreeLayout, VariationTree
from ui.toolkit.dialogs import Menu

ROOM = pygame.Rect(20, 300, 288, 200)


def variation(record: GameRecord, at: Node, *moves: str) -> list[Node]:
    """Adds a variation after `at`; the cursor stays."""
    before = record.cursor
    record.go_to(at)
    added = [record.play(record.position.parse_move(move)) for move in moves]
    record.go_to(before)
    return added


def branched() -> tuple[GameRecord, list[Node], list[Node]]:
    """A main line of eight moves, and a variation with another one inside of it."""
    record = parse("h8i9g7i7i8g8j8h6")
    line = path(record.cursor)
    added = variation(record, line[3], "a1", "a2", "a3", "a4")
    variation(record, added[1], "b1", "b2")
    return record, line, added


def layout(made: Stage, record: GameRecord, width: int = 280) -> TreeLayout:
    return TreeLayout(record, made.app.theme, width, {}, {})


def rect(found: TreeLayout, node: Node) -> pygame.Rect:
    return found.cells[node][1].rect


def test_variations_stand_below_the_move_that_they_are_an_alternative_to(made: Stage) -> None:
    record, line, added = branched()
    found = layout(made, record)
    first, second = rect(found, line[1]), rect(found, line[2])
    assert (first.top, first.right) == (second.top, second.left), "a row of two moves"
    assert rect(found, line[4]).bottom < rect(found, added[0]).bottom < rect(found, line[5]).top
    nested = added[1].children[1]
    assert rect(found, added[2]).bottom <= rect(found, nested).top < rect(found, added[3]).top
    depths = [found.cells[node][0].depth for node in (line[4], added[0], nested, added[3])]
    assert depths == [0, 1, 2, 1]
    assert rect(found, nested).left > rect(found, added[0]).left


def test_moves_have_the_numbers_that_stones_and_sentences_have(made: Stage) -> None:
    record, line, added = branched()
    found = layout(made, record)
    numbers = [found.cells[node][1].number for node in (*line[1:], *added, *added[1].children[1:])]
    assert numbers[:8] == ["1", "", "3", "", "5", "", "7", ""]
    assert numbers[8:] == ["4.", "5.", "", "7.", "6."]


def test_no_moves_overlap_and_all_are_inside(stage: Make) -> None:
    made, record = stage(language="zh"), long_game(plies=60)
    for ply in (3, 10, 30):
        moves = [record.line()[ply].position.move_text(move) for move in record.line()[ply].position.legal_moves()]
        variation(record, record.line()[ply], *moves[-9:])
    found = layout(made, record)
    rects = [cell.rect for _, cell in found.cells.values()]
    assert len(rects) == 60 + 27
    assert all(rect.left >= 0 and rect.right <= 280 for rect in rects)
    assert not any(one.collidelistall(rects[number + 1 :]) for number, one in enumerate(rects))


def test_variations_nested_thousands_deep_are_no_matter_of_recursion(made: Stage) -> None:
    record = GameRecord(long_game(plies=2).setup)
    nodes = [record.root]
    for number in range(3000):  # the rules are not asked: a position may be anything here
        move = record.root.position.legal_moves()[number % 200]
        nodes[-1].children = [Node(record.root.position, move, nodes[-1]) for _ in range(2)]
        nodes.append(nodes[-1].children[1])
    found = TreeLayout(record, made.app.theme, 280, dict.fromkeys(nodes, False), {})
    assert len(found.cells) == 6000


def test_a_long_variation_is_folded_until_a_click_or_the_cursor_unfolds_it(made: Stage) -> None:
    record = parse("h8i9g7i7i8g8j8h6")
    added = variation(record, record.line()[2], *(f"a{row}" for row in range(1, 16)))
    tree = VariationTree(record)
    tree.place(made.app.theme, ROOM.inflate(0, 800), 0)

    def shown() -> list[bool]:
        """Whether the first, the tenth and the last move of the variation are."""
        numbers = [list(record.nodes()).index(node) for node in (added[0], added[9], added[-1])]
        return [f"move.{number}" in tree.places() for number in numbers]

    assert shown() == [True, False, False]
    sign = next(place for name, place in tree.places().items() if name.startswith("fold"))
    assert tree.press(sign)
    assert shown() == [True, True, True]
    assert tree.press(sign)
    assert shown() == [True, False, False]
    record.go_to(added[9])
    tree.follow(added[9])
    assert shown() == [True, True, True]
    assert tree.node_at(tree.places()[f"move.{list(record.nodes()).index(added[9])}"]) is added[9]


def test_a_large_tree_is_laid_out_once_and_drawn_where_it_is_seen(stage: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    record = long_game(plies=100)
    for ply in range(2, 92, 2):
        here = record.line()[ply].position
        free = [move for move in here.legal_moves() if move != record.line()[ply + 1].move]
        variation(record, record.line()[ply], *(here.move_text(move) for move in free[:10]))
        variation(record, record.line()[ply], *(here.move_text(move) for move in free[10:20]))
    assert len(list(record.nodes())) == 1001
    layouts, written = [], []
    made = stage((960, 640))
    monkeypatch.setattr(ui.replay.variation_tree, "TreeLayout", lambda *args: layouts.append(args) or TreeLayout(*args))
    monkeypatch.setattr(ui.replay.variation_tree, "write", lambda _s, _t, text, *_, **__: written.append(text))
    scene = made.show(Replay(made.app, record))
    layouts.clear()
    for _ in range(30):
        made.press(pygame.K_RIGHT)
    assert layouts == []
    written.clear()
    made.frame()
    assert 0 < len(written) < 240, "a number, a name, a sign and a score for each move in sight"
    scene.state.choose(next(iter(scene.state.record.position.legal_moves()[-30:])))
    made.frame()
    assert len(layouts) == 1


def test_a_click_goes_to_a_move_and_a_right_click_opens_what_can_be_done_with_it(made: Stage, board: list[str]) -> None:
    record, line, added = branched()
    scene = made.show(Replay(made.app, record))
    places = scene.places()
    number = {node: f"move.{place}" for place, node in enumerate(record.nodes())}
    made.click(places[number[line[4]]])
    assert record.cursor is line[4]
    made.click(places[number[added[2]]], button=3)
    assert (record.cursor, isinstance(made.app.overlay, Menu)) == (added[2], True)
    menu: Any = made.app.overlay
    assert [value for value, _ in menu.options] == ["copy", "promote", "remove"]
    made.app.overlay = None
    menu.then("copy")
    assert board[-1] == "h8i9g7a1a2a3"
    menu.then("promote")
    assert [node.move for node in main_line(record.root)][:6] == [node.move for node in path(added[2])][1:]
    made.press(pygame.K_z, pygame.KMOD_LCTRL)
    assert main_line(record.root) == line[1:]
    menu.then("remove")
    made.press(pygame.K_z, pygame.KMOD_LCTRL)
    assert added[2] in record.nodes()


def main_line(node: Node) -> list[Node]:
    """The moves after `node`."""
    nodes = [node]
    while nodes[-1].children:
        nodes.append(nodes[-1].children[0])
    return nodes[1:]


def test_a_variation_inside_of_another_becomes_the_main_line_at_once(made: Stage) -> None:
    """Only the innermost fork was changed, and the main line stayed as it was."""
    record, line, added = branched()
    made.show(Replay(made.app, record))
    nested = added[1].children[1]
    record.go_to(nested)
    made.press(pygame.K_p)
    assert main_line(record.root)[3:] == [*added[:2], nested, nested.children[0]]
    made.press(pygame.K_z, pygame.KMOD_LCTRL)
    assert main_line(record.root) == line[1:]


def test_the_wheel_and_the_bar_scroll(stage: Make) -> None:
    made = stage((960, 640))
    scene = made.show(Replay(made.app, long_game(plies=100)))
    tree = part(scene, MovesTab).tree
    first, last = scene.state.record.line()[1], scene.state.record.line()[-1]

    def top() -> Node:
        return tree.node_at((tree.rect.left + 80, tree.rect.top + 16))

    assert top() is first
    made.hover(tree.rect.center)
    made.app.dispatch(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-2))
    assert top() is not first
    assert scene.state.record.position.ply == 0, "the wheel steps through the game elsewhere"
    bottom = tree.rect.right - 2, tree.rect.bottom - 1
    made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=bottom, button=1))
    assert f"move.{last.position.ply}" in tree.places()
    made.app.dispatch(pygame.event.Event(pygame.MOUSEMOTION, pos=tree.rect.midtop, rel=(0, -9), buttons=(1, 0, 0)))
    assert top() is first
    made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=tree.rect.midtop, button=1))
    made.app.dispatch(pygame.event.Event(pygame.MOUSEMOTION, pos=bottom, rel=(0, 9), buttons=(0, 0, 0)))
    assert top() is first


def test_the_moves_that_follow_are_lettered_on_the_board(made: Stage) -> None:
    record, line, added = branched()
    scene = made.show(Replay(made.app, record, at=line[3]))
    assert scene.all_marks().drawn == ()
    act(scene, "v")
    main = line[4].move
    assert main is not None
    assert scene.all_marks().drawn == (Mark("label", main, "a"), Mark("label", added[0].move or 0, "b"))
    line[3].marks = (Mark("circle", main),)
    assert [mark.text for mark in scene.all_marks().drawn] == ["", "b"], "the own mark stays"
    act(scene, "v")
    assert [mark.kind for mark in scene.all_marks().drawn] == ["circle"]


def test_moves_have_the_signs_that_a_review_gives_them(made: Stage) -> None:
    record, line, added = branched()
    scene = made.show(Replay(made.app, record))
    plain = layout(made, record)
    kinds = {line[1]: "blunder", line[2]: "best", added[0]: "mistake"}
    found = TreeLayout(record, made.app.theme, 280, {}, kinds)
    assert rect(found, added[0]).width > rect(plain, added[0]).width
    assert rect(found, added[1]).width == rect(plain, added[1]).width
    scene.state.reviewer.kinds.update(kinds)
    scene.state.learned()
    made.frame()
    written: list[str] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("ui.replay.variation_tree.write", lambda _surface, _theme, text, *_, **__: written.append(text))
        made.frame()
    assert [text for text in written if "?" in text] == ["??", "?"]
