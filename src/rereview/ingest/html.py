"""Reads a paper in HTML: pages of arXiv and ar5iv, and others with headings. Its text becomes Markdown.

Nothing is fetched: images are read from the file itself and from its folder. What a reader cannot see is
kept aside.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from lxml import etree
from lxml import html as lxml_html

from rereview.errors import UnusableInput
from rereview.ingest.html_images import beside, embedded
from rereview.ingest.html_look import Element, Look, Rules
from rereview.ingest.html_marks import NUMBERED, classes, number_of, root, tag_of
from rereview.ingest.html_math import read_math
from rereview.ingest.notices import bound
from rereview.ingest.wording import ABSTRACT
from rereview.ingest.writing import Writing, escaped, joined, raised
from rereview.types.manuscript import Manuscript

_EXPECTED = "expected a paper in HTML"
_TOO_DEEP = "elements are nested too deeply"
MOST_BYTES = 50 * 1024**2
_FEW = 100
"""A NUL in so many bytes does no harm; UTF-16 without its mark, and what is no text, hold more."""
_DROPPED = frozenset(
    {
        "script", "style", "head", "nav", "footer", "button", "template", "noscript", "iframe", "object",
        "form", "select", "dialog", "audio", "video",
        "canvas", "map",
    }
)  # fmt: skip
_BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt",
        "fieldset", "figure", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr",
        "html", "li", "main", "ol", "p", "pre", "section", "summary", "table", "ul",
    }
)  # fmt: skip
_HEADING = re.compile(r"h([1-6])")
_SUPERFLUOUS = frozenset(
    {"desktop_header", "mobile_header", "ltx_page_navbar", "ltx_page_footer", "ltx_dates"}
)
_THEOREM = re.compile(r"ltx_theorem_(\w+)")
_ITEM = re.compile(r"(?:-|\d{1,9}[.)])\s")


def read(path: Path) -> Manuscript:
    """Read a page. Raises UnusableInput in one line for one that is no paper."""
    try:
        return bound(_reading(path).out.manuscript(path, _EXPECTED))
    except RecursionError:
        raise UnusableInput(_TOO_DEEP, where=str(path), expected=_EXPECTED) from None


def image(path: Path, name: str) -> bytes | None:
    """The content of an image by the path of its `Figure`, or None."""
    return _reading(path).images.get(name)


def _reading(path: Path) -> _Reading:
    tree = _tree(path)
    reading = _Reading(path.parent.resolve(), Rules.of(tree))
    paper, look = root(tree), Look()
    for outer in reversed(list(paper.iterancestors())):
        look = replace(
            reading.rules.look(outer, look), gone=look.gone or reading.rules.look(outer, look).gone
        )
    own = reading.look(paper, look) if look.gone is None else None
    if own is not None:
        reading.blocks(paper, own)
    return reading


def _tree(path: Path) -> Element:
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise UnusableInput(
            f"{size / 1024**2:.0f} MiB of HTML",
            where=str(path),
            expected=f"expected at most {MOST_BYTES // 1024**2} MiB",
        )
    content = path.read_bytes()
    if content.count(b"\0") * _FEW > size and not content.startswith(
        (BOM_UTF16_LE, BOM_UTF16_BE, BOM_UTF32_BE)
    ):
        raise UnusableInput("binary content (many NUL bytes)", where=str(path), expected=_EXPECTED)
    try:
        content.decode("utf-8")
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = None  # what the page says of itself
    # Without `huge_tree` a page ends, and says nothing, before an image of 7 MB that stands in it.
    parser = lxml_html.HTMLParser(no_network=True, huge_tree=True, encoding=encoding)
    try:
        tree = lxml_html.document_fromstring(content, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        what = f"no HTML ({' '.join(str(error).split())})"
        raise UnusableInput(what, where=str(path), expected=_EXPECTED) from error
    if any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log):
        raise UnusableInput(_TOO_DEEP, where=str(path), expected=_EXPECTED)
    return tree


@dataclass
class _Reading:
    folder: Path
    rules: Rules
    out: Writing = field(default_factory=Writing)
    images: dict[str, bytes] = field(default_factory=dict)
    pictures: list[tuple[str, str | None, bytes | None]] = field(default_factory=list)
    """Of the paragraph that is being read."""
    notes: list[Element] = field(default_factory=list)
    runin: str = ""
    """A heading that the next paragraph begins with: "Lemma 2." """

    # -- blocks

    def blocks(self, element: Element, look: Look, environment: str | None = None) -> None:
        """Read what stands in an element; words between its blocks are paragraphs."""
        loose = _escape_of(element.text)
        for child in element:
            if self.is_block(child):
                self.paragraph(loose, environment)
                loose = ""
                self.block(child, look, environment)
            else:
                loose = joined((loose, self.inline(child, look)))
            loose = joined((loose, _escape_of(child.tail)))
        self.paragraph(loose, environment)

    def is_block(self, element: Element) -> bool:
        """Say whether an element begins a line, or holds one that does."""
        if not isinstance(element.tag, str) or element.tag in ("math", "svg", *_DROPPED):
            return False
        if element.tag == "span":  # a box in a line of text holds a paragraph at most
            return element.find(".//section") is not None or element.find(".//div") is not None
        return element.tag in _BLOCKS or any(child.tag in _BLOCKS for child in element.iter(etree.Element))

    def block(self, element: Element, look: Look, environment: str | None) -> None:
        own = self.look(element, look)
        if own is None:
            return
        names = classes(element)
        if names & _SUPERFLUOUS:
            return
        heading = _HEADING.fullmatch(element.tag)
        reader = self.special(element, names)
        if reader:
            reader(element, own)
        elif heading:
            self.heading(element, own, int(heading[1]), names)
        elif self.holds_blocks(element):
            self.blocks(element, own, self.environment(element, names, environment))
        else:
            self.paragraph(self.text(element, own), self.environment(element, names, environment))

    def special(self, element: Element, names: set[str]) -> Callable[[Element, Look], None] | None:
        """The reader of an element that is more than text."""
        if element.tag == "table":
            return self.equations if names & {"ltx_equation", "ltx_equationgroup"} else self.table
        readers: dict[str, Callable[[Element, Look], None]] = {
            "figure": self.figure,
            "figcaption": self.caption,
            "ul": self.items,
            "ol": self.items,
            "pre": self.code,
        }
        if "ltx_bibitem" in names or "csl-entry" in names:
            return self.reference
        return readers.get(element.tag)

    def environment(self, element: Element, names: set[str], outer: str | None) -> str | None:
        if names & {"ltx_abstract", "abstract"} or element.get("id") == "abstract":
            return "abstract"
        if element.tag == "blockquote":
            return "quote"
        theorem = next((found[1] for name in sorted(names) if (found := _THEOREM.fullmatch(name))), None)
        return f"theorem {theorem}" if theorem else "proof" if "ltx_proof" in names else outer

    def holds_blocks(self, element: Element) -> bool:
        return any(self.is_block(child) for child in element)

    def heading(self, element: Element, look: Look, level: int, names: set[str]) -> None:
        text = self.text(element, look)
        if "ltx_title_document" in names or (
            "title" in names and not any(block.kind == "title" for block in self.out.blocks)
        ):
            self.out.add("title", text)
        elif "ltx_runin" in names or names & {"ltx_title_theorem", "ltx_title_proof"}:
            self.runin = text.strip() + " "
        else:
            self.out.heading(text, min(level, 2) if ABSTRACT.match(text) else level, number_of(element))
        self.after()

    def paragraph(self, text: str, environment: str | None = None) -> None:
        text = " ".join(text.split())
        if text and self.runin:
            text, self.runin = self.runin + text, ""
        pictures, self.pictures = self.pictures, []
        for picture in pictures:
            self.out.figure(*picture)
        if text:
            self.out.paragraph(text, environment)
        self.after()

    def after(self) -> None:
        """Read the notes that hang on a paragraph."""
        notes, self.notes = self.notes, []
        for note in notes:
            self.out.paragraph(self.text(note, Look()), "footnote")

    def code(self, element: Element, _: Look) -> None:
        text = "".join(element.itertext()).strip("\n")
        fence = "`" * max(2, *map(len, re.findall("`+", text)), 2) + "`"
        self.out.add("paragraph", f"{fence}\n{text}\n{fence}" if text.strip() else "", environment="verbatim")

    def items(self, element: Element, look: Look) -> None:
        ordered = element.tag == "ol"
        number = 0
        for child in element:
            if not isinstance(child.tag, str) or (own := self.look(child, look)) is None:
                continue
            number += 1
            if classes(child) & {"ltx_bibitem"} or self.out.section == "references":
                self.reference(child, own)
            else:
                self.item(child, own, f"{number}." if ordered else "-")

    def item(self, element: Element, look: Look, mark: str) -> None:
        """An item; what it holds beside its first words follows it."""
        first = len(self.out.blocks)
        said = tag_of(element)
        self.blocks(element, look, "enumerate" if mark != "-" else "itemize")
        made = self.out.blocks[first] if len(self.out.blocks) > first else None
        if made is not None and made.kind == "paragraph" and not _ITEM.match(made.text):
            lead = said if _ITEM.match(f"{said} ") else f"{mark} {said}".strip()
            self.out.blocks[first] = made.but(text=f"{lead} {made.text}")

    def reference(self, element: Element, look: Look) -> None:
        self.out.reference(" ".join(self.text(element, look).split()), element.get("id"))
        self.pictures = []

    # -- tables, figures, equations

    def table(self, element: Element, look: Look) -> None:
        grid = [[*self.cells(row, own)] for row, own in self.rows(element, look)]
        for caption in element.iterchildren("caption"):
            self.titled(caption, look, "table")
        pictures, self.pictures = self.pictures, []
        for picture in pictures:
            self.out.figure(*picture)
        if not pictures and sum(1 for row in grid for cell in row if cell) == 1:
            self.paragraph(" ".join(cell for row in grid for cell in row))
        else:
            self.out.table(grid)
        self.after()

    def rows(self, table: Element, look: Look) -> Iterator[tuple[Element, Look]]:
        """The rows of a table that can be seen, and how their words look."""
        for child in table.iterchildren("tr", "thead", "tbody", "tfoot"):
            own = self.look(child, look)
            if own is not None:
                yield from ((child, own),) if child.tag == "tr" else self.rows(child, own)

    def cells(self, row: Element, look: Look) -> Iterator[str]:
        for cell in row.iterchildren("td", "th"):
            own = self.look(cell, look)
            yield "" if own is None else " ".join(self.text(cell, own).split())
            span = cell.get("colspan", "1")
            yield from [""] * (min(int(span), 64) - 1 if span.isascii() and span.isdigit() else 0)

    def figure(self, element: Element, look: Look) -> None:
        """The caption of a figure follows its images, that of a table stands before it."""
        captions = [child for child in element if child.tag == "figcaption"]
        table = "ltx_table" in classes(element) or element.find(".//table") is not None
        for caption in captions if table else ():
            self.titled(caption, look, "table")
        for child in element:
            if child in captions:
                continue
            if self.is_block(child):
                self.block(child, look, None)
            else:
                self.paragraph(self.inline(child, look))
        for caption in () if table else captions:
            self.titled(caption, look, "figure")

    def caption(self, element: Element, look: Look) -> None:
        self.titled(element, look, None)

    def titled(self, element: Element, look: Look, environment: str | None) -> None:
        own = self.look(element, look)
        if own is not None:
            self.out.caption(" ".join(self.text(element, own).split()), environment)

    def equations(self, element: Element, look: Look) -> None:
        """The rows of a display of arXiv: each its formula, and its number."""
        for row, own in self.rows(element, look):
            texts = [*self.cells(row, own)]
            found = [
                match[1] for text in texts for match in re.finditer(r"\$\$?((?:[^$\\]|\\.)+)\$\$?", text)
            ]
            rest = " ".join(re.sub(r"\$\$?(?:[^$\\]|\\.)+\$\$?", "", " ".join(texts)).split()).strip(" .,;")
            number = NUMBERED.fullmatch(rest)
            places = (row, row.getparent(), element)
            labels = tuple(place.get("id", "") for place in places if place.get("id"))
            tex = " ".join(part.removeprefix("\\displaystyle").strip() for part in found)
            self.out.equation(tex, number[1] if number else None, labels[:1])
            if not tex and rest:
                self.paragraph(rest)

    # -- text

    def text(self, element: Element, look: Look) -> str:
        """The visible text of an element, as Markdown."""
        pieces = [_escape_of(element.text)]
        for child in element:
            pieces += [self.inline(child, look), _escape_of(child.tail)]
        return joined(pieces)

    def inline(self, element: Element, look: Look) -> str:  # noqa: PLR0911  one line a kind of element
        if element.tag is etree.Comment:
            self.out.hide("comment", element.text or "")
        own = self.look(element, look) if isinstance(element.tag, str) else None
        if own is None:
            return ""
        names = classes(element)
        match element.tag:
            case "math":
                return self.formula(element)
            case "img" | "svg":
                self.picture(element)
                return ""
            case "br" | "hr":
                return " "
            case "sup" | "sub":
                return self.shifted(element, own)
            case "code" | "tt" if len(element) == 0 and "`" not in (element.text or "`"):
                return f"`{element.text}`"
        if "ltx_note_outer" in names:
            self.notes.append(element)
            return ""
        if names & {"katex-html", "MathJax_Display", "MathJax"}:  # beside the MathML that says the same
            return ""
        space = " " if element.tag in _BLOCKS else ""
        return f"{space}{self.text(element, own)}{space}"

    def shifted(self, element: Element, look: Look) -> str:
        text = self.text(element, look)
        return text if "$" in text or "[" in text else raised(text, lowered=element.tag == "sub")

    def formula(self, element: Element) -> str:
        found = read_math(element)
        if found.hidden:
            self.out.hide("actual-text", found.hidden, "annotation of a formula")
        tex = found.tex
        if not tex:
            return ""
        return f"$${tex}$$" if element.get("display") == "block" else f"${tex}$"

    def look(self, element: Element, outer: Look) -> Look | None:
        """How an element looks; None, and what it says is kept aside, if nobody sees it."""
        if element.tag in _DROPPED:
            return None
        own = self.rules.look(element, outer)
        why = own.hidden
        if why is None or (why in ("no-contrast", "tiny") and not _says(element)):
            return own
        self.out.hide(why, "".join(element.itertext(etree.Element)))
        return None

    # -- images

    def picture(self, element: Element) -> None:
        if element.tag == "svg":
            self.pictures.append(("SVG picture", None, b""))
            return
        source = " ".join((element.get("src") or "").split())
        name = source[:200] if not source.startswith("data:") else "image in the page"
        found = embedded(source) if source.startswith("data:") else beside(self.folder, source)
        path, content = found or (None, None)
        if path and content is not None:
            self.images[path] = content
        self.pictures.append((name, path, content))


def _says(element: Element) -> bool:
    """Say whether an element has words of its own, and not only elements with a look of their own."""
    return bool((element.text or "").strip()) or any((child.tail or "").strip() for child in element)


def _escape_of(text: str | None) -> str:
    return escaped(re.sub(r"\s+", " ", text)) if text else ""
