"""Frames of scores for tests, as `study.outside` gives them, and cells of tables by their names."""

import numpy as np
import pandas as pd


def frame(rows, **defaults):
    """One row a dictionary; paper and round are needed, the rest of what a study always has is filled in."""
    whole = {"version": "", "reviewer": "", "model": "", "status": "ok", "score": np.nan} | defaults
    made = pd.DataFrame([whole | row for row in rows])
    return made.astype({"round": "int64", "score": "float64", "paper": "object"})


def scores(table, facts=None, **same):
    """Rows of `table[paper][round]`, None where there is none; `facts[paper]` stands on each row."""
    return [
        {"paper": f"p{i:03d}", "round": t + 1, "score": score, **same, **(facts[i] if facts else {})}
        for i, row in enumerate(table)
        for t, score in enumerate(row)
        if score is not None
    ]


def cells(made):
    """Estimates of a table by (row, column)."""
    return {(cell.row, cell.column): cell.estimate for cell in made.cells}


def values(made, column):
    """Values of one column by row."""
    return {cell.row: cell.estimate.value for cell in made.cells if cell.column == column}
