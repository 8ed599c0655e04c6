"""AttentionLayer: scaled dot-product attention, with heads and masks. It has no parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._attention import MASK, Attending
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, TWICE, Blob, Example, Near, breaks, fits
from mochac.nets.layers.rotary import Rotary

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
