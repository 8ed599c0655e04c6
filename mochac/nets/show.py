"""A net shown as Python source, as a table, and as an SVG drawing.

Python source is the constructor calls that create layers, nets and solvers, without default values; `mochac convert`
writes imported nets with it. It works for any record with fields.

A drawing has a box per layer and a line per blob read; notebooks and `mochac draw` show it (Net.to_svg), and no other
program is needed. base/drawing/layout.py computes the positions.
"""

from __future__ import annotations

import json
import keyword
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from math import prod
from typing import Any, Protocol

import numpy as np

from mochac.base.drawing.layout import Layout, Wire, layout
from mochac.base.escaping import dot_label, dot_string, markup
from mochac.base.records import record
from mochac.ir.types import TensorType
from mochac.nets.declared import ParamInfo, StateInfo
from mochac.nets.layers.base import Layer, Parametric
from mochac.nets.layers.config import UNSET, Config
from mochac.nets.layers.fields import spelled
from mochac.nets.layers.neurons import Identity
from mochac.nets.solvers.policy import Stages

WIDTH = 110
TAKEN = {
    "check_gradients", "compile", "dump", "explain", "ir", "mochac", "net", "np", "passes", "program", "solver", "test",
    "test_net", "testing",
}  # fmt: skip
"""Names that scripts use; public names of mochac in capitals cannot be names of layers."""


def expression(value: Any) -> str:
    """A Python expression that evaluates to `value`.

    >>> from mochac.nets.layers.neurons import Neurons
    >>> expression({"kernel": (5, 5), "neuron": Neurons.ReLU()}["neuron"]), expression((5, 5))
    ('Neurons.ReLU()', '(5, 5)')
    """
    if isinstance(value, Stages):
        return f"{type(value).__qualname__}({', '.join(map(expression, value.stages))})"
    if is_dataclass(value) and not isinstance(value, type):
        return _call(_name(type(value)), list(_arguments(value)))
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{expression(k)}: {expression(v)}' for k, v in value.items())}}}"
    if isinstance(value, list) or (isinstance(value, tuple) and any(isinstance(v, tuple) for v in value)):
        return f"[{', '.join(map(expression, value))}]"
    if isinstance(value, tuple):
        inner = ", ".join(map(expression, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def statement(name: str, value: Any) -> str:
    """An assignment, wrapped if it is long."""
    line = f"{name} = {expression(value)}"
    if len(line) <= WIDTH or not is_dataclass(value):
        return line
    return _wrapped(f"{name} = {_name(type(value))}(", list(_arguments(value)), ")")


def list_statement(head: str, names: Sequence[str], tail: str) -> str:
    """`head` name, name, ... `tail`, wrapped if it is long."""
    line = head + ", ".join(names) + tail
    return line if len(line) <= WIDTH else _wrapped(head, names, tail)


def variables(names: Sequence[str], taken: Collection[str]) -> list[str]:
    """Python names for layers: close to the layer names, distinct from one another and from `taken`.

    >>> variables(["inception/1x1", "Net", "3x3", "inception_1x1"], {"net"})
    ['inception_1x1', 'net_layer', 'layer_3x3', 'inception_1x1_2']
    """
    chosen: list[str] = []
    for name in names:
        new = re.sub(r"\W", "_", name, flags=re.ASCII).lower()
        new = f"layer_{new}" if new[:1].isdigit() or not new else new
        if keyword.iskeyword(new) or new in taken:
            new += "_layer"
        base, k = new, 2
        while new in chosen or new in taken:
            new, k = f"{base}_{k}", k + 1
        chosen.append(new)
    return chosen


def _arguments(value: Any) -> Iterator[str]:
    """Fields with values other than their defaults, as keyword arguments; those of policies by position."""
    by_position = type(value).__qualname__.startswith(("LRPolicy.", "MomPolicy."))
    for f in fields(value):
        content = getattr(value, f.name)
        if not f.init or (f.name != "name" and _is_default(value, f, content)):
            continue
        text = _names(content) if f.name in ("bottoms", "tops") else expression(content)
        yield text if by_position else f"{f.name}={text}"


def _is_default(value: Any, f: Any, content: Any) -> bool:
    if isinstance(value, Layer) and f.name in ("bottoms", "tops"):
        unset = value.default_tops() if f.default is UNSET and f.name == "tops" else f.default
        unset = () if unset in (UNSET, MISSING) else unset
        return tuple(content) == tuple(unset)
    default = f.default_factory() if f.default_factory is not MISSING else f.default
    if default is MISSING or isinstance(content, np.ndarray) or isinstance(default, np.ndarray):
        return False
    return type(content) is type(default) and content == default


def _names(blobs: Sequence[str]) -> str:
    return f"[{', '.join(map(expression, blobs))}]"


def _name(cls: type) -> str:
    """A class as users write it: within its namespace (Neurons.ReLU) if it has one."""
    if "." in cls.__qualname__ or not issubclass(cls, Config):
        return _prefix(cls) + cls.__qualname__
    return _prefix(cls) + spelled(cls)


def _prefix(cls: type) -> str:
    return "mochac.caffe." if ".caffe." in cls.__module__ else ""


def _array(value: np.ndarray) -> str:
    """An array as source: np.full for equal elements, else all elements."""
    first = value.reshape(-1)[:1]
    if value.size > 16 and (value == first).all():
        filled = f"full({value.shape}, {first[0].item()!r}" if first.any() else f"zeros({value.shape}"
        return f"np.{filled}, np.{value.dtype})"
    return f"np.array({value.tolist()})"


def _call(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({', '.join(arguments)})"


def _wrapped(head: str, parts: Sequence[str], tail: str) -> str:
    lines, row = [head], "   "
    for part in parts:
        if len(row) + len(part) + 2 > WIDTH and row.strip():
            lines.append(row)
            row = "   "
        row += f" {part},"
    return "\n".join([*lines, row, tail])


DASHED = " [style=dashed]"


class Drawable(Protocol):
    """The attributes of a Net that text and drawings show; Net documents them."""

    @property
    def name(self) -> str: ...
    @property
    def layers(self) -> Sequence[Layer]: ...
    @property
    def tops(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def blobs(self) -> Mapping[str, TensorType]: ...
    @property
    def params(self) -> Sequence[ParamInfo]: ...
    @property
    def states(self) -> Sequence[StateInfo]: ...


def to_text(net: Drawable) -> str:
    """One block per layer: type, name, neuron, blobs with shapes, parameters."""
    count = sum(prod(p.shape) for p in net.params)
    lines = ["*" * 60, f"          NAME: {net.name}", f"  ARCHITECTURE: {len(net.layers)} layers, {count} parameters"]
    for layer in net.layers:
        lines += ["." * 60, f" *** {layer.kind}({layer.name}){neuron_of(layer)}"]
        lines += [f"    Input  {_blob(net, b)}" for b in layer.reads]
        lines += [f"    Output {_blob(net, t)}" for t in tops_of(net, layer)]
        lines += [f"    Param  {_param(p, layer)}" for p in net.params if layer.name in p.sharers]
        lines += [f"    State  {_param(s, layer)}" for s in net.states if layer.name in s.sharers]
        lines += [f"    Uses   parameters {key!r}" for key in layer.borrowed_keys]
    return "\n".join([*lines, "*" * 60])


def _param(p: ParamInfo | StateInfo, layer: Layer) -> str:
    others = [f"{name!r}" for name in p.sharers if name != layer.name]
    return f"{p.key}.{p.name}: {size(p.shape)}" + (f", shared with {', '.join(others)}" if others else "")


def to_dot(net: Drawable) -> str:
    """Layers as records with a port per blob; an edge from each blob to each of its readers, dashed for parameters."""
    lines = [f"digraph {dot_string(net.name)} {{", "  rankdir = BT;", '  node [shape=record,fontname="Fira Mono"];']
    makers: dict[str, str] = {}
    owners: dict[str, str] = {}
    edges = []
    for k, layer in enumerate(net.layers):
        lines.append(f"  {_record(net, k, layer)}")
        for j, blob in enumerate(layer.reads, 1):
            edges.append(f"  {makers[blob]} -> layer{k}:b{j}{DASHED if j > len(layer.bottoms) else ''};")
        edges += [f"  {owners[key]} -> layer{k}{DASHED};" for key in layer.borrowed_keys if key in owners]
        if isinstance(layer, Parametric):
            owners.setdefault(layer.key, f"layer{k}")
        makers.update({t: f"layer{k}:t{j}" for j, t in enumerate(tops_of(net, layer), 1)})
    return "\n".join([*lines, *edges, "}"]) + "\n"


def tops_of(net: Drawable, layer: Layer) -> tuple[str, ...]:
    """The blobs that a layer actually makes in this net."""
    return net.tops[layer.name]


def _record(net: Drawable, k: int, layer: Layer) -> str:
    ports = [("t", "top", tops_of(net, layer)), ("b", "bot", layer.reads)]
    used = [(letter, word, blobs) for letter, word, blobs in ports if blobs]
    words = "|".join(f"{word}:" for _, word, _ in used)
    rows = "|".join(
        "{" + "|".join(f"<{letter}{j}> {_port(net, b)}" for j, b in enumerate(blobs, 1)) + "}"
        for letter, _, blobs in used
    )
    title = f"{dot_label(layer.kind)}\\n{dot_label(layer.name)}" + (
        f"\\n{neuron_of(layer).strip()}" if neuron_of(layer) else ""
    )
    return f'layer{k} [label="{title}|{{{words}}}|{{{rows}}}"];'


def _port(net: Drawable, blob: str) -> str:
    return f"{dot_label(blob)} ({size(net.blobs[blob].shape)})"


def _blob(net: Drawable, blob: str) -> str:
    return f"{blob}: Blob({size(net.blobs[blob].shape)})"


def size(shape: tuple[int, ...]) -> str:
    """A shape as Mocha prints it: 64 x 1 x 28 x 28."""
    return " x ".join(map(str, shape)) or "scalar"


def neuron_of(layer: Layer) -> str:
    """The layer's neuron as " (ReLU)", or "" for none."""
    neuron = getattr(layer, "neuron", Identity())
    return "" if isinstance(neuron, Identity) else f" ({type(neuron).__name__})"


CHAR, LINE, PAD, MARGIN, MIN_WIDTH = 6.3, 15, 12, 18, 96
"""Width of a character, height of a line, padding of a box, margin of the drawing, minimum width of a box; pixels."""

Way = tuple[tuple[float, float, float], ...]
"""Points (x, upper y, lower y) that a line passes through."""

FILLS = {"source": "#e3f0dc", "parameter": "#fdf3d0", "judge": "#fbe4d8", "output": "#ece4f5", "layer": "#e6edf6"}


@record
class Line:
    """A blob, or parameters, on the way from one layer to another. Layers are positions in net.layers.

    Attributes:
        slot: number of the target's bottom.
        dashed: it carries parameters.
    """

    source: int
    target: int
    blob: str
    slot: int
    dashed: bool


def to_svg(net: Drawable) -> str:
    """Layers in rows by level, data layers on top; boxes show the blobs that layers make, dashed lines parameters."""
    lines = _lines(net)
    keys = {blob: k for k, blob in enumerate(dict.fromkeys((e.source, e.blob) for e in lines))}
    wires = [Wire(s, tuple(dict.fromkeys(e.target for e in lines if (e.source, e.blob) == (s, b)))) for s, b in keys]
    words = [_words(net, layer) for layer in net.layers]
    sizes = [(max(MIN_WIDTH, max(map(len, w)) * CHAR + 2 * PAD), len(w) * LINE + PAD) for w in words]
    places = layout(sizes, wires, MARGIN)
    ways = {e: places.passes[keys[e.source, e.blob], e.target] for e in lines}
    parts = [_line(net, e, ways, places, sizes) for e in lines]
    parts += [_box(layer, words[k], places.centres[k], sizes[k]) for k, layer in enumerate(net.layers)]
    extent = f"{places.width:.0f} {places.height:.0f}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{places.width:.0f}" height="{places.height:.0f}" '
        f'viewBox="0 0 {extent}" font-family="sans-serif" font-size="11" text-anchor="middle">'
        f"<title>{markup(net.name)}</title>"
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def _lines(net: Drawable) -> list[Line]:
    makers: dict[str, int] = {}
    owners: dict[str, int] = {}
    lines: list[Line] = []
    for k, layer in enumerate(net.layers):
        plain = len(layer.bottoms)
        lines += [Line(makers[b], k, b, slot, slot >= plain) for slot, b in enumerate(layer.reads)]
        borrowed = [key for key in layer.borrowed_keys if key in owners]
        lines += [Line(owners[key], k, f"{key}.", len(layer.reads) + j, True) for j, key in enumerate(borrowed)]
        makers.update(dict.fromkeys(tops_of(net, layer), k))
        if isinstance(layer, Parametric):
            owners.setdefault(layer.key, k)
    return lines


def _words(net: Drawable, layer: Layer) -> list[str]:
    """The text in a layer's box: name, type, the blobs it makes, the layers it shares parameters with."""
    words = [layer.name, layer.kind + neuron_of(layer)]
    for top in tops_of(net, layer):
        words.append(size(net.blobs[top].shape) if top == layer.name else f"{top}: {size(net.blobs[top].shape)}")
    uses = Counter(other.key for other in net.layers if isinstance(other, Parametric))
    if isinstance(layer, Parametric) and uses[layer.key] > 1:
        words.append(f"parameters {layer.key!r}")
    return words


def _line(
    net: Drawable, e: Line, ways: Mapping[Line, Way], places: Layout, sizes: Sequence[tuple[float, float]]
) -> str:
    """A curve from the bottom of the source, straight past the boxes of the rows between, to the top of the target."""
    (sx, sy), (tx, ty) = places.centres[e.source], places.centres[e.target]
    x, y = sx + _share(_tops(net, e), e.blob, sizes[e.source][0]), sy + sizes[e.source][1] / 2
    slots = sorted((o for o in ways if o.target == e.target), key=lambda o: (_comes_from(o, ways, places), o.slot))
    end = tx + _share(slots, e, sizes[e.target][0])
    path = [f"M{x:.1f} {y:.1f}"]
    for px, top, bottom in (*ways[e], (end, ty - sizes[e.target][1] / 2, None)):
        middle = (y + top) / 2
        path.append(f"C{x:.1f} {middle:.1f} {px:.1f} {middle:.1f} {px:.1f} {top:.1f}")
        x, y = px, top if bottom is None else bottom
        path += [] if bottom is None else [f"L{x:.1f} {y:.1f}"]
    dash = ' stroke-dasharray="4 3"' if e.dashed else ""
    curve = f'<path d="{" ".join(path)}" fill="none" stroke="#7a8ba0"{dash}/>'
    if len(_tops(net, e)) < 2:
        return curve
    return f'{curve}<text x="{x + 3:.1f}" y="{y - 5:.1f}" text-anchor="start" fill="#456">{markup(e.blob)}</text>'


def _comes_from(e: Line, ways: Mapping[Line, Way], places: Layout) -> float:
    """The x of a line in the row above its target; lines enter a box in this order."""
    return ways[e][-1][0] if ways[e] else places.centres[e.source][0]


def _tops(net: Drawable, e: Line) -> list[str]:
    """Names at the start of a line: blobs of the source, or parameters that others borrow."""
    tops = tops_of(net, net.layers[e.source])
    return list(tops) if e.blob in tops else [e.blob]


def _share(every: Sequence[object], one: object, width: float) -> float:
    """Offset from the centre of a box's edge, for lines spaced evenly along it."""
    return ((list(every).index(one) + 1) / (len(every) + 1) - 0.5) * width


def _box(layer: Layer, words: Sequence[str], centre: tuple[float, float], extent: tuple[float, float]) -> str:
    (x, y), (width, height) = centre, extent
    parts = [
        f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}" rx="5" '
        f'fill="{FILLS[_role(layer)]}" stroke="#567"/>'
    ]
    for k, word in enumerate(words):
        style = ' font-weight="bold"' if k == 0 else "" if k == 1 else ' fill="#456"'
        parts.append(f'<text x="{x:.1f}" y="{y - height / 2 + LINE * (k + 1) + 2:.1f}"{style}>{markup(word)}</text>')
    return "".join(parts)


def _role(layer: Layer) -> str:
    if layer.is_source:
        return "source"
    if layer.is_loss or layer.is_statistic:
        return "judge"
    if not layer.reads:
        return "parameter"
    return "output" if layer.is_collector else "layer"
