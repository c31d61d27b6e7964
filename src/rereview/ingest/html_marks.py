"""What a page marks by its elements and classes: where the paper is, numbers, marks of items."""

from __future__ import annotations

import re

from rereview.ingest.html_look import Element
from rereview.ingest.writing import escaped

NUMBERED = re.compile(r"\(?\s*([A-Z]?\d+(?:[.\-]\d+)*[a-z]?)\s*\)?")


def root(tree: Element) -> Element:
    """The paper without what a site puts around it."""
    for path in (".//article[contains(@class,'ltx_document')]", ".//*[contains(@class,'ltx_page_main')]"):
        if found := tree.xpath(path):
            return found[0]
    for name in ("main", "article"):
        found = tree.findall(f".//{name}")
        if len(found) == 1:
            return found[0]
    body = tree.find("body")
    return tree if body is None else body


def tag_of(item: Element) -> str:
    """Take the mark of an item of arXiv out, and give it: "(a)", "1."; "" for a dot."""
    for tag in item.iterchildren("span"):
        if "ltx_tag" in classes(tag) and not (item.text or "").strip():
            text = " ".join("".join(tag.itertext()).split())
            del tag[:]
            tag.text = None
            return escaped(text) if re.search(r"\w", text) else ""
    return ""


def number_of(heading: Element) -> str | None:
    """The number that a heading begins with, where it is marked as one."""
    for tag in heading.iterchildren("span"):
        if classes(tag) & {"ltx_tag", "header-section-number"}:
            found = NUMBERED.fullmatch("".join(tag.itertext()).strip(" .\n"))
            return found[1] if found else None
    return None


def classes(element: Element) -> set[str]:
    """The classes of an element."""
    return set((element.get("class") or "").split())
