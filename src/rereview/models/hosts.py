"""How many requests a host is sent at once, and when it is sent none.

One lane a host and event loop, shared by every endpoint there. A refusal for haste (429, 503, 529) halves
what may be in flight and makes all wait as long as the host says; each answer lets it grow again.
After several failures in a row of the host itself the circuit is open: nothing is sent until a pause has
passed, and then one request tries.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

HASTE = frozenset({429, 503, 529})
FAILED = frozenset({500, 502, 504})
MOST = 512
"""In flight at the beginning: more than anybody asks for, so that the caller's own bound holds."""
LONGEST_WAIT = 120.0
"""Seconds that a host may ask to wait; a longer wait is an error at once."""
FAILURES = 8
"""In a row: the circuit opens."""
PAUSE = 20.0
"""Seconds for which it stays open."""
WAIT = "wait, then go on"
"""What helps where the host failed, and nobody knows why."""


class CircuitOpen(Exception):
    """The host failed too often just now; nothing was sent. `expected`: what would be right."""

    def __init__(self, what: str, expected: str = WAIT) -> None:
        super().__init__(what)
        self.expected = expected


def system_seconds() -> float:
    """The clock of the running event loop."""
    return asyncio.get_running_loop().time()


@dataclass
class Lane:
    """What is known of one host in this run. `now` is a clock of seconds, `sleep` waits for some."""

    host: str
    now: Callable[[], float] = system_seconds
    sleep: Callable[[float], object] = asyncio.sleep
    limit: float = float(MOST)
    in_flight: int = 0
    failures: int = 0
    hasty: int = 0
    """Refusals for haste in a row."""
    most_at_once: int = 0
    last: str = ""
    """The last failure, in words."""
    expected: str = WAIT
    """What would have been right, in words."""
    _free_at: float = 0.0
    _closed_until: float = 0.0
    _waiting: deque[asyncio.Future[None]] = field(default_factory=deque)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a place. Raises CircuitOpen."""
        await self._enter()
        try:
            yield
        finally:
            self.in_flight -= 1
            self._wake()

    def answered(self, status: int, retry_after: float | None = None) -> None:
        """Note an answer's status; `retry_after` in seconds, None where the host does not say."""
        if status in HASTE:
            self.hasty += 1
            self.limit = max(1.0, min(self.limit, float(self.in_flight)) / 2)
            wait = 0.5 * 2.0 ** min(self.hasty - 1, 6) if retry_after is None else retry_after
            self._free_at = max(self._free_at, self.now() + min(wait, LONGEST_WAIT))
        elif status in FAILED:
            self.broken(str(status))
            return
        else:
            self.hasty = 0
            self.limit = min(float(MOST), self.limit + 1.0 / max(self.limit, 1.0))
        self.failures = 0
        self._closed_until = 0.0

    def broken(self, what: str = "no answer", expected: str = WAIT) -> None:
        """Note a failure of the host itself: refused, reset, timed out, 5xx."""
        self.failures += 1
        self.last, self.expected = what, expected
        if self.failures >= FAILURES:
            self._closed_until = self.now() + PAUSE

    async def _enter(self) -> None:
        try:
            await self._admitted()
        except BaseException:
            self._wake()  # whoever was told to look and does not enter tells the next
            raise
        self.in_flight += 1
        self.most_at_once = max(self.most_at_once, self.in_flight)

    async def _admitted(self) -> None:
        """Return where there is room, with nothing awaited since. Raises CircuitOpen."""
        while True:
            if self._closed_until > self.now():
                raise CircuitOpen(
                    f"{self.failures} failures in a row, the last: {self.last}; now a pause of {PAUSE:g} s",
                    self.expected,
                )
            wait = self._free_at - self.now()
            if wait > 0:
                await self._slept(wait)
                continue
            room = 1 if self.failures >= FAILURES else max(1, int(self.limit))
            if self.in_flight < room:
                return
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future

    async def _slept(self, seconds: float) -> None:
        waited = self.sleep(seconds)
        if asyncio.iscoroutine(waited):
            await waited

    def _wake(self) -> None:
        """As many go on as there is room for; each looks again."""
        for _ in range(max(1, int(self.limit) - self.in_flight)):
            while self._waiting and self._waiting[0].done():
                self._waiting.popleft()
            if not self._waiting:
                return
            self._waiting.popleft().set_result(None)


_LANES: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Lane]] = WeakKeyDictionary()


def lane(host: str) -> Lane:
    """The lane of a host in the running event loop."""
    lanes = _LANES.setdefault(asyncio.get_running_loop(), {})
    return lanes.setdefault(host, Lane(host))
