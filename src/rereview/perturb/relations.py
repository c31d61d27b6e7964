"""Relation signs in formulas: chains that point both ways, and two signs without anything between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rereview.text.latex import named

UP = named(
    r"< <= << ≤ ≪ ⊂ ⊆ ≺ \le \leq \leqslant \leqq \lt \ll \lll \lesssim \lessapprox \prec \preceq \preccurlyeq"
    r" \subset \subseteq \subsetneq \sqsubset \sqsubseteq"
)
DOWN = named(
    r"> >= >> ≥ ≫ ⊃ ⊇ ≻ \ge \geq \geqslant \geqq \gt \gg \ggg \gtrsim \gtrapprox \succ \succeq \succcurlyeq"
    r" \supset \supseteq \supsetneq \sqsupset \sqsupseteq"
)
LEVEL = named(
    r"= == != := =: ≠ ≈ ≡ ∈ ∉ ∼ ∝ \ne \neq \equiv \approx \sim \simeq \cong \asymp \propto \in \notin \doteq"
    r" \triangleq \coloneqq \eqqcolon"
)
RELATIONS = UP | DOWN | LEVEL
SEPARATORS = named(
    r", ; : | . \| \mid \vert \Vert \colon \quad \qquad \enspace \hspace \\ \newline \cr \implies \impliedby"
    r" \iff \Rightarrow \Leftarrow \Leftrightarrow \Longrightarrow \Longleftarrow \Longleftrightarrow \to"
    r" \rightarrow \leftarrow \leftrightarrow \longrightarrow \mapsto \longmapsto \hookrightarrow -> => ⇒ → ⇔"
    r" \land \lor \wedge \vee \forall \exists \middle \ldots, \or \and"
)
_OPEN = named(r"{ ( [ \{ \lbrace \lbrack")
_CLOSE = named(r"} ) ] \} \rbrace \rbrack")
_WORD_LIKE = (
    "\\text",
    "\\mbox",
    "\\hbox",
    "\\begin",
    "\\end",
    "\\intertext",
    "\\shortintertext",
    "\\hspace",
    "\\vspace",
)


def clauses(found: Sequence[str]) -> Iterator[list[str]]:
    """The pieces between separators, level by level: what stands in brackets is a clause of its own.

    In the clause around it a bracket leaves its two signs.
    """
    stack: list[list[str]] = [[]]
    for piece in found:
        if piece in _OPEN:
            stack[-1].append(piece)
            stack.append([])
        elif piece in _CLOSE:
            if len(stack) > 1:
                yield stack.pop()
            stack[-1].append(piece)
        elif piece in SEPARATORS or piece.startswith(_WORD_LIKE):
            yield stack[-1]
            stack[-1] = []
        else:
            stack[-1].append(piece)
    yield from stack


def is_mixed(found: Sequence[str]) -> bool:
    """Whether a chain of inequalities or inclusions points both ways."""
    return any(UP.intersection(clause) and DOWN.intersection(clause) for clause in clauses(found))


def is_double(found: Sequence[str]) -> bool:
    r"""Whether two relation signs follow on each other; `\not` belongs to the sign after it."""
    return any(
        one in RELATIONS and other in RELATIONS
        for clause in clauses(found)
        for one, other in pairwise(piece for piece in clause if piece != "\\not")
    )
