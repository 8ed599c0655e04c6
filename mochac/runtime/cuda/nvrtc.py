"""NVRTC, NVIDIA's compiler as a library, called by ctypes: a single wheel, without a toolkit or a host compiler."""

from __future__ import annotations

import ctypes
import re
import sys
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p
from functools import cache
from pathlib import Path

from mochac.base.records import record

NAMES = ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")
FOLDERS = ("nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib")
"""Folders of the library in the wheels, below site-packages."""


class CompileFailed(Exception):
    """The compiler rejected the source; the message is the compiler's."""


@record
class Found:
    """A library that has been found but not loaded.

    Attributes:
        path: what the loader takes.
        version: identifies it in cache keys.
        major: its CUDA release.
    """

    path: str
    version: str
    major: int


class Nvrtc:
    """The loaded library."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        major, minor = c_int(), c_int()
        self._call("nvrtcVersion", byref(major), byref(minor))
        self.release = major.value, minor.value

    def compile(self, source: str, flags: tuple[str, ...], form: str = "cubin") -> tuple[bytes, str]:
        """(cubin or PTX, log); raises CompileFailed with the log if the source is rejected."""
        program = c_void_p()
        self._call("nvrtcCreateProgram", byref(program), source.encode(), b"module.cu", 0, None, None)
        try:
            options = [flag.encode() for flag in (*flags, "--ptxas-options=-v")]
            status = self._library.nvrtcCompileProgram(program, len(options), (c_char_p * len(options))(*options))
            log = self._bytes(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog").rstrip(b"\0").decode()
            if status:
                raise CompileFailed(log or self._error(status))
            return self._bytes(program, f"nvrtcGet{form.upper()}Size", f"nvrtcGet{form.upper()}"), log
        finally:
            self._call("nvrtcDestroyProgram", byref(program))

    def _bytes(self, program: c_void_p, size_of: str, get: str) -> bytes:
        size = c_size_t()
        self._call(size_of, program, byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        self._call(get, program, buffer)
        return buffer.raw

    def _call(self, name: str, *args: object) -> None:
        status = getattr(self._library, name)(*args)
        if status:
            raise CompileFailed(f"{name}: {self._error(status)}")

    def _error(self, status: int) -> str:
        self._library.nvrtcGetErrorString.restype = c_char_p
        return self._library.nvrtcGetErrorString(status).decode()


def find_nvrtc() -> Found | None:
    """The library of a wheel, else the one on the loader's path; None if there is none."""
    for path in (Path(entry) / folder / name for entry in sys.path for folder in FOLDERS for name in NAMES):
        if path.exists():
            state = path.stat()
            return Found(str(path), f"{path} {state.st_size} {state.st_mtime_ns}", _major(path))
    for name in NAMES:
        try:
            release = loaded(name).release
        except OSError:
            continue
        return Found(name, f"{name} {release[0]}.{release[1]}", release[0])
    return None


@cache
def loaded(path: str) -> Nvrtc:
    """Load the library.

    Raises:
        OSError: there is none, or it cannot be loaded.
    """
    for builtins in Path(path).parent.glob("libnvrtc-builtins.so.*") if "/" in path else ():
        ctypes.CDLL(str(builtins))  # NVRTC asks the loader for it by its bare name
    return Nvrtc(ctypes.CDLL(path))


def _major(path: Path) -> int:
    """Version in a name such as "libnvrtc.so.13"."""
    found = re.search(r"\.so\.(\d+)", path.resolve().name) or re.search(r"\.so\.(\d+)", path.name)
    return int(found[1]) if found else 0
