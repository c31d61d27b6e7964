"""Keys and addresses come from the environment, or from `.env` in the current folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def settings(folder: Path | None = None, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment over the lines of `.env` in `folder` (default: the current folder).

    A line is `KEY=VALUE`, `export KEY=VALUE` or a comment; quotes around a value are taken off
    and nothing is expanded. Other lines are passed over. Folders above are not looked at.
    """
    path = (folder or Path.cwd()) / ".env"
    lines = path.read_text("utf-8-sig", errors="replace").splitlines() if path.is_file() else []
    kept = dict(pair for line in lines if (pair := _pair(line)))
    return kept | dict(os.environ if environ is None else environ)


def _pair(line: str) -> tuple[str, str] | None:
    name, equals, value = line.strip().removeprefix("export ").partition("=")
    name, value = name.strip(), value.strip()
    if not equals or not name.isidentifier():
        return None
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return name, value
