"""Whether early launches (libcuda.py) make chains of kernels faster on a device: measured once, then cached.

A chain of small kernels is captured and replayed twice, with launches that wait for the kernel before and with early
ones. Early launches are used if the slowest of their runs is faster than the fastest of the others, and every number is
right.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.base.files.cache import Cache, digest
from mochac.base.support.log import tell_once
from mochac.codegen.templates import template
from mochac.runtime.cuda.branches import Branches
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.driver import DeviceError, Driver, Span
from mochac.runtime.cuda.launcher import captured
from mochac.runtime.cuda.libcuda import LEAST_SM

FORMAT = "early-1"
KERNELS, BLOCK = 64, 256
"""Kernels of the chain, an even number, and threads of a block; there is a block for each multiprocessor."""
RUNS = 7
"""Timed replays of each, after one that is not timed."""
GAIN = 1.05
"""How much faster the chain must be: in a step, kernels are larger, and most run beside others."""


def early_gain(device: Device, cache: Cache | None) -> bool:
    """Whether kernels of this device begin early; False where the decision cannot be cached, since processes would
    decide differently."""
    if cache is None or not can_begin_early(device):
        return False
    info = device.driver.info
    key = digest(FORMAT, info.name, str(info.sm), str(info.multiprocessors), info.package)
    known = cache.get(key)
    if known is None:
        known = b"%d" % _measured(device, cache)
        cache.put(key, known)
    return known == b"1"


def can_begin_early(device: Device) -> bool:
    """Whether a device, and its driver, know early launches."""
    driver = device.driver
    return driver.info.sm >= LEAST_SM and driver.graphs and driver.early


def _measured(device: Device, cache: Cache) -> bool:
    tell_once(f"{device}: times a chain of kernels, once")
    try:
        with device.use() as driver:
            module = driver.load(driver.image(template("cuda/early_gain.cu.j2").render(), cache))
            try:
                plain, early = (
                    _seconds(device, driver, driver.function(module, "mochac_hop"), e) for e in (False, True)
                )
            finally:
                driver.unload(module)
    except DeviceError:
        return False
    return bool(plain and early) and GAIN * max(early) <= min(plain)


def _seconds(device: Device, driver: Driver, hop: Any, early: bool) -> list[float]:
    """Seconds of each run of the chain; none if it counts wrong."""
    blocks = driver.info.multiprocessors
    n_bytes = 4 * BLOCK * blocks
    addresses = [device.alloc(n_bytes, "a chain of kernels") for _ in range(2)]
    there, back = (Span(address, n_bytes) for address in addresses)
    stream, counted = device.stream, np.zeros(BLOCK * blocks, np.float32)
    chain = Branches((0,) * KERNELS, ((),) * KERNELS, tuple(range(KERNELS)))
    first, last = driver.event(), driver.event()

    def launch(k: int, number: int) -> None:
        if early and k:
            driver.launches_early(stream)
        driver.launch(hop, blocks, BLOCK, 0, (back, there) if k % 2 else (there, back), stream)

    try:
        driver.clear(there.address, n_bytes, stream)
        graph = captured(driver, [stream], chain, launch)
        driver.replay(graph, stream)
        spent: list[float] = []
        for _ in range(RUNS):
            driver.record(first, stream)
            driver.replay(graph, stream)
            driver.record(last, stream)
            driver.wait(stream)
            spent.append(driver.seconds(first, last))
        driver.download(counted, there.address, stream)
        driver.wait(stream)
        driver.free_graph(graph)
    finally:
        for address in addresses:
            device.free(address)
        driver.free_event(first)
        driver.free_event(last)
    return spent if (counted == KERNELS * (RUNS + 1)).all() else []
