"""LaTeX running text as pieces. Reads, never runs: no macro of the paper can do more than print."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rereview.report.pieces import Break, Close, Formula, Open, Piece, Reading, Run, Target
from rereview.report.plain_text import host_of
from rereview.report.symbols import (
    ACCENTS,
    CITATIONS,
    ENVIRONMENT_ARGUMENTS,
    FONTS,
    IN_SENTENCE,
    LABEL_REFERENCES,
    LAST_ONLY,
    LISTS,
    MATHEMATICS,
    PLAIN,
    SILENT,
    SWITCHES,
    SYMBOLS,
    VERBATIM,
)
from rereview.types.manuscript import Macro

COMMAND = re.compile(r"\\(?:[A-Za-z@]+\*?|.|\n)", re.DOTALL)
PLAIN_TEXT = re.compile(r"[^\\{}$~\-`'\[\]]+")
TYPOGRAPHY = ("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("`", "‘"), ("'", "’"), ("~", "\xa0")
LIMIT_OF_EXPANSIONS = 200


@dataclass(frozen=True)
class Context:
    """What a text needs to know of the rest of the paper."""

    targets: Mapping[str, Target] = field(default_factory=dict)
    citations: Mapping[str, Target] = field(default_factory=dict)
    macros: Mapping[str, Macro] = field(default_factory=dict)
    """By name, with the backslash."""


@dataclass(frozen=True)
class Source:
    """Text with the place of each of its characters: an expanded macro stands where it was called."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str, at: int = 0) -> Source:
        """The text of a block, or a part of it that starts at `at`."""
        return cls(text, tuple(range(at, at + len(text))), tuple(range(at + 1, at + len(text) + 1)))

    def cut(self, start: int, end: int) -> Source:
        """A part, with its places."""
        return Source(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def runs(self, start: int, end: int) -> Iterator[Run]:
        """`text[start:end]` as it is, cut where it is not one stretch of the block's text."""
        while start < end:
            first, last, stop = self.starts[start], self.ends[start], start + 1
            exact = last - first == 1
            while stop < end and self._goes_on(stop, last, (first, last), exact=exact):
                last, stop = self.ends[stop], stop + 1
            yield Run(first, last, self.text[start:stop], exact)
            start = stop

    def _goes_on(self, at: int, last: int, whole: tuple[int, int], *, exact: bool) -> bool:
        if exact:
            return self.starts[at] == last and self.ends[at] == last + 1
        return (self.starts[at], self.ends[at]) == whole

    def placed(self, text: str, start: int, end: int) -> Source:
        """`text`, all of it standing where `self.text[start:end]` stands."""
        first, last = self.starts[start], self.ends[end - 1]
        return Source(text, (first,) * len(text), (last,) * len(text))


def joined(parts: Sequence[Source]) -> Source:
    """One source after the other."""
    return Source(
        "".join(part.text for part in parts),
        tuple(place for part in parts for place in part.starts),
        tuple(place for part in parts for place in part.ends),
    )


def read_latex(text: str, context: Context, *, at: int = 0) -> Reading:
    """The pieces of LaTeX text that starts at the offset `at` of its block. Never raises."""
    reader = _Reader(Source.of(text, at), context)
    reader.read()
    return Reading(tuple(reader.pieces), tuple(reader.unknown))


class _Reader:
    """Reads from left to right. `open` holds, per group or environment, the elements it opened."""

    def __init__(self, source: Source, context: Context) -> None:
        self.source = source
        self.context = context
        self.at = 0
        self.pieces: list[Piece] = []
        self.unknown: list[str] = []
        self.open: list[tuple[str, list[str]]] = []
        self.expansions = 0

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
        if not self.open:
            self.open.append(("", []))
        self.open[-1][1].append(tag)
        self.pieces.append(Open(tag, attributes))

    def innermost(self) -> str:
        """The innermost open element."""
        return next((tags[-1] for _, tags in reversed(self.open) if tags), "")

    def inside(self, tag: str) -> bool:
        """True if such an element is open."""
        return any(tag in tags for _, tags in self.open)

    def close_group(self) -> None:
        """Close what the innermost group opened."""
        _, tags = self.open.pop()
        self.pieces.extend(Close(tag) for tag in reversed(tags))

    # -- reading --------------------------------------------------------------------------

    def read(self) -> None:
        """Read to the end."""
        while self.at < len(self.source.text):
            self.step()
        while self.open:
            self.close_group()

    def step(self) -> None:
        """Read one command, delimiter or stretch of plain text."""
        text, start = self.source.text, self.at
        character = text[start]
        if character == "\\":
            self.command()
        elif character == "{":
            self.at += 1
            self.open.append(("{", []))
        elif character == "}":
            self.at += 1
            if self.open and self.open[-1][0] == "{":
                self.close_group()
        elif character == "$":
            self.dollars()
        elif plain := PLAIN_TEXT.match(text, start):
            self.at = plain.end()
            self.show(start, self.at)
        else:
            self.typography(start)

    def typography(self, start: int) -> None:
        """Dashes, quotation marks and unbreakable spaces."""
        for written, shown in TYPOGRAPHY:
            if self.source.text.startswith(written, start):
                self.at = start + len(written)
                self.show(start, self.at, shown)
                return
        self.at = start + 1
        self.show(start, self.at)

    def dollars(self) -> None:
        """A formula between dollar signs; a sign without its fellow is a dollar."""
        text, start = self.source.text, self.at
        mark = "$$" if text.startswith("$$", start) else "$"
        end = start + len(mark)
        while (end := text.find(mark, end)) > 0 and text[end - 1] == "\\":
            end += 1
        if end < 0:
            self.at = start + len(mark)
            self.show(start, self.at)
            return
        self.formula(start, end + len(mark), text[start + len(mark) : end], display=mark == "$$")

    def formula(self, start: int, end: int, tex: str, *, display: bool) -> None:
        """Put out a formula that stands at `source[start:end]`."""
        self.at = end
        if tex.strip():
            if self.innermost() in {"ul", "ol"}:
                self.open_element("li")
            self.pieces.append(Formula(self.source.starts[start], self.source.ends[end - 1], tex, display))

    def command(self) -> None:
        """A command: by its kind, or as an expansion, or unknown."""
        start = self.at
        match = COMMAND.match(self.source.text, start)
        if match is None:
            self.at += 1
            return
        self.at = match.end()
        name = match.group()[1:].removesuffix("*")
        special = _SPECIAL.get(name)
        if special is not None:
            special(self, start)
        elif "\\" + name in self.context.macros and name not in LABEL_REFERENCES | CITATIONS:
            self.expand(start, self.context.macros["\\" + name])
        elif name in SYMBOLS:
            self.swallow_space(name)
            self.show(start, self.at, SYMBOLS[name])
        elif name in ACCENTS:
            self.accent(start, ACCENTS[name])
        else:
            self.named(start, name)

    def named(self, start: int, name: str) -> None:
        """A command of which a table says what it does with its arguments."""
        if name in FONTS:
            self.optional()
            self.group_with(FONTS[name])
        elif name in SWITCHES:
            self.swallow_space(name)
            if SWITCHES[name] and self.open:
                self.open_element(SWITCHES[name])
        elif name in SILENT:
            self.skip(SILENT[name])
        elif name in LAST_ONLY:
            self.skip(LAST_ONLY[name])
            self.optional()
        elif name in LABEL_REFERENCES:
            self.label_reference(start, name)
        elif name in CITATIONS:
            self.citation(start, name)
        else:
            self.unknown.append("\\" + name)
            self.swallow_space(name)
            self.optional()

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
            self.open.append(("{", []))
            if tag:
                self.open_element(tag)

    def skip_space(self) -> None:
        while self.source.text[self.at : self.at + 1].isspace():
            self.at += 1

    def optional(self) -> tuple[int, int] | None:
        """The place of the contents of an argument in brackets, if one follows directly."""
        if not self.source.text.startswith("[", self.at):
            return None
        end = _closing(self.source.text, self.at, "[", "]")
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
            end = _closing(text, self.at, "{", "}")
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
        while self.optional() is not None:
            pass

    # -- kinds of commands ----------------------------------------------------------------

    def accent(self, start: int, mark: str) -> None:
        """A letter with its accent, as one character."""
        place = self.argument()
        letter = self.words_of(place).strip("{}")
        if letter.startswith("\\"):
            letter = {"i": "i", "j": "j"}.get(letter[1:], SYMBOLS.get(letter[1:], ""))
        shown = unicodedata.normalize("NFC", letter[:1] + mark) + letter[1:] if letter else ""
        self.show(start, self.at, shown)

    def expand(self, start: int, macro: Macro) -> None:
        """Put the body of a macro in the place of its call; arguments keep their own places."""
        self.expansions += 1
        if self.expansions > LIMIT_OF_EXPANSIONS:
            self.unknown.append(macro.name)
            return
        values: list[Source] = []
        if macro.arguments and macro.default is not None:
            place = self.optional()
            default = self.source.placed(macro.default, start, self.at)
            values.append(self.source.cut(*place) if place else default)
        while len(values) < macro.arguments:
            place = self.argument()
            values.append(self.source.cut(*place) if place else Source.of(""))
        if not macro.arguments:
            self.swallow_space(macro.name[1:])
        parts = [
            values[int(part[1]) - 1]
            if _is_parameter(part, macro.arguments)
            else self.source.placed(part, start, self.at)
            for part in re.split(r"(#[1-9])", macro.body)
            if part
        ]
        rest = self.source.cut(self.at, len(self.source.text))
        self.source = joined((*parts, rest))
        self.at = 0

    def label_reference(self, start: int, name: str) -> None:
        """The number of what a label names, as a link to it."""
        keys = [key.strip() for key in self.words_of(self.argument()).split(",")]
        for index, key in enumerate(keys):
            target = self.context.targets.get(key)
            if index:
                self.show(start, self.at, ", ")
            if target is None:
                self.show(start, self.at, "??", f"no such label: {key}")
                continue
            number = target.number or "↗"
            shown = f"({number})" if name == "eqref" else number
            if name in {"autoref", "cref", "Cref", "nameref"} and target.kind:
                shown = f"{target.kind.capitalize() if name != 'cref' else target.kind} {shown}"
            self.link(start, target, shown)

    def citation(self, start: int, name: str) -> None:
        """Works cited, as links to the list of references."""
        notes = [note for note in (self.optional(), self.optional()) if note is not None]
        keys = [key.strip() for key in self.words_of(self.argument()).split(",") if key.strip()]
        found = [self.context.citations.get(key) for key in keys]
        named = all(target is not None and target.authors for target in found)
        sentence = name in IN_SENTENCE and named
        bare = sentence or name in {"citealp", "citeauthor", "Citeauthor", "citeyear"}
        left, right = ("(", ")") if named else ("[", "]")
        before = self.words_of(notes[0]) if len(notes) > 1 else ""
        after = self.words_of(notes[-1]) if notes else ""
        self.show(start, self.at, ("" if bare else left) + (f"{before} " if before else ""))
        for index, (key, target) in enumerate(zip(keys, found, strict=True)):
            if index:
                self.show(start, self.at, "; " if named else ", ")
            if target is None:
                self.show(start, self.at, key, "not in the list of references")
            else:
                self.link(start, target, _cited(name, target, sentence=sentence, named=named))
        self.show(start, self.at, (f", {after}" if after else "") + ("" if bare else right))

    def link(self, start: int, target: Target, shown: str) -> None:
        """A link to a place of the page, unless a link is open already."""
        if self.inside("a"):
            self.show(start, self.at, shown)
            return
        if self.innermost() in {"ul", "ol"}:
            self.open_element("li")
        self.pieces.append(Open("a", (("href", target.href),)))
        self.show(start, self.at, shown)
        self.pieces.append(Close("a"))

    def url(self, start: int) -> None:
        """An address: a link if it is http or https, else code."""
        address = self.words_of(self.argument()).replace("\\", "")
        self.outside_link(address, lambda: self.show(start, self.at, address))

    def href(self, start: int) -> None:
        """Words that lead outside, with the host they lead to."""
        address = self.words_of(self.argument()).replace("\\", "")
        self.skip_space()
        host = host_of(address)
        if self.source.text.startswith("{", self.at) and host and not self.inside("a"):
            self.at += 1
            self.open.append(("{", []))
            self.open_element("a", (("href", address), ("rel", "noreferrer"), ("title", host)))

    def outside_link(self, address: str, show: Callable[[], None]) -> None:
        """A link to an address, unless it is of another kind or a link is open already."""
        host = host_of(address)
        if host is None or self.inside("a"):
            show()
            return
        self.pieces.append(Open("a", (("href", address), ("rel", "noreferrer"), ("title", host))))
        show()
        self.pieces.append(Close("a"))

    def hyperref(self, start: int) -> None:
        """`\\hyperref[label]{words}`."""
        target = self.context.targets.get(self.words_of(self.optional()))
        if self.source.text.startswith("{", self.at) and target is not None and not self.inside("a"):
            self.at += 1
            self.open.append(("{", []))
            self.open_element("a", (("href", target.href),))

    def backslash(self, start: int) -> None:
        """The one character that is shown as code, because it is a word of a language."""
        self.swallow_space("textbackslash")
        self.pieces.append(Open("code"))
        self.show(start, self.at, "\\")
        self.pieces.append(Close("code"))

    def new_line(self, start: int) -> None:
        """`\\\\` with its optional space."""
        self.optional()
        if self.innermost() not in {"ul", "ol"}:
            self.pieces.append(Break())

    def verb(self, start: int) -> None:
        """`\\verb|...|`."""
        mark = self.source.text[self.at : self.at + 1]
        end = self.source.text.find(mark, self.at + 1) if mark else -1
        if end < 0:
            return
        self.code(self.at + 1, end, "code")
        self.at = end + 1

    def code(self, start: int, end: int, *tags: str) -> None:
        """Source as it stands."""
        if self.innermost() in {"ul", "ol"}:
            self.open_element("li")
        self.pieces.extend(Open(tag) for tag in tags)
        self.show(start, end)
        self.pieces.extend(Close(tag) for tag in reversed(tags))

    def parenthesis(self, start: int) -> None:
        """`\\(` and `\\[` up to their fellow."""
        opening = self.source.text[self.at - 1]
        closing = "\\)" if opening == "(" else "\\]"
        end = self.source.text.find(closing, self.at)
        if end >= 0:
            self.formula(start, end + 2, self.source.text[self.at : end], display=opening == "[")

    def begin(self, start: int) -> None:
        """The start of an environment: mathematics, a list, source, or a frame around words."""
        name = self.words_of(self.argument()).removesuffix("*")
        if name in MATHEMATICS or name in VERBATIM:
            self.whole_environment(start, name)
            return
        self.skip_optional()
        self.skip(ENVIRONMENT_ARGUMENTS.get(name, 0))
        self.open.append((name, []))
        if name in LISTS:
            self.open_element(LISTS[name])
        elif name not in PLAIN and f"\\{name}" not in self.unknown:
            self.unknown.append(name)

    def whole_environment(self, start: int, name: str) -> None:
        """An environment that is read as one piece."""
        end = re.compile(r"\\end\s*\{" + re.escape(name) + r"\*?\}").search(self.source.text, self.at)
        stop = end.end() if end else len(self.source.text)
        if name in MATHEMATICS:
            self.formula(start, stop, self.source.text[start:stop], display=name != "math")
        else:
            self.code(start, stop, "pre", "code")
            self.at = stop

    def end(self, start: int) -> None:
        """The end of an environment closes whatever is open inside it."""
        name = self.words_of(self.argument()).removesuffix("*")
        if any(opened == name for opened, _ in self.open):
            while self.open[-1][0] != name:
                self.close_group()
            self.close_group()

    def item(self, start: int) -> None:
        """An item of a list; its optional name is printed in bold."""
        while self.open and self.open[-1][0] not in LISTS:
            if not any(opened in LISTS for opened, _ in self.open):
                break
            self.close_group()
        place = self.optional()
        if not self.open or self.open[-1][0] not in LISTS:
            self.skip_space()
            return
        tags = self.open[-1][1]
        while len(tags) > 1:
            self.pieces.append(Close(tags.pop()))
        self.open_element("li")
        self.skip_space()
        if place:
            inner = _Reader(self.source.cut(*place), self.context)
            inner.read()
            self.pieces.extend((Open("b"), *inner.pieces, Close("b"), Run(place[1], place[1], " ", exact=False)))
            self.unknown.extend(inner.unknown)


_SPECIAL: dict[str, Callable[[_Reader, int], None]] = {
    "\\": _Reader.new_line,
    "newline": _Reader.new_line,
    "tabularnewline": _Reader.new_line,
    "(": _Reader.parenthesis,
    "[": _Reader.parenthesis,
    "begin": _Reader.begin,
    "end": _Reader.end,
    "item": _Reader.item,
    "url": _Reader.url,
    "nolinkurl": _Reader.url,
    "href": _Reader.href,
    "hyperref": _Reader.hyperref,
    "verb": _Reader.verb,
    "textbackslash": _Reader.backslash,
    "ensuremath": lambda reader, start: _ensure(reader, start),
}


def _ensure(reader: _Reader, start: int) -> None:
    place = reader.argument()
    if place:
        reader.formula(start, reader.at, reader.source.text[slice(*place)], display=False)


def _closing(text: str, start: int, opening: str, closing: str) -> int | None:
    """The place of the delimiter that closes the one at `start`."""
    depth, at = 0, start
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 2
            continue
        if character == opening:
            depth += 1
        elif character == closing:
            depth -= 1
            if depth == 0:
                return at
        elif character == "}" and opening == "[" and _unbalanced(text, start, at):
            return None
        at += 1
    return None


def _unbalanced(text: str, start: int, at: int) -> bool:
    """True if a bracket was left open in a group that ends at `at`."""
    return text.count("{", start, at) < text.count("}", start, at + 1)


def _is_parameter(part: str, arguments: int) -> bool:
    return len(part) == 2 and part[0] == "#" and part[1].isdigit() and 1 <= int(part[1]) <= arguments


def _cited(name: str, target: Target, *, sentence: bool, named: bool) -> str:
    """A work as its citation prints it."""
    if not named:
        return target.number or "↗"
    if name in {"citeauthor", "Citeauthor"}:
        return target.authors
    if name in {"citeyear", "citeyearpar"}:
        return target.year or target.authors
    if not target.year:
        return target.authors
    return f"{target.authors} ({target.year})" if sentence else f"{target.authors}, {target.year}"
