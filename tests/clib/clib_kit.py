"""Builds C libraries and calls them from Python by ctypes."""

import ctypes
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mochac
from mochac.formats.clib.tables import arguments

needs_cc = pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="NO C COMPILER HERE")
ALIGNMENT = 64


def aligned(n_bytes: int, offset: int = 0) -> np.ndarray:
    """Bytes that begin at a multiple of 64, or `offset` after one."""
    block = np.full(n_bytes + 2 * ALIGNMENT, 0xA5, np.uint8)
    start = -block.ctypes.data % ALIGNMENT + offset
    return block[start : start + n_bytes]


class Failure(Exception):
    """What a function returned instead of OK."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Library:
    """A library that build() wrote."""

    def __init__(self, directory: Path, net: mochac.Net, name: str, dtype: str = "float32") -> None:
        self.directory, self.net, self.name, self.dtype = directory, net, name, np.dtype(dtype)
        self.dll = ctypes.CDLL(str(directory / f"lib{name}.so"))
        self["text"].restype = ctypes.c_char_p
        for function in ("bytes", "save_bytes", "save_state_bytes"):
            if hasattr(self.dll, f"{name}_{function}"):
                self[function].restype = ctypes.c_size_t
        self.tops = [top for source in net.sources for top in source.tops]
        self.header = (directory / f"{name}.h").read_text()

    def __getitem__(self, function: str) -> Any:
        return getattr(self.dll, f"{self.name}_{function}")

    def check(self, code: int) -> None:
        if code:
            raise Failure(code, self["text"](code).decode())

    def parameters_of(self, function: str) -> list[str]:
        """Names of a function's parameters, from the header."""
        declaration = self.header.split(f"{self.name}_{function}(")[-1].split(")")[0]
        return [part.split()[-1].lstrip("*") for part in declaration.split(",")]

    @contextmanager
    def pool(self, threads: int) -> Iterator[ctypes.c_void_p]:
        """A pool of threads."""
        self["pool_start"].restype = ctypes.c_void_p
        started = ctypes.c_void_p(self["pool_start"](threads))
        yield started
        self["pool_stop"](started)

    def instance(self, threads: int = 1, **how: Any) -> "Instance":
        return Instance(self, threads, **how)


class Instance:
    """An instance in memory of its own."""

    def __init__(self, library: Library, threads: int = 1, saved: bytes | None = None, seed: int | None = None) -> None:
        self.lib = library
        self.memory = aligned(library["bytes"](threads))
        self.net = ctypes.c_void_p()
        begin, size = ctypes.c_void_p(self.memory.ctypes.data), ctypes.c_size_t(len(self.memory))
        if saved is not None:
            library.check(
                library["init_saved"](begin, size, saved, ctypes.c_size_t(len(saved)), ctypes.byref(self.net))
            )
        elif seed is not None:
            library.check(library["init_drawn"](begin, size, ctypes.c_uint64(seed), ctypes.byref(self.net)))
        else:
            library.check(library["init"](begin, size, ctypes.byref(self.net)))

    def share(self, threads: int, pool: ctypes.c_void_p | None) -> None:
        """Use the threads of a pool; None: one that runs nothing."""
        run = None if pool is None else ctypes.cast(self.lib["pool_run"], ctypes.c_void_p)
        self.lib.check(self.lib["use_threads"](self.net, threads, run, pool))

    def _inputs(self, function: str, arrays: dict[str, np.ndarray]) -> tuple[int, list[Any], list[np.ndarray]]:
        names = arguments(self.lib.tops)
        held = {names[top]: np.ascontiguousarray(a, self.lib.dtype) for top, a in arrays.items()}
        wanted = [name for name in self.lib.parameters_of(function) if name in held]
        n = len(next(iter(held.values())))
        return n, [ctypes.c_void_p(held[name].ctypes.data) for name in wanted], list(held.values())

    def predict(self, *shapes: tuple[int, ...], **arrays: np.ndarray) -> list[np.ndarray]:
        n, inputs, _held = self._inputs("predict", arrays)
        outputs = [np.full((n, *shape), np.nan, self.lib.dtype) for shape in shapes]
        pointers = [ctypes.c_void_p(out.ctypes.data) for out in outputs]
        self.lib.check(self.lib["predict"](self.net, *inputs, ctypes.c_int64(n), *pointers))
        return outputs

    def step(self, **arrays: np.ndarray) -> float:
        _, inputs, _held = self._inputs("step", arrays)
        loss = ctypes.c_double()
        self.lib.check(self.lib["step"](self.net, *inputs, ctypes.byref(loss)))
        return loss.value

    def evaluate(self, n_results: int, **arrays: np.ndarray) -> list[float]:
        n, inputs, _held = self._inputs("evaluate", arrays)
        results = (ctypes.c_double * n_results)()
        self.lib.check(self.lib["evaluate"](self.net, *inputs, ctypes.c_int64(n), results))
        return list(results)

    def save(self, kind: str = "save") -> bytes:
        size = self.lib[f"{kind}_bytes"]()
        buffer = ctypes.create_string_buffer(size)
        self.lib.check(self.lib[kind](self.net, buffer, ctypes.c_size_t(size)))
        return buffer.raw

    def load(self, saved: bytes) -> None:
        self.lib.check(self.lib["load"](self.net, saved, ctypes.c_size_t(len(saved))))

    def set(self, name: str, value: float) -> None:
        self.lib.check(self.lib["set_scalar"](self.net, name.encode(), ctypes.c_double(value)))

    def get(self, name: str) -> float:
        value = ctypes.c_double()
        self.lib.check(self.lib["get_scalar"](self.net, name.encode(), ctypes.byref(value)))
        return value.value


def built(directory: Path, net: mochac.Net, solver: Any = None, *, warn: bool = True, **how: Any) -> Library:
    """A library of a net; `warn`: the compiler finds nothing to warn of."""
    from mochac.formats.clib.build import build

    build(net, directory, solver, **how)
    name = next(directory.glob("*_threads.h")).name.removesuffix("_threads.h")
    if warn:
        warned = compile_frame(directory, name, ["cc", "-std=c99", "-fsyntax-only"])
        assert warned == ""
    return Library(directory, net, name, how.get("dtype", "float32"))


def compile_frame(directory: Path, name: str, compiler: Sequence[str]) -> str:
    """What a compiler says to the files of the frame, with all warnings."""
    files = f"{name}.c", f"{name}_threads.c", "example.c"
    command = [*compiler, "-Wall", "-Wextra", "-pedantic", *files]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False).stderr
