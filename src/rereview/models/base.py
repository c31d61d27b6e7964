"""What a model is, where its calls are kept, and how a question is asked."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from ipaddress import ip_address
from typing import Generic, Protocol, TypeVar, cast
from urllib.parse import urlsplit

from rereview.errors import Unreadable, UnreadStatus, UsageError
from rereview.plugins import find, names
from rereview.text.answers import Reading, ReadStatus, read_answer
from rereview.types.call import Call, Completion, Effort, Message, Picture, Request
from rereview.types.record import Record

T = TypeVar("T", bound=Record)

MAX_OUTPUT_TOKENS = 16_000
"""Bound on the answer, reasoning included, where the caller gives none. Without a bound no cap can hold."""


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

    async def aclose(self) -> None:
        """Close what is open; the endpoint may be used again."""


class Addressed:
    """What an endpoint at a base URL says of its place."""

    base_url: str

    @property
    def address(self) -> str:
        """Base URL; it holds no credentials."""
        return self.base_url.rstrip("/")

    @property
    def host(self) -> str:
        """Host, and port where the address names one."""
        return urlsplit(self.base_url).netloc


@dataclass(frozen=True)
class Caching:
    """How an interface keeps beginnings of requests that are marked as shared, and nothing else."""

    least: int
    """Tokens of the shortest beginning that it keeps."""
    read: Decimal
    write: Decimal
    """Prices of a token that is read from the cache and of one that is written to it, in those of another."""


@dataclass(frozen=True)
class Traits:
    """What has to be known of a model beside its answers."""

    toy: bool = False
    """It exercises the plumbing; its answers carry no information."""
    input_tokens: int | None = None
    """Tokens that it reads at most, instructions included; None: a whole paper."""
    text_only: bool = False
    """It is known to see no images. False says nothing of whether it does."""
    caching: Caching | None = None
    """Where only what is marked is kept; None: the provider keeps what it wants."""


TOYS = frozenset({"embedded:toy"})
"""Names of the models whose `Traits.toy` holds: of what was said a ledger keeps the name alone."""


def traits(endpoint: Endpoint) -> Traits:
    """Those of an endpoint; one without an attribute `traits` has none."""
    said: object = getattr(endpoint, "traits", None)
    return said if isinstance(said, Traits) else Traits()


class Model(Protocol):
    """A model as a reviewer sees it: one sample of one endpoint, kept in the ledger."""

    @property
    def name(self) -> str:
        """`provider:id`."""

    @property
    def pictures(self) -> Mapping[str, Picture]:
        """The images of the paper that this model may be shown, by the id of their figure."""

    @property
    def reads(self) -> int | None:
        """Tokens that it reads at most, instructions included; None: a whole paper."""

    async def __call__(self, request: Request) -> Call:
        """The call with its completion, from the ledger or from the endpoint."""

    def read(self, status: ReadStatus) -> None:
        """Be told how an answer that is used could be read."""


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


ONLY_IDS = {"embedded": "toy"}
"""Of providers that have one model, which need not be named."""


def endpoint(
    spec: str,
    *,
    base_url: str | None = None,
    timeout: float | None = None,
    environ: Mapping[str, str] | None = None,
    asked: bool = True,
) -> Endpoint:
    """The endpoint that `[PROVIDER:]ID` names; the provider defaults to `openai`.

    `asked`: False where nothing will be sent to it, so that it needs no key.

    What is no provider's name is part of the id: `llama3.1:8b` is an id of `openai`. `timeout` is in
    seconds, `environ` defaults to the environment of this process. Raises UsageError for a provider
    without an id, a bad address or a missing key.
    """
    provider, _, identifier = full_name(spec).partition(":")
    made = cast("Callable[..., Endpoint]", find("models", provider))
    if not identifier:
        raise UsageError(f"{spec!r} names no model", expected=f"{provider}:ID")
    known = (
        environ if asked else {key_of(provider): "none"} | dict(os.environ if environ is None else environ)
    )
    return made(identifier, base_url=base_url, timeout=timeout, environ=known)


def key_of(provider: str) -> str:
    """The variable that holds the key of a provider."""
    return f"{provider.upper()}_API_KEY"


def full_name(spec: str) -> str:
    """`provider:id` of what `[PROVIDER:]ID` names: what the endpoint is called in every record."""
    provider, _, identifier = spec.partition(":")
    if provider not in names("models"):
        provider, identifier = "openai", spec
    return f"{provider}:{identifier or ONLY_IDS.get(provider, '')}"


def is_loopback(host: str) -> bool:
    """True for a host (with or without port) that is this machine, and for "" (this process)."""
    name = urlsplit(f"//{host}").hostname or ""
    if name in {"", "localhost"} or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A validated answer. `calls` are all that were made for it, the last gave `value`."""

    value: T
    status: ReadStatus
    problem: str | None
    """What had to be repaired or was left out."""
    calls: tuple[Call, ...]


async def ask(
    model: Model,
    system: str,
    user: str,
    *,
    max_output_tokens: int | None = MAX_OUTPUT_TOKENS,
    temperature: float | None = None,
    attempt: int = 1,
) -> Call:
    """Ask for plain text; an empty `system` is left out."""
    turns = (Message(role="system", text=system), Message(role="user", text=user))
    return await model(
        Request(
            messages=turns if system else turns[1:],
            max_output_tokens=max_output_tokens,
            temperature=temperature,
            attempt=attempt,
        )
    )


async def ask_for(
    model: Model,
    *,
    messages: tuple[Message, ...],
    shape: type[T],
    tries: int = 3,
    check: Callable[[T], str | None] | None = None,
    check_completion: Callable[[T, Completion], str | None] | None = None,
    max_output_tokens: int | None = MAX_OUTPUT_TOKENS,
    temperature: float | None = None,
    reasoning_effort: Effort | None = None,
    top_logprobs: int | None = None,
) -> Answer[T]:
    """Ask for a record, and again as a new call while the answer is none, at most `tries` times.

    `check` says what is wrong with a record that validates (None: nothing); such an answer is
    kept and asked again too, and so is one with whose completion `check_completion` finds something wrong.
    No value is changed to fit. Raises Unreadable after the last try.
    """
    schema = schema_of(shape)
    calls: list[Call] = []
    for attempt in range(1, tries + 1):
        request = Request(
            messages=messages,
            answer_schema=schema,
            max_output_tokens=max_output_tokens,
            temperature=temperature,
            reasoning_effort=reasoning_effort,
            top_logprobs=top_logprobs,
            attempt=attempt,
        )
        calls.append(await model(request))
        reading = _read(calls[-1].completion, shape, check, check_completion)
        if reading.value is not None:
            model.read(reading.status)
            return Answer(reading.value, reading.status, reading.problem, tuple(calls))
    raise Unreadable(
        f"no readable answer in {tries} tries: {reading.problem}",
        where=model.name,
        status=cast("UnreadStatus", reading.status),
        raw=calls[-1].completion.text,
        calls=tuple(call.id for call in calls),
    )


def _read(
    completion: Completion,
    shape: type[T],
    check: Callable[[T], str | None] | None,
    check_completion: Callable[[T, Completion], str | None] | None = None,
) -> Reading[T]:
    """The reading of a completion: how it finished and what the caller checks count too."""
    if completion.finish == "refused":
        return Reading(None, "refused", "the endpoint refused to answer")
    reading = read_answer(completion.text, shape)
    if reading.value is None and completion.finish == "length":
        return Reading(None, "truncated", f"cut at the output limit; {reading.problem}")
    if reading.value is None:
        return reading
    wrong = check(reading.value) if check else None
    if wrong is None and check_completion:
        wrong = check_completion(reading.value, completion)
    return Reading(None, "invalid", wrong) if wrong else reading


def schema_of(shape: type[Record]) -> str:
    """The strict JSON schema of a record as canonical JSON: every field required, none added."""
    return strict_schema(shape.model_json_schema())


def strict_schema(schema: Mapping[str, object]) -> str:
    """The same of any schema."""
    return json.dumps(_strict(dict(schema)), sort_keys=True, separators=(",", ":"))


def _strict(node: object) -> object:
    """Titles and defaults go: they are no part of what an answer must be."""
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "properties" in node:
        properties = {name: _strict(part) for name, part in node["properties"].items()}
        rest = {
            key: _strict(part) for key, part in node.items() if key not in {"properties", "title", "default"}
        }
        return rest | {
            "properties": properties,
            "required": sorted(properties),
            "additionalProperties": False,
        }
    return {key: _strict(part) for key, part in node.items() if key not in {"title", "default"}}
