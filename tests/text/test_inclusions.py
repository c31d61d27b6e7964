"""Which file an inclusion names."""

import pytest

from rereview.text.inclusions import INPUTS, inclusion, searched
from rereview.text.latex import tokens


@pytest.mark.parametrize(
    ("source", "folder", "name", "rest"),
    [
        ("\\input{a/b}c", "", "a/b", "c"),
        ("\\input a/b.tex c", "", "a/b.tex", " c"),
        ('\\input{"a"}', "", "a", ""),
        ("\\include {a} c", "", "a", " c"),
        ("\\import{d/}{a}c", "d/", "a", "c"),
        ("\\InputIfFileExists{a}{yes}{no}c", "", "a", "c"),
        ("\\include c", "", None, " c"),
    ],
)
def test_what_is_named(source, folder, name, rest):
    """With braces or without, and where the text goes on."""
    token = next(token for token in tokens(source) if token.name in INPUTS)
    found = inclusion(source, token)
    assert (found.folder, found.name, source[found.end :]) == (folder, name, rest)


def test_where_it_is_looked_for():
    """Beside the main file, beside the file that includes it, or in the folder that is given."""
    assert searched("\\input", "", "d/a.tex") == ("", "d")
    assert searched("\\import", "e/", "d/a.tex") == ("e/",)
    assert searched("\\subimport", "e/", "d/a.tex") == ("d/e",)
