"""Forms of a CUDA kernel's code that can be looked at; what a library computes has none but the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from mochac.codegen.cuda.generator import CudaGenerator
from mochac.errors import BackendError
from mochac.ir.program import Launch
from mochac.lowering.lowered import ScheduledKernel
from mochac.runtime.backend import CodeForm
from mochac.runtime.cuda.compiler import Resources, compile_cubin, compile_ptx, resource_use
from mochac.runtime.files.cache import Cache


class Generating(Protocol):
    """The backend: its generator and its cache of compiled code."""

    @property
    def generator(self) -> CudaGenerator: ...
    @property
    def cache(self) -> Cache | None: ...


def _source(backend: Generating, kernel: ScheduledKernel, launch: Launch) -> str:
    """CUDA C of a kernel alone, as a translation unit; a comment where a library computes it."""
    return kernel.code.text if launch.call else backend.generator.module_text([kernel.code])


def _compiled(compiler: Callable[..., Any], nothing: Any) -> Callable[[Generating, ScheduledKernel, Launch], Any]:
    """A kernel alone through a compiler, `nothing` where a library computes it."""

    def make(backend: Generating, kernel: ScheduledKernel, launch: Launch) -> Any:
        if launch.call:
            return nothing
        return compiler(_source(backend, kernel, launch), backend.generator.target_name, backend.cache)

    return make


def _resources(backend: Generating, kernel: ScheduledKernel, launch: Launch) -> Resources:
    """Registers, shared and local memory of a kernel."""
    if launch.call:
        raise BackendError(f"{launch.symbol} computes kernel {launch.kernel!r}; what it takes is not known")
    source = _source(backend, kernel, launch)
    by_function = resource_use(source, backend.generator.target_name, backend.cache)
    if launch.symbol not in by_function:
        raise BackendError(f"the CUDA compiler does not say what kernel {launch.kernel!r} takes")
    return by_function[launch.symbol]


FORMS = {
    "cuda": CodeForm("CUDA C", _source, "cu"),
    "ptx": CodeForm("PTX", _compiled(compile_ptx, "")),
    "cubin": CodeForm("machine code", _compiled(compile_cubin, b"")),
    "resources": CodeForm("registers and memory", _resources),
}
