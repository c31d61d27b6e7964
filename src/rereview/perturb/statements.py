"""Definitions, theorems and proofs: by the names that the paper declares, and by their printed heads."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rereview.text.latex import named
from rereview.text.macros import Theorem
from rereview.types.edit import CandidateKind

_DEFINING = named(
    """definition definitions défn définition definición definizione notation convention terminology setting
    定义 定義"""
)
_ASSERTING = named(
    """theorem lemma proposition corollary claim conjecture fact observation axiom assumption hypothesis
    property condition remark example result criterion principle law rule satz théorème lemme corollaire
    teorema lema proposición corolario 定理 引理 命题 推论"""
)
_ASKING = named(
    "question problem exercise task puzzle case step algorithm procedure protocol solution answer"
)
_KNOWN: Mapping[str, str] = {
    **dict.fromkeys(named("thm theo thrm theom"), "theorem"),
    **dict.fromkeys(named("lem lemm lma"), "lemma"),
    **dict.fromkeys(named("prop propn prp"), "proposition"),
    **dict.fromkeys(named("cor coro corol crl"), "corollary"),
    **dict.fromkeys(named("def defn defi dfn defin"), "definition"),
    **dict.fromkeys(named("conj cnj"), "conjecture"),
    **dict.fromkeys(named("rem rmk rk"), "remark"),
    **dict.fromkeys(named("assump ass asm asmp assum"), "assumption"),
    **dict.fromkeys(named("obs obsv"), "observation"),
    **dict.fromkeys(named("hyp hypo"), "hypothesis"),
    **dict.fromkeys(named("exa exm"), "example"),
    "clm": "claim",
}
_PROOF = re.compile(
    r"(?:sketch of |outline of )?(?:the )?(?:proofs?|preuve|démonstration|beweis|证明)(?![^\W_])",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_BEGIN = re.compile(r"\\begin\s*\{([^{}]*)\}")
_BRACKET = r"\s*(?:\([^()\n]{1,120}\)|\[[^\[\]\n]{1,120}\])"
_CLOSE = r"\s*(?:[.:]\s*(?:\*|_|\})*|(?:\*|_|\})+\s*[.:]?)"
_HEAD = re.compile(
    r"(?:\s|\\noindent(?![A-Za-z])|\\(?:med|big|small)skip(?![A-Za-z])|\\vspace\*?\{[^{}]*\})*"
    r"(?P<mark>(?:\{\s*\\(?:bf|it|sc|em|bfseries|itshape|scshape)(?![A-Za-z])\s*"
    r"|\\(?:textbf|textit|textsc|emph|underline)\s*\{|\*|_|\#{1,6}\s+)*)"
    r"(?P<word>[A-Z][^\W\d_]+)(?P<of>\s+of\s+[^.:\n]{1,80}?)?"
    r"(?:[\s~]+(?P<number>[A-Z]?\.?\d+(?:\.\d+)*[a-z]?|[A-Z]|[IVX]+))?"
    rf"(?:(?:{_BRACKET})?{_CLOSE}|{_BRACKET})(?=\s|\Z|\\)"
)


def statement_kind(environment: str, declared: Mapping[str, Theorem]) -> CandidateKind | None:
    """What an environment holds; None for one that states and proves nothing.

    A name that the paper declares is a theorem whatever it prints, unless that asks or instructs; any
    other one means what it says, long or short.
    """
    theorem = declared.get(environment)
    if theorem is None:
        return named_kind(environment)
    found = named_kind(theorem.printed)
    if found is None and _ASKING.isdisjoint(_WORD.findall(theorem.printed.lower())):
        return "theorem"
    return found


def kind_at(text: str, at: int, name: str, declared: Mapping[str, Theorem]) -> CandidateKind | None:
    r"""What the environment that begins at a position holds.

    `name`: what it amounts to. Where the paper makes `Cor` from a list, it is written as `Cor` and amounts
    to a list; where it makes `demo` from a proof, it amounts to a proof.
    """
    written = environment_at(text, at)
    return (statement_kind(written, declared) if written else None) or statement_kind(name, declared)


def environment_at(text: str, at: int) -> str | None:
    r"""The name as it is written in the `\begin{…}` at a position; None where there is none."""
    found = _BEGIN.match(text, at)
    return found.group(1).strip() if found else None


def named_kind(name: str) -> CandidateKind | None:
    """What a printed name or the name of an environment stands for."""
    if _PROOF.match(name.strip()) or name.lower() in {"pf", "prf"}:
        return "proof"
    for word in _WORD.findall(name.lower()):
        known = _KNOWN.get(word, word)
        if known in _DEFINING:
            return "definition"
        if known in _ASSERTING:
            return "theorem"
    return None


def head(text: str, start: int, end: int) -> tuple[CandidateKind, int] | None:
    """What the printed head of a paragraph announces ("Theorem 2.", "*Proof.*"), and where the head ends.

    "Theorem 2 shows that" is no head: one is set off by type, a full stop, a colon or a bracket.
    """
    found = _HEAD.match(text, start, end)
    if found is None:
        return None
    kind = named_kind(found["word"])
    if kind is None or (found["of"] and kind != "proof"):
        return None
    if kind != "proof" and not (found["number"] or found["mark"]):
        return None
    return kind, found.end()
