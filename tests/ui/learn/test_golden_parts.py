"""Parts of the screens of searches look as they did, pixel by pixel, in states that no scene shows.

Each picture has several states, one below the other. `python -m tests.ui.learn.test_golden_parts` makes the pictures
anew: look at them before you commit them.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pygame
import pytest
from PIL import Image

from ai.drills.drill import Field
from ai.explain.explorer import Explorer
from ai.explain.prediction import Quiz
from ai.explain.subject import Choice, Shared, SideBySide
from ai.network.network import training
from ai.search.comparison import VARIANTS, SearchRow
from ai.search.parallel import Division
from games.formats.text import parse
from games.registry import setup
from tests.ui.learn.test_compare import ROWS
from tests.ui.scenes import untimed
from tests.ui.stage import Make, Stage
from tests.ui.test_golden import FOLDER, expect_alike
from tests.waiting import wait
from ui.learn.code import CodeWalk, SearchCode
from ui.learn.compare import CompareBoard
from ui.learn.compare_charts import NodeChart, SearchTable, ThreadBars
from ui.learn.compare_state import SEARCHES, TREES, Comparison
from ui.learn.drill_tree import DrillTree, NodeMark, NumberField
from ui.learn.icicle_plan import Facts, Plans
from ui.learn.learn import Predict
from ui.learn.lesson_state import Done, Worked, encoded, lessons, progress_path, subject
from ui.learn.lessons import LessonList, Lessons
from ui.learn.overview import Icicle, TimeLine
from ui.learn.search_tree import SearchNode
from ui.learn.training_chart import TrainingChart, TrainingPainter
from ui.learn.two_trees import TwoTreesPainter
from ui.learn.workbook import of_lesson
from ui.toolkit.canvas import SurfaceCanvas
from ui.toolkit.space import Space
from ui.toolkit.widgets import Widgets
from ui.window.part import Part

NUMBERS = "numbers 3 12 8 | 2 4 6 | 14 5 2"
FORK = "tictactoe a3 b3 c3 a2"
SMALL = (960, 640)


def searched(
    position: str, choice: Choice, at: int | None = None, node: str = "", pointed: str | None = None
) -> Explorer:  # fmt: skip
    """A search that has taken no time."""
    explorer = Explorer(subject(position), choice, lambda: None)
    wait(lambda: explorer.info, lambda: explorer.update(0.0))
    untimed(explorer)
    explorer.go(at)
    if node:
        explorer.look_at(explorer.find(node) or 0)
    explorer.pointed = None if pointed is None else explorer.find(pointed)
    return explorer


def shown(part: Part, size: tuple[int, int], widgets: Widgets | None = None) -> pygame.Surface:
    """What a part draws in a room of that size."""
    surface = pygame.Surface(size)
    part.build(Space(surface.get_rect(), 0))
    part.update(0.0)
    part.draw(surface, 0.0)
    if widgets is not None:
        widgets.draw(surface)
        widgets.clear()
    return surface


def glances(stage: Stage) -> Iterator[pygame.Surface]:
    for explorer, size in (
        (searched(NUMBERS, Choice("alphabeta", 2), node="b", pointed="c a"), (420, 140)),
        (searched(NUMBERS, Choice("alphabeta", 2), 7, pointed="a b"), (180, 140)),
        (searched(NUMBERS, Choice("minimax", 2), 16, "a c", ""), (300, 140)),
        (searched(FORK, Choice("table"), node="b2 a1", pointed="c2"), (640, 150)),
        (searched("bones:8", Choice("ordering"), 90), (240, 132)),
    ):
        yield shown(Icicle(stage.app, explorer), size)


def time_lines(stage: Stage) -> Iterator[pygame.Surface]:
    for explorer, size in (
        (searched("bones:6", Choice("brothers", None, False, 4), node="2", pointed="3 2"), (640, 150)),
        (searched("bones:6", Choice("brothers", None, False, 4), 9, pointed="1 1"), (420, 140)),
        (searched(NUMBERS, Choice("root_splitting", 2, False, 2), 4), (900, 132)),
    ):
        yield shown(TimeLine(stage.app, explorer), size)


def comparisons(stage: Stage) -> Iterator[pygame.Surface]:
    state = Comparison(stage.app, parse("a3b3", setup("tictactoe")))
    deep = [SearchRow(name, depth, 3**depth + order, depth / 3, 0, 0, depth < 8, before=2 * (name == "deepening"))
            for depth in range(1, 9) for order, name in enumerate(VARIANTS)]  # fmt: skip
    for rows, pointed in ((ROWS, ("minimax", 3)), (ROWS, ("minimax", 4)), (deep, ("deepening", 2)), ([], None)):
        state.search_rows[:], state.pointed = rows, pointed
        yield shown(NodeChart(stage.app, state), (480, 300))
        yield shown(SearchTable(stage.app, state), (640, 240))


def threads(stage: Stage) -> Iterator[pygame.Surface]:
    state = Comparison(stage.app, parse("a3b3", setup("tictactoe")))
    yield shown(ThreadBars(stage.app, state), (500, 60))
    divisions = ((100, 30), 70), ((1, 0), 0), ((5, 900), 95), ((400, 400), 200), ((1, 2), 3)
    state.shared[:] = [Shared(depth, 300, Division(alone, shared, (123, 456), (7, 89)), 200, 5)
                       for depth, (alone, shared) in enumerate(divisions, 2)]  # fmt: skip
    yield shown(ThreadBars(stage.app, state), (560, 349))
    yield shown(ThreadBars(stage.app, state), (560, 400))


def two_trees(stage: Stage) -> Iterator[pygame.Surface]:
    trees, theme = SideBySide(subject(FORK), lambda: None), stage.app.theme
    trees.start()
    wait(lambda: trees.finished, trees.update)
    plans = Plans(trees.traces, [Facts.of(trace) for trace in trees.traces])
    for size, moves in (((600, 330), "b2"), ((420, 260), "c2 a1"), ((300, 125), "")):
        surface = pygame.Surface(size)
        painter = TwoTreesPainter(theme, surface.get_rect().inflate(-12, -12), plans, trees)
        painter.show(surface)
        position, path = trees.subject.position, list[int]()
        for text in moves.split():
            path.append(position.parse_move(text))
            position = position.play(path[-1])
        painter.draw_pointed(surface, tuple(path))
        yield surface


def nodes(stage: Stage) -> Iterator[pygame.Surface]:
    for explorer, size in (
        (searched(NUMBERS, Choice("alphabeta", 2), node="b"), (240, 140)),
        (searched(NUMBERS, Choice("alphabeta", 2), node="b", pointed="c"), (240, 70)),
        (searched(FORK, Choice("table"), node="b2"), (240, 292)),
        (searched(FORK, Choice("table"), node="b2", pointed="c2 a1"), (240, 271)),
        (searched(FORK, Choice("table"), node="b2", pointed="b2 a1 c1"), (240, 300)),
    ):
        yield shown(SearchNode(stage.app, explorer), size)


def codes(stage: Stage) -> Iterator[pygame.Surface]:
    for key, position, at, listing, lines, size in (
        ("alphabeta", NUMBERS, 3, 0, 3, (300, 460)), ("alphabeta", NUMBERS, 4, 1, 0, (220, 360)),
        ("quiescence", "connect4 d c d", 1, 0, 1, (260, 420)), ("minimax", NUMBERS, None, 0, 0, (260, 300)),
        ("playouts", "tictactoe a3 b2", 9, 0, 4, (260, 420)), ("alphabeta", NUMBERS, 4, 1, 0, (200, 215)),
    ):  # fmt: skip
        choice = Choice(key, None if key == "playouts" else 2)
        walk, widgets = CodeWalk(Quiz(searched(position, choice, at))), Widgets(stage.app)
        walk.on = True
        walk.choose(listing)
        for _ in range(lines):
            walk.forward()
        yield shown(SearchCode(stage.app, widgets, walk), size, widgets)


def fields(stage: Stage) -> Iterator[pygame.Surface]:
    surface, theme = pygame.Surface((400, 120)), stage.app.theme
    surface.fill(theme.palette.background)
    for number, (tone, sign) in enumerate(((None, ""), (theme.palette.good, "✓"), (theme.palette.bad, "×"))):
        place = pygame.Rect(20 + 120 * number, 16, 80, 24)
        field = NumberField(theme, place, "−12½", print, print, print, print)
        mark = NodeMark(theme, pygame.Rect(20 + 120 * number, 66, 34, 34), print, print)
        pointed = NodeMark(theme, pygame.Rect(80 + 120 * number, 66, 34, 34), print, print)
        pointed.pointer = (0, 0)
        mark.chosen = number == 0
        for each in (field, mark, pointed):
            each.tone, each.sign = tone, sign
            each.draw(surface)
    yield surface


def predictions(stage: Stage) -> Iterator[pygame.Surface]:
    for answers in ((), (True,), (True, False)):
        quiz, widgets = Quiz(searched(NUMBERS, Choice("alphabeta", 2))), Widgets(stage.app)
        quiz.switch()
        for right in answers:
            while quiz.asked is None:
                quiz.forward()
            yield shown(Predict(stage.app, widgets, quiz), (200, 80), widgets)
            quiz.answer(quiz.asked.answer if right else quiz.asked.answer + 9)
        yield shown(Predict(stage.app, widgets, quiz), (300, 90), widgets)


def trainings(stage: Stage) -> Iterator[pygame.Surface]:
    for game, size in (("connect4", (400, 300)), ("tictactoe", (640, 420))):
        surface = pygame.Surface(size)
        painter = TrainingPainter(stage.app.theme, surface.get_rect(), training(game), "A heading")
        painter.draw(SurfaceCanvas(surface, stage.app.theme))
        yield surface
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pygame.mouse, "get_pos", lambda: (300, 120))
        yield shown(TrainingChart(stage.app, Mock(shown_step=Mock(chart="tictactoe"))), (640, 340))


def boards(stage: Stage) -> Iterator[pygame.Surface]:
    """The position that is compared, and one where the game is over."""
    record = parse("a3b3c3a2", setup("tictactoe"))
    state = Comparison(stage.app, record)
    for state.view, state.trees.pointed in ((SEARCHES, (4, 6, 8)), (TREES, (4, 6, 8)), (TREES, None)):
        yield shown(CompareBoard(stage.app, state, record.cursor), (160, 350))


def exercises(stage: Stage) -> Iterator[pygame.Surface]:
    """Answers that were not checked, in little room, and a node that is moved."""
    for key, number, answer, at, size in (
        ("08-parallel", 0, Field(1, "mark"), Field(2, "mark"), (400, 220)),
        ("02-minimax", 0, Field(1, "value"), None, (330, 190)),
        ("09-mcts", 0, Field(2, "mark"), None, (420, 330)),
        ("05-ordering", 0, None, Field(1, "order"), (400, 220)),
    ):  # fmt: skip
        book, widgets = of_lesson(stage.app, key, 1, number), Widgets(stage.app)
        book.work.at = at
        if answer is not None:
            book.work.write(answer, "5")
        yield shown(DrillTree(stage.app, widgets, book), size, widgets)
    book = of_lesson(stage.app, "09-mcts", 1, 2)
    book.work.show()
    yield shown(DrillTree(stage.app, widgets, book), (420, 330), widgets)


def lists(stage: Stage) -> Iterator[pygame.Surface]:
    """Lessons that were not begun, begun, read, and finished with and without exercises."""
    found = lessons("en")
    right = [list(range(len(each.questions))) for each in found]
    solved = [Worked(task, 1, 1, 9.0, False) for task in range(3)]
    done = {
        found[1].key: Done(2, 3),
        found[2].key: Done(0, found[2].pages - 1, right[2][1:]),
        found[3].key: Done(1, found[3].pages - 2, right[3], solved),
        found[4].key: Done(1, 2, right[4], [*solved[1:], Worked(0, 1, 1, 9.0, True)]),
    }
    progress_path().parent.mkdir(parents=True, exist_ok=True)
    progress_path().write_bytes(encoded(done))
    for size in ((520, 640), (520, 500), (520, 44 * len(found) - 4)):
        widgets = Widgets(stage.app)
        yield shown(LessonList(stage.app, widgets, Lessons(stage.app)), size, widgets)


PICTURES: dict[str, Callable[[Stage], Iterator[pygame.Surface]]] = {
    "glances": glances, "time_lines": time_lines, "comparisons": comparisons, "threads": threads,
    "two_trees": two_trees, "nodes": nodes, "codes": codes, "fields": fields, "predictions": predictions,
    "trainings": trainings, "lists": lists, "boards": boards, "exercises": exercises,
}  # fmt: skip


def whole(states: Iterator[pygame.Surface]) -> pygame.Surface:
    """All states of a picture, one below the other."""
    shown = list(states)
    picture = pygame.Surface((max(each.width for each in shown), sum(each.height + 4 for each in shown)))
    picture.fill("#808080")
    top = 0
    for each in shown:
        picture.blit(each, (0, top))
        top += each.height + 4
    return picture


def kept(name: str, folder: str = "parts") -> Path:
    return FOLDER / folder / f"{name}.webp"


@pytest.mark.parametrize("name", PICTURES)
def test_a_part_looks_as_it_did(stage: Make, name: str, tmp_path: Path) -> None:
    expect_alike(whole(PICTURES[name](stage(SMALL))), kept(name), tmp_path, "tests.ui.learn.test_golden_parts")


def record_all(pictures: dict[str, Callable[[Stage], Iterator[pygame.Surface]]], folder: str = "parts") -> None:
    for name, states in pictures.items():
        with tempfile.TemporaryDirectory() as home:
            os.environ["TENGEN_HOME"] = home
            stage = Stage(Path(home), SMALL, 100, "ink", "en")
            picture = whole(states(stage))
            pixels = pygame.image.tobytes(picture, "RGB")
            kept(name, folder).parent.mkdir(exist_ok=True)
            Image.frombytes("RGB", picture.size, pixels).save(kept(name, folder), lossless=True, method=6)
            stage.app.scene.close()
            stage.app.close()


if __name__ == "__main__":
    record_all(PICTURES)
