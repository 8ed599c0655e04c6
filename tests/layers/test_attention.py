"""Attention by its formula, where masks leave nothing to attend to, and with dropout; ids that are none."""

import numpy as np
import pytest

import mochac
from mochac import AttentionLayer, EmbeddingLayer, InnerProductLayer, MemoryDataLayer, MultiHeadAttentionLayer, Net


def net_of(layer, **arrays):
    n = len(next(iter(arrays.values())))
    return Net("n", [MemoryDataLayer(data=[*arrays.values()], tops=[*arrays], batch_size=n), layer])


def test_a_query_that_may_attend_to_nothing_attends_to_all_alike():
    x = np.random.default_rng(0).normal(size=(2, 3, 6))
    layer = AttentionLayer(name="y", bottoms=["x"], mask="mask")
    with mochac.compile(net_of(layer, x=x, mask=np.zeros((2, 3))), dtype="float64") as program:
        program.forward()
        np.testing.assert_allclose(program.blobs["y"], np.repeat(x[:, :, 4:].mean(axis=1, keepdims=True), 3, axis=1))


def attended(x, heads, causal, mask):
    """The formula, in NumPy."""
    batch, time, width = x.shape
    q, k, v = (part.reshape(batch, time, heads, -1) for part in np.split(x, 3, axis=2))
    scores = np.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    scores = np.where(mask[:, None, None, :] > 0, scores, -3e38)
    if causal:
        scores = np.where(np.tri(time, dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=3, keepdims=True))
    weights /= weights.sum(axis=3, keepdims=True)
    return np.einsum("bhqk,bkhd->bqhd", weights, v).reshape(batch, time, width // 3)


@pytest.mark.slow
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("time", [150, 192])
def test_long_sequences_go_strip_by_strip(time, causal):
    """Several strips, the last one shorter or not; values, gradients by central differences along one direction."""
    rng = np.random.default_rng(1)
    x, mask = rng.normal(size=(4, time, 12)), (rng.random((4, time)) > 0.3).astype(float)
    mask[:, 0] = 1
    target = rng.normal(size=(4, time, 4))
    data = MemoryDataLayer(data=[x, mask, target], tops=["x", "mask", "target"], batch_size=4)
    map_in = InnerProductLayer(name="map", output_dim=12, axis=-1, bottoms=["x"])
    layer = AttentionLayer(name="y", bottoms=["map"], heads=2, causal=causal, mask="mask")
    net = Net("long", [data, map_in, layer, mochac.SquareLossLayer(name="loss", bottoms=["y", "target"])])
    with mochac.compile(net, dtype="float64") as program:
        assert "Computed item by item" in str(program.explain())
        program.forward()
        np.testing.assert_allclose(program.blobs["y"], attended(program.blobs["map"], 2, causal, mask), atol=1e-11)
        program.backward()
        gradient = np.array(program.grads["map"]["weight"])
        weight = np.array(program.params["map"]["weight"])

    def loss(weight):
        mapped = np.einsum("btf,of->bto", x, weight)
        return 0.5 * np.sum((attended(mapped, 2, causal, mask) - target) ** 2) / 4

    direction = rng.normal(size=weight.shape)
    difference = (loss(weight + 1e-6 * direction) - loss(weight - 1e-6 * direction)) / 2e-6
    assert abs(np.sum(gradient * direction) - difference) <= 1e-6 * abs(difference)


@pytest.mark.slow
def test_a_training_step_stores_no_matrix_of_positions():
    """What the plan keeps grows with the length, not with its square."""
    rng = np.random.default_rng(2)

    def arena_bytes(time):
        x = rng.normal(size=(8, time, 24)).astype(np.float32)
        layer = MultiHeadAttentionLayer(name="y", bottoms=["x"], heads=2, causal=True)
        data = MemoryDataLayer(data=[x, x], tops=["x", "target"], batch_size=8)
        net = Net("n", [data, layer, mochac.SquareLossLayer(name="loss", bottoms=["y", "target"])])
        with mochac.compile(net) as program:
            text = str(program.explain())
        assert "below=True" in text and "is computed again where it is read later" in text
        _, number, unit, *_ = next(line for line in text.splitlines() if line.strip().startswith("arena")).split()
        return float(number) * {"kB,": 1e3, "MB,": 1e6}[unit]

    assert arena_bytes(256) < 2.2 * arena_bytes(128)


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
