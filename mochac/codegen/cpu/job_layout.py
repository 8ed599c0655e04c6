"""Memory layout of the blocks that the worker team and the step driver share, defined once for Python and LLVM text.

worker_team.py and step_driver.py print these numbers into LLVM IR; runtime/cpu writes the blocks through them from
NumPy. A word is 8 bytes.
"""

from __future__ import annotations

from enum import IntEnum

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
