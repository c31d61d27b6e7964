"""What stands around the text of a PDF: left out, and listed."""

from rereview.ingest.pdf_running import around, without_running
from rereview.ingest.pdf_text import Line, Page

WORDS = ["rye", "oats", "hops", "yeast", "malt"]


def text(n):
    """Lines that no other page has."""
    return [f"We weighed the {WORDS[n % 5]} {'again ' * at}" for at in range(1, 6)]


def line(text, top):
    return Line(
        text=text,
        x0=60,
        x1=300,
        y=800 * (1 - top),
        size=10,
        bold=False,
        hyphen=False,
        box=(0.1, top, 0.5, top + 0.01),
    )


def page(*texts, numbers=()):
    lines = (line(text, 0.05 + 0.9 * at / len(texts)) for at, text in enumerate(texts))
    return Page(lines=tuple(lines), image=False, numbers=numbers)


def left(pages):
    return [[each.text for each in lines] for lines in without_running(pages)]


def listed(pages):
    return [(each.kind, each.text, each.page, each.place) for each in around(pages)]


def test_heads_and_numbers_of_pages_are_left_out_and_listed():
    """What they say, and all pages on which they do; the page without one is not named."""
    pages = [page(*(() if n == 3 else ("On rye, by A. Roe",)), *text(n), str(n)) for n in range(1, 6)]
    assert left(pages) == [text(n) for n in range(1, 6)]
    assert listed(pages) == [
        ("running", "On rye, by A. Roe", None, "pages 1 to 2, 4 to 5"),
        ("running", "1 … 5", None, "pages 1 to 5"),
    ]


def test_a_number_in_a_head_does_not_make_it_another():
    """The first and the last are shown."""
    pages = [page(f"Soil {n}", *text(n)) for n in range(7, 10)]
    assert listed(pages) == [("running", "Soil 7 … Soil 9", None, "pages 1 to 3")]


def test_the_number_of_a_lone_page_names_its_page():
    """By its page, as all that stands on one page."""
    assert listed([page(*text(1)), page(*text(2), "8")]) == [("running", "8", 2, "")]


def test_what_comes_on_two_pages_or_amid_the_text_stays():
    """A running head comes on three pages at least, at their edge."""
    twice = [page("Results", *text(n)) for n in (1, 2)]
    amid = [page(*text(n)[:3], "Results", *text(n)[3:]) for n in range(1, 6)]
    for pages in (twice, amid):
        assert all("Results" in found for found in left(pages))
        assert listed(pages) == []


def test_numbers_of_lines_are_one_entry_for_all_pages():
    """From the first to the last."""
    pages = [page(*text(1), numbers=("1", "2", "3")), page(*text(2)), page(*text(3), numbers=("4", "5", "6"))]
    assert listed(pages) == [("line-numbers", "1 … 6", None, "pages 1, 3")]
