"""When garbage is collected."""

from __future__ import annotations

import gc
from contextlib import ExitStack

from ai.system.threads import frozen, suspend


def test_while_modules_are_imported_only_young_objects_are_collected_and_all_are_exempt_afterwards() -> None:
    usual, exempt = gc.get_threshold(), gc.get_freeze_count()
    generations: list[int] = []
    gc.callbacks.append(count := lambda phase, facts: generations.append(facts["generation"]))
    try:
        with frozen():
            kept = [[number] for number in range(200_000)]
    finally:
        gc.callbacks.remove(count)
    assert len(generations) > 10
    assert set(generations) == {0}
    assert gc.get_freeze_count() >= exempt + len(kept)
    assert gc.get_threshold() == usual


def test_those_who_begin_and_end_in_any_order_leave_collections_as_they_were() -> None:
    """Two engines that were loaded at once left the thresholds of the import behind."""
    usual, one, other = gc.get_threshold(), ExitStack(), ExitStack()
    one.enter_context(frozen())
    other.enter_context(frozen())
    resume = suspend()
    one.close()
    assert gc.get_threshold() != usual
    other.close()
    assert gc.get_threshold()[:2] == usual[:2]
    assert gc.get_threshold()[2] > 1_000_000
    resume()
    assert gc.get_threshold() == usual
