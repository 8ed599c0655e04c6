"""Samples by which nets are quantized: every form, and every mistake with its message."""

import h5py
import numpy as np
import pytest
from quantized_kit import images, lenet, quantized

from mochac import InnerProductLayer, InputLayer, Net, PoolingLayer
from mochac.base.errors import DataError, OptionError, ShapeError, UnsupportedError

SHAPE = (1, 12, 12)


def ranges(given, **how):
    return quantized(lenet(), given, **how).quantized.ranges


@pytest.mark.slow
def test_all_forms_of_samples_give_the_same_ranges(tmp_path):
    x, labels = images(SHAPE), np.arange(24) % 5
    np.save(tmp_path / "x.npy", x)
    np.savez(tmp_path / "x.npz", data=x, label=labels)
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["data"], file["label"] = x, labels
    wanted = ranges(x)
    for given in ({"data": x}, "data layers", *(str(tmp_path / f"x.{end}") for end in ("npy", "npz", "h5"))):
        assert ranges(given) == wanted
    assert quantized(lenet(), str(tmp_path / "x.npz")).loss[0].integer_accuracy is not None
    assert quantized(lenet(), x).loss[0].integer_accuracy is None


@pytest.mark.slow
def test_percentiles_leave_out_the_ends():
    x = images(SHAPE, 64)
    x[3, 0, 5, 5] = 1000.0
    whole, middle = ranges(x), ranges(x, percentile=99.9)
    assert whole["data"][1] == 1000.0 and middle["data"][1] < 10.0
    assert ranges(x, percentile=99.9) == middle


WRONG = [
    (images((1, 12, 11)), ShapeError, "input 'data' does not fit its data layer"),
    (images(SHAPE, 7), DataError, "quantize: too few samples"),
    (images(SHAPE, 0), DataError, "quantize: too few samples"),
    (np.full((9, *SHAPE), np.nan, np.float32), DataError, "quantize: a number is not finite"),
    ({"label": np.zeros(9)}, OptionError, "quantize needs samples of 'data'"),
    ({"data": images(SHAPE), "lable": np.zeros(24)}, OptionError, "quantize: no data layer makes 'lable'"),
    ({"data": images(SHAPE), "label": np.zeros(23)}, ShapeError, "quantize: the arrays differ in their number"),
    ("nothing.npy", DataError, "quantize: nothing.npy cannot be read"),
    ("nothing.csv", OptionError, "quantize: not a file of samples"),
    (3.5, OptionError, "quantize takes samples"),
]


@pytest.mark.parametrize(("given", "error", "message"), WRONG)
def test_wrong_samples_are_refused(given, error, message):
    with pytest.raises(error, match=message):
        quantized(lenet(), given)


@pytest.mark.parametrize("percentile", [50, 101, True, "99", float("nan")])
def test_wrong_percentiles_are_refused(percentile):
    with pytest.raises(OptionError, match="quantize: percentile is out of range"):
        quantized(lenet(), images(SHAPE), percentile=percentile)


def test_nets_without_data_of_their_own_need_arrays():
    inputs = InputLayer(name="x", shape=(2, 3))
    net = Net("empty", [inputs, InnerProductLayer(name="ip", output_dim=2, bottoms=["x"])])
    with pytest.raises(OptionError, match="quantize: 'x' has no data layer with data"):
        quantized(net, outputs=("ip",))
    assert quantized(net, images((3,)), outputs=("ip",)).loss[0].scale > 0


def test_nets_without_products_are_refused():
    inputs = InputLayer(name="x", shape=(2, 2, 4, 4))
    net = Net("pools", [inputs, PoolingLayer(name="p", kernel=2, stride=2, bottoms=["x"], tops=["p"])])
    with pytest.raises(UnsupportedError, match="net 'pools' has no layer to quantize"):
        quantized(net, images((2, 4, 4)), outputs=("p",))
