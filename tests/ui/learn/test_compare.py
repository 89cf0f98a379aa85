"""The screen on which searches are compared, and its chart of nodes against depth: curves, scale and files."""

from __future__ import annotations

import io
import math
import multiprocessing
import xml.dom.minidom
from functools import partial
from itertools import groupby
from multiprocessing.process import BaseProcess
from typing import Any
from unittest.mock import Mock

import pygame
import pytest

from ai.explain.subject import Shared
from ai.gomoku import horizon
from ai.search.comparison import DEEPEST, VARIANTS, SearchRow
from ai.search.parallel import Division
from games.formats.text import parse
from games.record import GameRecord
from games.registry import GAMES, setup
from tests.ui.scenes import long_game
from tests.ui.stage import Make, Stage, act, choose_file, part, still
from tests.ui.test_scenes import OTHERS, QUICK, button_faults
from ui.learn import compare_charts, two_trees
from ui.learn.compare import DEEP, REFUTATION, SHALLOW, Compare, CompareBoard, CompareWords, HorizonBoard
from ui.learn.compare_charts import ChartPainter, NodeChart, SearchTable, ThreadBars
from ui.learn.compare_state import (
    ALL,
    BEST,
    HORIZON,
    LAST,
    SEARCHES,
    THREADS,
    TREES,
    Comparison,
    Curve,
    Plot,
    bounds_sentence,
    plot,
    row_sentence,
)
from ui.learn.learn import Learn
from ui.learn.lesson_state import subject
from ui.learn.two_trees import TwoTrees
from ui.play.screen import Play
from ui.replay.screen import Replay
from ui.toolkit.canvas import SvgCanvas, page_theme
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import LINE, width_of


def opened(made: Stage, moves: str = "a3b2", game: str = "tictactoe", depth: int = 4) -> Compare:
    screen = Compare(made.app, parse(moves, setup(game)))
    screen.state.depth = depth
    return made.show(screen)


def finished(made: Stage, screen: Compare) -> Compare:
    made.until(lambda: not screen.state.busy)
    return screen


def rows(depth: int = DEEPEST) -> list[SearchRow]:
    """As wide as figures may be."""
    depths = range(1, depth + 1)
    return [SearchRow(name, at, 549_946, 7.95, -12345, 0, at < depth) for name in VARIANTS for at in depths]


def test_the_searches_begin_when_it_opens_and_are_shown_as_they_come(made: Stage) -> None:
    screen = opened(made)
    assert (screen.state.busy, screen.state.failed) == (True, False)
    finished(made, screen)
    made.frame()
    button = screen.widgets.buttons["start"]
    assert (button.text, button.icon, button.style) == (t("compare.start"), "play", "@primary")
    assert button.tip == f"{t('compare.start.tip', bounds=bounds_sentence())} (Space)"
    assert screen.widgets.buttons["export"].enabled
    assert {(row.search, row.depth) for row in screen.state.search_rows} == {
        (name, depth) for name in VARIANTS for depth in range(1, 5)
    }
    words = " ".join(part(screen, CompareWords).sentences)
    assert "times as many" in words
    assert "same value" in words
    assert "b = " in words


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_any_game_can_be_compared(made: Stage, game: str) -> None:
    record = GameRecord(setup(game))
    record.play(record.position.candidates()[0])
    screen = Compare(made.app, record)
    screen.state.depth = 1
    made.show(screen)
    assert len(finished(made, screen).state.search_rows) == len(VARIANTS)
    assert not screen.state.failed


@pytest.mark.slow
def test_start_and_stop(made: Stage) -> None:
    screen = opened(made, depth=9)
    made.press(pygame.K_SPACE)
    assert not screen.state.busy
    made.press(pygame.K_SPACE)
    assert screen.state.busy
    made.until(lambda: screen.state.search_rows)
    made.push("start")
    assert not screen.state.busy
    assert screen.state.search_rows, "what was found stays"


def test_the_depth_has_bounds(made: Stage) -> None:
    screen = opened(made)
    for key, depths in (("]", [*range(5, DEEPEST + 1), DEEPEST]), ("[", [*range(DEEPEST - 1, 0, -1), 1])):
        for depth in depths:
            act(screen, key)
            assert screen.state.depth == depth


def searching(made: Stage) -> tuple[Compare, BaseProcess]:
    """A search that is not over soon, and its process."""
    before = set(multiprocessing.active_children())
    screen = opened(made, depth=9)
    (process,) = set(multiprocessing.active_children()) - before
    return screen, process


def test_leaving_ends_the_process(made: Stage) -> None:
    screen, process = searching(made)
    made.frame()
    button = screen.widgets.buttons["start"]
    assert (button.text, button.icon, button.style) == (t("compare.stop"), "pause", "")
    assert button.tip == f"{t('compare.stop')} (Space)"
    made.press(pygame.K_ESCAPE)
    assert made.app.scene is not screen
    assert process not in multiprocessing.active_children()


def test_a_process_that_fails_is_told(made: Stage) -> None:
    screen, process = searching(made)
    process.kill()
    finished(made, screen)
    assert screen.state.failed
    words = part(screen, CompareWords)
    assert words.sentences == [t("compare.failed")]
    for height, complete in ((LINE - 1, False), (LINE, True), (2 * LINE, True)):
        words.build(Space(pygame.Rect(0, 0, 900, height), 0))
        words.draw(pygame.Surface((900, 60)), 0.0)
        assert words.complete == complete
    screen.state.failed = False
    screen.state.trees.whole = Mock(failed=True, busy=False)
    told = []
    for screen.state.view in (SEARCHES, TREES):
        told.append(words.sentences == [t("compare.failed")])
    assert told == [False, True], "the trees of another view have failed"


def test_the_board_leaves_room_for_the_words_of_its_view(made: Stage) -> None:
    record = parse("a3b2", setup("tictactoe"))
    state = Comparison(made.app, record)
    board, taken = CompareBoard(made.app, state, record.cursor), []
    for state.view, lines in ((SEARCHES, 9), (TREES, 9), (THREADS, 13), (HORIZON, 0)):
        for over in (95, 96, 1000):
            space = Space(pygame.Rect(0, 0, 300, lines * LINE + over), 0)
            board.build(space)
            taken.append(lines * LINE + over - space.rest.height)
    assert taken == [*3 * [0, 96, 300], 0, 0, 0]


def test_a_finished_game_has_nothing_to_search(made: Stage) -> None:
    screen = opened(made, "a3b3a2b2a1")
    assert not screen.state.busy
    made.press(pygame.K_SPACE)
    assert not screen.state.busy
    buttons = screen.widgets.buttons
    assert [buttons[name].enabled for name in ("start", "export", "deeper")] == [False, False, True]
    assert buttons["export"].tip == f"{t('compare.export.tip')} (Ctrl+E)"
    act(screen, "ctrl+e")
    assert made.app.overlay is None, "there is nothing to export"
    assert "over" in part(screen, CompareWords).sentences[0]


def test_hovering_tells_the_figures(made: Stage) -> None:
    screen = opened(made)
    screen.state.stop()
    screen.state.search_rows[:] = ROWS
    row: Any = screen.state.row(("minimax", 3))
    x, y = part(screen, NodeChart).painter.place((3, row.nodes))
    table, right, places = part(screen, SearchTable), math.ceil(x) + 23, [(x, y)]
    places += [(right, y), (right + 1, y), table.line(2)[1][3].center, table.line(0)[0].topleft]
    pointed = []
    for place in places:
        made.hover(place)
        pointed.append((screen.state.pointed, screen.status_line()))
    at, nothing = (("minimax", 3), (row_sentence(screen.state.position, row), True)), (t("compare.lines"), False)
    assert pointed == [at, at, (None, nothing), (("alphabeta", 4), nothing), (None, nothing)]
    assert f"{row.nodes:,}" in at[1][0]
    motion, state = pygame.event.Event(pygame.MOUSEMOTION, pos=places[0]), screen.state
    assert not any(kind(made.app, state).handle(motion) for kind in (NodeChart, SearchTable, TwoTrees)), "not used up"


def test_a_view_says_that_it_searches_or_what_it_shows(made: Stage) -> None:
    for kind, shown in ((SearchTable, t("compare.lines")), (ThreadBars, ""), (TwoTrees, t("compare.trees.help"))):
        assert [kind(made.app, Mock(busy=busy)).status() for busy in (True, False)] == [t("compare.busy"), shown]


def test_a_share_is_written_in_its_bar_where_it_fits(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    written, counts = list[str](), []
    monkeypatch.setattr(compare_charts, "write", lambda _surface, _theme, text, *_, **__: written.append(text))
    bars = ThreadBars(made.app, Mock(shared=[Shared(2, 1, Division((9, 0), 0, (1, 1), (1, 1)), 1, 1)]))
    for less in (1, 0):
        wide = 204 + width_of(made.app.theme, "100 %", 14) + 8 - less
        bars.build(Space(pygame.Rect(0, 0, wide, 300), 0))
        written.clear()
        bars.draw(pygame.Surface((wide, 300)), 0.0)
        counts.append(written.count("100 %"))
    assert counts == [1, 2], "in the card, and in the bar"


def test_a_point_of_the_chart_is_near_within_less_than_so_many_pixels() -> None:
    painter = ChartPainter(page_theme(), pygame.Rect(0, 0, 800, 540), plot(ROWS, 9))
    x, y = painter.place((1, 10))
    pixel = round(x) + 5, round(y)
    far = pygame.Vector2(x, y).distance_to(pixel)
    assert [painter.nearest(pixel, each) for each in (far, far + 0.1)] == [None, ("minimax", 1)]


@pytest.mark.slow
def test_the_horizon_effect_is_told_and_shown(made: Stage) -> None:
    screen = opened(made)
    made.push(f"view.{HORIZON}")
    finished(made, screen)
    assert not screen.state.failed
    shallow, deep = screen.state.horizon_results
    text = screen.state.preset.position.move_text
    words = part(screen, CompareWords).sentences
    assert f"Depth 4 plays {text(shallow.line[0])}" in words[1]
    assert " ".join(map(text, shallow.refutation)) in words[2]
    assert f"plays {text(deep.line[0])}" in words[3]
    board = part(screen, HorizonBoard)
    assert board.line == (shallow.line[0], *shallow.refutation)
    made.push(f"line.{SHALLOW}")
    assert board.line == shallow.line
    made.push(f"line.{DEEP}")
    assert board.line == deep.line


def test_the_line_on_the_board_is_as_much_as_was_found(made: Stage) -> None:
    screen = made.show(Compare(made.app, parse("a3b2", setup("tictactoe")), HORIZON))
    words = part(screen, CompareWords)
    assert words.sentences[-1] == t("compare.horizon.busy")
    screen.state.stop()
    assert words.sentences == [t("compare.horizon.about")]
    screen.state.search_rows[:] = ROWS
    act(screen, "ctrl+e")
    assert (made.app.overlay, "export" in screen.widgets.buttons) == (None, False)
    shallow = horizon.HorizonResult(4, 235, (7, 8), 2_226, (1, 2, 3))
    deep = horizon.HorizonResult(8, -12_345, (9, 5), 12_261, ())
    lines = []
    for found in ((), (shallow,), (deep,), (shallow, deep)):
        screen.state.horizon_results[:] = found
        for screen.state.on_board in (SHALLOW, REFUTATION, DEEP):
            lines.append(part(screen, HorizonBoard).line)
    after, nothing = (7, 1, 2, 3), ()
    assert lines == [*[nothing] * 3, (7, 8), after, nothing, nothing, nothing, (9, 5), (7, 8), after, (9, 5)]


@pytest.mark.slow
def test_two_threads_are_counted(made: Stage) -> None:
    screen = opened(made, "dd", "connect4", 4)
    made.push(f"view.{THREADS}")
    finished(made, screen)
    assert [each.depth for each in screen.state.shared] == [2, 3, 4]
    words = " ".join(part(screen, CompareWords).sentences)
    assert "GIL" in words
    assert f"{screen.state.shared[-1].division.positions:,}" in words


@pytest.mark.slow
def test_a_view_that_was_left_keeps_what_it_found_and_stops(made: Stage) -> None:
    screen = finished(made, opened(made))
    found = list(screen.state.search_rows)
    for view in (TREES, HORIZON, THREADS, SEARCHES):
        made.press(pygame.K_TAB, pygame.KMOD_LCTRL)
        assert screen.state.view == view
    assert not screen.state.busy
    assert screen.state.search_rows == found


def trees_of(made: Stage, moves: str = "a3b3c3a2", game: str = "tictactoe") -> Compare:
    """Two whole searches that have ended and are drawn."""
    screen = opened(made, moves, game)
    made.push(f"view.{TREES}")
    finished(made, screen)
    made.until(lambda: screen.state.trees.finished and whole_laid_out(screen))
    return screen


def whole_laid_out(screen: Compare) -> bool:
    plans = screen.state.current_plans
    return plans is not None and plans.whole.count == len(screen.state.trees.traces[0])


def test_two_whole_trees_are_seen_to_one_scale(made: Stage) -> None:
    screen = trees_of(made)
    plans: Any = screen.state.current_plans
    whole, pruned = plans.traces
    assert (plans.whole.count, plans.pruned.count, plans.alone.count) == (len(whole), len(pruned), len(pruned))
    words = " ".join(part(screen, CompareWords).sentences)
    assert f"{len(pruned):,} of {len(whole):,} nodes" in words
    made.until(lambda: still(screen))
    area, found = part(screen, TwoTrees).area, list[int | None]()
    for y in range(area.top, area.bottom):
        made.app.dispatch(pygame.event.Event(pygame.MOUSEMOTION, pos=(area.left, y), rel=(0, 0), buttons=(0, 0, 0)))
        pointed = screen.state.trees.pointed
        found.append(None if pointed is None else len(pointed))
    line = [(ply, 33) for ply in range(4)]
    assert [(ply, len(list(run))) for ply, run in groupby(found)] == [
        (None, 26), *line, (None, 106), *line, (None, 106), *line, (None, 82),
    ]  # fmt: skip
    made.push("pruning.table")
    made.until(lambda: whole_laid_out(screen) and screen.state.current_plans is not plans)
    assert screen.state.trees.traces[0] is whole
    assert len(screen.state.trees.traces[1]) < len(pruned)


def test_trees_that_cannot_be_laid_out_ended_the_program(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of the thread was raised again in a frame."""
    monkeypatch.setattr(two_trees, "Plans", lambda *_: 1 / 0)
    opened(made, "a3b3c3a2", "tictactoe")
    made.push(f"view.{TREES}")
    made.until(lambda: made.app.message[0] == t("error.drawing"))


@pytest.mark.slow
def test_a_box_of_the_trees_tells_its_moves_and_its_nodes(made: Stage) -> None:
    screen = trees_of(made)
    shown: Any = part(screen, TwoTrees)
    left, top = shown.area.topleft
    places = {}
    for x in range(left, shown.area.right, 61):
        for y in range(top, shown.area.bottom, 13):
            made.hover((x, y))
            if screen.state.trees.pointed is not None:
                places[screen.state.trees.nodes_below()] = screen.status_line()
    whole, pruned = (len(trace) for trace in screen.state.trees.traces)
    assert f"{whole:,}" in places[whole, pruned][0]
    gone = {nodes for nodes in places if nodes[1] == 0}
    assert gone, "what was cut away"
    assert all(asked for _, asked in places.values())


def test_the_trees_are_exported(made: Stage) -> None:
    screen = trees_of(made)
    assert screen.widgets.buttons["export"].tip == f"{t('compare.trees.export')} (Ctrl+E)"
    assert pygame.image.load(io.BytesIO(export(made, screen, "trees.png"))).get_size() == (1200, 800)
    drawing = export(made, screen, "trees.svg")
    document = xml.dom.minidom.parseString(drawing)
    assert b"url(#hatch" in drawing
    bold = [text for text in document.getElementsByTagName("text") if text.hasAttribute("font-weight")]
    texts = {float(text.getAttribute("y")) for text in bold}
    frames = [each for each in document.getElementsByTagName("rect") if each.hasAttribute("stroke")]
    tops = [float(frame.getAttribute("y")) for frame in frames]
    ends = [top + float(frame.getAttribute("height")) for top, frame in zip(tops, frames, strict=True)]
    title, *names = sorted(texts)
    assert all(above < name < top for above, name, top in zip((title, *ends), names, tops, strict=False))
    assert len(names) == len(tops) > 1, "each tree has its name above it"


def test_the_trees_of_the_search_that_is_shown(made: Stage) -> None:
    learn = Learn(made.app, parse("a3b3c3a2", setup("tictactoe")))
    made.show(learn)
    next(entry for entry in learn.entries() if entry.name == "beside").run()
    made.frame()
    shown: Any = made.app.scene
    assert isinstance(shown, Compare)
    assert (shown.state.view, shown.state.trees.begun) == (TREES, True)
    assert shown.state.position == learn.explorer.subject.position
    made.press(pygame.K_ESCAPE)
    assert made.app.scene is learn
    numbers = Learn(made.app, subject=subject("numbers 3 12 8 | 2 4 6 | 14 5 2"))
    assert "beside" not in {entry.name for entry in numbers.entries()}
    numbers.close()


@pytest.mark.parametrize(("look", "size"), [*QUICK, *OTHERS], ids=str)
def test_nothing_is_cut_off_in_any_view(stage: Make, look: tuple[str, str], size: Any) -> None:
    made = stage(*size, *look)
    screen = trees_of(made)
    made.hover((300, 300))
    made.frame(3)
    assert made.cuts == []
    assert list(button_faults(made, screen)) == []
    assert part(screen, CompareWords).complete
    screen = made.show(Compare(made.app, long_game("gomoku", 20)))
    screen.state.stop()
    screen.state.search_rows[:] = rows()
    division = Division((123_456, 123_456), 12_345, (345_678, 345_678), (123_456, 123_456))
    screen.state.shared[:] = [Shared(depth, 345_678, division, 456_789, 5) for depth in range(2, 11)]
    shallow = horizon.HorizonResult(4, 235, (1, 2), 2_226, tuple(range(9)))
    deep = horizon.HorizonResult(8, -12_345, (3,), 12_261, ())
    screen.state.horizon_results[:] = [shallow, deep]
    for view in (SEARCHES, HORIZON, THREADS):
        made.cuts.clear()
        screen.state.choose(view)
        screen.state.pointed = ("deepening", 9)
        made.frame(3)
        assert made.cuts == [], view
        assert list(button_faults(made, screen)) == []
        assert part(screen, CompareWords).complete, view


def export(made: Stage, screen: Compare, name: str) -> bytes:
    act(screen, "ctrl+e")
    choose_file(made.app, made.home / name)
    made.until((made.home / name).is_file)
    made.app.files.settle()
    made.frame()
    assert name in made.app.message[0]
    return (made.home / name).read_bytes()


def test_the_chart_is_exported_under_a_title(made: Stage) -> None:
    screen = opened(made, "a3b3")
    screen.state.stop()
    screen.state.search_rows[:] = ROWS
    made.frame()
    drawn = SvgCanvas((1200, 800), Theme(made.app.theme.palette, 1.5, "en"))
    drawn.box(pygame.Rect(0, 0, 1200, 800), drawn.theme.palette.panel)
    drawn.text("Compare searches · Tic-tac-toe", pygame.Rect(36, 36, 1128, 48), 20, bold=True)
    ChartPainter(drawn.theme, pygame.Rect(36, 96, 1128, 668), plot(ROWS, 7)).draw(drawn)
    assert export(made, screen, "chart.svg") == drawn.svg().encode()


@pytest.mark.slow
def test_the_chart_and_its_rows_are_exported(made: Stage) -> None:
    screen = finished(made, opened(made))
    assert pygame.image.load(io.BytesIO(export(made, screen, "chart.png"))).get_size() == (1200, 800)
    assert export(made, screen, "chart.svg").startswith(b"<svg")
    rows = export(made, screen, "rows.csv").decode("utf-8-sig")
    assert rows.count("\n") == 1 + 4 * len(VARIANTS)


@pytest.mark.parametrize("kind", [Play, Replay])
def test_it_is_opened_from_the_menu_at_the_position_on_the_board(made: Stage, kind: Any) -> None:
    record = parse("h8i9g7i7", setup("gomoku"))
    screen = made.show(kind(made.app, record, at_cursor=True) if kind is Replay else kind(made.app, record))
    next(entry for entry in screen.entries() if entry.name == "compare").run()
    made.frame()
    shown: Any = made.app.scene
    assert isinstance(shown, Compare)
    assert shown.state.position is record.position
    made.press(pygame.K_ESCAPE)
    assert made.app.scene is screen


def test_a_finished_game_is_not_compared(made: Stage) -> None:
    screen = made.show(Replay(made.app, parse("a3b3a2b2a1", setup("tictactoe")), at_cursor=True))
    next(entry for entry in screen.entries() if entry.name == "compare").run()
    made.frame()
    assert made.app.scene is screen
    assert made.app.message[0] == "The game is over."


# The chart.


_row = partial(SearchRow, seconds=0.5, score=-30, move=4)
ROWS = [
    _row("minimax", 1, 10), _row("minimax", 2, 100), _row("minimax", 3, 1_000),
    _row("minimax", 4, 5_000, finished=False), _row("table", 2, 40), _row("table", 1, 10), _row("table", 5, 3_000),
]  # fmt: skip


def curve(chart: Plot, key: str) -> Curve:
    return next(each for each in chart.curves if each.key == key)


def test_the_curves_are_the_finished_rows_by_depth() -> None:
    chart = plot(ROWS, 9)
    assert curve(chart, "minimax").points == ((1, 10), (2, 100), (3, 1_000))
    assert curve(chart, "table").points == ((1, 10), (2, 40), (5, 3_000))
    assert [each.key for each in chart.measured()] == ["minimax", "table"]
    assert (chart.depth, chart.decades) == (5, 4)


def test_the_last_iteration_is_drawn_beside_the_sum() -> None:
    rows = [_row("deepening", 1, 8), _row("deepening", 2, 34, before=8), _row("deepening", 3, 137, before=34)]
    chart = plot(rows, 9)
    assert curve(chart, "deepening").points == ((1, 8), (2, 34), (3, 137))
    assert curve(chart, LAST).points == ((2, 26), (3, 103))
    assert LAST not in {each.key for each in plot(ROWS, 9).curves}


def test_theory_counts_nodes_as_far_as_the_chart_goes() -> None:
    """It drew b^d, leaves, against the nodes that were visited."""
    rows = [_row("minimax", 3, 1 + 10 + 100 + 1_000), _row("table", 5, 3_000)]
    chart = plot(rows, 9)
    assert chart.b == pytest.approx(10)
    points = [(1, 11), (2, 111), (3, 1_111)]
    assert curve(chart, ALL).points[:3] == tuple(map(pytest.approx, points))
    assert curve(chart, ALL).points[3][1] == 10_000, "at the edge of the chart"
    points = [(1, 1 + 10), (2, 11 + 19), (3, 30 + 109), (4, 139 + 199), (5, 338 + 1_099)]
    assert curve(chart, BEST).points == tuple(map(pytest.approx, points))


@pytest.mark.parametrize("moves", [0, 1, 2, 225])
def test_there_is_a_chart_of_nothing_yet(moves: int) -> None:
    chart = plot([], moves)
    assert not chart.measured()
    for each in chart.curves:
        for point in each.points:
            assert all(0 <= part <= 1.0001 for part in chart.place(*point))
