"""Slow references for the calibration tests: plain loops, one partition at a time, no product code."""

from fractions import Fraction
from itertools import combinations
from math import ceil, floor

import numpy as np

TEMPERATURES = [1, 2, 3, 5, 8, 12]
OFFSETS = [Fraction(i, 5) for i in range(-10, 3)]
SLOPES = [Fraction(9, 10), Fraction(1), Fraction(11, 10)]
WEIGHTS = [i / 10 for i in range(3, 11)]
GRID = [(t, a, b) for t in TEMPERATURES for a in OFFSETS for b in SLOPES]


def quick(returned, temperature, offset, slope):
    """Map {score: probability} of the returned candidates to a list of ten probabilities."""
    total = sum(returned.values())
    raised = {s: max(p / total, 1e-9) ** (1 / temperature) for s, p in returned.items()}
    mass = sum(raised.values())
    result = [0.0] * 10
    for score, value in raised.items():
        x = min(max(offset + slope * score, Fraction(1)), Fraction(10))
        if x.denominator == 1:
            result[int(x) - 1] += value / mass
        else:
            result[floor(x) - 1] += value / mass * float(ceil(x) - x)
            result[ceil(x) - 1] += value / mass * float(x - floor(x))
    return result


def brier(q, targets):
    """Mean over targets of the squared distance to the one-hot target."""
    return sum(sum((q[s] - (s == z - 1)) ** 2 for s in range(10)) for z in targets) / len(targets)


def risk(q, targets):
    """Give the debiased squared risk."""
    m = len(targets)
    equal = sum(targets[j] == targets[k] for j in range(m) for k in range(m) if j != k)
    return sum(p * p for p in q) - 2 / m * sum(q[z - 1] for z in targets) + equal / (m * (m - 1))


def partitions(targets):
    """Every choice of two inputs, with the targets that are left."""
    for pair in combinations(range(len(targets)), 2):
        yield [targets[i] for i in pair], [targets[i] for i in range(len(targets)) if i not in pair]


def standard(q, inputs, weight):
    """Weigh the frequencies of the inputs and Quick."""
    return [weight * inputs.count(s + 1) / len(inputs) + (1 - weight) * q[s] for s in range(10)]


def first_smallest(values):
    """Index of the first value within 1e-12 of the smallest."""
    return next(i for i, v in enumerate(values) if v <= min(values) + 1e-12)


def fit(returned, targets, weights):
    """Search the grid, then the weights, one paper and one partition at a time."""
    total = sum(weights)

    def quick_loss(point):
        return (
            sum(
                w * brier(quick(r, *point), z)
                for r, z, w in zip(returned, targets, weights, strict=True)
                if w
            )
            / total
        )

    point = GRID[first_smallest([quick_loss(point) for point in GRID])]

    def standard_loss(mix):
        loss = 0.0
        for r, z, w in zip(returned, targets, weights, strict=True):
            if w:
                parts = [brier(standard(quick(r, *point), i, mix), o) for i, o in partitions(z)]
                loss += w * sum(parts) / len(parts)
        return loss / total

    return point, WEIGHTS[first_smallest([standard_loss(mix) for mix in WEIGHTS])]


def risks(returned, targets, found):
    """Quick's and Standard's risk of one paper, the latter averaged over partitions."""
    point, mix = found
    q = quick(returned, *point)
    parts = [risk(standard(q, i, mix), o) for i, o in partitions(targets)]
    return risk(q, targets), sum(parts) / len(parts)


def bootstrap_draw(returned, targets, train, weights):
    """Give the mean Quick and Standard risk of one draw, refitted in every split."""
    papers = range(len(targets))
    seen = {i: [] for i in papers}
    for split in train:
        found = fit(returned, targets, [w * bool(t) for w, t in zip(weights, split, strict=True)])
        for i in papers:
            if not split[i]:
                seen[i].append(risks(returned[i], targets[i], found))
    tested = [i for i in papers if seen[i]]
    total = sum(weights[i] for i in tested)
    return [
        sum(weights[i] * sum(r[column] for r in seen[i]) / len(seen[i]) for i in tested) / total
        for column in (0, 1)
    ]


def sample(papers, seed, reviews=5):
    """Draw returned candidates, as dictionaries and as an array, and target scores."""
    rng = np.random.default_rng(seed)
    laws = rng.dirichlet(np.full(10, 0.4), papers)
    targets = np.array([rng.choice(10, reviews, p=law) + 1 for law in laws])
    returned = [
        {int(s): float(rng.random()) for s in rng.choice(10, rng.integers(1, 8), replace=False) + 1}
        for _ in laws
    ]
    table = np.full((papers, 10), np.nan)
    for row, candidates in zip(table, returned, strict=True):
        for score, probability in candidates.items():
            row[score - 1] = probability
    return returned, table, targets
