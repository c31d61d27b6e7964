"""Whether the corrupted versions of a study still compile, where a TeX engine is there and somebody asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rereview.perturb.inject import Versions, inject
from rereview.perturb.places import MARKDOWN
from rereview.perturb.typeset import STOPPED, Typesetter, added
from rereview.study.perturbing import Perturbed
from rereview.study.prepared import Prepared
from rereview.types.edit import Manifest


class Compiled(NamedTuple):
    """What came of one version: `errors` are those that the clean paper has not."""

    run: str
    errors: tuple[str, ...] = ()
    unknown: str | None = None
    """Why it is not known whether the version is broken."""


def compiled(found: Perturbed, engines: Sequence[Typesetter], versions: Versions) -> Iterator[Compiled]:
    """Every version against its clean paper, each with the first engine that gets through the clean one."""
    for paper in found.prepared:
        own = [each for each in found.manifests if each.paper_id == paper.paper.id]
        if own:
            yield from _versions(paper, own, found, engines, versions)


def _versions(
    paper: Prepared,
    own: Sequence[Manifest],
    found: Perturbed,
    engines: Sequence[Typesetter],
    versions: Versions,
) -> Iterator[Compiled]:
    main = paper.source.head
    if main.lower().endswith(MARKDOWN):
        yield from (Compiled(each.run, unknown="it is no LaTeX") for each in own)
        return
    engine, before, why = _clean(paper, engines)
    for each in own:
        if engine is None or before is None:
            yield Compiled(each.run, unknown=why)
            continue
        edits = [found.errors[place.perturbation_id] for place in each.placed]
        files = next((made.files for made in inject(paper.source.contents, edits, versions=versions)), None)
        after = engine(files or paper.source.contents, main)
        if after is None:
            yield Compiled(each.run, unknown=f"{engine.name} did not end in time")
        else:
            yield Compiled(each.run, added(before, after))


def _clean(
    paper: Prepared, engines: Sequence[Typesetter]
) -> tuple[Typesetter | None, Counter[str] | None, str]:
    """An engine that gets through the clean paper with what it complains of; else why none does."""
    why: list[str] = []
    for engine in engines:
        before = engine(paper.source.contents, paper.source.head)
        if before is not None and STOPPED not in before:
            return engine, before, ""
        said = "did not end in time" if before is None else next(iter(before))
        why.append(f"{engine.name}: {said.removesuffix('.')}")
    return None, None, f"the clean paper does not compile here ({'; '.join(why)})"
