"""How often intervals over papers hold a recall whose papers differ: what was tried, and what is used.

Each paper has injected errors and a rate of its own; the quantity is the expected micro recall. Papers,
errors and detections are drawn by numpy alone, and so is the truth.

    python benchmarks/coverage_shares.py [--studies 2000] [--seed 1]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rereview.stats.resample import Interval, linearised_ratio, resampled_ratios, unit_weights
from rereview.stats.shares import share_interval

PAPERS = (12, 40)
Counts = NDArray[np.int64]
Drawn = tuple[Counts, Counts]
Draw = Callable[[np.random.Generator, int], Drawn]
Limits = tuple[float, float]
COLUMNS = (
    "percentile bootstrap",
    "SD of draws, t",
    "linearised, t",
    "leave one out, t",
    "the same on log odds",
    "and effective number (used)",
)


def beta_binomial(alpha: float, beta: float, low: int, high: int) -> Draw:
    """Rates from a beta law, whatever the size of the paper."""

    def draw(rng: np.random.Generator, papers: int) -> Drawn:
        errors = rng.integers(low, high + 1, papers)
        return rng.binomial(errors, rng.beta(alpha, beta, papers)), errors

    return draw


def lopsided(rng: np.random.Generator, papers: int) -> Drawn:
    """A few papers hold most of the errors."""
    errors = np.maximum(1, np.rint(np.exp(rng.normal(2.2, 0.9, papers)))).astype(np.int64)
    return rng.binomial(errors, rng.beta(2, 3, papers)), errors


def linked(rng: np.random.Generator, papers: int) -> Drawn:
    """Papers with many errors are the easy ones."""
    errors = rng.integers(4, 40, papers)
    mean = 0.15 + 0.6 * errors / 40
    return rng.binomial(errors, rng.beta(6 * mean, 6 * (1 - mean))), errors


def two_kinds(rng: np.random.Generator, papers: int) -> Drawn:
    """A quarter of the papers easy, the others hard, and nothing between."""
    errors = rng.integers(5, 30, papers)
    return rng.binomial(errors, np.where(rng.random(papers) < 0.25, 0.85, 0.15)), errors


SIZES = np.arange(4, 40)
CASES: dict[str, tuple[float, Draw]] = {
    "8 to 24 errors": (0.4, beta_binomial(2, 3, 8, 24)),
    "1 to 5 errors": (0.4, beta_binomial(2, 3, 1, 5)),
    "a few papers hold most errors": (0.4, lopsided),
    "many errors are easy errors": (float((SIZES * (0.15 + 0.6 * SIZES / 40)).sum() / SIZES.sum()), linked),
    "recall 0.07": (0.07, beta_binomial(0.7, 9.3, 8, 24)),
    "recall 0.9": (0.9, beta_binomial(9, 1, 8, 24)),
    "two kinds of papers": (0.325, two_kinds),
}


def main() -> None:
    """Print coverage and mean width, a row a case and number of papers, as a table of Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    print("| papers differ so | papers | " + " | ".join(COLUMNS) + " |")
    print("|---" * (2 + len(COLUMNS)) + "|")
    for name, (truth, draw) in CASES.items():
        for papers in PAPERS:
            found = np.array([list(limits(*draw(rng, papers), rng)) for _ in range(options.studies)])
            held = ((found[..., 0] <= truth) & (truth <= found[..., 1])).mean(axis=0)
            width = np.nanmean(found[..., 1] - found[..., 0], axis=0)
            cells = (f"{share:.3f} ({wide:.2f})" for share, wide in zip(held, width, strict=True))
            print(f"| {name} | {papers} | " + " | ".join(cells) + " |", flush=True)


def limits(found: Counts, errors: Counts, rng: np.random.Generator) -> Iterator[Limits]:
    """Limits of one study by each method, in the order of `COLUMNS`; NaN where there are none."""
    share, papers = found.sum() / errors.sum(), len(errors)
    draws = resampled_ratios(unit_weights(papers, rng=rng, draws=1000), found[:, None], errors[:, None])[:, 0]
    t = float(special.stdtrit(papers - 1, 0.975))
    low, high = np.quantile(draws, [0.025, 0.975])
    yield float(low), float(high)
    yield around(share, t * float(draws.std()) * (papers / (papers - 1)) ** 0.5)
    yield of(linearised_ratio(found, errors))
    without = (found.sum() - found) / (errors.sum() - errors)
    error = ((papers - 1) / papers * ((without - share) ** 2).sum()) ** 0.5
    yield around(share, t * error)
    odds, half = np.log(share / (1 - share)), t * error / (share * (1 - share))
    yield float(special.expit(odds - half)), float(special.expit(odds + half))
    yield of(share_interval(found, errors))


def around(centre: float, half: float) -> Limits:
    """Symmetric limits."""
    return centre - half, centre + half


def of(interval: Interval) -> Limits:
    """The limits that there are."""
    none = float("nan")
    return (none if interval.low is None else interval.low, none if interval.high is None else interval.high)


if __name__ == "__main__":
    main()
