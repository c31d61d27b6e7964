"""`rereview measure` and `rereview budget`: how far scores can be trusted; no model is asked."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path

import click

from rereview.cli.main import printable
from rereview.cli.tables import as_csv, as_json, as_latex, as_text
from rereview.errors import UsageError
from rereview.measures.tables import measure as measured
from rereview.measures.tabulate import Settings, panel
from rereview.stats.budget import Budgets, budgets
from rereview.stats.pilot import Evidence, Number, PairCounts, Variance
from rereview.study import outside

KEYS = (
    "planning",
    "certified",
    "certified_tighter",
    "lattice",
    "simultaneous",
    "joint",
    "hoeffding",
    "upper_bound",
    "upper_bound_tighter",
)
PAPER_MODELS = 3
"""What the simultaneous budget covers in Can We Believe AI Peer Review?, D.4."""
LARGEST = Decimal(10) ** 12
FILE = click.Path(path_type=Path)


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
@click.option(
    "--scale", type=float, nargs=2, default=(1.0, 10.0), show_default=True, help="Lowest and highest score."
)
@click.option(
    "--tolerance",
    "tolerances",
    type=float,
    multiple=True,
    help="Tolerance of a budget; repeatable. Default: 0.5 and 0.25.",
)
@click.option("--percentile", is_flag=True, help="Percentile intervals, as the papers print them.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the draws.")
@click.option(
    "--price", type=float, nargs=4, help="USD per million input, cached, cache-write and output tokens."
)
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def measure(
    *,
    files: tuple[Path, ...],
    names: tuple[str, ...],
    json_: bool,
    csv_: bool,
    latex_: bool,
    scale: tuple[float, float],
    tolerances: tuple[float, ...],
    percentile: bool,
    seed: int,
    price: tuple[float, float, float, float] | None,
    debug: bool,  # noqa: ARG001  read by main
) -> None:
    """Measure how far scores can be trusted.

    FILE is a CSV, JSON lines or parquet file with the columns paper, round and score, and
    optionally reviewer, model, version, group, human, accepted, withdrawn and others. Rows that
    cannot be used are listed with the reason; so is every table that is left out.
    """
    _only_one(json=json_, csv=csv_, latex=latex_)
    loaded = outside.read(files)
    frames = dict(outside.configurations(loaded.frame))
    settings = Settings(
        scale=scale,
        tolerances=tolerances or (0.5, 0.25),
        percentile=percentile,
        seed=seed,
        price=price,
        models=_covered(len(frames)),
    )
    found = {name: measured(rows, names, settings) for name, rows in frames.items()}
    tables = {name: each.tables for name, each in found.items()}
    left_out = {name: dict(each.left_out) for name, each in found.items() if each.left_out}
    unused = [str(each) for each in loaded.unused]
    if json_:
        extra = {"unused": unused, "notes": list(loaded.notes), "left_out": left_out.get("", left_out)}
        click.echo(as_json(tables, extra))
        return
    for line in (*loaded.notes, *unused, *_left_out(left_out)):
        click.echo(printable(line), err=True)
    if csv_:
        click.echo(as_csv(tables), nl=False)
    else:
        show = as_latex if latex_ else as_text
        click.echo("\n\n".join(show(each, name) for name, made in tables.items() for each in made))


def _covered(configurations: int) -> int:
    return configurations if configurations > 1 else PAPER_MODELS


def _left_out(reasons: Mapping[str, Mapping[str, str]]) -> list[str]:
    lines = [
        f"{table} is left out: it {reason}" for each in reasons.values() for table, reason in each.items()
    ]
    return list(dict.fromkeys(lines))


@click.command()
@click.argument("scores", type=FILE, required=False)
@click.option(
    "--tolerance",
    type=float,
    default=0.5,
    show_default=True,
    help="How far a paper's mean may be off, in points.",
)
@click.option(
    "--success", type=float, default=0.95, show_default=True, help="Share of papers within the tolerance."
)
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence over pilots.")
@click.option("--variance", metavar="V", help="Mean within-paper variance, in place of SCORES.")
@click.option(
    "--pairs",
    metavar="D:N,...",
    help="Pairs at each absolute difference, as 0:6557,1:2417,2:26, in place of SCORES.",
)
@click.option("--papers", type=click.IntRange(min=1), help="Papers of the pilot, with --variance or --pairs.")
@click.option(
    "--pilot", type=click.IntRange(min=2), help="Pilot reviews of each paper, with --variance or --pairs."
)
@click.option(
    "--scale", type=float, nargs=2, default=(1.0, 10.0), show_default=True, help="Lowest and highest score."
)
@click.option(
    "--models",
    type=click.IntRange(min=1),
    help="Models that the simultaneous budget covers. Default: those in SCORES, or the paper's three.",
)
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def budget(
    *,
    scores: Path | None,
    tolerance: float,
    success: float,
    confidence: float,
    variance: str | None,
    pairs: str | None,
    papers: int | None,
    pilot: int | None,
    scale: tuple[float, float],
    models: int | None,
    json_: bool,
    debug: bool,  # noqa: ARG001  read by main
) -> None:
    """How many new reviews a paper needs, by method, each with what it promises.

    SCORES is a file as of `rereview measure`. Without one, --variance or --pairs with --papers
    and --pilot say what a pilot saw.
    """
    evidence = _evidence(scores, variance, pairs, papers, pilot)
    covered = models or _covered(len(evidence))
    found = {
        name: budgets(each, tolerance, success=success, confidence=confidence, scale=scale, models=covered)
        for name, each in evidence.items()
    }
    if json_:
        nested = {name: _as_dict(each) for name, each in found.items()}
        click.echo(
            json.dumps(nested[""] if list(nested) == [""] else {"configurations": nested}, ensure_ascii=False)
        )
        return
    click.echo("\n\n".join(_lines(name, each) for name, each in found.items()))


def _evidence(
    scores: Path | None, variance: str | None, pairs: str | None, papers: int | None, pilot: int | None
) -> dict[str, Evidence]:
    given = [each for each in (scores, variance, pairs) if each is not None]
    if len(given) != 1:
        raise UsageError("one pilot is needed", expected="a file of scores, or --variance, or --pairs")
    if scores is not None:
        if papers is not None or pilot is not None:
            raise UsageError(
                "--papers and --pilot speak of a summary", expected="leave them out with a file of scores"
            )
        frames = outside.configurations(outside.read([scores]).frame)
        return {name: panel(rows[rows["score"].notna()], Settings()).scores for name, rows in frames}
    if papers is None or pilot is None:
        raise UsageError("a summary needs its size", expected="--papers and --pilot")
    if variance is not None:
        return {"": Variance(_decimal(variance, "--variance"), papers, pilot)}
    return {"": PairCounts(_pairs(pairs or ""), papers, pilot)}


def _decimal(text: str, option: str) -> Decimal:
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or abs(value) > LARGEST:
        raise UsageError(f"{text!r} is no variance", where=option, expected="a decimal, as 0.140056")
    return value


def _pairs(text: str) -> dict[Number, int]:
    try:
        parts = [part.split(":") for part in text.split(",")]
        return {Decimal(difference): int(count) for difference, count in parts}
    except (ValueError, InvalidOperation) as error:
        raise UsageError(
            f"{text!r} is no list of pairs",
            where="--pairs",
            expected="DIFFERENCE:COUNT,..., as 0:6557,1:2417,2:26",
        ) from error


def _as_dict(found: Budgets) -> dict[str, object]:
    values: dict[str, object] = {key: getattr(found, key) for key in KEYS}
    reuse = None if found.reuse is None else dataclasses.asdict(found.reuse)
    sizes = {
        "variance": found.variance,
        "papers": found.papers,
        "pilot": found.reviews,
        "dropped": found.dropped,
    }
    return {**values, "reuse": reuse, **sizes, "notes": dict(found.notes)}


def _lines(name: str, found: Budgets) -> str:
    lines = [name] if name else []
    for key in KEYS:
        value = getattr(found, key)
        shown = "–" if value is None else f"{value:.4f}" if isinstance(value, float) else f"{value:,}"
        note = found.notes.get(
            key, "of the mean within-paper variance, in squared points" if "bound" in key else ""
        )
        lines.append(f"{key:<20} {shown:>7}  {note}".rstrip())
    lines += [f"{key:<20} {'':>7}  {note}" for key, note in found.notes.items() if key not in KEYS]
    return "\n".join(lines)
