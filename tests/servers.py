"""An OpenAI-compatible server on loopback that fails as it is told to.

    with serve([Fault("429", retry_after=0.01), "{}"]) as server:
        OpenAIEndpoint("m", server.base_url)

Each request takes the next step of the script; the last step is repeated for ever.
"""

from __future__ import annotations

import json
import math
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

Kind = Literal[
    "400",
    "401",
    "402",
    "403",
    "404",
    "429",
    "500",
    "503",
    "redirect",
    "hang",
    "drop",
    "half",
    "empty",
    "html",
    "prose",
    "no-choices",
    "error-in-200",
    "refusal",
    "filtered",
    "no-format",
    "no-schema",
    "no-limit-name",
    "no-images",
]


@dataclass(frozen=True)
class Ok:
    """A completion. Token counts default to a quarter of the characters."""

    text: str
    finish: str | None = "stop"
    usage: dict[str, object] | None = None
    seconds: float = 0.0
    """How long the server thinks before it answers."""
    with_usage: bool = True
    tokens: Sequence[tuple[str, dict[str, float]]] = ()
    """The tokens of the answer, each with the probabilities of the likeliest at its place; () sends none."""


@dataclass(frozen=True)
class Fault:
    """A failure.

    `no-format` refuses any response_format, `no-schema` only json_schema, `no-limit-name` max_tokens,
    `no-images` images; what they do not refuse they answer with `text`.
    """

    kind: Kind
    retry_after: float | None = None
    text: str = "{}"


Step = Ok | Fault | str | Callable[[dict[str, object]], "Ok | Fault | str"]
"""A str is a whole answer; a function is given the body of the request."""


@dataclass(frozen=True)
class Seen:
    """A request as it came in."""

    path: str
    headers: dict[str, str]
    body: dict[str, object]
    size: int

    @property
    def text(self) -> str:
        """All messages, one after another."""
        return "\n".join(map(text_of, self.body["messages"]))

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Type and content (of an image its address) of the parts of all messages that have parts."""
        return [
            (part["type"], part["text"] if part["type"] == "text" else part["image_url"]["url"])
            for message in self.body["messages"]
            if isinstance(message["content"], list)
            for part in message["content"]
        ]


def text_of(message: dict[str, object]) -> str:
    """The text of a message, of which images are no part."""
    content = message["content"]
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part["type"] == "text")


@dataclass
class Server:
    """What a test looks at."""

    base_url: str
    requests: list[Seen] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0
    """Tokens of the completions that were sent."""
    most_at_once: int = 0


@contextmanager
def serve(script: Sequence[Step] | Step) -> Iterator[Server]:
    """Serve on a free port of 127.0.0.1 until the block ends; hanging requests end with it."""
    steps = list(script) if isinstance(script, list | tuple) else [script]
    listening = _Listening(("127.0.0.1", 0), _Requests)
    listening.steps, listening.ended = steps, threading.Event()
    listening.server = Server(f"http://127.0.0.1:{listening.server_address[1]}/v1")
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield listening.server
    finally:
        listening.ended.set()
        listening.shutdown()
        thread.join()
        listening.server_close()


def closed_port() -> str:
    """The base URL of a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


class _Listening(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = False
    steps: list[Step]
    server: Server
    ended: threading.Event

    def __init__(self, *given):
        super().__init__(*given)
        self.lock = threading.Lock()
        self.taken = 0
        self.at_once = 0

    def next_step(self, seen: Seen) -> Step:
        with self.lock:
            self.server.requests.append(seen)
            step = self.steps[min(self.taken, len(self.steps) - 1)]
            self.taken += 1
        return step

    def handle_error(self, request, client_address):
        """A client that goes away is part of the tests."""


class _Requests(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 5
    server: _Listening

    def do_POST(self):
        with self.server.lock:
            self.server.at_once += 1
            self.server.server.most_at_once = max(self.server.server.most_at_once, self.server.at_once)
        try:
            self._answer()
        finally:
            with self.server.lock:
                self.server.at_once -= 1

    def _answer(self):
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        body = json.loads(raw)
        headers = {name.lower(): value for name, value in self.headers.items()}
        step = self.server.next_step(Seen(self.path, headers, body, len(raw)))
        if callable(step):
            step = step(body)
        if isinstance(step, str):
            step = Ok(step)
        if isinstance(step, Ok):
            self._complete(body, step)
        else:
            self._fail(body, step)

    def _fail(self, body, fault):
        kind = fault.kind
        if kind.isdigit():
            wait = {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}
            self._json(int(kind), _error(f"scripted {kind}"), wait)
        elif kind == "redirect":
            self._send(307, b"", {"Location": "http://127.0.0.1:9/elsewhere"})
        elif kind == "hang":
            self.server.ended.wait(60)
            self.close_connection = True
        elif kind == "drop":
            self.close_connection = True
        elif kind in BODIES:
            self._send(200, BODIES[kind], {"Content-Type": TYPES.get(kind, "application/json")})
        elif kind in {"refusal", "filtered"}:
            self._json(200, _refused(kind))
        else:
            self._complain(body, fault)

    def _complain(self, body, fault):
        given = body.get("response_format", {}).get("type")
        if (fault.kind == "no-format" and given) or (fault.kind == "no-schema" and given == "json_schema"):
            self._json(
                400, _error(f"Invalid parameter: 'response_format' of type '{given}' is not supported")
            )
        elif fault.kind == "no-images" and any(isinstance(m["content"], list) for m in body["messages"]):
            self._json(400, _error("image_url is only supported by certain models"))
        elif fault.kind == "no-limit-name" and "max_tokens" in body:
            self._json(
                400, _error("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
            )
        else:
            self._complete(body, Ok(fault.text))

    def _complete(self, body, ok):
        if ok.seconds:
            time.sleep(ok.seconds)
        asked = sum(len(text_of(message)) for message in body["messages"])
        usage = ok.usage or {"prompt_tokens": asked // 4, "completion_tokens": len(ok.text) // 4}
        if ok.with_usage:
            with self.server.lock:
                self.server.server.input_tokens += usage["prompt_tokens"]
                self.server.server.output_tokens += usage["completion_tokens"]
        answer = _completion({"role": "assistant", "content": ok.text}, ok.finish)
        if ok.tokens:
            answer["choices"][0]["logprobs"] = {"content": [_token(*each) for each in ok.tokens]}
        self._json(200, answer | ({"usage": usage} if ok.with_usage else {}))

    def _json(self, status, body, headers=None):
        self._send(status, json.dumps(body).encode(), {"Content-Type": "application/json"} | (headers or {}))

    def _send(self, status, content, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *given):
        """Nothing is printed."""


def _completion(message, finish):
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted-model",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }


def _token(text, likeliest):
    top = [_one(each, probability) for each, probability in likeliest.items()]
    return _one(text, likeliest.get(text, 1.0)) | {"top_logprobs": top}


def _one(text, probability):
    return {"token": text, "logprob": math.log(probability), "bytes": None}


def _refused(kind):
    if kind == "refusal":
        return _completion({"role": "assistant", "content": None, "refusal": "I cannot do that."}, "stop")
    return _completion({"role": "assistant", "content": ""}, "content_filter")


def _error(message):
    return {"error": {"message": message, "type": "scripted", "code": None}}


BODIES = {
    "empty": b"",
    "half": json.dumps(_completion({"role": "assistant", "content": "a long answer"}, "stop")).encode()[:90],
    "html": b"<!doctype html><title>504</title><p>Gateway time-out",
    "prose": b"The service is busy.",
    "no-choices": json.dumps(_completion({}, None) | {"choices": []}).encode(),
    "error-in-200": json.dumps({"error": {"message": "out of credits", "code": 402}}).encode(),
}
TYPES = {"html": "text/html", "prose": "text/plain"}
