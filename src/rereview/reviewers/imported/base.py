"""What is read of a review that somebody else has written, and the words that become a severity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rereview.text.answers import storable
from rereview.types.record import Record
from rereview.types.review import Draft, Remark, Severity

NAMED: Mapping[str, Severity] = {
    "major": "major",
    "critical": "major",
    "high": "major",
    "severe": "major",
    "moderate": "moderate",
    "medium": "moderate",
    "minor": "minor",
    "low": "minor",
    "nit": "minor",
    "nitpick": "minor",
    "editorial": "minor",
    "trivial": "minor",
}
"""A severity that has the name of one of ours keeps it."""
COARSE: Mapping[str, Severity] = {"critical": "major", "major": "moderate", "minor": "minor"}
"""The scale of coarse, tier by tier, as *OpenAIReview* maps it for its study of conference papers."""
REVIEWER3: Mapping[str, Severity] = {"1": "major", "2": "moderate", "3": "minor", "4": "minor"}
"""Reviewer3 counts: 1 critical, 2 major, 3 minor, 4 editorial."""

LONGEST_TITLE = 90
"""Characters of a title that is made from the first words of a comment."""


class ReadReview(Record):
    """One review as its file has it.

    `system` is what wrote it ("coarse", "openaireview:progressive", "hotcrp:Reviewer B"), `model` the
    model that the file names, `submission` the paper that it names: None where it says nothing.
    `notes` say what is not in the draft, and why.
    """

    system: str
    model: str | None = None
    submission: str | None = None
    draft: Draft
    notes: tuple[str, ...] = ()

    @property
    def says_something(self) -> bool:
        """False for a reviewer that failed: there is a place for its review, and nothing in it."""
        draft = self.draft
        return bool(draft.words or draft.remarks or draft.score is not None)


def severity_of(word: object, scale: Mapping[str, Severity] = NAMED) -> Severity | None:
    """The severity that a word or number of another system means; None where it is not known."""
    return scale.get(str(word).strip().strip("[]").lower()) if isinstance(word, str | int) else None


def remark(
    *,
    title: str = "",
    body: str = "",
    quote: str | None = None,
    severity: Severity | None = None,
    pages: tuple[int, ...] = (),
) -> Remark:
    """A remark; without a title its first words stand there, and the body stays whole."""
    said = storable(body.strip())
    quoted = storable(quote) if quote and quote.strip() else None
    return Remark(
        title=storable(title.strip()) or first_words(said) or first_words(quoted or ""),
        body=said,
        quote=quoted,
        severity=severity,
        pages=pages,
    )


def first_words(text: str) -> str:
    """The first sentence of a text, or as many of its words as a title holds."""
    line = " ".join(text.split())
    end = line.find(". ")
    if 0 < end < LONGEST_TITLE:
        return line[:end]
    if len(line) <= LONGEST_TITLE:
        return line
    return f"{line[:LONGEST_TITLE].rsplit(' ', 1)[0]} …"


def once(remarks: Iterable[Remark]) -> tuple[tuple[Remark, ...], tuple[str, ...]]:
    """Each remark once, and a note if the file says one again in the same words."""
    given = list(remarks)
    kept = tuple({each.digest(): each for each in given}.values())
    left = len(given) - len(kept)
    return kept, (f"{left} of {len(given)} comments repeat another word for word",) if left else ()


def number(value: object) -> float | None:
    """A score as forms write it: 6, 6.5, "6: marginally above", "8/10". None where it says no number."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value) if value == value and abs(value) != float("inf") else None  # noqa: PLR0124  NaN
    head = str(value).strip().partition(":")[0].partition("/")[0].partition(" ")[0].rstrip(".,;)")
    try:
        found = float(head)
    except ValueError:
        return None
    return found if found == found and abs(found) != float("inf") else None  # noqa: PLR0124  NaN


def text_of(value: object) -> str:
    """A value of a form in words: lists a line an item, None nothing."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return "\n".join(part for each in value if (part := text_of(each)))
    if isinstance(value, dict):
        return "\n".join(f"{name}: {part}" for name, each in value.items() if (part := text_of(each)))
    return storable(str(value).strip())
