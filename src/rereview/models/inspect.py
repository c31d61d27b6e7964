"""Any provider of Inspect, as `inspect:PROVIDER/MODEL` (extra `inspect`).

Keys and addresses are those of the provider in Inspect. The schema of an answer goes into the prompt:
Inspect's own form of schemas loses bounds. What Inspect drops with a warning only, such as a temperature for
a reasoning model, is found in the request that it really sent, and is an error.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from rereview.errors import AnswerLost, ProviderError, TimedOut, UsageError
from rereview.models.environment import settings
from rereview.models.hosts import CircuitOpen, lane
from rereview.models.openai import SCHEMA_REQUEST
from rereview.models.wire import connection_failure, short, status_failure, storable
from rereview.types.call import Completion, Finish, Message, Request, Token, Usage

FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "refused",
}
AGAIN = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
FIRST_WAIT = 0.5
"""Seconds before the first repeat; each further one waits twice as long."""
SDK_ERRORS = (
    ("openai", "OpenAIError"),
    ("anthropic", "AnthropicError"),
    ("google.genai.errors", "APIError"),
    ("mistralai.models", "SDKError"),
    ("httpx", "HTTPError"),
    ("httpx2", "HTTPError"),
    ("inspect_ai._util.error", "PrerequisiteError"),
)
CARRIED = {
    "temperature": ("temperature",),
    "seed": ("seed",),
    "top_logprobs": ("top_logprobs", "topLogprobs", "logprobs"),
    "reasoning_effort": ("reasoning_effort", "effort", "reasoning", "thinking", "thinking_config"),
}
"""Names under which providers are sent what a request asks for."""


@dataclass(frozen=True)
class InspectEndpoint:
    """One model of one of Inspect's providers."""

    id: str
    """`provider/model`, as Inspect calls it."""
    base_url: str | None = None
    timeout: float = 600.0
    max_retries: int = 4
    options: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """Further arguments of Inspect's `get_model`, such as a key."""
    _models: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        """`inspect:provider/model`."""
        return f"inspect:{self.id}"

    @property
    def address(self) -> str:
        """The base URL where one is given; "" for the provider's own."""
        return (self.base_url or "").rstrip("/")

    @property
    def host(self) -> str:
        """Host of the address; for the provider's own the name of the provider."""
        return urlsplit(self.address).netloc or f"{self.id.partition('/')[0]} through Inspect"

    async def complete(self, request: Request) -> Completion:
        """Answer one request; failures of haste and of the host are repeated."""
        road = lane(self.host)
        for attempt in range(self.max_retries + 1):
            try:
                async with road.slot():
                    answer, sent, failure = await self._sent(request)
                    status = 200 if failure is None else getattr(failure, "status_code", None)
                    if isinstance(status, int):
                        road.answered(status)
            except CircuitOpen as error:
                raise connection_failure(error, self.name, self.timeout) from error
            if failure is None:
                return _completion(answer, sent, request)
            if status not in AGAIN or attempt == self.max_retries:
                raise _failure_of(failure, self.name) from failure
            await asyncio.sleep(FIRST_WAIT * 2**attempt)
        raise AnswerLost("no answer came", where=self.name)

    async def _sent(self, request: Request) -> tuple[Any, Any, Exception | None]:
        """Inspect's output and the request that it sent, or the provider's exception."""
        asked = import_module("inspect_ai.model")
        config = asked.GenerateConfig(
            max_tokens=request.max_output_tokens,
            temperature=request.temperature,
            seed=request.seed,
            reasoning_effort=request.reasoning_effort,
            logprobs=True if request.top_logprobs is not None else None,
            top_logprobs=request.top_logprobs,
            max_retries=0,
        )
        try:
            async with asyncio.timeout(self.timeout):
                made = await self._model(asked).api.generate(_turns(asked, request), [], "none", config)
        except TimeoutError as error:
            raise TimedOut(
                f"no answer within {self.timeout:g} s", where=self.name, expected="a longer time-out"
            ) from error
        except _failures() as error:
            return None, None, error
        output, call = made if isinstance(made, tuple) else (made, None)
        return (None, None, output) if isinstance(output, Exception) else (output, call, None)

    def _model(self, asked: Any) -> Any:
        if not self._models:
            self._models.append(
                asked.get_model(self.id, base_url=self.base_url, memoize=False, **self.options)
            )
        return self._models[0]

    async def aclose(self) -> None:
        """Close the provider's client."""
        while self._models:
            await self._models.pop().api.aclose()


def _failures() -> tuple[type[Exception], ...]:
    """What the SDKs that are loaded raise when a request fails; anything else is a defect of a provider."""
    found = [getattr(sys.modules[name], kind) for name, kind in SDK_ERRORS if name in sys.modules]
    return (OSError, RuntimeError, *found)


def _turns(asked: Any, request: Request) -> list[Any]:
    turns = list(request.messages)
    if request.answer_schema is not None:
        turns[-1] = turns[-1].but(text=f"{turns[-1].text}\n\n{SCHEMA_REQUEST}\n{request.answer_schema}")
    kinds = {"system": asked.ChatMessageSystem, "user": asked.ChatMessageUser}
    return [kinds[turn.role](content=_content(asked, turn)) for turn in turns]


def _content(asked: Any, message: Message) -> Any:
    if not message.pictures:
        return message.text
    return [
        asked.ContentText(text=part)
        if isinstance(part, str)
        else asked.ContentImage(image=f"data:{part.media_type};base64,{b64encode(part.content).decode()}")
        for part in message.parts
    ]


def _completion(answer: Any, sent: Any, request: Request) -> Completion:
    usage, choice = answer.usage, answer.choices[0] if answer.choices else None
    if choice is None:
        raise AnswerLost("the answer has no choices", where=answer.model)
    listed = choice.logprobs.content if choice.logprobs else ()
    return Completion(
        text=storable(answer.completion),
        finish=FINISHES.get(choice.stop_reason, "other"),
        usage=Usage() if usage is None else _usage(usage),
        model=storable(answer.model),
        tokens=tuple(
            Token(
                text=storable(each.token),
                logprob=each.logprob,
                top=tuple((storable(top.token), top.logprob) for top in each.top_logprobs or ()),
            )
            for each in listed
        ),
        dropped=() if sent is None else tuple(_left_out(request, sent.request)),
    )


def _usage(usage: Any) -> Usage:
    """Inspect counts cached and cache-write tokens beside the input; here they are part of it."""
    cached, written = usage.input_tokens_cache_read, usage.input_tokens_cache_write
    return Usage(
        input_tokens=usage.input_tokens + (cached or 0) + (written or 0),
        cached_tokens=cached,
        cache_write_tokens=written,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.reasoning_tokens,
    )


def _left_out(request: Request, sent: Any) -> Iterator[str]:
    names = set(_names(sent))
    for option, carried in CARRIED.items():
        wanted = getattr(request, option)
        if wanted is not None and wanted != "none" and not names & set(carried):
            yield option


def _names(node: Any) -> Iterator[str]:
    """The keys that were sent, with a value, outside the messages themselves."""
    if isinstance(node, dict):
        for key, value in node.items():
            if value is not None and key not in {"messages", "input", "contents"}:
                yield key
                yield from _names(value)


def _failure_of(error: Exception, address: str) -> ProviderError:
    if isinstance(error, ProviderError):
        return error
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return status_failure(status, short(str(error)), address)
    return connection_failure(error, address, 0.0)


def inspect(
    id: str,  # noqa: A002 - what every entry point of this group is given
    *,
    base_url: str | None = None,
    timeout: float | None = None,
    environ: Mapping[str, str] | None = None,  # Inspect reads its own keys
) -> InspectEndpoint:
    """`PROVIDER/MODEL` of Inspect. Raises UsageError without the package."""
    if "/" not in id:
        raise UsageError(f"{id!r} names no provider", where="inspect", expected="inspect:PROVIDER/MODEL")
    if importlib.util.find_spec("inspect_ai") is None:
        raise UsageError(
            "Inspect is not installed", where="inspect", expected="pip install 'rereview[inspect]'"
        )
    known = settings(environ=environ)
    key = known.get(f"{id.split('/', maxsplit=1)[0].upper().replace('-', '_')}_API_KEY")
    options = {"api_key": key} if key else {}
    made = InspectEndpoint(id, base_url, options=options)
    return made if timeout is None else InspectEndpoint(id, base_url, timeout, options=options)
