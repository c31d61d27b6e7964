"""Main LaTeX files that were not read: a folder or an archive may hold more than one."""

from __future__ import annotations

import click

from rereview.cli.main import printable
from rereview.text.plurals import many
from rereview.types.manuscript import Manuscript

SHOWN = 10


def tell_beside(paper: Manuscript) -> None:
    """Say on standard error which main file was taken and which were not, a line each."""
    found = [gap.name for gap in paper.gaps if gap.kind == "main-file"]
    for name in found[:SHOWN]:
        click.echo(printable(f"{paper.paper_id}: not read: {name}, which was taken for the paper"), err=True)
    if len(found) > SHOWN:
        click.echo(f"{paper.paper_id}: not read: {many(len(found) - SHOWN, 'more main file')}", err=True)
