"""Losses across samples beside PyTorch's formulas in float64: values, gradients, and several steps."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from layers.across_layers import (
    BarlowTwinsLossLayer,
    DecorrelationLossLayer,
    HardTripletLossLayer,
    MMDLossLayer,
)
from torch.nn import functional as F

import mochac
from mochac import SGD, InfoNCELossLayer, InnerProductLayer, MemoryDataLayer, Net, Neurons, Solver

N, BATCH, STEPS = 60, 20, 6


def pairs(a, b, label, temperature=0.1):
    scores = F.normalize(a) @ F.normalize(b).T / temperature
    return F.cross_entropy(scores, torch.arange(len(a)))


def clip(a, b, label):
    scores = F.normalize(a) @ F.normalize(b).T / 0.2
    rows = torch.arange(len(a))
    return (F.cross_entropy(scores, rows) + F.cross_entropy(scores.T, rows)) / 2


def supervised(a, b, label):
    """As in the authors' code: the logarithm of each share, averaged over the partners of each anchor."""
    scores = F.normalize(a) @ F.normalize(a).T / 0.5
    itself = torch.eye(len(a), dtype=torch.bool)
    shares = scores - torch.logsumexp(scores.masked_fill(itself, -torch.inf), dim=1, keepdim=True)
    partners = (label == label.T) & ~itself
    each = -(shares * partners).sum(dim=1) / partners.sum(dim=1).clamp(min=1)
    return each.mean()


def barlow(a, b, label):
    def standardized(x):
        apart = x - x.mean(dim=0)
        return apart / torch.sqrt((apart**2).mean(dim=0) + 1e-5)

    c = standardized(a).T @ standardized(b) / len(a)
    diagonal = torch.eye(len(c))
    return (((c - diagonal) ** 2) * (diagonal + 0.005 * (1 - diagonal))).sum()


def triplets(a, b, label):
    distance = torch.sqrt(((a[:, None] - a[None]) ** 2).sum(dim=2).clamp(min=1e-12))
    same = label == label.T
    farthest = torch.where(same, distance, 0.0).max(dim=1).values
    nearest = torch.where(same, 1e6, distance).min(dim=1).values
    return F.relu(farthest - nearest + 0.3).mean()


def mmd(a, b, label):
    def kernel(x, y):
        return torch.exp(-0.5 * ((x[:, None] - y[None]) ** 2).sum(dim=2))

    return kernel(a, a).mean() + kernel(b, b).mean() - 2 * kernel(a, b).mean()


def decorrelation(a, b, label):
    apart = a - a.mean(dim=0)
    c = apart.T @ apart / len(a)
    return (c - torch.diag(torch.diagonal(c))).square().sum() / 2


CASES = {
    "pairs": (InfoNCELossLayer(name="loss", bottoms=["a", "b"]), pairs),
    "clip": (InfoNCELossLayer(name="loss", bottoms=["a", "b"], temperature=0.2, symmetric=True), clip),
    "supervised": (InfoNCELossLayer(name="loss", bottoms=["a", "label"], temperature=0.5), supervised),
    "barlow": (BarlowTwinsLossLayer(name="loss", bottoms=["a", "b"]), barlow),
    "triplets": (HardTripletLossLayer(name="loss", bottoms=["a", "label"]), triplets),
    "mmd": (MMDLossLayer(name="loss", bottoms=["a", "b"]), mmd),
    "decorrelation": (DecorrelationLossLayer(name="loss", bottoms=["a"]), decorrelation),
}


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("name", CASES)
def test_steps_are_those_of_pytorch(name, parts):
    loss, theirs = CASES[name]
    rng = np.random.default_rng(list(CASES).index(name))
    x, y, label = rng.normal(size=(N, 7)), rng.normal(size=(N, 6)), rng.integers(0, 9, (N, 1)).astype(float)
    net = Net("across", [
        MemoryDataLayer(name="in", data=[x, y, label], batch_size=BATCH, tops=["x", "y", "label"]),
        InnerProductLayer(name="a", output_dim=5, neuron=Neurons.Tanh(), bottoms=["x"], bias_lr=1.0),
        InnerProductLayer(name="b", output_dim=5, bottoms=["y"], bias_lr=1.0),
        loss,
    ])  # fmt: skip
    with mochac.compile(net, dtype="float64", backend="cpu", parts=parts) as program:
        given = {
            (p.key, p.name): torch.tensor(program.params[p.key][p.name][...], requires_grad=True) for p in net.params
        }
        optimizer = torch.optim.SGD([{"params": [p]} for p in given.values()], lr=0.05, momentum=0.9)
        torch.set_default_dtype(torch.float64)
        losses = []
        for k in range(STEPS):
            rows = slice(k * BATCH % N, k * BATCH % N + BATCH)
            a = torch.tanh(torch.tensor(x[rows]) @ given["a", "weight"].T + given["a", "bias"])
            b = torch.tensor(y[rows]) @ given["b", "weight"].T + given["b", "bias"]
            value = theirs(a, b, torch.tensor(label[rows]))
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            losses.append(value.item())
        torch.set_default_dtype(torch.float32)
        solver = Solver(SGD(0.05, momentum=0.9), max_iter=STEPS, regu_coef=0.0)
        solver.init_solve(program)
        found = [solver.step() for _ in range(STEPS)]
        solver.finalize()
        np.testing.assert_allclose(found, losses, rtol=1e-8)
        for (key, param), tensor in given.items():
            value = program.params[key][param][...]
            np.testing.assert_allclose(value, tensor.detach().numpy(), rtol=1e-8, atol=1e-11, err_msg=f"{key}.{param}")
