"""Random nets of blocks, drawn by seed, and the draw of a random net of any kind.

Blocks are residual, separable, ConvNeXt, gated and U-shaped ones, attention and recurrence. drawer.py draws layers that
follow each other by chance, on a few elements. Here layers belong together as in nets that people train, on enough
channels, places and samples that loops have whole vectors, tiles and remainders.
"""

from __future__ import annotations

import random
from math import prod
from typing import Any

import numpy as np

from mochac import (
    Adam,
    AttentionLayer,
    BatchNormLayer,
    BiasLayer,
    ConcatLayer,
    ConstantInitializer,
    ConvolutionLayer,
    DeconvolutionLayer,
    DropoutLayer,
    ElementWiseLayer,
    GaussianInitializer,
    GlobalPoolingLayer,
    GroupNormLayer,
    GRULayer,
    InnerProductLayer,
    LayerNormLayer,
    LSTMLayer,
    MultiHeadAttentionLayer,
    NarrowLayer,
    Net,
    Neurons,
    ParameterLayer,
    PermuteLayer,
    Pooling,
    PoolingLayer,
    ReductionLayer,
    ReshapeLayer,
    RMSNormLayer,
    RNNLayer,
    ScaleLayer,
    Solver,
    UpsampleLayer,
)
from mochac.tools.fuzzing.drawer import SMOOTH, Drawer, DrawnNet, Shape
from mochac.tools.fuzzing.twins import TWINS, dtype_of

BATCHES = (1, 2, 3, 5, 8, 15, 16, 17, 20, 31, 32, 33, 40)
CHANNELS = (4, 6, 8, 12, 16, 20, 24)
SIDES = (4, 5, 7, 8, 9, 12)
OF_IMAGES = ["plain", "plain", "shortcut", "separable", "convnext", "excited", "u_shape", "shuffled"]
OF_SEQUENCES = ["transformer", "crossed", "recurrence", "recurrence", "over_time"]
EPSILON = 0.5
"""Epsilon of norms: it keeps channels of little variance from magnifying rounding errors."""


class BlockDrawer(Drawer):
    """Draws one net of a few blocks; `lengths`: how many there may be."""

    lengths = range(1, 4)

    def draw(self, steps: int) -> DrawnNet:
        """The case of this seed; its solver makes `steps` updates."""
        rng = self.rng
        self.batch = rng.choice(BATCHES)
        self.samples = self.batch * 2 + rng.choice((0, 0, 1, 4))
        image = rng.random() < 0.5
        shape = (rng.choice((1, 3, 4, 8)), rng.choice(SIDES), rng.choice(SIDES)) if image else self.sequence()
        self.blobs["data"], self.newest = shape, "data"
        self.arrays["data"] = self.numbers.standard_normal((self.samples, *shape))
        for k in range(rng.choice(self.lengths)):
            getattr(self, rng.choice(OF_IMAGES if image else OF_SEQUENCES))(f"b{k}", self.newest)
        if image and rng.random() < 0.25:
            self.patches("p", self.newest)
            image = False
            for k in range(rng.randint(1, 2)):
                self.transformer(f"t{k}", self.newest)
        self.pooled("z", self.newest, image)
        self.blobs = {self.newest: self.blobs[self.newest]}  # the heads read it
        self.head(0)
        self.layers.append(self.data())
        return DrawnNet(
            Net(f"blocks{self.seed}", self.layers), self.arrays, self.batch, self.solver(steps), (), self.seed
        )

    def solver(self, steps: int) -> Solver:
        """A solver whose epsilon keeps Adam from magnifying rounding errors: biases of keys and biases before a batch
        norm have no other gradient."""
        solver = super().solver(steps)
        if type(solver.method) is Adam:
            solver.method = Adam(lr_policy=solver.method.lr_policy, epsilon=1e-3)
        return solver

    def sequence(self) -> tuple[int, int]:
        return self.rng.choice((2, 5, 8, 15, 16, 17, 24)), self.rng.choice((4, 6, 8, 16, 24))

    def put(self, layer: Any) -> str:
        """A layer on the newest blobs; returns its first top."""
        self.add(layer)
        self.newest = layer.tops[0]
        return self.newest

    def smooth(self) -> Any:
        return self.rng.choice((Neurons.ReLU(), Neurons.GELU(), Neurons.SiLU(), Neurons.Tanh(), *SMOOTH))

    def convolved(self, name: str, bottom: str, filters: int, kernel: int, stride: int = 1, **fields: Any) -> str:
        """With zeros around the image, such that it keeps its extents if the stride is 1."""
        reach = fields.get("dilation", (1, 1))[0] * (kernel - 1)
        pad = (reach // 2, reach // 2)
        how: dict[str, Any] = {
            "kernel": (kernel, kernel),
            "stride": (stride, stride),
            "pad": pad,
            "bottoms": [bottom],
            **fields,
        }
        return self.put(ConvolutionLayer(name=name, n_filter=filters, filter_init=GaussianInitializer(std=0.2), **how))

    def normed(self, name: str, bottom: str, neuron: Any) -> str:
        """Batch norm, or a norm of samples."""
        shape = self.blobs[bottom]
        how: dict[str, Any] = {"name": name, "bottoms": [bottom], "epsilon": EPSILON, "neuron": neuron}
        kinds: list[Any] = [GroupNormLayer(groups=2, **how)] if prod(shape) > 2 and shape[0] % 2 == 0 else []
        kinds += [BatchNormLayer(**how)] * 3 if self.batch * prod(shape[1:]) > 1 else []
        return self.put(self.rng.choice(kinds)) if kinds else bottom

    def dropped(self, name: str, bottom: str) -> str:
        """Dropout of units, of whole channels or of whole samples, or none."""
        rank = len(self.blobs[bottom])
        shared = self.rng.choice(((), tuple(range(2, rank + 1)), tuple(range(1, rank + 1)), None, None))
        if shared is None:
            return bottom
        how: dict[str, Any] = {"ratio": self.rng.choice((0.2, 0.5)), "shared_axes": shared, "tops": [name]}
        return self.put(DropoutLayer(name=name, bottoms=[bottom], **how))

    def joined(self, name: str, one: str, other: str) -> str:
        """The sum of a branch and what it began with, if they have the same shape."""
        if self.blobs[one] != self.blobs[other]:
            self.newest = one
            return one
        return self.put(ElementWiseLayer(name=name, bottoms=[one, other]))

    # -- blocks of images ----------------------------------------------------------------------------------------------

    def plain(self, k: str, x: str) -> None:
        """A convolution of any groups, stride and dilation, perhaps normalized, perhaps pooled."""
        rng, channels = self.rng, self.blobs[x][0]
        kernel, stride = rng.choice((1, 3, 3, 5)), rng.choice((1, 1, 2))
        dilation = rng.choice((1, 1, 2))
        group = self.group(channels)
        neuron = self.smooth() if rng.random() < 0.6 else Neurons.Identity()
        filters = group * max(1, rng.choice(CHANNELS) // group)
        how: dict[str, Any] = {
            "n_group": group,
            "neuron": neuron,
            "dilation": (dilation, dilation),
            "bias": rng.random() < 0.7,
        }
        x = self.convolved(f"{k}c", x, filters, kernel, stride, **how)
        if rng.random() < 0.5:
            x = self.normed(f"{k}n", x, self.smooth())
        if rng.random() < 0.5 and min(self.blobs[x][1:]) > 2:
            window, pooling = rng.choice((2, 3)), rng.choice((Pooling.Max(), Pooling.Mean()))
            how: dict[str, Any] = {"kernel": (window, window), "stride": (2, 2), "pooling": pooling, "bottoms": [x]}
            self.put(PoolingLayer(name=f"{k}p", **how))

    def shortcut(self, k: str, x: str) -> None:
        """As in ResNet, with a shortcut of one tap where the shape changes."""
        rng, channels, stride = self.rng, self.blobs[x][0], self.rng.choice((1, 1, 2))
        filters = rng.choice((channels, channels, *CHANNELS))
        y = self.convolved(f"{k}a", x, filters, 3, stride, bias=False)
        y = self.normed(f"{k}an", y, Neurons.ReLU())
        y = self.convolved(f"{k}b", y, filters, 3, bias=False)
        y = self.dropped(f"{k}d", self.normed(f"{k}bn", y, Neurons.Identity()))
        if self.blobs[y] != self.blobs[x]:
            x = self.convolved(f"{k}s", x, filters, 1, stride)
        self.joined(f"{k}j", y, x)

    def separable(self, k: str, x: str) -> None:
        """As in MobileNet: a convolution of every channel, then one tap of all."""
        rng, channels, dilation = self.rng, self.blobs[x][0], self.rng.choice((1, 1, 2))
        how: dict[str, Any] = {"n_group": channels, "dilation": (dilation, dilation)}
        y = self.convolved(f"{k}d", x, channels, rng.choice((3, 5)), rng.choice((1, 2)), **how)
        y = self.normed(f"{k}dn", y, self.smooth())
        y = self.convolved(f"{k}c", y, rng.choice(CHANNELS), 1)
        self.normed(f"{k}cn", y, self.smooth())

    def convnext(self, k: str, x: str) -> None:
        """A convolution of every channel, a norm over channels, two convolutions of one tap, scaled and dropped."""
        rng, channels = self.rng, self.blobs[x][0]
        if channels < 2:
            x = self.convolved(f"{k}0", x, 8, 1)
            channels = 8
        y = self.convolved(f"{k}d", x, channels, rng.choice((3, 5, 7)), n_group=channels)
        y = self.put(LayerNormLayer(name=f"{k}n", axes=(1,), epsilon=EPSILON, bottoms=[y]))
        y = self.convolved(f"{k}a", y, channels * rng.choice((2, 4)), 1, neuron=Neurons.GELU())
        y = self.convolved(f"{k}b", y, channels, 1)
        if rng.random() < 0.7:
            init = ConstantInitializer(rng.choice((0.1, 1.0)))
            y = self.put(ScaleLayer(name=f"{k}s", axis=1, scale_init=init, bottoms=[y]))
        self.joined(f"{k}j", self.dropped(f"{k}o", y), x)

    def excited(self, k: str, x: str) -> None:
        """Channels times a factor each, computed from their means, as in squeeze-and-excitation."""
        channels = self.blobs[x][0]
        self.put(GlobalPoolingLayer(name=f"{k}m", pooling=Pooling.Mean(), bottoms=[x]))
        self.put(InnerProductLayer(name=f"{k}a", output_dim=4, neuron=self.smooth(), bottoms=[self.newest]))
        gate = self.put(
            InnerProductLayer(name=f"{k}b", output_dim=channels, neuron=Neurons.Sigmoid(), bottoms=[self.newest])
        )
        self.put(ScaleLayer(name=f"{k}s", axis=0, bottoms=[x, gate]))

    def u_shape(self, k: str, x: str) -> None:
        """Half the extents and back, beside what was there before; only of even extents."""
        rng, sides = self.rng, self.blobs[x][1:]
        skip = self.convolved(f"{k}a", x, rng.choice(CHANNELS), 3, neuron=self.smooth())
        if any(side % 2 for side in sides):
            return
        if rng.random() < 0.5:
            y = self.put(PoolingLayer(name=f"{k}p", kernel=(2, 2), stride=(2, 2), bottoms=[skip]))
        else:
            y = self.put(ConvolutionLayer(name=f"{k}p", n_filter=8, kernel=(2, 2), stride=(2, 2), bottoms=[skip]))
        y = self.convolved(f"{k}b", y, rng.choice(CHANNELS), 3, neuron=self.smooth())
        if rng.random() < 0.5:
            how: dict[str, Any] = {"kernel": (2, 2), "stride": (2, 2), "n_filter": rng.choice(CHANNELS)}
            y = self.put(DeconvolutionLayer(name=f"{k}u", bottoms=[y], **how))
        else:
            y = self.put(UpsampleLayer(name=f"{k}u", mode=rng.choice(("nearest", "bilinear")), bottoms=[y]))
        y = self.put(ConcatLayer(name=f"{k}j", bottoms=rng.choice(([y, skip], [skip, y]))))
        self.convolved(f"{k}c", y, rng.choice(CHANNELS), 3, neuron=self.smooth())

    def shuffled(self, k: str, x: str) -> None:
        """Grouped convolutions with their channels shuffled in between, as in ShuffleNet."""
        (channels, *sides), groups = self.blobs[x], self.rng.choice((2, 4))
        if channels % groups:
            x = self.convolved(f"{k}0", x, 8, 1)
            channels = 8
        y = self.convolved(f"{k}a", x, channels, 3, n_group=groups)
        parts = (groups, channels // groups, *sides)
        y = self.put(ReshapeLayer(name=f"{k}r", shape=parts, bottoms=[y]))
        y = self.put(PermuteLayer(name=f"{k}t", order=(0, 2, 1, 3, 4), bottoms=[y]))
        y = self.put(ReshapeLayer(name=f"{k}f", shape=(channels, *sides), bottoms=[y]))
        y = self.convolved(f"{k}b", y, channels, 1, n_group=groups, neuron=self.smooth())
        self.joined(f"{k}j", y, x)

    def patches(self, k: str, x: str) -> None:
        """The places of an image as a sequence, with a class token in front, and perhaps a learnt shift each."""
        rng, (_, *sides) = self.rng, self.blobs[x]
        size = 2 if min(sides) >= 4 else 1
        width = rng.choice((4, 8, 16))
        how: dict[str, Any] = {"kernel": (size, size), "stride": (size, size), "bottoms": [x]}
        y = self.put(ConvolutionLayer(name=f"{k}c", n_filter=width, **how))
        y = self.put(ReshapeLayer(name=f"{k}r", shape=(width, prod(self.blobs[y][1:])), bottoms=[y]))
        y = self.put(PermuteLayer(name=f"{k}t", order=(0, 2, 1), bottoms=[y]))
        if rng.random() < 0.7:
            init = GaussianInitializer(std=0.5)
            self.layers.append(ParameterLayer(name=f"{k}token", shape=(1, width), init=init))
            y = self.put(ConcatLayer(name=f"{k}j", bottoms=[f"{k}token", y]))
        if rng.random() < 0.5:
            self.put(BiasLayer(name=f"{k}s", axis=1, num_axes=2, shift_init=GaussianInitializer(0.3), bottoms=[y]))

    # -- blocks of sequences -------------------------------------------------------------------------------------------

    def marks(self, k: str, time: int) -> str:
        """A blob that shows or hides places: at random, or those behind the end of each sample."""
        shown = self.numbers.random((self.samples, time)) < 0.7
        if self.rng.random() < 0.5:
            shown = np.arange(time) < self.numbers.integers(1, time + 1, (self.samples, 1))
        self.arrays[f"{k}mask"] = shown.astype(float)
        return f"{k}mask"

    def attended(self, k: str, time: int, width: int) -> dict[str, Any]:
        """Settings of attention from `time` places."""
        how = self.masking(width)
        return {**how, "mask": self.marks(k, time)} if self.rng.random() < 0.4 else how

    def transformer(self, k: str, x: str) -> None:
        """Attention and a product per place, each behind a norm and beside a shortcut."""
        rng, (time, width) = self.rng, self.blobs[x]
        norm, neuron = rng.choice((LayerNormLayer, RMSNormLayer)), self.smooth()
        y = self.put(norm(name=f"{k}n", axes=(-1,), epsilon=EPSILON, bottoms=[x]))
        y = self.put(MultiHeadAttentionLayer(name=f"{k}a", bottoms=[y], **self.attended(k, time, width)))
        x = self.joined(f"{k}j", self.dropped(f"{k}ad", y), x)
        y = self.put(norm(name=f"{k}m", axes=(-1,), epsilon=EPSILON, bottoms=[x]))
        how: dict[str, Any] = {"output_dim": width * rng.choice((1, 2, 4)), "neuron": neuron, "bottoms": [y]}
        y = self.put(InnerProductLayer(name=f"{k}f", axis=-1, **how))
        y = self.put(InnerProductLayer(name=f"{k}g", axis=-1, output_dim=width, bottoms=[y]))
        self.joined(f"{k}o", self.dropped(f"{k}gd", y), x)

    def crossed(self, k: str, x: str) -> None:
        """Attention to another sequence, of another length and perhaps of fewer heads."""
        width, other = self.blobs[x][1], self.sequence()[0]
        fields = self.attended(k, other, width)
        size = width // fields["heads"] * fields.get("kv_heads", fields["heads"])
        self.arrays[f"{k}kv"] = self.numbers.standard_normal((self.samples, other, size))
        y = self.put(AttentionLayer(name=f"{k}a", bottoms=[x, f"{k}kv", f"{k}kv"], **fields))
        self.joined(f"{k}j", y, x)

    def recurrence(self, k: str, x: str) -> None:
        """As shapes.py, but of all its outputs; with lengths, marks of beginnings or states that are learnt."""
        rng, time, size = self.rng, self.blobs[x][0], self.rng.choice((3, 4, 8, 16))
        kind = rng.choice((RNNLayer, LSTMLayer, GRULayer))
        fields: dict[str, Any] = {"n_layers": rng.choice((1, 1, 2))}
        fields |= rng.choice(({}, {"bidirectional": True}, {"reverse": True}))
        if rng.random() < 0.4:
            self.arrays[f"{k}len"] = self.numbers.integers(0, time + 1, (self.samples, 1))
            fields["lengths"] = f"{k}len"
        if rng.random() < 0.3 and not {"bidirectional", "reverse"} & {*fields}:
            self.arrays[f"{k}on"] = (self.numbers.random((self.samples, time)) < 0.8).astype(float)
            fields["continues"] = f"{k}on"
        if rng.random() < 0.3:
            ways = fields["n_layers"] * (2 if fields.get("bidirectional") else 1)
            names = [f"{k}{state}" for state in "hc"[: kind.states]]
            init = GaussianInitializer(std=0.3)
            self.layers += [ParameterLayer(name=name, shape=(ways, size), init=init) for name in names]
            fields["initial"] = names
        y = self.put(kind(name=f"{k}r", output_dim=size, bottoms=[x], **fields))
        self.dropped(f"{k}d", y)

    def over_time(self, k: str, x: str) -> None:
        """A convolution over time, causal by its padding or not."""
        rng, (time, width) = self.rng, self.blobs[x]
        y = self.put(PermuteLayer(name=f"{k}t", order=(0, 2, 1), bottoms=[x]))
        kernel, dilation = rng.choice((1, 3, 5)), rng.choice((1, 2))
        how: dict[str, Any] = {
            "kernel": (kernel,),
            "dilation": (dilation,),
            "pad": (dilation * (kernel - 1),),
            "neuron": self.smooth(),
        }
        filters = rng.choice((width, 8, 12))
        y = self.put(ConvolutionLayer(name=f"{k}c", n_filter=filters, bottoms=[y], **how))
        y = self.put(NarrowLayer(name=f"{k}n", axis=2, start=0, length=time, bottoms=[y]))
        y = self.put(PermuteLayer(name=f"{k}b", order=(0, 2, 1), bottoms=[y]))
        self.joined(f"{k}j", y, x)

    def pooled(self, k: str, x: str, image: bool) -> None:
        """What the heads read: all, a mean over places, or the first place of a sequence."""
        rng = self.rng
        if image and rng.random() < 0.5:
            self.put(GlobalPoolingLayer(name=f"{k}g", pooling=Pooling.Mean(), bottoms=[x]))
        elif not image and rng.random() < 0.5:
            y = self.put(NarrowLayer(name=f"{k}n", axis=1, start=0, length=1, bottoms=[x]))
            self.put(ReshapeLayer(name=f"{k}r", shape=(self.blobs[y][1],), bottoms=[y]))
        elif not image:
            self.put(ReductionLayer(name=f"{k}m", operation="mean", axes=(1,), bottoms=[x]))


MAX_EXTENT = 70
MAX_ELEMS = 1500
"""Maximum elements of a sample of the data."""


class ShortDrawer(Drawer):
    """Mostly short nets: a fault takes few layers, and time goes to the code of each."""

    lengths = (1, 1, 1, 1, 2, 2, 2, 3, 4)
    heads = (1, 1, 1, 1, 2)


class ShortBlockDrawer(BlockDrawer):
    """Mostly one block."""

    lengths = (1, 1, 1, 1, 2, 3)


class WideDrawer(ShortDrawer):
    """Sequences, vectors, and images of one to three axes, of any extents."""

    def data_shape(self) -> Shape:
        """Axes of 1 to 70, as long as a sample stays small."""
        rng = self.rng
        shape = [rng.choice((1, 2, 3, 4, 7, 8, 16, 17))]
        for _ in range(rng.choice((0, 1, 1, 2, 2, 2, 3))):
            shape.append(rng.randint(1, max(1, min(MAX_EXTENT, MAX_ELEMS // prod(shape)))))
        if len(shape) == 1:
            shape = [rng.randint(1, MAX_EXTENT)]
        places = shape[1:]
        rng.shuffle(places)
        return (shape[0], *places)

    def window(self, shape: Shape) -> dict[str, Any]:
        """Any kernel that fits, any stride up to 5."""
        rng = self.rng
        kernel = tuple(rng.randint(1, min(n, rng.choice((3, 5, 9)))) for n in shape[1:])
        stride = tuple(rng.choice((1, 1, rng.randint(1, 5))) for _ in kernel)
        pad = tuple(rng.choice((0, rng.randint(0, k - 1))) for k in kernel)
        return {"kernel": kernel, "stride": stride, "pad": pad}


DRAWERS = (ShortBlockDrawer, WideDrawer, *(ShortDrawer, WideDrawer) * 15)
"""By the remainder of the seed; blocks take ten times as long as other nets."""
STEPS = (1, 2, 4)
SLOW = {
    "tuned": 0.02, "library": 0.1, "bfloat16": 0.2, "verified": 0.2, "ranks": 0.6, "apart": 0.3, "float32": 0.3,
    "many": 0.3, "cpu": 0.4, "duplicated": 0.5,
}  # fmt: skip
"""How often a twin that takes long is kept where it is drawn: those that compile a net again."""
ONLY_FLOAT32 = ("direct", "bfloat16")
"""Twins of code that trainings in float64 do not have."""


def drawn(seed: int) -> DrawnNet:
    """The case of a seed."""
    return DRAWERS[seed % len(DRAWERS)](seed).draw(random.Random(seed).choice(STEPS))


def twins_of(seed: int, count: int) -> list[str]:
    """Twins of a seed: the interpreter, and `count` others."""
    without = ("interpreted", *(ONLY_FLOAT32 if dtype_of(seed) != "float32" else ()))
    rng, others = random.Random(seed), [name for name in TWINS if name not in without]
    rng.shuffle(others)
    kept = [name for name in others if rng.random() < SLOW.get(name, 1.0)]
    return ["interpreted", *kept[:count]]
