"""Exchanges: ranks add up the values of a bucket with MPI's C functions, without Python. Native functions
(codegen/native/), which runtime/cpu/exchange.py compiles together with those of worker_team.py that wait.

The launches exchange_start and exchange_wait of a plan call the functions of that name; their argument is a bucket
(exchange_layout.py), whose sums exchange_sums.py forms.

A communication thread exchanges one bucket after another. It polls MPI, and sleeps in between unless a step waits for
it. Without such a thread, exchange_wait does the whole exchange.
"""

from __future__ import annotations

from mochac.codegen.cpu.exchange_layout import QUEUE, Bucket, Comm
from mochac.codegen.cpu.exchange_sums import ordered, unordered
from mochac.codegen.cpu.system import clock_ticks, enter_float_mode
from mochac.codegen.cpu.worker_team import advance, wait_change
from mochac.codegen.native.values import Bytes, Ints, Words, copy, i64, load, store

WAIT_NS = 10_000
"""How long a step polls for its sums before it sleeps: the communication thread may need its CPU."""
STOPPED = 2
"""The value of Comm.STOP once the communication thread has ended."""


def copy_in(data: Bytes, parts: Words, n: i64) -> None:
    """Copy n parts to `data`, one behind the other."""
    for k in range(n):
        copy(data, Bytes(parts[2 * k]), parts[2 * k + 1])
        data = data.at(parts[2 * k + 1])


def copy_out(data: Bytes, parts: Words, n: i64) -> None:
    """Copy `data` to n parts."""
    for k in range(n):
        copy(Bytes(parts[2 * k]), data, parts[2 * k + 1])
        data = data.at(parts[2 * k + 1])


def exchange(comm: Words, bucket: Words) -> None:
    """Add up a bucket over all ranks, unless an exchange has failed."""
    if load(comm.at(Comm.FAILURE), "acquire") != 0:
        return
    begun = clock_ticks()
    if comm[Comm.ORDERED] != 0:
        ordered(comm, bucket)
    else:
        unordered(comm, bucket)
    bucket[Bucket.WORKED] += clock_ticks() - begun
    comm[Comm.EXCHANGES] += 1


def exchange_start(bucket: Words, first: i64, end: i64, scratch: Bytes) -> None:
    """Hand a bucket to the communication thread, if there is one."""
    comm = Words(bucket[Bucket.COMM])
    copy_in(Bytes(bucket[Bucket.DATA]), Words(bucket[Bucket.INPUTS]), bucket[Bucket.N_INPUTS])
    store(bucket.at(Bucket.WANTED), 0, "monotonic")
    if comm[Comm.THREADED] == 0:
        return
    Ints(bucket.at(Bucket.BEFORE))[0] = load(Ints(bucket.at(Bucket.DONE)), "acquire")
    tail = load(comm.at(Comm.TAIL), "monotonic")
    Words(comm[Comm.QUEUE])[tail & (QUEUE - 1)] = bucket.address
    store(comm.at(Comm.TAIL), tail + 1, "release")
    advance_posted(comm)


def advance_posted(comm: Words) -> None:
    """Wake the communication thread."""
    posted = Ints(comm.at(Comm.POSTED))
    advance(posted, posted.at(1))


def exchange_wait(bucket: Words, first: i64, end: i64, scratch: Bytes) -> None:
    """Wait for the sums of a bucket, or form them here."""
    comm, begun = Words(bucket[Bucket.COMM]), clock_ticks()
    store(bucket.at(Bucket.WANTED), 1, "monotonic")
    if comm[Comm.THREADED] == 0:
        exchange(comm, bucket)
    else:
        done = Ints(bucket.at(Bucket.DONE))
        wait_change(done, Ints(bucket.at(Bucket.BEFORE))[0], done.at(1), WAIT_NS)
    bucket[Bucket.WAITED] += clock_ticks() - begun
    copy_out(Bytes(bucket[Bucket.DATA]), Words(bucket[Bucket.OUTPUTS]), bucket[Bucket.N_OUTPUTS])


def exchange_thread(comm: Words) -> i64:
    """What the communication thread does until it is stopped."""
    enter_float_mode()
    posted, stop = Ints(comm.at(Comm.POSTED)), Ints(comm.at(Comm.STOP))
    while True:
        seen = load(posted, "acquire")
        if load(stop, "acquire") != 0:
            store(stop, STOPPED, "release")
            return 0
        head = comm[Comm.HEAD]
        if head == load(comm.at(Comm.TAIL), "acquire"):
            wait_change(posted, seen, posted.at(1), 0)
            continue
        bucket = Words(Words(comm[Comm.QUEUE])[head & (QUEUE - 1)])
        exchange(comm, bucket)
        comm[Comm.HEAD] = head + 1
        done = Ints(bucket.at(Bucket.DONE))
        advance(done, done.at(1))


def exchange_stop(comm: Words) -> None:
    """Ask the communication thread to end."""
    store(Ints(comm.at(Comm.STOP)), 1, "release")
    advance_posted(comm)
