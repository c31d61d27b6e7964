"""`rereview import` as a person runs it."""

import json

import pytest

from rereview.cli.main import main
from rereview.study.outside import read as read_scores
from rereview.types.document import ReviewDocument

PAPER = "# Bees\n\nWe counted 120 bees in 4 hives.\n\n## Results\n\nEach hive had 30 bees.\n"
FORM = {
    "Summary": "S",
    "Strengths": ["Short."],
    "Weaknesses": ["Few hives: four."],
    "Overall": 4,
    "Confidence": 3,
}


@pytest.fixture
def paper(tmp_path):
    path = tmp_path / "bees.md"
    path.write_text(PAPER)
    return path


def put(folder, name, content):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def run(*arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(each) for each in ("import", *arguments)])
    return stop.value.code or 0


def test_reviews_land_in_a_study_with_a_report(paper, tmp_path, capsys):
    """Each is a line; the report, review.json and the scores are there."""
    comment = {"title": "Count", "body": "b", "quote": "120 bees in 4 hives"}
    draft = {"remarks": [comment, {"title": "None", "body": "b", "quote": "a swarm of wasps attacked"}]}
    files = [put(tmp_path, "a.json", FORM), put(tmp_path, "b.json", draft)]
    assert run(paper, *files, "--out", tmp_path / "s") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "ai-scientist (a), not stated, round 1: 1 comment, 0 of 0 quotes located, score 4",
        "draft (b), not stated, round 1: 2 comments, 1 of 2 quotes located",
    ]
    document = ReviewDocument.model_validate_json((tmp_path / "s" / "review.json").read_text())
    assert [len(review.comments) for review in document.reviews] == [1, 2]
    assert "Few hives" in (tmp_path / "s" / "report.html").read_text()
    assert run(paper, *files, "--out", tmp_path / "s", "--json") == 0
    assert json.loads(capsys.readouterr().out) == json.loads(document.to_json())
    assert list(read_scores([tmp_path / "s"]).frame["score"]) == [4.0]


def test_a_study_with_rounds_of_a_scorecard_keeps_them(paper, tmp_path, capsys):
    """What was imported stands beside what a model said, whose mean stays in the report."""
    answer = {"summary": "s", "strengths": [], "concerns": [], "rationale": "r", "score": 6, "confidence": 3}
    script = put(tmp_path, "m.py", f"def answer(request):\n    return {json.dumps(answer)!r}\n")
    with pytest.raises(SystemExit):
        main(["review", str(paper), "--model", f"scripted:{script}:answer", "--out", str(tmp_path / "s")])
    assert run(paper, put(tmp_path, "a.json", FORM), "--out", tmp_path / "s") == 0
    document = ReviewDocument.model_validate_json((tmp_path / "s" / "review.json").read_text())
    assert [each.reviewer for each in document.scores] == ["scorecard"]
    assert {each.reviewer for each in document.reviews} == {"scorecard", "checks", "ai-scientist (a)"}
    capsys.readouterr()


def test_a_table_of_several_papers_asks_which(paper, tmp_path, capsys):
    """And takes the one that is named."""
    table = put(tmp_path, "r.csv", "pid,review,Overall merit,Weaknesses\n7,7A,2,Cold.\n8,8A,4,Wet.\n")
    assert run(paper, table, "--out", tmp_path / "s") == 2
    assert "holds reviews of 2 submissions; --submission: 7, 8" in capsys.readouterr().err
    assert run(paper, table, "--submission", "9", "--out", tmp_path / "s") == 2
    assert "no review of submission '9'; 7, 8" in capsys.readouterr().err
    assert run(paper, table, "--submission", "8", "--as", "committee", "--out", tmp_path / "s") == 0
    assert capsys.readouterr().out.startswith("committee, not stated, round 1: 1 comment")


def test_a_file_that_is_no_review_leaves_the_study_as_it_was(paper, tmp_path, capsys):
    """One line, exit code 2, and no folder."""
    assert run(paper, put(tmp_path, "x.json", {"pages": 3}), "--out", tmp_path / "s") == 2
    assert "no known review: JSON with fields 'pages'" in capsys.readouterr().err
    assert not (tmp_path / "s").exists()


def test_an_imported_review_runs_as_a_reviewer(paper, tmp_path, capsys):
    """`--reviewer imported:FILE` beside the checks."""
    file = put(tmp_path, "a.json", FORM)
    with pytest.raises(SystemExit) as stop:
        main(["review", str(paper), "--reviewer", f"imported:{file}", "--out", str(tmp_path / "s")])
    assert not stop.value.code
    document = ReviewDocument.model_validate_json((tmp_path / "s" / "review.json").read_text())
    assert document.reviews[0].comments[0].title == "Few hives"
    capsys.readouterr()
