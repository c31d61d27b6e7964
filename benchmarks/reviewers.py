"""How fast calls go through: the harness beside the bare SDK, LiteLLM and Inspect.

    python benchmarks/reviewers.py [--peers PYTHON] [--calls 1000] [--repeats 3]

Every client asks a server on loopback that answers each call after 200 ms, with 100 and with 500 calls at
once. The limit is concurrency over latency; printed is the best of the repeats as a share of it, with the
CPU time of the client a call. Clients take turns, so that a machine with other work is shared fairly.
`PYTHON` is an interpreter with the packages of requirements-peers.txt; without it LiteLLM and Inspect are
left out.
"""

# ruff: noqa: PLC0415  a client imports its own library, in an environment that has no other
from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

LATENCY = 0.2
CONCURRENCIES = (100, 500)
PROMPT = "Well? " * 200
ANSWER = json.dumps(
    {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": '{"a": 1}'},
                "finish_reason": "stop",
                "logprobs": None,
            }
        ],
        "usage": {"prompt_tokens": 300, "completion_tokens": 5, "total_tokens": 305},
    }
).encode()
REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
    len(ANSWER),
    ANSWER,
)
OURS = {"harness": "rereview, every call kept in the ledger", "endpoint": "rereview, the endpoint alone"}
BARE = {"sdk-aiohttp": "OpenAI's SDK on aiohttp", "sdk": "OpenAI's SDK as it comes"}
PEERS = {"litellm": "LiteLLM", "inspect": "Inspect"}


class Server(asyncio.Protocol):
    """Answers every request after the latency."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A new connection."""
        self.transport, self.read = transport, b""

    def data_received(self, data: bytes) -> None:
        """Wait for a whole request, then for the latency."""
        self.read += data
        while b"\r\n\r\n" in self.read:
            head, _, rest = self.read.partition(b"\r\n\r\n")
            lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            size = int(lengths[0].partition(b":")[2]) if lengths else 0
            if len(rest) < size:
                return
            self.read = rest[size:]
            asyncio.get_running_loop().call_later(LATENCY, self.answer)

    def answer(self) -> None:
        """Send the one answer."""
        if not self.transport.is_closing():
            self.transport.write(REPLY)


def serve(port: multiprocessing.Queue[int]) -> None:
    """The server's process."""

    async def main() -> None:
        server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0, backlog=1024)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


Call = Callable[[int], Awaitable[object]]


def sdk(url: str, *, on_aiohttp: bool) -> Call:
    """One call of the bare SDK."""
    import openai

    client = openai.AsyncOpenAI(
        api_key="k", base_url=url, http_client=openai.DefaultAioHttpClient() if on_aiohttp else None
    )
    turns = [{"role": "user", "content": PROMPT}]
    return lambda _: client.chat.completions.create(model="m", messages=turns, max_tokens=64)


def endpoint(url: str, folder: Path, *, kept: bool) -> Call:
    """One call of rereview: the endpoint alone, or through gate, cap, journal and ledger."""
    from rereview.models.journal import Journal
    from rereview.models.openai import OpenAIEndpoint
    from rereview.models.prices import FREE, Cap
    from rereview.study.run import Gated
    from rereview.study.store import Store
    from rereview.types.call import Message, Request

    made = OpenAIEndpoint("m", url)
    request = Request(messages=(Message(role="user", text=PROMPT),), max_output_tokens=64)
    if not kept:
        return lambda _: made.complete(request)

    async def open_gate(*_: object) -> None:
        """Everything may pass."""

    gated, store, cap = Gated(made, open_gate), Store(folder), Cap(5)
    return lambda number: Journal(gated, store, f"sample {number}", FREE, cap)(request)


def litellm(url: str) -> Call:
    """One call of LiteLLM."""
    import litellm

    turns = [{"role": "user", "content": PROMPT}]
    return lambda _: litellm.acompletion(
        model="openai/m", messages=turns, api_base=url, api_key="k", max_tokens=64
    )


def inspect(url: str) -> Call:
    """One call of Inspect."""
    from inspect_ai.model import GenerateConfig, get_model

    model = get_model(
        "openai-api/local/m",
        base_url=url,
        api_key="k",
        config=GenerateConfig(max_connections=1000, adaptive_connections=False, max_tokens=64),
    )
    return lambda _: model.generate(PROMPT)


def client(name: str, url: str, folder: Path) -> Call:
    """The call of one client."""
    if name in OURS:
        return endpoint(url, folder, kept=name == "harness")
    if name in BARE:
        return sdk(url, on_aiohttp=name == "sdk-aiohttp")
    return {"litellm": litellm, "inspect": inspect}[name](url)


async def measured(name: str, url: str, concurrency: int, calls: int) -> dict[str, float]:
    """Calls a second and CPU milliseconds a call, after a warm-up of as many calls as go at once."""
    with tempfile.TemporaryDirectory() as folder:
        call = client(name, url, Path(folder))
        slots = asyncio.Semaphore(concurrency)

        async def one(number: int) -> None:
            async with slots:
                await call(number)

        await asyncio.gather(*(one(-number - 1) for number in range(concurrency)))
        used, begin = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
        await asyncio.gather(*(one(number) for number in range(calls)))
        seconds, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF)
        cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
        return {"rate": calls / seconds, "cpu": 1000 * cpu / calls}


def turns(
    names: list[tuple[str, str]], url: str, calls: int, repeats: int
) -> dict[tuple[str, int], list[dict]]:
    """Each client in turn, in a process of its own, `repeats` times."""
    found: dict[tuple[str, int], list[dict]] = {}
    for _ in range(repeats):
        for concurrency in CONCURRENCIES:
            for name, python in names:
                command = [
                    python,
                    __file__,
                    "--client",
                    name,
                    "--url",
                    url,
                    "--concurrency",
                    str(concurrency),
                ]
                done = subprocess.run(
                    [*command, "--calls", str(max(calls, 2 * concurrency))],
                    capture_output=True,
                    text=True,
                    check=False,
                )
                if done.returncode:
                    print(f"{name}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
                    continue
                found.setdefault((name, concurrency), []).append(json.loads(done.stdout.splitlines()[-1]))
    return found


def table(found: dict[tuple[str, int], list[dict]]) -> str:
    """Markdown: the best rate as a share of the limit, beside the bare SDK, and CPU a call."""
    words = OURS | BARE | PEERS
    lines = ["| client | at once | calls a second | of the limit | of the bare SDK | CPU ms a call |"]
    lines += ["|---|---|---|---|---|---|"]
    for (name, concurrency), runs in sorted(
        found.items(), key=lambda item: (item[0][1], [*words].index(item[0][0]))
    ):
        best = max(runs, key=lambda run: run["rate"])
        limit = concurrency / LATENCY
        bare = max((run["rate"] for run in found.get(("sdk-aiohttp", concurrency), [])), default=float("nan"))
        cpu = min(run["cpu"] for run in runs)
        lines.append(
            f"| {words[name]} | {concurrency} | {best['rate']:.0f} | {best['rate'] / limit:.0%} "
            f"| {best['rate'] / bare:.0%} | {cpu:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure all clients, or one (in the process of its own)."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--peers")
    options.add_argument("--calls", type=int, default=1000)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--client")
    options.add_argument("--url")
    options.add_argument("--concurrency", type=int)
    given = options.parse_args()
    if given.client:
        print(json.dumps(asyncio.run(measured(given.client, given.url, given.concurrency, given.calls))))
        return
    port: multiprocessing.Queue[int] = multiprocessing.Queue()
    server = multiprocessing.Process(target=serve, args=(port,), daemon=True)
    server.start()
    try:
        url = f"http://127.0.0.1:{port.get(timeout=10)}/v1"
        names = [(name, sys.executable) for name in (*OURS, *BARE)]
        names += [(name, given.peers) for name in PEERS if given.peers]
        print(table(turns(names, url, given.calls, given.repeats)))
        print(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end")
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
