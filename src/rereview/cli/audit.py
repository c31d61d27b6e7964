"""`rereview audit`: a person looks at a sample of the injected errors."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import click

from rereview.cli.main import unbroken
from rereview.cli.tables import as_text
from rereview.errors import ConsentError, UnusableInput, UsageError
from rereview.measures.audit import audit as audit_table
from rereview.measures.audit import audit_sample
from rereview.measures.tabulate import Settings
from rereview.perturb.generate import Run
from rereview.study.design import load
from rereview.study.injected import audited, frames
from rereview.study.perturbing import AUDITED, Perturbed, kept
from rereview.study.store import Store
from rereview.text.plurals import many
from rereview.types.edit import Audited, AuditLabel, Perturbation
from rereview.types.manuscript import SourceSpan

LABELS: tuple[AuditLabel, ...] = get_args(AuditLabel)
KEYS: Mapping[str, AuditLabel] = {"v": "valid", "n": "not-an-error", "a": "ambiguous"}
WIDE = 900
"""Characters of a span that are shown; the rest of a long proof is in the corrupted source."""


@click.command(short_help="Look at a sample of the injected errors, and say which are errors.")
@click.argument("study", type=click.Path(path_type=Path))
@click.option(
    "--each", type=click.IntRange(min=1), default=10, show_default=True, help="Errors of each family."
)
@click.option(
    "--list", "listed", is_flag=True, help="Print the sample with its labels as JSON, and ask nothing."
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take labels from a CSV file with the columns perturbation and label.",
)
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def audit(study: Path, *, each: int, listed: bool, labels: Path | None, debug: bool) -> None:  # noqa: ARG001  read by main
    """Draw a stratified sample of the errors in STUDY, show each with its evidence, and take a label.

    So many of each family, every subtype and every domain at least once, no more from one paper than needed;
    the seed of the study decides which. A label is kept as soon as it is given; the same command goes on.
    """
    design = load(study)
    with Store(study) as store, store.claim():
        found = kept(study, design, store)
        errors = frames(found, design, store).perturbations
        if errors.empty:
            raise UsageError(
                "no errors have been injected yet", where=str(study), expected=f"rereview perturb {study}"
            )
        sample = audit_sample(errors, each=each, seed=design.seed)
        if labels is not None:
            given = _read(labels, set(map(str, errors["perturbation"])))
            store.add_records(AUDITED, given)
        known = store.records(AUDITED, Audited)
        if listed:
            with unbroken():
                click.echo(json.dumps([_entry(found, name, known) for name in sample], ensure_ascii=False))
            return
        waiting = [name for name in sample if name not in known]
        if waiting and labels is None:
            _ask(waiting, len(sample), found, store)
        made = audit_table(audited(store, sample, errors["perturbation"]), errors, Settings())
    with unbroken():
        click.echo(as_text(made, ""))


def _ask(waiting: list[str], total: int, found: Perturbed, store: Store) -> None:
    if not sys.stdin.isatty():
        raise ConsentError(
            f"{len(waiting)} of {many(total, 'error has', 'errors have')} no label, and nobody can be asked",
            expected="run it in a terminal, or give --labels FILE; --list shows the sample",
        )
    runs = {run.id: run for each in found.prepared for run in each.runs}
    for number, name in enumerate(waiting, start=total - len(waiting) + 1):
        click.echo(f"\n{number} of {total}  {_shown(found.errors[name], runs[found.errors[name].run])}\n")
        key = click.prompt(
            "[v]alid, [n]ot an error, [a]mbiguous, [q]uit",
            type=click.Choice([*KEYS, "q"]),
            show_choices=False,
        )
        if key == "q":
            return
        store.add_records(AUDITED, {name: Audited(perturbation_id=name, label=KEYS[key])})


def _shown(edit: Perturbation, run: Run) -> str:
    passages = run.evidence.related(edit.span, edit.contradicts) if isinstance(edit.span, SourceSpan) else ()
    quote = edit.answers.quote if edit.answers else None
    lines = [
        f"{edit.id}: {edit.family}, {edit.error}",
        *("as it was:", _cut(edit.original), "as it is now:", _cut(edit.replacement)),
        *("why it is said to be wrong:", edit.why_wrong),
        *(("the verifier points at:", quote) if quote else ()),
        *(("contradicted by:", edit.contradicts) if edit.contradicts else ()),
        *(("elsewhere in the paper:", *(f"  … {each} …" for each in passages)) if passages else ()),
    ]
    return "\n".join(_plain(line) for line in lines)


def _plain(text: str) -> str:
    """What a paper says must not move the cursor; its line breaks stay."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)


def _cut(text: str) -> str:
    return text if len(text) <= WIDE else f"{text[:WIDE]} […]"


def _entry(found: Perturbed, name: str, known: Mapping[str, Audited]) -> dict[str, object]:
    edit = found.errors[name]
    shown = edit.model_dump(include={"id", "paper_id", "family", "error", "original", "replacement"})
    label = known[name].label if name in known else None
    return {**shown, "why_wrong": edit.why_wrong, "contradicts": edit.contradicts, "label": label}


def _read(path: Path, there: set[str]) -> dict[str, Audited]:
    """Labels of a file. Raises UnusableInput for a row that names no error or no label."""
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UnusableInput(f"cannot be read: {error}", where=str(path), expected="a CSV file") from error
    given = {}
    for line, row in enumerate(rows, start=2):
        name, label = (row.get("perturbation") or "").strip(), (row.get("label") or "").strip().lower()
        if name not in there or label not in LABELS:
            what = f"no injected error {name!r}" if name not in there else f"no label {label!r}"
            raise UnusableInput(
                what,
                where=f"{path}, line {line}",
                expected=f"columns perturbation and label; labels are {', '.join(LABELS)}",
            )
        given[name] = Audited.model_validate({"perturbation_id": name, "label": label})
    return given
