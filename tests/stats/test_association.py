"""Associations against scipy, plain loops and gathered resamples."""

import numpy as np
import pytest
from scipy import stats

from rereview.stats.association import (
    adjusted_correlation,
    mae,
    noise_of_gain,
    noise_of_mean,
    pearson,
    resampled_adjusted,
    resampled_pearson,
    resampled_spearman,
    rmse,
    spearman,
)
from rereview.stats.resample import unit_weights

NAN = float("nan")
DRAWS = 400


def _slow_pearson(x, y):
    """Correlate by definition, NaN without variance."""
    if len(set(x)) < 2 or len(set(y)) < 2:
        return NAN
    dx, dy = [v - sum(x) / len(x) for v in x], [v - sum(y) / len(y) for v in y]
    return (
        sum(a * b for a, b in zip(dx, dy, strict=True))
        / (sum(a * a for a in dx) * sum(b * b for b in dy)) ** 0.5
    )


def _slow_ranks(x):
    return [sum(v < u for v in x) + (sum(v == u for v in x) + 1) / 2 for u in x]


def _slow_adjusted(x, y, noise_x, noise_y):
    if len(x) < 2:
        return NAN
    left = np.var(x, ddof=1) - np.mean(noise_x)
    right = np.var(y, ddof=1) - np.mean(noise_y)
    return np.cov(x, y)[0, 1] / (left * right) ** 0.5 if left > 1e-9 and right > 1e-9 else NAN


@pytest.fixture
def papers():
    """Twelve papers with tied scores, each side with a value missing."""
    rng = np.random.default_rng(6)
    x = rng.integers(3, 8, 12).astype(float)
    y = np.round(x + rng.normal(0, 1.5, 12))
    x[2], y[5] = NAN, NAN
    return x, y


@pytest.fixture
def picks():
    """Draw papers, by row."""
    return np.random.default_rng(11).integers(0, 12, (DRAWS, 12))


@pytest.fixture
def weights():
    """Count the same draws as multiplicities."""
    return unit_weights(12, rng=np.random.default_rng(11), draws=DRAWS)


def test_correlations_and_errors_are_scipys(papers):
    """Papers that lack a side are left out of all four, and counted."""
    x, y = papers
    both = ~np.isnan(x + y)
    a, b = x[both], y[both]
    assert pearson(x, y) == (pytest.approx(stats.pearsonr(a, b).statistic, abs=1e-12), 10, 2)
    assert spearman(x, y) == (pytest.approx(stats.spearmanr(a, b).statistic, abs=1e-12), 10, 2)
    assert mae(x, y) == (pytest.approx(sum(abs(a - b)) / 10, abs=1e-12), 10, 2)
    assert rmse(x, y) == (pytest.approx((sum((a - b) ** 2) / 10) ** 0.5, abs=1e-12), 10, 2)


@pytest.mark.parametrize(
    ("x", "y"), [([5, 5, 5], [1, 2, 3]), ([0.1] * 3, [1, 2, 3]), ([1], [2]), ([], []), ([NAN, 1], [1, NAN])]
)
def test_no_variance_is_no_correlation(x, y):
    """Constant scores, one paper, or none: NaN, not zero."""
    assert np.isnan(pearson(x, y).value)
    assert np.isnan(spearman(x, y).value)
    assert np.isnan(adjusted_correlation(x, y, np.zeros(len(x)), np.zeros(len(x))).value)


def test_resampled_correlations_are_those_of_the_gathered_papers(papers, picks, weights):
    """Draw by draw, ranks taken anew; draws without variance are undefined."""
    x, y = papers
    x[:] = np.where(np.arange(12) < 10, 5.0, x)
    found, ranked = resampled_pearson(weights, x, y)[:, 0], resampled_spearman(weights, x, y)
    for draw, linear, rank in zip(picks, found, ranked, strict=True):
        pairs = [(a, b) for a, b in zip(x[draw], y[draw], strict=True) if not np.isnan(a + b)]
        a, b = ([pair[j] for pair in pairs] for j in (0, 1))
        assert linear == pytest.approx(_slow_pearson(a, b), abs=1e-12, nan_ok=True)
        assert rank == pytest.approx(_slow_pearson(_slow_ranks(a), _slow_ranks(b)), abs=1e-12, nan_ok=True)
    assert 0 < np.isnan(found).sum() < DRAWS


def test_columns_of_predictors_are_resampled_together(papers, weights):
    """Several columns against one reference equal each alone, missing values apart."""
    x, y = papers
    other = np.where(np.arange(12) == 7, NAN, y[::-1])
    together = resampled_pearson(weights, np.stack([x, other], axis=1), y)
    for column, predictor in enumerate((x, other)):
        alone = resampled_pearson(weights, predictor, y)[:, 0]
        assert together[:, column] == pytest.approx(alone, abs=1e-12, nan_ok=True)


def test_noise_of_a_mean_is_its_squared_standard_error():
    """S²/k from the observed rounds; a single round tells nothing of noise."""
    found = noise_of_mean([[5, 6, 7], [5, 7, NAN], [5, NAN, NAN]])
    assert found[:2].tolist() == pytest.approx([1 / 3, 1])
    assert np.isnan(found[2])
    assert noise_of_gain([[5, 6, 7]], [[1, 2]])[0] == pytest.approx(1 / 3 + 0.25)


def test_adjusted_correlation_takes_noise_out_of_the_variances_alone(papers):
    """The covariance is left alone; without noise it is Pearson's."""
    x, y = papers
    noise = np.linspace(0.1, 0.5, 12)
    kept = ~np.isnan(x + y)
    expected = _slow_adjusted(x[kept], y[kept], noise[kept], 2 * noise[kept])
    assert adjusted_correlation(x, y, noise, 2 * noise) == (pytest.approx(expected, abs=1e-12), 10, 2)
    none = np.zeros(12)
    assert adjusted_correlation(x, y, none, none).value == pytest.approx(pearson(x, y).value, abs=1e-12)


def test_adjusted_correlation_is_neither_clipped_nor_made_up():
    """It may pass 1; noise as large as the variance leaves it undefined."""
    x = np.array([4.0, 5, 6, 7])
    assert adjusted_correlation(x, x, np.full(4, 0.5), np.full(4, 0.5)).value > 1
    assert np.isnan(adjusted_correlation(x, x, np.full(4, 5 / 3), np.full(4, 0.5)).value)


def test_adjusted_draws_recompute_noise_and_count_what_is_valid(papers, picks, weights):
    """Every draw is the plain formula on the gathered papers; invalid and outside ones are counted."""
    x, y = papers
    noise_x, noise_y = np.linspace(0.2, 1.6, 12), np.linspace(2.0, 0.3, 12)
    found = resampled_adjusted(weights, x, y, noise_x, noise_y)
    expected = []
    for draw in picks:
        kept = [i for i in draw if not np.isnan(x[i] + y[i])]
        expected.append(_slow_adjusted(x[kept], y[kept], noise_x[kept], noise_y[kept]))
    assert found.values == pytest.approx(np.array(expected), rel=1e-9, abs=1e-12, nan_ok=True)
    assert found.valid == sum(not np.isnan(value) for value in expected) < DRAWS
    assert found.outside == sum(abs(value) > 1 for value in expected) > 0
