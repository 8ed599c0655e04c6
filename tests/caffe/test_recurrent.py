"""Caffe's LSTM and RNN compute what lstm_layer.cpp, lstm_unit_layer.cpp and rnn_layer.cpp say."""

import numpy as np
import pytest

import mochac
from mochac.base.files.caffe_binary import read_caffemodel
from mochac.base.files.caffe_schema import message_class

pytest.importorskip("google.protobuf", reason="Caffe's files need the package protobuf")

TIME, BATCH, WIDTH, SIZE = 6, 3, 4, 5
NET = """
layer {{ name: "in" type: "Input" top: "x" top: "cont"
  input_param {{ shape {{ dim: 6 dim: 3 dim: 4 }} shape {{ dim: 6 dim: 3 }} }} }}
layer {{ name: "read" type: "{kind}" bottom: "x" bottom: "cont" top: "y" {more}
  recurrent_param {{ num_output: 5 weight_filler {{ type: "uniform" min: -0.5 max: 0.5 }} {fields} }} }}
"""


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(blobs, x, cont):
    """(time, batch, output); gates in Caffe's order i, f, o, g."""
    w_x, b, w_h = blobs
    h = c = np.zeros((BATCH, SIZE))
    outputs = []
    for now, goes_on in zip(x, cont, strict=True):
        h, c = h * goes_on[:, None], c * goes_on[:, None]
        i, f, o, g = np.split(now @ w_x.T + b + h @ w_h.T, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        outputs.append(h)
    return np.array(outputs)


def rnn(blobs, x, cont):
    w_x, b, w_h, w_o, b_o = blobs
    h, outputs = np.zeros((BATCH, SIZE)), []
    for now, goes_on in zip(x, cont, strict=True):
        h = np.tanh(now @ w_x.T + b + (h * goes_on[:, None]) @ w_h.T)
        outputs.append(np.tanh(h @ w_o.T + b_o))
    return np.array(outputs)


SHAPES = {
    "LSTM": ((4 * SIZE, WIDTH), (4 * SIZE,), (4 * SIZE, SIZE)),
    "RNN": ((SIZE, WIDTH), (SIZE,), (SIZE, SIZE), (SIZE, SIZE), (SIZE,)),
}


def written(path, kind, blobs):
    net = message_class("NetParameter")()
    layer = net.layer.add(name="read", type=kind)
    for array in blobs:
        blob = layer.blobs.add()
        blob.shape.dim.extend(array.shape)
        blob.data.append(array.astype("<f4").tobytes())
    path.write_bytes(net.SerializeToString())
    return path


def prototxt(path, kind, fields="", more=""):
    path.write_text(NET.format(kind=kind, fields=fields, more=more))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["LSTM", "RNN"])
def test_formulas(tmp_path, kind):
    """Sequences begin within the blob; Caffe's axes of time and batch are exchanged."""
    rng = np.random.default_rng(3)
    blobs = [rng.normal(0, 0.5, shape).astype(np.float32) for shape in SHAPES[kind]]
    net = mochac.caffe.load_net(
        prototxt(tmp_path / "n.prototxt", kind), written(tmp_path / "w.caffemodel", kind, blobs)
    )
    assert net.blobs["y"].shape == (BATCH, TIME, SIZE)
    x = rng.normal(size=(TIME, BATCH, WIDTH))
    cont = (rng.random((TIME, BATCH)) < 0.6).astype(float)
    with mochac.compile(net, dtype="float64") as program:
        got = program.predict({"x": x.swapaxes(0, 1), "cont": cont.T}, blob="y")
    wanted = {"LSTM": lstm, "RNN": rnn}[kind]([b.astype(float) for b in blobs], x, cont)
    np.testing.assert_allclose(got, wanted.swapaxes(0, 1), rtol=1e-9, atol=1e-12)


def test_the_sum_of_both_biases_moves_as_caffes_one(tmp_path):
    more = "param { lr_mult: 3 } param { lr_mult: 2 decay_mult: 0 } param { lr_mult: 3 }"
    (layer,) = [
        x
        for x in mochac.caffe.load_net(prototxt(tmp_path / "n.prototxt", "LSTM", more=more)).layers
        if x.name == "read"
    ]
    assert (layer.weight_lr, layer.bias_lr) == (3.0, 1.0)
    assert layer.bias_h_init == mochac.ConstantInitializer(0.0)


EVERY = """
layer {{ name: "in" type: "Input" top: "x" top: "cont" top: "s" {starts}
  input_param {{ shape {{ dim: 6 dim: 3 dim: 4 }} shape {{ dim: 6 dim: 3 }} shape {{ dim: 3 dim: 2 dim: 1 }}
    {shapes} }} }}
layer {{ name: "read" type: "{kind}" bottom: "x" bottom: "cont" bottom: "s" {bottoms} top: "y" {tops}
  recurrent_param {{ num_output: 5 expose_hidden: true weight_filler {{ type: "xavier" }} }} }}
"""
"""A recurrent layer with all that Caffe's may have."""
STATIC = 2


def every(path, kind):
    starts = ["h0", "c0"][: {"LSTM": 2, "RNN": 1}[kind]]
    text = EVERY.format(
        kind=kind,
        starts=" ".join(f'top: "{s}"' for s in starts),
        bottoms=" ".join(f'bottom: "{s}"' for s in starts),
        tops=" ".join(f'top: "{s}"' for s in ("h", "c")[: len(starts)]),
        shapes="shape { dim: 1 dim: 3 dim: 5 } " * len(starts),
    )
    path.write_text(text)
    return path


def steps(kind, blobs, x, cont, static, states):
    """Outputs (time, batch, output) and the last states, as recurrent_layer.cpp puts them together."""
    w_x, b, w_s, w_h, *out = blobs
    outputs = []
    for now, goes_on in zip(x, cont, strict=True):
        states = [s * goes_on[:, None] for s in states]
        pre = now @ w_x.T + b + static @ w_s.T + states[0] @ w_h.T
        if kind == "RNN":
            states = [np.tanh(pre)]
            outputs.append(np.tanh(states[0] @ out[0].T + out[1]))
        else:
            i, f, o, g = np.split(pre, 4, axis=1)
            c = sigmoid(f) * states[1] + sigmoid(i) * np.tanh(g)
            states = [sigmoid(o) * np.tanh(c), c]
            outputs.append(states[0])
    return np.array(outputs), states


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["LSTM", "RNN"])
def test_features_of_all_steps_and_given_states(tmp_path, kind):
    """x_static and expose_hidden; states are (1, batch, output) in Caffe."""
    rng = np.random.default_rng(5)
    shapes = list(SHAPES[kind])
    shapes.insert(2, (shapes[0][0], STATIC))
    blobs = [rng.normal(0, 0.5, shape).astype(np.float32) for shape in shapes]
    net = mochac.caffe.load_net(every(tmp_path / "n.prototxt", kind), written(tmp_path / "w.caffemodel", kind, blobs))
    x, static = rng.normal(size=(TIME, BATCH, WIDTH)), rng.normal(size=(BATCH, STATIC))
    cont = (rng.random((TIME, BATCH)) < 0.8).astype(float)
    names = {"LSTM": ("h", "c"), "RNN": ("h",)}[kind]
    starts = [rng.normal(size=(BATCH, SIZE)) for _ in names]
    given = {f"{name}0": s[:, None] for name, s in zip(names, starts, strict=True)}
    feeds = {"x": x.swapaxes(0, 1), "cont": cont.T, "s": static[..., None], **given}
    wanted, last = steps(kind, [b.astype(float) for b in blobs], x, cont, static, starts)
    with mochac.compile(net, dtype="float64") as program:
        assert {blob: net.blobs[blob].shape for blob in names} == dict.fromkeys(names, (BATCH, 1, SIZE))
        np.testing.assert_allclose(program.predict(feeds, blob="y"), wanted.swapaxes(0, 1), rtol=1e-9, atol=1e-12)
        for name, state in zip(names, last, strict=True):
            got = program.predict(feeds, blob=name)
            np.testing.assert_allclose(got[:, 0], state, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("fields", "more", "said"),
    [
        ("expose_hidden: true", "", "wrong number of bottoms with expose_hidden: true"),
        ("", 'bottom: "x" bottom: "x"', "wrong number of bottoms with expose_hidden: false"),
        ("", 'top: "h"', "wrong number of tops with expose_hidden: false"),
        ("", "param { lr_mult: 1 } param { lr_mult: 1 } param { lr_mult: 2 }", "must be the same for both weights"),
        (
            "",
            'bottom: "x" param { lr_mult: 1 } param { lr_mult: 1 } param { lr_mult: 2 }',
            "must be the same for all weights",
        ),
    ],
)
def test_what_is_refused(tmp_path, fields, more, said):
    with pytest.raises(mochac.UnsupportedError, match=said):
        mochac.caffe.load_net(prototxt(tmp_path / "n.prototxt", "LSTM", fields, more))


def test_damaged_and_written_models(tmp_path):
    path = written(tmp_path / "w.caffemodel", "LSTM", [np.zeros((6, 2))])
    with pytest.raises(mochac.SnapshotError, match="no LSTM of four gates"):
        read_caffemodel(path)
    path = written(tmp_path / "w.caffemodel", "RNN", [np.zeros(s) for s in ((5, 2), 5, (4, 3), (5, 5), (5, 5), 5)])
    with pytest.raises(mochac.SnapshotError, match="the weights of x and x_static have other rows"):
        read_caffemodel(path)
    with pytest.raises(mochac.SnapshotError, match="read, not written"):
        mochac.caffe.save_weights(tmp_path / "x.caffemodel", {"read___weight_h": np.zeros((8, 2))})
