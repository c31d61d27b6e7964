"""The comments in running text: numbered, with bullets, or a paragraph each, under headings or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rereview.reviewers.imported.base import remark, severity_of
from rereview.types.review import Remark, Severity

NUMBERED = re.compile(
    r"(?:[#*]*\s*)(?:[QWCSMR]\.?\s?)?\(?(?P<number>\d{1,3})(?:[.):](?!\d)\)?|\](?=\s))\**\s+(?P<text>\S.*)"
)
BULLET = re.compile(r"(?P<mark>[-*•–+])\s+(?P<text>\S.*)")
HEADING = re.compile(
    r"(?:#{1,6}\s+(?P<marked>.+?)\s*#*|\*\*(?P<bold>[^*]+?):?\*\*:?|(?P<plain>[A-Z][\w ,&/()-]{2,70}?):?)"
)
NOISE = re.compile(r"<!--(?:(?!<!--).)*?-->|^\s*(?:-{3,}|\*{3,}|_{3,})\s*$", re.MULTILINE | re.DOTALL)

STRENGTHS = re.compile(r"\b(?:strengths?|strong points|pros|reasons to accept|positives?)\b", re.IGNORECASE)
COMMENTS = re.compile(
    r"\b(?:weakness(?:es)?|weak points|cons|reasons to reject|concerns?|comments?|issues?|questions?"
    r"|suggestions?|limitations?|requested changes|typos|remarks|problems|criticisms?)\b",
    re.IGNORECASE,
)
SUMMARY = re.compile(
    r"^(?:paper |brief )?(?:summary|synopsis|overview|abstract)\b(?! of (?:the )?(?:weak|stren))",
    re.IGNORECASE,
)
VERDICT = re.compile(
    r"\b(?:overall (?:assessment|evaluation|recommendation)|recommendation|conclusion|justification"
    r"|rationale)\b",
    re.IGNORECASE,
)
_GRADED = re.compile(r"\b(major|moderate|minor|critical)\b", re.IGNORECASE)
_PLAIN_WORDS = 8
"""Words that a heading without any mark has at most."""
_TITLE = re.compile(
    r"\*\*(?P<bold>[^*]{2,160}?)[.:]?\*\*[.:]?\s*|(?P<colon>[^.:?!\n]{2,100}):\s+(?=\S)|(?P<stop>[^.:?!\n]{2,100})\.\s+(?=[A-Z])"
)


@dataclass
class Section:
    """The lines under one heading; `title` is "" before the first."""

    title: str
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.lines).strip()


def clean(text: str) -> str:
    """Text without comments of Markdown and rules across the page."""
    return NOISE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def sections(text: str, *, plain: bool) -> list[Section]:
    """The sections of a review. `plain`: a short line that names a part of a review is a heading too."""
    found = [Section("")]
    for line in clean(text).split("\n"):
        title = _heading(line.strip(), plain=plain)
        if title is None:
            found[-1].lines.append(line)
        else:
            found.append(Section(title))
    return [each for each in found if each.title or each.text]


def _heading(line: str, *, plain: bool) -> str | None:
    match = HEADING.fullmatch(line)
    if match is None:
        return None
    if match["marked"] or match["bold"]:
        return (match["marked"] or match["bold"]).strip().strip("*").rstrip(":")
    words = match["plain"].strip()
    known = any(rule.search(words) for rule in (STRENGTHS, COMMENTS, SUMMARY, VERDICT))
    return words if plain and known and len(words.split()) <= _PLAIN_WORDS else None


def items(text: str) -> tuple[str, ...]:
    """The items of a text: of its numbers where they count up, else of its bullets, else its paragraphs.

    What stands before the first number or bullet belongs to no item and comes first, by paragraphs.
    """
    lines = clean(text).strip().split("\n")
    if starts := list(_counted(lines)):
        return tuple(_cut(lines, starts))
    if starts := list(_bullets(lines)):
        return tuple(_cut(lines, starts))
    return tuple(_paragraphs(lines))


def _counted(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Lines that begin with 1, 2, 3, … in order: a 2010 that begins a line is no item."""
    last = 0
    for at, line in enumerate(lines):
        match = NUMBERED.fullmatch(line.strip()) if _indent(line) <= 1 else None
        if match and int(match["number"]) in (last + 1, 1):
            last = int(match["number"])
            yield at, _bold_kept(line.strip(), match)


def _bold_kept(line: str, match: re.Match[str]) -> str:
    """The text after the number; `**1. Title.** Words` keeps its bold title."""
    before = line[: match.start("text")]
    return (
        f"**{match['text']}"
        if before.count("**") == 1 and not before.rstrip().endswith("**")
        else match["text"]
    )


def _bullets(lines: list[str]) -> Iterator[tuple[int, str]]:
    found = [(at, match) for at, line in enumerate(lines) if (match := BULLET.fullmatch(line.strip()))]
    if not found:
        return
    outer = min(_indent(lines[at]) for at, _ in found)
    yield from ((at, match["text"]) for at, match in found if _indent(lines[at]) <= outer + 1)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _cut(lines: list[str], starts: list[tuple[int, str]]) -> Iterator[str]:
    yield from _paragraphs(lines[: starts[0][0]])
    ends = [*(at for at, _ in starts[1:]), len(lines)]
    for (at, first), end in zip(starts, ends, strict=True):
        yield "\n".join([first, *lines[at + 1 : end]]).strip()


def _paragraphs(lines: list[str]) -> Iterator[str]:
    for part in re.split(r"\n\s*\n", "\n".join(lines)):
        if part.strip():
            yield part.strip()


def comment(text: str, *, severity: Severity | None = None, title: str = "") -> Remark:
    """An item as a remark: a title that the text itself sets apart is taken out of the body."""
    match = _TITLE.match(text)
    rest = text[match.end() :].strip() if match else ""
    if match is None or not rest or title:
        return remark(title=title, body=text, severity=severity)
    return remark(title=match["bold"] or match["colon"] or match["stop"], body=rest, severity=severity)


def graded(title: str) -> Severity | None:
    """The severity that a heading gives to all that stands under it: "Major comments"."""
    match = _GRADED.search(title)
    return severity_of(match[1]) if match else None
