"""Runs CUDA C on this CPU: `Module(source).launch(...)` for one kernel, `run_kernels` for a sequence on named arrays.

Tests of generated kernels call it with the source exactly as nvcc would get it. It knows nothing of mochac.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from guarded import Guarded
from toolchain import CompileError, build_module, compiler, kernel_names, source_line

__all__ = ["CompileError", "EmulatorError", "KernelLaunch", "Module", "compiler", "run_kernels"]


class EmulatorError(Exception):
    """A kernel did what a device would not allow, or not do reliably; the message names kernel, line and buffer."""


class Shape(ctypes.Structure):
    """EmuShape of emu_machine.h."""

    _fields_ = (
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_uint),
        ("descending", ctypes.c_int),
    )


class Report(ctypes.Structure):
    """EmuReport of emu_machine.h."""

    _fields_ = (
        ("text", ctypes.c_char * 512),
        ("line", ctypes.c_int),
        ("code", ctypes.c_uint64),
        ("address", ctypes.c_uint64),
    )


class Watched(ctypes.Structure):
    """EmuWatched of emu_access.h."""

    _fields_ = tuple((name, ctypes.c_uint64) for name in ("first_page", "end_page", "begin", "end"))


@dataclass(frozen=True)
class KernelLaunch:
    """One launch: which kernel, how many blocks of how many threads, bytes of dynamic shared memory, names of the
    buffers in ABI order (a name given twice is an in-place kernel)."""

    symbol: str
    grid: int | tuple[int, ...]
    block: int | tuple[int, ...]
    shared_bytes: int
    buffers: tuple[str, ...]


def triple(size: int | Sequence[int]) -> tuple[int, int, int]:
    """A CUDA dimension with all three numbers."""
    x, y, z = (*((size,) if isinstance(size, int) else size), 1, 1)[:3]
    return x, y, z


class Module:
    """A CUDA source compiled for the emulator.

    Args:
        watched: every access is checked for races, uninitialised shared memory and bounds; without, only writes
            beside a buffer and accesses outside its pages are seen, and kernels run several times as fast.
    """

    def __init__(self, source: str, *, watched: bool = True):
        self.source, self.kernels, self.watched = source, kernel_names(source), watched
        self.path = build_module(source, watched=watched)
        self._library = ctypes.CDLL(str(self.path))
        self._library.emu_report.restype = ctypes.POINTER(Report)

    def launch(
        self,
        symbol: str,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        shared_bytes: int,
        arrays: Sequence[np.ndarray],
        *,
        names: Sequence[str] = (),
        descending: bool = False,
    ) -> None:
        """Run one kernel on `arrays`, its pointer parameters in order, which are changed in place.

        Args:
            arrays: an array given twice is one buffer.
            names: what messages call them.
            descending: the last block and thread go first.

        Raises:
            EmulatorError: the kernel is wrong; the arrays are then unchanged.
        """
        buffers = self._buffers(arrays, names, at_end=not descending)
        self._watch(list(buffers.values()) if self.watched else [])
        pointers = [ctypes.c_uint64(buffers[id(a)].begin) for a in arrays]
        addresses = (ctypes.c_void_p * len(pointers))(*(ctypes.addressof(p) for p in pointers))
        shape = Shape((ctypes.c_uint * 3)(*triple(grid)), (ctypes.c_uint * 3)(*triple(block)), shared_bytes, descending)
        if self._entry(symbol)(addresses, ctypes.byref(shape)):
            raise EmulatorError(self._message(symbol, buffers.values()))
        for buffer in buffers.values():
            if buffer.damaged():
                raise EmulatorError(f"kernel {symbol}: a write beside buffer {buffer.name!r}")
        for buffer in buffers.values():
            if buffer.array.flags.writeable:
                np.copyto(buffer.array, buffer.result())

    def count(self, blocks: int) -> None:
        """Launches from now on run at most so many blocks, and what they ask of memory is counted; 0: as ever."""
        self._library.emu_count(ctypes.c_uint(blocks))

    def counted(self, row: type, totals: type) -> tuple[list, object]:
        """What the last launch counted, in the structures of counters.py."""
        size, whole = ctypes.c_size_t(), totals()
        self._library.emu_counted.restype = ctypes.POINTER(row)
        rows = self._library.emu_counted(ctypes.byref(size), ctypes.byref(whole))
        return [rows[k] for k in range(size.value)], whole

    def _buffers(self, arrays: Sequence[np.ndarray], names: Sequence[str], *, at_end: bool) -> dict[int, Guarded]:
        buffers: dict[int, Guarded] = {}
        for k, array in enumerate(arrays):
            if id(array) not in buffers:
                name = names[k] if names else f"parameter {k}"
                buffers[id(array)] = Guarded(name, array, at_end=at_end, mark=k)
        return buffers

    def _watch(self, buffers: list[Guarded]) -> None:
        """What accesses are compared with; nothing of unwatched code, of which only vectors tell what they access: they
        would read elements that nobody seems to have written."""
        rows = (Watched * len(buffers))(*((b.first_page, b.end_page, b.begin, b.end) for b in buffers))
        self._library.emu_watch(rows, ctypes.c_size_t(len(buffers)))

    def _entry(self, symbol: str):
        if symbol not in self.kernels:
            raise EmulatorError(f"no kernel {symbol!r} in this module; kernels: {', '.join(self.kernels)}")
        return getattr(self._library, f"emu_launch_{symbol}")

    def _message(self, symbol: str, buffers) -> str:
        report: Report = self._library.emu_report().contents
        line = report.line or source_line(self.path, report.code)
        where = f", line {line}: {self.source.splitlines()[line - 1].strip()}" if line else ""
        near = [b.name for b in buffers if report.address and b.near(report.address)]
        beside = f" at buffer {near[0]!r}" if near else ""
        return f"kernel {symbol}: {report.text.decode()}{beside}{where}"


def run_kernels(
    source: str, launches: Sequence[KernelLaunch], arrays: Mapping[str, np.ndarray], *, watched: bool = True
) -> dict[str, np.ndarray]:
    """The arrays after the launches, which run twice: in ascending and in descending order of blocks and threads.
    `arrays` itself stays as it is.

    Raises:
        EmulatorError: of a launch; or the two orders disagree in a bit, as kernels with a race do.
    """
    module = Module(source, watched=watched)
    results = [_run(module, launches, arrays, descending=descending) for descending in (False, True)]
    for name, first in results[0].items():
        if first.tobytes() != results[1][name].tobytes():
            raise EmulatorError(f"buffer {name!r} depends on the order of threads; kernels: {module.kernels}")
    return results[0]


def _run(
    module: Module, launches: Sequence[KernelLaunch], arrays: Mapping[str, np.ndarray], *, descending: bool
) -> dict[str, np.ndarray]:
    state = {name: np.array(array, order="C") for name, array in arrays.items()}
    for launch in launches:
        module.launch(
            launch.symbol,
            launch.grid,
            launch.block,
            launch.shared_bytes,
            [state[name] for name in launch.buffers],
            names=launch.buffers,
            descending=descending,
        )
    return state
