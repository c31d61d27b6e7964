"""What a study will still ask and cost, before anything is asked.

The very code that asks is run on models that are not there: what the ledger holds is answered from it and
costs nothing, all else is counted and its input measured. The output lies between an eighth and all of what
the requests allow (`models.prices.forecast`), and what an earlier call leaves in a cache is priced as
`rereview review` prices it (`models.usual`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from rereview.judge.detect import Judge
from rereview.judge.validity import Validity
from rereview.models.base import Caching, traits
from rereview.models.dry import DryModel
from rereview.models.prices import Price, estimate_input, forecast
from rereview.models.usual import usages, usual_answer, usual_cost
from rereview.reviewers.base import Cell, expected_calls
from rereview.study.arms import SWEEP, Copy, Met, candidate_pairs, configurations
from rereview.study.asking import Asking
from rereview.study.design import IMPORTED, NO_JUDGE, PRECHECK, RULES, Design
from rereview.study.perturbing import (
    CHECKED,
    Perturbed,
    Stage,
    by_rules,
    generated_of,
    target_of,
    verified,
)
from rereview.study.prepared import Prepared, prepare
from rereview.study.run import Configuration, first_alone, rehearsed, sample_of
from rereview.study.store import Store
from rereview.types.call import Picture, Request

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
    usd_usual: float | None = None
    """With answers of the usual length, without reasoning; None: not known."""
    there: int = 0
    """What the ledger holds already, in `unit`s; not among the calls."""
    unit: str = ""
    price: Price | None = None
    at_least: bool = False
    """An outside program makes the calls, as many as it likes: it is not run for a question."""


@dataclass
class Rehearsal:
    """Gives models that are not there: what the ledger holds they answer from it, and they count the rest."""

    asking: Asking
    models: list[DryModel] = field(default_factory=list)

    def model(self, name: str, sample: str, pictures: Mapping[str, Picture] | None = None) -> DryModel:
        """A model under the label of one sample."""
        at = self.asking.model(name, sample)
        made = DryModel(name, pictures=pictures or {}, reads=at.reads, answering=usual_answer, known=at.kept)
        self.models.append(made)
        return made

    @property
    def calls(self) -> int:
        """Calls that are left."""
        return sum(len(_left(each)) for each in self.models)


def _left(model: DryModel) -> list[tuple[Request, str]]:
    """What a model was asked, without repeats after an answer that nobody gave."""
    asked = set(model.requests)
    return [
        (request, answer)
        for request, answer in zip(model.requests, model.answers, strict=True)
        if request.attempt == 1 or request.but(attempt=request.attempt - 1) not in asked
    ]


def planned(
    purpose: str, model: str, groups: Iterable[Sequence[DryModel]], asking: Asking, *, usual: bool = True
) -> Planned:
    """Sum up what is left. The calls of a group are made one after another and find each other in a cache.

    `usual`: whether the answers have the length that is usual.
    """
    asked = [list(chain.from_iterable(map(_left, group))) for group in groups]
    price = asking.price(model)
    plan = Planned(
        purpose,
        model,
        sum(map(len, asked)),
        sum(estimate_input(request) for group in asked for request, _ in group),
        None,
        None,
        price=price,
    )
    if price is None:
        return plan
    return _priced(plan, asked, price, traits(asking.endpoint(model)).caching, usual=usual)


def _priced(
    plan: Planned,
    asked: Iterable[Sequence[tuple[Request, str]]],
    price: Price,
    caching: Caching | None,
    *,
    usual: bool,
) -> Planned:
    low = high = about = 0.0
    for group in asked:
        requests = [request for request, _ in group]
        answers = [answer for _, answer in group]
        cached = sum(each.cached_tokens or 0 for each in usages(requests, answers, price, caching))
        money = forecast(requests, price, cached=cached)
        low, high = low + money.low, high + money.high
        about += usual_cost(requests, answers, price, caching)
    if not usual:
        return replace(plan, usd_low=low, usd_high=high)
    # Short answers to calls that allow long ones: the usual is less than an eighth of what is allowed.
    return replace(plan, usd_low=min(low, about), usd_high=high, usd_usual=about)


async def perturbing_plan(
    study: Path, design: Design, asking: Asking, *, until: Stage = "inject"
) -> list[Planned]:
    """The calls of generator and verifier that are left.

    Where errors are still to be written, those of the verifier are built with stand-ins for them.
    """
    writing, checking = Rehearsal(asking), Rehearsal(asking)
    if design.perturb.generator != IMPORTED and until != "scan":
        for paper in (prepare(study, each, design) for each in design.papers):
            await _perturbing(paper, design, writing, checking, until)
    chosen = design.perturb
    plans = []
    if chosen.generator not in (RULES, IMPORTED) and until != "scan":
        plans.append(_counted("generate", chosen.generator, writing))
    if chosen.verifier != PRECHECK and chosen.generator != IMPORTED and until in CHECKED:
        plans.append(_counted("verify", chosen.verifier, checking))
    return plans


async def _perturbing(
    paper: Prepared, design: Design, writing: Rehearsal, checking: Rehearsal, until: Stage
) -> None:
    # A model is asked for about twice what shall be accepted, and the verifier sees all of it.
    stand_ins = 2 * target_of(design, len(paper.runs))
    for run in paper.runs:
        before = writing.calls
        edits = (await generated_of(paper, run, design, writing)).perturbations
        if until in CHECKED:
            if writing.calls > before:
                edits = by_rules(paper, run, stand_ins, design.seed)
            await verified(edits, run, design, checking)


def _counted(purpose: str, model: str, made: Rehearsal) -> Planned:
    plan = planned(purpose, model, [[each] for each in made.models], made.asking, usual=False)
    return replace(plan, there=sum(each.replayed for each in made.models), unit="calls")


@dataclass(frozen=True)
class RunningPlan:
    """What is left to ask of reviewers and judge, and what lower thresholds of coverage would add to it."""

    plans: tuple[Planned, ...]
    sweeps: Mapping[float, int]
    """Further calls of the judge on the reviews that are there, by `sweep_from`; {} without a judge."""


async def running_plan(found: Perturbed, design: Design, asking: Asking) -> RunningPlan:
    """The calls that are left: of every reviewer on every version, and of the judge.

    The judge's are those on the reviews that are there. What the ledger holds is counted apart.
    """
    plans = []
    for reviewer, made in configurations(design, asking):
        papers = design.read_by(reviewer)
        read = [copy for copy in found.copies if copy.paper in papers]
        for each in made:
            if each.model is None:
                plans.append(Planned(f"review: {each.name}", "", len(read), 0, 0.0, 0.0))
            elif getattr(each.reviewer, "runs_program", False):
                plans.append(_of_program(each, read, asking))
            else:
                plans.append(await _reviewing(each, read, asking))
    if design.judge.model == NO_JUDGE:
        return RunningPlan(tuple(plans), {})
    plan, sweeps = await _judging(found, design, asking)
    weighing = (await _weighing(found, design, asking),) if design.judge.precision else ()
    return RunningPlan((*plans, plan, *weighing), sweeps)


async def _reviewing(each: Configuration, read: Sequence[Copy], asking: Asking) -> Planned:
    groups: list[list[DryModel]] = []
    there = 0
    for copy in read:
        pictures = copy.pictures_for(each.images)
        if pictures is None:
            continue
        rounds = []
        for number in range(1, each.rounds.most + 1):
            cell = Cell(copy.version.manuscript, each.name, each.model, number)
            model = Rehearsal(asking).model(each.model or "", sample_of(cell), pictures)
            await rehearsed(each.reviewer, cell.manuscript, model)
            if each.rounds.most == 1:
                model.requests = [request.once() for request in model.requests]
            rounds.append(model)
        there += sum(not model.requests for model in rounds)
        # Rounds that begin together do not find each other in a cache.
        shared = bool(first_alone(each) and rounds[0].requests)
        groups += [rounds] if shared else [[model] for model in rounds]
    plan = planned(f"review: {each.name}", each.model or "", groups, asking)
    return replace(plan, there=there, unit="reviews")


def _of_program(each: Configuration, read: Sequence[Copy], asking: Asking) -> Planned:
    cells = [(copy, number) for copy in read for number in range(1, each.rounds.most + 1)]
    left = [
        copy for copy, number in cells if (each.name, each.model, number) not in _done(copy, asking.store)
    ]
    fewest = sum(expected_calls(each.reviewer, copy.version.manuscript)[0] for copy in left)
    plan = Planned(f"review: {each.name}", each.model or "", fewest, 0, None, None, at_least=bool(left))
    return replace(plan, there=len(cells) - len(left), unit="reviews")


def _done(copy: Copy, store: Store) -> set[tuple[str, str | None, int]]:
    reviews = store.reviews(copy.id)
    return {(each.reviewer, each.model, each.round) for each in reviews if each.status != "failed"}


async def _judging(found: Perturbed, design: Design, asking: Asking) -> tuple[Planned, dict[float, int]]:
    """The judge's calls on the reviews that are there, and what a lower threshold would add."""
    met = candidate_pairs(found.copies, found.errors, asking.store, design.judge)
    judge = Judge(sweep_from=design.judge.judged_from)
    made = await _rated(judge, met, found, design, asking)
    plan = planned(
        "judge the reviews that are there", design.judge.model, [[each] for each in made.models], asking
    )
    wanted = sum(judge.asks(pair) for each in met for pair in each.pairs)
    sweeps = {}
    for lower in (each for each in SWEEPS if each < design.judge.judged_from):
        wider = await _rated(Judge(sweep_from=lower), met, found, design, asking)
        sweeps[lower] = wider.calls - plan.calls
    return replace(plan, there=wanted - plan.calls, unit="ratings"), sweeps


async def _rated(
    judge: Judge, met: Iterable[Met], found: Perturbed, design: Design, asking: Asking
) -> Rehearsal:
    made = Rehearsal(asking)
    for each in met:
        model = made.model(design.judge.model, f"judge/{each.review.id}")
        await judge(each.pairs, found.errors.values(), each.review.comments, model)
    return made


async def _weighing(found: Perturbed, design: Design, asking: Asking) -> Planned:
    """The judge's calls on the comments by themselves, of the reviews that are there."""
    made, comments = Rehearsal(asking), 0
    for copy in found.copies:
        for review in asking.store.reviews(copy.id):
            model = made.model(design.judge.model, f"precision/{review.id}")
            await Validity()(review, copy.version.manuscript, model)
            comments += len(review.comments)
    plan = planned(
        "precision of the reviews that are there",
        design.judge.model,
        [[each] for each in made.models],
        asking,
    )
    return replace(plan, there=comments - plan.calls, unit="opinions")
