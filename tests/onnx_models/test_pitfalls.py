"""Where converters go wrong, there and back: onnxruntime and mochac compute the same, and the layers come back."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from model_kit import initial, interpreted, run, stored

import mochac
from mochac import (
    SGD,
    BatchNormLayer,
    ConcatLayer,
    ConvolutionLayer,
    GRULayer,
    InnerProductLayer,
    InputLayer,
    LSTMLayer,
    MemoryDataLayer,
    Net,
    PadLayer,
    Pooling,
    PoolingLayer,
    SoftmaxLossLayer,
)
from mochac.formats.onnx.export.save import to_model
from mochac.formats.onnx.loading import converted

RNG = np.random.default_rng(3)


def there_and_back(*layers, samples=5):
    """The layers behind an input as an ONNX model, which onnxruntime runs for any number of samples, and again as
    layers; returns the model and these."""
    net = Net("n", layers)
    arrays = {name: RNG.uniform(0.2, 1, a.shape).astype(np.float32) for name, a in initial(net).items()}
    model = to_model(net, arrays, "float32")
    x = RNG.normal(size=(samples, *net.blobs["x"].shape[1:])).astype(np.float32)
    (output,) = (o.name for o in model.graph.output)
    (wanted,) = interpreted(net, arrays, {"x": x}, [output])
    np.testing.assert_allclose(run(model, {"x": x})[0], wanted, rtol=1e-5, atol=1e-5)
    found = converted(model, "m.onnx")
    again = Net("again", found.layers)
    (y,) = interpreted(again, stored(again, found), {"x": x}, [output])
    np.testing.assert_allclose(y, wanted, rtol=1e-5, atol=1e-5)
    return model, found.layers[1:]


@pytest.mark.parametrize(("rounding", "size"), [("up", 4), ("down", 3)])
@pytest.mark.parametrize("pooling", [Pooling.Max(), Pooling.Mean()])
def test_rounding_of_a_pooling(rounding, size, pooling):
    images = InputLayer(name="x", shape=(2, 3, 7, 7))
    pool = PoolingLayer(name="p", kernel=2, stride=2, rounding=rounding, pooling=pooling, bottoms=["x"])
    model, (back, *_) = there_and_back(images, pool)
    assert [d.dim_value for d in model.graph.output[0].type.tensor_type.shape.dim[2:]] == [size, size]
    assert (back.kind, back.name, back.kernel) == ("Pooling", "p", 2)


def test_pads_that_differ_on_both_sides():
    images = InputLayer(name="x", shape=(2, 3, 7, 6))
    pool = PoolingLayer(name="p", kernel=3, stride=2, pad=(0, 1), pad_end=(2, 0), bottoms=["x"])
    model, (back,) = there_and_back(images, pool)
    (node,) = model.graph.node
    assert list(onnx.helper.get_node_attr_value(node, "pads")) == [0, 1, 2, 0]
    assert back.pad == (0, 1)
    pad = PadLayer(name="pad", before=(0, 1), after=(2, 0), bottoms=["x"])
    conv = ConvolutionLayer(name="c", kernel=3, stride=2, n_filter=2, bottoms=["pad"])
    _, layers = there_and_back(images, pad, conv)
    assert [layer.kind for layer in layers] == ["Pad", "Convolution"]


@pytest.mark.slow
def test_batch_norm_in_training_is_saved_as_it_predicts(tmp_path):
    """A program that trains has running statistics; the model uses them, not those of its batch."""
    x, y = RNG.normal(2, 3, (32, 4)).astype(np.float32), np.arange(32) % 2
    data = MemoryDataLayer(data=[x, y], tops=["x", "y"], batch_size=16)
    layers = [
        BatchNormLayer(name="bn", momentum=0.25, bottoms=["x"]),
        InnerProductLayer(name="ip", output_dim=2, bottoms=["bn"]),
    ]
    loss = SoftmaxLossLayer(name="loss", bottoms=["ip", "y"])
    with mochac.compile(Net("n", [data, *layers, loss]), mode="train", threads=1) as program:
        program.train(SGD(0.01), max_iter=5, verbose=0)
        program.save(tmp_path / "m.onnx")
        model = onnx.load(tmp_path / "m.onnx")
        np.testing.assert_allclose(run(model, {"x": x[:1]})[0], program.predict(x[:1]), rtol=1e-5, atol=1e-5)
        assert not np.allclose(program.states["bn"]["mean"][...], 0)
    (node,) = (node for node in model.graph.node if node.op_type == "BatchNormalization")
    assert {a.name for a in node.attribute} == {"epsilon", "momentum"}
    assert onnx.helper.get_node_attr_value(node, "momentum") == pytest.approx(0.75)
    net, _ = mochac.onnx.load(tmp_path / "m.onnx")
    assert net.layer("bn").momentum == 0.25


@pytest.mark.parametrize(("kind", "more"), [(LSTMLayer, {}), (GRULayer, {}), (GRULayer, {"reset": "before"})])
def test_orders_of_gates(kind, more):
    """Each gate has weights of another size, so that none can be mistaken for another."""
    sequence = InputLayer(name="x", shape=(2, 4, 3))
    layer = kind(name="r", output_dim=3, bidirectional=True, bottoms=["x"], **more)
    model, (back,) = there_and_back(sequence, layer)
    assert [node.op_type for node in model.graph.node] == ["Transpose", layer.kind, "Transpose", "Reshape", "Transpose"]
    assert back == layer.replace(tops=["r"]) or (back.kind, back.output_dim, back.bidirectional) == (
        layer.kind,
        3,
        True,
    )


def test_a_batch_is_open_unless_the_net_needs_it():
    x = InputLayer(name="x", shape=(4, 3))
    dense = InnerProductLayer(name="ip", output_dim=2, bottoms=["x"])
    model, _ = there_and_back(x, dense, samples=7)
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    both = ConcatLayer(name="both", axis=0, bottoms=["x", "x"])  # samples are counted
    net = Net("n", [x, both])
    model = to_model(net, {}, "float32")
    assert [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim] == [4, 3]
    frozen = onnx.ModelProto()
    frozen.CopyFrom(to_model(Net("n", [x, dense]), initial(Net("n", [x, dense])), "float32"))
    frozen.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 4
    found = converted(frozen, "m.onnx")
    assert Net("back", found.layers).batch == 4  # and predict() takes any number: test_import.py
