"""Perturbations for tests."""

from rereview.types.edit import Perturbation
from rereview.types.manuscript import SourceSpan


def perturbation(
    text, original, replacement, *, kind="paragraph", error="incorrect-statement", name="e1", run="p/claim",
    family="claim", file="a.tex", start=None,
):  # fmt: skip
    """An edit of the first place in `text` where the original stands, or of the one at `start`."""
    at = text.index(original) if start is None else start
    return Perturbation(
        id=name,
        paper_id="p",
        span=SourceSpan(file=file, start=at, end=at + len(original)),
        original=original,
        replacement=replacement,
        author="rules",
        run=run,
        candidate_id="c1",
        kind=kind,
        family=family,
        error=error,
        why_wrong="because",
        verdict="substantive",
    )
