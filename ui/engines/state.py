"""The engines as their screen shows and changes them, without pixels. Each change is saved soon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ai.core.player import Stop, Transcript
from ai.pbrain.engines import (
    RULES,
    EngineCheck,
    ExternalEngine,
    about_names,
    clean_name,
    command_of,
    dumps,
    engines_path,
    examine,
    load,
    unused_name,
)
from games.formats.common import OnProgress
from ui.toolkit.i18n import t
from ui.window.host import Host, Job
from ui.words.file_words import refusal


class EnginesState:
    """The engines of the settings. `at` is the number of the shown one, None if there are none."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.engines = list(load())
        self.at: int | None = 0 if self.engines else None
        self._proposed: set[str] = set()  # the names that nobody has typed
        self.checks: Sequence[EngineCheck] = ()
        """What the last test of the engine that is shown has found."""
        self.transcript: Transcript | None = None
        """What was said in it."""

    @property
    def engine(self) -> ExternalEngine | None:
        """The shown engine; None if there are none."""
        return None if self.at is None else self.engines[self.at]

    def show(self, number: int) -> None:
        """Show the engine with this number; forget the last test if it is another one."""
        if number != self.at:
            self.at, self.checks, self.transcript = number, (), None

    def add(self, program: Path | None = None) -> None:
        """Add an engine, with the command that starts `program` or an empty one, show it and save. Nothing is
        started."""
        name = clean_name("" if program is None else program.stem) or t("engines.unnamed")
        engine = ExternalEngine(unused_name(name, self.engines), "" if program is None else command_of(program))
        self._proposed.add(engine.name)
        self.engines.append(engine)
        self.show(len(self.engines) - 1)
        self.save()

    def remove(self) -> None:
        """Remove the shown engine, and save."""
        if self.at is not None:
            del self.engines[self.at]
            self.at = min(self.at, len(self.engines) - 1) if self.engines else None
            self.checks, self.transcript = (), None
            self.save()

    def change(self, **values: Any) -> None:
        """Set fields of the shown engine, without saving."""
        if self.at is not None:
            self.engines[self.at] = replace(self.engines[self.at], **values)

    def rename(self, text: str, typed: bool = False) -> None:
        """Rename the shown engine, with a number if another one has that name; do nothing for an empty name. A name
        that a person has `typed` is not replaced by a test later."""
        if (name := clean_name(text)) and self.at is not None:
            if typed:
                self._proposed.discard(self.engines[self.at].name)
            others = [engine for number, engine in enumerate(self.engines) if number != self.at]
            self.change(name=unused_name(name, others))

    def set_program(self, program: Path) -> None:
        """Let the shown engine start another program, and save."""
        self.change(command=command_of(program))
        self.save()
        self._host.rebuild()

    def toggle_rule(self, rule: str) -> None:
        """Let the shown engine play by a rule, or no longer; its last rule stays."""
        if self.engine is not None:
            wanted = set(self.engine.rules) ^ {rule}
            self.change(rules=tuple(each for each in RULES if each in (wanted or {rule})))

    def save(self) -> None:
        """Write all engines to their file, on the thread that writes files."""
        self._host.files.write(engines_path(), dumps(tuple(self.engines)), self._written)

    def _written(self, error: OSError | None) -> None:
        """Report an error of `save`."""
        if error is not None:
            self._host.say(t("error.settings", reason=refusal(error)), "bad")

    # The test.

    def test(self) -> None:
        """Start a test of the shown engine."""
        if self.engine is not None:
            self._host.start_job(EngineTest(self._host, self.engine, self))

    def store_checks(self, engine: ExternalEngine, checks: Sequence[EngineCheck]) -> None:
        """Show the results of a test of `engine`. If nobody has typed a name for it, rename it as it calls itself. Do
        nothing if another one is shown: a program that is dropped meanwhile is added as an engine."""
        if engine != self.engine:
            return
        self.checks = checks
        about = next((check.text for check in checks if check.step == "about" and check.error is None), "")
        name, _ = about_names(about)
        if name and engine.name in self._proposed:
            self.rename(name)
            self.save()
        self._host.rebuild()


class EngineTest(Job[list[EngineCheck]]):
    """A job that tests an engine and passes the results to the `state`."""

    def __init__(self, host: Host, engine: ExternalEngine, state: EnginesState) -> None:
        self._end = Stop()
        player = engine.player()
        state.checks, state.transcript = (), player.transcript

        def work(on_progress: OnProgress) -> list[EngineCheck]:
            """Run all steps of the test."""
            checks = []
            for check in examine(player, engine.rules, self._end):
                checks.append(check)
                on_progress(len(checks) / (len(engine.rules) + 2))
            return checks

        title, stopped = t("engines.testing"), t("engines.test_stopped", name=engine.name)
        super().__init__(host, title, engine.name, stopped, work, partial(state.store_checks, engine))

    def stop(self) -> None:
        """Cancel the job and stop the engine."""
        super().stop()
        self._end.set()
