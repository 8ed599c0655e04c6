"""LLVM text of the worker team: how threads wait, meet at barriers and take jobs.

runtime/cpu/team.py compiles it together with the text of step_driver.py, which defines what a job does (`@spmd`), once
per process.

A waiting thread polls a word for a while, then sleeps on a futex; whoever changes the word wakes sleepers only if there
are any. Sleeps at barriers are counted, because they show that a thread was delayed (sharing.py). While a
thread is inside a job, its float unit rounds to nearest and treats denormals as zero (x86: MXCSR).

Threads must poll for longer than it takes to wake one of them. Otherwise, a thread that was late once makes the other
one sleep, which is then late itself, and so on: each phase waits for a wake-up, and the thread that is awake computes
it alone.
"""

from __future__ import annotations

from mochac.codegen.cpu import job_layout as at

WAIT_NS = 150_000
"""How long a thread polls before it sleeps. Waking it takes some 50 us in a virtual machine whose CPU is idle."""
POLLS = 64
"""Polls between two looks at the clock."""

_FUTEX_CALL = {"x86_64": 202, "aarch64": 98}
_FUTEX_WAIT, _FUTEX_WAKE = 128, 129
"""FUTEX_WAIT and FUTEX_WAKE with FUTEX_PRIVATE_FLAG."""
_MXCSR = 0x9FC0
"""All exceptions masked, round to nearest, flush to zero, denormals are zero."""


_PAUSE = {
    "x86_64": ("call void @llvm.x86.sse2.pause()", "declare void @llvm.x86.sse2.pause()"),
    "aarch64": ("call void @llvm.aarch64.hint(i32 1)", "declare void @llvm.aarch64.hint(i32)"),
}
"""The instruction that tells the core that its thread is spinning."""


def team_text(arch: str, system: str) -> str:
    """Functions of the team for an architecture ("x86_64", ...) and a system: "linux" has futexes, others use sleep."""
    return "\n".join([base_text(arch, system), _BARRIER, _WORKER])


def base_text(arch: str, system: str) -> str:
    """Functions of any thread: how it waits for a word to change, its float mode, its clock."""
    declare, sleep, wake = _futex(arch, system)
    waiting = declare + _waiting(arch, sleep) + _waking(wake)
    return "\n".join([_nanoseconds(system), waiting, _float_mode(arch), _clock(arch)])


def _futex(arch: str, system: str) -> tuple[str, str, str]:
    """A declaration, and the instructions by which a thread sleeps until a word changes, and by which it is woken."""
    if system != "linux" or arch not in _FUTEX_CALL:
        return "\ndeclare i32 @usleep(i32)", "call i32 @usleep(i32 50)", "add i32 0, 0"
    call = f"call i64 (i64, ...) @syscall(i64 {_FUTEX_CALL[arch]}, ptr %word"
    sleep, wake = f"{call}, i32 {_FUTEX_WAIT}, i32 %old, ptr null)", f"{call}, i32 {_FUTEX_WAKE}, i32 2147483647)"
    return "\ndeclare i64 @syscall(i64, ...)", sleep, wake


def _waiting(arch: str, sleep: str) -> str:
    """Wait until a word is no longer `old`: poll for a while, then sleep; returns whether the thread has slept."""
    pause, declare_pause = _PAUSE.get(arch, ("", ""))
    return f"""
{declare_pause}

define internal i1 @wait_change(ptr %word, i32 %old, ptr %sleepers, i64 %patience) nounwind {{
entry:
  br label %again
again:
  %tired = phi i1 [ 0, %entry ], [ 1, %sleep ]
  br label %round
round:
  %end = phi i64 [ 0, %again ], [ %end1, %clock ]
  br label %look
look:
  %turn = phi i32 [ 0, %round ], [ %turn1, %idle ]
  %now = load atomic i32, ptr %word acquire, align 4
  %changed = icmp ne i32 %now, %old
  br i1 %changed, label %done, label %idle
idle:
  {pause}
  %turn1 = add nuw i32 %turn, 1
  %more = icmp ult i32 %turn1, {POLLS}
  br i1 %more, label %look, label %clock
clock:
  %time = call i64 @clock_ns()
  %first = icmp eq i64 %end, 0
  %from.now = add i64 %time, %patience
  %end1 = select i1 %first, i64 %from.now, i64 %end
  %patient = icmp slt i64 %time, %end1
  br i1 %patient, label %round, label %sleep
sleep:
  %s0 = atomicrmw add ptr %sleepers, i32 1 seq_cst
  %slept = {sleep}
  %s1 = atomicrmw sub ptr %sleepers, i32 1 seq_cst
  br label %again
done:
  ret i1 %tired
}}
"""


def _waking(wake: str) -> str:
    """Change a word, and wake whoever sleeps until it does."""
    return f"""
define internal void @advance(ptr %word, ptr %sleepers) nounwind {{
entry:
  %before = atomicrmw add ptr %word, i32 1 seq_cst
  %asleep = load atomic i32, ptr %sleepers seq_cst, align 4
  %none = icmp eq i32 %asleep, 0
  br i1 %none, label %done, label %wake
wake:
  %woken = {wake}
  br label %done
done:
  ret void
}}
"""


def _nanoseconds(system: str) -> str:
    monotonic = 6 if system == "darwin" else 1
    return f"""
declare i32 @clock_gettime(i32, ptr)

define internal i64 @clock_ns() nounwind {{
  %time = alloca {{ i64, i64 }}, align 8
  %got = call i32 @clock_gettime(i32 {monotonic}, ptr %time)
  %seconds = load i64, ptr %time, align 8
  %rest.at = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.at, align 8
  %whole = mul i64 %seconds, 1000000000
  %ns = add i64 %whole, %rest
  ret i64 %ns
}}
"""


def _float_mode(arch: str) -> str:
    if arch != "x86_64":
        return """
define internal i32 @enter_float_mode() nounwind {
  ret i32 0
}
define internal void @leave_float_mode(i32 %saved) nounwind {
  ret void
}
"""
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


def _clock(arch: str) -> str:
    intrinsic = "llvm.readcyclecounter" if arch == "x86_64" else "llvm.readsteadycounter"
    return f"""
declare i64 @{intrinsic}()

define internal i64 @clock_ticks() nounwind {{
  %now = call i64 @{intrinsic}()
  ret i64 %now
}}
"""


_BARRIER = f"""
define internal void @barrier(ptr %team, i64 %threads) nounwind {{
entry:
  %count = getelementptr i8, ptr %team, i64 {at.BARRIER_COUNT}
  %generation = getelementptr i8, ptr %team, i64 {at.BARRIER_GENERATION}
  %sleepers = getelementptr i8, ptr %team, i64 {at.BARRIER_SLEEPERS}
  %old = load atomic i32, ptr %generation acquire, align 4
  %before = atomicrmw add ptr %count, i32 1 acq_rel
  %arrived = add i32 %before, 1
  %threads32 = trunc i64 %threads to i32
  %last = icmp eq i32 %arrived, %threads32
  br i1 %last, label %release, label %wait
release:
  store atomic i32 0, ptr %count monotonic, align 4
  call void @advance(ptr %generation, ptr %sleepers)
  ret void
wait:
  %patience.at = getelementptr i8, ptr %team, i64 {at.PATIENCE}
  %patience = load i64, ptr %patience.at, align 8
  %slept = call i1 @wait_change(ptr %generation, i32 %old, ptr %sleepers, i64 %patience)
  br i1 %slept, label %count.it, label %met
count.it:
  %sleeps = getelementptr i8, ptr %team, i64 {at.SLEEPS}
  %more = atomicrmw add ptr %sleeps, i64 1 monotonic
  br label %met
met:
  ret void
}}
"""

_WORKER = f"""
define ptr @mochac_worker(ptr %box) nounwind {{
entry:
  %team.at = getelementptr i8, ptr %box, i64 {at.BOX_TEAM}
  %team = load ptr, ptr %team.at, align 8
  %sleepers = getelementptr i8, ptr %box, i64 {at.BOX_SLEEPERS}
  %job.at = getelementptr i8, ptr %box, i64 {at.BOX_JOB}
  %thread.at = getelementptr i8, ptr %box, i64 {at.BOX_THREAD}
  %threads.at = getelementptr i8, ptr %box, i64 {at.BOX_THREADS}
  br label %next
next:
  %seen = phi i32 [ 0, %entry ], [ %seen1, %next ]
  %slept = call i1 @wait_change(ptr %box, i32 %seen, ptr %sleepers, i64 {WAIT_NS})
  %job = load ptr, ptr %job.at, align 8
  %thread = load i64, ptr %thread.at, align 8
  %threads = load i64, ptr %threads.at, align 8
  call void @spmd(ptr %job, i64 %thread, i64 %threads, ptr %team)
  %seen1 = add i32 %seen, 1
  br label %next
}}
"""
