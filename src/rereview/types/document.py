"""The document that a review leaves behind: `review.json`, and all that the report shows."""

from __future__ import annotations

from typing import Literal

from rereview.types.estimate import Estimate
from rereview.types.manuscript import Manuscript
from rereview.types.record import Record
from rereview.types.review import Exclusion, Review, ReviewStatus


class Scored(Record):
    """The form behind a configuration's scores.

    `protocol_values` are legal in an answer, `venue_values` are those of the venue's own form.
    """

    form: str
    title: str
    protocol: str = "integer"
    protocol_values: tuple[float, ...] = ()
    """Empty where the form has no number."""
    venue_values: tuple[float, ...] = ()
    anchors: tuple[tuple[float, str], ...] = ()
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Further fields with legal answers, in the venue's order."""


class RoundScore(Record):
    """The score of one round; None where the round gave none. `off_scale`: kept, not rounded."""

    round: int
    score: float | None
    status: ReviewStatus
    off_scale: bool = False


class Goal(Record):
    """What rounds are asked for: the mean certainly nearer to the expected score than the tolerance."""

    tolerance: float
    """Score points."""
    most_rounds: int
    """Rounds after which no more are asked, whatever is known then."""
    confidence: float = 0.95


Stopped = Literal["precise", "not-independent", "most-rounds", "silent", "failed"]


class Precision(Record):
    """How an adaptive review ended, and what a number of rounds fixed in advance would have cost.

    `low` and `high` bound the model's expected score at every number of rounds together, so also at
    the one where the rounds ended. Both are None without a score, and where there are `doubts`: signs
    that the rounds are not independent, under which nothing is certified.
    """

    goal: Goal
    stopped: Stopped
    why: str | None = None
    """With "failed": what stopped the rounds."""
    scores: int
    """Rounds that gave a score; only these are evidence."""
    low: float | None = None
    high: float | None = None
    doubts: tuple[str, ...] = ()
    fixed_rounds: int
    """Scores that keep the same promise from the range of the scale alone [Hoeffding 1963]."""
    usd: float | None = None
    """Of all rounds here, those without a score too. None: not known."""
    fixed_usd: float | None = None
    """Of `fixed_rounds` scores at what a score cost here."""


class ScoreSummary(Record):
    """The scores of one configuration over its rounds."""

    reviewer: str
    model: str
    form: str
    protocol: str = "integer"
    scale: tuple[float, ...]
    """The legal values, ascending."""
    anchors: tuple[tuple[float, str], ...]
    rounds: tuple[RoundScore, ...]
    mean: Estimate
    agreement: Estimate
    """Share of pairs of rounds with exactly the same score."""
    within_sd: Estimate
    precision: Precision | None = None
    """None: the number of rounds was fixed in advance."""


class ChoiceSummary(Record):
    """The answers to one field of a form over the rounds of one configuration."""

    reviewer: str
    model: str
    form: str
    field: str
    legal: tuple[str, ...]
    given: tuple[str | None, ...]
    """In the order of the rounds; None: the round gave none."""
    counts: tuple[tuple[str, int], ...]
    """Every legal answer, and what else was given, with how many rounds gave it."""
    agreement: Estimate
    """Share of pairs of rounds with exactly the same answer."""


class ToyRound(Record):
    """What a model that carries no information answered in one round: a test of the plumbing.

    Such a round has no part in scores, findings or what is said of them.
    """

    reviewer: str
    model: str
    round: int
    status: ReviewStatus
    notes: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    """The raw text of each call, in order."""


class CostLine(Record):
    """What the calls of one configuration used. None: not known."""

    reviewer: str
    model: str
    calls: int
    repeated: int = 0
    """Calls that asked anew after an answer that could not be used."""
    input_tokens: int | None
    cached_tokens: int | None
    cache_write_tokens: int | None = None
    output_tokens: int | None
    usd: float | None


class SentTo(Record):
    """What left this machine: one line a host. An empty host means nothing left the process."""

    host: str
    model: str
    calls: int
    characters: int
    images: int = 0
    """In all calls together; the same image counts in each."""


class Versions(Record):
    """What made this document."""

    rereview: str
    prompts: tuple[tuple[str, str], ...] = ()
    """Name and version of each prompt, with the first 12 hex digits of its hash."""
    forms: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    """The resolved options of this review."""
    first_call: str | None = None
    last_call: str | None = None


class ReviewDocument(Record):
    """Everything that one `rereview review` found, self-contained."""

    format: Literal["rereview/1"] = "rereview/1"
    manuscript: Manuscript
    reviews: tuple[Review, ...]
    scores: tuple[ScoreSummary, ...]
    choices: tuple[ChoiceSummary, ...] = ()
    toys: tuple[ToyRound, ...] = ()
    costs: tuple[CostLine, ...]
    sent_to: tuple[SentTo, ...]
    excluded: tuple[Exclusion, ...] = ()
    versions: Versions

    @property
    def informative(self) -> tuple[Review, ...]:
        """The reviews without those of toys."""
        toys = {toy.model for toy in self.toys}
        return tuple(review for review in self.reviews if review.model not in toys)
