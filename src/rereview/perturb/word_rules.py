"""Errors in sentences: a quantifier, direction, cause or negation turned round, a case left out, a number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from rereview.perturb.formula_rules import other_values
from rereview.perturb.proposals import Proposal
from rereview.types.edit import ErrorType


class _Swap(NamedTuple):
    """Words, what they become, and what is wrong then."""

    old: str
    new: str
    why: str


def _both(text: str, why: str) -> Iterator[_Swap]:
    """Pairs in a text, `a|b` each, both ways."""
    for pair in text.split(","):
        one, other = (word.strip() for word in pair.split("|"))
        yield _Swap(one, other, why)
        yield _Swap(other, one, why)


def _ways(text: str, why: str) -> Iterator[_Swap]:
    """Pairs in a text, `a>b` each, one way."""
    for pair in text.split(","):
        one, other = (word.strip() for word in pair.split(">"))
        yield _Swap(one, other, why)


_DIRECTION = "The direction is wrong: it is {old}, not {new}."
_DIRECTIONS = (
    *_both(
        "increase|decrease, increases|decreases, increased|decreased, increasing|decreasing, higher|lower,"
        " highest|lowest, larger|smaller, largest|smallest, greater|smaller, stronger|weaker,"
        " improves|worsens, improved|worsened, improvement|deterioration, outperforms|underperforms,"
        " outperform|underperform, outperformed|underperformed, rises|falls, rose|fell, faster|slower,"
        " better|worse, positively|negatively, positive|negative, before|after,"
        " upper|lower, maximum|minimum, overestimates|underestimates, overestimate|underestimate,"
        " accelerates|slows, upward|downward, upwards|downwards, earlier|later, longer|shorter,"
        " wider|narrower, strengthens|weakens, exceeds|falls short of, majority|minority,"
        " consistent with|inconsistent with, unlikely|likely, robust to|sensitive to",
        _DIRECTION,
    ),
    *_ways("more>less, less>more, fewer>more", _DIRECTION),
)
_NEGATION = "The statement is denied where the paper affirms it, or affirmed where it denies: {old} is right."
_NEGATIONS = (
    *_ways(
        "does not>does, do not>do, did not>did, is not>is, are not>are, was not>was, were not>were,"
        " cannot>can, can not>can, has not>has, have not>have, has no>has a, without any>with some",
        _NEGATION,
    ),
)
_QUANTIFIER = "The quantifier is wrong: the statement is about {old}, and with {new} it is another one."
_QUANTIFIERS = (
    *_ways("for all>for some, for every>for some, for each>for some, for any>for some", _QUANTIFIER),
    *_ways("for some>for every, if and only if>if, at most one>at least one, a unique>a", _QUANTIFIER),
    *_both("at most|at least, necessary|sufficient, all of|some of", _QUANTIFIER),
)
_PROPERTY = "The property is wrong: {old} is what is needed and used, not {new}."
_PROPERTIES = (
    *_both(
        "convex|concave, finite|infinite, open|closed, even|odd, injective|surjective, bounded|unbounded,"
        " linearly independent|linearly dependent, lower bound|upper bound, minimal|maximal, left|right,"
        " sub-additive|super-additive, subadditive|superadditive, nonnegative|nonpositive,"
        " non-negative|non-positive, non-decreasing|non-increasing, nondecreasing|nonincreasing,"
        " symmetric|antisymmetric, lower semicontinuous|upper semicontinuous, row|column, rows|columns",
        _PROPERTY,
    ),
)
_CAUSE = "Cause and effect are exchanged: the paper has it the other way round, {old}."
_CAUSES = (
    *_both("leads to|results from, lead to|result from, led to|resulted from", _CAUSE),
    *_both("results in|results from, resulted in|resulted from", _CAUSE),
    *_ways(
        "causes>is caused by, caused by>causing, due to>leading to, driven by>driving, because of>leading to,"
        " induced by>inducing, explained by>explaining, affects>is affected by, influences>is influenced by,"
        " depends on>determines, depend on>determine, is determined by>determines, drives>is driven by,"
        " contributes to>is a consequence of, attributed to>the cause of, gives rise to>arises from,"
        " triggered by>triggering, produces>is produced by, enables>is enabled by, motivated by>motivating",
        _CAUSE,
    ),
)
_SELECTION = "This is selection after the fact: what is reported was chosen by its outcome, not {old}."
_LEAK = "The evaluation is not independent: {new} was used where the paper uses {old}."
_HACKS = (
    *_ways(
        "averaged over>taken as the best of, average over>best of, mean over>best over,"
        " averages over>best of, pre-registered>chosen after the results were known,"
        " preregistered>chosen after the results were known,"
        " pre-specified>selected after the results were known,"
        " fixed in advance>fixed after the results were known,"
        " randomly selected>selected for their effect, randomly chosen>chosen for their effect,"
        " chosen at random>chosen for their effect, at random>by their outcome,"
        " all participants>responding participants, all samples>the samples with an effect,"
        " all subjects>the subjects with an effect, all datasets>the datasets with a gain,"
        " all runs>the most favourable runs, default>best-performing,"
        " across all>across the most favourable, for all methods>for the proposed method only",
        _SELECTION,
    ),
    *_ways(
        "validation set>test set, validation data>test data, held-out>training, test set>training set,"
        " test data>training data, out-of-sample>in-sample, cross-validation>the fit to all data,"
        " cross-validated>fitted to all data, independent of>tuned on",
        _LEAK,
    ),
    *_ways(
        "two-sided>one-sided, two-tailed>one-tailed, corrected for>not corrected for,"
        " adjusted for>not adjusted for, Bonferroni>no, false discovery rate>uncorrected rate,"
        " control for>do not control for, controlling for>without controlling for,"
        " controlled for>not controlled for",
        "A safeguard against chance findings is gone: the paper has {old}.",
    ),
)
_MEANING = "The finding is misread: the data show {old}, not {new}."
_MEANINGS = (
    *_both(
        "statistically significant|not statistically significant, insignificant|significant,"
        " correlation|causation, association|causal effect, associated with|the cause of, suggests|proves,"
        " suggest|prove, indicates|proves, indicate|prove, consistent|contradictory, similar|different,"
        " comparable to|far better than, comparable|incomparable, modest|dramatic, slight|dramatic,"
        " slightly|dramatically, some|all, most|all, many|all, often|always, rarely|often, partially|fully",
        _MEANING,
    ),
)
_IMPLICATION = "The implication is turned round: it is {old}, and its converse does not follow."
_IMPLICATIONS = (
    *_both("implies that|is implied by the fact that", _IMPLICATION),
    *_ways("if and only if>only if, only if>if, it suffices to>it is necessary to", _IMPLICATION),
    *_ways("implies>is implied by, follows from>implies, it follows that>it is assumed that", _IMPLICATION),
)
_TABLE: Mapping[ErrorType, tuple[_Swap, ...]] = {
    "incorrect-claim": (*_QUANTIFIERS, *_PROPERTIES, *_NEGATIONS),
    "invalid-implication": (*_IMPLICATIONS, *_QUANTIFIERS, *_PROPERTIES),
    "incorrect-statement": (*_DIRECTIONS, *_NEGATIONS, *_PROPERTIES),
    "misinterpretation": (*_MEANINGS, *_DIRECTIONS, *_NEGATIONS),
    "causal-reversal": _CAUSES,
    "p-hacking": _HACKS,
}
_BY_OLD: Mapping[ErrorType, Mapping[str, _Swap]] = {
    error: {swap.old.lower(): swap for swap in reversed(swaps)} for error, swaps in _TABLE.items()
}
_PATTERNS: Mapping[ErrorType, re.Pattern[str]] = {
    error: re.compile(
        r"(?<![\w\\-])(?:"
        + "|".join(re.escape(old).replace(r"\ ", r"\s+") for old in sorted(swaps, key=len, reverse=True))
        + r")(?![\w-])",
        re.IGNORECASE,
    )
    for error, swaps in _BY_OLD.items()
}
_DENIED = re.compile(r"(?:\b(?:not|no|nor|never|neither|without)\s+(?:\w+\s+)?)\Z", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<![\w.\\,/:-])(?P<number>\d+(?:\.\d+)?)(?=\s*(?:\\?%|~|\\,|\s)\s*[A-Za-z%\\\s]|\\?%)(?![\w,]|\.\d)"
)
_REFERRED = re.compile(
    r"(?:Fig(?:ure|s)?|Tab(?:le|s)?|Sec(?:tion|t)?|Eq(?:uation|s)?|Chapter|Appendix|Theorem|Lemma|Ref|No|Step"
    r"|Algorithm|Model|Experiment|version|v)s?\.?[\s~]*\Z",
    re.IGNORECASE,
)
_BASE = re.compile(r"(?P<before>[a-z]\s*=\s*)(?P<number>[01])(?![\d.])")
_STEP = re.compile(r"(?P<old>[nkmj])\s*\+\s*1(?!\d)")
_BY = re.compile(
    r"\b(?P<lead>[Bb]y|[Uu]sing|[Ff]rom|[Ii]nvoking|[Aa]pplying)\s+"
    r"(?P<what>(?:Theorem|Lemma|Proposition|Corollary|Claim|Thm|Lem|Prop|Cor)s?\.?[\s~]*)"
)
_CASE = re.compile(
    r"(?:\\(?:paragraph|emph|textbf|textit)\s*\{\s*)?\bCase\s+(?:\d+|[A-Z]|[ivx]+)\b", re.IGNORECASE
)
_ITEM = re.compile(r"\\item(?![A-Za-z])")


def word_proposals(words: str, error: ErrorType) -> Iterator[Proposal]:
    """Every error of one kind that a rule knows for sentences; formulas in the place are blanked."""
    if error not in _PATTERNS:
        return
    for match in _PATTERNS[error].finditer(words):
        swap = _BY_OLD[error][" ".join(match[0].lower().split())]
        if _DENIED.search(words, max(match.start() - 30, 0), match.start()) and error != "p-hacking":
            continue
        new = swap.new[:1].upper() + swap.new[1:] if match[0][0].isupper() else swap.new
        why = swap.why.format(old=f'"{" ".join(match[0].split())}"', new=f'"{new}"')
        yield Proposal(*match.span(), new, error, why)


def number_proposals(words: str) -> Iterator[Proposal]:
    """Numbers of sentences changed by a factor: not those of figures, sections and years."""
    for match in _NUMBER.finditer(words):
        if _REFERRED.search(words, max(match.start() - 20, 0), match.start()):
            continue
        for new in other_values(match["number"]):
            why = f"The number is wrong: it is {match['number']}, not {new}."
            yield Proposal(*match.span("number"), new, "incorrect-statement", why)


def proof_proposals(text: str, formulas: str, words: str) -> Iterator[Proposal]:
    """A case left out, an induction that starts or steps wrongly, a step that assumes what is to be shown."""
    yield from _cases(text, words)
    if re.search(r"\binduct", words, re.IGNORECASE):
        yield from _induction(formulas)
    for match in _BY.finditer(words):
        end = _reference_end(text, match.end())
        if end is not None:
            why = "The step is circular: it invokes the very statement that is being proved."
            yield Proposal(match.start("what"), end, "the statement to be proved", "circular-reasoning", why)


def _reference_end(text: str, at: int) -> int | None:
    found = re.compile(r"(?:\\(?:ref|cref|Cref|autoref|eqref)\s*\{[^{}]*\}|\d+(?:\.\d+)*)").match(text, at)
    return found.end() if found else None


def _cases(text: str, words: str) -> Iterator[Proposal]:
    """The last case but one of several, from its name to that of the next."""
    for pattern, least in ((_CASE, 2), (_ITEM, 3)):
        found = [match.start() for match in pattern.finditer(words)]
        if pattern is _ITEM and not re.search(r"\bcases?\b", words, re.IGNORECASE):
            continue
        if len(found) < least:
            continue
        for start, end in pairwise(found):
            left_out = text[start:end]
            if "\\begin" in left_out or "\\end" in left_out or "\\label" in left_out:
                continue
            why = "A case is missing: what was shown for it is needed, and does not follow from the others."
            yield Proposal(start, end, "", "missing-case", why)


def _induction(formulas: str) -> Iterator[Proposal]:
    for match in _BASE.finditer(formulas):
        new = str(int(match["number"]) + 1)
        why = f"The induction starts too late: the base case is {match['number']}, which {new} leaves out."
        yield Proposal(*match.span("number"), new, "induction", why)
    for match in _STEP.finditer(formulas):
        why = "The induction step does not step: it has to reach the next number, and stays at the same one."
        yield Proposal(*match.span(), match["old"], "induction", why)
