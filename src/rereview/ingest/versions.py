"""The source files of a paper, and the paper as it would be with other contents of these files."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from rereview.errors import UnusableInput
from rereview.ingest import archive, latex, plain
from rereview.ingest.projects import Project, open_project
from rereview.ingest.sources import Files
from rereview.types.manuscript import Manuscript

_TEXTS = (".tex", ".ltx", ".sty", ".cls", ".def", ".bbl")
_EXPECTED = "expected LaTeX or Markdown source: a .tex or .md file, or a folder or archive with LaTeX"


@dataclass(frozen=True)
class Overlaid:
    """Files of which some have another content; `used` gathers the names that were read."""

    files: Files
    changed: Mapping[str, bytes]
    used: set[str] = field(default_factory=set, compare=False)

    def names(self, ending: str) -> Iterator[str]:
        """All files whose names end so."""
        return self.files.names(ending)

    def real(self, name: str) -> str | None:
        """The file that a name leads to; None for anything outside the root."""
        return self.files.real(name)

    def read(self, name: str) -> bytes:
        """The content of a file, changed or as it is."""
        real = self.files.real(name) or name
        self.used.add(real)
        return self.changed[real] if real in self.changed else self.files.read(name)


@dataclass(frozen=True)
class Source:
    """A paper with its source.

    `contents` are its source files, byte for byte, by the names that `SourceSpan.file` gives them. `used`
    are all files that were read for it, images too, relative to `root` (of an archive: inside it).
    """

    path: Path
    manuscript: Manuscript
    contents: Mapping[str, bytes]
    root: Path
    used: tuple[str, ...]
    main: str
    """The main file, relative to `root`."""
    head: str
    """The main file by its name among `contents`."""


def source(path: Path) -> Source:
    """The paper of a .tex or .md file, a LaTeX folder or archive. Raises UnusableInput for anything else."""
    if not path.exists():
        raise UnusableInput(
            "no such file or folder", where=str(path), expected="the paper where it was, or without its entry"
        )
    if path.suffix.lower() == ".md" and path.is_file():
        paper = plain.read(path)
        images = tuple(sorted({figure.path for figure in paper.figures if figure.path}))
        contents = {path.name: path.read_bytes()}
        return Source(
            path, paper, contents, path.resolve().parent, (path.name, *images), path.name, path.name
        )
    project = _project(path)
    overlaid = Overlaid(project.files, {})
    seen = project._replace(files=overlaid)
    paper = latex.read_project(seen, str(path))
    contents = dict(_texts(overlaid, project.folder))
    root = path if path.is_dir() else path.parent
    main = (PurePosixPath(project.folder) / project.main).as_posix()
    return Source(path, paper, contents, root.resolve(), tuple(sorted(overlaid.used)), main, project.main)


def _texts(files: Overlaid, folder: str) -> Iterator[tuple[str, bytes]]:
    """The TeX files that were read, those that only declare something too, by their names from `folder`."""
    for whole in sorted(files.used):
        if whole.lower().endswith(_TEXTS):
            yield posixpath.relpath(whole, folder or "."), files.read(whole)


def with_contents(path: Path, changed: Mapping[str, bytes]) -> Manuscript:
    """The paper at `path` with these contents in place of its files' (names as `SourceSpan.file`)."""
    if path.suffix.lower() == ".md" and path.is_file():
        return plain.read(path, changed.get(path.name))
    project = _project(path)
    whole = {_real(project, name): content for name, content in changed.items()}
    return latex.read_project(project._replace(files=Overlaid(project.files, whole)), str(path))


def _project(path: Path) -> Project:
    if path.is_dir() or path.suffix.lower() == ".tex":
        return open_project(path)
    if path.suffix.lower() in (".zip", ".tar", ".tgz") or _is_gzip(path):
        return archive.project_of(path)
    raise UnusableInput(f"{path.suffix or path.name!r} has no source", where=str(path), expected=_EXPECTED)


def _is_gzip(path: Path) -> bool:
    """By content: what arXiv gives often has no ending."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def _real(project: Project, name: str) -> str:
    whole = PurePosixPath(project.folder) / name
    real = project.files.real(whole.as_posix())
    if real is None:
        raise UnusableInput(f"no file {name!r}", where=project.paper_id, expected="a file of the paper")
    return real
