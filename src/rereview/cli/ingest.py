"""`rereview ingest`: a paper becomes a manuscript package; a folder of papers is counted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from rereview.cli.beside import tell_beside
from rereview.cli.consent import forbid_sockets
from rereview.cli.main import end_short, printable, unbroken
from rereview.errors import UnusableInput
from rereview.ingest import package
from rereview.ingest.base import images_of, local, read
from rereview.ingest.folders import beside, holds_papers, papers_in, spread
from rereview.ingest.package import Size
from rereview.study.store import write_files
from rereview.text.plurals import many
from rereview.types.manuscript import Manuscript, Removed

COUNTED = ("pages", "images", "records", "characters")
SHOWN = 10
AROUND = {"running": "at the head or foot", "line-numbers": "numbers of lines"}
LONGEST = 80
WITHOUT = (
    "of the images could not be had, and is named in its place",
    "of the images could not be had, and are named in their places",
)
"""Of one image, and of several."""


@click.command(short_help="Turn a paper into a manuscript package, or count a folder of papers.")
@click.argument("paper", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="Folder of the package; of a folder of papers, of all.",
)
@click.option(
    "--each", is_flag=True, help="Each file and folder in PAPER is a paper, whatever else it may be."
)
@click.option("--offline", is_flag=True, help="Make every connection that leaves this machine an error.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output, and nothing else.")
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def ingest(paper: Path, out: Path | None, *, each: bool, offline: bool, as_json: bool, debug: bool) -> None:  # noqa: ARG001  --debug is read by main
    """Read PAPER and write it as a manuscript package: text.json, index.json, figures/.

    Without -o nothing is written. A folder in which no paper begins is a folder of papers: they are
    counted, and with -o each is written to a folder of its own. One that cannot be read is named with the
    reason, the others go on, and the exit code is 2: not all were read. No model is asked.
    """
    if offline:
        forbid_sockets()
    if each or holds_papers(paper):
        found = tuple(counted(papers_in(paper, every=each), out))
        _check(found, paper)
        with unbroken():
            _print_folder(found, () if each else beside(paper), as_json=as_json)
        _end_if_lost(found, as_json=as_json)
        return
    one = _one(local(paper, offline=offline), out)
    with unbroken():
        _print_one(one, out, beside(paper) if paper.is_dir() else (), as_json=as_json)


@dataclass(frozen=True)
class Counted:
    """A paper that was read, and how long it is."""

    source: str
    manuscript: Manuscript
    size: Size


@dataclass(frozen=True)
class Lost:
    """A paper that could not be read, or not written, and why."""

    source: str
    why: str


def _check(found: Sequence[Counted | Lost], folder: Path) -> None:
    lost = [one for one in found if isinstance(one, Lost)]
    if len(lost) == len(found):
        why = f": {lost[0].why}" if lost else ""
        raise UnusableInput(
            f"no paper here could be read{why}",
            where=str(folder),
            expected="expected a paper, or a folder with papers",
        )


def _end_if_lost(found: Sequence[Counted | Lost], *, as_json: bool) -> None:
    """A script may go on with what was read, and learns that it is not all."""
    lost = sum(isinstance(one, Lost) for one in found)
    if lost:
        error = UnusableInput(
            f"{lost} of {many(len(found), 'paper')} could not be read or written",
            expected="its list `lost` says why" if as_json else "the lines `not read` say why",
        )
        end_short(error)


def counted(sources: Sequence[Path], out: Path | None) -> Iterator[Counted | Lost]:
    """Read each paper; one that cannot be read is lost with its reason, and the others go on."""
    folders: dict[str, Path] = {}
    for source in sources:
        try:
            yield _one(source, out, folders=folders)
        except UnusableInput as error:
            yield Lost(source.name, f"{error.what}; {error.expected}")


def _one(source: Path, out: Path | None, *, folders: dict[str, Path] | None = None) -> Counted:
    """Read a paper, and write its package. `folders`: those taken in `out`, for several papers."""
    manuscript = read(source)
    tell_beside(manuscript)
    if out is not None:
        target = out if folders is None else _own(out, manuscript, source, folders)
        shown = images_of(source, manuscript.figures)
        write(manuscript, target, lambda figure: shown[figure.id])
    return Counted(source.name, manuscript, package.size(manuscript))


def _own(out: Path, manuscript: Manuscript, source: Path, folders: dict[str, Path]) -> Path:
    other = folders.setdefault(manuscript.paper_id, source)
    if other != source:
        raise UnusableInput(
            f"its name is that of {other.name}: both are {manuscript.paper_id!r}",
            where=str(source),
            expected="name one of them differently",
        )
    return out / manuscript.paper_id


def write(manuscript: Manuscript, folder: Path, image: package.Images) -> None:
    """Write a package. What is there already stays if it is the same; raises UnusableInput if not."""
    files = package.files(manuscript, image)
    if folder.is_dir() and any(folder.iterdir()):
        if _same(folder, files):
            return
        raise UnusableInput(
            "the folder is not empty, and holds something else",
            where=str(folder),
            expected="name another folder with -o, or remove it first",
        )
    write_files(folder, files)


def _same(folder: Path, files: dict[str, bytes]) -> bool:
    here = [name for name in files if (folder / name).is_file()]
    return len(here) == len(files) and all((folder / name).read_bytes() == files[name] for name in here)


def _print_one(one: Counted, out: Path | None, aside: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        package = None if out is None else str(out)
        click.echo(
            json.dumps(_as_json(one) | {"beside": list(aside), "package": package}, ensure_ascii=False)
        )
        return
    click.echo(printable(one.manuscript.title))
    size = one.size
    pages = "pages not known" if size.pages is None else many(size.pages, "page")
    rest = (many(size.images, "image"), many(size.records, "text record"), many(size.characters, "character"))
    click.echo(", ".join((pages, *rest)))
    without = sum(figure.path is None for figure in one.manuscript.figures)
    if without:
        click.echo(many(without, *WITHOUT))
    click.echo(
        printable(f"left out of the text: {many(len(one.manuscript.hidden), 'passage')} that no reader sees")
    )
    for line in (*_around(one.manuscript), *_missing(one.manuscript), *_beside(aside)):
        click.echo(printable(line))
    if out is not None:
        click.echo(f"package: {out}")


def _around(manuscript: Manuscript) -> Iterator[str]:
    """What stands around the text of pages and is none of it, a line each."""
    found = [each for each in manuscript.removed if each.kind in AROUND]
    for each in found[:SHOWN]:
        yield f"left out of the text: {AROUND[each.kind]}, {_place(each)}: {each.text[:LONGEST]}"
    if len(found) > SHOWN:
        yield f"and {len(found) - SHOWN} more, which the package lists"


def _place(removed: Removed) -> str:
    return removed.place or f"page {removed.page}"


def _missing(manuscript: Manuscript) -> Iterator[str]:
    """What the source refers to and could not be read, a line each; the others are said elsewhere."""
    found = [gap for gap in manuscript.gaps if gap.kind not in ("figure", "main-file")]
    yield from (f"not read: {gap.kind}: {gap.name}" for gap in found[:SHOWN])
    if len(found) > SHOWN:
        yield f"and {len(found) - SHOWN} more, which --json lists"


def _beside(names: Sequence[str]) -> Iterator[str]:
    if names:
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        shown = f"{', '.join(names[:SHOWN])}{more}"
        yield f"not read: {shown}: taken for what goes with a paper here; --each reads all"


def _as_json(one: Counted) -> dict[str, str | int | list[str] | list[dict[str, str]] | None]:
    manuscript = one.manuscript
    return {
        "source": one.source,
        "paper": manuscript.paper_id,
        "id": manuscript.id,
        **one.size._asdict(),
        "around": [
            {"kind": each.kind, "text": each.text, "place": _place(each)}
            for each in manuscript.removed
            if each.kind in AROUND
        ],
        "gaps": [f"{gap.kind}: {gap.name}" for gap in manuscript.gaps],
    }


def _print_folder(found: Sequence[Counted | Lost], aside: Sequence[str], *, as_json: bool) -> None:
    read_well = [one for one in found if isinstance(one, Counted)]
    lost = [one for one in found if isinstance(one, Lost)]
    rows = {name: spread([getattr(one.size, name) for one in read_well]) for name in COUNTED}
    if as_json:
        shown = {
            "papers": [_as_json(one) for one in read_well],
            "lost": [{"source": one.source, "why": one.why} for one in lost],
            "beside": list(aside),
            "totals": {name: row._asdict() for name, row in rows.items()},
        }
        click.echo(json.dumps(shown, ensure_ascii=False))
        return
    click.echo(f"{len(read_well)} of {many(len(found), 'paper')} read")
    click.echo(f"{'':14}{'papers':>8}{'total':>14}{'median':>12}{'90th pct.':>12}{'maximum':>12}")
    for name, row in rows.items():
        label = "text records" if name == "records" else name
        cells = "".join(f"{_shown(value):>12}" for value in (row.median, row.percentile_90, row.maximum))
        click.echo(f"{label:14}{row.papers:>8}{_shown(row.total):>14}{cells}")
    for one in lost:
        click.echo(printable(f"not read: {one.source}: {one.why}"))
    for line in _beside(aside):
        click.echo(printable(line))


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{round(value, 1):,.15g}"
