"""Checkpoints of a training run: one file, replaced in one step, so that a kill at any time leaves a whole one."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import jax
import numpy as np

from ai.lab.network.replay import Samples
from games.storage import write_atomic

NAME = "checkpoint.npz"


def save(folder: Path, tree: Any, samples: Samples | None, progress: dict[str, float]) -> None:
    """Write a tree of arrays, the replay buffer and the counters."""
    contents: dict[str, Any] = {f"leaf/{n}": np.asarray(leaf) for n, leaf in enumerate(jax.tree.leaves(tree))}
    if samples is not None:
        packed = samples._replace(planes=np.packbits(samples.planes, axis=-1))
        contents |= {f"samples/{name}": array for name, array in packed._asdict().items()}
    contents["progress"] = np.array(json.dumps(progress))
    data = io.BytesIO()
    np.savez_compressed(data, **contents)
    write_atomic(folder / NAME, data.getvalue())


def load(folder: Path, like: Any) -> tuple[Any, Samples | None, dict[str, float]]:
    """Return what `save` wrote; the tree has the structure of `like`. Raise `ValueError` for another structure."""
    with np.load(folder / NAME) as data:
        leaves, structure = jax.tree.flatten(like)
        found = [data[f"leaf/{n}"] for n in range(sum(name.startswith("leaf/") for name in data.files))]
        if [leaf.shape for leaf in leaves] != [leaf.shape for leaf in found]:
            raise ValueError(f"The checkpoint in “{folder}” is of a network with another shape.")
        samples = None
        if "samples/values" in data:
            samples = Samples(*(data[f"samples/{name}"] for name in Samples._fields))
            samples = samples._replace(planes=np.unpackbits(samples.planes, axis=-1, count=2).astype(bool))
        return jax.tree.unflatten(structure, found), samples, json.loads(str(data["progress"]))
