"""The optional check that a version still compiles."""

import stat
import tempfile
from pathlib import Path

import pytest

from perturb.shared_papers import DATA
from rereview.perturb.formula_rules import formula_proposals
from rereview.perturb.inject import inject
from rereview.perturb.proposals import masked
from rereview.perturb.scan import scan
from rereview.perturb.typeset import Typesetter, broken, typesetter
from rereview.perturb.validate import fault
from rereview.types.edit import Perturbation


@pytest.fixture
def engine():
    found = typesetter()
    if found is None:
        pytest.skip("needs a TeX engine on the path")
    return found


def paper(body):
    return {
        "paper.tex": f"\\documentclass{{article}}\\begin{{document}}\n{body}\n\\end{{document}}\n".encode()
    }


def test_without_an_engine_there_is_no_check():
    """The name that is asked for is looked for, and no other."""
    assert typesetter("no-such-engine") is None


def test_what_compiled_still_does(engine):
    """A turned relation is no error of TeX."""
    assert broken(engine, paper("$a < b$"), paper("$a > b$"), "paper.tex") == ()


@pytest.mark.long
def test_an_error_of_the_version_alone_counts(engine):
    """What the clean paper has as well does not; twice is more than once."""
    clean = paper("\\unknown{} $a$")
    assert broken(engine, clean, paper("\\unknown{} $b$"), "paper.tex") == ()
    assert broken(engine, clean, paper("\\unknown{} \\unknown{} $b$"), "paper.tex") == (
        "Undefined control sequence.",
    )
    found = broken(engine, clean, paper("\\unknown{} $\\frac{b$"), "paper.tex")
    assert found
    assert all("Undefined" not in error for error in found)


@pytest.mark.long
def test_nothing_is_read_or_written_outside(engine, tmp_path):
    """Neither by its name, nor through the parent folder; and no shell runs."""
    secret = tmp_path / "secret.tex"
    secret.write_text("\\typeout{! leaked}")
    for body in (
        f"\\input{{{secret}}}",
        f"\\immediate\\openout3={tmp_path}/made.tex \\immediate\\write3{{x}}",
        f"\\immediate\\write18{{touch {tmp_path}/made.tex}}",
        "\\input{../../etc/hostname}",
    ):
        engine(paper(body), "paper.tex")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret.tex"]
    assert "leaked" not in engine(paper(f"\\input{{{secret}}}"), "paper.tex")


def test_names_that_lead_out_are_left_out(tmp_path):
    """Whatever the engine: here one that writes down what it finds."""
    fake = tmp_path / "engine"
    fake.write_text("#!/bin/sh\n/bin/ls -A | /bin/sed 's/^/! /' > paper.log\n")
    fake.chmod(fake.stat().st_mode | stat.S_IEXEC)
    above, outside = f"{tmp_path.parent.name}-{tmp_path.name}.tex", f"{tmp_path}/outside.tex"
    files = {"paper.tex": b"", "a/b.tex": b"", f"../{above}": b"", outside: b""}
    found = Typesetter(str(fake))(files, "paper.tex")
    assert set(found) - {"paper.log"} == {"a", "paper.tex"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["engine"]
    assert not (Path(tempfile.gettempdir()) / above).exists()


@pytest.mark.long
def test_an_endless_paper_is_ended(engine):
    """By the limit of processor time; that is not known to be broken, nor whole."""
    short = Typesetter(engine.engine, seconds=1)
    assert short(paper("\\def\\x{\\x}\\x"), "paper.tex") is None
    assert broken(short, paper("a"), paper("\\def\\x{\\x}\\x"), "paper.tex") is None


def flips(text, name):
    """One turned relation, operator or sign of every formula that has one."""
    for number, place in enumerate(scan({name: text}, "p")):
        if not place.kind.endswith("equation"):
            continue
        made = [p for p in formula_proposals(masked(place.text).formulas) if p.error == "operator-or-sign"]
        for each in made[:1]:
            yield Perturbation(
                id=f"f{number}",
                paper_id="p",
                span=place.span,
                original=place.text,
                replacement=place.text[: each.start] + each.new + place.text[each.end :],
                author="rules",
                run="p/surface",
                candidate_id=place.id,
                kind=place.kind,
                family="surface",
                error="operator-or-sign",
                why_wrong=each.why,
            )


@pytest.mark.long
@pytest.mark.parametrize("folder", sorted(DATA.glob("*/*")), ids=lambda folder: folder.name)
def test_flips_in_every_formula_still_compile(engine, folder):
    """All operator flips of a paper at once: no error that the clean paper does not have."""
    data = (folder / "clean.tex").read_bytes()
    text = data.decode()
    edits = [each for each in flips(text, "clean.tex") if fault({"clean.tex": text}, each) is None]
    if not edits:
        pytest.skip("no formula of this paper has an operator")
    (version,) = inject({"clean.tex": data}, edits)
    clean = engine({"clean.tex": data}, "clean.tex")
    if clean is None or "Emergency stop." in clean:
        pytest.skip("the engine lacks a package of this paper")
    assert broken(engine, {"clean.tex": data}, version.files, "clean.tex") == ()
