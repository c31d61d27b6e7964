"""Claude, through Anthropic's official SDK (extra `anthropic`)."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel

from rereview.errors import AnswerLost, BadRequest, Dropped, ProviderError, ServerFailed, UsageError
from rereview.models.base import Addressed, Traits, is_loopback
from rereview.models.claude import MOST_MARKS, caching
from rereview.models.environment import settings
from rereview.models.marks import marked
from rereview.models.transport import Bounded
from rereview.models.wire import connection_failure, said_in, short, status_failure, storable
from rereview.types.call import Completion, Finish, Message, Request, Usage

try:
    from anthropic import (
        AnthropicError,
        APIConnectionError,
        APIStatusError,
        AsyncAnthropic,
        DefaultAioHttpClient,
    )
except ImportError as error:
    raise UsageError(
        "Claude needs another package", where="anthropic", expected="pip install 'rereview[anthropic]'"
    ) from error

ADDRESS = "https://api.anthropic.com"
DEFAULT_OUTPUT_TOKENS = 16_000
"""The interface demands a bound."""
FINISHES: dict[str | None, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}
UNSUPPORTED = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "maxItems"}
)
"""Words of JSON schema that structured answers of this interface refuse; answers are checked here anyway."""
SCHEMA_REQUEST = "Answer with one JSON object and nothing else. It must follow this JSON schema:"


class _Details(BaseModel):
    thinking_tokens: int | None = None


class _Usage(BaseModel):
    input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens: int | None = None
    output_tokens_details: _Details | None = None


class _Part(BaseModel):
    type: str
    text: str | None = None


class _Answer(BaseModel):
    content: list[_Part]
    stop_reason: str | None = None
    model: str | None = None
    usage: _Usage | None = None


class _NotAgain(AnthropicError):
    """The SDK would send again after its own exceptions of a connection, and so pay twice."""

    def __init__(self, request: object) -> None:
        super().__init__("no answer")
        self.request = request


class _Client(Bounded, DefaultAioHttpClient):
    """Anthropic's client, bounded."""

    timed_out = _NotAgain
    lost = _NotAgain


@dataclass(frozen=True)
class AnthropicEndpoint(Addressed):
    """One Claude at one address.

    Log-probabilities and a seed cannot be had there: a request for them is refused before it is sent.
    """

    id: str
    base_url: str = ADDRESS
    key: str | None = field(default=None, repr=False, compare=False)
    timeout: float = 600.0
    max_retries: int = 4
    _plain: list[bool] = field(default_factory=list, init=False, repr=False, compare=False)
    """Not empty: the model takes no schema, which then goes into the prompt."""
    _clients: list[AsyncAnthropic] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        """`anthropic:id`."""
        return f"anthropic:{self.id}"

    @property
    def traits(self) -> Traits:
        """It keeps only what is marked."""
        return Traits(caching=caching(self.id))

    async def complete(self, request: Request) -> Completion:
        """Answer one request; a model without schemas is asked in words."""
        plain = bool(self._plain)
        try:
            return await self._send(request)
        except BadRequest as refusal:
            schema = any(word in refusal.what.lower() for word in ("output_config", "schema", "format"))
            if plain or request.answer_schema is None or not schema:
                raise
            self._plain.append(True)
            return await self._send(request)

    async def aclose(self) -> None:
        """Close the connections; a later call opens new ones."""
        while self._clients:
            await self._clients.pop().close()

    def body(self, request: Request, *, marks: bool = True) -> dict[str, Any]:
        """What the SDK is given for a request, with marks on what it shares with others.

        Raises Dropped for what cannot be had here.
        """
        _refuse_what_is_not_there(request, self.name)
        kept = marked(request, caching(self.id), MOST_MARKS) if marks else ()
        turns = request.messages
        if self._plain and request.answer_schema is not None:
            asked = f"{turns[-1].text}\n\n{SCHEMA_REQUEST}\n{request.answer_schema}"
            turns = (*turns[:-1], turns[-1].but(text=asked))
        system = "\n\n".join(turn.text for turn in turns if turn.role == "system")
        body: dict[str, Any] = {
            "model": self.id,
            "max_tokens": request.max_output_tokens or DEFAULT_OUTPUT_TOKENS,
            "messages": [
                {"role": turn.role, "content": _content(turn, marked=at in kept)}
                for at, turn in enumerate(turns)
                if turn.role == "user"
            ],
        }
        output: dict[str, Any] = {}
        if request.answer_schema is not None and not self._plain:
            output["format"] = {
                "type": "json_schema",
                "schema": _supported(json.loads(request.answer_schema)),
            }
        if request.reasoning_effort == "none":
            body["thinking"] = {"type": "disabled"}
        elif request.reasoning_effort is not None:
            body["thinking"] = {"type": "adaptive"}
            output["effort"] = request.reasoning_effort
        if request.temperature is not None:
            body["extra_body"] = {"temperature": request.temperature}
        return body | ({"system": system} if system else {}) | ({"output_config": output} if output else {})

    async def _send(self, request: Request) -> Completion:
        structured = request.answer_schema is not None and not self._plain
        try:
            raw = await self.client().messages.with_raw_response.create(**self.body(request))
        except AnthropicError as error:
            raise failure_of(error, self.address, self.timeout) from error
        return completion_of(await raw.read(), self.address, structured=structured)

    def batch_interface(self) -> object:
        """Its interface for batches."""
        from rereview.models.anthropic_batch import AnthropicBatches  # noqa: PLC0415  it needs this module

        return AnthropicBatches(self)

    def client(self) -> AsyncAnthropic:
        """The SDK's client, made once."""
        if not self._clients:
            self._clients.append(
                AsyncAnthropic(
                    api_key=self.key or "none",
                    base_url=self.address,
                    max_retries=self.max_retries,
                    timeout=self.timeout,
                    http_client=_Client(self.timeout, loopback=is_loopback(self.host)),
                )
            )
        return self._clients[0]


def _refuse_what_is_not_there(request: Request, name: str) -> None:
    for asked, what in ((request.top_logprobs, "log-probabilities"), (request.seed, "a seed")):
        if asked is not None:
            raise Dropped(f"{what} cannot be had there", where=name, expected="another model or protocol")
    if request.reasoning_effort == "minimal":
        raise Dropped("there is no effort 'minimal'", where=name, expected="none, low, medium, high or xhigh")


def _content(message: Message, *, marked: bool) -> str | list[dict[str, Any]]:
    """The text, or its parts in order where images stand in it or a beginning of it is to be kept."""
    if message.shared is None or not marked:
        return _parts(message) if message.pictures else message.text
    head, tail = message.cut(message.shared.until)
    if not tail.pictures and not tail.text.strip():  # the interface takes no blank part
        head, tail = message, message.but(text="", pictures=())
    parts = _parts(head)
    parts[-1]["cache_control"] = {"type": "ephemeral"}
    return parts + (_parts(tail) if tail.text else [])


def _parts(message: Message) -> list[dict[str, Any]]:
    return [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {
            "type": "image",
            "source": {
                "type": "base64",
                "media_type": part.media_type,
                "data": b64encode(part.content).decode(),
            },
        }
        for part in message.parts
    ]


def _supported(node: Any) -> Any:
    if isinstance(node, list):
        return [_supported(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: _supported(part) for key, part in node.items() if key not in UNSUPPORTED}


def completion_of(body: bytes, address: str, *, structured: bool) -> Completion:
    """The completion in the body of a message. Raises AnswerLost where there is none."""
    try:
        answer = _Answer.model_validate(json.loads(body))
    except (ValueError, RecursionError) as error:
        said = said_in(body)
        shown = f"it begins {said!r}" if said else "it is empty"
        raise AnswerLost(f"the answer is no message; {shown}", where=address) from error
    return Completion(
        text=storable("".join(part.text or "" for part in answer.content if part.type == "text")),
        finish=FINISHES.get(answer.stop_reason, "other"),
        usage=_usage(answer.usage or _Usage()),
        model=None if answer.model is None else storable(answer.model),
        structured=structured,
    )


def _usage(usage: _Usage) -> Usage:
    """This interface counts cached and cache-write tokens beside the input; here they are part of it."""
    parts = (usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens)
    details = usage.output_tokens_details
    return Usage(
        input_tokens=None if usage.input_tokens is None else sum(part or 0 for part in parts),
        cached_tokens=usage.cache_read_input_tokens,
        cache_write_tokens=usage.cache_creation_input_tokens,
        output_tokens=usage.output_tokens,
        reasoning_tokens=details.thinking_tokens if details else None,
    )


def failure_of(error: AnthropicError, address: str, seconds: float) -> ProviderError:
    """The SDK's exception as ours."""
    if isinstance(error, APIStatusError):
        return status_failure(error.status_code, said_in(error.response.content), address)
    if isinstance(error, APIConnectionError | _NotAgain):
        return connection_failure(error, address, seconds)
    return ServerFailed(f"{type(error).__name__}: {short(str(error))}", where=address)


def anthropic(
    id: str,  # noqa: A002 - what every entry point of this group is given
    *,
    base_url: str | None = None,
    timeout: float | None = None,
    environ: Mapping[str, str] | None = None,
) -> AnthropicEndpoint:
    """Anthropic, or the address in ANTHROPIC_BASE_URL. Raises UsageError without ANTHROPIC_API_KEY."""
    known = settings(environ=environ)
    address = base_url or known.get("ANTHROPIC_BASE_URL") or ADDRESS
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UsageError(f"no address of a server: {address!r}", expected=f"e.g. {ADDRESS}")
    if parts.username or parts.password or parts.query:
        raise UsageError(
            f"the base URL for {parts.hostname} holds credentials or a query",
            expected="put the key in the environment and give the bare address",
        )
    made = AnthropicEndpoint(id, address, known.get("ANTHROPIC_API_KEY") or None)
    if made.key is None and not is_loopback(made.host):
        raise UsageError(
            "no key for anthropic",
            where=made.address,
            expected="set ANTHROPIC_API_KEY in the environment, or write it to .env in this folder",
        )
    return made if timeout is None else replace(made, timeout=timeout)
