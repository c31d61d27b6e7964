"""`rereview review` as a person runs it, against a server on loopback where a model is asked."""

import asyncio
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from base64 import b64decode
from pathlib import Path

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from rereview.cli.main import main
from rereview.types.document import ReviewDocument
from servers import Fault, Ok, closed_port, serve

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ROOT / "examples" / "adaptive_dual_scale_denoising"
PAPER = """# Bees

We counted 120 bees in 4 hives.

## Results

Each hive had 30 bees (Table 1).
"""
FILLED = {
    "summary": "Bees were counted.",
    "strengths": [{"text": "It is short.", "pages": []}],
    "concerns": [{"title": "Few hives", "text": "Four.", "quote": "120 bees in 4 hives", "pages": []}],
    "rationale": "A small study.",
    "score": 6,
    "confidence": 3,
}


@pytest.fixture
def paper(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-77")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    path = tmp_path / "bees.md"
    path.write_text(PAPER)
    return path


def run(*arguments):
    """The exit code of a command."""
    with pytest.raises(SystemExit) as stop:
        main([str(each) for each in ("review", *arguments)])
    return stop.value.code or 0


def asked(paper, server, *more):
    return run(
        paper, "--model", "m", "--base-url", server if isinstance(server, str) else server.base_url, *more
    )


def filled(score=6):
    return Ok(json.dumps(FILLED | {"score": score}))


def documents(folder):
    return ReviewDocument.model_validate_json((folder / "review.json").read_text())


def test_without_a_model_the_checks_run(paper, tmp_path, capsys):
    """The bundled paper gets a report with findings; nothing is sent and nothing paid."""
    assert run(BUNDLED, "--out", tmp_path / "out") == 0
    shown = capsys.readouterr()
    assert "report: " in shown.out
    assert shown.err == ""
    document = documents(tmp_path / "out")
    assert [review.reviewer for review in document.reviews] == ["checks"]
    assert document.sent_to == document.costs == ()
    rules = {comment.rule for comment in document.reviews[0].comments}
    assert {"lost-text", "claims"} <= rules
    assert all(comment.match == "exact" for comment in document.reviews[0].comments)
    assert "needs a model" in (tmp_path / "out" / "report.html").read_text()


def test_with_a_model_the_form_is_filled_five_times(paper, capsys):
    """Five calls, five scores, their mean with an interval, the concern at its place."""
    with serve([filled(score) for score in (5, 6, 6, 7, 6)]) as server:
        assert asked(paper, server) == 0
    assert len(server.requests) == 5
    document = documents(Path("bees-review"))
    (summary,) = document.scores
    assert sorted(each.score for each in summary.rounds) == [5, 6, 6, 6, 7]
    assert summary.mean.value == 6
    assert summary.mean.low < 6 < summary.mean.high
    scored = [review for review in document.reviews if review.model]
    assert {comment.match for review in scored for comment in review.comments} == {"exact"}
    assert document.costs[0].calls == 5
    assert document.costs[0].input_tokens == server.input_tokens
    assert document.sent_to[0].host == server.base_url.split("/")[2]
    assert "5 of 5 rounds" in capsys.readouterr().err
    markdown = Path("bees-review/review.md").read_text()
    assert markdown.count("It is short.") == 5


def test_a_second_run_asks_nothing_and_gives_the_same_bytes(paper):
    """Report, JSON and Markdown are equal, byte for byte, and the server hears nothing."""
    names = ("report.html", "review.json", "review.md")
    with serve(filled()) as server:
        assert asked(paper, server) == 0
        first = [Path("bees-review", name).read_bytes() for name in names]
        heard = len(server.requests)
        assert asked(paper, server) == 0
        assert len(server.requests) == heard == 5
    assert [Path("bees-review", name).read_bytes() for name in names] == first


def test_another_folder_means_new_calls(paper):
    """Two `--out` folders share nothing."""
    with serve(filled()) as server:
        asked(paper, server, "--rounds", 1)
        asked(paper, server, "--rounds", 1, "--out", "elsewhere")
    assert len(server.requests) == 2


def test_json_is_the_document_and_nothing_else(paper, capsys):
    """`--json` prints review.json on standard output; there is no progress."""
    with serve(filled()) as server:
        assert asked(paper, server, "--json") == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out) == json.loads(Path("bees-review/review.json").read_text())
    assert shown.err == ""


def test_hidden_text_never_leaves(tmp_path, paper):
    """Comments, dead branches and text after the end are in no request."""
    source = tmp_path / "p.tex"
    source.write_text(
        "\\documentclass{article}\\begin{document}\nWe like bees. % CANARY1\n\n"
        "\\iffalse CANARY2 \\fi More text about bees here.\n\\end{document}\nCANARY3\n"
    )
    with serve(filled()) as server:
        assert asked(source, server, "--rounds", 1) == 0
    assert "We like bees." in server.requests[0].text
    assert "CANARY" not in server.requests[0].text
    assert len(documents(Path("p-review")).manuscript.hidden) == 3


def test_what_no_reader_sees_is_said_on_the_screen(tmp_path, capsys):
    """White words are; a comment of the source is not."""
    source = tmp_path / "white.tex"
    source.write_text(
        "\\documentclass{article}\\usepackage{xcolor}\\begin{document}\nWe like bees. % a note\n\n"
        "\\textcolor{white}{These words stand in white and nobody sees.} We count.\n\\end{document}\n"
    )
    assert run(source, "--out", tmp_path / "white") == 0
    assert (
        "1 passage that no reader sees was left out (listed in the report, in Record)"
        in capsys.readouterr().out
    )
    source.write_text("\\documentclass{article}\\begin{document}\nWe like bees. % a note\n\\end{document}\n")
    assert run(source, "--out", tmp_path / "other") == 0
    assert "no reader sees" not in capsys.readouterr().out


def test_the_key_is_written_nowhere(paper, capsys):
    """Not in the folder, not on the screen, also when it is rejected."""
    with serve(Fault("401")) as server:
        assert asked(paper, server) == 4
    shown = capsys.readouterr()
    written = b"".join(path.read_bytes() for path in Path("bees-review").rglob("*") if path.is_file())
    assert "sk-canary" not in shown.out + shown.err
    assert b"sk-canary" not in written


BAD = {
    "no such file": (lambda _: ["none.tex"], 2, r"none\.tex: no such file"),
    "empty file": (lambda d: [write(d, "e.tex", b"")], 2, r"e\.tex: the file is empty"),
    "empty Markdown": (lambda d: [write(d, "e.md", b" \n \n")], 2, r"e\.md: "),
    "HTML named PDF": (lambda d: [write(d, "h.pdf", b"<!doctype html><p>x")], 2, "HTML"),
    "damaged PDF": (lambda d: [write(d, "d.pdf", b"%PDF-1.7\nnothing")], 2, r"d\.pdf"),
    "LaTeX without a document": (
        lambda d: [write(d, "x.tex", b"\\section{Hello} there")],
        2,
        "begin{document}",
    ),
    "folder without LaTeX": (lambda d: [d], 2, "no .tex file"),
    "circular input": (lambda d: [circle(d)], 2, r"a\.tex.*b\.tex|b\.tex.*a\.tex"),
    "unknown type": (lambda d: [write(d, "x.docx", b"PK\x03\x04")], 2, r"\.docx"),
    "unknown reviewer": (
        lambda d: [bees(d), "--reviewer", "scorcard"],
        2,
        "did you mean 'scorecard'.*checks",
    ),
    "unknown form": (lambda d: [bees(d), "--model", "scripted:x.py:f", "--form", "x"], 2, ""),
    "form without a model": (lambda d: [bees(d), "--form", "iclr-anchored"], 2, "--form"),
    "reviewer without its model": (lambda d: [bees(d), "--reviewer", "scorecard"], 2, "--model"),
    "provider without an id": (lambda d: [bees(d), "--model", "ollama:"], 2, "ollama:ID"),
    "bad price": (lambda d: [bees(d), "--price", "cheap"], 2, r"'cheap' has 1 part; IN,OUT\[,CACHED"),
    "too many prices": (lambda d: [bees(d), "--price", "1,2,3,4,5"], 2, "has 5 parts"),
    "no amount": (lambda d: [bees(d), "--price", "1,2,nan"], 2, "'nan' in '1,2,nan' is no amount"),
    "bad rounds": (lambda d: [bees(d), "--rounds", "0"], 2, "--rounds"),
    "no points": (lambda d: [bees(d), "--until-precise", "0"], 2, "--until-precise"),
    "points that are no number": (
        lambda d: [bees(d), "--until-precise", "abc"],
        2,
        "--until-precise.*'abc' is no number; see",
    ),
    "a cap that is no number": (lambda d: [bees(d), "--cap", "abc"], 2, "--cap.*'abc' is no number; see"),
    "a file without a name": (
        lambda d: [
            *(bees(d), "--model", "openai:m", "--base-url", "http://127.0.0.1:9"),
            *("--reviewer", ROOT / "examples" / "my_reviewer.py"),
        ],
        2,
        r"a file needs a name behind it; .*my_reviewer\.py:TwoPass$",
    ),
    "points without a model": (lambda d: [bees(d), "--until-precise", "0.5"], 2, "--until-precise.*--model"),
    "points without a form": (
        lambda d: [
            *(bees(d), "--model", "openai:m", "--base-url", "http://127.0.0.1:9", "--until-precise", "0.5"),
            *("--reviewer", "scorecard", "--reviewer", f"{ROOT / 'examples' / 'my_reviewer.py'}:TwoPass"),
        ],
        2,
        "scores on a form.*TwoPass",
    ),
    "unknown option": (lambda d: [bees(d), "--modle", "x"], 2, "--model"),
    "bad base URL": (lambda d: [bees(d), "--model", "m", "--base-url", "ftp://x"], 2, "ftp://x"),
}


def write(folder, name, content):
    (folder / name).write_bytes(content)
    return folder / name


def bees(folder):
    return folder / "bees.md"


def circle(folder):
    write(folder, "a.tex", b"\\documentclass{article}\\begin{document}Hi \\input{b}\\end{document}")
    write(folder, "b.tex", b"there \\input{a}")
    return folder / "a.tex"


@pytest.mark.parametrize("case", BAD, ids=list(BAD))
def test_bad_input_gets_one_line(paper, tmp_path, capsys, case):
    """What, where and what would be right, exit code 2, no trace, and no folder left behind."""
    arguments, code, pattern = BAD[case]
    assert run(*arguments(tmp_path)) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.strip().splitlines()) == 1, shown.err
    assert shown.err.startswith("rereview: ")
    assert re.search(pattern, shown.err), shown.err
    assert not list(tmp_path.glob("*-review"))


FAULTS = {
    "401": (Fault("401"), "key"),
    "402": (Fault("402"), "402|credit"),
    "429": (Fault("429", retry_after=0.01), "429|too many|limit"),
    "500": (Fault("500"), "500"),
    "half an object": (Fault("half"), "half|cut|JSON|completion"),
    "nothing": (Fault("empty"), "empty|nothing"),
    "HTML": (Fault("html"), "HTML|html|completion"),
    "prose": (Ok("It is a fine paper."), "invalid|readable"),
    "half a form": (Ok(json.dumps(FILLED)[:60], finish="length"), "truncated|cut"),
    "refusal": (Fault("refusal"), "refused"),
}


@pytest.mark.parametrize("case", FAULTS, ids=list(FAULTS))
def test_a_server_that_fails_costs_no_report(paper, capsys, case):
    """Exit 4 with the reason and the command that goes on; the checks' report is there."""
    step, pattern = FAULTS[case]
    with serve(step) as server:
        assert asked(paper, server, "--rounds", 2) == 4
    shown = capsys.readouterr()
    lines = [line for line in shown.err.splitlines() if line.startswith("rereview: ")]
    assert re.search(pattern, lines[0]), shown.err
    assert "0 of 2 rounds" in lines[0]
    unreadable = case in {"prose", "half a form", "refusal"}
    assert shown.err.count("rereview: go on with: rereview review") == (not unreadable)
    assert "Traceback" not in shown.err
    assert Path("bees-review/report.html").exists()
    assert [each.score for each in documents(Path("bees-review")).scores[0].rounds] == [None, None]


def test_refused_is_told_from_time_out(paper, capsys):
    """A closed port says that nothing listens, a server that hangs says how long it was waited for."""
    assert asked(paper, closed_port(), "--rounds", 1) == 4
    refused = capsys.readouterr().err
    with serve(Fault("hang")) as server:
        assert asked(paper, server, "--rounds", 1, "--timeout", 0.5) == 4
    hung = capsys.readouterr().err
    assert "refused" in refused or "nothing listens" in refused
    assert "0.5 s" in hung
    assert "nothing listens" not in hung


def test_after_a_failure_only_what_is_missing_is_asked(paper):
    """Two of five rounds fail; the next run makes two calls and finishes."""
    turn = iter(range(100))

    def step(_):
        return Fault("400") if next(turn) in (1, 3) else filled()

    with serve(step) as server:
        assert asked(paper, server, "--concurrency", 1) == 4
        assert asked(paper, server) == 0
        assert len(server.requests) == 7
    assert len(documents(Path("bees-review")).scores[0].rounds) == 5


def test_errors_as_json(paper, capsys):
    """With --json a failure is an envelope on standard output and the same line on standard error."""
    assert run("none.tex", "--json") == 2
    shown = capsys.readouterr()
    error = json.loads(shown.out)["error"]
    assert error["code"] == "unusable-input"
    assert error["where"] == "none.tex"
    assert set(error) == {"code", "what", "where", "expected", "resume"}
    assert error["what"] in shown.err


def test_nobody_to_ask_means_no(paper, capsys):
    """Another host, no terminal, no --yes: exit 3 and the line that would consent."""
    assert run(paper, "--model", "m", "--base-url", "https://models.invalid/v1", "--price", "1,2") == 3
    message = capsys.readouterr().err
    assert "models.invalid" in message
    assert "--yes" in message
    assert "tokens" in message
    assert "$" in message


def test_offline_refuses_another_host(paper):
    """--offline and a model elsewhere: exit 3; with one on this machine it works."""
    command = [
        sys.executable,
        "-m",
        "rereview",
        "review",
        str(paper),
        "--offline",
        "--yes",
        "--rounds",
        "1",
        "--price",
        "1,2",
    ]
    away = subprocess.run(
        [*command, "--model", "m", "--base-url", "https://models.invalid/v1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert away.returncode == 3, away.stderr
    assert "--offline" in away.stderr
    with serve(filled()) as server:
        here = subprocess.run(
            [*command, "--model", "m", "--base-url", server.base_url],
            capture_output=True,
            text=True,
            check=False,
        )
    assert here.returncode == 0, here.stderr


def test_an_unknown_price_stops_before_anything_is_sent(paper, capsys):
    """A host whose price is not known needs --price."""
    assert run(paper, "--model", "nobody-knows", "--base-url", "https://models.invalid/v1", "--yes") == 4
    assert "--price" in capsys.readouterr().err


@pytest.mark.parametrize("rounds", [1, 3])
def test_what_goes_on_states_the_price_that_is_missing(paper, capsys, rounds):
    """The line to type is one that can work, and the words after `--` stay words."""
    others = ("--model", "m", "--base-url", "https://models.invalid/v1", "--rounds", rounds, "--yes")
    assert run(*others, "--", paper) == 4
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("rereview: go on with: rereview review --model m ")
    assert last.endswith(f" --yes --price IN,OUT -- {paper}")


def test_the_cap_is_not_passed(paper, capsys):
    """A call that could cost more than the cap is not made."""
    arguments = (paper, "--model", "m", "--base-url", "https://models.invalid/v1", "--yes")
    assert run(*arguments, "--price", "10000,10000", "--cap", "0.01") == 4
    assert "cap" in capsys.readouterr().err


def test_kill_nine_loses_no_answer(paper, tmp_path):
    """Killed among ten rounds and run again: no received answer is asked for again."""
    received = []

    def step(_):
        time.sleep(0.15)
        received.append(time.monotonic())
        return filled()

    with serve(step) as server:
        command = [
            *(sys.executable, "-m", "rereview", "review", str(paper), "--model", "m"),
            *("--base-url", server.base_url, "--rounds", "10", "--concurrency", "2"),
        ]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as first:
            while len(received) < 5:
                time.sleep(0.01)
            first.send_signal(signal.SIGKILL)
        heard = len(server.requests)
        subprocess.run(command, check=True, capture_output=True)
        assert heard < 10
        assert len(server.requests) <= 10 + 2
    assert len(documents(Path("bees-review")).scores[0].rounds) == 10


def test_interrupted_is_resumable(paper):
    """Ctrl-C ends with 130 and the command that goes on."""
    with serve(Fault("hang")) as server:
        command = [
            sys.executable,
            "-m",
            "rereview",
            "review",
            str(paper),
            "--model",
            "m",
            "--base-url",
            server.base_url,
        ]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            while not server.requests:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in errors
    assert "go on with: " in errors
    assert "Traceback" not in errors


def test_a_reviewer_in_one_file(paper):
    """The example of the README runs through the same door as the built-in ones."""
    doubts = {"sentences": ["Each hive had 30 bees"], "reasons": ["Nobody counted a hive."]}
    with serve([Ok("claims"), Ok(json.dumps(doubts))]) as server:
        example = ROOT / "examples" / "my_reviewer.py"
        assert asked(paper, server, "--reviewer", f"{example}:TwoPass") == 0
    (review,) = documents(Path("bees-review")).reviews
    assert [comment.match for comment in review.comments] == ["exact"]
    assert len(review.call_ids) == 2


def test_a_scripted_model_needs_no_server(paper, tmp_path):
    """`scripted:FILE.py:NAME` answers from a function, offline."""
    (tmp_path / "s.py").write_text(f"def f(request):\n    return {json.dumps(json.dumps(FILLED))}\n")
    assert run(paper, "--model", "scripted:s.py:f", "--offline" if os.environ.get("NEVER") else "--yes") == 0
    assert documents(Path("bees-review")).sent_to[0].host == ""


def test_no_socket_is_opened_without_a_model(paper):
    """The checks work with every socket forbidden."""
    done = subprocess.run(
        [sys.executable, "-m", "rereview", "review", str(BUNDLED), "--offline"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def varied(score):
    """A server's steps: the same score again and again, each time in other words."""
    turns = iter(range(10_000))

    def step(_):
        words = f"Reading number {next(turns)} came to this view of the bees in words of its very own making."
        return Ok(json.dumps(FILLED | {"score": score, "rationale": words}))

    return step


def test_rounds_end_when_their_mean_is_precise(paper, capsys):
    """The promise is printed, in the report and in the document; a second run gives the same bytes."""
    names = ("report.html", "review.json", "review.md")
    with serve(varied(6)) as server:
        assert asked(paper, server, "--until-precise", 0.5) == 0
        first = [Path("bees-review", name).read_bytes() for name in names]
        assert asked(paper, server, "--until-precise", 0.5, "--concurrency", 3) == 0
        assert len(server.requests) == 40
    assert [Path("bees-review", name).read_bytes() for name in names] == first
    shown = capsys.readouterr()
    assert "within 0.5 of the model's expected score with 95% confidence" in shown.out
    assert "40 of at most 598 rounds" in shown.err
    (summary,) = documents(Path("bees-review")).scores
    assert (summary.precision.stopped, summary.precision.scores) == ("precise", 40)
    assert (summary.mean.low, summary.mean.high) == (summary.precision.low, summary.precision.high)
    assert "at a stopping time chosen by the data" in first[0].decode()
    assert "takes 598 scores" in first[2].decode()


def test_a_cache_in_place_of_a_model_is_refused(paper, capsys):
    """Equal long answers: no promise and no interval, but the scores."""
    with serve(Ok(json.dumps(FILLED | {"rationale": "A small study of bees in hives. " * 4}))) as server:
        assert asked(paper, server, "--until-precise", 0.5) == 0
        assert len(server.requests) == 8
    (summary,) = documents(Path("bees-review")).scores
    assert (summary.mean.value, summary.mean.low, summary.precision.low) == (6, None, None)
    shown = capsys.readouterr().out
    assert "Nothing is certified: 7 answers are word for word equal" in shown
    assert "confidence" not in shown


def test_the_most_rounds_are_a_result(paper, capsys):
    """`--rounds` bounds them; that they did not suffice is said."""
    with serve(varied(6)) as server:
        assert asked(paper, server, "--until-precise", 0.5, "--rounds", 12) == 0
        assert len(server.requests) == 12
    assert "12 rounds, the most that were asked for, did not suffice" in capsys.readouterr().out


def test_the_cap_ends_adaptive_rounds(paper, capsys):
    """Exit 4 with the reason and the command that goes on; with more money it does, from there.

    A round that failed before is not the reason.
    """
    money = ("--until-precise", 0.5, "--price", "0,1000", "--concurrency", 1)
    answer, turns = varied(6), iter(range(1000))

    def step(request):
        return Fault("400") if next(turns) == 2 else answer(request)

    with serve(step) as server:
        assert asked(paper, server, *money, "--cap", 17) == 4
        heard = len(server.requests)
        assert 0 < heard < 40
        (summary,) = documents(Path("bees-review")).scores
        assert (summary.precision.stopped, summary.precision.scores) == ("failed", heard - 1)
        assert summary.precision.usd > 0
        assert "cap" in summary.precision.why
        lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("rereview: ")]
        assert asked(paper, server, *money, "--cap", 100) == 0
        assert len(server.requests) == 41
    assert "cap" in lines[0]
    assert lines[1].startswith("rereview: go on with: rereview review")
    assert "--until-precise 0.5" in lines[1]


def test_rounds_without_a_score_are_no_loss_where_the_others_suffice(paper):
    """The promise is kept, so the command has done what it was asked."""
    answer, turns = varied(6), iter(range(1000))

    def step(request):
        return Fault("400") if next(turns) == 3 else answer(request)

    with serve(step) as server:
        assert asked(paper, server, "--until-precise", 0.5, "--concurrency", 1) == 0
    (summary,) = documents(Path("bees-review")).scores
    assert [each.status for each in summary.rounds].count("failed") == 1
    assert (len(summary.rounds), summary.precision.scores) == (41, 40)


def test_running_inside_a_loop_is_not_needed():
    """The command owns its event loop; none is left behind."""
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()


REVIEWERS = """
import sys
from dataclasses import dataclass

from rereview.types.review import Draft, Remark


@dataclass(frozen=True)
class Prints:
    async def __call__(self, paper, model):
        print("on standard output")
        return Draft(summary="s")


@dataclass(frozen=True)
class Empty:
    async def __call__(self, paper, model):
        return None


@dataclass(frozen=True)
class Sync:
    def __call__(self, paper, model):
        return Draft(summary="s")


@dataclass(frozen=True)
class Exits:
    async def __call__(self, paper, model):
        sys.exit(7)


@dataclass(frozen=True)
class Unstorable:
    async def __call__(self, paper, model):
        return Draft(summary="\\ud800")


@dataclass(frozen=True)
class Broken:
    needs_model = False

    async def __call__(self, paper, model):
        return 1 // 0
"""


@pytest.fixture
def reviewers(paper, tmp_path):
    """A file of reviewers, and a scripted model that fills in the form."""
    (tmp_path / "r.py").write_text(REVIEWERS)
    (tmp_path / "s.py").write_text(f"def f(request):\n    return {json.dumps(json.dumps(FILLED))}\n")
    return "--model", "scripted:s.py:f", "--reviewer"


@pytest.mark.parametrize("case", FAULTS, ids=list(FAULTS))
def test_json_is_one_object_also_when_a_server_fails(paper, capsys, case):
    """With --json a run that is not finished prints the error alone; the document is in its file."""
    with serve(FAULTS[case][0]) as server:
        assert asked(paper, server, "--rounds", 1, "--json") == 4
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "unfinished"
    assert documents(Path("bees-review")).scores


def test_json_stays_whole_when_a_reviewer_prints(reviewers, paper, capsys):
    """What a reviewer prints goes to standard error."""
    assert run(paper, *reviewers, "r.py:Prints", "--json") == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["format"] == "rereview/1"
    assert shown.err == "on standard output\n"


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("Empty", "returned NoneType"),
        ("Sync", "cannot be awaited; async def"),
        ("Exits", "SystemExit: 7"),
        ("Unstorable", "surrogates not allowed"),
    ],
)
def test_a_reviewer_with_a_defect_costs_its_own_rounds(reviewers, paper, capsys, name, pattern):
    """The line says what it did; the checks are reported."""
    assert run(paper, *reviewers, f"r.py:{name}", "--reviewer", "checks") == 4
    shown = capsys.readouterr()
    assert re.search(pattern, shown.err), shown.err
    assert "Traceback" not in shown.err
    assert "checks: nothing found" in shown.out


def test_a_check_that_fails_has_not_found_nothing(reviewers, paper, capsys):
    """`nothing found` is said of a reviewer that looked, by its name."""
    assert run(paper, "--reviewer", "r.py:Broken") == 4
    assert "r.py:Broken: failed" in capsys.readouterr().out
    assert run(paper, *reviewers, "r.py:Prints") == 0
    assert "found" not in capsys.readouterr().out


def test_a_reviewer_named_twice_runs_once(paper):
    """No call is made, paid or counted twice."""
    with serve(filled()) as server:
        assert asked(paper, server, "--reviewer", "scorecard", "--reviewer", "scorecard") == 0
        assert len(server.requests) == 5
    assert len(documents(Path("bees-review")).reviews) == 5


@pytest.mark.parametrize(
    "option",
    [("--rounds", 3), ("--base-url", "http://localhost:1/v1"), ("--price", "1,2")],
    ids=lambda option: option[0],
)
def test_an_option_that_would_do_nothing_is_refused(paper, tmp_path, capsys, option):
    """Without a model its options are a mistake; with one that nobody asks, so is the model."""
    assert run(paper, *option) == 2
    assert f"{option[0]} is for reviewers that ask a model" in capsys.readouterr().err
    assert run(paper, "--model", "vllm:m", "--reviewer", "checks") == 2
    assert "--model is for reviewers that ask a model" in capsys.readouterr().err
    assert not list(tmp_path.glob("*-review"))


def test_an_answer_that_nobody_can_read_is_not_asked_for_again(paper, capsys):
    """The same command would find it in the ledger, so another way is named."""
    with serve(Ok("A fine paper.")) as server:
        assert asked(paper, server, "--rounds", 1) == 4
        assert asked(paper, server, "--rounds", 1) == 4
        assert len(server.requests) == 3
    shown = capsys.readouterr().err
    assert "to ask anew, name another --out" in shown
    assert "go on with" not in shown


def test_a_name_that_is_no_text_is_refused(paper, tmp_path, capsys):
    """A file name of other bytes than UTF-8 is told, and leaves nothing behind."""
    name = os.fsencode(tmp_path) + b"/bad\xff.md"
    Path(os.fsdecode(name)).write_text(PAPER)
    assert run(os.fsdecode(name), "--json") == 2
    shown = capsys.readouterr()
    assert "not UTF-8" in json.loads(shown.out)["error"]["what"]
    assert not list(tmp_path.glob("*-review"))


def test_terminated_is_resumable(paper):
    """A polite kill ends like Ctrl-C, also in the background of a script."""
    with serve(Fault("hang")) as server:
        command = [sys.executable, "-m", "rereview", "review", str(paper), "--model", "m"]
        command += ["--base-url", server.base_url]
        deaf = "import signal, os, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
        deaf += f"os.execv(sys.executable, {command})"
        with subprocess.Popen([sys.executable, "-c", deaf], stderr=subprocess.PIPE, text=True) as process:
            while not server.requests:
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "go on with: " in errors
    assert "Traceback" not in errors


LEAKS = """
import socket
from dataclasses import dataclass

from rereview.types.review import Draft


@dataclass(frozen=True)
class Leaks:
    needs_model = False

    async def __call__(self, paper, model):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            for host in ("127.0.0.1", "localhost", "::1", None):
                socket.getaddrinfo(host, 80)
            LEAK
        return Draft(summary="s")
"""


@pytest.mark.parametrize(
    "leak",
    [
        'socket.getaddrinfo("models.invalid", 80)',
        'socket.gethostbyname("models.invalid")',
        'one.connect(("192.0.2.1", 9))',
        'one.sendto(b"x", ("192.0.2.1", 9))',
        'one.sendmsg([b"x"], [], 0, ("192.0.2.1", 9))',
    ],
)
def test_offline_holds_for_a_reviewer_too(paper, tmp_path, leak):
    """Under --offline a reviewer can neither send to another machine nor ask for its name."""
    (tmp_path / "leak.py").write_text(LEAKS.replace("LEAK", leak))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "rereview", "review", "bees.md"),
            "--offline",
            "--reviewer",
            "leak.py:Leaks",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert "--offline, and something connects to" in done.stderr


def png(size, **options):
    out = io.BytesIO()
    Image.new("RGB", size, "navy").save(out, "PNG", **options)
    return out.getvalue()


@pytest.fixture
def illustrated(paper):
    """The paper with a large image whose file says who made it, and a drawing that cannot be sent."""
    said = PngInfo()
    said.add_text("Author", "Ada Beekeeper")
    (paper.parent / "hive.png").write_bytes(png((3000, 1000), pnginfo=said))
    (paper.parent / "comb.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    paper.write_text(PAPER + "\n![A hive.](hive.png)\n\nBees flew.\n\n![A comb.](comb.svg)\n")
    return paper


def test_images_are_really_sent(illustrated):
    """In their places, at most 1568 pixels a side, without the name in the file; the original is kept."""
    with serve(filled()) as server:
        assert asked(illustrated, server, "--rounds", 1) == 0
    (request,) = server.requests
    kinds = [kind for kind, _ in request.parts]
    assert kinds == ["text", "image_url", "text"]
    sent = b64decode(request.parts[1][1].partition(";base64,")[2])
    assert b"Ada" not in sent
    assert Image.open(io.BytesIO(sent)).size == (1568, 523)
    assert request.parts[0][1].endswith("[figure hive.png]")
    assert "Bees flew." in request.parts[2][1]
    assert "[figure comb.svg: image not included]" in request.parts[2][1]
    (kept,) = [path for path in Path("bees-review/papers/bees/figures").iterdir() if path.suffix == ".png"]
    assert kept.read_bytes() == Path("hive.png").read_bytes()
    document = documents(Path("bees-review"))
    assert document.sent_to[0].images == 1
    options = dict(document.versions.options)
    assert options["images"].startswith("1 of 2 in their places; without comb.svg: an image")
    removed = [each for each in document.manuscript.removed if each.kind == "image-metadata"]
    assert [(each.place, each.text) for each in removed] == [("hive.png, text Author", "Ada Beekeeper")]
    assert "Ada Beekeeper" in Path("bees-review/report.html").read_text()


def test_another_image_is_another_call(illustrated):
    """The text is the same; what the ledger holds is of the other image."""
    with serve(filled()) as server:
        for size in ((10, 10), (10, 10), (11, 10)):
            (illustrated.parent / "hive.png").write_bytes(png(size))
            assert asked(illustrated, server, "--rounds", 1) == 0
    assert len(server.requests) == 2


def test_images_can_be_left_out(illustrated):
    """`--no-images` sends text and says so; `--not-anonymous` does not list what images say."""
    with serve(filled()) as server:
        assert asked(illustrated, server, "--rounds", 1, "--no-images", "--not-anonymous") == 0
    assert server.requests[0].parts == []
    document = documents(Path("bees-review"))
    assert dict(document.versions.options)["images"] == "not sent"
    assert document.manuscript.removed == ()


def test_a_paper_over_the_limit_of_images_is_excluded(illustrated, capsys):
    """Nothing is sent; the checks run, and report, Markdown, ledger and exit say why."""
    with serve(filled()) as server:
        assert asked(illustrated, server, "--image-limit", 0) == 2
    assert server.requests == []
    name = "openai:m"
    why = "1 image, over the limit of 0 a call"
    assert f"not sent to {name}: {why}; a model that takes more" in capsys.readouterr().err
    document = documents(Path("bees-review"))
    assert [(each.paper, each.model, each.why) for each in document.excluded] == [("bees", name, why)]
    assert [review.reviewer for review in document.reviews] == ["checks"]
    for file in ("report.html", "review.md"):
        assert f"{name} was not given the paper: {why}" in Path("bees-review", file).read_text()


def test_a_model_that_sees_no_images_is_said(illustrated, capsys):
    """And what to do; the text alone is then answered."""
    with serve(Fault("no-images", text=json.dumps(FILLED))) as server:
        assert asked(illustrated, server, "--rounds", 1) == 4
        assert (
            "only supported by certain models; leave the images out with --no-images"
            in capsys.readouterr().err
        )
        assert asked(illustrated, server, "--rounds", 1, "--no-images") == 0


def test_a_paper_that_one_model_was_not_given_is_lost_to_comparisons_with_it(illustrated, capsys):
    """Of the study of both; tables say what each was given, what calls took, and who was lost and why."""
    usage = {"prompt_tokens": 900, "completion_tokens": 20}
    with serve([Ok(json.dumps(FILLED | {"score": score}), usage=usage) for score in (5, 6, 6)]) as server:
        base = ("--base-url", server.base_url, "--rounds", 3, "--out", "study")
        assert run(illustrated, "--model", "one", *base) == 0
        assert run(illustrated, "--model", "two", *base, "--image-limit", 0) == 2
        illustrated.rename("wasps.md")
        Path("wasps.md").write_text(PAPER.replace("bees", "wasps"))
        for model in ("one", "two"):
            assert run("wasps.md", "--model", model, *base) == 0
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        main(["measure", "study", "--table", "samples", "--table", "cost", "--json"])
    assert not stop.value.code
    shown = json.loads(capsys.readouterr().out)
    notes = shown["tables"]["samples"]["notes"]
    why = "excluded for openai:two: 1 image, over the limit of 0 a call"
    assert f"openai:one ~ openai:two: 1 lost, bees: {why}" in notes
    assert any("text and images against text, by scorecard, openai:one" in note for note in notes)
    cells = shown["tables"]["samples"]["cells"]
    papers = {cell["row"]: cell["value"] for cell in cells if cell["column"] == "papers"}
    assert papers["openai:one: 2 scored rounds"] == 2
    assert papers["openai:one ~ openai:two"] == 1
    one = shown["configurations"]["openai:one"]["tables"]["cost"]["cells"]
    assert [c["value"] for c in one if (c["row"], c["column"]) == ("all", "input")] == [6 * 900]


def test_another_name_of_the_paper_asks_nothing_anew(paper):
    """A paper is called after its file; what it says is what was paid for."""
    with serve(filled()) as server:
        assert asked(paper, server, "--out", "out") == 0
        heard = len(server.requests)
        paper.rename("wasps.md")
        assert asked("wasps.md", server, "--out", "out") == 0
    assert len(server.requests) == heard
    assert documents(Path("out")).manuscript.paper_id == "wasps"
