"""train_many() of nets with loops over time: results of train(), bits of each net alone, one loop for a block."""

import numpy as np
import pytest
from test_train_many import assert_equal, assert_trained

import mochac
from mochac import (
    SGD,
    Adam,
    GRULayer,
    InnerProductLayer,
    LSTMLayer,
    MemoryDataLayer,
    Net,
    RNNLayer,
    SoftmaxLossLayer,
    train_many,
)
from mochac.nets.layers import Layer, layer
from mochac.nets.layers.base import LAYERS

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 6, 4))
Y = (X[:, :, 0].sum(axis=1) > 0).astype(int)
METHODS, SEEDS = [SGD(0.1, momentum=0.9), SGD(0.5)], [3, 4]


def reader(recurrent, *, shuffle=True, batch=8, steps=6):
    data = MemoryDataLayer(data=[X[:, :steps], Y], batch_size=batch, shuffle=shuffle)
    ip = InnerProductLayer(name="ip", output_dim=2, bottoms=[recurrent.tops[0]])
    return Net("reader", [data, recurrent, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])


CASES = {
    "lstm": lambda: LSTMLayer(name="r", output_dim=5, last=True, bottoms=["data"]),
    "gru in both directions": lambda: GRULayer(name="r", output_dim=3, bidirectional=True, last=True, bottoms=["data"]),
    "rnn of two layers": lambda: RNNLayer(name="r", output_dim=4, n_layers=2, dropout=0.3, bottoms=["data"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_each_net_is_trained_as_by_train(case, shuffle):
    net = reader(CASES[case](), shuffle=shuffle)
    results = train_many(net, METHODS, SEEDS, max_iter=10, dtype="float64", verbose=0)
    for result, method, seed in zip(results, METHODS, SEEDS, strict=True):
        assert_trained(result, net, method, seed, max_iter=10)


@pytest.mark.slow
@pytest.mark.parametrize(("batch", "steps"), [(1, 6), (8, 1)])
def test_a_sample_and_a_step(batch, steps):
    net = reader(CASES["lstm"](), batch=batch, steps=steps)
    for result, seed in zip(
        train_many(net, Adam(0.05), SEEDS, max_iter=8, dtype="float64", verbose=0), SEEDS, strict=True
    ):
        assert_trained(result, net, Adam(0.05), seed, max_iter=8)


@pytest.mark.slow
def test_a_nets_bits_do_not_depend_on_the_others():
    net = reader(CASES["lstm"]())
    methods, seeds = [SGD(0.01 * (k + 1)) for k in range(19)], list(range(19))
    one, two = (train_many(net, methods, seeds, max_iter=10, threads=n, verbose=0) for n in (1, 2))
    for k in range(19):
        assert_equal(one[k], two[k])
    for k in (0, 15, 16, 18):
        (alone,) = train_many(net, methods[k], seeds[k], max_iter=10, verbose=0)
        assert_equal(one[k], alone)


@pytest.mark.slow
def test_explain_shows_the_body_of_many_nets():
    text = mochac.explain(reader(CASES["lstm"]()), many=True)
    assert "map.inner_product" in text


@pytest.fixture
def own():
    LAYERS.scan()
    before = dict(LAYERS._items), set(LAYERS.foreign)
    yield
    LAYERS._items, LAYERS.foreign = before


@pytest.mark.slow
def test_random_numbers_of_a_loop_follow_the_seed(own):
    """Nets of different seeds have different streams in their bodies, too."""

    @layer
    class NoisyLayer(Layer):
        def emit(self, ctx, bottoms):
            (x,) = bottoms

            def step(state, slices):
                kept = ctx.dropout_mask(slices[0], 0.5)
                return [state[0] * 0.5 + np.where(kept, slices[0], 0.0)], []

            return [ctx.scan(step, [x[:, 0] * 0], [x]).last[0]]

    net = reader(NoisyLayer(name="noisy", bottoms=["data"]))
    results = train_many(net, SGD(0.1), SEEDS, max_iter=10, dtype="float64", verbose=0)
    for result, seed in zip(results, SEEDS, strict=True):
        assert_trained(result, net, SGD(0.1), seed, max_iter=10)
