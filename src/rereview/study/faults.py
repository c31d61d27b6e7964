"""Checks a study: what the ledger keeps is whole, can be read, and belongs together."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from rereview.errors import StorageError, UnusableInput
from rereview.ingest import archive, package_faults
from rereview.ingest.package import is_package
from rereview.ingest.shelf import Astray, Shelf
from rereview.study.store import APPLICATION_ID, FORMAT
from rereview.types.call import Completion, Request
from rereview.types.document import ReviewDocument
from rereview.types.fault import Check, Fault, Verified
from rereview.types.manuscript import Manuscript, Span
from rereview.types.review import Review

CHECKS: tuple[Check, ...] = ("database", "calls", "versions", "reviews", "figures", "document")
DATABASE, DOCUMENT = "study.db", "review.json"
_MOST_DOCUMENT = 500 * 1024**2
_NAMED = 16
"""Hex digits of its hash that a stored figure is named by."""


def verified(folder: Path) -> Verified:
    """What `rereview verify` says of a study. Nothing is written.

    Raises StorageError where the ledger cannot be opened at all.
    """
    try:
        database = sqlite3.connect(_address(folder), uri=True)
    except sqlite3.Error as error:
        raise _closed(folder, error) from error
    try:
        return _verified(folder, database)
    except sqlite3.Error as error:
        raise _closed(folder, error) from error
    finally:
        database.close()


def _address(folder: Path) -> str:
    """Read the ledger without the files that SQLite makes beside it, unless somebody is at work there."""
    at_work = (folder / f"{DATABASE}-wal").exists()
    return f"{(folder / DATABASE).resolve().as_uri()}?{'mode=ro' if at_work else 'immutable=1'}"


def _closed(folder: Path, error: sqlite3.Error) -> StorageError:
    return StorageError(
        f"the ledger cannot be read: {error}", where=str(folder / DATABASE), expected="a ledger of rereview"
    )


def _verified(folder: Path, database: sqlite3.Connection) -> Verified:
    faults = list(_database(database))
    papers: dict[str, Manuscript] = {}
    if not faults:
        faults += _calls(database)
        faults += _versions(database, papers)
        faults += _reviews(database, papers)
    faults += [*_figures(folder, papers.values()), *_document(folder, database if not faults else None)]
    counts = () if faults and not papers else _counts(database)
    return Verified(
        what="study", name=folder.resolve().name, counts=counts, checks=CHECKS, faults=tuple(faults)
    )


def _counts(database: sqlite3.Connection) -> tuple[tuple[str, int], ...]:
    tables = {"calls": "calls", "blobs": "blobs", "versions": "versions", "states of reviews": "reviews"}
    return tuple(
        (name, database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608  names of our own
        for name, table in tables.items()
    )


def _database(database: sqlite3.Connection) -> Iterator[Fault]:
    application = database.execute("PRAGMA application_id").fetchone()[0]
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        yield _fault("database", DATABASE, "no ledger of rereview")
        return
    if version > FORMAT:
        yield _fault("database", DATABASE, f"format {version}, and this rereview knows {FORMAT}")
        return
    for (line,) in database.execute("PRAGMA integrity_check"):
        if line != "ok":
            yield _fault("database", DATABASE, " ".join(str(line).split()))
    for table, row, parent, _ in database.execute("PRAGMA foreign_key_check"):
        yield _fault("database", f"{DATABASE}, {table} {row}", f"names a row of {parent} that is not there")


def _fault(check: Check, where: str, what: str) -> Fault:
    return Fault(check=check, where=where, what=what)


def _calls(database: sqlite3.Connection) -> Iterator[Fault]:
    """Every blob has the hash that it is kept under, and every call can be read."""
    for name, body in database.execute("SELECT hash, body FROM blobs"):
        found = sha256(str(body).encode()).hexdigest()
        if found != name:
            yield _fault("calls", f"blob {name}", f"its SHA-256 is {found}")
    parts = (("request", Request), ("completion", Completion))
    for part, record in parts:
        rows = database.execute(
            f"SELECT calls.id, body FROM calls LEFT JOIN blobs ON blobs.hash = calls.{part}"  # noqa: S608  the same
        )
        for name, body in rows:
            try:
                record.model_validate_json(body or "")
            except ValidationError as error:
                yield _fault("calls", f"call {name}", f"its {part} cannot be read: {_first(error)}")


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}".lstrip(": ")


def _versions(database: sqlite3.Connection, papers: dict[str, Manuscript]) -> Iterator[Fault]:
    for name, paper, body in database.execute("SELECT id, paper, body FROM versions"):
        try:
            read = Manuscript.model_validate_json(body)
        except ValidationError as error:
            yield _fault("versions", f"version {name}", f"cannot be read: {_first(error)}")
            continue
        papers[name] = read
        if (read.id, read.paper_id) != (name, paper):
            yield _fault("versions", f"version {name}", f"holds the version {read.id} of {read.paper_id}")


def _reviews(database: sqlite3.Connection, papers: dict[str, Manuscript]) -> Iterator[Fault]:
    """Every state of every review can be read, and speaks of a version and of calls that are there."""
    calls = {name for (name,) in database.execute("SELECT id FROM calls")}
    rows = database.execute("SELECT version, configuration, round, state, body FROM reviews")
    for version, configuration, number, state, body in rows:
        where = f"review of {version} by {configuration}, round {number}, state {state}"
        try:
            review = Review.model_validate_json(body)
        except ValidationError as error:
            yield _fault("reviews", where, f"cannot be read: {_first(error)}")
            continue
        if (review.manuscript_id, review.round) != (version, number):
            yield _fault("reviews", where, f"holds round {review.round} of {review.manuscript_id}")
        for name in review.call_ids:
            if name not in calls:
                yield _fault("reviews", where, f"the call {name} is not there")
        yield from _places(where, review, papers.get(version))


def _places(where: str, review: Review, paper: Manuscript | None) -> Iterator[Fault]:
    if paper is None:
        yield _fault("reviews", where, "its version is not there, or cannot be read")
        return
    for comment in review.comments:
        if not all(_inside(span, paper) for span in (*comment.spans, *comment.against_spans)):
            yield _fault("reviews", where, f"the comment {comment.id} points outside of the text")


def _inside(span: Span, paper: Manuscript) -> bool:
    block = paper.by_id.get(span.block_id)
    return block is not None and span.end <= len(block.text)


def _figures(folder: Path, papers: Iterable[Manuscript]) -> Iterator[Fault]:
    """Each paper is a package that passes its own check, or has its images: named by hash, or as it came."""
    kept = folder / "papers"
    for paper in sorted(kept.iterdir()) if kept.is_dir() else []:
        if paper.is_dir() and is_package(paper):
            for fault in package_faults.verified(paper).faults:
                yield _fault("figures", f"papers/{paper.name}, {fault.where}", f"{fault.check}: {fault.what}")
        else:
            yield from _named(folder, f"papers/{paper.name}")
    yield from dict.fromkeys(_missing(folder, papers))


def _named(folder: Path, below: str) -> Iterator[Fault]:
    shelf = Shelf(folder)
    for path in shelf.below(f"{below}/figures"):
        try:
            found = sha256(shelf.content(path, package_faults.MOST_IMAGE)).hexdigest()
        except Astray as error:
            yield _fault("figures", path, str(error))
            continue
        if not found.startswith(Path(path).stem):
            yield _fault("figures", path, f"its SHA-256 is {found}")


def _missing(folder: Path, papers: Iterable[Manuscript]) -> Iterator[Fault]:
    """Figures whose image is neither among the files that are named by their hash nor with the source."""
    held: dict[str, frozenset[str]] = {}
    for paper in papers:
        name = paper.paper_id
        kept, source = folder / "papers" / name, f"papers/{name}/source"
        if name not in held:
            named = (kept / "figures").iterdir() if (kept / "figures").is_dir() else ()
            held[name] = frozenset((*(path.name[:_NAMED] for path in named), *_of_source(folder, source)))
        for figure in paper.figures:
            if not figure.path or not figure.sha256 or figure.sha256[:_NAMED] in held[name]:
                continue
            what = f"no image of the figure {figure.id}"
            if (kept / "source").is_dir():
                yield _fault("figures", source, f"{what}: {figure.path} with the SHA-256 {figure.sha256}")
            else:
                yield _fault("figures", f"papers/{name}/figures", what)


def _of_source(folder: Path, source: str) -> Iterator[str]:
    """Beginnings of the hashes of what a study of injected errors keeps of a paper, archives opened."""
    shelf = Shelf(folder)
    for path in shelf.below(source):
        try:
            content = shelf.content(path, package_faults.MOST_IMAGE)
            inside = archive.members(folder / path).contents.values() if _packed(path, content) else ()
        except (Astray, UnusableInput):
            continue  # the figures that it held are named
        for each in (content, *inside):
            yield sha256(each).hexdigest()[:_NAMED]


def _packed(path: str, content: bytes) -> bool:
    return path.lower().endswith((".zip", ".tar", ".tgz")) or content.startswith(b"\x1f\x8b")


def _document(folder: Path, database: sqlite3.Connection | None) -> Iterator[Fault]:
    """`review.json`, where there is one, can be read, and its reviews are in the ledger as they are there."""
    try:
        document = ReviewDocument.model_validate_json(Shelf(folder).content(DOCUMENT, _MOST_DOCUMENT))
    except Astray as error:
        if (folder / DOCUMENT).exists():
            yield _fault("document", DOCUMENT, str(error))
        return
    except ValidationError as error:
        yield _fault("document", DOCUMENT, f"cannot be read: {_first(error)}")
        return
    if database is None:
        return
    bodies = {body for (body,) in database.execute("SELECT body FROM reviews")}
    for review in document.reviews:
        if review.to_json() not in bodies:
            yield _fault("document", DOCUMENT, f"the review {review.id} is not in the ledger as it is here")
