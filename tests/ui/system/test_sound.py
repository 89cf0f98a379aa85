"""The sound files are those of the script; playing never fails or waits."""

from __future__ import annotations

import importlib.util
import logging
import threading
import time
import wave
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pygame
import pytest

import ui.system.sound
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.stage import wait
from ui.parts.board_part import ending_sound
from ui.system.settings import Settings
from ui.system.sound import NAMES, Name, Sounds, describe_sound
from ui.toolkit.resources import resource

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_sounds", ROOT / "assets" / "make_sounds.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# The files.


def test_the_script_makes_every_sound_and_no_other(script: ModuleType) -> None:
    assert set(script.SOUNDS) == set(NAMES)
    assert {file.stem for file in resource("sounds").iterdir()} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_files_are_what_the_script_makes(name: Name, script: ModuleType) -> None:
    with wave.open(str(resource("sounds", f"{name}.wav"))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, script.RATE)
        kept = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(int)
    again = script.made(name).astype(int)
    assert len(kept) == len(again)
    assert np.abs(kept - again).max() <= 1, "another processor may round a sample the other way"


@pytest.mark.parametrize("name", NAMES)
def test_no_sound_clips_or_cracks_or_is_heavy(name: Name, script: ModuleType) -> None:
    samples = script.made(name).astype(float) / 32_767
    assert 0.3 < np.abs(samples).max() < 0.81
    assert np.abs(samples[[0, -1]]).max() < 0.001, "it begins and ends in silence"
    assert abs(samples.mean()) < 0.002
    assert resource("sounds", f"{name}.wav").stat().st_size < 64_000


# Playing.


class Heard:
    """Stands in for the mixer of pygame, without a device: what was `played`, and how loud."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.played: list[tuple[str, float]] = []
        monkeypatch.setattr(pygame.mixer, "get_init", lambda: (44_100, -16, 2))
        monkeypatch.setattr(pygame.mixer, "Sound", lambda file: _Sound(self.played, Path(file).stem))


class _Sound:
    def __init__(self, played: list[tuple[str, float]], name: str) -> None:
        self._played, self._name, self._volume = played, name, 1.0

    def set_volume(self, volume: float) -> None:
        self._volume = volume

    def play(self) -> None:
        self._played.append((self._name, self._volume))


def threads() -> int:
    """How many threads play sounds."""
    return sum(thread.name == "sounds" for thread in threading.enumerate())


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    return Heard(monkeypatch)


@pytest.fixture
def sounds(heard: Heard) -> Iterator[Sounds]:
    made = Sounds(Settings())
    yield made
    made.close()


def test_volume_and_mute_are_those_of_the_settings(heard: Heard) -> None:
    settings = Settings(volume=50)
    sounds = Sounds(settings)
    sounds.play("stone")
    wait(lambda: heard.played == [("stone", 0.25)])
    settings.sound = False
    sounds.play("win")
    settings.sound, settings.volume = True, 0
    sounds.play("loss")
    settings.volume = 100
    sounds.play("draw")
    wait(lambda: heard.played[1:] == [("draw", 1.0)])
    sounds.close()


def test_the_same_sound_at_once_is_played_once(heard: Heard, sounds: Sounds) -> None:
    for _ in range(50):
        sounds.play("stone")
    sounds.play("win")
    wait(lambda: ("win", pytest.approx(0.49)) in heard.played)
    assert len(heard.played) <= 3


def test_a_sound_that_comes_late_or_again_at_once_is_not_played(
    heard: Heard, sounds: Sounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[int, ...]] = []
    monkeypatch.setattr(pygame.mixer, "get_init", lambda: opened[0] if opened else None)
    monkeypatch.setattr(pygame.mixer, "init", lambda *how: opened.append(how))
    monkeypatch.setattr(pygame.mixer, "quit", lambda: None)
    asked, begun = iter((10.0, 20.0, 20.03, 20.1)), iter((10.625, 20.375, 20.2))
    monkeypatch.setattr(ui.system.sound, "time", SimpleNamespace(
        monotonic=lambda: next(begun if threading.current_thread().name == "sounds" else asked)
    ))  # fmt: skip
    sounds.play("stone")
    for plays in (1, 2):
        for _ in range(plays):
            sounds.play("win")
        wait(lambda plays=plays: len(heard.played) == plays)
    assert ({name for name, _ in heard.played}, next(begun, None)) == ({"win"}, None)
    assert opened == [(44_100, -16, 2, 512)]
    describe_sound()
    assert opened[1:] == opened[:1]


def test_the_thread_ends_when_all_is_quiet_and_begins_again(
    heard: Heard, sounds: Sounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.system.sound, "REST", 0.02)
    for name in NAMES:
        sounds.play(name)
        wait(lambda: not threads())
    assert [name for name, _ in heard.played] == list(NAMES)


def test_what_reaches_the_device_is_the_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through SDL's driver that writes what would be heard to a file."""
    out = tmp_path / "heard.raw"
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(out))

    def loudest() -> int:
        written = np.fromfile(out, "<i2", count=out.stat().st_size // 2) if out.exists() else np.zeros(1)
        return int(np.abs(written.astype(int)).max(initial=0))

    sounds = Sounds(Settings(volume=50))
    sounds.play("stone")
    wait(lambda: loudest() > 0)
    time.sleep(0.1)
    sounds.close()
    assert loudest() == pytest.approx(0.8 * 32_767 * 0.25, rel=0.1)


def test_without_a_device_nothing_fails_and_the_log_says_why_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "bogus")
    sounds = Sounds(Settings())
    with caplog.at_level(logging.WARNING):
        for name in NAMES:
            sounds.play(name)
        wait(lambda: caplog.records)
        sounds.close()
    assert len(caplog.records) == 1
    assert "no sound" in caplog.text
    assert describe_sound().startswith("none: ")


def test_a_device_is_described_with_the_sounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    assert describe_sound() == "44100 Hz, 2 channels, 7 sounds"


def test_a_missing_file_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(ui.system.sound, "resource", tmp_path.joinpath)
    sounds = Sounds(Settings())
    sounds.play("win")
    wait(lambda: "win.wav is missing" in caplog.text)
    sounds.close()
    assert "stone, bones, disc, win, loss, draw, low_time missing" in describe_sound()


def test_a_device_that_hangs_delays_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, woken = threading.Event(), []
    monkeypatch.setattr(pygame.mixer, "init", lambda *_: woken.append(answers.wait(60)))
    sounds = Sounds(Settings())
    for name in NAMES:
        sounds.play(name)
    assert not sounds.close()
    assert woken == [], "it hangs still"
    answers.set()


# What is heard at the end.


def ended(players: tuple[str, str], *moves: int) -> GameRecord:
    record = GameRecord(setup("tictactoe"), (Seat(players[0]), Seat(players[1])))
    for move in moves:
        record.play(move)
    return record


FIRST_WINS = (0, 3, 1, 4, 2)


@pytest.mark.parametrize(("players", "moves", "sound"), [
    ((PERSON, "alphabeta"), FIRST_WINS, "win"), (("alphabeta", PERSON), FIRST_WINS, "loss"),
    ((PERSON, PERSON), FIRST_WINS, "win"), (("alphabeta", "random"), FIRST_WINS, "win"),
    ((PERSON, "alphabeta"), (0, 4, 8, 1, 7, 6, 2, 5, 3), "draw"), ((PERSON, "alphabeta"), (0,), None),
])  # fmt: skip
def test_the_end_sounds_as_the_person_sees_it(players: tuple[str, str], moves: tuple[int, ...], sound: str) -> None:
    assert ending_sound(ended(players, *moves)) == sound
