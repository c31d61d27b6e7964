"""Lines of a PDF put together to titles, headings, paragraphs, captions and references.

Works on gaps, indentation, font size and numbering alone; what is not clear is a paragraph.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from rereview.ingest.pdf_running import without_running
from rereview.ingest.pdf_tables import CAPTION, aligned
from rereview.ingest.pdf_text import Line, Page
from rereview.types.manuscript import Block, BlockKind, Box

# Shares of the font size.
_INDENT = 0.8
_DEEP = 6.0
_SHORT_BY = 2.0
_LEADING_SLACK = 1.35
_USUAL_LEADING = 1.3
_FEW = 4
_OTHER_SIZE = 1.12
_LARGE = 1.15
_SAME_BASELINE = 0.5
_FRAGMENT = 3
"""A line of so few characters (an index, a limit of a sum) says nothing by its size."""
_LONGEST_HEADING = 120
_HEADING_LETTERS = 10
_HEADING_WORDS = 9
_LONGEST_TITLE = 300
_UPPER = 0.6
_TITLE_LETTERS = 8
_COLUMN = 30.0
"""Points within which lines begin in the same column."""

_ENDS = re.compile(r"[.!?:;。！？][\"'”’)\]]*$")
_NUMBERED = re.compile(r"(?P<number>(?:\d{1,2}|[A-Z])(?:\.\d{1,2})*|[IVX]{1,5})\.?\s+(?=[A-Z])(?!.*[.,;:]$)")
# "G. Doe, Senior Member" is a name.
_LETTER = re.compile(r"[A-Z]\Z")
_NAMED = re.compile(
    r"(?:abstract|introduction|related work|background|methods?|results|discussion|conclusions?|"
    r"references|bibliography|acknowledge?ments?|"
    r"(?:online |supplementary )?appendi(?:x|ces)\b[^.]{0,6}[.:]?.{0,70})[.:]?$",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"(?:[\dIVX]+\.?\s+)?(?:references|bibliography|literature cited)[.:]?$", re.IGNORECASE
)
_ALONE = re.compile(r"(?:Abstract|ABSTRACT|References|REFERENCES|Bibliography|BIBLIOGRAPHY)\Z")
_ABSTRACT = re.compile(r"abstract[.:]?$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{4,}")
_LETTERS = re.compile(r"[^\W\d_](?:[^\W\d_]|[\s.,'’-])*\Z")
_RELATION = re.compile(r"[=<>≤≥≈≡∼∝→∈⊂⊆≪≫¿]")
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
    def is_display(self) -> bool:
        """True for a piece of a formula or a label of a figure: no two words, and not letters alone."""
        text = self.text
        if len(_WORD.findall(text)) >= 2 or _NAMED.match(text) or _NUMBERED.match(text):  # noqa: PLR2004
            return False
        return len(text) <= 2 * _FRAGMENT or not _LETTERS.match(text)

    @property
    def box(self) -> Box:
        """Around all lines."""
        left, top, right, bottom = zip(*(line.box for line in self.lines), strict=True)
        return min(left), min(top), max(right), max(bottom)


def is_caption(text: str) -> bool:
    """Tell by how it begins."""
    return CAPTION.match(text) is not None


def blocks(pages: Sequence[Page]) -> tuple[Block, ...]:
    """Make the blocks of a paper, with a page marker before each page."""
    groups = [_groups(number, lines) for number, lines in enumerate(without_running(pages), start=1)]
    body = _body_size(groups)
    title = _title(groups[0]) if groups else None
    made: list[Block] = []
    state = _State(body)
    for number, page in enumerate(groups, start=1):
        made.append(Block(id=f"b{len(made) + 1}", text=f"Page {number}", kind="page-marker", page=number))
        entry: Group | None = None
        for part in (part for group in page for part in state.parts(group)):
            kind = "title" if part is title else state.kind(part)
            if kind == "reference" and entry and _continues(entry, part):
                entry = Group(number, (*entry.lines, *part.lines))
                made[-1] = _block(made[-1].id, entry, kind, state)
                continue
            made.append(_block(f"b{len(made) + 1}", part, kind, state))
            entry = part if kind == "reference" else None
    return tuple(made)


def _continues(entry: Group, part: Group) -> bool:
    """Tell if lines of a reference are indented below its first, which hangs out."""
    first, line = entry.lines[0], part.lines[0]
    return not _KEY.match(line.text) and _INDENT < (line.x0 - first.x0) / (line.size or 1.0) < _DEEP


class _State:
    """What was read so far, as far as it decides on what comes: the section."""

    def __init__(self, body: float) -> None:
        self.body = body
        self.section: str | None = None
        self.number = 0
        """Of the last numbered section."""

    def parts(self, group: Group) -> list[Group]:
        """Cut a group of references into entries."""
        if self.section != "references" or self.is_heading(group):
            return [group]
        starts = [
            i for i, line in enumerate(group.lines) if i == 0 or _begins_entry(group.lines[i - 1], line)
        ]
        ends = [*starts[1:], len(group.lines)]
        return [Group(group.page, group.lines[a:b]) for a, b in zip(starts, ends, strict=True)]

    def is_heading(self, group: Group) -> bool:
        """Tell by name, by number, and by what is larger than the text."""
        text = group.text
        letters = len(re.findall(r"[^\W\d_]", text))
        if len(text) > _LONGEST_HEADING or len(group.lines) > 2 or letters < _FRAGMENT:  # noqa: PLR2004
            return False
        if _NAMED.match(text):
            return True
        numbered = _NUMBERED.match(text)
        if numbered and not (_LETTER.match(numbered["number"]) and "," in text):
            marked = group.bold or group.size >= self.body * _OTHER_SIZE or text.upper() == text
            return marked or self.is_next(numbered["number"], text)
        return group.size >= self.body * _LARGE and letters >= _HEADING_LETTERS and not _ENDS.search(text)

    def is_next(self, number: str, text: str) -> bool:
        """Tell if a number in text of usual size follows on the number of the heading before."""
        first, *_ = number.split(".", maxsplit=1)
        words = text.split()
        plain = len(words) <= _HEADING_WORDS and not _RELATION.search(text) and self.section != "references"
        return plain and first.isdecimal() and int(first) in (self.number, self.number + 1)

    def kind(self, group: Group) -> BlockKind:
        """Say what a group is, and remember the section that it opens."""
        text = group.text
        if self.is_heading(group):
            opens = "references" if _REFERENCES.match(text) else "abstract" if _ABSTRACT.match(text) else None
            self.section = opens
            numbered = _NUMBERED.match(text)
            first = numbered["number"].split(".", maxsplit=1)[0] if numbered else ""
            self.number = int(first) if first.isdecimal() else self.number
            return "heading"
        if CAPTION.match(text):
            return "caption"
        if group.is_display and _RELATION.search(text):
            return "equation"
        return "reference" if self.section == "references" else "paragraph"


def _block(name: str, group: Group, kind: BlockKind, state: _State) -> Block:
    text = group.text
    caption = CAPTION.match(text) if kind == "caption" else None
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
        divided = line.text[:1].islower() or (before.text[-1:].isupper() and line.text[:1].isupper())
        return "" if divided else "-"
    wide = _WIDE.match(before.text[-1:]) and _WIDE.match(line.text[:1])
    return "" if wide else " "


def _groups(page: int, lines: Sequence[Line]) -> list[Group]:
    leading = _leading(lines)
    right = _right_edges(lines)
    rows = {place: table.lines for table in reversed(aligned(lines)) for place in table.lines}
    groups: list[list[Line]] = []
    for place, line in enumerate(lines):
        table = rows.get(place)
        other = table is not rows.get(place - 1)
        if not groups or other or (table is None and _parts(groups[-1], line, leading, right)):
            groups.append([])
        groups[-1].append(line)
    return _with_displays([Group(page, tuple(group)) for group in groups])


def _with_displays(groups: list[Group]) -> list[Group]:
    """Put the pieces of a displayed formula (or of the labels of a figure) together."""
    merged: list[Group] = []
    for group in groups:
        if merged and group.is_display and merged[-1].is_display:
            merged[-1] = Group(group.page, (*merged[-1].lines, *group.lines))
        else:
            merged.append(group)
    return merged


def _leading(lines: Sequence[Line]) -> float:
    """Usual distance of baselines on the page, in font sizes."""
    steps = [
        (before.y - line.y) / line.size
        for before, line in pairwise(lines)
        if line.size and before.size == line.size and 0.9 < (before.y - line.y) / line.size < 3  # noqa: PLR2004  single to double spacing
    ]
    return median(steps) if len(steps) >= _FEW else _USUAL_LEADING


def _right_edges(lines: Sequence[Line]) -> dict[int, float]:
    """Where most lines end, for each place where lines begin (to some points: a column)."""
    ends: dict[int, list[float]] = {}
    for line in lines:
        ends.setdefault(round(line.x0 / _COLUMN), []).append(line.x1)
    return {place: sorted(found)[int(len(found) * 0.8)] for place, found in ends.items()}


def _parts(group: list[Line], line: Line, leading: float, right: dict[int, float]) -> bool:
    """Tell if a new group begins with this line."""
    before = next((each for each in reversed(group) if len(each.text) > _FRAGMENT), group[-1])
    size = max(before.size, line.size) or 1.0
    step = before.y - line.y
    if before.hyphen:
        return False
    if len(line.text) <= _FRAGMENT:
        return abs(step) > leading * size or line.x0 > before.x1 + _SHORT_BY * size
    if abs(step) < _SAME_BASELINE * size and line.x0 >= before.x0:
        return False
    apart = step < 0 or step > leading * _LEADING_SLACK * size or before.x1 < line.x0 or line.x1 < before.x0
    alone = _ALONE.match(before.text) or _ALONE.match(line.text)
    other_size = size > _OTHER_SIZE * min(before.size, line.size)
    if apart or alone or other_size or before.bold != line.bold or CAPTION.match(line.text):
        return True
    return _begins_paragraph(group, before, line, right)


def _begins_paragraph(group: list[Line], before: Line, line: Line, right: dict[int, float]) -> bool:
    size = line.size or 1.0
    short = before.x1 < right.get(round(before.x0 / _COLUMN), before.x1) - _SHORT_BY * size
    ended = bool(_ENDS.search(before.text))
    indent = (line.x0 - before.x0) / size
    if not (short or ended):
        return False
    return _INDENT < indent < _DEEP or (len(group) > 1 and (indent < -_INDENT or (short and ended)))


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
    fit = [group for group in groups if _may_be_title(group)]
    if not fit:
        return None
    largest = max(group.size for group in fit)
    smaller = any(group.size * _OTHER_SIZE <= largest for group in groups)
    return next(group for group in fit if group.size == largest) if smaller else None


def _may_be_title(group: Group) -> bool:
    text = group.text
    told = _NAMED.match(text) or CAPTION.match(text)
    length = len(re.findall(r"\w", text))
    return length >= _TITLE_LETTERS and len(text) <= _LONGEST_TITLE and group.box[1] < _UPPER and not told
