"""Kills processes at random moments of their work: ``python -m tests.kills --kills 1000 --seed 1``.

Each process imports games, fills and answers the deck of exercises, renames, deletes and restores games, reviews a
folder with ``--resume``, or plays a game that is saved after every move. It is killed (SIGKILL) and its files are
looked at: each is whole, none is empty, and nothing is lost that the process said to have saved. The next one goes on
where it was. Only kills that came before the end of the work are counted. POSIX only.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from ai.review.exercises import Deck, Exercise, exercises
from ai.review.report import review_folder, run_review
from ai.service.profile import load_profile
from games import storage as damage
from games.formats import EXTENSIONS, load, save, tengen
from games.formats.text import parse
from games.library.file_actions import discard, duplicate_key, game_files, import_games, rename, restore, trash_home
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import clear_temporaries, data_home, files_below, saves_home
from tests.games.formats_samples import SGF_COLLECTION
from ui.app import App
from ui.play.screen import Play
from ui.system.settings import Settings, load_settings

Say = Callable[[object], None]
_GAMES = 12  # that are renamed, deleted and restored
_DAY = 86_400.0


class Work(NamedTuple):
    """`run` works for some seconds at most and says what it has saved; `check` raises `AssertionError` unless all that
    was said is there."""

    prepare: Callable[[], object]
    run: Callable[[random.Random, Say], object]
    check: Callable[[list[object]], object]


def _nothing() -> None:
    pass


# Imports.


def _sources() -> Path:
    return data_home() / "sources"


def _prepare_import() -> None:
    _sources().mkdir(parents=True, exist_ok=True)
    for number in range(20):
        record = GameRecord(setup("gomoku"), date=f"2026-11-{number + 1:02}")
        for ply in range(8):
            record.play((number + 17 * ply) % 225)
            record.cursor.comment = "x" * 20_000
        save(record, _sources() / f"{number}.tengen.json")
    (_sources() / "all.sgf").write_bytes(SGF_COLLECTION.encode())


def _import(chance: random.Random, say: Say) -> None:
    known: dict[tuple[str, int, str], list[Path]] = {}
    for file in _saved():
        known.setdefault(duplicate_key(load(file)), []).append(file)
    say("ready")
    for file in chance.sample(game_files(_sources()), 12):
        import_games([file], saves_home(), known)
        say(file.name)
    if len(_saved()) > 40:  # begin again
        for file in _saved():
            file.unlink()
        say("emptied")


def _check_import(said: list[object]) -> None:
    if "emptied" in said or not said:
        return
    there = {duplicate_key(load(file)) for file in _saved()}
    for name in said:
        if str(name).endswith(".tengen.json"):
            assert duplicate_key(load(_sources() / str(name))) in there, f"{name} was imported"


def _saved() -> list[Path]:
    return [Path(file) for file in files_below(saves_home()) if file.name.endswith(EXTENSIONS)]


# The deck.


@cache
def _mistakes() -> list[Exercise]:
    found = run_review(parse("b2a1c3c1b1a2a3", setup("tictactoe")), seconds=0.05)
    return exercises(found.record, found.moves, (0, 1))


def _fill(chance: random.Random, say: Say) -> None:
    """Say the key of each exercise that was added, and how often it was answered."""
    deck = Deck(now=lambda: datetime.now(UTC))
    say("ready")
    for _ in range(30):
        number = chance.randrange(2000)
        exercise = Exercise(str(number), _mistakes()[number % len(_mistakes())].game)
        if chance.random() < 0.5:
            deck.add([exercise])
        else:
            deck.record_answer(exercise, chance.choice(("again", "hard", "good")))
        say(exercise.key)


def _check_deck(said: list[object]) -> None:
    with closing(sqlite3.connect(Deck().file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        assert "damaged" not in tables
        keys = {key for (key,) in database.execute("SELECT key FROM exercises")} if "exercises" in tables else set()
    assert keys >= {key for key in said if key != "ready"}
    Deck().counts()


# Renaming, deleting, restoring.


def _prepare_actions() -> None:
    for number in range(_GAMES):
        save(_numbered(number), saves_home() / f"{number}.tengen.json")


def _numbered(number: int) -> GameRecord:
    record = GameRecord(setup("gomoku"))
    record.play(number)
    return record


def _act(chance: random.Random, say: Say) -> None:
    say("ready")
    for round_ in range(20):
        file = chance.choice(sorted(_saved()))
        if chance.random() < 0.5:
            rename(file, f"{chance.randrange(10**9)} {round_}")
        else:
            restore(discard([file]))
        say(round_)


def _check_actions(_said: list[object]) -> None:
    """Every game is in the folder or in the trash, from where it is restored."""
    trashed = [Path(file) for file in files_below(trash_home()) if file.name.endswith(EXTENSIONS)]
    there = {duplicate_key(load(file)) for file in _saved()}
    for file in trashed:
        if duplicate_key(load(file)) not in there:
            file.replace(saves_home() / f"{file.parent.name} {file.name}")
            there.add(duplicate_key(load(saves_home() / f"{file.parent.name} {file.name}")))
        else:
            file.unlink()
    assert there == {duplicate_key(_numbered(number)) for number in range(_GAMES)}
    seen: set[object] = set()
    for file in _saved():  # at both paths, where the kill came between them
        key = duplicate_key(load(file))
        if key in seen:
            file.unlink()
        seen.add(key)


# A review of a folder.


def _journal() -> Path:
    return data_home() / "review.jsonl"


def _prepare_review() -> None:
    games = ("b2a1c3c1b1a2a3", "a1b2c3a3c1b1b3", "b2a2a1c3b1b3", "a1c3a3c1a2", "c3b2a1c1b3", "b1b2b3a1c3")
    for number, moves in enumerate(games):
        save(parse(moves, setup("tictactoe")), data_home() / "review" / f"{number}.tengen.json")


def _silent(_judged: object) -> str:
    return ""


def _review(_chance: random.Random, say: Say) -> None:
    say("ready")
    for facts in review_folder(data_home() / "review", _silent, seconds=0.02, threads=1, kept=_journal()):
        assert isinstance(facts, dict)
        say(facts["file"])
    _journal().unlink()
    say("emptied")


def _check_review(said: list[object]) -> None:
    """What was said is in the journal; its last line may be cut, as the next review expects."""
    if "emptied" in said or not _journal().exists():
        return
    head, *lines = _journal().read_text(encoding="utf-8").split("\n")
    assert json.loads(head) == {"seconds": 0.02}
    rows = [json.loads(line) for line in lines[:-1]]
    assert {row["result"]["file"] for row in rows} >= {name for name in said if name != "ready"}


# A game in a window.


def _play(chance: random.Random, say: Say) -> None:
    """Go on with the game that is named by the settings. Say its file, and how many moves it has."""
    settings = load_settings()
    file = Path(settings.unfinished) if settings.unfinished else None
    record = load(file) if file else GameRecord(setup("gomoku"), (Seat(PERSON), Seat(PERSON)))
    if record.outcome is not None or record.position.ply > 100:
        file, record = None, GameRecord(setup("gomoku"), (Seat(PERSON), Seat(PERSON)))
    app = App(Settings(**{**vars(settings), "motion": False, "sound": False}), (960, 640))
    screen = Play(app, record, *([file] if file else []))
    app.show(screen)
    app.frame(time.monotonic())
    say("ready")
    for _ in range(40):
        if record.outcome is not None:
            break
        screen.state.choose(chance.choice(record.position.legal_moves()))
        app.frame(time.monotonic())
        if chance.random() < 0.5:
            app.files.settle()
            say([str(screen.state.saver.file), record.position.ply])
    screen.close()
    app.close()


def _check_play(said: list[object]) -> None:
    for each in said:
        if isinstance(each, list):
            assert load(Path(each[0])).position.ply >= each[1]
    load_settings()
    load_profile()


WORKS = {
    "import": Work(_prepare_import, _import, _check_import),
    "deck": Work(_nothing, _fill, _check_deck),
    "actions": Work(_prepare_actions, _act, _check_actions),
    "review": Work(_prepare_review, _review, _check_review),
    "autosave": Work(_nothing, _play, _check_play),
}


# Killing.


def _whole() -> None:
    """Every file of the home is whole, none is empty, and nothing was set aside as damaged."""
    for found in files_below(data_home()):
        file = Path(found)
        assert ".damaged" not in file.name, file
        if file.name.endswith(EXTENSIONS):
            assert file.stat().st_size > 0, file
            load(file)
    assert damage.new_damage() == []


@contextlib.contextmanager
def _working(work: Work, chance: random.Random) -> Iterator[tuple[int, int]]:
    """A process at work; yield its number and the pipe of what it says."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        status = 1
        try:
            work.run(chance, lambda said: _send(theirs, said))
            status = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(status)
    os.close(theirs)
    try:
        yield child, ours
    finally:
        os.close(ours)


def _send(pipe: int, said: object) -> None:
    os.write(pipe, f"{json.dumps(said)}\n".encode())


def _killed(work: Work, chance: random.Random, most: float) -> tuple[bool, list[object]]:
    """Kill a process at work within `most` seconds after it is ready. Return whether that came before its end, and what
    it said."""
    with _working(work, chance) as (child, pipe):
        text = b""
        while b"\n" not in text and (piece := os.read(pipe, 1 << 16)):
            text += piece
        time.sleep(chance.uniform(0, most))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        while piece := os.read(pipe, 1 << 16):
            text += piece
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0, "the work failed"
    return os.WIFSIGNALED(status), [json.loads(line) for line in text.split(b"\n")[:-1]]


def kill(name: str, kills: int, seed: int) -> tuple[int, int]:
    """Kill the work `name` so often. Return how many temporary files were left, and how many works ended first."""
    work, chance, most = WORKS[name], random.Random(f"{seed}/{name}"), 0.1
    counted, ended = 0, 0
    with tempfile.TemporaryDirectory(prefix=f"tengen-kills-{name}-") as home:
        os.environ["TENGEN_HOME"] = home
        saves_home().mkdir(parents=True)
        work.prepare()
        while counted < kills:
            before, said = _killed(work, random.Random(chance.random()), most)
            work.check(said)
            _whole()
            counted += before
            ended += not before
            most *= 1.1 if before else 0.7
            most = min(most, 3.0)
        left = sum(file.name.endswith(".tmp") for file in files_below(home, hidden=True))
        clear_temporaries(time.time() + _DAY)
        assert not [file.path for file in files_below(home, hidden=True) if file.name.endswith(".tmp")]
    return left, ended


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="in all, in equal parts for each work")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=list(WORKS))
    options = parser.parse_args()
    tengen.dumps(GameRecord(setup("gomoku")))  # what is imported late is imported before the processes begin
    _mistakes()
    names = [options.only] if options.only else list(WORKS)
    for number, name in enumerate(names):
        share = options.kills // len(names) + (number < options.kills % len(names))
        began = time.monotonic()
        left, ended = kill(name, share, options.seed)
        rest = f"{ended:>4} works ended first, {left:>3} temporary files were left and cleared"
        print(f"{name:<9}{share:>6} kills, {rest}, {time.monotonic() - began:6.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
