"""`rereview report` where there is no study of injected errors."""

import pytest
from click.testing import CliRunner

from rereview.cli.main import main
from rereview.cli.report import report
from rereview.cli.review import review
from rereview.errors import UsageError


@pytest.mark.parametrize("command", ["report", "perturb", "run", "audit"])
def test_a_folder_of_a_review_has_its_report_already(tmp_path, capsys, command):
    """No study is to be made in it."""
    paper, folder = tmp_path / "main.tex", tmp_path / "out"
    paper.write_text("\\documentclass{article}\\begin{document}We saw two lakes.\\end{document}")
    options = [str(paper), "--out", str(folder), "--yes"]
    assert CliRunner().invoke(review, options, catch_exceptions=False).exit_code == 0
    assert (folder / "report.html").is_file()
    with pytest.raises(SystemExit) as stop:
        main([command, str(folder)])
    assert stop.value.code == 2
    said = f"rereview: {folder}: a folder of `rereview review`; its report is report.html\n"
    assert capsys.readouterr().err == said


def test_a_folder_without_a_study_says_how_to_make_one(tmp_path):
    """Nothing was reviewed in it."""
    with pytest.raises(UsageError) as error:
        CliRunner().invoke(report, [str(tmp_path)], catch_exceptions=False)
    assert error.value.expected == f"rereview study init {tmp_path} --papers DIR"
