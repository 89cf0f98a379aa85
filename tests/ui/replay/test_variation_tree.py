"""The tree of moves in the replay: where moves stand, what is folded, and what mouse and keys do."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

import ui.replay.variation_tree
from games.evaluation import Evaluation
from games.formats.text import parse
from games.record import GameRecord, Mark, Node, path
from games.registry import setup
from tests.ui.scenes import long_game
from tests.ui.stage import Make, Stage, act, changed, part
from ui.replay.moves_tab import MovesTab
from ui.replay.screen import Replay
from ui.replay.variation_tree import Cell, Fold, TreeLayout, VariationTree
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t

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


def test_a_long_variation_is_folded_until_the_cursor_unfolds_it(made: Stage) -> None:
    record = parse("h8i9g7i7i8g8j8h6")
    added = variation(record, record.line()[2], *(f"a{row}" for row in range(1, 16)))
    tree = VariationTree(record)
    tree.place(made.app.theme, ROOM.inflate(0, 800), 0)

    def shown() -> list[bool]:
        """Whether the first, the tenth and the last move of the variation are."""
        numbers = [list(record.nodes()).index(node) for node in (added[0], added[9], added[-1])]
        return [f"move.{number}" in tree.places() for number in numbers]

    record.go_to(added[0])
    tree.follow(added[0])
    assert shown() == [True, False, False], "it is in sight"
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
    assert menu.rect.topleft == (places[number[added[2]]][0], places[number[added[2]]][1] + 5), "below the pointer"
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


def test_what_hits_nothing_in_the_tree_is_left_to_others(made: Stage) -> None:
    scene = made.show(Replay(made.app, branched()[0]))
    tab, move = part(scene, MovesTab), scene.places()["move.1"]
    beside = tab.tree.rect.right - 20, tab.tree.rect.bottom - 3

    def used(kind: int, pos: tuple[int, int], **more: Any) -> bool:
        return tab.handle(pygame.event.Event(kind, pos=pos, **more))

    down = [used(pygame.MOUSEBUTTONDOWN, pos, button=button) for pos in (move, beside) for button in (1, 2, 3)]
    assert down == [True, False, True, False, False, False]
    assert not used(pygame.MOUSEMOTION, move)
    assert not used(pygame.MOUSEBUTTONUP, move, button=1)
    for made.pointer, scrolls in ((move, True), ((5, 5), False)):
        assert used(pygame.MOUSEWHEEL, move, y=-1) is scrolls


def test_the_moves_that_follow_are_lettered_on_the_board(made: Stage) -> None:
    record, line, added = branched()
    scene = made.show(Replay(made.app, record, at=line[3]))
    assert scene.all_marks().drawn == ()
    act(scene, "v")
    assert (made.app.message[0], made.app.settings.next_moves) == (t("replay.next_moves.on"), True)
    main = line[4].move
    assert main is not None
    assert scene.all_marks().drawn == (Mark("label", main, "a"), Mark("label", added[0].move or 0, "b"))
    line[3].marks = (Mark("circle", main),)
    assert [mark.text for mark in scene.all_marks().drawn] == ["", "b"], "the own mark stays"
    act(scene, "v")
    assert (made.app.message[0], made.app.settings.next_moves) == (t("replay.next_moves.off"), False)
    assert [mark.kind for mark in scene.all_marks().drawn] == ["circle"]


def test_moves_have_the_signs_that_a_review_gives_them(made: Stage) -> None:
    record, line, added = branched()
    scene = made.show(Replay(made.app, record))
    scene.state.reviewer.kinds.update({line[1]: "blunder", line[2]: "best", added[0]: "mistake"})
    scene.state.learned()
    made.frame()
    written: list[str] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("ui.replay.variation_tree.write", lambda _surface, _theme, text, *_, **__: written.append(text))
        made.frame()
    assert [text for text in written if "?" in text] == ["??", "?"]


def lines(found: TreeLayout) -> list[tuple[Any, ...]]:
    """Each line: top, height, depth, its triangle, and its moves with their edges, the left edge of the text, and what
    stands beside it."""

    def move(cell: Cell) -> tuple[Any, ...]:
        name = cell.node.parent.position.move_text(cell.node.move)  # type: ignore[union-attr, arg-type]
        return (f"{cell.number}{name}{cell.score}", cell.rect.left, cell.rect.right, cell.text_left)

    def fold(shown: Fold | None) -> tuple[Any, ...] | None:
        return shown and (shown.rect.left, shown.rect.right, shown.hidden, shown.badge and shown.badge.left)

    return [
        (line.rect.top, line.rect.height, line.depth, fold(line.fold), *map(move, line.cells)) for line in found.lines
    ]


def test_each_move_has_its_place_with_room_for_what_stands_beside_it(made: Stage) -> None:
    record = parse("h8i9g7i7i8g8")
    line = record.line()
    added = variation(record, line[3], "a1", "a2", "a3", "a4")
    variation(record, added[1], "b1", "b2", "b3")
    line[2].comment, added[0].marks, added[1].comment = "a comment", (Mark("circle", 3),), "another"
    for node in (line[2], added[3]):
        node.evaluation = Evaluation(120, None, 9)
    assert lines(TreeLayout(record, made.app.theme, 280, {}, {added[1]: "blunder"})) == [
        (0, 28, 0, None, ("1h8", 34, 157, 41), ("i9", 157, 280, 164)),
        (28, 28, 0, None, ("3g7", 34, 157, 41), ("i7", 157, 280, 164)),
        (56, 24, 1, (8, 28, 0, None), ("4.a1", 24, 79, 44), ("5.a2", 81, 150, 101), ("a3", 152, 178, 157)),
        (80, 24, 2, None, ("6.b1", 36, 78, 56), ("7.b2", 80, 122, 100), ("b3", 124, 151, 129)),
        (104, 24, 1, None, ("7.a475 %", 24, 103, 44)),
        (128, 28, 0, None, ("5i8", 34, 157, 41), ("g8", 157, 280, 164)),
    ]


@pytest.mark.parametrize(
    ("length", "width", "rows"),
    [
        (12, 150, [(0, 3, None), (None, 3, None), (None, 3, None), (None, 2, None), (None, 1, None)]),
        (13, 150, [(11, 2, 97)]),
        (13, 180, [(10, 3, 140)]),
        (13, 179, [(11, 2, 97)]),
    ],
)
def test_a_variation_of_more_than_twelve_moves_shows_what_fits_into_its_line(
    made: Stage, length: int, width: int, rows: list[Any]
) -> None:
    record = parse("h8i9")
    variation(record, record.root, *(f"a{row}" for row in range(1, length + 1)))
    found = lines(layout(made, record, width))[1:-1]
    assert [(fold and fold[2], len(moves), fold and fold[3]) for _, _, _, fold, *moves in found] == rows


def test_variations_inside_of_others_are_indented_seven_times(made: Stage) -> None:
    found = layout(made, parse("h8"))
    assert [found.indent(depth) for depth in (0, 1, 6, 7, 8)] == [12, 24, 84, 96, 96]


def test_a_short_variation_can_not_be_folded(made: Stage) -> None:
    record = parse("h8i9")
    first = variation(record, record.root, "a1", "a2", "a3")
    second = variation(record, record.root, "b1", "b2", "b3", "b4")
    found = TreeLayout(record, made.app.theme, 280, {first[0]: True, second[0]: True}, {})
    assert [found.folded(nodes[0]) for nodes in (first, second)] == [False, True]
    assert [line.fold is not None for line in found.lines] == [False, False, True, False]
    assert {(line.rect.left, line.rect.width) for line in found.lines} == {(0, 280)}


def drawn(tree: VariationTree, hover: tuple[int, int] | None = None) -> pygame.Surface:
    surface = pygame.Surface((400, 700))
    tree.draw(surface, hover)
    return surface


def placed(made: Stage, record: GameRecord, height: int = 100) -> VariationTree:
    tree = VariationTree(record)
    tree.place(made.app.theme, pygame.Rect(20, 40, 280, height), 0)
    return tree


def top_of(tree: VariationTree, node: Node) -> int | None:
    """How far below the top of the tree the middle of a move stands; None out of sight."""
    place = tree.places().get(f"move.{list(tree.record.nodes()).index(node)}")
    return place and place[1] - tree.rect.top


def test_only_a_move_out_of_sight_is_scrolled_to_the_middle(made: Stage) -> None:
    tree = placed(made, long_game(plies=60))  # 30 rows of 28 pixels, in 100
    line = tree.record.line()
    tree.follow(line[5])
    assert (top_of(tree, line[1]), top_of(tree, line[5])) == (14, 70), "in sight"
    tree.follow(line[7])
    assert top_of(tree, line[7]) == 50, "its row ends at 112"
    tree.follow(line[5])
    assert top_of(tree, line[5]) == 22
    tree.follow(line[3])
    assert top_of(tree, line[3]) == 42, "its row began above, and there is nothing above the first one"
    tree.scroll(2)
    tree.follow(line[3])
    assert top_of(tree, line[7]) == 42, "no other move than before"
    tree.follow(line[3], again=True)
    assert top_of(tree, line[3]) == 42
    tree.follow(line[60])
    assert top_of(tree, line[60]) == 86
    tree.scroll(1)
    assert top_of(tree, line[60]) == 86, "there is no more"
    tree.follow(line[0])
    assert top_of(tree, line[1]) == 14
    tree.scroll(-1)
    assert top_of(tree, line[1]) == 14


def test_a_move_at_the_edge_is_in_sight(made: Stage) -> None:
    tree = placed(made, long_game(plies=60), 112)
    line = tree.record.line()
    tree.follow(line[7])
    assert top_of(tree, line[7]) == 98
    tree.scroll(1)
    tree.follow(line[3])
    assert top_of(tree, line[3]) == 14


def test_a_side_that_moves_twice_begins_a_row(made: Stage) -> None:
    record = GameRecord(setup("gomoku"))
    nodes = [record.root]
    for move in range(3):  # it is always the first side's turn
        nodes[-1].children = [Node(record.root.position, move, nodes[-1])]
        nodes += nodes[-1].children
    found = layout(made, record)
    assert [rect(found, node).topleft for node in nodes[1:]] == [(34, 0), (34, 28), (34, 56)]


def test_the_result_stands_below_the_last_move_and_is_scrolled_to(made: Stage) -> None:
    record = long_game(plies=60)
    record.go_to(record.line()[-1])
    record.resign(0)
    tree = placed(made, record)
    tree.follow(record.line()[60])
    assert top_of(tree, record.line()[60]) == 58
    below = drawn(tree).subsurface((20, 112, 272, 28))
    assert changed(below, drawn(placed(made, parse("h8"))).subsurface((20, 112, 272, 28))).width > 50


def test_a_game_that_ends_by_the_rules_is_not_scrolled_beyond_its_last_move(made: Stage) -> None:
    record = long_game(plies=60)
    here = record.line()[59].position
    variation(record, record.line()[59], *map(here.move_text, list(here.legal_moves())[-12:]))
    tree = placed(made, record)
    tree.follow(record.line()[60])
    assert top_of(tree, record.line()[60]) == 50


def test_all_texts_have_their_place_size_and_weight(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    record = parse("h8i9g7i7i8g8")
    line = record.line()
    variation(record, line[3], *(f"a{row}" for row in range(1, 14)))
    second = variation(record, line[1], "b1", "b2", "b3", "b4")
    line[2].extra.update(TE=("2",), GB=("1",))
    second[0].extra.update(BM=("1",), DM=("1",))
    second[1].extra["GW"] = ("2",)
    line[2].comment, second[0].marks = "a comment", (Mark("circle", 3),)
    for node in (line[1], line[2], second[1]):
        node.evaluation = Evaluation(120, None, 9)
    record.go_to(line[6])
    record.resign(0)
    record.go_to(line[2])
    tree, texts = VariationTree(record), list[str]()
    kinds = {line[2]: "blunder", second[0]: "mistake", line[5]: "best"}
    tree.place(made.app.theme, pygame.Rect(20, 40, 190, 600), 0, kinds)

    def note(_surface: object, _theme: object, text: str, rect: pygame.Rect, size: int, _colour: object,
             bold: bool = False, align: str = "left") -> None:  # fmt: skip
        if text:
            texts.append(f"{text} {','.join(map(str, rect))} {size}{'b' * bold}{align[0]}")

    monkeypatch.setattr("ui.replay.variation_tree.write", note)
    drawn(tree)
    assert " | ".join(texts) == (
        "1 20,40,26,28 14r | h8 61,41,67,26 16l | 76 % 60,41,62,26 14r | i9 135,41,67,26 16bl | "
        "?? 149,41,67,26 16bl | !! 165,41,67,26 16bl | + 195,41,67,26 16bl | 25 % 134,41,62,26 14r | "
        "2. 49,69,20,22 14l | b1 64,69,62,22 14l | ? 81,69,62,22 14l | ? 88,69,62,22 14l | = 99,69,62,22 14l | "
        "3. 49,93,20,22 14l | b2 64,93,94,22 14l | ++ 99,93,94,22 14l | 76 % 50,93,102,22 14r | "
        "b3 165,93,22,22 14l | 5. 49,117,20,22 14l | b4 64,117,22,22 14l | 3 20,140,26,28 14r | "
        "g7 61,141,67,26 16l | i7 135,141,67,26 16l | +10 160,168,36,24 14c | 4. 49,169,20,22 14l | "
        "a1 64,169,21,22 14l | 5. 92,169,20,22 14l | a2 107,169,21,22 14l | a3 135,169,21,22 14l | "
        "5 20,192,26,28 14r | i8 61,193,67,26 16l | g8 135,193,67,26 16l | "
        "White wins: Black resigned 26,220,170,28 14l"
    )


def test_the_ways_to_go_on_are_scrolled_into_sight_with_their_fork(made: Stage) -> None:
    record = long_game(plies=60)
    line = record.line()
    tree = placed(made, record)
    tree.follow(line[6])
    assert top_of(tree, line[6]) == 70
    variation(record, line[6], record.position.move_text(line[6].position.legal_moves()[-1]))
    tree.place(made.app.theme, tree.rect, 1)
    tree.follow(line[6], again=True)
    assert top_of(tree, line[7]) == 50


@pytest.mark.parametrize(("scrolled", "top", "bar"), [(0, 0, 40), (1, 28, 55), (2, 56, 71), (3, 83, 86)])
def test_what_is_scrolled_looks_as_it_does_in_a_high_window(made: Stage, scrolled: int, top: int, bar: int) -> None:
    record, line, _ = branched()
    record.go_to(line[4])
    whole, low = placed(made, record, 600), placed(made, record, 101)
    low.scroll(scrolled)
    rect = pygame.Rect(20, 40, 272, 101)
    assert changed(drawn(low).subsurface(rect), drawn(whole).subsurface(rect.move(0, top))).size == (0, 0)
    beside = drawn(low).subsurface(293, 0, 107, 700)
    assert changed(beside, pygame.Surface(beside.get_size())) == (3, bar, 4, 55)


def test_the_move_under_the_pointer_is_highlighted(made: Stage) -> None:
    record, line, added = branched()
    record.go_to(line[3])
    tree = placed(made, record, 600)
    plain = drawn(tree)
    seen = {}
    for name, node in (("cursor", line[3]), ("next", line[4]), ("other", line[1]), ("variation", added[1])):
        place = tree.places()[f"move.{list(record.nodes()).index(node)}"]
        seen[name] = changed(plain, drawn(tree, place))
        if name != "cursor":
            inside = seen[name].centerx, seen[name].top + 2
            assert drawn(tree, place).get_at(inside)[:3] == made.app.theme.palette.raised
    cell = layout(made, record, 272)
    assert seen["cursor"].size == (0, 0)
    for name, node in (("next", line[4]), ("other", line[1]), ("variation", added[1])):
        box = rect(cell, node).move(20, 40).inflate(0, -2)
        assert box.contains(seen[name]), name
        assert box.width - seen[name].width <= 8, name
    assert changed(plain, drawn(tree, (10, 10))).size == (0, 0)
    for at, forks in ((line[3], True), (line[6], False)):
        record.go_to(at)
        framed = pygame.surfarray.array3d(drawn(tree)) == made.app.theme.palette.accent
        assert framed.all(axis=2).any() == forks, "the way on is framed where there are others"


def test_bars_lead_down_to_a_variation_and_a_branch_into_one_inside_of_it(made: Stage) -> None:
    record, _, added = branched()
    tree = placed(made, record, 600)
    line, picture = layout(made, record, 272).cells[added[1].children[1]][0].rect.move(20, 40), drawn(tree)
    for y, branch in ((line.top, False), (line.centery - 1, False), (line.centery, True), (line.centery + 1, True),
                      (line.centery + 2, False), (line.bottom - 1, False)):  # fmt: skip
        found = [x for x in range(20, 56) if picture.get_at((x, y))[:3] == made.app.theme.palette.line]
        assert found == [37, 38, 49, 50, *([51, 52, 53, 54, 55] if branch else [])]


def test_the_triangle_and_the_badge_are_pressed_and_nothing_beside_them(made: Stage) -> None:
    record = parse("h8i9")
    added = variation(record, record.root, *(f"a{row}" for row in range(1, 16)))
    tree = placed(made, record, 300)
    fold = layout(made, record, 272).cells[added[0]][0].fold
    assert fold is not None
    assert fold.badge is not None
    triangle, badge = fold.rect.move(20, 40), fold.badge.move(20, 40)
    for left in (triangle.left - 1, triangle.right, badge.left - 1, badge.right):
        assert not tree.press((left, triangle.top))
    for pixel, shown in ((badge.topleft, True), (triangle.topleft, False), (triangle.midbottom, None)):
        assert tree.press(pixel) is (shown is not None)
        assert (top_of(tree, added[14]) is not None) is bool(shown)


def test_the_bar_is_dragged_by_its_middle(made: Stage) -> None:
    tree = placed(made, long_game(plies=60))
    line = tree.record.line()
    assert not tree.press((tree.rect.right - 9, tree.rect.bottom - 5))
    assert not tree.drag((tree.rect.right - 4, tree.rect.bottom - 5))
    assert tree.press((tree.rect.right - 8, tree.rect.centery))
    assert top_of(tree, line[31]) == 64
    for below, move, seen in ((-99, 1, 14), (12, 1, 14), (13, 1, 4), (87, 60, 96), (88, 60, 86), (199, 60, 86)):
        assert tree.drag((0, tree.rect.top + below))
        assert top_of(tree, line[move]) == seen
    tree.release()
    assert not tree.drag((0, tree.rect.top))
    assert top_of(tree, line[60]) == 86
    small = placed(made, parse("h8i9"))
    assert not small.press((small.rect.right - 4, small.rect.centery)), "nothing to scroll"
