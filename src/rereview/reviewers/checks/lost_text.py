r"""Text that an unescaped percent sign removes.

TeX drops everything from `%` to the end of the line. After a number, `12.8% compared to ...` was
mostly meant as `12.8\% compared to ...`, and the reader never sees the rest. A comment that an
author wants also starts with `%`, so signs decide, not a single pattern:

- it starts straight after the number, and continues the sentence (closing punctuation, a closing
  `$`, a range, or a word in lower case); or, where a space stands before the sign, it also has to
  end a sentence that the paper leaves without its end;
- the words around are running text, not a length, a list of settings or pseudo-code;
- what follows in the paper does not go on with the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rereview.reviewers.checks.base import before, reading_order, shortened
from rereview.text.plurals import many
from rereview.types.manuscript import Block, Hidden, Manuscript
from rereview.types.review import Remark

RUNNING = ("title", "heading", "paragraph", "theorem", "proof", "caption")
CODE = re.compile(r"algorithm|listing|verbatim|minted|code|tikz|pgf|axis|picture", re.IGNORECASE)
LIST = re.compile(r"item|enum|desc|list", re.IGNORECASE)

NUMBER = re.compile(r"(?:[\s~($]|(?<=\d)[-–]{1,3}|^)[$]?[+\-–−±]?\d+(?:[.,]\d+)*[$]?[ \t]*$")
WORD = re.compile(r"[^\W\d_]{3,}")
EQUALS = re.compile(r"(?:=|\\approx|\\sim|\\leq?|\\geq?|[<>])\s*[$]?[\d.,]*[$]?\s*$")

CLOSING = re.compile(r"[,;:)](?=[\s$)]|$)|\.(?=\s|$)|[,。、，；）]|\$+(?=[\s,.;:)]|$)|-{1,3}(?=\d|[a-z]{3})")
"""How no comment starts: the punctuation, `$` or hyphen that goes on from a number."""
PROSE = re.compile(r"[ ~]\(?(?P<word>[a-z][a-z'’-]*)(?=[\s,.;:)~$]|$)")
NOTE = re.compile(
    r"(?:todo|fixme|xxx|tb[acd]|n\.?b|note|check|verify|confirm|updated?|changed?|revised?|fix(?:ed)?|added?|"
    r"removed?|replaced?|placeholder|old|new|ask|rephrase|rewrite|cite)$"
)
"""First words of the notes that authors leave for themselves."""
END = re.compile(r"[.?!]['’”)}]*$")
MAJOR = 40
"""More lost characters than this and the reader misses a clause, not a sign."""


@dataclass(frozen=True)
class LostText:
    """A comment that begins after a number in running text and reads as its continuation."""

    name: ClassVar[str] = "lost-text"

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """One remark for each place that loses text."""
        for hidden in paper.hidden:
            if hidden.kind != "comment" or hidden.at is None:
                continue
            block = paper.by_id[hidden.at.block_id]
            at, lost = hidden.at.start, _first_line(hidden)
            tied = not _stands_apart(block, hidden)
            if lost and _is_loss(block, at, lost, tied=tied, goes_on=_goes_on(paper, block, at)):
                yield self._remark(block, at, f"%{lost}")

    def _remark(self, block: Block, at: int, lost: str) -> Remark:
        place = before(block, at)
        quote = block.text[place.start : place.end]
        return Remark(
            title="An unescaped % removes the rest of the line",
            body=f"The reader does not see what stands after the number in the source: “{shortened(lost)}”. "
            r"In LaTeX a percent sign that is meant to be printed is written \%.",
            rule=self.name,
            severity="major" if len(lost) > MAJOR else "moderate",
            quote=quote,
            arithmetic=f"{many(len(lost), 'character')} removed,"
            f" from “{shortened(lost, 20)}” to the line end",
            places=(place,),
        )


def _first_line(hidden: Hidden) -> str:
    """What the comment says, without its percent sign and without later lines."""
    line = hidden.text.removeprefix("%").split("\n", 1)[0]
    return line.rstrip()


def _stands_apart(block: Block, hidden: Hidden) -> bool:
    """True if space stands before the percent sign, also where the block's text ends without it."""
    at = hidden.at.start if hidden.at else 0
    if block.text[:at][-1:].isspace():
        return True
    for run in block.source:
        if hidden.source and run.text_start < at <= run.text_start + run.end - run.start:
            return run.file != hidden.source.file or hidden.source.start > run.start + at - run.text_start
    return False


def _goes_on(paper: Manuscript, block: Block, at: int) -> str:
    """What the paper prints next: the rest of the block, or `=` where a formula follows it."""
    rest = block.text[at:]
    if rest.strip():
        return rest
    order = [name for name in reading_order(paper) if name in paper.by_id]
    after = order[order.index(block.id) + 1 :]
    follows = paper.by_id[after[0]] if after else None
    return "=" if follows is not None and follows.kind == "equation" else ""


def _is_loss(block: Block, at: int, lost: str, *, tied: bool, goes_on: str) -> bool:
    """True if `lost`, removed at `at`, was meant to be read."""
    if block.kind not in RUNNING or CODE.search(block.environment or ""):
        return False
    text = block.text[:at]
    number = NUMBER.search(text)
    if number is None or not WORD.search(text[: number.start()].rsplit("\n\n", 1)[-1]):
        return False
    if not tied:
        return _ends_the_sentence(block, text, lost, goes_on)
    if CLOSING.match(lost):
        return True
    return _reads_on(text, lost) and _is_left_open(block, lost, goes_on)


def _reads_on(text: str, lost: str) -> bool:
    """True if a word in lower case goes on from a plain number, and is not a note of the author."""
    word = PROSE.match(lost)
    return word is not None and not NOTE.match(word["word"]) and not EQUALS.search(text)


def _is_left_open(block: Block, lost: str, goes_on: str) -> bool:
    """True if what follows is glued to the number, or nothing follows where a sentence has to end."""
    following = goes_on.lstrip()[:1]
    if following:
        return following.isalnum()
    return bool(END.search(lost)) or not LIST.search(block.environment or "")


def _ends_the_sentence(block: Block, text: str, lost: str, goes_on: str) -> bool:
    """The stricter test for `12 % of ...`: the paragraph ends here, without the full stop that was lost."""
    in_prose = block.kind == "paragraph" and not LIST.search(block.environment or "")
    return in_prose and not goes_on.strip() and END.search(lost) is not None and _reads_on(text, lost)
