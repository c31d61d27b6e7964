"""Every call is kept in the ledger before anybody sees its answer, and replayed from there."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter
from typing import Protocol

from rereview.errors import AnswerLost, Dropped, RereviewError, TimedOut, UnknownPrice, Waiting
from rereview.models.base import Endpoint, Ledger, call_id, traits
from rereview.models.honoured import dropped
from rereview.models.prices import FORM, Cap, Price, cost, worst_case
from rereview.text.answers import ReadStatus
from rereview.types.call import Call, Completion, Picture, Request

Clock = Callable[[], datetime]
"""Gives the time, aware of its zone."""


class OnCall(Protocol):
    """Is told of every call that is answered and safe."""

    def __call__(self, call: Call, *, replayed: bool) -> None:
        """`replayed`: it came from the ledger."""


def system_clock() -> datetime:
    """The time of the wall clock, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Journal:
    """A `Model`: one sample of one endpoint.

    Several requests for the same call at once make one call. Money is reserved before a call and
    settled after it; a call that went out and was not answered may have been billed, so its whole
    reservation counts as spent.
    """

    endpoint: Endpoint
    ledger: Ledger
    sample: str
    price: Price | None
    """None: not known; then only what is in the ledger is answered."""
    cap: Cap
    clock: Clock = system_clock
    on_call: OnCall | None = None
    pictures: Mapping[str, Picture] = field(default_factory=dict, repr=False, compare=False)
    again: bool = False
    """Whether other samples ask the same, so that a provider may keep for them what they share."""
    peers: tuple[Journal, ...] = ()
    """Further models that a reviewer may ask; what they answer counts as this sample's."""
    _ids: list[str] = field(default_factory=list, init=False, repr=False, compare=False)
    _readings: list[ReadStatus] = field(default_factory=list, init=False, repr=False, compare=False)
    _locks: defaultdict[str, asyncio.Lock] = field(
        default_factory=lambda: defaultdict(asyncio.Lock), init=False, repr=False, compare=False
    )

    @property
    def name(self) -> str:
        """`provider:id`."""
        return self.endpoint.name

    @property
    def reads(self) -> int | None:
        """Tokens that the model reads at most; None: a whole paper."""
        return traits(self.endpoint).input_tokens

    @property
    def call_ids(self) -> tuple[str, ...]:
        """The calls that were answered, new and replayed, each once, in order."""
        return tuple(dict.fromkeys((*self._ids, *(each for peer in self.peers for each in peer.call_ids))))

    @property
    def repaired(self) -> bool:
        """True if an answer that was used had to be repaired, or was cut and is not whole."""
        mended = any(status in {"repaired", "truncated"} for status in self._readings)
        return mended or any(peer.repaired for peer in self.peers)

    def read(self, status: ReadStatus) -> None:
        """Note how an answer that is used could be read."""
        self._readings.append(status)

    async def __call__(self, request: Request) -> Call:
        """The call, from the ledger or from the endpoint. Raises ProviderError and BudgetError.

        An answer that shows that something asked for was not done is kept, and then is a `Dropped`.
        """
        key = self._key(request)
        async with self._locks[key]:
            kept = self.ledger.get_call(key)
            call = kept or await self._made(key, request)
        self._ids.append(key)
        if self.on_call is not None:
            self.on_call(call, replayed=kept is not None)
        return self._whole(call)

    def kept(self, request: Request) -> Call | None:
        """The call as the ledger holds it, nothing asked; None: it is not there. Raises as a call does."""
        call = self.ledger.get_call(self._key(request))
        return None if call is None else self._whole(call)

    def _key(self, request: Request) -> str:
        return call_id(name=self.name, address=self.endpoint.address, sample=self.sample, request=request)

    def _whole(self, call: Call) -> Call:
        if missing := dropped(call.request, call.completion):
            raise Dropped(
                missing, where=self.name, expected="a model that can do it; the answer is kept with its call"
            )
        return call

    async def _made(self, key: str, request: Request) -> Call:
        if self.price is None:
            raise UnknownPrice(
                f"the price of {self.name} is not known",
                expected=f"--price {FORM} in USD per million tokens; in a study, [prices] in study.toml",
            )
        reserved = await self.cap.reserve(worst_case(request, self.price))
        spent: float | None = None
        try:
            call = await self._completed(key, request, self.price)
            spent = call.usd
        except RereviewError as error:
            spent = None if isinstance(error, TimedOut | AnswerLost | Waiting) else 0.0
            raise
        finally:
            self.cap.settle(reserved, spent)
        keep = getattr(self.ledger, "keep_call", None)
        if keep is None:
            self.ledger.add_call(call)
        else:  # many calls that end at once are one write
            await keep(call)
        return call

    async def _completed(self, key: str, request: Request, price: Price) -> Call:
        started, begin = self.clock(), perf_counter()
        keyed = getattr(self.endpoint, "complete_keyed", None)
        asked = request if self.again else request.once()
        completion = await (self.endpoint.complete(asked) if keyed is None else keyed(key, asked))
        return Call(
            id=key,
            model=self.name,
            host=self.endpoint.host,
            sample=self.sample,
            request=request,
            completion=completion,
            started=started.isoformat(),
            seconds=perf_counter() - begin,
            usd=_usd(completion, price),
        )


def _usd(completion: Completion, price: Price) -> float | None:
    """None where the endpoint's token counts are absent or contradict themselves."""
    try:
        return cost(completion.usage, price)
    except ValueError:
        return None
