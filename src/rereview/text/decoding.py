"""Bytes of a source file as text, with line ends and byte-order mark, and back again without a loss."""

from __future__ import annotations

from typing import Literal

Encoding = Literal["utf-8", "latin-1"]
BYTE_ORDER_MARK = "\ufeff"


def encoding_of(data: bytes) -> Encoding:
    """UTF-8, else Latin-1, in which every byte is a character."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def decoded(data: bytes) -> str:
    """UTF-8, else Latin-1; line ends and byte-order mark stay, so that offsets are the file's own."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def encoded(text: str, encoding: Encoding) -> bytes | None:
    """The bytes that read as this text again; None where the encoding of the file has no such bytes."""
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        return None
    return data if decoded(data) == text else None
