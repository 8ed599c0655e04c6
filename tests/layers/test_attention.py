"""Attention by its formula, where masks leave nothing to attend to, and with dropout; ids that are none."""

import numpy as np
import pytest

import mochac
from mochac import AttentionLayer, EmbeddingLayer, MemoryDataLayer, MultiHeadAttentionLayer, Net


def net_of(layer, **arrays):
    n = len(next(iter(arrays.values())))
    return Net("n", [MemoryDataLayer(data=[*arrays.values()], tops=[*arrays], batch_size=n), layer])


def test_a_query_that_may_attend_to_nothing_attends_to_all_alike():
    x = np.random.default_rng(0).normal(size=(2, 3, 6))
    layer = AttentionLayer(name="y", bottoms=["x"], mask="mask")
    with mochac.compile(net_of(layer, x=x, mask=np.zeros((2, 3))), dtype="float64") as program:
        program.forward()
        np.testing.assert_allclose(program.blobs["y"], np.repeat(x[:, :, 4:].mean(axis=1, keepdims=True), 3, axis=1))


@pytest.mark.slow
def test_dropout_drops_weights_in_training_only():
    x = np.random.default_rng(0).normal(size=(40, 4, 6))
    layer = AttentionLayer(name="y", bottoms=["x"], dropout=0.5)
    with (
        mochac.compile(net_of(layer, x=x), mode="train") as dropped,
        mochac.compile(net_of(layer.replace(dropout=0.0), x=x)) as plain,
    ):
        dropped.forward()
        plain.forward()
        assert not np.allclose(dropped.blobs["y"], plain.blobs["y"])
        np.testing.assert_array_equal(dropped.predict(x.astype(np.float32)), plain.blobs["y"])


def test_two_bottoms_are_refused():
    for kind in (AttentionLayer, MultiHeadAttentionLayer):
        with pytest.raises(mochac.OptionError, match="needs one bottom, or queries, keys and values"):
            kind(name="y", heads=1, bottoms=["q", "k"])


@pytest.mark.parametrize(
    ("bad", "said"),
    [(5, "id out of range\n.*0 <= id < 5.*got  5\n.*ids are numbered from 0"), (0.5, "id is not an int")],
)
def test_ids_that_are_none(bad, said):
    ids = np.array([[0, 1], [2, bad]], np.float32)
    layer = EmbeddingLayer(name="words", vocabulary=5, output_dim=3, bottoms=["ids"])
    with mochac.compile(net_of(layer, ids=ids)) as program, pytest.raises(mochac.DataError, match=f"(?s){said}"):
        program.forward()
