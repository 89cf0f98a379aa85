"""The window and its only event loop."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Concatenate

import pygame

from ai.core.player import Player
from ai.gomoku.handle import EngineHandle
from ai.players.table import Context, make
from ai.service.profile import resolve_level
from ai.service.searches import Purpose, Search, Searches
from ai.system.threads import resting
from games import storage as damage
from games.formats import EXTENSIONS, WRITTEN
from games.record import GameRecord
from ui import screens
from ui.parts.databases import import_sentence
from ui.play.autosave import Unsaved
from ui.system import event_log
from ui.system import event_log as memory
from ui.system.faults import Faults
from ui.system.files import Files
from ui.system.frame_clock import FRAME, WAKE, FrameClock, post_wake, soonest
from ui.system.instance import Instance
from ui.system.preferences import SystemPreferences, is_on
from ui.system.screen_reader import ScreenReader
from ui.system.settings import Settings, dumps, settings_path
from ui.system.sound import Sounds
from ui.system.window import AppWindow, come_to_front, open_display
from ui.toolkit import text_line as clipboard
from ui.toolkit.accessible import Texts
from ui.toolkit.dialogs import Holds, Notices, always
from ui.toolkit.file_dialog import FileDialog
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding, run_binding
from ui.toolkit.text_line import REPEAT, stop_input_method
from ui.toolkit.theme import Colour, Theme
from ui.window.accessible_tree import accessible_window, events_of
from ui.window.background import Imports, Tournaments
from ui.window.crash import Guard
from ui.window.host import Arguments, Content, Host, Opened, Overlay, Shown
from ui.window.jobs import Jobs, OpeningJob, PastingJob
from ui.window.keys_page import KeysPage
from ui.window.screen import Screen, ScreenView
from ui.words.file_words import damage_sentence, kind_name, refusal
from ui.words.games import failure_sentence, seat_label

if TYPE_CHECKING:
    from ai.arena.tournament_run import TournamentRun

_PROGRESS = 0.5  # seconds between updates of the progress of a compilation
_TIDY = 1.0  # seconds after a change of the screen before its memory is freed


class App:
    """The Host of all screens: own the window, settings and files, and run the loop. `Host` has the contracts of the
    methods that screens call; here they say how they are fulfilled.

    `size` overrides the window size of the settings. `faults` logs unexpected errors. `system` has the user's
    preferences in the operating system; without it, all of them are unknown. The video driver ``dummy`` works too.
    Raise `pygame.error` without a display.
    """

    def __init__(
        self, settings: Settings, size: tuple[int, int] | None = None, faults: Faults | None = None,
        system: SystemPreferences | None = None,
    ) -> None:  # fmt: skip
        self.settings = settings
        self.bindings = (
            Binding(("f11",), self.toggle_full_screen, "keys.full_screen"),
            Binding(("f1", "?"), self.show_keys, "keys.help"),
            Binding(("s",), self.toggle_sound, "keys.sound"),
            Binding(("ctrl+v",), self.paste, "keys.paste"),
        )
        self.running = True
        self.modifiers = 0
        self.encodings: dict[Path, str] = {}
        self.notices = Notices()
        self.sounds = Sounds(settings)
        self.wake = post_wake
        self.system = system or SystemPreferences()
        self.system.wake = self.wake
        self.reader, self._texts = ScreenReader(self.wake), Texts()
        self.files = Files(self.wake)
        self.searches = Searches(
            self._make_player, self.wake, lambda: self.engine.ready, lambda: self.settings.threads,
            share=self._make_cluster_player, failed=self.search_failed,
        )  # fmt: skip
        self.clock = FrameClock(self._sleep)
        self.rest = self.clock.rest
        self.engine = EngineHandle(rest=self.rest)
        self.jobs = Jobs(self)
        self.start_job = self.jobs.start
        self.imports = Imports(self.wake, self._report_import)
        self.tournaments = Tournaments(self.wake, self._report_tournament)
        self._instance: Instance | None = None
        self._wanted: Screen | None = None
        self._stale = self._theme_stale = False
        self._tidy_at = math.inf
        self._begun = self._warned = False
        self.faults = faults or Faults()
        self.faults.wake = self.wake
        self._guard = Guard(self, self.faults, self._leave_steps, self._go_home)
        self._unsaved = Unsaved(self)
        open_display()
        pygame.font.init()
        pygame.key.set_repeat(*REPEAT)
        self.window = AppWindow(settings, self.system, size, self.reader)
        self._overlay: Overlay | None = None
        self._blank = Screen(self)
        self.view = ScreenView(self, self._blank, partial(run_binding, self.bindings))
        stop_input_method()

    # The methods of `Host`.

    @property
    def theme(self) -> Theme:
        """The theme of the window: palette, fonts and scale."""
        return self.window.theme

    @property
    def motion(self) -> bool:
        """Whether animations are wanted: as in the settings, else as the operating system says, else yes."""
        still = self.system.known.reduced_motion
        return is_on(self.settings.motion, None if still is None else not still, default=True)

    @property
    def surface(self) -> pygame.Surface:
        """The surface of the window."""
        return self.window.surface

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the window in pixels."""
        return self.window.size

    @property
    def scene(self) -> Screen:
        """The screen that is shown."""
        return self.view.screen

    @property
    def overlay(self) -> Overlay | None:
        """The overlay over the screen (a dialog, a menu, the key page or a progress card), or None."""
        return self._overlay

    @overlay.setter
    def overlay(self, overlay: Overlay | None) -> None:
        """Replace the overlay, None to close it, and log the change. An overlay that was open is dropped without being
        asked."""
        self._overlay = overlay
        event_log.overlay(overlay)

    @property
    def message(self) -> tuple[str, Colour]:
        """The message shown now, empty if there is none, and the colour of its kind in the theme."""
        colour: Colour = getattr(self.theme.palette, self.notices.kind)
        return self.notices.text, colour

    def show(self, screen: Content) -> None:
        """Show `screen` from the next frame on. It must be a `Screen`, the only kind of `Content`."""
        assert isinstance(screen, Screen)
        self._wanted = screen

    def open(
        self, screen: Callable[Concatenate[Host, Arguments], Shown],
        *state: Arguments.args, **options: Arguments.kwargs,
    ) -> Shown:  # fmt: skip
        """Create the screen, let threads that wait in `rest` continue meanwhile, and `show` it."""
        with self.clock.between_frames():  # a thread that imports the same modules must not rest meanwhile
            made = screen(self, *state, **options)
        self.show(made)
        return made

    def read_game(
        self, path: Path, then: Callable[[Opened], object], failed: Callable[[], object] = lambda: None,
        copies: bool = False,
    ) -> None:  # fmt: skip
        """Start a job that reads the file, once all pending writes are done."""
        self.files.settle()  # what was saved is read
        self.jobs.start(OpeningJob(self, path, then, failed, copies))

    def open_file(
        self, path: Path, back: Content | None = None, failed: Callable[[], object] = lambda: None
    ) -> None:
        """Start a job that reads the file, once all pending writes are done. Also say so if a copy is shown in its
        place."""
        def show(opened: Opened) -> None:
            """Show the game in a replay, and say so if the copy was opened instead of the file."""
            self.open(screens.replay, opened.record, opened.file, back=back, original=opened.original)
            if opened.file != path:
                self.say(t("opening.copy", name=path.name, copy=opened.file.name))

        self.files.settle()
        self.jobs.start(OpeningJob(self, path, show, failed, copies=True))

    def paste(self) -> None:
        """Read the game on the clipboard, and give it to the screen, or else show it in a replay. Say why if it cannot
        be read."""
        self.jobs.start(PastingJob(self, clipboard.text(), self.scene.setup, self._show_pasted))

    def _show_pasted(self, record: GameRecord) -> None:
        """Give a pasted game to the screen; if the screen does not use it, show it in a replay."""
        if not self.scene.paste(record):
            self.open(screens.replay, record, at_cursor=True)

    def choose_file(
        self, start: Path, then: Callable[[Path], object], saving: bool = False, folder: bool = False,
        kinds: tuple[str, ...] | None = None, title: str = "",
    ) -> None:  # fmt: skip
        """Open a `FileDialog` as the overlay. The chosen folder is remembered in the settings."""
        def choose(path: Path) -> None:
            """Close the dialog, remember its folder in the settings, and pass on the path."""
            self.overlay = None
            self.settings.remember_folder(path if folder else path.parent)
            self.save_settings()
            then(path)

        self.overlay = FileDialog(
            self.window, start, kinds or (WRITTEN if saving else EXTENSIONS), choose, saving=saving, folder=folder,
            title=title, recent=[Path(place) for place in self.settings.folders], kind_name=kind_name,
        )  # fmt: skip

    def show_keys(self) -> None:
        """Open the key page, or close whatever overlay is open."""
        def open_guide() -> None:
            """Open the guide at the chapter of the screen."""
            self.open(screens.guide, self.scene.guide, back=self.scene)

        bindings = (*self.scene.all_bindings(), *self.bindings)
        self.overlay = None if self.overlay else KeysPage(self.window, bindings, open_guide)

    def toggle_full_screen(self) -> None:
        """Switch between full screen and window, save that, and lay the screen out anew."""
        self.window.toggle_full_screen()
        self.restyle()

    def toggle_sound(self) -> None:
        """Switch all sounds on or off, save that, say so, and play a sample."""
        self.settings.sound = not self.settings.sound
        self.save_settings()
        self.say(t("sound.on" if self.settings.sound else "sound.off"))
        self.sounds.play("stone")
        self.rebuild()

    def rebuild(self) -> None:
        """Note that the widgets are to be created anew; the next frame does it."""
        self._stale = True

    def restyle(self) -> None:
        """Save the settings, and note that the theme and the widgets are to be created anew; the next frame does it."""
        self.save_settings()
        self._stale = self._theme_stale = True

    def say(
        self, text: str, kind: str = "info", holds: Holds = always, lasting: bool = False, follows: bool = False
    ) -> None:  # fmt: skip
        """Show the message and log it. Unless it is `lasting`, it is bound to the screen that is about to be shown,
        else to the present one. If it `follows`, it waits until the message that is shown ends."""
        self.notices.say(text, kind, None if lasting else self._wanted or self._message_owner, holds, follows)
        event_log.message(text)

    @property
    def _message_owner(self) -> Screen | None:
        """The screen to which new messages belong: the one that is shown; None before the first."""
        return None if self.scene is self._blank else self.scene

    def save_settings(self) -> None:
        """Have the thread of `files` write the settings."""
        self.files.write(settings_path(), dumps(self.settings), self._report_settings_error)

    def _report_settings_error(self, error: OSError | None) -> None:
        """Say why the settings could not be written; `error` is None if they were."""
        if error is not None:
            self.say(t("error.settings", reason=refusal(error)), "bad")

    def _report_import(self, imports: Imports) -> None:
        """Say how an import that a person started has ended; nothing after a mirror of the saved games."""
        if imports.database is not None:
            self.say(import_sentence(imports), "bad" if imports.broken or imports.failed else "good", lasting=True)

    def _report_tournament(self, run: TournamentRun) -> None:
        """Say that a tournament has ended, has failed, or has only games left that a person plays."""
        waits = len(run.played) < len(run.planned)
        key = "broken" if run.error is not None else "waits" if waits else "ended"
        self.say(t(f"tournament.{key}", name=run.folder.name), "bad" if run.error else "good", lasting=True)

    def _make_player(self, name: str, game: str, book: bool) -> Player:
        """Make the player `name` of `game` with the threads and memory of the settings; with the opening book if `book`
        and the settings allow it. The player never waits for a compilation."""
        settings = self.settings
        own = Context(game, settings.threads, settings.memory_mb, book and settings.book, self.engine)
        return make(resolve_level(name, game), own)

    def _make_cluster_player(self, name: str, game: str, address: str) -> Player:
        """Make the player `name` of `game` that searches on the Dask cluster at `address`, with all threads of its
        workers."""
        from ai.distributed.cluster_player import on_cluster

        return on_cluster(name, Context(game, 0, self.settings.memory_mb, engine=self.engine), address)

    # The loop.

    def run(self) -> bool:
        """Show the screen passed to `show`, else home, and run the loop until the window is closed; then save the
        settings and close everything. Return False if errors have ended the loop or prevented that."""
        guard = self._guard
        self.faults.reset_watchdog()
        with guard:
            if self._wanted is None:
                self.open(screens.home)
            self._change_screen()
            self.frame(time.monotonic())
        if not guard.lost:
            self.begin()  # after the first frame
        while self.running and not guard.lost:
            now = time.monotonic()
            with guard:
                self.frame(now)
            events: list[pygame.event.Event] = []
            with guard:
                events = self._wait_for_events(now)
            for event in events:
                with guard:
                    self.dispatch(event)
        closed = guard.call_all(self.searches.release, self.window.remember, self.save_settings, self.close)
        return closed and not guard.lost

    def _leave_steps(self) -> tuple[Callable[[], object], ...]:
        """The steps by which `Guard` leaves a screen after an error: stop jobs and searches, save what is unsaved, and
        close the screen."""
        return self.jobs.stop, self.scene.keep, self.scene.close, self.files.settle, self.searches.release

    def _go_home(self) -> None:
        """Replace the screen by a new home screen, without closing it."""
        self._wanted, self._stale = None, False
        self.view.replace(screens.home(self))

    def search_failed(self, search: Search) -> None:
        """Say that a search has failed, unless it searched a move in a game: the game itself says so then."""
        if search.purpose != Purpose.MOVE and search.error is not None:
            name = seat_label(search.position.game, search.player)
            self.say(failure_sentence(search.error, name, "error.search"), "bad")

    def _close_or_ask(self) -> None:
        """Close the screen and end the loop. If a game could not be written, show the screen again instead, and ask
        what to do."""
        self.scene.close()
        self.files.settle()
        self.running = bool(self.files.unsaved)
        if self.running:
            self.view.replace(self.scene)
            self._unsaved.ask(self._end_loop)

    def _end_loop(self) -> None:
        """End the loop after the current frame."""
        self.running = False

    def begin(self) -> None:
        """Load the engine and import the modules of all screens, on background threads."""
        self._begun = True
        self.engine.start()
        Thread(target=self._load_screens, name="screens", daemon=True).start()

    def _load_screens(self) -> None:
        """Import the modules of all screens, so that none is imported when a person opens it."""
        self.engine.wait()  # frames would be late while two threads import
        with resting(self.rest):
            for screen in screens.SCREENS.values():
                screen.load()
            from ai.pbrain.engines import load  # late: the window opens sooner

            load()  # what is damaged is said soon

    def serve(self, instance: Instance) -> None:
        """From now on, open in this window the files that later starts of the program request from `instance`."""
        self._instance = instance
        instance.watch(self.wake)

    def close(self) -> None:
        """Stop jobs, imports and tournaments, complete pending writes, and close pygame; only its display while a sound
        device hangs."""
        self.jobs.stop()
        self.imports.stop()
        self.tournaments.stop()
        self.files.settle()
        if self.sounds.close():
            pygame.quit()
        else:  # a sound device hangs; the end of the process closes it
            pygame.display.quit()

    def _take_file(self, file: Path) -> None:
        """Handle a file that was dropped on the window: the screen may use it; otherwise propose a program as an
        engine, and open any other file as a game."""
        from ai.pbrain.engines import is_program  # late: the window opens sooner

        if self.scene.take_file(file):
            return
        if is_program(file) and not file.name.lower().endswith(EXTENSIONS):
            self.open(screens.engines, back=self.scene, program=file)
        else:
            self.open_file(file)

    def frame(self, now: float) -> None:
        """Update everything to the time `now` (`time.monotonic`), and draw a frame."""
        self._rebuild_if_stale()  # before a screen looks for the widgets that an event has asked for
        self._poll()
        self.jobs.update()
        self.imports.update()
        self.tournaments.update()
        self.searches.update()
        self.scene.update(now)
        self._stale = self._stale or not self.scene.laid_out
        if self.overlay is not None and not self.overlay.holds():
            self.overlay = None
        self._change_screen()
        self._rebuild_if_stale()
        self.notices.update(now, self._message_owner)
        read = self.reader.wants(now)
        self.view.draw(self.surface, now, self._texts if read else None)
        if read:
            self._update_screen_reader()
        pygame.display.flip()
        event_log.frame()
        if now >= self._tidy_at and self._begun and not self.engine.busy:
            self._tidy_at = math.inf
            gc.collect()  # few objects: later, a collection of many would delay a frame
            memory.trim()

    def _update_screen_reader(self) -> None:
        """Send the accessible tree of what has been drawn to the screen reader."""
        self._texts.end()
        self.reader.place(self.window.corner, self.size)
        self.reader.show(accessible_window(self, self.scene, self._texts), pygame.key.get_focused())

    def _poll(self) -> None:
        """Poll threads and other processes, apart from jobs, imports, tournaments and searches: finished writes,
        requests of a screen reader, system preferences and later starts. Report errors in the status line."""
        self.files.update()
        for action, thing in self.reader.requests():
            for event in events_of(action, thing):
                self.dispatch(event)
        if self.system.changed():
            self._theme_stale = True
        self._unsaved.announce()
        if found := damage.new_damage():
            self.say(damage_sentence(found), "bad", lasting=True)
        for file in self._instance.take_requests() if self._instance is not None else ():
            come_to_front()
            if file is not None and not self.scene.take_file(file):
                self.open_file(file)
        if self.faults.ended_threads():
            self.say(t("error.thread"), "bad")
        if self.engine.state.name == "failed" and not self._warned:
            self._warned = True
            self.say(t("error.engine"), "bad")

    def _change_screen(self) -> None:
        """Show the screen that was passed to `show`, if any: close the old one, and cancel its searches."""
        if self._wanted is not None:
            self.scene.close()
            self.searches.release()
            self.imports.mirrored = False
            screen, self._wanted, self._stale = self._wanted, None, False
            self.view.replace(screen)
            self._tidy_at = time.monotonic() + _TIDY

    def _rebuild_if_stale(self) -> None:
        """Rebuild the widgets if `rebuild` was called, and also the theme after `restyle`."""
        if self._theme_stale:
            self._theme_stale, self._stale = False, True  # also for a screen built since `restyle`
            self.window.fit()
        if self._stale:
            self._stale = False
            self.view.build()

    def _wait_for_events(self, last: float) -> list[pygame.event.Event]:
        """Wait until events come or the next frame is due, and return the events, which may be none. `last` is the time
        of the last frame."""
        return self.clock.events(last, self._due(last))

    def _sleep(self, seconds: float) -> None:
        """Wait within the loop, and tell the watchdog that the loop is running."""
        self.faults.reset_watchdog()
        time.sleep(seconds)

    def _due(self, now: float) -> float:
        """Return the time (`time.monotonic`) at which the next frame is due if no event comes; infinity for never.
        `now` is the time of the last frame."""
        frame = 2 * FRAME if self.clock.active(now, self.view.expectant) else None
        progress = _PROGRESS if self.engine.busy else None
        waits = (
            self.scene.wake(now), self.searches.wake(), self.notices.due(now), self.jobs.due(), self.files.due(),
            self.reader.due(), self.tournaments.wake(),
        )  # fmt: skip
        due = soonest(*waits, frame, progress)
        return math.inf if due is None else now + due

    def dispatch(self, event: pygame.event.Event) -> None:
        """Handle one event. If it asks for another screen, show that at once, so that later events go to it."""
        if event.type == WAKE:
            return
        if event.type in (pygame.KEYDOWN, pygame.KEYUP):
            self.modifiers = event.mod
        self.clock.touch()
        if event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            self._guard.note_press()
        if event.type == pygame.QUIT:
            self._close_or_ask()
        elif event.type in (pygame.WINDOWRESIZED, pygame.WINDOWSIZECHANGED):
            if self.window.resized():
                self.view.build()
        elif event.type == pygame.WINDOWFOCUSGAINED:
            self.system.ask()  # a person may come back from the settings of the system
        elif event.type != pygame.DROPFILE:
            self.view.handle(event)
        else:
            self._take_file(Path(event.file))
        self._change_screen()
