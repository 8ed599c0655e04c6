"""Curves of training logs as charts."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from io import BytesIO
from pathlib import Path

import numpy as np

from mochac.base.drawing.svg import Curve, points, to_svg
from mochac.base.errors import OptionError, SnapshotError
from mochac.base.escaping import visible
from mochac.base.files.atomic import write_bytes
from mochac.base.records import record
from mochac.base.registry import misspelt
from mochac.tools.cli.command import command, positive
from mochac.training.loop.lounge import load_statistics


def low_pass(series: Mapping[int, float], window: int) -> dict[int, float]:
    """Replace each value by the mean of itself and the (up to) window - 1 values before it, in order of iteration.

    Later values have no influence, as in Mocha's examples/mnist/mnist_learning_curve.jl. Values that are not finite are
    left out.

    Args:
        series: values by iteration.
        window: number of values in a mean, >= 1.

    >>> low_pass({0: 4.0, 10: 2.0, 20: 0.0, 30: 1.0}, 2)
    {0: 4.0, 10: 3.0, 20: 1.0, 30: 0.5}
    """
    kept = [(i, v) for i, v in sorted(series.items()) if np.isfinite(v)]
    values = np.array([v for _, v in kept])
    means = [float(values[max(0, k + 1 - window) : k + 1].mean()) for k in range(len(values))]
    return {i: v for (i, _), v in zip(kept, means, strict=True)}


MARKS = "*o+x#@%&"
Series = Mapping[int, float]


@record
class Frame:
    """The ranges of the axes, and the size of the plotting area in characters."""

    x0: float
    x1: float
    y0: float
    y1: float
    width: int
    height: int


def chart(title: str, series: Mapping[str, Series], width: int = 72, height: int = 14) -> str:
    """The text of a chart, with a mark for each series; values that are not finite are left out.

    Args:
        series: values by iteration, by label.
        width, height: of the plotting area, characters.
    """
    points = {label: _finite(values) for label, values in series.items()}
    points = {label: xy for label, xy in points.items() if len(xy[0])}
    if not points:
        return f"{title}: no finite values\n"
    frame = _frame(points, width, height)
    rows = [[" "] * width for _ in range(height)]
    for mark, (x, y) in zip(MARKS * (1 + len(points) // len(MARKS)), points.values(), strict=False):
        for column, row in _cells(x, y, frame):
            rows[row][column] = mark
    return "\n".join([_legend(title, points), *_with_axis(rows, frame), _ticks(frame)]) + "\n"


def _finite(values: Series) -> tuple[np.ndarray, np.ndarray]:
    x = np.array(sorted(values), float)
    y = np.array([values[int(i)] for i in x], float)
    keep = np.isfinite(y)
    return x[keep], y[keep]


def _frame(points: Mapping[str, tuple[np.ndarray, np.ndarray]], width: int, height: int) -> Frame:
    x, y = (np.concatenate([xy[k] for xy in points.values()]) for k in (0, 1))
    y0, y1 = float(y.min()), float(y.max())
    margin = 0.0 if y1 > y0 else max(abs(y0), 1.0) / 2
    return Frame(float(x.min()), float(x.max()), y0 - margin, y1 + margin, width, height)


def _cells(x: np.ndarray, y: np.ndarray, f: Frame) -> list[tuple[int, int]]:
    """(column, row) of a series: the mean of points in the same column, and lines between columns."""
    span = (f.x1 - f.x0) or 1.0
    column = np.rint((x - f.x0) / span * (f.width - 1)).astype(int)
    count = np.bincount(column, minlength=f.width)
    total = np.bincount(column, weights=y, minlength=f.width)
    filled = np.flatnonzero(count)
    wanted = np.arange(filled[0], filled[-1] + 1)
    value = np.interp(wanted, filled, total[filled] / count[filled])
    row = np.rint((f.y1 - value) / (f.y1 - f.y0) * (f.height - 1)).astype(int)
    return list(zip(wanted.tolist(), row.tolist(), strict=True))


def _legend(title: str, points: Mapping[str, object]) -> str:
    marked = [f"{mark} {label}" for mark, label in zip(MARKS * (1 + len(points) // len(MARKS)), points, strict=False)]
    return f"{title}    {'   '.join(marked)}" if len(points) > 1 else title


def _with_axis(rows: list[list[str]], f: Frame) -> list[str]:
    labels = {0: f"{f.y1:.4g}", f.height // 2: f"{(f.y0 + f.y1) / 2:.4g}", f.height - 1: f"{f.y0:.4g}"}
    return [f"{labels.get(k, ''):>10} |{''.join(row).rstrip()}" for k, row in enumerate(rows)]


def _ticks(f: Frame) -> str:
    left, right = f"{f.x0:.0f}", f"{f.x1:.0f}"
    return " " * 11 + "+" + "-" * f.width + "\n" + " " * 12 + left + right.rjust(max(1, f.width - len(left)))


PICTURES = (".svg", ".png", ".pdf")
AXIS_COLUMNS = 14
Charts = dict[str, list[Curve]]
"""Curves by the title of their chart."""


@record
class Statistic:
    """One statistic of one file."""

    file: str
    name: str
    values: dict[int, float]


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="STATISTICS", nargs="+", help="statistics files (save_into of a coffee lounge)"
    )
    parser.add_argument("-l", "--list", action="store_true", help="only list the statistics, with their numbers")
    parser.add_argument("-i", "--index", metavar="1,3-5", default="", help="statistics to plot, by number in the list")
    parser.add_argument(
        "--names", metavar="A,B", default="", help="statistics to plot, by name; '*' and '?' are wildcards"
    )
    parser.add_argument("--smooth", metavar="N", type=positive, default=1, help="plot the mean of the last N values")
    parser.add_argument(
        "--together", action="store_true", help="plot all curves in one chart instead of a chart per statistic"
    )
    parser.add_argument("-o", "--out", metavar="PATH", help="write a picture: .svg, or with matplotlib .png or .pdf")


@command("plot", "plot learning curves from statistics files", _arguments)
def run(args: Namespace) -> int:
    """Print a list or charts, or write a picture."""
    if args.out and Path(args.out).suffix not in PICTURES:
        raise OptionError(
            f"cannot write {args.out}", expected=" or ".join(PICTURES), got=Path(args.out).suffix or "none"
        )
    listed = _listed(args.files)
    if args.list:
        print("\n".join(visible(_described(k, statistic)) for k, statistic in enumerate(listed, 1)))
        return 0
    charts = _charts(_selected(listed, args.index, args.names), args.smooth, args.together)
    if args.out:
        _picture(charts, Path(args.out))
        print(f"wrote {args.out}")
        return 0
    width = max(20, min(100, shutil.get_terminal_size((80, 24)).columns - AXIS_COLUMNS))
    by_label = {visible(title): {visible(c.label): c.values for c in curves} for title, curves in charts.items()}
    print("\n".join(chart(title, curves, width) for title, curves in by_label.items()), end="")
    return 0


def _listed(files: Sequence[str]) -> list[Statistic]:
    listed = [Statistic(file, name, values) for file in files for name, values in sorted(load_statistics(file).items())]
    if not listed:
        raise SnapshotError(f"no statistics in {', '.join(files)}")
    return listed


def _described(number: int, statistic: Statistic) -> str:
    """Mocha's `k : file/statistic`, with the number and range of its values."""
    n = len(statistic.values)
    span = f"iterations {min(statistic.values)} to {max(statistic.values)}" if n else "empty"
    return f"{number:3} : {statistic.file}/{statistic.name}    {n} value{'' if n == 1 else 's'}, {span}"


def _selected(listed: Sequence[Statistic], index: str, names: str) -> list[Statistic]:
    """The statistics chosen by numbers or names, by default all."""
    if not index and not names:
        return list(listed)
    wanted = set(_numbers(index, len(listed)))
    patterns = [name for name in names.split(",") if name]
    known = list(dict.fromkeys(statistic.name for statistic in listed))
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in known):
            hint = misspelt(pattern, known)
            raise OptionError(f"no statistic {pattern!r}", details=[f"statistics: {' '.join(known)}"], hint=hint)
    order = {
        name: k for k, pattern in reversed(list(enumerate(patterns))) for name in known if fnmatchcase(name, pattern)
    }
    chosen = [f for k, f in enumerate(listed, 1) if k in wanted or f.name in order]
    return sorted(chosen, key=lambda f: order.get(f.name, -1))


def _numbers(text: str, most: int) -> Iterable[int]:
    """Expand 1,3-5 to 1 3 4 5."""
    for part in filter(None, text.split(",")):
        first, dash, last = part.partition("-")
        ends = [first, last if dash else first]
        if not all(end.isdecimal() for end in ends) or not 1 <= int(ends[0]) <= int(ends[1]) <= most:
            expected = f"numbers from 1 to {most}, as 1,3-5"
            raise OptionError("-i is out of range", expected=expected, got=part, hint="mochac plot -l FILE lists them")
        yield from range(int(ends[0]), int(ends[1]) + 1)


def _charts(chosen: Sequence[Statistic], window: int, together: bool) -> Charts:
    """A chart per statistic with a curve per file, or one chart."""
    charts: Charts = {}
    for statistic in chosen:
        title, label = (
            ("statistics", f"{statistic.file}/{statistic.name}") if together else (statistic.name, statistic.file)
        )
        smooth = low_pass(statistic.values, window)
        curve = Curve(label, smooth, statistic.values) if window > 1 else Curve(label, statistic.values)
        charts.setdefault(title, []).append(curve)
    return charts


def _picture(charts: Charts, path: Path) -> None:
    if path.suffix == ".svg":
        write_bytes(path, to_svg(charts).encode())
    else:
        _with_matplotlib(charts, path)


def _with_matplotlib(charts: Mapping[str, Sequence[Curve]], path: Path) -> None:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        hint = f"pip install 'mochac[plot]', or write {path.with_suffix('.svg')}, which needs nothing"
        raise OptionError(f"{path.suffix} pictures need matplotlib, which is not installed", hint=hint) from None
    figure = Figure(figsize=(8, 3 * len(charts)), layout="constrained")
    for axes, (title, curves) in zip(figure.subplots(len(charts), squeeze=False)[:, 0], charts.items(), strict=True):
        for k, curve in enumerate(curves):
            if curve.faint is not None:
                axes.plot(*points(curve.faint).T, color=f"C{k % 10}", alpha=0.3, linewidth=1)
            axes.plot(
                *points(curve.values).T,
                color=f"C{k % 10}",
                linestyle=("-", "--", ":")[k // 10 % 3],
                label=_plain(curve.label),
            )
        axes.set(xlabel="iteration", ylabel=_plain(title))
        axes.grid(alpha=0.3)
        if len(curves) > 1:
            axes.legend()
    picture = BytesIO()
    figure.savefig(picture, format=path.suffix.removeprefix("."))
    write_bytes(path, picture.getbuffer())


def _plain(label: str) -> str:
    """A label in which `$` and a leading `_` have no special meaning to matplotlib.

    >>> _plain("$x^2$"), _plain("_hidden")
    ('\\\\$x^2\\\\$', ' _hidden')
    """
    text = visible(label).replace("$", "\\$")
    return f" {text}" if text.startswith("_") else text
