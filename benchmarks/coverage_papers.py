"""How often intervals over papers hold a recall, by simulation: the default beside the percentile bootstrap.

Each paper has a few injected errors and a detection rate of its own; the quantity is the expected micro
recall. Papers, errors and detections are drawn by numpy alone, and so is the truth.

    python benchmarks/coverage_papers.py [--studies 2000] [--seed 1]
"""

from __future__ import annotations

import argparse

import numpy as np

from rereview.stats.resample import (
    Interval,
    linearised_ratio,
    percentile_intervals,
    resampled_ratios,
    unit_weights,
)

PAPERS = (6, 10, 20, 40)
ERRORS = np.arange(2, 13)
SHAPE = (2.0, 3.0)


def main() -> None:
    """Print one row a number of papers, as a table of Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    truth = SHAPE[0] / sum(SHAPE)  # a paper's rate does not depend on its number of errors
    print("| papers | default (linearised, t) | percentile bootstrap |")
    print("|---|---|---|")
    for papers in PAPERS:
        covered = np.array([study(papers, truth, rng) for _ in range(options.studies)])
        print(f"| {papers} | " + " | ".join(f"{share:.3f}" for share in covered.mean(axis=0)) + " |")


def study(papers: int, truth: float, rng: np.random.Generator) -> tuple[bool, bool]:
    """Draw one study and say which of the two intervals hold the truth."""
    errors = rng.choice(ERRORS, papers)
    found = rng.binomial(errors, rng.beta(*SHAPE, papers))
    draws = resampled_ratios(unit_weights(papers, rng=rng, draws=1000), found[:, None], errors[:, None])
    (percentile,) = percentile_intervals(found.sum() / errors.sum(), draws, n=papers)
    return holds(linearised_ratio(found, errors), truth), holds(percentile, truth)


def holds(interval: Interval, truth: float) -> bool:
    """Whether there are limits and they hold the truth."""
    return interval.holds(truth) is True


if __name__ == "__main__":
    main()
