"""The chart of a network's training, without pixels: what it can do above, and its losses below, by games."""

from __future__ import annotations

from dataclasses import dataclass

from ai.network.network import Training, TrainingResult
from ui.toolkit.i18n import t
from ui.toolkit.space import Scale
from ui.toolkit.theme import Colour, Palette
from ui.words.numbers import percent_text, whole_text

AGREEMENT, SCORE, CHANCE, POLICY, VALUE = "agreement", "score", "chance", "policy", "value"
"""The lines; that of chance is level."""

_MARKS_ACROSS, _MARKS_UP = 6, 5

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines by their names, over games `across`; what is counted `up` is a share in percent, or a loss."""

    lines: dict[str, Points]
    across: Scale
    up: Scale
    percent: bool

    def text(self, value: float) -> str:
        """What is written at a mark of the scale."""
        return percent_text(100 * value) if self.percent else f"{value:.1f}"


def panels(training: Training) -> tuple[Panel, Panel]:
    """Return what the network can do, and its losses."""
    progress, last = training.progress, training.progress[-1].games
    across = Scale.over(0, last, _MARKS_ACROSS)
    able = {
        SCORE: tuple((each.games, each.score) for each in progress),
        AGREEMENT: tuple((each.games, each.agreement) for each in progress),
        CHANCE: ((0, training.chance), (across.high, training.chance)),
    }
    losses: dict[str, Points] = {
        POLICY: tuple((each.games, each.policy_loss) for each in progress if each.policy_loss is not None),
        VALUE: tuple((each.games, each.value_loss) for each in progress if each.value_loss is not None),
    }
    most = max((loss for line in losses.values() for _, loss in line), default=1.0)
    return (Panel(able, across, Scale(0.0, 1.0, 0.2), percent=True),
            Panel(losses, across, Scale.over(0, most, _MARKS_UP), percent=False))  # fmt: skip


def line_name(key: str) -> str:
    """The name of a line of the chart, in the language of the window."""
    return t(f"training.{key}")


def tones(palette: Palette) -> dict[str, Colour]:
    """Return the colours of the lines."""
    return {SCORE: palette.good, AGREEMENT: palette.accent, CHANCE: palette.quiet,
            POLICY: palette.info, VALUE: palette.bad}  # fmt: skip


def progress_text(progress: TrainingResult) -> str:
    """``5,399 games: agreement 73 %, against random moves 99 %, losses 1.48 and 0.76``."""
    texts = {"games": whole_text(progress.games), "agreement": percent_text(100 * progress.agreement),
             "score": percent_text(100 * progress.score)}  # fmt: skip
    if progress.policy_loss is None or progress.value_loss is None:
        return t("training.point.start", **texts)
    return t("training.point", **texts, policy=f"{progress.policy_loss:.2f}", value=f"{progress.value_loss:.2f}")


def facts(training: Training) -> dict[str, str]:
    """What a text may say of a training: figures from 0 to 100 are percent."""
    first, last = training.progress[0], training.progress[-1]
    return {
        "games": whole_text(last.games), "chance": f"{100 * training.chance:.0f}",
        "before": f"{100 * first.agreement:.0f}", "after": f"{100 * last.agreement:.0f}",
        "score_before": f"{100 * first.score:.0f}", "score_after": f"{100 * last.score:.0f}",
    }  # fmt: skip
