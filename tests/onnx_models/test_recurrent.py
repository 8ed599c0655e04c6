"""ONNX's RNN, LSTM and GRU as layers: what onnxruntime computes of the same node."""

from __future__ import annotations

import itertools

import numpy as np
import onnx
import pytest
from model_kit import interpreted, run, stored
from onnx import TensorProto, helper, numpy_helper

import mochac
from mochac import Net, UnsupportedError
from mochac.formats.onnx.loading import converted

RNG = np.random.default_rng(11)
BATCH, TIME, FEATURES, UNITS = 4, 5, 3, 2
GATES = {"RNN": 1, "LSTM": 4, "GRU": 3}
STATES = {"RNN": ("h",), "LSTM": ("h", "c"), "GRU": ("h",)}
OUTPUTS = ("Y", "Y_h", "Y_c")


def floats(*shape):
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def model(kind, direction="forward", *, lengths=False, initial="", bias=True, wanted=OUTPUTS, batch="n", **attributes):
    """A model of one node, and what it takes: x (time, batch, features), the lengths, and states of the samples.

    Args:
        initial: "input", or "constant": one for all samples.
    """
    sides, rows = 1 + (direction == "bidirectional"), GATES[kind] * UNITS
    weights = {"w": floats(sides, rows, FEATURES), "r": floats(sides, rows, UNITS), "b": floats(sides, 2 * rows)}
    fed = {"x": floats(TIME, BATCH, FEATURES)}
    names = ["x", "w", "r", "b" if bias else "", "lengths" if lengths else ""]
    names += [*STATES[kind]] if initial else []
    if lengths:
        fed["lengths"] = np.array([5, 1, 3, 4], np.int32)
    if initial == "input":
        fed |= {name: floats(sides, BATCH, UNITS) for name in STATES[kind]}
    elif initial:
        weights |= {name: np.repeat(floats(sides, 1, UNITS), BATCH, axis=1) for name in STATES[kind]}
    tops = OUTPUTS[: 1 + len(STATES[kind])]
    kept = [name for name in tops if name in wanted]
    node = helper.make_node(
        kind, names, [n if n in kept else "" for n in tops], hidden_size=UNITS, direction=direction, **attributes
    )
    types = {"lengths": TensorProto.INT32}
    places = {"lengths": 0}
    infos = []
    for name, array in fed.items():
        shape = [batch if a == places.get(name, 1) else n for a, n in enumerate(array.shape)]
        infos.append(helper.make_tensor_value_info(name, types.get(name, TensorProto.FLOAT), shape))
    used = [numpy_helper.from_array(a, n) for n, a in weights.items() if n in names]
    made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in kept]
    graph = helper.make_graph([node], "g", infos, made, used)
    made_model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return onnx.shape_inference.infer_shapes(made_model), fed


def same(model, fed, **options):
    """The layers of a model compute what onnxruntime does; returns them."""
    found = converted(model, "m.onnx", batch_axis=1, **options)
    net, blobs = Net("n", found.layers), list(found.batch_axes)
    given = {name: np.moveaxis(x, min(1, x.ndim - 1), 0) for name, x in fed.items()}
    for wanted, y, at in zip(
        run(model, fed), interpreted(net, stored(net, found), given, blobs), found.batch_axes.values(), strict=True
    ):
        np.testing.assert_allclose(np.moveaxis(y, 0, at), wanted, rtol=1e-5, atol=1e-5)
    return net.layers


@pytest.mark.parametrize(
    ("kind", "direction", "more"),
    [
        (kind, direction, more)
        for kind, direction, more in itertools.product(
            GATES,
            ("forward", "reverse", "bidirectional"),
            (
                {},
                {"lengths": True, "initial": "input"},
                {"initial": "constant", "batch": BATCH, "bias": False},
            ),
        )
    ],
)
def test_onnxruntime_computes_the_same(kind, direction, more):
    forms = ({"linear_before_reset": k} for k in (0, 1)) if kind == "GRU" else ({},)
    for form in forms:
        layers = same(*model(kind, direction, **more, **form))
        assert kind in [layer.kind for layer in layers]


@pytest.mark.parametrize("name", ["Tanh", "Relu", "Sigmoid", "Softsign", "Softplus"])
def test_activations_of_an_rnn(name):
    same(*model("RNN", activations=[name]))
    same(*model("RNN", "bidirectional", activations=[name] * 2))


@pytest.mark.parametrize(("kind", "wanted"), [("GRU", ("Y_h",)), ("LSTM", ("Y_c",)), ("LSTM", ("Y_h", "Y_c"))])
def test_outputs_that_nothing_reads(kind, wanted):
    layers = same(*model(kind, "bidirectional", wanted=wanted))
    net = Net("n", layers)
    if wanted == ("Y_h",):
        assert net.prediction_blob() == "Y_h"  # no top is left over


@pytest.mark.parametrize(
    ("kind", "attributes", "rule", "got"),
    [
        ("LSTM", {"clip": 1.0}, "clip is not supported", "1.0"),
        ("LSTM", {"input_forget": 1}, "input_forget is not supported", "1"),
        ("LSTM", {"activations": ["Sigmoid", "Relu", "Tanh"]}, "its activations are not supported",
         "Sigmoid Relu Tanh"),
        ("RNN", {"activations": ["Affine"]}, "its activations are not supported", "Affine"),
        ("RNN", {"direction": "bidirectional", "activations": ["Tanh", "Relu"]}, "its activations are not supported",
         "Tanh Relu"),
        ("GRU", {"activation_alpha": [0.5]}, "activation_alpha is not supported", "[0.5]"),
    ],
)  # fmt: skip
def test_what_the_layers_do_not_compute_is_refused(kind, attributes, rule, got):
    made, _ = model(kind, **attributes)
    with pytest.raises(UnsupportedError) as caught:
        converted(made, "m.onnx", batch_axis=1)
    assert [p.rule for p in caught.value.problems] == [rule] and f"got  {got}" in str(caught.value)


def test_peepholes_are_refused():
    made, _ = model("LSTM", lengths=True, initial="input")
    made.graph.node[0].input.append("p")
    made.graph.initializer.append(numpy_helper.from_array(floats(1, 3 * UNITS), "p"))
    with pytest.raises(UnsupportedError, match="peepholes are not supported"):
        converted(made, "m.onnx", batch_axis=1)


def test_time_in_the_place_of_the_batch_is_refused():
    made, _ = model("GRU", batch=7)
    with pytest.raises(UnsupportedError) as caught:
        converted(made, "m.onnx")
    assert str(caught.value).splitlines()[1:] == [
        "  hint: load(path, batch_axis=1) if that is the batch of the model's input", "  at m.onnx"
    ]  # fmt: skip
    assert "its batch is axis 1, and samples are along axis 0" in str(caught.value)


@pytest.mark.slow
def test_a_net_with_lengths_predicts_and_trains(tmp_path):
    """Lengths are an input of the model, which the reader checks."""
    made, fed = model("LSTM", "bidirectional", lengths=True)
    (tmp_path / "m.onnx").write_bytes(made.SerializeToString())
    net, params = mochac.onnx.load(tmp_path / "m.onnx", batch_axis=1, batch_size=BATCH, outputs=["Y_h"])
    x = np.moveaxis(fed["x"], 1, 0)
    with mochac.compile(net, params=params, threads=1) as program:
        y = program.predict({"x": x, "lengths": fed["lengths"]}, "Y_h")
        np.testing.assert_allclose(np.moveaxis(y, 0, 1), run(made, fed)[1], rtol=1e-5, atol=1e-5)
    data = mochac.MemoryDataLayer(
        data=[x, fed["lengths"], floats(*y.shape)], tops=["x", "lengths", "want"], batch_size=BATCH
    )
    inner = [layer for layer in net.layers if layer.kind != "Input"]
    loss = mochac.SquareLossLayer(name="loss", bottoms=["Y_h", "want"])
    with mochac.compile(Net("train", [data, *inner, loss]), params=params, threads=1) as program:
        before = program.forward()
        program.train(mochac.SGD(0.1), max_iter=20, verbose=0)
        assert program.forward() < before
