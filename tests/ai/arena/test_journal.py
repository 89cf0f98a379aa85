"""Work that is killed goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ai.arena import journal
from ai.arena.journal import BadJournal, Journal, locked, run_kept
from games.fields import whole

HEAD = {"seed": (1, 2)}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the calls that are made, here and not in other processes."""
    calls: list[int] = []

    def run_here(task: Callable[..., Any], left: Sequence[tuple[Any, ...]], *_where: object) -> Iterator[Any]:
        for each in reversed(left):
            calls.append(each[1])
            yield task(*each)

    monkeypatch.setattr(journal, "run_all", run_here)
    return calls


def squares(file: Path | None, count: int, head: dict[str, Any] = HEAD) -> Iterator[tuple[int, int]]:
    return run_kept(pow, [(number, 2) for number in range(count)], 1, None, kept=file, head=head)


def test_calls_with_kept_results_are_not_made_again(tmp_path: Path, made: list[int]) -> None:
    file = tmp_path / "kept.jsonl"
    killed = squares(file, 5)
    assert [next(killed), next(killed)] == [(4, 16), (3, 9)]
    killed.close()
    with file.open("a", encoding="utf-8") as out:
        out.write('{"call": 2, "res')  # killed while it wrote the third
    made.clear()
    assert dict(squares(file, 5)) == {number: number**2 for number in range(5)}
    assert made == [2, 1, 0]
    assert len(dict(squares(file, 5))) == 5
    assert made == [2, 1, 0]
    assert not list(tmp_path.glob("*.damaged*")), "a line that was not written to its end is no damage"


@pytest.mark.parametrize("kept", [0, 1, 2, 3])
def test_a_journal_that_lacks_only_its_last_line_end_lacks_nothing(kept: int, tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    lines = [json.dumps(row) for row in ({"a": 1}, 5, 6)][:kept]
    file.write_text("\n".join(lines), encoding="utf-8")
    journal = Journal(file, "match", {"a": 1})
    assert journal.rows == [5, 6][: max(0, kept - 1)]
    journal.add({})
    assert file.read_text(encoding="utf-8").splitlines() == [*(lines or ['{"a": 1}']), "{}"]


def test_calls_that_are_told_apart_by_keys_may_change_places(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    for keys in ("b", "abc"):
        calls = [(key, "no number") for key in keys]
        found = dict(run_kept(max, calls, 0, None, kept=file, head=HEAD, keys=keys))
        assert found == dict.fromkeys(range(len(keys)), "no number")
    assert len(file.read_text(encoding="utf-8").splitlines()) == 4


def test_without_a_file_nothing_is_kept(tmp_path: Path, made: list[int]) -> None:
    assert len(list(squares(None, 3)) + list(squares(None, 3))) == len(made) == 6
    assert not list(tmp_path.iterdir())


def test_results_of_other_work_are_refused(tmp_path: Path, made: list[int]) -> None:
    file = tmp_path / "kept.jsonl"
    list(squares(file, 2))
    before = file.read_bytes()
    with pytest.raises(BadJournal, match="another run"):
        list(squares(file, 2, {"seed": (1, 3)}))
    assert file.read_bytes() == before
    assert len(made) == 2


def test_work_under_way_is_not_begun_again(tmp_path: Path) -> None:
    with locked(tmp_path / "kept.jsonl.lock", ""), pytest.raises(BadJournal, match="Another process"):
        list(squares(tmp_path / "kept.jsonl", 1))


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    file.write_text("no JSON\n", encoding="utf-8")
    with pytest.raises(BadJournal, match=r"^“notes” is not the file of a run with --resume\.$"):
        list(squares(file, 1))
    with pytest.raises(BadJournal, match="not the file of a match"):
        Journal(file, "match", HEAD)


BAD_ROWS = (
    "{}", "5", "[]", "null", '"x"', "{", "[" * 100_000, '{"call": 1}x', '{"result": 4}', '{"call": [], "result": 4}',
    '{"call": 1.5, "result": 4}', '{"call": 1e999, "result": 4}', '{"call": 0, "result": "x"}', "\ufffd", "NaN",
)  # fmt: skip


@pytest.mark.parametrize("row", BAD_ROWS)
def test_a_damaged_row_is_set_aside_and_its_call_is_made_again(
    tmp_path: Path, row: str, caplog: pytest.LogCaptureFixture
) -> None:
    """`review --resume` ended with a traceback."""
    file, aside = tmp_path / "kept.jsonl", tmp_path / "kept.damaged.jsonl"
    check = whole(0, 100)
    assert dict(run_kept(pow, [(1, 2)], 0, None, kept=file, head=HEAD, check=check)) == {0: 1}
    head, good, _ = file.read_text(encoding="utf-8").split("\n")
    file.write_text(f"{head}\n{row}\n{good.replace('0', '1', 1)}\n", encoding="utf-8")
    damaged = file.read_bytes()
    for _ in range(2):
        assert dict(run_kept(pow, [(3, 2), (5, 2)], 0, None, kept=file, head=HEAD, check=check)) == {0: 9, 1: 1}
    assert aside.read_bytes() == damaged
    assert [record.name for record in caplog.records] == ["games.storage"], "it is said once"
    assert list(tmp_path.glob("*.damaged*")) == [aside]


@pytest.mark.parametrize("data", [b"\n", b"5\n", b"[" * 100_000, b"\xff\xfe{\0}\0", b"\0" * 100, b"NaN\n"])
def test_what_is_no_journal_is_refused_and_stays(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "kept.jsonl"
    file.write_bytes(data)
    with pytest.raises(BadJournal):
        list(run_kept(pow, [(1, 2)], 0, None, kept=file, head=HEAD))
    assert file.read_bytes() == data
