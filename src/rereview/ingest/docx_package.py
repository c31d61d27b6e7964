"""The parts of a DOCX: trees that are read without entities, and links that stay inside."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from rereview.errors import UnusableInput
from rereview.ingest.docx_look import Element
from rereview.ingest.sources import Members

EXPECTED = "expected a paper in DOCX"
_DOCTYPES = tuple("<!DOCTYPE".encode(encoding) for encoding in ("ascii", "utf-16-le", "utf-16-be"))
_TOO_MUCH = "a run of text of more than 10 MB, or more than 256 elements in each other"
"""What libxml2 refuses unless it is told to read anything."""


@dataclass(frozen=True)
class Package:
    """The parts of a file, as trees."""

    path: Path
    files: Members

    def tree(self, name: str) -> Element | None:
        """A part, or None where there is none. Raises UnusableInput for XML that declares a type."""
        if self.files.real(name) is None:
            return None
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
        content = self.files.read(name)
        if any(mark in content for mark in _DOCTYPES):
            raise self._unusable(f"{name} declares a document type, which no DOCX needs")
        try:
            root = etree.fromstring(content, parser)
        except etree.XMLSyntaxError as error:
            if error.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
                raise self._unusable(f"{name} holds {_TOO_MUCH}") from None
            raise self._unusable(f"{name} is damaged ({' '.join(str(error).split())})") from error
        if root.getroottree().docinfo.internalDTD is not None:
            raise self._unusable(f"{name} declares a document type, which no DOCX needs")
        return root

    def main(self) -> str:
        """The name of the part with the text."""
        for kind, target, outside in self._links(""):
            if kind == "officeDocument" and not outside:
                return target
        raise self._unusable("a ZIP archive and no DOCX")

    def named(self, kind: str) -> Element | None:
        """The part of a kind ("styles", "footnotes", ...) that belongs to the text."""
        found = (target for name, target, outside in self._links(self.main()) if name == kind and not outside)
        target = next(found, None)
        return None if target is None else self.tree(target)

    def parts(self, kinds: set[str]) -> Iterator[tuple[str, Element]]:
        """The parts of these kinds that belong to the text, each with its kind."""
        for kind, target, outside in self._links(self.main()):
            tree = None if outside or kind not in kinds else self.tree(target)
            if tree is not None:
                yield kind, tree

    def targets(self) -> Mapping[str, tuple[str, bool]]:
        """Of each relationship of the text its target, and whether it lies outside of the file."""
        tree = self.tree(_links_of(self.main()))
        return {} if tree is None else {each.get("Id", ""): _target(each, self.main()) for each in tree}

    def _links(self, part: str) -> Iterator[tuple[str, str, bool]]:
        tree = self.tree(_links_of(part))
        for each in () if tree is None else tree:
            yield (each.get("Type", "").rsplit("/", 1)[-1], *_target(each, part))

    def _unusable(self, what: str) -> UnusableInput:
        return UnusableInput(what, where=str(self.path), expected=EXPECTED)


def _links_of(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _target(link: Element, part: str) -> tuple[str, bool]:
    target = link.get("Target", "")
    if link.get("TargetMode") == "External":
        return target, True
    whole = posixpath.normpath(posixpath.join("/", posixpath.dirname(part), unquote(target)))
    return whole.lstrip("/"), False
