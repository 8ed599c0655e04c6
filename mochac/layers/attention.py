"""AttentionLayer: scaled dot-product attention, with heads and masks. It has no parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.layers._attention import Masking, attended, heads_of
from mochac.layers._named import of_samples
from mochac.layers.base import Layer, layer
from mochac.layers.blob_fields import sample_blob
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, PARAMETER, TWICE, Blob, Example, breaks, fits
from mochac.layers.fields import boolean, integer, option, real

MASK = Blob((4,), 0, 1, classes=2)
"""A blob that shows or hides each of four positions."""


@layer
class AttentionLayer(Layer):
    """softmax(q k^T / sqrt(features / heads)) v, for each head, a part of the features.

    Args:
        heads: number of heads, >= 1; it divides the features.
        causal: a position attends only to itself and those before it.
        mask: name of a blob (batch, time of k): above 0 where a position of k may be attended to; "" for none. A query
            that may attend to nothing attends to all positions alike.
        dropout: probability with which a weight is 0 in training, the others being scaled up; 0 <= dropout < 1.

    Shapes: bottoms = [q (batch, time, features), k (batch, other, features), v (batch, other, width)] -> (batch, time,
    width); or one bottom (batch, time, 3 * features) with q, k, v in this order -> (batch, time, features).
    Source: Vaswani et al., Attention Is All You Need, 2017; PyTorch's scaled_dot_product_attention.

    >>> AttentionLayer(name="attend", bottoms=["q", "k", "v"], heads=4, causal=True).tops
    ('attend',)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, 3)
    blob_fields: ClassVar[tuple[str, ...]] = ("mask",)
    of_sequences: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4, 6)),
        fits((4, 12), heads=2, causal=True),
        fits((3, 4), (5, 4), (5, 6), heads=2),
        fits((2, 2), (4, 2), (4, 2), MASK, bottoms=["b0", "b1", "b2"], mask="b3"),
        fits((4, 6), MASK, bottoms=["b0"], mask="b1", causal=True),
        breaks("the heads do not divide the features of queries, keys and values", (4, 9), heads=2),
        breaks("one bottom holds queries, keys and values", (4, 8), heads=2),
        breaks("the heads do not divide the features of a bottom", (4, 3), (4, 3), (4, 3), heads=2),
        breaks("a bottom is not a sequence", (6,)),
        breaks("keys and queries differ in features", (3, 4), (3, 2), (3, 4)),
        breaks("keys and values differ in time", (3, 4), (3, 4), (2, 4)),
        breaks("the mask must be one number per key", (3, 6), MASK, bottoms=["b0"], mask="b1"),
        breaks("names a blob without samples", (3, 6), near=PARAMETER, bottoms=["b0"], mask="W"),
        breaks(
            "queries, keys and values differ in their number of samples",
            (3, 4),
            near=TWICE,
            bottoms=["b0", "twice", "b0"],
        ),
        breaks("a bottom is not a sequence", LOSS),
    )

    heads: int = option(integer(1), default=1)
    causal: bool = option(boolean(), default=False)
    mask: str = option(sample_blob(), default="")
    dropout: float = option(real(0, below=1), default=0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.bottoms) == 2:
            raise self.error("needs one bottom, or queries, keys and values", expected="1 or 3 bottoms", got="2")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        mask = of_samples(ctx, "mask") if self.mask else None
        return [attended(ctx, *heads_of(ctx, bottoms, self.heads), Masking(self.causal, mask, self.dropout))]
