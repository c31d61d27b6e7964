"""What is shown of a model that carries no information, and of a form without a number."""

from report.documents import manuscript, reviews
from rereview.cli.configurations import form_of
from rereview.report.contents import document
from rereview.report.export import review_markdown
from rereview.report.page import page
from rereview.types.call import Call, Completion, Message, Request, Usage
from rereview.types.document import Goal
from rereview.types.review import Draft, Review


def call(name, text):
    return Call(
        id=name,
        model="embedded:toy",
        host="",
        sample=name,
        request=Request(messages=(Message(role="user", text="u"),)),
        completion=Completion(text=text, finish="stop", usage=Usage()),
        started="2026-01-01T00:00:00+00:00",
        seconds=1.0,
        usd=0.0,
    )


def toy_reviews():
    """The checks, and the model rounds of the usual document as those of a toy."""
    return tuple(
        each
        if each.model is None
        else each.but(
            model="embedded:toy",
            call_ids=(f"c{each.round}",),
            draft=each.draft and each.draft.but(notes=("The model reads at most 2,000 tokens.",)),
        )
        for each in reviews()
    )


def made(**options):
    calls = [call(f"c{number}", f'{{"score": 9, "raw": "words {number}"}}') for number in (1, 2, 3)]
    forms = {"scorecard": form_of("scorecard")}
    return document(manuscript(), toy_reviews(), calls, forms=forms, toys={"embedded:toy"}, **options)


def test_a_toy_has_no_score_no_interval_and_no_finding():
    """Its scores and comments are nowhere; its raw answers are folded, and said to mean nothing."""
    found = made()
    assert found.scores == ()
    assert [toy.round for toy in found.toys] == [1, 2, 3]
    html = page(found, lambda _: None)
    above, _, fold = html.partition('<details class="more" id="plumbing">')
    assert "No ablation" not in html
    assert "Score 7" not in above
    assert "Mean" not in above.partition("<main>")[2].partition('id="paper"')[0]
    assert "words 1" not in above
    assert fold.startswith("\n<summary>Plumbing test, carries no information: 3 raw answers of embedded:toy")
    assert "words 1" in fold
    assert "The model reads at most 2,000 tokens." in fold
    assert "a plumbing test, which carries no information" in above


def test_markdown_says_it_and_shows_no_form():
    """One line, no round."""
    text = review_markdown(made())
    assert "embedded:toy was asked for 3 rounds: a plumbing test, which carries no information" in text
    assert "## Round" not in text
    assert "No ablation" not in text


def test_rounds_of_a_toy_are_never_precise():
    """A goal is nothing that a toy can reach."""
    assert made(goals={"scorecard": Goal(tolerance=0.5, most_rounds=9)}).scores == ()


def test_a_form_without_a_number_is_counted_and_has_no_score():
    """Its answers are a table; there is no score, and nothing breaks."""
    kept = {"manuscript_id": "ab12cd34", "reviewer": "scorecard(tmlr)", "model": "openai:m", "status": "ok"}
    given = [
        Review(
            id=f"r{number}",
            round=number,
            draft=Draft(
                summary="s", fields={"claims_and_evidence": answer, "decision_recommendation": "Reject"}
            ),
            **kept,
        )
        for number, answer in enumerate(("Yes", "No", "Yes"), start=1)
    ]
    found = document(manuscript(), given, [], forms={"scorecard(tmlr)": form_of("scorecard(tmlr)")})
    assert found.scores == ()
    counts = {choice.field: choice.counts for choice in found.choices}
    assert counts["claims_and_evidence"] == (("Yes", 2), ("No", 1))
    assert dict(counts["decision_recommendation"])["Reject"] == 3
    html = page(found, lambda _: None)
    assert "no form of these rounds asks for a number" in html
    assert "Yes: 2 · No: 1" in html


def test_a_form_is_known_by_the_name_of_its_configuration():
    """With and without settings."""
    assert form_of("scorecard").form == "iclr-anchored"
    assert form_of("scorecard(arr)").form == "arr"
    settings = form_of("scorecard(iclr-2025)[protocol=decimal, quotes=False]")
    assert (settings.form, settings.protocol) == ("iclr-2025", "decimal")
    assert form_of("scorecard[form=tmlr]").protocol_values == ()
