"""Driver: the few operations needed of a CUDA device, an interface for PyCUDA, cuda-bindings and stand-ins.

Addresses are integers; handles are whatever the driver uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

import numpy as np

from mochac.base.errors import BackendError
from mochac.base.files.cache import Cache
from mochac.base.records import record
from mochac.runtime.cuda.libraries.library import Collectives, Library, Prepared


class DeviceError(Exception):
    """A driver call failed; the message is the driver's own. The executor adds what was running."""


class DeviceMemoryError(DeviceError):
    """The device has not enough memory left."""


class NoSuchDevice(BackendError):
    """The machine has `count` devices, and none with this number."""

    count = 0


def no_such_device(ordinal: int, count: int) -> NoSuchDevice:
    """The error if the machine has fewer devices; CUDA_VISIBLE_DEVICES may hide some."""
    expected = f"a number from 0 to {count - 1}" if count else "a machine with a CUDA device"
    hint = "CUDA_VISIBLE_DEVICES may hide devices; `nvidia-smi -L` lists them"
    error = NoSuchDevice(f"there is no CUDA device {ordinal}", expected=expected, got=f"{count} devices", hint=hint)
    error.count = count
    return error


class Span(NamedTuple):
    """A range of device memory: address and number of bytes."""

    address: int
    n_bytes: int


@record
class DeviceInfo:
    """Properties of a device, for code generation and messages.

    Attributes:
        sm: compute capability, 90 for 9.0.
        shared_bytes: maximum shared memory of a block without opting in to more.
        package: the Python package that drives it.
        place: where it is on its machine's buses, equal for all processes; "": not known.
    """

    name: str
    sm: int
    memory_bytes: int
    multiprocessors: int
    shared_bytes: int
    max_threads: int
    package: str
    place: str = ""


class Driver(Protocol):
    """The primary context of one device. Every call must be made inside `current()`; copies and launches are
    asynchronous on their stream. All methods raise DeviceError."""

    info: DeviceInfo
    graphs: bool
    """Whether begin_capture, end_capture and replay work."""
    early: bool
    """Whether launches_early works."""

    @property
    def libraries(self) -> tuple[str, ...]:
        """Which of "cublas" and "cudnn" seem to be installed."""
        ...

    def current(self) -> AbstractContextManager[Any]:
        """Make the context current on this thread; may be nested."""
        ...

    def memory(self) -> tuple[int, int]:
        """(free, total) bytes of the device's memory."""
        ...

    def alloc(self, n_bytes: int) -> int:
        """Allocate device memory, 256-byte aligned; raises DeviceMemoryError."""
        ...

    def free(self, address: int) -> None: ...

    def pinned(self, n_bytes: int) -> np.ndarray:
        """Allocate page-locked host memory as uint8; free it with `free_pinned`."""
        ...

    def free_pinned(self, array: np.ndarray) -> None: ...

    def upload(self, address: int, array: np.ndarray, stream: Any) -> None:
        """Copy host to device; `array` is C-contiguous and must not change until the stream has copied it."""
        ...

    def download(self, array: np.ndarray, address: int, stream: Any) -> None:
        """Copy device to host."""
        ...

    def copy(self, to: int, source: int, n_bytes: int, stream: Any) -> None:
        """Copy within the device's memory."""
        ...

    def clear(self, address: int, n_bytes: int, stream: Any) -> None:
        """Set bytes to zero."""
        ...

    def image(self, source: str, cache: Cache | None) -> bytes:
        """What `load` takes, compiled from CUDA C or found in the cache."""
        ...

    def load(self, image: bytes) -> Any:
        """Load a module from a cubin."""
        ...

    def unload(self, module: Any) -> None: ...

    def function(self, module: Any, symbol: str, shared_bytes: int = 0) -> Any:
        """A kernel of a module, whose launches bring so much shared memory."""
        ...

    def launch(
        self, function: Any, grid: int, block: int, shared_bytes: int, args: Sequence[Span], stream: Any
    ) -> None:
        """Run a kernel on one-dimensional blocks; every argument is a pointer."""
        ...

    def library(self, name: str) -> Library:
        """cuBLAS or cuDNN on this context; raises OSError or ImportError if it is not installed."""
        ...

    def collectives(self) -> Collectives:
        """NCCL on this context; raises OSError if it is not installed."""
        ...

    def call(self, prepared: Prepared, args: Sequence[Span], workspace: Span, stream: Any) -> None:
        """Enqueue a library call on a stream."""
        ...

    def stream(self, *, urgent: bool = False) -> Any:
        """A new stream that waits for no other; blocks of `urgent` ones are started before those of others, where the
        package knows priorities."""
        ...

    def wait(self, stream: Any) -> None:
        """Wait until all work of the stream is done; faults of its kernels are raised here."""
        ...

    def event(self, *, timed: bool = True) -> Any:
        """A new event; events in captured work are not timed."""
        ...

    def free_event(self, event: Any) -> None: ...

    def record(self, event: Any, stream: Any) -> None: ...

    def wait_event(self, event: Any) -> None:
        """Wait until the work recorded by the event is done."""
        ...

    def done(self, event: Any) -> bool:
        """Whether the work recorded by the event is done."""
        ...

    def stream_waits(self, stream: Any, event: Any) -> None:
        """Let later work of the stream wait for an event; if it was recorded in a capture, the stream joins that."""
        ...

    def seconds(self, first: Any, last: Any) -> float:
        """Time between two recorded events, both done."""
        ...

    def begin_capture(self, stream: Any) -> None:
        """From here on, record work of the stream, and of streams that wait for its events, instead of running it."""
        ...

    def launches_early(self, stream: Any) -> None:
        """In a capture: let the stream's next kernel begin before its predecessor has ended."""
        ...

    def end_capture(self, stream: Any) -> Any:
        """The recorded work as a graph for replay; the stream must have waited for all streams that joined."""
        ...

    def replay(self, graph: Any, stream: Any) -> None: ...

    def free_graph(self, graph: Any) -> None: ...

    def close(self) -> None:
        """Release the context; no other method may be called after this."""
        ...
