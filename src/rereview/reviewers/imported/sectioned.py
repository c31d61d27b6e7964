"""Reviews in Markdown or plain text: coarse and Refine, Reviewer3, and anything with headings or lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rereview.reviewers.imported.base import COARSE, ReadReview, number, once, remark, severity_of
from rereview.reviewers.imported.lists import (
    COMMENTS,
    STRENGTHS,
    SUMMARY,
    VERDICT,
    Section,
    clean,
    comment,
    graded,
    items,
    sections,
)
from rereview.text.plurals import many
from rereview.types.review import Draft, Remark, Severity

DETAILED = re.compile(r"^##\s+Detailed Comments\b(?:\s*\((?P<count>\d+)\))?.*$", re.MULTILINE | re.IGNORECASE)
OVERALL = re.compile(r"^##\s+Overall Feedback\b.*$", re.MULTILINE | re.IGNORECASE)
_COMMENT = re.compile(r"^###\s+(?P<number>\d+)[.)]\s+(?P<title>.+?)\s*$")
_FIELD = re.compile(r"^\*\*(?P<name>[A-Z][A-Za-z ]{2,30})\*\*:[ \t]*(?P<value>.*)$", re.MULTILINE)
_ISSUE = re.compile(r"^(?:[-*]\s+)?\*\*(?P<title>[^*\n]+)\*\*\s*$", re.MULTILINE)
_WITH_TIME = re.compile(r"^\*\*Date\*\*:.*\d:\d\d", re.MULTILINE)
_OUTLINE = ("outline", "central claim", "summary")
REVIEWER3 = re.compile(r"^#{1,3}\s+(?P<name>.{3,60}?)\s+Reviewer Feedback\s*$", re.MULTILINE)
_REVIEWER3_COMMENTS = re.compile(r"^#{1,4}\s+Comments\s*$", re.MULTILINE)


def is_coarse(text: str) -> bool:
    """True for the Markdown of coarse, which is also that of Refine."""
    return bool(DETAILED.search(text) and re.search(r"^\*\*Feedback\*\*:", text, re.MULTILINE))


def coarse(text: str) -> ReadReview:
    """The detailed comments as remarks; the issues of the overall feedback as concerns."""
    text = text.replace("\r\n", "\n")
    start = DETAILED.search(text)
    if start is None:
        raise ValueError("no detailed comments")
    made = [_detailed(title, body) for title, body in _comments(text[start.end() :])]
    remarks, notes = once(made)
    said = start["count"]
    if said is not None and int(said) != len(made):
        notes = (
            *notes,
            f"the heading announces {many(int(said), 'comment')}, {many(len(made), 'is', 'are')} there",
        )
    draft = _overall(text[: start.start()]).but(remarks=remarks)
    system = "refine" if _WITH_TIME.search(text[: start.start()]) else "coarse"
    return ReadReview(system=system, draft=draft, notes=notes)


def _comments(text: str) -> Iterator[tuple[str, str]]:
    """Title and text of each comment; they count 1, 2, 3, so that a heading in a comment begins none."""
    lines = text.split("\n")
    starts: list[tuple[int, str]] = []
    for at, line in enumerate(lines):
        match = _COMMENT.match(line)
        if match and int(match["number"]) == len(starts) + 1:
            starts.append((at, match["title"]))
    ends = [*(at for at, _ in starts), len(lines)][1:]
    for (at, title), end in zip(starts, ends, strict=True):
        yield title, re.sub(r"\n-{3,}\s*$", "", "\n".join(lines[at + 1 : end]).strip()).strip()


def _detailed(title: str, text: str) -> Remark:
    """The parts of one comment: the last label `Feedback` that follows the quote begins its words."""
    fields = {match["name"].lower(): match for match in reversed(list(_FIELD.finditer(text)))}
    feedback, quote = fields.get("feedback"), fields.get("quote")
    body = text[feedback.start("value") :] if feedback else _FIELD.sub("", text)
    quoted = text[quote.start("value") : feedback.start() if feedback else len(text)] if quote else ""
    said = fields.get("severity")
    nit = fields.get("importance")
    severity = severity_of(said["value"], COARSE) if said else severity_of(nit["value"]) if nit else None
    return remark(title=title, body=body, quote=_unquoted(quoted), severity=severity)


def _unquoted(text: str) -> str | None:
    """The words of a block quote; lines that lost their mark belong to it."""
    lines = [re.sub(r"^> ?", "", line) for line in text.strip().split("\n")]
    return "\n".join(lines).strip() or None


def _overall(text: str) -> Draft:
    start = OVERALL.search(text)
    said = text[start.end() :] if start else ""
    said = re.sub(r"^\*\*Status\*\*:.*$", "", said, flags=re.MULTILINE)
    fields = {match["name"].lower(): match for match in _FIELD.finditer(said)}
    end = min((match.start() for match in fields.values()), default=len(said))
    parts = list(_ISSUE.split(clean(said[:end])))
    summary, concerns = [parts[0].strip()], []
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        if title.strip().lower() in _OUTLINE:
            summary.append(body.strip())
        elif body.strip():
            concerns.append(f"{title.strip()}\n\n{body.strip()}")
    return Draft(
        summary="\n\n".join(part for part in summary if part) or None,
        concerns=tuple(concerns),
        fields={name: value for name, value in _labelled(said, fields).items() if value},
    )


def _labelled(text: str, fields: dict[str, re.Match[str]]) -> dict[str, str]:
    found = sorted(fields.items(), key=lambda item: item[1].start())
    ends = [*(match.start() for _, match in found), len(text)][1:]
    return {
        name: clean(text[match.start("value") : end]).strip()
        for (name, match), end in zip(found, ends, strict=True)
    }


def is_reviewer3(text: str) -> bool:
    """True for what Reviewer3 exports."""
    return bool(REVIEWER3.search(text) and _REVIEWER3_COMMENTS.search(text))


def reviewer3(text: str) -> ReadReview:
    """The numbered comments of each of its reviewers, in one review."""
    parts = REVIEWER3.split(text.replace("\r\n", "\n"))
    summary, made = [parts[0].strip()], []
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        head, *rest = _REVIEWER3_COMMENTS.split(body)
        summary.append(f"{name.strip()}: {clean(head).strip()}")
        made += [comment(each) for part in rest for each in items(part)]
    remarks, notes = once(made)
    draft = Draft(summary="\n\n".join(part for part in summary if part) or None, remarks=remarks)
    return ReadReview(system="reviewer3", draft=draft, notes=notes)


def plain(text: str, *, system: str = "text") -> ReadReview:
    """A review in words. Its parts are known by their headings; without any, all of it are comments."""
    found = sections(text, plain=True)
    gathered = _Gathered()
    for each in found:
        gathered.add(each, alone=len(found) == 1)
    return gathered.review(system)


def stanford(text: str) -> ReadReview:
    """A review of paperreview.ai: headings without marks, a comment a line."""
    return plain(_without_groups(text), system="stanford")


def is_stanford(text: str) -> bool:
    """True for text with the headings of paperreview.ai."""
    lines = {line.strip("#* \t").rstrip(":") for line in text.splitlines()}
    return {"Summary", "Strengths", "Weaknesses", "Questions for Authors", "Overall Assessment"} <= lines


_GROUP = re.compile(r"[A-Z][^.!?;:]{5,80}[^.!?;:,]")


def _without_groups(text: str) -> str:
    """Its lines as items: a short line without a full stop groups those below it; lower case goes on."""
    out: list[str] = []
    for line in (raw.strip() for raw in text.splitlines()):
        heading = any(rule.search(line) for rule in (STRENGTHS, COMMENTS, SUMMARY, VERDICT))
        goes_on = line[:1].islower() and out and out[-1].startswith("- ")
        if goes_on:
            out[-1] += f"\n{line}"
        elif not line or (heading and len(line.split()) <= 3) or line.startswith(("#", "- ", "* ")):  # noqa: PLR2004  "Questions for Authors"
            out.append(line)
        elif _GROUP.fullmatch(line) and len(line.split()) <= 10:  # noqa: PLR2004  a group has a name, no sentence
            continue
        else:
            out.append(f"- {line}")
    return "\n".join(out)


class _Gathered:
    """A review as its sections come in."""

    def __init__(self) -> None:
        self.summary: list[str] = []
        self.strengths: list[str] = []
        self.rationale: list[str] = []
        self.fields: dict[str, str] = {}
        self.remarks: list[Remark] = []
        self._under: Severity | None = None
        self._strong = False

    def add(self, section: Section, *, alone: bool) -> None:
        """Put a section where its heading says; one without a known heading follows the one before."""
        title, text = section.title, section.text
        if title:
            self._under = graded(title)
        if not text:
            self._strong = bool(STRENGTHS.search(title))
            return
        if SUMMARY.search(title):
            self.summary += [_plain_lines(text)]
        elif STRENGTHS.search(title) and not COMMENTS.search(title):
            self.strengths += items(text)
        elif VERDICT.search(title) and not COMMENTS.search(title):
            self.rationale += [_plain_lines(text)]
        elif not title and not alone:
            self.summary += [text]
        else:
            self.remarks += [comment(each, severity=self._under) for each in items(text)]

    def review(self, system: str) -> ReadReview:
        """What has come in."""
        remarks, notes = once(self.remarks)
        draft = Draft(
            summary="\n\n".join(self.summary) or None,
            strengths=tuple(self.strengths),
            rationale="\n\n".join(self.rationale) or None,
            fields=self.fields,
            remarks=remarks,
        )
        return ReadReview(system=system, draft=draft, notes=notes)


def _plain_lines(text: str) -> str:
    return "\n".join(line.removeprefix("- ") for line in text.splitlines()).strip()


SCORE = re.compile(
    r"^[#*\s]*(?:overall\s+)?(?P<name>score|rating|recommendation|merit|confidence)[\s*]*[:=]\s*(?P<value>.+?)\s*$",
    re.IGNORECASE | re.MULTILINE,
)


def in_words(text: str) -> ReadReview:
    """Any review in words, with the score and the confidence that a line of it gives, if only one does."""
    given: dict[str, set[float]] = {}
    for match in SCORE.finditer(text):
        value = number(match["value"].strip("* "))
        if value is not None:
            name = "confidence" if match["name"].lower() == "confidence" else "score"
            given.setdefault(name, set()).add(value)
    one = {name: values.pop() for name, values in given.items() if len(values) == 1}
    read = plain(SCORE.sub(lambda match: "" if _is_taken(match, one) else match[0], text))
    return read.but(draft=read.draft.but(score=one.get("score"), confidence=one.get("confidence")))


def _is_taken(match: re.Match[str], one: dict[str, float]) -> bool:
    return number(match["value"].strip("* ")) in one.values()
