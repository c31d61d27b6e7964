"""A small model in a child process of this one: a toy, to see every screen without a key.

SmolLM2-135M under llama.cpp. Models of this size find no planted error and score at random: what it
says carries no information, and the report says so.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from rereview.errors import ServerFailed, UsageError
from rereview.models.base import TOYS, Traits
from rereview.models.openai import OpenAIEndpoint
from rereview.models.weights import SMOLLM2
from rereview.types.call import Completion, Request

READS = 2_000
"""Tokens of a request."""
CONTEXT = 4_096
WRITES = 320
"""Tokens of an answer: more would be more of the same, for a minute."""
LONGEST_TEXT, MOST_ITEMS = 32, 1
"""Characters of a text and items of a list in an answer, so that the answer ends."""
FEW = 2
"""So many processors are all used."""
NAME = "embedded:toy"
TOY = Traits(toy=NAME in TOYS, input_tokens=READS, text_only=True)
INSTALL = "rereview models install embedded"
SERVER = (sys.executable, "-m", "rereview.models.llama_server")


@dataclass
class _Child:
    """The server, its error stream, and the endpoint that speaks to it."""

    process: subprocess.Popen[str]
    errors: IO[bytes]
    endpoint: OpenAIEndpoint


@dataclass(frozen=True)
class EmbeddedEndpoint:
    """Starts its server with the first request and ends it when it is closed, or when this process ends."""

    weights: Path
    timeout: float = 600.0
    server: tuple[str, ...] = SERVER
    name: str = NAME
    address: str = ""
    host: str = ""
    """The text does not leave this machine."""
    traits: Traits = TOY
    _children: list[_Child] = field(default_factory=list, init=False, repr=False, compare=False)
    _starting: list[asyncio.Lock] = field(default_factory=list, init=False, repr=False, compare=False)

    async def complete(self, request: Request) -> Completion:
        """Answer, with a schema that makes the answer end."""
        if not self._starting:
            self._starting.append(asyncio.Lock())
        async with self._starting[0]:
            if not self._children:
                self._children.append(await asyncio.to_thread(self._start))
        return await self._children[0].endpoint.complete(_bounded(request))

    async def aclose(self) -> None:
        """End the server."""
        while self._children:
            child = self._children.pop()
            await child.endpoint.aclose()
            _end(child.process)
            child.errors.close()
        self._starting.clear()

    def _start(self) -> _Child:
        key, errors = secrets.token_urlsafe(24), tempfile.TemporaryFile()  # noqa: SIM115 - open while it runs
        cores = os.cpu_count() or 1
        threads = cores if cores <= FEW else cores - 1  # one is left to whoever waits, where there are some
        process = subprocess.Popen(  # noqa: S603 - our own module
            [*self.server, str(self.weights), str(CONTEXT), str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        address = _greeted(process, key)
        if not address.startswith("http://127.0.0.1:"):
            _end(process)
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace").strip().splitlines()
            errors.close()
            raise ServerFailed(
                f"the embedded model did not start: {(said or ['it said nothing'])[-1][:200]}",
                where=str(self.weights),
                expected=INSTALL,
            )
        server = OpenAIEndpoint("toy", f"{address}/v1", "embedded", key, timeout=self.timeout, max_retries=0)
        return _Child(process, errors, server)


def _greeted(process: subprocess.Popen[str], key: str) -> str:
    """Give the key, take the address; "" from a server that ends first."""
    if process.stdin is None or process.stdout is None:
        return ""
    try:
        process.stdin.write(f"{key}\n")
        process.stdin.flush()
    except OSError:  # it has ended already, and its error stream says why
        return ""
    return process.stdout.readline().strip()


def _end(process: subprocess.Popen[str]) -> None:
    """The end of its input ends it; a deaf one is killed."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except OSError:  # the other end is gone
                continue
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _bounded(request: Request) -> Request:
    most = min(request.max_output_tokens or WRITES, WRITES)
    if request.answer_schema is None:
        return request.but(max_output_tokens=most)
    schema = json.dumps(_narrow(json.loads(request.answer_schema)), separators=(",", ":"))
    return request.but(max_output_tokens=most, answer_schema=schema)


def _narrow(node: Any) -> Any:
    """A schema whose texts and lists are short."""
    if isinstance(node, list):
        return [_narrow(item) for item in node]
    if not isinstance(node, dict):
        return node
    narrowed = {key: _narrow(part) for key, part in node.items()}
    if node.get("type") == "string" and "enum" not in node:
        narrowed["maxLength"] = LONGEST_TEXT
    if node.get("type") == "array":
        narrowed["maxItems"] = MOST_ITEMS
    return narrowed


def embedded(
    id: str,  # noqa: A002 - what every entry point of this group is given
    *,
    base_url: str | None = None,
    timeout: float | None = None,
    environ: Mapping[str, str] | None = None,
) -> EmbeddedEndpoint:
    """The one embedded model, called `toy`. Raises UsageError where it is not installed."""
    if id != "toy":
        raise UsageError(f"no embedded model is called {id!r}", expected="--model embedded")
    if base_url is not None:
        raise UsageError(
            "the embedded model has no address", where="embedded", expected="leave --base-url out"
        )
    if importlib.util.find_spec("xllamacpp") is None:
        raise UsageError(
            "the embedded model needs another package",
            where="embedded",
            expected=f"pip install 'rereview[embedded]', then {INSTALL}",
        )
    weights = SMOLLM2.path(environ)
    if not weights.is_file():
        raise UsageError("its weights are not here", where=str(weights), expected=INSTALL)
    return EmbeddedEndpoint(weights) if timeout is None else EmbeddedEndpoint(weights, timeout=timeout)
