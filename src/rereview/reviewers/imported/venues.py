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
CONFIDENCES = ("confidence", "reviewer_confidence", "reviewer_expertise", "expertise")
_OVERALL = re.compile(r"overall_(?:merit|recommendation|rating|score|assessment|evaluation)$")
_PRIVATE = re.compile(r"\b(?:pc|chairs?|committee|administrators?|reviewers|ethics?|ethical)\b")
NOTHING = {"yes", "no", "n/a", "na", "none", "nothing", "-"}
"""Answers to a question of a form that are no comment."""
_REVIEW = re.compile(r"/(?:-/)?(?:Official_)?Review\d*$", re.IGNORECASE)
_BOTH = re.compile(r"strengths?.*weakness|weakness.*strengths?|pros.*cons", re.IGNORECASE)
_MAIN = {"review", "main_review", "comment", "comments", "detailed_comments", "feedback"}


def filled(fields: Mapping[str, str], *, system: str, submission: str | None) -> ReadReview:
    """A form of a venue, by the names of its fields: criticism and questions are remarks, all else fields."""
    named = {re.sub(r"[\W_]+", "_", name.strip().lower()).strip("_"): text for name, text in fields.items()}
    score = _score_of(named)
    sure = next((name for name in CONFIDENCES if number(named.get(name)) is not None), None)
    summary: list[str] = []
    strengths: list[str] = []
    rest: dict[str, str] = {}
    made: list[Remark] = []
    for name, text in named.items():
        words = name.replace("_", " ")
        if name in (score, sure) or not text.strip():
            continue
        if text.strip().rstrip(".").lower() in NOTHING:
            rest[name] = text
        elif _BOTH.search(words) or name in _MAIN:
            good, bad = _parted(text)
            strengths += good
            made += bad
        elif SUMMARY.search(words) and not STRENGTHS.search(words):
            summary.append(text)
        elif STRENGTHS.search(words):
            strengths += items(text)
        elif COMMENTS.search(words) and not _PRIVATE.search(words):
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


def _score_of(named: Mapping[str, str]) -> str | None:
    """The field that holds the score: one of a known name, else the last that ends like an overall one."""
    filled = [name for name, text in named.items() if number(text) is not None]
    overall = [name for name in filled if _OVERALL.search(name)]
    return next((name for name in SCORES if name in filled), overall[-1] if overall else None)


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


_MARK = re.compile(r"^==(?P<mark>[+*])==\s?(?P<text>.*)$")
_LETTERED = re.compile(r"^[A-Z]\.\s+(?P<name>\S.*?)\s*$")
_PAPER = re.compile(r"^Paper #(?P<number>\d+)")
_BEGIN = re.compile(r"^Begin Review(?: #(?P<number>\w+))?")
_TYPED = re.compile(r"^==-== .*your choice:\s*(?P<choice>\S.*)$")
_CHOICE = re.compile(r"^==-==\s+(?P<words>\d+\.\s.{1,40}?)(?:\s+--\s.*|:\s.*)?$")
_UNFILLED = re.compile(r"^\s*\((?:Your choice|Your response|Your answer|Choice) here\)\s*$", re.IGNORECASE)


def is_hotcrp_form(text: str) -> bool:
    """True for HotCRP's offline form."""
    return bool(re.search(r"^==\+== .*Review", text, re.MULTILINE))


def hotcrp_form(text: str) -> Iterator[ReadReview]:
    """One review a `Begin Review`; lines of `==-==` are the form's own words, unless a choice is typed there.

    A field begins with `==*== Name`, in older forms with `==+== A. Name`. Lines of a review that begin like
    the form's are escaped with a backslash.
    """
    form = _Form()
    for line in [*text.replace("\r\n", "\n").split("\n"), "==+== End Review"]:
        mark = _MARK.match(line)
        if mark is not None:
            yield from form.directive(mark["text"].strip(), is_field=mark["mark"] == "*")
        else:
            form.words(line)


class _Form:
    """An offline form as its lines come in."""

    def __init__(self) -> None:
        self.paper: str | None = None
        self.number: str | None = None
        self.name: str | None = None
        self.fields: dict[str, list[str]] = {}
        self.choices: dict[str, list[str]] = {}
        self.count = 0

    def directive(self, said: str, *, is_field: bool) -> Iterator[ReadReview]:
        """A line of the form: a field, a paper, or the end of a review."""
        begun, lettered, paper = _BEGIN.match(said), _LETTERED.match(said), _PAPER.match(said)
        self.name = said if is_field else lettered["name"] if lettered else None
        if self.name is not None:
            self.fields.setdefault(self.name, [])
        if begun or said.startswith("End Review"):
            yield from self._ended()
            self.number = begun["number"] if begun else None
        elif paper:
            self.paper = paper["number"]

    def words(self, line: str) -> None:
        """A line of the review, or of the form's own words."""
        typed, choice = _TYPED.match(line), _CHOICE.match(line)
        if self.name is not None and choice:
            self.choices.setdefault(self.name, []).append(choice["words"])
        if self.name is None or _UNFILLED.match(line) or (line.startswith("==-==") and not typed):
            return
        escaped = line.removeprefix("\\") if line.startswith("\\==") else line
        self.fields[self.name].append(typed["choice"] if typed else escaped)

    def _ended(self) -> Iterator[ReadReview]:
        kept = {name: "\n".join(lines).strip() for name, lines in self.fields.items()}
        if any(kept.values()):
            self.count += 1
            who = self.number or f"form {self.count}"
            read = filled(kept, system=f"hotcrp:{who}", submission=self.paper)
            yield read.but(notes=(*read.notes, *self._scales(kept)))
        self.fields, self.choices = {}, {}

    def _scales(self, kept: Mapping[str, str]) -> Iterator[str]:
        """What the ends of a score's scale mean, where the form says so: at some venues 1 is the best."""
        for name, choices in self.choices.items():
            if re.search(r"overall|merit|recommendation|rating", name, re.IGNORECASE) and kept.get(name):
                yield f"{name}: from “{choices[0]}” to “{choices[-1]}”"
