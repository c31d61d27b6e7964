"""Where the files of a paper come from: a folder on disk, or members held in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class Files(Protocol):
    """Files by name; a name is relative to one root, has `/` between its parts, and is normalised."""

    def names(self, ending: str) -> Iterator[str]:
        """All files whose names end so, in no order."""
        ...

    def real(self, name: str) -> str | None:
        """The file that a name leads to when links are followed; None for anything outside the root."""
        ...

    def read(self, name: str) -> bytes:
        """The content of a file for which `real` is not None."""
        ...


@dataclass(frozen=True)
class Folder:
    """The files below a folder; `root` is resolved. Nothing outside of it is read."""

    root: Path

    def names(self, ending: str) -> Iterator[str]:
        """All files whose names end so, in no order."""
        paths = (path.relative_to(self.root).as_posix() for path in self.root.rglob(f"*{ending}"))
        return (name for name in paths if self.real(name) is not None)

    def real(self, name: str) -> str | None:
        """The file that a name leads to when links are followed; None for anything outside the root."""
        try:
            path = self.root / name
            if not path.is_file():  # far cheaper than to follow links, and most names that are tried are none
                return None
            path = path.resolve()
        except (OSError, ValueError):  # too long, a circle of links, or a NUL
            return None
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else None

    def read(self, name: str) -> bytes:
        """The content of a file for which `real` is not None."""
        return (self.root / name).read_bytes()


@dataclass(frozen=True)
class Members:
    """Files in memory, by name."""

    contents: Mapping[str, bytes]

    def names(self, ending: str) -> Iterator[str]:
        """All files whose names end so, in no order."""
        return (name for name in self.contents if name.endswith(ending))

    def real(self, name: str) -> str | None:
        """The name, if there is such a file."""
        return name if name in self.contents else None

    def read(self, name: str) -> bytes:
        """The content of a file for which `real` is not None."""
        return self.contents[name]
