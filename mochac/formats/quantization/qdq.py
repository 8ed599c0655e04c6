"""with_quantization: a float graph in which every value that is to be held as integers goes through integers.

    %y = relu(..)   ->   %y.exact = relu(..)
                         %y.q: i8 = quantize(%y.exact) {scale, zero}
                         %y = dequantize(%y.q) {scale, zero}

Weights and biases of products become dequantize of constant integers. This is the form of ONNX's quantized models
(QDQ); integers.py makes a graph of it that computes in integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from mochac.base.records import record
from mochac.formats.quantization.roles import Roles, WithConstants, roles_of
from mochac.formats.quantization.scales import LinearScale, quantized_bias, quantized_weight, scale_for, weight_scales
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Graph, Node, Value, make_attrs
from mochac.ir.op import OPS
from mochac.ir.types import TensorType

Ranges = Mapping[str, tuple[float, float]]
"""The smallest and the largest number of values, by name."""


@record
class Quantized:
    """A graph with quantize and dequantize, its constants, and what its values are held as.

    Attributes:
        scales: of values that are held as integers, by their names in the float graph.
    """

    graph: Graph
    arrays: Mapping[str, np.ndarray]
    scales: Mapping[str, LinearScale]
    roles: Roles


def with_quantization(given: WithConstants, ranges: Ranges, dtype: str) -> Quantized:
    """The graph with quantize and dequantize.

    Args:
        ranges: of all values that roles_of(given) wants as integers.
        dtype: of activations, "i8" or "u8".
    """
    roles = roles_of(given)
    return _Writer(given, roles, shared_scales(roles, ranges, dtype)).written()


def shared_scales(roles: Roles, ranges: Ranges, dtype: str) -> dict[str, LinearScale]:
    """A scale for each value that is held as integers; one for all that nodes with the role "move" connect."""
    leader = {name: name for name in roles.whole}

    def find(name: str) -> str:
        while leader[name] != name:
            name = leader[name]
        return name

    for node in roles.graph.nodes:
        out = node.outputs[0].name
        if roles.role.get(out) == "move" and out in leader:
            for name in node.inputs[:1] if out in roles.limits else node.inputs:
                leader[find(name)] = find(out)
    limits: dict[str, tuple[float, float]] = {}
    for name in roles.whole:
        low, high = limits.get(find(name), (0.0, 0.0))
        limits[find(name)] = (min(low, ranges[name][0]), max(high, ranges[name][1]))
    return {name: scale_for(*limits[find(name)], dtype) for name in roles.whole}


class _Writer:
    def __init__(self, given: WithConstants, roles: Roles, scales: Mapping[str, LinearScale]) -> None:
        self.given, self.roles, self.scales = given, roles, scales
        self.b = GraphBuilder(given.graph.name)
        self.arrays: dict[str, np.ndarray] = {}
        self.values: dict[str, Value] = {}
        self.weights: dict[tuple[str, ...], tuple[Value, ...]] = {}
        self.taken = set(given.graph.types())

    def written(self) -> Quantized:
        graph = self.given.graph
        for i in graph.inputs:
            if i.role != "const":
                self.values[i.name] = self.b.input(i.name, i.type, i.role)
                if i.name in self.scales:
                    self.values[i.name] = self._through_integers(self.values[i.name], i.name, f"{i.name}.d")
        for node in graph.nodes:
            with self.b.at(*node.loc):
                self._node(node)
        made = self.b.finish(graph.outputs).with_(updates=graph.updates, notes=graph.notes)
        return Quantized(made, self.arrays, self.scales, self.roles)

    def _node(self, node: Node) -> None:
        out = node.outputs[0].name
        if self.roles.role.get(out) == "product":
            x = self.values[node.inputs[0]]
            inputs = (x, *self._weights(node.inputs, out))
        else:
            inputs = tuple(self._value(name) for name in node.inputs)
        held = out in self.scales
        names = tuple(f"{o.name}.exact" if held and o.name == out else o.name for o in node.outputs)
        self._append(node, inputs, names)
        for o, name in zip(node.outputs, names, strict=True):
            self.values[o.name] = self.b.values[name]
        if held:
            self.values[out] = self._through_integers(self.values[out], out, out)

    def _append(self, node: Node, inputs: tuple[Value, ...], names: tuple[str, ...]) -> None:
        types = OPS[node.op].infer(*(v.type for v in inputs), **node.attr)
        outputs = tuple(Value(name, t) for name, t in zip(names, types, strict=True))
        self.b.values |= {v.name: v for v in outputs}
        read = tuple(v.name for v in inputs)
        self.b.nodes.append(replace(node, inputs=read, outputs=outputs, attrs=make_attrs(node.attr)))

    def _value(self, name: str) -> Value:
        return self.values[name] if name in self.values else self._constant(name, self.given.arrays[name])

    def _constant(self, name: str, array: np.ndarray, dtype: str = "f32") -> Value:
        self.arrays[name] = array
        return self.b.input(name, TensorType(dtype, array.shape), "const")

    def _through_integers(self, x: Value, name: str, real: str) -> Value:
        scale = self.scales[name]
        how = {"scale": scale.scale, "zero": scale.zero}
        q = self.b.op("quantize", x, name=f"{name}.q", dtype=scale.dtype, **how)
        return self.b.op("dequantize", q, name=real, **how)

    def _weights(self, names: tuple[str, ...], out: str) -> tuple[Value, ...]:
        """The dequantized weight and bias of a product; `out` names those of the first product that has them."""
        x, weight, *biases = names
        scale = self.scales[x].scale
        key = (*names[1:], str(scale))
        if key not in self.weights:
            w = self.given.arrays[weight]
            bias = self.given.arrays[biases[0]] if biases else None
            scales = weight_scales(w, bias, scale)
            self.weights[key] = (self._dequantized(f"{out}.weight", quantized_weight(w, scales), scales),)
            if bias is not None:
                own = (scales.astype(np.float64) * scale).astype(np.float32)
                self.weights[key] += (self._dequantized(f"{out}.bias", quantized_bias(bias, own), own),)
        return self.weights[key]

    def _dequantized(self, name: str, whole: np.ndarray, scales: np.ndarray) -> Value:
        q = self._constant(self._free(f"{name}.q"), whole, "i8" if whole.dtype == np.int8 else "i32")
        return self.b.op("dequantize", q, self._constant(self._free(f"{name}.scales"), scales), name=name, axis=0)

    def _free(self, name: str) -> str:
        while name in self.taken or name in self.b.values:
            name += "_"
        self.taken.add(name)
        return name
