"""Runs: what is missing is made, what failed is recorded."""

import asyncio
import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rereview.errors import BadRequest, ConsentError, KeyRejected, StorageError
from rereview.models.base import Traits
from rereview.models.prices import FREE, Cap, Price
from rereview.models.scripted import ScriptedEndpoint
from rereview.reviewers.illustrated import given
from rereview.reviewers.scorecard import Scorecard
from rereview.study.rounds import Fixed
from rereview.study.run import Configuration, run
from rereview.study.store import Store
from rereview.types.call import Call, Completion, Picture, Request, Usage
from rereview.types.manuscript import Block, Figure, Manuscript
from rereview.types.review import Draft, Exclusion, Remark

PAPER = Manuscript(
    id="0123456789abcdef",
    paper_id="bees",
    title="Bees",
    format="markdown",
    blocks=(Block(id="b1", text="We counted 120 bees in 4 hives, 30 bees a hive.", kind="paragraph"),),
    sequence=("b1",),
)
FILLED = {
    "summary": "Bees were counted.",
    "strengths": [{"text": "Short.", "pages": []}],
    "concerns": [{"title": "Few hives", "text": "Four.", "quote": "120 bees in 4 hives", "pages": [1]}],
    "rationale": "Fine.",
    "score": 6,
    "confidence": 3,
}

PAID = Price(input=1, output=1)


class Watcher:
    """Remembers what it was told."""

    def __init__(self):
        self.new = 0
        self.replayed = 0
        self.reviews = []

    def called(self, call, *, replayed):
        self.new += not replayed
        self.replayed += replayed

    def reviewed(self, record):
        self.reviews.append(record)


async def allowed(endpoint, request):
    """Everything may leave."""


def scorecard(script, rounds=3):
    return Configuration("scorecard", Scorecard(), Fixed(rounds), ScriptedEndpoint(script), FREE)


async def made(store, *configurations, paper=PAPER, gate=allowed, watch=None, **options):
    return await run(
        paper,
        configurations,
        store,
        cap=Cap(1.0),
        gate=gate,
        watch=watch or Watcher(),
        clock=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        **options,
    )


async def test_each_round_is_a_call_of_its_own(tmp_path):
    """Three rounds are three calls with equal requests, under three samples."""
    with Store(tmp_path) as store:
        outcome = await made(store, scorecard(lambda _: json.dumps(FILLED)))
        calls = store.calls()
    assert [record.round for record in outcome.reviews] == [1, 2, 3]
    assert len({call.id for call in calls}) == len({call.sample for call in calls}) == 3
    assert len({call.request for call in calls}) == 1


async def test_the_walk_to_a_located_comment(tmp_path):
    """A concern's quote ends as a comment at its place in the paper, and is kept."""
    with Store(tmp_path) as store:
        await made(store, scorecard(lambda _: json.dumps(FILLED), rounds=1))
        (record,) = store.reviews(PAPER.id)
    (comment,) = record.comments
    assert comment.match == "exact"
    assert [PAPER.text_of(span) for span in comment.spans] == ["120 bees in 4 hives"]
    assert record.draft.score == 6
    assert record.draft.concerns == ("Four. (p. 1)",)


async def test_a_second_run_asks_nothing(tmp_path):
    """The same inputs give equal reviews from the ledger."""
    asked = []

    def script(request):
        asked.append(request)
        return json.dumps(FILLED)

    watch = Watcher()
    with Store(tmp_path) as store:
        first = await made(store, scorecard(script))
        second = await made(store, scorecard(script), watch=watch)
    assert first == second
    assert len(asked) == 3
    assert (watch.new, watch.replayed) == (0, 3)


async def test_one_failed_round_does_not_stop_the_others(tmp_path):
    """A round whose call fails is recorded as failed with the reason; the next run makes only it."""
    turn = iter(range(100))

    def script(request):
        if next(turn) == 1:
            raise BadRequest("too long")
        return json.dumps(FILLED)

    watch = Watcher()
    with Store(tmp_path) as store:
        outcome = await made(store, scorecard(script), concurrency=1)
        again = await made(store, scorecard(script), watch=watch)
    assert [record.status for record in outcome.reviews] == ["ok", "failed", "ok"]
    assert "too long" in outcome.reviews[1].error
    assert [record.status for record in again.reviews] == ["ok", "ok", "ok"]
    assert (watch.new, watch.replayed) == (1, 2)


@pytest.mark.parametrize("failure", [KeyRejected("no"), ConsentError("no")])
async def test_a_hopeless_failure_ends_the_run(tmp_path, failure):
    """After a rejected key no further round is begun, and each says so."""
    asked = []

    def script(request):
        asked.append(request)
        raise failure

    with Store(tmp_path) as store:
        outcome = await made(store, scorecard(script), concurrency=1)
    assert len(asked) == 1
    assert [record.status for record in outcome.reviews] == ["failed"] * 3
    assert "not begun" in outcome.reviews[2].error


async def test_a_gate_stops_a_call_before_it_leaves(tmp_path):
    """What consent refuses is never asked, and nothing is kept as an answer."""

    async def closed(endpoint, request):
        raise ConsentError("nobody agreed")

    with Store(tmp_path) as store:
        outcome = await made(store, scorecard(lambda _: pytest.fail("asked")), gate=closed)
        assert store.calls() == ()
    assert isinstance(outcome.failures[0], ConsentError)


async def test_an_answer_without_a_form_is_kept_with_its_status(tmp_path):
    """Prose is asked again twice, each try is in the ledger, and no score is made up."""
    with Store(tmp_path) as store:
        outcome = await made(store, scorecard(lambda _: "A fine paper, truly.", rounds=1))
        assert [call.request.attempt for call in store.calls()] == [1, 2, 3]
    (record,) = outcome.reviews
    assert (record.status, record.draft) == ("invalid", None)
    assert len(record.call_ids) == 3


async def test_a_full_disk_stops_the_run(tmp_path):
    """Without a ledger nothing more is asked."""
    with Store(tmp_path) as store:
        store.add_version(PAPER)
        store._database.execute("PRAGMA query_only = 1")
        with pytest.raises(StorageError):
            await made(store, scorecard(lambda _: json.dumps(FILLED)))


async def test_a_disk_that_fills_up_names_every_rescued_answer(tmp_path):
    """Answers in flight are kept elsewhere and each is named; no further round is begun."""
    asked = []

    async def script(request):
        asked.append(request)
        if len(asked) == 1:
            return json.dumps(FILLED)
        await asyncio.sleep(0.05)
        return json.dumps(FILLED | {"summary": f"{len(asked)} {'x' * 100_000}"})

    with Store(tmp_path) as store:
        store._database.execute("PRAGMA max_page_count = 20")
        with pytest.raises(StorageError) as raised:
            await made(store, scorecard(script, rounds=9), concurrency=3)
    assert len(asked) <= 5
    kept = [Path(found) for found in re.findall(r"kept in (\S+?\.json)", raised.value.what)]
    assert len(kept) >= 2
    for path in kept:
        assert Call.model_validate_json(path.read_text("utf-8"))
    with Store(tmp_path) as store, store.claim():
        again = await made(store, scorecard(script, rounds=len(asked)))
    assert len(again.reviews) == len(asked)
    assert not any(path.exists() for path in kept)
    # What was in flight is not asked a second time, in this study.
    assert len(asked) <= 5


async def test_a_review_that_cannot_be_kept_stops_the_run(tmp_path):
    """When a round cannot be written down, no other is paid for."""
    asked = []

    def script(request):
        asked.append(request)
        return json.dumps(FILLED)

    with Store(tmp_path) as store:
        store._database.execute(
            "CREATE TRIGGER full BEFORE INSERT ON reviews BEGIN SELECT RAISE(FAIL, ''); END"
        )
        with pytest.raises(StorageError):
            await made(store, scorecard(script, rounds=9), concurrency=1)
    assert len(asked) == 1


@dataclass(frozen=True)
class Broken:
    """A reviewer with a defect."""

    needs_model = False

    async def __call__(self, paper, model):
        return 1 // 0


@dataclass(frozen=True)
class Plain:
    """A reviewer that asks no model."""

    needs_model = False

    async def __call__(self, paper, model):
        return Draft(remarks=(Remark(title="t", body="b", quote="30 bees a hive"),))


async def test_a_defect_of_one_reviewer_is_its_own(tmp_path):
    """A reviewer that raises is recorded as failed; the others are heard."""
    with Store(tmp_path) as store:
        outcome = await made(
            store, Configuration("broken", Broken(), Fixed(1)), Configuration("plain", Plain(), Fixed(1))
        )
    assert [record.status for record in outcome.reviews] == ["failed", "ok"]
    assert "ZeroDivisionError" in outcome.reviews[0].error
    assert isinstance(outcome.failures[0].__cause__, ZeroDivisionError)


def pictures(count):
    return {f"f{at}": Picture(sha256=f"{at:064}", width=9, height=9, content=b"x") for at in range(count)}


@pytest.mark.parametrize(("count", "limit", "sent"), [(3, 3, True), (4, 3, False), (4, None, True)])
async def test_a_paper_over_the_limit_of_images_is_not_sent(tmp_path, count, limit, sent):
    """No call, no review, and an exclusion that is kept once; others go on; nothing is trimmed."""
    asked = []

    def script(request):
        asked.append(request)
        return json.dumps(FILLED)

    limited = scorecard(script, rounds=1)
    limited = Configuration("scorecard", limited.reviewer, limited.rounds, limited.endpoint, FREE, limit)
    other = Configuration("plain", Plain(), Fixed(1))
    with Store(tmp_path) as store:
        for _ in range(2):
            outcome = await made(store, limited, other, pictures=pictures(count))
        kept = store.exclusions()
    why = f"{count} images, over the limit of {limit} a call"
    exclusion = Exclusion(paper="bees", model="scripted:function", why=why)
    assert kept == outcome.excluded == (() if sent else (exclusion,))
    assert len(asked) == sent
    assert [each.reviewer for each in outcome.reviews] == (["scorecard"] if sent else []) + ["plain"]


async def test_a_model_is_shown_images_where_the_paper_has_them(tmp_path):
    """Between the text before and after, and only if it may see them."""
    asked = []
    paper = PAPER.but(
        blocks=(*PAPER.blocks, PAPER.blocks[0].but(id="b2", text="They flew off.")),
        figures=(
            Figure(id="f0", path="a.png", name="a.png"),
            Figure(id="f8", path=None, name="table 1"),
            Figure(id="f9", path=None, name="drawn"),
        ),
        sequence=("b1", "f0", "f8", "f9", "b2"),
    )

    def script(request):
        asked.append(request.messages[1])
        return json.dumps(FILLED)

    with Store(tmp_path) as store:
        for limit in (1, None):
            one = scorecard(script, rounds=1)
            one = Configuration("scorecard", one.reviewer, one.rounds, one.endpoint, FREE, limit)
            await made(store, one, paper=paper, pictures=pictures(1))
    before, picture, after = asked[0].parts
    assert picture.sha256 == f"{0:064}"
    assert before.endswith("30 bees a hive.\n\n[figure a.png]")
    unseen = "[table 1: image not included]\n\n[figure drawn: image not included]"
    assert after.startswith(f"\n\n{unseen}\n\nThey flew off.")
    (text,) = asked[1].parts
    assert "[figure a.png: image not included]" in text


async def in_waves(folder, configuration):
    """How many calls were in flight together, wave by wave; an answer takes until no other call comes."""
    waves = []
    waiting = 0

    async def script(_):
        nonlocal waiting
        waiting += 1
        for _ in range(50):
            await asyncio.sleep(0)
        if waiting:
            waves.append(waiting)
        waiting = 0
        return json.dumps(FILLED)

    with Store(folder) as store:
        outcome = await made(store, replace(configuration, endpoint=Awaited(script)))
    assert [record.status for record in outcome.reviews] == ["ok"] * configuration.rounds.most
    return waves


@dataclass(frozen=True)
class Awaited:
    """An endpoint whose answers take a while."""

    script: object
    name: str = "awaited:m"
    address: str = "awaited"
    host: str = "models.invalid"

    async def complete(self, request):
        return Completion(
            text=await self.script(request),
            finish="stop",
            usage=Usage(input_tokens=1, output_tokens=1),
        )

    async def aclose(self):
        """Nothing is open."""


@pytest.mark.parametrize(("price", "waves"), [(PAID, [1, 4]), (FREE, [5])])
async def test_the_first_of_paid_rounds_goes_alone(tmp_path, price, waves):
    """The others then find the paper in the provider's cache; where nothing is paid nobody waits."""
    assert await in_waves(tmp_path, replace(scorecard(None, rounds=5), price=price)) == waves


async def test_only_the_first_batch_of_rounds_has_a_first(tmp_path):
    """A later batch finds the paper in the cache as it is."""

    @dataclass(frozen=True)
    class Twice:
        most: int = 6

        def more(self, reviews):
            return 3 if len(reviews) < self.most else 0

    configuration = replace(scorecard(None), price=PAID, rounds=Twice())
    assert await in_waves(tmp_path, configuration) == [1, 2, 3]


async def test_a_first_round_that_fails_holds_up_nobody(tmp_path):
    """The others are asked all the same."""
    asked = []

    def script(_):
        asked.append(1)
        if len(asked) == 1:
            raise BadRequest("no", where="here", expected="yes")
        return json.dumps(FILLED)

    with Store(tmp_path) as store:
        outcome = await made(store, replace(scorecard(script), price=PAID))
    assert [record.status for record in outcome.reviews] == ["failed", "ok", "ok"]


@dataclass(frozen=True)
class Both:
    """Asks every model that it is given."""

    needs_model = True

    async def __call__(self, paper, model):
        for each in (model, *model.peers):
            await each(Request(messages=(given(paper, each).message("Read: " + given(paper, each).text),)))
        return Draft()


@pytest.mark.parametrize("limit", [5, None])
async def test_a_further_model_is_shown_what_the_first_is(tmp_path, limit):
    """The images too, unless it reads text alone or nobody is shown any."""
    seen = {}

    def named(name, *, text_only=False):
        async def answer(request):
            seen[name] = sum(len(message.pictures) for message in request.messages)
            return "{}"

        answering = TextOnly if text_only else Awaited
        return answering(answer, name=name)

    peers = ((named("b:2"), FREE), (named("c:3", text_only=True), FREE))
    both = Configuration("both", Both(), Fixed(1), named("a:1"), FREE, limit, peers)
    paper = PAPER.but(figures=(Figure(id="f0", path="a.png", name="a.png"),), sequence=("b1", "f0"))
    with Store(tmp_path) as store:
        (record,) = (await made(store, both, paper=paper, pictures=pictures(1))).reviews
    assert record.status == "ok"
    assert seen == {"a:1": int(limit is not None), "b:2": int(limit is not None), "c:3": 0}


@dataclass(frozen=True)
class TextOnly(Awaited):
    """One that cannot see."""

    traits = Traits(text_only=True)
