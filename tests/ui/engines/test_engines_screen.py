"""The screen of the engines: added, changed, tested, removed, and kept."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pygame
import pytest

from ai.pbrain.engines import (
    GRACE_SECONDS,
    MEMORY_MB,
    START_SECONDS,
    THREADS,
    EngineCheck,
    ExternalEngine,
    configured,
    dumps,
    engines_path,
)
from ai.pbrain.external import PROBLEMS, EngineError
from games.formats import tengen
from games.record import GameRecord
from games.registry import setup
from games.storage import write_atomic
from tests.ui.stage import Stage, choose_file, frame, part, push, show, until
from ui.app import App
from ui.engines.screen import EngineForm, EngineReport, EnginesScreen, check_sentence
from ui.engines.state import EnginesState, EngineTest
from ui.home.screen import Home
from ui.replay.screen import Replay
from ui.settings.screen import SettingsScreen
from ui.toolkit.i18n import set_language, t
from ui.toolkit.space import Space
from ui.words.games import failure_sentence, rule_name

BRAIN = '''#!{python}
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "ABOUT": print('name="Brain", version="1.2"')
    if word == "START": print("OK")
    if word == "DONE": print("0,0")
    if word == "END": break
    sys.stdout.flush()
'''


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    """A program that is an engine."""
    file = tmp_path / "my engines" / "pbrain-x"
    file.parent.mkdir()
    file.write_text(BRAIN.format(python=sys.executable))
    file.chmod(0o755)
    return file


def kept(app: App) -> tuple[ExternalEngine, ...]:
    app.scene.close()
    app.files.settle()
    return configured()


def drop(app: App, file: Path) -> None:
    app.dispatch(pygame.event.Event(pygame.DROPFILE, file=str(file)))
    frame(app, 2)


def test_the_settings_lead_to_the_engines_and_back(app: App) -> None:
    show(app, SettingsScreen(app))
    push(app, "engines")
    frame(app)
    assert isinstance(app.scene, EnginesScreen)
    push(app, "back")
    frame(app)
    assert isinstance(app.scene, SettingsScreen)


def test_a_command_is_added_typed_changed_and_kept(app: App) -> None:
    screen = show(app, EnginesScreen(app))
    push(app, "add_command")
    assert screen.widgets.focus == "command"
    assert not screen.widgets.buttons["test"].enabled
    screen.widgets.elements["command"].type_text("brain --fast ")
    frame(app)
    assert screen.widgets.buttons["test"].enabled
    line = screen.widgets.elements["name"]
    for name in ("x", line.text, "Strong"):
        line.select(0, len(line.text))
        line.type_text(name)
        screen.state.store_checks(screen.state.engine, [EngineCheck("about", text='name="Deep"')])
        assert screen.state.engines[0].name == name, "it was typed, even if it is as before"
    for button in ("icon.star", "rule.standard", "threads.more", "memory_mb.more", "start_seconds.less",
                   "grace_seconds.more"):  # fmt: skip
        push(app, button)
    engine = ExternalEngine("Strong", "brain --fast", "star", ("freestyle", "renju"), 2, 64, 10, 2)
    assert kept(app) == (engine,)
    push(app, "rule.freestyle", "rule.renju")
    assert screen.state.engine is not None
    assert screen.state.engine.rules == ("renju",), "one at least"


def test_what_is_typed_is_saved_after_a_pause(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    engines("a")
    form = part(show(app, EnginesScreen(app)), EngineForm)
    monkeypatch.setattr("ui.engines.screen.time", SimpleNamespace(monotonic=lambda: 100.0))
    assert form.wake(100.0) is None
    app.scene.widgets.elements["command"].type_text(" -x")
    assert (form.wake(100.0), form.wake(109.0)) == (pytest.approx(0.4), 0.0)
    for now, command in ((100.3, "run a"), (100.0 + 0.4, "run a -x")):
        form.update(now)
        app.files.settle()
        assert configured()[0].command == command


def test_a_program_is_chosen_in_the_dialog(app: App, brain: Path) -> None:
    screen = show(app, EnginesScreen(app))
    push(app, "add_file")
    choose_file(app, brain)
    push(app, "add_file")
    choose_file(app, brain)
    assert [engine.name for engine in kept(app)] == ["pbrain-x", "pbrain-x 2"]
    assert screen.state.at == 1
    push(app, "remove")
    assert app.overlay.danger
    app.overlay.widgets.press("accept")
    frame(app)
    assert [engine.name for engine in kept(app)] == ["pbrain-x"]


def test_a_program_that_is_dropped_on_any_screen_is_proposed_and_not_run(app: App, brain: Path, tmp_path: Path) -> None:
    brain.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'started'}'\n")
    show(app, Home(app))
    drop(app, brain)
    assert isinstance(app.scene, EnginesScreen)
    drop(app, brain)
    assert len(kept(app)) == 2
    assert [app.scene.take_file(file) for file in (brain, tmp_path / "game.sgf")] == [True, False]
    assert len(kept(app)) == 3
    game = tmp_path / "game.tengen.json"
    game.write_bytes(tengen.dumps(GameRecord(setup("gomoku"))))
    game.chmod(0o755)
    drop(app, game)
    until(app, lambda: isinstance(app.scene, Replay))
    assert not (tmp_path / "started").exists()


@pytest.mark.slow
def test_a_test_tells_who_it_is_what_it_plays_and_how_it_stops(app: App, brain: Path) -> None:
    screen = show(app, EnginesScreen(app, program=brain))
    push(app, "rule.standard", "rule.renju", "test")
    until(app, lambda: screen.state.checks)
    assert [check.step for check in screen.state.checks] == ["about", "move", "stop"]
    about, move, stop = (check_sentence(check, "x") for check in screen.state.checks)
    assert about == "It is Brain 1.2"
    assert move.startswith("Freestyle: it plays a15 after ")
    assert stop.startswith("It stops within ")
    assert screen.state.engine is not None
    assert screen.state.engine.name == "Brain", "nobody had named it"
    assert screen.state.transcript is not None
    said = {(line.kind, line.text) for line in screen.state.transcript.last()}
    assert {("sent", "ABOUT"), ("heard", "0,0"), ("sent", "BOARD")} <= said
    assert kept(app)[0].name == "Brain"


def test_a_program_that_is_not_there_fails_the_test_with_a_sentence(app: App) -> None:
    write_atomic(engines_path(), dumps((ExternalEngine("Gone", "/no/such/brain"),)))
    screen = show(app, EnginesScreen(app))
    push(app, "test")
    until(app, lambda: screen.state.checks)
    (check,) = screen.state.checks
    assert check_sentence(check, "Gone") == "“Gone” cannot be started: there is no program “/no/such/brain”."


def test_every_problem_has_a_sentence_in_both_languages(stage: object) -> None:
    for language in ("en", "zh"):
        set_language(language)
        for problem in PROBLEMS:
            sentence = failure_sentence(EngineError("x", problem, "renju" if problem == "rule" else "why"), "Rapfi")
            assert "Rapfi" in sentence
            assert "engine." not in sentence


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_longest_texts_fit(stage: object, language: str) -> None:
    made: Stage = stage((960, 640), language=language)  # type: ignore[operator]
    write_atomic(engines_path(), dumps((ExternalEngine(40 * "W", "brain", threads=128, memory_mb=8192),)))
    made.show(EnginesScreen(made.app))
    made.frame(2)
    assert [cut for cut in made.cuts if cut.text != 40 * "W"] == []


def engines(*names: str) -> None:
    write_atomic(engines_path(), dumps(tuple(ExternalEngine(name, f"run {name}") for name in names)))


def test_the_shown_engine_is_chosen_renamed_and_removed(app: App) -> None:
    state = EnginesState(app)
    assert (state.at, state.engine) == (None, None)
    for act in (state.remove, state.test, lambda: state.rename("x"), lambda: state.toggle_rule("renju")):
        act()
    state.change(threads=2)
    assert state.engines == []
    engines("a", "b", "c")
    state = EnginesState(app)
    check = EngineCheck("stop")
    state.checks = (check,)
    state.show(0)
    assert state.checks == (check,), "the same one"
    state.show(2)
    assert (state.checks, state.engine) == ((), ExternalEngine("c", "run c"))
    state.rename("b")
    state.rename(" ")
    assert [each.name for each in state.engines] == ["a", "b", "b 2"]
    state.rename("b 2")
    assert [each.name for each in state.engines] == ["a", "b", "b 2"], "its own name is free"
    state.checks = (check,)
    state.remove()
    assert (state.at, [each.name for each in state.engines], state.checks) == (1, ["a", "b"], ())
    state.show(0)
    state.remove()
    assert (state.at, [each.name for each in state.engines]) == (0, ["b"])
    state.remove()
    assert (state.at, state.engines) == (None, [])


def test_a_test_names_an_engine_that_nobody_has_named(app: App) -> None:
    state = EnginesState(app)
    state.add()
    state.add(Path("/games/brain.exe"))
    assert [each.name for each in state.engines][1] == "brain"
    assert (state.at, state.engines[0].command) == (1, "")
    bad = EngineCheck("about", text='name="Bad"', error=EngineError("x", "slow"))
    about = EngineCheck("about", text='name="Deep", version="2"')
    for checks, name in (((bad,), "brain"), ((EngineCheck("move", text='name="No"'),), "brain"), ((about,), "Deep")):
        state.store_checks(state.engines[1], checks)
        assert (state.checks, state.engines[1].name) == (checks, name)
    state.show(0)
    state.rename("Mine", typed=True)
    state.store_checks(state.engines[0], (about,))
    assert [each.name for each in state.engines] == ["Mine", "Deep"]


def test_a_program_that_is_dropped_does_not_take_over_the_test_of_another_engine(
    app: App, brain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped, about = Event(), EngineCheck("about", text='name="Deep"')
    monkeypatch.setattr("ui.engines.state.examine", lambda *_: [about] if dropped.wait(60) else [])
    screen = show(app, EnginesScreen(app, program=brain))
    push(app, "test")
    other = tmp_path / "beta"
    other.write_bytes(brain.read_bytes())
    other.chmod(0o755)
    drop(app, other)
    dropped.set()
    until(app, lambda: not app.jobs.busy)
    assert ([each.name for each in screen.state.engines], screen.state.checks) == (["pbrain-x", "beta"], ())


def test_a_test_of_an_engine_tells_how_far_it_is(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    checks, shares = [EngineCheck(step) for step in ("about", "move", "move", "stop")], list[float]()
    monkeypatch.setattr("ui.engines.state.examine", lambda *_: iter(checks))
    engine = ExternalEngine("a", "run", rules=("freestyle", "renju"))
    assert EngineTest(app, engine, EnginesState(app)).work(shares.append) == checks
    assert shares == [0.25, 0.5, 0.75, 1.0]


def test_the_report_takes_no_room_without_a_test(app: App) -> None:
    engines("a")
    screen = show(app, EnginesScreen(app))
    for checks, left in (((), 200), ((EngineCheck("about", text="x"),), 174)):
        screen.state.checks, space = checks, Space(pygame.Rect(0, 0, 300, 200), 6)
        part(screen, EngineReport).build(space)
        assert space.rest.height == left


VALUES = {"threads": THREADS, "memory_mb": MEMORY_MB, "start_seconds": START_SECONDS, "grace_seconds": GRACE_SECONDS}


def test_steppers_of_an_engine_end_with_the_values(app: App) -> None:
    engines("a")
    screen = show(app, EnginesScreen(app))

    def shown() -> list[tuple[str, int, bool, bool]]:
        frame(app)
        buttons, engine = screen.widgets.buttons, screen.state.engine
        return [
            (name, getattr(engine, name), buttons[f"{name}.less"].enabled, buttons[f"{name}.more"].enabled)
            for name in VALUES
        ]

    for name, values in VALUES.items():
        for value, less, more in ((values[0], False, True), (values[-1], True, False), (values[1], True, True)):
            screen.state.change(**{name: value})
            app.rebuild()
            assert (name, value, less, more) in shown()
    tips = {name: screen.widgets.buttons[name].tip for name in ("threads.less", "threads.more", "start_seconds.more")}
    assert list(tips.values()) == [t("tip.less"), t("tip.more"), t("engines.start_tip")]
    assert screen.widgets.buttons["icon.star"].tip == t("engines.icon_tip", number=2)


SLOW, ENDED = EngineError("", "slow"), EngineError("", "ended", "why")


@pytest.mark.parametrize(
    ("check", "says"),
    [
        (EngineCheck("about", text="x"), t("engines.check.about", name="A")),
        (EngineCheck("about", error=SLOW), failure_sentence(SLOW, "A")),
        (EngineCheck("stop", "renju", error=SLOW), t("engines.check.endless")),
        (EngineCheck("stop", "renju", error=ENDED), failure_sentence(ENDED, "A")),
        (EngineCheck("move", "renju", error=SLOW),
         t("engines.check.failed", rule=rule_name("renju"), reason=failure_sentence(SLOW, "A"))),
    ],
)  # fmt: skip
def test_the_sentence_of_a_step(check: EngineCheck, says: str, app: App) -> None:
    assert check_sentence(check, "A") == says
