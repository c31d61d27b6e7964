"""`rereview review`: one paper, its checks and its rounds, one report."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import click

from rereview.cli.beside import tell_beside
from rereview.cli.configurations import (
    asked,
    configurations,
    forms_of,
    goals,
    in_batches,
    opened,
    prompts_of,
    refuse_unbatched,
    resolved,
)
from rereview.cli.consent import Consent, forbid_sockets
from rereview.cli.folder import write
from rereview.cli.images import Originals, image_options, recorded, tell
from rereview.cli.main import unbroken
from rereview.cli.options import CAP, TIMEOUT, Ranged, at_once, priced
from rereview.cli.progress import Progress
from rereview.cli.role import ROLES, Role, stated
from rereview.cli.shown import complain, show
from rereview.cli.stopping import stoppable
from rereview.errors import ConsentError, UnusableInput
from rereview.ingest.base import local, read, stem_of
from rereview.ingest.pictures import Sendable
from rereview.models.base import Endpoint, endpoint, traits
from rereview.models.batch import NoBatches, half
from rereview.models.journal import system_clock
from rereview.models.prices import FORM, FREE, Cap, Price, estimate_input, forecast, price_of
from rereview.models.prices import shown as shown_price
from rereview.reviewers.base import expected_calls
from rereview.study.run import Configuration, Outcome, first_alone, run
from rereview.study.store import Store
from rereview.study.usual import Usual, usual
from rereview.text.plurals import many
from rereview.types.call import Request
from rereview.types.document import ReviewDocument
from rereview.types.manuscript import Manuscript


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    paper: Path
    reviewers: tuple[str, ...]
    settings: tuple[str, ...]
    model: str | None
    also_models: tuple[str, ...]
    base_url: str | None
    rounds: int | None
    until_precise: float | None
    out: Path | None
    form: str | None
    price: Price | None
    cap: float
    concurrency: int
    batch: bool
    timeout: float
    yes: bool
    offline: bool
    not_anonymous: bool
    images: bool
    image_limit: int
    role: Role | None
    policy_allows: bool
    as_json: bool
    command: str


@click.command(short_help="Review a paper and write a report.")
@click.argument("paper", type=click.Path(path_type=Path))
@click.option(
    "--model", metavar="[PROVIDER:]ID", help="Model that fills in the form; without it only the checks run."
)
@click.option(
    "--also-model",
    "also_models",
    multiple=True,
    metavar="[PROVIDER:]ID",
    help="Further model for a reviewer that asks several (panel); repeatable.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="REVIEWER.OPTION=VALUE",
    help="An option of a reviewer, as panel.passes=8; repeatable.",
)
@click.option(
    "--reviewer",
    "reviewers",
    multiple=True,
    metavar="NAME|FILE.py:NAME",
    help="Reviewer to run; repeatable. Default: checks, and scorecard where there is a model.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    help="How often each reviewer with a model is run. Default: 5 for scorecard, 1 for others.",
)
@click.option(
    "--until-precise",
    type=Ranged(min=0, min_open=True),
    metavar="POINTS",
    help="Ask for rounds until their mean is within POINTS of the expected score with 95% confidence;"
    " --rounds is then the most.",
)
@click.option("--form", metavar="NAME", help="Form of the scorecard. Default: iclr-anchored.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for report and ledger. Default: ./<paper>-review."
)
@click.option("--base-url", metavar="URL", help="Address of an OpenAI-compatible endpoint.")
@click.option(
    "--price",
    metavar=FORM,
    callback=priced,
    help="USD per million tokens: input, output, input read from a cache, input written to one; where the"
    " table has no price, or another.",
)
@CAP
@at_once("Rounds that are asked")
@click.option(
    "--batch",
    is_flag=True,
    help="Submit the calls as a batch, at half the price, and end; the same command later finds the answers.",
)
@TIMEOUT
@image_options
@click.option(
    "--not-anonymous", is_flag=True, help="Leave authors and acknowledgements in what the model reads."
)
@click.option(
    "--role",
    type=click.Choice(ROLES),
    help="What you are to the paper; asked for where it carries a notice to its reviewers.",
)
@click.option("--policy-allows", is_flag=True, help="State that the venue's policy allows this use.")
@click.option("--yes", is_flag=True, help="Agree to send the paper to the model's host.")
@click.option("--offline", is_flag=True, help="Make every connection that leaves this machine an error.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print review.json on standard output, and nothing else."
)
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def review(*, debug: bool, **given: object) -> None:  # noqa: ARG001  --debug is read by main
    """Review PAPER: LaTeX (a file, folder or archive), Markdown, DOCX, HTML, PDF, or an arXiv id.

    Without a model the deterministic checks run: nothing leaves this machine and nothing is paid.
    With one, the paper is scored again and again, and the report says how far the score can be
    trusted. Every answer is kept in the folder's ledger; the same command goes on where it stopped.
    """
    options = Options(command=click.get_current_context().obj, **given)  # type: ignore[arg-type]  # click's types
    if options.offline:
        forbid_sockets()
    source = local(options.paper, offline=options.offline)
    paper = _storable(read(source), source)
    tell_beside(paper)
    stated(paper, options.role, options.command, allowed=options.policy_allows)
    originals = Originals(source)
    if not options.not_anonymous:
        paper = originals.anonymous(paper)
    seen = originals.sendable(paper, wanted=options.images and options.model is not None)
    out = options.out or Path(f"{stem_of(source)}-review")
    with redirect_stdout(sys.stderr) if options.as_json else nullcontext():  # a reviewer may print
        try:
            outcome, document = asyncio.run(_run(paper, seen, options, out))
        except asyncio.CancelledError as stop:
            raise KeyboardInterrupt from stop
    write(document, originals, out)
    if not options.as_json:
        with unbroken():
            show(document, out)
    tell(outcome.excluded)
    complain(outcome, document, options.command)
    if options.as_json:
        with unbroken():
            click.echo(document.to_json())


def _storable(paper: Manuscript, source: Path) -> Manuscript:
    """The paper, unless a file of it has a name that is no text: nothing could be written of it."""
    try:
        paper.to_json()
    except ValueError as error:
        raise UnusableInput(
            "the name of a file is not UTF-8", where=str(source), expected="rename it"
        ) from error
    return paper


async def _run(
    paper: Manuscript, seen: Sendable, options: Options, out: Path
) -> tuple[Outcome, ReviewDocument]:
    from rereview.report.contents import document  # noqa: PLC0415  pandas is slow to import, and a bad option fails first

    models = [] if options.model is None else [options.model, *options.also_models]
    found = [endpoint(each, base_url=options.base_url, timeout=options.timeout) for each in models]
    target, peers = (found[0] if found else None), tuple(found[1:])
    made = configurations(asked(options), target, peers)
    if options.offline:
        _refuse_programs(made)
    most = sum(each.rounds.most for each in made if each.endpoint is not None)
    wanted = goals(made)
    price = None if target is None else price_of(target, options.price)
    price = half(price) if price is not None and options.batch else price
    progress = Progress(most, options.cap, time.monotonic, quiet=options.as_json, open_ended=bool(wanted))
    if options.batch:
        refuse_unbatched(found)
    paid = in_batches(made, NoBatches()) if options.batch else made
    calls, cost = _calls(paid, paper), await usual(paid, paper, seen.pictures)
    consent = Consent(
        statement=lambda to, request: _statement(
            paper, to, request, calls=calls, price=price, cost=cost, options=options
        ),
        command=options.command,
        yes=options.yes,
        offline=options.offline,
        clear=progress.clear,
    )
    with stoppable(), Store(out) as store, store.claim():
        if options.batch:
            made = in_batches(made, store)
        try:
            async with progress.shown():
                outcome = await run(
                    paper,
                    made,
                    store,
                    cap=Cap(options.cap),
                    gate=consent,
                    watch=progress,
                    clock=system_clock,
                    concurrency=max(options.concurrency, most) if options.batch else options.concurrency,
                    pictures=seen.pictures,
                )
        finally:
            for each in opened(made):
                await each.aclose()
        return outcome, document(
            paper,
            outcome.reviews,
            store.calls(),
            forms=forms_of(made),
            prompts=prompts_of(made),
            options=(*resolved(made), *_images(seen, made), *_stated(paper, options)),
            goals=wanted,
            stopped=None if outcome.stopped is None else str(outcome.stopped),
            excluded=outcome.excluded,
            toys={each.name for each in found if traits(each).toy},
        )


def _refuse_programs(made: Sequence[Configuration]) -> None:
    """A program of somebody else opens sockets of its own, which nobody here can forbid."""
    for each in made:
        if getattr(each.reviewer, "runs_program", False):
            raise ConsentError(
                f"--offline, and {each.name} runs a program whose connections cannot be watched",
                expected="leave --offline out, or that reviewer",
            )


class _Calls(NamedTuple):
    """Calls of all rounds, at least and at most (None: not known); `sharing`: through a cache."""

    low: int
    high: int | None
    sharing: bool


def _calls(made: Sequence[Configuration], paper: Manuscript) -> _Calls:
    asking = [each for each in made if each.endpoint is not None]
    each = [
        (one.rounds.most, *expected_calls(one.reviewer, paper, models=1 + len(one.peers))) for one in asking
    ]
    most = [rounds * high for rounds, _, high in each if high is not None]
    return _Calls(
        low=sum(rounds * low for rounds, low, _ in each),
        high=sum(most) if len(most) == len(each) else None,
        sharing=any(low > 1 for _, low, _ in each) or any(map(first_alone, asking)),
    )


def _least(one: float, calls: _Calls, price: Price) -> float:
    """USD of the fewest calls; those of one round but the first read the paper from a cache, where one is."""
    cached = calls.sharing and price.cached is not None and price.input
    share = float(price.cached / price.input) if cached and price.cached is not None else 1.0
    return one * (1 + (calls.low - 1) * share) if calls.low else 0.0


def _statement(
    paper: Manuscript,
    target: Endpoint,
    request: Request,
    *,
    calls: _Calls,
    price: Price | None,
    cost: Usual | None,
    options: Options,
) -> str:
    pages = len({block.page for block in paper.blocks if block.page is not None})
    images = sum(len(message.pictures) for message in request.messages)
    seen = "1 image" if images == 1 else f"{images} images"
    parts = (many(pages, "page") if pages else "", seen if images else "")
    size = ", ".join((*filter(None, parts), f"about {estimate_input(request):,} tokens"))
    low, high, _ = calls
    count = f"{low} call{'' if low == 1 else 's'}" if low == high else f"{low} to {high} calls"
    count = f"{low} call{'' if low == 1 else 's'} or more" if high is None else count
    money = "an unknown price"
    if price is not None:
        one = forecast((request,), price)
        most = f" to ${one.high * high:.2f}" if high is not None else " or more"
        about = "" if cost is None else f" ({_about(cost)})"
        least = _least(one.low, calls, price)
        money = f"${least if cost is None else min(least, cost.low):.2f}{most}{about}"
    if options.until_precise is not None or high is None or (price and one.high * high > options.cap):
        money = f"{money} and never more than ${options.cap:.2f}"
    if options.until_precise is not None:
        count = f"at most {count}"
    rate = "" if price in (None, FREE) else f" The price is {shown_price(price)}."
    return (
        f"{paper.paper_id} ({size}) goes to {target.host}, model {target.name}, in {count} for {money}.{rate}"
    )


def _about(cost: Usual) -> str:
    """What is likely, and from where to where by what is not known."""
    why = "by what is found and with reasoning" if cost.reasoning else "by what is found"
    return f"about ${cost.likely:.2f} without reasoning, ${cost.low:.2f} to ${cost.high:.2f} {why}"


def _images(seen: Sendable, made: Sequence[Configuration]) -> tuple[tuple[str, str], ...]:
    asking = [each for each in made if each.endpoint is not None]
    return recorded(seen, wanted=any(each.images is not None for each in asking)) if asking else ()


def _stated(paper: Manuscript, options: Options) -> tuple[tuple[str, str], ...]:
    anonymity = () if options.not_anonymous else (("anonymous", _anonymity(paper)),)
    return (*anonymity, *stated(paper, options.role, options.command, allowed=options.policy_allows))


def _anonymity(paper: Manuscript) -> str:
    count = sum(each.at is not None for each in paper.removed)
    return f"{count} passage{'' if count == 1 else 's'} left out of what a model is given"
