"""Questions for a record, through the journal and the SDK."""

import subprocess
import sys
from typing import Literal

import pytest
from pydantic import Field

from rereview.errors import RateLimited, Unreadable, UsageError
from rereview.models.base import ask, ask_for, endpoint, is_loopback, schema_of
from rereview.models.journal import Journal
from rereview.models.openai import OpenAIEndpoint
from rereview.models.prices import FREE, Cap
from rereview.models.scripted import ScriptedEndpoint
from rereview.types.call import Completion, Message, Usage
from rereview.types.record import Record
from servers import Fault, Ok, serve

ASKED = (Message(role="user", text="Well?"),)


class Point(Record):
    """An item."""

    title: str
    pages: tuple[int, ...] = ()


class Form(Record):
    """A form with a field of every kind."""

    score: int = Field(ge=1, le=10)
    verdict: Literal["accept", "reject"] | None = None
    points: tuple[Point, ...] = ()


class Shelf(dict):
    """A ledger in memory."""

    def get_call(self, call_id):
        return self.get(call_id)

    def add_call(self, call):
        self[call.id] = call


def model(answers):
    """A journal over a script of answers, one a call."""
    left = list(answers)
    return Journal(ScriptedEndpoint(lambda _: left.pop(0)), Shelf(), sample="s", price=FREE, cap=Cap(0))


async def test_an_answer_becomes_a_record():
    """A valid answer is asked once."""
    one = model(['{"score": 7}'])
    answer = await ask_for(one, messages=ASKED, shape=Form)
    assert (answer.value, answer.status, answer.problem) == (Form(score=7), "ok", None)
    assert [call.request.attempt for call in answer.calls] == [1]
    assert not one.repaired


async def test_an_invalid_answer_is_asked_again_as_a_new_call():
    """Each attempt is its own call and all are kept; the first valid one counts."""
    one = model(["I like it.", '{"score": "7 or 8"}', '{"score": "7/10"}'])
    answer = await ask_for(one, messages=ASKED, shape=Form)
    assert (answer.value.score, answer.status) == (7, "repaired")
    assert [call.request.attempt for call in answer.calls] == [1, 2, 3]
    assert len(set(one.call_ids)) == len(one.ledger) == 3
    assert one.repaired


@pytest.mark.parametrize(
    ("last", "status"),
    [
        ('{"score": 6.5}', "invalid"),
        (Completion(text="I cannot.", finish="refused", usage=Usage()), "refused"),
        (Completion(text='{"verdict": "acc', finish="length", usage=Usage()), "truncated"),
    ],
)
async def test_the_last_failure_is_raised_with_its_text(last, status):
    """Unreadable says why, holds the raw answer, and names the calls."""
    one = model(["", "", last])
    with pytest.raises(Unreadable) as raised:
        await ask_for(one, messages=ASKED, shape=Form)
    assert raised.value.status == status
    assert raised.value.raw == (last if isinstance(last, str) else last.text)
    assert raised.value.calls == one.call_ids
    assert raised.value.exit_code == 4


async def test_a_check_of_the_caller_counts_as_invalid():
    """A record that validates and fails the check is kept and asked again."""
    one = model(['{"score": 3}', '{"score": 4}'])
    answer = await ask_for(
        one,
        messages=ASKED,
        shape=Form,
        check=lambda form: "odd scores are not used" if form.score % 2 else None,
    )
    assert answer.value.score == 4
    with pytest.raises(Unreadable, match="odd scores"):
        await ask_for(
            model(['{"score": 3}']), messages=ASKED, shape=Form, tries=1, check=lambda _: "odd scores"
        )


async def test_a_cut_list_keeps_its_whole_items_and_is_marked():
    """What was whole is used, the status says that it is not all."""
    cut = '{"score": 5, "points": [{"title": "a", "pages": [1]}, {"title": "b", "pa'
    one = model([Completion(text=cut, finish="length", usage=Usage())])
    answer = await ask_for(one, messages=ASKED, shape=Form)
    assert (answer.status, [point.title for point in answer.value.points]) == ("truncated", ["a"])
    assert one.repaired


async def test_over_the_wire_with_every_kind_of_trouble():
    """429, prose, then a fenced answer: one record, two calls, three requests."""
    script = [Fault("429", retry_after=0.001), "No JSON here.", Ok('```json\n{"score": 9}\n```')]
    with serve(script) as server:
        end = OpenAIEndpoint("m", server.base_url)
        one = Journal(end, Shelf(), sample="s", price=FREE, cap=Cap(0))
        answer = await ask_for(one, messages=ASKED, shape=Form, max_output_tokens=50)
        await end.aclose()
    assert (answer.value.score, len(answer.calls), len(server.requests)) == (9, 2, 3)
    sent = server.requests[0].body["response_format"]["json_schema"]
    assert sent["strict"] is True
    assert sent["schema"]["required"] == ["points", "score", "verdict"]


async def test_a_provider_that_fails_passes_through():
    """Only unreadable answers are asked again."""
    with serve(Fault("429")) as server:
        end = OpenAIEndpoint("m", server.base_url, max_retries=0)
        with pytest.raises(RateLimited):
            await ask_for(
                Journal(end, Shelf(), sample="s", price=FREE, cap=Cap(0)), messages=ASKED, shape=Form
            )
        await end.aclose()
    assert len(server.requests) == 1


async def test_plain_questions_leave_an_empty_system_out():
    """`ask` sends a system turn only where there is one."""
    assert [turn.role for turn in (await ask(model(["x"]), "", "u")).request.messages] == ["user"]
    assert [turn.role for turn in (await ask(model(["x"]), "s", "u")).request.messages] == ["system", "user"]


def test_the_schema_is_strict_and_canonical():
    """No defaults and titles, everything required, nothing further allowed; equal shapes, equal bytes."""
    schema = schema_of(Form)
    assert schema == schema_of(Form)
    assert '"default"' not in schema
    assert schema.count('"additionalProperties":false') == 2
    assert '"required":["pages","title"]' in schema
    assert '"title":{"type":"string"}' in schema


@pytest.mark.parametrize(
    "host", ["", "localhost", "localhost:8000", "127.0.0.1:1", "127.9.9.9", "[::1]:80", "a.localhost"]
)
def test_hosts_of_this_machine(host):
    """Loopback names and addresses, with and without port."""
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["example.org", "127.0.0.1.example.org", "localhost.example.org", "10.0.0.1", "0.0.0.0:80"]
)
def test_hosts_elsewhere(host):
    """What only looks like this machine is not."""
    assert not is_loopback(host)


def test_a_model_is_named_by_provider_and_id(tmp_path, monkeypatch):
    """`[PROVIDER:]ID`, the provider defaulting to openai; what is no provider is part of the id."""
    monkeypatch.chdir(tmp_path)
    assert endpoint("ollama:qwen2:7b", environ={}).name == "ollama:qwen2:7b"
    assert endpoint("gpt-5.5", environ={"OPENAI_API_KEY": "k"}).name == "openai:gpt-5.5"
    assert endpoint("llama3.1:8b", environ={"OPENAI_API_KEY": "k"}).name == "openai:llama3.1:8b"
    assert endpoint("org/model:free", environ={"OPENAI_API_KEY": "k"}).name == "openai:org/model:free"
    with pytest.raises(UsageError, match="ollama:ID"):
        endpoint("ollama", environ={})


def test_the_heavy_libraries_are_left_alone_until_they_are_needed():
    """Neither the package nor the parts that every command imports load an SDK or pandas."""
    parts = "rereview, rereview.models.base, rereview.models.journal, rereview.models.scripted"
    heavy = "{'openai', 'aiohttp', 'pandas', 'scipy'}"
    code = f"import sys, {parts}; print(sorted({heavy} & set(sys.modules)))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )
