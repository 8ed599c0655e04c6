"""Long float32 sums on a GPU: no thread adds up many numbers one after another, and the emulator's results say so."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from codegen.cuda.cuda_kernels import SMALL, Prepared, prepared
from codegen.kernels import CONV, op_graph
from emulated import run_kernels
from grid_launches import device_arrays, grid_launches
from skips import needs_gxx

from mochac.codegen.cuda.module import print_module
from mochac.codegen.cuda.schedules import choose
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.grids import grids, threads_of
from mochac.ir.kernel import Accum, If, Kernel, Loop, Stmt, Store
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels

H100 = CudaTarget(90, multiprocessors=132)
MOST = 512
"""Terms that a thread adds one after another: those of a level of a sum of 250,000 of them."""
LARGE: dict[str, tuple[str, tuple[str, ...], dict[str, object]]] = {
    "a row": ("reduce_sum", ("f32[b4,1000000]",), {"axes": (1,)}),
    "a long row": ("reduce_sum", ("f32[b1,10000000]",), {"axes": (1,)}),
    "an odd row": ("reduce_sum", ("f32[b3,999983]",), {"axes": (1,)}),
    "all": ("reduce_sum", ("f32[1000000]",), {"axes": (0,)}),
    "channels": ("reduce_sum", ("f32[b128,32,64,64]",), {"axes": (0, 2, 3)}),
    "columns": ("reduce_sum", ("f32[b1000000,10]",), {"axes": (0,)}),
    "columns of positions": ("reduce_sum", ("f32[b64,512,256]",), {"axes": (0, 1)}),
    "many rows": ("reduce_sum", ("f32[b65536,2000]",), {"axes": (1,)}),
    "softmax": ("softmax", ("f32[b2,1000000]",), {"axis": 1}),
    "softmax loss": ("softmax_loss", ("f32[b4,1000000]", "f32[b4,1]"), {"axis": 1}),
    "filters": ("conv_dw", ("f32[b16,3,256,256]", "f32[b16,5,254,254]"), {**CONV, "kernel": (3, 3)}),
}
SUMMED: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "an odd row": ((1, 299_983), (1,)),
    "a channel": ((40, 1, 96, 80), (0, 2, 3)),
    "columns": ((60_000, 20), (0,)),
}


def in_a_row(scheduled: Kernel) -> int:
    """The most terms that one thread adds to a local before it starts anew."""
    most = 0
    for number, grid in enumerate(grids(scheduled)):
        threads, started = threads_of(scheduled, number) or 1, dict[str, tuple[Loop, ...]]()
        for stmt, around in _statements(grid.body):
            if isinstance(stmt, Store):
                started.setdefault(stmt.buffer, around)
            elif isinstance(stmt, Accum) and stmt.fn != "max":
                sums = [s for s in around if s.kind == "sum" and s not in started.get(stmt.buffer, ())]
                shared, own = ([s.extent or 1 for s in sums if (s.run == "threads") is of] for of in (True, False))
                most = max(most, math.ceil(math.prod(shared) / threads) * math.prod(own))
    return most


def _statements(body: tuple[Stmt, ...], around: tuple[Loop, ...] = ()) -> Iterator[tuple[Stmt, tuple[Loop, ...]]]:
    for stmt in body:
        yield stmt, around
        if isinstance(stmt, (Loop, If)):
            yield from _statements(stmt.body, (*around, stmt) if isinstance(stmt, Loop) else around)


@pytest.mark.parametrize("name", LARGE)
def test_no_thread_adds_up_many_numbers(name: str) -> None:
    op, types, attrs = LARGE[name]
    for kernel in to_kernels(fuse(op_graph(op, types, **attrs))):
        assert 1 < in_a_row(apply(choose(kernel, H100), kernel)) <= MOST


def emulated(kernels: list[Prepared], watched: bool) -> dict[str, np.ndarray]:
    source = print_module([k.code for k in kernels], SMALL)
    found: dict[str, np.ndarray] = {}
    for k in kernels:
        arrays = {b.name: np.ascontiguousarray(k.inputs[b.name]) for b in k.naive.inputs} | device_arrays(k.code)
        arrays |= {b.name: np.zeros(b.type.shape, np.float32) for b in k.naive.outputs}
        found |= run_kernels(source, grid_launches(k.code), arrays, watched=watched)
    return found


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize("name", SUMMED)
def test_sums_of_many_numbers(name: str) -> None:
    """One after another, the columns' numbers lose 8e-7. Races are looked for in columns."""
    shape, axes = SUMMED[name]
    x = np.random.default_rng(1).uniform(0.5, 1.5, shape).astype(np.float32)
    graph = op_graph("reduce_sum", (f"f32[b{','.join(map(str, shape))}]",), axes=axes)
    got = emulated(list(prepared(graph, {"x0": x}, "sum", SMALL)), watched=name == "columns")
    np.testing.assert_allclose(got["y0"], x.sum(axis=axes, dtype=np.float64), rtol=3e-7)
