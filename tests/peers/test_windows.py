"""Convolutions, transposed convolutions and poolings over one to three axes beside PyTorch's, over random settings."""

from __future__ import annotations

import random

import numpy as np
import pytest
from torch_kit import CONV, MAX, MEAN, TRANSPOSED, compare

from mochac import ConvolutionLayer, DeconvolutionLayer, Pooling, PoolingLayer

SEEDS = range(6)
MOST = {1: 12, 2: 7, 3: 4}


def drawn(seed, axes):
    """A generator, a channel count with groups, and sizes per axis: image, kernel, stride, pad."""
    rng = random.Random(100 * axes + seed)
    group = rng.choice((1, 2, 3))
    image = tuple(rng.randint(2, MOST[axes]) for _ in range(axes))
    kernel = tuple(rng.randint(1, min(3, n)) for n in image)
    stride = tuple(rng.randint(1, 3) for _ in image)
    return rng, group, image, kernel, stride


def images(seed, *shape):
    return {"x": np.random.default_rng(seed).standard_normal(shape)}


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_convolution(seed, axes):
    rng, group, image, kernel, stride = drawn(seed, axes)
    pad = tuple(rng.randint(0, 2) for _ in image)
    dilation = tuple(rng.randint(1, max(1, (n + 2 * p - 1) // k)) for n, p, k in zip(image, pad, kernel, strict=True))
    sizes = {"stride": stride, "dilation": dilation}
    layer = ConvolutionLayer(
        name="c", n_filter=2 * group, n_group=group, kernel=kernel, pad=pad, bottoms=["x"], **sizes
    )
    compare(
        layer,
        images(seed, 3, group * rng.randint(1, 2), *image),
        lambda x, p: CONV[axes](x[0], p["filter"], p["bias"], padding=pad, groups=group, **sizes),
    )


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_deconvolution(seed, axes):
    rng, group, image, kernel, stride = drawn(seed, axes)
    pad = tuple(rng.randint(0, (k - 1) // 2) for k in kernel)
    more = tuple(rng.randint(0, s - 1) for s in stride)
    dilation = tuple(rng.choice((1, 1, 2)) for _ in image)
    sizes = {"stride": stride, "dilation": dilation}
    layer = DeconvolutionLayer(
        name="d", n_filter=2 * group, n_group=group, kernel=kernel, pad=pad, output_pad=more, bottoms=["x"], **sizes
    )
    compare(
        layer,
        images(seed, 3, group * rng.randint(1, 2), *image),
        lambda x, p: TRANSPOSED[axes](
            x[0], p["filter"], p["bias"], padding=pad, output_padding=more, groups=group, **sizes
        ),
    )


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rounding", ["up", "down"])
def test_pooling(seed, axes, rounding):
    """ceil_mode is rounding; PyTorch allows padding up to half of the kernel."""
    rng, _, image, kernel, stride = drawn(seed, axes)
    pad = tuple(k // 2 for k in kernel) if rng.random() < 0.7 else (0,) * axes
    window = {"kernel": kernel, "stride": stride, "pad": pad, "rounding": rounding}
    theirs = {"kernel_size": kernel, "stride": stride, "padding": pad, "ceil_mode": rounding == "up"}
    x = images(seed, 3, 2, *image)
    compare(PoolingLayer(name="p", bottoms=["x"], **window), x, lambda x, p: MAX[axes](x[0], **theirs))
    for divisor, counted in (("caffe", True), ("valid", False)):
        layer = PoolingLayer(name="p", pooling=Pooling.Mean(), divisor=divisor, bottoms=["x"], **window)
        compare(layer, x, lambda x, p, counted=counted: MEAN[axes](x[0], **theirs, count_include_pad=counted))


def test_mochas_mean_divides_by_the_whole_kernel():
    """The default, "kernel": it differs from PyTorch's where a window overhangs the padded image."""
    window = {"kernel": 3, "stride": 2, "pooling": Pooling.Mean()}
    theirs = {"kernel_size": 3, "stride": 2, "ceil_mode": True}
    layer = PoolingLayer(name="p", bottoms=["x"], **window)
    compare(layer, images(0, 2, 2, 6, 6), lambda x, p: MEAN[2](x[0], **theirs, divisor_override=9))
    with pytest.raises(AssertionError, match="top"):
        compare(layer, images(0, 2, 2, 6, 6), lambda x, p: MEAN[2](x[0], **theirs))
