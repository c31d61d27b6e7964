"""Which files are the main ones of papers, and when there are several."""

import zipfile

import pytest

from rereview.errors import UnusableInput
from rereview.ingest.base import read
from rereview.ingest.folders import beside, holds_papers, papers_in
from rereview.ingest.projects import mains
from rereview.ingest.screening import papers
from rereview.ingest.sources import Members


def main(words, *inputs):
    included = "".join(f"\\input{{{name}}}" for name in inputs)
    return f"\\documentclass{{article}}\\begin{{document}}{words} {included}\\end{{document}}"


LONG, SHORT = main("Lakes are deep. " * 40), main("Ponds.")
ONE = {
    "a usual name": ({"ms.tex": SHORT, "lakes.tex": LONG}, "ms.tex"),
    "a supplement": ({"lakes.tex": LONG, "lakes_supplement.tex": LONG}, "lakes.tex"),
    "an answer": ({"zeta.tex": LONG, "response-to-reviewers.tex": LONG}, "zeta.tex"),
    "a cover letter": ({"cover.tex": LONG, "zeta.tex": LONG}, "zeta.tex"),
    "an old version below": ({"lakes.tex": LONG, "v1/lakes.tex": LONG}, "lakes.tex"),
    "ancillary files": ({"src/main.tex": LONG, "anc/main.tex": LONG}, "src/main.tex"),
    "two forms of one text": (
        {"web.tex": main("W", "c"), "print.tex": main("P", "c"), "c.tex": "Lakes."},
        "print.tex",
    ),
    "a much shorter one": ({"lakes.tex": LONG, "blurb.tex": SHORT}, "lakes.tex"),
    "one that includes much": (
        {"blurb.tex": main("W" * 90), "x.tex": main("", "c"), "c.tex": LONG * 2},
        "x.tex",
    ),
}
SEVERAL = {
    "one beside the other": ({"lakes.tex": LONG, "ponds.tex": LONG}, {"lakes.tex", "ponds.tex"}),
    "a folder each": ({"one/main.tex": LONG, "two/main.tex": SHORT}, {"one/main.tex", "two/main.tex"}),
    "other names": ({"one/ms.tex": LONG, "two/lakes.tex": LONG}, {"one/ms.tex", "two/lakes.tex"}),
}


def held(files):
    return Members({name: text.encode() for name, text in files.items()})


@pytest.mark.parametrize(("files", "expected"), ONE.values(), ids=ONE)
def test_files_of_one_paper_have_one_main_file(files, expected):
    """Whatever else begins a document beside it."""
    assert mains(held(files)) == (expected,)


@pytest.mark.parametrize(("files", "expected"), SEVERAL.values(), ids=SEVERAL)
def test_several_papers_have_a_main_file_each(files, expected):
    """Two texts that share nothing, and of which neither goes with the other."""
    assert {*mains(held(files))} == expected


@pytest.mark.parametrize(("files", "expected"), SEVERAL.values(), ids=SEVERAL)
def test_several_papers_are_not_read_as_one(tmp_path, files, expected):
    """One line that names them; any of them can be read."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(UnusableInput) as caught:
        read(tmp_path)
    line = str(caught.value)
    assert line.startswith(f"{tmp_path}: 2 papers, not one: ")
    assert all(name in line for name in expected)
    assert {read(tmp_path / name).format for name in expected} == {"latex"}


def test_a_short_paper_among_several_is_one(tmp_path):
    """That it is short says of which it were a part in a folder of one paper alone."""
    for name, text in {"lakes.tex": LONG * 3, "ponds.tex": LONG * 2, "bees.tex": LONG}.items():
        (tmp_path / name).write_text(text.replace("\\end{document}", "") + "\\end{document}")
    assert [path.name for path in papers_in(tmp_path)] == ["bees.tex", "lakes.tex", "ponds.tex"]
    (tmp_path / "ponds.tex").unlink()
    assert not holds_papers(tmp_path)
    assert beside(tmp_path) == ("bees.tex",)
    assert [path.name for path in papers_in(tmp_path, every=True)] == ["bees.tex", "lakes.tex"]


def test_a_folder_of_papers_beside_each_other_is_one(tmp_path):
    """Each main file is a paper, what it includes is none."""
    for name, text in {"lakes.tex": LONG, "ponds.tex": LONG, "macros.tex": "\\newcommand{\\x}{y}"}.items():
        (tmp_path / name).write_text(text)
    assert holds_papers(tmp_path)
    expected = [tmp_path / "lakes.tex", tmp_path / "ponds.tex"]
    assert list(papers_in(tmp_path)) == list(papers(tmp_path)) == expected


FILES = {"main.tex": main("Lakes"), "supplement.tex": main("Ponds"), "old/main.tex": main("Seas")}
PASSED = ["supplement.tex, beside main.tex", "old/main.tex, beside main.tex"]


def put(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def passed(paper):
    return sorted(gap.name for gap in paper.gaps if gap.kind == "main-file")


def test_main_files_that_were_not_taken_are_named(tmp_path):
    """Of a folder and of an archive, with the one that was; not of a file that was named by the user."""
    put(tmp_path / "in", FILES)
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as made:
        for name, text in FILES.items():
            made.writestr(f"paper/{name}", text)
    assert passed(read(tmp_path / "in")) == sorted(PASSED)
    assert passed(read(tmp_path / "in.zip")) == [
        "paper/old/main.tex, beside paper/main.tex",
        "paper/supplement.tex, beside paper/main.tex",
    ]
    assert passed(read(tmp_path / "in" / "main.tex")) == []


def test_a_file_that_the_paper_includes_is_read(tmp_path):
    """It is no file beside the paper, even where it could stand alone."""
    put(tmp_path, {"main.tex": main("Lakes", "part"), "part.tex": main("Ponds")})
    assert passed(read(tmp_path)) == []
