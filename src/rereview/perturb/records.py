r"""Edit records of the benchmarking paper's authors: JSON without offsets, placed in the clean source.

Their span ids count the places of one kind in the order of the text. So an original that occurs more than
once stands where the numbers of its neighbours leave room for it; where they leave more than one place it
is ambiguous, and never put at the first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from rereview.errors import UnusableInput
from rereview.perturb.taxonomy import FAMILY_NAMES, admissible, error_named
from rereview.types.edit import Candidate, CandidateKind, ErrorType, Family, Perturbation
from rereview.types.manuscript import SourceSpan

_INLINE = re.compile(r"(?<!\$)\$(?!\$)(.+?)(?<!\$)\$(?!\$)", re.DOTALL)
_NO_FORMULA = re.compile(r"[\d,.\s]*|.", re.DOTALL)
_ENVIRONMENT = re.compile(r"\\begin\{([^{}]*)\}")
_BLANK = re.compile(r"\n[ \t]*\n\s*")
_NUMBER = re.compile(r"\d+")
_FIELDS = ("perturbation_id", "span_id", "error", "original", "perturbed", "why_wrong")
_WHAT_IS_RIGHT = 'expected {"perturbations": [{"span_id", "error", "original", "perturbed", "why_wrong"}, …]}'

Unplaced = Literal["absent", "ambiguous", "unknown-error"]
"""It does not stand in the source; it stands there more than once; its label is not known."""


class Imported(NamedTuple):
    """What could be placed, and the ids of what could not with the reason."""

    perturbations: tuple[Perturbation, ...]
    unplaced: tuple[tuple[str, Unplaced], ...]


class _Record(NamedTuple):
    number: int
    """That of its span id."""
    original: str
    group: str
    """What opens it: `$`, an environment, or "" for a paragraph."""
    raw: Mapping[str, Any]


def read_records(
    text: str,
    *,
    family: str,
    paper_id: str,
    file: str,
    source: str,
    candidates: Sequence[Candidate] = (),
) -> Imported:
    """The records of one paper and family, as perturbations of `source`, the clean text of `file`.

    `family`: theirs or ours (their files are named for it). `candidates`: of the scan; the one that holds
    an edit gives its kind. Their records say what was injected, so each counts as substantive. Raises
    UnusableInput for text that holds no such records.
    """
    named = FAMILY_NAMES.get(family.strip().lower())
    if named is None:
        raise UnusableInput(
            f"{family!r} is no family", where=file, expected=f"expected one of {', '.join(FAMILY_NAMES)}"
        )
    content = _content(text, file)
    records = [_record(raw, file) for raw in content["perturbations"]]
    placed = _placed(records, source)
    author = str(content.get("model") or "imported")
    found: list[Perturbation] = []
    unplaced: list[tuple[str, Unplaced]] = []
    for index, record in enumerate(records):
        name = f"{paper_id}/{named}/{record.raw['perturbation_id']}"
        error, at = error_named(str(record.raw["error"])), placed[index]
        if error is None:
            unplaced.append((name, "unknown-error"))
        elif isinstance(at, str):
            unplaced.append((name, at))
        else:
            span = SourceSpan(file=file, start=at, end=at + len(record.original))
            found.append(
                _perturbation(
                    record,
                    name,
                    paper_id=paper_id,
                    family=named,
                    error=error,
                    span=span,
                    author=author,
                    candidates=candidates,
                )
            )
    return Imported(tuple(found), tuple(unplaced))


def _perturbation(
    record: _Record,
    name: str,
    *,
    paper_id: str,
    family: Family,
    error: ErrorType,
    span: SourceSpan,
    author: str,
    candidates: Iterable[Candidate],
) -> Perturbation:
    holder = _holder(span, error, candidates)
    return Perturbation(
        id=name,
        paper_id=paper_id,
        span=span,
        original=record.original,
        replacement=str(record.raw["perturbed"]),
        author=author,
        run=f"{paper_id}/{family}",
        candidate_id=holder.id if holder else str(record.raw["span_id"]),
        kind=holder.kind if holder else _kind(record, error),
        family=family,
        error=error,
        why_wrong=str(record.raw["why_wrong"]),
        contradicts=record.raw.get("contradicts_quote") or None,
        verdict="substantive",
    )


def _holder(span: SourceSpan, error: ErrorType, candidates: Iterable[Candidate]) -> Candidate | None:
    """The smallest candidate that holds the span and admits the error."""
    holding = [
        each
        for each in candidates
        if each.span.file == span.file
        and each.span.start <= span.start
        and span.end <= each.span.end
        and error in admissible(each.kind)
    ]
    return min(holding, key=lambda each: each.span.end - each.span.start, default=None)


def _kind(record: _Record, error: ErrorType) -> CandidateKind:
    """What their scanner took the place for; where its text does not say, what the error fits."""
    if record.group == "$":
        return "inline-equation"
    if record.group in {"$$", "\\["}:
        return "display-equation"
    fitting: tuple[CandidateKind, ...] = ("named-equation", "proof", "theorem", "paragraph", "experiment")
    return next(kind for kind in fitting if error in admissible(kind))


def _content(text: str, where: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except ValueError as error:
        raise UnusableInput(f"no JSON: {error}", where=where, expected=_WHAT_IS_RIGHT) from error
    if not isinstance(content, dict) or not isinstance(content.get("perturbations"), list):
        raise UnusableInput("no list of perturbations", where=where, expected=_WHAT_IS_RIGHT)
    return content


def _record(raw: object, where: str) -> _Record:
    missing = [name for name in _FIELDS if not isinstance(raw, dict) or not isinstance(raw.get(name), str)]
    if not isinstance(raw, dict) or missing:
        raise UnusableInput(f"a record without {', '.join(missing)}", where=where, expected=_WHAT_IS_RIGHT)
    number = _NUMBER.search(raw["span_id"])
    return _Record(int(number.group()) if number else -1, raw["original"], _group(raw["original"]), raw)


def _group(original: str) -> str:
    for opening in ("$$", "$", "\\[", "\\("):
        if original.startswith(opening):
            return opening
    environment = _ENVIRONMENT.match(original)
    return environment.group(1) if environment else ""


# -- places


def _placed(records: Sequence[_Record], source: str) -> list[int | Unplaced]:
    """Where each record stands, in the order of the records."""
    options = [_occurrences(source, record.original) for record in records]
    for group in {record.group for record in records}:
        own = [index for index, record in enumerate(records) if record.group == group and options[index]]
        if any(len(options[index]) > 1 for index in own):
            others = {record.number for record in records if record.group != group}
            _by_number(records, options, own, _listed(source, group), others)
            _by_order(records, options, own)
    return [found[0] if len(found) == 1 else "ambiguous" if found else "absent" for found in options]


def _occurrences(source: str, original: str) -> list[int]:
    found: list[int] = []
    at = source.find(original) if original else -1
    while at >= 0:
        found.append(at)
        at = source.find(original, at + 1)
    return found


def _listed(source: str, group: str) -> list[tuple[int, str]]:
    """Everything of one kind that their numbers count, in order: where it stands, and its text."""
    if group == "$":
        formulas = _INLINE.finditer(source)
        return [(f.start(), f.group()) for f in formulas if not _NO_FORMULA.fullmatch(f.group(1))]
    if group and group[0] not in "$\\":
        name = re.escape(group)
        whole = re.compile(rf"\\begin\{{{name}\}}.*?\\end\{{{name}\}}", re.DOTALL)
        return [(found.start(), found.group()) for found in whole.finditer(source)]
    return []


def _by_number(
    records: Sequence[_Record],
    options: list[list[int]],
    own: Sequence[int],
    listed: Sequence[tuple[int, str]],
    others: set[int],
) -> None:
    """Let the numbers decide: those of one kind follow each other, with none of another kind between."""
    if not listed or min(records[index].number for index in own) < 0:
        return
    places: dict[int, set[int]] = {index: set() for index in own}
    last = max(records[index].number for index in own)
    for first in range(min(records[index].number for index in own) + 1):
        shifted = {index: records[index].number - first for index in own}
        fits = all(n < len(listed) and listed[n][1] == records[i].original for i, n in shifted.items())
        if fits and not any(first <= number <= last for number in others):
            for index, number in shifted.items():
                places[index].add(listed[number][0])
    for index, found in places.items():
        if found:
            options[index] = sorted(found)


def _by_order(records: Sequence[_Record], options: list[list[int]], own: Sequence[int]) -> None:
    """Drop the places that would put a record before one with a smaller number, or after a larger one."""
    ordered = sorted(own, key=lambda index: records[index].number)
    low, high = _reached(options, ordered, max), _reached(options, ordered[::-1], min)
    if low is None or high is None:  # the numbers are in no order: they decide nothing
        return
    for index in own:
        options[index] = [at for at in options[index] if low[index] <= at <= high[index]]


def _reached(
    options: Sequence[Sequence[int]], way: Sequence[int], end: Callable[[int, int], int]
) -> dict[int, int] | None:
    """How near to the start (`end` is max) or to the end of the text each record can stand at most."""
    found: dict[int, int] = {}
    bound: int | None = None
    for index in way:
        kept = [at for at in options[index] if bound is None or (at != bound and end(at, bound) == at)]
        if not kept:
            return None
        bound = found[index] = min(kept) if end is max else max(kept)
    return found
