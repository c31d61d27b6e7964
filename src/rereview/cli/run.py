"""`rereview run`: the reviewers of a study read its papers, and a judge looks for hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from rereview.cli.main import printable, unbroken
from rereview.cli.plans import shown_plan, shown_sweeps
from rereview.cli.progress import Progress
from rereview.cli.working import Options, Work, work, working_options
from rereview.errors import RereviewError, Unfinished, UsageError
from rereview.study.arms import candidate_pairs, judge_all, planned, review_all, weigh_all
from rereview.study.design import NO_JUDGE, Design
from rereview.study.perturbing import Perturbed, kept
from rereview.study.plan import running_plan
from rereview.text.plurals import many
from rereview.types.call import Call
from rereview.types.review import Review


@dataclass(frozen=True)
class Counted:
    """Progress that counts every review, also of a reviewer that asks no model."""

    progress: Progress

    def called(self, call: Call, *, replayed: bool) -> None:
        """Count a call."""
        self.progress.called(call, replayed=replayed)

    def reviewed(self, record: Review) -> None:
        """Count a review."""
        if record.model is None:
            self.progress.advance()
        else:
            self.progress.reviewed(record)


@click.command(short_help="Review the corrupted and the clean papers of a study, and judge the comments.")
@click.argument("study", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Say how many calls it takes and what they cost; ask nothing.")
@working_options
def run(study: Path, *, dry_run: bool, **given: object) -> None:
    """Review every version of every paper of STUDY by every reviewer in its study.toml.

    The clean papers are the control arm. Comments whose place may be that of an error go to the judge. What
    is in the ledger is not asked again, so the same command goes on where it stopped.
    """
    options = Options(command=click.get_current_context().obj, **given)  # type: ignore[arg-type]  # click's types

    async def plan(at: Work) -> list[str]:
        left = await running_plan(_perturbed(at), at.design, at.asking)
        return [*shown_plan(left.plans), *shown_sweeps(left.sweeps)]

    async def doing(at: Work) -> tuple[RereviewError, ...]:
        found = _perturbed(at)
        at.progress.rounds = planned(found.copies, at.design)
        failures = await review_all(
            found.copies, at.design, at.asking, Counted(at.progress), concurrency=options.concurrency
        )
        met = candidate_pairs(found.copies, found.errors, at.store, at.design.judge)
        pairs, unjudged = await judge_all(
            met, found.errors, at.asking, at.design.judge, concurrency=options.concurrency
        )
        weighed, unweighed = await weigh_all(
            found.copies, at.asking, at.design.judge, concurrency=options.concurrency
        )
        with unbroken():
            for each in at.store.exclusions():
                click.echo(printable(f"{each.paper}: not sent to {each.model}: {each.why}"), err=True)
            click.echo(_said(found, len(met), pairs, at.design))
            for line in _unread([each.review for each in met]):
                click.echo(printable(line), err=True)
            if weighed:
                click.echo(f"{many(weighed, 'comment')} judged by themselves, for precision")
        return (*failures, *unjudged, *unweighed)

    if dry_run:
        lines = work(study, options, plan, unit="reviews", what=lambda _: 0, asked=False)
        with unbroken():
            click.echo("\n".join(map(printable, lines)))
        return
    failures = work(study, options, doing, unit="reviews", what=lambda design: len(design.papers))
    if failures:
        raise Unfinished(
            f"{len(failures)} review{'' if len(failures) == 1 else 's'} failed or could not be judged:"
            f" {failures[0]}",
            where=str(study),
            expected="the same command asks for them again",
            resume=options.command,
        )


def _perturbed(at: Work) -> Perturbed:
    found = kept(at.folder, at.design, at.store)
    if not found.manifests:
        raise UsageError(
            "no errors have been injected yet", where=str(at.folder), expected=f"rereview perturb {at.folder}"
        )
    if not at.design.reviewers:
        raise UsageError(
            "no reviewers to test", where=str(at.folder), expected="[[reviewers]] entries in study.toml"
        )
    return found


def _unread(reviews: Sequence[Review]) -> list[str]:
    """The configurations whose answers were no reviews, each with how many and why the first was none."""
    lost: dict[str, list[Review]] = {}
    for each in reviews:
        if each.status not in {"ok", "repaired", "failed"}:
            lost.setdefault(" | ".join(filter(None, (each.reviewer, each.model))), []).append(each)
    return [
        f"{name}: {len(own)} of its reviews could not be read, and count as unknown: {own[0].error}"
        for name, own in lost.items()
    ]


def _said(found: Perturbed, reviews: int, pairs: int, design: Design) -> str:
    judge = "the place alone decides" if design.judge.model == NO_JUDGE else f"judged by {design.judge.model}"
    read = f"{many(reviews, 'review')} of {many(len(found.copies), 'version')}"
    return printable(
        f"{read}; {many(pairs, 'pair')} of an error and a comment whose places may meet, {judge}"
    )
