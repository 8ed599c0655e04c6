"""The device that code is made for: what Machine is for a CPU.

compile.py makes one where the backend is CUDA; without a device it still lowers, prints and compiles, for dumps. It
joins codegen (which knows no devices) with runtime/cuda (which knows no kernels).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from mochac.codegen.cuda.target import CudaTarget
from mochac.errors import BackendError
from mochac.lowering.compiled_plan import CompiledPlan
from mochac.lowering.sources import generator
from mochac.options import Options
from mochac.runtime.cpu.machine import BURST_S, cache_in
from mochac.runtime.cuda.compiler import FLAGS, compile_cubin, find_compiler
from mochac.runtime.cuda.libraries import installed
from mochac.runtime.support.log import tell_once
from mochac.runtime.support.managed_array import ManagedArray
from mochac.runtime.support.rates import Bandwidth, Level, Peak

if TYPE_CHECKING:
    from mochac.ir.graph import Attr, Graph
    from mochac.ir.types import TensorType
    from mochac.passes.choose_library import Ask
    from mochac.runtime.cuda.device import Device
    from mochac.runtime.cuda.executor import CudaExecutor
    from mochac.runtime.cuda.resident_sets import ResidentSets

DEFAULT = "sm_90"
CAPABILITIES = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)
"""What `nvcc --list-gpu-arch` of CUDA 13 has; later ones are taken on trust."""
MULTIPROCESSORS = {75: 40, 80: 108, 86: 84, 87: 16, 89: 142, 90: 132, 100: 148, 120: 188}
"""Of the data centre's devices: T4, A100, A10, Orin, L40, H100 and H200, B200, RTX PRO 6000."""


class CudaMachine:
    """A CUDA device, with its cache of cubins (or None).

    Args:
        device: to run on; None: only for looking at code.
        target: "sm_90", the device to generate for where there is none.
        libraries: whose functions plans may call.
        insist: it is an error where one of them cannot be opened; otherwise kernels are generated in its place.
        how: precision= and deterministic= of CudaTarget.
    """

    backend = "cuda"

    def __init__(
        self,
        options: Options | None = None,
        device: Device | None = None,
        target: str = DEFAULT,
        libraries: tuple[str, ...] = (),
        *,
        insist: bool = False,
        **how: Any,
    ) -> None:
        self.options = options or Options.from_env()
        self.device = device
        found = named_target(target) if device is None else target_of(device)
        self.target = replace(found, libraries=libraries, **how)
        self.insist = insist
        self.cache = cache_in(str(self.options.cache_dir)) if self.options.cache else None

    def __str__(self) -> str:
        where = str(self.device) if self.device is not None else self.target.name
        return f"backend cuda ({where}): {self.target.multiprocessors} multiprocessors"

    @cached_property
    def versions(self) -> tuple[str, ...]:
        """What code depends on besides the graph."""
        package = self.device.driver.info.package if self.device is not None else ""
        compiler = find_compiler() if package not in ("", "null", "emulator") else None
        made_by = (compiler.name, compiler.version) if compiler else ()
        return (*generator(), "cuda", repr(self.target), package, *FLAGS, *made_by)

    def called(self, graph: Graph) -> tuple[str, ...]:
        """Versions of the libraries that a graph may call; others are not opened, which takes tenths of seconds."""
        from mochac.passes.choose_library import candidates

        return tuple(self._version(name) for name in candidates(graph, self.target.libraries)) if self.device else ()

    def _version(self, name: str) -> str:
        assert self.device is not None
        try:
            return self.device.library(name).version
        except BackendError as error:
            if self.insist:
                raise
            return f"no {name}: {error.__cause__}"

    def remark(self, called: Iterable[str]) -> str:
        """What explain says of the libraries that a plan calls where no device could be asked; "" where one was."""
        names = sorted(set(called))
        if self.device is not None or not names:
            return ""
        absent = [name for name in names if name not in installed()]
        here = f"; not installed here: {', '.join(absent)}" if absent else ""
        return f"  {' and '.join(names)}: asked for each call on the machine where it runs{here}"

    @property
    def ask(self) -> Ask | None:
        """Why a library does not have a call; None where no device can be asked."""
        return self._asked if self.device is not None else None

    def _asked(self, attrs: Mapping[str, Attr], types: tuple[TensorType, ...]) -> str:
        from mochac.lowering.library_calls import call_text
        from mochac.runtime.cuda.driver import DeviceError
        from mochac.runtime.cuda.libraries.library import parsed

        assert self.device is not None
        call = parsed(call_text(attrs), types)
        try:
            self.device.prepared(call)
        except DeviceError as error:
            tell_once(f"{self.device}: {call} is not called, generated code takes its place: {error}")
            return str(error)
        except BackendError as error:
            if self.insist:
                raise
            why = f"{error.rule}: {error.__cause__}"
            tell_once(f"{why}; generated kernels take its place")
            return why
        return ""

    def lanes(self, dtype: str) -> int:
        """Samples of the smaller of predict()'s plans: one."""
        return 1

    def peak(self, threads: int) -> Peak:
        """What the device reaches in multiply-adds."""
        from mochac.runtime.cuda.peak import DevicePeak

        assert self.device is not None, "a program that runs has a device"
        with closing(DevicePeak(self.device, self.cache)) as loop:
            return Peak(loop.gflops(BURST_S), "the device reaches in multiply-adds")

    def bandwidth(self, threads: int) -> Bandwidth:
        """What the device's memory delivers in copying."""
        from mochac.runtime.cuda.peak import DevicePeak

        assert self.device is not None, "a program that runs has a device"
        with closing(DevicePeak(self.device, self.cache)) as loop:
            gbs = loop.gbs()
        return Bandwidth(threads, (Level("memory", None, gbs, gbs),))

    def objects(self, text: str) -> list[bytes]:
        """What the device loads of a module."""
        if self.device is not None:
            return [self.device.driver.image(text, self.cache)]
        return [compile_cubin(text, self.target.name, self.cache)]

    def resident_sets(self, dtype: str) -> ResidentSets | None:
        """The data sets that the device keeps for one program; None without a device."""
        from mochac.runtime.cuda.resident_sets import ResidentSets

        return ResidentSets(self.device, dtype, allowed=self.options.resident) if self.device is not None else None

    def bind(self, compiled: CompiledPlan, states: Mapping[str, Any], threads: int | None = None) -> CudaExecutor:
        """A compiled plan on the device, ready to run; an array among the states is copied there."""
        from mochac.runtime.cuda.executor import CudaExecutor

        if self.device is None:
            raise BackendError("this program was made for looking at code; it has no device to run on")
        held = {key: a if isinstance(a, ManagedArray) else ManagedArray(np.asarray(a)) for key, a in states.items()}
        streams, watch = self.options.cuda_streams, self.options.cuda_watch
        return CudaExecutor(compiled.plan, compiled.objects[0], held, self.device, streams=streams, watch=watch)


def target_of(device: Device) -> CudaTarget:
    """What codegen needs to know of a device."""
    info = device.driver.info
    return CudaTarget(info.sm, info.shared_bytes, info.max_threads, info.multiprocessors)


def named_target(name: str) -> CudaTarget:
    """The target called so, with the limits every such device has and the size of a usual one.

    Raises:
        BackendError: not a name like "sm_90", or none of a device that code is made for.

    >>> named_target("sm_90").multiprocessors
    132
    """
    digits = re.fullmatch(r"sm_([1-9][0-9]{1,2})", name)
    sm = int(digits[1]) if digits else 0
    if sm not in CAPABILITIES and sm <= CAPABILITIES[-1]:
        known = ", ".join(f"sm_{known}" for known in CAPABILITIES)
        raise BackendError(f"unknown CUDA target {name!r}", expected=f"compute capability 7.5 or later: {known}")
    nearest = max(known for known in MULTIPROCESSORS if known <= sm)
    return CudaTarget(sm, multiprocessors=MULTIPROCESSORS[nearest])
