"""The entry point: streams, signals, and one line for every failure."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stdout

import pytest

from injection_server import paper
from rereview.cli.main import main

COMMAND = (sys.executable, "-m", "rereview")
NARROW = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}


def test_no_command_shows_the_help(capsys):
    """`rereview` alone is a question, and is answered on standard output."""
    with pytest.raises(SystemExit) as stop:
        main([])
    shown = capsys.readouterr()
    assert not stop.value.code
    assert "Commands:" in shown.out
    assert shown.err == ""


@pytest.mark.parametrize("command", [["reviw"], ["--jsno"]])
def test_a_mistake_names_the_program_once(capsys, command):
    """The line begins with the program's name and does not repeat it."""
    with pytest.raises(SystemExit) as stop:
        main(command)
    line = capsys.readouterr().err
    assert stop.value.code == 2
    assert line.count("rereview: ") == 1
    assert "rereview --help" in line


@pytest.mark.parametrize("name", ["perturb", "run", "audit", "report"])
def test_a_command_of_a_study_is_named_where_it_is(capsys, name):
    """It stands beside `study`, not under it: the line says the command to type."""
    with pytest.raises(SystemExit) as stop:
        main(["study", name, "bees", "--dry-run"])
    assert stop.value.code == 2
    assert capsys.readouterr().err == f"rereview: study: no such command {name!r}; rereview {name} STUDY\n"


def test_json_is_utf_8_wherever_it_is_printed(tmp_path):
    """A terminal that knows ASCII only gets the same JSON, in UTF-8."""
    done = subprocess.run(
        [*COMMAND, "review", "größe.tex", "--json"],
        cwd=tmp_path,
        env=NARROW,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert json.loads(done.stdout.decode("utf-8"))["error"]["where"] == "größe.tex"
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("redirection", [">&-", "2>&-", ">&- 2>&-", "| true"])
def test_a_closed_stream_is_no_defect(tmp_path, redirection):
    """A caller that closes a stream, or stops to read, gets the exit code and no trace."""
    script = f"{sys.executable} -m rereview review none.tex --json {redirection}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


def test_the_command_to_go_on_can_be_pasted(tmp_path):
    """A program that is not on the search path is named as it was called."""
    program = tmp_path / "rereview"
    program.write_text(f"#!{sys.executable}\nfrom rereview.cli.main import main\nmain()\n")
    program.chmod(0o755)
    (tmp_path / "p.md").write_text("# Bees\n\nWe counted.\n")
    (tmp_path / "s.py").write_text("def f(request):\n    raise ValueError('no')\n")
    done = subprocess.run(
        ["./rereview", "review", "p.md", "--model", "scripted:s.py:f"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "go on with: ./rereview review p.md" in done.stderr


def unheard(*command):
    """The exit code where standard output is a pipe at whose other end nobody is, as with `| true`."""
    reading, writing = os.pipe()
    os.close(reading)
    out = os.fdopen(writing, "w", encoding="utf-8")
    with redirect_stdout(out), pytest.raises(SystemExit) as stop:
        main(command)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, writing)  # what is left goes there when the file is closed
    os.close(nowhere)
    out.close()
    return stop.value.code or 0


@pytest.fixture
def things(tmp_path, monkeypatch):
    """A folder of papers, one of which is none, scores, a package, one that is broken, and a study."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "bees.md").write_text("# Bees\n\nWe counted 120 bees.\n")
    (tmp_path / "in" / "cut.pdf").write_text("no PDF")
    (tmp_path / "main.tex").write_text(paper(1))
    (tmp_path / "scores.csv").write_text("paper,round,score\na,1,5\na,2,6\nb,1,7\nb,2,7\n")
    for command in (
        ("ingest", "in/bees.md", "-o", "packed"),
        ("ingest", "in/bees.md", "-o", "broken"),
        ("study", "init", "study", "--papers", "main.tex"),
        ("perturb", "study"),
    ):
        with pytest.raises(SystemExit) as stop:
            main(command)
        assert not stop.value.code
    (tmp_path / "broken" / "index.json").write_text("{}")


COMMANDS = {
    "--help": 0,
    "--version": 0,
    "measure --help": 0,
    "reviewers": 0,
    "ingest in/bees.md": 0,
    "ingest in/bees.md --json": 0,
    "ingest in": 2,
    "ingest in --json": 2,
    "screen in": 2,
    "verify packed": 0,
    "verify packed --json": 0,
    "verify broken": 5,
    "budget scores.csv": 0,
    "budget scores.csv --json": 0,
    "measure scores.csv --table repeatability": 0,
    "measure scores.csv --table repeatability --json": 0,
    "measure scores.csv --table repeatability --csv": 0,
    "study init new --papers main.tex": 0,
    "perturb study --dry-run": 0,
    "run study --dry-run": 0,
}


@pytest.mark.usefixtures("things")
def test_a_reader_that_goes_away_does_not_fail_a_command(capsys):
    """The exit code is that of the work, and no word is said of the pipe."""
    capsys.readouterr()
    codes = {each: unheard(*each.split()) for each in COMMANDS}
    assert codes == COMMANDS
    said = capsys.readouterr().err
    assert "pipe" not in said.lower()
    assert "defect" not in said
