"""Kernels large enough for the schedules with shared memory, on the emulator; and each of their barriers is needed.

Extents are uneven: the last block, the last panel and the last vector are all partly outside.
"""

import re

import cuda_runs
import emulated
import numpy as np
import pytest
from cuda_runs import Case, run_graphs
from grid_launches import grid_launches
from kernels import op_graph
from skips import needs_gxx

from mochac.codegen.cuda.module import print_kernel, print_module
from mochac.codegen.cuda.schedules import choose
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.op import OPS, run_reference
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels

pytestmark = [needs_gxx, pytest.mark.slow]
CONV = {"stride": (1, 1), "pad": (0, 0), "group": 1}
PADDED = {"stride": (2, 1), "pad": (2, 1), "group": 1}
GROUPS = {"stride": (1, 1), "pad": (1, 1), "group": 2}
KERNELS = {
    "inner_product": ("inner_product", ("f32[b37,83]", "f32[51,83]", "f32[51]"), {}),
    "inner_product_dx": ("inner_product_dx", ("f32[b37,51]", "f32[51,83]"), {}),
    "inner_product_dw": ("inner_product_dw", ("f32[b37,83]", "f32[b37,51]"), {}),
    "inner_product-vectors": ("inner_product", ("f32[b32,400]", "f32[36,400]", "f32[36]"), {}),
    "inner_product_dx-vectors": ("inner_product_dx", ("f32[b32,300]", "f32[300,36]"), {}),
    "conv": ("conv", ("f32[b9,5,12,11]", "f32[13,5,5,4]", "f32[13]"), CONV),
    "conv-padded": ("conv", ("f32[b9,5,12,11]", "f32[13,5,5,4]"), PADDED),
    "conv-groups": ("conv", ("f32[b9,6,12,11]", "f32[14,3,3,3]"), GROUPS),
    "conv_dx": ("conv_dx", ("f32[b9,13,8,8]", "f32[13,5,5,4]"), {**CONV, "shape": (9, 5, 12, 11)}),
    "conv_dx-padded": ("conv_dx", ("f32[b9,13,6,10]", "f32[13,5,5,4]"), {**PADDED, "shape": (9, 5, 12, 11)}),
    "conv_dw": ("conv_dw", ("f32[b9,5,12,11]", "f32[b9,13,8,8]"), {**CONV, "kernel": (5, 4)}),
    "conv_dw-groups": ("conv_dw", ("f32[b9,6,12,11]", "f32[b9,14,12,11]"), {**GROUPS, "kernel": (3, 3)}),
    "reduce_sum": ("reduce_sum", ("f32[9,5,24,23]",), {"axes": (0, 2, 3)}),
    "reduce_sum-all": ("reduce_sum", ("f32[b37,1000]",), {"axes": (0, 1)}),
    "softmax_loss": ("softmax_loss", ("f32[b5,1000]", "f32[b5,1]"), {"axis": 1}),
    "softmax_loss-warps": ("softmax_loss", ("f32[b37,1000]", "f32[b37,1]"), {"axis": 1}),
    "softmax": ("softmax", ("f32[b9,300,3]",), {"axis": 1}),
}


def case(name, dtype="f32"):
    op, types, attrs = KERNELS[name]
    graph = op_graph(op, tuple(t.replace("f32", dtype) for t in types), **attrs)
    rng = np.random.default_rng(5)
    feeds = {i.name: rng.standard_normal(i.type.shape).astype("f4" if dtype == "f32" else "f8") for i in graph.inputs}
    if op == "softmax_loss":
        feeds["x1"] = rng.integers(0, 1000, feeds["x1"].shape).astype(feeds["x1"].dtype)
    return Case(f"{name.replace('-', '_')}_{dtype}", graph, feeds)


@pytest.mark.slow
@pytest.mark.parametrize("types", [("f32[b30,510]", "f32[37,510]"), ("f32[b16,512]", "f32[32,512]")])
def test_panels_of_more_than_a_function_declares(types):
    """Copied element by element, and in vectors; each thread must wait for its copies."""
    (kernel,) = to_kernels(fuse(op_graph("inner_product", types)))
    target = CudaTarget(90, multiprocessors=4)
    code = print_kernel(apply(choose(kernel, target), kernel), target)
    assert code.grids[0].shared_bytes > 48 << 10 and "mochac_copy_async<" in code.text
    rng = np.random.default_rng(5)
    arrays = {b.name: rng.standard_normal(b.type.shape).astype("f4") for b in (*kernel.inputs, *kernel.outputs)}
    (result,) = (b.name for b in kernel.outputs)
    source = print_module([code], target)
    got = emulated.run_kernels(source, grid_launches(code), arrays)[result]
    want = arrays["x0"].astype("f8") @ arrays["x1"].T.astype("f8")
    np.testing.assert_allclose(got, want, rtol=3e-5, atol=3e-5)
    with pytest.raises(emulated.EmulatorError, match="a copy into shared memory has not arrived"):
        emulated.run_kernels(source.replace("mochac_copies_arrived();", ""), grid_launches(code), arrays)


@pytest.mark.sampled(0, test=2)
@pytest.mark.parametrize("name", list(KERNELS))
def test_equals_reference(name):
    runs = {dtype: case(name, dtype) for dtype in ("f32", "f64")}
    results = run_graphs(list(runs.values()))
    op, _, attrs = KERNELS[name]
    for dtype, tolerance in {"f32": 3e-5, "f64": 1e-12}.items():
        run = runs[dtype]
        wants = run_reference(OPS[op], tuple(a.astype("f8") for a in run.feeds.values()), attrs)
        for k, want in enumerate(wants):
            got, near = results[run.name][f"y{k}"], tolerance * np.abs(want).max()
            np.testing.assert_allclose(got, want, rtol=tolerance, atol=near, err_msg=dtype)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "spare"),
    [
        ("inner_product_dw", 0),
        ("inner_product-vectors", 0),
        ("conv", 0),
        ("conv_dw", 0),
        ("softmax_loss", 1),
    ],  # its maximum is taken once only
)
def test_no_barrier_can_be_left_out(name, spare, monkeypatch):
    run_kernels, survived, messages = emulated.run_kernels, [], []

    def without_each(source, launches, arrays):
        for barrier in re.finditer(r"__syncthreads\(\);", source):
            try:
                run_kernels(source[: barrier.start()] + ";" + source[barrier.end() :], launches, arrays)
                survived.append(barrier.start())
            except emulated.EmulatorError as error:
                messages.append(str(error))
        assert "__syncthreads" in source
        return run_kernels(source, launches, arrays)

    monkeypatch.setattr(cuda_runs, "run_kernels", without_each)
    run_graphs([case(name)])
    assert len(survived) == spare
    assert messages and all(re.search("race|no thread wrote", m) for m in messages)
