"""The 12 papers with the authors' own records, where they are at hand."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from rereview.perturb.records import read_records
from rereview.perturb.scan import scan

DATA = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "injected-errors"
FILE = "clean.tex"


class Paper(NamedTuple):
    """A clean paper, the places of the uncapped scan, and what was read of the records."""

    name: str
    data: bytes
    text: str
    candidates: tuple
    perturbations: tuple
    unplaced: tuple


@cache
def papers():
    """Every paper with its records; skips the test where the folder is absent."""
    if not DATA.is_dir():
        pytest.skip("needs the authors' records of 12 papers in shared/data beside the project")
    return tuple(_paper(folder) for folder in sorted(DATA.glob("*/*")))


def _paper(folder):
    data = (folder / FILE).read_bytes()
    text = data.decode("utf-8")
    candidates = scan({FILE: text}, folder.name)
    found = [
        read_records(
            path.read_text(),
            family=path.stem,
            paper_id=folder.name,
            file=FILE,
            source=text,
            candidates=candidates,
        )
        for path in sorted(folder.glob("*.json"))
    ]
    return Paper(
        folder.name,
        data,
        text,
        candidates,
        tuple(each for one in found for each in one.perturbations),
        tuple(each for one in found for each in one.unplaced),
    )
