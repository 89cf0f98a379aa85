import pytest

from ai.core.player import Limit, answer
from ai.core.score import WIN, Score
from ai.search.minimax import Minimax, MinimaxNode, minimax
from games.formats import read_target
from games.registry import setup


def test_bones_of_five_as_drawn_in_the_textbooks() -> None:
    tree = minimax(setup("bones", 5).start())
    assert Score(tree.score).mate == 3  # take one, whatever is taken, take the rest
    assert tree.best is not None
    assert tree.best.move == 1
    assert [child.move for child in tree.children] == [1, 2, 3]


@pytest.mark.slow
def test_the_tree_holds_every_position_once_for_each_way_to_it() -> None:
    # 1 + 9 + 72 + … of the published perft, where games that end early have no further plies.
    assert minimax(setup("tictactoe").start()).count() == 549_946


def test_depth_limit_scores_the_horizon_by_the_games_own_evaluation() -> None:
    position = setup("gomoku", 5).start()
    tree = minimax(position, 1)
    assert len(tree.children) == 25
    assert all(not child.children for child in tree.children)
    first = tree.children[0]
    assert first.move is not None
    assert first.score == position.play(first.move).evaluate()


def test_player_keeps_the_tree_and_lists_several_lines() -> None:
    player = Minimax()
    position = read_target("a3b2c3a1", setup("tictactoe")).position
    info = answer(player, position, Limit(lines=3))
    assert len(info.lines) == 3
    assert [line.score for line in info.lines] == sorted((line.score for line in info.lines), reverse=True)
    assert player.tree.count() == info.nodes
    assert player.nodes == info.nodes


def test_player_stopped_early_still_answers_with_a_legal_move() -> None:
    position = setup("gomoku").start()
    info = answer(Minimax(), position, Limit(nodes=500))
    assert info.move in position.legal_moves()


def test_prefers_the_faster_win() -> None:
    # X holds a3 and b3 and could also win slowly; c3 wins at once.
    position = read_target("a3a1b3c1", setup("tictactoe")).position
    info = answer(Minimax(), position, Limit())
    assert position.move_text(info.move) == "c3"
    assert info.score == WIN - 1


def test_a_leaf_has_no_best_reply() -> None:
    assert MinimaxNode(None).best is None
    assert MinimaxNode(None).line() == ()
