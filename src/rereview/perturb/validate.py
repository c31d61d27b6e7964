r"""Which edits cannot be injected, by rules alone (benchmarking paper, appendix, structural validation).

What is tested is the edit in its place, as TeX would read it: `$x$` to `$y$` before another `$` glues two
formulas together, `\alpha` before a letter becomes another command, and a comment at the end of a
replacement eats what follows it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from rereview.perturb.places import MARKDOWN
from rereview.perturb.taxonomy import EQUATIONS, admissible
from rereview.text.edits import overlap
from rereview.text.latex import PLAIN, Token, Vocabulary, tokens
from rereview.text.modes import Region, nest
from rereview.types.edit import Perturbation
from rereview.types.manuscript import SourceSpan, Span

Reason = Literal[
    "not-there",
    "label",
    "blank",
    "identical",
    "duplicate",
    "overlap",
    "delimiters",
    "unbalanced",
    "boundary",
]
REASONS: Mapping[Reason, str] = {
    "not-there": "the original does not stand at its span",
    "label": "a kind of error that does not fit the kind of place",
    "blank": "nothing but white space or comments",
    "identical": "the original, but for white space and comments",
    "duplicate": "a second edit of one place",
    "overlap": "shares characters with an accepted edit of its run",
    "delimiters": "a formula, theorem or proof that has lost its delimiters",
    "unbalanced": "braces, dollar signs, \\left and \\right or environments that were balanced before",
    "boundary": "runs into what stands before or after it",
}
"""Each reason in words; the order is that in which they are looked for."""

_WORD_BEFORE = re.compile(r"\\[A-Za-z]+\Z")
_LETTER = re.compile(r"[A-Za-z]")
_DIGITS = re.compile(r"\d\Z"), re.compile(r"\d")
_HALF = re.compile(r"(?<!\\)(?:\\\\)*\\\Z")
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r(?!\n))")
_SCRIPT_BEFORE = re.compile(r"[\^_]\s*(?:\{[^{}]*\}|[^{}\s\\]|\\[A-Za-z]+)\s*\Z")
_SCRIPT = re.compile(r"\s*[\^_]")
_BREAK_BEFORE = re.compile(r"\\\\\*?\s*\Z")
_BREAK_OPTION = re.compile(r"\s*(?:\[|\*)")
_NEAR = 80
_ENCLOSED = frozenset({*EQUATIONS, "definition", "theorem", "proof"})


def validated(
    files: Mapping[str, str], perturbations: Iterable[Perturbation], known: Vocabulary = PLAIN
) -> tuple[Perturbation, ...]:
    """Each perturbation with the reason for which it is rejected, if it is; the earlier one has its place.

    `files`: the clean texts by name. `known`: what the paper declares. One that was rejected before stays so.
    """
    accepted: dict[str, list[Perturbation]] = {}
    done: list[Perturbation] = []
    for each in perturbations:
        own = accepted.setdefault(each.run, [])
        reason = each.rejected or fault(files, each, own, known)
        if reason is None:
            own.append(each)
        done.append(each if reason == each.rejected else each.model_copy(update={"rejected": reason}))
    return tuple(done)


def fault(
    files: Mapping[str, str],
    edit: Perturbation,
    accepted: Sequence[Perturbation] = (),
    known: Vocabulary = PLAIN,
) -> Reason | None:
    """Why an edit cannot be injected beside those that are accepted; None where it can."""
    span = edit.span
    text = files.get(span.file) if isinstance(span, SourceSpan) else None
    if text is None or text[span.start : span.end] != edit.original:
        return "not-there"
    if edit.error not in admissible(edit.kind):
        return "label"
    if _file(edit.span).lower().endswith(MARKDOWN):
        text, edit = (
            _percent_is_plain(text),
            edit.model_copy(
                update={
                    "original": _percent_is_plain(edit.original),
                    "replacement": _percent_is_plain(edit.replacement),
                }
            ),
        )
    return _taken(edit, accepted) or _inside(edit, known) or _at_the_ends(text, edit, known)


def _percent_is_plain(text: str) -> str:
    """Outside of TeX no comment begins at a `%`."""
    return text.replace("%", "\N{PER MILLE SIGN}")


def _taken(edit: Perturbation, accepted: Sequence[Perturbation]) -> Reason | None:
    for other in accepted:
        if _file(other.span) == _file(edit.span):
            ours, theirs = (edit.span.start, edit.span.end), (other.span.start, other.span.end)
            if ours == theirs:
                return "duplicate"
            if overlap(ours, theirs):
                return "overlap"
    return None


def _file(span: SourceSpan | Span) -> str:
    return span.file if isinstance(span, SourceSpan) else span.block_id


def _inside(edit: Perturbation, known: Vocabulary) -> Reason | None:
    """What is wrong with a replacement wherever it may stand."""
    before, after = tokens(edit.original, known), tokens(edit.replacement, known)
    if not _shown(edit.replacement, after):
        return "blank"
    if _shown(edit.original, before) == _shown(edit.replacement, after):
        return "identical"
    if edit.kind in _ENCLOSED:
        was, now = _whole(edit.original, before), _whole(edit.replacement, after)
        if was is not None and (now is None or was != now):
            return "delimiters"
    if _faults(edit.replacement, after) - _faults(edit.original, before):
        return "unbalanced"
    return None


def _shown(source: str, found: Sequence[Token]) -> str:
    """What TeX reads of a source, with one space for white space of any kind."""
    kept = (source[t.start : t.end] for t in found if t.kind not in {"comment", "dead"})
    return " ".join("".join(kept).split())


def _whole(source: str, found: Sequence[Token]) -> str | None:
    """The name of the region that is the whole of a source; None where none is."""
    regions = nest(source, found).regions
    if regions and regions[0].start == 0 and regions[0].end == len(source.rstrip()):
        return _named(regions[0])
    return None


def _named(region: Region) -> str:
    """The name of an environment; a formula may change its own, say from `equation` to `equation*`."""
    return region.name.rstrip("*") if region.kind == "environment" else region.kind


def _faults(source: str, found: Sequence[Token]) -> Counter[str]:
    r"""What does not match, and how often: braces, dollars, environments, `\left` and `\right`."""
    faults = Counter(problem.what for problem in nest(source, found).problems)
    sides = Counter(token.name for token in found if token.name in {"\\left", "\\right"})
    faults["\\left alone"] = sides["\\left"] - sides["\\right"]
    faults["\\right alone"] = sides["\\right"] - sides["\\left"]
    math = [region for region in nest(source, found).regions if region.kind != "environment"]
    faults["blank line in a formula"] = sum(
        _BLANK_LINE.search(source, region.body_start, region.body_end) is not None for region in math
    )
    return +faults


def _at_the_ends(text: str, edit: Perturbation, known: Vocabulary) -> Reason | None:
    """Whether a replacement is read as another thing with what stands before or after it."""
    start, end = edit.span.start, edit.span.end
    before, after = text[max(start - _NEAR, 0) : start], text[end : end + _NEAR]
    if _glued(before, edit.replacement, after) > _glued(before, edit.original, after):
        return "boundary"
    line = text.rfind("\n", 0, start) + 1
    around = text[max(line, start - _NEAR) : start], after
    clean, corrupted = f"{around[0]}{edit.original}", f"{around[0]}{edit.replacement}"
    if _open_comment(clean, known) != _open_comment(corrupted, known) and after[:1] not in {"", "\r", "\n"}:
        return "boundary"
    return None


def _open_comment(source: str, known: Vocabulary) -> bool:
    found = tokens(source, known)
    return bool(found) and found[-1].kind == "comment" and not source.endswith(("\n", "\r"))


def _glued(before: str, middle: str, after: str) -> int:
    """In how many ways a text runs into its neighbours."""
    return sum(
        (
            bool(_WORD_BEFORE.search(before) and _LETTER.match(middle)),
            bool(_WORD_BEFORE.search(middle) and _LETTER.match(after)),
            bool(_DIGITS[0].search(before) and _DIGITS[1].match(middle)),
            bool(_DIGITS[0].search(middle) and _DIGITS[1].match(after)),
            _dollars(before, middle),
            _dollars(middle, after),
            bool(_HALF.search(middle) and after),
            bool(_SCRIPT_BEFORE.search(before) and _SCRIPT.match(middle)),
            bool(_SCRIPT_BEFORE.search(middle) and _SCRIPT.match(after)),
            bool(_BREAK_BEFORE.search(before) and _BREAK_OPTION.match(middle)),
            bool(_BREAK_BEFORE.search(middle) and _BREAK_OPTION.match(after)),
        )
    )


def _dollars(left: str, right: str) -> bool:
    return left.endswith("$") and not left.endswith("\\$") and right.startswith("$")
