"""Test statistics that are printed with their degrees of freedom, recomputed to their p-values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, NamedTuple

from scipy import stats

from rereview.reviewers.checks.prose import Passage, around, finding, passages
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark

Kind = Literal["t", "F", "r", "chi2", "z"]


class Printed(NamedTuple):
    """A printed number with its relation (`=`, `<`, `>`); `half` is half a unit of its last place."""

    relation: str
    value: float
    half: float
    text: str


class Test(NamedTuple):
    """One printed test; `start:end` is its place in the passage."""

    kind: Kind
    degrees: tuple[float, ...]
    statistic: Printed
    p: Printed
    start: int
    end: int


@dataclass(frozen=True)
class PValues:
    """A p-value that its own test statistic contradicts whatever the rounding was.

    As statcheck does: two-sided tests; one-sided ones where the paper speaks of them; all statistics
    that round to the printed one. Beyond that: where the paper speaks of a correction, of exact tests
    or of resampling, a p-value that is too large is right, and `p = .000` means less than .0005.
    Nuijten et al. (2016), The prevalence of statistical reporting errors in psychology, Behav. Res. 48.
    """

    name: ClassVar[str] = "p-values"

    alpha: float = 0.05

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings in reading order."""
        read = list(passages(paper))
        one_sided = any(ONE_SIDED.search(passage.text) for passage in read)
        corrected = any(CORRECTED.search(passage.text) for passage in read)
        for passage in read:
            for test in tests(passage.text):
                other = _OTHER.search(around(passage.text, test.start, test.end, 150))
                if not other and not holds(test, one_sided=one_sided, corrected=corrected):
                    yield self._remark(paper, passage, test)

    def _remark(self, paper: Manuscript, passage: Passage, test: Test) -> Remark:
        computed = p_value(test.kind, test.degrees, test.statistic.value)
        decides = (computed <= self.alpha) != _claims_significance(test.p, self.alpha)
        low, high = p_range(test)
        return finding(
            paper,
            passage.span(test.start, test.end),
            rule=self.name,
            title="A p-value does not follow from its test statistic",
            body=f"Recomputed from the statistic and its degrees of freedom, p is {shown(computed)}."
            + (f" The two stand on different sides of {self.alpha:g}." if decides else ""),
            arithmetic=f"{_named(test)} gives p = {shown(computed)} (two-sided; {shown(low)} to {shown(high)}"
            f" by rounding); printed: p {test.p.relation} {test.p.text}",
            severity="major" if decides else "moderate",
        )


ONE_SIDED = re.compile(r"one[-‐ ](?:sided|tailed)|directional", re.IGNORECASE)
CORRECTED = re.compile(
    r"bonferroni|\bholm\b|tukey|\bFDR\b|false discovery|benjamini|šid[aá]k|sidak|scheff|dunnett|dunn[’']s"
    r"|(?:adjusted|corrected)\s+(?:p\b|p[- ]?values?|for multiple)|p_?adj|greenhouse|huynh|sphericity",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"permutation|bootstrap|exact test|exact p|randomi[sz]ation|monte[- ]carlo|mann[-–]whitney|wilcoxon"
    r"|\bBayes\w*|\bp_?rep\b|equivalence|non-?inferiority|if\b[^.]{0,40}\bhad been|instead of|erroneous"
    r"|misreport|incorrect",
    re.IGNORECASE,
)

# How tests are printed.

_DF = r"\d+(?:,\d{3})*(?:\.\d+)?"
_HEAD = (
    r"(?<![\w.^])(?:"
    rf"(?P<t>t)\s?[(\[]\s?(?P<tdf>{_DF})\s?[)\]]"
    rf"|(?P<F>F)\s?[(\[]\s?(?P<df1>{_DF})\s?,\s?(?P<df2>{_DF})\s?[)\]]"
    rf"|(?P<r>r)\s?[(\[]\s?(?P<rdf>{_DF})\s?[)\]]"
    r"|(?P<chi2>(?:χ\s?(?:\^?\s?2|²)|chi\s?(?:\^?2|²|-?squared?)|Q))\s?[(\[]\s?"
    rf"(?:df\s?=\s?)?(?P<cdf>{_DF})(?:\s?,\s?[Nn]\s?=\s?{_DF})?\s?[)\]]"
    r"|(?P<z>[zZ])(?=\s?=))"
)
_EXPONENT = r"[\d.]\d|\s?[×·]\s?10|\s?[eE][-−]?\d|%"
_TEST = re.compile(
    rf"{_HEAD}\s?(?P<rel>[=<>])\s?(?P<value>[-−–]?\s?(?:{_DF}|\.\d+))(?!{_EXPONENT})"
    r"\s?[,;]\s?(?:\w{1,12}\s?=\s?[-−–]?\d*\.?\d+\s?[,;]\s?)?"
    r"(?:\d\d\s?%\s?CI:?\s?[\[(][^\])]{3,30}[\])]\s?[,;]\s?)?(?:two[- ]\w+\s)?"
    rf"[pP](?:\s?[- ]values?)?\s?(?P<prel>[=<>])\s?(?P<p>0?\.\d+|1\.0+|0|1)(?!{_EXPONENT})"
)

_SAYS_P = re.compile(r"\b[pP](?:\s?[- ]values?)?\s?[=<>]")


def tests(text: str) -> Iterator[Test]:
    """The tests that are printed with statistic, degrees of freedom and p-value, in order."""
    if not _SAYS_P.search(text):
        return
    for found in _TEST.finditer(text):
        kind: Kind = next(kind for kind in ("t", "F", "r", "chi2", "z") if found[kind])
        degrees = [found[name] for name in ("tdf", "df1", "df2", "rdf", "cdf") if found[name]]
        yield Test(
            kind,
            tuple(float(each.replace(",", "")) for each in degrees),
            _printed(found["rel"], found["value"]),
            _printed(found["prel"], found["p"]),
            found.start(),
            found.end(),
        )


def _printed(relation: str, text: str) -> Printed:
    digits = re.sub(r"[\s,]", "", text).replace("−", "-").replace("–", "-")
    places = len(digits.partition(".")[2])
    return Printed(relation, float(digits), float(Fraction(1, 2 * 10**places)), digits.lstrip("+"))


# Their arithmetic.


def p_value(kind: Kind, degrees: tuple[float, ...], statistic: float) -> float:
    """The p-value of a statistic: two-sided for t, r and z; NaN where there is none (|r| above 1)."""
    size = abs(statistic)
    match kind:
        case "t":
            return float(2 * stats.t.sf(size, degrees[0]))
        case "F":
            return float(stats.f.sf(statistic, *degrees))
        case "r":
            if size >= 1:
                return 0.0 if size == 1 else float("nan")
            return float(2 * stats.t.sf(size * (degrees[0] / (1 - size**2)) ** 0.5, degrees[0]))
        case "chi2":
            return float(stats.chi2.sf(statistic, degrees[0]))
        case "z":
            return float(2 * stats.norm.sf(size))


def p_range(test: Test) -> tuple[float, float]:
    """Least and greatest p-value of the statistics that are printed so, with their relation."""
    size, half = abs(test.statistic.value), test.statistic.half
    near, far = max(size - half, 0.0), size + half
    if test.kind == "r":
        far = min(far, 1.0)
    low, high = p_value(test.kind, test.degrees, far), p_value(test.kind, test.degrees, near)
    if test.statistic.relation == "<":
        return low, 1.0
    return (0.0, high) if test.statistic.relation == ">" else (low, high)


def holds(test: Test, *, one_sided: bool = False, corrected: bool = False) -> bool:
    """True if the printed p-value can be right.

    `one_sided`: half of the two-sided value is right too. `corrected`: so is any larger one.
    """
    if _is_no_test(test):
        return True
    low, high = p_range(test)
    if one_sided and test.kind in {"t", "r", "z"} and _agrees(test.p, low / 2, high / 2):
        return True
    return _agrees(test.p, low, high) or (corrected and test.p.relation != ">" and test.p.value > low)


def _is_no_test(test: Test) -> bool:
    """True for numbers that no such test has: these are misread, or another rule's matter."""
    impossible = test.kind in {"F", "chi2"} and test.statistic.value < 0
    return impossible or 0 in test.degrees or (test.kind == "r" and abs(test.statistic.value) > 1)


def _agrees(printed: Printed, low: float, high: float) -> bool:
    """True if some p-value from `low` to `high` is printed so. Cut digits and limits themselves are right."""
    tiny = 1e-9
    match printed.relation:
        case "<":
            return low <= printed.value + tiny
        case ">":
            return high >= printed.value - tiny
        case _:
            return low - printed.half <= printed.value + tiny and printed.value - tiny <= high + printed.half


def _claims_significance(printed: Printed, alpha: float) -> bool:
    return printed.value <= alpha and printed.relation != ">"


def _named(test: Test) -> str:
    degrees = ", ".join(f"{each:g}" for each in test.degrees)
    name = {"chi2": "χ²"}.get(test.kind, test.kind)
    return (
        f"{name}({degrees}) {test.statistic.relation} {test.statistic.text}"
        if degrees
        else (f"{name} {test.statistic.relation} {test.statistic.text}")
    )


def shown(p: float) -> str:
    """A p-value with three significant digits."""
    return f"{p:.2g}" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004 - as papers print them
