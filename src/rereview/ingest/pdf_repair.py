"""A damaged PDF written anew by pikepdf (QPDF), which looks for its objects one by one.

Optional: the extra `repair` installs it.
"""

from __future__ import annotations

import importlib.util
import io


def is_installed() -> bool:
    """True if files can be mended here."""
    return importlib.util.find_spec("pikepdf") is not None


def mended(data: bytes) -> bytes | None:
    """The file with a new table of its objects; None if there is none, or pikepdf is not installed.

    Pages that the file does not hold as a whole are gone.
    """
    if not is_installed():
        return None
    import pikepdf  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  optional, and slow to load

    out = io.BytesIO()
    try:
        with pikepdf.open(io.BytesIO(data)) as document:
            document.save(out)
    except (pikepdf.PdfError, RuntimeError, ValueError, TypeError):  # what its C++ and its wrapper raise
        return None
    return out.getvalue()
