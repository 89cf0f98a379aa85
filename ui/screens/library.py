"""Shim."""
from typing import Any
from ui.host import Content, Host
from ui.parts.frame import Frame
from ui.screen import Screen
from ui.toolkit.layout import Space


class LibraryScreen(Screen):
    name = "library"

    def __init__(self, host: Host, *state: Any, back: Content | None = None, **options: Any) -> None:
        super().__init__(host, back)
        self.frame = Frame(host, self.status_line)
        self.parts = [self.frame]

    def build(self, space: Space) -> None:
        self.frame.build(space)
