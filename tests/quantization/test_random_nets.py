"""Random nets in integers: compiled code, with and without words, against the interpreter, bit for bit."""

import numpy as np
import pytest
from quantized_kit import data, ends, images, quantized

from mochac import (
    BatchNormLayer,
    ConcatLayer,
    ConvolutionLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    Net,
    Neurons,
    Pooling,
    PoolingLayer,
)
from mochac.formats.quantization.integers import in_integers
from mochac.ir.interp import run
from mochac.ir.verifier import verify
from mochac.lowering.run_graph import run_graph

SEEDS = range(8)


def drawn(seed: int) -> Net:
    """A net of random layers over images."""
    rng = np.random.default_rng(seed)
    channels, side = int(rng.integers(1, 6)), int(rng.integers(7, 13))
    layers, blob, shape = [data((channels, side, side + 1))], "data", (channels, side, side + 1)
    for k in range(int(rng.integers(2, 5))):
        layers, blob, shape = _with_layer(layers, blob, shape, k, rng)
    return Net(f"drawn{seed}", [*layers, *ends(blob)])


def _with_layer(layers, blob, shape, k, rng):
    channels, height, width = shape
    neuron = [Neurons.ReLU(), Neurons.Identity()][rng.integers(2)]
    top, kind = f"t{k}", ["conv", "group", "max", "mean", "sum", "concat", "norm"][rng.integers(7)]
    if kind in ("max", "mean") and min(height, width) >= 3:
        how = {"pooling": Pooling.Mean(), "divisor": "valid"} if kind == "mean" else {}
        pool = PoolingLayer(name=top, kernel=3, stride=2, pad=1, neuron=neuron, bottoms=[blob], tops=[top], **how)
        return [*layers, pool], top, (channels, -(-(height - 1) // 2) + 1, -(-(width - 1) // 2) + 1)
    size, stride = int(rng.integers(1, min(4, height + 1, width + 1))), int(rng.integers(1, 3))
    pad = int(rng.integers(size))
    if kind in ("sum", "concat"):
        own = f"c{k}"
        made = ConvolutionLayer(
            name=own, kernel=3, pad=1, n_filter=channels, neuron=neuron, bottoms=[blob], tops=[f"c{k}"]
        )
        if kind == "sum":
            how = ElementWiseFunctors.Add()
            both = ElementWiseLayer(name=top, operation=how, neuron=neuron, bottoms=[blob, own], tops=[top])
            return [*layers, made, both], top, shape
        both = ConcatLayer(name=top, axis=1, bottoms=[blob, own], tops=[top])
        return [*layers, made, both], top, (2 * channels, height, width)
    if kind == "norm":
        return [*layers, BatchNormLayer(name=top, neuron=neuron, bottoms=[blob], tops=[top])], top, shape
    filters = channels * int(rng.integers(1, 3)) if kind == "group" else int(rng.integers(2, 21))
    conv = ConvolutionLayer(
        name=top, kernel=size, stride=stride, pad=pad, n_filter=filters, n_group=channels if kind == "group" else 1,
        neuron=neuron, bottoms=[blob], tops=[top],
    )  # fmt: skip
    return [*layers, conv], top, (filters, *((n + 2 * pad - size) // stride + 1 for n in (height, width)))


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_nets_have_the_same_bits_by_every_way(seed):
    net = drawn(seed)
    batch = int(np.random.default_rng(seed).choice([1, 3, 6]))
    x = {"data": images(net.blobs["data"].shape[1:], batch, seed=seed + 100)}
    found = []
    for products in ("madd", "sdot"):
        made = quantized(net, products=products)
        traced, simulated = made.quantized.simulated(batch)
        for words, copies in ((False, True), (True, True), (True, False)):
            graph = in_integers(simulated, words, copies)
            verify(graph.graph)
            inputs = {**x, **graph.arrays}
            found.append(run(graph.graph, inputs)[traced.blobs["out"]])
            found.append(run_graph(graph.graph, inputs, layout=False)[traced.blobs["out"]])
    assert all((result == found[0]).all() for result in found)
    exact = run(simulated.graph, {**x, **simulated.arrays})[traced.blobs["out"]]
    assert np.abs(found[0] - exact).max() <= 0.03 * np.abs(exact).max() + 1e-6
