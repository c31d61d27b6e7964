"""Commands that lead elsewhere: references, citations and addresses."""

from __future__ import annotations

from collections.abc import Callable

from rereview.report.latex_reader import Reader
from rereview.report.pieces import Close, Open, Target
from rereview.report.plain_text import host_of
from rereview.report.symbols import IN_SENTENCE


def label_reference(reader: Reader, start: int, name: str) -> None:
    """The number of what a label names, as a link to it."""
    keys = [key.strip() for key in reader.words_of(reader.argument()).split(",")]
    for index, key in enumerate(keys):
        target = reader.context.targets.get(key)
        if index:
            reader.show(start, reader.at, ", ")
        if target is None:
            reader.show(start, reader.at, "??", f"no such label: {key}")
            continue
        number = target.number or "↗"
        shown = f"({number})" if name == "eqref" else number
        if name in {"autoref", "cref", "Cref", "nameref"} and target.kind:
            shown = f"{target.kind.capitalize() if name != 'cref' else target.kind} {shown}"
        _link(reader, start, target, shown)


def citation(reader: Reader, start: int, name: str, inner: Callable[[tuple[int, int]], None]) -> None:
    """Works cited, as links to the list of references."""
    notes = [note for note in (reader.optional(), reader.optional()) if note is not None]
    keys = [key.strip() for key in reader.words_of(reader.argument()).split(",") if key.strip()]
    found = [reader.context.citations.get(key) for key in keys]
    named = all(target is not None and target.authors for target in found)
    sentence = name in IN_SENTENCE and named
    bare = sentence or name in {"citealp", "citealt", "Citealt", "citeauthor", "Citeauthor", "citeyear"}
    left, right = ("(", ")") if named else ("[", "]")
    before = notes[0] if len(notes) > 1 else None
    after = notes[-1] if notes and notes[-1][0] < notes[-1][1] else None
    reader.show(start, reader.at, "" if bare else left)
    if before and before[0] < before[1]:
        inner(before)
        reader.show(start, reader.at, " ")
    for index, (key, target) in enumerate(zip(keys, found, strict=True)):
        if index:
            reader.show(start, reader.at, "; " if named else ", ")
        if target is None:
            reader.show(start, reader.at, key, "not in the list of references")
        else:
            _link(reader, start, target, _cited(name, target, sentence=sentence, named=named))
    if after:
        reader.show(start, reader.at, ", ")
        inner(after)
    reader.show(start, reader.at, "" if bare else right)


def _link(reader: Reader, start: int, target: Target, shown: str) -> None:
    """A link to a place of the page, unless a link is open already."""
    if reader.inside("a"):
        reader.show(start, reader.at, shown)
        return
    reader.need_item()
    reader.pieces.append(Open("a", (("href", target.href),)))
    reader.show(start, reader.at, shown)
    reader.pieces.append(Close("a"))


def url(reader: Reader, start: int) -> None:
    """An address: a link if it is http or https, else code."""
    address = reader.words_of(reader.argument()).replace("\\", "")
    _outside(reader, address, lambda: reader.show(start, reader.at, address))


def href(reader: Reader, _start: int) -> None:
    """Words that lead outside, with the host they lead to."""
    address = reader.words_of(reader.argument()).replace("\\", "")
    reader.skip_space()
    host = host_of(address)
    if reader.source.text.startswith("{", reader.at) and host and not reader.inside("a"):
        reader.at += 1
        reader.open.append(("{", []))
        reader.open_element("a", (("href", address), ("rel", "noreferrer"), ("title", host)))


def _outside(reader: Reader, address: str, show: Callable[[], None]) -> None:
    """A link to an address, unless it is of another kind or a link is open already."""
    host = host_of(address)
    if host is None or reader.inside("a"):
        show()
        return
    reader.need_item()
    reader.pieces.append(Open("a", (("href", address), ("rel", "noreferrer"), ("title", host))))
    show()
    reader.pieces.append(Close("a"))


def hyperref(reader: Reader, _start: int) -> None:
    r"""`\hyperref[label]{words}`."""
    target = reader.context.targets.get(reader.words_of(reader.optional()))
    if reader.source.text.startswith("{", reader.at) and target is not None and not reader.inside("a"):
        reader.at += 1
        reader.open.append(("{", []))
        reader.open_element("a", (("href", target.href),))


def _cited(name: str, target: Target, *, sentence: bool, named: bool) -> str:
    """A work as its citation prints it."""
    if not named:
        return target.number or "↗"
    if name in {"citeauthor", "Citeauthor"}:
        return target.authors
    if name in {"citeyear", "citeyearpar"}:
        return target.year or target.authors
    if not target.year:
        return target.authors
    return f"{target.authors} ({target.year})" if sentence else f"{target.authors}, {target.year}"
