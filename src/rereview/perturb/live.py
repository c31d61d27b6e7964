r"""The live text of a LaTeX project, file by file, in the order in which TeX reads it.

Offsets are those of each file, so that an edit can be put into it. What no reader sees is left out: the
preamble, comments, dead branches, what follows the end of the document, files that nothing includes.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from rereview.text import environments as env
from rereview.text.arguments import arguments
from rereview.text.inclusions import INPUTS, inclusion, searched
from rereview.text.latex import PLAIN, Token, Vocabulary, named, tokens
from rereview.text.macros import Definitions, definitions
from rereview.text.modes import Region, nest

_PACKAGES = {"\\usepackage": ".sty", "\\documentclass": ".cls"}
_THANKS = named(r"\acknowledgments \acknowledgements \acknowledgment \acknowledgement \ack \acks")
"""Commands of journals that set a heading of their own."""
_STEPS = INPUTS | env.LEVELS.keys() | _THANKS | {"document", "\\endinput"}
"""What changes where one reads, or below which heading."""


class Mark(NamedTuple):
    """From `at` on: how many stretches were read before, and the headings above, the outer one first."""

    at: int
    order: int
    headings: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """The live stretch of one file."""

    file: str
    text: str
    tokens: Sequence[Token]
    """Of the whole file."""
    start: int
    stop: int
    marks: Sequence[Mark]

    @cached_property
    def regions(self) -> Sequence[Region]:
        """Mathematics and environments of the live stretch, in order of their start."""
        found = nest(self.text, self.tokens).regions
        return [region for region in found if self.start <= region.start and region.end <= self.stop]

    @cached_property
    def live(self) -> Sequence[Token]:
        """The tokens of the live stretch; a byte-order mark is none of the text after it."""
        found = [token for token in self.tokens if self.start < token.end and token.start < self.stop]
        if found and found[0].start < self.start:
            found[0] = found[0]._replace(start=self.start)
        return found

    @cached_property
    def _marked(self) -> list[int]:
        return [mark.at for mark in self.marks]

    def mark(self, position: int) -> Mark:
        """What is known of a position."""
        return self.marks[max(bisect_right(self._marked, position) - 1, 0)]


@dataclass(frozen=True)
class Live:
    """The live parts of a project, and what the paper defines."""

    parts: tuple[Part, ...]
    defined: Definitions


def live(files: Mapping[str, str], main: str) -> Live:
    """Follow a project from its main file; names are relative to the folder of that."""
    first = _Reader(files, PLAIN).read(main)
    used = [(part.text, part.tokens) for part in first]
    defined = definitions([*_packages(files, used), *used])
    if defined.vocabulary == PLAIN:
        return Live(tuple(first), defined)
    return Live(tuple(_Reader(files, defined.vocabulary).read(main)), defined)


def _packages(
    files: Mapping[str, str], used: Iterable[tuple[str, Sequence[Token]]]
) -> list[tuple[str, Sequence[Token]]]:
    names: dict[str, None] = {}
    for text, found in used:
        for token in [token for token in found if token.name in _PACKAGES]:
            ending = _PACKAGES[token.name]
            for start, end in arguments(text, token.end, 1).groups:
                names.update(dict.fromkeys(f"{name.strip()}{ending}" for name in text[start:end].split(",")))
    return [(files[name], tokens(files[name])) for name in names if name in files]


@dataclass
class _Reader:
    files: Mapping[str, str]
    known: Vocabulary
    parts: dict[str, Part] = field(default_factory=dict)
    headings: list[tuple[int, str]] = field(default_factory=list)
    """Of those above: level and title."""
    order: int = 0
    ended: bool = False

    def read(self, main: str) -> list[Part]:
        waiting = [_File(self, main, whole=True)]
        entered = {main}
        while waiting:
            name = waiting[-1].run()
            if name is None:
                done = waiting.pop()
                self.parts[done.name] = done.part()
            elif name not in entered:
                entered.add(name)
                waiting.append(_File(self, name, whole=False))
        return sorted(self.parts.values(), key=lambda part: part.marks[0].order)

    def heading(self, level: int, title: str) -> None:
        self.headings = [above for above in self.headings if above[0] < level]
        self.headings.append((level, title))

    def mark(self, at: int) -> Mark:
        return Mark(at, self.order, tuple(title for _, title in self.headings))

    def find(self, name: str, folders: Sequence[str]) -> str | None:
        """Name the file that is meant, as the files call it."""
        for folder in folders:
            for ending in (".tex", ""):
                path = posixpath.normpath(posixpath.join(folder, name + ending))
                if path in self.files:
                    return path
        return None


class _File:
    """One file on its way: `run` goes on from where it stopped at an inclusion."""

    def __init__(self, reader: _Reader, name: str, *, whole: bool) -> None:
        self.reader, self.name = reader, name
        self.text = reader.files[name]
        self.tokens = tokens(self.text, reader.known)
        begin = next((token for token in self.tokens if _is_document(token, "begin")), None)
        self.document = begin is not None and not whole
        """A subfile: what follows its own end of document is dead, and the paper goes on."""
        bare = 1 if self.text.startswith("\ufeff") else 0
        self.start = bare if begin is None else begin.end
        self.here = self.start
        self.stop: int | None = None
        self.steps = iter([t for t in self.tokens if t.name in _STEPS and t.start >= self.start])
        reader.order += 1
        self.marks = [reader.mark(self.start)]

    def run(self) -> str | None:
        """Read on; the next file to be read, None at the end of this one."""
        if self.stop is None and self.marks[-1].order != self.reader.order:
            self.reader.order += 1
            self.marks.append(self.reader.mark(self.here))
        while self.stop is None and not self.reader.ended:
            token = next(self.steps, None)
            if token is None:
                return None
            self.here = token.end
            name = self._token(token)
            if name is not None:
                return name
        return None

    def _token(self, token: Token) -> str | None:
        if _is_document(token, "end") or token.name == "\\endinput":
            self.stop = token.start
            self.reader.ended = token.kind == "end" and not self.document
        elif token.kind == "command" and token.name in INPUTS:
            folder, name, _ = inclusion(self.text, token)
            folders = searched(token.name, folder, self.name)
            return self.reader.find(name, folders) if name else None
        elif token.kind == "command" and token.name in _THANKS:
            self.reader.heading(1, "Acknowledgements")
            self.marks.append(self.reader.mark(token.start))
        elif token.kind == "command" and token.name in env.LEVELS:
            self._heading(token)
        return None

    def _heading(self, token: Token) -> None:
        groups = arguments(self.text, token.end, 1).groups
        if groups:
            self.reader.heading(env.LEVELS[token.name], " ".join(self.text[slice(*groups[0])].split()))
            self.marks.append(self.reader.mark(token.start))

    def part(self) -> Part:
        stop = self.stop if self.stop is not None else self._end()
        return Part(self.name, self.text, self.tokens, self.start, stop, self.marks)

    def _end(self) -> int:
        # Where the whole document has ended in a file that this one includes, the rest is dead.
        return self.here if self.reader.ended else len(self.text)


def _is_document(token: Token, kind: str) -> bool:
    return token.kind == kind and token.name == "document"
