"""Caffe's LSTM and RNN compute what lstm_layer.cpp, lstm_unit_layer.cpp and rnn_layer.cpp say."""

import numpy as np
import pytest

import mochac
from mochac.caffe.files.binary import read_caffemodel
from mochac.caffe.files.schema import message_class

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


@pytest.mark.parametrize(
    ("fields", "more", "said"),
    [
        ("expose_hidden: true", "", "expose_hidden is not supported"),
        ("", 'bottom: "x"', "a bottom that is the same at all steps is not supported"),
        ("", "param { lr_mult: 1 } param { lr_mult: 1 } param { lr_mult: 2 }", "must be the same for both weights"),
    ],
)
def test_what_is_refused(tmp_path, fields, more, said):
    with pytest.raises(mochac.UnsupportedError, match=said):
        mochac.caffe.load_net(prototxt(tmp_path / "n.prototxt", "LSTM", fields, more))


def test_damaged_and_written_models(tmp_path):
    path = written(tmp_path / "w.caffemodel", "LSTM", [np.zeros((6, 2))])
    with pytest.raises(mochac.SnapshotError, match="no LSTM of four gates"):
        read_caffemodel(path)
    with pytest.raises(mochac.SnapshotError, match="read, not written"):
        mochac.caffe.save_weights(tmp_path / "x.caffemodel", {"read___weight_h": np.zeros((8, 2))})
