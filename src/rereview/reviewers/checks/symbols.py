"""Symbols with two meanings, symbols that nothing explains, and explanations of what no formula holds."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, NamedTuple

from rereview.reviewers.checks.formulas import Formula, formulas, statements
from rereview.reviewers.checks.prose import finding
from rereview.text.plurals import many
from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Remark

Tokens = tuple[str, ...]


class Defined(NamedTuple):
    """A symbol with what it is said to be; `start:end` holds both in the block."""

    symbol: Tokens
    meaning: str
    formula: Formula
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(block_id=self.formula.block.id, start=self.start, end=self.end)


@dataclass(frozen=True)
class Symbols:
    """What a paper says of its symbols in "where x is the …", against its formulas.

    Letters for indices, constants of nature and functions that everybody knows need no words.
    """

    name: ClassVar[str] = "symbols"

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings: two meanings, then what equations leave out or do not hold."""
        said = list(formulas(paper))
        inside: dict[str, list[Formula]] = defaultdict(list)
        for formula in said:
            inside[formula.block.id].append(formula)
        defined = [each for block in paper.blocks for each in definitions(block, inside[block.id])]
        yield from _with_two_meanings(paper, defined)
        yield from _around_equations(paper, said, inside, defined)


_DEFINES = re.compile(
    r"\$(?P<symbol>[^$]{1,60})\$\s+(?:is|are|denotes?|represents?|stands for|indicates?)\s+the\s+"
    r"(?P<meaning>[a-z][a-z-]*(?:[\s~]+[a-z][a-z-]*){0,7})(?=[\s,.;:)]|$)"
)
_HEADS = re.compile(r"(?:^|[,;.]|\band|\bwhere|\bhere|\bwith|\bthat)\s*$", re.IGNORECASE)
_ENDS = {r"\in", "=", ":=", ">", "<", r"\geq", r"\leq", ":", r"\subset", r"\subseteq", r"\equiv", r"\approx"}
_LETTER = re.compile(
    r"[A-Za-z]|\\(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|vartheta|iota|kappa|lambda|mu|nu|xi|rho|sigma"
    r"|tau|phi|varphi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Sigma|Upsilon|Phi|Psi|Omega)"
)


def definitions(block: Block, said: Sequence[Formula]) -> Iterator[Defined]:
    """What a block says that its symbols are: "where $d$ is the depth of the lake"."""
    if block.kind not in {"paragraph", "caption"}:
        return
    placed = [f for f in said if f.tokens]
    starts = [f.tokens[0].start for f in placed]
    for found in _DEFINES.finditer(block.text):
        if not _HEADS.search(block.text[max(0, found.start() - 12) : found.start()]):
            continue
        first, last = found.span("symbol")
        own = placed[bisect_left(starts, first) : bisect_left(starts, last)]
        symbol = _symbol(own[0]) if own and own[0].tokens[-1].end <= last else ()
        if symbol and _LETTER.fullmatch(symbol[0]):
            yield Defined(
                symbol,
                " ".join(re.split(r"[\s~]+", found["meaning"])),
                own[0],
                found.start(),
                found.end("meaning"),
            )


def _symbol(formula: Formula) -> Tokens:
    """The symbol that a small formula names, without what it is said to lie in or to depend on."""
    words: list[str] = []
    for token in formula.tokens:
        if token.text in _ENDS or token.text == "(":
            break
        words.append(token.text)
    return tuple(words)


# Two meanings.

_SMALL = {
    "the", "of", "a", "an", "in", "for", "at", "and", "to", "with", "by", "on", "number", "total", "set",
    "value", "vector", "matrix", "function", "corresponding", "associated", "given", "same", "which", "that",
    "from", "is",
}  # fmt: skip


def _with_two_meanings(paper: Manuscript, defined: Sequence[Defined]) -> Iterator[Remark]:
    """Symbols that two paragraphs explain with words that have nothing in common."""
    meanings: dict[Tokens, list[Defined]] = defaultdict(list)
    blocks: dict[tuple[Tokens, str], set[str]] = defaultdict(set)
    for each in defined:
        known, own = blocks[each.symbol, each.meaning], each.formula.block.id
        if own not in known and len(known) < _TELLING and _content(each.meaning):
            known.add(own)
            meanings[each.symbol].append(each)
    for symbol, all_ in meanings.items():
        pair = next((two for two in combinations(all_, 2) if _unlike(*two)), None)
        if pair and not (len(symbol) == 1 and symbol[0] in _INDICES):
            yield _two_meanings_remark(paper, *pair)


_TELLING = 2
"""Blocks that give one meaning, of which one is another than that of any other meaning."""


def _content(meaning: str) -> set[str]:
    return {
        re.sub(r"(?:ies|es|s|ing|ed|al)$", "", word) for word in re.findall(r"[a-z]{3,}", meaning)
    } - _SMALL


def _unlike(one: Defined, other: Defined) -> bool:
    """True if two explanations stand in different blocks and share no word, nor the start of one."""
    if one.formula.block.id == other.formula.block.id:
        return False
    first, second = _content(one.meaning), _content(other.meaning)
    return not any(a[:4] == b[:4] for a in first for b in second)


def _two_meanings_remark(paper: Manuscript, one: Defined, other: Defined) -> Remark:
    return finding(
        paper,
        other.span,
        one.span,
        rule=Symbols.name,
        title="A symbol is defined twice with different meanings",
        body=f"It is “the {one.meaning}” in one place and “the {other.meaning}” in another.",
        arithmetic=f"“{one.meaning}” ≠ “{other.meaning}”",
        severity="minor",
    )


# Equations and the words behind them.

_INDICES = set("ijklmnprst")
_KNOWN = {
    *_INDICES, "d", "e", "c", "G", "h", "g", "R", "N", "F", "E", "P", "I", "O", "T", "x", "y", "z", "f", "k",
    r"\Gamma", r"\delta", r"\Delta", r"\epsilon", r"\Phi", r"\phi", r"\zeta", r"\pi", r"\mu",
    r"\sigma", r"\theta",
}  # fmt: skip
_OPENS = re.compile(r"\s*(?:where|here|in which|with)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"\.(?=\s+[A-Z]|\s*$)|\n\s*\n")
_EXPLAINED = 2


def _around_equations(
    paper: Manuscript, said: Sequence[Formula], inside: dict[str, list[Formula]], defined: Sequence[Defined]
) -> Iterator[Remark]:
    """Equations that are followed by "where …": what the words leave out, and what the equation has not."""
    holding: dict[str, set[int]] = defaultdict(set)
    for number, formula in enumerate(said):
        for token in formula.tokens:
            holding[token.text].add(number)
    numbers = {id(formula): number for number, formula in enumerate(said)}
    by_block: dict[str, list[Defined]] = defaultdict(list)
    for each in defined:
        by_block[each.formula.block.id].append(each)
    for equation, following in zip(paper.blocks, paper.blocks[1:], strict=False):
        if equation.kind != "equation" or not _OPENS.match(following.text):
            continue
        end = next((each.start() for each in _SENTENCE.finditer(following.text)), len(following.text))
        told = [d for d in by_block[following.id] if d.start < end]
        for each in told:
            if holding[each.symbol[0]] == {numbers[id(each.formula)]}:
                yield _unused_remark(paper, each, inside[equation.id])
        if len(told) >= _EXPLAINED:
            yield from _left_out(paper, inside[equation.id], told, holding, following.text[:end])


def _left_out(
    paper: Manuscript,
    equation: Sequence[Formula],
    told: Sequence[Defined],
    holding: dict[str, set[int]],
    words: str,
) -> Iterator[Remark]:
    """The one letter of an equation that stands nowhere else and is not explained, if the others are."""
    left = {
        word
        for formula in equation
        for s in statements(formula)
        for word in s.side(0)
        if _LETTER.fullmatch(word)
    }
    letters = {
        t.text: (f, i) for f in reversed(equation) for i, t in enumerate(f.tokens) if _is_quantity(f, i)
    }
    missing = [
        word for word in letters
        if len(holding[word]) == 1 and word not in left | _KNOWN and word.lstrip("\\") not in words
    ]  # fmt: skip
    if len(missing) == 1 and len(letters) > len(told):
        formula, at = letters[missing[0]]
        yield finding(
            paper,
            formula.span(at, at),
            told[0].span,
            rule=Symbols.name,
            title="A symbol is used and never defined",
            body="It stands in this equation alone, and the words after it explain the others.",
            arithmetic=f"“{missing[0].lstrip(chr(92))}”: 0 definitions;"
            f" {many(len(told), 'other is', 'others are')} defined",
            severity="minor",
        )


def _is_quantity(formula: Formula, at: int) -> bool:
    """True for a letter that is no index, no function and no word."""
    token = formula.tokens[at]
    if not _LETTER.fullmatch(token.text) or token.depth:
        return False
    before = formula.tokens[at - 1].text if at else ""
    after = formula.tokens[at + 1].text if at + 1 < len(formula.tokens) else ""
    return (
        before not in {"_", "^"}
        and after != "("
        and not (token.text.isalpha() and after.isalpha() and before.isalpha())
    )


def _unused_remark(paper: Manuscript, each: Defined, equation: Sequence[Formula]) -> Remark:
    last = equation[-1] if equation else None
    places = [each.span]
    if last and last.tokens:
        places.append(last.span(0, len(last.tokens) - 1))
    return finding(
        paper,
        *places,
        rule=Symbols.name,
        title="A symbol is explained and stands in no formula",
        body=f"The words after the equation explain it as “the {each.meaning}”; no formula holds it.",
        arithmetic="1 definition, 0 uses",
        severity="minor",
    )
