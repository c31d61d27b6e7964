"""Whether a comment explains an injected error: each pair that may meet is judged once, and only once.

What counts as found is decided afterwards from the kept coverage, touch and rating, so every threshold
is read off without a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Literal

from pydantic import Field

from rereview import prompts
from rereview.errors import Unreadable
from rereview.judge.meeting import TAU
from rereview.models.base import Model, ask_for
from rereview.types.call import Message
from rereview.types.edit import Pair, Perturbation
from rereview.types.record import Record
from rereview.types.review import Comment

Rule = Literal["quote-coverage", "changed-region"]
RULES: tuple[Rule, ...] = ("quote-coverage", "changed-region")
LEAST_RATING = 3
"""The paper's: the comment says that the right element is wrong."""


class Rating(Record):
    """How far a comment explains an error."""

    rating: Annotated[int, Field(ge=1, le=5)]
    reason: str


def meets(pair: Pair, rule: Rule, *, tau: float = TAU) -> bool | None:
    """Whether the places meet by this rule; None where the comment has no quote, or it stands nowhere."""
    if rule == "changed-region":
        return pair.touches
    return None if pair.coverage is None else pair.coverage >= tau


def is_found(pair: Pair, rule: Rule, *, tau: float = TAU, least_rating: int = LEAST_RATING) -> bool | None:
    """Whether this comment finds this error; None where that hangs on a rating that is not known."""
    if not meets(pair, rule, tau=tau):
        return False
    return None if pair.rating is None else pair.rating >= least_rating


@dataclass(frozen=True)
class Judge:
    """Rates the pairs whose coverage is at least `sweep_from`, or whose places touch.

    `sweep_from` below the threshold of a table buys a sweep over lower thresholds; see `calls`.
    """

    sweep_from: float = TAU
    max_output_tokens: int = 4_000

    async def __call__(
        self,
        pairs: Sequence[Pair],
        perturbations: Iterable[Perturbation],
        comments: Iterable[Comment],
        model: Model,
    ) -> tuple[Pair, ...]:
        """The pairs in their order, with ratings. One that is rated or was unreadable is not asked again.

        An answer that cannot be read leaves the rating unknown and is marked.
        """
        errors = {each.id: each for each in perturbations}
        remarks = {each.id: each for each in comments}
        return tuple(
            [
                await self._rated(pair, errors[pair.perturbation_id], remarks[pair.comment_id], model)
                if self.asks(pair)
                else pair
                for pair in pairs
            ]
        )

    def asks(self, pair: Pair) -> bool:
        """Whether this pair is worth a call and has not had one."""
        if pair.rating is not None or pair.unreadable:
            return False
        return pair.touches is True or (pair.coverage is not None and pair.coverage >= self.sweep_from)

    async def _rated(self, pair: Pair, error: Perturbation, comment: Comment, model: Model) -> Pair:
        try:
            answer = await ask_for(
                model,
                messages=messages(error, comment),
                shape=Rating,
                max_output_tokens=self.max_output_tokens,
            )
        except Unreadable as problem:
            return pair.but(unreadable=True, call_ids=problem.calls)
        return pair.but(rating=answer.value.rating, call_ids=tuple(call.id for call in answer.calls))


def calls(pairs: Iterable[Pair], thresholds: Iterable[float]) -> Mapping[float, int]:
    """Of each `sweep_from` how many calls judging the pairs costs, repeated questions aside.

    The pairs must have been kept from the lowest threshold on.
    """
    kept = tuple(pairs)
    return {each: sum(map(Judge(sweep_from=each).asks, kept)) for each in thresholds}


def messages(error: Perturbation, comment: Comment) -> tuple[Message, ...]:
    """What the judge is sent: the same for a comment on the corrupted and on the clean paper."""
    shown = {
        "original": error.original,
        "replacement": error.replacement,
        "error": error.error,
        "why": error.why_wrong,
        "title": comment.title,
        "quote": comment.quote or "(none)",
        "body": comment.body,
    }
    mark = sha256("\0".join(shown.values()).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    system, user = prompts.load("detect").fill(mark=f"=== record {mark}", **shown)
    return Message(role="system", text=system), Message(role="user", text=user)
