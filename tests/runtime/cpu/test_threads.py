"""Any number of threads gives the same bits; programs share the team; float modes are put back."""

from __future__ import annotations

import ctypes
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from cpu_kit import N, arena, kernels, launch, mixing_plan, train_mixing
from patience import HANG_S

from mochac.base.support.memory import aligned_empty
from mochac.ir.plan import Placement, Plan
from mochac.ir.types import parse_type
from mochac.runtime.cpu import compiler, loader
from mochac.runtime.cpu.cpuinfo import host_cpu
from mochac.runtime.cpu.executor import CpuExecutor
from mochac.runtime.cpu.team import item_slots, shares, team

x86_only = pytest.mark.skipif(compiler.arch() != "x86_64", reason="MXCSR is a register of x86")

ROUND_UP = 0x1F80 | 0x4000
"""An MXCSR no one has by chance: round towards plus infinity."""


def test_same_bits_for_any_number_of_threads():
    one = train_mixing(1)
    for threads in range(2, 9):
        assert train_mixing(threads) == one, f"{threads} threads"


def test_same_bits_however_the_steps_are_cut():
    assert train_mixing(2, chunk=1) == train_mixing(2, chunk=9) == train_mixing(2, chunk=4)


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
def test_every_item_is_run_once_a_step(threads):
    sizes = (1, 2, 4, 7, 97, 100)
    placements = tuple(arena(f"c{k}", f"f32[{n}]", k) for k, n in enumerate(sizes))
    steps = tuple(launch("count", f"c{k}", n, k // 3) for k, n in enumerate(sizes))
    cpu = CpuExecutor(Plan("count", placements, steps, (), (), 512 * len(sizes), 0), [kernels()], {}, threads)
    for n_steps in (1, 300, 7):
        cpu.run(n_steps)
    for k, n in enumerate(sizes):
        assert cpu.read(f"c{k}").tolist() == [308.0] * n


def test_shares():
    placements = (arena("a", f"f32[{N}]", 0), arena("b", f"f32[{N}]", 1))
    flops = [1000, 1000, 10**8, 10**8, 250_000, 1000, 1000]
    phases = [0, 1, 2, 2, 3, 4, 5]
    steps = tuple(launch("copy", "a b", N, p, f) for p, f in zip(phases, flops, strict=True))
    found = shares(Plan("p", placements, steps, (), (), 1024, 0), 8)
    assert [s.cap for s in found] == [1, 1, 8, 8, 2, 1, 1]
    assert [s.sync for s in found] == [False, False, True, False, True, True, False]
    assert all(1 <= s.grain <= N for s in found)
    assert found[2].grain == 1 and found[0].grain == N
    assert [s.cap for s in shares(Plan("p", placements, steps[:2], (), (), 1024, 0), 8)] == [1, 1]
    cuts = item_slots(steps, found, 8)[4, :, 0]
    assert [(int(c) & 0xFFFFFFFF, int(c) >> 32) for c in cuts] == [(0, 48), (48, 96)] + [(0, 0)] * 6


def test_a_plan_within_the_near_caches_is_no_work_for_two():
    """Sixteen launches of a net whose step takes microseconds: its bytes are near, those of a large plan are not."""
    near, far = (tuple(arena(x, f"f32[{n}]", k) for k, x in enumerate("ab")) for n in (N, 1 << 20))
    steps = tuple(launch("copy", "a b", N, p // 2, 20_000) for p in range(16))
    steps = tuple(replace(step, moved_bytes=30_000) for step in steps)
    caps = [{s.cap for s in shares(Plan("p", placements, steps, (), (), 1024, 0), 2)} for placements in (near, far)]
    assert caps == [{1}, {2}]


def test_waiting_threads_cost_no_time():
    """Workers without a job, and those that wait for a slow one, are asleep."""
    plan = CpuExecutor(mixing_plan(), [kernels()], {"w": aligned_empty(N)}, 4)
    plan.run(1, [{"x": np.ones(N, np.float32)}], {"lr": 0.0})
    assert any(_spent(0.1) < 0.02 for _ in range(100)), "a thread that looks all the time takes all of each pause"
    plan.close()


def _spent(pause_s: float) -> float:
    """CPU time of all threads in a pause: more than none where one still gets to its sleep on a busy machine."""
    before = time.process_time()
    time.sleep(pause_s)
    return time.process_time() - before


def test_threads_change_between_runs():
    plan = CpuExecutor(mixing_plan(), [kernels()], {"w": aligned_empty(N)}, 1)
    feed, hyper = [{"x": np.ones(N, np.float32)}], {"lr": 0.5}
    for threads in (1, 3, 2):
        plan.set_threads(threads)
        plan.run(1, feed, hyper)
        assert plan.used_threads == threads
    for threads in (0, 10**6):
        with pytest.raises(ValueError, match="threads must be"):
            plan.set_threads(threads)


def test_two_python_threads_train_two_programs():
    expected = train_mixing(1, n_steps=60)
    found: dict[int, bytes] = {}

    def work(k: int) -> None:
        found[k] = train_mixing(2, n_steps=60, chunk=7)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(HANG_S)
    assert [found.get(k) == expected for k in range(4)] == [True] * 4


def test_a_taken_team_leaves_the_step_to_its_caller():
    plan = CpuExecutor(mixing_plan(), [kernels()], {"w": aligned_empty(N)}, 2)
    feed, hyper = [{"x": np.ones(N, np.float32)}], {"lr": 0.5}
    plan.run(1, feed, hyper)
    lock = ctypes.c_int32.from_address(team().address)
    assert (plan.used_threads, lock.value) == (2, 0)
    lock.value = 1
    try:
        plan.run(1, feed, hyper)
    finally:
        lock.value = 0
    assert plan.used_threads == 1


MXCSR = """
define i32 @get() {
  %p = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %p)
  %v = load volatile i32, ptr %p
  ret i32 %v
}
define void @set(i32 %v) {
  %p = alloca i32
  store volatile i32 %v, ptr %p
  call void @llvm.x86.sse.ldmxcsr(ptr %p)
  ret void
}
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
"""


@x86_only
@pytest.mark.parametrize("threads", [1, 3])
def test_denormals_are_zero_inside_and_the_callers_mode_returns(threads):
    library = loader.MachineCode([compiler.compile_ir(MXCSR, host_cpu())], ["get", "set"])
    get = ctypes.CFUNCTYPE(ctypes.c_int32)(library["get"])
    put = ctypes.CFUNCTYPE(None, ctypes.c_int32)(library["set"])
    kind = parse_type(f"f32[{N}]")
    placements = (Placement("x", kind, "feed", "x"), arena("y", str(kind), 0))
    cpu = CpuExecutor(
        Plan("p", placements, (launch("halve", "x y", N, 0),), (), (("y", "y"),), 512, 512), [kernels()], {}, threads
    )
    tiny = np.full(N, 2e-38, np.float32)  # its half is denormal
    before = get()
    cpu.run(1, [{"x": tiny}])
    put(ROUND_UP)
    try:
        cpu.run(1, [{"x": tiny}])
        after = get()
    finally:
        put(before)
    assert after & 0xFFC0 == ROUND_UP  # all but the sticky flags
    assert cpu.used_threads == threads
    assert not cpu.read("y").any()
