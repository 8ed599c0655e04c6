"""Exchanges: ranks add up the values of a bucket with MPI's C functions, without Python. Native functions
(codegen/native/), which runtime/cpu/exchange.py compiles together with those of worker_team.py that wait.

The launches exchange_start and exchange_wait of a plan call the functions of that name; their argument is a Bucket. A
communication thread exchanges one bucket after another. It polls MPI, and sleeps in between unless a step waits for it.
Without such a thread, exchange_wait does the whole exchange.

Two ranks swap parts of a bucket by messages. A message that does not arrive in time, or that MPI refuses, ends all
exchanges of the communicator: `fail` notes why. Time is added up between checks, at most Comm.LOOK for each: while a
whole job was stopped, it has not waited.

Values are added in one of two ways. In order, by recursive halving: in round k a rank and its partner, whose number
differs in bit k, each send half of what they have left and add up the other half. After the last round each rank has a
part of the sums, which it sends back the same way (recursive doubling). So every element is added by a balanced binary
tree over the ranks in their order, and no all-reduce sends fewer bytes. With MPI_Iallreduce, the library chooses the
order.

Comm and Bucket are the memory layout of these blocks, which runtime/cpu/exchange.py writes. A word is 8 bytes.
"""

from __future__ import annotations

from enum import IntEnum

from mochac.codegen.cpu.system import clock_ticks, enter_float_mode, sleep_us, yield_cpu
from mochac.codegen.cpu.worker_team import advance, wait_change
from mochac.codegen.native.values import (
    Bytes,
    Doubles,
    DoubleVectors,
    Floats,
    FloatVectors,
    Ints,
    Words,
    call_i32_at,
    copy,
    i32,
    i64,
    load,
    stack,
    store,
)

QUEUE = 1024
"""Buckets that may wait for the communication thread; a power of two."""


class Comm(IntEnum):
    """Words of a communicator.

    Handles of MPI are numbers of 4 bytes or pointers, as the library has them, widened to a word. requests is memory
    for two request handles, request_bytes apart. timeout is in ticks; the time between two checks counts as at most
    `look`. queue is a ring of buckets: those from head to tail wait. posted and stopped are i32 with i32 sleepers
    behind them, each in a cache line of its own. failure is 0 or a Failure; partner is then the rank that was waited
    for (-1: any), bucket the number of the exchange, code MPI's error. exchanges counts the one that failed, too.
    """

    RANK = 0
    RANKS = 1
    HANDLE = 2
    FLOAT = 3
    DOUBLE = 4
    SUM = 5
    IN_PLACE = 6
    ISEND = 7
    IRECV = 8
    TESTALL = 9
    IALLREDUCE = 10
    ORDERED = 11
    TIMEOUT = 12
    THREADED = 13
    REQUESTS = 14
    REQUEST_BYTES = 15
    STATUSES = 16
    RECEIVED = 17
    QUEUE = 18
    FAILURE = 19
    PARTNER = 20
    BUCKET = 21
    CODE = 22
    LOOK = 23
    HEAD = 24
    EXCHANGES = 25
    SENT_BYTES = 26
    MESSAGES = 27
    TAIL = 32
    POSTED = 40
    STOP = 48
    WORDS = 56


class Failure(IntEnum):
    """Why exchanges have ended: a rank did not answer in time, or MPI reported an error."""

    TIMEOUT = 1
    ERROR = 2


class Bucket(IntEnum):
    """Words of a bucket: what one exchange adds up.

    data is the memory of the token, of `count` elements. inputs and outputs are pairs (address, bytes), copied to and
    from it one behind the other. done is an i32 that counts finished exchanges, with i32 sleepers behind it; before is
    its value when the last one began. worked and waited are ticks: how long exchanges took, and how long steps waited.
    """

    COMM = 0
    DATA = 1
    COUNT = 2
    DOUBLE = 3
    NUMBER = 4
    N_INPUTS = 5
    INPUTS = 6
    N_OUTPUTS = 7
    OUTPUTS = 8
    BEFORE = 9
    WAITED = 10
    WANTED = 11
    DONE = 16
    WORKED = 17
    WORDS = 24


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


FLOATS, DOUBLES = FloatVectors.lanes, DoubleVectors.lanes
ROUNDS = 64
"""More than there can be: ranks are counted by a word."""


def add_floats(to: Floats, source: Floats, n: i64) -> None:
    """Add n numbers to others."""
    sums, terms = FloatVectors(to), FloatVectors(source)
    whole = n // FLOATS
    for k in range(whole):
        sums[k] += terms[k]
    for k in range(whole * FLOATS, n):
        to[k] += source[k]


def add_doubles(to: Doubles, source: Doubles, n: i64) -> None:
    """Add n numbers to others."""
    sums, terms = DoubleVectors(to), DoubleVectors(source)
    whole = n // DOUBLES
    for k in range(whole):
        sums[k] += terms[k]
    for k in range(whole * DOUBLES, n):
        to[k] += source[k]


def ordered(comm: Words, bucket: Words) -> bool:
    """Add up a bucket in the order of the ranks; whether that worked."""
    firsts, ends = stack(Words, ROUNDS), stack(Words, ROUNDS)
    data, size = Bytes(bucket[Bucket.DATA]), 4 << bucket[Bucket.DOUBLE]
    received = Bytes(comm[Comm.RECEIVED])
    first, end, rounds = 0, bucket[Bucket.COUNT], 0
    while (1 << rounds) < comm[Comm.RANKS]:
        firsts[rounds] = first
        ends[rounds] = end
        middle = first + ((end - first) >> 1)
        partner, lower = comm[Comm.RANK] ^ (1 << rounds), (comm[Comm.RANK] >> rounds) & 1 == 0
        sent, sent_end = (middle if lower else first), (end if lower else middle)
        first, end = (first if lower else middle), (middle if lower else end)
        n = end - first
        if not swap(comm, bucket, partner, data.at(sent * size), sent_end - sent, received, n, 1):
            return False
        if bucket[Bucket.DOUBLE] != 0:
            add_doubles(Doubles(data.at(first * size)), Doubles(received), n)
        else:
            add_floats(Floats(data.at(first * size)), Floats(received), n)
        rounds += 1
    while rounds > 0:
        rounds -= 1
        partner, lower = comm[Comm.RANK] ^ (1 << rounds), (comm[Comm.RANK] >> rounds) & 1 == 0
        lacks, lacks_end = (end if lower else firsts[rounds]), (ends[rounds] if lower else first)
        n = lacks_end - lacks
        if not swap(comm, bucket, partner, data.at(first * size), end - first, data.at(lacks * size), n, 2):
            return False
        first, end = firsts[rounds], ends[rounds]
    return True


def unordered(comm: Words, bucket: Words) -> bool:
    """Add up a bucket by MPI_Iallreduce; whether that worked."""
    number, n = comm[Comm.FLOAT + bucket[Bucket.DOUBLE]], i32(bucket[Bucket.COUNT])
    in_place, data, request = Bytes(comm[Comm.IN_PLACE]), Bytes(bucket[Bucket.DATA]), Bytes(comm[Comm.REQUESTS])
    code = call_i32_at(comm[Comm.IALLREDUCE], in_place, data, n, number, comm[Comm.SUM], comm[Comm.HANDLE], request)
    if code != 0:
        fail(comm, bucket, Failure.ERROR, -1, code)
        return False
    return settle(comm, bucket, 1, -1)


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
