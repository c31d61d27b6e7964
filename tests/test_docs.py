"""The README and the manual, executed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rereview import errors
from rereview.cli.main import COMMANDS, cli
from servers import Ok, serve

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FORM = (
    '{"summary": "s", "strengths": [], "concerns": [], "rationale": "r", "score": 6, "confidence": 3,'
    ' "sentences": [], "reasons": [], "issues": [], "merge": [], "drop": [], "same": [],'
    ' "notes": {"notation": [], "equations": [], "theorems": [], "assumptions": [], "claims": []}}'
)


def blocks(language):
    return [
        pytest.param(
            match[2], id=f"{page.relative_to(ROOT)}:{page.read_text()[: match.start()].count(chr(10)) + 1}"
        )
        for page in PAGES
        for match in BLOCK.finditer(page.read_text())
        if match[1] == language
    ]


@pytest.fixture
def here(tmp_path):
    """A folder like a fresh clone: the examples, and the installed command under .venv/bin."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    return tmp_path


@pytest.mark.parametrize("block", blocks("console"))
def test_a_console_block_does_what_it_says(here, block):
    """Each command succeeds, and each line shown after it is printed (`...` stands for anything)."""
    commands = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    assert commands
    script = "set -e\n" + "\n".join(command.splitlines()[0] for command in commands)
    with serve(Ok(FORM)) as server:
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=here,
            env={
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "OPENAI_BASE_URL": server.base_url,
                "HOME": str(here),
            },
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    for command in commands:
        for line in command.splitlines()[1:]:
            pattern = ".*".join(re.escape(part) for part in line.split("..."))
            assert re.search(f"^{pattern}$", done.stdout, re.MULTILINE), (line, done.stdout)


@pytest.mark.parametrize("block", blocks("python"))
def test_a_python_block_runs(here, block):
    """It needs nothing but what the page says."""
    done = subprocess.run(
        [sys.executable, "-c", block], cwd=here, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_link_leads_somewhere():
    """A relative link of a page names a file that is there."""
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_in_the_manual(command):
    """A command's options are spoken of in the manual or the README."""
    text = "".join(page.read_text() for page in PAGES)
    assert f"rereview {command}" in text
    options = {
        option for each in cli.get_command(None, command).params for option in each.opts if option[0] == "-"
    }
    missing = {option for option in options if option not in text}
    assert not missing


def test_every_exit_code_is_in_the_manual():
    """The table of the manual lists those of the error tree."""
    codes = {
        each.exit_code
        for each in vars(errors).values()
        if isinstance(each, type) and hasattr(each, "exit_code")
    }
    manual = (ROOT / "docs" / "manual.md").read_text()
    assert all(f"| {code} |" in manual for code in codes | {0, 130})


def test_decisions_are_short():
    """A decision fits on a page: 40 lines."""
    for page in (ROOT / "docs" / "decisions").glob("*.md"):
        assert len(page.read_text().splitlines()) <= 40, page.name
