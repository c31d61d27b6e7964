"""What a command line asks to be run: reviewers with their options, models and rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import cast

from rereview import forms, plugins, prompts
from rereview.cli.settings import named, refuse_strangers, settings_of
from rereview.errors import UsageError
from rereview.forms import Form
from rereview.models.base import Endpoint, traits
from rereview.models.batch import Batches, NoBatches, batched, half
from rereview.models.prices import Price, price_of
from rereview.reviewers.base import Reviewer
from rereview.reviewers.scorecard import Scorecard
from rereview.stats.bounds import hoeffding_budget
from rereview.study.rounds import Fixed, Rounds, UntilPrecise
from rereview.study.run import Configuration
from rereview.types.document import Goal, Scored


@dataclass(frozen=True)
class Asked:
    """What the command line says of reviewers; None and () where it says nothing."""

    reviewers: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    model: str | None = None
    base_url: str | None = None
    rounds: int | None = None
    until_precise: float | None = None
    form: str | None = None
    price: Price | None = None
    images: bool = False
    image_limit: int = 0


def asked(options: object) -> Asked:
    """The part of a command's options that is about reviewers."""
    return Asked(**{field.name: getattr(options, field.name) for field in fields(Asked)})


def configurations(
    said: Asked, target: Endpoint | None, peers: tuple[Endpoint, ...] = ()
) -> list[Configuration]:
    """What is to be run. Raises UsageError for options that contradict each other or would do nothing."""
    names = said.reviewers or (("checks",) if target is None else ("checks", "scorecard"))
    refuse_strangers(said.settings, names)
    made = [_configuration(name, said, target, peers) for name in dict.fromkeys(names)]
    if peers and not any(each.peers for each in made):
        raise UsageError(
            "--also-model is for a reviewer that asks several models, and none runs",
            expected="--reviewer panel",
        )
    for option, given in (("--form", said.form), ("--until-precise", said.until_precise)):
        if given and not any(isinstance(each.reviewer, Scorecard) for each in made):
            raise UsageError(
                f"{option} is an option of scorecard, which does not run",
                expected=f"add --model, or leave {option} out",
            )
    if all(each.endpoint is None for each in made):
        _refuse_unused(said)
    return made


def _refuse_unused(said: Asked) -> None:
    """An option that would silently do nothing is a mistake of whoever wrote the command."""
    for option in ("model", "base_url", "rounds", "price"):
        if getattr(said, option) is not None:
            shown = f"--{option.replace('_', '-')}"
            raise UsageError(
                f"{shown} is for reviewers that ask a model, and none runs",
                expected=f"add --model and a reviewer such as scorecard, or leave {shown} out",
            )


def _configuration(
    name: str, said: Asked, target: Endpoint | None, peers: tuple[Endpoint, ...]
) -> Configuration:
    chosen = {"form": said.form} if said.form and name == "scorecard" else {}
    set_here = settings_of(name, said.settings)
    reviewer = cast("Reviewer", plugins.load("reviewers", name, **(set_here | chosen)))
    if not getattr(reviewer, "needs_model", True):
        return Configuration(named(name, set_here), reviewer, Fixed(1))
    if target is None:
        raise UsageError(
            f"the reviewer {name!r} asks a model", expected="name one, as --model openai:gpt-5.5"
        )
    called = named(f"{name}({said.form})" if chosen else name, set_here)
    several = peers if getattr(reviewer, "asks_peers", False) else ()
    return Configuration(
        called,
        reviewer,
        _rounds(called, reviewer, said),
        target,
        price_of(target, said.price),
        said.image_limit if said.images and not traits(target).text_only else None,
        tuple((each, price_of(each, said.price)) for each in several),
    )


def _rounds(name: str, reviewer: Reviewer, said: Asked) -> Rounds:
    tolerance = said.until_precise
    if tolerance is None:
        return Fixed(said.rounds or int(getattr(reviewer, "default_rounds", 1)))
    if not isinstance(reviewer, Scorecard) or reviewer.filled.score is None:
        raise UsageError(
            f"--until-precise needs scores on a form, which the reviewer {name!r} does not give",
            expected="run it by itself, with --rounds",
        )
    values = reviewer.filled.score.protocol_values
    scale = (float(min(values)), float(max(values)))
    # So many scores keep the promise whatever they are: asking for more would be worse than a fixed number.
    most = said.rounds or hoeffding_budget(tolerance=tolerance, scale=scale)
    return UntilPrecise(Goal(tolerance=tolerance, most_rounds=most), scale)


def refuse_unbatched(endpoints: Sequence[Endpoint]) -> None:
    """Raises UsageError for --batch without a model, or with one that has no such interface."""
    if not endpoints:
        raise UsageError("--batch is for reviewers that ask a model", expected="add --model")
    for each in endpoints:
        batched(each, NoBatches())


def in_batches(made: Sequence[Configuration], kept: Batches) -> list[Configuration]:
    """The same configurations, asked in batches at half the price."""
    known = {id(each): batched(each, kept) for each in opened(made)}

    def cheaper(price: Price | None) -> Price | None:
        return None if price is None else half(price)

    return [
        each
        if each.endpoint is None
        else replace(
            each,
            endpoint=known[id(each.endpoint)],
            price=cheaper(each.price),
            peers=tuple((known[id(peer)], cheaper(price)) for peer, price in each.peers),
        )
        for each in made
    ]


def opened(made: Sequence[Configuration]) -> tuple[Endpoint, ...]:
    """The endpoints of these configurations, each once: what is to be closed."""
    asked = [each.endpoint for each in made] + [peer for each in made for peer, _ in each.peers]
    return tuple({id(each): each for each in asked if each is not None}.values())


def goals(made: Sequence[Configuration]) -> dict[str, Goal]:
    """What rounds without a fixed number are asked for."""
    return {each.name: each.rounds.goal for each in made if isinstance(each.rounds, UntilPrecise)}


def forms_of(made: Sequence[Configuration]) -> dict[str, Scored]:
    """The form behind each configuration that fills one in."""
    return {
        each.name: scored(each.reviewer.filled, each.reviewer.protocol)
        for each in made
        if isinstance(each.reviewer, Scorecard)
    }


def form_of(configuration: str) -> Scored:
    """The form in the name of a configuration: `scorecard`, `scorecard(arr)[protocol=decimal]`."""
    _, given = forms.settings_in(configuration)
    form = forms.load(given.get("form", forms.DEFAULT))
    return scored(form, given.get("protocol", Scorecard.protocol))


def scored(form: Form, protocol: str) -> Scored:
    """What a report needs of a form."""
    choices = tuple((field.name, field.legal) for field in form.fields if field.kind in {"number", "choice"})
    bare = Scored(form=form.name, title=form.title, protocol=protocol, choices=choices)
    if form.score is None:
        return bare
    return bare.but(
        protocol_values=form.score.protocol_values,
        venue_values=form.score.venue_values,
        anchors=form.score.anchors,
    )


def prompts_of(made: Sequence[Configuration]) -> tuple[tuple[str, str], ...]:
    """Name, version and hash of the prompts of these configurations."""
    called = (name for each in made for name in getattr(each.reviewer, "prompts", ()))
    used = (prompts.load(name) for name in dict.fromkeys(called))
    return tuple((prompt.name, f"version {prompt.version}, {prompt.digest}") for prompt in used)


def resolved(made: Sequence[Configuration]) -> tuple[tuple[str, str], ...]:
    """The options of each configuration, as they were used."""
    return tuple((each.name, f"{each.reviewer!r}, rounds={each.rounds}, model={each.model}") for each in made)
