"""Which shared beginnings of a request are worth a mark, where a provider keeps only what is marked."""

from __future__ import annotations

from rereview.models.base import Caching
from rereview.models.prices import estimate_input
from rereview.types.call import Request


def marked(request: Request, caching: Caching, most: int) -> tuple[int, ...]:
    """The places of messages whose shared beginning is long enough to be kept: the last `most` of them."""
    found = [
        at
        for at, message in enumerate(request.messages)
        if message.shared is not None and estimate_input(beginning(request, at)) >= caching.least
    ]
    return tuple(found[-most:])


def beginning(request: Request, at: int) -> Request:
    """The request as far as the shared beginning of its message `at`; all of that where nothing is shared."""
    last = request.messages[at]
    if last.shared is not None:
        last = last.cut(last.shared.until)[0]
    return request.but(messages=(*request.messages[:at], last))
