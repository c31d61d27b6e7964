"""Sources that would keep a careless scan busy for ever."""

import subprocess
import sys

import pytest

PIECES = (
    "\\[ ",
    "$$ ",
    "$ a ",
    "\\( ",
    "\\begin{equation} ",
    "\\begin{align}x ",
    "` ",
    "<a ",
    "[a](",
    "![a ",
    "# ",
    "{",
    "}",
    "\\begin{itemize}\\item ",
    "$x+1$ ",
    "\\caption{a ",
    "Theorem 2. a b\n\n",
    "\\textbf{Proof.} a\n\n",
    "5 $\\times ",
    "$5 a b ",
    "% c\n",
    " ",
    "\n",
    "\\input{a}",
    "{\\bf ",
    "*",
    "_",
    "**Theorem 1",
    "$" + " " * 50 + "$ ",
    "${{{{{{{{{{{{{{{{{{{{ x y$ ",
    "Theorem of ",
    "2 Results a\n\n",
    "\\ref{fig:a} higher ",
)
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
from rereview.perturb.rules import Rules
from rereview.perturb.scan import scan
piece, name = sys.argv[1:]
files = {name: piece * (20_000 // len(piece))}
print(len(Rules(target=2)(files, scan(files, "p")[:50], "empirical")))
"""


@pytest.mark.long
@pytest.mark.parametrize("name", ["a.tex", "a.md"])
@pytest.mark.parametrize("piece", PIECES)
def test_the_scan_and_the_rules_end(piece, name):
    """20,000 characters of one thing take well under 10 s of processor time."""
    done = subprocess.run(
        [sys.executable, "-c", READ, piece, name], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-300:]


def test_a_row_of_stars_is_no_puzzle():
    """The head of a statement is looked for in one pass."""
    done = subprocess.run(
        [sys.executable, "-c", READ, "*_", "a.md"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-300:]
