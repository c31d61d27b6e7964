"""Lines of a PDF put together to titles, headings, paragraphs, captions and references.

Works on gaps, indentation, font size and numbering alone; what is not clear is a paragraph.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from rereview.ingest.pdf_text import Line, Page
from rereview.types.manuscript import Block, BlockKind, Box

# Shares of the font size.
_INDENT = 0.8
_DEEP = 6.0
_SHORT_BY = 2.0
_LEADING_SLACK = 1.35
_USUAL_LEADING = 1.3
_OTHER_SIZE = 1.12
_LARGE = 1.15
_SAME_BASELINE = 0.5
_FRAGMENT = 3
"""A line of so few characters (an index, a limit of a sum) says nothing by its size."""
_LONGEST_HEADING = 120
_LONGEST_TITLE = 300
_TITLE_LETTERS = 8
_MARGIN = 0.09
"""Share of the page at its top and bottom where running heads stand."""
_REPEATED = 3

_ENDS = re.compile(r"[.!?:;。！？][\"'”’)\]]*$")
_CAPTION = re.compile(
    r"(?P<what>Table|TABLE|Figure|FIGURE|Fig\.|FIG\.)\s+(?P<number>[A-Z]?\d+(?:\.\d+)*|[IVX]+)\s*(?:[.:|]|$)"
)
_NUMBERED = re.compile(r"(?P<number>(?:\d{1,2}|[A-Z])(?:\.\d{1,2})*|[IVX]{1,5})\.?\s+(?=[A-Z])(?!.*[.,;:]$)")
_NAMED = re.compile(
    r"(?:abstract|introduction|related work|background|methods?|results|discussion|conclusions?|"
    r"references|bibliography|acknowledge?ments?|appendix(?: [A-Z])?)[.:]?$",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"(?:[\dIVX]+\.?\s+)?(?:references|bibliography|literature cited)[.:]?$", re.IGNORECASE
)
_ABSTRACT = re.compile(r"abstract[.:]?$", re.IGNORECASE)
_KEY = re.compile(r"\[(?P<key>[^\]\s]{1,12})\]|(?P<number>\d{1,3})\.\s")
_WIDE = re.compile(r"[⺀-鿿豈-﫿぀-ヿ가-힯＀-￯]")


@dataclass(frozen=True)
class Group:
    """Lines of one page that belong together."""

    page: int
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """The lines joined: a word that was divided is whole again."""
        text = ""
        for before, line in zip((None, *self.lines), self.lines, strict=False):
            text += _joint(before, line) + line.text
        return text

    @property
    def size(self) -> float:
        """Font size of most of its characters."""
        sizes: Counter[float] = Counter()
        for line in self.lines:
            sizes[line.size] += len(line.text)
        return sizes.most_common(1)[0][0]

    @property
    def bold(self) -> bool:
        """True if all its lines are."""
        return all(line.bold for line in self.lines)

    @property
    def box(self) -> Box:
        """Around all lines."""
        left, top, right, bottom = zip(*(line.box for line in self.lines), strict=True)
        return min(left), min(top), max(right), max(bottom)


def blocks(pages: Sequence[Page]) -> tuple[Block, ...]:
    """Make the blocks of a paper, with a page marker before each page."""
    groups = [_groups(number, lines) for number, lines in enumerate(_without_running(pages), start=1)]
    body = _body_size(groups)
    title = _title(groups[0]) if groups else None
    made: list[Block] = []
    state = _State(body)
    for number, page in enumerate(groups, start=1):
        made.append(Block(id=f"b{len(made) + 1}", text=f"Page {number}", kind="page-marker", page=number))
        for group in page:
            for part in state.parts(group):
                kind = "title" if group is title else state.kind(part)
                made.append(_block(f"b{len(made) + 1}", part, kind, state))
    return tuple(made)


class _State:
    """What was read so far, as far as it decides on what comes: the section."""

    def __init__(self, body: float) -> None:
        self.body = body
        self.section: str | None = None

    def parts(self, group: Group) -> list[Group]:
        """Cut a group of references into entries."""
        if self.section != "references" or self.kind_of_heading(group):
            return [group]
        starts = [
            i for i, line in enumerate(group.lines) if i == 0 or _begins_entry(group.lines[i - 1], line)
        ]
        ends = [*starts[1:], len(group.lines)]
        return [Group(group.page, group.lines[a:b]) for a, b in zip(starts, ends, strict=True)]

    def kind_of_heading(self, group: Group) -> bool:
        text = group.text
        if len(text) > _LONGEST_HEADING or len(group.lines) > 2 or not re.search(r"[^\W\d_]{3}", text):  # noqa: PLR2004
            return False
        if _NAMED.match(text):
            return True
        marked = group.bold or group.size >= self.body * _OTHER_SIZE or text.upper() == text
        if _NUMBERED.match(text):
            return marked
        return group.size >= self.body * _LARGE and not _ENDS.search(text)

    def kind(self, group: Group) -> BlockKind:
        """Say what a group is, and remember the section that it opens."""
        text = group.text
        if self.kind_of_heading(group):
            opens = "references" if _REFERENCES.match(text) else "abstract" if _ABSTRACT.match(text) else None
            self.section = opens
            return "heading"
        if _CAPTION.match(text):
            return "caption"
        return "reference" if self.section == "references" else "paragraph"


def _block(name: str, group: Group, kind: BlockKind, state: _State) -> Block:
    text = group.text
    caption = _CAPTION.match(text) if kind == "caption" else None
    numbered = _NUMBERED.match(text) if kind == "heading" else None
    key = _KEY.match(text) if kind == "reference" else None
    found = caption or numbered
    environment = state.section if kind == "paragraph" else None
    if caption:
        environment = "table" if caption["what"].lower() == "table" else "figure"
    return Block(
        id=name,
        text=text,
        kind=kind,
        level=(numbered["number"].count(".") + 1 if numbered else 1) if kind == "heading" else None,
        environment=environment,
        labels=((key["key"] or key["number"]),) if key else (),
        number=found["number"] if found else None,
        page=group.page,
        bbox=group.box,
    )


def _joint(before: Line | None, line: Line) -> str:
    if before is None:
        return ""
    if before.hyphen:
        return "" if line.text[:1].islower() else "-"
    wide = _WIDE.match(before.text[-1:]) and _WIDE.match(line.text[:1])
    return "" if wide else " "


def _without_running(pages: Sequence[Page]) -> list[tuple[Line, ...]]:
    """Leave out running heads and page numbers: lines at the edge that come on several pages."""
    seen = Counter(form for page in pages for form in {_form(line) for line in page.lines if _is_edge(line)})
    needed = max(_REPEATED, len(pages) // 5)
    return [
        tuple(
            line
            for line in page.lines
            if line.text and not (_is_edge(line) and (seen[_form(line)] >= needed or line.text.isdecimal()))
        )
        for page in pages
    ]


def _is_edge(line: Line) -> bool:
    return line.box[3] < _MARGIN or line.box[1] > 1 - _MARGIN


def _form(line: Line) -> str:
    return re.sub(r"\d+", "#", line.text.lower())


def _groups(page: int, lines: Sequence[Line]) -> list[Group]:
    leading = _leading(lines)
    right = _right_edges(lines)
    groups: list[list[Line]] = []
    for before, line in zip((None, *lines), lines, strict=False):
        if before is None or _parts(groups[-1], before, line, leading, right):
            groups.append([])
        groups[-1].append(line)
    return [Group(page, tuple(group)) for group in groups]


def _leading(lines: Sequence[Line]) -> float:
    """Usual distance of baselines on the page, in font sizes."""
    steps = [
        (before.y - line.y) / line.size
        for before, line in zip(lines, lines[1:], strict=False)
        if line.size and before.size == line.size and 0.9 < (before.y - line.y) / line.size < 3  # noqa: PLR2004  single to double spacing
    ]
    return median(steps) if steps else _USUAL_LEADING


def _right_edges(lines: Sequence[Line]) -> dict[int, float]:
    """Where most lines end, for each place where lines begin (to 30 points: a column)."""
    ends: dict[int, list[float]] = {}
    for line in lines:
        ends.setdefault(round(line.x0 / 30), []).append(line.x1)
    return {place: sorted(found)[int(len(found) * 0.8)] for place, found in ends.items()}


def _parts(group: list[Line], before: Line, line: Line, leading: float, right: dict[int, float]) -> bool:
    """Tell if a new group begins with this line."""
    size = max(before.size, line.size) or 1.0
    step = before.y - line.y
    if abs(step) < _SAME_BASELINE * size and line.x0 >= before.x0:
        return False
    if step < 0 or step > leading * _LEADING_SLACK * size or before.x1 < line.x0 or line.x1 < before.x0:
        return not before.hyphen
    if min(len(before.text), len(line.text)) > _FRAGMENT:
        other = size > _OTHER_SIZE * min(before.size, line.size) or before.bold != line.bold
        if other:
            return not before.hyphen
    if _CAPTION.match(line.text):
        return True
    short = before.x1 < right.get(round(before.x0 / 30), before.x1) - _SHORT_BY * size
    if before.hyphen or not (short or _ENDS.search(before.text)):
        return False
    indent = (line.x0 - before.x0) / size
    outdent = indent < -_INDENT and len(group) > 1
    return (
        _INDENT < indent < _DEEP or outdent or (short and bool(_ENDS.search(before.text)) and len(group) > 1)
    )


def _begins_entry(before: Line, line: Line) -> bool:
    if before.hyphen:
        return False
    indent = (line.x0 - before.x0) / (line.size or 1.0)
    return bool(_KEY.match(line.text)) or (indent < -_INDENT and bool(_ENDS.search(before.text)))


def _body_size(pages: Sequence[Sequence[Group]]) -> float:
    sizes: Counter[float] = Counter()
    for page in pages:
        for group in page:
            for line in group.lines:
                sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 1.0


def _title(groups: Sequence[Group]) -> Group | None:
    """The largest text of the first page, in its upper part; without any larger one, none."""
    fit = [
        group
        for group in groups
        if len(re.findall(r"\w", group.text)) >= _TITLE_LETTERS
        and len(group.text) <= _LONGEST_TITLE
        and group.box[1] < 0.6  # noqa: PLR2004
    ]
    if not fit:
        return None
    largest = max(group.size for group in fit)
    smaller = any(group.size * _OTHER_SIZE <= largest for group in groups)
    return next(group for group in fit if group.size == largest) if smaller else None
