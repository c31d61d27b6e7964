"""The files of a LaTeX project: which is the main one, which file a name means, and what each holds."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from rereview.errors import UnusableInput
from rereview.ingest.identity import paper_id
from rereview.ingest.sources import Files, Folder
from rereview.text.decoding import decoded
from rereview.text.latex import Token, tokens

_FOLDER_NAMED = frozenset({"main", "ms", "paper", "template"})
_MAIN_NAMES = ("main", "ms", "paper", "template", "manuscript", "article")
_INCLUDED = re.compile(
    r"\\(?:input|include|subfile|subfileinclude|InputIfFileExists|(?:sub)?import\*?\s*\{[^{}]*\})\s*(?:\{\s*)?([^\s{}%\\]+)"
)
_BESIDE = ("supp", "append", "respon", "rebut", "repl", "slide", "poster", "backup", "letter")
_OTHERS = frozenset({"anc", "old", "cover", "diff", "talk", "copy", "notes", "note", "figs", "figures"})
_PAPERS = (".pdf", ".docx", ".html", ".md")
"""Endings of papers that need no other file."""
_FACTOR = 2
_SHOWN = 5
_LARGEST = 50_000_000
WHAT_IS_RIGHT = "expected the main .tex file of a paper, or its folder"


class Project(NamedTuple):
    """The files, the folder of the main file ("" at their root), the main file in it, and the paper's name.

    Names that the paper uses are relative to `folder`. `beside`: main files that were not
    taken, relative to the root.
    """

    files: Files
    folder: str
    main: str
    paper_id: str
    beside: tuple[str, ...] = ()

    def find(self, name: str, extensions: tuple[str, ...], folders: tuple[str, ...] = ("",)) -> str | None:
        """Name the file that `name` means, relative to the main file's folder, or None."""
        for folder in folders:
            for extension in extensions:
                path = os.path.normpath(PurePosixPath(folder) / (name + extension))
                if self.files.real(self._whole(path)) is not None:
                    return PurePosixPath(path).as_posix()
        return None

    def content(self, name: str) -> bytes:
        """Read a file that `find` has named."""
        return self.files.read(self._whole(name))

    def read(self, name: str) -> str:
        """Read the text of a file, with its line ends as they are."""
        data = self.content(name)
        if len(data) > _LARGEST:
            raise UnusableInput(
                "the file is too large", where=name, expected=f"expected at most {_LARGEST} bytes"
            )
        return decoded(data)

    def _whole(self, name: str) -> str:
        return os.path.normpath(PurePosixPath(self.folder) / name)


def open_project(path: Path) -> Project:
    """The project of a main file or a folder. Raises UnusableInput for a folder without a main file."""
    if path.is_dir():
        files = Folder(path.resolve())
        main, beside = chosen(files, str(path))
        name = paper_id(_named(files.root / main))
        return Project(files, str(PurePosixPath(main).parent), PurePosixPath(main).name, name, beside)
    whole = path.resolve()
    return Project(Folder(whole.parent), "", whole.name, paper_id(_named(whole.parent / path.name)))


def _named(main: Path) -> Path:
    """What a paper is called after: its main file, or the folder of one with a name that says nothing."""
    return main.parent if main.stem.lower() in _FOLDER_NAMED else main


class Choice(NamedTuple):
    """The main file of a paper, and those that were taken to go with it and are not read."""

    main: str
    beside: tuple[str, ...]


def chosen(files: Files, shown: str) -> Choice:
    """Choose the main file. Raises UnusableInput where there is none, or where there are several papers.

    `shown` is said to be the place.
    """
    found, beside = heads(files)
    if not found:
        raise UnusableInput(f"no .tex file here{_instead(files)}", where=shown, expected=WHAT_IS_RIGHT)
    if len(found) > 1:
        names = ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
        raise UnusableInput(
            f"{len(found)} papers, not one: {names}", where=shown, expected="expected one of these files"
        )
    return Choice(found[0], beside)


def _instead(files: Files) -> str:
    """What there is where no main file is."""
    if next(files.names(".tex"), None) is not None:
        return " has \\documentclass and \\begin{document}"
    papers = sorted(name for ending in _PAPERS for name in files.names(ending))
    more = ", …" if len(papers) > _SHOWN else ""
    return f", but what is read by itself: {', '.join(papers[:_SHOWN])}{more}" if papers else ""


class Heads(NamedTuple):
    """Main files that no other includes: one of each paper, and those that go with one of them."""

    papers: tuple[str, ...]
    beside: tuple[str, ...]


def mains(files: Files) -> tuple[str, ...]:
    """The main file of each paper, the likeliest first; one where they are parts or forms of one paper."""
    return heads(files).papers


def heads(files: Files) -> Heads:
    """The main file of each paper, the likeliest first, and the main files that go with one of them.

    A main file is of the same paper as a likelier one if both include a file, if its name or folder is
    that of a supplement, an answer or an old version, if it stands in a folder below, or if it stands
    beside one that has a usual name or, where that makes it all one paper, is more than twice as long.
    """
    sources = {name: decoded(files.read(name)) for name in sorted(files.names(".tex"))}
    parts = {name: _included(files, name, source) & sources.keys() for name, source in sources.items()}
    begun = [name for name, source in sources.items() if _is_main(tokens(source))]
    included = set().union(*parts.values())
    free = [name for name in begun if name not in included] or begun
    whole = {name: _whole(name, parts) for name in free}
    size = {name: sum(len(sources[part]) for part in whole[name]) for name in free}
    free.sort(key=lambda name: (_is_beside(name), _rank(PurePosixPath(name), size[name])))
    found = _papers(free, whole, size)
    if len(found) > 1:  # a short paper among several is of none of them
        found = _papers(free, whole, dict.fromkeys(size, 0))
    return Heads(tuple(found), tuple(name for name in free if name not in found))


def _papers(free: Sequence[str], whole: Mapping[str, set[str]], size: Mapping[str, int]) -> list[str]:
    found: list[str] = []
    for name in free:
        if not any(_is_of(name, other, whole, size) for other in found):
            found.append(name)
    return found


def _whole(name: str, parts: Mapping[str, set[str]]) -> set[str]:
    """A file and all that it includes, however deep."""
    seen, waiting = {name}, [name]
    while waiting:
        new = parts[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def _is_of(name: str, other: str, whole: Mapping[str, set[str]], size: Mapping[str, int]) -> bool:
    """Whether a main file belongs to the paper of a likelier one."""
    if _is_beside(name) or whole[name] & whole[other]:
        return True
    file, head = PurePosixPath(name), PurePosixPath(other)
    if file.parent == head.parent:
        return head.stem.lower() in _MAIN_NAMES or _FACTOR * size[name] < size[other]
    return file.is_relative_to(head.parent)


def _is_beside(name: str) -> bool:
    """Whether a file goes with a paper, as its name or that of its folder says."""
    parts = (*PurePosixPath(name).parts[:-1], PurePosixPath(name).stem)
    words = (word for part in parts for word in re.split(r"[^a-z]+", part.lower()))
    return any(word in _OTHERS or word.startswith(_BESIDE) for word in words)


def _rank(file: PurePosixPath, size: int) -> tuple[int, int, int, str]:
    """The usual name first, then the higher folder, then the larger file."""
    stem = file.stem.lower()
    known = _MAIN_NAMES.index(stem) if stem in _MAIN_NAMES else len(_MAIN_NAMES)
    return known, len(file.parts), -size, file.as_posix()


def _included(files: Files, name: str, source: str) -> set[str]:
    live = "".join(source[token.start : token.end] for token in tokens(source) if token.kind not in _UNREAD)
    folder = PurePosixPath(name).parent
    named = [match.group(1) for match in _INCLUDED.finditer(live)]
    found = (
        files.real(os.path.normpath(folder / (each + ending))) for each in named for ending in ("", ".tex")
    )
    return {each for each in found if each is not None}


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
