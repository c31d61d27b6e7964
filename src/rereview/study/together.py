"""Calls that end at nearly the same time are written to the disk together: one wait for it, not many."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from rereview.errors import StorageError
from rereview.types.call import Call

MOMENT = 0.005
"""Seconds in which calls that are to be kept wait for each other."""
NOT_KEPT = (StorageError, ValueError)
"""The disk refuses a call, or it holds what no file can hold."""


class Together:
    """Keeps calls in groups. `insert` writes several at once; `add` one, and rescues what cannot be."""

    def __init__(self, insert: Callable[..., None], add: Callable[[Call], None]) -> None:
        self._insert, self._add = insert, add
        self._waiting: list[tuple[Call, asyncio.Future[None]]] = []

    async def keep(self, call: Call) -> None:
        """Return when the call is on the disk. Raises as `add` does."""
        loop = asyncio.get_running_loop()
        kept: asyncio.Future[None] = loop.create_future()
        if not self._waiting:
            loop.call_later(MOMENT, self._write)
        self._waiting.append((call, kept))
        await kept

    def close(self) -> None:
        """Keep what still waits: its event loop may have ended. The first failure is raised at the end."""
        waiting, self._waiting = self._waiting, []
        failures = [failure for call, _ in waiting if (failure := self._added(call)) is not None]
        if failures:
            raise failures[0]

    def _write(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        try:
            self._insert(*(call for call, _ in waiting))
        except NOT_KEPT:
            self._write_each(waiting)
            return
        for _, kept in waiting:
            if not kept.done():
                kept.set_result(None)

    def _write_each(self, waiting: Sequence[tuple[Call, asyncio.Future[None]]]) -> None:
        """One after the other, so that each is kept or rescued by itself."""
        for call, kept in waiting:
            failure = self._added(call)
            if kept.done():
                continue
            if failure is None:
                kept.set_result(None)
            else:
                kept.set_exception(failure)

    def _added(self, call: Call) -> Exception | None:
        """Why the call is not on the disk; None: it is."""
        try:
            self._add(call)
        except NOT_KEPT as failure:
            return failure
        return None
