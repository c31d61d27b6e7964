"""A model as a server: the dialects of programs, and whose key opens it."""

import asyncio
import json

import aiohttp
import pytest
from openai import AsyncOpenAI, AuthenticationError, InternalServerError

from rereview.errors import BadRequest, BudgetError, OutOfCredit
from rereview.models.gateway import request_of, serve
from rereview.models.journal import Journal
from rereview.models.prices import FREE, Cap
from rereview.models.scripted import ScriptedEndpoint
from reviewers.recorded import Ledger, Recorded

ASKED = [{"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": "u"}]}]


async def asked(answer="hello", **body):
    recorded = Recorded(lambda request: answer)
    async with serve(recorded.model) as gateway:
        client = AsyncOpenAI(api_key=gateway.key, base_url=gateway.base_url, max_retries=0)
        made = await client.chat.completions.create(model="x", messages=ASKED, **body)
        await client.close()
    return made, recorded.requests[0]


async def test_the_official_client_is_answered_through_the_journal():
    """The call is kept; a limit of output is set where the program sets none."""
    made, request = await asked()
    assert made.choices[0].message.content == "hello"
    assert made.choices[0].finish_reason == "stop"
    assert [(each.role, each.text) for each in request.messages] == [("system", "s"), ("user", "u")]
    assert request.max_output_tokens == 16_000


async def test_a_tool_becomes_the_shape_of_the_answer():
    """And the answer the arguments of its function, without a fence."""
    shape = {"type": "object", "properties": {"n": {"type": "integer", "title": "N"}}}
    tools = [{"type": "function", "function": {"name": "Count", "parameters": shape}}]
    choice = {"type": "function", "function": {"name": "Count"}}
    made, request = await asked('```json\n{"n": 3}\n```', tools=tools, tool_choice=choice, max_tokens=50)
    (call,) = made.choices[0].message.tool_calls
    assert (call.function.name, json.loads(call.function.arguments)) == ("Count", {"n": 3})
    assert json.loads(request.answer_schema)["required"] == ["n"]
    assert request.max_output_tokens == 50


async def test_a_stream_is_the_answer_in_one_piece():
    """For programs that ask for one."""
    recorded = Recorded(lambda request: "hello")
    async with serve(recorded.model) as gateway:
        client = AsyncOpenAI(api_key=gateway.key, base_url=gateway.base_url)
        stream = await client.chat.completions.create(model="x", messages=ASKED, stream=True)
        said = [chunk.choices[0].delta.content async for chunk in stream]
        await client.close()
    assert said == ["hello"]


async def test_another_key_does_not_open_it():
    """A program on this machine that was not given the key gets nothing."""
    recorded = Recorded(lambda request: "hello")
    async with serve(recorded.model) as gateway:
        client = AsyncOpenAI(api_key="sk-other", base_url=gateway.base_url, max_retries=0)
        with pytest.raises(AuthenticationError):
            await client.chat.completions.create(model="x", messages=ASKED)
        await client.close()
        assert gateway.key not in repr(gateway)
    assert recorded.requests == []


async def test_the_same_question_again_is_another_try():
    """A program asks again where it did not like the answer; the ledger must not give it the same."""
    answers = iter(["one", "two"])
    recorded = Recorded(lambda request: next(answers))
    async with serve(recorded.model) as gateway:
        client = AsyncOpenAI(api_key=gateway.key, base_url=gateway.base_url)
        made = [await client.chat.completions.create(model="x", messages=ASKED) for _ in range(2)]
        await client.close()
    assert [each.choices[0].message.content for each in made] == ["one", "two"]
    assert [request.attempt for request in recorded.requests] == [1, 2]


@pytest.mark.parametrize(("error", "status"), [(BudgetError("cap"), 402), (OutOfCredit("402: no"), 402)])
async def test_a_refusal_has_its_status_and_is_remembered(error, status):
    """So that whoever ran the program can say why it ended."""

    def fail(request):
        raise error

    recorded = Recorded(fail)
    async with serve(recorded.model) as gateway, aiohttp.ClientSession() as session:
        headers = {"Authorization": f"Bearer {gateway.key}"}
        body = {"messages": ASKED}
        async with session.post(f"{gateway.base_url}/chat/completions", json=body, headers=headers) as answer:
            assert answer.status == status
        async with session.post(f"{gateway.base_url}/chat/completions", data=b"{", headers=headers) as answer:
            assert answer.status == 400
    assert gateway.failures == [error]


def test_earlier_answers_of_a_conversation_are_said_to_be_that():
    """A request of ours knows no other roles."""
    call = {"type": "function", "function": {"name": "f", "arguments": '{"n": 1}'}}
    body = {
        "messages": [
            {"role": "developer", "content": "d"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "content": "wrong"},
        ]
    }
    assert [(each.role, each.text) for each in request_of(body).messages] == [
        ("system", "d"),
        ("user", '[You answered before]\n\n{"n": 1}'),
        ("user", "[A tool answered]\nwrong"),
    ]


async def test_a_temperature_that_a_model_refuses_is_left_out():
    """Programs set one that some models do not take; the ledger holds what was really asked."""

    def answer(request):
        if request.temperature is not None:
            raise BadRequest("400: Unsupported value: 'temperature' does not support 0.0 with this model.")
        return "hello"

    recorded = Recorded(answer)
    async with serve(recorded.model) as gateway:
        client = AsyncOpenAI(api_key=gateway.key, base_url=gateway.base_url, max_retries=0)
        made = await client.chat.completions.create(
            model="x", messages=ASKED, temperature=0.0, reasoning_effort="high"
        )
        await client.close()
    assert made.choices[0].message.content == "hello"
    assert gateway.failures == []
    assert [request.reasoning_effort for request in recorded.requests] == ["high", "high"]
    assert [call.request.temperature for call in gateway.calls] == [None]


async def test_what_a_program_does_not_wait_for_is_kept_all_the_same():
    """It ends while its question is out: the answer is paid for, and the next run finds it."""
    begun, go = asyncio.Event(), asyncio.Event()

    async def late(request):
        begun.set()
        await go.wait()
        return "late"

    ledger = Ledger()
    async with serve(Journal(ScriptedEndpoint(late), ledger, "s", FREE, Cap(1.0))) as gateway:
        client = AsyncOpenAI(api_key=gateway.key, base_url=gateway.base_url, max_retries=0)
        asking = asyncio.create_task(client.chat.completions.create(model="x", messages=ASKED))
        await begun.wait()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await client.close()
        asyncio.get_running_loop().call_later(1.5, go.set)
    assert [call.completion.text for call in ledger.calls.values()] == ["late"]


async def test_a_failure_that_is_nobodys_fault_is_said_too():
    """A script that answers with a number: the program reads what is wrong, and the run is told."""
    recorded = Journal(ScriptedEndpoint(lambda _: 5), Ledger(), "s", FREE, Cap(1.0))
    async with serve(recorded) as gateway:
        client = AsyncOpenAI(api_key=gateway.key, base_url=gateway.base_url, max_retries=0)
        with pytest.raises(InternalServerError, match="the script answered with int"):
            await client.chat.completions.create(model="x", messages=ASKED)
        await client.close()
        assert "the script answered with int" in str(gateway.failures[0])
