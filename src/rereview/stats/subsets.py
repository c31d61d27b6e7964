"""What a part of a review would have found.

Systems differ in how many comments they make, and more comments find more. Two reviews are compared at n
comments each by drawing n of each without replacement and taking the expectation, exactly. The first n are
not taken: one system lists comments by severity, another by section, so that the first n would compare
orders, not findings.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def chance_of_a_hit(hits: ArrayLike, comments: ArrayLike, drawn: int) -> Floats:
    """Chance that `drawn` of the comments, taken at random without replacement, hold a hit; shape `[review]`.

    `hits[review]` of `comments[review]` explain the error. Hypergeometric: with m hits of M comments

        1 - C(M - m, n) / C(M, n) = 1 - Π_{i < m} max(M - n - i, 0) / (M - i)

    A review of fewer than n comments gives them all. Raises ValueError for more hits than comments or a
    negative number.
    """
    m, whole = np.broadcast_arrays(np.asarray(hits, dtype=np.float64), np.asarray(comments, dtype=np.float64))
    if drawn < 0 or (m < 0).any() or (m > whole).any():
        raise ValueError("hits are at most the comments, and none of the numbers is negative")
    missed = np.ones(m.shape)
    for i in range(int(m.max(initial=0))):
        left = np.maximum(whole - drawn - i, 0.0) / np.maximum(whole - i, 1.0)
        missed = np.where(i < m, missed * left, missed)
    chances: Floats = 1 - missed
    return chances
