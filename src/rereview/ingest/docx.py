"""Reads a paper in DOCX (ECMA-376). Its text becomes Markdown; there are no pages.

Only parts of the file itself are read: no link of it is followed. Tracked insertions are read, and what
was deleted is not; comments and what a reader cannot see are kept aside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from lxml import etree

from rereview.errors import UnusableInput
from rereview.ingest.archive import members
from rereview.ingest.docx_look import Element, Look, Styles, W, tied_style, value
from rereview.ingest.docx_numbering import Numbering
from rereview.ingest.docx_package import EXPECTED, Package
from rereview.ingest.notices import bound
from rereview.ingest.omml import MATH, latex
from rereview.ingest.writing import Writing, escaped, joined, raised, unescaped
from rereview.types.manuscript import Manuscript

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_BLIP = "{http://schemas.openxmlformats.org/drawingml/2006/main}blip"
_IMAGE_DATA = "{urn:schemas-microsoft-com:vml}imagedata"
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_BOX = f"{W}txbxContent"
_HOLDERS = frozenset(
    {"ins", "moveTo", "smartTag", "hyperlink", "sdt", "sdtContent", "fldSimple", "dir", "bdo", "oMathPara"}
)
_DELETED = frozenset({"del", "moveFrom"})
_PRINTED = {"tab": " ", "br": " ", "cr": " ", "ptab": " ", "noBreakHyphen": "-"}
_SYMBOLS = range(0xF000, 0xF100)
_NUMBERED = re.compile(r"[\s.…]*\(\s*([A-Z]?\d+(?:[.\-]\d+)*[a-z]?)\s*\)[\s.,;]*")
_MATHEMATICS = re.compile(r"\${1,2}((?:[^$\\]|\\.)+)\${1,2}")
_LISTINGS = ("toc ", "table of figures", "table of authorities")
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)


def read(path: Path) -> Manuscript:
    """Read a DOCX. Raises UnusableInput in one line for everything that is none, or that attacks."""
    try:
        reading = _Reading(Package(path, members(path, expected=EXPECTED)))
        reading.body()
        return bound(reading.out.manuscript(path, EXPECTED), reading.heads)
    except RecursionError:
        raise UnusableInput(
            "tables or boxes are nested too deeply", where=str(path), expected=EXPECTED
        ) from None


def image(path: Path, name: str) -> bytes | None:
    """The content of an image by the path of its `Figure`, or None."""
    files = members(path, expected=EXPECTED)
    return files.read(name) if files.real(name) else None


@dataclass
class _Reading:
    package: Package
    out: Writing = field(default_factory=Writing)
    pictures: list[tuple[str, str | None, bytes | None]] = field(default_factory=list)
    """Images of the paragraph that is being read."""
    boxes: list[Element] = field(default_factory=list)
    notes: list[tuple[str, Element]] = field(default_factory=list)
    noted: int = 0
    in_code: list[bool] = field(default_factory=list)
    """Of the fields that are open: whether their code is being read, which Word does not show."""
    counted: dict[tuple[str, int], int] = field(default_factory=dict)
    heads: list[tuple[str, str]] = field(default_factory=list)
    """What stands at the top and the bottom of pages, which is no text of the paper, and its place."""

    @cached_property
    def styles(self) -> Styles:
        return Styles.of(self.package.named("styles"))

    @cached_property
    def targets(self) -> Mapping[str, tuple[str, bool]]:
        return self.package.targets()

    @cached_property
    def footnotes(self) -> Mapping[tuple[str, str], Element]:
        parts = {kind: self.package.named(f"{kind}s") for kind in ("footnote", "endnote")}
        return {
            (kind, note.get(f"{W}id", "")): note
            for kind, tree in parts.items()
            if tree is not None
            for note in tree.iterchildren(f"{W}{kind}")
        }

    @cached_property
    def numbering(self) -> Numbering:
        return Numbering.of(self.package.named("numbering"))

    @cached_property
    def ordered(self) -> Mapping[tuple[str, str], bool]:
        """Of each list and level of it whether its items are numbered."""
        tree = self.package.named("numbering")
        if tree is None:
            return {}
        forms = {
            each.get(f"{W}abstractNumId"): {
                level.get(f"{W}ilvl", "0"): value(level, "numFmt") not in ("bullet", "none", None)
                for level in each.iterchildren(f"{W}lvl")
            }
            for each in tree.iterchildren(f"{W}abstractNum")
        }
        return {
            (each.get(f"{W}numId", ""), level): ordered
            for each in tree.iterchildren(f"{W}num")
            for level, ordered in forms.get(value(each, "abstractNumId"), {}).items()
        }

    def body(self) -> None:
        tree = self.package.tree(self.package.main())
        body = None if tree is None else tree.find(f"{W}body")
        if body is None:
            raise UnusableInput("no text in this DOCX", where=str(self.package.path), expected=EXPECTED)
        self.blocks(body)
        comments = self.package.named("comments")
        for comment in () if comments is None else comments.iterchildren(f"{W}comment"):
            self.out.hide("annotation", "".join(t.text or "" for t in comment.iter(f"{W}t")), "comment")

        for name, tree in self.package.parts({"header", "footer"}):
            words = " ".join(self.text(p, self.styles.look(p)).strip() for p in tree.iter(f"{W}p"))
            self.heads.append((unescaped(words), name))

    def blocks(self, parent: Element) -> None:
        for child in parent:
            name = _local(child)
            if name == "p":
                self.paragraph(child)
            elif name == "tbl":
                self.table(child)
            elif name in _HOLDERS:
                self.blocks(child)
            elif name in _DELETED:
                self.deleted(child)

    # -- paragraphs

    def paragraph(self, element: Element) -> None:
        style = self.styles.of_paragraph(element)
        text = self.text(element, self.styles.look(element)).strip()
        pictures, self.pictures = self.pictures, []
        for picture in pictures:
            self.out.figure(*picture)
        self.words(element, style.name, text)
        self.after()

    def words(self, element: Element, style: str, text: str) -> None:
        """Add the text of a paragraph as what its style or its content says."""
        heading = _HEADING.fullmatch(style)
        level = int(heading[1]) if heading else self.styles.outline(element)
        if style.startswith(_LISTINGS):
            return
        if style == "title" and not any(block.kind == "title" for block in self.out.blocks):
            self.out.add("title", text)
        elif level:
            number, depth = self.styles.list_of(element)
            printed = self.numbering.step(number, depth, tied_style(element))
            self.out.heading(text, level, printed)
        elif style in ("caption", "image caption", "table caption"):
            kinds = {"image caption": "figure", "table caption": "table"}
            self.out.caption(text, kinds.get(style))
        elif style.startswith("bibliography") and text:
            self.out.reference(text)
        elif alone := _alone(text):
            self.out.equation(*alone)
        elif style == "abstract":
            self.out.paragraph(text, "abstract")
        elif mark := self.list_mark(element):
            self.out.paragraph(f"{mark} {text}" if text and self.out.section != "references" else text,
                               None if self.out.section == "references" else _list_name(mark))  # fmt: skip
        else:
            self.out.paragraph(text)

    def list_mark(self, element: Element) -> str:
        """What stands before an item of a list; "" for a paragraph that is none."""
        number, level = self.styles.list_of(element)
        if number in ("", "0"):
            return ""
        if not self.ordered.get((number, level), False):
            return "-"
        depth = int(level) if level.isdigit() else 0
        for other in [key for key in self.counted if key[0] == number and key[1] > depth]:
            del self.counted[other]
        self.counted[number, depth] = self.counted.get((number, depth), 0) + 1
        return f"{self.counted[number, depth]}."

    def after(self) -> None:
        """Read the boxes and footnotes that hang on the paragraph."""
        boxes, self.boxes = self.boxes, []
        notes, self.notes = self.notes, []
        for box in boxes:
            self.blocks(box)
        for mark, note in notes:
            words = " ".join(self.text(p, self.styles.look(p)).strip() for p in note.iter(f"{W}p"))
            self.out.paragraph(f"[^{mark}]: {words.strip()}", "footnote")

    # -- text

    def text(self, element: Element, look: Look) -> str:
        """The visible text of a paragraph or of what stands in it, as Markdown."""
        return joined(self.inline(child, look) for child in element)

    def inline(self, element: Element, look: Look) -> str:
        name = _local(element)
        if element.tag == f"{MATH}oMathPara":
            formulas = (self.inline(each, look) for each in element.iterchildren(f"{MATH}oMath"))
            return joined(f"${formula}$" for formula in formulas if formula)
        if element.tag == f"{MATH}oMath":
            tex = latex(element, lambda run: self.seen_formula(run, look))
            return f"${tex}$" if tex else ""
        if name == "r":
            return self.run(element, look)
        if name in _DELETED:
            self.deleted(element)
        elif name == "AlternateContent":
            return self.chosen(element, look)
        return self.text(element, look) if name in _HOLDERS else ""

    def chosen(self, element: Element, look: Look) -> str:
        """Of two forms of the same the first, which is the newer."""
        for form in element:
            if form.tag == f"{_CHOICE}Choice" or len(element) == 1:
                return self.text(form, look)
        return ""

    def run(self, element: Element, look: Look) -> str:
        own = self.styles.run_look(element, look)
        parts = [self.piece(child, look) for child in element]
        text = "".join(parts)
        why = own.hidden
        if self.in_code and any(self.in_code):
            why = "not-drawn"
        if why and text.strip():
            self.out.hide(why, text)
            return ""
        if own.raised and text.strip() and "$" not in text:
            return raised(text, lowered=own.raised == "subscript")
        return text

    def piece(self, element: Element, look: Look) -> str:
        """What one element of a run prints."""
        match _local(element):
            case "t":
                return escaped(element.text or "")
            case "sym":
                return _symbol(element)
            case "fldChar":
                self.field_mark(element.get(f"{W}fldCharType", ""))
            case "footnoteReference" | "endnoteReference" as kind:
                return self.footnote(kind.removesuffix("Reference"), element.get(f"{W}id", ""))
            case "drawing" | "pict" | "object":
                self.drawing(element)
            case "AlternateContent":
                return self.chosen_piece(element, look)
        return _PRINTED.get(_local(element), "")

    def chosen_piece(self, element: Element, look: Look) -> str:
        first = next(iter(element), None)
        return "" if first is None else "".join(self.piece(child, look) for child in first)

    def field_mark(self, kind: str) -> None:
        if kind == "begin":
            self.in_code.append(True)
        elif self.in_code and kind == "separate":
            self.in_code[-1] = False
        elif self.in_code and kind == "end":
            self.in_code.pop()

    def footnote(self, kind: str, name: str) -> str:
        note = self.footnotes.get((kind, name))
        if note is None:
            return ""
        self.noted += 1
        self.notes.append((str(self.noted), note))
        return f"[^{self.noted}]"

    def drawing(self, element: Element) -> None:
        for child in element.iter(_BOX):
            if not any(parent.tag == _BOX for parent in child.iterancestors()):
                self.boxes.append(child)
        for blip in element.iter(_BLIP, _IMAGE_DATA):
            self.picture(blip.get(f"{_R}embed") or blip.get(f"{_R}link") or blip.get(f"{_R}id") or "")

    def picture(self, name: str) -> None:
        target, outside = self.targets.get(name, ("", True))
        content = None
        if not outside and self.package.files.real(target):
            content = self.package.files.read(target)
        self.pictures.append((target or name, None if outside else target, content))

    def seen_formula(self, run: Element, look: Look) -> bool:
        properties = run.find(f"{W}rPr")
        own = look if properties is None else self.styles.run_look(run, look)
        if own.hidden:
            self.out.hide(own.hidden, "".join(child.text or "" for child in run.iter(f"{MATH}t")))
        return own.hidden is None

    def deleted(self, element: Element) -> None:
        text = "".join(child.text or "" for child in element.iter(f"{W}delText", f"{W}t"))
        self.out.hide("dead-branch", text, "tracked deletion")

    # -- tables

    def table(self, element: Element) -> None:
        rows = [[*self.cells(row)] for row in _rows(element) if not self.hidden_row(row)]
        formula = [cell for row in rows for cell in row if cell.strip()]
        alone = _alone(" ".join(formula)) if len(rows) == 1 else None
        pictures, self.pictures = self.pictures, []
        for picture in pictures:
            self.out.figure(*picture)
        if alone:
            self.out.equation(*alone)
        elif pictures or (len(formula) == 1 and len(rows) == 1):
            for cell in formula:
                self.out.paragraph(cell)
        else:
            self.out.table(rows)
        self.after()

    def hidden_row(self, row: Element) -> bool:
        hidden = row.find(f"{W}trPr/{W}hidden") is not None
        if hidden:
            self.out.hide("invisible", " ".join(each.text or "" for each in row.iter(f"{W}t")))
        return hidden

    def cells(self, row: Element) -> Iterator[str]:
        for cell in row.iterchildren(f"{W}tc", f"{W}sdt"):
            each = cell.find(f"{W}sdtContent/{W}tc") if _local(cell) == "sdt" else cell
            if each is None:
                continue
            properties = each.find(f"{W}tcPr")
            merged = None if properties is None else properties.find(f"{W}vMerge")
            goes_on = merged is not None and merged.get(f"{W}val") != "restart"
            yield "" if goes_on else " ".join(filter(None, map(str.strip, self.cell(each))))
            span = "1" if properties is None else value(properties, "gridSpan") or "1"
            yield from [""] * (min(int(span), 64) - 1 if span.isdigit() else 0)

    def cell(self, element: Element) -> Iterator[str]:
        for child in element:
            if _local(child) == "p":
                yield self.text(child, self.styles.look(child))
            elif _local(child) == "tbl":
                yield from (text for row in _rows(child) for text in self.cells(row))
            elif _local(child) in _HOLDERS:
                yield from self.cell(child)


def _local(element: Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _rows(table: Element) -> Iterator[Element]:
    for child in table:
        if _local(child) == "tr":
            yield child
        elif _local(child) in _HOLDERS:
            yield from _rows(child)


def _list_name(mark: str) -> str:
    return "itemize" if mark == "-" else "enumerate"


def _symbol(element: Element) -> str:
    code = element.get(f"{W}char", "")
    number = int(code, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,5}", code) else 0
    # Symbol fonts stand in a private area; their letters there are those of ASCII.
    return chr(number - _SYMBOLS.start if number in _SYMBOLS else number) if number else ""


def _alone(text: str) -> tuple[str, str | None] | None:
    """The formula and its number, if a paragraph holds nothing else."""
    found = list(_MATHEMATICS.finditer(text))
    rest = _MATHEMATICS.sub("", text).strip()
    number = _NUMBERED.fullmatch(rest)
    if not found or (rest.strip(" .,;") and not number):
        return None
    return r"\quad ".join(each[1] for each in found), number[1] if number else None
