"""Layers that rearrange, scale and reduce blobs, against NumPy in float64: tops and gradients, interpreted and
compiled, on whole and partial blocks of samples."""

import numpy as np
import pytest
from layers.layer_values import TOLERANCE, slopes, values

import mochac
from mochac import (
    BiasLayer,
    ElementWiseLayer,
    GlobalPoolingLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    OptionError,
    PadLayer,
    PermuteLayer,
    Pooling,
    ReductionLayer,
    ScaleLayer,
    SliceLayer,
    TileLayer,
    UpsampleLayer,
)
from mochac import ElementWiseFunctors as F

XY = {"bottoms": ["x"], "tops": ["y"]}


def bilinear(x, factor):
    """Element by element, from the formula."""
    for axis in range(2, x.ndim):
        n, parts = x.shape[axis], []
        for o in range(n * factor):
            at = min(max((o + 0.5) / factor - 0.5, 0), n - 1)
            low = int(at)
            high = min(low + 1, n - 1)
            parts.append(x.take(low, axis) * (1 - at + low) + x.take(high, axis) * (at - low))
        x = np.stack(parts, axis)
    return x


def nearest(x, factor):
    for axis in range(2, x.ndim):
        x = x.repeat(factor, axis)
    return x


CASES = {
    "global mean": (GlobalPoolingLayer(**XY), lambda x: x.mean((2, 3), keepdims=True), (2, 3, 5)),
    "global max": (GlobalPoolingLayer(pooling=Pooling.Max(), **XY), lambda x: x.max((2, 3), keepdims=True), (2, 3, 5)),
    "global mean of 3 axes": (GlobalPoolingLayer(**XY), lambda x: x.mean((2, 3, 4), keepdims=True), (2, 2, 3, 2)),
    "nearest": (UpsampleLayer(factor=3, **XY), lambda x: nearest(x, 3), (2, 3, 2)),
    "nearest of a row": (UpsampleLayer(**XY), lambda x: nearest(x, 2), (3, 4)),
    "bilinear": (UpsampleLayer(mode="bilinear", **XY), lambda x: bilinear(x, 2), (2, 4, 3)),
    "bilinear by 3": (UpsampleLayer(mode="bilinear", factor=3, **XY), lambda x: bilinear(x, 3), (1, 3, 4)),
    "bilinear by 4 of a cell": (UpsampleLayer(mode="bilinear", factor=4, **XY), lambda x: bilinear(x, 4), (2, 1, 2)),
    "nearest by one each": (UpsampleLayer(factor=(3, 1), **XY), lambda x: x.repeat(3, 2), (2, 3, 2)),
    "bilinear by one each": (
        UpsampleLayer(mode="bilinear", factor=(1, 2), **XY),
        lambda x: bilinear(x.reshape(-1, 2, 3), 2).reshape(*x.shape[:3], 6),
        (1, 2, 3),
    ),
    "trilinear": (UpsampleLayer(mode="bilinear", **XY), lambda x: bilinear(x, 2), (1, 2, 3, 2)),
    "permute": (PermuteLayer(order=(0, 2, 3, 1), **XY), lambda x: x.transpose(0, 2, 3, 1), (2, 3, 5)),
    "tile": (TileLayer(tiles=3, axis=2, **XY), lambda x: np.tile(x, (1, 1, 3, 1)), (2, 3, 2)),
    "sum": (ReductionLayer(axes=(1, -1), **XY), lambda x: x.sum((1, 3)), (2, 3, 4)),
    "mean": (ReductionLayer(operation="mean", axes=2, **XY), lambda x: x.mean(2), (2, 3)),
    "sumsq": (ReductionLayer(operation="sumsq", axes=(1, 2), **XY), lambda x: (x**2).sum((1, 2)), (2, 3)),
    "asum": (ReductionLayer(operation="asum", axes=1, **XY), lambda x: abs(x).sum(1), (5,)),
}


@pytest.mark.parametrize("case", CASES)
def test_values_and_gradients(case):
    layer, formula, shape = CASES[case]
    x = np.random.default_rng(1).standard_normal((3, *shape))
    arriving = np.random.default_rng(2).standard_normal(formula(x).shape)
    y, grads = values([layer], {"x": x}, "y", arriving)
    np.testing.assert_allclose(y, formula(x), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(grads["x"], slopes(formula, x, arriving), atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("batch", [1, 16, 19])
@pytest.mark.parametrize("case", CASES)
def test_compiled(case, batch):
    layer, formula, shape = CASES[case]
    x = np.random.default_rng(3).standard_normal((batch, *shape))
    arriving = np.random.default_rng(4).standard_normal(formula(x).shape)
    _, exact = values([layer], {"x": x}, "y", arriving)
    for dtype in ("float32", "float64"):
        near = {"rtol": TOLERANCE[dtype], "atol": TOLERANCE[dtype]}
        y, grads = values([layer], {"x": x}, "y", arriving, dtype=dtype, compiled=True)
        np.testing.assert_allclose(y, formula(x), **near)
        np.testing.assert_allclose(grads["x"], exact["x"], **near)


@pytest.mark.parametrize("kind", [ScaleLayer, BiasLayer])
def test_numbers_from_a_second_bottom(kind):
    rng = np.random.default_rng(5)
    x, g = rng.standard_normal((3, 2, 2, 3)), rng.standard_normal((3, 2))
    arriving = rng.standard_normal(x.shape)
    y, grads = values([kind(axis=0, bottoms=["x", "g"], tops=["y"])], {"x": x, "g": g}, "y", arriving)
    wide = g[:, :, None, None]
    np.testing.assert_allclose(y, x * wide if kind is ScaleLayer else x + wide)
    np.testing.assert_allclose(grads["g"], (arriving * (x if kind is ScaleLayer else 1)).sum((2, 3)))
    np.testing.assert_allclose(grads["x"], arriving * (wide if kind is ScaleLayer else 1))


@pytest.mark.parametrize(
    ("axis", "num_axes", "shape", "wide"),
    [
        (1, 1, (3,), (3, 1, 1)),
        (2, 2, (4, 2), (4, 2)),
        (1, -1, (3, 4, 2), (3, 4, 2)),
        (-1, 1, (2,), (2,)),
        (1, 0, (), ()),
    ],
)
def test_learnt_numbers_lie_along_their_axes(axis, num_axes, shape, wide):
    x = np.random.default_rng(6).standard_normal((5, 3, 4, 2))
    layer = ScaleLayer(name="s", axis=axis, num_axes=num_axes, shifted=True, bottoms=["x"])
    data = MemoryDataLayer(data=[x], batch_size=5, tops=["x"])
    with mochac.compile(Net("scaled", [data, layer]), dtype="float64") as program:
        scale, shift = np.random.default_rng(7).standard_normal((2, *shape))
        program.params["s"]["scale"], program.params["s"]["shift"] = scale, shift
        np.testing.assert_allclose(program.predict(x), x * scale.reshape(wide) + shift.reshape(wide), rtol=1e-12)


@pytest.mark.parametrize("batch", [3, 16])
@pytest.mark.parametrize(("axis", "kept"), [(1, 1), (2, 2), (-1, 3)])
def test_products_of_rows(batch, axis, kept):
    """Every position in front of `axis` is a row; in training, prediction and a padded last batch alike."""
    rng = np.random.default_rng(8)
    x = rng.standard_normal((batch + 2, 2, 3, 4))
    data = MemoryDataLayer(data=[x], batch_size=batch, tops=["x"])
    layer = InnerProductLayer(name="ip", output_dim=5, axis=axis, bottoms=["x"])
    with mochac.compile(Net("rows", [data, layer]), dtype="float64") as program:
        w, b = program.params["ip"]["weight"][...], rng.standard_normal(5)
        program.params["ip"]["bias"] = b
        rows = x.reshape(*x.shape[:kept], -1)
        np.testing.assert_allclose(program.predict(x), rows @ w.T + b, rtol=1e-11, atol=1e-12)


def test_slices_are_the_parts_of_a_concatenation():
    x = np.random.default_rng(9).standard_normal((4, 6, 2))
    layer = SliceLayer(bottoms=["x"], tops=["a", "b", "c"], points=(1, 4))
    for top, part in zip(layer.tops, np.split(x, (1, 4), axis=1), strict=True):
        y, grads = values([layer], {"x": x}, top, np.ones_like(part))
        np.testing.assert_array_equal(y, part)
        assert grads["x"].sum() == part.size


def test_as_many_points_as_cuts():
    with pytest.raises(OptionError, match="tops and points differ in number\n  expected  1 points for 2 tops,  got  2"):
        SliceLayer(bottoms=["x"], tops=["a", "b"], points=(1, 2))


MANY = {
    "sum": (F.Add(), (), lambda a, b, c: a + b + c),
    "weighted": (F.Add(), (2, -1, 0.5), lambda a, b, c: 2 * a - b + 0.5 * c),
    "product": (F.Multiply(), (), lambda a, b, c: a * b * c),
    "maximum": (F.Maximum(), (), lambda a, b, c: np.maximum(np.maximum(a, b), c)),
}


@pytest.mark.parametrize("case", MANY)
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_three_bottoms(case, compiled):
    operation, coefficients, formula = MANY[case]
    given = dict(zip("abc", np.random.default_rng(10).standard_normal((3, 17, 3)), strict=True))
    layer = ElementWiseLayer(bottoms=list("abc"), tops=["y"], operation=operation, coefficients=coefficients)
    arriving = np.random.default_rng(11).standard_normal((17, 3))
    y, grads = values([layer], given, "y", arriving, compiled=compiled)
    np.testing.assert_allclose(y, formula(**given), rtol=1e-12)
    for name in given:
        wanted = slopes(lambda v, name=name: formula(**{**given, name: v}), given[name], arriving)
        np.testing.assert_allclose(grads[name], wanted, atol=1e-6)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"bottoms": ["a", "b", "c"], "operation": F.Divide()}, "expected  2 bottoms for Divide,  got  3"),
        ({"bottoms": ["a"]}, "expected  2 or more bottoms,  got  1"),
        ({"bottoms": ["a", "b"], "coefficients": (1,)}, "wrong number of coefficients\n  expected  one per bottom: 2"),
        ({"bottoms": ["a", "b"], "coefficients": (1, 2), "operation": F.Multiply()}, "coefficients need Add"),
    ],
)
def test_element_wise_refuses(fields, message):
    with pytest.raises(OptionError, match=message):
        ElementWiseLayer(**fields)


def test_an_open_layer_is_checked_when_its_bottoms_are_known():
    open_ = ElementWiseLayer(operation=F.Subtract())
    with pytest.raises(OptionError, match="expected  2 bottoms for Subtract,  got  3"):
        open_.replace(bottoms=["a", "b", "c"])


@pytest.mark.parametrize("factor", [0, -1, 1.5])
def test_factors_below_one_are_refused(factor):
    with pytest.raises(OptionError, match=r"(?s)layer 'up' \(Upsample\): factor is out of range.*an integer >= 1"):
        UpsampleLayer(name="up", factor=factor, bottoms=["x"])


def test_one_learnt_number_beside_a_window():
    """A parameter without axes is read in the kernel of a layer that sums over a window."""
    data = MemoryDataLayer(data=[np.ones((5, 4, 3, 3))], batch_size=5, tops=["x"])
    shifted = BiasLayer(name="b", num_axes=0, shift_init=mochac.ConstantInitializer(1.0), bottoms=["x"])
    net = Net("windows", [data, shifted, mochac.LRNLayer(name="lrn", power=1.0, bottoms=["b"])])
    with mochac.compile(net) as program:
        made = program.predict(np.ones((5, 4, 3, 3), np.float32))
    squares = 4 * np.array([3, 4, 4, 3])[:, None, None]
    np.testing.assert_allclose(made, np.broadcast_to(2 / (1 + squares / 5), (5, 4, 3, 3)), rtol=1e-6)


def test_a_border_of_large_numbers_changes_no_digits_inside():
    x = np.random.default_rng(0).normal(size=(3, 2, 4, 5)).astype(np.float32)
    net = Net("n", [
        mochac.InputLayer(name="x", shape=x.shape), PadLayer(before=1, after=(0, 2), value=-1e30, **XY),
    ])  # fmt: skip
    with mochac.compile(net) as program:
        expected = np.pad(x, [(0, 0), (0, 0), (1, 0), (1, 2)], constant_values=-1e30)
        np.testing.assert_array_equal(program.predict(x), expected)
