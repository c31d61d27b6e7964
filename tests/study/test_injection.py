"""A whole study of injected errors against a server on loopback whose true recall is known."""

import json
import re

import pytest
from click.testing import CliRunner

import injection_server as made
from rereview.cli.main import main
from rereview.cli.report import report
from rereview.study.design import load
from rereview.study.perturbing import PERTURBATION, kept
from rereview.study.store import Store
from rereview.types.edit import Perturbation
from servers import serve

PAPERS = 6


def rereview(*arguments):
    """Run a command as a person does; the exit code."""
    with pytest.raises(SystemExit) as stop:
        main([str(each) for each in arguments])
    return stop.value.code


def begun(folder, server):
    """A study of made-up papers whose models are all at the server."""
    for number in range(PAPERS):
        (folder / "papers" / f"p{number}").mkdir(parents=True)
        (folder / "papers" / f"p{number}" / "main.tex").write_text(made.paper(number))
    study = folder / "study"
    assert rereview("study", "init", study, "--papers", folder / "papers") == 0
    toml = study / "study.toml"
    text = toml.read_text()
    text = text.replace('generator = "rules" ', f'generator = "{made.GENERATOR}" ')
    text = text.replace('verifier = "precheck" ', f'verifier = "{made.VERIFIER}" ')
    text = text.replace('model = "none" ', f'model = "{made.JUDGE}" ')
    names = (made.GENERATOR, made.VERIFIER, made.REVIEWER, made.JUDGE)
    addresses = "".join(f'"{name}" = "{server.base_url}"\n' for name in names)
    text += (
        f'\n[[reviewers]]\nreviewer = "zero_shot"\nmodels = ["{made.REVIEWER}"]\n\n[addresses]\n{addresses}'
    )
    toml.write_text(text)
    return study


def truth(errors):
    """Ids of the errors that the server reports."""
    return {error.id for error in errors if made.reported(changed(error.replacement))}


def changed(replacement):
    """The sentence or formula of a replacement that carries the mark."""
    found = re.search(r"[^.\n]*? is not [^.\n]*\.|\$[^$\n]*\\neq[^$\n]*\$", replacement)
    return found.group().strip() if found else ""


def table(study, name, *options):
    """The values of a table of the report, by row and column."""
    done = CliRunner().invoke(report, [str(study), "--json", *options], catch_exceptions=False)
    made = json.loads(done.stdout)["tables"][name]["cells"]
    return {(cell["row"], cell["column"]): cell for cell in made}


def test_recall_of_a_whole_study_is_the_true_one(tmp_path, monkeypatch):
    """Scan to report over the real protocol: the place that changed gives the true recall.

    Coverage of the text by the quote does not: it misses who quotes the wrong sentence of a paragraph of
    two. A second run of every command asks nothing, and its tables are the same bytes.
    """
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with serve(made.answer) as server:
        study = begun(tmp_path, server)
        commands = (("perturb", study), ("run", study), ("report", study))
        assert [rereview(*command) for command in commands] == [0, 0, 0]
        asked = len(server.requests)
        tables = {path.name: path.read_bytes() for path in (study / "tables").iterdir()}
        assert [rereview(*command) for command in commands] == [0, 0, 0]
        assert len(server.requests) == asked
        assert {path.name: path.read_bytes() for path in (study / "tables").iterdir()} == tables
    with Store(study) as store:
        found = kept(study, load(study), store)
        edits = store.records(PERTURBATION, Perturbation).values()
    used = [found.errors[place.perturbation_id] for each in found.manifests for place in each.placed]
    assert {edit.verdict for edit in used} == {"substantive"}
    assert any(edit.verdict == "typo-shaped" for edit in edits)
    assert any(edit.verdict is None and edit.rejected is None for edit in edits)
    expected = len(truth(used)) / len(used)
    row = f"zero_shot | openai:{made.REVIEWER}", "all"
    shown = table(study, "recall", "--rule", "changed-region")[row]
    assert shown["value"] == pytest.approx(expected, abs=1e-9)
    assert shown["low"] < expected < shown["high"]
    assert table(study, "recall", "--rule", "quote-coverage")[row]["value"] < expected
    control = table(study, "control", "--rule", "changed-region")
    assert control[row[0], "false_alarm"]["value"] < expected / 2
