"""Machine code in this process: loads object code, compiles native functions, and names functions for Linux's `perf`.

Native functions (codegen/native/) are compiled once for all processes. With MOCHAC_PERF=1, MachineCode writes what it
loads to /tmp/perf-PID.map, in lines "START SIZE NAME" in hexadecimal; the kernel's
tools/perf/Documentation/jit-interface.txt describes the format.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from mochac.base.files.cache import Cache, digest, generator
from mochac.base.support.interrupts import ctrl_c_later
from mochac.base.threads import fork_lock
from mochac.runtime.cpu import compiler, cpuinfo
from mochac.runtime.cpu.compiler import llvm

FOLDER = Path("/tmp")
"""The only folder where perf looks."""
_SYMTAB, _FUNC = 2, 2
_WIDE = 2
"""Class of 64-bit objects."""
_lock = fork_lock(inner=True)
_lines: list[str] = []
_state = {"on": False, "process": 0}


class SymbolRange(NamedTuple):
    """A function of an object file: the offset of its code in its section, and its size."""

    name: str
    section: int
    start: int
    size: int


def enable_perf_map() -> None:
    """Start to record the functions of everything that is loaded."""
    _state["on"] = True


def write_perf_map(objects: Sequence[bytes], addresses: Mapping[str, int], names: Mapping[str, str]) -> None:
    """Write the functions of loaded objects to this process's map, if it is enabled.

    Args:
        objects: object code.
        addresses: addresses of some functions, at least one per section; those of the others follow from them.
        names: names of symbols in the map; other symbols keep their own name.
    """
    if not _state["on"]:
        return
    found: list[str] = []
    for image in objects:
        functions = list(read_functions(image))
        bases = {f.section: addresses[f.name] - f.start for f in functions if f.name in addresses}
        placed = [(bases[f.section] + f.start, f) for f in functions if f.section in bases and f.size]
        found += [f"{start:x} {f.size:x} {names.get(f.name, f.name)}\n" for start, f in sorted(placed)]
    with _lock:
        _lines.extend(found)
        forked = _state["process"] != os.getpid()
        _state["process"] = os.getpid()
        with open(FOLDER / f"perf-{os.getpid()}.map", "w" if forked else "a", opener=_no_link) as file:
            file.writelines(_lines if forked else found)


def _no_link(path: str, flags: int) -> int:
    """Refuse symbolic links: anyone may put one of that name into /tmp."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def read_functions(image: bytes) -> Iterator[SymbolRange]:
    """Functions in the symbol table of an ELF object; none for any other kind of file."""
    for kind, function in _symbols(image, _sections(image)):
        if kind == _FUNC and function.section:
            yield function


def read_code(image: bytes) -> Iterator[bytes]:
    """The code of the functions of an ELF object, without the constants among it."""
    sections = _sections(image)
    symbols = [s for _, s in _symbols(image, sections) if s.section]
    constants = sorted((s.section, s.start) for s in symbols if s.name[:2] == "$d")
    for kind, function in _symbols(image, sections):
        if kind == _FUNC and function.section:
            start = function.start & ~1  # Thumb code has odd addresses
            after = (at - start for section, at in constants if section == function.section)
            end = next((at for at in after if 0 < at < function.size), function.size)
            offset = sections[function.section][4] + start
            yield image[offset : offset + end]


def _sections(image: bytes) -> list[tuple[int, ...]]:
    if image[:4] != b"\x7fELF":
        return []
    wide = image[4] == _WIDE
    (table,) = struct.unpack_from("<Q", image, 0x28) if wide else struct.unpack_from("<I", image, 0x20)
    entry, count = struct.unpack_from("<HH", image, 0x3A if wide else 0x2E)
    return [struct.unpack_from("<IIQQQQIIQQ" if wide else "<10I", image, table + k * entry) for k in range(count)]


def _symbols(image: bytes, sections: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, SymbolRange]]:
    """The kinds of symbols, and what they name."""
    wide = image[4] == _WIDE
    for _, kind, _, _, offset, size, link, _, _, step in sections:
        if kind != _SYMTAB:
            continue
        strings = sections[link][4]
        for at in range(offset, offset + size, step):
            if wide:
                name, info, _, section, start, length = struct.unpack_from("<IBBHQQ", image, at)
            else:
                name, start, length, info, _, section = struct.unpack_from("<IIIBBH", image, at)
            end = image.index(b"\0", strings + name)
            yield info & 0xF, SymbolRange(image[strings + name : end].decode(), section, start, length)


_library_names = itertools.count()


@lru_cache(maxsize=1)
@ctrl_c_later()
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

    @ctrl_c_later()
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
        write_perf_map(objects, self.addresses, names or {})

    def __getitem__(self, symbol: str) -> int:
        return self.addresses[symbol]

    def keep_forever(self) -> MachineCode:
        """Never unload: for code in which threads of the process wait."""
        immortal(self._tracker)
        return self

    @ctrl_c_later()
    def close(self) -> None:
        """Unload now; no thread may execute it, now or later."""
        self.addresses = {}
        self._tracker.close()


def native_code(functions: Sequence[Callable[..., Any]], cache: Cache | None) -> MachineCode:
    """The functions, and those that they call; never unloaded, since threads of the process wait in them."""
    names = [f.__name__ for f in functions]
    source = digest("native", sys.platform, *names, *generator())
    image = compiler.cached_object(source, lambda: native_text(functions), cpuinfo.host_cpu(), cache)
    return MachineCode([image], names).keep_forever()


def native_text(functions: Sequence[Callable[..., Any]]) -> str:
    """LLVM text of the functions for this machine."""
    from mochac.codegen.cpu.system import FUNCTIONS, system_text
    from mochac.codegen.native.llvm_text import llvm_text  # lazily: a warm start has the object

    return system_text(compiler.arch(), sys.platform) + llvm_text(functions, FUNCTIONS)
