"""Converters of Caffe's LSTM and RNN.

Their bottoms are sequences, markers, optionally a blob that is the same at every step (x_static), and with
`expose_hidden` the initial states. Their tops are the outputs and, with `expose_hidden`, the final states.

Caffe's sequences are (time, batch, ...) and its states (1, batch, ...); mochac's are (batch, time, ...). Input layers
of such blobs swap the two axes (layers/data.py); data layers come from the user. Caffe carries states over from batch
to batch, mochac starts each batch from zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from mochac.base.records import record
from mochac.formats.caffe.builder import Builder, CaffeLayer, converter
from mochac.formats.caffe.params import recurrent_fields, settings
from mochac.nets.layers.neurons import Neurons

STATES = {"LSTM": 2, "RNN": 1}
"""Caffe's types of recurrent layers, and how many states they carry."""


@record
class RecurrentWiring:
    """How a recurrent layer is wired.

    Attributes:
        static: whether its third bottom is the same at all steps.
        states: the names of the bottoms that are states to start from.
    """

    static: bool
    states: tuple[str, ...]

    @classmethod
    def of(cls, layer: CaffeLayer) -> RecurrentWiring:
        """The wiring of a layer, whose type is in STATES.

        Raises:
            UnsupportedError: bottoms or tops do not fit expose_hidden.
        """
        bottoms, tops = list(layer.message.bottom), list(layer.message.top)
        exposed = STATES[layer.type] if layer.message.recurrent_param.expose_hidden else 0
        how = f"with expose_hidden: {'true' if exposed else 'false'}"
        if len(bottoms) not in (2 + exposed, 3 + exposed):
            raise layer.refused(f"wrong number of bottoms {how}", f"{2 + exposed} or {3 + exposed}", len(bottoms))
        if len(tops) != 1 + exposed:
            raise layer.refused(f"wrong number of tops {how}", str(1 + exposed), len(tops))
        return cls(len(bottoms) == 3 + exposed, tuple(bottoms[len(bottoms) - exposed :]) if exposed else ())


@converter("LSTM", bottoms=(2, 5), tops=(1, 3))
def lstm(b: Builder, layer: CaffeLayer) -> None:
    """LSTMLayer; the rows of its weights are in another order, see base/files/caffe_binary.py. Source:
    recurrent_layer.cpp, lstm_layer.cpp, lstm_unit_layer.cpp."""
    _recurrent(b, layer, b.tops(layer))


@converter("RNN", bottoms=(2, 4), tops=(1, 2))
def rnn(b: Builder, layer: CaffeLayer) -> None:
    """RNNLayer, and an InnerProductLayer with tanh of its states: o = tanh(W_o h + b_o). Source: rnn_layer.cpp."""
    name = b.unused(f"{layer.name}-state")
    output, *states = b.tops(layer)
    wiring = _recurrent(b, layer, [name, *states], name=name)
    param, out = layer.message.recurrent_param, {}
    first = 4 if wiring.static else 3
    for k, (kind, filler) in enumerate({"weight": param.weight_filler, "bias": param.bias_filler}.items(), first):
        out.update({f"{kind}_{setting}": value for setting, value in settings(b, layer, k, kind, filler).items()})
    sizes = {"output_dim": param.num_output, "axis": -1, "neuron": Neurons.Tanh()}
    b.add("InnerProduct", layer, bottoms=[name], **sizes, **out, tops=[output])


def _recurrent(b: Builder, layer: CaffeLayer, tops: Sequence[str], **fields: Any) -> RecurrentWiring:
    param, wiring = layer.message.recurrent_param, RecurrentWiring.of(layer)
    if not param.num_output:
        raise layer.refused("num_output must be given")
    x, cont, *others = b.bottoms(layer)
    if wiring.static:
        x = _with_static(b, layer, x, others.pop(0))
    own = recurrent_fields(b, layer, wiring.static)
    own |= {"output_dim": param.num_output, "initial": others}
    b.add(layer.type, layer, bottoms=[x], continues=cont, **own, **fields, tops=list(tops))
    return wiring


def _with_static(b: Builder, layer: CaffeLayer, x: str, static: str) -> str:
    """The sequences with the features of x_static behind those of every step."""
    time, n_features = b.shape(x, layer)[1], prod(b.shape(static, layer)[1:])
    row, tiled, joined = (b.unused(f"{layer.name}-{what}") for what in ("static", "static-tiled", "features"))
    b.add("Reshape", layer, name=row, shape=(1, n_features), bottoms=[static], tops=[row])
    b.add("Tile", layer, name=tiled, tiles=time, bottoms=[row], tops=[tiled])
    b.add("Concat", layer, name=joined, axis=2, bottoms=[x, tiled], tops=[joined])
    return joined
