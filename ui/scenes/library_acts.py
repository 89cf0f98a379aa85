"""What a person can do in the library: move the cursor, open, continue, rename, throw away, bring back, export.

How it looks, and what is found, is in `ui.scenes.library`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from games.formats import FORMATS
from games.library.file_actions import BadName, Removal, discard, empty_old, ending_of, export, rename, restore
from games.library.library import Library
from games.library.rows import Entry, file_title
from games.record import GameRecord
from games.storage import saves_home, unused
from ui.game.rated_result import rename_result
from ui.game.words import file_sentence, refusal, search_words, words_edition
from ui.host import Host
from ui.panels.cards import Cards
from ui.scene import Scene
from ui.scenes.play import Play
from ui.scenes.replay import Replay
from ui.scenes.settings import SettingsScene
from ui.toolkit.i18n import t
from ui.toolkit.menu import Menu
from ui.toolkit.selection import Selection


class LibraryActs(Scene):
    """Owns the library, the selection, and what can be undone; `cards` is the subclass's."""

    cards: Cards

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.library: Library | None = None
        self.selection = Selection()
        self.entries: dict[int, Entry] = {}
        """What is known of the games in sight."""
        self.renaming: Entry | None = None
        self.new_name = ""
        self.followed: Path | None = None  # the game to put the cursor on, once it is in the library
        self.undoable: list[tuple[str, Callable[[], object]]] = []  # what to say then, and what to do
        self.extend = False  # whether the cursor selects what it passes

    def enter(self) -> None:
        self.opened().refresh()
        empty_old()

    def leave(self) -> None:
        if self.library is not None:
            self.library.close()
            self.library = None

    def opened(self) -> Library:
        if self.library is None:
            others = [Path(file) for file in self.host.settings.recent]
            inside = saves_home()
            others = [file for file in others if not file.is_relative_to(inside)]
            changed, rest = self.host.wake, self.host.rest
            self.library = Library(
                others=others, words=search_words, edition=words_edition(), changed=changed, rest=rest
            )
        return self.library

    def current(self) -> Entry | None:
        return self.entries.get(self.selection.current or 0)

    def chosen(self) -> list[Entry]:
        """The selected games, in the order they are shown in."""
        ids = self.selection.in_order()
        known = self.opened().entries(ids)
        return [known[number] for number in ids if number in known]

    # The cursor.

    def _move(self, by: int) -> None:
        self._move_to(self.selection.at + by)

    def _move_to(self, row: int) -> None:
        self.end_rename()
        self.selection.move(row, self.extend)
        self.cards.reveal(self.selection.at, self.host.settings.motion)

    def do_left(self) -> None:
        self._move(-1)

    def do_right(self) -> None:
        self._move(1)

    def do_up(self) -> None:
        if self.selection.at >= self.cards.columns:
            self._move(-self.cards.columns)

    def do_down(self) -> None:
        self._move(self.cards.columns)

    def do_page_up(self) -> None:
        self._move(-self.cards.page)

    def do_page_down(self) -> None:
        self._move(self.cards.page)

    def do_first(self) -> None:
        self._move_to(0)

    def do_last(self) -> None:
        self._move_to(len(self.selection.ids) - 1)

    def do_toggle(self) -> None:
        self.selection.toggle()

    def do_all(self) -> None:
        self.selection.all()

    # What is done to games.

    def do_open_game(self) -> None:
        entry = self.current()
        if entry is not None:
            self._open(entry, lambda record: Replay(self.host, record, entry.path))

    def do_continue(self) -> None:
        entry = self.current()
        if entry is not None and entry.result == "unfinished":
            self._open(entry, lambda record: Play(self.host, record, entry.path))

    def _open(self, entry: Entry, scene_of: Callable[[GameRecord], Scene]) -> None:
        """Shows the game of `entry`. Where it cannot be read any more, the library looks at the files again."""

        def show(record: GameRecord) -> None:
            scene = scene_of(record)
            scene.back = self
            self.host.show(scene)

        self.host.read_game(entry.path, show, failed=lambda: self.opened().refresh())

    def do_rename(self) -> None:
        entry = self.current()
        if entry is not None:
            self.selection.move(self.selection.at)
            self.renaming, self.new_name = entry, entry.name
            self.host.rebuild()

    def end_rename(self) -> None:
        if self.renaming is not None:
            self.renaming = None
            self.host.rebuild()

    def _renamed(self, title: str) -> None:
        entry, self._left_name = self.renaming, False
        if entry is None:
            return
        self.host.files.settle()  # what is still to be written there would come back under the old name
        try:
            file = rename(entry.path, title)
        except BadName as error:
            self.host.say(t(f"library.name.{error.reason}", name=title.strip()), "bad")
            self.host.rebuild()  # for another try
            return
        except OSError as error:
            self.host.say(t("library.failed", name=entry.name, reason=refusal(error)), "bad")
            self.end_rename()
            self.opened().refresh()
            return
        self.end_rename()
        if file != entry.path:
            self._moved(entry.path, file)
            self.undoable.append((t("library.renamed_back"), partial(self._rename_back, file, entry.path)))
            self.host.say(t("library.renamed", name=title.strip()), "good")

    def _rename_back(self, file: Path, before: Path) -> None:
        target = before if not before.exists() else unused(before.parent, file_title(before), ending_of(before))
        file.rename(target)
        self._moved(file, target)

    def _moved(self, old: Path, new: Path) -> None:
        """A file has another name: what remembers it learns so."""
        self.followed = new
        settings = self.host.settings
        settings.recent = [str(new) if Path(file) == old else file for file in settings.recent]
        if settings.unfinished and Path(settings.unfinished) == old:
            settings.unfinished = str(new)
        self.host.save_settings()
        rename_result(self.host, old, new)
        self.opened().refresh()

    def do_delete(self) -> None:
        entries = self.chosen()
        if not entries:
            return
        self.host.files.settle()  # or it would be written again
        removal = discard(entry.path for entry in entries)
        if removal.moved:
            count = len(removal.moved)
            self.undoable.append((t("library.restored", count=count), partial(self._bring_back, removal)))
            self.host.say(t("library.deleted", count=count))
        if removal.failed:
            file, error = removal.failed[0]
            self.host.say(t("library.failed", name=file.name, reason=refusal(error)), "bad")
        self.selection.chosen.clear()
        self.opened().refresh()

    def _bring_back(self, removal: Removal) -> None:
        self.followed = restore(removal)[-1]
        self.opened().refresh()

    def do_undo(self) -> None:
        """Takes back the last deletion or renaming; one that cannot be taken back now comes after all others."""
        if not self.undoable:
            return
        self.host.files.settle()
        done, act = self.undoable.pop()
        try:
            act()
        except OSError as error:
            self.undoable.insert(0, (done, act))
            self.host.say(t("library.undo_failed", reason=refusal(error)), "bad")
        else:
            self.host.say(done, "good")

    def do_export(self) -> None:
        """Asks for a format, then for a folder."""
        if not self.chosen() or "export" not in self.widgets.buttons:
            return
        options = [(kind.extension, t(f"library.format{kind.extension}")) for kind in FORMATS if kind.dumps]
        self.host.overlay = Menu(self.host, self.widgets.buttons["export"].rect, options, "", self._choose_folder)

    def _choose_folder(self, ending: str) -> None:
        self.host.choose_file(Path.home(), partial(self._export, ending), folder=True)

    def _export(self, ending: str, folder: Path) -> None:
        written, problems = export((entry.path for entry in self.chosen()), folder, ending)
        if problems:
            file, error = problems[0]
            done = t("library.exported", count=len(written), folder=folder.name)
            self.host.say(f"{done} {file_sentence(error, file.name)}", "bad")
        else:
            self.host.say(t("library.exported", count=len(written), folder=folder.name or str(folder)), "good")

    # Elsewhere.

    def do_new(self) -> None:
        self.host.new_game()

    def do_open(self) -> None:
        self.host.choose_file(saves_home(), self.host.open_file)

    def do_settings(self) -> None:
        self.host.show(SettingsScene(self.host, self))


