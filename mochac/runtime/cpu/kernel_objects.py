"""The objects of a plan's kernels, compiled in several threads, and for plans of many kernels by worker processes.

LLVM compiles in threads, which hold no lock of Python's (compiler.py):

    main thread   schedule, print k0 | schedule, print k1 | schedule, print k2 | ...
    thread 1                         | LLVM k0 ...........| LLVM k2 ...
    thread 2                                              | LLVM k1 ...

When all kernels are printed, the main thread compiles too, the last kernels first. Each kernel is a module and an
object of its own. The cache holds each object under its text, and each launch under the canonical kernel, which is
known before its schedule is chosen: another plan, or the same net with one layer changed, finds both.

Four fifths of the time is Python's, which chooses schedules, and Python's threads take turns. Worker processes compile
kernels into the cache, the last kernels first, while the main process begins with the first ones. They meet:

    main process   k0 | k1 | k2 | k3 | known: k4, k5, k6, k7
    worker         starts  | k7 | k6 | k5 | k4

A worker that cannot start, fails or is killed loses nothing: the main process compiles what the cache lacks.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from typing import IO, TYPE_CHECKING, Any

from mochac.base.files.cache import Cache, digest, generator
from mochac.base.garbage import uncollected
from mochac.base.records import record
from mochac.base.support.interrupts import ctrl_c_later
from mochac.ir.plan import Compiled
from mochac.runtime.backend import KernelObjects
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.compiler import CpuInfo

if TYPE_CHECKING:
    from mochac.runtime.lowered import CanonicalKernel

FORMAT = "kernel-1"
KERNELS_PER_WORKER = 32
"""Kernels for which a worker is started; to start one takes as long as to compile about ten kernels."""
MAX_WORKERS = 7
"""A worker takes 100 to 200 MB of memory."""


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

    Attributes:
        _absent: kernels that the cache lacks, where no worker adds them: they are looked up once.
    """

    def __init__(self, cpu: CpuInfo, cache: Cache | None, made_with: Sequence[str] | None, threads: int) -> None:
        self.cpu, self.threads = cpu, threads
        self._launch_cache = None if cache is None or made_with is None else _LaunchCache(cache, tuple(made_with))
        self.cache = cache
        self._pool = ThreadPoolExecutor(max(1, threads - 1), thread_name_prefix="mochac-compile")
        self._launches: dict[CanonicalKernel, Compiled] = {}
        self._images: dict[str, bytes | _Job] = {}
        self._workers: list[subprocess.Popen[bytes]] = []
        self._absent: set[CanonicalKernel] = set()

    def expect(self, kernels: Sequence[CanonicalKernel]) -> None:
        """Start workers if there are enough kernels that the cache lacks."""
        kept = self._launch_cache
        if kept is None:
            return
        absent = [kernel for kernel in dict.fromkeys(kernels) if self.known(kernel) is None]
        n_workers = min(self.threads - 1, len(absent) // KERNELS_PER_WORKER, MAX_WORKERS)
        with suppress(OSError):
            for first in range(n_workers):
                job = _WorkerJob(absent[::-1][first::n_workers], self.cpu, kept.cache, kept.made_with, os.getpid())
                self._workers.append(_worker(job))
        if not self._workers:
            self._absent.update(absent)

    def known(self, kernel: CanonicalKernel) -> Compiled | None:
        """The launch of an equal kernel of this plan that was known or started before, or of one in the cache."""
        if self._launch_cache is not None and kernel not in self._launches and kernel not in self._absent:
            found = self._launch_cache.get(kernel)
            if found is not None:
                launch, image = found
                self._launches[kernel] = launch
                self._images.setdefault(launch.symbol, image)
        return self._launches.get(kernel)

    def start(self, kernel: CanonicalKernel) -> None:
        """Kernels with different canonical forms but the same code are compiled once, too."""
        code = kernel.code
        launch = self._launches[kernel] = Compiled(code.symbol, code.items, code.scratch_bytes)
        text = kernel.generator.module_text([code])
        key = compiler.object_key(text, self.cpu)
        if self._launch_cache is not None:
            self._launch_cache.put(kernel, launch, key)
        if launch.symbol not in self._images:
            image = None if self.cache is None else self.cache.get(key)
            self._images[launch.symbol] = self._job(text, key) if image is None else image

    def finished(self) -> list[bytes]:
        """In the order in which kernels became known or were started."""
        last_first = reversed(self._images.items())
        done = {symbol: self._done(image) if isinstance(image, _Job) else image for symbol, image in last_first}
        return [done[symbol] for symbol in self._images]

    @ctrl_c_later()
    def close(self) -> None:
        """Wait for running compilations, cancel those that have not started, and end the workers."""
        self._pool.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.kill()
            worker.wait()

    def _job(self, text: str, key: str) -> _Job:
        """Only the call that takes long runs in a thread, since a thread that waits for Python's lock gets it after
        milliseconds."""
        module = compiler.parsed(text, self.cpu)
        try:
            return _Job(key, module, self._pool.submit(compiler.emitted, module, self.cpu))
        except RuntimeError:  # Python is ending and begins no threads: the main thread compiles what nobody has begun
            return _Job(key, module, Future())

    def _done(self, job: _Job) -> bytes:
        cancelled = job.buffer.cancel()
        image = compiler.taken(compiler.emitted(job.module, self.cpu) if cancelled else job.buffer.result())
        if self.cache is not None:
            self.cache.put(job.key, image)
        return image


@record
class _LaunchCache:
    """Launches by canonical kernel, in the cache that has their objects."""

    cache: Cache
    made_with: tuple[str, ...]

    def get(self, kernel: CanonicalKernel) -> tuple[Compiled, bytes] | None:
        """A kernel's launch and object, if the cache has both."""
        entry = self.cache.get(self._key(kernel))
        if entry is None:
            return None
        symbol, items, scratch_bytes, key = json.loads(entry)
        image = self.cache.get(key)
        return None if image is None else (Compiled(symbol, items, scratch_bytes), image)

    def put(self, kernel: CanonicalKernel, launch: Compiled, key: str) -> None:
        """Keep a kernel's launch, and the key of its object."""
        entry = json.dumps([launch.symbol, launch.items, launch.scratch_bytes, key])
        self.cache.put(self._key(kernel), entry.encode())

    def has(self, kernel: CanonicalKernel) -> bool:
        """Whether a process has printed the kernel; its object may still be in the making."""
        return self.cache.get(self._key(kernel)) is not None

    def _key(self, kernel: CanonicalKernel) -> str:
        chosen = "" if kernel.chosen is None else str(kernel.chosen)
        return digest("launch", FORMAT, str(kernel.kernel), chosen, *self.made_with)


@record
class _WorkerJob:
    """What a worker does: it compiles kernels until it meets one that another process has begun, or until the process
    that started it, `parent`, ends."""

    kernels: Sequence[CanonicalKernel]
    cpu: CpuInfo
    cache: Cache
    made_with: tuple[str, ...]
    parent: int

    @uncollected()
    def run(self) -> None:
        """A kernel that fails is left to the main process, which says what is wrong."""
        kept = _LaunchCache(self.cache, self.made_with)
        for kernel in self.kernels:
            if os.getppid() != self.parent or kept.has(kernel):
                return
            with suppress(Exception), closing(CpuKernelObjects(self.cpu, self.cache, self.made_with, 1)) as objects:
                objects.start(kernel)
                objects.finished()


_WORK = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from mochac.runtime.cpu import kernel_objects
kernel_objects.work(sys.stdin.buffer)
"""


@ctrl_c_later()
def _worker(job: _WorkerJob) -> subprocess.Popen[bytes]:
    """Start a worker. It runs no code of the user's: neither the main module, which multiprocessing would import, nor
    modules beside it."""
    if getattr(sys, "frozen", False) or not sys.executable:
        raise OSError("this program is not run by an interpreter that could be started again")
    with tempfile.TemporaryFile() as file:
        pickle.dump(sys.path, file)
        pickle.dump(generator(), file)
        pickle.dump(job, file)
        file.seek(0)
        command = [sys.executable, "-I", "-c", _WORK]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(command, stdin=file, stdout=quiet, stderr=quiet, start_new_session=True)


def work(file: IO[bytes]) -> None:
    """Do the job that a file contains, unless the package's files have changed since the main process imported them."""
    if pickle.load(file) == generator():
        pickle.load(file).run()
