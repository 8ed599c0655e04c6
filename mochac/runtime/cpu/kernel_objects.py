"""CpuKernelObjects: compiles the kernels of a plan side by side, while the next ones are scheduled and printed.

    main thread   schedule, print k0 | schedule, print k1 | schedule, print k2 | ...
    thread 1                         | LLVM k0 ...........| LLVM k2 ...
    thread 2                                              | LLVM k1 ...

When all kernels are printed, the main thread compiles too: those that no other thread has begun, the last first. LLVM
runs without Python's lock and without llvmlite's (compiler.py), so threads suffice: no processes must be started, fed
or cleaned up, and small nets gain as well. Each kernel is a module and an object of its own.

The cache holds each object under its text, and each launch under the canonical kernel, which is known before its
schedule is chosen: another plan, or the same net with one layer changed, finds both.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from mochac.base.files.cache import Cache, digest
from mochac.base.records import record
from mochac.ir.plan import Compiled
from mochac.runtime.backend import KernelObjects
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.compiler import CpuInfo

if TYPE_CHECKING:
    from mochac.runtime.lowered import CanonicalKernel

FORMAT = "kernel-1"


@record
class _Job:
    """A module that a thread compiles; `key` is the key of its object in the cache."""

    key: str
    module: Any
    buffer: Future[Any]


class CpuKernelObjects(KernelObjects):
    """The objects of one plan's kernels.

    Args:
        cache: cache of earlier results; None: none are kept.
        made_with: as for Backend.kernel_objects.
        threads: number of kernels compiled at once, including the main thread's.
    """

    def __init__(self, cpu: CpuInfo, cache: Cache | None, made_with: Sequence[str] | None, threads: int) -> None:
        self.cpu, self.cache, self.made_with = cpu, cache, made_with
        self._pool = ThreadPoolExecutor(max(1, threads - 1), thread_name_prefix="mochac-compile")
        self._launches: dict[CanonicalKernel, Compiled] = {}
        self._images: dict[str, bytes | _Job] = {}

    def known(self, kernel: CanonicalKernel) -> Compiled | None:
        """The launch of an equal kernel of this plan that was known or started before, or of one in the cache."""
        if kernel not in self._launches and self.cache is not None and self.made_with is not None:
            launch = self.cache.get(_launch_key(kernel, self.made_with))
            if launch is not None:
                symbol, items, scratch_bytes, key = json.loads(launch)
                image = self.cache.get(key)
                if image is not None:
                    self._launches[kernel] = Compiled(symbol, items, scratch_bytes)
                    self._images.setdefault(symbol, image)
        return self._launches.get(kernel)

    def start(self, kernel: CanonicalKernel) -> None:
        """Kernels with different canonical forms but the same code are compiled once, too."""
        code = kernel.code
        launch = self._launches[kernel] = Compiled(code.symbol, code.items, code.scratch_bytes)
        text = kernel.generator.module_text([code])
        key = compiler.object_key(text, self.cpu)
        if self.cache is not None and self.made_with is not None:
            entry = json.dumps([launch.symbol, launch.items, launch.scratch_bytes, key])
            self.cache.put(_launch_key(kernel, self.made_with), entry.encode())
        if launch.symbol not in self._images:
            image = None if self.cache is None else self.cache.get(key)
            self._images[launch.symbol] = self._job(text, key) if image is None else image

    def finished(self) -> list[bytes]:
        """In the order in which kernels became known or were started."""
        last_first = reversed(self._images.items())
        done = {symbol: self._done(image) if isinstance(image, _Job) else image for symbol, image in last_first}
        return [done[symbol] for symbol in self._images]

    def close(self) -> None:
        """Wait for the kernels that are being compiled; those that have not begun are given up."""
        self._pool.shutdown(cancel_futures=True)

    def _job(self, text: str, key: str) -> _Job:
        """Only the call that takes long runs in a thread, since a thread that waits for Python's lock gets it after
        milliseconds."""
        module = compiler.parsed(text, self.cpu)
        try:
            return _Job(key, module, self._pool.submit(compiler.emitted, module, self.cpu))
        except RuntimeError:  # Python is ending and begins no threads: the main thread compiles what nobody has begun
            return _Job(key, module, Future())

    def _done(self, job: _Job) -> bytes:
        given_back = job.buffer.cancel()
        image = compiler.taken(compiler.emitted(job.module, self.cpu) if given_back else job.buffer.result())
        if self.cache is not None:
            self.cache.put(job.key, image)
        return image


def _launch_key(kernel: CanonicalKernel, made_with: Sequence[str]) -> str:
    chosen = "" if kernel.chosen is None else str(kernel.chosen)
    return digest("launch", FORMAT, str(kernel.kernel), chosen, *made_with)
