"""Environments of their own for reviewers that are other people's packages."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rereview.errors import StorageError, UsageError
from rereview.models.weights import data_folder

NEEDED = (3, 12)
"""The Python that both packages ask for, or newer."""
MARK = "installed.json"
_ASK = "import sys; print(sys.version_info[0], sys.version_info[1])"
_SECONDS = 10


@dataclass(frozen=True)
class Package:
    """A package of the registry, in the version that it is driven and tested with."""

    name: str
    distribution: str
    version: str

    @property
    def pin(self) -> str:
        """What is asked of the installer."""
        return f"{self.distribution}=={self.version}"


PACKAGES: Mapping[str, Package] = {
    each.name: each
    for each in (
        Package("openaireview", "openaireview", "0.3.0"),
        Package("coarse", "coarse-ink", "1.9.6"),
    )
}


def root() -> Path:
    """The folder of all environments: `reviewers` in the data folder."""
    return data_folder() / "reviewers"


def package(name: str) -> Package:
    """The package of a reviewer. Raises UsageError for another name."""
    if name not in PACKAGES:
        raise UsageError(
            f"no package {name!r}", where="reviewers install", expected=", ".join(sorted(PACKAGES))
        )
    return PACKAGES[name]


def installed(name: str, folder: Path | None = None) -> Path | None:
    """The `bin` folder of an environment that was installed whole, in this version; None without one."""
    home = (folder or root()) / name
    try:
        held = json.loads((home / MARK).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return home / "bin" if held.get("package") == package(name).pin else None


def required(name: str, folder: Path | None = None) -> Path:
    """The same; raises UsageError with the command that installs it."""
    found = installed(name, folder)
    if found is None:
        raise UsageError(
            f"{package(name).pin} is not installed", where=name, expected=f"rereview reviewers install {name}"
        )
    return found


def install(name: str, folder: Path | None = None) -> Path:
    """Make the environment anew with the first Python that is new enough; its `bin` folder.

    The installer is pip with its own settings. Raises UsageError where there is no such Python and
    StorageError where pip fails, with its last words.
    """
    wanted = package(name)
    python = newer_python()
    home = (folder or root()) / name
    shutil.rmtree(home, ignore_errors=True)
    _run([python, "-m", "venv", str(home)], f"{name}: the environment")
    _run(
        [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", wanted.pin], f"{name}: {wanted.pin}"
    )
    (home / MARK).write_text(json.dumps({"package": wanted.pin, "python": python}), "utf-8")
    return home / "bin"


def _run(argv: list[str], what: str) -> None:
    try:
        subprocess.run(argv, check=True, capture_output=True, text=True, errors="replace")  # noqa: S603  fixed words
    except OSError as error:
        raise StorageError(f"cannot be made: {error.strerror or error}", where=what) from error
    except subprocess.CalledProcessError as error:
        lines = [line.strip() for line in (error.stderr or error.stdout or "").splitlines() if line.strip()]
        telling = [line for line in lines if line.lower().startswith("error")] or lines[-2:]
        raise StorageError(
            f"cannot be installed: {' '.join(telling)[:300] or 'pip said nothing'}",
            where=what,
            expected="a package registry that pip can reach, and room on the disk",
        ) from error


def newer_python(candidates: Iterable[str] | None = None) -> str:
    """The path of the first Python that is new enough. Raises UsageError, saying what was looked at."""
    looked = []
    for path in pythons() if candidates is None else candidates:
        version = _version(path)
        if version is not None and version >= NEEDED:
            return path
        looked.append(f"{path} {'.'.join(map(str, version)) if version else 'does not start'}")
    seen = "; ".join(looked[:6]) or "none at all"
    raise UsageError(
        f"Python {NEEDED[0]}.{NEEDED[1]} or newer is needed and there is none: {seen}",
        where="reviewers install",
        expected="install one so that `python3.12` is on the search path, or with pyenv",
    )


def pythons() -> Iterator[str]:
    """This Python, those on the search path, those of pyenv; each once. The older has more wheels."""
    names = [f"python3.{minor}" for minor in range(NEEDED[1], 21)]
    found = [sys.executable, *(path for name in (*names, "python3") if (path := shutil.which(name)))]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found += sorted(str(path) for path in pyenv.glob("3.*/bin/python"))
    yield from dict.fromkeys(found)


def _version(python: str) -> tuple[int, int] | None:
    """Its version; None if it does not start, as what pyenv puts on the search path may not."""
    try:
        done = subprocess.run(  # noqa: S603  a Python that was found
            [python, "-I", "-c", _ASK], capture_output=True, text=True, timeout=_SECONDS, check=True
        )
        major, minor = done.stdout.split()
        return int(major), int(minor)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
