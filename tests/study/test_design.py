"""study.toml."""

import pytest

from rereview.errors import UsageError
from rereview.study.design import Design, StudyPaper, first_draft, load

PAPERS = (StudyPaper(id="a", source="papers/a/main.tex", domain="math"), StudyPaper(id="b", source="b.md"))


def written(folder, text):
    (folder / "study.toml").write_text(text)
    return folder


def test_the_first_draft_is_the_defaults(tmp_path):
    """A new study.toml says what would hold without its entries, and reads back."""
    design = load(written(tmp_path, first_draft(PAPERS, seed=3)))
    assert design.papers == PAPERS
    assert design.seed == 3
    plain = Design()
    assert (design.perturb, design.judge) == (plain.perturb, plain.judge)
    assert [each.label for each in design.reviewers] == ["checks"]


def test_the_preset_of_the_paper_names_its_models(tmp_path):
    """Two groups of models that share systems; the judge is the generator's model."""
    design = load(written(tmp_path, first_draft(PAPERS, seed=0, preset="paper")))
    assert design.judge.model == design.perturb.generator == "openrouter:google/gemini-3-flash-preview"
    assert {each.group for each in design.reviewers} == {"efficient", "frontier"}
    assert [each.label for each in design.reviewers if each.group == "frontier"] == [
        "zero_shot",
        "openaireview",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("benchmark =", "no TOML"),
        ('benchmark = "other"', "benchmark"),
        ("[perturb]\ntarget = 0", "perturb.target"),
        ("[perturb]\ntargett = 3", "perturb.targett"),
        ('[[reviewers]]\nreviewer = "checks"\n[[reviewers]]\nreviewer = "checks"', "two reviewers"),
        ('[[reviewers]]\nreviewer = "checks"\nsubset = "few"', "'few', which is not declared"),
        (
            '[[reviewers]]\nreviewer = "panel"\noptions = { lenses = [["claims"]] }',
            "reviewers.0.options: the option 'lenses' cannot be [['claims']]; it is text, a number, true",
        ),
        (
            '[[reviewers]]\nreviewer = "panel"\noptions = { lenses = { first = "claims" } }',
            "the option 'lenses' cannot be {'first': 'claims'}; it is text, a number, true or false",
        ),
        ('[[reviewers]]\nreviewer = "panel"\noptions = { at_once = inf }', "'at_once' cannot be inf; it is"),
        ('[[reviewers]]\nreviewer = "panel"\noptions = { sizes = [1, nan] }', "'sizes' cannot be [1, nan]"),
        ('[[reviewers]]\nreviewer = "panel"\noptions = { on = 2026-01-01 }', "'on' cannot be datetime.date"),
        ('[prices]\n"openai:m" = "4"', "'openai:m': no price: '4' has 1 part; it is IN,OUT[,CACHED"),
        ('[prices]\nm = "4,20,inf"', "'openai:m': no price: 'inf' in '4,20,inf' is no amount"),
        ('[subsets]\nfew = ["x"]', "'x', which is no paper"),
        ('[[papers]]\nid = "x"\nsource = "../x.tex"', "leads out of the study"),
        ('[[papers]]\nid = "x"\nsource = "/x.tex"', "leads out of the study"),
        ('[[papers]]\nid = "x"\nsource = "x.tex"\n[[papers]]\nid = "x"\nsource = "y.tex"', "two papers"),
    ],
)
def test_a_wrong_entry_is_named_in_one_line(tmp_path, text, said):
    """What is wrong, in which file, and what would be right."""
    with pytest.raises(UsageError) as error:
        load(written(tmp_path, text))
    line = str(error.value)
    assert said in line
    assert "study.toml" in line
    assert "\n" not in line


def test_a_folder_without_one_says_how_to_begin(tmp_path):
    """The command that makes a study is named."""
    with pytest.raises(UsageError, match="rereview study init"):
        load(tmp_path)


def test_a_reviewer_reads_its_subset():
    """Groups may run on papers of their own."""
    design = Design.model_validate(
        {
            "papers": [paper.model_dump() for paper in PAPERS],
            "subsets": {"few": ["b"]},
            "reviewers": [{"reviewer": "checks"}, {"reviewer": "panel", "subset": "few"}],
        }
    )
    everything, few = (tuple(p.id for p in design.read_by(each)) for each in design.reviewers)
    assert everything == ("a", "b")
    assert few == ("b",)


def test_pairs_are_judged_from_the_lower_threshold():
    """A sweep needs what lies below the threshold; without one nothing is judged that is not needed."""
    assert Design().judge.judged_from == 0.75
    assert Design.model_validate({"judge": {"sweep_from": 0.5}}).judge.judged_from == 0.5
    assert Design.model_validate({"judge": {"sweep_from": 0.9}}).judge.judged_from == 0.75


def test_an_option_may_be_a_list(tmp_path):
    """Each value keeps its type, in the list and beside it."""
    text = (
        '[[reviewers]]\nreviewer = "panel"\n'
        'options = { lenses = ["surface", "claims"], none = [], mixed = [1, 2.5, true, "x"], passes = 3 }'
    )
    (panel,) = load(written(tmp_path, text)).reviewers
    assert panel.options == {
        "lenses": ("surface", "claims"),
        "none": (),
        "mixed": (1, 2.5, True, "x"),
        "passes": 3,
    }
    assert [type(each) for each in panel.options["mixed"]] == [int, float, bool, str]
