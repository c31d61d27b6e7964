"""Block structure of Markdown: CommonMark with tables, display mathematics and front matter."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from rereview.text.decoding import BYTE_ORDER_MARK

LineRange = tuple[int, int]

_LINE_END = re.compile(r"\r\n?|\n")
_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(?:.*\r?\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_FRONT_TITLE = re.compile(r"^title:[ \t]*(?P<quote>[\"']?)(?P<title>.+?)(?P=quote)[ \t]*\r?$", re.MULTILINE)
_MATH_ENVIRONMENT = re.compile(
    r"\\begin\{((?:equation|align|alignat|gather|multline|eqnarray|displaymath)\*?)\}"
)
_LONGEST_MATH = 300
"""Lines; a `$$` without a partner must not swallow the paper."""


@dataclass(frozen=True)
class Part:
    """A top-level piece of Markdown, from `start` to `end` in the source."""

    type: str
    """Type of its first markdown-it token without `_open`, or `math_block`."""
    start: int
    end: int
    level: int = 0
    images: tuple[str, ...] = ()
    """Destinations of the images in it."""


@dataclass(frozen=True)
class FrontMatter:
    """Where the paper begins behind its front matter, and where in that the title stands."""

    end: int = 0
    title: LineRange | None = None


def front_matter(source: str) -> FrontMatter:
    """Find a YAML header between `---` lines at the start of the source, behind a byte-order mark."""
    begin = int(source.startswith(BYTE_ORDER_MARK))
    header = _FRONT_MATTER.match(source, begin)
    if header is None:
        return FrontMatter(begin)
    title = _FRONT_TITLE.search(source, begin, header.end())
    return FrontMatter(header.end(), title.span("title") if title else None)


def parts(source: str, begin: int = 0) -> list[Part]:
    """Cut the source from `begin` (where a line starts) into top-level pieces, in order."""
    offsets = [begin + found.end() for found in _LINE_END.finditer(source[begin:])]
    lines = [begin, *offsets, len(source)]
    return [
        _part(source, lines, token, tokens)
        for token, tokens in _top(_parser().parse(source[begin:]))
        if token.map
    ]


def _parser() -> MarkdownIt:
    # Link definitions stay text: a footnote or reference of one word looks like one and would be lost.
    parser = MarkdownIt("commonmark").enable("table").disable("reference")
    ends = ["paragraph", "blockquote", "list"]
    parser.block.ruler.before("fence", "math_block", _math_block, {"alt": ends})
    return parser


def _top(tokens: list[Token]) -> list[tuple[Token, list[Token]]]:
    """Pair each top-level token with the tokens inside it."""
    found: list[tuple[Token, list[Token]]] = []
    for token in tokens:
        if token.level == 0 and token.nesting >= 0:
            found.append((token, []))
        elif found:
            found[-1][1].append(token)
    return found


def _part(source: str, lines: list[int], token: Token, inside: list[Token]) -> Part:
    first, last = token.map or (0, 0)
    level = int(token.tag[1]) if token.type == "heading_open" else 0
    images = tuple(
        str(child.attrs.get("src", ""))
        for inner in inside
        for child in inner.children or ()
        if child.type == "image"
    )
    return _cut(source, lines, token.type.removesuffix("_open"), (first, last), level=level, images=images)


def _cut(
    source: str,
    lines: list[int],
    kind: str,
    rows: LineRange,
    *,
    level: int = 0,
    images: tuple[str, ...] = (),
) -> Part:
    start, end = lines[rows[0]], lines[min(rows[1], len(lines) - 1)]
    text = source[start:end]
    end -= len(text) - len(text.rstrip())
    if kind != "code_block":
        start += len(text) - len(text.lstrip())
    return Part(kind, start, max(start, end), level, images)


def _math_block(state: StateBlock, first: int, last: int, silent: bool) -> bool:  # noqa: FBT001  called by markdown-it
    r"""Rule of markdown-it for `$$ ... $$`, `\[ ... \]` and LaTeX environments of mathematics."""
    opened = _opening(_line(state, first))
    if opened is None or state.is_code_block(first):
        return False
    closing, rest = opened
    for line in range(first, min(last, first + _LONGEST_MATH)):
        text = rest if line == first else _line(state, line)
        inside, found, after = text.partition(closing)
        if found:
            if re.search(r"\w{4}", after):
                return False
            if not silent:
                token = state.push("math_block", "math", 0)
                token.map = [first, line + 1]
                state.line = line + 1
            return True
        if line > first and inside.startswith("#"):
            return False
    return False


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _opening(text: str) -> tuple[str, str] | None:
    """Return what closes the mathematics that the line opens, and the rest of the line."""
    if text.startswith("$$"):
        return "$$", text[2:]
    if text.startswith("\\["):
        return "\\]", text[2:]
    environment = _MATH_ENVIRONMENT.match(text)
    if environment is None:
        return None
    return f"\\end{{{environment[1]}}}", text[environment.end() :]
