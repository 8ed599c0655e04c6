"""Contractions, pools and losses compiled at odd and unit extents, many batch sizes, on 512-, 256- and 128-bit CPUs
and several threads, against their NumPy references in float64.

The ops' own samples (test_ops_compiled.py) are small; these reach the tuned schedules, their rests and their corners.
"""

from __future__ import annotations

import numpy as np
import pytest

from mochac.base.options import Options
from mochac.ir.op import OPS, Sample, run_reference
from mochac.ir.samples import draw
from mochac.ir.types import DTYPES
from mochac.lowering.run_graph import run_graph
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.cpuinfo import host_cpu

BATCHES = (1, 3, 16, 17, 64, 100)
CPUS = ("", "haswell", "x86-64")
"""This machine, AVX2 with 32-byte vectors, and SSE2 with 16 bytes and without FMA."""

CONVOLUTIONS = {  # channels, height, width, filters, kernel, stride, pad, group, dilation if not 1
    "lenet1": (1, 10, 10, 20, (5, 5), (1, 1), (0, 0), 1),
    "lenet2": (20, 6, 6, 50, (5, 5), (1, 1), (0, 0), 1),
    "odd": (3, 9, 7, 13, (3, 2), (1, 1), (1, 1), 1),
    "one_filter": (2, 7, 8, 1, (3, 3), (1, 1), (1, 1), 1),
    "one_pixel": (33, 1, 1, 17, (1, 1), (1, 1), (0, 0), 1),
    "pointwise": (7, 5, 3, 16, (1, 1), (1, 1), (0, 0), 1),
    "strided": (3, 11, 8, 9, (4, 3), (3, 2), (2, 0), 1),
    "grouped": (6, 6, 5, 8, (3, 3), (1, 1), (1, 1), 2),
    "depthwise": (5, 6, 6, 5, (3, 3), (2, 1), (1, 1), 5),
    "padded_past": (2, 3, 2, 3, (5, 4), (1, 1), (2, 2), 1),
    "whole_image": (3, 6, 5, 11, (6, 5), (1, 1), (0, 0), 1),
    "row": (4, 1, 23, 6, (1, 5), (1, 2), (0, 2), 1),
    "column": (4, 23, 1, 6, (5, 1), (2, 1), (2, 0), 1),
    "wide": (2, 5, 40, 3, (3, 9), (1, 1), (0, 4), 1),
    "dilated": (3, 9, 12, 5, (3, 3), (1, 1), (2, 3), 1, (2, 3)),
    "dilated_strided": (4, 9, 12, 6, (2, 3), (2, 3), (1, 2), 2, (3, 2)),
}
PRODUCTS = {
    "unit": (1, 1),
    "thin": (1, 17),
    "narrow": (17, 1),
    "odd": (33, 13),
    "lenet": (50, 500),
    "even": (64, 32),
    "ten": (129, 10),
}
POOLS = {  # channels, height, width, kernel, stride, pad
    "halves": (5, 8, 8, (2, 2), (2, 2), (0, 0)),
    "halves_odd": (3, 7, 9, (2, 2), (2, 2), (0, 0)),
    "overlap": (2, 7, 6, (3, 3), (2, 2), (0, 0)),
    "dense": (3, 6, 5, (3, 2), (1, 1), (1, 1)),
    "all": (17, 5, 3, (5, 3), (1, 1), (0, 0)),
    "one": (4, 3, 3, (1, 1), (1, 1), (0, 0)),
    "gaps": (2, 9, 9, (2, 2), (3, 3), (0, 0)),
    "padded": (1, 6, 6, (4, 4), (3, 3), (2, 2)),
    "row": (3, 1, 19, (1, 4), (1, 4), (0, 1)),
    "cut": (6, 14, 8, (4, 2), (3, 2), (1, 1)),
    "cut_halves": (6, 8, 8, (2, 2), (2, 2), (1, 1)),
}
SUMS = {  # shape without batch, axes, before, after
    "across": ((9, 3, 4), (1,), 2, 2),
    "within": ((3, 9, 10), (2, 3), 1, 1),
    "even": ((2, 5, 17), (2, 3), 1, 2),
    "beyond": ((2, 3, 2), (2, 3), 4, 4),
    "features": ((19,), (1,), 1, 1),
    "volume": ((2, 3, 4, 9), (4,), 3, 0),
}
ROWS = {"two": (2,), "ten": (10,), "odd": (33,), "unit": (1,), "positions": (5, 3, 2)}


def size(n, kernel, stride, pad):
    return (n + 2 * pad - kernel) // stride + 1


def convolution(shape, kind):
    c, h, w, f, kernel, stride, pad, group, *dilation = shape
    x, weight = f"f32[b2,{c},{h},{w}]", f"f32[{f},{c // group},{kernel[0]},{kernel[1]}]"
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, *(dilation or [(1, 1)]), strict=True)]
    out = [size(n, k, s, p) for n, k, s, p in zip((h, w), spans, stride, pad, strict=True)]
    dy, attrs = f"f32[b2,{f},{out[0]},{out[1]}]", {"stride": stride, "pad": pad, "group": group}
    attrs |= {"dilation": dilation[0]} if dilation else {}
    if kind == "conv":
        return Sample((x, weight, f"f32[{f}]"), attrs)
    if kind == "conv_dx":
        return Sample((dy, weight), {"shape": (2, c, h, w), **attrs})
    return Sample((x, dy), {"kernel": kernel, **attrs})


def product(shape, kind):
    features, outputs = shape
    x, dy, w = f"f32[b2,{features}]", f"f32[b2,{outputs}]", f"f32[{outputs},{features}]"
    operands = {"inner_product": (x, w, f"f32[{outputs}]"), "inner_product_dx": (dy, w), "inner_product_dw": (x, dy)}
    return Sample(operands[kind])


def pool(shape, kind):
    c, h, w, kernel, stride, pad = shape
    x = f"f32[b2,{c},{h},{w}]"
    attrs = {"kernel": kernel, "stride": stride, "pad": pad}
    if kind.startswith("mean"):
        attrs["divisor"] = "kernel"
    if not kind.endswith("dx"):
        return Sample((x,), attrs)
    forward = draw(OPS[kind.removesuffix("_dx")], Sample((x,), attrs))
    outputs = forward.op.infer(*forward.types, **attrs)
    cells = {1: (0, kernel[0] * kernel[1])} if len(outputs) > 1 else {}
    return Sample(tuple(str(t) for t in outputs), {"shape": (2, c, h, w), **attrs}, integers=cells)


def window_sum(shape, kind):
    extents, axes, before, after = shape
    attrs = {"axes": axes, "before": before, "after": after, "square": True}
    return Sample((f"f32[b2,{','.join(map(str, extents))}]",), attrs)


def rows(shape, kind):
    x, label = f"f32[b2,{','.join(map(str, shape))}]", f"f32[b2,{','.join(map(str, (1, *shape[1:])))}]"
    if kind == "softmax":
        return Sample((x,), {"axis": 1}, domain=(-20.0, 20.0))
    return Sample((x, label), {"axis": 1}, domain=(-20.0, 20.0), integers={1: (0, shape[0])})


FAMILIES = (
    (("conv", "conv_dx", "conv_dw"), CONVOLUTIONS, convolution),
    (("inner_product", "inner_product_dx", "inner_product_dw"), PRODUCTS, product),
    (("max_pool", "mean_pool", "max_pool_dx", "mean_pool_dx"), POOLS, pool),
    (("lrn_sum",), SUMS, window_sum),
    (("softmax", "softmax_loss", "accuracy"), ROWS, rows),
)
CASES = [
    pytest.param(kind, make(shape, kind), id=f"{kind}-{name}")
    for kinds, shapes, make in FAMILIES
    for kind in kinds
    for name, shape in shapes.items()
]
TURNS = [pytest.param(turn, *case.values, id=case.id) for turn, case in enumerate(CASES)]


def check(kind, sample, batch, dtype="f32", threads=1, **how):
    print(f"{kind} {sample} batch {batch} {dtype} {threads} threads")
    op = OPS[kind]
    case = draw(op, sample, dtype, batch)
    graph = case.graph()
    got = run_graph(graph, case.feeds(), dtype=dtype, threads=threads, **how)
    wide = tuple(a.astype(np.float64) if a.dtype.kind == "f" else a for a in case.arrays)
    wanted = run_reference(op, wide, draw(op, sample, "f64", batch).attrs)
    for i, want in enumerate(wanted):
        found = got[f"y{i}"]
        assert found.dtype == DTYPES[graph.nodes[0].outputs[i].type.dtype]
        scale = max(1.0, float(np.abs(want).max(initial=0)))
        tolerance = op.tolerance if dtype == "f32" else op.tolerance * 1e-7
        np.testing.assert_allclose(found.astype(np.float64), want, rtol=tolerance, atol=tolerance * scale)
    return got


def on(cpu, monkeypatch):
    """From here on code is generated for that CPU; its name is shown where the test fails."""
    monkeypatch.setenv("MOCHAC_CPU", cpu)
    print(f"cpu {cpu or host_cpu().name}")


@pytest.mark.parametrize(("name", "width"), [("haswell", 32), ("x86-64", 16)])
def test_older_cpus_are_really_meant(name, width):
    """Their code runs here: the target has fewer lanes, not this machine's."""
    target = CpuBackend(Options(cpu=name)).generator.target
    assert (target.name, target.vector_bytes, target.registers, target.fma) == (name, width, 16, width > 16)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["", "haswell", pytest.param("x86-64", marks=pytest.mark.slow)])
def test_a_few_corners(cpu, monkeypatch):
    """The quick share: one case per family."""
    on(cpu, monkeypatch)
    check("conv", convolution(CONVOLUTIONS["odd"], "conv"), 17, threads=2)
    check("conv_dw", convolution(CONVOLUTIONS["odd"], "conv_dw"), 3, threads=3)
    check("inner_product", product(PRODUCTS["odd"], "inner_product"), 17)
    check("max_pool", pool(POOLS["halves_odd"], "max_pool"), 5)
    check("mean_pool_dx", pool(POOLS["overlap"], "mean_pool_dx"), 5)
    check("lrn_sum", window_sum(SUMS["even"], "lrn_sum"), 17)
    check("softmax_loss", rows(ROWS["positions"], "softmax_loss"), 33)


@pytest.mark.slow
@pytest.mark.parametrize(("turn", "kind", "sample"), TURNS)
def test_every_batch_size(turn, kind, sample, monkeypatch):
    """One for a case, the next for the next; for all of them on one CPU, then on the others."""
    on(CPUS[turn // len(BATCHES) % len(CPUS)], monkeypatch)
    check(kind, sample, BATCHES[turn % len(BATCHES)])


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize(("turn", "kind", "sample"), TURNS)
def test_float64(turn, kind, sample, monkeypatch):
    """One batch size for a case, the other for the next."""
    on(CPUS[turn // 3 % 3], monkeypatch)
    check(kind, sample, (1, 9)[turn % 2], "f64")


@pytest.mark.soak
@pytest.mark.parametrize(("kind", "sample"), CASES)
def test_every_batch_size_on_every_cpu(kind, sample, monkeypatch):
    for name in CPUS:
        on(name, monkeypatch)
        for batch in BATCHES:
            check(kind, sample, batch)
        for batch in (1, 9):
            check(kind, sample, batch, "f64")


@pytest.mark.sampled(0, test=4)
@pytest.mark.parametrize(("turn", "kind", "sample"), TURNS)
def test_threads_share_out_the_same_bits(turn, kind, sample):
    first, threads = check(kind, sample, 33), (2, 3, 5)[turn % 3]
    for name, value in check(kind, sample, 33, threads=threads).items():
        assert value.tobytes() == first[name].tobytes(), f"{name}, {threads} threads"


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize(("kind", "sample"), CASES)
def test_natural_layout(kind, sample):
    """Without blocked values: what small plans and other backends start from."""
    check(kind, sample, 17, layout=False)


@pytest.mark.soak
@pytest.mark.parametrize(("kind", "sample"), CASES)
def test_one_sample_in_natural_layout(kind, sample):
    check(kind, sample, 1, layout=False)
