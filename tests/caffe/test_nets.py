"""Prototxt files become the layers their authors meant: three syntaxes, phases, in-place layers, data, complaints."""

import re

import h5py
import numpy as np
import pytest

import mochac
from mochac import (
    AccuracyLayer,
    ConstantInitializer,
    ConvolutionLayer,
    DataTransformers,
    DropoutLayer,
    GaussianInitializer,
    GlorotUniformInitializer,
    HeNormalInitializer,
    InnerProductLayer,
    L1Regu,
    L2Regu,
    MemoryDataLayer,
    MulticlassHingeLossLayer,
    Neurons,
    NoRegu,
    ParameterLayer,
    Pooling,
    PoolingLayer,
    SoftmaxLossLayer,
    UniformInitializer,
    XavierInitializer,
)
from mochac.formats.caffe.builder import CONVERTERS
from mochac.formats.caffe.layers.data import FOREIGN
from mochac.formats.caffe.text import scan

pytest.importorskip("google.protobuf", reason="Caffe's files need the package protobuf")

DATA = 'layer { name: "d" type: "Data" top: "data" top: "label" transform_param { scale: 0.5 } %s }\n'
BODY = """\
layer { name: "conv" type: "Convolution" bottom: "data" top: "conv"
  param { lr_mult: 1 decay_mult: 1 } param { lr_mult: 2 decay_mult: 0 }
  convolution_param { num_output: 4 kernel_size: 3 pad: 1 stride: 2 group: 2
    weight_filler { type: "gaussian" std: 0.01 } bias_filler { type: "constant" value: 0.1 } } }
layer { name: "relu" type: "ReLU" bottom: "conv" top: "conv" }
layer { name: "pool" type: "Pooling" bottom: "conv" top: "pool" pooling_param { pool: AVE kernel_size: 2 stride: 2 } }
layer { name: "ip" type: "InnerProduct" bottom: "pool" top: "ip" inner_product_param { num_output: 3
  weight_filler { type: "xavier" } } }
layer { name: "drop" type: "Dropout" bottom: "ip" top: "ip" dropout_param { dropout_ratio: 0.4 } }
layer { name: "accuracy" type: "Accuracy" bottom: "ip" bottom: "label" top: "accuracy" include { phase: TEST } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" exclude { phase: TEST } }
"""
NEW = 'name: "n"\n' + DATA % "include { phase: TRAIN }" + DATA % "include { phase: TEST }" + BODY

OLD = """\
name: "n"
layers { name: "conv" type: CONVOLUTION bottom: "data" top: "conv"
  blobs_lr: 1 blobs_lr: 2 weight_decay: 1 weight_decay: 0
  convolution_param { num_output: 4 kernel_size: 3 pad: 1 stride: 2 group: 2
    weight_filler { type: "gaussian" std: 0.01 } bias_filler { type: "constant" value: 0.1 } } }
layers { name: "relu" type: RELU bottom: "conv" top: "conv" }
layers { name: "pool" type: POOLING bottom: "conv" top: "pool" pooling_param { pool: AVE kernel_size: 2 stride: 2 } }
layers { name: "ip" type: INNER_PRODUCT bottom: "pool" top: "ip" inner_product_param { num_output: 3
  weight_filler { type: "xavier" } } }
layers { name: "loss" type: SOFTMAX_LOSS bottom: "ip" bottom: "label" }
"""

OLDEST = """\
name: "n"
layers { layer { name: "conv" type: "conv" num_output: 4 kernelsize: 3 pad: 1 stride: 2 group: 2
  weight_filler { type: "gaussian" std: 0.01 } bias_filler { type: "constant" value: 0.1 }
  blobs_lr: 1. blobs_lr: 2. weight_decay: 1. weight_decay: 0. } bottom: "data" top: "conv" }
layers { layer { name: "relu" type: "relu" } bottom: "conv" top: "conv" }
layers { layer { name: "pool" type: "pool" pool: AVE kernelsize: 2 stride: 2 } bottom: "conv" top: "pool" }
layers { layer { name: "ip" type: "innerproduct" num_output: 3 weight_filler { type: "xavier" } }
  bottom: "pool" top: "ip" }
layers { layer { name: "loss" type: "softmax_loss" } bottom: "ip" bottom: "label" }
"""

BY_HAND = [
    ConvolutionLayer(
        name="conv", n_filter=4, kernel=3, pad=1, stride=2, n_group=2, bottoms=["data"], tops=["conv"],
        filter_init=GaussianInitializer(std=0.01), bias_init=ConstantInitializer(0.1), filter_regu=L2Regu(1),
        bias_regu=NoRegu(), filter_lr=1, bias_lr=2, neuron=Neurons.ReLU(),
    ),
    PoolingLayer(name="pool", kernel=2, stride=2, pooling=Pooling.Mean(), divisor="caffe", bottoms=["conv"]),
    InnerProductLayer(
        name="ip", output_dim=3, bottoms=["pool"], weight_init=XavierInitializer(), bias_init=ConstantInitializer(0),
        weight_regu=L2Regu(1), bias_regu=L2Regu(1), weight_lr=1, bias_lr=1,
    ),
    SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
]  # fmt: skip


def data(batch=4, **fields):
    return MemoryDataLayer(name="given", data=[np.zeros((8, 2, 9, 9)), np.zeros(8)], batch_size=batch, **fields)


def load(tmp_path, text, **how):
    path = tmp_path / "net.prototxt"
    path.write_text(text)
    return mochac.caffe.load_net(path, **how)


@pytest.mark.parametrize("text", [OLD, OLDEST], ids=["old", "oldest"])
def test_older_syntax_means_the_same(tmp_path, text):
    text += "layers { name: 'd' type: DATA top: 'data' top: 'label' }"
    net = load(tmp_path, text, phase="train", data=data())
    assert [layer for layer in net.layers if layer.kind != "MemoryData"] == BY_HAND
    line = text.count("\n", 0, text.index('"ip"')) + 1
    assert net.layer("ip").origin == (str(tmp_path / "net.prototxt"), line)


def test_phases_share_layers(tmp_path):
    (tmp_path / "net.prototxt").write_text(NEW)
    train, test = mochac.caffe.load_nets(tmp_path / "net.prototxt", train_data=data(), test_data=data(8))
    assert [layer for layer in train.layers[1:] if layer.kind != "Dropout"] == BY_HAND
    assert [layer.kind for layer in test.layers] == ["MemoryData", "Convolution", "Pooling", "InnerProduct", "Accuracy"]
    for name in ("conv", "pool", "ip"):
        assert test.layer(name) is train.layer(name)
    assert train.layer("drop") == DropoutLayer(name="drop", bottoms=["ip"], tops=["ip"], ratio=0.4)
    assert (train.name, test.name) == ("n-train", "n-test")
    assert train.sources[0].transformers == (("data", DataTransformers.Scale(0.5)),)


STATES = """\
layer {{ name: "in" type: "Input" top: "x" input_param {{ shape {{ dim: 1 dim: 3 }} }} }}
layer {{ name: "l" type: "Power" bottom: "x" top: "y" {rules} }}
"""


@pytest.mark.parametrize(
    ("rules", "how", "there"),
    [
        ("", {}, True),
        ("include { phase: TEST }", {"phase": "test"}, True),
        ("include { phase: TEST }", {"phase": "train"}, False),
        ("include { phase: TEST } include { phase: TRAIN }", {"phase": "train"}, True),
        ("exclude { phase: TRAIN }", {"phase": "train"}, False),
        ("include { min_level: 2 }", {"level": 1}, False),
        ("include { min_level: 2 max_level: 3 }", {"level": 3}, True),
        ("include { stage: 'a' stage: 'b' }", {"stages": ["a"]}, False),
        ("include { stage: 'a' stage: 'b' }", {"stages": ["b", "a", "c"]}, True),
        ("include { not_stage: 'a' }", {"stages": ["a"]}, False),
        ("exclude { stage: 'a' phase: TEST }", {"stages": ["a"]}, False),
    ],
)
def test_rules_of_inclusion(tmp_path, rules, how, there):
    net = load(tmp_path, STATES.format(rules=rules), **how)
    assert (len(net.layers) == 2) == there


INPUTS = [
    'input: "data" input_dim: 2 input_dim: 3 input_dim: 5 input_dim: 4',
    'input: "data" input_shape { dim: 2 dim: 3 dim: 5 dim: 4 }',
    'layer { name: "data" type: "Input" top: "data" input_param { shape: { dim: 2 dim: 3 dim: 5 dim: 4 } } }',
]


@pytest.mark.parametrize("text", INPUTS)
def test_inputs_of_deploy_nets(tmp_path, text):
    text += ' layer { name: "p" type: "Power" bottom: "data" top: "p" }'
    assert load(tmp_path, text).blobs["data"].shape == (2, 3, 5, 4)
    assert load(tmp_path, text, batch_size=7).blobs["data"].shape == (7, 3, 5, 4)


@pytest.mark.slow
def test_several_inputs(tmp_path):
    text = 'input: "a" input: "b" input_dim: 2 input_dim: 1 input_dim: 1 input_dim: 3 '
    text += "input_dim: 2 input_dim: 1 input_dim: 1 input_dim: 3"
    text += ' layer { name: "sum" type: "Eltwise" bottom: "a" bottom: "b" top: "c" }'
    net = load(tmp_path, text)
    with mochac.compile(net) as program:
        found = program.predict({"a": np.ones((1, 1, 1, 3)), "b": np.full((1, 1, 1, 3), 2.0)}, blob="c")
    assert found.tolist() == [[[[3.0, 3.0, 3.0]]]]


def test_hdf5_data(tmp_path):
    """Its list is looked for where the prototxt says, then beside it."""
    text = (
        'layer { name: "d" type: "HDF5Data" top: "data" top: "label" hdf5_data_param { source: "t.txt" batch_size: 8 '
    )
    with pytest.raises(mochac.DataError, match=r"t\.txt"):  # as HDF5DataLayer has it
        load(tmp_path, text + "shuffle: true } }")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["data"], file["label"] = np.zeros((5, 3)), np.zeros((5, 1))
    (tmp_path / "t.txt").write_text("a.h5\n")
    source = load(tmp_path, text + "shuffle: true } }").sources[0]
    assert (source.source, source.batch_size, source.shuffle) == (str(tmp_path / "t.txt"), 8, True)


IN = 'layer { name: "in" type: "Input" top: "x" input_param { shape { dim: 2 dim: 4 dim: 5 dim: 5 } } }\n'


def neurons_of(net):
    return {layer.name: type(layer.neuron).__name__ for layer in net.layers if hasattr(layer, "neuron")}


def test_an_activation_in_place_goes_into_its_producer(tmp_path):
    conv = CONV.replace("kernel_size: 3", "kernel_size: 1") % ""
    sigmoid = ' layer { name: "s" type: "Sigmoid" bottom: "%s" top: "%s" }'
    assert neurons_of(load(tmp_path, IN + conv + sigmoid % ("c", "c"))) == {"c": "Sigmoid"}
    assert neurons_of(load(tmp_path, IN + conv + sigmoid % ("c", "y"))) == {"c": "Identity", "s": "Sigmoid"}
    twice = load(tmp_path, IN + conv + sigmoid % ("c", "c") + ' layer { type: "TanH" bottom: "c" top: "c" }')
    assert neurons_of(twice) == {"c": "Sigmoid", "tanh": "Tanh"}


@pytest.mark.slow
def test_a_blob_read_before_it_is_overwritten_keeps_its_value(tmp_path):
    """Caffe runs layers in the order of the file, so `before` sees the inner product, `after` the activation."""
    text = (
        IN
        + """
    layer { name: "ip" type: "InnerProduct" bottom: "x" top: "ip" inner_product_param { num_output: 2
      bias_filler { value: -1 } } }
    layer { name: "before" type: "Power" bottom: "ip" top: "before" }
    layer { name: "relu" type: "ReLU" bottom: "ip" top: "ip" }
    layer { name: "after" type: "Power" bottom: "ip" top: "after" }
    """
    )
    with mochac.compile(load(tmp_path, text)) as program:
        x = np.zeros((1, 4, 5, 5))
        assert program.predict(x, blob="before").tolist() == [[-1.0, -1.0]]
        assert program.predict(x, blob="after").tolist() == [[0.0, 0.0]]


def test_a_layer_in_place_with_the_name_of_a_blob(tmp_path):
    text = (
        IN
        + """
    layer { name: "sum" type: "Eltwise" bottom: "x" bottom: "x" top: "sum" }
    layer { name: "other" type: "ReLU" bottom: "sum" top: "sum" }
    layer { name: "o" type: "Power" bottom: "x" top: "other" power_param { scale: 3 } }
    layer { name: "end" type: "Eltwise" bottom: "sum" bottom: "other" top: "end" }
    """
    )
    net = load(tmp_path, text)
    assert list(net.layer("end").bottoms) == [*net.layer("other").tops, "other"]


def test_a_convolution_of_several_bottoms(tmp_path):
    text = IN + CONV.replace('bottom: "x" top: "c"', 'bottom: "x" bottom: "x" top: "c" top: "d"') % ""
    net = load(tmp_path, text + 'layer { name: "r" type: "ReLU" bottom: "c" top: "c" }')
    assert list(net.layer("c").tops) == ["c", "d"]
    assert net.layer("r").kind == "Activation"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('layer { name: "p" type: "Power" bottom: "x" top: "y" loss_weight: 1 }', "loss_weight of a layer that"),
        ('layer { name: "p" type: "Power" top: "y" }', "wrong number of bottoms\n  expected  1,  got  0"),
        ('layer { name: "p" type: "Concat" bottom: "x" }', "wrong number of tops\n  expected  1,  got  0"),
        ('layer { name: "e" type: "Eltwise" bottom: "x" top: "y" }', "expected  2 or more,  got  1"),
    ],
)  # fmt: skip
def test_counts_and_weights(tmp_path, text, said):
    with pytest.raises(mochac.UnsupportedError, match=re.escape(said)):
        load(tmp_path, IN + text)


def test_gradients_that_are_switched_off(tmp_path):
    ip = 'layer { name: "ip" type: "InnerProduct" bottom: "%s" top: "%s" inner_product_param { num_output: 2 } %s }'
    on_data = IN + ip % ("x", "y", "propagate_down: false")
    load(tmp_path, on_data, phase="train")
    behind = on_data + ip % ("y", "z", "propagate_down: false")
    load(tmp_path, behind)
    with pytest.raises(mochac.UnsupportedError, match="propagate_down: false is not supported"):
        load(tmp_path, behind, phase="train")


def test_dropout_in_place_comes_before_what_follows_it(tmp_path):
    text = (
        IN
        + """
    layer { name: "ip" type: "InnerProduct" bottom: "x" top: "ip" inner_product_param { num_output: 2 } }
    layer { name: "drop" type: "Dropout" bottom: "ip" top: "ip" }
    layer { name: "act" type: "TanH" bottom: "ip" top: "ip" }
    """
    )
    train = load(tmp_path, text, phase="train")
    assert [layer.name for layer in train.layers] == ["in", "ip", "drop", "act"]
    assert [layer.name for layer in load(tmp_path, text).layers] == ["in", "ip"]  # now tanh may go into ip


def test_parameters_shared_by_name(tmp_path):
    siamese = """
    layer { name: "%s" type: "InnerProduct" bottom: "x" top: "%s" param { name: "w" lr_mult: 1 } param { name: "b" }
      inner_product_param { num_output: 2 } }
    """
    net = load(tmp_path, IN + siamese % ("ip", "y") + siamese % ("ip_p", "y_p"))
    assert net.layer("ip").key == net.layer("ip_p").key == "ip"
    assert [layer.kind for layer in net.layers] == ["Input", "InnerProduct", "InnerProduct"]


@pytest.mark.slow
def test_a_weight_shared_without_the_bias(tmp_path):
    """The gradients of `w` are summed, as Caffe's Net::Init has it; each layer has a bias of its own."""
    layer = """
    layer { name: "%s" type: "InnerProduct" bottom: "%s" top: "%s" param { name: "w" lr_mult: 2 decay_mult: 0 }
      inner_product_param { num_output: 5 weight_filler { value: 0.1 } bias_filler { value: %d } } }
    """
    text = 'input: "x" input_dim: 2 input_dim: 5 input_dim: 1 input_dim: 1'
    text += layer % ("a", "x", "y", 1) + layer % ("b", "y", "z", 2)
    text += 'layer { name: "loss" type: "EuclideanLoss" bottom: "z" bottom: "x" }'
    x = np.arange(10.0).reshape(2, 5, 1, 1)
    given = MemoryDataLayer(data=[x], tops=["x"], batch_size=2)
    net = load(tmp_path, text, phase="train", data=given)
    assert net.layer("w") == ParameterLayer(
        name="w", shape=(5, 5), init=ConstantInitializer(0.1), regu=NoRegu(), lr=2.0
    )
    assert (net.layer("a").weight, net.layer("b").weight) == ("w", "w")
    with mochac.compile(net, dtype="float64") as program:
        program.forward()
        program.backward()
        w, rows = np.full((5, 5), 0.1), x.reshape(2, 5)
        hidden = rows @ w.T + 1
        error = (hidden @ w.T + 2 - rows) / 2
        expected = error.T @ hidden + (error @ w).T @ rows
        np.testing.assert_allclose(program.grads["w"]["value"], expected, 1e-9)
        assert set(program.params) == {"a", "b", "w"}


@pytest.mark.parametrize(
    ("first", "second", "alone"),
    [
        ('param { name: "w" } param { name: "b" }', 'param { name: "w" } param { name: "b" }', set()),
        ('param { name: "w" } param { name: "b" }', 'param { name: "w" } param { name: "c" }', {"w"}),
        ('param { name: "w" }', 'param { name: "w" }', {"w"}),
        ('param { name: "w" } param { name: "b" }', 'param { name: "v" } param { name: "b" }', {"b"}),
        ('param { name: "w" }', 'param { lr_mult: 1 }', set()),
    ],
)  # fmt: skip
def test_which_parameters_are_shared_alone(tmp_path, first, second, alone):
    layer = """
    layer { name: "%s" type: "InnerProduct" bottom: "x" top: "%s" %s inner_product_param { num_output: 2 } }
    """
    net = load(tmp_path, IN + layer % ("a", "y", first) + layer % ("b", "z", second))
    assert {layer.name for layer in net.layers if layer.kind == "Parameter"} == alone


def test_a_weight_shared_by_layers_without_bias(tmp_path):
    layer = """
    layer { name: "%s" type: "InnerProduct" bottom: "x" top: "%s" param { name: "w" }
      inner_product_param { num_output: 2 bias_term: false } }
    """
    net = load(tmp_path, IN + layer % ("a", "y") + layer % ("b", "z"))
    assert net.layer("b").key == "a"
    assert net.layer("b").bias is False


def test_a_layer_without_bias(tmp_path):
    text = IN + 'layer { name: "ip" type: "InnerProduct" bottom: "x" top: "y" inner_product_param { num_output: 2 '
    assert load(tmp_path, text + "bias_term: false } }").layer("ip").bias is False


@pytest.mark.parametrize(
    ("filler", "wanted"),
    [
        ("", ConstantInitializer(0.0)),
        ("value: 0.2", ConstantInitializer(0.2)),
        ("type: 'xavier' std: 0.1", XavierInitializer()),
        ("type: 'xavier' variance_norm: AVERAGE", GlorotUniformInitializer()),
        ("type: 'msra'", HeNormalInitializer()),
        ("type: 'gaussian' mean: 1 std: 0.005", GaussianInitializer(1.0, 0.005)),
        ("type: 'gaussian' sparse: 3", mochac.caffe.SparseGaussian(nonzero=3)),
        ("type: 'uniform' min: -0.1 max: 0.1", UniformInitializer(0.1)),
        ("type: 'uniform'", mochac.caffe.UniformBetween(0.0, 1.0)),
    ],
)
def test_fillers(tmp_path, filler, wanted):
    text = IN + 'layer { name: "ip" type: "InnerProduct" bottom: "x" top: "y" inner_product_param { num_output: 2 '
    assert load(tmp_path, text + f"weight_filler {{ {filler} }} }} }}").layer("ip").weight_init == wanted


def test_sparse_and_lopsided_fillers_draw_what_they_say():
    rng = np.random.default_rng(5)
    sparse = mochac.caffe.SparseGaussian(std=2.0, nonzero=20).fill((100, 500), np.dtype("f8"), rng)
    assert abs((sparse != 0).mean() - 0.2) < 0.01
    assert abs(sparse[sparse != 0].std() - 2) < 0.05
    between = mochac.caffe.UniformBetween(-1.0, 3.0).fill((1000,), np.dtype("f4"), rng)
    assert between.dtype == np.float32
    assert -1 <= between.min() < -0.9 < 2.9 < between.max() < 3


def test_l1_regularization(tmp_path):
    net = load(tmp_path, NEW, phase="train", data=data(), regularization="L1")
    assert (net.layer("conv").filter_regu, net.layer("conv").bias_regu) == (L1Regu(1.0), NoRegu())


def test_transformations_of_the_data_that_is_replaced(tmp_path):
    param = "transform_param { mirror: true crop_size: 7 mean_value: 1 mean_value: 2 scale: 0.5 }"
    text = f'layer {{ name: "d" type: "ImageData" top: "data" top: "label" {param} }}' + BODY
    net = load(tmp_path, text, phase="train", data=data())
    (_, mean), (_, scale) = net.sources[0].transformers
    assert (mean.mean_blob.tolist(), scale.scale) == ([[[1.0]], [[2.0]]], 0.5)
    crop = net.layer("d-crop")
    assert (crop.crop_size, crop.random_crop, crop.random_mirror) == ((7, 7), True, True)
    assert list(net.layer("conv").bottoms) == list(crop.tops)
    test = load(tmp_path, text, phase="test", data=data()).layer("d-crop")
    assert not test.random_crop
    own = data(transformers=[("data", DataTransformers.Scale(3.0))])
    assert load(tmp_path, text, phase="train", data=own).sources == (own,)


def test_a_mean_file_beside_the_prototxt(tmp_path):
    mean = np.arange(2 * 9 * 9).reshape(2, 9, 9)
    mochac.caffe.save_mean(tmp_path / "mean.binaryproto", mean)
    param = 'transform_param { mean_file: "mean.binaryproto" }'
    text = f'layer {{ name: "d" type: "Data" top: "data" top: "label" {param} }}' + BODY
    ((top, transformer),) = load(tmp_path, text, phase="train", data=data()).sources[0].transformers
    assert top == "data"
    assert np.array_equal(transformer.mean_blob, mean)


def test_accuracies(tmp_path, caplog):
    text = NEW.replace('bottom: "label" top: "accuracy"', 'bottom: "label" top: "a" accuracy_param { %s }')
    (judge,) = load(tmp_path, text % "top_k: 2 ignore_label: -1", data=data()).statistics
    assert judge == AccuracyLayer(name="accuracy", bottoms=["ip", "label"], top_k=2, ignore_label=-1)
    assert not caplog.text
    (judge,) = load(tmp_path, text.replace('top: "a"', 'top: "a" top: "each"') % "", data=data()).statistics
    assert judge == AccuracyLayer(name="accuracy", bottoms=["ip", "label"])
    assert "layer 'accuracy' (Accuracy): its second top, the accuracy of each class, is left out" in caplog.text
    with pytest.raises(mochac.ShapeError, match=r"top_k is more than there are classes\n  expected  1 to 3,  got  5"):
        load(tmp_path, text % "top_k: 5", data=data())


def test_hinges(tmp_path):
    text = NEW.replace("SoftmaxWithLoss", "HingeLoss").replace('top: "loss"', 'top: "loss" %s')
    net = load(tmp_path, text % "hinge_loss_param { norm: L2 } loss_weight: 0.5", phase="train", data=data())
    wanted = MulticlassHingeLossLayer(name="loss", norm="L2", weight=0.5, bottoms=["ip", "label"])
    assert net.layer("loss") == wanted
    old = OLD.replace("SOFTMAX_LOSS", "HINGE_LOSS").replace('"label" }', '"label" hinge_loss_param { norm: L1 } }')
    old += "layers { name: 'd' type: DATA top: 'data' top: 'label' }"
    net = load(tmp_path, old, phase="train", data=data())
    assert net.layer("loss") == wanted.replace(norm="L1", weight=1.0)


FOREIGN_DATA = [
    'layer { name: "d" type: "WindowData" top: "data" top: "label" window_data_param { source: "w.txt" batch_size: 32 '
    'fg_threshold: 0.5 bg_threshold: 0.5 fg_fraction: 0.25 context_pad: 16 crop_mode: "warp" %s } %s }',
    'layers { name: "d" type: WINDOW_DATA top: "data" top: "label" window_data_param { source: "w.txt" batch_size: 32 '
    "%s } %s }",
    'layers { layer { name: "d" type: "window_data" source: "w.txt" batchsize: 32 det_context_pad: 16 %s %s } '
    'top: "data" top: "label" }',
    'layer { name: "d" type: "DummyData" top: "data" top: "label" dummy_data_param { data_filler { type: "gaussian" } '
    "shape { dim: 32 dim: 2 dim: 9 dim: 9 } shape { dim: 32 } %s } %s }",
    'layers { name: "d" type: DUMMY_DATA top: "data" top: "label" dummy_data_param { num: 32 channels: 2 height: 9 '
    "width: 9 num: 32 channels: 1 height: 1 width: 1 %s } %s }",
]


@pytest.mark.parametrize("text", FOREIGN_DATA)
def test_windows_and_dummies_may_be_replaced_by_the_users_data(tmp_path, text):
    plain = text % ("", "") + "\n" + (OLD if text.startswith("layers") else BODY)
    net = load(tmp_path, plain, phase="train", data=data())
    assert [source.name for source in net.sources] == ["given"]
    assert net.blobs["ip"].shape == (4, 3)
    if "ummy" in text.lower():
        net = load(tmp_path, plain, phase="train")
        assert (net.blobs["data"].shape, net.blobs["label"].shape[0]) == ((32, 2, 9, 9), 32)
        return
    with pytest.raises(mochac.UnsupportedError, match=r"HDF5DataLayer\(source=..., batch_size=32, tops="):
        load(tmp_path, plain, phase="train")


DUMMY = """\
layer { name: "d" type: "DummyData" top: "a" top: "b" top: "c" dummy_data_param { %s } }
layer { name: "s" type: "Eltwise" bottom: "a" bottom: "b" bottom: "c" top: "s" }
"""


def test_dummy_data_is_constant_or_new_in_every_step(tmp_path):
    """dummy_data_layer.cpp: without a filler it is 0; all but constants are filled again in every step."""
    fillers = 'data_filler { value: 2.5 } data_filler { type: "gaussian" mean: 3 std: 0.5 } '
    fillers += 'data_filler { type: "uniform" min: -1 max: 3 } shape { dim: 50 dim: 40 }'
    net = load(tmp_path, DUMMY % fillers)
    with mochac.compile(net, threads=1, seed=1) as program:
        program.forward()
        first = {blob: program.blobs[blob].copy() for blob in "abc"}
        program.forward()
        again = {blob: program.blobs[blob].copy() for blob in "abc"}
    assert (first["a"] == 2.5).all() and (again["a"] == 2.5).all()
    assert not (first["b"] == again["b"]).any()
    assert first["b"].mean() == pytest.approx(3, abs=0.05) and first["b"].std() == pytest.approx(0.5, abs=0.05)
    c = first["c"]
    assert -1 <= c.min() < -0.98 and 2.98 < c.max() <= 3
    counts, _ = np.histogram(c, 4, (-1, 3))
    assert abs(counts - 500).max() < 100
    one = DUMMY.splitlines()[0]
    older = load(tmp_path, one % "num: 4 channels: 1 channels: 3 channels: 3 height: 1 width: 2")
    assert [older.blobs[blob].shape for blob in "abc"] == [(4, 1, 1, 2), (4, 3, 1, 2), (4, 3, 1, 2)]
    with mochac.compile(load(tmp_path, DUMMY % "shape { dim: 3 }"), threads=1) as program:
        program.forward()
        assert program.blobs["s"].shape == (3, 1) and not program.blobs["s"].any()


DIFFERENT = "its tops differ in samples\n  got  (4,), (5,), (4,)"
MANY = "wrong number of data fillers\n  expected  0, 1 or 3,  got  2"
SHAPES = "each of its tops needs a shape\n  expected  extents >= 1, batch first,  got  "
FILLERS = "its filler is not supported\n  expected  constant, gaussian or uniform,  got  "


@pytest.mark.parametrize(
    ("param", "message"),
    [
        ("", SHAPES + "none"),
        ("shape { dim: 4 } shape { dim: 4 }", SHAPES + "(4,), (4,)"),
        ("shape { dim: 4 } shape { dim: 5 } shape { dim: 4 }", DIFFERENT),
        ("shape { dim: 4 } data_filler {} data_filler {}", MANY),
        ('shape { dim: 4 } data_filler { type: "msra" }', FILLERS + "msra"),
        ('shape { dim: 4 } data_filler { type: "gaussian" sparse: 1 }', FILLERS + "sparse gaussian"),
    ],
)  # fmt: skip
def test_dummy_data_that_says_nonsense_is_refused(tmp_path, param, message):
    with pytest.raises(mochac.UnsupportedError) as caught:
        load(tmp_path, DUMMY % param)
    assert str(caught.value).startswith(f"layer 'd' (DummyData): {message}")


@pytest.mark.parametrize(
    "text",
    [
        FOREIGN_DATA[0] % ("", "transform_param { scale: 0.5 mirror: true crop_size: 7 }"),
        FOREIGN_DATA[0] % ("scale: 0.5 mirror: true crop_size: 7", ""),
        FOREIGN_DATA[1] % ("scale: 0.5 mirror: true crop_size: 7", ""),
        FOREIGN_DATA[2] % ("scale: 0.5 mirror: true cropsize: 7", ""),
        FOREIGN_DATA[3] % ("", "transform_param { scale: 0.5 mirror: true crop_size: 7 }"),
    ],
)
def test_transformations_of_windows_and_dummies(tmp_path, text):
    net = load(tmp_path, text, phase="train", data=data())
    assert net.sources[0].transformers == (("data", DataTransformers.Scale(0.5)),)
    crop = net.layer("d-crop")
    assert (crop.crop_size, crop.random_crop, crop.random_mirror) == ((7, 7), True, True)


UNKNOWN = (
    IN
    + """\
layer { name: "bn1" type: "MVN" bottom: "x" top: "x" mvn_param { across_channels: true } }
# a comment with layer { type: "Fake" }
layer { name: "columns" type: "Im2col" bottom: "x" top: "y"
        convolution_param { kernel_size: 2 } }
layer { name: "bn2" type: "MVN" bottom: "y" top: "z" }
layer { name: "later" type: "Python" bottom: "y" top: "q" include { phase: TRAIN } python_param { module: "m" } }
"""
)


def test_unknown_types_are_named_together_with_their_lines(tmp_path):
    with pytest.raises(mochac.UnsupportedError) as caught:
        load(tmp_path, UNKNOWN)
    path, known = tmp_path / "net.prototxt", " ".join(k for k in CONVERTERS if k not in FOREIGN)
    assert str(caught.value) == (
        f"{path}: no counterpart for 2 types of layers\n"
        f"  MVN: 'bn1' at {path}:2, 'bn2' at {path}:6\n"
        f"  Im2col: 'columns' at {path}:4\n"
        f"  hint: there is one for {known}"
    )
    with pytest.raises(mochac.UnsupportedError, match="3 types of layers"):
        load(tmp_path, UNKNOWN, phase="train")


def test_unknown_types_of_the_old_syntax(tmp_path):
    text = (
        OLD
        + 'layers { name: "m" type: MVN bottom: "ip" top: "m" }\nlayers { name: "q" type: FANCY bottom: "m" top: "q" }'
    )
    with pytest.raises(mochac.UnsupportedError, match=r"(?s)MVN: 'm' at .*:11\n  FANCY: 'q' at .*:12\n"):
        load(tmp_path, text)


def test_a_source_of_unknown_type_may_be_replaced(tmp_path):
    text = 'layer { name: "d" type: "Python" top: "data" top: "label" python_param { module: "m" } }' + BODY
    assert load(tmp_path, text, phase="train", data=data()).sources[0].name == "given"


CONV = (
    'layer { name: "c" type: "Convolution" bottom: "x" top: "c" convolution_param { num_output: 2 kernel_size: 3 %s } }'
)
IP = 'layer { name: "ip" type: "InnerProduct" bottom: "x" top: "y" inner_product_param { num_output: 2 %s } }'
ELTWISE = 'layer { name: "e" type: "Eltwise" bottom: "x" bottom: "x" top: "y" eltwise_param { %s } }'
POOL = 'layer { name: "p" type: "Pooling" bottom: "x" top: "y" pooling_param { kernel_size: 2 stride: 2 %s } }'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CONV % "axis: 2", "layer 'c' (Convolution): axis is not supported\n  expected  1,  got  2"),
        (CONV.replace("num_output: 2", "") % "", "kernel_size and num_output must be given"),
        (CONV % "weight_filler { type: 'fancy' }", "no counterpart for filler 'fancy'"),
        (IP % "transpose: true", "layer 'ip' (InnerProduct): transpose is not supported\n  expected  False"),
        (IP.replace("num_output: 2", "") % "", "num_output must be given"),
        (POOL % "pool: STOCHASTIC", "its pooling function\n  expected  MAX or AVE,  got  STOCHASTIC"),
        (POOL.replace('top: "y"', 'top: "y" top: "mask"') % "", "a second top, the mask of the maxima"),
        ('layer { name: "u" type: "ELU" bottom: "x" top: "y" elu_param { alpha: -1 } }', "(ELU): alpha is negative"),
        ('layer { name: "e" type: "Exp" bottom: "x" top: "y" exp_param { base: 2 } }', "base, scale or shift"),
        (ELTWISE % "operation: MAX coeff: 1 coeff: 2", "coefficients need the operation SUM\n  expected  SUM"),
        (ELTWISE % "coeff: 1", "bottoms and coefficients differ in number\n  got  2 and 1"),
        (IP % "axis: 0", "samples must not mix: axis 0 is the batch\n  expected  axis: 1,  got  0"),
        ('layer { name: "r" type: "Reduction" bottom: "x" top: "y" }', "samples must not mix: axis 0 is the batch"),
        (
            'layer { name: "b" type: "BatchNorm" bottom: "x" top: "y" batch_norm_param { use_global_stats: false } }',
            "a net for the test phase normalizes by the batch\n  expected  use_global_stats: true,  got  false",
        ),
        ('layer { name: "a" type: "ArgMax" bottom: "x" top: "y" }', "the maximum over several axes is not supported"),
        ('layer { name: "f" type: "Flatten" bottom: "x" top: "y" flatten_param { axis: 0 } }', "cannot be flattened"),
        (
            'layer { name: "f" type: "Reshape" bottom: "x" top: "y" reshape_param { shape { dim: 4 dim: -1 } } }',
            "samples of (2, 4, 5, 5) cannot be reshaped so\n  expected  2 in front,  got  (4, 50)",
        ),
        ('layer { name: "s" type: "Softmax" bottom: "typo" top: "y" }', "no layer produces bottom 'typo'"),
        (
            'layer { name: "g" type: "Permute" bottom: "typo" top: "y" permute_param { order: 0 } }',
            "the shape of its bottom 'typo' is not known",
        ),
    ],
)  # fmt: skip
def test_settings_without_counterpart(tmp_path, text, said):
    with pytest.raises(mochac.MochacError) as caught:
        load(tmp_path, IN + text)
    assert said in str(caught.value)
    assert f"  at {tmp_path / 'net.prototxt'}:2" in str(caught.value)


LOSSES = (
    IN
    + IP % ""
    + """
layer { name: "l" type: "InnerProduct" bottom: "x" top: "l" inner_product_param { num_output: 1 } }
layer { name: "loss" type: "%s" bottom: "y" bottom: "l" %s }
"""
)


@pytest.mark.parametrize(
    ("kind", "rest", "said"),
    [
        ("SigmoidCrossEntropyLoss", "loss_param { ignore_label: 255 }", "ignore_label is not supported\n  got  255"),
        ("SoftmaxWithLoss", "top: 'a' top: 'b'", "wrong number of tops\n  expected  0 to 1,  got  2"),
        ("SoftmaxWithLoss", "bottom: 'x'", "wrong number of bottoms\n  expected  2,  got  3"),
    ],
)
def test_losses_without_counterpart(tmp_path, kind, rest, said):
    with pytest.raises(mochac.UnsupportedError) as caught:
        load(tmp_path, LOSSES % (kind, rest))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("rest", "fields"),
    [
        ("", {}),
        ("loss_param { normalization: FULL }", {}),
        ("loss_param { normalize: true }", {}),
        ("loss_param { normalization: BATCH_SIZE }", {"normalization": "batch_size"}),
        ("loss_param { normalize: false }", {"normalization": "batch_size"}),
        ("loss_weight: 0.5 loss_param { normalize: false }", {"normalization": "batch_size", "weight": 0.5}),
        ("loss_param { normalize: false normalization: VALID }", {}),
        ("loss_param { normalization: NONE }", {"normalization": "batch_size", "weight": 2.0}),
        ("loss_param { ignore_label: 255 }", {"ignore_label": 255}),
        ("loss_param { ignore_label: 0 normalization: FULL }", {"ignore_label": 0, "normalization": "full"}),
        ("loss_param { ignore_label: -1 normalize: false }", {"ignore_label": -1, "normalization": "batch_size"}),
    ],
)
def test_a_loss_over_positions(tmp_path, rest, fields):
    """Caffe divides by samples and positions, or by samples only; mochac's mean is over both."""
    label = 'layer { name: "in2" type: "Input" top: "l" input_param { shape { dim: 2 dim: 1 dim: 3 dim: 3 } } }'
    loss = f'layer {{ name: "loss" type: "SoftmaxWithLoss" bottom: "c" bottom: "l" {rest} }}'
    net = load(tmp_path, IN + label + CONV % "" + loss)
    assert net.layer("loss") == SoftmaxLossLayer(name="loss", bottoms=["c", "l"], **fields)


@pytest.mark.parametrize("kind", ["SoftmaxWithLoss", "Accuracy"])
def test_as_many_classes_as_positions(tmp_path, kind):
    """Caffe's classes lie along axis 1, which mochac has to be told where labels fit the last axis as well."""
    blobs = "".join(
        f'layer {{ name: "in{top}" type: "Input" top: "{top}" input_param {{ shape {{ dim: 2 {dims} }} }} }}'
        for top, dims in (("c", "dim: 3 dim: 3"), ("l", "dim: 3"))
    )
    net = load(tmp_path, f'{blobs} layer {{ name: "last" type: "{kind}" bottom: "c" bottom: "l" top: "last" }}')
    assert net.layer("last").axis == 1


def test_normalization_along_another_axis(tmp_path):
    """BATCH_SIZE divides by outer_num_, the extents in front of the axis: here 2 samples of 2 channels."""
    label = 'layer { name: "in2" type: "Input" top: "l" input_param { shape { dim: 2 dim: 2 dim: 1 dim: 3 } } }'
    loss = """
    layer { name: "loss" type: "SoftmaxWithLoss" bottom: "c" bottom: "l" softmax_param { axis: -2 }
      loss_param { normalization: BATCH_SIZE } }
    """
    found = load(tmp_path, IN + label + CONV % "" + loss).layer("loss")
    assert (found.axis, found.normalization, found.weight) == (-2, "batch_size", 0.5)


def test_all_problems_are_reported_at_once(tmp_path):
    with pytest.raises(mochac.UnsupportedError) as caught:
        load(tmp_path, IN + CONV % "axis: 2" + "\n" + POOL.replace("STOCH", "") % "pool: STOCHASTIC")
    assert len(caught.value.problems) == 2
    assert "has 2 problems" in str(caught.value)


def test_data_that_cannot_be_read_is_asked_for(tmp_path):
    text = DATA % "data_param { source: 'lmdb' batch_size: 64 }" + BODY
    with pytest.raises(mochac.UnsupportedError) as caught:
        load(tmp_path, text, phase="train")
    hint = "data=HDF5DataLayer(source=..., batch_size=64, tops=['data', 'label'])"
    assert hint in str(caught.value)
    with pytest.raises(mochac.UnsupportedError) as caught:
        load(tmp_path, text.replace("source: 'lmdb'", "source: 'train' backend: LMDB"), phase="train")
    assert "data=LMDBDataLayer(source='train', batch_size=64, tops=['data', 'label'])" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        ('name: "n"\nlayer { type: "Power" nme: "x" }', 'Message type "LayerParameter" has no field named "nme".', 2),
        (IN + "layer {\n  type: 'Power' name: }\n", "Expected string but found: '}'", 3),
        (IN + CONV % "kernel_size: x", "Couldn't parse integer: x", 2),
        ("what is this", "has no field named", 1),
    ],
)
def test_text_that_is_no_prototxt(tmp_path, text, said, line):
    with pytest.raises(mochac.DataError) as caught:
        load(tmp_path, text)
    assert "is not a net in Caffe's text format" in str(caught.value)
    assert said in str(caught.value)
    assert str(caught.value).endswith(f"net.prototxt:{line}")


def test_wrong_arguments(tmp_path):
    (tmp_path / "net.prototxt").write_text(NEW)
    for how, said in [
        ({"phase": "TRAIN"}, "phase is out of range"),
        ({"regularization": "L3"}, "regularization is out of range"),
        ({"data": PoolingLayer(name="p", bottoms=["x"])}, "data= needs data layers"),
    ]:
        with pytest.raises(mochac.OptionError, match=said):
            mochac.caffe.load_net(tmp_path / "net.prototxt", **how)
    with pytest.raises(mochac.DataError, match="cannot read nowhere"):
        mochac.caffe.load_net("nowhere")
    with pytest.raises(mochac.OptionError, match="prototxt is out of range"):
        mochac.caffe.load_net(3)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(mochac.DataError, match="is not text"):
        mochac.caffe.load_net(tmp_path / "binary")


def test_without_protobuf(tmp_path, monkeypatch):
    (tmp_path / "net.prototxt").write_text(NEW)
    monkeypatch.setitem(__import__("sys").modules, "google.protobuf", None)
    with pytest.raises(mochac.OptionError, match=r"(?s)needs the package protobuf.*mochac\[caffe\]"):
        mochac.caffe.load_net(tmp_path / "net.prototxt")


def test_the_scanner_reads_what_protobuf_reads():
    text = """
    layer < name: 'a<b' type: "A\\"x" > # layer { type: "No" }
    layers { type: B, blobs_lr: [1, 2] ; layer { type: "inner" } }
    layer { convolution_param { weight_filler { type: "w" } } type: 'C' 'D' }
    layer
    {
      type : "E"
    }"""
    assert [(b.field.name, b.type, b.line) for b in scan(text)] == [
        ("layer", 'A\\"x', 2), ("layers", "inner", 3), ("layer", "C", 4), ("layer", "E", 5),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("shapes", "wanted"),
    [
        ("shape { dim: 2 dim: 4 } shape { dim: 2 dim: 1 dim: 3 dim: 3 }", [(2, 4), (2, 1, 3, 3)]),
        ("shape { dim: 2 dim: 4 }", [(2, 4), (2, 4)]),
        ("shape { dim: 2 dim: 4 } shape { dim: 2 }", [(2, 4), (2, 1)]),
    ],
)
def test_an_input_of_several_tops(tmp_path, shapes, wanted):
    text = f'layer {{ name: "in" type: "Input" top: "a" top: "b" input_param {{ {shapes} }} }}'
    first, second = load(tmp_path, text).layers
    assert [layer.kind for layer in (first, second)] == ["Input", "Input"]
    assert [(layer.name, layer.tops, layer.shape) for layer in (first, second)] == [
        ("in", ("a",), wanted[0]),
        ("in-2", ("b",), wanted[1]),
    ]
