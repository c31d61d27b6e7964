"""Why a ledger cannot be used, in the words of whoever wanted to use it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from rereview.errors import StorageError

_PRIMARY = 0xFF
"""The part of an extended result code of SQLite that says what kind it is."""


def refused(error: OSError | sqlite3.Error, path: Path) -> StorageError:
    """What to raise for an error of the disk or of SQLite at the ledger `path`."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & _PRIMARY == sqlite3.SQLITE_READONLY:
        what, expected = (
            "this user may not write there",
            "a folder that this user may write, a copy of it for instance",
        )
    elif isinstance(error, FileExistsError | NotADirectoryError) and (file := _file_of(path)):
        return StorageError(
            "a file, and no folder", where=str(file), expected="name another folder with --out"
        )
    elif code == sqlite3.SQLITE_NOTADB or isinstance(error, FileExistsError | NotADirectoryError):
        what, expected = str(error), "name another folder with --out"
    else:
        what, expected = str(error), "a folder on a disk with room that this user may write"
    return StorageError(f"the study cannot be used: {what}", where=str(path), expected=expected)


def _file_of(path: Path) -> Path | None:
    """The file that stands where a folder of this path should be."""
    return next((each for each in path.parents if each.is_file()), None)
