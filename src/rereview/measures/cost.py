"""What calls took, and what they cost at a given price.

1. Can We Believe AI Peer Review?, appendix E.9.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from math import isnan

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rereview.measures.samples import said
from rereview.measures.tabulate import ALL, Floats, Settings, bare, estimate, table
from rereview.stats.exact import as_written
from rereview.stats.resample import linearised_ratio
from rereview.text.plurals import many
from rereview.types.estimate import Estimate, Table

KINDS = ("input", "cached", "cache_write", "output")
CACHES = (1, 2)
MILLION = 1_000_000
LARGEST = 1e12
SHOWN = 20

Counts = NDArray[np.int64]
Price = tuple[float, float, float, float]

FIRST, LATER = "first call of a paper", "later calls"


def cost(frame: pd.DataFrame, settings: Settings) -> Table:
    """Calls, tokens by kind and money: of all calls, of the first of each paper, and of the later ones [1].

    `frame` has input_tokens, output_tokens and perhaps cached_tokens and cache_write_tokens. First is
    within paper and role: those calls share a prompt, and with it a cache.
    """
    calls = frame[frame[[name for name in map(_column, KINDS) if name in frame]].notna().any(axis=1)]
    tokens = _tokens(calls)
    reasons = [_unusable(*row) for row in tokens.tolist()]
    usable = np.array([reason is None for reason in reasons], dtype=bool)
    kept, counts = calls[usable], tokens[usable].astype(np.int64)
    first = _first(kept)
    rows: dict[str, dict[str, Estimate]] = {}
    for prefix, members in _roles(kept):
        lost = int((~usable).sum()) if prefix == "" else 0
        for label, which in ((ALL, members), (FIRST, members & first), (LATER, members & ~first)):
            papers = kept.loc[which, "paper"].to_numpy()
            name = f"{prefix}: {label}" if prefix else label
            rows[name] = dict(_row(papers, counts[which], settings, lost if label == ALL else 0))
    wrong = calls[~usable].to_dict("records")
    listed = [
        f"{_where(row)}: {reason}"
        for row, reason in zip(wrong, [reason for reason in reasons if reason], strict=True)
    ]
    lost = len(frame) - len(kept)
    sample = said(
        kept["paper"].nunique(),
        "with counts of tokens",
        many(len(kept), "call"),
        f"{many(lost, 'row')} lost, without usable counts" if lost else "",
    )
    notes = [*_notes(calls, settings), *_unused(listed), sample]
    return table("cost", "Tokens and money of the calls", rows, notes)


def _column(kind: str) -> str:
    return f"{kind}_tokens"


def _tokens(calls: pd.DataFrame) -> Floats:
    """Tokens by kind, `[call, kind]`; caches count 0 where nothing is said of them, other gaps are NaN."""
    columns = [
        calls[_column(kind)].to_numpy(dtype=np.float64)
        if _column(kind) in calls
        else np.full(len(calls), np.nan)
        for kind in KINDS
    ]
    for index in CACHES:
        columns[index] = np.nan_to_num(columns[index])
    return np.column_stack(columns)


def _unusable(given: float, cached: float, written: float, output: float) -> str | None:
    """Why the cost of a call is not known, or None."""
    row = (given, cached, written, output)
    if isnan(given) or isnan(output):
        return (
            f"no count of {' and '.join(kind for kind, n in zip(KINDS, row, strict=True) if isnan(n))} tokens"
        )
    if min(row) < 0 or any(n % 1 for n in row) or max(row) > LARGEST:
        return "a count of tokens that is no whole number"
    if cached + written > given:
        return (
            f"{cached:,.0f} cached and {written:,.0f} written tokens are more than the input of {given:,.0f}"
        )
    return None


def _first(calls: pd.DataFrame) -> NDArray[np.bool_]:
    """Whether a call is the first of its paper, role and protocol."""
    unit = [name for name in ("paper", "version", "role", "protocol") if name in calls]
    order = calls.reset_index(drop=True).sort_values(
        [name for name in ("call", "round") if name in calls], kind="stable"
    )
    earliest = ~order.duplicated(unit, keep="first")
    return earliest.sort_index().to_numpy(dtype=bool)


def _roles(calls: pd.DataFrame) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """All calls, and those of each role where there are several."""
    yield "", np.ones(len(calls), dtype=bool)
    roles = sorted(set(calls["role"])) if "role" in calls else []
    if roles[1:]:
        for role in roles:
            yield role or "no role", calls["role"].eq(role).to_numpy(dtype=bool)


def _row(
    papers: NDArray[np.object_], counts: Counts, settings: Settings, lost: int
) -> Iterator[tuple[str, Estimate]]:
    calls = len(counts)
    yield "calls", bare(float(calls), n=calls, dropped=lost)
    for kind, total in zip(KINDS, counts.sum(axis=0), strict=True):
        yield kind, bare(float(total) if calls else float("nan"), n=calls, dropped=lost)
    if settings.price is None:
        return
    total = float(usd(settings.price, *counts.sum(axis=0).tolist()))
    yield "usd", bare(total if calls else float("nan"), n=calls, dropped=lost)
    yield "usd_per_call", _per_call(papers, counts, settings, lost)


def _per_call(papers: NDArray[np.object_], counts: Counts, settings: Settings, lost: int) -> Estimate:
    """Mean cost of a call; the calls of a paper stand or fall together."""
    if settings.price is None or not len(counts):
        return bare(float("nan"), n=0, dropped=lost)
    names, where = np.unique(papers.astype(str), return_inverse=True)
    calls = np.bincount(where, minlength=len(names))
    sums = np.zeros((len(names), len(KINDS)), dtype=np.int64)
    np.add.at(sums, where, counts)
    spent = [float(usd(settings.price, *row)) for row in sums.tolist()]
    found = estimate(linearised_ratio(spent, calls, level=settings.level))
    exact = float(usd(settings.price, *counts.sum(axis=0).tolist()) / len(counts))
    return found.model_copy(update={"value": exact, "dropped": lost})


def usd(price: Price, given: int, cached: int, written: int, output: int) -> Fraction:
    """Cost of a call, or of the sums of many [1]: (p_I (I - C - W) + p_C C + p_W W + p_O O) / 10^6, exactly.

    `price` is USD per million input, cached, cache-write and output tokens; `given` holds the cached and
    the written tokens.
    """
    plain, hit, write, out = (as_written(value) for value in price)
    return (plain * (given - cached - written) + hit * cached + write * written + out * output) / MILLION


def _where(row: Mapping[Hashable, object]) -> str:
    role = f", {row['role']}" if row.get("role") else ""
    return f"{row['paper']}{role}, round {row['round']}"


def _notes(calls: pd.DataFrame, settings: Settings) -> Iterator[str]:
    yield "input holds cached and cache_write; n counts calls, of usd_per_call papers."
    for kind in (KINDS[index] for index in CACHES):
        silent = len(calls) if _column(kind) not in calls else int(calls[_column(kind)].isna().sum())
        if silent:
            yield f"{many(silent, 'call says', 'calls say')} nothing of {kind} tokens: counted as 0."
    if settings.price is None:
        yield "No --price: money is not known."
    else:
        paid = zip(settings.price, KINDS, strict=True)
        yield f"USD per million tokens: {', '.join(f'{value:g} {kind}' for value, kind in paid)}."


def _unused(listed: list[str]) -> Iterator[str]:
    if listed:
        more = f"; and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
        yield f"Calls left out ({len(listed)}): {'; '.join(listed[:SHOWN])}{more}"
