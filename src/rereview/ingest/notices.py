"""Words on a copy that bind its reader, and hidden words that ask to be repeated: a run stops at them.

A venue gives reviewers copies that say so, and may plant in them a line that nobody sees and that a
model would follow, to learn who used one. It is not for this program to remove either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rereview.text.arguments import arguments
from rereview.text.latex import Token, named
from rereview.types.manuscript import BlockKind, Hidden, HiddenKind, Manuscript, Notice

_CONFIDENTIAL = re.compile(
    r"""
      \b confidential \b .{0,40}? \b (?:review(?:er|er's|ers'?)? | referee(?:'s)?) \b
        (?: \s+ (?:copy | use | version | only | purposes) )
    | \b confidential \b .{0,20}? \b (?:copy | manuscript | submission | draft) \b .{0,60}? \b review
    | \b (?:reviewer|referee)(?:'?s)? \s+ copy \b
    | \b for \s+ (?:peer[- ]?)? (?:review|reviewers|referees) \s+ (?:only | purposes \s+ only)
        .{0,40}? (?:confidential | do \s+ not \s+ (?:distribute|share|circulate|cite))
    | \b under \s+ (?:double[- ](?:blind|anonymous)|blind|peer)? [- ]? \s* review \b .{0,160}?
        (?: unauthori[sz]ed | confidential | (?:do|must|may|should) \s+ not \s+ (?:be \s+)?
            (?:distribut|shar|circulat|upload|disclos) )
    | \b (?:unauthori[sz]ed \s+ (?:sharing|distribution|disclosure|use)) \b .{0,80}? \b review
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ASKS = re.compile(
    r"""
      \b (?:include|insert|use|mention|add|write|repeat|reference|quote|cite|contain) \b .{0,60}?
      \b (?:phrases?|words?|sentences?|expressions?|terms?|strings?|codes?|following) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OF_ANSWER = re.compile(
    r"\b(?:reviews?|response|output|answer|summary|report|assessment|reviewers?|LLM|AI|language model"
    r"|phrases)\b",
    re.IGNORECASE,
)
_NOT_ON_THE_PAGE: frozenset[HiddenKind] = frozenset({"comment", "dead-branch", "after-end", "ocr-layer"})
MARGIN = 0.15
"""Share of the height of a page at its top and bottom where such a line stands; on page 1 anywhere."""
_LONGEST = 400
_SAID: frozenset[BlockKind] = frozenset({"title", "heading", "paragraph"})
_COMMAND = re.compile(r"\\[A-Za-z]+\*?|[{}]")


_OPENING = 8
"""Blocks at the start of a paper without pages where such a line stands."""
_HEADS = named(
    r"\fancyhead \fancyfoot \lhead \chead \rhead \lfoot \cfoot \rfoot \ihead \ohead \ifoot \ofoot \markboth"
    r" \markright \SetWatermarkText \DraftwatermarkOptions \AddToShipoutPicture \AddToShipoutPictureBG"
    r" \AddToShipoutPictureFG \backgroundsetup \thanks \date"
)


class Words(NamedTuple):
    """Words that are seen on a page; `top`, `bottom`: shares of its height."""

    text: str
    page: int | None
    top: float
    bottom: float
    place: str = ""


def confidential(lines: Sequence[Words]) -> Notice | None:
    """The first notice among the lines of a paper, and of what leans in its margins."""
    for start, line in enumerate(lines):
        if not _may_hold(line):
            continue
        near = [other.text for other in lines[start : start + 3] if other.page == line.page]
        found = _CONFIDENTIAL.search(" ".join(near))
        if found and found.start() < len(line.text):
            text = " ".join(near)[:_LONGEST]
            return Notice(kind="confidential", text=text, page=line.page, place=line.place)
    return None


def _may_hold(line: Words) -> bool:
    return line.page in (None, 1) or bool(line.place) or line.bottom < MARGIN or line.top > 1 - MARGIN


def planted(hidden: Iterable[Hidden]) -> Iterator[Notice]:
    """Hidden text of a page that asks for certain words in a review, as it stands."""
    for each in hidden:
        if each.kind not in _NOT_ON_THE_PAGE and _ASKS.search(each.text) and _OF_ANSWER.search(each.text):
            yield Notice(kind="planted-instruction", text=each.text, page=each.page, place=each.place)


def of_hidden(hidden: Iterable[Hidden]) -> Iterator[Notice]:
    """A notice of confidence that is itself not seen."""
    for each in hidden:
        if each.kind not in _NOT_ON_THE_PAGE and _CONFIDENTIAL.search(each.text):
            yield Notice(kind="confidential", text=each.text, page=each.page, place=each.place or "hidden")


def bound(paper: Manuscript, beside: Iterable[tuple[str, str]] = ()) -> Manuscript:
    """A paper without pages with the notices of its first blocks, of what is hidden in it, and of `beside`.

    `beside`: text that stands beside that of the paper, such as running heads, each with its place.
    """
    opening = [block for block in paper.blocks if block.kind in _SAID][:_OPENING]
    words = [
        *(Words(block.text, None, 0.0, 0.0) for block in opening),
        *(Words(text, None, 0.0, 0.0, place) for text, place in beside),
    ]
    seen = next(filter(None, (confidential([each]) for each in words)), None)
    found = (*((seen,) if seen else ()), *of_hidden(paper.hidden), *planted(paper.hidden))
    return paper.but(notices=found) if found else paper


def running_heads(text: str, found: Iterable[Token]) -> Iterator[tuple[str, str]]:
    """What a LaTeX paper prints at the edges of its pages, with the command that says so."""
    for token in found:
        if token.name in _HEADS:
            for start, end in arguments(text, token.end, 2 if token.name == r"\markboth" else 1).groups:
                yield _COMMAND.sub(" ", text[start:end]), token.name
