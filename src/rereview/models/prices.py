"""What a call costs, what it can cost at most, and the cap on spending.

Prices are USD per million tokens, from the dated table `prices.toml` or from `--price`.
A price that is in neither is unknown (None), never 0. All sums are exact decimals; a float comes
out only at the end.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from rereview.errors import BudgetError, UsageError
from rereview.models.base import Endpoint, is_loopback, traits
from rereview.types.call import Picture, Request, Usage
from rereview.types.record import Record

MILLION = 1_000_000
CHARACTERS_A_TOKEN = Decimal(4)
"""Rule of thumb for English prose and LaTeX in byte-pair vocabularies of 100,000 entries and more."""
PIXELS_A_TOKEN = 750
"""Rule of thumb for images, as Anthropic's vision guide states it; others come near it at this size."""
FEWEST_PIXELS_A_TOKEN = 14 * 14
"""The smallest patch of which public vision models make one token; who bills more is not bounded."""
FRAME_TOKENS = 1_024
"""Above what any chat template and the repeated request for a schema add to a call's own text."""


class Price(Record):
    """USD per million tokens. Cached and cache-write tokens cost as ordinary input where not known."""

    input: Decimal
    output: Decimal
    cached: Decimal | None = None
    cache_write: Decimal | None = None


class PriceEntry(Record):
    """One line of the table."""

    model: str
    """As a person writes it: `provider:id`."""
    price: Price
    date: str
    """Of the document: a day, or a year where it names no day."""
    source: str


class Forecast(NamedTuple):
    """USD of calls that have not been made: a likely range, and what they cannot pass."""

    low: float
    high: float
    most: float


FREE = Price(input=Decimal(0), output=Decimal(0))
"""Of a model in this process or on this machine."""


@cache
def table() -> tuple[PriceEntry, ...]:
    """The dated table; every entry names the document that states it."""
    text = (files("rereview.models") / "prices.toml").read_text("utf-8")
    entries = tomllib.loads(text, parse_float=Decimal).get("model", [])
    return tuple(PriceEntry.model_validate(entry) for entry in entries)


def price_of(endpoint: Endpoint, given: Price | None = None) -> Price | None:
    """The price that was given, 0 on this machine, that of the table, or None: not known.

    What it does not say of cached input is what the endpoint's interface states, where it states that.
    """
    if given is None and is_loopback(endpoint.host):
        return FREE
    known = (entry.price for entry in table() if entry.model == endpoint.name)
    price, caching = given or next(known, None), traits(endpoint).caching
    if price is None or caching is None:
        return price
    return price.but(
        cached=caching.read * price.input if price.cached is None else price.cached,
        cache_write=caching.write * price.input if price.cache_write is None else price.cache_write,
    )


FORM = "IN,OUT[,CACHED[,CACHE_WRITE]]"
EXPECTED = f"{FORM} in USD per million tokens, e.g. 4,20 or 4,20,0.4,5"
MOST_USD = Decimal(1_000_000)
"""A price a million tokens above it is a slip of the keyboard."""


def parse_price(text: str) -> Price:
    """The price that `IN,OUT[,CACHED[,CACHE_WRITE]]` states, in USD per million tokens. Raises UsageError."""
    parts = [part.strip() for part in text.split(",")]
    if not 2 <= len(parts) <= 4:  # noqa: PLR2004 - IN and OUT, and what FORM adds
        count = "1 part" if len(parts) == 1 else f"{len(parts)} parts"
        raise UsageError(f"no price: {text!r} has {count}", where="--price", expected=EXPECTED)
    given = [_amount(part) for part in parts]
    wrong = next((part for part, amount in zip(parts, given, strict=True) if amount is None), None)
    if wrong is not None:
        raise UsageError(
            f"no price: {wrong!r} in {text!r} is no amount of USD", where="--price", expected=EXPECTED
        )
    return Price.model_validate(dict(zip(("input", "output", "cached", "cache_write"), given, strict=False)))


def _amount(text: str) -> Decimal | None:
    """An amount from 0 to `MOST_USD`, or None."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and 0 <= amount <= MOST_USD else None


def shown(price: Price) -> str:
    """A price in words, without the parts that are not known."""
    parts = {"in": price.input, "out": price.output, "cached": price.cached, "cache write": price.cache_write}
    known = (f"${amount.normalize():f} {name}" for name, amount in parts.items() if amount is not None)
    return f"{', '.join(known)} per million tokens"


def cost(usage: Usage, price: Price) -> float | None:
    """USD of a call: (in(I-C-W) + cached C + write W + out O) / 1e6; None where I or O is not known.

    I includes C (cached) and W (cache-write) tokens, O includes reasoning tokens; C and W count 0
    where the endpoint says nothing of them. Raises ValueError for C + W > I.
    [1] Can We Believe AI Peer Review?, E.9.
    """
    exact = _cost(usage, price)
    return None if exact is None else float(exact)


def _cost(usage: Usage, price: Price) -> Decimal | None:
    if price == FREE:
        return Decimal(0)
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    cached, written = usage.cached_tokens or 0, usage.cache_write_tokens or 0
    plain = usage.input_tokens - cached - written
    if plain < 0:
        raise ValueError(
            f"{cached} cached and {written} cache-write tokens are more than {usage.input_tokens} input"
        )
    dear = price.input if price.cache_write is None else price.cache_write
    cheap = price.input if price.cached is None else price.cached
    return (
        price.input * plain + cheap * cached + dear * written + price.output * usage.output_tokens
    ) / MILLION


def estimate_tokens(text: str) -> int:
    """Likely tokens of a text: a quarter of its code points, rounded up."""
    return -(-len(text) // int(CHARACTERS_A_TOKEN))


def estimate_input(request: Request) -> int:
    """Likely input tokens of a request: of its text, its schema and its images."""
    return estimate_tokens(_texts(request)) + sum(
        -(-each.width * each.height // PIXELS_A_TOKEN) for each in _pictures(request)
    )


def worst_case(request: Request, price: Price) -> Decimal:
    """USD that the call cannot pass; the output bound must be set. Raises BudgetError without it.

    A token of a byte-level vocabulary is at least one byte, so UTF-8 bytes bound the text; an image has
    at most a token a patch of `FEWEST_PIXELS_A_TOKEN`. All of it may be written to a cache, which can
    cost more than ordinary input.
    """
    if price == FREE:
        return Decimal(0)
    if request.max_output_tokens is None:
        raise BudgetError(
            "a call without an output limit has no highest price", expected="set max_output_tokens"
        )
    dearest = max(price.input, price.cached or 0, price.cache_write or 0)
    return (dearest * _most_input(request) + price.output * request.max_output_tokens) / MILLION


def forecast(requests: Sequence[Request], price: Price, *, cached: int = 0) -> Forecast:
    """What these calls will likely cost, for the question before the first of them.

    Low: four fifths of the estimated input, `cached` tokens of it at their price, the others at the ordinary
    one, and an eighth of the allowed output. High: five quarters of the input without a cache and all of the
    allowed output. Repeats after an unreadable answer are not in either.
    """
    read = sum(map(estimate_input, requests))
    written = sum(request.max_output_tokens or 0 for request in requests)
    cheap = price.input if price.cached is None else price.cached
    given = price.input * (read - cached) + cheap * cached
    low = (given * Decimal("0.8") + price.output * written / 8) / MILLION
    high = (price.input * read * Decimal("1.25") + price.output * written) / MILLION
    most = sum((worst_case(request, price) for request in requests), Decimal(0))
    return Forecast(float(low), float(min(high, most)), float(most))


TEXT_TOKENS, LIST_ITEMS = 40, 3
"""Of a text and of a list in a filled form, as reviewers fill them: two sentences, three items."""


def _texts(request: Request) -> str:
    return "".join(message.text for message in request.messages) + (request.answer_schema or "")


def _pictures(request: Request) -> list[Picture]:
    return [picture for message in request.messages for picture in message.pictures]


def _most_input(request: Request) -> int:
    seen = sum(-(-each.width * each.height // FEWEST_PIXELS_A_TOKEN) for each in _pictures(request))
    frames = FRAME_TOKENS * (1 + len(request.messages))
    return len(_texts(request).encode("utf-8", "surrogatepass")) + seen + frames


class Cap:
    """A limit in USD that spending never passes, counting what is in flight at its worst.

    A call that does not fit now, but would if those in flight turn out cheaper, waits for them.
    """

    def __init__(self, limit: float, *, spent: float = 0.0) -> None:
        self.limit = Decimal(str(limit))
        self._spent = Decimal(str(spent))
        self._in_flight: list[Decimal] = []
        self._waiting: list[asyncio.Event] = []

    @property
    def spent(self) -> float:
        """USD of settled calls; one whose cost is not known counts what was reserved for it."""
        return float(self._spent)

    async def reserve(self, worst_usd: Decimal) -> Decimal:
        """Keep room for a call. Raises BudgetError when it could pass the cap with nothing in flight."""
        while not self._fits(worst_usd):
            if self._spent + worst_usd > self.limit:
                raise self._passed(worst_usd)
            await self._settlement()
        self._in_flight.append(worst_usd)
        return worst_usd

    def settle(self, reserved: Decimal, actual: float | None) -> None:
        """Replace a reservation by what the call cost; None: not known, so all of it is spent."""
        self._in_flight.remove(reserved)
        self._spent += reserved if actual is None else Decimal(str(actual))
        while self._waiting:
            self._waiting.pop().set()

    async def _settlement(self) -> None:
        settled = asyncio.Event()
        self._waiting.append(settled)
        await settled.wait()

    def _fits(self, worst_usd: Decimal) -> bool:
        return self._spent + sum(self._in_flight, Decimal(0)) + worst_usd <= self.limit

    def _passed(self, worst_usd: Decimal) -> BudgetError:
        return BudgetError(
            f"at most ${worst_usd:.2f} more after ${self._spent:.2f} would pass the cap of ${self.limit:.2f}",
            expected="a higher --cap",
        )
