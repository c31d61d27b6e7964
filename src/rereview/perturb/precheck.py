"""What is typo-shaped on its face, found without a model (benchmarking paper, appendix).

Careful to a fault: whatever may be a real error goes on to the verifier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from rereview.perturb.binding import exchanged, is_renamed
from rereview.perturb.pieces import Known, formulas, is_symbol, pieces
from rereview.perturb.relations import is_double, is_mixed
from rereview.perturb.taxonomy import EQUATIONS
from rereview.types.edit import CandidateKind

__all__ = ["Known", "Rule", "precheck"]

Rule = Literal["escape", "runaway", "mixed-chain", "double-relation", "dummy-rename", "unbound-symbol"]

LONGER, MORE = 2, 50
"""A formula of more than `LONGER` times its length and `MORE` characters has run away."""

_LITERAL = re.compile(r"(?<!\\)(?:\\\\)*(\\n(?![A-Za-z])|\\t(?![A-Za-z{])|\\r(?!\s*[A-Za-z{]))")
_CODED = re.compile(
    r"&(?:lt|gt|amp|quot|apos|#\d+);|\\u(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{4}|(?<!\\)\\x(?=.?\d)[0-9a-fA-F]{2}"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_COMMAND = re.compile(r"\\([A-Za-z]{2,})")
_DOUBLED = re.compile(r"(?<!\\)\\\\([A-Za-z]{2,})")
_NAME = re.compile(r"\\[A-Za-z]+")
_WORD = re.compile(r"(?<![A-Za-z_^])(?!d[a-z](?![A-Za-z]))[A-Za-z]{2,}")
_EATEN = {"b": "\b", "f": "\f", "t": "\t", "r": "\r", "n": "\n", "a": "\a", "v": "\v"}
_LANDAU = frozenset({"O", "o", "\\Theta", "\\Omega", "\\omega"})
_FUNCTIONS = frozenset({"\\Gamma", "\\zeta", "\\delta"})
_STATISTICS = frozenset({"t", "F", "z", "Z", "r", "U", "W", "H", "Q", "\\chi"})


def precheck(original: str, replacement: str, kind: CandidateKind, known: Known) -> Rule | None:
    """The rule by which an edit is typo-shaped; None: it goes on.

    `known` is what the clean paper binds. The rules on formulas look at the whole of an equation, and at
    the formulas of any other passage.
    """
    if is_escaped(original, replacement, known):
        return "escape"
    if kind in EQUATIONS and len(replacement) > LONGER * len(original) + MORE:
        return "runaway"
    ours = [pieces(formula) for formula in formulas(original, kind)]
    theirs = [pieces(formula) for formula in formulas(replacement, kind)]
    if any(map(is_double, theirs)) and not any(map(is_double, ours)):
        return "double-relation"
    if any(map(is_mixed, theirs)) and not any(map(is_mixed, ours)):
        return "mixed-chain"
    if len(ours) == len(theirs) and _prose(original, kind) == _prose(replacement, kind):
        found = _exchange(ours, theirs, known)
        words = _spelt((*formulas(original, kind), *formulas(replacement, kind)))
        swapped = {piece for one, other in zip(ours, theirs, strict=True) for piece in _differing(one, other)}
        return None if found == "unbound-symbol" and words & swapped else found
    return None


def _differing(ours: list[str], theirs: list[str]) -> Iterator[str]:
    """The pieces that one has in the place of another."""
    return (piece for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1] for piece in pair)


def _prose(text: str, kind: CandidateKind) -> str:
    """What is left of a passage without its formulas."""
    for formula in formulas(text, kind):
        text = text.replace(formula, "", 1)
    return text


def _exchange(ours: list[list[str]], theirs: list[list[str]], known: Known) -> Rule | None:
    """Whether nothing but symbols changed, and then whether that says nothing."""
    changed = [(one, other) for one, other in zip(ours, theirs, strict=True) if one != other]
    changes = [exchanged(one, other) for one, other in changed]
    found = [change for change in changes if change is not None]
    if not changed or len(found) < len(changed):
        return None
    pairs = list(zip(changed, found, strict=True))
    if all(is_renamed(one, other, change) for (one, other), change in pairs):
        return "dummy-rename"
    if all(_is_unbound(one, other, change, known) for (one, other), change in pairs):
        return "unbound-symbol"
    return None


def _spelt(formulas: Iterable[str]) -> frozenset[str]:
    """The letters in words of formulas: `GDP_t`, `CO_2`. A differential is none."""
    bare = (_NAME.sub(" ", formula) for formula in formulas)
    return frozenset(letter for formula in bare for word in _WORD.findall(formula) for letter in word)


def _is_unbound(ours: list[str], theirs: list[str], change: Mapping[str, str], known: Known) -> bool:
    r"""Whether every symbol or number that changed became a letter that the paper does not have.

    Where the old one still stands in the formula, two of its places have come apart (`n \times n` to
    `m \times n`), and that may well be an error.
    """
    return all(
        (is_symbol(old) or old[0].isdigit())
        and is_symbol(new)
        and new not in known.symbols
        and old not in theirs
        and not any(_is_conventional(theirs, at) for at in _places(ours, old))
        for old, new in change.items()
    )


def _places(found: list[str], piece: str) -> Iterator[int]:
    return (at for at, each in enumerate(found) if each == piece)


def _is_conventional(found: list[str], at: int) -> bool:
    r"""A symbol that needs no binding: `\mathbb{C}`, `O(n)`, `\Gamma(x)`, `\pi`, `e^x`, `A^T`, `t(38)`."""
    piece, after = found[at], found[at + 1 : at + 2]
    before = found[max(at - 2, 0) : at]
    return (
        piece == "\\pi"
        or any(each in {"\\mathbb", "\\Bbb", "\\mathds"} for each in before)
        or (piece in _LANDAU | _FUNCTIONS and after == ["("])
        or (piece in _STATISTICS and _has_degrees(found[at + 1 : at + 5]))
        or (piece == "e" and after == ["^"])
        or (piece == "T" and (before[-1:] == ["^"] or before == ["^", "{"]))
    )


def _has_degrees(after: list[str]) -> bool:
    r"""Tell a test statistic with its degrees of freedom, `F(2, 38)` or `\chi^2(1)`."""
    after = after[2:] if after[:2] == ["^", "2"] else after
    return after[:1] == ["("] and after[1:2] != [] and after[1][0].isdigit()


def is_escaped(original: str, replacement: str, known: Known) -> bool:
    r"""Whether the replacement holds what a careless writer of JSON leaves, where the original does not.

    `\n` as two characters, a control character for the beginning of a command, `\\alpha` for `\alpha`.
    """
    if any(_new(pattern, original, replacement) for pattern in (_CODED, _CONTROL)):
        return True
    literal = [each[1] for each in _LITERAL.finditer(replacement)]
    if not _LITERAL.search(original) and any(each not in known.commands for each in literal):
        return True
    names = set(_COMMAND.findall(original))
    if any(name in names for name in _DOUBLED.findall(replacement)) and not _DOUBLED.search(original):
        return True
    eaten = (_EATEN[name[0]] + name[1:] for name in sorted(names) if name[0] in _EATEN)
    return any(
        re.search(re.escape(each) + r"(?![A-Za-z])", replacement) and each not in original for each in eaten
    )


def _new(pattern: re.Pattern[str], original: str, replacement: str) -> bool:
    return bool(pattern.search(replacement)) and not pattern.search(original)
