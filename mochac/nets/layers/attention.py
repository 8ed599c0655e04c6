"""AttentionLayer on queries, keys and values, and MultiHeadAttentionLayer, which makes them by linear maps.

MultiHeadAttentionLayer ends in a linear map, too. Its parameters are `weight_in` (3 features, features), `bias_in` (3
features,), `weight_out` (features, features) and `bias_out` (features,): those that PyTorch calls in_proj and out_proj.
With fewer heads of keys and values than of queries, `weight_in` has (1 + 2 kv_heads / heads) features rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import boolean, integer, or_none, real
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._attention import MASK, Attending, Rotary, require_heads, require_sequences
from mochac.nets.layers.base import Parametric, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, TWICE, Blob, Example, Near, breaks, fits
from mochac.nets.layers.initializers import ConstantInitializer, Initializer, XavierInitializer, initializer
from mochac.nets.layers.regularizers import L2Regu, NoRegu, Regularizer, regularizer

FIVE_BY_FIVE: Near = (("Parameter", {"name": "W", "shape": (5, 5)}),)
"""Numbers for pairs of positions, for examples."""
PER_HEAD: Near = (("Parameter", {"name": "W", "shape": (4, 1, 3)}),)
"""Numbers for the keys of each head."""
PAIRS = Blob((1, 2, 3), 0, 1, classes=2)
"""Which pairs of positions are shown, for each sample."""


@layer
class AttentionLayer(Attending):
    """softmax(q k^T / sqrt(features / heads)) v, for each head, a part of the features.

    Args:
        heads: number of heads of q, >= 1; it divides the features.
        kv_heads: number of heads of k and v, a divisor of `heads`; None: as many as `heads`. Each serves
            heads / kv_heads neighbouring heads of q (grouped-query attention; multi-query attention with 1).
        causal: a position attends only to itself and those before it.
        window: a position attends only to those less than `window` positions away; None: to all. With causal=True,
            these are itself and the window - 1 before it (sliding-window attention).
        mask: name of a blob: above 0 where a position of k may be attended to; "" for none. Its shape is (batch, time
            of k), (batch, time of q, time of k) or (batch, heads, time of q, time of k), with 1 for extents that do not
            matter, or without the batch, such as a ParameterLayer's (time of q, time of k). A query that may attend to
            nothing attends to all positions alike.
        rotary: Rotary(), positions by which q and k are turned; None: no positions.
        past: names of two blobs, the keys and values of earlier positions (batch, earlier, features), as second and
            third top of earlier calls; q attends to these, too, and the first position of q comes after them.
        lengths: name of a blob (batch,), how many positions of the past count; "" for all.
        dropout: probability with which a weight is 0 in training, the others being scaled up; 0 <= dropout < 1.
        scale: by what q k^T is multiplied; None: 1 / sqrt(features of a head).
        score_bias: name of a blob that is added to the scores before softmax, with a shape as for `mask`; "" for none.
            Gradients reach it, so that it may be learnt: relative positions of Swin, BEiT and T5.

    Shapes: bottoms = [q (batch, time, features), k (batch, other, features), v (batch, other, width)] -> (batch, time,
    width); or one bottom (batch, time, 3 * features) with q, k, v in this order -> (batch, time, features). With
    kv_heads, k and v have kv_heads / heads times the features. Three tops are the result, the keys as they are after
    `rotary`, and the values. Source: Vaswani et al., Attention Is All You Need, 2017;
    Ainslie et al., GQA, 2023; PyTorch's scaled_dot_product_attention.

    >>> AttentionLayer(name="attend", bottoms=["q", "k", "v"], heads=4, causal=True).tops
    ('attend',)
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((4, 6)),
        fits((4, 12), heads=2, causal=True),
        fits((3, 4), (5, 4), (5, 6), heads=2),
        fits((2, 2), (4, 2), (4, 2), MASK, bottoms=["b0", "b1", "b2"], mask="b3"),
        fits((4, 6), MASK, bottoms=["b0"], mask="b1", causal=True),
        fits((3, 16), heads=4, kv_heads=2, causal=True, rotary=Rotary()),
        fits((5, 6), window=2),
        fits((5, 6), near=FIVE_BY_FIVE, bottoms=["b0"], score_bias="W", scale=0.3, causal=True),
        fits((3, 16), near=PER_HEAD, bottoms=["b0"], heads=4, kv_heads=2, score_bias="W"),
        fits((5, 6), near=FIVE_BY_FIVE, bottoms=["b0"], heads=2, mask="W"),
        fits((2, 4), (3, 4), (3, 4), (2, 2, 3), bottoms=["b0", "b1", "b2"], heads=2, score_bias="b3"),
        fits((2, 4), (3, 4), (3, 4), PAIRS, bottoms=["b0", "b1", "b2"], heads=2, mask="b3"),
        fits((5, 8), bottoms=["b0"], heads=2, kv_heads=1, window=3, causal=True, tops=["y", "k", "v"]),
        fits((3, 8), (4, 2), (4, 3), MASK, bottoms=["b0", "b1", "b2"], heads=4, kv_heads=1, mask="b3"),
        fits((3, 10), (3, 10), (3, 4), heads=2, rotary=Rotary(base=100.0, interleaved=True, width=4)),
        fits((2, 4), (3, 4), (3, 4), bottoms=["b0", "b0", "b0"], past=["b1", "b2"], causal=True, tops=["y", "k", "v"]),
        fits(
            *((2, 8), (2, 4), (2, 4), (3, 4), (3, 4), Blob((), 0, 3, classes=4)),
            bottoms=["b0", "b1", "b2"],
            past=["b3", "b4"],
            lengths="b5",
            heads=4,
            kv_heads=2,
            causal=True,
            rotary=Rotary(),
        ),
        breaks("past keys do not fit", (2, 6), (3, 4), (3, 2), bottoms=["b0"], past=["b1", "b2"]),
        breaks("past values do not fit", (2, 6), (3, 2), (4, 2), bottoms=["b0"], past=["b1", "b2"]),
        breaks("lengths says how many positions of the past count", (2, 6), (), bottoms=["b0"], lengths="b1"),
        breaks(
            "lengths are one number per sample",
            *((2, 6), (3, 2), (3, 2), (3, 2)),
            bottoms=["b0"],
            past=["b1", "b2"],
            lengths="b3",
        ),
        breaks("the heads do not divide the features of queries, keys and values", (4, 9), heads=2),
        breaks("one bottom holds queries, keys and values", (4, 12), heads=4, kv_heads=2),
        breaks("keys and queries differ in features", (3, 8), (3, 8), (3, 4), heads=4, kv_heads=2),
        breaks("rotary positions turn pairs of features", (3, 9), rotary=Rotary()),
        breaks("more features turn than a head has", (3, 6), rotary=Rotary(width=4)),
        breaks("one bottom holds queries, keys and values", (4, 8), heads=2),
        breaks("the heads do not divide the features of a bottom", (4, 3), (4, 3), (4, 3), heads=2),
        breaks("a bottom is not a sequence", (6,)),
        breaks("keys and queries differ in features", (3, 4), (3, 2), (3, 4)),
        breaks("keys and values differ in time", (3, 4), (3, 4), (2, 4)),
        breaks("mask does not fit the scores", (3, 6), MASK, bottoms=["b0"], mask="b1"),
        breaks("mask does not fit the scores", (3, 6), near=PARAMETER, bottoms=["b0"], mask="W"),
        breaks("score_bias does not fit the scores", (3, 6), (2, 3, 3), bottoms=["b0"], score_bias="b1"),
        breaks(
            "lengths names a blob without samples",
            *((2, 6), (3, 2), (3, 2)),
            near=PARAMETER,
            bottoms=["b0"],
            past=["b1", "b2"],
            lengths="W",
        ),
        breaks(
            "queries, keys and values differ in their number of samples",
            (3, 4),
            near=TWICE,
            bottoms=["b0", "twice", "b0"],
        ),
        breaks("a bottom is not a sequence", LOSS),
    )

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return self.attention(ctx, bottoms)


@layer
class MultiHeadAttentionLayer(Attending, Parametric):
    """attention(q W_q^T + b_q, k W_k^T + b_k, v W_v^T + b_v) W_out^T + b_out, by head.

    Args:
        heads: number of heads of queries, >= 1; it divides the features.
        kv_heads: number of heads of keys and values, a divisor of `heads`; None: as many as `heads`. Each serves
            heads / kv_heads neighbouring heads of queries (grouped-query attention; multi-query attention with 1).
        causal: a position attends only to itself and those before it.
        window: a position attends only to those less than `window` positions away; None: to all. With causal=True,
            these are itself and the window - 1 before it (sliding-window attention).
        mask: name of a blob: above 0 where a position of k may be attended to; "" for none. Its shape is (batch, time
            of k), (batch, time of q, time of k) or (batch, heads, time of q, time of k), with 1 for extents that do not
            matter, or without the batch, such as a ParameterLayer's (time of q, time of k).
        rotary: Rotary(), positions by which queries and keys are turned; None: no positions.
        past: names of two blobs, the keys and values of earlier positions (batch, earlier, features), as second and
            third top of earlier calls; queries attend to these, too, and their first position comes after them.
        lengths: name of a blob (batch,), how many positions of the past count; "" for all.
        dropout: probability with which a weight of the attention is 0 in training; 0 <= dropout < 1.
        scale: by what q k^T is multiplied; None: 1 / sqrt(features of a head).
        score_bias: name of a blob that is added to the scores before softmax, with a shape as for `mask`; "" for none.
            Gradients reach it, so that it may be learnt: relative positions of Swin, BEiT and T5.
        bias: whether there are biases.
        weight_init, bias_init, weight_regu, bias_regu, weight_lr, bias_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
        weight_out_init, bias_out_init, weight_out_regu, bias_out_regu, weight_out_lr, bias_out_lr: those of weight_out
            and bias_out; None: the others.

    W_q, W_k, W_v are the three parts of `weight_in`, in this order. Shapes: bottoms = [x] for self-attention, or
    [q, k, v], all (batch, time, features) with one time for k and v -> (batch, time of q, features). Three tops are
    the result, the keys as they are after `rotary`, and the values.
    Source: Vaswani et al., Attention Is All You Need, 2017; Ainslie et al., GQA, 2023; PyTorch's MultiheadAttention
    with batch_first.

    >>> MultiHeadAttentionLayer(name="attend", bottoms=["x"], heads=4, causal=True).tops
    ('attend',)
    """

    torch_names: ClassVar[Mapping[str, str]] = {
        "weight_in": "in_proj_weight",
        "bias_in": "in_proj_bias",
        "weight_out": "out_proj.weight",
        "bias_out": "out_proj.bias",
    }
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3, 4), heads=2),
        fits((4, 2), MASK, bottoms=["b0"], heads=1, mask="b1", causal=True),
        fits((2, 4), (3, 4), (3, 4), heads=2),
        fits((3, 8), heads=4, kv_heads=2, causal=True, rotary=Rotary(), bias=False),
        fits((2, 4), (3, 4), (3, 4), heads=2, kv_heads=1),
        breaks("the heads do not divide the features of a bottom", (4, 3), heads=2),
        fits((2, 4), (3, 2), (3, 2), bottoms=["b0"], heads=2, kv_heads=1, past=["b1", "b2"], tops=["y", "k", "v"]),
        breaks("rotary positions turn pairs of features", (4, 6), heads=2, rotary=Rotary()),
        breaks("a bottom is not a sequence", (6,), heads=2),
        breaks("queries, keys and values differ in features", (3, 4), (3, 4), (3, 2), heads=2),
        breaks("mask does not fit the scores", (3, 6), MASK, bottoms=["b0"], mask="b1", heads=2),
        breaks("a bottom is not a sequence", LOSS, heads=1),
    )

    heads: int = option(integer(1))
    bias: bool = option(boolean(), default=True)
    weight_init: Initializer = option(initializer(), default=XavierInitializer())
    bias_init: Initializer = option(initializer(), default=ConstantInitializer(0.0))
    weight_regu: Regularizer = option(regularizer(), default=L2Regu(1.0))
    bias_regu: Regularizer = option(regularizer(), default=NoRegu())
    weight_lr: float = option(real(0), default=1.0)
    bias_lr: float = option(real(0), default=1.0)
    weight_out_init: Initializer | None = option(or_none(initializer()), default=None)
    bias_out_init: Initializer | None = option(or_none(initializer()), default=None)
    weight_out_regu: Regularizer | None = option(or_none(regularizer()), default=None)
    bias_out_regu: Regularizer | None = option(or_none(regularizer()), default=None)
    weight_out_lr: float | None = option(or_none(real(0)), default=None)
    bias_out_lr: float | None = option(or_none(real(0)), default=None)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        require_sequences(bottoms)
        width = bottoms[0].type.shape[2]
        if other := [x.type.shape[2] for x in bottoms if x.type.shape[2] != width]:
            raise OpTypeError("queries, keys and values differ in features", str(width), str(other[0]))
        require_heads(self.heads, width)
        own, shared = width, width // self.heads * self.number.keys
        linear = self._parameters(ctx, "in", own + 2 * shared, width)
        if len(bottoms) == 1:
            parts = [_mapped(ctx, bottoms[0], linear)]
        else:
            rows = (0, own), (own, shared), (own + shared, shared)
            parts = [_mapped(ctx, x, _rows(ctx, linear, *r)) for x, r in zip(bottoms, rows, strict=True)]
        y, *own = self.attention(ctx, parts)
        return [_mapped(ctx, y, self._parameters(ctx, "out", width, width)), *own]

    def _parameters(self, ctx: TraceContext, which: str, out: int, width: int) -> tuple[Value, ...]:
        """A weight and, if there is one, a bias."""
        weight = self.parameter(ctx, f"weight_{which}", (out, width))
        return (weight, self.parameter(ctx, f"bias_{which}", (out,), decays=False)) if self.bias else (weight,)


def _rows(ctx: TraceContext, linear: tuple[Value, ...], start: int, size: int) -> tuple[Value, ...]:
    """Some rows of a weight, and of a bias."""
    starts = [(start, *(0 for _ in p.type.shape[1:])) for p in linear]
    shapes = [(size, *p.type.shape[1:]) for p in linear]
    return tuple(ctx.op("slice", p, start=s, shape=d) for p, s, d in zip(linear, starts, shapes, strict=True))


def _mapped(ctx: TraceContext, x: Value, linear: tuple[Value, ...]) -> Value:
    """x W^T + b for every position."""
    batch, time, width = x.type.shape
    rows = ctx.op("reshape", x, shape=(batch * time, width))
    y = ctx.op("inner_product", rows, *linear)
    return ctx.op("reshape", y, shape=(batch, time, y.type.shape[1]), batch=x.type.batch)
