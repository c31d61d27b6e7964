"""`rereview reviewers`: which there are, and environments for those that are packages of others."""

from __future__ import annotations

import click

from rereview import plugins
from rereview.cli.main import printable, unbroken
from rereview.reviewers.environments import PACKAGES, install, installed, package


@click.command("reviewers", short_help="List reviewers, or install one that is a package of others.")
@click.argument("action", type=click.Choice(["list", "install"]), default="list")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def reviewers(*, action: str, names: tuple[str, ...], debug: bool) -> None:  # noqa: ARG001  read by main
    """List the reviewers, or install openaireview or coarse in an environment of its own.

    Both need Python 3.12 or newer, which is looked for on the search path and among those of pyenv.
    """
    if action == "list":
        with unbroken():
            for name in plugins.names("reviewers"):
                click.echo(name + _state(name))
        return
    for name in names or sorted(PACKAGES):
        wanted = package(name)
        click.echo(f"installing {wanted.pin} ...", err=True)
        place = install(name).parent
        with unbroken():
            click.echo(printable(f"{name}: {wanted.pin} in {place}"))


def _state(name: str) -> str:
    if name not in PACKAGES:
        return ""
    return " (installed)" if installed(name) else f" (not installed: rereview reviewers install {name})"
