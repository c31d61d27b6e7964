"""An image as a request holds it: small, upright, in RGB on white, and nothing but its pixels.

The package keeps the original; what a model is sent is made anew from it each time.
Source of the size: "Can We Believe AI Peer Review?", appendix B.2.
"""

from __future__ import annotations

import io
import struct
import warnings
import zlib

from PIL import Image, ImageOps, UnidentifiedImageError

from rereview.errors import UnusableInput

LONGEST = 1568
"""Pixels of the longer side."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "TIFF", "BMP")
MOST_BYTES = 3_750_000
"""What an image of a request may take: 5 MB in base64. A PNG over it becomes a JPEG."""
_JPEG_QUALITIES = (90, 75)
_WHITE = (255, 255, 255)
_SIXTEEN_BITS = ("I;16", "I;16L", "I;16B", "I;16N", "I")
UNREADABLE = (
    UnidentifiedImageError,
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    OverflowError,
    MemoryError,
    struct.error,
    zlib.error,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
)
"""What Pillow's readers raise on broken files; the formats do not agree on one."""


def for_request(content: bytes, *, longest: int = LONGEST) -> bytes:
    """A PNG, or where that is large a JPEG, of the first frame of an image of `FORMATS`.

    At most `longest` pixels a side, never enlarged; turned as its EXIF says, which is then gone with
    all other metadata. Raises UnusableInput for any other format, for a broken image and for one of
    more pixels than `PIL.Image.MAX_IMAGE_PIXELS`, before they are unfolded.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            upright = _decoded(content, longest)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise UnusableInput(
            f"an image of too many pixels: {error}", expected=f"at most {Image.MAX_IMAGE_PIXELS}"
        ) from error
    except UNREADABLE as error:
        raise UnusableInput(
            f"an image that cannot be read ({type(error).__name__})", expected=f"one of {', '.join(FORMATS)}"
        ) from error
    flat = _on_white(upright)
    flat.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    return _encoded(flat)


def size_of(content: bytes) -> tuple[int, int]:
    """Width and height in pixels of what `for_request` gives."""
    with Image.open(io.BytesIO(content), formats=FORMATS) as image:
        return image.size


def _decoded(content: bytes, longest: int) -> Image.Image:
    """The first frame, upright; of a large JPEG already about as small as it is to be."""
    with Image.open(io.BytesIO(content), formats=FORMATS) as image:
        image.draft("RGB", (longest, longest))
        image.load()
        return ImageOps.exif_transpose(image)


def _on_white(image: Image.Image) -> Image.Image:
    """A new image, so that nothing of what the file says beside its pixels comes along."""
    if image.mode in _SIXTEEN_BITS:
        image = image.point(lambda value: value / 256).convert("L")
    clear = image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info
    pixels = image.convert("RGBA" if clear else "RGB")
    flat = Image.new("RGB", pixels.size, _WHITE)
    flat.paste(pixels, mask=pixels.getchannel("A") if clear else None)
    return flat


def _encoded(image: Image.Image) -> bytes:
    plain = io.BytesIO()
    image.save(plain, "PNG")
    if plain.tell() <= MOST_BYTES:
        return plain.getvalue()
    for quality in _JPEG_QUALITIES:
        small = io.BytesIO()
        image.save(small, "JPEG", quality=quality, subsampling=0)
        if small.tell() <= MOST_BYTES:
            break
    return small.getvalue()
