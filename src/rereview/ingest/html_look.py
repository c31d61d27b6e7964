"""How the words of a page look: its own style rules and those of each element, as far as they hide words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from lxml import etree

from rereview.types.manuscript import HiddenKind

Element: TypeAlias = etree._Element  # noqa: SLF001  lxml has no other name for it

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_AT_RULE = re.compile(r"@[^{};]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}|@[^{};]+;")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SIMPLE = re.compile(r"([a-zA-Z][\w-]*)?((?:[.#][\w-]+)*)")
_LENGTH = re.compile(r"(-?\d*\.?\d+)\s*(px|pt|em|rem|%|vw|vh|)")
_RGB = re.compile(r"rgba?\(\s*([\d.]+)\s*[, ]\s*([\d.]+)\s*[, ]\s*([\d.]+)\s*(?:[,/]\s*([\d.]+%?)\s*)?\)")
_ZERO_CLIP = re.compile(
    r"rect\(\s*0[a-z]*[, ]+0[a-z]*[, ]+0[a-z]*[, ]+0[a-z]*\s*\)|inset\(\s*(?:50|100)%\s*\)"
)
_NAMES = {
    "white": (255, 255, 255),
    "black": (0, 0, 0),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245),
}
_SMALLEST = 2.0
"""Pixels: at this size and below nobody reads."""
_FAR = -900.0
"""Pixels to the left or above the page, where nobody looks."""
_NEAR = 40
"""Steps of 255 by which each colour may differ from what is behind it and still not be seen."""
_USUAL = 16.0
_UNITS = {"px": 1.0, "": 1.0, "pt": 4 / 3, "rem": _USUAL, "vw": 10.0, "vh": 10.0}
_MOST_RULES = 5000

Colour = tuple[int, int, int]
Declarations = Mapping[str, str]


@dataclass(frozen=True)
class Look:
    """Of the words in an element."""

    colour: Colour | None = None
    behind: Colour | None = (255, 255, 255)
    """None: an image, or not known."""
    size: float = _USUAL
    """In pixels."""
    gone: HiddenKind | None = None
    """Why they would not be seen whatever their colour."""

    @property
    def hidden(self) -> HiddenKind | None:
        """Why nobody sees the words, or None."""
        if self.gone:
            return self.gone
        if self.size <= _SMALLEST:
            return "tiny"
        if self.colour is None or self.behind is None:
            return None
        same = all(abs(one - other) <= _NEAR for one, other in zip(self.colour, self.behind, strict=True))
        return "no-contrast" if same else None

    def under(self, declared: Declarations) -> Look:
        """The look of an element in this one."""
        size = _size(declared.get("font-size", ""), self.size)
        colour = _colour(declared.get("color", ""))
        behind = self.behind
        for name in ("background", "background-color"):
            if name in declared:
                behind = _behind(declared[name], behind)
        found = replace(self, size=size, behind=behind, gone=_gone(declared))
        return found if colour is None else replace(found, colour=colour)


@dataclass(frozen=True)
class _Rule:
    tag: str
    names: frozenset[str]
    """With `.` or `#` before them."""
    declared: Declarations


@dataclass(frozen=True)
class Rules:
    """The rules of a page with one simple selector; others are not followed."""

    rules: Sequence[_Rule] = field(default_factory=tuple)

    @staticmethod
    def of(tree: Element) -> Rules:
        """Read the `style` elements of a page; rules for print or for some screens are left out."""
        found: list[_Rule] = []
        for style in tree.iter("style"):
            if style.get("media", "all") not in ("all", "screen"):
                continue
            for match in _RULE.finditer(_AT_RULE.sub("", _COMMENT.sub("", style.text or ""))):
                declared = _declarations(match[2])
                found += [rule for one in match[1].split(",") if (rule := _rule(one.strip(), declared))]
        return Rules(tuple(found[:_MOST_RULES]))

    def look(self, element: Element, outer: Look) -> Look:
        """How the words of an element look that stands in `outer`."""
        declared: dict[str, str] = {}
        names = {f".{name}" for name in (element.get("class") or "").split()}
        names.add(f"#{element.get('id')}")
        for rule in self.rules:
            if rule.tag in ("", element.tag) and rule.names <= names:
                declared |= rule.declared
        if element.get("hidden") is not None and element.get("hidden") != "until-found":
            declared.setdefault("display", "none")
        if element.tag == "font" and element.get("color"):
            declared["color"] = element.get("color", "")
        if element.get("bgcolor"):
            declared["background-color"] = element.get("bgcolor", "")
        declared |= _declarations(element.get("style") or "")
        return outer.under(declared) if declared else outer


def _rule(selector: str, declared: Declarations) -> _Rule | None:
    match = _SIMPLE.fullmatch(selector)
    if match is None or not selector or not declared:
        return None
    return _Rule(match[1] or "", frozenset(re.findall(r"[.#][\w-]+", match[2])), declared)


def _declarations(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip().lower()] = value.lower().replace("!important", "").strip()
    return found


def _gone(declared: Declarations) -> HiddenKind | None:  # noqa: PLR0911  one line a way to hide
    if declared.get("display") == "none" or declared.get("visibility") in ("hidden", "collapse"):
        return "invisible"
    if _number(declared.get("opacity", "1")) == 0:
        return "transparent"
    if declared.get("position") in ("absolute", "fixed"):
        if any(
            (_pixels(declared.get(side, "0")) or 0) <= _FAR for side in ("left", "top", "right", "bottom")
        ):
            return "off-page"
        if _ZERO_CLIP.search(declared.get("clip", "") + declared.get("clip-path", "")):
            return "clipped"
    if (_pixels(declared.get("text-indent", "0")) or 0) <= _FAR:
        return "off-page"
    closed = declared.get("overflow") in ("hidden", "clip")
    if closed and any(
        _pixels(declared.get(side, "auto")) in (0, 1) for side in ("width", "height", "max-height")
    ):
        return "clipped"
    return None


def _size(text: str, outer: float) -> float:
    match = _LENGTH.fullmatch(text)
    if match is None:
        return outer
    number = float(match[1])
    if match[2] in ("em", "%"):
        return number * outer / (100 if match[2] == "%" else 1)
    return number * _UNITS[match[2]]


def _pixels(text: str) -> float | None:
    match = _LENGTH.fullmatch(text)
    return None if match is None else float(match[1]) * _UNITS.get(match[2], _USUAL)


def _number(text: str) -> float | None:
    match = re.fullmatch(r"\d*\.?\d+", text)
    return float(text) if match else None


def _behind(text: str, outer: Colour | None) -> Colour | None:
    if text in ("none", "transparent", "inherit", "initial", "unset", ""):
        return outer
    return _colour(text)


def _colour(text: str) -> Colour | None:
    text = text.strip()
    if text in _NAMES:
        return _NAMES[text]
    if re.fullmatch(r"#[0-9a-f]{3,4}", text):
        return int(text[1] * 2, 16), int(text[2] * 2, 16), int(text[3] * 2, 16)
    if re.fullmatch(r"#[0-9a-f]{6}(?:[0-9a-f]{2})?", text):
        return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
    match = _RGB.fullmatch(text)
    return None if match is None else (int(float(match[1])), int(float(match[2])), int(float(match[3])))
