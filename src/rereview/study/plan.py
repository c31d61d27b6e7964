"""What a study will ask and cost, before anything is asked.

A dry model answers every request with the smallest answer that its schema allows. So every request that
does not hang on an earlier answer is really built, and its input is measured; the output lies between an
eighth and all of what the requests allow (`models.prices.forecast`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rereview.errors import RereviewError
from rereview.judge import validity
from rereview.judge.detect import Judge, calls, messages
from rereview.models.base import Caching, traits
from rereview.models.dry import DryModel
from rereview.models.prices import LOOSE, Price, estimate_tokens, forecast
from rereview.models.usual import usual_cost
from rereview.perturb.generate import Generator, Run
from rereview.perturb.verify import Verifier
from rereview.reviewers.base import Reviewer
from rereview.study.arms import (
    JUDGED,
    SEARCHED,
    SWEEP,
    Copy,
    Judged,
    Met,
    Searched,
    candidate_pairs,
    configurations,
    words_of,
)
from rereview.study.asking import Asking
from rereview.study.design import IMPORTED, NO_JUDGE, PRECHECK, RULES, Design
from rereview.study.perturbing import Perturbed, Prepared, by_rules, prepare, target_of
from rereview.study.store import Store
from rereview.types.call import Request
from rereview.types.edit import Pair

SWEEPS = (SWEEP, 0.6, 0.7)
"""Thresholds of coverage whose price is told."""


@dataclass(frozen=True)
class Planned:
    """The calls of one purpose and one model, before they are made."""

    purpose: str
    model: str
    calls: int
    input_tokens: int
    usd_low: float | None
    """None: the price is not known."""
    usd_high: float | None
    there: int = 0
    """What the ledger holds already, in `unit`s; not among the calls."""
    unit: str = ""
    price: Price | None = None


def planned(
    purpose: str, model: str, requests: Sequence[Request], asking: Asking, *, again: bool = False
) -> Planned:
    """Sum up requests. Repeats after an unreadable answer are not in it. `again`: of several rounds."""
    first = tuple(each if again else each.once() for each in requests if each.attempt == 1)
    tokens = sum(estimate_tokens(message.text) for each in first for message in each.messages)
    price = asking.price(model)
    low, high = (
        (None, None) if price is None else _money(first, price, traits(asking.endpoint(model)).caching)
    )
    return Planned(purpose, model, len(first), tokens, low, high, price=price)


def _money(requests: tuple[Request, ...], price: Price, caching: Caching | None) -> tuple[float, float]:
    """From little, with what is shared read from a cache, to all of the allowed output without one."""
    money = forecast(requests, price)
    if price.cached is None:
        return money.low, money.high
    reading = price.but(output=0)
    nothing = [""] * len(requests)
    saved = usual_cost(requests, nothing, reading.but(cached=None, cache_write=None)) - usual_cost(
        requests, nothing, reading, caching
    )
    return money.low - float(LOOSE[0]) * max(0.0, saved), money.high


async def perturbing_plan(study: Path, design: Design, asking: Asking) -> list[Planned]:
    """The calls of generator and verifier. Those of the verifier are built with stand-ins for the edits."""
    prepared = [prepare(study, paper, design) for paper in design.papers]
    runs = [(paper, run) for paper in prepared for run in paper.runs if run.candidates]
    plans = []
    chosen = design.perturb
    if chosen.generator not in (RULES, IMPORTED):
        writer = DryModel(chosen.generator)
        for paper, run in runs:
            generator = Generator(target=target_of(design, len(paper.runs)), batch_size=chosen.batch)
            await generator(run, writer, paper.fault)
        plans.append(planned("generate", chosen.generator, writer.requests, asking))
    if chosen.verifier != PRECHECK:
        checker = DryModel(chosen.verifier)
        for paper, run in runs:
            await _verify(paper, run, design, checker)
        plans.append(planned("verify", chosen.verifier, checker.requests, asking))
    return plans


async def _verify(paper: Prepared, run: Run, design: Design, model: DryModel) -> None:
    # A model is asked for about twice what shall be accepted, and the verifier sees all of it.
    target = 2 * target_of(design, len(paper.runs))
    await Verifier()(by_rules(paper, run, target, design.seed), run.evidence, model)


@dataclass(frozen=True)
class RunningPlan:
    """What is left to ask of reviewers and judge, and what lower thresholds of coverage would add to it."""

    plans: tuple[Planned, ...]
    sweeps: Mapping[float, int]
    """Further calls of the judge on the reviews that are there, by `sweep_from`; {} without a judge."""


async def running_plan(found: Perturbed, design: Design, asking: Asking) -> RunningPlan:
    """The calls of every reviewer on every version, and of the judge on the reviews that are there.

    What the ledger holds is not asked again, and is counted apart.
    """
    plans = []
    done = {copy.id: _done(copy, asking.store) for copy in found.copies}
    for reviewer, made in configurations(design, asking):
        papers = design.read_by(reviewer)
        read = [copy for copy in found.copies if copy.paper in papers]
        for each in made:
            if each.model is None:
                plans.append(Planned(f"review: {each.name}", "", len(read), 0, 0.0, 0.0))
                continue
            cells = [(copy, number) for copy in read for number in range(1, each.rounds.most + 1)]
            left = [copy for copy, number in cells if (each.name, each.model, number) not in done[copy.id]]
            requests: list[Request] = []
            for copy in left:
                pictures = copy.pictures_for(each.images)
                if pictures is not None:
                    await _dry(each.reviewer, copy, DryModel(each.model, requests, pictures))
            again = each.rounds.most > 1
            plan = planned(f"review: {each.name}", each.model, requests, asking, again=again)
            plans.append(replace(plan, there=len(cells) - len(left), unit="reviews"))
    if design.judge.model == NO_JUDGE:
        return RunningPlan(tuple(plans), {})
    plan, sweeps = _judging_plan(found, design, asking)
    weighing = (_weighing_plan(found, design, asking),) if design.judge.precision else ()
    return RunningPlan((*plans, plan, *weighing), sweeps)


def _done(copy: Copy, store: Store) -> set[tuple[str, str | None, int]]:
    reviews = store.reviews(copy.id)
    return {(each.reviewer, each.model, each.round) for each in reviews if each.status != "failed"}


async def _dry(reviewer: Reviewer, copy: Copy, model: DryModel) -> None:
    try:
        await reviewer(copy.version.manuscript, model)
    except RereviewError:  # an answer without content may be no review; what was asked is what counts
        return


def _judging_plan(found: Perturbed, design: Design, asking: Asking) -> tuple[Planned, dict[float, int]]:
    """The judge's calls on the reviews that are there, and what a lower threshold would add."""
    errors, store = found.errors, asking.store
    met = candidate_pairs(found.copies, errors, store, design.judge)
    comments = {comment.id: comment for each in met for comment in each.review.comments}
    rated = _rated(met, store.records(SEARCHED, Searched))
    open_pairs = [pair for each in met for pair in each.pairs if _key(pair) not in rated]
    judge = Judge(sweep_from=design.judge.judged_from)
    requests = [
        Request(
            messages=messages(errors[pair.perturbation_id], comments[pair.comment_id]),
            max_output_tokens=judge.max_output_tokens,
        )
        for pair in open_pairs
        if judge.asks(pair)
    ]
    plan = planned("judge the reviews that are there", design.judge.model, requests, asking)
    lower = [each for each in SWEEPS if each < design.judge.judged_from]
    sweeps = {each: count - len(requests) for each, count in calls(open_pairs, lower).items()}
    return replace(plan, there=len(rated), unit="ratings"), sweeps


def _weighing_plan(found: Perturbed, design: Design, asking: Asking) -> Planned:
    """The judge's calls on the comments by themselves, of the reviews that are there."""
    known = asking.store.records(JUDGED, Judged)
    requests, there = [], 0
    for copy in found.copies:
        for review in asking.store.reviews(copy.id):
            said = known.get(review.id)
            if said is not None and said.words == words_of(review):
                there += len(said.opinions)
                continue
            requests += [
                Request(
                    messages=validity.messages(comment, copy.version.manuscript),
                    max_output_tokens=validity.MAX_OUTPUT_TOKENS,
                )
                for comment in review.comments
            ]
    plan = planned("precision of the reviews that are there", design.judge.model, requests, asking)
    return replace(plan, there=there, unit="opinions")


def _rated(met: Iterable[Met], searched: Mapping[str, Searched]) -> set[tuple[str, str, str]]:
    """The pairs that the judge has had, of these reviews and the errors that they are searched for."""
    kept = {each.review.id: each.errors for each in met}
    return {
        _key(pair)
        for name, each in searched.items()
        if kept.get(name) == each.errors
        for pair in each.pairs
        if pair.rating is not None or pair.unreadable
    }


def _key(pair: Pair) -> tuple[str, str, str]:
    return pair.perturbation_id, pair.review_id, pair.comment_id
