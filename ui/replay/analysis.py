"""The tab of the analysis: a switch, the choice of the player that analyses, and the best moves that it finds, each
with a line of play. And the search for a proof, which goes into the tree of moves."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pygame

from ai.core.player import Stop, Transcript
from ai.players.opponents import opponents
from ai.players.table import keeps_depths
from ai.search.proving import widening
from games.edits import Branch
from games.formats.common import OnProgress
from games.position import Position
from games.record import Node, path
from ui.board.view import Marks
from ui.parts.analyst import LINES, MOST_LINES, Analyst, RankedMove
from ui.parts.engine_log import EngineLog
from ui.parts.header import open_menu
from ui.parts.move_line import ROW, MoveLine
from ui.parts.search_tables import DepthTable, WorkerLine, WorkersTable
from ui.parts.study import Study
from ui.replay.tab import Tab
from ui.toolkit.i18n import joined, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.typesetting import width_of, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Host, Job
from ui.window.jobs import Jobs
from ui.window.part import MenuEntry, Part
from ui.words.games import seat_label, side_name
from ui.words.move_words import move_name
from ui.words.numbers import count_text, worker_name, worker_task, workers_sentence
from ui.words.views import Depths, lead_text

if TYPE_CHECKING:
    from ai.gomoku.threat_solver import Proof, ThreatSolver

_BUTTON, _GAP, _CHOICE = 36, 8, 32  # design pixels


class AnalysisTab(Tab):
    """The tab of the analysis. The analysis continues, and marks the board, while another tab is chosen."""

    name = "analysis"

    def __init__(self, host: Host, widgets: Widgets, state: Study, proofs: ProveThis) -> None:
        self._host, self._widgets, self._state, self._analyst = host, widgets, state, state.analyst
        self._proofs = proofs
        self._texts = pygame.Rect()
        self._room = pygame.Rect()  # for the lines
        self._shown: tuple[RankedMove, ...] | None = None  # what the widgets of the lines were made of
        self._lines: list[MoveLine] = []
        self._depths = DepthTable(host, state.record.setup.game, self._depths_shown, least=3)
        self._workers = WorkersTable(host, self._worker_lines)
        self._log = EngineLog(host, self._transcript, most=8)
        self._player = AnalystChoice(host, widgets, state.analyst)

    # Layout.

    def shape(self) -> object:
        """What the layout depends on: whether the analysis is on and endless, the number of lines, the shapes of the
        tables, the log and the choice of the player, and whether a proof is possible or under way. The lines found are
        no part of it."""
        analyst = self._analyst
        own = analyst.on, analyst.endless, analyst.wanted
        proofs = self._proofs.possible, self._proofs.busy
        return own, self._depths.shape(), self._log.shape(), self._player.shape(), proofs

    def _depths_shown(self) -> Depths | None:
        """What the engine found at each depth for the position at the cursor; None unless the settings ask for figures
        and the player has depths."""
        analyst, game = self._analyst, self._state.record.setup.game
        if not (analyst.on and self._host.settings.expert and keeps_depths(analyst.player, game)):
            return None
        rows = () if analyst.info is None or analyst.stand_in else analyst.info.depths
        return Depths(self._state.record.position, rows)

    def _transcript(self) -> Transcript | None:
        """The dialogue with the external program that analyses; None unless the settings ask for figures and there is
        one."""
        search = self._analyst.search if self._analyst.on and self._host.settings.expert else None
        return None if search is None else search.transcript

    def _worker_lines(self) -> list[WorkerLine]:
        """A row for each worker of the cluster: its name and what it does."""
        position = self._state.record.position
        return [WorkerLine(worker_name(row.name), worker_task(position, row)) for row in self._analyst.workers]

    def build(self, space: Space) -> None:
        """Build the switch with the number of lines, and below it the proofs and the choice of the player. While the
        analysis is on, add buttons, the lines found as widgets, and rooms for depths, workers and log, which `draw`
        fills; else a text."""
        px, analyst, button = self._host.theme.px, self._analyst, self._widgets.button
        space.gap = px(_GAP)
        head = Space(space.top(px(_BUTTON)), px(_GAP))
        self._build_choice(head)
        text, icon = t("analysis.stop" if analyst.on else "analysis.start"), "pause" if analyst.on else "play"
        tip = t("replay.analysis")
        button("analysis", head.rest, text, self._analyst.toggle, icon=icon, tip=tip, key="a", chosen=analyst.on)
        self._shown = None
        if self._player.choosable or self._proofs.possible:
            row = Space(space.top(px(_CHOICE_ROW)), px(_GAP))
            self._build_proofs(row, space)
            self._player.build(row)
        if not analyst.on:
            self._widgets.paragraph(space.rest, t("analysis.about"))
            return
        foot = Space(space.bottom(px(_BUTTON)), px(_GAP))
        text = t("analysis.deepen")
        wide = width_of(self._host.theme, text, 16) + px(28)
        button("deepen", foot.right(wide), text, analyst.deepen, tip=t("analysis.deepen_tip"))
        tip, place, on = t("analysis.endless"), foot.right(px(_BUTTON)), analyst.endless
        button("endless", place, "", analyst.toggle_endless, icon="refresh", tip=tip, key="shift+a", chosen=on)
        self._texts = foot.rest
        space.gap = px(2 * _GAP)
        if analyst.crewed:
            self._workers.make_room(space, analyst.wanted * ROW)
        if not self._depths.make_room(space, 2 * analyst.wanted * ROW):
            self._depths.make_room(space, analyst.wanted * ROW)
        self._log.build(space, 2 * analyst.wanted * ROW)
        self._room = space.rest.copy()
        self._refresh()

    def _build_proofs(self, row: Space, below: Space) -> None:
        """Make the button that opens the menu of proofs, or stops the one under way: at the right of `row`, or below if
        the name of the player leaves no room there."""
        proofs, theme = self._proofs, self._host.theme
        if not proofs.possible:
            return
        text = t("prove.stop" if proofs.busy else "prove.button")
        wide = width_of(theme, text, 16) + theme.px(28)
        beside = wide + row.gap + self._player.width <= row.rest.width
        place = row.right(wide) if beside else below.top(theme.px(_CHOICE_ROW))
        run = proofs.cancel if proofs.busy else lambda: open_menu(self._host, place, proofs.entries())
        self._widgets.button("prove", place, text, run, tip=t("prove.tip"), chosen=proofs.busy)

    def _build_choice(self, head: Space) -> None:
        """Make the choice of the number of lines, at the right of `head`."""
        px = self._host.theme.px
        rects = columns(head.right(px(len(LINES) * _CHOICE + (len(LINES) - 1) * 4)), len(LINES), px(4))
        numbers = [(str(number), str(number)) for number in LINES]
        self._widgets.choice("lines", rects, numbers, str(self._analyst.wanted), self._set_line_count)
        for number, _ in numbers:
            self._widgets.elements[f"lines.{number}"].tip = t("analysis.lines", count=int(number))

    def _refresh(self) -> None:
        """Make the widgets of the lines again if the lines have changed."""
        lines = self._analyst.lines()
        if lines is self._shown:
            return
        self._shown = lines
        for number in range(MOST_LINES):
            self._widgets.remove(f"line.{number}")
        space, row = Space(self._room), self._host.theme.px(ROW)
        lines = lines[: min(self._analyst.wanted, space.rest.height // row)]  # the board shows the others, too
        spare = space.rest.height // row - len(lines)
        before, self._lines = self._lines, []
        for number, found in enumerate(lines):
            rows = 2 if spare else 1
            line = self._line(pygame.Rect(*space.rest.topleft, space.rest.width, rows * row), found)
            if number < len(before):
                line.resume(before[number])
            self._lines.append(self._widgets.add(f"line.{number}", line))
            space.top(line.rect.height)
            spare -= line.rect.height // row - 1

    def _line(self, rect: pygame.Rect, found: RankedMove) -> MoveLine:
        """Return the widget of one of the best moves, with its line of play."""
        theme, position = self._host.theme, self._state.record.position
        play = partial(self._play_line, found)
        text, colour = found.text or "–", theme.palette.text
        line = MoveLine(theme, rect, position, found.moves, play, text, colour, theme.px(72))
        line.tip = t("analysis.unsettled") if found.contradicted else ""
        return line

    # Time.

    def update(self, now: float) -> None:
        """Take over what the analysis has found, and show it."""
        self._analyst.update()
        if self.chosen and self._analyst.on and self._shown is not None:
            self._refresh()
            known = self._analyst.known
            deeper = self._analyst.complete and known is not None and not known.proven
            self._widgets.enable("deepen", deeper and self._state.record.outcome is None)

    # The picture.

    def marks(self, marks: Marks) -> Marks:
        """Add the best moves, and the line under the pointer."""
        return self._analyst.marks(marks, self._state.pointer.hover, self._pointed())

    def _pointed(self) -> tuple[int, ...]:
        """Return the moves of a line in the panel up to the one under the pointer; empty if there is none."""
        elements = self._widgets.elements if self.chosen else {}
        widgets = (element for name, element in elements.items() if name.startswith("line."))
        return next((each.moves[: each.pointed] for each in widgets if isinstance(each, MoveLine) and each.pointed), ())

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw, while the analysis is on, the state of the search in words, and the tables of depths, log and workers.
        The lines found are widgets."""
        theme = self._host.theme
        if self._analyst.on:
            status = next((text for text in self._status() if width_of(theme, text, 14) <= self._texts.width), "")
            write(surface, theme, status, self._texts, 14, theme.palette.quiet)
            self._depths.draw(surface, now)
            self._log.draw(surface, now)
            if self._analyst.crewed:
                self._workers.draw(surface, now)

    def _status(self) -> tuple[str, ...]:
        """Return ``Depth 14 · Black +1.2 · Nodes 1.2M · 650k/s``, and shorter texts for less room, the longest
        first."""
        analyst, known = self._analyst, self._analyst.known
        if self._state.record.outcome is not None:
            return (t("analysis.over"),)
        if analyst.stand_in:
            return t("thinking.stand_in"), t("review.state.waiting")
        if known is None:
            return (t("analysis.busy"),)
        depth, info = f"{t('thinking.depth')} {known.depth}", analyst.info
        score = depth if known.proven else f"{depth} · {lead_text(analyst.game, known.score)}"
        if info is None or not info.nodes:
            return score, depth
        nodes = f"{score} · {t('thinking.nodes')} {count_text(info.nodes)}"
        fast = (f"{nodes} · {count_text(info.nodes_per_second)}/s",) if analyst.busy else ()
        return *fast, nodes, score, depth

    def hint(self) -> str:
        """Return what each worker does, or what a table or the log says of its line under the pointer."""
        analyst = self._analyst
        workers = self._player.workers_at(self._state.record.position, pygame.mouse.get_pos())
        return workers or (self._depths.hint() or self._log.hint() if analyst.on else "")

    def handle(self, event: pygame.event.Event) -> bool:
        """Let the log scroll by the wheel; nothing else is handled here."""
        return self._log.handle(event)

    # Actions.

    def start(self) -> None:
        """Switch the analysis on."""
        if not self._analyst.on:
            self._analyst.toggle()

    def _set_line_count(self, number: str) -> None:
        """Set how many lines are searched for, and switch the analysis on."""
        host = self._host
        self._analyst.wanted = host.settings.analysis_lines = int(number)
        host.save_settings()
        if not self._analyst.on:
            self._analyst.toggle()

    def _play_line(self, found: RankedMove, count: int) -> None:
        """Play the first `count` moves of the line that begins with a found move."""
        self._state.play_line(self._state.record.cursor, found.moves[:count])

    def close(self) -> None:
        """Stop the search of the analysis, and save what it has found."""
        self._analyst.close()


class AnalysisSwitch(Part):
    """The keys that switch the analysis on or off; on, its tab is shown."""

    def __init__(self, state: Study) -> None:
        self._state = state
        self.bindings = (
            Binding(("a",), self._switch, "keys.analysis"),
            Binding(("shift+a",), self._toggle_endless, "analysis.endless", menu="analysis.endless"),
        )

    def _switch(self) -> None:
        """Switch the analysis on or off."""
        self._state.analyst.toggle()
        self._show_tab()

    def _toggle_endless(self) -> None:
        """Switch the analysis without a limit of time on or off, as `Analyst.toggle_endless` does."""
        self._state.analyst.toggle_endless()
        self._show_tab()

    def _show_tab(self) -> None:
        """Show the tab of the analysis, if that is on."""
        if self._state.analyst.on:
            self._state.choose_tab(AnalysisTab.name)


# Who analyses: a button with a menu of the players, and of those whose search can run on the cluster.


_CHOICE_ROW = 32  # design pixels
_CLUSTER = "cluster:"  # before the name of a player whose search runs there


class AnalystChoice(Part):
    """The button that chooses the player that analyses, and whether on the cluster. It takes the rest of a row; without
    a choice nothing. Under the pointer it tells what each worker does."""

    def __init__(self, host: Host, widgets: Widgets, analyst: Analyst) -> None:
        self._host, self._widgets, self._analyst = host, widgets, analyst
        self._place = pygame.Rect()

    def shape(self) -> object:
        """What the layout depends on: the choices, and the one chosen, since its name decides how wide the button
        is."""
        return self._choices, self._chosen

    @property
    def _choices(self) -> Sequence[str]:
        """The players that can analyse, each also with the prefix `_CLUSTER` if its search can run there."""
        players = self._analyst.players
        return *players, *(_CLUSTER + player for player in players if self._analyst.can_share(player))

    @property
    def _chosen(self) -> str:
        """The chosen one of `_choices`."""
        return (_CLUSTER if self._analyst.shared else "") + self._analyst.player

    @property
    def choosable(self) -> bool:
        """Whether there is more than one choice."""
        return len(self._choices) > 1

    @property
    def width(self) -> int:
        """How wide the button has to be for its text, in pixels."""
        return width_of(self._host.theme, self._label(self._chosen), 16) + self._host.theme.px(56)

    def build(self, space: Space) -> None:
        """Make the button in all the space, if there is more than one choice."""
        if self.choosable:
            self._place = space.rest.copy()
            text, tip = self._label(self._chosen), t("analysis.player")
            self._widgets.button("player", self._place, text, self._open, icon="down", tip=tip)

    def _label(self, name: str) -> str:
        """Return the text for one of `_choices`."""
        label = seat_label(self._analyst.game, name.removeprefix(_CLUSTER))
        return t("analysis.on_cluster", player=label) if name.startswith(_CLUSTER) else label

    def _open(self) -> None:
        """Open the menu of players that can analyse."""
        choose = self._analyst.choose
        runs = [partial(choose, name.removeprefix(_CLUSTER), name.startswith(_CLUSTER)) for name in self._choices]
        entries = [MenuEntry(name, self._label(name), run) for name, run in zip(self._choices, runs, strict=True)]
        open_menu(self._host, self._place, entries, self._chosen)

    def workers_at(self, position: Position, point: tuple[int, int]) -> str:
        """Return what each worker of the cluster does, if `point` is on the button; else nothing."""
        analyst = self._analyst
        shown = analyst.on and analyst.crewed and self._place.collidepoint(point)
        return workers_sentence(position, analyst.workers) if shown else ""


# Prove this: whether the side to move wins by fours, or by threats, without a limit of time.


_MOST_NAMES = 4  # of moves, in a sentence
_MOST_MOVES = 1_500
"""Of the attacker, in a tree that is shown whole."""


def branch(proof: Proof) -> Branch:
    """Return a proof as a tree of moves, with the longest defence first."""
    defences = sorted(proof.defences, key=lambda defence: -defence[1].plies)
    return Branch(proof.move, tuple(Branch(reply, (branch(rest),)) for reply, rest in defences))


class ProofJob(Job["Proof | None"]):
    """Prove that the side to move at `node` wins, by fours only, or with `by_threats` by all threats. With `first`, the
    win must begin with one of these moves. Call `then` with the proof, or with None if there is none: then `known`
    tells that it was refuted, rather than stopped."""

    def __init__(
        self, host: Host, make: Callable[[], ThreatSolver], node: Node, by_threats: bool, first: tuple[int, ...],
        then: Callable[[Proof | None], object],
    ) -> None:  # fmt: skip
        title = t("prove.title")
        super().__init__(host, title, title, t("prove.stopped"), partial(self._prove, node.position), then)
        self.node, self.by_threats, self.first, self.known = node, by_threats, first, False
        self._solver: ThreatSolver | None = None
        self._earlier = 0  # nodes of searches that are over
        self._make, self._stop, self._began = make, Stop(), time.monotonic()

    @property
    def nodes(self) -> int:
        """How many positions have been searched so far."""
        return self._earlier + (0 if self._solver is None else self._solver.nodes)

    def _prove(self, position: Position, _on_progress: OnProgress) -> Proof | None:
        """Try the first moves with more and more nodes. Return None if it was stopped, or if all of them are refuted;
        then set `known`."""
        solver, left = self._make(), list[int | None]()
        self._solver = solver
        for nodes, left in widening(self.first):
            for move in tuple(left):
                self._earlier += solver.nodes
                proof = solver.prove(position, self.by_threats, nodes, move, self._stop, _MOST_MOVES)
                if proof is not None or self._stop.is_set():
                    return proof
                if solver.complete:
                    left.remove(move)
        self.known = not left
        return None

    def stop(self) -> None:
        """Stop the search and cancel the job."""
        self._stop.set()
        super().stop()

    @property
    def sentence(self) -> str:
        """How far the search is: nodes and seconds."""
        seconds = round(time.monotonic() - self._began)
        return t("prove.progress", nodes=count_text(self.nodes), seconds=seconds)


def _moves_of(node: Node) -> tuple[int, ...]:
    """Return the moves played from `node` in the tree."""
    return tuple(child.move for child in node.children if child.move is not None)


def _move_names(position: Position, moves: Sequence[int]) -> str:
    """Return the names of moves as one text; of many the first ones and “…”."""
    names = [move_name(position, move) for move in moves]
    return ", ".join(names[:_MOST_NAMES] + ["…"] * (len(names) > _MOST_NAMES))


class ProveThis(Part):
    """The search for proofs of the position at the cursor: menu entries, progress, and adding the proof to the tree. At
    most one search is under way."""

    def __init__(self, host: Host, state: Study) -> None:
        self._host, self._state = host, state
        self._jobs = Jobs(host, card=False)
        self._job: ProofJob | None = None

    @property
    def busy(self) -> bool:
        """Whether a search is under way."""
        return self._jobs.busy

    @property
    def possible(self) -> bool:
        """Whether a proof can be searched for at the cursor, or such a search is under way."""
        record = self._state.record
        solvable = opponents(record.setup.game).threat_solver is not None and record.outcome is None
        return solvable or self.busy

    def entries(self) -> Sequence[MenuEntry]:
        """Offer proofs by fours and by threats, of the move that `redo` leads to, and of any move in the tree; or to
        cancel the search."""
        record = self._state.record
        if not self.possible:
            return ()
        if self.busy:
            return (MenuEntry("prove_stop", t("prove.stop"), self.cancel),)
        found = [
            MenuEntry("prove_fours", t("prove.fours"), partial(self.prove, False)),
            MenuEntry("prove_threats", t("prove.threats"), partial(self.prove, True)),
        ]
        following, several = record.cursor.next, _moves_of(record.cursor)
        if following is not None and following.move is not None:
            move = move_name(record.position, following.move)
            run = partial(self.prove, True, (following.move,))
            found.append(MenuEntry("prove_move", t("prove.move", move=move), run))
        if len(several) > 1:
            text = t("prove.moves", moves=_move_names(record.position, several))
            found.append(MenuEntry("prove_moves", text, partial(self.prove, True, several)))
        return found

    def prove(self, by_threats: bool, first: tuple[int, ...] = ()) -> None:
        """Search for a win of the side to move at the cursor; the parameters are those of `ProofJob`. Cancel
        the search before. Do nothing, and let that go on, if the game is over there or has no such proofs."""
        record = self._state.record
        make = opponents(record.setup.game).threat_solver
        if make is None or record.outcome is not None:
            return
        self._job = ProofJob(self._host, make, record.cursor, by_threats, first, self._add_proof)
        self._jobs.start(self._job)

    def _add_proof(self, proof: Proof | None) -> None:
        """Add the proof to the tree with a comment; if it is None, say so. Do nothing if its position is no longer in
        the tree."""
        job, state = self._job, self._state
        assert job is not None
        if path(job.node)[0] is not state.record.root:  # the position was removed
            return
        by = "threats" if job.by_threats else "fours"
        if proof is None:
            none = t(f"prove.none.{by}")
            if job.first:
                none = t("prove.none.moves", moves=_move_names(job.node.position, job.first))
            self._host.say(none if job.known else t("prove.unknown"))
            return
        side = side_name(state.record.setup.game, job.node.position.turn)
        outline = "" if proof.whole else t("prove.outline")
        won = t(f"prove.won.{by}", side=side, count=(proof.plies + 1) // 2)
        state.go(job.node)
        state.edits.graft(branch(proof), joined((won, outline)))
        state.changed(joined((won, t("prove.added"))))

    def cancel(self) -> None:
        """Cancel the search."""
        self._jobs.cancel()

    # Time.

    def update(self, now: float) -> None:
        """Take over the proof of a job that has ended."""
        self._jobs.update()

    def wake(self, now: float) -> float | None:
        """Return 0.2 seconds while a proof is searched for, else None."""
        return 0.2 if self.busy else None

    def status(self) -> str:
        """Return how far the search is; empty without one."""
        return self._job.sentence if self.busy and self._job is not None else ""

    def close(self) -> None:
        """Cancel the search."""
        self._jobs.stop()
