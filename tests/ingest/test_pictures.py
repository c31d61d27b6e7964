"""The images of a paper as they are sent, and what their files say beside the pixels."""

import io
import struct
import zlib
from hashlib import sha256

import pypdfium2
import pytest
from PIL import ExifTags, Image
from PIL.PngImagePlugin import PngInfo

from ingest.packages import manuscript
from rereview.errors import UnusableInput
from rereview.ingest.pictures import beside_pixels, metadata, sendable
from rereview.types.manuscript import Block, Figure


def encoded(kind="PNG", size=(20, 10), **options):
    out = io.BytesIO()
    Image.new("RGB", size, "navy").save(out, kind, **options)
    return out.getvalue()


def drawing():
    """A figure in PDF, 300 by 100 points."""
    document = pypdfium2.PdfDocument.new()
    document.new_page(300, 100)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def paper_of(*contents):
    """A paper with these images, and the function that gives them."""
    hashes = [content and sha256(content).hexdigest() for content in contents]
    figures = [Figure(id=f"f{at}", path=f"{at}.x", sha256=h, name=f"n{at}") for at, h in enumerate(hashes)]
    block = Block(id="b", text="Lakes.", kind="paragraph")
    paper = manuscript([block], figures, ["b", *(each.id for each in figures)])
    return paper, lambda figure: contents[int(figure.id[1:])]


def test_images_are_sent_small_under_the_hash_of_the_original():
    """What is kept says which image it was; what is sent is at most 1568 pixels a side."""
    large = encoded(size=(3136, 1000))
    sent = sendable(*paper_of(large)).pictures["f0"]
    assert (sent.sha256, sent.width, sent.height) == (sha256(large).hexdigest(), 1568, 500)
    assert Image.open(io.BytesIO(sent.content)).size == (1568, 500)


def test_a_figure_in_pdf_is_drawn():
    """Its first page, on white."""
    sent = sendable(*paper_of(drawing())).pictures["f0"]
    assert (sent.width, sent.height) == (900, 300)
    assert Image.open(io.BytesIO(sent.content)).getpixel((5, 5)) == (255, 255, 255)


def test_what_cannot_be_sent_is_named_with_the_reason():
    """A drawing of another kind, a broken file, none at all; the others are sent."""
    paper, image = paper_of(b"%!PS-Adobe-3.0 EPSF", None, encoded(), b"%PDF-1.7 broken")
    found = sendable(paper, image)
    assert list(found.pictures) == ["f2"]
    assert [name for name, _ in found.without] == ["n0", "n1", "n3"]
    reasons = [why for _, why in found.without]
    assert reasons[0].startswith("an image that cannot be read")
    assert reasons[1:] == ["there is no image of it", "a figure in PDF that cannot be drawn"]


def test_an_image_that_changed_since_the_paper_was_read_is_an_error():
    """Nothing is sent that is not of this version."""
    paper, _ = paper_of(encoded())
    with pytest.raises(UnusableInput, match="the image changed"):
        sendable(paper, lambda _: encoded(size=(5, 5)))


def exif(**named):
    made = Image.Exif()
    for name, value in named.items():
        made[ExifTags.Base[name]] = value
    return made


def located():
    """EXIF with a camera in the Exif part, and the place where it was."""
    made = exif(Artist="Ada Roe", Orientation=6)
    made.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.BodySerialNumber] = "SN-77"
    made.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSAreaInformation] = b"Lake office"
    return made


def texts(**chunks):
    info = PngInfo()
    for name, value in chunks.items():
        info.add_itxt(name, value)
    return info


XMP = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><dc:creator>Ada Roe</dc:creator></x:xmpmeta>"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (encoded("JPEG", exif=exif(Artist="Ada Roe")), {"EXIF Artist": "Ada Roe"}),
        (
            encoded("JPEG", exif=located()),
            {
                "EXIF Artist": "Ada Roe",
                "EXIF BodySerialNumber": "SN-77",
                "EXIF GPSAreaInformation": "Lake office",
            },
        ),
        (encoded("WEBP", exif=exif(Copyright="Lake Lab")), {"EXIF Copyright": "Lake Lab"}),
        (encoded("TIFF", exif=exif(HostComputer="ada-pc")), {"EXIF HostComputer": "ada-pc"}),
        (encoded("PNG", exif=exif(Software="Ada's own")), {"EXIF Software": "Ada's own"}),
        (encoded("PNG", pnginfo=texts(Author="Ada Roé")), {"text Author": "Ada Roé"}),
        (encoded("PNG", pnginfo=texts(**{"XML:com.adobe.xmp": XMP.decode()})), {"XMP": XMP.decode()}),
        (encoded("JPEG", xmp=XMP), {"XMP": XMP.decode()}),
        (encoded("JPEG", comment=b"by Ada"), {"comment": "by Ada"}),
        (encoded("GIF", comment=b"by Ada"), {"comment": "by Ada"}),
    ],
)
def test_what_a_file_says_beside_its_pixels_is_listed(content, said):
    """EXIF in all its parts, text of a PNG, XMP and comments, each with its name."""
    assert dict(beside_pixels(content)) == said
    sent = sendable(*paper_of(content)).pictures["f0"].content
    assert list(beside_pixels(sent)) == []
    assert not any(word in sent for word in (b"Ada", b"Lake", b"SN-77"))


@pytest.mark.parametrize(
    "content",
    [
        encoded("PNG", dpi=(300, 300)),
        encoded("JPEG", dpi=(72, 72), quality=80),
        encoded("JPEG", exif=exif(Orientation=6, XResolution=72.0)),
        encoded("TIFF"),
        encoded("GIF"),
        encoded("WEBP"),
        encoded("BMP"),
        b"no image",
        encoded("PNG", pnginfo=texts(Author="Ada"))[:60],
    ],
)
def test_what_only_says_how_to_show_it_is_not(content):
    """Resolution, direction, size; and of a file that cannot be read nothing is known."""
    assert list(beside_pixels(content)) == []


def bomb(width, height, *chunks):
    """A PNG that says that it is large, and holds next to nothing."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", header), *chunks, (b"IDAT", zlib.compress(b"\0" * 1000)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


@pytest.mark.parametrize(
    "content",
    [
        bomb(10_000, 10_000),
        bomb(60_000, 60_000),
        bomb(1, 1, (b"zTXt", b"Comment\0\0" + zlib.compress(b"\0" * 100_000_000))),
    ],
    ids=["warned", "refused", "text"],
)
def test_a_bomb_says_nothing_and_is_not_sent(content):
    """It is named as what cannot be sent, and the paper is read."""
    paper, image = paper_of(content)
    assert metadata(paper, image) == ()
    found = sendable(paper, image)
    assert (found.pictures, [name for name, _ in found.without]) == ({}, ["n0"])


def test_what_images_say_is_listed_with_their_names():
    """One entry each, as what was left out of the image's data."""
    paper, image = paper_of(encoded(), encoded("JPEG", exif=exif(Artist="Ada Roe")), None)
    (found,) = metadata(paper, image)
    assert (found.kind, found.place, found.text) == ("image-metadata", "n1, EXIF Artist", "Ada Roe")
    assert found.at is None
