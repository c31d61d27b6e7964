"""`rereview study`: begin a study."""

from __future__ import annotations

from pathlib import Path

import click

from rereview.cli.main import printable, unbroken
from rereview.errors import UsageError
from rereview.study.create import create
from rereview.study.design import FILE, Preset
from rereview.text.plurals import many

BESIDE = ("perturb", "run", "audit", "report")
"""Commands of a study that stand beside this one."""


class Subcommands(click.Group):
    """A command that is looked for here and stands elsewhere is named as it is typed."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was named. Raises UsageError for one of `BESIDE`."""
        if args and args[0] in BESIDE:
            raise UsageError(
                f"no such command {args[0]!r}", where="study", expected=f"rereview {args[0]} STUDY"
            )
        return super().resolve_command(ctx, args)


@click.group(cls=Subcommands)
def study() -> None:
    """Studies of many papers: what they are made of stands in their study.toml."""


@study.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="STUDY")
@click.option(
    "--papers",
    "places",
    type=click.Path(path_type=Path),
    multiple=True,
    required=True,
    metavar="PATH",
    help="A paper, or a folder of papers; repeatable. Folders in between name the domain.",
)
@click.option(
    "--benchmark",
    type=click.Choice(["injection"]),
    default="injection",
    show_default=True,
    help="What is measured.",
)
@click.option(
    "--reviewer",
    "reviewers",
    multiple=True,
    default=("checks",),
    show_default=True,
    metavar="NAME|FILE.py:NAME",
    help="Reviewer to test; repeatable. Models and options are given in study.toml.",
)
@click.option(
    "--preset",
    type=click.Choice(["rules", "paper"]),
    default="rules",
    show_default=True,
    help="rules: no model is asked. paper: models and systems of the benchmarking paper.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of every draw.")
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def init(
    folder: Path,
    places: tuple[Path, ...],
    reviewers: tuple[str, ...],
    *,
    preset: Preset,
    benchmark: str,  # noqa: ARG001  one benchmark so far
    seed: int,
    debug: bool,  # noqa: ARG001  read by main
) -> None:
    """Make the folder STUDY: a copy of each paper's source, and a study.toml to edit.

    Errors are injected into source, so papers are LaTeX (a file, a folder, an archive) or Markdown.
    """
    made = create(folder, places, reviewers, seed=seed, preset=preset)
    for path, why in made.left_out:
        click.echo(printable(f"left out: {path}: {why}"), err=True)
    with unbroken():
        for paper in made.papers:
            domain = f", {paper.domain}" if paper.domain else ""
            click.echo(printable(f"{paper.id}: {paper.kind or 'kind unknown'}{domain}"))
        click.echo(printable(f"{many(len(made.papers), 'paper')}. Edit {folder / FILE}, then:"))
        click.echo(printable(f"  rereview perturb {folder} --dry-run"))
