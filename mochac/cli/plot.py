"""`mochac plot STATISTICS...`: charts of statistics in the terminal, or a picture where matplotlib is installed."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from mochac.cli.chart import chart
from mochac.cli.command import command
from mochac.errors import OptionError, SnapshotError
from mochac.registry import suggestion
from mochac.runtime.lounge import load_statistics

Charts = dict[str, dict[str, dict[int, float]]]
"""By statistic, by file, value by iteration."""

PICTURES = (".png", ".svg", ".pdf")
AXIS_COLUMNS = 14


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("files", metavar="STATISTICS", nargs="+", help="HDF5 files of a coffee lounge")
    parser.add_argument("--names", metavar="A,B", default="", help="statistics to show (default: all)")
    parser.add_argument("--out", metavar="PATH", help="write a picture (.png, .svg, .pdf) with matplotlib")


@command("plot", "plot statistics files", arguments)
def run(args: Namespace) -> int:
    """Print charts, or write a picture."""
    if args.out and Path(args.out).suffix not in PICTURES:
        raise OptionError(
            f"cannot write {args.out}", expected=" or ".join(PICTURES), got=Path(args.out).suffix or "none"
        )
    charts = _charts(args.files, [name for name in args.names.split(",") if name])
    if args.out:
        _picture(charts, Path(args.out))
        print(f"wrote {args.out}")
        return 0
    width = max(20, min(100, shutil.get_terminal_size((80, 24)).columns - AXIS_COLUMNS))
    print("\n".join(chart(name, series, width) for name, series in charts.items()), end="")
    return 0


def _charts(files: list[str], names: list[str]) -> Charts:
    found: Charts = {}
    for file in files:
        for name, values in load_statistics(file).items():
            found.setdefault(name, {})[file] = values
    if not found:
        raise SnapshotError(f"no statistics in {', '.join(files)}")
    for name in names:
        if name not in found:
            close = suggestion(name, found)
            hint = f"did you mean {close!r}?" if close else ""
            raise OptionError(f"no statistic {name!r}", details=[f"statistics: {' '.join(found)}"], hint=hint)
    return {name: found[name] for name in names or found}


def _picture(charts: Mapping[str, Mapping[str, Mapping[int, float]]], path: Path) -> None:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        hint = "pip install 'mochac[plot]', or leave --out away for a chart in the terminal"
        raise OptionError("pictures need matplotlib, which is not installed", hint=hint) from None
    figure = Figure(figsize=(8, 3 * len(charts)), layout="constrained")
    for axes, (name, series) in zip(figure.subplots(len(charts), squeeze=False)[:, 0], charts.items(), strict=True):
        for label, values in series.items():
            axes.plot(list(values), list(values.values()), label=label)
        axes.set(xlabel="iteration", ylabel=name)
        axes.grid(alpha=0.3)
        if len(series) > 1:
            axes.legend()
    figure.savefig(path)
