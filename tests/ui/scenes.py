"""The worst there is to show on each screen.

A finished game with a long list of moves, four variations, long names, sixty bones, boards of twenty lines, analysis
with nothing to say yet and with much.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from shutil import rmtree

import pygame
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from ai.arena.match import Played as Game
from ai.arena.match import begin
from ai.arena.tournament import JOURNAL, Entrant, Tournament, open_journal, read_played, read_tournament
from ai.core.player import DepthStats, Info, Limit, Line, Player, Stop, Transcript
from ai.core.score import PROVEN, WIN
from ai.distributed.cluster_player import Distributed
from ai.drills.drill import Field
from ai.explain.explorer import Explorer
from ai.explain.kinds import SampleTracing
from ai.explain.subject import Choice, Shared, Subject
from ai.gomoku.engine import GomokuEngine
from ai.gomoku.handle import EngineHandle
from ai.gomoku.horizon import HorizonResult
from ai.gomoku.horizon import record as horizon
from ai.pbrain.engines import EngineCheck, ExternalEngine, dumps, engines_path
from ai.pbrain.external import EngineError
from ai.players.opponent import model as store
from ai.players.opponent.chances import tactics
from ai.players.opponent.model import TEMPERATURES, Tally
from ai.players.table import Context
from ai.puzzles.collection import Collection
from ai.puzzles.puzzle import Puzzle, PuzzleAnswer
from ai.review.exercises import Deck, Exercise
from ai.review.judgement import Judged, judge
from ai.review.why import Why
from ai.search.comparison import DEEPEST, VARIANTS, SearchRow
from ai.search.crews import Answer
from ai.search.parallel import Division
from ai.search.splitting import PrincipalVariation
from ai.service.profile import Profile, encoded, profile_path
from ai.service.searches import Searches
from games.clock import TimeControl
from games.database.importer import Progress, Writer
from games.evaluation import Evaluation
from games.formats import save, tengen
from games.formats.text import parse
from games.library.library import GameLibrary
from games.opening_rules import OpeningPhase, OpeningStep
from games.position import Outcome, Position
from games.record import PERSON, About, GameRecord, Seat
from games.registry import GAMES, setup
from games.storage import saves_home, write_atomic
from tests.ai.distributed.played import Played
from tests.ui.stage import Stage, act, still, thinks
from tests.waiting import wait
from ui.commands.screenshot import PICTURES, ScreenPicture
from ui.database.screen import DatabaseScreen
from ui.engines.screen import EnginesScreen
from ui.exercises.screen import MistakesScreen
from ui.home.screen import Home
from ui.learn.compare import Compare
from ui.learn.compare_state import HORIZON, SEARCHES, THREADS, TREES
from ui.learn.drill_screen import DrillScreen
from ui.learn.learn import Learn
from ui.learn.lesson import LessonScreen
from ui.learn.lesson_state import lessons, subject
from ui.learn.lessons import REFERENCES, Lessons, ReadingScreen
from ui.library.screen import LibraryScreen
from ui.parts.databases import database_path
from ui.parts.practice import Practice
from ui.parts.ratings import HABITS
from ui.play.screen import Play
from ui.play.teacher import Refutation
from ui.profile.screen import ProfileScreen
from ui.puzzles.screen import PuzzleScreen, PuzzlesScreen
from ui.puzzles.state import Mode, PuzzleRun, PuzzleState
from ui.replay.position_editor import PositionEditor
from ui.replay.screen import Replay
from ui.screens import SCREENS
from ui.setup.screen import SetupScreen
from ui.system.settings import NewGame
from ui.tournament.new import NewTournamentScreen
from ui.tournament.screen import TournamentScreen
from ui.tournament.state import tournaments_home
from ui.window.screen import Screen
from ui.words.file_words import search_words, words_edition


def long_game(game: str = "gomoku", size: int | None = None, plies: int = 150) -> GameRecord:
    """A game of many moves, each with an evaluation."""
    return tengen.loads(_long_game(game, size, plies))  # a record of one's own


@cache
def _long_game(game: str, size: int | None, plies: int) -> bytes:
    record = GameRecord(setup(game, size), (Seat(PERSON), Seat("alphabeta", seconds=20.0)), "2026-05-01T12:00:00")
    while record.position.ply < plies and record.outcome is None:
        moves = list(record.position.legal_moves())
        start = record.position.ply * 7 % len(moves)
        turned = moves[start:] + moves[:start]
        quiet = next((move for move in turned if record.position.play(move).outcome is None), turned[0])
        node = record.play(quiet, 61.5)
        node.evaluation = Evaluation(-12345, -31, 20) if node.position.ply % 3 else Evaluation(9_000, None, 12)
    return tengen.dumps(record)


def finished(game: str, size: int | None = None) -> GameRecord:
    record = long_game(game, size)
    record.resign(record.position.turn)
    return record


def branched() -> GameRecord:
    """A game with four ways to go on after its tenth move, and comments."""
    record = long_game("gomoku", 20, 60)
    fork = record.line()[10]
    for move in fork.position.legal_moves()[-4:]:
        record.go_to(fork)
        record.play(move)
    record.go_to(fork)
    fork.comment = "A comment that goes on for longer than anyone would care to read. " * 3
    return record


def bones(left: int = 60) -> GameRecord:
    record = GameRecord(setup("bones", 60), (Seat("alphabeta", seconds=30.0), Seat(PERSON)))
    for _ in range(60 - left):
        record.play(1)
    return record


def _put(file: Path, data: bytes) -> None:
    """Write a file that is missing. One that is there keeps its time, so that the library need not read it again."""
    file.parent.mkdir(exist_ok=True)
    if not file.exists():
        file.write_bytes(data)


def home_of(stage: Stage) -> Screen:
    settings = stage.app.settings
    saves = stage.home / "saves"
    won = long_game("gomoku", None, 20)
    won.seats = Seat(PERSON), Seat("alphabeta", "A player whose name goes on and on")
    won.resign(1)
    for number in range(12):
        file = saves / f"2026-11-21 10.05.0{number} gomoku {number}.tengen.json"
        _put(file, tengen.dumps(won) if number == 10 else _long_game("gomoku", None, 20))
        settings.remember_file(file)
    settings.unfinished = str(file)
    return Home(stage.app)


def library_of(stage: Stage) -> Screen:
    """Many games, read already, with long names, and one that cannot be read."""
    saves = stage.home / "saves"
    for number in range(24):
        _put(saves / f"2026-11-21 10.05.{number} gomoku.tengen.json", _long_game("gomoku", 20, 30 + number))
    _put(saves / "a name that goes on and on and on and on.tengen.json", _long_game("bones", 60, 9))
    _put(saves / "damaged.tengen.json", b"no game")
    library = GameLibrary(words=search_words, edition=words_edition())
    library.refresh()
    wait(lambda: not library.busy)
    library.close()
    return LibraryScreen(stage.app)


def _database(stage: Stage, game: str = "gomoku") -> list[GameRecord]:
    """Make a database of games with long names, and open it; return the games."""
    file, games = stage.home / f"A collection that goes on and on, of {game}.tengendb", []
    for number in range(12):
        record = GameRecord(setup(game), (Seat(name="A player with a name"), Seat(name="Another one")))
        record.about, record.date = About(event="An event with a name that goes on and on"), "2026-05-01"
        for _ in range(2 + number % 3):
            moves = record.position.legal_moves()
            record.play(moves[number * 7 % len(moves)])
        record.line()[1].evaluation = Evaluation(-12345, -31, 20) if number % 2 else Evaluation(9_000, None, 12)
        record.resign(number % 2)
        games.append(record)
    writer = Writer(file)
    for record in games:
        writer.put(record)
    writer.commit()
    writer.close()
    stage.app.settings.remember_database(file)
    return games


def databases_of(busy: bool = False) -> Callable[[Stage], Screen]:
    """The games of a database; if `busy`, while others are imported into it, of which some could not be read."""

    def make(stage: Stage) -> Screen:
        games = _database(stage)
        imports = stage.app.imports
        if busy:
            imports.start(database_path(stage.app.settings.database), [])
            imports.update = lambda: None  # type: ignore[method-assign]  # it goes on and on
            imports.progress, imports.failed = Progress(5, 9, 123_456, 7_890), 12_345
        screen = DatabaseScreen(stage.app, games[0].setup, games[0].root.position)
        stage.show(screen)
        stage.until(lambda: screen.state.games)
        return screen

    return make


def damaged_database(stage: Stage) -> Screen:
    """A database that is not one."""
    file = stage.home / "a file that goes on and on and is not a database of games.tengendb"
    file.write_bytes(b"nothing")
    stage.app.settings.remember_database(file)
    screen = DatabaseScreen(stage.app)
    stage.show(screen)
    stage.until(lambda: screen.state.questions.error)
    return screen


def explorer_of(game: str) -> Callable[[Stage], Screen]:
    """A replay with what the games of a database did."""

    def make(stage: Stage) -> Screen:
        screen = Replay(stage.app, _database(stage, game)[0], tab="explorer", autosave=False)
        stage.show(screen)
        stage.until(lambda: "continuations" in screen.widgets.elements)
        return screen

    return make


def played_before(stage: Stage) -> Screen:
    """A game of two persons, with what the games of a database did."""
    screen = Play(stage.app, GameRecord(_database(stage)[0].setup), autosave=False)
    stage.show(screen)
    act(screen, "g")
    stage.until(lambda: "continuations" in screen.widgets.elements)
    return screen


def timed(control: str, *seconds: float, spent: float = 0.0) -> Callable[[], GameRecord]:
    """A game with clocks, after moves of so many seconds."""

    def make() -> GameRecord:
        seats = Seat("alphabeta", "A name as long as may be"), Seat(PERSON, "Another one of 24 letter")
        record = GameRecord(setup("gomoku"), seats, control=TimeControl.parse(control))
        for move, each in enumerate(seconds):
            record.play(move, each)
        record.cursor.spent = spent
        return record

    return make


def lost_on_time() -> GameRecord:
    record = timed("1+0", 1.0, spent=60.0)()
    record.end(Outcome(0, "time"))
    return record


def setup_of(
    game: str, players: tuple[str, str] = (PERSON, "level:3"), menu: str = "", clock: str = "", size: int = 0,
    divisors: tuple[int, int] = (1, 1), names: tuple[str, str] = ("", ""),
) -> Callable[[Stage], Screen]:  # fmt: skip
    """The screen of a new game, with the menu that a button opens, if any."""

    def make(stage: Stage) -> Screen:
        known = GAMES[game]
        most = size or known.sizes[-1]
        new = NewGame(most, known.rules[-1], players, (30.0, 30.0), clock, divisors=divisors)
        stage.app.settings.new_game[game] = new
        stage.app.settings.board_names = names
        scene = SetupScreen(stage.app, game)
        if menu:
            stage.show(scene).widgets.press(menu)
        return scene

    return make


def profile_of(game: str) -> Callable[[Stage], ProfileScreen]:
    """Of a person who has played every level, some without its counting."""

    def make(stage: Stage) -> ProfileScreen:
        profile = Profile()
        opponents = ["level:even=2.5", *(f"level:{number}" for number in range(1, 11)), "engine", "level:9"]
        for number, opponent in enumerate(opponents * 3):
            seats = (Seat(PERSON), Seat(opponent)) if number % 2 else (Seat(opponent), Seat(PERSON))
            record = GameRecord(setup(game), seats, f"2026-11-{1 + number // 2:02}T12:00:00")
            record.play(record.position.candidates()[0])
            record.play(record.position.candidates()[0])
            record.resign(number % 3 // 2)
            profile.add(record, Path(f"{number}.tengen.json"))
        profile_path().write_bytes(encoded(profile))
        return ProfileScreen(stage.app, game)

    return make


def habits_of(game: str) -> Callable[[Stage], Screen]:
    """What was learned of a person from a game: much of each kind of chance, and little of the last."""

    def make(stage: Stage) -> Screen:
        screen = profile_of(game)(stage)
        file = saves_home() / "1.tengen.json"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"not read, since its stamp is known")
        kinds, row = tactics(game).kinds, tuple(-float(place) for place in range(len(TEMPERATURES)))
        missed = {kind: (9 * number, 140) for number, kind in enumerate(kinds[:-1], 1)} | {kinds[-1]: (1, 4)}
        tally = Tally(2000, missed, tuple(row for _ in tactics(game).depths))
        facts = file.stat()
        known = store.StudiedGame(game=game, stamp=[facts.st_mtime_ns, facts.st_size], tally=tally)
        write_atomic(store.path(), store.encoded({file.name: known}))
        screen.state.tab = HABITS
        stage.show(screen)
        wait(lambda: screen.state.habits.found, stage.frame)
        return screen

    return make


def in_opening(rule: str, *steps: str) -> Callable[[], GameRecord]:
    """A game of renju whose opening has come so far: points, and kinds of steps, the number declared after a colon."""

    def make() -> GameRecord:
        record = GameRecord(setup("gomoku", rule="renju"), (Seat(PERSON, "A player with a name"), Seat(PERSON)))
        record.opening = OpeningPhase(rule, record.setup.size)
        for text in steps:
            kind, _, number = text.partition(":")
            assert record.demand is not None
            if kind in record.demand.kinds:
                record.take(OpeningStep(kind, int(number or 0)))
            else:
                record.take(OpeningStep(record.demand.point, record.position.parse_move(text)))
        return record

    return make


def play_of(make: Callable[[], GameRecord]) -> Callable[[Stage], Screen]:
    return lambda stage: Play(stage.app, make(), autosave=False)


def two_people_play(stage: Stage) -> Screen:
    """The end of the second game of two named people."""
    drawn, won = (
        GameRecord(setup("tictactoe"), (Seat(PERSON, "Ada"), Seat(PERSON, "Boris")), f"2026-05-0{day}T12:00:00")
        for day in (1, 2)
    )
    for record, moves in ((drawn, "b2 a1 c1 a3 a2 c2 b3 b1 c3"), (won, "b2 a3 a1 b3 c3")):
        for move in moves.split():
            record.play(record.position.parse_move(move), 1.5)
    save(drawn, saves_home() / "1.tengen.json")
    scene = stage.show(Play(stage.app, won, autosave=False))
    wait(lambda: scene.state.head_to_head.wake(0.0) is None, stage.frame)
    return scene


def looking_play(stage: Stage) -> Screen:
    """A look back in a game of two persons."""
    record = tengen.loads(_long_game("gomoku", 20, 150))
    record.seats = Seat(PERSON), Seat(PERSON)
    scene = Play(stage.app, record, autosave=False)
    scene.state.show_node(record.line()[130])
    return scene


def rated_play(stage: Stage) -> Screen:
    """A game that is over, and what it will do to the rating."""
    record = tengen.loads(_long_game("gomoku", 15, 60))
    record.seats = Seat(PERSON), Seat("level:3")
    record.resign(0)
    return Play(stage.app, record, stage.home / "a game.tengen.json")


def taught_play(stage: Stage) -> Screen:
    """A teaching game with a warning."""
    thinks(stage.app, lambda _: Idle())
    record = long_game("gomoku", 20, 40)
    scene = Play(stage.app, record, autosave=False, teaching=True)
    scene.state.teacher.follow(record.cursor, True)
    moves = tuple(record.position.legal_moves()[:7])
    why = Why("loses", moves[0], fours=True, count=11)
    scene.state.teacher.warning = Refutation(record.cursor, "blunder", moves, 21, why)
    return scene


def expert_play(stage: Stage) -> Screen:
    stage.app.settings.expert = True
    return thinking_play(stage)


def thinking_play(stage: Stage) -> Screen:
    record = long_game("gomoku", 20, 40)
    scene = Play(stage.app, record, autosave=False)
    pv = tuple(record.position.legal_moves()[:40])
    scene.state.live.thought_about = record.position
    scene.state.live.info = Info(pv[0], -9_999_970, 38, 123_456_789, 29.9, (Line(-9_999_970, pv),))
    return scene


def replay_of(
    make: Callable[[], GameRecord], analysing: bool = False, playing: bool = False, tab: str = ""
) -> Callable[[Stage], Screen]:
    def build(stage: Stage) -> Screen:
        file = stage.home / "a name of a file that nobody would want to type twice.tengen.json"
        scene = Replay(stage.app, make(), file, at_cursor=True, tab=tab)
        scene.state.analyst.on = analysing
        scene.state.playing = playing
        return scene

    return build


def reviewed_replay(make: Callable[[], GameRecord], at: int | None = None) -> Callable[[Stage], Screen]:
    """After a review, at the move of that number, or at the beginning; judged by chance, so that it is quick."""

    def build(stage: Stage) -> Screen:
        stage.app.engine = EngineHandle(lambda _report: lambda _kind: Idle())
        scene = Replay(stage.app, make(), stage.home / "game.tengen.json", tab="review")
        scene.state.reviewer.make = Idle
        line = scene.state.record.line()
        for number, node in enumerate(line):
            line_of = tuple(node.position.candidates()[:1])
            node.evaluation = Evaluation(900 if number % 3 else -900, None, 40, line_of, 50.0, line_of)
        stage.show(scene)
        stage.until(lambda: not scene.state.reviewer.busy)
        scene.state.go(line[at or 0])
        stage.frame(2)
        return scene

    return build


def unreviewed_replay(stage: Stage) -> Replay:
    stage.app.settings.study_tab = "review"
    return Replay(stage.app, long_game("gomoku", 20, 30))  # nobody has asked for a review yet


class Idle(Player):
    """Finds nothing out."""

    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        move = position.candidates()[0]
        yield Info(move, 0, 1, lines=(Line(0, (move,)),))


class Deep(Player):
    """Finds a win at last, with figures as wide as may be."""

    nodes = 123_456_789

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        line = tuple(position.candidates()[:9])
        rows = tuple(
            DepthStats(depth, Line(WIN - 23 if depth > 18 else -12345 * depth, line), 12.34 * depth, 664_321 * depth,
                       664_321 * depth - depth, 2000, 2000)
            for depth in range(1, 22)
        )  # fmt: skip
        yield Info(line[0], rows[-1].line.score, 21, self.nodes, 29.9, (rows[-1].line,), depths=rows)


def deep_play(stage: Stage) -> Screen:
    """An expert's game against the engine, which has just found a win."""
    stage.app.settings.expert = stage.app.settings.thinking = True
    thinks(stage.app, lambda _: Deep())
    record = long_game("gomoku", 20, 40)
    record.seats = Seat("engine"), Seat(PERSON)
    scene = Play(stage.app, record, autosave=False)
    scene.state.still = True
    return scene


def deep_analysis(stage: Stage) -> Screen:
    stage.app.settings.expert = True
    thinks(stage.app, lambda _: Deep())
    return replay_of(lambda: long_game("gomoku", 20, 40), analysing=True, tab="analysis")(stage)


class Busy(Played):
    """Workers that answer the first four tasks of a search, and work on the others for ever."""

    def answers(self, worker: str) -> bool:
        searches = [request.work.name for _, request in self.sent]
        return searches.count(searches[-1]) <= 4

    def next(self, timeout: float) -> Answer | None:
        time.sleep(0.001)  # the clock stands still
        return super().next(0.0)


def cluster_analysis(stage: Stage) -> Screen:
    """Eight workers search a position."""
    crew, policy = Busy(*(f"tcp://10.20.30.{number}:40{number}" for number in range(101, 109))), PrincipalVariation
    fine = partial(policy, first=1, seconds=0.0)
    player = Distributed("alphabeta", Context("gomoku"), lambda: nullcontext(crew), pytest.fail, fine)
    searches = Searches(lambda *_: Deep(), stage.app.wake, lambda: True, share=lambda *_: player)
    stage.app.searches = searches
    screen = replay_of(lambda: long_game("gomoku", 20, 40), analysing=True, tab="analysis")(stage)
    assert isinstance(screen, Replay)
    stage.app.settings.cluster, screen.state.analyst.shared = "tcp://10.20.30.1:8786", True
    return screen


def engine_learn(stage: Stage) -> Screen:
    """The tree of the engine's table, at a node with a proven win and a bound, and its table of depths."""
    thinks(stage.app, lambda _: GomokuEngine(memory_mb=1, root_vcf=False))
    screen = Learn(stage.app, subject=Subject.of(horizon(), horizon().cursor), choice=Choice("engine", 7))
    stage.show(screen)
    explorer = screen.explorer
    stage.until(lambda: explorer.info is not None and not explorer.busy)
    tree = explorer.trace
    won = [node for node in range(len(tree)) if abs(tree.value[node]) > PROVEN and tree.bound(node) != "exact"]
    explorer.look_at(max(won, key=lambda node: tree.ply[node]))
    return screen


def reviewing_replay(stage: Stage) -> Screen:
    """A review that waits for the engine."""
    scene = unreviewed_replay(stage)
    scene.state.reviewer.state = "waiting"
    return scene


def exercise_of(end: str) -> Callable[[Stage], Screen]:
    """An exercise that was given up, or answered with the mistake of the game."""

    def make(stage: Stage) -> Screen:
        found = Exercise.of(*_mistaken())
        screen = stage.show(MistakesScreen(stage.app, Practice(Deck(), [found] * 12)))
        if end == "wrong":
            screen.state.choose(screen.state.mistake.move)
        else:
            screen.state.show()
        stage.frame()
        assert screen.state.state == end
        return screen

    return make


def _mistaken() -> tuple[GameRecord, Judged]:
    """A game with a blunder in it, the refutation of which is long."""
    record = long_game("gomoku", 20, 60)
    node = record.line()[33]
    line = tuple(node.position.candidates()[:15])
    node.parent.evaluation, node.evaluation = Evaluation(900, None, 40, line), Evaluation(-900, None, 40, line)
    judged = judge(record.setup, 32, node, node.parent.evaluation, node.evaluation)
    assert judged is not None
    return record, judged


def learn_of(position: str, choice: Choice, step: int | None = None, asked: bool = False) -> Callable[[Stage], Learn]:
    """A search, whole or up to a step, or with a question on the next step."""

    def make(stage: Stage) -> Learn:
        screen = Learn(stage.app, subject=subject(position), choice=choice)
        wait(lambda: not screen.explorer.busy, lambda: screen.explorer.update(0.0))
        screen.explorer.go(step)
        if asked:
            screen.quiz.switch()
            while screen.quiz.asked is None:
                screen.quiz.forward()
        return screen

    return make


def untimed(explorer: Explorer) -> None:
    """Let a search that is shown have taken no time, which is written beside it."""
    assert explorer.info is not None
    explorer.tracing.info = replace(explorer.info, seconds=0.0)
    if isinstance(explorer.tracing, SampleTracing) and explorer.tracing.progress is not None:
        explorer.tracing.progress = replace(explorer.tracing.progress, seconds=0.0)


def coded_learn(position: str, choice: Choice, step: int) -> Callable[[Stage], Learn]:
    """A search, stopped at a step, with its code."""

    def make(stage: Stage) -> Learn:
        screen = learn_of(position, choice, step)(stage)
        screen.walk.on = True
        stage.show(screen)
        return screen

    return make


def summed_learn(stage: Stage) -> Learn:
    """A Monte Carlo tree search at its root, with the sums by which a visit chooses."""
    screen = learn_of("tictactoe a3 b3", Choice("playouts"), 40)(stage)
    screen.explorer.look_at(0)
    return screen


def compared(view: str) -> Callable[[Stage], Screen]:
    """Searches that were compared, with figures as wide as may be, one of them pointed at."""

    def make(stage: Stage) -> Screen:
        screen = stage.show(Compare(stage.app, long_game("gomoku", 20)))
        state = screen.state
        state.stop()
        state.search_rows[:] = [
            SearchRow(name, depth, 549_946 // (15 - depth), 7.95, -12345, 0, depth < DEEPEST)
            for name in VARIANTS for depth in range(1, DEEPEST + 1)
        ]  # fmt: skip
        division = Division((123_456, 123_456), 12_345, (345_678, 345_678), (123_456, 123_456))
        state.shared[:] = [Shared(depth, 345_678, division, 456_789, 5) for depth in range(2, 11)]
        state.horizon_results[:] = [
            HorizonResult(4, 235, (1, 2), 2_226, tuple(range(9))), HorizonResult(8, -12_345, (3,), 12_261, ())
        ]  # fmt: skip
        state.choose(view)
        state.stop()
        state.pointed = ("deepening", 9)
        stage.frame(2)
        return screen

    return make


def compared_trees(stage: Stage) -> Screen:
    """Two whole trees to one scale."""
    screen = Compare(stage.app, parse("a3b3c3a2", setup("tictactoe")))
    screen.state.depth = 4
    stage.show(screen)
    stage.push(f"view.{TREES}")
    stage.until(lambda: screen.state.trees.finished and screen.state.current_plans is not None and still(screen))
    whole = len(screen.state.trees.traces[0])
    stage.until(lambda: screen.state.current_plans is not None and screen.state.current_plans.whole.count == whole)
    return screen


def chosen_in_library(stage: Stage) -> Screen:
    """A game of the library with its details."""
    screen = stage.show(library_of(stage))
    stage.until(lambda: screen.wake(0.0) is None)
    stage.keys(pygame.K_END, pygame.K_UP)
    return screen


def annotated_replay(stage: Stage) -> Screen:
    """Variations, one of them folded, and the signs of an annotator."""
    record = long_game("gomoku", 20, 60)
    names = ("TE", "BM", "DO", "IT", "GB", "GW", "UC", "DM")
    for number, node in enumerate(record.line()[1:17]):
        name = names[number % len(names)]
        node.extra[name] = ("",) if name in ("DO", "IT") else (str(1 + number // len(names)),)
    record.go_to(record.line()[10])
    while record.position.ply < 40:  # a variation that is folded
        record.play(record.position.legal_moves()[-1 - record.position.ply % 3])
    record.go_to(record.root.children[0])
    return Replay(stage.app, record, stage.home / "game.tengen.json", at_cursor=True, autosave=False)


def hinted_play(stage: Stage) -> Screen:
    """A game with a hint that shows the area of the best move."""
    thinks(stage.app, lambda _: Idle())
    stage.app.settings.thinking = True
    scene = Play(stage.app, long_game("gomoku", 20, 40), autosave=False)
    scene.state.ask_hint()
    wait(lambda: scene.state.hints.info is not None, stage.frame)
    return scene


def answered_lesson(stage: Stage) -> Screen:
    """A question with a wrong answer."""
    first = lessons("en")[0]
    screen = LessonScreen(stage.app, page=len(first.steps))
    screen.course.answer(0 if first.questions[0].answer != 1 else 1)
    return screen


def exercise_on_tree(key: str, number: int, end: str = "") -> Callable[[Stage], Screen]:
    """An exercise of a lesson: with wrong answers that were checked, solved, or given up; or as it begins."""

    def make(stage: Stage) -> Screen:
        screen = DrillScreen(stage.app, key, seed=1, number=number)
        book = screen.book
        work = book.work
        right = work.drill.solution()
        if end == "wrong":
            slots = {field.slot for field in right}
            for field, text in list(right.items())[1:-2]:
                wrong = text if "mark" in slots else "−88½" if field.node % 2 else text
                work.write(Field(field.node - 1, field.slot) if "mark" in slots else field, wrong)
            if "order" in slots:
                work.move(work.drill.tree.children[0][0], 1)
        elif end == "solved":
            work.answers.update(right)
        if end == "shown":
            book.show()
        elif end:
            book.check()
            work.seconds = 83.0
        return screen

    return make


def engines_of(stage: Stage) -> Screen:
    """Several engines, of which one was tested: with little success, and much to say."""
    rapfi = ExternalEngine("Rapfi", "/opt/rapfi --mode gomocup", "star", ("freestyle", "renju"), 128, 8192, 120, 10)
    write_atomic(engines_path(), dumps((rapfi, ExternalEngine("弈心", "yixin"), ExternalEngine("Embryo", "embryo"))))
    screen = EnginesScreen(stage.app)
    late = EngineError("", "slow")
    screen.state.checks = (
        EngineCheck("about", text='name="Rapfi", version="0.43.02"'), EngineCheck("move", "freestyle", "h8", 0.6),
        EngineCheck("move", "standard", error=late), EngineCheck("move", "renju", error=late),
        EngineCheck("stop", "freestyle", error=late),
    )  # fmt: skip
    screen.state.transcript = Transcript()
    screen.state.transcript.add("sent", "BOARD", "7,7,2", "DONE")
    screen.state.transcript.add("heard", "MESSAGE Depth 12-25 | Eval -151 | Time 500ms | " + 12 * "H8 I9 ", "7,6")
    screen.state.transcript.add("note", "“Rapfi” does not answer in time.")
    return screen


def failed_play(stage: Stage) -> Screen:
    """A game whose computer has failed."""
    record = long_game("gomoku", 20, 41)
    scene = Play(stage.app, record, autosave=False)
    scene.state.live.error, scene.state.live.waiting = EngineError("", "ended", "killed by SIGSEGV"), True
    return scene


class Sure(Player):
    """Tells the same of every position, and never moves."""

    nodes = 123_456_789

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        moves = tuple(position.legal_moves()[:20])
        yield Info(moves[0], -12_345, 20, self.nodes, 9.0, (Line(-12_345, moves),))
        wait(stop.is_set)


def watched_play(stage: Stage) -> Screen:
    """Two engines, of which each has told much."""
    thinks(stage.app, lambda _: Sure())
    stage.app.settings.expert = True
    record = long_game("gomoku", 20, 40)
    record.seats = Seat("external:Rapfi", seconds=20.0), Seat("external:弈心", seconds=20.0)
    scene = Play(stage.app, record, autosave=False)
    stage.show(scene)
    wait(lambda: scene.state.thoughts, stage.frame)
    scene.state.thoughts |= {1 - side: search for side, search in scene.state.thoughts.items()}
    return scene


THREATS = Puzzle(
    game="gomoku", size=9, rule="renju", moves="e5f5e4f4e6e3e7e8f6h6d2g7c6i7", theme="forbidden", plies=19, best="g5"
)


def puzzle_of(
    does: Callable[[PuzzleState], object] = lambda _: None, mode: Mode = "streak"
) -> Callable[[Stage], Screen]:  # fmt: skip
    """A puzzle with the longest sentences, after something was done."""

    def make(stage: Stage) -> Screen:
        screen = PuzzleScreen(stage.app, PuzzleRun(stage.app, Collection([THREATS]), mode, puzzles=[THREATS] * 12))
        assert screen.state is not None
        does(screen.state)
        return screen

    return make


class StillRun:
    """A tournament that is played, in which nothing moves."""

    over = busy = False

    def __init__(self, folder: Path, live: int) -> None:
        self.folder, self.tournament = folder, read_tournament(folder / JOURNAL)
        self.planned = self.tournament.pairings()
        self.played = {game.number: game for game in read_played(folder / JOURNAL)}
        self.live = {each.number: begin(each.match, each.fixture) for each in self.planned[-live:]}
        for number, record in self.live.items():
            for move in list(record.position.legal_moves())[number % 50 : 3 * number : 3]:
                record.play(move)

    def update(self) -> bool:
        return False

    def collect(self) -> bool:
        return False

    def stop(self) -> None:
        """There is nothing to stop."""


def tournaments_of(tab: str = "table", live: int = 0, count: int = 10) -> Callable[[Stage], Screen]:
    """A tournament with long names, of which a part was played: some games by failing."""

    def make(stage: Stage) -> Screen:
        no_tournaments(stage)
        for name in ("A tournament that goes on and on and on", "名局戦", "b"):
            names = ("level:10", "engine", "mcts:network", "external:弈心", "external:Rapfi goes on and on")
            entrants = [Entrant(PERSON, name="Somebody who goes on and on"), *map(Entrant, names)]
            entrants += [Entrant("engine", 20.0), *(Entrant(f"level:{number}") for number in range(1, 5))]
            made = Tournament(tuple(entrants[:count]), setup("gomoku", 15, "renju"), rounds=3, openings=("h8i9g7",))
            journal = open_journal(tournaments_home() / name / JOURNAL, made)
            for number in range(24, 60) if count > 5 else range(6):
                game = Game(number, "h8i9g7", number % 2, (1.0, 0.5, 0.0)[number % 3], "line", 41, (0.1, 20.0), "")
                lost = {"ending": "crash", "note": "why", "problem": "ended", "detail": "killed by SIGSEGV"}
                journal.add((game if number % 7 else replace(game, **lost)).document())
        if live:
            stage.app.tournaments.run = StillRun(tournaments_home() / "b", live)
        screen = TournamentScreen(stage.app, "b")
        if tab == "board":
            screen.state.follow(max(stage.app.tournaments.run.live))
        screen.state.tab = tab
        return screen

    return make


def hinted(state: PuzzleState) -> None:
    state.hints = 3


def refuted(state: PuzzleState) -> None:
    state.tried = state.record.play(0)
    state.state, state.answer = "wrong", PuzzleAnswer("wrong", tuple(state.shown.position.legal_moves()[:12]), 19)


def solved_up(state: PuzzleState) -> None:
    state.state, state.solution = "shown", tuple(state.start.position.legal_moves()[:19])


def streak_over(stage: Stage) -> Screen:
    run = PuzzleRun(stage.app, Collection([THREATS]), "streak")
    run.failed, run.solved = True, 12
    run.go_on()
    return PuzzleScreen(stage.app, run)


def no_tournaments(stage: Stage) -> Screen:
    stage.app.tournaments.run = None
    rmtree(tournaments_home(), ignore_errors=True)
    return TournamentScreen(stage.app)


def new_tournament(stage: Stage) -> Screen:
    screen = NewTournamentScreen(stage.app)
    state = screen.state
    state.choose_game("gomoku")
    state.system, state.rounds = "gauntlet", 500
    for player in (*state.offered, "engine", "engine", "engine", "mcts"):
        state.add(player)
    return screen


SCENES: dict[str, Callable[[Stage], Screen]] = {
    "home": home_of,
    "empty home": lambda stage: Home(stage.app),
    "setup gomoku": setup_of("gomoku", ("engine", "level:10")),
    "setup tictactoe": setup_of("tictactoe", ("person", "level:even")),
    "setup bones": setup_of("bones", ("alphabeta", "alphabeta")),
    "setup two people": setup_of("gomoku", (PERSON, PERSON), names=("Ada", "")),
    "levels": setup_of("gomoku", menu="level1"),
    "levels bones": setup_of("bones", menu="level1"),
    "profile": profile_of("gomoku"),
    "profile bones": profile_of("bones"),
    "profile habits": habits_of("gomoku"),
    "profile habits connect4": habits_of("connect4"),
    "empty profile": lambda stage: ProfileScreen(stage.app, "tictactoe"),
    "play": play_of(lambda: long_game("gomoku", 20)),
    "play finished": play_of(lambda: finished("gomoku", 20)),
    "play thinking": thinking_play,
    "play two people": two_people_play,
    "play taught": taught_play,
    "play looking back": looking_play,
    "play rated": rated_play,
    "play expert": expert_play,
    "play depths": deep_play,
    "play failed": failed_play,
    "play watched": watched_play,
    "engines": engines_of,
    "play opening": play_of(in_opening("taraguchi10", "h8", "stay", "h9", "stay", "j6", "stay", "k9")),
    "play fifth moves": play_of(in_opening("soosyrv8", "h8", "h9", "h10", "stay", "h11", "declare:8", "swap", "g8")),
    "play declared": play_of(in_opening("soosyrv8", "h8", "i9", "g7", "swap", "k9")),
    "openings": setup_of("gomoku", menu="opening", size=15),
    "play small": play_of(lambda: GameRecord(setup("gomoku", 5))),
    "play byoyomi": play_of(timed("90 min, 10×90 s", 0.5, 5400 + 880, 1.0)),
    "play increment": play_of(timed("2:00+30", 1.0)),
    "play hours": play_of(timed("600+600", 0.0, 0.0)),
    "play lost on time": play_of(lost_on_time),
    "play tictactoe": play_of(lambda: finished("tictactoe")),
    "play bones": play_of(bones),
    "play bones finished": play_of(lambda: long_game("bones", 60)),
    "replay": replay_of(lambda: long_game("gomoku", 20)),
    "replay branched": replay_of(branched, analysing=True, playing=True),
    "replay bones": replay_of(lambda: long_game("bones", 60), analysing=True),
    "replay analysis": replay_of(branched, analysing=True, tab="analysis"),
    "replay depths": deep_analysis,
    "replay cluster": cluster_analysis,
    "review": reviewed_replay(lambda: long_game("gomoku", 20, 60)),
    "review of a mistake": reviewed_replay(lambda: long_game("gomoku", 20, 60), 33),
    "review bones": reviewed_replay(lambda: long_game("bones", 60), 20),
    "review to come": unreviewed_replay,
    "review under way": reviewing_replay,
    "play on": lambda stage: SetupScreen(stage.app, record=long_game("gomoku", 20, 30), back=Home(stage.app)),
    "play on bones": lambda stage: SetupScreen(stage.app, record=bones(40), back=Home(stage.app)),
    "mistakes": lambda stage: MistakesScreen(stage.app, Practice(Deck(), [Exercise.of(*_mistaken())] * 12)),
    "mistakes wrong": exercise_of("wrong"),
    "mistakes shown": exercise_of("shown"),
    "no mistakes": lambda stage: MistakesScreen(stage.app),
    "puzzles": lambda stage: PuzzlesScreen(stage.app, collection=Collection([THREATS])),
    "puzzle": puzzle_of(),
    "puzzle own": puzzle_of(mode="own"),
    "puzzle hints": puzzle_of(hinted, "practice"),
    "puzzle wrong": puzzle_of(refuted),
    "puzzle shown": puzzle_of(solved_up, "practice"),
    "puzzle streak over": streak_over,
    "library": library_of,
    "empty library": lambda stage: LibraryScreen(stage.app),
    "tournaments": tournaments_of(live=3),
    "tournaments alone": tournaments_of(count=3, live=1),
    "tournaments waiting": tournaments_of(),
    "tournaments cross": tournaments_of("cross", live=2),
    "tournaments games": tournaments_of("games", live=2),
    "tournaments board": tournaments_of("board", live=3),
    "no tournaments": no_tournaments,
    "new tournament": new_tournament,
    "new tournament empty": lambda stage: NewTournamentScreen(stage.app),
    "databases": databases_of(),
    "databases import": databases_of(busy=True),
    "databases damaged": damaged_database,
    "replay explorer": explorer_of("gomoku"),
    "play explorer": played_before,
    "replay explorer connect4": explorer_of("connect4"),
    "clock": setup_of("gomoku", menu="clock", clock="20 min, 10×90 s"),
    "clock increment": setup_of("gomoku", menu="clock", clock="1:30+20"),
    "clock per move": setup_of("gomoku", menu="clock", clock="600 s"),
    "less time": setup_of("gomoku", menu="clock", clock="20 min, 10×90 s", divisors=(1, 8)),
    "no clock": setup_of("gomoku", menu="clock"),
    "replay lost on time": replay_of(lost_on_time),
    "learn": learn_of("tictactoe a3 b3 c3 a2 b2 c1", Choice("minimax")),
    "learn numbers": learn_of("numbers 3 12 8 | 2 4 6 | 14 5 2", Choice("alphabeta", 2), step=8),
    "learn gomoku": learn_of("gomoku h8 i9 g7 i7", Choice("deepening", 2)),
    "learn engine": engine_learn,
    "learn shared": learn_of("connect4 d c d", Choice("brothers", 4)),
    "learn mcts": learn_of("tictactoe a3 b3", Choice("mcts")),
    "learn predicting": learn_of("numbers 3 12 8 | 2 4 6 | 14 5 2", Choice("alphabeta", 2), asked=True),
    "lessons": lambda stage: Lessons(stage.app),
    "reading": lambda stage: ReadingScreen(stage.app, REFERENCES, back=Lessons(stage.app)),
    "lesson": lambda stage: LessonScreen(stage.app, page=1),
    "replay annotated": annotated_replay,
    "learn code of visits": coded_learn("tictactoe a3 b2", Choice("playouts"), 7),
    "learn sums": summed_learn,
    "play hint": hinted_play,
    "library chosen": chosen_in_library,
    "learn code": coded_learn("numbers ((5 3) (8 6)) ((4 2) (13 15))", Choice("pvs", 3), 9),
    "compare": compared(SEARCHES),
    "compare horizon": compared(HORIZON),
    "compare threads": compared(THREADS),
    "compare trees": compared_trees,
    "lesson training": lambda stage: LessonScreen(stage.app, "10-learning", 4),
    "lesson question": answered_lesson,
    "exercises": exercise_on_tree("04-alpha-beta", 0),
    "exercises windows": exercise_on_tree("04-alpha-beta", 2, "wrong"),
    "exercises cuts": exercise_on_tree("08-parallel", 2, "wrong"),
    "exercises order": exercise_on_tree("05-ordering", 2, "wrong"),
    "exercises values": exercise_on_tree("02-minimax", 2, "solved"),
    "exercises boards": exercise_on_tree("01-game-tree", 2),
    "exercises gomoku": exercise_on_tree("03-evaluation", 1, "wrong"),
    "exercises chance": exercise_on_tree("10-learning", 2, "shown"),
    "exercises ucb": exercise_on_tree("09-mcts", 0, "shown"),
    "exercises backup": exercise_on_tree("09-mcts", 1, "wrong"),
    "exercises visit": exercise_on_tree("09-mcts", 2, "wrong"),
    "position editor": lambda stage: PositionEditor(stage.app, long_game("gomoku", 20, 60)),
    "position editor tictactoe": lambda stage: PositionEditor(stage.app, GameRecord(setup("tictactoe"))),
    "position editor connect4": lambda stage: PositionEditor(stage.app, long_game("connect4", plies=30)),
    "position editor bones": lambda stage: PositionEditor(stage.app, bones()),
}
"""The screens in their worst states."""


def pictured(picture: ScreenPicture) -> Callable[[Stage], Screen]:
    return lambda stage: picture.make(stage.app, long_game("gomoku", 20), None)


SCENES |= {
    name: pictured(picture)
    for name, picture in PICTURES.items()
    if name in SCREENS and not any(scene.startswith(name.replace("_", " ")) for scene in SCENES)
}


Size = tuple[tuple[int, int], int]
