"""Programs that print a Draft: what they are given, how they fail, and that no key reaches them."""

import asyncio
import json
import os
import sys
import time

import pytest

from rereview.errors import BudgetError, ProviderError, TimedOut, Unreadable, UsageError
from rereview.plugins import load
from rereview.reviewers.base import NoModel, as_text
from rereview.reviewers.command import Command
from reviewers.recorded import Recorded, paper, user

PAPER = paper("We counted 120 bees.", "There were 130 bees.")
ASKING = """
import json, os, sys, urllib.request
body = {"messages": [{"role": "user", "content": sys.stdin.read()}]}
address = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
request = urllib.request.Request(address, json.dumps(body).encode(),
    {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"})
said = json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]
print(json.dumps({"summary": said, "remarks": [{"title": "t", "body": "b", "quote": "130 bees"}]}))
print("asked", os.environ["REREVIEW_MODEL"], os.environ["OPENAI_API_KEY"], file=sys.stderr)
"""


def program(folder, body, *arguments, **options):
    path = folder / "their program.py"
    path.write_text(body)
    return Command(f"{sys.executable} '{path}' {' '.join(arguments)}", **options)


async def run(reviewer, answer="fine", model=None):
    recorded = Recorded(lambda request: answer)
    return await reviewer(PAPER, model or recorded.model), recorded


async def test_what_a_program_prints_is_the_draft(tmp_path):
    """It asks the model through this machine; its call is in the journal, its key in nothing."""
    draft, recorded = await run(program(tmp_path, ASKING))
    assert (draft.summary, draft.remarks[0].quote) == ("fine", "130 bees")
    assert user(recorded.requests[0]) == as_text(PAPER)
    assert len(recorded.model.call_ids) == 1
    assert draft.fields["standard error"] == "asked scripted:function …"
    assert "sk-" not in draft.to_json()


async def test_the_paper_is_given_as_text_and_as_a_record(tmp_path):
    """As files that the arguments name, and as variables."""
    body = """
import json, os, sys
text, record = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
assert sys.argv[1] == os.environ["REREVIEW_PAPER"] and sys.argv[2] == os.environ["REREVIEW_MANUSCRIPT"]
print(json.dumps({"summary": text, "rationale": record["blocks"][1]["text"]}))
"""
    draft, _ = await run(program(tmp_path, body, "{paper}", "{manuscript}"))
    assert (draft.summary, draft.rationale) == (as_text(PAPER), "There were 130 bees.")


async def test_no_key_of_ours_reaches_a_program(tmp_path, monkeypatch):
    """Nor anything else of the environment but what every program needs."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-77")
    monkeypatch.setenv("SECRET_TOKEN", "canary-78")
    draft, _ = await run(
        program(tmp_path, 'import os, json\nprint(json.dumps({"summary": str(dict(os.environ))}))')
    )
    assert "canary" not in draft.summary
    assert "REREVIEW_MODEL" in draft.summary


async def test_without_a_model_there_is_no_endpoint(tmp_path):
    """`asks=False` needs none."""
    reviewer = program(
        tmp_path,
        'import os\nprint("{\\"summary\\": \\"%s\\"}" % ("OPENAI_API_KEY" in os.environ))',
        asks=False,
    )
    assert not reviewer.needs_model
    draft, _ = await run(reviewer, model=NoModel("command"))
    assert draft.summary == "False"


@pytest.mark.parametrize(
    ("body", "error", "said"),
    [
        ("import sys\nsys.exit('disk is full')", ProviderError, "ended with exit code 1: disk is full"),
        ("import sys\nsys.exit(7)", ProviderError, "ended with exit code 7 and said nothing"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", ProviderError, "was ended by SIGKILL"),
        ("print('Here is my review: it is good.')", Unreadable, "it printed no Draft"),
        ('print(\'{"remarks": [{"title": 7}]}\')', Unreadable, "it printed no Draft"),
        ("", Unreadable, "it printed no Draft: the answer is empty"),
    ],
)
async def test_a_program_that_fails_says_so_in_one_line(tmp_path, body, error, said):
    """Its exit code, and its last words."""
    with pytest.raises(error, match=said):
        await run(program(tmp_path, body))


async def test_a_program_without_an_end_is_ended(tmp_path):
    """With what it has started, soon after its time."""
    body = "import subprocess, sys, time\nsubprocess.Popen(['sleep', '61.7'])\ntime.sleep(60)"
    begin = time.monotonic()
    with pytest.raises(TimedOut, match=r"no end within 0\.3 s; a longer time-out"):
        await run(program(tmp_path, body, timeout=0.3))
    assert time.monotonic() - begin < 50


async def test_why_a_call_was_refused_is_why_the_program_failed(tmp_path):
    """Not the traceback that the program made of it."""

    def fail(request):
        raise BudgetError("at most $1 more would pass the cap")

    with pytest.raises(BudgetError, match="would pass the cap"):
        await program(tmp_path, ASKING)(PAPER, Recorded(fail).model)


@pytest.mark.parametrize(
    ("spec", "said"),
    [("command:", "no program"), ("command:x 'y", "No closing quotation; words as in a shell")],
)
def test_a_command_that_is_none_is_one_line(spec, said):
    """Before anything runs."""
    with pytest.raises(UsageError, match=said):
        load("reviewers", spec)


async def test_a_program_that_is_not_there_is_said():
    """With its name."""
    with pytest.raises(UsageError, match="no-such-program: cannot be started: No such file"):
        await run(Command("no-such-program"))


async def test_log_lines_around_the_draft_do_no_harm(tmp_path):
    """The last object that is a Draft is it."""
    body = 'print("loading ...")\nprint(\'{"summary": "s"}\')\nprint("done")'
    draft, _ = await run(program(tmp_path, body))
    assert json.loads(draft.to_json())["summary"] == "s"


async def test_a_run_that_is_stopped_ends_the_program(tmp_path):
    """With what it has started: nothing of it goes on."""
    body = f"""
import os, time
open({str(tmp_path / "pid")!r}, "w").write(str(os.getpid()))
time.sleep(60)
"""
    task = asyncio.create_task(run(program(tmp_path, body)))
    for _ in range(1_000):
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
            break
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


async def test_a_program_that_prints_without_end_is_ended(tmp_path):
    """Before it fills the memory; one that reads nothing of its input is no failure."""
    with pytest.raises(ProviderError, match="it printed more than"):
        await run(program(tmp_path, "while True:\n    print('x' * 1_000_000)"))
    long = paper("word " * 200_000)
    draft = await program(tmp_path, 'print(\'{"summary": "s"}\')', asks=False)(long, NoModel("command"))
    assert draft.summary == "s"


async def test_what_a_program_leaves_behind_is_ended_too(tmp_path):
    """It ends by itself, and a child that it started goes on: that is ended with it."""
    line = tmp_path / "line"
    os.mkfifo(line)
    body = f"""
import os, subprocess, sys
line = os.open({str(line)!r}, os.O_WRONLY)
quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], pass_fds=[line], **quiet)
sys.exit(3)
"""
    end = os.open(line, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(ProviderError, match="exit code 3"):
            await run(program(tmp_path, body))
        for _ in range(600):
            try:
                assert os.read(end, 1) == b""
                break
            except BlockingIOError:  # the child holds the other end
                await asyncio.sleep(0.1)
        else:
            pytest.fail("the child is alive")
    finally:
        os.close(end)
