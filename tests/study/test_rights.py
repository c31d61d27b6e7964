"""A study in a folder that may be read and not written."""

import os
import tempfile
from pathlib import Path

import pytest

import injection_server as made
from injection_study import rereview
from nobody import somebody_else

COMMANDS = ("measure", "budget", "report", "run", "perturb")
SAYS = "study.db: the study cannot be used: this user may not write there; a folder that this user may write"


@pytest.fixture
def folder():
    """A folder that everybody may enter, which those of other fixtures are not."""
    with tempfile.TemporaryDirectory() as there:
        Path(there).chmod(0o755)
        yield Path(there)


@pytest.fixture
def study(folder):
    """A study of one paper that was read, and every command of it once, so that its code is loaded."""
    (folder / "paper").mkdir()
    (folder / "paper" / "main.tex").write_text(made.paper(1))
    found = folder / "study"
    assert rereview("study", "init", found, "--papers", folder / "paper") == 0
    assert [rereview(command, found) for command in ("perturb", "run", "report")] == [0, 0, 0]
    for command in ("measure", "budget"):
        assert rereview(command, found) == 2  # the checks give no score
    return found


def locked(study):
    """Take the right to write from everybody."""
    for path in (study, *study.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222 | 0o444 | (0o111 if path.is_dir() else 0))


def unlocked(study):
    for path in (study, *study.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs users and rights of POSIX")
def test_a_study_that_may_not_be_written_is_said_in_one_line(study, capsys):
    """By every command that opens its ledger; what is verified is only read."""
    locked(study)
    try:
        for command in COMMANDS:
            capsys.readouterr()
            with somebody_else():
                assert rereview(command, study) == 5
            shown = capsys.readouterr()
            assert shown.out == ""
            assert SAYS in shown.err
            assert len(shown.err.strip().splitlines()) == 1
            assert "Traceback" not in shown.err
    finally:
        unlocked(study)
    assert rereview("verify", study) == 0


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs users and rights of POSIX")
def test_tables_that_may_not_be_written_are_named_by_their_place(study, capsys):
    """Not by the name of a file that is only there while it is written."""
    for path in (study, study / "study.db"):
        path.chmod(path.stat().st_mode | 0o022)
    (study / "tables").chmod(0o555)
    try:
        capsys.readouterr()
        with somebody_else():
            assert rereview("report", study) == 5
        shown = capsys.readouterr().err.strip()
        assert shown.startswith(f"rereview: {study}: cannot be written: Permission denied; ")
        assert "\n" not in shown
    finally:
        unlocked(study)
