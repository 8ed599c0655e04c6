"""A net in integers, and its export as a model of ONNX.

qdq_model: a quantized net as an ONNX model with QuantizeLinear and DequantizeLinear.

This is the form that ONNX's tools make of float models: runtimes compute in integers what lies between these operators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.base.errors import UnsupportedError
from mochac.base.options import CompileOptions, Options
from mochac.base.records import record
from mochac.base.rules import real
from mochac.formats.onnx.export.graph import graph_nodes
from mochac.formats.onnx.export.save import model_of
from mochac.formats.quantization.integers import IntegerGraph, in_integers
from mochac.formats.quantization.qdq import Quantized, with_quantization
from mochac.formats.quantization.roles import WithConstants, constant_part, roles_of
from mochac.formats.quantization.samples import (
    WHOLE,
    CalibrationSamples,
    QuantizationLoss,
    Runner,
    losses_of,
    ranges_of,
    samples_of,
)
from mochac.ir.graph import STORED
from mochac.lowering.backends import open_backend
from mochac.lowering.plan_graphs import PlanGraph, meeting_layer, test_plan
from mochac.nets.declared import FeedInfo
from mochac.nets.net import Net
from mochac.nets.trace import Traced, trace
from mochac.runtime.data.params import Params
from mochac.training.session.plan_set import PlanSet

DTYPE = "float32"
"""Type of the float net."""
UNSIGNED = ("vnni", "madd", "smlad")
"""Instructions for products of bytes for which activations are u8; for others they are i8. Results are the same. Some
multiply unsigned bytes only, and as u8 the 0.0 of a ReLU is the integer 0."""
SINGLE = ("smlad",)
"""Instructions for one word at a time."""
MAX_AT_ONCE = 32
"""Batch size of calibration."""


@record
class QuantizedNet:
    """A net, and the ranges of its values.

    Attributes:
        outputs: blobs of the prediction.
        values: parameters and states, by graph input.
        products: the CPU's instructions for products of bytes (codegen/cpu/instructions.py); "": none.
        ranges: ranges of the integer values.
    """

    net: Net
    outputs: tuple[str, ...]
    values: Mapping[str, np.ndarray]
    seed: int
    products: str
    ranges: Mapping[str, tuple[float, float]]

    @property
    def dtype(self) -> str:
        """The dtype of activations."""
        return "u8" if self.products in UNSIGNED else "i8"

    def simulated(self, batch: int) -> tuple[Traced, Quantized]:
        """The float graph with quantize and dequantize."""
        traced, source, _ = _float_plan(self.net, self.outputs, self.values, self.seed, batch)
        return traced, with_quantization(source, self.ranges, self.dtype)

    def integers(self, batch: int) -> tuple[Traced, IntegerGraph]:
        """The graph in integers."""
        traced, quantized = self.simulated(batch)
        return traced, in_integers(quantized, bool(self.products), copies=self.products not in SINGLE)

    def plan(self, batch: int) -> tuple[Traced, PlanGraph, Mapping[str, np.ndarray]]:
        """The plan that predicts, and the arrays of its constants."""
        traced, integers = self.integers(batch)
        named = {blob: traced.blobs[blob] for blob in self.outputs}
        return traced, PlanGraph(integers.graph, {}, named, layout=False), integers.arrays


@record
class Calibrated:
    """A quantized net, and the accuracy that its predictions lose.

    Attributes:
        loss: QuantizationLoss of each output.
    """

    quantized: QuantizedNet
    samples: CalibrationSamples
    loss: tuple[QuantizationLoss, ...]


def calibrated(
    net: Net,
    outputs: Sequence[str],
    params: Params,
    values: Mapping[str, np.ndarray],
    data: Any,
    *,
    products: str = "",
    percentile: float = WHOLE,
    seed: int = 0,
    own_range: Callable[[FeedInfo], tuple[float, float] | None] = lambda feed: None,
) -> Calibrated:
    """Quantize a net by samples.

    Args:
        outputs: blobs of the prediction.
        values: parameters and states, by graph input.
        data: the samples; see samples_of.
        products: instructions for products of bytes of the CPU that the net will run on.
        percentile: see ranges_of.
        own_range: the range of an input whose samples need not be measured; None: measure them.

    Raises:
        as samples_of; UnsupportedError: samples meet in a layer; OptionError: the percentile is out of range.
    """
    percentile = real(above=50, most=WHOLE).check("percentile", percentile, "quantize")
    options = CompileOptions(backend="cpu", dtype=DTYPE, seed=seed)
    plans = PlanSet(net, open_backend(options, Options.from_env(), run=True), params, options)
    batch = min(net.batch, MAX_AT_ONCE)
    traced, folded, source = _float_plan(net, outputs, values, seed, batch)
    if layer := meeting_layer(source.graph):
        raise UnsupportedError(f"quantize: the samples of a batch meet in layer {layer!r}")
    read = {i.name for i in source.graph.inputs}
    feeds = tuple(feed for feed in traced.feeds if feed.value in read)
    if not feeds:
        raise UnsupportedError(f"quantize: {' '.join(outputs)} depends on no input")
    samples = samples_of(plans, feeds, data)
    whole = roles_of(folded).whole
    if not whole:
        hint = "convolutions and inner products become integers"
        raise UnsupportedError(f"quantize: net {net.name!r} has no layer to quantize", hint=hint)
    ranges = ranges_of(folded, whole, samples.inputs, batch, float(percentile))
    ranges |= {feed.value: own for feed in feeds if feed.value in ranges and (own := own_range(feed)) is not None}
    found = QuantizedNet(net, tuple(outputs), values, seed, products, ranges)
    named = {blob: traced.blobs[blob] for blob in outputs}
    exact = Runner(folded.graph, folded.arrays, batch).run(samples.inputs)
    integers = found.integers(batch)[1]
    rounded = Runner(integers.graph, integers.arrays, batch, layout=False).run(samples.inputs)
    return Calibrated(found, samples, losses_of(traced, named, exact, rounded, samples.labels))


def _float_plan(
    net: Net, outputs: Sequence[str], values: Mapping[str, np.ndarray], seed: int, batch: int
) -> tuple[Traced, WithConstants, PlanGraph]:
    """The plan of predictions, and its graph after constant folding of everything that depends on parameters alone."""
    traced = trace(net, "test", DTYPE, seed=seed, batch=batch)
    source = test_plan(traced, tuple(outputs), constant=True)
    arrays = {**values, **traced.tables}
    stored = {i.name: arrays[i.name] for i in source.graph.inputs if i.role in STORED}
    return traced, constant_part(source.graph, stored), source


def qdq_model(quantized: QuantizedNet) -> Any:
    """An onnx.ModelProto. Its inputs are raw data, as in mochac.onnx.save().

    Raises:
        OptionError: the package onnx is not installed. UnsupportedError: layers that ONNX cannot express.
    """
    traced, simulated = quantized.simulated(quantized.net.batch)
    whole = replace(traced, graph=simulated.graph, tables=simulated.arrays, params=(), states=())
    written = graph_nodes(quantized.net, whole, quantized.outputs, DTYPE)
    return model_of(written, list(quantized.outputs), quantized.net.name, {})
