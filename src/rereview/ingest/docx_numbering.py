"""The numbers that Word puts before headings: those of lists that are tied to levels of the outline."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rereview.ingest.docx_look import Element, W, value
from rereview.ingest.numbering import styled

_STYLES = {
    "decimal": "arabic",
    "upperLetter": "Alph",
    "lowerLetter": "alph",
    "upperRoman": "Roman",
    "lowerRoman": "roman",
}
_PLACE = re.compile(r"%([1-9])")
_LEVELS = 9
_LONGEST = 40


@dataclass(frozen=True)
class _Level:
    form: str
    text: str
    start: int


@dataclass
class Numbering:
    """Counts headings. What has another form than numbers and letters has no number."""

    of_list: Mapping[str, str]
    """Of each list that paragraphs name, the list that says how it is numbered."""
    levels: Mapping[tuple[str, int], _Level]
    styles: Mapping[tuple[str, str], int]
    """The level of a list to which a style belongs."""
    counts: dict[tuple[str, int], int] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: Element | None) -> Numbering:
        """From the part with the numbering, None where there is none."""
        if tree is None:
            return cls({}, {}, {})
        levels: dict[tuple[str, int], _Level] = {}
        styles: dict[tuple[str, str], int] = {}
        for form in tree.iterchildren(f"{W}abstractNum"):
            name = form.get(f"{W}abstractNumId", "")
            for level in form.iterchildren(f"{W}lvl"):
                at = _whole(level.get(f"{W}ilvl"), 0)
                start = _whole(value(level, "start"), 1)
                levels[name, at] = _Level(value(level, "numFmt") or "", value(level, "lvlText") or "", start)
                if style := value(level, "pStyle"):
                    styles[name, style] = at
        lists = {
            each.get(f"{W}numId", ""): value(each, "abstractNumId") or ""
            for each in tree.iterchildren(f"{W}num")
        }
        return cls(lists, levels, styles)

    def step(self, number: str, level: str, style: str) -> str | None:
        """Count a heading of a list; what Word prints before it, None for nothing that is a number."""
        name = self.of_list.get(number)
        if name is None:
            return None
        at = self.styles.get((name, style), _whole(level, 0))
        own = self.levels.get((name, at))
        if own is None:
            return None
        self.counts[name, at] = self.counts.get((name, at), own.start - 1) + 1
        for deeper in range(at + 1, _LEVELS):
            self.counts.pop((name, deeper), None)
        return self._shown(name, own)

    def _shown(self, name: str, level: _Level) -> str | None:
        text = _PLACE.sub(lambda place: self._part(name, int(place[1]) - 1), level.text)
        bare = text.strip().rstrip(".:)").lstrip("(").strip()
        return bare if "%" in level.text and bare and len(bare) <= _LONGEST else None

    def _part(self, name: str, at: int) -> str:
        level = self.levels.get((name, at))
        if level is None or level.form not in _STYLES:
            return ""
        return styled(self.counts.get((name, at), level.start), _STYLES[level.form])


def _whole(given: str | None, otherwise: int) -> int:
    return int(given) if given and re.fullmatch(r"[0-9]{1,6}", given) else otherwise
