"""Images of the paper as data, and the plot of the rounds of a score."""

from __future__ import annotations

import base64
import io
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pypdfium2  # type: ignore[import-untyped] # it ships no types
from markupsafe import Markup
from PIL import Image, UnidentifiedImageError

from rereview.text.plurals import many
from rereview.types.document import ScoreSummary

EMPTY = Markup("")
LONGEST = 1568
"""Pixels of the longer side of an image."""
MOST_PIXELS = 100_000_000
UNREADABLE = (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, pypdfium2.PdfiumError)


@dataclass(frozen=True)
class Picture:
    """An image as a data URI with its size in pixels; `uri` None where there is none, and `why` says why."""

    uri: str | None
    width: int = 0
    height: int = 0
    why: str = ""

    def html(self, alternative: str, name: str) -> Markup:
        """The image, or an empty frame that says what is missing."""
        if self.uri is None:
            label = f"{name or 'image'}: {self.why}"
            return Markup('<div class="missing" role="img" aria-label="{}">{}</div>').format(
                alternative, label
            )
        return Markup('<img src="{}" width="{}" height="{}" alt="{}">').format(
            self.uri, self.width, self.height, alternative
        )


def picture(content: bytes | None) -> Picture:
    """The content of an image file (PNG, JPEG, PDF, ...) as WebP of at most `LONGEST` pixels a side."""
    if content is None:
        return Picture(None, why="not shown")
    try:
        image = _from_pdf(content) if content[:1024].lstrip().startswith(b"%PDF") else _from_raster(content)
    except (*UNREADABLE, Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        return Picture(None, why=f"cannot be shown ({type(error).__name__})")
    return _as_webp(image)


def _from_raster(content: bytes) -> Image.Image:
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        image = Image.open(io.BytesIO(content))
        if image.width * image.height > MOST_PIXELS:
            raise ValueError(f"{image.width} by {image.height} pixels")
        image.draft("RGB", (LONGEST, LONGEST))
        image.load()
    return image


def _from_pdf(content: bytes) -> Image.Image:
    """The first page on white."""
    with pypdfium2.PdfDocument(content) as document:
        page = document[0]
        width, height = page.get_size()
        if not (width > 0 and height > 0):
            raise ValueError("a page without size")
        image: Image.Image = page.render(scale=min(LONGEST / max(width, height), 4)).to_pil()
        return image.convert("RGB")


def _as_webp(image: Image.Image) -> Picture:
    clear = image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info
    small = image.convert("RGBA" if clear else "RGB")
    small.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.save(out, "WEBP", quality=82, method=4)
    data = base64.b64encode(out.getvalue()).decode("ascii")
    return Picture(f"data:image/webp;base64,{data}", small.width, small.height)


MANY = 20
"""Rounds above which the plot in words counts them, and the page folds them."""
WIDTH, LEFT, RIGHT = 360, 14, 346
AXIS, BELOW = 74, 106
"""Units of the plot: the line of the scale, and the lower edge."""
TALLEST = 140
"""Units above the axis that equal scores may take."""


@dataclass(frozen=True)
class Scale:
    """Where a score stands between the left and the right end."""

    low: float
    high: float

    def __call__(self, value: float) -> float:
        """The x of a score."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(LEFT + share * (RIGHT - LEFT), 1)


@dataclass(frozen=True)
class Dots:
    """How equal scores stand on each other: in rows of `across`, `step` apart, dots of this radius."""

    radius: float
    step: float
    across: int

    def rows(self, count: int) -> int:
        """Rows that so many equal scores take."""
        return -(-count // self.across)

    def place(self, nth: int, x: float) -> tuple[float, float]:
        """Where the nth of equal scores stands, from 0; rows fill from the middle to both sides."""
        row, column = divmod(nth, self.across)
        aside = (column + 1) // 2 * (1 if column % 2 else -1)
        return round(x + aside * self.step, 1), AXIS - 12 - row * self.step


SIZES = ((4.5, 11.0), (2.5, 6.0), (1.5, 3.6))
"""Radius and step of the dots, the largest that fit being taken."""


def _dots_for(counts: Sequence[int], gap: float) -> Dots | None:
    """One column of large dots where they fit, else rows of smaller ones; None where only bars fit.

    `gap` is the distance between neighbouring scores.
    """
    most = max(counts, default=1)
    for radius, step in SIZES:
        wide = 1 if radius == SIZES[0][0] else max(1, 2 * int((gap / step - 2) // 2) + 1)
        dots = Dots(radius, step, wide)
        if dots.rows(most) * step <= TALLEST:
            return dots
    return None


def strip_plot(summary: ScoreSummary) -> Markup:
    """The rounds as dots on the form's scale, with mean and interval; empty if there is neither."""
    scores = [entry.score for entry in summary.rounds if entry.score is not None]
    places = (*summary.scale, *scores)
    if not places:
        return EMPTY
    x = Scale(min(places), max(places))
    counts = Counter(scores)
    spots = sorted({x(place) for place in places})
    gap = min((after - before for before, after in pairwise(spots)), default=RIGHT - LEFT)
    dots = _dots_for([*counts.values()], gap)
    tall = TALLEST if dots is None else dots.rows(max(counts.values(), default=1)) * dots.step
    top = round(min(40, AXIS - 12 - tall))
    return Markup(
        '<svg class="strip" viewBox="0 {0} {1} {2}" width="{1}" height="{2}" role="img" aria-label="{3}">'
        "{4}{5}{6}</svg>"
    ).format(
        top,
        WIDTH,
        BELOW - top,
        spoken(summary),
        _axis(summary, x),
        _bars(counts, x, gap) if dots is None else _dots(summary, x, dots),
        _interval(summary, x),
    )


def spoken(summary: ScoreSummary) -> str:
    """The plot in words: each round, or of many rounds how many gave each score."""
    given = ["no score" if entry.score is None else f"{entry.score:g}" for entry in summary.rounds]
    if len(given) > MANY:
        counts = sorted(Counter(entry.score for entry in summary.rounds if entry.score is not None).items())
        shown = ", ".join([f"{value:g} in {many(count, 'round')}" for value, count in counts])
        missing = given.count("no score")
        shown += f", no score in {many(missing, 'round')}" if missing else ""
    else:
        shown = ", ".join(
            f"round {entry.round}: {score}" for entry, score in zip(summary.rounds, given, strict=True)
        )
    scale = f"{summary.scale[0]:g} to {summary.scale[-1]:g}" if summary.scale else "not known"
    return f"Scores on the scale {scale}. {shown}. Mean {summary.mean}."


def _axis(summary: ScoreSummary, x: Scale) -> Markup:
    line = Markup('<line class="axis" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(LEFT, AXIS, RIGHT, AXIS)
    tick = Markup('<line class="axis" x1="{0}" y1="{1}" x2="{0}" y2="{2}"/><text x="{0}" y="{3}">{4}</text>')
    ticks = [tick.format(x(value), AXIS, AXIS + 5, AXIS + 18, f"{value:g}") for value in summary.scale]
    return EMPTY.join((line, *ticks))


def _bars(counts: Counter[float], x: Scale, gap: float) -> Markup:
    """One bar a score where there are too many rounds for dots."""
    bar = Markup('<rect class="dot" x="{}" y="{}" width="{}" height="{}"><title>{}: {} rounds</title></rect>')
    wide, most = round(min(gap * 0.6, 24), 1), max(counts.values())
    bars = []
    for value, count in sorted(counts.items()):
        tall = round(max(1.0, TALLEST * count / most), 1)
        bars.append(
            bar.format(round(x(value) - wide / 2, 1), AXIS - 6 - tall, wide, tall, f"{value:g}", count)
        )
    return EMPTY.join(bars)


def _dots(summary: ScoreSummary, x: Scale, dots: Dots) -> Markup:
    """One dot a round; equal scores stand on each other."""
    dot = Markup('<circle class="{}" cx="{}" cy="{}" r="{}"><title>round {}: {}</title></circle>')
    seen: Counter[float] = Counter()
    drawn = []
    for entry in summary.rounds:
        if entry.score is not None:
            across, down = dots.place(seen[entry.score], x(entry.score))
            kind = "off" if entry.off_scale else "dot"
            drawn.append(dot.format(kind, across, f"{down:g}", dots.radius, entry.round, f"{entry.score:g}"))
            seen[entry.score] += 1
    return EMPTY.join(drawn)


def _interval(summary: ScoreSummary, x: Scale) -> Markup:
    mean, y = summary.mean, AXIS + 25
    if mean.value is None:
        return EMPTY
    line = EMPTY
    if mean.low is not None and mean.high is not None:
        line = Markup('<line class="interval" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(
            x(mean.low), y, x(mean.high), y
        )
    return line + Markup('<path class="mean" d="M{} {}l4 5l-4 5l-4 -5z"/>').format(x(mean.value), y - 5)
