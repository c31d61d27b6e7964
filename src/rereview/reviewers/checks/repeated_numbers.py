"""A number that is printed again with another digit: in the same words, or beside the same statistic."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from rereview.reviewers.checks.prose import RUNNING, Passage, finding, passages
from rereview.text.numbers import Number, numbers
from rereview.text.reading import readable
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark

Value = tuple[Fraction, str]


class Word(NamedTuple):
    """A word of a passage in lower case, or a number (then `text` is "#")."""

    text: str
    number: Number | None


class Placed(NamedTuple):
    """A number where it is printed."""

    number: Number
    passage: Passage

    @property
    def value(self) -> Value:
        """The value with its unit."""
        return self.number.value, self.number.unit


class Stated(NamedTuple):
    """`ρ = −0.316`: a name with its value, and where."""

    name: str
    placed: Placed


@dataclass(frozen=True)
class RepeatedNumbers:
    """Two printings of one number of which one has a slip: one digit, two that changed places, the sign.

    That both are of one quantity is taken from the words around them, which must be the same, or from the
    statistic beside them. What is printed more often is taken for right, and the slip must stand only
    once in the paper: what is a value of its own mostly comes back in a table. Two numbers of one
    paragraph are compared by it, and are left alone.
    """

    name: ClassVar[str] = "repeated-numbers"

    digits: int = 3

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings: numbers in the same words, and then statistics that are printed in pairs."""
        read = list(passages(paper, RUNNING))
        times = _times(paper)
        told: set[tuple[str, int]] = set()
        for slip, other, why in (*self._in_same_words(read, times), *self._in_pairs(read, times)):
            place = (slip.passage.block.id, slip.number.start)
            if place not in told:
                told.add(place)
                yield _remark(paper, slip, other, why, times[other.value])

    def _in_same_words(
        self, read: Sequence[Passage], times: Counter[Value]
    ) -> Iterator[tuple[Placed, Placed, str]]:
        """A number that stands once, and one but for a digit that stands in the same words."""
        split = [_split(passage) for passage in read]
        for left, right, content, least in _WINDOWS:
            for key, placed in _between(split, left, right, content).items():
                if len(placed) > _MOST_PLACES:
                    continue
                back = [each for each in placed if times[each.value] > 1]
                for slip in placed if back else ():
                    if times[slip.value] != 1 or _significant(slip.number) < max(least, self.digits):
                        continue
                    usual = [other for other in back if is_slip(slip.number, other.number)]
                    if any(o.passage.block.id == slip.passage.block.id for o in usual):
                        continue
                    if usual and not _is_derived(slip, usual[0]):
                        yield slip, usual[0], f"both stand in the words “{key}”"

    def _in_pairs(
        self, read: Sequence[Passage], times: Counter[Value]
    ) -> Iterator[tuple[Placed, Placed, str]]:
        """A value that another has beside the same statistic elsewhere."""
        beside: dict[tuple[str, Value, str], list[Placed]] = defaultdict(list)
        for passage in read:
            for one, other in _pairs(passage):
                for a, b in ((one, other), (other, one)):
                    beside[a.name, a.placed.value, b.name].append(b.placed)
        for (name, (value, unit), other_name), placed in beside.items():
            values = Counter(each.value for each in placed)
            if len(values) != 2:  # noqa: PLR2004 - the usual and the other
                continue
            (usual, count), (rare, once) = values.most_common()
            slip, right = (next(each for each in placed if each.value == v) for v in (rare, usual))
            certain = count > 1 and _digits(float(value)) >= self.digits
            if (
                once == 1
                and times[rare] == 1
                and count > 1
                and (certain or is_slip(slip.number, right.number))
            ):
                yield slip, right, f"both are {other_name} beside {name} = {float(value):g}{unit}"


_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*|\d[\d.,]*|[=<>≤≥±+−–;:]|\.(?!\d)")
_STOPS = {".", ";", ":", "#"}
_EMPTY = frozenset(
    [
        "that",
        "this",
        "with",
        "from",
        "than",
        "were",
        "been",
        "have",
        "which",
        "where",
        "their",
        "these",
        "those",
        "into",
        "over",
        "only",
        "also",
        "about",
        "more",
        "most",
        "each",
        "both",
        "such",
        "other",
        "while",
    ]
)
_LONG_WORD = 4
_WINDOWS = (
    (3, 3, 2, 3), (2, 2, 2, 3), (4, 1, 2, 3), (1, 4, 2, 3), (3, 1, 2, 3), (1, 3, 2, 3), (1, 2, 2, 3),
    (2, 1, 2, 3), (4, 0, 2, 3), (0, 3, 2, 3), (0, 2, 2, 3), (0, 1, 1, 4),
)  # fmt: skip
"""Words before, words after, how many of them must say something, and digits of the number."""
_MOST_PLACES = 100
"""Words around more numbers than these number things, or list values that are to differ."""
_FIRST_YEAR, _LAST_YEAR = 1800, 2100


def _words(text: str) -> list[Word]:
    """The words, signs and numbers of a text, in order."""
    found: list[Word] = []
    done = 0
    for number in numbers(text):
        found += [Word(each[0].lower(), None) for each in _WORD.finditer(text, done, number.start)]
        found.append(Word("#", number))
        done = number.end
    return found + [Word(each[0].lower(), None) for each in _WORD.finditer(text, done)]


class Split(NamedTuple):
    """The words of a passage, which of them are numbers, and which of them say something."""

    passage: Passage
    words: list[str]
    numbers: dict[int, Number]


def _split(passage: Passage) -> Split:
    words = _words(passage.text)
    numbered = {at: word.number for at, word in enumerate(words) if word.number and not _is_year(word.number)}
    return Split(passage, [word.text for word in words], numbered)


def _between(split: Sequence[Split], left: int, right: int, content: int) -> dict[str, list[Placed]]:
    """The numbers that stand between the same words, without those that stand there alone."""
    found: dict[str, list[Placed]] = defaultdict(list)
    for passage, words, numbered in split:
        for at, number in numbered.items():
            if at < left or at + right >= len(words) or (left + right == 1 and number.decimals > 0):
                continue
            around = (*words[at - left : at], *words[at + 1 : at + 1 + right])
            if _STOPS.isdisjoint(around) and len(set(filter(_says, around))) >= content:
                key = " ".join([*around[:left], "…", *around[left:]])
                found[key].append(Placed(number, passage))
    return {key: placed for key, placed in found.items() if len(placed) > 1}


def _is_derived(slip: Placed, other: Placed) -> bool:
    """True if the difference of the two is printed beside one of them: one was computed from the other."""
    gap = abs(slip.number.value - other.number.value)
    near = (*numbers(slip.passage.text), *numbers(other.passage.text))
    return any(abs(each.value) == gap for each in near)


def _says(word: str) -> bool:
    return len(word) >= _LONG_WORD and word not in _EMPTY


def _is_year(number: Number) -> bool:
    return number.decimals == 0 and _FIRST_YEAR <= number.value <= _LAST_YEAR


def _times(paper: Manuscript) -> Counter[Value]:
    """How often each value is printed in the paper, tables and formulas included, with any unit but %."""
    found: Counter[Value] = Counter()
    for block in paper.blocks:
        if block.kind != "reference":
            for number in numbers(readable(block.text, format=paper.format).text):
                found[number.value, number.unit] += 1
    bare: Counter[Fraction] = Counter()
    for (value, _), count in found.items():
        bare[value] += count
    return Counter({(value, unit): bare[value] for value, unit in found})


def _significant(number: Number) -> int:
    """How many digits say something: without zeros in front and at the end of whole numbers."""
    if number.decimals <= 0:
        return _digits(float(number.value))
    return len(_printed(number).replace(".", "").lstrip("0"))


def _digits(value: float) -> int:
    return len(f"{abs(value):.10g}".replace(".", "").strip("0"))


def _printed(number: Number) -> str:
    return f"{abs(float(number.value)):.{max(number.decimals, 0)}f}"


def is_slip(one: Number, other: Number) -> bool:
    """True if two numbers differ in one digit, in two digits that changed places, or in the sign."""
    if one.unit != other.unit or one.value == other.value:
        return False
    if one.value == -other.value:
        return True
    first, second = _printed(one), _printed(other)
    if len(first) != len(second) or (one.value < 0) != (other.value < 0):
        return False
    apart = [i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    if len(apart) == 1:
        return True
    return len(apart) == 2 and sorted(first) == sorted(second)  # noqa: PLR2004 - two digits


_STATED = re.compile(
    r"(?<![\w\\^_])(?P<name>[A-Za-zα-ωΑ-Ω]{1,4}(?:\^2|²|_\w+)?)(?:\s?\([\d., ]+\))?\s?=\s?(?=[-−–+]?\s?\.?\d)"
)
_NEXT = re.compile(r"[\s,;)(]{0,4}(?:and\s|with\s)?")


def _pairs(passage: Passage) -> Iterator[tuple[Stated, Stated]]:
    """Statistics that are printed side by side: `ρ = −0.316, p = 0.013`."""
    text = passage.text
    if "=" not in text:
        return
    starts = {number.start: number for number in numbers(text)}
    stated: list[tuple[Stated, int, int]] = []
    for found in _STATED.finditer(text):
        number = next((starts[at] for at in range(found.end(), found.end() + 3) if at in starts), None)
        if number:
            stated.append((Stated(found["name"], Placed(number, passage)), found.start(), number.end))
    for (one, _, end), (other, start, _) in itertools.pairwise(stated):
        if start >= end and _NEXT.fullmatch(text, end, start) and one.name != other.name:
            yield one, other


def _remark(paper: Manuscript, slip: Placed, other: Placed, why: str, times: int) -> Remark:
    return finding(
        paper,
        slip.passage.span(slip.number.start, slip.number.end),
        other.passage.span(other.number.start, other.number.end),
        rule=RepeatedNumbers.name,
        title="A number is printed elsewhere with another value",
        body=f"{slip.number} stands here, and {other.number} elsewhere ({times} times in the paper): {why}.",
        arithmetic=f"{slip.number} ≠ {other.number}",
    )
