"""A command as it runs where some packages are not installed, whatever is installed here."""

import os
import subprocess
import sys


def ingest_without(folder, packages, paper):
    """Exit code and error line of `rereview ingest PAPER`; its children do not find the packages either."""
    hidden = "".join(f"sys.modules[{name!r}] = None\n" for name in packages)
    (folder / "sitecustomize.py").write_text(f"import sys\n{hidden}")
    before = os.environ.get("PYTHONPATH")
    path = os.pathsep.join(filter(None, [str(folder), before]))
    done = subprocess.run(
        [sys.executable, "-m", "rereview", "ingest", str(paper)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr
