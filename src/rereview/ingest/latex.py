"""Reads a LaTeX project into a Manuscript. Nothing is expanded and no TeX runs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path

from rereview.errors import UnusableInput
from rereview.ingest import bibliography as bib
from rereview.ingest.blocks import cut_blocks
from rereview.ingest.flatten import Flat, Sourced, flatten
from rereview.ingest.identity import manuscript_id
from rereview.ingest.notices import bound, running_heads
from rereview.ingest.numbering import Counters, declare, integer
from rereview.ingest.pieces import (
    BlockPiece,
    Document,
    FigurePiece,
    Labels,
    Piece,
    Range,
    blocks_of,
    ids_of,
    is_document,
    trimmed,
    without_layout,
)
from rereview.ingest.projects import WHAT_IS_RIGHT, Project, image_extensions, open_project
from rereview.ingest.titles import plain_title
from rereview.text import environments as env
from rereview.text.arguments import arguments
from rereview.text.latex import PLAIN, Token, named, tokens
from rereview.text.macros import Definitions, definitions
from rereview.text.modes import nest
from rereview.types.manuscript import (
    Figure,
    Gap,
    Hidden,
    Manuscript,
    Removed,
    SourceSpan,
    Span,
)

_SHOWN = frozenset({".png", ".jpg", ".jpeg", ".pdf", ".webp"})
_DEEPEST = 100
_PATIENCE = 20
"""So many titles are looked at for one that says something."""
_DECLARING = named(r"\documentclass \setcounter \numberwithin \counterwithin")
_NOTE = frozenset({"\\thanks", "\\footnote", "\\footnotemark", "\\tnoteref"})
_ANONYMOUS = re.compile(r"\banonym", re.IGNORECASE)


Place = tuple[tuple[Range, ...], str]
"""Where a block stands in the flat text, and its id."""


def read(path: Path) -> Manuscript:
    """Read the project of a main file or of a folder.

    Raises UnusableInput: no main file, no text, files that include each other, or too deep a nesting.
    """
    return read_project(open_project(path), str(path))


def read_project(project: Project, shown: str) -> Manuscript:
    """Read a project; `shown` is what errors call it. Raises UnusableInput as `read` does."""
    try:
        reading = _Reading(project, shown)
        return bound(reading.manuscript(), running_heads(reading.text, reading.tokens))
    except RecursionError:
        raise _too_deep(shown) from None


def _too_deep(shown: str) -> UnusableInput:
    return UnusableInput(
        "files or environments are nested too deeply",
        where=shown,
        expected=f"expected at most {_DEEPEST} in each other",
    )


def _beside(project: Project) -> Iterator[Gap]:
    """The main files that were not taken, and the one that was."""
    main = (Path(project.folder) / project.main).as_posix()
    for name in project.beside:
        yield Gap(kind="main-file", name=f"{name}, beside {main}")


class _Reading:
    def __init__(self, project: Project, shown: str) -> None:
        self.project = project
        self.shown = shown
        self.defined, self.flat = self._flatten()
        self.text = self.flat.sourced.text
        self.tokens = tokens(self.text, self.defined.vocabulary)
        self.gaps: list[Gap] = [*self.flat.gaps, *_beside(project)]
        self.hidden: list[Hidden] = []
        """Of a printed bibliography: it has no place among the blocks."""
        self.lengths: dict[str, list[int]] = {}
        """Of a block, how long its text is after each of its ranges."""
        self.images: dict[str, str | None] = {}
        """Of the images that were looked for, by their name in the paper, the file."""
        self.printed = False
        """Whether the entries of the data bases have been given."""

    def _flatten(self) -> tuple[Definitions, Flat]:
        flat = flatten(self.project, PLAIN)
        defined = self._defined(flat)
        known = defined.vocabulary
        if known.switches or known.excluded:
            flat = flatten(self.project, known)
            defined = self._defined(flat)
        return defined, flat

    def _defined(self, flat: Flat) -> Definitions:
        text = flat.sourced.text
        found = tokens(text)
        return definitions([*self._packages(text, found), (text, found)])

    def _packages(self, text: str, found: Sequence[Token]) -> list[tuple[str, list[Token]]]:
        """Read the style and class files of the project that the paper uses."""
        names: dict[str, None] = {}
        for token in found:
            ending = {"\\usepackage": ".sty", "\\documentclass": ".cls"}.get(token.name)
            for start, end in arguments(text, token.end, 1).groups if ending else ():
                names.update(dict.fromkeys(f"{name.strip()}{ending}" for name in text[start:end].split(",")))
        sources = [self.project.read(name) for name in names if self.project.find(name, ("",))]
        return [(source, tokens(source)) for source in sources]

    def manuscript(self) -> Manuscript:
        pieces = self._pieces()
        if not any(isinstance(piece, BlockPiece) and piece.kind != "title" for piece in pieces):
            raise UnusableInput(
                "no text between \\begin{document} and \\end{document}",
                where=self.shown,
                expected="expected a paper with text",
            )
        blocks = blocks_of(pieces)
        figures, sequence = self._figures(pieces)
        macros = tuple(macro for macro in self.defined.macros if "@" not in macro.name)
        return Manuscript(
            id=manuscript_id("latex", blocks, figures, macros),
            paper_id=self.project.paper_id,
            title=self._title(pieces),
            format="latex",
            blocks=blocks,
            figures=figures,
            sequence=sequence,
            hidden=self._hidden(pieces),
            removed=tuple(self._names()),
            gaps=tuple(self.gaps),
            macros=macros,
        )

    def _title(self, pieces: Sequence[Piece]) -> str:
        for piece in pieces:
            if isinstance(piece, BlockPiece) and piece.kind == "title":
                return plain_title(piece.text, self.defined.macros) or piece.text
        return self.project.paper_id

    # -- blocks

    def _pieces(self) -> list[Piece]:
        begin = next((i for i, t in enumerate(self.tokens) if is_document(t, "begin")), None)
        if begin is None:
            raise UnusableInput("no \\begin{document}", where=self.shown, expected=WHAT_IS_RIGHT)
        end = next((i for i, t in enumerate(self.tokens) if is_document(t, "end")), len(self.tokens))
        self.body = (
            self.tokens[begin].end,
            self.tokens[end].start if end < len(self.tokens) else len(self.text),
        )
        self.begin, self.end = begin, end
        document = self._document(begin)
        return cut_blocks(document, begin + 1, end, self._title_piece())

    def _document(self, begin: int) -> Document:
        chapters = any(token.name == "\\chapter" for token in self.tokens)
        counters = Counters(chapters=chapters)
        self._preamble(counters, self.tokens[:begin])
        nesting = nest(self.text, self.tokens)
        if nesting.depth() > _DEEPEST:
            raise _too_deep(self.shown)
        return Document(
            flat=self.flat.sourced,
            tokens=self.tokens,
            regions={region.start: region for region in nesting.regions},
            theorems={theorem.environment: theorem for theorem in self.defined.theorems},
            theorem_counters=declare(counters, self.defined.theorems),
            counters=counters,
            chapters=chapters,
            references=self._references,
            labels=self._labels(),
            environment_arguments=self.defined.environment_arguments,
        )

    def _labels(self) -> Labels:
        own = {macro.name: macro.body for macro in self.defined.macros if macro.arguments == 1}
        return Labels({name: body for name, body in own.items() if body.strip().startswith("\\label")})

    def _preamble(self, counters: Counters, preamble: Sequence[Token]) -> None:
        for token in preamble:
            names = self._arguments(token) if token.name in _DECLARING else []
            if token.name == "\\documentclass" and names:
                counters.of_class(names[0])
            elif token.name == "\\setcounter":
                depth = integer(names[-1]) if names[:1] == ["secnumdepth"] else None
                counters.depth = counters.depth if depth is None else depth
            elif len(names) == 2:  # noqa: PLR2004, the counter and what resets it
                counters.reset_by(*names)
        for macro in self.defined.macros:
            if macro.name.startswith("\\the") and macro.name[4:] in counters.forms:
                counters.forms[macro.name[4:]] = macro.body

    def _arguments(self, token: Token) -> list[str]:
        return [self.text[slice(*span)].strip() for span in arguments(self.text, token.end, 2).groups]

    def _title_piece(self) -> list[Piece]:
        titles = (token for token in reversed(self.tokens) if token.name in env.TITLES)
        for token in islice(titles, _PATIENCE):
            groups = arguments(self.text, token.end, 1).groups
            ranges = without_layout(self.text, self._without_notes(*groups[0])) if groups else []
            if ranges:
                text, runs = self.flat.sourced.cut(ranges)
                return [BlockPiece("title", text, runs, tuple(ranges))]
        return []

    def _without_notes(self, start: int, end: int) -> list[Range]:
        title = self.text[start:end]
        ranges = [
            (token.start, arguments(title, token.end, 1).end)
            for token in tokens(title)
            if token.name in _NOTE
        ]
        kept, position = [], start
        for hole_start, hole_end in ranges:
            if start + hole_start >= position:
                kept.append((position, start + hole_start))
                position = start + hole_end
        return [*kept, (position, end)]

    # -- references

    def _references(self, where: Range | None) -> list[BlockPiece]:
        if where is not None:
            return self._items(self.flat.sourced, *where)
        if self.printed:
            return []
        self.printed = True
        printed = self.project.find(str(Path(self.project.main).with_suffix(".bbl")), ("",))
        if printed is not None:
            flat = flatten(self.project, self.defined.vocabulary, printed)
            items = self._items(flat.sourced, 0, len(flat.sourced.text))
            if items:
                self.hidden += [hidden for _, hidden in flat.hidden]
                return items
        found = self._data_bases()
        keys = bib.cited(self.text, self.tokens[self.begin : self.end])
        references = [bib.reference(entry) for entry in bib.chosen(keys, found)]
        return [BlockPiece("reference", r.text, r.runs, labels=(r.key,)) for r in references]

    def _items(self, source: Sourced, start: int, end: int) -> list[BlockPiece]:
        pieces: dict[str, BlockPiece] = {}
        for key, span in bib.bibitems(source, start, end):
            ranges = trimmed(source.text, [span])
            text, runs = source.cut(ranges)
            here = tuple(ranges) if source is self.flat.sourced else ()
            if text:
                pieces.setdefault(key, BlockPiece("reference", text, runs, here, labels=(key,)))
        return list(pieces.values())

    def _data_bases(self) -> dict[str, bib.Entry]:
        inside = {
            bib.file_name(self.text, token): token
            for token in self.tokens
            if token.kind == "verbatim" and token.name.startswith("filecontents")
        }
        found: dict[str, bib.Entry] = {}
        # A key means its entry in the first base that has it.
        for base in reversed([self._base(name, span, inside) for name, span in self._named_bases()]):
            found.update(base)
        return found

    def _base(self, name: str, span: Range, inside: Mapping[str, Token]) -> dict[str, bib.Entry]:
        path = self.project.find(name, (".bib", ""))
        if path is not None:
            return bib.entries(bib.whole(path, self.project.read(path)))
        token = inside.get(name) or inside.get(f"{name}.bib")
        if token is not None:
            return bib.entries(Sourced(*self.flat.sourced.cut([(token.start, token.end)])))
        self.gaps.append(Gap(kind="bibliography", name=name, source=self._span(*span)))
        return {}

    def _named_bases(self) -> list[tuple[str, Range]]:
        bases: dict[str, Range] = {}
        for token in self.tokens:
            if token.name not in {"\\bibliography", "\\addbibresource"}:
                continue
            for start, end in arguments(self.text, token.end, 1).groups:
                names = [name.strip() for name in self.text[start:end].split(",")]
                bases.update({name: (start, end) for name in names if name and name not in bases})
        return list(bases.items())

    # -- figures, hidden text

    def _figures(self, pieces: Sequence[Piece]) -> tuple[tuple[Figure, ...], tuple[str, ...]]:
        names = ids_of(pieces)
        figures: list[Figure] = []
        last: str | None = None
        for index, piece in enumerate(pieces):
            if isinstance(piece, BlockPiece):
                last = names[index]
            else:
                path, digest = self._image(piece)
                caption = None if piece.caption is None else names[piece.caption]
                figures.append(
                    Figure(
                        id=names[index],
                        path=path,
                        sha256=digest,
                        after=last,
                        caption=caption,
                        name=piece.name,
                    )
                )
        return tuple(figures), tuple(names)

    def _image(self, piece: FigurePiece) -> tuple[str | None, str | None]:
        if piece.picture:
            return None, None
        if piece.name not in self.images:  # a name is tried with every ending in every folder
            folders = ("", *self._graphics_folders)
            self.images[piece.name] = self.project.find(piece.name, image_extensions(), folders)
        path = self.images[piece.name]
        if path is None:
            self.gaps.append(Gap(kind="figure", name=piece.name, source=self._span(*piece.at)))
            return None, None
        digest = sha256(self.project.content(path)).hexdigest()
        return (path if Path(path).suffix.lower() in _SHOWN else None), digest

    @cached_property
    def _graphics_folders(self) -> tuple[str, ...]:
        folders: list[str] = []
        for token in self.tokens:
            if token.name == "\\graphicspath":
                for start, end in arguments(self.text, token.end, 1).groups:
                    folders += re.findall(r"\{([^{}]*)\}", self.text[start:end])
        return tuple(folders)

    def _span(self, start: int, end: int) -> SourceSpan | None:
        runs = self.flat.sourced.cut([(start, end)])[1]
        return SourceSpan(file=runs[0].file, start=runs[0].start, end=runs[0].end) if runs else None

    def _hidden(self, pieces: Sequence[Piece]) -> tuple[Hidden, ...]:
        names = ids_of(pieces)
        places = sorted(
            (piece.ranges, names[index])
            for index, piece in enumerate(pieces)
            if isinstance(piece, BlockPiece) and piece.ranges
        )
        here = [hidden.but(at=self._at(offset, places)) for offset, hidden in self.flat.hidden]
        return (*here, *self.hidden)

    def _names(self) -> Iterator[Removed]:
        """What the commands for authors hold; none of it is ever part of a block."""
        done = 0
        for token in self.tokens:
            if token.name not in env.AUTHORS or token.start < done:
                continue
            given = arguments(self.text, token.end, 1)
            done = given.end
            for start, end in given.groups:
                span = self._span(start, end)
                place = f"{span.file}:{span.start}-{span.end}" if span else ""
                text = self.text[start:end].strip()
                if text and not _ANONYMOUS.search(text):
                    yield Removed(kind=env.AUTHORS[token.name], text=text, place=place)

    def _at(self, offset: int, places: Sequence[Place]) -> Span | None:
        """The block in which it would stand, else the end of the one before it."""
        index = bisect_right(places, offset, key=lambda place: place[0][0][0]) - 1
        if index < 0 or (offset < self.body[0] and places[index][0][-1][1] < offset):
            return None
        ranges, name = places[index]
        at = self._offset_in(ranges, name, offset)
        return Span(block_id=name, start=at, end=at)

    def _offset_in(self, ranges: tuple[Range, ...], name: str, offset: int) -> int:
        """Where a place of the flat text stands in the text of the block that is cut from it."""
        if name not in self.lengths:
            self.lengths[name] = self.flat.sourced.lengths(ranges)
        index = bisect_right(ranges, offset, key=lambda span: span[0]) - 1
        end = ranges[max(index, 0)][1]
        return 0 if index < 0 else self.lengths[name][index] - (end - min(offset, end))
