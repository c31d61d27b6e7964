"""`rereview import STUDY`: edit records and reviews that were made elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rereview.errors import UsageError
from rereview.reviewers.imported import read_reviews
from rereview.study.design import FILE, IMPORTED, load
from rereview.study.importing import Landed
from rereview.study.perturbing import kept
from rereview.study.store import Store
from rereview.study.taking import TakenEdits, edit_files, take_edits, take_reviews
from rereview.text.plurals import many


def take(
    study: Path, files: Sequence[Path], *, paper: str | None, version: str | None, name: str | None
) -> list[str]:
    """Take what the files hold, and say in lines what it was."""
    design = load(study)
    edits = list(edit_files(files))
    rest = [path for path in files if path not in edits and not path.is_dir()]
    empty = [path for path in files if path.is_dir() and not any(path in each.parents for each in edits)]
    if empty:
        raise UsageError(
            "no edit records in it", where=str(empty[0]), expected='JSON files with a list "perturbations"'
        )
    with Store(study) as store, store.claim():
        lines = _edits(take_edits(study, design, store, edits, paper=paper)) if edits else []
        if edits and design.perturb.generator != IMPORTED:
            lines.append(
                f'to use them, set generator = "{IMPORTED}" in {study / FILE} in the place of'
                f' "{design.perturb.generator}", then run rereview perturb'
            )
        if rest:
            if paper is None or version is None:
                raise UsageError(
                    "of which paper and version are these reviews?",
                    where=str(rest[0]),
                    expected="--paper ID --version FAMILY, or --version clean",
                )
            found = kept(study, design, store)
            given = [(each, path.stem) for path in rest for each in read_reviews(path)]
            lines += _reviews(take_reviews(store, found, given, paper=paper, run=version, name=name))
    return lines


def _edits(taken: Sequence[TakenEdits]) -> list[str]:
    lines = []
    unplaced: Counter[str] = Counter()
    for each in taken:
        lost = each.found.unplaced
        unplaced.update(why for _, why in lost)
        lines.append(f"{each.run}: {many(len(each.found.perturbations), 'edit')} placed")
        lines += [f"  {name}: {why}" for name, why in lost]
    placed = sum(len(each.found.perturbations) for each in taken)
    told = "".join(f", {count} {why}" for why, count in sorted(unplaced.items()))
    return [*lines, f"{many(placed, 'edit')} placed{told}"]


def _reviews(landed: Sequence[Landed]) -> list[str]:
    return [
        f"{each.record.reviewer}, {each.record.model}, round {each.record.round}:"
        f" {many(len(each.record.comments), 'comment')}{'' if each.new else ' (was here already)'}"
        for each in landed
    ]
