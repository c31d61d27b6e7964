"""Versions that were read before are taken from the ledger, since reading costs the same every time.

What was read is known by everything that it hangs on: the code that reads, the clean paper as it was read
now, and the contents of its files. Where any of it has changed, and where the ledger holds another reading
under the same id, the version is read anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import rereview
from rereview.study.store import Store
from rereview.types.manuscript import Manuscript
from rereview.types.record import Record

READING = "reading"
"""Kind of record: a version that was read, by a digest of what it was read from."""
_READERS = ("ingest", "text", "types")
"""The parts of this package that decide what a version is."""


class Reading(Record):
    """A manuscript in the ledger, with the digest of all of it: its id leaves out where things stand."""

    version: str
    whole: str


class Readings:
    """The versions of a study, each read once."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known = store.records(READING, Reading)
        self._new: dict[str, Manuscript] = {}

    def version(self, given: str, clean: Manuscript, read: Callable[[], Manuscript]) -> Manuscript:
        """The version of what `given` names, as the ledger holds it or as `read` gives it."""
        known = self._known.get(given)
        kept = None if known is None else self.store.version(known.version)
        if known is not None and kept is not None and kept.digest() == known.whole:
            return kept
        made = read()
        if _named(made) == _named(clean):  # else it hangs on files that are not among what was given
            self._new[given] = made
        return made

    def keep(self) -> None:
        """Note what was read anew; the manuscripts themselves are in the ledger by now."""
        made = {
            given: Reading(version=each.id, whole=each.digest())
            for given, each in self._new.items()
            if given not in self._known
        }
        self.store.add_records(READING, made)


def given_by(name: str, clean: Manuscript, contents: Mapping[str, bytes]) -> str:
    """A digest of all that the reading of a version hangs on."""
    whole = sha256(f"{_code()}\0{name}\0{clean.digest()}".encode("utf-8", "surrogatepass"))
    for file in sorted(contents):
        whole.update(f"\0{file}\0{len(contents[file])}\0".encode("utf-8", "surrogatepass"))
        whole.update(contents[file])
    return whole.hexdigest()


def _named(paper: Manuscript) -> tuple[set[str | None], set[str]]:
    """The files that a paper names beside its texts: images, and what could not be read."""
    return {each.path for each in paper.figures}, {each.name for each in paper.gaps}


@cache
def _code() -> str:
    folder, whole = Path(rereview.__file__).parent, sha256()
    for part in _READERS:
        for path in sorted((folder / part).glob("*.py")):
            whole.update(path.read_bytes())
    return whole.hexdigest()
