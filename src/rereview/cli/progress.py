"""What is seen while a run works: rounds, calls, money, time left."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TextIO

from rereview.text.plurals import many
from rereview.types.call import Call
from rereview.types.review import Review

LIVE_SECONDS = 0.25
PLAIN_SECONDS = 30.0


@dataclass
class Progress:
    """Counts what happens and says it: one line redrawn on a terminal, else one line every 30 s.

    `monotonic` is a clock of seconds and `sleep` waits for some. `quiet` says nothing. `open_ended`:
    the scores decide when it is over, and `rounds` is the most. `unit` is what is counted.
    """

    rounds: int
    cap_usd: float
    monotonic: Callable[[], float]
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    quiet: bool = False
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    open_ended: bool = False
    unit: str = "rounds"
    done: int = 0
    failed: int = 0
    calls: int = 0
    replayed: int = 0
    usd: float = 0.0
    unpriced: int = 0
    _began: float = 0.0
    _made: int = 0
    _new: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._began = self.monotonic()

    def called(self, call: Call, *, replayed: bool) -> None:
        """Count a call; one from the ledger costs nothing now."""
        if replayed:
            self.replayed += 1
            return
        self.calls += 1
        self._new.add(call.id)
        if call.usd is None:
            self.unpriced += 1
        else:
            self.usd += call.usd

    def reviewed(self, record: Review) -> None:
        """Count a round of a reviewer that asks a model."""
        if record.model is not None:
            self.done += 1
            self.failed += record.status not in ("ok", "repaired")
            self._made += record.status == "failed" or not self._new.isdisjoint(record.call_ids)

    def advance(self) -> None:
        """Count a unit that is no review."""
        self.done += 1
        self._made += 1

    @property
    def line(self) -> str:
        """`round 2 of 5 · 3 calls · $0.12 of $5.00 · about 40 s left`."""
        of = "of at most" if self.open_ended else "of"
        parts = [f"{self.done} {of} {self.rounds} {self.unit}", many(self.calls, "call")]
        if self.replayed:
            parts.append(f"{self.replayed} from the ledger")
        money = f"${self.usd:.2f} of ${self.cap_usd:.2f}"
        parts.append(
            f"{money} and {many(self.unpriced, 'call')} of unknown price" if self.unpriced else money
        )
        if self.failed:
            parts.append(f"{self.failed} without a score")
        parts.append(self._left())
        return " · ".join(parts)

    def _left(self) -> str:
        seconds = self.monotonic() - self._began
        if self.done >= self.rounds:
            return f"{seconds:.0f} s"
        if not self._made or self.open_ended:  # a round out of the ledger takes no time, and tells none
            return f"{seconds:.0f} s so far"
        return f"about {seconds / self._made * (self.rounds - self.done):.0f} s left"

    @asynccontextmanager
    async def shown(self) -> AsyncIterator[None]:
        """Draw while the context lasts, and once at its end."""
        if self.quiet or not self.rounds:
            yield
            return
        drawing = asyncio.create_task(self._draw())
        try:
            yield
        finally:
            drawing.cancel()
            self._say(last=True)

    async def _draw(self) -> None:
        live = self.stream.isatty()
        while True:
            if live:
                self._say(last=False)
            await self.sleep(LIVE_SECONDS if live else PLAIN_SECONDS)
            if not live:
                self._say(last=False)

    def clear(self) -> None:
        """Take the line away, for something else to be said there."""
        if not self.quiet and self.rounds and self.stream.isatty():
            self._write("\r\x1b[K")

    def _say(self, *, last: bool) -> None:
        if self.stream.isatty():
            self._write(f"\r\x1b[K{_fitted(self.line, _columns(self.stream))}" + ("\n" if last else ""))
        else:
            self._write(f"{self.line}\n")

    def _write(self, text: str) -> None:
        with suppress(OSError):  # nobody may be reading; the rounds are worth more than the line
            self.stream.write(text)
            self.stream.flush()


def _columns(stream: TextIO) -> int:
    """Columns of the terminal; one that does not know its width is asked of the environment."""
    with suppress(OSError):
        if columns := os.get_terminal_size(stream.fileno()).columns:
            return columns
    return shutil.get_terminal_size().columns


def _fitted(line: str, columns: int) -> str:
    """A line that is wrapped could not be redrawn; the last column stays free for the cursor."""
    return line if len(line) < columns else f"{line[: max(columns - 2, 0)]}…"
