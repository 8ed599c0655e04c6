"""RNNLayer, LSTMLayer and GRULayer as ONNX's RNN, LSTM and GRU, one for each level.

ONNX has other orders of gates, one tensor for both directions, and time in front of the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mochac.ir.graph import Value
from mochac.ir.onnx_writer import Attribute, OnnxWriter
from mochac.nets.layers.neurons import ReLU, Sigmoid, Softplus, Softsign, Tanh

if TYPE_CHECKING:
    from mochac.nets.layers._recurrent import Recurrent

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
        made, *end = w.several(layer.kind, 1 + layer.states, y, *weights, lengths, *starts, **attributes)
        ends.append(tuple(end))
        y = _joined(w, made, sides)
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
