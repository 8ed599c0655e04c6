"""Compiled training steps on every loss against gradient descent by hand, and random shapes through the interpreter."""

import numpy as np
import pytest
from layers.loss_cases import cases
from layers.test_losses import check

import mochac
from mochac import SGD, InnerProductLayer, LRPolicy, MemoryDataLayer, MomPolicy, Net, Neurons, ReshapeLayer

pytestmark = pytest.mark.slow
STEPS, RATE = 20, 0.05
INTO = {
    "binary_cross_entropy": "sigmoid",
    "multinomial": "sigmoid",
    "poisson_means": "sigmoid",
    "gaussian_kl": "identity",
    "wasserstein": "softmax",
}


def activated(kind, z):
    """The prediction made of z, and the gradient to z of what arrives at it."""
    if kind == "sigmoid":
        p = 1 / (1 + np.exp(-z))
        return p, lambda d: d * p * (1 - p)
    if kind == "softmax":
        e = np.exp(z - z.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return p, lambda d: p * (d - (d * p).sum(axis=1, keepdims=True))
    return z, lambda d: d


def descended(case, kind, x, w, batch):
    """The weight after STEPS of w <- w - RATE * gradient over batches that wrap around."""
    for step in range(STEPS):
        rows = (np.arange(batch) + step * batch) % len(x)
        p, back = activated(kind, x[rows] @ w.T)
        more = {name: blob[rows] for name, blob in case.more.items()}
        _, dpred, _ = case.expected(p.reshape(batch, *case.pred.shape[1:]), case.label[rows], weight=1.25, **more)
        w = w - RATE * back(dpred.reshape(p.shape)).T @ x[rows]
    return w


def net_of(case, kind, x, batch):
    shape = case.pred.shape[1:]
    neuron = Neurons.Sigmoid() if kind == "sigmoid" else Neurons.Identity()
    ip = InnerProductLayer(name="ip", output_dim=int(np.prod(shape)), neuron=neuron, bottoms=["x"], bias_lr=0.0)
    blobs = {"x": x, "label": case.label} | case.more
    layers = [MemoryDataLayer(data=list(blobs.values()), tops=list(blobs), batch_size=batch), ip]
    last = "ip"
    if kind == "softmax":
        layers, last = [*layers, mochac.SoftmaxLayer(name="soft", bottoms=["ip"])], "soft"
    layers.append(ReshapeLayer(name="pred", shape=shape, bottoms=[last]))
    return Net("descent", [*layers, case.layer])


@pytest.mark.parametrize("case", cases(np.random.default_rng(20), (13, 2, 3), 1.25), ids=lambda c: c.name)
def test_training_is_gradient_descent_on_the_formula(case):
    if getattr(case.layer, "weights", None) and case.layer.weights.shape == case.pred.shape:
        pytest.skip("weights that belong to places in the batch")
    rng = np.random.default_rng(21)
    kind, x, batch = INTO.get(case.name, "identity"), rng.normal(size=(13, 4)), 5
    w = rng.normal(size=(6, 4)) * 0.3
    with mochac.compile(net_of(case, kind, x, batch), dtype="float64") as program:
        program.params["ip"]["weight"] = w
        method = SGD(lr_policy=LRPolicy.Fixed(RATE), mom_policy=MomPolicy.Fixed(0.0))
        program.train(method, max_iter=STEPS, regu_coef=0.0)
        found = program.params["ip"]["weight"][...]
    wanted = descended(case, kind, x, w, batch)
    np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)
    assert not np.allclose(wanted, w, atol=1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_random_shapes_axes_and_weights(seed):
    rng = np.random.default_rng(100 + seed)
    shape = tuple(int(n) for n in rng.integers(1, 5, rng.integers(2, 6)))
    print(f"seed {seed}: {shape}")
    for case in cases(rng, shape, float(rng.uniform(0, 2))):
        check(case, case.layer.weight, arriving=float(rng.normal()))
