"""What a command line asks to be run."""

from dataclasses import dataclass, field

import pytest

from rereview.cli.configurations import Asked, configurations, in_batches, opened
from rereview.models.base import Traits
from rereview.models.batch import BatchEndpoint, NoBatches
from rereview.models.openai import OpenAIEndpoint
from rereview.models.scripted import ScriptedEndpoint


@dataclass(frozen=True)
class Told(ScriptedEndpoint):
    """A model of which it is known what it sees."""

    traits: Traits = field(default_factory=Traits)


@pytest.mark.parametrize(
    ("images", "traits", "limit"),
    [(True, Traits(), 7), (False, Traits(), None), (True, Traits(text_only=True), None)],
)
def test_images_are_for_models_that_may_see_them(images, traits, limit):
    """None where none are wanted, and for a model that is known to read text alone."""
    said = Asked(model="scripted:x", images=images, image_limit=7)
    checks, scorecard = configurations(said, Told(lambda _: "{}", "x", traits))
    assert (checks.images, scorecard.images) == (None, limit)


def test_what_is_closed_is_what_was_asked():
    """Of a run in batches the batches, each once: they know what is still on its way."""
    said = Asked(reviewers=("scorecard", "zero_shot"), model="m")
    made = configurations(said, OpenAIEndpoint("m", "http://127.0.0.1:1/v1"))
    assert opened(made) == (made[0].endpoint,)
    (batch,) = opened(in_batches(made, NoBatches()))
    assert isinstance(batch, BatchEndpoint)
