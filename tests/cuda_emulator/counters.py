"""What the warps of emulated kernels ask of memory: `count_kernels` for a sequence of launches, a `Counters` each.

Tests assert structure with it (sectors per request near the least, conflicts of banks); run as a program it prints the
table of a module. What is counted, and how exact it is, stands in emu_counters.cpp. It knows nothing of mochac.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from emulated import KernelLaunch, Module
from toolchain import source_line

BLOCKS = 4
"""Blocks of a launch that are run, evenly spread: enough to see ragged edges."""


class Counted(ctypes.Structure):
    """EmuCounted of emu_machine.h."""

    _fields_ = (
        ("code", ctypes.c_uint64),
        ("region", ctypes.c_int),
        ("write", ctypes.c_int),
        ("bytes", ctypes.c_uint),
        *((name, ctypes.c_uint64) for name in ("requests", "units", "least", "worst", "worst_least")),
    )


class Totals(ctypes.Structure):
    """EmuTotals of emu_machine.h."""

    _fields_ = tuple((name, ctypes.c_uint64) for name in ("blocks", "barriers", "exchanges"))


@dataclass(frozen=True)
class Site:
    """One load or store of the source on one buffer.

    Attributes:
        line: of the source, counted from 1.
        buffer: its name, "" for shared memory.
        bytes: that one lane moves.
        requests: of warps.
        units: 32-byte sectors moved in global memory, rounds of the banks in shared memory, in all.
        least: units that would do for the same bytes.
        worst: units per least of the worst request.
    """

    line: int
    buffer: str
    write: bool
    bytes: int
    requests: int
    units: int
    least: int
    worst: float


@dataclass(frozen=True)
class Counters:
    """One launch, as far as its `blocks` were run.

    Attributes:
        barriers: the most that one thread waits at.
        exchanges: shuffles, votes and barriers of a warp, the most that one thread takes part in.
    """

    symbol: str
    blocks: int
    barriers: int
    exchanges: int
    sites: tuple[Site, ...]

    def at(self, *buffers: str, write: bool | None = None) -> list[Site]:
        """The sites on some buffers ("" for shared memory; none: all global ones), loads or stores only if asked."""
        chosen = (s for s in self.sites if (s.buffer in buffers if buffers else s.buffer))
        return [s for s in chosen if write is None or s.write == write]

    def sectors(self, *buffers: str, write: bool | None = None) -> float:
        """32-byte sectors of global memory per request of a warp, on average."""
        sites = self.at(*buffers, write=write)
        return sum(s.units for s in sites) / max(1, sum(s.requests for s in sites))

    def waste(self, *buffers: str, write: bool | None = None) -> float:
        """Sectors moved for each that the bytes asked for would fill, 1.0 where accesses are coalesced."""
        sites = self.at(*buffers, write=write)
        return sum(s.units for s in sites) / max(1, sum(s.least for s in sites))

    @property
    def ways(self) -> float:
        """Rounds of the banks of shared memory for each that is needed, on average: 1.0 without conflicts."""
        return self.waste("") if self.at("") else 1.0

    @property
    def worst_ways(self) -> float:
        """Those of the worst request."""
        return max((s.worst for s in self.at("")), default=1.0)


def count_kernels(
    source: str, launches: Sequence[KernelLaunch], arrays: Mapping[str, np.ndarray], *, blocks: int = BLOCKS
) -> list[Counters]:
    """The counters of each launch, run one after the other on copies of the arrays.

    Args:
        blocks: of each launch, how many are run (so what they compute is not whole).

    Raises:
        EmulatorError: of a launch.
    """
    module = Module(source)
    state = {name: np.array(array, order="C") for name, array in arrays.items()}
    return [_counted(module, launch, [state[name] for name in launch.buffers], blocks) for launch in launches]


def _counted(module: Module, launch: KernelLaunch, arrays: list[np.ndarray], blocks: int) -> Counters:
    names = list(dict.fromkeys(launch.buffers))
    module.count(blocks)
    try:
        module.launch(launch.symbol, launch.grid, launch.block, launch.shared_bytes, arrays, names=launch.buffers)
        rows, totals = module.counted(Counted, Totals)
    finally:
        module.count(0)
    sites = tuple(_site(module, row, names) for row in rows)
    return Counters(launch.symbol, totals.blocks, totals.barriers, totals.exchanges, sites)


def _site(module: Module, row: Counted, names: list[str]) -> Site:
    return Site(
        line=source_line(module.path, row.code),
        buffer=names[row.region] if row.region >= 0 else "",
        write=bool(row.write),
        bytes=row.bytes,
        requests=row.requests,
        units=row.units,
        least=row.least,
        worst=row.worst / max(1, row.worst_least),
    )


COLUMNS = ("loads", "sectors", "waste", "stores", "waste", "shared", "ways", "worst", "barriers", "shuffles")


def table(counters: Sequence[Counters]) -> Iterator[str]:
    """Lines of text, one for each kernel: requests of a block for global loads, global stores and shared memory (what
    they cost beside it), barriers and shuffles of a thread."""
    yield f"{'kernel':44}" + "".join(f"{name:>9}" for name in COLUMNS)
    for c in counters:
        loads, stores, shared = c.at(write=False), c.at(write=True), c.at("")
        asked = [sum(s.requests for s in sites) / max(1, c.blocks) for sites in (loads, stores, shared)]
        numbers = (asked[0], c.sectors(write=False), c.waste(write=False), asked[1], c.waste(write=True))
        more = (asked[2], c.ways, c.worst_ways, c.barriers, c.exchanges)
        texts = (f"{n:9.2f}" if isinstance(n, float) and n < 100 else f"{n:9.0f}" for n in (*numbers, *more))
        yield f"{c.symbol.removeprefix('mochac_')[:43]:44}" + "".join(texts)


def lines(counters: Counters, source: str) -> Iterator[str]:
    """Lines of text, one for each load and store of a kernel, the most expensive first."""
    text = source.splitlines()
    for s in sorted(counters.sites, key=lambda s: -s.units):
        where = text[s.line - 1].strip()[:80] if s.line else ""
        what = f"{'store' if s.write else 'load '} {s.buffer or 'shared'}"
        cost = f"{s.units:9} units, {s.units / max(1, s.least):5.2f} x least, worst {s.worst:4.1f}"
        yield f"  {what:28} {s.requests:8} requests {cost}  {where}"
