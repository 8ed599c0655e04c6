"""Functions of the machine and the system that native functions call, and their LLVM text for an architecture.

A thread that waits tells its core so (`pause`), and sleeps by the system's futexes (`sleep_while`, `wake`), elsewhere
for short times. While a thread computes, its float unit rounds to nearest and treats denormals as zero (x86: MXCSR).
"""

from __future__ import annotations

import time

from mochac.codegen.native.values import Ints, i32, i64

_FUTEX_CALL = {"x86_64": 202, "aarch64": 98}
_FUTEX_WAIT, _FUTEX_WAKE = 128, 129
"""FUTEX_WAIT and FUTEX_WAKE with FUTEX_PRIVATE_FLAG."""
_MXCSR = 0x9FC0
"""All exceptions masked, round to nearest, flush to zero, denormals are zero."""
_PAUSE = {"x86_64": ("llvm.x86.sse2.pause", "", ""), "aarch64": ("llvm.aarch64.hint", "i32", "i32 1")}
"""The intrinsic that tells a core that its thread is spinning, its parameter, and the argument."""


def pause() -> None:
    """Tell the core that its thread is spinning."""


def sleep_while(word: Ints, old: i32) -> None:
    """Sleep while a word is `old`, or for a while."""
    if word[0] == old:
        time.sleep(5e-5)


def wake(word: Ints) -> None:
    """Wake the threads that sleep while this word does not change."""
    del word


def clock_ns() -> i64:
    """A steady clock in nanoseconds."""
    return time.monotonic_ns()


def clock_ticks() -> i64:
    """A steady clock that is read quickly, in ticks of its own."""
    return time.perf_counter_ns()


def enter_float_mode() -> i32:
    """Set the mode of kernels; returns the mode before."""
    return 0


def leave_float_mode(saved: i32) -> None:
    """Set the mode before."""
    del saved


def yield_cpu() -> None:
    """Let another thread run."""
    time.sleep(0)


def sleep_us(n: i32) -> None:
    """Sleep for microseconds."""
    time.sleep(1e-6 * n)


FUNCTIONS = (
    pause, sleep_while, wake, clock_ns, clock_ticks, enter_float_mode, leave_float_mode, yield_cpu, sleep_us,
)  # fmt: skip


def system_text(arch: str, system: str) -> str:
    """LLVM text of these functions for an architecture ("x86_64", ...) and a system ("linux", "darwin")."""
    return _spinning(arch) + _sleeping(arch, system) + _clocks(arch, system) + _float_mode(arch)


def _spinning(arch: str) -> str:
    if arch not in _PAUSE:
        return _simple("pause()")
    name, parameter, argument = _PAUSE[arch]
    return f"declare void @{name}({parameter})\n" + _simple("pause()", f"call void @{name}({argument})")


def _sleeping(arch: str, system: str) -> str:
    declared, sleep, woken = "", "%done = call i32 @usleep(i32 50)", ""
    if system == "linux" and arch in _FUTEX_CALL:
        declared = "declare i64 @syscall(i64, ...)\n"
        call = f"%done = call i64 (i64, ...) @syscall(i64 {_FUTEX_CALL[arch]}, ptr %word"
        sleep = f"{call}, i32 {_FUTEX_WAIT}, i32 %old, ptr null)"
        woken = f"{call}, i32 {_FUTEX_WAKE}, i32 2147483647)"
    declared += "declare i32 @usleep(i32)\ndeclare i32 @sched_yield()\n"
    functions = {
        "sleep_while(ptr %word, i32 %old)": sleep,
        "wake(ptr %word)": woken,
        "sleep_us(i32 %n)": "%done = call i32 @usleep(i32 %n)",
        "yield_cpu()": "%done = call i32 @sched_yield()",
    }
    return declared + "".join(_simple(head, call) for head, call in functions.items())


def _clocks(arch: str, system: str) -> str:
    ticks = "llvm.readcyclecounter" if arch == "x86_64" else "llvm.readsteadycounter"
    return f"""
declare i32 @clock_gettime(i32, ptr)
declare i64 @{ticks}()

define internal i64 @clock_ns() nounwind {{
  %time = alloca {{ i64, i64 }}, align 8
  %got = call i32 @clock_gettime(i32 {6 if system == "darwin" else 1}, ptr %time)
  %seconds = load i64, ptr %time, align 8
  %rest.at = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.at, align 8
  %whole = mul i64 %seconds, 1000000000
  %ns = add i64 %whole, %rest
  ret i64 %ns
}}

define internal i64 @clock_ticks() nounwind {{
  %now = call i64 @{ticks}()
  ret i64 %now
}}
"""


def _float_mode(arch: str) -> str:
    if arch != "x86_64":
        none = "define internal i32 @enter_float_mode() nounwind {\n  ret i32 0\n}\n"
        return none + _simple("leave_float_mode(i32 %saved)")
    return f"""
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)

define internal i32 @enter_float_mode() nounwind {{
  %word = alloca i32, align 4
  call void @llvm.x86.sse.stmxcsr(ptr %word)
  %saved = load volatile i32, ptr %word, align 4
  store volatile i32 {_MXCSR}, ptr %word, align 4
  call void @llvm.x86.sse.ldmxcsr(ptr %word)
  ret i32 %saved
}}

define internal void @leave_float_mode(i32 %saved) nounwind {{
  %word = alloca i32, align 4
  store volatile i32 %saved, ptr %word, align 4
  call void @llvm.x86.sse.ldmxcsr(ptr %word)
  ret void
}}
"""


def _simple(head: str, instruction: str = "") -> str:
    """A function of one instruction."""
    return f"define internal void @{head} nounwind {{\n  {instruction}\n  ret void\n}}\n"
