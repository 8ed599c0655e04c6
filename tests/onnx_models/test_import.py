"""ONNX models as nets: every layer there and back, and what other converters get wrong."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from layers.catalogue import NAME, built
from model_kit import RNG, floats, initial, interpreted, model_of, node, run, same, stored
from onnx import TensorProto, helper, numpy_helper

import mochac
from mochac import SGD, DataError, InputLayer, Net, OptionError, SoftmaxLossLayer, UnsupportedError
from mochac.__main__ import main
from mochac.formats.onnx.export.save import to_model
from mochac.formats.onnx.loading import converted
from mochac.nets.layers.base import LAYERS, Source
from mochac.nets.layers.examples import LOSS

ONE_WAY = {"Parameter", "RandomNormal"}
"""Layers without input, and those that are not written."""
REFUSED = ("does not depend on the inputs", "it computes with constants alone", "axis 0 is the batch")
CASES = [
    pytest.param(name, k, id=f"{name}-{k}")
    for name, cls in LAYERS.items()
    if not (issubclass(cls, Source) or cls.is_loss or cls.is_collector or name in ONE_WAY)
    for k, example in enumerate(cls.examples)
    if not example.rule and LOSS not in example.bottoms and "continues" not in example.fields  # which are not written
]


@pytest.mark.sampled(16)
@pytest.mark.parametrize(("name", "k"), CASES)
def test_a_layer_comes_back_from_onnx(name, k):
    net = built(name, LAYERS[name].examples[k])
    blobs = [top for top in net.tops[NAME] if net.blobs[top].shape]
    if not blobs:
        return
    arrays = initial(net)
    model = to_model(net, arrays, "float32", blobs)
    outputs = [o.name for o in model.graph.output]
    data = zip(net.sources[0].tops, net.sources[0].data, strict=True)
    fed = {top: np.asarray(a[: net.batch], np.float32) for top, a in data}
    try:
        found = converted(model, "m.onnx")
    except UnsupportedError as error:
        assert any(text in str(error) for text in REFUSED), error  # noqa: PT017
        return
    again = Net("again", found.layers)
    read = {i.name: fed[i.name] for i in model.graph.input}
    pairs = zip(
        interpreted(again, stored(again, found), read, outputs), interpreted(net, arrays, fed, blobs), strict=True
    )
    for a, b in pairs:
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)


POOLS = [
    {"kernel_shape": [2, 2], "strides": [2, 2]},
    {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1},
    {"kernel_shape": [3, 2], "strides": [2, 3], "pads": [1, 0, 0, 1]},
    {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1], "ceil_mode": 1},
    {"kernel_shape": [3, 3], "strides": [2, 2], "auto_pad": "SAME_UPPER"},
    {"kernel_shape": [2, 2], "strides": [1, 1], "auto_pad": "SAME_LOWER"},
    {"kernel_shape": [2, 3], "strides": [3, 2], "auto_pad": "VALID"},
]


@pytest.mark.parametrize("fields", POOLS)
@pytest.mark.parametrize("operator", ["MaxPool", "AveragePool"])
def test_poolings_round_and_pad_as_in_onnx(operator, fields):
    same(model_of([node(operator, "x", **fields)], {"x": (2, 7, 8)}))
    if operator == "AveragePool":
        same(model_of([node(operator, "x", count_include_pad=1, **fields)], {"x": (2, 7, 8)}))


@pytest.mark.parametrize("rounding", ["up", "down"])
def test_a_pooling_keeps_its_rounding_there_and_back(rounding):
    pool = mochac.PoolingLayer(name="p", kernel=3, stride=2, rounding=rounding, bottoms=["x"], tops=["y"])
    net = Net("n", [InputLayer(name="x", shape=(4, 2, 8, 8)), pool])
    model = to_model(net, {}, "float32")
    assert net.blobs["y"].shape[2] == (4 if rounding == "up" else 3)
    assert same(model).blobs["y"].shape[2:] == net.blobs["y"].shape[2:]


@pytest.mark.parametrize(
    "fields",
    [
        {"pads": [0, 1, 2, 1], "strides": [2, 1]},
        {"pads": [1, 1, 1, 1], "dilations": [2, 1]},
        {"auto_pad": "SAME_UPPER", "strides": [2, 2]},
        {"auto_pad": "SAME_LOWER", "strides": [2, 3]},
        {"group": 2},
    ],
)
def test_convolutions_pad_as_in_onnx(fields):
    weights = {"w": floats(4, 4 // fields.get("group", 1), 3, 2), "b": floats(4)}
    same(model_of([node("Conv", "x w b", **fields)], {"x": (4, 7, 8)}, weights=weights))
    same(model_of([node("Conv", "x w", **fields)], {"x": (4, 7, 8)}, weights=weights))


def test_transposed_convolutions():
    fields = {"strides": [2, 3], "pads": [1, 0, 1, 0], "output_padding": [1, 2]}
    weights = {"w": floats(4, 3, 3, 2), "b": floats(3)}
    same(model_of([node("ConvTranspose", "x w b", **fields)], {"x": (4, 5, 4)}, weights=weights))


@pytest.mark.parametrize(("alpha", "beta", "trans"), [(1.0, 1.0, 1), (0.5, 2.0, 0)])
@pytest.mark.parametrize("shape", [(3,), (1, 3), (1,), ()])
def test_gemm(alpha, beta, trans, shape):
    weights = {"w": floats(3, 6) if trans else floats(6, 3), "c": floats(*shape)}
    same(model_of([node("Gemm", "x w c", alpha=alpha, beta=beta, transB=trans)], {"x": (6,)}, weights=weights))


def test_flatten_reshape_squeeze_and_their_shapes():
    """Shapes that are computed in the graph, with the number of samples left open."""
    nodes = [
        node("Shape", "x", "s"),
        node("Gather", "s zero", "n", axis=0),
        node("Unsqueeze", "n first", "n1"),
        node("Concat", "n1 rest", "shape", axis=0),
        node("Reshape", "x shape", "a"),
        node("Unsqueeze", "a two", "b"),
        node("Squeeze", "b two", "c"),
        node("Flatten", "c", "d"),
        node("Reshape", "d zeros", "y"),
    ]
    weights = {
        "zero": np.int64(0), "first": np.array([0]), "rest": np.array([-1]), "two": np.array([2]),
        "zeros": np.array([0, 4, -1, 2]),
    }  # fmt: skip
    net = same(model_of(nodes, {"x": (2, 4, 4)}, weights=weights))
    assert net.blobs["y"].shape[1:] == (4, 4, 2)


def test_a_frozen_batch_is_the_nets_and_may_be_replaced():
    nodes = [node("Reshape", "x shape", "a"), node("Gemm", "a w", "y", transB=1)]
    model = model_of(nodes, {"x": (2, 3)}, weights={"shape": np.array([4, 6]), "w": floats(5, 6)}, batch=4)
    assert same(model).batch == 4
    found = converted(model, "m.onnx", 32)
    net = Net("n", found.layers)
    assert net.batch == 32 and net.blobs["y"].shape == (32, 5)


def test_batch_norm_trains_with_its_momentum():
    weights = {"s": floats(3), "b": floats(3), "m": floats(3), "v": np.abs(floats(3)) + 0.5}
    norm = node("BatchNormalization", "x s b m v", momentum=0.7, epsilon=0.01)
    net = same(model_of([norm], {"x": (3, 4, 4)}, weights=weights))
    assert [(layer.momentum, layer.epsilon) for layer in net.layers[1:]] == [(0.3, 0.01)]


def test_models_exported_for_training_predict_with_statistics_and_without_dropout():
    weights = {"s": floats(3), "b": floats(3), "m": floats(3), "v": np.abs(floats(3)) + 0.5}
    weights |= {"ratio": np.float32(0.3), "yes": np.bool_(True)}
    norm = node("BatchNormalization", "x s b m v", "h m2 v2", training_mode=1)
    training = model_of([norm, node("Dropout", "h ratio yes", "y mask")], {"x": (3, 4, 4)}, weights=weights)
    plain = model_of([node("BatchNormalization", "x s b m v")], {"x": (3, 4, 4)}, weights=weights)
    found, fed = converted(training, "m.onnx"), {"x": floats(5, 3, 4, 4)}
    net = Net("n", found.layers)
    assert [layer.kind for layer in net.layers] == ["Input", "BatchNorm", "Dropout"]
    (got,), (wanted,) = interpreted(net, stored(net, found), fed, ["y"]), run(plain, fed)
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5)
    read = model_of([norm, node("Identity", "m2")], {"x": (3, 4, 4)}, weights=weights)
    with pytest.raises(UnsupportedError, match="only its first output is supported"):
        converted(read, "m.onnx")


def test_constants_become_parameters_settings_and_biases():
    nodes = [
        node("MatMul", "x w", "a"),
        node("Add", "a b", "c"),
        node("Relu", "c", "d"),
        node("Mul", "d two", "e"),
        node("Mul", "e each", "f"),
        node("Sub", "one f", "g"),
        node("Div", "g three", "h"),
        node("Add", "each h", "i"),
        node("Pow", "i two", "y"),
    ]
    weights = {
        "w": floats(6, 4), "b": floats(4), "two": np.float32(2), "one": np.ones(1, np.float32),
        "three": np.float32(3), "each": floats(4),
    }  # fmt: skip
    net = same(model_of(nodes, {"x": (6,)}, weights=weights))
    kinds = [layer.kind for layer in net.layers]
    assert kinds == ["Input", "InnerProduct", "Power", "Scale", "Power", "Function", "Bias", "Power"]
    assert type(net.layers[1].neuron).__name__ == "ReLU" and net.layers[1].bias == ""


def test_rearranged_weights_are_trained_and_computed_numbers_are_not():
    """A table of positions, of which the first are picked, and a transposed weight; a mask."""
    nodes = [
        node("Gather", "places.weight first", "a"),
        node("Add", "x a", "b"),
        node("Transpose", "fc.weight", "c", perm=[1, 0]),
        node("MatMul", "b c", "d"),
        node("Neg", "scale.weight", "e"),
        node("Mul", "d e", "y"),
    ]
    weights = {
        "places.weight": floats(6, 3), "first": np.arange(4), "fc.weight": floats(5, 3), "scale.weight": floats(5),
    }  # fmt: skip
    bias, product, scale = same(model_of(nodes, {"x": (4, 3)}, weights=weights)).layers[1:]
    assert (bias.name, bias.kind, bias.shift_lr) == ("places", "Bias", 1.0)
    assert (product.name, product.kind, product.weight_lr) == ("fc", "InnerProduct", 1.0)
    assert (scale.kind, scale.scale_lr) == ("Scale", 0.0)


def named(name, *arguments, **attributes):
    made = node(*arguments, **attributes)
    made.name = name
    return made


def test_layers_are_called_what_viewers_show():
    """A weight's owner, else the module where that is one thing, else the node in its module."""
    nodes = [
        named("/block/linear1/MatMul", "MatMul", "x onnx::MatMul_7", "a"),
        named("/block/linear1/Add", "Add", "a block.linear1.bias", "b"),
        named("/block/linear2/MatMul", "MatMul", "b onnx::MatMul_8", "c"),
        named("/block/act/Sigmoid", "Sigmoid", "c", "d"),
        named("/block/Mul", "Mul", "d b", "e"),
        named("/block/Mul_1", "Mul", "e x", "f"),
        named("/block/MatMul", "MatMul", "f g", "h"),
        named("/block/Transpose", "Transpose", "x", "g", perm=[0, 2, 1]),
        named("node_softmax_3", "Softmax", "h", "i"),
        named("", "Softmax", "i", "y", axis=1),
    ]
    nodes.insert(6, nodes.pop(7))  # before what reads it
    weights = {"onnx::MatMul_7": floats(4, 4), "block.linear1.bias": floats(4), "onnx::MatMul_8": floats(4, 4)}
    net = same(model_of(nodes, {"x": (4, 4)}, weights=weights))
    assert {layer.name: layer.kind for layer in net.layers[1:]} == {
        "block.linear1": "InnerProduct",
        "block.linear2": "InnerProduct",
        "block.Mul": "ElementWise",
        "block.Mul_1": "ElementWise",
        "block.Transpose": "Permute",
        "block.MatMul": "Einsum",
        "softmax_3": "Softmax",
        "softmax": "Softmax",
    }


def test_unknown_operators_are_listed_together(tmp_path):
    nodes = [node("NonZero", "x", "a"), node("Det", "x", "y"), node("Unique", "x", "z")]
    model = model_of(nodes, {"x": (3, 3)}, outputs=("y", "z"))
    with pytest.raises(UnsupportedError) as caught:
        converted(model, "m.onnx")
    assert str(caught.value).startswith(
        "m.onnx: no layers for 2 operators\n  Det: 'y'\n  Unique: 'z'\n  hint: outputs="
    )
    assert (
        len(
            converted(
                model_of([*nodes, node("Relu", "x", "r")], {"x": (3, 3)}, outputs=("y", "r")), "m", outputs=["r"]
            ).layers
        )
        == 2
    )
    one = model_of([node("Relu", "x", "long")], {"x": (3, 3)}, outputs=("long",))
    assert [*converted(one, "m", outputs="long").batch_axes] == ["long"]
    for wrong in ("q", ["q"]):
        with pytest.raises(OptionError, match="has no output 'q'"):
            converted(model, "m.onnx", outputs=wrong)
    with pytest.raises(
        OptionError, match="outputs is out of range\n  expected  a name, or a list of names, of outputs"
    ):
        converted(model, "m.onnx", outputs=7)


def test_every_node_that_does_not_fit_is_reported():
    nodes = [node("CumSum", "x zero", "a"), node("MaxPool", "x", "y", kernel_shape=[2], dilations=[2])]
    with pytest.raises(UnsupportedError) as caught:
        converted(model_of(nodes, {"x": (3, 8)}, outputs=("a", "y"), weights={"zero": np.array(0)}), "m.onnx")
    assert [p.rule for p in caught.value.problems] == [
        "samples must not mix: axis 0 is the batch",
        "dilations of a pooling are not supported",
    ]


def saved(tmp_path, place="w.bin", **fields):
    """A model whose weight is in another file."""
    weight = floats(5, 6)
    (tmp_path / "w.bin").write_bytes(b"12345678" + weight.tobytes())
    model = model_of([node("Gemm", "x w", transB=1)], {"x": (6,)}, weights={"w": weight})
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": place, "offset": 8, "length": 120, **fields}.items():
        tensor.external_data.add(key=key, value=str(value))
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
    return tmp_path / "m.onnx", weight


def test_external_data_is_read_when_asked_for(tmp_path):
    path, weight = saved(tmp_path)
    with pytest.raises(DataError, match="tensor 'w' is in another file"):
        mochac.onnx.load(path)
    _, params = mochac.onnx.load(path, external=True)
    (array,) = [p[...] for group in params.values() for p in group.values()]
    np.testing.assert_array_equal(array, weight)


@pytest.mark.parametrize(
    ("place", "fields", "words"),
    [
        ("../w.bin", {}, "it is outside of the model's folder"),
        ("/etc/passwd", {}, "it is outside of the model's folder"),
        ("link", {}, "it is outside of the model's folder"),
        ("w.bin", {"offset": 9}, "it states 120 bytes at 9 of 128"),
        ("w.bin", {"offset": -1}, "it states 120 bytes at -1 of 128"),
        ("w.bin", {"length": 8}, "it states 120 bytes at 8 of 128"),
        ("w.bin", {"offset": "x"}, "invalid literal"),
        ("none.bin", {}, "No such file"),
        (".", {}, "Is a directory"),
    ],
)
def test_external_data_stays_in_its_bounds(tmp_path, place, fields, words):
    (tmp_path / "m").mkdir()
    (tmp_path / "w.bin").write_bytes(bytes(200))
    (tmp_path / "m" / "link").symlink_to(tmp_path / "w.bin")
    path, _ = saved(tmp_path / "m", place, **fields)
    with pytest.raises(DataError, match="tensor 'w' cannot be read from") as caught:
        mochac.onnx.load(path, external=True)
    assert words in str(caught.value)


@pytest.mark.slow
def test_a_net_from_onnx_predicts_and_trains(tmp_path):
    weights = {
        "conv1.weight": floats(4, 1, 3, 3),
        "conv1.bias": floats(4),
        "fc.weight": floats(3, 4 * 9),
        "fc.bias": floats(3),
    }
    nodes = [
        node("Conv", "x conv1.weight conv1.bias", "a"),
        node("Relu", "a", "b"),
        node("MaxPool", "b", "c", kernel_shape=[2, 2], strides=[2, 2]),
        node("Flatten", "c", "d"),
        node("Gemm", "d fc.weight fc.bias", "y", transB=1),
    ]
    model = model_of(nodes, {"x": (1, 8, 8)}, weights=weights)
    onnx.save(model, tmp_path / "m.onnx")
    net, params = mochac.onnx.load(tmp_path / "m.onnx", batch_size=6)
    assert [(layer.name, layer.kind) for layer in net.layers[1:]] == [
        ("conv1", "Convolution"), ("maxpool", "Pooling"), ("fc", "InnerProduct"),
    ]  # fmt: skip
    x = floats(6, 1, 8, 8)
    with mochac.compile(net, params=params, threads=1) as program:
        np.testing.assert_allclose(program.predict(x), run(model, {"x": x})[0], rtol=1e-5, atol=1e-6)
    data = mochac.MemoryDataLayer(data=[x, np.arange(6) % 3], tops=["x", "label"], batch_size=6)
    layers = [data, *net.layers[1:], SoftmaxLossLayer(name="loss", bottoms=["y", "label"])]
    with mochac.compile(Net("train", layers), params=params, threads=1) as program:
        before = program.forward()
        program.train(SGD(0.05), max_iter=20, verbose=0)
        assert program.forward() < before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it has no graph, or no version of the format that is known"),
        (b"not onnx at all", "m.onnx is damaged or not an ONNX model"),
        (None, "no file"),
    ],
)
def test_what_is_no_model(tmp_path, content, words):
    if content is not None:
        (tmp_path / "m.onnx").write_bytes(content)
    with pytest.raises(DataError) as caught:
        mochac.onnx.load(tmp_path / "m.onnx")
    assert words in str(caught.value)


@pytest.mark.slow
def test_the_command_line_converts_both_ways(tmp_path, monkeypatch, capsys):
    """A file with a net to ONNX, back to a file, which predicts the same."""
    monkeypatch.chdir(tmp_path)
    lines = [
        "from mochac import *",
        'x = InputLayer(name="x", shape=(4, 1, 6, 6))',
        'conv = ConvolutionLayer(name="conv", kernel=3, n_filter=2, neuron=Neurons.ReLU(), bottoms=["x"])',
        'net = Net("n", [x, conv, InnerProductLayer(name="ip", output_dim=3, bottoms=["conv"])])',
    ]
    (tmp_path / "net.py").write_text("\n".join(lines))
    assert [main(["convert", *pair]) for pair in (("net.py", "net.onnx"), ("net.onnx", "again.py"))] == [0, 0]
    assert capsys.readouterr().out == "wrote net.onnx\nwrote again.py\nwrote again.h5\n"
    found: dict = {}
    exec(compile((tmp_path / "again.py").read_text(), "again.py", "exec"), found)
    assert [layer.kind for layer in found["net"].layers] == ["Input", "Convolution", "InnerProduct"]
    x = floats(5, 1, 6, 6)
    with mochac.compile(found["net"], threads=1) as program:
        program.load("again.h5")
        wanted = run(onnx.load("net.onnx"), {"x": x})[0]
        np.testing.assert_allclose(program.predict(x), wanted, rtol=1e-5, atol=1e-5)


def test_the_command_line_knows_where_the_batch_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, (4, "n", 3)) for name in ("x", "y")]
    graph = helper.make_graph([node("Softmax", "x", axis=0)], "g", infos[:1], infos[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), "m.onnx")
    assert main(["convert", "m.onnx", "net.py", "--batch-axis", "1"]) == 0
    assert "shape=(64, 4, 3)" in (tmp_path / "net.py").read_text()
    assert main(["convert", "m.onnx", "net.py"]) == 1
    assert "axis 0, the batch,  got  (4, n, 3)" in capsys.readouterr().err
    assert main(["convert", "m.onnx", "net.py", "--extent", "n=7"]) == 1  # axis 0 would mix samples
    with pytest.raises(SystemExit):
        main(["convert", "m.onnx", "net.py", "--batch-axis", "last"])
    assert "neither an integer >= 0 nor none" in capsys.readouterr().err


def test_the_command_line_says_what_is_trained(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    onnx.save(model_of([node("Mul", "x pos")], {"x": (3,)}, weights={"pos": floats(3)}), "m.onnx")
    assert main(["convert", "m.onnx", "fixed.py"]) == 0
    assert "lr=0.0" in (tmp_path / "fixed.py").read_text()
    assert main(["convert", "m.onnx", "net.py", "--trained", "p*"]) == 0
    assert "lr=0.0" not in (tmp_path / "net.py").read_text()


def test_open_extents_are_given_by_name():
    """(batch, time, 3), where the length of sequences is open, too."""
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ("n", "time", 3)) for name in ("x", "y")]
    graph = helper.make_graph([node("Softmax", "x", axis=1)], "g", infos[:1], infos[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with pytest.raises(UnsupportedError) as caught:
        converted(model, "m.onnx")
    assert "got  (n, time, 3)\n  hint: load(path, extents={'time': ...})" in str(caught.value)
    found = converted(model, "m.onnx", extents={"time": 4})
    assert Net("n", found.layers).blobs["y"].shape == (64, 4, 3)
    with pytest.raises(OptionError) as wrong:
        converted(model, "m.onnx", extents={"tim": 4})
    head = "m.onnx has no open extent 'tim'\n  open extents: n time\n  hint: did you mean 'time'"
    assert str(wrong.value).startswith(head)
    with pytest.raises(OptionError, match="extent 'time' is out of range"):
        converted(model, "m.onnx", extents={"time": 0})


def test_a_model_without_a_batch_is_one_sample():
    """A product of matrices, a transpose and a sum over what was axis 0: for any number of samples."""
    nodes = [node("MatMul", "x w", "a"), node("Transpose", "a", "b"), node("ReduceSum", "b rows", "c", keepdims=0)]
    nodes += [node("Mul", "c x0", "y")]
    infos = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("x", (3, 4)), ("x0", (3,)))]
    made = helper.make_tensor_value_info("y", TensorProto.FLOAT, (5,))
    weights = {"w": floats(4, 5), "rows": np.array([1])}
    constants = [numpy_helper.from_array(a, n) for n, a in weights.items()]
    nodes[-1] = node("Mul", "c first", "y")
    nodes.insert(3, node("ReduceMax", "x0", "first", keepdims=1))
    model = helper.make_model(helper.make_graph(nodes, "g", infos, [made], constants))
    with pytest.raises(UnsupportedError, match=r"batch_axis=None if the model computes one sample"):
        converted(model, "m.onnx")
    found = converted(model, "m.onnx", batch_axis=None)
    net, x, x0 = Net("n", found.layers), floats(6, 3, 4), floats(6, 3)
    (y,) = interpreted(net, stored(net, found), {"x": x, "x0": x0}, ["y"])
    np.testing.assert_allclose(y, (x @ weights["w"]).sum(axis=1) * x0.max(axis=1)[:, None], rtol=1e-5, atol=1e-5)
    with pytest.raises(OptionError, match="batch_axis is out of range"):
        converted(model, "m.onnx", batch_axis=-1)


def test_a_batch_that_moves_takes_no_layer():
    """(batch, time, width) -> (time, batch, width) and back, as in recurrent nets."""
    nodes = [node("Transpose", "x", "a", perm=[1, 0, 2]), node("Softmax", "a", "b", axis=0)]
    nodes += [node("Mul", "b each", "c"), node("Transpose", "c", "y", perm=[1, 0, 2])]
    net = same(model_of(nodes, {"x": (4, 3)}, weights={"each": floats(4, 1, 3)}))
    assert [layer.kind for layer in net.layers] == ["Input", "Softmax", "Scale"]


def test_a_batch_that_is_one_with_an_axis():
    """(time, batch, 6) -> (batch * 2, time, 3), products of each head, and (time * batch, 6) -> the features."""
    nodes = [
        node("Transpose", "x", "a", perm=[1, 0, 2]),
        node("Reshape", "a heads", "b"),
        node("Transpose", "b", "c", perm=[1, 0, 2]),
        node("Transpose", "c", "d", perm=[0, 2, 1]),
        node("MatMul", "c d", "e"),
        node("Softmax", "e", "f", axis=-1),
        node("MatMul", "f c", "g"),
        node("Transpose", "g", "h", perm=[1, 0, 2]),
        node("Reshape", "h rows", "i"),
        node("Gemm", "i w bias", "j"),
        node("Reshape", "j back", "k"),
        node("Transpose", "k", "y", perm=[1, 0, 2]),
    ]
    weights = {
        "heads": np.array([4, -1, 3]), "rows": np.array([-1, 6]), "back": np.array([4, -1, 5]),
        "w": floats(6, 5), "bias": floats(5),
    }  # fmt: skip
    same(model_of(nodes, {"x": (4, 6)}, weights=weights))
    with pytest.raises(UnsupportedError, match="output 'e' has an axis that is the batch and another one"):
        converted(model_of(nodes[:5], {"x": (4, 6)}, outputs=("e",), weights=weights), "m.onnx")


@pytest.mark.parametrize(
    ("last", "rule"),
    [
        (node("Softmax", "a", "y", axis=1), "samples must not mix: axis 1 is the batch"),
        (node("LayerNormalization", "a one", "y", axis=0), "samples must not mix: the batch is behind its axis"),
        (node("Add", "a x", "y"), "its operands differ in axes, so that samples mix"),
        (node("Concat", "a x", "y", axis=2), "samples must not mix: its inputs have the batch along different axes"),
        (node("Reshape", "a wrong", "y"), "samples would mix"),
        (node("CumSum", "a two", "y"), "samples are expected along axis 0 of its inputs"),
        (node("MatMul", "a x", "y"), "samples are expected along axis 0 of its inputs"),
        (node("Mul", "a each", "y"), "a constant differs from sample to sample"),
    ],
    ids=lambda case: case.op_type if hasattr(case, "op_type") else "",
)
def test_samples_do_not_mix_where_the_batch_is_axis_1(last, rule):
    weights = {"one": floats(4, 4, 4), "wrong": np.array([8, 8]), "two": np.array([2]), "each": floats(4, 1)}
    nodes = [node("Transpose", "x", "a", perm=[1, 0, 2]), last]
    with pytest.raises(UnsupportedError) as caught:
        converted(model_of(nodes, {"x": (4, 4)}, weights=weights, batch=4), "m.onnx")
    assert [p.rule for p in caught.value.problems] == [rule]


def test_the_batch_of_inputs_is_where_the_model_says():
    """(time, batch, features) with batch_axis=1; a second input has the batch, by its name, elsewhere."""
    infos = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, (4, "n", 3)),
        helper.make_tensor_value_info("h", TensorProto.FLOAT, (2, 1, "n", 3)),
    ]
    made = helper.make_tensor_value_info("y", TensorProto.FLOAT, (4, "n", 3))
    nodes = [node("ReduceSum", "h zero", "a", keepdims=0), node("Mul", "x a", "y")]
    constants = [numpy_helper.from_array(np.array([0]), "zero")]
    model = helper.make_model(
        helper.make_graph(nodes, "g", infos, [made], constants), opset_imports=[helper.make_opsetid("", 17)]
    )
    model.ir_version = 9
    found = converted(model, "m.onnx", 5, batch_axis=1)
    net, x, h = Net("n", found.layers), floats(4, 5, 3), floats(2, 1, 5, 3)
    assert found.batch_axes == {"y": 1}
    fed = {"x": np.moveaxis(x, 1, 0), "h": np.moveaxis(h, 2, 0)}
    (y,) = interpreted(net, stored(net, found), fed, ["y"])
    np.testing.assert_allclose(np.moveaxis(y, 0, 1), run(model, {"x": x, "h": h})[0], rtol=1e-5)


@pytest.mark.slow
def test_ids_are_integers_and_infinite_masks_train():
    nodes = [
        node("Gather", "words ids", "a"),
        node("Transpose", "a", "b", perm=[0, 2, 1]),
        node("MatMul", "a b", "scores"),
        node("Add", "scores mask", "c"),
        node("Softmax", "c", "d", axis=-1),
        node("MatMul", "d a", "e"),
        node("MatMul", "e w", "y"),
    ]
    mask = np.triu(np.full((4, 4), -np.inf, np.float32), 1)
    weights = {"words": floats(7, 3), "mask": mask, "w": floats(3, 2)}
    info = helper.make_tensor_value_info("ids", TensorProto.INT64, ["n", 4])
    made = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 4, 2])
    constants = [numpy_helper.from_array(a, n) for n, a in weights.items()]
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(helper.make_graph(nodes, "g", [info], [made], constants), opset_imports=opset)
    model.ir_version = 9
    found, ids = converted(model, "m.onnx", 2), np.random.default_rng(7).integers(0, 7, (2, 4))
    data = mochac.MemoryDataLayer(data=[ids, floats(2, 4, 2)], tops=["ids", "want"], batch_size=2)
    layers = [data, *found.layers[1:], mochac.SquareLossLayer(name="loss", bottoms=["y", "want"])]
    with mochac.compile(Net("n", layers), threads=1) as program:
        for name, array in program.parameters().items():
            array[...] = found.arrays[name].reshape(array.shape)
        np.testing.assert_allclose(program.predict(ids, "y"), run(model, {"ids": ids})[0], rtol=1e-4, atol=1e-5)
        before = program.forward()
        program.train(SGD(0.05), max_iter=20, verbose=0, regu_coef=0.0)
        assert program.forward() < before


def test_integers_that_wrap_are_refused():
    info = [helper.make_tensor_value_info("x", TensorProto.UINT8, ["n", 4])]
    made = [helper.make_tensor_value_info("y", TensorProto.UINT8, ["n", 4])]
    model = helper.make_model(helper.make_graph([node("Add", "x x", "y")], "g", info, made))
    with pytest.raises(UnsupportedError, match="unsigned and short integers wrap around"):
        converted(model, "m.onnx")


@pytest.mark.parametrize("opset", [9, 11, 17, 20])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_blocks_of_pixels_become_channels_and_back(opset, size):
    same(model_of([node("SpaceToDepth", "x", blocksize=size)], {"x": (2, size, 2 * size)}, opset=opset))
    for mode in ({"mode": "DCR"}, {"mode": "CRD"}) if opset > 9 else ({},):
        shape = (2 * size * size, 3, 2)
        same(model_of([node("DepthToSpace", "x", blocksize=size, **mode)], {"x": shape}, opset=opset))
    model = model_of([node("DepthToSpace", "x", blocksize=2)], {"x": (4, 3, 2)}, opset=opset)
    model.graph.node[0].attribute[0].i = 3
    with pytest.raises(UnsupportedError, match="its block size does not divide its input"):
        converted(model, "m.onnx")


def test_a_gather_of_a_table_of_numbers_keeps_the_place_of_the_batch():
    """(time, batch, 4), of which a table of 2 x 3 steps is picked."""
    infos = [helper.make_tensor_value_info("x", TensorProto.FLOAT, (5, "n", 4))]
    nodes = [node("Gather", "x steps", "a", axis=0), node("ReduceSum", "a first", keepdims=0)]
    tensors = [numpy_helper.from_array(np.array(a), k) for k, a in (("steps", [[0, 2, 4], [1, 1, 3]]), ("first", [0]))]
    made = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "g", infos, made, tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    found, x = converted(model, "m.onnx", batch_axis=1), floats(5, 7, 4)
    assert found.batch_axes == {"y": 1}
    (y,) = interpreted(Net("n", found.layers), {}, {"x": np.moveaxis(x, 1, 0)}, ["y"])
    np.testing.assert_allclose(np.moveaxis(y, 0, 1), run(model, {"x": x})[0], rtol=1e-6)


def of_ids(nodes, weights, ids, element=TensorProto.FLOAT, **fields):
    """A model of word ids, and its net."""
    infos = [helper.make_tensor_value_info("ids", TensorProto.INT64, ids)]
    made = [helper.make_tensor_value_info("y", element, None)]
    tensors = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "g", infos, made, tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return model, converted(model, "m.onnx", **fields)


def test_an_embedding_of_words_with_time_first():
    table, ids = floats(9, 3), np.arange(10).reshape(5, 2) % 9
    nodes = [node("Gather", "words.weight ids", "a"), node("ReduceMax", "a", axes=[0], keepdims=0)]
    model, found = of_ids(nodes, {"words.weight": table}, (5, "n"), batch_axis=1)
    net = Net("n", found.layers)
    (y,) = interpreted(net, stored(net, found), {"ids": ids.T}, ["y"])
    np.testing.assert_allclose(y, run(model, {"ids": ids})[0], rtol=1e-6)


def test_weights_of_float64_make_a_net_of_float64_if_all_inputs_are_integers():
    table = RNG.normal(size=(9, 3))
    gather = [node("Gather", "words.weight ids")]
    assert of_ids(gather, {"words.weight": table}, ("n", 5), TensorProto.DOUBLE)[1].dtype == "float64"
    assert of_ids(gather, {"words.weight": table.astype(np.float32)}, ("n", 5))[1].dtype == "float32"


OF_CONSTANTS = {
    "GatherElements": ("t i", {"axis": 1}), "BatchNormalization": ("m s s s s", {}), "Softmax": ("t", {}),
    "LayerNormalization": ("t s s", {}), "ArgMax": ("t", {"axis": 1, "keepdims": 0}), "LeakyRelu": ("t", {}),
    "Clip": ("t", {}), "Pad": ("t pads", {}), "TopK": ("t one", {}), "OneHot": ("i depth values", {}),
    "InstanceNormalization": ("m s s", {}), "ScatterElements": ("t i t", {"axis": 1}),
}  # fmt: skip


@pytest.mark.parametrize("operator", OF_CONSTANTS)
def test_what_is_made_of_constants_is_computed(operator):
    inputs, fields = OF_CONSTANTS[operator]
    weights = {
        "t": floats(3, 4), "i": np.array([[0, 3, 1, 2]] * 3), "s": np.abs(floats(4)), "m": floats(1, 4, 2),
        "pads": np.array([1, 0, 0, 1]), "one": np.array([1]), "depth": np.array(5),
        "values": np.array([0, 1], np.float32),
    }  # fmt: skip
    outputs = "a which" if operator == "TopK" else "a"
    nodes = [node(operator, inputs, outputs, **fields), node("Cast", "a", "b", to=1)]
    nodes += [node("ReduceSum", "b", "c", keepdims=0), node("Mul", "x c")]
    read = {name: weights[name] for name in inputs.split()}
    assert [layer.kind for layer in same(model_of(nodes, {"x": (4,)}, weights=read)).layers] == ["Input", "Power"]


@pytest.mark.slow
def test_long_chains_and_expansions_of_functions():
    """3,000 nodes in a row; and operators that are functions of others, which the package onnx expands in the square of
    their number."""
    chain = [node("Neg" if k % 2 else "Relu", f"a{k - 1}" if k else "x", f"a{k}") for k in range(3000)]
    chain[-1].output[0] = "y"
    net = Net("n", converted(model_of(chain, {"x": (4,)}), "m.onnx").layers)
    assert len(net.layers) > 2000
    celus = [node("Celu", f"a{k - 1}" if k else "x", f"a{k}" if k < 2500 else "y") for k in range(2501)]
    with pytest.raises(UnsupportedError) as caught:
        converted(model_of(celus, {"x": (4,)}), "m.onnx")
    assert str(caught.value) == (
        "m.onnx: its functions stand for too many calls of functions\n  expected  at most 2,000,  got  2,501"
    )


@pytest.mark.parametrize("sizes", [[1, 2, 3], 2])
def test_a_split_that_is_written_as_a_sequence(sizes):
    """As PyTorch's new exporter writes torch.split without optimize=True; by sizes, or by the size of each part."""
    nodes = [node("SplitToSequence", "x sizes", "parts", axis=1), node("SequenceAt", "parts last", "a")]
    nodes += [node("SequenceAt", "parts first", "b"), node("Concat", "a b", axis=1)]
    weights = {"sizes": np.array(sizes), "last": np.array(-1), "first": np.array(0)}
    same(model_of(nodes, {"x": (6, 2)}, weights=weights))
    kept = model_of([nodes[0], node("SequenceLength", "parts")], {"x": (6, 2)}, weights=weights)
    with pytest.raises(UnsupportedError, match="SplitToSequence"):
        converted(kept, "m.onnx")


def test_logarithms_of_a_softmax_of_far_scores_are_finite():
    """A logarithm of probabilities that are 0 in float32 would be minus infinity."""
    nodes = [node("Mul", "x s", "far"), node("LogSoftmax", "far", axis=-1)]
    same(model_of(nodes, {"x": (3, 5)}, weights={"s": np.full(1, 1000, np.float32)}))
