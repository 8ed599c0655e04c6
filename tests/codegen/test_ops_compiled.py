"""Every op's samples, compiled for this CPU, against the op's NumPy reference in float64.

The cases come from the registry, so a new op is tested without touching this file.
"""

from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest

from mochac import ir
from mochac.ir import GraphBuilder, TensorType, run
from mochac.ir.kernel_build import Alias
from mochac.ir.op import OPS, run_reference
from mochac.ir.samples import draw
from mochac.ir.types import DTYPES
from mochac.lowering.run_graph import run_graph

BATCHES = (1, 3, 16, 17, 64, 100)


def coded(op):
    """Numbers of an op's samples that have code: aliases have none, and calls are no kernels of ours."""
    if op.kind == "call":
        return []
    return [k for k, sample in enumerate(op.samples) if not isinstance(op.lowering(sample.attrs), Alias)]


def batched(op):
    """Those with a batch."""
    return [k for k in coded(op) if op.samples[k].attrs.get("batch") or any("[b" in t for t in op.samples[k].types)]


CODED = [name for name, op in OPS.items() if coded(op)]
BATCHED = [name for name, op in OPS.items() if batched(op)]


@pytest.mark.slow
@pytest.mark.parametrize("name", CODED)
def test_compiled_equals_reference(name):
    """A sample in one type, the next one in the other, and a single one in both."""
    samples = coded(OPS[name])
    for k, dtype in zip(samples if samples[1:] else 2 * samples, cycle(("f32", "f64")), strict=False):
        check(name, k, dtype)


@pytest.mark.soak
@pytest.mark.parametrize("name", CODED)
def test_all_samples_in_both_types(name):
    for k in coded(OPS[name]):
        for dtype in ("f32", "f64"):
            check(name, k, dtype)


@pytest.mark.slow
@pytest.mark.parametrize(("turn", "name"), [*enumerate(BATCHED)])
def test_other_batch_sizes(turn, name):
    """One for the first sample and, in another op, another; others for every second sample behind it."""
    for number, k in enumerate(batched(OPS[name])[::2], turn):
        check(name, k, "f32", BATCHES[number % len(BATCHES)])


@pytest.mark.soak
@pytest.mark.parametrize("name", BATCHED)
def test_every_batch_size(name):
    for k in batched(OPS[name]):
        for batch in BATCHES:
            check(name, k, "f32", batch)


def check(name, k, dtype, batch=None):
    print(f"{name} sample {k} {dtype} batch {batch or 'its own'}")
    op = OPS[name]
    case = draw(op, op.samples[k], dtype, batch)
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


@pytest.mark.parametrize("batch", [False, True])
def test_a_number_beside_padding_stays_where_it_is(batch):
    """A lane outside of the middle keeps the border, though one number is stored for all lanes inside."""
    shape = "f32[b4,20]" if batch else "f32[4,20]"
    whole = shape.replace("20", "40")
    graph = ir.parse(f"""graph @g(%x: f32[] hyper) {{
      %b: {shape} = broadcast(%x) {{axes = (), batch = {str(batch).lower()}, shape = (4,20)}}
      %y: {whole} = pad(%b) {{shape = (4,40), start = (0,10)}}
      return %y
    }}""")
    feeds = {"x": np.float32(2)}
    np.testing.assert_array_equal(run_graph(graph, feeds)["y"], ir.run(graph, feeds).outputs["y"])
