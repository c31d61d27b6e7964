"""The study of the manual, recomputed where its data is at hand."""

import json
import re
import shlex
import subprocess
import sys
from math import log, log1p, sqrt
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from rereview.cli.main import cli
from rereview.stats.bounds import chebyshev_budget, kl_upper
from rereview.stats.certify import lattice_tables

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "measure" / "study.md").read_text(encoding="utf-8")
SCORES = ROOT / ".." / "shared" / "data" / "scores"
KONG = SCORES / "kong_21papers_6variants_3runs_2models.csv"
REVIEWS = SCORES / "agents4science" / "reviews.json"

BLOCK = re.compile(r"^```text\n(.*?)^```\n(.*?)(?=^```|\Z)", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\| `([a-z-]+)`(?: at ([^|]+?))? \|(.*)\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)
NUMBER = re.compile(r"-?[\d,]*\d(?:\.\d+)?")


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A folder with the files that the commands name."""
    if not (KONG.is_file() and REVIEWS.is_file()):
        pytest.skip("the scores of the study are not bundled")
    folder = tmp_path_factory.mktemp("study")
    (folder / KONG.name).symlink_to(KONG.resolve())
    (folder / REVIEWS.name).symlink_to(REVIEWS.resolve())
    return folder


@pytest.fixture(scope="module")
def measured(here):
    """What each block of commands prints as JSON, and the text of the page up to the next block."""
    return [(run(commands, here), text) for commands, text in BLOCK.findall(PAGE)]


def run(commands, here):
    for line in commands.splitlines():
        program, *arguments = shlex.split(line.removeprefix("$ "))
        if program == "python":
            script = ROOT / arguments[0]
            subprocess.run([sys.executable, script, *arguments[1:]], cwd=here, check=True)
            continue
        assert program == "rereview"
        command, file, *rest = arguments
        done = CliRunner().invoke(cli, [command, str(here / file), *rest, "--json"])
        assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def cells(content, name, row, label):
    """The cells of a row of the page by column: of a configuration, or of a table over all."""
    one = content if row is None else content["configurations"][label]
    wanted = label if row is None else row
    return {cell["column"]: cell for cell in one["tables"][name]["cells"] if cell["row"] == wanted}


def parts(line):
    """The cells of a line of a Markdown table."""
    return [part.strip().replace("\\|", "|") for part in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def is_shown(shown, cell):
    """Whether the numbers that are shown are those of the cell, rounded as they are shown."""
    if cell["value"] is None:
        return shown == "–"
    values = [cell[key] for key in ("value", "low", "high") if cell[key] is not None]
    found = NUMBER.findall(shown)
    decimals = [len(number.partition(".")[2]) for number in found]
    return [f"{value:,.{d}f}" for value, d in zip(values, decimals, strict=False)] == found


def test_every_table_is_what_its_command_gives(measured):
    """Each cell of each table, and every table of the page belongs to a command."""
    checked = 0
    for content, text in measured:
        for name, row, head, body in TABLE.findall(text):
            columns = parts(f"|{head}")
            for line in body.splitlines():
                label, *shown = parts(line)
                found = cells(content, name, row or None, label)
                wrong = [
                    (column, value)
                    for column, value in zip(columns, shown, strict=True)
                    if not is_shown(value, found[column])
                ]
                assert not wrong, (name, label, wrong)
                checked += len(shown)
    assert checked == 12 * 5 + 12 * 3 + 2 * 4 * 9 + 6 * 8
    assert len(TABLE.findall(PAGE)) == 5


def test_one_score_of_a_reviewer_has_no_spread(measured, here):
    """What needs two rounds is left out, with that reason; the comparison is made."""
    assert set(measured[1][0]["tables"]) == {"between"}
    given = ["measure", str(here / "agents4science.csv"), "--scale", "1", "6", "--table", "concentration"]
    names = ("repeatability", "ranking", "budget")
    asked = [part for name in names for part in ("--table", name)]
    content = json.loads(CliRunner().invoke(cli, [*given, *asked, "--json"]).stdout)
    for reviewer in ("AIRev 1", "AIRev 2", "AIRev 3", "human"):
        reasons = content["left_out"][reviewer]
        assert set(content["configurations"][reviewer]["tables"]) == {"concentration"}
        assert all(reasons[name].startswith("needs 2 rounds") for name in names)


def test_what_three_rounds_cannot_show():
    """The limits that the page names, from their formulas."""
    papers, rounds, alpha = 21, 3, 0.05
    jump = 1 - alpha ** (1 / (papers * rounds))
    hidden = 81 * jump * (1 - jump)
    nothing = kl_upper(0, papers * (rounds // 2))
    pairs = min(
        log(1 / alpha) / -log1p(-table.theta * 0.05) for table in lattice_tables() if table.eps == 0.5
    )
    facts = [
        f"probability {jump:.4f}",
        f"V = {hidden:.2f},",
        f"less than {np.ceil(hidden / 0.05 / 0.25):.0f} reviews",
        f"1/63 = {1 / 63:.4f}",
        f"would be {chebyshev_budget(nothing, tolerance=0.5)} at 0.5",
        f"U = {nothing:.2f}",
        f"would need {np.ceil(pairs):.0f} of them",
    ]
    whole = " ".join(PAGE.split())
    assert [fact for fact in facts if fact not in whole] == []
    assert sqrt(10 / 63) == pytest.approx(0.40, abs=0.005)
    # The paper's own pilot: 200 papers, ten rounds.
    far = 1 - alpha ** (1 / 2000)
    assert f"it is {far:.4f} and V = {81 * far * (1 - far):.3f}" in whole
