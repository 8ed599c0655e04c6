"""engine_times: the times of a library's engines for one call, measured on the device.

Heuristics rank engines without running them: of those that compute a convolution of LeNet in float32 and in a fixed
order, the first had rank 18 of 25. Times are cached with the compiled code, so a problem is timed once on one kind of
device and with one version of the library.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from mochac.base.files.cache import Cache, digest
from mochac.ir.types import DTYPES
from mochac.runtime.cuda.driver import DeviceError, Span
from mochac.runtime.cuda.libraries.library import LibraryCall, Prepared

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device

FORMAT = "engines-2"
RUNS = 5
"""Timed runs of an engine, after one that loads it."""
GAIN = 1.02
"""An engine may take at most this many times as long as the fastest; smaller differences are noise."""
SEED = 1


def engine_times(device: Device, call: LibraryCall, cache: Cache | None) -> dict[int, float]:
    """Seconds of the call by engine, from the cache or measured; those that fail are left out.

    Raises:
        DeviceError: the library does not support the call. FullDevice: there is no memory for its operands.
    """
    info, library = device.driver.info, device.library(call.library)
    key = digest(FORMAT, info.name, str(info.sm), str(info.multiprocessors), library.version, _problem(call))
    known = cache.get(key) if cache is not None else None
    if known is not None:
        return {int(engine): float(seconds) for engine, seconds in json.loads(known)}
    found = _measured(device, call, library.engines(call))
    if cache is not None:
        cache.put(key, json.dumps(list(found.items())).encode())
    return found


def fastest(times: Mapping[int, float]) -> int:
    """The engine to take: the fastest, or one ranked higher that is as fast within the noise.

    >>> fastest({0: 2.0e-5, 3: 1.01e-5, 7: 1.0e-5})
    3
    """
    best = min(times.values())
    return next(engine for engine, seconds in sorted(times.items()) if seconds <= GAIN * best)


def in_words(times: Mapping[int, float]) -> str:
    """The engines by time.

    >>> in_words({0: 2.0e-5, 3: 1.01e-5})
    'engine 3 10.1 us, 0 20.0 us'
    """
    ranked = sorted(times.items(), key=lambda found: found[1])
    return "engine " + ", ".join(f"{engine} {1e6 * seconds:.1f} us" for engine, seconds in ranked)


def _problem(call: LibraryCall) -> str:
    how = {**call.attrs, "epilogue": call.epilogue, "precision": call.precision, "deterministic": call.deterministic}
    return json.dumps([call.function, call.of, how, [str(t) for t in call.types]], sort_keys=True)


def _measured(device: Device, call: LibraryCall, engines: Mapping[int, Prepared]) -> dict[int, float]:
    held: list[int] = []

    def memory(n_bytes: int) -> Span:
        held.append(device.alloc(n_bytes, f"timing {call}"))
        return Span(held[-1], n_bytes)

    with device.use() as driver:
        try:
            workspace = memory(max(engine.workspace_bytes for engine in engines.values()))
            spans = [memory(t.storage_bytes) for t in call.types]
            rng = np.random.default_rng(SEED)
            for span, t in zip(spans[:-1], call.types, strict=False):
                driver.upload(span.address, rng.standard_normal(t.shape).astype(DTYPES[t.dtype]), device.stream)
                driver.wait(device.stream)
            found: dict[int, float] = {}
            for number, engine in engines.items():
                own = Span(workspace.address, engine.workspace_bytes)
                run = partial(driver.call, engine, spans, own, device.stream)
                try:
                    run()  # loads the engine's kernels, which may wait for the stream that a stopwatch holds
                    driver.wait(device.stream)
                    found[number] = median(device.stopwatch.times([run] * RUNS))
                except DeviceError:
                    if device.broken():
                        raise
            if not found:
                raise DeviceError(f"no engine runs {call}")
            return found
        finally:
            for address in held:
                device.free(address)
