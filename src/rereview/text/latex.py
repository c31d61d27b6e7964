r"""An offset-exact scanner of LaTeX source: tokens that tile it, and the mathematics and environments in it.

Nothing is expanded and no TeX runs. What TeX reads as one thing is one token: a comment with its line
end, a dead branch of a conditional, `\verb`, a definition, the column specification of a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple

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

_TOKEN = re.compile(
    r"""(?P<comment>%[^\r\n]*(?:(?:\r\n?|\n)[ \t]*)?)
    |(?P<par>(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n?|\n)[ \t\r\n]*)
    |\\begin[ \t]*(?:\r?\n)?[ \t]*\{(?P<begin>[^{}\\%\r\n]*)\}
    |\\end[ \t]*(?:\r?\n)?[ \t]*\{(?P<end>[^{}\\%\r\n]*)\}
    |(?P<command>\\(?:[A-Za-z]+|\r\n|.|\Z))
    |(?P<display>\$\$)|(?P<math>\$)|(?P<open>\{)|(?P<close>\})""",
    re.VERBOSE | re.DOTALL,
)
_REST_OF_BLANK_LINE = re.compile(r"(?:\r\n?|\n)[ \t\r\n]*")
_SPACE = re.compile(r"(?:[ \t]|(?:\r\n|\n|\r(?!\n))(?![ \t]*[\r\n])|%[^\r\n]*(?:\r\n?|\n))*")
_BRACE = re.compile(r"\\.|%[^\r\n]*|[{}]", re.DOTALL)
_RAW_BRACE = re.compile(r"\\[{}\\]|[{}]")
_BRACKET = re.compile(r"\\.|%[^\r\n]*|[{}\[\]]", re.DOTALL)
_VERB = re.compile(r"\*?([^A-Za-z*\s])[^\r\n]*?\1")
_CONDITIONAL = re.compile(r"\\(?:[A-Za-z@]+|.)|%[^\r\n]*", re.DOTALL)
_CONTROL = re.compile(r"\\(?:[A-Za-z@]+|.)", re.DOTALL)
_PARAMETERS = re.compile(r"[^{}\\]*(?=\{)")

_NEAR, _NEAR_RAW = 100, 30
"""So many braces are looked at one by one; an address holds few."""
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
# Arguments of each definition, in order: n the name, p the parameters of \def, o an optional one,
# g a group, t the target of \let.
_DEFINITIONS = {
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
        if raw and count == _NEAR_RAW:
            return None
        if count == _NEAR:
            return _pairs(source).get(position)
    return None


@lru_cache(maxsize=8)
def _pairs(source: str) -> Mapping[int, int]:
    """Where each brace of a source is closed, in one pass: so that no source takes quadratic time."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(source):
        if match.group() == "{":
            opened.append(match.start())
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


def signature_of(name: str) -> str | None:
    """The parts of the definition that this control sequence makes; None if it makes none."""
    return _DEFINITIONS.get(name)


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
            **dict.fromkeys(_DEFINITIONS, self._definition),
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
        match = re.compile(r"\\end\s*\{" + re.escape(name) + r"\}").search(self.source, end)
        return self._add(kind, start, match.end(), name) if match else self._add("begin", start, end, name)

    def _definition(self, name: str, start: int, end: int) -> int:
        parts = definition_parts(self.source, end, _DEFINITIONS[name])
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
