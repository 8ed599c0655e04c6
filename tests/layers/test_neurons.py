"""Neurons: values and gradients of every one against its formula, interpreted and compiled; what they refuse."""

import math

import numpy as np
import pytest
from layers.layer_values import TOLERANCE, slopes, values

import mochac
from mochac import ActivationLayer, ConvolutionLayer, InnerProductLayer, MemoryDataLayer, Net, Neurons, OptionError
from mochac.nets.layers.neurons import Neuron

erf = np.vectorize(math.erf)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def glu(x):
    a, b = np.split(x, 2, axis=1)
    return a * sigmoid(b)


def selu(x):
    return 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x))


FORMULAS = [
    (Neurons.Identity(), lambda x: x),
    (Neurons.ReLU(), lambda x: np.maximum(x, 0)),
    (Neurons.ReLU(epsilon=0.25), lambda x: np.maximum(x, 0.25)),
    (Neurons.LReLU(), lambda x: np.where(x > 0, x, 0.01 * x)),
    (Neurons.LReLU(slope=0.3), lambda x: np.where(x > 0, x, 0.3 * x)),
    (Neurons.LReLU(slope=-0.5), lambda x: np.where(x > 0, x, -0.5 * x)),
    (Neurons.Sigmoid(), sigmoid),
    (Neurons.Tanh(), np.tanh),
    (Neurons.Exponential(), np.exp),
    (Neurons.GELU(), lambda x: x * (1 + erf(x / math.sqrt(2))) / 2),
    (
        Neurons.GELU(approximate=True),
        lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    ),
    (Neurons.SiLU(), lambda x: x * sigmoid(x)),
    (Neurons.ELU(), lambda x: np.where(x > 0, x, np.expm1(x))),
    (Neurons.ELU(alpha=0.3), lambda x: np.where(x > 0, x, 0.3 * np.expm1(x))),
    (Neurons.SELU(), selu),
    (Neurons.Softplus(), lambda x: np.log1p(np.exp(x))),
    (Neurons.Softsign(), lambda x: x / (1 + np.abs(x))),
    (Neurons.HardSigmoid(), lambda x: np.clip(x / 6 + 0.5, 0, 1)),
    (Neurons.HardSwish(), lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    (Neurons.Mish(), lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    (Neurons.GLU(), glu),
]
X = np.random.default_rng(5).normal(0, 3, (5, 4, 3))
ARRIVING = np.random.default_rng(6).normal(size=X.shape)


def test_every_neuron_is_tested():
    own = [cls for cls in Neuron.__subclasses__() if cls.__module__.startswith("mochac.")]
    assert {type(neuron) for neuron, _ in FORMULAS} == set(own)
    assert set(own) == {value for name, value in vars(Neurons).items() if not name.startswith("_")}


@pytest.mark.parametrize(("neuron", "formula"), FORMULAS, ids=lambda v: str(v) if isinstance(v, Neuron) else None)
def test_value_and_gradient_are_the_formulas(neuron, formula):
    layer = ActivationLayer(bottoms=["x"], tops=["y"], neuron=neuron)
    expected = formula(X)
    arriving = ARRIVING[:, : expected.shape[1]]
    found, grads = values([layer], {"x": X}, "y", arriving)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(grads["x"], slopes(formula, X, arriving), rtol=2e-6, atol=2e-8)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_compiled_values_and_gradients_are_the_interpreters(dtype):
    """All of them on one blob, so that one program is compiled."""
    layers = [
        ActivationLayer(name=f"n{k}", bottoms=["x"], tops=[f"n{k}"], neuron=n) for k, (n, _) in enumerate(FORMULAS)
    ]
    flat = [mochac.FlattenLayer(name=f"f{k}", bottoms=[f"n{k}"]) for k in range(len(layers))]
    join = mochac.ConcatLayer(name="all", bottoms=[f"f{k}" for k in range(len(layers))])
    width = sum(formula(X).size for _, formula in FORMULAS) // len(X)
    arriving = np.random.default_rng(7).normal(size=(len(X), width))
    compiled, given = (
        values([*layers, *flat, join], {"x": X}, "all", arriving, dtype=dtype, compiled=how) for how in (True, False)
    )
    np.testing.assert_allclose(compiled[0], given[0], rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])
    scale = np.abs(given[1]["x"]).max()
    np.testing.assert_allclose(compiled[1]["x"], given[1]["x"], rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype] * scale)


@pytest.mark.parametrize("x", [-1e4, -60.0, -0.0, 0.0, 60.0, 1e4])
@pytest.mark.parametrize("neuron", [n for n, _ in FORMULAS if n not in (Neurons.Exponential(), Neurons.GLU())], ids=str)
def test_no_neuron_overflows(neuron, x):
    layer = ActivationLayer(bottoms=["x"], tops=["y"], neuron=neuron)
    found, grads = values([layer], {"x": np.full((1, 1), x)}, "y", np.ones((1, 1)), dtype="float32", compiled=False)
    assert np.isfinite(found).all() and np.isfinite(grads["x"]).all()


def test_gelu_keeps_its_digits_where_the_usual_formula_has_none():
    layer = ActivationLayer(bottoms=["x"], tops=["y"], neuron=Neurons.GELU())
    x = np.arange(-12, -4, 0.125).reshape(1, -1)
    found, grads = values([layer], {"x": x}, "y", np.ones_like(x), dtype="float32", compiled=True)
    tail = np.vectorize(math.erfc)(-x / math.sqrt(2)) / 2
    np.testing.assert_allclose(found, x * tail, rtol=1e-6)
    np.testing.assert_allclose(grads["x"], tail + x * np.exp(-x * x / 2) / math.sqrt(2 * math.pi), rtol=1e-5)


def test_glu_halves_the_outputs_of_layers():
    data = MemoryDataLayer(data=[np.zeros((4, 2, 5, 5))], batch_size=2, tops=["data"])
    conv = ConvolutionLayer(name="conv", n_filter=6, kernel=(3, 3), neuron=Neurons.GLU(), bottoms=["data"])
    rows = ConvolutionLayer(name="rows", n_filter=6, kernel=(2, 3), neuron=Neurons.GLU(axis=-2), bottoms=["data"])
    ip = InnerProductLayer(name="ip", output_dim=4, neuron=Neurons.GLU(), bottoms=["conv"])
    net = Net("n", [data, conv, rows, ip])
    assert [net.blobs[b].shape for b in ("conv", "rows", "ip")] == [(2, 3, 3, 3), (2, 6, 2, 3), (2, 2)]
    with pytest.raises(
        mochac.ShapeError, match=r"GLU halves axis 1(.|\n)*expected  an even extent,  got  5(.|\n)*hint: 6"
    ):
        Net("n", [data, conv.replace(n_filter=5)])


def test_slopes_that_are_refused():
    with pytest.raises(OptionError, match=r"ELU: alpha is out of range(.|\n)*a finite number >= 0"):
        Neurons.ELU(alpha=-1)
    with pytest.raises(OptionError, match=r"LReLU: slope is out of range"):
        Neurons.LReLU(slope="0.1")
