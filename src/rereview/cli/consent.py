"""Asking before a manuscript leaves this machine, once, with what it will cost."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import click

from rereview.errors import ConsentError
from rereview.models.base import Endpoint, is_loopback
from rereview.types.call import Request


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
    ask: Callable[[str], bool] = lambda text: click.confirm(text, default=False, err=True)
    terminal: Callable[[], bool] = lambda: sys.stdin.isatty() and sys.stderr.isatty()
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
        statement = self.statement(endpoint, request)
        if self.yes:
            click.echo(statement, err=True)
        elif not self.terminal():
            raise ConsentError(
                f"nothing is sent to {endpoint.host} without consent. {statement}",
                expected=f"to agree: {self.command} --yes",
            )
        elif not self.ask(f"{statement}\nSend it?"):
            raise ConsentError(
                f"nothing was sent to {endpoint.host}", expected=f"to agree: {self.command} --yes"
            )
        self._agreed.add(endpoint.host)


class _Offline:
    """Refuses every connection that is not loopback, as an audit hook of the interpreter."""

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
            host = str(arguments[1][0])
            if not is_loopback(host):
                raise ConsentError(
                    f"--offline, and something connects to {host}", expected="leave --offline out"
                )


def forbid_sockets() -> None:
    """From now on a socket of this process that is not loopback is an error. It cannot be undone."""
    sys.addaudithook(_Offline())
