"""Commands of LaTeX that look like escapes."""

import pytest

from rereview.text.commands import is_command


@pytest.mark.parametrize(
    "word", ["nabla", "neq", "theta", "times", "beta", "frac", "rho", "myfoo"[2:], "bx", "rank"]
)
def test_commands_are_known(word):
    """By name after n and t; after b, f and r any word."""
    assert is_command(word)


@pytest.mark.parametrize("word", ["n", "t", "b", "f", "r", "nNext", "nothing", "treturn", "tword", "now"])
def test_what_follows_a_line_break_or_a_tab_is_none(word):
    """A lone letter is an escape, and so is one before an ordinary word."""
    assert not is_command(word)
