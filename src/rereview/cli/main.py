"""The entry point: finds the command, and turns an error into one line and an exit code."""

from __future__ import annotations

import json
import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from rereview import __version__
from rereview.errors import RereviewError

COMMANDS = {
    "review": ("rereview.cli.review", "Review a paper and write a report."),
    "ingest": ("rereview.cli.ingest", "Turn a paper into a manuscript package, or count a folder of papers."),
    "screen": ("rereview.cli.screen", "List hidden text, notices and names in papers, without a model."),
    "verify": ("rereview.cli.verify", "Check a manuscript package or a study."),
}
"""Module and short help of each command: the help of all is shown without importing one."""
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
        command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name)
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
    command = shlex.join(["rereview", *given])
    try:
        cli.main(given, prog_name="rereview", standalone_mode=False, obj=command)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "rereview"
        failure = RereviewError(
            error.format_message().rstrip("."), where=where, expected=f"see {where} --help"
        )
        _fail(failure, code="usage-error", as_json=as_json, debug=debug)
    except (KeyboardInterrupt, click.Abort):
        again = RereviewError("interrupted", expected="the same command goes on from here", resume=command)
        _fail(again, code="interrupted", exit_code=INTERRUPTED, as_json=as_json, debug=debug)
    except RereviewError as error:
        _fail(error, code=error.code, exit_code=error.exit_code, as_json=as_json, debug=debug)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
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
        print(json.dumps({"error": envelope}, ensure_ascii=False))
    print(printable(f"rereview: {error}"), file=sys.stderr)
    if error.resume:
        print(printable(f"rereview: go on with: {error.resume}"), file=sys.stderr)
    sys.exit(exit_code)


def printable(text: str) -> str:
    """One line without control characters: what a paper or a server says must not move the cursor."""
    return "".join(c if c.isprintable() else " " for c in text)
