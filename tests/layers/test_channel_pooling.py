"""ChannelPoolingLayer and the departures of PoolingLayer against their formulas, written out in float64."""

import math

import numpy as np
import pytest
from layers.layer_values import TOLERANCE, values

from mochac import ChannelPoolingLayer, Net, OptionError, Pooling, PoolingLayer, ShapeError
from mochac import MemoryDataLayer as Data

MAX, MEAN = Pooling.Max(), Pooling.Mean()


def length(n, kernel, stride, front, back):
    """Mocha's: round up, then drop a last window that starts beyond the end."""
    out = math.ceil((n + front + back - kernel) / stride) + 1
    return out - 1 if (out - 1) * stride >= n + front else out


def pooled(x, arriving, axis, kernel, stride, pad, pooling):
    """y and dx, window by window: the first maximum, or the mean over `kernel` elements."""
    front, back = pad
    x, n = np.moveaxis(x, axis, -1), x.shape[axis]
    out = length(n, kernel, stride, front, back)
    y, dx = np.zeros((*x.shape[:-1], out)), np.zeros_like(x)
    weights = np.moveaxis(arriving(out), axis, -1)
    for row in np.ndindex(x.shape[:-1]):
        for o in range(out):
            cells = range(max(0, o * stride - front), min(n, o * stride - front + kernel))
            if pooling == MAX:
                best = max(cells, key=lambda i: (x[row][i], -i))
                y[row][o] = x[row][best]
                dx[row][best] += weights[row][o]
            else:
                y[row][o] = sum(x[row][i] for i in cells) / kernel
                for i in cells:
                    dx[row][i] += weights[row][o] / kernel
    return np.moveaxis(y, -1, axis), np.moveaxis(dx, -1, axis)


def check(x, axis=1, kernel=3, stride=2, pad=(0, 0), pooling=MAX, *, dtype="float64", compiled=False):
    layer = ChannelPoolingLayer(
        bottoms=["x"], tops=["y"], axis=axis, kernel=kernel, stride=stride, pad=pad, pooling=pooling
    )
    axis %= x.ndim

    def arriving(out):
        shape = (*x.shape[:axis], out, *x.shape[axis + 1 :])
        return np.random.default_rng(7).standard_normal(shape)

    wide = x.astype(dtype).astype(np.float64)
    wanted, dx = pooled(wide, arriving, axis, kernel, stride, pad, pooling)
    out = wanted.shape[axis]
    y, grads = values([layer], {"x": x}, "y", arriving(out), dtype=dtype, compiled=compiled)
    np.testing.assert_allclose(y, wanted, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])
    np.testing.assert_allclose(grads["x"], dx, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


def draw(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


def test_defaults_are_mochas():
    layer = ChannelPoolingLayer(bottoms=["x"])
    assert (layer.kernel, layer.stride, layer.pad, layer.axis, layer.pooling) == (1, 1, (0, 0), 1, MAX)
    assert ChannelPoolingLayer(bottoms=["x"], kernel=4, pad=2).pad == (2, 2)


@pytest.mark.parametrize("pooling", [MAX, MEAN])
@pytest.mark.parametrize("pad", [(0, 0), (1, 2), (2, 0)])
def test_channels(pooling, pad):
    check(draw(1, 2, 7, 2, 3), pad=pad, pooling=pooling)


def test_sizes_round_up_and_drop_what_starts_beyond_the_end():
    for n, kernel, stride, pad in ((5, 2, 2, (0, 0)), (5, 1, 3, (0, 0)), (4, 2, 2, (1, 1)), (3, 3, 2, (2, 2))):
        check(draw(2, 2, n), kernel=kernel, stride=stride, pad=pad)


def test_ties_go_to_the_first_and_nan_stays():
    layer = ChannelPoolingLayer(bottoms=["x"], tops=["y"], kernel=3)
    x = np.array([[1.0, 1.0, 1.0], [0.0, np.nan, 2.0]])
    y, grads = values([layer], {"x": x}, "y", np.ones((2, 1)))
    np.testing.assert_array_equal(y, [[1.0], [np.nan]])
    np.testing.assert_array_equal(grads["x"][0], [1.0, 0.0, 0.0])


@pytest.mark.slow
def test_compiled():
    check(draw(3, 17, 6, 2, 2), pad=(1, 2), pooling=MEAN, dtype="float32", compiled=True)


@pytest.mark.sampled(0, test=4)
@pytest.mark.parametrize("seed", range(24))
def test_random_settings(seed):
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(2, 6))
    shape = (int(rng.choice([1, 2, 3, 17])), *(int(n) for n in rng.integers(1, 8, rank - 1)))
    axis = int(rng.choice([a for a in range(1 - rank, rank) if a]))
    kernel = int(rng.integers(1, 6))
    pad = tuple(int(p) for p in rng.integers(0, kernel, 2))
    if shape[axis] + sum(pad) < kernel:
        kernel, pad = 1, (0, 0)
    settings = {"axis": axis, "kernel": kernel, "stride": int(rng.integers(1, 5)), "pad": pad}
    print(shape, settings)
    for pooling in (MAX, MEAN):
        for dtype, compiled in (("float64", False), ("float32", True), ("float64", True)):
            check(rng.standard_normal(shape), **settings, pooling=pooling, dtype=dtype, compiled=compiled)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"kernel": 6},
            "the kernel does not fit its axis\n  expected  length + front + back >= kernel,  got  5 + 0 + 0",
        ),
        ({"kernel": 2, "pad": (0, 2)}, "padding must be smaller than the pooling kernel"),
        ({"axis": 3}, "layer 'channel-pooling' (ChannelPooling)"),
    ],
)
def test_wrong_shapes(fields, words):
    data = Data(data=[np.zeros((4, 5, 2))], batch_size=2, tops=["x"])
    with pytest.raises((ShapeError, OptionError)) as caught:
        Net("n", [data, ChannelPoolingLayer(bottoms=["x"], **fields)])
    assert words in str(caught.value)
    assert "test_channel_pooling.py:" in str(caught.value)


def image_pooled(x, kernel, stride, pad, pooling, divisor):
    """PoolingLayer of one plane."""
    sizes = [length(n, k, s, p, p) for n, k, s, p in zip(x.shape, kernel, stride, pad, strict=True)]
    y = np.empty(sizes)
    for o in np.ndindex(*sizes):
        start = [i * s - p for i, s, p in zip(o, stride, pad, strict=True)]
        inside = [slice(max(0, a), min(n, a + k)) for a, n, k in zip(start, x.shape, kernel, strict=True)]
        cells = x[tuple(inside)]
        padded = math.prod(min(a + k, n + p) - a for a, n, k, p in zip(start, x.shape, kernel, pad, strict=True))
        count = {"kernel": math.prod(kernel), "valid": cells.size, "caffe": padded}[divisor]
        y[o] = cells.max() if pooling == MAX else cells.sum() / count
    return y


@pytest.mark.parametrize("divisor", ["kernel", "caffe", "valid"])
def test_divisors_of_image_pooling(divisor):
    x = draw(5, 2, 2, 7, 6)
    for kernel, stride, pad in (((3, 3), (2, 2), (0, 0)), ((3, 2), (2, 2), (1, 1)), ((2, 3), (3, 2), (1, 2))):
        layer = PoolingLayer(
            bottoms=["x"], tops=["y"], kernel=kernel, stride=stride, pad=pad, pooling=MEAN, divisor=divisor
        )
        y, _ = values([layer], {"x": x}, "y")
        wanted = [[image_pooled(plane, kernel, stride, pad, MEAN, divisor) for plane in image] for image in x]
        np.testing.assert_allclose(y, wanted, rtol=1e-12)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_pooling_over_nan_gives_nan(compiled):
    x = draw(6, 1, 1, 4, 4)
    x[0, 0, 1, 2] = np.nan
    for pooling in (MAX, MEAN):
        layer = PoolingLayer(bottoms=["x"], tops=["y"], kernel=2, stride=2, pooling=pooling)
        y, _ = values([layer], {"x": x}, "y", compiled=compiled)
        assert np.isnan(y).tolist() == [[[[False, True], [False, False]]]]
    y, _ = values([PoolingLayer(bottoms=["x"], tops=["y"], kernel=4)], {"x": np.full((1, 1, 4, 4), np.nan)}, "y")
    assert np.isnan(y).all()
