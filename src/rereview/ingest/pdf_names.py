"""Fonts whose glyphs are called by numbers: "/C84" for T. Without a table of letters a PDF then says nothing.

Typesetting systems of publishers write such names. In a font that is set for words the number is the
letter's place in Adobe's standard encoding. In others (mathematics, pictures) it tells nothing.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

_NAME = re.compile(r"/[A-Za-z]{1,2}(\d{1,3})(?:\._)?\Z")
_COMMON = frozenset("etaoinsrhl")
_FEWEST_COMMON = 5
"""Of the ten most frequent letters: a font with fewer is not set for words."""
_FEWEST_LETTERS = 15
"""Small letters: a font with more is that of the text, whose first places hold ligatures as TeX has them."""
_LIGATURES = {11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl"}
_ASCII, _SMALL = range(0x21, 0x7F), range(0x61, 0x7B)
_STANDARD = dict(
    zip(
        (
            *range(161, 169),
            170,
            171,
            172,
            173,
            174,
            175,
            177,
            178,
            179,
            180,
            182,
            183,
            184,
            185,
            186,
            187,
            188,
        ),
        (*"¡¢£⁄¥ƒ§¤", "“", "«", "‹", "›", "fi", "fl", "–", "†", "‡", "·", "¶", "•", "‚", "„", "”", "»", "…"),
        strict=True,
    )
) | {189: "‰", 191: "¿", 208: "—", 225: "Æ", 241: "æ", 245: "ı", 248: "ł", 249: "ø", 250: "œ", 251: "ß"}
"""The upper half of Adobe's standard encoding (PDF 32000-1, annex D.2), without its accents."""


def spelt(data: bytes) -> bytes | None:
    """The file with a table of letters in each such font; None if there is none, or without pikepdf."""
    try:
        import pikepdf  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  optional, and slow to load
    except ImportError:
        return None
    out = io.BytesIO()
    try:
        with pikepdf.open(io.BytesIO(data)) as document:
            done = [_spell(document, font) for font in document.objects if _lacks_table(pikepdf, font)]
            if not any(done):
                return None
            document.save(out)
    except (pikepdf.PdfError, RuntimeError, ValueError, TypeError, AttributeError):  # what its C++ raises
        return None
    return out.getvalue()


def letters(names: Mapping[int, str]) -> dict[int, str]:
    """Of each code the letters that it stands for, by the names of the glyphs; empty if they are no numbers.

    U+FFFD where that cannot be told: in a font that has another order (mathematics, pictures) everywhere.
    `names`: of each code its name, with the slash before it.
    """
    numbers = {code: int(match[1]) for code, name in names.items() if (match := _NAME.match(name))}
    if len(numbers) < len(names) / 2:
        return {}
    unknown = dict.fromkeys(numbers, "\ufffd")
    small = {chr(number) for number in numbers.values() if number in _SMALL}
    if len(small & _COMMON) < _FEWEST_COMMON:
        return unknown
    known = {number: chr(number) for number in _ASCII} | _STANDARD
    known |= _LIGATURES if len(small) >= _FEWEST_LETTERS else {}
    return unknown | {code: known[number] for code, number in numbers.items() if number in known}


def _lacks_table(pikepdf: ModuleType, font: Any) -> bool:
    return (
        isinstance(font, pikepdf.Dictionary)
        and font.get("/Type") == "/Font"
        and "/ToUnicode" not in font
        and hasattr(font.get("/Encoding"), "keys")
        and "/Differences" in font["/Encoding"]
    )


def _spell(document: Any, font: Any) -> bool:
    found = letters(dict(_named(font["/Encoding"]["/Differences"])))
    if found:
        font["/ToUnicode"] = document.make_stream(_table(found))
    return bool(found)


def _named(differences: Iterable[object]) -> Iterator[tuple[int, str]]:
    """A list of codes and names: a name follows on the code, or on the name, before it."""
    code = 0
    for each in differences:
        text = str(each)
        if text.startswith("/"):
            yield code, text
            code += 1
        else:
            code = int(text)


def _table(found: Mapping[int, str]) -> bytes:
    """A CMap from codes to UTF-16, at most a hundred entries a section."""
    entries = [f"<{code:02X}> <{text.encode('utf-16-be').hex()}>" for code, text in sorted(found.items())]
    sections = [entries[at : at + 100] for at in range(0, len(entries), 100)]
    body = "\n".join(f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in sections)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapType 2 def\n"
        f"1 begincodespacerange\n<00> <FF>\nendcodespacerange\n{body}\nendcmap\nend\nend\n"
    ).encode("ascii")
