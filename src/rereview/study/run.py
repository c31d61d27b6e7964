"""Make what is missing: every round of every configuration, its calls kept in the ledger.

Reviews are made anew on every run from the calls that the ledger holds; only what is not there is
asked. So a run that was killed goes on where it stopped, and a second run asks nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol, TypeVar

from rereview.errors import (
    BudgetError,
    ConsentError,
    Dropped,
    KeyRejected,
    OutOfCredit,
    ProviderError,
    Refused,
    RereviewError,
    StorageError,
)
from rereview.models.base import Endpoint, Model, Traits, traits
from rereview.models.batch import BatchEndpoint
from rereview.models.journal import Clock, Journal
from rereview.models.prices import FREE, Cap, Price
from rereview.reviewers.base import Cell, NoModel, Recorded, Reviewer, review
from rereview.study.rounds import Rounds
from rereview.study.store import Store
from rereview.text.locate import Locator
from rereview.types.call import Call, Completion, Picture, Request
from rereview.types.manuscript import Manuscript
from rereview.types.review import Exclusion, Review

Result = TypeVar("Result")

HOPELESS = (KeyRejected, OutOfCredit, Refused, Dropped, BudgetError, ConsentError)
"""After one of these no other round is begun: it would end in the same way."""


@dataclass(frozen=True)
class Configuration:
    """A reviewer with its options and its model, and how often it is run."""

    name: str
    reviewer: Reviewer
    rounds: Rounds
    endpoint: Endpoint | None = None
    price: Price | None = None
    images: int | None = None
    """The most images that a call of the model may hold; None: it is given the text alone."""
    peers: tuple[tuple[Endpoint, Price | None], ...] = ()
    """Further models with their prices, of a reviewer that asks several; each is given what the first is."""

    @property
    def model(self) -> str | None:
        """`provider:id`, several joined by a plus, or None for a reviewer that asks no model."""
        if self.endpoint is None:
            return None
        return " + ".join((self.endpoint.name, *(peer.name for peer, _ in self.peers)))


class Watch(Protocol):
    """Is told of everything that happens, in order; draws progress, say."""

    def called(self, call: Call, *, replayed: bool) -> None:
        """A call has been answered and is safe."""

    def reviewed(self, record: Review) -> None:
        """A round has ended, in whatever way."""


Gate = Callable[[Endpoint, Request], Awaitable[None]]
"""Awaited before every request that leaves; raises ConsentError to stop it."""


@dataclass(frozen=True)
class Gated:
    """An endpoint behind a gate."""

    endpoint: Endpoint
    gate: Gate
    name: str = field(init=False)
    address: str = field(init=False)
    host: str = field(init=False)

    def __post_init__(self) -> None:
        for attribute in ("name", "address", "host"):
            object.__setattr__(self, attribute, getattr(self.endpoint, attribute))

    @property
    def traits(self) -> Traits:
        """Those of the endpoint."""
        return traits(self.endpoint)

    async def complete(self, request: Request) -> Completion:
        """Pass the gate, then ask."""
        await self.gate(self.endpoint, request)
        return await self.endpoint.complete(request)

    async def complete_keyed(self, key: str, request: Request) -> Completion:
        """The same for an endpoint that wants the id of the call, as a batch does."""
        await self.gate(self.endpoint, request)
        if isinstance(self.endpoint, BatchEndpoint):
            return await self.endpoint.complete_keyed(key, request)
        return await self.endpoint.complete(request)

    async def aclose(self) -> None:
        """Close the endpoint."""
        await self.endpoint.aclose()


@dataclass(frozen=True)
class Outcome:
    """The reviews of a run, in the order of configurations and rounds, and what went wrong."""

    reviews: tuple[Review, ...]
    failures: tuple[RereviewError, ...]
    stopped: RereviewError | None = None
    """The failure after which no other round was begun."""
    excluded: tuple[Exclusion, ...] = ()
    """Models that were not given the paper; their configurations have no reviews."""


@dataclass
class _Stop:
    """Set by the first hopeless failure."""

    reason: RereviewError | None = None


async def run(
    paper: Manuscript,
    configurations: Sequence[Configuration],
    store: Store,
    *,
    cap: Cap,
    gate: Gate,
    watch: Watch,
    clock: Clock,
    concurrency: int | asyncio.Semaphore = 8,
    pictures: Mapping[str, Picture] | None = None,
) -> Outcome:
    """Run every cell; a cell that fails is recorded as failed and the others go on.

    `concurrency`: reviews at the same time; a semaphore is shared with the runs of other papers.
    `pictures`: the images of the paper by the id of their figure. A model whose calls cannot hold all of
    them is not given the paper at all.
    Raises StorageError at once: without a ledger nothing may be asked.
    """
    store.add_version(paper)
    pictures = pictures or {}
    excluded = tuple(_excluded(paper, configurations, len(pictures)))
    for exclusion in excluded:
        store.add_exclusion(exclusion)
    without = {exclusion.model for exclusion in excluded}
    locator = Locator(paper)
    stop = _Stop()
    slots = asyncio.Semaphore(concurrency) if isinstance(concurrency, int) else concurrency
    failures: list[RereviewError] = []

    async def one(configuration: Configuration, number: int) -> Review:
        cell = Cell(paper, configuration.name, configuration.model, number)
        seen = {} if configuration.images is None else pictures
        model = _model(configuration, cell, store, seen, cap=cap, gate=gate, watch=watch, clock=clock)
        async with slots:
            record, failure = await _attempt(configuration, cell, model, locator, stop)
        if failure is not None:
            failures.append(failure)
        try:
            store.add_review(record, f"{configuration.name} {configuration.model or ''}".strip())
        except StorageError as error:
            stop.reason = stop.reason or error
            raise
        watch.reviewed(record)
        return record

    async def all_of(configuration: Configuration) -> list[Review]:
        made: list[Review] = []
        while stop.reason is None and (further := configuration.rounds.more(made)):
            numbers = range(len(made) + 1, len(made) + 1 + further)
            alone = numbers[:1] if not made and first_alone(configuration) else ()
            for wave in filter(None, (alone, numbers[len(alone) :])):
                made += await _together(one(configuration, number) for number in wave)
        return made

    records = await _together(all_of(each) for each in configurations if each.model not in without)
    return Outcome(tuple(chain.from_iterable(records)), tuple(failures), stop.reason, excluded)


def first_alone(configuration: Configuration) -> bool:
    """Whether the first round goes before the others, so that these find the paper in the provider's cache.

    Where nothing is paid, it would only be slower; a batch is submitted whole.
    """
    return configuration.price not in (None, FREE) and not isinstance(configuration.endpoint, BatchEndpoint)


def _excluded(paper: Manuscript, configurations: Iterable[Configuration], images: int) -> Iterator[Exclusion]:
    limits = {each.model: each.images for each in configurations if each.images is not None}
    for model, limit in limits.items():
        if model is not None and images > limit:
            held = "1 image" if images == 1 else f"{images} images"
            why = f"{held}, over the limit of {limit} a call"
            yield Exclusion(paper=paper.paper_id, model=model, why=why)


async def _together(work: Iterable[Coroutine[None, None, Result]]) -> list[Result]:
    """All results in order, or the first exception.

    A storage failure waits for the calls in flight: they are paid for, and each is rescued on its own.
    """
    made = await asyncio.gather(*work, return_exceptions=True)
    results = []
    for result in made:
        if isinstance(result, BaseException):
            raise _all_told(result, made)
        results.append(result)
    return results


def _all_told(first: BaseException, results: Sequence[object]) -> BaseException:
    """The failure to raise; of storage failures each may name a file in which an answer was rescued."""
    failures = [each for each in results if isinstance(each, StorageError)]
    if not isinstance(first, StorageError) or len(failures) == 1:
        return first
    what = "; ".join(dict.fromkeys(each.what for each in failures))
    return StorageError(what, where=first.where, expected=first.expected)


def sample_of(cell: Cell) -> str:
    """The label under which the calls of a cell are kept."""
    return f"{cell.reviewer}/{cell.manuscript.id}/as-submitted/{cell.round}"


async def rehearsed(reviewer: Reviewer, paper: Manuscript, model: Model) -> None:
    """Run a reviewer for what it asks, whatever it makes of the answers of a model that is not there."""
    with suppress(Exception, SystemExit):
        await reviewer(paper, model)


def _model(
    configuration: Configuration,
    cell: Cell,
    store: Store,
    pictures: Mapping[str, Picture],
    *,
    cap: Cap,
    gate: Gate,
    watch: Watch,
    clock: Clock,
) -> Recorded:
    if configuration.endpoint is None:
        return NoModel(configuration.name)
    sample = sample_of(cell)

    def journal(
        endpoint: Endpoint, price: Price | None, shown: Mapping[str, Picture], peers: tuple[Journal, ...] = ()
    ) -> Journal:
        gated = Gated(endpoint, gate)
        again = configuration.rounds.most > 1
        return Journal(
            gated, store, sample, price, cap, clock, watch.called, pictures=shown, again=again, peers=peers
        )

    peers = tuple(
        journal(endpoint, price, {} if traits(endpoint).text_only else pictures)
        for endpoint, price in configuration.peers
    )
    return journal(configuration.endpoint, configuration.price, pictures, peers)


async def _attempt(
    configuration: Configuration, cell: Cell, model: Recorded, locator: Locator, stop: _Stop
) -> tuple[Review, RereviewError | None]:
    if stop.reason is not None:
        return _failed(cell, model, f"not begun: {stop.reason}"), stop.reason
    try:
        record = await review(configuration.reviewer, cell, model, locator)
        record.to_json()  # what cannot be stored is this round's failure, not the end of all
        return record, None  # noqa: TRY300 - the answer belongs to what is tried
    except StorageError as error:
        stop.reason = error
        raise
    except RereviewError as error:
        if isinstance(error, HOPELESS):
            stop.reason = error
        return _failed(cell, model, str(error)), error
    except (Exception, SystemExit) as error:  # noqa: BLE001  a defect of one reviewer must not cost the other rounds
        problem = ProviderError(
            f"the reviewer stopped with {type(error).__name__}: {error}",
            where=f"{cell.reviewer}, round {cell.round}",
            expected="--debug shows where",
        )
        problem.__cause__ = error
        return _failed(cell, model, str(problem)), problem


def _failed(cell: Cell, model: Recorded, why: str) -> Review:
    return Review(
        id=cell.id,
        manuscript_id=cell.manuscript.id,
        reviewer=cell.reviewer,
        model=cell.model,
        round=cell.round,
        status="failed",
        error=why,
        call_ids=model.call_ids,
    )
