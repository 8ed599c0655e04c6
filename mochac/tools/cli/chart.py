"""Line charts as text, for terminals and logs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mochac.base.records import record

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
