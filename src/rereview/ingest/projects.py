"""The files of a LaTeX project: which is the main one, which file a name means, and what each holds."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from rereview.errors import UnusableInput
from rereview.text.latex import Token, named, tokens

INPUTS = named(r"\input \include \subfile \subfileinclude \InputIfFileExists \import \subimport")
_MAIN_NAMES = ("main", "ms", "paper", "template", "manuscript", "article")
_INCLUDED = re.compile(
    r"\\(?:input|include|subfile|subfileinclude|InputIfFileExists|(?:sub)?import\*?\s*\{[^{}]*\})\s*(?:\{\s*)?([^\s{}%\\]+)"
)
_LARGEST = 50_000_000
WHAT_IS_RIGHT = "expected the main .tex file of a paper, or its folder"


class Project(NamedTuple):
    """`root`: nothing outside of it is read. `folder`: of the main file; names are relative to it."""

    root: Path
    folder: Path
    main: str

    def has(self, name: str) -> bool:
        """Say whether `name`, relative to the main file's folder, is a file that lies in the project."""
        try:
            path = self.folder / name
            return path.is_file() and path.resolve().is_relative_to(self.root)
        except (OSError, ValueError, RuntimeError):  # too long, a NUL, a circle of links
            return False

    def find(self, name: str, extensions: tuple[str, ...], folders: tuple[str, ...] = ("",)) -> str | None:
        """Name the file that `name` means, relative to the main file's folder, or None."""
        for folder in folders:
            for extension in extensions:
                path = os.path.normpath(PurePosixPath(folder) / (name + extension))
                if self.has(path):
                    return Path(path).as_posix()
        return None

    def read(self, name: str) -> str:
        """Read the text of a file, with its line ends as they are."""
        return read_source(self.folder / name)


def read_source(path: Path) -> str:
    """UTF-8, else Latin-1; line ends and byte-order mark stay, so that offsets are the file's own."""
    if path.stat().st_size > _LARGEST:
        raise UnusableInput(
            "the file is too large", where=str(path), expected=f"expected at most {_LARGEST} bytes of text"
        )
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def open_project(path: Path) -> Project:
    """The project of a main file or a folder. Raises UnusableInput for a folder without a main file."""
    if path.is_dir():
        root = path.resolve()
        main = _main_of(root, path)
        return Project(root, main.parent, main.name)
    return Project(path.resolve().parent, path.resolve().parent, path.name)


def _main_of(root: Path, shown: Path) -> Path:
    files = sorted(
        file for file in root.rglob("*.tex") if file.is_file() and file.resolve().is_relative_to(root)
    )
    if not files:
        raise UnusableInput("no .tex file in this folder", where=str(shown), expected=WHAT_IS_RIGHT)
    sources = {file: read_source(file) for file in files}
    included = {name for file in files for name in _included(file, sources[file])}
    mains = [file for file in files if _is_main(tokens(sources[file]))]
    free = [file for file in mains if file.resolve() not in included] or mains
    if not free:
        raise UnusableInput(
            "no .tex file here has \\documentclass and \\begin{document}",
            where=str(shown),
            expected=WHAT_IS_RIGHT,
        )
    return min(free, key=lambda file: _rank(file, len(sources[file])))


def _rank(file: Path, size: int) -> tuple[int, int, int, str]:
    """The usual name first, then the higher folder, then the larger file."""
    stem = file.stem.lower()
    known = _MAIN_NAMES.index(stem) if stem in _MAIN_NAMES else len(_MAIN_NAMES)
    return known, len(file.parts), -size, file.as_posix()


def _included(file: Path, source: str) -> set[Path]:
    live = "".join(source[token.start : token.end] for token in tokens(source) if token.kind not in _UNREAD)
    names = [match.group(1) for match in _INCLUDED.finditer(live)]
    paths = [file.parent / (name + ending) for name in names for ending in ("", ".tex") if "\0" not in name]
    return {path.resolve() for path in paths}


_UNREAD = frozenset({"comment", "dead", "after-end", "verbatim"})


def _is_main(found: list[Token]) -> bool:
    begins = any(token.kind == "begin" and token.name == "document" for token in found)
    classed = any(token.name in {"\\documentclass", "\\documentstyle"} for token in found)
    return begins and classed


@cache
def image_extensions() -> tuple[str, ...]:
    """What an image without extension may be called; both cases, since servers differ."""
    plain = ("", ".png", ".jpg", ".jpeg", ".pdf", ".webp", ".eps", ".svg")
    return (*plain, *(name.upper() for name in plain if name))
