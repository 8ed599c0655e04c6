"""ArgmaxLayer and Index2OnehotLayer against NumPy; labels out of range; no gradient through them."""

from __future__ import annotations

import numpy as np
import pytest
from layer_values import values

import mochac
from mochac import (
    ArgmaxLayer,
    DataError,
    Index2OnehotLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    ShapeError,
    SoftmaxLossLayer,
    SquareLossLayer,
)

rng = np.random.default_rng(20261121)


def check_argmax(shape, axis, **how):
    x = rng.integers(0, 4, shape).astype(float)  # with ties
    y, _ = values([ArgmaxLayer(name="y", bottoms=["x"], axis=axis)], {"x": x}, "y", **how)
    np.testing.assert_array_equal(y, np.argmax(x, axis=axis)[(slice(None),) * (axis % x.ndim) + (None,)])


def check_onehot(shape, axis, classes, **how):
    shape = tuple(1 if a == axis % len(shape) else d for a, d in enumerate(shape))
    label = rng.integers(0, classes, shape).astype(float)
    y, _ = values([Index2OnehotLayer(name="y", bottoms=["x"], axis=axis, n_class=classes)], {"x": label}, "y", **how)
    wanted = np.zeros((*shape[: axis % len(shape)], classes, *shape[axis % len(shape) + 1 :]))
    np.put_along_axis(wanted, label.astype(int), 1.0, axis=axis)
    np.testing.assert_array_equal(y, wanted)


SHAPES = [((5, 3), 1), ((4, 2, 3), 2), ((3, 4, 2, 2), 1), ((2, 3, 2, 3, 2), -2), ((3, 1), 1)]


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_interpreted(shape, axis):
    check_argmax(shape, axis)
    check_onehot(shape, axis, 4)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("batch", [1, 16, 19])
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_compiled(shape, axis, batch, dtype):
    check_argmax((batch, *shape[1:]), axis, dtype=dtype, compiled=True)
    check_onehot((batch, *shape[1:]), axis, 7, dtype=dtype, compiled=True)


def test_the_first_of_equals_and_nan():
    """NaN counts as the largest, as in NumPy."""
    nan = np.nan
    x = np.array([[1, 3, 3], [-np.inf] * 3, [1, nan, 3], [nan, 5, nan], [nan] * 3, [4, np.inf, nan]])
    for compiled in (False, True):
        y, _ = values([ArgmaxLayer(name="y", bottoms=["x"])], {"x": x}, "y", compiled=compiled)
        assert y[:, 0].tolist() == [1, 0, 1, 0, 0, 2] == np.argmax(x, axis=1).tolist()


def test_argmax_of_onehot_is_the_label():
    label = rng.integers(0, 6, (9, 1)).astype(float)
    layers = [Index2OnehotLayer(name="hot", bottoms=["x"], n_class=6), ArgmaxLayer(name="y", bottoms=["hot"])]
    np.testing.assert_array_equal(values(layers, {"x": label}, "y")[0], label)


@pytest.mark.slow
def test_labels_are_checked_while_they_are_read():
    data = MemoryDataLayer(data=[np.zeros((6, 3)), [0, 1, 2, 3, 1, 0]], batch_size=3)
    hot = Index2OnehotLayer(name="hot", bottoms=["label"], n_class=3)
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
    net = Net("labels", [data, hot, ip, SquareLossLayer(name="loss", bottoms=["ip", "hot"])])
    with mochac.compile(net) as program:
        program.forward()
        with pytest.raises(DataError) as caught:
            program.forward()
    assert "label out of range\n  expected  0 <= label < 3,  got  3" in str(caught.value)
    assert "blob 'label', sample 3" in str(caught.value)


def test_no_gradient_flows_through():
    """The step of the interpreter, so that nothing is compiled: the part before argmax gets zeros."""
    data = MemoryDataLayer(data=[rng.standard_normal((6, 3)), np.arange(6) % 4], batch_size=6)
    judge = InnerProductLayer(name="judge", output_dim=4, bottoms=["data"])
    label = ArgmaxLayer(name="choice", bottoms=["judge"])
    ip = InnerProductLayer(name="ip", output_dim=4, bottoms=["data"])
    net = Net("distilled", [data, judge, label, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "choice"])])
    checked = mochac.check_gradients(net)
    assert checked.ok
    assert set(checked.errors) == {"judge.weight", "judge.bias", "ip.weight", "ip.bias"}


@pytest.mark.parametrize(
    ("layer", "rule"),
    [
        (ArgmaxLayer(name="y", bottoms=["data"], axis=2), "axis 2 is not an axis of its input"),
        (Index2OnehotLayer(name="y", bottoms=["data"], n_class=3), "labels are one class index along axis 1"),
    ],
)
def test_refused(layer, rule):
    data = MemoryDataLayer(data=[np.zeros((4, 3))], batch_size=2, tops=["data"])
    with pytest.raises(ShapeError, match=rule):
        Net("bad", [data, layer])
