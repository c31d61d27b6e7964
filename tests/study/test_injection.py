"""A whole study of injected errors against a server on loopback whose true recall is known."""

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

import injection_server as made
from injection_study import begun, rereview
from rereview.cli.report import report
from rereview.study.design import load
from rereview.study.perturbing import PERTURBATION, kept
from rereview.study.store import Store
from rereview.types.edit import Perturbation
from servers import serve


def truth(errors):
    """Ids of the errors that the server reports."""
    return {error.id for error in errors if made.reported(changed(error.replacement))}


def changed(replacement):
    """The sentence or formula of a replacement that carries the mark."""
    found = re.search(r"[^.\n]*? is not [^.\n]*\.|\$[^$\n]*\\neq[^$\n]*\$", replacement)
    return found.group().strip() if found else ""


def precision(study):
    """The share of the reviewer's comments on corrupted papers that say that something is wrong."""
    with Store(study) as store:
        found = kept(study, load(study), store)
        said = [
            comment.title
            for copy in found.copies
            if copy.version.arm == "corrupted"
            for review in store.reviews(copy.id)
            if review.reviewer == "zero_shot"
            for comment in review.comments
        ]
    return said.count("wrong") / len(said)


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
        study = begun(tmp_path, server, precision=True)
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
    assert control[row[0], "precision"]["value"] == pytest.approx(precision(study))
    assert control[row[0], "precision_clean"]["value"] == 0


PAPER = made.paper(1)


EXAMPLE = (
    Path(__file__).parents[2] / "examples/injection/papers/machine-learning/rl_lr_adaptation/template.tex"
)


def small(folder, extra="", paper=PAPER, images=()):
    """A study of one paper with rules and the checks."""
    (folder / "paper").mkdir()
    for image in images:
        (folder / "paper" / image.name).write_bytes(image.read_bytes())
    (folder / "paper" / "main.tex").write_text(paper)
    study = folder / "study"
    assert rereview("study", "init", study, "--papers", folder / "paper") == 0
    (study / "study.toml").write_text((study / "study.toml").read_text() + extra)
    return study


def edits_of(study):
    """The edits that count now."""
    with Store(study) as store:
        return kept(study, load(study), store).errors


@pytest.mark.parametrize(
    ("chosen", "sent"), [("", 0), ("images = true", 1), ("images = true\nimage_limit = 0", None)]
)
def test_images_go_with_a_paper_where_its_reviewer_says_so(tmp_path, monkeypatch, capsys, chosen, sent):
    """With every version, corrupted or clean; a paper with too many is not sent to that model at all."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    Image.new("RGB", (4, 3), "white").save(tmp_path / "lake.png")
    with serve(lambda body: json.dumps({"summary": "", "issues": []})) as server:
        study = small(
            tmp_path,
            f'\n[[reviewers]]\nreviewer = "zero_shot"\nmodels = ["{made.REVIEWER}"]\n{chosen}\n\n'
            f'[addresses]\n"{made.REVIEWER}" = "{server.base_url}"\n',
            PAPER.replace("\\end{document}", "\\includegraphics{lake}\n\\end{document}"),
            [tmp_path / "lake.png"],
        )
        assert rereview("perturb", study) == 0
        capsys.readouterr()
        assert rereview("run", study, "--dry-run") == 0
        planned = capsys.readouterr().out
        assert rereview("run", study) == 0
    counts = {json.dumps(seen.body).count('{"type": "image_url"') for seen in server.requests}
    assert counts == (set() if sent is None else {sent})
    assert (" 0 calls" in planned) == (sent is None), planned
    left_out = f"paper: not sent to openai:{made.REVIEWER}: 1 image, over the limit of 0 a call"
    assert (left_out in capsys.readouterr().err) == (sent is None)


def test_edits_of_an_earlier_design_count_no_more(tmp_path):
    """A smaller target leaves what was made before in the ledger, and out of the study."""
    study = small(tmp_path)
    assert rereview("perturb", study) == 0
    many = edits_of(study)
    toml = study / "study.toml"
    toml.write_text(toml.read_text().replace("target = 20 ", "target = 2 "))
    assert rereview("perturb", study) == 0
    few = edits_of(study)
    assert 0 < len(few) < len(many)


def test_a_review_of_other_errors_is_not_taken_for_one_of_these(tmp_path, capsys):
    """After the errors have changed, the reviews of the clean paper wait to be searched again."""
    study = small(tmp_path)
    assert rereview("perturb", study) == rereview("run", study) == rereview("report", study) == 0
    toml = study / "study.toml"
    toml.write_text(toml.read_text().replace("target = 20 ", "target = 2 "))
    assert rereview("perturb", study) == 0
    capsys.readouterr()
    assert rereview("report", study) == 2
    assert "rereview run" in capsys.readouterr().err
    assert rereview("run", study) == rereview("report", study) == 0


@pytest.mark.parametrize("command", ["run", "report", "audit"])
def test_a_command_too_early_says_what_comes_first(tmp_path, capsys, command):
    """One line that names the command to run before."""
    study = small(tmp_path)
    assert rereview(command, study) == 2
    assert re.search(r"rereview (perturb|run)", capsys.readouterr().err)


def test_stages_end_where_they_are_told(tmp_path, capsys):
    """`--stages scan` writes no edit; an unknown stage is named."""
    study = small(tmp_path)
    assert rereview("perturb", study, "--stages", "scan") == 0
    assert edits_of(study) == {}
    assert rereview("perturb", study, "--stages", "scan,generate") == 0
    assert all(edit.verdict is None for edit in edits_of(study).values())
    assert rereview("perturb", study, "--stages", "scam") == 2
    assert "'scam' is no stage" in capsys.readouterr().err


def test_one_version_for_all_families(tmp_path):
    """`versions = "paper"`: one corrupted version carries every family, and what overlaps is listed."""
    study = small(tmp_path, paper=EXAMPLE.read_text())
    toml = study / "study.toml"
    toml.write_text(toml.read_text().replace('versions = "run" ', 'versions = "paper" '))
    assert rereview("perturb", study) == rereview("run", study) == 0
    with Store(study) as store:
        found = kept(study, load(study), store)
    (manifest,) = found.manifests
    families = {found.errors[place.perturbation_id].family for place in manifest.placed}
    assert len(families) > 1
    assert all("overlaps" in why for _, why in manifest.lost)
    assert rereview("report", study) == 0
    assert "recall" in {path.stem for path in (study / "tables").iterdir()}


def test_groups_are_measured_apart(tmp_path):
    """Reviewers of two groups are never pooled, and a group reads its own papers."""
    extra = (
        '\n[[reviewers]]\nreviewer = "checks"\nname = "again"\ngroup = "second"\nsubset = "few"\n'
        '[subsets]\nfew = ["paper"]\n'
    )
    study = small(tmp_path, extra)
    assert rereview("perturb", study) == rereview("run", study) == 0
    done = CliRunner().invoke(report, [str(study), "--json"], catch_exceptions=False)
    groups = json.loads(done.stdout)["configurations"]
    assert {
        name: {cell["row"] for cell in made["tables"]["recall"]["cells"]} for name, made in groups.items()
    } == {
        "other": {"checks"},
        "second": {"again"},
    }


def test_labels_of_an_audit_give_shares(tmp_path):
    """Labels from a file; a wrong one is named with its line."""
    study = small(tmp_path)
    assert rereview("perturb", study) == 0
    names = list(edits_of(study))
    labels = tmp_path / "labels.csv"
    labels.write_text("perturbation,label\n" + "".join(f"{name},valid\n" for name in names[:3]))
    assert rereview("audit", study, "--labels", labels) == 0
    labels.write_text(f"perturbation,label\n{names[0]},fine\n")
    assert rereview("audit", study, "--labels", labels) == 2


@pytest.mark.parametrize("change", ["lengthened", "gone"])
def test_a_paper_that_is_no_longer_there_as_it_was_is_named(tmp_path, capsys, change):
    """One line with the file and the two ways out; nothing is lost once the file is back."""
    study = small(tmp_path)
    assert rereview("perturb", study) == rereview("run", study) == 0
    path = study / "papers" / "paper" / "source" / "main.tex"
    content = path.read_bytes()
    if change == "gone":
        path.unlink()
    else:
        path.write_bytes(content.replace(b"\\section", b"More words.\n\\section"))
    capsys.readouterr()
    for command in (("run",), ("report",), ("audit", "--list")):
        assert rereview(command[0], study, *command[1:]) == 2
        said = capsys.readouterr().err.splitlines()[-1]
        assert "main.tex" in said
        assert ("no such file" if change == "gone" else f"rereview perturb {study}") in said
    path.write_bytes(content)
    assert rereview("report", study) == 0


def test_answers_that_are_no_reviews_are_named(tmp_path, capsys):
    """A program of one's own that prints something else: its reviews are unknown, and it is said why."""
    program = f"command:{sys.executable} -c print(4)"
    study = small(
        tmp_path, f"\n[[reviewers]]\nreviewer = '{program}'\nname = 'mine'\noptions = {{ asks = false }}\n"
    )
    assert rereview("perturb", study) == 0
    capsys.readouterr()
    assert rereview("run", study) == 0
    said = capsys.readouterr().err
    assert re.search(
        r"mine: 3 of its reviews could not be read, and count as unknown: .*printed no Draft", said
    )
    assert rereview("report", study) == 0
    said = capsys.readouterr().err
    assert f"report: {study}/report/index.html" in said
    assert "recall-by-domain is left out: it needs papers with a domain" in said


def test_a_table_that_was_left_out_is_asked_for_and_the_line_says_why(tmp_path, capsys):
    """The reason once where it is that of all groups; of a name that no table has, that there is none."""
    groups = '\n[[reviewers]]\nreviewer = "checks"\nname = "again"\ngroup = "two"\n'
    study = small(tmp_path, groups)
    assert rereview("perturb", study) == 0
    assert rereview("run", study) == 0

    def said(name):
        capsys.readouterr()
        assert rereview("report", study, "--table", name) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        return shown.err

    assert said("recall-by-domain").startswith(
        "rereview: recall-by-domain is left out: it needs papers with a domain, named in study.toml; "
    )
    assert said("audit").startswith(
        "rereview: audit is left out: it needs a labelled error of the audit sample; there are: recall"
    )
    assert said("recall-by").startswith("rereview: no table 'recall-by'; there are: recall")


def test_a_reviewer_without_a_model_is_told_how_to_say_that_it_asks_none(tmp_path, capsys):
    """A class says it in its file, a program by its option."""
    (tmp_path / "mine.py").write_text(
        "from dataclasses import dataclass\n\n@dataclass(frozen=True)\nclass Mine:\n    pass\n"
    )
    for number, (spec, how) in enumerate(
        ((f"{tmp_path}/mine.py:Mine", "needs_model = False"), ("command:true", "options = { asks = false }"))
    ):
        (tmp_path / str(number)).mkdir()
        study = small(tmp_path / str(number), f'\n[[reviewers]]\nreviewer = "{spec}"\nname = "mine"\n')
        assert rereview("perturb", study) == 0
        capsys.readouterr()
        assert rereview("run", study) == 2
        assert how in capsys.readouterr().err
