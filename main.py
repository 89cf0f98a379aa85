"""Tengen's command line. Without a subcommand it opens the window.

This module only parses arguments; each subcommand imports what it needs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ai.system.version import VERSION
from ui.commands.console import (
    Failure,
    Misuse,
    exit_status,
    failing,
    print_notices,
    refuse_overwriting,
    write_output,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Return the exit status: 0 success, 1 failure; bad usage exits with 2."""
    return exit_status(lambda: _run(list(sys.argv[1:] if arguments is None else arguments)))


def _run(given: list[str]) -> int:
    if given == ["compile"]:  # internal: see ai/system/compiler/compilation.py
        from ai.gomoku.compile_kernels import run

        return run()
    if given[:1] == ["keep"] and len(given) > 2 and given[1].isdecimal():  # internal: see ai/system/programs.py
        from ai.system.keeper import run as keep

        return keep(given[1:])
    if given and given[0] in COMMANDS:
        return COMMANDS[given[0]].run(command_parser(given[0]).parse_args(given[1:]))
    return _window(window_parser().parse_args(given))


@dataclass(frozen=True)
class Command:
    """A subcommand: what it is `about`, how it is run, and how its arguments, if any, are added to a parser."""

    about: str
    run: Callable[[argparse.Namespace], int]
    add: Callable[[argparse.ArgumentParser], None] = lambda _parser: None


def window_parser() -> argparse.ArgumentParser:
    """Return the parser of a command line without a subcommand."""
    listed = "\n".join(f"  {name:<12}{command.about}" for name, command in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="tengen",
        description="Play gomoku, Connect Four and other board games, and analyse and review them.",
        epilog=f"commands (each has its own --help):\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="a saved game to open")
    parser.add_argument("--diagnose", action="store_true", help="print versions, paths, fonts, sound and displays")
    parser.add_argument("--version", action="version", version=f"tengen {VERSION}")
    return parser


def command_parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of a subcommand."""
    command = COMMANDS[name]
    description = f"{command.about[0].upper()}{command.about[1:]}."
    parser = argparse.ArgumentParser(prog=f"tengen {name}", description=description)
    command.add(parser)
    return parser


def _window(options: argparse.Namespace) -> int:
    if options.diagnose:
        from ui.diagnosis import diagnose
        from ui.start import prepare

        prepare()
        print(diagnose(VERSION))
        return 0
    # `Path.is_file` raises for a name that is too long.
    if options.file is not None and not os.path.isfile(options.file):  # noqa: PTH113
        from games.formats.common import quoted

        raise Failure(f"There is no file {quoted(options.file)}, and no command of that name.")
    from ui.start import start

    return start(options.file)


# Shared by the subcommands.

_GAME = "gomoku"
"""The game of moves alone, unless `--game` names another."""


def _add_game(parser: argparse.ArgumentParser) -> None:
    """Add the options that moves alone do not determine."""
    from games.registry import GAMES

    parser.add_argument("--game", choices=tuple(GAMES), default=_GAME)
    rules = dict.fromkeys(rule for game in GAMES.values() if len(game.rules) > 1 for rule in game.rules)
    parser.add_argument("--rule", choices=tuple(rules))
    parser.add_argument("--size", type=int, metavar="N", help="board size, or bones in the heap")


def _positive(kind: type) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        value = kind(text)
        if not 0 < value < 1e9:
            raise argparse.ArgumentTypeError(f"{text} is not a number above 0 and below 1,000,000,000")
        return value

    parse.__name__ = kind.__name__  # used in argparse's messages
    return parse


def _setup(options: argparse.Namespace) -> Any:
    from games.registry import setup

    with failing(ValueError, usage=True):
        return setup(options.game, options.size, options.rule)


def _chosen(options: argparse.Namespace) -> Any:
    """What the options say of a game where its file does not: None if nothing, so that the rule may follow from the
    moves."""
    chosen = _setup(options)
    return None if (options.game, options.size, options.rule) == (_GAME, None, None) else chosen


def _read_target(options: argparse.Namespace) -> Any:
    from games.formats import FormatError, read_target

    chosen = _chosen(options)
    with failing(FormatError):
        record = read_target(options.target, chosen)
    print_notices(record)
    return record


def _await_engine() -> None:
    """Wait for the gomoku engine, showing the progress of its compilation on stderr. Raise `Failure`."""
    from ai.gomoku.handle import EngineHandle, wait_on_terminal

    state = wait_on_terminal(EngineHandle())
    if state.name == "failed":
        raise Failure(state.reason)


# The subcommands.


def _analyse_arguments(parser: argparse.ArgumentParser) -> None:
    from ai.players.table import kinds_text
    parser.add_argument("target", metavar="TARGET", help="a game file, or moves such as h8i9g7")
    _add_game(parser)
    parser.add_argument("--player", metavar="NAME", help="who analyses, as in arena (default: the strongest)")
    parser.add_argument("--seconds", type=_positive(float), metavar="S",
                        help="seconds per position (default: 1, unless --depth is given; minimax goes to the end)")
    parser.add_argument("--depth", type=_positive(int), metavar="D", help="plies per position")
    parser.add_argument("--threads", type=_positive(int), metavar="N",
                        help="number of search threads (default: 1; at most one per processor); with --cluster of each "
                             "worker (default: all it has)")
    parser.add_argument("--multipv", type=_positive(int), metavar="K", default=1, help="best moves (default: 1)")
    parser.add_argument("--last", action="store_true", help="analyse only the last position")
    parser.add_argument("--trace", type=Path, metavar="OUT.json",
                        help=f"write the tree of the last search, of {kinds_text(lambda kind: kind.traced, 'or')}")
    parser.add_argument("--cluster", metavar="ADDR|local",
                        help=f"share out the search of {kinds_text(lambda kind: kind.share, 'or')} to the workers of "
                             "this Dask scheduler; with “local” start a cluster on this machine, to try it out")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _analyse(options: argparse.Namespace) -> int:
    from ai.arena.executors import NoExecutor
    from ai.core.player import Limit
    from ai.pbrain.external import EngineError
    from ai.players.table import Context, check, ends, make, needs_engine, strongest
    from ai.service.analyse import analyse, enable_tracing, last_search, public, text_lines
    from ai.service.profile import resolve_level
    from ai.system.threads import processors

    record = _read_target(options)
    refuse_overwriting(options.target, options.trace)
    game = record.setup.game
    name = options.player or strongest(game)
    context = Context(game, threads=min(options.threads or 1, processors()))
    with failing(ValueError, usage=True):
        check(name, game)
        shared = _on_cluster(name, game, options) if options.cluster else None
    if needs_engine(name, game):
        _await_engine()
    seconds = options.seconds if options.seconds or options.depth or ends(name, game) else 1.0
    limit = Limit(seconds=seconds, depth=options.depth, lines=options.multipv)
    with failing(ValueError):
        player = shared or make(resolve_level(name, game), context)
    with failing(ValueError, usage=True):
        tracer = enable_tracing(player, name) if options.trace else None
    with closing(player), failing(EngineError), failing(NoExecutor):
        if shared is not None:
            shared.warm_up(record.root.position)
        positions = analyse(record, player, limit, options.last)
        if options.json:
            setup = record.setup
            head = {"game": game, "rule": setup.rule, "size": setup.size}
            print(json.dumps(head | {"positions": [public(facts) for facts in positions]}))
        else:
            for facts in positions:
                print(*text_lines(facts), sep="\n", flush=True)
    if tracer is not None:
        write_output(options.trace, json.dumps(last_search(record, tracer, name)).encode())
    return 0


def _on_cluster(name: str, game: str, options: argparse.Namespace) -> Any:
    """Return the player whose search is shared out to a cluster."""
    from ai.distributed.cluster_player import on_cluster
    from ai.players.table import Context

    def on_loss(reason: str) -> None:
        print(f"{reason} The analysis goes on on this machine.", file=sys.stderr)

    return on_cluster(name, Context(game, threads=options.threads or 0), options.cluster, on_loss)


def _convert_arguments(parser: argparse.ArgumentParser) -> None:
    from games.formats import ENCODINGS
    from ui.commands.convert import kinds_of_files

    parser.add_argument("source", metavar="IN", help="a game file, or moves such as h8i9g7")
    parser.add_argument("destination", metavar="OUT",
                        help=f"a file; its extension determines the format: {kinds_of_files()}")
    parser.add_argument("--all", action="store_true",
                        help="write all games of IN, which may be a folder or a database, to OUT, one SGF file")
    parser.add_argument("--at", type=_positive(int), metavar="PLY",
                        help="draw the position after this move, or animate up to it")
    parser.add_argument("--numbers", action="store_true", help="number the moves in a picture")
    parser.add_argument("--width", type=_positive(int), metavar="PX",
                        help="width of a picture in pixels (default: 720; 480 if animated)")
    parser.add_argument("--delay", type=_positive(int), metavar="MS",
                        help="milliseconds between moves of an animation (default: 800)")
    parser.add_argument("--encoding", metavar="NAME",
                        help=f"encoding of the file IN (default: as it says, or a guess): {', '.join(ENCODINGS)}, …")
    _add_game(parser)


def _convert(options: argparse.Namespace) -> int:
    from ui.commands.convert import convert, convert_all

    if options.all:
        others = options.at, options.encoding, _chosen(options), options.numbers, options.width, options.delay
        if any(others):
            raise Misuse("--all is used without other options.")
        convert_all(Path(options.source), Path(options.destination))
        return 0
    convert(options.source, Path(options.destination), _chosen(options), options.at, options.encoding,
            numbers=options.numbers, width=options.width, delay=options.delay)
    return 0


def _find_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="POSITION",
                        help="a game file, for its last position, or moves such as h8i9g7")
    parser.add_argument("--in", dest="place", type=Path, metavar="FOLDER|DATABASE",
                        help="search a folder of game files, or a database (default: the saved games)")
    _add_game(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _find(options: argparse.Namespace) -> int:
    from ui.commands.database_commands import find

    find(_read_target(options), options.place, options.rule, as_json=options.json)
    return 0


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", type=Path, metavar="SOURCE", nargs="+", help="a file or a folder of games")
    parser.add_argument("--into", type=Path, metavar="DATABASE", required=True,
                        help="the database; created if there is none, else what it does not have is added")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _import(options: argparse.Namespace) -> int:
    from ui.commands.database_commands import import_into

    import_into(options.sources, options.into, as_json=options.json)
    return 0


def _review_arguments(parser: argparse.ArgumentParser) -> None:
    from ai.arena.arena import add_cluster
    from ui.toolkit.i18n import LANGUAGES

    parser.add_argument("target", metavar="TARGET", help="a game file, moves such as h8i9g7, or a folder of game files")
    _add_game(parser)
    parser.add_argument("--seconds", type=_positive(float), metavar="S", default=0.5,
                        help="seconds per position (default: 0.5)")
    parser.add_argument("--player", metavar="NAME",
                        help="who judges one game (default: the strongest); its scores are taken as ours")
    parser.add_argument("--threads", type=_positive(int), metavar="N",
                        help="positions searched at once, at most one per processor (the default)")
    parser.add_argument("--html", type=Path, metavar="OUT", help="write a page with diagrams that can be printed")
    parser.add_argument("--lang", choices=LANGUAGES, help="language of the page (default: that of the window)")
    parser.add_argument("--resume", type=Path, metavar="F", help="keep the reviews of a folder here, and continue them")
    add_cluster(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _review(options: argparse.Namespace) -> int:
    from ai.arena.executors import NoExecutor
    from ai.arena.journal import BadJournal
    from ai.core.player import PlayerFailure
    from ai.players.table import check
    from ai.system.threads import processors
    from ui.commands.review_games import review_game, review_games

    folder = os.path.isdir(options.target)  # noqa: PTH112  (`Path.is_dir` raises for a name as long as a game)
    if options.html and (options.cluster or folder):
        raise Misuse("--html is for one game, reviewed on this machine.")
    if options.resume and not folder:
        raise Misuse("--resume is for a folder.")
    if options.player and (options.cluster or folder):
        raise Misuse("--player is for one game, reviewed on this machine.")
    a_game = 1 if folder and options.cluster else processors()  # workers of a cluster share processors
    threads = min(options.threads or a_game, processors())
    with failing(NoExecutor, BadJournal, PlayerFailure):
        if folder:
            review_games(Path(options.target), options.seconds, threads, _chosen(options), cluster=options.cluster,
                         kept=options.resume, as_json=options.json)
        else:
            record = _read_target(options)
            refuse_overwriting(options.target, options.html)
            with failing(ValueError, usage=True):
                check(options.player or "engine", record.setup.game)
            review_game(record, options.seconds, threads, html=options.html, language=options.lang,
                        cluster=options.cluster, as_json=options.json, player=options.player)
    return 0


def _bench_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=_positive(float), metavar="S", default=1.0,
                        help="seconds per measurement (default: 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _bench(options: argparse.Namespace) -> int:
    _await_engine()
    from ai.lab.bench import bench
    from ui.lab.measure import measure

    figures = bench(options.seconds) | measure(options.seconds)
    if options.json:
        print(json.dumps(figures))
        return 0
    for name, value in figures.items():
        print(f"{name:<26}{'–' if value is None else value}")
    return 0


def _arena_arguments(parser: argparse.ArgumentParser) -> None:
    from ai.arena.arena import add_cluster
    from ai.players.table import kinds_text

    known = kinds_text(lambda kind: not kind.program, "or")
    player = f"a player: {known}, some with options as in level:3 or engine:threads=2, or “cmd:…” for another program"
    parser.add_argument("a", metavar="A", help=player)
    parser.add_argument("b", metavar="B", help="its opponent; results are from A's view")
    parser.add_argument("more", metavar="C", nargs="*", default=[],  # without a default it is said to be required
                        help="more players make it a tournament, with a table")
    parser.add_argument("--rounds", type=_positive(int), metavar="N",
                        help="rounds of a tournament, in each of which any two play an opening twice (default: 1)")
    parser.add_argument("--gauntlet", action="store_true", help="a tournament of A against each other player")
    parser.add_argument("--games", type=_positive(int), metavar="N",
                        help="number of games of a match; each opening is played twice (default: 100)")
    parser.add_argument("--seconds", type=_positive(float), metavar="S", default=1.0,
                        help="seconds per move (default: 1)")
    parser.add_argument("--grace", type=_positive(float), metavar="S", default=0.05,
                        help="a player loses if it exceeds its time by more seconds (default: 0.05)")
    _add_game(parser)
    parser.add_argument("--openings", type=Path, metavar="F",
                        help="take openings from this file of position strings, one per line")
    parser.add_argument("--seed", type=int, metavar="K",
                        help="seed of the openings' order (default: 0) and of random players")
    parser.add_argument("--resume", type=Path, metavar="F",
                        help="save the match in this file, or a tournament in this folder, and continue it")
    add_cluster(parser)
    parser.add_argument("--workers", type=_positive(int), metavar="N", help="number of games played at once")
    parser.add_argument("--elo1", type=_positive(float), metavar="E",
                        help="Elo difference that the SPRT tests for (default: 10)")
    parser.add_argument("--sprt", action="store_true", help="end the match when the SPRT decides")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _arena(options: argparse.Namespace) -> int:
    from ai.arena.arena import ArenaError, Match, Options, arena
    from ai.players.table import check
    from ai.service.profile import resolve_level

    tournament = bool(options.more or options.gauntlet or options.rounds)
    if tournament and (options.games or options.elo1 or options.sprt):
        raise Misuse("--games, --sprt and --elo1 are for a match of two players.")
    way = Options(options.games or 100, options.openings, options.resume, options.cluster, options.elo1 or 10.0,
                  options.sprt, options.workers)
    setup, names = _setup(options), (options.a, options.b, *options.more)
    with failing(ValueError, usage=True):
        for name in names:
            check(name, setup.game)
    players = [resolve_level(name, setup.game) for name in names]
    if tournament:
        return _tournament(options, players, setup, way)
    match = Match((players[0], players[1]), setup, options.seconds, options.seed, options.grace)
    with failing(ArenaError):
        arena(match, way, options.json)
    return 0


def _tournament(options: argparse.Namespace, players: Sequence[str], setup: Any, way: Any) -> int:
    from ai.arena.arena import ArenaError, openings
    from ai.arena.tournament import (
        GAUNTLET,
        MOST_ENTRANTS,
        MOST_ROUNDS,
        ROUND_ROBIN,
        Entrant,
        Tournament,
        play_and_print,
    )
    from ai.gomoku.openings import BadOpenings

    rounds = options.rounds or 1
    if len(players) > MOST_ENTRANTS or rounds > MOST_ROUNDS:
        raise Misuse(f"A tournament has at most {MOST_ENTRANTS} players and {MOST_ROUNDS} rounds.")
    entrants = tuple(Entrant(name, options.seconds) for name in players)
    with failing(BadOpenings):
        texts = openings(setup, options.openings, options.seed or 0)
    system, seed = GAUNTLET if options.gauntlet else ROUND_ROBIN, options.seed or 0
    tournament = Tournament(entrants, setup, system, rounds, tuple(texts[:rounds]), seed, options.grace)
    with failing(ArenaError):
        play_and_print(tournament, way, options.json)
    return 0


def _engine(_options: argparse.Namespace) -> int:
    from ai.pbrain.server import run

    return run(VERSION)


def _screenshot_arguments(parser: argparse.ArgumentParser) -> None:
    from ui.commands.screenshot import scenes
    from ui.toolkit.i18n import DEFAULT, LANGUAGES

    *names, last = scenes()
    parser.add_argument("scene", metavar="SCENE", help=f"{', '.join(names)} or {last}")
    parser.add_argument("out", metavar="OUT.png")
    parser.add_argument("--size", type=_size, metavar="WxH", default=(1280, 800),
                        help="size in pixels (default: 1280x800)")
    parser.add_argument("--scale", type=_positive(int), metavar="P", default=100,
                        help="size of texts and controls in per cent, 80 to 200 (default: 100)")
    parser.add_argument("--theme", choices=("ink", "paper"), default="ink")
    parser.add_argument("--lang", choices=LANGUAGES, default=DEFAULT)
    parser.add_argument("--file", type=Path, metavar="F", help="the game to show (default: a sample)")
    parser.add_argument("--at", type=int, metavar="N", help="show the position after this move, or the lesson N")
    parser.add_argument("--page", type=int, metavar="P", help="show page P of the lesson, or its exercise P")


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isascii() and width.isdigit() and height.isascii() and height.isdigit()):
        raise argparse.ArgumentTypeError(f"“{text}” is not a size such as 1280x800")
    return int(width), int(height)


def _screenshot(options: argparse.Namespace) -> int:
    from games.formats import FormatError
    from ui.commands.screenshot import screenshot

    if options.file is not None:
        refuse_overwriting(options.file, Path(options.out))
    # A `FormatError` is a `ValueError`, too.
    with failing(ValueError, usage=True), failing(FormatError):
        screenshot(options.scene, Path(options.out), options.size, options.scale, options.theme, options.lang,
                   options.file, options.at, options.page)
    return 0


def _prove_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help="a game file, or moves such as h8i9g7")
    _add_game(parser)
    means = parser.add_mutually_exclusive_group()
    means.add_argument("--fours", action="store_true", help="try fours only")
    means.add_argument("--threats", action="store_true", help="try all threats (the default)")
    parser.add_argument("--moves", metavar="h8,i9", help="the win must begin with one of these moves")
    parser.add_argument("--seconds", type=_positive(float), metavar="S", help="stop after so long (default: never)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _prove(options: argparse.Namespace) -> int:
    record = _read_target(options)
    _await_engine()
    from ui.commands.proofs import prove

    moves = options.moves.split(",") if options.moves else ()
    prove(record, not options.fours, moves, options.seconds, options.json)
    return 0


def _puzzles_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(dest="what", required=True)
    mine = what.add_parser("mine", help="find puzzles in games, and prove them")
    mine.add_argument("source", type=Path, metavar="SOURCE", help="a game file, or a folder of game files")
    mine.add_argument("out", type=Path, metavar="OUT", help="the file of puzzles to write")
    check = what.add_parser("check", help="prove the puzzles of a file again")
    check.add_argument("file", type=Path, metavar="FILE", help="a file of puzzles")
    check.add_argument("--json", action="store_true", help="print one JSON document")


def _puzzles(options: argparse.Namespace) -> int:
    _await_engine()
    from ui.commands.proofs import check_puzzles, mine_puzzles

    if options.what == "mine":
        mine_puzzles(options.source, options.out)
        return 0
    return int(not check_puzzles(options.file, options.json))


COMMANDS = {
    "analyse": Command("evaluate each position of a game", _analyse, _analyse_arguments),
    "review": Command("find the mistakes of a game, with better moves", _review, _review_arguments),
    "convert": Command("convert a game file to another format or to a picture", _convert, _convert_arguments),
    "find": Command("find the games with a position, and what was played there", _find, _find_arguments),
    "import": Command("add the games of files and folders to a database", _import, _import_arguments),
    "arena": Command("play a match between two players, for Elo difference and error", _arena, _arena_arguments),
    "prove": Command("prove that a position is won by threats, or that it is not", _prove, _prove_arguments),
    "puzzles": Command("find puzzles in games, and prove puzzles again", _puzzles, _puzzles_arguments),
    "bench": Command("measure the speed of this machine", _bench, _bench_arguments),
    "engine": Command("serve other programs: Gomocup protocol on stdin and stdout", _engine),
    "screenshot": Command("draw a screen into a file, without a display", _screenshot, _screenshot_arguments),
}


if __name__ == "__main__":
    if getattr(sys, "frozen", False):  # worker processes start this program again
        from multiprocessing import freeze_support

        freeze_support()
    raise SystemExit(main())
