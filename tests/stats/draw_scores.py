"""Scores drawn from known laws, for simulations; plain numpy, knows nothing of what it tests.

A regime is a table of laws: (papers, 10) probabilities of the scores 1 to 10.
"""

import numpy as np

VALUES = np.arange(1, 11)


def flips(shares, low=5):
    """Each paper scores `low` or one more, the latter with its own probability."""
    laws = np.zeros((len(shares), 10))
    laws[:, low - 1] = 1 - shares
    laws[:, low] = shares
    return laws


def adjacent(papers=200, constant=0.3, seed=0):
    """Constant papers beside papers that flip between neighbours."""
    rng = np.random.default_rng(seed)
    shares = np.where(rng.random(papers) < constant, 0.0, rng.uniform(0.02, 0.5, papers))
    return flips(shares)


def jumps(probability, papers=200, start=1, end=10):
    """Every paper scores `start`, and rarely `end`."""
    laws = np.zeros((papers, 10))
    laws[:, start - 1] = 1 - probability
    laws[:, end - 1] = probability
    return laws


def extremes(loud, papers=200):
    """Give a few papers 1 or 10 with equal probability, all others always 5."""
    laws = np.zeros((papers, 10))
    laws[:, 4] = 1.0
    laws[:loud] = 0.0
    laws[:loud, 0] = laws[:loud, 9] = 0.5
    return laws


def uniform_few(share=0.03, papers=200):
    """Give a few papers any score, let the others flip between neighbours."""
    laws = adjacent(papers)
    laws[: round(share * papers)] = 0.1
    return laws


def dirichlet(papers=200, concentration=0.5, seed=0):
    """Every paper has its own law over all scores."""
    return np.random.default_rng(seed).dirichlet(np.full(10, concentration), papers)


def concentrated_jumps(papers_loud, probability, size, papers=200):
    """Let some papers jump by `size`, all others always score the same."""
    laws = np.zeros((papers, 10))
    laws[:, 0] = 1.0
    laws[:papers_loud, 0] = 1 - probability
    laws[:papers_loud, size] = probability
    return laws


def draw(laws, reviews, rng, replications=1):
    """Scores of shape (replications, papers, reviews)."""
    cumulative = laws.cumsum(axis=1)
    cumulative[:, -1] = 1.0
    coins = rng.random((replications, len(laws), reviews))
    scores = np.empty(coins.shape)
    for paper in range(len(laws)):
        scores[:, paper] = 1 + np.searchsorted(cumulative[paper], coins[:, paper], side="right")
    return np.minimum(scores, 10)


def mean_variance(laws):
    """V, the mean over papers of the variance of one score."""
    means = laws @ VALUES
    return float(np.mean(laws @ VALUES**2 - means**2))


def success(laws, reviews, tolerance):
    """A(k, tolerance) exactly, by convolution of each paper's law."""
    hits = []
    for law in laws:
        total = np.ones(1)
        for _ in range(reviews):
            total = np.convolve(total, law)
        sums = np.arange(reviews, 10 * reviews + 1)
        off = np.abs(sums / reviews - law @ VALUES)
        hits.append(total[off < tolerance - 1e-12].sum())
    return float(np.mean(hits))
