"""`rereview import`: reviews that exist already become records of a study, and a report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from rereview.cli.beside import tell_beside
from rereview.cli.configurations import form_of
from rereview.cli.folder import write
from rereview.cli.images import Originals
from rereview.cli.main import printable, unbroken
from rereview.cli.taking import take
from rereview.errors import UsageError
from rereview.ingest.base import local, read, stem_of
from rereview.reviewers.imported import ReadReview, read_reviews
from rereview.study.design import FILE as STUDY
from rereview.study.importing import Landed, land
from rereview.study.store import Store
from rereview.text.plurals import many
from rereview.types.document import Scored
from rereview.types.review import Review

FILES = click.Path(path_type=Path)
SHOWN = 12


@click.command("import", short_help="Put reviews that exist already into a study.")
@click.argument("paper", type=FILES)
@click.argument("files", type=FILES, nargs=-1, required=True, metavar="REVIEW...")
@click.option("--out", type=FILES, help="Folder of the study. Default: ./<paper>-review.")
@click.option("--as", "name", metavar="NAME", help="Reviewer that wrote all of them: rounds 1, 2, ... of it.")
@click.option("--submission", metavar="ID", help="Take the reviews of this submission only.")
@click.option(
    "--not-anonymous", is_flag=True, help="Import for the paper as `review --not-anonymous` reads it."
)
@click.option("--paper", "paper_id", metavar="ID", help="Of a study: the paper that the files are about.")
@click.option(
    "--version", "version", metavar="FAMILY", help='Of a study: the version that was reviewed, or "clean".'
)
@click.option("--json", "as_json", is_flag=True, help="Print review.json on standard output.")
@click.option("--debug", is_flag=True, help="Show the trace of an error.")
def import_(
    *,
    paper: Path,
    files: tuple[Path, ...],
    out: Path | None,
    name: str | None,
    submission: str | None,
    paper_id: str | None,
    version: str | None,
    not_anonymous: bool,
    as_json: bool,
    debug: bool,  # noqa: ARG001  read by main
) -> None:
    """Read REVIEW files, locate their quotes in PAPER, and keep them as records of a study.

    What a file is shows in its content: OpenAIReview, coarse, Refine, Reviewer3, Stanford, prebuttal,
    refereed, AI-Scientist, OpenReview, HotCRP, a Draft in JSON, or plain text. No model is asked.

    Where PAPER is a study of injected errors (a folder with a study.toml), the files are edit records in
    JSON (or folders of them), or reviews of one of its versions.
    """
    if (paper / STUDY).is_file():
        with unbroken():
            click.echo(
                "\n".join(map(printable, take(paper, files, paper=paper_id, version=version, name=name)))
            )
        return
    if paper_id or version:
        raise UsageError(
            "--paper and --version are for a study of injected errors",
            where=str(paper),
            expected="a folder with a study.toml",
        )
    from rereview.report.contents import document  # noqa: PLC0415  pandas is slow to import

    given = [(each, path.stem) for path in files for each in _chosen(path, submission)]
    source = local(paper)
    originals = Originals(source)
    manuscript = read(source)
    tell_beside(manuscript)
    manuscript = manuscript if not_anonymous else originals.anonymous(manuscript)
    folder = out or Path(f"{stem_of(source)}-review")
    with Store(folder) as store, store.claim():
        landed = land(store, manuscript, given, name=name)
        reviews = store.reviews(manuscript.id)
        made = document(manuscript, reviews, store.calls(), forms=_forms(reviews))
    write(made, originals, folder)
    with unbroken():
        click.echo(made.to_json() if as_json else "\n".join(_lines(landed, folder)))


def _chosen(path: Path, submission: str | None) -> tuple[ReadReview, ...]:
    """The reviews of one submission. Raises UsageError where a file holds several and none is named."""
    found = read_reviews(path)
    known = sorted({each.submission for each in found if each.submission})
    if submission is not None:
        chosen = tuple(each for each in found if each.submission in (submission, None))
        if not chosen:
            raise UsageError(
                f"no review of submission {submission!r}", where=str(path), expected=_listed(known)
            )
        return chosen
    if len(known) > 1:
        raise UsageError(
            f"it holds reviews of {len(known)} submissions",
            where=str(path),
            expected=f"--submission: {_listed(known)}",
        )
    return found


def _listed(known: Sequence[str]) -> str:
    return ", ".join(known[:SHOWN]) + (", …" if len(known) > SHOWN else "") if known else "it names none"


def _forms(reviews: Sequence[Review]) -> dict[str, Scored]:
    """The forms of the scorecards that the study holds beside what was imported."""
    names = {each.reviewer for each in reviews if re.split(r"[(\[]", each.reviewer)[0] == "scorecard"}
    return {each: form_of(each) for each in sorted(names)}


def _lines(landed: Sequence[Landed], folder: Path) -> list[str]:
    lines = []
    for each in landed:
        record = each.record
        matches = Counter(comment.match for comment in record.comments)
        quoted = len(record.comments) - matches["no-quote"]
        found = quoted - matches["not-found"]
        score = (
            "" if record.draft is None or record.draft.score is None else f", score {record.draft.score:g}"
        )
        again = "" if each.new else " (there already)"
        who = f"{record.reviewer}, {record.model}, round {record.round}{again}"
        places = f"{found} of {many(quoted, 'quote')} located"
        if record.draft is None:
            lines.append(f"{who}: {record.status}, {record.error}")
            continue
        lines.append(f"{who}: {many(len(record.comments), 'comment')}, {places}{score}")
        lines += [f"  {note}" for note in each.read.notes]
    return [printable(line) for line in (*lines, f"report: {folder / 'report.html'}")]
