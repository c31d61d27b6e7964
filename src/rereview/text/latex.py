r"""An offset-exact scanner of LaTeX source: tokens that tile it, and the mathematics and environments in it.

Nothing is expanded and no TeX runs. What TeX reads as one thing is one token: a comment with its line
end, a dead branch of a conditional, `\verb`, a definition, the column specification of a table.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from rereview.text.arguments import (
    DEFINITIONS,
    arguments,
    bracket_end,
    definition_parts,
    group_end,
    skip_space,
)

TokenKind = Literal[
    "text",
    "par",
    "comment",
    "dead",
    "conditional",
    "verbatim",
    "definition",
    "argument",
    "begin",
    "end",
    "command",
    "display",
    "math",
    "open",
    "close",
    "after-end",
]


def named(text: str) -> frozenset[str]:
    """The names in a line of names."""
    return frozenset(text.split())


class Token(NamedTuple):
    """`source[start:end]`; `name` is the environment, or the control sequence with its backslash."""

    kind: TokenKind
    start: int
    end: int
    name: str = ""


@dataclass(frozen=True)
class Vocabulary:
    """What a paper itself declares, as far as it changes how its source is cut."""

    opens: Mapping[str, str] = field(default_factory=dict)
    r"""`\be` -> "equation" or `\[`: abbreviations that begin something."""
    closes: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Environments that only wrap another one, and that one."""
    switches: Mapping[str, bool] = field(default_factory=dict)
    r"""`\ifdraft` -> False: conditionals whose value is known."""
    conditionals: frozenset[str] = frozenset()
    r"""Every conditional made by `\newif`, known or not."""
    excluded: frozenset[str] = frozenset()
    r"""Environments that `\excludecomment` makes invisible."""


PLAIN = Vocabulary()

# Each alternative begins with a letter outside its group: then `search` skips text six times faster.
_TOKEN = re.compile(
    r"""%(?P<comment>[^\r\n]*(?:(?:\r\n?|\n)[ \t]*)?)
    |\n(?P<par>[ \t]*(?:\r\n?|\n)[ \t\r\n]*)
    |\r(?P<return>(?:\n|(?!\n))[ \t]*(?:\r\n?|\n)[ \t\r\n]*)
    |\\begin[ \t]*(?:\r?\n[ \t]*)?\{(?P<begin>[^{}\\%\r\n]*)\}
    |\\end[ \t]*(?:\r?\n[ \t]*)?\{(?P<end>[^{}\\%\r\n]*)\}
    |\\(?P<command>[A-Za-z]+|\r\n|.|\Z)
    |\$(?P<display>\$)|\$(?P<math>)|\{(?P<open>)|\}(?P<close>)""",
    re.VERBOSE | re.DOTALL,
)
_REST_OF_BLANK_LINE = re.compile(r"(?:\r\n?|\n)[ \t\r\n]*")
_VERB = re.compile(r"\*?([^A-Za-z*\s])[^\r\n]{0,1000}?\1")
_WHOLE_END = re.compile(r"\\end\s*\{([^{}\r\n]*)\}")
_CONDITIONAL = re.compile(r"\\(?:[A-Za-z@]+|.)|%[^\r\n]*", re.DOTALL)

_PATIENCE = 20
"""So many conditionals that nothing closes are looked for in a source."""

_VERBATIM = {"verbatim", "verbatim*", "Verbatim", "Verbatim*", "BVerbatim", "lstlisting", "minted"}
_FILES = {"filecontents", "filecontents*"}
_COLUMNS = {
    "tabular": 1,
    "array": 1,
    "longtable": 1,
    "supertabular": 1,
    "tabu": 1,
    "NiceTabular": 1,
    "subarray": 1,
    "tabular*": 2,
    "tabularx": 2,
    "tabulary": 2,
}
_PRIMITIVES = {"\\if"} | {
    f"\\if{name}"
    for name in named(
        "cat x num dim odd vmode hmode mmode inner void hbox vbox eof true false case defined csname"
        " fontchar pdf xetex luatex PDFTeX XeTeX LuaTeX"
    )
}


def tokens(source: str, known: Vocabulary = PLAIN) -> list[Token]:
    """The tokens of a source; they tile it: each starts where the one before ends."""
    return _Scanner(source, known).run()


class _Scanner:
    def __init__(self, source: str, known: Vocabulary) -> None:
        self.source = source
        self.known = known
        self.found: list[Token] = []
        self.conditionals: list[bool] = []
        """Of each open conditional, whether its value is known and its live branch is being read."""
        self.patience = _PATIENCE
        self.special = self._special()

    def _special(self) -> dict[str, Callable[[str, int, int], int]]:
        known = self.known
        return {
            **dict.fromkeys(DEFINITIONS, self._definition),
            **dict.fromkeys(("\\verb", "\\lstinline", "\\mintinline", "\\Verb"), self._verb),
            **dict.fromkeys(("\\url", "\\path", "\\nolinkurl", "\\href"), self._address),
            **dict.fromkeys(_PRIMITIVES | known.conditionals, self._opened),
            **dict.fromkeys(("\\iffalse", "\\iftrue", *known.switches), self._decided),
            **dict.fromkeys((*known.opens, *known.closes), self._abbreviation),
            "\\else": self._else,
            "\\fi": self._fi,
        }

    def run(self) -> list[Token]:
        source, found, special = self.source, self.found, self.special
        position = 0
        while (match := _TOKEN.search(source, position)) is not None:
            start, end = match.span()
            if start > position:
                found.append(Token("text", position, start))
            kind = match.lastgroup
            if kind == "command":
                name = match.group()
                if name in special:
                    position = special[name](name, start, end)
                    continue
                found.append(Token("command", start, end, name))
                position = self._after_line(end) if name[-1] in "\r\n" else end
            elif kind == "begin":
                position = self._begin(match.group(kind).strip(), start, end)
            elif kind == "end":
                position = self._end(match.group(kind).strip(), start, end)
            elif kind == "return":
                position = self._add("par", start, end)
            else:
                found.append(Token(kind, start, end))  # type: ignore[arg-type]  # the names of the groups
                position = self._after_line(end) if kind == "comment" else end
        if position < len(source):
            found.append(Token("text", position, len(source)))
        return found

    def _add(self, kind: TokenKind, start: int, end: int, name: str = "") -> int:
        self.found.append(Token(kind, start, end, name))
        return end

    def _after_line(self, position: int) -> int:
        # A blank line after a line end that TeX has already eaten still ends the paragraph.
        match = _REST_OF_BLANK_LINE.match(self.source, position)
        return self._add("par", position, match.end()) if match else position

    def _begin(self, name: str, start: int, end: int) -> int:
        if name in _VERBATIM or name in _FILES:
            return self._whole(name, "verbatim", start, end)
        if name == "comment" or name in self.known.excluded:
            return self._whole(name, "comment", start, end)
        name = self.known.aliases.get(name, name)
        self._add("begin", start, end, name)
        after = arguments(self.source, end, _COLUMNS[name]).end if name in _COLUMNS else end
        return self._add("argument", end, after) if after > end else end

    def _end(self, name: str, start: int, end: int) -> int:
        name = self.known.aliases.get(name, name)
        self._add("end", start, end, name)
        if name == "document" and end < len(self.source):
            return self._add("after-end", end, len(self.source))
        return end

    def _whole(self, name: str, kind: TokenKind, start: int, end: int) -> int:
        ends = self.ends.get(name, [])
        index = bisect_left(ends, end, key=lambda place: place[0])
        if index == len(ends):
            return self._add("begin", start, end, name)
        return self._add(kind, start, ends[index][1], name)

    @cached_property
    def ends(self) -> dict[str, list[tuple[int, int]]]:
        r"""Where every `\end` of each name begins and ends: found at once, as nothing may close them."""
        places: dict[str, list[tuple[int, int]]] = {}
        for match in _WHOLE_END.finditer(self.source):
            places.setdefault(match.group(1), []).append(match.span())
        return places

    def _definition(self, name: str, start: int, end: int) -> int:
        parts = definition_parts(self.source, end, DEFINITIONS[name])
        if parts is None:
            return self._add("command", start, end, name)
        return self._add("definition", start, max([end, *(part[1] for part in parts if part)]), name)

    def _verb(self, name: str, start: int, end: int) -> int:
        at = end
        if name != "\\verb":
            at = bracket_end(self.source, end) or end
        if name == "\\mintinline":
            at = group_end(self.source, at) or at
        stop = group_end(self.source, at, raw=True) if name != "\\verb" else None
        if stop is None:
            match = _VERB.match(self.source, at)
            stop = match.end() if match else None
        return self._add("command" if stop is None else "verbatim", start, stop or end, name)

    def _address(self, name: str, start: int, end: int) -> int:
        stop = group_end(self.source, skip_space(self.source, end), raw=True)
        return self._add("command" if stop is None else "verbatim", start, stop or end, name)

    def _abbreviation(self, name: str, start: int, end: int) -> int:
        meaning = self.known.opens.get(name) or self.known.closes[name]
        if meaning.startswith("\\"):
            return self._add("command", start, end, meaning)
        return self._add("begin" if name in self.known.opens else "end", start, end, meaning)

    def _opened(self, name: str, start: int, end: int) -> int:
        if self.conditionals:
            self.conditionals.append(False)
        return self._add("command", start, end, name)

    def _decided(self, name: str, start: int, end: int) -> int:
        if self.known.switches.get(name, name == "\\iftrue"):
            self.conditionals.append(True)
            return self._add("conditional", start, end, name)
        stop, word = self._branch_end(end)
        if word is None:
            return self._add("command", start, end, name)
        if word == "\\else":
            self.conditionals.append(True)
        return self._add("dead", start, stop, name)

    def _else(self, name: str, start: int, end: int) -> int:
        if not self.conditionals or not self.conditionals[-1]:
            return self._add("command", start, end, name)
        stop, word = self._branch_end(end)
        if word is None:
            return self._add("command", start, end, name)
        self.conditionals.pop()
        return self._add("dead", start, stop, name)

    def _fi(self, name: str, start: int, end: int) -> int:
        known = bool(self.conditionals) and self.conditionals.pop()
        return self._add("conditional" if known else "command", start, end, name)

    def _branch_end(self, position: int) -> tuple[int, str | None]:
        r"""The position after the `\else` or `\fi` that ends the branch, and which of them it is."""
        depth = 0
        if self.patience <= 0:
            return position, None
        for match in _CONDITIONAL.finditer(self.source, position):
            word = match.group()
            if word in _PRIMITIVES or word in self.known.conditionals:
                depth += 1
            elif depth == 0 and word in {"\\else", "\\fi"}:
                return match.end(), word
            elif word == "\\fi":
                depth -= 1
        self.patience -= 1
        return position, None
