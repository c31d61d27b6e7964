"""A plan of calls as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rereview.models.prices import FREE, shown
from rereview.study.plan import Planned
from rereview.text.plurals import many


def shown_plan(plans: Sequence[Planned]) -> list[str]:
    """One line a purpose and model, and the sum."""
    lines = [_line(each) for each in plans]
    known = [each for each in plans if each.usd_low is not None and each.usd_high is not None]
    low = sum(each.usd_low or 0 for each in known)
    high = sum(each.usd_high or 0 for each in known)
    unknown = len(plans) - len(known)
    more = f", and {unknown} of unknown price" if unknown else ""
    calls = sum(each.calls for each in plans if each.model)
    lines.append(f"all together: {many(calls, 'call')}, ${low:.2f} to ${high:.2f}{more}; nothing was asked")
    return lines


def _line(each: Planned) -> str:
    if not each.model:
        return f"{each.purpose}: {many(each.calls, 'time')}, no model"
    unit = each.unit.removesuffix("s")
    there = f"; {many(each.there, f'{unit} is', f'{each.unit} are')} there already" if each.there else ""
    if each.at_least:
        return (
            f"{each.purpose}: {many(each.calls, 'call')} or more of {each.model}, as its program likes{there}"
        )
    usual = "" if each.usd_usual is None else f" (about ${each.usd_usual:.2f} without reasoning)"
    money = "unknown price" if each.usd_low is None else f"${each.usd_low:.2f} to ${each.usd_high:.2f}{usual}"
    rate = "" if each.price in (None, FREE) else f" at {shown(each.price)}"
    asked = f"{many(each.calls, 'call')} of {each.model}, {many(each.input_tokens, 'input token')}"
    return f"{each.purpose}: {asked}, {money}{rate}{there}"


def shown_sweeps(sweeps: Mapping[float, int]) -> list[str]:
    """What thresholds below that of the study would cost."""
    return [
        f"sweep_from = {threshold} in study.toml: {many(count, 'more call')} of the judge on these reviews"
        for threshold, count in sweeps.items()
    ]
