"""examples/cifar10/resnet20.py beside the same net in PyTorch: same initial weights, same batches, same losses."""

import importlib.util
import sys

import numpy as np
import pytest
from examples.running import EXAMPLES

import mochac
from mochac import SGD, MemoryDataLayer, Net, SoftmaxLossLayer, TrainingSummary
from mochac.layers.base import LAYERS

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402


class Norm(nn.Module):
    """A convolution without a bias, and batch normalization."""

    def __init__(self, name, inside, channels, stride):
        super().__init__()
        self.name = name
        self.conv = nn.Conv2d(inside, channels, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return self.norm(self.conv(x))


class Twin(nn.Module):
    """ResNet with shortcuts of option A."""

    def __init__(self, blocks):
        super().__init__()
        self.stem = Norm("stem", 3, 16, 1)
        self.parts, inside = nn.ModuleList(), 16
        for stage, channels in enumerate((16, 32, 64)):
            for k in range(blocks):
                name, stride = f"block{stage + 1}{k + 1}", 2 if stage and not k else 1
                self.parts.append(Norm(f"{name}a", inside, channels, stride))
                self.parts.append(Norm(f"{name}b", channels, channels, 1))
                inside = channels
        self.ip = nn.Linear(64, 10)

    def forward(self, x):
        x = functional.relu(self.stem(x))
        for a, b in zip(self.parts[::2], self.parts[1::2], strict=True):
            short = x
            if a.conv.stride != (1, 1):
                more = (a.conv.out_channels - a.conv.in_channels) // 2
                short = functional.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, more, more))
            x = functional.relu(b(functional.relu(a(x))) + short)
        return self.ip(x.mean((2, 3)))

    def start_from(self, arrays):
        """Copy mochac's initial weights."""
        with torch.no_grad():
            for part in (self.stem, *self.parts):
                part.conv.weight.copy_(torch.from_numpy(arrays[f"{part.name}-conv___filter"]))
            self.ip.weight.copy_(torch.from_numpy(arrays["ip___weight"]))
            self.ip.bias.copy_(torch.from_numpy(arrays["ip___bias"]))


@pytest.fixture
def example(monkeypatch):
    """The module of the example; its layer is forgotten afterwards."""
    before = dict(LAYERS._items), set(LAYERS.foreign)
    module = importlib.util.module_from_spec(
        spec := importlib.util.spec_from_file_location("resnet20", EXAMPLES / "cifar10/resnet20.py")
    )
    monkeypatch.setitem(sys.modules, "resnet20", module)
    spec.loader.exec_module(module)
    yield module
    LAYERS._items, LAYERS.foreign = before


def pictures(n):
    """Noise on a colour for each class."""
    rng = np.random.default_rng(4)
    label = rng.integers(0, 10, n)
    colour = rng.normal(size=(10, 3, 1, 1))
    return (colour[label] + rng.normal(size=(n, 3, 32, 32))).astype(np.float32), label


@pytest.mark.slow
@pytest.mark.parametrize(
    ("blocks", "batch", "steps", "dtype", "tolerance"), [(1, 8, 8, "float64", 1e-9), (3, 8, 2, "float32", 1e-4)]
)
def test_losses_are_the_same(example, blocks, batch, steps, dtype, tolerance):
    mine, theirs, _ = losses(example, blocks, batch, steps, dtype)
    np.testing.assert_allclose(mine, theirs, rtol=tolerance)


def losses(example, blocks, batch, steps, dtype, rate=0.1):
    """Losses of both by step, and the largest difference of the running statistics."""
    images, label = pictures(8 * batch)
    data = MemoryDataLayer(name="in", data=[images, label], batch_size=batch, tops=["image", "label"])
    net = Net("resnet", [data, *example.resnet(blocks), SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
    with mochac.compile(net, dtype=dtype, seed=3) as program:
        twin = Twin(blocks).to(getattr(torch, dtype))
        twin.start_from(program.parameters())
        solver = mochac.Solver(SGD(rate, momentum=0.9), max_iter=steps, regu_coef=0.0)
        solver.add_coffee_break(TrainingSummary("obj_val"), every_n_iter=1)
        mine = program.train(solver, verbose=0).statistics["obj_val"]
        optimizer, found = torch.optim.SGD(twin.parameters(), rate, momentum=0.9), []
        x, y = torch.from_numpy(images).to(getattr(torch, dtype)), torch.from_numpy(label)
        for k in range(steps):
            rows = slice(k % 8 * batch, (k % 8 + 1) * batch)
            optimizer.zero_grad()
            loss = functional.cross_entropy(twin(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
            found.append(float(loss.detach()))
        parts = [twin.stem, *twin.parts]
        off = max(float(np.abs(program.states[p.name]["mean"][...] - p.norm.running_mean.numpy()).max()) for p in parts)
    return [mine[k + 1] for k in range(steps)], found, off
