"""Random nets of convolutions, transposed convolutions and poolings, here and in PyTorch, drawn by seed.

Every extent, kernel, stride, padding and dilation of every axis is drawn by itself, and so are groups and batches: a
fault may need two of them that fit together, such as dilation (3, 1) on rows of 7.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from torch_kit import CONV, MAX, MEAN, TRANSPOSED, F, torch

import mochac
from mochac import (
    ConvolutionLayer,
    DeconvolutionLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    Pooling,
    PoolingLayer,
    SquareLossLayer,
)

LONGEST = {1: 70, 2: 19, 3: 7}
NEURONS = ((Neurons.Identity(), lambda x: x), (Neurons.Tanh(), torch.tanh), (Neurons.Sigmoid(), torch.sigmoid))
MOST_ELEMS = 1 << 12
"""Elements of one sample of a blob."""
RATE, MOMENTUM = 0.01, 0.9
SAME = {"bias_lr": 1.0}
"""As in PyTorch: biases learn as fast as weights."""
TOLERANCE = {"float64": 1e-9, "float32": 5e-4}

Apply = Callable[[Any, dict[str, Any]], Any]


@dataclass
class WindowNet:
    """One net: layers of both kinds, and its numbers."""

    seed: int
    layers: list[Any] = field(default_factory=list)
    theirs: list[Apply] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng, self.numbers = random.Random(self.seed), np.random.default_rng(self.seed)
        rng = self.rng
        self.axes = rng.choice((1, 2, 2, 2, 2, 3))
        self.batch = rng.choice((1, 2, 3, rng.randint(4, 40)))
        self.shape = (rng.choice((1, 2, 3, 4, 8, 17)), *(rng.randint(1, LONGEST[self.axes]) for _ in range(self.axes)))
        self.image = self.shape
        for k in range(rng.randint(1, 4)):
            rng.choice((self.convolution, self.convolution, self.deconvolution, self.pooling))(k)
        self.outputs()

    # -- layers --------------------------------------------------------------------------------------------------------

    def put(self, layer: Any, apply: Apply) -> None:
        """Add a layer, with a neuron, unless it has no room or too much."""
        neuron, theirs = self.rng.choice(NEURONS)
        layer = layer.replace(neuron=neuron, bottoms=[self.layers[-1].name if self.layers else "x"])
        try:
            shape = Net("so far", [self.data(), *self.layers, layer]).blobs[layer.name].shape[1:]
        except mochac.MochacError:
            return
        if prod(shape) <= MOST_ELEMS:
            self.layers.append(layer)
            self.theirs.append(lambda x, p: theirs(apply(x, p)))
            self.shape = shape

    def per_axis(self, *limits: int) -> tuple[int, ...]:
        return tuple(self.rng.randint(1, limit) for limit in limits)

    def groups(self) -> tuple[int, int]:
        """A number of groups and of filters."""
        channels = self.shape[0]
        group = self.rng.choice([g for g in range(1, channels + 1) if channels % g == 0] + [1, channels])
        return group, group * self.rng.choice((1, 2, 3, 5) if group < 4 else (1, 2))

    def convolution(self, k: int) -> None:
        name, (group, filters), sizes = f"conv{k}", self.groups(), self.shape[1:]
        kernel = self.per_axis(*(min(5, n + 2) for n in sizes))
        pad = tuple(self.rng.choice((0, 0, self.rng.randint(0, k))) for k in kernel)
        how = {"stride": self.per_axis(*[4] * self.axes), "dilation": self.per_axis(*[4] * self.axes)}
        if self.rng.random() < 0.4:
            how["stride"] = self.rng.choice(((1,) * self.axes, (1, *how["stride"][1:])))
        layer = ConvolutionLayer(
            name=name, tops=[name], n_filter=filters, n_group=group, kernel=kernel, pad=pad, **SAME, **how
        )
        run = CONV[self.axes]
        self.put(layer, lambda x, p: run(x, *parameters(p, name, "filter"), padding=pad, groups=group, **how))

    def deconvolution(self, k: int) -> None:
        name, (group, filters) = f"deconv{k}", self.groups()
        how: dict[str, Any] = {"stride": self.per_axis(*[3] * self.axes), "dilation": self.per_axis(*[4] * self.axes)}
        kernel = self.per_axis(*[4] * self.axes)
        pad = tuple(self.rng.choice((0, 0, self.rng.randint(0, k - 1))) for k in kernel)
        more = tuple(self.rng.randint(0, s - 1) for s in how["stride"])
        layer = DeconvolutionLayer(
            name=name,
            tops=[name],
            n_filter=filters,
            n_group=group,
            kernel=kernel,
            pad=pad,
            output_pad=more,
            **SAME,
            **how,
        )
        run, how = TRANSPOSED[self.axes], {**how, "padding": pad, "output_padding": more, "groups": group}
        self.put(layer, lambda x, p: run(x, *parameters(p, name, "filter"), **how))

    def pooling(self, k: int) -> None:
        name, kernel = f"pool{k}", self.per_axis(*(min(4, n) for n in self.shape[1:]))
        pad = tuple(self.rng.randint(0, k // 2) for k in kernel)
        how = {"kernel": kernel, "stride": self.per_axis(*[4] * self.axes), "pad": pad}
        up = self.rng.random() < 0.5
        theirs = {"kernel_size": kernel, "stride": how["stride"], "padding": pad, "ceil_mode": up}
        mean, counted = self.rng.random() < 0.5, self.rng.random() < 0.5
        if mean:
            how |= {"pooling": Pooling.Mean(), "divisor": "caffe" if counted else "valid"}
            theirs |= {"count_include_pad": counted}
        layer = PoolingLayer(name=name, tops=[name], rounding="up" if up else "down", **how)
        run = (MEAN if mean else MAX)[self.axes]
        self.put(layer, lambda x, p: run(x, **theirs))

    def outputs(self) -> None:
        bottom = self.layers[-1].name if self.layers else "x"
        self.layers.append(InnerProductLayer(name="ip", tops=["ip"], output_dim=3, bottoms=[bottom], **SAME))
        self.theirs.append(lambda x, p: F.linear(x.flatten(1), *parameters(p, "ip", "weight")))

    # -- both nets -----------------------------------------------------------------------------------------------------

    def data(self) -> Any:
        self.arrays = getattr(self, "arrays", None) or [
            self.numbers.standard_normal((self.batch, *self.image)), self.numbers.standard_normal((self.batch, 3)),
        ]  # fmt: skip
        return MemoryDataLayer(name="in", data=self.arrays, tops=["x", "target"], batch_size=self.batch)

    def net(self) -> Net:
        loss = SquareLossLayer(name="loss", bottoms=["ip", "target"])
        return Net(f"windows{self.seed}", [self.data(), *self.layers, loss])


def parameters(p: dict[str, Any], name: str, weight: str) -> tuple[Any, Any]:
    return p[f"{name}.{weight}"], p[f"{name}.bias"]


def check(seed: int, dtype: str, steps: int = 3) -> None:
    """Forward, gradients and `steps` updates of one net, here in `dtype` and in PyTorch in float64."""
    drawn = WindowNet(seed)
    net = drawn.net()
    print(f"seed {seed}, {dtype}\n{net}")
    with mochac.compile(net, dtype=dtype, seed=seed, threads=1 + seed % 2) as program:
        tensors = {
            f"{p.key}.{p.name}": torch.tensor(np.asarray(program.params[p.key][p.name], float), requires_grad=True)
            for p in net.params
        }
        x, target = (torch.tensor(a) for a in drawn.arrays)
        method = torch.optim.SGD(tensors.values(), lr=RATE, momentum=MOMENTUM)
        for step in range(steps):
            made = x
            for apply in drawn.theirs:
                made = apply(made, tensors)
            method.zero_grad()
            loss = ((made - target) ** 2).sum() / (2 * drawn.batch)
            loss.backward()
            if step == 0:
                require(dtype, "loss", np.array(program.forward()), loss.detach().numpy())
                program.backward()
                require(dtype, "result", program.blobs["ip"], made.detach().numpy())
                for p in net.params:
                    name = f"{p.key}.{p.name}"
                    require(dtype, f"gradient of {name}", program.grads[p.key][p.name], tensors[name].grad.numpy())
            method.step()
        program.train(mochac.SGD(RATE, momentum=MOMENTUM), max_iter=steps, regu_coef=0.0, verbose=0)
        for p in net.params:
            name = f"{p.key}.{p.name}"
            require(
                dtype, f"{name} after {steps} updates", program.params[p.key][p.name], tensors[name].detach().numpy()
            )


def require(dtype: str, what: str, ours: Any, theirs: np.ndarray) -> None:
    """The same numbers, relative to the largest of them."""
    ours = np.asarray(ours, float)
    assert ours.shape == theirs.shape, what
    scale = max(1e-3, float(np.abs(theirs).max(initial=0)))
    np.testing.assert_allclose(ours / scale, theirs / scale, rtol=0, atol=TOLERANCE[dtype], err_msg=what)
