"""Clocks: controls, readings, their texts, and the stopwatch with simulated time."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.clock import ABSENCE, DIVISORS, ClockFace, ClockReading, Stopwatch, TimeControl, readings
from tests.games.strategies import EXAMPLES, Time, controls

SUDDEN = TimeControl(main=60)
FISCHER = TimeControl(main=300, increment=3)
BYOYOMI = TimeControl(main=600, periods=3, period=30)
PER_MOVE = TimeControl(periods=1, period=30)

spans = st.floats(0, 100_000) | st.integers(0, 5000).map(float)


# As text.

WRITTEN = [
    ("1+0", SUDDEN), ("5+3", FISCHER), ("10 min, 3×30 s", BYOYOMI), ("30 s", PER_MOVE),
    ("0:02+1", TimeControl(2, 1)), ("5×60 s", TimeControl(0, 0, 5, 60)),
    ("1:30 min, 1×10 s", TimeControl(90, 0, 1, 10)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "control"), WRITTEN)
def test_a_control_is_written_as_players_write_it(text: str, control: TimeControl) -> None:
    assert str(control) == text
    assert TimeControl.parse(text) == control


@EXAMPLES
@given(controls)
def test_every_control_is_read_as_it_was_written(control: TimeControl) -> None:
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize("text", [" 10 MIN , 3 x 30 S ", "10min,3*30s", "10 min, 3X30s"])
def test_controls_are_read_leniently(text: str) -> None:
    assert TimeControl.parse(text) == BYOYOMI


@pytest.mark.parametrize(
    "text",
    ["", "5", "5+", "+3", "5+3+1", "-5+3", "5+3.5", "0+0", "0+3", "0 s", "0×30 s", "3×0 s", "10 min", "1:75+0", "１+０",
     "30 s, 10 min", "9999+0", "5+9999", "10 min, 100×30 s", "10 min, 3×3601 s",
     "x" * 1000, "x" * 40, "x" * 41, "天元"],
)  # fmt: skip
def test_what_is_no_clock_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"\.$") as caught:
        TimeControl.parse(text)
    if len(text) >= 40:
        assert str(caught.value).startswith(f"“{text[:40]}{'…' if len(text) > 40 else ''}” is not a clock such as")


@pytest.mark.parametrize(
    "fields",
    [(0,), (-1,), (60, -1), (60, 3, 3, 30), (60, 0, 3, 0), (60, 0, 0, 30), (0, 3), (0, 0, -1, 30), (86_401,),
     (60, 3601), (0, 0, 100, 30), (0, 0, 3, 3601)],
)  # fmt: skip
def test_impossible_controls_cannot_be_made(fields: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        TimeControl(*fields)
    for most in ((86_400, 3600), (86_400, 0, 99, 3600)):
        assert str(TimeControl(*most))


# What is left.


def test_the_increment_comes_after_the_move() -> None:
    assert FISCHER.start() == ClockReading(300, 0)
    assert FISCHER.after(FISCHER.start(), 10) == ClockReading(293, 0)
    assert FISCHER.after(ClockReading(5, 0), 4.5) == ClockReading(3.5, 0)
    assert FISCHER.after(ClockReading(5, 0), 5) == ClockReading(0, 0), "a move that comes too late earns nothing"


def test_main_time_then_periods() -> None:
    start = BYOYOMI.start()
    assert start == ClockReading(600, 3)
    assert BYOYOMI.face(start, 599) == ClockFace(1, 3, byoyomi=False)
    assert BYOYOMI.face(start, 600) == ClockFace(30, 3, byoyomi=True)
    assert BYOYOMI.face(start, 629) == ClockFace(1, 3, byoyomi=True)
    assert BYOYOMI.face(start, 630) == ClockFace(30, 2, byoyomi=True)
    assert BYOYOMI.face(start, 689.5) == ClockFace(0.5, 1, byoyomi=True)
    assert BYOYOMI.face(start, 690) == ClockFace(0, 0, byoyomi=True)
    assert BYOYOMI.face(start, 690).expired
    assert BYOYOMI.after(start, 100) == ClockReading(500, 3)
    assert BYOYOMI.after(start, 629) == ClockReading(0, 3), "a move within the period gives it back whole"
    assert BYOYOMI.after(start, 631) == ClockReading(0, 2)
    assert BYOYOMI.after(ClockReading(0, 1), 29.9) == ClockReading(0, 1)
    assert BYOYOMI.after(ClockReading(0, 1), 30) == ClockReading(0, 0)
    assert SUDDEN.face(ClockReading(60, 0), 60) == ClockFace(0, 0, byoyomi=False)
    assert TimeControl(periods=1, period=1).face(ClockReading(0, 1), 1) == ClockFace(0, 0, byoyomi=True)


def test_each_side_has_its_own() -> None:
    both = FISCHER, FISCHER
    assert readings(both, [(0, 10), (1, 100), (0, 20)]) == (ClockReading(276, 0), ClockReading(203, 0))
    assert readings(both, []) == (FISCHER.start(), FISCHER.start())


def test_a_side_has_a_part_of_the_time_in_whole_seconds() -> None:
    assert FISCHER.divided(1) == FISCHER
    assert FISCHER.divided(2) == TimeControl(150, 2)
    assert BYOYOMI.divided(8) == TimeControl(75, 0, 3, 4), "it has as many periods"
    assert SUDDEN.divided(4) == TimeControl(15)
    for control in (FISCHER, BYOYOMI, SUDDEN, TimeControl(1, 1), TimeControl(0, 0, 1, 1)):
        for divisor in DIVISORS:
            assert TimeControl.parse(str(control.divided(divisor))) == control.divided(divisor), "it is a control"


def test_a_reading_is_that_of_the_side_s_own_control() -> None:
    own = FISCHER.divided(4)
    assert readings((FISCHER, own), [(0, 10), (1, 10)]) == (ClockReading(293, 0), ClockReading(66, 0))


def worth(control: TimeControl, face: ClockFace) -> float:
    """Seconds until the time is up."""
    whole = face.periods - (1 if face.byoyomi and face.periods else 0)
    return face.seconds + whole * control.period


@EXAMPLES
@given(controls, spans)
def test_seconds_thought_are_seconds_gone(control: TimeControl, spent: float) -> None:
    whole = control.main + control.periods * control.period
    face = control.face(control.start(), spent)
    assume(abs(whole - spent) > 1e-6)
    assert face.expired == (spent > whole)
    if not face.expired:
        assert worth(control, face) == pytest.approx(whole - spent)


@EXAMPLES
@given(controls, st.lists(st.floats(0, 1), min_size=1, max_size=60), st.floats(0, 0.1))
def test_a_player_that_paces_itself_never_loses_on_time(
    control: TimeControl, parts: list[float], late: float
) -> None:
    """It takes what its share allows, part of it already gone when it begins, and answers `late`."""
    assume(control.main >= 60 or control.period >= 1)
    left = control.start()
    for part in parts:
        took = control.share(control.face(left, 0.0)) * part
        took += control.share(control.face(left, took)) + (late if control.increment or control.period else 0.0)
        after = control.after(left, took)
        assert not control.face(left, took).expired
        assert after.periods == left.periods, "nor a period"
        left = after


def test_a_share_is_sensible_and_low_time_is_told() -> None:
    for control, face, share in (
        (FISCHER, ClockFace(300, 0, byoyomi=False), 300 / 24 + 0.8 * 3),
        (PER_MOVE, ClockFace(30, 1, byoyomi=True), 0.8 * 30),
        (BYOYOMI, ClockFace(240, 3, byoyomi=False), 240 / 24 + 0.8 * 30),
        (BYOYOMI, ClockFace(12, 2, byoyomi=True), 0.8 * 12),
        (TimeControl(60, 3), ClockFace(2, 0, byoyomi=False), 2 - 0.15 - 0.15 * 2),  # no more than is safe
        (TimeControl(periods=1, period=1), ClockFace(1, 1, byoyomi=True), 1 - 0.15 - 0.15 * 1),
        (SUDDEN, ClockFace(0.2, 0, byoyomi=False), 0.02),
    ):
        assert control.share(face) == pytest.approx(share)
    assert SUDDEN.low(ClockFace(9.9, 0, byoyomi=False))
    assert not SUDDEN.low(ClockFace(10, 0, byoyomi=False))
    for control in (BYOYOMI, TimeControl(600, periods=3, period=1)):
        assert not control.low(ClockFace(5, 3, byoyomi=False)), "the periods are still to come"
    assert BYOYOMI.low(ClockFace(5, 3, byoyomi=True))
    short = TimeControl(periods=1, period=10)
    assert not short.low(ClockFace(9, 1, byoyomi=True)), "or it would be low all the time"
    assert short.low(ClockFace(4.9, 1, byoyomi=True))


# Who counts.


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def watch(time: Time) -> Stopwatch:
    return Stopwatch(time)


def test_a_stopwatch_counts_while_it_runs(time: Time, watch: Stopwatch) -> None:
    time.passes(5)
    assert (watch.running, watch.seconds) == (False, 0)
    watch.start(2.5)
    time.passes(1)
    assert watch.seconds == 3.5
    assert not watch.update()
    time.passes(1)
    assert watch.stop() == 4.5
    time.passes(1)
    assert (watch.running, watch.seconds) == (False, 4.5)
    assert not watch.update()


def test_a_drag_that_blocks_the_loop_counts_and_a_closed_lid_does_not(time: Time, watch: Stopwatch) -> None:
    watch.start()
    for _ in range(3):
        time.passes(ABSENCE)
        assert not watch.update()
    assert watch.seconds == 3 * ABSENCE
    time.passes(3600)
    assert watch.seconds == 3 * ABSENCE, "before anyone has looked, too"
    assert watch.update()
    time.passes(1)
    assert not watch.update()
    assert watch.stop() == 3 * ABSENCE + 1


def test_stopped_for_a_moment_that_has_passed(time: Time, watch: Stopwatch) -> None:
    """An engine's answer is seen late when the loop is held up; its clock stops when it came."""
    watch.start(1.0)
    time.passes(2)
    came = time.now
    time.passes(7)
    assert not watch.update()
    assert watch.stop(came) == 3
