"""What was made elsewhere comes into an injection study: edit records, and reviews of its versions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rereview.errors import UnusableInput, UsageError
from rereview.perturb.records import Imported, read_records
from rereview.perturb.taxonomy import FAMILY_NAMES
from rereview.reviewers.imported import ReadReview
from rereview.study.arms import Copy
from rereview.study.design import Design
from rereview.study.importing import Landed, land
from rereview.study.perturbing import TAKEN_EDIT, Perturbed
from rereview.study.prepared import Prepared, prepare
from rereview.study.store import Store
from rereview.text.decoding import decoded
from rereview.types.record import Record

TAKEN = "imported-review"


class Taken(Record):
    """A review that the design does not name and that counts all the same."""

    review_id: str


@dataclass(frozen=True)
class TakenEdits:
    """The records of one file, as far as they could be placed."""

    path: Path
    run: str
    found: Imported


def edit_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files of edit records among these paths and in the folders that they name."""
    for path in paths:
        if path.is_dir():
            yield from (each for each in sorted(path.rglob("*.json")) if is_edits(each))
        elif is_edits(path):
            yield path


def is_edits(path: Path) -> bool:
    """Whether a file holds edit records, by its content."""
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError, OSError):
        return False
    return isinstance(content, dict) and isinstance(content.get("perturbations"), list)


def take_edits(
    study: Path, design: Design, store: Store, paths: Sequence[Path], *, paper: str | None
) -> tuple[TakenEdits, ...]:
    """Place the records of each file in the clean source of its paper, and keep what could be placed.

    A file is of `paper`, or of the paper that its folder is called after; its name is its family. Raises
    UsageError for one that is of no paper of the study, UnusableInput for what is no record.
    """
    prepared: dict[str, Prepared] = {}
    taken = []
    for path in paths:
        name = paper or path.parent.name
        if name not in prepared:
            prepared[name] = prepare(study, design.paper(name), design)
        taken.append(_taken(path, prepared[name]))
    for each in taken:
        store.add_records(TAKEN_EDIT, {edit.id: edit for edit in each.found.perturbations})
    return tuple(taken)


def _taken(path: Path, paper: Prepared) -> TakenEdits:
    family = FAMILY_NAMES.get(path.stem.lower())
    if family is None:
        raise UnusableInput(
            f"{path.stem!r} is no family",
            where=str(path),
            expected=f"a file that is called after one: {', '.join(FAMILY_NAMES)}",
        )
    head = paper.source.head
    found = read_records(
        path.read_text(encoding="utf-8"),
        family=family,
        paper_id=paper.paper.id,
        file=head,
        source=decoded(paper.source.contents[head]),
        candidates=paper.candidates,
    )
    return TakenEdits(path, f"{paper.paper.id}/{family}", found)


def take_reviews(
    store: Store,
    found: Perturbed,
    reviews: Sequence[tuple[ReadReview, str]],
    *,
    paper: str,
    run: str,
    name: str | None,
) -> tuple[Landed, ...]:
    """Reviews of one version: `run` is its family, or "clean". Raises UsageError where there is none such."""
    copy = _copy(found, paper, run)
    landed = land(store, copy.version.manuscript, reviews, name=name)
    store.add_records(TAKEN, {each.record.id: Taken(review_id=each.record.id) for each in landed})
    return landed


def _copy(found: Perturbed, paper: str, run: str) -> Copy:
    of_paper = [copy for copy in found.copies if copy.paper.id == paper]
    names = {(copy.run.rpartition("/")[2] or "clean"): copy for copy in of_paper}
    if run not in names:
        raise UsageError(
            f"no version {run!r} of {paper!r}" if of_paper else f"no paper {paper!r} with versions",
            expected=f"--version {' or '.join(names)}" if names else "rereview perturb first",
        )
    return names[run]
