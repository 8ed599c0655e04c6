"""SVG without a plotting library: colours, text, lines, and line charts.

Colours mean the same in every picture, and can be told apart by people who cannot distinguish red from green.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence

import numpy as np

from mochac.base.escaping import markup
from mochac.base.records import record

INK, PALE, IDLE = "#334155", "#e2e8f0", "#f1f5f9"
STALL = "#c2410c"
"""Waits for data."""
LEVELS = ("#0f766e", "#0369a1", "#6d28d9", "#9d174d")
"""L1, L2, L3, memory."""
SCALE = ("#b45309", "#d97706", "#eab308", "#7fb3d5", "#2f7fb8")
"""Far below its roof ... near it."""
LAYERS = ("#5b8fc7", "#e0994d", "#6bab78", "#a583c4", "#c77b86", "#8f8468", "#4fa8a8", "#c4b04f", "#7d8aa0", "#d583b5")


def by_percent(percent: float) -> str:
    """The colour of a kernel that reaches this much of its roof."""
    return SCALE[min(len(SCALE) - 1, max(0, int(percent / 20)))]


def of_layers(names: list[str]) -> dict[str, str]:
    """A colour for each layer, in order, over and over."""
    return {name: LAYERS[k % len(LAYERS)] for k, name in enumerate(dict.fromkeys(names))}


def drawing(width: float, height: float, parts: Iterable[str], title: str = "") -> str:
    """A whole drawing, in pixels; where it stands in a page, it shrinks to the width there is."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="system-ui,sans-serif" font-size="11" role="img">'
    )
    name = [f"<title>{markup(title)}</title>"] if title else []
    return "\n".join([head, *name, *parts, "</svg>"]) + "\n"


def rect(x: float, y: float, width: float, height: float, fill: str, tip: str = "", more: str = "") -> str:
    """A box; `tip` is shown when the mouse is on it.

    >>> rect(1, 2, 3, 4, "red")
    '<rect x="1.0" y="2.0" width="3.0" height="4.0" fill="red"/>'
    """
    shape = f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"{_spaced(more)}'
    return f"{shape}><title>{markup(tip)}</title></rect>" if tip else f"{shape}/>"


def circle(x: float, y: float, radius: float, fill: str, tip: str = "", more: str = "") -> str:
    """A disc."""
    shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}"{_spaced(more)}'
    return f"{shape}><title>{markup(tip)}</title></circle>" if tip else f"{shape}/>"


def label(x: float, y: float, text: str, anchor: str = "start", more: str = "") -> str:
    """Words, with (x, y) at the start, middle or end of their baseline."""
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{side}{_spaced(more)}>{markup(text)}</text>'


def line(x0: float, y0: float, x1: float, y1: float, stroke: str = "#999", more: str = "") -> str:
    """A straight line."""
    return f'<path d="M{x0:.1f} {y0:.1f} L{x1:.1f} {y1:.1f}" stroke="{stroke}" fill="none"{_spaced(more)}/>'


def link(target: str, shape: str) -> str:
    """A shape that leads to another place of the page."""
    return f'<a href="#{markup(target)}">{shape}</a>'


def cut(text: str, width: float, character: float = 6.0) -> str:
    """As much of a text as fits into a width in pixels; "" if that is not worth reading.

    >>> cut("conv1.conv+pool1", 60), cut("conv1", 60), cut("conv1", 10)
    ('conv1.co..', 'conv1', '')
    """
    room = int(width / character)
    if len(text) <= room:
        return text
    return f"{text[: room - 2]}.." if room >= 5 else ""


def _spaced(more: str) -> str:
    return f" {more}" if more else ""


CELL = "padding:.15em .7em;border-bottom:1px solid #ddd;white-space:nowrap;text-align:"
MONO = "font-family:ui-monospace,monospace;font-size:12px"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], right: Container[int] = ()) -> str:
    """A table; columns in `right` are aligned to the right.

    >>> table([], [["a<b", "2"]], right=[1]).count("a&lt;b")
    1
    """

    def line(cells: Sequence[str], tag: str) -> str:
        sides = ["right" if k in right else "left" for k in range(len(cells))]
        inner = [f'<{tag} style="{CELL}{side}">{markup(cell)}</{tag}>' for cell, side in zip(cells, sides, strict=True)]
        return f"<tr>{''.join(inner)}</tr>"

    head = f"<thead>{line(header, 'th')}</thead>" if header else ""
    body = "".join(line(row, "td") for row in rows)
    return f'<table style="border-collapse:collapse">{head}<tbody>{body}</tbody></table>'


def titled(title: str, *parts: str) -> str:
    """Parts below a title, scrolled where they are too wide."""
    return f'<div style="overflow-x:auto"><p><b>{markup(title)}</b></p>{"".join(parts)}</div>'


def folded(summary: str, part: str, unfolded: bool = False) -> str:
    """A part that a click on its summary shows or hides; no script is needed for it."""
    return f"<details{' open' if unfolded else ''}><summary>{markup(summary)}</summary>{part}</details>"


def fixed(text: str) -> str:
    """Text whose columns are aligned."""
    return f'<pre style="{MONO};line-height:1.35;overflow-x:auto">{markup(text)}</pre>'


def progress(done: float | None, text: str) -> str:
    """A bar of which the share `done` is full, None for no bar, and a text beside it.

    >>> progress(0.5, "half")
    '<div><progress value="0.5000" max="1" style="width:20em"></progress> half</div>'
    """
    bar = (
        "" if done is None else f'<progress value="{min(max(done, 0), 1):.4f}" max="1" style="width:20em"></progress> '
    )
    return f"<div>{bar}{markup(text)}</div>"


COLOURS = ("#1f6fb4", "#d9662b", "#2e9e5b", "#8a5cc2", "#b3393f", "#7a6a4f", "#c25c9a", "#4d4d4d")
DASHES = ("", "7 3", "2 3")
"""Dashes of curves with the first colours, then with the same colours again."""
LEFT, RIGHT, TOP, BOTTOM, WIDTH, HEIGHT, LINE = 72, 24, 34, 44, 640, 240, 16
"""Margins around a plotting area, its size, and the height of a line of the legend; pixels."""
GAP = 10
"""Between the name of the axis and the legend; pixels."""

MAX_NAMED, CHARACTER = 12, 6.2
"""Curves of a chart with a legend; pixels of a character there."""

Series = Mapping[int, float]


@record
class Curve:
    """A line of a chart; `faint` is drawn behind it, thin, for the values before filtering."""

    label: str
    values: Series
    faint: Series | None = None


@record
class Area:
    """A plotting area: the ranges of its axes, and its upper edge in the picture."""

    x: tuple[float, float]
    y: tuple[float, float]
    top: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The position of a point in pixels."""
        right = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + right * WIDTH, self.top + (1 - up) * HEIGHT


def to_svg(charts: Mapping[str, Sequence[Curve]]) -> str:
    """An SVG with the charts one below the other, by title."""
    parts: list[str] = []
    top = 0.0
    for title, curves in charts.items():
        parts += _chart(title, curves, top)
        legend = GAP + LINE * -(-len(curves) // _across(curves)) if _has_legend(curves) else 0
        top += TOP + HEIGHT + BOTTOM + legend
    width = LEFT + WIDTH + RIGHT
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top:.0f}" viewBox="0 0 {width} {top:.0f}" '
        'font-family="sans-serif" font-size="11">'
    )
    return "\n".join([head, f'<rect width="{width}" height="{top:.0f}" fill="white"/>', *parts, "</svg>"]) + "\n"


def _has_legend(curves: Sequence[Curve]) -> bool:
    """One curve needs none, and many have none: the mouse on one shows its name."""
    return 1 < len(curves) <= MAX_NAMED


def _across(curves: Sequence[Curve]) -> int:
    """Columns of the legend."""
    longest = max(len(curve.label) for curve in curves)
    return max(1, int(WIDTH / (44 + CHARACTER * longest)))


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers within a range, at least two.

    >>> ticks(0.0, 10000.0)
    [0.0, 2000.0, 4000.0, 6000.0, 8000.0, 10000.0]
    >>> ticks(0.913, 0.988)
    [0.92, 0.94, 0.96, 0.98]
    """
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _chart(title: str, curves: Sequence[Curve], top: float) -> list[str]:
    drawn = [(c, points(c.values), points(c.faint or {})) for c in curves]
    area = _area([xy for _, *both in drawn for xy in both if len(xy)], top + TOP)
    many = f", {len(curves)} curves: point at one for its name" if len(curves) > MAX_NAMED else ""
    words = markup(f"{title}{many}")
    parts = [f'<text x="{LEFT}" y="{top + TOP - 12:.0f}" font-size="13" font-weight="bold">{words}</text>']
    if area is None:
        return [*parts, f'<text x="{LEFT}" y="{top + TOP + 20:.0f}">no finite values</text>']
    parts += _axes(area)
    across = _across(curves)
    for k, (curve, strong, faint) in enumerate(drawn):
        colour, dashes = COLOURS[k % len(COLOURS)], DASHES[k // len(COLOURS) % len(DASHES)]
        style = f'stroke-width="1.8" stroke-dasharray="{dashes}"' if dashes else 'stroke-width="1.8"'
        parts += _line(area, faint, colour, 'stroke-width="1" opacity="0.3"')
        parts += _line(area, strong, colour, style, curve.label)
        if _has_legend(curves):
            x, y = LEFT + k % across * WIDTH / across, area.top + HEIGHT + BOTTOM + GAP + LINE * (k // across)
            parts.append(f'<path d="M{x:.0f} {y - 4:.0f} h20" stroke="{colour}" {style}/>')
            parts.append(f'<text x="{x + 28:.0f}" y="{y:.0f}">{markup(curve.label)}</text>')
    return parts


def points(series: Series) -> np.ndarray:
    """(n, 2) of iteration and value, sorted, finite values only."""
    rows = [(i, v) for i, v in sorted(series.items()) if math.isfinite(v)]
    return np.array(rows, float).reshape(-1, 2)


def _area(lines: Sequence[np.ndarray], top: float) -> Area | None:
    if not lines:
        return None
    every = np.concatenate(lines)
    (x0, y0), (x1, y1) = every.min(axis=0), every.max(axis=0)
    if x1 == x0:
        x0, x1 = x0 - 1, x1 + 1
    margin = 0.04 * (y1 - y0) or max(abs(y0), 1.0) / 2
    return Area((float(x0), float(x1)), (float(y0 - margin), float(y1 + margin)), top)


def _axes(a: Area) -> list[str]:
    bottom = a.top + HEIGHT
    parts = [
        f'<rect x="{LEFT}" y="{a.top:.0f}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>',
        f'<text x="{LEFT + WIDTH / 2:.0f}" y="{bottom + 32:.0f}" text-anchor="middle">iteration</text>',
    ]
    for x in ticks(*a.x):
        px = a.at(x, a.y[0])[0]
        parts.append(f'<path d="M{px:.1f} {bottom:.0f} v5" stroke="#999"/>')
        parts.append(f'<text x="{px:.1f}" y="{bottom + 17:.0f}" text-anchor="middle">{x:g}</text>')
    for y in ticks(*a.y):
        py = a.at(a.x[0], y)[1]
        parts.append(f'<path d="M{LEFT} {py:.1f} h{WIDTH}" stroke="#999" opacity="0.25"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{py + 4:.1f}" text-anchor="end">{y:g}</text>')
    return parts


def _line(a: Area, xy: np.ndarray, colour: str, style: str, name: str = "") -> list[str]:
    if not len(xy):
        return []
    pixels = [a.at(x, y) for x, y in xy]
    if len(pixels) == 1:
        x, y = pixels[0]
        return [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>']
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in pixels)
    inside = f"><title>{markup(name)}</title></polyline>" if name else "/>"
    return [f'<polyline points="{path}" fill="none" stroke="{colour}" {style}{inside}']
