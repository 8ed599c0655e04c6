"""Memory layout of the blocks that exchanges between ranks work on, defined once for Python and LLVM text.

exchange_driver.py and what it calls print these numbers into LLVM IR; runtime/cpu/exchange.py writes the blocks. A
word is 8 bytes.
"""

from __future__ import annotations

from enum import IntEnum

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
