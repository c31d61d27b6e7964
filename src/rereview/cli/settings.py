"""Options of reviewers on the command line: `--set REVIEWER.OPTION=VALUE`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from rereview import plugins
from rereview.errors import UsageError

_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def settings_of(reviewer: str, given: Sequence[str]) -> dict[str, object]:
    """The options that are set for a reviewer, in the types of their defaults. Raises UsageError."""
    parts = [_parted(each) for each in given]
    mine = {option: value for name, option, value in parts if name == _bare(reviewer)}
    if not mine:
        return {}
    name = reviewer if ".py:" in reviewer else _bare(reviewer)
    made = plugins.find("reviewers", name)
    defaults = (
        {field.name: field.default for field in dataclasses.fields(made)}
        if dataclasses.is_dataclass(made)
        else {}
    )
    known = plugins.kinds(made)
    return {
        option: _value(f"{name}.{option}", value, defaults.get(option), known.get(option))
        for option, value in mine.items()
    }


def named(reviewer: str, settings: Mapping[str, object]) -> str:
    """The name of a reviewer with what is set: with other options it is another configuration."""
    if not settings:
        return reviewer
    shown = ", ".join(f"{option}={_shown(value)}" for option, value in sorted(settings.items()))
    return f"{reviewer}[{shown}]"


def refuse_strangers(given: Sequence[str], reviewers: Sequence[str]) -> None:
    """An option of a reviewer that does not run would silently do nothing. Raises UsageError."""
    running = {_bare(each) for each in reviewers}
    for each in given:
        name, _, _ = _parted(each)
        if name not in running:
            raise UsageError(
                f"{name!r} does not run",
                where=f"--set {each}",
                expected=f"one of {', '.join(sorted(running))}",
            )


def _bare(reviewer: str) -> str:
    """`command:...` is `command`, `my.py:TwoPass` is `TwoPass`."""
    return reviewer.rpartition(":")[2] if ".py:" in reviewer else reviewer.partition(":")[0]


def _parted(text: str) -> tuple[str, str, str]:
    left, equals, value = text.partition("=")
    name, dot, option = left.partition(".")
    if not (equals and dot and name.strip() and option.strip()):
        raise UsageError(
            f"no setting: {text!r}", where="--set", expected="REVIEWER.OPTION=VALUE, as panel.passes=8"
        )
    return name.strip(), option.strip(), value.strip()


def _value(where: str, value: str, default: object, kind: plugins.Kind | None) -> object:
    """A value, or a list of values where the option takes one."""
    if kind is None or not kind.several:
        return _typed(where, value, default)
    return tuple(_typed(where, part, kind.types[0]()) for part in _listed(value))


def _listed(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _typed(where: str, value: str, default: object) -> object:
    """A value as the option's default is one; with no default to go by, a whole number is one."""
    if isinstance(default, bool):
        if value.lower() not in _TRUTHS:
            raise UsageError(f"{value!r} is neither true nor false", where=where, expected="true or false")
        return _TRUTHS[value.lower()]
    if isinstance(default, tuple):
        return _listed(value)
    kinds = (int,) if isinstance(default, int) else (float,) if isinstance(default, float) else ()
    if not kinds:
        return int(value) if value.isascii() and value.isdigit() and not isinstance(default, str) else value
    try:
        return kinds[0](value)
    except ValueError as error:
        raise UsageError(
            f"{value!r} is no number", where=where, expected=f"a number, as {default}"
        ) from error


def _shown(value: object) -> str:
    return "+".join(str(each) for each in value) if isinstance(value, tuple) else str(value)
