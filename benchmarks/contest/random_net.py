"""Random nets of realistic size from mochac's catalogue: what the schedules do for nets that nobody looked at.

random_nets.py draws and times them; tests/benchmarks compiles a few. It knows mochac's layers and no backend.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

import mochac as m

FLOPS = (0.2e9, 5e9)
"""Of a training step."""
MOST_ELEMS = 40_000_000
"""Of all blobs together: what is drawn fits any machine that compiles it."""
BATCHES = (16, 20, 32, 50, 64, 96, 100, 128)
FILTERS = (8, 16, 20, 24, 32, 32, 48, 50, 64, 64, 96, 128)
UNITS = (50, 64, 100, 128, 200, 256, 500, 512, 1000)


class Drawn:
    """One net on the way: layers, the shape of the last blob, multiply-adds."""

    def __init__(self, rng: np.random.Generator, seed: int) -> None:
        self.rng, self.name = rng, f"random-{seed}"
        self.batch = self.pick(BATCHES)
        self.layers: list[Any] = []
        self.top, self.shape = "data", ()
        self.macs: list[int] = []
        self.elems = 0

    def pick(self, choices: Any) -> Any:
        return choices[self.rng.integers(len(choices))]

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def neuron(self) -> Any:
        n = m.Neurons
        return self.pick((n.ReLU, n.ReLU, n.ReLU, n.Sigmoid, n.Tanh, n.Identity))()

    def add(self, kind: Any, shape: tuple[int, ...], macs: int = 0, below: str = "", **fields: Any) -> str:
        """Append a layer above `below` (default: the last blob); its blob becomes the last."""
        name = f"{kind.__name__.removesuffix('Layer').lower()}{len(self.layers)}"
        self.layers.append(kind(name=name, bottoms=[below or self.top], **fields))
        self.top, self.shape = name, shape
        self.elems += self.batch * prod(shape)
        if macs:
            self.macs.append(macs)
        return name

    # --- parts ---------------------------------------------------------------------------------------------------

    def conv(self, filters: int, kernel: int, pad: int, stride: int = 1, group: int = 1, below: str = "") -> str:
        c, h, w = self.shape
        out = (filters, *((n + 2 * pad - kernel) // stride + 1 for n in (h, w)))
        how = {"n_filter": filters, "kernel": kernel, "pad": pad, "stride": stride, "n_group": group}
        macs = prod(out) * c // group * kernel**2
        return self.add(m.ConvolutionLayer, out, macs, below, neuron=self.neuron(), **how)

    def any_conv(self) -> None:
        c, h, _ = self.shape
        kernel = self.pick([k for k in (1, 3, 3, 3, 5, 5, 7) if k <= h])
        pad = kernel // 2 if self.chance(0.7) else 0
        filters, stride = self.pick(FILTERS), 2 if h >= 16 and self.chance(0.12) else 1
        group = 2 if c % 2 == 0 and filters % 2 == 0 and self.chance(0.15) else 1
        self.conv(filters, kernel, pad, stride, group)

    def pool(self) -> None:
        c, h, w = self.shape
        kernel = self.pick((2, 2, 3))
        out = (c, *(-(-(n - kernel) // 2) + 1 for n in (h, w)))
        how = self.pick((m.Pooling.Max, m.Pooling.Max, m.Pooling.Mean))()
        self.add(m.PoolingLayer, out, kernel=kernel, stride=2, pooling=how)

    def lrn(self) -> None:
        mode = self.pick((m.LRNMode.WithinChannel, m.LRNMode.AcrossChannel))()
        self.add(m.LRNLayer, self.shape, kernel=self.pick((3, 5)), scale=5e-5, mode=mode)

    def dropout(self) -> None:
        self.add(m.DropoutLayer, self.shape, ratio=self.pick((0.2, 0.5)), tops=[f"dropout{len(self.layers)}"])

    def branches(self) -> None:
        """Two convolutions of a split blob side by side, as in an inception module."""
        c, h, w = self.shape
        name = f"split{len(self.layers)}"
        halves = [f"{name}-left", f"{name}-right"]
        self.layers.append(m.SplitLayer(name=name, bottoms=[self.top], tops=halves))
        tops, filters = [], 0
        for half, kernel in zip(halves, (1, self.pick((3, 5))), strict=True):
            self.shape = (c, h, w)
            tops.append(self.conv(self.pick(FILTERS), kernel, kernel // 2, below=half))
            filters += self.shape[0]
        self.layers.append(m.ConcatLayer(name=f"concat{len(self.layers)}", bottoms=tops))
        self.top, self.shape = self.layers[-1].name, (filters, h, w)

    def residual(self) -> None:
        """A convolution that keeps the shape, added to what it came from."""
        c, before = self.shape[0], self.top
        behind = self.conv(c, 3, 1)
        plus = m.ElementWiseFunctors.Add()
        name = f"add{len(self.layers)}"
        self.layers.append(m.ElementWiseLayer(name=name, bottoms=[before, behind], operation=plus))
        self.top = name

    def dense(self, units: int, neuron: Any) -> None:
        self.add(m.InnerProductLayer, (units,), units * prod(self.shape), output_dim=units, neuron=neuron)

    # --- whole nets ----------------------------------------------------------------------------------------------

    def images(self) -> None:
        size = self.pick((16, 20, 24, 28, 32, 40, 48, 64))
        self.shape = self.input = (self.pick((1, 3, 3)), size, size)
        self.any_conv()
        for _ in range(self.rng.integers(1, 5)):
            if self.shape[1] >= 6 and self.chance(0.7):
                self.pool()
            part = self.rng.random()
            self.branches() if part < 0.2 else self.residual() if part < 0.35 else self.any_conv()
            if self.chance(0.2):
                self.lrn()
            if self.chance(0.15):
                self.dropout()
        if self.shape[1] >= 8:
            self.pool()

    def vectors(self) -> None:
        self.shape = self.input = (self.pick((100, 256, 784, 1024)),)
        for _ in range(self.rng.integers(1, 4)):
            self.dense(self.pick((500, 800, 1000, 1024, 1500)), self.neuron())

    def head(self) -> int:
        """Dense layers up to the classes; how many these are."""
        for _ in range(self.rng.integers(0, 3)):
            self.dense(self.pick(UNITS), self.neuron())
            if self.chance(0.3):
                self.dropout()
        classes = self.pick((10, 10, 20, 100))
        self.dense(classes, m.Neurons.Identity())
        return classes

    @property
    def flops(self) -> int:
        """Of a training step: both gradients of every layer but the first, which has no data gradient."""
        return 2 * self.batch * (3 * sum(self.macs) - self.macs[0])


class RandomNet:
    """A drawn net with two batches of random samples.

    Attributes:
        net, flops: of a training step.
        arrays: samples by the data layer's top.
    """

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        while True:
            d = Drawn(rng, seed)
            (d.vectors if d.chance(0.2) else d.images)()
            classes = d.head()
            if FLOPS[0] <= d.flops <= FLOPS[1] and d.elems <= MOST_ELEMS:
                break
        n = 2 * d.batch
        samples, labels = rng.random((n, *d.input), np.float32), rng.integers(0, classes, n)
        data = m.MemoryDataLayer(name="in", data=[samples, labels], batch_size=d.batch, tops=["data", "label"])
        loss = m.SoftmaxLossLayer(name="loss", bottoms=[d.top, "label"])
        self.net, self.flops = m.Net(d.name, [data, *d.layers, loss]), d.flops
        self.arrays = {"data": samples, "label": labels.reshape(-1, 1)}
        self.text = f"batch {d.batch}, {'x'.join(map(str, d.input))}: {' '.join(map(_short, d.layers))}"


def _short(layer: Any) -> str:
    """A layer in a word: conv32k5, pool3, fc100."""
    match layer:
        case m.ConvolutionLayer():
            group = f"g{layer.n_group}" if layer.n_group > 1 else ""
            stride = "" if layer.stride in (1, (1, 1)) else f"s{_first(layer.stride)}"
            return f"conv{layer.n_filter}k{_first(layer.kernel)}{stride}{group}"
        case m.InnerProductLayer():
            return f"fc{layer.output_dim}"
        case m.PoolingLayer():
            return f"{type(layer.pooling).__name__.lower()}{_first(layer.kernel)}"
    return type(layer).__name__.removesuffix("Layer").lower()


def _first(sizes: int | tuple[int, ...]) -> int:
    return sizes if isinstance(sizes, int) else sizes[0]
