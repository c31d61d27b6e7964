"""A `Model` as an OpenAI-compatible server on this machine, for programs that ask models themselves.

What a program asks goes through the journal like any call: kept, replayed, counted against the cap, and
agreed to. The program is given a key that opens this server alone and ends with it; it never sees another.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, get_args

from aiohttp import web

from rereview.errors import (
    BadRequest,
    BudgetError,
    ConsentError,
    KeyRejected,
    OutOfCredit,
    ProviderError,
    RateLimited,
    RereviewError,
    StorageError,
    TimedOut,
)
from rereview.models.base import MAX_OUTPUT_TOKENS, Model, strict_schema
from rereview.types.call import Call, Effort, Message, Request

LARGEST = 64 * 1024**2
"""Bytes of a request."""
STATUSES: tuple[tuple[type[RereviewError], int], ...] = (
    (ConsentError, 403),
    (KeyRejected, 401),
    (OutOfCredit, 402),
    (BudgetError, 402),
    (RateLimited, 429),
    (TimedOut, 504),
    (StorageError, 500),
    (ProviderError, 502),
    (RereviewError, 500),
)


@dataclass
class Gateway:
    """What a program is told: where the server is, its key, and the name of the model."""

    model: Model = field(repr=False)
    key: str = field(repr=False, default_factory=lambda: f"sk-{secrets.token_urlsafe(24)}")
    base_url: str = ""
    failures: list[RereviewError] = field(default_factory=list)
    """What a call was refused with; the first says why the program could not go on."""
    calls: list[Call] = field(default_factory=list, repr=False)
    _answered: Counter[str] = field(default_factory=Counter, repr=False)
    _asking: set[asyncio.Task[Call]] = field(default_factory=set, repr=False)

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which programs find an endpoint, under the names that are usual."""
        return {
            "OPENAI_BASE_URL": self.base_url,
            "OPENAI_API_BASE": self.base_url,
            "OPENAI_API_KEY": self.key,
            "REREVIEW_MODEL": self.model.name,
        }

    async def complete(self, request: web.Request) -> web.StreamResponse:
        """`POST /v1/chat/completions`."""
        if request.headers.get("Authorization") != f"Bearer {self.key}":
            return _refusal(401, "this key does not open this server")
        try:
            body = json.loads(await request.read())
            asked = request_of(body)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return _refusal(400, f"no chat completion is asked for: {error}")
        try:
            call = await asyncio.shield(self._begun(asked))
        except RereviewError as error:
            self.failures.append(error)
            return _refusal(next(code for kind, code in STATUSES if isinstance(error, kind)), str(error))
        answer = completion_of(call, body)
        return await _streamed(request, answer) if body.get("stream") else web.json_response(answer)

    def _begun(self, request: Request) -> asyncio.Task[Call]:
        """The call goes on when the program has gone: it is paid for."""
        asking = asyncio.create_task(self._asked(request))
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)
        return asking

    async def settled(self) -> None:
        """Wait for the calls that are out."""
        await asyncio.gather(*self._asking, return_exceptions=True)

    def stop(self) -> None:
        """Leave them."""
        for asking in self._asking:
            asking.cancel()

    async def _asked(self, request: Request) -> Call:
        """A question that was answered before is another try: the program did not like the answer."""
        words = request.to_json()
        call = await self._taken(request.but(attempt=self._answered[words] + 1))
        self._answered[words] += 1
        self.calls.append(call)
        return call

    async def _taken(self, request: Request) -> Call:
        """Programs set a temperature that some models refuse; then it is asked for without one."""
        try:
            return await self.model(request)
        except BadRequest as refusal:
            if request.temperature is None or "temperature" not in refusal.what.lower():
                raise
            return await self.model(request.but(temperature=None))

    async def models(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002  the interface of aiohttp
        """`GET /v1/models`."""
        return web.json_response({"object": "list", "data": [{"id": self.model.name, "object": "model"}]})


@asynccontextmanager
async def serve(model: Model) -> AsyncIterator[Gateway]:
    """Serve on a free port of 127.0.0.1 until the block ends, and the calls that are out by then."""
    gateway = Gateway(model)
    application = web.Application(client_max_size=LARGEST)
    application.router.add_post("/v1/chat/completions", gateway.complete)
    application.router.add_get("/v1/models", gateway.models)
    runner = web.AppRunner(application, access_log=None, handle_signals=False, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        gateway.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        try:
            yield gateway
        except RereviewError:  # a program that failed or took too long has asked all the same
            await gateway.settled()
            raise
        await gateway.settled()
    finally:
        gateway.stop()
        await runner.cleanup()


def request_of(body: dict[str, Any]) -> Request:
    """A chat completion's body as a request. Tools become the schema of the answer; images are left out."""
    limit = body.get("max_completion_tokens") or body.get("max_tokens") or MAX_OUTPUT_TOKENS
    schema, effort = _schema(body), body.get("reasoning_effort")
    return Request(
        messages=tuple(_message(each) for each in body["messages"]),
        answer_schema=None if schema is None else strict_schema(schema),
        max_output_tokens=int(limit),
        temperature=body.get("temperature"),
        reasoning_effort=effort if effort in get_args(Effort) else None,
    )


def _message(given: dict[str, Any]) -> Message:
    role, content = given["role"], given.get("content")
    if isinstance(content, list):
        content = "\n".join(part["text"] for part in content if part.get("type") == "text")
    text = content or ""
    if role in ("system", "developer"):
        return Message(role="system", text=text)
    if role == "user":
        return Message(role="user", text=text)
    called = [each["function"]["arguments"] for each in given.get("tool_calls") or []]
    kind = "You answered before" if role == "assistant" else "A tool answered"
    return Message(role="user", text="\n".join([f"[{kind}]", text, *called]).strip())


def _schema(body: dict[str, Any]) -> dict[str, Any] | None:
    tool = _tool(body)
    if tool is not None:
        parameters: dict[str, Any] = tool["parameters"]
        return parameters
    wanted = body.get("response_format") or {}
    if wanted.get("type") == "json_schema":
        schema: dict[str, Any] = wanted["json_schema"]["schema"]
        return schema
    return None


def _tool(body: dict[str, Any]) -> dict[str, Any] | None:
    """The function that must be called; None where there are no tools."""
    tools = [each["function"] for each in body.get("tools") or [] if each.get("type") == "function"]
    choice = body.get("tool_choice")
    named = choice.get("function", {}).get("name") if isinstance(choice, dict) else None
    return next((each for each in tools if named in (None, each["name"])), None)


def completion_of(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    """The answer as the program expects it: words, or the arguments of its function."""
    completion, tool = call.completion, _tool(body)
    message: dict[str, Any] = {"role": "assistant", "content": completion.text}
    finish = {"length": "length", "refused": "content_filter"}.get(completion.finish, "stop")
    if tool is not None:
        function = {"name": tool["name"], "arguments": _bare(completion.text)}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": f"call_{call.id[:12]}", "type": "function", "function": function}],
        }
        finish = "tool_calls" if finish == "stop" else finish
    usage = completion.usage
    given, made = usage.input_tokens or 0, usage.output_tokens or 0
    return {
        "id": f"chatcmpl-{call.id[:24]}",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model") or call.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": given,
            "completion_tokens": made,
            "total_tokens": given + made,
            "prompt_tokens_details": {"cached_tokens": usage.cached_tokens or 0},
        },
    }


def _bare(text: str) -> str:
    """JSON without the fence that some models put around it."""
    held = text.strip()
    if held.startswith("```") and held.endswith("```"):
        held = held.strip("`").removeprefix("json").strip()
    return held


async def _streamed(request: web.Request, answer: dict[str, Any]) -> web.StreamResponse:
    """The whole answer as one piece of a stream."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    choice = answer["choices"][0]
    delta = {"index": 0, "delta": choice["message"], "finish_reason": choice["finish_reason"]}
    chunk = answer | {"object": "chat.completion.chunk", "choices": [delta]}
    await response.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())
    await response.write_eof()
    return response


def _refusal(status: int, message: str) -> web.Response:
    return web.json_response(
        {"error": {"message": message, "type": "rereview", "code": status}}, status=status
    )
