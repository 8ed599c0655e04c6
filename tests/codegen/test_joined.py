"""Joined kernels as the CPU's rules schedule them: random attention, strip by strip, against the kernels as staged."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np
import pytest
from codegen.attention_graphs import attention, drawn

from mochac.codegen.cpu.schedules import choose, joined_kernels
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel import Let, Loop, Stmt, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.group_graph import FusionTarget
from mochac.ir.passes.join_items import join_items
from mochac.ir.passes.join_kernels import Staged
from mochac.ir.passes.recompute import recompute
from mochac.ir.passes.simplify import simplify


@pytest.mark.sampled(12, test=3)
@pytest.mark.parametrize(("cpu", "vector_bytes"), [("haswell", 32), ("znver5", 64)])
@pytest.mark.parametrize("seed", range(12))
def test_random_attention(seed, cpu, vector_bytes, monkeypatch):
    """Few rows to a strip, so that there are several; all is kept, or all is computed again."""
    rng = np.random.default_rng(seed)
    monkeypatch.setattr(joined_kernels, "SIZES", (int(rng.choice([3, 4, 8])),))
    graph, target = (
        fuse(recompute(simplify(drawn(seed))), target=FusionTarget(near_bytes=1 << 20)),
        CpuTarget.of(cpu, vector_bytes),
    )
    found = (join_items(Staged.of(graph), most_kept=kept).kernels for kept in (0, 1 << 30))
    joined = [k for kernels in found for k in kernels if k.members]
    assert len(joined) >= 3
    for kernel in joined:
        scheduled = apply(choose(kernel, target), kernel)
        verify_kernel(scheduled, printable=True)
        inputs = {b.name: rng.standard_normal(b.type.shape).astype(np.float64) for b in kernel.inputs}
        want, got = run_kernel(kernel, inputs), run_kernel(scheduled, inputs)
        for name, array in want.items():
            np.testing.assert_allclose(got[name], array, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("causal", [False, True])
def test_exponentials_of_a_strip_are_computed_once(causal, monkeypatch):
    monkeypatch.setattr(joined_kernels, "SIZES", (8,))
    graph = attention({"B": 4, "H": 2, "Q": 32, "K": 32, "D": 8, "E": 8, "M": 32 * 2 * 8}, causal)
    fused = fuse(recompute(simplify(graph)), target=FusionTarget(near_bytes=1 << 20))
    (forward,) = [k for k in join_items(Staged.of(fused)).kernels if "softmax" in k.name and k.members]
    found = walk(apply(choose(forward, CpuTarget.of("haswell", 32)), forward).body)
    assert sum(isinstance(s, Let) and s.fn == "exp" for s in found) == 1


@pytest.mark.parametrize(("rows", "team", "items"), [(32, 4, 8), (32, 16, 8), (29, 4, 8), (29, 16, 8)])
def test_strips_that_do_not_need_each_other_are_items(rows, team, items, monkeypatch):
    """The last strip, where it is shorter, gets an item of its own if there are too few items for the threads."""
    monkeypatch.setattr(joined_kernels, "SIZES", (8,))
    graph = attention({"B": 2, "H": 1, "Q": rows, "K": 32, "D": 8, "E": 8, "M": rows * 8}, causal=False)
    fused = fuse(recompute(simplify(graph)), target=FusionTarget(near_bytes=1 << 20))
    (forward,) = [k for k in join_items(Staged.of(fused)).kernels if "softmax" in k.name and k.members]
    target = replace(CpuTarget.of("haswell", 32), team=team)
    scheduled = apply(choose(forward, target), forward)
    verify_kernel(scheduled, printable=True)
    assert sum(parallel_items(nest) for nest in scheduled.body) == items
    inputs = {b.name: np.random.default_rng(2).standard_normal(b.type.shape) for b in forward.inputs}
    want, got = run_kernel(forward, inputs), run_kernel(scheduled, inputs)
    for name, array in want.items():
        np.testing.assert_allclose(got[name], array, rtol=1e-9, atol=1e-9)


def parallel_items(nest: Stmt) -> int:
    return prod(loop.extent or 0 for loop in walk((nest,)) if isinstance(loop, Loop) and loop.run == "parallel")
