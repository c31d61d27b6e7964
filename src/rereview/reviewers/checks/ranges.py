"""Values that a quantity of this name cannot have: a probability above 1, a negative variance, 31 June."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from rereview.reviewers.checks.prose import RUNNING, Passage, finding, passages, sentences
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark


class Impossible(NamedTuple):
    """A place with a value that cannot be, and why, in words and as a relation."""

    start: int
    end: int
    title: str
    why: str
    relation: str


@dataclass(frozen=True)
class Ranges:
    """A printed value that lies beyond what its own name allows.

    The name must stand right before the value; a lone letter (p, r, R²) counts only in a sentence that
    speaks of the statistic. What is denied, supposed or only asked about is left out.
    """

    name: ClassVar[str] = "ranges"

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings in reading order."""
        for passage in passages(paper, RUNNING | {"equation"}):
            text = passage.text
            forms = [
                (bound, form)
                for keys, (bound, form) in zip(_KEYS, _FORMS, strict=True)
                if any(key in text for key in keys) and form.search(text)
            ]
            if forms or _ANY.search(text):
                for start, end in sentences(passage.text):
                    for found in impossible(passage.text[start:end], forms):
                        yield self._remark(paper, passage, start, found)

    def _remark(self, paper: Manuscript, passage: Passage, at: int, found: Impossible) -> Remark:
        return finding(
            paper,
            passage.span(at + found.start, at + found.end),
            rule=self.name,
            title=found.title,
            body=found.why,
            arithmetic=found.relation,
        )


class Bound(NamedTuple):
    """What a quantity may be: its name as a pattern, its limits, and what the sentence must speak of."""

    named: str
    low: float | None
    high: float | None
    what: str
    context: str = ""
    percent: bool = False
    decimals: bool = False
    """True if only values with decimals count: the letter names other things that are whole."""


_IS = (
    r"(?:\s?\([A-Za-zα-ωΑ-Ω]\w{0,3}\))?\s?(?:=|≈|of|was|is|were|are|:)\s?(?:about |approximately |only |≈ ?)?"
)
_VALUE = (
    r"(?P<value>(?:[-−–]\s?)?(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+))(?P<percent>\s?%)?"
    r"(?![\w.,/^]*\d|\s?[×·]|\w|\s?[–-]\s?\d|\s?\()"
)
_SHARE = (
    r"(?:accuracy|precision|recall|sensitivity|specificity|prevalence|(?:survival|response|detection|success"
    r"|completion|attrition|dropout|mortality) rate|statistical power|coverage probability|proportion|share)"
)
_PEOPLE = (
    r"(?:patients|participants|subjects|samples|respondents|cases|observations|households|students|people"
    r"|individuals|women|men|children|records|images|documents|species|trials|instances|users|firms|farms"
    r"|schools|countries|genes|cells|reads|sequences|articles|papers|the (?:variance|sample|population|data))"
)
_CORRELATED = r"correlat|pearson|spearman|kendall"
_TESTED = r"significan|t-test|anova|regress|p-value|\bt\s?\(|F\s?\(|χ|n\.s\.|hypothes"
_FITTED = r"fit|regress|determination|explain|adjusted"
BOUNDS = (
    Bound(r"\b(?:with )?probabilit(?:y|ies)", 0, 1, "A probability"),
    Bound(r"\\?\bPr\s?[(\[][^()\[\]]{1,40}[)\]]", 0, 1, "A probability"),
    Bound(r"\bp[- ]values?", 0, 1, "A p-value"),
    Bound(r"(?<![\w^_])[pP](?=\s?=)", 0, 1, "A p-value", _TESTED, decimals=True),
    Bound(r"\bcorrelations?(?: coefficients?)?", -1, 1, "A correlation"),
    Bound(r"(?<![\w^_])[rρ](?=\s?=)", -1, 1, "A correlation", _CORRELATED, decimals=True),
    Bound(
        r"(?<![\w^_])R\s?(?:\^2|²)(?=\s?=)", None, 1, "A share of explained variance", _FITTED, decimals=True
    ),
    Bound(r"\b(?:sample |population |error )?variances?", 0, None, "A variance"),
    Bound(r"\bstandard (?:deviations?|errors?)", 0, None, "A standard deviation or error"),
    Bound(r"\b(?:SD|SE)(?=\s?=)", 0, None, "A standard deviation or error"),
    Bound(r"\bsample sizes?", 0, None, "A sample size"),
    Bound(r"\blatitudes?", -90, 90, "A latitude"),
    Bound(_SHARE, 0, 100, "A share in percent", percent=True),
)
_KEYS = (
    ("probabilit",), ("Pr",), ("value",), ("p =", "p=", "P =", "P="), ("correlation",),
    ("r =", "r=", "ρ =", "ρ="), ("R^2", "R²", "R ^2"), ("variance",), ("standard ",), ("SD", "SE"),
    ("sample size",), ("latitude",), ("%",),
)  # fmt: skip
"""What a passage must hold for each of the bounds: looked for first, because it is quick."""
_OPEN = re.compile(
    r"\b(?:never|cannot|can't|impossible|if|unless|would|could|should|suppose|assum\w+|hypothetical\w*"
    r"|unphysical|nonsens\w+|exceed\w*|beyond|greater than|larger than|increas\w+|improv\w+|relative|ratio"
    r"|change[sd]?|decrease[sd]?|reduc\w+|difference|extrapolat\w+|negative|outside|invalid|error|bug)\b",
    re.IGNORECASE,
)


def impossible(sentence: str, forms: Sequence[tuple[Bound, re.Pattern[str]]]) -> Iterator[Impossible]:
    """The values of a sentence that cannot be, among those that `forms` read."""
    if not _ANY.search(sentence):
        return
    for bound, form in forms:
        if bound.context and not re.search(bound.context, sentence, re.IGNORECASE):
            continue
        for found in form.finditer(sentence):
            if _OPEN.search(sentence, max(0, found.start() - _NEAR), found.end() + _NEAR):
                continue
            if wrong := _beyond(bound, found):
                yield wrong
    yield from _shares(sentence)
    yield from _signs(sentence)
    yield from _dates(sentence)


_NEAR = 60
_ANY = re.compile(r"\d|[<≤]\s?0")
_FORMS = tuple((bound, re.compile(rf"(?:{bound.named}){_IS}{_VALUE}")) for bound in BOUNDS)


def _beyond(bound: Bound, found: re.Match[str]) -> Impossible | None:
    value = float(re.sub(r"[\s,]", "", found["value"]).replace("−", "-").replace("–", "-"))
    if (bound.percent and not found["percent"]) or (bound.decimals and "." not in found["value"]):
        return None
    scale = 100 if found["percent"] and not bound.percent and bound.high == 1 else 1
    printed = found["value"] + (found["percent"] or "")
    if bound.high is not None and value > (most := bound.high * scale):
        return _impossible(found, bound.what, f"at most {most:g}", f"{printed} > {most:g}")
    if bound.low is not None and value < (least := bound.low * scale):
        return _impossible(found, bound.what, f"at least {least:g}", f"{printed} < {least:g}")
    return None


def _impossible(found: re.Match[str], what: str, limit: str, relation: str) -> Impossible:
    title = f"{what} that cannot be"
    return Impossible(found.start(), found.end(), title, f"{what} is {limit}.", relation)


_SHARE_OF = re.compile(
    rf"(?<![\w.,])(?P<value>\d{{3,}}(?:\.\d+)?)\s?%\sof(?: all| the| our| these)?\s{_PEOPLE}\b"
)
_SHARE_VERB = re.compile(
    r"\b(?:compris\w+|constitut\w+|account\w* for|mak\w+ up|represent\w*)\s(?:only |about |approximately )?"
    r"(?P<value>\d{3,}(?:\.\d+)?)\s?%(?!\s(?:increase|growth|rise|improvement|gain|change|more|higher))"
)


def _shares(sentence: str) -> Iterator[Impossible]:
    """More than all of a group of people or things."""
    for form in (_SHARE_OF, _SHARE_VERB):
        for found in form.finditer(sentence):
            if float(found["value"]) > 100 and not _OPEN.search(sentence[: found.start()]):  # noqa: PLR2004 - percent
                yield _impossible(found, "A share in percent", "at most 100", f"{found['value']}% > 100%")


_POSITIVE = re.compile(
    r"\b(?P<what>scale parameters?|standard deviations?|variances?|bandwidths?|temperatures?|sample sizes?"
    r"|lengths?|distances?|radi(?:us|i)|mass(?:es)?|step sizes?|learning rates?)\s"
    r"\(?(?P<symbol>[A-Za-zα-ω](?:_\w+)?(?:\^2)?)\s?(?P<relation><|≤)\s?0(?![\w.])"
)


def _signs(sentence: str) -> Iterator[Impossible]:
    """A quantity that is positive by its nature, said to be negative."""
    for found in _POSITIVE.finditer(sentence):
        if not _OPEN.search(sentence[: found.start()]):
            yield _impossible(
                found,
                f"A {found['what'].rstrip('s')}",
                "positive",
                f"{found['symbol']} {found['relation']} 0",
            )


# Dates.

_MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_DATES = (
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\sof)?\s{_MONTH}(?:,?\s(?P<year>[12]\d{{3}}))?\b"),
    re.compile(rf"\b{_MONTH}\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,\s(?P<year>[12]\d{{3}})\b"),
    re.compile(rf"\b(?:on|until|since|by)\s{_MONTH}\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\s?[–-])"),
    re.compile(r"(?<![\w-])(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)-(?P<day>\d\d)(?![\w-])"),
)
_YEARS = re.compile(
    r"\b(?P<word>between|from|[Bb]etween|[Ff]rom)\s(?P<first>(?:19|20)\d\d)\s(?P<to>and|to|through|until)\s"
    r"(?P<last>(?:19|20)\d\d)\b(?!\s?(?:[A-Za-z]?K|kg|mm|km|m|nm|Å|s|ms|Hz|B\.?C|[%×]))"
)
_BACK = re.compile(
    r"\b(?:back|backward\w*|revers\w+|dropp\w+|fell|fall\w*|decreas\w+|declin\w+|reduc\w+|wavelength"
    r"|temperatur\w+|pixels?|tokens?|steps?|epochs?|samples?|lower\w*|BCE?)\b|\\AA|cm",
    re.IGNORECASE,
)


def _dates(sentence: str) -> Iterator[Impossible]:
    """Days that no month has, and periods that end before they begin."""
    for form in _DATES:
        for found in form.finditer(sentence):
            if wrong := _date(found):
                yield wrong
    for found in _YEARS.finditer(sentence):
        straight = (found["word"].lower() == "between") == (found["to"] == "and")
        if straight and found["last"] < found["first"] and not _BACK.search(sentence):
            title, why = "A period that ends before it begins", "The years run backwards."
            yield Impossible(*found.span(), title, why, f"{found['first']} > {found['last']}")


def _date(found: re.Match[str]) -> Impossible | None:
    groups = found.groupdict()
    day = int(found["day"])
    month = int(groups["number"]) if groups.get("number") else _MONTHS.index(found["month"]) + 1
    if not 1 <= month <= len(_MONTHS):
        return _impossible(
            found, "A date", "in one of 12 months", f"month {month} > 12" if month else "month 0"
        )
    days = monthrange(int(groups["year"]) if groups.get("year") else 2000, month)[1]
    if day > days:
        when = f"{_MONTHS[month - 1]} {groups['year']}" if groups.get("year") else _MONTHS[month - 1]
        return _impossible(found, "A date", f"one of the {days} days of {when}", f"{day} > {days}")
    return None
