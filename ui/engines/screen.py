"""The screen of the external engines that a person adds: a list, the settings of one, its test, and the dialogue with
it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pygame

from ai.pbrain.engines import (
    GRACE_SECONDS,
    ICONS,
    LONGEST_COMMAND,
    LONGEST_NAME,
    MEMORY_MB,
    RULES,
    START_SECONDS,
    THREADS,
    EngineCheck,
    about_names,
    is_program,
)
from games.formats import EXTENSIONS
from ui.engines.state import EnginesState
from ui.parts.engine_log import EngineLog
from ui.parts.header import Page
from ui.toolkit.controls import ListRow, ListView
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import t
from ui.toolkit.space import Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Group, Part
from ui.window.screen import Screen
from ui.words.games import failure_sentence, rule_name

GAP, WIDEST, HIGHEST = 6, 1080, 860
"""Design pixels: between two rows, and of the page at most."""

_ROW, _LABEL, _LIST, _LINE = 36, 112, 248, 20  # design pixels
_PAUSE = 0.4  # seconds without a change after which what is typed is saved


class EngineList(Part):
    """The list of engines, and below it the buttons that add one."""

    def __init__(self, host: Host, widgets: Widgets, state: EnginesState) -> None:
        self._host, self._widgets, self._state = host, widgets, state

    def shape(self) -> object:
        """What the layout depends on: names and icons of the engines, and which of them is shown."""
        return [(engine.name, engine.icon) for engine in self._state.engines], self._state.at

    def build(self, space: Space) -> None:
        """Build the list of engines, and below it buttons to add one as a program or as a command."""
        px, state, button = self._host.theme.px, self._state, self._widgets.button
        foot = space.bottom(px(_ROW))
        file = space.bottom(px(_ROW))
        button("add_file", file, t("engines.add_file"), self._choose_program, icon="open", tip=t("engines.add_tip"))
        button("add_command", foot, t("engines.add_command"), self._add, icon="plus", tip=t("engines.add_command_tip"))
        rows = [ListRow(engine.name, "", engine.icon) for engine in state.engines]
        shown = self._widgets.add("engines", ListView(self._host.theme, space.rest, rows, state.show, state.show))
        shown.at, shown.empty = state.at, t("engines.none")

    def _choose_program(self) -> None:
        """Ask for the program of a new engine, and add it."""
        self._host.choose_file(Path.home(), self._state.add, kinds=("",), title=t("engines.add_file"))

    def _add(self) -> None:
        """Add an engine without a command, and put the keyboard into the field of its command."""
        self._state.add()
        self._widgets.focus = "command"


class EngineForm(Part):
    """The settings of the shown engine, and buttons to test and to remove it."""

    def __init__(self, host: Host, widgets: Widgets, state: EnginesState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._save_at: float | None = None

    def shape(self) -> object:
        """What the layout depends on: which engine is shown, its settings that are not typed, and whether it has a
        command. None if there is no engine."""
        engine = self._state.engine
        if engine is None:
            return None
        told = engine.icon, engine.rules, engine.threads, engine.memory_mb, engine.start_seconds, engine.grace_seconds
        return self._state.at, told, bool(engine.command.strip())

    # Layout.

    def build(self, space: Space) -> None:
        """Build a row for each setting of the shown engine, and the buttons to test and to remove it; without an engine
        only a text about engines."""
        engine = self._state.engine
        if engine is None:
            self._widgets.paragraph(space.rest, t("engines.about"))
            return
        theme, px, add = self._host.theme, self._host.theme.px, self._widgets.add
        add("name", TextLine(theme, self._add_row(space, "name"), engine.name, LONGEST_NAME, self._rename))
        row = Space(self._add_row(space, "command"), px(8))
        browse = row.right(px(_ROW))
        self._widgets.button("program", browse, "", self._choose_program, icon="open", tip=t("engines.program_tip"))
        hint = t("engines.command.hint")
        line = add("command", TextLine(theme, row.rest, engine.command, LONGEST_COMMAND, self._set_command, hint=hint))
        line.tip = t("engines.command.about")
        self._build_icons(self._add_row(space, "icon"))
        self._build_rules(self._add_row(space, "rules"))
        left, right = columns(self._add_row(space, "threads"), 2, px(8))
        memory = t("engines.memory", count=engine.memory_mb) if engine.memory_mb else t("engines.memory.free")
        self._add_stepper("threads", left, t("cluster.threads", count=engine.threads), engine.threads, THREADS)
        self._add_stepper("memory_mb", right, memory, engine.memory_mb, MEMORY_MB)
        left, right = columns(self._add_row(space, "times"), 2, px(8))
        start, grace = t("engines.start", count=engine.start_seconds), t("engines.grace", count=engine.grace_seconds)
        self._add_stepper("start_seconds", left, start, engine.start_seconds, START_SECONDS, t("engines.start_tip"))
        self._add_stepper("grace_seconds", right, grace, engine.grace_seconds, GRACE_SECONDS, t("engines.grace_tip"))
        self._build_buttons(space.top(px(_ROW)), bool(engine.command.strip()))

    def _add_row(self, space: Space, name: str) -> pygame.Rect:
        """Add a row with the label of the field `name`. Return the space right of it."""
        px = self._host.theme.px
        row = Space(space.top(px(_ROW)), px(8))
        self._widgets.label(row.left(px(_LABEL)), t(f"engines.{name}"))
        return row.rest

    def _build_icons(self, place: pygame.Rect) -> None:
        """Make the choice of the engine's icon."""
        engine, row = self._state.engine, Space(place, self._host.theme.px(4))
        assert engine is not None
        for number, name in enumerate(ICONS, 1):
            set_icon, tip = partial(self._set, icon=name), t("engines.icon_tip", number=number)
            rect, chosen = row.left(place.height), name == engine.icon
            self._widgets.button(f"icon.{name}", rect, "", set_icon, style="@choice", icon=name, tip=tip, chosen=chosen)

    def _build_rules(self, place: pygame.Rect) -> None:
        """Make the choice of the rules that the engine plays by."""
        engine = self._state.engine
        assert engine is not None
        for rule, rect in zip(RULES, columns(place, len(RULES), self._host.theme.px(4)), strict=True):
            action, chosen, tip = partial(self._toggle_rule, rule), rule in engine.rules, t("engines.rules_tip")
            button = self._widgets.button
            button(f"rule.{rule}", rect, rule_name(rule), action, style="@choice", tip=tip, chosen=chosen)

    def _add_stepper(
        self, name: str, place: pygame.Rect, text: str, value: int, values: Sequence[int], tip: str = ""
    ) -> None:
        """Add `text` between buttons that set the field `name` to the values before and after `value` in `values`."""
        px, row, at = self._host.theme.px, Space(place, self._host.theme.px(4)), values.index(value)
        for side, icon, to in ((row.left, "minus", at - 1), (row.right, "plus", at + 1)):
            known, word = 0 <= to < len(values), "less" if icon == "minus" else "more"
            action = partial(self._set, **{name: values[to] if known else value})
            rect, said = side(px(_ROW)), tip or t(f"tip.{word}")
            self._widgets.button(f"{name}.{word}", rect, "", action, icon=icon, tip=said, enabled=known)
        self._widgets.box(row.rest, self._host.theme.palette.raised)
        self._widgets.label(row.rest, text, align="centre")

    def _build_buttons(self, place: pygame.Rect, able: bool) -> None:
        """Make the buttons to test the engine, if it is `able` to be started, and to remove it."""
        row, px, button = Space(place, self._host.theme.px(8)), self._host.theme.px, self._widgets.button
        remove, tip = row.right(px(_ROW)), t("engines.test_tip")
        button("remove", remove, "", self._ask_remove, style="@icon", icon="trash", tip=t("engines.remove"))
        button("test", row.rest, t("engines.test"), self._test, style="@primary", tip=tip, enabled=able)

    # Changes.

    def _set(self, **values: object) -> None:
        """Set fields of the engine, and save it soon."""
        self._state.change(**values)
        self._save_soon()

    def _toggle_rule(self, rule: str) -> None:
        """Let the engine play by a rule, or no longer, and save it soon."""
        self._state.toggle_rule(rule)
        self._save_soon()

    def _rename(self, name: str) -> None:
        """Take a typed name for the engine, and save it soon."""
        self._state.rename(name, typed=True)
        self._save_soon()

    def _set_command(self, command: str) -> None:
        """Set the command that starts the engine, and save it soon."""
        self._set(command=command.strip())

    def _choose_program(self) -> None:
        """Ask for another program of the engine."""
        self._host.choose_file(Path.home(), self._state.set_program, kinds=("",), title=t("engines.program_tip"))

    def _ask_remove(self) -> None:
        """Ask whether to remove the engine, since that cannot be undone."""
        engine = self._state.engine
        if engine is not None:
            text, title = t("engines.remove_about", name=engine.name), t("engines.remove")
            self._host.overlay = Question(self._host, title, text, title, self._state.remove, danger=True)

    def _test(self) -> None:
        """Save the engine and start its test."""
        self.close()
        self._state.test()

    def _save_soon(self) -> None:
        """Save all engines after a pause in typing."""
        self._save_at = time.monotonic() + _PAUSE

    def update(self, now: float) -> None:
        """Save when the pause is over."""
        if self._save_at is not None and now >= self._save_at:
            self.close()

    def wake(self, now: float) -> float | None:
        """Return the seconds until what was typed is saved; None if all is saved."""
        return None if self._save_at is None else max(0.0, self._save_at - now)

    def close(self) -> None:
        """Save what has not been saved."""
        if self._save_at is not None:
            self._save_at = None
            self._state.save()


class EngineReport(Part):
    """The result of the last test, a line for each step."""

    def __init__(self, host: Host, widgets: Widgets, state: EnginesState) -> None:
        self._host, self._widgets, self._state = host, widgets, state

    def shape(self) -> object:
        """What the layout depends on: the steps of the test that are done, and the name of the engine."""
        return tuple(self._state.checks), None if self._state.engine is None else self._state.engine.name

    def build(self, space: Space) -> None:
        """Write a sentence for each step of the test, one that failed in the colour of errors. Without a test, take no
        room."""
        theme, engine = self._host.theme, self._state.engine
        if engine is None or not self._state.checks:
            return
        card = Space(space.rest)
        for check in self._state.checks:
            colour = theme.palette.text if check.error is None else theme.palette.bad
            for line in wrapped(theme, check_sentence(check, engine.name), space.rest.width, 14):
                self._widgets.label(card.top(theme.px(_LINE)), line, 14, colour)
        space.top(card.rest.top - space.rest.top)


def check_sentence(check: EngineCheck, name: str) -> str:
    """Return a sentence on the result of a step of a test of the engine called `name`."""
    if check.error is not None:
        if check.step == "stop" and check.error.problem == "slow":
            return t("engines.check.endless")
        reason = failure_sentence(check.error, name)
        return t("engines.check.failed", rule=rule_name(check.rule), reason=reason) if check.step == "move" else reason
    if check.step == "about":
        known, version = about_names(check.text)
        return t("engines.check.about", name=f"{known or name} {version}".strip())
    seconds = f"{check.seconds:.1f}"
    return t(f"engines.check.{check.step}", rule=rule_name(check.rule), move=check.text, seconds=seconds)


class EnginesBody(Group):
    """The list at the left; the form, the report of the test and the log at the right."""

    def __init__(self, host: Host, widgets: Widgets, state: EnginesState) -> None:
        self._host = host
        self._list, self._form = EngineList(host, widgets, state), EngineForm(host, widgets, state)
        self._report = EngineReport(host, widgets, state)
        self._log = EngineLog(host, lambda: state.transcript)
        super().__init__((self._list, self._form, self._report, self._log))

    def build(self, space: Space) -> None:
        """Lay out the list in a column at the left, and form, report and log below each other at the right of it."""
        px = self._host.theme.px
        both = Space(space.rest, px(24))
        self._list.build(Space(both.left(px(_LIST)), px(GAP)))
        right = Space(both.rest, px(GAP))
        for part in (self._form, self._report, self._log):
            part.build(right)

    def status(self) -> str:
        """Return the same text always: what the page is for."""
        return t("engines.status")


class EnginesScreen(Screen):
    """The screen of the external engines. With a `program`, that is added as an engine; only a test starts it."""

    name = "engines"
    guide = "settings"
    panel = False

    def __init__(self, host: Host, back: Content | None = None, program: Path | None = None) -> None:
        super().__init__(host, back)
        self.state = EnginesState(host)
        self._page = Page(host, self.widgets, "engines.title", WIDEST, lambda: HIGHEST, GAP, self.go_back)
        self._body = EnginesBody(host, self.widgets, self.state)
        self.parts = [self._page, self._body]
        if program is not None:
            self.state.add(program)

    def build(self, space: Space) -> None:
        """Lay out the page, with head and frame, and in it the body."""
        self._page.build(space)
        self._body.build(self._page.inside)

    def take_file(self, path: Path) -> bool:
        """Add a dropped program as an engine. Return False for a game, to have it opened, and for any other file."""
        if path.name.lower().endswith(EXTENSIONS) or not is_program(path):
            return False
        self.state.add(path)
        return True
