"""What `rereview measure` writes beside what it prints: figures for a paper, and a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pandas as pd

from rereview import __version__
from rereview.errors import StorageError, UsageError
from rereview.measures.curves import curves
from rereview.measures.tabulate import Settings
from rereview.report import plots
from rereview.report.measured import Measurement, measured_page
from rereview.report.series import Chart, charts
from rereview.study.store import write_files
from rereview.types.estimate import Table

Tables = Mapping[str, Sequence[Table]]


@dataclass(frozen=True)
class Said:
    """What a reader is told beside the tables, each a line."""

    left_out: Sequence[str]
    unused: Sequence[str]
    notes: Sequence[str]


@dataclass(frozen=True)
class Output:
    """Where figures and the page go; None: they are not asked for."""

    figures: Path | None
    report: Path | None

    @property
    def asked(self) -> bool:
        """Whether anything is to be written."""
        return self.figures is not None or self.report is not None

    def check(self, files: Sequence[Path]) -> None:
        """Refuse, before any work, what cannot be written."""
        if self.figures is not None:
            plots.require()
            if self.figures.exists() and not self.figures.is_dir():
                raise UsageError(
                    f"{str(self.figures)!r} is no folder", where="--figures", expected="a folder"
                )
        if self.report is not None:
            if self.report.is_dir():
                raise UsageError(f"{str(self.report)!r} is a folder", where="--report", expected="a file")
            _spare(self.report, files, "--report")

    def write(
        self,
        files: Sequence[Path],
        frames: Mapping[str, pd.DataFrame],
        tables: Tables,
        settings: Settings,
        said: Said,
    ) -> list[str]:
        """Write what is asked for, and say it in lines."""
        drawn = charts(tables, curves(frames, tables, settings), success=settings.success)
        try:
            return [*self._figures(drawn, files), *self._report(drawn, files, tables, settings, said)]
        except OSError as error:
            raise StorageError(
                f"cannot be written: {error.strerror or error}",
                where=str(error.filename or self.figures or self.report),
                expected="a place that can be written",
            ) from error

    def _figures(self, drawn: Sequence[Chart], files: Sequence[Path]) -> list[str]:
        if self.figures is None:
            return []
        if not drawn:
            return ["no figure: none of these tables has one"]
        for chart in drawn:
            for path in plots.places(chart, self.figures):
                _spare(path, files, "--figures")
        self.figures.mkdir(parents=True, exist_ok=True)
        return [f"wrote {path}" for chart in drawn for path in plots.write(chart, self.figures)]

    def _report(
        self, drawn: Sequence[Chart], files: Sequence[Path], tables: Tables, settings: Settings, said: Said
    ) -> list[str]:
        if self.report is None:
            return []
        page = measured_page(
            Measurement(
                tables,
                drawn,
                said.left_out,
                said.unused,
                said.notes,
                files=tuple((path.name, _digest(path)) for path in files),
                settings=_shown(settings),
                versions=(("rereview", __version__), ("numpy", version("numpy"))),
            )
        )
        if self.report.exists() and not self.report.is_file():  # a device or a pipe
            self.report.write_bytes(page.encode())
        else:
            place = self.report.resolve()
            write_files(place.parent, {place.name: page.encode()})
        return [f"wrote {self.report}"]


def _spare(path: Path, files: Sequence[Path], where: str) -> None:
    """Scores are never written over."""
    if path.resolve() in {file.resolve() for file in files}:
        raise UsageError(f"{str(path)!r} holds the scores", where=where, expected="another place")


def _digest(path: Path) -> str | None:
    """SHA-256 of a file; None for the folder of a study."""
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def _scales(settings: Settings) -> tuple[tuple[str, str], ...]:
    """The scale of all scores, or that of each form."""
    found = dict.fromkeys(settings.scales.values())
    if not found:
        return (("Scale", f"{settings.scale[0]:g} to {settings.scale[1]:g}"),)
    return tuple((f"Scale of {scale.form}", str(scale)) for scale in found)


def _shown(settings: Settings) -> tuple[tuple[str, str], ...]:
    """The settings in words, without prices of nobody."""
    kind = "percentile" if settings.percentile else "linearised where a mean allows, percentile elsewhere"
    prices = () if settings.price is None else (("Prices", _prices(*settings.price)),)
    return (
        *_scales(settings),
        (
            "Intervals",
            f"{settings.level:.0%}, {kind}; {settings.draws:,} draws of papers, seed {settings.seed}",
        ),
        ("Tolerances", ", ".join(f"{each:g}" for each in settings.tolerances)),
        ("Budgets", f"success {settings.success:g}, confidence {settings.confidence:g}"),
        *prices,
    )


def _prices(given: float, cached: float, written: float, output: float) -> str:
    """USD per million tokens in words, in the order of `--price`."""
    return (
        f"{given:g} in, {output:g} out, {cached:g} cached, {written:g} cache write, in USD per million tokens"
    )
