"""Bytes as text and back."""

from hypothesis import given
from hypothesis import strategies as st

from rereview.text.decoding import decoded, encoded, encoding_of


@given(st.binary(max_size=60))
def test_any_bytes_come_back(data):
    """Line ends, byte-order marks and odd bytes too."""
    assert encoded(decoded(data), encoding_of(data)) == data


def test_what_is_no_utf_8_is_latin_1():
    """There every byte is a character."""
    assert (encoding_of("\xe9".encode()), encoding_of(b"\xe9"), encoding_of(b"a")) == (
        "utf-8",
        "latin-1",
        "utf-8",
    )
    assert decoded("\ufeff\xe9".encode()) == "\ufeff\xe9"
    assert decoded(b"\xe9\r\n") == "\xe9\r\n"


def test_what_an_encoding_cannot_hold_is_none():
    """Nor what would be read as another text."""
    assert encoded("\u2264", "latin-1") is None
    assert encoded("\xc3\xa9", "latin-1") is None
    assert encoded("\u2264", "utf-8") == b"\xe2\x89\xa4"
