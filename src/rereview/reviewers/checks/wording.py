"""Words, as headings of tables and sentences share them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FILLERS = {"best", "final", "mean", "average", "avg", "overall", "the", "our", "total", "max", "min"}
_LETTERS = re.compile(r"[^\W\d_][\w-]*|\d+")
_SHORTEST = 3


def words(text: str) -> list[str]:
    """The words of a heading or phrase, in lower case, without units in brackets."""
    return _LETTERS.findall(re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", text).lower())


def same(one: str, other: str) -> bool:
    """True if two words are one word, a plural, or one shortens the other ("val", "validation")."""
    short, long = sorted((one, other), key=len)
    return (
        short == long
        or (len(short) >= _SHORTEST and long.startswith(short))
        or _singular(one) == _singular(other)
    )


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def names(heading: str, phrase: Sequence[str]) -> bool:
    """True if the phrase is what the heading names: the same words in order, fillers aside."""
    left = [w for w in words(heading) if w not in _FILLERS]
    right = [w for w in phrase if w not in _FILLERS]
    return bool(left) and len(left) == len(right) and all(map(same, left, right))


def speaks_of(text: str, phrase: Sequence[str]) -> bool:
    """True if the words of the phrase stand in the text one after the other."""
    have, want = words(text), [w for w in phrase if w not in _FILLERS]
    runs = (have[i : i + len(want)] for i in range(len(have) - len(want) + 1))
    return bool(want) and any(all(map(same, run, want)) for run in runs)
