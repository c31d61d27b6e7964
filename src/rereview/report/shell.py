"""What all pages share: templates, and the sealing of a page that needs no other file."""

from __future__ import annotations

import base64
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined

from rereview.report.export import over, toys_said, unseen_said
from rereview.types.manuscript import Box


def template(name: str) -> str:
    """The text of a file of the folder `templates`."""
    return files("rereview.report").joinpath("templates", name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Templates that escape everything and refuse a name that they do not know."""
    made = Environment(
        loader=FunctionLoader(template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["over"] = over
    made.filters["toys_said"] = toys_said
    made.filters["unseen_said"] = unseen_said
    made.filters["placed"] = placed
    made.filters["thousands"] = lambda value: "not known" if value is None else f"{value:,}"
    made.filters["dollars"] = lambda value: "not known" if value is None else f"{value:.4f}"
    return made


def sealed(text: str, style: str, script: str = "") -> str:
    """The page with style and script put in, and the policy that allows these and nothing else."""
    scripts = f"script-src '{_hash(script)}'; " if script else ""
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; {scripts}"
        "base-uri 'none'; form-action 'none'"
    )
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return (
        text.replace("<!-- policy -->", head, 1)
        .replace("<!-- style -->", f"<style>{style}</style>", 1)
        .replace("<!-- script -->", f"<script>{script}</script>" if script else "", 1)
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(sha256(text.encode()).digest()).decode("ascii")


def placed(box: Box) -> str:
    """Where a box stands, as a person would look for it: its middle in percent of the page."""
    across, down = (round(50 * (box[at] + box[at + 2])) for at in (0, 1))
    outside = " (off the page)" if not (0 <= across <= 100 and 0 <= down <= 100) else ""  # noqa: PLR2004  per cent
    return f"at {across}% from the left and {down}% from the top{outside}"
