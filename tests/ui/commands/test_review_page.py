"""The page of a review: it needs nothing else, escapes what people wrote, and says what the JSON says."""

from __future__ import annotations

import json
import re
import sys
from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from ai.review.judgement import MISTAKES
from ai.review.report import Reviewed, Skipped, run_review
from ai.review.review import ReviewShare
from games.formats.text import parse
from games.record import Seat
from games.registry import setup
from ui.commands.console import Failure
from ui.commands.review_games import english_why, graph, page, review_game, review_games, review_lines
from ui.words.verdicts import page_colours


class Page(HTMLParser):
    """The tags of a page, and the texts of its table's cells, row by row."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self._inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append("")
        self._inside = tag == "td"

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def game() -> Reviewed:
    """Of tic-tac-toe, with a mistake and with hostile names and comments."""
    record = parse("a1b1b2a2c3", setup("tictactoe"))
    record.seats = (Seat(name="<script>alert(1)</script>"), Seat(name='"><img src=x onerror=alert(2)>'))
    record.line()[2].comment = "</td></table><script>alert(3)</script> & so on"
    return run_review(record, 0.2, 1)


def test_names_and_comments_are_escaped(game: Reviewed) -> None:
    html = page(game)
    found = Page(html)
    assert not {"script", "img"} & {tag for tag, _ in found.tags}
    assert not [key for _, attributes in found.tags for key in attributes if key.startswith("on")]
    assert html.count("&lt;script&gt;alert(1)") == 2  # title and heading
    assert [" ".join(row[:2]) for row in found.rows[1:]] == ["1 X a1", "2 O b1", "3 X b2", "4 O a2", "5 X c3"]
    assert found.rows[2][5] == "</td></table><script>alert(3)</script> & so on"


def test_the_page_needs_nothing_else(game: Reviewed) -> None:
    html = page(game)
    assert not re.search(r"(src|href)=|url\(|@import", html.replace("&#34;&gt;&lt;img src=x", ""))
    assert set(re.findall(r"https?://[^\"]+", html)) == {"http://www.w3.org/2000/svg"}


def test_each_mistake_has_a_diagram_and_a_dot(game: Reviewed) -> None:
    found = Page(page(game))
    mistakes = [move for move in game.moves if move.kind in MISTAKES]
    figures = [attributes["id"] for tag, attributes in found.tags if tag == "figure"]
    assert figures == [f"diagram-{move.node.position.ply}" for move in mistakes] == ["diagram-2"]
    dots = [attributes for tag, attributes in Page(graph(game)).tags if tag == "circle"]
    assert [dot["fill"] for dot in dots] == ["#ffffff", page_colours()["blunder"]], "with a rim"
    assert [tag for tag, _ in found.tags].count("svg") == 1 + len(mistakes)


def test_the_graph_goes_from_the_bottom_where_the_first_side_has_lost_to_the_top_where_it_has_won(
    game: Reviewed,
) -> None:
    html = graph(game)
    assert 'width="916" height="236"' in html
    assert '<rect x="8.5" y="8.5" width="899" height="219" fill="#ffffff" stroke="#ddd5c6"' in html
    sides = [("14", "25", "14", "X"), ("14", "221", "14", "O")]
    assert re.findall(r'<text x="(\S+)" y="(\S+)" font-size="(\S+)" text-anchor="start"[^>]*>([^<]*)', html) == sides
    *_, line = re.findall(r'<path d="M([^"Z]*)"', html)
    x, y, width, height = map(float, re.findall(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"', html)[0])
    points = [tuple(map(float, point.split())) for point in line.split("L")]
    last = len(game.wins) - 1
    expected = [
        (x + width * at / last, y + height * (1 - win)) for at, win in enumerate(game.wins) if win is not None
    ]
    assert len(points) > 2
    assert points == [pytest.approx(each, abs=1) for each in expected]
    (dot,) = set(re.findall(r'<circle cx="([^"]*)" cy="([^"]*)"', html))
    assert tuple(map(float, dot)) == points[2]


@pytest.mark.parametrize(("moves", "name"), [("1 2 3", "bones"), ("", "gomoku"), ("", "tictactoe")])
def test_every_game_has_a_page(moves: str, name: str) -> None:
    record = parse(moves, setup(name))
    assert "<svg" in page(run_review(record, 0.1, 1))


def test_a_game_without_svg_pictures_has_painted_ones(monkeypatch: pytest.MonkeyPatch, game: Reviewed) -> None:
    monkeypatch.setattr("ui.commands.review_games.has_pictures", lambda _position: False)
    (found,) = (facts for tag, facts in Page(page(game)).tags if tag == "img")
    head, _, data = (found["src"] or "").partition(",")
    picture = b64decode(data)
    assert (head, found["width"], found["height"], found["alt"]) == ("data:image/png;base64", "320", "320", "")
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (640, 640)


def test_the_lines_of_a_review_have_the_better_moves_of_what_was_worse() -> None:
    line = [f"{column}1" for column in "abcdefghij"]
    move = {"ply": 2, "move": "b1", "win": 0.25, "loss": 0.5, "line": line, "line_sides": ["o", "x"] * 5, "why": ""}
    moves = [{**move, "kind": kind} for kind in ("good", "best", "only_move", "blunder", "missed_win")]
    moves[3]["why"] = "It is bad."
    told = list(review_lines({"moves": moves, "accuracy": [None, 87.25]}))
    better = f"  better {' '.join(line[:8])}"
    assert told == [
        "  2   b1  good        win  25%  loss  50%", "  2   b1  best        win  25%  loss  50%",
        "  2   b1  only move   win  25%  loss  50%", f"  2   b1  blunder     win  25%  loss  50%{better}",
        "          It is bad.", f"  2   b1  missed win  win  25%  loss  50%{better}",
        "accuracy: first –, second 87.2 %",
    ]  # fmt: skip


def test_a_page_without_accuracy_says_nothing_of_it(game: Reviewed) -> None:
    assert "Accuracy" not in page(replace(game, accuracy=(None, None)))


def test_a_folder_without_games_fails_but_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Failure, match="There is no game in"):
        review_games(tmp_path, 0.1, 1, None, cluster=None, kept=None, as_json=False)
    review_games(tmp_path, 0.1, 1, None, cluster=None, kept=None, as_json=True)
    assert capsys.readouterr() == ('{"games": []}\n', "")


@pytest.mark.parametrize(("terminal", "shown"), [(False, ""), (True, "\r  7%\r 99%\r    \r")])
def test_on_a_terminal_a_review_tells_how_far_it_is(
    terminal: bool, shown: str, game: Reviewed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def review(_record: object, _seconds: float, _threads: int, on_progress: Any, _make: object) -> Reviewed:
        for share in (0.07, 0.99, 1.0):
            on_progress(ReviewShare(share))
        return game

    monkeypatch.setattr("ui.commands.review_games.run_review", review)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    facts = game.facts(english_why)
    for as_json in (False, True):
        review_game(game.record, 1.0, 1, html=None, language=None, cluster=None, as_json=as_json)
        out, err = capsys.readouterr()
        assert err == shown
        if as_json:
            assert json.loads(out).keys() == facts.keys()
            assert not any("line_sides" in move for move in json.loads(out)["moves"])
        else:
            assert out.splitlines() == list(review_lines(facts))


@pytest.mark.parametrize("as_json", [False, True])
def test_of_a_folder_each_review_and_each_file_without_one_is_told(
    as_json: bool, game: Reviewed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    facts = {"file": "a.txt", **game.facts(english_why)}
    none = Skipped("b.txt", "It is none.")
    found = [facts, none, none, Skipped("c.txt", "It ends early.", part=True), facts]
    monkeypatch.setattr("ui.commands.review_games.review_folder", lambda *_: iter(found))
    with pytest.raises(Failure, match=r"^2 of the files could not be read\.$"):
        review_games(tmp_path, 1.0, 1, None, cluster=None, kept=None, as_json=as_json)
    out, err = capsys.readouterr()
    assert err == 2 * "b.txt: It is none.\n" + "c.txt: It ends early.\n"
    if as_json:
        assert [each["file"] for each in json.loads(out)["games"]] == ["a.txt", "a.txt"]
    else:
        assert out.splitlines() == ["a.txt", *review_lines(facts)] * 2
