"""What every HTTP client of an SDK does here: bound the exchange, keep to the host's lane, pay once.

`Bounded` stands before an SDK's own client class. A request that went out and was not answered is not
sent again by the SDK: it may have been billed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import aiohttp
import httpx2

from rereview.models.hosts import LONGEST_WAIT, WAIT, CircuitOpen, lane

CONNECT_SECONDS = 10.0
"""A host that has not taken the connection by then is not there."""


class Cause(NamedTuple):
    """Why a host did not answer, and what would be right."""

    what: str
    expected: str


if TYPE_CHECKING:
    Base = httpx2.AsyncClient
else:
    Base = object


class Bounded(Base):
    """A mixin over an `httpx2.AsyncClient`; `timed_out` and `lost` make the SDK's exceptions of a request."""

    timed_out: ClassVar[Callable[..., Exception]]
    lost: ClassVar[Callable[..., Exception]]

    def __init__(self, seconds: float, *, loopback: bool) -> None:
        super().__init__(
            timeout=httpx2.Timeout(None, connect=min(CONNECT_SECONDS, seconds)),
            follow_redirects=False,  # the paper goes to the host that was agreed to
            trust_env=not loopback,  # and through no proxy to this machine
        )
        self._seconds = seconds

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send; the SDK's own exceptions pass through its retries untouched."""
        road = lane(request.url.netloc.decode())
        try:
            async with road.slot():
                try:
                    async with asyncio.timeout(self._seconds):
                        response = await super().send(request, **options)
                        await response.aread()
                except (TimeoutError, httpx2.TransportError) as error:
                    road.broken(*(unreached(error) or unanswered(error)))
                    raise
                wait = _retry_after(response)
                road.answered(response.status_code, wait)
        except CircuitOpen as error:
            raise type(self).lost(request=request) from error
        except TimeoutError as error:
            raise type(self).timed_out(request=request) from error
        except httpx2.TransportError as error:
            if never_sent(error):
                raise
            raise type(self).lost(request=request) from error
        if wait is not None and wait > LONGEST_WAIT:
            response.headers["x-should-retry"] = "false"
        return response


def _retry_after(response: httpx2.Response) -> float | None:
    """Seconds that the host asks to wait; None where it says none, or a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(response.headers[name]) / unit)
        except (KeyError, ValueError):
            continue
    return None


def never_sent(error: BaseException) -> bool:
    """True if no connection came about, so that nothing can have been billed."""
    return any(
        isinstance(link, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError)
        for link in chain(error)
    )


def unreached(error: BaseException) -> Cause | None:
    """Why no connection came about; None if one did."""
    if any(isinstance(link, aiohttp.ClientConnectorDNSError) for link in chain(error)):
        return Cause("no host of this name", "check the base URL and the network")
    if never_sent(error):
        return Cause("nothing listens there", "start the server or check the base URL")
    return None


def unanswered(error: BaseException) -> Cause:
    """Why no answer came over a connection that there was."""
    late = any(isinstance(link, TimeoutError) for link in chain(error))
    return Cause("no answer in time" if late else "the connection broke", WAIT)


def chain(error: BaseException) -> list[BaseException]:
    """The error and what it came from, each once."""
    seen: dict[int, BaseException] = {}
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen[id(link)] = link
        link = link.__cause__ or link.__context__
    return list(seen.values())
