"""Files of weights, and conversions between the kernels' numbers and those of the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ai.core.score import Score
from ai.gomoku.kernels import layout
from ai.gomoku.tables import FITTED, cell_of, load_weights, move_of, to_score, weights_of


def changed(folder: Path, **changes: Any) -> str:
    """A file with these arrays of the first rule, as black's and for no other rule; None leaves one out."""
    with np.load(FITTED) as fitted:
        arrays = {name: fitted[name] for name in fitted.files if name.startswith("0/0/")}
    arrays |= {f"0/0/{name}": array for name, array in changes.items()}
    np.savez(folder / "weights.npz", **{name: array for name, array in arrays.items() if array is not None})
    return str(folder / "weights.npz")


def test_colours_share_weights_that_are_for_one_colour(tmp_path: Path) -> None:
    black, white = weights_of(0, changed(tmp_path))
    assert black is white
    assert np.array_equal(black.moving, weights_of(0)[0].moving)
    first, second = weights_of(2)
    assert not np.array_equal(first.moving, second.moving)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"tempo": None}, "it is damaged"),
        ({"tempo": np.zeros(2)}, "it is damaged"),
        ({"tempo": np.array([np.nan])}, "it is damaged"),
        ({"tempo": np.array([1j])}, "it is damaged"),
        ({"tempo": np.array(["1"])}, "it is damaged"),
    ],
)
def test_weights_that_do_not_fit_are_refused(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=f"cannot be read: {why}"):
        load_weights(changed(tmp_path, **changes))


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        load_weights(str(tmp_path / "none.npz"))
    with pytest.raises(ValueError, match="not for this rule"):
        weights_of(1, changed(tmp_path))


@pytest.mark.parametrize("size", [5, 15, 20])
def test_cells_are_moves_on_a_padded_board(size: int) -> None:
    assert cell_of(0, size) == 5 * 32 + 5
    assert cell_of(size + 2, size) == 6 * 32 + 7
    assert [move_of(cell_of(move, size), size) for move in range(size * size)] == list(range(size * size))


def test_scores_of_the_kernels_are_scores() -> None:
    assert to_score(layout.WIN - 3) == Score.win_in(3)
    assert to_score(4 - layout.WIN) == Score.loss_in(4)
    unproven = [0, 57, layout.PROVEN, -layout.PROVEN]
    assert [to_score(score) for score in unproven] == unproven
