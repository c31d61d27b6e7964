"""Reviews as conference systems export them: OpenReview notes, HotCRP's CSV and its offline form."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from rereview.reviewers.imported.base import ReadReview, number, once, text_of
from rereview.reviewers.imported.lists import COMMENTS, STRENGTHS, SUMMARY, comment, graded, items, sections
from rereview.types.review import Draft, Remark

Json = Any

SCORES = (
    "rating",
    "recommendation",
    "overall_assessment",
    "overall_recommendation",
    "overall_merit",
    "overall_score",
    "score",
)
CONFIDENCES = ("confidence", "reviewer_expertise", "reviewer_confidence")
_REVIEW = re.compile(r"/(?:-/)?(?:Official_)?Review\d*$", re.IGNORECASE)
_BOTH = re.compile(r"strengths?.*weakness|weakness.*strengths?|pros.*cons", re.IGNORECASE)
_MAIN = {"review", "main_review", "comment", "comments", "detailed_comments", "feedback"}


def filled(fields: Mapping[str, str], *, system: str, submission: str | None) -> ReadReview:
    """A form of a venue, by the names of its fields: criticism and questions are remarks, all else fields."""
    named = {re.sub(r"[\W_]+", "_", name.strip().lower()).strip("_"): text for name, text in fields.items()}
    score = next((name for name in SCORES if number(named.get(name)) is not None), None)
    sure = next((name for name in CONFIDENCES if number(named.get(name)) is not None), None)
    summary: list[str] = []
    strengths: list[str] = []
    rest: dict[str, str] = {}
    made: list[Remark] = []
    for name, text in named.items():
        words = name.replace("_", " ")
        if name in (score, sure) or not text.strip():
            continue
        if _BOTH.search(words) or name in _MAIN:
            good, bad = _parted(text)
            strengths += good
            made += bad
        elif SUMMARY.search(words) and not STRENGTHS.search(words):
            summary.append(text)
        elif STRENGTHS.search(words):
            strengths += items(text)
        elif COMMENTS.search(words) and "ethic" not in words and "pc" not in words.split():
            made += [comment(each, severity=graded(words)) for each in items(text)]
        else:
            rest[name] = text
    remarks, notes = once(made)
    draft = Draft(
        summary="\n\n".join(summary) or None,
        score=number(named[score]) if score else None,
        confidence=number(named[sure]) if sure else None,
        strengths=tuple(strengths),
        fields=rest,
        remarks=remarks,
    )
    return ReadReview(system=system, submission=submission, draft=draft, notes=notes)


def _parted(text: str) -> tuple[tuple[str, ...], list[Remark]]:
    """Strengths and criticism of one field, by the headings in it; without any, all of it are comments."""
    good: list[str] = []
    bad: list[Remark] = []
    found = sections(text, plain=True)
    for each in found:
        if STRENGTHS.search(each.title) and not COMMENTS.search(each.title):
            good += items(each.text)
        elif each.text:
            bad += [comment(part, severity=graded(each.title)) for part in items(each.text)]
    return tuple(good), bad


def notes_in(found: Json) -> list[dict[str, Json]]:
    """The review notes of OpenReview in a document: a note, a list, an answer, or papers with replies."""
    if isinstance(found, dict):
        inside = [found.get("notes"), found.get("reviews")]
        details = found.get("details") or {}
        inside += (
            [details.get(name) for name in ("directReplies", "replies")] if isinstance(details, dict) else []
        )
        nested = [note for part in inside if isinstance(part, list) for note in notes_in(part)]
        return nested or ([found] if _is_review(found) else [])
    return [note for each in found for note in notes_in(each)] if isinstance(found, list) else []


def _is_review(note: Mapping[str, Json]) -> bool:
    if not isinstance(note.get("content"), dict):
        return False
    invitations = note.get("invitations") or [note.get("invitation") or ""]
    named = [str(each) for each in invitations if each]
    if named:
        return any(_REVIEW.search(each) for each in named)
    return bool({"rating", "recommendation", "weaknesses", "strengths_and_weaknesses"} & set(note["content"]))


def openreview(found: Json) -> Iterator[ReadReview]:
    """One review a note; values stand as they are (API 1) or under `value` (API 2)."""
    for note in notes_in(found):
        fields = {
            name: text_of(each["value"] if isinstance(each, dict) and "value" in each else each)
            for name, each in note["content"].items()
            if name not in ("title", "code_of_conduct", "first_time_reviewer")
        }
        signed = (note.get("signatures") or [None])[0]
        who = str(signed).rsplit("/", 1)[-1] if signed else text_of(note.get("id"))
        paper = text_of(note.get("forum")) or None
        yield filled(fields, system=f"openreview:{who}" if who else "openreview", submission=paper)


HOTCRP_META = {
    "pid",
    "paper",
    "title",
    "review",
    "email",
    "reviewername",
    "reviewer",
    "round",
    "submitted_at",
}
HOTCRP_META |= {
    "vtag",
    "status",
    "first",
    "last",
    "affiliation",
    "timestamp",
    "ordinal",
    "edit_version",
    "reviewtype",
}


def is_hotcrp_csv(text: str) -> bool:
    """True for a table whose columns are those of HotCRP's review CSV."""
    head = next(csv.reader(io.StringIO(text)), [])
    names = {name.strip().lower() for name in head}
    return bool({"pid", "paper"} & names) and bool({"review", "email", "reviewername", "reviewer"} & names)


def hotcrp_csv(text: str) -> Iterator[ReadReview]:
    """Rows of a review each, or of a field each (columns `field` and `data`)."""
    gathered: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    limit = csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    try:
        for row in csv.DictReader(io.StringIO(text)):
            cells = {str(name).strip(): value or "" for name, value in row.items() if isinstance(value, str)}
            low = {name.lower(): value for name, value in cells.items()}
            paper = low.get("pid") or low.get("paper") or ""
            who = (
                low.get("review") or low.get("reviewername") or low.get("email") or low.get("reviewer") or ""
            )
            fields = gathered[paper, who]
            if "field" in low and "data" in low:
                fields[low["field"]] = low["data"]
            else:
                fields |= {name: value for name, value in cells.items() if name.lower() not in HOTCRP_META}
    finally:
        csv.field_size_limit(limit)
    for (paper, who), fields in gathered.items():
        yield filled(fields, system=f"hotcrp:{who}" if who else "hotcrp", submission=paper or None)


_MARK = re.compile(r"^==\+==\s?(?P<text>.*)$")
_FORM_FIELD = re.compile(r"^(?:\*\s*)?(?:[A-Z]\.|\*)\s+(?P<name>.+?)\s*$")
_FORM_PAPER = re.compile(r"^Paper #(?P<number>\d+)")


def is_hotcrp_form(text: str) -> bool:
    """True for HotCRP's offline form."""
    return bool(re.search(r"^==\+== .*Review", text, re.MULTILINE))


def hotcrp_form(text: str) -> Iterator[ReadReview]:
    """One review a `Begin Review`; lines of `==-==` are the form's own words."""
    paper, name = None, None
    fields: dict[str, list[str]] = {}
    count = 0
    for line in [*text.replace("\r\n", "\n").split("\n"), "==+== End Review"]:
        mark = _MARK.match(line)
        if mark is None:
            if name is not None and not line.startswith("==-=="):
                fields[name].append(line.removeprefix("\\") if line.startswith("\\==") else line)
            continue
        said = mark["text"].strip()
        field = _FORM_FIELD.match(said)
        if said.startswith("Paper #") and (found := _FORM_PAPER.match(said)):
            paper, name = found["number"], None
        elif field:
            name = field["name"]
            fields.setdefault(name, [])
        elif said.startswith(("Begin Review", "End Review")):
            kept = {each: "\n".join(lines).strip() for each, lines in fields.items()}
            if any(kept.values()):
                count += 1
                yield filled(kept, system=f"hotcrp:form {count}", submission=paper)
            fields, name = {}, None
        else:
            name = None
