"""The entry point: streams, signals, and one line for every failure."""

import json
import os
import subprocess
import sys

import pytest

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
