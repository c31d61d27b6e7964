"""The manuscript package: `text.json`, `index.json` and `figures/`, as a model is given a paper.

`text.json` holds the text records (stable id, page, kind, text), `index.json` the sequence in which
text and images follow each other, with the path and the SHA-256 of each image, and `figures/` the
original images under their hash. Beside these a package holds, as optional keys, all else that is
known of a manuscript, so that nothing is lost on the way there and back.

Source: "Can We Believe AI Peer Review?", appendices B.2 and B.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

from rereview.errors import UnusableInput
from rereview.ingest.identity import manuscript_id
from rereview.types.manuscript import (
    Block,
    BlockKind,
    Box,
    Figure,
    Format,
    Gap,
    Hidden,
    Macro,
    Manuscript,
    Notice,
    Removed,
    SourceRun,
)
from rereview.types.record import Record

TEXT, INDEX, FIGURES = "text.json", "index.json", "figures"
INSTRUCTION = "instruction"
"""A record before the paper that says how to read it; a block has it as its environment."""
BETWEEN = "\n\n"
_ENDINGS = frozenset(
    {".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".bmp", ".pdf", ".eps", ".svg"}
)

PackageFormat = Literal["rereview-package/1"]
FORMAT: PackageFormat = "rereview-package/1"


class TextRecord(Record):
    """One record of `text.json`; a page that is not known is null."""

    id: str
    page: int | None
    kind: BlockKind | Literal["instruction"]
    text: str
    level: int | None = None
    environment: str | None = None
    labels: tuple[str, ...] = ()
    number: str | None = None
    bbox: Box | None = None
    source: tuple[SourceRun, ...] = ()


class Known(Record):
    """What is known of the whole manuscript. Without `format` it is taken for the text of a PDF."""

    id: str | None = None
    paper_id: str | None = None
    title: str | None = None
    format: Format = "pdf"
    hidden: tuple[Hidden, ...] = ()
    removed: tuple[Removed, ...] = ()
    notices: tuple[Notice, ...] = ()
    gaps: tuple[Gap, ...] = ()
    macros: tuple[Macro, ...] = ()


class TextFile(Record):
    """`text.json`."""

    format: PackageFormat
    manuscript: Known = Known()
    records: tuple[TextRecord, ...]


class TextEntry(Record):
    """A place in the sequence: the text record with this id."""

    text: str


class ImageEntry(Record):
    """A place in the sequence: an image. A figure of which no image could be had has no path."""

    image: str
    path: str | None
    sha256: str | None
    page: int | None = None
    bbox: Box | None = None
    caption: str | None = None
    name: str = ""


class IndexFile(Record):
    """`index.json`."""

    format: PackageFormat
    sequence: tuple[TextEntry | ImageEntry, ...]

    @property
    def images(self) -> tuple[ImageEntry, ...]:
        """The images in their order."""
        return tuple(entry for entry in self.sequence if isinstance(entry, ImageEntry))


Images = Callable[[Figure], bytes | None]
"""Gives the original image of a figure, None where there is none to show."""


def files(paper: Manuscript, image: Images) -> dict[str, bytes]:
    """The content of a package by path; `index.json` is last, so that a package cut short has none.

    Raises UnusableInput where an image is not the one that the manuscript was read with.
    """
    figures = {figure.id: figure for figure in paper.figures}
    stored = {name: _stored(figure, image(figure)) for name, figure in figures.items()}
    sequence = tuple(
        _image_entry(figures[name], stored[name]) if name in figures else TextEntry(text=name)
        for name in _order(paper)
    )
    text = TextFile(format=FORMAT, manuscript=_known(paper), records=tuple(_records(paper)))
    return {
        **{path: content for path, content in stored.values() if path is not None},
        TEXT: _lines(text, text.records, "records"),
        INDEX: _lines(IndexFile(format=FORMAT, sequence=sequence), sequence, "sequence"),
    }


def _order(paper: Manuscript) -> Sequence[str]:
    """The sequence; where a reader gave none, each figure after its block."""
    if {*paper.sequence} >= {*paper.by_id, *(figure.id for figure in paper.figures)}:
        return paper.sequence
    before = [figure.id for figure in paper.figures if figure.after not in paper.by_id]
    return [*before, *(name for block in paper.blocks for name in (block.id, *_after(paper, block.id)))]


def _after(paper: Manuscript, block_id: str) -> Iterator[str]:
    return (figure.id for figure in paper.figures if figure.after == block_id)


def _stored(figure: Figure, content: bytes | None) -> tuple[str | None, bytes]:
    """Path and content. The path is the hash, so no name that a paper gives leads anywhere."""
    if content is None:
        return None, b""
    digest = sha256(content).hexdigest()
    if figure.sha256 not in (None, digest):
        raise UnusableInput(
            "the image changed while the paper was read",
            where=figure.path or figure.id,
            expected="read the paper again",
        )
    ending = PurePosixPath(figure.path or "").suffix.lower()
    return f"{FIGURES}/{digest[:32]}{ending if ending in _ENDINGS else ''}", content


def _image_entry(figure: Figure, stored: tuple[str | None, bytes]) -> ImageEntry:
    path, content = stored
    return ImageEntry(
        image=figure.id,
        path=path,
        sha256=figure.sha256 if path is None else sha256(content).hexdigest(),
        page=figure.page,
        bbox=figure.bbox,
        caption=figure.caption,
        name=figure.name,
    )


def _records(paper: Manuscript) -> Iterator[TextRecord]:
    """The records. What stands later in an environment that has this name by chance is no instruction."""
    leading = _leading(paper)
    for at, block in enumerate(paper.blocks):
        fields = {name: getattr(block, name) for name in Block.model_fields}
        if at < leading:
            fields |= {"kind": INSTRUCTION, "environment": None}
        yield TextRecord(**fields)


def _leading(paper: Manuscript) -> int:
    """How many blocks are instructions before the paper."""
    told = (block.kind == "paragraph" and block.environment == INSTRUCTION for block in paper.blocks)
    return sum(1 for _ in takewhile(bool, told))


def _known(paper: Manuscript) -> Known:
    return Known(**{name: getattr(paper, name) for name in Known.model_fields})


def _lines(whole: TextFile | IndexFile, entries: Iterable[Record], key: str) -> bytes:
    """JSON with an entry a line, so that two packages can be compared line by line."""
    head = whole.model_dump_json(exclude={key}, exclude_defaults=True)
    body = ",\n".join(entry.model_dump_json(exclude_defaults=True) for entry in entries)
    return f'{head[:-1]},\n"{key}": [\n{body}\n]}}\n'.encode()


def assembled(text: TextFile, index: IndexFile, name: str) -> Manuscript:
    """The manuscript of a package that has been checked; `name` is that of its folder.

    Its id is computed from what it holds; the one that is written there is only compared.
    """
    blocks = tuple(map(_block, text.records))
    figures = tuple(_figures(index))
    known = text.manuscript
    return Manuscript(
        id=manuscript_id(known.format, blocks, figures, known.macros),
        paper_id=known.paper_id or name,
        title=known.title or next((block.text for block in blocks if block.kind == "title"), name),
        format=known.format,
        blocks=blocks,
        figures=figures,
        sequence=tuple(_name(entry) for entry in index.sequence),
        hidden=known.hidden,
        removed=known.removed,
        notices=known.notices,
        gaps=known.gaps,
        macros=known.macros,
    )


def _name(entry: TextEntry | ImageEntry) -> str:
    return entry.image if isinstance(entry, ImageEntry) else entry.text


def _block(record: TextRecord) -> Block:
    fields = {name: getattr(record, name) for name in Block.model_fields}
    if record.kind == INSTRUCTION:
        fields |= {"kind": "paragraph", "environment": INSTRUCTION}
    return Block(**fields)


def _figures(index: IndexFile) -> Iterator[Figure]:
    last: str | None = None
    for entry in index.sequence:
        if isinstance(entry, TextEntry):
            last = entry.text
            continue
        yield Figure(
            id=entry.image,
            path=entry.path,
            sha256=entry.sha256,
            page=entry.page,
            bbox=entry.bbox,
            after=last,
            caption=entry.caption,
            name=entry.name,
        )


def is_package(folder: Path) -> bool:
    """Tell a package from a folder with LaTeX source."""
    return (folder / INDEX).exists() and not any(folder.glob("*.tex"))


def protected(paper: Manuscript) -> tuple[Block, ...]:
    """What no revision may change: the instructions before the paper, and the page markers."""
    leading = _leading(paper)
    markers = (block for block in paper.blocks[leading:] if block.kind == "page-marker")
    return (*paper.blocks[:leading], *markers)


class Part(NamedTuple):
    """A part of a request: the text of the records `ids`, or the image of a figure."""

    ids: tuple[str, ...]
    text: str | None
    figure: Figure | None


def parts(paper: Manuscript, *, longest: int | None = None) -> tuple[Part, ...]:
    """The sequence of a manuscript with neighbouring text records merged, never reordered.

    `longest`: characters after which a part takes no further record; a record is never cut.
    """
    figures = {figure.id: figure for figure in paper.figures}
    made: list[Part] = []
    for name in _order(paper):
        if name in figures:
            made.append(Part((name,), None, figures[name]))
            continue
        text = paper.by_id[name].text
        last = made[-1].text if made else None
        if last is None or (longest is not None and len(last) + len(BETWEEN) + len(text) > longest):
            made.append(Part((name,), text, None))
        else:
            made[-1] = Part((*made[-1].ids, name), last + BETWEEN + text, None)
    return tuple(made)


class Size(NamedTuple):
    """How long a paper is. `pages` counts page markers, and is None where no page is known."""

    pages: int | None
    images: int
    records: int
    characters: int


def size(paper: Manuscript) -> Size:
    """Pages, entries of images, text records and their characters (code points)."""
    markers = sum(block.kind == "page-marker" for block in paper.blocks)
    numbered = len({block.page for block in paper.blocks if block.page is not None})
    return Size(
        pages=markers or numbered or None,
        images=len(paper.figures),
        records=len(paper.blocks),
        characters=sum(len(block.text) for block in paper.blocks),
    )
