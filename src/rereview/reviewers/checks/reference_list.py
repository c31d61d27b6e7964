"""The list of references of a paper, read for citations that are typed as author and year."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

from rereview.types.manuscript import Block, Manuscript

YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


def fold(text: str) -> str:
    """The text without braces, LaTeX accents and diacritics, with plain quotes."""
    text = re.sub(r"\\[\"'`^~=.]|\\[cHvukr](?=\{)", "", text)
    text = re.sub(r"\\(ss|ae|oe|aa|o|l|O|L)(?:\{\}|\b)", r"\1", text).replace("’", "'").replace("ß", "ss")
    text = text.replace("\\&", "&").replace("~", " ").replace("ø", "o").replace("ł", "l").replace("Ø", "O")
    text = unicodedata.normalize("NFKD", re.sub(r"[{}]", "", text))
    return " ".join("".join(c for c in text if not unicodedata.combining(c)).split())


@dataclass(frozen=True)
class Entry:
    """One reference, folded for comparing."""

    block: Block
    text: str
    authors: str
    words: frozenset[str] = field(repr=False)

    @property
    def dated(self) -> bool:
        """True if the year follows names: then it is the year of this entry, cut off or not."""
        follows = YEAR_NEXT.match(self.text, len(self.authors))
        return follows is not None and not TITLE_WORD.search(self.authors)

    @property
    def years(self) -> list[str]:
        """Everything that may be its year."""
        return YEAR.findall(self.text)

    def holds(self, name: str) -> bool:
        """True if the name stands anywhere in the entry."""
        return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", self.text, re.IGNORECASE) is not None

    def begins_with(self, name: str) -> bool:
        """True if nothing but given names, initials and particles stands before the name."""
        at = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", self.authors)
        return at is not None and bool(GIVEN.fullmatch(self.authors[: at.start()]))


@dataclass(frozen=True)
class Listed:
    """The list of references; what is asked of one name is found out once."""

    entries: tuple[Entry, ...]
    _holding: dict[str, list[Entry]] = field(default_factory=dict, repr=False)
    _beginning: dict[str, list[Entry]] = field(default_factory=dict, repr=False)
    _known: dict[str, bool] = field(default_factory=dict, repr=False)

    def holding(self, name: str) -> list[Entry]:
        """The entries in which the name stands anywhere."""
        if name not in self._holding:
            self._holding[name] = [entry for entry in self.entries if entry.holds(name)]
        return self._holding[name]

    def beginning(self, name: str) -> list[Entry]:
        """The entries of which this is the first author."""
        if name not in self._beginning:
            self._beginning[name] = [entry for entry in self.entries if entry.begins_with(name)]
        return self._beginning[name]

    def knows(self, name: str) -> bool:
        """True if an entry holds the name, or a spelling close to it."""
        if name not in self._known:
            last = re.split(r"[ -]", name.casefold())[-1]
            close = get_close_matches(last, self._words, n=1, cutoff=0.8)
            self._known[name] = bool(close or self.holding(name))
        return self._known[name]

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset().union(*(entry.words for entry in self.entries))

    @cached_property
    def dated(self) -> int:
        """How many entries have a year."""
        return sum(bool(entry.years) for entry in self.entries)


YEAR_NEXT = re.compile(r"[\s,.(]*(?:1[5-9]|20)\d\d")
TITLE_WORD = re.compile(r"(?<![\w'])(?!and\b|with\b|von\b|van\b|der\b|den\b|del\b|ten\b|ter\b)[a-z]{3,}")
GIVEN = re.compile(r"(?:[A-Z][\w'-]*+\.?[ -]?|(?:van|von|der|den|de|di|da|du|la|le|del|ten|ter) ){0,5}")
ENTRY_MARK = re.compile(r"\A\s*(?:\[[^\]]*\]|\(?\d+[.)])\s*")
DITTO = re.compile(r"\A\s*(?:[—–―_]+|-{2,}|\\bysame\b(?:\{\})?)")
AUTHORS_END = re.compile(r",?\s\(?(?=(?:1[5-9]|20)\d\d\b)|(?<=\w[a-z])(?<!\bal)(?<!\bJr)(?<!\bjr)\.\s|[“\"]")


def entries(paper: Manuscript) -> list[Entry]:
    """The list of references; a dash in place of the authors stands for those of the entry before."""
    listed: list[Entry] = []
    for block in paper.blocks:
        if block.kind == "reference":
            listed.append(_entry(block, before=listed[-1].authors if listed else ""))
    return listed


def _entry(block: Block, *, before: str) -> Entry:
    text = fold(DITTO.sub(lambda _: before, ENTRY_MARK.sub("", block.text, count=1), count=1))
    end = AUTHORS_END.search(text)
    authors = text[: min(end.start() if end else len(text), 250)]
    return Entry(block, text, authors, frozenset(re.findall(r"[^\W\d_]{3,}", text.casefold())))
