"""Every form and protocol through the command, from the first call to review.json."""

import json
import re
from math import ceil, log
from pathlib import Path

import pytest

from rereview import forms
from rereview.cli.main import main
from rereview.types.document import ReviewDocument
from servers import Ok, serve


def run(*arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(each) for each in ("review", *arguments)])
    return stop.value.code or 0


def filled(body):
    """The first legal answer to the schema that was sent."""
    schema = body["response_format"]["json_schema"]["schema"]
    answer = {}
    for name, node in schema["properties"].items():
        if "enum" in node:
            answer[name] = node["enum"][-1]
        elif node["type"] == "array":
            answer[name] = []
        else:
            answer[name] = 5.5 if node["type"] == "number" else "words"
    return Ok(json.dumps(answer))


@pytest.fixture
def paper(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    (tmp_path / "bees.md").write_text("# Bees\n\nWe counted 120 bees in 4 hives.\n")
    return "bees.md"


def reviewed(paper, server, *more):
    code = run(paper, "--model", "m", "--base-url", server.base_url, "--rounds", 3, *more)
    assert code == 0
    return ReviewDocument.model_validate_json(Path("bees-review/review.json").read_text())


@pytest.mark.parametrize("name", forms.names())
def test_every_form_goes_all_the_way(paper, name):
    """Three rounds, a report, and scores where the form has them."""
    with serve(filled) as server:
        document = reviewed(paper, server, "--form", name)
    form = forms.load(name)
    assert len(document.scores) == (form.score is not None)
    counted = {each.name for each in form.fields if each.kind in {"number", "choice"}}
    assert {choice.field for choice in document.choices} == counted
    assert Path("bees-review/report.html").stat().st_size > 1000
    assert all(review.status == "ok" for review in document.reviews)


ENDS = {
    "arr": (1, 5),
    "iclr-2025": (1, 10),
    "iclr-2026": (0, 10),
    "iclr-anchored": (1, 10),
    "icml-2025": (1, 5),
    "neurips-2025": (1, 6),
}


@pytest.mark.parametrize(("name", "ends"), ENDS.items())
def test_a_review_is_measured_on_the_scale_of_its_form(paper, name, ends, capsys):
    """The highest score of the form is legal, and the range is that of the form."""
    with serve(filled) as server:
        reviewed(paper, server, "--form", name)
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        main(["measure", "bees-review", "--table", "budget", "--json"])
    assert not stop.value.code
    printed = json.loads(capsys.readouterr().out)
    cells = {(each["row"], each["column"]): each["value"] for each in printed["tables"]["budget"]["cells"]}
    assert cells["tolerance 0.5", "hoeffding"] == ceil((ends[1] - ends[0]) ** 2 * log(2 / 0.05) / 0.5)
    assert f"form {name}: scores from {ends[0]} to {ends[1]}" in printed["notes"]
    assert f"Scores can be from {ends[0]} to {ends[1]}." in printed["tables"]["budget"]["notes"]


def test_decimals_are_off_the_venues_scale_and_marked(paper):
    """Kept, marked and never rounded; the filled form says so."""
    with serve(filled) as server:
        document = reviewed(paper, server, "--form", "iclr-2025", "--set", "scorecard.protocol=decimal")
    (summary,) = document.scores
    assert (summary.protocol, summary.mean.value) == ("decimal", 5.5)
    assert all(each.off_scale for each in summary.rounds)
    assert "5.5: not a score of the form iclr-2025" in Path("bees-review/review.md").read_text()


def test_a_preset_is_in_what_is_sent(paper):
    """Effort medium, 16,000 output tokens, no temperature."""
    with serve(filled) as server:
        reviewed(paper, server, "--set", "scorecard.preset=paper")
    body = server.requests[0].body
    assert (body["reasoning_effort"], body["max_tokens"]) == ("medium", 16_000)
    assert "temperature" not in body


def test_probabilities_without_log_probabilities_end_with_one_line(paper, capsys):
    """The first answer shows that the endpoint drops them: no further round is begun."""
    with serve(filled) as server:
        more = ("--set", "scorecard.protocol=probabilities", "--concurrency", 1)
        assert run(paper, "--model", "m", "--base-url", server.base_url, *more) == 4
    assert len(server.requests) == 1
    assert "log-probabilities were asked for and none came back" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("protocol=words", "integer, decimal or probabilities"),
        ("preset=mine", "paper"),
        ("reasoning_effort=much", "medium"),
    ],
)
def test_a_setting_that_is_none_is_refused(paper, setting, says, capsys):
    """Before anything is asked."""
    code = run(paper, "--model", "m", "--base-url", "http://127.0.0.1:9", "--set", f"scorecard.{setting}")
    assert code == 2
    assert says in capsys.readouterr().err


def test_measure_takes_a_form_without_a_number(paper, capsys):
    """Its table is the agreement on each field; a form with a score has it beside the others."""
    with serve(filled) as server:
        reviewed(paper, server, "--form", "tmlr")
        for arguments in (["bees-review"], ["bees-review", "--table", "answers"]):
            capsys.readouterr()
            with pytest.raises(SystemExit) as stop:
                main(["measure", *arguments])
            assert not stop.value.code
            shown = capsys.readouterr().out
            assert re.search(r"decision_recommendation +1\n", shown)


def test_answers_of_a_file_of_scores_cannot_be_had(tmp_path, capsys):
    """One line says what the table needs."""
    (tmp_path / "s.csv").write_text("paper,score\na,5\na,6\n")
    with pytest.raises(SystemExit) as stop:
        main(["measure", str(tmp_path / "s.csv"), "--table", "answers"])
    assert stop.value.code == 2
    assert "forms have fields beside the score" in capsys.readouterr().err


def test_a_form_without_a_number_says_its_answers(paper, capsys):
    """Each field of choices with how many rounds gave which answer."""
    with serve(filled) as server:
        reviewed(paper, server, "--form", "tmlr")
        out = capsys.readouterr().out
    assert re.search(
        r"^scorecard\(tmlr\), openai:m: decision_recommendation: \w[\w ]* \d$", out, re.MULTILINE
    )
