"""`rereview budget`: how many reviews a paper needs; no model is asked."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import click
import pandas as pd

from rereview.cli.main import printable, unbroken
from rereview.cli.options import POINTS, SCALE, SHARE, Pairs, Variances
from rereview.errors import UsageError
from rereview.measures.budget import COLUMNS
from rereview.measures.stopping import dependence
from rereview.measures.tabulate import Panel, Settings, panel
from rereview.measures.usual import ordinary
from rereview.stats.budget import Budgets, budgets
from rereview.stats.pilot import Evidence, Number, PairCounts, Variance
from rereview.study import outside
from rereview.study.scales import lines, scales_of
from rereview.types.scale import ScoreScale

PAPER_MODELS = 3
"""What the simultaneous budget covers in Can We Believe AI Peer Review?, D.4."""
MOST = 10**6
FILE = click.Path(path_type=Path)


@click.command()
@click.argument("scores", type=FILE, required=False)
@click.option(
    "--tolerance",
    type=POINTS,
    default=0.5,
    show_default=True,
    help="How far a paper's mean may be off, in points.",
)
@click.option(
    "--success", type=SHARE, default=0.95, show_default=True, help="Share of papers within the tolerance."
)
@click.option("--confidence", type=SHARE, default=0.95, show_default=True, help="Confidence over pilots.")
@click.option("--variance", type=Variances(), help="Mean within-paper variance, in place of SCORES.")
@click.option(
    "--pairs",
    type=Pairs(),
    help="Pairs at each absolute difference, as 0:6557,1:2417,2:26, in place of SCORES.",
)
@click.option(
    "--papers", type=click.IntRange(1, MOST), help="Papers of the pilot, with --variance or --pairs."
)
@click.option(
    "--pilot", type=click.IntRange(2, MOST), help="Pilot reviews of each paper, with --variance or --pairs."
)
@SCALE
@click.option(
    "--models",
    type=click.IntRange(1, MOST),
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
    variance: Decimal | None,
    pairs: dict[Decimal, int] | None,
    papers: int | None,
    pilot: int | None,
    scale: tuple[float, float] | None,
    models: int | None,
    json_: bool,
    debug: bool,  # noqa: ARG001  read by main
) -> None:
    """How many new reviews a paper needs, by method, each with what it promises.

    SCORES is a file as of `rereview measure`. Without one, --variance or --pairs with --papers
    and --pilot say what a pilot saw.
    """
    one = [each for each in (scores, variance, pairs) if each is not None]
    if len(one) != 1:
        raise UsageError("one pilot is needed", expected="a file of scores, or --variance, or --pairs")
    told: tuple[str, ...] = ()
    scales: dict[str, ScoreScale] = {}
    usual = ScoreScale() if scale is None else ScoreScale(low=scale[0], high=scale[1])
    doubts: dict[str, tuple[str, ...]] = {}
    covered = models or PAPER_MODELS
    evidence: dict[str, Evidence]
    if scores is None:
        evidence = _summary(variance, pairs, papers, pilot)
    elif papers is not None or pilot is not None:
        raise UsageError(
            "--papers and --pilot speak of a summary", expected="leave them out with a file of scores"
        )
    else:
        loaded = outside.read([scores], scale)
        frames = dict(outside.configurations(loaded.frame))
        scales = {} if scale else scales_of(frames)
        panels = _panels(frames, scores)
        evidence = {name: each.scores for name, each in panels.items()}
        doubts = {name: dependence(each).doubts for name, each in panels.items()}
        told = (*loaded.notes, *(() if scale else lines(frames, scales)), *map(str, loaded.unused))
        covered = models or covers(loaded.frame)
    found = {
        name: budgets(
            each,
            tolerance,
            success=success,
            confidence=confidence,
            scale=scales.get(name, usual).ends,
            models=covered,
            doubts=doubts.get(name, ()),
            points=scales.get(name, usual).points,
        )
        for name, each in evidence.items()
    }
    for line in told:
        click.echo(printable(line), err=True)
    with unbroken():
        click.echo(
            _as_json(found) if json_ else "\n\n".join(_lines(name, each) for name, each in found.items())
        )


def covers(frame: pd.DataFrame) -> int:
    """How many models the simultaneous budget covers when nobody says: those of the scores, or three.

    Several versions of a paper under one model are not several models.
    """
    configurations = len(frame[["reviewer", "model"]].drop_duplicates())
    return configurations if configurations > 1 else PAPER_MODELS


def _panels(frames: Mapping[str, pd.DataFrame], path: Path) -> dict[str, Panel]:
    usual = {name: ordinary(rows) for name, rows in frames.items()}
    panels = {name: panel(rows, Settings()) for name, rows in usual.items() if len(rows)}
    if not panels:
        raise UsageError("no row has a score", where=str(path), expected="scores of a pilot")
    return panels


def _summary(
    variance: Decimal | None, pairs: dict[Decimal, int] | None, papers: int | None, pilot: int | None
) -> dict[str, Evidence]:
    if papers is None or pilot is None:
        raise UsageError("a summary needs its size", expected="--papers and --pilot")
    if variance is not None:
        return {"": Variance(variance, papers, pilot)}
    counts: dict[Number, int] = dict((pairs or {}).items())
    return {"": PairCounts(counts, papers, pilot)}


def _as_json(found: dict[str, Budgets]) -> str:
    nested = {name: _as_dict(each) for name, each in found.items()}
    content = nested[""] if list(nested) == [""] else {"configurations": nested}
    return json.dumps(content, ensure_ascii=False, allow_nan=False)


def _as_dict(found: Budgets) -> dict[str, object]:
    values: dict[str, object] = {key: getattr(found, key) for key in COLUMNS}
    reuse = None if found.reuse is None else dataclasses.asdict(found.reuse)
    sizes = {
        "variance": found.variance,
        "papers": found.papers,
        "pilot": found.reviews,
        "dropped": found.dropped,
    }
    return {**values, "reuse": reuse, **sizes, "notes": dict(found.notes)}


def _lines(name: str, found: Budgets) -> str:
    lines = [printable(name)] if name else []
    for key in COLUMNS:
        value = getattr(found, key)
        shown = "–" if value is None else f"{value:.4f}" if isinstance(value, float) else f"{value:,}"
        note = found.notes.get(
            key, "of the mean within-paper variance, in squared points" if "bound" in key else ""
        )
        lines.append(f"{key:<20} {shown:>7}  {note}".rstrip())
    lines += [f"{key:<20} {'':>7}  {note}" for key, note in found.notes.items() if key not in COLUMNS]
    return "\n".join(lines)
