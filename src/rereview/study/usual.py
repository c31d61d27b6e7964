"""What a run usually costs: every reviewer is run on a model that is not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rereview.errors import RereviewError
from rereview.models.base import Caching, traits
from rereview.models.batch import BatchEndpoint
from rereview.models.dry import DryModel
from rereview.models.prices import Price
from rereview.models.usual import usual_answer, usual_cost
from rereview.reviewers.base import expected_calls
from rereview.study.run import Configuration
from rereview.types.call import Picture
from rereview.types.manuscript import Manuscript


async def usual(
    made: Sequence[Configuration], paper: Manuscript, pictures: Mapping[str, Picture]
) -> float | None:
    """USD of all rounds, without reasoning. None: not known, for want of a price or of a number of calls."""
    total = 0.0
    for each in made:
        if each.endpoint is None:
            continue
        one = await _of(each, paper, pictures)
        if one is None:
            return None
        total += one
    return total


async def _of(
    configuration: Configuration, paper: Manuscript, pictures: Mapping[str, Picture]
) -> float | None:
    asked = _asked(configuration)
    if asked is None or not _counted(configuration, paper):
        return None
    shown = {} if configuration.images is None else pictures
    first, *peers = (
        DryModel(name, pictures=shown, reads=reads, answering=usual_answer) for name, reads, *_ in asked
    )
    first.peers = tuple(peers)
    try:
        await configuration.reviewer(paper, first)
    except RereviewError:
        return None
    rounds = configuration.rounds.most
    shared = rounds > 1
    return sum(
        usual_cost(
            [each if shared else each.once() for each in model.requests] * rounds,
            model.answers * rounds,
            price,
            caching,
        )
        for model, (_, _, price, caching) in zip((first, *peers), asked, strict=True)
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
