"""CudaBackend: CUDA C, compiled by NVIDIA's compilers and run on a GPU; code can be looked at without one.

FORMS are the forms of a kernel's code that can be looked at; for a kernel that a library computes, only the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mochac.base.errors import BackendError, OptionError
from mochac.base.options import CompileOptions, Options
from mochac.base.support.log import tell_once
from mochac.base.support.memory import ManagedArray
from mochac.base.support.times import Bandwidth, Level, Peak
from mochac.runtime.backend import OF_LIBRARIES, Backend, CodeForm, States, call_settings, register
from mochac.runtime.cuda import device as devices
from mochac.runtime.cuda.driver import NoSuchDevice
from mochac.runtime.cuda.libraries import installed
from mochac.runtime.ranks.processes import local_rank

if TYPE_CHECKING:
    from mochac.base.files.cache import Cache
    from mochac.codegen.cuda.generator import CudaGenerator
    from mochac.codegen.cuda.target import CudaTarget
    from mochac.ir.graph import Graph
    from mochac.ir.plan import Launch, Plan
    from mochac.runtime.cuda.adviser import CudaAdviser
    from mochac.runtime.cuda.compiler import Resources
    from mochac.runtime.cuda.device import Device
    from mochac.runtime.cuda.device_arrays import DeviceResult
    from mochac.runtime.cuda.exchange import CudaExchange
    from mochac.runtime.cuda.executor import CudaExecutor
    from mochac.runtime.cuda.resident_sets import ResidentSets
    from mochac.runtime.data.source import DataSource
    from mochac.runtime.lowered import Lowered, ScheduledKernel
    from mochac.runtime.ranks.ranks import Ranks


def _source(backend: CudaBackend, kernel: ScheduledKernel, launch: Launch) -> str:
    """CUDA C of a kernel alone, as a translation unit; a comment if a library computes it."""
    return kernel.code.text if launch.call else backend.generator.module_text([kernel.code])


def _ptx(backend: CudaBackend, kernel: ScheduledKernel, launch: Launch) -> str:
    from mochac.runtime.cuda.compiler import compile_ptx

    source = _source(backend, kernel, launch)
    return "" if launch.call else compile_ptx(source, backend.generator.target_name, backend.cache)


def _cubin(backend: CudaBackend, kernel: ScheduledKernel, launch: Launch) -> bytes:
    from mochac.runtime.cuda.compiler import compile_cubin

    source = _source(backend, kernel, launch)
    return b"" if launch.call else compile_cubin(source, backend.generator.target_name, backend.cache)


def _resources(backend: CudaBackend, kernel: ScheduledKernel, launch: Launch) -> Resources:
    """Registers, shared and local memory of a kernel."""
    from mochac.runtime.cuda.compiler import resource_use

    if launch.call:
        raise BackendError(f"{launch.symbol} computes kernel {launch.kernel!r}; its resources are not known")
    source = _source(backend, kernel, launch)
    by_symbol = resource_use(source, backend.generator.target_name, backend.cache)
    if launch.symbol not in by_symbol:
        raise BackendError(f"the CUDA compiler does not report the resources of kernel {launch.kernel!r}")
    return by_symbol[launch.symbol]


FORMS = {
    "cuda": CodeForm("CUDA C", _source, "cu"),
    "ptx": CodeForm("PTX", _ptx),
    "cubin": CodeForm("machine code", _cubin),
    "resources": CodeForm("registers and memory", _resources),
}


BURST_S = 0.008
"""Duration of the peak's measurement."""


@register
class CudaBackend(Backend):
    """A CUDA device.

    Args:
        device: the device to run on; None: only look at code.
        target: "sm_90", the device to generate code for if `device` is None; None: a typical one.
        libraries: libraries whose functions plans may call.
        insist: raise an error if one of them cannot be opened; otherwise generate kernels instead.
        how: precision= and deterministic= of CudaTarget.
    """

    name = "cuda"
    kind = "CUDA device"
    language, ending = "CUDA C", "cu"
    forms = FORMS
    precedence = 2
    needs_device = True
    usual_reasons = (devices.NO_DRIVER,)
    also_called = ("gpu", "nvidia")
    takes = frozenset({"libraries", "tune"})
    in_host_memory = False
    keeps_datasets = True
    exchanges = True

    def __init__(
        self,
        env: Options | None = None,
        device: Device | None = None,
        target: str | None = None,
        libraries: tuple[str, ...] = (),
        *,
        insist: bool = False,
        **how: Any,
    ) -> None:
        from mochac.codegen.cuda.generator import CudaGenerator  # lazily: "auto" imports this module on any machine
        from mochac.codegen.cuda.target import DEFAULT, named_target

        super().__init__(env or Options.from_env())
        self.device = device
        plain = named_target(target or DEFAULT) if device is None else self._target_of(device)
        self._target = replace(plain, libraries=libraries, **how)
        self._generator = CudaGenerator(self._target)
        self._insist = insist

    # -- choosing ----------------------------------------------------------------------------------------------------

    @classmethod
    def missing(cls) -> str:
        return devices.missing()

    @classmethod
    def makes_code_for(cls, target: str) -> bool:
        return target.startswith("sm_")

    @classmethod
    def open(cls, options: CompileOptions, env: Options, run: bool) -> CudaBackend:
        """If plans will not run, code is generated for the device found, or for a typical one with all libraries."""
        from mochac.ir.passes.choose_library import LIBRARIES

        if run:
            return cls._on_device(options, env)
        if options.target is None and not cls.missing():
            with suppress(BackendError):
                return cls._on_device(options, env)
        libraries = _wanted(options, LIBRARIES)
        how: dict[str, Any] = {"precision": options.precision, "deterministic": options.deterministic}
        return cls(env, target=options.target, libraries=libraries, **how)

    @classmethod
    def _on_device(cls, options: CompileOptions, env: Options) -> CudaBackend:
        device = _device(env.cuda_device if options.device is None else int(options.device))
        libraries = _wanted(options, device.driver.libraries)
        insist = not isinstance(options.libraries, bool)
        how: dict[str, Any] = {"precision": options.precision, "deterministic": options.deterministic}
        tell_once(f"backend cuda: {device}{' with ' + ' and '.join(libraries) if libraries else ''}")
        return cls(env, device, libraries=libraries, insist=insist, **how)

    def refuse(self, options: CompileOptions) -> None:
        super().refuse(options)
        if options.tune is not None and self.device is None:
            raise OptionError("tune= times schedules on a device", expected="a CUDA device", got=str(self))
        settings = call_settings(options)
        if settings and not self.generator.libraries:
            expected = "libraries= that are installed and not switched off"
            raise OptionError(
                f"{' and '.join(settings)} {OF_LIBRARIES}", expected=expected, got="generated kernels only"
            )

    def _target_of(self, device: Device) -> CudaTarget:
        """The properties of a device that codegen needs."""
        from mochac.codegen.cuda.target import CudaTarget

        d = device.driver.info
        limits = (d.sm, d.shared_bytes, d.max_threads, d.multiprocessors, d.memory_bytes)
        return CudaTarget(*limits, early=self._early(device))

    def _early(self, device: Device) -> bool:
        """Whether kernels begin early on a device: as the environment says, else where it was measured to pay."""
        from mochac.runtime.cuda.measurements import can_begin_early, early_gain

        wanted = self.env.cuda_early
        return early_gain(device, self.cache) if wanted is None else wanted and can_begin_early(device)

    # -- compiling ---------------------------------------------------------------------------------------------------

    @property
    def generator(self) -> CudaGenerator:
        return self._generator

    @property
    def versions(self) -> tuple[str, ...]:
        from mochac.runtime.cuda.compiler import FLAGS, find_compiler

        package = self.device.driver.info.package if self.device is not None else ""
        compiler = find_compiler() if package not in ("", "null", "emulator") else None
        compiler_version = (compiler.name, compiler.version) if compiler else ()
        timed = "calls timed" if self.env.cuda_time_calls else ""
        return (repr(self._target), package, timed, *FLAGS, *compiler_version)

    def library_versions(self, graph: Graph) -> tuple[str, ...]:
        """Only versions of libraries that the graph may call: opening one takes tenths of a second."""
        from mochac.ir.passes.choose_library import candidates

        return tuple(map(self._version, candidates(graph, self.generator.libraries))) if self.device else ()

    def _version(self, name: str) -> str:
        assert self.device is not None
        try:
            return self.device.library(name).version
        except BackendError as error:
            if self._insist:
                raise
            return f"no {name}: {error.__cause__}"

    @property
    def adviser(self) -> CudaAdviser | None:
        if self.device is None:
            return None
        from mochac.runtime.cuda.adviser import CudaAdviser

        return CudaAdviser(self.device, self.cache, self.env.cuda_time_calls, self._insist)

    def compile(self, text: str) -> bytes:
        return self._image(text, None)

    def objects(self, text: str) -> list[bytes]:
        return [self._image(text, self.cache)]

    def _image(self, text: str, cache: Cache | None) -> bytes:
        if self.device is not None:
            return self.device.driver.image(text, cache)
        from mochac.runtime.cuda.compiler import compile_cubin

        return compile_cubin(text, self._target.name, cache)

    # -- running -----------------------------------------------------------------------------------------------------

    def datasets(self, dtype: str) -> ResidentSets | None:
        from mochac.runtime.cuda.resident_sets import ResidentSets

        return ResidentSets(self.device, dtype, allowed=self.env.resident) if self.device is not None else None

    def result(self, shape: Sequence[int], dtype: np.dtype) -> DeviceResult:
        from mochac.runtime.cuda.device_arrays import DeviceResult

        assert self.device is not None, "a program that runs has a device"
        return DeviceResult(shape, dtype, self.device)

    def bind(
        self,
        plan: Plan,
        objects: Sequence[bytes],
        states: States,
        threads: int | None = None,
        exchange: Any = None,
    ) -> CudaExecutor:
        """Bind a plan; arrays among the states are copied to the device."""
        from mochac.runtime.cuda.executor import CudaExecutor
        from mochac.runtime.cuda.launcher import nvtx_ranges

        if self.device is None:
            raise BackendError("this program was made for looking at code; it has no device to run on")
        managed = {key: a if isinstance(a, ManagedArray) else ManagedArray(np.asarray(a)) for key, a in states.items()}
        streams, watch = self.env.cuda_streams, self.env.cuda_watch
        early, ranges = self._target.early, nvtx_ranges() if self.env.cuda_nvtx else None
        return CudaExecutor(
            plan, objects[0], managed, self.device,
            streams=streams, watch=watch, exchange=exchange, early=early, ranges=ranges,
        )  # fmt: skip

    def exchange(self, ranks: Ranks) -> CudaExchange:
        from mochac.runtime.cuda.exchange import CudaExchange

        assert self.device is not None, "a program that runs has a device"
        return CudaExchange(ranks, self.device)

    # -- measuring ---------------------------------------------------------------------------------------------------

    def peak(self, threads: int) -> Peak:
        from mochac.runtime.cuda.measurements import DevicePeak

        assert self.device is not None, "a program that runs has a device"
        with closing(DevicePeak(self.device, self.cache)) as loop:
            return Peak(loop.gflops(BURST_S), "the device reaches in multiply-adds")

    def bandwidth(self, threads: int) -> Bandwidth:
        """The measured bandwidth of the device's memory in copying."""
        from mochac.runtime.cuda.measurements import DevicePeak

        assert self.device is not None, "a program that runs has a device"
        with closing(DevicePeak(self.device, self.cache)) as loop:
            gbs = loop.gbs()
        return Bandwidth(threads, (Level("memory", None, gbs, gbs),))

    # -- showing -----------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        where = str(self.device) if self.device is not None else self._target.name
        return f"backend cuda ({where}): {self._target.multiprocessors} multiprocessors"

    def forecast(self, sources: Sequence[DataSource], dtype: np.dtype) -> str:
        from mochac.runtime.cuda.resident_sets import forecast

        return forecast(sources, dtype)

    def sections(self, lowered: Lowered) -> list[tuple[str, str]]:
        """The graph of a step, since kernels wait for data rather than phases; and where the kernels come from."""
        from mochac.codegen.generator import LibraryCode
        from mochac.runtime.cuda.branches import streams
        from mochac.runtime.cuda.origins import origins, timed_lines

        codes = [k.code for k in lowered.kernels if isinstance(k.code, LibraryCode) and not k.code.exchanges]
        called = {code.symbol.partition(".")[0] for code in codes}
        places = "\n".join(filter(None, (origins(lowered), self._remark(sorted(called)))))
        graph_of_a_step = streams(lowered.plan, self._target.multiprocessors, self.env.cuda_streams)
        timed = timed_lines(lowered.graph)
        measured = [("Calls of libraries, timed on this device", timed)] if timed else []
        return [graph_of_a_step, ("Where kernels come from", places), *measured]

    def _remark(self, called: Sequence[str]) -> str:
        """A remark on the libraries that a plan calls if no device could be asked; "" otherwise."""
        if self.device is not None or not called:
            return ""
        absent = [name for name in called if name not in installed()]
        here = f"; not installed here: {', '.join(absent)}" if absent else ""
        return f"  {' and '.join(called)}: asked for each call on the machine where it runs{here}"


def _device(ordinal: int | None) -> Device:
    """The device with this number; None: the first one, and for each of several ranks of a machine its own."""
    if ordinal is not None:
        return devices.device(ordinal)
    rank = local_rank()
    try:
        return devices.device(rank)
    except NoSuchDevice as error:
        if not error.count:
            raise
        return devices.device(rank % error.count)


def _wanted(options: CompileOptions, there: tuple[str, ...]) -> tuple[str, ...]:
    """The libraries that plans may call: those named, else those found."""
    if isinstance(options.libraries, bool):
        return there if options.libraries else ()
    return tuple(options.libraries)
