"""Opening, saving, copying and exporting the game of a screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from games.formats.pasted import copied
from games.record import GameRecord, Node
from games.storage import saves_home
from ui.game.exports import export_picture
from ui.game.game_file import GameFile
from ui.host import Host
from ui.part import Part
from ui.screens import registry as screens
from ui.toolkit import clipboard
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.words.files import proposed_file


def copy_moves(host: Host, record: GameRecord, node: Node) -> None:
    """Put the moves that led to `node` on the clipboard."""
    done = clipboard.put(copied(record, node))
    host.say(t("copy.done" if done else "copy.failed"), "good" if done else "bad")


class Files(Part):
    """`shown` returns the node that is on the board."""

    def __init__(self, host: Host, record: GameRecord, file: GameFile, shown: Callable[[], Node]) -> None:
        self._host, self._record, self._file, self._shown = host, record, file, shown
        self.bindings = (
            Binding(("ctrl+n",), partial(host.open, screens.setup, record.setup.game), "keys.new", "play.new_game"),
            Binding(("ctrl+o",), partial(host.choose_file, saves_home(), host.open_file), "keys.open", "play.open"),
            Binding(("ctrl+s",), file.save, "keys.save", "play.save"),
            Binding(("ctrl+shift+s",), file.save_as, "keys.save_as", "play.save_as"),
            Binding(("ctrl+c",), self._copy, "keys.copy", "keys.copy"),
            Binding(("ctrl+e",), self._export_picture, "keys.export_picture", "export.action"),
        )

    def _copy(self) -> None:
        copy_moves(self._host, self._record, self._shown())

    def _export_picture(self) -> None:
        """Ask for a file, and write the position shown or the whole game there as a picture."""
        proposal = proposed_file(self._record, self._file.path, ".png")
        export_picture(self._host, self._record, self._shown(), proposal)

    def close(self) -> None:
        self._host.files.settle()  # what comes next may read what was saved
