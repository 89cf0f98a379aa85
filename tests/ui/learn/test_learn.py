"""The screen that shows a search, and what it writes into files."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pygame
import pytest
from PIL import Image

import main
from ai.core.score import PROVEN
from ai.explain.explorer import Explorer
from ai.explain.subject import Choice
from ai.explain.tracing import Tracing
from ai.search.comparison import MCTS
from ai.search.trace import End
from games.formats.text import parse
from games.registry import setup
from tests.ui.scenes import SCENES, learn_of
from tests.ui.stage import SIZES, Make, Stage, act, part
from ui.board.pictures import Thumbnails
from ui.learn import search_export
from ui.learn.compare import Compare
from ui.learn.drill_screen import DrillScreen
from ui.learn.learn import Learn
from ui.learn.lesson import LessonScreen, LessonText
from ui.learn.lesson_state import Course, Step, arrange, lessons, presets, progress, progress_path, subject
from ui.learn.lessons import Lessons
from ui.learn.overview import Icicle
from ui.learn.search_export import PageExport, TreeExport, TreePictures, film_steps, page, tree_svg
from ui.learn.search_words import bound_text, cut_sentence, result_text
from ui.toolkit import canvas
from ui.toolkit.controls import Slider
from ui.toolkit.i18n import LANGUAGES, t
from ui.toolkit.space import Space
from ui.toolkit.theme import Colour, Theme
from ui.toolkit.typesetting import width_of

NUMBERS = "numbers 3 12 8 | 2 4 6 | 14 5 2"


@pytest.fixture
def screen(made: Stage) -> Learn:
    return made.show(learn_of(NUMBERS, Choice("alphabeta", 2))(made))


def test_keys_go_through_the_tree_and_the_steps_and_ctrl_makes_ten(made: Stage, screen: Learn) -> None:
    explorer = screen.explorer
    made.press(pygame.K_DOWN)
    assert explorer.node == 1, "the best child"
    for key, name in ((pygame.K_RIGHT, "b"), (pygame.K_LEFT, "a"), (pygame.K_RIGHT, "b")):
        made.press(key, pygame.KMOD_SHIFT)
        assert explorer.move_texts(explorer.node) == name
    for _ in range(2):
        made.press(pygame.K_UP)
        assert explorer.node == 0, "nothing is above the root"
    made.press(pygame.K_v)
    assert explorer.move_texts(explorer.node) == "a a"
    made.press(pygame.K_HOME)
    assert explorer.at == 0
    made.keys(pygame.K_RIGHT, pygame.K_LEFT)
    assert explorer.at == 0
    made.press(pygame.K_END)
    assert explorer.at is None
    made.press(pygame.K_HOME)
    made.press(pygame.K_RIGHT, pygame.KMOD_CTRL)
    assert explorer.at == 10
    made.press(pygame.K_LEFT)
    made.press(pygame.K_LEFT, pygame.KMOD_CTRL)
    assert explorer.at == 0


def test_another_search_and_another_depth(made: Stage) -> None:
    screen = made.show(learn_of("tictactoe a3 b3 c3 a2 b2 c1", Choice("minimax"))(made))
    nodes = len(screen.explorer.trace)
    screen.widgets.press("search")
    made.keys(pygame.K_DOWN, pygame.K_RETURN)
    assert screen.explorer.choice.key == "alphabeta"
    assert len(screen.explorer.trace) < nodes
    made.press(pygame.K_LEFTBRACKET)
    assert screen.explorer.choice.depth == 3, "three cells are free"
    for key, depth in ((pygame.K_LEFTBRACKET, 2), (pygame.K_LEFTBRACKET, 1), (pygame.K_RIGHTBRACKET, 2)):
        made.press(key)
        assert screen.explorer.choice.depth == depth


@pytest.mark.parametrize(("text", "found", "told"), [("b a", "b a", False), ("b c", "b", True), ("zz", "", True)])
def test_a_position_is_found_as_far_as_searched(made: Stage, screen: Learn, text: str, found: str, told: bool) -> None:
    screen.widgets.focus = "find"
    made.write(text)
    made.press(pygame.K_RETURN)
    assert (screen.explorer.move_texts(screen.explorer.node), bool(made.app.message[0])) == (found, told)


def test_the_field_that_finds_shows_an_example_before_the_search_has_ended(made: Stage) -> None:
    """It said “such as , and press Enter”."""
    screen = made.show(Learn(made.app, subject=subject("tictactoe"), choice=Choice("minimax")))
    assert screen.widgets.elements["find"].tip == t("search.find_tip", example="a3 b3")


def test_the_search_of_a_game_that_is_played_and_of_one_that_is_studied(made: Stage) -> None:
    for name in ("play small", "replay"):
        shown = made.show(SCENES[name](made))
        made.press(pygame.K_l)
        opened = made.app.scene
        assert isinstance(opened, Learn)
        assert opened.setup == shown.setup
        opened.go_back()
        made.frame()
        assert made.app.scene is shown


def test_a_cut_at_the_last_move_does_not_count_moves(made: Stage) -> None:
    """It said that 0 moves are not tried."""
    screen = made.show(learn_of("tictactoe a3 b3 c3 a2 b2 c1", Choice("alphabeta"))(made))
    trace = screen.explorer.trace
    cuts = [node for node in range(len(trace)) if trace.end[node] == End.CUT]
    assert {bool(trace.untried[node]) for node in cuts} == {True, False}
    assert not [node for node in cuts if "0 moves" in cut_sentence(screen.explorer, node)]


@pytest.mark.slow
def test_the_tree_of_monte_carlo_has_neither_steps_nor_depth(made: Stage) -> None:
    screen = made.show(learn_of("tictactoe a3 b3", Choice("minimax", 2))(made))
    explorer = screen.explorer
    explorer.choose(Choice(MCTS))
    made.until(lambda: explorer.info is not None)
    made.frame(2)
    assert not {"step", "shallower", "deeper"} & screen.widgets.elements.keys()
    made.press(pygame.K_v)
    assert explorer.node == explorer.line()[-1] != explorer.root
    unproven = [node for node in explorer.trace.children(0) if abs(explorer.value(node) or 0) < PROVEN]
    assert {bound_text(explorer, node)[-1] for node in unproven} == {"%"}
    assert bound_text(explorer, 0) == "in ≤3", "it is won, perhaps sooner"
    explorer.choose(Choice("minimax", 2))
    made.frame(2)
    assert {"step", "shallower", "deeper"} <= screen.widgets.elements.keys()


@pytest.mark.slow
def test_the_values_of_neighbours_do_not_overlap(stage: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds of eleven moves of gomoku ran into each other."""
    made = stage(*SIZES[0])
    screen = made.show(learn_of("gomoku h8 i9 g7 i7", Choice("alphabeta", 2))(made))
    written: dict[int, list[tuple[int, int]]] = {}

    def record(
        surface: pygame.Surface, theme: Theme, text: str, rect: pygame.Rect, size: int, colour: Colour,
        bold: bool = False, align: str = "left",
    ) -> None:  # fmt: skip
        wide = width_of(theme, text, size, bold)
        written.setdefault(rect.centery, []).append((rect.centerx - wide // 2, rect.centerx + wide // 2))

    monkeypatch.setattr(canvas, "write", record)
    screen.draw(made.app.surface, 0.0)
    assert max(map(len, written.values())) > 10
    for row in map(sorted, written.values()):
        assert all(right < left for (_, right), (left, _) in pairwise(row)), row


def test_windows_and_levels_covered_boards_and_each_other(stage: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window of a node stood on its neighbour."""
    made = stage(*SIZES[0])
    screen = made.show(learn_of("tictactoe a3 b3 c3 a2 b2 c1", Choice("alphabeta", distance=False))(made))
    explorer, painter = screen.explorer, screen.tree.painter
    written: list[tuple[str, pygame.Rect]] = []

    def record(_surface: object, _theme: Theme, text: str, rect: pygame.Rect, *_: Any, **__: Any) -> None:
        written.append((text, rect.copy()))

    monkeypatch.setattr(canvas, "write", record)
    told = 0
    for step in range(explorer.steps.last + 1):
        explorer.go(step)
        screen.tree.update(0.0)
        written.clear()
        screen.draw(made.app.surface, 0.0)
        boards = [painter.node_rect(node) for node in painter.plan.places]
        windows = [rect for text, rect in written if "α" in text]
        levels = [rect for text, rect in written if text in ("MAX", "MIN")]
        told += len(windows)
        for rect in windows:
            assert rect.collidelist([*boards, *levels]) < 0, step
    assert told > explorer.steps.last, "one a step at least"


@pytest.mark.parametrize("kind", ["png", "webp", "gif"])
def test_pictures_and_films_of_a_tree(made: Stage, screen: Learn, tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"tree.{kind}"
    made.app.start_job(TreeExport(made.app, screen.explorer, file))
    made.until(lambda: not made.app.jobs.busy)
    made.app.files.settle()
    with Image.open(file) as picture:
        frames = len(film_steps(screen.explorer))
        assert getattr(picture, "n_frames", 1) == (1 if kind == "png" else pytest.approx(frames, abs=2))
    assert screen.explorer.at is None, "the window shows what it did"


def test_a_picture_is_as_wide_as_its_tree_up_to_a_limit(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = Explorer(subject("numbers 3 12 8 | 2 4 6 | 14 5 2 1"), Choice("minimax", 2), lambda: None)
    sizes = [TreePictures(explorer, made.app.theme, widest).size for widest in (400, 401, 3000)]
    assert sizes == [(400, 190), (402, 190), (906, 440)]
    widest = []
    monkeypatch.setattr(search_export, "TreePictures", lambda _explorer, _theme, most: widest.append(most) or Mock())
    for kind in ("png", "gif"):
        TreeExport(made.app, explorer, Path(f"tree.{kind}"))
    assert widest == [3000, 1200]


FILMS = (".svg", ".png", ".webp", ".gif")


@pytest.mark.parametrize(
    ("make", "key", "file", "kinds", "title"),
    [
        (learn_of(NUMBERS, Choice("alphabeta", 2)), "ctrl+e", "A tree of numbers Alpha-beta.svg", FILMS,
         "search.export_choose"),
        (learn_of("tictactoe a3 b3 c3 a2", Choice("playouts", None)), "ctrl+e",
         "Tic-tac-toe Monte Carlo, random games.svg", FILMS[:2], "search.export_picture"),
        (lambda made: LessonScreen(made.app, page=0), "ctrl+p", "The game tree.html", (".html",),
         "lesson.export_choose"),
        (lambda made: DrillScreen(made.app, seed=1), "ctrl+e", "Results.csv", (".csv",), "drill.export_choose"),
        (lambda made: Compare(made.app, parse("a3", setup("tictactoe"))), "ctrl+e",
         "Compare searches - Tic-tac-toe.png", (".png", ".svg", ".csv"), "compare.export.title"),
    ],
)  # fmt: skip
def test_a_file_is_proposed_for_what_is_exported(
    made: Stage, monkeypatch: pytest.MonkeyPatch, make: Any, key: str, file: str, kinds: tuple[str, ...], title: str
) -> None:
    screen, asked = made.show(make(made)), Mock()
    if isinstance(screen, Compare):
        made.until(lambda: screen.state.search_rows)
        screen.state.stop()
    monkeypatch.setattr(made.app, "choose_file", asked)
    act(screen, key)
    assert asked.call_args.args[0].name == file
    assert asked.call_args.kwargs == {"saving": True, "kinds": kinds, "title": t(title)}


@pytest.mark.parametrize(("last", "count"), [(0, 1), (159, 160), (160, 81), (319, 161), (320, 108), (5000, 158)])
def test_a_film_has_few_steps_the_last_one_included(last: int, count: int) -> None:
    steps: Any = film_steps(SimpleNamespace(steps=SimpleNamespace(last=last)))  # type: ignore[arg-type]
    assert (steps[0], steps[-1], list(steps), len(steps)) == (0, last, sorted(set(steps)), count)


def test_a_node_of_a_large_tree_is_seen_large_enough_to_be_read(made: Stage) -> None:
    screen = made.show(SCENES["learn gomoku"](made))
    made.push("zoom_out", "zoom_out", "zoom_out", "zoom_out")
    made.press(pygame.K_DOWN)
    made.frame(2)
    assert screen.tree.painter.node_rect(screen.explorer.node).width == pytest.approx(made.app.theme.px(30), abs=1)


def test_the_list_of_lessons_stayed_in_the_language_in_which_it_was_first_shown(stage: Make) -> None:
    for code in LANGUAGES:
        made = stage(language=code)
        assert {each.title for each in lessons(code)} <= set(made.show(Lessons(made.app)).widgets.texts)


def test_a_lesson_under_way_stayed_in_the_language_in_which_it_was_opened(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, proposed = made.show(LessonScreen(made.app, page=0)), list[Path]()
    monkeypatch.setattr(made.app, "choose_file", lambda proposal, *_, **__: proposed.append(proposal))
    made.app.settings.language = "zh"
    made.app.restyle()
    made.frame(2)
    lesson, texts = lessons("zh")[0], "".join(screen.widgets.texts).replace(" ", "")
    assert lesson.title in texts
    assert lesson.steps[0].text.replace(" ", "") in texts
    act(screen, "ctrl+p")
    assert proposed[0].stem == lesson.title


def test_a_lesson_is_gone_through_and_kept(made: Stage) -> None:
    screen = made.show(LessonScreen(made.app, page=0))
    lesson = screen.course.lesson
    assert [each.action() for each in part(screen, LessonText).bindings[:4]] == 4 * [False], "nothing is asked"
    for number in range(len(lesson.steps)):
        assert screen.widgets.buttons["previous"].enabled == (number > 0)
        assert f"{number + 1} / {lesson.pages}" in screen.widgets.texts
        made.press(pygame.K_PAGEDOWN)
    question = screen.course.question
    assert question is lesson.questions[0]
    assert "references" not in screen.widgets.elements
    made.press(pygame.K_0 + question.answer)
    assert screen.course.chosen == question.answer - 1
    assert t("lesson.right") in screen.widgets.texts
    made.app.files.settle()
    assert progress()[lesson.key].page == len(lesson.steps)
    assert progress()[lesson.key].right == [0]
    made.press(pygame.K_PAGEUP)
    assert screen.course.step is lesson.steps[-1]
    screen.course.go(lesson.pages - 1)
    assert [each.action() for each in part(screen, LessonText).bindings[2:4]] == [True, False], "three options"
    made.frame()
    assert "references" in screen.widgets.elements


def test_a_second_answer_does_not_count(made: Stage) -> None:
    lesson = lessons("en")[0]
    course = Course(made.app, lesson.key, len(lesson.steps))
    right = lesson.questions[0].answer - 1
    course.answer((right + 1) % len(lesson.questions[0].options))
    course.answer(right)
    assert course.chosen == right
    assert course.done.right == []


@pytest.mark.parametrize("damage", [b"", b"[]", b"{", b'{"01-game-tree": {"page": -4, "right": "all"}}'])
def test_damaged_progress_is_none(made: Stage, damage: bytes) -> None:
    progress_path().parent.mkdir(parents=True, exist_ok=True)
    progress_path().write_bytes(damage)
    made.show(Lessons(made.app))
    course = Course(made.app, lessons("en")[0].key)
    assert course.page == 0
    course.go(2)
    made.app.files.settle()
    assert json.loads(progress_path().read_bytes())["01-game-tree"]["page"] == 2


def test_a_step_shows_what_it_says(made: Stage) -> None:
    screen = made.show(LessonScreen(made.app, "01-game-tree", page=0))
    made.frame()
    explorer = screen.course.explorer
    assert explorer.at == 0, "before the search has begun"
    screen.course.go(3)
    made.frame()
    assert explorer.move_texts(explorer.node).split()[-1] == "a1"
    assert explorer.marked == {explorer.node}


def test_a_step_folds_what_it_says() -> None:
    step = Step("", "bones:6", unfold=("1",), fold=("", "2"))
    explorer = Explorer(step.subject, step.choice, lambda: None)
    arrange(explorer, step)
    first, second, _ = explorer.trace.children(explorer.root)
    assert [explorer.unfolded(node) for node in (explorer.root, first, second)] == [False, True, False]
    arrange(explorer, Step("", "bones:6"))
    assert explorer.unfolded(second)


def test_the_value_stood_below_the_question_and_the_steps_told_how_much_is_cut(made: Stage) -> None:
    screen = made.show(learn_of(NUMBERS, Choice("alphabeta", 2), asked=True)(made))
    made.frame()
    assert screen.quiz.asked is not None
    visited = sum(map(screen.explorer.entered, range(len(screen.explorer.trace))))
    assert result_text(screen.explorer) == f"{visited} nodes so far."
    assert f"Step {screen.explorer.shown + 1}" in screen.widgets.texts
    screen.explorer.go(None)
    assert result_text(screen.explorer).endswith("Value 3.")


def test_the_slider_told_how_much_is_cut_before_it_was_asked(made: Stage) -> None:
    """It ended where the search ends: the shorter the rest, the more is cut."""
    places: dict[str, list[tuple[int, int]]] = {}
    for numbers in (NUMBERS, "numbers 1 2 3 | 4 5 6 | 7 8 9"):
        screen = made.show(learn_of(numbers, Choice("alphabeta", 2))(made))
        screen.quiz.switch()
        while screen.explorer.shown < 8:
            made.frame()
            slider = slider_of(screen)
            assert slider.most == slider.value == screen.explorer.shown
            places.setdefault(numbers, []).append((slider.most, slider.knob.left))
            if screen.quiz.asked is not None:
                screen.quiz.answer(screen.quiz.asked.answer)
            else:
                screen.quiz.forward()
        made.frame()
        screen.explorer.go(2)
        made.frame()
        assert (slider_of(screen).value, slider_of(screen).most) == (2, 8), "back, and on to what was shown"
        screen.quiz.switch()
        made.frame()
        assert slider_of(screen).most == screen.explorer.steps.last > 8
    first, other = ({*each} for each in places.values())
    assert first == other


def slider_of(screen: Learn) -> Slider:
    slider = screen.widgets.elements["step"]
    assert isinstance(slider, Slider)
    return slider


def test_searches_of_ones_own_counted_wins_by_distance_and_hid_the_switch_in_a_menu(made: Stage) -> None:
    screen = made.show(Learn(made.app, subject=subject("tictactoe a3 b3 c3 a2 b2 c1")))
    made.until(lambda: screen.explorer.info is not None)
    assert bound_text(screen.explorer, 0) == "+10", "as in the lessons"
    made.push("wins.distance")
    made.until(lambda: screen.explorer.info is not None)
    made.frame()
    assert bound_text(screen.explorer, 0) == "+9"
    assert screen.widgets.buttons["wins.distance"].text == "10 − plies"
    numbers = made.show(learn_of(NUMBERS, Choice("alphabeta", 2))(made))
    assert "wins.distance" not in numbers.widgets.elements, "nobody wins there"


def test_a_small_heap_was_written_too_small_to_be_read(made: Stage) -> None:
    """Twelve bones: the number took a third of the picture, which is shown at half its size."""
    record = parse("", setup("bones", 12))
    thumbnails = Thumbnails(made.app)
    entry = SimpleNamespace(setup=record.setup, stones=None, moves="")
    side = made.app.theme.px(60)
    while (picture := thumbnails.picture(entry, side)) is None:
        thumbnails.work()
    ground = picture.get_at((side // 2, 4))
    rows = [y for y in range(side) if any(picture.get_at((x, y)) != ground for x in range(6, side - 6))]
    assert rows[-1] - rows[0] > 0.4 * side


def test_the_page_of_a_lesson(made: Stage, tmp_path: Path) -> None:
    """The thread that writes it has its trees drawn by the window."""
    lesson, file = lessons("en")[0], tmp_path / "lesson.html"
    made.app.start_job(PageExport(made.app, lesson, file))
    made.until(lambda: not made.app.jobs.busy)
    made.app.files.settle()
    text = file.read_text(encoding="utf-8")
    assert text.count("<svg") == 2 * len(lesson.steps), "trees, and whole searches"
    assert all(each.text.split(".")[0] in text for each in lesson.steps)
    assert text.count("<details>") == len(lesson.questions)
    shares = list[float]()
    page(replace(lesson, steps=lesson.steps[:2]), shares.append)
    assert set(shares) == {0.0, 0.5}


@pytest.mark.slow
def test_the_caption_of_a_page_began_with_an_ellipsis(made: Stage) -> None:
    """It used the entry of the list of searches, which continues the one above."""
    for key in ("06-deepening", "07-transpositions"):
        text = page(next(each for each in lessons("en") if each.key == key))
        captions = re.findall(r"<figcaption>(.*?)</figcaption>", text)
        assert captions
        assert not [each for each in captions if each.startswith("…")]


def test_the_tree_of_a_page_frames_what_the_lesson_marks_and_counts_what_it_folds() -> None:
    lesson = next(each for each in lessons("en") if each.key == "07-transpositions")
    step = lesson.steps[1]
    explorer = Explorer(step.subject, step.choice, lambda: None)
    arrange(explorer, step)
    assert len(explorer.marked) == 4
    framed = tree_svg(explorer)
    assert framed.count(">+14<") == 5, "and below four bones with MIN to move"
    explorer.marked = frozenset()
    assert framed.count("<rect") == tree_svg(explorer).count("<rect") + 4


def test_a_typed_tree_of_numbers_or_a_sentence(made: Stage) -> None:
    screen = made.show(Lessons(made.app))
    screen.widgets.focus = "numbers"
    made.write(" x")
    made.push("show")
    assert made.app.scene is screen
    assert "“x”" in made.app.message[0]
    made.push("draw", "show")
    assert isinstance(made.app.scene, Learn)


def test_presets_can_all_be_searched() -> None:
    for text in presets():
        assert subject(text).position.legal_moves()


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("learn", "tree.png"), ("lesson", "lesson.png", "--at", "1")])
def test_pictures_by_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main.main(["screenshot", *arguments]) == 0
    assert Image.open(io.BytesIO(Path(arguments[1]).read_bytes())).size == (1280, 800)


def test_a_lesson_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["screenshot", "lesson", "lesson.png", "--at", "99"]) == 2
    assert "there is no lesson 99" in capsys.readouterr().err
    assert main.main(["screenshot", "home", "home.webp"]) == 2


def glance(icicle: Icicle) -> bytes:
    surface = pygame.Surface((600, 300))
    icicle.build(Space(surface.get_rect(), 0))
    icicle.update(0.0)
    icicle.draw(surface, 0.0)
    return pygame.image.tobytes(surface, "RGB")


def test_the_glance_shows_how_the_nodes_were_left_at_last(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search may leave its last nodes without visiting another one."""
    explorer = Explorer(subject(NUMBERS), Choice("alphabeta", 2), lambda: None)
    trace, icicle = explorer.trace, Icicle(made.app, explorer)
    cut, (size, untried) = 5, (trace.size[:], trace.untried[:])
    assert untried[cut]
    with monkeypatch.context() as still:
        still.setattr(Tracing, "busy", True)
        for node in (0, cut):
            trace.size[node] = trace.untried[node] = 0
        before = glance(icicle)
        trace.size[:], trace.untried[:] = size, untried
    after = glance(icicle)
    assert before != after == glance(Icicle(made.app, explorer))
