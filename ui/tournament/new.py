"""The screen on which a tournament is set up: its entrants, its game and rule, and how many games they play."""

from __future__ import annotations

from functools import partial

from ai.arena.tournament import GAUNTLET, SYSTEMS
from ai.players.table import measured_elo, player_icon
from games.record import PERSON
from games.registry import GAMES
from ui import screens
from ui.parts.form import GAP, ROW, Form, game_choice
from ui.parts.header import Header
from ui.toolkit.controls import ListRow, ListView
from ui.toolkit.i18n import first_text, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import LINE
from ui.toolkit.widgets import Widgets
from ui.tournament.state import LONGEST_NAME, NewTournament, entrant_name, step_at_once
from ui.window.host import Content, Host
from ui.window.part import Part, lay
from ui.window.screen import Screen
from ui.words.games import rule_name, seat_label, size_name

_START, _HEADING = 44, 28  # design pixels


class EntrantLists(Form):
    """Two lists: at the left the players to choose from, at the right the entrants."""

    def __init__(self, host: Host, widgets: Widgets, state: NewTournament) -> None:
        super().__init__(host, widgets)
        self._state = state
        self._at: int | None = None  # of those offered
        self._offered: ListView | None = None
        self.bindings = (
            Binding(("insert",), self._add, "tournament.add"),
            Binding(("delete",), state.remove, "tournament.remove"),
        )

    def shape(self) -> object:
        """What the layout depends on: game and rule, the entrants with the chosen one, and the time for a move."""
        state = self._state
        return state.game, state.rule, tuple(state.entrants), state.chosen, state.seconds

    def build(self, space: Space) -> None:
        """Build both lists side by side in all the space."""
        left, right = columns(space.rest, 2, self.host.theme.px(24))
        self._build_offered(Space(left, self.host.theme.px(GAP)))
        self._build_entrants(Space(right, self.host.theme.px(GAP)))

    def _build_offered(self, space: Space) -> None:
        """Make the list of players to choose from, with their Elo, and the button that adds one."""
        px, state = self.host.theme.px, self._state
        self.widgets.label(space.top(px(_HEADING)), t("tournament.offered"), bold=True)
        place = space.bottom(px(BUTTON))
        self.widgets.button("add", place, t("tournament.add"), self._add, icon="plus", key="insert")
        rows = []
        for name in state.offered:
            known = None if name == PERSON else measured_elo(name, state.game)
            icon = "person" if name == PERSON else player_icon(name)
            label = t("seat.you") if name == PERSON else seat_label(state.game, name)
            rows.append(ListRow(label, f"{known.elo:.0f}" if known else "", icon))
        listed = ListView(self.host.theme, space.rest, rows, self._set_cursor, self._add_row)
        listed.label = t("tournament.offered")
        if self._at is not None:
            listed.step_to(self._at)
        self._offered = self.widgets.add("offered", listed)

    def _build_entrants(self, space: Space) -> None:
        """Make the list of entrants, with buttons that change the time of the chosen one, move it to the top, and
        remove it."""
        px, state, button = self.host.theme.px, self._state, self.widgets.button
        text = t("tournament.entrants", count=len(state.entrants))
        self.widgets.label(space.top(px(_HEADING)), text, bold=True)
        foot = Space(space.bottom(px(BUTTON)), px(GAP))
        remove, lead = foot.right(px(BUTTON)), foot.right(px(BUTTON))
        there = state.chosen is not None
        tip = t("tournament.remove")
        button("remove", remove, "", state.remove, icon="close", tip=tip, key="delete", enabled=there)
        button("lead", lead, "", state.lead, icon="star", tip=t("tournament.lead"), enabled=bool(state.chosen))
        chosen = state.chosen
        seconds = state.entrants[chosen].seconds if chosen is not None and state.timed(chosen) else state.seconds
        self.stepper("seconds", foot.rest, t("clock.seconds", count=f"{seconds:g}"), state.step_seconds, BUTTON)
        made, rows = state.tournament, []
        for number, entrant in enumerate(state.entrants):
            icon = "person" if entrant.player == PERSON else player_icon(entrant.player)
            note = t("clock.seconds", count=f"{entrant.seconds:g}") if state.timed(number) else ""
            label = entrant_name(made, number) if entrant.player == PERSON else seat_label(state.game, entrant.player)
            rows.append(ListRow(label, note, icon))
        listed = ListView(self.host.theme, space.rest, rows, self._choose, lambda _row: state.remove())
        listed.empty, listed.label = t("tournament.nobody"), text
        if state.chosen is not None:
            listed.step_to(state.chosen)
        self.widgets.add("entrants", listed)

    def places(self) -> dict[str, tuple[int, int]]:
        """The middle of each offered player in sight, as ``offered.`` and its name."""
        listed, offered = self._offered, self._state.offered
        if listed is None:
            return {}
        rows = ((name, listed.row_rect(row)) for row, name in enumerate(offered))
        return {f"offered.{name}": rect.center for name, rect in rows if listed.rect.contains(rect)}

    def _set_cursor(self, row: int) -> None:
        """Note which row of the offered players is chosen."""
        self._at = row

    def _choose(self, row: int) -> None:
        """Choose an entrant."""
        self._state.chosen = row

    def _add_row(self, row: int) -> None:
        """Add the offered player in this row to the entrants."""
        self._at = row
        self._state.add(self._state.offered[row])

    def _add(self) -> None:
        """Add the chosen one of the offered players to the entrants."""
        offered = self._state.offered
        if self._at is not None and self._at < len(offered):
            self._state.add(offered[self._at])


class TournamentForm(Form):
    """Name, game, size and rule of a tournament, who meets whom and how often, and the button that starts it."""

    def __init__(self, host: Host, widgets: Widgets, state: NewTournament, back: Content | None) -> None:
        super().__init__(host, widgets)
        self._state, self._back = state, back
        self.bindings = (Binding(("return",), self._begin, "keys.start"),)

    def shape(self) -> object:
        """What the layout depends on: all choices but the name and the entrants, the number of games, and what prevents
        the start, if anything."""
        state = self._state
        games = state.games, state.problem, self.host.tournaments.at_once
        return state.game, state.size, state.rule, state.system, state.rounds, state.with_openings, games

    def build(self, space: Space) -> None:
        """Build from the top the name, the game with size and rule if there are several, who meets whom and how often;
        from the bottom the button, and a sentence on the number of games or on what prevents the start."""
        px, state, theme = self.host.theme.px, self._state, self.host.theme
        place = space.bottom(px(_START))
        ready = not state.problem
        text = t("tournament.begin")
        self.widgets.button("begin", place, text, self._begin, style="@primary", key="return", enabled=ready)
        about = space.bottom(px(2 * LINE))
        said = state.problem or self._about()
        self.widgets.paragraph(about, said)
        row = space.top(px(ROW))
        line = TextLine(theme, row, state.name, LONGEST_NAME, self._set_name, hint=state.proposed)
        self.widgets.add("name", line).label = t("tournament.name")
        game_choice(self.host, self.widgets, space, list(GAMES), state.game, state.choose_game)
        rules = GAMES[state.game]
        if len(rules.sizes) > 1:
            row = self.beside(space.top(px(ROW)), first_text(f"setup.size.{state.game}", "setup.size"))
            self.stepper("size", row, size_name(state.game, state.size), state.step_size)
        if len(rules.rules) > 1:
            options = [(rule, rule_name(rule)) for rule in rules.rules]
            self.widgets.choice("rule", space.top(px(ROW)), options, state.rule, state.set_rule)
        options = [(system, t(f"tournament.{system}")) for system in SYSTEMS]
        cells = columns(space.top(px(ROW)), 2, px(GAP))
        self.widgets.choice("system", cells, options, state.system, partial(setattr, state, "system"))
        row = self.beside(space.top(px(ROW)), t("tournament.rounds"))
        self.stepper("rounds", row, str(state.rounds), state.step_rounds)
        row = self.beside(space.top(px(ROW)), t("tournament.openings"))
        options = [("on", t("common.on")), ("off", t("common.off"))]
        chosen = "on" if state.with_openings else "off"
        tip = t("tournament.openings_about")
        self.widgets.choice("openings", columns(row, 2, px(GAP)), options, chosen, self._set_openings, tip=tip)
        row = self.beside(space.top(px(ROW)), t("tournament.once"))
        self.stepper("once", row, str(self.host.tournaments.at_once), self._step_at_once)

    def _about(self) -> str:
        """Return a sentence on how many games there will be."""
        state = self._state
        if state.system == GAUNTLET:
            name = entrant_name(state.tournament, 0)
            return t("tournament.gauntlet_games", name=name, count=state.games)
        return t("tournament.robin_games", count=state.games)

    def _set_name(self, text: str) -> None:
        """Set the name of the tournament."""
        self._state.name = text

    def _set_openings(self, switch: str) -> None:
        """Set whether games begin with openings: ``on`` or ``off``."""
        self._state.with_openings = switch == "on"

    def _step_at_once(self, step: int) -> None:
        """Play `step` more games at a time."""
        step_at_once(self.host, step)

    def _begin(self) -> None:
        """Save the tournament, and start it on the screen of tournaments."""
        name = self._state.begin()
        if name:
            self.host.open(screens.tournaments, name, begin=True, back=None)


class NewTournamentScreen(Screen):
    """The screen on which a tournament is set up. Its button leads to the screen of tournaments."""

    name = "new_tournament"
    guide = "tournaments"

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = NewTournament(host)
        self._header = Header(host, self.widgets, lambda: t("tournament.new_title"), self.go_back, back, height=32)
        self._lists = EntrantLists(host, self.widgets, self.state)
        self._form: Part = TournamentForm(host, self.widgets, self.state, back)
        self.parts = [self._lists, self._form, self._header]

    def build(self, space: Space) -> None:
        """Lay the two lists out in `space`, the header and the form in the side panel."""
        self.frame.side.gap = self.host.theme.px(GAP)
        lay(self.frame.side, self._header, self._form)
        self._lists.build(space)

    def status(self) -> str:
        """Say that a double click adds or takes out a player."""
        return t("tournament.status")
