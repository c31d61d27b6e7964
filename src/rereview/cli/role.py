"""Asking who the user is to a paper that carries a notice, before anything is done with it."""

from __future__ import annotations

from typing import Literal

from rereview.errors import ConsentError
from rereview.types.manuscript import Manuscript, Notice

Role = Literal["author", "reviewer", "chair"]
ROLES: tuple[Role, ...] = ("author", "reviewer", "chair")
_SHOWN = 160


def stated(
    paper: Manuscript, role: Role | None, command: str, *, allowed: bool
) -> tuple[tuple[str, str], ...]:
    """What is recorded of the role. Raises ConsentError for a notice without a role and a consent."""
    if paper.notices and not (role and allowed):
        raise ConsentError(_what(paper.notices), where=paper.paper_id, expected=_expected(role, command))
    said = () if role is None else ((("stated role"), role),)
    return (*said, *((("stated policy", "the venue's policy allows this use"),) if allowed else ()))


def _what(notices: tuple[Notice, ...]) -> str:
    first = notices[0]
    where = f" on page {first.page}" if first.page else ""
    words = " ".join(first.text.split())
    words = words if len(words) <= _SHOWN else f"{words[:_SHOWN]} …"
    more = f", and {len(notices) - 1} more" if len(notices) > 1 else ""
    if first.kind == "confidential":
        return f"this copy says{where}: “{words}”{more}"
    return f"hidden text{where} asks for words in a review: “{words}”{more}"


def _expected(role: Role | None, command: str) -> str:
    given = "" if role else " --role author|reviewer|chair"
    return f"if the venue's policy allows this use: {command}{given} --policy-allows"
