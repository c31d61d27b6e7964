r"""Bound variables of a formula, and the exchange of symbols between two formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rereview.perturb.pieces import closing, is_symbol
from rereview.perturb.relations import RELATIONS, SEPARATORS
from rereview.text.latex import named

_OPERATORS = named(
    r"\sum \prod \coprod \bigcup \bigcap \bigsqcup \bigoplus \bigotimes \bigodot \bigvee \bigwedge \max \min"
    r" \sup \inf \lim \limsup \liminf \argmax \argmin \esssup \essinf ∑ ∏"
)
_INTEGRALS = named(r"\int \iint \iiint \oint ∫")
_QUANTIFIERS = named(r"\forall \exists ∀ ∃")
_ARROWS = named(r"\mapsto \longmapsto ↦")
_TENDS = named(r"\to \rightarrow \downarrow \uparrow \searrow \nearrow →")
_BARS = named(r": | \mid \colon")
_DIFFERENTIALS = ("d", "\\mathrm{d}", "\\text{d}", "\\dd", "\\diff", "\\dif")
_CHAIN = 2
"""Relations of `1 \\le i \\le n`, of which the middle is bound."""

Scope = tuple[str, int, int]
"""A bound symbol, and the indices of the pieces from and before which it is bound."""


def exchanged(ours: Sequence[str], theirs: Sequence[str]) -> Mapping[str, str] | None:
    """Which piece became which other one, if that is all that happened; None if it is not."""
    if len(ours) != len(theirs):
        return None
    found: dict[str, str] = {}
    for one, other in zip(ours, theirs, strict=True):
        if one != other and found.setdefault(one, other) != other:
            return None
    return found


def is_renamed(ours: Sequence[str], theirs: Sequence[str], change: Mapping[str, str]) -> bool:
    """Whether all that changed is the names of bound variables, each at every place, without a capture."""
    bound = list(_scopes(ours))
    return bool(change) and all(
        is_symbol(old)
        and is_symbol(new)
        and new not in ours
        and old not in theirs
        and all(_is_covered(old, at, bound) for at, piece in enumerate(ours) if piece == old)
        for old, new in change.items()
    )


def _is_covered(symbol: str, at: int, bound: Sequence[Scope]) -> bool:
    return any(name == symbol and start <= at < end for name, start, end in bound)


def _scopes(found: Sequence[str]) -> Iterator[Scope]:
    for at, piece in enumerate(found):
        if piece in _OPERATORS and found[at + 1 : at + 2] == ["_"]:
            stop = closing(found, at + 2) if found[at + 2 : at + 3] == ["{"] else at + 2
            for name in _bound_below(found[at + 2 : stop + 1]):
                yield name, at, _clause_end(found, stop + 1)
        elif piece in _INTEGRALS:
            yield from _integrated(found, at)
        elif piece in _QUANTIFIERS:
            yield from ((name, 0, len(found)) for name in found[at + 1 : at + 2])
        elif piece in _ARROWS and at:
            yield found[at - 1], 0, len(found)
        elif piece == "\\{" and (names := found[at + 1 : at + 3])[1:] and _opens_set(names[1]):
            yield names[0], at, _after(found, at, "\\}")


def _opens_set(piece: str) -> bool:
    return piece in _BARS or piece in RELATIONS


def _bound_below(group: Sequence[str]) -> Iterator[str]:
    r"""The symbols that the script of an operator binds: `i` of `i=1`, `1\le i\le n`, `i\in S`, `i\to 0`."""
    parts: list[list[str]] = [[]]
    for piece in group:
        if piece in RELATIONS or piece in _TENDS:
            parts.append([])
        else:
            parts[-1].append(piece)
    middle = parts[1:-1] if len(parts) > _CHAIN else parts[:1]
    for part in middle:
        yield from filter(is_symbol, part)


def _integrated(found: Sequence[str], at: int) -> Iterator[Scope]:
    r"""The variable after the `d` that follows an integral, from after its limits on."""
    start = at + 1
    while found[start : start + 1] in (["_"], ["^"]):
        start = (closing(found, start + 1) if found[start + 1 : start + 2] == ["{"] else start + 1) + 1
    for index in range(start, len(found) - 1):
        if found[index] in _DIFFERENTIALS and is_symbol(found[index + 1]):
            yield found[index + 1], start, index + 2


def _clause_end(found: Sequence[str], start: int) -> int:
    """Where the operand of an operator ends: at a relation, a separator or the end of its group."""
    depth = 0
    for index in range(start, len(found)):
        piece = found[index]
        depth += (piece in "{([" or piece == "\\{") - (piece in "})]" or piece == "\\}")
        if depth < 0 or (depth == 0 and (piece in RELATIONS or piece in SEPARATORS)):
            return index
    return len(found)


def _after(found: Sequence[str], at: int, piece: str) -> int:
    return next((index + 1 for index in range(at, len(found)) if found[index] == piece), len(found))
