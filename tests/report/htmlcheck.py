"""Reads a report as a strict reader of HTML would: nesting, ids, links and the words outside code."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(("meta", "link", "img", "br", "wbr", "hr", "mspace"))
NEVER_SHOWN = frozenset(("style", "script", "title", "math"))
PHRASING = frozenset(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "span", "mark", "a", "b", "em", "i", "sup", "small")
)
FLOW = frozenset(
    ("div", "p", "ul", "ol", "table", "pre", "figure", "blockquote", "section", "aside", "details")
)


@dataclass
class Page(HTMLParser):
    """What was read. `wrong` says in words what is not well formed."""

    wrong: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    words: list[str] = field(default_factory=list)
    """Text that is shown, outside code and formulas."""
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    runs: list[tuple[str, int, str]] = field(default_factory=list)
    """Block, offset and text of each run of text; formulas as empty text."""
    marked: dict[str, list[str]] = field(default_factory=dict)
    """Per comment number the text of its marks."""
    stack: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        if len(given) != len(attrs):
            self.wrong.append(f"an attribute twice in <{tag}>")
        self.tags.add(tag)
        self.attributes += [(tag, name, value) for name, value in given.items()]
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        self.nesting(tag, [name for name, _ in self.stack])
        if "data-o" in given:
            block = next((a["data-b"] for _, a in reversed(self.stack) if "data-b" in a), None)
            if block is not None:
                self.runs.append((block, int(given["data-o"]), ""))
        if tag not in VOID:
            self.stack.append((tag, given))

    def nesting(self, tag, names):
        """Note what may not stand in what."""
        if tag in FLOW and PHRASING & set(names[names.index("main") :] if "main" in names else names):
            inside = next(name for name in names if name in PHRASING)
            self.wrong.append(f"<{tag}> inside <{inside}>")
        if tag == "a" and "a" in names:
            self.wrong.append("<a> inside <a>")
        if tag == "li" and names[-1] not in {"ul", "ol"}:
            self.wrong.append(f"<li> inside <{names[-1]}>")
        if names and names[-1] in {"ul", "ol"} and tag != "li":
            self.wrong.append(f"<{tag}> directly inside a list")

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.stack or self.stack[-1][0] != tag:
            self.wrong.append(f"</{tag}> where {self.stack[-1:]} is open, line {self.getpos()}")
        else:
            self.stack.pop()

    def handle_data(self, data):
        names = {name for name, _ in self.stack}
        if names & NEVER_SHOWN:
            return
        if "code" not in names:
            self.words.append(data)
        if self.stack and "data-o" in self.stack[-1][1] and self.runs:
            block, offset, text = self.runs[-1]
            self.runs[-1] = (block, offset, text + data)
        for number in {a["data-c"] for name, a in self.stack if name == "mark"}:
            self.marked.setdefault(number, []).append(data)


def read(text: str) -> Page:
    """A page that has been read to its end."""
    page = Page()
    page.feed(text)
    page.close()
    if page.stack:
        page.wrong.append(f"never closed: {page.stack}")
    return page
