"""What a target of the fuzzer is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.fuzz.mutation import Mutation


@dataclass(frozen=True)
class Target:
    """`use` reads an input and does with it what the program would; it may raise `errors` only. Of a hundred inputs,
    about `share` are for this target. `seconds` of processor time are enough for an input of 50 kB."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    mutations: tuple[Mutation, ...]
    use: Callable[[bytes], object]
    errors: tuple[type[Exception], ...]
    share: float
    seconds: float = 2.0
