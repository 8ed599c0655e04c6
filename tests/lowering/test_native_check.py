"""What MOCHAC_VERIFY=1 and check_gradients find in generated code, which the verifiers of the IR cannot see."""

from dataclasses import replace

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    ActivationLayer,
    ConstantInitializer,
    ConvolutionLayer,
    DeconvolutionLayer,
    InnerProductLayer,
    MemoryDataLayer,
    MemoryOutputLayer,
    Net,
    Neurons,
    SoftmaxLossLayer,
)
from mochac.base.errors import InternalError
from mochac.ir.scalar import FUNCTIONS


@pytest.fixture
def wrong_tanh(monkeypatch):
    """Code for tanh that returns its argument; the interpreter is right."""
    monkeypatch.setitem(FUNCTIONS._items, "tanh", replace(FUNCTIONS["tanh"], llvm=lambda e, x: x))


def net():
    rng = np.random.default_rng(0)
    data = MemoryDataLayer(data=[rng.normal(size=(12, 6)), rng.integers(0, 3, 12)], batch_size=4)
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
    act = ActivationLayer(name="act", neuron=Neurons.Tanh(), bottoms=["ip"], tops=["act"])
    out = InnerProductLayer(name="out", output_dim=3, bottoms=["act"])
    return Net("small", [data, ip, act, out, SoftmaxLossLayer(name="loss", bottoms=["out", "label"])])


def test_verify_names_the_kernel_whose_code_is_wrong(wrong_tanh, monkeypatch):
    monkeypatch.setenv("MOCHAC_VERIFY", "1")
    with mochac.compile(net()) as program, pytest.raises(InternalError) as caught:
        program.train(SGD(), max_iter=1)
    first, schedule, result, *_ = str(caught.value).splitlines()
    assert first == "the code of kernel 'ip.inner_product+act' does not compute what the interpreter does"
    assert schedule == "  schedule 'product.natural', layers: ip, act"
    assert result.startswith("  result %act: relative difference 0.") and result.endswith("is allowed")


def test_check_gradients_checks_the_code_that_trains(wrong_tanh):
    found = mochac.check_gradients(net())
    assert not found.ok
    assert all(error < 1e-7 for error in found.errors.values())
    assert found.native["ip.weight"] > 0.01
    assert mochac.check_gradients(net(), native=False).ok
    title, *rows = str(found).splitlines()[5:]
    assert title == "gradients by generated code against the interpreter"
    assert any(row.split()[0] == "ip.weight" and row.endswith("WRONG") for row in rows)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_a_dilated_deconvolution_has_its_last_tap(rows):
    """Each row goes to three rows, two apart; the last one was zero where a guard was the first to write a register."""
    x = np.arange(1.0, 1 + 3 * rows, dtype="f4").reshape(1, 1, rows, 3)
    filters = {"n_filter": 1, "kernel": (3, 1), "dilation": (2, 1), "filter_init": ConstantInitializer(1)}
    layers = [
        MemoryDataLayer(data=[x], tops=["data"], batch_size=1),
        DeconvolutionLayer(name="up", bottoms=["data"], tops=["up"], **filters),
        MemoryOutputLayer(bottoms=["up"]),
    ]
    wanted = sum(np.pad(x, ((0, 0), (0, 0), (2 * k, 4 - 2 * k), (0, 0))) for k in range(3))
    with mochac.compile(Net("taps", layers)) as program:
        np.testing.assert_array_equal(program.predict(x), wanted)


@pytest.mark.slow
@pytest.mark.parametrize("stride", [(1, 1), (1, 2), (2, 1)])
@pytest.mark.parametrize("dilation", [(2, 1), (3, 1), (4, 1), (3, 2)])
def test_data_gradients_of_dilated_convolutions(stride, dilation):
    rng = np.random.default_rng(1)
    sizes = {"n_filter": 4, "bottoms": ["c1"], "tops": ["c2"], "stride": stride, "dilation": dilation}
    layers = [
        MemoryDataLayer(data=[rng.normal(size=(3, 2, 9, 9)), rng.integers(0, 3, 3)], batch_size=3),
        ConvolutionLayer(name="c1", n_filter=4, kernel=1, bottoms=["data"], tops=["c1"]),
        ConvolutionLayer(name="c2", kernel=(3, 1), **sizes),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["c2"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    assert mochac.check_gradients(Net("dilated", layers), samples=3).ok
