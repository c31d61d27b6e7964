"""Claims of change as text makes them: from one number to another, in which direction, by how much.

A claim is read only where its words are close together and say one thing; ranges, axes, years and
denied or possible changes are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rereview.text.numbers import Number, numbers

_DOWN = (
    r"reduc(?:e[sd]?|ing|tions?)|decreas(?:e[sd]?|ing)|drop(?:s|ped|ping)?|declin(?:e[sd]?|ing)|fall(?:s|en|ing)?|fell"
    r"|lower(?:s|ed|ing)?|shr[aiu]nk(?:s|ing)?|diminish(?:e[sd]|ing)?|cut(?:s|ting)?|halv(?:e[sd]|ing)"
)
_UP = (
    r"increas(?:e[sd]?|ing)|rise[sn]?|rising|rose|gr[eo]w(?:s|n|ing|th)?|rais(?:e[sd]?|ing)|climb(?:s|ed|ing)?"
    r"|jump(?:s|ed|ing)?|doubl(?:e[sd]|ing)|tripl(?:e[sd]|ing)|trebled|quadrupl(?:e[sd]|ing)"
)
_BETTER = r"improv(?:e[sd]?|ing|ements?)|gain(?:s|ed)?|enhanc(?:e[sd]|ing|ements?)|faster|speed-?ups?|quicker"
CHANGE_WORD = re.compile(rf"\b(?:(?P<down>{_DOWN})|(?P<up>{_UP})|(?P<better>{_BETTER}))\b", re.IGNORECASE)
HEDGE = re.compile(
    r"\b(?:not|no|never|without|may|might|could|would|can|should|if|whether|unclear|expect\w*|hypothes\w*|aims?"
    r"|unlikely|except|most|almost|nearly all|suppose|assum\w*|rather than|instead of|fail\w*|neither|nor"
    r"|cannot|target\w*|goal)\b"
    r"|n't\b|n’t\b",
    re.IGNORECASE,
)
_ABOUT = (
    r"about|approximately|approx\.|roughly|around|nearly|almost|some|circa|ca\.|close to|\\sim|∼|~|≈|\\approx"
)
_APPROXIMATE = re.compile(rf"(?:\b|(?=[\\∼~≈]))(?:{_ABOUT})[\s$~]*$", re.IGNORECASE)
_FILLER = re.compile(
    rf"(?:[\s$~(]|{_ABOUT}|\b(?:an?|the|our|its|average|mean|median|baseline|peak|initial|total|of|value|level)\b|\\[$,]|€|£)*+",
    re.IGNORECASE,
)
_UNITS = r"(?:[\s$}]*(?:\\[,;%~]|~)*[\s$]*(?:\\(?:text|mathrm|mu|si|,)\b\{?)?[A-Za-zµμ°%/²³·]{1,12}\}?\$?)"
_TO = re.compile(
    rf"{_UNITS}{{0,3}}?[\s$}}]*(?:\((?!from)[^()\d]{{0,30}}\)\s*)?"
    r"(?:\b(?:in|for|at|with|under|during|before|without|on|by|using)\s(?:[^.;()]|\.\d){0,60}?\s)?,?\s*(?:down\s|up\s)?to\s+"
)
_ARROW = re.compile(r"[\s$]*(?:→|\\(?:to|rightarrow)(?![a-zA-Z]))[\s$]*")
_RANGE = re.compile(
    r"\b(?:rang\w*|var(?:y|ies|ied|ying)|between|span\w*|anywhere|values|sizes|interval\w*|extend\w*|going|moving"
    r"|switch\w*|changing|scal\w*|passing|shift\w*|sweep\w*|distance|period|dates?|years?|transition\w*|steps?)\s+$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)(?<!\bFig)(?<!\bEq)(?P<stop>[.!?;])(?=\s|$)|\n\s*\n|\\(?:item|end)\b"
)


class Place(NamedTuple):
    """`text[start:end]`."""

    start: int
    end: int


class Pair(NamedTuple):
    """Two numbers that a change goes between, and where the pair begins (at its `from`)."""

    before: Number
    after: Number
    start: int


@dataclass(frozen=True)
class Change:
    """A claim that something went from `before` to `after`.

    `sentence` is where it stands and `place` its own words. `direction` is -1, 0 or 1: what the word
    says (0: no word, or only that it is better). `percent` is the stated size, `tolerance` by how
    much it may be off besides its rounding.
    """

    sentence: Place
    place: Place
    before: Number
    after: Number
    word: str
    direction: int
    better: bool
    percent: Number | None = None
    tolerance: Fraction = Fraction(0)
    tight: bool = False
    """True if the word and the numbers are one phrase ("increased from 12 to 9")."""


LONGEST_SENTENCE = 2000
_LONGEST_ABOUT = 20


def sentences(text: str) -> Iterator[Place]:
    """The sentences and list items of a block, without white space at their ends.

    What is longer than any sentence (a data listing, a broken file) is left out.
    """
    start = 0
    for end in (*(m.end() if m["stop"] else m.start() for m in _SENTENCE_END.finditer(text)), len(text)):
        inner = text[start:end]
        if inner.strip() and len(inner) <= LONGEST_SENTENCE:
            left = start + len(inner) - len(inner.lstrip())
            yield Place(left, start + len(inner.rstrip()))
        start = end


def within(found: Sequence[Number], sentence: Place) -> Sequence[Number]:
    """Those of these numbers, which are in order, that begin in a sentence."""
    first = bisect_left(found, sentence.start, key=_start)
    return found[first : bisect_left(found, sentence.end, lo=first, key=_start)]


def _start(number: Number) -> int:
    return number.start


def changes(text: str) -> Iterator[Change]:
    """The claims of change in the text of a block, in order."""
    found = list(numbers(text))
    for sentence in sentences(text):
        inside = within(found, sentence)
        for pair in _pairs(text, sentence, inside):
            change = _change(text, sentence, inside, pair)
            if change and not HEDGE.search(text, sentence.start, change.place.end):
                yield change


def _pairs(text: str, sentence: Place, inside: Sequence[Number]) -> Iterator[Pair]:
    """The pairs of a sentence: `from A to B`, `A → B`."""
    for i, before in enumerate(inside):
        opening = _opening(text, sentence, before)
        for after in inside[i + 1 : i + 3]:
            between = text[before.end : after.start]
            if opening is None and (arrow := _ARROW.match(between)) and arrow.end() == len(between):
                yield Pair(before, after, before.start)
                break
            to = _TO.match(between) if opening is not None else None
            if to and _FILLER.fullmatch(between, to.end()):
                yield Pair(before, after, opening or 0)
                break


def _opening(text: str, sentence: Place, before: Number) -> int | None:
    """Where the `from` of a number stands; None where there is none, or where it opens a range."""
    words = list(
        re.compile(r"\bfrom\b", re.IGNORECASE).finditer(
            text, max(sentence.start, before.start - 60), before.start
        )
    )
    if not words or not _FILLER.fullmatch(text, words[-1].end(), before.start):
        return None
    start = words[-1].start()
    return None if _RANGE.search(text, sentence.start, start) else start


def _change(text: str, sentence: Place, inside: Sequence[Number], pair: Pair) -> Change | None:
    """The claim around a pair; None if no word of change belongs to it."""
    before, after, start = pair
    left = max([sentence.start, *(n.end for n in inside if n.end <= start and n.unit != "%")])
    percent, span = _percent(text, inside, start, after)
    word = _word(text, left, start, after.end, span)
    if word is None:
        return None
    direction = -1 if word["down"] else 1 if word["up"] else 0
    gap = text[word.end() : start]
    tight = (
        word.end() <= start
        and re.fullmatch(r"[\s(]*(?:(?:in|of|the|its|[a-z-]+)\s+){0,5}[(]?", gap) is not None
    )
    loose = re.search(r"\b(?:when|as|while|with|by|for|over|if|to|than|and|until|at)\b", gap)
    if tight and loose and percent is None:
        return None
    place = Place(min(word.start(), start, span.start), max(after.end, word.end(), span.end))
    return Change(
        sentence,
        place,
        before,
        after,
        word[0],
        direction,
        bool(word["better"]),
        percent,
        _tolerance(text, percent),
        tight and not loose,
    )


def _percent(text: str, inside: Sequence[Number], start: int, after: Number) -> tuple[Number | None, Place]:
    """The percentage that states the size of a change, right before or right after the pair."""
    nothing = Place(start, after.end)
    for number in inside:
        if number.unit != "%" or number.value == 0:
            continue
        if number.end <= start and _states_size(text[number.end : start]):
            bound = re.search(
                r"\b(?:than|to|least|over|above|below|under|most|and|[-–])\s*$",
                text[max(number.start - _LONGEST_ABOUT, 0) : number.start],
            )
            return (None if bound else number), Place(number.start, after.end)
        gap = text[after.end : number.start]
        if number.start > after.end and _SIZE_AFTER.fullmatch(gap):
            tail = text[number.end : number.end + 40]
            if re.match(r"[\s-]*(?:CI|confidence|points?|percentage|pp\b|of\b)", tail) or re.search(
                r"\bthan\s*$", gap
            ):
                return None, nothing
            word = re.match(r"[\s-]*(?:relative\s|overall\s)?([a-z]+)", tail)
            end = number.end + (word.end() if word and CHANGE_WORD.fullmatch(word[1]) else 0)
            return number, Place(start, end)
    return None, nothing


_SIZE_AFTER = re.compile(
    r"[\s$}\\%]*(?:[A-Za-z/°µ]{1,8}[\s$]*){0,2}[,(—–-]+\s*(?:(?:i\.e\.,?|or|an?|the|about|approximately"
    r"|roughly|nearly|corresponding to|representing|which is|that is|relative|overall|[-−+$~]"
    r"|(?:reduction|decrease|drop|decline|increase|rise|improvement|gain|change) of)\s*)*"
)


def _states_size(gap: str) -> bool:
    """True if the words between a percentage and `from` belong to both: "20% reduction in use (from"."""
    if re.match(r"[\s-]*(?:CI\b|confidence|points?\b|percentage|pp\b|of\b)", gap) or re.search(
        r"[.;:]|\d", gap
    ):
        return False
    if len(gap) > 80:  # noqa: PLR2004 - a clause
        return False
    return not gap.strip(" (,$}") or CHANGE_WORD.search(gap) is not None


def _word(text: str, left: int, start: int, end: int, span: Place) -> re.Match[str] | None:
    """The word of change nearest to a pair: before it, or in the size that follows it."""
    earlier = list(CHANGE_WORD.finditer(text, max(left, start - 90), start))
    if earlier and not re.search(r"[;:]", text[earlier[-1].end() : start]):
        return earlier[-1]
    return next(CHANGE_WORD.finditer(text, end, max(span.end, end)), None)


def is_about(text: str, at: int) -> bool:
    """True if the word before this place says that what follows is only about right."""
    return _APPROXIMATE.search(text[max(at - _LONGEST_ABOUT, 0) : at]) is not None


def _tolerance(text: str, percent: Number | None) -> Fraction:
    """A twentieth of a percentage that is only about right, else nothing."""
    if percent is None or not is_about(text, percent.start):
        return Fraction(0)
    return max(abs(percent.value) / 20, Fraction(1))
