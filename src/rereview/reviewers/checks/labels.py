r"""What LaTeX resolves by name: `\ref` to `\label`, `\cite` to an entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rereview.text.plurals import many
from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Remark

NOUN = (
    r"(?:\b(?:[Ff]ig(?:ure)?s?|[Tt]ab(?:le)?s?|[Ss]ec(?:tion)?s?|[Ee]q(?:uation)?s?|[Aa]ppendix|[Cc]hapter"
    r"|[Tt]heorem|[Ll]emma|[Pp]roposition|[Cc]orollary|[Dd]efinition|[Aa]lgorithm)\.?[\s~]*)?"
)
COMMAND = (
    r"\\(?:ref|eqref|autoref|Autoref|pageref|nameref|vref|Vref|cref|Cref|labelcref|subref)\*?"
    r"\s*\{(?P<keys>[^{}\\#]+)\}"
)
REF = re.compile(rf"{NOUN}{COMMAND}")
CITE = re.compile(
    r"\\(?!nocite)[a-zA-Z]*cite(?:p|t|alp|alt|author|year|yearpar|num)?\*?"
    r"\s*(?:\[[^\]]*\]\s*){0,2}\{(?P<keys>[^{}\\#]+)\}"
)
LABEL = re.compile(r"\\[a-zA-Z]*label\s*\{(?P<key>[^{}]+)\}")
LABEL_OPTION = re.compile(r"\blabel\s*=\s*\{?\s*(?P<key>[^\s,\]{}]+)")
REF_BODY = re.compile(r"\\\w*ref\*?\s*\{(?P<key>[^{}#]*#1[^{}#]*)\}")
ANY_REF = re.compile(r"\\\w*ref\*?\s*\{[^{}]*\}")
BRANCH = re.compile(r"\\(?:if[a-zA-Z]+|else|fi)\b")
LONGEST_QUOTE = 120


class Mention(NamedTuple):
    """One name in one command."""

    key: str
    place: Span


def findings(paper: Manuscript) -> Iterator[Remark]:
    """Missing labels, labels that stand twice, and keys without an entry."""
    if paper.format != "latex":
        return
    refs = [*_mentions(paper, REF), *_by_macros(paper)]
    if not any(gap.kind == "input" for gap in paper.gaps):
        yield from _missing_labels(paper, refs)
    yield from _double_labels(paper, refs)
    if not any(gap.kind in ("input", "bibliography") for gap in paper.gaps):
        yield from _missing_entries(paper)


def _body(paper: Manuscript) -> list[Block]:
    return [block for block in paper.blocks if block.kind != "reference"]


def _mentions(paper: Manuscript, pattern: re.Pattern[str]) -> list[Mention]:
    found = []
    for block in _body(paper):
        for match in pattern.finditer(block.text):
            place = Span(block_id=block.id, start=match.start(), end=match.end())
            found += [Mention(key.strip(), place) for key in match["keys"].split(",") if key.strip()]
    return found


def _by_macros(paper: Manuscript) -> list[Mention]:
    r"""Mentions by the paper's own macros, such as `\figref{kiln}` for `Figure~\ref{fig:kiln}`."""
    found = []
    for macro in paper.macros:
        body = REF_BODY.search(macro.body)
        if macro.arguments != 1 or macro.default is not None or body is None:
            continue
        pattern = re.compile(re.escape(macro.name) + r"\s*\{(?P<keys>[^{}\\#]+)\}")
        known = {"ref", "eqref", "autoref", "pageref", "nameref", "vref", "cref", "Cref", "subref"}
        if macro.name.lstrip("\\") not in known:
            found += [
                Mention(body["key"].replace("#1", mention.key), mention.place)
                for mention in _mentions(paper, pattern)
            ]
    return found


def _labels(paper: Manuscript) -> list[Mention]:
    found = []
    for block in _body(paper):
        for match in LABEL.finditer(block.text):
            place = Span(block_id=block.id, start=match.start(), end=match.end())
            found.append(Mention(match["key"].strip(), place))
    return found


def _known_labels(paper: Manuscript) -> set[str]:
    known = {label for block in _body(paper) for label in block.labels}
    known |= {label.key for label in _labels(paper)}
    return known | {match["key"] for block in _body(paper) for match in LABEL_OPTION.finditer(block.text)}


def _last_arguments(paper: Manuscript) -> set[str]:
    """What stands last in any pair of braces that belongs to no reference."""
    texts = (ANY_REF.sub(" ", block.text) for block in _body(paper))
    return {found.strip() for text in texts for found in re.findall(r"[{,:]([^{},:]*)\}", text)}


def _may_be_set(paper: Manuscript, key: str, arguments: set[str]) -> bool:
    r"""True if something that is no `\label` may set this label: a macro, or a branch that was left out."""
    if key.rsplit(":", 1)[-1].strip() in arguments:
        return True
    return any(key in hidden.text for hidden in paper.hidden if hidden.kind == "dead-branch")


def _grouped(mentions: list[Mention]) -> dict[str, list[Span]]:
    places: dict[str, list[Span]] = {}
    for mention in mentions:
        places.setdefault(mention.key, []).append(mention.place)
    return places


def _missing_labels(paper: Manuscript, refs: list[Mention]) -> Iterator[Remark]:
    known, arguments = _known_labels(paper), _last_arguments(paper)
    for key, places in _grouped(refs).items():
        if key in known or _may_be_set(paper, key, arguments):
            continue
        commented = any(f"{{{key}}}" in hidden.text for hidden in paper.hidden if hidden.kind == "comment")
        where = "; it stands only in a comment" if commented else ""
        yield Remark(
            title=f"No label “{key}”",
            body=f"The text refers to “{key}” at {_times(places)}, and no label has this name{where}. "
            "The reader sees ?? there.",
            severity="moderate",
            quote=paper.text_of(places[0]),
            arithmetic=f"0 of {many(len(known), 'label is', 'labels are')} called “{key}”",
            places=(places[0],),
        )


def _double_labels(paper: Manuscript, refs: list[Mention]) -> Iterator[Remark]:
    # Branches that depend on a switch may hold the same label once each.
    if any(BRANCH.search(block.text) for block in paper.blocks):
        return
    used = _grouped(refs)
    defined = _definitions(paper)
    for key in [key for key in defined if key in used and len(defined[key]) > 1]:
        places = defined[key]
        yield Remark(
            title=f"The label “{key}” is defined {len(places)} times",
            body=f"The text refers to “{key}” at {_times(used[key])}; LaTeX takes the last definition, "
            "so a mention that means another one prints the wrong number.",
            severity="minor",
            quote=paper.text_of(places[0]),
            against=paper.text_of(places[-1]),
            arithmetic=f"“{key}” is defined {len(places)} times, and has one number",
            places=(places[0], places[-1]),
        )


def _definitions(paper: Manuscript) -> dict[str, list[Span]]:
    r"""Where each label is defined: at each `\label`, or at each block that has it under another number.

    A float may carry its label in its text, its caption and its table at once: that is one definition.
    """
    places = _grouped(_labels(paper))
    numbered: dict[str, dict[str, Span]] = {}
    for block in _body(paper):
        for key in block.labels:
            if block.number is not None:
                numbered.setdefault(key, {}).setdefault(block.number, _start_of(block))
    for key, spans in numbered.items():
        if len(spans) > len(places.get(key, ())):
            places[key] = list(spans.values())
    return places


def _start_of(block: Block) -> Span:
    text = block.text
    end = len(text) if len(text) <= LONGEST_QUOTE else text.rfind(" ", 0, LONGEST_QUOTE)
    return Span(block_id=block.id, start=0, end=end if end > 0 else LONGEST_QUOTE)


def _missing_entries(paper: Manuscript) -> Iterator[Remark]:
    entries = {key.casefold() for block in paper.blocks if block.kind == "reference" for key in block.labels}
    cited = _grouped(_mentions(paper, CITE))
    missing = {key: places for key, places in cited.items() if key.casefold() not in entries}
    # Where most keys have no entry, the list that was read is not the one that is printed.
    if not entries or len(missing) * 2 > len(cited):
        return
    for key, places in missing.items():
        if key == "*":
            continue
        yield Remark(
            title=f"No entry “{key}” in the bibliography",
            body=f"The text cites “{key}” at {_times(places)}, and the bibliography has no such entry. "
            "The reader sees a question mark there.",
            severity="moderate",
            quote=paper.text_of(places[0]),
            arithmetic=f"0 of {many(len(entries), 'entry has', 'entries have')} the key “{key}”",
            places=(places[0],),
        )


def _times(places: list[Span]) -> str:
    return "1 place" if len(places) == 1 else f"{len(places)} places"
