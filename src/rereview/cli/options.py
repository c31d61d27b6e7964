"""Kinds of options that commands share: finite numbers, a scale, a price, pairs."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from math import inf, isfinite
from typing import TypeVar

import click

from rereview.models.prices import Price, parse_price

Command = TypeVar("Command", bound=Callable[..., object])

MOST_DIGITS, MOST_DECIMALS = 12, 40
"""A decimal beyond them is no measurement, and would fill the memory as a fraction."""
MOST_PAIRS = 10**15


class Finite(click.ParamType[float]):
    """A number between two limits, never NaN or infinite."""

    name = "number"

    def __init__(self, low: float = -inf, high: float = inf, *, inside: bool = False) -> None:
        self.low, self.high, self.inside = low, high, inside

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number or fail in one line."""
        try:
            number = float(str(value))
        except ValueError:
            self.fail(f"{value!r} is no number.", param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is no finite number.", param, ctx)
        beyond = number <= self.low or number >= self.high if self.inside else None
        if beyond if beyond is not None else not self.low <= number <= self.high:
            self.fail(f"{value!r} is not {self._range()}.", param, ctx)
        return number

    def _range(self) -> str:
        return (
            f"between {self.low:g} and {self.high:g}"
            if self.inside
            else f"from {self.low:g} to {self.high:g}"
        )


class Ranged(click.FloatRange):
    """A number in a range; what is no number is called so."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number or fail in one line."""
        try:
            number = float(str(value))
        except ValueError:
            self.fail(f"{value!r} is no number.", param, ctx)
        return float(super().convert(number, param, ctx))


POINTS = Finite(1e-6, 1e6)
SHARE = Finite(0, 1, inside=True)
END = Finite(-1e6, 1e6)


def rising(
    ctx: click.Context, param: click.Parameter, value: tuple[float, float] | None
) -> tuple[float, float] | None:
    """A scale whose lowest score lies below its highest; None where nobody says one."""
    if value is not None and not value[0] < value[1]:
        raise click.BadParameter(
            f"{value[0]:g} is not below {value[1]:g}: give the lowest score, then the highest.",
            ctx=ctx,
            param=param,
        )
    return value


def decimal(text: str) -> Decimal | None:
    """A finite decimal of ordinary size, or None."""
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        return None
    ordinary = value.is_finite() and value.adjusted() <= MOST_DIGITS
    exponent = value.as_tuple().exponent
    return value if ordinary and isinstance(exponent, int) and exponent >= -MOST_DECIMALS else None


def priced(_: click.Context, __: click.Parameter, value: str | None) -> Price | None:
    """The price that `--price` states; None where nobody says one. Raises UsageError."""
    return None if value is None else parse_price(value)


class Pairs(click.ParamType[dict[Decimal, int]]):
    """`DIFFERENCE:COUNT,...`: how many pairs of scores differ by how much."""

    name = "D:N,..."

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[Decimal, int]:
        """Read the pairs or fail in one line."""
        parts = [part.partition(":") for part in str(value).split(",")]
        found = {
            difference: self._count(count)
            for each, _, count in parts
            if (difference := decimal(each)) is not None
        }
        pairs = {difference: count for difference, count in found.items() if count is not None}
        if len(pairs) != len(parts):
            self.fail(
                f"{value!r} is no list DIFFERENCE:COUNT,..., each difference once, as 0:6557,1:2417,2:26.",
                param,
                ctx,
            )
        return pairs

    @staticmethod
    def _count(text: str) -> int | None:
        plain = text.strip()
        whole = plain.isascii() and plain.isdigit() and len(plain) <= len(str(MOST_PAIRS))
        return int(plain) if whole else None


class Variances(click.ParamType[Decimal]):
    """A variance as a decimal, as written."""

    name = "V"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        """Read the variance or fail in one line."""
        found = decimal(str(value))
        if found is None:
            self.fail(f"{value!r} is no variance, a decimal as 0.140056.", param, ctx)
        return found


SCALE = click.option(
    "--scale",
    type=END,
    nargs=2,
    callback=rising,
    help="Lowest and highest score. Default: those of the form; 1 and 10 where no form is known.",
)
CAP = click.option(
    "--cap", type=Ranged(min=0), default=5.0, show_default=True, help="USD that this run may spend."
)
TIMEOUT = click.option(
    "--timeout",
    type=Ranged(min=0.1),
    default=600.0,
    show_default=True,
    help="Seconds to wait for one answer.",
)


def at_once(what: str) -> Callable[[Command], Command]:
    """The option `--concurrency`; `what` is made at the same time."""
    return click.option(
        "--concurrency",
        type=click.IntRange(min=1),
        default=8,
        show_default=True,
        help=f"{what} at the same time.",
    )
