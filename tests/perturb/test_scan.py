"""Where errors can be injected: every place, exact to the character, and none that is no place."""

import re
from pathlib import Path

import pytest

from rereview.perturb.scan import scan

TORTURE = Path(__file__).parent / "torture"
LABEL = re.compile(r"^%([<>])([a-z-]+)[^\S\n]*\r?\n", re.MULTILINE)
DOCUMENT = "\\documentclass{article}\\begin{document}\n"


def tortured(end="\n"):
    files = {path.name: path.read_text().replace("\n", end) for path in sorted(TORTURE.iterdir())}
    return {name: text for name, text in files.items() if not name.endswith(".md")}


def labelled(text):
    """The ranges between `%<kind` and `%>kind`, without white space and labels at their ends."""
    found, opened = [], []
    for match in LABEL.finditer(text):
        if match[1] == "<":
            opened.append((match[2], match.end()))
        else:
            kind, start = opened.pop()
            assert kind == match[2]
            inside = LABEL.sub(lambda m: " " * len(m[0]), text[start : match.start()])
            found.append((kind, start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip())))
    assert not opened
    return found


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_torture_project_is_cut_as_labelled(end):
    """Every labelled span, exact to the character, in the right file, and none that is not labelled."""
    files = tortured(end)
    found = scan(files, "p", main="main.tex")
    for name, text in files.items():
        expected = sorted(labelled(text), key=lambda each: each[1:])
        assert [
            (c.kind, c.span.start, c.span.end, c.text)
            for c in sorted(found, key=lambda c: (c.span.start, c.span.end))
            if c.span.file == name
        ] == [(kind, low, high, text[low:high]) for kind, low, high in expected]


def kinds(text, **more):
    return [(c.kind, c.text) for c in scan({"a.tex": f"{DOCUMENT}{text}\n\\end{{document}}"} | more, "p")]


def formulas(text):
    return [found for kind, found in kinds(text) if kind.endswith("equation")]
