"""The worker team: how threads wait, meet at barriers and take jobs. Native functions (codegen/native/).

runtime/cpu/team.py compiles them once per process together with step_driver.py, which defines what a job does.

A waiting thread polls a word for a while, then sleeps; whoever changes the word wakes sleepers only if there are any.
Sleeps at barriers are counted, because they show that a thread was delayed (runtime/cpu/team.py).

Threads must poll for longer than it takes to wake one of them. Otherwise, a thread that was late once makes the other
one sleep, which is then late itself, and so on: each phase waits for a wake-up, and the thread that is awake computes
it alone.

The constants are the memory layout of the blocks that the team and the step driver share: the native functions read
them, and runtime/cpu writes them from NumPy. A word is 8 bytes.
"""

from __future__ import annotations

from enum import IntEnum

from mochac.codegen.cpu.system import clock_ns, pause, sleep_while, wake
from mochac.codegen.native.values import Bytes, Ints, Words, fetch_add, i32, i64, load, store

MAX_THREADS = 4096
CACHE_LINE_BYTES = 64
LINE_BYTES = 128
"""Distance of fields written by different threads: two cache lines, because of the adjacent-line prefetcher."""

LOCK = 0
BARRIER_COUNT = LINE_BYTES
BARRIER_GENERATION = 2 * LINE_BYTES
BARRIER_SLEEPERS = BARRIER_GENERATION + 4
PATIENCE = 3 * LINE_BYTES
SLEEPS = PATIENCE + 8
MAILBOXES = 4 * LINE_BYTES
TEAM_BYTES = MAILBOXES + LINE_BYTES * MAX_THREADS
"""Byte offsets in the team's block: i32 fields (i64: PATIENCE, in ns; SLEEPS, over all barriers), then the mailboxes,
one per worker."""

BOX_GENERATION = 0
BOX_SLEEPERS = 4
BOX_JOB = 8
BOX_THREAD = 16
BOX_THREADS = 24
BOX_TEAM = 64
"""Byte offsets in a mailbox. The generation counts the jobs posted; the other fields are read after it changes."""


class Job(IntEnum):
    """Words of a job: everything that one call of the driver needs.

    feeds is [n_steps + 1][n_feeds] pointers; feed_lines says how many cache lines of each to fetch one step ahead.
    patches are triples (feed number, address of the argument to set, bytes into the feed at which it begins).
    hyper_table is [n_steps][hyper_bytes]. scalars are pairs (address, Kind). results is f64 [n_steps][n_scalars].
    ticks is 0 or i64 [n_steps][used_threads][n_rows][2], the start and end of each share, of all times together in a
    loop; the driver writes used_threads. slots is [n_rows][threads] slots. moved is where, in a thread's scratch, it
    writes the arguments of rows in loops.
    """

    TEAM = 0
    THREADS = 1
    N_STEPS = 2
    ROWS = 3
    N_ROWS = 4
    FEEDS = 5
    N_FEEDS = 6
    PATCHES = 7
    N_PATCHES = 8
    HYPER_TABLE = 9
    HYPER_BYTES = 10
    HYPER_BLOCK = 11
    SCALARS = 12
    N_SCALARS = 13
    RESULTS = 14
    SCRATCH = 15
    SCRATCH_STRIDE = 16
    TICKS = 17
    PATIENCE = 18
    USED_THREADS = 19
    SLOTS = 20
    FEED_LINES = 21
    MOVED = 22
    WORDS = 23


class Row(IntEnum):
    """Words of a row, which is one kernel launch. At most CAP threads share it, each taking at least GRAIN items at a
    time; SYNC is 1 if a barrier precedes it. In a loop, N_ARGS arguments move by STRIDES (0 elsewhere) with each of
    TRIPS; after the last of a loop's
    BACK rows (0 in other rows), the driver goes to their first, after a barrier if MEET is 1."""

    FN = 0
    ARGS = 1
    ITEMS = 2
    CAP = 3
    SYNC = 4
    GRAIN = 5
    STRIDES = 6
    N_ARGS = 7
    BACK = 8
    TRIPS = 9
    MEET = 10
    WORDS = 11


class SlotWord(IntEnum):
    """Words of a slot, one cache line: the items of a row that one thread owns and nobody has taken yet (first item in
    the low half, end in the high half), and FULL, the value of LEFT when the row starts."""

    LEFT = 0
    FULL = 1
    WORDS = 8


class Kind(IntEnum):
    """Type of a scalar output in memory; results are doubles."""

    F32 = 0
    F64 = 1
    I32 = 2
    I64 = 3


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
    count, generation = Ints(team.at(BARRIER_COUNT)), Ints(team.at(BARRIER_GENERATION))
    sleepers, patience = Ints(team.at(BARRIER_SLEEPERS)), Words(team.at(PATIENCE))[0]
    old = load(generation, "acquire")
    if i64(fetch_add(count, 1, "acq_rel")) + 1 == threads:
        store(count, 0, "monotonic")
        advance(generation, sleepers)
    elif wait_change(generation, old, sleepers, patience):
        fetch_add(Words(team.at(SLEEPS)), 1, "monotonic")
