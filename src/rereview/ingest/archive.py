"""Reads a paper in an archive: `.zip`, `.tar`, `.tar.gz` or one gzipped LaTeX file, as arXiv gives it.

Nothing is extracted: members are read into memory up to the caps of `Caps`. A member whose name leads
outside, or that stands twice with different content, refuses the archive; devices, links that lead to no
member and what systems leave behind are as if they were not there. Archives in archives are not opened.
"""

from __future__ import annotations

import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from rereview.errors import UnusableInput
from rereview.ingest.identity import paper_id
from rereview.ingest.latex import read_project
from rereview.ingest.projects import Project, chosen
from rereview.ingest.sources import Members
from rereview.ingest.streams import BadArchive, Caps, Inflated, Member, is_tar, tar_members
from rereview.types.manuscript import Manuscript

CAPS = Caps()

_EXPECTED = "expected LaTeX source in a .zip, .tar.gz or .tar, or one gzipped .tex"
_LEFT_BEHIND = re.compile(r"(?:^|/)(?:__MACOSX/|\._|\.DS_Store$)")
_DRIVE = re.compile(r"[A-Za-z]:")
_LINK_STEPS = 16
_ENCRYPTED = 0x1
_END_OF_ZIP = b"PK\x05\x06"
_ZIP64_LOCATOR = b"PK\x06\x07"
_MOST_COMMENT = 1 << 16
_DIRECTORY_ENTRY = 1024
"""Bytes that one member of a ZIP may take in its directory, on the average."""


def read(path: Path) -> Manuscript:
    """Read the LaTeX source in an archive. Raises UnusableInput in one line for what is none."""
    return read_project(project_of(path), str(path))


def image(path: Path, name: str) -> bytes | None:
    """The content of an image by the path of its `Figure`, or None."""
    project = project_of(path)
    found = project.find(name, ("",))
    return None if found is None else project.content(found)


def project_of(path: Path) -> Project:
    """The LaTeX project in an archive. Raises UnusableInput."""
    files = members(path)
    name, beside = chosen(files, str(path))
    main = PurePosixPath(name)
    return Project(files, str(main.parent), main.name, paper_id(path), beside)


def members(path: Path, caps: Caps = CAPS, *, expected: str = _EXPECTED) -> Members:
    """The files in an archive, by normalised name. Raises UnusableInput."""
    status = path.stat()
    return _members(path, caps, expected, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=1)
def _members(path: Path, caps: Caps, expected: str, size: int, _changed: int) -> Members:
    try:
        with path.open("rb") as file:
            return Members(_joined(_streamed(file, size, caps), caps))
    except BadArchive as error:
        raise UnusableInput(str(error), where=str(path), expected=expected) from None
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        struct.error,
        ValueError,
    ) as error:
        raise UnusableInput(
            f"the archive is damaged ({' '.join(str(error).split()) or type(error).__name__})",
            where=str(path),
            expected=expected,
        ) from error


def _streamed(file: BinaryIO, size: int, caps: Caps) -> Iterator[Member]:
    if size > caps.total:
        raise BadArchive(f"{size / 1024**2:.0f} MiB, more than {caps.total // 1024**2} MiB")
    start = file.read(2)
    file.seek(0)
    if start.startswith(b"PK"):
        return _zip_members(file, size, caps)
    if not start.startswith(b"\x1f\x8b"):
        return tar_members(Inflated(file, caps, packed=False), caps)
    unpacked = Inflated(file, caps)
    first = unpacked.peek(512)
    return tar_members(unpacked, caps) if is_tar(first) else iter([_single(unpacked, first, caps)])


def _single(unpacked: Inflated, first: bytes, caps: Caps) -> Member:
    """One file inside gzip; it must be LaTeX."""
    for mark, what in ((b"\x1f\x8b", "gzip"), (b"PK\x03\x04", "a ZIP archive"), (b"%PDF-", "a PDF")):
        if first.startswith(mark):
            raise BadArchive(f"{what} inside gzip")
    content = unpacked.read(caps.member + 1)
    if len(content) > caps.member:
        raise BadArchive(f"more than {caps.member // 1024**2} MiB of text inside gzip")
    if b"\0" in content or b"\\" not in content:
        raise BadArchive("the gzipped file is no LaTeX")
    return Member("main.tex", content)


# ZIP: the directory is looked at before zipfile reads it, and a member is read up to the cap.


def _zip_members(file: BinaryIO, size: int, caps: Caps) -> Iterator[Member]:
    _check_directory(file, size, caps)
    left = caps.total
    with zipfile.ZipFile(file) as archive:
        found = archive.infolist()
        if len(found) > caps.members:
            raise BadArchive(f"{len(found)} members, more than {caps.members}")
        for info in found:
            content = _zip_content(archive, info, min(left, caps.member), caps)
            left -= len(content or b"")
            if left <= 0:
                raise BadArchive(f"more than {caps.total // 1024**2} MiB when unpacked")
            mode = info.external_attr >> 16
            if content is not None and stat.S_ISLNK(mode):
                yield Member(info.filename, link=content.decode("utf-8", "replace"))
            elif content is not None and (not stat.S_IFMT(mode) or stat.S_ISREG(mode)):
                yield Member(info.filename, content)


def _check_directory(file: BinaryIO, size: int, caps: Caps) -> None:
    file.seek(max(size - _MOST_COMMENT - 22, 0))
    tail = file.read()
    at = tail.rfind(_END_OF_ZIP)
    if at < 0:
        raise BadArchive("the ZIP archive has no directory: it is cut off or damaged")
    directory = int.from_bytes(tail[at + 12 : at + 16], "little")
    count = int.from_bytes(tail[at + 10 : at + 12], "little")
    if _ZIP64_LOCATOR in tail or directory > caps.members * _DIRECTORY_ENTRY or count > caps.members:
        raise BadArchive(f"more than {caps.members} members")
    file.seek(0)


def _zip_content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int, caps: Caps) -> bytes | None:
    """What a member holds; None for a folder and for a file over the cap."""
    if info.flag_bits & _ENCRYPTED:
        raise BadArchive("the ZIP archive is encrypted")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadArchive(f"a member of the ZIP archive is compressed by method {info.compress_type}")
    if info.is_dir():
        return None
    caps.check_ratio(info.file_size, info.compress_size)
    if info.file_size > caps.member:
        return None
    with archive.open(info) as member:
        return member.read(most + 1)


# Names and links


def _joined(found: Iterator[Member], caps: Caps) -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    links: dict[str, str] = {}
    for member in found:
        name = normalised(member.name)
        if not name or _LEFT_BEHIND.search(name):
            continue
        if member.link is not None:
            links[name] = member.link if member.hard else str(PurePosixPath(name).parent / member.link)
        elif contents.setdefault(name, member.content) != member.content:
            raise BadArchive(f"two different members are called {name!r}")
    for name in links:
        target = _followed(name, links)
        if target in contents:
            contents.setdefault(name, contents[target])
    if len(contents) > caps.members:
        raise BadArchive(f"more than {caps.members} members")
    return contents


def normalised(name: str) -> str:
    """The name of a member with `/` between its parts; "" for the root.

    Raises BadArchive for a name that leads outside or holds characters that no one sees.
    """
    plain = unicodedata.normalize("NFC", name).replace("\\", "/")
    if plain.startswith("/") or _DRIVE.match(plain):
        raise BadArchive(f"the member {name!a} has an absolute name")
    if any(unicodedata.category(character) in ("Cc", "Cf", "Cs") for character in plain):
        raise BadArchive(f"the name of the member {name!a} holds invisible characters")
    inside = _inside(plain)
    if inside is None:
        raise BadArchive(f"the member {name!a} leads outside of the archive")
    return inside


def _inside(path: str) -> str | None:
    """The path without `.` and `..`; None if it leads outside."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and not parts:
            return None
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _followed(name: str, links: dict[str, str]) -> str | None:
    """The member that a link leads to; None if it leads outside or in a circle."""
    target: str | None = name
    for _ in range(_LINK_STEPS):
        if target is None or target not in links:
            return target
        goal = links[target]
        target = None if goal.startswith("/") else _inside(goal)
    return None
