"""Net: shapes, faults of shapes and data reported together, sharing, questions users ask of a net."""

from __future__ import annotations

import numpy as np
import pytest

from mochac import (
    AccuracyLayer,
    ConstantInitializer,
    ConvolutionLayer,
    DataError,
    DropoutLayer,
    ElementWiseLayer,
    HDF5DataLayer,
    InnerProductLayer,
    L2Regu,
    MemoryDataLayer,
    Net,
    NetError,
    Neurons,
    NoRegu,
    OptionError,
    PoolingLayer,
    ReshapeLayer,
    ShapeError,
    SoftmaxLossLayer,
    SplitLayer,
)

IMAGES = np.zeros((6, 3, 10, 8), np.uint8)


def data(**fields):
    given = {"name": "in", "data": [IMAGES, np.zeros(6, int)], "batch_size": 4}
    return MemoryDataLayer(**{**given, **fields})


def ip(name, bottom="data", **fields):
    return InnerProductLayer(**{"name": name, "output_dim": 5, "bottoms": [bottom], **fields})


def problems(layers):
    with pytest.raises((NetError, ShapeError, DataError)) as caught:
        Net("net", layers)
    return caught.value


def test_shapes_of_every_blob():
    net = Net(
        "n",
        [
            data(),
            ConvolutionLayer(name="conv", n_filter=4, kernel=(3, 2), pad=(1, 0), stride=2, bottoms=["data"]),
            PoolingLayer(name="pool", kernel=3, stride=2, bottoms=["conv"]),
            ReshapeLayer(name="flat", shape=16, bottoms=["pool"]),
            SplitLayer(name="split", bottoms=["flat"], tops=["a", "b"]),
            ElementWiseLayer(name="sum", bottoms=["a", "b"]),
        ],
    )
    assert {blob: t.shape for blob, t in net.blobs.items()} == {
        "data": (4, 3, 10, 8),
        "label": (4, 1),
        "conv": (4, 4, 5, 4),
        "pool": (4, 4, 2, 2),
        "flat": (4, 16),
        "a": (4, 16),
        "b": (4, 16),
        "sum": (4, 16),
    }
    assert net.batch == 4
    assert net.unconsumed == ("label", "sum")
    assert net.mode == "test"
    assert net.layer("pool").kernel == 3


def test_message_of_a_kernel_that_does_not_fit():
    conv = ConvolutionLayer(name="conv2", n_filter=4, kernel=(12, 3), bottoms=["data"])
    error = problems([data(), conv])
    assert error.report == (
        "ShapeError: layer 'conv2' (Convolution): kernel does not fit its input\n"
        "  expected  height + 2*pad >= kernel,  got  10 + 2*0 < 12\n"
        "  bottom 'data': f32[4,3,10,8] (batch, channels, height, width), from layer 'in' (MemoryData), "
        f"tests/frontend/test_net.py:{data().origin[1]}\n"
        "  hint: pad=(1, 0), or a kernel of at most (10, 8)\n"
        f"  at tests/frontend/test_net.py:{conv.origin[1]}"
    )


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        (
            ConvolutionLayer(name="x", n_group=2, bottoms=["data"]),
            "expected  channels % n_group == 0,  got  3 % 2 == 1",
        ),
        (ConvolutionLayer(name="x", bottoms=["label"]), "a bottom is not a batch of images"),
        (ConvolutionLayer(name="x", bottoms=["data", "half"], tops=["a", "b"]), "bottoms differ in shape"),
        (PoolingLayer(name="x", bottoms=["label"]), "3 to 5 axes"),
        (PoolingLayer(name="x", kernel=9, bottoms=["data"]), "does not fit its input"),
        (ip("x", bottoms=["data", "label"], tops=["a", "b"]), "bottoms differ in features"),
        (ReshapeLayer(name="x", shape=(5, 2), bottoms=["data"]), "expected  240 features,  got  5 * 2 = 10"),
        (ElementWiseLayer(name="x", bottoms=["data", "label"]), "bottoms differ in shape"),
        (SoftmaxLossLayer(name="x", axis=4, bottoms=["data", "label"]), "axis 4 is not an axis of its input"),
        (SoftmaxLossLayer(name="x", axis=-4, bottoms=["data", "label"]), "axis -4 is not an axis of its input"),
        (AccuracyLayer(name="x", bottoms=["data", "label"]), "label"),
    ],
    ids=lambda v: v.kind if hasattr(v, "kind") else "",
)
def test_shape_errors_name_layer_and_bottoms(layer, words):
    half = PoolingLayer(name="half", stride=2, bottoms=["data"])
    error = problems([data(), half, layer])
    assert isinstance(error, ShapeError)
    assert str(error).startswith(f"layer 'x' ({layer.kind}): ")
    assert words in str(error)
    for bottom in layer.bottoms:
        assert f"  bottom {bottom!r}: f32[4," in str(error)
    assert "test_net.py:" in error.at


def test_all_problems_come_together_each_with_its_line():
    error = problems(
        [
            data(),
            HDF5DataLayer(name="files", source="no-such-list.txt", batch_size=4, tops=["x"]),
            ConvolutionLayer(name="conv", kernel=20, bottoms=["data"]),
            ip("ip1", "conw"),
            ip("ip2", "data", tops=["conv"]),
        ]
    )
    assert type(error) is NetError
    assert [(type(p).__name__, p.layer) for p in error.problems] == [
        ("DataError", "files"),
        ("ShapeError", "conv"),
        ("NetError", "ip1"),
        ("NetError", "ip2"),
    ]
    assert str(error).count("  at ") + str(error).count("     at ") >= 4
    assert "no-such-list.txt" in str(error)


def test_problems_of_one_kind_keep_their_class():
    error = problems([data(), *(PoolingLayer(name=n, kernel=20, bottoms=["data"]) for n in "ab")])
    assert type(error) is ShapeError
    assert len(error.problems) == 2


def test_data_layers_of_one_net_have_one_batch_size():
    error = problems([data(), data(name="other", batch_size=3, tops=["x", "y"])])
    said = str(error)
    assert (
        "layer 'other' (MemoryData): the data layers of a net must have the same batch_size\n  expected  4,  got  3"
        in said
    )
    assert "hint: nets with different batch sizes can share parameters: compile(net, params=program.params)" in said


def shared(**fields):
    layers = [ip("first", param_key="w"), ip("second", **{"param_key": "w", **fields})]
    return [data(), *layers]


def test_sharers_have_one_parameter():
    net = Net("n", shared())
    assert [(p.key, p.name, p.sharers) for p in net.params] == [
        ("w", "weight", ("first", "second")),
        ("w", "bias", ("first", "second")),
    ]


def test_a_layers_name_is_its_key():
    net = Net("n", [data(), ip("a"), ip("b", param_key="a")])
    assert {p.key for p in net.params} == {"a"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"weight_regu": NoRegu()}, ["weight regularizer: NoRegu() here, L2Regu(coefficient=1.0) there"]),
        ({"weight_regu": L2Regu(2)}, ["weight regularizer"]),
        ({"bias_lr": 1}, ["bias learning-rate factor: 1.0 here, 2.0 there"]),
        ({"weight_init": ConstantInitializer(0)}, ["weight initializer: ConstantInitializer(value=0.0) here"]),
        ({"output_dim": 7}, ["weight shape: (7, 240) here, (5, 240) there", "bias shape: (7,) here, (5,) there"]),
    ],
)
def test_sharers_that_disagree_are_both_named(fields, words):
    error = problems(shared(**fields))
    assert type(error) is NetError
    text = str(error)
    assert "layer 'second' (InnerProduct): shares parameters 'w' with another layer, but their settings differ" in text
    assert "the other is layer 'first' (InnerProduct), tests/frontend/test_net.py:" in text
    for word in words:
        assert word in text


def test_sharers_of_different_kinds_are_refused():
    conv = ConvolutionLayer(name="conv", param_key="w", n_filter=5, bottoms=["data"])
    error = problems([data(), ip("first", param_key="w"), conv])
    assert "layer 'conv' (Convolution): shares parameters 'w' with another layer" in str(error)
    assert "parameters: filter bias here, weight bias there" in str(error)


def test_prediction_blob():
    loss = SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])
    accuracy = AccuracyLayer(name="acc", bottoms=["ip", "label"])
    assert Net("n", [data(), ip("ip"), loss]).prediction_blob() == "ip"
    assert Net("n", [data(), ip("ip"), loss, accuracy]).prediction_blob() == "ip"
    assert Net("n", [data(), ip("ip")]).prediction_blob() == "ip"
    with pytest.raises(OptionError, match=r"no single prediction(.|\n)*candidates: a b"):
        Net("n", [data(), ip("a"), ip("b")]).prediction_blob()


def test_unknown_names_are_suggested():
    net = Net("n", [data(), ip("ip")])
    with pytest.raises(OptionError, match=r"no layer 'ipp'(.|\n)*did you mean 'ip'"):
        net.layer("ipp")
    with pytest.raises(OptionError, match=r"no blob 'dat'(.|\n)*did you mean 'data'"):
        net.checked_blob("dat")


@pytest.mark.parametrize(
    ("layers", "words"),
    [
        ([[ip("a")]], "hint: join lists with *"),
        ([3], "element 0 of its layers is not a layer"),
        ([InnerProductLayer], "element 0 of its layers is not a layer(.|\n)*hint: write InnerProductLayer\\(...\\)"),
        (ip("a"), "layers are not a list"),
        ("backend", "not a list of layers"),
        (3, "not a list of layers"),
    ],
)
def test_what_is_no_list_of_layers(layers, words):
    with pytest.raises(OptionError, match=words.replace("with *", "with .")):
        Net("n", layers)


def test_a_net_is_made_of_a_name_and_a_list():
    with pytest.raises(OptionError, match=r"not a list of layers(.|\n)*no backend: mochac.compile\(net, backend=...\)"):
        Net("n", "backend", [data()])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"layers are not a list(.|\n)*write \[layer, ...\]"):
        Net("n", data(), ip("a"))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"a net needs a name\n  expected  Net\(name, layers\)"):
        Net([data()])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("y", "bottoms", "hint"),
    [
        (np.eye(8)[:, :5], ["ip", "label"], "number the classes: label.argmax(axis=1); SoftlabelSoftmaxLossLayer"),
        (np.zeros(8), ["label", "ip"], "the prediction comes first: bottoms=[prediction, label]"),
        (np.zeros((8, 2)), ["ip", "label"], ""),
    ],
)
def test_labels_of_another_shape(y, bottoms, hint):
    source = MemoryDataLayer(name="d", data=[np.zeros((8, 3, 10, 8)), y], batch_size=4)
    with pytest.raises(ShapeError) as caught:
        Net("n", [source, ip("ip"), SoftmaxLossLayer(name="loss", bottoms=bottoms)])
    assert "labels must be one class index per position" in str(caught.value)
    assert hint in str(caught.value) and ("hint" in str(caught.value)) == bool(hint)


def test_print_shows_layers_blobs_and_parameters():
    net = Net("small", [data(), ip("ip1", neuron=Neurons.ReLU()), DropoutLayer(name="drop", bottoms=["ip1"])])
    text = str(net)
    assert "NAME: small" in text
    assert " *** InnerProduct(ip1) (ReLU)\n    Input  data: Blob(4 x 3 x 10 x 8)\n    Output ip1: Blob(4 x 5)" in text
    assert "    Param  ip1.weight: 5 x 240\n    Param  ip1.bias: 5" in text
    assert "ARCHITECTURE: 3 layers, 1205 parameters" in text
    assert repr(net) == "<Net 'small': 3 layers>"


def test_dot_has_records_and_edges():
    net = Net(
        "small", [data(), ip("ip1", neuron=Neurons.ReLU()), SoftmaxLossLayer(name="<l>", bottoms=["ip1", "label"])]
    )
    assert net.to_dot() == (
        'digraph "small" {\n'
        "  rankdir = BT;\n"
        '  node [shape=record,fontname="Fira Mono"];\n'
        '  layer0 [label="MemoryData\\nin|{top:}|{{<t1> data (4 x 3 x 10 x 8)|<t2> label (4 x 1)}}"];\n'
        '  layer1 [label="InnerProduct\\nip1\\n(ReLU)|{top:|bot:}|'
        '{{<t1> ip1 (4 x 5)}|{<b1> data (4 x 3 x 10 x 8)}}"];\n'
        '  layer2 [label="SoftmaxLoss\\n\\<l\\>|{bot:}|{{<b1> ip1 (4 x 5)|<b2> label (4 x 1)}}"];\n'
        "  layer0:t1 -> layer1:b1;\n"
        "  layer1:t1 -> layer2:b1;\n"
        "  layer0:t2 -> layer2:b2;\n"
        "}\n"
    )


def test_a_missing_data_set_comes_with_the_other_problems(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.hdf5", "w") as file:
        file["data"] = IMAGES
    (tmp_path / "list.txt").write_text(str(tmp_path / "a.hdf5") + "\n")
    files = HDF5DataLayer(name="files", source=tmp_path / "list.txt", batch_size=4)
    error = problems([files, ip("ip1", "data"), ip("ip2", "nowhere")])
    assert [(type(p).__name__, p.layer) for p in error.problems] == [("DataError", "files"), ("NetError", "ip2")]
    assert "label" in str(error.problems[0])
