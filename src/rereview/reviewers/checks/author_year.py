"""Citations typed as author and year, against the list of references.

Two findings only: the one work of that author is listed with another year, and no reference holds
the author's name. All else may be right: namesakes, places and events with a year, dates of a life.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from rereview.reviewers.checks.reference_list import YEAR, Entry, Listed, entries, fold
from rereview.text.plurals import many
from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Remark

LETTER = (
    r"(?:[^\W\d_]|-|['’](?!s?(?!\w))|\\[\"'`^~=.]\{?\\?[A-Za-z]\}?|\\[cHvukr]\{[A-Za-z]\}"
    r"|\{\\[\"'`^~=.]\{?\\?[A-Za-z]\}?\}|\{\\[cHvukr]\s?\{?[A-Za-z]\}?\}|\\(?:ss|o|l|ae|oe|aa|O|L)\{\})"
)
NAME = rf"(?:(?:van|von|der|den|de|di|da|du|la|le|del|ten|ter)[\s~]+)*(?=[^\W\d_a-z]|[\\{{]){LETTER}{{2,40}}"
MENTION = re.compile(
    rf"(?<![\w\\-])(?P<first>{NAME})(?P<more>(?:,[\s~]+{NAME}){{0,6}})"
    rf"(?:,?[\s~]+(?:and|\\?&)[\s~]+(?P<second>{NAME}))?"
    r"(?P<etal>,?[\s~]+(?:\\(?:emph|textit)\{)?et\.?[\s~]*al\b\.?\}?)?(?P<own>['’]s?)?"
    r"(?P<before>[\s~]*\(|,?[\s~]+)(?P<year>(?:1[5-9]|20)\d\d)(?P<letter>[a-z]?)(?!\w|\.\d)"
)
UNPUBLISHED = re.compile(
    r"in prep|unpub|personal|pers\.|submitted|forthcoming|in press|mimeo|born|died", re.IGNORECASE
)
WORK = re.compile(
    r"[\s~]+(?:seminal |classic |original )?"
    r"(?:paper|article|study|book|monograph|survey|review|thesis|report)\b"
)
SAYS = re.compile(
    r"\)[\s~]+(?:has |have |also |first )?(?:show|argue|find|found|propose|introduce|demonstrate|report|"
    r"suggest|prove|study|studie|describe|estimate|consider|develop|note|observe|extend|establish)"
    r"(?:s|d|ed|n)?\b"
)
CAUTION = re.compile(r"\((?:see|e\.g\.,?|cf\.)(?: also)?[\s~]+$")
LAST_OF_SEVERAL = re.compile(r"[^\W\d_]\W{0,3}[\s~]+(?:and|\\?&)[\s~]+$")
MONTHS = re.compile("January|February|March|April|May|June|July|August|September|October|November|December")
AND = re.compile(r"(?<!\w)(?:and|&)(?!\w)")
FEWEST_ENTRIES = 5
FEWEST_RESOLVED = 3
"""So many typed citations must lead to an entry before a name without et al. counts as a citation."""


@dataclass(frozen=True)
class Citation:
    """A mention of an author and a year in running text."""

    block: Block
    match: re.Match[str]

    @property
    def year(self) -> str:
        """The year without its letter."""
        return self.match["year"]

    @property
    def names(self) -> list[str]:
        """Family names, folded, the first author first."""
        more = [part for part in (self.match["more"] or "").split(",") if part.strip()]
        parts = (self.match["first"], *more, self.match["second"] or "")
        return [fold(re.sub(r"['’]s?$", "", part)).strip() for part in parts if part.strip()]

    @property
    def place(self) -> Span:
        """The mention, with the bracket that closes it."""
        end = self.match.end()
        if "(" in self.match["before"] and self.block.text[end : end + 1] == ")":
            end += 1
        return Span(block_id=self.block.id, start=self.match.start(), end=end)

    @property
    def bracketed(self) -> str | None:
        """What stands before the mention in its open bracket; None outside brackets."""
        head = self.block.text[max(0, self.match.start() - 400) : self.match.start()]
        opened = max(head.rfind("("), head.rfind("["))
        return head[opened:] if opened > max(head.rfind(")"), head.rfind("]")) else None


@dataclass(frozen=True)
class Cited:
    """The citations of a paper, in order, and the list that they lead to."""

    citations: tuple[Citation, ...]
    listed: Listed

    def resolves(self, citation: Citation) -> bool:
        """True if an entry of this first author has the year."""
        return any(citation.year in entry.years for entry in self.listed.beginning(citation.names[0]))

    @cached_property
    def resolved(self) -> int:
        """How many of them lead to an entry."""
        return sum(map(self.resolves, self.citations))

    @cached_property
    def _in_block(self) -> dict[str, list[Citation]]:
        found: dict[str, list[Citation]] = {}
        for citation in self.citations:
            found.setdefault(citation.block.id, []).append(citation)
        return found

    def beside(self, citation: Citation) -> Iterator[Citation]:
        """The other citations that no bracket parts from this one."""
        near = self._in_block[citation.block.id]
        at = bisect_left(near, _start(citation), key=_start)
        for others in (reversed(near[:at]), near[at + 1 :]):
            yield from takewhile(lambda other: _same_bracket(citation, other), others)


def findings(paper: Manuscript) -> Iterator[Remark]:
    """Citations of another year and citations of nobody in the list."""
    listed = Listed(tuple(entries(paper)))
    if not listed.entries or any(gap.kind in ("input", "bibliography") for gap in paper.gaps):
        return
    cited = Cited(tuple(_citations(paper)), listed)
    said = set()
    for citation in cited.citations:
        remark = _other_year(citation, listed, cut=paper.format == "pdf") or _nobody(citation, listed, cited)
        if remark is not None and remark.arithmetic not in said:
            said.add(remark.arithmetic)
            yield remark.but(arithmetic=(remark.arithmetic or "").split(": ", 1)[1])
    yield from _institutions(paper, listed.entries)


def _citations(paper: Manuscript) -> Iterator[Citation]:
    for block in paper.blocks:
        if block.kind in ("reference", "page-marker", "equation", "title"):
            continue
        for match in MENTION.finditer(block.text):
            citation = Citation(block, match)
            if _is_citation(citation):
                yield citation


def _is_citation(citation: Citation) -> bool:
    match, text = citation.match, citation.block.text
    tail = text[match.end() : match.end() + 60]
    if LAST_OF_SEVERAL.search(text[max(0, match.start() - 40) : match.start()]):
        return False
    if UNPUBLISHED.search(tail.split(")")[0]) or MONTHS.fullmatch(citation.names[0]):
        return False
    if any(name.isupper() for name in citation.names):
        return False
    if "(" in match["before"]:
        return re.match(r"[),;:]", tail) is not None
    if match["own"] and "," not in match["before"]:
        return WORK.match(tail) is not None
    within = citation.bracketed is not None and re.match(r"[)\],;:]", tail) is not None
    return within and (bool(match["etal"]) or "," in match["before"])


def _agrees(entry: Entry, citation: Citation) -> bool:
    """True if the entry has as many authors as the mention says, and the same second one."""
    match, names, authors = citation.match, citation.names, entry.authors
    commas, joined = authors.count(","), len(AND.findall(authors))
    several = "et al" in authors or "others" in authors
    if match["etal"]:
        return several or _more_than_two(authors)
    if len(names) == 1:
        return not several and not joined and ";" not in authors and commas <= 1
    if len(names) > 2:  # noqa: PLR2004, three authors, named in full
        return all(name in authors for name in names)
    last = re.search(rf"(?<![\w-]){re.escape(names[1])}(?![\w-])", authors)
    if last is None or several or AND.search(authors[last.end() :]):
        return False
    between = authors[: last.start()].split(names[0], 1)[-1]
    return between.count(",") < 2 or (between.count(",") == 2 and not re.search(r"[A-Z]\w\w", between))  # noqa: PLR2004, a comma and an initial


def _more_than_two(authors: str) -> bool:
    """True if the commas are more than two names need: “Okafor, C., and Brandt, L.” has three."""
    if re.match(r"[A-Z]\.", authors):
        return authors.count(",") > 1
    inverted = "," in AND.split(authors)[-1].rstrip(", ")
    return authors.count(",") > (3 if inverted else 2)


def _other_year(citation: Citation, listed: Listed, *, cut: bool) -> Remark | None:
    """Another year of the one entry of this author. `cut`: an entry may be only a part of one."""
    name = citation.names[0]
    if any(citation.year in entry.years for entry in listed.holding(name)):
        return None
    firsts = listed.beginning(name)
    if len(firsts) != 1 or not firsts[0].years or not _agrees(firsts[0], citation):
        return None
    if cut and not firsts[0].dated:
        return None
    return _year_remark(citation.block, citation.place, citation.year, firsts[0])


def _year_remark(block: Block, place: Span, year: str, entry: Entry) -> Remark | None:
    against = _up_to_year(entry)
    listed = YEAR.findall(entry.block.text[against.start : against.end])
    if not listed:
        return None
    quote = block.text[place.start : place.end]
    return Remark(
        title=f"Cited with the year {year}, listed with {listed[-1]}",
        body=f"The one reference of this author is of {listed[-1]}.",
        severity="moderate",
        quote=quote,
        against=entry.block.text[against.start : against.end],
        arithmetic=f"{entry.block.id}: cited {year}, listed {listed[-1]}",
        places=(place, against),
    )


def _up_to_year(entry: Entry) -> Span:
    """The entry from its start to its year: the one in brackets, or the last."""
    text = entry.block.text
    bracketed = re.search(r"\(((?:1[5-9]|20)\d\d)", text)
    years = list(YEAR.finditer(text))
    end = bracketed.end() if bracketed else (years[-1].end() if years else len(text))
    return Span(block_id=entry.block.id, start=0, end=end)


def _nobody(citation: Citation, listed: Listed, cited: Cited) -> Remark | None:
    names = citation.names
    if listed.dated < FEWEST_ENTRIES or any(listed.knows(name) for name in names):
        return None
    if not _is_surely_cited(citation, cited):
        return None
    place = citation.place
    quote = citation.block.text[place.start : place.end]
    return Remark(
        title=f"Cited and not listed: {' '.join(quote.split())}",
        body=f"The text cites “{quote}”, and no reference holds the name {names[0]}.",
        severity="moderate",
        quote=quote,
        arithmetic=f"{names} {citation.year}: {names[0]} stands in 0 of"
        f" {many(len(listed.entries), 'reference')}",
        places=(place,),
    )


def _is_surely_cited(citation: Citation, cited: Cited) -> bool:
    """True if the mention can be nothing but a citation."""
    match = citation.match
    if match["own"]:
        return False
    if match["etal"]:
        return True
    if cited.resolved < FEWEST_RESOLVED:
        return False
    if citation.bracketed is None:
        return SAYS.match(citation.block.text, match.end()) is not None
    return CAUTION.search(citation.bracketed) is not None or any(
        other.bracketed is not None and cited.resolves(other) for other in cited.beside(citation)
    )


def _start(citation: Citation) -> int:
    return citation.match.start()


def _same_bracket(one: Citation, other: Citation) -> bool:
    first, last = sorted((one, other), key=_start)
    between = one.block.text[first.match.end() : last.match.start()]
    return not re.search(r"[()\[\]]", between)


def _institutions(paper: Manuscript, listed: tuple[Entry, ...]) -> Iterator[Remark]:
    """Mentions of an author that is no person, word for word as the list has it."""
    text = _joined(" ".join(block.text for block in paper.blocks if block.kind != "reference"))
    for entry in listed:
        words = entry.authors.split()
        person = "," in entry.authors or re.search(r"\b[A-Z]\.", entry.authors)
        if len(words) < 2 or person or not words[0][:1].isupper():  # noqa: PLR2004, one word may be any name
            continue
        if f"{_joined(entry.authors)} (" not in text:
            continue
        found = _first_dated(paper, words)
        if found is None or found[1]["year"] in entry.years:
            continue
        if sum(other.holds(entry.authors) for other in listed) == 1:
            block, match = found
            place = Span(block_id=block.id, start=match.start(), end=match.end())
            remark = _year_remark(block, place, match["year"], entry)
            if remark is not None:
                yield remark.but(arithmetic=(remark.arithmetic or "").split(": ", 1)[1])


def _joined(text: str) -> str:
    return AND.sub("and", fold(text))


def _first_dated(paper: Manuscript, words: list[str]) -> tuple[Block, re.Match[str]] | None:
    """The first place where these words stand with a year in brackets."""
    said = r"[\s~]+".join(r"(?:\\?&|and)" if word in ("&", "and") else re.escape(word) for word in words)
    pattern = re.compile(rf"(?<!\w){said}[\s~]*\((?P<year>(?:1[5-9]|20)\d\d)[a-z]?\)")
    for block in paper.blocks:
        match = pattern.search(block.text) if block.kind != "reference" else None
        if match is not None:
            return block, match
    return None
