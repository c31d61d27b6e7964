r"""The scan of Markdown and of recognised text: `$…$`, `$$…$$`, headings, "Theorem 2." paragraphs.

A dollar sign may also be a price: by the usual rule of Markdown a formula begins with no space, ends with
none, and no digit follows it. Recognised text sets spaces inside; then it must look like a formula.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rereview.perturb import equations
from rereview.perturb.passages import Passage, kinds
from rereview.perturb.places import Place
from rereview.text.modes import DISPLAYS

_UNREAD = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^(?P=fence)[`~]*[ \t]*\r?$|\Z)"
    r"|(?P<ticks>`+)(?!`)[^\n]{1,500}?(?<!`)(?P=ticks)(?!`)|<!--.*?(?:-->|\Z)"
    r"|!\[[^\]\n]{0,500}\]\([^)\n]{0,500}\)|(?<=\])\([^)\n]{0,500}\)"
    r"|<(?:https?:|/?[a-zA-Z])[^<>\n]{0,500}>",
    re.DOTALL | re.MULTILINE,
)
_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n(?:.*\r?\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_NAMES = "|".join(re.escape(name) for name in sorted(DISPLAYS, reverse=True))
_FORMULA = re.compile(
    rf"\\begin\s*\{{(?P<name>{_NAMES})\}}(?P<inside>(?:(?!\n[ \t]*\r?\n).){{0,3000}}?)\\end\s*\{{(?P=name)\}}"
    r"|(?<![\\$])\$\$(?!\$)(?P<display>(?:(?!\n[ \t]*\r?\n[ \t]*\r?\n)[^$]){1,3000}?)\$\$"
    r"|(?<!\\)\\\[(?P<bracket>(?:(?!\n[ \t]*\r?\n)(?!\\\[).){1,3000}?)\\\]"
    r"|(?<!\\)\\\((?P<round>(?:(?!\n[ \t]*\r?\n)(?!\\\().){1,1000}?)\\\)"
    r"|(?<![\\$])\$(?![$\s])(?P<inline>(?:(?!\n[ \t]*\r?\n)(?:\\.|[^$\\])){0,1000}?(?<![\s\\]))\$(?![\d$])"
    r"|(?<![\\$])\$(?=\s)(?P<spaced>(?:(?!\n[ \t]*\r?\n)(?:\\.|[^$\\])){1,200}?\s)\$(?![\d$])",
    re.DOTALL,
)
_SIGNS = re.compile(r"[\\^_=<>+{}]")
_BLANK = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r(?!\n))[ \t\r\n]*")
_ATX = re.compile(r" {0,3}(?P<level>#{1,6})[ \t]+(?P<title>[^\r\n]*?)[ \t#]*(?=\r|\n|\Z)")
_SETEXT = re.compile(r" {0,3}(?P<title>[^\s|][^\r\n]*)\r?\n {0,3}(?P<line>=+|-{3,})[ \t]*(?=\r|\n|\Z)")
_BOLD = re.compile(r" {0,3}(?P<mark>\*\*|__)(?P<title>[^*_\r\n]{2,80}?)(?P=mark)[ \t]*\Z")
_NUMBERED = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})\.?[ \t]+(?P<title>[A-Z][^\r\n.!?;:]{2,70})[ \t]*\Z"
)
_TABLE = re.compile(r"\s*(?:\||<t(?:able|r|d)\b|\\begin\s*\{(?:tabular|table|figure))")
_ENDED = re.compile(r"[.!?][\s*_)\]\"”’]*\Z")


class _Formula(NamedTuple):
    delimiter: str
    start: int
    end: int
    body: tuple[int, int]


def places(file: str, text: str) -> Iterator[Place]:
    """The candidates of one file, in no order."""
    seen = _masked(text)
    formulas = list(_formulas(seen))
    cut = list(_passages(seen, formulas))
    starts = [passage.start for passage in cut]
    for each in formulas:
        kind = equations.kind_of(each.delimiter)
        span = each.start, each.end
        if equations.is_place(text, span, each.body, inline=kind == "inline-equation"):
            index = bisect_left(starts, each.start + 1) - 1
            section = cut[index].headings[-1] if index >= 0 and cut[index].headings else None
            named = each.delimiter if kind == "named-equation" else None
            yield Place((0, each.start), kind, file, each.start, each.end, named, section)
    headings = {passage.start: passage.headings for passage in cut}
    for kind, start, end in kinds(text, [each for each in cut if not _TABLE.match(seen, each.start)]):
        section = headings[start][-1] if headings[start] else None
        yield Place((0, start), kind, file, start, end, None, section)


def _masked(text: str) -> str:
    """Blank what is no text of the paper: code, comments, images, addresses, a header."""
    front = _FRONT.match(text)
    start = front.end() if front else text.startswith("\ufeff")
    blanked = " " * start + text[start:]
    return _UNREAD.sub(lambda found: re.sub(r"[^\r\n]", " ", found.group()), blanked)


def _formulas(seen: str) -> Iterator[_Formula]:
    position = 0
    while (found := _FORMULA.search(seen, position)) is not None:
        group = found.lastgroup or ""
        group = "inside" if found["name"] else group
        body = found.span(group)
        position = found.end()
        inside = seen[slice(*body)]
        if (group == "spaced" and not _SIGNS.search(inside)) or (
            group in {"inline", "spaced"} and equations.is_price(inside)
        ):
            position = found.start() + 1
        else:
            delimiter = {"display": "$$", "bracket": "\\[", "round": "\\(", "inside": found["name"]}
            yield _Formula(delimiter.get(group, "$"), found.start(), found.end(), body)


def _passages(seen: str, formulas: Sequence[_Formula]) -> Iterator[Passage]:
    headings: list[tuple[int, str]] = []
    waiting: Passage | None = None
    for start, end in _chunks(seen, formulas):
        titled = _heading(seen, start, end)
        if titled is not None:
            level, title, start = titled  # noqa: PLW2901  a heading may stand right above its text
            headings = [*(each for each in headings if each[0] < level), (level, title)]
            if waiting:
                yield waiting
            waiting = None
        if not seen[start:end].strip():
            continue
        passage = Passage(
            start, end, tuple(title for _, title in headings), _prose(seen, start, end, formulas)
        )
        if waiting and _goes_on(seen, waiting, passage):
            waiting = Passage(waiting.start, end, waiting.headings, f"{waiting.prose} {passage.prose}")
            continue
        if waiting:
            yield waiting
        waiting = passage
    if waiting:
        yield waiting


def _goes_on(seen: str, before: Passage, after: Passage) -> bool:
    """True for a display after a sentence that has not ended, and for what goes on in lower case after it."""
    if not after.prose.strip():
        return bool(before.prose.strip()) and not _ENDED.search(seen, before.start, before.end)
    display = seen[before.start : before.end].rstrip().endswith(("$$", "\\]", "}"))
    return display and bool(before.prose.strip()) and seen[after.start].islower()


def _chunks(seen: str, formulas: Sequence[_Formula]) -> Iterator[tuple[int, int]]:
    """What stands between blank lines that are in no formula, without white space at its ends."""
    start = 0
    starts = [each.start for each in formulas]
    for blank in [*(found.span() for found in _BLANK.finditer(seen)), (len(seen), len(seen))]:
        index = bisect_left(starts, blank[0]) - 1
        if index >= 0 and blank[0] < formulas[index].end:
            continue
        chunk = seen[start : blank[0]]
        if chunk.strip():
            yield start + len(chunk) - len(chunk.lstrip()), start + len(chunk.rstrip())
        start = blank[1]


def _heading(seen: str, start: int, end: int) -> tuple[int, str, int] | None:
    """Level and title of a heading at the start of a chunk, and where the text after it starts."""
    line = max(seen.rfind("\n", 0, start), seen.rfind("\r", 0, start)) + 1
    found = _ATX.match(seen, line, end)
    if found:
        return len(found["level"]), found["title"], _after(seen, found.end(), end)
    found = _SETEXT.match(seen, line, end)
    if found and found.end() <= end:
        level = 1 if found["line"].startswith("=") else 2
        return level, found["title"].strip(), _after(seen, found.end(), end)
    found = _BOLD.match(seen[line:end])
    if found:
        return 6, found["title"], end
    found = _NUMBERED.match(seen[start:end])
    return (found["number"].count(".") + 1, found["title"], end) if found else None


def _after(seen: str, position: int, end: int) -> int:
    rest = seen[position:end]
    return position + len(rest) - len(rest.lstrip())


def _prose(seen: str, start: int, end: int, formulas: Sequence[_Formula]) -> str:
    pieces, at = [], start
    first = bisect_left([each.end for each in formulas], start)
    for each in formulas[first:]:
        if each.start >= end:
            break
        pieces.append(seen[at : each.start])
        at = max(at, each.end)
    return " ".join([*pieces, seen[at:end]])
