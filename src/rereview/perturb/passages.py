"""What a passage of running text is: a claim or argument, an account of an experiment, a theorem, a proof."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rereview.perturb.statements import head
from rereview.types.edit import CandidateKind
from rereview.types.manuscript import Macro

LEAST_WORDS = 8
LEAST_LETTERS = 40
_LEAST_SIGNS = 20
"""Of a script without spaces between its words."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_LETTER = re.compile(r"[^\W\d_]")
_SIGN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SENTENCE = re.compile(r"[.!?;:…。！？；：]")
_END_OF_PROOF = re.compile(
    r"\\(?:qed|qedhere|qedsymbol|square|Box|blacksquare|QED|hfill\\(?:qed|square|Box))(?![A-Za-z])"
    r"|[∎□■◻◼▢]|\bQ\.\s?E\.\s?D\b"
)
_CONTROL = re.compile(r"\\[A-Za-z]+")
_MACRO_FIRST = re.compile(r"(?:\s|\\noindent(?![A-Za-z]))*(?P<macro>\\[A-Za-z]+)(?:\{\})?")
_LONGEST_PROOF = 60
"""Passages; a proof without an end mark that is followed by another one must not swallow it."""

_NOT_READ = re.compile(
    r"\b(?:bibliograph|references?\b|acknowledg|funding|author contribution|contributions? of author"
    r"|(?:data|code|software)[\w ,]*availab|availability of|competing|conflicts? of interest|disclosure"
    r"|declarations?\b|ethic|consent\b|keywords|abbreviations|nomenclature|glossary|about the author"
    r"|table of contents)",
    re.IGNORECASE,
)
_NO_EXPERIMENT = re.compile(
    r"\b(?:introduct|related|background|literature|previous work|prior work|discussion|conclu|outlook"
    r"|future|limitation|theor(?:y|etical|em)|proofs?\b|prelimin|notation|definitions?\b|motivation"
    r"|abstract|overview|summary|contributions?\b|problem (?:statement|formulation|setting)|implications?\b)",
    re.IGNORECASE,
)
_EXPERIMENT = re.compile(
    r"\b(?:experiment|results?\b|evaluat|empiric|numeric|simulat|case[- ]stud|ablation|benchmark|datas?\b"
    r"|data\s?sets?\b|datasets?\b|analys[ie]s|analy[sz]ing|methods?\b|methodolog|approach|statistic|measure"
    r"|set-?\s?up|implementation|robust|findings?\b|comparison|estimat|applications?\b|materials|observ"
    r"|performance|validation|study|participants|procedure|protocol|sampl|training|hyperparameter|metrics?\b"
    r"|baselines?\b|apparatus|instrument|cohort|subjects|trial|calibrat|sensitivity|efficiency|scalab|error"
    r"|illustrat|examples?\b|effectiveness|accuracy|treatment|survey|findings)",
    re.IGNORECASE,
)
_WITH_DISCUSSION = re.compile(r"\b(?:results?|experiments?|analysis|findings) (?:and|&|\\&) ", re.IGNORECASE)
"""A section that reports and discusses reports."""
_REPORTS = re.compile(
    r"\\(?:auto|c|C)?ref\*?\{(?:fig|tab)|\b(?:Fig(?:ure|s)?|Tab(?:le|s)?)\.?[\s~]*(?:\\(?:auto|c|C)?ref|\d)"
    r"|\bp\s*[<=>]\s*0?\.\d|\b(?:we|were|was)\s+(?:measured|observed|recorded|sampled|simulated|trained|fitted)"
)


@dataclass(frozen=True)
class Passage:
    """`text[start:end]` between blank lines; `prose` is what of it is read as words."""

    start: int
    end: int
    headings: tuple[str, ...]
    """Those above, the outer one first."""
    prose: str


@dataclass(frozen=True)
class Abbreviations:
    r"""Macros of the paper that print a head (`\prf` for "Proof.") or the mark at the end of a proof."""

    heads: Mapping[str, CandidateKind] = field(default_factory=dict)
    ends: frozenset[str] = frozenset()

    def head(self, text: str, start: int, end: int) -> tuple[CandidateKind, int] | None:
        """What a passage announces, and where the head ends."""
        plain = head(text, start, end)
        if plain is not None or not self.heads:
            return plain
        found = _MACRO_FIRST.match(text, start, end)
        kind = self.heads.get(found["macro"]) if found else None
        return (kind, found.end()) if found and kind else None

    def closes(self, text: str, start: int, end: int) -> bool:
        """Whether a proof ends in a passage."""
        if _END_OF_PROOF.search(text, start, end):
            return True
        return bool(self.ends) and any(m.group() in self.ends for m in _CONTROL.finditer(text, start, end))


NONE = Abbreviations()


def abbreviations(macros: Iterable[Macro]) -> Abbreviations:
    """Those among the macros of a paper, by what they expand to."""
    bodies = {macro.name: f"{macro.body.rstrip()} " for macro in macros if macro.arguments == 0}
    heads = {name: found[0] for name, body in bodies.items() if (found := head(body, 0, len(body)))}
    ends = (name for name, body in bodies.items() if name not in heads and _END_OF_PROOF.search(body))
    return Abbreviations(heads, frozenset(ends))


Found = tuple[CandidateKind, int, int]


def is_prose(prose: str) -> bool:
    """True for running text that can claim something: some eight words with the end of a sentence."""
    if len(_SIGN.findall(prose)) >= _LEAST_SIGNS:
        return True
    words, letters = len(_WORD.findall(prose)), len(_LETTER.findall(prose))
    return words >= LEAST_WORDS and letters >= LEAST_LETTERS and _SENTENCE.search(prose) is not None


def is_read(headings: Sequence[str]) -> bool:
    """False below headings such as References, Acknowledgements or Funding."""
    return not any(_NOT_READ.search(title) for title in headings)


def is_experiment(headings: Sequence[str], text: str, *, headed: bool) -> bool:
    """True for a passage on experimental set-up or results, as its headings say it; the inner one first.

    `headed`: some heading of the paper speaks of experiments. Where none does (letters have none), a
    passage that speaks of figures, tables or measurements is one.
    """
    for title in reversed(headings):
        if _WITH_DISCUSSION.search(title):
            return True
        if _NO_EXPERIMENT.search(title):
            return False
        if _EXPERIMENT.search(title):
            return True
    return not headed and _REPORTS.search(text) is not None


def speaks_of_experiments(title: str) -> bool:
    """True for a heading of experiments, data, methods or results."""
    return _EXPERIMENT.search(title) is not None and _NO_EXPERIMENT.search(title) is None


def kinds(text: str, passages: Sequence[Passage], known: Abbreviations = NONE) -> Iterator[Found]:
    """What each passage is, with its range; a proof takes the passages up to its end mark with it."""
    headed = any(speaks_of_experiments(title) for each in passages for title in each.headings)
    index = 0
    while index < len(passages):
        each = passages[index]
        announced = known.head(text, each.start, each.end)
        index += 1
        if announced is not None:
            last = _last_of(text, passages, index - 1, known) if announced[0] == "proof" else index - 1
            if announced[1] < passages[last].end:
                yield announced[0], each.start, passages[last].end
            index = last + 1
        elif is_read(each.headings) and is_prose(each.prose):
            experiment = is_experiment(each.headings, text[each.start : each.end], headed=headed)
            yield ("experiment" if experiment else "paragraph"), each.start, each.end


def _last_of(text: str, passages: Sequence[Passage], first: int, known: Abbreviations) -> int:
    """The index of the passage in which a proof ends: its own, if none that follows has the mark."""
    for index in range(first, min(first + _LONGEST_PROOF, len(passages))):
        each = passages[index]
        if each.headings != passages[first].headings:
            break
        if index > first and known.head(text, each.start, each.end) is not None:
            break
        if known.closes(text, each.start, each.end):
            return index
    return first
