"""Layers of random nets that change shapes, and that run over sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac import (
    ArgmaxLayer,
    AttentionLayer,
    BiasLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    EmbeddingLayer,
    FlattenLayer,
    FunctionLayer,
    GlobalPoolingLayer,
    GRULayer,
    InnerProductLayer,
    L2Regu,
    LSTMLayer,
    MultiHeadAttentionLayer,
    NarrowLayer,
    Neurons,
    NoRegu,
    PadLayer,
    PermuteLayer,
    Pooling,
    PowerLayer,
    ReductionLayer,
    ReshapeLayer,
    RNNLayer,
    Rotary,
    ScaleLayer,
    SliceLayer,
    TileLayer,
    UniformInitializer,
    UpsampleLayer,
)

Shape = tuple[int, ...]
OF_SEQUENCES = ["attention", "multi_head", "embedding", "recurrent"]


class Sequences:
    """Part of a Drawer, which has rng, blobs, trained, layers and the method add."""

    def __getattr__(self, name: str) -> Any: ...

    def masking(self, width: int) -> dict[str, Any]:
        rng = self.rng
        heads = rng.choice([h for h in range(1, width + 1) if width % h == 0])
        fields = {"heads": heads, "causal": rng.random() < 0.5, "dropout": rng.choice((0.0, 0.0, 0.3))}
        if rng.random() < 0.4:
            fields["kv_heads"] = rng.choice([h for h in range(1, heads + 1) if heads % h == 0])
        if width // heads % 2 == 0 and rng.random() < 0.4:
            fields["rotary"] = Rotary(rng.choice((100.0, 10000.0)), interleaved=rng.random() < 0.5)
        if rng.random() < 0.3:
            fields["window"] = rng.choice((1, 2, 3))
        return fields

    def attention(self, k: int, bottom: str, shape: Shape) -> None:
        """Attention of queries, keys and values in one blob, made by an inner product; or of a blob to itself."""
        fields, bottoms = self.masking(shape[1]), [bottom] * 3
        heads, kv_heads = fields["heads"], fields.get("kv_heads", fields["heads"])
        if kv_heads < heads or self.rng.random() < 0.5:
            name = f"qkv{k}"
            init, size = UniformInitializer(0.4), shape[1] // heads * (heads + 2 * kv_heads)
            self.layers.append(
                InnerProductLayer(name=name, output_dim=size, axis=-1, weight_init=init, bottoms=[bottom])
            )
            self.trained.append(name)
            bottoms = [name]
        self.add(AttentionLayer(name=f"attend{k}", bottoms=bottoms, **fields), shape)

    def multi_head(self, k: int, bottom: str, shape: Shape) -> None:
        name, bottoms = f"heads{k}", self.rng.choice(([bottom], [bottom] * 3))
        self.add(MultiHeadAttentionLayer(name=name, bottoms=bottoms, **self.masking(shape[1])), shape)
        self.trained.append(name)

    def embedding(self, k: int, bottom: str, shape: Shape) -> None:
        """Vectors for the places of the largest features, which bring no gradient."""
        width = self.rng.choice((1, 3, 5))
        self.layers.append(ArgmaxLayer(name=f"largest{k}", axis=2, bottoms=[bottom]))
        self.layers.append(FlattenLayer(name=f"ids{k}", bottoms=[f"largest{k}"]))
        bias, ids = self.rng.random() < 0.5, [f"ids{k}"]
        self.add(EmbeddingLayer(name=f"words{k}", vocabulary=shape[1], output_dim=width, bias=bias, bottoms=ids))
        self.trained.append(f"words{k}")

    def recurrent(self, k: int, bottom: str, shape: Shape) -> None:
        """A recurrent layer, of all its outputs or of the last, with or without its states."""
        rng, name, width = self.rng, f"steps{k}", self.rng.choice((1, 3, 4))
        kind = rng.choice((RNNLayer, LSTMLayer, GRULayer))
        fields: dict[str, Any] = {"n_layers": rng.choice((1, 1, 2)), "bidirectional": rng.random() < 0.3}
        fields |= {"last": rng.random() < 0.5, "dropout": rng.choice((0.0, 0.3))}
        if kind is RNNLayer:
            fields["neuron"] = rng.choice((Neurons.Tanh(), Neurons.Sigmoid()))
        if kind is GRULayer:
            fields["reset"] = rng.choice(("after", "before"))
        tops = [name, f"{name}.h", f"{name}.c"][: rng.choice((1, 2, 3 if kind is LSTMLayer else 2))]
        self.add(kind(name=name, output_dim=width, bottoms=[bottom], tops=tops, **fields))
        self.trained.append(name)


KINDS = ["slice", "permute", "scale", "bias", "gate", "reduction", "rows", "residual", "function", "narrow"]
OF_IMAGES = ["global_pooling", "upsample", "tile", "padded"]
LARGE = 400
"""Elements of a sample above which a blob does not grow."""


class ShapeDrawer:
    """Part of a Drawer, which has rng, blobs, trained, layers and the methods late, same_shape, add and neuron."""

    def __getattr__(self, name: str) -> Any: ...

    def global_pooling(self, k: int, bottom: str, shape: Shape) -> None:
        pooling = self.rng.choice((Pooling.Mean(), Pooling.Max()))
        self.add(GlobalPoolingLayer(name=f"global{k}", pooling=pooling, neuron=self.neuron(), bottoms=[bottom]))

    def upsample(self, k: int, bottom: str, shape: Shape) -> None:
        rng, mode = self.rng, self.rng.choice(("nearest", "bilinear", "bicubic"))
        factor = rng.choice((2, 3))
        factor = factor if np.prod(shape) * factor**2 < LARGE else 1
        how: dict[str, Any] = {"factor": rng.choice((factor, (1, factor)))}
        if rng.random() < 0.5:
            most = max(2, int((LARGE / shape[0]) ** 0.5))
            how = {"size": (rng.randint(1, most), rng.randint(1, most))}
        if mode != "nearest" and rng.random() < 0.5:
            how["align_corners"] = True
        self.add(UpsampleLayer(name=f"up{k}", mode=mode, bottoms=[bottom], **how))

    def tile(self, k: int, bottom: str, shape: Shape) -> None:
        tiles = self.rng.choice((2, 3)) if np.prod(shape) * 3 < LARGE else 1
        self.add(TileLayer(name=f"tile{k}", axis=self.rng.randint(1, len(shape)), tiles=tiles, bottoms=[bottom]))

    def padded(self, k: int, bottom: str, shape: Shape) -> None:
        rng, value = self.rng, self.rng.choice((0.0, 0.5))
        before, after = ((rng.randint(0, 2), rng.randint(0, 2)) for _ in "ab")
        self.add(PadLayer(name=f"pad{k}", before=before, after=after, value=value, bottoms=[bottom]))

    def function(self, k: int, bottom: str, shape: Shape) -> None:
        """A function of one blob, or of two, the second of which may be a mean over an axis."""
        rng = self.rng
        if rng.random() < 0.4:
            self.add(FunctionLayer(name=f"f{k}", function=rng.choice(("erf", "gelu", "neg")), bottoms=[bottom]), shape)
            return
        other = rng.choice(self.same_shape(bottom))
        if rng.random() < 0.5:
            axis = rng.randint(1, len(shape))
            ones = (*shape[: axis - 1], 1, *shape[axis:])
            self.layers.append(ReductionLayer(name=f"m{k}", operation="mean", axes=axis, bottoms=[bottom]))
            other = f"thin{k}"
            self.layers.append(ReshapeLayer(name=other, shape=ones, bottoms=[f"m{k}"]))
        self.add(FunctionLayer(name=f"f{k}", function=rng.choice(("sub", "gated")), bottoms=[bottom, other]), shape)

    def narrow(self, k: int, bottom: str, shape: Shape) -> None:
        axis = self.rng.randint(1, len(shape))
        start, step = self.rng.randrange(shape[axis - 1]), self.rng.choice((1, 1, -1, 2, -3))
        most = len(range(start, shape[axis - 1] if step > 0 else -1, step))
        length = self.rng.randint(1, most)
        self.add(NarrowLayer(name=f"narrow{k}", start=start, length=length, axis=axis, step=step, bottoms=[bottom]))

    def slice(self, k: int, bottom: str, shape: Shape) -> None:
        axis = self.rng.randint(1, len(shape))
        parts = self.rng.randint(1, min(shape[axis - 1], 3))
        points = sorted(self.rng.sample(range(1, shape[axis - 1]), parts - 1))
        tops = [f"part{k}{side}" for side in "abc"[:parts]]
        self.add(SliceLayer(name=f"slice{k}", axis=axis, points=tuple(points), bottoms=[bottom], tops=tops))

    def permute(self, k: int, bottom: str, shape: Shape) -> None:
        order = self.rng.sample(range(1, len(shape) + 1), len(shape))
        self.add(PermuteLayer(name=f"permute{k}", order=(0, *order), bottoms=[bottom]))

    def learnt(self, shape: Shape, *names: str) -> dict[str, Any]:
        """Axes and settings of a scale or a shift."""
        rng, axis = self.rng, self.rng.randint(1, len(shape))
        fields: dict[str, Any] = {"axis": axis, "num_axes": rng.choice((-1, 0, 1, len(shape) + 1 - axis))}
        for name in names:
            fields |= {f"{name}_init": UniformInitializer(0.7), f"{name}_regu": rng.choice((NoRegu(), L2Regu(1.0)))}
            fields |= {f"{name}_lr": rng.choice((1.0, 0.5, 0.0))}
        return fields

    def scale(self, k: int, bottom: str, shape: Shape) -> None:
        name, shifted = f"scale{k}", self.rng.random() < 0.5
        fields = self.learnt(shape, "scale", *(["shift"] if shifted else []))
        self.add(ScaleLayer(name=name, bottoms=[bottom], shifted=shifted, neuron=self.neuron(), **fields), shape)
        self.trained.append(name)

    def bias(self, k: int, bottom: str, shape: Shape) -> None:
        self.add(BiasLayer(name=f"bias{k}", bottoms=[bottom], **self.learnt(shape, "shift")), shape)
        self.trained.append(f"bias{k}")

    def gate(self, k: int, bottom: str, shape: Shape) -> None:
        """A blob times a factor per channel that was computed from it, as in squeeze-and-excitation."""
        axes = tuple(range(2, len(shape) + 1))
        mean = f"mean{k}" if axes else bottom
        if axes:
            self.layers.append(ReductionLayer(name=mean, operation="mean", axes=axes, bottoms=[bottom]))
        kind = self.rng.choice((ScaleLayer, BiasLayer))
        self.add(kind(name=f"gate{k}", axis=0, bottoms=[bottom, mean], neuron=self.neuron()), shape)

    def reduction(self, k: int, bottom: str, shape: Shape) -> None:
        rng = self.rng
        axes = rng.sample(range(1, len(shape) + 1), rng.randint(1, max(1, len(shape) - 1)))
        operation = rng.choice(("sum", "mean", "sumsq"))
        layer = ReductionLayer(name=f"sums{k}", operation=operation, axes=axes, bottoms=[bottom])
        if len(axes) < len(shape):
            self.add(layer)
        else:  # a number per sample, which other layers want with an axis
            self.layers.append(layer)
            self.add(ReshapeLayer(name=f"number{k}", shape=(1,), bottoms=[f"sums{k}"]), (1,))

    def rows(self, k: int, bottom: str, shape: Shape) -> None:
        """A product of every row of a blob, and perhaps a second behind it with the first's blob added."""
        rng, axis, name = self.rng, self.rng.randint(1, len(shape)), f"rows{k}"
        width, neuron = rng.choice((1, 3, 17, shape[-1])), self.neuron()
        self.add(InnerProductLayer(name=name, output_dim=width, axis=axis, neuron=neuron, bottoms=[bottom]))
        self.trained.append(name)
        if width == shape[-1] and axis == len(shape) and rng.random() < 0.7:
            self.add(ElementWiseLayer(name=f"passed{k}", bottoms=[name, bottom]), shape)

    def residual(self, k: int, bottom: str, shape: Shape) -> None:
        """Sums, products and maxima of two to four blobs."""
        rng, f = self.rng, ElementWiseFunctors
        others = [rng.choice(self.same_shape(bottom)) for _ in range(rng.randint(1, 3))]
        operation = rng.choice((f.Add(), f.Add(), f.Multiply(), f.Maximum()))
        if operation == f.Maximum():  # equal elements would leave the gradient to rounding
            self.layers.append(PowerLayer(name=f"apart{k}", scale=0.5, shift=0.3, bottoms=[bottom]))
            others = [f"apart{k}"]
        count = len(others) + 1
        weights = [rng.choice((1.0, -1.0, 0.5)) for _ in range(count)] if operation == f.Add() else []
        summed = [bottom, *others]
        cancels = not any(sum(w for x, w in zip(summed, weights, strict=False) if x == blob) for blob in summed)
        keeps = rng.random() < 0.6 and not cancels  # of what cancels, only rounding is left
        sums: dict[str, Any] = {"operation": operation, "coefficients": weights if keeps else []}
        self.add(ElementWiseLayer(name=f"joined{k}", bottoms=summed, **sums), shape)
