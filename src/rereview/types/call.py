"""One call of a model: cache, evidence, source of cost and test fixture at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from rereview.types.record import Record

Finish = Literal["stop", "length", "refused", "other"]
Among = Literal["calls", "rounds"]
Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh"]


class Picture(Record):
    """An image of a message. What is kept of it is its hash; its bytes only travel with the request."""

    at: int = 0
    """Where it stands: after so many code points of the message's text."""
    sha256: str
    """Of the original, of which `content` is made anew for every request."""
    width: int
    height: int
    """Pixels of `content`."""
    content: bytes = Field(default=b"", exclude=True, repr=False)
    """PNG or JPEG; empty in a request that comes from a ledger."""

    @property
    def media_type(self) -> Literal["image/png", "image/jpeg"]:
        """The media type of `content`."""
        return "image/png" if self.content.startswith(b"\x89PNG") else "image/jpeg"


class Shared(Record):
    """The beginning of a message with which, after the same messages before it, other requests begin too."""

    until: int
    """Code points of the message's text."""
    among: Among
    """`calls`: further calls of the round begin so; `rounds`: only the same call of further rounds does."""


class Message(Record):
    """One turn of a request: text, and the images that stand in it, ascending in `at`."""

    role: Literal["system", "user"]
    text: str
    pictures: tuple[Picture, ...] = ()
    shared: Shared | None = Field(default=None, exclude=True, repr=False)
    """What a provider may keep for other requests. It is no part of what is asked, and is not stored."""

    @property
    def parts(self) -> Iterator[str | Picture]:
        """Text and images in the order in which they are read; no text is empty."""
        done = 0
        for picture in self.pictures:
            if picture.at > done:
                yield self.text[done : picture.at]
                done = picture.at
            yield picture
        if done < len(self.text) or not self.pictures:
            yield self.text[done:]

    def cut(self, at: int) -> tuple[Message, Message]:
        """What stands before and what stands from code point `at` on; an image at it stands before."""
        before = tuple(each for each in self.pictures if each.at <= at)
        after = tuple(each.but(at=each.at - at) for each in self.pictures[len(before) :])
        head = Message(role=self.role, text=self.text[:at], pictures=before)
        return head, Message(role=self.role, text=self.text[at:], pictures=after)

    @model_serializer(mode="wrap")
    def _plain(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Without images it is role and text alone, so that a call asked before there were any is found."""
        written: dict[str, Any] = handler(self)
        if not self.pictures:
            written.pop("pictures", None)
        return written


class Request(Record):
    """What is asked. `attempt` counts from 1: a repeated question is another call."""

    messages: tuple[Message, ...]
    answer_schema: str | None = None
    """JSON schema of the answer, as canonical JSON text."""
    max_output_tokens: int | None = None
    temperature: float | None = None
    reasoning_effort: Effort | None = None
    """None: whatever the endpoint does by itself."""
    top_logprobs: int | None = Field(default=None, ge=0, le=20)
    """Log-probabilities of the tokens, and so many of the likeliest at each place; None: not asked for."""
    seed: int | None = None
    attempt: int = 1

    def once(self) -> Request:
        """The same where no further round is asked for, so that nothing is shared with one."""
        return self.but(
            messages=tuple(
                each.but(shared=None) if each.shared is not None and each.shared.among == "rounds" else each
                for each in self.messages
            )
        )

    @model_serializer(mode="wrap")
    def _plain(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """What is not asked for is not written, so that a call asked before it could be is found."""
        written: dict[str, Any] = handler(self)
        return {name: value for name, value in written.items() if name not in LATER or value is not None}


LATER = frozenset({"reasoning_effort", "top_logprobs", "seed"})


class Usage(Record):
    """Token counts of a call. `input_tokens` includes cached and cache-write tokens."""

    input_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


class Token(Record):
    """An output token with its log-probability, and those of the likeliest at its place."""

    text: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()
    """Token and log-probability, as the endpoint ordered them; of the distribution before any grammar."""


class Completion(Record):
    """What came back. `model` is the name that the endpoint gave itself."""

    text: str
    finish: Finish
    usage: Usage
    model: str | None = None
    structured: bool = False
    """True if the endpoint was made to follow the schema."""
    tokens: tuple[Token, ...] = ()
    """Only where log-probabilities were asked for. They may hold tokens that are not in `text`."""
    dropped: tuple[str, ...] = ()
    """Options of the request that were not sent on."""


class Batch(Record):
    """Calls that were submitted together, by their ids."""

    id: str
    """As the provider calls it."""
    model: str
    address: str
    calls: tuple[str, ...]


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
