"""What is said before anything is asked, against what then is asked."""

import re
from collections import Counter

import pytest

import injection_server as made
from injection_study import begun, rereview
from servers import Fault, Ok, serve


def said(capsys, *command):
    """Calls by model in the answer to a dry run, and the calls that lower thresholds would add."""
    capsys.readouterr()
    assert rereview(*command, "--dry-run") == 0
    text = capsys.readouterr().out
    calls = {name: int(count) for count, name in re.findall(r"(\d+) calls? of openai:(\w+)", text)}
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


class Breaking:
    """Answers so many requests, then refuses the key, until it is mended."""

    def __init__(self, whole):
        self.left = whole

    def __call__(self, body):
        self.left -= 1
        return Fault("401") if self.left < 0 else made.answer(body)


def money(text, purpose):
    """The low end, the high end and the usual cost in the line of a purpose."""
    line = next(each for each in text.splitlines() if each.startswith(purpose)).partition(" at $")[0]
    return [float(each) for each in re.findall(r"\$(\d+\.\d+)", line)]


@pytest.mark.parametrize("answered", [1, 4])
def test_of_a_study_that_was_stopped_only_the_rest_is_counted(tmp_path, monkeypatch, capsys, answered):
    """Wherever it stopped: what is in the ledger is neither asked nor counted, stage by stage."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    server_of = Breaking(answered)
    with serve(server_of) as server:
        study = begun(tmp_path, server, papers=1)
        toml = study / "study.toml"
        named = f'models = ["{made.REVIEWER}"]\n'
        toml.write_text(toml.read_text().replace(named, f"{named}rounds = 3\n"))
        for command in ("perturb", "run"):
            whole, _, _ = said(capsys, command, study)
            server_of.left = answered
            assert rereview(command, study, "--concurrency", 1) != 0
            left, _, text = said(capsys, command, study)
            left.pop(made.JUDGE, None)  # the reviews that it reads are made meanwhile
            assert sum(left.values()) < sum(whole.values())
            assert "there already" in text
            server_of.left, before = 10_000, len(server.requests)
            assert rereview(command, study) == 0
            asked = Counter(seen.body["model"] for seen in server.requests[before:])
            asked.pop(made.JUDGE, None)
            assert asked == left
            assert said(capsys, command, study)[0] == {}


def test_a_dry_run_goes_no_further_than_the_stages_that_are_named(tmp_path, capsys):
    """A scan asks nothing; evidence is looked up without the verifier, which then is not asked either."""
    with serve(made.answer) as server:
        study = begun(tmp_path, server, papers=1)
        assert said(capsys, "perturb", study, "--stages", "scan")[0] == {}
        for until in ("generate", "evidence"):
            assert set(said(capsys, "perturb", study, "--stages", until)[0]) == {made.GENERATOR}
        assert rereview("perturb", study, "--stages", "evidence") == 0
        assert {seen.body["model"] for seen in server.requests} == {made.GENERATOR}


def test_a_dry_run_needs_no_key_and_prices_what_a_cache_holds(tmp_path, monkeypatch, capsys):
    """A paper too long for one page is read three times: the second and third time mostly from the cache."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    long = "\n\n".join(made.paper(0).split("\n\n")[1:-1] * 12)
    (tmp_path / "papers" / "p").mkdir(parents=True)
    text = made.paper(0).replace("\\section{Results}\n", f"\\section{{Results}}\n{long}\n\n")
    (tmp_path / "papers" / "p" / "main.tex").write_text(text)
    study = tmp_path / "study"
    assert rereview("study", "init", study, "--papers", tmp_path / "papers") == 0
    toml = study / "study.toml"
    rest = '\n[[reviewers]]\nreviewer = "zero_shot"\nmodels = ["openai:gpt-5.6-sol"]\nrounds = {}\n'
    toml.write_text(toml.read_text() + rest.format(1))
    assert rereview("perturb", study) == 0
    once = money(said(capsys, "run", study)[2], "review: zero_shot")
    toml.write_text(toml.read_text().replace("]\nrounds = 1", "]\nrounds = 3"))
    low, high, usual = money(said(capsys, "run", study)[2], "review: zero_shot")
    assert low <= usual < high
    assert low < 2.5 * once[0]
    assert usual < 2.5 * once[2]
    assert high == pytest.approx(3 * once[1], abs=0.02)
    assert rereview("run", study) != 0, "without a key nothing is sent"
    assert "no key for openai" in capsys.readouterr().err
