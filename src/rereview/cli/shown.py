"""What a review prints when it is done."""

from __future__ import annotations

from pathlib import Path

import click

from rereview.cli.main import printable
from rereview.report.promises import comparison, promise
from rereview.types.document import ReviewDocument
from rereview.types.review import Review

SHOWN = 10


def show(document: ReviewDocument, out: Path) -> None:
    """Print the findings of the checks, the scores, and where the report is."""
    click.echo(printable(document.manuscript.title or document.manuscript.paper_id))
    for record in document.reviews:
        if record.model is None:
            _print_findings(record)
    for summary in document.scores:
        notes = f" ({'; '.join(summary.mean.marks)})" if summary.mean.marks else ""
        click.echo(
            printable(f"{summary.reviewer}, {summary.model}: {summary.mean}{notes}, {summary.mean.n} rounds")
        )
        if summary.precision is not None:
            click.echo(printable("  " + promise(summary.precision)))
            click.echo(printable("  " + comparison(summary.precision)))
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
