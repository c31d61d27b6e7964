"""Compressed streams and tar archives, read up to a cap and never written anywhere.

The standard tarfile module is not used: it reads extended headers of any size into memory, and its
filters have been passed again and again. A paper needs regular files, links and long names, no more.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_BLOCK = 512
_CHUNK = 1 << 16
_MOST_HEADER = 1 << 16
_GZIP = 31
"""Of zlib: a window of 2^15 bytes, and a header of gzip."""
_GZIP_PARTS = 64
_PAX = re.compile(rb"(\d{1,20}) ([^=\n]{1,100})=")
_REGULAR = frozenset(b"0\x007")
_LINKS = frozenset(b"12")
_EMPTY = frozenset(b"3456")
"""Devices, folders and pipes: a size in their header means nothing."""
_EXTENSIONS = frozenset(b"LKxg")
_NUMBER_BASE_256 = 0x80


class BadArchive(Exception):
    """The archive is not read; the message says why."""


@dataclass(frozen=True)
class Caps:
    """What an archive may hold: bytes in all and a member, members, and how often a byte may unfold."""

    total: int = 200 * 1024**2
    member: int = 20 * 1024**2
    members: int = 5000
    ratio: int = 200
    small: int = 1024**2
    """Up to so many bytes any ratio is harmless."""

    def check_ratio(self, unpacked: int, packed: int) -> None:
        """Raise BadArchive for what unfolds too far."""
        if unpacked > self.small and unpacked > self.ratio * max(packed, 1):
            raise BadArchive(f"an archive bomb: {unpacked} bytes out of {packed}")


@dataclass(frozen=True)
class Member:
    """A regular file or a link, whose target is a member's name (`hard`) or relative to its own folder."""

    name: str
    content: bytes = b""
    link: str | None = None
    hard: bool = False


class Inflated:
    """Reads a gzip file, or (not `packed`) the file itself; raises BadArchive beyond the caps."""

    def __init__(self, file: BinaryIO, caps: Caps, *, packed: bool = True) -> None:
        self.file = file
        self.caps = caps
        self.packed = packed
        self.parts = 1
        self.stream = zlib.decompressobj(wbits=_GZIP)
        self.pending = b""
        self.waiting = b""
        self.taken = 0
        self.given = 0

    def peek(self, count: int) -> bytes:
        """The next bytes, which stay."""
        start = self.read(count)
        self.waiting = start + self.waiting
        return start

    def read(self, count: int) -> bytes:
        """As many bytes as there are, at most `count`."""
        pieces = [self.waiting[:count]]
        self.waiting = self.waiting[count:]
        missing = count - len(pieces[0])
        while missing and (piece := self._more(min(missing, _CHUNK))):
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def skip(self, count: int) -> None:
        """Leave bytes out."""
        while count > 0:
            piece = self.read(min(count, _CHUNK))
            if not piece:
                raise EOFError("it ends too early")
            count -= len(piece)

    def _more(self, most: int) -> bytes:
        piece = self._inflated(most) if self.packed else self.file.read(most)
        self.given += len(piece)
        if self.given > self.caps.total:
            raise BadArchive(f"more than {self.caps.total // 1024**2} MiB when unpacked")
        if self.packed:
            self.caps.check_ratio(self.given, self.taken)
        return piece

    def _inflated(self, most: int) -> bytes:
        while True:
            if self.stream.eof and not self._next_part():
                return b""
            packed = self.pending or self._packed()
            piece = self.stream.decompress(packed, most)
            self.pending = self.stream.unconsumed_tail
            if piece:
                return piece
            if not packed and not self.stream.eof:
                raise EOFError("it ends too early")

    def _packed(self) -> bytes:
        packed = self.file.read(_CHUNK)
        self.taken += len(packed)
        return packed

    def _next_part(self) -> bool:
        """A gzip file may be several, one after the other; what else follows is no part of it."""
        rest = self.stream.unused_data or self._packed()
        if not rest.startswith(b"\x1f\x8b"):
            return False
        self.parts += 1
        if self.parts > _GZIP_PARTS:
            raise BadArchive(f"more than {_GZIP_PARTS} gzip streams in one file")
        self.stream, self.pending = zlib.decompressobj(wbits=_GZIP), rest
        return True


def tar_members(stream: Inflated, caps: Caps) -> Iterator[Member]:
    """The regular files and links of a tar archive; a file over the cap is left out."""
    names: dict[str, bytes] = {}
    count = 0
    while (header := stream.read(_BLOCK)).strip(b"\0"):
        if not _checked(header):
            raise BadArchive("the archive is damaged, or no tar (a header with a wrong checksum)")
        kind, size = header[156], _number(header[124:136])
        if kind in _EXTENSIONS:
            names |= _extended(kind, _whole(stream, size, _MOST_HEADER))
            continue
        count += 1
        if count > caps.members:
            raise BadArchive(f"more than {caps.members} members")
        member = _member(stream, header, names, caps.member)
        names = {}
        if member is not None:
            yield member
    if len(header) < _BLOCK:  # its end is a block of zeros
        raise EOFError("it ends too early")
    if not count:
        raise BadArchive("no member in this archive")


def is_tar(block: bytes) -> bool:
    """Say whether a tar begins with this block, by its magic number or (an old one) its checksum."""
    return block[257:262] == b"ustar" or _checked(block)


def _checked(header: bytes) -> bool:
    written = header[148:156].strip(b" \0")
    if len(header) < _BLOCK or not re.fullmatch(rb"[0-7]+", written):
        return False
    return sum(header) - sum(header[148:156]) + 8 * ord(" ") == int(written, 8)


def _number(written: bytes) -> int:
    if written[0] & _NUMBER_BASE_256:
        return int.from_bytes(bytes([written[0] & 0x7F]) + written[1:], "big")
    plain = written.strip(b" \0")
    if not re.fullmatch(rb"[0-7]*", plain):
        raise BadArchive("the archive is damaged (a size that is no number)")
    return int(plain or b"0", 8)


def _padded(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK


def _whole(stream: Inflated, size: int, most: int) -> bytes:
    if size > most:
        raise BadArchive(f"a header of {size} bytes")
    content = stream.read(size)
    if len(content) < size:
        raise EOFError("it ends too early")
    stream.read(_padded(size) - size)
    return content


def _extended(kind: int, content: bytes) -> dict[str, bytes]:
    """What a long name (GNU) or an extended header (POSIX) says of the next member."""
    if kind == ord("g"):
        return {}
    if kind != ord("x"):
        return {"path" if kind == ord("L") else "linkpath": content.rstrip(b"\0")}
    found: dict[str, bytes] = {}
    at = 0
    while (match := _PAX.match(content, at)) and int(match[1]) > match.end() - at:
        end = at + int(match[1])
        found[match[2].decode("ascii", "replace")] = content[match.end() : end - 1]
        at = end
    return {key: found[key] for key in ("path", "linkpath", "size") if key in found} | (
        {"sparse": b""} if any(key.startswith("GNU.sparse") for key in found) else {}
    )


def _member(stream: Inflated, header: bytes, names: dict[str, bytes], most: int) -> Member | None:
    """Read on to the end of a member; None for a folder, a device, a sparse or too large a file."""
    kind, name = header[156], names.get("path") or _short_name(header)
    if kind in _LINKS:
        target = names.get("linkpath") or header[157:257].split(b"\0")[0]
        return Member(_text(name), link=_text(target), hard=kind == ord("1"))
    size = int(names["size"]) if names.get("size", b"").isdigit() else _number(header[124:136])
    if kind in _REGULAR and size <= most and "sparse" not in names and not name.endswith(b"/"):
        return Member(_text(name), _whole(stream, size, most))
    stream.skip(0 if kind in _EMPTY else _padded(size))
    return None


def _short_name(header: bytes) -> bytes:
    name = header[:100].split(b"\0")[0]
    prefix = header[345:500].split(b"\0")[0] if header[257:263] == b"ustar\0" else b""
    return prefix + b"/" + name if prefix else name


def _text(name: bytes) -> str:
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("latin-1")
