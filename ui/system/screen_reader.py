"""Screen readers: describe the window to AccessKit, which passes that on to the system, if that package is installed.

It costs nothing while no screen reader runs: AccessKit calls `_activate` when one asks. Its handlers run on threads of
its own, and hold locks that its other methods wait for while they hold the GIL: so none of these is called before
`_activate` has come.
"""

from __future__ import annotations

import importlib
import logging
import sys
import time
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any

import pygame

from ui.toolkit.accessible import Accessible

HIDDEN_FIRST = sys.platform in ("win32", "darwin")
"""Whether the window must not be seen yet when the reader is attached to it."""

_log = logging.getLogger(__name__)
PAUSE = 0.1
"""Seconds between two trees."""

_ROLES = {
    "window": "WINDOW", "dialog": "DIALOG", "label": "LABEL", "status": "LABEL", "button": "BUTTON",
    "radio": "RADIO_BUTTON", "slider": "SLIDER", "field": "TEXT_INPUT", "list": "LIST_BOX",
    "option": "LIST_BOX_OPTION", "menu": "MENU", "grid": "GRID", "cell": "CELL", "picture": "IMAGE",
}  # fmt: skip


class ScreenReader:
    """Sends the accessible tree of the window to a screen reader, and collects its `requests`. `wake` is called on
    other threads when a screen reader has come or requests something."""

    def __init__(self, wake: Callable[[], object]) -> None:
        self._wake = wake
        self._kit: Any = None
        self._adapter: Any = None
        self._active = self._focused = False
        self._sent: Accessible | None = None
        self._due: float | None = None
        self._numbers: dict[str, int] = {}
        self._things: dict[int, Accessible] = {}
        self._wanted: SimpleQueue[tuple[str, int]] = SimpleQueue()

    def attach(self) -> None:
        """Let screen readers connect to the window, which exists, but is not seen yet if `HIDDEN_FIRST`. If that is
        impossible, log why."""
        try:
            self._kit = importlib.import_module("accesskit")
            self._adapter = self._make_adapter()
        except ImportError:
            _log.info("AccessKit is not installed: screen readers cannot read this window")
        except BaseException as error:  # a panic of its native part is no Exception
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            _log.warning("screen readers cannot read this window", exc_info=True)

    def _make_adapter(self) -> Any:
        """Create AccessKit's adapter for this system."""
        kit, handle = self._kit, pygame.display.get_wm_info().get("window")
        if sys.platform == "win32":
            return kit.windows.SubclassingAdapter(handle, self._activate, self._queue_request)
        if sys.platform == "darwin":
            kit.macos.add_focus_forwarder_to_window_class("SDLWindow")
            return kit.macos.SubclassingAdapter.for_window(handle, self._activate, self._queue_request)
        return kit.unix.Adapter(self._activate, self._queue_request, self._deactivate)

    # Called by AccessKit, on any thread.

    def _activate(self) -> None:
        """Handler: a screen reader has connected; the next frame sends it a tree."""
        self._active, self._sent = True, None
        self._wake()

    def _deactivate(self) -> None:
        """Handler: no screen reader is connected any more."""
        self._active = False

    def _queue_request(self, request: Any) -> None:
        """Handler: queue the action that a screen reader requests."""
        self._wanted.put((str(request.action).rpartition(".")[2].upper(), int(request.target)))
        self._wake()

    # Called once a frame.

    def wants(self, now: float) -> bool:
        """Return whether to `show` a tree in this frame: a screen reader is connected, and the last tree was at least
        `PAUSE` seconds ago. After True, the next pause begins."""
        if not self._active:
            self._due = None
            return False
        if self._due is not None and now < self._due:
            return False
        self._due = now + PAUSE
        return True

    def due(self) -> float | None:
        """Return the seconds until the next tree is wanted; None if no screen reader is connected, or if nothing had
        changed at the last `show`."""
        return None if self._due is None or self._sent is None else max(0.0, self._due - time.monotonic())

    def show(self, tree: Accessible, focused: bool) -> None:
        """Send the tree, and whether the window is `focused`, unless both are as before. After an error, log it and
        send nothing more."""
        if tree == self._sent and focused == self._focused:
            self._due = None
            return
        try:
            self._send(tree, focused)
        except Exception:
            _log.warning("screen readers are not told any more", exc_info=True)
            self._active = False

    def _send(self, tree: Accessible, focused: bool) -> None:
        """Send what has changed: the tree, and the focus unless the system itself knows it."""
        if tree != self._sent:
            self._raise_events(self._adapter.update_if_active(lambda: self._tree_update(tree)))
            self._sent = tree
        if focused != self._focused and sys.platform != "win32":  # which knows it
            told = "update_view_focus_state" if sys.platform == "darwin" else "update_window_focus_state"
            self._raise_events(getattr(self._adapter, told)(focused))
        self._focused = focused

    @staticmethod
    def _raise_events(events: Any) -> None:
        """Raise the events that AccessKit returns on Windows and macOS; `events` is None elsewhere."""
        if events is not None:
            events.raise_events()

    def place(self, corner: tuple[int, int], size: tuple[int, int]) -> None:
        """Send the window's place on the desktop and its size, in pixels, where AccessKit needs them: on X."""
        if self._active and hasattr(self._adapter, "set_root_window_bounds"):
            (left, top), (wide, high) = corner, size
            bounds = self._kit.Rect(left, top, left + wide, top + high)
            self._adapter.set_root_window_bounds(bounds, bounds)

    def requests(self) -> Iterator[tuple[str, Accessible]]:
        """Take the requests since the last call: an action, such as ``CLICK`` or ``FOCUS``, and the thing it is for.
        Those for things that are no longer shown are dropped."""
        while not self._wanted.empty():
            action, number = self._wanted.get()
            if (thing := self._things.get(number)) is not None:
                yield action, thing

    # The tree of AccessKit.

    def _tree_update(self, tree: Accessible) -> Any:
        """Return the whole tree for AccessKit, which finds out itself what has changed."""
        self._things = {}
        nodes: list[tuple[int, Any]] = []
        root = self._add(tree, nodes)
        focus = next((number for number, thing in self._things.items() if thing.focused), root)
        update = self._kit.TreeUpdate(focus)
        update.tree = self._kit.Tree(root)
        for each in nodes:
            update.nodes.append(each)
        return update

    def _add(self, thing: Accessible, nodes: list[tuple[int, Any]]) -> int:
        """Append the (number, node) of a thing to `nodes`, after those of its children. Return the number."""
        key = thing.key
        while (number := self._numbers.setdefault(key, len(self._numbers) + 1)) in self._things:
            key += "'"  # AccessKit panics if two have the same number
        self._things[number] = thing
        node = self._node(thing)
        node.set_children([self._add(child, nodes) for child in thing.children])
        nodes.append((number, node))
        return number

    def _node(self, thing: Accessible) -> Any:
        """Return AccessKit's node for a thing, without its children."""
        kit, rect = self._kit, thing.rect
        node = kit.Node(getattr(kit.Role, _ROLES[thing.role]))
        node.set_bounds(kit.Rect(rect.left, rect.top, rect.right, rect.bottom))
        if thing.role in ("label", "status"):
            node.set_value(thing.name)  # the name of a label
        else:
            node.set_label(thing.name)
        if thing.role == "status":
            node.set_live(kit.Live.POLITE)
        if thing.role == "dialog":
            node.set_modal()
        if thing.role == "field":
            node.set_value(thing.value)
        if thing.about:
            node.set_description(thing.about)
        if thing.number is not None:
            node.set_numeric_value(thing.number[0])
            node.set_min_numeric_value(0)
            node.set_max_numeric_value(thing.number[1])
        if thing.chosen is not None:
            if thing.role in ("option", "cell"):
                node.set_selected(thing.chosen)
            else:
                node.set_toggled(kit.Toggled.TRUE if thing.chosen else kit.Toggled.FALSE)
        if not thing.enabled:
            node.set_disabled()
        steps = thing.role == "slider"
        offered = {"CLICK": thing.click, "FOCUS": thing.focus is not None, "INCREMENT": steps, "DECREMENT": steps}
        for action, there in offered.items():
            if there and thing.enabled:
                node.add_action(getattr(kit.Action, action))
        return node
