"""Speed of the statistics beside plain numpy, scipy.stats.bootstrap and arch, with equal results asserted.

Each job runs on its own and beside the references that are installed; before any time is printed, what it
gives is compared with a slow reference on the same draws. Wall and CPU time are the best of several runs; on
a machine that others use the CPU time is the one to read. The columns after them say how much of this
machine's measured matrix product and copy speed, in CPU time too, the job reaches end to end.

    python benchmarks/statistics_speed.py [--repeats 5]

(-P, because a module of Python's own has the name of this file.)
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import stats

from rereview.stats.association import resampled_adjusted, resampled_pearson, resampled_spearman
from rereview.stats.calibration import SCORES, WEIGHTS, losses, quick_grid
from rereview.stats.certify import MIXTURE, tighter_upper
from rereview.stats.discrimination import resampled_auc
from rereview.stats.heldout import random_halves, refit_bootstrap
from rereview.stats.matching import Matched, half_square, matched
from rereview.stats.pilot import read_pilot
from rereview.stats.ranking import pair_rates, ranking_agreement, ranking_draws
from rereview.stats.resample import percentile_limits, resampled_means, unit_weights

PAPERS, ROUNDS, DRAWS, POSITIVE = 200, 10, 10_000, 63
ANSWERED, TARGETS, SPLITS, REFITS, SHAPES = 198, 5, 30, 1_000, 234
B = 40.5
SEED = 20
UNWANTED = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")


class Job(NamedTuple):
    """A job, its references (with the part of the job that each does), and its least work."""

    name: str
    ours: Callable[[], object]
    references: dict[str, tuple[Callable[[], object], float]]
    flops: float
    moved: float


class Data(NamedTuple):
    """Scores of one population: integer and decimal rounds, statistics of papers, an outcome.

    And of its first papers an auxiliary call with probabilities.
    """

    integers: np.ndarray
    decimals: np.ndarray
    groups: np.ndarray
    table: np.ndarray
    positive: np.ndarray
    auxiliary: np.ndarray


class Seconds(NamedTuple):
    """Best wall and best CPU time of several runs."""

    wall: float
    cpu: float


def main() -> None:
    """Check every job against its slow reference, then time and print."""
    if any(os.environ.pop(name, None) for name in UNWANTED):
        os.execve(sys.executable, sys.orig_argv, os.environ)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    data = population(np.random.default_rng(SEED))
    check(data)
    gemm, copy = matrix_speed(repeats), copy_speed(repeats)
    print(f"matrix product {gemm / 1e9:.0f} GFLOP/s, copy {copy / 1e9:.0f} GB/s, best of {repeats}\n")
    print("| job | wall, ms | CPU, ms | of matrix product | of copy | beside, CPU |")
    print("|---|---|---|---|---|---|")
    for job in jobs(data):
        mine = best(job.ours, repeats)
        others = ", ".join(
            f"{name} {seconds * 1e3:,.0f} ms ({seconds / mine.cpu:,.1f}x)"
            for name, (call, part) in job.references.items()
            for seconds in [best(call, 1 if part < 1 else 2).cpu / part]
        )
        reached = f"{job.flops / mine.cpu / gemm:.0%} | {job.moved / mine.cpu / copy:.0%}"
        print(
            f"| {job.name} | {mine.wall * 1e3:.1f} | {mine.cpu * 1e3:.1f} | {reached} | {others} |",
            flush=True,
        )


def population(rng: np.random.Generator) -> Data:
    """Two years of papers with true means, reviewed in rounds with small noise."""
    means = rng.normal(5.5, 1.2, PAPERS)
    noisy = np.clip(means[:, None] + rng.normal(0, 0.35, (PAPERS, ROUNDS)), 1, 10)
    groups = np.repeat([0, 1], PAPERS // 2)
    table = means[:, None] + rng.normal(0, 1, (PAPERS, 100))
    positive = np.argsort(np.argsort(-means - rng.normal(0, 1, PAPERS))) < POSITIVE
    away = np.abs(SCORES - (means + rng.normal(0.5, 0.6, PAPERS))[:, None])
    returned = np.where(away < 3, np.exp(-2 * away**2), np.nan)[:ANSWERED]
    return Data(np.rint(noisy), np.round(noisy, 2), groups, table, positive, returned)


def jobs(data: Data) -> Iterator[Job]:
    """Every job with its references. Work is that of the products alone; moved is weights, once each way."""
    weights = unit_weights(PAPERS, rng=np.random.default_rng(SEED), draws=DRAWS)
    size = float(weights.nbytes)
    for kind, scores in (("integers", data.integers), ("hundredths", data.decimals)):
        ranking: dict[str, tuple[Callable[[], object], float]] = {
            "numpy by partition": (lambda s=scores: slow_ranking(s, data.groups), 1.0)
        }
        blocks = [45, 120, 210] if kind == "hundredths" else []
        work = sum(9900 * 2.0 * count**2 for count in blocks)
        yield Job(
            f"ranking, all five k, {kind}",
            lambda s=scores: ranking_agreement(s, data.groups),
            ranking,
            work,
            0,
        )
    yield Job("weights, 10,000 draws", drawn, {"rng alone": (lambda: picks(DRAWS), 1.0)}, 0, 2 * size)
    for columns in (1, 24, 100):
        table = data.table[:, :columns]
        references: dict[str, tuple[Callable[[], object], float]] = {
            "numpy gather": (lambda t=table: gathered(t), 1.0),
            "scipy": (lambda t=table: scipy_means(t[:, :4]), min(1.0, 4 / columns)),
        }
        if importlib.util.find_spec("arch"):
            references["arch"] = (lambda t=table: arch_means(t), 1.0)
        yield Job(
            f"mean of {columns} statistics, draws and limits",
            lambda t=table: percentile_limits(resampled_means(drawn(), t)),
            references,
            2.0 * DRAWS * PAPERS * columns,
            2 * size + 16.0 * DRAWS * columns,
        )
    yield Job(
        "Pearson of 24 predictors, draws and limits",
        lambda: percentile_limits(resampled_pearson(drawn(), data.table[:, :24], data.table[:, 99])),
        {"numpy loop": (lambda: slow_pearson(data, 500), 500 / DRAWS)},
        2.0 * DRAWS * PAPERS * 6 * 24,
        2 * size,
    )
    yield Job(
        "Spearman, draws and limits",
        lambda: percentile_limits(resampled_spearman(drawn(), data.table[:, 0], data.table[:, 1])[:, None]),
        {"scipy loop": (lambda: slow_spearman(data, 500), 500 / DRAWS)},
        0,
        2 * size,
    )
    yield Job(
        "noise-adjusted correlation, draws and limits",
        lambda: percentile_limits(resampled_adjusted(drawn(), *noisy_pair(data)).values[:, None]),
        {"numpy loop": (lambda: slow_adjusted(data, 1000), 1000 / DRAWS)},
        2.0 * DRAWS * PAPERS * 8,
        2 * size,
    )
    auc: dict[str, tuple[Callable[[], object], float]] = {
        "rank loop": (lambda: slow_auc(data, 500), 500 / DRAWS),
    }
    yield Job(
        f"AUC, {POSITIVE} x {PAPERS - POSITIVE}, draws and limits",
        lambda: percentile_limits(resampled_auc(drawn(), data.integers.mean(axis=1), data.positive)[:, None]),
        auc,
        2.0 * DRAWS * POSITIVE * (PAPERS - POSITIVE),
        2 * size,
    )
    rates = pair_rates(data.integers, data.groups, k=3)
    yield Job(
        "ranking rates, 10,000 draws of papers",
        lambda: ranking_draws(weights, rates),
        {"numpy loop": (lambda: slow_nodes(rates, 200), 200 / DRAWS)},
        2.0 * DRAWS * PAPERS * PAPERS * 3,
        size,
    )
    yield Job(
        "refit bootstrap, 1,000 x 30 splits x 234 x 10 partitions x 8",
        lambda: percentile_limits(refitted(data, REFITS)),
        {"numpy over the grid": (lambda: slow_refit(data, 8), 8 / REFITS)},
        2.0 * REFITS * SPLITS * ANSWERED * SHAPES,
        0,
    )
    yield Job(
        "matching e-value, upper bound of V, 200 x 10",
        lambda: tighter_upper(evidence(data)),
        {"numpy, every paper": (lambda: [slow_matching(data, share / B) for share, _ in MIXTURE], 1.0)},
        0,
        0,
    )


def check(data: Data) -> None:
    """Assert that every job equals its slow reference on the same draws."""
    few = 300
    weights = unit_weights(PAPERS, rng=np.random.default_rng(SEED), draws=few)
    for scores in (data.integers, data.decimals):
        found = [(one.same, one.tie, one.reverse) for one in ranking_agreement(scores, data.groups)]
        np.testing.assert_allclose(found, slow_ranking(scores, data.groups), rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        resampled_means(weights, data.table), data.table[picks(few)].mean(axis=1), rtol=0, atol=1e-12
    )
    pearson = resampled_pearson(weights, data.table[:, :24], data.table[:, 99])
    np.testing.assert_allclose(pearson, slow_pearson(data, few), rtol=0, atol=1e-12)
    spearman = resampled_spearman(weights, data.table[:, 0], data.table[:, 1])
    np.testing.assert_allclose(spearman, slow_spearman(data, few), rtol=0, atol=1e-12)
    adjusted = resampled_adjusted(weights, *noisy_pair(data)).values
    np.testing.assert_allclose(adjusted, slow_adjusted(data, few), rtol=0, atol=1e-12)
    auc = resampled_auc(weights, data.integers.mean(axis=1), data.positive)
    np.testing.assert_allclose(auc, slow_auc(data, few), rtol=0, atol=1e-12)
    rates = pair_rates(data.integers, data.groups, k=3)
    np.testing.assert_allclose(ranking_draws(weights, rates), slow_nodes(rates, few), rtol=0, atol=1e-12)
    np.testing.assert_allclose(refitted(data, 3)[:, :2], slow_refit(data, 3), rtol=0, atol=1e-12)
    found = evidence(data).log_product(half_square, 0.99 / B)
    np.testing.assert_allclose(found, slow_matching(data, 0.99 / B), rtol=1e-12)


def picks(draws: int) -> np.ndarray:
    """Rows of the papers of each draw, as numpy's generator gives them."""
    return np.random.default_rng(SEED).integers(0, PAPERS, (draws, PAPERS))


def drawn() -> np.ndarray:
    """Draw the weights anew: every timed bootstrap pays for its own draws."""
    return unit_weights(PAPERS, rng=np.random.default_rng(SEED), draws=DRAWS)


def slow_ranking(scores: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Rate Same, Tie and Reverse for every size, partition by partition, on hundredths as integers."""
    units = np.rint(scores * 100).astype(np.int64)
    left, right = np.triu_indices(len(units), 1)
    alike = groups[left] == groups[right]
    left, right = left[alike], right[alike]
    rates = []
    for k in range(1, units.shape[1] // 2 + 1):
        counts = np.zeros(3, dtype=np.int64)
        for a in combinations(range(units.shape[1]), k):
            for b in combinations(sorted(set(range(units.shape[1])) - set(a)), k):
                if a < b:
                    sums = [units[:, list(block)].sum(axis=1) for block in (a, b)]
                    signs = [np.sign(total[left] - total[right]) for total in sums]
                    counts += np.bincount(1 - signs[0] * signs[1], minlength=3)
        rates.append(counts / counts.sum())
    return np.array(rates)


def gathered(table: np.ndarray) -> np.ndarray:
    """Percentile limits of means by gathering the papers of each draw, a column at a time."""
    chosen = picks(DRAWS)
    return np.quantile(np.stack([column[chosen].mean(axis=1) for column in table.T]), [0.025, 0.975], axis=1)


def scipy_means(table: np.ndarray) -> list[object]:
    """scipy.stats.bootstrap, one call a statistic."""
    return [
        stats.bootstrap((column,), np.mean, n_resamples=DRAWS, method="percentile", vectorized=True, axis=0)
        for column in table.T
    ]


def arch_means(table: np.ndarray) -> object:
    """IIDBootstrap of arch, with all statistics in one call."""
    from arch.bootstrap import IIDBootstrap  # noqa: PLC0415 only where it is installed

    return IIDBootstrap(table, seed=SEED).conf_int(lambda x: x.mean(axis=0), reps=DRAWS, method="percentile")


def slow_pearson(data: Data, draws: int) -> np.ndarray:
    """Correlate the gathered papers draw by draw."""
    return np.array(
        [[np.corrcoef(x, data.table[p, 99])[0, 1] for x in data.table[p, :24].T] for p in picks(draws)]
    )


def slow_spearman(data: Data, draws: int) -> np.ndarray:
    """Correlate ranks of the gathered papers, draw by draw."""
    return np.array([stats.spearmanr(data.table[p, 0], data.table[p, 1]).statistic for p in picks(draws)])


def noisy_pair(data: Data) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Means and noise variances of the first and last five rounds."""
    halves = data.decimals[:, :5], data.decimals[:, 5:]
    (x, y), (noise_x, noise_y) = (
        [half.mean(axis=1) for half in halves],
        [half.var(axis=1, ddof=1) / 5 for half in halves],
    )
    return x, y, noise_x, noise_y


def slow_adjusted(data: Data, draws: int) -> np.ndarray:
    """Adjust the correlation of the gathered papers, draw by draw."""
    x, y, noise_x, noise_y = noisy_pair(data)
    values = []
    for p in picks(draws):
        (vx, c), (_, vy) = np.cov(x[p], y[p])
        values.append(c / np.sqrt((vx - noise_x[p].mean()) * (vy - noise_y[p].mean())))
    return np.array(values)


def slow_auc(data: Data, draws: int) -> np.ndarray:
    """AUC of the gathered papers from ranks, draw by draw."""
    means, values = data.integers.mean(axis=1), []
    for p in picks(draws):
        labels, ranks = data.positive[p], stats.rankdata(means[p])
        high = labels.sum()
        values.append((ranks[labels].sum() - high * (high + 1) / 2) / (high * (PAPERS - high)))
    return np.array(values)


def slow_nodes(rates: object, draws: int) -> np.ndarray:
    """Average the rates of the pairs in each draw by their multiplicities."""
    first, second, same, reverse = rates
    values = []
    for p in picks(draws):
        times = np.bincount(p, minlength=PAPERS)
        weight = times[first] * times[second]
        a, b = (weight @ same) / weight.sum(), (weight @ reverse) / weight.sum()
        values.append([a, 1 - a - b, b])
    return np.array(values)


def halves() -> np.ndarray:
    """Splits of the answered papers."""
    return random_halves(ANSWERED, rng=np.random.default_rng(SEED + 1), splits=SPLITS)


def refitted(data: Data, draws: int) -> np.ndarray:
    """Everything from probabilities and scores to the refitted risks."""
    known = losses(quick_grid(data.auxiliary), data.integers[:ANSWERED, :TARGETS])
    weights = unit_weights(ANSWERED, rng=np.random.default_rng(SEED), draws=draws)
    return refit_bootstrap(known, halves(), weights)


def slow_refit(data: Data, draws: int) -> np.ndarray:
    """Quick's and Standard's risk, fitted split by split with every partition written out."""
    shapes, targets = quick_grid(data.auxiliary), data.integers[:ANSWERED, :TARGETS]
    hot = (targets[:, :, None] == SCORES).astype(float)
    brier = ((shapes[:, :, None, :] - hot[:, None, :, :]) ** 2).sum(axis=3).mean(axis=2)
    risks = []
    for p in np.random.default_rng(SEED).integers(0, ANSWERED, (draws, ANSWERED)):
        times, seen = np.bincount(p, minlength=ANSWERED), np.zeros((2, ANSWERED))
        for train in halves():
            weight = times * train / (times @ train)
            predicted = shapes[:, first(weight @ brier)]
            loss, risk = slow_standard(predicted, hot)
            seen[0, ~train] += slow_risk(predicted, hot)[~train]
            seen[1, ~train] += risk[first(weight @ loss)][~train]
        tested = (~halves()).sum(axis=0)
        risks.append(seen[:, tested > 0] / tested[tested > 0] @ times[tested > 0] / times[tested > 0].sum())
    return np.array(risks)


def slow_standard(predicted: np.ndarray, hot: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Standard at every weight, with Brier loss and risk of every paper averaged over the ten partitions."""
    weight = np.array(WEIGHTS)[:, None, None]
    loss, risk = np.zeros((2, len(WEIGHTS), len(hot)))
    for pair in combinations(range(TARGETS), 2):
        rest = [j for j in range(TARGETS) if j not in pair]
        mixed = weight * hot[:, list(pair)].mean(axis=1) + (1 - weight) * predicted
        loss += ((mixed[:, :, None, :] - hot[:, rest]) ** 2).sum(axis=3).mean(axis=2) / 10
        risk += slow_risk(mixed, hot[:, rest]) / 10
    return loss.T, risk


def slow_risk(predicted: np.ndarray, hot: np.ndarray) -> np.ndarray:
    """Debiased squared risk of each paper's distribution against its targets."""
    counts, m = hot.sum(axis=1), hot.shape[1]
    equal = (counts * (counts - 1)).sum(axis=1) / (m * (m - 1))
    return (predicted**2).sum(axis=-1) - 2 * (predicted * counts / m).sum(axis=-1) + equal


def first(losses_: np.ndarray) -> int:
    """The first of the smallest."""
    return int(np.argmax(losses_ <= losses_.min() + 1e-12))


def evidence(data: Data) -> Matched:
    """The pilot as the e-value reads it."""
    pilot = read_pilot(data.integers)
    found = matched(pilot) if pilot else None
    assert found
    return found


def slow_matching(data: Data, theta: float) -> float:
    """Log of the product over papers of the mean over all 945 matchings, paper by paper."""
    pairs = np.array(list(matchings(tuple(range(ROUNDS)))))
    total = 0.0
    for row in data.integers:
        factors = 1 - theta * (row[pairs[:, :, 0]] - row[pairs[:, :, 1]]) ** 2 / 2
        total += float(np.log(factors.prod(axis=1).mean()))
    return total


def matchings(points: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair all points."""
    if not points:
        yield []
        return
    for place in range(1, len(points)):
        for rest in matchings(points[1:place] + points[place + 1 :]):
            yield [(points[0], points[place]), *rest]


def best(call: Callable[[], object], repeats: int) -> Seconds:
    """Seconds of the fastest run."""
    walls, cpus = [], []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return Seconds(min(walls), min(cpus))


def matrix_speed(repeats: int) -> float:
    """Operations a CPU second of a double-precision matrix product of 1,500."""
    n = 1500
    a = np.random.default_rng(0).random((n, n))
    return 2.0 * n**3 / best(lambda: a @ a, repeats).cpu


def copy_speed(repeats: int) -> float:
    """Bytes a CPU second read and written by a copy of 128 MB."""
    a = np.ones(2**24)
    b = np.empty_like(a)
    return 2.0 * a.nbytes / best(lambda: np.copyto(b, a), repeats).cpu


if __name__ == "__main__":
    main()
