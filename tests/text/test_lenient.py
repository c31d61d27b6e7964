"""The forgiving reader of JSON."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.text.lenient import Reader

LIKE_A_COMMAND = re.compile(r"[\b\f\r\n\t][A-Za-z]")
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")) | st.sampled_from(
    [
        r"\theta",
        r"a \frac{1}{2}",
        'say "x", then',
        "it's",
        "// no",
        "{[",
        "]}",
        "<think>",
        "a\n b",
    ]
)
TEXTS = TEXTS.filter(lambda text: not LIKE_A_COMMAND.search(text))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_strict_json_is_read_as_the_standard_says(value, indent, ascii_only):
    """Any JSON value comes back as it is, nothing forgiven."""
    text = json.dumps({"k": value}, indent=indent, ensure_ascii=ascii_only)
    found = Reader(text, 0).read()
    assert found.closed
    assert json.dumps(found.value) == json.dumps({"k": value})
    assert found.repairs == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': 'don't', 'b': True,}", {"a": "don't", "b": True}),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}),
        ('{"a": "x\n"b": "y"}', {"a": "x", "b": "y"}),
        ('{"a": "he said "hi", twice"}', {"a": 'he said "hi", twice'}),
        ('{"a": """one\n"two"\n"""}', {"a": 'one\n"two"\n'}),
        ('{"a": [1, 2}', {"a": [1, 2]}),
        ('{"a": [{"b": 1]}', {"a": [{"b": 1}]}),
        ("{a: 8/10, b: good paper}", {"a": "8/10", "b": "good paper"}),
        ('{"a": +8, "b": .5, "c": NaN, "d": undefined}', {"a": 8, "b": 0.5, "c": None, "d": None}),
        ("{“a”: “x ‘y’ z”}", {"a": "x ‘y’ z"}),
        (r'{"a": "\(x\) 50\%"}', {"a": r"\(x\) 50\%"}),
        ('{"a": ["x" "y"\n"z"]}', {"a": ['x" "y', "z"]}),
    ],
)
def test_what_models_write_is_forgiven_and_named(text, value):
    """The value that was meant comes back, and that something was forgiven is said."""
    found = Reader(text, 0).read()
    assert found.value == value
    assert found.repairs


def test_two_values_for_a_key_are_both_kept():
    """A duplicated key with another value is no choice that a reader may make."""
    assert Reader('{"a": 6, "a": 8}', 0).read().value == {"a": [6, 8]}
    assert Reader('{"a": [1], "a": [2]}', 0).read().value == {"a": [1, 2]}
    assert Reader('{"a": 6, "a": 6}', 0).read().value == {"a": 6}


def test_a_surrogate_pair_is_one_character():
    """Escaped pairs are joined; half a pair becomes the replacement character."""
    assert Reader(r'["\ud835\udc00\ud800x\u0000"]', 0).read().value == ["\U0001d400\ufffdx\ufffd"]


def test_a_value_that_is_cut_is_not_there():
    """A number may have had another digit, a string another word."""
    for text in (
        '{"a": 1, "b": 1',
        '{"a": 1, "b": "x',
        '{"a": 1, "b"',
        '{"a": 1, "b": tru',
        '{"a": 1, "b": "x\\',
    ):
        found = Reader(text, 0).read()
        assert (found.value, found.closed) == ({"a": 1}, False)
