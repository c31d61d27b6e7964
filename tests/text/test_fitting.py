"""Values brought into the shape of a record."""

from typing import Literal

import pytest
from pydantic import Field

from promptly import promptly
from rereview.text.fitting import answers_in, fit
from rereview.types.record import Record


class Item(Record):
    """One entry."""

    name: str
    pages: tuple[int, ...] = ()


class Form(Record):
    """Fields of every kind."""

    score: int | None = Field(default=None, ge=0, le=5)
    share: float | None = None
    verdict: Literal["accept", "reject"] | None = None
    text: str = ""
    items: tuple[Item, ...] = ()
    names: tuple[str, ...] = ()
    extra: dict[str, str] = Field(default={})


@pytest.mark.parametrize(
    ("given", "field", "value"),
    [
        ({"score": "4/5"}, "score", 4),
        ({"score": "four"}, "score", 4),
        ({"score": "4 out of 5"}, "score", 4),
        ({"score": "0: nothing in it"}, "score", 0),
        ({"share": "0.25"}, "share", 0.25),
        ({"share": 1}, "share", 1.0),
        ({"verdict": " Accept "}, "verdict", "accept"),
        ({"text": 7}, "text", "7"),
        ({"text": ["a", "b"]}, "text", "a\nb"),
        ({"names": "a"}, "names", ("a",)),
        ({"items": {"name": "a"}}, "items", (Item(name="a"),)),
        ({"items": [{"name": "a", "pages": "3"}]}, "items", (Item(name="a", pages=(3,)),)),
        ({"extra": {"a": 1}}, "extra", {"a": "1"}),
        ({"TEXT": "a"}, "text", "a"),
    ],
)
def test_there_is_only_one_way_to_read_it(given, field, value):
    """Each is brought into shape, and all but plain numbers and names are noted."""
    made = fit(given, Form)
    assert getattr(made.value, field) == value
    assert made.notes or given in ({"share": 1}, {"TEXT": "a"})


@pytest.mark.parametrize(
    "given",
    [
        {"score": "4/10"},
        {"score": "4-5"},
        {"score": "4 or 5"},
        {"score": "4; could be 5"},
        {"score": "4 (not five)"},
        {"score": 4.5},
        {"score": True},
        {"score": "6"},
        {"score": [4, 5]},
        {"share": "a quarter"},
        {"verdict": "accept or reject"},
        {"text": {"a": "b"}},
    ],
)
def test_what_could_mean_several_things_is_not_read(given):
    """No value, and a problem that quotes what was given."""
    made = fit(given, Form)
    assert made.value is None
    assert made.problem


def test_an_answer_is_found_in_its_wrappers():
    """A tool call, an object of one field, a list of one; not two answers side by side."""
    answer = {"score": 4}
    for wrapped in (
        {"review": answer},
        [answer],
        {"name": "f", "arguments": '{"score": 4}'},
        [{"review": answer}],
    ):
        assert answers_in(wrapped, Form) == ((answer, True),)
    assert answers_in(answer, Form) == ((answer, False),)
    assert answers_in({"first": answer, "second": {"score": 5}}, Form) == ()
    assert answers_in({"other": 1}, Form) == ()


def test_a_list_of_items_is_a_form_with_one_list():
    """Where the form has a single list, its items may come alone."""

    class Listed(Record):
        items: tuple[Item, ...]

    ((part, unwrapped),) = answers_in([{"name": "a"}, {"name": "b"}], Listed)
    assert (fit(part, Listed).value, unwrapped) == (Listed(items=(Item(name="a"), Item(name="b"))), True)


def test_a_score_in_much_white_space_is_read_in_no_time():
    """As that of a model that fills its answer up with it."""
    promptly(
        "from rereview.text.fitting import fit\n"
        "from rereview.types.record import Record\n"
        "class Rated(Record):\n"
        "    score: int\n"
        "gap = ' ' * 20_000\n"
        "assert fit({'score': f'my{gap}score{gap}is{gap}8'}, Rated).value == Rated(score=8)\n"
        "assert fit({'score': f'my{gap}guess'}, Rated).value is None\n"
    )
