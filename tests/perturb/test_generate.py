"""A model writes errors, a batch at a time."""

import itertools
import json
import re

from hypothesis import given
from hypothesis import strategies as st

from injected import Shelf, candidate, model
from rereview.perturb.evidence import Evidence
from rereview.perturb.generate import OPENING, Generator, Run, opening
from rereview.types.manuscript import Block, Manuscript

NUMBERS = [f"$a_{{{n}}} = {n}$" for n in range(1, 26)]
PROOFS = [f"Proof number {n} is short." for n in range(1, 4)]
TEXT = (
    "\\begin{document}\nAn abstract. " + " and ".join(NUMBERS) + "\n\n" + " ".join(PROOFS) + "\\end{document}"
)
FORMULAS = tuple(candidate(TEXT, text, name=f"c{n}") for n, text in enumerate(NUMBERS, start=1))
ALL = (*(candidate(TEXT, text, "proof", f"p{n}") for n, text in enumerate(PROOFS)), *FORMULAS)
FIELD = '{"field": "number theory", "errors": ["a wrong parity"]}'


def run_of(candidates=FORMULAS, family="surface"):
    return Run("p", family, tuple(candidates), Evidence({"main.tex": TEXT}), "We count lattice points.")


def change(passage, **fields):
    given = {"label": "numeric-parameter", "replacement": "$a_1 = 0$", "why": "it is one", "contradicts": ""}
    return {"passage": passage, **given, **fields}


def written(*changes):
    return json.dumps({"edits": list(changes)})


def answering(*batches):
    """The field, then one answer a batch."""
    return [FIELD, *batches]


def never(edit, accepted):
    return None


def test_batches_are_of_one_kind_and_hold_ten_each():
    """In reading order, and with the same number to change wherever so many are shown."""
    found = Generator(target=20).batches(ALL)
    assert [len(batch) for batch, _ in found] == [10, 10, 5, 3]
    assert [each.id for batch, _ in found[:3] for each in batch] == [each.id for each in FORMULAS]
    assert all(len({each.kind for each in batch}) == 1 for batch, _ in found)
    assert [target for _, target in found] == [10, 10, 5, 3]
    assert [target for _, target in Generator(target=4).batches(ALL)] == [2, 2, 2, 2]
    assert Generator().batches(()) == []


@given(st.integers(1, 300), st.integers(1, 30))
def test_a_long_paper_is_seen_from_one_end_to_the_other(count, target):
    """Where there are more batches than edits asked for, those taken are spread evenly."""
    many = tuple(FORMULAS[0].but(id=f"c{n}") for n in range(count))
    found = Generator(target=target, batch_size=1).batches(many)
    assert len(found) == min(count, 2 * target)
    places = [int(batch[0].id[1:]) for batch, _ in found]
    gaps = {high - low for low, high in itertools.pairwise(places)}
    assert not gaps or (min(gaps) >= 1 and max(gaps) - min(gaps) <= 1)
    assert places[0] == 0
    assert count - places[-1] <= max(gaps, default=count) + 1
    assert sum(each for _, each in found) >= min(2 * target, count)


async def test_a_run_asks_for_the_field_and_then_for_each_batch():
    """The answer becomes edits with their candidates' places; what was shown and chosen is kept in order."""
    shelf = Shelf()
    first = written(
        change(7, replacement="$a_{7} = 8$", contradicts="An abstract."), change(2, label="computation")
    )
    done = await Generator()(run_of(), model(answering(first, written(), written(change(5))), shelf), never)
    assert done.field.field == "number theory"
    assert len(shelf) == 4 == Generator().calls(FORMULAS)
    assert [(edit.candidate_id, edit.error) for edit in done.perturbations] == [
        ("c7", "numeric-parameter"),
        ("c2", "computation"),
        ("c25", "numeric-parameter"),
    ]
    edit = done.perturbations[0]
    assert (edit.original, edit.replacement) == ("$a_{7} = 7$", "$a_{7} = 8$")
    assert TEXT[edit.span.start : edit.span.end] == edit.original
    assert (edit.contradicts, edit.author, edit.run) == ("An abstract.", "scripted:function", "p/surface")
    assert [(batch.number, batch.chosen) for batch in done.batches] == [
        (1, ("c7", "c2")),
        (2, ()),
        (3, ("c25",)),
    ]
    assert done.batches[1].shown == tuple(f"c{n}" for n in range(11, 21))
    assert len({edit.id for edit in done.perturbations}) == 3
    assert done.dropped == ()


async def test_a_quote_that_stands_nowhere_else_is_dropped_and_recorded():
    """Invented, or from the passage itself."""
    quotes = ("a_{1} = 99", "$a_{2} = 2$")
    answer = written(*(change(n, contradicts=quote) for n, quote in enumerate(quotes, start=1)))
    done = await Generator()(run_of(FORMULAS[:2]), model(answering(answer)), never)
    assert [(edit.contradicts, edit.dropped_contradicts) for edit in done.perturbations] == [
        (None, quote) for quote in quotes
    ]


async def test_validation_sees_what_is_accepted_so_far_across_batches():
    """It is asked for each edit; one that it refuses is kept with the reason and is not in the way."""
    seen = []

    def validate(edit, accepted):
        seen.append([each.candidate_id for each in accepted])
        return "identical" if edit.candidate_id == "c2" else None

    answers = answering(written(change(1), change(2), change(3)), written(change(1)), written())
    done = await Generator()(run_of(), model(answers), validate)
    assert seen == [[], ["c1"], ["c1"], ["c1", "c3"]]
    assert [edit.rejected for edit in done.perturbations] == [None, "identical", None, None]


async def test_what_is_no_edit_is_said():
    """A passage that is not there, a label that is none, an answer that nobody can read."""
    answers = answering(written(change(11), change(1, label="typo"), change(2)), *["?"] * 3, written())
    done = await Generator()(run_of(), model(answers), never)
    assert [(each.batch, each.reason) for each in done.dropped] == [
        (1, "there is no passage 11"),
        (1, "passage 1: 'typo' is no label"),
        (2, "no readable answer"),
    ]
    assert len(done.perturbations) == 1
    assert [batch.chosen for batch in done.batches] == [("c2",), (), ()]


async def test_without_a_readable_field_the_batches_are_asked_without_guidance():
    """And that is recorded."""
    shelf = Shelf()
    done = await Generator()(run_of(FORMULAS[:3]), model([*["?"] * 3, written(change(1))], shelf), never)
    assert done.field is None
    assert len(done.perturbations) == 1
    assert "The field of the paper" not in list(shelf.values())[-1].request.messages[1].text


async def test_a_run_that_was_stopped_goes_on_from_the_calls_that_are_kept():
    """The same candidates make the same requests: nothing is asked twice, and the result is the same."""
    shelf = Shelf()
    answers = answering(written(change(1)), written(change(2)), written(change(3)))
    whole = await Generator()(run_of(), model(answers, shelf), never)
    half = Shelf(list(shelf.items())[:2])
    again = await Generator()(run_of(), model(answers[2:], half), never)
    assert again == whole
    assert list(half) == list(shelf)


async def test_no_candidates_no_calls():
    """A paper without proofs has no run of the reasoning family."""
    done = await Generator()(run_of(()), model([]), never)
    assert (done.perturbations, done.batches, done.field) == ((), (), None)


async def test_the_model_sees_text_kind_surroundings_and_labels():
    """For each passage, with the guidance, between marks that it cannot forge."""
    shelf = Shelf()
    await Generator()(run_of(FORMULAS[:2]), model(answering(written()), shelf), never)
    system, user = list(shelf.values())[1].request.messages
    for part in (
        "$a_{2} = 2$",
        "inline-equation",
        "numeric-parameter",
        "before it: An abstract.",
        "a wrong parity",
    ):
        assert part in user.text
    assert "Change 2 of these 2 passages" in user.text
    assert "induction" not in user.text
    (mark,) = set(re.findall(r"^(=== passages \w+) (?:begin|end)$", user.text, re.MULTILINE))
    assert mark in system.text


def paper(*blocks):
    made = tuple(
        Block(id=str(n), text=text, kind=kind, environment=environment)
        for n, (text, kind, environment) in enumerate(blocks)
    )
    return Manuscript(id="m", paper_id="p", title="", format="latex", blocks=made)


def test_the_opening_is_the_abstract_or_the_beginning():
    """At most 2 000 characters."""
    body = [("Eels.", "title", None), ("Eels swim.", "paragraph", None), ("$x$", "equation", None)]
    assert opening(paper(*body)) == "Eels.\n\nEels swim."
    assert opening(paper(*body, ("In short.", "paragraph", "abstract"))) == "In short."
    assert len(opening(paper(("x" * 9000, "paragraph", None)))) == OPENING
