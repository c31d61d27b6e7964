"""The checklist verifier: whether an edit is a substantive error (benchmarking paper, appendix).

The pre-check throws out what is typo-shaped without a call. The rest of a run is judged in one call; the
verdict follows from four answers by a fixed rule. What cannot be read stays unknown, and is not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Literal

from pydantic import BeforeValidator

from rereview import prompts
from rereview.errors import Unreadable
from rereview.models.base import Model, ask_for
from rereview.perturb.evidence import Evidence
from rereview.perturb.inject import is_usable
from rereview.perturb.precheck import Known, precheck
from rereview.types.call import Message
from rereview.types.edit import Checklist, ErrorType, Family, Perturbation, Verdict
from rereview.types.manuscript import SourceSpan
from rereview.types.record import Record

_WORDS = {"y": "Y", "yes": "Y", "true": "Y", "n": "N", "no": "N", "false": "N"}


def _word(value: object) -> str | None:
    """Y or N, however it is written; None for all that is not clearly one of them."""
    return _WORDS.get(str(value).strip().strip(".*\"'").lower())


Answer = Annotated[Literal["Y", "N"] | None, BeforeValidator(_word)]


class Item(Record):
    """The answers about one record."""

    item: int
    well_formed: Answer = None
    evidence: Answer = None
    contradiction: Answer = None
    cosmetic: Answer = None
    quote: str | None = None


class Answers(Record):
    """The answers about all records of a call."""

    items: tuple[Item, ...]


UNKNOWN = Checklist(well_formed=None, evidence=None, contradiction=None, cosmetic=None)


def verdict(answers: Checklist) -> Verdict | None:
    """The paper's rule; None as soon as one of the four answers is not known."""
    four = (answers.well_formed, answers.evidence, answers.contradiction, answers.cosmetic)
    if None in four:
        return None
    if not answers.well_formed or answers.cosmetic:
        return "typo-shaped"
    if not answers.evidence or not answers.contradiction:
        return "not-an-error"
    return "substantive"


def criterion(error: ErrorType, family: Family) -> Family:
    """By which family's criterion item 3 is judged: a claim of an empirical paper by the empirical one."""
    return "empirical" if error == "incorrect-statement" else family


def is_used(edit: Perturbation, *, require_pinned: bool = False) -> bool:
    """Whether an edit is injected; `require_pinned` drops those that ought to be pinned and are not."""
    return is_usable(edit) and not (require_pinned and edit.pinned is False)


def prechecked(edits: Iterable[Perturbation], evidence: Evidence) -> tuple[Perturbation, ...]:
    """The edits without a verifier: what the pre-check lets through is taken for an error.

    The four answers stay unknown; `pinned` says whether the quote that was given stands elsewhere.
    """
    known = Known.of(evidence.files.values())
    checked = (_prechecked(edit, known) for edit in edits)
    return tuple(
        edit
        if edit.rejected is not None
        else edit.but(verdict="substantive", pinned=_is_located(edit, evidence) if _is_asked(edit) else None)
        for edit in checked
    )


@dataclass(frozen=True)
class Verifier:
    """Judges the edits of one run (one paper and one family)."""

    max_output_tokens: int = 16_000

    async def __call__(
        self, edits: Sequence[Perturbation], evidence: Evidence, model: Model
    ) -> tuple[Perturbation, ...]:
        """The edits in their order, with answers and verdicts; those already rejected as they are.

        At most one question, asked again only while no part of the answer can be read; none if the
        pre-check leaves nothing. What `edits` say of themselves is not shown to the model.
        """
        known = Known.of(evidence.files.values())
        checked = tuple(_prechecked(edit, known) for edit in edits)
        open_ = [edit for edit in checked if edit.rejected is None]
        found = await self._asked(open_, evidence, model) if open_ else {}
        return tuple(found.get(number, edit) for edit, number in zip(checked, _numbers(checked), strict=True))

    async def _asked(
        self, edits: Sequence[Perturbation], evidence: Evidence, model: Model
    ) -> dict[int, Perturbation]:
        try:
            answer = await ask_for(
                model,
                messages=messages(edits, evidence),
                shape=Answers,
                max_output_tokens=self.max_output_tokens,
            )
        except Unreadable:
            items: tuple[Item, ...] = ()
        else:
            items = answer.value.items
        return {
            number: _judged(edit, _checklist(number, items, edit), evidence)
            for number, edit in enumerate(edits, start=1)
        }


def _numbers(edits: Iterable[Perturbation]) -> list[int]:
    """The number of each edit among those that are asked about; 0 for the others."""
    numbers: list[int] = []
    last = 0
    for edit in edits:
        last += edit.rejected is None
        numbers.append(last if edit.rejected is None else 0)
    return numbers


def _prechecked(edit: Perturbation, known: Known) -> Perturbation:
    if edit.rejected is not None:
        return edit
    rule = precheck(edit.original, edit.replacement, edit.kind, known)
    return edit if rule is None else edit.but(rejected=rule, verdict="typo-shaped")


def _checklist(number: int, items: Iterable[Item], edit: Perturbation) -> Checklist:
    """The answers to one record. Two that contradict each other are none."""
    mine = [item for item in items if item.item == number]
    if len({item.but(quote=None) for item in mine}) != 1:
        return UNKNOWN
    quote = (mine[-1].quote or "").strip() or None
    stands = quote is not None and quote in edit.replacement
    return Checklist(
        well_formed=_truth(mine[-1].well_formed),
        evidence=_truth(mine[-1].evidence),
        contradiction=_truth(mine[-1].contradiction),
        cosmetic=_truth(mine[-1].cosmetic),
        quote=quote if stands else None,
        dropped_quote=None if stands else quote,
    )


def _truth(answer: str | None) -> bool | None:
    return None if answer is None else answer == "Y"


def _judged(edit: Perturbation, answers: Checklist, evidence: Evidence) -> Perturbation:
    return edit.but(answers=answers, verdict=verdict(answers), pinned=_pinned(edit, answers, evidence))


def _pinned(edit: Perturbation, answers: Checklist, evidence: Evidence) -> bool | None:
    """Whether a passage that stands elsewhere in the paper contradicts the edit, as the verifier saw it."""
    if not _is_asked(edit) or answers.contradiction is None:
        return None
    return _is_located(edit, evidence) and answers.contradiction


def _is_asked(edit: Perturbation) -> bool:
    """Whether an edit ought to be pinned: empirical ones, and claims on paragraphs."""
    return edit.family == "empirical" or (edit.family == "claim" and edit.kind == "paragraph")


def _is_located(edit: Perturbation, evidence: Evidence) -> bool:
    quote = edit.contradicts
    return quote is not None and evidence.find(quote, outside=_span(edit)) is not None


def _span(edit: Perturbation) -> SourceSpan:
    if isinstance(edit.span, SourceSpan):
        return edit.span
    raise TypeError(f"{edit.id}: an edit is verified in the source, not in block {edit.span.block_id!r}")


def messages(edits: Sequence[Perturbation], evidence: Evidence) -> tuple[Message, ...]:
    """What the verifier is sent about a run: the records, and not what the generator says of them."""
    records = "\n\n".join(_record(number, edit, evidence) for number, edit in enumerate(edits, start=1))
    mark = f"=== records {sha256(records.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    system, user = prompts.load("verify").fill(mark=mark, records=records, count=str(len(edits)))
    return Message(role="system", text=system), Message(role="user", text=user)


def _record(number: int, edit: Perturbation, evidence: Evidence) -> str:
    before, after = evidence.around(_span(edit))
    passages = evidence.related(_span(edit), edit.contradicts)
    lines = [
        f"Record {number}",
        f"kind of change: {edit.error}",
        f"criterion of question 3: {criterion(edit.error, edit.family)}",
        f"as it was: {edit.original}",
        f"as it is now: {edit.replacement}",
        f"before it: {before or '(nothing)'}",
        f"after it: {after or '(nothing)'}",
        *(f"elsewhere {place}: {text}" for place, text in enumerate(passages, start=1)),
    ]
    return "\n".join(lines if passages else [*lines, "elsewhere: (nothing was found)"])
