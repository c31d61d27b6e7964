"""The published packages, really installed and run against a server on loopback; minutes and a gigabyte."""

import json
import re
from pathlib import Path

import pytest

from metering import metering
from rereview.cli.main import main
from rereview.errors import StorageError, UsageError
from rereview.reviewers.environments import install, installed, newer_python, root
from rereview.types.document import ReviewDocument

pytestmark = pytest.mark.long
ROOT = Path(__file__).resolve().parents[2]
PAPER = ROOT / "examples" / "adaptive_dual_scale_denoising"
ANEW = {"openaireview": 0, "coarse": 3}
NO_REGISTRY = ("No matching distribution", "Could not find a version", "onnection", "resolve", "timed out")


@pytest.fixture(scope="module")
def metered():
    """The server of the benchmark, whose folder is on no path."""
    return metering()


@pytest.fixture(scope="module")
def environments(tmp_path_factory):
    """A folder for environments, where there is a Python that is new enough."""
    try:
        newer_python()
    except UsageError as error:
        pytest.skip(str(error))
    return tmp_path_factory.mktemp("environments")


def home_of(name, environments):
    """The folder of environments that holds it: one that is there already, or one that is made now."""
    if installed(name) is not None:
        return root()
    try:
        install(name, environments)
    except StorageError as error:
        if any(words in str(error) for words in NO_REGISTRY):
            pytest.skip(f"no package registry: {error}")
        raise
    return environments


def reviewed(arguments, folder, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert not stop.value.code, capsys.readouterr().err
    return ReviewDocument.model_validate_json((folder / "review.json").read_text())


@pytest.mark.parametrize("name", ["openaireview", "coarse"])
def test_the_package_reviews_a_paper_on_any_endpoint(name, environments, metered, tmp_path, capsys):
    """Its calls are in the ledger and replayed, its comments records; no key is in what is written."""
    folder = home_of(name, environments)
    arguments = ["review", str(PAPER), "--model", "m", "--reviewer", name, "--no-images"]
    arguments += ["--set", f"{name}.folder={folder}", "--out", str(tmp_path / "s")]
    with metered(issues=2) as meter:
        document = reviewed([*arguments, "--base-url", meter.base_url], tmp_path / "s", capsys)
        calls = meter.calls
        reviewed([*arguments, "--base-url", meter.base_url], tmp_path / "s", capsys)
        # coarse words a question or two by which of its threads was first; those are asked anew.
        assert meter.calls - calls <= ANEW[name]
    (review,) = document.reviews
    assert review.status in ("ok", "repaired")
    assert review.comments
    assert len(review.call_ids) == calls == sum(line.calls for line in document.costs)
    assert document.sent_to[0].host.startswith("127.0.0.1")
    written = b"".join(path.read_bytes() for path in (tmp_path / "s").rglob("*") if path.is_file())
    assert not re.search(rb"\bsk-[\w-]{20,}", written)
    assert json.loads(document.to_json())["reviews"][0]["reviewer"].startswith(name)
