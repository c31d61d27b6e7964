r"""Which file `\input` and its kin name, and where it is looked for."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import NamedTuple

from rereview.text.arguments import arguments
from rereview.text.latex import Token, named

INPUTS = named(r"\input \include \subfile \subfileinclude \InputIfFileExists \import \subimport")
_BARE_NAME = re.compile(r"[ \t]*([^\s{}%\\\[\]]+)")


class Inclusion(NamedTuple):
    """`name` as it is written (None: none is), the folder that is given with it, and where it ends."""

    folder: str
    name: str | None
    end: int


def inclusion(source: str, token: Token) -> Inclusion:
    """What a token of `INPUTS` names."""
    count = 2 if token.name in {"\\import", "\\subimport"} else 1
    given = arguments(source, token.end, count)
    groups = [source[slice(*span)].strip().strip('"') for span in given.groups]
    if len(groups) == count and not given.optional:
        end = arguments(source, given.end, 2).end if token.name == "\\InputIfFileExists" else given.end
        return Inclusion(groups[0] if count > 1 else "", groups[-1], end)
    match = _BARE_NAME.match(source, token.end)
    if token.name == "\\input" and match:
        return Inclusion("", match.group(1).strip('"'), match.end())
    return Inclusion("", None, token.end)


def searched(command: str, folder: str, including: str) -> tuple[str, ...]:
    """The folders in which a name is looked for, relative to that of the main file."""
    here = str(PurePosixPath(including).parent)
    if command == "\\subimport":
        return (str(PurePosixPath(here) / folder),)
    if command == "\\import":
        return (folder,)
    return () if folder else ("", here)
