"""Labelled gomoku games: the files, the arrays, and how agreement is counted."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from ai.core.score import WIN
from ai.lab import label_gomoku
from ai.lab.gomoku_labels import IMAGES, Game, Labels, among_first, games_of, labels_of, split
from ai.lab.label_gomoku import Labeller, choose, extend

GAME = Game([112, 113, 97, 0, 127], [(2, 97, 120), (3, 142, None), (4, 127, WIN - 3), (5, 142, None)])
"""Two labels with a score; a forced move before one of them, and one whose outcome is not known."""


def test_a_file_holds_the_games_that_were_written(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(GAME.line() * 2 + GAME.line()[:30], encoding="ascii")
    assert list(games_of(file)) == [GAME, GAME], "an unfinished line is left out"


def test_labels_are_seen_by_the_side_to_move() -> None:
    labels = labels_of([GAME])
    assert labels.moves.tolist() == [97, 142, 127]
    assert [np.flatnonzero(board == 1).tolist() for board in labels.boards] == [[112], [113], [97, 112]]
    assert [np.flatnonzero(board == 2).tolist() for board in labels.boards] == [[113], [97, 112], [0, 113]]
    own, other = np.moveaxis(labels.planes()[2], -1, 0)
    assert np.argwhere(own).tolist() == [[6, 7], [7, 7]]
    assert np.argwhere(other).tolist() == [[0, 0], [7, 8]]


def test_a_forced_move_is_worth_what_comes_after_it() -> None:
    first, forced, won = labels_of([GAME]).values
    assert 0 < first < 1
    assert (forced, won) == (-1, 1)


def test_images_keep_the_move_on_its_place_among_the_stones() -> None:
    labels = labels_of([GAME])
    for how in range(len(IMAGES)):
        image = labels.turned(np.full(3, how))
        assert (image.boards[np.arange(3)[:, None], IMAGES[how]] == labels.boards).all()
        assert image.moves.tolist() == [IMAGES[how][move] for move in labels.moves]
    corners = {tuple(image[[0, 14, 210]]) for image in IMAGES}
    assert len(corners) == 8
    assert {corner for image in corners for corner in image} == {0, 14, 210, 224}


def test_positions_are_left_out_with_their_images() -> None:
    labels = labels_of([GAME])
    turned = labels.turned(np.array([1, 5, 7]))
    assert labels.keys() == turned.keys()
    assert len(set(labels.keys())) == 3
    assert labels.without(turned.chosen(np.array([True, False, True]))).moves.tolist() == [142]


def test_held_out_positions_and_those_of_the_exam_are_not_learned() -> None:
    def game(number: int) -> Game:
        return Game([number, 112, 97], [(1, 50, 0), (2, 60, 0), (3, 70, 0)])

    first, other = [game(2), *(game(number) for number in range(20, 40))], [game(210), game(50)]
    exam = labels_of([Game(first[3].moves, [(3, 0, 0)]), Game(first[20].moves, [(2, 0, 0)])])
    learned, held_out = split([first, other], exam)
    assert len(held_out.moves) == 3 * 3 - 1
    images = 3 + 2  # of game(39) in game(35), and of game(2) in game(30) as long as 97 is empty
    assert len(learned.moves) == 20 * 3 - 1 - images


def test_the_exam_has_different_positions_that_were_not_learned(tmp_path: Path) -> None:
    labels = [(1, 50, 0), (2, 60, 0), (3, 70, 0)]
    learned, first, image, last = (Game([cell, 112, 97], labels) for cell in (50, 39, 35, 21))
    (tmp_path / "games-1.jsonl").write_text(Game(learned.moves, labels[2:]).line(), encoding="ascii")
    (tmp_path / "exam-1.jsonl").write_text(learned.line() + first.line(), encoding="ascii")
    (tmp_path / "exam-2.jsonl").write_text(image.line() + last.line(), encoding="ascii")
    (tmp_path / "exam-1.pid").write_text("7\n", encoding="ascii")
    choose(tmp_path, tmp_path / "chosen.jsonl", 7)
    chosen = list(games_of(tmp_path / "chosen.jsonl"))
    assert chosen == [Game(learned.moves, labels[:2]), first, Game(last.moves, labels[:2])]
    with pytest.raises(ValueError, match="only 8"):
        choose(tmp_path, tmp_path / "chosen.jsonl", 9)


def test_agreement_counts_empty_cells_and_no_ties() -> None:
    boards = np.zeros((1, 225), np.int8)
    boards[0, 0] = 1
    labels, logits = Labels(boards, np.array([7]), np.zeros(1)), np.zeros((1, 225))
    logits[0, :4] = 9
    assert among_first(logits, labels, 5) == 0, "equal to all the other cells"
    logits[0, 7] = 1
    assert [among_first(logits, labels, count) for count in (3, 4)] == [0, 1]


def test_a_file_is_extended_to_what_one_run_would_have_written(tmp_path: Path) -> None:
    def make(number: int) -> Game:
        return Game([number], [(0, number, None)])

    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    extend(whole, 5, make)
    extend(cut, 3, make)
    cut.write_bytes(cut.read_bytes()[:-4])
    extend(cut, 5, make)
    assert cut.read_bytes() == whole.read_bytes()


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return Labeller(60)


def test_a_game_depends_on_its_seed_only(labeller: Labeller) -> None:
    first, other = (labeller.game(random.Random(seed)) for seed in (1, 2))
    assert labeller.game(random.Random(1)) == first
    assert other != first
    for ply, move, _score in first.labels:
        assert move in first.position(ply).legal_moves()


def test_questions_are_searched_on_their_own(labeller: Labeller) -> None:
    game = labeller.questions(300, random.Random(3))
    assert len(game.labels) == 4
    for ply, move, score in game.labels:
        alone = Labeller(1).search(game.position(ply), 300)
        assert (alone.move, int(alone.score)) == (move, score)


def test_the_command_writes_games(tmp_path: Path) -> None:
    label_gomoku.main(["exam", str(tmp_path), "--count", "1", "--nodes", "50", "--exam-nodes", "60"])
    (game,) = games_of(tmp_path / "exam-1.jsonl")
    assert labels_of([game]).moves.tolist() == [move for _ply, move, _score in game.labels]
