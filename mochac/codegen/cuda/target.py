"""CudaTarget: the properties of a device that the printer and the schedules need.

It is made for a device, from what runtime/cuda detects, or for a named one, to dump code without a device.

Rates are rough and those of a whole device, for estimates of launches; none has been compared with a device yet.
"""

from __future__ import annotations

import re

from mochac.base.errors import BackendError
from mochac.base.records import record
from mochac.codegen.machine import Multiprocessor, multiprocessor

_CONSTANT = re.compile(r"(const [\w ]+)\* __restrict__ ")


@record(slots=True)
class CudaTarget:
    """Properties of a CUDA device for code generation.

    Args:
        sm: compute capability, 90 for 9.0.
        shared_bytes: shared memory that one block may use without opting in.
        panel_bytes: shared memory that the panels of a product may take; 0: as much as a block may have.
        max_threads: maximum threads of a block.
        multiprocessors: their number; schedules try to have at least as many blocks.
        memory_bytes: of the device.
        libraries: "cublas", "cudnn": libraries whose functions may replace generated kernels.
        precision, deterministic: settings of their calls, as in compile().
        early: kernels begin before those that they follow have ended, and wait themselves.
    """

    sm: int = 80
    shared_bytes: int = 48 * 1024
    max_threads: int = 1024
    multiprocessors: int = 108
    memory_bytes: int = 16 << 30
    libraries: tuple[str, ...] = ()
    precision: str = "float32"
    deterministic: bool = True
    early: bool = False
    panel_bytes: int = 0

    @property
    def copies_async(self) -> bool:
        """Whether threads need not wait for what they copy into shared memory."""
        return self.sm >= 80

    @property
    def room(self) -> int:
        """Shared memory for the panels of a product.

        >>> CudaTarget(90).room // 1024, CudaTarget(86).room // 1024, CudaTarget(75).room // 1024
        (227, 99, 64)
        """
        return self.panel_bytes or self.machine.block_bytes

    @property
    def machine(self) -> Multiprocessor:
        """The model of one multiprocessor."""
        return multiprocessor(self.sm)

    @property
    def name(self) -> str:
        """nvcc's name of the architecture.

        >>> CudaTarget(90).name
        'sm_90'
        """
        return f"sm_{self.sm}"

    @property
    def how_called(self) -> dict[str, str | bool]:
        """Attributes of every library call, without default values.

        >>> CudaTarget(90, precision="tf32").how_called
        {'precision': 'tf32'}
        """
        usual = CudaTarget()
        named = {"precision": self.precision, "deterministic": self.deterministic}
        return {name: value for name, value in named.items() if value != getattr(usual, name)}


LAUNCH_S, FLOPS_PER_S, BYTES_PER_S = 2e-6, 20e12, 2e12
"""Minimum time of a launch, and rates of operations and of bytes."""
CLOCK_HZ = 1.7e9
"""Clock of an H100 or H200; others are not far."""


def estimate(flops: int, moved_bytes: int, fill: float) -> float:
    """Estimated seconds of a launch whose blocks fill the fraction `fill` of the device.

    >>> round(estimate(40_000_000, 2_000_000, 0.5), 7)
    6e-06
    """
    return LAUNCH_S + max(flops / FLOPS_PER_S, moved_bytes / BYTES_PER_S) / min(1.0, max(fill, 1e-3))


DEFAULT = "sm_90"
CAPABILITIES = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)
"""What `nvcc --list-gpu-arch` of CUDA 13 lists; later ones are accepted too."""
MULTIPROCESSORS = {75: 40, 80: 108, 86: 84, 87: 16, 89: 142, 90: 132, 100: 148, 120: 188}
"""Multiprocessors by compute capability: T4, A100, A10, Orin, L40, H100 and H200, B200, RTX PRO 6000."""


def named_target(name: str) -> CudaTarget:
    """The target of this name, with the limits that all such devices share and the size of a typical one.

    Raises:
        BackendError: not a name like "sm_90", or a device that is not supported.

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


def beginning(target: CudaTarget) -> list[str]:
    """The first statements of every kernel."""
    return ["mochac_begin_early();"] if target.early else []


def early_parameters(text: str, target: CudaTarget) -> str:
    """Remove `__restrict__` from buffers that a function reads, if it begins with `beginning`: compilers may load a
    const __restrict__ buffer before the wait.

    >>> early_parameters("const float* __restrict__ x, float* __restrict__ y", CudaTarget(90, early=True))
    'const float* x, float* __restrict__ y'
    """
    return _CONSTANT.sub(r"\1* ", text) if target.early else text
