"""Text is broken into lines where a line may end."""

from __future__ import annotations

import pytest

from ui.toolkit.typesetting import pieces


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("所以答案是“否”。", ["所", "以", "答", "案", "是", "“否”。"]),
        ("深度（d 层）不变", ["深", "度", "（d ", "层）", "不", "变"]),
        ("it is “known”, not new", ["it ", "is ", "“known”, ", "not ", "new"]),
        ("手「三々」、チェック", ["手", "「三々」、", "チェッ", "ク"]),
        ("«ход» — 5", ["«ход» ", "— ", "5"]),
        ("", []),
    ],
)
def test_quotation_marks_stood_alone_at_the_ends_of_lines(text: str, expected: list[str]) -> None:
    """A Chinese line ended with an opening mark, or began with a closing one, a Japanese one with a small kana."""
    assert pieces(text) == expected


def test_a_line_began_with_a_percent_sign() -> None:
    assert pieces("a prior of 30 %, tried") == ["a ", "prior ", "of ", "30 %, ", "tried"]
