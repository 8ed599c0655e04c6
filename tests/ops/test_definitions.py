"""References against definitions written a second time, plainly: loops in float64, no shared code."""

import itertools

import numpy as np
import pytest

from mochac.ir.op import OPS

SEED = 7


def numbers(*shape):
    return np.random.default_rng(SEED).uniform(-1, 1, shape)


def slow_conv(x, w, stride, pad, group):
    (n, c, h, width), (f, cg, kh, kw) = x.shape, w.shape
    out = [(s + 2 * p - k) // t + 1 for s, p, k, t in zip((h, width), pad, (kh, kw), stride, strict=True)]
    y = np.zeros((n, f, *out))
    for i, o, a, b in np.ndindex(y.shape):
        for ci, p, q in np.ndindex(cg, kh, kw):
            row, col = a * stride[0] - pad[0] + p, b * stride[1] - pad[1] + q
            if 0 <= row < h and 0 <= col < width:
                y[i, o, a, b] += x[i, o // (f // group) * (c // group) + ci, row, col] * w[o, ci, p, q]
    return y


@pytest.mark.parametrize(
    ("x", "w", "stride", "pad", "group"),
    [
        ((2, 3, 6, 5), (4, 3, 3, 2), (1, 1), (0, 0), 1),
        ((2, 2, 7, 4), (3, 2, 3, 3), (2, 3), (1, 2), 1),
        ((1, 4, 5, 5), (6, 2, 1, 5), (1, 2), (3, 0), 2),
        ((1, 1, 1, 1), (1, 1, 1, 1), (1, 1), (0, 0), 1),
    ],
)
def test_conv_and_its_gradients_are_the_sum_over_windows(x, w, stride, pad, group):
    x, w = numbers(*x), numbers(*w)
    attrs = {"stride": stride, "pad": pad, "group": group}
    y = slow_conv(x, w, stride, pad, group)
    np.testing.assert_allclose(OPS["conv"].reference(x, w, **attrs), y, atol=1e-12)
    bias = numbers(w.shape[0])
    np.testing.assert_allclose(OPS["conv"].reference(x, w, bias, **attrs), y + bias[:, None, None], atol=1e-12)
    # the gradients are the transposes of this linear map: <dy, conv(x, w)> == <dx(dy, w), x> == <dw(x, dy), w>
    dy = numbers(*y.shape)
    dx = OPS["conv_dx"].reference(dy, w, shape=x.shape, **attrs)
    dw = OPS["conv_dw"].reference(x, dy, kernel=w.shape[2:], **attrs)
    other = numbers(*x.shape)[::-1] ** 2
    assert np.sum(dy * slow_conv(other, w, stride, pad, group)) == pytest.approx(np.sum(dx * other))
    assert np.sum(dy * y) == pytest.approx(np.sum(dw * w))


def slow_pool(x, kernel, stride, pad, out, divisor):
    """(max, place, mean) of windows clipped to the image."""
    h, width = x.shape[2:]
    best, place, mean = np.zeros((*x.shape[:2], *out)), np.zeros((*x.shape[:2], *out), int), None
    mean = best.copy()
    for n, c, a, b in np.ndindex(best.shape):
        top, left = a * stride[0] - pad[0], b * stride[1] - pad[1]
        cells = {
            i * kernel[1] + j: x[n, c, top + i, left + j]
            for i, j in itertools.product(range(kernel[0]), range(kernel[1]))
            if 0 <= top + i < h and 0 <= left + j < width
        }
        place[n, c, a, b] = max(cells, key=lambda k: (cells[k], -k))
        best[n, c, a, b] = cells[place[n, c, a, b]]
        high = (min(top + kernel[0], h + pad[0]) - top) * (min(left + kernel[1], width + pad[1]) - left)
        count = {"kernel": kernel[0] * kernel[1], "caffe": high, "valid": len(cells)}[divisor]
        mean[n, c, a, b] = sum(cells.values()) / count
    return best, place, mean


POOLS = [
    ((2, 1, 6, 6), (2, 2), (2, 2), (0, 0), (3, 3)),
    ((1, 2, 7, 5), (2, 2), (2, 2), (0, 0), (4, 3)),  # rounded up: the last window overhangs
    ((1, 1, 7, 6), (3, 2), (2, 1), (1, 1), (4, 7)),
    ((1, 1, 4, 4), (3, 3), (2, 2), (1, 1), (3, 3)),
    ((1, 1, 3, 3), (2, 2), (2, 2), (1, 1), (2, 2)),
    ((1, 1, 5, 5), (1, 1), (3, 3), (0, 0), (2, 2)),  # Mocha reads outside the image here
]


@pytest.mark.parametrize(("x", "kernel", "stride", "pad", "out"), POOLS)
@pytest.mark.parametrize("divisor", ["kernel", "caffe", "valid"])
def test_pooling_is_taken_over_clipped_windows(x, kernel, stride, pad, out, divisor):
    x = numbers(*x).round(1)  # ties: the first maximum wins
    attrs = {"kernel": kernel, "stride": stride, "pad": pad}
    best, place, mean = slow_pool(x, kernel, stride, pad, out, divisor)
    y, index = OPS["max_pool"].reference(x, **attrs)
    np.testing.assert_array_equal(y, best)
    np.testing.assert_array_equal(index, place)
    np.testing.assert_allclose(OPS["mean_pool"].reference(x, divisor=divisor, **attrs), mean, atol=1e-12)
    dy = numbers(*y.shape)
    dx = OPS["max_pool_dx"].reference(dy, index, shape=x.shape, **attrs)
    assert np.sum(dx * x) == pytest.approx(np.sum(dy * best))
    dx = OPS["mean_pool_dx"].reference(dy, shape=x.shape, divisor=divisor, **attrs)
    assert np.sum(dx * x) == pytest.approx(np.sum(dy * mean))


def test_max_pool_keeps_a_nan_and_handles_minus_infinity():
    x = np.array([[[[1.0, np.nan, -np.inf, -np.inf], [3.0, 2.0, -np.inf, -np.inf]]]])
    y, index = OPS["max_pool"].reference(x, kernel=(2, 2), stride=(2, 2), pad=(0, 0))
    np.testing.assert_array_equal(y, [[[[np.nan, -np.inf]]]])
    assert index.tolist() == [[[[1, 0]]]]


def test_max_pool_counts_places_of_large_windows_in_more_than_a_byte():
    y, index = OPS["max_pool"].reference(
        np.arange(144.0).reshape(1, 1, 12, 12), kernel=(12, 12), stride=(1, 1), pad=(0, 0)
    )
    assert (y.item(), index.item(), index.dtype) == (143.0, 143, np.int32)


def test_softmax_loss_is_minus_the_log_of_softmax_at_the_label():
    pred, label = numbers(4, 3, 2), np.array([[[0, 1]], [[2, 2]], [[1, 0]], [[0, 0]]], float)
    loss, grad = OPS["softmax_loss"].reference(pred, label, axis=1)
    y = OPS["softmax"].reference(pred, axis=1)
    np.testing.assert_allclose(y, np.exp(pred) / np.exp(pred).sum(axis=1, keepdims=True))
    for n, s in np.ndindex(4, 2):
        k = int(label[n, 0, s])
        assert loss[n, s] == pytest.approx(-np.log(y[n, k, s]))
        np.testing.assert_allclose(grad[n, :, s], y[n, :, s] - (np.arange(3) == k))


def test_softmax_loss_is_finite_for_predictions_far_apart():
    loss, grad = OPS["softmax_loss"].reference(
        np.array([[1e4, -1e4]], np.float32), np.array([[1.0]], np.float32), axis=1
    )
    assert loss.tolist() == [2e4]
    assert grad.tolist() == [[1.0, -1.0]]


def test_accuracy_takes_the_first_maximum_and_never_a_nan():
    pred = np.array([[1.0, 1.0, 0.0], [np.nan, 0.0, 0.5], [-np.inf, -np.inf, -np.inf]])
    for label, expected in ((0.0, [1, 0, 1]), (1.0, [0, 0, 0]), (2.0, [0, 1, 0])):
        assert OPS["accuracy"].reference(pred, np.full((3, 1), label), axis=1).tolist() == expected


def test_dropout_mask_is_fixed_by_key_step_sample_and_feature():
    draw = OPS["dropout_mask"].reference
    attrs = {"key": 123456789, "ratio": 0.3, "shape": (8, 5, 4), "batch": True}
    mask = draw(np.int64(7), **attrs)
    np.testing.assert_array_equal(mask[:3], draw(np.int64(7), **{**attrs, "shape": (3, 20)}).reshape(3, 5, 4))
    assert (mask != draw(np.int64(8), **attrs)).any()
    assert (mask != draw(np.int64(7), **{**attrs, "key": 987654321})).any()


def test_dropout_mask_keeps_the_share_it_says():
    kept = OPS["dropout_mask"].reference(np.int64(1), key=5, ratio=0.25, shape=(200, 500), batch=True).mean()
    assert kept == pytest.approx(0.75, abs=0.006)  # 4 standard deviations


def test_mask_batch_clears_what_is_not_a_sample():
    y = OPS["mask_batch"].reference(np.array([[1.0], [2.0], [np.nan]]), np.int64(2))
    assert y.tolist() == [[1.0], [2.0], [0.0]]
