"""Servers on loopback that speak what they are told to: a function of method, path and body.

    with speaking(lambda asked: Said(200, {"ok": True})) as server:
        server.url, server.asked

`asked.body` is the JSON of the request, or its bytes where it is none.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """A request as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Said:
    """An answer: JSON, or bytes as they are."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass
class Speaking:
    """What a test looks at."""

    url: str
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def speaking(answer: Callable[[Asked], Said]) -> Iterator[Speaking]:
    """Serve on a free port of 127.0.0.1 until the block ends."""

    class Requests(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 5

        def do_POST(self):
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self._answer(raw)

        def do_GET(self):
            self._answer(b"")

        def _answer(self, raw):
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                body = json.loads(raw) if raw else None
            except ValueError:
                body = raw
            asked = Asked(self.command, self.path, headers, body)
            server.asked.append(asked)
            said = answer(asked)
            time.sleep(said.seconds)
            content = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
            self.send_response(said.status)
            for name, value in ({"Content-Type": "application/json"} | said.headers).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *given):
            """Nothing is printed."""

    class Listening(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

        def handle_error(self, request, client_address):
            """A client that goes away is part of the tests."""

    listening = Listening(("127.0.0.1", 0), Requests)
    server = Speaking(f"http://127.0.0.1:{listening.server_address[1]}")
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()
