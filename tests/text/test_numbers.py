"""Numbers as papers print them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.text.numbers import number, numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.67*", ("0.67", 2, "", 1, "")),
        ("$-0.3$", ("-0.3", 1, "", 0, "")),
        ("−0.30", ("-0.30", 2, "", 0, "")),
        ("1{,}234", ("1234", 0, "", 0, "")),
        ("1,234,567.5", ("1234567.5", 1, "", 0, "")),
        (r"12\,000", ("12000", 0, "", 0, "")),
        (r"12.8\%", ("12.8", 1, "%", 0, "")),
        (r"$12.8$\%", ("12.8", 1, "%", 0, "")),
        (r"$3 \times 10^{-4}$", ("0.0003", 4, "", 0, "")),
        ("3.1×10⁻⁴", ("0.00031", 5, "", 0, "")),
        ("2e3", ("2000", -3, "", 0, "")),
        ("(0.42)", ("0.42", 2, "", 0, "(")),
        ("$(0.42)$", ("0.42", 2, "", 0, "(")),
        ("[1.9]", ("1.9", 1, "", 0, "[")),
        (r"$1.14^{***}$", ("1.14", 2, "", 3, "")),
        (r"1.14\sym{**}", ("1.14", 2, "", 2, "")),
        (r"1.14$^{\ast\ast}$", ("1.14", 2, "", 2, "")),
        ("3.454 ***", ("3.454", 3, "", 3, "")),
        (".05", ("0.05", 2, "", 0, "")),
        ("2788K", ("2788", 0, "K", 0, "")),
        ("1.5×", ("1.5", 1, "×", 0, "")),
    ],
)
def test_a_cell_that_is_one_number_is_read_exactly(
    text: str, expected: tuple[str, int, str, int, str]
) -> None:
    """Value, last printed place, unit, stars and bracket."""
    read = number(text)
    assert read is not None
    value = Fraction(expected[0])
    assert (read.value, read.decimals, read.unit, read.stars, read.enclosed) == (value, *expected[1:])


@pytest.mark.parametrize(
    "text", ["", "–", "<0.001", "0.4 ± 0.1", "(2)–(3)", "1 hr", "n/a", "0,5", "1.2.3", "(0.42", "[1, 2]"]
)
def test_what_is_no_single_number_is_none(text: str) -> None:
    """Bounds, pairs, decimal commas and words are not one number."""
    assert number(text) is None


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("from 0.989 to 0.862 (12.8\\% less)", ["0.989", "0.862", "12.8"]),
        ("fell from 5 to -3 and 2010--2015, 4-5", ["5", "-3", "2010", "2015", "4", "5"]),
        ("H2O, x_1, $a^2$, v1.2.3 and PM2.5 hold none", []),
        ("1,200 of 3,400 plots", ["1200", "3400"]),
        ("between 3 and 4. Then 5.", ["3", "4", "5"]),
    ],
)
def test_numbers_in_prose_are_found_in_order(text: str, values: list[str]) -> None:
    """A range has no negative end, and a number inside a word is none."""
    assert [n.value for n in numbers(text)] == [Fraction(v) for v in values]


def test_the_interval_of_a_number_is_half_a_unit_of_its_last_place() -> None:
    """0.30 is known to half a hundredth."""
    read = number("0.30")
    assert read is not None
    assert (read.low, read.high) == (Fraction("0.295"), Fraction("0.305"))


@given(st.decimals(min_value=-99999, max_value=99999, places=3))
def test_a_printed_decimal_is_read_back(value: object) -> None:
    """Reading what was printed gives the value, with the place in the text."""
    text = f"about ${value}$ units"
    (read,) = numbers(text)
    assert read.value == Fraction(str(value))
    assert Fraction(text[read.start : read.end]) == read.value


@given(st.text(st.sampled_from("0123456789.,-−%\\${}^*eE ×⁻²()[]aK"), max_size=30))
def test_any_text_is_read_without_failing(text: str) -> None:
    """Places lie in the text and ascend."""
    ends = [0]
    for read in numbers(text):
        assert ends[-1] <= read.start < read.end <= len(text)
        ends.append(read.end)
    number(text)


@pytest.mark.parametrize(
    "text", ["7" * 5000, f"0.{'3' * 5000}", "1e99999999", "2 × 10^{-88888888}", "3×10" + "⁹" * 400]
)
def test_what_nobody_reckons_with_is_left_out(text):
    """The digits of a constant, an exponent without end: no number of a paper, and no minutes of work."""
    assert [each for each in numbers(f"We had 12 of {text} and 13.") if each.value not in (12, 13)] == []
    assert [each.value for each in numbers(f"We had 12 of {text} and 13.")] == [12, 13]
    assert number(text) is None


def test_the_smallest_p_value_is_a_number():
    """Of a study of genomes: it can be shown, too."""
    (found,) = numbers("p = 3e-280")
    assert found.value == Fraction(3, 10**280)
    assert str(found).endswith("3")
