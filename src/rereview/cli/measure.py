"""`rereview measure`: how far scores can be trusted; no model is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from rereview.cli.budget import FILE, covers
from rereview.cli.main import printable, unbroken
from rereview.cli.options import POINTS, SCALE, priced
from rereview.cli.tables import as_csv, as_json, as_latex, as_text
from rereview.cli.written import Output, Said
from rereview.errors import UnusableInput, UsageError
from rereview.measures import choices
from rereview.measures.shared import Told
from rereview.measures.tables import measure_all
from rereview.measures.tabulate import Settings
from rereview.models.prices import FORM, Price
from rereview.study import outside
from rereview.study.answers import answers
from rereview.study.scales import USUAL, lines, scales_of
from rereview.types.estimate import Table


def _only_one(**chosen: bool) -> None:
    if sum(chosen.values()) > 1:
        raise UsageError("several formats at once", expected="one of --json, --csv, --latex")


@click.command()
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--table",
    "names",
    multiple=True,
    metavar="NAME",
    help="Table to make; repeatable. Default: all that the columns allow.",
)
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@click.option("--csv", "csv_", is_flag=True, help="Print CSV, a row a cell.")
@click.option("--latex", "latex_", is_flag=True, help="Print LaTeX tables for booktabs.")
@SCALE
@click.option(
    "--tolerance",
    "tolerances",
    type=POINTS,
    multiple=True,
    help="Tolerance of a budget; repeatable. Default: 0.5 and 0.25.",
)
@click.option("--percentile", is_flag=True, help="Percentile intervals, as the papers print them.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the draws.")
@click.option(
    "--price",
    metavar=FORM,
    callback=priced,
    help="USD per million tokens: input, output, input read from a cache, input written to one.",
)
@click.option("--figures", type=FILE, metavar="DIR", help="Write figures as PDF, PNG and CSV. Needs [plots].")
@click.option("--report", type=FILE, metavar="FILE", help="Write one HTML page with tables and figures.")
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def measure(
    *,
    files: tuple[Path, ...],
    names: tuple[str, ...],
    json_: bool,
    csv_: bool,
    latex_: bool,
    scale: tuple[float, float] | None,
    tolerances: tuple[float, ...],
    percentile: bool,
    seed: int,
    price: Price | None,
    figures: Path | None,
    report: Path | None,
    debug: bool,  # noqa: ARG001  read by main
) -> None:
    """Measure how far scores can be trusted.

    FILE is a CSV, JSON lines or parquet file with the columns paper, round and score, and
    optionally reviewer, model, version, group, human, accepted, withdrawn and others; or the folder
    of a study. Rows that cannot be used are listed with the reason; so is every table that is left
    out.
    """
    _only_one(json=json_, csv=csv_, latex=latex_)
    output = Output(figures, report)
    output.check(files)
    words = _answers(files, names)
    alone = bool(names) and set(names) == {ANSWERS}
    names = tuple(name for name in names if name != ANSWERS)
    if alone:
        if not words:
            raise UnusableInput(
                "no table can be made",
                where=", ".join(map(str, files)),
                expected=f"{ANSWERS} needs a study whose forms have fields beside the score",
            )
        _print({"": words}, {}, json_=json_, csv_=csv_, latex_=latex_)
        return
    try:
        loaded = outside.read(files, scale)
    except UnusableInput:
        if not words:
            raise
        _print({"": words}, {}, json_=json_, csv_=csv_, latex_=latex_)  # forms without a number
        return
    frames = dict(outside.configurations(loaded.frame))
    scales = {} if scale else scales_of(frames)
    loaded = replace(loaded, notes=(*loaded.notes, *(() if scale else lines(frames, scales))))
    settings = Settings(
        scale=scale or USUAL.ends,
        scales=scales,
        tolerances=tolerances or (0.5, 0.25),
        percentile=percentile,
        seed=seed,
        price=None if price is None else _by_kind(price),
        models=covers(loaded.frame),
    )
    told = Told(loaded.tried, loaded.excluded, loaded.inputs)
    found = measure_all(frames, names, settings, told)
    tables = {name: each.tables for name, each in found.items()}
    tables[""] = (*tables.get("", ()), *words)
    left_out = {name: dict(each.left_out) for name, each in found.items() if each.left_out}
    unused = [str(each) for each in loaded.unused]
    if not any(tables.values()):
        raise UnusableInput(
            "no table can be made",
            where=", ".join(map(str, files)),
            expected="; ".join(_left_out(left_out, list(frames))),
        )
    if output.asked:
        said = Said(_left_out(left_out, list(frames)), unused, loaded.notes)
        for line in output.write(files, frames, tables, settings, said):
            click.echo(printable(line), err=True)
    reasons = left_out if len(found) > 1 else left_out.get("", {})
    extra = {"unused": unused, "notes": list(loaded.notes), "left_out": reasons}
    if not json_:
        for line in (*loaded.notes, *unused, *_left_out(left_out, list(frames))):
            click.echo(printable(line), err=True)
    _print(tables, extra, json_=json_, csv_=csv_, latex_=latex_)


def _by_kind(price: Price) -> tuple[float, float, float, float]:
    """Input, cached, cache write, output: the caches cost as ordinary input where nobody says."""
    cached, written = (price.input if each is None else each for each in (price.cached, price.cache_write))
    return float(price.input), float(cached), float(written), float(price.output)


SHOWN = 5
"""Configurations that are named."""
ANSWERS = "answers"
"""The table of fields that are no score."""


def _answers(files: Sequence[Path], names: Sequence[str]) -> tuple[Table, ...]:
    """The table `answers`, where it is asked for and the studies have such fields."""
    given = answers(files) if not names or ANSWERS in names else None
    return () if given is None or given.empty else (choices.answers(given, level=Settings.level),)


def _print(
    tables: Mapping[str, Sequence[Table]],
    extra: Mapping[str, object],
    *,
    json_: bool,
    csv_: bool,
    latex_: bool,
) -> None:
    with unbroken():
        if json_:
            click.echo(as_json(tables, extra))
        elif csv_:
            click.echo(as_csv(tables), nl=False)
        else:
            show = as_latex if latex_ else as_text
            click.echo("\n\n".join(show(each, name) for name, made in tables.items() for each in made))


def _left_out(reasons: Mapping[str, Mapping[str, str]], configurations: Sequence[str] = ()) -> list[str]:
    """A line a table and reason, with the configurations that it is about where it is not about all."""
    whose: dict[tuple[str, str], list[str]] = {}
    for name, each in reasons.items():
        for table, reason in each.items():
            whose.setdefault((table, reason), []).append(name)
    return [
        f"{table} is left out{_of(names, configurations)}: it {reason}"
        for (table, reason), names in whose.items()
    ]


def _of(names: Sequence[str], configurations: Sequence[str]) -> str:
    own = [name for name in names if name]
    if not own or len(own) == len(configurations):
        return ""
    return f" for {', '.join(own[:SHOWN])}" + (f" and {len(own) - SHOWN} more" if len(own) > SHOWN else "")
