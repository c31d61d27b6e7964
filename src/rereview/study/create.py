"""A new study: its papers copied into it, and the first draft of its `study.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rereview import plugins
from rereview.errors import StorageError, UnusableInput, UsageError
from rereview.ingest.folders import holds_papers, is_paper
from rereview.ingest.identity import paper_id
from rereview.ingest.versions import Source, source
from rereview.perturb.scan import paper_kind, scan
from rereview.study.design import FILE, Preset, StudyPaper, first_draft
from rereview.study.store import write_files
from rereview.text.decoding import decoded

_DEEPEST = 4
_BESIDE = (".tex", ".sty", ".cls", ".bst", ".bib", ".bbl", ".def", ".cfg", ".clo")
"""What a TeX run may need beside the files that are read."""


@dataclass(frozen=True)
class Found:
    """A paper on its way into a study; `domain` is the folder between it and the one that was named."""

    path: Path
    domain: str


@dataclass(frozen=True)
class Made:
    """What is in a new study, and which papers are not, with the reason."""

    papers: tuple[StudyPaper, ...]
    left_out: tuple[tuple[str, str], ...]


def create(
    study: Path,
    places: Sequence[Path],
    reviewers: Sequence[str] = ("checks",),
    *,
    seed: int,
    preset: Preset = "rules",
) -> Made:
    """Copy the papers and write `study.toml`.

    Raises UsageError where the study exists already, no paper can be used or there is no such reviewer,
    StorageError where the disk refuses.
    """
    if (study / FILE).exists():
        raise UsageError(
            "a study is here already", where=str(study), expected=f"edit its {FILE}, or name another folder"
        )
    asking = _asking(reviewers if preset == "rules" else ())
    papers: dict[str, StudyPaper] = {}
    left_out: list[tuple[str, str]] = []
    for found in (each for place in places for each in _found(place)):
        try:
            paper = _copied(study, found, papers)
        except UnusableInput as error:
            left_out.append((str(found.path), f"{error.what}; {error.expected}"))
        else:
            papers[paper.id] = paper
    if not papers:
        why = f": {left_out[0][0]}: {left_out[0][1]}" if left_out else ""
        raise UsageError(
            f"no paper that can carry errors{why}",
            where=", ".join(map(str, places)),
            expected="LaTeX or Markdown source",
        )
    made = tuple(papers.values())
    draft = first_draft(made, reviewers, seed=seed, preset=preset, asking=asking)
    write_files(study, {FILE: draft.encode()})
    return Made(made, tuple(left_out))


def _asking(reviewers: Sequence[str]) -> frozenset[str]:
    """Those that do not say that they ask no model. Raises UsageError for one that is not there."""
    loaded = {each: plugins.load("reviewers", each) for each in reviewers}
    return frozenset(name for name, each in loaded.items() if getattr(each, "needs_model", True))


def _found(place: Path, domain: str = "", depth: int = 0) -> Iterator[Found]:
    if not place.exists():
        raise UsageError("no such file or folder", where=str(place), expected="a paper or a folder of papers")
    if not place.is_dir() or not holds_papers(place):
        yield Found(place, domain)
        return
    for each in sorted(place.iterdir()):
        if each.name.startswith("."):
            continue
        if each.is_dir() and holds_papers(each) and depth < _DEEPEST:
            yield from _found(each, f"{domain}/{each.name}".strip("/"), depth + 1)
        elif each.is_dir() or is_paper(each):
            yield Found(each, domain)


def _copied(study: Path, found: Found, taken: dict[str, StudyPaper]) -> StudyPaper:
    paper = source(found.path)
    name = paper_id(found.path) if found.path.is_dir() else paper.manuscript.paper_id
    if name in taken:
        raise UnusableInput(
            f"another paper is called {name!r} too",
            where=str(found.path),
            expected="a name of its own for each",
        )
    folder = f"papers/{name}/source"
    texts = {file: decoded(content) for file, content in paper.contents.items()}
    kind = paper_kind(scan(texts, name, main=paper.head))
    write_files(study / folder, _files(paper))
    main = paper.main if paper.path.is_dir() else paper.path.name
    return StudyPaper(id=name, source=f"{folder}/{main}", kind=kind, domain=found.domain)


def _files(paper: Source) -> dict[str, bytes]:
    if paper.path.is_file() and paper.path.suffix.lower() not in (".tex", ".md"):
        return {paper.path.name: paper.path.read_bytes()}
    try:
        names = {*paper.used, *(_beside(paper.root) if paper.path.is_dir() else ())}
        return {name: content for name in sorted(names) if (content := _inside(paper.root, name)) is not None}
    except OSError as error:
        raise StorageError(
            f"cannot be read: {error.strerror}",
            where=str(error.filename or paper.path),
            expected="a readable file",
        ) from error


def _beside(root: Path) -> Iterator[str]:
    for path in root.rglob("*"):
        if path.suffix.lower() in _BESIDE:
            yield path.relative_to(root).as_posix()


def _inside(root: Path, name: str) -> bytes | None:
    path = (root / name).resolve()
    if not path.is_relative_to(root) or not path.is_file():
        return None
    return path.read_bytes()
