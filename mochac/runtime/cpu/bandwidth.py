"""What the machine's caches and memory deliver: bytes a second of each level, compiled and run as mochac's kernels are.

Profiles and benchmarks hold kernels that move more than they compute against it, as others against runtime/cpu/peak.py,
in the same process and minute. It must not know any net.
"""

from __future__ import annotations

import time
from contextlib import closing
from math import isqrt

import numpy as np

from mochac.ir.program import Launch, Placement, Plan
from mochac.ir.types import TensorType
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.caches import caches
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.cpuinfo import default_threads, host_cpu
from mochac.runtime.cpu.executor import CpuExecutor
from mochac.runtime.files.cache import Cache
from mochac.runtime.support.aligned import aligned_empty, aligned_zeros
from mochac.runtime.support.rates import Bandwidth, Level, confirmed

BURST_BYTES = 64 << 20
"""That a thread moves in one measurement: tenths of a millisecond from near caches, milliseconds from memory."""
BURSTS = 7
MOST_BYTES = 256 << 20
"""Taken for measuring memory; where caches are as large as that, it is not measured."""
STREAMS = 8
"""Vectors of a pass of the loops; with more, L2 was slower (Zen 5)."""
BOUNDARY = 2 << 20
"""Working sets start on one: one that lay across a large power of two was read at 3/4 of the rate from L1 (Zen 5, whose
ways are predicted from a hash of the address)."""
FRESH_S = 60.0
_HUGE = 10**12


class BandwidthLoop:
    """Loops that read or copy memory, on all threads at once, each in a part of its own.

    Args:
        threads: >= 1; None: as many as this process may use.
        cpu: target; default this machine.
        cache: cache of objects.
    """

    def __init__(self, threads: int | None = None, cpu: CpuInfo | None = None, cache: Cache | None = None) -> None:
        self.cpu = cpu or host_cpu()
        self.threads = threads or default_threads()
        self.lanes = self.cpu.vector_bytes // 4
        self.sets = working_sets(self.threads)
        largest = max(n_bytes for _, _, n_bytes in self.sets)
        self.memory = _empty(largest * self.threads)
        self.memory[:] = 1  # pages that were never written are all the same one
        self._numbers = aligned_zeros(2, np.int64)
        image = compiler.compile_cached(bandwidth_text(self.lanes), self.cpu, cache)
        self._plans = {symbol: self._bound(symbol, image, cache) for symbol in ("mochac_read", "mochac_copy")}

    def _bound(self, symbol: str, image: bytes, cache: Cache | None) -> CpuExecutor:
        result = TensorType("f32", (self.threads * 32,))
        placements = (
            Placement("numbers", TensorType("i64", (2,)), "state", "numbers"),
            Placement("memory", TensorType("i8", (self.memory.size,)), "state", "memory"),
            Placement("result", result, "arena"),
        )
        launch = Launch(symbol, symbol, ("numbers", "memory", "result"), self.threads, 0, flops=_HUGE)
        plan = Plan(
            symbol, placements, (launch,), (), (("result", "result"),), result.storage_bytes, result.storage_bytes
        )
        states = {"numbers": self._numbers, "memory": self.memory.view(np.int8)}
        return CpuExecutor(plan, [image], states, self.threads, cache=cache, yielding=False)

    def run(self, symbol: str, turns: int, n_bytes: int) -> float:
        """Go `turns` times over `n_bytes` of every thread's part; returns seconds of the slowest thread.

        Args:
            symbol: "mochac_read", or "mochac_copy" from one half of the bytes to the other.
            n_bytes: a multiple of 2 * STREAMS vectors.
        """
        self._numbers[:] = turns, n_bytes
        return float(self._plans[symbol].profile(1).launches[0])

    def gbs(self, symbol: str, n_bytes: int) -> float:
        """1e9 bytes a second that all threads together move."""
        turns = max(1, BURST_BYTES // n_bytes)
        moved = turns * n_bytes * self.threads
        self.run(symbol, turns, n_bytes)  # wakes the workers, fills the cache
        return confirmed([moved / self.run(symbol, turns, n_bytes) for _ in range(BURSTS)]) / 1e9

    def measure(self) -> Bandwidth:
        """Every level once; a fifth of a second or less."""
        levels = [
            Level(name, held, self.gbs("mochac_read", n_bytes), self.gbs("mochac_copy", n_bytes))
            for name, held, n_bytes in self.sets
        ]
        return Bandwidth(self.threads, tuple(levels))

    def close(self) -> None:
        """Release the loops."""
        for plan in self._plans.values():
            plan.close()


def bandwidth(threads: int | None = None, cpu: CpuInfo | None = None, cache: Cache | None = None) -> Bandwidth:
    """What this machine's caches and memory deliver to `threads` threads with the vectors of `cpu` now: measured again
    where the last time was more than a minute ago."""
    asked = threads or default_threads(), cpu or host_cpu()
    measured, found = _last.get(asked, (0.0, None))
    if found is None or time.monotonic() - measured > FRESH_S:
        with closing(BandwidthLoop(*asked, cache)) as loop:
            found = loop.measure()
        _last[asked] = time.monotonic(), found
    return found


_last: dict[tuple[int, CpuInfo], tuple[float, Bandwidth]] = {}


def _empty(n_bytes: int) -> np.ndarray:
    raw = aligned_empty(n_bytes + BOUNDARY, np.uint8)
    start = -raw.ctypes.data % BOUNDARY
    return raw[start : start + n_bytes]


def working_sets(threads: int) -> list[tuple[str, int | None, int]]:
    """(level, bytes the threads have of it, bytes a thread walks over).

    Half of the nearest cache; of others as far from the one before as from their end; and for memory twice the last one
    a thread, since a virtual machine may hide that its CPUs have several of these.
    """
    unit = 2 * STREAMS * 64
    found: list[tuple[str, int | None, int]] = []
    before = 0
    for cache in caches():
        held = cache.held_by(threads)
        walked = isqrt(before * held) if before else held // 2
        found.append((f"L{cache.level}", held, max(unit, walked // threads // unit * unit)))
        before = held
    if 2 * before <= MOST_BYTES:
        found.append(("memory", None, min(2 * before, MOST_BYTES // threads) // unit * unit))
    return found


def bandwidth_text(lanes: int) -> str:
    """LLVM text of both loops: item i goes args[0][0] times over the args[0][1] bytes at args[1] + i * args[0][1].

    Reading combines what it read and stores that at args[2] + 128 i; copying writes the second half of the bytes.
    """
    v = f"<{lanes} x i32>"
    size = 4 * lanes
    sums = "".join(f"  %a{k} = phi {v} [ zeroinitializer, %item ], [ %b{k}, %next ]\n" for k in range(STREAMS))
    inner = "".join(f"  %s{k} = phi {v} [ %a{k}, %turn ], [ %b{k}, %move ]\n" for k in range(STREAMS))
    loads = [_load(v, k, size) for k in range(STREAMS)]
    reads = "".join(load + f"  %b{k} = or {v} %s{k}, %v{k}\n" for k, load in enumerate(loads))
    copies = "".join(loads) + "".join(_store(v, k, size) for k in range(STREAMS))
    folds = "".join(f"  %f{k} = or {v} %{'b0' if k == 1 else f'f{k - 1}'}, %b{k}\n" for k in range(1, STREAMS))
    result = f"{folds}  %skip = mul i64 %i, 128\n  %to = getelementptr i8, ptr %out, i64 %skip\n"
    result += f"  store {v} %f{STREAMS - 1}, ptr %to, align 64\n"
    step = STREAMS * size
    read = _loop("mochac_read", step, "%bytes", sums, inner, reads, result)
    return read + _loop("mochac_copy", step, "%half", "", "", copies, "")


def _loop(symbol: str, step: int, end: str, sums: str, inner: str, body: str, result: str) -> str:
    return f"""
define void @{symbol}(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {{
entry:
  %numbers = load ptr, ptr %args, align 8
  %memory.at = getelementptr ptr, ptr %args, i64 1
  %memory = load ptr, ptr %memory.at, align 8
  %out.at = getelementptr ptr, ptr %args, i64 2
  %out = load ptr, ptr %out.at, align 8
  %turns = load i64, ptr %numbers, align 8
  %bytes.at = getelementptr i64, ptr %numbers, i64 1
  %bytes = load i64, ptr %bytes.at, align 8
  %half = lshr i64 %bytes, 1
  br label %item
item:
  %i = phi i64 [ %lo, %entry ], [ %i1, %stored ]
  %start = mul i64 %i, %bytes
  %base = getelementptr i8, ptr %memory, i64 %start
  br label %turn
turn:
  %t = phi i64 [ 0, %item ], [ %t1, %next ]
{sums}  br label %move
move:
  %at = phi i64 [ 0, %turn ], [ %at1, %move ]
{inner}  %p = getelementptr i8, ptr %base, i64 %at
  %q = getelementptr i8, ptr %p, i64 %half
{body}  %at1 = add nuw i64 %at, {step}
  %more = icmp ult i64 %at1, {end}
  br i1 %more, label %move, label %next
next:
  %t1 = add nuw i64 %t, 1
  %again = icmp ult i64 %t1, %turns
  br i1 %again, label %turn, label %stored
stored:
{result}  %i1 = add nuw i64 %i, 1
  %left = icmp ult i64 %i1, %hi
  br i1 %left, label %item, label %end
end:
  ret void
}}
"""


def _load(v: str, k: int, size: int) -> str:
    return f"  %p{k} = getelementptr i8, ptr %p, i64 {k * size}\n  %v{k} = load {v}, ptr %p{k}, align {size}\n"


def _store(v: str, k: int, size: int) -> str:
    return f"  %q{k} = getelementptr i8, ptr %q, i64 {k * size}\n  store {v} %v{k}, ptr %q{k}, align {size}\n"
