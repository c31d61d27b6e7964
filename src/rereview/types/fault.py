"""What `rereview verify` finds."""

from __future__ import annotations

from typing import Literal

from rereview.types.record import Record

Check = Literal[
    "files",
    "records",
    "sequence",
    "paths",
    "hashes",
    "unlisted",
    "identity",
    "order",
    "fields",
    "protected",
    "images",
    "database",
    "calls",
    "versions",
    "reviews",
    "figures",
    "document",
]


class Fault(Record):
    """Something that is not as it was written: which check says so, where, and what is there."""

    check: Check
    where: str
    what: str

    def __str__(self) -> str:
        """`paths: index.json, image f1: leads out of the package: '../x.png'`."""
        return f"{self.check}: {self.where}: {self.what}"


class Verified(Record):
    """What was looked at, how much there was of it, which checks were made, and what they found."""

    what: Literal["package", "study"]
    name: str
    counts: tuple[tuple[str, int], ...]
    checks: tuple[Check, ...]
    faults: tuple[Fault, ...]
