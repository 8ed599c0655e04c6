"""ONNX's recurrent operators: RNNLayer, LSTMLayer and GRULayer.

ONNX has its gates in another order, and time in front of the batch unless layout is 1. Its outputs have an axis of
directions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mochac.base.records import record
from mochac.formats.importing.builder import NetBuilder, Top
from mochac.formats.importing.formulas import reshaped
from mochac.formats.importing.node import BlobTensor, Constant
from mochac.formats.importing.place import LEFT_OUT, BatchPlace, Shape
from mochac.formats.importing.rearranged import for_all
from mochac.formats.onnx.operator import OnnxNode, operator
from mochac.nets.layers.recurrent import ACTIVATIONS, PARAMETERS, from_onnx

_ACTIVATIONS = {"RNN": ["Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"]}
_STATES = {"RNN": 1, "LSTM": 2, "GRU": 1}


@record
class _Sequence:
    """The sequence that a node goes over, and how ONNX arranges its tensors.

    Attributes:
        blob: (batch, time, features).
        layout: 1 if the batch is in front of time.
        one: ONNX's tensors hold one sample, along an axis of extent 1.
    """

    blob: BlobTensor
    layout: int
    one: bool

    @property
    def batch(self) -> int:
        return self.blob.shape[0]

    @property
    def time(self) -> int:
        return self.blob.shape[1]

    @property
    def at(self) -> int:
        """The axis of ONNX's states that is the batch: they are (directions, batch, units), or as layout says."""
        return 1 - self.layout

    def arranged(self, at: int, *others: int) -> tuple[Shape, BatchPlace]:
        """Shape and place of the blob of an ONNX tensor whose axis `at` is the batch, and that has these others."""
        if self.one:
            return (self.batch, *others[:at], 1, *others[at:]), LEFT_OUT
        return (self.batch, *others), BatchPlace(at)


@operator("RNN", "LSTM", "GRU", anywhere=True)
def recurrent(b: NetBuilder, node: OnnxNode) -> None:
    """A layer of one level, in one direction or both."""
    direction = str(node.attribute("direction", "forward"))
    node.require("direction", direction, "forward", "reverse", "bidirectional")
    _refuse_variants(node)
    x = _sequence(b, node)
    w, r = (node.constant(k, f"its {name}") for k, name in ((1, "W"), (2, "R")))
    bias = node.constant(3, "its B") if node.has(3) else np.zeros((len(w), 2 * w.shape[1]), w.dtype)
    fields: dict[str, Any] = {"output_dim": r.shape[-1], **_fields(node)}
    fields |= {"reverse": direction == "reverse", "bidirectional": direction == "bidirectional"}
    fields |= _lengths(b, node, x) | _initial(b, node, x)
    _outputs(b, node, x, len(w), _parameters(node, w, r, bias), fields)


def _parameters(node: OnnxNode, w: np.ndarray, r: np.ndarray, bias: np.ndarray) -> dict[str, np.ndarray]:
    """Parameters by name. ONNX's B has the biases of the features, then those of the state."""
    found: dict[str, np.ndarray] = {}
    for side, suffix in enumerate(("", "_reverse")[: len(w)]):
        arrays = (w[side], r[side], *np.split(bias[side], 2))
        found |= {f"{k}{suffix}": from_onnx(node.type, a) for k, a in zip(PARAMETERS, arrays, strict=True)}
    return found


def _refuse_variants(node: OnnxNode) -> None:
    """Refuse what mochac's layers do not compute."""
    if node.has(7):
        raise node.refused("peepholes are not supported", "no P")
    if node.attribute("clip") is not None:
        raise node.refused("clip is not supported", "no clip", node.attribute("clip"))
    node.require("input_forget", node.attribute("input_forget", 0), 0)
    node.require("layout", node.attribute("layout", 0), 0, 1)
    names = _activations(node)
    wanted = [names[0]] if node.type == "RNN" and names[0] in ACTIVATIONS else _ACTIVATIONS[node.type]
    if names != wanted * (len(names) // len(wanted)):
        known = " or ".join(ACTIVATIONS) if node.type == "RNN" else " ".join(wanted)
        raise node.refused("its activations are not supported", known, " ".join(names))
    for name in ("activation_alpha", "activation_beta"):
        if node.attribute(name):
            raise node.refused(f"{name} is not supported", got=list(node.attribute(name)))


def _activations(node: OnnxNode) -> list[str]:
    """The names of the activations of each direction, in the operator's spelling."""
    names = [f.decode() if isinstance(f, bytes) else str(f) for f in node.attribute("activations") or ()]
    sides = 2 if node.attribute("direction", "forward") == "bidirectional" else 1
    return [f.capitalize() for f in names] or _ACTIVATIONS[node.type] * sides


def _fields(node: OnnxNode) -> dict[str, Any]:
    """Fields of one kind of layer."""
    if node.type == "GRU":
        return {"reset": "after" if node.attribute("linear_before_reset", 0) else "before"}
    name = _activations(node)[0]
    return {} if node.type == "LSTM" or name == "Tanh" else {"neuron": ACTIVATIONS[name]}


def _sequence(b: NetBuilder, node: OnnxNode) -> _Sequence:
    """Input 0 as a blob (batch, time, features)."""
    x, layout = node.blob(), int(node.attribute("layout", 0))
    if len(x.extents) != 3 or x.place.merged:
        raise node.refused("its input is not a sequence", "(time, batch, features)", x.extents)
    own = 1 - layout
    if x.place.at is None:
        if x.extents[own] != 1:
            hint = "load(path, batch_axis=1)" if own else "load(path)"
            raise node.refused(f"a sample holds {x.extents[own]} sequences", "1 sequence", x.extents, hint)
        shape = (x.shape[0], x.extents[layout], x.shape[-1])
        return _Sequence(reshaped(b, node, x, shape, BatchPlace(own), last=False), layout, True)
    if x.place.at != own:
        hint = f"load(path, batch_axis={own}) if that is the batch of the model's input"
        what = f"its batch is axis {own}, and samples are along axis {x.place.at}"
        raise node.refused(what, hint=hint)
    return _Sequence(x, layout, False)


def _lengths(b: NetBuilder, node: OnnxNode, x: _Sequence) -> dict[str, str]:
    """The field for sequence_lens, unless all steps count."""
    lengths = node.inputs[4] if node.has(4) else None
    if lengths is None or (isinstance(lengths, Constant) and (lengths.array == x.time).all()):
        return {}
    if isinstance(lengths, Constant):
        raise node.refused("sequence_lens are constants", "an input", lengths.array.reshape(-1).tolist()[:8])
    return {"lengths": b.before_reshape(b.before_cast(lengths), (x.batch, 1)).name}


def _initial(b: NetBuilder, node: OnnxNode, x: _Sequence) -> dict[str, tuple[str, ...]]:
    """The field for initial_h and initial_c, blobs (batch, directions, units), unless both are zeros."""
    states = [node.inputs[k] if node.has(k) else None for k in range(5, 5 + _STATES[node.type])]
    if all(s is None or (isinstance(s, Constant) and not s.array.any()) for s in states):
        return {}
    directions, units = (node.constant(2, "its R").shape[k] for k in (0, -1))
    zeros = np.zeros(np.insert((directions, units), x.at, 1))
    blobs = [
        _of_samples(b, node, x, s, (directions, units))
        if isinstance(s, BlobTensor)
        else for_all(b, node, s or Constant(zeros), replace(x.blob, place=BatchPlace(x.at)))
        for s in states
    ]
    return {"initial": tuple(blob.name for blob in blobs)}


def _of_samples(b: NetBuilder, node: OnnxNode, x: _Sequence, state: BlobTensor, others: tuple[int, int]) -> BlobTensor:
    """A state that the model computes or takes as a blob (batch, directions, units)."""
    shape, place = x.arranged(x.at, *others)
    if (state.shape, state.place) != (shape, place):
        raise node.refused("its initial state does not fit, or has the batch elsewhere", str(shape), state.extents)
    return reshaped(b, node, state, (x.batch, *others), BatchPlace(x.at), last=False)


def _outputs(
    b: NetBuilder, node: OnnxNode, x: _Sequence, sides: int, parameters: dict[str, np.ndarray], fields: dict[str, Any]
) -> None:
    """The layer, and its tops as ONNX arranges them: Y has an axis of directions."""
    units, wanted = fields["output_dim"], [k for k, count in enumerate(node.uses) if count]
    state = x.arranged(x.at, sides, units)
    if wanted == [1]:  # the states joined, so that nothing is left over
        (end,) = b.several(
            node.type, node, x.blob, [Top("", (x.batch, sides * units))], parameters, last=True, **fields
        )
        b.output(node, 1, reshaped(b, node, end, *state, last=False))
        return
    plain = (x.batch, sides, units)
    tops = [Top("", (x.batch, x.time, sides * units))]
    for k, suffix in list(enumerate(("", ".h", ".c")))[1 : max(wanted, default=0) + 1]:
        tops.append(Top(suffix, plain, state[1], k if not x.one and node.uses[k] else None))
    y, *ends = b.several(node.type, node, x.blob, tops, parameters, **fields)
    if 0 in wanted:
        reshaped(b, node, y, *x.arranged(0 if x.layout else 2, x.time, sides, units))
    for k, end in enumerate(ends, 1):
        if x.one and node.uses[k]:
            b.output(node, k, reshaped(b, node, end, *state, last=False))
