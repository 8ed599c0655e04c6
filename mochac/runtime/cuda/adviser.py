"""CudaAdviser: what a device and its libraries tell about calls, while a plan is compiled.

choose_library asks for the offer of a library, and has the kernels of a group timed with and without the call. Times
are cached, so that a second plan, or process, decides the same without running anything.
"""

from __future__ import annotations

from collections.abc import Mapping
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
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.executor import CudaExecutor
from mochac.runtime.cuda.libraries.engine_times import SEED, engine_times, fastest, in_words
from mochac.runtime.cuda.libraries.library import LibraryCall, parsed

if TYPE_CHECKING:
    from mochac.ir.graph import Attr
    from mochac.ir.plan import Plan
    from mochac.ir.types import TensorType
    from mochac.runtime.lowered import Lowered

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
        from mochac.codegen.library_code import call_text

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
