"""Any program that prints a Draft as JSON, in whatever language it is written."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rereview.errors import RereviewError, Unreadable, UnreadStatus, UsageError
from rereview.models.base import Model
from rereview.models.gateway import Gateway, serve
from rereview.reviewers.base import NoModel, as_text
from rereview.reviewers.program import Finished, run_program
from rereview.text.answers import read_answer
from rereview.types.manuscript import Manuscript
from rereview.types.review import Draft

TEXT, RECORD = "paper.md", "paper.json"


@dataclass(frozen=True)
class Command:
    """Run `argv` and read what it prints. `{paper}` and `{manuscript}` in it become paths of files.

    The program is given the paper as text (also on its standard input) and as a record with ids and
    places, an environment without keys, and with `asks` an endpoint of this machine that stands for the
    model (OPENAI_BASE_URL, OPENAI_API_KEY, REREVIEW_MODEL). `timeout` is in seconds.
    """

    argument: ClassVar[str] = "argv"
    runs_program: ClassVar[bool] = True

    argv: str
    asks: bool = True
    timeout: float = 3_600.0

    def __post_init__(self) -> None:
        if not self.words:
            raise UsageError("no program", where="command", expected="command:PROGRAM ARGUMENTS")

    @property
    def words(self) -> list[str]:
        """The program and its arguments. Raises UsageError for quotation marks that do not close."""
        try:
            return shlex.split(self.argv)
        except ValueError as error:
            raise UsageError(
                str(error), where=f"command:{self.argv}", expected="words as in a shell"
            ) from error

    @property
    def needs_model(self) -> bool:
        """Whether the program asks one."""
        return self.asks

    def expected_calls(self, paper: Manuscript) -> tuple[int, None]:  # noqa: ARG002  nobody knows
        """As many as the program likes."""
        return 1, None

    async def __call__(self, paper: Manuscript, model: Model) -> Draft:
        """What the program says; its standard error is kept beside it."""
        text = as_text(paper)
        with tempfile.TemporaryDirectory(prefix="rereview-command-") as name:
            folder = Path(name)
            (folder / TEXT).write_text(text, "utf-8", "replace")
            (folder / RECORD).write_text(paper.to_json(), "utf-8")
            places = {"{paper}": str(folder / TEXT), "{manuscript}": str(folder / RECORD)}
            argv = [_filled(word, places) for word in self.words]
            paths = {"REREVIEW_PAPER": places["{paper}"], "REREVIEW_MANUSCRIPT": places["{manuscript}"]}
            async with passed_on(model) as gateway:
                done = await run_program(
                    argv,
                    folder=folder,
                    environment={**paths, **(gateway.environment if gateway else {})},
                    timeout=self.timeout,
                    given=text,
                    secret=gateway.key if gateway else None,
                    here=True,
                )
        return _draft(done, model, self.words[0])


@asynccontextmanager
async def passed_on(model: Model) -> AsyncIterator[Gateway | None]:
    """The model as a server for a program; None without a model.

    What stopped a call for good (money, consent, a key) is raised in place of what the program made of it.
    """
    if isinstance(model, NoModel):
        yield None
        return
    async with serve(model) as gateway:
        try:
            yield gateway
        except RereviewError as error:
            if gateway.failures:
                raise gateway.failures[0] from error
            raise


def _filled(word: str, places: dict[str, str]) -> str:
    for name, path in places.items():
        word = word.replace(name, path)
    return word


def _draft(done: Finished, model: Model, program: str) -> Draft:
    reading = read_answer(done.out, Draft)
    if reading.value is None:
        status: UnreadStatus = "truncated" if reading.status == "truncated" else "invalid"
        raise Unreadable(
            f"it printed no Draft: {reading.problem}", where=program, status=status, raw=done.out
        )
    model.read(reading.status)
    kept = {"standard error": done.err.strip()} if done.err.strip() else {}
    return reading.value.but(fields={**reading.value.fields, **kept})
