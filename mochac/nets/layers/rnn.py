"""RNNLayer: a recurrent layer without gates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.nets.layers._recurrent import CellWeights, Recurrent, examples, linear
from mochac.nets.layers._recurrent_onnx import ACTIVATIONS, written
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example, breaks
from mochac.nets.layers.fields import option
from mochac.nets.layers.neurons import GLU, Neuron, ReLU, Tanh, neuron


@layer
class RNNLayer(Recurrent):
    """h' = neuron(x W_x^T + b_x + h W_h^T + b_h).

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
        neuron: activation, of each feature.
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
    last h (batch, n_layers * directions, output_dim). Parameters: `weight_x` (output_dim, features), `weight_h`
    (output_dim, output_dim), `bias_x`, `bias_h` (output_dim,); of other layers and directions with the suffixes `_l1`,
    `_reverse`, `_l1_reverse`. Source: Elman, Finding Structure in Time, 1990; PyTorch's RNN with batch_first.

    >>> RNNLayer(name="read", bottoms=["x"], output_dim=64, last=True).tops
    ('read',)
    """

    n_tops: ClassVar[tuple[int, int | None]] = (1, 2)
    examples: ClassVar[tuple[Example, ...]] = (
        *examples(1),
        *examples(1, neuron=ReLU())[:1],
        breaks("the neuron changes the number of features", (4, 3), output_dim=2, neuron=GLU()),
    )

    neuron: Neuron = option(neuron(), default=Tanh())

    def cell(self, ctx: TraceContext, state: tuple[Value, ...], x: Value, w: CellWeights) -> Sequence[Value]:
        (h,) = state
        from_x = linear(ctx, x, w.weight_x, w.bias_x)
        from_h = linear(ctx, h, w.weight_h, w.bias_h)
        new = self.neuron.emit(ctx, ctx.op("add", from_x, from_h))
        if new.type.shape != h.type.shape:
            rule = "the neuron changes the number of features, and the next step needs as many"
            hint = "a neuron of each feature, such as Neurons.Tanh()"
            raise OpTypeError(rule, str(h.type.shape), str(new.type.shape), hint)
        return [new]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        known = [name for name, neuron in ACTIVATIONS.items() if neuron == self.neuron]
        return written(self, w, bottoms[0], {"activations": known * (1 + self.bidirectional)}) if known else None
