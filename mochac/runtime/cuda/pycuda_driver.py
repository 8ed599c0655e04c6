"""PycudaDriver: a device through PyCUDA's pycuda.driver, on the primary context that other libraries use too.

Memory, page-locked arrays (from its pool), modules, streams and events are PyCUDA's. Its compiler, device arrays and
autoinit are not used, nor is its pool of device memory: it would keep what was freed from other libraries in the
process, and hand it out again while a library that it was lent to may still read it. CUDA graphs, which PyCUDA lacks,
come from libcuda.py. The context is pushed for each use, so that PyCUDA's context stacks are empty when the process
ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import numpy as np

from mochac.base.errors import BackendError
from mochac.base.files.cache import Cache
from mochac.runtime.cuda.compiler import compile_cubin
from mochac.runtime.cuda.driver import DeviceError, DeviceInfo, DeviceMemoryError, Span, no_such_device
from mochac.runtime.cuda.libcuda import EarlyLaunches, Graphs
from mochac.runtime.cuda.libraries import installed, open_collectives, open_library
from mochac.runtime.cuda.libraries.library import Collectives, Library, Prepared


class PycudaDriver:
    """See driver.py for the methods.

    Raises:
        ImportError: PyCUDA or libcuda cannot be loaded. BackendError: there is no such device.
    """

    def __init__(self, ordinal: int) -> None:
        cuda: Any = import_module("pycuda.driver")  # its classes come from an extension without types
        self._cuda = cuda
        try:
            cuda.init()
            count = cuda.Device.count()
            if ordinal >= count:
                raise no_such_device(ordinal, count)
            device = cuda.Device(ordinal)
            self._context = device.retain_primary_context()
        except cuda.Error as error:
            raise BackendError("the CUDA driver refuses to start", got=str(error)) from error
        self._allocations: dict[int, Any] = {}
        self._page_locked: Any = cuda.PageLockedMemoryPool()  # locking pages takes milliseconds
        kinds = cuda.device_attribute
        major, minor = device.compute_capability()
        self.info = DeviceInfo(
            name=device.name(),
            sm=10 * major + minor,
            memory_bytes=device.total_memory(),
            multiprocessors=device.get_attribute(kinds.MULTIPROCESSOR_COUNT),
            shared_bytes=device.get_attribute(kinds.MAX_SHARED_MEMORY_PER_BLOCK),
            max_threads=device.get_attribute(kinds.MAX_THREADS_PER_BLOCK),
            package=f"PyCUDA {'.'.join(map(str, _version()))}",
            place=device.pci_bus_id(),
        )
        self._graphs = Graphs.load()
        self.graphs = self._graphs is not None
        self._early = EarlyLaunches.load()
        self.early = self._early is not None

    @contextmanager
    def current(self) -> Iterator[None]:
        self._context.push()
        try:
            yield
        except BaseException:
            with suppress(self._cuda.Error):  # after a fault this fails, too, and would hide the first failure
                self._context.pop()
            raise
        with self._converting_errors():
            self._context.pop()

    @contextmanager
    def _converting_errors(self) -> Iterator[None]:
        """Convert PyCUDA's errors."""
        try:
            yield
        except self._cuda.MemoryError as error:
            raise DeviceMemoryError(str(error)) from None
        except self._cuda.Error as error:
            raise DeviceError(str(error)) from None

    def memory(self) -> tuple[int, int]:
        with self._converting_errors():
            return self._cuda.mem_get_info()

    def alloc(self, n_bytes: int) -> int:
        with self._converting_errors():
            found = self._cuda.mem_alloc(n_bytes)
        self._allocations[int(found)] = found
        return int(found)

    def free(self, address: int) -> None:
        with self._converting_errors():
            self._allocations.pop(address).free()

    def pinned(self, n_bytes: int) -> np.ndarray:
        with self._converting_errors():
            return self._page_locked.allocate((n_bytes,), np.uint8)

    def free_pinned(self, array: np.ndarray) -> None:
        with self._converting_errors():
            base: Any = array.base
            base.free()
            if not self._page_locked.active_blocks:  # more will not be needed soon
                self._page_locked.free_held()

    def upload(self, address: int, array: np.ndarray, stream: Any) -> None:
        with self._converting_errors():
            self._cuda.memcpy_htod_async(address, array, stream)

    def download(self, array: np.ndarray, address: int, stream: Any) -> None:
        with self._converting_errors():
            self._cuda.memcpy_dtoh_async(array, address, stream)

    def copy(self, to: int, source: int, n_bytes: int, stream: Any) -> None:
        with self._converting_errors():
            self._cuda.memcpy_dtod_async(to, source, n_bytes, stream)

    def clear(self, address: int, n_bytes: int, stream: Any) -> None:
        with self._converting_errors():
            self._cuda.memset_d8_async(address, 0, n_bytes, stream)

    def image(self, source: str, cache: Cache | None) -> bytes:
        return compile_cubin(source, f"sm_{self.info.sm}", cache)

    def load(self, image: bytes) -> Any:
        with self._converting_errors():
            return self._cuda.module_from_buffer(image)

    def unload(self, module: Any) -> None:
        """A module is unloaded with its last reference."""

    def function(self, module: Any, symbol: str, shared_bytes: int = 0) -> Any:
        with self._converting_errors():
            found = module.get_function(symbol)
            if shared_bytes:
                most = self._cuda.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES
                found.set_attribute(most, shared_bytes)
        return found

    def launch(
        self, function: Any, grid: int, block: int, shared_bytes: int, args: Sequence[Span], stream: Any
    ) -> None:
        pointers = [np.uint64(span.address) for span in args]
        with self._converting_errors():
            function(*pointers, grid=(grid, 1), block=(block, 1, 1), shared=shared_bytes, stream=stream)

    @property
    def libraries(self) -> tuple[str, ...]:
        return installed()

    def library(self, name: str) -> Library:
        return open_library(name)

    def collectives(self) -> Collectives:
        return open_collectives()

    def call(self, prepared: Prepared, args: Sequence[Span], workspace: Span, stream: Any) -> None:
        prepared([span.address for span in args], workspace.address, int(stream.handle))

    def stream(self, *, urgent: bool = False) -> Any:
        with self._converting_errors():
            return self._cuda.Stream(1)  # CU_STREAM_NON_BLOCKING

    def wait(self, stream: Any) -> None:
        with self._converting_errors():
            stream.synchronize()

    def event(self, *, timed: bool = True) -> Any:
        flags = self._cuda.event_flags
        with self._converting_errors():
            return self._cuda.Event(flags.DEFAULT if timed else flags.DISABLE_TIMING)

    def free_event(self, event: Any) -> None:
        """An event is destroyed with its last reference."""

    def record(self, event: Any, stream: Any) -> None:
        with self._converting_errors():
            event.record(stream)

    def wait_event(self, event: Any) -> None:
        with self._converting_errors():
            event.synchronize()

    def done(self, event: Any) -> bool:
        with self._converting_errors():
            return event.query()

    def stream_waits(self, stream: Any, event: Any) -> None:
        with self._converting_errors():
            stream.wait_for_event(event)

    def seconds(self, first: Any, last: Any) -> float:
        with self._converting_errors():
            return 1e-3 * last.time_since(first)

    def begin_capture(self, stream: Any) -> None:
        assert self._graphs is not None
        self._graphs.begin(stream.handle)

    def launches_early(self, stream: Any) -> None:
        assert self._early is not None
        self._early.next(stream.handle)

    def end_capture(self, stream: Any) -> Any:
        assert self._graphs is not None
        return self._graphs.end(stream.handle)

    def replay(self, graph: Any, stream: Any) -> None:
        assert self._graphs is not None
        self._graphs.launch(graph, stream.handle)

    def free_graph(self, graph: Any) -> None:
        assert self._graphs is not None
        self._graphs.free(graph)

    def close(self) -> None:
        self._allocations.clear()
        del self._context


def _version() -> tuple[int, ...]:
    return import_module("pycuda").VERSION
