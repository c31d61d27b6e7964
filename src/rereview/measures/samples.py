"""Which papers an analysis shares, what it rests on, and who was lost and why.

Source: "Can We Believe AI Peer Review?", appendix A.5 (table S5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pandas as pd

from rereview.text.plurals import many
from rereview.types.estimate import Cell, Estimate, Table
from rereview.types.record import Record
from rereview.types.review import Exclusion

_NAMED = 10
_SCORED = ("ok", "repaired")


class Configuration(Record):
    """A reviewer and its model, as in the columns of `study.frames.SCORES`."""

    reviewer: str
    model: str

    def __str__(self) -> str:
        return f"{self.reviewer}, {self.model}" if self.model else self.reviewer


class Analysis(Record):
    """What an analysis asks of a paper: so many scored rounds of each configuration."""

    name: str
    configurations: tuple[Configuration, ...]
    rounds: int
    every_round: bool = False
    """True if it rests on all rounds of a paper, and needs only so many."""
    inputs: str
    """What the reviewers were given: "text", "text and images"."""


class Lost(Record):
    """A paper that an analysis does without, and every reason for it."""

    paper: str
    why: str


class Sample(Record):
    """The papers that an analysis shares over all its configurations, and those that it lost."""

    analysis: Analysis
    papers: tuple[str, ...]
    scores: int
    """Scores that the analysis rests on: papers x configurations x rounds, or all that there are."""
    lost: tuple[Lost, ...]


def sample(scores: pd.DataFrame, analysis: Analysis, excluded: Iterable[Exclusion] = ()) -> Sample:
    """The shared sample of an analysis; no paper is in it with less than the others have.

    `scores` has the columns `study.frames.SCORES`. A paper is known if any configuration reviewed it,
    of this analysis or of another, or if it was excluded. Only scores of rounds that were answered count.
    """
    excluded = tuple(excluded)
    known = sorted({*map(str, scores["paper"].unique()), *(each.paper for each in excluded)})
    counts = [_scored(scores, each) for each in analysis.configurations]
    reasons = {
        paper: [
            *_excluded(paper, analysis, excluded),
            *_missing(paper, analysis, counts, {each.model for each in excluded if each.paper == paper}),
        ]
        for paper in known
    }
    papers = tuple(paper for paper in known if not reasons[paper])
    every = max((each for count in counts for each in count.values()), default=0)
    most = every if analysis.every_round else analysis.rounds
    return Sample(
        analysis=analysis,
        papers=papers,
        scores=sum(min(count[paper], most) for count in counts for paper in papers),
        lost=tuple(Lost(paper=paper, why="; ".join(why)) for paper, why in reasons.items() if why),
    )


def _scored(scores: pd.DataFrame, configuration: Configuration) -> dict[str, int]:
    """How many rounds of each paper a configuration scored; 0 where it tried and none was.

    Rounds of several versions of a paper are not added: the version with the most counts.
    """
    rows = scores[
        (scores["reviewer"] == configuration.reviewer) & (scores["model"].fillna("") == configuration.model)
    ]
    scored = rows["score"].notna() & rows["status"].isin(_SCORED)
    counts = scored.groupby([rows["paper"].astype(str), rows["version"].astype(str)]).sum()
    counts = counts.groupby(level=0).max()
    return {str(paper): int(count) for paper, count in counts.items()}


def _excluded(paper: str, analysis: Analysis, excluded: Sequence[Exclusion]) -> Iterator[str]:
    models = {each.model for each in analysis.configurations}
    for each in excluded:
        if each.paper == paper and each.model in models:
            yield f"excluded for {each.model}: {each.why}"


def _missing(
    paper: str, analysis: Analysis, counts: Sequence[dict[str, int]], without: set[str]
) -> Iterator[str]:
    for configuration, scored in zip(analysis.configurations, counts, strict=True):
        if configuration.model in without:
            continue
        if paper not in scored:
            yield f"not reviewed by {configuration}"
        elif scored[paper] < analysis.rounds:
            rounds, have = many(analysis.rounds, "round"), "has" if analysis.rounds == 1 else "have"
            yield f"{scored[paper]} of {rounds} of {configuration} {have} a score"


def said(papers: int, having: str, rests_on: str, lost: str = "") -> str:
    """What a table says of its sample: so many papers, what each has, what that is together, who is lost."""
    return f"Sample: {many(papers, 'paper')} {having}, {rests_on}{lost and '; '}{lost}."


def table(samples: Sequence[Sample]) -> Table:
    """One row an analysis: papers, rounds of each configuration, scores. The notes say who was lost."""
    return Table(
        name="samples",
        caption="Papers, rounds and inputs of each analysis; a paper is in one only if every side has it",
        cells=tuple(cell for each in samples for cell in _cells(each)),
        notes=tuple(note for each in samples for note in _notes(each)),
    )


def _cells(found: Sample) -> Iterator[Cell]:
    papers, lost = len(found.papers), len(found.lost)
    values = {
        "papers": papers,
        "rounds": found.analysis.rounds,
        "configurations": len(found.analysis.configurations),
        "scores": found.scores,
    }
    for column, value in values.items():
        yield Cell(
            row=found.analysis.name, column=column, estimate=Estimate(value=value, n=papers, dropped=lost)
        )


def _notes(found: Sample) -> Iterator[str]:
    name = found.analysis.name
    configurations = "; ".join(str(each) for each in found.analysis.configurations)
    yield f"{name}: {found.analysis.inputs}, by {configurations}"
    reasons = dict.fromkeys(each.why for each in found.lost)
    for why in reasons:
        papers = [each.paper for each in found.lost if each.why == why]
        more = f" and {len(papers) - _NAMED} more" if len(papers) > _NAMED else ""
        yield f"{name}: {len(papers)} lost, {', '.join(papers[:_NAMED])}{more}: {why}"
