"""A thousand damaged ONNX files: each is read, or refused by one error, and nothing is half loaded."""

from __future__ import annotations

import random

import numpy as np
import onnx
import pytest
from model_kit import initial

import mochac
from mochac import (
    BatchNormLayer,
    ConvolutionLayer,
    EmbeddingLayer,
    FunctionLayer,
    GRULayer,
    InnerProductLayer,
    InputLayer,
    LayerNormLayer,
    LSTMLayer,
    MochacError,
    MultiHeadAttentionLayer,
    NarrowLayer,
    Net,
    PoolingLayer,
    ReductionLayer,
    RNNLayer,
)
from mochac.onnx.export.save import to_model

OPERATORS = (
    "Conv Flatten Concat Softmax Slice ConvTranspose Shape Loop Gather Where MatMul Einsum Expand Pad Resize Cast "
    "ReduceMax Trilu Split OneHot GatherElements CumSum ArgMax Transpose Clip Mod QuantizeLinear Equal "
    "RNN LSTM GRU ReduceProd Squeeze"
).split()


def whole() -> bytes:
    """A model with convolution, pooling, normalization and products."""
    layers = [
        InputLayer(name="data", shape=(2, 1, 8, 8)),
        ConvolutionLayer(name="conv", kernel=3, n_filter=2, bottoms=["data"]),
        PoolingLayer(name="pool", kernel=2, stride=2, bottoms=["conv"]),
        BatchNormLayer(name="bn", bottoms=["pool"]),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["bn"]),
    ]
    net = Net("n", layers)
    return to_model(net, initial(net), "float32").SerializeToString()


def sequence() -> bytes:
    """A model with an embedding, attention, norms, comparisons, choices and extremes."""
    layers = [
        InputLayer(name="ids", shape=(2, 4)),
        EmbeddingLayer(name="words", vocabulary=5, output_dim=6, bottoms=["ids"]),
        MultiHeadAttentionLayer(name="attend", heads=2, causal=True, bottoms=["words"]),
        LayerNormLayer(name="norm", bottoms=["attend"]),
        FunctionLayer(name="above", function="gt", constants=(0.0,), bottoms=["norm"]),
        FunctionLayer(name="kept", function="select", bottoms=["above", "norm", "words"]),
        ReductionLayer(name="most", operation="max", axes=(1,), bottoms=["kept"]),
        NarrowLayer(name="part", start=1, length=3, bottoms=["most"]),
    ]
    net = Net("n", layers)
    return to_model(net, initial(net), "float32").SerializeToString()


def recurrent() -> bytes:
    """A model with recurrent layers, in which the batch moves."""
    layers = [
        InputLayer(name="steps", shape=(2, 4, 3)),
        InputLayer(name="n", shape=(2,)),
        LSTMLayer(name="read", output_dim=2, bidirectional=True, lengths="n", bottoms=["steps"], tops=["y", "h", "c"]),
        GRULayer(name="again", output_dim=2, n_layers=2, initial=["h"], bottoms=["y"]),
        RNNLayer(name="last", output_dim=3, last=True, bottoms=["again"]),
        ReductionLayer(name="most", operation="max", axes=(1,), bottoms=["again"]),
    ]
    net = Net("n", layers)
    return to_model(net, initial(net), "float32", ["last", "most", "c"]).SerializeToString()


def damaged(content: bytes, seed: int) -> bytes:
    """Some bytes changed, repeated or cut off."""
    rng, made = random.Random(seed), bytearray(content)
    for _ in range(rng.randint(1, 6)):
        made[rng.randrange(len(made))] = rng.randrange(256)
    if rng.random() < 0.2:
        del made[rng.randrange(len(made)) :]
    if rng.random() < 0.1:
        place = rng.randrange(len(made) + 1)
        made[place:place] = made[: rng.randint(1, 60)]
    return bytes(made)


def edited(content: bytes, seed: int) -> bytes:
    """A well-formed message that says something else: other attributes, extents, names or operators."""
    rng, model = random.Random(seed), onnx.load_model_from_string(content)
    graph = model.graph
    numbers = (0, -1, 1, 2, 7, 2**31, 2**62, -(2**62))
    for _ in range(rng.randint(1, 3)):
        node = rng.choice(graph.node)
        kind = rng.randrange(6)
        if kind == 0 and (lists := [a for a in node.attribute if a.ints]):
            rng.choice(lists).ints[0] = rng.choice(numbers)
        elif kind == 1:
            node.op_type = rng.choice(OPERATORS)
        elif kind == 2 and node.input:
            node.input[rng.randrange(len(node.input))] = rng.choice([i for n in graph.node for i in n.input])
        elif kind == 3:
            tensor = rng.choice(graph.initializer)
            tensor.dims[rng.randrange(len(tensor.dims))] = rng.choice(numbers)
        elif kind == 4:
            dim = rng.choice(graph.input[0].type.tensor_type.shape.dim)
            dim.dim_value = rng.choice(numbers)
        else:
            del node.input[-1:]
    return model.SerializeToString()


@pytest.mark.parametrize("change", [damaged, edited])
@pytest.mark.parametrize("part", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 5))])
def test_changed_models_are_read_or_refused(tmp_path, part, change):
    contents, path = (whole(), sequence(), recurrent()), tmp_path / "m.onnx"
    refused = 0
    for seed in range(100 * part, 100 * part + 100):
        print("seed", seed)
        path.write_bytes(change(contents[seed % 3], seed))
        try:
            with np.errstate(all="ignore"):
                net, params = mochac.onnx.load(path, batch_axis=(0, 0, 1, None)[seed % 4])
        except MochacError as error:
            refused += 1
            assert "this is a bug in mochac" not in str(error), error  # noqa: PT017
        else:
            assert {p.key for p in net.params} <= set(params)
    assert refused
