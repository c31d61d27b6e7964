"""Work that must not take hours: done in a process of its own, which is ended if it does."""

import subprocess
import sys

PATIENCE = 300.0
"""Seconds, of which the work takes one or two; what is wrong takes more than anybody's."""


def promptly(code):
    """Run Python code to its end, without an error."""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)
