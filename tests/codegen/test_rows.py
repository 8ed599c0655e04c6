"""Row groups compiled: layers that normalize, as the interpreter says, with the same bits for any number of threads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from mochac import (
    BatchNormLayer,
    EmbeddingLayer,
    GroupNormLayer,
    InnerProductLayer,
    InputLayer,
    InstanceNormLayer,
    LayerNormLayer,
    Net,
    Neurons,
    RMSNormLayer,
    SquareLossLayer,
)
from mochac.base.options import CompileOptions, Options
from mochac.ir import GraphBuilder, run
from mochac.ir.graph import Graph
from mochac.ir.pullback import gradients
from mochac.lowering.backends import open_backend
from mochac.lowering.operands import draw_inputs
from mochac.lowering.pipeline import lower
from mochac.lowering.plan_graphs import step_plan
from mochac.lowering.run_graph import run_graph
from mochac.nets.layers import Layer
from mochac.nets.solvers.update import Update
from mochac.nets.trace import trace

LAYERS = {
    "batch norm": (BatchNormLayer(name="n", bottoms=["x"], neuron=Neurons.ReLU()), (9, 5, 3)),
    "layer norm": (LayerNormLayer(name="n", bottoms=["x"], neuron=Neurons.GELU()), (41,)),
    "layer norm of positions": (LayerNormLayer(name="n", bottoms=["x"]), (3, 2, 37)),
    "layer norm of images": (LayerNormLayer(name="n", bottoms=["x"], axes=(2, 3)), (3, 4, 20)),
    "rms norm": (RMSNormLayer(name="n", bottoms=["x"]), (3, 20)),
    "instance norm": (InstanceNormLayer(name="n", bottoms=["x"]), (9, 4, 5)),
    "group norm": (GroupNormLayer(name="n", groups=3, bottoms=["x"]), (9, 2, 5)),
    "norm of norms": (
        InnerProductLayer(name="p", output_dim=16, axis=-1, bottoms=["x"]),
        RMSNormLayer(name="r", bottoms=["p"]),
        LayerNormLayer(name="n", bottoms=["r"]),
        (3, 8),
    ),
    "channels of normalized samples": (
        InnerProductLayer(name="p", output_dim=16, axis=-1, bottoms=["x"]),
        LayerNormLayer(name="l", axes=(1, 2), bottoms=["p"]),
        BatchNormLayer(name="n", bottoms=["l"]),
        (3, 8),
    ),
}


def both_ways(layers: Sequence[Layer], shape: tuple[int, ...], dtype: str) -> Graph:
    """The layers, and the gradients of the bottom and the parameters for a given one of the last top."""
    traced = trace(Net("norms", [InputLayer(name="x", shape=shape), *layers]), dtype=dtype)
    b = GraphBuilder.extending(traced.graph)
    y = b.values[traced.blobs[layers[-1].tops[0]]]
    loss = b.op("reduce_sum", b.op("mul", y, b.input("dy", y.type)), axes=tuple(range(len(shape))))
    wrt = [b.values[i.name] for i in traced.graph.inputs if i.role in ("data", "param")]
    found = gradients(b, loss, wrt)
    return b.finish([y, *(found[v.name] for v in wrt)])


def values(graph: Graph) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    kinds = {"f32": np.float32, "f64": np.float64}
    return {i.name: rng.normal(0.5, 1, i.type.shape).astype(kinds[i.type.dtype]) for i in graph.inputs}


@pytest.mark.sampled(27, test=5)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("batch", [5, 128, 131])
@pytest.mark.parametrize("name", LAYERS)
def test_compiled_as_interpreted(name: str, batch: int, dtype: str) -> None:
    *layers, shape = LAYERS[name]
    graph = both_ways(layers, (batch, *shape), dtype)
    given = values(graph)
    want = run(graph, given)
    short = {"float32": "f32", "float64": "f64"}[dtype]
    got = [run_graph(graph, given, threads=n, dtype=short) for n in (1, 2, 3)]
    tolerance = {"f32": 3e-4, "f64": 1e-10}[short]
    for out in graph.outputs:
        np.testing.assert_allclose(got[0][out], want[out], rtol=tolerance, atol=tolerance)
    for out in got[0]:
        assert len({each[out].tobytes() for each in got}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in LAYERS if "channels of" not in name])  # sums by sample, then of all
def test_a_layer_that_normalizes_goes_over_rows(name: str) -> None:
    """Each sum of the forward pass shares a kernel with the map that reads it."""
    *layers, shape = LAYERS[name]
    graph = both_ways(layers, (256, *shape), "float32")
    backend = open_backend(CompileOptions(backend="cpu"), Options.from_env(), run=True)
    lowered = lower(graph, backend.generator, scalars={}, named={})
    fused = next(g for stage, g in lowered.stages if stage == "fuse")
    makers = {out.name: node for node in fused.nodes for out in node.outputs}
    y = makers[fused.outputs[0]]
    while y.op in ("reshape", "relayout"):
        y = makers[y.inputs[0]]
    assert any(node.op == "reduce_sum" and node.group == y.group for node in fused.nodes)
    schedules = [k.schedule.name for k in lowered.kernels]
    assert any(s.startswith("rows.") for s in schedules), schedules
    assert "generic.scalar" not in schedules
    assert "rows.scalar" not in schedules


@pytest.mark.parametrize("name", ["layer norm of positions", "layer norm of images", "rms norm", "group norm"])
def test_scale_and_shift_are_summed_up_beside_the_rows(name: str) -> None:
    """No kernel but the one that goes over rows reads a whole blob, apart from changes of layout."""
    *layers, shape = LAYERS[name]
    backend = open_backend(CompileOptions(backend="cpu"), Options.from_env(), run=True)
    lowered = lower(both_ways(layers, (256, *shape), "float32"), backend.generator, scalars={}, named={})
    whole = 256 * int(np.prod(shape))
    reading = [
        kernel.naive
        for kernel in lowered.kernels
        if kernel.naive.root != "relayout" and any(np.prod(b.type.shape) == whole for b in kernel.naive.inputs)
    ]
    assert [kernel.root for kernel in reading] == ["reduce_sum"]


@pytest.mark.slow
def test_sums_over_positions_beside_the_rows_of_samples() -> None:
    """The gradient of a scale, by sample, goes over features first, and what is stored beside it over positions."""
    layers = [
        EmbeddingLayer(name="e", vocabulary=9, output_dim=6, bottoms=["ids"]),
        RMSNormLayer(name="r", bottoms=["e"]),
        LayerNormLayer(name="n", axes=(1, 2), neuron=Neurons.Sigmoid(), bottoms=["r"]),
        InnerProductLayer(name="out", output_dim=1, bottoms=["n"]),
        SquareLossLayer(name="loss", bottoms=["out", "y"]),
    ]
    net = Net("rows", [InputLayer(name="ids", shape=(16, 8)), InputLayer(name="y", shape=(16, 1)), *layers])
    graph = step_plan(trace(net, "train", "float64"), Update()).graph
    given = draw_inputs(graph) | {"ids": np.arange(128).reshape(16, 8) % 9}
    want, got = run(graph, given), run_graph(graph, given, dtype="f64")
    for target, new in want.updates.items():
        np.testing.assert_allclose(got[f"update {target}"], new, rtol=1e-10, atol=1e-10)
