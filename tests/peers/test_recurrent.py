"""Recurrent layers beside PyTorch's, over random shapes: layers, directions, lengths, initial states."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch import nn
from torch_kit import compare

import mochac
from mochac import GRULayer, LSTMLayer, MemoryDataLayer, Net, RNNLayer

KINDS = {RNNLayer: nn.RNN, LSTMLayer: nn.LSTM, GRULayer: nn.GRU}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", KINDS)
def test_recurrent_layers(kind, seed):
    rng = np.random.default_rng(seed)
    batch, time, width, size = (int(n) for n in rng.integers(1, (20, 9, 7, 6)))
    layers, both, last, start = int(rng.integers(1, 4)), *(bool(b) for b in rng.integers(0, 2, 3))
    bias = bool(rng.integers(0, 2))
    states = ["h0", "c0"] if kind is LSTMLayer else ["h0"]
    fields = {"n_layers": layers, "bidirectional": both, "last": last, "initial": states if start else [], "bias": bias}
    bottoms = {"x": rng.standard_normal((batch, time, width))}
    if start:
        bottoms.update({name: rng.standard_normal((batch, layers * (1 + both), size)) for name in states})
    layer = kind(name="steps", bottoms=["x"], output_dim=size, **fields)
    peer = KINDS[kind](width, size, layers, bias=bias, bidirectional=both, batch_first=True).double()

    def theirs(given, params):
        weights = {layer.torch_name(name): value for name, value in params.items()}
        initial = tuple(torch.tensor(bottoms[name]).transpose(0, 1).contiguous() for name in states if start)
        hx = (initial if kind is LSTMLayer else initial[0]) if start else None
        y, _ = torch.func.functional_call(peer, weights, (given[0], hx))
        if not last:
            return y
        return torch.cat([y[:, -1, :size], y[:, 0, size:]], 1) if both else y[:, -1]

    compare(layer, bottoms, theirs, seed=seed)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_lengths_are_those_of_packed_sequences(kind, last):
    torch.manual_seed(0)
    peer = KINDS[kind](3, 4, 2, batch_first=True).double()
    x, lengths = torch.randn(5, 7, 3).double(), torch.tensor([7, 1, 3, 2, 5])
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    y, state = peer(packed)
    hidden = state[0] if isinstance(state, tuple) else state
    wanted = hidden[-1] if last else nn.utils.rnn.pad_packed_sequence(y, batch_first=True)[0]
    data = MemoryDataLayer(data=[x.numpy(), lengths.numpy()], batch_size=5, tops=["x", "n"])
    layer = kind(name="steps", bottoms=["x"], output_dim=4, n_layers=2, lengths="n", last=last)
    program = mochac.compile(Net("packed", [data, layer]), dtype="float64")
    program.load({f"steps.{name}": value for name, value in peer.state_dict().items()})
    program.forward()
    np.testing.assert_allclose(program.blobs["steps"], wanted.detach().numpy(), atol=1e-15)
