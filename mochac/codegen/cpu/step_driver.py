"""The step driver: `mochac_run(job)` runs many steps of many rows (kernel launches) without Python. Native functions
(codegen/native/), which runtime/cpu/team.py compiles together with worker_team.py.

Every thread of the team goes through the same rows and takes a share of the items of each; a barrier separates phases.
The driver sees only the tables that worker_team.py defines; the executor has written the plan into them.

Work is shared by stealing: a thread starts with an even share of the items and takes them from the front, a quarter of
the remaining ones at a time; then it takes items from the back of other threads' shares. So a thread that the system
suspends delays only the items it is working on. Slots are refilled after the next barrier, when no thread reads them.

The rows of a loop over time run once per time step; each thread writes the arguments of its next row into its scratch
memory, moved by one stride for each time step before.

Thread 0 binds a step (feed pointers, hyperparameters) before it starts, and collects its scalars after all threads have
met. Meanwhile, small batches of the following step are fetched from the core that filled them. After the last step all
threads meet once more: when `mochac_run` returns, no thread accesses the memory of the job any more, and its owner may
free it.
"""

from __future__ import annotations

from mochac.codegen.cpu import worker_team as at
from mochac.codegen.cpu.system import clock_ticks, enter_float_mode, leave_float_mode
from mochac.codegen.cpu.worker_team import WAIT_NS, Job, Kind, Row, SlotWord, advance, barrier, wait_change
from mochac.codegen.native.values import (
    Bytes,
    Doubles,
    Floats,
    Ints,
    Words,
    call_at,
    copy,
    exchange_if,
    f64,
    i32,
    i64,
    load,
    prefetch,
    store,
)

HALF = (1 << 32) - 1
"""The low half of a slot's word: its first item."""


def bind(job: Words, step: i64) -> None:
    """Set what changes from step to step: hyperparameters, and the arguments that point into feeds."""
    n_feeds, n_bytes = job[Job.N_FEEDS], job[Job.HYPER_BYTES]
    copy(Bytes(job[Job.HYPER_BLOCK]), Bytes(job[Job.HYPER_TABLE] + step * n_bytes), n_bytes)
    feeds = Words(job[Job.FEEDS]).at(step * n_feeds)
    patches = Words(job[Job.PATCHES])
    for k in range(job[Job.N_PATCHES]):
        patch = patches.at(3 * k)
        Words(patch[1])[0] = feeds[patch[0]] + patch[2]
    fetch(feeds.at(n_feeds), Words(job[Job.FEED_LINES]), n_feeds)


def fetch(feeds: Words, lines: Words, n_feeds: i64) -> None:
    """Prefetch the first lines of each feed."""
    for f in range(n_feeds):
        feed = Bytes(feeds[f])
        for k in range(lines[f]):
            prefetch(feed.at(k * at.CACHE_LINE_BYTES))


def collect(job: Words, step: i64) -> None:
    """Copy the scalars of a step to its results."""
    scalars, n = Words(job[Job.SCALARS]), job[Job.N_SCALARS]
    results = Doubles(job[Job.RESULTS]).at(step * n)
    for k in range(n):
        place, kind = scalars[2 * k], scalars[2 * k + 1]
        if kind == Kind.F32:
            results[k] = Floats(place)[0]
        elif kind == Kind.F64:
            results[k] = Doubles(place)[0]
        elif kind == Kind.I32:
            results[k] = f64(Ints(place)[0])
        else:
            results[k] = f64(Words(place)[0])


def share(row: Words, arguments: Words, thread: i64, threads: i64, scratch: Bytes, slots: Words) -> None:
    """Run items of a row: a thread's own, then those that others have not come to."""
    takers = min(row[Row.CAP], threads)
    if thread >= takers:
        return
    if takers == 1:
        if row[Row.ITEMS] > 0:
            call_at(row[Row.FN], arguments, 0, row[Row.ITEMS], scratch)
        return
    for k in range(takers):
        owner = thread + k
        owner = owner - takers if owner >= takers else owner
        empty(slots.at(owner * SlotWord.WORDS), k == 0, row, arguments, scratch)


def empty(slot: Words, own: bool, row: Words, arguments: Words, scratch: Bytes) -> None:
    """Run the items of a slot, as far as no other thread takes them: from the front of one's own, from the back of
    another's."""
    grain, function = row[Row.GRAIN], row[Row.FN]
    while True:
        left = load(slot, "monotonic")
        first, end = left & HALF, left >> 32
        if first >= end:
            return
        n = min(max((end - first) >> 2, grain), end - first)
        rest = left + n if own else left - (n << 32)
        if exchange_if(slot, left, rest, "monotonic"):
            begin = first if own else end - n
            call_at(function, arguments, begin, begin + n, scratch)


def refill(slots: Words, thread: i64, threads: i64, first: i64, end: i64) -> None:
    """Fill a thread's slots of the rows from first to end again."""
    for r in range(first, end):
        slot = slots.at((r * threads + thread) * SlotWord.WORDS)
        store(slot, slot[SlotWord.FULL], "monotonic")


def moved(row: Words, trip: i64, place: Words) -> Words:
    """The arguments of a row, in a loop at `place`, moved by their strides for each repetition."""
    arguments = Words(row[Row.ARGS])
    if row[Row.STRIDES] == 0:
        return arguments
    strides = Words(row[Row.STRIDES])
    for k in range(row[Row.N_ARGS]):
        place[k] = arguments[k] + strides[k] * trip
    return place


def note_time(span: Words, begin: i64, end: i64, trip: i64) -> None:
    """Write when a share of a row began and ended; in a loop, its end is the begin and the sum of all repetitions."""
    if trip == 0:
        span[0] = begin
        span[1] = end
    else:
        span[1] = span[1] + (end - begin)


def run_rows(job: Words, step: i64, thread: i64, threads: i64, team: Bytes) -> i64:
    """Run a thread's part of a step; returns the first row whose slots have not been refilled since."""
    rows, n_rows, slots = Words(job[Job.ROWS]), job[Job.N_ROWS], Words(job[Job.SLOTS])
    scratch = Bytes(job[Job.SCRATCH]).at(thread * job[Job.SCRATCH_STRIDE])
    place, timed = Words(scratch.at(job[Job.MOVED])), job[Job.TICKS] != 0
    spans = Words(job[Job.TICKS]).at(2 * n_rows * (step * threads + thread))
    r, trip, stale, synced = 0, 0, 0, False
    time = 0
    if timed:
        time = clock_ticks()
    while r < n_rows:
        row = rows.at(r * Row.WORDS)
        if threads > 1 and row[Row.SYNC] != 0 and not synced:
            barrier(team, threads)
            refill(slots, thread, threads, stale, r)
            stale = r
            if timed:
                time = clock_ticks()
        synced = False
        share(row, moved(row, trip, place), thread, threads, scratch, slots.at(r * threads * SlotWord.WORDS))
        if timed:
            now = clock_ticks()
            note_time(spans.at(2 * r), time, now, trip)
            time = now
        r += 1
        if row[Row.BACK] == 0:
            continue
        trip += 1
        if trip == row[Row.TRIPS]:
            trip = 0
            continue
        first = r - row[Row.BACK]
        if threads > 1 and row[Row.MEET] != 0:
            barrier(team, threads)
            refill(slots, thread, threads, stale, r)  # each row once: others may have begun to take what it offers
            stale = first
            if timed:
                time = clock_ticks()
        r, synced = first, True
    return stale


def spmd(job: Words, thread: i64, threads: i64, team: Bytes) -> None:
    """Run a thread's part of a job."""
    saved = enter_float_mode()
    n_steps, n_rows, slots = job[Job.N_STEPS], job[Job.N_ROWS], Words(job[Job.SLOTS])
    for step in range(n_steps):
        stale = run_rows(job, step, thread, threads, team)
        more = step + 1 < n_steps
        if threads > 1:
            barrier(team, threads)
            refill(slots, thread, threads, stale, n_rows)
            if not more:  # the job belongs to thread 0 from here on
                barrier(team, threads)
        if thread == 0:
            collect(job, step)
            if more:
                bind(job, step + 1)
        if threads > 1 and more:
            barrier(team, threads)
    leave_float_mode(saved)


def mochac_run(job: Words) -> None:
    """Run a job by the team if it is free, otherwise by the calling thread alone."""
    team, threads = Bytes(job[Job.TEAM]), job[Job.THREADS]
    bind(job, 0)
    if threads > 1 and exchange_if(Ints(team.at(at.LOCK)), 0, 1, "acquire"):
        job[Job.USED_THREADS] = threads
        Words(team.at(at.PATIENCE))[0] = job[Job.PATIENCE]
        for thread in range(1, threads):
            post(team.at(at.MAILBOXES + thread * at.LINE_BYTES), job, thread, threads)
        spmd(job, 0, threads, team)
        store(Ints(team.at(at.LOCK)), 0, "release")
    else:
        job[Job.USED_THREADS] = 1
        spmd(job, 0, 1, team)


def post(box: Bytes, job: Words, thread: i64, threads: i64) -> None:
    """Post a job to a worker."""
    Words(box.at(at.BOX_JOB))[0] = job.address
    Words(box.at(at.BOX_THREAD))[0] = thread
    Words(box.at(at.BOX_THREADS))[0] = threads
    advance(Ints(box.at(at.BOX_GENERATION)), Ints(box.at(at.BOX_SLEEPERS)))


def mochac_worker(box: Bytes) -> None:
    """What a worker does: wait for a job in its mailbox, run its part, wait again."""
    team = Bytes(Words(box.at(at.BOX_TEAM))[0])
    seen = i32(0)
    while True:
        wait_change(Ints(box.at(at.BOX_GENERATION)), seen, Ints(box.at(at.BOX_SLEEPERS)), WAIT_NS)
        job = Words(Words(box.at(at.BOX_JOB))[0])
        spmd(job, Words(box.at(at.BOX_THREAD))[0], Words(box.at(at.BOX_THREADS))[0], team)
        seen += 1


def mochac_ticks() -> i64:
    """The clock that times are in."""
    return clock_ticks()
