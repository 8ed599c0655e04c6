"""train_many() on a device: on the emulator, and with -m gpu on the first device of this machine."""

import numpy as np
import pytest
from emulated_device import EmulatedDriver, use_device
from skips import needs_gxx

from mochac import (
    SGD,
    DropoutLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    SoftmaxLossLayer,
    train_many,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 6)).astype(np.float32)
Y = (X[:, 0] > X[:, 1]).astype(int) + (X[:, 2] > 0)


@pytest.fixture(
    params=[pytest.param("emulated", marks=[needs_gxx, pytest.mark.slow]), pytest.param("real", marks=pytest.mark.gpu)],
    autouse=True,
)
def device(request, monkeypatch):
    if request.param == "emulated":
        use_device(monkeypatch, EmulatedDriver())


def net(shuffle):
    return Net("mlp", [
        MemoryDataLayer(name="in", data=[X, Y], batch_size=8, shuffle=shuffle),
        InnerProductLayer(name="ip1", output_dim=9, neuron=Neurons.Tanh(), bottoms=["data"]),
        DropoutLayer(name="drop", ratio=0.3, bottoms=["ip1"]),
        InnerProductLayer(name="ip2", output_dim=3, bottoms=["ip1"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
    ])  # fmt: skip


def trained(backend, seeds, shuffle, dtype="float32"):
    method = SGD(0.1, momentum=0.9)
    found = train_many(net(shuffle), method, seeds=seeds, max_iter=6, backend=backend, dtype=dtype, verbose=0)
    return [(np.asarray(params["ip1"]["weight"]), lounge.statistics["obj_val"]) for params, lounge in found]


@pytest.mark.slow
@pytest.mark.parametrize("shuffle", [False, True])
def test_as_on_the_cpu(shuffle):
    seeds = [3, 4, 5]
    for (w, losses), (w_cpu, losses_cpu) in zip(
        trained("cuda", seeds, shuffle, "float64"), trained("cpu", seeds, shuffle, "float64"), strict=True
    ):
        np.testing.assert_allclose(w, w_cpu, rtol=1e-10)
        np.testing.assert_allclose(list(losses.values()), list(losses_cpu.values()), rtol=1e-10)


def test_a_nets_bits_do_not_depend_on_the_others():
    together, alone = trained("cuda", [3, 4, 5], True)[1], trained("cuda", [4], True)[0]
    assert together[0].tobytes() == alone[0].tobytes()
    assert together[1] == alone[1]
