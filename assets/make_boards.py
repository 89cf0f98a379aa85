"""Renders what boards are made of: kaya wood, stones, bones and tables, as the pictures that the window scales.

Run it by hand (`python assets/make_boards.py`, which needs Pillow) after a change of it or of the palettes; the outputs
are committed. `ui/board/materials.py` loads them; lines, letters and marks are drawn by the boards themselves.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pygame
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ui.board.bones import table_colour
from ui.board.materials import BONE_ROOM, INSET, LEANS, RIM, ROUND, TABLE_ROUND
from ui.board.shapes import BLACK, WHITE, Field, box, cover, disc, haze, outline, plane, stack, surface
from ui.toolkit.theme import PALETTES, Palette, mix

TARGET = Path(__file__).resolve().parent / "boards"

# A larger picture costs more to scale down, a smaller one is soft where the window is large.
WOOD = 1300
STONE = 513
BONE = 400
TABLE = 1024

DARK_WOOD = np.array((206, 150, 84), np.float32)
LIGHT_WOOD = np.array((240, 200, 136), np.float32)
SHADES = 144  # of the 256 colours of a palette; the shadow has the rest
LIGHT = (-0.42, -0.58, 0.70)  # the direction that it comes from: right, down, up
IVORY = np.array((250, 242, 222), np.float32)
UMBER = np.array((140, 108, 70), np.float32)


# Kaya wood.


def kaya(side: int) -> Image.Image:
    """Draw a board of straight-grained wood and its soft shadow, in one palette: half the size of true colour."""
    inset = round(side * INSET)
    size = side - 2 * inset
    tone = grain(size)
    bevel(tone)
    x, y = plane(side, side)
    shadow = haze(box(x, y - inset * 0.3, size, size, side * ROUND), max(1.0, inset * 0.7), 0.5)
    alphas = 256 - SHADES
    index = SHADES + np.round(shadow / 0.5 * (alphas - 1)).astype(np.intp)
    low, high = np.quantile(tone, (0.0005, 0.9995))
    wood = np.round(np.clip((tone - low) / (high - low), 0, 1) * (SHADES - 1)).astype(np.intp)
    inside = box(*plane(size, size), size, size, side * ROUND) < 0
    index[inset:-inset, inset:-inset][inside] = wood[inside]
    shades = np.linspace(low, high, SHADES)[:, None]
    colours = np.concatenate((DARK_WOOD + (LIGHT_WOOD - DARK_WOOD) * shades, np.zeros((alphas, 3))))
    picture = Image.fromarray(index.T.astype(np.uint8), "P")
    picture.putpalette(np.clip(colours + 0.5, 0, 255).astype(np.uint8).tobytes())
    opacity = np.concatenate((np.full(SHADES, 255), np.linspace(0, 127, alphas)))
    picture.info["transparency"] = opacity.round().astype(np.uint8).tobytes()
    return picture


def grain(size: int) -> Field:
    """Return the lightness of a square of wood, mostly 0 … 1; the grain runs from left to right."""
    across = ((np.arange(size, dtype=np.float32) + 0.5) / size)[:, None]
    along = across.T
    bend = 0.016 * np.sin(2.9 * along + 0.6) + 0.0045 * np.sin(9.0 * along + 7.0 * across)
    rings = year_rings(4096)
    at = ((0.13 + 0.82 * across + bend) * np.float32(len(rings))).astype(np.intp) % len(rings)
    tone = 0.56 + 0.30 * rings[at] + 0.07 * fibres(size)
    return np.asarray(tone + 0.16 * (0.5 - 0.45 * across - 0.55 * along), np.float32)


def year_rings(size: int) -> Field:
    """Return a periodic profile across the grain, -1 … 1: broad bands, year rings, fine lines."""
    random = np.random.default_rng(361)
    places = np.arange(size) / size
    total = np.zeros(size)
    for rings, strength in ((9, 0.55), (31, 0.5), (83, 0.5), (190, 0.4), (420, 0.3)):
        knots = random.uniform(-1, 1, rings)
        total += strength * np.interp(places * rings, np.arange(rings + 1), np.append(knots, knots[0]))
    return np.asarray(total / np.abs(total).max(), np.float32)


def fibres(size: int) -> Field:
    """Short streaks along the grain, -1 … 1."""
    random = np.random.default_rng(19)
    streaks = random.uniform(-1, 1, (size, size // 20 + 3)).astype(np.float32)
    at = np.linspace(0, streaks.shape[1] - 2, size, dtype=np.float32)
    low = at.astype(np.intp)
    share = at - low
    return np.asarray(streaks[:, low] * (1 - share) + streaks[:, low + 1] * share, np.float32)


def bevel(tone: Field) -> None:
    """Lighten the two edges towards the light and darken the others."""
    width = max(1, round(tone.shape[0] * 0.0035))
    for step in range(width):
        share = 1 - step / width
        tone[step, :] += 0.22 * share
        tone[:, step] += 0.30 * share
        tone[-1 - step, :] -= 0.42 * share
        tone[:, -1 - step] -= 0.55 * share


# Stones of slate and shell.


def stone(side: int, size: int) -> pygame.Surface:
    """Draw the stone of a side, as wide as the picture of `size` (odd) pixels."""
    x, y = plane(size, size)
    radius = size / 2 - 0.5
    away = np.clip((disc(x, y, 0) / radius), 0, 1)
    high = np.sqrt(1.0001 - away * away)
    right, down, up = LIGHT
    lit = np.clip((x * right + y * down) / radius * 0.85 + high * up, 0, 1)
    shine = np.clip((x * right + y * down) / radius * 0.72 + high * up, 0, 1)
    return surface(slate(lit, shine) if side == 0 else shell(lit, away), cover(disc(x, y, radius)))


def slate(lit: Field, shine: Field) -> npt.NDArray[np.float32]:
    grey = 17 + 40 * lit**2.2 + 62 * (shine / 0.87) ** 24
    return np.stack((grey, grey * 1.005 + 0.5, grey * 1.03 + 2), axis=2)


def shell(lit: Field, away: Field) -> npt.NDArray[np.float32]:
    grey = 190 + 64 * lit**0.7 - 26 * np.clip(away - 0.80, 0, 1) / 0.2
    return np.stack((grey + 1, grey - 1, grey - 7), axis=2)


def shadow(size: int) -> pygame.Surface:
    """Draw the shadow of a stone of `size`, twice as wide, with the same centre."""
    wide = 2 * size + 1
    x, y = plane(wide, wide)
    near = haze(disc(x - size * 0.045, y - size * 0.085, size * 0.49), size * 0.075, 0.42)
    far = haze(disc(x - size * 0.08, y - size * 0.15, size * 0.46), size * 0.20, 0.20)
    return surface((38, 20, 4), 1 - (1 - near) * (1 - far))


# Bones: relief under a light. Each picture is a row of bones, one for each lean.


def bones(length: int) -> pygame.Surface:
    return row([bone(lean, length) for lean in LEANS])


def places(length: int) -> pygame.Surface:
    """Draw the white outlines of removed bones, to be tinted."""
    fields = [bone_field(lean, length) for lean in LEANS]
    return row([stack((WHITE, cover(field, 0.10)), (WHITE, outline(field, length * 0.016, 0.55))) for field in fields])


def glows(length: int) -> pygame.Surface:
    """Draw the white glow around bones about to be taken, to be tinted."""
    fields = [bone_field(lean, length) for lean in LEANS]
    return row(
        [
            stack(
                (WHITE, haze(field, length * 0.08, 0.8)),
                (WHITE, outline(field - length * 0.012, length * 0.032)),
            )
            for field in fields
        ]
    )


def row(pictures: list[pygame.Surface]) -> pygame.Surface:
    width, height = pictures[0].get_size()
    made = pygame.Surface((width * len(pictures), height), pygame.SRCALPHA)
    for index, picture in enumerate(pictures):
        made.blit(picture, (index * width, 0), special_flags=pygame.BLEND_RGBA_MAX)
    return made


def bone(lean: float, length: int) -> pygame.Surface:
    field = bone_field(lean, length)
    shade = relief(field, length)
    drop = (round(length * 0.018), round(length * 0.035))
    dark = haze(np.roll(field, drop, axis=(0, 1)), length * 0.035, 0.5)
    tint = np.clip(shade, 0, 1.0)[..., None]
    shine = np.clip(shade - 1, 0, 1)[..., None]
    return stack(((10, 8, 4), dark), (UMBER + (IVORY - UMBER) * tint + 40 * shine, cover(field)))


def bone_field(lean: float, length: int) -> Field:
    """Distance to a bone that stands on end and leans by `lean` degrees."""
    x, y = plane(round(length * BONE_ROOM[0]), round(length * BONE_ROOM[1]))
    turn = np.radians(lean)
    across = (x * np.cos(turn) + y * np.sin(turn)) / length
    along = (y * np.cos(turn) - x * np.sin(turn)) / length
    end = 0.5 - 0.105
    waist = 0.055 + 0.28 * np.clip(np.abs(along), 0, end) ** 2.6
    field = disc(across, along - np.clip(along, -end, end), 0) - waist
    for down in (-1, 1):
        for right, size in ((-0.080, 0.095), (0.080, 0.088 if down > 0 else 0.099)):
            knob = disc(across - right, along - down * (end + (0.095 - size)), size)
            field = smooth_union(field, knob, 0.035)
    return np.asarray(field * np.float32(length), np.float32)


def relief(field: Field, length: int) -> Field:
    """Return the light on each pixel of a bone; over 1 in highlights."""
    edge = length * 0.09
    depth = np.clip(-field / edge, 0, 1)
    high = smoothed(edge * np.sqrt(1.0001 - (1 - depth) ** 2), max(1, round(length * 0.014)))
    right, down = np.gradient(high)
    light = (0.42 * right + 0.52 * down + 0.74) / np.sqrt(1 + right * right + down * down)
    grain = 0.025 * np.sin(field / length * 210) * (1 - depth)
    shine = 0.9 * np.clip(light, 0, 1) ** 22
    return np.asarray(0.20 + 0.78 * np.clip(light, 0, 1) + grain + shine * 0.35, np.float32)


def smooth_union(first: Field, second: Field, soft: float) -> Field:
    """Return the union of two shapes with a rounded inner corner (the polynomial smooth minimum)."""
    share = np.clip(0.5 + 0.5 * (second - first) / soft, 0, 1)
    return np.asarray(second + (first - second) * share - soft * share * (1 - share), np.float32)


def smoothed(field: Field, reach: int) -> Field:
    """Smooth the creases of a field."""
    for step in (reach, reach, max(1, reach // 2)):
        for axis in (0, 1):
            field = (np.roll(field, step, axis) + np.roll(field, -step, axis) + field) / 3
    return field


# Tables: what bones lie on, and what tic-tac-toe is drawn on.


def bones_table(palette: Palette, side: int) -> pygame.Surface:
    """Draw a table lit from above its middle."""
    colour = table_colour(palette)
    x, y = plane(side, side)
    light = np.clip(-disc(x, y + side * 0.08, side * 0.75) / (side * 0.75), 0, 1)
    colours = mix(colour, BLACK, 0.06), mix(colour, WHITE, 0.06), mix(palette.line, BLACK, 0.08)
    return table(side, colours, light)


def tictactoe_table(palette: Palette, side: int) -> pygame.Surface:
    colours = mix(palette.raised, WHITE, 0.04), mix(palette.raised, BLACK, 0.04), palette.line
    _, y = plane(side, side)
    return table(side, colours, np.broadcast_to(y / side + 0.5, (side, side)))


def table(side: int, colours: tuple[tuple[int, int, int], ...], share: Field) -> pygame.Surface:
    """Draw a round-cornered square with its shadow: the first of `colours`, `share` of the second over it, and a
    rim."""
    inset = round(side * INSET)
    size = side - 2 * inset
    x, y = plane(side, side)
    field = box(x, y, size, size, side * TABLE_ROUND)
    first, second, rim = colours
    return stack(
        (BLACK, haze(box(x, y - inset * 0.3, size, size, side * TABLE_ROUND), max(1.0, inset * 0.7), 0.42)),
        (first, cover(field)),
        (second, cover(field) * share),
        (rim, outline(field + 0.5, side * RIM)),
    )


def image(picture: pygame.Surface) -> Image.Image:
    return Image.frombytes("RGBA", picture.get_size(), pygame.image.tobytes(picture, "RGBA"))


def main() -> None:
    pictures = {
        "black": stone(0, STONE),
        "white": stone(1, STONE),
        "shadow": shadow(STONE // 2 | 1),
        "bones": bones(BONE),
        "places": places(BONE // 2),
        "glows": glows(BONE // 2),
    }
    for key, palette in PALETTES.items():
        pictures[f"bones_{key}"] = bones_table(palette, TABLE)
        pictures[f"tictactoe_{key}"] = tictactoe_table(palette, TABLE)
    TARGET.mkdir(exist_ok=True)
    kaya(WOOD).save(TARGET / "kaya.png", optimize=True)
    for name, picture in pictures.items():
        image(picture).save(TARGET / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
