"""Every scene in every look, language and size: nothing overlaps, nothing is cut off, every key does something.

The states are the worst there are: a finished game with a long list of moves, four variations, long names, sixty
bones, boards of twenty lines, analysis with nothing to say yet and with much.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pygame
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from pygame_gui.elements import UIButton

import ui.text
from ai.player import Info, Line
from ai.profile import Profile, save_profile
from games.clock import TimeControl
from games.formats import native, save
from games.library import Library
from games.position import Outcome
from games.record import PERSON, Evaluation, GameRecord, Seat
from games.registry import GAMES, setup
from ui.app import App
from ui.help import Help
from ui.keys import key_label, matches
from ui.scene import Binding, Scene
from ui.scenes.about import AboutScene
from ui.scenes.clock import ClockScene
from ui.scenes.home import Home
from ui.scenes.library import LibraryScene
from ui.scenes.play import Play
from ui.scenes.profile import ProfileScene
from ui.scenes.replay import Replay
from ui.scenes.settings import SettingsScene
from ui.scenes.setup import SetupScene
from ui.settings import NewGame, Settings
from ui.text import fitted
from ui.theme import Theme
from ui.words import search_words

SIZES = (((960, 640), 100), ((1280, 800), 100), ((2560, 1440), 200))
LOOKS = tuple(product(("ink", "paper"), ("en", "zh")))


@dataclass(frozen=True)
class Cut:
    """A text that did not fit where it was written."""

    text: str
    shown: str


class Stage:
    """An app without a display, and what was cut off while it drew."""

    def __init__(self, home: Path, size: tuple[int, int], scale: int, theme: str, language: str) -> None:
        self.home = home
        settings = Settings(theme=theme, language=language, scale=scale, motion=False)
        settings.width, settings.height = size
        self.app = App(settings)
        self.cuts: list[Cut] = []

    def show(self, scene: Scene) -> Scene:
        self.app.show(scene)
        self.frame()
        return scene

    def frame(self, times: int = 1) -> None:
        for _ in range(times):
            self.app.frame(time.monotonic(), 0.02)

    def press(self, key: int, mod: int = 0, text: str = "") -> None:
        self.app._dispatch(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=text, scancode=0))
        self.app._dispatch(pygame.event.Event(pygame.KEYUP, key=key, mod=mod, unicode=text, scancode=0))
        self.frame()


Make = Callable[..., Stage]


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    made: list[Stage] = []

    def make(size: tuple[int, int] = (1280, 800), scale: int = 100, theme: str = "ink", language: str = "en") -> Stage:
        stage = Stage(tmp_path, size, scale, theme, language)
        made.append(stage)

        def fitting(theme: Theme, string: str, width: int, size: int, bold: bool = False) -> str:
            shown = fitted(theme, string, width, size, bold)
            if shown != string:
                stage.cuts.append(Cut(string, shown))
            return shown

        monkeypatch.setattr(ui.text, "fitted", fitting)
        return stage

    yield make
    for stage in made:
        stage.app.scene.leave()
        stage.app.sounds.close()
    pygame.quit()


# The worst there is.


def long_game(game: str = "gomoku", size: int | None = None, plies: int = 150) -> GameRecord:
    """A game of many moves, each with an evaluation."""
    return native.loads(_long_game(game, size, plies))  # a record of one's own


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
    return native.dumps(record)


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


def home_of(stage: Stage) -> Scene:
    settings = stage.app.settings
    saves = stage.home / "saves"
    for number in range(12):
        file = saves / f"2026-11-21 10.05.0{number} gomoku {number}.tengen.json"
        saves.mkdir(exist_ok=True)
        file.write_bytes(_long_game("gomoku", None, 20))
        settings.remember_file(file)
    settings.unfinished = str(file)
    return Home(stage.app)


def library_of(stage: Stage) -> Scene:
    """Many games, read already, with long names, and one that cannot be read."""
    saves = stage.home / "saves"
    saves.mkdir(exist_ok=True)
    for number in range(40):
        (saves / f"2026-11-21 10.05.{number} gomoku.tengen.json").write_bytes(_long_game("gomoku", 20, 30 + number))
    (saves / "a name that goes on and on and on and on.tengen.json").write_bytes(_long_game("bones", 60, 9))
    (saves / "damaged.tengen.json").write_bytes(b"no game")
    library = Library(words=search_words)
    library.refresh()
    while library.busy:
        time.sleep(0.01)
    library.close()
    return LibraryScene(stage.app)


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


def setup_of(game: str, players: tuple[str, str]) -> Callable[[Stage], Scene]:
    def make(stage: Stage) -> Scene:
        known = GAMES[game]
        stage.app.settings.new_game[game] = NewGame(known.sizes[-1], known.rules[-1], players, (30.0, 30.0))
        return SetupScene(stage.app, game)

    return make


def levels_of(game: str) -> Callable[[Stage], Scene]:
    """The menu of levels over the screen of a new game."""

    def make(stage: Stage) -> Scene:
        scene = setup_of(game, (PERSON, "level:3"))(stage)
        stage.show(scene).widgets.press("level1")
        return scene

    return make


def profile_of(game: str) -> Callable[[Stage], Scene]:
    """Of a person who has played every level, some without its counting."""

    def make(stage: Stage) -> Scene:
        profile = Profile()
        opponents = ["level:even=2.5", *(f"level:{number}" for number in range(1, 11)), "engine", "level:9"]
        for number, opponent in enumerate(opponents * 3):
            seats = (Seat(PERSON), Seat(opponent)) if number % 2 else (Seat(opponent), Seat(PERSON))
            record = GameRecord(setup(game), seats, f"2026-11-{1 + number // 2:02}T12:00:00")
            record.play(record.position.candidates()[0])
            record.play(record.position.candidates()[0])
            record.resign(number % 3 // 2)
            profile.add(record, Path(f"{number}.tengen.json"))
        save_profile(profile)
        return ProfileScene(stage.app, game)

    return make


def clock_of(text: str) -> Callable[[Stage], Scene]:
    control = TimeControl.parse(text) if text else None
    return lambda stage: ClockScene(stage.app, control, lambda _: None, Home(stage.app))


def play_of(make: Callable[[], GameRecord]) -> Callable[[Stage], Scene]:
    return lambda stage: Play(stage.app, make(), keep=False)


def thinking_play(stage: Stage) -> Scene:
    record = long_game("gomoku", 20, 40)
    scene = Play(stage.app, record, keep=False)
    pv = tuple(record.position.legal_moves()[:40])
    scene.match.thought_about = record.position
    scene.match.info = Info(pv[0], -9_999_970, 38, 123_456_789, 29.9, (Line(-9_999_970, pv),))
    return scene


def replay_of(
    make: Callable[[], GameRecord], analysing: bool = False, playing: bool = False
) -> Callable[[Stage], Scene]:
    def build(stage: Stage) -> Scene:
        file = stage.home / "a name of a file that nobody would want to type twice.tengen.json"
        scene = Replay(stage.app, make(), file, at_cursor=True)
        scene.analysing = analysing
        if playing:
            scene._next_step = time.monotonic() + 3600
        return scene

    return build


SCENES: dict[str, Callable[[Stage], Scene]] = {
    "home": home_of,
    "empty home": lambda stage: Home(stage.app),
    "setup gomoku": setup_of("gomoku", ("engine", "level:10")),
    "setup tictactoe": setup_of("tictactoe", ("person", "level:even")),
    "setup bones": setup_of("bones", ("alphabeta", "alphabeta")),
    "levels": levels_of("gomoku"),
    "levels bones": levels_of("bones"),
    "profile": profile_of("gomoku"),
    "profile bones": profile_of("bones"),
    "empty profile": lambda stage: ProfileScene(stage.app, "tictactoe"),
    "play": play_of(lambda: long_game("gomoku", 20)),
    "play finished": play_of(lambda: finished("gomoku", 20)),
    "play thinking": thinking_play,
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
    "library": library_of,
    "empty library": lambda stage: LibraryScene(stage.app),
    "clock": clock_of("20 min, 10×90 s"),
    "clock increment": clock_of("1:30+20"),
    "clock per move": clock_of("600 s"),
    "no clock": clock_of(""),
    "replay lost on time": replay_of(lost_on_time),
    "settings": lambda stage: SettingsScene(stage.app),
    "about": lambda stage: AboutScene(stage.app),
}


Size = tuple[tuple[int, int], int]


@pytest.mark.parametrize(("look", "size"), list(product(LOOKS, SIZES)), ids=str)
def test_nothing_overlaps_and_nothing_is_cut_off(stage: Make, look: tuple[str, str], size: Size) -> None:
    made = stage(*size, *look)
    faults: list[str] = []
    for name, make in SCENES.items():
        made.cuts.clear()
        scene = made.show(make(made))
        scene.leave()
        made.frame()
        faults.extend(f"{name}: {fault}" for fault in (*button_faults(made, scene), *panel_faults(made, scene)))
        faults.extend(f"{name}: {cut.text!r} is cut off: {cut.shown!r}" for cut in made.cuts if not may_be_cut(cut))
    assert not faults, "\n".join(faults)


def may_be_cut(cut: Cut) -> bool:
    """Names of files and folders may be of any length, and so may comments."""
    return any(part in cut.text for part in ("tengen.json", "A comment", "/", "on and on", "2026-11-21 10.05."))


def button_faults(made: Stage, scene: Scene) -> Iterator[str]:
    elements = {key: element for key, element in scene.widgets.elements.items() if element.visible}
    window = pygame.Rect((0, 0), made.app.size)
    for key, element in elements.items():
        if not window.contains(element.rect):
            yield f"{key} sticks out of the window: {element.rect}"
        if min(element.rect.size) < made.app.theme.px(30 if isinstance(element, UIButton) else 24):
            yield f"{key} is too small to hit: {element.rect}"
        if isinstance(element, UIButton) and "recent" not in key and overflows(element):
            yield f"the text of {key} is wider than the button"
    for (one, first), (other, second) in combinations(elements.items(), 2):
        if first.rect.colliderect(second.rect):
            yield f"{one} and {other} overlap"


def overflows(button: UIButton) -> bool:
    if not button.text or button.font is None:
        return False
    return bool(button.font.size(str(button.text))[0] > button.rect.width - 8)


def panel_faults(made: Stage, scene: Scene) -> Iterator[str]:
    """What a scene draws itself has a place of its own, inside the window."""
    window = pygame.Rect((0, 0), made.app.size)
    rects = {key: rect for key, rect in parts(scene) if rect is not None}
    for key, rect in rects.items():
        if not window.contains(rect):
            yield f"{key} sticks out of the window: {rect}"
    for (one, first), (other, second) in combinations(rects.items(), 2):
        if first.colliderect(second):
            yield f"{one} and {other} overlap"
    for (key, rect), (button, widget) in product(rects.items(), scene.widgets.elements.items()):
        if rect.colliderect(widget.rect):
            yield f"{key} lies under {button}"


def parts(scene: Scene) -> Iterator[tuple[str, pygame.Rect | None]]:
    for key, value in vars(scene).items():
        if key.endswith("_rect") and key not in ("primary_rect", "empty_rect"):
            yield key, value
    for kind in ("_texts", "_values", "_headings"):
        for number, (rect, *_) in enumerate(getattr(scene, kind, ())):
            yield f"{kind} {number}", rect
    if hasattr(scene, "moves"):
        yield "moves", scene.moves.rect
    if hasattr(scene, "status"):
        yield "status", scene.status


@pytest.mark.parametrize("size", SIZES)
def test_the_list_of_moves_has_room(stage: Make, size: Size) -> None:
    made = stage(*size)
    for name in ("play", "replay", "replay branched", "replay bones", "play bones finished"):
        scene: Any = made.show(SCENES[name](made))
        assert scene.moves.rect.height >= made.app.theme.px(2 * 30), f"{name}: two rows at the least"


@pytest.mark.parametrize(("language", "size"), list(product(("en", "zh"), SIZES)))
def test_the_page_of_keys_fits(stage: Make, language: str, size: Size) -> None:
    made = stage(*size, language=language)
    for name in ("empty home", "play small", "replay bones", "library", "settings"):
        made.show(SCENES[name](made)).leave()
        made.cuts.clear()
        made.app.show_keys()
        made.frame()
        assert not [cut for cut in made.cuts if not may_be_cut(cut)], name


@pytest.mark.parametrize(("look", "size"), list(product(LOOKS, SIZES)), ids=str)
def test_the_file_dialog_fits(stage: Make, look: tuple[str, str], size: Size) -> None:
    made = stage(*size, *look)
    for saving in (True, False):
        scene: Any = made.show(SCENES["play small"](made))
        scene.do_save_as() if saving else scene.do_open()
        made.frame(2)
        dialog: Any = made.app._window
        assert pygame.Rect((0, 0), made.app.size).contains(dialog.rect)
        parts = (dialog.ok_button, dialog.cancel_button, dialog.file_path_text_line, dialog.file_selection_list)
        for part in parts:
            assert dialog.rect.contains(part.rect), part
            assert not isinstance(part, UIButton) or not overflows(part), part.text
        assert not [pair for pair in combinations(parts, 2) if pair[0].rect.colliderect(pair[1].rect)]
        dialog.kill()


# Keys.

CODES = {"return": pygame.K_RETURN, "escape": pygame.K_ESCAPE, "space": pygame.K_SPACE, "?": pygame.K_SLASH}
CODES |= {"pageup": pygame.K_PAGEUP, "pagedown": pygame.K_PAGEDOWN}


def event_of(name: str) -> tuple[int, int, str]:
    """What pressing the key `name` sends: key, modifiers, text."""
    *modifiers, key = name.split("+")
    mod = sum({"ctrl": pygame.KMOD_LCTRL, "shift": pygame.KMOD_LSHIFT}[m] for m in modifiers)
    if key == "?":
        return pygame.K_SLASH, pygame.KMOD_LSHIFT, "?"
    return CODES.get(key) or pygame.key.key_code(key), mod, ""


ALL = (Home, SetupScene, ClockScene, Play, Replay, LibraryScene, ProfileScene, SettingsScene, AboutScene)


def bindings_of(kind: type[Scene]) -> tuple[Binding, ...]:
    return (*kind.bindings, *App.bindings)


@pytest.mark.parametrize("kind", ALL)
def test_every_binding_names_a_method(kind: type[Scene]) -> None:
    for binding in kind.bindings:
        assert callable(getattr(kind, binding.action, None)), binding
    for binding in App.bindings:
        assert callable(getattr(App, binding.action, None)), binding


@pytest.mark.parametrize("kind", ALL)
def test_no_key_is_bound_twice(kind: type[Scene]) -> None:
    keys = [key for binding in bindings_of(kind) for key in binding.keys]
    assert len(keys) == len(set(keys)), keys


MAKERS = {
    "home": "empty home", "setup": "setup gomoku", "play": "play tictactoe", "replay": "replay bones",
    "library": "library", "profile": "profile", "settings": "settings", "about": "about", "clock": "clock",
}
CASES = [(kind.name, key) for kind in ALL for binding in bindings_of(kind) for key in binding.keys]


@pytest.mark.parametrize(("name", "key"), CASES)
def test_every_key_runs(stage: Make, name: str, key: str) -> None:
    made = stage()
    scene = made.show(SCENES[MAKERS[name]](made))
    code, mod, text = event_of(key)
    pressed = pygame.event.Event(pygame.KEYDOWN, key=code, mod=mod, unicode=text)
    assert any(matches(pressed, binding.keys) for binding in bindings_of(type(scene)))
    made.press(code, mod, text)
    made.frame(2)


# The app.


def test_a_dropped_file_opens_in_the_replay(stage: Make, tmp_path: Path) -> None:
    save(long_game(plies=9), tmp_path / "game.tengen.json")
    made = stage()
    for name in ("home", "setup gomoku", "play", "replay", "settings"):
        made.show(SCENES[name](made))
        made.app._dispatch(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / "game.tengen.json")))
        made.frame()
        assert isinstance(made.app.scene, Replay), name
        assert len(made.app.scene.record.line()) == 10


def test_a_dropped_file_that_is_no_game_is_a_sentence(stage: Make, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no moves here", encoding="utf-8")
    made = stage()
    scene = made.show(SCENES["play"](made))
    for file in ("notes.txt", "missing.tengen.json", "picture.png", "."):
        made.app.message = ("", (0, 0, 0))
        made.app._dispatch(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / file)))
        made.frame()
        assert made.app.message[0], file
        assert made.app.scene is scene


def test_a_held_f11_does_not_leave_the_full_screen_again(stage: Make) -> None:
    made = stage()
    made.show(Home(made.app))
    down = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F11, mod=0, unicode="", scancode=0)
    for _ in range(3):
        made.app._dispatch(down)
    assert made.app.settings.full_screen
    made.app._dispatch(pygame.event.Event(pygame.KEYUP, key=pygame.K_F11, mod=0, unicode="", scancode=0))
    made.app._dispatch(down)
    assert not made.app.settings.full_screen


@pytest.mark.parametrize(("day", "proposed"), [("2026-05-01T12:00:00", "2026-05-01"), ("the day after", None)])
def test_the_name_that_saving_proposes_is_new(stage: Make, day: str, proposed: str | None) -> None:
    made = stage()
    record = GameRecord(setup("gomoku"), date=day)
    scene: Any = made.show(Play(made.app, record, keep=False))
    expected = proposed or datetime.now().date().isoformat()
    for number in ("", " 2"):
        scene.do_save_as()
        shown = Path(made.app._window.file_path_text_line.get_text())  # type: ignore[union-attr]
        assert shown == made.home / "saves" / f"Gomoku {expected}{number}.tengen.json"
        made.app._window.pick()  # type: ignore[union-attr]
        made.frame()
        assert shown.is_file()
        made.app._dialog = None


@pytest.mark.parametrize("name", SCENES)
def test_a_button_tells_the_key_that_does_the_same(stage: Make, name: str) -> None:
    made = stage()
    scene = made.show(SCENES[name](made))
    bound = {binding.action: binding.keys for binding in bindings_of(type(scene))}
    for button, action in scene.widgets._actions.items():
        keys = bound.get(getattr(action, "__name__", ""), ())
        keys = (*keys, "m", "h") if button == "primary" else keys  # which tells the key of what it does now
        told = scene.widgets.buttons[button].tool_tip_text or ""
        assert not keys or any(key_label(key) in told for key in keys), f"{button}: {told!r}"


def hold(made: Stage, key: int, times: int = 5, mod: int = 0) -> None:
    """Presses `key` and keeps it down for so long that it comes `times` times."""
    for _ in range(times):
        made.app._dispatch(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0))
        made.frame()
    made.app._dispatch(pygame.event.Event(pygame.KEYUP, key=key, mod=mod, unicode="", scancode=0))


@pytest.mark.parametrize(
    ("key", "name"),
    [(pygame.K_n, "numbers"), (pygame.K_c, "coordinates"), (pygame.K_a, "thinking"), (pygame.K_s, "sound")],
)
def test_a_held_key_switches_once(stage: Make, key: int, name: str) -> None:
    made = stage()
    made.show(SCENES["play tictactoe"](made))
    before = getattr(made.app.settings, name)
    hold(made, key)
    assert getattr(made.app.settings, name) is not before
    hold(made, key)
    assert getattr(made.app.settings, name) is before


def test_a_held_enter_presses_a_button_once(stage: Make) -> None:
    made = stage()
    scene = made.show(SCENES["setup gomoku"](made))
    scene.widgets.focus = "size.less"
    assert isinstance(scene, SetupScene)
    size = scene.chosen.size
    hold(made, pygame.K_RETURN)
    assert scene.chosen.size == size - 1


def test_a_key_that_is_held_longer_than_its_ctrl_acts_once(stage: Make) -> None:
    made = stage()
    home = made.show(Home(made.app))

    def event(kind: int, key: int, mod: int) -> None:
        made.app._dispatch(pygame.event.Event(kind, key=key, mod=mod, unicode="", scancode=0))

    event(pygame.KEYDOWN, pygame.K_LCTRL, pygame.KMOD_LCTRL)
    event(pygame.KEYDOWN, pygame.K_n, pygame.KMOD_LCTRL)
    made.frame()
    opened = made.app.scene
    assert opened is not home
    event(pygame.KEYUP, pygame.K_LCTRL, 0)
    event(pygame.KEYDOWN, pygame.K_n, pygame.KMOD_LCTRL)  # as pygame repeats it, with the Ctrl of its beginning
    made.frame()
    assert made.app.scene is opened


def test_held_arrows_step_on_and_undo_goes_on(stage: Make) -> None:
    made = stage()
    scene: Any = made.show(Replay(made.app, long_game(plies=20)))
    hold(made, pygame.K_RIGHT, 7)
    assert scene.record.position.ply == 7
    scene = made.show(SCENES["play"](made))
    ply = scene.record.position.ply
    hold(made, pygame.K_z, 3, pygame.KMOD_LCTRL)
    assert scene.record.position.ply <= ply - 3


def hear(made: Stage, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whatever is played from now on."""
    heard: list[str] = []
    monkeypatch.setattr(made.app.sounds, "play", heard.append)
    return heard


def test_moves_and_the_end_are_heard(stage: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = stage()
    scene = Play(made.app, GameRecord(setup("tictactoe")), keep=False)
    made.show(scene)
    heard = hear(made, monkeypatch)
    for move in (0, 3, 1, 4):
        scene.chosen(move)
        made.frame(2)
    assert heard == ["stone"] * 4
    scene.do_undo()
    made.frame()
    scene.do_redo()
    made.frame()
    assert heard == ["stone"] * 5, "a step back is quiet"
    scene.chosen(2)
    made.frame(2)
    assert heard[5:] == ["stone", "win"]


def test_bones_and_a_resignation_are_heard(stage: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = stage()
    scene = Play(made.app, GameRecord(setup("bones"), (Seat(PERSON), Seat("alphabeta"))), keep=False)
    made.show(scene)
    heard = hear(made, monkeypatch)
    scene.chosen(1)
    made.frame()
    scene.match.resign()
    made.frame()
    assert heard == ["bones", "loss"]


def test_the_steps_of_a_replay_are_heard_but_not_how_it_ended(stage: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = stage()
    scene = Replay(made.app, finished("tictactoe"))
    made.show(scene)
    heard = hear(made, monkeypatch)
    steps = len(scene.record.line()) - 1
    for _ in range(steps):
        scene.do_next()
        made.frame()
    scene.do_first()
    made.frame()
    assert heard == ["stone"] * steps


def test_s_turns_the_sound_off_and_on(stage: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = stage()
    made.show(Home(made.app))
    for on in (False, True):
        made.press(pygame.K_s, text="s")
        assert made.app.settings.sound is on
        assert made.app.message[0] == ("Sound on" if on else "Sound off")


def test_tab_reaches_every_button(stage: Make) -> None:
    made = stage()
    for name, make in SCENES.items():
        scene = made.show(make(made))
        scene.leave()
        seen = set()
        for _ in range(len(scene.widgets.elements) + 1):
            made.app._dispatch(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_TAB, mod=0, unicode="", scancode=0))
            seen.add(scene.widgets.focus)
        able = {key for key, element in scene.widgets.elements.items() if element.visible and element.is_enabled}
        assert seen == able, name


PRESSED = (
    *("home", "setup gomoku", "levels", "clock", "profile", "library"),
    *("play tictactoe", "replay branched", "settings", "about"),
)


@pytest.mark.parametrize("name", PRESSED)
def test_every_button_can_be_pressed(stage: Make, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, as Enter on the focus does; each in a scene of its own."""
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    made = stage((960, 640))
    for key in list(made.show(SCENES[name](made)).widgets.buttons):
        scene = made.show(SCENES[name](made))
        scene.widgets.press(key)
        made.frame()
        made.app._dialog = made.app.overlay = None


def test_help_lists_what_the_scene_can_do(stage: Make) -> None:
    made = stage()
    scene = made.show(SCENES["play"](made))
    page = Help(made.app)
    shown = {label for _, label in page.rows}
    assert {binding.label for binding in scene.bindings} <= shown
