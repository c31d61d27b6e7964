"""Token probabilities of a study reach the tables that files of scores have."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from injection_study import rereview
from rereview.cli.measure import measure
from rereview.study.outside import configurations, read
from rereview.study.store import Store
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Draft, Review, ScoreProbability
from servers import Ok, serve

PAPERS, ROUNDS = 7, 5
VALUES = {
    "iclr-anchored": tuple(range(1, 11)),
    "iclr-2025": (1, 3, 5, 6, 8, 10),
    "iclr-2026": (0, 2, 4, 6, 8, 10),
    "icml-2025": (1, 2, 3, 4, 5),
    "neurips-2025": (1, 2, 3, 4, 5, 6),
}
"""The forms that have token probabilities; a score in half points is no token."""
TABLES = ("repeatability", "concentration", "variance-quantiles", "ranking", "budget", "distribution")


def drawn(values, seed=4):
    """Of each paper its scores, and the probabilities of the candidates that one call returned."""
    rng = np.random.default_rng(seed)
    papers = []
    for _ in range(PAPERS):
        law = rng.dirichlet(np.full(len(values), 0.4))
        returned = {value: float(each) for value, each in zip(values, law, strict=True) if each > 0.01}
        total = sum(returned.values())
        papers.append(
            (
                rng.choice(values, ROUNDS, p=law).tolist(),
                {value: each / total for value, each in returned.items()},
            )
        )
    return papers


def kept(folder, form, papers, model="a:m"):
    """A study whose ledger holds these scores and probabilities, by two reviewers of one form."""
    with Store(folder) as store:
        for number, (scores, returned) in enumerate(papers):
            paper = Manuscript(
                id=f"v{number}",
                paper_id=f"p{number}",
                title="T",
                format="markdown",
                blocks=(Block(id="b", text=f"Paper {number}.", kind="paragraph"),),
            )
            store.add_version(paper)
            mass = tuple(
                ScoreProbability(score=score, probability=each, how="one token")
                for score, each in returned.items()
            )
            likely = Draft(score=max(returned, key=returned.get), score_probabilities=mass)
            drafts = [(f"scorecard({form})", Draft(score=score)) for score in scores]
            drafts.append((f"scorecard({form})[protocol=probabilities]", likely))
            for at, (reviewer, draft) in enumerate(drafts):
                store.add_review(
                    Review(
                        id=f"r{number}{at}",
                        manuscript_id=paper.id,
                        reviewer=reviewer,
                        model=model,
                        round=at % ROUNDS + 1,
                        status="ok",
                        draft=draft,
                    ),
                    reviewer,
                )
    return folder


def written(path, form, papers):
    """The same as a file: an auxiliary call and the targets of each paper."""
    columns = sorted({value for _, returned in papers for value in returned})
    lines = [",".join(["paper", "role", "round", "score", "form", *(f"p{value}" for value in columns)])]
    for number, (scores, returned) in enumerate(papers):
        cells = [str(returned.get(value, "")) for value in columns]
        lines.append(",".join([f"p{number}", "auxiliary", "1", "", form, *cells]))
        lines += [
            f"p{number},target,{at},{score},{form}" + "," * len(cells) for at, score in enumerate(scores, 1)
        ]
    path.write_text("\n".join(lines) + "\n")
    return path


def tables(*arguments):
    """What `rereview measure --json` prints."""
    named = [part for name in TABLES for part in ("--table", name)]
    done = CliRunner().invoke(measure, [*map(str, arguments), *named, "--json"], catch_exceptions=False)
    return json.loads(done.stdout)


def cells(found):
    """Every cell of the tables, but for the budget that covers all models of a file."""
    return {
        (name, cell["row"], cell["column"]): (cell["value"], cell["low"], cell["high"], cell["n"])
        for name, table in found["tables"].items()
        for cell in table["cells"]
        if cell["column"] != "simultaneous"
    }


@pytest.mark.parametrize("form", VALUES)
def test_a_study_gives_the_tables_of_a_file(tmp_path, form):
    """Quick and Standard among them, on the scores of the form, to the last digit."""
    papers = drawn(VALUES[form])
    study = tables(kept(tmp_path / "study", form, papers))["configurations"][f"scorecard({form})"]
    file = tables(written(tmp_path / "s.csv", form, papers))
    assert set(study["tables"]) == set(TABLES)
    assert cells(study) == cells(file)
    assert cells(study)["distribution", "quick", "risk"][0] is not None


def test_a_file_says_its_scale_by_an_option_too(tmp_path):
    """Whole numbers from 1 to 6 are the scores of that form, p1 to p6 their columns."""
    papers = drawn(VALUES["neurips-2025"])
    study = tables(kept(tmp_path / "study", "neurips-2025", papers))["configurations"]
    file = tables(written(tmp_path / "s.csv", "", papers), "--scale", 1, 6)
    assert cells(study["scorecard(neurips-2025)"]) == cells(file)


def test_calls_of_another_form_or_model_are_no_help(tmp_path):
    """Without targets of its own form and model a call stays a reviewer of its own."""
    papers = drawn(VALUES["icml-2025"])
    study = kept(tmp_path / "study", "icml-2025", papers)
    with Store(study) as store:
        paper, *_ = store.papers()
        for model, form in (("a:m", "neurips-2025"), ("b:n", "icml-2025")):
            draft = Draft(score=3)
            named = {"reviewer": f"scorecard({form})", "model": model, "round": 1, "status": "ok"}
            store.add_review(Review(id=model, manuscript_id=paper, draft=draft, **named), f"{model} {form}")
    found = dict(configurations(read([study]).frame))
    helped = [name for name, rows in found.items() if "role" in rows and rows["role"].eq("auxiliary").any()]
    assert helped == ["scorecard(icml-2025) | a:m"]
    assert "scorecard(icml-2025)[protocol=probabilities] | a:m" in found


TOKENS = {"8": 0.5, "6": 0.3, "5": 0.1, "7": 0.05}
"""7 is no score of the form."""


def likely(body):
    """A legal answer with tokens, the last of the score with what else could have stood there."""
    properties = body["response_format"]["json_schema"]["schema"]["properties"]
    filled = {
        name: [] if node["type"] == "array" else node["enum"][-1] if "enum" in node else "words"
        for name, node in properties.items()
    }
    text = json.dumps(filled | {"score": 8})
    before, after = text.split('"score": 8')
    head = before + '"score": '
    return Ok(text, tokens=((head, {head: 1.0}), ("8", TOKENS), (after, {after: 1.0})))


def test_probabilities_of_an_endpoint_are_in_the_frame(tmp_path, monkeypatch):
    """From the tokens of an answer to the columns, renormalised over the scores that the form has."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    (tmp_path / "bees.md").write_text("# Bees\n\nWe counted 120 bees in 4 hives.\n")
    with serve(likely) as server:
        asked = ["--set", "scorecard.protocol=probabilities", "--rounds", 2, "--form", "iclr-2025"]
        assert rereview("review", "bees.md", "--model", "m", "--base-url", server.base_url, *asked) in (
            0,
            None,
        )
    frame = read([tmp_path / "bees-review"]).frame
    assert [name for name in frame if name[0] == "p" and name[1:].isdigit()] == ["p5", "p6", "p8"]
    assert frame[["p5", "p6", "p8"]].to_numpy() == pytest.approx(np.array([[1, 3, 5]] * 2) / 9)
    assert frame["score"].tolist() == [8, 8]
