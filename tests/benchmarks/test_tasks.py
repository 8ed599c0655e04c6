"""The nets of benchmarks/: their operations and shapes by hand, and what mochac makes of them."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np
import pytest
from bench_kit import module, textbook_flops

STEP_FLOPS = {
    # 2 * batch * (forward, weight gradients, and data gradients of all but the first layer), multiply-adds by layer
    "lenet": 2 * 64 * (2 * 20 * 24 * 24 * 25 + 3 * 50 * 8 * 8 * 500 + 3 * 500 * 800 + 3 * 10 * 500),
    "cifar": 2 * 100 * (2 * 32 * 32 * 32 * 75 + 3 * 32 * 16 * 16 * 800 + 3 * 64 * 8 * 8 * 800 + 3 * 10 * 64 * 4 * 4),
    "mlp": 2 * 100 * (2 * 784_000 + 3 * 1_000_000 + 3 * 1_000_000 + 3 * 10_000),
    "autoencoder": 2 * 100 * (2 * 784 * 500 + 3 * 500 * 250 + 3 * 250 * 500 + 3 * 500 * 784),
    "tabular": 2 * 100 * (2 * 28 * 300 + 3 * 4 * 300 * 300 + 3 * 300),
    # positions * (maps of four blocks and the output); both products of attention, masked or not
    "gpt": 2 * 12 * 3 * 64 * (4 * (128 * 3 * 128 + 128 * 128 + 2 * 128 * 512 + 2 * 64 * 128) + 128 * 103),
    "gru": 2 * 16 * (100 * 192 * (2 * 8 + 3 * 64) + 3 * 64),
    "lstm": 2 * 64 * (25 * 2048 * (2 * 512 + 3 * 512) + 3 * 512 * 10),
    # positions * filters * taps, of half the channels where there are two groups; then 6 * 6 * 256 features
    "alexnet": 2 * 16 * (2 * 55 * 55 * 96 * 3 * 121 + 3 * 27 * 27 * 256 * 48 * 25)
    + 2 * 16 * 3 * 13 * 13 * 9 * (384 * 256 + 384 * 192 + 256 * 192)
    + 2 * 16 * 3 * (9216 * 4096 + 4096 * 4096 + 4096 * 1000),
    # patches; pixels * channels * (taps of 7 x 7, both maps); the output
    "convnext": 2 * 32 * (2 * 256 * 64 * 3 * 4 + 3 * 4 * 256 * 64 * (49 + 2 * 256) + 3 * 10 * 64),
    "tiny": 2 * 32 * (2 * 20 * 32 + 3 * 32 * 32 + 3 * 32 * 10),
    # nine taps: 3 -> 16 of 32 x 32, then stages of six convolutions, of which the first comes from fewer channels
    "resnet": 2 * 128 * (9 * 1024 * 16 * (2 * 3 + 3 * 6 * 16) + 3 * 10 * 64)
    + 2 * 128 * 3 * 9 * (256 * 32 * (16 + 5 * 32) + 64 * 64 * (32 + 5 * 64)),
    # pixels * channels * (9 + filters) of blocks of one width, where the stride is 2 from fewer channels
    "mobilenet": 2 * 32 * (2 * 1024 * 16 * 27 + 3 * 10 * 512)
    + 2 * 32 * 3 * 1024 * 16 * (9 + 32)
    + 2 * 32 * 3 * 256 * (32 * (9 + 64) + 64 * (9 + 64))
    + 2 * 32 * 3 * 64 * (64 * (9 + 128) + 128 * (9 + 128))
    + 2 * 32 * 3 * 16 * (128 * (9 + 256) + 5 * 256 * (9 + 256))
    + 2 * 32 * 3 * 4 * (256 * (9 + 512) + 512 * (9 + 512)),
}


def test_every_net_is_counted_by_hand():
    assert set(module("contest.task").names()) == set(STEP_FLOPS)


@pytest.mark.parametrize("name", STEP_FLOPS)
def test_operations(name):
    task = module("contest.task").task(name)
    assert task.step_flops == STEP_FLOPS[name]
    assert task.forward_flops(2 * task.batch) == 2 * task.forward_flops()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", STEP_FLOPS)
def test_mochac_sees_the_same_net(name):
    """Shapes of blobs and parameters, operations: from the layers as data and from mochac's own rules."""
    task = module("contest.task").task(name)
    data = task.data()
    net = module("contest.with_mochac").net(task, data)
    for part, shape in zip(task.layers, task.shapes[1:], strict=True):
        assert net.blobs[part.name].shape == (task.batch, *shape)
    assert sum(prod(p.shape) for p in net.params) == sum(prod(s) for s in task.params.values())
    assert textbook_flops(net) == task.step_flops
    assert len(data.inputs) == data.n_batches * task.batch


def test_batches_begin_anew():
    data = module("contest.task").task("tiny").data()
    np.testing.assert_array_equal(data.batch(data.n_batches)[0], data.batch(0)[0])
    np.testing.assert_array_equal(data.batch(1)[1], data.labels[32:64])


def forward(task, p, x):
    """A net of dense layers, with what its gradient needs."""
    kept = []
    for part in task.layers:
        y = x @ p[f"{part.name}.weight"].T + p[f"{part.name}.bias"]
        y = {"tanh": np.tanh, "sigmoid": lambda v: 1 / (1 + np.exp(-v)), "": lambda v: v}[part.neuron](y)
        kept.append((x, y))
        x = y
    return x, kept


def gradients(task, p, x, labels):
    """Of the mean loss, by hand."""
    y, kept = forward(task, p, x)
    if task.loss == "square":
        dy = y - x
    elif task.loss == "logistic":
        dy = 1 / (1 + np.exp(-y)) - labels[:, None]
    else:
        dy = np.exp(y - y.max(1, keepdims=True))
        dy = dy / dy.sum(1, keepdims=True) - np.eye(y.shape[1])[labels]
    dy, found = dy / len(x), {}
    for part, (below, above) in reversed(list(zip(task.layers, kept, strict=True))):
        slope = {"tanh": 1 - above**2, "sigmoid": above * (1 - above), "": 1.0}[part.neuron]
        dy = dy * slope
        found[f"{part.name}.weight"], found[f"{part.name}.bias"] = dy.T @ below, dy.sum(0)
        dy = dy @ p[f"{part.name}.weight"]
    return found


class InNumPy:
    """A contender of a few lines."""

    name = "NumPy"

    def __init__(self, task, data):
        self.task, self.data = task, data

    def reset(self):
        self.done = 0
        self.p = {name: w.astype(float) for name, w in self.data.weights.items()}
        self.v = {name: 0.0 for name in self.p}

    def steps(self, n):
        how, decay = self.task.sgd, {f"{part.name}.weight": part.decay for part in self.task.layers}
        for k in range(self.done, self.done + n):
            for name, g in gradients(self.task, self.p, *self.data.batch(k)).items():
                bias = name.endswith("bias")
                g = g + how.decay * decay.get(name, 0.0) * self.p[name]
                self.v[name] = how.momentum * self.v[name] - how.lr * (how.bias_rate if bias else 1.0) * g
                self.p[name] = self.p[name] + self.v[name]
        self.done += n

    def values(self):
        return self.p


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tiny", "autoencoder", "tabular"])
def test_mochac_and_numpy_agree(name):
    task, dense = module("contest.task").task(name), module("contest.layers").Dense
    if name == "autoencoder":
        small = (dense("ip1", 12, neuron="sigmoid"), dense("ip2", 30, neuron="sigmoid", decay=3))
        task = replace(task, shape=(30,), layers=small)
    data = task.data()
    ours = [make(task, data, 1) for make in module("contest.with_mochac").TRAINERS]
    found = module("contest.agreement").compare([*ours, InNumPy(task, data)], data.weights)
    assert found["mochac train()"] == 0.0
    assert found["NumPy"] < 1e-6
    for one in ours:
        one.close()


@pytest.mark.slow
def test_contenders_can_be_compared_in_float64():
    agreement, task = module("contest.agreement"), module("contest.task").task("tiny")
    data = task.data("float64")
    (make,) = module("contest.with_mochac").EXACT
    ours = make(task, data, 1)
    found = agreement.compare([ours, InNumPy(task, data)], data.weights, tolerance=agreement.EXACT)
    assert ours.values()["ip1.weight"].dtype == np.float64 and found["NumPy"] < 1e-14
    ours.close()


def test_nets_with_batch_normalization_are_compared_in_float64():
    task = module("contest.task").task
    assert task("resnet").sensitive and not task("mobilenet").sensitive
    single, double = task("tiny").data(), task("tiny").data("float64")
    np.testing.assert_array_equal(single.inputs, double.inputs)


def test_contenders_that_disagree_are_named():
    agreement, task = module("contest.agreement"), module("contest.task").task("tiny")
    data = task.data()
    right, wrong = InNumPy(task, data), InNumPy(task, data)
    wrong.name = "without momentum"
    wrong.task = replace(task, sgd=module("contest.task").SGD(lr=0.01, momentum=0.0))
    with pytest.raises(agreement.Disagreement, match=r"without momentum: ip1.weight differs by .*nothing is timed"):
        agreement.compare([right, wrong], data.weights)


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize("framework", ["torch", "jax"])
@pytest.mark.parametrize("name", STEP_FLOPS)
def test_peers_agree(name, framework):
    pytest.importorskip(framework)
    task = module("contest.task").task(name)
    data = task.data("float64" if task.sensitive else "float32")
    kind = "EXACT" if task.sensitive else "TRAINERS"
    peers = [p for p in getattr(module(f"contest.with_{framework}"), kind) if p.suits(task) and "compile" not in p.name]
    contenders = [module("contest.with_mochac").Plan(task, data, 1), *(make(task, data, 1) for make in peers)]
    found = module("contest.agreement").compare(contenders, data.weights)
    assert max(found.values()) < (1e-12 if task.sensitive else 1e-4)
