"""Loads object code into this process and returns the addresses of its functions."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mochac.runtime.cpu import perf_map
from mochac.runtime.cpu.compiler import llvm

_library_names = itertools.count()


@lru_cache(maxsize=1)
def _lljit() -> Any:
    # JITLink places the sections of an object next to each other. RuntimeDyld maps each wherever there is room; in a
    # process with gigabytes mapped, constants are then out of reach of a 32-bit offset, and LLVM aborts.
    jit = llvm().create_lljit_compiler(None, use_jit_link=True)
    immortal(jit)
    return jit


def immortal(obj: object) -> None:
    """Keep an object until the process ends, past the interpreter's shutdown: parked workers still execute in it."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(obj))


class MachineCode:
    """Loaded objects and the addresses of their exported functions; unloaded when closed or collected.

    Args:
        objects: object code; symbols may refer to each other and to this process (libm, libc).
        symbols: functions to export; a missing one raises RuntimeError.
        names: function names for profilers, by symbol.
    """

    def __init__(
        self, objects: Sequence[bytes], symbols: Iterable[str], names: Mapping[str, str] | None = None
    ) -> None:
        wanted = sorted(set(symbols))
        builder = llvm().JITLibraryBuilder()
        for image in objects:
            builder.add_object_img(image)
        builder.add_current_process()
        for symbol in wanted:
            builder.export_symbol(symbol)
        self._tracker = builder.link(_lljit(), f"mochac{next(_library_names)}")
        self.addresses: dict[str, int] = {symbol: self._tracker[symbol] for symbol in wanted}
        perf_map.write_perf_map(objects, self.addresses, names or {})

    def __getitem__(self, symbol: str) -> int:
        return self.addresses[symbol]

    def keep_forever(self) -> MachineCode:
        """Never unload: for code in which threads of the process wait."""
        immortal(self._tracker)
        return self

    def close(self) -> None:
        """Unload now; no thread may execute it, now or later."""
        self.addresses = {}
        self._tracker.close()
