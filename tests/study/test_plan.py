"""What is said before anything is asked, against what then is asked."""

import re
from collections import Counter

import pytest

import injection_server as made
from injection_study import begun, rereview
from rereview.models.anthropic import AnthropicEndpoint
from rereview.models.prices import Cap
from rereview.study.asking import Asking
from rereview.study.plan import planned
from rereview.types.call import Message, Request, Shared
from servers import Ok, serve


def said(capsys, *command):
    """Calls by model in the answer to a dry run, and the calls that lower thresholds would add."""
    capsys.readouterr()
    assert rereview(*command, "--dry-run") == 0
    text = capsys.readouterr().out
    calls = {name: int(count) for count, name in re.findall(r"(\d+) calls of openai:(\w+)", text)}
    sweeps = {float(at): int(count) for at, count in re.findall(r"sweep_from = (\S+) .*: (\d+) more", text)}
    return {name: count for name, count in calls.items() if count}, sweeps, text


def answer(body):
    """Slow enough that calls meet."""
    return Ok(made.answer(body), seconds=0.03 if body["model"] == made.REVIEWER else 0.0)


def test_what_is_planned_is_what_is_asked(tmp_path, monkeypatch, capsys):
    """Generator, verifier, reviewer and judge, and what a sweep adds; never more at once than allowed."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with serve(answer) as server:
        study = begun(tmp_path, server, papers=2)
        toml = study / "study.toml"
        judged = toml.read_text()
        toml.write_text(judged.replace(f'model = "{made.JUDGE}" ', 'model = "none" '))

        def asked(*command):
            before = len(server.requests)
            assert rereview(*command) == 0
            return Counter(seen.body["model"] for seen in server.requests[before:])

        plan, _, _ = said(capsys, "perturb", study)
        assert set(plan) == {made.GENERATOR, made.VERIFIER}
        assert asked("perturb", study) == plan
        server.most_at_once = 0
        plan, sweeps, _ = said(capsys, "run", study)
        assert (set(plan), sweeps) == ({made.REVIEWER}, {})
        assert asked("run", study, "--concurrency", 2) == plan
        assert server.most_at_once == 2

        toml.write_text(judged)
        plan, sweeps, text = said(capsys, "run", study)
        assert set(plan) == {made.JUDGE}
        assert "6 reviews are there already" in text
        assert asked("run", study) == plan
        more, _, text = said(capsys, "run", study)
        assert more == {}
        assert f"{plan[made.JUDGE]} ratings are there already" in text

        assert sweeps[0.5] >= sweeps[0.6] >= sweeps[0.7]
        toml.write_text(judged.replace("# sweep_from", "sweep_from"))
        plan, _, _ = said(capsys, "run", study)
        assert plan.get(made.JUDGE, 0) == sweeps[0.5] > 0
        assert asked("run", study) == plan


async def allowed(endpoint, request):
    """Everything may leave."""


def test_the_lower_end_knows_what_is_read_from_a_cache():
    """Five equal requests to Claude: one is written and four are read; of one round each is paid in full."""
    asking = Asking(None, AnthropicEndpoint, allowed, Cap(1), {"m": "4,20"})
    text = "word " * 8_000
    told = Message(role="user", text=text, shared=Shared(until=len(text), among="rounds"))
    requests = [Request(messages=(told,), max_output_tokens=800)] * 5
    several, one = (planned("review", "m", requests, asking, again=again) for again in (True, False))
    output = 5 * 100 * 20 / 1e6
    assert one.usd_low == pytest.approx(0.8 * 4 * 50_000 / 1e6 + output)
    assert several.usd_low == pytest.approx(0.8 * 4 * (1.25 + 4 * 0.1) * 10_000 / 1e6 + output)
    assert several.usd_high == one.usd_high == pytest.approx((1.25 * 4 * 50_000 + 5 * 800 * 20) / 1e6)
