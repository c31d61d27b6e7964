"""A project as the one text that TeX would read, with the way back to every file.

Included files stand where they are included; comments, dead branches and what follows the end of the
document are taken out and kept aside.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from rereview.errors import UnusableInput
from rereview.ingest.hidden import unseen_characters
from rereview.ingest.latex_hidden import Conceals
from rereview.ingest.projects import Project
from rereview.text.arguments import arguments
from rereview.text.inclusions import INPUTS, inclusion, searched
from rereview.text.latex import Token, Vocabulary, tokens
from rereview.text.plurals import many
from rereview.types.manuscript import Gap, GapKind, Hidden, HiddenKind, SourceRun, SourceSpan

_HIDDEN: dict[str, HiddenKind] = {"comment": "comment", "dead": "dead-branch", "after-end": "after-end"}
_ENDS_IN_WORD = re.compile(r"\\[A-Za-z]+\Z")
_MOST_INPUTS = 2000
_MOST_CHARACTERS = 10_000_000
"""Of all files that are included, each as often as it is: ten times a long book."""


@dataclass(frozen=True)
class Sourced:
    """A text with the runs of it that stand in files; the rest was made by the reader."""

    text: str
    runs: tuple[SourceRun, ...]

    def cut(self, ranges: Iterable[tuple[int, int] | str]) -> tuple[str, tuple[SourceRun, ...]]:
        """Join ranges of this text, and strings that stand in no file, into a text with its runs."""
        return self._joined(ranges).finish()

    def cut_text(self, ranges: Iterable[tuple[int, int] | str]) -> str:
        """Give the text of `cut` alone."""
        return "".join(self._joined(ranges).pieces)

    def _joined(self, ranges: Iterable[tuple[int, int] | str]) -> Builder:
        builder = Builder()
        for piece in ranges:
            if isinstance(piece, str):
                builder.glue(piece)
            else:
                self._copy(builder, *piece)
        return builder

    def lengths(self, ranges: Iterable[tuple[int, int]]) -> list[int]:
        """How long the text of `cut` has become after each of the ranges."""
        builder, lengths = Builder(), []
        for piece in ranges:
            self._copy(builder, *piece)
            lengths.append(builder.length)
        return lengths

    @cached_property
    def _starts(self) -> list[int]:
        return [run.text_start for run in self.runs]

    def _copy(self, builder: Builder, start: int, end: int) -> None:
        builder.guard(self.text[start : start + 1])
        first = max(bisect_right(self._starts, start) - 1, 0)
        for index in range(first, len(self.runs)):
            run = self.runs[index]
            run_end = run.text_start + run.end - run.start
            if run.text_start >= end:
                break
            if run_end <= start:
                continue
            builder.glue(self.text[start : run.text_start])
            low, high = max(start, run.text_start), min(end, run_end)
            shift = run.start - run.text_start
            builder.copy(run.file, self.text[low:high], low + shift)
            start = high
        builder.glue(self.text[start:end])


class Builder:
    """Grows a text and its runs; neighbouring runs become one."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.runs: list[tuple[str, int, int, int]] = []
        """File, start, end, start in the text."""

    def glue(self, text: str) -> None:
        """Add text that stands in no file."""
        if text:
            self.pieces.append(text)
            self.length += len(text)

    def copy(self, file: str, text: str, start: int) -> None:
        """Add text that stands in `file` at `start`."""
        if not text:
            return
        before, began, ended, text_start = self.runs[-1] if self.runs else ("", 0, -1, 0)
        if before == file and ended == start and text_start + ended - began == self.length:
            self.runs[-1] = (file, began, start + len(text), text_start)
        else:
            self.runs.append((file, start, start + len(text), self.length))
        self.glue(text)

    def guard(self, following: str) -> None:
        """Keep a control word from growing together with the letters that now follow it."""
        if following.isascii() and following.isalpha() and self.pieces:
            tail = self.pieces[-1] if len(self.pieces[-1]) > 1 else "".join(self.pieces[-8:])
            if _ENDS_IN_WORD.search(tail):
                self.glue(" ")

    def finish(self) -> tuple[str, tuple[SourceRun, ...]]:
        """Give the text and its runs."""
        runs = (
            SourceRun(file=file, start=start, end=end, text_start=text_start)
            for file, start, end, text_start in self.runs
        )
        return "".join(self.pieces), tuple(runs)


@dataclass(frozen=True)
class Flat:
    """The text of a project, what was taken out of it (with its place in the text), and what is missing."""

    sourced: Sourced
    hidden: tuple[tuple[int, Hidden], ...]
    gaps: tuple[Gap, ...]


def flatten(project: Project, known: Vocabulary, name: str | None = None) -> Flat:
    """Follow every inclusion from a file (None: the main one).

    Raises UnusableInput for files that include each other, and for more than a book holds.
    """
    flattening = _Flattening(project, known)
    flattening.file(project.main if name is None else name, ())
    return flattening.finish()


class _Flattening:
    def __init__(self, project: Project, known: Vocabulary) -> None:
        self.project = project
        self.known = known
        self.built = Builder()
        self.hidden: list[tuple[int, Hidden]] = []
        self.gaps: list[Gap] = []
        self.ended = False
        self.inputs = 0
        self.characters = 0
        self.conceals = Conceals()
        self.only: frozenset[str] | None = None
        r"""The files that `\includeonly` names; None: there is none."""

    def includes(self, name: str) -> bool:
        r"""Whether `\include` of this name is followed."""
        return self.only is None or name.removesuffix(".tex") in self.only

    def finish(self) -> Flat:
        return Flat(Sourced(*self.built.finish()), tuple(self.hidden), tuple(self.gaps))

    def file(self, name: str, above: tuple[str, ...]) -> None:
        if name in above:
            cycle = " -> ".join((*above[above.index(name) :], name))
            raise UnusableInput(
                f"files include each other: {cycle}",
                where=name,
                expected="expected each file to be included from above only",
            )
        source = self.project.read(name)
        self._count(name, len(source))
        _File(self, name, source, (*above, name)).run()
        if source and not source.endswith(("\n", "\r")):
            self.built.glue("\n")

    def _count(self, name: str, characters: int) -> None:
        # Files that each include the next one twice double at every step.
        self.inputs += 1
        self.characters += characters
        if self.inputs > _MOST_INPUTS or self.characters > _MOST_CHARACTERS:
            raise UnusableInput(
                f"{many(self.inputs, 'file')} and {self.characters:,} characters are included up to here",
                where=name,
                expected=f"expected at most {_MOST_INPUTS:,} files and {_MOST_CHARACTERS:,} characters",
            )


class _File:
    """One file on its way into the text."""

    def __init__(self, whole: _Flattening, name: str, source: str, above: tuple[str, ...]) -> None:
        self.whole = whole
        self.name = name
        self.source = source
        self.above = above
        self.removed = False
        self.kept: tuple[int, int] | None = None
        """What is next to be copied: tokens that follow each other are copied at once."""
        self.document = False
        """It has its own document environment and is not the main file."""

    def run(self) -> None:
        self.whole.conceals.learn(self.source)
        self.unseen = list(unseen_characters(self.source))
        found = tokens(self.source, self.whole.known)
        position: int | None = self._start(found)
        for token in found:
            if position is None or self.whole.ended:
                break
            if token.start >= position:
                position = self._token(token)
        self._copy_kept()

    def _start(self, found: list[Token]) -> int:
        # A subfile is a document of its own; what it prints stands between its own \begin and \end.
        self.document = len(self.above) > 1 and any(_ends(token, "begin") for token in found)
        if self.document:
            return next(token.end for token in found if _ends(token, "begin"))
        return 1 if self.source.startswith("\ufeff") else 0

    def _token(self, token: Token) -> int | None:
        """Take one token; the position up to which the source is done, None at the end of the file."""
        concealed = self.whole.conceals.concealed(self.source, token)
        if self.whole.conceals.patience < 0:
            raise UnusableInput(
                "too many commands that may hide text, or too deeply in each other",
                where=self.name,
                expected="expected a paper",
            )
        if concealed is not None:
            self._conceal(concealed.kind, concealed.start, concealed.end, concealed.text)
            return concealed.end
        if token.kind in _HIDDEN:
            self._hide(_HIDDEN[token.kind], token.start, token.end)
        elif token.kind == "conditional":
            self.removed = True
        elif token.name == "\\endinput":
            self._hide("after-end", token.start, len(self.source))
            return None
        elif token.name == "\\includeonly":
            self._only(token)
        elif token.kind == "command" and token.name in INPUTS:
            return self._include(token)
        elif _ends(token, "end"):
            self._finish(token)
            return None
        else:
            self._copy(token)
        return token.end

    def _finish(self, token: Token) -> None:
        if not self.document:
            self._copy(token)
        if token.end < len(self.source):
            self._hide("after-end", token.end, len(self.source))
        self.whole.ended = not self.document

    def _hide(self, kind: HiddenKind, start: int, end: int) -> None:
        self._copy_kept()
        self.removed = True
        text = self.source[start:end]
        if text.strip():
            span = SourceSpan(file=self.name, start=start, end=end)
            self.whole.hidden.append((self.whole.built.length, Hidden(kind=kind, text=text, source=span)))

    def _conceal(self, kind: HiddenKind, start: int, end: int, text: str) -> None:
        """Keep aside what would be printed and not be seen."""
        self._copy_kept()
        self.removed = True
        span = SourceSpan(file=self.name, start=start, end=end)
        self.whole.hidden.append((self.whole.built.length, Hidden(kind=kind, text=text, source=span)))

    def _copy(self, token: Token) -> None:
        if self.kept is not None and self.kept[1] == token.start and not self.removed:
            self.kept = (self.kept[0], token.end)
            return
        self._copy_kept()
        if self.removed:
            text = self.source[token.start : token.end]
            self.whole.built.guard(text[:1])
            if token.kind == "par" and text.count("\n") + text.count("\r") - text.count("\r\n") == 1:
                self.whole.built.glue("\n")
        self.removed = False
        self.kept = (token.start, token.end)

    def _copy_kept(self) -> None:
        if self.kept is None:
            return
        first, end = self.kept
        self.kept = None
        start = first
        # Within the text a line ends with \n alone; the runs leave the \r out.
        for line in self.source[first:end].split("\r\n"):
            if start > first:
                self.whole.built.copy(self.name, "\n", start - 1)
            self._seen(start, start + len(line))
            start += len(line) + 2

    def _seen(self, start: int, end: int) -> None:
        """Copy what leaves ink; zero-width and tag characters are kept aside."""
        index = bisect_left(self.unseen, start, key=lambda stretch: stretch.start)
        while index < len(self.unseen) and (stretch := self.unseen[index]).start < end:
            self.whole.built.copy(self.name, self.source[start : stretch.start], start)
            self._conceal("characters", stretch.start, stretch.end, stretch.shown)
            self.removed = False
            start = stretch.end
            index += 1
        self.whole.built.copy(self.name, self.source[start:end], start)

    def _include(self, token: Token) -> int:
        """Read the file that is named here. Returns the position after the name."""
        folder, name, end = inclusion(self.source, token)
        if name is None:
            self._copy(token)
            return token.end
        found = self.whole.project.find(name, (".tex", ""), searched(token.name, folder, self.name))
        if token.name == "\\include" and not self.whole.includes(name):
            self._passed_over(found)
        elif found is None:
            self._missing(token, str(PurePosixPath(folder) / name), end)
        else:
            self._enter(token, found)
        return end

    def _only(self, token: Token) -> None:
        self._copy(token)
        given = arguments(self.source, token.end, 1)
        if given.groups and not self.whole.ended:
            names = self.source[slice(*given.groups[0])].split(",")
            self.whole.only = frozenset(name.strip().removesuffix(".tex") for name in names)

    def _passed_over(self, found: str | None) -> None:
        r"""A file that `\includeonly` leaves out is not printed."""
        self._copy_kept()
        self.removed = True
        source = "" if found is None else self.whole.project.read(found)
        if found is not None and source.strip():
            span = SourceSpan(file=found, start=0, end=len(source))
            hidden = Hidden(kind="dead-branch", text=source, source=span)
            self.whole.hidden.append((self.whole.built.length, hidden))

    def _missing(self, token: Token, name: str, end: int) -> None:
        self._copy_kept()
        self.removed = True
        if token.name != "\\InputIfFileExists":
            span = SourceSpan(file=self.name, start=token.start, end=end)
            kind: GapKind = "bibliography" if name.endswith(".bbl") else "input"
            self.whole.gaps.append(Gap(kind=kind, name=name, source=span))

    def _enter(self, token: Token, name: str) -> None:
        self._copy_kept()
        whole = self.whole
        around = "\n\n" if token.name in {"\\include", "\\subfileinclude"} else ""
        whole.built.glue(around)
        whole.file(name, self.above)
        whole.built.glue(around)
        self.removed = True


def _ends(token: Token, kind: str) -> bool:
    return token.kind == kind and token.name == "document"
