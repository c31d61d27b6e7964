"""The frames of an injection study: its errors, the reviews of every version, and what may be a detection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from rereview.study.arms import JUDGED as JUDGED_KIND
from rereview.study.arms import SEARCHED, Judged, Searched, digest_of, words_of
from rereview.study.design import Design
from rereview.study.frames import AUDITED, JUDGED, PAIRS, PERTURBATIONS, READINGS, SHOWN
from rereview.study.perturbing import AUDITED as AUDITED_KIND
from rereview.study.perturbing import Perturbed
from rereview.study.prepared import Prepared
from rereview.study.store import Store
from rereview.study.taking import TAKEN, Taken
from rereview.types.edit import Arm, Audited, Batch, Candidate, Pair, Perturbation
from rereview.types.review import Review


@dataclass(frozen=True)
class Injected:
    """An injected error with what is known of its paper."""

    perturbation: Perturbation
    version: str
    paper_kind: str
    domain: str


@dataclass(frozen=True)
class Read:
    """A review with the version that it read: the run of the corrupted one, "" for the clean paper."""

    review: Review
    paper: str
    run: str
    arm: Arm
    usd: float | None


@dataclass(frozen=True)
class Frames:
    """Everything that the tables of an injection study are made of."""

    perturbations: pd.DataFrame
    readings: pd.DataFrame
    pairs: pd.DataFrame
    shown: pd.DataFrame
    judged: pd.DataFrame | None
    """None: the study does not ask for precision."""
    waiting: int = 0
    """Reviews that have not been searched for hits since the errors were what they are."""
    unsearched: tuple[str, ...] = ()
    """The configurations of these: none of their reviews is in the frames, which would be too few hits."""


def perturbations(errors: Iterable[Injected]) -> pd.DataFrame:
    """One row an injected error, columns `PERTURBATIONS`."""
    rows = [
        (
            each.perturbation.id,
            each.perturbation.paper_id,
            each.perturbation.run,
            each.version,
            each.perturbation.family,
            each.perturbation.error,
            each.perturbation.kind,
            each.paper_kind,
            each.domain,
            each.perturbation.pinned,
        )
        for each in errors
    ]
    return pd.DataFrame(rows, columns=list(PERTURBATIONS)).astype({"pinned": "object"})


def readings(reviews: Iterable[Read]) -> pd.DataFrame:
    """One row a review, columns `READINGS`."""
    rows = [
        (
            each.review.id,
            each.paper,
            each.run,
            each.arm,
            each.review.reviewer,
            each.review.model or "",
            each.review.round,
            each.review.status,
            len(each.review.comments),
            each.usd,
        )
        for each in reviews
    ]
    return pd.DataFrame(rows, columns=list(READINGS)).astype(
        {"round": "int64", "comments": "int64", "usd": "float64"}
    )


def pairs(found: Iterable[Pair]) -> pd.DataFrame:
    """One row a pair, columns `PAIRS`."""
    rows = [
        (
            each.perturbation_id,
            each.review_id,
            each.comment_id,
            each.arm,
            each.coverage,
            each.touches,
            each.rating,
            each.unreadable,
        )
        for each in found
    ]
    frame = pd.DataFrame(rows, columns=list(PAIRS))
    return frame.astype(
        {"coverage": "float64", "touches": "object", "rating": "float64", "unreadable": "bool"}
    )


def shown(
    batches: Iterable[Batch],
    candidates: Mapping[str, Sequence[Candidate]],
    errors: Mapping[tuple[str, str], str],
) -> pd.DataFrame:
    """One row a candidate that the generator was shown, columns `SHOWN`.

    `candidates` are those of each paper in reading order: a candidate's place is its rank among them.
    `errors` gives the subtype that was written, by run and candidate.
    """
    known = {
        (paper, each.id): (each, rank / len(found))
        for paper, found in candidates.items()
        for rank, each in enumerate(found)
    }
    rows = []
    for batch in batches:
        paper, _, family = batch.run.rpartition("/")
        chosen = set(batch.chosen)
        for position, name in enumerate(batch.shown, start=1):
            each, place = known[paper, name]
            row = (batch.run, paper, family, batch.number, position, name, each.kind, len(each.text), place)
            rows.append((*row, name in chosen, errors.get((batch.run, name))))
    return pd.DataFrame(rows, columns=list(SHOWN))


def frames(found: Perturbed, design: Design, store: Store) -> Frames:
    """The frames of a study as its ledger stands, of reviewers that the design names."""
    carriers = found.carriers
    papers = {each.paper.id: each for each in found.prepared}
    errors = [edit for name, edit in found.errors.items() if name in carriers]
    kinds = {name: _kind(each, errors) for name, each in papers.items()}
    costs = store.costs()
    wanted = {
        (each.label, model, paper.id): each.rounds
        for each in design.reviewers
        for model in (each.models or (None,))
        for paper in design.read_by(each)
    }
    taken = store.records(TAKEN, Taken)
    searched = store.records(SEARCHED, Searched)
    reads: list[Read] = []
    met: list[Pair] = []
    waiting = 0
    unsearched: set[tuple[str, str | None]] = set()
    for copy in found.copies:
        errors_here = digest_of(found.errors[place.perturbation_id] for place in copy.version.places)
        for review in store.reviews(copy.id):
            cell = (review.reviewer, review.model, copy.paper.id)
            if review.round > wanted.get(cell, 0) and review.id not in taken:
                continue
            search = searched.get(review.id)
            if search is None or search.errors != errors_here:
                waiting += 1
                unsearched.add((review.reviewer, review.model))
                continue
            reads.append(Read(review, copy.paper.id, copy.run, copy.version.arm, _usd(review, costs)))
            met += search.pairs
    # A review without a comment near an error is searched without a call, one with such comments waits for
    # the judge: what is searched so far is not a fair sample, and has found too little.
    reads = [each for each in reads if (each.review.reviewer, each.review.model) not in unsearched]
    counted = {each.review.id for each in reads}
    batches = [batch for made in found.made for batch in made.batches]
    return Frames(
        perturbations=perturbations(
            Injected(edit, carriers[edit.id], kinds[edit.paper_id], papers[edit.paper_id].paper.domain)
            for edit in errors
        ),
        readings=readings(reads),
        pairs=pairs(pair for pair in met if pair.perturbation_id in carriers and pair.review_id in counted),
        judged=judged(reads, store) if design.judge.precision else None,
        waiting=waiting,
        unsearched=tuple(sorted(" | ".join(filter(None, each)) for each in unsearched)),
        shown=shown(
            batches,
            {name: each.candidates for name, each in papers.items()},
            {(edit.run, edit.candidate_id): edit.error for edit in found.errors.values()},
        ),
    )


def judged(reads: Iterable[Read], store: Store) -> pd.DataFrame:
    """One row a comment that the judge has looked at by itself, columns `JUDGED`."""
    known = store.records(JUDGED_KIND, Judged)
    rows = [
        (opinion.review_id, opinion.comment_id, opinion.valid)
        for each in reads
        if (said := known.get(each.review.id)) is not None and said.words == words_of(each.review)
        for opinion in said.opinions
    ]
    return pd.DataFrame(rows, columns=list(JUDGED)).astype({"valid": "object"})


def _kind(paper: Prepared, errors: Iterable[Perturbation]) -> str:
    """What the families of its errors say, else what is known of the paper; "" for not known."""
    told = {edit.family for edit in errors if edit.paper_id == paper.paper.id}
    if "reasoning" in told or "empirical" in told:
        return "theoretical" if "reasoning" in told else "empirical"
    return paper.kind or ""


def _usd(review: Review, costs: Mapping[str, float | None]) -> float | None:
    """What the calls of a review cost; None where that of one is not known."""
    paid = [costs.get(call) for call in review.call_ids]
    known = [each for each in paid if each is not None]
    return sum(known) if len(known) == len(paid) else None


def audited(store: Store, sample: Sequence[str], errors: Iterable[str]) -> pd.DataFrame:
    """The labels of a sample and all others that were given, columns `AUDITED`; missing without a label.

    `errors` are those that the study has now: a label of another counts no more.
    """
    known = store.records(AUDITED_KIND, Audited)
    there = set(errors)
    names = dict.fromkeys((*sample, *(name for name in known if name in there)))
    rows = [(name, known[name].label if name in known else None) for name in names]
    return pd.DataFrame(rows, columns=list(AUDITED))
