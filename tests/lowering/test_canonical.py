"""Kernels alike but for names share one schedule and one function, and come back under their own names."""

import pytest
from codegen.kernels import CASES, case

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.lowering.canonical import named, nameless, renamed
from mochac.lowering.pipeline import Clock, schedule_kernel

TARGET = CpuTarget.of("skylake-avx512", 64)


def test_names_come_back():
    for name in CASES:
        kernel = case(name)
        alike, names = nameless(kernel)
        assert renamed(alike, names).with_(name=kernel.name, loc=kernel.loc) == kernel


QUICK = {"conv2d-padded", "inner_product", "max_pool_dx", "softmax_loss"}


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in CASES])
def test_scheduling_the_nameless_kernel_is_scheduling_the_kernel(name):
    kernel = case(name)
    alike, names = nameless(kernel)
    schedule = choose(alike, TARGET)
    assert named(schedule, names) == choose(kernel, TARGET)
    there_and_back = renamed(apply(schedule, alike), names).with_(name=kernel.name, loc=kernel.loc)
    assert str(there_and_back) == str(apply(choose(kernel, TARGET), kernel))


def test_equal_kernels_are_printed_once():
    calls = []

    def counting(kernel, target):
        calls.append(kernel)
        return choose(kernel, target)

    one = case("inner_product")
    other = renamed(one, {"x1": "another.weight", "y0": "result"}).with_(name="other")
    done = {}
    first, second = (schedule_kernel(k, TARGET, counting, Clock(), done) for k in (one, other))
    assert len(calls) == 1
    assert first.code is second.code
    assert "another.weight" in str(second.scheduled)
    assert second.scheduled.name == "other"
