"""How many rounds are asked for: the policies alone, and in a run."""

import json
from datetime import UTC, datetime
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import BadRequest, ConsentError
from rereview.measures.precision import precision
from rereview.models.prices import FREE, Cap, Price
from rereview.models.scripted import ScriptedEndpoint
from rereview.reviewers.scorecard import Scorecard
from rereview.stats.adaptive import mean_bounds, reviews_until
from rereview.study.rounds import FIRST, SILENT, Fixed, UntilPrecise
from rereview.study.run import Configuration, run
from rereview.study.store import Store
from rereview.types.call import Completion, Usage
from rereview.types.document import Goal
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Draft, Review

SCALE = (1.0, 10.0)
HALF = UntilPrecise(Goal(tolerance=0.5, most_rounds=598), SCALE)
PAPER = Manuscript(
    id="0123456789abcdef",
    paper_id="bees",
    title="Bees",
    format="markdown",
    blocks=(Block(id="b1", text="We counted 120 bees in 4 hives.", kind="paragraph"),),
    sequence=("b1",),
)


def reviews(scores, words=lambda number: None):
    return [
        Review(
            id=f"r{number}",
            manuscript_id="m",
            reviewer="scorecard",
            model="a:b",
            round=number,
            status="refused" if score is None else "ok",
            draft=None if score is None else Draft(score=score, rationale=words(number)),
        )
        for number, score in enumerate(scores, start=1)
    ]


def batches(policy, scores, words=lambda number: None):
    """The batches that the policy asks for where these scores are what comes back."""
    made, sizes = [], []
    while further := policy.more(made):
        sizes.append(further)
        assert sum(sizes) <= len(scores), "the scores ran out"
        made = reviews(scores[: sum(sizes)], words)
    return sizes


def test_a_fixed_number_is_one_batch():
    """All at once, then nothing."""
    assert batches(Fixed(5), [6.0] * 5) == [5]
    assert str(Fixed(5)) == "5"


def test_equal_scores_end_at_the_first_round_that_can():
    """Batches double, and the last ends where the bounds first allow it."""
    sizes = batches(HALF, [6.0] * 100)
    assert sizes[0] == FIRST
    assert sum(sizes) == reviews_until(np.full(100, 6.0), 0.5).reviews


@given(st.lists(st.integers(4, 6).map(float), min_size=200, max_size=200))
@settings(max_examples=15, deadline=None)
def test_no_batch_more_than_doubles_the_rounds_and_the_end_is_precise(scores):
    """Whatever the scores, rounds end only where the bounds lie within the tolerance."""
    sizes = batches(HALF, scores)
    totals = np.cumsum(sizes)
    assert all(size <= max(FIRST, total - size) for size, total in zip(sizes, totals, strict=True))
    assert mean_bounds(scores[: totals[-1]]).within(0.5)
    assert not any(mean_bounds(scores[:total]).within(0.5) for total in totals[:-1])
    assert totals[-1] >= reviews_until(scores, 0.5).reviews


def test_wild_scores_end_at_the_most_rounds():
    """Ones and tens never suffice; the limit holds exactly."""
    policy = UntilPrecise(Goal(tolerance=0.5, most_rounds=101), SCALE)
    assert sum(batches(policy, [1.0, 10.0] * 100)) == 101


def test_rounds_without_a_score_are_no_evidence():
    """With every fifth round lost, as many scores are needed as without losses."""
    scores = [None if number % 5 == 0 else 6.0 for number in range(1, 200)]
    total = sum(batches(HALF, scores))
    assert sum(score is not None for score in scores[:total]) == sum(batches(HALF, [6.0] * 100))


def test_a_model_that_gives_no_score_is_not_asked_on():
    """After eight rounds in a row without a score."""
    assert batches(HALF, [None] * 100) == [SILENT]
    assert sum(batches(HALF, [6.0] * FIRST + [None] * 100)) <= FIRST + SILENT + FIRST


def test_equal_long_answers_are_not_asked_on():
    """They are no further evidence; equal short answers are no sign of anything."""
    assert batches(HALF, [6.0] * 100, lambda _: "The same review again. " * 5) == [FIRST]
    assert sum(batches(HALF, [6.0] * 100, lambda _: "Fine.")) > FIRST


# --- in a run ----------------------------------------------------------------------------


def form(score, number):
    """A filled form whose words are those of no other round."""
    return json.dumps(
        {
            "summary": f"Reading number {number} found that bees were counted, and hives, with some care.",
            "strengths": [],
            "concerns": [],
            "rationale": f"In reading number {number} the count seemed plausible but the sample small.",
            "score": score,
            "confidence": 3,
        }
    )


class Watcher:
    """Counts calls."""

    def __init__(self):
        self.new = 0
        self.replayed = 0

    def called(self, call, *, replayed):
        self.new += not replayed
        self.replayed += replayed

    def reviewed(self, record):
        pass


def scripted(scores, wording=None):
    """A model that gives these scores in turn, each in words of its own."""
    turn = count()

    def script(request):
        number = next(turn)
        return form(scores[number], number if wording is None else wording)

    return script


async def allowed(endpoint, request):
    """Everything may leave."""


async def made(folder, script, *, gate=allowed, watch=None, cap=1.0, price=FREE, **options):
    with Store(folder) as store:
        return await run(
            PAPER,
            [Configuration("scorecard", Scorecard(), HALF, ScriptedEndpoint(script), price)],
            store,
            cap=Cap(cap),
            gate=gate,
            watch=watch or Watcher(),
            clock=lambda: datetime(2026, 1, 1, tzinfo=UTC),
            **options,
        )


def ended(outcome, goal=HALF.goal):
    failure = None if outcome.stopped is None else str(outcome.stopped)
    return precision(outcome.reviews, goal, scale=SCALE, usd=4.0, failure=failure)


async def test_constant_scores_keep_the_promise(tmp_path):
    """Forty equal scores, in place of the 598 that the range alone asks for."""
    outcome = await made(tmp_path, scripted([6] * 100))
    found = ended(outcome)
    assert [record.round for record in outcome.reviews] == list(range(1, 41))
    assert (found.stopped, found.scores, found.fixed_rounds) == ("precise", 40, 598)
    assert found.fixed_usd == pytest.approx(4.0 / 40 * 598)
    assert 5.5 < found.low < 6 < found.high < 6.5


async def test_a_noisy_model_takes_more_rounds(tmp_path):
    """The end is where the bounds lie within the tolerance."""
    scores = np.random.default_rng(3).choice([3, 5, 6, 8], 400).tolist()
    outcome = await made(tmp_path, scripted(scores), concurrency=1)
    found = ended(outcome)
    assert found.stopped == "precise"
    assert 40 < found.scores < 400
    assert found.low, found.high == mean_bounds(scores[: found.scores])[1:3]


async def test_the_same_long_answer_is_refused(tmp_path):
    """A cache answers: nothing is certified, and no interval is given."""
    found = ended(await made(tmp_path, scripted([6] * 100, wording=0)))
    assert (found.stopped, found.low, found.high) == ("not-independent", None, None)
    assert found.scores == FIRST
    assert "7 answers are word for word equal" in found.doubts[0]


async def test_scores_that_drift_are_refused(tmp_path):
    """A model that grows milder from round to round."""
    scores = [4 + (number + 3) // 22 for number in range(100)]
    found = ended(await made(tmp_path, scripted(scores), concurrency=1))
    assert (found.stopped, found.low) == ("not-independent", None)
    assert "drift" in found.doubts[0]


async def test_a_second_run_asks_nothing(tmp_path):
    """Rounds from the ledger end where the new ones ended; they are no replayed calls."""
    watch = Watcher()
    first = await made(tmp_path, scripted([6] * 100))
    second = await made(tmp_path, lambda _: pytest.fail("asked"), watch=watch)
    assert second == first
    assert (watch.new, watch.replayed) == (0, 40)


async def test_another_number_at_the_same_time_ends_in_the_same_rounds(tmp_path):
    """Batches follow from the scores alone."""
    scores = np.random.default_rng(4).choice([5, 6], 200).tolist()
    one = await made(tmp_path / "one", scripted(scores), concurrency=1)
    watch = Watcher()
    assert await made(tmp_path / "one", lambda _: pytest.fail("asked"), concurrency=16, watch=watch) == one


@pytest.mark.parametrize("after", [3, 11, 33])
async def test_a_run_that_was_stopped_asks_only_what_is_missing(tmp_path, after):
    """Within the first batch, the second, the last."""
    passed = count()

    async def closing(endpoint, request):
        if next(passed) >= after:
            raise ConsentError("the lid is shut")

    watch = Watcher()
    script = scripted([6] * 100)
    stopped = await made(tmp_path, script, gate=closing, concurrency=1)
    assert ended(stopped).stopped == "failed"
    again = await made(tmp_path, script, watch=watch)
    assert watch.replayed == after
    assert watch.new == 40 - after
    assert ended(again).scores == 40


async def test_the_cap_ends_the_rounds(tmp_path):
    """No further batch is begun, and the reason is the cap's."""
    price = Price(input="0", output="100")

    def script(request, turn=count()):  # noqa: B008  one count for all calls
        return Completion(
            text=form(6, next(turn)), finish="stop", usage=Usage(input_tokens=0, output_tokens=1000)
        )

    outcome = await made(tmp_path, script, price=price, cap=2.6, concurrency=1)
    found = ended(outcome)
    assert found.stopped == "failed"
    assert "cap" in found.why
    assert 8 < found.scores < 16
    assert len(outcome.reviews) == 16


async def test_one_failed_round_is_replaced(tmp_path):
    """A round that failed is shown, is no evidence, and another is asked."""
    turn = count()

    def script(request):
        number = next(turn)
        if number == 5:
            raise BadRequest("too long")
        return form(6, number)

    outcome = await made(tmp_path, script, concurrency=1)
    assert [record.status for record in outcome.reviews].count("failed") == 1
    assert (len(outcome.reviews), ended(outcome).scores) == (41, 40)


async def test_two_policies_in_one_run(tmp_path):
    """Each configuration ends by its own rule."""
    with Store(tmp_path) as store:
        endpoint = ScriptedEndpoint(scripted([6] * 200))
        outcome = await run(
            PAPER,
            [
                Configuration("one", Scorecard(), Fixed(3), endpoint, FREE),
                Configuration("other", Scorecard(), HALF, endpoint, FREE),
            ],
            store,
            cap=Cap(1.0),
            gate=allowed,
            watch=Watcher(),
            clock=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        )
    names = [record.reviewer for record in outcome.reviews]
    assert names == ["one"] * 3 + ["other"] * 40


# --- how often the promise is broken -------------------------------------------------------

LAWS = {
    "neighbours": lambda rng: flips(rng.uniform(0.02, 0.5)),
    # While no jump is seen the mean is 1, just beyond the tolerance from the truth.
    "rare jumps": lambda rng: two(1, 10, rng.uniform(0.056, 0.07)),
    "skewed": lambda rng: two(7, 3, 0.1),
    "flat": lambda rng: np.full(10, 0.1),
}


def two(first, second, share):
    law = np.zeros(10)
    law[first - 1], law[second - 1] = 1 - share, share
    return law


def flips(share):
    return two(5, 6, share)


def broken(kind, papers, seed=11):
    """Share of papers whose rounds ended with a promise that does not hold."""
    rng = np.random.default_rng(seed)
    missed = 0
    for _ in range(papers):
        law = LAWS[kind](rng)
        scores = rng.choice(np.arange(1.0, 11.0), 598, p=law).tolist()
        total = sum(batches(HALF, scores))
        found = precision(reviews(scores[:total]), HALF.goal, scale=SCALE, usd=None)
        truth = law @ np.arange(1, 11)
        missed += found.stopped == "precise" and abs(np.mean(scores[:total]) - truth) >= 0.5
    return missed / papers


@pytest.mark.parametrize("kind", ["neighbours", "rare jumps"])
def test_promises_are_rarely_broken(kind):
    """In twenty papers at most one."""
    assert broken(kind, 20) <= 0.05


@pytest.mark.long
@pytest.mark.parametrize("kind", LAWS)
def test_promises_keep_their_level(kind):
    """In a thousand papers at most .05 are off by the tolerance where the report says they are not."""
    assert broken(kind, 1000) <= 0.05
