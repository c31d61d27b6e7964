"""What five providers say on the wire, through their real SDKs, against a server on loopback.

OpenAI, OpenRouter, vLLM and Ollama speak chat completions, each in its own way; Claude speaks messages.
"""

import asyncio
import json
import threading
from dataclasses import dataclass

import pytest

from dialects import Said, speaking
from rereview.errors import (
    AnswerLost,
    BadRequest,
    Dropped,
    KeyRejected,
    OutOfCredit,
    RateLimited,
    ServerFailed,
    TimedOut,
)
from rereview.models.anthropic import AnthropicEndpoint
from rereview.models.base import call_id
from rereview.models.journal import Journal
from rereview.models.openai import OpenAIEndpoint
from rereview.models.prices import Cap, Price, cost
from rereview.types.call import Message, Request

KEY = "sk-canary-90c2"
PRICE = Price(input=4, output=20, cached="0.4", cache_write=5)
ASK = Request(
    messages=(Message(role="system", text="Be brief."), Message(role="user", text="Well?")),
    answer_schema='{"type":"object","properties":{"a":{"type":"integer","minimum":1}}}',
    max_output_tokens=64,
)
CHAT = ("openai", "openrouter", "vllm", "ollama")
ALL = (*CHAT, "anthropic")


@dataclass(frozen=True)
class Spoken:
    """One answer in every dialect: text, how it ended, and counts with cached and written tokens inside."""

    text: str = '{"a": 1}'
    end: str = "stop"
    counts: bool = True
    tokens: tuple = ()

    def body(self, dialect):
        return self.message() if dialect == "anthropic" else self.chat(dialect)

    def chat(self, dialect):
        message = {"role": "assistant", "content": self.text}
        finish = {"stop": "stop", "cut": "length", "refused": "content_filter", "tool": "tool_calls"}[
            self.end
        ]
        if self.end == "refused" and dialect in {"openai", "openrouter"}:
            message, finish = {"role": "assistant", "content": None, "refusal": "I cannot."}, "stop"
        extra = (
            {"reasoning_content": None, "reasoning": "because"} if dialect in {"vllm", "openrouter"} else {}
        )
        choice = {"index": 0, "message": message | extra, "finish_reason": finish}
        if self.tokens:
            listed = [
                {
                    "token": text,
                    "logprob": -0.1,
                    "bytes": list(text.encode()),
                    "top_logprobs": [{"token": text, "logprob": -0.1}, {"token": "9", "logprob": -9999.0}],
                }
                for text in self.tokens
            ]
            choice["logprobs"] = {"content": listed, "refusal": None}
        usage = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
        if dialect in {"openai", "openrouter", "vllm"}:
            usage["prompt_tokens_details"] = {"cached_tokens": 600}
        if dialect in {"openai", "openrouter"}:
            usage["prompt_tokens_details"] |= {"cache_write_tokens": 200, "audio_tokens": 0}
            usage["completion_tokens_details"] = {"reasoning_tokens": 30}
        if dialect == "openrouter":
            usage |= {"cost": 0.0021, "is_byok": False}
        made = {"id": "c", "object": "chat.completion", "created": 1, "model": "m-1", "choices": [choice]}
        return made | ({"usage": usage} if self.counts else {})

    def message(self):
        end = {"stop": "end_turn", "cut": "max_tokens", "refused": "refusal", "tool": "tool_use"}[self.end]
        usage = {
            "input_tokens": 200,
            "cache_read_input_tokens": 600,
            "cache_creation_input_tokens": 200,
            "output_tokens": 50,
            "output_tokens_details": {"thinking_tokens": 30},
        }
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "m-1",
            "content": [
                {"type": "thinking", "thinking": "because", "signature": "x"},
                {"type": "text", "text": self.text},
            ],
            "stop_reason": end,
            "stop_sequence": None,
        } | ({"usage": usage} if self.counts else {})


def trouble(dialect, status, words):
    if dialect == "anthropic":
        kind = {429: "rate_limit_error", 529: "overloaded_error"}.get(status, "invalid_request_error")
        return {"type": "error", "error": {"type": kind, "message": words}, "request_id": "r"}
    if dialect == "ollama":
        return {"error": words} if status == 404 else {"error": {"message": words, "type": "api_error"}}
    if dialect == "openrouter":
        return {"error": {"code": status, "message": words, "metadata": {"provider_name": "p"}}}
    return {"error": {"message": words, "type": "x", "param": None, "code": None}}


def at(dialect, server, **options):
    given = {"key": KEY, "max_retries": 0, "timeout": 5.0} | options
    if dialect == "anthropic":
        return AnthropicEndpoint("m", server.url, **given)
    return OpenAIEndpoint("m", f"{server.url}/v1", dialect, **given)


async def answered(dialect, said, request=ASK, **options):
    """The completion, and what was asked."""
    with speaking(said if callable(said) else lambda _: said) as server:
        endpoint = at(dialect, server, **options)
        try:
            return await endpoint.complete(request), server.asked
        finally:
            await endpoint.aclose()


@pytest.mark.parametrize("dialect", ALL)
async def test_counts_are_the_same_whatever_they_are_called(dialect):
    """Input includes cached and written tokens, so that one formula prices all; what is not said is None."""
    answer, _ = await answered(dialect, Said(200, Spoken().body(dialect)))
    usage = answer.usage
    assert (answer.text, answer.model) == ('{"a": 1}', "m-1")
    assert (usage.input_tokens, usage.output_tokens) == (1000, 50)
    assert usage.cached_tokens == (None if dialect == "ollama" else 600)
    assert usage.cache_write_tokens == (None if dialect in {"ollama", "vllm"} else 200)
    assert usage.reasoning_tokens == (None if dialect in {"ollama", "vllm"} else 30)
    if usage.cache_write_tokens:
        assert cost(usage, PRICE) == pytest.approx((4 * 200 + 0.4 * 600 + 5 * 200 + 20 * 50) / 1e6)


@pytest.mark.parametrize("dialect", ALL)
async def test_absent_counts_are_unknown(dialect):
    """No usage at all is None everywhere, never 0."""
    answer, _ = await answered(dialect, Said(200, Spoken(counts=False).body(dialect)))
    assert set(answer.usage.model_dump().values()) == {None}


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize(
    ("end", "finish"), [("stop", "stop"), ("cut", "length"), ("refused", "refused"), ("tool", "other")]
)
async def test_how_an_answer_ends_is_kept(dialect, end, finish):
    """Whole, cut, refused and anything else are told apart."""
    answer, _ = await answered(dialect, Said(200, Spoken(end=end).body(dialect)))
    assert answer.finish == finish


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, BadRequest),
        (401, KeyRejected),
        (402, OutOfCredit),
        (403, KeyRejected),
        (404, BadRequest),
        (413, BadRequest),
        (429, RateLimited),
        (500, ServerFailed),
        (503, ServerFailed),
        (529, ServerFailed),
    ],
)
async def test_a_failure_is_named_by_what_can_be_done(dialect, status, error):
    """With the server's own words, and without the key."""
    said = Said(status, trouble(dialect, status, "words of the server"))
    with pytest.raises(error, match="words of the server") as raised:
        await answered(dialect, said, ASK.but(answer_schema=None))
    assert type(raised.value) is error
    assert KEY not in f"{raised.value!r} {raised.value}"


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize(
    "body", [b"", b'{"id": "c', b"<!doctype html><title>504</title>", b"[]", b"{}", b"null"]
)
async def test_a_200_without_an_answer_is_an_answer_that_was_lost(dialect, body):
    """It may have been billed, so it is not asked again by itself."""
    with pytest.raises(AnswerLost):
        await answered(dialect, Said(200, body), max_retries=3)


@pytest.mark.parametrize("dialect", ALL)
async def test_a_slow_answer_is_a_time_out_and_asked_once(dialect):
    """The time-out bounds the whole exchange."""
    with speaking(lambda _: Said(200, Spoken().body(dialect), seconds=2.5)) as server:
        endpoint = at(dialect, server, timeout=1.0, max_retries=3)
        with pytest.raises(TimedOut, match=r"within"):
            await endpoint.complete(ASK)
        await endpoint.aclose()
        assert len(server.asked) == 1


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize("status", [429, 503, 529])
async def test_haste_is_repeated_after_the_time_that_the_host_asks_for(dialect, status):
    """Twice refused, then answered: three requests."""
    left = [Said(status, trouble(dialect, status, "wait"), {"Retry-After": "0.02"})] * 2
    left.append(Said(200, Spoken().body(dialect)))
    answer, asked = await answered(dialect, lambda _: left.pop(0), max_retries=2)
    assert answer.finish == "stop"
    assert len(asked) == 3


@pytest.mark.parametrize("dialect", ALL)
async def test_a_lying_retry_after_does_not_hang(dialect):
    """An hour is an error at once."""
    said = Said(429, trouble(dialect, 429, "wait"), {"Retry-After": "3600"})
    with pytest.raises(RateLimited):
        await asyncio.wait_for(answered(dialect, said, max_retries=3), 5)


@pytest.mark.parametrize("dialect", ALL)
async def test_only_what_was_asked_is_sent_and_the_schema_goes_along(dialect):
    """No temperature, effort, seed or log-probabilities unless the request has them."""
    _, (asked,) = await answered(dialect, Said(200, Spoken().body(dialect)))
    usual = {"model", "messages", "max_tokens"}
    if dialect == "anthropic":
        assert set(asked.body) == usual | {"system", "output_config"}
        assert asked.body["output_config"]["format"]["schema"]["properties"] == {"a": {"type": "integer"}}
        assert KEY in asked.headers["authorization"]
        assert asked.path == "/v1/messages"
    else:
        provider = {"provider"} if dialect == "openrouter" else set()
        assert set(asked.body) == usual | {"response_format"} | provider
        assert asked.headers["authorization"] == f"Bearer {KEY}"
        assert asked.path == "/v1/chat/completions"
    if dialect == "openrouter":
        assert asked.body["provider"] == {"require_parameters": True}


@pytest.mark.parametrize("dialect", ALL)
async def test_effort_and_temperature_are_sent_on(dialect):
    """Each under the dialect's own name."""
    request = ASK.but(reasoning_effort="medium", temperature=1.0)
    _, (asked,) = await answered(dialect, Said(200, Spoken().body(dialect)), request)
    assert asked.body["temperature"] == 1.0
    if dialect == "anthropic":
        assert asked.body["output_config"]["effort"] == "medium"
        assert asked.body["thinking"] == {"type": "adaptive"}
    else:
        assert asked.body["reasoning_effort"] == "medium"


@pytest.mark.parametrize("dialect", CHAT)
async def test_log_probabilities_are_read(dialect):
    """Tokens with their likeliest alternatives; -9999 stays finite."""
    said = Said(200, Spoken(tokens=('{"a": ', "1", "}")).body(dialect))
    answer, (asked,) = await answered(dialect, said, ASK.but(top_logprobs=20))
    assert (asked.body["logprobs"], asked.body["top_logprobs"]) == (True, 20)
    assert [token.text for token in answer.tokens] == ['{"a": ', "1", "}"]
    assert answer.tokens[1].top == (("1", -0.1), ("9", -9999.0))


class Shelf(dict):
    """A ledger in memory."""

    def get_call(self, call_id):
        return self.get(call_id)

    def add_call(self, call):
        self[call.id] = call


async def journalled(dialect, said, request, **options):
    with speaking(said if callable(said) else lambda _: said) as server:
        endpoint = at(dialect, server, **options)
        shelf = Shelf()
        cap = Cap(1)
        try:
            await Journal(endpoint, shelf, "s", PRICE, cap)(request)
        except Dropped as error:
            return error, shelf, cap, server
        finally:
            await endpoint.aclose()
    return None, shelf, cap, server


@pytest.mark.parametrize("dialect", CHAT)
async def test_log_probabilities_that_do_not_come_are_an_error_and_the_call_is_kept(dialect):
    """It was paid for; the error says what is missing, and saying it again asks nothing."""
    error, shelf, cap, server = await journalled(
        dialect, Said(200, Spoken().body(dialect)), ASK.but(top_logprobs=20)
    )
    assert "none came back" in str(error)
    assert len(shelf) == len(server.asked) == 1
    assert cap.spent > 0


async def test_what_claude_cannot_do_is_refused_before_anything_is_sent():
    """Log-probabilities, a seed and an unknown effort cost nothing."""
    for changes in ({"top_logprobs": 20}, {"seed": 1}, {"reasoning_effort": "minimal"}):
        error, shelf, cap, server = await journalled(
            "anthropic", Said(200, Spoken().body("anthropic")), ASK.but(**changes)
        )
        assert isinstance(error, Dropped)
        assert not server.asked
        assert not shelf
        assert cap.spent == 0


async def test_reasoning_in_spite_of_effort_none_is_noticed():
    """The counts tell it."""
    error, *_ = await journalled(
        "openai", Said(200, Spoken().body("openai")), ASK.but(reasoning_effort="none")
    )
    assert "30 tokens" in str(error)


@pytest.mark.parametrize("dialect", CHAT)
async def test_a_model_without_reasoning_is_not_told_to_use_none(dialect):
    """Effort none is left out where it is refused, and remembered; another effort is not."""

    def said(asked):
        if "reasoning_effort" in asked.body:
            return Said(400, trouble(dialect, 400, "Unsupported parameter: 'reasoning_effort'"))
        return Said(200, Spoken(tokens=("1",)).body("ollama"))

    _, asked = await answered(dialect, said, ASK.but(reasoning_effort="none"))
    assert [("reasoning_effort" in each.body) for each in asked] == [True, False]
    with pytest.raises(BadRequest, match="reasoning_effort"):
        await answered(dialect, said, ASK.but(reasoning_effort="high"))


@pytest.mark.parametrize("dialect", ALL)
async def test_a_temperature_that_is_refused_is_said(dialect):
    """A 400 on temperature is the user's to decide; nothing is left out in silence."""
    said = Said(400, trouble(dialect, 400, "temperature does not support 0.5 with this model"))
    with pytest.raises(BadRequest, match="temperature"):
        await answered(dialect, said, ASK.but(temperature=0.5, answer_schema=None))


async def test_claude_without_schemas_is_asked_in_words():
    """A model that refuses output_config is asked in the prompt, and that is remembered."""

    def said(asked):
        if "output_config" in asked.body:
            return Said(400, trouble("anthropic", 400, "output_config.format: not supported by this model"))
        return Said(200, Spoken().body("anthropic"))

    with speaking(said) as server:
        endpoint = at("anthropic", server)
        first, second = [await endpoint.complete(ASK) for _ in range(2)]
        await endpoint.aclose()
    assert not first.structured
    assert not second.structured
    assert ["output_config" in each.body for each in server.asked] == [True, False, False]
    assert ASK.answer_schema in json.dumps(server.asked[-1].body["messages"]).replace("\\", "")


async def test_claude_without_schemas_is_asked_in_words_by_all_who_ask_at_once():
    """Four requests are refused together: each is asked again in words, and says that no schema held."""
    together, lock, first = threading.Barrier(4), threading.Lock(), [0]

    def answer(asked):
        with lock:
            first[0] += 1
            early = first[0] <= 4
        if early:
            together.wait(60)
        if "output_config" in asked.body:
            return Said(400, {"error": {"message": "output_config.format is not supported"}})
        return Said(200, Spoken().message())

    with speaking(answer) as server:
        endpoint = AnthropicEndpoint("m", server.url, key="k", max_retries=0)
        answers = await asyncio.gather(*(endpoint.complete(ASK) for _ in range(4)), return_exceptions=True)
        await endpoint.aclose()
    assert [each.structured for each in answers] == [False] * 4
    assert len(server.asked) == 8


@pytest.mark.parametrize("dialect", ALL)
async def test_half_a_surrogate_pair_can_be_stored(dialect):
    """What cannot be encoded is spelt out, in the answer and in the name that the endpoint gives itself."""
    said = Spoken(text="a\ud800b").body(dialect) | {"model": "m\ud800"}
    answer, _ = await answered(dialect, Said(200, said))
    assert answer.to_json().encode()


def test_two_providers_never_share_a_call():
    """The same question to another provider, or with another effort, is another call."""
    ids = {
        call_id(name=f"{dialect}:m", address="http://h/v1", sample="s", request=request)
        for dialect in ALL
        for request in (ASK, ASK.but(reasoning_effort="low"), ASK.but(top_logprobs=20), ASK.but(seed=1))
    }
    assert len(ids) == 4 * len(ALL)
