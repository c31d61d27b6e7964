"""Running a program of somebody else: its own folder, a bare environment, an end in time."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rereview.errors import ProviderError, TimedOut, UsageError

PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR", "SYSTEMROOT", "TMPDIR")
"""Variables that a program is given of our environment; keys are not among them."""
SHOWN = 300
"""Characters of a program's own words in a message."""
KEPT = 8_000
"""Characters of its standard error that are kept, from the end."""
MOST = 64 * 1024**2
"""Bytes of standard output."""
CHUNK = 65_536
GRACE = 5.0
"""Seconds between asking a program to end and ending it."""


@dataclass(frozen=True)
class Finished:
    """What a program printed."""

    out: str
    err: str
    """The end of its standard error, without the words that it was to keep to itself."""


async def run_program(
    argv: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    timeout: float,  # noqa: ASYNC109  it bounds a process, which must be ended and not only left
    given: str | None = None,
    secret: str | None = None,
    here: bool = False,
) -> Finished:
    """Run a program in `folder`, which is also its home, with `given` on its standard input.

    `here`: in the current folder, so that paths on the command line are as they were typed. `secret` is
    taken out of what it says. Raises UsageError where it cannot be started, TimedOut, and ProviderError
    for an exit code other than 0.
    """
    held = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=None if here else folder,
            env={**held, "HOME": str(folder), **environment},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(
            f"cannot be started: {why}", where=argv[0], expected="a program on the search path, or its path"
        ) from error
    try:
        async with asyncio.timeout(timeout):
            out, err = await _talked(process, b"" if given is None else given.encode("utf-8", "replace"))
    except TimeoutError as error:
        raise TimedOut(f"no end within {timeout:g} s", where=argv[0], expected="a longer time-out") from error
    finally:
        await _ended(process)
    said = _plain(err, secret)
    if process.returncode:
        raise ProviderError(_how(process.returncode or 0, said), where=argv[0])
    return Finished(_plain(out, secret), said[-KEPT:])


async def _talked(process: asyncio.subprocess.Process, given: bytes) -> tuple[bytes, bytes]:
    """What it prints until it ends; of its standard error the end. ProviderError for more than `MOST`."""
    out, err = asyncio.create_task(_all_of(process.stdout)), asyncio.create_task(_end_of(process.stderr))
    handed = asyncio.create_task(_handed(process.stdin, given))
    try:
        await asyncio.gather(out, err, handed)
        await process.wait()
        return out.result(), err.result()
    finally:
        for task in (out, err, handed):
            task.cancel()
        await asyncio.gather(out, err, handed, return_exceptions=True)


async def _all_of(stream: asyncio.StreamReader | None) -> bytes:
    held = bytearray()
    while stream is not None and (part := await stream.read(CHUNK)):
        held += part
        if len(held) > MOST:
            raise ProviderError(f"it printed more than {MOST:,} bytes", expected="one Draft as JSON")
    return bytes(held)


async def _end_of(stream: asyncio.StreamReader | None) -> bytes:
    held = b""
    while stream is not None and (part := await stream.read(CHUNK)):
        held = (held + part)[-4 * KEPT :]
    return held


async def _handed(stream: asyncio.StreamWriter | None, given: bytes) -> None:
    """A program that does not read its input is no failure."""
    if stream is None:
        return
    with suppress(BrokenPipeError, ConnectionResetError):
        stream.write(given)
        await stream.drain()
    stream.close()
    with suppress(BrokenPipeError, ConnectionResetError):
        await stream.wait_closed()


async def _ended(process: asyncio.subprocess.Process) -> None:
    """End the program and what it started, politely first, and close what it was spoken to through."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)  # the group: it may be there when the program has gone
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(process.wait()), GRACE)
    if process.stdin is not None:
        process.stdin.close()
    for stream in (process.stdout, process.stderr):
        with suppress(TimeoutError):
            await asyncio.wait_for(_end_of(stream), GRACE)


def _plain(said: bytes, secret: str | None) -> str:
    text = said.decode("utf-8", "replace")
    return text.replace(secret, "…") if secret else text


def _how(code: int, said: str) -> str:
    how = f"ended with exit code {code}" if code > 0 else f"was ended by {signal.Signals(-code).name}"
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    words = " | ".join(lines[-3:])
    return f"{how}: {words[-SHOWN:]}" if words else f"{how} and said nothing"
