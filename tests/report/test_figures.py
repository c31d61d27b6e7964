"""Images as data, and the plot of a score."""

from __future__ import annotations

import base64
import io

import pypdfium2
import pytest
from PIL import Image

from report import documents
from rereview.report.figures import LONGEST, picture, spoken, strip_plot
from rereview.types.estimate import Estimate


def content(image, kind="PNG"):
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def decoded(shown):
    return Image.open(io.BytesIO(base64.b64decode(shown.uri.split(",", 1)[1])))


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P", "1", "CMYK", "I;16"])
def test_any_image_becomes_webp_of_bounded_size(mode):
    """The longer side has at most 1568 pixels; the shape stays."""
    kind = "TIFF" if mode == "CMYK" else "PNG"
    shown = picture(content(Image.new(mode, (3200, 1600)), kind))
    assert (shown.width, shown.height) == (LONGEST, LONGEST // 2)
    assert decoded(shown).format == "WEBP"
    assert decoded(shown).size == (shown.width, shown.height)


def test_a_small_image_is_not_enlarged():
    """Its own size."""
    assert picture(content(Image.new("RGB", (30, 20)))).width == 30


def test_a_pdf_figure_is_its_first_page():
    """On white."""
    document = pypdfium2.PdfDocument.new()
    document.new_page(200, 100)
    out = io.BytesIO()
    document.save(out)
    document.close()
    shown = picture(out.getvalue())
    assert shown.width == 2 * shown.height
    assert decoded(shown).convert("RGB").getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize("broken", [b"", b"%PDF-1.4 nothing", b"\x89PNG\r\n\x1a\n rest", b"<svg/>", None])
def test_what_cannot_be_shown_is_an_empty_frame(broken):
    """It says what is missing; nothing is raised."""
    shown = picture(broken)
    assert shown.uri is None
    assert 'class="missing"' in shown.html("words", "a.png")
    assert "a.png" in shown.html("words", "a.png")


def test_an_image_of_too_many_pixels_is_not_opened():
    """A few bytes that would need gigabytes."""
    bomb = content(Image.new("1", (20_000, 20_000)))
    assert len(bomb) < 100_000
    assert picture(bomb).uri is None


def score(**changes):
    return documents.document().scores[0].but(**changes)


def test_each_round_is_a_dot():
    """Rounds without a score have none; the mean is a mark of its own, with its interval."""
    svg = strip_plot(score())
    assert svg.count('class="dot"') == 2
    assert svg.count('class="mean"') == 1
    assert svg.count('class="interval"') == 1


def test_a_score_off_the_scale_is_drawn_apart():
    """An open circle."""
    rounds = (documents.RoundScore(round=1, score=7, status="ok", off_scale=True),)
    assert 'class="off"' in strip_plot(score(rounds=rounds))


def test_without_a_mean_only_the_rounds_are_drawn():
    """Nothing stands where nothing is known."""
    svg = strip_plot(score(mean=Estimate(value=None)))
    assert 'class="mean"' not in svg
    assert 'class="interval"' not in svg


def test_equal_scores_are_stacked():
    """Five dots at five heights."""
    rounds = tuple(documents.RoundScore(round=n, score=6, status="ok") for n in range(1, 6))
    svg = strip_plot(score(rounds=rounds))
    heights = [part.split('"')[0] for part in svg.split('cy="')[1:]]
    assert len(set(heights)) == 5


def test_the_plot_is_said_in_words():
    """For those who do not see it."""
    assert spoken(score()) == (
        "Scores on the scale 1 to 10. round 1: 6, round 2: 8, round 3: no score. Mean 7.00 [5.10, 8.90]."
    )


def many(*counts):
    """A summary whose scores 1, 2, 3, … were given so many times each."""
    values = [value for value, count in enumerate(counts, start=1) for _ in range(count)]
    return score(
        scale=tuple(range(1, 11)),
        rounds=tuple(documents.RoundScore(round=n, score=v, status="ok") for n, v in enumerate(values, 1)),
    )


def circles(svg):
    return [
        tuple(float(part.split(f'{name}="')[1].split('"')[0]) for name in ("cx", "cy", "r"))
        for part in svg.split("<circle")[1:]
    ]


@pytest.mark.parametrize("counts", [(0, 0, 5), (3, 45, 2), (0, 120, 150, 30)])
def test_dots_of_many_rounds_neither_touch_nor_leave_the_plot(counts):
    """Each round is one dot in the view, clear of all others."""
    svg = strip_plot(many(*counts))
    dots = circles(svg)
    assert len(dots) == sum(counts)
    left, top, width, height = (float(n) for n in svg.split('viewBox="')[1].split('"')[0].split())
    assert height < 260
    for at, (x, y, r) in enumerate(dots):
        assert left <= x - r <= x + r <= left + width
        assert top <= y - r <= y + r <= top + height
        nearest = min((x - u) ** 2 + (y - v) ** 2 for u, v, _ in dots[:at] + dots[at + 1 :])
        assert nearest > (2 * r) ** 2


def test_thousands_of_rounds_are_bars():
    """In proportion to their number, with the number in words."""
    svg = strip_plot(many(0, 1000, 2000))
    assert "<circle" not in svg
    heights = [float(part.split('height="')[1].split('"')[0]) for part in svg.split("<rect")[1:]]
    assert heights[1] == pytest.approx(2 * heights[0])
    assert "<title>3: 2000 rounds</title>" in svg


def test_many_rounds_are_counted_in_words():
    """A list of three hundred numbers tells nobody anything."""
    words = spoken(many(0, 40, 5))
    assert "2 in 40 rounds, 3 in 5 rounds" in words
    assert "round 1:" not in words
