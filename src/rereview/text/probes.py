r"""What a passage speaks of, as patterns by which other passages about the same things are found.

LaTeX commands of the paper and Greek letters; scripted identifiers (`W_{ij}`, `x_{t+1}`); names beside a
relation (`k = 3`, `w \le L`); labels and references; "Theorem 2", "Table 3"; capitalised noun phrases
and acronyms. A bare letter or an ordinary word says too little to search for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from rereview.text.symbols import SPACES, SYMBOLS, WRAPPERS


# Long lists of short words are read more easily as text.
def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


_STRUCTURE = _words(
    """begin end label ref eqref cref Cref autoref pageref nameref vref cite citep citet citealt citeauthor
    citeyear parencite textcite footcite bibitem includegraphics input include usepackage textcolor color
    hspace vspace newline noalign multicolumn multirow cline phantom stackrel overset underset binom choose
    atop substack overbrace underbrace text si SI num unit qty href lbl
    log ln lg exp sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh max min sup inf lim limsup
    liminf arg argmax argmin det dim ker deg gcd Pr hom mod bmod pmod operatorname"""
)
_NO_NAME = WRAPPERS | SPACES | _STRUCTURE
_RELATION = (
    r"(?::=|=|<|>|≤|≥|∈|\\(?:le|leq|leqslant|ge|geq|geqslant|lt|gt|in|notin|ne|neq|equiv|approx|sim|simeq"
    r"|propto|ll|gg|subset|subseteq|supset|supseteq|to|mapsto|triangleq|coloneqq|coloneq|colon)(?![A-Za-z]))"
)
_GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_BASE = rf"(?:\\[A-Za-z]+\s*{_GROUP}|\\[A-Za-z]+|(?<![A-Za-z\\])[A-Za-z](?![A-Za-z]))"
_SCRIPT = rf"\s*[_^]\s*(?:{_GROUP}|\\[A-Za-z]+|[^\s{{}}$&\\])"
_SCRIPTED = re.compile(rf"{_BASE}(?:{_SCRIPT})+")
_COMMAND = re.compile(r"\\([A-Za-z]{2,})")
_RELATED = re.compile(
    rf"({_BASE}(?:{_SCRIPT})*)\s*&?\s*{_RELATION}|{_RELATION}\s*&?\s*({_BASE}(?:{_SCRIPT})*)"
)
_IN_SCRIPT = re.compile(rf"[_^]\s*{_GROUP}")
_REFERENCE = re.compile(r"\\(?:[A-Za-z]*[rR]ef|label)\*?\s*\{([^{}]+)\}")
_NUMBERED = re.compile(r"(?<![^\W_])([^\W\d_]+)\.?[\s~]+\(?(\d+(?:\.\d+)*)\)?(?![\w.]*\d)")
_NO_PROSE = re.compile(
    r"\$\$.*?\$\$|\$[^$]*\$|\\\[.*?\\\]|\\\(.*?\\\)|\\(?:begin|end|label|[A-Za-z]*ref|[A-Za-z]*cite[A-Za-z]*)"
    r"\*?(?:\[[^\]]*\])*\s*\{[^{}]*\}|\\[A-Za-z]+",
    re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_][^\W_]*(?:[-–'’][^\W_]+)*")
_STARTS = re.compile(r"(?:\A|[.!?:;]|\n\s*\n|[{}#*])[\s\"'“‘(\[]*\Z")
_PIECE = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)


def probes(text: str, ordinary: Collection[str] = ()) -> tuple[str, ...]:
    """Patterns of regular expressions, each once, in the order of the kinds above.

    `ordinary`: words of the paper that stand in lower case somewhere; a sentence that begins with one
    of them names nothing by it.
    """
    found = [*_mathematics(text), *_references(text), *_names(text, ordinary)]
    return tuple(dict.fromkeys(found))


def _mathematics(text: str) -> Iterator[str]:
    for match in _COMMAND.finditer(text):
        if _is_name(match[1]):
            yield rf"\\{match[1]}(?![A-Za-z])"
    for match in _SCRIPTED.finditer(text):
        if _is_named(match[0]):
            yield _identifier(match[0])
    scripts = [match.span() for match in _IN_SCRIPT.finditer(text)]
    for match in _RELATED.finditer(text):
        written = match[1] or match[2]
        # The `i = 1` below a sum names no thing of the paper.
        if _is_named(written) and not any(start < match.start() < end for start, end in scripts):
            name = _identifier(written)
            yield rf"{name}\s*&?\s*{_RELATION}|{_RELATION}\s*&?\s*{name}(?![_^])"


def _is_name(command: str) -> bool:
    """Tell the names of things (Greek letters, macros of the paper) from operators and layout."""
    printed = SYMBOLS.get(command)
    return command not in _NO_NAME if printed is None else printed.isalpha()


def _is_named(identifier: str) -> bool:
    command = re.match(r"\\([A-Za-z]+)\s*(\{)?", identifier)
    if command is None or _is_name(command[1]):
        return True
    return command[2] is not None and command[1] in WRAPPERS and command[1] != "text"


@lru_cache(maxsize=1024)
def _identifier(written: str) -> str:
    """A pattern for an identifier, whatever its spaces; braces around a single thing may be absent."""
    pieces = [piece for piece in _PIECE.findall(written) if not piece.isspace()]
    parts: list[str] = []
    at = 0
    while at < len(pieces):
        if pieces[at] == "{" and pieces[at + 2 : at + 3] == ["}"]:
            only = _literal(pieces[at + 1])
            parts.append(rf"(?:\{{\s*{only}\s*\}}|{only})")
            at += 3
            continue
        single = at and pieces[at - 1] in {"_", "^"} and pieces[at] != "{"
        only = _literal(pieces[at])
        parts.append(rf"(?:\{{\s*{only}\s*\}}|{only})" if single else only)
        at += 1
    return r"(?<![A-Za-z\\])" + r"\s*".join(parts) + r"(?![A-Za-z0-9])"


def _literal(piece: str) -> str:
    return re.escape(piece) + (r"(?![A-Za-z])" if re.fullmatch(r"\\[A-Za-z]+", piece) else "")


def _references(text: str) -> Iterator[str]:
    for match in _REFERENCE.finditer(text):
        for key in match[1].split(","):
            yield rf"\\(?:[A-Za-z]*[rR]ef|label)\*?\s*\{{(?:[^{{}}]*,)?\s*{re.escape(key.strip())}\s*[,}}]"
    for match in _NUMBERED.finditer(text):
        if match[1][0].isupper():
            number = re.escape(match[2])
            yield rf"(?<!\w){re.escape(match[1])}\.?[\s~]+\(?{number}\)?(?!\.?\w)"


def _names(text: str, ordinary: Collection[str]) -> Iterator[str]:
    """Runs of capitalised words, and acronyms."""
    prose = _NUMBERED.sub(_blank, _NO_PROSE.sub(_blank, text))
    run: list[str] = []
    end = -1
    for match in _WORD.finditer(prose):
        word = match[0]
        follows = run and not prose[end : match.start()].strip(" \n\t~-–") and end < match.start()
        if run and not (follows and word[0].isupper()):
            yield from _phrase(run)
            run = []
        if word[0].isupper():
            plain = word.lower() in ordinary and sum(map(str.isupper, word)) == 1
            if run or not (plain and _STARTS.search(prose, 0, match.start())):
                run.append(word)
        end = match.end()
    if run:
        yield from _phrase(run)


def _blank(found: re.Match[str]) -> str:
    """A sign that parts words, as long as what it stands for."""
    return " ¤ ".ljust(len(found[0]))[: len(found[0])]


def _phrase(run: list[str]) -> Iterator[str]:
    if len("".join(run)) > 1:
        yield r"(?<!\w)" + r"[\s~]+".join(re.escape(word) for word in run) + r"(?!\w)"
