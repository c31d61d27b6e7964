"""The line that is seen while a run works."""

import asyncio
import io
import os
import pty
import struct
import termios
from fcntl import ioctl

import pytest

from rereview.cli.progress import PLAIN_SECONDS, Progress
from rereview.types.call import Call, Completion, Request, Usage
from rereview.types.review import Review


class Clock:
    """Seconds that pass when somebody sleeps; `each` happens after every sleep."""

    def __init__(self, each=lambda: None):
        self.now = 0.0
        self.each = each

    def __call__(self):
        return self.now

    async def sleep(self, seconds):
        self.now += seconds
        self.each()
        await asyncio.sleep(0)


def call(name):
    return Call(
        id=name,
        model="m",
        host="",
        sample="s",
        request=Request(messages=()),
        completion=Completion(text="", finish="stop", usage=Usage()),
        started="",
        seconds=1,
        usd=0.01,
    )


def review(*calls, status="ok"):
    return Review(
        id="r", manuscript_id="m", reviewer="a", model="m", round=1, status=status, call_ids=tuple(calls)
    )


@pytest.fixture
def terminal():
    """Both ends of a terminal 40 columns wide."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    with open(theirs, "w", encoding="utf-8") as stream:  # noqa: PTH123 - a descriptor has no path
        yield ours, stream
    os.close(ours)


def test_the_line_fits_the_terminal(terminal):
    """On a terminal the line is redrawn in place and never as long as it is wide."""
    ours, stream = terminal
    progress = Progress(100, 5.0, Clock(), stream=stream)
    shown = ""
    for number in range(3):
        progress.called(call(f"c{number}"), replayed=False)
        progress.reviewed(review(f"c{number}"))
        progress._say(last=False)
        shown += os.read(ours, 10_000).decode()
    drawn = shown.split("\r\x1b[K")[1:]
    assert len(drawn) == 3
    assert all(len(line) < 40 for line in drawn)
    assert "\n" not in shown
    assert drawn[-1].startswith("3 of 100 rounds · 3 calls")


def test_the_line_makes_room(terminal):
    """What is said meanwhile stands on a line of its own; without a terminal nothing is cleared."""
    ours, stream = terminal
    progress = Progress(100, 5.0, Clock(), stream=stream)
    progress._say(last=False)
    os.read(ours, 10_000)
    progress.clear()
    assert os.read(ours, 10_000) == b"\r\x1b[K"
    elsewhere = io.StringIO()
    Progress(100, 5.0, Clock(), stream=elsewhere).clear()
    assert elsewhere.getvalue() == ""


async def test_without_a_terminal_a_line_every_thirty_seconds():
    """One line after each 30 s, and one at the end."""
    stream, clock = io.StringIO(), Clock()
    progress = Progress(4, 5.0, clock, stream=stream, sleep=clock.sleep)
    async with progress.shown():
        while clock.now < 3 * PLAIN_SECONDS:  # noqa: ASYNC110 - the clock's seconds are not real ones
            await asyncio.sleep(0)
    lines = stream.getvalue().splitlines()
    assert [line.rsplit(" · ", 1)[1] for line in lines[:3]] == ["30 s so far", "60 s so far", "90 s so far"]
    assert len(lines) in {3, 4}


async def test_quiet_says_nothing():
    """With --json there is no line at all."""
    stream = io.StringIO()
    progress = Progress(4, 5.0, Clock(), stream=stream, quiet=True)
    async with progress.shown():
        progress.clear()
    assert stream.getvalue() == ""


async def test_nobody_reads_and_the_run_goes_on():
    """A closed standard error costs the line and not the rounds."""
    read, write = os.pipe()
    os.close(read)
    with open(write, "w", encoding="utf-8", buffering=1) as stream:  # noqa: PTH123, ASYNC230 - as above; nothing blocks
        async with Progress(4, 5.0, Clock(), stream=stream).shown():
            done = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), write)
    assert done


def test_time_left_comes_from_the_rounds_of_this_run():
    """Ninety rounds out of the ledger took no time and say nothing of the ten that are missing."""
    clock = Clock()
    progress = Progress(100, 5.0, clock)
    for number in range(90):
        progress.called(call(f"old{number}"), replayed=True)
        progress.reviewed(review(f"old{number}"))
    clock.now = 20.0
    assert progress.line.endswith("20 s so far")
    progress.called(call("new"), replayed=False)
    progress.reviewed(review("new"))
    assert progress.line.endswith("about 180 s left")
    progress.reviewed(review(status="failed"))
    assert progress.line.endswith("about 80 s left")
