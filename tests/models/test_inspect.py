"""Any provider of Inspect, through Inspect itself, where it is installed."""

import importlib.util

import pytest

from dialects import Said, speaking
from rereview.errors import Dropped, KeyRejected, RateLimited, TimedOut, UsageError
from rereview.models.inspect import InspectEndpoint, inspect
from rereview.models.journal import Journal
from rereview.models.prices import Cap, Price
from rereview.types.call import Message, Request

there = importlib.util.find_spec("inspect_ai") is not None
needs_inspect = pytest.mark.skipif(not there, reason="the extra inspect is not installed")
ASK = Request(
    messages=(Message(role="system", text="Be brief."), Message(role="user", text="Well?")),
    answer_schema='{"type":"object"}',
    max_output_tokens=64,
)
KEY = {"api_key": "sk-canary"}


def chat(**choice):
    message = {"role": "assistant", "content": '{"a": 1}'}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"} | choice],
        "usage": {
            "prompt_tokens": 1000,
            "completion_tokens": 50,
            "total_tokens": 1050,
            "prompt_tokens_details": {"cached_tokens": 600},
            "completion_tokens_details": {"reasoning_tokens": 30},
        },
    }


async def answered(said, request=ASK, model="openai-api/local/m", **options):
    with speaking(said if callable(said) else lambda _: said) as server:
        made = InspectEndpoint(model, f"{server.url}/v1", **{"options": KEY, "max_retries": 0} | options)
        try:
            return await made.complete(request), server.asked
        finally:
            await made.aclose()


def test_without_the_package_the_error_names_the_extra():
    """And an id without a provider is said."""
    with pytest.raises(UsageError, match=r"inspect:PROVIDER/MODEL"):
        inspect("m", environ={})
    if not there:
        with pytest.raises(UsageError, match=r"rereview\[inspect\]"):
            inspect("openai/m", environ={})


@needs_inspect
async def test_counts_ends_and_log_probabilities_are_read():
    """Input includes what was cached; the schema goes along in words."""
    listed = [
        {
            "token": "1",
            "logprob": -0.1,
            "bytes": [49],
            "top_logprobs": [{"token": "2", "logprob": -3.0, "bytes": [50]}],
        }
    ]
    answer, asked = await answered(
        Said(200, chat(logprobs={"content": listed, "refusal": None})), ASK.but(top_logprobs=20)
    )
    assert (answer.text, answer.finish) == ('{"a": 1}', "stop")
    usage = answer.usage
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (1000, 600, 50)
    assert answer.tokens[0].top == (("2", -3.0),)
    assert asked[0].body["top_logprobs"] == 20
    assert ASK.answer_schema in asked[0].body["messages"][-1]["content"]
    assert answer.dropped == ()


@needs_inspect
@pytest.mark.parametrize(
    ("reason", "finish"), [("length", "length"), ("content_filter", "refused"), ("tool_calls", "other")]
)
async def test_how_an_answer_ends_is_kept(reason, finish):
    """Cut, refused and anything else."""
    answer, _ = await answered(Said(200, chat(finish_reason=reason)))
    assert answer.finish == finish


@needs_inspect
@pytest.mark.parametrize(("status", "error"), [(401, KeyRejected), (429, RateLimited)])
async def test_a_failure_is_named_by_what_can_be_done(status, error):
    """Whatever SDK the provider stands on; the key is in nothing that is said."""
    with pytest.raises(error, match="words") as raised:
        await answered(Said(status, {"error": {"message": "words"}}))
    assert "sk-canary" not in str(raised.value)


@needs_inspect
async def test_a_slow_answer_is_a_time_out():
    """The time-out bounds the whole exchange."""
    with pytest.raises(TimedOut):
        await answered(Said(200, chat(), seconds=0.6), timeout=0.3)


class Shelf(dict):
    """A ledger in memory."""

    def get_call(self, call_id):
        return self.get(call_id)

    def add_call(self, call):
        self[call.id] = call


@needs_inspect
@pytest.mark.parametrize("changes", [{"temperature": 0.5}])
async def test_what_inspect_drops_is_an_error_and_the_call_is_kept(changes):
    """For a reasoning model it leaves a temperature out with a warning only."""
    with speaking(lambda _: Said(200, chat())) as server:
        made = InspectEndpoint(
            "openai/o3-mini", f"{server.url}/v1", options=KEY | {"responses_api": False}, max_retries=0
        )
        shelf = Shelf()
        with pytest.raises(Dropped, match=next(iter(changes))):
            await Journal(made, shelf, "s", Price(input=1, output=1), Cap(1))(ASK.but(**changes))
        await made.aclose()
    sent = server.asked[0].body
    assert not set(changes) & set(sent)
    assert len(shelf) == 1
