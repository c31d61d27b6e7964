"""Edits and models for tests."""

from rereview.models.journal import Journal
from rereview.models.prices import FREE, Cap
from rereview.models.scripted import ScriptedEndpoint
from rereview.types.edit import Candidate, Perturbation
from rereview.types.manuscript import SourceSpan


class Shelf(dict):
    """A ledger in memory."""

    def get_call(self, call_id):
        return self.get(call_id)

    def add_call(self, call):
        self[call.id] = call


def model(script, shelf=None):
    """A journal over a function, or over answers one a call."""
    if not callable(script):
        left = list(script)
        script = lambda _: left.pop(0)  # noqa: E731
    shelf = Shelf() if shelf is None else shelf
    return Journal(ScriptedEndpoint(script), shelf, sample="s", price=FREE, cap=Cap(0))


def span_of(source, text, file="main.tex"):
    start = source.index(text)
    return SourceSpan(file=file, start=start, end=start + len(text))


def candidate(source, text, kind="inline-equation", name="c1"):
    return Candidate(id=name, paper_id="p", kind=kind, span=span_of(source, text), text=text)


def edit(source, original, replacement, **fields):
    """An edit of a source, of the surface family unless said otherwise."""
    given = {
        "id": "p/surface/1",
        "paper_id": "p",
        "span": span_of(source, original),
        "original": original,
        "replacement": replacement,
        "author": "m",
        "run": "p/surface",
        "candidate_id": "c1",
        "kind": "inline-equation",
        "family": "surface",
        "error": "operator-or-sign",
        "why_wrong": "THE GENERATOR'S OWN REASON",
    }
    return Perturbation(**{**given, **fields})
