"""Sums of a bucket over all ranks, in one of two ways. Native functions.

In order, values are added by recursive halving: in round k a rank and its partner, whose number differs in bit k, each
send half of what they have left and add up the other half. After the last round each rank has a part of the sums, which
it sends back the same way (recursive doubling). So every element is added by a balanced binary tree over the ranks in
their order, and no all-reduce sends fewer bytes. With MPI_Iallreduce, the library chooses the order.
"""

from __future__ import annotations

from mochac.codegen.cpu.exchange_layout import Bucket, Comm, Failure
from mochac.codegen.cpu.exchange_messages import fail, settle, swap
from mochac.codegen.native.values import (
    Bytes,
    Doubles,
    DoubleVectors,
    Floats,
    FloatVectors,
    Words,
    call_i32_at,
    i32,
    i64,
    stack,
)

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
