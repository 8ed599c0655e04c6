"""Imported nets compute what Caffe's own formulas give: caffe_formulas.py, written from its sources."""

import math

import caffe_formulas as caffe
import numpy as np
import pytest
import resnet50

import mochac
from mochac import ir
from mochac.nets.trace import trace

pytest.importorskip("google.protobuf", reason="Caffe's files need the package protobuf")

DEPLOY = """
name: "small"
input: "data" input_dim: 3 input_dim: 4 input_dim: 13 input_dim: 12
layer { name: "conv1" type: "Convolution" bottom: "data" top: "conv1"
  convolution_param { num_output: 6 kernel_size: 3 pad: 1 stride: 2 group: 2 } }
layer { name: "relu1" type: "ReLU" bottom: "conv1" top: "conv1" }
layer { name: "norm1" type: "LRN" bottom: "conv1" top: "norm1"
  lrn_param { local_size: 3 alpha: 0.5 beta: 0.75 k: 2 } }
layer { name: "pool1" type: "Pooling" bottom: "norm1" top: "pool1"
  pooling_param { pool: AVE kernel_size: 2 stride: 2 } }
layer { name: "left" type: "Convolution" bottom: "pool1" top: "left"
  convolution_param { num_output: 3 kernel_h: 1 kernel_w: 3 pad_h: 0 pad_w: 1 bias_term: false } }
layer { name: "tanh" type: "TanH" bottom: "left" top: "left" }
layer { name: "right" type: "Pooling" bottom: "pool1" top: "right"
  pooling_param { pool: AVE kernel_size: 3 stride: 1 pad: 1 } }
layer { name: "joined" type: "Concat" bottom: "left" bottom: "right" top: "joined" }
layer { name: "norm2" type: "LRN" bottom: "joined" top: "norm2"
  lrn_param { local_size: 3 alpha: 3 beta: 0.5 norm_region: WITHIN_CHANNEL } }
layer { name: "twice" type: "Power" bottom: "norm2" top: "twice" power_param { scale: 2 shift: 0.5 power: 2 } }
layer { name: "sum" type: "Eltwise" bottom: "norm2" bottom: "twice" bottom: "joined" top: "sum"
  eltwise_param { operation: SUM coeff: 0.5 coeff: -1 coeff: 1 } }
layer { name: "relu2" type: "ReLU" bottom: "sum" top: "sum" relu_param { negative_slope: 0.01 } }
layer { name: "drop" type: "Dropout" bottom: "sum" top: "sum" dropout_param { dropout_ratio: 0.3 } }
layer { name: "pool2" type: "Pooling" bottom: "sum" top: "pool2" pooling_param { kernel_size: 2 stride: 2 pad: 1 } }
layer { name: "ip" type: "InnerProduct" bottom: "pool2" top: "ip" inner_product_param { num_output: 5 } }
layer { name: "prob" type: "Softmax" bottom: "ip" top: "prob" }
"""


def small_weights(rng):
    shapes = {"conv1": (6, 2, 3, 3), "left": (3, 6, 1, 3), "ip": (5, 54)}
    found = {}
    for layer, shape in shapes.items():
        found[f"{layer}___{'weight' if layer == 'ip' else 'filter'}"] = rng.normal(0, 0.4, shape).astype(np.float32)
        if layer != "left":
            found[f"{layer}___bias"] = rng.normal(0, 0.4, shape[0]).astype(np.float32)
    return found


def by_hand(x, w):
    """The blobs of DEPLOY."""
    f = {"data": x}
    f["conv1"] = caffe.relu(caffe.convolution(x, w["conv1___filter"], w["conv1___bias"], (2, 2), (1, 1), 2))
    f["norm1"] = caffe.lrn_across(f["conv1"], 3, 0.5, 0.75, 2.0)
    f["pool1"] = caffe.pooling(f["norm1"], "AVE", (2, 2), (2, 2))
    f["left"] = np.tanh(caffe.convolution(f["pool1"], w["left___filter"], np.zeros(3), pad=(0, 1)))
    f["right"] = caffe.pooling(f["pool1"], "AVE", (3, 3), (1, 1), (1, 1))
    f["joined"] = np.concatenate([f["left"], f["right"]], axis=1)
    f["norm2"] = caffe.lrn_within(f["joined"], 3, 3.0, 0.5)
    f["twice"] = (0.5 + 2 * f["norm2"]) ** 2
    f["sum"] = caffe.relu(0.5 * f["norm2"] - f["twice"] + f["joined"], 0.01)
    f["pool2"] = caffe.pooling(f["sum"], "MAX", (2, 2), (2, 2), (1, 1))
    f["ip"] = caffe.inner_product(f["pool2"], w["ip___weight"], w["ip___bias"])
    f["prob"] = caffe.softmax(f["ip"])
    return f


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_blob_of_a_deploy_net(tmp_path, dtype):
    rng = np.random.default_rng(7)
    weights = small_weights(rng)
    (tmp_path / "deploy.prototxt").write_text(DEPLOY)
    mochac.caffe.save_weights(tmp_path / "small.caffemodel", weights)
    x = rng.normal(size=(7, 4, 13, 12))
    data = mochac.MemoryDataLayer(data=[x], tops=["data"], batch_size=7)
    net = mochac.caffe.load_net(tmp_path / "deploy.prototxt", tmp_path / "small.caffemodel", data=data)
    expected, tolerance = by_hand(x, weights), 1e-9 if dtype == "float64" else 2e-4
    with mochac.compile(net, dtype=dtype) as program:
        program.forward()
        for blob, values in expected.items():
            np.testing.assert_allclose(program.blobs[blob], values, tolerance, tolerance, err_msg=blob)
        np.testing.assert_allclose(program.predict(x), expected["prob"], tolerance, tolerance)


POOLINGS = [(7, 2, 2, 0), (8, 3, 2, 0), (7, 3, 2, 1), (5, 3, 3, 1), (6, 2, 3, 1), (4, 4, 1, 2), (5, 2, 1, 0)]


@pytest.mark.parametrize(("size", "kernel", "stride", "pad"), POOLINGS)
def test_extents_of_pooling_are_caffes(tmp_path, size, kernel, stride, pad):
    net = one_layer(
        tmp_path, (1, 1, size, size + 1), "Pooling",
        f"pooling_param {{ pool: AVE kernel_size: {kernel} stride: {stride} pad: {pad} }}",
    )  # fmt: skip
    extents = tuple(caffe.pooled(n, kernel, stride, pad) for n in (size, size + 1))
    assert net.blobs["y"].shape[2:] == extents


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["AVE", "MAX"])
@pytest.mark.parametrize(("size", "kernel", "stride", "pad"), POOLINGS)
def test_pooling(tmp_path, size, kernel, stride, pad, kind):
    shape = (2, 3, size, size + 1)
    param = f"pooling_param {{ pool: {kind} kernel_size: {kernel} stride: {stride} pad: {pad} }}"
    agrees(
        tmp_path, shape, "Pooling", param, lambda x: caffe.pooling(x, kind, *((v, v) for v in (kernel, stride, pad)))
    )


def test_extents_of_pooling_rounded_down(tmp_path):
    param = "pooling_param { kernel_size: 3 stride: 2 round_mode: FLOOR }"
    assert one_layer(tmp_path, (1, 1, 6, 8), "Pooling", param).blobs["y"].shape[2:] == (2, 3)


WINDOWS = {
    "dilated": (
        (2, 4, 9, 8),
        "kernel_size: 3 pad: 2 dilation: 2 group: 2",
        {"pad": (2, 2), "dilation": (2, 2)},
        (3, 3),
    ),
    "one axis": ((2, 4, 9), "kernel_size: 3 stride: 2 group: 2", {"stride": (2,)}, (3,)),
    "three axes": (
        (2, 4, 3, 5, 4),
        "kernel_size: 1 kernel_size: 3 kernel_size: 2 stride: 2 stride: 1 stride: 1 pad: 0 pad: 1 pad: 0 group: 2",
        {"stride": (2, 1, 1), "pad": (0, 1, 0)},
        (1, 3, 2),
    ),
}
"""Shape of the bottom, param, the same for the formula, kernel; all with two groups."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["Convolution", "Deconvolution"])
@pytest.mark.parametrize("name", WINDOWS)
def test_convolutions_with_any_axes(tmp_path, kind, name):
    shape, param, how, kernel = WINDOWS[name]
    axes, rng = len(kernel), np.random.default_rng(3)
    w = rng.normal(size=(6, 2, *kernel) if kind == "Convolution" else (4, 3, *kernel))
    bias = rng.normal(size=6)
    defaults = {"stride": (1,) * axes, "pad": (0,) * axes, "dilation": (1,) * axes, "group": 2}
    formula = caffe.convolution if kind == "Convolution" else caffe.deconvolution
    x = rng.normal(size=shape)
    net = one_layer(tmp_path, shape, kind, f"convolution_param {{ num_output: 6 {param} }}")
    with mochac.compile(net, dtype="float64") as program:
        program.params["l"]["filter"], program.params["l"]["bias"] = w, bias
        np.testing.assert_allclose(
            program.predict(x, blob="y"), formula(x, w, bias, **{**defaults, **how}), 1e-9, 1e-12
        )


def test_a_bilinear_filler_enlarges(tmp_path):
    """FCN's upsampling: a deconvolution of every channel for itself, whose filters interpolate."""
    param = "convolution_param { num_output: 2 group: 2 kernel_size: 4 stride: 2 pad: 1 bias_term: false %s }"
    net = one_layer(tmp_path, (1, 2, 3, 4), "Deconvolution", param % 'weight_filler { type: "bilinear" }')
    layer = net.layer("l")
    assert (layer.filter_init, layer.bias) == (mochac.BilinearInitializer(), False)
    with mochac.compile(net, dtype="float64") as program:
        filters = program.params["l"]["filter"][...]
        assert filters.shape == (2, 1, 4, 4)
        np.testing.assert_allclose(filters[1, 0], np.outer(hat := [0.25, 0.75, 0.75, 0.25], hat))
        ramp = np.arange(4.0) * np.ones((1, 2, 3, 1))
        y = program.predict(ramp, blob="y")
        np.testing.assert_allclose(y[0, 0, 1:-1, 1:-1], np.tile(np.arange(0.25, 3, 0.5), (4, 1)), atol=1e-12)


@pytest.mark.slow
def test_global_pooling(tmp_path):
    agrees(
        tmp_path, (2, 3, 4, 5), "Pooling", "pooling_param { pool: AVE global_pooling: true }",
        lambda x: x.mean(axis=(2, 3), keepdims=True),
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 3, 5, 7])
def test_lrn(tmp_path, size):
    param = f"lrn_param {{ local_size: {size} alpha: 0.7 beta: 0.6 k: 1.5 %s }}"
    agrees(tmp_path, (2, 6, 3, 4), "LRN", param % "", lambda x: caffe.lrn_across(x, size, 0.7, 0.6, 1.5))
    within = param % "norm_region: WITHIN_CHANNEL"  # where k does not count
    agrees(tmp_path, (2, 2, 7, 8), "LRN", within, lambda x: caffe.lrn_within(x, size, 0.7, 0.6))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "param", "formula"),
    [
        ("ReLU", "", caffe.relu),
        ("ReLU", "relu_param { negative_slope: 0.01 }", lambda x: caffe.relu(x, 0.01)),
        ("ReLU", "relu_param { negative_slope: 0.3 }", lambda x: caffe.relu(x, 0.3)),
        ("PReLU", "", lambda x: caffe.relu(x, 0.25)),
        ("PReLU", "prelu_param { filler { value: -0.5 } channel_shared: true }", lambda x: caffe.relu(x, -0.5)),
        ("ELU", "elu_param { alpha: 0.5 }", lambda x: np.where(x > 0, x, 0.5 * np.expm1(x))),
        ("BNLL", "", lambda x: np.log1p(np.exp(x))),
        ("Sigmoid", "", caffe.sigmoid),
        ("TanH", "", np.tanh),
        ("Exp", "", np.exp),
        ("Power", "power_param { power: 3 scale: -0.5 shift: 1 }", lambda x: (1 - 0.5 * x) ** 3),
        ("AbsVal", "", np.abs),
        ("Threshold", "threshold_param { threshold: 0.3 }", lambda x: (x > 0.3) * 1.0),
        ("Clip", "clip_param { min: -0.5 max: 0.25 }", lambda x: x.clip(-0.5, 0.25)),
        ("Log", "log_param { scale: 0.1 shift: 1 }", lambda x: np.log(1 + 0.1 * x)),
        ("Log", "log_param { base: 10 scale: 0.1 shift: 1 }", lambda x: np.log10(1 + 0.1 * x)),
        ("Swish", "", lambda x: x * caffe.sigmoid(x)),
        ("Swish", "swish_param { beta: -1.5 }", lambda x: x * caffe.sigmoid(-1.5 * x)),
        ("Softmax", "", caffe.softmax),
        ("Flatten", "", lambda x: x.reshape(2, -1)),
        ("Flatten", "flatten_param { axis: 2 }", lambda x: x.reshape(2, 3, 20)),
        ("Reshape", "reshape_param { shape { dim: 0 dim: -1 dim: 5 } }", lambda x: x.reshape(2, 12, 5)),
        ("Reshape", "reshape_param { shape { dim: 6 dim: 2 } axis: 1 num_axes: 2 }", lambda x: x.reshape(2, 6, 2, 5)),
        ("Dropout", "", lambda x: x),
        ("Concat", "", lambda x: x),
        ("Tile", "tile_param { tiles: 3 axis: 2 }", lambda x: np.tile(x, (1, 1, 3, 1))),
        ("Permute", "permute_param { order: 0 order: 2 }", lambda x: x.transpose(0, 2, 1, 3)),
        ("Reduction", "reduction_param { axis: 1 }", lambda x: x.sum((1, 2, 3))),
        ("Reduction", "reduction_param { operation: MEAN axis: -2 coeff: 3 }", lambda x: 3 * x.mean((2, 3))),
        ("Reduction", "reduction_param { operation: ASUM axis: 3 }", lambda x: abs(x).sum(3)),
        ("Reduction", "reduction_param { operation: SUMSQ axis: 2 coeff: -1 }", lambda x: -(x**2).sum((2, 3))),
        ("Scale", "scale_param { filler { value: 3 } bias_term: true bias_filler { value: -1 } }", lambda x: 3 * x - 1),
        ("Scale", "scale_param { axis: 2 num_axes: -1 }", lambda x: x),
        ("Bias", "bias_param { filler { value: 2 } num_axes: 0 }", lambda x: x + 2),
        ("BatchNorm", "batch_norm_param { eps: 0.5 }", lambda x: x / 1.5**0.5),
        ("Pooling", "pooling_param { global_pooling: true }", lambda x: x.max((2, 3), keepdims=True)),
        ("ArgMax", "argmax_param { axis: 1 }", lambda x: x.argmax(axis=1)[:, None]),
    ],
)  # fmt: skip
def test_layers_of_one_bottom(tmp_path, kind, param, formula):
    agrees(tmp_path, (2, 3, 4, 5), kind, param, formula)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("param", "formula"),
    [
        ("", lambda x: 3 * x),
        ("operation: PROD", lambda x: x**3),
        ("coeff: 1 coeff: -1 coeff: -1", lambda x: -x),
        ("coeff: -1 coeff: 2 coeff: 0.25", lambda x: 1.25 * x),
        ("operation: MAX", lambda x: x),
    ],
)
def test_eltwise_of_three(tmp_path, param, formula):
    agrees(tmp_path, (2, 3, 2, 2), "Eltwise", f'bottom: "x" bottom: "x" eltwise_param {{ {param} }}', formula)


@pytest.mark.parametrize("bias", [True, False])
def test_embed(tmp_path, bias):
    """Vectors of a model file, written and read again, for the ids of two samples."""
    rng = np.random.default_rng(14)
    path, model = tmp_path / "embed.prototxt", tmp_path / "embed.caffemodel"
    path.write_text(f"""
layer {{ name: "in" type: "Input" top: "ids" input_param {{ shape {{ dim: 2 dim: 3 }} }} }}
layer {{ name: "words" type: "Embed" bottom: "ids" top: "y" embed_param {{ num_output: 4 input_dim: 5
  {"" if bias else "bias_term: false"} weight_filler {{ type: "uniform" min: -1 }} }} }}
""")
    w = {"words___weight": rng.normal(size=(5, 4)), "words___bias": rng.normal(size=4)}
    w = {name: array.astype(np.float32) for name, array in w.items() if bias or "bias" not in name}
    mochac.caffe.save_weights(model, w)
    ids = np.array([[0, 4, 2], [2, 2, 1]])
    with mochac.compile(mochac.caffe.load_net(path, model), dtype="float64") as program:
        expected = w["words___weight"][ids].astype(float) + w.get("words___bias", 0)
        np.testing.assert_allclose(program.predict(ids, blob="y"), expected, 1e-9, 1e-12)


def test_embed_needs_its_sizes(tmp_path):
    path = tmp_path / "embed.prototxt"
    path.write_text("""
layer { name: "in" type: "Input" top: "ids" input_param { shape { dim: 2 dim: 3 } } }
layer { name: "words" type: "Embed" bottom: "ids" top: "y" embed_param { num_output: 4 } }
""")
    with pytest.raises(mochac.UnsupportedError, match="num_output and input_dim must be given"):
        mochac.caffe.load_net(path)


@pytest.mark.slow
def test_numbers_from_a_second_bottom(tmp_path):
    """The channels of images times factors of their samples, as in squeeze-and-excitation; then with a learnt shift."""
    path = tmp_path / "gate.prototxt"
    path.write_text("""
layer { name: "in" type: "Input" top: "x" input_param { shape { dim: 3 dim: 2 dim: 4 dim: 5 } } }
layer { name: "parts" type: "Slice" bottom: "x" top: "a" top: "b" slice_param { axis: 3 slice_point: 2 } }
layer { name: "mean" type: "Reduction" bottom: "b" top: "m" reduction_param { operation: MEAN axis: 2 } }
layer { name: "gate" type: "Scale" bottom: "a" bottom: "m" top: "g" scale_param { axis: 0 bias_term: true
  bias_filler { value: 0.5 } } }
layer { name: "add" type: "Bias" bottom: "g" bottom: "m" top: "y" bias_param { axis: 0 } }
""")
    x = np.random.default_rng(12).normal(size=(3, 2, 4, 5))
    m = x[..., 2:].mean((2, 3))[..., None, None]
    with mochac.compile(mochac.caffe.load_net(path), dtype="float64") as program:
        np.testing.assert_allclose(program.predict(x, blob="y"), x[..., :2] * m + 0.5 + m, 1e-9, 1e-12)


@pytest.mark.parametrize(
    ("param", "part"),
    [
        ("", np.s_[:, :, :3, :2]),
        ("crop_param { offset: 1 }", np.s_[:, :, 1:4, 1:3]),
        ("crop_param { axis: 1 offset: 1 offset: 2 offset: 0 }", np.s_[:, 1:3, 2:5, :2]),
    ],
)
def test_crop(tmp_path, param, part):
    """To the size of another blob, as in fully convolutional nets."""
    like = "2 dim: 3 dim: 2" if "axis" in param else "4 dim: 3 dim: 2"
    path = tmp_path / "crop.prototxt"
    path.write_text(f"""
layer {{ name: "x" type: "Input" top: "x" input_param {{ shape {{ dim: 2 dim: 4 dim: 5 dim: 6 }} }} }}
layer {{ name: "like" type: "Input" top: "like" input_param {{ shape {{ dim: 2 dim: {like} }} }} }}
layer {{ name: "c" type: "Crop" bottom: "x" bottom: "like" top: "y" {param} }}
""")
    x = np.random.default_rng(7).normal(size=(2, 4, 5, 6))
    with mochac.compile(mochac.caffe.load_net(path), dtype="float64") as program:
        np.testing.assert_array_equal(program.predict({"x": x}, blob="y"), x[part])


BLOCK = """
layer { name: "in" type: "Input" top: "x" input_param { shape { dim: 6 dim: 3 dim: 5 dim: 5 } } }
layer { name: "conv" type: "Convolution" bottom: "x" top: "c" convolution_param { num_output: 3 kernel_size: 3 pad: 1
  bias_term: false } }
layer { name: "bn" type: "BatchNorm" bottom: "c" top: "c" param { lr_mult: 0 } param { lr_mult: 0 }
  param { lr_mult: 0 } }
layer { name: "scale" type: "Scale" bottom: "c" top: "c" scale_param { bias_term: true } }
layer { name: "relu" type: "ReLU" bottom: "c" top: "c" }
layer { name: "sum" type: "Eltwise" bottom: "x" bottom: "c" top: "y" }
layer { name: "sum_relu" type: "ReLU" bottom: "y" top: "y" }
"""


def test_a_residual_block(tmp_path):
    """Three layers that overwrite the top of a convolution, with weights and statistics of a model file."""
    rng = np.random.default_rng(13)
    w = {"conv___filter": rng.normal(size=(3, 3, 3, 3)), "scale___scale": rng.normal(size=3)}
    w |= {"scale___shift": rng.normal(size=3), "bn___mean": rng.normal(size=3), "bn___variance": rng.uniform(size=3)}
    w = {name: array.astype(np.float32) for name, array in w.items()}
    (tmp_path / "block.prototxt").write_text(BLOCK)
    mochac.caffe.save_weights(tmp_path / "block.caffemodel", w)
    net = mochac.caffe.load_net(tmp_path / "block.prototxt", tmp_path / "block.caffemodel")
    assert [(layer.kind, getattr(layer, "neuron", None)) for layer in net.layers[1:4]] == [
        ("Convolution", mochac.Neurons.Identity()),
        ("BatchNorm", mochac.Neurons.Identity()),
        ("Scale", mochac.Neurons.ReLU()),
    ]
    x, wide = rng.normal(size=(6, 3, 5, 5)), (slice(None), None, None)
    c = caffe.convolution(x, w["conv___filter"].astype(float), np.zeros(3), pad=(1, 1))
    c = (c - w["bn___mean"][wide]) / np.sqrt(w["bn___variance"].astype(float) + 1e-5)[wide]
    c = caffe.relu(c * w["scale___scale"][wide] + w["scale___shift"][wide])
    with mochac.compile(net, dtype="float64") as program:
        np.testing.assert_allclose(program.predict(x, blob="y"), caffe.relu(x + c), 1e-9, 1e-12)


@pytest.mark.parametrize("phase", ["train", "test"])
def test_global_statistics(tmp_path, phase):
    """use_global_stats: true holds in training, too, as where Caffe's models are fine-tuned."""
    path = tmp_path / "block.prototxt"
    path.write_text(BLOCK.replace("param { lr_mult: 0 } }", "batch_norm_param { use_global_stats: true } }"))
    net = mochac.caffe.load_net(path, phase=phase)
    assert net.layers[2].frozen_statistics == (phase == "train")


@pytest.mark.slow
def test_resnet_50(tmp_path):
    """The whole net with random weights of a model file, for images of 64 x 64, against the interpreter in float64."""
    path, weights = tmp_path / "ResNet-50-deploy.prototxt", tmp_path / "ResNet-50-model.caffemodel"
    path.write_text(resnet50.prototxt())
    full = mochac.caffe.load_net(path)
    assert [full.blobs[b].shape[1:] for b in ("pool1", "res2c", "res5c", "prob")] == [
        (64, 56, 56), (256, 56, 56), (2048, 7, 7), (1000,)
    ]  # fmt: skip
    path.write_text(resnet50.prototxt(64))
    rng = np.random.default_rng(14)
    mochac.caffe.save_weights(weights, resnet50.weights(mochac.caffe.load_net(path), rng))
    net, x = mochac.caffe.load_net(path, weights), rng.standard_normal((1, 3, 64, 64)).astype(np.float32)
    with mochac.compile(net) as program:
        found = program.predict(x)
        known = {p.value: program.params[p.key][p.name][...] for p in net.params}
        known |= {s.value: program.states[s.key][s.name][...] for s in net.states}
    graph = trace(net, "test").graph
    inputs = {i.name: known.get(i.name, x) for i in graph.inputs}
    exact = ir.run(graph, inputs, dtype="f64")[graph.outputs[-1]]
    np.testing.assert_allclose(found, exact, rtol=1e-3, atol=1e-6)
    assert exact.max() > 2 / 1000


LOSS = """
layer {{ name: "data" type: "HDF5Data" top: "x" top: "y" hdf5_data_param {{ source: "x" batch_size: 6 }} }}
layer {{ name: "ip" type: "InnerProduct" bottom: "x" top: "p" inner_product_param {{ num_output: 4
  weight_filler {{ type: "gaussian" }} }} }}
layer {{ name: "loss" type: "{kind}" bottom: "p" bottom: "y" {rest} }}
"""


def cross_entropy(p, y):
    return np.mean([-math.log(row[int(k)]) for row, k in zip(caffe.softmax(p), y[:, 0], strict=True)])


def sigmoid_cross_entropy(p, y):
    return -np.sum(y * np.log(caffe.sigmoid(p)) + (1 - y) * np.log(1 - caffe.sigmoid(p))) / len(p)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "rest", "formula"),
    [
        ("SoftmaxWithLoss", "", cross_entropy),
        ("SoftmaxWithLoss", "loss_weight: 0.3", lambda p, y: 0.3 * cross_entropy(p, y)),
        ("SoftmaxWithLoss", "loss_param { normalize: false }", cross_entropy),
        ("EuclideanLoss", "", lambda p, y: np.sum((p - y) ** 2) / len(p) / 2),
        ("SigmoidCrossEntropyLoss", "", sigmoid_cross_entropy),
        ("SigmoidCrossEntropyLoss", "loss_param { normalize: true }", lambda p, y: sigmoid_cross_entropy(p, y) / 4),
        (
            "SigmoidCrossEntropyLoss",
            "loss_weight: 3 loss_param { normalization: VALID }",
            lambda p, y: sigmoid_cross_entropy(p, y) * 3 / 4,
        ),
        (
            "SigmoidCrossEntropyLoss",
            "loss_param { normalization: NONE }",
            lambda p, y: sigmoid_cross_entropy(p, y) * len(p),
        ),
    ],
)
def test_losses(tmp_path, kind, rest, formula):
    rng = np.random.default_rng(3)
    x, targets = rng.normal(size=(6, 5)), rng.uniform(size=(6, 4)).round()
    y = rng.integers(0, 4, (6, 1)) if kind == "SoftmaxWithLoss" else targets
    (tmp_path / "net.prototxt").write_text(LOSS.format(kind=kind, rest=rest))
    data = mochac.MemoryDataLayer(data=[x, y], tops=["x", "y"], batch_size=6)
    net = mochac.caffe.load_net(tmp_path / "net.prototxt", phase="train", data=data)
    with mochac.compile(net, dtype="float64") as program:
        loss = program.forward()
        np.testing.assert_allclose(loss, formula(program.blobs["p"], y), 1e-9)


@pytest.mark.parametrize("legacy", [False, True])
def test_contrastive_loss(tmp_path, legacy):
    """contrastive_loss_layer.cpp, Forward_cpu."""
    rng = np.random.default_rng(4)
    a, b, y = rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), rng.integers(0, 2, (6, 1))
    path = tmp_path / "net.prototxt"
    param = f"contrastive_loss_param {{ margin: 2.5 legacy_version: {str(legacy).lower()} }}"
    path.write_text(f'layer {{ name: "l" type: "ContrastiveLoss" bottom: "a" bottom: "b" bottom: "y" {param} }}\n')
    data = mochac.MemoryDataLayer(data=[a, b, y], tops=["a", "b", "y"], batch_size=6)
    squares = np.sum((a - b) ** 2, axis=1)
    short = np.maximum(2.5 - squares, 0) if legacy else np.maximum(2.5 - np.sqrt(squares), 0) ** 2
    with mochac.compile(mochac.caffe.load_net(path, data=data), dtype="float64") as program:
        np.testing.assert_allclose(program.forward(), np.mean(np.where(y[:, 0], squares, short)) / 2, 1e-12)


def test_slopes_come_from_a_caffemodel(tmp_path):
    path, slopes = tmp_path / "net.prototxt", np.array([0.5, -0.25, 0.125], np.float32)
    path.write_text('layer { name: "p" type: "PReLU" bottom: "x" top: "x" param { lr_mult: 2 decay_mult: 0 } }\n')
    mochac.caffe.save_weights(tmp_path / "net.caffemodel", {"p___slope": slopes})
    x = np.random.default_rng(5).normal(size=(2, 3, 2))
    data = mochac.MemoryDataLayer(data=[x], tops=["x"], batch_size=2)
    net = mochac.caffe.load_net(path, tmp_path / "net.caffemodel", data=data)
    assert (net.layers[1].slope_lr, net.layers[1].slope_regu) == (2.0, mochac.NoRegu())
    with mochac.compile(net, dtype="float64") as program:
        np.testing.assert_allclose(program.predict(x), caffe.relu(x, slopes[:, None]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_logits_that_are_surely_wrong_keep_their_gradient(tmp_path, dtype):
    """Four samples of one logit, all labels 0: Caffe's loss, and sigmoid(x) / 4."""
    path = tmp_path / "net.prototxt"
    path.write_text('layer { name: "loss" type: "SigmoidCrossEntropyLoss" bottom: "x" bottom: "y" }\n')
    x = np.array([[1.0], [17], [20], [40]])
    data = mochac.MemoryDataLayer(data=[x, np.zeros((4, 1))], tops=["x", "y"], batch_size=4)
    net = mochac.caffe.load_net(path, data=data)
    assert [layer.kind for layer in net.layers] == ["MemoryData", "BinaryCrossEntropyLoss"]
    assert net.prediction_blob() == "x"
    with mochac.compile(net, dtype=dtype) as program:
        np.testing.assert_allclose(program.forward(), 19.57831542, rtol=1e-6)
        program.backward()
        np.testing.assert_allclose(4 * program.blob_diffs["x"], caffe.sigmoid(x), rtol=1e-6)


FCN = """
name: "VOC-FCN"
layer {{ name: "data" type: "Python" top: "data" top: "label" python_param {{ module: "voc_layers" layer: "Segments"
  param_str: "{{'split': 'train'}}" }} }}
layer {{ name: "conv1_1" type: "Convolution" bottom: "data" top: "conv1_1" param {{ lr_mult: 1 decay_mult: 1 }}
  param {{ lr_mult: 2 decay_mult: 0 }} convolution_param {{ num_output: 6 pad: 1 kernel_size: 3
  weight_filler {{ type: "gaussian" std: 0.5 }} }} }}
layer {{ name: "relu1_1" type: "ReLU" bottom: "conv1_1" top: "conv1_1" }}
layer {{ name: "score_fr" type: "Convolution" bottom: "conv1_1" top: "score" param {{ lr_mult: 1 decay_mult: 1 }}
  param {{ lr_mult: 2 decay_mult: 0 }} convolution_param {{ num_output: 5 kernel_size: 1
  weight_filler {{ type: "gaussian" std: 0.5 }} }} }}
layer {{ name: "loss" type: "SoftmaxWithLoss" bottom: "score" bottom: "label" top: "loss" loss_param {{ {loss} }} }}
layer {{ name: "accuracy" type: "Accuracy" bottom: "score" bottom: "label" top: "accuracy"
  accuracy_param {{ ignore_label: 255 top_k: 2 }} include {{ phase: TEST }} }}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "dtype"),
    [
        ("VALID", "float32"),
        ("FULL", "float64"),
        ("BATCH_SIZE", "float32"),
        ("NONE", "float64"),
        ("normalize: false", "float32"),
        ("normalize: true", "float64"),
    ],
)
def test_segmentation_with_labels_that_do_not_count(tmp_path, how, dtype):
    """The loss of a batch, its gradient by Caffe's backward loop, the accuracy of all samples."""
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=(7, 3, 6, 5)), rng.integers(0, 5, (7, 1, 6, 5))
    y[rng.uniform(size=y.shape) < 0.3] = 255
    text = f"ignore_label: 255 {how if 'normalize' in how else 'normalization: ' + how}"
    (tmp_path / "net.prototxt").write_text(FCN.format(loss=text))
    data = mochac.MemoryDataLayer(data=[x, y], batch_size=3)
    train, test = mochac.caffe.load_nets(tmp_path / "net.prototxt", train_data=data, test_data=data)
    near = 1e-9 if dtype == "float64" else 2e-4
    with mochac.compile(train, dtype=dtype) as program:
        judge = mochac.compile(test, dtype=dtype, params=program.params)
        loss = program.forward()
        scores = program.blobs["score"].astype(float)
        value, grad = caffe.softmax_with_loss(scores, y[:3, 0], 255, how.replace("normalize: ", ""))
        assert loss == pytest.approx(value, rel=near)
        program.backward()
        np.testing.assert_allclose(program.blob_diffs["score"], grad, near, near)
        scores = judge.predict(x, blob="score").astype(float)
        assert judge.evaluate()["accuracy-accuracy"] == pytest.approx(caffe.accuracy(scores, y[:, 0], 2, 255))


ALEXNET = """
name: "AlexNet"
layer { name: "data" type: "Data" top: "data" top: "label" include { phase: TEST }
  transform_param { mirror: false crop_size: 27 mean_value: 104 }
  data_param { source: "val" batch_size: 5 backend: LMDB } }
layer { name: "conv1" type: "Convolution" bottom: "data" top: "conv1"
  convolution_param { num_output: 8 kernel_size: 5 stride: 2 weight_filler { type: "gaussian" std: 0.01 } } }
layer { name: "relu1" type: "ReLU" bottom: "conv1" top: "conv1" }
layer { name: "norm1" type: "LRN" bottom: "conv1" top: "norm1" lrn_param { local_size: 5 alpha: 0.0001 beta: 0.75 } }
layer { name: "pool1" type: "Pooling" bottom: "norm1" top: "pool1"
  pooling_param { pool: MAX kernel_size: 3 stride: 2 } }
layer { name: "fc8" type: "InnerProduct" bottom: "pool1" top: "fc8"
  inner_product_param { num_output: 20 weight_filler { type: "gaussian" std: 0.01 } } }
layer { name: "accuracy_top1" type: "Accuracy" bottom: "fc8" bottom: "label" top: "top1" include { phase: TEST } }
layer { name: "accuracy_top5" type: "Accuracy" bottom: "fc8" bottom: "label" top: "top5"
  accuracy_param { top_k: 5 } include { phase: TEST } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "fc8" bottom: "label" top: "loss" }
"""


@pytest.mark.slow
def test_accuracy_of_the_five_best(tmp_path):
    rng = np.random.default_rng(9)
    images, labels = rng.uniform(0, 255, (13, 1, 32, 32)), rng.integers(0, 20, 13)
    (tmp_path / "net.prototxt").write_text(ALEXNET)
    data = mochac.MemoryDataLayer(data=[images, labels], batch_size=5)
    net = mochac.caffe.load_net(tmp_path / "net.prototxt", data=data)
    with mochac.compile(net, dtype="float64", seed=2) as program:
        scores, found = program.predict(images, blob="fc8"), program.evaluate()
    for k in (1, 5):
        assert found[f"accuracy_top{k}-accuracy"] == pytest.approx(caffe.accuracy(scores, labels, k))
    assert 0 < found["accuracy_top5-accuracy"] < 1


SVM = """
layer {{ name: "data" type: "DummyData" top: "data" top: "label" dummy_data_param {{
  shape {{ dim: 4 dim: 3 dim: 2 dim: 2 }} shape {{ dim: 4 }} }} }}
layer {{ name: "svm" type: "{kind}" bottom: "data" top: "svm" {param} }}
layer {{ name: "loss" type: "HingeLoss" bottom: "svm" bottom: "label" hinge_loss_param {{ norm: {norm} }}
  loss_weight: 0.5 }}
"""
SVM_LAYERS = {
    "InnerProduct": 'inner_product_param { num_output: 6 weight_filler { type: "xavier" } }',
    "Convolution": 'convolution_param { num_output: 2 kernel_size: 1 weight_filler { type: "xavier" } }',
}


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["L1", "L2"])
@pytest.mark.parametrize("kind", SVM_LAYERS)
def test_support_vector_machines(tmp_path, kind, norm):
    """A blob (4, 2, 2, 2) has 8 classes in Caffe."""
    rng = np.random.default_rng(10)
    x, y = 3 * rng.normal(size=(4, 3, 2, 2)), rng.integers(0, 6, 4)
    (tmp_path / "net.prototxt").write_text(SVM.format(kind=kind, param=SVM_LAYERS[kind], norm=norm))
    data = mochac.MemoryDataLayer(data=[x, y], batch_size=4)
    net = mochac.caffe.load_net(tmp_path / "net.prototxt", phase="train", data=data)
    with mochac.compile(net, dtype="float64") as program:
        loss = program.forward()
        program.backward()
        value, grad = caffe.hinge_loss(program.blobs["svm"], y, norm)
        assert loss == pytest.approx(0.5 * value)
        np.testing.assert_allclose(program.blob_diffs["svm"], 0.5 * grad, 1e-9, 1e-12)


def one_layer(tmp_path, shape, kind, param):
    dims = " ".join(f"dim: {d}" for d in shape)
    path = tmp_path / "one.prototxt"
    path.write_text(
        f'layer {{ name: "in" type: "Input" top: "x" input_param {{ shape {{ {dims} }} }} }}\n'
        f'layer {{ name: "l" type: "{kind}" bottom: "x" top: "y" {param} }}\n'
    )
    return mochac.caffe.load_net(path)


def agrees(tmp_path, shape, kind, param, formula):
    """A net of this one layer against a formula, in float64."""
    x = np.random.default_rng(11).normal(size=shape)
    with mochac.compile(one_layer(tmp_path, shape, kind, param), dtype="float64") as program:
        np.testing.assert_allclose(program.predict(x, blob="y"), formula(x), 1e-9, 1e-12)
