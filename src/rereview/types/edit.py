"""Edits, injected errors, and whether a review found them."""

from __future__ import annotations

from typing import Literal

from rereview.types.manuscript import SourceSpan, Span
from rereview.types.record import Record

PaperKind = Literal["theoretical", "empirical"]
Family = Literal["surface", "claim", "reasoning", "empirical"]
ErrorType = Literal[
    "operator-or-sign",
    "index-or-subscript",
    "numeric-parameter",
    "computation",
    "incorrect-claim",
    "missing-case",
    "induction",
    "circular-reasoning",
    "invalid-implication",
    "incorrect-statement",
    "misinterpretation",
    "causal-reversal",
    "p-hacking",
]
CandidateKind = Literal[
    "display-equation",
    "inline-equation",
    "named-equation",
    "definition",
    "theorem",
    "proof",
    "paragraph",
    "experiment",
]
Verdict = Literal["substantive", "typo-shaped", "not-an-error"]
Arm = Literal["corrupted", "clean"]
"""The version with the injected errors, or the control: the paper as it was."""


class Candidate(Record):
    """A place where an error can be injected: `text == source[span.start:span.end]`."""

    id: str
    paper_id: str
    kind: CandidateKind
    span: SourceSpan
    text: str
    environment: str | None = None
    """As the source calls it: "align*", "thm"; None for `$…$`, `\\[…\\]` and paragraphs."""
    section: str | None = None
    """The nearest heading above."""


class Edit(Record):
    """`replacement` in the place of `original`, which stands at `span`."""

    id: str
    paper_id: str
    span: SourceSpan | Span
    original: str
    replacement: str
    author: str
    """Who wrote it: a model, "rules", or the system whose records were imported."""


class Checklist(Record):
    """The verifier's four answers; None: it could not be read (paper, appendix, items 1 to 4)."""

    well_formed: bool | None
    evidence: bool | None
    contradiction: bool | None
    cosmetic: bool | None
    quote: str | None = None
    """Pins the issue, verbatim in the replacement; what does not stand there is dropped."""
    dropped_quote: str | None = None


class Perturbation(Edit):
    """An edit that is meant to be an error.

    `rejected` says which rule of validation or pre-check threw it out (None: none did), `verdict` what
    the verifier's answers amount to (None: unknown, and then it is not used).
    """

    run: str
    """One paper and one family: `<paper_id>/<family>`."""
    candidate_id: str
    kind: CandidateKind
    family: Family
    error: ErrorType
    why_wrong: str
    contradicts: str | None = None
    """A verbatim quote of another passage that contradicts the replacement."""
    dropped_contradicts: str | None = None
    """What was given as such a quote and does not stand in the paper."""
    pinned: bool | None = None
    """Whether a located verbatim passage contradicts it; None where that is not asked for."""
    answers: Checklist | None = None
    verdict: Verdict | None = None
    rejected: str | None = None


class Batch(Record):
    """What the generator was shown in one call, and what it chose, in order."""

    run: str
    number: int
    """From 1 within the run."""
    shown: tuple[str, ...]
    """Candidate ids in the order of the prompt."""
    chosen: tuple[str, ...]
    """Candidate ids in the order of the answer."""
    target: int


class Placed(Record):
    """Where an injected edit stands in the clean file and in the corrupted one."""

    perturbation_id: str
    file: str
    clean_start: int
    clean_end: int
    start: int
    end: int


class Manifest(Record):
    """What was done to a paper: the version, what it carries, and what lost its place to another edit."""

    paper_id: str
    run: str
    version: str
    """Manuscript id of the corrupted version."""
    placed: tuple[Placed, ...]
    lost: tuple[tuple[str, str], ...] = ()
    """Perturbation id and the reason why it is not in this version."""
    latin_1: tuple[str, ...] = ()
    """Files that hold edits and are not in UTF-8: an edit may take away what shows it."""


AuditLabel = Literal["valid", "not-an-error", "ambiguous"]


class Audited(Record):
    """What a person says of an injected error."""

    perturbation_id: str
    label: AuditLabel


class Opinion(Record):
    """Whether a comment is right about the paper, as a judge sees it; None: unclear, or not readable."""

    review_id: str
    comment_id: str
    valid: bool | None
    unreadable: bool = False
    call_ids: tuple[str, ...] = ()


class Pair(Record):
    """One perturbation and one comment: whether they meet, and whether the comment explains the error.

    `coverage` is the paper's location score (share of the perturbed text that the quote covers), in
    [0, 1]; None where the comment has no quote. `touches`: the located quote shares characters with the
    region that changed; None where the quote could not be located. `rating` is the judge's, 1 to 5; None
    where it was not judged, or (`unreadable`) its answer could not be read.
    """

    perturbation_id: str
    review_id: str
    comment_id: str
    arm: Arm
    coverage: float | None
    touches: bool | None
    rating: int | None = None
    unreadable: bool = False
    call_ids: tuple[str, ...] = ()
