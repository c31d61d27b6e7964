"""Puts accepted errors into the files of a paper, and takes them out again, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from rereview.errors import UnusableInput
from rereview.text.decoding import Encoding, decoded, encoded, encoding_of
from rereview.text.edits import Edited, Place, apply_edits, overlap, undo
from rereview.types.edit import Manifest, Perturbation, Placed
from rereview.types.manuscript import SourceSpan

Versions = Literal["run", "paper"]
"""One version for each paper and family, or one for the paper with all families in it."""
Name = Callable[[Mapping[str, bytes]], str]
"""Gives the id of a version from its files."""


class Injected(NamedTuple):
    """All files of the version, those without an edit too, and what was done to them."""

    files: dict[str, bytes]
    manifest: Manifest


def is_usable(perturbation: Perturbation) -> bool:
    """True for an error that nothing has rejected and whose verdict is that it is one."""
    return perturbation.rejected is None and perturbation.verdict == "substantive"


def why_unused(perturbation: Perturbation) -> str | None:
    """Why an edit is none of the errors that are used; None: it is one."""
    if is_usable(perturbation):
        return None
    return perturbation.rejected or perturbation.verdict or "verdict unknown"


def digest(files: Mapping[str, bytes]) -> str:
    """A name from the content: 12 hexadecimal digits."""
    whole = sha256()
    for name in sorted(files):
        whole.update(f"{name}\0{len(files[name])}\0".encode())
        whole.update(files[name])
    return whole.hexdigest()[:12]


def inject(
    files: Mapping[str, bytes],
    perturbations: Sequence[Perturbation],
    *,
    versions: Versions = "run",
    name: Name = digest,
) -> Iterator[Injected]:
    """The corrupted versions of one paper, in the order in which their runs first appear.

    Of two edits that share characters the earlier one stays; the other is listed in the manifest as
    lost, as is one that the encoding of its file cannot hold. Raises UnusableInput for an edit whose
    original does not stand at its span, for a file that is not there, and for edits of several papers.
    """
    papers = sorted({each.paper_id for each in perturbations})
    if len(papers) > 1:
        raise UnusableInput(
            f"edits of {len(papers)} papers", where=", ".join(papers[:3]), expected="expected those of one"
        )
    for run in dict.fromkeys(each.run if versions == "run" else each.paper_id for each in perturbations):
        own = [each for each in perturbations if versions == "paper" or each.run == run]
        yield _version(files, own, run, name)


def _version(
    files: Mapping[str, bytes], perturbations: Sequence[Perturbation], run: str, name: Name
) -> Injected:
    kept, lost = _settled(files, perturbations)
    after = dict(files)
    placed: list[Placed] = []
    for file in dict.fromkeys(_span(each).file for each in kept):
        own = [each for each in kept if _span(each).file == file]
        edited = apply_edits(decoded(files[file]), own)
        data = encoded(edited.text, encoding_of(files[file]))
        if data is None:
            lost += tuple((each.id, f"{file} is in Latin-1, and would be read as UTF-8") for each in own)
            continue
        after[file] = data
        placed += [_placed(place, file) for place in edited.places]
    manifest = Manifest(
        paper_id=perturbations[0].paper_id,
        run=run,
        version=name(after),
        placed=tuple(placed),
        lost=lost,
        latin_1=tuple(dict.fromkeys(p.file for p in placed if encoding_of(files[p.file]) == "latin-1")),
    )
    return Injected(after, manifest)


def _placed(place: Place, file: str) -> Placed:
    span = place.edit.span
    return Placed(
        perturbation_id=place.edit.id,
        file=file,
        clean_start=span.start,
        clean_end=span.end,
        start=place.start,
        end=place.end,
    )


def _settled(
    files: Mapping[str, bytes], perturbations: Iterable[Perturbation]
) -> tuple[list[Perturbation], tuple[tuple[str, str], ...]]:
    """Those that can stand together, and those that cannot with the reason."""
    kept: list[Perturbation] = []
    lost: list[tuple[str, str]] = []
    encodings: dict[str, Encoding] = {}
    for each in perturbations:
        span = _span(each)
        if span.file not in files:
            raise UnusableInput("no such file", where=span.file, expected=f"expected it for {each.id}")
        encodings.setdefault(span.file, encoding_of(files[span.file]))
        rival = next((other for other in kept if _meet(span, _span(other))), None)
        if rival is not None:
            lost.append((each.id, f"overlaps {rival.id} ({rival.family})"))
        elif encoded(each.replacement, encodings[span.file]) is None:
            lost.append((each.id, f"{span.file} is in Latin-1, which lacks a character of the replacement"))
        else:
            kept.append(each)
    return kept, tuple(lost)


def _meet(one: SourceSpan, other: SourceSpan) -> bool:
    return one.file == other.file and overlap((one.start, one.end), (other.start, other.end))


def _span(perturbation: Perturbation) -> SourceSpan:
    if not isinstance(perturbation.span, SourceSpan):
        raise UnusableInput(
            "the edit is one of a block and not of a file",
            where=perturbation.id,
            expected="expected a span with the name of a file",
        )
    return perturbation.span


def restore(
    files: Mapping[str, bytes], manifest: Manifest, perturbations: Iterable[Perturbation]
) -> dict[str, bytes]:
    """The clean files. Raises UnusableInput where a replacement does not stand where the manifest says."""
    known = {each.id: each for each in perturbations}
    clean = dict(files)
    for file in dict.fromkeys(placed.file for placed in manifest.placed):
        places = tuple(
            Place(known[placed.perturbation_id], placed.start, placed.end)
            for placed in manifest.placed
            if placed.file == file
        )
        text = undo(Edited(decoded(files[file]), places))
        clean[file] = text.encode("latin-1" if file in manifest.latin_1 else "utf-8")
    return clean
