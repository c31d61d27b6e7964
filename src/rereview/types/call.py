"""One call of a model: cache, evidence, source of cost and test fixture at once."""

from __future__ import annotations

from typing import Literal

from rereview.types.record import Record

Finish = Literal["stop", "length", "refused", "other"]


class Message(Record):
    """One turn of a request."""

    role: Literal["system", "user"]
    text: str


class Request(Record):
    """What is asked. `attempt` counts from 1: a repeated question is another call."""

    messages: tuple[Message, ...]
    answer_schema: str | None = None
    """JSON schema of the answer, as canonical JSON text."""
    max_output_tokens: int | None = None
    temperature: float | None = None
    attempt: int = 1


class Usage(Record):
    """Token counts of a call. `input_tokens` includes cached and cache-write tokens."""

    input_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


class Completion(Record):
    """What came back. `model` is the name that the endpoint gave itself."""

    text: str
    finish: Finish
    usage: Usage
    model: str | None = None
    structured: bool = False
    """True if the endpoint was made to follow the schema."""


class Call(Record):
    """A request and its completion, under the hash of model, sample and request.

    `sample` is a study-wide label (configuration, manuscript version, arm, round): two samples
    never share a call, even when their requests are the same bytes.
    """

    id: str
    model: str
    host: str
    sample: str
    request: Request
    completion: Completion
    started: str
    """UTC, ISO 8601."""
    seconds: float
    usd: float | None
    """None: the price is not known."""
