"""A Net as an SVG picture: one row per level of computation, a box per layer, a curve per blob taken.

`mochac draw` calls it. No layout program is needed; crossings are what they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from mochac.frontend.net import Net
from mochac.layers.base import Layer

CHAR, LINE, PAD, GAP, RISE = 7.2, 16, 10, 24, 56
"""Width of a character, height of a line, inside and outside margins, height between rows; pixels."""


@dataclass(frozen=True)
class Box:
    """A layer's place; x, y is the upper left corner."""

    layer: Layer
    lines: tuple[str, ...]
    x: float
    y: float

    @property
    def width(self) -> float:
        return _width(self.lines)

    @property
    def height(self) -> float:
        return _height(self.lines)


def to_svg(net: Net) -> str:
    """SVG text."""
    boxes = _placed(net)
    width = max(b.x + b.width for b in boxes.values()) + GAP
    height = max(b.y + b.height for b in boxes.values()) + GAP
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
    style = 'font-family="monospace" font-size="12">'
    edges = [line for box in boxes.values() for line in _edges(net, box, boxes)]
    shapes = [line for box in boxes.values() for line in _drawn(box)]
    return "\n".join([f"{head} {style}", f"<title>{escape(net.name)}</title>", *edges, *shapes, "</svg>"]) + "\n"


def levels(net: Net) -> list[list[Layer]]:
    """Layers by the length of the longest path that leads to them."""
    level: dict[str, int] = {}
    rows: list[list[Layer]] = []
    for layer in net.layers:
        own = 1 + max((level[b] for b in layer.reads), default=-1)
        level.update(dict.fromkeys(net.tops[layer.name], own))
        rows += [[] for _ in range(own + 1 - len(rows))]
        rows[own].append(layer)
    return rows


def _placed(net: Net) -> dict[str, Box]:
    rows = [[(layer, _text(net, layer)) for layer in row] for row in levels(net)]
    widest = max(_row_width(row) for row in rows)
    boxes: dict[str, Box] = {}
    y = float(GAP)
    for row in rows:
        x = GAP + (widest - _row_width(row)) / 2
        for layer, lines in row:
            boxes[layer.name] = Box(layer, lines, x, y)
            x += _width(lines) + GAP
        y += max(_height(lines) for _, lines in row) + RISE
    return boxes


def _text(net: Net, layer: Layer) -> tuple[str, ...]:
    neuron = type(getattr(layer, "neuron", None)).__name__
    tail = "" if neuron in ("NoneType", "Identity") else f" + {neuron}"
    tops = [f"{top}: {'x'.join(map(str, net.blobs[top].shape))}" for top in net.tops[layer.name]]
    return (layer.name, layer.kind + tail, *tops)


def _width(lines: tuple[str, ...]) -> float:
    return max(map(len, lines)) * CHAR + 2 * PAD


def _height(lines: tuple[str, ...]) -> float:
    return len(lines) * LINE + PAD


def _row_width(row: list[tuple[Layer, tuple[str, ...]]]) -> float:
    return sum(_width(lines) for _, lines in row) + GAP * (len(row) - 1)


def _edges(net: Net, box: Box, boxes: dict[str, Box]) -> list[str]:
    """A curve from the maker of each bottom, and the blob's name where it enters."""
    made = {top: boxes[name] for name, tops in net.tops.items() for top in tops}
    lines = []
    for k, bottom in enumerate(box.layer.reads):
        source = made[bottom]
        x0, y0 = source.x + source.width / 2, source.y + source.height
        x1, y1 = box.x + box.width * (k + 1) / (len(box.layer.reads) + 1), box.y
        curve = f"M {x0:.1f} {y0:.1f} C {x0:.1f} {y0 + RISE / 2:.1f}, {x1:.1f} {y1 - RISE / 2:.1f}, {x1:.1f} {y1:.1f}"
        lines.append(f'<path d="{curve}" fill="none" stroke="#888"/>')
        lines.append(f'<text x="{x1 + 4:.1f}" y="{y1 - 6:.1f}" fill="#888">{escape(bottom)}</text>')
    return lines


def _drawn(box: Box) -> list[str]:
    fill = "#eef4ff" if box.layer.reads else "#eefaee"
    size = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    lines = [f'<rect {size} rx="4" fill="{fill}" stroke="#446"/>']
    for k, text in enumerate(box.lines):
        weight = ' font-weight="bold"' if k == 0 else ""
        at = f'x="{box.x + PAD:.1f}" y="{box.y + LINE * (k + 1):.1f}"'
        lines.append(f"<text {at}{weight}>{escape(text)}</text>")
    return lines
