"""Scores, counts, shares and times as text."""

from __future__ import annotations

from games.record import ScoredLine
from ui.toolkit.i18n import t


def score_text(score: int, mate: int | None) -> str:
    """A score from whoever's view it is: ``+1.2``, or ``#5`` for a win in five plies and ``−#4`` for a loss."""
    if mate is not None:
        return f"#{mate}" if mate >= 0 else f"−#{-mate}"
    if abs(score) >= 99_950:
        return f"{signed_text(score / 100_000, 1 if abs(score) < 999_500 else 0)}k"
    return signed_text(score / 100, 1)


def signed_text(number: float, places: int = 0) -> str:
    """A number with its sign, and so many decimal places: ``+1.2``, ``−0.1``, ``0.0``."""
    text = f"{number:+z.{places}f}".replace("-", "−")
    return text[1:] if float(text[1:]) == 0 else text


def evaluation_text(evaluation: ScoredLine) -> str:
    return score_text(evaluation.score, evaluation.mate)


def percent_text(number: float, places: int = 0) -> str:
    """``37 %``."""
    return t("percent", number=f"{number:.{places}f}")


def count_text(number: float) -> str:
    """A large number in two or three digits: ``870``, ``12.3k``, ``663k``, ``4.5M``."""
    if number >= 99_950_000:
        return f"{number / 1_000_000:.0f}M"
    if number >= 999_500:
        return f"{number / 1_000_000:.1f}M"
    if number >= 99_950:
        return f"{number / 1000:.0f}k"
    return f"{number / 1000:.1f}k" if number >= 999.5 else f"{number:.0f}"


def time_text(seconds: float) -> str:
    """Minutes and seconds, and hours where there are any: ``2:05``, ``1:02:05``."""
    minutes, rest = divmod(int(seconds), 60)
    hours = f"{minutes // 60}:{minutes % 60:02d}" if minutes >= 60 else str(minutes)
    return f"{hours}:{rest:02d}"
