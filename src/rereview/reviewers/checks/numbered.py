"""Numbers of tables, figures, sections, theorems and equations that the author typed by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Remark

KINDS = {
    "table": r"Tables?|Tab\.",
    "figure": r"Figures?|Figs?\.",
    "theorem": r"Theorem|Lemma|Proposition|Corollary",
}
TYPED = {
    kind: re.compile(rf"\b(?:{words})[\s~]*(?P<number>\d{{1,3}})(?:[a-z]|\([a-z]\))?(?![\w.]*\d|\w|-\w)")
    for kind, words in KINDS.items()
}
EQUATION = re.compile(r"\b(?:Eqs?\.|Equations?)[\s~]*\((?P<number>\d{1,3})\)")
SECTION = re.compile(r"(?:\bSections?|\bSec\.|§)[\s~]*(?P<number>\d{1,2}\.\d{1,2})(?![\w.]*\d|\w)")

OTHER_BEFORE = re.compile(
    r"(?:['’]s?|s['’]|\b(?:supplement\w*|supporting(?: information)?|appendix|online|web|extended|data|"
    r"SI|their|his|her|its|whose|source|cf\.?|from))[\s~(]*$",
    re.IGNORECASE,
)
OTHER_AFTER = re.compile(r"[\s~,(]*(?:of|in|from|by|on|at|there\w*|ibid)\b", re.IGNORECASE)
OTHER_WORK = re.compile(
    r"\\[a-zA-Z]*cite|\[\d|\bet al\b|\b(?:1[89]|20)\d\d[a-z]?\)|\barXiv|supplement|appendix|\bonline\b|"
    r"\bcompanion\b|\b(?:text)?book\b|\boriginal (?:paper|article|study)|\bprevious (?:paper|article|study)",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[\w)\]}$])[.!?]\s+(?=[A-Z\\(])")
COUNTERS = re.compile(r"\\(?:setcounter|addtocounter|numberwithin|ContinuedFloat|tag\b|include\b)")
FEWEST_SECTIONS = 3


def findings(paper: Manuscript) -> Iterator[Remark]:
    """Mentions of a number that no table, figure, section, theorem or equation can have."""
    if any(gap.kind == "input" for gap in paper.gaps):
        return
    if any(COUNTERS.search(block.text) for block in paper.blocks):
        return
    for kind, pattern in TYPED.items():
        highest = _highest(paper, kind)
        if highest is not None:
            yield from _above(paper, kind, pattern, highest)
    equations = _equations(paper)
    if equations is not None:
        yield from _above(paper, "equation", EQUATION, equations)
    yield from _sections(paper)


def _highest(paper: Manuscript, kind: str) -> int | None:
    """How many tables (figures, theorems) there can be; None where their numbers are not all known."""
    if kind == "theorem":
        blocks = [block for block in paper.blocks if block.kind == "theorem"]
    else:
        captions = [block for block in paper.blocks if block.kind == "caption"]
        if any(block.environment is None for block in captions):
            return None
        blocks = [block for block in captions if kind in (block.environment or "").lower()]
    numbers = [int(block.number) for block in blocks if block.number is not None and block.number.isdecimal()]
    if not blocks or len(numbers) < len(blocks) or set(numbers) != set(range(1, max(numbers) + 1)):
        return None
    return max(len(blocks), *numbers)


def _equations(paper: Manuscript) -> int | None:
    r"""At most so many equations have a number: every line of every display. None outside LaTeX."""
    displays = [block for block in paper.blocks if block.kind == "equation"]
    if paper.format != "latex" or not displays:
        return None
    return sum(1 + block.text.count("\\\\") for block in displays)


def _above(paper: Manuscript, kind: str, pattern: re.Pattern[str], highest: int) -> Iterator[Remark]:
    for block, match in _own_mentions(paper, pattern):
        number = int(match["number"])
        if number > highest and not _starts_a_line(paper, match):
            things = f"{highest} {kind}{'s' if highest > 1 else ''}"
            yield _remark(
                block,
                match,
                body=f"The text refers to {match.group()}, and the paper has {things}.",
                arithmetic=f"mentions {kind} {number}, the paper has {things}",
            )


def _sections(paper: Manuscript) -> Iterator[Remark]:
    numbers = [block.number for block in paper.blocks if block.kind == "heading" and block.number is not None]
    top = [int(number) for number in numbers if number.isdecimal()]
    if len(top) < FEWEST_SECTIONS or top != list(range(1, len(top) + 1)):
        return
    if not any(re.fullmatch(r"\d+\.\d+", number) for number in numbers):
        return
    for block, match in _own_mentions(paper, SECTION):
        section = match["number"].split(".")[0]
        if int(section) in top and match["number"] not in numbers and not _starts_a_line(paper, match):
            inside = [number for number in numbers if re.fullmatch(rf"{section}\.\d+", number)]
            has = f"has {', '.join(inside)}" if inside else "has no subsections"
            yield _remark(
                block,
                match,
                body=f"The text refers to {match.group()}, and the paper has no section of that number.",
                arithmetic=f"mentions {match['number']}, section {section} {has}",
            )


def _own_mentions(paper: Manuscript, pattern: re.Pattern[str]) -> Iterator[tuple[Block, re.Match[str]]]:
    """The mentions that can only mean this paper."""
    for block in paper.blocks:
        if block.kind in ("reference", "table", "page-marker"):
            continue
        for match in pattern.finditer(block.text):
            around = _sentence(block.text, match)
            head, tail = block.text[: match.start()], block.text[match.end() :]
            other = OTHER_BEFORE.search(head) or OTHER_AFTER.match(tail) or OTHER_WORK.search(around)
            if not other:
                yield block, match


def _sentence(text: str, match: re.Match[str]) -> str:
    start, end = 0, len(text)
    for stop in SENTENCE_END.finditer(text):
        if stop.end() <= match.start():
            start = stop.end()
        elif stop.start() >= match.end():
            end = stop.start()
            break
    return text[start:end]


def _starts_a_line(paper: Manuscript, mention: re.Match[str]) -> bool:
    """True if a line starts like the caption or heading looked for, which then was not read as one."""
    start = re.compile(
        rf"^[\s*_#]*(?:[A-Za-z.]+\s*)?{re.escape(mention['number'])}[.:|\s]", re.MULTILINE | re.IGNORECASE
    )
    return paper.format != "latex" and any(start.search(block.text) for block in paper.blocks)


def _remark(block: Block, match: re.Match[str], *, body: str, arithmetic: str) -> Remark:
    return Remark(
        title=f"There is no {' '.join(match.group().replace('~', ' ').split())}",
        body=body,
        severity="moderate",
        quote=match.group(),
        arithmetic=arithmetic,
        places=(Span(block_id=block.id, start=match.start(), end=match.end()),),
    )
