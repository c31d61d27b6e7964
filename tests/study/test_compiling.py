"""`rereview perturb --compile`, with engines that are a few lines of shell, and with a real one."""

import stat

import pytest

import injection_server as made
from injection_study import rereview
from rereview.perturb.typeset import typesetter

REFUSES = "! I do not like this sign."


@pytest.fixture
def study(tmp_path):
    """A study of one paper."""
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "main.tex").write_text(made.paper(1))
    assert rereview("study", "init", tmp_path / "study", "--papers", tmp_path / "paper") == 0
    return tmp_path / "study"


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """Puts an engine on the path, and no other: the lines of its log are what a script prints."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(script, name="pdflatex"):
        program = folder / name
        program.write_text(f"#!/bin/sh\nfor last; do :; done\n{{ {script}\n}} > main.log\n")
        program.chmod(program.stat().st_mode | stat.S_IEXEC)

    return put


def test_without_an_engine_nothing_is_begun(study, engine, capsys):
    """One line says what is missing; and a dry run or half the stages have nothing to compile."""
    assert rereview("perturb", study, "--compile") == 2
    assert "none is on the path (pdflatex, xelatex, lualatex)" in capsys.readouterr().err
    assert not list((study / "papers").glob("*/versions"))
    for less in (["--dry-run"], ["--stages", "verify"]):
        assert rereview("perturb", study, "--compile", *less) == 2
        assert "they are not made" in capsys.readouterr().err


def test_a_version_that_compiles_no_more_is_named(study, engine, capsys):
    """What the clean paper is blamed for as well does not count; the versions stay, the exit code tells."""
    blamed = f"/bin/echo '! Of every paper.'; /bin/grep -q 'y_{{1}} = 2 x' \"$last\" || /bin/echo '{REFUSES}'"
    engine(blamed.replace("{{", "{").replace("}}", "}"))
    assert rereview("perturb", study, "--compile") == 2
    said = capsys.readouterr()
    assert "paper/surface: compiles no more: I do not like this sign. (1)" in said.out
    assert "Of every paper" not in said.out
    assert "1 of 2 versions compile as their clean papers do (pdflatex)" in said.out
    assert "1 of 2 versions compile no more: paper/surface" in said.err
    assert (study / "papers/paper/versions/surface/main.tex").is_file()


def test_what_cannot_be_checked_is_not_called_whole(study, engine, capsys):
    """An engine that stops in the clean paper says nothing; another one may get through it."""
    engine("/bin/echo '! File not found.'; /bin/echo '! Emergency stop.'")
    assert rereview("perturb", study, "--compile") == 0
    said = capsys.readouterr().out
    assert "paper: 2 not checked: the clean paper does not compile here (pdflatex: File not found)" in said
    assert "0 of 2 versions compile as their clean papers do (pdflatex), 2 could not be checked" in said
    engine("/bin/echo '! Bad sign.'; /bin/echo '! Emergency stop.'", name="xelatex")
    assert rereview("perturb", study, "--compile") == 0
    assert "(pdflatex: File not found; xelatex: Bad sign)" in capsys.readouterr().out
    engine(":", name="xelatex")
    engine(":", name="lualatex")
    assert rereview("perturb", study, "--compile") == 0
    assert (
        "2 of 2 versions compile as their clean papers do (pdflatex, xelatex, lualatex)\n"
        in capsys.readouterr().out
    )


@pytest.mark.long
def test_a_real_engine_gets_through_a_made_up_paper(study, capsys):
    """The errors of the rules leave a paper that can be printed."""
    if typesetter() is None:
        pytest.skip("needs a TeX engine on the path")
    assert rereview("perturb", study, "--compile") == 0
    assert "2 of 2 versions compile as their clean papers do" in capsys.readouterr().out
