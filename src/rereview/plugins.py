"""Reviewers, models, engines and sources by their name: built in, installed, or in one file."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from hashlib import sha256
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from rereview.errors import UsageError

Group = Literal["reviewers", "models", "engines", "quality"]


def names(group: Group) -> tuple[str, ...]:
    """The entry points of a group, sorted."""
    return tuple(sorted(_points(group).names))


def load(group: Group, spec: str, **options: object) -> object:
    """The plug-in `spec` names, made with these options: the fields of its dataclass.

    `spec` is an entry point's name, `file.py:Name`, or `NAME:WORDS` where the class says in `argument`
    which option the words are. Raises UsageError for an unknown name, which lists those there are, and
    for an unknown option, which lists the fields.
    """
    name, words = _argued(group, spec)
    made = find(group, name)
    if words is not None:
        options = _with_words(made, spec, words, options)
    if not (isinstance(made, type) and dataclasses.is_dataclass(made)):
        raise UsageError(
            f"{spec!r} is not a dataclass", where=group, expected="a frozen dataclass that is callable"
        )
    fields = [field.name for field in dataclasses.fields(made) if field.init]
    for option in options:
        if option not in fields:
            raise UsageError(
                f"unknown option {option!r}{_meant(option, fields)}", where=spec, expected=_listed(fields)
            )
    _check_kinds(made, spec, options)
    try:
        return made(**options)
    except (TypeError, ValueError) as error:
        raise UsageError(" ".join(str(error).split()), where=spec, expected=_listed(fields)) from error


class Kind(NamedTuple):
    """Of what type the value of an option is; `several`: it is a list of these."""

    types: tuple[type, ...]
    words: str
    several: bool = False

    def holds(self, value: object) -> bool:
        """Whether a value is one: true is no whole number, and a text is no list of letters."""
        if not self.several:
            return type(value) in self.types
        return isinstance(value, tuple | list) and all(type(each) in self.types for each in value)


_KINDS: dict[object, tuple[tuple[type, ...], str, str]] = {
    str: ((str,), "text", "texts"),
    bool: ((bool,), "true or false", "true and false"),
    int: ((int,), "a whole number", "whole numbers"),
    float: ((float, int), "a number", "numbers"),
}
"""Types of a plain value, what it is called, and what several are called."""


def kinds(made: object) -> dict[str, Kind]:
    """The kinds of the options of a class, of those whose values are plain or lists of plain values."""
    try:
        wanted = get_type_hints(made)
    except (NameError, TypeError, AttributeError):  # names of a plug-in that only a type checker knows
        return {}
    found = {option: _kind_of(hint) for option, hint in wanted.items()}
    return {option: kind for option, kind in found.items() if kind is not None}


def is_plain(value: object) -> bool:
    """Whether a value, or all in a list, is text, a number, true or false."""
    values = value if isinstance(value, tuple | list) else (value,)
    return all(type(each) in (str, bool, int, float) for each in values)


def _check_kinds(made: type, spec: str, options: Mapping[str, object]) -> None:
    """A word where a number belongs would be found by the first review, after others are paid for."""
    known = kinds(made)
    for option, value in options.items():
        kind = known.get(option)
        if kind is not None and is_plain(value) and not kind.holds(value):
            raise UsageError(f"the option {option!r} cannot be {value!r}", where=spec, expected=kind.words)


def _kind_of(hint: object) -> Kind | None:
    """That of a type hint: of `int | None` that of `int`; of `tuple[int, ...]` several of it."""
    if get_origin(hint) in (Union, UnionType):
        parts = [part for part in get_args(hint) if part is not NoneType]
        return _kind_of(parts[0]) if len(parts) == 1 else None
    if get_origin(hint) is tuple:
        part, *more = get_args(hint) or (None,)
        types, _, words = _KINDS.get(part, ((), "", ""))
        return Kind(types, f"a list of {words}", several=True) if types and more == [...] else None
    types, words, _ = _KINDS.get(hint, ((), "", ""))
    return Kind(types, words) if types else None


def _argued(group: Group, spec: str) -> tuple[str, str | None]:
    """The name in `NAME:WORDS` and the words; None where there are none."""
    name, colon, words = spec.partition(":")
    if not colon or name not in _points(group).names:
        return spec, None
    return name, words


def _with_words(made: object, spec: str, words: str, options: dict[str, object]) -> dict[str, object]:
    option = getattr(made, "argument", None)
    if not isinstance(option, str):
        name = spec.partition(":")[0]
        raise UsageError(f"{name!r} takes no words after a colon", where=spec, expected=f"{name} alone")
    return {option: words, **options}


def find(group: Group, spec: str) -> object:
    """What an entry point's name or `file.py:Name` stands for, as it is."""
    file, colon, name = spec.rpartition(":")
    if colon and file.endswith(".py"):
        return _from_file(Path(file), name)
    if spec.endswith(".py"):
        raise _nameless(Path(spec))
    points = _points(group)
    if spec not in points.names:
        known = names(group)
        raise UsageError(f"unknown name {spec!r}{_meant(spec, known)}", where=group, expected=_listed(known))
    point = points[spec]
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{spec!r} cannot be loaded: {error}", where=group, expected=point.value) from error


def _points(group: Group) -> EntryPoints:
    return entry_points(group=f"rereview.{group}")


def _from_file(path: Path, name: str) -> object:
    if not path.is_file():
        raise _no_file(path)
    module = _executed(path.resolve())
    if not hasattr(module, name):
        there = [
            key for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
        ]
        raise UsageError(
            f"no {name!r} in it{_meant(name, there)}", where=str(path), expected=_listed(sorted(there))
        )
    return getattr(module, name)


def _nameless(path: Path) -> UsageError:
    """What to raise for a file alone: the names of its dataclasses, which can be made."""
    if not path.is_file():
        return _no_file(path)
    module = _executed(path.resolve())
    there = [
        key
        for key, value in vars(module).items()
        if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module.__name__
    ]
    meant = ", ".join(f"{path}:{name}" for name in there or ["NAME"])
    return UsageError("a file needs a name behind it", expected=meant)


def _no_file(path: Path) -> UsageError:
    return UsageError(
        "no such file", where=str(path), expected="FILE.py:NAME, relative to the current folder"
    )


def _executed(path: Path) -> ModuleType:
    """The module of a file, run once; its name is made from its path, so that two never mix."""
    title = f"rereview_plugin_{sha256(str(path).encode()).hexdigest()[:12]}"
    if title in sys.modules:
        return sys.modules[title]
    described = importlib.util.spec_from_file_location(title, path)
    if described is None or described.loader is None:
        raise UsageError("no Python module", where=str(path), expected="FILE.py:NAME")
    module = importlib.util.module_from_spec(described)
    sys.modules[title] = module  # a dataclass looks its module up while it is made
    try:
        described.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[title]
        if not isinstance(error, Exception):
            raise
        raise UsageError(
            f"{type(error).__name__}: {error}", where=str(path), expected="a file that imports"
        ) from error
    return module


def _meant(given: str, known: list[str] | tuple[str, ...]) -> str:
    near = get_close_matches(given, known, 1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _listed(known: list[str] | tuple[str, ...]) -> str:
    return f"there are: {', '.join(known)}" if known else "there are none"
