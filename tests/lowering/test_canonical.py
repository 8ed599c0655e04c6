"""Kernels that differ in names only share one schedule and one function, and come back under their own names."""

import pytest
from codegen.kernels import CASES, case

from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.lowering.canonical import canonical, named, renamed
from mochac.lowering.pipeline import Clock, schedule_kernel

TARGET = CpuTarget.of("skylake-avx512", 64)


def test_names_come_back():
    for name in CASES:
        kernel = case(name)
        plain, names = canonical(kernel)
        assert renamed(plain, names).with_(name=kernel.name, loc=kernel.loc) == kernel


QUICK = {"conv2d-padded", "inner_product", "max_pool_dx", "softmax_loss"}


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in CASES])
def test_scheduling_the_canonical_kernel_is_scheduling_the_kernel(name):
    kernel = case(name)
    plain, names = canonical(kernel)
    schedule = choose(plain, TARGET)
    assert named(schedule, names) == choose(kernel, TARGET)
    there_and_back = renamed(apply(schedule, plain), names).with_(name=kernel.name, loc=kernel.loc)
    assert str(there_and_back) == str(apply(choose(kernel, TARGET), kernel))


def test_equal_kernels_are_printed_once():
    calls = []

    def counting(kernel):
        calls.append(kernel)
        return choose(kernel, TARGET)

    one = case("inner_product")
    other = renamed(one, {"x1": "another.weight", "y0": "result"}).with_(name="other")
    done = {}
    first, second = (schedule_kernel(k, k, CpuGenerator(TARGET), counting, Clock(), done) for k in (one, other))
    assert len(calls) == 1
    assert first.code is second.code
    assert "another.weight" in str(second.scheduled)
    assert second.scheduled.name == "other"
