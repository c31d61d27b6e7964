"""What a model is, where its calls are kept, and how a question is asked."""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol

from rereview.types.call import Call, Completion, Request


class Endpoint(Protocol):
    """Something that answers requests: one model at one address.

    Raises a `ProviderError` when there is no answer.
    """

    @property
    def name(self) -> str:
        """`provider:id`, as a person writes it."""

    @property
    def address(self) -> str:
        """Base URL without credentials; "" for a model that is no server."""

    @property
    def host(self) -> str:
        """Where the text goes: host and port, or "" if it stays in this process."""

    async def complete(self, request: Request) -> Completion:
        """Answer one request. Retries, Retry-After and time-outs are the endpoint's own."""


class Model(Protocol):
    """A model as a reviewer sees it: one sample of one endpoint, kept in the ledger."""

    @property
    def name(self) -> str:
        """`provider:id`."""

    async def __call__(self, request: Request) -> Call:
        """The call with its completion, from the ledger or from the endpoint."""


class Ledger(Protocol):
    """Where calls are kept. `add` returns only when the call is safe on disk."""

    def get_call(self, call_id: str) -> Call | None:
        """The call with this id, or None."""

    def add_call(self, call: Call) -> None:
        """Keep a call; adding the same id again changes nothing."""


CALL_SCHEMA = 1
"""Raised when the meaning of a stored request changes: old calls are then not replayed."""


def call_id(*, name: str, address: str, sample: str, request: Request) -> str:
    """The hash under which a call is kept: endpoint, sample, request and schema version."""
    parts = (str(CALL_SCHEMA), name, address, sample, request.to_json())
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
