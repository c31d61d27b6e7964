"""How an adaptive review ended, in words."""

from __future__ import annotations

from rereview.text.plurals import many
from rereview.types.document import Precision


def promise(ended: Precision) -> str:
    """The promise that was kept, or that none was and why."""
    goal = ended.goal
    if ended.stopped == "precise":
        return (
            f"The mean of all {ended.scores} scores is within {goal.tolerance:g} of the model's expected "
            f"score with {goal.confidence:.0%} confidence, at a stopping time chosen by the data; for rounds "
            "that are independent of each other."
        )
    if ended.stopped == "not-independent":
        return f"Nothing is certified: {'; '.join(ended.doubts)}."
    return f"Not within {goal.tolerance:g} yet: {_why(ended)}."


def _why(ended: Precision) -> str:
    if ended.stopped == "failed":
        return ended.why or "the rounds were stopped"
    if ended.stopped == "silent":
        return "the last rounds gave no score"
    return f"{many(ended.goal.most_rounds, 'round')}, the most that were asked for, did not suffice"


def comparison(ended: Precision) -> str:
    """What was spent, and what a number of scores fixed in advance would have cost."""
    paid = _money(ended.usd)
    fixed = _money(ended.fixed_usd)
    return (
        f"{many(ended.scores, 'score')}{paid}; fixed in advance, the same promise takes "
        f"{many(ended.fixed_rounds, 'score')}{fixed}."
    )


def _money(usd: float | None) -> str:
    """Nothing is said of what cost nothing, or an unknown sum."""
    return f", ${usd:,.2f}" if usd else ""
