"""Forms of a CUDA kernel's code that can be looked at; for a kernel that a library computes, only the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from mochac.base.errors import BackendError
from mochac.runtime.backend import CodeForm

if TYPE_CHECKING:
    from mochac.base.files.cache import Cache
    from mochac.codegen.cuda.generator import CudaGenerator
    from mochac.ir.plan import Launch
    from mochac.runtime.cuda.compiler import Resources
    from mochac.runtime.lowered import ScheduledKernel


class Generating(Protocol):
    """A backend's generator, and its cache of compiled code."""

    @property
    def generator(self) -> CudaGenerator: ...
    @property
    def cache(self) -> Cache | None: ...


def _source(backend: Generating, kernel: ScheduledKernel, launch: Launch) -> str:
    """CUDA C of a kernel alone, as a translation unit; a comment if a library computes it."""
    return kernel.code.text if launch.call else backend.generator.module_text([kernel.code])


def _ptx(backend: Generating, kernel: ScheduledKernel, launch: Launch) -> str:
    from mochac.runtime.cuda.compiler import compile_ptx

    source = _source(backend, kernel, launch)
    return "" if launch.call else compile_ptx(source, backend.generator.target_name, backend.cache)


def _cubin(backend: Generating, kernel: ScheduledKernel, launch: Launch) -> bytes:
    from mochac.runtime.cuda.compiler import compile_cubin

    source = _source(backend, kernel, launch)
    return b"" if launch.call else compile_cubin(source, backend.generator.target_name, backend.cache)


def _resources(backend: Generating, kernel: ScheduledKernel, launch: Launch) -> Resources:
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
