"""NVRTC, NVIDIA's compiler as a library, reached by ctypes: it is one wheel without a toolkit or a host compiler.

compiler.py asks for it where there is no nvcc. It knows sources and flags, nothing else.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p
from pathlib import Path

NAMES = ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")
FOLDERS = ("nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib")
"""Where the wheels put it, below site-packages."""


class Nvrtc:
    """The loaded library."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        major, minor = c_int(), c_int()
        self._call("nvrtcVersion", byref(major), byref(minor))
        self.version = f"{major.value}.{minor.value} {getattr(library, '_name', '')}"

    def compile(self, source: str, flags: tuple[str, ...]) -> tuple[bytes, str]:
        """(cubin, log); compiler.CompileFailed with the log where the source is refused."""
        from mochac.runtime.cuda.compiler import CompileFailed

        program = c_void_p()
        self._call("nvrtcCreateProgram", byref(program), source.encode(), b"module.cu", 0, None, None)
        try:
            options = [flag.encode() for flag in (*flags, "--ptxas-options=-v")]
            status = self._library.nvrtcCompileProgram(program, len(options), (c_char_p * len(options))(*options))
            log = self._bytes(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog").rstrip(b"\0").decode()
            if status:
                raise CompileFailed(log or self._error(status))
            return self._bytes(program, "nvrtcGetCUBINSize", "nvrtcGetCUBIN"), log
        finally:
            self._call("nvrtcDestroyProgram", byref(program))

    def _bytes(self, program: c_void_p, size_of: str, get: str) -> bytes:
        size = c_size_t()
        self._call(size_of, program, byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        self._call(get, program, buffer)
        return buffer.raw

    def _call(self, name: str, *args: object) -> None:
        from mochac.runtime.cuda.compiler import CompileFailed

        status = getattr(self._library, name)(*args)
        if status:
            raise CompileFailed(f"{name}: {self._error(status)}")

    def _error(self, status: int) -> str:
        self._library.nvrtcGetErrorString.restype = c_char_p
        return self._library.nvrtcGetErrorString(status).decode()


def load_nvrtc() -> Nvrtc | None:
    """The library from a wheel, else from the loader's path; None where there is none."""
    wheels = [Path(entry) / folder / name for entry in sys.path for folder in FOLDERS for name in NAMES]
    for path in [path for path in wheels if path.exists()]:
        for builtins in path.parent.glob("libnvrtc-builtins.so.*"):
            ctypes.CDLL(str(builtins))  # which NVRTC asks the loader for by its bare name
        return Nvrtc(ctypes.CDLL(str(path)))
    for name in NAMES:
        try:
            return Nvrtc(ctypes.CDLL(name))
        except OSError:
            continue
    return None
