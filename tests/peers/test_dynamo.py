"""torch.compile(module, backend="mochac"): predictions are PyTorch's, and what mochac refuses runs there."""

import logging

import numpy as np
import pytest
from torch_modules import MODULES

torch = pytest.importorskip("torch")
nn = torch.nn


@pytest.fixture(autouse=True)
def _fresh():
    torch._dynamo.reset()


def graphs(monkeypatch):
    """Programs that are made from now on, by the shapes of their inputs."""
    import mochac.api.dynamo as dynamo

    made, before = [], dynamo.compile

    def compile(net, **how):
        made.append([net.blobs[layer.tops[0]].shape for layer in net.layers if layer.kind == "Input"])
        return before(net, **how)

    monkeypatch.setattr(dynamo, "compile", compile)
    return made


def require_equal(module, inputs, compiled):
    with torch.no_grad():
        expected, found = (torch.utils._pytree.tree_leaves(f(*inputs)) for f in (module, compiled))
    for x, y in zip(expected, found, strict=True):
        assert (x.shape, x.dtype) == (y.shape, y.dtype)
        np.testing.assert_allclose(y.numpy(), x.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["lenet", "resnet", "gpt", "vae", "called_twice", "encoder_time_first"])
def test_predictions(name, monkeypatch):
    torch.manual_seed(0)
    module, inputs = MODULES[name]()
    made = graphs(monkeypatch)
    require_equal(module.eval(), inputs, torch.compile(module, backend="mochac"))
    assert made


class Broken(nn.Module):
    """Two graphs, of which the second has an operation without a layer."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 5), nn.Linear(5, 3)

    def forward(self, x):
        x = torch.relu(self.a(x))
        torch._dynamo.graph_break()
        return torch.cummax(self.b(x), 1)[0]


def test_what_is_refused_runs_in_pytorch(monkeypatch, caplog):
    module, made = Broken().eval(), graphs(monkeypatch)
    with caplog.at_level(logging.WARNING, "mochac"):
        require_equal(module, (torch.randn(3, 4),), torch.compile(module, backend="mochac"))
    assert made == [[(3, 4)]]
    (line,) = [r.getMessage() for r in caplog.records if r.name == "mochac"]
    assert line.startswith(
        "torch.compile: a graph runs in PyTorch: Closed: no layers for an operation cummax: cummax at "
    )


def test_training_runs_in_pytorch(monkeypatch, caplog):
    """With gradients, and in training mode."""
    module, x, made = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3)), torch.randn(5, 4), graphs(monkeypatch)
    compiled = torch.compile(module, backend="mochac")
    compiled(x).square().sum().backward()
    assert module[0].weight.grad is not None
    before = module[1].running_mean.clone()
    with torch.no_grad():
        compiled(x)
    assert not torch.equal(module[1].running_mean, before)
    assert not made


def test_other_weights_and_shapes(monkeypatch):
    module, made = nn.Linear(4, 3).eval(), graphs(monkeypatch)
    compiled = torch.compile(module, backend="mochac", dynamic=False)
    for n in (2, 2, 5):
        require_equal(module, (torch.randn(n, 4),), compiled)
    with torch.no_grad():
        module.weight.mul_(2.0)
    require_equal(module, (torch.randn(5, 4),), compiled)
    assert made == [[(2, 4)], [(5, 4)], [(5, 4)]]


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        return 2 * x


def test_buffers_are_updated(monkeypatch, caplog):
    module, made = Counting().eval(), graphs(monkeypatch)
    compiled = torch.compile(module, backend="mochac")
    with torch.no_grad(), caplog.at_level(logging.WARNING, "mochac"):
        for _ in range(3):
            compiled(torch.ones(2, 3))
    assert module.calls == 3 and not made
    (line,) = [r.getMessage() for r in caplog.records if r.name == "mochac"]
    assert line == "torch.compile: a graph runs in PyTorch: it changes a tensor in place"


def test_gradients_after_predictions(monkeypatch):
    """A graph that was imported without gradients is not used where they are wanted."""
    module, x, made = nn.Linear(4, 3).eval(), torch.randn(2, 4), graphs(monkeypatch)
    compiled = torch.compile(module, backend="mochac")
    require_equal(module, (x,), compiled)
    with torch.inference_mode():
        torch.testing.assert_close(compiled(x), module(x))
    compiled(x).sum().backward()
    assert made and module.weight.grad is not None


class Mixed(nn.Module):
    def forward(self, x, y):
        return torch.softmax(x - x.mean(0), 0) + y


def test_graphs_without_a_batch(monkeypatch):
    """They are computed as one sample."""
    made = graphs(monkeypatch)
    require_equal(Mixed(), (torch.randn(3, 4), torch.randn(4)), torch.compile(Mixed(), backend="mochac"))
    assert made == [[(1, 3, 4), (1, 4)]]
