"""Nets whose training steps are cut into parts: products, images, batch statistics, tokens, loops over time."""

from __future__ import annotations

import numpy as np

from mochac import (
    SGD,
    AccuracyLayer,
    Adam,
    BatchNormLayer,
    ConcatLayer,
    ConvolutionLayer,
    DropoutLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    EmbeddingLayer,
    FunctionLayer,
    GRULayer,
    InfoNCELossLayer,
    InnerProductLayer,
    LayerNormLayer,
    LSTMLayer,
    MemoryDataLayer,
    MultiHeadAttentionLayer,
    NarrowLayer,
    Nesterov,
    Net,
    Neurons,
    ParameterLayer,
    PoolingLayer,
    ReductionLayer,
    ReshapeLayer,
    SoftmaxLossLayer,
)
from mochac.base.options import CompileOptions, Options
from mochac.lowering.backends import open_backend
from mochac.nets.solvers.update import Clipping, Update

RNG = np.random.default_rng(0)


def native_lanes() -> int:
    """Numbers in a vector of this machine's CPU, or of MOCHAC_CPU's."""
    return open_backend(CompileOptions(backend="cpu"), Options.from_env(), run=False).generator.lanes("f32")


def data(shape: tuple[int, ...], batch: int, top: str = "data") -> MemoryDataLayer:
    """Samples for a net; batches of the tests are drawn by the kit."""
    x = RNG.standard_normal((batch, *shape)) if top == "data" else RNG.integers(0, 3, (batch, *shape))
    return MemoryDataLayer(name="in", data=[x, RNG.integers(0, 3, batch)], batch_size=batch, tops=[top, "label"])


def mlp(batch: int = 12) -> Net:
    """Parts of three samples: nothing is a multiple of a vector."""
    return Net("mlp", [
        data((7,), batch),
        InnerProductLayer(name="a", output_dim=33, neuron=Neurons.ReLU(), bottoms=["data"], tops=["a"]),
        DropoutLayer(name="drop", ratio=0.4, bottoms=["a"]),
        InnerProductLayer(name="b", output_dim=3, bottoms=["a"], tops=["b"]),
        SoftmaxLossLayer(name="loss", bottoms=["b", "label"]),
    ])  # fmt: skip


def lenet(batch: int = 64) -> Net:
    return Net("lenet", [
        data((1, 10, 10), batch),
        ConvolutionLayer(name="c", n_filter=4, kernel=(3, 3), bottoms=["data"], tops=["c"]),
        PoolingLayer(name="p", kernel=(2, 2), stride=(2, 2), bottoms=["c"], tops=["p"]),
        InnerProductLayer(name="a", output_dim=20, neuron=Neurons.ReLU(), bottoms=["p"], tops=["a"]),
        InnerProductLayer(name="b", output_dim=3, bottoms=["a"], tops=["b"]),
        SoftmaxLossLayer(name="loss", bottoms=["b", "label"]),
    ])  # fmt: skip


def residual(batch: int = 24) -> Net:
    """Batch norm, a sum of two branches, dropout, a statistic."""
    return Net("residual", [
        data((2, 6, 6), batch),
        ConvolutionLayer(name="c1", n_filter=4, kernel=(3, 3), pad=(1, 1), bottoms=["data"], tops=["c1"]),
        BatchNormLayer(name="n1", neuron=Neurons.ReLU(), bottoms=["c1"], tops=["n1"]),
        ConvolutionLayer(name="c2", n_filter=4, kernel=(3, 3), pad=(1, 1), bottoms=["n1"], tops=["c2"]),
        BatchNormLayer(name="n2", bottoms=["c2"], tops=["n2"]),
        ElementWiseLayer(name="sum", operation=ElementWiseFunctors.Add(), bottoms=["n1", "n2"], tops=["sum"]),
        DropoutLayer(name="drop", ratio=0.3, bottoms=["sum"]),
        InnerProductLayer(name="out", output_dim=3, bottoms=["sum"], tops=["out"]),
        AccuracyLayer(name="accuracy", bottoms=["out", "label"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ])  # fmt: skip


def attention(batch: int = 8) -> Net:
    """Rows of tokens: several for every sample."""
    return Net("attention", [
        data((5,), batch, "ids"),
        EmbeddingLayer(name="e", vocabulary=9, output_dim=8, bottoms=["ids"], tops=["e"]),
        MultiHeadAttentionLayer(name="m", heads=2, causal=True, dropout=0.2, bottoms=["e"], tops=["m"]),
        LayerNormLayer(name="n", bottoms=["m"], tops=["n"]),
        InnerProductLayer(name="f", output_dim=8, axis=-1, neuron=Neurons.ReLU(), bottoms=["n"], tops=["f"]),
        DropoutLayer(name="drop", ratio=0.3, bottoms=["f"]),
        InnerProductLayer(name="out", output_dim=3, bottoms=["f"], tops=["out"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ])  # fmt: skip


def recurrent(batch: int = 8) -> Net:
    """A loop over time in both directions, behind samples whose axis of time is second."""
    return Net("recurrent", [
        data((5, 3), batch),
        LSTMLayer(name="r", output_dim=4, bidirectional=True, bottoms=["data"], tops=["r"]),
        GRULayer(name="g", output_dim=3, last=True, bottoms=["r"], tops=["g"]),
        InnerProductLayer(name="out", output_dim=3, bottoms=["g"], tops=["out"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ])  # fmt: skip


def many_items() -> Net:
    """Attention with as many heads of samples in every part as are computed item by item."""
    return attention(32)


def expressions(batch: int = 16) -> Net:
    """Weights, tokens and biases of scores that are computed from parameters; extents are those of the batch and of its
    parts, too."""
    return Net("expressions", [
        data((8, 4), batch),
        ParameterLayer(name="v", shape=(batch, 4)),
        ReductionLayer(name="squares", operation="sumsq", axes=1, bottoms=["v"]),
        FunctionLayer(name="norms", function="sqrt", bottoms=["squares"]),
        ReshapeLayer(name="norm", shape=(batch, 1), bottoms=["norms"]),
        FunctionLayer(name="unit", function="div", bottoms=["v", "norm"]),
        InnerProductLayer(name="wide", output_dim=batch, axis=-1, weight="unit", bottoms=["data"]),
        ParameterLayer(name="class", shape=(1, batch)),
        ConcatLayer(name="all", bottoms=["class", "wide"]),
        ParameterLayer(name="positions", shape=(batch, batch)),
        NarrowLayer(name="first", axis=0, start=0, length=9, bottoms=["positions"]),
        FunctionLayer(name="placed", function="add", bottoms=["all", "first"]),
        ParameterLayer(name="pairs", shape=(2, 9, 9)),
        MultiHeadAttentionLayer(name="att", heads=2, score_bias="pairs", bottoms=["placed"]),
        InnerProductLayer(name="b", output_dim=3, bottoms=["att"], tops=["b"]),
        SoftmaxLossLayer(name="loss", bottoms=["b", "label"]),
    ])  # fmt: skip


def contrastive(batch: int = 24) -> Net:
    """Samples meet in the loss: each part reads all of them."""
    return Net("contrastive", [
        data((6,), batch),
        InnerProductLayer(name="a", output_dim=16, neuron=Neurons.ReLU(), bottoms=["data"], tops=["a"]),
        InnerProductLayer(name="b", output_dim=5, bottoms=["a"], tops=["b"]),
        InfoNCELossLayer(name="loss", bottoms=["b", "label"], temperature=0.5),
    ])  # fmt: skip


NETS = {
    "mlp": mlp,
    "lenet": lenet,
    "residual": residual,
    "attention": attention,
    "attention by items": many_items,
    "recurrent": recurrent,
    "expressions": expressions,
    "contrastive": contrastive,
}
UPDATES = {
    "mlp": Update(Adam(0.01), clipping=Clipping(norm=0.5)),
    "lenet": Update(SGD(0.1, momentum=0.9)),
    "residual": Update(Nesterov(0.05, momentum=0.9), clipping=Clipping(norm=1.0)),
    "attention": Update(Adam(0.01)),
    "attention by items": Update(Adam(0.01)),
    "recurrent": Update(SGD(0.1)),
    "expressions": Update(Adam(0.01), clipping=Clipping(norm=0.5)),
    "contrastive": Update(SGD(0.1, momentum=0.9)),
}
