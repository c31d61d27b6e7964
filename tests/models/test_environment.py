"""Keys from the environment and from .env."""

from rereview.models.environment import settings


def test_lines_of_the_file_are_read(tmp_path):
    """KEY=VALUE with quotes, spaces and `export`; comments and odd lines are passed over."""
    (tmp_path / ".env").write_text(
        "\ufeffA=1\nexport B = 'two=2' \n# C=3\nodd line\n1D=4\nE=\nF=\"x\nG=${A}\n"
    )
    assert settings(tmp_path, {}) == {"A": "1", "B": "two=2", "E": "", "F": '"x', "G": "${A}"}


def test_the_environment_comes_before_the_file(tmp_path):
    """A variable that is set is not overridden."""
    (tmp_path / ".env").write_text("A=file\nB=file\n")
    assert settings(tmp_path, {"A": "set"}) == {"A": "set", "B": "file"}


def test_only_this_folder_is_looked_at(tmp_path):
    """A .env above, or a folder of that name, is nothing."""
    (tmp_path / ".env").write_text("A=1\n")
    inner = tmp_path / "inner"
    (inner / ".env").mkdir(parents=True)
    assert settings(inner, {}) == {}
