"""Products with a weight matrix: InnerProductLayer, TiedInnerProductLayer, and EmbeddingLayer, which picks rows of one.

InnerProductLayer has a bias, a neuron, and the parameters `weight` (output_dim, features) and `bias` (output_dim,).
TiedInnerProductLayer is the decoder of an auto-encoder: its weight is that of the encoder, transposed, and its only
parameter is `bias`. EmbeddingLayer has a learnt vector for every number of a vocabulary: `weight` (vocabulary,
output_dim) and optionally `bias` (output_dim,).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import boolean, integer, or_none, real, text
from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import Paired, Parametric, features, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import ENCODER, LOSS, PARAMETER, Blob, Example, breaks, fits
from mochac.nets.layers.fields import axis, bias_blob, parameter_blob
from mochac.nets.layers.initializers import (
    ConstantInitializer,
    GaussianInitializer,
    Initializer,
    XavierInitializer,
    initializer,
)
from mochac.nets.layers.neurons import Identity, Neuron, Sigmoid, neuron
from mochac.nets.layers.regularizers import Constraint, L2Regu, NoCons, NoRegu, Regularizer, constraint, regularizer
from mochac.nets.layers.scale import spread


@layer
class InnerProductLayer(Paired, Parametric):
    """y = x W^T + b, where x are the features from `axis` on, flattened.

    Args:
        output_dim: number of outputs, >= 1.
        axis: first axis of the features, 1 by default: all features of a sample; not the batch. The axes in front of it
            are kept, and every position along them is a row of one product: -1 applies the weight to the last axis.
        weight_init, bias_init, weight_regu, bias_regu, weight_cons, bias_cons, weight_lr, bias_lr: settings of the two
            parameters; the lr are factors of the learning rate, >= 0.
        neuron: activation of the tops.
        weight, bias: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own;
            bias=False: there is no bias.

    Shapes: (batch, ...) -> (batch, output_dim); (batch, time, features) -> (batch, time, output_dim) with axis=-1.
    Several bottoms must have the same number of features, and share the parameters. Source: Mocha.jl
    src/layers/inner-product.jl; `axis` is Caffe's.

    >>> InnerProductLayer(name="ip1", output_dim=10, bottoms=["data"]).tops
    ('ip1',)
    """

    blob_fields: ClassVar[tuple[str, ...]] = ("weight", "bias")
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), output_dim=3),
        fits((2, 1, 3), output_dim=2, neuron=Sigmoid()),
        fits((4,), (2, 2), output_dim=2, tops=["left", "right"]),
        fits((5,), output_dim=2, near=PARAMETER, weight="W"),
        fits((2, 3), output_dim=4, axis=-1, neuron=Sigmoid()),
        fits((4,), output_dim=3, bias=False, neuron=Sigmoid()),
        fits((2, 2, 3), (3, 2, 3), output_dim=2, axis=3, tops=["left", "right"]),
        breaks("bottoms differ in features", (4,), (3,), output_dim=2, tops=["left", "right"]),
        breaks("no samples", LOSS, output_dim=2),
        breaks("axis 2 is not an axis", (4,), output_dim=2, axis=2),
        breaks("weight 'W' has another shape", (4,), output_dim=2, near=PARAMETER, weight="W"),
        breaks("weight 'b1' holds samples", (4,), (4,), bottoms=["b0"], output_dim=2, weight="b1"),
    )

    output_dim: int = option(integer(1))
    axis: int = option(axis(), default=1)
    weight_init: Initializer = option(initializer(), default=XavierInitializer())
    bias_init: Initializer = option(initializer(), default=ConstantInitializer(0.0))
    weight_regu: Regularizer = option(regularizer(), default=L2Regu(1.0))
    bias_regu: Regularizer = option(regularizer(), default=NoRegu())
    weight_cons: Constraint = option(constraint(), default=NoCons())
    bias_cons: Constraint = option(constraint(), default=NoCons())
    weight_lr: float = option(real(0), default=1.0)
    bias_lr: float = option(real(0), default=2.0)
    neuron: Neuron = option(neuron(), default=Identity())
    weight: str = option(parameter_blob(), default="")
    bias: str | bool = option(bias_blob(), default="")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        rows = [flat(ctx, x, self.axis) for x in bottoms]
        width = rows[0].type.shape[1]
        for x in rows:
            if x.type.shape[1] != width:
                raise OpTypeError("bottoms differ in features", str(width), str(x.type.shape[1]))
        parameters = [self.parameter(ctx, "weight", (self.output_dim, width))]
        if self.bias is not False:
            parameters.append(self.parameter(ctx, "bias", (self.output_dim,), decays=False))
        outputs = [self.neuron(ctx, ctx.op("inner_product", x, *parameters)) for x in rows]
        return [_restored(ctx, y, x, self.axis) for x, y in zip(bottoms, outputs, strict=True)]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        """MatMul, which acts on the last axis as InnerProductLayer(axis=-1) does; Gemm is written by its operation."""
        if any(len(x.type.shape) < 3 or self.axis % len(x.type.shape) != len(x.type.shape) - 1 for x in bottoms):
            return None
        if self.weight or self.bias:
            return None  # blobs
        weight = w.node("Transpose", w.parameter("weight"), perm=[1, 0])
        outputs = [w.node("MatMul", x.name, weight) for x in bottoms]
        return outputs if self.bias is False else [w.formula("Add({0}, {1})", y, w.parameter("bias")) for y in outputs]


def flat(ctx: TraceContext, x: Value, axis: int = 1) -> Value:
    """The features of `x` from `axis` on as rows, one for every position along the axes in front of it."""
    kept = _kept(ctx, x, axis)
    shape = (math.prod(kept), features(x) * x.type.shape[0] // math.prod(kept))
    return x if x.type.shape == shape else ctx.op("reshape", x, shape=shape)


def _kept(ctx: TraceContext, x: Value, axis: int) -> tuple[int, ...]:
    """Extents of the axes of `x` in front of `axis`."""
    return x.type.shape[: 1 if axis == 1 else ctx.axis(axis, x)]


def _restored(ctx: TraceContext, rows: Value, x: Value, axis: int) -> Value:
    """Rows of outputs with the axes of `x` restored that `flat` made rows of."""
    kept = _kept(ctx, x, axis)
    batch = {"batch": True} if x.type.batch else {}
    return rows if len(kept) == 1 else ctx.op("reshape", rows, shape=(*kept, rows.type.shape[1]), **batch)


@layer
class TiedInnerProductLayer(Paired, Parametric):
    """y = x W + b with the weight W (hidden, features) of the InnerProductLayer with key `tied_param_key`.

    Args:
        tied_param_key: param_key of the encoder (by default its name), which is in the same net.
        tie_gradient: add the gradient of this use to W. False, as in Mocha: W is trained only by its use in the
            encoder.
        bias_init, bias_regu, bias_cons, bias_lr: settings of the bias (features,).
        neuron: activation of the tops.

    Shapes: (batch, ...) with `hidden` features -> (batch, features). Several bottoms share the parameters.
    Source: Mocha.jl src/layers/tied-inner-product.jl.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), near=ENCODER, bottoms=["code"], tied_param_key="encoder"),
        fits((4,), near=ENCODER, bottoms=["code"], tied_param_key="encoder", tie_gradient=True, neuron=Sigmoid()),
        breaks("does not fit the weight of 'encoder'", (4,), near=ENCODER, bottoms=["b0"], tied_param_key="encoder"),
        breaks("no layer of this net has parameters under the key 'encode'", (4,), tied_param_key="encode"),
        breaks("no layer of this net has parameters under the key 'tested'", (4,), tied_param_key="tested"),
        breaks("no samples", (4,), LOSS, near=ENCODER, bottoms=["b1"], tied_param_key="encoder"),
    )

    tied_param_key: str = option(text())
    tie_gradient: bool = option(boolean(), default=False)
    bias_init: Initializer = option(
        initializer(ConstantInitializer(0.0), "ConstantInitializer(0)"), default=ConstantInitializer(0.0)
    )
    bias_regu: Regularizer = option(regularizer(), default=NoRegu())
    bias_cons: Constraint = option(constraint(), default=NoCons())
    bias_lr: float = option(real(0), default=2.0)
    neuron: Neuron = option(neuron(), default=Identity())

    @property
    def borrowed_keys(self) -> tuple[str, ...]:
        """The key of the encoder."""
        return (self.tied_param_key,)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        w = ctx.borrowed(self.tied_param_key, "weight")
        hidden, width = w.type.shape
        weight = w if self.tie_gradient else ctx.op("stop_gradient", w)
        bias = self.parameter(ctx, "bias", (width,), decays=False)
        return [self._decoded(ctx, flat(ctx, x), weight, bias, hidden) for x in bottoms]

    def _decoded(self, ctx: TraceContext, x: Value, w: Value, b: Value, hidden: int) -> Value:
        if x.type.shape[1] != hidden:
            raise OpTypeError(
                f"does not fit the weight of {self.tied_param_key!r}", f"{hidden} features", str(x.type.shape[1])
            )
        y = ctx.op("inner_product_dx", x, w)
        spread = ctx.op("broadcast", b, shape=y.type.shape, axes=(1,), batch=y.type.batch)
        return self.neuron(ctx, ctx.op("add", y, spread))


NORMAL_INIT = initializer(GaussianInitializer(std=1.0), "GaussianInitializer(std=1)")
EXACT = {"f32": 2**24, "f64": 2**53}
"""Up to this number, all whole numbers are exact."""


@layer
class EmbeddingLayer(Parametric):
    """Row ids[n] of `weight`, for every id.

    Args:
        vocabulary: number of ids, which are 0 .. vocabulary - 1. Other ids are a DataError in data; if the net
            computes them, their vectors are NaN.
        output_dim: length of the vectors, >= 1.
        weight_init, bias_init, weight_regu, bias_regu, weight_cons, bias_cons, weight_lr, bias_lr: settings of the
            parameters; the last two are factors of the learning rate, >= 0.
        weight, bias: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own;
            bias=True: a bias of its own, added to every vector, as in Caffe's Embed.
        padding_id: an id whose row gets no gradient from this layer, such as that of positions behind the end of a
            text; negative numbers count from the end of the vocabulary. Its vector is what the row holds: set it to
            zeros if it is to be zeros. None: all rows are trained.

    Shapes: ids (batch,) or (batch, 1), integers or whole floats -> (batch, output_dim); (batch, time) -> (batch, time,
    output_dim). The ids may be a blob without samples, such as a ParameterLayer's constants. The gradient of a row is
    the sum over the places of its id; SGD without momentum touches only the rows of a batch. Source: PyTorch's
    Embedding; Caffe's Embed.

    >>> EmbeddingLayer(name="words", vocabulary=1000, output_dim=16, bottoms=["ids"]).tops
    ('words',)
    """

    blob_fields: ClassVar[tuple[str, ...]] = ("weight", "bias")
    of_sequences: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits(Blob((1,), classes=5), vocabulary=5, output_dim=3),
        fits(Blob((4,), classes=3), vocabulary=3, output_dim=2, weight_init=GaussianInitializer(std=0.1)),
        fits(Blob((3,), classes=4), vocabulary=4, output_dim=3, bias=True, bias_init=ConstantInitializer(0.5)),
        fits(Blob((6,), classes=2), near=PARAMETER, vocabulary=2, output_dim=5, weight="W"),
        fits(Blob((6,), classes=5), vocabulary=5, output_dim=2, padding_id=-2),
        breaks("there is no such padding_id", Blob((1,), classes=3), vocabulary=3, output_dim=2, padding_id=3),
        breaks("ids are one number per sample or position", Blob((4, 2), classes=3), vocabulary=3, output_dim=2),
        breaks("ids are one number per sample or position", LOSS, vocabulary=3, output_dim=2),
        breaks("more ids than float32 has whole numbers", Blob((1,), classes=3), vocabulary=2**24 + 1, output_dim=1),
        breaks("another shape", Blob((1,), classes=3), near=PARAMETER, vocabulary=3, output_dim=5, weight="W"),
    )

    vocabulary: int = option(integer(1))
    output_dim: int = option(integer(1))
    weight_init: Initializer = option(NORMAL_INIT, default=GaussianInitializer(std=1.0))
    bias_init: Initializer = option(NORMAL_INIT, default=ConstantInitializer(0.0))
    weight_regu: Regularizer = option(regularizer(), default=NoRegu())
    bias_regu: Regularizer = option(regularizer(), default=NoRegu())
    weight_cons: Constraint = option(constraint(), default=NoCons())
    bias_cons: Constraint = option(constraint(), default=NoCons())
    weight_lr: float = option(real(0), default=1.0)
    bias_lr: float = option(real(0), default=1.0)
    weight: str = option(parameter_blob(), default="")
    bias: str | bool = option(bias_blob(), default=False)
    padding_id: int | None = option(or_none(integer()), default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        n = self.vocabulary
        if self.padding_id is not None and not -n <= self.padding_id < n:
            raise self.error("there is no such padding_id", expected=f"-{n} to {n - 1}", got=str(self.padding_id))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (ids,) = bottoms
        shape = ids.type.shape
        if not 1 <= len(shape) <= 2:
            rule = "ids are one number per sample or position"
            raise OpTypeError(rule, "(batch,), (batch, 1) or (batch, time)", str(shape))
        if self.vocabulary > EXACT[ctx.dtype]:
            hint = "compile(net, dtype='float64')"
            rule = "more ids than float32 has whole numbers"
            raise OpTypeError(rule, f"vocabulary <= {EXACT[ctx.dtype]:,}", f"{self.vocabulary:,}", hint)
        ctx.label(ids, self.vocabulary, what="id")
        flat = ctx.op("reshape", ids, shape=shape[:1]) if shape[1:] == (1,) else ids
        vectors = ctx.op("gather", self.parameter(ctx, "weight", (self.vocabulary, self.output_dim)), flat)
        if self.padding_id is not None and ctx.training:
            vectors = self._without_padding(ctx, vectors, flat)
        if self.bias is False:
            return [vectors]
        bias = self.parameter(ctx, "bias", (self.output_dim,), decays=False)
        return [ctx.op("add", vectors, spread(ctx, bias, vectors, len(vectors.type.shape) - 1))]

    def _without_padding(self, ctx: TraceContext, vectors: Value, ids: Value) -> Value:
        """The vectors, of which those of the padding pass no gradient on."""
        assert self.padding_id is not None
        shape, axes = vectors.type.shape, tuple(range(len(ids.type.shape)))
        own = ctx.op("ne", ids, ctx.constant(self.padding_id % self.vocabulary, ids))
        own = ctx.op("broadcast", own, shape=shape, axes=axes, batch=vectors.type.batch)
        return ctx.op("select", own, vectors, ctx.op("stop_gradient", vectors))
