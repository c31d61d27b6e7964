"""Options of reviewers on the command line, in the types of their defaults."""

import json
import re
import subprocess
import sys

import pytest

from rereview.cli.main import main
from rereview.cli.settings import named, refuse_strangers, settings_of
from rereview.errors import UsageError
from rereview.types.document import ReviewDocument


def test_values_take_the_type_of_the_default():
    """Numbers, truths, lists; None's place takes a whole number."""
    given = [
        "panel.passes=6",
        "panel.refute=no",
        "panel.lenses=surface, claims",
        "progressive.notes_share=0.2",
    ]
    assert settings_of("panel", given) == {"passes": 6, "refute": False, "lenses": ("surface", "claims")}
    assert settings_of("progressive", given) == {"notes_share": 0.2}
    assert settings_of("checks", given) == {}


def test_a_list_is_one_also_where_the_default_is_none(tmp_path):
    """The type of the option says so, and of what."""
    assert settings_of("checks", ["checks.rules=sums, stars"]) == {"rules": ("sums", "stars")}
    (tmp_path / "mine.py").write_text(
        "from dataclasses import dataclass\n\n@dataclass(frozen=True)\nclass Mine:\n"
        "    sizes: tuple[int, ...] | None = None\n"
    )
    mine = f"{tmp_path / 'mine.py'}:Mine"
    assert settings_of(mine, ["Mine.sizes=3,4"]) == {"sizes": (3, 4)}
    with pytest.raises(UsageError, match=r"Mine\.sizes: 'x' is no number"):
        settings_of(mine, ["Mine.sizes=3,x"])


def test_what_is_set_is_part_of_the_name():
    """With other options it is another configuration."""
    assert named("panel", {"passes": 6, "lenses": ("a", "b")}) == "panel[lenses=a+b, passes=6]"
    assert named("panel", {}) == "panel"


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("passes=6", r"no setting: 'passes=6'; REVIEWER.OPTION=VALUE"),
        ("panel.refute=perhaps", "'perhaps' is neither true nor false"),
        ("panel.at_once=many", "'many' is no number; a number, as 8"),
    ],
)
def test_a_setting_that_is_none_is_one_line(setting, said):
    """What, where, and what would be right."""
    with pytest.raises(UsageError, match=said):
        settings_of("panel", [setting])


def test_an_option_of_a_reviewer_that_does_not_run_is_refused():
    """It would do nothing in silence."""
    with pytest.raises(UsageError, match="'panle' does not run; one of checks, panel"):
        refuse_strangers(["panle.passes=6"], ("checks", "panel"))
    refuse_strangers(["command.timeout=6"], ("command:x y",))


def test_a_panel_of_two_models_runs_from_the_command_line(tmp_path, capsys):
    """Each has its calls in the ledger; the review names both, and the passes say who read."""
    (tmp_path / "bees.md").write_text("# Bees\n\nWe counted 120 bees.\n")
    issue = {"title": "Count", "explanation": "e", "quote": "120 bees", "severity": "major", "pages": []}
    body = f"""
import json
import re
import subprocess
import sys
def answer(request):
    text = request.messages[0].text
    if "Find those" in text:
        return '{{"same": [{{"numbers": [1, 2]}}]}}'
    if "speak for its authors" in text:
        return '{{"verdict": "stands", "evidence": "", "reason": "r", "severity": "minor"}}'
    return json.dumps({{"issues": [{issue!r}]}})
one = two = answer
"""
    (tmp_path / "m.py").write_text(body)
    names = [f"scripted:{tmp_path / 'm.py'}:{name}" for name in ("one", "two")]
    arguments = [
        "--model",
        names[0],
        "--also-model",
        names[1],
        "--reviewer",
        "panel",
        "--set",
        "panel.passes=2",
    ]
    with pytest.raises(SystemExit) as stop:
        main(["review", str(tmp_path / "bees.md"), *arguments, "--out", str(tmp_path / "s")])
    shown = capsys.readouterr()
    assert not stop.value.code, shown.err
    assert (
        "round 1: 1 comment (1 minor); 1 set aside\n  minor: Count [2 of 2]\n  not seen: at least 0.0\n"
        in shown.out
    )
    document = ReviewDocument.model_validate(json.loads((tmp_path / "s" / "review.json").read_text()))
    (review,) = document.reviews
    assert (review.reviewer, review.model) == ("panel[passes=2]", " + ".join(names))
    assert review.comments[0].raised_by == (f"surface ({names[0]})", f"claims ({names[1]})")
    assert (len(review.call_ids), review.comments[0].match) == (4, "exact")
    assert {line.model for line in document.costs} == set(names)
    with pytest.raises(SystemExit) as stop:
        main(["review", str(tmp_path / "bees.md"), "--model", names[0], "--also-model", names[1]])
    assert stop.value.code == 2
    assert "none runs; --reviewer panel" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("reviewer", "said"),
    [
        (
            "panel",
            r"in 4 to 37 calls for \$0\.\d\d to \$1\d\.\d\d \(about \$0\.\d\d without .* found\) and never",
        ),
        (
            "progressive",
            r"in 2 to 3 calls for \$0\.0\d to \$0\.\d\d \(about \$0\.0\d without .* found\)\. The price is",
        ),
        ("command:cat", r"in 1 call or more for \$0\.\d\d or more and never more than \$5\.00\."),
    ],
)
def test_the_question_before_the_first_call_counts_the_calls_of_a_round(
    reviewer, said, tmp_path, capsys, monkeypatch
):
    """A panel is no single call; where nobody knows their number, the cap is the promise."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-77")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    (tmp_path / "bees.md").write_text("# Bees\n\nWe counted 120 bees.\n")
    asking = """import json, os, urllib.request
body = json.dumps({"messages": [{"role": "user", "content": "x"}]}).encode()
key = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
urllib.request.urlopen(urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, key))
"""
    (tmp_path / "asks.py").write_text(asking)
    name = reviewer.replace("cat", f"{sys.executable} asks.py")
    with pytest.raises(SystemExit) as stop:
        main(["review", "bees.md", "--model", "openai:gpt-5.5", "--price", "4,20", "--reviewer", name])
    assert stop.value.code == 3
    shown = capsys.readouterr().err
    assert re.search(said, shown)
    lows = [float(each) for each in re.findall(r"\$(\d+\.\d\d) to ", shown)]
    assert lows == sorted(lows), "the outer range begins below the inner one"


def test_the_question_counts_a_pass_for_each_model_of_a_panel(tmp_path, capsys, monkeypatch):
    """Of three models and one lens three read the paper: no agreement is given to a third of the calls."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-77")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    (tmp_path / "bees.md").write_text("# Bees\n\nWe counted 120 bees.\n")
    others = ("--also-model", "openai:gpt-5.5-mini", "--also-model", "openai:gpt-5.5-nano")
    panel = ("--reviewer", "panel", "--set", "panel.lenses=claims", "--set", "panel.refute=no")
    with pytest.raises(SystemExit) as stop:
        main(["review", "bees.md", "--model", "openai:gpt-5.5", *others, "--price", "4,20", *panel])
    assert stop.value.code == 3
    assert "in 3 to 4 calls for" in capsys.readouterr().err


def test_offline_refuses_programs_of_others(tmp_path, capsys):
    """Their connections cannot be watched."""
    (tmp_path / "bees.md").write_text("# Bees\n\nWe counted 120 bees.\n")
    command = [
        sys.executable,
        "-m",
        "rereview",
        "review",
        "bees.md",
        "--offline",
        "--reviewer",
        "command:true",
    ]
    done = subprocess.run(
        [*command, "--set", "command.asks=no"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "runs a program whose connections cannot be watched; leave --offline out" in done.stderr
