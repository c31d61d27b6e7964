"""Counts and shares in a sentence that do not add up: `120 patients (70 men and 60 women)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from rereview.reviewers.checks.prose import Passage, finding, passages
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark


class Parted(NamedTuple):
    """A whole and the parts that are said to make it up, with the places of both."""

    whole: int
    parts: tuple[int, ...]
    percent: bool
    place: tuple[int, int]
    against: tuple[int, int]


@dataclass(frozen=True)
class SampleSizes:
    """A whole in a sentence that is not the sum of the parts that it is divided into.

    The parts must be all: groups that exclude each other and leave nothing out (men and women,
    training and test), or words that say so ("consisting of", "divided into").
    """

    name: ClassVar[str] = "sample-sizes"

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings in reading order."""
        for passage in passages(paper):
            for parted in (*parted_counts(passage.text), *splits(passage.text)):
                if sum(parted.parts) != parted.whole:
                    yield _remark(paper, passage, parted)


_COUNT = r"(?<![\w.,–-])(\d{1,3}(?:,\d{3})+|\d+)(?![\w%]|[.,]\d|\s?[×–%])"
_NUMBER = re.compile(_COUNT)
_OPPOSED = (
    r"\b(?:male|men|boy|man)s?\b.*\b(?:female|women|girl|woman)s?\b",
    r"\b(?:female|women|girl|woman)s?\b.*\b(?:male|men|boy|man)s?\b",
    r"\btrain\w*\b.*\b(?:test|validation|held[- ]out)\w*\b",
    r"\b(?:treat\w+|intervention|experimental|active)\b.*\b(?:control|placebo|sham)s?\b",
    r"\b(?:control|placebo|sham)s?\b.*\b(?:treat\w+|intervention|experimental|active)\b",
    r"\bcases?\b.*\bcontrols?\b",
    r"\b(?:positive|benign|healthy)\b.*\b(?:negative|malignant|diseased|patients)\b",
    r"\bnegative\b.*\bpositive\b",
    r"\b(?:urban)\b.*\b(?:rural)\b|\brural\b.*\burban\b",
    r"\b(?:smokers)\b.*\bnon-?smokers\b",
)
_ALL = re.compile(
    r"\b(?:consist(?:s|ing|ed)? of|compris(?:es|ing|ed)|divided into|split into|partitioned into"
    r"|made up of|broken down into|were assigned to|randomi[sz]ed to)\b[^.;]{0,40}$|:\s*$",
)
_PARTIAL = re.compile(
    r"\b(?:including|includes?|e\.g\.|among|such as|mainly|mostly|at least|up to|about"
    r"|approximately|roughly|around"
    r"|over|more than|nearly|almost|respectively|of whom|of which|both|each|per|additional"
    r"|another|other|remaining"
    r"|rest|exclud\w*|missing|unknown|withdr\w+|dropped|lost|out of|some|several|overlap\w*"
    r"|pairs?|versus|vs)\b"
    r"|[~∼≈<>≤≥±×*]",
    re.IGNORECASE,
)
_BRACKET = re.compile(rf"{_COUNT}(?P<noun>(?:\s[A-Za-z][A-Za-z-]*){{1,6}}?)\s?\((?P<inside>[^()]{{5,160}})\)")
_AFTER = re.compile(
    rf"{_COUNT}(?P<noun>(?:\s[A-Za-z][A-Za-z-]*){{1,4}}?)(?P<link>:\s|,?\s(?:consisting of"
    rf"|comprising|divided into"
    r"|split into|partitioned into|made up of)\s)(?P<inside>[^.;:()]{5,160})(?=[.;(]|$)"
)


def parted_counts(text: str) -> Iterator[Parted]:
    """The wholes of a passage with all of their parts: in brackets behind, or after a colon."""
    for form in (_BRACKET, _AFTER):
        for found in form.finditer(text):
            before = text[max(0, found.start() - 30) : found.start()]
            said = found["noun"] + " " + found["inside"]
            if _PARTIAL.search(said) or re.search(r"(?:of|from|the|these|those|other)\s(?:the\s)?$", before):
                continue
            parts = _parts(found["inside"])
            linked = "link" in form.groupindex and found["link"].strip() != ":"
            whole = _value(found[1])
            opposed = _exclude_each_other(found["inside"], len(parts)) and not _some_unsaid(whole, parts)
            if len(parts) > 1 and (linked or opposed or _one_digit_off(whole, parts)):
                yield Parted(whole, parts, percent=False, place=found.span(1), against=found.span("inside"))


def _parts(inside: str) -> tuple[int, ...]:
    """The counts of a list of which each item is one count; nothing where an item has none or two."""
    pieces = [piece for piece in re.split(r";|,(?!\d{3})|\band\b|\+", inside) if piece.strip()]
    counts = [_NUMBER.findall(re.sub(r"\d+(?:\.\d+)?\s?%", "", piece)) for piece in pieces]
    if any(len(each) != 1 for each in counts) or any(
        not re.search(r"[A-Za-z]{2}", piece) for piece in pieces
    ):
        return ()
    return tuple(_value(each[0]) for each in counts)


_TWO = 2
_MANY = 3


def _exclude_each_other(inside: str, count: int) -> bool:
    """True if the parts leave nothing out and share nothing: two groups of one division."""
    words = inside.lower()
    if re.search(r"\bvalid", words) and re.search(r"\btest", words) and re.search(r"\btrain", words):
        return count == _MANY
    return count == _TWO and any(re.search(pair, words) for pair in _OPPOSED)


def _some_unsaid(whole: int, parts: tuple[int, ...]) -> bool:
    """True if less than a tenth is missing: people who did not say, animals whose sex nobody knows."""
    return 0 < whole - sum(parts) < whole / 10


_LARGE = 1000


def _one_digit_off(whole: int, parts: tuple[int, ...]) -> bool:
    """True if three and more parts make a large whole but for one digit: numbers meet so by no accident."""
    gap = str(abs(whole - sum(parts))).rstrip("0")
    near = abs(whole - sum(parts)) * 10 < whole
    return len(parts) >= _MANY and whole >= _LARGE and len(gap) == 1 and near


_PERCENT = r"(\d{1,3}(?:\.\d+)?)\s?%"
_SPLIT = re.compile(
    rf"{_PERCENT}\s?(?:of [a-z ]{{1,20}}\s)?(?:for\s|as\s|\()?(?:the\s)?train\w*\b[^.;%\d]{{0,30}}?{_PERCENT}"
    rf"\s?(?:for\s|as\s|\()?(?:the\s)?(?P<second>validat\w*|dev\w*|test\w*"
    rf"|tuning)\b(?:[^.;%\d]{{0,30}}?{_PERCENT}"
    r"\s?(?:for\s|as\s|\()?(?:the\s)?(?P<third>test\w*|validat\w*|held\w*|evaluat\w*))?"
)
_RATIO = re.compile(
    r"(?<![\d/:.])(\d{1,2})\s?(?P<mark>[/:–-])\s?(\d{1,2})(?:\s?(?P=mark)\s?(\d{1,2}))?(?![\d/:%])"
    r"(?:\s?%)?\s(?P<word>(?:train\w*|random|stratified|data)\s?(?:[/:–-]\s?\w+\s?)*(?:split"
    r"|ratio|partition)|split)"
)


def splits(text: str) -> Iterator[Parted]:
    """Divisions of data in per cent, which must make up 100."""
    for found in _SPLIT.finditer(text):
        parts = [each for each in (found[1], found[2], found[4]) if each]
        whole = found["third"] or not found["second"].startswith(("valid", "dev", "tun"))
        if all(each.isdigit() for each in parts) and whole and sum(map(int, parts)) > 50:  # noqa: PLR2004 - percent
            yield Parted(100, tuple(map(int, parts)), percent=True, place=found.span(), against=found.span())
    for found in _RATIO.finditer(text):
        ratio = tuple(int(each) for each in (found[1], found[3], found[4]) if each)
        if sum(ratio) > _LIKE_PERCENT and all(each >= _SMALLEST_SHARE for each in ratio):
            yield Parted(100, ratio, percent=True, place=found.span(), against=found.span())


_LIKE_PERCENT, _SMALLEST_SHARE = 60, 5


def _value(text: str) -> int:
    return int(text.replace(",", ""))


def _remark(paper: Manuscript, passage: Passage, parted: Parted) -> Remark:
    unit = "%" if parted.percent else ""
    total = " + ".join(f"{each}{unit}" for each in parted.parts)
    places = [passage.span(*parted.place)]
    if parted.against != parted.place:
        places.append(passage.span(*parted.against))
    return finding(
        paper,
        *places,
        rule=SampleSizes.name,
        title="The parts of a division do not add up",
        body=f"The parts make {sum(parted.parts)}{unit}, the whole is {parted.whole}{unit}.",
        arithmetic=f"{total} = {sum(parted.parts)}{unit}; printed: {parted.whole}{unit}",
    )
