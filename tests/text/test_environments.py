"""What the names of LaTeX stand for."""

from promptly import promptly


def test_a_length_in_much_white_space_is_read_in_no_time():
    """After a command for space, whatever follows the white space."""
    promptly(
        "from rereview.text.environments import DIMENSION\n"
        "gap = ' ' * 20_000\n"
        "assert DIMENSION.match(f'{gap}={gap}-1.5{gap}em{gap}plus{gap}1{gap}fil x').end() > 120_000\n"
        "assert DIMENSION.match(f'{gap}!') is None\n"
    )
