"""Synthesise Tengen's sounds: each a sum of a few decaying tones, like struck wood and stone. Needs numpy.

Run by hand (`python assets/make_sounds.py`); the outputs are committed, and a test reproduces them.
"""

from __future__ import annotations

import wave
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

TARGET = Path(__file__).resolve().parent / "sounds"
RATE = 22_050
"""Sample rate; mono, 16 bits."""

Samples = NDArray[np.float64]
Tone = tuple[float, float, float]
"""Frequency in Hz, amplitude, and seconds to decay to a third."""

WOOD: tuple[Tone, ...] = ((196, 0.34, 0.038), (512, 0.60, 0.026), (1187, 0.55, 0.015), (1930, 0.40, 0.010))
STONE: tuple[Tone, ...] = ((3120, 0.34, 0.006), (4870, 0.20, 0.004), (6650, 0.09, 0.003))
BONE: tuple[Tone, ...] = ((932, 0.50, 0.020), (1710, 0.45, 0.016), (2890, 0.32, 0.010), (4340, 0.16, 0.006))
DISC: tuple[Tone, ...] = ((640, 0.50, 0.020), (1480, 0.50, 0.013), (2350, 0.30, 0.008), (3900, 0.10, 0.004))
BELL: tuple[Tone, ...] = ((1, 1.0, 0.34), (2, 0.38, 0.22), (3, 0.14, 0.14), (5.4, 0.05, 0.05))
"""Partials of a struck bar relative to the first."""


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE))


def ringing(tones: Iterable[Tone], seconds: float, attack: float = 0.0006) -> Samples:
    """Sum `tones`, faded in for `attack` seconds to avoid a click."""
    made = silence(seconds)
    time: Samples = np.arange(len(made)) / RATE
    for frequency, loudness, fading in tones:
        made += loudness * np.sin(2 * np.pi * frequency * time) * np.exp(-time / fading)
    made *= 1 - np.exp(-time / attack)
    return made


def knock(seed: int, seconds: float, fading: float) -> Samples:
    """Generate the dull noise of an impact, the same for a `seed` in every version of numpy."""
    noise = np.random.RandomState(seed).uniform(-1, 1, round(seconds * RATE))
    made: Samples = np.convolve(noise, np.hanning(9) / 4, "same")
    time = np.arange(len(made)) / RATE
    made *= np.exp(-time / fading) * (1 - np.exp(-time / 0.0003))
    return made


def note(frequency: float, seconds: float) -> Samples:
    tones = [(partial * frequency, loudness, fading) for partial, loudness, fading in BELL]
    return ringing(tones, seconds, attack=0.004)


def placed(seconds: float, *parts: tuple[float, float, Samples]) -> Samples:
    """Mix `parts` (start in seconds, amplitude, sound)."""
    made = silence(seconds)
    for begin, loudness, sound in parts:
        start = round(begin * RATE)
        end = min(len(made), start + len(sound))
        made[start:end] += loudness * sound[: end - start]
    return made


def stone() -> Samples:
    """A slate stone placed on a thick wooden board."""
    return placed(0.22, (0, 1, ringing(WOOD, 0.22)), (0, 0.9, ringing(STONE, 0.05)), (0, 0.5, knock(1, 0.02, 0.002)))


def bones() -> Samples:
    """Bones swept off a heap: four light, different clacks."""
    clacks = ((0.000, 0.70, 1.00), (0.052, 0.95, 1.12), (0.097, 0.55, 0.91), (0.158, 0.40, 1.24))
    parts = [
        (begin, loudness, ringing([(pitch * tone, loud, fading) for tone, loud, fading in BONE], 0.14))
        for begin, loudness, pitch in clacks
    ]
    return placed(0.32, *parts, *((begin, 0.3 * loudness, knock(7, 0.01, 0.002)) for begin, loudness, _ in clacks))


def disc() -> Samples:
    """A plastic disc that falls into a rack and bounces once, as it does on the screen."""
    fall = placed(0.20, (0, 1, ringing(DISC, 0.2)), (0, 0.4, knock(3, 0.02, 0.003)))
    return placed(0.40, (0.14, 1, fall), (0.26, 0.4, fall))


def win() -> Samples:
    """Three notes rising to the octave."""
    return placed(1.25, (0.08, 0.7, note(523.25, 1.1)), (0.20, 0.75, note(659.26, 1.0)), (0.32, 0.9, note(1046.5, 0.9)))


def loss() -> Samples:
    """Two soft falling notes."""
    return placed(1.15, (0.08, 0.8, note(329.63, 1.0)), (0.28, 0.9, note(246.94, 0.85)))


def draw() -> Samples:
    """One note twice."""
    return placed(0.95, (0.08, 0.7, note(440.0, 0.8)), (0.26, 0.8, note(440.0, 0.65)))


def low_time() -> Samples:
    """A soft tick."""
    return placed(0.07, (0, 1, ringing(((1320, 0.7, 0.010), (2640, 0.2, 0.005)), 0.07, attack=0.001)))


SOUNDS: dict[str, tuple[Callable[[], Samples], float]] = {
    "stone": (stone, 0.80),
    "bones": (bones, 0.62),
    "disc": (disc, 0.70),
    "win": (win, 0.50),
    "loss": (loss, 0.50),
    "draw": (draw, 0.45),
    "low_time": (low_time, 0.35),
}
"""The function and peak amplitude of each sound."""


def made(name: str) -> NDArray[np.int16]:
    """Render a sound: scaled to the peak of `SOUNDS`, and silent at both ends."""
    make, loudest = SOUNDS[name]
    samples = make()
    fade = min(len(samples) // 4, round(0.12 * RATE))
    samples[-fade:] *= np.linspace(1, 0, fade) ** 2
    samples *= loudest / np.abs(samples).max()
    return np.rint(samples * 32_767).astype("<i2")


def main() -> None:
    TARGET.mkdir(exist_ok=True)
    for name in SOUNDS:
        with wave.open(str(TARGET / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(made(name).tobytes())


if __name__ == "__main__":
    main()
