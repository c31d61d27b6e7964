"""A command behind a pseudo-terminal, typed at as a person types."""

import os
import pty
import select
import subprocess
import sys
import time

PATIENCE = 60.0
AGAIN = 5.0
"""Seconds after which a person presses Ctrl-C again: one that comes between a prompt and the reading of its
answer is noted by Python, and acted upon with the next."""
INTERRUPT = "\x03"
STARTED = """\
import os
os.close(os.open(os.ttyname(0), os.O_RDWR))  # so that Ctrl-C of this terminal reaches it
from rereview.cli.main import main
main()
"""


class Terminal:
    """`rereview ARGUMENTS` in a terminal of its own; what it prints is drained all the while."""

    def __init__(self, *arguments, **options):
        self.screen, other = pty.openpty()
        self.child = subprocess.Popen(
            [sys.executable, "-c", STARTED, *map(str, arguments)],
            **{"stdin": other, "stdout": other, "stderr": other} | options,
            start_new_session=True,
        )
        os.close(other)
        self.shown = ""
        self.closed = False

    def until(self, words, times=1):
        """Read until these words have come so often; what has been shown so far."""
        end = time.monotonic() + PATIENCE
        while self.shown.count(words) < times and not self.closed and time.monotonic() < end:
            self._read()
        assert self.shown.count(words) >= times, self.shown
        return self.shown

    def press(self, keys):
        """Type. Ctrl-C is pressed until it is heeded: something is said that is not the echo of the key."""
        before = len(self.shown)
        os.write(self.screen, keys.encode())
        end = time.monotonic() + PATIENCE
        while keys == INTERRUPT and not self.closed and time.monotonic() < end:
            if self.shown[before:].replace("^C", ""):
                break
            if not self._read(AGAIN):
                os.write(self.screen, keys.encode())

    def ended(self):
        """The exit code, after everything has been shown."""
        end = time.monotonic() + PATIENCE
        while not self.closed and time.monotonic() < end:
            self._read()
        try:
            assert self.closed, f"still running: {self.shown}"
            return self.child.wait(PATIENCE)
        finally:
            self.child.kill()
            self.child.wait()
            os.close(self.screen)

    def _read(self, seconds=PATIENCE):
        """Whether something happened: more is shown, or the other side is closed."""
        ready, _, _ = select.select([self.screen], [], [], seconds)
        if not ready:
            return False
        try:
            read = os.read(self.screen, 65536)
        except OSError:  # Linux says so when the other side is closed
            read = b""
        self.closed = not read
        self.shown += read.decode(errors="replace")
        return True
