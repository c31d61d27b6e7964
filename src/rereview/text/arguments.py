"""Groups, brackets and arguments of LaTeX source, and the parts of what it defines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

_SPACE = re.compile(r"(?:[ \t]|(?:\r\n|\n|\r(?!\n))(?![ \t]*[\r\n])|%[^\r\n]*(?:\r\n?|\n))*")
# `\{|\}` and not `[{}]`: alternatives that begin with a letter each are searched for much faster.
_BRACE = re.compile(r"\\.|%[^\r\n]*|\{|\}", re.DOTALL)
_RAW_BRACE = re.compile(r"\\[{}\\]|\{|\}")
_BRACKET = re.compile(r"\\.|%[^\r\n]*|\{|\}|\[|\]", re.DOTALL)
_CONTROL = re.compile(r"\\(?:[A-Za-z@]+|.)", re.DOTALL)
_PARAMETERS = re.compile(r"[^{}\\]*(?=\{)")
_CLOSE, _NEAR, _NEAR_RAW = 16, 100, 30
"""So many braces are looked at one by one before all are paired, and at most; an address holds few."""
# Arguments of each definition, in order: n the name, p the parameters of \def, o an optional one,
# g a group, t the target of \let.
DEFINITIONS = {
    **dict.fromkeys(("\\newcommand", "\\renewcommand", "\\providecommand", "\\DeclareRobustCommand"), "noog"),
    **dict.fromkeys(("\\def", "\\gdef", "\\edef", "\\xdef"), "npg"),
    **dict.fromkeys(("\\newenvironment", "\\renewenvironment"), "googg"),
    **dict.fromkeys(("\\NewDocumentCommand", "\\RenewDocumentCommand", "\\ProvideDocumentCommand"), "ngg"),
    "\\DeclareDocumentCommand": "ngg",
    **dict.fromkeys(("\\NewDocumentEnvironment", "\\RenewDocumentEnvironment"), "gggg"),
    "\\DeclareMathOperator": "ng",
    "\\DeclarePairedDelimiter": "ngg",
    "\\DeclarePairedDelimiterX": "noggg",
    "\\let": "nt",
    "\\newif": "n",
    "\\newtheorem": "gogo",
    "\\newmdtheoremenv": "ogogo",
    "\\spnewtheorem": "gogogg",
    "\\declaretheorem": "og",
    "\\newcolumntype": "goog",
    "\\newlength": "n",
    "\\newcounter": "go",
    "\\excludecomment": "g",
}


def skip_space(source: str, position: int) -> int:
    """The next position that TeX does not skip before an argument: not past a blank line."""
    match = _SPACE.match(source, position)
    return match.end() if match else position


def group_end(source: str, position: int, *, raw: bool = False) -> int | None:
    r"""The position after the `}` that closes the `{` at `position`; None if nothing closes it.

    `raw`: the argument of `\url` and its like, in which `%` is a character.
    """
    if not source.startswith("{", position):
        return None
    depth = 0
    for count, match in enumerate((_RAW_BRACE if raw else _BRACE).finditer(source, position)):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return match.end()
        if count == _CLOSE and not raw and position in (pairs := _pairs(source)):
            return pairs[position]
        if count == (_NEAR_RAW if raw else _NEAR):
            return None
    return None


@lru_cache(maxsize=64)
def _pairs(source: str) -> Mapping[int, int | None]:
    """Where each brace of a source is closed, in one pass: so that no source takes quadratic time."""
    pairs: dict[int, int | None] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(source):
        if match.group() == "{":
            opened.append(match.start())
            pairs[match.start()] = None
        elif match.group() == "}" and opened:
            pairs[opened.pop()] = match.end()
    return pairs


def bracket_end(source: str, position: int) -> int | None:
    """The position after the `]` that closes the `[` at `position`; None if nothing near closes it."""
    if not source.startswith("[", position):
        return None
    depth = 0
    for match in islice(_BRACKET.finditer(source, position), _NEAR):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth < 0:
            return None
        if depth == 0 and match.group() == "]":
            return match.end()
    return None


class Arguments(NamedTuple):
    """The arguments after a control sequence as (start, end) of their inside; `end` is after the last."""

    star: bool
    optional: tuple[tuple[int, int], ...]
    groups: tuple[tuple[int, int], ...]
    end: int


def arguments(source: str, position: int, groups: int) -> Arguments:
    """A star, optional arguments and at most `groups` braced ones, in the order in which they stand."""
    at = skip_space(source, position)
    star = source.startswith("*", at)
    end = at = at + 1 if star else position
    optional: list[tuple[int, int]] = []
    braced: list[tuple[int, int]] = []
    while True:
        at = skip_space(source, at)
        if (stop := bracket_end(source, at)) is not None:
            optional.append((at + 1, stop - 1))
        elif len(braced) < groups and (stop := group_end(source, at)) is not None:
            braced.append((at + 1, stop - 1))
        else:
            return Arguments(star, tuple(optional), tuple(braced), end)
        end = at = stop
        if len(braced) == groups and groups:
            return Arguments(star, tuple(optional), tuple(braced), end)


def definition_parts(source: str, position: int, signature: str) -> list[tuple[int, int] | None] | None:
    """The (start, end) of each part of a definition whose control sequence ends at `position`.

    A missing optional part is None; the whole is None if the definition is not complete.
    """
    at = skip_space(source, position)
    at += source.startswith("*", at)
    parts: list[tuple[int, int] | None] = []
    for part in signature:
        at = skip_space(source, at)
        found = _part(source, at, part)
        if found is None and part != "o":
            return None
        parts.append(found)
        at = found[1] if found else at
    return parts


def _part(source: str, at: int, part: str) -> tuple[int, int] | None:
    if part == "o":
        stop = bracket_end(source, at)
    elif part == "g" or (part == "n" and source.startswith("{", at)):
        stop = group_end(source, at)
    else:
        at += part == "t" and source.startswith("=", at)
        pattern = _PARAMETERS if part == "p" else _CONTROL
        match = pattern.match(source, at)
        stop = match.end() if match else None
    return None if stop is None else (at, stop)
