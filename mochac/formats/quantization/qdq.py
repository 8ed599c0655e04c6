"""with_quantization: a float graph in which every value to be held in integers is quantized and dequantized.

    %y = relu(..)   ->   %y.exact = relu(..)
                         %y.q: i8 = quantize(%y.exact) {scale, zero}
                         %y = dequantize(%y.q) {scale, zero}

real = scale * (q - zero), by 8-bit integers q. The zero of activations may be any integer of the range; that of weights
is 0, and they have a scale per filter. Weights and biases of products become dequantize of constant integers. This is
the form of quantized ONNX models (QDQ); integers.py turns it into a graph that computes in integers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from mochac.base.records import record
from mochac.formats.quantization.roles import Roles, WithConstants, roles_of
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Graph, Node, Value, make_attrs
from mochac.ir.op import OPS
from mochac.ir.types import DTYPES, TensorType

WEIGHT_LARGEST = 127
"""Weights are -127..127, symmetric around 0."""
MULTIPLIER_BITS, SUM_BITS = 31, 21
"""Bits of the multiplier of a sum of products, and of the two multipliers of an addition: 2 * 255 * 2^21 < 2^31."""
MAX_SHIFT = 62
MIN_SCALE = 2.0**-100
"""The product of two such scales is still a 32-bit float, though a subnormal one."""
MAX_BIAS = 2**30 - 2**10
"""A quarter of the range of i32, minus room for the rounding of a scale."""


@record
class LinearScale:
    """real = scale * (q - zero) for integers q of a dtype."""

    scale: float
    zero: int
    dtype: str

    @property
    def limits(self) -> tuple[int, int]:
        """The smallest and the largest integer."""
        info = np.iinfo(DTYPES[self.dtype])
        return int(info.min), int(info.max)

    def whole(self, real: float) -> int:
        """The integer nearest to a real number, within the limits."""
        low, high = self.limits
        return int(min(max(self.zero + round(real / self.scale), low), high))


def scale_for(low: float, high: float, dtype: str) -> LinearScale:
    """The scale with which integers cover low .. high, and 0.0 exactly.

    >>> scale_for(0.0, 2.55, "u8"), scale_for(-1.0, 1.55, "i8").zero
    (LinearScale(scale=0.009999999776482582, zero=0, dtype='u8'), -28)
    """
    low, high = min(low, 0.0), max(high, 0.0)
    info = np.iinfo(DTYPES[dtype])
    width = (high - low) / (info.max - info.min) or 1.0
    scale = float(np.float32(max(width, MIN_SCALE)))
    zero = min(max(round(info.min - low / scale), info.min), info.max)
    return LinearScale(scale, int(zero), dtype)


def weight_scales(weight: np.ndarray, bias: np.ndarray | None, input_scale: float) -> np.ndarray:
    """A float32 scale for each filter (axis 0 of the weight). It is larger if the bias would not fit 31 bits."""
    largest = np.abs(weight.reshape(len(weight), -1)).max(axis=1, initial=0.0).astype(np.float64)
    scales = largest / WEIGHT_LARGEST
    if bias is not None:
        scales = np.maximum(scales, np.abs(bias.astype(np.float64)) / input_scale / MAX_BIAS)
    return np.where(scales > 0, np.maximum(scales, MIN_SCALE), 1.0).astype(np.float32)


def quantized_weight(weight: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The weight as integers of 8 bits; halves are rounded to even ones."""
    along = scales.astype(np.float64).reshape(-1, *(1 for _ in weight.shape[1:]))
    return np.clip(np.rint(weight / along), -WEIGHT_LARGEST, WEIGHT_LARGEST).astype(np.int8)


def quantized_bias(bias: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The bias as integers of 32 bits."""
    limits = np.iinfo(np.int32)
    return np.clip(np.rint(bias / scales.astype(np.float64)), limits.min, limits.max).astype(np.int32)


def fixed_point(factor: float) -> tuple[int, int]:
    """(multiplier, shift): factor is about multiplier / 2^shift, with 31 bits, for `requantize`.

    >>> fixed_point(0.5), fixed_point(0.75)
    ((1073741824, 31), (1610612736, 31))
    """
    mantissa, exponent = math.frexp(factor)
    multiplier, shift = round(mantissa * 2**MULTIPLIER_BITS), MULTIPLIER_BITS - exponent
    if multiplier == 2**MULTIPLIER_BITS:
        multiplier, shift = multiplier // 2, shift - 1
    if shift > MAX_SHIFT:
        multiplier, shift = multiplier >> min(MULTIPLIER_BITS, shift - MAX_SHIFT), MAX_SHIFT
    if shift < 1:
        multiplier, shift = 2**MULTIPLIER_BITS - 1, 1
    return multiplier, shift


def fixed_points(factors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Multipliers and shifts of several factors, as i32."""
    pairs = [fixed_point(float(f)) for f in factors.ravel()]
    multipliers, shifts = (np.array([pair[k] for pair in pairs], np.int32).reshape(factors.shape) for k in (0, 1))
    return multipliers, shifts


def sum_factors(first: float, second: float) -> tuple[int, int, int]:
    """(m, n, shift): first is about m / 2^shift and second n / 2^shift, so small that m * a + n * b fits 32 bits for
    differences a, b of 8-bit integers.

    >>> sum_factors(1.0, 0.5)
    (1048576, 524288, 20)
    """
    _, exponent = math.frexp(max(first, second))
    shift = min(max(SUM_BITS - exponent, 1), MAX_SHIFT)
    most = 2**SUM_BITS - 1
    return min(round(first * 2**shift), most), min(round(second * 2**shift), most), shift


Ranges = Mapping[str, tuple[float, float]]
"""The smallest and the largest number of values, by name."""


@record
class Quantized:
    """A graph with quantize and dequantize, its constants, and the scales of its values.

    Attributes:
        scales: scales of integer values, by their names in the float graph.
    """

    graph: Graph
    arrays: Mapping[str, np.ndarray]
    scales: Mapping[str, LinearScale]
    roles: Roles


def with_quantization(source: WithConstants, ranges: Ranges, dtype: str) -> Quantized:
    """The graph with quantize and dequantize.

    Args:
        ranges: ranges of all values that roles_of(source) makes integers.
        dtype: type of activations, "i8" or "u8".
    """
    roles = roles_of(source)
    return _Writer(source, roles, shared_scales(roles, ranges, dtype)).written()


def shared_scales(roles: Roles, ranges: Ranges, dtype: str) -> dict[str, LinearScale]:
    """A scale for each integer value; values that are connected by nodes with the role "move" share one."""
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
    def __init__(self, source: WithConstants, roles: Roles, scales: Mapping[str, LinearScale]) -> None:
        self.source, self.roles, self.scales = source, roles, scales
        self.b = GraphBuilder(source.graph.name)
        self.arrays: dict[str, np.ndarray] = {}
        self.values: dict[str, Value] = {}
        self.weights: dict[tuple[str, ...], tuple[Value, ...]] = {}
        self.taken = set(source.graph.types())

    def written(self) -> Quantized:
        graph = self.source.graph
        for i in graph.inputs:
            if i.role != "const":
                self.values[i.name] = self.b.input(i.name, i.type, i.role)
                if i.name in self.scales:
                    self.values[i.name] = self._through_integers(self.values[i.name], i.name, f"{i.name}.d")
        for node in graph.nodes:
            with self.b.at(*node.loc):
                self._node(node)
        result = self.b.finish(graph.outputs).with_(updates=graph.updates, notes=graph.notes)
        return Quantized(result, self.arrays, self.scales, self.roles)

    def _node(self, node: Node) -> None:
        out = node.outputs[0].name
        if self.roles.role.get(out) == "product":
            x = self.values[node.inputs[0]]
            inputs = (x, *self._weights(node.inputs, out))
        else:
            inputs = tuple(self._value(name) for name in node.inputs)
        quantized = out in self.scales
        names = tuple(f"{o.name}.exact" if quantized and o.name == out else o.name for o in node.outputs)
        self._append(node, inputs, names)
        for o, name in zip(node.outputs, names, strict=True):
            self.values[o.name] = self.b.values[name]
        if quantized:
            self.values[out] = self._through_integers(self.values[out], out, out)

    def _append(self, node: Node, inputs: tuple[Value, ...], names: tuple[str, ...]) -> None:
        types = OPS[node.op].infer(*(v.type for v in inputs), **node.attr)
        outputs = tuple(Value(name, t) for name, t in zip(names, types, strict=True))
        self.b.values |= {v.name: v for v in outputs}
        read = tuple(v.name for v in inputs)
        self.b.nodes.append(replace(node, inputs=read, outputs=outputs, attrs=make_attrs(node.attr)))

    def _value(self, name: str) -> Value:
        return self.values[name] if name in self.values else self._constant(name, self.source.arrays[name])

    def _constant(self, name: str, array: np.ndarray, dtype: str = "f32") -> Value:
        self.arrays[name] = array
        return self.b.input(name, TensorType(dtype, array.shape), "const")

    def _through_integers(self, x: Value, name: str, real: str) -> Value:
        scale = self.scales[name]
        how = {"scale": scale.scale, "zero": scale.zero}
        q = self.b.op("quantize", x, name=f"{name}.q", dtype=scale.dtype, **how)
        return self.b.op("dequantize", q, name=real, **how)

    def _weights(self, names: tuple[str, ...], out: str) -> tuple[Value, ...]:
        """The dequantized weight and bias of a product, named after `out`, the first product that has them."""
        x, weight, *biases = names
        scale = self.scales[x].scale
        key = (*names[1:], str(scale))
        if key not in self.weights:
            w = self.source.arrays[weight]
            bias = self.source.arrays[biases[0]] if biases else None
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
