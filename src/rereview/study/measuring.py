"""How the ledger of an injection study is measured: its groups, its rule, and what is left to read."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from rereview.study.design import NO_JUDGE, Design
from rereview.study.injected import Frames


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
    """Of each system and model how many papers of the study it has not read yet."""
    reads: pd.DataFrame = frames.readings
    done = {
        key: set(rows["paper"]) for key, rows in reads.groupby(["system", "model"]) if isinstance(key, tuple)
    }
    papers = {paper.id for paper in design.papers}
    return {
        (each.label, model): len(papers - done.get((each.label, model), set()))
        for each in design.reviewers
        for model in each.models or ("",)
    }


def rating_of(design: Design) -> int | None:
    """The least rating that counts; None where no judge is asked."""
    return None if design.judge.model == NO_JUDGE else design.judge.rating
