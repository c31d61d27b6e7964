"""Asking before a paper leaves this machine."""

import asyncio
import os
import subprocess
import sys

import pytest

from rereview.cli.consent import Consent
from rereview.errors import ConsentError
from rereview.models.openai import OpenAIEndpoint
from rereview.types.call import Request
from terminal import INTERRUPT, Terminal

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


async def test_a_statement_that_is_a_sentence_goes_on_with_one_mark():
    """Its full stop is left out before what would be right; standing alone it keeps it."""
    gate = Consent(
        lambda _, __: "p goes away. The price is $4.",
        command="rereview review p.tex",
        yes=False,
        offline=False,
        terminal=lambda: False,
    )
    with pytest.raises(ConsentError, match=r"The price is \$4; to agree: rereview review p\.tex --yes"):
        await gate(AWAY, REQUEST)


@pytest.mark.parametrize("answer", ["n\n", "\n", "\x04", INTERRUPT], ids=["no", "enter", "Ctrl-D", "Ctrl-C"])
def test_whatever_is_no_yes_sends_nothing(tmp_path, answer):
    """At a terminal No, Enter, Ctrl-D and Ctrl-C each end with 3, asked once, and with the report."""
    (tmp_path / "p.md").write_text("# Bees\n\nWe counted 120 bees.\n")
    terminal = Terminal(
        *("review", "p.md", "--model", "m", "--price", "1,2", "--base-url", "https://models.invalid/v1"),
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "OPENAI_API_KEY": "k"},
    )
    terminal.until("Send it?")
    terminal.press(answer)
    assert terminal.ended() == 3
    assert "nothing was sent" in terminal.shown
    assert terminal.shown.count("Send it?") == 1
    assert "\x1b[Kp (about" in terminal.shown
    assert "Traceback" not in terminal.shown
    assert (tmp_path / "p-review" / "report.html").exists()


def test_asking_leaves_ctrl_c_as_it_was():
    """What took it before takes it again."""
    program = """
import signal
from rereview.cli.consent import confirmed
signal.signal(signal.SIGINT, signal.SIG_IGN)
assert not confirmed("Send it?")
assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
"""
    subprocess.run([sys.executable, "-c", program], stdin=subprocess.DEVNULL, check=True)
