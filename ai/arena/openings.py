"""The openings of a match."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from ai.openings import BadOpenings, read_openings
from ai.registry import opponents
from games.formats.common import FormatError
from games.formats.text import parse
from games.registry import Setup


def openings(setup: Setup, file: Path | None, seed: int | None) -> list[str]:
    """Return openings for `setup` in an order that depends on `seed`: those of `file`, or else our own.

    Raise `BadOpenings` if `file` has none, or an illegal one.
    """
    if file is not None:
        texts = read_openings(file, setup.rule)
        _check(texts, setup, file)
    else:
        texts = list(opponents(setup.game).openings(setup, seed))
    random.Random(seed).shuffle(texts)
    return texts


def _check(texts: Sequence[str], setup: Setup, file: Path) -> None:
    if not texts:
        raise BadOpenings(f"“{file.name}” has no opening for the rule {setup.rule}.")
    for text in texts:
        try:
            over = parse(text, setup).outcome is not None
        except FormatError as error:
            raise BadOpenings(f"The opening “{text}” cannot be played: {error}") from error
        if over:
            raise BadOpenings(f"The opening “{text}” is a game that is over.")
