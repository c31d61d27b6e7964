"""Groups, brackets and arguments."""

from rereview.text.arguments import arguments, bracket_end, group_end


def test_groups_are_matched_over_comments_and_escapes():
    """A brace in a comment or after a backslash does not count; in an address a % does not hide one."""
    assert group_end("{a \\} % }\n b} c", 0) == 13
    assert group_end("{a % }", 0) is None
    assert group_end("{a%b}", 0, raw=True) == 5
    assert bracket_end("[a {]} b] c", 0) == 9
    assert bracket_end("[a } b]", 0) is None


def test_arguments_are_found_over_space_and_comments():
    """Not over a blank line, and no more than are asked for."""
    source = "*[a] % c\n {b}{c}{d}"
    found = arguments(source, 0, 2)
    assert found.star
    assert [source[slice(*span)] for span in (*found.optional, *found.groups)] == ["a", "b", "c"]
    assert arguments("\n\n{a}", 0, 1).groups == ()


def test_a_long_argument_is_closed_where_a_short_one_would_be():
    """However many groups stand in it; an address that long is none."""
    source = "{" + "{a}" * 500 + "} b"
    assert group_end(source, 0) == len(source) - 2
    assert group_end(source, 0, raw=True) is None
    assert group_end(source[:-3], 0) is None


def test_a_group_that_nothing_closes_is_none_however_deep():
    """And a group that the rest of a line hides from a pass over the whole is still looked at."""
    assert group_end("{" * 500, 3) is None
    hidden = "%" + "{" + "{a}" * 30 + "}"
    assert group_end(hidden, 1) == len(hidden)
    assert group_end("%{" + "{a}" * 200, 1) is None
