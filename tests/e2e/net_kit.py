"""Random small nets of layers, drawn by seed, and one small LeNet; each with data of its own.

The end-to-end tests train what is drawn here through the public API. It knows no graphs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

import mochac
from mochac import (
    SGD,
    ConstantInitializer,
    ConvolutionLayer,
    DropoutLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    GaussianInitializer,
    IdentityLayer,
    InnerProductLayer,
    L1Regu,
    L2Regu,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Net,
    Neurons,
    NoRegu,
    Pooling,
    PoolingLayer,
    ReshapeLayer,
    SoftmaxLayer,
    SoftmaxLossLayer,
    Solver,
    SplitLayer,
    XavierInitializer,
)

BATCHES = (1, 2, 3, 5, 7, 15, 16, 17, 31, 33)


def digits(n: int, shape: tuple[int, ...], classes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """n noisy pictures, one pattern a class, and their labels."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n)
    patterns = rng.standard_normal((classes, *shape))
    return patterns[labels] + 0.5 * rng.standard_normal((n, *shape)), labels


def lenet(
    data: Any = None, label: Any = None, *, batch: int = 10, side: int = 12, dropout: bool = True, seed: int = 5
) -> Net:
    """LeNet's shape on 60 pictures of `side` x `side`, with a dropout layer."""
    if data is None:
        data, label = digits(60, (1, side, side), 10, seed)
    drop = [DropoutLayer(name="drop", bottoms=["ip1"], ratio=0.4)] if dropout else []
    return Net(
        "small-lenet",
        [
            MemoryDataLayer(name="data", data=[data, label], batch_size=batch, shuffle=True),
            ConvolutionLayer(name="conv1", n_filter=6, kernel=3, bottoms=["data"], tops=["conv1"]),
            PoolingLayer(name="pool1", kernel=2, stride=2, bottoms=["conv1"], tops=["pool1"]),
            ConvolutionLayer(name="conv2", n_filter=8, kernel=2, bottoms=["pool1"], tops=["conv2"]),
            PoolingLayer(name="pool2", kernel=2, stride=2, bottoms=["conv2"], tops=["pool2"]),
            InnerProductLayer(name="ip1", output_dim=32, neuron=Neurons.ReLU(), bottoms=["pool2"], tops=["ip1"]),
            *drop,
            InnerProductLayer(name="ip2", output_dim=10, bottoms=["ip1"], tops=["ip2"]),
            SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
            mochac.AccuracyLayer(name="accuracy", bottoms=["ip2", "label"]),
        ],
    )


def lenet_solver(max_iter: int, **how: Any) -> Solver:
    """Mocha's settings for MNIST."""
    method = SGD(lr_policy=LRPolicy.Inv(0.01, 0.0001, 0.75), mom_policy=MomPolicy.Fixed(0.9))
    return Solver(method, max_iter=max_iter, regu_coef=0.0005, **how)


def weights(program: Any) -> dict[str, np.ndarray]:
    """Copies of all parameters."""
    return {name: array.copy() for name, array in program.parameters().items()}


@dataclass(frozen=True)
class Case:
    """A net, its arrays by top, and how to train it."""

    net: Net
    arrays: dict[str, np.ndarray]
    batch: int
    solver: Solver
    frozen: tuple[str, ...]
    seed: int

    def batches(self, n: int) -> list[dict[str, np.ndarray]]:
        """The first n batches: they wrap around at the end of the data."""
        count = len(next(iter(self.arrays.values())))
        rows = [(k * self.batch + np.arange(self.batch)) % count for k in range(n)]
        return [{top: a[r] for top, a in self.arrays.items()} for r in rows]


class Drawer:
    """Draws one net: each layer reads any earlier blob, so that blobs are read several times or never."""

    def __init__(self, seed: int) -> None:
        self.seed, self.rng = seed, random.Random(seed)
        self.layers: list[Any] = []
        self.blobs: dict[str, tuple[int, ...]] = {}
        self.positive: set[str] = set()
        self.keys: dict[str, tuple[int, ...]] = {}
        self.heads: list[str] = []
        self.exponentials = 0

    def draw(self, steps: int) -> Case:
        """The case of this seed; its solver makes `steps` updates."""
        rng = self.rng
        batch, classes = rng.choice(BATCHES), rng.choice((1, 2, 3, 10))
        shape = (rng.choice((1, 2, 3)), rng.choice((1, 4, 6, 9)), rng.choice((1, 5, 7)))
        data, label = digits(batch * 2 + rng.randint(0, 4), shape, classes, self.seed)
        self.blobs["data"] = shape
        self.layers.append(MemoryDataLayer(name="in", data=[data, label], batch_size=batch))
        for k in range(rng.randint(1, 7)):
            self.layer(k)
        for k in range(rng.choice((1, 1, 2))):
            self.head(k, classes)
        rng.shuffle(self.layers)
        trained = [*self.keys, *self.heads]
        frozen = (rng.choice(trained),) if len(trained) > 1 and rng.random() < 0.15 else ()
        arrays = {"data": data, "label": label[:, None]}
        return Case(Net(f"net{self.seed}", self.layers), arrays, batch, self.solver(steps), frozen, self.seed)

    def solver(self, steps: int) -> Solver:
        rng = self.rng
        rate = rng.choice(
            (LRPolicy.Fixed(0.02), LRPolicy.Inv(0.02, 0.1, 0.75), LRPolicy.Step(0.02, 0.5, 2), LRPolicy.Exp(0.02, 0.9))
        )
        method = SGD(lr_policy=rate, mom_policy=MomPolicy.Fixed(rng.choice((0.0, 0.9))))
        clip = rng.choice((None, None, None, 0.5))
        return Solver(method, max_iter=steps, regu_coef=rng.choice((0.0, 0.0005, 0.05)), clip_norm=clip)

    def layer(self, k: int) -> None:
        """One more layer on some blob."""
        images = [b for b, s in self.blobs.items() if len(s) == 3]
        kinds = ["element_wise", "rename", "dropout", "softmax", "reshape"]
        kinds += ["convolution"] * 4 + ["pooling"] * 3 if images else []
        kinds += ["inner_product"] * (1 if len(list(self.blobs.values())[-1]) == 3 else 5)
        kinds += ["sharer"] * 3 if self.keys else []
        kind = self.rng.choice(kinds)
        bottom = self.late(images if kind in ("convolution", "pooling") else list(self.blobs))
        getattr(self, kind)(k, bottom, self.blobs[bottom])

    def late(self, blobs: list[str]) -> str:
        """Most often the newest, so that nets are deep; else any, so that blobs are read several times."""
        return blobs[-1] if self.rng.random() < 0.7 else self.rng.choice(blobs)

    def head(self, k: int, classes: int) -> None:
        """Predictions and their loss, on one of the newest blobs."""
        bottom = self.rng.choice(list(self.blobs)[-2:])
        name, weight = f"head{k}", self.rng.choice((1.0, 1.0, 0.3))
        self.add(InnerProductLayer(name=name, output_dim=classes, bottoms=[bottom], **self.settings("weight")))
        self.heads.append(name)
        self.layers.append(SoftmaxLossLayer(name=f"loss{k}", weight=weight, bottoms=[name, "label"]))

    def add(self, layer: Any, shape: tuple[int, ...] = (1,)) -> None:
        self.layers.append(layer)
        self.blobs.update(dict.fromkeys(layer.tops, shape))

    def neuron(self) -> Any:
        kinds = ["Identity", "Identity", "ReLU", "ReLU", "LReLU", "Sigmoid", "Tanh"]
        if not self.exponentials and self.rng.random() < 0.1:
            self.exponentials += 1
            return Neurons.Exponential()
        if self.rng.random() < 0.1:
            return Neurons.ReLU(epsilon=0.1)
        return getattr(Neurons, self.rng.choice(kinds))()

    def settings(self, weight: str) -> dict[str, Any]:
        """Initializers, regularizers and local learning rates of a layer with parameters."""
        rng = self.rng
        return {
            f"{weight}_init": rng.choice((XavierInitializer(), GaussianInitializer(std=0.2))),
            "bias_init": rng.choice((ConstantInitializer(0.0), ConstantInitializer(0.1))),
            f"{weight}_regu": rng.choice((L2Regu(1.0), L1Regu(0.5), NoRegu())),
            f"{weight}_lr": rng.choice((1.0, 1.0, 0.5, 0.0)),
        }

    def window(self, shape: tuple[int, ...]) -> dict[str, tuple[int, int]]:
        rng = self.rng
        kernel = (rng.randint(1, min(shape[1], 4)), rng.randint(1, min(shape[2], 4)))
        stride = (rng.randint(1, kernel[0]), rng.choice((1, 1, min(2, kernel[1]))))
        return {
            "kernel": kernel,
            "stride": stride,
            "pad": (rng.randint(0, kernel[0] - 1), rng.randint(0, kernel[1] - 1)),
        }

    def infer(self) -> None:
        """Let the Net itself say what shape the last layer made."""
        net = Net("so far", [*self.layers])
        for top in self.layers[-1].tops:
            self.blobs[top] = tuple(net.blobs[top].shape[1:])

    def convolution(self, k: int, bottom: str, shape: tuple[int, ...]) -> None:
        rng, name = self.rng, f"conv{k}"
        group = 2 if shape[0] % 2 == 0 and rng.random() < 0.5 else 1
        filters, window = group * rng.choice((1, 2, 3, 5)), self.window(shape)
        others = [b for b, s in self.blobs.items() if s == shape and b != bottom]
        bottoms = [bottom, rng.choice(others)] if others and rng.random() < 0.3 else [bottom]
        tops = [name] if len(bottoms) == 1 else [f"{name}a", f"{name}b"]
        self.add(
            ConvolutionLayer(
                name=name, n_filter=filters, n_group=group, neuron=self.neuron(), bottoms=bottoms, tops=tops,
                **window, **self.settings("filter"),
            )
        )  # fmt: skip
        self.keys[name] = shape
        self.infer()

    def pooling(self, k: int, bottom: str, shape: tuple[int, ...]) -> None:
        rng, name = self.rng, f"pool{k}"
        pooling = rng.choice((Pooling.Max(), Pooling.Mean()))
        divisor = rng.choice(("kernel", "caffe", "valid"))
        self.add(
            PoolingLayer(
                name=name, pooling=pooling, divisor=divisor, neuron=self.neuron(), bottoms=[bottom],
                **self.window(shape),
            )
        )  # fmt: skip
        self.infer()

    def inner_product(self, k: int, bottom: str, shape: tuple[int, ...]) -> None:
        rng, name, width = self.rng, f"ip{k}", int(np.prod(shape))
        outputs = rng.choice((1, 3, 17, width, width) if width < 40 else (1, 3, 8, 17))
        neuron = self.neuron()
        layer = InnerProductLayer(
            name=name, output_dim=outputs, neuron=neuron, bottoms=[bottom], **self.settings("weight")
        )
        self.keys[name] = shape
        self.add(layer, (outputs,))
        if neuron == Neurons.Sigmoid():
            self.positive.add(name)

    def sharer(self, k: int, bottom: str, shape: tuple[int, ...]) -> None:
        """A layer with the parameters of an earlier one, on a blob of the same shape."""
        key = self.rng.choice(list(self.keys))
        first = next(layer for layer in self.layers if layer.name == key)
        bottom = self.late([b for b, s in self.blobs.items() if s == self.keys[key]])
        self.add(first.replace(name=f"share{k}", param_key=key, bottoms=[bottom], tops=[f"share{k}"]))
        self.infer()

    def element_wise(self, k: int, bottom: str, shape: tuple[int, ...]) -> None:
        rng, F = self.rng, ElementWiseFunctors
        others = [b for b, s in self.blobs.items() if s == shape]
        other = rng.choice(others)
        kinds = [F.Add(), F.Subtract(), F.Multiply()] + [F.Divide()] * 3 * (other in self.positive)
        self.add(ElementWiseLayer(name=f"ew{k}", operation=rng.choice(kinds), bottoms=[bottom, other]), shape)

    def rename(self, k: int, bottom: str, shape: tuple[int, ...]) -> None:
        if self.rng.random() < 0.5:
            self.add(IdentityLayer(name=f"id{k}", bottoms=[bottom]), shape)
        else:
            self.add(SplitLayer(name=f"split{k}", bottoms=[bottom], tops=[f"split{k}a", f"split{k}b"]), shape)

    def dropout(self, k: int, bottom: str, shape: tuple[int, ...]) -> None:
        rng = self.rng
        in_place = rng.random() < 0.3
        tops = {} if in_place else {"tops": [f"drop{k}"]}
        if in_place and bottom in self.positive:
            self.positive.discard(bottom)
        if in_place and any(layer.name.startswith("ew") for layer in self.layers):
            tops = {"tops": [f"drop{k}"]}  # a quotient's divisor must not become 0
        layer = DropoutLayer(
            name=f"drop{k}", ratio=rng.choice((0.2, 0.5)), auto_scale=rng.random() < 0.7, bottoms=[bottom], **tops
        )
        self.layers.append(layer)
        self.blobs.update(dict.fromkeys(layer.tops, shape))

    def softmax(self, k: int, bottom: str, shape: tuple[int, ...]) -> None:
        self.add(SoftmaxLayer(name=f"softmax{k}", axis=self.rng.randint(1, len(shape)), bottoms=[bottom]), shape)

    def reshape(self, k: int, bottom: str, shape: tuple[int, ...]) -> None:
        new = self.rng.choice((shape[::-1], (int(np.prod(shape)),), (1, *shape)[:3] if len(shape) < 3 else shape))
        self.add(ReshapeLayer(name=f"reshape{k}", shape=new, bottoms=[bottom]), new)
