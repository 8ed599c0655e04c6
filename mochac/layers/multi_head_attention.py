"""MultiHeadAttentionLayer: attention between linear maps of its bottoms, with a linear map of the result.

The parameters are `weight_in` (3 features, features), `bias_in` (3 features,), `weight_out` (features, features) and
`bias_out` (features,): those that PyTorch calls in_proj and out_proj.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers._attention import Masking, attended, heads_of, require_heads
from mochac.layers._named import of_samples
from mochac.layers.attention import MASK
from mochac.layers.base import Parametric, layer
from mochac.layers.blob_fields import sample_blob
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, Example, breaks, fits
from mochac.layers.fields import boolean, instance, integer, option, real
from mochac.layers.initializers import ConstantInitializer, Initializer, XavierInitializer
from mochac.layers.regularizers import L2Regu, NoRegu, Regularizer

INIT = instance(Initializer, "an initializer such as XavierInitializer()", XavierInitializer())
REGU = instance(Regularizer, "a regularizer such as L2Regu(1)", L2Regu(1))


@layer
class MultiHeadAttentionLayer(Parametric):
    """attention(q W_q^T + b_q, k W_k^T + b_k, v W_v^T + b_v) W_out^T + b_out, by head.

    Args:
        heads: number of heads, >= 1; it divides the features.
        causal: a position attends only to itself and those before it.
        mask: name of a blob (batch, time of k): above 0 where a position of k may be attended to; "" for none.
        dropout: probability with which a weight of the attention is 0 in training; 0 <= dropout < 1.
        weight_init, bias_init, weight_regu, bias_regu, weight_lr, bias_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.

    W_q, W_k, W_v are the three parts of `weight_in`. Shapes: bottoms = [x] for self-attention, or [q, k, v], all
    (batch, time, features) with one time for k and v -> (batch, time of q, features).
    Source: Vaswani et al., Attention Is All You Need, 2017; PyTorch's MultiheadAttention with batch_first.

    >>> MultiHeadAttentionLayer(name="attend", bottoms=["x"], heads=4, causal=True).tops
    ('attend',)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, 3)
    blob_fields: ClassVar[tuple[str, ...]] = ("mask",)
    of_sequences: ClassVar[bool] = True
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
        breaks("the heads do not divide the features of a bottom", (4, 3), heads=2),
        breaks("a bottom is not a sequence", (6,), heads=2),
        breaks("queries, keys and values differ in features", (3, 4), (3, 4), (3, 2), heads=2),
        breaks("the mask must be one number per key", (3, 6), MASK, bottoms=["b0"], mask="b1", heads=2),
        breaks("a bottom is not a sequence", LOSS, heads=1),
    )

    heads: int = option(integer(1))
    causal: bool = option(boolean(), default=False)
    mask: str = option(sample_blob(), default="")
    dropout: float = option(real(0, below=1), default=0.0)
    weight_init: Initializer = option(INIT, default=XavierInitializer())
    bias_init: Initializer = option(INIT, default=ConstantInitializer(0.0))
    weight_regu: Regularizer = option(REGU, default=L2Regu(1.0))
    bias_regu: Regularizer = option(REGU, default=NoRegu())
    weight_lr: float = option(real(0), default=1.0)
    bias_lr: float = option(real(0), default=1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.bottoms) == 2:
            raise self.error("needs one bottom, or queries, keys and values", expected="1 or 3 bottoms", got="2")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        for x in bottoms:
            if len(x.type.shape) != 3:
                raise OpTypeError("a bottom is not a sequence", "(batch, time, features)", str(x.type.shape))
        width = bottoms[0].type.shape[2]
        if other := [x.type.shape[2] for x in bottoms if x.type.shape[2] != width]:
            raise OpTypeError("queries, keys and values differ in features", str(width), str(other[0]))
        require_heads(self.heads, width)
        weight, bias = self._parameters(ctx, "in", 3 * width, width)
        if len(bottoms) == 1:
            parts = [_mapped(ctx, bottoms[0], weight, bias)]
        else:
            thirds = [(_third(ctx, weight, k), _third(ctx, bias, k)) for k in range(3)]
            parts = [_mapped(ctx, x, *third) for x, third in zip(bottoms, thirds, strict=True)]
        mask = of_samples(ctx, "mask") if self.mask else None
        y = attended(ctx, *heads_of(ctx, tuple(parts), self.heads), Masking(self.causal, mask, self.dropout))
        return [_mapped(ctx, y, *self._parameters(ctx, "out", width, width))]

    def _parameters(self, ctx: TraceContext, which: str, out: int, width: int) -> tuple[Value, Value]:
        """A weight and a bias."""
        weight = ctx.param(f"weight_{which}", (out, width), self.weight_init, self.weight_regu, self.weight_lr)
        bias = ctx.param(f"bias_{which}", (out,), self.bias_init, self.bias_regu, self.bias_lr, decays=False)
        return weight, bias


def _third(ctx: TraceContext, p: Value, k: int) -> Value:
    rows, *rest = p.type.shape
    return ctx.op("slice", p, start=(k * rows // 3, *(0 for _ in rest)), shape=(rows // 3, *rest))


def _mapped(ctx: TraceContext, x: Value, weight: Value, bias: Value) -> Value:
    """x W^T + b for every position."""
    batch, time, width = x.type.shape
    rows = ctx.op("reshape", x, shape=(batch * time, width))
    y = ctx.op("inner_product", rows, weight, bias)
    return ctx.op("reshape", y, shape=(batch, time, y.type.shape[1]), batch=x.type.batch)
