"""Weights of PyTorch's modules in mochac's nets: the same predictions; and back."""

from __future__ import annotations

import numpy as np
import pytest
from resnet_twin import Twin, pictures
from torch_kit import torch

import mochac
from mochac import (
    ConvolutionLayer,
    GRULayer,
    InnerProductLayer,
    InputLayer,
    LSTMLayer,
    MultiHeadAttentionLayer,
    Net,
    Neurons,
    PoolingLayer,
)

nn = torch.nn
DTYPES = [("float64", 1e-12), ("float32", 1e-5)]


def lenet():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5),
        nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(256, 50),
        nn.ReLU(),
        nn.Linear(50, 10),
    )


LENET = [
    ConvolutionLayer(name="conv1", n_filter=6, kernel=5, bottoms=["data"]),
    PoolingLayer(name="pool1", kernel=2, stride=2, bottoms=["conv1"]),
    ConvolutionLayer(name="conv2", n_filter=16, kernel=5, bottoms=["pool1"]),
    PoolingLayer(name="pool2", kernel=2, stride=2, bottoms=["conv2"]),
    InnerProductLayer(name="ip1", output_dim=50, neuron=Neurons.ReLU(), bottoms=["pool2"]),
    InnerProductLayer(name="ip2", output_dim=10, bottoms=["ip1"]),
]
MLP = [
    InnerProductLayer(name="h1", output_dim=30, neuron=Neurons.Tanh(), bottoms=["data"]),
    InnerProductLayer(name="h2", output_dim=20, neuron=Neurons.GELU(), bottoms=["h1"]),
    InnerProductLayer(name="out", output_dim=3, bottoms=["h2"]),
]


def mlp():
    return nn.Sequential(nn.Linear(8, 30), nn.Tanh(), nn.Linear(30, 20), nn.GELU(), nn.Linear(20, 3))


def same_predictions(layers, module, x, dtype, tolerance, **how):
    """The program that has loaded the module, whose predictions are the same."""
    net = Net("peer", [InputLayer(name="in", shape=x.shape, tops=["data"]), *layers])
    program = mochac.compile(net, dtype=dtype, threads=1)
    program.load(module, **how)
    with torch.no_grad():
        theirs = module.eval()(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(program.predict(x), theirs, rtol=0, atol=tolerance * max(1, abs(theirs).max()))
    return program


@pytest.mark.parametrize(("dtype", "tolerance"), DTYPES)
@pytest.mark.parametrize("case", ["lenet", "mlp"])
def test_predictions_are_the_same(case, dtype, tolerance):
    make, layers, shape = {"lenet": (lenet, LENET, (4, 1, 28, 28)), "mlp": (mlp, MLP, (5, 8))}[case]
    torch.manual_seed(1)
    kind = getattr(torch, dtype)
    x = np.random.default_rng(0).normal(size=shape).astype(dtype)
    program = same_predictions(layers, make().to(kind), x, dtype, tolerance)
    back = make().to(kind)
    names = dict(zip(back.state_dict(), program.state_dict().values(), strict=True))
    back.load_state_dict({name: torch.from_numpy(array) for name, array in names.items()})
    with torch.no_grad():
        np.testing.assert_allclose(back(torch.from_numpy(x)).numpy(), program.predict(x), rtol=0, atol=tolerance * 10)


def test_half_precision_is_widened():
    torch.manual_seed(2)
    x = np.random.default_rng(0).normal(size=(5, 8)).astype(np.float32)
    for kind in (torch.bfloat16, torch.float16):
        module = mlp().to(kind)
        program = mochac.compile(Net("peer", [InputLayer(name="in", shape=x.shape, tops=["data"]), *MLP]), threads=1)
        program.load(module.state_dict())
        with torch.no_grad():
            wide = module.float()(torch.from_numpy(x)).numpy()
        np.testing.assert_allclose(program.predict(x), wide, rtol=0, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "tolerance"), DTYPES)
@pytest.mark.parametrize("named", [True, False])
def test_resnet20(example, dtype, tolerance, named):
    torch.manual_seed(3)
    twin, images = Twin(3).to(getattr(torch, dtype)), pictures(8)[0].astype(dtype)
    with torch.no_grad():  # running statistics that are not those of the start
        twin.train()(torch.from_numpy(images))
    by = {}
    if named:
        parts = {"stem": twin.stem, **{f"parts.{k}": part for k, part in enumerate(twin.parts)}}
        by = {f"{m}.conv": f"{part.name}-conv" for m, part in parts.items()}
        by |= {f"{m}.norm": part.name for m, part in parts.items()}
    layers = [layer.replace(bottoms=["data"]) if layer.name == "stem-conv" else layer for layer in example.resnet(3)]
    same_predictions(layers, twin, images, dtype, tolerance, by=by or "order")


SEQUENCES = {
    "gru": (nn.GRU, (6, 3), GRULayer(name="read", output_dim=3, bottoms=["x"])),
    "lstm": (nn.LSTM, (6, 3), LSTMLayer(name="read", output_dim=3, bottoms=["x"])),
    "attention": (nn.MultiheadAttention, (6, 2), MultiHeadAttentionLayer(name="read", heads=2, bottoms=["x"])),
}


@pytest.mark.parametrize("kind", SEQUENCES)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("by", [None, {"": "read"}])
def test_a_module_of_sequences_alone(kind, bias, by):
    """Its own state_dict, whose names have no module in front; without biases, these are 0."""
    torch.manual_seed(0)
    module, sizes, layer = SEQUENCES[kind]
    theirs = module(*sizes, bias=bias, batch_first=True)
    program = mochac.compile(Net("n", [InputLayer(name="in", shape=(2, 4, 6), tops=["x"]), layer]), threads=1)
    program.load(theirs, by=by)
    x = np.random.default_rng(0).standard_normal((2, 4, 6)).astype(np.float32)
    given = torch.from_numpy(x)
    with torch.no_grad():
        expected = theirs(*[given] * (3 if kind == "attention" else 1))[0].numpy()
    np.testing.assert_allclose(program.predict(x), expected, rtol=1e-4, atol=1e-5)
