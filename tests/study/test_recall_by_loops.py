"""The tables of a whole study against loops over its ledger."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from injection_study import rereview
from rereview.cli.report import report
from slow_recall import rates

EXAMPLES = Path(__file__).parents[2] / "examples" / "injection"
PAPERS = ("machine-learning/rl_lr_adaptation", "mathematics/sphere_eversion")


@pytest.mark.long
def test_recall_and_false_alarms_are_those_of_loops(tmp_path):
    """Both rules, three reviewers, both arms: every figure of the control table."""
    study = tmp_path / "study"
    papers = [part for name in PAPERS for part in ("--papers", EXAMPLES / "papers" / name)]
    readers = [
        part for name in ("Skimmer", "Informed") for part in ("--reviewer", f"{EXAMPLES}/readers.py:{name}")
    ]
    assert rereview("study", "init", study, *papers, "--reviewer", "checks", *readers) == 0
    toml = study / "study.toml"
    toml.write_text(toml.read_text().replace("target = 20 ", "target = 6 "))
    assert rereview("perturb", study) == rereview("run", study) == 0
    slow = rates(study)
    assert {reviewer for _, reviewer, _ in slow} == {"checks", "skimmer", "informed"}
    for rule in ("quote-coverage", "changed-region"):
        done = CliRunner().invoke(report, [str(study), "--json", "--rule", rule], catch_exceptions=False)
        cells = json.loads(done.stdout)["tables"]["control"]["cells"]
        shown = {(cell["row"], cell["column"]): cell["value"] for cell in cells}
        for (of_rule, reviewer, arm), (rate, errors) in slow.items():
            if of_rule == rule:
                assert errors >= 20
                assert shown[reviewer, arm] == pytest.approx(rate, abs=1e-12), (rule, reviewer, arm)
    assert 0 < slow["changed-region", "informed", "recall"][0] < 1
