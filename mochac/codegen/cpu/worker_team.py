"""The worker team: how threads wait, meet at barriers and take jobs. Native functions (codegen/native/).

runtime/cpu/team.py compiles them once per process together with step_driver.py, which defines what a job does.

A waiting thread polls a word for a while, then sleeps; whoever changes the word wakes sleepers only if there are any.
Sleeps at barriers are counted, because they show that a thread was delayed (runtime/cpu/team.py).

Threads must poll for longer than it takes to wake one of them. Otherwise, a thread that was late once makes the other
one sleep, which is then late itself, and so on: each phase waits for a wake-up, and the thread that is awake computes
it alone.
"""

from __future__ import annotations

from mochac.codegen.cpu import job_layout as at
from mochac.codegen.cpu.system import clock_ns, pause, sleep_while, wake
from mochac.codegen.native.values import Bytes, Ints, Words, fetch_add, i32, i64, load, store

WAIT_NS = 150_000
"""How long a thread polls before it sleeps. Waking it takes some 50 us in a virtual machine whose CPU is idle."""
POLLS = 64
"""Polls between two looks at the clock."""


def wait_change(word: Ints, old: i32, sleepers: Ints, patience: i64) -> bool:
    """Wait until a word is no longer `old`: poll for `patience` ns, then sleep; whether the thread has slept."""
    slept = False
    while True:
        end, patient = 0, True
        while patient:
            for _ in range(POLLS):
                if load(word, "acquire") != old:
                    return slept
                pause()
            now = clock_ns()
            if end == 0:
                end = now + patience
            patient = now < end
        fetch_add(sleepers, 1, "seq_cst")
        sleep_while(word, old)
        fetch_add(sleepers, -1, "seq_cst")
        slept = True


def advance(word: Ints, sleepers: Ints) -> None:
    """Change a word, and wake whoever sleeps until it does."""
    fetch_add(word, 1, "seq_cst")
    if load(sleepers, "seq_cst") != 0:
        wake(word)


def barrier(team: Bytes, threads: i64) -> None:
    """Wait until all threads of a job are here."""
    count, generation = Ints(team.at(at.BARRIER_COUNT)), Ints(team.at(at.BARRIER_GENERATION))
    sleepers, patience = Ints(team.at(at.BARRIER_SLEEPERS)), Words(team.at(at.PATIENCE))[0]
    old = load(generation, "acquire")
    if i64(fetch_add(count, 1, "acq_rel")) + 1 == threads:
        store(count, 0, "monotonic")
        advance(generation, sleepers)
    elif wait_change(generation, old, sleepers, patience):
        fetch_add(Words(team.at(at.SLEEPS)), 1, "monotonic")
