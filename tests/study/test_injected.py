"""The frames of a study whose judge has not come to its end."""

import re
from dataclasses import replace

import injection_server as made
from injection_study import begun, rereview
from rereview.study.design import load
from rereview.study.injected import frames
from rereview.study.measuring import left_to_read
from rereview.study.perturbing import kept
from rereview.study.store import Store
from servers import Fault, serve


def test_a_system_that_waits_for_its_judge_is_left_out_whole(tmp_path, monkeypatch, capsys):
    """Its reviews with no comment near an error need no judge, and alone would show a recall of nothing."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    broken = []

    def answer(body):
        if body["model"] == made.JUDGE and broken:
            return Fault("400")
        return made.answer(body)

    with serve(answer) as server:
        study = begun(tmp_path, server, papers=2)
        assert rereview("perturb", study) == 0
        broken.append(True)
        capsys.readouterr()
        assert rereview("run", study) == 4
        assert "could not be judged" in capsys.readouterr().err
        assert rereview("report", study, "--table", "recall") == 0
        shown = capsys.readouterr()
        assert "zero_shot" not in shown.out
        assert re.search(r"left out: zero_shot \| openai:reviewer: \d+ reviews? not searched", shown.err)
        broken.clear()
        before = len(server.requests)
        assert rereview("run", study) == 0
        assert {seen.body["model"] for seen in server.requests[before:]} == {made.JUDGE}
        capsys.readouterr()
        assert rereview("report", study, "--table", "recall") == 0
        shown = capsys.readouterr()
    assert "zero_shot" in shown.out
    assert "left out: zero_shot" not in shown.err


def test_papers_outside_of_its_subset_are_not_counted(tmp_path, capsys):
    """A reviewer that was given a subset afterwards is measured on the subset."""
    for number in range(2):
        (tmp_path / "papers" / f"p{number}").mkdir(parents=True)
        (tmp_path / "papers" / f"p{number}" / "main.tex").write_text(made.paper(number))
    study = tmp_path / "study"
    assert rereview("study", "init", study, "--papers", tmp_path / "papers") == 0
    assert rereview("perturb", study) == rereview("run", study) == 0
    assert errors_of(study, capsys) == "44"
    toml = study / "study.toml"
    text = toml.read_text().replace('reviewer = "checks"', 'reviewer = "checks"\nsubset = "one"', 1)
    toml.write_text(text + '\n[subsets]\none = ["p1"]\n')
    assert errors_of(study, capsys) == "22"


def test_what_is_left_to_read_is_out_of_the_subset(tmp_path, monkeypatch):
    """One paper of three is read, another is not to be: one is left, not two."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with serve(made.answer) as server:
        study = begun(tmp_path, server, papers=3)
        assert rereview("perturb", study) == 0
        toml = study / "study.toml"
        text = toml.read_text().replace('reviewer = "zero_shot"', 'reviewer = "zero_shot"\nsubset = "two"')
        toml.write_text(text + '\n[subsets]\ntwo = ["p0", "p1"]\n')
        assert rereview("run", study) == 0
    design = load(study)
    with Store(study) as store:
        found = frames(kept(study, design, store), design, store)
    reader = "zero_shot", f"openai:{made.REVIEWER}"
    assert left_to_read(design, found) == {("checks", ""): 0, reader: 0}
    without = found.readings["paper"].eq("p1") & found.readings["system"].eq("zero_shot")
    part = replace(found, readings=found.readings[~without])
    assert left_to_read(design, part) == {("checks", ""): 0, reader: 1}


def test_a_paper_that_changed_after_its_reviews_is_named(tmp_path, capsys):
    """Its reviews are of the text before: they count no more, and that is said."""
    for number in range(2):
        (tmp_path / "papers" / f"p{number}").mkdir(parents=True)
        (tmp_path / "papers" / f"p{number}" / "main.tex").write_text(made.paper(number))
    study = tmp_path / "study"
    assert rereview("study", "init", study, "--papers", tmp_path / "papers") == 0
    assert rereview("perturb", study) == rereview("run", study) == rereview("report", study) == 0
    assert "has not read" not in capsys.readouterr().err
    path = study / "papers" / "p1" / "source" / "main.tex"
    path.write_text(path.read_text().replace("\\end{document}", "That is all.\n\\end{document}"))
    assert rereview("report", study) == 0
    assert f"checks has not read p1 as it is now: rereview run {study}" in capsys.readouterr().err


def errors_of(study, capsys):
    """How many errors the recall of the checks is over."""
    capsys.readouterr()
    assert rereview("report", study, "--table", "recall") == 0
    return re.search(r"^checks .* (\d+) +\d+$", capsys.readouterr().out, re.MULTILINE)[1]
