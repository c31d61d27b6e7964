"""What the commands of a study share: its design, its ledger, its models, and consent to send."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import ParamSpec, TypeVar

import click

from rereview.cli.consent import Consent, forbid_sockets
from rereview.cli.options import CAP, TIMEOUT, at_once
from rereview.cli.progress import Progress
from rereview.cli.stopping import stoppable
from rereview.models.base import Endpoint, endpoint
from rereview.models.prices import Cap
from rereview.study.asking import Asking
from rereview.study.design import Design, load
from rereview.study.store import Store
from rereview.types.call import Request

P = ParamSpec("P")
R = TypeVar("R")

_OPTIONS = (
    CAP,
    at_once("Calls that are made"),
    TIMEOUT,
    click.option("--yes", is_flag=True, help="Agree to send the papers to the models' hosts."),
    click.option("--offline", is_flag=True, help="Make every connection that leaves this machine an error."),
    click.option("--debug", is_flag=True, help="Show the trace of an error."),
)


def working_options(command: Callable[P, R]) -> Callable[P, R]:
    """The options of a command that may ask models."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    cap: float
    concurrency: int
    timeout: float
    yes: bool
    offline: bool
    debug: bool
    command: str


@dataclass(frozen=True)
class Work:
    """An open study."""

    folder: Path
    design: Design
    store: Store
    asking: Asking
    progress: Progress
    options: Options


Doing = Callable[[Work], Coroutine[None, None, R]]


def work(
    folder: Path,
    options: Options,
    doing: Doing[R],
    *,
    unit: str,
    what: Callable[[Design], int],
    asked: bool = True,
) -> R:
    """Open the study, do something with its models, and close everything.

    `what` gives the number of units that progress counts to; `asked`: False where no model will be, so that
    no key is needed. Raises KeyboardInterrupt where it is stopped.
    """
    if options.offline:
        forbid_sockets()
    design = load(folder)
    progress = Progress(what(design), options.cap, time.monotonic, unit=unit)
    try:
        return asyncio.run(_work(folder, design, options, progress, doing, asked=asked))
    except asyncio.CancelledError as stop:
        raise KeyboardInterrupt from stop


async def _work(
    folder: Path, design: Design, options: Options, progress: Progress, doing: Doing[R], *, asked: bool
) -> R:
    def opened(name: str) -> Endpoint:
        return endpoint(name, base_url=design.addresses.get(name), timeout=options.timeout, asked=asked)

    def statement(to: Endpoint, _: Request) -> str:
        count = len(design.papers)
        papers = "1 paper" if count == 1 else f"{count} papers"
        return (
            f"{papers} of {folder} and what is made of them go to {to.host}, model {to.name},"
            f" for never more than ${options.cap:.2f}."
        )

    consent = Consent(
        statement=statement,
        command=options.command,
        yes=options.yes,
        offline=options.offline,
        clear=progress.clear,
    )
    with stoppable(), Store(folder) as store, store.claim():
        asking = Asking(
            store, opened, consent, Cap(options.cap), prices=design.prices, on_call=progress.called
        )
        try:
            async with progress.shown():
                return await doing(Work(folder, design, store, asking, progress, options))
        finally:
            await asking.aclose()
