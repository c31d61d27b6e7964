"""PDFs in which nothing is hidden, though a rule of thumb might say so: white words, tiny marks, OCR."""

import attacks

PALE = ("1 g", "0.97 g", "1 1 0.9 rg", "0 0 0 0 k")
DARK = ("0 g", "0 0 0.4 rg", "0.5 0.1 0.1 rg", "0.35 g", "0.1 0.4 0.2 rg")
WORDS = ("Table head in white", "loss", "0.25 0.50 0.75", "a = b + c", "Method A, all of the plates")


def _label(x, y, colour, words, size=9):
    return f"q {colour} BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({words}) Tj ET Q"


def _on_dark(x, y, pale, dark, words):
    return f"q {dark} {x - 6} {y - 6} 300 22 re f Q\n" + _label(x, y, pale, words)


def _on_image(x, y, pale, words):
    return f"q 320 0 0 60 {x - 10} {y - 30} cm /Im Do Q\n" + _label(x, y, pale, words)


def _curve(x, y):
    line = f"{x} {y} m " + " ".join(f"{x + 4 * at} {y + (at * 37) % 40} l" for at in range(40))
    ticks = "\n".join(_label(x + 16 * at, y - 8, "0 g", f"0.{at}", 2) for at in range(9))
    return f"{line} S\n{ticks}"


def _framed(x, y, words):
    return f"{x - 5} {y - 5} 300 18 re S\n" + _label(x, y, "0 g", words)


def _highlighted(x, y, words):
    return f"q 1 1 0 rg {x - 2} {y - 3} 260 13 re f Q\n" + _label(x, y, "0 g", words)


def _clip(x, y, words):
    return f"q {x - 5} {y - 10} 400 40 re W n {_label(x, y, '0 g', words)} Q"


def _outline(x, y, words):
    return f"q 1 Tr 0 G 1 g BT /F1 22 Tf 1 0 0 1 {x} {y} Tm ({words}) Tj ET Q"


def _grey(x, y, words):
    return _label(x, y, "0.6 g", words)


SIMPLE = {
    "curve with small ticks": lambda x, y, _: _curve(x, y),
    "frame": _framed,
    "highlight": _highlighted,
    "clip that lets it through": _clip,
    "outline": _outline,
    "grey": _grey,
}


def drawings():
    """Names and PDFs of pages with text and something that is seen, in each of four places."""
    for place, (x, y) in {
        "head": (60, 750),
        "middle": (60, 400),
        "low": (80, 200),
        "right": (250, 300),
    }.items():
        for at, dark in enumerate(DARK):
            pale, words = PALE[at % len(PALE)], WORDS[at]
            yield f"white on dark, {place}", attacks.harmless(_on_dark(x, y, pale, dark, words))
            yield f"white label on a picture, {place}", attacks.harmless(_on_image(x, y, pale, words))
        for name, draw in SIMPLE.items():
            yield f"{name}, {place}", attacks.harmless(draw(x, y, WORDS[0]))


def scans():
    """Pictures of pages with the recognised text over them, which is not painted."""
    for shift in (-1, 0, 1, 2):
        yield f"layer of OCR, {shift} pt aside", attacks.pdf([_scan(shift)], "", image=_paper())


def _scan(shift):
    layer = "\n".join(
        f"q BT 3 Tr /F1 10 Tf 1 0 0 1 {60 + shift} {700 - 12 * at} Tm ({line}) Tj ET Q"
        for at, line in enumerate(attacks.BODY)
    )
    return f"q 600 0 0 800 0 0 cm /Im Do Q\n{layer}"


def _paper():
    """The body of the attacked papers as pixels: bars in the place of words, two pixels a point."""
    width, height = 1200, 1600
    rows = [bytearray(b"\xff" * (3 * width)) for _ in range(height)]
    for at, line in enumerate(attacks.BODY):
        for row in range(2 * (100 + 12 * at - 7), 2 * (100 + 12 * at)):
            for column in range(120, 120 + 9 * len(line)):
                if column % 9 < 6:
                    rows[row][3 * column : 3 * column + 3] = b"\x20\x20\x20"
    return b"".join(map(bytes, rows)), width, height


def all_of_them():
    """Names and PDFs."""
    yield from drawings()
    yield from scans()
