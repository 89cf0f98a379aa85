"""Numbers as text: scores, counts, percentages, times and time controls; and the tasks of a search's workers."""

from __future__ import annotations

from ai.core.player import WorkerRow
from games.clock import ClockFace, TimeControl
from games.position import Position, played
from ui.toolkit.i18n import grouped, t
from ui.words.move_words import move_name

_TENTHS = 10.0  # seconds below which a clock shows tenths


def score_text(score: int) -> str:
    """A score in hundredths of a unit of advantage, as units with a sign: 120 is ``+1.2``."""
    if abs(score) >= 99_950:
        return f"{signed_text(score / 100_000, 1 if abs(score) < 999_500 else 0)}k"
    return signed_text(score / 100, 1)


def signed_text(number: float, places: int = 0) -> str:
    """A number with its sign and `places` decimals: ``+1.2``, ``−0.1``; zero has no sign."""
    text = f"{number:+z.{places}f}".replace("-", "−")
    return text[1:] if float(text[1:]) == 0 else text


def percent_text(number: float, places: int = 0) -> str:
    """A number of per cent with `places` decimals: ``37 %``."""
    return t("percent", number=f"{number:.{places}f}")


def whole_text(number: float) -> str:
    """A number rounded to an integer, its digits grouped as in the window's language: ``549,946``."""
    return grouped(f"{number:,.0f}")


def count_text(number: float) -> str:
    """A large number with two or three digits: ``870``, ``12.3k``, ``663k``, ``4.5M``."""
    if number >= 99_950_000:
        return f"{number / 1_000_000:.0f}M"
    if number >= 999_500:
        return f"{number / 1_000_000:.1f}M"
    if number >= 99_950:
        return f"{number / 1000:.0f}k"
    return f"{number / 1000:.1f}k" if number >= 999.5 else f"{number:.0f}"


def points_text(points: float) -> str:
    """Points of several games, in halves: ``7½``."""
    whole = int(points)
    return f"{whole}½" if points > whole and whole else "½" if points > whole else str(whole)


def time_text(seconds: float) -> str:
    """Minutes and seconds, with hours if there are any: ``2:05``, ``1:02:05``."""
    minutes, rest = divmod(int(seconds), 60)
    hours = f"{minutes // 60}:{minutes % 60:02d}" if minutes >= 60 else str(minutes)
    return f"{hours}:{rest:02d}"


def clock_text(seconds: float) -> str:
    """The time left on a clock: ``2:05``, below ten seconds with tenths, ``9.3``. It is rounded down."""
    return time_text(seconds) if seconds >= _TENTHS else f"{int(seconds * 10) / 10:.1f}"


def clock_changes_in(seconds: float) -> float:
    """Seconds until `clock_text` changes, while the time runs down."""
    return seconds % (1.0 if seconds >= _TENTHS else 0.1)


def span_name(seconds: int) -> str:
    """A length of time: ``90 s``, ``5 min``."""
    if seconds % 60 or seconds <= 60:
        return t("clock.seconds", count=seconds)
    return t("clock.minutes", count=seconds // 60)


def control_name(control: TimeControl | None, short: bool = False) -> str:
    """A time control in words: ``30 s a move``, ``5 min + 3 s a move``, ``10 min + 3×30 s``; ``No clock`` for None."""
    if control is None:
        return t("clock.no_clock")
    if not control.periods:
        if short:
            return str(control)
        name = "clock.name.increment" if control.increment else "clock.minutes"
        return t(name, main=_main_time_text(control), count=_main_time_text(control), seconds=control.increment)
    if control.main:
        return t("clock.name.byoyomi", main=_main_time_text(control), periods=control.periods, seconds=control.period)
    if control.periods > 1:
        return t("clock.name.periods", periods=control.periods, seconds=control.period)
    return t("clock.seconds" if short else "clock.name.move", count=control.period)


def clock_note(control: TimeControl, face: ClockFace) -> str:
    """The text under a clock: the periods left, or the increment; empty if there is neither."""
    if control.periods > 1 or (control.periods and control.main):
        return t("clock.name.periods", periods=face.periods, seconds=control.period)
    return f"+{t('clock.seconds', count=control.increment)}" if control.increment else ""


def _main_time_text(control: TimeControl) -> str:
    """The main time in minutes, such as ``5`` or ``1:30``."""
    minutes, seconds = divmod(control.main, 60)
    return f"{minutes}:{seconds:02d}" if seconds else str(minutes)


# What the workers of a search do, in words.


def worker_name(worker: str) -> str:
    """The name of a worker: a process by its number, a worker of a cluster by its address."""
    return t("worker.name", number=worker) if worker.isdecimal() else address(worker)


def address(worker: str) -> str:
    """Return the address of a worker without its protocol."""
    return worker.rpartition("//")[2]


def worker_task(position: Position, worker: WorkerRow) -> str:
    """What a worker is searching, such as ``h8 i9 · depth 14``; empty if nothing."""
    moves = " ".join(move_name(before, move) for before, move in played(position, worker.line))
    depth = t("cluster.depth", depth=worker.depth) if worker.depth else ""
    return " · ".join(filter(None, (moves, depth)))


def workers_sentence(position: Position, workers: tuple[WorkerRow, ...]) -> str:
    """The names and tasks of all workers, in one line."""
    return "  ".join(f"{worker_name(worker.name)}: {worker_task(position, worker)}" for worker in workers)
