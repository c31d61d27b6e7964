"""What a run usually costs: every reviewer is run on a model that is not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from rereview.errors import RereviewError
from rereview.models.base import Caching, traits
from rereview.models.batch import BatchEndpoint
from rereview.models.dry import DryModel
from rereview.models.prices import FEW, LIST_ITEMS, LOOSE, MANY, REASONING_TOKENS, Price
from rereview.models.usual import reasons, usual_answer, usual_cost
from rereview.reviewers.base import expected_calls
from rereview.study.run import Configuration
from rereview.types.call import Picture
from rereview.types.manuscript import Manuscript


class Usual(NamedTuple):
    """USD of all rounds before any is asked. `likely` has no reasoning in it.

    `low` and `high` are what is not known: how much a reviewer finds, and so how often it asks, characters
    a token, and reasoning where it is asked for (`reasoning`: it is in `high`).
    """

    low: float
    likely: float
    high: float
    reasoning: bool


CASES = ((FEW, LOOSE[0], 0), (LIST_ITEMS, Decimal(1), 0), (MANY, LOOSE[1], REASONING_TOKENS))
"""Items of a list, share of the tokens reckoned with, and tokens of reasoning."""


async def usual(
    made: Sequence[Configuration], paper: Manuscript, pictures: Mapping[str, Picture]
) -> Usual | None:
    """What all rounds cost. None: not known, for want of a price or of a number of calls."""
    sums, reasoning = [0.0, 0.0, 0.0], False
    for each in made:
        if each.endpoint is None:
            continue
        asked = _asked(each)
        if asked is None or not _counted(each, paper):
            return None
        for at, (items, share, thought) in enumerate(CASES):
            models = await _dry(each, asked, paper, pictures, items)
            if models is None:
                return None
            rounds = each.rounds.most
            cost = sum(map(partial(_cost, rounds=rounds, reasoning=thought), models, asked))
            sums[at] += float(share) * cost
            reasoning = reasoning or any(reasons(one) for model in models for one in model.requests)
    low, likely, high = sums
    return Usual(low, likely, high, reasoning)


async def _dry(
    configuration: Configuration,
    asked: Sequence[_Asked],
    paper: Manuscript,
    pictures: Mapping[str, Picture],
    items: int,
) -> tuple[DryModel, ...] | None:
    """The models after one round whose lists have so many items; None if it cannot be run so."""
    shown = {} if configuration.images is None else pictures
    answering = partial(usual_answer, items=items)
    models = tuple(
        DryModel(each.name, pictures=shown, reads=each.reads, answering=answering) for each in asked
    )
    models[0].peers = models[1:]
    try:
        await configuration.reviewer(paper, models[0])
    except RereviewError:
        return None
    return models


def _cost(model: DryModel, asked: _Asked, *, rounds: int, reasoning: int) -> float:
    requests = model.requests if rounds > 1 else [each.once() for each in model.requests]
    return usual_cost(
        requests * rounds, model.answers * rounds, asked.price, asked.caching, reasoning=reasoning
    )


def _counted(configuration: Configuration, paper: Manuscript) -> bool:
    """Whether the reviewer says how many calls it makes: nobody else's is run for a question."""
    known = hasattr(configuration.reviewer, "expected_calls")
    return known and expected_calls(configuration.reviewer, paper)[1] is not None


class _Asked(NamedTuple):
    """Name, limit of tokens, price and caching of a model that is asked."""

    name: str
    reads: int | None
    price: Price
    caching: Caching | None


def _asked(configuration: Configuration) -> list[_Asked] | None:
    """Every model that is asked; None where a price is not known."""
    made = []
    for endpoint, price in ((configuration.endpoint, configuration.price), *configuration.peers):
        if endpoint is None or price is None:
            return None
        # The calls of a batch are not made one after the other, so none finds another in the cache.
        paid = price.but(cached=None, cache_write=None) if isinstance(endpoint, BatchEndpoint) else price
        known = traits(endpoint)
        made.append(_Asked(endpoint.name, known.input_tokens, paid, known.caching))
    return made
