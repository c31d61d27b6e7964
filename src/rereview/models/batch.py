"""The batch interfaces of two providers: half the price, an answer within a day.

The first run submits what it would have asked and ends; the same command, later, finds the answers. Which
call stands in which batch is kept in the ledger, so that nothing is submitted twice.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol, cast

from rereview.errors import AnswerLost, ProviderError, UsageError, Waiting
from rereview.models.base import Endpoint, Traits, traits
from rereview.models.prices import Price
from rereview.types.call import Batch, Completion, Request

SETTLED = 0.2
"""Seconds without a further request after which what has come is submitted together."""

Answers = Mapping[str, Completion | ProviderError]
"""By the id of the call."""


class Progress(NamedTuple):
    """How far a batch is."""

    state: Literal["working", "done", "lost"]
    """`lost`: failed, expired or cancelled as a whole."""
    words: str


class Interface(Protocol):
    """The batch interface of one endpoint."""

    async def submit(self, requests: Mapping[str, Request]) -> str:
        """The id of a new batch of these calls."""

    async def progress(self, batch_id: str) -> Progress:
        """How far it is."""

    async def answers(self, batch_id: str) -> Answers:
        """What came of a batch that is done; calls that expired are absent."""


class Batches(Protocol):
    """Where batches are kept. `add_batch` returns only when it is safe on disk."""

    def batches(self) -> tuple[Batch, ...]:
        """All batches, in the order in which they were added."""

    def add_batch(self, batch: Batch) -> None:
        """Keep a batch."""


class NoBatches:
    """Keeps none: to ask whether an endpoint has such an interface."""

    def batches(self) -> tuple[Batch, ...]:
        """None."""
        return ()

    def add_batch(self, batch: Batch) -> None:
        """It is forgotten."""


def half(price: Price) -> Price:
    """The price of a batch: half of every part [OpenAI and Anthropic, pages on batches]."""
    return price.but(
        input=price.input / 2,
        output=price.output / 2,
        cached=None if price.cached is None else price.cached / 2,
        cache_write=None if price.cache_write is None else price.cache_write / 2,
    )


@dataclass(frozen=True)
class BatchEndpoint:
    """An endpoint that is asked in batches. Every call of it raises `Waiting` until its batch is done."""

    endpoint: Endpoint
    interface: Interface
    kept: Batches
    settled: float = SETTLED
    _new: dict[str, Request] = field(default_factory=dict, init=False, repr=False, compare=False)
    _gathering: list[asyncio.Task[str]] = field(default_factory=list, init=False, repr=False, compare=False)
    _sending: list[asyncio.Task[str]] = field(default_factory=list, init=False, repr=False, compare=False)
    _read: dict[str, asyncio.Task[Answers]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def name(self) -> str:
        """That of the endpoint."""
        return self.endpoint.name

    @property
    def address(self) -> str:
        """That of the endpoint, so that an answer is found whichever way it was asked for."""
        return self.endpoint.address

    @property
    def host(self) -> str:
        """That of the endpoint."""
        return self.endpoint.host

    @property
    def traits(self) -> Traits:
        """Those of the endpoint."""
        return traits(self.endpoint)

    async def complete(self, request: Request) -> Completion:  # noqa: ARG002  it is refused
        """A batch needs the id of the call."""
        raise UsageError("a batch is asked by the id of a call", where=self.name)

    async def complete_keyed(self, key: str, request: Request) -> Completion:
        """The answer out of the batch that holds this call, newest first; else submit it. Raises Waiting."""
        for batch in tuple(self._held.get(key, ())):
            found = (await self._answers(batch)).get(key)
            if isinstance(found, Completion):
                return found
            if found is not None:
                raise found
        return await self._submitted(key, request)

    async def aclose(self) -> None:
        """Close the endpoint. A batch that is on its way is kept first; what is not yet sent stays unsent."""
        for task in (*self._gathering, *self._read.values()):
            task.cancel()
        begun = (*self._gathering, *self._sending, *self._read.values())
        await asyncio.gather(*begun, return_exceptions=True)
        for each in (self._new, self._gathering, self._sending, self._read):
            each.clear()
        await self.endpoint.aclose()

    @cached_property
    def _held(self) -> dict[str, list[Batch]]:
        """The batches of this model by the calls that they hold, newest first; read once."""
        held: dict[str, list[Batch]] = {}
        for batch in reversed(self.kept.batches()):
            for key in batch.calls if batch.model == self.name else ():
                held.setdefault(key, []).append(batch)
        return held

    async def _answers(self, batch: Batch) -> Answers:
        """What came of a batch, asked once a run; nothing of one that was lost. Raises Waiting."""
        if batch.id not in self._read:
            self._read[batch.id] = asyncio.create_task(self._fetched(batch))
        return await asyncio.shield(self._read[batch.id])  # others wait for it too

    async def _fetched(self, batch: Batch) -> Answers:
        state, words = await self.interface.progress(batch.id)
        if state == "working":
            raise Waiting(
                f"batch {batch.id} is not done: {words}", where=self.name, expected="come back later"
            )
        return await self.interface.answers(batch.id) if state == "done" else {}

    async def _submitted(self, key: str, request: Request) -> Completion:
        """Wait until no more requests come, then submit all of them together."""
        self._new[key] = request
        if not self._gathering:
            self._gathering.append(asyncio.create_task(self._submit()))
        batch_id = await asyncio.shield(self._gathering[0])
        raise Waiting(
            f"submitted in batch {batch_id}", where=self.name, expected="come back within a day or later"
        )

    async def _submit(self) -> str:
        count = 0
        while len(self._new) > count:
            count = len(self._new)
            await asyncio.sleep(self.settled)
        requests = dict(self._new)
        self._new.clear()
        self._sending.append(self._gathering.pop())
        batch_id = await self.interface.submit(requests)
        batch = Batch(id=batch_id, model=self.name, address=self.address, calls=tuple(requests))
        self.kept.add_batch(batch)
        for key in requests:
            self._held.setdefault(key, []).insert(0, batch)
        return batch_id


def batched(endpoint: Endpoint, kept: Batches) -> BatchEndpoint:
    """The endpoint asked in batches. Raises UsageError where there is no such interface."""
    make = getattr(endpoint, "batch_interface", None)
    interface = make() if callable(make) else None
    if interface is None:
        raise UsageError(
            "--batch is an interface of openai and anthropic",
            where=endpoint.name,
            expected="a model of one of them, or leave --batch out",
        )
    return BatchEndpoint(endpoint, cast("Interface", interface), kept)


def lines(content: bytes) -> list[dict[str, Any]]:
    """The records of JSON lines. Raises AnswerLost for what is none."""
    try:
        records = [
            json.loads(line) for line in content.decode("utf-8", "replace").split("\n") if line.strip()
        ]
    except (ValueError, RecursionError) as error:
        raise AnswerLost("the answers of the batch are no JSON lines", where="batch") from error
    return [record for record in records if isinstance(record, dict)]
