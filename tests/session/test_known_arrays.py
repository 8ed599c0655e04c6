"""predict() of arrays whose dtypes and shapes it knows: what a program that meets them for the first time computes."""

import numpy as np
import pytest

import mochac
from mochac import (
    ConcatLayer,
    DataError,
    DataTransformers,
    EmbeddingLayer,
    FlattenLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    SoftmaxLossLayer,
)
from mochac.nets.layers.config import config
from mochac.nets.layers.transformers import DataTransformer

SHIFT = np.linspace(-1, 1, 5)
STEADY = [("data", DataTransformers.SubMean(mean_blob=SHIFT)), ("data", DataTransformers.Scale(0.25))]


def net(transformers=(), ids=False):
    rng = np.random.default_rng(0)
    arrays = {"data": rng.normal(size=(32, 5)), "label": np.zeros(32)}
    layers, inputs = [], ["data"]
    if ids:
        arrays["words"] = np.zeros((32, 3))
        layers = [
            EmbeddingLayer(name="rows", vocabulary=9, output_dim=2, bottoms=["words"]),
            FlattenLayer(name="flat", bottoms=["rows"]),
        ]
        inputs.append("flat")
    data = MemoryDataLayer(
        name="in", data=list(arrays.values()), tops=list(arrays), batch_size=32, transformers=list(transformers)
    )
    both = (
        ConcatLayer(name="both", bottoms=inputs)
        if ids
        else InnerProductLayer(name="both", output_dim=4, bottoms=inputs)
    )
    out = InnerProductLayer(name="ip", output_dim=3, bottoms=["both"])
    return Net("known", [data, *layers, both, out, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])


@pytest.mark.slow
@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("transformers", [(), STEADY], ids=["plain", "transformed"])
def test_predictions_are_those_of_the_first_time(transformers, ids):
    """300 calls, of which most meet a dtype and shape again, against a program that has met none."""
    rng = np.random.default_rng(1)
    program = mochac.compile(net(transformers, ids), seed=4)
    asked = [None, "both", ["ip", "both"], ["data"] if not ids else "flat"]
    for _ in range(300):
        n, dtype = rng.integers(1, 5), rng.choice(["f4", "f8", "i4", "u1"])
        x = {"data": (9 * rng.random((n, 5))).astype(dtype)}
        if ids:
            x["words"] = rng.integers(0, 9, (n, 3)).astype(rng.choice(["i8", "f4"]))
        elif rng.random() < 0.5:
            x = x["data"]
        before = {top: array.copy() for top, array in x.items()} if isinstance(x, dict) else x.copy()
        blob = asked[rng.integers(len(asked))]
        found = program.predict(x, blob)
        fresh = type(program.session.predictions)(program.session.plans).predict(x, blob)
        np.testing.assert_equal(found, fresh)
        np.testing.assert_equal(x, before)


def test_ids_out_of_range_are_refused_each_time():
    program = mochac.compile(net(ids=True))
    x = {"data": np.zeros((2, 5), np.float32), "words": np.zeros((2, 3), np.int64)}
    program.predict(x)
    wrong = {**x, "words": np.array([[0, 1, 2], [3, 9, 1]])}
    with pytest.raises(DataError, match="blob 'words', sample 1"):
        program.predict(wrong)
    program.predict(x)
    with pytest.raises(DataError, match="a number too large for float32"):
        program.predict({**x, "data": np.full((2, 5), 1e300)})


def test_a_transformer_that_is_not_steady_runs_each_time():
    @config
    class Jitter(DataTransformer):
        def prepared(self, shape):
            rng = np.random.default_rng()

            def change(values):
                values += rng.normal(size=values.shape)

            return change

    program, x = mochac.compile(net([("data", Jitter())])), np.zeros((1, 5), np.float32)
    first = program.predict(x)
    assert all((program.predict(x) != first).any() for _ in range(3))
