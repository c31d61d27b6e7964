"""`rereview audit` in a terminal, with keys, as a person uses it."""

import json
import re
import signal

import pytest
from click.testing import CliRunner

import injection_server as made
from injection_study import rereview
from rereview.cli.audit import _read, audit
from rereview.errors import UnusableInput
from terminal import INTERRUPT, Terminal

PROMPT = "[q]uit"


@pytest.fixture
def study(tmp_path):
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "main.tex").write_text(made.paper(1))
    assert rereview("study", "init", tmp_path / "study", "--papers", tmp_path / "paper") == 0
    toml = tmp_path / "study" / "study.toml"
    toml.write_text(toml.read_text().replace("target = 20 ", "target = 3 "))
    assert rereview("perturb", tmp_path / "study") == 0
    return tmp_path / "study"


def labels(study):
    done = CliRunner().invoke(audit, [str(study), "--list"], catch_exceptions=False)
    return [entry["label"] for entry in json.loads(done.stdout)]


def test_labels_are_kept_as_they_are_given_and_the_same_command_goes_on(study):
    """First v, a wrong key and q; then n and Ctrl-C; then the rest, and the table of shares."""
    count = len(labels(study))
    first = Terminal("audit", study)
    shown = first.until(PROMPT, 1)
    assert f"1 of {count}" in shown
    assert "as it was:" in shown
    first.press("v\n")
    first.until(PROMPT, 2)
    first.press("x\n")
    first.until(PROMPT, 3)
    first.press("q\n")
    assert first.ended() == 0
    assert labels(study) == ["valid", *[None] * (count - 1)]

    second = Terminal("audit", study)
    assert f"2 of {count}" in second.until(PROMPT, 1)
    second.press("n\n")
    second.until(PROMPT, 2)
    second.press(INTERRUPT)
    assert second.ended() == 128 + signal.SIGINT
    assert "Traceback" not in second.shown
    assert labels(study) == ["valid", "not-an-error", *[None] * (count - 2)]

    third = Terminal("audit", study)
    for number in range(1, count - 1):
        third.until(PROMPT, number)
        third.press("a\n")
    assert third.ended() == 0
    assert re.search(r"ambiguous", third.shown.rpartition(PROMPT)[2])
    assert labels(study) == ["valid", "not-an-error", *["ambiguous"] * (count - 2)]
    again = Terminal("audit", study)
    assert again.ended() == 0
    assert PROMPT not in again.shown


def test_a_file_of_labels_that_is_no_table_is_a_line(tmp_path):
    """A cell larger than any that is read."""
    path = tmp_path / "labels.csv"
    path.write_text(f"perturbation,label\ne1,{'v' * 200_000}\n")
    with pytest.raises(UnusableInput, match="cannot be read: field larger than field limit"):
        _read(path, {"e1"})
