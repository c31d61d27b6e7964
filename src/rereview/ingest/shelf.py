"""Files of a package by the names that it gives them; no name leads out of its folder.

A package may come from anybody, so a name is a claim: links are not followed, only regular files
are opened, and a name must be spelt as the folder spells it, on file systems that do not care too.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

_DRIVE = re.compile(r"[A-Za-z]:")
_LONGEST_PART = 255
_DEEPEST = 8


class Astray(Exception):
    """The name is not followed; the message says why."""


def unsafe(name: str) -> str | None:
    """Why a path may lead out of its folder, or mean something else on another system; None if not."""
    parts = name.split("/")
    if not name or not name.isprintable():
        return f"no path: {name!r}"
    if "\\" in name:
        return f"a backslash in the path {name!r}"
    if name.startswith("/") or _DRIVE.match(name):
        return f"an absolute path: {name!r}"
    if ".." in parts:
        return f"leads out of the package: {name!r}"
    if len(parts) > _DEEPEST or any(not _plain(part) for part in parts):
        return f"not a plain path: {name!r}"
    return None


def _plain(part: str) -> bool:
    """A name that is the same on every system: no `.`, no colon, no space or dot at its end."""
    fits = 0 < len(part.encode()) <= _LONGEST_PART
    return fits and ":" not in part and not part.startswith((".", " ")) and not part.endswith((".", " "))


def same_anywhere(name: str) -> str:
    """What a file system that ignores case and Unicode forms takes this name for."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


@dataclass(frozen=True)
class Shelf:
    """The files below `root`."""

    root: Path
    _listed: dict[Path, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    def content(self, name: str, most: int) -> bytes:
        """The bytes of a file. Raises Astray for a name that leads elsewhere, and over `most` bytes."""
        why = unsafe(name)
        if why:
            raise Astray(why)
        path = self.root
        for part in name.split("/"):
            path = self._next(path, part, name)
        return _read(path, name, most)

    def _next(self, folder: Path, part: str, name: str) -> Path:
        if part not in self._names(folder):
            other = sorted(each for each in self._names(folder) if same_anywhere(each) == same_anywhere(part))
            raise Astray(f"the folder has {other[0]!r}, not {part!r}" if other else f"no such file: {name!r}")
        path = folder / part
        if stat.S_ISLNK(path.lstat().st_mode):
            raise Astray(f"a link: {name!r}")
        return path

    def _names(self, folder: Path) -> frozenset[str]:
        if folder not in self._listed:
            try:
                self._listed[folder] = frozenset(each.name for each in folder.iterdir())
            except NotADirectoryError:
                raise Astray(f"no folder: {folder.name!r}") from None
        return self._listed[folder]

    def below(self, part: str) -> list[str]:
        """The paths of all files and links below a folder, sorted; hidden ones are a system's own."""
        found = []
        for folder, folders, names in os.walk(self.root / part):
            folders[:] = [each for each in folders if not each.startswith(".")]
            links = [each for each in folders if (Path(folder) / each).is_symlink()]
            found += [Path(folder) / each for each in (*names, *links) if not each.startswith(".")]
        return sorted(path.relative_to(self.root).as_posix() for path in found)


def _read(path: Path, name: str, most: int) -> bytes:
    """Open without following a link or waiting for a pipe, and look at what was opened."""
    flags = (
        os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Astray(f"not a regular file: {name!r}")
            if status.st_size > most:
                raise Astray(f"{status.st_size} bytes, more than {most}: {name!r}")
            return file.read(most)
    except IsADirectoryError:
        raise Astray(f"a folder: {name!r}") from None
    except OSError as error:
        raise Astray(f"cannot be read ({error.strerror}): {name!r}") from error
