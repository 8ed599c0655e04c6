"""CudaAdviser: measures library calls on a device while a plan is compiled.

choose_library asks for the offer of a library, and has the kernels of a group timed with and without the call. The
engines of a library are timed, too: heuristics rank them without running them, and of those that compute a convolution
of LeNet in float32 and in a fixed order, the first had rank 18 of 25. All times are cached with the compiled code, so
that a second plan, or process, decides the same without running anything on the same kind of device and version of the
library.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from mochac.base.errors import BackendError
from mochac.base.files.cache import Cache, digest
from mochac.base.records import record
from mochac.base.support.log import tell_once
from mochac.base.support.memory import ManagedArray
from mochac.ir.passes.choose_library import Offer
from mochac.ir.types import DTYPES
from mochac.runtime.cuda.device import Device, FullDevice
from mochac.runtime.cuda.driver import DeviceError, Span
from mochac.runtime.cuda.executor import CudaExecutor
from mochac.runtime.cuda.libraries.library import LibraryCall, Prepared, parsed

if TYPE_CHECKING:
    from mochac.ir.graph import Attr
    from mochac.ir.plan import Plan
    from mochac.ir.types import TensorType
    from mochac.runtime.cuda.device import Device
    from mochac.runtime.lowered import Lowered


ENGINES_FORMAT = "engines-2"
ENGINE_RUNS = 5
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
    key = digest(ENGINES_FORMAT, info.name, str(info.sm), str(info.multiprocessors), library.version, _problem(call))
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
    addresses: list[int] = []

    def memory(n_bytes: int) -> Span:
        addresses.append(device.alloc(n_bytes, f"timing {call}"))
        return Span(addresses[-1], n_bytes)

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
                    found[number] = median(device.stopwatch.times([run] * ENGINE_RUNS))
                except DeviceError:
                    if device.broken():
                        raise
            if not found:
                raise DeviceError(f"no engine runs {call}")
            return found
        finally:
            for address in addresses:
                device.free(address)


FORMAT = "part-1"
RUNS = 7
"""Timed runs of a part, of which the median counts."""


@record
class CudaAdviser:
    """See CallAdviser of runtime/backend.py.

    Args:
        cache: of times; None: nothing is kept, so nothing is timed either.
        timed: time engines and parts.
        insist: a library that cannot be opened is an error.
    """

    device: Device
    cache: Cache | None
    timed: bool
    insist: bool

    @property
    def times(self) -> bool:
        """Without a cache, two runs of a program could decide differently, and differ in their bits."""
        return self.timed and self.cache is not None

    def offer(self, attrs: Mapping[str, Attr], types: tuple[TensorType, ...]) -> Offer:
        from mochac.codegen.generator import call_text

        call = parsed(call_text(attrs), types)
        try:
            return self._timed(call) if self.times else self._supported(call)
        except DeviceError as error:
            tell_once(f"{self.device}: {call} is not called, generated code takes its place: {error}")
            return Offer(refused=str(error))
        except BackendError as error:
            if self.insist:
                raise
            why = f"{error.rule}: {error.__cause__}"
            tell_once(f"{why}; generated kernels take its place")
            return Offer(refused=why)

    def _supported(self, call: LibraryCall) -> Offer:
        self.device.prepared(call)
        return Offer()

    def _timed(self, call: LibraryCall) -> Offer:
        try:
            times = engine_times(self.device, call, self.cache)
        except FullDevice:
            return self._supported(call)
        return Offer(engine=fastest(times), times=in_words(times))

    def seconds(self, lowered: Lowered) -> float:
        """How long the launches of a plan take one after another, with random numbers in every parameter; 0 if there is
        no memory for them, so that no call is chosen."""
        info = self.device.driver.info
        names = sorted({launch.symbol.partition(".")[0] for launch in lowered.plan.launches if launch.call})
        versions = [self.device.library(name).version for name in names]
        facts = (info.name, str(info.sm), str(info.multiprocessors), *versions)
        key = digest(FORMAT, lowered.text, str(lowered.plan), *facts)
        known = self.cache.get(key) if self.cache is not None else None
        if known is not None:
            return float(known)
        try:
            found = self._measured(lowered)
        except FullDevice:
            return 0.0
        if self.cache is not None:
            self.cache.put(key, repr(found).encode())
        return found

    def _measured(self, lowered: Lowered) -> float:
        tell_once(f"{self.device}: times calls of libraries beside generated kernels, once")
        with self.device.use() as driver:
            image = driver.image(lowered.text, self.cache)
        runner = CudaExecutor(lowered.plan, image, _random_states(lowered.plan), self.device, graph=False)
        try:
            runner.profile(1)
            times = runner.profile(RUNS).launches
        finally:
            runner.close()
        return float(times.sum()) + len(times) * self.device.stopwatch.empty_s


def _random_states(plan: Plan) -> dict[str, ManagedArray]:
    rng = np.random.default_rng(SEED)
    arrays = {}
    for placement in plan.placements:
        if placement.place == "state" and placement.key not in arrays:
            dtype = np.dtype(DTYPES[placement.type.dtype])
            shape = placement.type.shape
            drawn = rng.standard_normal(shape) if dtype.kind == "f" else np.zeros(shape)
            arrays[placement.key] = ManagedArray(np.asarray(drawn, dtype))
    return arrays
