"""What a manuscript is called: by its content, and by its file name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from rereview.types.manuscript import Block, Figure, Format, Macro

# A letters-only ending is a file type; ".06026v6" of an arXiv number is not.
_FILE_TYPE = re.compile(r"(?<=[^.])(?:\.(?:tar|tex)\.gz|\.[A-Za-z]{1,8})$", re.IGNORECASE)
_UNSAFE = re.compile(r"[^a-z0-9._-]+")


def manuscript_id(
    format: Format,  # noqa: A002  the field of Manuscript has this name
    blocks: Iterable[Block],
    figures: Iterable[Figure] = (),
    macros: Iterable[Macro] = (),
) -> str:
    """16 hex digits of SHA-256 over what a reader of the paper gets.

    Counts: format, blocks without `source` and `bbox`, figures' ids, places and hashes, macros.
    Does not count: file names, comments and other hidden text, and coordinates, which may move by
    a rounding with another version of the PDF library.
    """
    digest = sha256(f"rereview-manuscript/1\n{format}\n".encode())
    for block in blocks:
        digest.update(block.model_dump_json(exclude={"source", "bbox"}).encode() + b"\n")
    for figure in figures:
        digest.update(figure.model_dump_json(include={"id", "sha256", "after", "caption"}).encode() + b"\n")
    for macro in macros:
        digest.update(macro.model_dump_json().encode() + b"\n")
    return digest.hexdigest()[:16]


def paper_id(path: Path) -> str:
    """Name a paper after its file or folder: lower case, only `a-z 0-9 . _ -`.

    A name of which nothing is left (one in Chinese, say) becomes `paper-` and 8 hex digits of its hash.
    """
    name = without_ending(path.name or path.resolve().name)
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    safe = _UNSAFE.sub("-", plain).strip("-._")
    return safe or f"paper-{sha256(name.encode()).hexdigest()[:8]}"


def without_ending(name: str) -> str:
    """The name of a file without its type, which of an archive is both of its endings."""
    return _FILE_TYPE.sub("", name)
