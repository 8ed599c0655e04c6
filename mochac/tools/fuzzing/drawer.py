"""Random small nets over the whole catalogue, drawn by seed: each layer reads any earlier blob.

heads.py draws their losses. It knows no graphs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

import mochac
from mochac import (
    SGD,
    ActivationLayer,
    ArgmaxLayer,
    BatchNormLayer,
    ChannelPoolingLayer,
    ConcatLayer,
    ConstantInitializer,
    ConvolutionLayer,
    CropLayer,
    DeconvolutionLayer,
    DropoutLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    FlattenLayer,
    GaussianInitializer,
    GroupNormLayer,
    IdentityLayer,
    InnerProductLayer,
    InstanceNormLayer,
    L1Regu,
    L2Cons,
    L2Regu,
    LayerNormLayer,
    LRNLayer,
    LRNMode,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Net,
    Neurons,
    NoCons,
    NoRegu,
    ParameterLayer,
    Pooling,
    PoolingLayer,
    PowerLayer,
    PReLULayer,
    RandomMaskLayer,
    RandomNormalLayer,
    ReshapeLayer,
    RMSNormLayer,
    SoftmaxLayer,
    Solver,
    SplitLayer,
    TiedInnerProductLayer,
    XavierInitializer,
)
from mochac.base.records import record
from mochac.tools.fuzzing.heads import HeadDrawer
from mochac.tools.fuzzing.shapes import KINDS, OF_IMAGES, OF_SEQUENCES, Sequences, ShapeDrawer

SMOOTH = (
    Neurons.GELU(),
    Neurons.GELU(approximate=True),
    Neurons.SiLU(),
    Neurons.ELU(alpha=0.5),
    Neurons.SELU(),
    Neurons.Softplus(),
    Neurons.Softsign(),
    Neurons.HardSigmoid(),
    Neurons.HardSwish(),
    Neurons.Mish(),
    Neurons.LReLU(slope=0.2),
)
BATCHES = (1, 2, 3, 5, 7, 15, 16, 17, 31, 33)
Shape = tuple[int, ...]


@record
class DrawnNet:
    """A net, its arrays by top, and how to train it."""

    net: Net
    arrays: dict[str, np.ndarray]
    batch: int
    solver: Solver
    frozen: tuple[str, ...]
    seed: int

    @property
    def steps(self) -> int:
        """Updates of a training."""
        return self.solver.max_iter or 0

    def batches(self, n: int) -> list[dict[str, np.ndarray]]:
        """The first n batches: they wrap around at the end of the data."""
        count = len(next(iter(self.arrays.values())))
        rows = [(k * self.batch + np.arange(self.batch)) % count for k in range(n)]
        return [{top: a[r] for top, a in self.arrays.items()} for r in rows]


class Drawer(HeadDrawer, Sequences, ShapeDrawer):
    """Draws one net.

    Attributes:
        lengths, heads: how many layers and losses there may be; numbers that occur often are drawn often.
        blobs: extents of one sample by blob. positive: blobs whose elements are > 0 and not small.
        keys: extents of the input of layers with parameters, by name; wide: (outputs, features) of inner products.
    """

    lengths: Sequence[int] = range(1, 8)
    heads: Sequence[int] = (1, 1, 2, 3)

    def __init__(self, seed: int) -> None:
        self.seed, self.rng = seed, random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.layers: list[Any] = []
        self.arrays: dict[str, np.ndarray] = {}
        self.blobs: dict[str, Shape] = {}
        self.positive: set[str] = set()
        self.keys: dict[str, Shape] = {}
        self.wide: dict[str, tuple[int, int]] = {}
        self.trained: list[str] = []
        self.exponentials = 0

    def draw(self, steps: int) -> DrawnNet:
        """The case of this seed; its solver makes `steps` updates."""
        rng = self.rng
        self.batch = rng.choice(BATCHES)
        self.samples = self.batch * 2 + rng.randint(0, 4)
        shape = self.data_shape()
        self.blobs["data"] = shape
        self.arrays["data"] = self.numbers.standard_normal((self.samples, *shape))
        for k in range(rng.choice(self.lengths)):
            self.layer(k)
        for k in range(rng.choice(self.heads)):
            self.head(k)
        self.layers.append(self.data())
        rng.shuffle(self.layers)
        trained = [*self.keys, *self.trained]
        frozen = (rng.choice(trained),) if len(trained) > 1 and rng.random() < 0.15 else ()
        return DrawnNet(
            Net(f"net{self.seed}", self.layers), self.arrays, self.batch, self.solver(steps), frozen, self.seed
        )

    def data_shape(self) -> Shape:
        """Extents of a sample of the data."""
        rng = self.rng
        shape = (rng.choice((1, 2, 3)), rng.choice((1, rng.randint(2, 10))), rng.choice((1, rng.randint(2, 8))))
        return rng.choice(((2, 9), (4, 20), (2, 3, 4, 3))) if rng.random() < 0.2 else shape

    def data(self) -> Any:
        tops, arrays = [*self.arrays], [*self.arrays.values()]
        return MemoryDataLayer(name="in", data=arrays, tops=tops, batch_size=self.batch)

    def solver(self, steps: int) -> Solver:
        rng = self.rng
        rate = rng.choice(
            (LRPolicy.Fixed(0.02), LRPolicy.Inv(0.02, 0.1, 0.75), LRPolicy.Step(0.02, 0.5, 2), LRPolicy.Cosine(0.02, 5))
        )
        small = rng.choice(
            (LRPolicy.Fixed(0.002), LRPolicy.Staged((3, LRPolicy.WarmUp(2, 0.002)), (9, LRPolicy.Exp(0.002, 0.9))))
        )
        momentum = rng.choice((MomPolicy.Fixed(0.0), MomPolicy.Fixed(0.9), MomPolicy.Linear(0.1, 0.1, 2, 0.9)))
        method = rng.choice(
            (
                SGD(lr_policy=rate, mom_policy=momentum),
                SGD(lr_policy=rate, mom_policy=momentum),
                mochac.Nesterov(lr_policy=rate, mom_policy=momentum),
                mochac.Adam(lr_policy=small),
                mochac.Adadelta(eps=1e-3),
                mochac.Adagrad(gamma=0.01, epsilon=1e-3),
                mochac.RMSProp(lr_policy=small, eps=1e-3),
                mochac.AdamW(lr_policy=small, epsilon=1e-3, decay=0.1),
                mochac.RAdam(lr_policy=small, epsilon=1e-3),
            )
        )  # fmt: skip
        clip = rng.choice((None, None, None, 0.5))
        return Solver(method, max_iter=steps, regu_coef=rng.choice((0.0, 0.0005, 0.05)), clip_norm=clip)

    def layer(self, k: int) -> None:
        """One more layer on some blob."""
        images = [b for b, s in self.blobs.items() if len(s) == 3]
        sequences = [b for b, s in self.blobs.items() if len(s) == 2]
        spatial = [b for b, s in self.blobs.items() if 2 <= len(s) <= 4]
        kinds = ["element_wise"] * 2 + ["rename", "dropout", "softmax", "reshape", "concat", "channel_pooling", "power"]
        kinds += ["lrn", "random_mask", "noise", "activation", "prelu", "gated_half", "flatten", "argmax", "borrowed"]
        kinds += ["convolution"] * 6 + ["pooling"] * 3 + ["deconvolution"] if spatial else []
        kinds += ["crop", *OF_IMAGES] if images else []
        kinds += OF_SEQUENCES * 2 if sequences else []
        kinds += KINDS
        kinds += ["inner_product"] * (2 if len(list(self.blobs.values())[-1]) == 3 else 7)
        kinds += ["batch_norm", "sample_norm"] * 2
        kinds += ["sharer"] * 3 if self.keys else []
        kinds += ["tied"] * 2 if self.wide else []
        kind = self.rng.choice(kinds)
        fitting = dict.fromkeys(("convolution", "pooling", "deconvolution"), spatial)
        fitting |= dict.fromkeys(("crop", *OF_IMAGES), images)
        fitting |= dict.fromkeys(OF_SEQUENCES, sequences)
        bottom = self.late(fitting.get(kind, list(self.blobs)))
        getattr(self, kind)(k, bottom, self.blobs[bottom])

    def late(self, blobs: list[str]) -> str:
        """Most often the newest, so that nets are deep; else any, so that blobs are read several times."""
        return blobs[-1] if self.rng.random() < 0.7 else self.rng.choice(blobs)

    def add(self, layer: Any, shape: Shape | None = None) -> None:
        """A layer whose tops have that shape; None: as the Net itself says."""
        self.layers.append(layer)
        net = Net("so far", [self.data(), *self.layers]) if shape is None else None
        for top in layer.tops:
            self.blobs[top] = tuple(net.blobs[top].shape[1:]) if net else shape or ()

    def neuron(self) -> Any:
        kinds = ["Identity", "Identity", "ReLU", "ReLU", "LReLU", "Sigmoid", "Tanh"]
        if not self.exponentials and self.rng.random() < 0.1:
            self.exponentials += 1
            return Neurons.Exponential()
        if self.rng.random() < 0.1:
            return Neurons.ReLU(epsilon=0.125)
        if self.rng.random() < 0.3:
            return self.rng.choice(SMOOTH)
        return getattr(Neurons, self.rng.choice(kinds))()

    def settings(self, weight: str) -> dict[str, Any]:
        """Initializers, regularizers, constraints and local learning rates of a layer with parameters."""
        rng = self.rng
        return {
            f"{weight}_init": rng.choice((XavierInitializer(), GaussianInitializer(std=0.2))),
            **rng.choice(({}, {"bias_init": ConstantInitializer(0.1)}, {"bias": False})),
            f"{weight}_regu": rng.choice((L2Regu(1.0), L1Regu(0.5), NoRegu())),
            f"{weight}_cons": rng.choice((NoCons(), NoCons(), L2Cons(0.5), L2Cons(0.7, 3))),
            f"{weight}_lr": rng.choice((1.0, 1.0, 0.5, 0.0)),
        }

    def window(self, shape: Shape) -> dict[str, Shape]:
        rng = self.rng
        kernel = tuple(rng.randint(1, min(n, 4)) for n in shape[1:])
        stride = tuple(rng.choice((1, 1, 2, 3)) for _ in kernel)
        pad = tuple(rng.randint(0, k - 1) for k in kernel)
        return {"kernel": kernel, "stride": stride, "pad": pad}

    def group(self, channels: int) -> int:
        """Groups of channels: one, two, or one per channel."""
        two = 2 if channels % 2 == 0 else 1
        return self.rng.choice((1, 1, two, two, channels))

    def same_shape(self, bottom: str) -> list[str]:
        """Blobs of one shape, `bottom` among them."""
        return [b for b, s in self.blobs.items() if s == self.blobs[bottom]]

    # -- layers with parameters ----------------------------------------------------------------------------------------

    def convolution(self, k: int, bottom: str, shape: Shape) -> None:
        rng, name = self.rng, f"conv{k}"
        group, window = self.group(shape[0]), self.window(shape)
        filters = group * rng.choice((1, 2, 3, 5) if group < 4 else (1, 1, 2))
        if rng.random() < 0.4:
            sizes = zip(shape[1:], window["kernel"], window["pad"], strict=True)
            window["dilation"] = tuple(rng.randint(1, max(1, (n + 2 * p - 1) // max(k - 1, 1))) for n, k, p in sizes)
        others = [b for b in self.same_shape(bottom) if b != bottom]
        bottoms = [bottom, rng.choice(others)] if others and rng.random() < 0.3 else [bottom]
        tops = [name] if len(bottoms) == 1 else [f"{name}a", f"{name}b"]
        self.add(
            ConvolutionLayer(
                name=name, n_filter=filters, n_group=group, neuron=self.neuron(), bottoms=bottoms, tops=tops,
                **window, **self.settings("filter"),
            )
        )  # fmt: skip
        self.keys[name] = shape

    def deconvolution(self, k: int, bottom: str, shape: Shape) -> None:
        rng, name, group = self.rng, f"deconv{k}", self.group(shape[0])
        kernel = tuple(rng.randint(1, 3) for _ in shape[1:])
        stride = tuple(rng.randint(1, 2 if prod(shape) < 300 else 1) for _ in kernel)
        pad = tuple(
            rng.randint(0, min(k - 1, (n * s - 1) // 2)) for k, s, n in zip(kernel, stride, shape[1:], strict=True)
        )
        more = tuple(rng.randint(0, s - 1) for s in stride)
        dilation = tuple(rng.choice((1, 1, 2, 3)) for _ in kernel)
        self.add(
            DeconvolutionLayer(
                name=name, n_filter=group * rng.choice((1, 2)), n_group=group, neuron=self.neuron(), bottoms=[bottom],
                kernel=kernel, stride=stride, pad=pad, output_pad=more, dilation=dilation, **self.settings("filter"),
            )
        )  # fmt: skip
        self.keys[name] = shape

    def inner_product(self, k: int, bottom: str, shape: Shape) -> None:
        rng, name, width = self.rng, f"ip{k}", int(np.prod(shape))
        outputs = rng.choice((1, 3, 17, width, width) if width < 40 else (1, 3, 8, 17))
        neuron = self.neuron()
        settings = self.settings("weight")
        self.add(
            InnerProductLayer(name=name, output_dim=outputs, neuron=neuron, bottoms=[bottom], **settings), (outputs,)
        )
        self.keys[name], self.wide[name] = shape, (outputs, width)
        if neuron == Neurons.Sigmoid():
            self.positive.add(name)

    def borrowed(self, k: int, bottom: str, shape: Shape) -> None:
        """An inner product whose weight is a blob, the sum of two parameters, and perhaps its bias too."""
        rng, width = self.rng, int(np.prod(shape))
        outputs = rng.choice((1, 3, 5))
        parts = [ParameterLayer(name=f"W{k}{side}", shape=(outputs, width)) for side in "ab"]
        self.layers += [*parts, ElementWiseLayer(name=f"W{k}", bottoms=[p.name for p in parts])]
        bias: dict[str, Any] = {}
        if rng.random() < 0.5:
            self.layers.append(ParameterLayer(name=f"B{k}", shape=(outputs,), regu=NoRegu(), lr=2.0))
            bias: dict[str, Any] = {"bias": f"B{k}"}
        self.trained += [p.name for p in parts]
        for copy in ("", "x")[: rng.choice((1, 2))]:
            bottoms = [self.late(self.same_shape(bottom))]
            self.add(
                InnerProductLayer(name=f"lent{k}{copy}", output_dim=outputs, weight=f"W{k}", bottoms=bottoms, **bias),
                (outputs,),
            )

    def tied(self, k: int, bottom: str, shape: Shape) -> None:
        """The decoder of an earlier inner product, on some blob of as many features as it has outputs."""
        encoder = self.rng.choice(list(self.wide))
        outputs, width = self.wide[encoder]
        bottoms = [b for b, s in self.blobs.items() if int(np.prod(s)) == outputs]
        send = self.rng.random() < 0.5
        self.add(
            TiedInnerProductLayer(
                name=f"tied{k}", tied_param_key=encoder, tie_gradient=send, neuron=self.neuron(),
                bottoms=[self.late(bottoms)],
            ),
            (width,),
        )  # fmt: skip
        self.trained.append(f"tied{k}")

    def sharer(self, k: int, bottom: str, shape: Shape) -> None:
        """A layer with the parameters of an earlier one, on a blob of the same shape."""
        key = self.rng.choice(list(self.keys))
        first = next(layer for layer in self.layers if layer.name == key)
        bottom = self.late([b for b, s in self.blobs.items() if s == self.keys[key]])
        self.add(first.replace(name=f"share{k}", param_key=key, bottoms=[bottom], tops=[f"share{k}"]))

    def normalized(self, kind: Any, name: str, bottom: str, shape: Shape, **fields: Any) -> None:
        """With an epsilon that keeps channels of little variance from magnifying rounding errors."""
        epsilon, affine = self.rng.choice((0.5, 1.0)), self.rng.random() < 0.7
        how: dict[str, Any] = {"epsilon": epsilon, "affine": affine, "neuron": self.neuron(), **fields}
        self.add(kind(name=name, bottoms=[bottom], **how), shape)
        if affine:
            self.keys[name] = shape

    def batch_norm(self, k: int, bottom: str, shape: Shape) -> None:
        if self.batch * int(np.prod(shape[1:])) > 1:
            self.normalized(BatchNormLayer, f"bn{k}", bottom, shape, momentum=self.rng.choice((0.1, 0.5)))

    def sample_norm(self, k: int, bottom: str, shape: Shape) -> None:
        """LayerNorm, RMSNorm, GroupNorm or InstanceNorm."""
        rng = self.rng
        axes = sorted(rng.sample(range(1, len(shape) + 1), rng.randint(1, len(shape))))
        groups = rng.choice([g for g in range(1, shape[0] + 1) if shape[0] % g == 0])
        kinds: list[tuple[Any, dict[str, Any], int]] = [
            (LayerNormLayer, {"axes": axes}, int(np.prod([shape[a - 1] for a in axes]))),
            (GroupNormLayer, {"groups": groups}, int(np.prod(shape)) // groups),
            (InstanceNormLayer, {}, int(np.prod(shape[1:]))),
            (RMSNormLayer, {"axes": axes}, 2),
        ]
        kind, fields, values = rng.choice(kinds)
        if values > 1:
            self.normalized(kind, f"norm{k}", bottom, shape, **fields)

    # -- layers without ------------------------------------------------------------------------------------------------

    def pooling(self, k: int, bottom: str, shape: Shape) -> None:
        rng = self.rng
        pooling, divisor = rng.choice((Pooling.Max(), Pooling.Mean())), rng.choice(("kernel", "caffe", "valid"))
        how: dict[str, Any] = {"pooling": pooling, "divisor": divisor, "neuron": self.neuron(), **self.window(shape)}
        how["rounding"] = rng.choice(("up", "up", "down"))
        self.add(PoolingLayer(name=f"pool{k}", bottoms=[bottom], **how))

    def channel_pooling(self, k: int, bottom: str, shape: Shape) -> None:
        rng, axis = self.rng, self.rng.randint(1, len(shape))
        kernel = rng.randint(1, min(shape[axis - 1], 4))
        pad = (rng.randint(0, kernel - 1), rng.randint(0, kernel - 1))
        how: dict[str, Any] = {"kernel": kernel, "stride": rng.randint(1, kernel), "pad": pad, "axis": axis}
        pooling = rng.choice((Pooling.Max(), Pooling.Mean()))
        self.add(ChannelPoolingLayer(name=f"chan{k}", pooling=pooling, bottoms=[bottom], **how))

    def crop(self, k: int, bottom: str, shape: Shape) -> None:
        rng = self.rng
        size = (rng.randint(1, shape[1]), rng.randint(1, shape[2]))
        how: dict[str, Any] = {name: rng.random() < 0.5 for name in ("random_crop", "random_mirror", "per_sample")}
        self.add(CropLayer(name=f"crop{k}", crop_size=size, bottoms=[bottom], **how), (shape[0], *size))

    def lrn(self, k: int, bottom: str, shape: Shape) -> None:
        rng = self.rng
        mode = rng.choice(
            (LRNMode.AcrossChannel(), LRNMode.WithinChannel()) if len(shape) == 3 else (LRNMode.AcrossChannel(),)
        )
        how: dict[str, Any] = {
            "kernel": rng.randint(1, 5),
            "scale": rng.choice((0.1, 1.0)),
            "power": rng.choice((0.5, 0.75, 1.0)),
        }
        self.add(LRNLayer(name=f"lrn{k}", axis=rng.randint(1, len(shape)), mode=mode, bottoms=[bottom], **how), shape)

    def power(self, k: int, bottom: str, shape: Shape) -> None:
        name, positive = f"power{k}", bottom in self.positive
        power = self.rng.choice((-0.5, 0.5, 1.5, 2.0) if positive else (0.0, 1.0, 2.0, 3.0))
        shift = self.rng.choice((0.0, 0.5))
        self.add(PowerLayer(name=name, power=power, scale=0.5, shift=shift, bottoms=[bottom]), shape)
        if positive:
            self.positive.add(name)

    def element_wise(self, k: int, bottom: str, shape: Shape) -> None:
        rng, F = self.rng, ElementWiseFunctors
        other = rng.choice(self.same_shape(bottom))
        kinds = [F.Add(), F.Subtract(), F.Multiply()] + [F.Divide()] * 3 * (other in self.positive)
        self.add(ElementWiseLayer(name=f"ew{k}", operation=rng.choice(kinds), bottoms=[bottom, other]), shape)

    def concat(self, k: int, bottom: str, shape: Shape) -> None:
        """Two or three branches side by side."""
        axis = self.rng.randint(1, len(shape))
        rest = [b for b, s in self.blobs.items() if s[: axis - 1] + s[axis:] == shape[: axis - 1] + shape[axis:]]
        rest = [b for b in rest if len(self.blobs[b]) == len(shape)]
        bottoms = [bottom, *(self.rng.choice(rest) for _ in range(self.rng.choice((1, 1, 2))))]
        axis = self.rng.choice((axis, axis - len(shape) - 1))
        self.add(ConcatLayer(name=f"concat{k}", axis=axis, bottoms=bottoms))

    def rename(self, k: int, bottom: str, shape: Shape) -> None:
        if self.rng.random() < 0.5:
            self.add(IdentityLayer(name=f"id{k}", bottoms=[bottom]), shape)
        else:
            self.add(SplitLayer(name=f"split{k}", bottoms=[bottom], tops=[f"split{k}a", f"split{k}b"]), shape)

    def flatten(self, k: int, bottom: str, shape: Shape) -> None:
        self.add(FlattenLayer(name=f"flat{k}", bottoms=[bottom]), (int(np.prod(shape)),))

    def argmax(self, k: int, bottom: str, shape: Shape) -> None:
        """Places, which bring no gradient, beside what they were found in."""
        axis = self.rng.randint(1, len(shape))
        self.layers.append(ArgmaxLayer(name=f"argmax{k}", axis=axis, bottoms=[bottom]))
        self.add(ConcatLayer(name=f"places{k}", axis=axis, bottoms=[bottom, f"argmax{k}"]))

    def noise(self, k: int, bottom: str, shape: Shape) -> None:
        """The blob and a tenth of its own measure in noise."""
        self.layers.append(RandomNormalLayer(name=f"normal{k}", tops=[f"normal{k}"], output_dims=shape))
        self.layers.append(PowerLayer(name=f"hiss{k}", scale=0.1, bottoms=[f"normal{k}"]))
        self.add(ElementWiseLayer(name=f"noisy{k}", bottoms=[bottom, f"hiss{k}"]), shape)

    def in_place(self, kind: Any, name: str, bottom: str, shape: Shape, **fields: Any) -> None:
        """With a top of its own, or in place where no divisor or base can become 0 by it."""
        here = self.rng.random() < 0.3 and not self.positive
        layer = kind(name=name, bottoms=[bottom], **fields, **({} if here else {"tops": [name]}))
        self.layers.append(layer)
        self.blobs.update(dict.fromkeys(layer.tops, shape))

    def dropout(self, k: int, bottom: str, shape: Shape) -> None:
        ratio, scale = self.rng.choice((0.2, 0.5)), self.rng.random() < 0.7
        self.in_place(DropoutLayer, f"drop{k}", bottom, shape, ratio=ratio, auto_scale=scale)

    def random_mask(self, k: int, bottom: str, shape: Shape) -> None:
        self.in_place(RandomMaskLayer, f"mask{k}", bottom, shape, ratio=self.rng.choice((0.2, 0.5)))

    def activation(self, k: int, bottom: str, shape: Shape) -> None:
        self.in_place(ActivationLayer, f"act{k}", bottom, shape, neuron=self.neuron())

    def prelu(self, k: int, bottom: str, shape: Shape) -> None:
        how: dict[str, Any] = {
            "slope_regu": self.rng.choice((NoRegu(), L2Regu(1.0))),
            "shared": self.rng.random() < 0.3,
        }
        self.add(PReLULayer(name=f"prelu{k}", bottoms=[bottom], **how), shape)
        self.trained.append(f"prelu{k}")

    def gated_half(self, k: int, bottom: str, shape: Shape) -> None:
        """A GLU, where there is an axis to halve."""
        even = [a for a, d in enumerate(shape, 1) if d % 2 == 0]
        if even:
            axis = self.rng.choice(even)
            half = tuple(d // 2 if a == axis else d for a, d in enumerate(shape, 1))
            self.add(
                ActivationLayer(name=f"glu{k}", neuron=Neurons.GLU(axis=axis), bottoms=[bottom], tops=[f"glu{k}"]), half
            )

    def softmax(self, k: int, bottom: str, shape: Shape) -> None:
        self.add(SoftmaxLayer(name=f"softmax{k}", axis=self.rng.randint(1, len(shape)), bottoms=[bottom]), shape)

    def reshape(self, k: int, bottom: str, shape: Shape) -> None:
        new = self.rng.choice((shape[::-1], (int(np.prod(shape)),), (1, *shape)[:3] if len(shape) < 3 else shape))
        self.add(ReshapeLayer(name=f"reshape{k}", shape=new, bottoms=[bottom]), new)
