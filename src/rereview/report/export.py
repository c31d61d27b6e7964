"""The reviews as Markdown: a summary, what the checks found, and one filled form per round."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rereview.report.findings import SEVERITIES, Finding, findings, is_checks
from rereview.report.latex_reader import Context
from rereview.report.latex_text import read_latex
from rereview.report.pieces import printable, shown_text
from rereview.report.promises import comparison, promise
from rereview.text.plurals import many
from rereview.types.document import ReviewDocument, ScoreSummary
from rereview.types.manuscript import HiddenKind, Manuscript
from rereview.types.review import Comment, Review

STRUCTURE = re.compile(r"^([ \t]{0,3})(#{1,6}(?=\s|$)|>|```+|~~~+|={2,}\s*$|-{2,}\s*$)", re.MULTILINE)
TAG = re.compile(r"<(?=[A-Za-z/!?])")
FENCE = re.compile(r"`{3,}")
_USUAL: frozenset[HiddenKind] = frozenset({"comment", "dead-branch", "after-end", "metadata", "ocr-layer"})
"""What a source or a file holds beside its text in most papers."""


def review_markdown(document: ReviewDocument) -> str:
    """`review.md`. Each round stands as it was given; no form is an average of others."""
    found = findings(document)
    parts = [
        *_summary(document, found),
        *(
            line
            for review in document.reviews
            if review.model is None
            for line in _told(review, [finding for finding in found if finding.review == review])
        ),
        *(
            line
            for review in document.informative
            if review.model is not None
            for line in _form(review, document)
        ),
    ]
    return printable("\n".join(parts).rstrip() + "\n")


def prose(text: str) -> str:
    """Words of a reviewer that cannot begin a heading, a quotation, a fence, a tag or an image."""
    plain = TAG.sub("&lt;", STRUCTURE.sub(lambda match: f"{match[1]}\\{match[2]}", text.strip()))
    return plain.replace("![", "!&#91;")


def line(text: str) -> str:
    """The same on one line."""
    return prose(" ".join(text.split()))


def code(text: str) -> str:
    """A name as code; one that could end the code is put as words."""
    return f"`{text}`" if re.fullmatch(r"[\w./ -]+", text) else line(text)


def verbatim(text: str) -> list[str]:
    """Words of the paper, unaltered, in a fence that they cannot close."""
    longest = max((len(found) for found in FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return [fence + "text", text.strip("\n"), fence, ""]


def _summary(document: ReviewDocument, found: Sequence[Finding]) -> Iterator[str]:
    manuscript = document.manuscript
    yield f"# Review of {line(_title(manuscript))}"
    yield ""
    counts = Counter(finding.severity for finding in found)
    words = ", ".join(f"{counts[severity]} {severity}" for severity in SEVERITIES if counts[severity])
    yield f"- Findings: {len(found)}{f' ({words})' if words else ''}"
    asked = [review for review in document.informative if review.model is not None]
    yield f"- Model rounds: {len(asked)}" if asked else "- No model was asked"
    for each in document.excluded:
        yield f"- {line(each.model)} was not given the paper: {line(each.why)}"
    if document.toys:
        yield f"- {toys_said(document)}"
    for summary in document.scores:
        yield f"- {_score(summary)}"
        if summary.precision is not None:
            yield f"- {line(promise(summary.precision))} {line(comparison(summary.precision))}"
    yield f"- Manuscript {code(manuscript.paper_id)}, version {code(manuscript.id)}"
    yield f"- rereview {line(document.versions.rereview)}"
    yield ""


def _title(manuscript: Manuscript) -> str:
    """The title without its commands."""
    if manuscript.format != "latex":
        return manuscript.title or manuscript.paper_id
    return shown_text(read_latex(manuscript.title, Context()).pieces) or manuscript.paper_id


def _score(summary: ScoreSummary) -> str:
    marks = "".join(f"; {mark}" for mark in summary.mean.marks)
    level = "" if summary.mean.level is None else f", {summary.mean.level:.0%} interval"
    return (
        f"Score of {line(summary.reviewer)} with {line(summary.model)} on the form {line(summary.form)}: "
        f"{summary.mean} ({over(summary)}{level}{marks})"
    )


def over(summary: ScoreSummary) -> str:
    """How many rounds a mean is of, and how many gave no score."""
    scored = sum(entry.score is not None for entry in summary.rounds)
    missing = len(summary.rounds) - scored
    words = f"mean of {scored} round{'' if scored == 1 else 's'}"
    return f"{words}, {missing} without a score" if missing else words


def toys_said(document: ReviewDocument) -> str:
    """What there is to say of toys: that they answered, and that it means nothing."""
    models = ", ".join(dict.fromkeys(toy.model for toy in document.toys))
    rounds = f"{len(document.toys)} round{'' if len(document.toys) == 1 else 's'}"
    return f"{models} was asked for {rounds}: a plumbing test, which carries no information"


def unseen_said(document: ReviewDocument) -> str:
    """How much of the paper no reader of it sees; "" if there is nothing of the kind.

    What a source sets aside (comments, branches), metadata, and the text layer of a scan are not counted.
    """
    count = sum(each.kind not in _USUAL for each in document.manuscript.hidden)
    if not count:
        return ""
    return f"{many(count, 'passage')} that no reader sees {'was' if count == 1 else 'were'} left out"


def _told(review: Review, found: Sequence[Finding]) -> Iterator[str]:
    """What a reviewer that asks no model found: the checks, or a review by somebody else."""
    if not found:
        return
    whose = "Findings of the checks" if is_checks(review) else f"Comments of {line(review.reviewer)}"
    yield from (f"## {whose}", "")
    for finding in found:
        yield from _comment(finding.number, finding.comment)


def _comment(number: int, comment: Comment) -> Iterator[str]:
    yield from (f"### {number}. {line(comment.title)} ({comment.severity or 'unrated'})", "")
    if comment.rule:
        yield from (f"Rule: {code(comment.rule)}", "")
    for quote in (comment.quote, comment.against):
        if quote:
            yield from verbatim(quote)
    if comment.arithmetic:
        yield from (f"Arithmetic: {line(comment.arithmetic)}", "")
    yield from (prose(comment.body), "")


def _form(review: Review, document: ReviewDocument) -> Iterator[str]:
    """One round: the form as the reviewer filled it, or why there is none."""
    yield from (f"## Round {review.round}: {line(review.reviewer)}, {line(review.model or '')}", "")
    if review.status != "ok":
        yield from (f"Status: {review.status}{f'. {line(review.error)}' if review.error else ''}", "")
    draft = review.draft
    if draft is None:
        yield from ("Nothing could be read in this round.", "")
        return
    yield from _field("Summary", draft.summary)
    yield from _items("Strengths", draft.strengths)
    yield from _items("Concerns", draft.concerns)
    for name, value in draft.fields.items():
        yield from _field(line(name), value)
    yield from _field("Rationale", draft.rationale)
    yield from _field("Score", None if draft.score is None else _in_words(draft.score, review, document))
    yield from _items(
        "Probability of each score",
        [f"{each.score}: {each.probability:.4f}, {each.how}" for each in draft.score_probabilities],
    )
    yield from _items("Notes", draft.notes)
    yield from _field("Confidence", None if draft.confidence is None else f"{draft.confidence:g}")
    if review.comments:
        yield from ("### Comments", "")
        for number, comment in enumerate(review.comments, start=1):
            yield from _remark(number, comment, len(draft.passes))
    yield from _items("Set aside", [f"{each.remark.title}: {each.why}" for each in draft.aside])


def _remark(number: int, comment: Comment, passes: int) -> Iterator[str]:
    yield from (f"#### {number}. {line(comment.title)} ({comment.severity or 'unrated'})", "")
    if passes and comment.raised_by:
        raised = ", ".join(comment.raised_by)
        yield from (f"Raised by {len(comment.raised_by)} of {passes} passes: {line(raised)}", "")
    if comment.quote:
        yield from verbatim(comment.quote)
        if comment.match in {"not-found", "differs"}:
            yield from (f"These words were not found in the paper as quoted ({comment.match}).", "")
    yield from (prose(comment.body), "")


def _in_words(score: float, review: Review, document: ReviewDocument) -> str:
    """A score with what the form says of it."""
    for summary in document.scores:
        if (summary.reviewer, summary.model) == (review.reviewer, review.model):
            words = dict(summary.anchors).get(score)
            off = any(each.round == review.round and each.off_scale for each in summary.rounds)
            if off:
                return f"{score:g}: not a score of the form {line(summary.form)}, and not rounded to one"
            return f"{score:g}: {words}" if words else f"{score:g}"
    return f"{score:g}"


def _field(name: str, value: str | None) -> Iterator[str]:
    if value:
        yield from (f"### {name}", "", prose(value), "")


def _items(name: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        yield from (f"### {name}", "", *(f"- {line(item)}" for item in items), "")
