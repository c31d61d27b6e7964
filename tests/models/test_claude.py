"""Minimum lengths of what Claude's models keep."""

import pytest

from rereview.models.claude import caching


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("claude-opus-5-5", 512),
        ("claude-opus-5", 512),
        ("claude-fable-5-1", 512),
        ("claude-sonnet-5-5", 512),
        ("claude-haiku-5-5", 512),
        ("claude-sonnet-5", 1_024),
        ("claude-opus-4-8", 1_024),
        ("claude-sonnet-4-5-20250929", 1_024),
        ("claude-opus-4-20250514", 1_024),
        ("claude-opus-4-7", 2_048),
        ("claude-3-5-haiku-20241022", 2_048),
        ("claude-opus-4-6", 4_096),
        ("claude-opus-4-5-20251101", 4_096),
        ("claude-haiku-4-5", 4_096),
        ("some-other-model", 1_024),
    ],
)
def test_the_minimum_is_that_of_the_model(name, least):
    """As the provider's page lists them; 1,024 of a model that is not known."""
    assert caching(name).least == least
