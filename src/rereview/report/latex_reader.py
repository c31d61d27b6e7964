"""The state of reading LaTeX text: what was put out, what is open, and the arguments that come next."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rereview.report.latex_source import Source, closing_of
from rereview.report.pieces import Close, Formula, Open, Piece, Run, Target
from rereview.types.manuscript import Macro

WORDS_ONLY = ("b", "em", "i", "u", "s", "sup", "sub", "small", "a", "code")
COMMAND = re.compile(r"\\(?:[A-Za-z@]+\*?|.|\n)", re.DOTALL)


@dataclass(frozen=True)
class Context:
    """What a text needs to know of the rest of the paper."""

    targets: Mapping[str, Target] = field(default_factory=dict)
    citations: Mapping[str, Target] = field(default_factory=dict)
    macros: Mapping[str, Macro] = field(default_factory=dict)
    """By name, with the backslash."""
    environments: frozenset[str] = frozenset()
    """Those in which blocks of the paper stand: known without a table."""


class Reader:
    """A place in a source and what was put out so far.

    `open` holds, per group or environment, its name and the elements that it opened. `outer`
    are the elements that are open around the whole text.
    """

    def __init__(
        self, source: Source, context: Context, depth: int = 0, *, outer: frozenset[str] = frozenset()
    ) -> None:
        self.source = source
        self.context = context
        self.at = 0
        self.pieces: list[Piece] = []
        self.unknown: list[str] = []
        self.open: list[tuple[str, list[str]]] = []
        self.expansions = 0
        self.depth = depth
        self.outer = outer

    # -- output ---------------------------------------------------------------------------

    def show(self, start: int, end: int, shown: str | None = None, why: str = "") -> None:
        """Put out `source[start:end]` as it is, or as `shown`."""
        if start >= end:
            return
        words = self.source.text[start:end] if shown is None else shown
        if not words or (self.innermost() in {"ul", "ol"} and not self.begin_words(words)):
            return
        if shown is None:
            self.pieces.extend(self.source.runs(start, end))
        else:
            place = self.source.starts[start], self.source.ends[end - 1]
            self.pieces.append(Run(*place, shown, exact=False, why=why))

    def begin_words(self, words: str) -> bool:
        """Words directly in a list make an item of their own; white space there is not shown."""
        if words.isspace():
            return False
        self.open_element("li")
        return True

    def open_element(self, tag: str, attributes: tuple[tuple[str, str], ...] = ()) -> None:
        """Open an element that the innermost group closes."""
        if tag != "li":
            self.need_item()
        if not self.open:
            self.open.append(("", []))
        self.open[-1][1].append(tag)
        self.pieces.append(Open(tag, attributes))

    def innermost(self) -> str:
        """The innermost open element."""
        return next((tags[-1] for _, tags in reversed(self.open) if tags), "")

    def inside(self, tag: str) -> bool:
        """True if such an element is open."""
        return tag in self.outer or any(tag in tags for _, tags in self.open)

    def inside_words(self) -> bool:
        """True if an element is open that holds words only: no list may begin in it."""
        return any(self.inside(tag) for tag in WORDS_ONLY)

    def around(self) -> frozenset[str]:
        """All open elements."""
        return self.outer | {tag for _, tags in self.open for tag in tags}

    def close_group(self) -> None:
        """Close what the innermost group opened."""
        _, tags = self.open.pop()
        self.pieces.extend(Close(tag) for tag in reversed(tags))

    def need_item(self) -> None:
        """What stands directly in a list makes an item of its own."""
        if self.innermost() in {"ul", "ol"}:
            self.open_element("li")

    def formula(self, start: int, end: int, tex: str, *, display: bool) -> None:
        """Put out a formula that stands at `source[start:end]`."""
        self.at = end
        if tex.strip():
            self.need_item()
            self.pieces.append(Formula(self.source.starts[start], self.source.ends[end - 1], tex, display))

    # -- arguments ------------------------------------------------------------------------

    def swallow_space(self, name: str) -> None:
        """White space after a command of letters is not printed."""
        if name.isalpha():
            while self.source.text[self.at : self.at + 1].isspace():
                self.at += 1

    def group_with(self, tag: str) -> None:
        """Open the group that follows, and in it an element."""
        self.skip_space()
        if self.source.text.startswith("{", self.at):
            self.at += 1
            if tag:
                self.need_item()
            self.open.append(("{", []))
            if tag:
                self.open_element(tag)

    def skip_space(self) -> None:
        """Pass over white space."""
        while self.source.text[self.at : self.at + 1].isspace():
            self.at += 1

    def optional(self) -> tuple[int, int] | None:
        """The place of the contents of an argument in brackets, if one follows directly."""
        if not self.source.text.startswith("[", self.at):
            return None
        end = closing_of(self.source.text, self.at, "[", "]")
        if end is None:
            return None
        found = self.at + 1, end
        self.at = end + 1
        return found

    def argument(self) -> tuple[int, int] | None:
        """The place of the contents of the next argument: a group or one character."""
        start, text = self.at, self.source.text
        self.skip_space()
        if self.at >= len(text) or text[self.at] == "}":
            self.at = start
            return None
        if text[self.at] == "{":
            end = closing_of(text, self.at, "{", "}")
            if end is None:
                self.at = start
                return None
            found = self.at + 1, end
            self.at = end + 1
            return found
        token = COMMAND.match(text, self.at)
        found = self.at, token.end() if token else self.at + 1
        self.at = found[1]
        return found

    def words_of(self, place: tuple[int, int] | None) -> str:
        """The source of an argument, on one line."""
        return " ".join(self.source.text[slice(*place)].split()) if place else ""

    def skip(self, arguments: int) -> None:
        """Pass over optional arguments and groups."""
        for _ in range(arguments):
            self.skip_optional()
            if self.source.text[self.at : self.at + 1] in {"{", " "}:
                self.argument()
        self.skip_optional()

    def skip_optional(self) -> None:
        """Pass over arguments in brackets."""
        while self.optional() is not None:
            pass
