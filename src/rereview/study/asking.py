"""The models of a study: each asked through the ledger, behind one gate and one cap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rereview.models.base import Endpoint, Model
from rereview.models.journal import Clock, Journal, OnCall, system_clock
from rereview.models.prices import Cap, Price, parse_price, price_of
from rereview.study.run import Gate, Gated
from rereview.study.store import Store

Open = Callable[[str], Endpoint]
"""The endpoint that a name stands for."""


class Asks(Protocol):
    """Gives a model by its name for one sample."""

    def model(self, name: str, sample: str, /) -> Model:
        """The model; no two samples share an answer."""


@dataclass
class Asking:
    """Gives a model by its name. Endpoints are opened once and closed together."""

    store: Store
    open: Open
    gate: Gate
    cap: Cap
    prices: Mapping[str, str] = field(default_factory=dict)
    """Prices as `--price` takes them, by model, where the table has none."""
    clock: Clock = system_clock
    on_call: OnCall | None = None
    _opened: dict[str, Endpoint] = field(default_factory=dict, init=False)

    def endpoint(self, name: str) -> Endpoint:
        """The endpoint of a model. Raises UsageError for a name that stands for none."""
        if name not in self._opened:
            self._opened[name] = self.open(name)
        return self._opened[name]

    def price(self, name: str) -> Price | None:
        """What a model costs; None: not known."""
        given = self.prices.get(name)
        return price_of(self.endpoint(name), None if given is None else parse_price(given))

    def model(self, name: str, sample: str) -> Journal:
        """A model under the label of one sample: no two samples share an answer."""
        return Journal(
            endpoint=Gated(self.endpoint(name), self.gate),
            ledger=self.store,
            sample=sample,
            price=self.price(name),
            cap=self.cap,
            clock=self.clock,
            on_call=self.on_call,
        )

    async def aclose(self) -> None:
        """Close what was opened."""
        for endpoint in self._opened.values():
            await endpoint.aclose()
