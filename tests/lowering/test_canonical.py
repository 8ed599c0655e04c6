"""Kernels that differ in names only share one schedule and one function, and come back under their own names."""

import re

import pytest
from codegen.kernels import CASES, case

from mochac.codegen.canonical import canonical, named, renamed
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir import parse
from mochac.ir.applying import apply
from mochac.lowering.pipeline import lower

TARGET = CpuTarget.of("skylake-avx512", 64)


def test_names_come_back():
    for name in CASES:
        kernel = case(name)
        plain, names = canonical(kernel)
        assert renamed(plain, names).with_(name=kernel.name, loc=kernel.loc) == kernel


QUICK = {"conv-padded", "inner_product", "max_pool_dx", "softmax_loss"}


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in CASES])
def test_scheduling_the_canonical_kernel_is_scheduling_the_kernel(name):
    kernel = case(name)
    plain, names = canonical(kernel)
    schedule = choose(plain, TARGET)
    assert named(schedule, names) == choose(kernel, TARGET)
    there_and_back = renamed(apply(schedule, plain), names).with_(name=kernel.name, loc=kernel.loc)
    assert str(there_and_back) == str(apply(choose(kernel, TARGET), kernel))


def test_equal_kernels_are_printed_once():
    graph = parse("""graph @g(%x: f32[8,16], %v: f32[8,16], %w: f32[5,16] param) {
      %a: f32[8,5] = inner_product(%x, %w)
      %b: f32[8,5] = inner_product(%v, %w)
      return %a, %b
    }""")
    calls = []

    def counting(kernel):
        calls.append(kernel)
        return choose(kernel, TARGET)

    lowered = lower(graph, CpuGenerator(TARGET), scalars={}, named={"a": "a", "b": "b"}, layout=False, chooser=counting)
    first, second = lowered.kernels
    assert len(calls) == 1
    assert first.code is second.code
    assert ("%v[" in str(first.scheduled), "%v[" in str(second.scheduled)) == (False, True)
    assert second.scheduled.name == second.naive.name


GRADIENTS = """graph @g(%x: f32[b64,20,12,12], %v: f32[b64,20,12,12], %d: f32[b64,50,8,8], %e: f32[b64,50,8,8]) {
  %a: f32[50,20,5,5] = conv_dw(%x, %d) {group = 1, kernel = (5, 5), pad = (0, 0), stride = (1, 1)}
  %b: f32[50,20,5,5] = conv_dw(%v, %e) {group = 1, kernel = (5, 5), pad = (0, 0), stride = (1, 1)}
  return %a, %b
}"""


@pytest.mark.slow
def test_equal_kernels_of_a_device_share_functions():
    """They have the names of the first kernel; every kernel's grids are launched on buffers of its own."""
    generator = CudaGenerator(CudaTarget(90, multiprocessors=132))
    lowered = lower(parse(GRADIENTS), generator, scalars={}, named={"a": "a", "b": "b"})
    first, second = lowered.kernels
    assert first.code is second.code
    assert "x[" in first.code.text and "v[" not in first.code.text.replace("(float4*)", "")
    assert len(re.findall(r"^mochac_conv_dw\w*\(", lowered.text, re.M)) == 2
    grids = {
        k.naive.name: [g for g in lowered.plan.launches if k.naive.name in (g.kernel, g.of)] for k in (first, second)
    }
    (sums, adds), (others, more) = grids.values()
    assert (sums.symbol, adds.symbol) == (others.symbol, more.symbol) and sums.symbol != adds.symbol
    assert (sums.buffers[:2], others.buffers[:2]) == (("x", "d"), ("v", "e"))
    assert (adds.buffers, more.buffers) == ((sums.buffers[2], "a"), (others.buffers[2], "b"))
    assert sums.buffers[2] != others.buffers[2]
