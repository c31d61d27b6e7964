"""Edits of a text: put in by offset, taken out again, and what of a replacement is new.

Offsets are code points. One function serves injected errors and revisions.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from rereview.errors import UnusableInput
from rereview.types.edit import Edit

Range = tuple[int, int]

_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|\d+(?:[.,]\d+)*|[^\W\d_]+|\s+|.", re.DOTALL)
_LARGEST = 4_000_000
"""Pairs of tokens that are compared; of texts beyond it the whole middle counts as changed."""
_SHOWN = 60


class Place(NamedTuple):
    """`text[start:end]` of the edited text is the replacement of this edit."""

    edit: Edit
    start: int
    end: int


class Edited(NamedTuple):
    """A text with its edits, and where each of them stands in it, ascending."""

    text: str
    places: tuple[Place, ...]


class Difference(NamedTuple):
    """`original[start:end]` has become `replacement[new_start:new_end]`; either may be empty."""

    start: int
    end: int
    new_start: int
    new_end: int


def apply_edits(text: str, edits: Iterable[Edit]) -> Edited:
    """Put every replacement at its place, whatever the order in which the edits come.

    The spans of all edits are offsets of this one text; that they are of the same file or block is the
    caller's to see to. Raises UnusableInput for an edit whose original does not stand at its span, and
    for two that share a character.
    """
    ordered = sorted(edits, key=lambda edit: (edit.span.start, edit.span.end))
    _check(text, ordered)
    pieces: list[str] = []
    places: list[Place] = []
    at = length = 0
    for edit in ordered:
        kept = text[at : edit.span.start]
        pieces += [kept, edit.replacement]
        start = length + len(kept)
        length = start + len(edit.replacement)
        places.append(Place(edit, start, length))
        at = edit.span.end
    return Edited("".join([*pieces, text[at:]]), tuple(places))


def undo(edited: Edited) -> str:
    """The text before the edits. Raises UnusableInput where a replacement does not stand at its place."""
    pieces: list[str] = []
    at = 0
    for edit, start, end in sorted(edited.places, key=lambda place: place.start):
        if start < at or edited.text[start:end] != edit.replacement:
            raise UnusableInput(
                f"the replacement is not at {start}:{end}, where {_shown(edited.text[start:end])} stands",
                where=edit.id,
                expected=f"expected {_shown(edit.replacement)}",
            )
        pieces += [edited.text[at:start], edit.original]
        at = end
    return "".join([*pieces, edited.text[at:]])


def _check(text: str, ordered: Sequence[Edit]) -> None:
    for edit in ordered:
        found = text[edit.span.start : edit.span.end]
        if found != edit.original:
            raise UnusableInput(
                f"the original is not at {edit.span.start}:{edit.span.end}, where {_shown(found)} stands",
                where=edit.id,
                expected=f"expected {_shown(edit.original)}",
            )
    for one, other in itertools.pairwise(ordered):
        if overlap((one.span.start, one.span.end), (other.span.start, other.span.end)):
            raise UnusableInput(
                f"it shares characters with {one.id}",
                where=other.id,
                expected="expected edits at places of their own",
            )


def overlap(one: Range, other: Range) -> bool:
    """True if both share a character, are at one empty place, or one is empty and lies inside the other."""
    if one == other:
        return True
    return one[0] < other[1] and other[0] < one[1]


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def diff_blocks(original: str, replacement: str) -> tuple[Difference, ...]:
    """What differs, token by token, ascending; () for equal texts.

    A token is a control sequence, a number, a word, white space or a single sign, so that `0.05` to
    `0.01` is one difference and not a digit. Differences between which only white space stands are one.
    """
    ours, theirs = _cut(original), _cut(replacement)
    first = _head(ours, theirs)
    last = _tail(ours, theirs, first)
    low, high = ours[first : len(ours) - last], theirs[first : len(theirs) - last]
    if not low and not high:
        return ()
    start, new_start = _at(ours, first, original), _at(theirs, first, replacement)
    if len(low) * len(high) > _LARGEST:
        end, new_end = _at(ours, len(ours) - last, original), _at(theirs, len(theirs) - last, replacement)
        return (Difference(start, end, new_start, new_end),)
    steps = SequenceMatcher(None, [t for t, _ in low], [t for t, _ in high], autojunk=False).get_opcodes()
    found = [
        Difference(
            _at(ours, first + i, original),
            _at(ours, first + j, original),
            _at(theirs, first + k, replacement),
            _at(theirs, first + m, replacement),
        )
        for tag, i, j, k, m in steps
        if tag != "equal"
    ]
    return _joined(replacement, found)


def changed(original: str, replacement: str) -> tuple[Range, ...]:
    """The ranges of the replacement that differ from the original, ascending and apart.

    An empty range is a place from which something was taken out. () only for equal texts.
    """
    return tuple((each.new_start, each.new_end) for each in diff_blocks(original, replacement))


Tokens = Sequence[tuple[str, int]]
"""Each token with its start."""


def _cut(text: str) -> Tokens:
    return [(match.group(), match.start()) for match in _TOKEN.finditer(text)]


def _at(found: Tokens, index: int, text: str) -> int:
    return found[index][1] if index < len(found) else len(text)


def _head(ours: Tokens, theirs: Tokens) -> int:
    """How many whole tokens both begin with."""
    count = 0
    for one, other in zip(ours, theirs, strict=False):
        if one != other:
            break
        count += 1
    return count


def _tail(ours: Tokens, theirs: Tokens, first: int) -> int:
    """How many whole tokens after `first` both end with."""
    most = min(len(ours), len(theirs)) - first
    count = 0
    while count < most and ours[-1 - count][0] == theirs[-1 - count][0]:
        count += 1
    return count


def _joined(replacement: str, found: Sequence[Difference]) -> tuple[Difference, ...]:
    joined: list[Difference] = []
    for each in found:
        before = joined[-1] if joined else None
        if before and not replacement[before.new_end : each.new_start].strip():
            joined[-1] = Difference(before.start, each.end, before.new_start, each.new_end)
        else:
            joined.append(each)
    return tuple(joined)
