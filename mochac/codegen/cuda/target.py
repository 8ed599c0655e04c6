"""A CUDA device as the printer and the schedules see it: compute capability, limits of a block, multiprocessors.

driver makes one from what runtime/cuda found out about the device (or from a name, for dumps without one). It knows no
kernels.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CudaTarget:
    """What code generation needs to know of a device.

    Args:
        sm: compute capability, 90 for 9.0.
        shared_bytes: shared memory that one block may use without asking.
        max_threads: threads of a block at most.
        multiprocessors: how many blocks run side by side at least; schedules look for that much work.
        libraries: "cublas", "cudnn": whose functions may stand in a plan in place of generated kernels.
        precision, deterministic: of those functions, as in compile().
    """

    sm: int = 80
    shared_bytes: int = 48 * 1024
    max_threads: int = 1024
    multiprocessors: int = 108
    libraries: tuple[str, ...] = ()
    precision: str = "float32"
    deterministic: bool = True

    @property
    def name(self) -> str:
        """What nvcc calls it.

        >>> CudaTarget(90).name
        'sm_90'
        """
        return f"sm_{self.sm}"

    @property
    def how_called(self) -> dict[str, str | bool]:
        """Attributes of every call of a library; the usual ones are not written down.

        >>> CudaTarget(90, precision="tf32").how_called
        {'precision': 'tf32'}
        """
        usual = CudaTarget()
        named = {"precision": self.precision, "deterministic": self.deterministic}
        return {name: value for name, value in named.items() if value != getattr(usual, name)}
