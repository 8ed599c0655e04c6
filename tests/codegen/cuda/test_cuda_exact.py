"""Convolutions and their data gradients multiply no zeros around an image: what schedules execute, counted from their
loops, for LeNet's and CIFAR-10's layers on an H100; and that the terms left out are left out by whole warps."""

import pytest
from codegen.cuda.cuda_kernels import SMALL, case_kernels
from codegen.kernels import CONV, op_graph

from mochac.codegen.analysis.contraction import contraction
from mochac.codegen.cuda.schedules import choose
from mochac.codegen.cuda.schedules.operands import skips
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.executed import executed_flops
from mochac.ir.grids import grids
from mochac.ir.kernel import If, Kernel, Loop, walk
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels

H100 = CudaTarget(90, multiprocessors=132)
WIDE = {**CONV, "pad": (2, 2)}
LAYERS = {
    "lenet conv2 dx": ("conv_dx", ("f32[b64,50,8,8]", "f32[50,20,5,5]"), {**CONV, "shape": (64, 20, 12, 12)}),
    "lenet conv2 dx, one image": ("conv_dx", ("f32[b1,50,8,8]", "f32[50,20,5,5]"), {**CONV, "shape": (1, 20, 12, 12)}),
    "lenet conv2 dx, many": ("conv_dx", ("f32[b1024,50,8,8]", "f32[50,20,5,5]"), {**CONV, "shape": (1024, 20, 12, 12)}),
    "cifar conv2 dx": ("conv_dx", ("f32[b100,32,16,16]", "f32[32,32,5,5]"), {**WIDE, "shape": (100, 32, 16, 16)}),
    "cifar conv3 dx": ("conv_dx", ("f32[b100,64,8,8]", "f32[64,32,5,5]"), {**WIDE, "shape": (100, 32, 8, 8)}),
    "cifar conv1": ("conv", ("f32[b100,3,32,32]", "f32[32,3,5,5]"), WIDE),
    "cifar conv2": ("conv", ("f32[b100,32,16,16]", "f32[32,32,5,5]"), WIDE),
    "cifar conv3": ("conv", ("f32[b100,32,8,8]", "f32[64,32,5,5]"), WIDE),
}
PADDING = {"cifar conv2 dx": 0.86, "cifar conv3 dx": 0.73, "cifar conv2": 0.86, "cifar conv3": 0.73}
"""Of the nominal products, which count padding, those that are none."""
ZEROS = {"cifar conv3": 1.2, "lenet conv2 dx, one image": 1.5}
"""Where threads share rows of images, and multiply zeros above and below them. For CIFAR that is faster: 22,100 cycles
by the issue model instead of 28,300. For one image of LeNet it is slower, which the tile model does not see: 5,300
cycles instead of 3,760."""


def only_kernel(op: str, types: tuple[str, ...], attrs: dict[str, object]) -> Kernel:
    (kernel,) = to_kernels(fuse(op_graph(op, types, **attrs)))
    return kernel


@pytest.mark.slow
@pytest.mark.parametrize("layer", list(LAYERS))
def test_few_more_products_than_there_are(layer):
    kernel = only_kernel(*LAYERS[layer])
    executed = executed_flops(apply(choose(kernel, H100), kernel))
    assert executed <= 1.1 * kernel.flops * PADDING.get(layer, 1.0) * ZEROS.get(layer, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["conv-exact", "conv_dx-exact", "conv_dx-dilated"])
def test_no_thread_waits_for_another_to_multiply(name):
    """What skips a product depends on the block, or on loops that are unrolled: never on the thread."""
    (case,) = case_kernels(name, "f32", SMALL)
    (grid,) = grids(case.scheduled)
    loops = [s for s in walk(grid.body) if isinstance(s, Loop)]
    threads = {s.var for s in loops if s.run == "threads"}
    unrolled = {s.var for s in loops if s.run == "unroll"}
    limits = [v for s in loops if s.kind == "sum" for limit in (s.lo, s.hi) for v in limit.vars]
    inside = [s for loop in loops if loop.var in threads and loop.kind == "each" for s in walk(loop.body)]
    conds = [c for s in inside if isinstance(s, If) for c in s.conds if set(c.vars) <= unrolled]
    assert executed_flops(case.scheduled) <= 1.01 * case.naive.flops
    assert limits and not threads & set(limits)
    assert conds


def test_how_many_terms_are_left():
    form = contraction(only_kernel("conv_dx", ("f32[b3,8,8,8]", "f32[8,4,3,3]"), {**CONV, "shape": (3, 4, 10, 10)}))
    assert form is not None
    rows, columns = skips(form)
    assert (rows.result, rows.term, rows.extent) == ("ih", "kh", 3)
    assert rows.left == columns.left == (1, 2, 3, 3, 3, 3, 3, 3, 2, 1)
    assert rows.share == 0.8
