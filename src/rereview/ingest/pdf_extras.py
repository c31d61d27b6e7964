"""What a PDF says beside its pages: annotations, Info and XMP. None of it is ever part of the text."""

from __future__ import annotations

import ctypes
import re
import zlib
from collections.abc import Callable, Iterator
from html import unescape

import pypdfium2  # type: ignore[import-untyped]  # it has no marker of being typed
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from rereview.ingest.pdf_objects import wide
from rereview.ingest.pdf_pixels import Frame
from rereview.types.manuscript import Hidden

_INFO = ("Title", "Author", "Subject", "Keywords", "Creator", "Producer")
_KINDS = {
    pdfium.FPDF_ANNOT_TEXT: "note",
    pdfium.FPDF_ANNOT_FREETEXT: "text",
    pdfium.FPDF_ANNOT_HIGHLIGHT: "highlight",
    pdfium.FPDF_ANNOT_POPUP: "popup",
    pdfium.FPDF_ANNOT_STAMP: "stamp",
    pdfium.FPDF_ANNOT_WIDGET: "form field",
    pdfium.FPDF_ANNOT_LINK: "link",
}
_MOST_ANNOTATIONS = 2000
_MOST_BYTES = 1 << 20
_PACKET = re.compile(rb"<x:xmpmeta.*?</x:xmpmeta>", re.DOTALL)
_STREAM = re.compile(rb"/Type\s*/Metadata[^>]{0,400}?>>\s*stream\r?\n")
_ELEMENT = re.compile(r"<([A-Za-z][\w.-]*:[\w.-]+)[^<>]*>([^<>]*)")
_ATTRIBUTE = re.compile(r"\s((?:dc|pdf|pdfx|xmp|photoshop|xmpRights|prism):[\w.-]+)=\"([^\"]*)\"")
_NOT_SAID = re.compile(
    r"(?i)(?:date|id|format|version|trapped|producer|creatortool|part|conformance|agent|action)$"
)


def notes(page: pypdfium2.PdfPage, number: int) -> tuple[Hidden, ...]:
    """The words of the annotations of a page, each with its place."""
    return tuple(_annotations(page, number))


def _annotations(page: pypdfium2.PdfPage, number: int) -> Iterator[Hidden]:
    for index in range(min(max(pdfium.FPDFPage_GetAnnotCount(page.raw), 0), _MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        text = " ".join(
            dict.fromkeys(
                filter(None, (_string(annotation, name) for name in (b"Contents", b"V", b"RC", b"TU")))
            )
        )
        if text:
            rect = pdfium.FS_RECTF()
            pdfium.FPDFAnnot_GetRect(annotation, ctypes.byref(rect))
            box = Frame.of(page).fractions([(rect.left, rect.bottom, rect.right, rect.top)])[0]
            kind = _KINDS.get(pdfium.FPDFAnnot_GetSubtype(annotation), "other")
            yield Hidden(
                kind="annotation",
                text=text,
                page=number,
                bbox=(round(box[0], 4), round(box[1], 4), round(box[2], 4), round(box[3], 4)),
                place=f"{kind} annotation",
            )
        pdfium.FPDFPage_CloseAnnot(annotation)


def _string(annotation: object, name: bytes) -> str:
    return _asked(
        lambda buffer, size: pdfium.FPDFAnnot_GetStringValue(annotation, name, buffer, size)
    ).strip()


def _asked(ask: Callable[[object, int], int]) -> str:
    size = min(ask(None, 0), _MOST_BYTES)
    if size <= 2:  # noqa: PLR2004  the zero at the end
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    ask(buffer, size)
    return wide(bytes(buffer), size)


def metadata(document: pypdfium2.PdfDocument, data: bytes) -> tuple[Hidden, ...]:
    """What Info and XMP say; what both say is said once."""
    found: dict[str, str] = {}
    for name in _INFO:
        text = " ".join(str(document.get_metadata_value(name)).split())
        if text:
            found.setdefault(text, f"Info {name}")
    for name, text in _xmp(data):
        found.setdefault(text, f"XMP {name}")
    for index in range(max(pdfium.FPDFDoc_GetAttachmentCount(document.raw), 0)):
        file = pdfium.FPDFDoc_GetAttachment(document.raw, index)
        name = _asked(lambda buffer, size, file=file: pdfium.FPDFAttachment_GetName(file, buffer, size))  # type: ignore[misc]  # bound now
        found.setdefault(name, "attached file")
    return tuple(Hidden(kind="metadata", text=text, place=place) for text, place in found.items() if text)


def _xmp(data: bytes) -> Iterator[tuple[str, str]]:
    for packet in _packets(data):
        text = packet.decode("utf-8", errors="replace")
        # Elements are found with the name that encloses the words: in a list the name of the list.
        name = ""
        for match in _ELEMENT.finditer(text):
            name = name if match[1].startswith("rdf:") else match[1]
            words = " ".join(unescape(match[2]).split())
            if words and not _NOT_SAID.search(name):
                yield name, words
        for match in _ATTRIBUTE.finditer(text):
            words = " ".join(unescape(match[2]).split())
            if words and not _NOT_SAID.search(match[1]):
                yield match[1], words


def _packets(data: bytes) -> Iterator[bytes]:
    yield from (match.group()[:_MOST_BYTES] for match in _PACKET.finditer(data))
    for match in _STREAM.finditer(data):
        unpacked = zlib.decompressobj()
        try:
            content = unpacked.decompress(data[match.end() : match.end() + _MOST_BYTES], _MOST_BYTES)
        except zlib.error:
            continue
        yield from (packet.group() for packet in _PACKET.finditer(content))
