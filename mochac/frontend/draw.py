"""A Net as a picture: SVG with a box per layer and a labelled line per bottom, without any drawing program.

Net.to_svg calls it, for notebooks and `mochac draw`. It reads layers and blobs and changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mochac.frontend.show import neuron_of, size, tops_of

if TYPE_CHECKING:
    from mochac.frontend.net import Net

COLUMN, ROW, WIDTH, HEIGHT, MARGIN, BEND = 210, 96, 170, 44, 16, 150
"""Distances between boxes, size of a box, of the border and of a bend around boxes, in pixels."""


@dataclass(frozen=True)
class Edge:
    """A blob on its way from one layer to another, by their places in net.layers."""

    source: int
    target: int
    blob: str


def to_svg(net: Net) -> str:
    """Layers in rows by level, data layers on top; lines carry the blob's name and shape."""
    edges = _edges(net)
    centres = _centres(len(net.layers), edges)
    width = max(x for x, _ in centres) + BEND + WIDTH // 2
    height = max(y for _, y in centres) + HEIGHT // 2 + MARGIN
    parts = [_line(net, e, centres) for e in edges] + [_box(net, k, centres[k]) for k in range(len(net.layers))]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="11" text-anchor="middle"><title>{escaped(net.name)}</title>'
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def _edges(net: Net) -> list[Edge]:
    makers: dict[str, int] = {}
    edges = []
    for k, layer in enumerate(net.layers):
        edges += [Edge(makers[b], k, b) for b in dict.fromkeys(layer.reads)]
        makers.update(dict.fromkeys(tops_of(net, layer), k))
    return edges


def _centres(n: int, edges: list[Edge]) -> list[tuple[int, int]]:
    """Centre of each layer's box: one row below the lowest of its producers."""
    level = [0] * n
    for e in edges:  # targets ascend, so every producer's level is final
        level[e.target] = max(level[e.target], level[e.source] + 1)
    rows = [[k for k in range(n) if level[k] == row] for row in range(max(level) + 1)]
    widest = max(map(len, rows))
    centres = [(0, 0)] * n
    for row, members in enumerate(rows):
        left = MARGIN + WIDTH // 2 + (widest - len(members)) * COLUMN // 2
        for place, k in enumerate(members):
            centres[k] = (left + place * COLUMN, MARGIN + HEIGHT // 2 + row * ROW)
    return centres


def _line(net: Net, e: Edge, centres: list[tuple[int, int]]) -> str:
    (x0, y0), (x1, y1) = centres[e.source], centres[e.target]
    y0, y1 = y0 + HEIGHT // 2, y1 - HEIGHT // 2
    label = escaped(f"{e.blob} ({size(net.blobs[e.blob].shape)})")
    if y1 - y0 > ROW:  # past boxes: around them on the right
        side = max(x0, x1) + BEND
        path = f"M{x0} {y0} C{side} {y0 + ROW // 4} {side} {y1 - ROW // 4} {x1} {y1}"
        place = (x1 + side) // 2
    else:
        path = f"M{x0} {y0} C{x0} {y0 + ROW // 4} {x1} {y1 - ROW // 4} {x1} {y1}"
        place = (x0 + 3 * x1) // 4
    text = f'<text x="{place}" y="{y1 - 8}" fill="#456">{label}</text>'
    return f'<path d="{path}" fill="none" stroke="#89a"/>{text}'


def _box(net: Net, k: int, centre: tuple[int, int]) -> str:
    x, y = centre
    layer = net.layers[k]
    fill = "#e8f1e4" if layer.is_source else "#fbe9e0" if layer.is_loss or layer.is_statistic else "#e6edf6"
    return (
        f'<rect x="{x - WIDTH // 2}" y="{y - HEIGHT // 2}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="{fill}" '
        f'stroke="#567"/><text x="{x}" y="{y - 4}" font-weight="bold">{escaped(layer.name)}</text>'
        f'<text x="{x}" y="{y + 12}">{escaped(layer.kind + neuron_of(layer))}</text>'
    )


def escaped(text: str) -> str:
    """Text inside XML.

    >>> escaped('a<b & "c"')
    'a&lt;b &amp; &quot;c&quot;'
    """
    for special, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(special, entity)
    return text
