r"""A formula cut into pieces, and the letters that a paper binds.

A piece is a control sequence, a number, a relation of two characters, or a single character. Words in
mathematics (`\text{if}`, `\mathrm{max}`, `{\rm old}`) are one piece; small spaces are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rereview.perturb.taxonomy import EQUATIONS
from rereview.text.arguments import group_end, skip_space
from rereview.text.latex import named, tokens
from rereview.text.modes import nest
from rereview.text.symbols import SYMBOLS
from rereview.types.edit import CandidateKind

_PIECE = re.compile(
    r"\\[A-Za-z]+\*?|\\.|\d+(?:\.\d+)*|[<>=!:]=|=:|<<|>>|<>|[-=]>|\$\$?|\s+|%[^\n]*\n?|.", re.DOTALL
)
_SMALL_SPACE = named(r"\, \; \: \! \> \  ~ \thinspace \medspace \negthinspace & \limits \nolimits")
_WORDS = re.compile(
    r"\\(?:text\w*|mbox|hbox|mathrm|mathsf|mathtt|mathit|operatorname\*?|label|tag\*?|[a-zA-Z]*ref|[a-zA-Z]*cite\w*"
    r"|begin|end|ce|ch|chemfig|si|SI|SIrange|unit|qty|num|color|textcolor|intertext|shortintertext|hspace\*?|vspace\*?)"
)
_SWITCHES = named(r"\rm \sf \tt \it \bf \mathrm")
_ISOLATED = re.compile(r"(?<![^\W\d_])(?<!\\)[^\W\d_](?![^\W\d_])|\\[A-Za-z]+")
_ARTICLES = frozenset("aAI")
_COMMANDS = re.compile(r"\\[A-Za-z]+")
_NO_LETTERS = frozenset({"i", "j", "ss", "Re", "Im", "ae", "AE", "oe", "OE", "o", "O", "l", "L", "aa", "AA"})


def is_symbol(piece: str) -> bool:
    """A single letter, or the name of a Greek one."""
    if piece.startswith("\\"):
        return piece[1:] not in _NO_LETTERS and SYMBOLS.get(piece[1:], "").isalpha()
    return len(piece) == 1 and piece.isalpha()


def pieces(formula: str) -> list[str]:
    """Cut one formula."""
    found: list[str] = []
    at = 0
    while at < len(formula):
        match = _PIECE.match(formula, at)
        if match is None:  # every character is one piece at least
            break
        piece, end = match[0], match.end()
        if _WORDS.fullmatch(piece) and (stop := group_end(formula, skip_space(formula, end))):
            found.append(formula[at:stop])
            at = stop
        elif piece in _SWITCHES and found and found[-1] == "{":
            stop = group_end(formula, at - 1 - _spaces_before(formula, at)) or len(formula)
            found.append(formula[at : stop - 1])
            at = stop - 1
        else:
            if not (piece in _SMALL_SPACE or piece.isspace() or piece[0] in "%$"):
                found.append(piece)
            at = end
    return found


def _spaces_before(formula: str, at: int) -> int:
    return at - len(formula[:at].rstrip())


def formulas(text: str, kind: CandidateKind | None = None) -> list[str]:
    """The formulas in a passage; one that is an equation by its kind is a formula from end to end."""
    if kind in EQUATIONS:
        return [text]
    regions = [
        region for region in nest(text, tokens(text)).regions if region.outer and region.kind != "environment"
    ]
    return [text[region.body_start : region.body_end] for region in regions]


@dataclass(frozen=True)
class Known:
    """What a paper knows: its symbols, and the control sequences that it uses."""

    symbols: frozenset[str]
    commands: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Known:
        """Every letter of every formula counts, and every letter that stands alone, save articles."""
        symbols: set[str] = set()
        commands: set[str] = set()
        for text in texts:
            for formula in formulas(text):
                symbols.update(filter(is_symbol, pieces(formula)))
            alone = _ISOLATED.findall(text)
            symbols.update(each for each in alone if each not in _ARTICLES and is_symbol(each))
            commands.update(_COMMANDS.findall(text))
        return cls(frozenset(symbols), frozenset(commands))


def closing(found: Sequence[str], at: int) -> int:
    """The index of the `}` that closes the `{` at `at`, or that of the last piece."""
    depth = 0
    for index in range(at, len(found)):
        depth += {"{": 1, "}": -1}.get(found[index], 0)
        if depth == 0:
            return index
    return len(found) - 1
