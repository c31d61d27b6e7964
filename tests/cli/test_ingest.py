"""`rereview ingest` as a person meets it."""

import json

import pytest
from click.testing import CliRunner

from ingest.packages import put
from ingest.test_pdf import pdf
from rereview.cli.ingest import ingest
from rereview.cli.review import review
from rereview.errors import UnusableInput
from rereview.ingest.base import read
from rereview.ingest.screening import screen as found_by_screening

PAPER = "# On lakes\n\nWe saw two lakes.\n\n![A lake.](lake.png)\n\nBoth are deep.\n"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63f8ffff3f0005fe02fe0def46b80000000049454e44ae426082"
)


def run(*arguments):
    """What is printed; an error is raised as it is."""
    done = CliRunner().invoke(
        ingest, [str(each) for each in arguments], catch_exceptions=False, standalone_mode=False
    )
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.stdout


@pytest.fixture
def lakes(tmp_path):
    """A paper in Markdown with an image."""
    (tmp_path / "lake.png").write_bytes(PNG)
    (tmp_path / "lakes.md").write_text(PAPER)
    return tmp_path / "lakes.md"


def test_a_paper_becomes_a_package(lakes, tmp_path):
    """Which reads as the same version of the paper."""
    shown = run(lakes, "-o", tmp_path / "out")
    assert "pages not known, 1 image, 4 text records" in shown
    assert read(tmp_path / "out").id == read(lakes).id
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"text.json", "index.json", "figures"}


def test_without_a_folder_nothing_is_written(lakes, tmp_path):
    """The paper is only read and counted."""
    before = sorted(tmp_path.rglob("*"))
    assert json.loads(run(lakes, "--json"))["package"] is None
    assert sorted(tmp_path.rglob("*")) == before


def test_what_could_not_be_read_is_said(tmp_path):
    """A file that the paper includes and that is not there."""
    names = [f"part{number}" for number in range(12)]
    parts = "".join(f"\\input{{{name}}}\n" for name in names)
    path = tmp_path / "p.tex"
    path.write_text(
        f"\\documentclass{{article}}\\begin{{document}}\nThe lakes are deep.\n{parts}\\end{{document}}"
    )
    shown = run(path)
    assert "not read: input: part0\n" in shown
    assert shown.endswith("and 2 more, which --json lists\n")
    assert json.loads(run(path, "--json"))["gaps"] == [f"input: {name}" for name in names]


def test_what_stands_at_the_edges_of_pages_is_said(tmp_path):
    """It is no part of the text."""
    pages = [
        [(60, 780, 8, "Roe: On rye"), (60, 700, 10, f"Here {word} grows.")]
        for word in ("rye", "oats", "malt")
    ]
    path = tmp_path / "p.pdf"
    path.write_bytes(pdf(*pages))
    assert "left out of the text: at the head or foot, pages 1 to 3: Roe: On rye\n" in run(path)
    assert json.loads(run(path, "--json"))["around"] == [
        {"kind": "running", "text": "Roe: On rye", "place": "pages 1 to 3"}
    ]


def test_a_file_that_is_taken_for_a_part_is_named(tmp_path):
    """Its words are in no paper that was read; all are read when that is asked for."""
    for name, words in (("lakes", "Lakes are deep. " * 50), ("bees", "Bees are few. ")):
        text = f"\\documentclass{{article}}\\begin{{document}}\n{words}\n\\end{{document}}"
        (tmp_path / f"{name}.tex").write_text(text)
    assert "not read: bees.tex: taken for what goes with a paper here; --each reads all" in run(tmp_path)
    assert json.loads(run(tmp_path, "--json"))["beside"] == ["bees.tex"]
    every = run(tmp_path, "--each")
    assert "2 of 2 papers read" in every
    assert "not read" not in every


def test_main_files_that_were_not_taken_are_said_wherever_a_paper_is_read(tmp_path):
    """On standard error, in the package, in the report, and among the findings of a screening."""
    folder, out, reviewed = (tmp_path / name for name in ("lakes", "package", "review"))
    folder.mkdir()
    for name in ("main", "supplement"):
        text = f"\\documentclass{{article}}\\begin{{document}}\\section{{A}}The {name}.\\end{{document}}"
        (folder / f"{name}.tex").write_text(text)
    line = "lakes: not read: supplement.tex, beside main.tex, which was taken for the paper\n"
    commands = (
        (ingest, [folder, "-o", out]),
        (ingest, [folder, "--json"]),
        (review, [folder, "--out", reviewed]),
    )
    for command, arguments in commands:
        done = CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False, obj="rereview")
        assert line in done.stderr
        assert line not in done.stdout
    assert "supplement.tex, beside main.tex" in (out / "text.json").read_text()
    assert [gap.name for gap in read(out).gaps] == ["supplement.tex, beside main.tex"]
    assert "main-file: <code>supplement.tex, beside main.tex</code>" in (reviewed / "report.html").read_text()
    assert [each.kind for each in found_by_screening(folder, "lakes")] == ["not-read"]


def test_images_that_could_not_be_had_are_counted(lakes):
    """One is named in its place, two in theirs."""
    lakes.with_name("lake.png").unlink()
    assert "1 of the images could not be had, and is named in its place\n" in run(lakes)
    lakes.write_text(PAPER + "\n![A pond.](pond.png)\n")
    assert "2 of the images could not be had, and are named in their places\n" in run(lakes)


def test_the_same_package_may_be_written_again(lakes, tmp_path):
    """Nothing changes; anything else in the folder is an error, and stays."""
    run(lakes, "-o", tmp_path / "out")
    first = (tmp_path / "out" / "text.json").stat().st_mtime_ns
    run(lakes, "-o", tmp_path / "out")
    assert (tmp_path / "out" / "text.json").stat().st_mtime_ns == first
    lakes.write_text(PAPER + "\nMore.\n")
    with pytest.raises(UnusableInput, match="not empty"):
        run(lakes, "-o", tmp_path / "out")
    assert (tmp_path / "out" / "text.json").stat().st_mtime_ns == first


@pytest.fixture
def papers(tmp_path):
    """A folder of two papers, one that cannot be read, and a package."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "one.md").write_text("# One\n\nText.\n")
    (folder / "two.md").write_text("# Two\n\nLonger text.\n")
    (folder / "broken.pdf").write_bytes(b"no PDF")
    put(folder / "packed")
    return folder


def test_a_folder_of_papers_is_counted(papers):
    """Totals, median, 90th percentile and maximum; a page count that is not known is not counted as 0."""
    shown = run(papers)
    rows = {line[:14].strip(): line[14:].split() for line in shown.splitlines()}
    assert "3 of 4 papers read" in shown
    assert rows["pages"] == ["1", "2", "2", "2", "2"]
    assert rows["images"] == ["3", "3", "0", "2.4", "3"]
    assert rows["text records"] == ["3", "11", "2", "6", "7"]
    assert "not read: broken.pdf: " in shown


def test_the_papers_of_a_folder_are_written_each_to_its_own(papers, tmp_path):
    """And a second time nothing is in the way."""
    for _ in range(2):
        found = json.loads(run(papers, "-o", tmp_path / "out", "--json"))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["one", "paper", "two"]
    assert [one["paper"] for one in found["papers"]] == ["one", "paper", "two"]
    assert found["lost"][0]["source"] == "broken.pdf"
    assert found["totals"]["records"] == {
        "papers": 3,
        "total": 11,
        "median": 2,
        "percentile_90": 6.0,
        "maximum": 7,
    }


@pytest.mark.parametrize(
    ("form", "where"), [((), "the lines `not read` say why"), (("--json",), "its list `lost` says why")]
)
def test_a_paper_of_a_folder_that_is_lost_fails_the_command(papers, form, where):
    """Exit code 2 and one line on standard error; the others are counted, and what is printed is whole."""
    done = CliRunner().invoke(ingest, [str(papers), *form])
    assert done.exit_code == 2
    assert done.stderr == f"rereview: 1 of 4 papers could not be read or written; {where}\n"
    assert "3 of 4 papers read" in done.stdout or len(json.loads(done.stdout)["papers"]) == 3
    (papers / "broken.pdf").unlink()
    done = CliRunner().invoke(ingest, [str(papers), *form])
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_paper_that_cannot_be_written_is_lost_too(papers, tmp_path):
    """Its folder holds something else, which stays."""
    (papers / "broken.pdf").unlink()
    (tmp_path / "out" / "two").mkdir(parents=True)
    (tmp_path / "out" / "two" / "mine.txt").write_text("mine")
    done = CliRunner().invoke(ingest, [str(papers), "-o", str(tmp_path / "out")])
    assert done.exit_code == 2
    assert "not read: two.md: the folder is not empty" in done.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"one", "paper", "two"}
    assert [path.name for path in (tmp_path / "out" / "two").iterdir()] == ["mine.txt"]


def test_two_papers_of_one_name_do_not_share_a_folder(tmp_path):
    """The second is lost with the reason."""
    (tmp_path / "papers").mkdir()
    for name in ("a.md", "A.md"):
        (tmp_path / "papers" / name).write_text(f"# {name}\n\nText.\n")
    if len(list((tmp_path / "papers").iterdir())) < 2:
        pytest.skip("this file system takes both for one file")
    found = json.loads(run(tmp_path / "papers", "-o", tmp_path / "out", "--json"))
    assert [one["why"] for one in found["lost"]] == [
        "its name is that of A.md: both are 'a'; name one of them differently"
    ]


def test_each_paper_of_a_folder_may_be_asked_for(tmp_path):
    """Where a main LaTeX file lies among papers."""
    (tmp_path / "main.tex").write_text("\\documentclass{article}\\begin{document}Lakes.\\end{document}")
    (tmp_path / "other.md").write_text("# Other\n\nText.\n")
    assert "1 text record," in run(tmp_path)
    assert "2 of 2 papers read" in run(tmp_path, "--each")


def test_a_folder_in_which_nothing_can_be_read_is_an_error(tmp_path):
    """The first reason is given."""
    (tmp_path / "broken.pdf").write_bytes(b"no PDF")
    with pytest.raises(UnusableInput, match="no paper here could be read: "):
        run(tmp_path)
