"""Requests, and the images in them."""

from hypothesis import given
from hypothesis import strategies as st

from rereview.models.base import call_id
from rereview.types.call import Message, Picture, Request

PICTURE = Picture(at=3, sha256="ab" * 32, width=2, height=1, content=b"\x89PNG...")


def identity(*pictures):
    request = Request(messages=(Message(role="user", text="one two", pictures=pictures),))
    return call_id(name="m", address="", sample="s", request=request)


def test_parts_come_in_reading_order():
    """Text is cut where an image stands; nothing of it is lost and no part is empty."""
    message = Message(role="user", text="one two", pictures=(PICTURE, PICTURE, PICTURE.but(at=7)))
    assert list(message.parts) == ["one", PICTURE, PICTURE, " two", PICTURE.but(at=7)]
    assert list(Message(role="user", text="one").parts) == ["one"]
    assert list(Message(role="user", text="").parts) == [""]


@given(st.text(), st.lists(st.integers(0, 20)))
def test_the_text_is_whole_whatever_stands_in_it(text, places):
    """The text parts together are the text, and every image comes once."""
    pictures = tuple(PICTURE.but(at=min(at, len(text))) for at in sorted(places))
    parts = list(Message(role="user", text=text, pictures=pictures).parts)
    assert "".join(part for part in parts if isinstance(part, str)) == text
    assert tuple(part for part in parts if not isinstance(part, str)) == pictures


def test_the_hash_of_a_call_covers_its_images():
    """Another image, another place, another size: another call. How it was encoded is none of it."""
    other = (PICTURE.but(sha256="cd" * 32), PICTURE.but(at=4), PICTURE.but(width=9))
    assert len({identity(), identity(PICTURE), *map(identity, other)}) == 5
    assert identity(PICTURE) == identity(PICTURE.but(content=b"\xff\xd8"))


def test_a_request_without_images_is_written_as_it_always_was():
    """So a ledger from before there were images is still replayed."""
    message = Message(role="user", text="one")
    assert message.to_json() == '{"role":"user","text":"one"}'
    assert Message.model_validate_json(message.to_json()) == message


def test_the_bytes_of_an_image_are_not_written():
    """Its hash says which it was."""
    message = Message(role="user", text="one", pictures=(PICTURE,))
    assert "PNG" not in message.to_json()
    assert Message.model_validate_json(message.to_json()).pictures == (PICTURE.but(content=b""),)
