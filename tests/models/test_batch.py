"""Batches of two providers, through their SDKs, with a provider on loopback that takes its time."""

import asyncio
import json
import re

import pytest

from dialects import Said, speaking
from rereview.cli.main import main
from rereview.errors import ProviderError, ServerFailed, UsageError, Waiting
from rereview.models.anthropic import AnthropicEndpoint
from rereview.models.batch import BatchEndpoint, Progress, batched, half
from rereview.models.openai import OpenAIEndpoint
from rereview.models.prices import Price
from rereview.models.scripted import ScriptedEndpoint
from rereview.study.store import Store
from rereview.types.call import Batch, Completion, Message, Request, Usage
from rereview.types.document import ReviewDocument

FILLED = {
    "summary": "s",
    "strengths": [],
    "concerns": [],
    "rationale": "r",
    "score": 6,
    "confidence": 3,
}


class Provider:
    """Batches in memory. `done` decides whether they are; `result` makes what came of a row."""

    elsewhere = None

    def __init__(self, result=None):
        self.done = False
        self.state = None
        self.files, self.batches = {}, {}
        self.result = result or (lambda row: self.message(row) if "params" in row else self.chat(row))

    def chat(self, row):
        body = {
            "model": "m-1",
            "choices": [{"message": {"content": json.dumps(FILLED)}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 100},
        }
        return {"custom_id": row["custom_id"], "response": {"status_code": 200, "body": body}, "error": None}

    def message(self, row):
        message = {
            "model": "m-1",
            "content": [{"type": "text", "text": json.dumps(FILLED)}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 1000, "output_tokens": 100},
        }
        return {"custom_id": row["custom_id"], "result": {"type": "succeeded", "message": message}}

    def __call__(self, asked):  # noqa: PLR0911 - one return a path
        path = asked.path.partition("?")[0]
        self.url = self.elsewhere or f"http://{asked.headers['host']}"
        if path == "/v1/files":
            name = f"file-{len(self.files)}"
            self.files[name] = re.search(rb"\r\n\r\n(\{\"custom_id.*?)\r\n--", asked.body, re.DOTALL)[1]
            return Said(200, {"id": name, "object": "file"})
        if match := re.fullmatch(r"/v1/files/(.*)/content", path):
            return Said(200, self.files[match[1]])
        if path == "/v1/batches":
            rows = [json.loads(row) for row in self.files[asked.body["input_file_id"]].splitlines()]
            return Said(200, self.chat_batch(self.new(rows)))
        if path == "/v1/messages/batches":
            return Said(200, self.message_batch(self.new(asked.body["requests"])))
        if match := re.fullmatch(r"/v1/messages/batches/(\w+)/results", path):
            rows = [self.result(row) for row in self.batches[match[1]]]
            return Said(200, "\n".join(json.dumps(row) for row in rows if row).encode())
        if match := re.fullmatch(r"/v1/messages/batches/(\w+)", path):
            return Said(200, self.message_batch(match[1]))
        if match := re.fullmatch(r"/v1/batches/(\w+)", path):
            return Said(200, self.chat_batch(match[1]))
        return Said(404, {"error": {"message": f"no {path}"}})

    def new(self, rows):
        name = f"b{len(self.batches)}"
        self.batches[name] = rows
        return name

    def chat_batch(self, name):
        rows = self.batches[name]
        state = self.state or ("completed" if self.done else "in_progress")
        made = {
            "id": name,
            "status": state,
            "request_counts": {"total": len(rows), "completed": 0, "failed": 0},
        }
        if state in {"completed", "expired"}:
            answers = [self.result(row) for row in rows]
            self.files[f"out-{name}"] = "\n".join(json.dumps(row) for row in answers if row).encode()
            made["output_file_id"] = f"out-{name}"
        return made

    def message_batch(self, name):
        counts = {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}
        state = "ended" if self.done else "in_progress"
        place = f"{self.url}/v1/messages/batches/{name}/results" if self.done else None
        return {"id": name, "processing_status": state, "request_counts": counts, "results_url": place}


ASK = Request(messages=(Message(role="user", text="Well?"),), max_output_tokens=9)


def at(kind, server):
    if kind == "anthropic":
        return AnthropicEndpoint("m", server.url, key="k", max_retries=0)
    return OpenAIEndpoint("m", f"{server.url}/v1", key="k", max_retries=0)


async def asked(kind, server, store, *keys):
    """What comes of asking for these calls, each a completion or an exception."""
    endpoint = batched(at(kind, server), store)
    found = []
    for key in keys:
        try:
            found.append(await endpoint.complete_keyed(key, ASK))
        except ProviderError as error:
            found.append(error)
    await endpoint.aclose()
    return found


KINDS = ("openai", "anthropic")


@pytest.mark.parametrize("kind", KINDS)
async def test_submitted_waited_for_and_found(kind, tmp_path):
    """A call is submitted once; until the batch is done it waits; then its answer is read."""
    provider = Provider()
    with speaking(provider) as server, Store(tmp_path) as store:
        (first,) = await asked(kind, server, store, "k1")
        assert isinstance(first, Waiting)
        assert "submitted in batch b0" in str(first)
        (second,) = await asked(kind, server, store, "k1")
        assert isinstance(second, Waiting)
        assert "not done" in str(second)
        provider.done = True
        (third,) = await asked(kind, server, store, "k1")
    assert json.loads(third.text)["score"] == 6
    assert third.usage.input_tokens == 1000
    assert len(provider.batches) == 1


@pytest.mark.parametrize("kind", KINDS)
async def test_a_failure_of_one_call_is_that_calls_failure(kind, tmp_path):
    """The others of the batch are answered; the server's words are told."""
    provider = Provider()
    good = provider.result

    def result(row):
        if row["custom_id"] != "bad":
            return good(row)
        if kind == "openai":
            body = {"error": {"message": "too long"}}
            return {"custom_id": "bad", "response": {"status_code": 400, "body": body}}
        told = {"type": "error", "error": {"type": "invalid_request_error", "message": "too long"}}
        return {"custom_id": "bad", "result": {"type": "errored", "error": told}}

    provider.result = result
    with speaking(provider) as server, Store(tmp_path) as store:
        await asked(kind, server, store, "good", "bad")
        provider.done = True
        found, failed = await asked(kind, server, store, "good", "bad")
    assert found.finish == "stop"
    assert "too long" in str(failed)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_expired_is_submitted_again(kind, tmp_path):
    """A call without a result in a batch that is done goes into a new one."""
    provider = Provider(result=lambda _: None)
    with speaking(provider) as server, Store(tmp_path) as store:
        await asked(kind, server, store, "k")
        provider.done = True
        (again,) = await asked(kind, server, store, "k")
    assert isinstance(again, Waiting)
    assert len(provider.batches) == 2


async def test_the_key_goes_to_no_other_host(tmp_path):
    """Answers that are said to lie elsewhere are not fetched."""
    provider = Provider()
    with speaking(provider) as server, speaking(provider) as other, Store(tmp_path) as store:
        await asked("anthropic", server, store, "k")
        provider.done, provider.elsewhere = True, other.url
        (found,) = await asked("anthropic", server, store, "k")
        assert isinstance(found, ServerFailed)
        assert not other.asked


async def test_a_batch_that_failed_as_a_whole_is_submitted_again(tmp_path):
    """Cancelled or refused by the provider: nothing of it will come."""
    provider = Provider()
    with speaking(provider) as server, Store(tmp_path) as store:
        await asked("openai", server, store, "k")
        provider.state = "failed"
        await asked("openai", server, store, "k")
    assert len(provider.batches) == 2


def test_half_of_every_part():
    """Cached and cache-write prices too; what is not known stays unknown."""
    assert half(Price(input=4, output=20, cached="0.4", cache_write=5)) == Price(
        input=2, output=10, cached="0.2", cache_write="2.5"
    )
    assert half(Price(input=4, output=20)).cached is None


def test_other_providers_have_no_batches(tmp_path):
    """A server of one's own, say: an error before anything is made."""
    with pytest.raises(UsageError, match="openai and anthropic"):
        batched(OpenAIEndpoint("m", "http://127.0.0.1:1/v1", "vllm"), None)


def run(*arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(each) for each in ("review", *arguments)])
    return stop.value.code or 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_command_submits_comes_back_and_reports(kind, tmp_path, monkeypatch, capsys):
    """Five rounds are one batch at half the price; a run waits, the next reports, the last asks nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    (tmp_path / "bees.md").write_text("# Bees\n\nWe counted 120 bees in 4 hives.\n")
    provider = Provider()
    with speaking(provider) as server:
        base = server.url if kind == "anthropic" else f"{server.url}/v1"
        command = ("bees.md", "--model", f"{kind}:m", "--base-url", base, "--batch", "--price", "4,20")
        assert run(*command) == 4
        assert "submitted in batch b0" in capsys.readouterr().err
        assert {name: len(rows) for name, rows in provider.batches.items()} == {"b0": 5}
        assert run(*command) == 4
        assert "is not done" in capsys.readouterr().err
        provider.done = True
        assert run(*command) == 0
        heard = len(server.asked)
        assert run(*command) == 0
        assert len(server.asked) == heard
    assert len(provider.batches) == 1
    document = ReviewDocument.model_validate_json((tmp_path / "bees-review" / "review.json").read_text())
    (line,) = document.costs
    assert line.calls == 5
    assert line.usd == pytest.approx(5 * (2 * 1000 + 10 * 100) / 1e6)
    assert document.scores[0].mean.value == 6


class Slow:
    """A batch interface that takes its time: `go` lets it come to an end."""

    def __init__(self):
        self.begun, self.go = asyncio.Event(), asyncio.Event()
        self.submitted = []

    async def submit(self, requests):
        self.begun.set()
        await self.go.wait()
        self.submitted.append(tuple(requests))
        return f"b{len(self.submitted)}"

    async def progress(self, batch_id):
        self.begun.set()
        await self.go.wait()
        return Progress("done", "ended")

    async def answers(self, batch_id):
        return {key: Completion(text=key, finish="stop", usage=Usage()) for key in ("k1", "k2")}


class Kept:
    """Batches in memory."""

    def __init__(self, *batches):
        self.held = batches
        self.read = 0

    def batches(self):
        self.read += 1
        return self.held

    def add_batch(self, batch):
        self.held = (*self.held, batch)


ONE = Batch(id="b0", model="scripted:s", address="", calls=("k1", "k2"))


async def test_one_that_is_cancelled_does_not_cancel_what_others_wait_for():
    """Two calls of one batch: the first goes away, the second is answered."""
    slow = Slow()
    endpoint = BatchEndpoint(ScriptedEndpoint(str, "s"), slow, Kept(ONE))
    first, second = (asyncio.create_task(endpoint.complete_keyed(key, ASK)) for key in ("k1", "k2"))
    await slow.begun.wait()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    slow.go.set()
    assert (await second).text == "k2"


async def test_a_batch_that_is_being_submitted_is_kept_although_nobody_waits_any_more():
    """Whoever interrupts a run closes its endpoints: what the provider has taken is in the ledger."""
    slow, kept = Slow(), Kept()
    endpoint = BatchEndpoint(ScriptedEndpoint(str, "s"), slow, kept, settled=0)
    waiting = asyncio.create_task(endpoint.complete_keyed("k", ASK))
    await slow.begun.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    closing = asyncio.create_task(endpoint.aclose())
    await asyncio.sleep(0)
    slow.go.set()
    await closing
    assert [batch.calls for batch in kept.held] == [("k",)]


async def test_what_is_not_yet_submitted_when_it_is_closed_stays_unsent():
    """Interrupted while requests are still gathered: nothing is paid for."""
    slow, kept = Slow(), Kept()
    slow.go.set()
    endpoint = BatchEndpoint(ScriptedEndpoint(str, "s"), slow, kept, settled=3600)
    waiting = asyncio.create_task(endpoint.complete_keyed("k", ASK))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await endpoint.aclose()
    assert slow.submitted == []
    assert len(asyncio.all_tasks()) == 1


async def test_the_ledger_is_not_read_anew_for_every_call():
    """Thousands of calls of one batch read its list of calls once."""
    slow, kept = Slow(), Kept(ONE)
    slow.go.set()
    endpoint = BatchEndpoint(ScriptedEndpoint(str, "s"), slow, kept)
    for key in ("k1", "k2", "k1"):
        await endpoint.complete_keyed(key, ASK)
    assert kept.read == 1
