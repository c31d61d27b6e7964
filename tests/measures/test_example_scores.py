"""The bundled scores, and the scripts beside them."""

import ast
import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "scores"


def test_the_bundled_scores_are_what_the_script_draws(tmp_path):
    """Byte for byte, from a copy of the script alone."""
    script = tmp_path / "simulate.py"
    shutil.copy(FOLDER / script.name, script)
    subprocess.run([sys.executable, script], check=True)
    made = sorted(tmp_path.glob("*.csv"))
    assert [path.name for path in made] == sorted(path.name for path in FOLDER.glob("*.csv"))
    assert all(path.read_bytes() == (FOLDER / path.name).read_bytes() for path in made)


@pytest.mark.parametrize("script", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_a_script_uses_python_alone(script):
    """What draws scores must not know what measures them."""
    tree = ast.parse(script.read_text(encoding="utf-8"))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names


def review(forum, title, score, *, signature="Reviewer_AIRev1", when=0):
    return {
        "forum": forum,
        "id": f"{forum}{title}{when}",
        "cdate": when,
        "signatures": [f"Venue/Submission1/{signature}"],
        "content": {"title": {"value": title}, "overall": {"value": score}},
    }


def test_people_are_rounds_of_one_reviewer_and_other_programs_are_left_out(tmp_path):
    """Papers in order, the AI reviewers by name, people by the time of their reviews."""
    reviews = [
        review("q", "AIRev 1", "3"),
        review("p", "My thoughts", "5", signature="Reviewer_xY1", when=9),
        review("p", "AIRev 2", "6", signature="Reviewer_AIRev2", when=1),
        review("p", "Correctness Check", "1", signature="Reviewer_AIRevCorrectness"),
        review("p", "AIRev 1", "2", signature="Reviewer_Zz", when=3),
    ]
    source, target = tmp_path / "reviews.json", tmp_path / "scores.csv"
    source.write_text(json.dumps({"reviews": reviews}), encoding="utf-8")
    subprocess.run([sys.executable, FOLDER / "agents4science.py", source, target], check=True)
    with target.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [
            ["paper", "reviewer", "round", "score"],
            ["p", "AIRev 2", "1", "6"],
            ["p", "human", "1", "2"],
            ["p", "human", "2", "5"],
            ["q", "AIRev 1", "1", "3"],
        ]
