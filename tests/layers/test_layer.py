"""Layers as records: defaults, counts of blobs, messages, the user's line."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import mochac
from mochac import (
    AccuracyLayer,
    ConstantInitializer,
    ConvolutionLayer,
    DataError,
    DropoutLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    HDF5DataLayer,
    InnerProductLayer,
    L2Regu,
    MemoryDataLayer,
    Neurons,
    NoRegu,
    OptionError,
    Pooling,
    PoolingLayer,
    ReshapeLayer,
    SoftmaxLossLayer,
    SplitLayer,
    XavierInitializer,
)
from mochac.nets.layers.base import LAYERS


def here() -> int:
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def test_mochas_defaults():
    conv = ConvolutionLayer(name="c", bottoms=["x"])
    assert (conv.kernel, conv.stride, conv.pad, conv.n_filter, conv.n_group) == (1, 1, 0, 1, 1)
    assert (conv.filter_lr, conv.bias_lr) == (1.0, 2.0)
    assert (conv.filter_init, conv.bias_init) == (XavierInitializer(), ConstantInitializer(0))
    assert (conv.filter_regu, conv.bias_regu) == (L2Regu(1), NoRegu())
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["x"])
    assert (ip.weight_lr, ip.bias_lr, ip.neuron) == (1.0, 2.0, Neurons.Identity())
    assert (ip.weight_regu, ip.bias_regu, ip.param_key, ip.key) == (L2Regu(1), NoRegu(), "", "ip")
    pool = PoolingLayer(bottoms=["x"])
    assert (pool.kernel, pool.pooling, pool.divisor, pool.name) == (1, Pooling.Max(), "kernel", "pooling")
    drop = DropoutLayer(bottoms=["x"])
    assert (drop.ratio, drop.auto_scale) == (0.5, True)
    assert HDF5DataLayer(source="train.txt", batch_size=2).tops == ("data", "label")
    assert SoftmaxLossLayer(bottoms=["a", "b"]).weight == 1.0
    assert AccuracyLayer(bottoms=["a", "b"]).report_error is False


def test_tops_default_to_the_name():
    assert InnerProductLayer(name="ip", output_dim=3, bottoms=["x"]).tops == ("ip",)
    assert SoftmaxLossLayer(name="loss", bottoms=["a", "b"]).tops == ()


def test_a_size_is_one_integer_for_all_axes_or_one_per_axis():
    layer = ConvolutionLayer(name="c", bottoms=["x"], kernel=3, stride=np.int64(2), pad=[1, 0])
    assert (layer.kernel, layer.stride, layer.pad) == (3, 2, (1, 0))
    assert ReshapeLayer(bottoms=["x"], shape=[3, 4]).shape == (3, 4)


def test_replace_checks_and_keeps_the_rest():
    layer = ConvolutionLayer(name="c", bottoms=["x"], kernel=3)
    changed = layer.replace(bottoms=["y"])
    assert (changed.kernel, changed.bottoms, layer.bottoms) == (3, ("y",), ("x",))
    assert changed.origin[1] > layer.origin[1]
    with pytest.raises(OptionError, match="kernel is out of range"):
        layer.replace(kernel=0)
    with pytest.raises(OptionError, match=r"no field 'kernal'(.|\n)*did you mean 'kernel'"):
        layer.replace(kernal=1)


def test_default_tops_follow_a_new_name():
    layer = InnerProductLayer(name="ip1", output_dim=3, bottoms=["x"])
    assert layer.replace(name="ip2").tops == ("ip2",)
    assert layer.replace(name="ip2", tops=["y"]).replace(name="ip3").tops == ("y",)
    assert DropoutLayer(name="a", bottoms=["x"]).replace(name="b").tops == ()


def test_a_blob_may_be_both_bottoms():
    assert ElementWiseLayer(name="twice", bottoms=["x", "x"]).bottoms == ("x", "x")


def test_message_of_a_bad_value():
    line = here() + 2
    with pytest.raises(OptionError) as caught:
        ConvolutionLayer(name="conv1", bottoms=["data"], stride=(2, 0))
    assert caught.value.report == (
        "OptionError: layer 'conv1' (Convolution): stride is out of range\n"
        "  expected  an integer >= 1 or a tuple of them, one per spatial axis, such as (height, width),  got  (2, 0)\n"
        f"  at tests/layers/test_layer.py:{line}"
    )


def test_message_of_an_unknown_field():
    line = here() + 2
    with pytest.raises(OptionError) as caught:
        DropoutLayer(name="drop", bottoms=["x"], ration=0.2)
    assert str(caught.value) == (
        "layer 'drop' (Dropout): no field 'ration'\n"
        "  fields: name bottoms tops ratio auto_scale shared_axes alpha\n"
        "  hint: did you mean 'ratio'?\n"
        f"  at tests/layers/test_layer.py:{line}"
    )


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: InnerProductLayer(name="ip", bottoms=["x"]), "layer 'ip' (InnerProduct): field 'output_dim' must be"),
        (lambda: InnerProductLayer(output_dim=1, bottoms=["x"]), "InnerProductLayer: field 'name' must be given"),
        (lambda: PoolingLayer("pool1"), "layer 'pooling' (Pooling): takes keyword fields only"),
        (lambda: Neurons.ReLU(1, 2), "ReLU: takes at most 1 values"),
        (lambda: mochac.SoftmaxLayer(bottoms=["x"], dim=1), "hint: did you mean 'axis'?"),
        (lambda: mochac.InnerProductLayer(name="ip", bottoms=["x"], units=3), "hint: did you mean 'output_dim'?"),
        (lambda: mochac.InnerProductLayer(name="ip", bottoms=["x"], activation=0), "hint: did you mean 'neuron'?"),
        (lambda: mochac.ConvolutionLayer(name="c", bottoms=["x"], filters=3), "hint: did you mean 'n_filter'?"),
        (lambda: mochac.ConvolutionLayer(name="c", bottoms=["x"], num_output=3), "hint: did you mean 'n_filter'?"),
        (lambda: mochac.PoolingLayer(bottoms=["x"], pool_size=2), "hint: did you mean 'kernel'?"),
        (lambda: mochac.ArgmaxLayer(bottoms=["x"], axis=0), "hint: axis 0 is the batch; axis 1 is the channels"),
        (lambda: PoolingLayer(bottoms=["x"], pooling=Pooling.Max), "hint: write Pooling.Max() with parentheses"),
        (lambda: PoolingLayer(bottoms="x"), "hint: write ['x']"),
        (lambda: ConvolutionLayer(bottoms=[]), "wrong number of bottoms\n  expected  1 or more bottoms,  got  0"),
        (lambda: ElementWiseLayer(bottoms=["x"]), "wrong number of bottoms\n  expected  2 or more bottoms,  got  1"),
        (
            lambda: ElementWiseLayer(bottoms=["x"] * 3, operation=ElementWiseFunctors.Divide()),
            "wrong number of bottoms\n  expected  2 bottoms for Divide,  got  3",
        ),
        (lambda: SplitLayer(bottoms=["x"], tops=[]), "expected  1 or more tops,  got  0"),
        (lambda: ConvolutionLayer(bottoms=["x", "y"]), "hint: tops=[...] must be given with several bottoms"),
        (lambda: PoolingLayer(bottoms=["x"], tops=["a", "b"]), "expected  1 tops,  got  2"),
        (lambda: AccuracyLayer(bottoms=["a", "b"], tops=["c"]), "expected  0 tops,  got  1"),
        (lambda: DropoutLayer(bottoms=["a"], tops=["b", "c"]), "expected  1 top,  got  2"),
        (lambda: HDF5DataLayer(source="a", batch_size=1, bottoms=["x"]), "expected  0 bottoms,  got  1"),
    ],
)
def test_messages(make, words):
    with pytest.raises(OptionError) as caught:
        make()
    assert words in str(caught.value)
    assert "test_layer.py:" in str(caught.value)


def test_memory_data_takes_labels_of_any_shape_and_does_not_copy():
    x, y = np.zeros((4, 3), np.float64), np.arange(4)
    layer = MemoryDataLayer(data=[x, y], batch_size=2)
    assert [a.shape for a in layer.data] == [(4, 3), (4, 1)]
    x[0], y[0] = 7, 5
    assert layer.data[0][0, 0] == 7
    assert layer.data[1][0, 0] == 5
    assert "array" not in repr(layer)
    assert layer == layer
    assert layer != layer.replace(batch_size=3)
    assert hash(layer) == hash(layer)


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        ([np.zeros((4, 3)), np.zeros(3)], DataError, "arrays differ in their number of samples"),
        ([np.zeros((4, 3)), np.zeros(3)], DataError, "\n  got  'data': 4, 'label': 3\n"),
        ([np.zeros((0, 3)), np.zeros(0)], DataError, "there are no samples"),
        ([np.zeros((4, 3))], OptionError, "needs one array per top\n  expected  2 arrays,  got  1"),
        (np.zeros((4, 3)), OptionError, "hint: write data=[X, y], one array per top"),
    ],
)
def test_memory_data_refuses(data, error, words):
    with pytest.raises(error) as caught:
        MemoryDataLayer(name="train", data=data, batch_size=2)
    assert words in str(caught.value)
    assert "layer 'train' (MemoryData)" in str(caught.value)


def test_layers_are_equal_by_value_whatever_their_line():
    first = ConvolutionLayer(name="c", bottoms=["x"], kernel=3)
    second = ConvolutionLayer(name="c", bottoms=["x"], kernel=np.int64(3))
    assert first == second
    assert hash(first) == hash(second)
    assert first.origin != second.origin


def test_a_users_own_layer_is_a_class_under_the_decorator():
    from mochac.nets.layers.base import Layer, layer

    @layer
    class DoubleLayer(Layer):
        def emit(self, ctx, bottoms):
            return [ctx.scaled(bottoms[0], 2.0)]

    try:
        assert LAYERS["Double"] is DoubleLayer
        assert DoubleLayer(name="twice", bottoms=["x"]).tops == ("twice",)
    finally:
        LAYERS._items.pop("Double")
