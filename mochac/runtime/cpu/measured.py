"""measured: the model of this machine, with measured rates.

Peak and bandwidth are measured when a prediction first needs them, in a fifth of a second, and kept in the cache, so
that the same kernel has the same prediction in every process; `mochac cache --clear` forgets them, a profile measures
again. They never influence a schedule.
"""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict, replace

from mochac.base.files.cache import Cache, digest
from mochac.base.support.times import Bandwidth, Level, confirmed
from mochac.codegen.machine import Machine
from mochac.runtime.cpu.bandwidth import PeakLoop, bandwidth
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.cpuinfo import caches, cpu_model

FORMAT = "rates-1"
BURSTS, BURST_S = 4, 0.008
"""Number and duration of the bursts that measure the peak."""


def peak(threads: int, cpu: CpuInfo, cache: Cache | None = None) -> float:
    """1e9 operations per second: the best of several short bursts of multiply-adds, since another process may take a
    core away."""
    with closing(PeakLoop(threads, cpu, cache)) as loop:
        return confirmed([loop.gflops(BURST_S, by_thread=True) for _ in range(BURSTS)])


def measured(model: Machine, threads: int, cpu: CpuInfo, cache: Cache | None) -> Machine:
    """A model with the rates of this machine: kept ones, or else measured now."""
    rates = _kept(threads, cpu, cache)
    if rates is None:
        rates = peak(threads, cpu, cache), bandwidth(threads, cpu, cache)
        keep(*rates, cpu, cache)
    return with_rates(model, *rates)


def with_rates(model: Machine, gflops: float, measured: Bandwidth) -> Machine:
    """A model with the rates of one thread among those measured together. Its clock rate is the one at which its units
    reach the peak."""
    per_cycle = 2 * model.vector_bytes / 4 * model.multiply_adds * measured.threads
    hz = gflops * 1e9 / per_cycle
    rates = {level.name: level.read_gbs * 1e9 / measured.threads / hz for level in measured.levels}
    sizes = tuple(level.n_bytes // measured.threads for level in measured.levels if level.n_bytes)
    names = [f"L{k}" for k, _ in enumerate(model.caches, 1)]
    ours = [rates.get(name, level.bytes_per_cycle) for name, level in zip(names, model.caches, strict=True)]
    memory = rates.get("memory", model.memory_bytes_per_cycle)
    return replace(model.with_caches(sizes), hz=hz).with_rates(hz, [*ours, memory])


def keep(gflops: float, measured: Bandwidth, cpu: CpuInfo, cache: Cache | None) -> None:
    """Keep what was measured."""
    if cache is not None:
        text = json.dumps({"gflops": gflops, **asdict(measured)})
        cache.put(_key(measured.threads, cpu), text.encode())


def _kept(threads: int, cpu: CpuInfo, cache: Cache | None) -> tuple[float, Bandwidth] | None:
    entry = cache.get(_key(threads, cpu)) if cache is not None else None
    try:
        fields = json.loads(entry) if entry is not None else None
        if fields is None:
            return None
        levels = tuple(Level(**level) for level in fields["levels"])
        return float(fields["gflops"]), Bandwidth(int(fields["threads"]), levels)
    except (ValueError, TypeError, KeyError):
        return None


def _key(threads: int, cpu: CpuInfo) -> str:
    sizes = [f"{c.level} {c.n_bytes} {c.cpus}" for c in caches()]
    return digest(FORMAT, cpu.key, cpu_model(), str(threads), *sizes)
