"""Words of a reviewer as HTML. All is escaped; formulas are set, and what is TeX is shown as code."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from rereview.report.marks import VOID
from rereview.report.mathematics import Mathematics

FORMULA = re.compile(
    r"\$\$(.+?)\$\$|\$([^\s$](?:[^$\n]*?[^\s$\\])?)\$(?!\d)|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL
)
TEX = re.compile(r"\\(?:[A-Za-z]+\*?(?:\[[^\[\]]*\]|\{[^{}]*\})*|.|$)", re.DOTALL)


def prose(text: str, mathematics: Mathematics) -> Markup:
    """One text. No Markdown and no HTML of it comes to life; there is no backslash outside `<code>`."""
    parts: list[Markup] = []
    at = 0
    for match in FORMULA.finditer(text):
        parts.append(_words(text[at : match.start()]))
        tex = next(group for group in match.groups() if group is not None)
        parts.append(mathematics.html(tex, display=False))
        at = match.end()
    return VOID.join((*parts, _words(text[at:])))


def paragraphs(text: str, mathematics: Mathematics) -> Markup:
    """The same with one `<p>` a paragraph and line breaks kept."""
    found = [part for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    return VOID.join(Markup("<p>{}</p>").format(prose(part.strip(), mathematics)) for part in found)


def _words(text: str) -> Markup:
    parts: list[Markup] = []
    at = 0
    for match in TEX.finditer(text):
        parts += (escape(text[at : match.start()]), Markup("<code>{}</code>").format(match.group()))
        at = match.end()
    return VOID.join((*parts, escape(text[at:])))
