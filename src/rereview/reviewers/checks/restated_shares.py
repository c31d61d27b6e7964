"""A share of all that the text gives, against the counts of a table; the abstract's against the text's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, NamedTuple

from rereview.reviewers.checks.divided import Division, divisions
from rereview.reviewers.checks.prose import Passage, finding, passages, sentences
from rereview.reviewers.checks.tabulated import PaperTable, tables
from rereview.reviewers.checks.wording import same, words
from rereview.text.numbers import Number, numbers
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark


class Said(NamedTuple):
    """`share` of `whole` are `part`; the sentence it is said in, and whether it says that all are meant."""

    passage: Passage
    sentence: tuple[int, int]
    share: Number
    whole: str
    part: tuple[str, ...]
    of_all: bool

    @property
    def named(self) -> str:
        """What the share is of, and what it is."""
        return f"{self.whole} ({' '.join(self.part)})"

    def is_of(self, other: Said) -> bool:
        """True if both give the same part of the same whole."""
        return (
            same(self.whole, other.whole)
            and len(self.part) == len(other.part)
            and all(map(same, self.part, other.part))
        )


@dataclass(frozen=True)
class RestatedShares:
    """A percentage of all things of a kind that other numbers of the paper contradict.

    `slack` is how far a percentage may be off, in units of its last printed place: at 1, cutting is as
    right as rounding. A percentage that the paper prints at a second place is left alone: it has a
    reading of its own.
    """

    name: ClassVar[str] = "restated-shares"

    slack: Fraction = Fraction(1)

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings against tables, and then those of the abstract."""
        said = [each for passage in passages(paper) for each in _shares(passage)]
        if not 0 < len(said) <= _MOST:
            return
        printed = tables(paper)
        for each in (one for one in said if one.of_all):
            found = [d for table in printed for d in divisions(table, each.whole, each.part)]
            wrong = [d for d in found if not self._allows(each.share, d.percent) and not d.gives(each.share)]
            if found and len(wrong) == len(found) and not _again(paper, printed, each):
                yield _table_remark(paper, each, wrong[0])
        yield from self._of_abstract(paper, printed, said)

    def _of_abstract(
        self, paper: Manuscript, printed: Sequence[PaperTable], said: Sequence[Said]
    ) -> Iterator[Remark]:
        """Shares of the abstract of which the text gives one other value, and only that."""
        summary = _abstract(paper)
        for each in said:
            if each.passage.block.id not in summary:
                continue
            others = [o for o in said if o.passage.block.id not in summary and o.is_of(each)]
            if not any(one.of_all for one in (each, *others)):
                continue
            if len({o.share.value for o in others}) == 1 and not _again(paper, printed, each):
                other = others[0]
                unit = 2 * max(each.share.half, other.share.half) * self.slack
                if abs(each.share.value - other.share.value) >= unit:
                    yield _abstract_remark(paper, each, other)

    def _allows(self, share: Number, percent: Fraction) -> bool:
        """True if a percentage may be printed so."""
        return abs(share.value - percent) < 2 * share.half * self.slack


_MOST = 200
"""A text that gives more shares of all is a listing."""
_WHOLE = (
    r"(?:(?P<all>all (?:of )?(?:the |our )?)|the |our )?"
    r"(?P<whole>(?!(?:this|its|his|us|others|ours|theirs|yours|sales|points)\b)"
    r"(?:[a-z][a-z-]*s|people|children|men|women|mice))"
)
_PERCENT = r"(?<![\w.,–−-])(?P<share>\d{1,3}(?:\.\d+)?)\s?%"
_VERB = r"(?:are|were|is|was|have been|had been)"
_SORTED = (
    r"(?:labell?ed|classified|rated|coded|marked|identified|reported|recorded|diagnosed|categori[sz]ed"
    r"|judged|considered)"
)
_NARROWS = (
    r"(?:in|at|for|during|after|before|within|on|among|from|by|when|if|where|until|since|under|per|between"
    r"|across|throughout|following|versus|compared|than|of)\b"
)
_PART = (
    rf"(?:{_SORTED} (?:to be |as )?)?(?:of |an? )?(?!(?:not|no|never|neither|then|still|more|less)\b)"
    r"(?P<part>[^\W\d_][\w-]*(?: [^\W\d_][\w-]*){0,2}?)"
    rf"(?=\s?(?:[.;)](?!\w)|,(?! (?:or|{_NARROWS}))|$)| (?:and|while|whereas|but)\b)"
)
_FORMS = (
    re.compile(rf"\b(?:[Aa]mong|[Oo]f|[Oo]ut of|[Ii]n) {_WHOLE},? {_PERCENT} {_VERB} {_PART}"),
    re.compile(rf"{_PERCENT} of {_WHOLE} (?:{_VERB} |(?={_SORTED})){_PART}"),
)
_FRONT = re.compile(
    r"(?:(?:overall|in total|in all|altogether|notably|however|here|moreover|finally|thus|hence|indeed"
    r"|as (?:shown |seen |listed |reported )?in table (?:\[#\]|\d+)|as table (?:\[#\]|\d+) shows"
    r"|(?:based on|according to|using) [^,;:]{1,120}),? )*"
    r"(?:we (?:found|find|see|saw|observed?|note|show|report) (?:that )?"
    rf"|(?:the|our) (?:results?|data|dataset|sample|survey|analysis) (?!{_NARROWS})"
    rf"(?:(?!{_NARROWS})[a-z]+,? ){{1,5}}?(?:with|that) )?",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"overall|in total|in all|altogether|\b(?:the|our) (?:dataset|sample|survey)", re.IGNORECASE
)
_OTHERS = re.compile(
    r"et al|literature|previous|earlier (?:stud|work)|reported (?:by|in)|"
    r"\b(?:19|20)\d\d\b|\bnot\b|\bif\b|suppose|assum|simulat|hypothetical",
    re.IGNORECASE,
)
_CITES = re.compile(r"\\[a-zA-Z]*cite|\[\d")


def _shares(passage: Passage) -> Iterator[Said]:
    """The shares of all that a passage gives without a condition, one of a sentence."""
    text = passage.text
    if "%" not in text:
        return
    for start, end in sentences(text):
        sentence = text[start:end]
        if "%" not in sentence or _OTHERS.search(sentence):
            continue
        found = next((m for form in _FORMS if (m := form.search(sentence))), None)
        if found is None or not _FRONT.fullmatch(sentence, 0, found.start()):
            continue
        at = found.start("share")
        first, last = passage.readable.original(start, end)
        if _CITES.search(passage.block.text, first, last):
            continue
        share = next((n for n in numbers(sentence) if n.start == at and n.unit == "%"), None)
        if share:
            share = replace(share, start=start + share.start, end=start + share.end)
            of_all = bool(found["all"] or _TOTAL.search(sentence, 0, found.start()))
            part = tuple(words(found["part"]))
            yield Said(passage, (start, end), share, found["whole"], part, of_all)


def _abstract(paper: Manuscript) -> set[str]:
    """The blocks of the abstract: those of its environment, or below its heading."""
    found: set[str] = set()
    inside = False
    for block in paper.blocks:
        if block.kind == "heading":
            inside = block.text.strip(" .*:\n").lower() == "abstract"
        elif inside or block.environment == "abstract":
            found.add(block.id)
    return found


def _again(paper: Manuscript, printed: Sequence[PaperTable], said: Said) -> bool:
    """True if another sentence or a table has the percentage too, with other digits or rounded."""
    if any(_alike(value, said.share) for table in printed for value in _percentages(table, said.share)):
        return True
    for passage in passages(paper):
        for number in numbers(passage.text):
            own = passage.block.id == said.passage.block.id
            if own and said.sentence[0] <= number.start < said.sentence[1]:
                continue
            if number.unit == "%" and _alike(number, said.share):
                return True
    return False


def _percentages(table: PaperTable, share: Number) -> Iterator[Number]:
    """The values of a table that could be percentages; a count is none where the share has decimals."""
    for (_, column), value in table.values.items():
        if value.unit == "%" or value.decimals > 0 or share.decimals == 0 or "%" in table.heading(column):
            yield value


def _alike(number: Number, share: Number) -> bool:
    return abs(number.value - share.value) <= max(number.half, share.half)


def _table_remark(paper: Manuscript, said: Said, division: Division) -> Remark:
    computed = f"{float(division.percent):.{max(said.share.decimals, 0) + 1}f}"
    return finding(
        paper,
        said.passage.span(said.share.start, said.share.end),
        division.table.span(*division.cells),
        rule=RestatedShares.name,
        title="A share in the text is not that of the counts in the table",
        body=(
            f"The table has {division.part} of {division.whole} {said.named}, which is {computed}%, "
            f"not {said.share}."
        ),
        arithmetic=f"100 × {division.part} / {division.whole} = {computed}; printed: {said.share}",
    )


def _abstract_remark(paper: Manuscript, said: Said, other: Said) -> Remark:
    return finding(
        paper,
        said.passage.span(said.share.start, said.share.end),
        other.passage.span(other.share.start, other.share.end),
        rule=RestatedShares.name,
        title="A share of the abstract is another in the text",
        body=(
            f"The abstract gives {said.share} of {said.named}, the text {other.share}; "
            f"{said.share} stands nowhere else."
        ),
        arithmetic=f"{said.share} ≠ {other.share}",
    )
