"""The LaTeX of a formula in MathML: the annotation that says it, if it says what is shown."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from rereview.ingest.html_look import Element
from rereview.ingest.omml import tex_of

_NOT_SHOWN = re.compile(
    r"\\(?:begin|end|label|tag|h?space|vspace|color|definecolor|kern|hskip|mathchoice)\*?\s*"
    r"(?:\[[^\]]*\])?\{[^{}]*\}|\\textcolor\s*(?:\[[^\]]*\])?\{[^{}]*\}|\\[A-Za-z]+|\d+(?:pt|em|ex|mu)"
)
_UNSEEN = re.compile(r"[\s\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f]")
_WORD = re.compile(r"[^\W\d_]{4,}")


class Formula(NamedTuple):
    """The LaTeX, and an annotation whose words the formula does not show."""

    tex: str
    hidden: str | None = None


def read_math(element: Element) -> Formula:
    """Read a `math` element. Without a true annotation its characters are taken."""
    shown = _shown(element)
    for said in (*_annotations(element), element.get("alttext") or ""):
        tex = _plain(said)
        if tex and _is_shown(tex, shown):
            return Formula(tex)
        if tex:
            return Formula(_plain(tex_of(shown)), said)
    return Formula(_plain(tex_of(shown)))


def _annotations(element: Element) -> list[str]:
    return [
        "".join(each.itertext())
        for each in element.iter("annotation")
        if each.get("encoding") in ("application/x-tex", "TeX", "LaTeX")
    ]


def _shown(element: Element) -> str:
    """The characters that a browser draws."""
    if element.tag in ("annotation", "annotation-xml", "mphantom"):
        return element.tail or ""
    inside = (element.text or "") + "".join(_shown(child) for child in element if isinstance(child.tag, str))
    return inside + (element.tail or "" if element.tag != "math" else "")


def _is_shown(tex: str, shown: str) -> bool:
    """Say whether the longer words of the LaTeX stand in what is drawn; none may be drawn otherwise."""
    drawn = unicodedata.normalize("NFKC", _UNSEEN.sub("", shown)).lower()
    if not drawn:
        return True
    bare = re.sub(r"\s|[{}~]", "", _NOT_SHOWN.sub("¦", tex))
    return all(word.lower() in drawn for word in _WORD.findall(unicodedata.normalize("NFKC", bare)))


def _plain(tex: str) -> str:
    r"""One line without comments of the converter, and without dollars, which would end the formula."""
    tex = re.sub(r"(?<!\\)%[^\n]*(?:\n|\Z)", "", tex)
    return re.sub(r"(?<!\\)\$", "", " ".join(tex.split()))
