"""Answers from a function: for tests, demonstrations and dry runs."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from rereview.errors import UsageError
from rereview.plugins import find
from rereview.text.answers import storable
from rereview.types.call import Completion, Request, Usage

Answer = str | Completion
Script = Callable[[Request], Answer | Awaitable[Answer]]


@dataclass(frozen=True)
class ScriptedEndpoint:
    """Asks a function instead of a server. Text stays in this process and costs nothing."""

    script: Script = field(repr=False)
    id: str = "function"

    @property
    def name(self) -> str:
        """`scripted:FILE.py:NAME`."""
        return f"scripted:{self.id}"

    @property
    def address(self) -> str:
        """No server."""
        return ""

    @property
    def host(self) -> str:
        """The text stays here."""
        return ""

    async def complete(self, request: Request) -> Completion:
        """The function's answer; plain text is a whole answer without token counts."""
        answer = self.script(request)
        if inspect.isawaitable(answer):
            answer = await answer
        if isinstance(answer, Completion):
            return answer
        if isinstance(answer, str):
            return Completion(text=storable(answer), finish="stop", usage=Usage())
        raise UsageError(
            f"the script answered with {type(answer).__name__}",
            where=self.name,
            expected="a str or a Completion",
        )

    async def aclose(self) -> None:
        """Nothing is open."""


def load(
    id: str,  # noqa: A002 - what every entry point of this group is given
    *,
    base_url: str | None = None,
    timeout: float | None = None,  # noqa: ARG001 - a function takes the time it takes
    environ: Mapping[str, str] | None = None,  # noqa: ARG001 - there is no key
) -> ScriptedEndpoint:
    """`FILE.py:NAME` names a function `(request: Request) -> str | Completion`, sync or async."""
    if base_url is not None:
        raise UsageError(
            "a scripted model has no server", where=f"scripted:{id}", expected="leave --base-url out"
        )
    if ".py:" not in id:
        raise UsageError(f"{id!r} names no function", where="scripted", expected="scripted:FILE.py:NAME")
    script = find("models", id)
    if not callable(script):
        raise UsageError(
            f"{id!r} is no function", expected="a function (request: Request) -> str or Completion"
        )
    return ScriptedEndpoint(script, id)
