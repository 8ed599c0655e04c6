"""GRULayer: a recurrent layer with gated units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.nets.layers._recurrent import CellWeights, Recurrent, examples, gate, linear
from mochac.nets.layers._recurrent_onnx import written
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example
from mochac.nets.layers.fields import choice, option


@layer
class GRULayer(Recurrent):
    """r, z = sigmoid(x W_x^T + b_x + h W_h^T + b_h), n = tanh(x W_x^T + b_x + r (h W_h^T + b_h)); h' = (1 - z) n + z h.

    Args:
        output_dim: features of the state h, >= 1.
        n_layers: layers on top of each other, >= 1.
        bidirectional: each layer also goes over reversed time; both outputs are joined.
        reverse: each layer goes over reversed time only.
        last: the first top is the output at the last step, (batch, output_dim * directions), instead of all.
        dropout: probability with which an output of all layers but the last is 0 in training; 0 <= dropout < 1.
        lengths: name of a blob (batch,): how many steps count, 0 to time. Those behind leave the state as it is, and
            their outputs are 0. "": all.
        initial: name of a blob h (batch, n_layers * directions, output_dim), in a list, or of a ParameterLayer without
            the batch, which is learnt; zeros if empty.
        reset: "after", as above (PyTorch; ONNX's linear_before_reset=1), or "before": n = tanh(x W_x^T + b_x + (r h)
            W_h^T + b_h), as in the paper.
        continues: name of a blob (batch, time): 0 where a step is the first of a new sequence, which starts from zeros
            (Caffe's `cont`), another number elsewhere; only forward. "": one sequence.
        stateful: each sample goes on where the sample at the same place of the last batch ended, in training (truncated
            backpropagation through time) and in prediction; see the guide "Sequences".
        weight_init, bias_init, weight_regu, bias_regu, weight_lr, bias_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
        weight_h_init, bias_h_init, weight_h_regu, bias_h_regu, weight_h_lr, bias_h_lr: those of weight_h and bias_h;
            None: the others.
        bias: whether there are biases.
        weight_x, weight_h, bias_x, bias_h: names of blobs, such as those of a ParameterLayer, to use instead of
            parameters of its own; for one layer and direction.

    Shapes: (batch, time, features) -> tops [sequence (batch, time, output_dim * directions)] or [sequence, h], with the
    last h (batch, n_layers * directions, output_dim). Parameters: `weight_x` (3 output_dim, features), `weight_h`
    (3 output_dim, output_dim), `bias_x`, `bias_h` (3 output_dim,), rows in the order r, z, n; of other layers and
    directions with the suffixes `_l1`, `_reverse`, `_l1_reverse`. Source: Cho et al., Learning Phrase Representations
    using RNN Encoder-Decoder, 2014; PyTorch's GRU with batch_first.

    >>> GRULayer(name="read", bottoms=["x"], output_dim=64, last=True).tops
    ('read',)
    """

    n_tops: ClassVar[tuple[int, int | None]] = (1, 2)
    gates: ClassVar[int] = 3
    examples: ClassVar[tuple[Example, ...]] = (*examples(1), *examples(1, reset="before")[:3])

    reset: str = option(choice("after", "before"), default="after")

    def cell(self, ctx: TraceContext, state: tuple[Value, ...], x: Value, w: CellWeights) -> Sequence[Value]:
        (h,) = state
        from_x = linear(ctx, x, w.weight_x, w.bias_x)
        xr, xz, xn = (gate(ctx, from_x, k, 3) for k in range(3))
        if self.reset == "after":
            from_h = linear(ctx, h, w.weight_h, w.bias_h)
            hr, hz, hn = (gate(ctx, from_h, k, 3) for k in range(3))
            r = ctx.op("sigmoid", ctx.op("add", xr, hr))
            candidate = ctx.op("mul", r, hn)
        else:
            from_h = linear(ctx, h, *self._rows(ctx, w, 0, 2))
            hr, hz = (gate(ctx, from_h, k, 2) for k in range(2))
            r = ctx.op("sigmoid", ctx.op("add", xr, hr))
            candidate = linear(ctx, ctx.op("mul", r, h), *self._rows(ctx, w, 2, 3))
        z = ctx.op("sigmoid", ctx.op("add", xz, hz))
        n = ctx.op("tanh", ctx.op("add", xn, candidate))
        return [ctx.op("add", n, ctx.op("mul", z, ctx.op("sub", h, n)))]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        return written(self, w, bottoms[0], {"linear_before_reset": int(self.reset == "after")})

    def _rows(self, ctx: TraceContext, w: CellWeights, first: int, end: int) -> tuple[Value, Value | None]:
        """Weight and bias of some gates of the state."""
        size = self.output_dim
        start, rows = first * size, (end - first) * size
        weight = ctx.op("slice", w.weight_h, start=(start, 0), shape=(rows, size))
        bias = w.bias_h
        return weight, None if bias is None else ctx.op("slice", bias, start=(start,), shape=(rows,))
