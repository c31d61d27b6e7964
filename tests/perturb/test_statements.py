"""Names and heads of theorems, definitions and proofs."""

import pytest

from rereview.perturb.statements import head, named_kind, statement_kind
from rereview.text.macros import Theorem


@pytest.mark.parametrize(
    ("text", "kind", "rest"),
    [
        ("Theorem 2. Let n be", "theorem", " Let n be"),
        ("**Theorem 2** Let n be", "theorem", " Let n be"),
        ("**Theorem 2 (Growth).** Let n be", "theorem", " Let n be"),
        ("Lemma A.3 (of Zorn) Let n be", "theorem", " Let n be"),
        ("\\noindent\\textbf{Corollary 4.} Let n be", "theorem", " Let n be"),
        ("{\\bf Definition 1:} A set is", "definition", " A set is"),
        ("### Proposition 3.1\nLet n be", None, None),
        ("*Proof.* It is so", "proof", " It is so"),
        ("Proof of Theorem 3. It is so", "proof", " It is so"),
        ("\\emph{Proof of the lemma.} It is so", "proof", " It is so"),
        ("Proof: It is so", "proof", " It is so"),
    ],
)
def test_a_head_announces_a_statement(text, kind, rest):
    """Set off by type, a full stop, a colon or a bracket; and where it ends."""
    found = head(text, 0, len(text))
    assert (None if found is None else found[0], None if found is None else text[found[1] :]) == (kind, rest)


@pytest.mark.parametrize(
    "text",
    [
        "Theorem 2 shows that it is so.",
        "Theorems are what we prove.",
        "Example: a thing of this kind is so.",
        "Claim. And counterclaim, as they say.",
        "Table 2. The results of all trials.",
        "Proof that it is so was given by Euler.",
        "Lemma 3 of the last section. It was hard.",
        "Theorem of Pythagoras 2. It is old.",
        "Case 2. The number is even.",
        "theorem 2. in lower case",
        "",
    ],
)
def test_a_sentence_that_speaks_of_a_theorem_is_no_head(text):
    """Nor a word without a number that is not set off, nor a table."""
    assert head(text, 0, len(text)) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("theorem*", "theorem"),
        ("thm", "theorem"),
        ("defn", "definition"),
        ("proof", "proof"),
        ("Proof of Theorem", "proof"),
        ("pf", "proof"),
        ("Théorème", "theorem"),
        ("定理", "theorem"),
        ("main theorem", "theorem"),
        ("proofreading", None),
        ("figure", None),
        ("itemize", None),
        ("claims-table", None),
    ],
)
def test_a_name_stands_for_a_kind(name, kind):
    """Long, short, starred, in other languages; a longer word is another one."""
    assert named_kind(name) == kind


def test_what_the_paper_declares_counts_before_what_a_name_says():
    """`fact` that prints "Exercise" asks; what prints an unknown name states something."""
    declared = {
        "fact": Theorem("fact", "Exercise", numbered=True),
        "x": Theorem("x", "Folgerung", numbered=True),
        "y": Theorem("y", "Definition and Notation", numbered=True),
    }
    assert [statement_kind(name, declared) for name in ("fact", "x", "y", "lem")] == [
        None,
        "theorem",
        "definition",
        "theorem",
    ]
