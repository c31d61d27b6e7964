"""What the package promises as a whole."""

import json
import subprocess
import sys
from importlib.metadata import requires
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("numpy", "pandas", "scipy", "openai", "aiohttp", "pydantic", "PIL", "jinja2")


@pytest.mark.parametrize(
    "statement",
    ["import rereview", "from rereview.cli.main import cli; cli(['--help'], standalone_mode=False)"],
)
def test_the_first_import_is_light(statement):
    """Neither `import rereview` nor `rereview --help` imports anything heavy."""
    code = f"{statement}\nimport sys, json; print(json.dumps([n for n in {HEAVY!r} if n in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.strip().splitlines()[-1]) == []


def test_the_core_is_small():
    """Thirteen direct dependencies, and at most 45 distributions pinned for an installation."""
    core = [line for line in requires("rereview") if "extra ==" not in line]
    assert len(core) <= 13
    building = {"editables", "hatchling", "packaging", "pathspec", "pluggy", "tomlkit", "trove-classifiers"}
    pinned = [
        line.split("==")[0]
        for line in (ROOT / "requirements" / "core.txt").read_text().splitlines()
        if "==" in line
    ]
    assert len(set(pinned) - building) + 1 <= 45


def test_requirements_name_no_address():
    """Pins are hashes; where they are fetched from is the installer's business."""
    for name in ("core", "test"):
        text = (ROOT / "requirements" / f"{name}.txt").read_text()
        assert "://" not in text
        assert "--hash=sha256:" in text


def test_modules_stay_small():
    """No module passes 400 lines."""
    long = [path for path in (ROOT / "src").rglob("*.py") if len(path.read_text().splitlines()) > 400]
    assert long == []


def test_everything_is_packaged():
    """Prompts, forms, templates and prices lie where the installed package finds them."""
    for package, name in (
        ("rereview.prompts", "scorecard.md"),
        ("rereview.forms", "iclr-anchored.toml"),
        ("rereview.models", "prices.toml"),
        ("rereview", "py.typed"),
    ):
        assert (files(package) / name).is_file()
