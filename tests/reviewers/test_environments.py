"""Environments of other packages: the Python is found or asked for, and half an installation is none."""

import json
import stat

import pytest

from rereview.errors import UsageError
from rereview.models.weights import data_folder
from rereview.reviewers.environments import MARK, install, installed, newer_python, pythons, required, root

FAKE = """#!/bin/sh
case "$*" in
  *version_info*) echo "3 {minor}" ;;
  *venv*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  *pip*) {pip} ;;
esac
"""


@pytest.fixture
def search(tmp_path, monkeypatch):
    """A search path on which there is nothing yet, and no pyenv."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def python(folder, name, minor, pip="exit 0"):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(FAKE.format(minor=minor, pip=pip))
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return str(path)


def test_the_first_python_that_is_new_enough_is_taken(search):
    """One that does not start, as a shim of pyenv may not, is passed over."""
    broken = search / "python3.13"
    broken.write_text("#!/bin/sh\necho 'pyenv: python3.13: command not found' >&2\nexit 127\n")
    broken.chmod(0o755)
    old, new = python(search, "old", 11), python(search, "new", 12)
    assert newer_python([str(broken), old, new, python(search, "newest", 14)]) == new


def test_no_python_that_is_new_enough_is_one_line(search):
    """What was looked at, and what would be right."""
    old = python(search, "old", 11)
    said = rf"3\.12 or newer is needed and there is none: {old} 3\.11; {search}/no does not start; install"
    with pytest.raises(UsageError, match=said):
        newer_python([old, f"{search}/no"])


def test_pythons_are_looked_for_on_the_search_path_and_with_pyenv(search):
    """The oldest that is new enough first, for which there are most wheels; each once."""
    newest, on_path = python(search, "python3.14", 14), python(search, "python3.13", 13)
    of_pyenv = python(search / "pyenv" / "versions" / "3.12.4" / "bin", "python", 12)
    found = list(pythons())
    assert found.index(on_path) < found.index(newest) < found.index(of_pyenv)
    assert len(set(found)) == len(found)


def test_an_installation_is_whole_or_none(search):
    """In the version that is driven; without the mark it was broken off."""
    python(search, "python3.20", 20)
    assert installed("coarse") is None
    with pytest.raises(
        UsageError, match=r"coarse: coarse-ink==1\.9\.6 is not installed; rereview reviewers install coarse"
    ):
        required("coarse")
    home = search / "envs" / "coarse"
    home.mkdir(parents=True)
    (home / MARK).write_text(json.dumps({"package": "coarse-ink==1.0"}))
    assert installed("coarse", search / "envs") is None
    (home / MARK).write_text(json.dumps({"package": "coarse-ink==1.9.6"}))
    assert installed("coarse", search / "envs") == home / "bin"


def test_another_name_lists_those_there_are():
    """One line."""
    with pytest.raises(UsageError, match="no package 'refine'; coarse, openaireview"):
        install("refine")


def test_a_data_folder_that_is_no_absolute_path_is_passed_over(monkeypatch, tmp_path):
    """As the rule of XDG has it, and as for the weights of a model: one rule for both."""
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert root() == data_folder() / "reviewers" == tmp_path / ".local/share/rereview/reviewers"
