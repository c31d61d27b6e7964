"""How the ledger of an injection study is measured: its groups, its rule, and what is left to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pandas as pd

from rereview.perturb.inject import is_usable, why_unused
from rereview.study.design import NO_JUDGE, PRECHECK, Design
from rereview.study.injected import Frames
from rereview.study.perturbing import Perturbed
from rereview.text.plurals import many

UNSEEN = ("stands where no reviewer can see it and is", "stand where no reviewer can see them and are")
"""Of one error, and of several."""


def groups_of(design: Design) -> dict[str, dict[str, tuple[str, ...] | None]]:
    """Models, systems and papers of each group that the design names; {} where it names none.

    Reviewers without a group are a group of their own beside the others, "other".
    """
    names = dict.fromkeys(each.group or "other" for each in design.reviewers)
    if set(names) == {"other"}:
        return {}
    found: dict[str, dict[str, tuple[str, ...] | None]] = {}
    for name in names:
        own = [each for each in design.reviewers if (each.group or "other") == name]
        papers = {paper.id for each in own for paper in design.read_by(each)}
        found[name] = {
            "models": tuple(dict.fromkeys(model for each in own for model in each.models or ("",))),
            "systems": tuple(each.label for each in own),
            "papers": None if len(papers) == len(design.papers) else tuple(sorted(papers)),
        }
    return found


def left_to_read(design: Design, frames: Frames) -> Mapping[tuple[str, str], int]:
    """Of each system and model how many papers it has not read yet, out of those that it is to read."""
    reads: pd.DataFrame = frames.readings
    done = {
        key: set(rows["paper"]) for key, rows in reads.groupby(["system", "model"]) if isinstance(key, tuple)
    }
    return {
        (each.label, model): len(
            {paper.id for paper in design.read_by(each)} - done.get((each.label, model), set())
        )
        for each in design.reviewers
        for model in each.models or ("",)
    }


def unread(design: Design, frames: Frames) -> Mapping[str, tuple[str, ...]]:
    """The papers that a configuration has read no version of, as they are now, though it is to read them.

    By the name of the configuration; those that wait to be searched are not among them.
    """
    reads = frames.readings
    done = set(zip(reads["system"], reads["model"], reads["paper"], strict=True))
    found = {}
    for each in design.reviewers:
        for model in each.models or ("",):
            name = " | ".join(filter(None, (each.label, model)))
            left = [p.id for p in design.read_by(each) if (each.label, model, p.id) not in done]
            if left and name not in frames.unsearched:
                found[name] = tuple(left)
    return found


def rating_of(design: Design) -> int | None:
    """The least rating that counts; None where no judge is asked."""
    return None if design.judge.model == NO_JUDGE else design.judge.rating


def notes_of(design: Design, found: Perturbed) -> tuple[str, ...]:
    """How the errors of a study were made, in sentences, with what was left out and why."""
    edits = list(found.errors.values())
    used = sum(map(is_usable, edits))
    reasons = Counter(why for edit in edits if (why := why_unused(edit)) is not None)
    lost = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
    why = f"; left out: {lost}" if lost else ""
    checked = "fixed rules alone" if design.perturb.verifier == PRECHECK else design.perturb.verifier
    judge = "none: the place alone decides" if design.judge.model == NO_JUDGE else design.judge.model
    unseen = len(found.unseen)
    return (
        f"Errors were written by {design.perturb.generator} and checked by {checked}. Judge: {judge}.",
        f"{used} of {many(len(edits), 'edit was', 'edits were')} used{why}.",
        *((f"{many(unseen, *UNSEEN)} not counted.",) if unseen else ()),
    )
