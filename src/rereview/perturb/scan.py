"""Every place of a paper where an error can be injected, by fixed rules (benchmarking paper, appendix).

The scan has no cap; `drawn` takes a sample of it for a generator.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rereview.errors import UnusableInput
from rereview.perturb import equations
from rereview.perturb.live import Live, Part, live
from rereview.perturb.markdown import places as markdown_places
from rereview.perturb.paragraphs import captions, passages
from rereview.perturb.passages import abbreviations, kinds
from rereview.perturb.places import MARKDOWN, Place, apart
from rereview.perturb.statements import environment_at, kind_at, statement_kind
from rereview.text import environments as env
from rereview.text.arguments import arguments
from rereview.text.inclusions import INPUTS, inclusion, searched
from rereview.text.latex import tokens
from rereview.text.macros import Theorem
from rereview.text.modes import Region
from rereview.types.edit import Candidate, CandidateKind, PaperKind
from rereview.types.manuscript import SourceSpan

_WHAT_IS_RIGHT = "expected the files of a LaTeX project or one Markdown file"
_STATED = 2
"""So many theorems or proofs make a paper theoretical, if they are long enough."""


def scan(files: Mapping[str, str], paper_id: str, *, main: str | None = None) -> tuple[Candidate, ...]:
    """The candidates in reading order; `files` by their names relative to the folder of the main file.

    A text is decoded with its line ends and byte-order mark, so that offsets are those of the file.
    `main`: None to choose the one with a document that no other file includes. Raises UnusableInput
    where there is none.
    """
    first = main_of(files) if main is None else main
    if first not in files:
        raise UnusableInput("no such file", where=first, expected=_WHAT_IS_RIGHT)
    if first.lower().endswith(MARKDOWN):
        found = markdown_places(first, files[first])
    else:
        found = _places(live(files, first))
    return tuple(
        Candidate(
            id=f"c{number}",
            paper_id=paper_id,
            kind=place.kind,
            span=SourceSpan(file=place.file, start=place.start, end=place.end),
            text=files[place.file][place.start : place.end],
            environment=place.environment,
            section=place.section,
        )
        for number, place in enumerate(apart(found), 1)
    )


def main_of(files: Mapping[str, str]) -> str:
    """The file of a document that no other one includes; the largest of several.

    Raises UnusableInput where there is none.
    """
    sources = [name for name in files if name.lower().endswith((".tex", ".ltx", *MARKDOWN))]
    if len(sources) == 1:
        return sources[0]
    included = {path for name in sources for path in _included(files, name)}
    documents = [name for name in sources if "\\begin{document}" in files[name]]
    free = [name for name in documents if name not in included] or documents
    if not free:
        raise UnusableInput(
            "no file with \\begin{document}", where=", ".join(sorted(files)[:3]), expected=_WHAT_IS_RIGHT
        )
    return min(free, key=lambda name: (name.count("/"), -len(files[name]), name))


def _included(files: Mapping[str, str], name: str) -> Iterator[str]:
    text = files[name]
    for token in tokens(text):
        if token.kind == "command" and token.name in INPUTS:
            folder, given, _ = inclusion(text, token)
            for above in searched(token.name, folder, name) if given else ():
                path = posixpath.normpath(posixpath.join(above, given or ""))
                yield from (path, f"{path}.tex")


def _places(project: Live) -> Iterator[Place]:
    theorems = {theorem.environment: theorem for theorem in project.defined.theorems}
    known = abbreviations(project.defined.macros)
    for part in project.parts:
        closed = sorted(_closed(part))
        yield from _formulas(part, closed)
        yield from _statements(part, theorems)
        found = sorted([*passages(part, theorems), *captions(part)], key=lambda each: each.start)
        for kind, start, end in kinds(part.text, found, known):
            yield _place(part, kind, start, end, None)


def _place(part: Part, kind: CandidateKind, start: int, end: int, environment: str | None) -> Place:
    mark = part.mark(start)
    section = mark.headings[-1] if mark.headings else None
    return Place((mark.order, start), kind, part.file, start, end, environment, section)


def _closed(part: Part) -> Iterator[tuple[int, int]]:
    """Ranges in which nothing is a place: pictures, references, names, titles, headings, addresses."""
    for region in part.regions:
        if region.name in env.PICTURES or region.name == "thebibliography":
            yield region.start, region.end
    for token in part.live:
        if token.kind != "command":
            continue
        count = 1 if token.name in env.LEVELS or token.name in env.TITLES else env.SILENT.get(token.name, 0)
        if count:
            yield token.start, arguments(part.text, token.end, count).end


def _formulas(part: Part, closed: Sequence[tuple[int, int]]) -> Iterator[Place]:
    upcoming = iter(closed)
    low, high = next(upcoming, (part.stop, part.stop))
    for region in part.regions:
        if region.kind == "environment" or not region.outer:
            continue
        while region.start >= high and low < part.stop:
            low, high = next(upcoming, (part.stop, part.stop))
        if low <= region.start < high:
            continue
        kind = equations.kind_of(region.name)
        span, body = (region.start, region.end), (region.body_start, region.body_end)
        if equations.is_place(part.text, span, body, inline=kind == "inline-equation"):
            named = _environment(part.text, region) if kind == "named-equation" else None
            yield _place(part, kind, region.start, region.end, named)


def _environment(text: str, region: Region) -> str:
    """The environment as the source calls it."""
    return environment_at(text, region.start) or region.name


def _statements(part: Part, theorems: Mapping[str, Theorem]) -> Iterator[Place]:
    for region in part.regions:
        if region.kind != "environment":
            continue
        name = region.name
        if name.startswith("restatable"):
            groups = arguments(part.text, region.body_start, 1).groups
            name = part.text[slice(*groups[0])].strip() if groups else name
            kind = statement_kind(name, theorems)
        else:
            kind = kind_at(part.text, region.start, name, theorems)
        if kind is not None:
            yield _place(part, kind, region.start, region.end, _environment(part.text, region))


def paper_kind(candidates: Sequence[Candidate]) -> PaperKind | None:
    """Whether a paper proves or measures, by how much of its text does; None where nothing says so.

    A default for a study that does not say: theoretical with at least two theorems or proofs that
    together are longer than the accounts of experiments; empirical with any such account otherwise.
    """
    stated = [c for c in candidates if c.kind in {"theorem", "proof"}]
    measured = [c for c in candidates if c.kind == "experiment"]
    if len(stated) >= _STATED and _length(stated) > _length(measured):
        return "theoretical"
    return "empirical" if measured else None


def _length(candidates: Iterable[Candidate]) -> int:
    return sum(len(candidate.text) for candidate in candidates)
