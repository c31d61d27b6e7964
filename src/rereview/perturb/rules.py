"""Errors made by rules: `--generator rules`, without a model and the same every time.

What a rule makes is an error of a known kind in a known place: it turns a relation, sign, quantifier,
direction, cause or negation round, moves an index, changes a number, leaves a case out. An edit that
another passage of the paper contradicts comes first, and that passage is quoted with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rereview.perturb.formula_rules import formula_proposals, relation_proposals
from rereview.perturb.pins import pin
from rereview.perturb.places import MARKDOWN
from rereview.perturb.proposals import Masked, Proposal, masked, seen
from rereview.perturb.taxonomy import admissible, families, spans_of
from rereview.perturb.validate import fault
from rereview.perturb.word_rules import number_proposals, proof_proposals, word_proposals
from rereview.types.edit import Candidate, ErrorType, Family, PaperKind, Perturbation

_TRIED = 6
"""Proposals of a place that are looked at; a long proof has hundreds."""


@dataclass(frozen=True)
class Rules:
    """Makes at most `target` errors for each family that a paper of this kind runs."""

    seed: int = 0
    target: int = 20
    shows: Callable[[Perturbation], bool] = lambda _: True
    """Whether a reader of the paper can see what an edit changes; one that nobody sees is not made."""

    def __call__(
        self, files: Mapping[str, str], candidates: Sequence[Candidate], paper_kind: PaperKind
    ) -> tuple[Perturbation, ...]:
        """The errors of all runs, in reading order within each; all of them pass the validation.

        `files`: the clean texts of the scan that gave the candidates. Not verified: `verdict` is None.
        """
        made: list[Perturbation] = []
        read = _read(files, candidates)
        for family in families(paper_kind):
            kinds = spans_of(paper_kind, family)
            own = [each for each in candidates if each.kind in kinds]
            made += self._run(files, read, own, family)
        return tuple(made)

    def _run(
        self,
        files: Mapping[str, str],
        read: Mapping[str, str],
        candidates: Sequence[Candidate],
        family: Family,
    ) -> list[Perturbation]:
        rng = np.random.default_rng([self.seed, *family.encode()])
        accepted: list[Perturbation] = []
        used: Counter[ErrorType] = Counter()
        waiting = [candidates[index] for index in rng.permutation(len(candidates))]
        for pinned in (True, False):
            for candidate in list(waiting):
                if len(accepted) >= self.target:
                    break
                edit = self._one(
                    files, candidate, family, read=read, accepted=accepted, used=used, rng=rng, pinned=pinned
                )
                if edit is not None:
                    accepted.append(edit)
                    used[edit.error] += 1
                    waiting.remove(candidate)
        order = {candidate.id: number for number, candidate in enumerate(candidates)}
        accepted.sort(key=lambda each: order[each.candidate_id])
        return [
            each.model_copy(update={"id": f"{each.run}/r{number}"}) for number, each in enumerate(accepted, 1)
        ]

    def _one(
        self,
        files: Mapping[str, str],
        candidate: Candidate,
        family: Family,
        *,
        read: Mapping[str, str],
        accepted: Sequence[Perturbation],
        used: Counter[ErrorType],
        rng: np.random.Generator,
        pinned: bool,
    ) -> Perturbation | None:
        """Make one error of a place: of the kind that the run has least of, and pinned if that is asked."""
        for proposal in _in_order(proposals(candidate), used, rng):
            start = candidate.span.start
            quote = pin(read, candidate.span, start + proposal.start, start + proposal.end)
            if pinned and quote is None:
                continue
            edit = _perturbation(candidate, proposal, family, quote)
            if fault(files, edit, accepted) is None and self.shows(edit):
                return edit
        return None


def _read(files: Mapping[str, str], candidates: Sequence[Candidate]) -> dict[str, str]:
    """What is seen of the files that hold candidates: the others are no part of the paper."""
    names = dict.fromkeys(each.span.file for each in candidates)
    return {
        name: files[name] if name.lower().endswith(MARKDOWN) else seen(files[name])
        for name in names
        if name in files
    }


def proposals(candidate: Candidate) -> tuple[Proposal, ...]:
    """Every error that the rules know for a place, of the kinds that fit it."""
    text = masked(candidate.text)
    made = (each for error in admissible(candidate.kind) for each in _of(candidate, text, error))
    return tuple(dict.fromkeys(made))


def _of(candidate: Candidate, text: Masked, error: ErrorType) -> Iterator[Proposal]:
    if error in {"operator-or-sign", "index-or-subscript", "numeric-parameter", "computation"}:
        yield from (each for each in formula_proposals(text.formulas) if each.error == error)
        return
    yield from word_proposals(text.words, error)
    if error in {"incorrect-claim", "invalid-implication"}:
        yield from relation_proposals(text.formulas, error)
    if error == "incorrect-statement":
        yield from number_proposals(text.words)
    if candidate.kind == "proof":
        made = proof_proposals(candidate.text, text.formulas, text.words)
        yield from (each for each in made if each.error == error)


def _in_order(
    made: Sequence[Proposal], used: Counter[ErrorType], rng: np.random.Generator
) -> Iterator[Proposal]:
    """The kinds that the run has least of first; within one in random order, and some of each."""
    shuffled = [made[index] for index in rng.permutation(len(made))]
    counted: Counter[ErrorType] = Counter()
    for each in sorted(shuffled, key=lambda proposal: used[proposal.error]):
        counted[each.error] += 1
        if counted[each.error] <= _TRIED:
            yield each


def _perturbation(
    candidate: Candidate, proposal: Proposal, family: Family, quote: str | None
) -> Perturbation:
    run = f"{candidate.paper_id}/{family}"
    text = candidate.text
    return Perturbation(
        id=f"{run}/{candidate.id}",
        paper_id=candidate.paper_id,
        span=candidate.span,
        original=text,
        replacement=text[: proposal.start] + proposal.new + text[proposal.end :],
        author="rules",
        run=run,
        candidate_id=candidate.id,
        kind=candidate.kind,
        family=family,
        error=proposal.error,
        why_wrong=proposal.why,
        contradicts=quote,
    )
