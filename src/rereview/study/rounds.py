"""How many rounds a configuration is asked for: fixed in advance, or until the mean is known well enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rereview.stats.adaptive import further_reviews
from rereview.stats.independence import Answer, duplicate_answers
from rereview.types.document import Goal
from rereview.types.review import Review

FIRST = 8
"""Rounds of the first batch: as many as are asked at the same time unless somebody says otherwise."""
SILENT = 8
"""Rounds in a row without a score after which no more are asked: the next would have none either."""


class Rounds(Protocol):
    """Decides on the next batch from the rounds so far, and from nothing else.

    So the same answers, new or from the ledger, end in the same rounds. `str` names the rule in the
    options that a report records.
    """

    @property
    def most(self) -> int:
        """Rounds that are never passed."""

    def more(self, reviews: Sequence[Review]) -> int:
        """How many further rounds to ask for now; `reviews` are rounds 1, 2, … in order. 0 ends them."""


@dataclass(frozen=True)
class Fixed:
    """A number of rounds."""

    most: int

    def more(self, reviews: Sequence[Review]) -> int:
        """All of them at once."""
        return max(0, self.most - len(reviews))

    def __str__(self) -> str:
        return str(self.most)


@dataclass(frozen=True)
class UntilPrecise:
    """Until the mean of the scores is certainly within the goal's tolerance of the expected score.

    Each batch is as large as the scores so far let expect, and at most doubles their number, so that a
    first batch that misleads costs little. Rounds also end where answers repeat each other word for
    word, for these are no further evidence.
    """

    goal: Goal
    scale: tuple[float, float]

    @property
    def most(self) -> int:
        """The goal's limit."""
        return self.goal.most_rounds

    def more(self, reviews: Sequence[Review]) -> int:
        """The batch after these rounds."""
        left = self.most - len(reviews)
        if left <= 0 or silent(reviews) or repeated(reviews):
            return 0
        scores = [score for review in reviews if (score := score_of(review)) is not None]
        if not scores:
            return min(FIRST, left)
        further = further_reviews(
            scores, self.goal.tolerance, most=left, confidence=self.goal.confidence, scale=self.scale
        )
        return min(further, max(FIRST, len(reviews)))

    def __str__(self) -> str:
        return f"until precise to {self.goal.tolerance:g}, at most {self.most}"


def score_of(review: Review) -> float | None:
    """The score of a round; None where it gave none."""
    return None if review.draft is None else review.draft.score


def silent(reviews: Sequence[Review]) -> bool:
    """Whether the last rounds gave no score."""
    return len(reviews) >= SILENT and all(score_of(review) is None for review in reviews[-SILENT:])


def repeated(reviews: Sequence[Review]) -> bool:
    """Whether an answer of several sentences is word for word that of another round."""
    answers = [
        Answer(review.manuscript_id, review.round, review.draft.words)
        for review in reviews
        if review.draft is not None and review.draft.score is not None
    ]
    return duplicate_answers(answers) > 0
