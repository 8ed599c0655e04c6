"""Gradients of one's own: forward and backward as formulas, in layers, losses, loops, and of parameters."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac import SGD, InnerProductLayer, MemoryDataLayer, MochacError, Net, SquareLossLayer
from mochac.ir.text import parse
from mochac.nets.layers import Layer, Parametric, custom_gradient, layer
from mochac.nets.layers.base import LAYERS
from mochac.nets.layers.initializers import GaussianInitializer
from mochac.nets.layers.regularizers import NoRegu

RNG = np.random.default_rng(2)
X, Y = RNG.normal(size=(12, 3)) * 2, RNG.normal(size=(12, 4))

rounded = custom_gradient(np.rint, lambda gradient, x: gradient)
reversed_ = custom_gradient(lambda x: x, lambda gradient, x: -0.5 * gradient)
clipped = custom_gradient(lambda x: x, lambda gradient, x: np.clip(gradient, -0.02, 0.02))
product = custom_gradient(lambda x, y: x * y, lambda gradient, x, y: [gradient * y * 3, None])
saved = {}


def remembered(x):
    saved["slope"] = 1 / (1 + np.exp(-x))
    return np.log(1 + np.exp(x))


FORMULAS = {
    "straight-through": (lambda x: rounded(x), np.rint, lambda d, x: d),
    "reversed": (lambda x: reversed_(x), lambda x: x, lambda d, x: -0.5 * d),
    "clipped": (lambda x: clipped(x), lambda x: x, lambda d, x: np.clip(d, -0.02, 0.02)),
    "one of two": (lambda x: product(x, 2 * x + 1), lambda x: x * (2 * x + 1), lambda d, x: 3 * d * (2 * x + 1)),
    "of one value twice": (
        lambda x: custom_gradient(lambda a, b: a * b, lambda d, a, b: (d * a, 2 * d))(x, x),
        np.square, lambda d, x: d * x + 2 * d,
    ),
    "what forward computed": (
        lambda x: custom_gradient(remembered, lambda d, x: d * saved["slope"])(x),
        lambda x: np.log1p(np.exp(x)), lambda d, x: d / (1 + np.exp(-x)),
    ),
    "over samples": (
        lambda x: custom_gradient(lambda x: x, lambda d, x: d - d.mean(axis=0))(x),
        lambda x: x, lambda d, x: d - d.mean(axis=0),
    ),
    "one in another": (lambda x: reversed_(rounded(x) * x), lambda x: np.rint(x) * x,
                       lambda d, x: -0.5 * d * (np.rint(x) + x)),
}  # fmt: skip


@pytest.fixture
def own():
    """What a test registers is gone afterwards."""
    LAYERS.scan()
    before = dict(LAYERS._items), set(LAYERS.foreign)
    yield
    LAYERS._items, LAYERS.foreign = before


def net(kind, batch=12):
    data = MemoryDataLayer(data=[X, Y], tops=["x", "label"], batch_size=batch)
    a = InnerProductLayer(name="a", output_dim=4, bottoms=["x"])
    return Net("own", [data, a, kind(name="y", bottoms=["a"]), SquareLossLayer(name="loss", bottoms=["y", "label"])])


def of(formula):
    @layer
    class FormulaLayer(Layer):
        def emit(self, ctx, bottoms):
            return [formula(*bottoms)]

    return FormulaLayer


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", FORMULAS)
def test_forward_and_backward_are_the_formulas(own, name):
    formula, forward, backward = FORMULAS[name]
    with mochac.compile(net(of(formula)), dtype="float64", backend="cpu") as program:
        weight = program.params["a"]["weight"][...]
        a = X @ weight.T
        d = (forward(a) - Y) / len(X)
        want = backward(d, a)
        assert np.isclose(program.forward(), np.square(forward(a) - Y).sum() / 2 / len(X))
        program.backward()
        np.testing.assert_allclose(program.blobs["y"], forward(a), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(program.blob_diffs["a"], want, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(program.grads["a"]["weight"][...], want.T @ X, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(program.predict(X, blob="y"), forward(a), rtol=1e-12, atol=1e-12)
        program.train(SGD(0.1), max_iter=1, regu_coef=0.0, verbose=0)
        np.testing.assert_allclose(program.params["a"]["weight"][...], weight - 0.1 * want.T @ X, rtol=1e-9, atol=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMULAS)
def test_in_parts_and_in_many_nets(own, name):
    made = net(of(FORMULAS[name][0]))
    found = []
    for parts in (1, 2):
        with mochac.compile(made, dtype="float64", backend="cpu", parts=parts, seed=3) as program:
            program.train(SGD(0.1), max_iter=3, verbose=0)
            found.append(program.params["a"]["weight"][...])
    (params, _), *_ = mochac.train_many(made, [SGD(0.1)] * 2, seeds=[3, 4], max_iter=3, dtype="float64", backend="cpu")
    for other in (found[1], params["a"]["weight"][...]):
        np.testing.assert_allclose(other, found[0], rtol=1e-9, atol=1e-12)


def test_gradients_of_parameters_and_within_a_loop(own):
    """Weights rounded to quarters in forward, and a clipped gradient in each step of a loop."""

    @layer
    class QuantizedLayer(Parametric):
        def emit(self, ctx, bottoms):
            (x,) = bottoms
            w = ctx.param("w", (4, 4), GaussianInitializer(std=1.0), NoRegu(), 1.0)
            quantized = custom_gradient(lambda w: np.rint(w * 4) / 4, lambda d, w: d)(w)

            def step(carried, slices):
                (h,) = carried
                return [clipped(h @ quantized)], []

            return [ctx.scan(step, [x], length=3).last[0]]

    with mochac.compile(net(QuantizedLayer), dtype="float64", backend="cpu") as program:
        w, a = program.params["y"]["w"][...], X @ program.params["a"]["weight"][...].T
        q = np.rint(w * 4) / 4
        states = [a]
        for _ in range(3):
            states.append(states[-1] @ q)
        program.forward()
        program.backward()
        np.testing.assert_allclose(program.blobs["y"], states[-1], rtol=1e-10)
        d, dw = (states[-1] - Y) / len(X), 0
        for h in reversed(states[:-1]):
            d = np.clip(d, -0.02, 0.02)
            dw, d = dw + h.T @ d, d @ q.T
        np.testing.assert_allclose(program.grads["y"]["w"][...], dw, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(program.blob_diffs["a"], d, rtol=1e-9, atol=1e-12)


def test_graphs_are_read_again():
    text = str(
        mochac.ir.parse("""graph @g(%x: f32[b2,3]) {
      %y: f32[b2,3] = custom_gradient(%x, %x) {
        backward = graph @b(%d: f32[b2,3], %x: f32[b2,3]) { %e: f32[b2,3] = mul(%d, %x) return %e }, of = (0)}
      return %y
    }""")
    )
    assert str(parse(text)) == text


WRONG = {
    "another shape": (
        lambda x: custom_gradient(lambda x: x, lambda d, x: d.sum(axis=1))(x),
        "backward returns a gradient of another shape", "expected  (12, 4),  got  (12,)",
    ),
    "too many": (
        lambda x: custom_gradient(lambda x: x, lambda d, x: [d, d])(x),
        "backward returns too few or too many gradients", "one for each input, or None: 1,  got  2",
    ),
    "no value": (
        lambda x: custom_gradient(lambda x: x, lambda d, x: "d")(x),
        "what backward returns is not a value", "'d'",
    ),
    "no value before": (
        lambda x: custom_gradient(lambda x: [x], lambda d, x: d)(x),
        "what forward returns is not a value", "",
    ),
    "numbers": (lambda x: rounded(2.0), "a function of custom_gradient takes values", "got  float"),
    "another type": (
        lambda x: custom_gradient(lambda x: x, lambda d, x: d > 0)(x),
        "backward returns a gradient of another type", "expected  f32,  got  bool",
    ),
    "no numbers": (
        lambda x: custom_gradient(lambda x: x > 0, lambda d, x: d)(x),
        "what forward returns has no gradient", "expected  floating-point numbers,  got  bool",
    ),
    "arguments": (
        lambda x: custom_gradient(lambda x: x, lambda d: d)(x),
        "backward takes other arguments", "expected  (gradient, 1 value),  got  (d)",
    ),
    "kept": (
        lambda x: (custom_gradient(lambda x: x, lambda d, x: saved.setdefault("d", d))(x), saved.pop("d"))[1],
        "a value of a backward is used outside of it", "return it as a gradient",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_one_error_that_names_the_layer(own, name):
    formula, rule, more = WRONG[name]
    with pytest.raises(MochacError) as caught:
        net(of(formula))
    text = caught.value.report
    assert text.partition(": ")[2].startswith(f"layer 'y' (Formula): {rule}"), text
    assert more in text
    assert text.splitlines()[-1].startswith("  at tests/layers/test_custom_gradient.py:")


def test_functions_are_needed():
    with pytest.raises(MochacError) as caught:
        custom_gradient(np.rint, 1.0)
    report = caught.value.report
    assert report.startswith("OptionError: custom_gradient: backward is not a function\n  expected  such as lambda")
    assert report.splitlines()[-1].startswith("  at tests/layers/test_custom_gradient.py:")


def test_declarations_belong_before_it(own):
    @layer
    class LateLayer(Layer):
        def emit(self, ctx, bottoms):
            return [custom_gradient(lambda x: x, lambda d, x: d * ctx.loss(d, 1.0))(bottoms[0])]

    with pytest.raises(MochacError) as caught:
        net(LateLayer)
    assert "ctx.loss in the backward of a gradient" in str(caught.value)
    assert "hint: call it before custom_gradient" in str(caught.value)
