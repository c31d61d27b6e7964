"""Images of a page: those in it, and those in its folder. None is fetched."""

from __future__ import annotations

import base64
import binascii
import re
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

_MOST_IMAGE = 20 * 1024**2
_DATA = re.compile(r"data:image/(png|jpe?g|webp|gif|svg\+xml)[^,]{0,100},", re.IGNORECASE)
_FOREIGN = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")


def embedded(source: str) -> tuple[str, bytes] | None:
    """The image in a `data:` address, under a name of ours."""
    kind = _DATA.match(source)
    if kind is None or len(source) > 2 * _MOST_IMAGE:
        return None
    data = source[kind.end() :]
    try:
        encoded = "base64" in kind[0].lower()
        content = base64.b64decode(unquote(data), validate=True) if encoded else unquote_to_bytes(data)
    except (binascii.Error, ValueError):
        return None
    ending = kind[1].lower().removesuffix("+xml").replace("jpeg", "jpg")
    return f"{sha256(content).hexdigest()[:16]}.{ending}", content


def beside(folder: Path, source: str) -> tuple[str, bytes] | None:
    """An image in the folder of the page or below it."""
    if not source or _FOREIGN.match(source):
        return None
    try:
        path = (folder / unquote(source.partition("#")[0].partition("?")[0])).resolve()
        inside = path.is_relative_to(folder) and path.is_file() and path.stat().st_size <= _MOST_IMAGE
    except (OSError, ValueError):
        return None
    return (path.relative_to(folder).as_posix(), path.read_bytes()) if inside else None
