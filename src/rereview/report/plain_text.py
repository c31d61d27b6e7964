"""Running text that is not LaTeX, as pieces: Markdown, and the plain text of a PDF."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from rereview.report.pieces import Break, Close, Formula, Open, Piece, Reading, Run

TOKEN = re.compile(
    r"(?P<code>(?P<fence>`+)(?!`)(?P<inner>.+?)(?<!`)(?P=fence)(?!`))"
    r"|(?P<display>\$\$(?P<display_tex>.+?)\$\$)"
    r"|(?P<inline>\$(?P<inline_tex>[^\s$](?:[^$]*?[^\s$\\])?)\$(?!\d))"
    r"|(?P<image>!\[(?P<alt>[^\]]*)\]\([^)]*\))"
    r"|(?P<link>\[(?P<words>[^\[\]]+)\]\((?P<address>[^()\s]+)(?:\s+\"[^\"]*\")?\))"
    r"|(?P<auto><(?P<bare>https?://[^\s<>]+)>)"
    r"|(?P<escape>\\(?P<escaped>[!-/:-@\[-`{-~]))"
    r"|(?P<newline>(?: {2,}|\\)\n)"
    r"|(?P<strong>\*\*|__)|(?P<em>\*|(?<!\w)_|_(?!\w))",
    re.DOTALL,
)
PREFIX = re.compile(r"\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|\d{1,9}[.)]\s+)")
EMPHASIS = {"**": "b", "__": "b", "*": "em", "_": "em"}


def read_plain(text: str, *, at: int = 0) -> Reading:
    """The text as it is."""
    return Reading((Run(at, at + len(text), text, exact=True),) if text else ())


def read_markdown(text: str, *, at: int = 0, heading: bool = False) -> Reading:
    """Emphasis, code, links and formulas of Markdown; all else as it is. Raw HTML is text.

    What begins a block ("- ", "2. ") is left out; of a `heading`, whose number it is, it stays.
    """
    prefix = None if heading else PREFIX.match(text)
    start = prefix.end() if prefix else 0
    return Reading(tuple(_inline(text[start:], at + start)))


def host_of(address: str) -> str | None:
    """The host of an http(s) address; None for every other kind."""
    if not re.match(r"https?://[^\s]+\Z", address, re.IGNORECASE):
        return None
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _inline(text: str, base: int) -> list[Piece]:
    pieces: list[Piece] = []
    open_marks: list[str] = []
    at = 0
    for match in TOKEN.finditer(text):
        if match.start() > at:
            pieces.append(Run(base + at, base + match.start(), text[at : match.start()], exact=True))
        mark = match["strong"] or match["em"]
        if mark:
            pieces.append(_emphasis(mark, open_marks, text, match, base))
        else:
            pieces.extend(_token(match, base))
        at = match.end()
    if at < len(text):
        pieces.append(Run(base + at, base + len(text), text[at:], exact=True))
    return pieces


def _emphasis(mark: str, open_marks: list[str], text: str, match: re.Match[str], base: int) -> Piece:
    """The start or end of emphasis; a mark without its fellow is text."""
    if open_marks and open_marks[-1] == mark:
        open_marks.pop()
        return Close(EMPHASIS[mark])
    end = _fellow(text, match, "" if not open_marks else open_marks[-1])
    if mark not in open_marks and end:
        open_marks.append(mark)
        return Open(EMPHASIS[mark])
    return Run(base + match.start(), base + match.end(), mark, exact=True)


def _fellow(text: str, match: re.Match[str], outer: str) -> bool:
    """True if the same mark comes again before the outer emphasis ends."""
    if text[match.end() : match.end() + 1].isspace():
        return False
    for later in TOKEN.finditer(text, match.end()):
        mark = later["strong"] or later["em"]
        if mark == match.group():
            return not text[later.start() - 1].isspace()
        if mark and mark == outer:
            return False
    return False


def _token(match: re.Match[str], base: int) -> list[Piece]:
    """Everything but emphasis."""
    start, end = base + match.start(), base + match.end()

    def run(group: str) -> Run:
        return Run(base + match.start(group), base + match.end(group), match[group], exact=True)

    if match["code"]:
        return [Open("code"), run("inner"), Close("code")]
    if match["display"] or match["inline"]:
        tex = match["display_tex"] or match["inline_tex"]
        return [Formula(start, end, tex, display=bool(match["display"]))]
    if match["link"] or match["auto"]:
        return _link(match["address"] or match["bare"], run("words" if match["link"] else "bare"))
    if match["image"]:
        return [Run(start, end, match["alt"], exact=False)] if match["alt"] else []
    if match["newline"]:
        return [Break()]
    return [Run(start, end, match["escaped"], exact=False)]


def _link(address: str, inner: Run) -> list[Piece]:
    host = host_of(address)
    if host is None:
        return [inner]
    return [Open("a", (("href", address), ("rel", "noreferrer"), ("title", host))), inner, Close("a")]
