"""compile_cubin: compiles CUDA C to a cubin, by NVRTC if available, else by nvcc; results are cached.

It needs neither a device nor a driver. Products and sums are never contracted (fma is a function of the scalar table),
denormals are flushed as on the CPU. NVRTC, NVIDIA's compiler as a library, is a single wheel, without a toolkit or a
host compiler. It comes first because it starts no process: for CIFAR-10's net it takes 1.1 s, nvcc 1.3 s (two cores,
CUDA 13).
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p
from functools import cache
from pathlib import Path

from mochac.base.errors import BackendError, InternalError
from mochac.base.files.cache import Cache, digest
from mochac.base.options import Options
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


FLAGS = ("-fmad=false", "-ftz=true", "-prec-div=true", "-prec-sqrt=true")
SPLIT = "--split-compile=0"
"""Optimize functions in parallel, on all CPUs; the code is the same (checked: all bytes but this option's text)."""
SPLITS_FROM = (12, 4)
"""The first release in which this was tested."""
_ERROR = re.compile(r"\((\d+)\): (?:catastrophic )?error:? (.*)")
_PTXAS = re.compile(r"Compiling entry function '(\w+)'")
_COUNTS = {
    "registers": r"Used (\d+) registers",
    "shared_bytes": r"(\d+) bytes smem",
    "spill_bytes": r"(\d+) bytes spill stores",
    "stack_bytes": r"(\d+) bytes stack frame",
}


@record
class Resources:
    """Resources that one kernel uses: registers per thread, shared memory per block, and bytes of local memory per
    thread, including spilled registers."""

    registers: int = 0
    shared_bytes: int = 0
    spill_bytes: int = 0
    stack_bytes: int = 0


@record
class Compiler:
    """A CUDA compiler.

    Attributes:
        version: identifies it in cache keys.
        major: its CUDA release; drivers load cubins of their own and of earlier releases.
        run: compiles (source, flags, "cubin" or "ptx") to (code, remarks), or raises CompileFailed.
    """

    name: str
    version: str
    major: int
    run: Callable[[str, tuple[str, ...], str], tuple[bytes, str]]


def compile_cubin(source: str, arch: str, cache: Cache | None = None) -> bytes:
    """The cubin of a translation unit.

    Args:
        arch: the architecture, such as "sm_90".
        cache: cache of compiled code, or None.

    Raises:
        BackendError: there is no compiler, or it does not know `arch`. InternalError: the source is invalid,
            which is an error in mochac; shows the line.
    """
    return _compiled(source, arch, cache)[0]


def compile_ptx(source: str, arch: str, cache: Cache | None = None) -> str:
    """PTX of a translation unit, for reading; arguments and errors as for compile_cubin."""
    return _compiled(source, arch, cache, "ptx")[0].rstrip(b"\0").decode()


def resource_use(source: str, arch: str, cache: Cache | None = None) -> dict[str, Resources]:
    """Resources by function, as reported by ptxas."""
    found: dict[str, Resources] = {}
    parts = _PTXAS.split(_compiled(source, arch, cache)[1])
    for symbol, text in zip(parts[1::2], parts[2::2], strict=True):
        numbers = {field: re.search(pattern, text) for field, pattern in _COUNTS.items()}
        found[symbol] = Resources(**{field: int(match[1]) for field, match in numbers.items() if match})
    return found


def compiler_missing() -> str:
    """Why nothing can be compiled, or ""."""
    return "" if find_compiler() else "no CUDA compiler: neither nvcc nor NVRTC is there"


@cache
def find_compiler() -> Compiler | None:
    """The compiler that MOCHAC_CUDA_COMPILER names, else the first of NVRTC and nvcc whose cubins the driver loads."""
    first = None
    newest = _driver_major()
    for compiler in _compilers(Options.from_env().cuda_compiler):
        first = first or compiler
        if newest is None or compiler.major <= newest:
            return compiler
    return first


def _compilers(wanted: str) -> Iterator[Compiler]:
    """The compilers found; each is looked for only when reached."""
    for name, find in {"nvrtc": _found_nvrtc, "nvcc": _found_nvcc}.items():
        found = find() if wanted in ("", name) else None
        if found is not None:
            yield found


def _found_nvrtc() -> Compiler | None:
    """NVRTC; not loaded until it compiles something, so a warm start does not load it."""
    found = find_nvrtc()
    if found is None:
        return None

    def run(source: str, flags: tuple[str, ...], form: str) -> tuple[bytes, str]:
        library = loaded(found.path)
        return library.compile(source, (*flags, *_split(library.release)), form)

    return Compiler("NVRTC", found.version, found.major, run)


def _found_nvcc() -> Compiler | None:
    """nvcc below CUDA_HOME, on PATH or in its default place."""
    homes = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    places = os.pathsep.join([*(f"{home}/bin" for home in homes), os.environ.get("PATH", ""), "/usr/local/cuda/bin"])
    nvcc = shutil.which("nvcc", path=places)
    if nvcc is None:
        return None
    done = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"release (\d+)\.(\d+)", done.stdout)
    if done.returncode or match is None:
        return None
    split = _split((int(match[1]), int(match[2])))

    def run(source: str, flags: tuple[str, ...], form: str) -> tuple[bytes, str]:
        return _nvcc(nvcc, source, (f"-{form}", *flags, *split))

    return Compiler("nvcc", f"{nvcc} {done.stdout}", int(match[1]), run)


def _split(release: tuple[int, int]) -> tuple[str, ...]:
    return (SPLIT,) if release >= SPLITS_FROM else ()


def _driver_major() -> int | None:
    """Newest CUDA release that the driver supports; None without a driver, when no cubin can be loaded anyway."""
    version = ctypes.c_int()
    try:
        status = ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
    except (OSError, AttributeError):
        return None
    return None if status else version.value // 1000


def _compiled(source: str, arch: str, cache: Cache | None, form: str = "cubin") -> tuple[bytes, str]:
    compiler = find_compiler()
    if compiler is None:
        hint = "pip install nvidia-cuda-nvrtc, or put the nvcc of a CUDA toolkit on PATH"
        raise BackendError(compiler_missing(), hint=hint)
    flags = (f"-arch={arch if form == 'cubin' else arch.replace('sm', 'compute')}", *FLAGS)
    key = digest(form, source, *flags, compiler.name, compiler.version)
    entry = cache.get(key) if cache is not None else None
    if entry is None:
        try:
            cubin, remarks = compiler.run(source, flags, form)
        except CompileFailed as error:
            raise _refused(source, arch, compiler, str(error)) from None
        entry = struct.pack("<Q", len(cubin)) + cubin + remarks.encode()
        if cache is not None:
            cache.put(key, entry)
    size = struct.unpack_from("<Q", entry)[0]
    return entry[8 : 8 + size], entry[8 + size :].decode()


def _nvcc(nvcc: str, source: str, flags: tuple[str, ...]) -> tuple[bytes, str]:
    with tempfile.TemporaryDirectory(prefix="mochac-cuda-") as folder:
        text, output = Path(folder) / "module.cu", Path(folder) / "module.out"
        text.write_text(source, encoding="utf-8")
        command = [nvcc, *flags, "-Xptxas", "-v", "-o", str(output), str(text)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        remarks = (done.stdout + done.stderr).replace(str(text), "module.cu")
        if done.returncode or not output.exists():
            raise CompileFailed(remarks or f"nvcc ended with status {done.returncode}")
        return output.read_bytes(), remarks


def _refused(source: str, arch: str, compiler: Compiler, remarks: str) -> BackendError | InternalError:
    """The error, with the generated line of the first remark; BackendError if the compiler does not know the device."""
    lines = remarks.strip().splitlines()
    if re.search(r"(?i)(unsupported|invalid).*(gpu|arch)", remarks):
        return BackendError(f"{compiler.name} does not know {arch}", details=lines[:3], hint="a newer CUDA toolkit")
    match = _ERROR.search(remarks)
    if match is None:
        return InternalError(f"{compiler.name} failed on generated code", details=lines[:12])
    number = int(match[1])
    shown = source.splitlines()[number - 1].strip() if number <= len(source.splitlines()) else ""
    details = [f"line {number}: {shown}", match[2].strip()]
    return InternalError(f"{compiler.name} refuses generated code for {arch}", details=details)
