"""Images with channels last: a word where windows slide over them, none about what may be meant."""

import logging

import numpy as np
import pytest

import mochac
from mochac import ConvolutionLayer, MemoryDataLayer, Net, PoolingLayer


def warnings(caplog, sample, *layers, name="data"):
    try:
        Net("images", [MemoryDataLayer(data=[np.zeros((2, *sample))], batch_size=2, tops=[name]), *layers])
    except mochac.ShapeError:
        pass  # the word comes all the same
    return [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]


@pytest.mark.parametrize(
    ("sample", "kernel", "pad"), [((32, 32, 3), 3, 0), ((28, 28, 1), 5, 2), ((20, 30, 4), 5, 0), ((28, 28, 1), 3, 0)]
)
def test_images_with_channels_last(caplog, sample, kernel, pad):
    name = f"images-{sample}-{kernel}-{pad}"  # each word comes once a process
    conv = ConvolutionLayer(name="conv", kernel=kernel, pad=pad, bottoms=[name])
    words = (
        f"layer 'conv' (Convolution): samples of blob {name!r} have the shape {sample}, which looks like "
        "(height, width, channels); expected (batch, channels, height, width): X.transpose(0, 3, 1, 2)"
    )
    assert warnings(caplog, sample, conv, name=name) == [words]
    assert warnings(caplog, sample, conv, name=name) == [words]


def test_the_hint_of_an_error():
    conv = ConvolutionLayer(name="conv", kernel=3, bottoms=["data"])
    with pytest.raises(mochac.ShapeError, match="kernel does not fit its input") as caught:
        Net("images", [MemoryDataLayer(data=[np.zeros((2, 28, 28, 1))], batch_size=2, tops=["data"]), conv])
    assert caught.value.hint == "channels come before height and width: X.transpose(0, 3, 1, 2)"
    with pytest.raises(mochac.ShapeError) as caught:
        Net("narrow", [MemoryDataLayer(data=[np.zeros((2, 1, 28, 2))], batch_size=2, tops=["data"]), conv])
    assert caught.value.hint == "pad=(0, 1), or a kernel of at most (28, 2)"


def test_pools_too(caplog):
    assert len(warnings(caplog, (9, 9, 3), PoolingLayer(kernel=3, bottoms=["rgb"]), name="rgb")) == 1


@pytest.mark.parametrize(
    ("sample", "kernel"),
    [((3, 32, 32), 3), ((1, 28, 28), 5), ((64, 4, 4), 3), ((3, 8, 3), 3), ((16, 100, 1), (5, 1)), ((20, 30, 5), 3)],
)
def test_what_may_be_meant(caplog, sample, kernel):
    assert warnings(caplog, sample, ConvolutionLayer(name="conv", kernel=kernel, bottoms=["data"])) == []


def test_layers_without_windows(caplog):
    ip = mochac.InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    assert warnings(caplog, (32, 32, 3), ip) == []


@pytest.mark.parametrize(("kernel", "said"), [(3, 1), ((3,), 0)])
def test_images_without_an_axis_of_channels(caplog, kernel, said):
    name = f"digits-{said}"
    conv = ConvolutionLayer(name="conv", kernel=kernel, bottoms=[name])
    words = (
        f"layer 'conv' (Convolution): samples of blob {name!r} have the shape (8, 8), which looks like (height, width) "
        "without an axis of channels; X[:, None] has one channel; kernel=(3,) says that they are signals"
    )
    assert warnings(caplog, (8, 8), conv, name=name) == [words][:said]


def test_signals_may_be_meant(caplog):
    assert warnings(caplog, (3, 128), ConvolutionLayer(name="conv", kernel=5, bottoms=["data"])) == []
