"""An equation that is printed twice and differs in one sign, index or constant."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, NamedTuple

from rereview.reviewers.checks.formulas import BREAK, Formula, formulas, statements
from rereview.reviewers.checks.prose import finding
from rereview.text.plurals import many
from rereview.text.reading import readable
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark

Tokens = tuple[str, ...]


class Printed(NamedTuple):
    """What a left side is said to equal, by the places of its tokens; `statement` numbers its chain."""

    words: Tokens
    formula: Formula
    first: int
    last: int
    statement: int


class Apart(NamedTuple):
    """Where two rows of tokens part: as many tokens are the same before and after; what stands between."""

    before: int
    after: int
    one: Tokens
    other: Tokens


@dataclass(frozen=True)
class RepeatedEquations:
    """Two printings of one equation, or of one expression, of which one has another sign or number.

    An equation: the same left side, and right sides of at least `shortest` tokens that differ in one. An
    expression: a sign, relation, number or extreme that stands between the same tokens in at least
    `often` blocks, and once another one does.
    """

    name: ClassVar[str] = "repeated-equations"

    shortest: int = 8
    often: int = 3

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings: equations first, then expressions that are no part of one."""
        said = list(formulas(paper))
        told: set[tuple[str, int]] = set()
        for one, other, apart in self._equations(said):
            place = _place(other, apart)
            told.add(place)
            yield _equation_remark(paper, one, other, apart)
        for found in self._expressions(said):
            place = (found.formula.block.id, found.formula.tokens[found.at].start)
            if place not in told:
                told.add(place)
                yield _expression_remark(paper, found)

    def _equations(self, said: Sequence[Formula]) -> Iterator[tuple[Printed, Printed, Apart]]:
        """Pairs of right sides of one left side: what is printed more often or earlier, and the other."""
        for printed in _right_sides(said).values():
            variants: dict[Tokens, list[Printed]] = defaultdict(list)
            for each in printed:
                variants[each.words].append(each)
            if len(variants) > _MOST_VARIANTS:
                continue
            near = [
                (a, b, apart)
                for a, b in combinations(variants, 2)
                if (apart := _apart(a, b)) and self._tells(a, b, apart)
            ]
            if len(near) != 1:
                continue
            a, b, apart = near[0]
            if {p.statement for p in variants[a]} & {p.statement for p in variants[b]}:
                continue
            if len(variants[b]) > len(variants[a]):
                a, b, apart = b, a, Apart(apart.before, apart.after, apart.other, apart.one)
            yield variants[a][0], variants[b][-1], apart

    def _tells(self, one: Tokens, other: Tokens, apart: Apart) -> bool:
        """True if one printing must be a slip of the other."""
        if min(len(one), len(other)) < self.shortest or not _OPERATORS & set(one):
            return False
        changed = {*apart.one, *apart.other}
        if len(apart.one) > 1 or len(apart.other) > 1 or not changed:
            return False
        if all(each in _SIGNS for each in changed) or all(each in _EXTREMES for each in changed):
            return True
        if not all(_NUMBER.fullmatch(each) for each in changed):
            return False
        previous = one[apart.before - 1] if apart.before else ""
        return previous not in {"_", "=", "|"} or min(len(one), len(other)) >= 2 * self.shortest

    def _expressions(self, said: Sequence[Formula]) -> Iterator[Unlike]:
        """What stands between the same tokens many times, and once is something else of its kind."""
        for left, right, kinds, names, often in _WINDOWS:
            for variants in _between(said, left, right, kinds, names).values():
                if len(variants) != 2:  # noqa: PLR2004 - the usual and the other
                    continue
                (usual, many), (_, once) = sorted(variants.items(), key=lambda item: -len(item[1]))
                if len(once) == 1 and len({formula.block.id for formula, _ in many}) >= max(
                    often, self.often
                ):
                    formula, at = once[0]
                    yield Unlike(usual, len(many), formula, at, (at - left, at + right))


class Unlike(NamedTuple):
    """A token that is another than in the usual printings of its surroundings, the tokens `window`."""

    usual: str
    times: int
    formula: Formula
    at: int
    window: tuple[int, int]


Between = dict[tuple[Tokens, Tokens], dict[str, list[tuple[Formula, int]]]]


def _between(
    said: Sequence[Formula], left: int, right: int, kinds: Sequence[set[str]], names: int
) -> Between:
    """What stands between `left` and `right` tokens: by these and by its kind, each with its places."""
    found: Between = defaultdict(lambda: defaultdict(list))
    for formula in said:
        words = tuple(token.text for token in formula.tokens)
        for at in range(left, len(words) - right):
            word = words[at]
            if any(word in kind for kind in kinds) or (len(kinds) > 1 and _NUMBER.fullmatch(word)):
                key = (words[at - left : at], words[at + 1 : at + 1 + right])
                if BREAK not in key[0] + key[1] and _letters(key[0] + key[1]) >= names:
                    found[key][word].append((formula, at))
    return found


_SIGNS = {"+", "-", r"\pm", r"\mp"}
_EXTREMES = {r"\min", r"\max", r"\sup", r"\inf", "min", "max", r"\argmin", r"\argmax", r"\arg"}
_OPERATORS = {
    "+", "-", r"\pm", r"\frac", r"\sum", r"\int", r"\prod", r"\cdot", r"\times", "/", r"\sqrt",
    r"\log", r"\exp",
    r"\partial", r"\nabla", r"\min", r"\max", r"\sup", r"\inf",
}  # fmt: skip
_RELATED = {r"\leq", r"\geq", "<", ">", r"\subset", r"\subseteq", r"\in", r"\notin", "=", r"\neq"}
_FUNCTIONS = {r"\sum", r"\prod", r"\cup", r"\cap", r"\times", r"\cdot", r"\sin", r"\cos", r"\log", r"\exp"}
_ALL = (_SIGNS, _EXTREMES, _RELATED, _FUNCTIONS)
_WINDOWS = (
    (3, 3, _ALL, 4, 3), (5, 5, _ALL, 4, 3), (4, 4, (_SIGNS,), 3, 3), (3, 3, (_SIGNS,), 2, 5),
    (2, 7, (_SIGNS,), 4, 3), (7, 2, (_SIGNS,), 4, 3), (3, 6, (_SIGNS,), 4, 3), (6, 3, (_SIGNS,), 4, 3),
)  # fmt: skip
"""Tokens before and after that must be the same, what may differ, how many names, in how many blocks."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NAME = re.compile(r"[A-Za-zα-ωΑ-Ω]|\\[A-Za-z]{2,}|[A-Za-z]{2,}")
_EQUALS = {"=", ":=", r"\triangleq"}
_LONGEST_LEFT = 24
_MOST_VARIANTS = 50
"""What is said to equal more things than these is a name that each place uses anew."""


def _right_sides(said: Sequence[Formula]) -> dict[Tokens, list[Printed]]:
    """For each left side what it is said to equal, in the order of the paper."""
    found: dict[Tokens, list[Printed]] = defaultdict(list)
    number = 0
    for formula in said:
        for statement in statements(formula):
            number += 1
            left = statement.side(0)
            if len(left) > _LONGEST_LEFT or not _letters(left):
                continue
            for k, side in enumerate(statement.sides[1:]):
                if statement.relation(k) not in _EQUALS:
                    break
                found[left].append(Printed(statement.side(k + 1), formula, *side, number))
    return found


def _apart(one: Tokens, other: Tokens) -> Apart | None:
    """Where two rows part; None for rows of very different length."""
    if abs(len(one) - len(other)) > 1:
        return None
    shorter = min(len(one), len(other))
    before = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    after = next((i for i in range(shorter - before) if one[-1 - i] != other[-1 - i]), shorter - before)
    return Apart(before, after, one[before : len(one) - after], other[before : len(other) - after])


def _letters(words: Tokens) -> int:
    """How many different names some tokens hold."""
    return len({word for word in words if _NAME.fullmatch(word)})


def _place(printed: Printed, apart: Apart) -> tuple[str, int]:
    at = min(printed.first + apart.before, printed.last)
    return printed.formula.block.id, printed.formula.tokens[at].start


def _shown(text: str) -> str:
    return readable(text, format="latex").text.lstrip("\\")


def _equation_remark(paper: Manuscript, one: Printed, other: Printed, apart: Apart) -> Remark:
    first, second = (
        " ".join(_shown(word) for word in side) or "nothing" for side in (apart.one, apart.other)
    )
    return finding(
        paper,
        other.formula.span(other.first, other.last),
        one.formula.span(one.first, one.last),
        rule=RepeatedEquations.name,
        title="The same equation is printed with a different sign or number",
        body=f"Both are said of the same left side; one has “{first}” where the other has “{second}”.",
        arithmetic=f"“{first}” ≠ “{second}”"
        f" after {many(apart.before, 'equal symbol')} and before {apart.after}",
        severity="moderate",
    )


def _expression_remark(paper: Manuscript, found: Unlike) -> Remark:
    usual, this = _shown(found.usual), _shown(found.formula.tokens[found.at].text)
    return finding(
        paper,
        found.formula.span(*found.window),
        rule=RepeatedEquations.name,
        title="An expression is printed with another sign or number than everywhere else",
        body=f"Between the same symbols “{usual}” stands {found.times} times, and “{this}” only here.",
        arithmetic=f"“{usual}” {found.times} times, “{this}” once",
        severity="minor",
    )
