"""LSTMLayer: a recurrent layer with long short-term memory."""

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


@layer
class LSTMLayer(Recurrent):
    """i, f, g, o = x W_x^T + b_x + h W_h^T + b_h; c' = sigmoid(f) c + sigmoid(i) tanh(g); h' = sigmoid(o) tanh(c').

    Args:
        output_dim: features of the state h, >= 1.
        n_layers: layers on top of each other, >= 1.
        bidirectional: each layer also goes over reversed time; both outputs are joined.
        reverse: each layer goes over reversed time only.
        last: the first top is the output at the last step, (batch, output_dim * directions), instead of all.
        dropout: probability with which an output of all layers but the last is 0 in training; 0 <= dropout < 1.
        lengths: name of a blob (batch,): how many steps count, 0 to time. Those behind leave the state as it is, and
            their outputs are 0. "": all.
        initial: names of blobs h and c (batch, n_layers * directions, output_dim), or of ParameterLayers without the
            batch, which are learnt; zeros if empty.
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

    Shapes: (batch, time, features) -> tops [sequence (batch, time, output_dim * directions)], [sequence, h] or
    [sequence, h, c], with the last h and c (batch, n_layers * directions, output_dim). Parameters: `weight_x`
    (4 output_dim, features), `weight_h` (4 output_dim, output_dim), `bias_x`, `bias_h` (4 output_dim,), rows in the
    order i, f, g, o; of other layers and directions with the suffixes `_l1`, `_reverse`, `_l1_reverse`.
    Source: Hochreiter and Schmidhuber, Long Short-Term Memory, 1997; PyTorch's LSTM with batch_first.

    >>> LSTMLayer(name="read", bottoms=["x"], output_dim=64, last=True).tops
    ('read',)
    """

    n_tops: ClassVar[tuple[int, int | None]] = (1, 3)
    gates: ClassVar[int] = 4
    states: ClassVar[int] = 2
    examples: ClassVar[tuple[Example, ...]] = examples(2)

    def cell(self, ctx: TraceContext, state: tuple[Value, ...], x: Value, w: CellWeights) -> Sequence[Value]:
        h, c = state
        from_x = linear(ctx, x, w.weight_x, w.bias_x)
        gates = ctx.op("add", from_x, linear(ctx, h, w.weight_h, w.bias_h))
        i, f, g, o = (gate(ctx, gates, k, 4) for k in range(4))
        kept = ctx.op("mul", ctx.op("sigmoid", f), c)
        new = ctx.op("add", kept, ctx.op("mul", ctx.op("sigmoid", i), ctx.op("tanh", g)))
        return [ctx.op("mul", ctx.op("sigmoid", o), ctx.op("tanh", new)), new]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        return written(self, w, bottoms[0], {})
