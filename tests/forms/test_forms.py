"""Venue forms against what their venues say."""

import re

import pytest

from rereview import forms
from rereview.errors import UsageError

SCALES = {
    "iclr-anchored": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "iclr-2025": (1, 3, 5, 6, 8, 10),
    "iclr-2026": (0, 2, 4, 6, 8, 10),
    "neurips-2025": (1, 2, 3, 4, 5, 6),
    "arr": (1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5),
    "icml-2025": (1, 2, 3, 4, 5),
    "tmlr": None,
}


def test_these_are_the_forms():
    """Neither more nor fewer; an unknown one lists them."""
    assert set(forms.names()) == set(SCALES)
    with pytest.raises(UsageError, match=r"iclr-2025.*tmlr"):
        forms.load("iclr-2024")


@pytest.mark.parametrize("name", SCALES)
def test_a_form_has_its_scale_its_anchors_and_its_source(name):
    """Scales are sets; every anchor stands on its scale; source and date are there."""
    form = forms.load(name)
    assert (form.score and form.score.protocol_values) == SCALES[name]
    if form.score is not None:
        assert {value for value, _ in form.score.anchors} <= set(form.score.venue_values)
        assert form.score.venue_values == SCALES[name]
    assert form.source
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", form.retrieved)
    for field in form.fields:
        assert re.fullmatch(r"[a-z_]+", field.name)
        assert {str(key) for key, _ in field.anchors} <= set(map(str, field.values)) | set(field.options)
        assert len(set(field.legal)) == len(field.legal)


def test_what_venues_anchor():
    """A sample of words that lookalikes get wrong."""
    words = {name: dict(forms.load(name).score.anchors) for name in SCALES if SCALES[name]}
    assert words["iclr-2025"][8] == "accept, good paper"
    assert words["iclr-2026"][4].startswith("marginally below the acceptance threshold. But would not mind")
    assert words["arr"][3] == "Findings"
    assert words["icml-2025"][3] == "weak accept"
    assert words["neurips-2025"][6].startswith("strong accept")


def test_tmlr_has_no_number():
    """Its answers are yes, no, and words that have an order."""
    form = forms.load("tmlr")
    legal = {field.name: field.legal for field in form.fields if field.legal}
    assert legal == {
        "claims_and_evidence": ("Yes", "No"),
        "audience": ("Yes", "No"),
        "decision_recommendation": ("Accept", "Leaning Accept", "Leaning Reject", "Reject"),
    }
    assert form.confidence is None


def test_a_field_without_anything_to_choose_from_is_refused():
    """A choice lists its options."""
    with pytest.raises(ValueError, match="lists nothing"):
        forms.Field(name="x", kind="choice", asks="what")
