"""`rereview perturb`: errors for the papers of a study, checked and put in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from rereview.cli.main import printable, unbroken
from rereview.cli.plans import shown_plan
from rereview.cli.working import Options, Work, work, working_options
from rereview.errors import UnusableInput, UsageError
from rereview.perturb.inject import why_unused
from rereview.perturb.typeset import ENGINES, Typesetter, typesetters
from rereview.study.compiling import Compiled, compiled
from rereview.study.design import Design, load
from rereview.study.perturbing import STAGES, Made, Perturbed, Stage
from rereview.study.perturbing import perturb as perturb_all
from rereview.study.plan import perturbing_plan
from rereview.text.plurals import many

SHOWN = 5


class Stages(click.ParamType[Stage]):
    """`scan,generate`: stages by name; each needs those before it, so the last one counts."""

    name = "STAGE,..."

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Stage:
        """The last of the stages that are named."""
        named = [each.strip() for each in str(value).split(",")]
        unknown = [each for each in named if each not in STAGES]
        if unknown:
            self.fail(f"{unknown[0]!r} is no stage: {', '.join(STAGES)}.", param, ctx)
        return max((stage for stage in STAGES if stage in named), key=STAGES.index)


@click.command(short_help="Write errors for the papers of a study, check them, and put them in.")
@click.argument("study", type=click.Path(path_type=Path))
@click.option(
    "--stages",
    "until",
    type=Stages(),
    default="inject",
    help=f"Go no further than the last of these: {', '.join(STAGES)}. Each needs those before it.",
)
@click.option(
    "--compile",
    "compiling",
    is_flag=True,
    help="Typeset every version with a TeX engine of this machine, and name those that compile no more.",
)
@click.option("--dry-run", is_flag=True, help="Say how many calls it takes and what they cost; ask nothing.")
@working_options
def perturb(study: Path, *, until: Stage, compiling: bool, dry_run: bool, **given: object) -> None:
    """Find places for errors in the papers of STUDY, write errors, check and inject them.

    study.toml says who writes and who checks; with `rules` and `precheck` no model is asked. Every answer
    is kept, so the same command goes on where it stopped. Corrupted sources lie in papers/*/versions.
    """
    engines = _engines(until, dry_run=dry_run) if compiling else ()
    options = Options(command=click.get_current_context().obj, **given)  # type: ignore[arg-type]  # click's types

    async def plan(at: Work) -> list[str]:
        return shown_plan(await perturbing_plan(at.folder, at.design, at.asking, until=until))

    async def doing(at: Work) -> Perturbed:
        def begun(runs: int) -> None:
            at.progress.rounds = runs

        def done(_: Made) -> None:
            at.progress.advance()

        return await perturb_all(
            at.folder,
            at.design,
            at.asking,
            until=until,
            begun=begun,
            done=done,
            concurrency=options.concurrency,
        )

    if dry_run:
        planned = work(study, options, plan, unit="runs", what=lambda _: 0, asked=False)
        with unbroken():
            click.echo(printable_lines(planned))
        return
    found = work(study, options, doing, unit="runs", what=_runs)
    with unbroken():
        click.echo(printable_lines(summary(found)))
    checked = tuple(compiled(found, engines, load(study).perturb.versions)) if engines else ()
    if engines:
        with unbroken():
            click.echo(printable_lines(compiling_lines(checked, engines)))
    if until == "inject" and not any(made.used for made in found.made):
        raise UsageError(
            "no error was accepted", where=str(study), expected="other papers, or another generator"
        )
    if broken := [each.run for each in checked if each.errors]:
        raise UnusableInput(
            f"{len(broken)} of {many(len(checked), 'version compiles', 'versions compile')} no more:"
            f" {_some(broken)}",
            where=str(study),
            expected="another seed or generator in study.toml; the versions are kept as they are",
        )


def _engines(until: Stage, *, dry_run: bool) -> tuple[Typesetter, ...]:
    """The TeX engines of this machine. Raises UsageError where there is none, or nothing to compile."""
    if dry_run or until != "inject":
        raise UsageError(
            "--compile needs the versions, and they are not made",
            expected="leave out --dry-run and --stages, or --compile",
        )
    if not (found := typesetters()):
        raise UsageError(
            f"--compile needs a TeX engine, and none is on the path ({', '.join(ENGINES)})",
            expected="install TeX Live or MacTeX, or leave --compile out: nothing was asked yet",
        )
    return found


def compiling_lines(checked: Sequence[Compiled], engines: Sequence[Typesetter]) -> list[str]:
    """What became of each version that is broken or could not be checked, and of all together."""
    lines = []
    for each in checked:
        told = [f"{what} ({count})" for what, count in Counter(each.errors).items()]
        lines += [f"{each.run}: compiles no more: {_some(told)}"] if told else []
    unknown = Counter((each.run.partition("/")[0], each.unknown) for each in checked if each.unknown)
    lines += [f"{paper}: {count} not checked: {why}" for (paper, why), count in unknown.items()]
    left = sum(unknown.values())
    whole = sum(each.unknown is None and not each.errors for each in checked)
    by = ", ".join(each.name for each in engines)
    rest = f", {left} could not be checked" if left else ""
    all_of = many(
        len(checked), "version compiles as its clean paper does", "versions compile as their clean papers do"
    )
    return [*lines, f"{whole} of {all_of} ({by}){rest}"]


def _runs(design: Design) -> int:
    return 3 * len(design.papers)


def printable_lines(lines: Sequence[str]) -> str:
    """Lines without control characters."""
    return "\n".join(printable(line) for line in lines)


def summary(found: Perturbed) -> list[str]:
    """What became of each run, and of all together."""
    lines = [f"{'run':40} {'places':>6} {'edits':>6} {'used':>6}  left out"]
    for made in found.made:
        if not made.candidates and not made.edits:
            continue
        reasons = Counter(why for edit in made.edits if (why := why_unused(edit)) is not None)
        told = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        lines.append(
            f"{made.run:40} {made.candidates:6} {len(made.edits):6} {len(made.used):6}  {told}".rstrip()
        )
    unkind = [each.paper.id for each in found.prepared if not each.runs]
    lines += [f"{name}: no family runs: set its kind in study.toml" for name in unkind]
    lines += [f"{lost[0]}: not injected: {lost[1]}" for manifest in found.manifests for lost in manifest.lost]
    lines += _unseen(found.unseen)
    total = sum(len(made.used) for made in found.made)
    versions = len(found.manifests)
    lines.append(
        f"{many(total, 'error')} in {many(versions, 'version')} of {many(len(found.prepared), 'paper')}"
    )
    return lines


def _unseen(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    where = "where no reviewer can see them (comments, labels, names)"
    return [f"{len(names)} stand {where}; not counted: {_some(names)}"]


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
