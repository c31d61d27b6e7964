"""`rereview screen`: what papers hide and whom they name, without a model."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from rereview.cli.main import end_short, printable, unbroken
from rereview.errors import UnusableInput, UsageError
from rereview.ingest.screening import Finding, papers
from rereview.ingest.screening import screen as screened
from rereview.report.grid import inert
from rereview.text.plurals import many

COLUMNS = ("paper", "page", "kind", "technique", "text", "place")
LONGEST = 100
PAPER = click.Path(path_type=Path, readable=False)
"""One that may not be read is a finding, like every other that cannot."""


@click.command(short_help="List hidden text, notices and names in papers, without a model.")
@click.argument("given", metavar="PAPERS...", nargs=-1, required=True, type=PAPER)
@click.option("--csv", "as_csv", is_flag=True, help="Print one line of CSV a finding.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def screen(given: tuple[Path, ...], *, as_csv: bool, as_json: bool, debug: bool) -> None:  # noqa: ARG001  --debug is read by main
    """List what PAPERS hide from a reader, the notices on them, and whom they name.

    A paper is a file, or a folder with LaTeX; of any other folder all papers in it are taken. Hidden
    text is found by drawing pages and by geometry: no model is asked, nothing leaves this machine,
    and nothing is said about intent. A paper that cannot be read is a line with the reason, the others
    go on, and the exit code is 2: not everything was screened. Findings alone leave it 0.
    """
    if as_csv and as_json:
        raise UsageError("--csv and --json at once", expected="choose one")
    named = list(_named(given))
    told = _Told(finding for path, name in named for finding in screened(path, name))
    with unbroken():
        if as_csv:
            _print_csv(told)
        elif as_json:
            click.echo(_as_json([name for _, name in named], list(told)))
        else:
            _print_text(len(named), told)
    if unread := told.kinds["unreadable"]:
        error = UnusableInput(
            f"{unread} of {many(len(named), 'paper')} could not be read and screened",
            expected="the findings of kind unreadable say why",
        )
        end_short(error)


class _Told:
    """Findings as they are found, and how many there were of each kind."""

    def __init__(self, findings: Iterator[Finding]) -> None:
        self.findings = findings
        self.kinds: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Finding]:
        for finding in self.findings:
            self.kinds[finding.kind] += 1
            yield finding


def _named(given: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    for path in given:
        found = [(each, each.as_posix()) for each in papers(path)]
        if not found:
            raise UnusableInput(
                "no paper in this folder", where=str(path), expected="expected a paper or papers in it"
            )
        yield from found


def _print_csv(findings: Iterable[Finding]) -> None:
    click.echo(_line(COLUMNS))
    for finding in findings:
        click.echo(_line([getattr(finding, name) for name in COLUMNS]))


def _line(values: Sequence[object]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([inert(value) for value in values])
    return out.getvalue()


def _as_json(names: Sequence[str], findings: Sequence[Finding]) -> str:
    content = {"papers": list(names), "findings": [finding.model_dump(mode="json") for finding in findings]}
    return json.dumps(content, ensure_ascii=False)


def _print_text(count: int, findings: _Told) -> None:
    for finding in findings:
        page = f" page {finding.page}" if finding.page else ""
        text = finding.text if len(finding.text) <= LONGEST else f"{finding.text[:LONGEST]} …"
        what = " ".join(filter(None, (finding.kind, finding.technique)))
        click.echo(printable(f"{finding.paper}{page}: {what}: {text}"))
    told = ", ".join(f"{number} {kind}" for kind, number in sorted(findings.kinds.items())) or "nothing found"
    click.echo(f"{many(count, 'paper')}: {told}")
