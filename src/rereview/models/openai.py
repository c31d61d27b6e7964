"""Any endpoint that speaks OpenAI's chat completions, through the official SDK."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from openai import (
    APIConnectionError,
    APITimeoutError,
    AsyncOpenAI,
    DefaultAioHttpClient,
    OpenAIError,
)

from rereview.errors import BadRequest, UsageError
from rereview.models.base import Addressed, is_loopback, key_of
from rereview.models.environment import settings
from rereview.models.transport import Bounded
from rereview.models.wire import answer_of, failure_of
from rereview.types.call import Completion, Effort, Message, Picture, Request

Format = Literal["json_schema", "json_object", "prompt"]
Limit = Literal["max_completion_tokens", "max_tokens"]

SCHEMA_REQUEST = "Answer with one JSON object and nothing else. It must follow this JSON schema:"


@dataclass(frozen=True)
class _Dialect:
    """What the endpoint is taken to accept; learnt from its refusals."""

    limit: Limit
    format: Format = "json_schema"
    effort: bool = True
    """False: it knows no reasoning, so that "none" need not be said, and nothing else can be."""

    def after(self, refusal: str, request: Request) -> _Dialect | None:
        """Step down to what a 400 with this text leaves; None if it speaks of none of them."""
        text = refusal.lower()
        if self.effort and request.reasoning_effort == "none" and "reasoning" in text:
            return replace(self, effort=False)
        if "max_tokens" in text and "max_completion_tokens" in text:
            other: Limit = "max_tokens" if self.limit == "max_completion_tokens" else "max_completion_tokens"
            return replace(self, limit=other)
        if self.format != "prompt" and any(word in text for word in ("response_format", "schema", "json")):
            return replace(self, format="json_object" if self.format == "json_schema" else "prompt")
        return None


@dataclass(frozen=True)
class OpenAIEndpoint(Addressed):
    """One model at one address.

    The SDK retries refused connections, 408, 409, 429 and 5xx, and waits as Retry-After says (up
    to two minutes; a longer wait is an error at once). A request that went out and was not
    answered is not sent again: it may have been billed, and the cap has counted it once.
    """

    id: str
    base_url: str
    provider: str = "openai"
    key: str | None = field(default=None, repr=False, compare=False)
    timeout: float = 600.0
    """Seconds from sending a request to the last byte of its answer."""
    max_retries: int = 4
    limit: Limit = "max_tokens"
    """What the endpoint calls the bound on output tokens; the other name is tried when it objects."""
    _dialects: dict[str, _Dialect] = field(default_factory=dict, init=False, repr=False, compare=False)
    _clients: list[AsyncOpenAI] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise UsageError(
                f"no address of a server: {self.base_url!r}", expected="e.g. http://localhost:8000/v1"
            )
        if parts.username or parts.password or parts.query:
            raise UsageError(
                f"the base URL for {parts.hostname} holds credentials or a query",
                expected="put the key in the environment and give the bare address",
            )

    @property
    def name(self) -> str:
        """`provider:id`."""
        return f"{self.provider}:{self.id}"

    async def complete(self, request: Request) -> Completion:
        """Answer one request; the address steps down to plain prompts where it knows no schema."""
        for _ in range(5):  # two names of the limit, three formats, an effort
            sent = self._dialect
            try:
                return await self._send(request, sent)
            except BadRequest as refusal:
                left = sent.after(refusal.what, request)
                if left is None:
                    raise _of_images(refusal, request) from refusal
                if self._dialect == sent:  # else another request has learnt from the same refusal
                    self._dialects[""] = left
        return await self._send(request, self._dialect)

    @property
    def _dialect(self) -> _Dialect:
        return self._dialects.get("", _Dialect(self.limit))

    async def aclose(self) -> None:
        """Close the connections; a later call opens new ones."""
        while self._clients:
            await self._clients.pop().close()

    async def _send(self, request: Request, dialect: _Dialect) -> Completion:
        body = self.body(request, dialect)
        try:
            raw = await self._client().chat.completions.with_raw_response.create(model=self.id, **body)
        except OpenAIError as error:
            raise failure_of(error, self.address, self.timeout) from error
        structured = request.answer_schema is not None and dialect.format == "json_schema"
        return answer_of(raw.content, self.address, structured=structured)

    def body(self, request: Request, dialect: _Dialect | None = None) -> dict[str, Any]:
        """What the SDK is given for a request. OpenRouter is told to drop nothing in silence."""
        known = dialect or self._dialect
        stated = request if known.effort else request.but(reasoning_effort=_stated(request))
        body = _body(stated, known.limit, known.format)
        if self.provider == "openrouter":
            body["extra_body"] = {"provider": {"require_parameters": True}}
        return body

    def batch_interface(self) -> object:
        """Its interface for batches; None: it has none."""
        from rereview.models.openai_batch import OpenAIBatches  # noqa: PLC0415  it needs this module

        return OpenAIBatches(self, self._client()) if self.provider == "openai" else None

    def _client(self) -> AsyncOpenAI:
        if not self._clients:
            self._clients.append(
                AsyncOpenAI(
                    api_key=self.key or "none",
                    base_url=self.address,
                    max_retries=self.max_retries,
                    http_client=_Client(self.timeout, loopback=is_loopback(self.host)),
                )
            )
        return self._clients[0]


class _Client(Bounded, DefaultAioHttpClient):
    """OpenAI's client, bounded."""

    timed_out = APITimeoutError
    lost = APIConnectionError


def _stated(request: Request) -> Effort | None:
    return None if request.reasoning_effort == "none" else request.reasoning_effort


def _body(request: Request, limit: Limit, answer_format: Format) -> dict[str, Any]:
    """The chat completion's body; what is not asked for is left out."""
    messages = [{"role": message.role, "content": _content(message)} for message in request.messages]
    body: dict[str, Any] = {"messages": messages}
    if request.max_output_tokens is not None:
        body[limit] = request.max_output_tokens
    if request.top_logprobs is not None:
        body |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    options = {name: getattr(request, name) for name in ("temperature", "reasoning_effort", "seed")}
    body |= {name: value for name, value in options.items() if value is not None}
    if request.answer_schema is None:
        return body
    if answer_format == "json_schema":
        schema = {"name": "answer", "strict": True, "schema": json.loads(request.answer_schema)}
        return body | {"response_format": {"type": "json_schema", "json_schema": schema}}
    last, wanted = request.messages[-1], f"\n\n{SCHEMA_REQUEST}\n{request.answer_schema}"
    messages[-1]["content"] = _content(last.but(text=last.text + wanted))
    return body if answer_format == "prompt" else body | {"response_format": {"type": "json_object"}}


def _content(message: Message) -> str | list[dict[str, Any]]:
    """The text, or where images stand in it its parts in order, the images as data URIs."""
    if not message.pictures:
        return message.text
    return [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image_url", "image_url": {"url": _data_uri(part)}}
        for part in message.parts
    ]


def _of_images(refusal: BadRequest, request: Request) -> BadRequest:
    """The refusal; that of a model which sees no images says what would be right."""
    shown = any(message.pictures for message in request.messages)
    if not shown or not any(word in refusal.what.lower() for word in ("image", "vision", "multimodal")):
        return refusal
    return BadRequest(refusal.what, where=refusal.where, expected="leave the images out with --no-images")


def _data_uri(picture: Picture) -> str:
    if not picture.content:
        raise UsageError(
            f"the image {picture.sha256[:12]} has no bytes to send", expected="a request that was made anew"
        )
    return f"data:{picture.media_type};base64,{b64encode(picture.content).decode()}"


def openai(
    id: str,  # noqa: A002 - what every entry point of this group is given
    *,
    base_url: str | None = None,
    timeout: float | None = None,
    environ: Mapping[str, str] | None = None,
) -> OpenAIEndpoint:
    """OpenAI, or the address in OPENAI_BASE_URL. Raises UsageError without a key."""
    known = settings(environ=environ)
    address = base_url or known.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"
    made = _endpoint(id, "openai", address, known, timeout)
    official = urlsplit(address).hostname == "api.openai.com"
    return replace(made, limit="max_completion_tokens") if official else made


def openrouter(
    id: str,  # noqa: A002 - as above
    *,
    base_url: str | None = None,
    timeout: float | None = None,
    environ: Mapping[str, str] | None = None,
) -> OpenAIEndpoint:
    """OpenRouter. Raises UsageError without OPENROUTER_API_KEY."""
    address = base_url or "https://openrouter.ai/api/v1"
    return _endpoint(id, "openrouter", address, settings(environ=environ), timeout)


def ollama(
    id: str,  # noqa: A002 - as above
    *,
    base_url: str | None = None,
    timeout: float | None = None,
    environ: Mapping[str, str] | None = None,
) -> OpenAIEndpoint:
    """Ollama on this machine, or where `base_url` says (OLLAMA_API_KEY if it is elsewhere)."""
    address = base_url or "http://localhost:11434/v1"
    return _endpoint(id, "ollama", address, settings(environ=environ), timeout)


def vllm(
    id: str,  # noqa: A002 - as above
    *,
    base_url: str | None = None,
    timeout: float | None = None,
    environ: Mapping[str, str] | None = None,
) -> OpenAIEndpoint:
    """VLLM on this machine, or where `base_url` says (VLLM_API_KEY if it is elsewhere)."""
    address = base_url or "http://localhost:8000/v1"
    return _endpoint(id, "vllm", address, settings(environ=environ), timeout)


def _endpoint(
    identifier: str, provider: str, address: str, known: Mapping[str, str], timeout: float | None
) -> OpenAIEndpoint:
    """With the provider's key; a server on this machine may do without."""
    variable = key_of(provider)
    made = OpenAIEndpoint(identifier, address, provider, known.get(variable) or None)
    if made.key is None and not is_loopback(made.host):
        raise UsageError(
            f"no key for {provider}",
            where=made.address,
            expected=f"set {variable} in the environment, or write {variable}=... to .env in this folder",
        )
    return made if timeout is None else replace(made, timeout=timeout)
