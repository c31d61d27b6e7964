"""Answers that a full disk would not take: kept in the temporary folder, and read back by the next run.

The temporary folder is shared, so only files that this user owns, and that are files, are read; the name
says of which study an answer is.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from rereview.types.call import Call

_LARGEST = 200_000_000


def rescue(call: Call, folder: Path, spare: Path | None = None) -> Path | None:
    """Write a call of the study in `folder` to `spare`, the temporary folder; None where that is full too."""
    path = None
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=spare, prefix=_prefix(folder), suffix=".json", delete=False
        ) as file:
            path = Path(file.name)
            file.write(call.to_json())
    except OSError:
        if path is not None:
            with suppress(OSError):
                path.unlink()
        return None
    return path


def rescued(folder: Path, spare: Path | None = None) -> Iterator[tuple[Path, Call]]:
    """The calls of the study in `folder` that were rescued, each with its file; what is no call stays."""
    for path in sorted((spare or Path(tempfile.gettempdir())).glob(f"{_prefix(folder)}*.json")):
        with suppress(OSError, ValueError, ValidationError):
            yield path, Call.model_validate_json(_own(path))


def _own(path: Path) -> str:
    """The text of a file of this user. Raises OSError for any other, and for what is no plain file."""
    with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
        status = os.fstat(file.fileno())
        owner = getattr(os, "getuid", lambda: status.st_uid)()
        if not stat.S_ISREG(status.st_mode) or status.st_uid != owner or status.st_size > _LARGEST:
            raise OSError(f"not read: {path}")
        return file.read().decode()


def _prefix(folder: Path) -> str:
    return f"rereview-answer-{sha256(str(folder.resolve()).encode()).hexdigest()[:16]}-"
