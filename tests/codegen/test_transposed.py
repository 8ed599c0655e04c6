"""Maps that read along another axis than they write: their schedule moves the same numbers, whatever the extents."""

from dataclasses import replace

import numpy as np
import pytest
from kernels import items_of, naive_kernels, op_graph

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.lowering.run_graph import run_graph

TARGET = CpuTarget.of("znver5", 64)


@pytest.mark.parametrize(
    ("shape", "order"), [((48, 32), (1, 0)), ((37, 50), (1, 0)), ((19, 3, 33), (2, 1, 0)), ((3, 17, 40), (0, 2, 1))]
)
def test_permutations(shape, order):
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    graph = op_graph("permute", (f"f32[{','.join(map(str, shape))}]",), order=order)
    (kernel,) = naive_kernels(graph)
    schedule = choose(kernel, TARGET)
    assert schedule.name == "transposed.tiles"
    (made,) = run_kernel(apply(schedule, kernel), {kernel.inputs[0].name: x}).values()
    np.testing.assert_array_equal(made, x.transpose(order))
    (name,) = (i.name for i in graph.inputs)
    for threads in (1, 2):
        np.testing.assert_array_equal(run_graph(graph, {name: x}, threads=threads)["y0"], x.transpose(order))


@pytest.mark.parametrize(("shape", "order"), [((1, 56, 56, 96), (0, 3, 1, 2)), ((1, 96, 40, 56), (0, 2, 3, 1))])
def test_threads_share_one_sample(shape, order):
    (kernel,) = naive_kernels(op_graph("permute", (f"f32[{','.join(map(str, shape))}]",), order=order))
    assert sum(items_of(apply(choose(kernel, replace(TARGET, team=16)), kernel))) >= 16


def test_whole_vectors_on_both_sides_need_no_turning():
    """The last axis stays, or one side has less than a vector."""
    for shape, order in (((4, 32, 32), (1, 0, 2)), ((64, 9), (1, 0))):
        (kernel,) = naive_kernels(op_graph("permute", (f"f32[{','.join(map(str, shape))}]",), order=order))
        assert choose(kernel, TARGET).name != "transposed.tiles"
