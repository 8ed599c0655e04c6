"""Every op's samples, compiled for this CPU, against the op's NumPy reference in float64.

The cases come from the registry, so a new op is tested without touching this file.
"""

from dataclasses import replace

import numpy as np
import pytest

from mochac.ir import GraphBuilder, TensorType, run
from mochac.ir.kernel_build import Alias
from mochac.ir.op import OPS, run_reference
from mochac.ir.samples import draw
from mochac.ir.types import DTYPES
from mochac.lowering.run_graph import run_graph

QUICK = {"f32": 2, "f64": 1}
"""Samples of an op in the quick suite."""

CASES = [
    pytest.param(name, k, dtype, id=f"{name}-{k}-{dtype}", marks=[] if k < QUICK[dtype] else [pytest.mark.slow])
    for name, op in OPS.items()
    for k in range(len(op.samples))
    for dtype in ("f32", "f64")
]
BATCHES = [
    pytest.param(name, k, batch, id=f"{name}-{k}-batch{batch}")
    for name, op in OPS.items()
    for k, sample in enumerate(op.samples)
    for batch in (1, 3, 16, 17, 64, 100)
    if sample.attrs.get("batch") or any("[b" in text for text in sample.types)
]


@pytest.mark.parametrize(("name", "k", "dtype"), CASES)
def test_compiled_equals_reference(name, k, dtype):
    check(name, k, dtype)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "k", "batch"), BATCHES)
def test_compiled_equals_reference_at_every_batch_size(name, k, batch):
    check(name, k, "f32", batch)


def check(name, k, dtype, batch=None):
    op = OPS[name]
    case = draw(op, op.samples[k], dtype, batch)
    if isinstance(op.lowering(case.attrs), Alias):
        pytest.skip("an alias has no code")
    graph = replace(case, types=tuple(t.with_(lanes=0) for t in case.types)).graph()  # inputs of a plan are natural
    results = run_graph(graph, case.feeds(), dtype=dtype)
    wide = tuple(a.astype(np.float64) if a.dtype.kind == "f" else a for a in case.arrays)
    expected = run_reference(op, wide, draw(op, op.samples[k], "f64", batch).attrs)
    for i, want in enumerate(expected):
        got = results[f"y{i}"]
        scale = max(1.0, float(np.nanmax(np.abs(np.where(np.isfinite(want), want, 0)), initial=0.0)))
        tolerance = op.tolerance if dtype == "f32" else op.tolerance * 1e-7
        assert got.dtype == DTYPES[graph.nodes[0].outputs[i].type.dtype]
        np.testing.assert_allclose(got.astype(np.float64), want, rtol=tolerance, atol=tolerance * scale)


@pytest.mark.parametrize(("dtype", "least"), [("f32", -87.3365), ("f64", -708.3964)])
def test_sigmoid_is_zero_where_it_would_be_subnormal(dtype, least):
    """As the user's guide says; the definition gives the subnormal number."""
    x = np.array([least, 1.001 * least, 10 * least], DTYPES[dtype])
    b = GraphBuilder("edge")
    graph = b.finish([b.op("sigmoid", b.input("x", TensorType(dtype, (3,))))])
    (y,) = run_graph(graph, {"x": x}, dtype=dtype).values()
    np.testing.assert_allclose(y[0], np.exp(x[0]), rtol=1e-5 if dtype == "f32" else 1e-12)
    assert (y[0] >= np.finfo(x.dtype).tiny, y[1], y[2]) == (True, 0.0, 0.0)
    assert 0 < run(graph, {"x": x})[graph.outputs[0]][1] < np.finfo(x.dtype).tiny
