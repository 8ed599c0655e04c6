"""Attention by its formula, where masks leave nothing to attend to, and with dropout; ids that are none."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    AttentionLayer,
    EmbeddingLayer,
    InnerProductLayer,
    InputLayer,
    MemoryDataLayer,
    MultiHeadAttentionLayer,
    Net,
    PowerLayer,
    Rotary,
    SquareLossLayer,
)


def net_of(layer, **arrays):
    n = len(next(iter(arrays.values())))
    return Net("n", [MemoryDataLayer(data=[*arrays.values()], tops=[*arrays], batch_size=n), layer])


def test_a_query_that_may_attend_to_nothing_attends_to_all_alike():
    x = np.random.default_rng(0).normal(size=(2, 3, 6))
    layer = AttentionLayer(name="y", bottoms=["x"], mask="mask")
    with mochac.compile(net_of(layer, x=x, mask=np.zeros((2, 3))), dtype="float64") as program:
        program.forward()
        np.testing.assert_allclose(program.blobs["y"], np.repeat(x[:, :, 4:].mean(axis=1, keepdims=True), 3, axis=1))


def attended(x, heads, causal, mask, window=None):
    """The formula, in NumPy."""
    batch, time, width = x.shape
    q, k, v = (part.reshape(batch, time, heads, -1) for part in np.split(x, 3, axis=2))
    scores = np.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    scores = np.where(mask[:, None, None, :] > 0, scores, -3e38)
    if causal:
        scores = np.where(np.tri(time, dtype=bool), scores, -np.inf)
    if window:
        scores = np.where(np.tri(time, k=-window, dtype=bool), -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=3, keepdims=True))
    weights /= weights.sum(axis=3, keepdims=True)
    return np.einsum("bhqk,bkhd->bqhd", weights, v).reshape(batch, time, width // 3)


@pytest.mark.slow
@pytest.mark.parametrize(("time", "causal", "window"), [(150, True, 70), (192, True, None), (150, False, None)])
def test_long_sequences_go_strip_by_strip(time, causal, window):
    """Several strips, the last one shorter or not; values, gradients by central differences along one direction."""
    rng = np.random.default_rng(1)
    x, mask = rng.normal(size=(4, time, 12)), (rng.random((4, time)) > 0.3).astype(float)
    mask[:, 0] = 1
    target = rng.normal(size=(4, time, 4))
    data = MemoryDataLayer(data=[x, mask, target], tops=["x", "mask", "target"], batch_size=4)
    map_in = InnerProductLayer(name="map", output_dim=12, axis=-1, bottoms=["x"])
    layer = AttentionLayer(name="y", bottoms=["map"], heads=2, causal=causal, window=window, mask="mask")
    net = Net("long", [data, map_in, layer, mochac.SquareLossLayer(name="loss", bottoms=["y", "target"])])
    with mochac.compile(net, dtype="float64") as program:
        assert "Computed item by item" in str(program.explain())
        program.forward()
        np.testing.assert_allclose(
            program.blobs["y"], attended(program.blobs["map"], 2, causal, mask, window), atol=1e-11
        )
        program.backward()
        gradient = np.array(program.grads["map"]["weight"])
        weight = np.array(program.params["map"]["weight"])

    def loss(weight):
        mapped = np.einsum("btf,of->bto", x, weight)
        return 0.5 * np.sum((attended(mapped, 2, causal, mask, window) - target) ** 2) / 4

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


FORMS = {
    "plain": {},
    "rotary": {"rotary": Rotary(base=100.0), "window": 3},
    "grouped": {"kv_heads": 2, "rotary": Rotary(interleaved=True, width=2), "bias": False},
}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_positions_in_turns_are_those_of_the_whole(form):
    """Some at a time, with the keys and values of those before in arrays that are longer than needed."""
    rng = np.random.default_rng(0)
    layer = MultiHeadAttentionLayer(name="y", heads=4, causal=True, bottoms=["x"], **FORMS[form])
    x, size = rng.normal(size=(3, 7, 16)), 16 * layer.number.keys // 4
    with mochac.compile(Net("whole", [InputLayer(name="x", shape=(3, 7, 16)), layer]), dtype="float64") as whole:
        wanted = whole.predict(x)
        past, done = {name: rng.normal(size=(3, 9, size)) for name in ("keys", "values")}, 0
        for count in (1, 2, 1, 3):
            step = layer.replace(past=["keys", "values"], lengths="n", tops=["y", "k", "v"])
            inputs = [
                InputLayer(name="x", shape=(3, count, 16)),
                InputLayer(name="past", shape=(3, 9, size), tops=["keys", "values"]),
                InputLayer(name="n", shape=(3,)),
            ]
            with mochac.compile(Net("step", [*inputs, step]), params=whole.params, dtype="float64") as program:
                given = {"x": x[:, done : done + count], "n": np.full(3, done), **past}
                y, k, v = program.predict(given, blob=["y", "k", "v"])
            np.testing.assert_allclose(y, wanted[:, done : done + count], atol=1e-12)
            past["keys"][:, done : done + count], past["values"][:, done : done + count] = k, v
            done += count


@pytest.mark.slow
def test_samples_have_pasts_of_different_lengths():
    rng = np.random.default_rng(1)
    x, keys, values = rng.normal(size=(2, 1, 12)), rng.normal(size=(2, 5, 4)), rng.normal(size=(2, 5, 4))
    layer = AttentionLayer(name="y", bottoms=["x"], past=["keys", "values"], rotary=Rotary(), lengths="n")

    def attended(n, shorter=slice(None)):
        arrays = {"x": x[shorter], "keys": keys[shorter], "values": values[shorter], "n": np.array(n)}
        with mochac.compile(net_of(layer, **arrays), dtype="float64") as program:
            program.forward()
            return program.blobs["y"]

    both = attended([2, 5])
    np.testing.assert_array_equal(both, np.concatenate([attended([2], slice(1)), attended([5], slice(1, 2))]))
    keys[0, 2:], values[0, 2:] = 1e3, 1e3
    np.testing.assert_array_equal(attended([2, 5]), both)
    with pytest.raises(mochac.DataError, match="0 <= length <= 5"):
        attended([2, 6])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"tops": ["y", "k"]}, "needs one top, or the result, keys and values"),
        ({"past": ["keys"]}, "past names keys and values"),
    ],
)
def test_wrong_numbers_of_blobs_are_refused(fields, said):
    with pytest.raises(mochac.OptionError, match=said):
        AttentionLayer(name="y", bottoms=["x"], **fields)


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


def test_a_computed_id_out_of_range_is_nan_and_ends_a_training():
    """As in jax.numpy.take; PyTorch's Embedding on CPUs raises an error."""
    ids = np.array([[0.0], [3], [7], [0.5]])
    net = Net("computed", [
        MemoryDataLayer(data=[ids, np.zeros((4, 2))], tops=["a", "y"], batch_size=4),
        PowerLayer(name="next", shift=1.0, bottoms=["a"], tops=["ids"]),
        EmbeddingLayer(name="words", vocabulary=8, output_dim=2, bottoms=["ids"]),
        SquareLossLayer(name="loss", bottoms=["words", "y"]),
    ])  # fmt: skip
    with mochac.compile(net) as program:
        table = np.array(program.params["words"]["weight"])
        found = program.predict(ids, blob="words")
        np.testing.assert_array_equal(found[:2], table[[1, 4]])
        assert np.isnan(found[2:]).all()
        with pytest.raises(mochac.NumericError, match="iteration 1: the loss became nan"):
            program.train(SGD(0.1), max_iter=2)
