"""What a study will ask and cost, before anything is asked.

A dry model answers every request with the smallest answer that its schema allows. So every request that
does not hang on an earlier answer is really built, and its input is measured; the output lies between an
eighth and all of what the requests allow (`models.prices.forecast`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rereview.errors import RereviewError
from rereview.judge.detect import Judge, calls, messages
from rereview.models.dry import DryModel
from rereview.models.prices import estimate_tokens, forecast
from rereview.perturb.generate import Generator, Run
from rereview.perturb.verify import Verifier
from rereview.reviewers.base import Reviewer
from rereview.study.arms import Copy, candidate_pairs, configurations
from rereview.study.asking import Asking
from rereview.study.design import IMPORTED, NO_JUDGE, PRECHECK, RULES, Design
from rereview.study.perturbing import Perturbed, Prepared, by_rules, prepare, target_of
from rereview.study.store import Store
from rereview.types.call import Request


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


def planned(purpose: str, model: str, requests: Sequence[Request], asking: Asking) -> Planned:
    """Sum up requests. Repeats after an unreadable answer are not in it."""
    first = tuple(each for each in requests if each.attempt == 1)
    tokens = sum(estimate_tokens(message.text) for each in first for message in each.messages)
    price = asking.price(model)
    money = None if price is None else forecast(first, price)
    return Planned(
        purpose,
        model,
        len(first),
        tokens,
        None if money is None else money.low,
        None if money is None else money.high,
    )


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


async def running_plan(found: Perturbed, design: Design, asking: Asking) -> list[Planned]:
    """The calls of every reviewer on every version, and of the judge on the reviews that are there."""
    plans = []
    for reviewer, made in configurations(design, asking):
        papers = design.read_by(reviewer)
        read = [copy for copy in found.copies if copy.paper in papers]
        for each in made:
            if each.model is None:
                plans.append(Planned(f"review: {each.name}", "", len(read), 0, 0.0, 0.0))
                continue
            requests: list[Request] = []
            for copy in read:
                pictures = copy.pictures_for(each.images)
                if pictures is not None:
                    model = DryModel(each.model, requests, pictures)
                    for _ in range(each.rounds.most):
                        await _dry(each.reviewer, copy, model)
            plans.append(planned(f"review: {each.name}", each.model, requests, asking))
    if design.judge.model != NO_JUDGE:
        plans.append(_judging_plan(found, design, asking))
    return plans


async def _dry(reviewer: Reviewer, copy: Copy, model: DryModel) -> None:
    try:
        await reviewer(copy.version.manuscript, model)
    except RereviewError:  # an answer without content may be no review; what was asked is what counts
        return


def _judging_plan(found: Perturbed, design: Design, asking: Asking) -> Planned:
    """The judge's calls on the reviews that are there, and what a lower threshold would add."""
    errors = found.errors
    met = candidate_pairs(found.copies, errors, asking.store, design.judge)
    comments = {comment.id: comment for each in met for comment in each.review.comments}
    judge = Judge(sweep_from=design.judge.judged_from)
    requests = [
        Request(
            messages=messages(errors[pair.perturbation_id], comments[pair.comment_id]),
            max_output_tokens=judge.max_output_tokens,
        )
        for each in met
        for pair in each.pairs
        if judge.asks(pair)
    ]
    return planned("judge the reviews that are there", design.judge.model, requests, asking)


def sweep_costs(
    found: Perturbed, design: Design, store: Store, thresholds: Iterable[float]
) -> dict[float, int]:
    """Of each threshold of coverage how many judge calls it takes on the reviews that are there."""
    met = candidate_pairs(found.copies, found.errors, store, design.judge)
    return dict(calls((pair for each in met for pair in each.pairs), thresholds))
