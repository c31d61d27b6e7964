"""Studies of injected errors for tests: begun, and run by their commands as a person does."""

import pytest

import injection_server as made
from rereview.cli.main import main


def rereview(*arguments):
    """Run a command as a person does; the exit code."""
    with pytest.raises(SystemExit) as stop:
        main([str(each) for each in arguments])
    return stop.value.code


def begun(folder, server, papers=6, *, precision=False):
    """A study of made-up papers whose models are all at the server."""
    for number in range(papers):
        (folder / "papers" / f"p{number}").mkdir(parents=True)
        (folder / "papers" / f"p{number}" / "main.tex").write_text(made.paper(number))
    study = folder / "study"
    assert rereview("study", "init", study, "--papers", folder / "papers") == 0
    toml = study / "study.toml"
    text = toml.read_text()
    text = text.replace('generator = "rules" ', f'generator = "{made.GENERATOR}" ')
    text = text.replace('verifier = "precheck" ', f'verifier = "{made.VERIFIER}" ')
    text = text.replace("# precision = true ", "precision = true ") if precision else text
    text = text.replace('model = "none" ', f'model = "{made.JUDGE}" ')
    names = (made.GENERATOR, made.VERIFIER, made.REVIEWER, made.JUDGE)
    addresses = "".join(f'"{name}" = "{server.base_url}"\n' for name in names)
    text += (
        f'\n[[reviewers]]\nreviewer = "zero_shot"\nmodels = ["{made.REVIEWER}"]\n\n[addresses]\n{addresses}'
    )
    toml.write_text(text)
    return study
