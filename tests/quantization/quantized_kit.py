"""Nets that are quantized, and what they compute, by the interpreter."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mochac import (
    AccuracyLayer,
    BatchNormLayer,
    ConvolutionLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    GlobalPoolingLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    Pooling,
    PoolingLayer,
    SoftmaxLossLayer,
)
from mochac.formats.quantization.quantized import Calibrated, calibrated
from mochac.ir.interp import run
from mochac.runtime.data.params import Params
from mochac.training.session.net_parameters import kept_arrays, make_parameters


def images(shape: tuple[int, ...], n: int = 24, seed: int = 1) -> np.ndarray:
    """Random samples."""
    return np.random.default_rng(seed).normal(size=(n, *shape)).astype(np.float32)


def data(shape: tuple[int, ...], classes: int = 5, batch: int = 4) -> MemoryDataLayer:
    """A data layer of random samples and labels."""
    labels = np.arange(24) % classes
    return MemoryDataLayer(data=[images(shape), labels], batch_size=batch)


def ends(bottom: str, classes: int = 5) -> list[Any]:
    """The layers after the last one with an activation."""
    return [
        InnerProductLayer(name="out", output_dim=classes, bottoms=[bottom]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
        AccuracyLayer(name="accuracy", bottoms=["out", "label"]),
    ]


def lenet() -> Net:
    """Convolutions, pools, inner products."""
    relu = Neurons.ReLU()
    layers = [
        data((1, 12, 12)),
        ConvolutionLayer(name="c1", kernel=3, n_filter=6, neuron=relu, bottoms=["data"], tops=["c1"]),
        PoolingLayer(name="p1", kernel=2, stride=2, bottoms=["c1"], tops=["p1"]),
        ConvolutionLayer(name="c2", kernel=3, n_filter=8, bottoms=["p1"], tops=["c2"]),
        PoolingLayer(name="p2", kernel=2, stride=2, neuron=relu, bottoms=["c2"], tops=["p2"]),
        InnerProductLayer(name="ip", output_dim=18, neuron=relu, bottoms=["p2"], tops=["ip"]),
    ]
    return Net("lenet", [*layers, *ends("ip")])


def residual() -> Net:
    """Batch normalization, depthwise convolutions, a sum, means."""
    relu = Neurons.ReLU()
    layers = [
        data((3, 9, 7)),
        ConvolutionLayer(name="c1", kernel=3, pad=1, stride=2, n_filter=8, bottoms=["data"], tops=["c1"]),
        BatchNormLayer(name="bn", neuron=relu, bottoms=["c1"], tops=["b1"]),
        ConvolutionLayer(name="dw", kernel=3, pad=1, n_group=8, n_filter=8, neuron=relu, bottoms=["b1"], tops=["dw"]),
        ConvolutionLayer(name="pw", kernel=1, n_filter=8, bottoms=["dw"], tops=["pw"]),
        ElementWiseLayer(
            name="sum", operation=ElementWiseFunctors.Add(), neuron=relu, bottoms=["b1", "pw"], tops=["s"]
        ),
        PoolingLayer(
            name="mean", kernel=2, stride=2, pooling=Pooling.Mean(), divisor="valid", bottoms=["s"], tops=["m"]
        ),
        GlobalPoolingLayer(name="all", pooling=Pooling.Mean(), bottoms=["m"], tops=["g"]),
    ]
    return Net("residual", [*layers, *ends("g")])


def mixed() -> Net:
    """Layers that are computed in float between others that are not."""
    layers = [
        data((2, 6, 6)),
        ConvolutionLayer(name="c1", kernel=3, n_filter=5, neuron=Neurons.Tanh(), bottoms=["data"], tops=["c1"]),
        ConvolutionLayer(name="c2", kernel=3, n_filter=7, neuron=Neurons.ReLU(), bottoms=["c1"], tops=["c2"]),
        InnerProductLayer(name="ip", output_dim=9, neuron=Neurons.Sigmoid(), bottoms=["c2"], tops=["ip"]),
    ]
    return Net("mixed", [*layers, *ends("ip")])


NETS = {"lenet": lenet, "residual": residual, "mixed": mixed}


def quantized(
    net: Net, samples: Any = None, products: str = "madd", outputs: Sequence[str] = ("out",), **how: Any
) -> Calibrated:
    """A net with initial parameters, in integers."""
    store = Params()
    make_parameters(net, store, "float32", 3)
    values = {value: parameter.values for value, parameter in kept_arrays(net, store).items()}
    given = "data layers" if samples is None else samples
    return calibrated(net, outputs, store, values, given, products=products, **how)


def interpreted(made: Calibrated, x: Mapping[str, np.ndarray], output: str = "out") -> np.ndarray:
    """A prediction by the interpreter of graphs."""
    traced, graph = made.quantized.integers(len(next(iter(x.values()))))
    found = run(graph.graph, {**{k: v for k, v in x.items()}, **graph.arrays})
    return found[traced.blobs[output]]
