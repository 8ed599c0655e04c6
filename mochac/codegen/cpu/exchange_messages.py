"""Messages of exchanges: two ranks swap parts of a bucket through MPI's C functions. Native functions.

A message that does not arrive in time, or that MPI refuses, ends all exchanges of the communicator: `fail` notes why.
Time is added up between checks, at most Comm.LOOK for each: while a whole job was stopped, it has not waited.
"""

from __future__ import annotations

from mochac.codegen.cpu.exchange_layout import Bucket, Comm, Failure
from mochac.codegen.cpu.system import clock_ticks, sleep_us, yield_cpu
from mochac.codegen.native.values import Bytes, Ints, Words, call_i32_at, i32, i64, load, stack, store

SPIN = 100
"""How often a request is tested before the thread yields or sleeps."""
PAUSE_US = 20
"""How long the communication thread sleeps while no step waits for it, microseconds."""


def fail(comm: Words, bucket: Words, why: i64, partner: i64, code: i32) -> None:
    """Note why exchanges have ended."""
    comm[Comm.BUCKET] = bucket[Bucket.NUMBER]
    comm[Comm.PARTNER] = partner
    comm[Comm.CODE] = i64(code)
    store(comm.at(Comm.FAILURE), why, "release")


def settle(comm: Words, bucket: Words, n: i64, partner: i64) -> bool:
    """Wait until n requests are done; whether they are."""
    done = stack(Ints, 1)
    turn, last, spent = 0, clock_ticks(), 0
    while True:
        code = call_i32_at(comm[Comm.TESTALL], i32(n), Bytes(comm[Comm.REQUESTS]), done, Bytes(comm[Comm.STATUSES]))
        if code != 0:
            fail(comm, bucket, Failure.ERROR, partner, code)
            return False
        if done[0] != 0:
            return True
        turn += 1
        if turn <= SPIN:
            continue
        if load(Ints(comm.at(Comm.STOP)), "monotonic") != 0:
            return False
        now = clock_ticks()
        spent += min(now - last, comm[Comm.LOOK])
        last = now
        if spent > comm[Comm.TIMEOUT]:
            fail(comm, bucket, Failure.TIMEOUT, partner, 0)
            return False
        if load(bucket.at(Bucket.WANTED), "monotonic") == 0:
            sleep_us(PAUSE_US)
        else:
            yield_cpu()


def swap(comm: Words, bucket: Words, partner: i64, source: Bytes, n: i64, to: Bytes, m: i64, tag: i32) -> bool:
    """Send n numbers to a rank and receive m from it; whether that worked."""
    handle, requests, number = comm[Comm.HANDLE], comm[Comm.REQUESTS], comm[Comm.FLOAT + bucket[Bucket.DOUBLE]]
    second = Bytes(requests + comm[Comm.REQUEST_BYTES])
    rank = i32(partner)
    code = call_i32_at(comm[Comm.IRECV], to, i32(m), number, rank, tag, handle, Bytes(requests))
    if code == 0:
        code = call_i32_at(comm[Comm.ISEND], source, i32(n), number, rank, tag, handle, second)
    if code != 0:
        fail(comm, bucket, Failure.ERROR, partner, code)
        return False
    comm[Comm.SENT_BYTES] += n << (2 + bucket[Bucket.DOUBLE])
    comm[Comm.MESSAGES] += 1
    return settle(comm, bucket, 2, partner)
