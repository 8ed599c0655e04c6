"""EmbeddingLayer: a learnt vector for every number of a vocabulary.

The parameters are `weight` (vocabulary, output_dim) and, if there is one, `bias` (output_dim,).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import integer, or_none, real
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import Parametric, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Blob, Example, breaks, fits
from mochac.nets.layers.field_kinds import bias_blob, parameter_blob
from mochac.nets.layers.fields import instance
from mochac.nets.layers.initializers import ConstantInitializer, GaussianInitializer, Initializer
from mochac.nets.layers.regularizers import Constraint, L2Regu, NoCons, NoRegu, Regularizer, constraint
from mochac.nets.layers.scale import spread

INIT = instance(Initializer, "an initializer such as GaussianInitializer(std=1)", GaussianInitializer(std=1.0))
REGU = instance(Regularizer, "a regularizer such as L2Regu(1)", L2Regu(1))
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
    weight_init: Initializer = option(INIT, default=GaussianInitializer(std=1.0))
    bias_init: Initializer = option(INIT, default=ConstantInitializer(0.0))
    weight_regu: Regularizer = option(REGU, default=NoRegu())
    bias_regu: Regularizer = option(REGU, default=NoRegu())
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
        settings = self.weight_init, self.weight_regu, self.weight_lr, self.weight_cons
        vectors = ctx.op("gather", ctx.param("weight", (self.vocabulary, self.output_dim), *settings), flat)
        if self.padding_id is not None and ctx.training:
            vectors = self._without_padding(ctx, vectors, flat)
        if self.bias is False:
            return [vectors]
        settings = self.bias_init, self.bias_regu, self.bias_lr, self.bias_cons
        bias = ctx.param("bias", (self.output_dim,), *settings, decays=False)
        return [ctx.op("add", vectors, spread(ctx, bias, vectors, len(vectors.type.shape) - 1))]

    def _without_padding(self, ctx: TraceContext, vectors: Value, ids: Value) -> Value:
        """The vectors, of which those of the padding pass no gradient on."""
        assert self.padding_id is not None
        shape, axes = vectors.type.shape, tuple(range(len(ids.type.shape)))
        own = ctx.op("ne", ids, ctx.constant(self.padding_id % self.vocabulary, ids))
        own = ctx.op("broadcast", own, shape=shape, axes=axes, batch=vectors.type.batch)
        return ctx.op("select", own, vectors, ctx.op("stop_gradient", vectors))
