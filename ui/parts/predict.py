"""Predict, then reveal: the reader is asked for a value, a best move or a cut before the search shows it."""

from __future__ import annotations

from functools import partial

from ai.prediction import Prediction, Quiz
from ui.host import Host
from ui.part import Part
from ui.toolkit.i18n import joined, t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.palette import Colour
from ui.toolkit.text import LINE, wrapped
from ui.toolkit.widgets import Widgets
from ui.words.moves import move_name
from ui.words.search import node_title, side_text, value_text

_BUTTON = 34  # design pixels


class Predict(Part):
    """The questions of `quiz`, at the bottom of the space while it is on."""

    def __init__(self, host: Host, widgets: Widgets, quiz: Quiz) -> None:
        self._host, self._widgets, self._quiz, self._explorer = host, widgets, quiz, quiz.explorer
        self.bindings = (
            Binding(("g",), self._predict, "keys.search_predict", menu="search.predict"),
            *(Binding((str(option + 1),), partial(self._answer, option), "lesson.answer") for option in range(4)),
        )

    def shape(self) -> object:
        return self._shown, self._quiz.asked, self._quiz.count

    @property
    def _shown(self) -> bool:
        return self._quiz.on and self._explorer.asks

    def build(self, space: Space) -> None:
        if not self._shown:
            return
        theme, px, asked = self._host.theme, self._host.theme.px, self._quiz.asked
        if asked is not None:
            rects = columns(space.bottom(px(_BUTTON)), len(asked.options), px(6))
            for number, (rect, option) in enumerate(zip(rects, asked.options, strict=True), 1):
                answer = partial(self._quiz.answer, option)
                self._widgets.button(f"guess.{number}", rect, self._option(asked, option), answer)
        text = Space(space.bottom(2 * px(LINE)), 0)
        lines = wrapped(theme, self._sentence(), text.rest.width, 14)[:2]
        self._widgets.lines(text, lines, px(LINE), 14, self._colour, bold=True)

    @property
    def _colour(self) -> Colour:
        palette, quiz = self._host.theme.palette, self._quiz
        if quiz.asked is not None or quiz.verdict is None:
            return palette.info
        return palette.good if quiz.verdict else palette.bad

    def update(self, now: float) -> None:
        self._quiz.update()

    def _sentence(self) -> str:
        quiz, asked = self._quiz, self._quiz.asked
        if asked is not None:
            side = side_text(self._explorer, asked.node)
            return t(f"search.ask.{asked.kind}", node=node_title(self._explorer, asked.node), side=side)
        if quiz.verdict is None:
            return t("search.ask.begin")
        score = t("search.guessed", right=quiz.right, count=quiz.count)
        return joined((t("lesson.right" if quiz.verdict else "lesson.not_right"), score))

    def _option(self, asked: Prediction, option: int) -> str:
        if asked.kind == "cut":
            return t("search.ask.yes" if option else "search.ask.no")
        if asked.kind == "best":
            return move_name(self._explorer.subject.position, self._explorer.trace.move[option])
        return value_text(self._explorer, option)

    def _predict(self) -> bool:
        """Begin or stop asking. False where there is nothing to ask."""
        if self._explorer.asks:
            self._quiz.switch()
        return self._explorer.asks

    def _answer(self, option: int) -> bool:
        """Choose an option. False where there is none of this number."""
        asked = self._quiz.asked
        if asked is None or option >= len(asked.options):
            return False
        self._quiz.answer(asked.options[option])
        return True
