"""Studies on the scales of their forms, from study.toml to the tables, against a server on loopback."""

import itertools
import json
from math import ceil, log

import pytest
from click.testing import CliRunner

import injection_server as made
from injection_study import rereview
from rereview.cli.measure import measure
from rereview.study.schema import MANIFEST
from rereview.study.store import Store
from rereview.types.edit import Manifest
from servers import Ok, serve

VALUES = {
    "arr": (1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5),
    "iclr-2025": (1, 3, 5, 6, 8, 10),
    "iclr-2026": (0, 2, 4, 6, 8, 10),
    "iclr-anchored": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "icml-2025": (1, 2, 3, 4, 5),
    "neurips-2025": (1, 2, 3, 4, 5, 6),
    "tmlr": (),
}
"""Every form that is shipped, with its scores; written down here and read from no form."""
SCORED = [name for name, values in VALUES.items() if values]
RANGES = ("hoeffding", "certified", "certified_tighter", "simultaneous", "joint", "upper_bound", "planning")
TABLES = ("--table", "budget", "--table", "repeatability", "--table", "concentration", "--table", "between")


def answers():
    """Legal answers to any schema, whose scores move from one to the next."""
    count = itertools.count()

    def answer(body):
        step, filled = next(count), {}
        for name, node in body["response_format"]["json_schema"]["schema"]["properties"].items():
            if "enum" in node:
                filled[name] = node["enum"][step * step % len(node["enum"])]
            else:
                filled[name] = [] if node["type"] == "array" else "words"
        return Ok(json.dumps(filled))

    return answer


def reviewer(form):
    return (
        f'\n[[reviewers]]\nreviewer = "scorecard"\nname = "with {form}"\nmodels = ["m"]\nrounds = 2\n'
        f'options = {{form = "{form}"}}\n'
    )


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Two papers, clean and with errors of one family, twice by each form and once by the checks."""
    folder = tmp_path_factory.mktemp("scales")
    for number in range(2):
        (folder / "papers" / f"p{number}").mkdir(parents=True)
        (folder / "papers" / f"p{number}" / "main.tex").write_text(made.paper(number))
    found = folder / "study"
    assert rereview("study", "init", found, "--papers", folder / "papers") == 0
    with serve(answers()) as server, pytest.MonkeyPatch.context() as environment:
        environment.setenv("OPENAI_API_KEY", "k")
        toml = (found / "study.toml").read_text()
        toml = toml.replace("[perturb]", '[perturb]\nfamilies = ["surface"]')
        toml += "".join(map(reviewer, VALUES)) + f'\n[addresses]\n"m" = "{server.base_url}"\n'
        (found / "study.toml").write_text(toml)
        assert [rereview(command, found) for command in ("perturb", "run")] == [0, 0]
    return found


def tables(*arguments):
    """The tables of `rereview measure --json` by configuration and name, as (row, column) to value."""
    done = CliRunner().invoke(measure, [*map(str, arguments), "--json"], catch_exceptions=False)
    printed = json.loads(done.stdout)
    parts = printed.get("configurations", {}) | {"": {"tables": printed.get("tables", {})}}
    return {
        label: {
            name: {(cell["row"], cell["column"]): cell["value"] for cell in table["cells"]}
            for name, table in part["tables"].items()
        }
        for label, part in parts.items()
    }, printed


@pytest.fixture(scope="module")
def measured(study):
    return tables(study, *TABLES)


def label(form):
    return f"with {form} | clean"


def hoeffding(low, high, tolerance=0.5):
    return ceil((high - low) ** 2 * log(2 / 0.05) / (2 * tolerance**2))


def exported(study, form, path):
    """The scores that the ledger holds of the clean papers, as a file of no form."""
    lines = ["paper,round,score"]
    with Store(study) as store:
        corrupted = {each.version for each in store.records(MANIFEST, Manifest).values()}
        for version, paper in store.papers().items():
            lines += [
                f"{paper},{review.round},{review.draft.score}"
                for review in store.reviews(version)
                if review.reviewer == f"with {form}" and version not in corrupted
            ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_each_form_of_a_study_is_on_its_own_scale(study, measured, tmp_path):
    """The budgets are those of its range, the columns its scores, and a file with --scale has the same."""
    found, printed = measured
    for form in SCORED:
        values = VALUES[form]
        own = found[label(form)]
        assert own["budget"]["tolerance 0.5", "hoeffding"] == hoeffding(values[0], values[-1])
        counted = [name for _, name in own["concentration"] if name[0].isdigit()]
        assert counted == [f"{value:g}" for value in values]
        assert own["concentration"]["all", "between"] == 0
        file = exported(study, form, tmp_path / f"{form}.csv")
        alone, _ = tables(file, *TABLES[:4], "--scale", values[0], values[-1])
        assert own["repeatability"] == alone[""]["repeatability"]
        for name in RANGES:
            if name != "simultaneous":  # a study of six covers six
                assert own["budget"]["tolerance 0.5", name] == alone[""]["budget"]["tolerance 0.5", name]
        assert f"form {form}: scores from {values[0]} to {values[-1]}" in printed["notes"]
    assert not [name for name in found if "tmlr" in name and found[name]]
    assert {name.rpartition(" | ")[2] for name in found if name} == {"clean", "surface"}


def test_points_of_different_scales_are_not_compared(measured):
    """Agreement and difference are empty and one line says why; order does not depend on the scale."""
    found, printed = measured
    between = found[""]["between"]
    mixed = f"{label('arr')} ~ {label('neurips-2025')}"
    same = f"{label('arr')} ~ {label('icml-2025')}"
    assert between[mixed, "agreement"] is between[mixed, "difference"] is None
    assert between[mixed, "same"] is not None
    assert between[same, "difference"] is not None
    notes = printed["tables"]["between"]["notes"]
    (ends,) = [note for note in notes if "different scales" in note]
    assert f"{label('arr')} ~ {label('iclr-2025')} (1 to 5, 1 to 10)" in ends
    (values,) = [note for note in notes if "other values between" in note]
    assert same in values
    assert mixed not in values


def test_a_scale_that_is_given_counts_for_all(study):
    """Whatever the forms are; nothing is said of their scales then."""
    found, printed = tables(study, "--table", "between", "--table", "budget", "--scale", 0, 20)
    assert {found[label(form)]["budget"]["tolerance 0.5", "hoeffding"] for form in SCORED} == {
        hoeffding(0, 20)
    }
    assert not [note for note in printed["notes"] if note.startswith("form ")]
    assert found[""]["between"][f"{label('arr')} ~ {label('neurips-2025')}", "difference"] is not None


def test_budgets_of_a_study_are_on_its_scales(study, capsys):
    """`rereview budget` asks the same place."""
    capsys.readouterr()
    assert rereview("budget", study, "--json") == 0
    found = json.loads(capsys.readouterr().out)["configurations"]
    for form in SCORED:
        assert found[label(form)]["hoeffding"] == hoeffding(VALUES[form][0], VALUES[form][-1])


def test_the_fields_of_a_form_are_read_by_its_name_in_the_study(study, capsys):
    """A name of one's own hides no form: the table of answers has them, of a form without a number too."""
    capsys.readouterr()
    assert rereview("measure", study, "--table", "answers") == 0
    shown = capsys.readouterr().out
    assert "with tmlr | openai:m | decision_recommendation" in shown
    assert "with arr | openai:m | excitement" in shown


def test_the_page_says_the_scale_of_each_form(study, tmp_path):
    """In its settings, where a single scale would be wrong."""
    page = tmp_path / "page.html"
    assert rereview("measure", study, "--table", "concentration", "--report", page) == 0
    text = page.read_text()
    for form in SCORED:
        assert f"Scale of {form}" in text
    assert "0 to 10" in text
