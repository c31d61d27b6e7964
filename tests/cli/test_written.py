"""`rereview measure --figures DIR --report FILE`."""

import csv
import json
import resource
import subprocess
import sys

import pytest
from click.testing import CliRunner

from rereview.cli.measure import measure
from rereview.errors import StorageError, UsageError

ROUNDS = ((4, 5, 4), (7, 7, 7), (2, 4, 3), (8, 8, 9), (5, 5, 6), (6, 6, 5), (3, 3, 2))


@pytest.fixture
def scores(tmp_path):
    """A file of scores of two models."""
    path = tmp_path / "scores.csv"
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(("paper", "model", "round", "score"))
        for model in ("one", "two"):
            for paper, rounds in enumerate(ROUNDS):
                writer.writerows((paper, model, at, score) for at, score in enumerate(rounds, start=1))
    return path


def run(*arguments):
    """The command with few words; its errors come through."""
    return CliRunner().invoke(
        measure, [str(each) for each in arguments], catch_exceptions=False, standalone_mode=False
    )


def test_figures_and_page_are_written_and_said(scores, tmp_path):
    """Three files a figure, into a folder that is made; what is printed stays as it is."""
    plain = run(scores, "--table", "ranking")
    folder, page = tmp_path / "new" / "figures", tmp_path / "new" / "report.html"
    found = run(scores, "--table", "ranking", "--figures", folder, "--report", page)
    assert sorted(path.name for path in folder.iterdir()) == ["ranking.csv", "ranking.pdf", "ranking.png"]
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert found.stdout == plain.stdout
    assert found.stderr.count("wrote ") == 4


def test_json_stays_json(scores, tmp_path):
    """What was written is said on the other stream."""
    found = run(scores, "--json", "--report", tmp_path / "report.html")
    assert "configurations" in json.loads(found.stdout)
    assert "wrote" in found.stderr


def test_the_page_names_each_price(scores, tmp_path):
    """In the order in which `--price` takes them; a cache that nobody prices costs as input."""
    for given, words in (
        ("4,20,0.4,5", "4 in, 20 out, 0.4 cached, 5 cache write"),
        ("4,20", "4 in, 20 out, 4 cached, 4 cache write"),
    ):
        run(scores, "--table", "ranking", "--price", given, "--report", tmp_path / "report.html")
        assert words in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_page_does_not_depend_on_the_folder(scores, tmp_path):
    """The same file elsewhere gives the same bytes."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "scores.csv").write_bytes(scores.read_bytes())
    run(scores, "--report", tmp_path / "a.html")
    run(other / "scores.csv", "--report", tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_scores_are_never_written_over(scores, tmp_path):
    """Neither by the page nor by the CSV of a figure."""
    named = scores.rename(tmp_path / "ranking.csv")
    before = named.read_bytes()
    for option in (("--report", named), ("--figures", tmp_path)):
        with pytest.raises(UsageError, match="holds the scores"):
            run(named, "--table", "ranking", *option)
    assert named.read_bytes() == before


def test_what_cannot_be_written_is_one_error(scores, tmp_path):
    """A file where a folder is needed, and the other way round."""
    with pytest.raises(UsageError, match="is no folder"):
        run(scores, "--figures", scores)
    with pytest.raises(UsageError, match="is a folder"):
        run(scores, "--report", tmp_path)
    with pytest.raises(StorageError, match="cannot be written"):
        run(scores, "--table", "ranking", "--report", scores / "report.html")


def test_tables_without_a_figure_say_so(scores, tmp_path):
    """No empty folder is made."""
    found = run(scores, "--table", "concentration", "--figures", tmp_path / "figures")
    assert "no figure" in found.stderr
    assert not (tmp_path / "figures").exists()


def test_without_matplotlib_there_is_one_line_that_says_what_to_install(scores, tmp_path):
    """Before any work; the page needs no matplotlib."""
    without = (
        "import sys; sys.modules['matplotlib'] = None; from rereview.cli.main import main; main(sys.argv[1:])"
    )
    start = [sys.executable, "-c", without, "measure", str(scores), "--table", "ranking"]
    found = subprocess.run(
        [*start, "--figures", str(tmp_path / "f")], capture_output=True, text=True, check=False
    )
    assert found.returncode == 2
    assert found.stdout == ""
    assert len(found.stderr.splitlines()) == 1
    assert "pip install 'rereview[plots]'" in found.stderr
    page = tmp_path / "report.html"
    found = subprocess.run([*start, "--report", str(page)], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert page.exists()


def test_a_full_disk_leaves_the_old_page_whole(scores, tmp_path):
    """A page is there whole, the old one or the new one; and so is every figure."""
    page, figure = tmp_path / "report.html", tmp_path / "ranking.pdf"
    for path in (page, figure):
        path.write_text("the old one " * 1000)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, before[1]))
    try:
        for options in (("--report", page), ("--figures", tmp_path)):
            with pytest.raises(StorageError, match="cannot be written"):
                run(scores, "--table", "ranking", *options)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert page.read_text() == figure.read_text() == "the old one " * 1000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ranking.pdf", "report.html", "scores.csv"]


def test_a_page_may_go_where_no_file_is(scores, tmp_path):
    """Into a pipe, or through a link."""
    (tmp_path / "link.html").symlink_to(tmp_path / "real.html")
    run(scores, "--report", tmp_path / "link.html")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "real.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    run(scores, "--report", "/dev/null")
