"""BindingsDriver: a device through NVIDIA's cuda-bindings, for machines without PyCUDA.

The package has wheels and needs no toolkit, only the driver's libcuda. It uses the primary context, as other libraries
do.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import numpy as np

from mochac.base.errors import BackendError
from mochac.base.files.cache import Cache
from mochac.runtime.cuda.compiler import compile_cubin
from mochac.runtime.cuda.driver import DeviceError, DeviceInfo, DeviceMemoryError, Span, no_such_device
from mochac.runtime.cuda.libcuda import EarlyLaunches
from mochac.runtime.cuda.libraries import installed, open_collectives, open_library
from mochac.runtime.cuda.libraries.library import Collectives, Library, Prepared

NON_BLOCKING = 1
"""CU_STREAM_NON_BLOCKING."""


class BindingsDriver:
    """See driver.py for the methods.

    Raises:
        ImportError: cuda-bindings cannot be loaded. BackendError: there is no such device.
    """

    graphs = True

    def __init__(self, ordinal: int) -> None:
        cuda: Any = import_module("cuda.bindings.driver")  # an extension without types
        self._cuda = cuda
        try:
            self._call(cuda.cuInit(0))
            count = self._call(cuda.cuDeviceGetCount())
            if ordinal >= count:
                raise no_such_device(ordinal, count)
            self._device = self._call(cuda.cuDeviceGet(ordinal))
            self._context = self._call(cuda.cuDevicePrimaryCtxRetain(self._device))
            self.info = self._describe()
            self._early = EarlyLaunches.load()
            self.early = self._early is not None
        except DeviceError as error:
            raise BackendError("the CUDA driver refuses to start", got=str(error)) from error

    def _describe(self) -> DeviceInfo:
        cuda, kinds = self._cuda, self._cuda.CUdevice_attribute

        def attribute(name: str) -> int:
            kind = getattr(kinds, f"CU_DEVICE_ATTRIBUTE_{name}")
            return int(self._call(cuda.cuDeviceGetAttribute(kind, self._device)))

        name = self._call(cuda.cuDeviceGetName(128, self._device))
        return DeviceInfo(
            name=bytes(name).split(b"\0")[0].decode(),
            sm=10 * attribute("COMPUTE_CAPABILITY_MAJOR") + attribute("COMPUTE_CAPABILITY_MINOR"),
            memory_bytes=int(self._call(cuda.cuDeviceTotalMem(self._device))),
            multiprocessors=attribute("MULTIPROCESSOR_COUNT"),
            shared_bytes=attribute("MAX_SHARED_MEMORY_PER_BLOCK"),
            max_threads=attribute("MAX_THREADS_PER_BLOCK"),
            package=f"cuda-bindings {_version()}",
            place=bytes(self._call(cuda.cuDeviceGetPCIBusId(32, self._device))).split(b"\0")[0].decode(),
        )

    def _call(self, result: tuple[Any, ...]) -> Any:
        """Check the status of a call and return its values."""
        status, *values = result
        if int(status):
            _, text = self._cuda.cuGetErrorString(status)
            words = f"{status.name}: {text.decode() if isinstance(text, bytes) else text}"
            full = status == self._cuda.CUresult.CUDA_ERROR_OUT_OF_MEMORY
            raise DeviceMemoryError(words) if full else DeviceError(words)
        return values[0] if len(values) == 1 else tuple(values)

    @contextmanager
    def current(self) -> Iterator[None]:
        self._call(self._cuda.cuCtxPushCurrent(self._context))
        try:
            yield
        except BaseException:
            with suppress(DeviceError):  # after a fault this fails, too, and would hide the first failure
                self._call(self._cuda.cuCtxPopCurrent())
            raise
        self._call(self._cuda.cuCtxPopCurrent())

    def memory(self) -> tuple[int, int]:
        free, total = self._call(self._cuda.cuMemGetInfo())
        return int(free), int(total)

    def alloc(self, n_bytes: int) -> int:
        return int(self._call(self._cuda.cuMemAlloc(n_bytes)))

    def free(self, address: int) -> None:
        self._call(self._cuda.cuMemFree(address))

    def pinned(self, n_bytes: int) -> np.ndarray:
        address = int(self._call(self._cuda.cuMemAllocHost(n_bytes)))
        return np.ctypeslib.as_array((ctypes.c_uint8 * n_bytes).from_address(address))

    def free_pinned(self, array: np.ndarray) -> None:
        self._call(self._cuda.cuMemFreeHost(array.ctypes.data))

    def upload(self, address: int, array: np.ndarray, stream: Any) -> None:
        self._call(self._cuda.cuMemcpyHtoDAsync(address, array.ctypes.data, array.nbytes, stream))

    def download(self, array: np.ndarray, address: int, stream: Any) -> None:
        self._call(self._cuda.cuMemcpyDtoHAsync(array.ctypes.data, address, array.nbytes, stream))

    def copy(self, to: int, source: int, n_bytes: int, stream: Any) -> None:
        self._call(self._cuda.cuMemcpyDtoDAsync(to, source, n_bytes, stream))

    def clear(self, address: int, n_bytes: int, stream: Any) -> None:
        self._call(self._cuda.cuMemsetD8Async(address, 0, n_bytes, stream))

    def image(self, source: str, cache: Cache | None) -> bytes:
        return compile_cubin(source, f"sm_{self.info.sm}", cache)

    def load(self, image: bytes) -> Any:
        return self._call(self._cuda.cuModuleLoadData(image))

    def unload(self, module: Any) -> None:
        self._call(self._cuda.cuModuleUnload(module))

    def function(self, module: Any, symbol: str, shared_bytes: int = 0) -> Any:
        found = self._call(self._cuda.cuModuleGetFunction(module, symbol.encode()))
        if shared_bytes:
            most = self._cuda.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self._call(self._cuda.cuFuncSetAttribute(found, most, shared_bytes))
        return found

    def launch(
        self, function: Any, grid: int, block: int, shared_bytes: int, args: Sequence[Span], stream: Any
    ) -> None:
        pointers = (tuple(span.address for span in args), (ctypes.c_void_p,) * len(args))
        size = (grid, 1, 1, block, 1, 1)
        self._call(self._cuda.cuLaunchKernel(function, *size, shared_bytes, stream, pointers, 0))

    @property
    def libraries(self) -> tuple[str, ...]:
        return installed()

    def library(self, name: str) -> Library:
        return open_library(name)

    def collectives(self) -> Collectives:
        return open_collectives()

    def call(self, prepared: Prepared, args: Sequence[Span], workspace: Span, stream: Any) -> None:
        prepared([span.address for span in args], workspace.address, int(stream))

    def stream(self, *, urgent: bool = False) -> Any:
        least, greatest = self._call(self._cuda.cuCtxGetStreamPriorityRange())
        return self._call(self._cuda.cuStreamCreateWithPriority(NON_BLOCKING, greatest if urgent else least))

    def wait(self, stream: Any) -> None:
        self._call(self._cuda.cuStreamSynchronize(stream))

    def event(self, *, timed: bool = True) -> Any:
        flags = self._cuda.CUevent_flags
        kind = flags.CU_EVENT_DEFAULT if timed else flags.CU_EVENT_DISABLE_TIMING
        return self._call(self._cuda.cuEventCreate(int(kind)))

    def free_event(self, event: Any) -> None:
        self._call(self._cuda.cuEventDestroy(event))

    def record(self, event: Any, stream: Any) -> None:
        self._call(self._cuda.cuEventRecord(event, stream))

    def wait_event(self, event: Any) -> None:
        self._call(self._cuda.cuEventSynchronize(event))

    def done(self, event: Any) -> bool:
        found = self._cuda.cuEventQuery(event)
        if found[0] == self._cuda.CUresult.CUDA_ERROR_NOT_READY:
            return False
        self._call(found)
        return True

    def stream_waits(self, stream: Any, event: Any) -> None:
        self._call(self._cuda.cuStreamWaitEvent(stream, event, 0))

    def seconds(self, first: Any, last: Any) -> float:
        return 1e-3 * float(self._call(self._cuda.cuEventElapsedTime(first, last)))

    def begin_capture(self, stream: Any) -> None:
        relaxed = self._cuda.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
        self._call(self._cuda.cuStreamBeginCapture(stream, relaxed))

    def launches_early(self, stream: Any) -> None:
        assert self._early is not None
        self._early.next(int(stream))

    def end_capture(self, stream: Any) -> Any:
        graph = self._call(self._cuda.cuStreamEndCapture(stream))
        try:
            return self._call(self._cuda.cuGraphInstantiate(graph, 0))
        finally:
            self._call(self._cuda.cuGraphDestroy(graph))

    def replay(self, graph: Any, stream: Any) -> None:
        self._call(self._cuda.cuGraphLaunch(graph, stream))

    def free_graph(self, graph: Any) -> None:
        self._call(self._cuda.cuGraphExecDestroy(graph))

    def close(self) -> None:
        self._call(self._cuda.cuDevicePrimaryCtxRelease(self._device))


def _version() -> str:
    import cuda.bindings

    return cuda.bindings.__version__
