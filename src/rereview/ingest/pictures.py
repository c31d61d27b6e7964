"""The images of a paper as a request holds them, and what an image file says beside its pixels."""

from __future__ import annotations

import io
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from PIL import ExifTags, Image

from rereview.errors import UnusableInput
from rereview.ingest.images import FORMATS, UNREADABLE, for_request, size_of
from rereview.ingest.pdf_crops import Crop, images
from rereview.types.call import Picture
from rereview.types.manuscript import Figure, Manuscript, Removed

Images = Callable[[Figure], bytes | None]
"""Gives the original image of a figure, None where there is none to show."""
LIMIT = 100
"""Images of a call: the limit of the scorer of "Can We Believe AI Peer Review?", appendix B.2."""

_WHOLE = (0.0, 0.0, 1.0, 1.0)
_IN_WORDS = ("comment", "xmp", "XML:com.adobe.xmp")
"""What Pillow calls that which a file says in words, whatever its format."""
_POINTERS = frozenset({ExifTags.Base.ExifOffset, ExifTags.Base.GPSInfo})
_OF_PIXELS = frozenset(
    {
        "Orientation", "XResolution", "YResolution", "ResolutionUnit", "YCbCrPositioning", "ColorSpace",
        "ExifImageWidth", "ExifImageHeight", "ImageWidth", "ImageLength", "BitsPerSample", "Compression",
        "PhotometricInterpretation", "StripOffsets", "SamplesPerPixel", "RowsPerStrip", "StripByteCounts",
        "PlanarConfiguration", "ExifVersion", "ComponentsConfiguration", "FlashPixVersion", "ExtraSamples",
        "SampleFormat", "Predictor", "FillOrder", "TileWidth", "TileLength", "TileOffsets", "TileByteCounts",
        "NewSubfileType", "SubfileType", "ColorMap", "TransferFunction", "WhitePoint",
        "PrimaryChromaticities", "InterColorProfile", "JPEGTables", "YCbCrSubSampling",
        "ReferenceBlackWhite", "YCbCrCoefficients", "InteropIndex", "InteropVersion",
    }
)  # fmt: skip
"""Tags without which a file could not be shown, or that say how; every other one may say who made it."""
_LONGEST_TEXT = 2_000


class Sendable(NamedTuple):
    """The images that can be sent, by the id of their figure; and which cannot, with the reason."""

    pictures: Mapping[str, Picture]
    without: tuple[tuple[str, str], ...]


def sendable(paper: Manuscript, image: Images) -> Sendable:
    """Make the images of a paper as a request holds them; none is made smaller to have more of them.

    Raises UnusableInput where an image is not the one that the manuscript was read with.
    """
    pictures: dict[str, Picture] = {}
    without: list[tuple[str, str]] = []
    for figure in paper.figures:
        content = None if figure.path is None else image(figure)
        if content is None:
            without.append((figure.name or figure.id, "there is no image of it"))
            continue
        _check(figure, content)
        try:
            pictures[figure.id] = _picture(content)
        except UnusableInput as error:
            without.append((figure.name or figure.id, error.what))
    return Sendable(pictures, tuple(without))


def _check(figure: Figure, content: bytes) -> None:
    if figure.sha256 not in (None, sha256(content).hexdigest()):
        raise UnusableInput(
            "the image changed while the paper was read",
            where=figure.path or figure.id,
            expected="read the paper again",
        )


def _picture(content: bytes) -> Picture:
    small = for_request(_drawn(content) if content[:1024].lstrip().startswith(b"%PDF") else content)
    width, height = size_of(small)
    return Picture(sha256=sha256(content).hexdigest(), width=width, height=height, content=small)


def _drawn(content: bytes) -> bytes:
    """The first page of a figure in PDF, drawn in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="rereview-figure-") as folder:
        path = Path(folder) / "figure.pdf"
        path.write_bytes(content)
        try:
            drawn = images(path, [Crop(page=1, box=_WHOLE)])[0]
        except UnusableInput as error:
            raise UnusableInput("a figure in PDF that cannot be drawn") from error
    if drawn is None:
        raise UnusableInput("a figure in PDF that cannot be drawn")
    return drawn


def metadata(paper: Manuscript, image: Images) -> tuple[Removed, ...]:
    """What the images of a paper say beside their pixels: EXIF, text of a PNG, XMP, IPTC, comments.

    Of none of it a model is given anything, for `sendable` keeps the pixels alone.
    """
    return tuple(
        Removed(
            kind="image-metadata",
            text=text[:_LONGEST_TEXT],
            page=figure.page,
            place=f"{figure.name or figure.id}, {place}",
        )
        for figure in paper.figures
        if figure.path is not None and (content := image(figure)) is not None
        for place, text in beside_pixels(content)
    )


def beside_pixels(content: bytes) -> Iterator[tuple[str, str]]:
    """Name and text of what an image file says beside its pixels; nothing for one that cannot be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            found = _beside(content)
    except (*UNREADABLE, Image.DecompressionBombWarning, Image.DecompressionBombError):
        return
    yield from found


def _beside(content: bytes) -> list[tuple[str, str]]:
    with Image.open(io.BytesIO(content), formats=FORMATS) as file:
        return [*_exif(file), *_texts(file)]


def _exif(file: Image.Image) -> Iterator[tuple[str, str]]:
    exif = file.getexif()
    for tag, value in exif.items():
        if tag not in _POINTERS:
            yield from _said("EXIF", ExifTags.TAGS.get(tag, f"tag {tag}"), value)
    for tag, value in exif.get_ifd(ExifTags.IFD.Exif).items():
        yield from _said("EXIF", ExifTags.TAGS.get(tag, f"tag {tag}"), value)
    for tag, value in exif.get_ifd(ExifTags.IFD.GPSInfo).items():
        yield from _said("EXIF", ExifTags.GPSTAGS.get(tag, f"GPS tag {tag}"), value)


def _said(kind: str, name: str, value: object) -> Iterator[tuple[str, str]]:
    text = _text(value)
    if text and name not in _OF_PIXELS:
        yield f"{kind} {name}", text


def _texts(file: Image.Image) -> Iterator[tuple[str, str]]:
    """Text chunks of a PNG, which may stand after its pixels; the XMP packet, IPTC, comments."""
    said = {name: file.info[name] for name in _IN_WORDS if name in file.info}
    if file.format == "PNG":
        file.load()
        said |= getattr(file, "text", {})
    for name, value in said.items():
        if text := _text(value):
            yield _named(name), text
    block = file.info.get("photoshop")
    for part in block.values() if isinstance(block, dict) else ():
        if isinstance(part, bytes) and (text := _text(part)) and any(map(str.isalpha, text)):
            yield "Photoshop block", text


def _named(name: str) -> str:
    if name.lower() in {"xmp", "xml:com.adobe.xmp"}:
        return "XMP"
    return name if name == "comment" else f"text {name}"


def _text(value: object) -> str:
    raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
    return "".join(c if c.isprintable() else " " for c in raw.decode("utf-8", "replace")).strip()
