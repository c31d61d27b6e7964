"""From the papers of a study to their corrupted versions: scan, generate, validate, evidence, verify, inject.

Everything is made anew on every run from the files of the papers and the calls that the ledger holds, so a
run that was stopped goes on where it was, and a second one asks nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import ceil
from pathlib import Path
from typing import Literal

from rereview.errors import UnusableInput
from rereview.ingest.base import image_of
from rereview.judge.meeting import Version
from rereview.perturb.generate import Dropped, Generated, Generator, Run
from rereview.perturb.inject import inject, is_usable
from rereview.perturb.rules import Rules
from rereview.perturb.verify import Verifier, is_used, prechecked
from rereview.reviewers.issues import at_once
from rereview.study.arms import Copy
from rereview.study.asking import Asking, Asks
from rereview.study.design import IMPORTED, PRECHECK, RULES, Design
from rereview.study.prepared import Prepared, prepare
from rereview.study.reread import Readings
from rereview.study.schema import MANIFEST
from rereview.study.store import Store, write_files
from rereview.types.edit import Batch, Manifest, Perturbation
from rereview.types.manuscript import Manuscript, SourceSpan
from rereview.types.record import Record

Stage = Literal["scan", "generate", "validate", "evidence", "verify", "inject"]
STAGES: tuple[Stage, ...] = ("scan", "generate", "validate", "evidence", "verify", "inject")
CHECKED: tuple[Stage, ...] = ("verify", "inject")
"""Stages that need verdicts."""

PERTURBATION, BATCH, DROPPED, AUDITED = "perturbation", "batch", "dropped", "audited"
"""Kinds of records in the ledger."""
TAKEN_EDIT, STANDING = "imported-edit", "run"
BEYOND = "beyond-target"
"""Why an edit that is an error is not used: there are enough."""


class Standing(Record):
    """What a run consists of now: earlier edits of it are in the ledger and count no more."""

    run: str
    edits: tuple[str, ...]
    batches: tuple[str, ...]


@dataclass(frozen=True)
class Made:
    """What became of one run."""

    run: str
    candidates: int
    edits: tuple[Perturbation, ...] = ()
    batches: tuple[Batch, ...] = ()
    dropped: tuple[Dropped, ...] = ()

    @property
    def used(self) -> tuple[Perturbation, ...]:
        """The edits that go into the paper."""
        return tuple(filter(is_usable, self.edits))


@dataclass(frozen=True)
class Perturbed:
    """All runs of a study, as far as they were taken, and the versions of its papers."""

    prepared: tuple[Prepared, ...]
    made: tuple[Made, ...]
    copies: tuple[Copy, ...] = field(default=())
    manifests: tuple[Manifest, ...] = ()

    @cached_property
    def errors(self) -> dict[str, Perturbation]:
        """Every edit by its id."""
        return {edit.id: edit for made in self.made for edit in made.edits}

    @cached_property
    def carriers(self) -> dict[str, str]:
        """Of every injected error that a reviewer can see the run of the version that carries it."""
        return {
            place.perturbation_id: copy.run
            for copy in self.copies
            if copy.version.arm == "corrupted"
            for place in copy.version.places
            if copy.version.shows(self.errors[place.perturbation_id])
        }

    @property
    def unseen(self) -> tuple[str, ...]:
        """Injected errors that nobody can find: in a comment, a label, or what is left out of the paper."""
        placed = [place.perturbation_id for each in self.manifests for place in each.placed]
        return tuple(name for name in placed if name not in self.carriers)


async def perturb(
    study: Path,
    design: Design,
    asking: Asking,
    *,
    until: Stage = "inject",
    begun: Callable[[int], None] = lambda _: None,
    done: Callable[[Made], None] = lambda _: None,
    concurrency: int = 8,
) -> Perturbed:
    """Take every run up to a stage and keep what there is of it.

    `begun` is told how many runs there are, `done` each that is done.
    Raises what a model call raises, once the runs that have begun have ended: what was answered is in the
    ledger.
    """
    prepared = tuple(prepare(study, paper, design) for paper in design.papers)
    runs = [(paper, run) for paper in prepared for run in paper.runs]
    begun(len(runs))

    async def one(of: tuple[Prepared, Run]) -> Made:
        made = await _made(*of, design, asking, until)
        _keep(asking.store, made)
        done(made)
        return made

    made = tuple(await at_once(one, runs, most=concurrency, first_alone=False))
    if until != "inject":
        return Perturbed(prepared, made)
    return injected(study, design, asking.store, prepared, made, written=True)


async def _made(paper: Prepared, run: Run, design: Design, asking: Asking, until: Stage) -> Made:
    if until == "scan":
        return Made(run.id, len(run.candidates))
    if design.perturb.generator == IMPORTED:
        kept = asking.store.records(TAKEN_EDIT, Perturbation)
        return Made(run.id, len(run.candidates), tuple(e for e in kept.values() if e.run == run.id))
    generated = await generated_of(paper, run, design, asking)
    edits = generated.perturbations
    if until in CHECKED:
        edits = await verified(edits, run, design, asking)
        edits = _enough(edits, target_of(design, len(paper.runs)), design)
    return Made(run.id, len(run.candidates), edits, generated.batches, generated.dropped)


async def generated_of(paper: Prepared, run: Run, design: Design, asking: Asks) -> Generated:
    """The errors that are written for a run, not yet verified. Raises what a model call raises."""
    target = target_of(design, len(paper.runs))
    if design.perturb.generator == RULES:
        return Generated(None, by_rules(paper, run, target, design.seed), (), ())
    generator = Generator(target=target, batch_size=design.perturb.batch)
    model = asking.model(design.perturb.generator, f"generate/{run.id}")
    return await generator(run, model, paper.fault)


def by_rules(paper: Prepared, run: Run, target: int, seed: int) -> tuple[Perturbation, ...]:
    """The errors of a run that the rules make; () where the paper's kind is not known."""
    if paper.kind is None:
        return ()
    made = Rules(seed=seed, target=target, shows=paper.shows)(paper.texts, run.candidates, paper.kind)
    return tuple(edit for edit in made if edit.run == run.id)


async def verified(
    edits: Sequence[Perturbation], run: Run, design: Design, asking: Asks
) -> tuple[Perturbation, ...]:
    """The errors of a run with their verdicts. Raises what a model call raises."""
    if design.perturb.verifier == PRECHECK:
        return prechecked(edits, run.evidence)
    model = asking.model(design.perturb.verifier, f"verify/{run.id}")
    judged = await Verifier()(edits, run.evidence, model)
    pinned = design.perturb.require_pinned
    return tuple(
        edit if is_used(edit, require_pinned=pinned) or not is_used(edit) else edit.but(rejected="not-pinned")
        for edit in judged
    )


def target_of(design: Design, runs: int) -> int:
    """Errors that one of so many runs of a paper shall have."""
    whole = design.perturb.target
    return whole if design.perturb.target_per == "run" else ceil(whole / max(runs, 1))


def _enough(edits: Sequence[Perturbation], target: int, design: Design) -> tuple[Perturbation, ...]:
    """At most `target` of the errors of a run, drawn from all of it by the seed of the study."""
    used = [edit.id for edit in edits if is_usable(edit)]
    if len(used) <= target:
        return tuple(edits)
    kept = set(random.Random(f"{design.seed} {edits[0].run}").sample(used, target))  # noqa: S311  no secret
    return tuple(
        edit.but(rejected=BEYOND) if edit.id in used and edit.id not in kept else edit for edit in edits
    )


def _keep(store: Store, made: Made) -> None:
    batches = {f"{batch.run} {batch.number}": batch for batch in made.batches}
    store.add_records(PERTURBATION, {edit.id: edit for edit in made.edits})
    store.add_records(BATCH, batches)
    store.add_records(
        DROPPED, {f"{made.run} {number}": each for number, each in enumerate(made.dropped, start=1)}
    )
    standing = Standing(run=made.run, edits=tuple(e.id for e in made.edits), batches=tuple(batches))
    store.add_records(STANDING, {made.run: standing})


def injected(
    study: Path,
    design: Design,
    store: Store,
    prepared: Sequence[Prepared],
    made: Sequence[Made],
    *,
    written: bool,
) -> Perturbed:
    """The versions of every paper; `written`: into the study too, for a person to look at."""
    copies: list[Copy] = []
    manifests: list[Manifest] = []
    known = Readings(store)
    for paper in prepared:
        used = [edit for each in made for edit in each.used if edit.paper_id == paper.paper.id]
        corrupted = list(_corrupted(study, design, paper, used, known, written=written))
        places = tuple(place for manifest, _ in corrupted for place in manifest.placed)
        images = partial(image_of, paper.source.path)
        copies.append(Copy(paper.paper, "", Version(paper.version({}, known), places, "clean"), images))
        copies += [
            Copy(paper.paper, manifest.run, Version(manuscript, manifest.placed), images)
            for manifest, manuscript in corrupted
        ]
        manifests += [manifest for manifest, _ in corrupted]
    store.add_records(MANIFEST, {manifest.run: manifest for manifest in manifests})
    for copy in copies:
        store.add_version(copy.version.manuscript)
    known.keep()
    return Perturbed(tuple(prepared), tuple(made), tuple(copies), tuple(manifests))


def _corrupted(
    study: Path,
    design: Design,
    paper: Prepared,
    used: Sequence[Perturbation],
    known: Readings,
    *,
    written: bool,
) -> Iterator[tuple[Manifest, Manuscript]]:
    read: list[Manuscript] = []

    def named(files: Mapping[str, bytes]) -> str:
        read.append(paper.version(_changed(files, paper), known))
        return read[-1].id

    for version in inject(paper.source.contents, used, versions=design.perturb.versions, name=named):
        manifest = version.manifest
        if written:
            folder = f"papers/{paper.paper.id}/versions/{manifest.run.rpartition('/')[2]}"
            changed = _changed(version.files, paper)
            write_files(
                study / folder,
                {**changed, "manifest.json": manifest.to_json().encode()},
            )
        yield manifest, read[-1]


def _changed(files: Mapping[str, bytes], paper: Prepared) -> dict[str, bytes]:
    return {name: content for name, content in files.items() if content != paper.source.contents[name]}


def kept(study: Path, design: Design, store: Store) -> Perturbed:
    """What earlier runs have left, without asking a model: for running and reporting.

    Raises UnusableInput where a paper is no longer what its errors were written for.
    """
    prepared = tuple(prepare(study, paper, design) for paper in design.papers)
    edits = store.records(PERTURBATION, Perturbation)
    batches = store.records(BATCH, Batch)
    standing = store.records(STANDING, Standing)
    made = tuple(
        Made(
            run.id,
            len(run.candidates),
            tuple(edits[name] for name in standing[run.id].edits),
            tuple(batches[name] for name in standing[run.id].batches),
        )
        for paper in prepared
        for run in paper.runs
        if run.id in standing
    )
    for paper in prepared:
        _check_unchanged(study, paper, [edit for each in made for edit in each.used])
    return injected(study, design, store, prepared, made, written=False)


def _check_unchanged(study: Path, paper: Prepared, used: Sequence[Perturbation]) -> None:
    for edit in used:
        span = edit.span
        if edit.paper_id != paper.paper.id or not isinstance(span, SourceSpan):
            continue
        if paper.texts.get(span.file, "")[span.start : span.end] != edit.original:
            raise UnusableInput(
                f"{span.file} is not what the errors were written for: {edit.id} has lost its place",
                where=str(study / paper.paper.source),
                expected=f"the file as it was, or new errors: rereview perturb {study}",
            )
