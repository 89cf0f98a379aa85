"""The review in the window: it says what the page and the JSON say, shows better lines, and lets one try again."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from html import unescape
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import pygame
import pytest

from ai.gomoku.handle import EngineState
from ai.pbrain.engines import ExternalEngine, dumps, engines_path
from ai.review.judgement import FAULTLESS, MISTAKES
from ai.review.report import run_review
from games.evaluation import Evaluation
from games.formats import load
from games.formats.text import parse
from games.record import GameRecord, Node
from games.registry import setup
from games.storage import write_atomic
from tests.players import Slow
from tests.ui.stage import SPOKEN, Make, Stage, act, part
from ui.commands.review_games import graph as page_graph
from ui.commands.review_games import page
from ui.parts.move_line import ROW as LINE_ROW
from ui.parts.players import Players
from ui.replay.review_tab import ReviewTab
from ui.replay.screen import Replay
from ui.toolkit.i18n import joined, t
from ui.toolkit.space import Space
from ui.toolkit.theme import PALETTES, Colour
from ui.words.games import side_name
from ui.words.move_words import line_names
from ui.words.verdicts import (
    GRAVEST_FIRST,
    SIGNS,
    figures,
    graph_title,
    kind_colour,
    kind_name,
    loss_text,
    mistake_points,
    page_colours,
    signed_name,
    win_text,
)

MISTAKEN = ("a1b1b2a2c3", "tictactoe")
BONES = ("1 2 3 2 1 3", "bones")


def game(moves: str, name: str) -> GameRecord:
    return parse(moves, setup(name))


def opened(made: Stage, record: GameRecord, at_cursor: bool = False, make: Any = None) -> Any:
    scene = Replay(made.app, record, at_cursor=at_cursor, tab="review")
    if make is not None:
        scene.state.reviewer.make = make
    return made.show(scene)


def reviewed_in(made: Stage, record: GameRecord, at_cursor: bool = False) -> Any:
    scene = opened(made, record, at_cursor)
    made.until(lambda: not scene.state.reviewer.busy)
    return scene


def written(made: Stage, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Colour | None]]:
    """The texts of the tab in the next frame, with their colours."""
    texts: list[tuple[str, Colour | None]] = []

    def note(_surface: object, _theme: object, text: str, _rect: object, _size: int = 16,
             colour: Colour | None = None, **_: object) -> None:  # fmt: skip
        texts.append((text, colour))

    with monkeypatch.context() as patched:
        for module in (
            "replay.screen", "replay.review_tab", "replay.review_course", "parts.players", "parts.move_line",
        ):
            patched.setattr(f"ui.{module}.write", note)
        made.app.rebuild()  # what was painted before would not be written again
        made.frame()
    made.app.rebuild()
    return texts


def test_the_better_line_lay_over_the_buttons_while_a_review_went_on(stage: Make) -> None:
    """In the smallest window."""
    made = stage(size=(960, 640))
    scene = opened(made, load(Path(__file__).parents[2] / "data" / "reviewed" / "030.tengen.json"), make=Slow)
    made.until(lambda: scene.state.reviewer.judged)
    scene.state.go(next(iter(scene.state.reviewer.judged)))
    made.frame()
    assert scene.state.reviewer.busy
    line, button = scene.widgets.elements["line"], scene.widgets.buttons["next_mistake"]
    assert line.rect.top + LINE_ROW <= button.rect.top


@pytest.mark.parametrize("size", [(960, 640), (1280, 800)])
@pytest.mark.parametrize("language", SPOKEN)
def test_the_end_of_a_long_reason_was_cut_off(
    stage: Make, monkeypatch: pytest.MonkeyPatch, language: str, size: tuple[int, int]
) -> None:
    """With it went that it was an opinion. The line of moves, which the board shows as well, makes room."""
    made = stage(size=size, language=language)
    scene = reviewed_in(made, game(*MISTAKEN))
    won = t("why.loses_by_fours", side=side_name("gomoku", 1), count=16, move="m12")
    blocked = t("why.stopped", side=side_name("gomoku", 1), stopped="m12")
    sentences = (won, t("why.decided.four_three", where="m12"), blocked, t("why.lost_before"))
    reason = joined(sentences)
    monkeypatch.setattr("ui.words.verdicts.why_text", lambda _: reason)
    scene.state.go(next(judged.node for judged in scene.state.reviewer.judged.values() if judged.kind in MISTAKES))
    made.frame()
    lines: list[str] = []
    monkeypatch.setattr("ui.toolkit.typesetting.write", lambda _surface, _theme, text, *_, **__: lines.append(text))
    made.frame()
    assert "".join(lines).replace(" ", "") == reason.replace(" ", "")
    assert size == (960, 640) or "line" in scene.widgets.elements


@pytest.mark.parametrize("look", PALETTES)
@pytest.mark.parametrize("of", [MISTAKEN, BONES])
def test_window_page_and_json_agree(
    stage: Make, monkeypatch: pytest.MonkeyPatch, of: tuple[str, str], look: str
) -> None:
    made = stage(theme=look)
    scene = reviewed_in(made, game(*of))
    found = scene.state.reviewer.found
    facts, html = found.facts(), page(found)
    assert facts == run_review(game(*of)).facts(), "the command says the same"
    rows = re.findall(r'<td class="number">(\d+)</td><td>[^<]* ([^< ]+)</td>\s*<td class="(\w+)">([^<]*)</td>'
                      r'<td class="number">([^<]*)</td>\s*<td class="number">([^<]*)</td>', html)  # fmt: skip
    for node, move, row in zip(scene.state.record.line()[1:], facts["moves"], rows, strict=True):
        scene.state.go(node)
        made.frame()
        texts, kind = written(made, monkeypatch), move["kind"]
        name, loss, win = kind_name(kind), loss_text(of[1], move["loss"]), win_text(of[1], move["win"])
        assert row == (str(move["ply"]), move["move"], kind, name, loss, win)
        assert (f"{SIGNS[kind]} {name}".strip(), kind_colour(kind, look)) in texts
        assert f"{move['ply']}. {move['move']}" in dict(texts)
        assert any(win in text for text, _ in texts)
        assert scene.state.reviewer.kinds[node] == kind
        if "line" in scene.widgets.elements:
            follows = kind in FAULTLESS
            label = t("review.follow_up") if follows else t("review.better", line="").strip()
            assert scene.widgets.elements["line"].label == label
        if kind in MISTAKES:
            line = scene.widgets.elements["line"]
            assert " ".join(line_names(line.position, line.moves)).split() == move["line"]
            assert f": {' '.join(move['line'])}" in html
    for side, share in enumerate(facts["accuracy"]):
        assert f"{share} %" in html
        assert f"{share} %" in dict(texts)
        for kind in GRAVEST_FIRST:
            count = sum(move.kind == kind and move.side == side for move in found.moves)
            assert (str(count), kind_colour(kind, look)) in texts or count == 0
            assert re.search(rf'<dt class="{kind}">[^<]*{kind_name(kind)}</dt><dd>[^<]* {count}( ·|<)', html)
    graph = scene.widgets.elements["graph"]
    assert graph.wins == found.wins
    fills = re.findall(r'<circle [^>]*fill="([^"]*)"', page_graph(found))[1::2]  # each has a rim
    kinds = [next(kind for kind in GRAVEST_FIRST if page_colours()[kind] == fill) for fill in fills]
    assert [kind for *_, kind in graph.dots] == kinds
    assert graph.dots == tuple(mistake_points(found))


def test_the_page_has_the_colours_of_the_light_window(stage: Make) -> None:
    html = page(reviewed_in(stage(), game(*MISTAKEN)).state.reviewer.found)
    for kind, colour in page_colours().items():
        assert f".{kind} {{ color: {colour}; }}" in html
        assert bytes.fromhex(colour[1:]) == bytes(kind_colour(kind, "paper"))


def test_from_each_of_two_mistakes_the_other_can_be_reached(made: Stage) -> None:
    scene, mistakes = reviewed_in(made, game(*BONES)), list[Node]()
    while (found := scene.state.reviewer.mistake(scene.state.record.cursor, 1)) and found.node not in mistakes:
        mistakes.append(found.node)
        scene.state.go(found.node)
        made.frame()
    assert len(mistakes) == 2
    for node in mistakes:
        scene.state.go(node)
        made.frame()
        assert scene.widgets.buttons["next_mistake"].enabled


def test_a_mistake_is_shown_from_before_it_with_the_better_line(made: Stage) -> None:
    scene = reviewed_in(made, game(*MISTAKEN))
    record = scene.state.record
    assert record.cursor is record.root
    made.press(pygame.K_PAGEDOWN)
    mistake = record.line()[2]
    assert record.cursor is mistake
    assert scene.state.shown is mistake.parent
    marks, judged = scene.all_marks(), scene.state.reviewer.judged[mistake]
    assert (marks.wrong, marks.sign) == (mistake.move, SIGNS[judged.kind])
    assert marks.line == tuple(takewhile(lambda move: move != mistake.move, judged.line[:7]))
    assert marks.line[0] == record.position.parse_move("b2")
    assert not scene.widgets.buttons["next_mistake"].enabled
    made.press(pygame.K_RIGHT)
    assert (scene.state.shown, scene.all_marks().wrong, scene.all_marks().line) == (record.line()[3], None, ())
    made.press(pygame.K_PAGEUP)
    assert record.cursor is mistake
    scene.state.choose_tab("moves")
    made.frame()
    assert (scene.state.shown, scene.all_marks().wrong) == (mistake, None), "only while the review is shown"


def test_an_inaccuracy_had_no_sign_on_the_board(made: Stage) -> None:
    """A five that was not taken has one in the list of moves. The better line at which one points shows none."""
    record = parse("h8a1i8a3j8a5k8b7e5l8d10")
    for node in record.line():
        node.evaluation = Evaluation(9000, 9, 20, (), 60.0, wanted=1)
    before, after = record.line()[8:10]
    before.evaluation = Evaluation(9000, 1, 20, (record.position.parse_move("g8"),), 60.0, wanted=1)
    after.evaluation = Evaluation(9000, 2, 20, (record.position.parse_move("l9"),), 60.0, wanted=1)
    scene = opened(made, record)
    scene.state.reviewer.start()
    made.until(lambda: after in scene.state.reviewer.judged)
    scene.state.go(after)
    made.frame()
    assert scene.state.reviewer.judged[after].kind == "inaccuracy"
    assert (scene.state.shown, scene.all_marks().wrong, scene.all_marks().sign) == (after, after.move, "?!")
    made.hover(scene.widgets.elements["line"].centre(1))
    assert (scene.state.shown, scene.all_marks().wrong) == (before, None)


@pytest.mark.parametrize("tab", ["moves", "analysis"])
def test_the_keys_reach_the_mistakes_from_every_tab(made: Stage, tab: str) -> None:
    """They did so from the tab of the review only."""
    scene = reviewed_in(made, game(*MISTAKEN))
    made.push(f"tab.{tab}")
    made.press(pygame.K_PAGEDOWN)
    assert scene.state.record.cursor is scene.state.record.line()[2]
    assert scene.state.tab == tab
    made.keys(pygame.K_END, pygame.K_PAGEUP)
    assert scene.state.record.cursor is scene.state.record.line()[2]


def test_signs_of_a_review_were_not_named(made: Stage) -> None:
    scene = reviewed_in(made, game(*MISTAKEN))
    assert scene.status_line()[0] == "?? Blunder · × Missed win · ? Mistake · ?! Inaccuracy · ! Only move"
    made.push("tab.moves")
    assert "Blunder" not in scene.status_line()[0]
    made.hover(scene.places()["move.2"])
    assert scene.status_line()[0].startswith("2. b1 · ?? Blunder · ")


@pytest.mark.parametrize(("at", "shown"), [(5, 2), (0, 0), (3, 3)])
def test_a_review_from_the_end_of_the_game_shows_the_move_that_lost_it(made: Stage, at: int, shown: int) -> None:
    record = game(*MISTAKEN)
    line = record.line()
    record.go_to(line[at])
    reviewed_in(made, record, at_cursor=True)
    assert record.cursor is line[shown], "elsewhere somebody reads"
    record.go_to(line[5])
    made.frame(2)
    assert record.cursor is line[5], "once"
    opened(made, record, at_cursor=True)
    made.frame()
    assert record.cursor is line[2], "also where all is known at once"


def test_a_draw_was_lost_by_nobody(made: Stage) -> None:
    record = game("b2a1c1a3a2c2b1b3c3", "tictactoe")
    reviewed_in(made, record, at_cursor=True)
    assert record.cursor is record.line()[-1]


@pytest.mark.parametrize(
    ("moves", "mistake", "sentence"),
    [
        (MISTAKEN[0], 2, "Before move 2 · A draw with best play"),
        ("b2a1c3a2a3c1b1", 7, "Before move 7 · X wins in 1 move"),
    ],
)
def test_the_line_above_the_tabs_tells_of_the_position_that_is_shown(
    made: Stage, monkeypatch: pytest.MonkeyPatch, moves: str, mistake: int, sentence: str
) -> None:
    """It told the number of the mistake, or how the game ended, and what is to say of the position before."""
    scene = reviewed_in(made, game(moves, "tictactoe"))
    scene.state.go(scene.state.record.line()[mistake])
    made.until(lambda: scene.state.knowledge.view is not None)
    assert sentence in dict(written(made, monkeypatch))


def test_a_move_on_the_board_at_a_mistake_is_played_in_its_place(made: Stage) -> None:
    scene = reviewed_in(made, game(*MISTAKEN))
    made.press(pygame.K_PAGEDOWN)
    mistake = scene.state.record.cursor
    scene.state.choose(scene.state.record.root.position.parse_move("c1"))
    assert scene.state.record.cursor.parent is mistake.parent
    assert len(mistake.parent.children) == 2
    scene.state.go(mistake)
    scene.state.choose(scene.state.record.root.position.parse_move("a1"))
    assert scene.state.record.cursor is mistake, "what is illegal changes nothing"


def test_a_move_of_the_refutation_is_shown_after_the_mistake_and_played(stage: Make) -> None:
    """The board showed what was better, and never what the move lost to."""
    made = stage((1280, 900))
    record = game("h8h7d4i7a15", "gomoku")
    for node, best in zip(record.line(), ("h8", "g9", "d4", "i8", "j7", "j7"), strict=True):
        lost = node.position.ply == 5
        cells = (record.position.parse_move(best), *((record.position.parse_move("k7"),) * lost))
        node.evaluation = Evaluation(-400 if lost else 0, None, 40, cells, 9.0, sound=cells[:1])
    scene = reviewed_in(made, record)
    made.press(pygame.K_PAGEDOWN)
    mistake = scene.state.record.cursor
    assert mistake is record.line()[5]
    refutation = scene.widgets.elements["refutation"]
    assert line_names(mistake.position, refutation.moves) == ["j7", "k7"]
    marks = scene.all_marks()
    assert (marks.hints, marks.decided) == ((), record.position.parse_move("g7")), "where the open four threatens"
    made.hover(refutation.centre(2))
    assert (scene.state.shown, scene.all_marks().line, scene.all_marks().wrong) == (mistake, refutation.moves, None)
    assert scene.all_marks().decided == marks.decided, "still to come"
    made.click(refutation.centre(1))
    assert scene.state.record.cursor.parent is mistake


@pytest.mark.parametrize(
    ("height", "mate", "rows"), [(900, None, (2, 2)), (900, -9, (1, 3)), (700, None, (2, 1)), (640, None, (1,))]
)
def test_the_better_line_and_the_refutation_share_the_room(
    stage: Make, height: int, mate: int | None, rows: tuple[int, ...]
) -> None:
    made = stage((1280, height))
    record = game("h8h7d4i7a15", "gomoku")
    free = tuple(record.position.legal_moves()[-80:])
    for node, best in zip(record.line(), ("h8", "g9", "d4", "i8", "j7", "j7"), strict=True):
        lost = node.position.ply == 5
        cells = (record.position.parse_move(best), *free)
        node.evaluation = Evaluation(-400 if lost else 0, mate if lost else None, 40, cells, 9.0, sound=cells[:1])
    scene = reviewed_in(made, record)
    made.press(pygame.K_PAGEDOWN)
    shown = [scene.widgets.elements[name].rect for name in ("line", "refutation") if name in scene.widgets.elements]
    assert [rect.height // LINE_ROW for rect in shown] == list(rows)
    assert all(above.bottom == below.top for above, below in pairwise(shown))


def test_the_table_gives_way_where_the_graph_would_be_too_low(made: Stage) -> None:
    scene = reviewed_in(made, game(*MISTAKEN))
    scene.state.go(scene.state.record.line()[1])
    made.frame()
    for high, graph, table in (
        (260, 48, False), (361, 125, False), (362, 48, True), (363, 49, True), (494, 180, True), (600, 180, True),
    ):  # fmt: skip
        scene.widgets.clear()
        part(scene, ReviewTab).build(Space(pygame.Rect(0, 0, 288, high), 8))
        elements = scene.widgets.elements
        assert (elements["graph"].rect.height, elements["kind.blunder"].visible) == (graph, table)


def test_how_accuracy_is_counted_is_said(made: Stage) -> None:
    scene = reviewed_in(made, game(*MISTAKEN))
    assert "mean" in scene.widgets.elements["accuracy"].tip
    assert scene.widgets.elements["accuracy"].tip in unescape(page(run_review(game(*MISTAKEN))))


def test_a_move_of_the_better_line_is_shown_and_played(made: Stage) -> None:
    scene = reviewed_in(made, game(*MISTAKEN))
    made.press(pygame.K_PAGEDOWN)
    mistake = scene.state.record.cursor
    line = scene.widgets.elements["line"]
    made.hover(line.centre(3))
    assert scene.all_marks().line == line.moves[:3]
    made.hover(line.centre(2))
    made.click(line.centre(2))
    node = scene.state.record.cursor
    assert (node.parent.move, node.move) == line.moves[:2]
    assert node.parent.parent is mistake.parent
    made.press(pygame.K_z, pygame.KMOD_LCTRL)
    made.press(pygame.K_z, pygame.KMOD_LCTRL)
    assert mistake.parent.children == [mistake]


@pytest.mark.parametrize("way", ["button", "another screen"])
def test_a_review_is_cancelled_and_continued(made: Stage, way: str) -> None:
    scene = opened(made, game(*MISTAKEN), make=Slow)
    made.frame(2)
    assert scene.state.reviewer.state == "running"
    assert scene.wake(0.0) is not None
    made.push("review.cancel" if way == "button" else "settings")
    assert scene.state.reviewer.state == "cancelled"
    if way == "button":
        made.push("review.continue")
    else:
        made.press(pygame.K_ESCAPE)
        made.frame(2)
    assert made.app.scene is scene
    assert scene.state.reviewer.state == "running"


def test_a_review_ends_when_moves_of_its_line_are_removed(made: Stage) -> None:
    """It failed with a traceback in the log."""
    scene = opened(made, game(*MISTAKEN), make=Slow)
    made.frame(2)
    scene.state.go(scene.state.record.line()[2])
    made.press(pygame.K_DELETE)
    assert scene.state.reviewer.state == "cancelled"
    made.push("review.continue")
    assert scene.state.reviewer.state == "running"
    assert scene.state.reviewer.nodes == scene.state.record.line()


def test_choosing_the_tab_starts_no_review(made: Stage) -> None:
    scene: Any = made.show(Replay(made.app, game(*MISTAKEN)))
    scene.state.choose_tab("review")
    made.frame(2)
    made.press(pygame.K_PAGEDOWN)
    assert made.app.message[0] == t("review.first")
    assert scene.status() == "", "no legend before there are signs"
    assert scene.state.reviewer.state == "new"
    scene.widgets.press("review")
    assert scene.state.reviewer.state != "new"


def test_what_is_judged_anew_is_laid_out_anew_once(made: Stage) -> None:
    scene = reviewed_in(made, game(*MISTAKEN))
    before = scene.state.revision
    for node in scene.state.record.line()[2:]:
        node.evaluation = node.evaluation and replace(node.evaluation, score=0, mate=None)
    for later in (10, 20):
        scene.update(time.monotonic() + later)
        assert scene.state.revision == before + 1


def test_engines_that_know_the_rule_review_in_place_of_the_strongest_player(made: Stage) -> None:
    record = parse("h8i9", setup("gomoku", rule="freestyle"))
    assert "reviewer" not in [each.name for each in opened(made, record, make=Slow).entries()]
    engines = (ExternalEngine(name, "none", rules=(name,)) for name in ("freestyle", "renju"))
    write_atomic(engines_path(), dumps(tuple(engines)))
    scene = opened(made, record, make=Slow)
    made.choose("menu", "reviewer")
    assert [name for name, _ in made.app.overlay.options] == ["engine", "external:freestyle"]
    assert (made.app.overlay.options[1][1], made.app.overlay.chosen) == ("freestyle", 0)
    asked: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene.state.reviewer, "player", "external:freestyle")
        made.choose("menu", "reviewer")
        assert made.app.overlay.chosen == 1
    made.press(pygame.K_ESCAPE)
    scene.state.reviewer.review_by = asked.append
    made.choose("menu", "reviewer")
    made.click(made.app.overlay.places()["external:freestyle"])
    assert asked == ["external:freestyle"]


@pytest.mark.parametrize(("state", "bad"), [("running", False), ("failed", True)])
def test_how_far_a_review_is_stands_above_its_bar(
    made: Stage, monkeypatch: pytest.MonkeyPatch, state: Any, bad: bool
) -> None:
    scene, drawn = opened(made, game(*MISTAKEN), make=Slow), []
    part(scene, ReviewTab).build(Space(pygame.Rect(10, 20, 300, 400), 8))
    scene.state.reviewer.state, scene.state.reviewer.share = state, 0.37
    for name in ("write", "draw_progress"):
        monkeypatch.setattr(f"ui.replay.review_tab.{name}", lambda *given: drawn.append(given[2:]))
    part(scene, ReviewTab).draw(made.app.surface, 0.0)
    palette = made.app.theme.palette
    room = 292 - scene.widgets.buttons["review.cancel"].rect.width
    assert drawn[0] == (
        t(f"review.state.{state}", percent=37), (10, 20, room, 22), 14, palette.bad if bad else palette.quiet
    )  # fmt: skip
    assert drawn[1] == ((10, 46, room, 6), 0.37)
    scene.state.reviewer.state = "running"  # as it is
    scene.state.reviewer.cancel()


def test_the_graph_is_clicked_and_dragged(made: Stage) -> None:
    scene = reviewed_in(made, game(*BONES))
    graph, line = scene.widgets.elements["graph"], scene.state.record.line()

    def point(number: int) -> tuple[int, int]:
        x, y = graph.pixel_of(number)
        return round(x), round(y)

    made.hover(point(4))
    made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=point(4), button=1))
    made.frame()
    assert scene.state.record.cursor is line[4]
    for number in (3, 5, 6, 0):
        made.app.dispatch(pygame.event.Event(pygame.MOUSEMOTION, pos=point(number), rel=(1, 0), buttons=(1, 0, 0)))
        made.frame()
        assert scene.state.record.cursor is line[number]
    made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=point(0), button=1))
    act(scene, "right")
    assert graph.at == 1


def test_nothing_leads_to_a_mistake_that_was_removed(made: Stage) -> None:
    scene = reviewed_in(made, game(*MISTAKEN))
    here = scene.state.record.line()[1]
    scene.state.go(here)
    made.frame()

    def enabled() -> list[bool]:
        return [scene.widgets.buttons[f"{name}_mistake"].enabled for name in ("previous", "next")]

    assert enabled() == [True, True]
    made.press(pygame.K_DELETE)
    assert enabled() == [False, False]
    made.click(scene.widgets.elements["graph"].pixel_of(4))
    made.press(pygame.K_PAGEDOWN)
    assert scene.state.record.cursor is here
    made.press(pygame.K_z, pygame.KMOD_CTRL)
    assert enabled() == [True, True]


def test_the_players_panel_marks_the_side_to_move_on_the_board(made: Stage) -> None:
    scene = reviewed_in(made, game(*BONES))

    def marked() -> list[int]:
        panel, accent = part(scene, Players).rect, made.app.theme.palette.accent
        middles = (panel.top + panel.height // 4, panel.bottom - panel.height // 4)
        return [side for side, y in enumerate(middles) if made.app.surface.get_at((panel.left + 1, y))[:3] == accent]

    for node in scene.state.record.line():
        scene.state.go(node)
        made.frame()
        shown = scene.state.shown
        assert marked() == ([shown.position.turn] if shown.outcome is None else [])


def test_the_status_line_tells_of_the_move_under_the_pointer_in_the_graph(made: Stage) -> None:
    scene = reviewed_in(made, game(*BONES))
    graph, line = scene.widgets.elements["graph"], scene.state.record.line()

    def point_at(pixel: tuple[float, float]) -> str:
        made.hover(pixel)
        return scene.hint()

    for number in range(1, len(line)):
        judged = scene.state.reviewer.judged[line[number]]
        told = f"{number}. {judged.move} · {signed_name(judged.kind)} · {figures(judged)}"
        assert point_at(graph.pixel_of(number)) == told
    assert point_at(graph.pixel_of(0)).startswith("With best play "), "no move leads to the beginning"
    under_way = opened(made, game(*BONES), make=Slow)
    made.frame(2)
    made.hover(under_way.widgets.elements["graph"].pixel_of(1))
    assert under_way.hint() == graph_title("bones"), "nothing is known yet"
    made.app.engine.state = EngineState("loading")
    waiting = opened(made, parse("h8i9"))
    made.frame(2)
    made.hover(waiting.widgets.elements["graph"].rect.center)
    assert waiting.hint() == ""
    made.show(scene)
    assert point_at((5, 5)) == ""


def test_the_graph_stays_where_a_variation_leaves_the_game(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = reviewed_in(made, game(*BONES))
    scene.state.go(scene.state.record.line()[2])
    scene.state.choose(1)
    made.frame(2)
    assert scene.widgets.elements["graph"].at == 2
    told: list[str] = []
    monkeypatch.setattr("ui.replay.review_tab.write_paragraph", lambda _s, _t, text, *_: told.append(text))
    made.frame()
    scene.state.reviewer.state = "running"
    made.frame()
    assert told[0] == t("review.not_reviewed")
    assert told[-1] == ""
