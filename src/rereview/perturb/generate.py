"""A model writes errors into candidates, a batch at a time (benchmarking paper, appendix).

First the opening of the paper gives its field and a few errors that fit it; then batches of candidates of
one kind, each with a fixed number of errors to write. Nothing here is random and no clock is read: the same
candidates make the same requests, so a run that was stopped goes on from the calls that are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from math import ceil
from typing import TypeVar

from rereview import prompts
from rereview.errors import Unreadable
from rereview.models.base import Model, ask_for
from rereview.perturb.evidence import Evidence
from rereview.perturb.taxonomy import admissible, error_named
from rereview.types.call import Message
from rereview.types.edit import Batch, Candidate, Family, Perturbation
from rereview.types.manuscript import Manuscript
from rereview.types.record import Record

T = TypeVar("T", bound=Record)
Validate = Callable[[Perturbation, Sequence[Perturbation]], str | None]
"""Why an edit cannot stand beside those already accepted; None: it is accepted."""

OPENING = 2_000
"""Characters of the abstract, or of the beginning where there is none, that are shown."""


class Field(Record):
    """The field of a paper in a few words, and errors that fit it."""

    field: str
    errors: tuple[str, ...]


class Written(Record):
    """One change as a model gives it."""

    passage: int
    label: str
    replacement: str
    why: str
    contradicts: str | None = None


class Changes(Record):
    """The changes of a batch."""

    edits: tuple[Written, ...]


class Dropped(Record):
    """Something that came of a batch and is no edit: the number of the batch, and why."""

    batch: int
    reason: str


@dataclass(frozen=True)
class Generated:
    """What a run gave. `perturbations` are in order, those that validation refused with `rejected`."""

    field: Field | None
    """None: the answer could not be read, and the batches were asked without guidance."""
    perturbations: tuple[Perturbation, ...]
    batches: tuple[Batch, ...]
    dropped: tuple[Dropped, ...]


@dataclass(frozen=True)
class Run:
    """One paper and one family, and where errors may go."""

    paper_id: str
    family: Family
    candidates: tuple[Candidate, ...]
    evidence: Evidence
    opening: str
    """The abstract, or the beginning of the paper; see `opening`."""

    @property
    def id(self) -> str:
        """`<paper_id>/<family>`."""
        return f"{self.paper_id}/{self.family}"


@dataclass(frozen=True)
class Generator:
    """Asks for `asked` times the edits that are wanted: about half of them survive the verifier.

    Batches hold at most `batch_size` candidates of one kind. All are shown, each with the same number to
    change; only where there are more batches than edits asked for, so many are taken, evenly over the paper.
    """

    target: int = 20
    asked: float = 2.0
    batch_size: int = 10
    max_output_tokens: int = 32_000
    """Ten proofs are written out again in one answer."""

    async def __call__(self, run: Run, model: Model, validate: Validate) -> Generated:
        """Write the errors of a run; `validate` is asked for each as it comes.

        A batch whose answer cannot be read chose nothing, and `dropped` says so.
        """
        if not run.candidates:
            return Generated(None, (), (), ())
        field = await _asked(model, _about(run.opening), Field, self.max_output_tokens)
        edits: list[Perturbation] = []
        batches: list[Batch] = []
        dropped: list[Dropped] = []
        for number, (shown, target) in enumerate(self.batches(run.candidates), start=1):
            messages = _batch(shown, target, run.evidence, field)
            answer = await _asked(model, messages, Changes, self.max_output_tokens)
            given = () if answer is None else answer.edits
            made, lost = _edits(given, shown, run, number, model.name)
            for edit in made:
                accepted = [each for each in edits if each.rejected is None]
                edits.append(edit.but(rejected=validate(edit, accepted)))
            dropped += [Dropped(batch=number, reason=reason) for reason in lost]
            dropped += [Dropped(batch=number, reason="no readable answer")] if answer is None else []
            batches.append(_kept(run, number, shown, made, target))
        return Generated(field, tuple(edits), tuple(batches), tuple(dropped))

    def batches(self, candidates: Iterable[Candidate]) -> list[tuple[tuple[Candidate, ...], int]]:
        """The batches in the order in which they are asked, each with how many of it to change."""
        by_kind = sorted(candidates, key=lambda each: each.kind)  # stable: reading order within a kind
        every = [
            tuple(group[start : start + self.batch_size])
            for group in (list(found) for _, found in groupby(by_kind, key=lambda each: each.kind))
            for start in range(0, len(group), self.batch_size)
        ]
        wanted = max(ceil(self.asked * self.target), 1)
        taken = every if len(every) <= wanted else [every[n * len(every) // wanted] for n in range(wanted)]
        each = ceil(wanted / len(taken)) if taken else 0
        return [(batch, min(each, len(batch))) for batch in taken]

    def calls(self, candidates: Iterable[Candidate]) -> int:
        """How many calls a run costs, repeated questions aside."""
        batches = self.batches(candidates)
        return len(batches) + bool(batches)


def opening(paper: Manuscript) -> str:
    """The abstract of a paper, or how it begins; at most `OPENING` characters."""
    abstract = [block.text for block in paper.blocks if block.environment == "abstract"]
    rest = [block.text for block in paper.blocks if block.kind in {"title", "heading", "paragraph"}]
    return "\n\n".join(abstract or rest)[:OPENING]


async def _asked(model: Model, messages: tuple[Message, ...], shape: type[T], limit: int) -> T | None:
    try:
        answer = await ask_for(model, messages=messages, shape=shape, max_output_tokens=limit)
    except Unreadable:
        return None
    return answer.value


def _about(text: str) -> tuple[Message, ...]:
    return _filled("field", "paper", text, opening=text)


def _batch(
    shown: Sequence[Candidate], target: int, evidence: Evidence, field: Field | None
) -> tuple[Message, ...]:
    passages = "\n\n".join(_passage(number, each, evidence) for number, each in enumerate(shown, start=1))
    return _filled(
        "generate",
        "passages",
        passages,
        guidance=_guidance(field),
        passages=passages,
        target=str(target),
        count=str(len(shown)),
    )


def _filled(prompt: str, what: str, text: str, **values: str) -> tuple[Message, ...]:
    mark = f"=== {what} {sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    system, user = prompts.load(prompt).fill(mark=mark, **values)
    return Message(role="system", text=system), Message(role="user", text=user)


def _guidance(field: Field | None) -> str:
    if field is None:
        return ""
    errors = "\n".join(f"- {each}" for each in field.errors)
    return f"The field of the paper: {field.field}. Errors that fit it, as examples:\n{errors}\n\n"


def _passage(number: int, candidate: Candidate, evidence: Evidence) -> str:
    before, after = evidence.around(candidate.span)
    return "\n".join(
        (
            f"Passage {number}",
            f"what it is: {candidate.kind}",
            f"labels: {', '.join(admissible(candidate.kind))}",
            f"before it: {before or '(nothing)'}",
            f"after it: {after or '(nothing)'}",
            f"source:\n{candidate.text}",
        )
    )


def _edits(
    given: Iterable[Written], shown: Sequence[Candidate], run: Run, batch: int, author: str
) -> tuple[list[Perturbation], list[str]]:
    """The edits of an answer, and why the others are none."""
    made: list[Perturbation] = []
    lost: list[str] = []
    for written in given:
        error = error_named(written.label)
        if not 1 <= written.passage <= len(shown):
            lost.append(f"there is no passage {written.passage}")
        elif error is None:
            lost.append(f"passage {written.passage}: {written.label!r} is no label")
        else:
            name = f"{run.id}/{batch}.{len(made) + 1}"
            candidate = shown[written.passage - 1]
            quote = (written.contradicts or "").strip() or None
            stands = quote is not None and run.evidence.find(quote, outside=candidate.span) is not None
            made.append(
                Perturbation(
                    id=name,
                    paper_id=run.paper_id,
                    span=candidate.span,
                    original=candidate.text,
                    replacement=written.replacement,
                    author=author,
                    run=run.id,
                    candidate_id=candidate.id,
                    kind=candidate.kind,
                    family=run.family,
                    error=error,
                    why_wrong=written.why,
                    contradicts=quote if stands else None,
                    dropped_contradicts=None if stands else quote,
                )
            )
    return made, lost


def _kept(
    run: Run, number: int, shown: Sequence[Candidate], made: Iterable[Perturbation], target: int
) -> Batch:
    return Batch(
        run=run.id,
        number=number,
        shown=tuple(each.id for each in shown),
        chosen=tuple(dict.fromkeys(edit.candidate_id for edit in made)),
        target=target,
    )
