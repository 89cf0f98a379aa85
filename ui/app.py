"""The window and its only event loop."""

from __future__ import annotations

import contextlib
import gc
import math
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pygame_gui
from pygame_gui.elements import UITooltip, UIWindow

from ai.engine_handle import EngineHandle
from ai.player import Player
from games.formats import EXTENSIONS
from games.record import GameRecord
from games.registry import GAMES
from ui.game.live_game import player_of_window
from ui.game.words import refusal
from ui.host import Overlay, Screen
from ui.opening import Opener
from ui.scene import Scene
from ui.scenes.home import Home
from ui.scenes.keys_page import Help
from ui.scenes.replay import Replay
from ui.scenes.setup import SetupScene
from ui.system import trace, window
from ui.system.files import Files
from ui.system.instance import Instance
from ui.system.settings import Settings, encoded, settings_path
from ui.system.sound import Sounds
from ui.toolkit.controls import REPEAT, rest_input_method
from ui.toolkit.dialogs import FileDialog
from ui.toolkit.i18n import set_language, system_language, t
from ui.toolkit.icons import app_icon
from ui.toolkit.keys import Binding, matches, repeats
from ui.toolkit.notices import Holds, Notices, always
from ui.toolkit.palette import PALETTES, Colour
from ui.toolkit.theme import Theme

Blits = list[Any]
"""What `Surface.blits` takes."""

WAKE = pygame.event.custom_type()
"""Posted by worker threads: there is something to poll."""

_FRAME = 1 / 60
_LOOK = 0.008  # seconds between two looks for events
_LIVELY_LOOK = 0.002  # where there was one just before
_PROGRESS = 0.5  # seconds between two looks at how far the engine is compiled
_OPENING = 0.1  # seconds between two looks at how far a file is read
_LIVELY = 1.0  # seconds after an event in which a widget may still show a tooltip or let its cursor blink
_ECHO = 0.05  # seconds in which any widget may still change
_TIDY = 1.0  # seconds after which what a screen has left behind is cleared away
_REST = 0.015  # seconds that a thread waits at the most for a frame to be made


class App:
    """Owns the window, the theme, the settings and the scene that is shown.

    `size` overrides the window size of the settings. With a video driver that shows nothing (``dummy``)
    the app can be built and drawn just the same.
    """

    bindings = (
        Binding(("f11",), "toggle_full_screen", "keys.full_screen"),
        Binding(("f1", "?"), "show_keys", "keys.help"),
        Binding(("s",), "toggle_sound", "keys.sound"),
    )

    def __init__(self, settings: Settings, size: tuple[int, int] | None = None) -> None:
        self.settings = settings
        self.running = True
        self.overlay: Overlay | None = None  # what lies over the scene and takes all events
        self.notices = Notices()
        self._lively_until = 0.0
        self._wanted: Screen | None = None
        self._dialog: tuple[Path, Callable[[Path], object], bool, bool] | None = None
        self._stale = self._theme_stale = False
        self._tidy_at = math.inf
        self._window: FileDialog | None = None
        self._down: int | None = None  # the key pressed last, while it is held
        self.modifiers = 0
        """Shift, Ctrl and the like, as they were when what is handled happened: by now they may have been let go."""
        self.engine = EngineHandle()
        self._begun = self._warned = False
        self.sounds = Sounds(settings)
        self.files = Files(self.wake)
        self.opener = Opener(self)
        self._instance: Instance | None = None
        self._between_frames = threading.Event()
        self._between_frames.set()
        self._themes: dict[tuple[str, float, str], Theme] = {}
        self._blank = Scene(self)
        self.scene: Screen = self._blank
        pygame.display.init()
        pygame.font.init()
        pygame.key.set_repeat(*REPEAT)
        pygame.display.set_icon(app_icon(64))
        pygame.display.set_caption("Tengen")
        self.surface = window.open_window(settings, size)
        rest_input_method()
        self._fit_theme()

    @property
    def size(self) -> tuple[int, int]:
        return self.surface.get_size()

    # The window.

    def _fit_theme(self) -> None:
        """Makes theme and manager for the settings and the size of the window."""
        self._theme_stale = False
        language = self.settings.language or system_language()
        set_language(language)
        wanted = (self.settings.theme, window.scale_of(self.settings, self.size), language)
        if wanted not in self._themes:  # one is kept: it has fonts and rendered texts of its own
            self._themes = {wanted: Theme(PALETTES[wanted[0]], *wanted[1:])}
        self.theme = self._themes[wanted]
        self.manager: pygame_gui.UIManager = self.theme.manager(self.size)

    def restyle(self) -> None:
        """Settings that change how things look have changed: saves them, and builds all anew before the next
        frame, when no widget is in the middle of its own event."""
        self.save_settings()
        self._stale = self._theme_stale = True

    def rebuild(self) -> None:
        """The scene's widgets have changed: makes them anew, before the next frame."""
        self._stale = True

    def toggle_full_screen(self) -> None:
        self._remember_window()
        self.settings.full_screen = not self.settings.full_screen
        window.fit_full_screen(self.settings)
        self.restyle()

    # Scenes.

    def show(self, screen: Screen) -> None:
        """Replaces the scene, before the next frame."""
        self._wanted = screen

    def go_home(self) -> None:
        self.show(Home(self))

    def new_game(self, game: str = "") -> None:
        """Shows the set-up of a new game: of `game`, or of the kind that was set up last."""
        self.show(SetupScene(self, game or next(iter(self.settings.new_game), next(iter(GAMES)))))

    def _change_scene(self) -> None:
        if self._wanted is not None:
            self.scene.leave()
            self.scene, self._wanted = self._wanted, None
            self.overlay = self._dialog = None
            self._build()
            self.scene.enter()
            self._tidy_at = time.monotonic() + _TIDY

    def _build(self) -> None:
        self._stale = False
        self.scene.widgets.clear()
        self.scene.build()
        self._open_dialog()
        trace.scene(self.scene)

    @property
    def covered(self) -> bool:
        """Whether something lies over the scene: the page of keys, or a dialog."""
        return self.overlay is not None or self._dialog is not None

    def show_keys(self) -> None:
        self.overlay = None if self.overlay else Help(self, (*self.scene.bindings, *self.bindings))

    def toggle_sound(self) -> None:
        self.settings.sound = not self.settings.sound
        self.save_settings()
        self.say(t("sound.on" if self.settings.sound else "sound.off"))
        self.sounds.play("stone")
        self.rebuild()

    # What scenes ask of the app.

    def say(self, text: str, kind: str = "info", holds: Holds = always, lasting: bool = False) -> None:
        """Shows a sentence in the status line, as long as it `holds` and its scene is shown: the one that is wanted, if
        another is about to be left. A `lasting` one is about no scene. `kind` is ``info``, ``good`` or ``bad``."""
        self.notices.say(text, kind, None if lasting else self._wanted or self._owner, holds)
        trace.message(text)

    @property
    def message(self) -> tuple[str, Colour]:
        """The sentence in the status line and its colour; an empty one if there is none."""
        colour: Colour = getattr(self.theme.palette, self.notices.kind)
        return self.notices.text, colour

    @property
    def _owner(self) -> Screen | None:
        """The scene that is shown; None before the first."""
        return None if self.scene is self._blank else self.scene

    def player(self, name: str, book: bool = True) -> Player:
        """A player for the window, with the threads, the memory and, if wanted, the book of the settings."""
        settings = self.settings
        return player_of_window(self.engine, name, settings.threads, settings.memory_mb, book and settings.book)

    def save_settings(self) -> None:
        """Has them written, behind the window."""
        self.files.write(settings_path(), encoded(self.settings), self._settings_written)

    def _settings_written(self, error: OSError | None) -> None:
        if error is not None:
            self.say(t("error.settings", reason=refusal(error)), "bad")

    def open_file(self, path: Path, back: Screen | None = None) -> None:
        """Opens a game in a replay, which leads to `back`, or else home; a file that cannot be read is a sentence and
        changes nothing."""
        def show(record: GameRecord) -> None:
            scene = Replay(self, record, path)
            scene.back = back
            self.show(scene)

        self.read_game(path, show)

    def read_game(
        self, path: Path, then: Callable[[GameRecord], object], failed: Callable[[], object] = lambda: None
    ) -> None:
        """Calls `then` with the game in the file at `path`. Where it cannot be read, says so and calls `failed`."""
        self.opener.open(path, then, failed)

    def serve(self, instance: Instance) -> None:
        """Opens from now on, in this window, what later starts of the program bring."""
        self._instance = instance
        instance.watch(self.wake)

    def _answer(self) -> None:
        for file in self._instance.answer() if self._instance is not None else ():
            window.come_to_front()
            if file is not None:
                self.scene.open_file(file)

    def choose_file(
        self, start: Path, then: Callable[[Path], object], saving: bool = False, folder: bool = False
    ) -> None:
        """Lets the person choose a file, or a `folder`, from the folder `start` or with the proposal `start`, and
        calls `then`."""
        self._dialog = (start, then, saving, folder)
        self._open_dialog()

    def _open_dialog(self) -> None:
        if self._dialog is None:
            return
        start, then, saving, folder = self._dialog
        try:
            (start.parent if saving else start).mkdir(parents=True, exist_ok=True)
            start.exists()  # raises where the folder is closed to us, as it would in the dialog
        except OSError:
            start = Path.home() / start.name if saving else Path.home()

        def answer(path: Path) -> None:
            self._dialog = None
            then(path)

        def complain(sentence: str) -> None:
            self.say(sentence, "bad")

        kind = {"saving": saving, "folder": folder}
        self._window = FileDialog(self.theme, self.manager, start, EXTENSIONS, answer, say=complain, **kind)
        trace.dialog(self._window)

    def _handle_dialog(self, event: pygame.event.Event) -> None:
        """All events go to the dialog while it is open."""
        self.manager.process_events(event)
        if self._window is not None and not self._window.alive():  # type: ignore[no-untyped-call]
            self._window = self._dialog = None

    def wake(self) -> None:
        """Makes the loop run once more. Any thread may call this."""
        with contextlib.suppress(pygame.error):
            pygame.event.post(pygame.event.Event(WAKE))

    def rest(self) -> None:
        """Returns when no frame is being made, or soon. For threads, as `wake` is: one that wants the interpreter for
        long calls this now and then, or a frame would get it for a fifth of a millisecond at a time."""
        self._between_frames.wait(_REST)

    # The loop.

    def run(self) -> None:
        """Shows the wanted scene, or home, until the window is closed."""
        if self._wanted is None:
            self.go_home()
        self._change_scene()
        self.frame(time.monotonic(), 0.0)
        self.begin()  # not before the window is there
        last = time.monotonic()
        while self.running:
            now = time.monotonic()
            self.frame(now, now - last)
            last = now
            for event in self._events(now):
                self.dispatch(event)
                self._change_scene()  # what comes next was meant for the scene that this event has opened
        self.scene.leave()
        self._remember_window()
        self.close()

    def begin(self) -> None:
        """Load the engine behind the window."""
        self._begun = True
        self.engine.start()

    def close(self) -> None:
        """Closes the window, when all is written; the sounds first, since a thread that plays while pygame ends would
        crash."""
        self.opener.stop()
        self.files.settle()
        if self.sounds.close():
            pygame.quit()
        else:  # a sound device that hangs; the end of the process closes it
            pygame.display.quit()

    def frame(self, now: float, seconds: float) -> None:
        """Brings everything up to `now` and draws it once."""
        self.files.update()
        self._answer()
        self.opener.update()
        self.scene.update(now)
        self._change_scene()
        if self._theme_stale:
            self._fit_theme()
            self._stale = True  # also for a scene that was built since `restyle`
        if self._stale:
            self._build()
        if self.engine.state.name == "failed" and not self._warned:
            self._warned = True
            self.say(t("error.engine"), "bad")
        self.notices.update(now, self._owner)
        self.manager.update(seconds)
        self.draw(now)
        pygame.display.flip()
        trace.frame()
        if now >= self._tidy_at and self._begun and not self.engine.busy:
            self._tidy_at = math.inf
            gc.collect()  # of few objects; if it waited until there are many, it would hold up a frame

    def draw(self, now: float) -> None:
        self.surface.fill(self.theme.palette.background)
        self.scene.draw(self.surface, now)
        widgets, floating = self._layers()
        self.surface.blits(widgets)
        self.scene.draw_over(self.surface, now)
        self.scene.widgets.draw_over(self.surface)
        self.surface.blits(floating)
        if self._window is not None:
            self._window.draw_focus(self.surface)
        if self.overlay:
            self.overlay.draw(self.surface)

    def _layers(self) -> tuple[Blits, Blits]:
        """What pygame_gui draws: the widgets of the scene, and the dialogs and tooltips that lie over all of it."""
        shown = [sprite for sprite in self.manager.get_sprite_group().sprites() if sprite.visible and sprite.image]
        floor = min((sprite.layer for sprite in shown if isinstance(sprite, UIWindow | UITooltip)), default=math.inf)
        widgets = [sprite.blit_data for sprite in shown if sprite.layer < floor]
        return widgets, [sprite.blit_data for sprite in shown if sprite.layer >= floor]

    def _events(self, shown: float) -> list[pygame.event.Event]:
        """Waits until something happens or a frame is due; with nothing moving, only for an event. There are sixty
        frames a second at the most, also for a mouse that tells of itself more often. `shown` is the moment that the
        frame before shows: what moved then is to be seen at rest.

        `pygame.event.wait` looks a thousand times a second, which takes 2.5 % of a core; this takes a tenth.
        """
        self._between_frames.set()
        due = self._due(shown)
        self._sleep(shown + _FRAME - time.monotonic())
        look = _LOOK if shown >= self._lively_until else _LIVELY_LOOK
        while not (events := pygame.event.get()) and (left := due - time.monotonic()) > 0:
            self._sleep(min(left, look))
        self._between_frames.clear()
        return events

    def _sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))

    def _due(self, now: float) -> float:
        """When the next frame is due if nothing happens."""
        due = [] if (scene := self.scene.wake(now)) is None else [scene]
        if now < self._lively_until - (0.0 if self._expectant() else _LIVELY - _ECHO):
            due.append(2 * _FRAME)
        if self.engine.busy:
            due.append(_PROGRESS)
        if (notice := self.notices.due(now)) is not None:
            due.append(notice)
        if self.opener.busy:
            due.append(_OPENING)
        return now + min(due, default=math.inf)

    def _expectant(self) -> bool:
        """Whether a widget may change by itself: one under the pointer, or one in which is typed."""
        widgets = self.scene.widgets.elements.values()
        return self._dialog is not None or self._typing() or any(widget.hovered for widget in widgets)

    def dispatch(self, event: pygame.event.Event) -> None:
        """Handle one event, as the loop does with each that the window receives."""
        if event.type == WAKE:
            return
        if event.type in (pygame.KEYDOWN, pygame.KEYUP):
            self.modifiers = event.mod
        if event.type == pygame.KEYUP and event.key == self._down:
            self._down = None
        self._lively_until = time.monotonic() + _LIVELY
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type in (pygame.WINDOWRESIZED, pygame.WINDOWSIZECHANGED):
            self._resized()
        elif event.type == pygame.DROPFILE:
            self.scene.open_file(Path(event.file))
        elif event.type == pygame.KEYDOWN and self._held(event):
            return
        elif self.scene.widgets.changed(event):
            return  # also while something lies over the scene: the hand may have been faster than its widget
        elif self.overlay:
            self.overlay = self.overlay if self.overlay.handle(event) else None
        elif self._dialog is not None:
            self._handle_dialog(event)
        else:
            self._offer(event)

    def _held(self, event: pygame.event.Event) -> bool:
        """Whether a key that is still held comes again and is not to act again, as it does where one types."""
        again, self._down = event.key == self._down, event.key
        return again and not repeats(event) and self._dialog is None and not self._typing()

    def _offer(self, event: pygame.event.Event) -> None:
        """Gives `event` to whoever takes it first: widgets, focus, keys, and what the scene draws itself."""
        if self.manager.process_events(event) and event.type != pygame.KEYDOWN:
            return
        if event.type == pygame.KEYDOWN:
            if self.scene.widgets.focus_key(event) or self._typing() or self.scene.key(event):
                return
            for binding in self.bindings:
                if matches(event, binding.keys):
                    getattr(self, binding.action)()
                    return
        self.scene.handle(event)

    def _typing(self) -> bool:
        """Whether a text entry takes the keys."""
        focused = self.manager.get_focus_set() or ()
        return any(isinstance(element, pygame_gui.elements.UITextEntryLine) for element in focused)

    def _resized(self) -> None:
        self.surface = pygame.display.get_surface() or self.surface
        if self.size != self._built_for():
            self._fit_theme()
            self._build()

    def _built_for(self) -> tuple[int, int]:
        width, height = self.manager.window_resolution
        return width, height

    def _remember_window(self) -> None:
        window.remember(self.settings, self.size)
        self.save_settings()
