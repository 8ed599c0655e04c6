"""Nets that once ended in a Python error of the compiler, with what is right."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    ActivationLayer,
    ConcatLayer,
    ConvolutionLayer,
    EinsumLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    GlobalPoolingLayer,
    InnerProductLayer,
    InputLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    SquareLossLayer,
    UpsampleLayer,
)

RNG = np.random.default_rng(3)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [(3, 1), (1, 3), (1, 1)])
@pytest.mark.parametrize("tail", [GlobalPoolingLayer, UpsampleLayer])
def test_one_sample_of_a_depthwise_convolution_with_a_thin_kernel(kernel, tail):
    """A channel is an item, whose number stands beside a loop over the one channel of a group."""
    conv = ConvolutionLayer(name="conv", n_filter=8, n_group=8, kernel=kernel, bottoms=["x"])
    net = Net("thin", [InputLayer(name="x", shape=(1, 8, 9, 9)), conv, tail(name="y", bottoms=["conv"])])
    with mochac.compile(net, dtype="float64") as program:
        x = RNG.normal(size=(1, 8, 9, 9))
        image = program.predict(x, "conv")
        found = program.predict(x, "y")
    wanted = image.mean((2, 3), keepdims=True) if tail is GlobalPoolingLayer else image.repeat(2, 2).repeat(2, 3)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13)


def test_gradients_of_a_concatenation_that_a_product_of_one_row_reads():
    x, y = RNG.normal(size=(8, 1, 9)), np.zeros((8, 1, 1))
    net = Net("row", [
        MemoryDataLayer(data=[x, y], tops=["x", "y"], batch_size=8),
        InnerProductLayer(name="ip", output_dim=4, axis=-1, bottoms=["x"]),
        ConcatLayer(name="twice", axis=2, bottoms=["ip", "ip"], tops=["z"]),
        EinsumLayer(name="e", spec="bik,bjk->bij", bottoms=["z", "z"]),
        SquareLossLayer(name="loss", bottoms=["e", "y"]),
    ])  # fmt: skip
    with mochac.compile(net, dtype="float64") as program:
        w = np.array(program.params["ip"]["weight"])
        program.train(SGD(0.01), max_iter=1, regu_coef=0, verbose=0)
        after = np.array(program.params["ip"]["weight"])
    h = x[:, 0] @ w.T  # the loss is the mean of e^2 / 2 with e = 2 h.h
    e = 2 * (h * h).sum(axis=1)
    np.testing.assert_allclose(after, w - 0.01 * ((e[:, None] * 4 * h).T @ x[:, 0]) / 8, rtol=1e-9)


@pytest.mark.slow
def test_a_long_chain_and_a_wide_sum():
    """Longer than Python's stack has room for calls that follow each other's reads."""
    x, y, n = RNG.normal(size=(4, 3)), np.zeros((4, 3)), 400
    chain = [ActivationLayer(name=f"a{k}", bottoms=[f"a{k - 1}" if k else "x"], tops=[f"a{k}"],
                             neuron=Neurons.Softsign()) for k in range(n)]  # fmt: skip
    products = [InnerProductLayer(name=f"p{k}", output_dim=3, bottoms=[f"a{n - 1}"]) for k in range(n)]
    add = ElementWiseLayer(name="sum", operation=ElementWiseFunctors.Add(), bottoms=[p.name for p in products])
    data = MemoryDataLayer(data=[x, y], tops=["x", "y"], batch_size=4)
    net = Net("deep", [data, *chain, *products, add, SquareLossLayer(name="loss", bottoms=["sum", "y"])])
    with mochac.compile(net, dtype="float64") as program:
        program.train(SGD(0.01), max_iter=1, verbose=0)
        found = program.predict(x, "sum")
        weight, bias = (sum(np.array(program.params[p.name][k]) for p in products) for k in ("weight", "bias"))
        wanted = x / (1 + n * np.abs(x)) @ weight.T + bias
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
