"""`study.toml`: what a study is made of. The only file of a study that a person edits."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Sequence
from math import isfinite
from pathlib import Path, PurePosixPath
from typing import Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from rereview.errors import StorageError, UsageError
from rereview.ingest.pictures import LIMIT
from rereview.models.base import full_name
from rereview.models.prices import parse_price
from rereview.plugins import is_plain
from rereview.types.edit import Family, PaperKind
from rereview.types.record import Record

FILE = "study.toml"
REPORT = "report.html"
"""What a folder of one review holds, which is no study of injected errors."""
RULES = "rules"
IMPORTED = "imported"
PRECHECK = "precheck"
NO_JUDGE = "none"


class StudyPaper(Record):
    """A paper of the study. `source` is relative to the study; `kind` None: the scan decides."""

    id: str
    source: str
    kind: PaperKind | None = None
    domain: str = ""


class Perturbing(Record):
    """Who writes the errors, who checks them, and how many there shall be.

    `generator`: a model, "rules" (without a model) or "imported". `verifier`: a model, or "precheck" (the
    deterministic rules alone; what they let through is used).
    """

    generator: str = RULES
    verifier: str = PRECHECK
    target: int = Field(default=20, ge=1)
    target_per: Literal["run", "paper"] = "run"
    batch: int = Field(default=10, ge=1)
    most_candidates: int | None = Field(default=None, ge=1)
    """A type; None: all are shown."""
    capped: Literal["spread", "first"] = "spread"
    families: tuple[Family, ...] = ()
    """() : all that the paper's kind runs."""
    versions: Literal["run", "paper"] = "run"
    require_pinned: bool = False

    @field_validator("generator", "verifier")
    @classmethod
    def _named(cls, name: str) -> str:
        return name if name in (RULES, IMPORTED, PRECHECK) else full_name(name)


class Judging(Record):
    """Who rates whether a comment explains the error, and what counts as a detection.

    `model` "none": the place alone decides, and the tables say so.
    """

    model: str = NO_JUDGE
    coverage: float = Field(default=0.75, ge=0, le=1)
    rating: int = Field(default=3, ge=1, le=5)
    sweep_from: float | None = Field(default=None, ge=0, le=1)
    """Judge every pair of at least this coverage, so that thresholds above it need no further call."""

    precision: bool = False
    """Ask about every comment by itself, on corrupted and clean papers, whether it is right."""

    @model_validator(mode="after")
    def _asked(self) -> Self:
        if self.precision and self.model == NO_JUDGE:
            raise ValueError("precision needs a model that judges comments")
        return self

    @field_validator("model")
    @classmethod
    def _named(cls, name: str) -> str:
        return name if name == NO_JUDGE else full_name(name)

    @property
    def judged_from(self) -> float:
        """Least coverage of a pair that is judged."""
        return self.coverage if self.sweep_from is None else min(self.sweep_from, self.coverage)


Value = str | int | float | bool


class StudyReviewer(Record):
    """A reviewer under test, on each of its models: `provider:id`, as records name them.

    `reviewer` is a name or FILE.py:NAME, `options` the fields of its dataclass; `group` and `subset` name
    what the study declares below, "" stands for none and for all papers.
    """

    reviewer: str
    name: str = ""
    models: tuple[str, ...] = ()
    rounds: int = Field(default=1, ge=1)
    options: dict[str, Value | tuple[Value, ...]] = Field(default={})
    images: bool = False
    """Whether its models are given the images of a paper too."""
    image_limit: int = Field(default=LIMIT, ge=0)
    """The most images that a call may hold; a paper with more is not sent to these models."""
    group: str = ""
    subset: str = ""

    @field_validator("models")
    @classmethod
    def _named(cls, models: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(full_name, models))

    @field_validator("options", mode="before")
    @classmethod
    def _plain(cls, given: object) -> object:
        for name, value in given.items() if isinstance(given, dict) else ():
            if not (is_plain(value) and _is_finite(value)):
                expected = "it is text, a number, true or false, or a list of these"
                raise ValueError(f"the option {name!r} cannot be {value!r}; {expected}")
        return given

    @property
    def label(self) -> str:
        """What tables call it."""
        return self.name or self.reviewer


def _is_finite(value: object) -> bool:
    values = value if isinstance(value, tuple | list) else (value,)
    return all(isfinite(each) for each in values if isinstance(each, float))


class Design(Record):
    """A whole study."""

    benchmark: Literal["injection"] = "injection"
    seed: int = 0
    papers: tuple[StudyPaper, ...] = ()
    perturb: Perturbing = Perturbing()
    judge: Judging = Judging()
    reviewers: tuple[StudyReviewer, ...] = ()
    subsets: dict[str, tuple[str, ...]] = Field(default={})
    prices: dict[str, str] = Field(default={})
    """`IN,OUT[,CACHED[,CACHE_WRITE]]` in USD per million tokens, by model, where the table has none."""
    addresses: dict[str, str] = Field(default={})
    """Base URL of an OpenAI-compatible endpoint, by model; else the provider's own, or the environment's."""

    @field_validator("prices", "addresses")
    @classmethod
    def _by_model(cls, given: dict[str, str]) -> dict[str, str]:
        return {full_name(name): value for name, value in given.items()}

    @field_validator("prices")
    @classmethod
    def _prices(cls, given: dict[str, str]) -> dict[str, str]:
        for name, value in given.items():
            try:
                parse_price(value)
            except UsageError as error:
                raise ValueError(f"{name!r}: {error.what}; it is {error.expected}") from error
        return given

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        known = [paper.id for paper in self.papers]
        if len(set(known)) < len(known):
            raise ValueError(f"two papers are called {next(x for x in known if known.count(x) > 1)!r}")
        cells = [f"{each.label} {model}".strip() for each in self.reviewers for model in each.models or ("",)]
        if len(set(cells)) < len(cells):
            raise ValueError(f"two reviewers are called {next(x for x in cells if cells.count(x) > 1)!r}")
        for name, papers in self.subsets.items():
            if missing := [paper for paper in papers if paper not in known]:
                raise ValueError(f"the subset {name!r} names {missing[0]!r}, which is no paper of the study")
        for each in self.reviewers:
            if each.subset and each.subset not in self.subsets:
                raise ValueError(f"{each.label!r} reads the subset {each.subset!r}, which is not declared")
        return self

    def paper(self, name: str) -> StudyPaper:
        """The paper of this name. Raises UsageError."""
        found = next((paper for paper in self.papers if paper.id == name), None)
        if found is None:
            known = ", ".join(paper.id for paper in self.papers) or "none"
            raise UsageError(f"no paper {name!r} in the study", expected=f"there are: {known}")
        return found

    def read_by(self, reviewer: StudyReviewer) -> tuple[StudyPaper, ...]:
        """The papers that a reviewer reads."""
        if not reviewer.subset:
            return self.papers
        return tuple(paper for paper in self.papers if paper.id in self.subsets[reviewer.subset])


def _none_at(study: Path) -> UsageError:
    if (study / REPORT).is_file():
        return UsageError(
            "a folder of `rereview review`", where=str(study), expected=f"its report is {REPORT}"
        )
    return UsageError(
        "no study.toml here", where=str(study), expected=f"rereview study init {study} --papers DIR"
    )


def load(study: Path) -> Design:
    """Read `study.toml`. Raises UsageError that names the wrong entry, and StorageError."""
    path = study / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _none_at(study) from None
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(
            f"cannot be read: {error}", where=str(path), expected="a text file in UTF-8"
        ) from error
    try:
        design = Design.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(
            f"no TOML: {error}", where=str(path), expected="see docs/injection/study.md"
        ) from error
    except ValidationError as error:
        raise _invalid(error, path) from error
    for paper in design.papers:
        _check_inside(paper, path)
    return design


def _invalid(error: ValidationError, path: Path) -> UsageError:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    what = str(first["msg"]).removeprefix("Value error, ")
    given = "" if first["type"] in ("missing", "value_error") else f", not {first['input']!r}"
    shown = f"{place}: {what}" if place else what
    return UsageError(
        f"{shown}{given}", where=str(path), expected="see docs/injection/study.md for its entries"
    )


def _check_inside(paper: StudyPaper, path: Path) -> None:
    source = PurePosixPath(paper.source)
    if source.is_absolute() or ".." in source.parts:
        raise UsageError(
            f"the source of {paper.id!r} leads out of the study: {paper.source!r}",
            where=str(path),
            expected="a path inside the study's folder",
        )


def first_draft(
    papers: Sequence[StudyPaper],
    reviewers: Sequence[str] = ("checks",),
    *,
    seed: int,
    preset: Preset = "rules",
    asking: Collection[str] = (),
) -> str:
    """The `study.toml` of a new study: every choice with its default, to be edited by hand.

    `asking`: those of the reviewers for which a model must be named.

    `preset` "paper": the models, judge and systems of the benchmarking paper, as far as it names them.
    """
    entries = "\n".join(_entry(paper) for paper in papers)
    ours = [_reviewer(each, asks=each in asking) for each in reviewers]
    tested = "\n\n".join(ours if preset == "rules" else [_PAPERS_SYSTEMS])
    models = _MODELS[preset]
    return _DRAFT.format(seed=seed, reviewers=tested, papers=entries, **models)


def _reviewer(spec: str, *, asks: bool) -> str:
    """A plug-in from a file is called after its class."""
    name = spec.rpartition(":")[2]
    label = "" if name == spec else f"\nname = {_quoted(name.lower())}"
    model = '\n# models = ["openai:gpt-5.5"]     # it asks a model: name one or more' if asks else ""
    none = "\n# options = { asks = false }    # or say that the program asks none"
    program = none if asks and spec.startswith("command:") else ""
    return f"[[reviewers]]\nreviewer = {_quoted(spec)}{label}{model}{program}"


def _entry(paper: StudyPaper) -> str:
    kind = (
        f'kind = "{paper.kind}"' if paper.kind else '# kind = "theoretical" or "empirical"; the scan decides'
    )
    name, source, domain = map(_quoted, (paper.id, paper.source, paper.domain))
    return f"[[papers]]\nid = {name}\nsource = {source}\n{kind}\ndomain = {domain}\n"


def _quoted(text: str) -> str:
    """A text as TOML has it: JSON's escapes are its own, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


Preset = Literal["rules", "paper"]
_MODELS: dict[Preset, dict[str, str]] = {
    "rules": {"generator": RULES, "verifier": PRECHECK, "judge": NO_JUDGE},
    "paper": {
        "generator": "openrouter:google/gemini-3-flash-preview",
        "verifier": "openrouter:anthropic/claude-sonnet-4.6",
        "judge": "openrouter:google/gemini-3-flash-preview",
    },
}
_PAPERS_SYSTEMS = """\
# Efficient models: the paper has four on all papers, and names this one. Add the others.
[[reviewers]]
reviewer = "zero_shot"
group = "efficient"
models = ["openrouter:deepseek/deepseek-v4-flash"]

[[reviewers]]
reviewer = "openaireview"
group = "efficient"
models = ["openrouter:deepseek/deepseek-v4-flash"]

[[reviewers]]
reviewer = "coarse"
group = "efficient"
models = ["openrouter:deepseek/deepseek-v4-flash"]

# Frontier models: on 24 papers in the paper; name them in [subsets] and set subset = "frontier".
[[reviewers]]
reviewer = "zero_shot"
group = "frontier"
models = ["openrouter:openai/gpt-5.5", "openrouter:anthropic/claude-opus-4.7"]

[[reviewers]]
reviewer = "openaireview"
group = "frontier"
models = ["openrouter:openai/gpt-5.5", "openrouter:anthropic/claude-opus-4.7"]"""

_DRAFT = """\
# What this study is made of. Change it here; then run
#   rereview perturb STUDY, rereview run STUDY, rereview report STUDY
benchmark = "injection"
seed = {seed}

[perturb]
generator = "{generator}"      # a model as [PROVIDER:]ID, "rules" (no model), or "imported"
verifier = "{verifier}"    # a model, or "precheck" (deterministic rules alone)
target = 20              # errors that shall be accepted
target_per = "run"       # a run is one paper and one family; "paper" divides the target
batch = 10
versions = "run"         # one corrupted version a run, or "paper": one with all families
require_pinned = false   # keep only what a verbatim passage contradicts

[judge]
model = "{judge}"           # a model that rates comments 1 to 5; "none": the place alone decides
coverage = 0.75
rating = 3
# precision = true       # ask about every comment by itself whether it is right
# sweep_from = 0.5       # judge more pairs, so that lower thresholds need no further call

{reviewers}

# [[reviewers]]
# reviewer = "zero_shot"
# models = ["openrouter:deepseek/deepseek-v4-flash"]
# rounds = 1
# group = "efficient"

# [subsets]
# frontier = ["PAPER", "PAPER"]

# [prices]               # USD per million tokens: input, output, cached input, input written to a cache
# "openrouter:deepseek/deepseek-v4-flash" = "0.30,1.20"

{papers}"""
