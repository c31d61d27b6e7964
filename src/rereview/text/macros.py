"""What a paper defines: macros, theorem environments, abbreviations and switches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rereview.text.arguments import DEFINITIONS, definition_parts
from rereview.text.latex import Token, Vocabulary, named
from rereview.types.manuscript import Macro

Parts = list[str | None]

_ALWAYS = named(
    "document abstract figure table proof itemize enumerate description equation align gather multline"
    " keywords thebibliography theorem lemma proposition corollary definition remark example"
)
_OPENS = re.compile(r"\s*(?:\\begin\s*\{([^{}]+)\}|(\\\[|\\\())\s*")
_CLOSES = re.compile(r"\s*(?:\\end\s*\{([^{}]+)\}|(\\\]|\\\)))\s*")
_WRAPS = re.compile(r"\s*\\begin\s*\{([^{}]+)\}")
_WRAPPED = re.compile(r"\\end\s*\{([^{}]+)\}\s*$")
_PARAMETERS = re.compile(r"\s*(?:#(\d)\s*)*")
_DIGIT = re.compile("[0-9]")
_SETTING = re.compile(r"\b(\w+)\s*=\s*(\{[^{}]*\}|[^,{}]*)")


@dataclass(frozen=True)
class Theorem:
    """A theorem-like environment. `shared`: the counter it uses; `within`: the counter that resets it."""

    environment: str
    printed: str
    numbered: bool
    shared: str | None = None
    within: str | None = None


@dataclass(frozen=True)
class Definitions:
    """Everything that a source defines, in order of first appearance."""

    macros: tuple[Macro, ...]
    theorems: tuple[Theorem, ...]
    vocabulary: Vocabulary
    environment_arguments: Mapping[str, int]
    """Of each environment that is defined, how many braced arguments it takes."""


def definitions(sources: Iterable[tuple[str, Iterable[Token]]]) -> Definitions:
    """Gather from sources, each with its tokens; a later definition of a macro replaces an earlier one."""
    gathered = _Gathered()
    for source, found in sources:
        for token in found:
            if token.kind == "definition":
                gathered.define(source, token)
            elif token.kind == "command":
                gathered.switch(token.name)
    return gathered.finish()


class _Gathered:
    def __init__(self) -> None:
        self.macros: dict[str, Macro] = {}
        self.theorems: dict[str, Theorem] = {}
        self.environments: dict[str, tuple[str, str]] = {}
        self.arguments: dict[str, int] = {}
        self.set_to: dict[str, set[bool]] = {}
        self.excluded: set[str] = set()

    def define(self, source: str, token: Token) -> None:
        signature = DEFINITIONS.get(token.name, "")
        spans = definition_parts(source, token.start + len(token.name), signature) or []
        star = "*" in source[token.start + len(token.name) : spans[0][0] if spans and spans[0] else token.end]
        parts = [None if span is None else source[slice(*span)] for span in spans]
        for name in (macro.name for macro in _macros(token.name, parts, star=star)):
            if token.name == "\\providecommand" and name in self.macros:
                return
        self.macros.update({macro.name: macro for macro in _macros(token.name, parts, star=star)})
        if (theorem := _theorem(token.name, parts, star=star)) is not None:
            self.theorems[theorem.environment] = theorem
        self._others(token.name, [_inside(part) for part in parts])

    def _others(self, name: str, parts: list[str]) -> None:
        if name in {"\\newenvironment", "\\renewenvironment"}:
            self.environments[parts[0]] = (parts[3], parts[4])
            # An argument with a default stands in brackets.
            self.arguments[parts[0]] = _count(parts[1]) - bool(parts[2])
        elif name == "\\newif":
            self.set_to.setdefault(parts[0], set())
        elif name == "\\excludecomment":
            self.excluded.add(parts[0])

    def switch(self, name: str) -> None:
        for ending, value in (("true", True), ("false", False)):
            switch = f"\\if{name[1:].removesuffix(ending)}"
            if name.endswith(ending) and switch in self.set_to:
                self.set_to[switch].add(value)

    def finish(self) -> Definitions:
        opens, closes = {}, {}
        for macro in self.macros.values():
            if macro.arguments == 0 and (match := _OPENS.fullmatch(macro.body)):
                opens[macro.name] = match.group(1) or match.group(2)
            elif macro.arguments == 0 and (match := _CLOSES.fullmatch(macro.body)):
                closes[macro.name] = match.group(1) or match.group(2)
        vocabulary = Vocabulary(
            opens=opens,
            closes=closes,
            aliases=self._aliases(),
            # A switch that is set both ways depends on the run of TeX: both branches stay.
            switches={name: True in values for name, values in self.set_to.items() if len(values) < 2},  # noqa: PLR2004
            conditionals=frozenset(self.set_to),
            excluded=frozenset(self.excluded),
        )
        return Definitions(
            tuple(self.macros.values()), tuple(self.theorems.values()), vocabulary, self.arguments
        )

    def _aliases(self) -> dict[str, str]:
        aliases = {}
        for name, (begin, end) in self.environments.items():
            opened, closed = _WRAPS.match(begin), _WRAPPED.search(end)
            if name not in _ALWAYS and opened and closed and opened.group(1) == closed.group(1) != name:
                aliases[name] = opened.group(1)
        return aliases


def _inside(part: str | None) -> str:
    """Strip the braces or brackets of an argument."""
    part = (part or "").strip()
    return part[1:-1].strip() if part[:1] in {"{", "["} else part


def _count(text: str) -> int:
    """Read how many arguments something has: TeX knows no more than nine."""
    return int(text) if _DIGIT.fullmatch(text) else 0


def _macros(name: str, parts: Parts, *, star: bool) -> list[Macro]:
    text = [_inside(part) for part in parts]
    if not text or not text[0].startswith("\\"):
        return []
    if name in {"\\newcommand", "\\renewcommand", "\\providecommand", "\\DeclareRobustCommand"}:
        count = _count(text[1])
        default = None if parts[2] is None else parts[2][1:-1]
        return [Macro(name=text[0], arguments=count, default=default, body=_body(parts[3]))]
    if name in {"\\def", "\\gdef", "\\edef", "\\xdef"}:
        plain = _PARAMETERS.fullmatch(parts[1] or "")
        count = (parts[1] or "").count("#")
        return [Macro(name=text[0], arguments=count, default=None, body=_body(parts[2]))] if plain else []
    if name == "\\let":
        return [Macro(name=text[0], arguments=0, default=None, body=text[1].removeprefix("=").strip())]
    return _declared(name, text, parts, star=star)


def _declared(name: str, text: list[str], parts: Parts, *, star: bool) -> list[Macro]:
    if name == "\\DeclareMathOperator":
        body = f"\\operatorname{'*' if star else ''}{{{_body(parts[1])}}}"
        return [Macro(name=text[0], arguments=0, default=None, body=body)]
    if name == "\\DeclarePairedDelimiter":
        body = f"\\left{text[1]} #1 \\right{text[2]}" if star else f"{text[1]} #1 {text[2]}"
        return [Macro(name=text[0], arguments=1, default=None, body=body)]
    if name.endswith("DocumentCommand") and set(text[1]) <= {"m", " "}:
        return [Macro(name=text[0], arguments=text[1].count("m"), default=None, body=_body(parts[2]))]
    return []


def _body(part: str | None) -> str:
    return (part or "{}")[1:-1]


def _theorem(name: str, parts: Parts, *, star: bool) -> Theorem | None:
    text = [_inside(part) or None for part in parts]
    if name == "\\declaretheorem":
        return _declaretheorem(text[1] or "", parts[0] or "")
    if name == "\\newmdtheoremenv":
        text = text[1:]
    elif name not in {"\\newtheorem", "\\spnewtheorem"}:
        return None
    environment, shared, printed, within = text[:4]
    if environment is None or printed is None:
        return None
    return Theorem(environment, printed, numbered=not star, shared=shared, within=within)


def _declaretheorem(environment: str, settings: str) -> Theorem:
    given = {key: _inside(value) for key, value in _SETTING.findall(_inside(settings))}
    shared = given.get("sibling") or given.get("numberlike") or given.get("sharenumber")
    within = given.get("parent") or given.get("numberwithin") or given.get("within")
    printed = given.get("name") or given.get("title") or environment.capitalize()
    return Theorem(environment, printed, given.get("numbered") != "no", shared, within)
