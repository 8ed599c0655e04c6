"""Kernels that differ in names only share one schedule and one function, and come back under their own names."""

import pytest
from codegen.kernels import CASES, case

from mochac.codegen.canonical import canonical, named, renamed
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
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
