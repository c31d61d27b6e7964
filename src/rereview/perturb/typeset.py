"""Whether a version still compiles: an optional check with a TeX engine that is on the path.

The engine runs in a folder of its own that is removed afterwards, without a shell, may read and write only
below that folder and its own tree, and has limits of time, memory and file size. Papers often miss files,
so what counts is the difference: an error of the version that the clean paper does not have.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ENGINES = ("pdflatex", "xelatex", "lualatex")
STOPPED = "Emergency stop."
"""An error after which the engine reads no further: of what follows it says nothing."""
_ERROR = re.compile(r"^! (.+)$", re.MULTILINE)
_LIMITS = 'ulimit -t "$1"; ulimit -v "$2"; ulimit -f "$3"; shift 3; exec "$@"'
_BLOCKS = 200_000
"""Of 512 bytes: the largest file that may be written."""


@dataclass(frozen=True)
class Typesetter:
    """Runs an engine once over a project. `memory` in megabytes, `seconds` of processor time."""

    engine: str
    seconds: int = 60
    memory: int = 2000

    @property
    def name(self) -> str:
        """What the engine is called."""
        return Path(self.engine).name

    def __call__(self, files: Mapping[str, bytes], main: str) -> Counter[str] | None:
        """The errors of a run with their number; None where it was ended by a limit.

        `files` by their names relative to the folder of the main file; names that lead out of it are left
        out.
        """
        with tempfile.TemporaryDirectory(prefix="rereview-tex-") as name:
            folder = Path(name)
            _write(folder, files)
            if not self._run(folder, main):
                return None
            log = folder / PurePosixPath(main).with_suffix(".log").name
            text = log.read_text("latin-1") if log.is_file() else ""
        return Counter(_ERROR.findall(text))

    def _run(self, folder: Path, main: str) -> bool:
        limits = (str(self.seconds), str(self.memory * 1024), str(_BLOCKS))
        command = ("-no-shell-escape", "-interaction=nonstopmode", "-draftmode", f"./{main}")
        try:
            done = subprocess.run(  # noqa: S603  no shell reads the names; the engine is one of the path
                ["/bin/sh", "-c", _LIMITS, "sh", *limits, self.engine, *command],
                cwd=folder,
                env=_environment(folder, self.engine),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=2 * self.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode >= 0 and done.returncode < 128  # noqa: PLR2004  beyond it a signal ended it


def typesetter(engine: str | None = None) -> Typesetter | None:
    """The named engine, or the first one that is on the path; None where none is."""
    return next(iter(typesetters((engine,) if engine else ENGINES)), None)


def typesetters(names: Sequence[str] = ENGINES) -> tuple[Typesetter, ...]:
    """Those of the named engines that are on the path."""
    found = (shutil.which(name) for name in names)
    return tuple(Typesetter(path) for path in found if path)


def broken(
    typeset: Typesetter, clean: Mapping[str, bytes], version: Mapping[str, bytes], main: str
) -> tuple[str, ...] | None:
    """The errors that a version has and the clean paper has not; None where one could not be run."""
    before, after = typeset(clean, main), typeset(version, main)
    return None if before is None or after is None else added(before, after)


def added(before: Counter[str], after: Counter[str]) -> tuple[str, ...]:
    """The errors of a version that the clean paper has not, or has less often."""
    return tuple((after - before).elements())


def _environment(folder: Path, engine: str) -> dict[str, str]:
    # "p" is paranoid: only files below the folder of the run, and those of the engine's own tree.
    return {
        "PATH": str(Path(engine).parent),
        "HOME": str(folder),
        "TEXMFHOME": str(folder),
        "TEXMFVAR": str(folder),
        "openin_any": "p",
        "openout_any": "p",
        "shell_escape": "f",
        "max_print_line": "1000",
    }


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            continue
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
