"""Deterministic checks: no model is asked. One rule a module.

Each finding states the rule, the two places that disagree, and arithmetic that a person can redo.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rereview.errors import UsageError
from rereview.models.base import Model
from rereview.reviewers.checks.acronyms import Acronyms
from rereview.reviewers.checks.arithmetic import Arithmetic
from rereview.reviewers.checks.base import Rule, reading_order
from rereview.reviewers.checks.chains import Chains
from rereview.reviewers.checks.claims import Claims
from rereview.reviewers.checks.grim import Grim
from rereview.reviewers.checks.intervals import Intervals
from rereview.reviewers.checks.lost_text import LostText
from rereview.reviewers.checks.p_values import PValues
from rereview.reviewers.checks.percentages import Percentages
from rereview.reviewers.checks.ranges import Ranges
from rereview.reviewers.checks.references import References
from rereview.reviewers.checks.repeated_equations import RepeatedEquations
from rereview.reviewers.checks.repeated_numbers import RepeatedNumbers
from rereview.reviewers.checks.restated_shares import RestatedShares
from rereview.reviewers.checks.sample_sizes import SampleSizes
from rereview.reviewers.checks.stars import Stars
from rereview.reviewers.checks.sums import Sums
from rereview.reviewers.checks.symbols import Symbols
from rereview.types.manuscript import Manuscript
from rereview.types.review import Draft, Remark

RULES: tuple[Rule, ...] = (
    Stars(),
    Claims(),
    Sums(),
    References(),
    LostText(),
    PValues(),
    Grim(),
    Percentages(),
    Intervals(),
    Ranges(),
    Arithmetic(),
    Acronyms(),
    Chains(),
    RepeatedEquations(),
    SampleSizes(),
    RepeatedNumbers(),
    RestatedShares(),
    Symbols(),
)
"""Every rule there is, with its default options."""

SEVERITIES = ("major", "moderate", "minor", None)


@dataclass(frozen=True)
class Checks:
    """The reviewer that runs the rules. `rules` names the ones to run; None: all."""

    needs_model: ClassVar[bool] = False

    rules: tuple[str, ...] | None = None

    async def __call__(self, paper: Manuscript, model: Model | None = None) -> Draft:  # noqa: ARG002, the shape of a check
        """The findings, worst first and then in reading order; the same finding is said once."""
        found = [remark for rule in self.chosen() for remark in rule(paper)]
        return Draft(remarks=tuple(_ordered(paper, _merged(found))))

    def chosen(self) -> tuple[Rule, ...]:
        """The rules to run. Raises UsageError for a name that no rule has."""
        if self.rules is None:
            return RULES
        known = {rule.name: rule for rule in RULES}
        for name in self.rules:
            if name not in known:
                raise UsageError(f"no rule {name!r}", where="checks", expected=f"one of {', '.join(known)}")
        return tuple(known[name] for name in dict.fromkeys(self.rules))


def _merged(remarks: Iterable[Remark]) -> list[Remark]:
    first: dict[tuple[str | None, ...], Remark] = {}
    for remark in remarks:
        first.setdefault((remark.rule, remark.title, remark.quote, remark.against, remark.arithmetic), remark)
    return list(first.values())


def _ordered(paper: Manuscript, remarks: Iterable[Remark]) -> list[Remark]:
    order = reading_order(paper)

    def key(remark: Remark) -> tuple[int, int, int]:
        place = remark.places[0] if remark.places else None
        where = (order.get(place.block_id, len(order)), place.start) if place else (len(order), 0)
        return (SEVERITIES.index(remark.severity), *where)

    return sorted(remarks, key=key)
