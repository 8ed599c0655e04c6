"""A Net as text: for print(), and in Graphviz's dot language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Protocol

from mochac.base.escaping import dot_label, dot_string
from mochac.ir.types import TensorType
from mochac.nets.declared import ParamInfo, StateInfo
from mochac.nets.layers.base import Layer, Parametric
from mochac.nets.layers.neurons import Identity

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
