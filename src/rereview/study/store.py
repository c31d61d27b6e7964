"""The ledger of a study: one SQLite file to which rows are only ever added.

A call that has been added is on the disk (write-ahead log, synchronous FULL) before anybody uses
it. Requests and completions are kept once, under their hash. Of a review every state is kept;
the newest counts.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Self, TypeVar

from rereview.errors import StorageError
from rereview.study.refused import refused
from rereview.study.rescue import rescue, rescued
from rereview.study.schema import SCHEMA
from rereview.study.together import Together
from rereview.types.call import Batch, Call, Completion, Request
from rereview.types.manuscript import Manuscript
from rereview.types.record import Record
from rereview.types.review import Exclusion, Review

Kept = TypeVar("Kept", bound=Record)

APPLICATION_ID = 0x7265_7677  # "rervw" cut to four bytes: tells a ledger from any other SQLite file
FORMAT = 1
PATIENCE = 30.0
"""Seconds to wait for another process that writes."""


class Store:
    """The ledger in `folder/study.db`; implements `models.base.Ledger`.

    Raises StorageError where the folder cannot be written, the file is not a ledger, or it was
    written by a newer version.
    """

    def __init__(self, folder: Path, *, spare: Path | None = None) -> None:
        """`spare`: where answers go that the disk does not take; None: the temporary folder."""
        self.folder = folder
        self.spare = spare
        self.path = folder / "study.db"
        self._database = self._open()
        self._together = Together(self._insert, self.add_call)

    def _open(self) -> sqlite3.Connection:
        with self._guard():
            self.folder.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self.path, isolation_level=None, timeout=PATIENCE)
            try:
                self._check(database)
                _when_free(lambda: database.execute("PRAGMA journal_mode = WAL"))
                database.execute("PRAGMA synchronous = FULL")
                # All at once: a ledger that is half made is nobody's, also after a kill.
                marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT};"
                database.executescript(f"BEGIN IMMEDIATE; {SCHEMA} {marks} COMMIT;")
            except BaseException:
                database.close()
                raise
        return database

    def _check(self, database: sqlite3.Connection) -> None:
        # Tables first: whoever makes them at this moment marks them in the same transaction.
        tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        application = database.execute("PRAGMA application_id").fetchone()[0]
        if application != APPLICATION_ID and tables:
            raise StorageError(
                "this SQLite file is no ledger of rereview",
                where=str(self.path),
                expected="name another folder with --out",
            )
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version > FORMAT:
            raise StorageError(
                f"the ledger has format {version}, this rereview knows {FORMAT}",
                where=str(self.path),
                expected="use a newer rereview",
            )

    @contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise refused(error, self.path) from error

    @contextmanager
    def claim(self) -> Iterator[None]:
        """Keep every other process out of this study while the context lasts.

        The lock is the operating system's: it ends with the process, however that ends.
        """
        with self._guard():
            lock = sqlite3.connect(self.folder / "study.claim", isolation_level=None, timeout=0)
        try:
            with self._guard():
                self._lock(lock)
            self.recover()
            yield
        finally:
            lock.close()

    def _lock(self, lock: sqlite3.Connection) -> None:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise StorageError(
                "another rereview is at work in this study",
                where=str(self.folder),
                expected="wait until it has finished, or name another folder with --out",
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the ledger cannot be used afterwards. Calls that still wait are kept first."""
        try:
            self._together.close()
        finally:
            self._database.close()

    # --- calls -----------------------------------------------------------------------------

    def get_call(self, call_id: str) -> Call | None:
        """The call with this id, or None."""
        with self._guard():
            row = self._database.execute(f"{CALLS} WHERE calls.id = ?", (call_id,)).fetchone()
        return None if row is None else _call(row)

    def add_call(self, call: Call) -> None:
        """Keep a call; it is on the disk when this returns.

        If the disk refuses, the answer goes to a file in the temporary folder, which the
        StorageError names and the next run reads: an answer that was paid for is not lost.
        """
        try:
            self._insert(call)
        except StorageError as error:
            raise _rescued(rescue(call, self.folder, self.spare), error) from error

    async def keep_call(self, call: Call) -> None:
        """The same for a call that others may end with: they are written to the disk together."""
        await self._together.keep(call)

    def _insert(self, *calls: Call) -> None:
        with self._guard(), self._transaction():
            for call in calls:
                self._insert_one(call)

    def _insert_one(self, call: Call) -> None:
        request = self._blob(call.request.to_json())
        completion = self._blob(call.completion.to_json())
        self._database.execute(
            "INSERT OR IGNORE INTO calls"
            " (id, model, host, sample, request, completion, started, seconds, usd)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                call.id,
                call.model,
                call.host,
                call.sample,
                request,
                completion,
                call.started,
                call.seconds,
                call.usd,
            ),
        )

    def recover(self) -> int:
        """Take back the answers that were rescued from a full disk; how many there were."""
        found = 0
        for found, (path, call) in enumerate(rescued(self.folder, self.spare), start=1):  # noqa: B007  the last number counts
            self._insert(call)
            path.unlink(missing_ok=True)
        return found

    def calls(self) -> tuple[Call, ...]:
        """All calls in the order in which they were added."""
        with self._guard():
            rows = self._database.execute(f"{CALLS} ORDER BY calls.position").fetchall()
        return tuple(_call(row) for row in rows)

    def costs(self) -> dict[str, float | None]:
        """USD of every call by its id, without reading what was asked; None where it is not known."""
        with self._guard():
            return dict(self._database.execute("SELECT id, usd FROM calls ORDER BY position"))

    def add_batch(self, batch: Batch) -> None:
        """Keep a batch; it is on the disk when this returns."""
        with self._guard(), self._transaction():
            self._database.execute(
                "INSERT OR IGNORE INTO batches (id, body) VALUES (?, ?)", (batch.id, batch.to_json())
            )

    def batches(self) -> tuple[Batch, ...]:
        """All batches in the order in which they were added."""
        with self._guard():
            rows = self._database.execute("SELECT body FROM batches ORDER BY position").fetchall()
        return tuple(Batch.model_validate_json(row[0]) for row in rows)

    # --- versions and reviews --------------------------------------------------------------

    def add_version(self, paper: Manuscript) -> None:
        """Keep a version of a manuscript; adding it again changes nothing."""
        with self._guard(), self._transaction():
            self._database.execute(
                "INSERT OR IGNORE INTO versions (id, paper, body) VALUES (?, ?, ?)",
                (paper.id, paper.paper_id, paper.to_json()),
            )

    def version(self, manuscript_id: str) -> Manuscript | None:
        """The version with this id, or None."""
        with self._guard():
            row = self._database.execute(
                "SELECT body FROM versions WHERE id = ?", (manuscript_id,)
            ).fetchone()
        return None if row is None else Manuscript.model_validate_json(row[0])

    def papers(self) -> dict[str, str]:
        """The paper of each version, in the order in which the versions were added."""
        with self._guard():
            rows = self._database.execute("SELECT id, paper FROM versions ORDER BY position").fetchall()
        return dict(rows)

    def add_review(self, review: Review, configuration: str) -> None:
        """Keep a review as the newest state of its cell, unless it says what the newest says already."""
        key = (review.manuscript_id, configuration, review.round)
        with self._guard(), self._transaction():
            newest = self._database.execute(
                "SELECT state, body FROM reviews WHERE version = ? AND configuration = ? AND round = ?"
                " ORDER BY state DESC LIMIT 1",
                key,
            ).fetchone()
            body = review.to_json()
            if newest is None or newest[1] != body:
                state = 1 if newest is None else newest[0] + 1
                self._database.execute(
                    "INSERT INTO reviews (version, configuration, round, state, body) VALUES (?, ?, ?, ?, ?)",
                    (*key, state, body),
                )

    def reviews(self, manuscript_id: str) -> tuple[Review, ...]:
        """The newest state of every cell of a version, by configuration and round."""
        with self._guard():
            rows = self._database.execute(
                "SELECT body, max(state) FROM reviews WHERE version = ?"
                " GROUP BY configuration, round ORDER BY configuration, round",
                (manuscript_id,),
            ).fetchall()
        return tuple(Review.model_validate_json(row[0]) for row in rows)

    # --- further records -------------------------------------------------------------------

    def add_records(self, kind: str, records: Mapping[str, Record]) -> None:
        """Keep records under their keys, each as the newest state of its key, in one transaction."""
        with self._guard(), self._transaction():
            for key, record in records.items():
                state, kept = self._newest_of(kind, key)
                body = record.to_json()
                if kept != body:
                    self._database.execute(
                        "INSERT INTO records (kind, key, state, body) VALUES (?, ?, ?, ?)",
                        (kind, key, state + 1, body),
                    )

    def records(self, kind: str, shape: type[Kept]) -> dict[str, Kept]:
        """The newest state of every record of a kind, by key, in the order in which the keys came."""
        with self._guard():
            newest = self._newest(kind)
        return {key: shape.model_validate_json(body) for key, (_, body) in newest.items()}

    def _newest_of(self, kind: str, key: str) -> tuple[int, str]:
        row = self._database.execute(
            "SELECT state, body FROM records WHERE kind = ? AND key = ? ORDER BY state DESC LIMIT 1",
            (kind, key),
        ).fetchone()
        return (0, "") if row is None else (row[0], row[1])

    def _newest(self, kind: str) -> dict[str, tuple[int, str]]:
        rows = self._database.execute(
            "SELECT key, state, body FROM records WHERE kind = ? ORDER BY position", (kind,)
        )
        return {key: (state, body) for key, state, body in rows}  # a dict keeps the place of a key's first

    def add_exclusion(self, exclusion: Exclusion) -> None:
        """Keep that a model was not given a paper; adding it again changes nothing."""
        self.add_records("exclusion", {exclusion.digest(): exclusion})

    def exclusions(self) -> tuple[Exclusion, ...]:
        """All exclusions in the order in which they were added."""
        return tuple(self.records("exclusion", Exclusion).values())

    # --- inside ----------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:  # SQLite itself has ended it where the disk is full
                self._database.execute("ROLLBACK")
            raise

    def _blob(self, body: str) -> str:
        name = sha256(body.encode()).hexdigest()
        self._database.execute("INSERT OR IGNORE INTO blobs (hash, body) VALUES (?, ?)", (name, body))
        return name


CALLS = (
    "SELECT calls.id, model, host, sample, asked.body, answered.body, started, seconds, usd FROM calls"
    " JOIN blobs AS asked ON asked.hash = calls.request"
    " JOIN blobs AS answered ON answered.hash = calls.completion"
)


def _when_free(work: Callable[[], object]) -> None:
    """Do something for which SQLite does not wait, as soon as no other process is in the way."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            work()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return


def _call(row: tuple[str, str, str, str, str, str, str, float, float | None]) -> Call:
    name, model, host, sample, request, completion, started, seconds, usd = row
    return Call(
        id=name,
        model=model,
        host=host,
        sample=sample,
        request=Request.model_validate_json(request),
        completion=Completion.model_validate_json(completion),
        started=started,
        seconds=seconds,
        usd=usd,
    )


def _rescued(where: Path | None, error: StorageError) -> StorageError:
    kept = f"; the answer is kept in {where}" if where else "; the answer could not be kept anywhere"
    then = "; the next run reads what was kept" if where else ""
    return StorageError(error.what + kept, where=error.where, expected=error.expected + then)


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into `folder`, each whole or not at all; the names may hold subfolders.

    Raises StorageError where the disk refuses.
    """
    try:
        for name, content in files.items():
            _write_whole(folder / name, content)
    except OSError as error:
        raise StorageError(
            f"cannot be written: {error.strerror or error}",
            where=str(folder),
            expected="a folder on a disk with room that this user may write",
        ) from error


def _write_whole(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
        part = Path(file.name)
        try:
            file.write(content)
            file.flush()
            part.chmod(0o644)
            part.replace(path)
        except BaseException:
            part.unlink()
            raise
