r"""Formulas of a LaTeX paper as rows of tokens, with the place of each.

What only sets a formula is left out: space, size, braces, `\left`, labels. A font is left out with its
braces, and a word in an upright font is one token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rereview.types.manuscript import Block, BlockKind, Manuscript, Span

HOLDING: frozenset[BlockKind] = frozenset({"paragraph", "equation", "theorem", "proof", "caption"})


class Token(NamedTuple):
    """A letter, command, number or sign; `depth` counts the brackets and scripts that it stands in."""

    text: str
    start: int
    end: int
    depth: int


@dataclass(frozen=True)
class Formula:
    """One formula; offsets are those of the block."""

    block: Block
    tokens: tuple[Token, ...]
    display: bool

    def words(self, first: int, last: int) -> tuple[str, ...]:
        """The texts of some tokens, both ends included."""
        return tuple(token.text for token in self.tokens[first : last + 1])

    def span(self, first: int, last: int) -> Span:
        """From one token to another, both included."""
        return Span(block_id=self.block.id, start=self.tokens[first].start, end=self.tokens[last].end)


BREAK = "␤"
"""Stands for a line break, an alignment column, words, wide space: what parts statements."""

_INLINE = re.compile(
    r"(?<!\\)\$\$?(?P<dollar>(?:[^$\\]|\\.)+)\$"
    r"|\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]",
    re.DOTALL,
)
_DISPLAY = re.compile(
    r"\\begin\{(?P<name>equation|align|gather|multline|eqnarray|displaymath|alignat|flalign|math)(?P<star>\*?)\}"
    r"(?P<body>.*?)\\end\{(?P=name)(?P=star)\}",
    re.DOTALL,
)
_TOKEN = re.compile(
    r"""
      (?P<gone>\\(?:label|tag|eqno|hspace|vspace|hskip|color|phantom|vphantom|hphantom)
            \*?(?:\{[^{}]*\})?
        |\\(?:left|right|middle|[bB]igg?[lrm]?|displaystyle|textstyle|scriptstyle|limits|nolimits|mathstrut|strut
            |allowbreak|notag|nonumber|relax|boldmath)(?![A-Za-z])\.?
        |\\[,;:!> ]|~|%[^\n]*)
    | (?P<words>\\(?:text|mbox|textrm|textit|textnormal|intertext|shortintertext|hbox)\s?\{[^{}]*\})
    | (?P<upright>\\(?:mathrm|operatorname\*?|mathsf|mathtt|rm|mathop)\s?
            \{?\s?(?P<name>[A-Za-z]{2,})\s?\}?)
    | (?P<font>\\(?:mathbf|boldsymbol|bm|mathcal|mathbb|mathfrak|mathit|mathscr|mathrm|mathsf
        |mathnormal|vec|hat|bar
        |tilde|widehat|widetilde|overline|dot|ddot)(?![A-Za-z]))
    | (?P<line>\\\\(?:\[[^\]]*\])?|&|\\q?quad(?![A-Za-z])|\\(?:begin|end)\s?\{[^{}]*\}(?:\{[^{}]*\})?|\\hline)
    | (?P<command>\\[A-Za-z]+|\\[{}|])
    | (?P<number>\d+(?:\.\d+)?)
    | (?P<assign>:=|=:)
    | (?P<space>\s+)
    | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SAME = {
    r"\le": r"\leq", r"\ge": r"\geq", r"\ne": r"\neq", r"\leqslant": r"\leq", r"\geqslant": r"\geq",
    "≤": r"\leq", "≥": r"\geq", r"\lt": "<", r"\gt": ">", r"\to": r"\rightarrow", r"\ast": "*",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}", r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\cfrac": r"\frac", r"\nicefrac": r"\frac",
    r"\coloneqq": ":=", r"\vert": "|", r"\lvert": "|", r"\rvert": "|", r"\mid": "|", r"\Vert": r"\|",
    r"\lVert": r"\|", r"\rVert": r"\|", r"\varepsilon": r"\epsilon", r"\dots": r"\ldots", "−": "-",
}  # fmt: skip
_OPENS = {"(", "[", "{", r"\{", r"\langle", r"\lfloor", r"\lceil"}
_CLOSES = {")", "]", "}", r"\}", r"\rangle", r"\rfloor", r"\rceil"}


def formulas(paper: Manuscript) -> Iterator[Formula]:
    """The formulas of a LaTeX paper, in the order of its blocks; none of other formats."""
    if paper.format == "latex":
        for block in paper.blocks:
            if block.kind in HOLDING:
                for tokens, display in _of(block.text, whole=block.kind == "equation"):
                    yield Formula(block, tokens, display)


@lru_cache(maxsize=4096)
def _of(text: str, *, whole: bool) -> tuple[tuple[tuple[Token, ...], bool], ...]:
    """The tokens of each formula of a text, and whether it is displayed; `whole`: the text is one."""
    found: list[tuple[int, int, bool]] = []
    done = 0
    for display in _DISPLAY.finditer(text):
        found += [*_inline(text, done, display.start()), (*display.span("body"), True)]
        done = display.end()
    if whole and done == 0:
        found.append((*_inner(text), True))
    else:
        found += _inline(text, done, len(text))
    return tuple((tuple(_tokens(text, start, end)), display) for start, end, display in found)


def _inner(text: str) -> tuple[int, int]:
    """A display without the marks that open and close it."""
    found = re.fullmatch(r"\s*(?:\$\$|\\\[)?(?P<body>.*?)(?:\$\$|\\\])?\s*", text, re.DOTALL)
    return found.span("body") if found else (0, len(text))


def _inline(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    for found in _INLINE.finditer(text, start, end):
        kind = found.lastgroup or "dollar"
        yield (*found.span(kind), kind == "square" or found[0].startswith("$$"))


def _tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """The tokens of one formula. Braces only count for the depth."""
    depth = 0
    script = False
    for found in _TOKEN.finditer(text, start, end):
        kind = found.lastgroup
        if kind in {"gone", "space", "font"}:
            continue
        word = BREAK if kind in {"line", "words"} else found["name"] if kind == "upright" else found[0]
        word = _SAME.get(word, word)
        if word in _CLOSES:
            depth = max(depth - 1, 0)
        if word not in {"{", "}"}:
            yield Token(word, found.start(), found.end(), depth + script)
            script = word in {"^", "_"}
        if word in _OPENS:
            depth += 1


ORDER_UP = {"<", r"\leq", r"\ll", r"\prec", r"\preceq", r"\lesssim", r"\leqq", r"\lessapprox"}
ORDER_DOWN = {">", r"\geq", r"\gg", r"\succ", r"\succeq", r"\gtrsim", r"\geqq", r"\gtrapprox"}
CONTAINED = {r"\subset", r"\subseteq", r"\subsetneq"}
CONTAINING = {r"\supset", r"\supseteq", r"\supsetneq"}
EQUAL = {"=", ":=", "=:", r"\equiv", r"\approx", r"\simeq", r"\cong", r"\sim", r"\triangleq"}
RELATIONS = ORDER_UP | ORDER_DOWN | CONTAINED | CONTAINING | EQUAL | {r"\neq", r"\in", r"\propto"}
_PARTS = {
    ",", ";", ".", r"\implies", r"\iff", r"\Rightarrow", r"\Leftrightarrow", r"\Longrightarrow", r"\land",
    r"\wedge", r"\lor", r"\vee", r"\Leftarrow", r"\Longleftrightarrow", r"\rightarrow", r"\mapsto",
    r"\quad", ":",
    r"\colon",
}  # fmt: skip
_GOES_ON = RELATIONS | {"+", "-", r"\pm", r"\cdot", r"\times", "/"}


class Side(NamedTuple):
    """A side of a statement, by the places of its first and last token."""

    first: int
    last: int


@dataclass(frozen=True)
class Statement:
    """`a = b ≤ c`: the sides of one chain, and the relations between them with their places."""

    formula: Formula
    sides: tuple[Side, ...]
    relations: tuple[int, ...]

    def side(self, number: int) -> tuple[str, ...]:
        """The tokens of a side."""
        return self.formula.words(*self.sides[number])

    def relation(self, number: int) -> str:
        """The relation after a side."""
        return self.formula.tokens[self.relations[number]].text


def statements(formula: Formula) -> Iterator[Statement]:
    """The chains of a formula. Commas, words and arrows end one; a line that begins with a sign does not."""
    run: list[int] = []
    ends = _breaks(formula.tokens)
    for i, token in enumerate(formula.tokens):
        if token.depth == 0 and (token.text in _PARTS or i in ends):
            yield from _statement(formula, run)
            run = []
        elif token.text != BREAK:
            run.append(i)
    yield from _statement(formula, run)


def _breaks(tokens: tuple[Token, ...]) -> set[int]:
    """The breaks that part two statements: no sign or relation stands before or after them."""
    found: set[int] = set()
    between: list[int] = []
    before = ""
    for i, token in enumerate(tokens):
        if token.text == BREAK:
            between.append(i)
            continue
        if before not in _GOES_ON and token.text not in _GOES_ON:
            found.update(between)
        before, between = token.text, []
    return found | set(between)


def _statement(formula: Formula, run: list[int]) -> Iterator[Statement]:
    if not run:
        return
    tokens = formula.tokens
    cuts: list[int] = []
    sides: list[Side] = []
    first = last = None
    for i in (*run, None):
        if i is None or (tokens[i].text in RELATIONS and tokens[i].depth == 0):
            if first is None or last is None:
                return
            sides.append(Side(first, last))
            first = last = None
            if i is not None:
                cuts.append(i)
        else:
            first, last = (i if first is None else first), i
    if cuts:
        yield Statement(formula, tuple(sides), tuple(cuts))
