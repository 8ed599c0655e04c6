"""Random nets trained at once, against train() in float64 and to the bit against each alone."""

import numpy as np
import pytest
from test_train_many import arrays, assert_equal

import mochac
from mochac import NumericError, train_many
from mochac.tools.fuzzing.drawer import Drawer

STEPS = 5


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("seed", range(1, 16))
def test_random_nets(seed):
    case = Drawer(seed).draw(STEPS)
    print(f"seed {seed}, batch {case.batch}, {case.solver}\n{case.net}")
    seeds = [seed, seed + 1, seed + 2]
    case.solver.breaks.clear()
    results = train_many(case.net, case.solver, seeds, dtype="float64", verbose=0)
    (alone,) = train_many(case.net, case.solver, seeds[1], dtype="float64", verbose=0)
    assert_equal(results[1], alone)
    for (params, lounge), own in zip(results, seeds, strict=True):
        with mochac.compile(case.net, seed=own, dtype="float64") as program:
            try:
                program.train(case.solver, verbose=0)
            except NumericError:
                assert lounge.stopped
                continue
            for name, array in arrays(program.params).items():
                scale = max(1.0, float(np.abs(array).max(initial=0)))
                np.testing.assert_allclose(
                    arrays(params)[name] / scale, array / scale, rtol=1e-8, atol=1e-8, err_msg=name
                )


@pytest.mark.slow
def test_a_norm_whose_scale_gets_a_gradient_per_net():
    """The gradient of its scale is a sum beside rows, and what scales that sum by each net's learning rate needs all of
    it; before, their kernel had two loops that nothing joins (mochac fuzz --seed 178 --twins many)."""
    x, y = np.random.default_rng(0).standard_normal((2, 24, 8)), np.full((2, 1), 7.0)
    layers = [
        mochac.MemoryDataLayer(name="in", data=[x, y], batch_size=1),
        mochac.RNNLayer(name="rnn", bottoms=["data"], output_dim=8),
        mochac.RMSNormLayer(name="norm", bottoms=["rnn"]),
        mochac.MultiHeadAttentionLayer(name="attention", bottoms=["norm"], heads=8),
        mochac.ReductionLayer(name="sums", bottoms=["attention"], axes=(1,)),
        mochac.MultinomialLogisticLossLayer(name="loss", bottoms=["sums", "label"]),
    ]
    require_same_parameters(mochac.Net("norm", layers), mochac.SGD(0.001))


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [(1, 2), (2, 2), (1,)])
def test_pools_behind_convolutions(kernel):
    """With windows of one row, too, which a pass took for a net's channels (mochac fuzz --seed 219 --twins many)."""
    shape = (1, 4, 6)[: 1 + len(kernel)]
    x, y = np.random.default_rng(0).standard_normal((4, *shape)), np.arange(4.0)[:, None] % 3
    layers = [
        mochac.MemoryDataLayer(name="in", data=[x, y], batch_size=2),
        mochac.ConvolutionLayer(name="conv", bottoms=["data"], n_filter=2, kernel=(1,) * len(kernel)),
        mochac.PoolingLayer(name="pool", bottoms=["conv"], kernel=kernel, stride=kernel),
        mochac.InnerProductLayer(name="ip", bottoms=["pool"], output_dim=3),
        mochac.SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    require_same_parameters(mochac.Net("pools", layers), mochac.SGD(0.1))


def require_same_parameters(net, method):
    """train_many() and train() of one net end with the same parameters."""
    ((params, _),) = train_many(net, method, 5, max_iter=3, dtype="float64", verbose=0)
    with mochac.compile(net, seed=5, dtype="float64") as program:
        program.train(method, max_iter=3, verbose=0)
        for name, array in arrays(program.params).items():
            np.testing.assert_allclose(arrays(params)[name], array, rtol=1e-9, atol=1e-9, err_msg=name)
