"""Which form a reviewer fills in, and so on which scale its scores stand: decided here and nowhere else.

A study with a `study.toml` says it there; the folder of a review in the names of its reviewers; a file in
its column `form`. Where nothing says it the scale is from 1 to 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from rereview import forms
from rereview.forms import Form
from rereview.study.design import FILE, load
from rereview.types.scale import ScoreScale

SCORECARD = "scorecard"
DECIMAL, PROBABILITIES = "decimal", "probabilities"
USUAL = ScoreScale()


class Filled(NamedTuple):
    """A form, and the protocol by which it was filled in."""

    form: Form
    protocol: str


def filled_in(study: Path) -> Callable[[str], Filled | None]:
    """What each reviewer of a study fills in, by the name in its records; None: no form of ours.

    Raises UsageError for a `study.toml` that cannot be read: the scale of its scores is not guessed.
    """
    design = load(study) if (study / FILE).is_file() else None
    declared = {each.label: each for each in design.reviewers} if design else {}

    def found(reviewer: str) -> Filled | None:
        each = declared.get(reviewer)
        if each is None:
            _, settings = forms.settings_in(reviewer)
            form = forms.behind(reviewer)
        else:
            settings = {name: str(value) for name, value in each.options.items()}
            name = settings.get("form", forms.DEFAULT)
            form = forms.load(name) if each.reviewer == SCORECARD else None
        return None if form is None else Filled(form, settings.get("protocol", "integer"))

    return found


@lru_cache
def scale_of(form: str, protocol: str = "") -> ScoreScale:
    """The scale of a form by its name; the usual one for any other name and for a form without a number."""
    scored = forms.load(form).score if form in forms.names() else None
    if scored is None:
        return USUAL
    values = scored.protocol_values
    points = None if protocol == DECIMAL else values
    return ScoreScale(low=values[0], high=values[-1], points=points, form=form)


def strangers(frame: pd.DataFrame) -> tuple[str, ...]:
    """Names in the column `form` that no form has."""
    named = frame["form"].unique() if "form" in frame else ()
    return tuple(sorted(str(name) for name in named if name and name not in forms.names()))


def scales_of(frames: Mapping[str, pd.DataFrame]) -> dict[str, ScoreScale]:
    """The scale of each configuration whose form is known."""
    found = {name: _scale(rows) for name, rows in frames.items() if "form" in rows}
    return {name: scale for name, scale in found.items() if scale.form}


def _scale(rows: pd.DataFrame) -> ScoreScale:
    """That of the scores; auxiliary calls are of the same form."""
    first = rows.iloc[0]
    return scale_of(first["form"], first["protocol"] if "protocol" in rows else "")


def lines(frames: Mapping[str, pd.DataFrame], scales: Mapping[str, ScoreScale]) -> Iterator[str]:
    """`form arr: scores from 1 to 5`, a line a form, and who has a score beside them and no known form."""
    for scale in dict.fromkeys(scales.values()):
        yield f"form {scale.form}: scores from {scale}"
    studied = [rows for rows in frames.values() if "form" in rows]
    unknown = {
        str(name)
        for rows in studied
        for name in rows.loc[rows["form"].eq("") & rows["score"].notna(), "reviewer"]
        if name
    }
    if unknown:
        named = ", ".join(sorted(unknown))
        yield f"{named}: the form is not known, scores are taken to be from {USUAL} (--scale LOW HIGH)"
