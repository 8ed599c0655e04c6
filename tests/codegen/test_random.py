"""Kernels that draw: the reference's numbers bit for bit in any layout, at any extent; each block of them made once."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.codegen.cpu.module import print_kernel
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir import Graph, parse
from mochac.ir.applying import apply
from mochac.ir.interp import run
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.group_graph import FusionTarget
from mochac.ir.passes.to_kernels import to_kernels
from mochac.lowering.run_graph import run_graph

AVX512, AVX2 = CpuTarget.of("skylake-avx512", 64), CpuTarget.of("haswell", 32)
SHAPES = ((32, 2, 3, 4), (20, 3, 5, 5), (33, 1, 1, 3), (18, 87), (17, 64), (5, 75), (20, 40), (1, 130), (3, 7))
PRODUCTS_OF_A_BLOCK = 20
"""Two a round, ten rounds."""


def drawing(shape: tuple[int, ...], op: str = "dropout_mask") -> Graph:
    """Numbers drawn for images, which are blocked, or for rows, which are natural, and used beside others."""
    dims = ",".join(map(str, shape))
    ratio = "ratio = 0.25, " if op == "dropout_mask" else ""
    walk = "conv(%x, %w) {group = 1, pad = (0,0), stride = (1,1)}" if len(shape) == 4 else "exp(%x)"
    return parse(f"""graph @g(%step: i64[] hyper, %x: f32[b{dims}], %w: f32[{shape[1]},{shape[1]},1,1] param) {{
      %c: f32[b{dims}] = {walk}
      %m: f32[b{dims}] = {op}(%step) {{batch = true, dtype = "f32", key = 77, {ratio}shape = ({dims})}}
      %y: f32[b{dims}] = mul(%c, %m)
      return %m, %y
    }}""")


def feeds(graph: Graph) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    print("seed 3")
    found = {i.name: rng.normal(size=i.type.shape).astype(np.float32) for i in graph.inputs}
    return {**found, "step": np.asarray(41, np.int64)}


def drawn_by(graph: Graph, target: CpuTarget) -> Kernel:
    laid_out = fuse(assign_layout(graph, target.lanes("f32")), target=FusionTarget(separate_random=True))
    return next(k for k in to_kernels(laid_out) if "step" in {b.name for b in k.inputs})


@pytest.mark.parametrize("target", [AVX512, AVX2], ids=lambda t: t.name)
@pytest.mark.parametrize("shape", SHAPES)
def test_scheduled_equals_naive(shape, target):
    graph = drawing(shape)
    kernel = drawn_by(graph, target)
    scheduled = apply(choose(kernel, target), kernel)
    verify_kernel(scheduled, printable=True)
    given = {b.name: feeds(graph)["step"] if b.name == "step" else np.ones(b.type.shape, "f4") for b in kernel.inputs}
    want, got = run_kernel(kernel, given), run_kernel(scheduled, given)
    assert all(np.array_equal(got[name].reshape(want[name].shape), want[name]) for name in want)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("cpu", ["", "haswell", "x86-64"])
@pytest.mark.parametrize("op", ["dropout_mask", "random_normal"])
@pytest.mark.parametrize("shape", SHAPES)
def test_compiled_equals_interpreted(shape, op, cpu, monkeypatch):
    monkeypatch.setenv("MOCHAC_CPU", cpu)
    graph = drawing(shape, op)
    want, got = run(graph, feeds(graph)), run_graph(graph, feeds(graph), threads=2)
    if op == "dropout_mask":
        assert np.array_equal(got["m"], want["m"])
    np.testing.assert_allclose(got["m"], want["m"], atol=2e-6)
    np.testing.assert_allclose(got["y"], want["y"], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("shape", "name"), [((32, 3, 5, 5), "random.blocked"), ((20, 128), "random.natural")])
def test_a_block_is_computed_once_for_its_four_numbers(shape, name):
    kernel = drawn_by(drawing(shape), AVX512)
    schedule = choose(kernel, AVX512)
    text = print_kernel(apply(schedule, kernel), AVX512).text
    blocks = 1 if name == "random.natural" else 2  # whole ones, and the three features that 75 leaves
    assert (schedule.name, text.count("= mul <16 x i64>")) == (name, PRODUCTS_OF_A_BLOCK * blocks)
