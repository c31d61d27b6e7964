"""A new study."""

from pathlib import Path

import pytest

from rereview.errors import UsageError
from rereview.ingest.base import read
from rereview.study.create import create
from rereview.study.design import load

PAPER = (
    "\\documentclass{article}\\begin{document}\n\\section{Results}\nIt is $a<b$ in all.\n\\end{document}\n"
)


def paper(folder: Path, name: str = "main.tex", text: str = PAPER) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text)
    return path


def test_folders_in_between_are_the_domain(tmp_path):
    """`papers/physics/one/main.tex` is the paper `one` of physics; a copy of it reads the same."""
    paper(tmp_path / "papers" / "physics" / "one")
    paper(tmp_path / "papers" / "two")
    made = create(tmp_path / "study", [tmp_path / "papers"], seed=0)
    assert [(each.id, each.domain) for each in made.papers] == [("one", "physics"), ("two", "")]
    design = load(tmp_path / "study")
    assert design.papers == made.papers
    copied = read(tmp_path / "study" / design.papers[0].source)
    assert copied.id == read(tmp_path / "papers" / "physics" / "one").id


def test_only_what_a_paper_reads_is_copied_of_a_lone_file(tmp_path):
    """Beside a paper there may lie anything; an included file comes along."""
    path = paper(tmp_path, text=PAPER.replace("It is", "\\input{part} It is"))
    paper(tmp_path, "part.tex", "Words.")
    paper(tmp_path, "secret.txt", "x")
    create(tmp_path / "study", [path], seed=0)
    there = [file.name for file in (tmp_path / "study" / "papers").rglob("*") if file.is_file()]
    assert sorted(there) == ["main.tex", "part.tex"]


def test_what_has_no_source_is_left_out_with_the_reason(tmp_path):
    """A PDF among the papers is named, and the others are there."""
    paper(tmp_path / "papers" / "one")
    (tmp_path / "papers" / "two.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "papers" / "README.md").write_text("These are papers.")
    made = create(tmp_path / "study", [tmp_path / "papers"], seed=0)
    assert [each.id for each in made.papers] == ["one"]
    ((path, why),) = made.left_out
    assert path.endswith("two.pdf")
    assert "no source" in why


def test_two_papers_of_one_name_are_not_mixed(tmp_path):
    """The second is left out with the reason, never written over the first."""
    paper(tmp_path / "a" / "one")
    paper(tmp_path / "b" / "one", text=PAPER.replace("<", ">"))
    made = create(tmp_path / "study", [tmp_path / "a", tmp_path / "b"], seed=0)
    assert len(made.papers) == 1
    assert "'one'" in made.left_out[0][1]
    assert "<" in (tmp_path / "study" / made.papers[0].source).read_text()


def test_a_study_is_never_begun_twice(tmp_path):
    """Its study.toml is a person's work."""
    path = paper(tmp_path)
    create(tmp_path / "study", [path], seed=0)
    with pytest.raises(UsageError, match="already"):
        create(tmp_path / "study", [path], seed=0)


@pytest.mark.parametrize("place", ["none", "empty"])
def test_without_a_paper_there_is_no_study(tmp_path, place):
    """Nothing is written for a folder that is not there or holds no paper."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError):
        create(tmp_path / "study", [tmp_path / place], seed=0)
    assert not (tmp_path / "study").exists()


def test_a_source_is_copied_byte_for_byte(tmp_path):
    """A byte-order mark too: offsets of the copy are those of the file."""
    path = paper(tmp_path, "p.md", "\ufeff# A title\r\n\r\nIt is $a<b$.\n")
    made = create(tmp_path / "study", [path], seed=0)
    assert (tmp_path / "study" / made.papers[0].source).read_bytes() == path.read_bytes()


def test_a_reviewer_that_is_not_there_is_refused_before_anything_is_copied(tmp_path):
    """A missing file, and a class that the file does not hold."""
    papers = paper(tmp_path)
    (tmp_path / "mine.py").write_text("class Other: ...\n")
    for name in ("nofile.py:Mine", "mine.py:Mine"):
        with pytest.raises(UsageError, match=r"no such file|no 'Mine' in it"):
            create(tmp_path / "study", [papers], [str(tmp_path / name)], seed=0)
    assert not (tmp_path / "study").exists()


def test_reviewers_that_ask_a_model_are_marked(tmp_path):
    """A program may ask one; whatever its words are, the file can be read."""
    words = 'command:python3 "my program.py" \\n {paper}'
    create(tmp_path / "study", [paper(tmp_path)], ["checks", "zero_shot", words], seed=0)
    assert [each.reviewer for each in load(tmp_path / "study").reviewers] == ["checks", "zero_shot", words]
    entries = (tmp_path / "study" / "study.toml").read_text().split("[[reviewers]]\n")[1:4]
    assert ["# models = " in each for each in entries] == [False, True, True]
    assert ["asks = false" in each for each in entries] == [False, False, True]


def test_names_with_quotation_marks_are_names(tmp_path):
    """Of a folder and of a file: the study that was begun can be read, and is of these papers."""
    paper(tmp_path / "papers" / 'the "new" \\ field' / "one", 'a "b".tex')
    made = create(tmp_path / "study", [tmp_path / "papers"], seed=0)
    assert [each.domain for each in made.papers] == ['the "new" \\ field']
    assert load(tmp_path / "study").papers == made.papers


def test_a_reviewer_in_a_file_may_lie_anywhere(tmp_path):
    """A path with backslashes, as of another system, is a path."""
    paper(tmp_path / "papers" / "one")
    file = tmp_path / 'C:\\my "own"\\two.py'
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("from dataclasses import dataclass\n\n@dataclass(frozen=True)\nclass Two:\n    pass\n")
    create(tmp_path / "study", [tmp_path / "papers"], (f"{file}:Two",), seed=0)
    (reviewer,) = load(tmp_path / "study").reviewers
    assert (reviewer.reviewer, reviewer.label) == (f"{file}:Two", "two")
