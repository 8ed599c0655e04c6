"""Legal fields that probably do something else than was meant are named in the log, once."""

from __future__ import annotations

import logging

import pytest

from mochac import ActivationLayer, BatchNormLayer, GRULayer, InputLayer, LSTMLayer, Net, PowerLayer

KERAS = "momentum=0.99 is the weight of the new batch, as in PyTorch; Keras' momentum=0.99 is 0.01 here"
DROPOUT = "dropout=0.5 does nothing with n_layers=1: it drops what goes from one layer to the next; "
CASES = {
    "Keras' momentum": (BatchNormLayer(name="norm", momentum=0.99, bottoms=["x"]), KERAS),
    "PyTorch's": (BatchNormLayer(name="norm", momentum=0.1, bottoms=["x"]), ""),
    "the last batch alone": (BatchNormLayer(name="norm", momentum=1.0, bottoms=["x"]), ""),
    "dropout of one layer": (GRULayer(name="read", output_dim=2, dropout=0.5, bottoms=["x"]), DROPOUT),
    "dropout of an LSTM": (LSTMLayer(name="read", output_dim=2, dropout=0.5, bottoms=["x"]), DROPOUT),
    "dropout of two layers": (GRULayer(name="read", output_dim=2, n_layers=2, dropout=0.5, bottoms=["x"]), ""),
}


@pytest.mark.parametrize("case", CASES)
def test_a_warning(case, caplog):
    layer, words = CASES[case]
    with caplog.at_level(logging.WARNING, "mochac"):
        for _ in range(2):
            Net(f"doubtful: {case}", [InputLayer(name="in", shape=(2, 4, 3), tops=["x"]), layer])
    assert len(caplog.messages) == bool(words)
    assert words in caplog.text
    assert not words or f"layer {layer.name!r} ({layer.kind})" in caplog.text


def test_an_in_place_layer_works_before_readers_ahead_of_it_in_the_list(caplog):
    """As in Mocha, where the list is in no order; in Caffe, `keep` would get what the layer in front makes."""

    def net(name, *layers):
        source = InputLayer(name="in", shape=(2, 3), tops=["x"])
        first = PowerLayer(name="a", bottoms=["x"], tops=["a"])
        return Net(name, [source, first, *layers])

    keep = PowerLayer(name="keep", scale=2.0, bottoms=["a"], tops=["kept"])
    relu = ActivationLayer(name="relu", bottoms=["a"], tops=["a"])
    with caplog.at_level(logging.WARNING, "mochac"):
        behind = net("behind", relu, keep)
        assert caplog.messages == []
        ahead = net("ahead", keep, relu)
    assert [layer.name for layer in behind.layers] == [layer.name for layer in ahead.layers]
    (said,) = caplog.messages
    assert "layer 'keep' (Power)" in said and "reads the result of the in-place layer 'relu' (Activation)" in said
    assert "as all readers of blob 'a' do; give the in-place layer a top of its own" in said
