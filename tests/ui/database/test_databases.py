"""The explorer beside a board, and the screen of the databases."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from threading import Event
from typing import Any

import pygame
import pytest

from games.database.importer import UnreadGame, Writer, import_games
from games.database.reader import Continuation, FoundGame, GameQuery, Reader, Results
from games.database.schema import DatabaseError
from games.evaluation import Evaluation
from games.formats import FormatError, encoded, save
from games.formats.text import parse
from games.position import Outcome
from games.record import PERSON, About, GameRecord, Seat
from games.registry import GAMES, setup
from games.storage import saves_home
from tests.ui.scenes import databases_of
from tests.ui.stage import SPOKEN, Make, Stage, act, choose_file, part
from tests.waiting import wait
from ui.database.screen import DatabaseScreen
from ui.database.state import FILTERS, MOST, DatabaseState
from ui.parts.databases import (
    Questions,
    continuation_text,
    error_sentence,
    failure_sentence,
    import_sentence,
    players_text,
)
from ui.play.screen import Play
from ui.play.side_views import PlayedBefore
from ui.replay.screen import Replay
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.typesetting import width_of, wrapped


@pytest.fixture
def made(stage: Make) -> Stage:
    return stage()


def a_database(made: Stage, *texts: str) -> Path:
    """A database of games, of which the first side has won; it is the one that is asked."""
    file = made.home / "games.tengendb"
    writer = Writer(file)
    for number, text in enumerate(texts):
        record = parse(text)
        record.names, record.about = (f"Ada {number}", "Bob"), About(event=f"Cup of Tallinn, {number}")
        record.date = f"202{number}-01-01"
        record.end(Outcome(0, "resigned"))
        assert writer.put(record)
    writer.commit()
    writer.close()
    made.app.settings.remember_database(file)
    return file


def explored(made: Stage, record: GameRecord) -> Replay:
    scene = made.show(Replay(made.app, record, at_cursor=True, tab="explorer", autosave=False))
    settled(made, scene)
    return scene


def settled(made: Stage, scene: Any) -> None:
    made.frame(2)
    made.until(lambda: scene.wake(0.0) != 0.0)


def listed(scene: Replay) -> list[tuple[str, int]]:
    """The moves of the explorer, with their games."""
    rows: Any = scene.widgets.elements["continuations"]
    position = scene.state.record.position
    return [(position.move_text(each.move), each.results.games) for each in rows.found.continuations]


def row(scene: Replay | Play, number: int) -> tuple[int, int]:
    rows: Any = scene.widgets.elements["continuations"]
    return rows.row_rect(number).center


def test_the_explorer_shows_what_was_played_and_a_click_plays_on(made: Stage) -> None:
    a_database(made, "h8i9g7", "h8i9g7j10", "h8i9h9", "h8i8")
    scene = explored(made, parse("h8i9a1"))
    scene.state.go(scene.state.record.line()[2])
    settled(made, scene)
    assert listed(scene) == [("g7", 2), ("h9", 1)] or listed(scene) == [("g7", 2), ("g8", 1)]
    made.click(row(scene, 0))
    settled(made, scene)
    record = scene.state.record
    assert record.position.move_text(record.cursor.move or 0) == "g7"
    assert len(record.line()[2].children) == 2  # a variation
    assert listed(scene) == [("j10", 1)]


def test_the_list_of_the_position_before_plays_nothing(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the answer was awaited, a click on the old list played one of its moves in the new position."""
    a_database(made, "h8i9g7")
    scene = explored(made, parse("h8i9a1"))
    scene.state.go(scene.state.record.line()[1])
    settled(made, scene)
    asked, explore = Event(), Reader.explore
    monkeypatch.setattr(Reader, "explore", lambda *given: asked.wait(60) and explore(*given))
    record, place = scene.state.record, row(scene, 0)
    scene.state.go(record.line()[2])
    made.frame()
    made.click(place)
    assert (record.cursor, record.cursor.children) == (record.line()[2], [record.line()[3]])
    asked.set()
    settled(made, scene)
    made.click(row(scene, 0))
    assert record.position.move_text(record.cursor.move or 0) == "g7"


def test_the_explorer_marks_the_move_under_the_pointer(made: Stage) -> None:
    a_database(made, "h8i9g7")
    scene = explored(made, parse("h8i9"))
    made.hover(row(scene, 0))
    scene.widgets.update(0.0, made.pointer)
    assert scene.all_marks().line == (parse("g7").cursor.move,)
    assert "1 game" in scene.hint()


def test_the_explorer_says_why_it_has_no_moves(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    a_database(made, "h8i9")
    written: list[tuple[str, int]] = []
    monkeypatch.setattr(
        "ui.parts.games_explorer.write", lambda _s, _t, text, _r, size, *_, **__: written.append((text, size))
    )
    scene = explored(made, parse("h8i9a1"))
    none = t("database.none_here"), 14
    assert none in written
    scene.state.go(scene.state.record.root)
    settled(made, scene)
    written.clear()
    made.frame()
    assert none not in written
    assert "continuations" in scene.widgets.elements
    missing = made.home / "missing.tengendb"
    made.app.settings.database = str(missing)
    settled(made, scene)
    assert "continuations" not in scene.widgets.elements
    assert written[-1] == (error_sentence(DatabaseError("missing", missing)), 14)


def test_a_move_of_the_explorer_is_played_in_a_game_which_is_not_rated_then(made: Stage) -> None:
    a_database(made, "h8i9g7", "h8g9")
    scene = made.show(Play(made.app, GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:1")))))
    assert scene.state.saver.counts
    act(scene, "g")
    settled(made, scene)
    assert not scene.state.saver.counts
    made.click(row(scene, 0))
    assert scene.state.record.line()[1].move == parse("h8").cursor.move
    act(scene, "g")
    made.frame(2)
    assert "continuations" not in scene.widgets.elements


def test_the_menu_of_a_game_shows_the_games_played_before_and_hides_them(made: Stage) -> None:
    a_database(made, "h8i9g7", "h8g9")
    scene = made.show(Play(made.app, GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:1")))))
    for shown in (True, False):
        (entry,) = (each for each in scene.entries() if each.text == t("database.beside"))
        entry.run()
        settled(made, scene)
        assert ("continuations" in scene.widgets.elements) is shown


def test_the_games_played_before_leave_room_for_the_moves_or_take_all(made: Stage) -> None:
    scene = made.show(Play(made.app, GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:1")))))
    act(scene, "g")
    for high, taken in ((400, 270), (364, 270), (363, 269), (204, 110), (203, 203)):
        space = Space(pygame.Rect(0, 0, 300, high), 0)
        part(scene, PlayedBefore).build(space)
        assert high - space.rest.height == taken


def test_what_an_engine_thinks_of_a_move_named_no_side() -> None:
    position, move = parse("h8").position, parse("h8i9").cursor.move
    assert move is not None
    known = Continuation(move, (move,), Results(5, 1, 1, 2), "2026", Evaluation(900, None, 9))
    said = continuation_text(setup("gomoku"), position, known)
    assert re.search(r"engine, for White: \d+ %$", said)
    told = "5 games · Black wins 25 % · Draw 50 % · White wins 25 % · last played 2026"
    assert continuation_text(setup("gomoku"), position, replace(known, evaluation=None)) == told
    few = Continuation(move, (move,), Results(3, 1, 1), "")
    assert continuation_text(setup("gomoku"), position, few) == "3 games · Black wins 50 % · White wins 50 %"
    assert continuation_text(setup("gomoku"), position, replace(few, results=Results(1))) == "1 game"


def test_a_game_that_could_not_be_read_is_numbered_if_it_is_not_the_first_of_its_file() -> None:
    failures = [UnreadGame("C:\\games\\a.sgf", FormatError("damaged"), number) for number in (0, 1, 2)]
    names = [failure_sentence(each).partition("”")[0] for each in failures]
    assert names == ["“a.sgf", "“a.sgf", "“a.sgf (2)"]


def test_the_games_of_a_position_open_at_that_position(made: Stage) -> None:
    a_database(made, "h8i9g7j10k11", "a1b2")
    scene = explored(made, parse("h8i9g7"))
    made.push("games")
    databases: Any = made.app.scene
    assert isinstance(databases, DatabaseScreen)
    settled(made, databases)
    assert [each.ply for each in databases.state.games] == [3]
    games: Any = databases.widgets.elements["games"]
    games.open_row(0)
    made.until(lambda: isinstance(made.app.scene, Replay) and made.app.scene is not scene)
    shown: Any = made.app.scene
    assert shown.state.record.cursor.position.ply == 3
    assert shown.state.record.names == ("Ada 0", "Bob")
    made.press(pygame.K_ESCAPE)
    assert made.app.scene is databases
    for here, count in ((False, 2), (True, 1)):
        made.push("position")
        settled(made, databases)
        assert (databases.widgets.buttons["position"].chosen, len(databases.state.games)) == (here, count)


def test_games_are_searched_for(made: Stage) -> None:
    a_database(made, "h8i9g7", "h8i9h9", "a1b2")
    scene = made.show(DatabaseScreen(made.app))
    settled(made, scene)
    assert len(scene.state.games) == 3
    assert scene.status() == t("library.found", found="3", total="3")
    scene.widgets.focus = "search"
    made.write("x" * 300)
    assert len(scene.state.text) == 200
    scene.widgets.elements["search"].set_text("")
    made.write("ada 1")
    settled(made, scene)
    assert [each.seats[0].name for each in scene.state.games] == ["Ada 1"]
    assert scene.status() == t("library.found", found="1", total="3")
    scene.state.text = ""
    made.choose("result", "second")
    settled(made, scene)
    assert scene.state.games == []
    games: Any = scene.widgets.elements["games"]
    assert games.empty == t("database.nothing")
    assert [name for name, button in scene.widgets.buttons.items() if button.chosen] == ["result"]
    made.choose("result", "first")
    settled(made, scene)
    assert len(scene.state.games) == 3


def test_a_long_name_of_a_filter_is_cut_at_its_arrow(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = made.show(DatabaseScreen(made.app))
    monkeypatch.setattr(scene.state, "label", lambda _name: "i" * 200)
    made.app.rebuild()
    made.frame()
    button = scene.widgets.buttons["rule"]
    left = button.rect.width - 52 - width_of(made.app.theme, button.text, 16)
    assert left in range(width_of(made.app.theme, "i", 16))


@pytest.mark.parametrize(("code", "rows"), [("en", 1), ("ru", 2), ("ja", 2)])
def test_the_filters_stand_in_two_rows_where_their_labels_were_cut(stage: Make, code: str, rows: int) -> None:
    made = stage((960, 640), 100, "ink", code)
    scene = made.show(DatabaseScreen(made.app))
    made.frame()
    buttons = [scene.widgets.buttons[name] for name in FILTERS]
    assert [button.text for button in buttons] == [scene.state.label(name) for name in FILTERS]
    assert len({button.rect.top for button in buttons}) == rows


def test_you_were_nobody_in_a_list_of_your_games() -> None:
    """The library called the same person “You”."""
    found = FoundGame(1, setup("gomoku"), (Seat(), Seat("level:2")), "", "", None, 1, 0, "a.sgf", 1)
    assert players_text(found).startswith(t("seat.you"))
    assert players_text(replace(found, seats=(Seat(name="Ada"), Seat()))) == "Ada – ?"


def test_a_game_of_a_database_that_is_gone_or_damaged_is_a_sentence(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = a_database(made, "h8i9g7")
    scene = made.show(DatabaseScreen(made.app))
    settled(made, scene)
    file.unlink()
    games: Any = scene.widgets.elements["games"]
    games.open_row(0)
    made.until(lambda: not made.app.jobs.busy)
    assert (made.app.scene, made.app.message[0]) == (scene, error_sentence(DatabaseError("missing", file)))
    for error, said in ((FormatError("", "foreign"), t("format.foreign", name=file.name)),
                        (ValueError(), t("job.failed", name=file.name))):  # fmt: skip
        a_database(made, "h8i9g7")
        monkeypatch.setattr(Reader, "record", lambda *_, error=error: (_ for _ in ()).throw(error))
        games.open_row(0)
        made.until(lambda: not made.app.jobs.busy)
        assert made.app.message == (said, made.app.theme.palette.bad)
        file.unlink()


def test_more_games_than_are_listed_are_counted(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    a_database(made, "h8i9g7", "h8i9h9", "a1b2")
    assert MOST == 500
    for most, suffix in ((3, ""), (2, f" · {t('database.first', count=2)}")):
        for module in ("state", "screen"):
            monkeypatch.setattr(f"ui.database.{module}.MOST", most)
        scene = made.show(DatabaseScreen(made.app))
        settled(made, scene)
        assert len(scene.state.games) == most
        assert scene.status() == t("library.found", found="3", total="3") + suffix


def test_while_my_games_are_read_it_is_said_of_them_alone(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    file = a_database(made, "h8i9g7")
    monkeypatch.setattr(type(made.app.imports), "mirroring", True)
    for name, said in ((str(file), "database.nothing"), ("", "database.reading")):
        made.app.settings.database = name
        scene = made.show(DatabaseScreen(made.app))
        scene.state.text = "nobody"
        settled(made, scene)
        games: Any = scene.widgets.elements["games"]
        assert games.empty == t(said)


@pytest.mark.parametrize("tab", ["", "explorer"])
def test_my_games_have_those_saved_since_the_last_look_also_after_a_failed_import(made: Stage, tab: str) -> None:
    """They stayed as at the first look since the window was opened, and were not read at all after such an import."""
    made.app.imports.broken = True
    for count, text in enumerate(("h8i9g7", "h8g8", "h8h9"), 1):
        saves_home().mkdir(parents=True, exist_ok=True)
        save(parse(text), saves_home() / f"{count}.sgf")
        record = parse("h8")
        at = record.setup, record.position
        scene: Any = explored(made, record) if tab else made.show(DatabaseScreen(made.app, *at))
        made.until(lambda: not made.app.imports.mirroring)
        settled(made, scene)
        if tab:
            assert scene.widgets.elements["continuations"].found.results.games == count
        else:
            assert len(scene.state.games) == count


@pytest.mark.parametrize(("own", "mirrored", "broken", "begun"), [
    (True, False, False, 1), (False, False, False, 0), (True, True, False, 0), (True, False, True, 1),
])  # fmt: skip
def test_my_games_are_read_once_for_their_screen(
    made: Stage, monkeypatch: pytest.MonkeyPatch, own: bool, mirrored: bool, broken: bool, begun: int
) -> None:
    file, imports, times = a_database(made, "h8i9g7"), made.app.imports, list[int]()
    monkeypatch.setattr(imports, "mirror", lambda: times.append(1))
    made.app.settings.database = "" if own else str(file)
    imports.mirrored, imports.broken = mirrored, broken
    state = DatabaseState(made.app, None, None)
    state.update()
    state.close()
    assert len(times) == begun


def test_a_search_is_made_of_what_is_chosen(made: Stage) -> None:
    a_database(made, "h8i9g7")
    of, position = setup("gomoku"), parse("h8").position
    state = DatabaseState(made.app, of, position)
    assert state.search() == GameQuery(position=position, setup=of)
    state.chosen |= {"game": "tictactoe", "rule": "renju", "result": "draw"}
    state.text = " ada "
    assert state.search() == GameQuery(position, of, text="ada", rule="renju", result="draw")
    state.here = False
    year = date.today().year
    for since, begin in (("1", year), ("5", year - 4), ("20", year - 19)):
        state.chosen["since"] = since
        assert state.search() == GameQuery(
            game="tictactoe", text="ada", rule="renju", result="draw", since=str(begin)
        )  # fmt: skip
    assert [value for value, _ in state.options("since")] == ["", "1", "5", "20"]
    assert [value for value, _ in state.options("rule")] == ["", *GAMES["gomoku"].rules]
    assert state.label("result") == t("library.result.draw")


def test_games_are_listed_with_their_event_where_there_is_room(stage: Make) -> None:
    for size, shown in (((1051, 640), False), ((1052, 640), True)):
        made = stage(size)
        file = a_database(made, "h8i9g7")
        scene = made.show(DatabaseScreen(made.app))
        settled(made, scene)
        games: Any = scene.widgets.elements["games"]
        (row,) = games.rows
        assert row.note.split(" · ")[2:] == [*(["Cup of Tallinn, …"] if shown else []), "2020-01-01"]
        file.unlink()


def test_the_list_of_databases_grows_with_them_and_my_games_cannot_be_changed(made: Stage, tmp_path: Path) -> None:
    heights = []
    for number in range(4):
        made.app.settings.remember_database(tmp_path / f"{number}.tengendb")
        made.app.settings.database = ""
        scene = made.show(DatabaseScreen(made.app))
        listed: Any = scene.widgets.elements["databases"]
        heights.append(listed.rect.height)
        assert (listed.at, "forget" in scene.widgets.elements, "import" in scene.widgets.elements) == (0, False, False)
        made.press(pygame.K_i, pygame.KMOD_LCTRL)
        assert made.app.overlay is None
        assert not scene.take_file(tmp_path / "a.sgf")
    assert [height - heights[0] for height in heights] == [0, 0, 32, 64]


def test_the_progress_of_an_import_was_drawn_over_what_is_said_of_my_games(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, told = databases_of(busy=True)(made), list[str]()
    monkeypatch.setattr("ui.database.screen.write_paragraph", lambda *given: told.append(given[2]))
    made.frame(2)
    assert set(told) == {import_sentence(made.app.imports)}
    made.press(pygame.K_i, pygame.KMOD_LCTRL)
    assert (made.app.overlay, scene.take_file(made.home / "a.sgf")) == (None, False), "one import at a time"
    scene.state.choose("")
    made.frame(2)
    told.clear()
    made.frame(2)
    assert told == []


def test_what_is_dropped_is_opened_or_imported(made: Stage, tmp_path: Path) -> None:
    database, other = a_database(made, "h8i9g7"), tmp_path / "OTHER.TENGENDB"
    other.write_bytes(database.read_bytes())
    scene = made.show(DatabaseScreen(made.app))
    (tmp_path / "new.sgf").write_bytes(encoded(parse("a1b2"), Path("a.sgf")))
    assert scene.take_file(tmp_path / "new.sgf")
    settled(made, scene)
    assert len(scene.state.games) == 2
    scene.state.import_from(other)
    assert made.app.message[0] == t("database.no_games")
    assert scene.take_file(other)
    assert made.app.settings.database == str(other)


def test_of_many_games_that_cannot_be_read_the_first_are_told(made: Stage) -> None:
    a_database(made, "h8i9g7")
    made.show(DatabaseScreen(made.app))
    imports, error = made.app.imports, FormatError("It is none.", "foreign")
    for count, failed, lines in ((1, 1, 1), (8, 8, 8), (9, 9, 9), (9, 12, 9)):
        imports.failures = [UnreadGame("a.sgf", error, number) for number in range(count)]
        imports.failed = failed
        made.frame(2)
        made.push("failures")
        question: Any = made.app.overlay
        told = question.message.splitlines()
        assert len(told) == lines
        assert (told[-1] == t("library.import.more", count=failed - 8)) == (failed > 8)
        made.app.overlay = None


@pytest.mark.parametrize("language", SPOKEN)
def test_games_with_long_names_that_cannot_be_read_were_told_below_the_button(stage: Make, language: str) -> None:
    made = stage((960, 640), language=language)
    long = "Meijin tournament, final stage, Nakamura Shigeru – Kasai Tsuyoshi, board {}.sgf"
    a_database(made, "h8i9g7")
    made.show(DatabaseScreen(made.app))
    imports = made.app.imports
    for error in (FormatError("large", "too_long", most=30_000), FormatError("wide", "board", board="19×18")):
        imports.failures, imports.failed = [UnreadGame(long.format(each), error, each) for each in range(9)], 1000
        made.frame(2)
        made.push("failures")
        question: Any = made.app.overlay
        lines = wrapped(made.app.theme, question.message, question.rect.width - 40, 16)
        assert question.rect.top + 48 + 23 * len(lines) <= question.widgets.elements["accept"].rect.top
        assert len(set(question.message.splitlines())) == 9, "which games is told, too"
        made.app.overlay = None


def test_a_database_is_made_and_filled_in_the_window(made: Stage, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "a.sgf").write_bytes(encoded(parse("h8i9"), Path("a.sgf")) + b"(;GM[4]SZ[99];B[aa])")
    scene = made.show(DatabaseScreen(made.app))
    made.push("new")
    choose_file(made.app, tmp_path / "mine.tengendb")
    assert made.app.settings.database == str(tmp_path / "mine.tengendb")
    made.push("import")
    menu: Any = made.app.overlay
    menu.then("folder")
    choose_file(made.app, folder)
    settled(made, scene)
    assert "1 game imported." in made.app.message[0]
    assert len(scene.state.games) == 1
    made.push("failures")
    assert isinstance(made.app.overlay, Question)
    assert "a.sgf (2)" in made.app.overlay.message


@pytest.mark.parametrize("foreign", [False, True])
def test_a_new_database_in_the_place_of_a_file_is_empty(made: Stage, foreign: bool) -> None:
    """After “Replace” the old database was opened, and a file that was none was an error."""
    file = a_database(made, "h8i9g7")
    scene = made.show(DatabaseScreen(made.app))
    settled(made, scene)
    assert len(scene.state.games) == 1
    made.app.imports.start(file, [])
    if foreign:
        file.write_bytes(b"no database")
    made.push("new")
    dialog: Any = made.app.overlay
    choose_file(made.app, file)
    dialog.question.widgets.press("accept")
    assert not made.app.imports.busy, "it would fill the new one"
    settled(made, scene)
    assert (made.app.settings.database, scene.state.games) == (str(file), [])
    with closing(Reader(file)) as reader:
        assert reader.summary().games == 0


def test_closing_took_the_reader_from_the_thread_that_followed(made: Stage) -> None:
    """SQLite crashed: the thread that ended closed what the next one read."""
    database, held, again = a_database(made, "h8i9"), Event(), Event()
    questions: Questions[int] = Questions(made.app)

    def wait_first(reader: Reader) -> int:
        again.set()
        held.wait(30)
        return reader.summary().games

    questions.ask("first", database, wait_first)
    assert again.wait(30)
    questions.close()
    questions.ask("second", database, lambda reader: reader.summary().games + 10)
    wait(lambda: questions.update() or not questions.busy)
    held.set()
    assert questions.answer == 11
    questions.ask("third", database, lambda reader: reader.summary().games + 20)
    wait(lambda: questions.update() or not questions.busy)
    assert questions.answer == 21
    questions.close()


def test_a_database_that_was_made_anew_was_read_as_it_had_been(made: Stage) -> None:
    """A mirror that is damaged is replaced by another file: the one that had been opened stayed open."""
    database = a_database(made, "h8i9")
    questions: Questions[int] = Questions(made.app)
    questions.ask("first", database, lambda reader: reader.summary().games)
    wait(lambda: questions.update() or not questions.busy)
    database.unlink()
    a_database(made, "h8i9", "h8i8")
    questions.ask("second", database, lambda reader: reader.summary().games)
    wait(lambda: questions.update() or not questions.busy)
    questions.close()
    assert questions.answer == 2


def test_my_games_are_what_was_saved(made: Stage) -> None:
    save(parse("h8i9g7"), saves_home() / "mine.tengen.json")
    scene = explored(made, parse("h8i9"))
    assert listed(scene) == [("g7", 1)]


def test_what_is_no_database_is_refused_with_a_sentence(made: Stage, tmp_path: Path) -> None:
    scene = made.show(DatabaseScreen(made.app))
    made.push("open")
    other = tmp_path / "other.tengendb"
    other.write_bytes(b"nothing" * 100)
    choose_file(made.app, other)
    assert "not a database" in made.app.message[0]
    assert made.app.settings.databases == []
    made.app.settings.remember_database(tmp_path / "gone.tengendb")
    made.until(lambda: scene.state.questions.error)
    games: Any = scene.widgets.elements["games"]
    assert "gone.tengendb" in games.empty
    made.push("forget")
    assert (made.app.settings.database, made.app.settings.databases) == ("", [])


@pytest.mark.slow
def test_an_import_in_a_process_can_be_stopped_and_resumed(made: Stage, tmp_path: Path) -> None:
    file, database = tmp_path / "many.sgf", tmp_path / "a.tengendb"
    sgf = encoded(parse("h8i9g7j10"), Path("a.sgf"))
    file.write_bytes(b"".join(sgf.replace(b"SZ[15]", b"SZ[15]PB[%d]" % number) for number in range(600)))
    made.app.imports.start(database, [file])
    made.until(lambda: made.app.imports.progress.games)
    made.app.imports.stop()
    assert not made.app.imports.busy
    made.app.imports.start(database, [file])
    wait(lambda: not made.app.imports.busy, made.frame, 600.0)  # it stands back behind all other work
    assert made.app.imports.progress.duplicates == 0
    *_, again = import_games(database, [file, tmp_path / "none.sgf"])
    assert again.games == 0
    made.app.settings.remember_database(database)
    scene = made.show(DatabaseScreen(made.app))
    settled(made, scene)
    assert scene.state.questions.answer is not None
    assert scene.state.questions.answer.count == 600
