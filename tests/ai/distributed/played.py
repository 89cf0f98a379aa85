"""A team without threads or processes."""

from __future__ import annotations

from collections.abc import Mapping
from queue import SimpleQueue

from ai.distributed.dispatcher import Answer, Found, Runner, Task, Team


class Played(Team):
    """Workers that answer at once, one after the other, as the subclass has it; the clock is set by hand."""

    def __init__(self, *names: str) -> None:
        self.names, self.clock = dict.fromkeys(names, 1), 0.0
        self.sent: list[tuple[str, Task]] = []
        self._runner = Runner()
        self._answers: SimpleQueue[Answer] = SimpleQueue()

    def members(self) -> Mapping[str, int]:
        return self.names

    def send(self, member: str, number: int, task: Task) -> None:
        self.sent.append((member, task))
        if self.answers(member):
            self._answers.put(Answer(number, member, self.found(task)))

    def answers(self, member: str) -> bool:
        return True

    def found(self, task: Task) -> Found | None:
        return self._runner.run(task)

    def next(self, timeout: float) -> Answer | None:
        if not self._answers.empty():
            return self._answers.get()
        self.clock += timeout
        return None

    def halt(self, search: str) -> None:
        self._runner.halt(search)

    def now(self) -> float:
        return self.clock
