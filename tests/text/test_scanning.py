"""JSON within a text, and within reasoning."""

from rereview.text.lenient import MAX_DEPTH
from rereview.text.scanning import scan


def test_depth_is_bounded():
    """What nests as deep as the bound is read, what is deeper is found empty."""
    assert scan("[" * MAX_DEPTH + "]" * MAX_DEPTH).found[0].closed
    deeper = scan("[" * 100_000 + "]" * 100_000)
    assert not any(found.value for found in deeper.found)


def test_reasoning_is_passed_over():
    """Nothing within <think> is found; a closing tag alone voids what was before it."""
    assert [found.value for found in scan('<think>{"a": 1}</think>{"a": 2}').found] == [{"a": 2}]
    assert [found.value for found in scan('{"a": 1}</thinking>{"a": 2}').found] == [{"a": 2}]
    assert scan('<think>{"a": 1}').reasoning


def test_a_tag_within_a_string_is_text():
    """A quote may speak of <think>."""
    assert scan('{"a": "<think> and </think>"}').found[0].value == {"a": "<think> and </think>"}
