"""Reviews of several games from the library: begun, followed, stopped, and shown on the cards."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

import ui.library.state
from ai.arena.executors import NoExecutor
from ai.review.report import review_summary, run_review, with_review
from ai.review.review import Review, ReviewShare
from games.formats import load, save
from games.formats.text import parse
from games.library.index import ReviewSummary
from games.record import PERSON, Seat
from games.registry import setup
from games.storage import saves_home
from tests.ui.stage import Make, Stage
from tests.waiting import PATIENCE
from ui.library.screen import LibraryScreen
from ui.toolkit.i18n import joined, t
from ui.words.file_words import entry_review

LOST = "b2a2a1a3c3"
"""At tic-tac-toe: the second side loses by its first move."""


def write(name: str) -> Path:
    record = parse(LOST, setup("tictactoe"))
    record.seats = Seat("level:1"), Seat(PERSON)
    file = saves_home() / f"{name}.tengen.json"
    save(record, file)
    return file


def opened(made: Stage, games: int) -> LibraryScreen:
    scene = made.show(LibraryScreen(made.app))
    made.until(lambda: len(scene.state.games.selection.ids) == games and not scene.state.games.busy)
    return scene


@pytest.mark.slow
def test_a_review_of_the_selected_games_is_shown_on_their_cards(stage: Make) -> None:
    made = stage((960, 640))
    files = [write(f"game {number}") for number in range(3)]
    scene = opened(made, 3)
    made.press(pygame.K_a, pygame.KMOD_CTRL)
    made.push("review")
    state = scene.state
    made.until(lambda: not (state.review.busy or state.games.busy or state.games.changed))
    entries = state.games.selected()
    assert len(entries) == 3
    for entry in entries:
        assert entry.review.mistakes[1] >= 1
        assert entry_review(entry).startswith(f"{entry.review.accuracy[1]:.0f} % · ")
    assert {entry.path for entry in entries} == set(files)
    assert "3" in made.app.message[0]
    assert [review_summary(load(file)) for file in files] == [entries[0].review] * 3, "it is in the files"


def test_a_review_can_be_stopped_and_says_so(stage: Make) -> None:
    made = stage((960, 640))
    for number in range(30):
        write(f"game {number}")
    scene = opened(made, 30)
    made.press(pygame.K_a, pygame.KMOD_CTRL)
    made.press(pygame.K_r, pygame.KMOD_CTRL)
    assert scene.widgets.buttons["review"].text == "Stop"
    assert scene.status().startswith("Reviewing game")
    assert list(scene.state.review.progress.values())[1:] == [0.0] * (len(scene.state.review.progress) - 1)
    made.press(pygame.K_r, pygame.KMOD_CTRL)
    made.until(lambda: not scene.state.review.busy)
    assert scene.widgets.buttons["review"].text == "Review"
    assert "reviewed" in made.app.message[0]


def test_how_far_a_review_is_is_shown_until_it_is_stopped(stage: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made, files = stage((960, 640)), [write("a"), write("b")]
    going, held = Event(), Event()

    class Halfway(Review):
        def run(self, *_: object) -> Iterator[ReviewShare]:  # type: ignore[override]
            yield ReviewShare(0.5)
            going.set()
            held.wait(PATIENCE)

    monkeypatch.setattr(ui.library.state, "Review", Halfway)
    review = opened(made, 2).state.review
    assert (review.progress, review.wake()) == ({}, None)
    review.start([])
    assert not review.busy
    review.start(files)
    assert going.wait(PATIENCE)
    review.start(files[:1])
    assert review.status() == t("library.reviewing", number=1, total=2, percent=25)
    assert (review.progress, review.wake()) == ({files[0]: 0.5, files[1]: 0.0}, 0.1)
    review.stop()
    held.set()
    made.until(lambda: not review.busy)
    assert (review.reviewed, review.done, made.app.notices.kind) == ([], 1, "info")


def test_a_game_of_gomoku_waits_for_the_engine_and_is_refused_without_it(
    stage: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Engine:
        left, state = 3, SimpleNamespace(name="failed")
        busy = property(lambda self: self.left > 0)

        def start(self) -> None:
            assert self.left == 3

        def wait(self, _seconds: float) -> None:
            self.left -= 1

    made, file = stage((960, 640)), saves_home() / "game.tengen.json"
    save(parse("h8i9"), file)
    review = opened(made, 1).state.review
    with monkeypatch.context() as context:
        context.setattr(made.app, "engine", Engine())
        review.start([file])
        made.until(lambda: not review.busy)
        assert (review.problems, made.app.engine.left) == ([(file, t("review.no_engine"))], 0)


def test_a_damaged_game_is_not_reviewed_and_a_picture_of_none_is_drawn(stage: Make) -> None:
    made = stage((960, 640))
    saves_home().mkdir()
    (saves_home() / "damaged.tengen.json").write_bytes(b"no game")
    scene = opened(made, 1)
    assert not scene.widgets.buttons["review"].enabled
    made.press(pygame.K_r, pygame.KMOD_CTRL)
    assert not scene.state.review.busy


def test_a_file_that_holds_no_review_is_left_alone(stage: Make) -> None:
    made, file = stage((960, 640)), saves_home() / "game.sgf"
    save(parse("h8i9"), file)
    before = file.read_bytes()
    review = opened(made, 1).state.review
    review.start([file])
    made.until(lambda: not review.busy)
    problem = t("review.unwritable", name=file.name)
    assert (review.reviewed, review.problems, review.done) == ([], [(file, problem)], 1)
    assert made.app.message[0] == joined((t("library.reviewed", count=0), problem))
    assert (made.app.notices.kind, file.read_bytes()) == ("bad", before)


def test_a_game_that_was_reviewed_already_is_not_written_again_and_a_cluster_without_dask_not_asked(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, asked = write("game"), list[str]()
    monkeypatch.setattr(ui.library.state, "installed", lambda: False)
    monkeypatch.setattr(ui.library.state, "open_cluster", lambda address, _workers: asked.append(address))
    made.app.settings.cluster = "tcp://there:1"
    file.write_bytes(with_review(file.read_bytes()))
    monkeypatch.setattr(ui.library.state, "write_atomic", pytest.fail)
    review = opened(made, 1).state.review
    review.start([file])
    made.until(lambda: not review.busy)
    assert (review.reviewed, review.problems, asked) == ([file], [], [])


def test_nothing_is_recalled_from_a_game_that_was_not_reviewed_to_its_end() -> None:
    record = parse(LOST, setup("tictactoe"))
    assert review_summary(record) is None
    run_review(record)
    record.line()[2].evaluation = None
    assert review_summary(record) is None


def test_an_accuracy_is_that_of_the_only_person(made: Stage) -> None:
    write("alone")
    scene = opened(made, 1)
    (entry,) = scene.state.games.selected()
    assert entry_review(entry) == ""
    found = ReviewSummary(accuracy=(91.4, 38.6), mistakes=(0, 1))
    assert entry_review(replace(entry, review=found)) == "39 % · 1 mistake"
    two = Seat(PERSON, "Zoë"), Seat(PERSON, "Ann")
    assert entry_review(replace(entry, seats=two, review=found)) == "91 % – 39 %"


class Cluster(ThreadPoolExecutor):
    """A cluster of one worker, which is lost after `lives` calls."""

    def __init__(self, lives: int) -> None:
        super().__init__(1)
        self._lives, self._calls = lives, list[Future[Any]]()

    def submit(self, task: Callable[..., Any], /, *arguments: Any) -> Future[Any]:  # type: ignore[override]
        if len(self._calls) < self._lives:
            self._calls.append(super().submit(task, *arguments))
            return self._calls[-1]
        lost: Future[Any] = Future()
        lost.set_exception(NoExecutor("It is lost."))
        return lost

    def at_work(self) -> dict[str, list[Future[Any]]]:
        return {"tcp://there:1": [call for call in self._calls if not call.done()]}


@pytest.mark.slow
@pytest.mark.parametrize("lives", [9, 1])
def test_games_are_reviewed_on_the_cluster_and_here_when_that_is_lost(
    stage: Make, monkeypatch: pytest.MonkeyPatch, lives: int
) -> None:
    made = stage((960, 640))
    asked: list[str] = []

    @contextmanager
    def open_cluster(address: str, _workers: int) -> Iterator[Cluster]:
        asked.append(address)
        with Cluster(lives) as cluster:
            yield cluster

    monkeypatch.setattr(ui.library.state, "installed", lambda: True)
    monkeypatch.setattr(ui.library.state, "open_cluster", open_cluster)
    made.app.settings.cluster = "tcp://there:8786"
    files = [write(f"game {number}") for number in range(3)]
    (saves_home() / "damaged.tengen.json").write_bytes(b"no game")
    review = opened(made, 4).state.review
    said: list[str] = []
    monkeypatch.setattr(made.app, "say", lambda text, *_, **__: said.append(text))
    review.start([*files, saves_home() / "damaged.tengen.json"])
    made.until(lambda: not review.busy)
    assert asked == ["tcp://there:8786"]
    assert sorted(review.reviewed) == files
    assert [file.name for file, _ in review.problems] == ["damaged.tengen.json"]
    assert said.count(t("library.cluster_lost")) == (lives < len(files))
    assert all(review_summary(load(file)) for file in files)


def test_a_game_that_changes_while_a_cluster_reviews_it_is_left_alone(
    stage: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, file = stage((960, 640)), write("game")

    class Late(Cluster):
        def at_work(self) -> dict[str, list[Future[Any]]]:
            said.append(review.status())
            if len(said) > 1:
                save(parse("a1b1", setup("tictactoe")), file)
                going.set()
            return {"tcp://there:1": [call for call in self._calls if not call.done()]}

    def slow(data: bytes) -> bytes:
        assert going.wait(PATIENCE)
        return with_review(data)

    going, said = Event(), list[str]()
    monkeypatch.setattr(ui.library.state, "installed", lambda: True)
    monkeypatch.setattr(ui.library.state, "open_cluster", lambda *_: nullcontext(Late(9)))
    monkeypatch.setattr(ui.library.state, "with_review", slow)
    made.app.settings.cluster = "tcp://there:8786"
    review = opened(made, 1).state.review
    review.start([file])
    made.until(lambda: not review.busy)
    begun = t("library.reviewing", number=1, total=1, percent=0)
    assert said[:2] == [begun, f"{begun} · there:1: game"]
    assert review.problems == [(file, t("review.changed", name=file.name))]
    assert load(file).line()[-1].position.ply == 2, "as it was changed"


def slowly(data: bytes) -> bytes:
    time.sleep(1.0)
    return with_review(data)


@pytest.mark.slow
@pytest.mark.parametrize("killed", [False, True])
def test_games_are_reviewed_on_a_real_cluster(stage: Make, monkeypatch: pytest.MonkeyPatch, killed: bool) -> None:
    """Two workers, of which the status line tells; then the scheduler is killed half-way."""
    pytest.importorskip("distributed")
    from ai.lab.cluster_check import cluster

    made = stage((960, 640))
    monkeypatch.setattr(ui.library.state, "with_review", slowly)
    files = [write(f"game {number}") for number in range(8)]
    review = opened(made, 8).state.review
    told: set[str] = set()
    with cluster() as there:
        made.app.settings.cluster = there.address
        review.start(files)
        made.until(lambda: told.add(review.status()) or review.done >= 2)  # type: ignore[func-returns-value]
        if killed:
            there.scheduler.kill()
        made.until(lambda: not review.busy)
    assert sorted(review.reviewed) == files
    assert not review.problems
    assert all(review_summary(load(file)) for file in files)
    assert max(text.count("127.0.0.1:") for text in told) == 2, told
