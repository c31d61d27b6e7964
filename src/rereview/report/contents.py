"""Gathers what a report shows. Nothing is computed here: numbers come from `measures`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from rereview import __version__
from rereview.measures.choices import choices
from rereview.measures.precision import precision
from rereview.measures.scores import summaries
from rereview.study import frames
from rereview.types.call import Call
from rereview.types.document import (
    CostLine,
    Goal,
    Precision,
    ReviewDocument,
    Scored,
    SentTo,
    ToyRound,
    Versions,
)
from rereview.types.manuscript import Manuscript
from rereview.types.review import Exclusion, Review

Number = TypeVar("Number", int, float)


def document(
    paper: Manuscript,
    reviews: Sequence[Review],
    calls: Iterable[Call],
    *,
    forms: Mapping[str, Scored],
    prompts: tuple[tuple[str, str], ...] = (),
    options: tuple[tuple[str, str], ...] = (),
    goals: Mapping[str, Goal] | None = None,
    stopped: str | None = None,
    excluded: tuple[Exclusion, ...] = (),
    toys: Collection[str] = (),
) -> ReviewDocument:
    """The document of one version: `calls` are those of the ledger, in any order.

    `goals` are those of reviewers whose rounds ended when the scores said so, `stopped` is what ended
    the run from outside, `excluded` are the models that were not given the paper, `toys` names models
    whose answers carry no information. Only calls that one of
    the reviews used are counted, in the order of their ids, so that the same ledger gives the same bytes.
    """
    owner = {name: review for review in reviews for name in review.call_ids}
    used = sorted((call for call in calls if call.id in owner), key=lambda call: call.id)
    costs = _costs(used, owner)
    informative = [review for review in reviews if review.model not in toys]
    told = {
        name: goal for name, goal in (goals or {}).items() if any(r.reviewer == name for r in informative)
    }
    ended = dict(_ended(informative, told, forms, costs, stopped))
    return ReviewDocument(
        manuscript=paper,
        reviews=tuple(reviews),
        scores=summaries(frames.scores(informative, {paper.id: paper.paper_id}), forms, ended),
        choices=choices(informative, forms),
        toys=tuple(_toy(review, used) for review in reviews if review.model in toys),
        costs=costs,
        sent_to=_sent(used),
        excluded=excluded,
        versions=Versions(
            rereview=__version__,
            prompts=prompts,
            forms=tuple((scored.form, scored.title) for scored in forms.values()),
            options=options,
            first_call=min((call.started for call in used), default=None),
            last_call=max((call.started for call in used), default=None),
        ),
    )


def _toy(review: Review, calls: Sequence[Call]) -> ToyRound:
    given = {call.id: call.completion.text for call in calls}
    return ToyRound(
        reviewer=review.reviewer,
        model=review.model or "",
        round=review.round,
        status=review.status,
        notes=() if review.draft is None else review.draft.notes,
        answers=tuple(given[name] for name in review.call_ids if name in given),
    )


def _ended(
    reviews: Sequence[Review],
    goals: Mapping[str, Goal],
    forms: Mapping[str, Scored],
    costs: Sequence[CostLine],
    stopped: str | None,
) -> Iterator[tuple[str, Precision]]:
    for name, goal in goals.items():
        values = forms[name].protocol_values
        yield (
            name,
            precision(
                [review for review in reviews if review.reviewer == name],
                goal,
                scale=(min(values), max(values)),
                usd=next((line.usd for line in costs if line.reviewer == name), None),
                failure=stopped,
            ),
        )


def _costs(calls: Sequence[Call], owner: Mapping[str, Review]) -> tuple[CostLine, ...]:
    groups: dict[tuple[str, str], list[Call]] = defaultdict(list)
    for call in calls:
        groups[owner[call.id].reviewer, call.model].append(call)
    return tuple(
        CostLine(
            reviewer=reviewer,
            model=model,
            calls=len(group),
            repeated=sum(call.request.attempt > 1 for call in group),
            input_tokens=_total([call.completion.usage.input_tokens for call in group]),
            cached_tokens=_total([call.completion.usage.cached_tokens for call in group]),
            cache_write_tokens=_total([call.completion.usage.cache_write_tokens for call in group]),
            output_tokens=_total([call.completion.usage.output_tokens for call in group]),
            usd=_total([call.usd for call in group]),
        )
        for (reviewer, model), group in sorted(groups.items())
    )


def _total(values: Sequence[Number | None]) -> Number | None:
    known = [value for value in values if value is not None]
    return sum(known[1:], known[0]) if known and len(known) == len(values) else None


def _sent(calls: Sequence[Call]) -> tuple[SentTo, ...]:
    groups: dict[tuple[str, str], list[Call]] = defaultdict(list)
    for call in calls:
        groups[call.host, call.model].append(call)
    return tuple(
        SentTo(
            host=host,
            model=model,
            calls=len(group),
            characters=sum(len(message.text) for call in group for message in call.request.messages),
            images=sum(len(message.pictures) for call in group for message in call.request.messages),
        )
        for (host, model), group in sorted(groups.items())
    )
