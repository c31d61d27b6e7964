"""Images as a request holds them."""

import io
import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from rereview.errors import UnusableInput
from rereview.ingest.images import MOST_BYTES, for_request
from rereview.types.call import Picture


def encoded(image, kind="PNG", **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def decoded(content):
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, *chunks):
    """A PNG whose header claims a size, whatever pixels follow."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunks) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("size", "expected"),
    [((3136, 1000), (1568, 500)), ((1000, 3136), (500, 1568)), ((1568, 9), (1568, 9)), ((20, 10), (20, 10))],
)
def test_the_longest_side_is_at_most_1568(size, expected):
    """What is larger becomes smaller in proportion; what is smaller is not enlarged."""
    assert decoded(for_request(encoded(Image.new("RGB", size, "red")))).size == expected


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_pixel_becomes_rgb(mode):
    """Bits, greys, palettes, transparency and 16 bits."""
    image = decoded(for_request(encoded(Image.new(mode, (4, 4)))))
    assert (image.mode, image.size) == ("RGB", (4, 4))


@pytest.mark.parametrize("kind", ["JPEG", "TIFF"])
def test_four_colours_of_print_become_rgb(kind):
    """No ink is white."""
    image = decoded(for_request(encoded(Image.new("CMYK", (4, 4), (0, 0, 0, 0)), kind)))
    assert (image.mode, image.getpixel((1, 1))) == ("RGB", (255, 255, 255))


def test_grey_of_16_bits_keeps_its_shades():
    """It is divided, not cut at 255."""
    image = Image.new("I;16", (3, 1))
    for x, value in enumerate((0, 32768, 65535)):
        image.putpixel((x, 0), value)
    shown = decoded(for_request(encoded(image)))
    assert [shown.getpixel((x, 0))[0] for x in range(3)] == [0, 128, 255]


def test_what_is_transparent_is_white():
    """Also where the colour below is black, and where a palette says which colour is clear."""
    clear = decoded(for_request(encoded(Image.new("RGBA", (2, 2), (0, 0, 0, 0)))))
    palette = Image.new("P", (2, 2), 3)
    palette.putpalette([0, 0, 0] * 4)
    shown = decoded(for_request(encoded(palette, transparency=3)))
    assert clear.getpixel((0, 0)) == shown.getpixel((0, 0)) == (255, 255, 255)


def test_the_image_is_turned_as_its_exif_says_and_loses_it():
    """A camera that was held upright; who held it is not said."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x013B] = "A. Author"
    content = for_request(encoded(Image.new("RGB", (30, 10), "blue"), "JPEG", exif=exif))
    assert decoded(content).size == (10, 30)
    assert not decoded(content).getexif()
    assert b"A. Author" not in content


def test_text_of_a_png_is_lost():
    """It may say who made it."""
    info = PngImagePlugin.PngInfo()
    info.add_text("Author", "A. Author")
    content = encoded(Image.new("RGB", (3, 3)), pnginfo=info, icc_profile=b"A. Author's profile")
    assert b"A. Author" in content
    shown = for_request(content)
    assert b"A. Author" not in shown
    assert decoded(shown).info == {}


def test_of_an_animation_the_first_frame_is_shown():
    """The others are as if they were not there."""
    frames = [Image.new("RGB", (4, 4), color) for color in ("red", "green", "blue")]
    content = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    image = decoded(for_request(content))
    assert (getattr(image, "n_frames", 1), image.getpixel((0, 0))) == (1, (255, 0, 0))


def test_equal_images_give_equal_bytes():
    """So a request of the same paper has the same hash."""
    content = encoded(Image.radial_gradient("L"))
    assert for_request(content) == for_request(content)


def media_type(content):
    return Picture(sha256="", width=1, height=1, content=content).media_type


def test_what_a_png_would_make_too_large_is_a_jpeg():
    """Noise does not shrink without loss."""
    noise = Image.effect_noise((1568, 1568), 100)
    colour = Image.merge("RGB", (noise, noise.rotate(90), noise.rotate(180)))
    large = for_request(encoded(colour, compress_level=1))
    assert (media_type(large), len(large) <= MOST_BYTES) == ("image/jpeg", True)
    assert media_type(for_request(encoded(Image.new("RGB", (9, 9))))) == "image/png"


@pytest.mark.parametrize(
    "size", [(10_000, 10_000), (60_000, 60_000), (2_000_000_000, 1)], ids=["warned", "refused", "long"]
)
def test_an_image_of_too_many_pixels_is_refused_by_its_header(size):
    """Before anything is unfolded: the file has a few hundred bytes."""
    bomb = png(*size, chunk(b"IDAT", zlib.compress(b"\0" * 1000)))
    with pytest.raises(UnusableInput, match="too many pixels"):
        for_request(bomb)


def test_text_that_unfolds_without_end_is_refused():
    """A compressed comment of a hundred megabytes in a small PNG."""
    text = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"\0" * 100_000_000))
    bomb = png(1, 1, text, chunk(b"IDAT", zlib.compress(b"\0\0\0\0")))
    assert len(bomb) < 200_000
    with pytest.raises(UnusableInput, match="cannot be read"):
        for_request(bomb)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no image",
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n",
        b'<svg xmlns="http://www.w3.org/2000/svg"/>',
        b"%PDF-1.7\n",
        encoded(Image.new("RGB", (4, 4)), "ICO"),
        encoded(Image.new("RGB", (4, 4)), "PPM"),
        encoded(Image.new("RGB", (400, 400), "red"))[:-40],
    ],
    ids=["empty", "text", "eps", "svg", "pdf", "ico", "ppm", "cut short"],
)
def test_what_is_no_whole_image_of_a_known_format_is_refused(content):
    """Formats with readers that start other programs, or are seldom looked at, are not even tried."""
    with pytest.raises(UnusableInput, match="cannot be read"):
        for_request(content)


SEEDS = [
    encoded(Image.radial_gradient("L").resize((40, 30)), kind)
    for kind in ("PNG", "JPEG", "GIF", "TIFF", "BMP")
]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=6))
def test_a_damaged_image_is_shown_or_refused(content, changes):
    """Whatever byte is another: an image of at most the size comes back, or one line says why not."""
    damaged = bytearray(content)
    for at, value in changes:
        damaged[at % len(damaged)] = value
    try:
        image = decoded(for_request(bytes(damaged)))
    except UnusableInput:
        return
    assert image.mode == "RGB"
    assert max(image.size) <= 1568
