"""What Quick and Standard are made of: auxiliary calls, target scores, and further scores to validate on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from rereview.errors import UsageError
from rereview.measures.samples import said
from rereview.measures.tabulate import Floats, Members, Names, Settings, known_of
from rereview.measures.usual import PROTOCOLS, one_of, scored
from rereview.stats.calibration import (
    FEWEST_TARGETS,
    POINTS,
    SCORES,
    answered,
    first_answers,
    listed,
)
from rereview.stats.heldout import DIRECT
from rereview.text.plurals import many

AUXILIARY, VALIDATION = "auxiliary", "validation"
TARGETS = ("target", "pilot", "")
"""Roles that can be targets; the first that is there is."""
MOST_CANDIDATES = 11
SHOWN = 10
FEWEST_PAPERS = 2
"""One to fit on, one to test on."""


@dataclass(frozen=True)
class Validation:
    """Papers with further scores, which no prediction has seen."""

    members: Members
    """`[paper]`: which papers these are."""
    calls: tuple[Floats, ...]
    """All auxiliary calls of each, (calls, 10)."""
    targets: tuple[Floats, ...]
    """The further scores of each."""


@dataclass(frozen=True)
class Material:
    """Papers sorted by id that have an auxiliary call with an answer, and all their targets."""

    papers: tuple[str, ...]
    auxiliary: Floats
    """`[paper, score]`: probabilities of the first call that answered, NaN for what did not come back."""
    targets: Floats
    """`[paper, review]`: scores of the scale."""
    groups: Names | None = None
    accepted: Floats | None = None
    withdrawn: Floats | None = None
    validation: Validation | None = None
    settings: Settings = field(default_factory=Settings)
    notes: tuple[str, ...] = ()

    @property
    def direct(self) -> bool:
        """Whether there are reviews enough for every direct baseline."""
        return bool(self.targets.shape[1] >= max(DIRECT))


def material(frame: pd.DataFrame, settings: Settings) -> Material:
    """Put the rows of one configuration in order [Can We Believe AI Peer Review?, E.2].

    A paper needs a call that answered and as many integer targets as most papers have; others are left
    out and counted. Raises UsageError where fewer than two papers are left.
    """
    role, points = target_role(frame), settings.legal
    targets = {paper: rows["score"].to_numpy(float) for paper, rows in _by_round(frame, role)}
    calls = {
        paper: rows[list(candidates(settings))].to_numpy(float)
        for paper, rows in _by_round(_complete(frame, settings), AUXILIARY)
    }
    m = _most_common([len(scores) for scores in targets.values()])
    short = {paper for paper, scores in targets.items() if len(scores) < m}
    odd = {paper for paper, scores in targets.items() if not np.isin(scores, points).all()}
    silent = {paper for paper in targets if paper not in calls or not answered(calls[paper]).any()}
    papers = sorted(set(targets) - short - odd - silent)
    legal = f"integers {points[0]:g}-{points[-1]:g}" if settings.points is None else "scores of the form"
    lost = (silent, short - silent, odd - short - silent)
    counted = tuple(_counted(role, m, len(targets), lost, legal))
    if m < FEWEST_TARGETS or len(papers) < FEWEST_PAPERS:
        having = many(len(papers), "paper has", "papers have")
        raise UsageError(
            f"{having} an auxiliary call with an answer and {many(m, 'target score')}",
            expected=f"at least {FEWEST_PAPERS} papers with {FEWEST_TARGETS} scores out of {listed(points)}",
        )
    scores = np.stack([targets[paper][:m] for paper in papers])
    facts = known_of(frame, papers)
    checked, more = _validation(frame, papers, calls, m) if points == POINTS else (None, [])
    return Material(
        papers=tuple(papers),
        auxiliary=np.concatenate([first_answers(calls[paper][None]) for paper in papers]),
        targets=scores,
        groups=facts.groups,
        accepted=facts.accepted,
        withdrawn=facts.withdrawn,
        validation=checked,
        settings=settings,
        notes=(*counted, *_zeros(calls), *more),
    )


def target_role(frame: pd.DataFrame) -> str:
    """The role whose scores are the targets."""
    there = set(frame.loc[frame["score"].notna(), "role"])
    return next((role for role in TARGETS if role in there), TARGETS[0])


def candidates(settings: Settings) -> tuple[str, ...]:
    """The columns of the probabilities, a score of the scale each."""
    return tuple(f"p{score:g}" for score in settings.legal)


def _complete(frame: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """A file need not have a column for a candidate that never came back."""
    return frame.assign(**{name: np.nan for name in candidates(settings) if name not in frame})


def _by_round(frame: pd.DataFrame, role: str) -> Iterator[tuple[str, pd.DataFrame]]:
    rows = frame[frame["role"] == role]
    if role != AUXILIARY:
        rows = one_of(scored(rows), "protocol", PROTOCOLS)
    order = [
        name for name in (("call", "round", "protocol") if role == AUXILIARY else ("round",)) if name in rows
    ]
    for paper, found in rows.sort_values(order, kind="stable").groupby("paper", sort=True):
        yield str(paper), found


def _most_common(sizes: list[int]) -> int:
    """The number of targets that most papers have, the larger in a tie; 0 without papers."""
    return max(set(sizes), key=lambda size: (sizes.count(size), size), default=0)


def _counted(role: str, m: int, papers: int, lost: tuple[set[str], ...], legal: str) -> Iterator[str]:
    kept = papers - sum(map(len, lost))
    yield f"Targets: the first {m} scores of role {role!r}; {kept} of {papers} papers are used."
    reasons = (
        "no auxiliary call with an answer",
        f"fewer than {m} targets",
        f"targets that are no {legal}",
    )
    for reason, those in zip(reasons, lost, strict=True):
        if those:
            named = ", ".join(sorted(those)[:SHOWN]) + (", …" if len(those) > SHOWN else "")
            yield f"Left out, {reason}: {len(those)} ({named})."
    having = f"with an auxiliary call that answered and {m} targets"
    yield said(kept, having, f"{kept * m} scores", f"{papers - kept} lost" if papers > kept else "")


def _zeros(calls: dict[str, Floats]) -> Iterator[str]:
    zeros = sum(int((each == 0).sum()) for each in calls.values())
    if zeros:
        counted = many(zeros, "probability is 0: it counts", "probabilities are 0: they count")
        yield (
            f"{counted} as returned, at a floor of 1e-9; leave the cell of a candidate empty that the call"
            " did not return."
        )


def _validation(
    frame: pd.DataFrame, papers: list[str], calls: dict[str, Floats], m: int
) -> tuple[Validation | None, list[str]]:
    found = {paper: rows["score"].to_numpy(float) for paper, rows in _by_round(frame, VALIDATION)}
    if not found:
        return None, []
    usable = {paper for paper, scores in found.items() if paper in papers and np.isin(scores, SCORES).all()}
    members = np.array([paper in usable for paper in papers])
    note = f"Validation: {len(usable)} of {len(found)} papers, fitted on the other {int((~members).sum())}."
    if not usable or members.all() or m < max(DIRECT):
        return None, [
            f"Validation is left out: it needs {max(DIRECT)} targets and papers on both sides. {note}"
        ]
    chosen = [paper for paper in papers if paper in usable]
    return (
        Validation(members, tuple(calls[paper] for paper in chosen), tuple(found[paper] for paper in chosen)),
        [note],
    )
