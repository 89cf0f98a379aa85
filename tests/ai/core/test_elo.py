"""`ai.core.elo` against the worked example of Glickman's paper."""

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ai.core.elo import Estimate, Rating, elo_of, estimate, updated_rating


def test_the_example_of_the_paper() -> None:
    opponents = (Rating(1400, 30), Rating(1550, 100), Rating(1700, 300))
    after = updated_rating(Rating(1500, 200, 0.06), list(zip(opponents, (1.0, 0.0, 0.0), strict=True)))
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.02)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_surprises_raise_the_volatility_as_the_equation_of_the_paper_says() -> None:
    """Ten losses against a weaker player; the root of the paper's f by bisection."""
    phi, mu, sigma, games = 50 / 173.7178, 200 / 173.7178, 0.06, 10
    g = 1 / math.sqrt(1 + 3 * (30 / 173.7178 / math.pi) ** 2)
    expected = 1 / (1 + math.exp(-g * mu))
    variance = 1 / (games * g * g * expected * (1 - expected))
    delta = -variance * games * g * expected

    def f(x: float) -> float:
        e, spread = math.exp(x), phi**2 + variance + math.exp(x)
        return e * (delta**2 - spread) / (2 * spread**2) - (x - math.log(sigma**2)) / 0.5**2

    low, high = -20.0, 5.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    after = updated_rating(Rating(1500, 50, sigma), [(Rating(1300, 30), 0.0)] * games)
    assert after.volatility == pytest.approx(math.exp(low / 2), rel=1e-5)
    assert after.volatility > sigma + 1e-4


def test_who_does_not_play_is_known_less() -> None:
    after = updated_rating(Rating(1500, 200, 0.06), [])
    assert (after.rating, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(200.2714, abs=1e-3)
    assert updated_rating(Rating(1500, 350, 0.06), []).deviation == 350


ratings = st.builds(Rating, st.floats(0, 3500), st.floats(20, 350), st.floats(0.03, 0.12))


@settings(deadline=None)
@given(ratings, ratings)
def test_a_win_raises_and_a_loss_lowers(player: Rating, opponent: Rating) -> None:
    won, drawn, lost = (updated_rating(player, [(opponent, score)]) for score in (1.0, 0.5, 0.0))
    assert won.rating > drawn.rating > lost.rating
    assert won.rating > player.rating > lost.rating
    assert max(won.deviation, lost.deviation) <= 350


def test_sixty_even_games_settle_near_the_opponent() -> None:
    player, opponent = Rating(1000), Rating(1600, 40)
    for number in range(60):
        player = updated_rating(player, [(opponent, float(number % 2))])
    assert player.rating == pytest.approx(1600, abs=40)
    assert player.deviation < 80


anything = st.floats(allow_nan=False) | st.sampled_from((1e-200, 1e-4, 1.0, 350.0, 6000.0, -6000.0, 1e300))


@settings(deadline=None)
@given(st.builds(Rating, anything, anything, anything), st.builds(Rating, anything, anything, anything),
       st.sampled_from((0.0, 0.5, 1.0)))  # fmt: skip
@example(Rating(1000, 100, 1e-200), Rating(1000, 100), 1.0)
@example(Rating(6000, 1, 1e-4), Rating(-6000, 1), 0.0)
@example(Rating(-6000, 350, 1.0), Rating(6000, 1), 1.0)
def test_no_rating_is_a_math_domain_error(player: Rating, opponent: Rating, score: float) -> None:
    for results in ([(opponent, score)], [(opponent, score)] * 3, []):
        after = updated_rating(player, results)
        assert after == after.bounded()


def test_a_match_that_was_won_whole_is_kept_half_a_result_from_certainty() -> None:
    """Ten pairs: a mean of 21/22, each 1/22 from it, so ± 0.0282, and an upper bound of 43/44."""
    found = estimate([1.0] * 10)
    assert found.elo == pytest.approx(elo_of(21 / 22))
    assert found.error == pytest.approx((elo_of(43 / 44) - elo_of(21 / 22 - 0.02817)) / 2, abs=0.1)
    assert (estimate([]).elo, estimate([]).error) == (0.0, 800.0)
    assert estimate([0.0] * 10) == Estimate(pytest.approx(-found.elo), pytest.approx(found.error))


@pytest.mark.parametrize("count", [4, 5_000])
def test_equal_results_are_not_certain(count: int) -> None:
    """As if one more differed: a variance of 1/4 of n + 1, but no less than 1e-4."""
    reach = 1.959964 * math.sqrt(max(1e-4, 0.25 / (count + 1)) / count)
    assert estimate([0.5] * count) == Estimate(0.0, pytest.approx(elo_of(0.5 + reach)))
