"""How the words of a DOCX look: what their styles and they themselves say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from lxml import etree

from rereview.types.manuscript import HiddenKind

Element: TypeAlias = etree._Element  # noqa: SLF001  lxml has no other name for it
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_ON = frozenset({None, "1", "true", "on"})
_SMALLEST = 8
"""Half-points: below 4 pt nobody reads."""
_NARROWEST = 20
"""Percent of the width of a letter."""
_NEAR = 40
"""Steps of 255 by which each colour may differ from what is behind it and still not be seen."""
_WHITE = "FFFFFF"
_NAMED = {"black": "000000", "white": _WHITE, "yellow": "FFFF00", "darkBlue": "000080", "blue": "0000FF"}
_DEPTH = 12

Raised = Literal["superscript", "subscript"]
_RAISED: Mapping[str, Raised] = {"superscript": "superscript", "subscript": "subscript"}


@dataclass(frozen=True)
class Look:
    """Of some words; None is what Word does by itself, or not known."""

    vanish: bool = False
    colour: str | None = None
    """Six hex digits."""
    behind: str | None = _WHITE
    """The same, of what is behind the words; None: not known."""
    size: int | None = None
    """In half-points."""
    width: int | None = None
    """In percent."""
    raised: Raised | None = None

    @property
    def hidden(self) -> HiddenKind | None:
        """Why nobody sees the words, or None."""
        if self.vanish:
            return "invisible"
        if (self.size is not None and self.size < _SMALLEST) or (
            self.width is not None and self.width < _NARROWEST
        ):
            return "tiny"
        return "no-contrast" if self.colour and self.behind and _near(self.colour, self.behind) else None

    def with_properties(self, properties: Element | None) -> Look:
        """The look under `w:rPr`."""
        if properties is None:
            return self
        found = self
        for child in properties:
            found = found.with_property(child)
        return found

    def with_property(self, element: Element) -> Look:
        """The look under one property."""
        given = element.get(f"{W}val")
        match str(element.tag).removeprefix(W):
            case "vanish":
                return replace(self, vanish=given in _ON)
            case "color":
                return replace(self, colour=_colour(given))
            case "sz":
                return replace(self, size=_whole(given))
            case "w":
                return replace(self, width=_whole(given))
            case "vertAlign":
                return replace(self, raised=_RAISED.get(given or ""))
        return self.on(element)

    def on(self, shading: Element | None) -> Look:
        """The look on a shading or highlight; `auto` is what was behind before."""
        if shading is None or shading.tag not in (f"{W}shd", f"{W}highlight"):
            return self
        if shading.tag == f"{W}highlight":
            given = shading.get(f"{W}val", "none")
            return self if given == "none" else replace(self, behind=_NAMED.get(given))
        fill = shading.get(f"{W}fill")
        if shading.get(f"{W}val") not in (None, "clear", "nil"):
            return replace(self, behind=None)
        return self if fill in (None, "auto") else replace(self, behind=_colour(fill))


@dataclass(frozen=True)
class Style:
    """A style of paragraphs or of words."""

    name: str = ""
    """In lower case, as Word calls it in English whatever its language."""
    parent: str | None = None
    element: Element | None = None


@dataclass(frozen=True)
class Styles:
    """The styles of a file by their id, and its defaults."""

    known: Mapping[str, Style] = field(default_factory=dict)
    base: Look = field(default_factory=Look)
    usual: str = ""
    """Id of the style of a paragraph that names none."""
    grounds: dict[Element, tuple[str | None] | None] = field(default_factory=dict, repr=False, compare=False)
    """What the cells, tables and boxes met so far put behind their words: a table may have many rows."""

    @staticmethod
    def of(tree: Element | None) -> Styles:
        """Read the part `styles.xml`."""
        if tree is None:
            return Styles()
        known = {
            each.get(f"{W}styleId", ""): Style(
                (value(each, "name") or "").lower(), value(each, "basedOn"), each
            )
            for each in tree.iterchildren(f"{W}style")
        }
        usual = next(
            (
                each.get(f"{W}styleId", "")
                for each in tree.iterchildren(f"{W}style")
                if each.get(f"{W}type") == "paragraph" and each.get(f"{W}default") in ("1", "true")
            ),
            "",
        )
        return Styles(known, Look().with_properties(tree.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")), usual)

    def chain(self, name: str | None) -> list[Element]:
        """The elements of a style and of those that it is based on, the farthest first."""
        found: list[Element] = []
        while name and (style := self.known.get(name)) and style.element is not None and len(found) < _DEPTH:
            found.insert(0, style.element)
            name = style.parent
        return found

    def of_paragraph(self, paragraph: Element) -> Style:
        """The style of a paragraph."""
        return self.known.get(_style_of(paragraph, "p") or self.usual, Style())

    def look(self, paragraph: Element) -> Look:
        """How words look in a paragraph that say nothing of themselves."""
        found = replace(self.base, behind=_behind(paragraph, self))
        for element in self.chain(_style_of(paragraph, "p") or self.usual):
            found = found.with_properties(element.find(f"{W}rPr")).on(element.find(f"{W}pPr/{W}shd"))
        return found.on(paragraph.find(f"{W}pPr/{W}shd"))

    def run_look(self, run: Element, look: Look) -> Look:
        """How the words of a run look, in a paragraph with this look."""
        for element in self.chain(_style_of(run, "r")):
            look = look.with_properties(element.find(f"{W}rPr"))
        return look.with_properties(run.find(f"{W}rPr"))

    def outline(self, paragraph: Element) -> int | None:
        """The level at which a paragraph is in the outline, from 1; None: it is not."""
        for properties in self._properties(paragraph):
            level = _whole(value(properties, "outlineLvl"))
            if level is not None:
                return level + 1 if level < 9 else None  # noqa: PLR2004  level 9 is running text
        return None

    def list_of(self, paragraph: Element) -> tuple[str, str]:
        """The list to which a paragraph belongs, and its level; "" for none."""
        for properties in self._properties(paragraph):
            number = properties.find(f"{W}numPr")
            if number is not None and (name := value(number, "numId")):
                return name, value(number, "ilvl") or "0"
        return "", "0"

    def _properties(self, paragraph: Element) -> Iterator[Element]:
        own = [paragraph, *reversed(self.chain(_style_of(paragraph, "p") or self.usual))]
        return (found for each in own if (found := each.find(f"{W}pPr")) is not None)


def value(parent: Element, name: str) -> str | None:
    """The value of a child with this name."""
    found = parent.find(f"{W}{name}")
    return None if found is None else found.get(f"{W}val")


def tied_style(paragraph: Element) -> str:
    """The style to which the level of a list may be tied; "" for a paragraph that names its level itself."""
    own = paragraph.find(f"{W}pPr/{W}numPr/{W}ilvl") is not None
    return "" if own else _style_of(paragraph, "p") or ""


def _style_of(element: Element, kind: str) -> str | None:
    properties = element.find(f"{W}{kind}Pr")
    return None if properties is None else value(properties, f"{kind}Style")


def _behind(paragraph: Element, styles: Styles) -> str | None:
    """What is behind a paragraph: the page, or the table cell or the box in which it stands."""
    for parent in paragraph.iterancestors(f"{W}txbxContent", f"{W}tc", f"{W}tbl"):
        if parent not in styles.grounds:
            styles.grounds[parent] = _ground(parent, styles)
        if (ground := styles.grounds[parent]) is not None:
            return ground[0]
    return _WHITE


def _ground(element: Element, styles: Styles) -> tuple[str | None] | None:
    """The colour that an element puts behind its words, in which None is any; None: it puts none there."""
    name = etree.QName(element).localname
    if name == "txbxContent":
        return (None,)
    if name == "tc":
        shading = element.find(f"{W}tcPr/{W}shd")
        return None if shading is None else (Look().on(shading).behind,)
    properties = element.find(f"{W}tblPr")
    style = None if properties is None else value(properties, "tblStyle")
    shaded = any(each.find(f".//{W}shd") is not None for each in styles.chain(style))
    return (None,) if shaded else None


def _colour(given: str | None) -> str | None:
    return given.upper() if given and len(given) == len(_WHITE) and _is_hex(given) else None


def _is_hex(text: str) -> bool:
    return all(letter in "0123456789abcdefABCDEF" for letter in text)


def _whole(given: str | None) -> int | None:
    return int(given) if given and given.isascii() and given.isdigit() and len(given) < 7 else None  # noqa: PLR2004  more is no size


def _near(one: str, other: str) -> bool:
    return all(abs(int(one[i : i + 2], 16) - int(other[i : i + 2], 16)) <= _NEAR for i in (0, 2, 4))
