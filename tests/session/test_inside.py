"""predict() from blobs inside of a net, and nets that are cut there: the values, what is left, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    ActivationLayer,
    BatchNormLayer,
    ConcatLayer,
    DropoutLayer,
    ElementWiseLayer,
    InnerProductLayer,
    LSTMLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    OptionError,
    ParameterLayer,
    RandomMaskLayer,
    RandomNormalLayer,
    ReductionLayer,
    ShapeError,
    SquareLossLayer,
    TiedInnerProductLayer,
    UnsupportedError,
)

rng = np.random.default_rng(20261127)
X, C = rng.standard_normal((23, 6)), rng.standard_normal((23, 2))


def ip(name, bottom, width=4, **fields):
    return InnerProductLayer(name=name, output_dim=width, bottoms=[bottom], **fields)


def coder() -> Net:
    """x -> e1 -> code (changed in place) and noise -> z; z and c -> d1 (normalized) -> y, compared with x."""
    return Net("coder", [
        MemoryDataLayer(name="data", data=[X, C], tops=["x", "c"], batch_size=8),
        ip("e1", "x", neuron=Neurons.Tanh()),
        ip("code", "e1", 3),
        ActivationLayer(name="bend", neuron=Neurons.SiLU(), bottoms=["code"], tops=["code"]),
        DropoutLayer(name="drop", bottoms=["code"]),
        RandomNormalLayer(name="noise", tops=["noise"], output_dims=[3], batch_sizes=[8]),
        ElementWiseLayer(name="z", bottoms=["code", "noise"]),
        ConcatLayer(name="zc", bottoms=["z", "c"]),
        ip("d1", "zc", neuron=Neurons.ReLU()),
        BatchNormLayer(name="bn", bottoms=["d1"]),
        ip("y", "bn", 6),
        SquareLossLayer(name="loss", bottoms=["y", "x"]),
    ])  # fmt: skip


@pytest.fixture
def program():
    with mochac.compile(coder()) as program:
        program.train(SGD(0.01), max_iter=5, verbose=0)
        yield program


@pytest.mark.slow
def test_the_rest_is_computed_as_from_the_data(program):
    given = {"x": X, "c": C}
    z, code, y = program.predict(given, blob=["z", "code", "y"])
    np.testing.assert_allclose(program.predict({"z": z, "c": C}), y, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(program.predict({"code": code, "noise": z - code, "c": C}), y, rtol=1e-5, atol=1e-5)
    bn, again = program.predict({"zc": np.concatenate([z, C], axis=1)}, blob=["bn", "y"])
    np.testing.assert_allclose(bn, program.predict(given, "bn"), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(again, y, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(program.predict({"z": z, "c": C}, "z"), z)


def test_it_follows_the_training(program):
    z = rng.standard_normal((3, 3))
    before = program.predict({"z": z, "c": C[:3]})
    program.train(SGD(0.1), max_iter=5, verbose=0)
    after = program.predict({"z": z, "c": C[:3]})
    assert not np.allclose(before, after)
    with mochac.compile(program.net, params=program.params) as fresh:
        np.testing.assert_array_equal(fresh.predict({"z": z, "c": C[:3]}), after)


def test_what_is_not_needed_may_be_given_and_what_is_needed_must_be(program):
    z = rng.standard_normal((3, 3))
    wanted = program.predict({"z": z, "c": C[:3]})
    np.testing.assert_array_equal(program.predict({"z": z, "c": C[:3], "x": X[:3]}), wanted)
    with pytest.raises(OptionError, match="blob 'y' needs the input 'c' too"):
        program.predict({"z": z})
    with pytest.raises(OptionError, match=r"no data layer makes 'zz'"):
        program.predict({"z": z, "zz": z})
    with pytest.raises(ShapeError, match=r"'z' does not fit[\s\S]*\(any number, 3\),  got  \(3, 2\)"):
        program.predict({"z": z[:, :2], "c": C[:3]})
    with pytest.raises(ShapeError, match="differ in their number of samples"):
        program.predict({"z": z, "c": C})
    with pytest.raises(OptionError, match="blob 'noise' is not computed of 'z'"):
        program.predict({"z": z}, "noise")


def test_many_cuts(program, monkeypatch):
    """Old plans make room for new ones."""
    monkeypatch.setattr("mochac.training.session.prediction.MAX_CUTS", 1)
    z = rng.standard_normal((3, 3))
    first = program.predict({"z": z, "c": C[:3]})
    program.predict({"d1": np.ones((3, 4))})
    np.testing.assert_array_equal(program.predict({"z": z, "c": C[:3]}), first)


@pytest.mark.slow
def test_one_of_several_tops():
    x = rng.standard_normal((5, 7, 2))
    net = Net("rnn", [
        MemoryDataLayer(data=[x], tops=["x"], batch_size=5),
        LSTMLayer(name="read", output_dim=3, bottoms=["x"], tops=["steps", "h"]),
        ReductionLayer(name="sum", axes=1, bottoms=["steps"]),
        ElementWiseLayer(name="both", bottoms=["sum", "flat"]),
        mochac.ReshapeLayer(name="flat", shape=(3,), bottoms=["h"]),
    ])  # fmt: skip
    with mochac.compile(net) as program:
        steps, h, both = program.predict(x, blob=["steps", "h", "both"])
        np.testing.assert_allclose(program.predict({"h": h, "x": x}, "both"), both, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(program.predict({"h": 0 * h, "steps": steps}), steps.sum(axis=1), rtol=1e-5)


def test_layers_that_only_led_there_are_left_out():
    net = coder()
    assert {layer.name for layer in net.cut("z").layers} == {"z'", "data", "zc", "d1", "bn", "y", "loss"}
    plain = Net("plain", [layer for layer in net.layers if layer.name != "loss"])
    assert {layer.name for layer in plain.cut("d1").layers} == {"d1'", "bn", "y"}
    assert {layer.name for layer in plain.cut("z").cut("bn").layers} == {"bn'", "y"}


@pytest.mark.slow
def test_a_decoder_by_itself(program, tmp_path):
    z = rng.standard_normal((4, 3)).astype(np.float32)
    decoder = Net("decoder", [layer for layer in program.net.layers if layer.name != "loss"]).cut("z")
    with mochac.compile(decoder, params=program.params) as alone:
        wanted = program.predict({"z": z, "c": C[:4]})
        np.testing.assert_allclose(alone.predict({"z": z, "c": C[:4]}), wanted, rtol=1e-5, atol=1e-6)
        mochac.onnx.save(alone, tmp_path / "decoder.onnx")
    net, params = mochac.onnx.load(tmp_path / "decoder.onnx")
    with mochac.compile(net, params=params) as loaded:
        np.testing.assert_allclose(loaded.predict({"z": z, "c": C[:4]}), wanted, rtol=1e-5, atol=1e-5)


def test_tied_weights_stay_where_they_are():
    net = Net("tied", [
        MemoryDataLayer(data=[X], tops=["x"], batch_size=8),
        ip("encoder", "x", 3, neuron=Neurons.Sigmoid()),
        TiedInnerProductLayer(name="decoder", tied_param_key="encoder", bottoms=["encoder"]),
        SquareLossLayer(name="loss", bottoms=["decoder", "x"]),
    ])  # fmt: skip
    with mochac.compile(net) as program:
        codes, y = program.predict(X, blob=["encoder", "decoder"])
        np.testing.assert_allclose(program.predict({"encoder": codes}), y, rtol=1e-5, atol=1e-6)


def test_a_layer_that_may_work_in_place_keeps_its_own_blob():
    """Its reader is cut away; without one it would work in place."""
    net = Net("own", [
        MemoryDataLayer(data=[X], tops=["x"], batch_size=8),
        ip("h", "x"),
        RandomMaskLayer(name="masked", bottoms=["h"]),
        ip("left", "masked"),
        ip("right", "h"),
        ElementWiseLayer(name="sum", bottoms=["left", "right"]),
        ip("other", "masked"),
    ])  # fmt: skip
    assert "masked" in net.cut("left").blobs
    alone = Net("alone", [layer for layer in net.layers if layer.name != "other"])
    assert "masked" not in alone.cut("left").blobs
    with mochac.compile(alone) as program:
        left, y = program.predict(X, blob=["left", "sum"])
        np.testing.assert_allclose(program.predict({"left": left, "x": X}), y, rtol=1e-5, atol=1e-6)


def test_what_cannot_be_given():
    net = coder()
    for names, said in ((["x"], "'x' is given already: it comes from layer 'data'"), (["nope"], "has no blob 'nope'")):
        with pytest.raises(OptionError, match=said):
            net.cut(*names)
    with pytest.raises(OptionError, match="no blob is named"):
        net.cut()
    data = MemoryDataLayer(data=[X], tops=["x"], batch_size=8)
    weight = ParameterLayer(name="W", shape=(4, 6))
    with pytest.raises(OptionError, match="'W' cannot be given: it does not hold one row per sample"):
        Net("w", [data, weight, ip("y", "x", weight="W")]).cut("W")
    with pytest.raises(UnsupportedError, match="'s' cannot be given: it has no axis but the batch"):
        Net("s", [data, ReductionLayer(name="s", axes=1, bottoms=["x"])]).cut("s")
