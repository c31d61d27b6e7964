"""Asking before a paper leaves this machine."""

import asyncio
import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from rereview.cli.consent import Consent
from rereview.errors import ConsentError
from rereview.models.openai import OpenAIEndpoint
from rereview.types.call import Request

AWAY = OpenAIEndpoint("m", "https://models.invalid/v1")
REQUEST = Request(messages=())


def consent(**options):
    given = {"command": "rereview review p.tex", "yes": False, "offline": False, "terminal": lambda: True}
    return Consent(lambda endpoint, request: "p goes\x1b[31m away", **(given | options))


async def test_a_host_is_asked_about_once():
    """Ten rounds at once ask one question, on a line that has been cleared."""
    events = []
    gate = consent(ask=lambda text: events.append(text) or True, clear=lambda: events.append("clear"))
    await asyncio.gather(*(gate(AWAY, REQUEST) for _ in range(10)))
    assert events == ["clear", "p goes [31m away\nSend it?"]


@pytest.mark.parametrize(
    ("command", "agreeing"),
    [
        ("rereview review p.tex", "rereview review p.tex --yes"),
        ("rereview review -- --p.tex", "rereview review --yes -- --p.tex"),
        ("rereview review 'a b.tex'", "rereview review 'a b.tex' --yes"),
    ],
)
async def test_the_line_that_consents_can_be_pasted(command, agreeing):
    """`--yes` stands where it is an option."""
    with pytest.raises(ConsentError) as raised:
        await consent(command=command, terminal=lambda: False)(AWAY, REQUEST)
    assert raised.value.expected == f"to agree: {agreeing}"


@pytest.mark.parametrize("answer", [b"n\n", b"\n", b"\x04", b"\x03"], ids=["no", "enter", "Ctrl-D", "Ctrl-C"])
def test_whatever_is_no_yes_sends_nothing(tmp_path, answer):
    """At a terminal No, Enter, Ctrl-D and Ctrl-C each end with 3, asked once, and with the report."""
    (tmp_path / "p.md").write_text("# Bees\n\nWe counted 120 bees.\n")
    ours, theirs = pty.openpty()
    command = [
        *(sys.executable, "-m", "rereview", "review", "p.md", "--model", "m", "--price", "1,2"),
        *("--base-url", "https://models.invalid/v1"),
    ]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
        # opening it makes it the terminal that Ctrl-C comes from
        preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),  # noqa: PLW1509 - no threads here
        env={**os.environ, "OPENAI_API_KEY": "k"},
    ) as process:
        shown = b""
        while b"Send it?" not in shown:
            shown += os.read(ours, 1000)
        time.sleep(0.2)
        os.write(ours, answer)
        code = process.wait(timeout=30)
        while b"nothing was sent" not in shown:
            shown += os.read(ours, 1000)
    os.close(theirs)
    os.close(ours)
    assert code == 3
    assert shown.count(b"Send it?") == 1
    assert b"\x1b[Kp (about" in shown
    assert b"Traceback" not in shown
    assert (tmp_path / "p-review" / "report.html").exists()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
