"""LaTeX that would keep a careless reader busy for ever."""

import subprocess
import sys

import pytest

CHAIN = {f"f{n}.tex": f"x \\input{{f{n + 1}}} \\input{{f{n + 1}}}" for n in range(20)} | {"f20.tex": "end"}
STRINGS = "@string{s0={aaaaaaaaaa}}" + "".join(f"@string{{s{n + 1} = s{n} # s{n}}}" for n in range(30))
CASES = {
    "comments that join lines": ("words% note\nmore\n" * 5000, {}),
    "conditionals": ("\\ifa x\\else y\\fi " * 1000, {}),
    "counters that reset each other": (
        "\\numberwithin{equation}{section}\\numberwithin{section}{equation}\\section{A} text",
        {},
    ),
    "a name no file can have": ("text \\input{" + "b" * 300 + "} \\includegraphics{" + "c" * 300 + "}", {}),
    "inputs that double": ("\\input{f0}", CHAIN),
    "many figures": ("\\includegraphics{x} text\n\n" * 3000, {}),
    "strings that double": ("text \\cite{k}\\bibliography{b}", {"b.bib": STRINGS + "@article{k, title=s30}"}),
}
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (40, 40))
from pathlib import Path
from rereview.errors import RereviewError
from rereview.ingest.base import read
try:
    print(len(read(Path(sys.argv[1])).blocks))
except RereviewError as error:
    print(error)
"""


@pytest.mark.parametrize("case", CASES, ids=list(CASES))
def test_reading_ends(tmp_path, case):
    """It ends well within 40 s of processor time, with blocks or with one clear line."""
    body, files = CASES[case]
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    source = tmp_path / "a.tex"
    source.write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}")
    done = subprocess.run(
        [sys.executable, "-c", READ, str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-300:]
    assert len(done.stdout.strip().splitlines()) == 1
