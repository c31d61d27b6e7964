"""What a command line asks to be run."""

from dataclasses import dataclass, field

import pytest

from rereview.cli.configurations import Asked, configurations
from rereview.models.base import Traits
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
