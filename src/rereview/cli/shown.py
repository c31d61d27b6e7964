"""What a review prints when it is done."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from rereview.cli.consent import with_option
from rereview.cli.main import printable
from rereview.errors import ConsentError, Unfinished, UnknownPrice
from rereview.report.export import toys_said, unseen_said
from rereview.report.findings import SEVERITIES
from rereview.report.promises import comparison, promise
from rereview.study.run import Outcome
from rereview.text.plurals import many
from rereview.types.document import ReviewDocument
from rereview.types.review import Review

SHOWN = 10


def show(document: ReviewDocument, out: Path) -> None:
    """Print the findings of the checks, the scores, and where the report is."""
    click.echo(printable(document.manuscript.title or document.manuscript.paper_id))
    for record in document.reviews:
        if record.model is None:
            _print_findings(record)
    scored = {(summary.reviewer, summary.model) for summary in document.scores}
    for record in document.reviews:
        if (
            record.model not in (None, *(toy.model for toy in document.toys))
            and (record.reviewer, record.model) not in scored
        ):
            _print_review(record)
    for choice in document.choices:
        if (choice.reviewer, choice.model) not in scored:
            given = ", ".join(f"{answer} {count}" for answer, count in choice.counts if count)
            who = f"{choice.reviewer}, {choice.model}"
            click.echo(printable(f"{who}: {choice.field}: {given or 'no answer'}"))
    if document.toys:
        click.echo(printable(toys_said(document)))
    for summary in document.scores:
        notes = f" ({'; '.join(summary.mean.marks)})" if summary.mean.marks else ""
        rounds = many(summary.mean.n or 0, "round")
        click.echo(printable(f"{summary.reviewer}, {summary.model}: {summary.mean}{notes}, {rounds}"))
        if summary.precision is not None:
            click.echo(printable("  " + promise(summary.precision)))
            click.echo(printable("  " + comparison(summary.precision)))
    _print_end(document, out)


def _print_end(document: ReviewDocument, out: Path) -> None:
    if unseen := unseen_said(document):
        click.echo(f"{unseen} (listed in the report, in Record)")
    click.echo(printable(f"report: {out / 'report.html'}"))


def _print_findings(record: Review) -> None:
    if record.status == "failed":
        click.echo(printable(f"{record.reviewer}: failed"))
        return
    click.echo(printable(f"{record.reviewer}: {len(record.comments) or 'nothing'} found"))
    for comment in record.comments[:SHOWN]:
        click.echo(printable(f"  {comment.severity or 'unrated'}: {comment.title}"))
        if comment.arithmetic:
            click.echo(printable(f"      {comment.arithmetic}"))
    if len(record.comments) > SHOWN:
        click.echo(f"  and {len(record.comments) - SHOWN} more in the report")


def _print_review(record: Review) -> None:
    """What a round of comments came to, and of a panel how much it may have missed."""
    who = f"{record.reviewer}, {record.model}, round {record.round}"
    if record.draft is None:
        click.echo(printable(f"{who}: {record.status}"))
        return
    counts = Counter[str](comment.severity or "unrated" for comment in record.comments)
    by = ", ".join(f"{counts[each]} {each}" for each in SEVERITIES if counts[each])
    aside = f"; {len(record.draft.aside)} set aside" if record.draft.aside else ""
    made = many(len(record.comments), "comment") if record.comments else "no comments"
    click.echo(printable(f"{who}: {made}{f' ({by})' if by else ''}{aside}"))
    for comment in record.comments[:SHOWN]:
        support = f" [{len(comment.raised_by)} of {len(record.draft.passes)}]" if record.draft.passes else ""
        click.echo(printable(f"  {comment.severity or 'unrated'}: {comment.title}{support}"))
    if len(record.comments) > SHOWN:
        click.echo(f"  and {len(record.comments) - SHOWN} more in the report")
    if unseen := record.draft.fields.get("issues not seen"):
        click.echo(printable(f"  not seen: {unseen.partition(' beside ')[0]}"))


def complain(outcome: Outcome, document: ReviewDocument, command: str) -> None:
    """Raise what kept a round from an answer, with the command that goes on; nothing if all is there."""
    precise = {
        summary.reviewer
        for summary in document.scores
        if summary.precision is not None and summary.precision.stopped == "precise"
    }
    # Rounds that gave no score are no loss where the others suffice.
    asked = [
        record for record in outcome.reviews if record.model is not None and record.reviewer not in precise
    ]
    toys = {toy.model for toy in document.toys}
    missing = [
        record
        for record in asked
        # A toy that answers nonsense has answered: the plumbing works.
        if record.status not in ("ok", "repaired") and (record.status == "failed" or record.model not in toys)
    ]
    broken = [record for record in outcome.reviews if record.model is None and record.status == "failed"]
    if not missing and not broken:
        return
    first = outcome.stopped or (outcome.failures or (None,))[0]
    why = str(first) if first else f"{missing[0].status}: {missing[0].error}"
    if isinstance(first, ConsentError):
        raise first
    again = any(record.status == "failed" for record in (*missing, *broken))
    raise Unfinished(
        f"{len(asked) - len(missing)} of {many(len(asked), 'round')} answered: {why}" if asked else why,
        # An answer that nobody can read is an answer: the same command finds it in the ledger.
        expected="the report holds what there is" + ("" if again else "; to ask anew, name another --out"),
        resume=_going_on(command, first) if again else None,
    ) from first


def _going_on(command: str, why: BaseException | None) -> str:
    """The command, with what it lacked: without a price it would stop at the same place."""
    return with_option(command, "--price", "IN,OUT") if isinstance(why, UnknownPrice) else command
