"""The choice of the encoding of a file whose own was guessed: a link in the status line, and a menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from games.formats import ENCODINGS
from ui.game.encoding import FileEncoding
from ui.host import Host
from ui.part import Entry
from ui.parts.status_link import StatusLink
from ui.toolkit.i18n import t
from ui.toolkit.menu import Menu
from ui.words.files import encoding_name


def choose_encoding(host: Host, encoding: FileEncoding, under: pygame.Rect) -> None:
    """Open the menu of encodings at `under`."""
    options = [(name, encoding_name(name)) for name in ENCODINGS]
    host.overlay = Menu(host, under, options, encoding.name, encoding.choose)


class EncodingLink(StatusLink):
    """Shown where the encoding was guessed or chosen; the menu of the screen always has it, if the file can be read in
    another one. `menu` returns where the button of that menu is."""

    def __init__(
        self, host: Host, encoding: FileEncoding, free: Callable[[], pygame.Rect], menu: Callable[[], pygame.Rect]
    ) -> None:
        self._encoding, self._menu = encoding, menu
        super().__init__(host, "encoding", self._said, lambda: choose_encoding(host, encoding, self.rect), free)

    def _said(self) -> str:
        name = self._encoding.name
        return t("encoding.link", encoding=encoding_name(name)) if name else ""

    def entries(self) -> Sequence[Entry]:
        if not self._encoding.possible:
            return ()
        return (Entry("encoding", t("encoding.choose"), self._choose),)

    def _choose(self) -> None:
        choose_encoding(self._host, self._encoding, self._menu())
