"""The audit: the paper's counts, and the sample of a made-up study."""

import pandas as pd
import pytest

from injected_frames import SUBTYPES, perturbations, study
from rereview.errors import UsageError
from rereview.measures.audit import audit, audit_sample
from rereview.measures.tabulate import Settings
from rereview.stats.resample import wilson
from score_frames import cells

VALID = {"surface": 8, "claim": 7, "reasoning": 9, "empirical": 9}
WRONG = {"surface": 1, "claim": 1}


def paper():
    """Forty labelled errors as the paper counts them: 33 valid, 2 not an error, 5 ambiguous."""
    rows, labels = [], []
    for family, valid in VALID.items():
        wrong = WRONG.get(family, 0)
        for at, label in enumerate(
            ["valid"] * valid + ["not-an-error"] * wrong + ["ambiguous"] * (10 - valid - wrong)
        ):
            name = f"{family}-{at}"
            rows.append({"perturbation": name, "family": family, "error": SUBTYPES[family][0]})
            labels.append({"perturbation": name, "label": label})
    return pd.DataFrame(labels), perturbations(rows)


def test_the_counts_of_the_paper():
    """33, 2 and 5 of 40; valid 8, 7, 9 and 9 of 10, with Wilson intervals."""
    found = cells(audit(*paper(), Settings()))
    shares = [found["all", label].value for label in ("valid", "not-an-error", "ambiguous")]
    assert shares == pytest.approx([33 / 40, 2 / 40, 5 / 40])
    assert found["all", "valid"].value == 0.825
    expected = wilson(33, 40)
    assert (found["all", "valid"].low, found["all", "valid"].high) == (expected.low, expected.high)
    for family, valid in VALID.items():
        assert found[family, "valid"].value == valid / 10
        assert (found[family, "valid"].low, found[family, "valid"].n) == (wilson(valid, 10).low, 10)


def test_what_is_not_labelled_is_counted_apart():
    """A missing label is no label: 39 of 40."""
    labels, errors = paper()
    labels.loc[0, "label"] = None
    found = cells(audit(labels, errors, Settings()))
    assert (found["all", "valid"].value, found["all", "valid"].dropped) == (32 / 39, 1)


def test_subtypes_stand_below_their_family():
    """A family of several subtypes has a row for each."""
    labels, errors = paper()
    errors.loc[errors["perturbation"].isin(["surface-0", "surface-9"]), "error"] = "computation"
    found = cells(audit(labels, errors, Settings()))
    assert found["surface: computation", "valid"].value == 0.5


@pytest.mark.parametrize(
    ("change", "message"),
    [({"label": "perhaps"}, "no label is called 'perhaps'"), ({"perturbation": "z"}, "no injected error")],
)
def test_strange_rows_are_refused(change, message):
    """A label that is none; an error that this study does not have."""
    labels, errors = paper()
    with pytest.raises(UsageError, match=message):
        audit(labels.assign(**change), errors, Settings())


def test_the_sample_covers_families_subtypes_and_domains():
    """Ten a family; the same seed gives the same ids."""
    made = study(seed=1, papers=12, each=6).perturbations
    ids = audit_sample(made, seed=3)
    sample = made[made["perturbation"].isin(ids)]
    assert set(sample.groupby("family").size()) == {10}
    assert set(sample["error"]) == set(made["error"])
    assert set(sample["domain"]) == set(made["domain"])
    assert sample.groupby("paper").size().max() == 4  # forty of twelve papers
    assert ids == audit_sample(made, seed=3)
    assert ids != audit_sample(made, seed=4)
