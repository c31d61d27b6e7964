"""Arms of an injection study: when one part fails, what is out for the others is awaited and kept."""

import asyncio

import pytest

import injection_server
from rereview.errors import KeyRejected, StorageError, UsageError
from rereview.judge.meeting import Version
from rereview.models.prices import Cap
from rereview.models.scripted import ScriptedEndpoint
from rereview.reviewers.panel import Panel
from rereview.study.arms import Copy, Met, configurations, judge_all, review_all, weigh_all
from rereview.study.asking import Asking
from rereview.study.design import Design, Judging, StudyPaper, StudyReviewer
from rereview.study.perturbing import perturb
from rereview.study.store import Store
from rereview.types.edit import Pair, Perturbation
from rereview.types.manuscript import Block, Manuscript, SourceSpan
from rereview.types.review import Comment, Review

MODEL = "scripted:s"


class Refusing(Store):
    """A ledger that refuses what is of the last paper or review."""

    def add_version(self, paper):
        if paper.paper_id == "p2":
            raise StorageError("the disk is full")
        super().add_version(paper)

    def add_records(self, kind, records):
        if any(key.startswith("r2") for key in records):
            raise StorageError("the disk is full")
        super().add_records(kind, records)


class Quiet:
    """Watches nothing."""

    def called(self, call, *, replayed):
        """Nothing."""

    def reviewed(self, record):
        """Nothing."""


def paneled(store, **options):
    """A panel with these options, as a study makes it."""
    design = Design(reviewers=(StudyReviewer(reviewer="panel", models=(MODEL,), options=options),))
    ((_, (made,)),) = configurations(design, asking(store))
    return made.reviewer


def test_a_list_of_a_study_is_an_option_of_its_reviewer(tmp_path):
    """As the command line gives it; one that is none, or names what is not there, is said in one line."""
    with Store(tmp_path / "s") as store:
        assert paneled(store, lenses=("surface", "claims")) == Panel(lenses=("surface", "claims"))
        with pytest.raises(
            UsageError, match=r"^panel: the option 'lenses' cannot be 'surface'; a list of texts$"
        ):
            paneled(store, lenses="surface")
        with pytest.raises(UsageError, match=r"^panel: no lens 'surfaces'; lenses out of surface, claims, "):
            paneled(store, lenses=("surfaces",))


async def agreed(endpoint, request):
    """Every request may go."""


async def late(_):
    """An answer that takes a moment, in which another part has failed already."""
    await asyncio.sleep(0.05)
    return "{}"


def asking(store, script=late):
    return Asking(store, lambda _: ScriptedEndpoint(script, "s"), agreed, Cap(1.0))


def paper(number):
    block = Block(id="b1", text=f"Bees of hive {number}.", kind="paragraph")
    return Manuscript(
        id=f"{number:016d}",
        paper_id=f"p{number}",
        title="Bees",
        format="markdown",
        blocks=(block,),
        sequence=("b1",),
    )


def review(number):
    comment = Comment(id=f"r{number}-1", title="t", body="b", match="no-quote")
    return Review(
        id=f"r{number}",
        manuscript_id=f"{number:016d}",
        reviewer="zero_shot",
        model=MODEL,
        round=1,
        status="ok",
        comments=(comment,),
    )


PAPERS = tuple(StudyPaper(id=f"p{number}", source="x.md") for number in range(3))
COPIES = tuple(Copy(each, "", Version(paper(number), (), "clean")) for number, each in enumerate(PAPERS))
DESIGN = Design(papers=PAPERS, reviewers=(StudyReviewer(reviewer="zero_shot", models=(MODEL,)),))
ERROR = Perturbation(
    id="e1",
    paper_id="p0",
    span=SourceSpan(file="x.md", start=0, end=4),
    original="Bees",
    replacement="Wasps",
    author="rules",
    run="p0/surface",
    candidate_id="c1",
    kind="paragraph",
    family="surface",
    error="incorrect-claim",
    why_wrong="they are bees",
)


async def test_reviews_of_other_versions_are_awaited_when_the_ledger_fails(tmp_path):
    """The last paper cannot be written; the answers on the others, which were out, are kept."""
    with Refusing(tmp_path) as store:
        with pytest.raises(StorageError, match="full"):
            await review_all(COPIES, DESIGN, asking(store), Quiet(), concurrency=3)
        assert {call.sample.split("/")[1] for call in store.calls()} == {f"{0:016d}", f"{1:016d}"}


async def test_ratings_of_other_reviews_are_awaited_when_the_ledger_fails(tmp_path):
    """The search of a review that needs no judge cannot be kept; the judge's answer on the other is."""

    def met(number, *, touches):
        one = Pair(
            perturbation_id="e1",
            review_id=f"r{number}",
            comment_id=f"r{number}-1",
            arm="corrupted",
            coverage=None,
            touches=touches,
        )
        return Met(review(number), "d", (one,))

    found = [met(1, touches=True), met(2, touches=False)]
    with Refusing(tmp_path) as store:
        with pytest.raises(StorageError, match="full"):
            await judge_all(found, {"e1": ERROR}, asking(store), Judging(model=MODEL), concurrency=2)
        assert {call.sample for call in store.calls()} == {"judge/r1"}


async def test_opinions_on_other_reviews_are_awaited_when_the_ledger_fails(tmp_path):
    """The same where comments are weighed by themselves."""
    with Store(tmp_path) as store:
        store.add_review(review(1), "zero_shot")
        store.add_review(review(2).but(comments=()), "zero_shot")
    with Refusing(tmp_path) as store:
        judging = Judging(model=MODEL, precision=True)
        with pytest.raises(StorageError, match="full"):
            await weigh_all(COPIES, asking(store), judging, concurrency=2)
        assert {call.sample for call in store.calls()} == {"precision/r1"}


async def test_runs_that_have_begun_are_awaited_when_one_fails_and_no_other_is_begun(tmp_path):
    """The generator's key is refused for one run; the answer to the other is kept."""
    for each in PAPERS:
        (tmp_path / f"{each.id}.tex").write_text(injection_server.paper(int(each.id[1:])))
    papers = tuple(StudyPaper(id=each.id, source=f"{each.id}.tex") for each in PAPERS)
    design = Design(papers=papers, perturb={"generator": MODEL})
    asked = []

    async def script(request):
        asked.append(request)
        if len(asked) == 2:
            raise KeyRejected("401")
        return await late(request)

    with Store(tmp_path) as store:
        with pytest.raises(KeyRejected):
            await perturb(tmp_path, design, asking(store, script), concurrency=2)
        samples = {call.sample for call in store.calls()}
        assert len(samples) == 1
        assert len(store.calls()) == len(asked) - 1
