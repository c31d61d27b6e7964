"""How the published packages are driven, against stand-ins; the real ones run in the long tests."""

import json
import sys

import pytest

from rereview.errors import ProviderError, Unreadable, UsageError
from rereview.reviewers.coarse import Coarse
from rereview.reviewers.environments import MARK, PACKAGES
from rereview.reviewers.openaireview import OpenAIReview
from reviewers.recorded import Recorded, paper

PAPER = paper("We counted 120 bees.", "# Results", "There were 130 bees.")
ASK = """
import json, os, pathlib, sys, urllib.request
asked = [{"role": "user", "content": pathlib.Path("paper.md").read_text()}]
body = {"model": "openai/rereview", "messages": asked}
key = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
address = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
answer = json.load(urllib.request.urlopen(urllib.request.Request(address, json.dumps(body).encode(), key)))
said = answer["choices"][0]["message"]["content"]
"""
OPENAIREVIEW = """
argv = sys.argv[1:]
assert argv[:3] == ["review", "paper.md", "--method"], argv
assert argv[argv.index("--model") + 1] == "openai/rereview"
assert "--provider" not in argv  # with it the address of the endpoint would not be looked at
comment = {"title": said, "quote": "130 bees", "explanation": "e", "comment_type": "technical"}
both = {argv[3] + "__rereview": {"model": "openai/rereview", "comments": [comment]},
        argv[3] + "_original__rereview": {"comments": [comment, comment | {"title": "x"}]}}
pathlib.Path("out").mkdir()
pathlib.Path("out/paper.json").write_text(json.dumps({"slug": "paper", "methods": both}))
"""
COARSE = """
def search_literature(*given):
    return "found"

def review_paper(path, *, model, skip_cost_gate):
    exec(open(os.environ["ASK"]).read(), globals())
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"
    comment = {"number": 1, "title": said, "quote": "130 bees", "feedback": "f", "severity": "major"}
    overall = {"summary": search_literature("x"), "issues": [{"title": "i", "body": "b"}]}
    found = {"title": "t", "overall_feedback": overall, "detailed_comments": [comment]}
    class Review:
        def model_dump_json(self):
            return json.dumps(found)
    print("a progress bar of the package")
    return Review(), "", ""
"""


def environment(folder, name):
    home = folder / name
    (home / "bin").mkdir(parents=True)
    (home / MARK).write_text(json.dumps({"package": PACKAGES[name].pin}))
    return home / "bin"


def executable(path, text):
    path.write_text(text)
    path.chmod(0o755)


async def run(reviewer, answer="Count"):
    recorded = Recorded(lambda request: answer)
    return await reviewer(PAPER, recorded.model), recorded


def openaireview(folder, body=ASK + OPENAIREVIEW, **options):
    executable(environment(folder, "openaireview") / "openaireview", f"#!{sys.executable}\n{body}")
    return OpenAIReview(folder=str(folder), **options)


async def test_openaireview_is_given_the_paper_and_the_endpoint(tmp_path):
    """Its comments after consolidation are the remarks, the others are aside; its call is in the journal."""
    draft, recorded = await run(openaireview(tmp_path))
    (remark,) = draft.remarks
    assert (remark.title, remark.quote, remark.body) == ("Count", "130 bees", "e")
    assert [each.remark.title for each in draft.aside] == ["x"]
    assert len(recorded.model.call_ids) == 1
    assert "There were 130 bees." in recorded.requests[0].messages[0].text


async def test_a_method_of_openaireview_can_be_chosen(tmp_path):
    """And the question before the first call knows how many calls it takes."""
    reviewer = openaireview(tmp_path, method="zero_shot")
    draft, _ = await run(reviewer)
    assert draft.remarks[0].title == "Count"
    assert reviewer.expected_calls(PAPER) == (1, None)
    assert OpenAIReview().expected_calls(PAPER) == (2, None)


async def test_openaireview_that_writes_nothing_is_unreadable(tmp_path):
    """And one that fails says why."""
    with pytest.raises(Unreadable, match="it wrote no review"):
        await run(openaireview(tmp_path / "a", "pass"))
    with pytest.raises(ProviderError, match="exit code 1: no key"):
        await run(openaireview(tmp_path / "b", "import sys\nsys.exit('no key')"))


@pytest.mark.parametrize(("literature", "summary"), [(False, None), (True, "found")])
async def test_coarse_is_run_through_its_own_interface(tmp_path, literature, summary):
    """With severity, which its Markdown lacks; it searches the literature only where it is told to."""
    stub = tmp_path / "stub" / "coarse"
    stub.mkdir(parents=True)
    (stub / "__init__.py").write_text("")
    (stub / "pipeline.py").write_text("import json, os\n" + COARSE)
    (tmp_path / "ask.py").write_text(ASK)
    script = f'#!/bin/sh\nASK={tmp_path}/ask.py PYTHONPATH={stub.parent} exec {sys.executable} "$@"\n'
    executable(environment(tmp_path, "coarse") / "python", script)
    draft, recorded = await run(Coarse(folder=str(tmp_path), literature=literature))
    assert [(each.title, each.quote, each.severity) for each in draft.remarks] == [
        ("Count", "130 bees", "moderate")
    ]
    assert (draft.summary, draft.concerns) == (summary, ("i\n\nb",))
    assert len(recorded.model.call_ids) == 1


@pytest.mark.parametrize("reviewer", [OpenAIReview, Coarse])
async def test_a_package_that_is_not_installed_says_how(tmp_path, reviewer):
    """Before anything is asked."""
    with pytest.raises(UsageError, match="is not installed; rereview reviewers install"):
        await run(reviewer(folder=str(tmp_path)))
