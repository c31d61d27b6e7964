"""Ending a run politely."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stoppable() -> Iterator[None]:
    """Inside a task: a polite kill cancels it, as Ctrl-C does, and not whatever happens to run.

    Whoever runs the task turns its cancellation into KeyboardInterrupt.
    """
    task, loop = asyncio.current_task(), asyncio.get_running_loop()

    def cancel(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  the interface of signal
        if task is not None:
            task.cancel()
            loop.call_soon_threadsafe(lambda: None)  # wakes the loop

    before = signal.signal(signal.SIGTERM, cancel)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
