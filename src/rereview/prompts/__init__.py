"""Prompts: one a file, with a title and a version."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from string import Template


@dataclass(frozen=True)
class Prompt:
    """A prompt with its two parts, each with `$names` to fill in."""

    name: str
    title: str
    version: str
    system: str
    user: str
    digest: str
    """First 12 hex digits of the SHA-256 of the file."""

    def fill(self, **values: str) -> tuple[str, str]:
        """The two parts with every name filled in. Raises KeyError for a name without a value."""
        return Template(self.system).substitute(values), Template(self.user).substitute(values)


def load(name: str) -> Prompt:
    """The prompt in the file `name.md`."""
    source = files(__name__).joinpath(f"{name}.md").read_text("utf-8")
    _, head, body = source.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.strip().splitlines())
    system, user = body.removeprefix("# system\n").split("\n# user\n")
    digest = sha256(source.encode()).hexdigest()[:12]
    return Prompt(name, fields["title"], fields["version"], system.strip(), user.strip(), digest)


def mark_of(text: str, what: str = "manuscript") -> str:
    """A line that a text cannot hold, for it is made from all of it: it shows where the text ends."""
    return f"=== {what} {sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
