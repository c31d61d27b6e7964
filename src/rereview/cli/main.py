"""The entry point: finds the command, and turns an error into one line and an exit code."""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from rereview import __version__
from rereview.errors import RereviewError

COMMANDS = {
    "review": ("rereview.cli.review", "Review a paper and write a report."),
    "import": ("rereview.cli.imports", "Put reviews that exist already into a study."),
    "study": ("rereview.cli.study", "Begin a study of many papers."),
    "perturb": ("rereview.cli.perturb", "Write errors for the papers of a study, check and inject them."),
    "run": ("rereview.cli.run", "Review the papers of a study, and judge the comments."),
    "audit": ("rereview.cli.audit", "Look at a sample of the injected errors of a study."),
    "report": ("rereview.cli.report", "The tables of a study of injected errors."),
    "measure": ("rereview.cli.measure", "Measure how far scores can be trusted."),
    "budget": ("rereview.cli.budget", "How many reviews a paper needs."),
    "reviewers": ("rereview.cli.reviewers", "List reviewers, or install one that is a package of others."),
    "ingest": ("rereview.cli.ingest", "Turn a paper into a manuscript package, or count a folder of papers."),
    "screen": ("rereview.cli.screen", "List hidden text, notices and names in papers, without a model."),
    "models": ("rereview.cli.models", "Install a model that runs on this machine."),
    "verify": ("rereview.cli.verify", "Check a manuscript package or a study."),
}
"""Module and short help of each command: the help of all is shown without importing one."""
SHOWING = {"-h", "--help", "--version"}
"""Options that print and do nothing else."""
INTERRUPTED = 130
UNEXPECTED = 1


class Commands(click.Group):
    """Imports a command when it is asked for, so that `--help` stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  the interface of click
        """Names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        attribute = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command = getattr(import_module(COMMANDS[cmd_name][0]), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{cmd_name} is no command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, shown) for name, (_, shown) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="rereview")
def cli() -> None:
    """Review a manuscript with AI again and again, and review the reviewer."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command.

    Exit codes: 0 ok, 2 usage, 3 consent, 4 provider or budget, 5 storage, 130 interrupted.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    as_json, debug = "--json" in given, "--debug" in given
    command = shlex.join([_program(), *given])
    _prepare(as_json=as_json)
    try:
        # Click ends with 1 where nobody reads its help.
        with _held() if not given or SHOWING & set(given) else nullcontext():
            cli.main(given or ["--help"], prog_name="rereview", standalone_mode=False, obj=command)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:  # a group of commands that was named alone
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.UsageError as error:
        called = error.ctx.command_path if error.ctx else "rereview"
        failure = RereviewError(
            error.format_message().rstrip("."),
            where=called.removeprefix("rereview").strip(),
            expected=f"see {called} --help",
        )
        _fail(failure, code="usage-error", as_json=as_json, debug=debug)
    except (KeyboardInterrupt, click.Abort):
        again = RereviewError("interrupted", expected="the same command goes on from here", resume=command)
        _fail(again, code="interrupted", exit_code=INTERRUPTED, as_json=as_json, debug=debug)
    except RereviewError as error:
        _fail(error, code=error.code, exit_code=error.exit_code, as_json=as_json, debug=debug)
    except Exception as error:  # noqa: BLE001  the last line of defence: one line, no trace
        kind = type(error).__name__
        defect = RereviewError(
            f"a defect of rereview: {kind}: {error}", expected="run it again with --debug and report it"
        )
        _fail(defect, code="defect", exit_code=UNEXPECTED, as_json=as_json, debug=debug)
    sys.exit(0)


def _fail(error: RereviewError, *, code: str, as_json: bool, debug: bool, exit_code: int = 2) -> NoReturn:
    if debug:
        traceback.print_exc()
    if as_json:
        envelope = {
            "code": code,
            "what": error.what,
            "where": error.where or None,
            "expected": error.expected or None,
            "resume": error.resume,
        }
        with unbroken():
            print(json.dumps({"error": envelope}, ensure_ascii=False), flush=True)
    print(printable(f"rereview: {error}"), file=sys.stderr)
    if error.resume:
        print(printable(f"rereview: go on with: {error.resume}"), file=sys.stderr)
    sys.exit(exit_code)


def end_short(error: RereviewError) -> NoReturn:
    """End with one line and the code of an error, where all that there is has been printed already."""
    click.echo(printable(f"rereview: {error}"), err=True)
    sys.exit(error.exit_code)


def _program() -> str:
    """The command as a person can type it again, also where it is not on the search path."""
    called = sys.argv[0]
    if Path(called).name != "rereview" or shutil.which("rereview") == called:
        return "rereview"
    return called


def _prepare(*, as_json: bool) -> None:
    """Make what comes from outside harmless: closed streams, narrow encodings, a polite kill."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller, as with `>&-`
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115  open until the end
        elif isinstance(stream, io.TextIOWrapper):  # a character that has no place there is spelt out
            encoding = "utf-8" if as_json and name == "stdout" else None
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
    signal.signal(signal.SIGTERM, _terminated)


def _terminated(number: int, frame: FrameType | None) -> None:
    """End as Ctrl-C does, also where a shell has made the process deaf to Ctrl-C."""
    interrupt = signal.getsignal(signal.SIGINT)
    if not callable(interrupt):
        raise KeyboardInterrupt
    interrupt(number, frame)


@contextmanager
def unbroken() -> Iterator[None]:
    """A reader that goes away (`| head -1`) ends the printing, not the command."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _held() -> Iterator[None]:
    """Print all at the end."""
    held = io.StringIO()
    try:
        with redirect_stdout(held):
            yield
    finally:
        with unbroken():
            print(held.getvalue(), end="")


def printable(text: str) -> str:
    """One line without control characters: what a paper or a server says must not move the cursor."""
    return "".join(c if c.isprintable() else " " for c in text)
