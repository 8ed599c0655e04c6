"""Attention in strips on a GPU: blocks compute scores, softmax and products of a strip in shared memory."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.attention_graphs import attention, drawn
from codegen.cuda.cuda_kernels import SMALL
from counters import count_kernels
from emulated import run_kernels
from grid_launches import grid_launches
from skips import needs_gxx

from mochac.codegen.cuda.module import print_kernel, print_module
from mochac.codegen.cuda.schedules import choose
from mochac.codegen.cuda.schedules.items import in_strips, refuse
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.group_graph import FusionTarget
from mochac.ir.passes.join_items import join_items
from mochac.ir.passes.join_kernels import Staged
from mochac.ir.passes.recompute import recompute
from mochac.ir.passes.simplify import simplify
from mochac.ir.text import parse
from mochac.ir.types import garbage

H100 = CudaTarget(90, multiprocessors=132)
WIDE = {"B": 4, "H": 2, "Q": 64, "K": 64, "D": 32, "E": 32, "M": 64 * 2 * 32}


def joined(graph, refused):
    fused = fuse(recompute(simplify(graph)), target=FusionTarget(near_bytes=1 << 16))
    return [k for k in join_items(Staged.of(fused), refused, maps=True).kernels if k.members]


def unfit(kernel):
    return "" if in_strips(kernel, SMALL) else "no strip fits"


def draw(kernel, rng):
    return {b.name: rng.standard_normal(b.type.shape).astype(b.type.dtype.replace("f", "float")) for b in kernel.inputs}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(12))
def test_random_attention(seed):
    """Schedules give the results of the kernels as staged, both run by the interpreter."""
    rng = np.random.default_rng(seed)
    kernels = joined(drawn(seed), unfit)
    for kernel in kernels:
        scheduled = apply(choose(kernel, SMALL), kernel)
        verify_kernel(scheduled, printable=True)
        inputs = draw(kernel, rng)
        want, got = run_kernel(kernel, inputs), run_kernel(scheduled, inputs)
        for name, array in want.items():
            np.testing.assert_allclose(got[name], array, rtol=1e-9, atol=1e-9)


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize("sizes", [WIDE, {**WIDE, "Q": 21, "K": 17, "D": 19, "E": 8, "M": 21 * 2 * 8}])
def test_on_the_emulator(sizes):
    """The interpreter's numbers, and no race."""
    rng = np.random.default_rng(1)
    kernels = joined(attention(sizes, causal=sizes is WIDE), unfit)
    assert kernels
    codes = [print_kernel(apply(choose(k, SMALL), k), SMALL) for k in kernels]
    source = print_module(codes, SMALL)
    for kernel, code in zip(kernels, codes, strict=True):
        inputs = draw(kernel, rng)
        arrays = inputs | {b.name: garbage(b.type.shape, b.type.dtype) for b in kernel.outputs}
        got = run_kernels(source, grid_launches(code), arrays)
        for name, want in run_kernel(kernel, inputs).items():
            np.testing.assert_allclose(got[name], want, rtol=1e-9, atol=1e-9, err_msg=name)


def single(sizes):
    """The graph in float32."""
    return parse(str(attention(sizes, True)).replace("f64", "f32"))


@pytest.mark.slow
def test_sums_over_rows_stay_apart():
    """Gradients of keys and values add up all rows, so strips would wait for each other."""
    kernels = joined(single(WIDE), lambda kernel: refuse(kernel, H100))
    assert sorted(len(k.members) for k in kernels) == [3, 3]
    made = {b.name for k in kernels for b in k.outputs}
    assert {"y", "half"} <= made and made.isdisjoint({"dk", "dv"})


@pytest.mark.slow
def test_long_rows_of_scores_stay_apart():
    """They do not fit in shared memory; weights are stored for their gradients anyway."""
    sizes = {**WIDE, "Q": 2048, "K": 2048, "M": 2048 * 2 * 32}
    kernels = joined(single(sizes), lambda kernel: refuse(kernel, H100))
    assert all(kernel.members[0][0] != "einsum" for kernel in kernels)


@needs_gxx
@pytest.mark.slow
def test_rows_are_in_different_banks():
    for kernel in joined(single(WIDE), lambda kernel: refuse(kernel, H100)):
        code = print_kernel(apply(choose(kernel, H100), kernel), H100)
        arrays = draw(kernel, np.random.default_rng(1))
        arrays |= {b.name: np.zeros(b.type.shape, np.float32) for b in kernel.outputs}
        (counts,) = count_kernels(print_module([code], H100), grid_launches(code), arrays)
        assert counts.worst_ways <= 4
