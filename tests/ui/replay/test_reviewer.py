"""Reviews in the window: what they store, that they wait for nobody, and the files of a batch."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ai.core.player import Player
from ai.gomoku.handle import EngineHandle
from ai.gomoku.handle import Make as MakePlayer
from ai.review.report import run_review, stored_review
from ai.system.compiler.compilation import Report
from games.formats import load, save, tengen
from games.formats.text import parse
from games.record import GameRecord
from games.registry import setup
from tests.players import Faulty, Slow
from tests.ui.stage import wait
from ui.app import App
from ui.library.state import LibraryReview
from ui.parts.study import Reviewer
from ui.toolkit.i18n import t

MISTAKEN = "a1b1b2a2c3"
"""Of tic-tac-toe: the second move is a blunder."""


def finished(reviewer: Reviewer) -> Reviewer:
    wait(lambda: not reviewer.busy, lambda: reviewer.update(time.monotonic()))
    return reviewer


def started(app: App, record: GameRecord, make: Callable[[], Player] | None = None) -> Reviewer:
    reviewer = Reviewer(app, record)
    reviewer.make = make
    reviewer.start()
    return reviewer


def mistaken() -> GameRecord:
    return parse(MISTAKEN, setup("tictactoe"))


# One game.


def test_a_review_that_is_over_is_judged_again_when_the_line_has_learned_more(app: App) -> None:
    """Text, graph and table said 85 % where the win bar said 82 %, and a better line was not that of the file."""
    record = mistaken()
    reviewer = finished(started(app, record))
    blunder = record.line()[2]
    assert reviewer.kinds[blunder] == "blunder"
    blunder.evaluation = replace(blunder.evaluation, score=0, mate=None)
    for node in record.line()[3:]:
        node.evaluation = node.evaluation and replace(node.evaluation, score=0, mate=None)
    reviewer.update(time.monotonic() + 10)
    assert reviewer.kinds[blunder] != "blunder"
    assert reviewer.found.facts() == stored_review(record).facts()
    assert [reviewer.judged[move.node] for move in reviewer.found.moves] == list(reviewer.found.moves)
    before = reviewer.found
    reviewer.update(time.monotonic() + 20)
    assert reviewer.found is before, "nothing was learned since"


def test_a_line_whose_moves_were_deleted_was_judged_again(app: App) -> None:
    """It ended the program. What was deleted may come back."""
    record = mistaken()
    reviewer = finished(started(app, record))
    found, (_, first, blunder, *_) = reviewer.found, record.line()
    removed = record.remove(first)
    blunder.evaluation = replace(blunder.evaluation, score=0, mate=None)
    reviewer.update(time.monotonic() + 10)
    assert reviewer.found is found
    record.restore(removed)
    reviewer.update(time.monotonic() + 20)
    assert reviewer.found is not found


def test_a_review_finds_what_the_command_finds_and_stores_it(app: App) -> None:
    record = mistaken()
    reviewer = finished(started(app, record))
    assert (reviewer.state, reviewer.share, reviewer.learned) == ("over", 1.0, True)
    expected = run_review(mistaken())
    assert reviewer.found.facts() == expected.facts()
    assert reviewer.kinds[record.line()[2]] == "blunder"
    assert all(node.evaluation is not None or node.outcome for node in record.line())


def test_what_another_player_finds_is_shown_and_not_stored(app: App) -> None:
    record = mistaken()
    reviewer = Reviewer(app, record)
    reviewer.review_by("alphabeta:pvs=0")
    finished(reviewer)
    assert (reviewer.state, reviewer.learned) == ("over", False)
    assert reviewer.kinds[record.line()[2]] == "blunder"
    assert {each.node for each in reviewer.found.moves} == set(record.line()[1:])
    assert not any(node.evaluation for node in record.nodes())
    reviewer.review_by("alphabeta")
    finished(reviewer)
    assert reviewer.learned
    assert all(node.evaluation is not None or node.outcome for node in record.line())


def test_a_program_that_is_missing_is_a_sentence(app: App) -> None:
    reviewer = Reviewer(app, parse("h8i9"))
    reviewer.review_by("external:Nobody")
    finished(reviewer)
    assert reviewer.state == "failed"
    assert app.notices.text == "There is no engine “Nobody” in the settings."


def test_a_reviewed_game_is_shown_without_a_search(app: App) -> None:
    record = mistaken()
    first = finished(started(app, record))
    again = tengen.loads(tengen.dumps(record))
    reviewer = started(app, again, Faulty)
    assert (reviewer.state, reviewer.learned) == ("over", False)
    assert reviewer.found.facts() == first.found.facts()


def test_cancel_waits_for_no_search(app: App) -> None:
    player, before = Slow(), set(threading.enumerate())
    reviewer = started(app, mistaken(), lambda: player)
    assert player.began.wait(60)
    judges = [each for each in set(threading.enumerate()) - before if each.name.startswith("tengen-judge")]
    assert judges
    assert reviewer.wake() is not None
    reviewer.cancel()
    assert (reviewer.state, reviewer.wake()) == ("cancelled", None)
    assert player.behind == [True], "its searches give way to the window"
    for thread in judges:
        thread.join(60)
        assert not thread.is_alive()


def test_a_review_that_was_cancelled_goes_on_where_it_was(app: App) -> None:
    record = mistaken()
    reviewer = started(app, record)
    wait(lambda: reviewer.judged or not reviewer.busy, lambda: reviewer.update(time.monotonic()))
    reviewer.cancel()
    known = [node.evaluation for node in record.line()]
    reviewer.start()
    finished(reviewer)
    assert reviewer.state == "over"
    assert all(old is None or node.evaluation is not None for old, node in zip(known, record.line(), strict=True))


def test_a_player_that_fails_ends_the_review(app: App) -> None:
    reviewer = started(app, mistaken(), Faulty)
    assert finished(reviewer).state == "failed"


def compiling(app: App) -> threading.Event:
    """Give `app` an engine that is compiled until the event is set."""
    compiled = threading.Event()

    def compile_kernels(report: Report) -> MakePlayer:
        report(0.1, False)
        assert compiled.wait(60)
        return lambda _kind: Slow()

    app.engine = EngineHandle(compile_kernels)
    return compiled


def failing(_report: Report) -> MakePlayer:
    raise OSError("no compiler")


def test_the_review_waits_for_the_engine(app: App) -> None:
    """While it was compiled, the player that stands in for it must not judge."""
    player = Slow()
    compiled = compiling(app)
    reviewer = started(app, parse("h8i9"), lambda: player)
    reviewer.update(0.0)
    assert (reviewer.state, player.began.is_set()) == ("waiting", False)
    compiled.set()
    assert app.engine.wait(60)
    wait(player.began.is_set, lambda: reviewer.update(0.0))
    reviewer.cancel()


def test_a_review_without_an_engine_fails(app: App) -> None:
    app.engine = EngineHandle(failing)
    reviewer = started(app, parse("h8i9"), Faulty)
    assert finished(reviewer).state == "failed"


def test_mistakes_are_found_from_anywhere(app: App) -> None:
    record = parse("2 3 3 2 3 3 3 2", setup("bones"))
    reviewer = finished(started(app, record))
    line = record.line()
    assert [at for at in range(1, 9) if reviewer.kinds[line[at]] == "blunder"] == [1, 4, 7]

    def found(at: int, step: int) -> int | None:
        judged = reviewer.mistake(line[at], step)
        return None if judged is None else line.index(judged.node)

    assert [found(at, 1) for at in range(9)] == [1, 4, 4, 4, 7, 7, 7, 1, 1]
    assert [found(at, -1) for at in range(9)] == [7, 7, 1, 1, 1, 4, 4, 4, 7]
    record.go_to(line[3])
    record.play(record.position.parse_move("1"))
    beside = [reviewer.mistake(record.cursor, step) for step in (1, -1)]
    assert [line.index(judged.node) for judged in beside if judged is not None] == [7, 1]


# Many games.


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = [tmp_path / f"{number}.tengen.json" for number in range(3)]
    for file in made:
        save(mistaken(), file)
    return made


def begun(app: App, files: list[Path], make: Callable[[], Player] | None = None) -> LibraryReview:
    batch = LibraryReview(app, lambda _file: None, make)
    batch.start(files)
    return batch


def over(batch: LibraryReview) -> LibraryReview:
    wait(lambda: not batch.busy, batch.update)
    return batch


def test_a_batch_saves_what_it_finds_in_each_file(app: App, files: list[Path]) -> None:
    batch = over(begun(app, files))
    assert (batch.reviewed, batch.problems, batch.done) == (files, [], 3)
    for file in files:
        assert started(app, load(file), Faulty).state == "over", "all is in the file"


def test_a_batch_leaves_a_file_alone_that_changes_meanwhile(app: App, files: list[Path]) -> None:
    player = Slow()
    batch = begun(app, files[:1], make=lambda: player)
    assert player.began.wait(60)
    changed = mistaken()
    changed.root.comment = "written meanwhile"
    save(changed, files[0])
    data = files[0].read_bytes()
    batch.stop()
    over(batch)
    assert files[0].read_bytes() == data


def test_a_batch_that_is_cancelled_ends_and_touches_no_other_file(app: App, files: list[Path]) -> None:
    before, player = [file.read_bytes() for file in files], Slow()
    batch = begun(app, files, make=lambda: player)
    assert player.began.wait(60)
    assert batch.done == 0
    batch.stop()
    over(batch)
    assert batch.reviewed == []
    assert [file.read_bytes() for file in files[1:]] == before[1:]


def test_a_batch_says_what_it_cannot_review(app: App, files: list[Path], tmp_path: Path) -> None:
    text, damaged, missing = tmp_path / "a.txt", tmp_path / "b.tengen.json", tmp_path / "c.tengen.json"
    text.write_text("h8i9", encoding="utf-8")
    damaged.write_bytes(b"{")
    batch = over(begun(app, [text, damaged, missing, files[0]]))
    assert [file for file, _ in batch.problems] == [text, damaged, missing]
    assert all(file.name in sentence for file, sentence in batch.problems)
    assert batch.reviewed == [files[0]]
    assert text.read_text(encoding="utf-8") == "h8i9"


def test_a_batch_goes_on_after_a_player_failed(app: App, files: list[Path]) -> None:
    batch = over(begun(app, files, make=Faulty))
    assert len(batch.problems) == 3
    assert batch.reviewed == []


@pytest.mark.parametrize("cancelled", [False, True])
def test_a_batch_waits_for_the_engine_or_until_it_is_cancelled(app: App, tmp_path: Path, cancelled: bool) -> None:
    player, file = Slow(), tmp_path / "gomoku.tengen.json"
    save(parse("h8i9"), file)
    data, compiled = file.read_bytes(), compiling(app)
    batch = begun(app, [file], make=lambda: player)
    wait(lambda: app.engine.busy)
    assert not player.began.wait(0.1)
    if not cancelled:
        compiled.set()
        assert player.began.wait(60)
    batch.stop()
    over(batch)
    assert (batch.reviewed, batch.problems, file.read_bytes()) == ([], [], data)
    compiled.set()


def test_a_batch_without_an_engine_leaves_the_files_as_they_are(app: App, files: list[Path], tmp_path: Path) -> None:
    """Tic-tac-toe needs none."""
    file = tmp_path / "gomoku.tengen.json"
    save(parse("h8i9"), file)
    data = file.read_bytes()
    app.engine = EngineHandle(failing)
    batch = over(begun(app, [file, files[0]]))
    assert batch.problems == [(file, t("review.no_engine"))]
    assert batch.reviewed == [files[0]]
    assert file.read_bytes() == data
