"""Caffe's LSTM and RNN, of one bottom of sequences and one of markers.

Caffe's blobs of sequences are (time, batch, ...), mochac's (batch, time, ...): Input layers of such blobs exchange the
two (Builder.time_first), and data layers are given by the user. Caffe carries states on from batch to batch, mochac
starts each batch from zeros.
"""

from __future__ import annotations

from typing import Any

from mochac.caffe.builder import Builder
from mochac.caffe.converters import converter
from mochac.caffe.layer import CaffeLayer
from mochac.caffe.params import recurrent_fields, settings
from mochac.layers.neurons import Neurons


@converter("LSTM", bottoms=(2, 3))
def lstm(b: Builder, layer: CaffeLayer) -> None:
    """LSTMLayer; the rows of its weights are in another order, see files/binary.py. Source: lstm_layer.cpp,
    lstm_unit_layer.cpp."""
    _recurrent(b, layer, "LSTM", tops=b.tops)


@converter("RNN", bottoms=(2, 3))
def rnn(b: Builder, layer: CaffeLayer) -> None:
    """RNNLayer, and an InnerProductLayer with tanh of its states: o = tanh(W_o h + b_o). Source: rnn_layer.cpp."""
    name = b.unused(f"{layer.name}-state")
    _recurrent(b, layer, "RNN", tops=lambda _: [name], name=name)
    param, out = layer.message.recurrent_param, {}
    for k, (kind, filler) in enumerate({"weight": param.weight_filler, "bias": param.bias_filler}.items(), 3):
        out.update({f"{kind}_{setting}": value for setting, value in settings(b, layer, k, kind, filler).items()})
    sizes = {"output_dim": param.num_output, "axis": -1, "neuron": Neurons.Tanh()}
    b.add("InnerProduct", layer, bottoms=[name], **sizes, **out, tops=b.tops(layer))


def _recurrent(b: Builder, layer: CaffeLayer, kind: str, tops: Any, **fields: Any) -> None:
    param = layer.message.recurrent_param
    if not param.num_output:
        raise layer.refused("num_output must be given")
    if len(layer.message.bottom) > 2:
        hint = "add an InnerProduct of it to the sequence"
        raise layer.refused("a bottom that is the same at all steps is not supported", "2 bottoms", "3", hint=hint)
    layer.require("expose_hidden", param.expose_hidden, False)
    x, cont = b.bottoms(layer)
    own = recurrent_fields(b, layer)
    b.add(kind, layer, bottoms=[x], continues=cont, output_dim=param.num_output, **own, **fields, tops=tops(layer))
