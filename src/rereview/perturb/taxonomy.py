"""Which errors fit which place: families and subtypes (benchmarking paper, table 14)."""

from __future__ import annotations

from collections.abc import Mapping

from rereview.types.edit import CandidateKind, ErrorType, Family, PaperKind

EQUATIONS: tuple[CandidateKind, ...] = ("display-equation", "inline-equation", "named-equation")
SURFACE: tuple[ErrorType, ...] = (
    "operator-or-sign",
    "index-or-subscript",
    "numeric-parameter",
    "computation",
)
REASONING: tuple[ErrorType, ...] = ("missing-case", "induction", "circular-reasoning", "invalid-implication")
EMPIRICAL: tuple[ErrorType, ...] = ("misinterpretation", "causal-reversal", "p-hacking")

ROWS: tuple[tuple[PaperKind, Family, tuple[CandidateKind, ...], tuple[ErrorType, ...]], ...] = (
    ("theoretical", "surface", EQUATIONS, SURFACE),
    ("theoretical", "claim", ("definition", "theorem"), ("incorrect-claim",)),
    ("theoretical", "reasoning", ("proof",), REASONING),
    ("empirical", "surface", EQUATIONS, SURFACE),
    ("empirical", "claim", ("paragraph",), ("incorrect-statement",)),
    ("empirical", "empirical", ("experiment",), EMPIRICAL),
)
"""Paper kind, family, where it applies, what it may be: the whole table."""

FAMILY_NAMES: Mapping[str, Family] = {
    "surface": "surface",
    "claim": "claim",
    "claim_theoretical": "claim",
    "statement_empirical": "claim",
    "reasoning": "reasoning",
    "logic": "reasoning",
    "empirical": "empirical",
    "experimental": "empirical",
}
"""The families by every name that the paper's tables and its authors' records give them."""

ERROR_NAMES: Mapping[str, ErrorType] = {
    "incorrect_claim_theoretical": "incorrect-claim",
    "incorrect_statement_empirical": "incorrect-statement",
    "misinterp": "misinterpretation",
    "causal_reversed": "causal-reversal",
}
"""The authors' own labels that differ from ours by more than a hyphen."""


def families(paper_kind: PaperKind) -> tuple[Family, ...]:
    """The families that a paper of this kind runs."""
    return tuple(family for kind, family, _, _ in ROWS if kind == paper_kind)


def spans_of(paper_kind: PaperKind, family: Family) -> tuple[CandidateKind, ...]:
    """The kinds of place where an error of this family fits. () where the paper does not run it."""
    return next((spans for kind, name, spans, _ in ROWS if (kind, name) == (paper_kind, family)), ())


def admissible(kind: CandidateKind) -> tuple[ErrorType, ...]:
    """The subtypes that fit a place of this kind."""
    return next(errors for _, _, spans, errors in ROWS if kind in spans)


def family_of(error: ErrorType) -> Family:
    """The family of a subtype."""
    return next(family for _, family, _, errors in ROWS if error in errors)


def error_named(label: str) -> ErrorType | None:
    """The subtype that a label names, ours or the authors'; None for a label that is neither."""
    plain = label.strip().lower()
    known: dict[str, ErrorType] = {error: error for _, _, _, errors in ROWS for error in errors}
    return ERROR_NAMES.get(plain) or known.get(plain.replace("_", "-").replace(" ", "-"))
