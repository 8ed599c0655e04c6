"""Driver: what mochac asks of a CUDA device, implemented with PyCUDA, with cuda-bindings, and by stand-ins in tests.

Pointers are numbers; handles are whatever the driver likes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from mochac.runtime.cuda.libraries.library import Library, Prepared
from mochac.runtime.files.cache import Cache


class DeviceError(Exception):
    """A call of the driver failed; the message is the driver's own. executor.py says what was going on."""


class DeviceMemoryError(DeviceError):
    """The device has not so much memory left."""


class Span(NamedTuple):
    """Device memory: its address and how many bytes of it are meant."""

    address: int
    n_bytes: int


@dataclass(frozen=True)
class DeviceInfo:
    """A device, as code generation and messages need it.

    Attributes:
        sm: compute capability, 90 for 9.0.
        shared_bytes: shared memory of a block at most, without asking for more.
        package: which Python package drives it.
    """

    name: str
    sm: int
    memory_bytes: int
    multiprocessors: int
    shared_bytes: int
    max_threads: int
    package: str


class Driver(Protocol):
    """One device's primary context. Every call is made inside `current()`; copies and launches are asynchronous on
    their stream. All methods raise DeviceError."""

    info: DeviceInfo
    graphs: bool
    """begin_capture, end_capture and replay work."""

    @property
    def libraries(self) -> tuple[str, ...]:
        """Those of "cublas" and "cudnn" that look installed."""
        ...

    def current(self) -> AbstractContextManager[Any]:
        """Make the context this thread's; may be nested."""
        ...

    def memory(self) -> tuple[int, int]:
        """(free, all) bytes of the device's memory."""
        ...

    def alloc(self, n_bytes: int) -> int:
        """Device memory, 256-byte aligned; raises DeviceMemoryError."""
        ...

    def free(self, address: int) -> None: ...

    def pinned(self, n_bytes: int) -> np.ndarray:
        """Page-locked host memory as uint8, freed by `free_pinned`."""
        ...

    def free_pinned(self, array: np.ndarray) -> None: ...

    def upload(self, address: int, array: np.ndarray, stream: Any) -> None:
        """Host to device; `array` is C-contiguous and stays as it is until the stream is through."""
        ...

    def download(self, array: np.ndarray, address: int, stream: Any) -> None:
        """Device to host."""
        ...

    def clear(self, address: int, n_bytes: int, stream: Any) -> None:
        """Set bytes to zero."""
        ...

    def image(self, source: str, cache: Cache | None) -> bytes:
        """What `load` takes, compiled from CUDA C or found in the cache."""
        ...

    def load(self, image: bytes) -> Any:
        """A module from a cubin."""
        ...

    def unload(self, module: Any) -> None: ...

    def function(self, module: Any, symbol: str) -> Any:
        """A kernel of a module."""
        ...

    def launch(
        self, function: Any, grid: int, block: int, shared_bytes: int, args: Sequence[Span], stream: Any
    ) -> None:
        """Run a kernel on one-dimensional blocks; every argument is a pointer."""
        ...

    def library(self, name: str) -> Library:
        """cuBLAS or cuDNN on this context; raises OSError or ImportError where it is not there."""
        ...

    def call(self, prepared: Prepared, args: Sequence[Span], workspace: Span, stream: Any) -> None:
        """Put a library's call on a stream."""
        ...

    def stream(self) -> Any:
        """A stream of its own, that waits for no other."""
        ...

    def wait(self, stream: Any) -> None:
        """Until all work of the stream is done; faults of its kernels surface here."""
        ...

    def event(self, *, timed: bool = True) -> Any:
        """An event; those in captured work are not timed."""
        ...

    def free_event(self, event: Any) -> None: ...

    def record(self, event: Any, stream: Any) -> None: ...

    def wait_event(self, event: Any) -> None:
        """The caller waits until what was recorded is done."""
        ...

    def stream_waits(self, stream: Any, event: Any) -> None:
        """Later work of the stream waits for it; where the event was recorded in a capture, the stream joins that."""
        ...

    def seconds(self, first: Any, last: Any) -> float:
        """Time between two recorded events that are done."""
        ...

    def begin_capture(self, stream: Any) -> None:
        """From here on work of the stream, and of streams that wait for its events, is recorded instead of done."""
        ...

    def end_capture(self, stream: Any) -> Any:
        """The recorded work as a graph that can be replayed; the stream has waited for all that joined."""
        ...

    def replay(self, graph: Any, stream: Any) -> None: ...

    def free_graph(self, graph: Any) -> None: ...

    def close(self) -> None:
        """Give the context back; no other method is called any more."""
        ...
