"""What comes over the wire: chat completions, and failures by what a person can do about them."""

from __future__ import annotations

import json

from openai import APIConnectionError, APIStatusError, OpenAIError
from pydantic import BaseModel

from rereview.errors import (
    AnswerLost,
    BadRequest,
    KeyRejected,
    OutOfCredit,
    ProviderError,
    RateLimited,
    Refused,
    ServerFailed,
    TimedOut,
)
from rereview.models.hosts import CircuitOpen
from rereview.models.transport import chain, unreached
from rereview.types.call import Completion, Finish, Token, Usage

FINISHES: dict[str | None, Finish] = {"stop": "stop", "length": "length", "content_filter": "refused"}
LOWEST = -9999.0
"""A log-probability below it, minus infinity too, is written as this."""
SHOWN = 200
"""Characters of a server's own words in a message."""


class _InputDetails(BaseModel):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    cache_creation_tokens: int | None = None


class _OutputDetails(BaseModel):
    reasoning_tokens: int | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _InputDetails | None = None
    completion_tokens_details: _OutputDetails | None = None


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Likely(BaseModel):
    token: str
    logprob: float


class _Token(_Likely):
    top_logprobs: list[_Likely] = []


class _Logprobs(BaseModel):
    content: list[_Token] | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _Answer(BaseModel):
    choices: list[_Choice]
    model: str | None = None
    usage: _Usage | None = None


def answer_of(body: bytes, address: str, *, structured: bool) -> Completion:
    """The completion in the body of a 200. Raises AnswerLost where there is none."""
    try:
        answer = _Answer.model_validate(json.loads(body))
        choice = answer.choices[0]
    except (ValueError, RecursionError, IndexError) as error:
        raise _no_answer(body, address) from error
    refused = bool(choice.message.refusal)
    listed = choice.logprobs.content if choice.logprobs else None
    return Completion(
        text=storable(choice.message.refusal if refused else choice.message.content),
        finish="refused" if refused else FINISHES.get(choice.finish_reason, "other"),
        usage=_usage(answer.usage or _Usage()),
        model=None if answer.model is None else storable(answer.model),
        structured=structured,
        tokens=tuple(_token(token) for token in listed or ()),
    )


def failure_of(error: OpenAIError, address: str, seconds: float) -> ProviderError:
    """The SDK's exception as ours."""
    if isinstance(error, APIStatusError):
        return status_failure(error.status_code, said_in(error.response.content), address)
    if isinstance(error, APIConnectionError):
        return connection_failure(error, address, seconds)
    return ServerFailed(f"{type(error).__name__}: {short(str(error))}", where=address)


def connection_failure(error: BaseException, address: str, seconds: float) -> ProviderError:
    """The failure of a connection as ours, by what stands in its chain of causes."""
    links = chain(error)
    opened = next((link for link in links if isinstance(link, CircuitOpen)), None)
    if opened is not None:
        return ServerFailed(str(opened), where=address, expected=opened.expected)
    if (cause := unreached(error)) is not None:
        return Refused(cause.what, where=address, expected=cause.expected)
    if any(isinstance(link, TimeoutError) for link in links):
        return TimedOut(
            f"no answer within {seconds:g} s", where=address, expected="a longer time-out or a faster model"
        )
    return AnswerLost("the connection broke before the answer had come", where=address)


def status_failure(status: int, said: str, address: str) -> ProviderError:
    """What a status means to the person who pays; `said` is the server's own message."""
    what = f"{status}: {said}" if said else str(status)
    if status in {401, 403}:
        return KeyRejected(what, where=address, expected="check the key in the environment or in .env")
    if status == 402:  # noqa: PLR2004 - Payment Required
        return OutOfCredit(what, where=address, expected="add credit, then go on")
    if status == 429:  # noqa: PLR2004 - Too Many Requests
        return RateLimited(what, where=address, expected="wait, or run fewer calls at once")
    if status >= 500:  # noqa: PLR2004 - the server's own failures start here
        return ServerFailed(what, where=address)
    if status < 400:  # noqa: PLR2004 - a redirect
        return BadRequest(
            f"{status}: a redirect, which is not followed", where=address, expected="the final base URL"
        )
    # Not Found: there is no such model, or no such path.
    return BadRequest(what, where=address, expected="check --model and --base-url" if status == 404 else "")  # noqa: PLR2004


def _no_answer(body: bytes, address: str) -> ProviderError:
    """A 200 without a completion; some gateways put an error of their own into it."""
    said = said_in(body)
    try:
        code = json.loads(body)["error"]["code"]
    except (ValueError, RecursionError, KeyError, TypeError):
        code = None
    if isinstance(code, int) and code >= 400:  # noqa: PLR2004 - an HTTP status of failure
        return status_failure(code, said, address)
    shown = f"it begins {said!r}" if said else "it is empty"
    return AnswerLost(f"the answer is no chat completion; {shown}", where=address)


def said_in(body: bytes) -> str:
    """The message of an error body, or the start of the body, as one line."""
    text = body.decode("utf-8", "replace")
    try:
        error = json.loads(text)["error"]
        return short(str(error["message"]) if isinstance(error, dict) else str(error))
    except (ValueError, RecursionError, KeyError, TypeError):
        return short(text)


def short(text: str) -> str:
    """Words from elsewhere as one line of bounded length."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * SHOWN]).split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def _usage(usage: _Usage) -> Usage:
    given, made = usage.prompt_tokens_details, usage.completion_tokens_details
    return Usage(
        input_tokens=usage.prompt_tokens,
        cached_tokens=given.cached_tokens if given else None,
        cache_write_tokens=_written(given) if given else None,
        output_tokens=usage.completion_tokens,
        reasoning_tokens=made.reasoning_tokens if made else None,
    )


def _written(given: _InputDetails) -> int | None:
    """Two names for the same count are in use."""
    return given.cache_creation_tokens if given.cache_write_tokens is None else given.cache_write_tokens


def _token(token: _Token) -> Token:
    """A certain token may be given as -9999 or minus infinity for what cannot come: kept finite."""
    top = tuple((storable(each.token), max(each.logprob, LOWEST)) for each in token.top_logprobs)
    return Token(text=storable(token.token), logprob=max(token.logprob, LOWEST), top=top)


def storable(text: str | None) -> str:
    r"""A lone surrogate cannot be stored: it is spelt out as `\ud800`, as JSON would."""
    return (text or "").encode("utf-8", "backslashreplace").decode()
