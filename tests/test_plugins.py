"""Plug-ins by name and from a file."""

import pytest

from rereview.errors import UsageError
from rereview.plugins import find, load, names

FILE = """
from dataclasses import dataclass

@dataclass(frozen=True)
class TwoPass:
    passes: int = 2
    words: str = ""
    most: int | None = None
    steps: tuple[str, ...] = ("read",)
    sizes: tuple[int, ...] | None = None

    def __post_init__(self):
        if self.passes < 1:
            raise ValueError(f"passes={self.passes}: at least 1")

def function(request):
    return "x"
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


def test_a_file_alone_is_told_which_names_it_has(file, tmp_path):
    """Those that can be made; NAME where there is none, and no such file is said as ever."""
    with pytest.raises(UsageError, match=rf"a file needs a name behind it; {file}:TwoPass$"):
        load("reviewers", str(file))
    (tmp_path / "bare.py").write_text("x = 1\n")
    with pytest.raises(UsageError, match=r"a file needs a name behind it; .*bare\.py:NAME$"):
        load("reviewers", str(tmp_path / "bare.py"))
    with pytest.raises(UsageError, match=r"none\.py: no such file"):
        load("reviewers", str(tmp_path / "none.py"))


def test_the_built_in_models_come_through_entry_points():
    """They have no other door."""
    assert {"openai", "openrouter", "ollama", "vllm", "scripted"} <= set(names("models"))
    assert find("models", "vllm").__name__ == "vllm"


def test_an_unknown_name_lists_the_known_ones():
    """With the nearest first."""
    with pytest.raises(
        UsageError, match=r"unknown name 'opnai' \(did you mean 'openai'\?\); there are: .*openrouter"
    ):
        find("models", "opnai")


def test_a_class_in_a_file_is_made_with_its_options(file):
    """The fields of the dataclass are the options; the same file is one module."""
    made = load("reviewers", f"{file}:TwoPass", passes=3)
    assert (made.passes, made.words) == (3, "")
    assert load("reviewers", f"{file}:TwoPass") == type(made)()


def test_a_wrong_option_lists_the_fields(file):
    """Its name, the nearest field, all fields; a value that the class refuses in one line."""
    with pytest.raises(
        UsageError, match=r"unknown option 'pases' \(did you mean 'passes'\?\).*there are: passes, words"
    ):
        load("reviewers", f"{file}:TwoPass", pases=3)
    with pytest.raises(UsageError, match="passes=0: at least 1"):
        load("reviewers", f"{file}:TwoPass", passes=0)


def test_what_is_no_dataclass_is_no_plug_in(file):
    """A function can be found, and not made."""
    assert find("models", f"{file}:function")(None) == "x"
    with pytest.raises(UsageError, match="is not a dataclass"):
        load("reviewers", f"{file}:function")


def test_a_name_that_is_not_in_the_file_lists_what_is(file):
    """Only what the file itself defines."""
    with pytest.raises(
        UsageError, match=r"no 'Twopass' in it \(did you mean 'TwoPass'\?\).*there are: TwoPass, function"
    ):
        find("reviewers", f"{file}:Twopass")


@pytest.mark.parametrize("text", ["import nothing_of_this_name", "def broken(:\n", "x = y"])
def test_a_file_that_cannot_be_imported_says_so_in_one_line(tmp_path, text):
    """And is tried anew after it was mended."""
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(UsageError, match="Error") as raised:
        find("reviewers", f"{path}:X")
    assert "\n" not in str(raised.value)
    path.write_text(FILE + "\n" * 9)
    assert find("reviewers", f"{path}:function")


def test_no_such_file_is_said(tmp_path):
    """With how a file is named."""
    with pytest.raises(UsageError, match=r"no such file; FILE\.py:NAME"):
        find("reviewers", f"{tmp_path}/none.py:X")


def test_words_after_a_colon_are_the_option_that_the_class_names():
    """Only where it names one; another class says so in one line."""
    assert load("reviewers", "imported:a:b.json").file == "a:b.json"
    with pytest.raises(UsageError, match="'checks' takes no words after a colon; checks alone"):
        load("reviewers", "checks:all")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"passes": "many"}, "'passes' cannot be 'many'; a whole number"),
        ({"passes": True}, "cannot be True"),
        ({"passes": 2.5}, "cannot be 2.5"),
        ({"words": 3}, "'words' cannot be 3; text"),
        ({"most": "a lot"}, "'most' cannot be 'a lot'; a whole number"),
        ({"most": (1, 2)}, "'most' cannot be (1, 2); a whole number"),
        ({"steps": "read"}, "'steps' cannot be 'read'; a list of texts"),
        ({"steps": ("read", 2)}, "'steps' cannot be ('read', 2); a list of texts"),
        ({"sizes": 3}, "'sizes' cannot be 3; a list of whole numbers"),
        ({"sizes": (3, True)}, "'sizes' cannot be (3, True); a list of whole numbers"),
    ],
)
def test_an_option_of_another_kind_is_named(file, option, said):
    """A study file may give a word where a number belongs: it is said before anything is asked."""
    with pytest.raises(UsageError) as wrong:
        load("models", f"{file}:TwoPass", **option)
    assert said in str(wrong.value)


def test_a_list_of_the_kind_of_an_option_is_taken(file):
    """Also an empty one."""
    made = load("reviewers", f"{file}:TwoPass", steps=("read", "write"), sizes=())
    assert (made.steps, made.sizes) == (("read", "write"), ())
