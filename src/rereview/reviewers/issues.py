"""What a model says of a paper, as an answer and as remarks; and many questions at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar, cast

from rereview.types.record import Record
from rereview.types.review import Remark, Severity

Item = TypeVar("Item")
Result = TypeVar("Result")


class Issue(Record):
    """One issue: the words of the paper that it is about ("" where something is absent), and the pages."""

    title: str
    explanation: str
    quote: str
    severity: Severity
    pages: tuple[int, ...]

    def remark(self, *raised_by: str) -> Remark:
        """As a remark."""
        return Remark(
            title=self.title,
            body=self.explanation,
            quote=self.quote if self.quote.strip() else None,
            severity=self.severity,
            pages=self.pages,
            raised_by=raised_by,
        )


class Issues(Record):
    """The issues of one reading."""

    issues: tuple[Issue, ...]


class Merge(Record):
    """Numbers of issues that are one, with the words that stand for all of them."""

    numbers: tuple[int, ...]
    title: str
    explanation: str
    severity: Severity


class Drop(Record):
    """The number of an issue that is none, and why."""

    number: int
    reason: str


async def at_once(
    work: Callable[[Item], Awaitable[Result]], items: Sequence[Item], *, most: int, first_alone: bool = True
) -> list[Result]:
    """The results in order, `most` at a time. `first_alone`: what the first sends is cached for all others.

    After a failure nothing more is begun; what is in flight is paid for and awaited. Then it is raised.
    """
    slots = asyncio.Semaphore(most)
    failed: list[BaseException] = []

    async def one(item: Item) -> Result | None:
        async with slots:
            if failed:
                return None
            try:
                return await work(item)
            except BaseException as error:
                failed.append(error)
                raise

    head = [await one(item) for item in items[:1]] if first_alone else []
    rest = await asyncio.gather(*(one(item) for item in items[len(head) :]), return_exceptions=True)
    if failed:
        raise failed[0]
    return cast("list[Result]", [*head, *rest])
