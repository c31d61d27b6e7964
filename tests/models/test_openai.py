"""Through the real SDK, against a server on loopback."""

import asyncio
import json
import logging
import threading
from base64 import b64decode

import pytest

from dialects import Said, speaking
from rereview.errors import (
    AnswerLost,
    BadRequest,
    KeyRejected,
    OutOfCredit,
    RateLimited,
    Refused,
    ServerFailed,
    TimedOut,
    UsageError,
)
from rereview.models.hosts import FAILURES
from rereview.models.openai import OpenAIEndpoint, ollama, openai, openrouter, vllm
from rereview.types.call import Message, Picture, Request
from servers import Fault, Ok, closed_port, serve

KEY = "sk-canary-5d1f"
ASK = Request(
    messages=(Message(role="user", text="Well?"),), answer_schema='{"type":"object"}', max_output_tokens=9
)


def at(server, **options):
    address = server if isinstance(server, str) else server.base_url
    return OpenAIEndpoint("m", address, key=KEY, **{"max_retries": 0, "timeout": 5.0} | options)


async def answered(endpoint, request=ASK):
    try:
        return await endpoint.complete(request)
    finally:
        await endpoint.aclose()


async def test_an_answer_comes_with_its_counts():
    """Text, finish, name and token counts of a completion are read; what is absent is None."""
    usage = {
        "prompt_tokens": 90,
        "completion_tokens": 30,
        "prompt_tokens_details": {"cached_tokens": 50},
        "completion_tokens_details": {"reasoning_tokens": 20},
    }
    with serve(Ok("yes", usage=usage)) as server:
        answer = await answered(at(server))
    assert (answer.text, answer.finish, answer.model, answer.structured) == (
        "yes",
        "stop",
        "scripted-model",
        True,
    )
    counts = answer.usage
    assert (counts.input_tokens, counts.cached_tokens, counts.output_tokens, counts.reasoning_tokens) == (
        90,
        50,
        30,
        20,
    )
    assert counts.cache_write_tokens is None


@pytest.mark.parametrize(
    ("step", "error", "says"),
    [
        (Fault("401"), KeyRejected, "scripted 401"),
        (Fault("403"), KeyRejected, "scripted 403"),
        (Fault("402"), OutOfCredit, "scripted 402"),
        (Fault("429"), RateLimited, "fewer calls at once"),
        (Fault("500"), ServerFailed, "scripted 500"),
        (Fault("503"), ServerFailed, "scripted 503"),
        (Fault("404"), BadRequest, "scripted 404; check --model and --base-url"),
        (Fault("400"), BadRequest, "scripted 400"),
        (Fault("redirect"), BadRequest, "redirect"),
        (Fault("drop"), AnswerLost, "broke"),
        (Fault("empty"), AnswerLost, "it is empty"),
        (Fault("half"), AnswerLost, "no chat completion"),
        (Fault("html"), AnswerLost, "Gateway time-out"),
        (Fault("prose"), AnswerLost, "The service is busy."),
        (Fault("no-choices"), AnswerLost, "no chat completion"),
        (Fault("error-in-200"), OutOfCredit, "out of credits"),
    ],
)
async def test_a_failure_is_named_by_what_can_be_done(step, error, says):
    """Each failure has its class and the server's own words, and never the key."""
    with serve(step) as server, pytest.raises(error, match=says) as raised:
        await answered(at(server))
    assert type(raised.value) is error
    assert server.base_url in str(raised.value)
    assert KEY not in f"{raised.value!r} {raised.value}"


async def test_nothing_that_listens_is_not_a_time_out():
    """A refused connection and a server that hangs are told apart."""
    with pytest.raises(Refused, match="nothing listens"):
        await answered(at(closed_port()))
    with serve(Fault("hang")) as server, pytest.raises(TimedOut, match=r"within 2 s"):
        await answered(at(server, timeout=2))


async def test_a_host_that_failed_too_often_still_says_why():
    """After several refusals in a row nothing is sent, and the line names the cause and what helps."""
    endpoint = at(closed_port(), max_retries=0)
    for _ in range(FAILURES):
        with pytest.raises(Refused):
            await endpoint.complete(ASK)
    with pytest.raises(ServerFailed, match=r"the last: nothing listens there.*start the server"):
        await answered(endpoint)


async def test_connections_that_broke_too_often_are_no_wrong_address():
    """A pause after answers that were lost says that they were."""
    with serve(Fault("drop")) as server:
        endpoint = at(server, max_retries=0)
        for _ in range(FAILURES):
            with pytest.raises(AnswerLost):
                await endpoint.complete(ASK)
        with pytest.raises(ServerFailed, match=r"the last: the connection broke.*wait, then go on"):
            await answered(endpoint)


async def test_a_host_that_does_not_exist_is_said():
    """A name without an address is a wrong address, not a slow one."""
    with pytest.raises(Refused, match="no host of this name"):
        await answered(at("http://nowhere.invalid/v1"))


async def test_a_slow_answer_is_waited_for():
    """The time-out bounds the whole exchange, and only that."""
    with serve(Ok("late", seconds=0.3)) as server:
        assert (await answered(at(server, timeout=60.0))).text == "late"


@pytest.mark.parametrize("status", ["429", "500", "503"])
async def test_what_was_not_answered_is_asked_again(status):
    """The SDK repeats after 429 and 5xx, as soon as Retry-After allows."""
    with serve([Fault(status, retry_after=0.01), Fault(status, retry_after=0.01), "yes"]) as server:
        assert (await answered(at(server, max_retries=2))).text == "yes"
    assert len(server.requests) == 3


async def test_retries_end():
    """After the last retry the failure is the user's."""
    with serve(Fault("429", retry_after=0.01)) as server, pytest.raises(RateLimited):
        await answered(at(server, max_retries=2))
    assert len(server.requests) == 3


@pytest.mark.parametrize("fault", ["hang", "drop", "half"])
async def test_what_may_have_been_billed_is_not_sent_twice(fault):
    """A request that went out and got no answer is sent once, whatever the retries."""
    with serve(Fault(fault)) as server, pytest.raises((TimedOut, ServerFailed)):
        await answered(at(server, max_retries=3, timeout=1.0))
    assert len(server.requests) == 1


async def test_a_lying_retry_after_does_not_hang():
    """A wait of an hour is an error at once."""
    with serve(Fault("429", retry_after=3600)) as server, pytest.raises(RateLimited):
        await asyncio.wait_for(answered(at(server, max_retries=3)), 5)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("fault", "formats"),
    [
        ("no-schema", ["json_schema", "json_object", "json_object"]),
        ("no-format", ["json_schema", "json_object", None, None]),
    ],
)
async def test_an_endpoint_without_schemas_is_asked_in_words(fault, formats):
    """The schema goes into the prompt where response_format is refused, and that is remembered."""
    with serve(Fault(fault, text="{}")) as server:
        endpoint = at(server)
        first = await endpoint.complete(ASK)
        second = await answered(endpoint)
    assert [request.body.get("response_format", {}).get("type") for request in server.requests] == formats
    assert (first.structured, second.structured) == (False, False)
    assert ASK.answer_schema in server.requests[-1].text
    assert ASK.answer_schema not in server.requests[0].text


async def test_either_name_of_the_output_limit_is_found():
    """An endpoint that objects to max_tokens is asked with max_completion_tokens."""
    with serve(Fault("no-limit-name", text="yes")) as server:
        assert (await answered(at(server))).text == "yes"
    assert "max_tokens" in server.requests[0].body
    assert server.requests[-1].body["max_completion_tokens"] == 9


async def test_only_what_was_asked_is_sent():
    """No temperature, no limit, no format unless the request has them; the key only in its header."""
    with serve("yes") as server:
        await answered(
            at(server), Request(messages=(Message(role="system", text="s"), Message(role="user", text="u")))
        )
    (seen,) = server.requests
    assert set(seen.body) == {"messages", "model"}
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in json.dumps(seen.body)


@pytest.mark.parametrize(
    ("step", "finish"),
    [
        (Ok("cut", finish="length"), "length"),
        (Ok("x", finish="tool_calls"), "other"),
        (Ok("x", finish=None), "other"),
        (Fault("refusal"), "refused"),
        (Fault("filtered"), "refused"),
    ],
)
async def test_how_an_answer_ends_is_kept(step, finish):
    """Cut and refused answers are answers, and say so."""
    with serve(step) as server:
        assert (await answered(at(server))).finish == finish


async def test_absent_counts_are_unknown():
    """An endpoint that counts nothing leaves None, not 0."""
    with serve(Ok("x", with_usage=False)) as server:
        usage = (await answered(at(server))).usage
    assert set(usage.model_dump().values()) == {None}


async def test_half_a_surrogate_pair_can_be_stored():
    """What cannot be encoded is spelt out as JSON would."""
    with serve(Ok("a\ud800b")) as server:
        answer = await answered(at(server))
    assert answer.text == "a\\ud800b"
    assert answer.to_json().encode()


async def test_many_calls_share_one_client_and_it_can_be_reopened():
    """Sixteen at once, then closed, then used again."""
    with serve(Ok("x", seconds=0.5)) as server:
        endpoint = at(server)
        await asyncio.gather(*(endpoint.complete(ASK) for _ in range(16)))
        assert server.most_at_once > 1
        await endpoint.aclose()
        assert (await answered(endpoint)).text == "x"


async def test_the_key_is_in_nothing_that_is_written(caplog):
    """Not in repr, not in the log at its most talkative."""
    caplog.set_level(logging.DEBUG)
    with serve("x") as server:
        endpoint = at(server)
        await answered(endpoint)
        assert KEY not in repr(endpoint)
    assert caplog.records
    assert not any(KEY in record.getMessage() for record in caplog.records)


def test_a_missing_key_says_where_it_is_looked_for(tmp_path, monkeypatch):
    """A provider elsewhere needs its key, and the message names the variable."""
    monkeypatch.chdir(tmp_path)
    for make, variable in ((openai, "OPENAI_API_KEY"), (openrouter, "OPENROUTER_API_KEY")):
        with pytest.raises(UsageError, match=variable):
            make("m", environ={})
    with pytest.raises(UsageError, match="VLLM_API_KEY"):
        vllm("m", base_url="https://example.org/v1", environ={"OPENAI_API_KEY": KEY})


def test_providers_have_their_addresses(tmp_path, monkeypatch):
    """The address comes from the option, the environment, or the provider's default."""
    monkeypatch.chdir(tmp_path)
    with_key = {"OPENAI_API_KEY": KEY}
    assert openai("m", environ=with_key).address == "https://api.openai.com/v1"
    assert openai("m", environ=with_key).limit == "max_completion_tokens"
    assert (
        openai("m", environ=with_key | {"OPENAI_BASE_URL": "https://a.example/v1/"}).address
        == "https://a.example/v1"
    )
    assert openai("m", base_url="http://127.0.0.1:1/v1", environ=with_key).host == "127.0.0.1:1"
    assert ollama("llama3.1:8b", environ={}).name == "ollama:llama3.1:8b"
    assert vllm("m", environ={}, timeout=7).timeout == 7


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://x/v1", "http://", "http://me:secret@host/v1", "http://h/v1?k=secret"]
)
def test_a_bad_address_is_refused_without_its_secrets(url):
    """An address must be http(s) and hold no credentials; they are not repeated."""
    with pytest.raises(UsageError) as raised:
        OpenAIEndpoint("m", url)
    assert "secret" not in str(raised.value)


async def test_what_is_for_this_machine_goes_through_no_proxy(monkeypatch):
    """A proxy of the environment sees nothing of a loopback call."""
    with serve("proxied") as proxy, serve("direct") as server:
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url)
        monkeypatch.setenv("ALL_PROXY", proxy.base_url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert (await answered(at(server))).text == "direct"
    assert not proxy.requests


async def test_images_stand_in_the_text_where_they_belong():
    """Parts in order, images as data URIs; the schema that a plain endpoint is told comes last."""
    png = Picture(at=3, sha256="0" * 64, width=1, height=1, content=b"\x89PNG1")
    jpeg = Picture(at=3, sha256="1" * 64, width=1, height=1, content=b"\xff\xd82")
    asked = Request(messages=(Message(role="user", text="one two", pictures=(png, jpeg)),))
    with serve(Fault("no-format", text="x")) as server:
        endpoint = at(server)
        await endpoint.complete(asked.but(answer_schema="{}"))
        await endpoint.aclose()
    parts = server.requests[-1].parts
    assert [kind for kind, _ in parts] == ["text", "image_url", "image_url", "text"]
    assert parts[0][1] == "one"
    assert [b64decode(uri.partition(";base64,")[2]) for _, uri in parts[1:3]] == [png.content, jpeg.content]
    assert [uri.partition(";")[0] for _, uri in parts[1:3]] == ["data:image/png", "data:image/jpeg"]
    assert parts[3][1].startswith(" two\n\n")
    assert parts[3][1].endswith("{}")


async def test_an_image_without_bytes_is_not_sent():
    """A request of a ledger says which images it had, and does not hold them."""
    bare = Picture(sha256="ab" * 32, width=1, height=1)
    with serve("x") as server:
        endpoint = at(server)
        with pytest.raises(UsageError, match="the image abababababab has no bytes"):
            await endpoint.complete(Request(messages=(Message(role="user", text="a", pictures=(bare,)),)))
        await endpoint.aclose()
    assert not server.requests


def _answering(accepts):
    """A server at which the first four requests stand together before any of them is answered."""
    together, lock, first = threading.Barrier(4), threading.Lock(), [0]

    def answer(asked):
        with lock:
            first[0] += 1
            early = first[0] <= 4
        if early:
            together.wait(60)
        refusal = accepts(asked.body)
        if refusal:
            return Said(400, {"error": {"message": refusal}})
        return Said(200, {"choices": [{"message": {"content": '{"a": 1}'}, "finish_reason": "stop"}]})

    return answer


async def _four(server):
    endpoint = OpenAIEndpoint("m", f"{server.url}/v1", max_retries=0)
    try:
        return await asyncio.gather(*(endpoint.complete(ASK) for _ in range(4)), return_exceptions=True)
    finally:
        await endpoint.aclose()


async def test_requests_that_are_refused_together_step_down_once():
    """Four at once learn the other name of the limit from four refusals: each is sent twice."""
    refused = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    with speaking(_answering(lambda body: refused if "max_tokens" in body else None)) as server:
        assert [answer.text for answer in await _four(server)] == ['{"a": 1}'] * 4
    assert len(server.asked) == 8


async def test_four_refusals_of_one_format_give_up_that_format_alone():
    """An endpoint that knows no schema and knows JSON is asked for JSON by all four."""
    refused = "response_format json_schema is not known here"

    def accepts(body):
        return refused if body["response_format"]["type"] == "json_schema" else None

    with speaking(_answering(accepts)) as server:
        await _four(server)
    kinds = [asked.body.get("response_format", {}).get("type") for asked in server.asked]
    assert kinds.count("json_object") == 4
