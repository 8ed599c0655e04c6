"""Object code to addresses in this process: plans, the worker team and measurements load their functions with it."""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mochac.runtime.cpu import perf_map
from mochac.runtime.cpu.compiler import llvm

_link_lock = threading.Lock()
_library_names = itertools.count()


@lru_cache(maxsize=1)
def _lljit() -> Any:
    # JITLink puts the sections of an object side by side. RuntimeDyld maps each wherever there is room; in a process
    # with gigabytes mapped, constants then lie out of the reach of a 32-bit offset, and LLVM aborts.
    jit = llvm().create_lljit_compiler(None, use_jit_link=True)
    immortal(jit)
    return jit


def immortal(obj: object) -> None:
    """Keep an object until the process is gone, past the interpreter's shutdown: parked workers still stand in it."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(obj))


class MachineCode:
    """Loaded objects and the addresses of their exported functions; unloaded when closed or collected.

    Args:
        objects: object code; symbols may refer across them and to this process (libm, libc).
        symbols: functions to export; a missing one is a RuntimeError.
        names: what profilers shall call functions, by symbol.
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
        with _link_lock:
            self._tracker = builder.link(_lljit(), f"mochac{next(_library_names)}")
        self.addresses: dict[str, int] = {symbol: self._tracker[symbol] for symbol in wanted}
        perf_map.add(objects, self.addresses, names or {})

    def __getitem__(self, symbol: str) -> int:
        return self.addresses[symbol]

    def keep_forever(self) -> MachineCode:
        """Never unload: for code that threads of the process stand in."""
        immortal(self._tracker)
        return self

    def close(self) -> None:
        """Unload now; no thread may be inside, nor enter later."""
        self.addresses = {}
        self._tracker.close()
