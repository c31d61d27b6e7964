"""How often the interval of a best model's recall holds a true one, the choice made on the same papers.

Papers differ in difficulty for all models, and for each by itself; the truth is the expected micro recall of
a model on further papers. Papers, errors and detections are drawn by numpy alone, and so is the truth.

    python benchmarks/coverage_best_model.py [--studies 2000] [--seed 1]
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from rereview.stats.resample import resampled_ratios, unit_weights
from rereview.stats.shares import drawn_interval

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]
PAPERS = (12, 40)
FEWEST, MOST = 8, 24
"""Errors of a paper."""
CASES: dict[str, tuple[float, ...]] = {
    "one model, no choice": (0.0,),
    "two equal models": (0.0, 0.0),
    "four equal models": (0.0,) * 4,
    "eight equal models": (0.0,) * 8,
    "four, one a little better": (0.3, 0.0, 0.0, 0.0),
    "four, one far better": (1.2, 0.0, 0.0, 0.0),
}
"""Skill of each model, in log odds above the mean difficulty of a paper."""
HEADS = (
    "models",
    "papers",
    "too high by",
    "holds the recall of the chosen model",
    "holds the recall of the best model",
    "mean width",
    "last row too high by",
)


def rates(skill: Floats, papers: int, rng: np.random.Generator) -> Floats:
    """The chance that a model finds an error of a paper, `[paper, model]`."""
    shared, own = rng.normal(-0.5, 0.8, (papers, 1)), rng.normal(0, 0.5, (papers, skill.size))
    return 1 / (1 + np.exp(-(skill + shared + own)))


def main() -> None:
    """Print what the intervals hold, a row a case and number of papers, as a table of Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    print("| " + " | ".join(HEADS) + " |")
    print("|---" * len(HEADS) + "|")
    for name, skills in CASES.items():
        skill = np.array(skills)
        truth = rates(skill, 400_000, rng).mean(axis=0)
        for papers in PAPERS:
            made = np.array([study(skill, truth, papers, rng) for _ in range(options.studies)])
            high, chosen, best, width, outside = np.nanmean(made, axis=0)
            cells = f"{high:+.3f} | {chosen:.3f} | {best:.3f} | {width:.2f} | {outside:+.3f}"
            print(f"| {name} | {papers} | {cells} |", flush=True)


def study(skill: Floats, truth: Floats, papers: int, rng: np.random.Generator) -> tuple[float, ...]:
    """How far too high, whether either truth is held, width, and how far too high outside the draws."""
    errors = rng.integers(FEWEST, MOST + 1, papers)
    found = rng.binomial(errors[:, None], rates(skill, papers, rng)).astype(np.float64)
    below = np.repeat(errors[:, None], skill.size, axis=1).astype(np.float64)
    share = found.sum(axis=0) / below.sum(axis=0)
    best = int(share.argmax())
    weights = unit_weights(papers, rng=rng, draws=1000)
    draws = resampled_ratios(weights, found, below)
    picked = draws.argmax(axis=1)
    interval = drawn_interval(float(share[best]), draws[np.arange(len(draws)), picked], errors)
    low, high = interval.low, interval.high
    if low is None or high is None:
        return (float(share[best] - truth[best]), float("nan"), float("nan"), float("nan"), float("nan"))
    outside = weights == 0
    there = np.arange(len(draws))
    unseen = (outside @ found)[there, picked].sum() / (outside @ below)[there, picked].sum()
    expected = truth[picked].mean()
    return (
        float(share[best] - truth[best]),
        float(low <= truth[best] <= high),
        float(low <= truth.max() <= high),
        high - low,
        float(unseen - expected),
    )


if __name__ == "__main__":
    main()
