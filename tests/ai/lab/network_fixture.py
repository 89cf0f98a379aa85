"""Make tests/data/network/fixture.npz and local.npz: small networks in JAX with random weights, and their answers.

    PYTHONPATH=. python tests/ai/lab/network_fixture.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

FIXTURE = Path(__file__).parents[2] / "data" / "network" / "fixture.npz"
LOCAL = FIXTURE.with_name("local.npz")


def answers(local: bool = False) -> dict[str, Any]:
    """Return the weights of a network, some boards, and its logits and values."""
    import jax
    import numpy as np

    from ai.lab.network.selfplay import Shape, apply, arrays, new_params

    shape = Shape(5, 6, 30, 4, 1, local=True) if local else Shape(6, 7, 7, 8, 2)
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
    np.savez_compressed(LOCAL, **answers(local=True))
