"""Reads a package and checks it: files, ids, order, paths, hashes; and one package against another.

Source of the comparison: "Can We Believe AI Peer Review?", appendix F.5.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import ValidationError

from rereview.errors import UnusableInput
from rereview.ingest import package
from rereview.ingest.identity import paper_id
from rereview.ingest.package import (
    FIGURES,
    INDEX,
    INSTRUCTION,
    TEXT,
    ImageEntry,
    IndexFile,
    TextEntry,
    TextFile,
)
from rereview.ingest.shelf import Astray, Shelf, same_anywhere, unsafe
from rereview.text.plurals import many
from rereview.types.fault import Check, Fault, Verified
from rereview.types.manuscript import Block, Figure, Hidden, Manuscript, Removed
from rereview.types.record import Record

CHECKS: tuple[Check, ...] = ("files", "records", "sequence", "paths", "hashes", "unlisted", "identity")
CHECKS_AGAINST: tuple[Check, ...] = ("order", "fields", "protected", "images")
MOST_JSON = 200 * 1024**2
MOST_IMAGE = 100 * 1024**2
_SHOWN = 64
_ID = re.compile(r"[A-Za-z0-9._:-]{1,100}")
_ID_IS = "1 to 100 letters, digits and . _ : -"
_PAPER_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,254}")
"""What `identity.paper_id` gives: a folder is named by it."""

File = TypeVar("File", bound=Record)


class Checked(NamedTuple):
    """What a package holds, None where it cannot be put together, and what is wrong with it."""

    paper: Manuscript | None
    faults: tuple[Fault, ...]


def read(folder: Path) -> Manuscript:
    """The manuscript of a package. Raises UnusableInput for one that fails a check.

    What lies there unlisted is no part of the package, and does not keep it from being read.
    """
    paper, faults = checked(folder)
    grave = [fault for fault in faults if fault.check != "unlisted"]
    if paper is None or grave:
        more = f" (and {len(grave) - 1} more)" if len(grave) > 1 else ""
        raise UnusableInput(
            f"{grave[0]}{more}", where=str(folder), expected=f"rereview verify {folder} lists what is wrong"
        )
    return paper


def image(folder: Path, figure: Figure) -> bytes:
    """The image of a figure of a package. Raises UnusableInput where it is not the one of the index."""
    try:
        content = Shelf(folder).content(figure.path or "", MOST_IMAGE)
    except Astray as error:
        raise UnusableInput(str(error), where=str(folder), expected="expected an image inside") from None
    if sha256(content).hexdigest() != figure.sha256:
        raise UnusableInput(
            "the image is not the one that the index speaks of",
            where=str(folder / (figure.path or "")),
            expected=f"expected the SHA-256 {figure.sha256}",
        )
    return content


def verified(folder: Path) -> Verified:
    """What `rereview verify` says of a package."""
    paper, faults = checked(folder)
    return Verified(
        what="package", name=folder.resolve().name, counts=_counts(paper), checks=CHECKS, faults=faults
    )


def _counts(paper: Manuscript | None) -> tuple[tuple[str, int], ...]:
    if paper is None:
        return ()
    found = package.size(paper)
    pages = () if found.pages is None else (("pages", found.pages),)
    return (
        *pages,
        ("text records", found.records),
        ("characters", found.characters),
        ("images", found.images),
        ("protected records", len(package.protected(paper))),
    )


def checked(folder: Path) -> Checked:
    """Read a package and check it."""
    shelf = Shelf(folder)
    faults: list[Fault] = []
    text = _parsed(shelf, TEXT, TextFile, faults)
    index = _parsed(shelf, INDEX, IndexFile, faults)
    if text is None or index is None:
        return Checked(None, tuple(faults))
    faults += [*_records(text), *_places(text), *_sequence(text, index)]
    faults += [*_images(shelf, index), *_unlisted(shelf, index)]
    if any(fault.check in ("records", "sequence") for fault in faults):
        return Checked(None, tuple(faults))
    paper = package.assembled(text, index, paper_id(folder.resolve()))
    return Checked(paper, (*faults, *_identity(text, paper)))


def _parsed(shelf: Shelf, name: str, kind: type[File], faults: list[Fault]) -> File | None:
    try:
        return kind.model_validate_json(shelf.content(name, MOST_JSON))
    except Astray as error:
        faults.append(Fault(check="files", where=name, what=str(error)))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        faults.append(Fault(check="files", where=name, what=f"{place}: {first['msg']}".lstrip(": ")))
    return None


def _repeated(names: Iterable[str]) -> Iterator[str]:
    return (name for name, count in Counter(names).items() if count > 1)


def _records(text: TextFile) -> Iterator[Fault]:
    for name in _repeated(record.id for record in text.records):
        yield _fault("records", name, "this id stands more than once")
    for record in text.records:
        if not _ID.fullmatch(record.id):
            yield _fault("records", repr(record.id), f"its id is not {_ID_IS}")
    page, begun = 0, False
    for record in text.records:
        if record.kind == INSTRUCTION and begun:
            yield _fault("records", record.id, "an instruction after the paper has begun")
        begun = begun or record.kind != INSTRUCTION
        if record.page is not None and record.page < 1:
            yield _fault("records", record.id, f"page {record.page}; pages count from 1")
        if record.kind == "page-marker":
            if record.page is None or record.page <= page:
                yield _fault(
                    "records", record.id, f"the marker of page {record.page} after that of page {page}"
                )
            page = max(page, record.page or 0)


def _places(text: TextFile) -> Iterator[Fault]:
    """Hidden and removed passages, and runs of source, lie in the records that they name."""
    lengths = {record.id: len(record.text) for record in text.records}
    passages: tuple[Hidden | Removed, ...] = (*text.manuscript.hidden, *text.manuscript.removed)
    for each in passages:
        if each.at is not None and each.at.end > lengths.get(each.at.block_id, -1):
            yield _fault("records", each.at.block_id, f"a {each.kind} passage outside of the text")
    for record in text.records:
        for run in record.source:
            if not (
                0 <= run.start <= run.end and 0 <= run.text_start <= len(record.text) - (run.end - run.start)
            ):
                yield _fault(
                    "records", record.id, f"source {run.file} {run.start}:{run.end} outside of the text"
                )
                break


def _fault(check: Check, record: str, what: str) -> Fault:
    return Fault(check=check, where=f"{TEXT}, record {_short(record)}", what=what)


def _short(name: str) -> str:
    return name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"


def _sequence(text: TextFile, index: IndexFile) -> Iterator[Fault]:
    """Every record stands in the sequence once, in the order of `text.json`; ids of images are their own."""
    names = [record.id for record in text.records]
    known = set(names)
    placed = [entry.text for entry in index.sequence if isinstance(entry, TextEntry)]
    for name in dict.fromkeys(placed):
        if name not in known:
            yield Fault(check="sequence", where=f"{INDEX}, text {_short(name)}", what="no record has this id")
    for name in _repeated(placed):
        yield Fault(check="sequence", where=f"{INDEX}, text {_short(name)}", what="stands more than once")
    for name in dict.fromkeys(names):
        if name not in set(placed):
            yield Fault(check="sequence", where=f"{TEXT}, record {_short(name)}", what="not in the sequence")
    if sorted(placed) == sorted(names) and placed != names:
        at = next(at for at, (one, other) in enumerate(zip(placed, names, strict=True)) if one != other)
        what = f"stands where {TEXT} has {_short(names[at])}: another order"
        yield Fault(check="sequence", where=f"{INDEX}, text {_short(placed[at])}", what=what)
    yield from _image_ids(index, known)


def _image_ids(index: IndexFile, known: set[str]) -> Iterator[Fault]:
    for name in _repeated(entry.image for entry in index.images):
        yield _image_fault("sequence", name, "this id stands more than once")
    for entry in index.images:
        if not _ID.fullmatch(entry.image):
            yield _image_fault("sequence", repr(entry.image), f"its id is not {_ID_IS}")
        if entry.image in known:
            yield _image_fault("sequence", entry.image, "the id of a text record")
        if entry.caption is not None and entry.caption not in known:
            yield _image_fault("sequence", entry.image, f"its caption {_short(entry.caption)} is no record")


def _image_fault(check: Check, name: str, what: str) -> Fault:
    return Fault(check=check, where=f"{INDEX}, image {_short(name)}", what=what)


def _images(shelf: Shelf, index: IndexFile) -> Iterator[Fault]:
    spelt: dict[str, str] = {}
    hashes: dict[str, str] = {}
    for entry in index.images:
        if entry.path is None:
            continue
        other = spelt.setdefault(same_anywhere(entry.path), entry.path)
        if other != entry.path:
            what = f"{entry.path!r} and {other!r} are one file on some systems"
            yield _image_fault("paths", entry.image, what)
        try:
            found = hashes.get(entry.path) or _hash(shelf, entry.path)
        except Astray as error:
            yield _image_fault("paths", entry.image, str(error))
            continue
        hashes[entry.path] = found
        yield from _hash_fault(entry, found)


def _hash(shelf: Shelf, path: str) -> str:
    why = unsafe(path)
    if why is None and not path.startswith(f"{FIGURES}/"):
        why = f"not in {FIGURES}/: {path!r}"
    if why:
        raise Astray(why)
    return sha256(shelf.content(path, MOST_IMAGE)).hexdigest()


def _hash_fault(entry: ImageEntry, found: str) -> Iterator[Fault]:
    if entry.sha256 is None:
        yield _image_fault("hashes", entry.image, f"no SHA-256 is given; that of {entry.path} is {found}")
    elif entry.sha256 != found:
        what = f"the index gives SHA-256 {_short(entry.sha256)}, and that of {entry.path} is {found}"
        yield _image_fault("hashes", entry.image, what)


def _unlisted(shelf: Shelf, index: IndexFile) -> Iterator[Fault]:
    listed = {entry.path for entry in index.images}
    for path in shelf.below(FIGURES):
        if path not in listed:
            yield Fault(check="unlisted", where=path, what=f"no entry of {INDEX} names it")


def _identity(text: TextFile, paper: Manuscript) -> Iterator[Fault]:
    named = text.manuscript.paper_id
    if named is not None and not _PAPER_ID.fullmatch(named):
        what = (
            f"paper_id is {_short(repr(named))}, not small letters, digits and . _ - after a letter or digit"
        )
        yield Fault(check="identity", where=TEXT, what=what)
    given = text.manuscript.id
    if given is not None and given != paper.id:
        what = f"the manuscript's id is given as {_short(given)}, and what it holds gives {paper.id}"
        yield Fault(check="identity", where=TEXT, what=what)


class Compared(NamedTuple):
    """How a package differs from the one that it was made from: edited records, and what is wrong."""

    edited: tuple[str, ...]
    faults: tuple[Fault, ...]


def against(paper: Manuscript, original: Manuscript) -> Compared:
    """Check that only the text of records differs, and of those that are not protected.

    `source` says where text was read; of an edited record it may differ.
    """
    ids, others = [block.id for block in paper.blocks], [block.id for block in original.blocks]
    if ids != others:
        return Compared((), (_order_fault(ids, others), *_image_faults(paper, original)))
    pairs = list(zip(paper.blocks, original.blocks, strict=True))
    edited = tuple(new.id for new, old in pairs if new.text != old.text)
    unchangeable = {block.id for block in (*package.protected(paper), *package.protected(original))}
    protected = (
        Fault(
            check="protected",
            where=f"record {_short(name)}",
            what="its text was changed, and it is protected",
        )
        for name in edited
        if name in unchangeable
    )
    return Compared(edited, (*_field_faults(pairs), *protected, *_image_faults(paper, original)))


def _order_fault(ids: list[str], others: list[str]) -> Fault:
    if len(ids) != len(others):
        return Fault(
            check="order", where=TEXT, what=f"{many(len(ids), 'record')}, and the original has {len(others)}"
        )
    at = next(at for at, (one, other) in enumerate(zip(ids, others, strict=True)) if one != other)
    what = f"record {at + 1} is {_short(ids[at])}, and in the original {_short(others[at])}"
    return Fault(check="order", where=TEXT, what=what)


def _field_faults(pairs: Iterable[tuple[Block, Block]]) -> Iterator[Fault]:
    for new, old in pairs:
        for name in Block.model_fields:
            if name not in ("text", "source") and getattr(new, name) != getattr(old, name):
                what = f"{name} is {getattr(new, name)!r}, and in the original {getattr(old, name)!r}"
                yield Fault(check="fields", where=f"record {_short(new.id)}", what=what)


def _image_faults(paper: Manuscript, original: Manuscript) -> Iterator[Fault]:
    if len(paper.figures) != len(original.figures):
        what = f"{many(len(paper.figures), 'image')}, and the original has {len(original.figures)}"
        yield Fault(check="images", where=INDEX, what=what)
        return
    for new, old in zip(paper.figures, original.figures, strict=True):
        for name in type(new).model_fields:
            if getattr(new, name) != getattr(old, name):
                what = f"{name} is {getattr(new, name)!r}, and in the original {getattr(old, name)!r}"
                yield Fault(check="images", where=f"image {_short(new.id)}", what=what)
