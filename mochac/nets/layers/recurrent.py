"""RNNLayer, LSTMLayer and GRULayer, and how they are written as ONNX operators, one for each level.

ONNX has other orders of gates, one tensor for both directions, and time in front of the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from mochac.base.records import option
from mochac.base.rules import choice
from mochac.ir.graph import Value
from mochac.ir.onnx_writer import Attribute, OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.nets.layers._recurrent import CellWeights, Recurrent, examples, gate, linear
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example, breaks
from mochac.nets.layers.neurons import GLU, Neuron, ReLU, Sigmoid, Softplus, Softsign, Tanh, neuron

GATES = {"RNN": (0,), "LSTM": (0, 3, 1, 2), "GRU": (1, 0, 2)}
"""Which of mochac's gates each of ONNX's is: i, f, g, o and i, o, f, c; r, z, n and z, r, h."""
ACTIVATIONS = {
    "Tanh": Tanh(), "Relu": ReLU(), "Sigmoid": Sigmoid(), "Softsign": Softsign(), "Softplus": Softplus(),
}  # fmt: skip
"""Neurons of RNNLayer by ONNX's names."""
PARAMETERS = ("weight_x", "weight_h", "bias_x", "bias_h")


def in_onnx(kind: str, array: np.ndarray) -> np.ndarray:
    """A weight or bias with its rows in ONNX's order of gates.

    >>> in_onnx("LSTM", np.array([1, 2, 3, 4]))
    array([1, 4, 2, 3])
    """
    return _reordered(array, GATES[kind])


def from_onnx(kind: str, array: np.ndarray) -> np.ndarray:
    """A weight or bias with its rows in mochac's order of gates.

    >>> from_onnx("LSTM", np.array([1, 4, 2, 3]))
    array([1, 2, 3, 4])
    """
    order = GATES[kind]
    return _reordered(array, [order.index(k) for k in range(len(order))])


def _reordered(array: np.ndarray, order: Sequence[int]) -> np.ndarray:
    parts = np.split(array, len(order))
    return np.concatenate([parts[k] for k in order])


def written(layer: Recurrent, w: OnnxWriter, x: Value, attributes: dict[str, Attribute]) -> list[str] | None:
    """Append the nodes of a layer and return its tops. None if its parameters are blobs, or if it may start a new
    sequence within a row of steps, or go on from the last batch, which ONNX's operators cannot do."""
    if layer.continues or layer.stateful or any(map(layer.named, PARAMETERS)):
        return None
    sides = 1 + layer.bidirectional
    direction = "bidirectional" if layer.bidirectional else "reverse" if layer.reverse else "forward"
    attributes = {**attributes, "hidden_size": layer.output_dim, "direction": direction}
    initial = [_start(w, w.blob("initial", k), x) for k, _ in enumerate(layer.initial)]
    lengths = ""
    if layer.lengths:
        lengths = w.cast(w.node("Reshape", w.blob("lengths").name, w.integers([-1])), "i32")
    y, ends = w.node("Transpose", x.name, perm=[1, 0, 2]), list[tuple[str, ...]]()
    for level in range(layer.n_layers):
        starts = [_part(w, h, level * sides, sides) if layer.n_layers > 1 else h for h in initial]
        weights = _weights(layer, w, level)
        output, *end = w.several(layer.kind, 1 + layer.states, y, *weights, lengths, *starts, **attributes)
        ends.append(tuple(end))
        y = _joined(w, output, sides)
    top = w.node("Reshape", _batch_first(w, ends[-1][0]), w.integers([0, -1])) if layer.last else _batch_first(w, y)
    states = [[end[k] for end in ends] for k in range(len(layer.tops) - 1)]
    return [top, *(_batch_first(w, s[0] if len(s) == 1 else w.node("Concat", *s, axis=0)) for s in states)]


def _weights(layer: Recurrent, w: OnnxWriter, level: int) -> list[str]:
    """W, R and B of a level: the directions one after the other, and in B both biases."""
    kind, sides = layer.kind, range(1 + layer.bidirectional)
    x, h, *bias = (
        [w.parameter(f"{name}{layer.suffix(level, side)}") for side in sides]
        for name in PARAMETERS[: 4 if layer.bias else 2]
    )

    def stacked(*arrays: np.ndarray) -> np.ndarray:
        return np.stack([in_onnx(kind, array) for array in arrays])

    def biases(*arrays: np.ndarray) -> np.ndarray:
        n = len(arrays) // 2
        return np.concatenate([stacked(*arrays[:n]), stacked(*arrays[n:])], axis=1)

    weights = [w.derived("W", stacked, *x), w.derived("R", stacked, *h)]
    return [*weights, w.derived("B", biases, *bias[0], *bias[1]) if bias else ""]


def _part(w: OnnxWriter, states: str, start: int, count: int) -> str:
    return w.node("Slice", states, w.integers([start]), w.integers([start + count]), w.integers([0]))


def _start(w: OnnxWriter, h: Value, x: Value) -> str:
    """An initial state, (layers * directions, batch, units); a parameter is repeated for every sample of x."""
    if h.type.batch:
        return w.node("Transpose", h.name, perm=[1, 0, 2])
    layers, units = h.type.shape
    batch = w.node("Slice", w.node("Shape", x.name), w.integers([0]), w.integers([1]))
    shape = w.node("Concat", w.integers([layers]), batch, w.integers([units]), axis=0)
    return w.node("Expand", w.node("Unsqueeze", h.name, w.integers([1])), shape)


def _joined(w: OnnxWriter, y: str, sides: int) -> str:
    """(time, directions, batch, units) -> (time, batch, directions * units)."""
    if sides == 1:
        return w.node("Squeeze", y, w.integers([1]))
    return w.node("Reshape", w.node("Transpose", y, perm=[0, 2, 1, 3]), w.integers([0, 0, -1]))


def _batch_first(w: OnnxWriter, x: str) -> str:
    return w.node("Transpose", x, perm=[1, 0, 2])


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
        lengths: name of a blob (batch,): how many steps count, 0 to time. Later steps leave the state as it is, and
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
        new = self.neuron(ctx, ctx.op("add", from_x, from_h))
        if new.type.shape != h.type.shape:
            rule = "the neuron changes the number of features, and the next step needs as many"
            hint = "a neuron of each feature, such as Neurons.Tanh()"
            raise OpTypeError(rule, str(h.type.shape), str(new.type.shape), hint)
        return [new]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        known = [name for name, neuron in ACTIVATIONS.items() if neuron == self.neuron]
        return written(self, w, bottoms[0], {"activations": known * (1 + self.bidirectional)}) if known else None


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
        lengths: name of a blob (batch,): how many steps count, 0 to time. Later steps leave the state as it is, and
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
        lengths: name of a blob (batch,): how many steps count, 0 to time. Later steps leave the state as it is, and
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
