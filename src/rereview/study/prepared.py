"""A paper of a study before any model is asked: its source, what reviewers see of it, where errors may go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import get_args

from rereview.ingest import versions
from rereview.ingest.anonymise import anonymous
from rereview.perturb.draw import drawn
from rereview.perturb.evidence import Evidence
from rereview.perturb.generate import Run, opening
from rereview.perturb.scan import paper_kind, scan
from rereview.perturb.taxonomy import families, spans_of
from rereview.perturb.validate import fault
from rereview.study.design import IMPORTED, Design, StudyPaper
from rereview.study.reread import Readings, given_by
from rereview.text.decoding import decoded
from rereview.text.edits import changed
from rereview.text.latex import Vocabulary, tokens
from rereview.text.macros import definitions
from rereview.text.places import Places
from rereview.types.edit import Candidate, Family, PaperKind, Perturbation
from rereview.types.manuscript import Manuscript, SourceSpan

FAMILIES: tuple[Family, ...] = get_args(Family)
UNSEEN = "unseen"
"""Why an edit is not used: no reader of the paper sees what it changes."""


@dataclass(frozen=True)
class Prepared:
    """A paper of the study with everything that is known of it without a model."""

    paper: StudyPaper
    source: versions.Source
    clean: Manuscript
    """The paper as reviewers get it."""
    kind: PaperKind | None
    """None: neither the study nor the scan says it, and then no family runs."""
    candidates: tuple[Candidate, ...]
    runs: tuple[Run, ...]

    @cached_property
    def texts(self) -> dict[str, str]:
        """The source files, decoded."""
        return {name: decoded(content) for name, content in self.source.contents.items()}

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What the paper declares."""
        latex = [text for name, text in self.texts.items() if name.lower().endswith((".tex", ".ltx", ".sty"))]
        return definitions([(text, tokens(text)) for text in latex]).vocabulary

    def fault(self, edit: Perturbation, accepted: Sequence[Perturbation]) -> str | None:
        """Why an edit cannot stand beside those that are accepted."""
        found = fault(self.texts, edit, accepted, self.vocabulary)
        return found if found is not None or self.shows(edit) else UNSEEN

    def shows(self, edit: Perturbation) -> bool:
        """Whether a reviewer sees any of what an edit changes."""
        span = edit.span
        return isinstance(span, SourceSpan) and any(
            self._printed.shows(span.file, span.start + low, span.start + high)
            for low, high in changed(edit.replacement, edit.original)
        )

    @cached_property
    def _printed(self) -> Places:
        return Places(self.clean)

    def version(self, contents: Mapping[str, bytes], known: Readings) -> Manuscript:
        """The paper with other contents, as reviewers get it."""
        if not contents:
            return self.clean

        def read() -> Manuscript:
            paper = versions.with_contents(self.source.path, contents)
            return anonymous(paper.but(paper_id=self.paper.id))

        clean = self.source.manuscript
        given = given_by(self.paper.id, clean, {**self.source.contents, **contents})
        return known.version(given, clean, read)


def prepare(study: Path, paper: StudyPaper, design: Design) -> Prepared:
    """Read and scan one paper. Raises UnusableInput."""
    source = versions.source(study / paper.source)
    texts = {name: decoded(content) for name, content in source.contents.items()}
    candidates = scan(texts, paper.id, main=source.head)
    kind = paper.kind or paper_kind(candidates)
    clean = anonymous(source.manuscript.but(paper_id=paper.id))
    begins = opening(clean)
    evidence = Evidence(texts, source.head)
    printed = Places(clean)
    seen = [each for each in candidates if _is_seen(printed, each)]
    shown = drawn(seen, cap=design.perturb.most_candidates, how=design.perturb.capped, seed=design.seed)
    runs = tuple(
        Run(paper.id, family, _fitting(shown, kind, family), evidence, begins)
        for family in _families(kind, design)
    )
    return Prepared(paper, source, clean, kind, candidates, runs)


def _is_seen(printed: Places, candidate: Candidate) -> bool:
    span = candidate.span
    return printed.shows(span.file, span.start, span.end)


def _families(kind: PaperKind | None, design: Design) -> tuple[Family, ...]:
    """Those that the paper's kind runs; edits that were made elsewhere may be of any."""
    runs = FAMILIES if design.perturb.generator == IMPORTED else families(kind) if kind else ()
    return tuple(each for each in runs if each in (design.perturb.families or FAMILIES))


def _fitting(shown: Sequence[Candidate], kind: PaperKind | None, family: Family) -> tuple[Candidate, ...]:
    return tuple(each for each in shown if kind and each.kind in spans_of(kind, family))
