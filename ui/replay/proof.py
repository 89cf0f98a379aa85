"""Prove this: whether the side to move wins by fours, or by threats, without a limit of time.

The proof goes into the tree of moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ai.core.player import Stop
from ai.players.opponents import opponents
from games.edits import Branch
from games.formats.common import OnProgress
from games.position import Position
from games.record import Node, path
from ui.parts.study import Study
from ui.toolkit.i18n import joined, t
from ui.window.host import Host, Job
from ui.window.jobs import Jobs
from ui.window.part import MenuEntry, Part
from ui.words.games import side_name
from ui.words.move_words import move_name
from ui.words.numbers import count_text

if TYPE_CHECKING:
    from ai.gomoku.threat_solver import Proof, ThreatSolver

_MOST_THREATS = 40  # more than in any proof that ends
_MOST_MOVES = 1_500
"""Of the attacker, in a tree that is shown whole."""


def branch(proof: Proof) -> Branch:
    """Return a proof as a tree of moves, the longest defence first."""
    defences = sorted(proof.defences, key=lambda defence: -defence[1].plies)
    return Branch(proof.move, tuple(Branch(reply, (branch(rest),)) for reply, rest in defences))


class ProofJob(Job["Proof | None"]):
    """Prove a win at `node`, by fours only or `by_threats`, one that begins with `first` unless it is None."""

    def __init__(
        self, host: Host, make: Callable[[], ThreatSolver], node: Node, by_threats: bool, first: int | None,
        then: Callable[[Proof | None], object],
    ) -> None:  # fmt: skip
        title = t("prove.title")
        super().__init__(host, title, title, t("prove.stopped"), partial(self._prove, node.position), then)
        self.node, self.by_threats = node, by_threats
        self.solver: ThreatSolver | None = None
        self._make, self._first, self._stop, self._began = make, first, Stop(), time.monotonic()

    def _prove(self, position: Position, _on_progress: OnProgress) -> Proof | None:
        self.solver = self._make()
        threats = _MOST_THREATS if self.by_threats else 0
        return self.solver.prove(position, threats, None, self._first, self._stop, _MOST_MOVES)

    def stop(self) -> None:
        self._stop.set()
        super().stop()

    @property
    def sentence(self) -> str:
        """How far it is."""
        nodes = 0 if self.solver is None else self.solver.nodes
        seconds = round(time.monotonic() - self._began)
        return t("prove.progress", nodes=count_text(nodes), seconds=seconds)


class ProveThis(Part):
    """Proofs of the position at the cursor, in the menu of the screen; at most one is under way."""

    def __init__(self, host: Host, state: Study) -> None:
        self._host, self._state = host, state
        self._jobs = Jobs(host, card=False)
        self._job: ProofJob | None = None

    @property
    def busy(self) -> bool:
        """Whether a proof is looked for."""
        return self._jobs.busy

    def entries(self) -> Sequence[MenuEntry]:
        record = self._state.record
        if opponents(record.setup.game).threat_solver is None:
            return ()
        if self.busy:
            return (MenuEntry("prove_stop", t("prove.stop"), self._cancel),)
        if record.outcome is not None:
            return ()
        found = [
            MenuEntry("prove_fours", t("prove.fours"), partial(self.prove, False)),
            MenuEntry("prove_threats", t("prove.threats"), partial(self.prove, True)),
        ]
        following = record.cursor.next
        if following is not None and following.move is not None:
            move = move_name(record.position, following.move)
            run = partial(self.prove, True, following.move)
            found.append(MenuEntry("prove_move", t("prove.move", move=move), run))
        return found

    def prove(self, by_threats: bool, first: int | None = None) -> None:
        """Look for a proof of the position at the cursor."""
        record = self._state.record
        make = opponents(record.setup.game).threat_solver
        if make is None or record.outcome is not None:
            return
        self._job = ProofJob(self._host, make, record.cursor, by_threats, first, self._take)
        self._jobs.start(self._job)

    def _take(self, proof: Proof | None) -> None:
        """Put what was found into the tree, and say so."""
        job, state = self._job, self._state
        if job is None or path(job.node)[0] is not state.record.root:  # the position was removed
            return
        by = "threats" if job.by_threats else "fours"
        if proof is None:
            known = job.solver is not None and job.solver.complete
            self._host.say(t(f"prove.none.{by}") if known else t("prove.unknown"))
            return
        side = side_name(state.record.setup.game, job.node.position.turn)
        outline = "" if proof.whole else t("prove.outline")
        comment = joined((t(f"prove.won.{by}", side=side, count=(proof.plies + 1) // 2), outline))
        state.go(job.node)
        state.edits.graft(branch(proof), comment)
        state.changed(t("prove.added"))

    def _cancel(self) -> None:
        self._jobs.cancel()

    # Time.

    def update(self, now: float) -> None:
        self._jobs.update()

    def wake(self, now: float) -> float | None:
        return 0.2 if self.busy else None

    def status(self) -> str:
        return self._job.sentence if self.busy and self._job is not None else ""

    def close(self) -> None:
        self._jobs.stop()
