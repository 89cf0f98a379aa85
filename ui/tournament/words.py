"""The table of a tournament in words: for the window, and as text, CSV and a web page."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from ai.arena.match import Played
from ai.arena.tournament import GAUNTLET, Ranked, Ranking, Tally, Tournament
from ui.toolkit.i18n import language, t
from ui.toolkit.resources import render_template
from ui.tournament.state import entrant_name, failure_text
from ui.words.games import setup_name
from ui.words.numbers import signed_text

KINDS = (".txt", ".csv", ".html")
"""The endings of files with a table."""


def points_text(points: float) -> str:
    """``7½``."""
    whole = int(points)
    return f"{whole}½" if points > whole and whole else "½" if points > whole else str(whole)


def result_text(game: Played) -> str:
    """The result of a game from the view of its first side: ``1–0``, ``½–½``."""
    first = game.score if game.first == 0 else 1 - game.score
    return f"{points_text(first)}–{points_text(1 - first)}"


def cross_text(tally: Tally) -> str:
    """What one has done against another: ``2½ : 1½``; empty if they have not met."""
    wins, draws, losses = tally
    return f"{points_text(wins + draws / 2)} : {points_text(losses + draws / 2)}" if any(tally) else ""


def elo_text(row: Ranked) -> str:
    """``+35 ± 34``; empty before the first game."""
    return "" if row.elo is None else f"{signed_text(round(row.elo.elo))} ± {row.elo.error:.0f}"


def heads() -> tuple[str, ...]:
    """The heads of the columns of `cells`."""
    return ("#", t("tournament.player"), t("tournament.points"), t("tournament.games"), "+", "=", "−", "Elo")


def cells(tournament: Tournament, row: Ranked, place: int) -> tuple[str, ...]:
    """A row of the table."""
    name = entrant_name(tournament, row.entrant)
    return (str(place), name, points_text(row.points), str(row.games), *map(str, row.tally), elo_text(row))


def facts(tournament: Tournament) -> str:
    """The system, rounds and openings."""
    first = entrant_name(tournament, 0)
    system = t(f"tournament.{tournament.system}")
    parts = [f"{system} · {first}" if tournament.system == GAUNTLET else system]
    parts.append(t("tournament.rounds_count", count=tournament.rounds))
    parts.append(t("tournament.with_openings" if tournament.openings != ("",) else "tournament.without_openings"))
    return " · ".join(parts)


# Files.


def table_file(kind: str, name: str, tournament: Tournament, ranking: Ranking) -> bytes:
    """Return the table as a file of one of `KINDS`."""
    rows = [
        (*cells(tournament, row, place),
         *(cross_text(ranking.cross[row.entrant][other.entrant]) for other in ranking.rows))
        for place, row in enumerate(ranking.rows, 1)
    ]  # fmt: skip
    head = (*heads(), *(str(place) for place in range(1, len(rows) + 1)))
    failures = [failure_text(tournament, who, game) for who, game in ranking.failures]
    about = f"{setup_name(tournament.setup)} · {facts(tournament)}"
    if kind == ".csv":
        return _csv(head, rows)
    if kind == ".html":
        values = {"lang": language(), "title": name, "about": about, "head": head, "rows": rows, "failures": failures}
        return render_template("tournament.html", values).encode()
    return "\n".join([name, about, "", *_aligned(head, rows), "", *failures]).rstrip().encode() + b"\n"


def _csv(head: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """As spreadsheets read it: UTF-8 with a byte order mark."""
    out = io.StringIO()
    csv.writer(out).writerows([head, *rows])
    return out.getvalue().encode("utf-8-sig")


def _aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines with columns of equal width: names at the left, all else at the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return [
        "  ".join(text.ljust(wide) if at == 1 else text.rjust(wide)
                  for at, (text, wide) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in (head, *rows)
    ]  # fmt: skip
