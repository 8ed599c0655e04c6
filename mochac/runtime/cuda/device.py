"""Device: one GPU of this process with its streams, lock and memory, shared by all programs on it.

PyCUDA or cuda-bindings drives it, whichever is installed. Contexts are current only while they are used, so nothing is
left on any thread's context stack.
"""

from __future__ import annotations

import atexit
import ctypes
import importlib.util
import os
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Protocol

from mochac.base.errors import BackendError
from mochac.base.threads import fork_lock
from mochac.runtime.cuda.driver import DeviceError, DeviceMemoryError, Driver
from mochac.runtime.cuda.libraries.library import Library, LibraryCall, Prepared
from mochac.runtime.cuda.stopwatch import Stopwatch

PACKAGES = {"pycuda": "pycuda.driver", "cuda-bindings": "cuda.bindings.driver"}
"""Packages that can drive a device, best first, with the module whose presence shows that they are installed."""
INSTALL = "pip install 'mochac[cuda]'"
NO_DRIVER = "no NVIDIA driver: libcuda.so.1 is not there"
_open: dict[int, Device] = {}
_opening = fork_lock(inner=True)


class Closable(Protocol):
    """A plan, as the device sees it."""

    def close(self) -> None: ...


class LibraryCache:
    """The libraries opened on one device, by name, and the calls prepared on them, by what they compute; each once.

    Compilation asks whether a call is supported, and all plans share the prepared call: choosing an engine takes a few
    milliseconds, once per process. Refusals are kept, too.

    Args:
        open_library: loads a library; its errors are passed on.
    """

    def __init__(self, open_library: Callable[[str], Library]) -> None:
        self._open = open_library
        self._libraries: dict[str, Library] = {}
        self._calls: dict[LibraryCall, Prepared | DeviceError] = {}

    def library(self, name: str) -> Library:
        """The library, opened when first needed."""
        if name not in self._libraries:
            self._libraries[name] = self._open(name)
        return self._libraries[name]

    def prepared(self, call: LibraryCall) -> Prepared:
        """The prepared call.

        Raises:
            DeviceError: the library does not support it.
        """
        if call not in self._calls:
            try:
                self._calls[call] = self.library(call.library).prepare(call)
            except DeviceError as error:
                self._calls[call] = error
        found = self._calls[call]
        if isinstance(found, DeviceError):
            raise found
        return found

    def close(self) -> None:
        """Close all libraries."""
        self._calls.clear()
        while self._libraries:
            self._libraries.popitem()[1].close()


class FullDevice(BackendError):
    """A device has not enough memory left."""


class Device:
    """A GPU on which plans run, one after the other on its stream.

    Attributes:
        ordinal: its number, 0 for the first.
        driver: its driver; use it only inside `use()`.
        stream: the stream of kernels and of copies in order with them, and of a step's longest path, whose blocks are
            started first.
        copies: the stream of batches, which are copied while kernels run.
        allocated: bytes held by mochac.
        data_bytes: those of them that hold datasets (resident.py).
        fault: what was running when a kernel broke the context; the device is unusable from then on.
    """

    def __init__(self, ordinal: int, driver: Driver) -> None:
        self.ordinal, self.driver = ordinal, driver
        self.allocated, self.data_bytes, self.fault = 0, 0, ""
        self._sizes: dict[int, int] = {}
        self._library_cache = LibraryCache(self._opened)
        self._lock = fork_lock(inner=True)
        self._pid = os.getpid()
        self._plans: weakref.WeakSet[Closable] = weakref.WeakSet()
        with driver.current():
            self.stream, self.copies = driver.stream(urgent=True), driver.stream()
        self._branches = [self.stream]
        self._stopwatch: Stopwatch | None = None

    def __str__(self) -> str:
        info = self.driver.info
        return f"CUDA device {self.ordinal} ({info.name}, sm_{info.sm}, {info.package})"

    @contextmanager
    def use(self) -> Iterator[Driver]:
        """The driver, with its context current, for one thread at a time; may be nested.

        Raises:
            BackendError: in a process forked from the one that opened the device.
        """
        if os.getpid() != self._pid:
            hint = "start the child with multiprocessing's 'spawn', or compile nothing before it is forked"
            raise BackendError("a CUDA device cannot be used in a process forked after it was opened", hint=hint)
        with self._lock, self.driver.current():
            yield self.driver

    def failed(self, what: str, error: DeviceError, details: Sequence[str] = (), hint: str = "") -> BackendError:
        """The error if `what` (such as "running plan 'step'") failed in the driver or in a kernel."""
        words = [str(error), *details]
        if self.fault:
            words.append(f"the device has been of no use since {self.fault} failed: start the process again")
        elif self.broken():
            self.fault = what
        return BackendError(f"{what} on {self} failed", details=words, hint=hint)

    def broken(self) -> bool:
        """Whether a kernel has broken the context: such faults are reported by every later call."""
        with self.use() as driver:
            try:
                driver.wait(self.stream)
            except DeviceError:
                return True
        return False

    @contextmanager
    def reporting(self, what: str) -> Iterator[Driver]:
        """`use()`, with the driver's errors converted to BackendErrors."""
        with self.use() as driver:
            try:
                yield driver
            except DeviceError as error:
                raise self.failed(what, error) from None

    @contextmanager
    def forgiving(self) -> Iterator[Driver]:
        """`use()` for releasing things; ignores errors after a fault, when nothing can be released any more."""
        with self.use() as driver:
            try:
                yield driver
            except (DeviceError, BackendError):
                if not self.fault:
                    raise

    @property
    def stopwatch(self) -> Stopwatch:
        """Times work of `stream`."""
        with self.use() as driver:
            if self._stopwatch is None:
                self._stopwatch = Stopwatch(driver, self.stream)
            return self._stopwatch

    def branches(self, n: int) -> list[Any]:
        """`stream` and others, n in all, on which graphs are captured."""
        with self.use() as driver:
            while len(self._branches) < n:
                self._branches.append(driver.stream())
        return self._branches[:n]

    def alloc(self, n_bytes: int, what: str) -> int:
        """Allocate device memory for `what`.

        Raises:
            FullDevice: there is not enough left.
        """
        with self.use() as driver:
            try:
                address = driver.alloc(max(1, n_bytes))
            except DeviceMemoryError:
                raise self._full(n_bytes, what) from None
        self._sizes[address] = n_bytes
        self.allocated += n_bytes
        return address

    def free(self, address: int) -> None:
        """Free device memory."""
        self.allocated -= self._sizes.pop(address)
        with self.forgiving() as driver:
            driver.free(address)

    def library(self, name: str) -> Library:
        """cuBLAS or cuDNN, opened once.

        Raises:
            BackendError: it is not installed, or does not start.
        """
        with self.use():
            return self._library_cache.library(name)

    def prepared(self, call: LibraryCall) -> Prepared:
        """A library call, prepared once for all plans.

        Raises:
            DeviceError: the library does not support it. BackendError: the library is not installed.
        """
        with self.use():
            return self._library_cache.prepared(call)

    def join(self, plan: Closable) -> None:
        """Register a plan to be closed when the process ends."""
        self._plans.add(plan)

    def close(self) -> None:
        """Close all plans and release the context, at the end of the process."""
        if os.getpid() == self._pid:
            for plan in list(self._plans):
                plan.close()
            with self.forgiving():
                self._library_cache.close()
                if self._stopwatch is not None:
                    self._stopwatch.close()
                # PyCUDA destroys streams while their context is current, and warns otherwise.
                self._branches, self.stream, self.copies = [], None, None
            self.driver.close()

    def _opened(self, name: str) -> Library:
        try:
            return self.driver.library(name)
        except (OSError, ImportError, DeviceError) as error:
            hint = "libraries=False, or pip install 'mochac[cuda-libraries]'"
            raise BackendError(f"{self} has no {name}", got=str(error), hint=hint) from error

    def _full(self, n_bytes: int, what: str) -> FullDevice:
        with self.use() as driver:
            free, total = driver.memory()
        got = f"{n_bytes:,} bytes with {free:,} of {total:,} bytes free, {self.allocated:,} held by mochac"
        hint = "a smaller batch_size, close() programs no longer used, or another device="
        if self.data_bytes:
            got += f", {self.data_bytes:,} of it datasets"
            hint += "; MOCHAC_RESIDENT=0 keeps no data there"
        return FullDevice(f"not enough memory on {self} for {what}", got=got, hint=hint)


def device(ordinal: int = 0) -> Device:
    """The device with this number, opened once per process.

    Raises:
        BackendError: says what is missing and how to get it.
    """
    with _opening:
        if ordinal not in _open:
            _open[ordinal] = Device(ordinal, open_driver(ordinal))
            if len(_open) == 1:
                atexit.register(_close_all)
        return _open[ordinal]


def missing() -> str:
    """A short reason why no device can be used, or "" if one probably can; fast."""
    if not _has_libcuda():
        return NO_DRIVER
    if not installed_packages():
        return "no package drives CUDA: neither PyCUDA nor cuda-bindings is installed"
    from mochac.runtime.cuda.compiler import compiler_missing

    return compiler_missing()


def open_driver(ordinal: int) -> Driver:
    """The device, through the first package that works.

    Raises:
        BackendError: there is no package, driver, compiler or such device.
    """
    reason = missing()
    if reason:
        raise unavailable(reason)
    problems: list[str] = []
    for package in installed_packages():
        try:
            return _opened(package, ordinal)
        except ImportError as error:
            problems.append(f"{package}: {error}")
    raise unavailable("no package could be loaded", problems)


def unavailable(reason: str, details: list[str] | None = None) -> BackendError:
    """The error that says what is missing, and how to get it."""
    steps = [
        *(details or []),
        "what it takes:",
        "  an NVIDIA GPU with its driver: `nvidia-smi` lists it",
        f"  a package that drives it and a compiler: {INSTALL} (cuda-bindings, NVRTC)",
        "  or a CUDA toolkit with its nvcc, and pip install 'mochac[pycuda]'; docs/guide/cuda.md has the commands",
    ]
    hint = "backend='cpu' runs every net; dump(net, dir, backend='cuda') needs no device"
    return BackendError(f"the CUDA backend cannot run here: {reason}", details=steps, hint=hint)


@cache
def _has_libcuda() -> bool:
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def installed_packages() -> list[str]:
    """The packages that are installed, best first."""
    return [package for package, module in PACKAGES.items() if _found(module)]


def _found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):  # a parent package is missing
        return False


def _opened(package: str, ordinal: int) -> Driver:
    if package == "pycuda":
        from mochac.runtime.cuda.pycuda_driver import PycudaDriver

        return PycudaDriver(ordinal)
    from mochac.runtime.cuda.bindings_driver import BindingsDriver

    return BindingsDriver(ordinal)


def _close_all() -> None:
    for ordinal in list(_open):
        _open.pop(ordinal).close()
