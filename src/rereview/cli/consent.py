"""Asking before a manuscript leaves this machine, once, with what it will cost."""

from __future__ import annotations

import asyncio
import shlex
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import click

from rereview.cli.main import printable
from rereview.errors import ConsentError
from rereview.models.base import Endpoint, is_loopback
from rereview.types.call import Request


def confirmed(text: str) -> bool:
    """The answer at the terminal. Ctrl-C and the end of input mean no.

    A running event loop keeps the first Ctrl-C for itself, so it is taken back while we wait.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return click.confirm(text, default=False, err=True)
    except click.Abort:
        click.echo(err=True)
        return False
    finally:
        signal.signal(signal.SIGINT, before)


def with_option(command: str, *option: str) -> str:
    """The command with one more option, where it is an option also before a `--`."""
    words = shlex.split(command)
    place = words.index("--") if "--" in words else len(words)
    return shlex.join([*words[:place], *option, *words[place:]])


@dataclass
class Consent:
    """A gate before every request: the first one to a host that is not this machine is agreed to.

    `statement` says pages, tokens, host, rounds and cost of a request; `command` is the line that
    consents. Raises ConsentError where nobody can be asked or the answer is no.
    """

    statement: Callable[[Endpoint, Request], str]
    command: str
    yes: bool
    offline: bool
    ask: Callable[[str], bool] = confirmed
    terminal: Callable[[], bool] = lambda: sys.stdin.isatty() and sys.stderr.isatty()
    clear: Callable[[], None] = lambda: None
    """Makes room on the terminal before something is said there."""
    _agreed: set[str] = field(default_factory=set)
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, endpoint: Endpoint, request: Request) -> None:
        """Let the request pass, or raise."""
        if is_loopback(endpoint.host):
            return
        if self.offline:
            raise ConsentError(
                f"--offline, and {endpoint.name} is at {endpoint.host}",
                expected="leave --offline out, or name a model on this machine",
            )
        async with self._asking:
            if endpoint.host not in self._agreed:
                self._agree(endpoint, request)

    def _agree(self, endpoint: Endpoint, request: Request) -> None:
        statement = printable(self.statement(endpoint, request))
        self.clear()
        if self.yes:
            click.echo(statement, err=True)
        elif not self.terminal():
            raise ConsentError(
                f"nothing is sent to {endpoint.host} without consent. {statement}",
                expected=f"to agree: {self._agreeing}",
            )
        elif not self.ask(f"{statement}\nSend it?"):
            raise ConsentError(f"nothing was sent to {endpoint.host}", expected=f"to agree: {self._agreeing}")
        self._agreed.add(endpoint.host)

    @property
    def _agreeing(self) -> str:
        return with_option(self.command, "--yes")


SENDING = ("socket.connect", "socket.sendto", "socket.sendmsg")
ASKING = ("socket.getaddrinfo", "socket.gethostbyname")
"""To ask for the address of a name leaves this machine too."""


class _Offline:
    """Refuses every connection that is not loopback, as an audit hook of the interpreter."""

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in ASKING:
            self._refuse(arguments[0])
        elif event in SENDING and isinstance(arguments[1], tuple):
            self._refuse(arguments[1][0])

    def _refuse(self, host: object) -> None:
        name = host.decode("latin-1") if isinstance(host, bytes) else str(host or "")
        if not is_loopback(f"[{name}]" if ":" in name else name):
            raise ConsentError(f"--offline, and something connects to {name}", expected="leave --offline out")


def forbid_sockets() -> None:
    """From now on a socket of this process that is not loopback is an error. It cannot be undone."""
    sys.addaudithook(_Offline())
