"""LaTeX running text as pieces. Reads, never runs: no macro of the paper can do more than print."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from rereview.report.latex_links import citation, href, hyperref, label_reference, url
from rereview.report.latex_reader import COMMAND, Context, Reader
from rereview.report.latex_source import Source, fellow_of, joined
from rereview.report.pieces import Break, Close, Open, Reading, Run
from rereview.report.symbols import (
    ACCENTS,
    CITATIONS,
    ENVIRONMENT_ARGUMENTS,
    FONTS,
    GLUE,
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

PLAIN_TEXT = re.compile(r"[^\\{}$~\-`'\[\]]+")
TYPOGRAPHY = ("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("`", "‘"), ("'", "’"), ("~", "\xa0")
ENDS_IN_COMMAND = re.compile(r"\\[A-Za-z@]+$")
LENGTH = re.compile(
    r"\s*=?\s*[-+]?[\d.]+\s*(?:pt|em|ex|cm|mm|in|sp|pc|bp)?(?:\s*(?:plus|minus)\s*[\d.]+\s*[a-z]{2,3})*"
)
LIMIT_OF_EXPANSIONS = 200
DEEPEST = 20
LONGEST_EXPANSION = 20_000


def read_latex(text: str, context: Context, *, at: int = 0) -> Reading:
    """The pieces of LaTeX text that starts at the offset `at` of its block. Never raises."""
    reader = _Text(Source.of(text, at), context)
    reader.read()
    return Reading(tuple(reader.pieces), tuple(reader.unknown))


class _Text(Reader):
    """Reads from left to right: a command, a delimiter or a stretch of plain text at a time."""

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
        end = fellow_of(text, start + len(mark), mark)
        if end < 0:
            self.at = start + len(mark)
            self.show(start, self.at)
            return
        self.formula(start, end + len(mark), text[start + len(mark) : end], display=mark == "$$")

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
            label_reference(self, start, name)
        elif name in CITATIONS:
            citation(self, start, name, self.inner)
        elif name.endswith("ref") and self.refers():
            label_reference(self, start, name)
        else:
            self.unknown.append("\\" + name)
            self.swallow_space(name)
            self.optional()

    def refers(self) -> bool:
        """True if the next argument is the name of a label."""
        at = self.at
        place = self.argument()
        self.at = at
        return self.words_of(place) in self.context.targets

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
        parts: list[Source] = []
        for part in filter(None, re.split(r"(#[1-9])", macro.body)):
            number = _parameter(part, macro.arguments)
            parts.append(values[number - 1] if number else self.source.placed(part, start, self.at))
        rest = self.source.cut(self.at, len(self.source.text))
        if sum(len(part.text) for part in parts) > LONGEST_EXPANSION:
            self.unknown.append(macro.name)
            return
        self.source = joined(tuple(_kept_apart((*parts, rest))))
        self.at = 0

    def backslash(self, start: int) -> None:
        """The one character that is shown as code, because it is a word of a language."""
        self.swallow_space("textbackslash")
        self.need_item()
        self.pieces.append(Open("code"))
        self.show(start, self.at, "\\")
        self.pieces.append(Close("code"))

    def new_line(self, _start: int) -> None:
        r"""`\\` with its optional space."""
        self.optional()
        if self.innermost() not in {"ul", "ol"}:
            self.pieces.append(Break())

    def verb(self, _start: int) -> None:
        r"""`\verb|...|`."""
        mark = self.source.text[self.at : self.at + 1]
        end = self.source.text.find(mark, self.at + 1) if mark else -1
        if end < 0:
            return
        self.code(self.at + 1, end, "code")
        self.at = end + 1

    def code(self, start: int, end: int, *tags: str) -> None:
        """Source as it stands."""
        self.need_item()
        tags = tags[-1:] if self.inside_words() else tags
        self.pieces.extend(Open(tag) for tag in tags)
        self.show(start, end)
        self.pieces.extend(Close(tag) for tag in reversed(tags))

    def parenthesis(self, start: int) -> None:
        r"""`\(` and `\[` up to their fellow."""
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
        if name in LISTS or name in PLAIN:
            self.skip_optional()
            self.skip(ENVIRONMENT_ARGUMENTS.get(name, 0))
            if name in LISTS:
                self.need_item()
            self.open.append((name, []))
            if name in LISTS and not self.inside_words():
                self.open_element(LISTS[name])
            return
        self.named_environment(start, name)

    def named_environment(self, start: int, name: str) -> None:
        """An environment of the paper's own, such as a theorem; its optional name is printed."""
        if name not in self.context.environments:
            self.unknown.append(name)
        self.open.append((name, []))
        if place := self.optional():
            self.need_item()
            self.pieces.append(Open("b"))
            self.show(start, self.at, "(")
            self.inner(place, "b")
            self.show(start, self.at, ") ")
            self.pieces.append(Close("b"))

    def whole_environment(self, start: int, name: str) -> None:
        """An environment that is read as one piece."""
        end = re.compile(r"\\end\s*\{" + re.escape(name) + r"\*?\}").search(self.source.text, self.at)
        stop = end.end() if end else len(self.source.text)
        if name in MATHEMATICS:
            self.formula(start, stop, self.source.text[start:stop], display=name != "math")
        else:
            self.code(start, stop, "pre", "code")
            self.at = stop

    def end(self, _start: int) -> None:
        """The end of an environment closes whatever is open inside it."""
        name = self.words_of(self.argument()).removesuffix("*")
        if any(opened == name for opened, _ in self.open):
            while self.open[-1][0] != name:
                self.close_group()
            self.close_group()

    def item(self, _start: int) -> None:
        """An item of a list; its optional name is printed in bold."""
        if any(opened in LISTS for opened, _ in self.open):
            while self.open[-1][0] not in LISTS:
                self.close_group()
        place = self.optional()
        if not self.open or self.open[-1][0] not in LISTS:
            self.skip_space()
            return
        tags = self.open[-1][1]
        if not tags or tags[0] not in {"ul", "ol"}:
            self.show(self.at - 1, self.at, " ")
            return
        while len(tags) > 1:
            self.pieces.append(Close(tags.pop()))
        self.open_element("li")
        self.skip_space()
        if place:
            end = self.source.ends[place[1]]
            self.pieces.append(Open("b"))
            self.inner(place, "b")
            self.pieces.extend((Close("b"), Run(end, end, " ", exact=False)))

    def inner(self, place: tuple[int, int], *around: str) -> None:
        """Put out the contents of an argument as a text of its own, inside the elements `around`."""
        if self.depth < DEEPEST:
            source = self.source.cut(*place)
            reader = _Text(source, self.context, self.depth + 1, outer=self.around() | set(around))
            reader.read()
            self.pieces.extend(reader.pieces)
            self.unknown.extend(reader.unknown)

    def first_only(self, _start: int) -> None:
        """Of two arguments the first is printed."""
        place = self.argument()
        self.argument()
        if place:
            self.need_item()
            self.inner(place)

    def ensured(self, start: int) -> None:
        """A formula without dollar signs."""
        if place := self.argument():
            self.formula(start, self.at, self.source.text[slice(*place)], display=False)

    def space(self, start: int) -> None:
        r"""`\xspace`: a space unless punctuation follows."""
        self.skip_space()
        if self.source.text[self.at : self.at + 1].isalnum():
            self.show(start, self.at, " ")

    def glue(self, _start: int) -> None:
        """A number or length that is not printed."""
        if found := LENGTH.match(self.source.text, self.at):
            self.at = found.end()


_SPECIAL: dict[str, Callable[[_Text, int], None]] = {
    "\\": _Text.new_line,
    "xspace": _Text.space,
    "newline": _Text.new_line,
    "tabularnewline": _Text.new_line,
    "(": _Text.parenthesis,
    "[": _Text.parenthesis,
    "begin": _Text.begin,
    "end": _Text.end,
    "item": _Text.item,
    "url": url,
    "nolinkurl": url,
    "href": href,
    "hyperref": hyperref,
    "verb": _Text.verb,
    "Verb": _Text.verb,
    "texorpdfstring": _Text.first_only,
    **dict.fromkeys(GLUE, _Text.glue),
    "textbackslash": _Text.backslash,
    "ensuremath": _Text.ensured,
}


def _kept_apart(parts: Sequence[Source]) -> Iterator[Source]:
    """The parts, with a space where a command would run into the letters that follow it."""
    for part, following in zip_longest(parts, parts[1:]):
        yield part
        if following and ENDS_IN_COMMAND.search(part.text) and following.text[:1].isalpha():
            yield part.placed(" ", len(part.text) - 1, len(part.text))


def _parameter(part: str, arguments: int) -> int | None:
    """The number of a `#1` in a macro with so many arguments; None for all other text."""
    number = int(part[1]) if re.fullmatch(r"#[1-9]", part) else 0
    return number if 1 <= number <= arguments else None
