"""Signs that repeated reviews are not independent: then nothing can be certified.

Every certificate rests on scores that are independent and identically distributed within a paper.
Equal answers, replayed calls and scores that drift from round to round break that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import erfc
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

SHORTEST_ANSWER = 80
"""Characters below which equal answers are no sign of anything: two bare scores are often the same."""

MANY_PAPERS = 500
"""Moving papers above which the shuffled slope is normal to well within its simulation error."""

TREND_LEVEL = 0.001
"""Chance at which rounds of independent scores are called drifting."""


class Answer(NamedTuple):
    """One answer of a model: whose paper, which round, the text, and the call it came from."""

    paper: Hashable
    round: int
    text: str
    call: Hashable | None = None
    """None: not known, which is not a replay."""


class Trend(NamedTuple):
    """How scores move with the round, within papers."""

    slope: float | None
    """Score points a round; None where no paper has two different scores."""
    p: float | None
    """Two-sided chance of such a slope when the rounds of each paper are exchangeable."""


@dataclass(frozen=True, slots=True)
class Dependence:
    """What speaks against independence; `doubts` is what `budgets` takes."""

    duplicates: int = 0
    replays: int = 0
    trend: Trend | None = None

    @property
    def doubts(self) -> tuple[str, ...]:
        """One line for each sign that was seen; empty when there was none."""
        lines = []
        if self.duplicates:
            lines.append(
                f"{counted(self.duplicates, 'answer')} word for word equal to another of the same paper"
            )
        if self.replays:
            lines.append(
                f"{counted(self.replays, 'round')} answered by a call that another round already used"
            )
        if self.trend and self.trend.p is not None and self.trend.p < TREND_LEVEL:
            lines.append(f"scores drift by {self.trend.slope:+.3f} a round (p = {self.trend.p:.2g})")
        return tuple(lines)


def counted(number: int, noun: str) -> str:
    """1 answer is, 2 answers are."""
    return f"{number} {noun} is" if number == 1 else f"{number} {noun}s are"


def duplicate_answers(answers: Iterable[Answer], *, shortest: int = SHORTEST_ANSWER) -> int:
    """Count the answers that repeat another answer of the same paper word for word.

    Letter case and spaces do not count; answers shorter than `shortest` characters are left out.
    Two calls of a model that samples do not agree over a whole review, a cache does.
    """
    seen: Counter[tuple[Hashable, str]] = Counter()
    for answer in answers:
        words = " ".join(answer.text.casefold().split())
        if len(words) >= shortest:
            seen[answer.paper, words] += 1
    return sum(count - 1 for count in seen.values())


def replayed_calls(answers: Iterable[Answer]) -> int:
    """Count the rounds whose call has already answered another round, of any paper."""
    rounds: defaultdict[Hashable, set[tuple[Hashable, int]]] = defaultdict(set)
    for answer in answers:
        if answer.call is not None:
            rounds[answer.call].add((answer.paper, answer.round))
    return sum(len(places) - 1 for places in rounds.values())


def round_trend(scores: ArrayLike, rng: np.random.Generator, *, draws: int = 4999) -> Trend:
    """Slope of the score over rounds within papers, against rounds shuffled within each paper.

    `scores` is (papers, rounds), NaN where missing. The slope is the least-squares one with a level for
    each paper. p is (1 + shuffles at least as far from 0) / (1 + draws); exact for exchangeable rounds,
    whatever the laws of the papers. With more than `MANY_PAPERS` papers it is that of a normal law with
    the variance of the shuffles, sum over papers of (rows²)(times²) / (n - 1).
    """
    table = np.asarray(scores, dtype=np.float64)
    pairs = [(row[seen], np.flatnonzero(seen)) for row in table if (seen := ~np.isnan(row)).sum() > 1]
    papers = [(row - row.mean(), times - times.mean()) for row, times in pairs]
    spread = sum(float(times @ times) for _, times in papers)
    moving = [(row, times) for row, times in papers if np.any(row != row[0])]
    if not moving:
        return Trend(None, None)
    observed = sum(float(row @ times) for row, times in moving)
    if len(moving) > MANY_PAPERS:
        variance = sum(float(row @ row) * float(times @ times) / (len(row) - 1) for row, times in moving)
        return Trend(observed / spread, float(erfc(abs(observed) / np.sqrt(2 * variance))))
    shuffled = np.zeros(draws)
    for row, times in moving:
        shuffled += rng.permuted(np.tile(times, (draws, 1)), axis=1) @ row
    # Shuffles that give the same sum may differ in the last bits.
    slack = 1e-9 * sum(float(np.abs(row) @ np.abs(times)) for row, times in moving)
    further = int(np.sum(np.abs(shuffled) >= abs(observed) - slack))
    return Trend(observed / spread, (1 + further) / (1 + draws))
