"""Edits of real formulas whose nature is known by how they were made. Imports nothing of the project."""

import random
import re

_FORMULA = re.compile(
    r"(?<![\\$])\$(?!\$)[^$]{3,200}?(?<!\\)\$|\\\[.{3,600}?\\\]"
    r"|\\begin\{(equation|align|gather|multline)(\*?)\}.{3,900}?\\end\{\1\2\}",
    re.DOTALL,
)
_NO_FORMULA = re.compile(r"%|\n\s*\n|(?<![\\A-Za-z{])[a-z]{3,} [a-z]{2,} ")
_OPPOSITE = {"<": ">", ">": "<", r"\le": r"\ge", r"\ge": r"\le", r"\leq": r"\geq", r"\geq": r"\leq"}
_OPPOSITE |= {r"\subset": r"\supset", r"\subseteq": r"\supseteq"}
_DIRECTED = re.compile(r"<|>|\\(?:leq?|geq?|subseteq|subset)(?![A-Za-z])")
_EQUAL = re.compile(r"=|<|>|\\(?:leq?|geq?|in|sim|approx|subseteq|subset)(?![A-Za-z])")
_SUM = re.compile(r"\\(?:sum|prod)(?:\\limits)?_\{([a-z])=")
_LONE = r"(?<![A-Za-z\\]){}(?![A-Za-z])"
_OTHER = {r"\max": r"\min", r"\min": r"\max", r"\sum": r"\prod", r"\cup": r"\cap", r"\cap": r"\cup"}
_OTHER |= {r"\sin": r"\cos", r"\sup": r"\inf", r"\limsup": r"\liminf", r"\forall": r"\exists"}


def formulas(source, count, rng):
    """Some formulas of a source, each once."""
    body = source[source.find(r"\begin{document}") :]
    found = sorted({match[0] for match in _FORMULA.finditer(body) if not _NO_FORMULA.search(match[0])})
    return rng.sample(found, min(count, len(found)))


def letters_in(text):
    """The letters that stand alone, or in words: whoever is not here is bound nowhere."""
    return set(re.findall(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])", text))


def errors(formula, source, rng):
    """(how, replacement): changes that may be real errors, none of which is typo-shaped on its face."""
    number = list(re.finditer(r"(?<![\w.\\])\d+(?![\w.])", formula))
    if number:
        at = rng.choice(number)
        yield "number", formula[: at.start()] + str(int(at[0]) + rng.choice([1, 2, 7])) + formula[at.end() :]
    sign = list(re.finditer(r"(?<=[\w)}] )[+-](?= ?[\w\\(])", formula))
    if sign:
        at = rng.choice(sign)
        yield "sign", formula[: at.start()] + ("-" if at[0] == "+" else "+") + formula[at.end() :]
    directed = list(_DIRECTED.finditer(formula))
    if len(directed) == 1 and len(_EQUAL.findall(formula)) == 1:
        at = directed[0]
        yield "relation", formula[: at.start()] + _OPPOSITE[at[0]] + formula[at.end() :]
    for name, other in _OTHER.items():
        if at := re.search(re.escape(name) + r"(?![A-Za-z])", formula):
            yield "operator", formula[: at.start()] + other + formula[at.end() :]
            break
    own = sorted(letters_in(formula))
    if len(own) > 1:
        old, new = rng.sample(own, 2)
        yield "letter", re.sub(_LONE.format(old), new, formula, count=1)
    index = re.search(r"_\{?([ijkntm])(?![A-Za-z])", formula)
    used = letters_in(" ".join(m[0] for m in _FORMULA.finditer(source)))
    if index and (others := sorted((set("ijkntm") & used) - {index[1]})) and not _SUM.search(formula):
        yield "index", formula[: index.start(1)] + rng.choice(others) + formula[index.end(1) :]


def typos(formula, source, rng):
    """(how, replacement): changes that are typo-shaped by the checklist's own examples."""
    fresh = sorted(
        set("bcfghjklmnpqrsuvwxyzBCDFGHJKLMNPQRSUVWXYZ") - set(re.findall("[A-Za-z]", _math(source)))
    )
    own = sorted(letters_in(formula))
    if own and fresh:
        yield "unbound", re.sub(_LONE.format(rng.choice(own)), rng.choice(fresh), formula)
    directed = list(_DIRECTED.finditer(formula))
    if len(directed) == 2 and not re.search(r"[,;:|&]|\\\\|\\(?:text|quad|qquad|to|mid|frac)", formula):
        kinds = {"<" if m[0] in {"<", r"\le", r"\leq", r"\subset", r"\subseteq"} else ">" for m in directed}
        flat = not re.search(r"[{(\[].*(?:<|>|\\(?:leq?|geq?|sub)).*[\])}]", formula.strip("$"))
        if len(kinds) == 1 and flat:
            at = rng.choice(directed)
            yield "chain", formula[: at.start()] + _OPPOSITE[at[0]] + formula[at.end() :]
    bound = _SUM.search(formula)
    if bound and len(re.findall(_LONE.format(bound[1]), formula[: bound.start()])) == 0:
        tail = formula[bound.end() :]
        others = sorted(set("ijklmpqrs") - letters_in(formula))
        if (
            others
            and not _EQUAL.search(re.sub(r"[_^]\{[^{}]*\}", "", tail))
            and not re.search("[,;]|\\\\\\\\", tail)
        ):
            new = rng.choice(others)
            yield (
                "dummy",
                formula[: bound.start()] + re.sub(_LONE.format(bound[1]), new, formula[bound.start() :]),
            )
    if "\n" in formula:
        yield (
            "escape",
            formula.replace("\n ", r"\n ", 1) if "\n " in formula else formula.replace("\n", r"\n ", 1),
        )
    if (at := _EQUAL.search(formula)) and "\\\\" not in formula:
        yield "double", formula[: at.end()] + r" \leq " + formula[at.end() :]


def _math(source):
    """The letters of all formulas without the names of commands, and all that stand alone."""
    found = (re.sub(r"\\[A-Za-z]+|\{[A-Za-z]{2,}\}", " ", m[0]) for m in _FORMULA.finditer(source))
    return " ".join([*found, *letters_in(source)])


def drawn(source, seed, count=60):
    """(nature, how, original, replacement) of a source: the same for the same seed."""
    rng = random.Random(seed)
    for formula in formulas(source, count, rng):
        for nature, made in (("error", errors), ("typo", typos)):
            for how, replacement in made(formula, source, rng):
                if replacement != formula:
                    yield nature, how, formula, replacement
