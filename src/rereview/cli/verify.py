"""`rereview verify`: a package or a study is what it was written as."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rereview.cli.main import printable, unbroken
from rereview.errors import StorageError, UsageError
from rereview.ingest import package_faults
from rereview.ingest.package import is_package
from rereview.study import faults
from rereview.text.plurals import many
from rereview.types.fault import Verified

SHOWN = 100


@click.command(short_help="Check a manuscript package or a study.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    help="Another package: only the text of records may differ, and not of the protected ones.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output, and nothing else.")
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def verify(folder: Path, against: Path | None, *, as_json: bool, debug: bool) -> None:  # noqa: ARG001  --debug is read by main
    """Check FOLDER, a manuscript package or a study, and print what is wrong, a line each.

    A package: ids, order, paths and hashes. A study: the ledger's own integrity, the hash of each
    request and answer, that every review can be read, and the hashes of figures. Nothing is written.
    The exit code is 0 where nothing is wrong and 5 where something is.
    """
    try:
        found = looked_at(folder, against)
    except PermissionError as error:
        raise UsageError("may not be read", where=str(error.filename or folder)) from error
    with unbroken():
        if as_json:
            click.echo(found.to_json())
        else:
            _print(found)
    if found.faults:
        sys.exit(StorageError.exit_code)


def looked_at(folder: Path, against: Path | None = None) -> Verified:
    """Check what the folder is. Raises UsageError for one that is neither."""
    if (folder / faults.DATABASE).exists():
        if against is not None:
            raise UsageError("--against compares packages, and this is a study", where=str(folder))
        return faults.verified(folder)
    if not is_package(folder):
        raise UsageError(
            "neither a package nor a study",
            where=str(folder),
            expected="expected index.json or study.db in it",
        )
    found = package_faults.verified(folder)
    return found if against is None else _compared(found, folder, against)


def _compared(found: Verified, folder: Path, against: Path) -> Verified:
    if not is_package(against):
        raise UsageError("no package", where=str(against), expected="expected index.json in it")
    original = package_faults.read(against)
    paper = package_faults.checked(folder).paper
    if paper is None:
        return found
    compared = package_faults.against(paper, original)
    return found.but(
        counts=(*found.counts, ("edited records", len(compared.edited))),
        checks=(*found.checks, *package_faults.CHECKS_AGAINST),
        faults=(*found.faults, *compared.faults),
    )


def counted(counts: Sequence[tuple[str, int]]) -> str:
    """`2 pages, 1 image` of what was counted."""
    one = {"states of reviews": "state of a review"}
    return ", ".join(many(count, one.get(name, name.removesuffix("s")), name) for name, count in counts)


def _print(found: Verified) -> None:
    counts = counted(found.counts) or "nothing could be counted"
    click.echo(printable(f"{found.what} {found.name}: {counts}"))
    for fault in found.faults[:SHOWN]:
        click.echo(printable(str(fault)))
    if len(found.faults) > SHOWN:
        click.echo(f"and {len(found.faults) - SHOWN} more; --json lists all")
    failed = {fault.check for fault in found.faults}
    click.echo("; ".join(f"{check} {'FAILED' if check in failed else 'ok'}" for check in found.checks))
