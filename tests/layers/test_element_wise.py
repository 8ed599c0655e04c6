"""ElementWiseLayer against its formulas in float64; Divide is finite wherever a quotient is."""

import numpy as np
import pytest
from layers.layer_values import TOLERANCE, values

from mochac import DropoutLayer, ElementWiseLayer, InputLayer, Net, Neurons, SquareLossLayer
from mochac import ElementWiseFunctors as F
from mochac.nets.trace import trace

# y, dy/da, dy/db
FORMULAS = {
    F.Add(): lambda a, b: (a + b, 1.0, 1.0),
    F.Subtract(): lambda a, b: (a - b, 1.0, -1.0),
    F.Multiply(): lambda a, b: (a * b, b, a),
    F.Divide(): lambda a, b: (a / b, 1 / b, -a / b**2),
}


def check(operation, a, b, *, dtype="float64", compiled=False):
    layer = ElementWiseLayer(bottoms=["a", "b"], tops=["y"], operation=operation)
    arriving = np.random.default_rng(7).standard_normal(a.shape)
    y, grads = values([layer], {"a": a, "b": b}, "y", arriving, dtype=dtype, compiled=compiled)
    wanted, da, db = FORMULAS[operation](a, b)
    near = {"rtol": TOLERANCE[dtype], "atol": TOLERANCE[dtype]}
    np.testing.assert_allclose(y, wanted, **near)
    np.testing.assert_allclose(grads["a"], arriving * da, **near)
    np.testing.assert_allclose(grads["b"], arriving * db, **near)


def operands(seed, *shape):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(shape), rng.uniform(0.5, 2.0, shape) * rng.choice([-1, 1], shape)


@pytest.mark.parametrize("operation", FORMULAS, ids=lambda f: type(f).__name__)
def test_values_and_gradients(operation):
    check(operation, *operands(1, 3, 4))
    check(operation, *operands(2, 2, 3, 1, 2, 2))


def test_divide_compiled():
    check(F.Divide(), *operands(3, 17, 2, 3), dtype="float32", compiled=True)


@pytest.mark.slow
@pytest.mark.parametrize("operation", FORMULAS, ids=lambda f: type(f).__name__)
@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (16, 2, 2, 3), (33, 1, 2, 1, 2)])
def test_compiled(operation, shape):
    for dtype in ("float32", "float64"):
        check(operation, *operands(4, *shape), dtype=dtype, compiled=True)


def test_one_blob_twice():
    a, _ = operands(5, 3, 4)
    for operation, dx in ((F.Multiply(), 2 * a), (F.Divide(), 0 * a), (F.Subtract(), 0 * a), (F.Add(), 2 + 0 * a)):
        layer = ElementWiseLayer(bottoms=["a", "a"], tops=["y"], operation=operation)
        _, grads = values([layer], {"a": a}, "y", np.ones_like(a))
        np.testing.assert_allclose(grads["a"], dx, atol=1e-12)


def test_divide_is_finite_where_a_quotient_is():
    """Zeros above, tiny and huge numbers below, no gradient arriving: nothing becomes NaN."""
    a = np.array([0.0, -0.0, 0.0, 1.0, 1e-30, 1e30])[:, None]
    b = np.array([1e-30, 3.0, 1e30, 1e30, 1e-30, 1e30])[:, None]
    layer = ElementWiseLayer(bottoms=["a", "b"], tops=["y"], operation=F.Divide())
    for arriving in (np.ones_like(a), np.zeros_like(a)):
        y, grads = values([layer], {"a": a, "b": b}, "y", arriving, dtype="float32")
        assert np.isfinite(y).all()
        assert np.isfinite(grads["a"]).all()
        assert not np.isnan(grads["b"]).any()


def test_a_residual_sum_with_a_relu():
    a, b = np.array([[1.0, -2.0, 3.0]]), np.array([[-4.0, 1.5, 0.5]])
    layer = ElementWiseLayer(bottoms=["a", "b"], tops=["y"], neuron=Neurons.ReLU())
    y, grads = values([layer], {"a": a, "b": b}, "y", np.full_like(a, 2.0))
    np.testing.assert_allclose(y, np.maximum(a + b, 0), atol=1e-12)
    np.testing.assert_allclose(grads["a"], 2.0 * (a + b > 0), atol=1e-12)


def test_dropout_of_nothing_is_no_layer():
    x = np.array([[1.0, -2.0, 3.0]])
    layer = DropoutLayer(bottoms=["x"], tops=["y"], ratio=0.0)
    y, grads = values([layer], {"x": x}, "y", np.full_like(x, 2.0))
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(grads["x"], np.full_like(x, 2.0))
    data = InputLayer(name="in", shape=(4, 3), tops=["x"])
    net = Net("n", [data, layer, SquareLossLayer(bottoms=["y", "x"])])
    assert not any(node.op in ("select", "dropout_mask") for node in trace(net, "train").graph.nodes)
