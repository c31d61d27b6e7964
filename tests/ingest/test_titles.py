"""Titles in plain words."""

import pytest

from rereview.ingest.titles import plain_title
from rereview.types.manuscript import Macro


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("On \\emph{Things} \\\\ and~others", "On Things and others"),
        (
            "The Erd{\\H{o}}s--Szekeres conjecture of P\\'al and G\\\"{o}del",
            "The Erdős–Szekeres conjecture of Pál and Gödel",
        ),
        ("\\tool: The {MCMC} Hammer", "emcee: The MCMC Hammer"),
        ("A \\LaTeX{} story", "A LaTeX story"),
        ("Models of $x^2$", "Models of x²"),
        ("\\v{C}ech and \\c{c}a", "Čech and ça"),
    ],
)
def test_a_title_reads_as_in_a_catalogue(source, title):
    """Macros of the paper are expanded, accents composed, layout is gone."""
    macros = (Macro(name="\\tool", arguments=0, default=None, body="\\textsf{emcee}"),)
    assert plain_title(source, macros) == title


def test_a_macro_that_calls_itself_ends():
    """Nothing is expanded for ever."""
    assert plain_title("\\a b", (Macro(name="\\a", arguments=0, default=None, body="\\a\\a"),)) == "b"
