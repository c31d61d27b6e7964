"""Where in a text JSON stands, and which of it a model only thought."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rereview.text.lenient import GAP, Found, Reader

_BEGINS = re.compile(
    r"\{" + GAP + r"(?:[\"'“”‘’}]|[A-Za-z_]\w*\s*:)" + r"|\[" + GAP + r"[{\[\"'“‘\]]", re.DOTALL
)
_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_MARK = re.compile(r"<(/?)think(?:ing)?>|[{\[]", re.IGNORECASE)


@dataclass(frozen=True)
class Scan:
    """The containers of a text outside its reasoning. `reasoning`: it ends within <think>."""

    found: tuple[Found, ...]
    reasoning: bool


def scan(text: str, start: int = 0) -> Scan:
    """Everything in a text that looks like JSON, in order; a closing </think> voids what was before."""
    found: list[Found] = []
    at = start
    while mark := _MARK.search(text, at):
        at = mark.end()
        if mark.group() in "{[":
            if _BEGINS.match(text, mark.start()):
                found.append(Reader(text, mark.start()).read())
                at = max(found[-1].end, at)
        elif mark.group(1):
            found.clear()
        else:
            closing = _THOUGHT.search(text, at)
            if closing is None:
                return Scan(tuple(found), reasoning=True)
            at = closing.end()
    return Scan(tuple(found), reasoning=False)
