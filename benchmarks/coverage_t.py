"""How often the t interval of one paper's rounds holds the expected score, by simulation.

The scores and their expectation are drawn by numpy alone; only the interval is rereview's. An interval
that does not exist (no spread seen) is counted as such: coverage is of the intervals that are printed.

    python benchmarks/coverage_t.py [--papers 2000] [--seed 1]
"""

from __future__ import annotations

import argparse

import numpy as np

from rereview.stats.resample import t_interval

POINTS = np.arange(1, 11)
SHAPES = {
    "two neighbours, even": {5: 0.5, 6: 0.5},
    "two neighbours, 9 to 1": {5: 0.9, 6: 0.1},
    "three neighbours": {4: 0.25, 5: 0.5, 6: 0.25},
    "skewed with a tail": {3: 0.1, 4: 0.05, 6: 0.15, 7: 0.7},
    "at the end of the scale": {8: 0.15, 9: 0.35, 10: 0.5},
    "flat over the scale": dict.fromkeys(range(1, 11), 0.1),
}
ROUNDS = (3, 5, 10)


def main() -> None:
    """Print one row a shape and number of rounds, as a table of Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--papers", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    print("| shape of the scores | rounds | no interval | coverage | mean width |")
    print("|---|---|---|---|---|")
    for name, weights in SHAPES.items():
        chances = np.array([weights.get(point, 0.0) for point in POINTS.tolist()])
        expected = float(POINTS @ chances)
        for rounds in ROUNDS:
            scores = rng.choice(POINTS, size=(options.papers, rounds), p=chances)
            print(f"| {name} | {rounds} | " + " | ".join(row(scores, expected)) + " |")


def row(scores: np.ndarray, expected: float) -> tuple[str, str, str]:
    """Share without an interval; of the others, the share that holds the truth, and their mean width."""
    drawn = [t_interval(paper, low=1, high=10) for paper in scores]
    limits = np.array([(one.low, one.high) for one in drawn if one.low is not None])
    none = 1 - len(limits) / len(drawn)
    covered = ((limits[:, 0] <= expected) & (expected <= limits[:, 1])).mean()
    return f"{none:.2f}", f"{covered:.3f}", f"{(limits[:, 1] - limits[:, 0]).mean():.1f}"


if __name__ == "__main__":
    main()
