"""From one mistake of a reviewed game to the next, and another try at each."""

from __future__ import annotations

from ai.review.exercises import Deck, Exercise, exercises
from ui.game.exercise import Practice
from ui.game.study import Study
from ui.host import Content, Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.widgets import Widgets

_BUTTON, _GAP = 36, 8  # design pixels


class Mistakes(Part):
    """A row of buttons at the bottom of the space. Exercises lead back to `owner`."""

    bindings = (
        Binding(("pagedown",), "do_next_mistake", "keys.next_mistake"),
        Binding(("pageup",), "do_previous_mistake", "keys.previous_mistake"),
        Binding(("r",), "do_try_again", "review.try_again"),
    )

    def __init__(self, host: Host, widgets: Widgets, state: Study, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self._reviewer = state.reviewer
        self._shown: tuple[object, ...] = ()  # what the buttons were enabled for

    def build(self, space: Space) -> None:
        px, button = self._host.theme.px, self._widgets.button
        row = Space(space.bottom(px(_BUTTON)), px(_GAP))
        tip, back = t("keys.previous_mistake"), row.left(px(_BUTTON))
        button("previous_mistake", back, "", self.do_previous_mistake, icon="back", tip=tip, key="pageup")
        following, again = columns(row.rest, 2, px(_GAP))
        button("next_mistake", following, t("keys.next_mistake"), self.do_next_mistake, key="pagedown")
        button("try_again", again, t("review.try_again"), self.do_try_again, tip=t("keys.try_again"), key="r")
        self._shown = ()
        self.update(0.0)

    def update(self, now: float) -> None:
        node, judged = self._state.record.cursor, self._reviewer.judged
        if self._shown != (node, len(judged)):
            self._shown = node, len(judged)
            for name, step in (("next_mistake", 1), ("previous_mistake", -1)):
                self._widgets.enable(name, self._reviewer.mistake(node, step) is not None)
            self._widgets.enable("try_again", node in judged)

    def do_next_mistake(self) -> None:
        self._step(1)

    def do_previous_mistake(self) -> None:
        self._step(-1)

    def _step(self, step: int) -> None:
        found = self._reviewer.mistake(self._state.record.cursor, step)
        if found is not None:
            self._state.go(found.node)
        elif self._reviewer.found is None:
            self._host.say(t("review.first"))

    def do_try_again(self) -> None:
        """Solve the position before the move, and those of the side's other mistakes, as exercises."""
        judged = self._reviewer.judged.get(self._state.record.cursor)
        if judged is not None:
            record, all_judged = self._state.record, self._reviewer.judged.values()
            own = Exercise.of(record, judged)
            others = [each for each in exercises(record, all_judged, [judged.side]) if each != own]
            self._host.open("mistakes", Practice(Deck(), [own, *others]), back=self._owner)
