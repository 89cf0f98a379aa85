"""Make tests/data/network/fixture.npz: a small network in JAX with random weights, and what it answers.

    PYTHONPATH=. python tests/ai/lab/network_fixture.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

FIXTURE = Path(__file__).parents[2] / "data" / "network" / "fixture.npz"


def answers() -> dict[str, Any]:
    """Return the weights of a network, some boards, and its logits and values."""
    import jax
    import numpy as np

    from ai.lab.network.model import Shape, apply, arrays, new_params

    shape = Shape(6, 7, 7, 8, 2)
    params = new_params(shape, jax.random.key(1))
    for number, name in enumerate(sorted(params)):  # biases and second convolutions are zeros
        params[name] = params[name] + 0.1 * jax.random.normal(jax.random.key(number), params[name].shape)
    params = {name: values.astype("float16").astype("float32") for name, values in params.items()}
    owners = jax.random.randint(jax.random.key(2), (16, shape.height, shape.width), 0, 3)
    planes = np.stack([np.asarray(owners == side) for side in (1, 2)], axis=-1)
    logits, values = apply(params, planes)
    found = {"planes": planes, "logits": np.asarray(logits), "values": np.asarray(values)}
    return found | {"shape": np.array(shape[:3]), **arrays(params)}


if __name__ == "__main__":
    import numpy as np

    FIXTURE.parent.mkdir(exist_ok=True)
    np.savez_compressed(FIXTURE, **answers())
