"""A server on loopback that meters tokens and honours prefix caching, as OpenAI's interface and as Claude's.

A token is four characters, for everybody. Of a chat whose first 1,024 tokens or more are those of an earlier,
answered one, the shared part in steps of 128 is cached and billed at a tenth. Of a request to Claude only
what stands before a mark is kept, if it has 1,024 tokens: written for five quarters of the price, read for a
tenth (platform.claude.com/docs/en/build-with-claude/prompt-caching). Answers have the shape that is asked
for: of a JSON schema or of a tool an instance, else a list of comments in JSON or words.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CHARACTERS, LEAST, STEP = 4, 1_024, 128
MOST_MARKS, LOOKS_BACK = 4, 20
SENTENCE = re.compile(r"[A-Z][^.!?\n$\\{}|#]{30,160}\.")


@dataclass
class Meter:
    """What was asked and answered, in tokens."""

    base_url: str = ""
    calls: int = 0
    input: int = 0
    cached: int = 0
    written: int = 0
    """To a cache; nothing is written where caching is the provider's own affair."""
    output: int = 0
    seconds: float = 0.0
    """The time of an answer."""
    most_at_once: int = 0
    first: float = 0.0
    last: float = 0.0
    """When the first request came in and the last answer went out, in seconds of one clock."""
    issues: int = 1
    """Items of every list that an answer holds."""
    requests: list[dict[str, Any]] = field(default_factory=list)

    @property
    def billed(self) -> float:
        """Input tokens, a cached one counted at a tenth and a written one at five quarters."""
        return self.input - 0.9 * self.cached + 0.25 * self.written


@contextmanager
def metered(*, seconds: float = 0.0, issues: int = 1) -> Iterator[Meter]:
    """Serve on a free port of 127.0.0.1 until the block ends."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.meter = Meter(f"http://127.0.0.1:{server.server_address[1]}/v1", seconds=seconds, issues=issues)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.meter
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def tokens(text: str) -> int:
    """A quarter of the characters, rounded up."""
    return -(-len(text) // CHARACTERS)


def instance(schema: dict[str, Any], words: list[str], count: int, first: int = 0) -> Any:
    """A value of a schema: lists hold `count` items, texts are `words` in turn from `first` on."""
    return _Instance(schema, words, count, first).value(schema, "")


class _Instance:
    def __init__(self, root: dict[str, Any], words: list[str], count: int, first: int) -> None:
        self.root, self.words, self.count, self.taken = root, words, count, first

    def value(self, node: dict[str, Any], name: str) -> Any:
        if "$ref" in node:
            return self.value(self.root["$defs"][node["$ref"].rsplit("/", 1)[-1]], name)
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return node["enum"][0]
        for several in ("anyOf", "oneOf", "allOf"):
            if several in node:
                return self.value(
                    next((each for each in node[several] if each.get("type") != "null"), {}), name
                )
        return self._of_type(node, name)

    def _of_type(self, node: dict[str, Any], name: str) -> Any:
        kind = node.get("type", "object")
        if kind == "object":
            return {key: self.value(part, key) for key, part in node.get("properties", {}).items()}
        if kind == "array":
            if name in ("pages", "numbers", "merge", "drop", "same"):
                return []
            return [
                self.value(node.get("items", {"type": "string"}), name) for _ in range(self._length(node))
            ]
        if kind in ("integer", "number"):
            return max(node.get("minimum", 1), 1)
        return False if kind == "boolean" else self._text(name)

    def _length(self, node: dict[str, Any]) -> int:
        return min(max(node.get("minItems", 0), self.count), node.get("maxItems", self.count))

    def _text(self, name: str) -> str:
        self.taken += 1
        word = self.words[self.taken % len(self.words)] if self.words else "A sentence of no interest at all."
        return word if name == "quote" else f"{name.capitalize()} {self.taken}: it is said that {word}"


class _Server(ThreadingHTTPServer):
    request_queue_size = 256
    meter: Meter

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.lock = threading.Lock()
        self.seen: set[bytes] = set()
        self.at_once = self.begun = 0

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is its own affair."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server, meter = self.server, self.server.meter
        claude = self.path.endswith("/messages")
        blocks = _blocks(body) if claude else []
        if wrong := _refused(blocks):
            self._write({"type": "error", "error": {"type": "invalid_request_error", "message": wrong}}, 400)
            return
        asked = "".join(text for text, _ in blocks) if claude else _asked(body)
        with server.lock:
            server.at_once += 1
            number, server.begun = server.begun, server.begun + 1
            meter.most_at_once = max(meter.most_at_once, server.at_once)
            cached, written = _marked(blocks, server.seen) if claude else (self._cached(asked), 0)
            meter.first = meter.first or time.monotonic()
        time.sleep(meter.seconds)
        message, finish, said = _answered(body, meter.issues, 7 * number)
        given, made = tokens(asked), tokens(said)
        with server.lock:
            server.at_once -= 1
            server.seen.update((ends[0][0] for ends in _marks(blocks)) if claude else _prefixes(asked))
            meter.requests.append(body)
            meter.last = time.monotonic()
            meter.calls += 1
            meter.input += given
            meter.cached += cached
            meter.written += written
            meter.output += made
        if claude:
            self._write(_message(said, given, cached, written, made))
        else:
            self._send(message, finish, given, cached, made)

    def _cached(self, asked: str) -> int:
        shared = 0
        for number, prefix in enumerate(_prefixes(asked)):
            if prefix not in self.server.seen:
                break
            shared = LEAST + number * STEP
        return shared

    def _send(self, message: dict[str, Any], finish: str, given: int, cached: int, made: int) -> None:
        usage = {
            "prompt_tokens": given,
            "completion_tokens": made,
            "total_tokens": given + made,
            "prompt_tokens_details": {"cached_tokens": cached},
        }
        choice = {"index": 0, "message": message, "finish_reason": finish}
        answer = {
            "id": "c",
            "object": "chat.completion",
            "created": 0,
            "model": "metered",
            "choices": [choice],
        }
        self._write(answer | {"usage": usage})

    def _write(self, answer: dict[str, Any], status: int = 200) -> None:
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *given: Any) -> None:
        """Nothing is printed."""


def _message(said: str, given: int, cached: int, written: int, made: int) -> dict[str, Any]:
    """Claude's answer; its input tokens are those that are neither read from the cache nor written to it."""
    usage = {
        "input_tokens": given - cached - written,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": written,
        "output_tokens": made,
    }
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "metered",
        "content": [{"type": "text", "text": said}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": usage,
    }


def _blocks(body: dict[str, Any]) -> list[tuple[str, bool]]:
    """The parts of a request to Claude in the order in which they are read, and whether each is marked.

    What shapes the answer is read first: with another shape nothing is found in the cache.
    """
    shape = json.dumps([body.get("tools"), body.get("output_config"), body.get("thinking")], sort_keys=True)
    turns = [{"role": "system", "content": body.get("system") or "-"}, *body["messages"]]
    made = [(shape, False)]
    for each in turns:
        content = each["content"]
        parts = [{"text": content}] if isinstance(content, str) else content
        made.append((f"\n{each['role']}: ", False))
        made += [
            (part["text"] if "text" in part else part["source"]["data"], "cache_control" in part)
            for part in parts
        ]
    return made


def _refused(blocks: list[tuple[str, bool]]) -> str | None:
    """What the interface says to too many marks and to a blank part."""
    if sum(marked for _, marked in blocks) > MOST_MARKS:
        return f"A maximum of {MOST_MARKS} blocks with cache_control may be provided."
    blank = any(not text.strip() for text, _ in blocks)
    return "messages: text content blocks must contain non-whitespace text" if blank else None


def _marks(blocks: list[tuple[str, bool]]) -> Iterator[list[tuple[bytes, int]]]:
    """Of each mark that is long enough: hash and tokens of all before it, and so back over parts before."""
    running, size = sha256(), 0
    ends: list[tuple[bytes, int]] = []
    for text, marked in blocks:
        running.update(text.encode("utf-8", "surrogatepass"))
        size += len(text)
        ends.append((running.digest(), size // CHARACTERS))
        if marked and size // CHARACTERS >= LEAST:
            yield ends[: -LOOKS_BACK - 1 : -1]


def _marked(blocks: list[tuple[str, bool]], seen: set[bytes]) -> tuple[int, int]:
    """Tokens that are read from the cache, and that are written to it as far as the last mark."""
    marks = list(_marks(blocks))
    read = max((size for ends in marks for digest, size in ends if digest in seen), default=0)
    return read, (marks[-1][0][1] - read if marks else 0)


def _asked(body: dict[str, Any]) -> str:
    """All that a model is given, in the order in which it is given it: shapes first."""
    shapes = [body.get("tools"), body.get("response_format")]
    parts = [json.dumps(each, sort_keys=True) for each in shapes if each]
    return "\n".join([*parts, *(f"{each['role']}: {_text(each)}" for each in body["messages"])])


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def _prefixes(text: str) -> Iterator[bytes]:
    """The hashes of what a cache may hold of a text: its first 1,024 tokens, 1,152, and so on."""
    first = LEAST * CHARACTERS
    if len(text) < first:
        return
    running = sha256(text[:first].encode("utf-8", "surrogatepass"))
    yield running.digest()
    for start in range(first, len(text) - STEP * CHARACTERS + 1, STEP * CHARACTERS):
        running.update(text[start : start + STEP * CHARACTERS].encode("utf-8", "surrogatepass"))
        yield running.digest()


def _answered(body: dict[str, Any], count: int, first: int) -> tuple[dict[str, Any], str, str]:
    text = "\n".join(_text(each) for each in body["messages"] if each["role"] == "user")
    words = SENTENCE.findall(text)[-40:]
    if body.get("tools"):
        function = body["tools"][0]["function"]
        said = json.dumps(instance(function["parameters"], words, count, first))
        call = {"id": "t", "type": "function", "function": {"name": function["name"], "arguments": said}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls", said
    wanted = body.get("response_format") or (body.get("output_config") or {}).get("format") or {}
    if wanted.get("type") == "json_schema":
        schema = wanted["schema"] if "schema" in wanted else wanted["json_schema"]["schema"]
        said = json.dumps(instance(schema, words, count, first))
    elif "JSON" in text:
        said = json.dumps([_comment(words, number) for number in range(count)])
    else:
        said = " ".join(words[-12:]) or "Nothing to add."
    return {"role": "assistant", "content": said}, "stop", said


def _comment(words: list[str], number: int) -> dict[str, str]:
    quote = words[-1 - number] if len(words) > number else "a quote"
    said = f"It is said that {quote} This cannot be right, for the opposite is shown later."
    return {"title": f"Comment {number}", "quote": quote, "explanation": said, "type": "technical"}
