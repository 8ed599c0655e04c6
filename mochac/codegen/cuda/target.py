"""CudaTarget: the properties of a device that the printer and the schedules need.

It is made for a device, from what runtime/cuda detects, or for a named one, to dump code without a device.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CudaTarget:
    """Properties of a CUDA device for code generation.

    Args:
        sm: compute capability, 90 for 9.0.
        shared_bytes: shared memory that one block may use without opting in.
        max_threads: maximum threads of a block.
        multiprocessors: their number; schedules try to have at least as many blocks.
        libraries: "cublas", "cudnn": libraries whose functions may replace generated kernels.
        precision, deterministic: settings of their calls, as in compile().
    """

    sm: int = 80
    shared_bytes: int = 48 * 1024
    max_threads: int = 1024
    multiprocessors: int = 108
    libraries: tuple[str, ...] = ()
    precision: str = "float32"
    deterministic: bool = True

    @property
    def resident_threads(self) -> int:
        """Maximum threads of a multiprocessor (CUDA programming guide, technical specifications)."""
        return 1024 if self.sm == 75 else 1536 if self.sm in (86, 87, 89, 120) else 2048

    @property
    def resident_shared(self) -> int:
        """Shared memory of a multiprocessor in bytes (same table)."""
        return {75: 64, 80: 164, 86: 100, 87: 164, 89: 100, 120: 100}.get(self.sm, 228) * 1024

    def products(self, size: int) -> int:
        """Fused multiply-adds of elements of `size` bytes that a multiprocessor issues per cycle (CUDA programming
        guide, throughput of arithmetic instructions).

        >>> CudaTarget(90).products(4), CudaTarget(80).products(4)
        (128, 64)
        """
        if size == 4:
            return 64 if self.sm in (75, 80) else 128
        return {80: 32, 90: 64, 100: 64}.get(self.sm, 2)

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
