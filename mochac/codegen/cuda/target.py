"""CudaTarget: the properties of a device that the printer and the schedules need.

It is made for a device, from what runtime/cuda detects, or for a named one, to dump code without a device.
"""

from __future__ import annotations

from mochac.base.records import record
from mochac.codegen.machine import Multiprocessor, multiprocessor


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
