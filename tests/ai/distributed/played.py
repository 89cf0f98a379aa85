"""A crew without threads or processes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from ai.search.crews import Answer, Crew
from ai.search.workers import Found, Request, Runner, Window


class Played(Crew):
    """Workers that answer at once, one after the other, as the subclass has it; the clock is set by hand."""

    patience = 2.0

    def __init__(self, *names: str) -> None:
        self.names, self.clock = dict.fromkeys(names, 1), 0.0
        self.sent: list[tuple[str, Request]] = []
        self._runner = Runner()
        self._answers: list[Answer] = []

    def members(self) -> Mapping[str, int]:
        return self.names

    def send(self, worker: str, number: int, request: Request, window: Callable[[], Window]) -> None:
        self.sent.append((worker, request))
        if self.answers(worker):
            self._answers.append(Answer(number, worker, self.found(request)))

    def answers(self, worker: str) -> bool:
        return True

    def found(self, request: Request) -> Found | None:
        return self._runner.run(request)

    @property
    def left(self) -> int:
        """How many answers nobody has asked for."""
        return len(self._answers)

    def place(self, _count: int) -> int:
        """Which of so many answers comes next."""
        return 0

    def next(self, timeout: float) -> Answer | None:
        if self._answers:
            return self._answers.pop(self.place(len(self._answers)))
        self.clock += timeout
        return None

    def halt(self, search: str) -> None:
        self._runner.halt(search)

    def now(self) -> float:
        return self.clock


class Shuffled(Played):
    """Workers of which any may be the first to answer."""

    def __init__(self, count: int, seed: int = 1) -> None:
        super().__init__(*map(str, range(count)))
        self._dice = random.Random(seed)

    def place(self, count: int) -> int:
        return self._dice.randrange(count)
