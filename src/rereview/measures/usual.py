"""Which rows of a configuration are its ordinary scores: one role and one protocol."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

ROLES = ("pilot", "target", "", "validation", "auxiliary")
PROTOCOLS = ("integer", "", "decimal")


def ordinary(frame: pd.DataFrame) -> pd.DataFrame:
    """Scores of the usual kind: integer protocol where there are two, the pilot where roles are named."""
    return one_role(one_of(scored(frame), "protocol", PROTOCOLS))


def scored(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows with a score."""
    return frame[frame["score"].notna()]


def one_role(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of the first of `ROLES` that is there: a round of a paper then has one row."""
    return one_of(frame, "role", ROLES)


def one_of(frame: pd.DataFrame, column: str, order: Sequence[str]) -> pd.DataFrame:
    """Rows of the first value of a column that is there; values without a place come last."""
    if column not in frame:
        return frame
    there = set(frame[column])
    first = next((value for value in (*order, *sorted(there)) if value in there), "")
    return frame[frame[column] == first]
