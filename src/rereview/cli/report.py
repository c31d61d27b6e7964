"""`rereview report`: the tables of a study of injected errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from rereview import __version__
from rereview.cli.main import printable, unbroken
from rereview.cli.tables import as_csv, as_json, as_latex, as_text
from rereview.errors import UsageError
from rereview.measures.audit import audit_sample
from rereview.measures.detections import LOCATIONS, Location, Rule
from rereview.measures.injected import Group
from rereview.measures.injection_tables import InjectionFrames, InjectionPlan, measure_injection
from rereview.measures.tabulate import Settings
from rereview.report.injected import injection_page
from rereview.study.design import Design, load
from rereview.study.injected import Frames, audited, frames
from rereview.study.measuring import groups_of, left_to_read, notes_of, rating_of, unread
from rereview.study.perturbing import kept
from rereview.study.store import Store, write_files
from rereview.types.estimate import Table

"""What a review of a single paper leaves in its folder."""
SHOWN = 5
"""Papers that are named."""


@click.command(short_help="The tables of a study: who finds which errors, and how sure that is.")
@click.argument("study", type=click.Path(path_type=Path))
@click.option(
    "--rule",
    type=click.Choice(list(LOCATIONS)),
    help="When a comment is at the place of an error. Default: quote-coverage, which is the paper's; without"
    " a judge changed-region, which scattered letters do not fool.",
)
@click.option("--table", "names", multiple=True, metavar="NAME", help="Table to print; repeatable.")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@click.option("--csv", "csv_", is_flag=True, help="Print CSV, a row a cell.")
@click.option("--latex", "latex_", is_flag=True, help="Print LaTeX tables for booktabs.")
@click.option("--percentile", is_flag=True, help="Percentile intervals, as the papers print them.")
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def report(
    study: Path,
    *,
    rule: Location | None,
    names: tuple[str, ...],
    json_: bool,
    csv_: bool,
    latex_: bool,
    percentile: bool,
    debug: bool,  # noqa: ARG001  read by main
) -> None:
    """Measure what is in the ledger of STUDY, print its tables, and write report/index.html and tables/.

    No model is asked: every threshold is read off the kept ratings.
    """
    if sum((json_, csv_, latex_)) > 1:
        raise UsageError("several formats at once", expected="one of --json, --csv, --latex")
    design = load(study)
    with Store(study) as store:
        there = kept(study, design, store)
        found = frames(there, design, store)
        sample = () if found.perturbations.empty else audit_sample(found.perturbations, seed=design.seed)
        labels = audited(store, sample, found.perturbations["perturbation"])
    if found.readings.empty:
        what = (
            "nothing has been reviewed yet" if not found.waiting else "no review has been searched for hits"
        )
        raise UsageError(what, where=str(study), expected=f"rereview run {study}")
    if found.waiting:
        who, count = ", ".join(found.unsearched), found.waiting
        click.echo(
            printable(
                f"left out: {who}: {count} review{'' if count == 1 else 's'} not searched for hits, and"
                f" the rest alone would show too few: rereview run {study}"
            ),
            err=True,
        )
    for name, papers in unread(design, found).items():
        shown = ", ".join(papers[:SHOWN]) + (", …" if len(papers) > SHOWN else "")
        click.echo(
            printable(f"{name} has not read {shown} as it is now: rereview run {study}"),
            err=True,
        )
    given = InjectionFrames(
        found.perturbations, found.readings, found.pairs, found.judged, found.shown, labels
    )
    plan = _plan(design, found, rule, percentile=percentile)
    measured = measure_injection(given, plan)
    page = injection_page(
        measured, given, plan, notes=notes_of(design, there), versions=(("rereview", __version__),)
    )
    wanted = _wanted(measured.tables, names, measured.left_out)
    write_files(study, {**_files(measured.tables), "report/index.html": page.encode()})
    with unbroken():
        if json_:
            click.echo(as_json(wanted, {"left_out": list(measured.left_out)}))
        elif csv_:
            click.echo(as_csv(wanted), nl=False)
        else:
            show = as_latex if latex_ else as_text
            click.echo("\n\n".join(show(each, name) for name, made in wanted.items() for each in made))
    for line in measured.left_out:
        click.echo(printable(line), err=True)
    click.echo(printable(f"report: {study / 'report' / 'index.html'}"), err=True)


def _plan(design: Design, found: Frames, rule: Location | None, *, percentile: bool) -> InjectionPlan:
    there = set(found.readings["system"])
    groups = tuple(
        Group(name, each["models"], tuple(s for s in each["systems"] or () if s in there), each["papers"])
        for name, each in groups_of(design).items()
    )
    location = rule or (LOCATIONS[1] if rating_of(design) is None else LOCATIONS[0])
    return InjectionPlan(
        rule=Rule(location, design.judge.coverage, rating_of(design)),
        groups=groups,
        settings=Settings(seed=design.seed, percentile=percentile),
        left=left_to_read(design, found),
    )


def _wanted(
    tables: Mapping[str, tuple[Table, ...]], names: tuple[str, ...], left_out: Sequence[str]
) -> dict[str, tuple[Table, ...]]:
    """The tables of these names, all without any. Raises UsageError for a name that no table has."""
    there = dict.fromkeys(each.name for made in tables.values() for each in made)
    for name in names:
        if name not in there:
            raise UsageError(
                _why(name, left_out) or f"no table {name!r}", expected=f"there are: {', '.join(there)}"
            )
    return {
        group: tuple(each for each in made if not names or each.name in names)
        for group, made in tables.items()
    }


def _why(name: str, left_out: Sequence[str]) -> str:
    """Why a table is left out, of each group where it is not the same of all; "" of one that there is not."""
    told = [line.partition(" is left out: ") for line in left_out]
    reasons = {table: why for table, _, why in told if why and table.rpartition(": ")[2] == name}
    if len(set(reasons.values())) == 1:
        reasons = {name: next(iter(reasons.values()))}
    return "; ".join(f"{table} is left out: {why}" for table, why in reasons.items())


def _files(tables: Mapping[str, tuple[Table, ...]]) -> dict[str, bytes]:
    """Each table as CSV, those of a group under its name."""
    return {
        f"tables/{group + '-' if group else ''}{each.name}.csv": as_csv({"": [each]}).encode()
        for group, made in tables.items()
        for each in made
    }
