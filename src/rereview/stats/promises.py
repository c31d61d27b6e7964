"""What each review budget promises, in one line; and where there is no budget, why."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rereview.stats.bounds import split_failure
from rereview.stats.pilot import Number, Pilot, exact

NEEDS_DIFFERENCES = "needs the scores or their pair differences; the variance alone does not tell them"
NO_PILOT = "no paper has two scores"


@dataclass(frozen=True, slots=True)
class Terms:
    """What was asked for."""

    tolerance: Number
    success: Number
    confidence: Number
    models: int = 1
    doubts: tuple[str, ...] = ()

    @property
    def alpha(self) -> Fraction:
        """Failure probability of the pilot."""
        return 1 - exact(self.confidence)

    @property
    def failure(self) -> Fraction:
        """Failure probability of the new reviews."""
        return 1 - exact(self.success)


def promises(terms: Terms, pilot: Pilot | None, *, integers: bool, refused: bool) -> dict[str, str]:
    """One line for each field of `Budgets` that is a budget.

    `integers`: the scores are whole steps of a scale that the lattice tables cover. `refused`: the tables
    apply, and even the largest k failed the test.
    """
    target = (
        f"the mean of k new reviews is within {float(exact(terms.tolerance)):g} of the expected score "
        f"for at least {percent(terms.success)} of the papers on average"
    )
    lines = {
        "planning": f"{target}, if the observed variance is the true one; no confidence level",
        "certified": f"{target}, with {percent(terms.confidence)} confidence over pilots; proven",
        "certified_tighter": f"{target}, with {percent(terms.confidence)} confidence over pilots; proven; "
        "choose between this and the certified budget before the scores are seen",
        "lattice": f"{target}, with {percent(terms.confidence)} confidence over pilots; for protocols that "
        "only give integers; computer-verified, not proven; choose it before the scores are seen",
        "simultaneous": f"{target}, with {percent(terms.confidence)} confidence for all {terms.models} "
        "models together; proven",
        "joint": _joint(terms, target),
        "hoeffding": f"every single paper is within the tolerance with probability {percent(terms.success)}, "
        "from the range of the scale alone; proven",
        "reuse": "if k was fixed before the pilot, its own first k reviews may carry the certificate: a mean "
        f"that is certified and off has probability at most {percent(max(terms.alpha, terms.failure))}",
    }
    return lines | _missing(terms, pilot, integers=integers, refused=refused)


def percent(share: Number) -> str:
    """0.95 as 95%, exactly as many digits as the share has."""
    return f"{float(100 * exact(share)):g}%"


def _joint(terms: Terms, target: str) -> str:
    pilot_failure, future_failure = split_failure(terms.success)
    return (
        f"{target}, over pilot and new reviews together (pilot failure {percent(pilot_failure)}, "
        f"future failure {percent(future_failure)}); proven"
    )


def _missing(terms: Terms, pilot: Pilot | None, *, integers: bool, refused: bool) -> dict[str, str]:
    certificates = ("certified", "certified_tighter", "lattice", "simultaneous", "joint", "reuse")
    if pilot is None:
        return dict.fromkeys(("planning", *certificates), NO_PILOT)
    if terms.doubts:
        return dict.fromkeys(certificates, f"not certified: {'; '.join(terms.doubts)}")
    if pilot.scores is None and pilot.differences is None:
        return dict.fromkeys(("certified_tighter", "lattice"), NEEDS_DIFFERENCES)
    if not integers:
        return {"lattice": "needs integer scores, or scores in equal steps of a form, at most ten of them"}
    return {"lattice": "refused: these scores do not carry it at any k"} if refused else {}
